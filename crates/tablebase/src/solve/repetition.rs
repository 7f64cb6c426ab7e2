//! Repetition rules applied to a solved table: what perpetual check and chase decide, and which draws they leave certain.
//!
//! Entries that propagation leaves undecided are played on without end, so the rules of repetition decide them. Three steps:
//!
//! 1. [`bound`]: undecided entries in which a side has no harmless move that keeps it from losing. They are few; for most of the
//!    others a quick look is enough ([`idle`]).
//! 2. [`trap`]: sets of bound entries in which a side can only lose or offend for ever. They are lost; propagation continues
//!    from them, which may create new traps.
//! 3. [`risk`]: entries from which a side cannot force that it stops offending now and then. What is neither decided nor at
//!    risk is a certain draw.
//!
//! All strategies here look only at the position (a side that is not at risk may have to remember one bit, and a game is
//! judged when a position occurs the third time), so that every cycle in which somebody follows them is judged as the
//! table says.

pub(crate) mod bound;
mod idle;
mod lists;
pub(crate) mod risk;
pub(crate) mod states;
mod trap;

use chuhe_board::Side;

use self::bound::Bounds;
use self::states::EntryStates;
use crate::repetition::{MoveRules, Tracks};

/// Distances from here on mark wins by the rules of repetition: an order, not a number of plies.
pub const RULE_DISTANCE: u16 = 300;

/// The bound entries of both sides.
pub(crate) fn bounds(states: &dyn EntryStates, rules: &dyn MoveRules) -> [Bounds; 2] {
    Side::ALL.map(|side| Bounds::find(states, rules, side))
}

/// The entries of all traps, by the side to move, which has lost.
pub(crate) fn traps(states: &dyn EntryStates, rules: &dyn MoveRules, bounds: &[Bounds; 2]) -> [Vec<u64>; 2] {
    Side::ALL.map(|side| {
        let bounds = &bounds[side.index()];
        let tracks = bounds.tracks();
        let mut lost: Vec<u64> =
            tracks.each().flat_map(|track: Tracks| trap::find(states, rules, bounds, track)).collect();
        lost.sort_unstable();
        lost.dedup();
        lost
    })
}
