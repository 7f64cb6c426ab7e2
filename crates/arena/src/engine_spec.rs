//! An engine's configuration: program, protocol, options and limits.

use std::path::PathBuf;
use std::time::Duration;

use chuhe_board::coords::RankStyle;
use chuhe_protocol::Protocol;

use crate::Limits;

/// How an engine is started and driven.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineSpec {
    /// Its name in tables and records.
    pub name: String,
    /// The program and its arguments; never empty.
    pub command: Vec<String>,
    /// The folder it runs in; `None` means ours.
    pub dir: Option<PathBuf>,
    /// Its protocol.
    pub protocol: Protocol,
    /// How it counts ranks.
    pub ranks: RankStyle,
    /// Options, set once after the handshake, in this order.
    pub options: Vec<(String, String)>,
    /// Lines sent as they are after the options.
    pub init: Vec<String>,
    /// Its limits per move or game.
    pub limits: Limits,
    /// How far beyond its time a move is still accepted.
    pub margin: Duration,
    /// The timeout where no clock runs: at start-up, and with limits on nodes or depth alone.
    pub patience: Duration,
    /// xboard knows only whole seconds a move, so a shorter time is asked for as a clock of this many
    /// times the time, filled up before every move.
    pub time_factor: f64,
}

impl EngineSpec {
    /// The default margin: a clock is exact, but many engines overstep a fixed time per move a little.
    pub fn default_margin(limits: &Limits) -> Duration {
        Duration::from_millis(if limits.clock.is_some() { 100 } else { 1000 })
    }

    /// The default time factor: engines spend about a thirtieth of their clock.
    pub const DEFAULT_TIME_FACTOR: f64 = 30.0;

    /// The default patience.
    pub const DEFAULT_PATIENCE: Duration = Duration::from_secs(60);

    /// An engine with nothing but a command, for UCI and the given limits.
    pub fn new(name: &str, command: Vec<String>, protocol: Protocol, limits: Limits) -> Self {
        Self {
            name: name.to_owned(),
            command,
            dir: None,
            protocol,
            ranks: RankStyle::FromZero,
            options: Vec::new(),
            init: Vec::new(),
            margin: Self::default_margin(&limits),
            limits,
            patience: Self::DEFAULT_PATIENCE,
            time_factor: Self::DEFAULT_TIME_FACTOR,
        }
    }
}
