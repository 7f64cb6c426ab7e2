//! Random positions: what games lead to, and diagrams that someone might compose.

use chuhe_board::{Bitboard, Move, Piece, PieceKind, Position, Side, Square, zones};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// The moves of a random game from the start position, up to `longest` plies.
pub(crate) fn game(longest: usize) -> impl Strategy<Value = Vec<Move>> {
    vec(any::<Index>(), 0..longest).prop_map(|choices| {
        let mut position = Position::start();
        let mut moves = Vec::new();
        for choice in choices {
            let legal = position.moves();
            if legal.is_empty() {
                break;
            }
            let mv = *choice.get(&legal);
            let _ = position.play(mv, &mut ());
            moves.push(mv);
        }
        moves
    })
}

/// A random position whose soldiers crowd on two files and whose other pieces like to share one.
pub(crate) fn composed() -> impl Strategy<Value = Position> {
    let pieces = vec((any::<Index>(), any::<Index>()), 2..24);
    (pieces, any::<[Index; 4]>(), any::<bool>()).prop_filter_map(
        "no possible position",
        |(pieces, files, red)| {
            let files = files.map(|index| index.index(Square::FILES.into()) as u8);
            compose(&pieces, files, if red { Side::Red } else { Side::Black })
        },
    )
}

/// Puts both generals, then one piece for each choice of kind and point, as far as there is room.
fn compose(choices: &[(Index, Index)], files: [u8; 4], side_to_move: Side) -> Option<Position> {
    let crowded = files.into_iter().fold(Bitboard::EMPTY, |set, file| set | Bitboard::file(file));
    let two_files = Bitboard::file(files[0]) | Bitboard::file(files[1]);
    let mut pieces: Vec<(Piece, Square)> = Vec::new();
    for (number, (kind, point)) in choices.iter().enumerate() {
        let side = Side::ALL[number % 2];
        let kind = if number < 2 { PieceKind::General } else { kind_for(kind) };
        let piece = Piece::new(side, kind);
        if pieces.iter().filter(|(other, _)| *other == piece).count() as u32 == kind.full_count() {
            continue;
        }
        let taken = pieces.iter().fold(Bitboard::EMPTY, |set, (_, square)| set | *square);
        let zone = match kind {
            PieceKind::Soldier => two_files,
            PieceKind::General | PieceKind::Advisor | PieceKind::Elephant => Bitboard::ALL,
            _ => crowded,
        };
        let free: Vec<Square> = ((zones::allowed(side, kind) & zone) - taken).into_iter().collect();
        if !free.is_empty() {
            pieces.push((piece, *point.get(&free)));
        }
    }
    Side::ALL
        .into_iter()
        .filter_map(|other| Position::from_pieces(pieces.iter().copied(), other).ok())
        .max_by_key(|position| position.side_to_move() == side_to_move)
}

/// Half of all pieces are soldiers.
fn kind_for(choice: &Index) -> PieceKind {
    *PieceKind::ALL.get(1 + choice.index(11)).unwrap_or(&PieceKind::Soldier)
}

/// The laws would hold for a generator that avoids the hard cases, too.
#[test]
fn composed_positions_have_every_kind_of_tandem() {
    let mut runner = TestRunner::deterministic();
    let (mut longest, mut two_files, mut others) = ([0; 6], 0, 0);
    for _ in 0..2000 {
        let position = composed().new_tree(&mut runner).unwrap().current();
        let side = position.side_to_move();
        let crowds = |kind| -> Vec<u32> {
            let on = |file| (position.pieces_of(side, kind) & Bitboard::file(file)).len();
            (0..Square::FILES).map(on).collect()
        };
        let soldiers = crowds(PieceKind::Soldier);
        longest[*soldiers.iter().max().unwrap() as usize] += 1;
        two_files += usize::from(soldiers.iter().filter(|count| **count > 1).count() == 2);
        let pairs = [
            PieceKind::Horse,
            PieceKind::Chariot,
            PieceKind::Cannon,
            PieceKind::Advisor,
            PieceKind::Elephant,
        ];
        others += pairs.into_iter().filter(|kind| crowds(*kind).contains(&2)).count();
    }
    assert!(longest[2..].iter().all(|count| *count > 20), "{longest:?}");
    assert!(two_files > 50 && others > 200, "{two_files} {others}");
}
