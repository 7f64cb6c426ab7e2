//! Text for the developers' commands.

use std::fmt::Write;

use chuhe_board::coords::{self, RankStyle};
use chuhe_board::{Move, Position, Square};

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

/// Perft counts, per root move and in total.
pub(crate) fn counts(counts: &[(Move, u64)], depth: u32, ranks: RankStyle) -> String {
    let mut text = String::new();
    for (mv, nodes) in counts {
        let _ = writeln!(text, "{}: {nodes}", coords::write_move(*mv, ranks));
    }
    let total: u64 = if depth == 0 { 1 } else { counts.iter().map(|(_, nodes)| nodes).sum() };
    let _ = write!(text, "\nNodes searched: {total}");
    text
}
