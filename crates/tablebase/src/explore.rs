//! Positions worth looking at: the hardest wins, wins of a given length, zugzwangs.

use chuhe_board::{Position, Side};

use crate::Table;
use crate::index::row::{Entry, Row};
use crate::parallel::map_parts;
use crate::solve::repetition::RULE_DISTANCE;
use crate::value::Value;

/// Which positions to look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The longest wins.
    Hardest,
    /// Wins of the side to move in exactly this many plies, at random.
    Length(u16),
    /// Mutual zugzwangs, at random: each side would be better off if the other were to move. A position in which one side
    /// would rather pass is always one: what it gains by passing the other loses by moving.
    Zugzwang,
}

/// A position that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The position.
    pub position: Position,
    /// Its value.
    pub value: Value,
    /// For a zugzwang, the value for the same side if the other one were to move.
    pub passed: Option<Value>,
}

/// A candidate: what it is sorted by, and where it is.
type Candidate = (u64, u64, Side);

impl Table {
    /// Up to `count` positions; `seed` says which, if there are more. Wins by the repetition rules have no length and do not count.
    pub fn explore(&self, wanted: Wanted, count: usize, seed: u64) -> Vec<Found> {
        let index = self.index();
        let shorten = |mut all: Vec<Candidate>| {
            all.sort_unstable();
            all.truncate(count);
            all
        };
        let candidates = map_parts(0..index.rows(), |rows| {
            let mut all = Vec::new();
            for row in rows.filter_map(|row| Row::new(index, row)) {
                row.each(|entry| {
                    for side in Side::ALL {
                        all.extend(self.candidate(entry, side, wanted, seed));
                    }
                });
                if all.len() > 2 * count + 1024 {
                    all = shorten(all);
                }
            }
            shorten(all)
        });
        let found = shorten(candidates.concat()).into_iter().filter_map(|(_, number, side)| {
            let passed = (wanted == Wanted::Zugzwang).then(|| passed(self.value(number, !side)));
            Some(Found { position: index.position(number, side)?, value: self.value(number, side), passed })
        });
        found.collect()
    }

    fn candidate(&self, entry: &Entry<'_>, side: Side, wanted: Wanted, seed: u64) -> Option<Candidate> {
        if entry.board.is_in_check(!side) {
            return None;
        }
        let value = self.value(entry.number, side);
        let chance = mixed(2 * entry.number + side.index() as u64, seed);
        let key = match (wanted, value) {
            (Wanted::Hardest, Value::Win(plies)) if plies < RULE_DISTANCE => {
                u64::from(RULE_DISTANCE - plies) << 48 | chance >> 16
            }
            (Wanted::Length(length), Value::Win(plies)) if plies == length => chance,
            (Wanted::Zugzwang, _) if self.is_zugzwang(entry, side) => chance,
            _ => return None,
        };
        Some((key, entry.number, side))
    }

    /// Whether a legal position is a mutual zugzwang. Both sides to move must be loaded.
    pub(crate) fn is_zugzwang(&self, entry: &Entry<'_>, side: Side) -> bool {
        if entry.board.is_in_check(side) {
            return false;
        }
        let passed = passed(self.value(entry.number, !side));
        let gain = outcome(self.value(entry.number, side)).zip(outcome(passed));
        gain.is_some_and(|(moving, passing)| moving < passing)
    }
}

/// The value for the side that passes, from the other side's.
fn passed(value: Value) -> Value {
    match value {
        Value::Win(plies) => Value::Loss(plies),
        Value::Loss(plies) => Value::Win(plies),
        Value::Draw | Value::DependsOnChase(_) => value,
    }
}

/// 1 for a win, 0 for a draw, -1 for a loss.
fn outcome(value: Value) -> Option<i8> {
    match value {
        Value::Win(_) => Some(1),
        Value::Draw => Some(0),
        Value::Loss(_) => Some(-1),
        Value::DependsOnChase(_) => None,
    }
}

/// A number that looks random (SplitMix64).
fn mixed(number: u64, seed: u64) -> u64 {
    let mut mixed =
        number.wrapping_add(seed.wrapping_mul(0xD1B5_4A32_D192_ED03)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Convention, Family, Kind};

    fn table(name: &str) -> std::sync::Arc<Table> {
        let material = name.parse().unwrap();
        let family = Family::solve(&material, Kind::default(), 1 << 26, &|_, _| {}).unwrap();
        family.table(&material).unwrap().clone()
    }

    #[test]
    fn the_hardest_positions_are_the_longest_wins() {
        let table = table("KN-KA");
        let found = table.explore(Wanted::Hardest, 5, 0);
        assert_eq!(found.len(), 5);
        let (longest, _) = table.statistics(Side::Red, Convention::Play).longest_win.unwrap();
        assert_eq!(found[0].value, Value::Win(longest));
        assert!(found.windows(2).all(|pair| pair[0].value.preference() <= pair[1].value.preference()));
    }

    #[test]
    fn wins_of_a_length_have_that_length_and_the_seed_chooses() {
        let table = table("KN-KA");
        let found = table.explore(Wanted::Length(9), 4, 1);
        assert_eq!(found.len(), 4);
        assert!(found.iter().all(|found| table.probe(&found.position) == Some(Value::Win(9))));
        assert_eq!(found, table.explore(Wanted::Length(9), 4, 1));
        assert_ne!(found, table.explore(Wanted::Length(9), 4, 2));
    }

    #[test]
    fn in_a_zugzwang_the_mover_would_rather_pass() {
        let table = table("KN-KP");
        let found = table.explore(Wanted::Zugzwang, 50, 0);
        assert!(!found.is_empty());
        for Found { position, value, passed } in found {
            let mut other = position.clone();
            other.pass();
            assert_eq!(table.probe(&position), Some(value));
            assert!(outcome(value).unwrap() < -outcome(table.probe(&other).unwrap()).unwrap());
            assert_eq!(outcome(passed.unwrap()).unwrap(), -outcome(table.probe(&other).unwrap()).unwrap());
        }
    }
}
