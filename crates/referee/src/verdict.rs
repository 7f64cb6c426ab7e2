//! Verdicts and the reasons for them, as values; `report` makes sentences of them.

use chuhe_board::{Move, Outcome, Piece, Side, Square};

use crate::nature::Nature;

/// Which rule decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Clause {
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move has no legal move.
    Stalemate,
    /// One side gives check with every move.
    PerpetualCheck,
    /// Both sides give check with every move.
    MutualCheck,
    /// One side chases the same piece with every move.
    PerpetualChase,
    /// Both sides chase the same piece with every move.
    MutualChase,
    /// Chinese rules: one side threatens mate with every move.
    PerpetualThreat,
    /// Chinese rules: one side mixes checks, chases and threats of mate without pause.
    MixedAttacks,
    /// Chinese rules: both sides attack without pause.
    MutualAttacks,
    /// The position is repeated and nobody does anything forbidden.
    Repetition,
    /// Sixty rounds without a capture.
    MoveLimit,
    /// Neither side has a piece that can attack.
    NoAttackers,
}

impl Clause {
    /// All clauses.
    pub const ALL: [Self; 12] = [
        Self::Checkmate,
        Self::Stalemate,
        Self::PerpetualCheck,
        Self::MutualCheck,
        Self::PerpetualChase,
        Self::MutualChase,
        Self::PerpetualThreat,
        Self::MixedAttacks,
        Self::MutualAttacks,
        Self::Repetition,
        Self::MoveLimit,
        Self::NoAttackers,
    ];

    /// A short name for programs: `perpetual-check`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::PerpetualCheck => "perpetual-check",
            Self::MutualCheck => "mutual-check",
            Self::PerpetualChase => "perpetual-chase",
            Self::MutualChase => "mutual-chase",
            Self::PerpetualThreat => "perpetual-threat",
            Self::MixedAttacks => "mixed-attacks",
            Self::MutualAttacks => "mutual-attacks",
            Self::Repetition => "repetition",
            Self::MoveLimit => "move-limit",
            Self::NoAttackers => "no-attackers",
        }
    }
}

/// A piece on its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Placed {
    /// The piece.
    pub piece: Piece,
    /// Where it stands.
    pub at: Square,
}

/// Two pieces that a move brings into relation: attacker and target, piece offered and piece it is
/// offered to, blocking piece and blocked piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Link {
    /// The piece that acts.
    pub by: Placed,
    /// The piece that is acted upon.
    pub on: Placed,
}

/// What one move of the cycle was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The number of the ply in the game, from 1.
    pub ply: usize,
    /// Who moved.
    pub side: Side,
    /// The move.
    pub mv: Move,
    /// What it was.
    pub nature: Nature,
    /// Which pieces it concerns.
    pub links: Vec<Link>,
}

/// What the referee says of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The result.
    pub outcome: Outcome,
    /// The rule that decides; none while the game is in progress.
    pub clause: Option<Clause>,
    /// Who loses by an offence.
    pub offender: Option<Side>,
    /// The moves of the cycle in order, if repetition decides.
    pub reasons: Vec<Reason>,
}

impl Verdict {
    /// A verdict that rests on the position and not on moves.
    pub(crate) const fn plain(outcome: Outcome, clause: Option<Clause>) -> Self {
        Self { outcome, clause, offender: None, reasons: Vec::new() }
    }
}
