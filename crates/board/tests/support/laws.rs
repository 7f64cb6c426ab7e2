//! What must hold in every position, checked against the plain generator where there is a choice.
//! The property tests and the fuzz targets share these.

use chuhe_board::plain::PlainBoard;
use chuhe_board::{Bitboard, Move, MoveList, Observer, Piece, Position, Square, Wanted};

/// Everything the board says about the moves of a position is what the plain generator says.
pub(crate) fn moves_are_the_plain_ones(position: &Position) {
    let board = PlainBoard::from(position);
    let plain = sorted(board.moves());
    let legality = position.legality();
    assert_eq!(sorted(position.moves()), plain, "moves of {position}");
    assert_eq!(position.count_moves(), plain.len() as u64, "count of {position}");
    assert_eq!(position.has_moves(), !plain.is_empty(), "mobility of {position}");

    let listed = |wanted| {
        let mut list = MoveList::new();
        position.list_moves(&legality, wanted, &mut list);
        sorted(list)
    };
    let (captures, quiets): (Vec<_>, Vec<_>) = plain.iter().partition(|mv| board.takes(**mv));
    assert_eq!(listed(Wanted::Captures), captures, "captures of {position}");
    assert_eq!(listed(Wanted::Quiets), quiets, "quiet moves of {position}");

    let checkers: Bitboard = board.checkers().into_iter().collect();
    assert_eq!(legality.checkers(), checkers, "checkers of {position}");
    assert_eq!(position.is_in_check(), !checkers.is_empty(), "check of {position}");
}

/// Of all pairs of points exactly the plain generator's moves are called legal.
pub(crate) fn legality_of_any_move_is_the_plain_one(position: &Position) {
    let plain = PlainBoard::from(position).moves();
    let legality = position.legality();
    for from in Square::all() {
        for mv in Square::all().filter_map(|to| Move::between(from, to)) {
            let expected = plain.contains(&mv);
            assert_eq!(position.allows(&legality, mv), expected, "{mv} in {position}");
            assert_eq!(position.is_legal(mv), expected, "{mv} in {position}");
        }
    }
}

/// Playing any legal move keeps the key right and taking it back restores everything.
pub(crate) fn moves_can_be_taken_back(position: &Position) {
    let mut board = position.clone();
    assert_eq!(board.key(), board.key_from_scratch(), "key of {position}");
    for mv in position.moves() {
        let captured = position.piece_on(mv.to());
        let undo = board.play(mv, &mut ());
        assert_eq!((undo.mv(), undo.captured()), (mv, captured), "{mv} in {position}");
        assert_eq!(board.key(), board.key_from_scratch(), "key after {mv} in {position}");
        board.take_back(undo, &mut ());
        assert_eq!(&board, position, "after taking {mv} back");
    }
    if !board.is_in_check() {
        board.pass();
        assert_eq!(board.key(), board.key_from_scratch(), "key after passing in {position}");
        board.take_back_pass();
        assert_eq!(&board, position, "after taking the pass back");
    }
}

/// An observer that mirrors every notification on its own board always has the same board.
pub(crate) fn observers_can_follow(position: &Position) {
    let mut follower = Follower::of(position);
    let mut board = position.clone();
    for mv in position.moves() {
        let undo = board.play(mv, &mut follower);
        assert_eq!(follower, Follower::of(&board), "after {mv} in {position}");
        board.take_back(undo, &mut follower);
        assert_eq!(follower, Follower::of(position), "after taking {mv} back");
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Follower(Vec<Option<Piece>>);

impl Follower {
    fn of(position: &Position) -> Self {
        Self(Square::all().map(|square| position.piece_on(square)).collect())
    }
}

impl Observer for Follower {
    fn placed(&mut self, piece: Piece, at: Square) {
        assert_eq!(self.0[at.index()].replace(piece), None, "{at} was taken");
    }

    fn lifted(&mut self, piece: Piece, from: Square) {
        assert_eq!(self.0[from.index()].take(), Some(piece), "what stood on {from}");
    }
}

/// Mirrored positions have the mirrored moves, and mirroring twice changes nothing.
pub(crate) fn mirrors_have_mirrored_moves(position: &Position) {
    let (mirrored, across) = (position.mirrored(), position.across());
    assert_eq!(&mirrored.mirrored(), position);
    assert_eq!(&across.across(), position);
    assert_eq!(mirrored.key(), mirrored.key_from_scratch());
    assert_eq!((mirrored.key(), mirrored.merged_key().0), (position.mirrored_key(), position.merged_key().0));
    assert_eq!(across.key(), across.key_from_scratch());
    let moves = position.moves();
    assert_eq!(sorted(mirrored.moves()), sorted(moves.iter().map(|mv| mv.mirrored())), "{position}");
    assert_eq!(sorted(across.moves()), sorted(moves.iter().map(|mv| mv.across())), "{position}");
}

/// A position writes a FEN that reads back as the same position.
pub(crate) fn fen_reads_back(position: &Position) {
    assert_eq!(position.to_string().parse().as_ref(), Ok(position));
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
    let mut moves: Vec<Move> = moves.into_iter().collect();
    moves.sort();
    moves
}
