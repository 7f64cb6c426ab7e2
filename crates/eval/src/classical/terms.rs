//! The features that ask how the pieces work together.

mod attack;
mod control;
mod lines;
mod mobility;
mod palace;
mod soldiers;
mod teams;
mod threats;

use chuhe_board::{Bitboard, Position, Side};

use super::reach::Reach;
use super::{Feature, Ledger};

/// One side's view of a position.
struct View<'a> {
    position: &'a Position,
    side: Side,
    own: &'a Reach,
    enemy: &'a Reach,
}

/// Notes all features that are neither placement nor material.
#[inline]
pub(super) fn note_all(position: &Position, ledger: &mut impl Ledger) {
    let red = Reach::of(position, Side::Red);
    let black = Reach::of(position, Side::Black);
    ledger.note(position.side_to_move(), Feature::TO_MOVE, 1, Bitboard::EMPTY);
    for (side, own, enemy) in [(Side::Red, &red, &black), (Side::Black, &black, &red)] {
        let view = View { position, side, own, enemy };
        mobility::note(&view, ledger);
        control::note(&view, ledger);
        attack::note(&view, ledger);
        palace::note(&view, ledger);
        lines::note(&view, ledger);
        threats::note(&view, ledger);
        soldiers::note(&view, ledger);
        teams::note(&view, ledger);
    }
}

impl View<'_> {
    /// Notes a feature once for each point.
    #[inline]
    fn note_points(&self, ledger: &mut impl Ledger, feature: Feature, points: Bitboard) {
        ledger.note(self.side, feature, points.len() as i32, points);
    }

    /// Notes a feature once, because of these points.
    #[inline]
    fn note_points_once(&self, ledger: &mut impl Ledger, feature: Feature, points: Bitboard) {
        ledger.note(self.side, feature, 1, points);
    }
}
