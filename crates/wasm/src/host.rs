//! What the module needs of its host: the time, a word during a search, and somewhere to send lines.

#[cfg(target_arch = "wasm32")]
pub(crate) use crate::abi::send;

/// Lines sent so far, for tests outside a browser.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) static SENT: std::sync::Mutex<Vec<String>> = std::sync::Mutex::new(Vec::new());

#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn send(line: &str) {
    SENT.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(line.to_owned());
}

/// Installs the host's clock and poll. Outside a browser the standard library has a clock, and nothing polls.
pub(crate) fn install() {
    #[cfg(target_arch = "wasm32")]
    crate::abi::install();
}
