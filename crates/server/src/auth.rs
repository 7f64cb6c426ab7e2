//! Authentication (token), `Host` and `Origin` checks, and security headers.

use axum::extract::{Request, State};
use axum::http::header::{
    AUTHORIZATION, CONTENT_SECURITY_POLICY, COOKIE, HOST, LOCATION, ORIGIN, REFERRER_POLICY, SET_COOKIE,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::Shared;
use crate::error::ApiError;
use crate::settings::Settings;

/// Scripts, styles, pictures and connections only from this server; nothing else, and no frames.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
    connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const TOKEN_COOKIE: &str = "chuhe_token";

/// Middleware: allows or refuses a request and adds the security headers.
pub(crate) async fn authorize(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let mut response = match check(&shared.settings, request.headers(), request.uri()) {
        Access::Allow => next.run(request).await,
        Access::SetCookie(token) => set_cookie(&token),
        Access::Deny(error) => error.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    let isolated = HeaderValue::from_static("same-origin");
    headers.insert(HeaderName::from_static("cross-origin-opener-policy"), isolated.clone());
    headers.insert(HeaderName::from_static("cross-origin-resource-policy"), isolated);
    response
}

#[derive(Debug)]
enum Access {
    Allow,
    /// The token came in the URL: store it in a cookie and redirect to the URL without it.
    SetCookie(String),
    Deny(ApiError),
}

fn check(settings: &Settings, headers: &HeaderMap, uri: &Uri) -> Access {
    let deny = |status, message: &str| Access::Deny(ApiError::new(status, message));
    let host = text(headers, &HOST).unwrap_or_default();
    // DNS rebinding: another site can point its own name here, but cannot change the Host header.
    if !is_known_host(settings, host) {
        return deny(StatusCode::MISDIRECTED_REQUEST, "this server is not known by that name");
    }
    if let Some(origin) = text(headers, &ORIGIN)
        && origin.split_once("://").is_none_or(|(_, origin)| origin != host)
    {
        return deny(StatusCode::FORBIDDEN, "requests from pages of other sites are refused");
    }
    let Some(token) = settings.token.as_deref() else {
        return Access::Allow;
    };
    if let Some(given) = token_in(uri)
        && is_equal(given, token)
    {
        return Access::SetCookie(token.to_owned());
    }
    let given = [bearer(headers), cookie(headers)];
    if given.into_iter().flatten().any(|given| is_equal(given, token)) {
        return Access::Allow;
    }
    deny(StatusCode::UNAUTHORIZED, "this server asks for its token: open it as /?token=…")
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

fn token_in(uri: &Uri) -> Option<&str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    text(headers, &AUTHORIZATION)?.strip_prefix("Bearer ")
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = text(headers, &COOKIE)?.split(';');
    cookies
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == TOKEN_COOKIE)
        .map(|(_, value)| value)
}

/// Constant-time comparison.
fn is_equal(given: &str, token: &str) -> bool {
    let differences = given.bytes().zip(token.bytes()).fold(0, |sum, (one, other)| sum | (one ^ other));
    given.len() == token.len() && differences == 0
}

fn set_cookie(token: &str) -> Response {
    let cookie = format!("{TOKEN_COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000");
    match HeaderValue::from_str(&cookie) {
        Ok(cookie) => {
            let headers = [(LOCATION, HeaderValue::from_static("/")), (SET_COOKIE, cookie)];
            (StatusCode::SEE_OTHER, headers).into_response()
        }
        Err(error) => ApiError::unprocessable(error).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(settings: &Settings, headers: &[(&'static str, &str)], uri: &str) -> Result<bool, StatusCode> {
        let headers = headers
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap()))
            .collect();
        match check(settings, &headers, &uri.parse().unwrap()) {
            Access::Allow => Ok(true),
            Access::SetCookie(_) => Ok(false),
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
}
