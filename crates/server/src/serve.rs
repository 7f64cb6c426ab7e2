//! The server from its start to its end.

use std::io;
use std::net::SocketAddr;

use chuhe_book::BookError;
use tokio::net::TcpListener;

use crate::app::{self, Shared, State};
use crate::door::Door;
use crate::settings::{Settings, SettingsError};

/// Why the server does not run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The settings cannot be used.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The opening book cannot be read.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The address is taken or not ours.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        error: io::Error,
    },
    /// The server broke down.
    #[error("the server stopped: {0}")]
    Run(io::Error),
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Shared,
}

impl Server {
    /// Takes the address and starts the engines.
    pub async fn bind(settings: Settings) -> Result<Self, ServeError> {
        settings.check()?;
        let address = SocketAddr::new(settings.address, settings.port);
        let failed = |error| ServeError::Listen { address, error };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Self { listener, address, shared: State::new(settings)? })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `end` comes.
    pub async fn run(self, end: impl Future<Output = ()> + Send + 'static) -> Result<(), ServeError> {
        let door = Door::new(self.listener, self.shared.settings.limits.connections);
        let serve = axum::serve(door, app::app(self.shared));
        // Live sockets never end by themselves, so nobody is waited for.
        tokio::select! {
            served = serve => served.map_err(ServeError::Run),
            () = end => Ok(()),
        }
    }
}
