//! The clock seam: [`Instant`] is the standard library's, except on `wasm32-unknown-unknown`, where that one panics
//! and the host supplies the time.

pub mod host;

#[cfg(target_arch = "wasm32")]
pub use host::Instant;
#[cfg(not(target_arch = "wasm32"))]
pub use std::time::Instant;

use std::time::Duration;

/// The time since 1970, for seeds and dates; zero if the clock is set before that.
#[cfg(not(target_arch = "wasm32"))]
pub fn since_1970() -> Duration {
    let now = std::time::SystemTime::now();
    now.duration_since(std::time::SystemTime::UNIX_EPOCH).unwrap_or_default()
}

/// The time since 1970, for seeds and dates; zero if the host has no clock.
#[cfg(target_arch = "wasm32")]
pub fn since_1970() -> Duration {
    host::now()
}
