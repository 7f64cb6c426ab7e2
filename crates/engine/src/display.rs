//! Answers to a developer's questions, for people to read.

use std::fmt::Write;

use chuhe_board::coords::RankStyle;
use chuhe_board::{Position, Square};

/// The board as text, with the FEN and the key.
pub(crate) fn board(position: &Position, ranks: RankStyle) -> String {
    let mut text = String::new();
    for rank in (0..Square::RANKS).rev() {
        let _ = write!(text, "{:>2} ", rank + ranks.first());
        for square in (0..Square::FILES).filter_map(|file| Square::at(file, rank)) {
            let letter = position.piece_on(square).map_or('.', |piece| piece.letter());
            let _ = write!(text, " {letter}");
        }
        text.push('\n');
    }
    let _ = write!(text, "    a b c d e f g h i\nFen: {position}\nKey: {}", position.key());
    text
}
