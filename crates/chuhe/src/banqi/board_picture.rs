//! A Banqi board drawn with characters.

use std::fmt::Write;

use chuhe_banqi::text::PoolText;
use chuhe_banqi::{Cell, Position, Square};

/// The board with files a–h and ranks 1–4, and what lies face down.
pub(crate) fn drawn(position: &Position) -> String {
    let mut text = String::from("    a  b  c  d  e  f  g  h\n");
    for square in Square::all() {
        if square.column() == 0 {
            let _ = write!(text, " {} ", square.row() + 1);
        }
        match position.cell(square) {
            Cell::Empty => text.push_str(" ＋"),
            Cell::FaceDown => text.push_str(" 〇"),
            Cell::Shown(piece) => {
                let _ = write!(text, " {}", piece.character());
            }
        }
        if square.column() == 7 {
            text.push('\n');
        }
    }
    let _ = writeln!(text, "face down: {}", PoolText(position.pool()));
    text
}
