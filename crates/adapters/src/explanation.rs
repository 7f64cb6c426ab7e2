//! The evaluation explained: what each group of features is worth to each side, and why.

mod sentences;

use std::cmp::Reverse;
use std::fmt;
use std::sync::LazyLock;

use chuhe_board::{Bitboard, PieceKind, Position, Side};
use chuhe_eval::classical::{self, Feature, Note, Phase, Placement, Tapered};
use chuhe_eval::network::Network;

/// The evaluation of a position, group by group. The parts add up exactly to the score.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The groups, those that differ most between the sides first.
    pub groups: Vec<Group>,
    /// What is lost or gained because every group is rounded by itself, seen by Red.
    pub rounding: i32,
    /// What is taken away because the material left can hardly win, seen by Red.
    pub drawishness: i32,
    /// The score for Red, in centisoldiers.
    pub red: i32,
    /// Who is to move.
    pub side_to_move: Side,
}

/// One group of features: material, placement …
#[derive(Clone, Debug)]
pub struct Group {
    /// Its name.
    pub name: &'static str,
    /// Its name in Traditional and in Simplified Chinese.
    pub chinese: [&'static str; 2],
    /// What it is worth to Red and to Black, in centisoldiers. While the opening lasts it is counted from the start
    /// position, where every group but the material and the tempo is 0.
    pub worth: [i32; 2],
    /// What was found, Red's first.
    pub reasons: Vec<Reason>,
}

/// A feature that a side has.
#[derive(Clone, Copy, Debug)]
pub struct Reason {
    /// Whose feature it is.
    pub side: Side,
    /// What was found.
    pub feature: Feature,
    /// How many times it was found.
    pub times: i32,
    /// What it is worth to its side, in centisoldiers, rounded by itself.
    pub worth: i32,
    /// The points that show it.
    pub points: Bitboard,
}

impl Evaluation {
    /// Takes the evaluation of a position apart.
    pub fn of(position: &Position) -> Self {
        let notes = classical::notes(position);
        let phase = Phase::of(position);
        let mut names: Vec<&'static str> = Vec::new();
        for name in notes.iter().map(|note| note.feature.name()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let mut groups: Vec<Group> = names
            .into_iter()
            .map(|name| {
                let notes: Vec<&Note> = notes.iter().filter(|note| note.feature.name() == name).collect();
                Group::of(name, &notes, phase)
            })
            .collect();
        groups.sort_by_key(|group| Reverse(group.total().abs()));
        let side_to_move = position.side_to_move();
        let for_mover = classical::evaluate(position, &Placement::of(position)).get();
        let red = if side_to_move == Side::Red { for_mover } else { -for_mover };
        let sum: i32 = groups.iter().map(Group::total).sum();
        let all = notes.total().at(phase);
        Self { groups, rounding: all - sum, drawishness: red - all, red, side_to_move }
    }

    /// The score for the side to move, in centisoldiers.
    pub fn for_side_to_move(&self) -> i32 {
        if self.side_to_move == Side::Red { self.red } else { -self.red }
    }
}

impl Group {
    fn of(name: &'static str, notes: &[&Note], phase: Phase) -> Self {
        let zero = ZEROS.iter().find(|(group, _)| *group == name).map_or(0, |(_, worth)| *worth);
        let zero = zero * phase.opening() / Phase::FULL;
        let worth = Side::ALL.map(|side| {
            let of_side = notes.iter().filter(|note| note.side == side);
            of_side.map(|note| note.worth()).sum::<Tapered>().at(phase) - zero
        });
        let chinese = notes.first().map_or([""; 2], |note| note.feature.chinese());
        let mut reasons: Vec<Reason> = notes
            .iter()
            .filter(|note| note.times != 0)
            .map(|note| Reason {
                side: note.side,
                feature: note.feature,
                times: note.times,
                worth: note.worth().at(phase),
                points: note.points,
            })
            .collect();
        reasons.sort_by_key(|reason| (reason.side.index(), reason.feature));
        Self { name, chinese, worth, reasons }
    }

    /// Red's worth less Black's.
    pub const fn total(&self) -> i32 {
        self.worth[0] - self.worth[1]
    }
}

/// What each group is worth to Red in the start position: its zero. Both sides have the same, so no total changes.
static ZEROS: LazyLock<Vec<(&'static str, i32)>> = LazyLock::new(|| {
    let mut zeros: Vec<(&'static str, i32)> = Vec::new();
    let notes = classical::notes(&Position::start());
    let counted = |note: &&Note| {
        let is_own = note.feature.name() == Feature::material(PieceKind::Soldier).name();
        note.side == Side::Red && !is_own && note.feature != Feature::TO_MOVE
    };
    for note in notes.iter().filter(counted) {
        let (name, worth) = (note.feature.name(), note.worth().opening());
        match zeros.iter_mut().find(|(group, _)| *group == name) {
            Some((_, sum)) => *sum += worth,
            None => zeros.push((name, worth)),
        }
    }
    zeros
});

impl Evaluation {
    /// What changed from `before` to this evaluation: each group's total for Red before and after, the largest change
    /// first. What is hard to win and the rounding are among them.
    pub fn changes_since(&self, before: &Self) -> Vec<Change> {
        let total = |evaluation: &Self, name: &str| {
            evaluation.groups.iter().find(|group| group.name == name).map_or(0, Group::total)
        };
        let mut names: Vec<&'static str> = before.groups.iter().map(|group| group.name).collect();
        names.extend(self.groups.iter().map(|group| group.name).filter(|name| total(before, name) == 0));
        names.sort_unstable();
        names.dedup();
        let mut changes: Vec<Change> = names
            .into_iter()
            .map(|name| Change { name, before: total(before, name), after: total(self, name) })
            .collect();
        changes.push(Change { name: "hard to win", before: before.drawishness, after: self.drawishness });
        changes.push(Change { name: "rounding", before: before.rounding, after: self.rounding });
        changes.retain(|change| change.before != change.after);
        changes.sort_by_key(|change| Reverse(change.difference().abs()));
        changes
    }
}

/// What a move changes in one group, in centisoldiers for Red.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The group.
    pub name: &'static str,
    /// Red's total less Black's before the move.
    pub before: i32,
    /// The same after it.
    pub after: i32,
}

impl Change {
    /// What Red gains.
    pub const fn difference(&self) -> i32 {
        self.after - self.before
    }
}

/// The name filled up with spaces to the width of the table; Chinese characters are two columns wide.
fn padded(name: &str) -> String {
    const WIDTH: usize = 44;
    let width: usize = name.chars().map(|character| if character.is_ascii() { 1 } else { 2 }).sum();
    format!("{name}{}", " ".repeat(WIDTH.saturating_sub(width)))
}

/// A table for people: a line for each group that counts, and the sum.
impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}{:>8}{:>8}{:>8}", padded(""), "Red", "Black", "Total")?;
        for group in &self.groups {
            let [red, black] = group.worth;
            if group.worth != [0, 0] {
                writeln!(f, "{}{red:>8}{black:>8}{:>8}", padded(group.name), group.total())?;
            }
        }
        if self.rounding != 0 {
            writeln!(f, "{}{:>24}", padded("rounding"), self.rounding)?;
        }
        if self.drawishness != 0 {
            writeln!(f, "{}{:>24}", padded("hard to win"), self.drawishness)?;
        }
        write!(
            f,
            "Evaluation: {} for Red, {} for the side to move, in centisoldiers",
            self.red,
            self.for_side_to_move()
        )
    }
}

/// What a network says about a position. It has no parts to show.
#[derive(Clone, Copy, Debug)]
pub struct NetworkVerdict {
    /// The network's fingerprint.
    pub identity: u64,
    /// The score for Red, in centisoldiers.
    pub red: i32,
    /// The score for the side to move, in centisoldiers.
    pub side_to_move: i32,
}

impl NetworkVerdict {
    /// Asks the network about a position.
    pub fn of(network: &Network, position: &Position) -> Self {
        let side_to_move = network.evaluate(position).get();
        let red = if position.side_to_move() == Side::Red { side_to_move } else { -side_to_move };
        Self { identity: network.identity(), red, side_to_move }
    }
}

impl fmt::Display for NetworkVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { identity, red, side_to_move } = self;
        write!(
            f,
            "Network {identity:016x}: {red} for Red, {side_to_move} for the side to move, in centisoldiers"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_special_at_the_start() {
        let evaluation = Evaluation::of(&Position::start());
        for group in evaluation.groups.iter().filter(|group| !["material", "tempo"].contains(&group.name)) {
            assert!(group.worth.iter().all(|worth| worth.abs() <= 15), "{}: {:?}", group.name, group.worth);
        }
    }

    #[test]
    fn a_move_is_explained_by_what_it_changes() {
        let before: Position =
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w".parse().unwrap();
        let after: Position =
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b".parse().unwrap();
        let (before, after) = (Evaluation::of(&before), Evaluation::of(&after));
        let changes = after.changes_since(&before);
        assert_eq!(changes.iter().map(Change::difference).sum::<i32>(), after.red - before.red);
        assert!(changes.iter().any(|change| change.name == "placement"));
        assert!(changes.windows(2).all(|pair| pair[0].difference().abs() >= pair[1].difference().abs()));
    }

    #[test]
    fn the_parts_add_up_to_the_score() {
        for fen in [
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
            "2bak4/4a4/4b4/p3n3p/2r6/9/P3P3P/4C1N2/4A4/R1B1KAB2 b",
            "3k5/9/9/9/9/9/9/9/4R4/5K3 b",
        ] {
            let position: Position = fen.parse().unwrap();
            let evaluation = Evaluation::of(&position);
            let parts: i32 = evaluation.groups.iter().map(Group::total).sum();
            assert_eq!(parts + evaluation.rounding + evaluation.drawishness, evaluation.red, "{fen}");
            let score = classical::evaluate(&position, &Placement::of(&position)).get();
            assert_eq!(evaluation.for_side_to_move(), score, "{fen}");
        }
    }
}
