//! The evaluation taken apart: what each group of features is worth to each side, and why.

use std::fmt;

use chuhe_board::{Bitboard, Position, Side};
use chuhe_eval::classical::{self, Feature, Note, Phase, Placement, Tapered};
use chuhe_eval::network::Network;

/// The evaluation of a position, group by group. The parts add up exactly to the score.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The groups in the order of the evaluation.
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
    /// What it is worth to Red and to Black, in centisoldiers.
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
        let groups: Vec<Group> = names
            .into_iter()
            .map(|name| {
                let notes: Vec<&Note> = notes.iter().filter(|note| note.feature.name() == name).collect();
                Group::of(name, &notes, phase)
            })
            .collect();
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
        let worth = Side::ALL.map(|side| {
            notes.iter().filter(|note| note.side == side).map(|note| note.worth()).sum::<Tapered>().at(phase)
        });
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
        Self { name, worth, reasons }
    }

    /// Red's worth less Black's.
    pub const fn total(&self) -> i32 {
        self.worth[0] - self.worth[1]
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
