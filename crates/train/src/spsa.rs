//! SPSA (simultaneous perturbation stochastic approximation): tunes parameters by games.
//!
//! All parameters are perturbed at once, each up or down at random, and the engine with these values plays two
//! games against the engine with the opposite ones. Every parameter then moves a little towards the winner.
//! [`Match`] plays the pairs for the parameters of the search.

mod pairs;

use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::path::Path;
use std::{fs, io};

use rand::{Rng, RngExt};

pub use pairs::{Match, search_numbers};

/// The initial perturbation, as a share of a parameter's range …
const REACH: f64 = 1.0 / 12.0;
/// … and the usual decay exponents of SPSA.
const REACH_DECAY: f64 = 0.101;
const RATE_DECAY: f64 = 0.602;
/// The share of its reach by which a number follows a pair won two to nothing, at first.
const RATE: f64 = 0.08;
/// Pairs after which the decay begins to be felt.
const STABILITY: f64 = 300.0;

/// A number to tune.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// Its name, one word.
    pub name: &'static str,
    /// Where it starts.
    pub default: i32,
    /// The values that make sense.
    pub range: RangeInclusive<i32>,
}

/// Parameters being tuned.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    /// The pairs of games played for them.
    pub pairs: u64,
    numbers: Vec<Number>,
    values: Vec<f64>,
}

/// Why a file cannot be read as tuned parameters.
#[derive(Debug, thiserror::Error)]
pub enum ValuesError {
    /// It cannot be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A line makes no sense.
    #[error("line {0}: expected 'pairs N' or the name of a number and its value")]
    Line(usize),
}

impl Values {
    /// The numbers where they start.
    pub fn new(numbers: Vec<Number>) -> Self {
        let values = numbers.iter().map(|number| f64::from(number.default)).collect();
        Self { pairs: 0, numbers, values }
    }

    /// Reads the numbers' values as [`Self::write`] wrote them. Numbers that the file does not name stay.
    pub fn read(mut self, path: &Path) -> Result<Self, ValuesError> {
        for (number, line) in fs::read_to_string(path)?.lines().enumerate() {
            let wrong = || ValuesError::Line(number + 1);
            let (name, value) = line.split_once(' ').ok_or_else(wrong)?;
            if name == "pairs" {
                self.pairs = value.parse().map_err(|_| wrong())?;
                continue;
            }
            let place = self.numbers.iter().position(|number| number.name == name).ok_or_else(wrong)?;
            let value: f64 = value.parse().map_err(|_| wrong())?;
            self.values[place] = self.numbers[place].within(value).ok_or_else(wrong)?;
        }
        Ok(self)
    }

    /// Writes the numbers; a kill leaves the old or the new ones.
    pub fn write(&self, path: &Path) -> Result<(), ValuesError> {
        let mut text = format!("pairs {}\n", self.pairs);
        for (number, value) in self.numbers.iter().zip(&self.values) {
            let _ = writeln!(text, "{} {value:.3}", number.name);
        }
        Ok(chuhe_storage::write_atomic(path, text.as_bytes())?)
    }

    /// What is tuned, in the order of [`Self::rounded`].
    pub fn numbers(&self) -> &[Number] {
        &self.numbers
    }

    /// The numbers as an engine takes them.
    pub fn rounded(&self) -> Vec<i32> {
        self.moved(&vec![0.0; self.values.len()])
    }

    /// One step: `play` plays a pair of games between the values perturbed one way and the other, and returns the
    /// points of the first less the second's, −2 to 2.
    pub fn step(&mut self, random: &mut impl Rng, play: impl FnOnce([Vec<i32>; 2]) -> f64) {
        let mut toss = || if random.random_range(0..2) == 0 { -1.0 } else { 1.0 };
        let distances: Vec<f64> = self.numbers.iter().map(|number| toss() * self.reach(number)).collect();
        let opposite: Vec<f64> = distances.iter().map(|distance| -distance).collect();
        let won_by = play([self.moved(&distances), self.moved(&opposite)]);
        self.follow(&distances, won_by);
    }

    /// Takes over the step from `before` to `after`, which a pair played elsewhere has made.
    pub fn add_step(&mut self, before: &Self, after: &Self) {
        for (place, number) in self.numbers.iter().enumerate() {
            let step = after.values[place] - before.values[place];
            self.values[place] = number.within(self.values[place] + step).unwrap_or(self.values[place]);
        }
        self.pairs += after.pairs - before.pairs;
    }

    /// The numbers moved by these distances, within their ranges.
    fn moved(&self, distances: &[f64]) -> Vec<i32> {
        let moved = |((number, value), distance): ((&Number, &f64), &f64)| {
            number.within(value + distance).unwrap_or(*value).round() as i32
        };
        self.numbers.iter().zip(&self.values).zip(distances).map(moved).collect()
    }

    /// How far a number is moved in the next pair.
    fn reach(&self, number: &Number) -> f64 {
        let width = f64::from(number.range.end() - number.range.start());
        // A distance of less than one would often round to nothing.
        (width * REACH / self.progress().powf(REACH_DECAY)).max(1.0)
    }

    fn progress(&self) -> f64 {
        1.0 + self.pairs as f64 / STABILITY
    }

    /// Moves towards the winner of a pair; `won_by` is the margin of the values perturbed by `distances`, −2 to 2.
    fn follow(&mut self, distances: &[f64], won_by: f64) {
        let rate = RATE / self.progress().powf(RATE_DECAY);
        for ((number, value), distance) in self.numbers.iter().zip(&mut self.values).zip(distances) {
            *value = number.within(*value + rate * won_by / 2.0 * distance).unwrap_or(*value);
        }
        self.pairs += 1;
    }
}

impl Number {
    /// The value cut to the number's range; nothing if it is no number.
    fn within(&self, value: f64) -> Option<f64> {
        let (least, most) = (f64::from(*self.range.start()), f64::from(*self.range.end()));
        value.is_finite().then(|| value.clamp(least, most))
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    fn values() -> Values {
        Values::new(vec![
            Number { name: "width", default: 18, range: 5..=60 },
            Number { name: "depth", default: 9, range: 4..=14 },
        ])
    }

    #[test]
    fn numbers_survive_their_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("numbers.txt");
        let mut written = values();
        written.follow(&[4.0, -1.0], 2.0);
        written.write(&path).unwrap();
        let read = values().read(&path).unwrap();
        assert_eq!(read.pairs, 1);
        assert!(read.values.iter().zip(&written.values).all(|(read, wrote)| (read - wrote).abs() < 1e-3));
        assert_eq!(read.rounded(), written.rounded());
    }

    #[test]
    fn files_of_something_else_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("numbers.txt");
        for text in ["pairs many\n", "width\n", "no_such_number 3\n", "width NaN\n"] {
            fs::write(&path, text).unwrap();
            assert!(matches!(values().read(&path), Err(ValuesError::Line(1))), "{text}");
        }
    }

    #[test]
    fn numbers_follow_the_winner_and_stay_in_their_ranges() {
        let mut values = values();
        values.follow(&[4.0, 0.0], 2.0);
        assert!(values.values[0] > 18.0);
        values.follow(&[4.0, 0.0], -2.0);
        values.follow(&[4.0, 0.0], -2.0);
        assert!(values.values[0] < 18.0);
        values.follow(&[1e9, 0.0], 2.0);
        assert_eq!(values.rounded(), [60, 9]);
    }

    #[test]
    fn a_number_that_decides_games_is_found() {
        // A toy match: the larger width always wins.
        let mut values = values();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        for _ in 0..400 {
            values.step(&mut random, |[first, second]| f64::from(first[0] - second[0]).clamp(-2.0, 2.0));
        }
        assert_eq!(values.rounded()[0], 60);
    }
}
