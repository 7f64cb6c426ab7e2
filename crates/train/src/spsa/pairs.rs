//! Pairs of games between two sets of numbers of the search.

use chuhe_referee::Game;
use chuhe_search::params::{self, Params};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Number, Values};
use crate::duel;
use crate::selfplay::{Player, Settings};

/// The numbers of the search. Time management is left out: games of a fixed number of nodes do not depend on it.
pub fn search_numbers() -> Vec<Number> {
    let number =
        |param: params::Param| Number { name: param.name, default: param.default, range: param.range };
    params::all().into_iter().filter(|param| !param.name.starts_with("time_")).map(number).collect()
}

/// Plays pairs of games.
pub struct Match {
    settings: Settings,
    players: [Player; 2],
    random: Xoshiro256PlusPlus,
}

impl Match {
    /// A match whose games follow from the seed.
    pub fn new(settings: Settings, seed: u64) -> Self {
        let players = [0, 1].map(|player| Player::new(settings.clone(), seed ^ player << 32));
        Self { settings, players, random: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// Plays the next pair for the numbers, those of [`search_numbers`], and lets them follow it.
    pub fn play(&mut self, values: &mut Values) {
        let mut random = self.random.clone();
        values.step(&mut random, |sets| self.pair(sets.map(|numbers| params_with(&numbers))));
        self.random = random;
    }

    /// The points of the first player less the second's in two games from one opening.
    fn pair(&mut self, numbers: [Params; 2]) -> f64 {
        let opening = self.players[0].opening();
        [0, 1].into_iter().map(|red| self.game(opening.clone(), red, &numbers)).sum()
    }

    /// The points of the first player less the second's, −1 to 1.
    fn game(&mut self, game: Game, red: usize, numbers: &[Params; 2]) -> f64 {
        for (player, numbers) in self.players.iter_mut().zip(numbers) {
            player.set_params(numbers.clone());
        }
        let result = duel::game(&mut self.players, &self.settings, game, red);
        f64::from(result.points()) * 2.0 - 1.0
    }
}

/// The numbers of the search in the order of [`search_numbers`].
fn params_with(numbers: &[i32]) -> Params {
    let mut params = Params::default();
    for (number, value) in search_numbers().iter().zip(numbers) {
        *params.named(number.name).expect("the names come from the table of parameters") = *value;
    }
    params
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_plays_the_same_pairs() {
        let play = |seed| {
            let settings = Settings { nodes: 60, hash: 1, ..Settings::default() };
            let mut values = Values::new(search_numbers());
            Match::new(settings, seed).play(&mut values);
            values
        };
        assert_eq!(play(3), play(3));
    }

    #[test]
    fn numbers_reach_the_search_under_their_names() {
        let mut numbers = Values::new(search_numbers()).rounded();
        assert_eq!(params_with(&numbers), Params::default());
        numbers[0] += 1;
        assert_eq!(params_with(&numbers).aspiration_window, Params::default().aspiration_window + 1);
    }
}
