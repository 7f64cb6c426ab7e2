//! Statistics of a table: wins, draws, losses and distances.

use std::cmp::Ordering;

use chuhe_board::{QUIET_PLY_LIMIT, Side};

use crate::index::row::{Entry, Row};
use crate::kind::Rules;
use crate::parallel::map_parts;
use crate::solve::repetition::RULE_DISTANCE;
use crate::value::Value;
use crate::{Index, Table};

/// How positions and distances are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// LegalMove positions, mirror images once, distances in plies to the end.
    Play,
    /// As published (Fang): both mirror images count; positions with facing generals are dropped; those in which the
    /// mover can capture the general are kept with value 1; distances are the winner's moves up to that capture.
    Fang,
}

/// Statistics for one side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Positions.
    pub positions: u64,
    /// Those that the first side wins.
    pub wins: u64,
    /// Those that the first side loses.
    pub losses: u64,
    /// The sum of the distances of the wins.
    pub distances: u64,
    /// The sum of the distances of the losses.
    pub loss_distances: u64,
    /// The longest win of the first side, with the number of its entry.
    pub longest_win: Option<(u16, u64)>,
    /// The longest win of the second side.
    pub longest_loss: Option<(u16, u64)>,
    /// Wins and losses by the repetition rules; they have no distance.
    pub by_rule: u64,
    /// Those of them that the first side wins.
    pub wins_by_rule: u64,
    /// Positions whose value depends on chases. They are not among the draws.
    pub depend_on_chase: u64,
    /// Wins and losses whose distance exceeds the sixty-round limit. With DTC, these are the ones that the limit turns into
    /// draws.
    pub beyond_limit: u64,
    /// Zugzwangs: the side to move would fare better if the other were to move, which would fare worse then.
    pub zugzwangs: u64,
}

impl Statistics {
    /// Drawn positions.
    pub fn draws(&self) -> u64 {
        self.positions - self.wins - self.losses - self.depend_on_chase
    }

    /// The win rate in percent.
    pub fn win_percent(&self) -> f64 {
        100.0 * self.wins as f64 / self.positions.max(1) as f64
    }

    /// The mean distance of the wins that have one.
    pub fn mean(&self) -> f64 {
        self.distances as f64 / (self.wins - self.wins_by_rule).max(1) as f64
    }

    /// The same seen from the second side.
    pub fn swapped(self) -> Self {
        Self {
            wins: self.losses,
            losses: self.wins,
            distances: self.loss_distances,
            loss_distances: self.distances,
            longest_win: self.longest_loss,
            longest_loss: self.longest_win,
            wins_by_rule: self.by_rule - self.wins_by_rule,
            ..self
        }
    }

    /// Counts an entry for `weight` positions; `distance` is that of a win or loss, `None` if it is by rule.
    fn add(&mut self, result: Ordering, distance: Option<u16>, number: u64, weight: u64) {
        self.positions += weight;
        let (count, distances, longest) = match result {
            Ordering::Equal => return,
            Ordering::Greater => (&mut self.wins, &mut self.distances, &mut self.longest_win),
            Ordering::Less => (&mut self.losses, &mut self.loss_distances, &mut self.longest_loss),
        };
        *count += weight;
        match distance {
            Some(distance) => {
                *distances += weight * u64::from(distance);
                *longest = longer(*longest, Some((distance, number)));
                self.beyond_limit += if distance > QUIET_PLY_LIMIT { weight } else { 0 };
            }
            None => {
                self.by_rule += weight;
                self.wins_by_rule += if result == Ordering::Greater { weight } else { 0 };
            }
        }
    }

    /// The statistics of two sets of positions together.
    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        Self {
            positions: self.positions + other.positions,
            wins: self.wins + other.wins,
            losses: self.losses + other.losses,
            distances: self.distances + other.distances,
            loss_distances: self.loss_distances + other.loss_distances,
            longest_win: longer(self.longest_win, other.longest_win),
            longest_loss: longer(self.longest_loss, other.longest_loss),
            by_rule: self.by_rule + other.by_rule,
            wins_by_rule: self.wins_by_rule + other.wins_by_rule,
            depend_on_chase: self.depend_on_chase + other.depend_on_chase,
            beyond_limit: self.beyond_limit + other.beyond_limit,
            zugzwangs: self.zugzwangs + other.zugzwangs,
        }
    }
}

/// The longer of two, and of equals the one with the lower number, so that the result does not depend on threads.
fn longer(a: Option<(u16, u64)>, b: Option<(u16, u64)>) -> Option<(u16, u64)> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if (b.0, a.1) > (a.0, b.1) { b } else { a }),
        (a, b) => a.or(b),
    }
}

impl Table {
    /// The statistics for one side to move.
    pub fn statistics(&self, to_move: Side, convention: Convention) -> Statistics {
        let index = self.index();
        let parts = map_parts(0..index.rows(), |rows| {
            let mut statistics = Statistics::default();
            for row in rows.filter_map(|row| Row::new(index, row)) {
                row.each(|entry| self.count(entry, to_move, convention, &mut statistics));
            }
            statistics
        });
        parts.into_iter().fold(Statistics::default(), Statistics::merge)
    }

    fn count(&self, entry: &Entry<'_>, to_move: Side, convention: Convention, statistics: &mut Statistics) {
        let can_take = entry.board.is_in_check(!to_move);
        let facing = entry.board.generals_face();
        let value = || self.value(entry.number, to_move);
        let (value, weight) = match convention {
            Convention::Play if can_take => return,
            Convention::Play => (value(), 1),
            Convention::Fang if facing => return,
            Convention::Fang if can_take => (Value::Win(1), images(self.index(), entry)),
            Convention::Fang => (moves_to_capture(value()), images(self.index(), entry)),
        };
        let (for_mover, distance) = match value {
            Value::DependsOnChase(_) => {
                statistics.depend_on_chase += weight;
                (Ordering::Equal, None)
            }
            Value::Draw => (Ordering::Equal, None),
            Value::Win(distance) => (Ordering::Greater, Some(distance)),
            Value::Loss(distance) => (Ordering::Less, Some(distance)),
        };
        let result = if to_move == Side::Red { for_mover } else { for_mover.reverse() };
        let has_plies = |distance: &u16| self.kind().rules == Rules::Plain || *distance < RULE_DISTANCE;
        statistics.add(result, distance.filter(has_plies), entry.number, weight);
        if convention == Convention::Play && self.is_zugzwang(entry, to_move) {
            statistics.zugzwangs += weight;
        }
    }
}

/// The number of boards an entry represents.
fn images(index: &Index, entry: &Entry<'_>) -> u64 {
    let inner = &index.groups[index.inner()];
    if inner.is_kept(inner.mirrored(entry.codes[index.inner()])) { 1 } else { 2 }
}

/// The winner's moves up to the capture of the general, from the plies to mate.
fn moves_to_capture(value: Value) -> Value {
    match value {
        Value::Draw | Value::DependsOnChase(_) => value,
        Value::Win(plies) => Value::Win(plies.div_ceil(2) + 1),
        Value::Loss(plies) => Value::Loss(plies / 2 + 1),
    }
}
