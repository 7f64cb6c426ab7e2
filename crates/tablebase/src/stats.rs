//! Counting what a table holds.

use chuhe_board::Side;
use rayon::prelude::*;

use crate::row::{Entry, Row};
use crate::value::Value;
use crate::{Index, Table};

/// How positions and distances are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// Legal positions, mirror images once, distances in plies to the end.
    Play,
    /// As in seed 002: both mirror images count; positions with facing generals are dropped; those in
    /// which the mover can take the general are kept with value 1; distances are the winner's moves up
    /// to taking the general.
    Fang,
}

/// What was counted for one side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Positions.
    pub positions: u64,
    /// Those that the first side wins.
    pub wins: u64,
    /// Those that the first side loses.
    pub losses: u64,
    /// The sum of the distances of the wins.
    pub distances: u64,
    /// The longest win of the first side, with the number of its entry.
    pub longest_win: Option<(u16, u64)>,
    /// The longest win of the second side.
    pub longest_loss: Option<(u16, u64)>,
}

impl Tally {
    /// Positions that nobody wins.
    pub fn draws(&self) -> u64 {
        self.positions - self.wins - self.losses
    }

    /// The share of wins in percent.
    pub fn win_percent(&self) -> f64 {
        100.0 * self.wins as f64 / self.positions.max(1) as f64
    }

    /// The mean distance of the wins.
    pub fn mean(&self) -> f64 {
        self.distances as f64 / self.wins.max(1) as f64
    }

    fn add(&mut self, outcome: Outcome, number: u64, weight: u64) {
        self.positions += weight;
        match outcome {
            Outcome::Draw => {}
            Outcome::Win(distance) => {
                self.wins += weight;
                self.distances += weight * u64::from(distance);
                self.longest_win = longer(self.longest_win, Some((distance, number)));
            }
            Outcome::Loss(distance) => {
                self.losses += weight;
                self.longest_loss = longer(self.longest_loss, Some((distance, number)));
            }
        }
    }

    fn merge(self, other: Self) -> Self {
        Self {
            positions: self.positions + other.positions,
            wins: self.wins + other.wins,
            losses: self.losses + other.losses,
            distances: self.distances + other.distances,
            longest_win: longer(self.longest_win, other.longest_win),
            longest_loss: longer(self.longest_loss, other.longest_loss),
        }
    }
}

/// The longer of two, and of equals the one with the lower number, so that threads do not matter.
fn longer(a: Option<(u16, u64)>, b: Option<(u16, u64)>) -> Option<(u16, u64)> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if (b.0, a.1) > (a.0, b.1) { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// The result for the first side.
enum Outcome {
    Draw,
    Win(u16),
    Loss(u16),
}

impl Table {
    /// Counts the positions of a table for one side to move.
    pub fn tally(&self, to_move: Side, convention: Convention) -> Tally {
        let index = self.index();
        let tally_row = |row: u64| {
            let mut tally = Tally::default();
            if let Some(row) = Row::new(index, row) {
                for entry in (0..index.row_len()).filter_map(|place| row.entry(place)) {
                    self.count(&entry, to_move, convention, &mut tally);
                }
            }
            tally
        };
        (0..index.rows()).into_par_iter().map(tally_row).reduce(Tally::default, Tally::merge)
    }

    fn count(&self, entry: &Entry<'_>, to_move: Side, convention: Convention, tally: &mut Tally) {
        let can_take = entry.scene.is_in_check(!to_move);
        let facing = entry.scene.generals_face();
        let value = || self.value(entry.number, to_move);
        let (value, weight) = match convention {
            Convention::Play if can_take => return,
            Convention::Play => (value(), 1),
            Convention::Fang if facing => return,
            Convention::Fang if can_take => (Value::Win(1), images(self.index(), entry)),
            Convention::Fang => (moves_to_taking(value()), images(self.index(), entry)),
        };
        let outcome = match (value, to_move) {
            (Value::Draw, _) => Outcome::Draw,
            (Value::Win(distance), Side::Red) | (Value::Loss(distance), Side::Black) => {
                Outcome::Win(distance)
            }
            (Value::Loss(distance), Side::Red) | (Value::Win(distance), Side::Black) => {
                Outcome::Loss(distance)
            }
        };
        tally.add(outcome, entry.number, weight);
    }
}

/// How many boards an entry stands for.
fn images(index: &Index, entry: &Entry<'_>) -> u64 {
    let inner = &index.groups[index.inner()];
    if inner.is_kept(inner.mirrored(entry.codes[index.inner()])) { 1 } else { 2 }
}

/// The winner's moves up to taking the general, from the plies up to the mate.
fn moves_to_taking(value: Value) -> Value {
    match value {
        Value::Draw => Value::Draw,
        Value::Win(plies) => Value::Win(plies.div_ceil(2) + 1),
        Value::Loss(plies) => Value::Loss(plies / 2 + 1),
    }
}
