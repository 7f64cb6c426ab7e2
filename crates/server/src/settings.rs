//! Settings of the server.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};

use chuhe_protocol::Protocol;
use chuhe_storage::Home;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::token;

/// Settings of the server; a TOML file may set any of them.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The address to listen on.
    pub address: IpAddr,
    /// The port to listen on; 0 picks a free one.
    pub port: u16,
    /// The access token; required when the address is not loopback.
    pub token: Option<String>,
    /// Host names the server is reached by, besides loopback.
    pub hosts: Vec<String>,
    /// Addresses of reverse proxies: their `X-Forwarded-For` and `X-Forwarded-Proto` are believed.
    pub proxies: Vec<IpAddr>,
    /// Number of search workers, one thread each.
    #[serde(alias = "threads")]
    pub engines: usize,
    /// Memory of all transposition tables together, in mebibytes.
    pub hash: usize,
    /// The folder of endgame tables; the user's if missing.
    pub tables: Option<PathBuf>,
    /// The opening book; the one inside the program if missing.
    pub book: Option<PathBuf>,
    /// The game collection; the user's if missing.
    pub games: Option<PathBuf>,
    /// The starter collection of the explorer; the installed one if missing.
    pub starter: Option<PathBuf>,
    /// Folders whose records visitors may open, such as match results.
    pub records: Vec<PathBuf>,
    /// Other engines to compare with.
    pub rivals: Vec<Rival>,
    /// Limits.
    pub limits: Limits,
}

/// Another engine, run as a program.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rival {
    /// Displayed name.
    pub name: String,
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// `uci` or `ucci`.
    #[serde(default = "uci", deserialize_with = "protocol")]
    pub protocol: Protocol,
    /// Whether its coordinates count ranks from 1, as in Fairy-Stockfish.
    #[serde(default)]
    pub ranks_from_one: bool,
    /// Options to set, by name.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
}

fn uci() -> Protocol {
    Protocol::Uci
}

fn protocol<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Protocol, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
}

/// Limits on requests and resources.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Open connections.
    pub connections: usize,
    /// Open connections of one client address, unless it is a proxy.
    pub connections_per_address: usize,
    /// Open live sockets.
    pub sockets: usize,
    /// Open live sockets of one client address.
    pub sockets_per_address: usize,
    /// Requests per second of one client address, with a burst of 4×.
    pub requests_per_second: u32,
    /// Time for the headers of a request to arrive, in seconds.
    pub header_seconds: u64,
    /// Time for the body of a request to arrive, in seconds.
    pub body_seconds: u64,
    /// How long a client may take no output, in seconds.
    pub stall_seconds: u64,
    /// Bytes of a request body.
    pub body_bytes: usize,
    /// Bytes of a message on a live socket.
    pub message_bytes: usize,
    /// Messages per second on a live socket, with a burst of 4×.
    pub messages_per_second: u32,
    /// Engine time of one analysis, in seconds.
    pub analysis_seconds: u64,
    /// Transposition table of one analysis, in mebibytes; every engine may be asked for one.
    pub analysis_hash: usize,
    /// Time of one move, in seconds.
    pub move_seconds: u64,
    /// Lines of one analysis (MultiPV).
    pub lines: usize,
    /// Memory for building one endgame table, in mebibytes; 0 disables building.
    pub table_memory: u64,
    /// Bytes of a record file.
    pub record_bytes: u64,
}

impl Default for Settings {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 8288,
            token: None,
            hosts: Vec::new(),
            proxies: Vec::new(),
            engines: cores,
            hash: 64 * cores,
            tables: None,
            book: None,
            games: None,
            starter: None,
            records: Vec::new(),
            rivals: Vec::new(),
            limits: Limits::default(),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 1024,
            connections_per_address: 128,
            sockets: 200,
            sockets_per_address: 64,
            requests_per_second: 200,
            header_seconds: 20,
            body_seconds: 30,
            stall_seconds: 10,
            body_bytes: 4 << 20,
            message_bytes: 64 << 10,
            messages_per_second: 30,
            analysis_seconds: 300,
            analysis_hash: 256,
            move_seconds: 60,
            lines: 5,
            table_memory: 256,
            record_bytes: 32 << 20,
        }
    }
}

/// Why settings are invalid.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file cannot be read.
    #[error("{path}: {error}")]
    Unreadable {
        /// The file.
        path: String,
        /// The system's error.
        error: std::io::Error,
    },
    /// The file is not TOML or has unknown settings.
    #[error("{path}: {error}")]
    Malformed {
        /// The file.
        path: String,
        /// Where and what.
        error: Box<toml::de::Error>,
    },
    /// A public address without a token.
    #[error(
        "{0} can be reached from other machines: set a token (--token, or `token` in the settings), for example {new}",
        new = token::generate()
    )]
    NoToken(IpAddr),
    /// A token that can be guessed.
    #[error(
        "this token is too easy to guess: take 16 characters or more, 8 of them different, for example {new}",
        new = token::generate()
    )]
    WeakToken,
    /// A rival whose protocol has no analysis.
    #[error("the rival '{name}' uses {protocol}: expected uci or ucci")]
    Protocol {
        /// Which rival.
        name: String,
        /// Its protocol.
        protocol: Protocol,
    },
    /// A number is out of range.
    #[error("{name} must be from {least} to {most}, not {value}")]
    OutOfBounds {
        /// The setting.
        name: &'static str,
        /// The smallest value.
        least: usize,
        /// The largest value.
        most: usize,
        /// The value given.
        value: usize,
    },
}

impl Settings {
    /// Reads a TOML file.
    pub fn read(path: &Path) -> Result<Self, SettingsError> {
        let name = || path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| SettingsError::Unreadable { path: name(), error })?;
        toml::from_str(&text)
            .map_err(|error| SettingsError::Malformed { path: name(), error: Box::new(error) })
    }

    /// The user's own settings, if there are any.
    pub fn of_the_user() -> Result<Option<Self>, SettingsError> {
        let file = Home::find().map(|home| home.settings()).filter(|file| file.exists());
        file.map(|file| Self::read(&file)).transpose()
    }

    /// The transposition table of one engine, in mebibytes.
    pub(crate) fn hash_per_engine(&self) -> usize {
        (self.hash / self.engines).max(1)
    }

    /// Whether the server is bound to loopback.
    pub fn is_local(&self) -> bool {
        self.address.is_loopback()
    }

    /// Rejects unsafe or meaningless settings.
    pub fn check(&self) -> Result<(), SettingsError> {
        match &self.token {
            None if !self.is_local() => return Err(SettingsError::NoToken(self.address)),
            Some(token) if token::is_weak(token) => return Err(SettingsError::WeakToken),
            _ => {}
        }
        if let Some(rival) = self.rivals.iter().find(|rival| rival.protocol == Protocol::Xboard) {
            return Err(SettingsError::Protocol { name: rival.name.clone(), protocol: rival.protocol });
        }
        let bounds = [
            ("engines", self.engines, 1, 1024),
            ("hash", self.hash, 1, 1 << 20),
            ("limits.analysis_hash", self.limits.analysis_hash, 1, 1 << 20),
            ("limits.lines", self.limits.lines, 1, 20),
            ("limits.sockets", self.limits.sockets, 1, 100_000),
            ("limits.sockets_per_address", self.limits.sockets_per_address, 1, 100_000),
            ("limits.connections", self.limits.connections, 1, 100_000),
            ("limits.connections_per_address", self.limits.connections_per_address, 1, 100_000),
            ("limits.requests_per_second", self.limits.requests_per_second as usize, 1, 1_000_000),
            ("limits.header_seconds", self.limits.header_seconds as usize, 1, 3600),
            ("limits.body_seconds", self.limits.body_seconds as usize, 1, 3600),
            ("limits.stall_seconds", self.limits.stall_seconds as usize, 1, 3600),
        ];
        for (name, value, least, most) in bounds {
            if !(least..=most).contains(&value) {
                return Err(SettingsError::OutOfBounds { name, least, most, value });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_address_needs_a_token() {
        let open = Settings { address: IpAddr::V4(Ipv4Addr::UNSPECIFIED), ..Settings::default() };
        assert!(matches!(open.check(), Err(SettingsError::NoToken(_))));
        for weak in ["", " ", "a", "secret"] {
            let guessable = Settings { token: Some(weak.to_owned()), ..open.clone() };
            assert!(matches!(guessable.check(), Err(SettingsError::WeakToken)), "{weak}");
        }
        let error = open.check().unwrap_err().to_string();
        let offered = error.split_whitespace().last().unwrap();
        let guarded = Settings { token: Some(offered.to_owned()), ..open };
        assert!(guarded.check().is_ok(), "{offered}");
        assert!(Settings::default().check().is_ok());
    }

    #[test]
    fn a_file_may_be_partial_and_unknown_names_are_rejected() {
        let settings: Settings = toml::from_str("hash = 32\n[limits]\nlines = 3").unwrap();
        assert_eq!((settings.hash, settings.limits.lines), (32, 3));
        let error = toml::from_str::<Settings>("hsah = 32").unwrap_err().to_string();
        assert!(error.contains("hsah"), "{error}");
        let none = Settings { engines: 0, ..Settings::default() };
        assert_eq!(none.check().unwrap_err().to_string(), "engines must be from 1 to 1024, not 0");
    }
}
