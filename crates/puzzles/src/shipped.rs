//! The puzzles that come with the program. In a browser they are a file of their own, loaded on demand.

#[cfg(not(target_arch = "wasm32"))]
static TEXT: &str = include_str!("../puzzles.txt");

/// The same text, once the host has loaded it.
#[cfg(target_arch = "wasm32")]
static SUPPLIED: std::sync::OnceLock<&'static str> = std::sync::OnceLock::new();

/// The puzzles that come with the program, one a line; `#` starts a comment.
#[cfg(not(target_arch = "wasm32"))]
pub fn shipped() -> &'static str {
    TEXT
}

/// The puzzles that the host has supplied; none before.
#[cfg(target_arch = "wasm32")]
pub fn shipped() -> &'static str {
    SUPPLIED.get().copied().unwrap_or_default()
}

/// Supplies the puzzles. Only the first ones count.
#[cfg(target_arch = "wasm32")]
pub fn supply(bytes: Vec<u8>) -> Result<(), std::string::FromUtf8Error> {
    let _ = SUPPLIED.set(String::from_utf8(bytes)?.leak());
    Ok(())
}
