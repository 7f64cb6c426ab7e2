//! Two parameter sets against each other, at a fixed number of nodes per move:
//!
//! ```sh
//! cargo run --release -p chuhe-banqi --example duel -- 200 3000 looked_into=4 look_depth=4
//! ```
//!
//! plays 200 games at 3000 positions a move between an engine with these numbers and one with the defaults.

#![allow(clippy::print_stdout, reason = "a program for developers")]

use std::env;
use std::time::Duration;

use chuhe_banqi::contest::{Pace, play_game};
use chuhe_banqi::deal::deal;
use chuhe_banqi::engine::{Engine, Params};
use chuhe_banqi::{Failure, Game, Limits, Move, Player, Rules};

struct Ours(Engine);

impl Player for Ours {
    fn new_game(&mut self, _: &Rules) -> Result<(), Failure> {
        self.0.new_game();
        Ok(())
    }

    fn choose(&mut self, game: &Game, limits: &Limits, _: Option<Duration>) -> Result<Move, Failure> {
        Ok(self.0.search(game, limits).best)
    }
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let number = |place: usize| arguments.get(place).and_then(|text| text.parse().ok());
    let (Some(games), Some(nodes)) = (number(0), number(1)) else {
        println!("duel GAMES NODES NAME=VALUE…");
        return;
    };
    let mut params = Params::default();
    for setting in arguments.iter().skip(2) {
        if !set(&mut params, setting) {
            println!("there is no number '{setting}'");
            return;
        }
    }
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut new = Ours(Engine::new(params, 1, 8));
    let mut old = Ours(Engine::new(Params::default(), 1, 8));
    let mut tally = [0; 3];
    for game in 0..games {
        let hidden = deal(70_000 + game / 2);
        let new_first = game % 2 == 0;
        let players: [&mut dyn Player; 2] =
            if new_first { [&mut new, &mut old] } else { [&mut old, &mut new] };
        for player in players {
            player.new_game(&Rules::OLYMPIAD).expect("the engine accepts every game");
        }
        let players: [&mut dyn Player; 2] =
            if new_first { [&mut new, &mut old] } else { [&mut old, &mut new] };
        let halves = play_game(players, Rules::OLYMPIAD, Pace::Each(limits), &hidden).half_points_of_first();
        tally[usize::from(if new_first { 2 - halves } else { halves })] += 1;
    }
    let [wins, draws, losses] = tally;
    println!("+{wins} ={draws} -{losses}");
}

fn set(params: &mut Params, setting: &str) -> bool {
    let Some((name, value)) = setting.split_once('=') else { return false };
    let Ok(value) = value.parse() else { return false };
    let mut numbers = params.named().into_iter();
    numbers.find(|number| number.0 == name).map(|number| *number.1 = value).is_some()
}
