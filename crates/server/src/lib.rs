//! The server behind the web app: pages, an API in JSON, and live searches over a WebSocket.
//!
//! Requests are answered from what they carry, a start position and moves; the server keeps nothing
//! about a visitor but the running search. `docs/http.md` describes the API. The types that travel are
//! written down in TypeScript in `web/src/api/types.ts`, and a test compares them.
//!
//! ```no_run
//! # async fn serve() -> Result<(), chuhe_server::ServeError> {
//! let settings = chuhe_server::Settings::default();
//! let server = chuhe_server::Server::bind(settings).await?;
//! let address = server.address();
//! server.run(std::future::pending()).await
//! # }
//! ```

pub mod engines;

mod api;
mod app;
mod assets;
mod door;
mod error;
mod guard;
mod library;
mod live;
mod rate;
mod rival;
mod serve;
mod settings;
mod spelled;
mod tables;
#[cfg(test)]
mod typescript;

pub use assets::pages_are_built;
pub use serve::{ServeError, Server};
pub use settings::{Limits, Rival, Settings, SettingsError};
