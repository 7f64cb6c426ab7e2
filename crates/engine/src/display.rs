//! Answers to a developer's questions, for people to read.

use std::fmt::Write;

use chuhe_board::{Position, Side, Square};
use chuhe_eval::classical;

/// The board as text, with the FEN and the key.
pub(crate) fn board(position: &Position) -> String {
    let mut text = String::new();
    for rank in (0..Square::RANKS).rev() {
        let _ = write!(text, "{rank} ");
        for square in (0..Square::FILES).filter_map(|file| Square::at(file, rank)) {
            let letter = position.piece_on(square).map_or('.', |piece| piece.letter());
            let _ = write!(text, " {letter}");
        }
        text.push('\n');
    }
    let _ = write!(text, "   a b c d e f g h i\nFen: {position}\nKey: {}", position.key());
    text
}

/// The evaluation, group by group.
pub(crate) fn evaluation(position: &Position) -> String {
    let notes = classical::notes(position);
    let phase = classical::Phase::of(position);
    let mut groups: Vec<(&str, [i32; 2])> = Vec::new();
    for note in notes.iter() {
        let (name, _) = note.feature.name();
        let place = groups.iter().position(|(group, _)| *group == name).unwrap_or_else(|| {
            groups.push((name, [0; 2]));
            groups.len() - 1
        });
        groups[place].1[note.side.index()] += note.worth().at(phase);
    }
    let mut text = format!("{:<18}{:>8}{:>8}{:>8}\n", "", "Red", "Black", "Total");
    for (name, [red, black]) in groups {
        let _ = writeln!(text, "{name:<18}{red:>8}{black:>8}{:>8}", red - black);
    }
    let red = notes.total().at(phase);
    let side = match position.side_to_move() {
        Side::Red => red,
        Side::Black => -red,
    };
    let _ = write!(text, "Evaluation: {red} for Red, {side} for the side to move, in centisoldiers");
    text
}
