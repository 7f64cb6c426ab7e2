//! The files of the local core, below `/core/`: the WebAssembly module is part of the pages; network, book, tables and puzzles
//! are those of this program, so that it does not hold them twice. Names contain a hash of the content.

use std::io::{Read, Write};
use std::sync::{LazyLock, OnceLock};

use axum::Json;
use axum::body::Body;
use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use chuhe_book::Book;
use chuhe_eval::network::Network;
use chuhe_tablebase::Archive;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::Serialize;
use tokio::task::spawn_blocking;
use xxhash_rust::xxh3::xxh3_64;

use crate::assets::Pages;

/// The content never changes under its name.
const FOR_EVER: HeaderValue = HeaderValue::from_static("private, max-age=31536000, immutable");

/// A file that the module is supplied with.
struct Part {
    name: String,
    bytes: &'static [u8],
    /// Compressed when it is first asked for.
    gzip: OnceLock<Vec<u8>>,
}

impl Part {
    fn new(name: &str, bytes: &'static [u8]) -> Self {
        Self { name: format!("{name}-{:016x}.bin", xxh3_64(bytes)), bytes, gzip: OnceLock::new() }
    }

    fn gzip(&self) -> &[u8] {
        self.gzip.get_or_init(|| {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
            let written = encoder.write_all(self.bytes);
            written.and_then(|()| encoder.finish()).expect("writing to memory cannot fail")
        })
    }
}

static NETWORK: LazyLock<Part> = LazyLock::new(|| Part::new("network", Network::built_in_file()));
static BOOK: LazyLock<Part> = LazyLock::new(|| Part::new("book", Book::embedded_file()));
static TABLES: LazyLock<Part> = LazyLock::new(|| Part::new("tables", Archive::built_in_file()));
static PUZZLES: LazyLock<Part> = LazyLock::new(|| Part::new("puzzles", chuhe_puzzles::shipped().as_bytes()));

/// `GET /core/files.json`: the names of the files, as the npm package reads them.
#[derive(Serialize)]
struct Files {
    wasm: String,
    network: &'static str,
    book: &'static str,
    tables: &'static str,
    puzzles: &'static str,
    sizes: Sizes,
}

/// Bytes before compression.
#[derive(Serialize)]
struct Sizes {
    wasm: usize,
    network: usize,
    book: usize,
    tables: usize,
    puzzles: usize,
}

impl Files {
    /// The files for a module of the pages, `core/chuhe-….wasm.gz`.
    fn of(page: &str, gzip: &[u8]) -> Option<Self> {
        let wasm = page.strip_prefix("core/")?.strip_suffix(".gz")?.to_owned();
        // A gzip file ends with the length of its content.
        let (_, length) = gzip.split_last_chunk::<4>()?;
        let sizes = Sizes {
            wasm: u32::from_le_bytes(*length) as usize,
            network: NETWORK.bytes.len(),
            book: BOOK.bytes.len(),
            tables: TABLES.bytes.len(),
            puzzles: PUZZLES.bytes.len(),
        };
        Some(Self {
            wasm,
            network: &NETWORK.name,
            book: &BOOK.name,
            tables: &TABLES.name,
            puzzles: &PUZZLES.name,
            sizes,
        })
    }
}

/// Serves a file of the core.
pub(crate) async fn serve(name: &str, headers: &HeaderMap) -> Response {
    let takes_gzip = headers
        .get(ACCEPT_ENCODING)
        .and_then(|accepted| accepted.to_str().ok())
        .is_some_and(|accepted| accepted.contains("gzip"));
    if name == "files.json" {
        return match files() {
            Some(files) => ([(CACHE_CONTROL, "no-cache")], Json(files)).into_response(),
            None => not_found(),
        };
    }
    if let Some(part) = [&*NETWORK, &*BOOK, &*TABLES, &*PUZZLES].into_iter().find(|part| part.name == name) {
        if !takes_gzip {
            return file(Body::from(part.bytes), "application/octet-stream", false);
        }
        return match spawn_blocking(|| part.gzip()).await {
            Ok(gzip) => file(Body::from(gzip), "application/octet-stream", true),
            Err(_) => not_found(),
        };
    }
    let Some(module) = Pages::get(&format!("core/{name}.gz")) else { return not_found() };
    if takes_gzip {
        return file(Body::from(module.data.into_owned()), "application/wasm", true);
    }
    let mut bytes = Vec::new();
    match GzDecoder::new(&*module.data).read_to_end(&mut bytes) {
        Ok(_) => file(Body::from(bytes), "application/wasm", false),
        Err(_) => not_found(),
    }
}

fn files() -> Option<Files> {
    Pages::iter().find_map(|page| {
        let is_module = page.starts_with("core/chuhe-") && page.ends_with(".wasm.gz");
        is_module.then(|| Files::of(&page, &Pages::get(&page)?.data))?
    })
}

fn file(body: Body, kind: &'static str, is_gzip: bool) -> Response {
    let mut response = body.into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, FOR_EVER);
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if is_gzip {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}

fn not_found() -> Response {
    (StatusCode::NOT_FOUND, "this program has no local core\n").into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_are_those_of_this_program() {
        let gzip = [0x1f, 0x8b, 0, 0, 0x10, 0x27, 0, 0];
        let files = Files::of("core/chuhe-0123.wasm.gz", &gzip).unwrap();
        assert_eq!(files.wasm, "chuhe-0123.wasm");
        assert_eq!(files.sizes.wasm, 10_000);
        assert!(files.network.starts_with("network-") && files.sizes.network > 1 << 20);
        assert!(files.tables.starts_with("tables-") && files.book.starts_with("book-"));
    }

    #[test]
    fn a_compressed_part_is_the_part() {
        let mut bytes = Vec::new();
        GzDecoder::new(BOOK.gzip()).read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes, BOOK.bytes);
        assert!(BOOK.gzip().len() < BOOK.bytes.len());
    }
}
