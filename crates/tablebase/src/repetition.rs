//! Repetition rules as the solver sees them: what single moves do. Tables know the board only, so a crate that knows the
//! rules implements [`MoveRules`]; perpetual check needs no more than the board.

use std::ops::BitAnd;

use chuhe_board::{Move, Position};

/// The rules of repetition, as far as single moves show them.
///
/// An *offence* is what a side does with every move of a cycle: it checks, it chases the horse, and so on. Each kind of
/// offence is a [track](Tracks). The answers here must hold for every cycle that the move is part of, so that what is
/// proved with them is true of games. A move after which no piece of the mover attacks anything is part of no offence, unless it
/// [threatens mate](Self::longest_threat).
pub trait MoveRules: Send + Sync {
    /// What a move without capture does.
    fn deed(&self, before: &Position, mv: Move, after: &Position) -> MoveDeed;

    /// The tracks on which a move that led to `after` counts, if it has them, once this answer is given.
    fn met(&self, after: &Position, answer: Move, answered: &Position) -> Tracks;

    /// Whether the rules know more offences than perpetual check, so that draws must be proved.
    fn knows_chase(&self) -> bool;

    /// In how many plies the mover would mate at most, could it move again, after a move that counts as a threat of mate; `None`
    /// if threats are no offence.
    fn longest_threat(&self) -> Option<u16>;
}

/// What a move without capture does by the rules of repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveDeed {
    /// It gives check.
    pub checks: bool,
    /// It may count for another offence.
    pub attacks: bool,
    /// The offences for which it certainly counts, provided the answer is [met](MoveRules::met).
    pub tracks: Tracks,
}

impl MoveDeed {
    /// Whether the move is part of no offence.
    pub(crate) const fn is_idle(self) -> bool {
        !self.checks && !self.attacks
    }
}

/// A set of kinds of offence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tracks(pub u16);

impl Tracks {
    /// None.
    pub const NONE: Self = Self(0);
    /// Perpetual check.
    pub const CHECK: Self = Self(1);
    /// All of them.
    pub const ALL: Self = Self(u16::MAX);

    /// Whether the set has all tracks of another one.
    pub(crate) const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The tracks one by one.
    pub(crate) fn each(self) -> impl Iterator<Item = Self> {
        (0..u16::BITS).map(|bit| Self(1 << bit)).filter(move |track| self.contains(*track))
    }
}

impl BitAnd for Tracks {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// Perpetual check loses, every other repetition is a draw.
pub(crate) struct PerpetualCheck;

impl MoveRules for PerpetualCheck {
    fn deed(&self, _: &Position, _: Move, after: &Position) -> MoveDeed {
        let checks = after.is_in_check();
        MoveDeed { checks, attacks: false, tracks: if checks { Tracks::CHECK } else { Tracks::NONE } }
    }

    fn met(&self, _: &Position, _: Move, _: &Position) -> Tracks {
        Tracks::CHECK
    }

    fn knows_chase(&self) -> bool {
        false
    }

    fn longest_threat(&self) -> Option<u16> {
        None
    }
}
