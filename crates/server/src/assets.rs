//! Static files: the built pages, embedded in the program (a debug build reads `web/dist` instead), and the files of
//! the local core.

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::core_files;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
pub(crate) struct Pages;

const NOT_BUILT: &str = "\
The web app's pages are not part of this program: it was built without them.

Build them with Node 20 and build the program again:

    make run

or step by step: cd web && npm ci && npm run build && cd .. && cargo build --release
";

/// Whether the pages are part of this program.
pub fn pages_are_built() -> bool {
    Pages::get("index.html").is_some()
}

/// Serves a file of the pages.
pub(crate) async fn serve(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    if let Some(name) = path.strip_prefix("core/") {
        return core_files::serve(name, &headers).await;
    }
    let Some(file) = Pages::get(path) else {
        return if pages_are_built() {
            (StatusCode::NOT_FOUND, "no such page\n").into_response()
        } else {
            (StatusCode::SERVICE_UNAVAILABLE, NOT_BUILT).into_response()
        };
    };
    let hash: String = file.metadata.sha256_hash()[..12].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{hash}\"");
    if headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return StatusCode::NOT_MODIFIED.into_response();
    }
    let mut response = Body::from(file.data.into_owned()).into_response();
    let answer = response.headers_mut();
    answer.insert(CONTENT_TYPE, HeaderValue::from_static(kind(path)));
    // Revalidated every time, sent again only after a change.
    answer.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        answer.insert(ETAG, tag);
    }
    response
}

fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, end)| end) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webmanifest" | "json") => "application/json",
        Some("wasm") => "application/wasm",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}
