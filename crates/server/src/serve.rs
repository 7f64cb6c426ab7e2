//! Starting and stopping the server.

use std::io;
use std::net::SocketAddr;

use chuhe_book::BookError;
use tokio::net::TcpListener;

use crate::app::{self, Shared, State};
use crate::connections::LimitedListener;
use crate::settings::{Settings, SettingsError};

/// Why the server cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Invalid settings.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The opening book cannot be read.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The address is in use or not available.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's error.
        error: io::Error,
    },
    /// The server failed.
    #[error("the server stopped: {0}")]
    Run(io::Error),
}

/// A listening server.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Shared,
}

impl Server {
    /// Binds the address and starts the engines.
    pub async fn bind(settings: Settings) -> Result<Self, ServeError> {
        settings.check()?;
        let address = SocketAddr::new(settings.address, settings.port);
        let failed = |error| ServeError::Listen { address, error };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Self { listener, address, shared: State::new(settings)? })
    }

    /// The bound address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `end` completes.
    pub async fn run(self, end: impl Future<Output = ()> + Send + 'static) -> Result<(), ServeError> {
        let listener = LimitedListener::new(self.listener, self.shared.settings.limits.connections);
        let serve = axum::serve(listener, app::app(self.shared));
        // No graceful shutdown: live sockets never end by themselves.
        tokio::select! {
            served = serve => served.map_err(ServeError::Run),
            () = end => Ok(()),
        }
    }
}
