//! Names of openings: the main groups of ECCO, the Encyclopedia of Chinese Chess Openings.
//!
//! A state machine: pieces reaching points lead from one opening to the next (`openings.txt`), so that move order
//! does not matter and mirror images share a name.

use std::sync::LazyLock;

use chuhe_board::{Move, Position};
use chuhe_notation::folding;
use serde::Serialize;

use crate::Pattern;

/// An opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Opening {
    /// Its group in ECCO: `C0`.
    pub code: &'static str,
    /// In Chinese, traditional characters: 中炮對屏風馬.
    pub chinese: &'static str,
    /// In English.
    pub english: &'static str,
}

struct Step {
    from: &'static str,
    opening: Opening,
    /// One of these must be on the board; none is needed if there are none.
    patterns: Vec<Pattern>,
}

static STEPS: LazyLock<Vec<Step>> = LazyLock::new(|| {
    let lines = include_str!("openings.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| step(line).expect("the table of openings is well-formed")).collect()
});

fn step(line: &'static str) -> Option<Step> {
    let mut fields = line.split('\t');
    let mut next = || fields.next();
    let (from, code, chinese, english, patterns) = (next()?, next()?, next()?, next()?, next()?);
    let patterns = match patterns {
        "*" => Vec::new(),
        _ => patterns.split(';').map(|text| text.parse().ok()).collect::<Option<_>>()?,
    };
    Some(Step { from, opening: Opening { code, chinese, english }, patterns })
}

/// The ply by which the opening is decided.
const LONGEST: usize = 24;

/// The opening of a game from the start position; `None` before the first move.
///
/// ```
/// use chuhe_board::coords::{RankStyle, parse_move};
/// use chuhe_book::openings;
///
/// let moves = ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "b9c7"];
/// let moves = moves.map(|text| parse_move(text, RankStyle::FromZero).unwrap());
/// assert_eq!(openings::name(&moves).unwrap().chinese, "中炮對屏風馬");
/// ```
pub fn name(moves: &[Move]) -> Option<Opening> {
    let mut position = Position::start();
    let mut opening = None;
    for mv in moves.iter().take(LONGEST) {
        if !position.is_legal(*mv) {
            break;
        }
        let _ = position.play(*mv, &mut ());
        opening = after(opening, &position);
    }
    opening
}

/// The openings whose name in either language and script contains a text.
pub fn named(part: &str) -> Vec<Opening> {
    let has_part = |opening: &Opening| {
        folding::contains(opening.chinese, part) || folding::contains(opening.english, part)
    };
    STEPS.iter().map(|step| step.opening).filter(has_part).collect()
}

/// The opening in a position that is reached from an opening by a move.
pub fn after(opening: Option<Opening>, position: &Position) -> Option<Opening> {
    let here = opening.map_or("-", |opening| opening.code);
    let fits = |step: &&Step| {
        step.from == here
            && (step.patterns.is_empty() || step.patterns.iter().any(|pattern| pattern.matches(position)))
    };
    STEPS.iter().find(fits).map(|step| step.opening).or(opening)
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::{RankStyle, parse_move};

    use super::*;

    #[test]
    fn well_known_lines_have_their_names() {
        for (line, code) in [
            ("h2e2 h9g7 h0g2 i9h9 i0h0 b9c7", "C0"),
            ("b2e2 b9c7 b0c2 a9b9 a0b0 h9g7", "C0"),
            ("h2e2 b9c7 h0g2 h9g7 b0c2", "C0"),
            ("h2e2 h7e7", "D0"),
            ("h2e2 h7e7 h0g2 h9g7 i0h0 i9i8", "D2"),
            ("h2e2 b7e7", "D5"),
            ("h2e2 b9c7 h0g2 h7f7 i0h0 h9g7", "B3"),
            ("h2e2 b9c7 h0g2 h7f7 i0h0 h9g7 b2d2", "B4"),
            ("h2e2 b9c7 h0g2 h9i7", "B1"),
            ("h2e2 h9g7 h0g2 h7i7 i0h0 i9h9", "B2"),
            ("h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 b2d2", "C5"),
            ("h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 h0h6 b9c7 c3c4", "C3"),
            ("h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 h0h6 b9c7 c3c4 h7i7", "C4"),
            ("c3c4 b7c7", "E1"),
            ("g3g4 h7g7", "E1"),
            ("c3c4 g6g5", "E4"),
            ("g0e2", "A1"),
            ("b0c2", "A4"),
            ("h2f2", "A5"),
            ("h2d2", "A6"),
            ("a0a1", "A0"),
        ] {
            let moves: Vec<Move> =
                line.split(' ').map(|text| parse_move(text, RankStyle::FromZero).unwrap()).collect();
            assert_eq!(name(&moves).unwrap().code, code, "{line}");
        }
        assert_eq!(name(&[]), None);
    }

    #[test]
    fn every_step_starts_where_another_ends() {
        for step in STEPS.iter() {
            assert!(
                step.from == "-" || STEPS.iter().any(|other| other.opening.code == step.from),
                "{}",
                step.from
            );
        }
    }
}
