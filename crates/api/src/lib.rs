//! The web app's requests and answers, in JSON, answered without a server: `server` carries them over HTTP and a
//! WebSocket, `wasm` into the browser.
//!
//! ```
//! use chuhe_api::position::{PositionRequest, position};
//!
//! let request: PositionRequest = serde_json::from_str(r#"{"game": {"moves": ["h2e2"]}, "language": "en"}"#).unwrap();
//! let answer = serde_json::to_string(&position(&request).unwrap()).unwrap();
//! assert!(answer.contains("炮二平五"));
//! ```

pub mod banqi;
pub mod endgame;
pub mod endings;
pub mod explain;
pub mod explore;
pub mod live;
pub mod longest;
mod notice;
pub mod opening;
pub mod position;
pub mod puzzles;
pub mod read;
pub mod report;
pub mod wire;
pub mod write;

pub use notice::{Arg, Key, Keyed, Notice};
