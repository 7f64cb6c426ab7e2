//! Chuhe in the browser: the web app's requests, an engine that speaks UCI, and live searches, on one thread.
//!
//! The host calls the module with numbers and bytes ([`Core::call`]); in WebAssembly, `abi` exports that.

#[cfg(target_arch = "wasm32")]
mod abi;
mod core;
mod host;
mod live;
mod request;
pub mod self_check;

pub use core::{Core, Operation};
