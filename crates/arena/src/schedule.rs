//! The schedule: pairings (round robin or gauntlet), colours and openings.

/// The tournament format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Format {
    /// Every engine against every other.
    #[default]
    RoundRobin,
    /// The first engine against each of the others.
    Gauntlet,
}

/// The games of a match, in order. Two games that follow each other form a pair: same engines, same
/// opening, colours exchanged.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    rounds: usize,
    /// The order in which openings are used.
    order: Vec<usize>,
}

/// One game to be played. Engines and openings are numbers in the match's lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number, from 0.
    pub game: usize,
    /// The pair it belongs to, from 0.
    pub pair: usize,
    /// The engine that plays Red.
    pub red: usize,
    /// The engine that plays Black.
    pub black: usize,
    /// The opening.
    pub opening: usize,
}

impl Schedule {
    /// A schedule in which each pairing plays `rounds` pairs of games. Without a seed openings come in
    /// their own order.
    pub fn new(format: Format, engines: usize, rounds: usize, openings: usize, seed: Option<u64>) -> Self {
        let everybody =
            (0..engines).flat_map(|first| (first + 1..engines).map(move |second| (first, second)));
        let pairings = match format {
            Format::RoundRobin => everybody.collect(),
            Format::Gauntlet => everybody.filter(|(first, _)| *first == 0).collect(),
        };
        Self { pairings, rounds, order: order(openings, seed) }
    }

    /// How many games there are.
    pub fn games(&self) -> usize {
        self.pairings.len() * self.rounds * 2
    }

    /// All games. Every pairing plays the first opening before any plays the second.
    pub fn fixtures(&self) -> impl Iterator<Item = Fixture> + '_ {
        (0..self.games()).map(|game| {
            let pair = game / 2;
            let (first, second) = self.pairings[pair % self.pairings.len()];
            let (red, black) = if game % 2 == 0 { (first, second) } else { (second, first) };
            let round = pair / self.pairings.len();
            Fixture { game, pair, red, black, opening: self.order[round % self.order.len()] }
        })
    }
}

/// The numbers below `count`, shuffled if there is a seed.
fn order(count: usize, seed: Option<u64>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    if let Some(mut state) = seed {
        for last in (1..count).rev() {
            let other = (next_random(&mut state) % (last as u64 + 1)) as usize;
            order.swap(last, other);
        }
    }
    order
}

/// SplitMix64.
fn next_random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn colours_are_exchanged_within_a_pair() {
        let schedule = Schedule::new(Format::RoundRobin, 4, 3, 5, Some(7));
        let fixtures: Vec<Fixture> = schedule.fixtures().collect();
        assert_eq!(fixtures.len(), 6 * 3 * 2);
        for pair in fixtures.chunks(2) {
            assert_eq!((pair[0].red, pair[0].black), (pair[1].black, pair[1].red));
            assert_eq!(pair[0].opening, pair[1].opening);
            assert_eq!(pair[0].pair, pair[1].pair);
        }
    }

    #[test]
    fn everybody_meets_everybody_equally_often() {
        let mut meetings: HashMap<(usize, usize), usize> = HashMap::new();
        for fixture in Schedule::new(Format::RoundRobin, 4, 3, 5, None).fixtures() {
            *meetings.entry((fixture.red, fixture.black)).or_default() += 1;
        }
        assert_eq!(meetings.len(), 12);
        assert!(meetings.values().all(|games| *games == 3));
    }

    #[test]
    fn in_a_gauntlet_the_first_meets_all_others() {
        let schedule = Schedule::new(Format::Gauntlet, 4, 1, 5, None);
        assert_eq!(schedule.games(), 6);
        assert!(schedule.fixtures().all(|fixture| fixture.red == 0 || fixture.black == 0));
    }

    #[test]
    fn a_seed_shuffles_and_repeats() {
        let shuffled = order(100, Some(1));
        assert_eq!(shuffled, order(100, Some(1)));
        assert_ne!(shuffled, order(100, Some(2)));
        let mut sorted = shuffled;
        sorted.sort_unstable();
        assert_eq!(sorted, order(100, None));
    }
}
