//! Authentication (token), `Host` and `Origin` checks, request limits and security headers.

use std::time::{Duration, Instant};

use axum::body::{Body, to_bytes};
use axum::extract::{Extension, Request, State};
use axum::http::header::{
    AUTHORIZATION, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, COOKIE, HOST, LOCATION, ORIGIN, REFERRER_POLICY,
    SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use chuhe_api::Key;
use tokio::time::timeout;

use crate::app::Shared;
use crate::client::{Client, Peer};
use crate::error::ApiError;
use crate::settings::{Limits, Settings};
use crate::token;

/// Scripts, WebAssembly, workers, styles, pictures and connections only from this server; nothing else, and no frames.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; \
    connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const TOKEN_COOKIE: &str = "chuhe_token";

/// Middleware: allows or refuses a request and adds the security headers.
pub(crate) async fn authorize(
    State(shared): State<Shared>,
    Extension(peer): Extension<Peer>,
    mut request: Request,
    next: Next,
) -> Response {
    let client = Client::new(peer, &shared.settings.proxies, request.headers());
    request.extensions_mut().insert(client);
    let mut response = match admit(&shared, client, &request) {
        Access::Allow => match receive(request, &shared.settings.limits).await {
            Ok(request) => next.run(request).await,
            Err(error) => error.into_response(),
        },
        Access::SetCookie(token) => set_cookie(&token, client.is_tls),
        Access::WrongToken => {
            shared.failures.try_take(client.address, Instant::now());
            let text = "this is not the token of this server";
            ApiError::plain(StatusCode::UNAUTHORIZED, Key::WrongToken, text).into_response()
        }
        Access::Deny(error) => error.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    let isolated = HeaderValue::from_static("same-origin");
    headers.insert(HeaderName::from_static("cross-origin-opener-policy"), isolated.clone());
    headers.insert(HeaderName::from_static("cross-origin-resource-policy"), isolated);
    // An isolated page shares memory with its workers: a search in the browser stops at once.
    let required = HeaderValue::from_static("require-corp");
    headers.insert(HeaderName::from_static("cross-origin-embedder-policy"), required);
    response
}

#[derive(Debug)]
enum Access {
    Allow,
    /// The token came in the URL: store it in a cookie and redirect to the URL without it.
    SetCookie(String),
    /// A guess, or the token of another day.
    WrongToken,
    Deny(ApiError),
}

impl Access {
    fn deny(status: StatusCode, key: Key, text: &str) -> Self {
        Self::Deny(ApiError::plain(status, key, text))
    }
}

/// Rate limits first, so that neither floods nor guesses cost more than a look-up.
fn admit(shared: &Shared, client: Client, request: &Request) -> Access {
    let now = Instant::now();
    if !shared.requests.try_take(client.address, now) {
        let text = "too many requests from your address; wait a moment";
        return Access::deny(StatusCode::TOO_MANY_REQUESTS, Key::TooManyRequests, text);
    }
    if shared.settings.token.is_some() && !shared.failures.has_token(client.address, now) {
        let text = "too many wrong tokens from your address; wait a moment";
        return Access::deny(StatusCode::TOO_MANY_REQUESTS, Key::TooManyWrongTokens, text);
    }
    check(&shared.settings, request.headers(), request.uri())
}

fn check(settings: &Settings, headers: &HeaderMap, uri: &Uri) -> Access {
    if [HOST, ORIGIN].iter().any(|name| headers.get_all(name).iter().nth(1).is_some()) {
        let text = "the Host or Origin header is doubled";
        return Access::deny(StatusCode::BAD_REQUEST, Key::DoubledHeader, text);
    }
    let host = text(headers, &HOST).unwrap_or_default();
    // DNS rebinding: another site can point its own name here, but cannot change the Host header.
    if !is_known_host(settings, host) || uri.authority().is_some_and(|authority| authority.as_str() != host) {
        let text = "this server is not known by that name";
        return Access::deny(StatusCode::MISDIRECTED_REQUEST, Key::UnknownHost, text);
    }
    if let Some(origin) = headers.get(ORIGIN)
        && origin
            .to_str()
            .ok()
            .and_then(|origin| origin.split_once("://"))
            .is_none_or(|(_, from)| from != host)
    {
        let text = "requests from pages of other sites are refused";
        return Access::deny(StatusCode::FORBIDDEN, Key::OtherSite, text);
    }
    let Some(expected) = settings.token.as_deref() else {
        return Access::Allow;
    };
    let in_url = token_in(uri);
    if in_url.as_deref().is_some_and(|given| token::is_equal(given, expected)) {
        return Access::SetCookie(expected.to_owned());
    }
    let given = [bearer(headers), cookie(headers)];
    if given.iter().flatten().any(|given| token::is_equal(given, expected)) {
        return Access::Allow;
    }
    if in_url.is_some() || given.iter().any(Option::is_some) {
        return Access::WrongToken;
    }
    let text = "this server asks for its token: open it as /?token=…";
    Access::deny(StatusCode::UNAUTHORIZED, Key::TokenNeeded, text)
}

/// Waits for the whole body, so that no handler waits for a slow client.
async fn receive(request: Request, limits: &Limits) -> Result<Request, ApiError> {
    let too_large = || {
        let text = "this is larger than the server accepts";
        ApiError::plain(StatusCode::PAYLOAD_TOO_LARGE, Key::TooLarge, text)
    };
    let announced = text(request.headers(), &CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
    if announced.is_some_and(|length| length > limits.body_bytes as u64) {
        return Err(too_large());
    }
    let (parts, body) = request.into_parts();
    let bytes = timeout(Duration::from_secs(limits.body_seconds), to_bytes(body, limits.body_bytes)).await;
    let slow = |_| {
        let text = "the request took too long to arrive";
        ApiError::plain(StatusCode::REQUEST_TIMEOUT, Key::TooSlow, text)
    };
    // A broken connection fails here, too, but nobody reads that answer.
    let bytes = bytes.map_err(slow)?.map_err(|_| too_large())?;
    Ok(Request::from_parts(parts, Body::from(bytes)))
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// Whether the host is loopback or listed in the settings. A server on another address has a token, which
/// no other site knows, so any name is fine.
fn is_known_host(settings: &Settings, host: &str) -> bool {
    if !settings.is_local() {
        return true;
    }
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost")
        || bare.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
        || settings.hosts.iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn token_in(uri: &Uri) -> Option<Vec<u8>> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token=")).map(token::decode)
}

fn bearer(headers: &HeaderMap) -> Option<Vec<u8>> {
    headers.get(AUTHORIZATION)?.as_bytes().strip_prefix(b"Bearer ").map(<[u8]>::to_vec)
}

fn cookie(headers: &HeaderMap) -> Option<Vec<u8>> {
    let cookies = text(headers, &COOKIE)?.split(';');
    cookies
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == TOKEN_COOKIE)
        .map(|(_, value)| token::decode(value))
}

fn set_cookie(token: &str, is_tls: bool) -> Response {
    let (token, secure) = (token::encode(token), if is_tls { "; Secure" } else { "" });
    let cookie =
        format!("{TOKEN_COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000{secure}");
    match HeaderValue::from_str(&cookie) {
        Ok(cookie) => {
            let headers = [(LOCATION, HeaderValue::from_static("/")), (SET_COOKIE, cookie)];
            (StatusCode::SEE_OTHER, headers).into_response()
        }
        Err(_) => ApiError::internal().into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(settings: &Settings, headers: &[(&'static str, &str)], uri: &str) -> Result<bool, StatusCode> {
        let headers = headers
            .iter()
            .map(|(name, value)| {
                (HeaderName::from_static(name), HeaderValue::from_bytes(value.as_bytes()).unwrap())
            })
            .fold(HeaderMap::new(), |mut headers, (name, value)| {
                headers.append(name, value);
                headers
            });
        match check(settings, &headers, &uri.parse().unwrap()) {
            Access::Allow => Ok(true),
            Access::SetCookie(_) => Ok(false),
            Access::WrongToken => Err(StatusCode::UNAUTHORIZED),
            Access::Deny(error) => Err(error.into_response().status()),
        }
    }

    #[test]
    fn other_sites_and_other_names_are_refused() {
        let local = Settings::default();
        let with = |host, origin| access(&local, &[("host", host), ("origin", origin)], "/api/live");
        assert_eq!(with("127.0.0.1:8288", "http://127.0.0.1:8288"), Ok(true));
        assert_eq!(with("localhost:8288", "http://localhost:8288"), Ok(true));
        assert_eq!(with("[::1]:8288", "http://[::1]:8288"), Ok(true));
        assert_eq!(with("localhost:8288", "http://evil.example"), Err(StatusCode::FORBIDDEN));
        assert_eq!(with("localhost:8288", "http://localhost:9999"), Err(StatusCode::FORBIDDEN));
        assert_eq!(with("localhost:8288", "null"), Err(StatusCode::FORBIDDEN));
        assert_eq!(with("evil.example", "http://evil.example"), Err(StatusCode::MISDIRECTED_REQUEST));
        let named = Settings { hosts: vec!["chuhe.example".to_owned()], ..Settings::default() };
        let headers = [("host", "chuhe.example"), ("origin", "https://chuhe.example")];
        assert_eq!(access(&named, &headers, "/"), Ok(true));
    }

    #[test]
    fn an_open_server_wants_its_token() {
        let open = Settings {
            address: [0, 0, 0, 0].into(),
            token: Some("s3cret".to_owned()),
            ..Settings::default()
        };
        let host = ("host", "10.0.0.7:8288");
        assert_eq!(access(&open, &[host], "/"), Err(StatusCode::UNAUTHORIZED));
        assert_eq!(access(&open, &[host], "/?token=s3cre"), Err(StatusCode::UNAUTHORIZED));
        assert_eq!(access(&open, &[host], "/?token=s3cret"), Ok(false));
        assert_eq!(access(&open, &[host, ("cookie", "a=b; chuhe_token=s3cret")], "/"), Ok(true));
        assert_eq!(access(&open, &[host, ("authorization", "Bearer s3cret")], "/api/about"), Ok(true));
        assert_eq!(
            access(&open, &[host, ("cookie", "chuhe_token=s3crets")], "/"),
            Err(StatusCode::UNAUTHORIZED)
        );
    }

    #[test]
    fn doubled_and_unreadable_headers_are_refused() {
        let local = Settings::default();
        let host = ("host", "localhost:8288");
        let doubled = [host, ("host", "localhost:8288")];
        assert_eq!(access(&local, &doubled, "/"), Err(StatusCode::BAD_REQUEST));
        let origin = ("origin", "http://localhost:8288");
        assert_eq!(access(&local, &[host, origin, origin], "/"), Err(StatusCode::BAD_REQUEST));
        assert_eq!(access(&local, &[host, ("origin", "http://楚河")], "/"), Err(StatusCode::FORBIDDEN));
        assert_eq!(access(&local, &[host], "http://evil.example/"), Err(StatusCode::MISDIRECTED_REQUEST));
        assert_eq!(access(&local, &[host], "http://localhost:8288/"), Ok(true));
    }

    #[test]
    fn a_token_may_have_any_characters() {
        let token = "楚河; 漢界=&%20 \u{2014}+";
        let open = Settings { token: Some(token.to_owned()), ..Settings::default() };
        let (host, encoded) = (("host", "localhost"), token::encode(token));
        assert_eq!(access(&open, &[host], &format!("/?token={encoded}")), Ok(false));
        assert_eq!(access(&open, &[host, ("cookie", &format!("chuhe_token={encoded}"))], "/"), Ok(true));
        assert_eq!(access(&open, &[host, ("authorization", &format!("Bearer {token}"))], "/"), Ok(true));
        let cookie = set_cookie(token, true).headers()[SET_COOKIE].to_str().unwrap().to_owned();
        assert!(cookie.contains(&encoded) && cookie.ends_with("; Secure"), "{cookie}");
    }
}
