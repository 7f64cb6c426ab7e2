//! Two parameter sets against each other, at a fixed number of nodes per move, each deal from both ends:
//!
//! ```sh
//! cargo run --release -p chuhe-banqi --example duel -- 400 3000 looked_into=4 look_depth=4
//! ```
//!
//! plays 400 games at 3000 positions a move between an engine with these numbers and one with the defaults, two games at
//! a time. `tables=FILE` gives both the endgame tables of that file; `deals=N` begins with another deal than 70 000, to
//! confirm a result on deals that it was not chosen by.

#![allow(clippy::print_stdout, reason = "a program for developers")]

use std::env;
use std::fs::File;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use chuhe_banqi::contest::{MatchScore, Pace, play_match_game};
use chuhe_banqi::endgame::Endgames;
use chuhe_banqi::engine::{Engine, Params};
use chuhe_banqi::{Failure, Game, Limits, Move, Player, Rules};

const THREADS: u32 = 2;

struct Ours(Engine);

impl Player for Ours {
    fn new_game(&mut self, _: &Rules) -> Result<(), Failure> {
        self.0.new_game();
        Ok(())
    }

    fn choose(
        &mut self,
        game: &Game,
        limits: &Limits,
        _: Option<std::time::Duration>,
    ) -> Result<Move, Failure> {
        Ok(self.0.search(game, limits).best)
    }
}

struct Duel {
    pairs: u32,
    first_deal: u64,
    limits: Limits,
    params: Params,
    endgames: Option<Arc<Endgames>>,
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match Duel::read(&arguments) {
        Ok(duel) => duel.play(),
        Err(problem) => println!("{problem}\nduel GAMES NODES [tables=FILE] [deals=N] NAME=VALUE…"),
    }
}

impl Duel {
    fn read(arguments: &[String]) -> Result<Self, String> {
        let number = |place: usize| arguments.get(place).and_then(|text| text.parse().ok());
        let (Some(games), Some(nodes)) = (number(0), number(1)) else {
            return Err("the first two arguments are numbers".to_owned());
        };
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let pairs = u32::try_from(games / 2).map_err(|error| error.to_string())?;
        let mut duel = Self { pairs, first_deal: 70_000, limits, params: Params::default(), endgames: None };
        for setting in &arguments[2..] {
            match setting.split_once('=') {
                Some(("tables", path)) => duel.endgames = Some(Arc::new(read_tables(path)?)),
                Some(("deals", number)) => {
                    duel.first_deal = number.parse().map_err(|_| format!("'{number}' is no deal"))?;
                }
                _ => set(&mut duel.params, setting)?,
            }
        }
        Ok(duel)
    }

    fn play(&self) {
        let next = AtomicU32::new(0);
        let scores = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    let engine =
                        |params| Ours(Engine::new(params, 1, 32).with_endgames(self.endgames.clone()));
                    let (mut new, mut old) = (engine(self.params.clone()), engine(Params::default()));
                    loop {
                        let pair = next.fetch_add(1, Ordering::Relaxed);
                        if pair >= self.pairs {
                            break;
                        }
                        let pace = Pace::Each(self.limits);
                        let halves = [2 * pair, 2 * pair + 1].map(|number| {
                            play_match_game(
                                &mut new,
                                &mut old,
                                Rules::OLYMPIAD,
                                pace,
                                self.first_deal,
                                number,
                            )
                            .half_points()
                        });
                        scores.lock().unwrap_or_else(PoisonError::into_inner).push(halves);
                    }
                });
            }
        });
        report(&scores.into_inner().unwrap_or_else(PoisonError::into_inner));
    }
}

/// Wins, draws, losses and Elo. Both games of a deal belong together, so the 95 % error is that of pairs.
fn report(pairs: &[[u8; 2]]) {
    let mut tally = MatchScore::default();
    pairs.iter().flatten().for_each(|&halves| tally.add(halves));
    let count = pairs.len() as f64;
    let mean = tally.score();
    let square = |pair: &[u8; 2]| (f64::from(pair[0] + pair[1]) / 4.0 - mean).powi(2);
    let variance = pairs.iter().map(square).sum::<f64>() / (count - 1.0).max(1.0);
    let error = 1.96 * (variance / count).sqrt();
    let elo = |score: f64| -400.0 * (1.0 / score.clamp(0.001, 0.999) - 1.0).log10();
    let MatchScore { wins, draws, losses } = tally;
    let half_width = (elo(mean + error) - elo(mean - error)) / 2.0;
    println!("+{wins} ={draws} -{losses}, {:.1} %, Elo {:+.0} ± {half_width:.0}", 100.0 * mean, elo(mean));
}

fn read_tables(path: &str) -> Result<Endgames, String> {
    let mut file = File::open(path).map_err(|error| format!("cannot open {path}: {error}"))?;
    Endgames::read(&mut file).map_err(|error| format!("{path}: {error}"))
}

fn set(params: &mut Params, setting: &str) -> Result<(), String> {
    let unknown = || format!("there is no number '{setting}'");
    let (name, value) = setting.split_once('=').ok_or_else(unknown)?;
    let value = value.parse().map_err(|_| unknown())?;
    let number = params.named().into_iter().find(|number| number.0 == name).ok_or_else(unknown)?;
    *number.1 = value;
    Ok(())
}
