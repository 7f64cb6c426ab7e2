//! Starting and stopping the server.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use chuhe_book::BookError;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tower_service::Service;

use crate::app::{self, Shared, State};
use crate::client::Peer;
use crate::connections::{self, Connection, LimitedListener};
use crate::settings::{Settings, SettingsError};
use crate::token;

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
        let listener = connections::bind(address).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Self { listener, address, shared: State::new(settings)? })
    }

    /// The bound address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address to open in a browser, with the token.
    pub fn url(&self) -> String {
        let token = self.shared.settings.token.as_deref().map(token::encode);
        let query = token.map_or_else(String::new, |token| format!("?token={token}"));
        format!("http://{}/{query}", self.address)
    }

    /// Serves until `end` completes.
    pub async fn run(self, end: impl Future<Output = ()> + Send + 'static) {
        let mut listener = LimitedListener::new(self.listener, &self.shared.settings);
        let header_timeout = Duration::from_secs(self.shared.settings.limits.header_seconds);
        let app = app::app(self.shared);
        let serve = async {
            loop {
                let (connection, address) = listener.accept().await;
                tokio::spawn(serve_connection(connection, Peer(address.ip()), app.clone(), header_timeout));
            }
        };
        // No graceful shutdown: live sockets never end by themselves.
        tokio::select! {
            () = serve => {}
            () = end => {}
        }
    }
}

/// Serves the requests of one connection. Errors are the client's: there is nobody to report them to.
async fn serve_connection(connection: Connection, peer: Peer, app: Router, header_timeout: Duration) {
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(peer);
        app.clone().call(request)
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(header_timeout);
    let _ = builder.serve_connection(TokioIo::new(connection), service).with_upgrades().await;
}
