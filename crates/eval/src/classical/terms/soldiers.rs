//! Crossed soldiers 過河兵 by height (Liu 2014, §3.3.1; Deep Elephant) and linked soldiers 牽手兵 (Liu 2014, §3.3.2).

use chuhe_board::{Bitboard, PieceKind, zones};

use super::View;
use super::attack::attackers;
use crate::classical::{Feature, Ledger, SoldierStanding};

#[inline]
pub(super) fn note(view: &View<'_>, ledger: &mut impl Ledger) {
    let soldiers = view.position.pieces_of(view.side, PieceKind::Soldier);
    let crossed = soldiers & zones::bank(!view.side);
    ledger.note(view.side, Feature::crossed_soldiers(crossed.len()), 1, crossed);
    note_standings(view, crossed, ledger);
    // Before the river soldiers stand two files apart, so neighbours have crossed.
    let left = soldiers - Bitboard::file(8);
    let right = Bitboard::from_bits(left.bits() << 1) & soldiers;
    let linked = right | Bitboard::from_bits(right.bits() >> 1);
    ledger.note(view.side, Feature::linked_soldiers(right.len()), 1, linked);
}

#[inline]
fn note_standings(view: &View<'_>, crossed: Bitboard, ledger: &mut impl Ledger) {
    if crossed.is_empty() {
        return;
    }
    let own = attackers(view.position, view.side);
    let when = |holds: bool, standing| holds.then_some(standing);
    let standings = [
        when(own < attackers(view.position, !view.side), SoldierStanding::Behind),
        when(
            view.position.pieces_of(view.side, PieceKind::Chariot).is_empty(),
            if own == 0 { SoldierStanding::Alone } else { SoldierStanding::WithoutChariot },
        ),
    ];
    for standing in standings.into_iter().flatten() {
        for square in crossed {
            let rank = square.seen_by(view.side).rank() as u32;
            ledger.note(view.side, Feature::soldier_standing(standing, rank), 1, Bitboard::of(square));
        }
    }
}
