//! `chuhe banqi tune`: tunes the engine's parameters by self-play.

use std::time::Duration;

use chuhe_banqi::contest::{Pace, play_game};
use chuhe_banqi::deal::deal;
use chuhe_banqi::engine::{Engine, Params};
use chuhe_banqi::{Failure, Game, Limits, Move, Player, Rules};
use chuhe_train::spsa::{Number, Values};
use clap::Args;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::tuning::{TuningArguments, tune};

/// Tune the engine's parameters by self-play under Olympiad rules
///
/// Goes on with the file if it is there already, so that a run may be stopped at any time.
#[derive(Args)]
#[command(after_help = "Example: chuhe banqi tune numbers.txt --pairs 10000 --threads 2")]
pub(crate) struct Arguments {
    #[command(flatten)]
    tuning: TuningArguments,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let limits = Limits { nodes: Some(arguments.tuning.nodes), ..Limits::default() };
    tune(&arguments.tuning, Values::new(numbers()), |seed| {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        move |values| {
            let dealt = deal(random.random());
            values.step(&mut random, |sets| {
                let [mut first, mut second] = sets.map(|numbers| Tuned::new(&numbers));
                let game = |first: &mut Tuned, second: &mut Tuned| {
                    first.0.new_game();
                    second.0.new_game();
                    let players: [&mut dyn Player; 2] = [first, second];
                    play_game(players, Rules::OLYMPIAD, Pace::Each(limits), &dealt).half_points_of_first()
                };
                let halves = game(&mut first, &mut second) + 2 - game(&mut second, &mut first);
                f64::from(halves) - 2.0
            });
        }
    })
}

fn numbers() -> Vec<Number> {
    let mut params = Params::default();
    let numbers = params.named().into_iter();
    numbers.map(|(name, value, range)| Number { name, default: *value, range }).collect()
}

struct Tuned(Engine);

impl Tuned {
    fn new(numbers: &[i32]) -> Self {
        let mut params = Params::default();
        params.named().into_iter().zip(numbers).for_each(|((_, value, _), number)| *value = *number);
        Self(Engine::new(params, 1, 4))
    }
}

impl Player for Tuned {
    fn new_game(&mut self, _: &Rules) -> Result<(), Failure> {
        self.0.new_game();
        Ok(())
    }

    fn choose(&mut self, game: &Game, limits: &Limits, _: Option<Duration>) -> Result<Move, Failure> {
        Ok(self.0.search(game, limits).best)
    }
}
