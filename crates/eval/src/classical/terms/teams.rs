//! Pieces that work together: linked horses 連環馬, cannons on a pole 擔子炮, twin chariots 霸王車, pieces massed on a
//! wing 多子歸邊 (Xu & Wang 2006, §5), high elephants 高象 (Deep Elephant).

use chuhe_board::{Bitboard, PieceKind, Side, Square, attacks, zones};

use super::View;
use crate::classical::{Feature, Ledger};

#[inline]
pub(super) fn note(view: &View<'_>, ledger: &mut impl Ledger) {
    let occupied = view.position.occupied();
    let pieces_between = |a, b| (attacks::between(a, b) & occupied).len();
    let in_line = |a, b| attacks::cross(a).contains(b);
    if let Some((a, b)) = pair(view, PieceKind::Horse)
        && attacks::horse(a, occupied).contains(b)
        && attacks::horse(b, occupied).contains(a)
    {
        view.note_points_once(ledger, Feature::LINKED_HORSES, Bitboard::of(a) | b);
    }
    if let Some((a, b)) = pair(view, PieceKind::Cannon)
        && in_line(a, b)
        && pieces_between(a, b) == 1
    {
        view.note_points_once(ledger, Feature::CARRIED_CANNONS, Bitboard::of(a) | b);
    }
    if let Some((a, b)) = pair(view, PieceKind::Chariot)
        && in_line(a, b)
        && pieces_between(a, b) == 0
    {
        view.note_points_once(ledger, Feature::TWIN_CHARIOTS, Bitboard::of(a) | b);
    }
    note_high_elephants(view, ledger);
    note_massed(view, ledger);
}

/// The two pieces of a kind, if both are on the board.
#[inline]
fn pair(view: &View<'_>, kind: PieceKind) -> Option<(Square, Square)> {
    let mut squares = view.position.pieces_of(view.side, kind).into_iter();
    Some((squares.next()?, squares.next()?))
}

/// High elephant 高象: on the river bank, on the leg of an enemy horse.
#[inline]
fn note_high_elephants(view: &View<'_>, ledger: &mut impl Ledger) {
    let bank = Bitboard::rank(if view.side == Side::Red { 4 } else { 5 });
    let elephants = view.position.pieces_of(view.side, PieceKind::Elephant) & bank;
    for elephant in elephants {
        let horses = view.position.pieces_of(!view.side, PieceKind::Horse) & neighbours(elephant);
        view.note_points(ledger, Feature::HIGH_ELEPHANT, horses);
    }
}

#[inline]
fn neighbours(square: Square) -> Bitboard {
    [(0, 1), (0, -1), (1, 0), (-1, 0)]
        .into_iter()
        .filter_map(|(files, ranks)| square.offset(files, ranks))
        .collect()
}

/// The wing of the enemy's bank with most attackers, crossed soldiers among them.
#[inline]
fn note_massed(view: &View<'_>, ledger: &mut impl Ledger) {
    let position = view.position;
    let attackers = position.kind(PieceKind::Chariot)
        | position.kind(PieceKind::Horse)
        | position.kind(PieceKind::Cannon)
        | position.kind(PieceKind::Soldier);
    let crossed = attackers & position.pieces(view.side) & zones::bank(!view.side);
    let general = position.general(!view.side).file();
    for (wing, general_there) in [(LEFT_WING, general < 4), (RIGHT_WING, general > 4)] {
        let massed = crossed & wing;
        if massed.has_several() {
            ledger.note(view.side, Feature::massed(massed.len(), general_there), 1, massed);
        }
    }
}

const LEFT_WING: Bitboard =
    Bitboard::file(0).or(Bitboard::file(1)).or(Bitboard::file(2)).or(Bitboard::file(3));
const RIGHT_WING: Bitboard =
    Bitboard::file(5).or(Bitboard::file(6)).or(Bitboard::file(7)).or(Bitboard::file(8));
