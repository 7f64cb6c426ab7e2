//! The server behind the web app: pages, a JSON API, and live searches over a WebSocket.
//!
//! The API is stateless: a request carries a start position and moves, and the only state per visitor is
//! the running search of a live socket. `docs/http.md` describes the API. A test keeps the TypeScript types
//! in `web/src/api/types.ts` in step.
//!
//! ```no_run
//! # async fn serve() -> Result<(), chuhe_server::ServeError> {
//! let settings = chuhe_server::Settings::default();
//! let server = chuhe_server::Server::bind(settings).await?;
//! let address = server.address();
//! server.run(std::future::pending()).await;
//! # Ok(())
//! # }
//! ```

pub mod engines;

mod api;
mod app;
mod assets;
mod auth;
mod blocking;
mod client;
mod connections;
mod core_files;
mod error;
mod library;
mod live;
mod priority;
mod rate_limit;
mod rival;
mod serve;
mod settings;
mod tables;
mod token;
#[cfg(test)]
mod typescript;

pub use assets::pages_are_built;
pub use serve::{ServeError, Server};
pub use settings::{Limits, Rival, Settings, SettingsError};
