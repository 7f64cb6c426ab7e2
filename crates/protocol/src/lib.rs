//! The protocols between GUIs and engines as plain values: UCI, UCCI 3.0 and xboard (CECP).
//!
//! Each protocol has both directions: commands from a GUI (an engine parses them, the arena
//! prints them), and replies from an engine (the engine prints them, the arena parses them).
//! Parsing is tolerant of case, spacing and words it does not know; printing follows the letter of
//! the protocol. UCI and UCCI share [`Command`] and [`Reply`]; xboard keeps the game in the engine
//! and has its own [`xboard::Command`] and [`xboard::Reply`].
//!
//! ```
//! use chuhe_board::coords::RankStyle;
//! use chuhe_protocol::{Command, uci};
//!
//! let Command::Go(go) = uci::parse_command("go movetime 200", RankStyle::FromZero)? else { panic!() };
//! assert_eq!(go.move_time.unwrap().as_millis(), 200);
//! # Ok::<(), chuhe_protocol::CommandError>(())
//! ```

pub mod ucci;
pub mod uci;
pub mod xboard;

mod command;
mod go;
mod info;
mod option;
mod position_line;
mod reply;
mod words;

pub use command::{Clock, Clocks, Command, CommandError, Go, Line, Tool};
pub use option::{OptionDeclaration, OptionKind};
pub use position_line::is_position_line;
pub use reply::{BestMove, Bound, IdField, Info, PopHash, Reply, ReplyError, Score, ScoreValue, Wdl};

use std::fmt;
use std::str::FromStr;

/// A protocol between GUIs and engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// Universal Chess Interface, as Xiangqi engines use it.
    Uci,
    /// Universal Chinese Chess Protocol, version 3.0.
    Ucci,
    /// Chess Engine Communication Protocol, version 2, variant xiangqi.
    Xboard,
}

impl Protocol {
    /// All protocols.
    pub const ALL: [Self; 3] = [Self::Uci, Self::Ucci, Self::Xboard];

    /// The protocol that a GUI opens with this line, by its first word.
    pub fn opened_by(line: &str) -> Option<Self> {
        line.split_whitespace().next()?.parse().ok()
    }

    /// The word that opens it, which is also its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uci => "uci",
            Self::Ucci => "ucci",
            Self::Xboard => "xboard",
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An unknown protocol name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a protocol: expected uci, ucci or xboard")]
pub struct UnknownProtocol(String);

impl FromStr for Protocol {
    type Err = UnknownProtocol;

    fn from_str(name: &str) -> Result<Self, UnknownProtocol> {
        Self::ALL
            .into_iter()
            .find(|protocol| protocol.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownProtocol(words::shortened(name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_opens_the_protocol() {
        assert_eq!(Protocol::opened_by(" UCI\r\n"), Some(Protocol::Uci));
        assert_eq!(Protocol::opened_by("ucci"), Some(Protocol::Ucci));
        assert_eq!(Protocol::opened_by("xboard"), Some(Protocol::Xboard));
        assert_eq!(Protocol::opened_by("usi"), None);
        assert_eq!(Protocol::opened_by(""), None);
    }
}
