//! Named lines of opening theory (`lines.txt`): moves from the start position, and the names of what they lead to.

use std::collections::HashMap;
use std::sync::LazyLock;

use chuhe_board::{Key, Move, Position};
use chuhe_notation::chinese;
use serde::Serialize;

use crate::{BookMove, Entries, slot};

/// The name of a position of opening theory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Name {
    /// In traditional characters: 中炮對屏風馬.
    pub traditional: &'static str,
    /// In simplified characters: 中炮对屏风马.
    pub simplified: &'static str,
    /// In English.
    pub english: &'static str,
}

/// A line of opening theory from the start position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TheoryLine {
    /// The moves.
    pub moves: Vec<Move>,
    /// The name of the position that they lead to; a line without one continues a named one.
    pub name: Option<Name>,
}

static LINES: LazyLock<Vec<TheoryLine>> =
    LazyLock::new(|| parse(include_str!("lines.txt")).expect("the named lines are well-formed"));

static NAMES: LazyLock<HashMap<Key, Name>> = LazyLock::new(|| {
    let named = LINES.iter().filter_map(|line| {
        let mut position = Position::start();
        for mv in &line.moves {
            let _ = position.play(*mv, &mut ());
        }
        Some((position.merged_key().0, line.name?))
    });
    named.collect()
});

/// All lines.
pub fn all() -> &'static [TheoryLine] {
    &LINES
}

/// The name of a position, however it was reached; its mirror image has the same.
///
/// ```
/// use chuhe_board::Position;
/// use chuhe_board::coords::{RankStyle, parse_move};
/// use chuhe_book::lines;
///
/// let mut position = Position::start();
/// let _ = position.play(parse_move("g0e2", RankStyle::FromZero).unwrap(), &mut ());
/// assert_eq!(lines::name(&position).unwrap().traditional, "飛相局");
/// ```
pub fn name(position: &Position) -> Option<Name> {
    NAMES.get(&position.merged_key().0).copied()
}

/// The position of each theory move order: the lines that pass through it, each as its number and the plies up to there.
static WAYS: LazyLock<HashMap<Key, Vec<(usize, usize)>>> = LazyLock::new(|| {
    let mut ways: HashMap<Key, Vec<(usize, usize)>> = HashMap::new();
    for (number, line) in LINES.iter().enumerate() {
        let mut position = Position::start();
        for (index, mv) in line.moves.iter().enumerate() {
            let _ = position.play(*mv, &mut ());
            let known = ways.entry(position.merged_key().0).or_default();
            let way = &line.moves[..=index];
            if !known.iter().any(|(other, plies)| &LINES[*other].moves[..*plies] == way) {
                known.push((number, index + 1));
            }
        }
    }
    ways
});

/// The move orders of theory that lead to a position or to its mirror image, as the lines have them.
pub fn ways_to(position: &Position) -> impl Iterator<Item = &'static [Move]> {
    let ways = WAYS.get(&position.merged_key().0).map_or(&[][..], |ways| ways);
    ways.iter().map(|(number, plies)| &LINES[*number].moves[..*plies])
}

/// Marks the moves of all lines in a book as theory and adds those that it lacks. Returns the changed positions.
pub fn enter(entries: &mut Entries) -> Entries {
    let mut changed = Entries::new();
    for line in all() {
        let mut position = Position::start();
        for mv in &line.moves {
            let (key, own) = slot(&position, *mv);
            let moves = entries.entry(key).or_default();
            let at = moves.iter().position(|known| known.mv == own).unwrap_or_else(|| {
                moves.push(BookMove::new(own));
                moves.len() - 1
            });
            if !moves[at].flags.theory {
                moves[at].flags.theory = true;
                changed.insert(key, moves.clone());
            }
            let _ = position.play(*mv, &mut ());
        }
    }
    changed
}

/// Reads the tree of lines; the error is the line that is not well-formed.
fn parse(text: &'static str) -> Result<Vec<TheoryLine>, &'static str> {
    let mut lines = Vec::new();
    // The lines above, with their indentation, from the start of the game on.
    let mut above: Vec<(usize, Vec<Move>, Position)> = Vec::new();
    for row in text.lines().filter(|row| !row.starts_with('#')) {
        let indent = row.len() - row.trim_start().len();
        while above.last().is_some_and(|(outer, _, _)| *outer >= indent) {
            above.pop();
        }
        let (mut moves, mut position) = above
            .last()
            .map_or((Vec::new(), Position::start()), |(_, moves, at)| (moves.clone(), at.clone()));
        let mut fields = row.trim_start().split('\t');
        for word in fields.next().unwrap_or_default().split(' ') {
            let mv = chinese::parse_move(word, &position).map_err(|_| row)?;
            moves.push(mv);
            let _ = position.play(mv, &mut ());
        }
        let name = match (fields.next(), fields.next(), fields.next(), fields.next()) {
            (None, ..) => None,
            (Some(traditional), Some(simplified), Some(english), None) => {
                Some(Name { traditional, simplified, english })
            }
            _ => return Err(row),
        };
        lines.push(TheoryLine { moves: moves.clone(), name });
        above.push((indent, moves, position));
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashSet};

    use chuhe_notation::folding::fold;

    use super::*;
    use crate::openings;

    #[test]
    fn every_line_can_be_played_and_every_name_is_given_once() {
        let lines = parse(include_str!("lines.txt")).unwrap();
        let mut names = HashSet::new();
        for line in &lines {
            let mut position = Position::start();
            for mv in &line.moves {
                assert!(position.is_legal(*mv), "{:?}", line.name);
                let _ = position.play(*mv, &mut ());
            }
            let Some(name) = line.name else { continue };
            assert_eq!(fold(name.traditional), fold(name.simplified));
            assert!(names.insert(name.traditional) && names.insert(name.english), "{name:?}");
            assert!(!name.english.is_empty() && name.english.is_ascii(), "{name:?}");
            assert_eq!(super::name(&position), Some(name), "two names for one position");
        }
        assert!(names.len() >= 2 * 300, "{}", names.len());
    }

    #[test]
    fn every_main_group_of_openings_has_lines() {
        let codes: BTreeSet<&str> =
            all().iter().filter_map(|line| Some(openings::name(&line.moves)?.code)).collect();
        let missing: Vec<_> =
            openings::named("").into_iter().filter(|known| !codes.contains(known.code)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn transpositions_of_theory_are_known() {
        let many = all().iter().filter(|line| {
            let mut position = Position::start();
            for mv in &line.moves {
                let _ = position.play(*mv, &mut ());
            }
            assert!(ways_to(&position).any(|way| way == line.moves));
            ways_to(&position).count() > 1
        });
        assert!(many.count() > 3);
        assert_eq!(ways_to(&Position::start()).count(), 0);
    }

    #[test]
    fn lines_enter_a_book_once() {
        let mut entries = Entries::new();
        let changed = enter(&mut entries);
        assert_eq!(changed, entries);
        assert!(entries.values().flatten().all(|known| known.flags.theory && known.score.is_none()));
        assert!(enter(&mut entries).is_empty());
    }

    #[test]
    fn a_line_that_cannot_be_read_is_named() {
        assert_eq!(parse("炮二平五\n  馬8進8\t名"), Err("  馬8進8\t名"));
        assert_eq!(parse("炮二平五\t中炮局"), Err("炮二平五\t中炮局"));
    }
}
