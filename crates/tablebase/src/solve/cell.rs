//! The state of an entry during retrograde analysis, in 16 bits:
//!
//! * open: the top bit, 7 bits for the count of moves not known to lose, 8 bits for the longest losing capture, in moves of
//!   the winner; all ones if it is longer ([`RESISTANCE`]);
//! * decided: the distance in plies, even for a loss, odd for a win, which may still get shorter;
//! * [`ILLEGAL`].

use crate::value::{Packed, Value};

pub(crate) type Cell = u16;

pub(crate) const OPEN: Cell = 0x8000;
pub(crate) const ONE_MOVE: Cell = 0x0100;
pub(crate) const MOVES: Cell = 0x7F00;
/// The bits of the longest losing capture. With all of them set it must be looked up again: so long are only wins by the
/// repetition rules.
pub(crate) const RESISTANCE: Cell = 0x00FF;
pub(crate) const ILLEGAL: Cell = 0x7FFF;
/// The longest win that a packed value can hold.
pub(crate) const LONGEST: u16 = 1019;

/// Whether a legal position is still undecided.
#[inline]
pub(crate) const fn is_open(cell: Cell) -> bool {
    cell & OPEN != 0
}

/// The packed value of a cell, `free` if it stands for no legal position.
#[inline]
pub(crate) fn packed(cell: Cell, free: Packed) -> Packed {
    match cell {
        ILLEGAL => free,
        _ if is_open(cell) => Value::Draw.packed(),
        plies => plies + 1,
    }
}

/// The same without the distance.
#[inline]
pub(crate) fn wdl(cell: Cell, free: Packed) -> Packed {
    match packed(cell, free) {
        packed if packed == free => free,
        packed => Value::from_packed(packed).wdl().packed(),
    }
}

/// The initial state of an entry.
#[derive(Default)]
pub(crate) struct Initial {
    /// Quiet moves, and captures that draw.
    pub(crate) moves: Cell,
    /// The shortest win by a capture, in plies.
    quickest: Option<u16>,
    /// The longest losing capture, in moves of the winner.
    resistance: Cell,
}

impl Initial {
    /// Counts a capture of this value.
    #[inline]
    pub(crate) fn capture(&mut self, value: Value) {
        match value {
            Value::Draw | Value::DependsOnChase(_) => self.moves += 1,
            Value::Win(plies) => {
                self.quickest = Some(self.quickest.map_or(plies, |quickest| quickest.min(plies)))
            }
            Value::Loss(plies) => self.resistance = self.resistance.max(plies / 2),
        }
    }

    /// The resulting cell.
    #[inline]
    pub(crate) fn cell(&self) -> Cell {
        match (self.quickest, self.moves) {
            (Some(plies), _) => plies,
            (None, 0) => 2 * self.resistance,
            (None, moves) => OPEN | (moves * ONE_MOVE) | self.resistance.min(RESISTANCE),
        }
    }

    /// The longest losing capture, in plies.
    pub(crate) fn longest_losing_capture(&self) -> u16 {
        2 * self.resistance
    }
}
