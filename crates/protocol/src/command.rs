//! The commands of a GUI over UCI or UCCI.

use std::time::Duration;

use chuhe_board::coords::CoordsError;
use chuhe_board::fen::FenError;
use chuhe_board::{Move, Position, Side};

/// A command of a GUI over UCI or UCCI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci` or `ucci`: identify the engine and declare its options.
    Handshake,
    /// `isready`: answer when everything asked so far is done.
    IsReady,
    /// `debug on`: more output. UCI only.
    Debug(bool),
    /// Change an option.
    SetOption {
        /// The option, as the GUI spells it.
        name: String,
        /// Its new value; none for buttons.
        value: Option<String>,
    },
    /// Another game follows.
    NewGame,
    /// The position that the next search is about.
    Position(Line),
    /// Moves that the next search must not choose. UCCI only.
    BanMoves(Vec<Move>),
    /// Search.
    Go(Go),
    /// End the search and answer.
    Stop,
    /// The expected move was played: the ponder search becomes a normal search.
    PonderHit {
        /// The opponent offers a draw with that move. UCCI only.
        draw_offered: bool,
    },
    /// Report the transposition table's entry for a position. UCCI only.
    Probe(Line),
    /// End the program.
    Quit,
    /// A developers' command outside the protocol.
    Tool(Tool),
}

/// A position as a start and the moves made from there, which repetitions are judged by.
///
/// The moves need not be legal: that is for the receiver to find out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Where it starts.
    pub start: Position,
    /// What was played from there.
    pub moves: Vec<Move>,
}

/// How long to search, and what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Only these moves, if any are given.
    pub search_moves: Vec<Move>,
    /// Think in the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// The opponent offers a draw. UCCI only.
    pub draw_offered: bool,
    /// The clocks of the game.
    pub clocks: Option<Clocks>,
    /// No deeper than this many plies.
    pub depth: Option<u32>,
    /// No more than this many nodes.
    pub nodes: Option<u64>,
    /// Find a mate in this many moves.
    pub mate: Option<u32>,
    /// Exactly this long.
    pub move_time: Option<Duration>,
    /// Until `stop`.
    pub infinite: bool,
}

/// The clocks of both sides, as the protocol names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clocks {
    /// UCI: by colour.
    BySide {
        /// Red's clock (`wtime`).
        red: Clock,
        /// Black's clock (`btime`).
        black: Clock,
    },
    /// UCCI: by turn.
    ByTurn {
        /// The clock of the side to move (`time`).
        own: Clock,
        /// The other side's clock (`opptime`).
        opponent: Clock,
    },
}

impl Clocks {
    /// The clock of `side` when `to_move` is to move.
    pub const fn of(&self, side: Side, to_move: Side) -> Clock {
        match (self, side) {
            (Self::BySide { red, .. }, Side::Red) => *red,
            (Self::BySide { black, .. }, Side::Black) => *black,
            (Self::ByTurn { own, opponent }, _) => {
                if side as u8 == to_move as u8 {
                    *own
                } else {
                    *opponent
                }
            }
        }
    }
}

/// One side's clock. Milliseconds are the finest step of every protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// The time left; `None` if the GUI did not send it.
    pub left: Option<Duration>,
    /// What is added after each move.
    pub increment: Duration,
    /// Moves until more time is given; `None` means that it must last for the whole game.
    pub moves_to_go: Option<u32>,
}

/// A developers' command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tool {
    /// `d`: show the board.
    Display,
    /// `eval`: explain the evaluation.
    Eval,
    /// `flip`: turn the board round and exchange the colours.
    Flip,
    /// `help`: list the commands.
    Help,
    /// `bench …`: run the benchmark, with what else was written.
    Bench(String),
    /// `perft N` or `go perft N`: count positions.
    Perft(u32),
}

/// Why a line is not a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// Nothing but white space.
    #[error("the line is empty")]
    Empty,
    /// It contains no known command.
    #[error("unknown command '{0}'")]
    Unknown(String),
    /// Something is missing.
    #[error("'{command}' needs {expected}")]
    Missing {
        /// The command.
        command: &'static str,
        /// What is missing.
        expected: &'static str,
    },
    /// Not a number, or one too large.
    #[error("'{text}' is not a number for '{field}'")]
    Number {
        /// The field.
        field: &'static str,
        /// The text found.
        text: String,
    },
    /// Something else than expected.
    #[error("expected {expected}, found '{found}'")]
    Unexpected {
        /// What was read.
        found: String,
        /// What should stand there.
        expected: &'static str,
    },
    /// A bad position.
    #[error("bad position: {0}")]
    Fen(#[from] FenError),
    /// A bad move.
    #[error("bad move: {0}")]
    Move(#[from] CoordsError),
}
