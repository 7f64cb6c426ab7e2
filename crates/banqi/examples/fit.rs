//! Fits numbers of the evaluation to the results of games (Texel tuning):
//!
//! ```sh
//! chuhe banqi match full full --nodes 2000 --games 400 --journal games.txt
//! cargo run --release -p chuhe-banqi --example fit -- games.txt soldier,mobility,aim
//! ```
//!
//! reads the games of `chuhe banqi match --journal`, takes the positions of more than four pieces in which the side to move has nothing to take, and
//! changes one number at a time while that brings the evaluation, as a winning probability, nearer to the
//! results. A smaller error is no proof of strength: play a match (`examples/duel.rs`).

#![allow(clippy::print_stdout, reason = "a program for developers")]

use std::env;
use std::fs;

use chuhe_banqi::endgame::COMPLETE_PIECES;
use chuhe_banqi::engine::{Params, StaticEvaluation};
use chuhe_banqi::{Game, GameEnd, Played, Position, Rules, SquareStyle, text};

const RULES: Rules = Rules::OLYMPIAD;
const ROUNDS: usize = 12;

/// A quiet position, and the result for its side to move: 0, a half or 1.
type Sample = (Position, f64);

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [journal, names] = arguments.as_slice() else {
        println!("fit JOURNAL NAME,NAME…");
        return;
    };
    let samples = match fs::read_to_string(journal) {
        Ok(text) => samples(&text),
        Err(error) => {
            println!("cannot read {journal}: {error}");
            return;
        }
    };
    let names: Vec<&str> = names.split(',').collect();
    let mut known = Params::default();
    let known: Vec<&str> = known.named().into_iter().map(|number| number.0).collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        println!("there is no number '{unknown}'");
        return;
    }
    let scale = best_scale(&samples);
    println!("{} positions, scale {scale:.4}", samples.len());
    let mut fitted = fit(&samples, scale, &names);
    for name in &names {
        println!("{name}={}", number(&mut fitted, name));
    }
}

/// The quiet positions of all finished games of a journal. Both games of a deal that two equal players play are the same:
/// a line counts once.
fn samples(journal: &str) -> Vec<Sample> {
    let mut games: Vec<&str> = journal.lines().filter_map(|line| line.splitn(5, ' ').nth(4)).collect();
    games.sort_unstable();
    games.dedup();
    games.into_iter().flat_map(samples_of_game).collect()
}

fn samples_of_game(moves: &str) -> Vec<Sample> {
    let mut game = Game::new(Position::start(), RULES);
    let mut quiet = Vec::new();
    for word in moves.split(' ') {
        let Ok((mv, shown)) = text::parse_move(word, SquareStyle::Tall) else { return Vec::new() };
        let position = game.position();
        let can_take = game.moves().iter().any(|mv| !mv.is_flip() && position.piece_on(mv.to()).is_some());
        let in_tables = position.occupied().len() <= COMPLETE_PIECES;
        if !can_take && !in_tables && position.side_to_move().is_some() {
            quiet.push(position.clone());
        }
        let ply = match shown {
            Some(piece) => Played::Flip(mv.from(), piece),
            None => Played::Step(mv.from(), mv.to()),
        };
        if game.play(ply).is_err() {
            return Vec::new();
        }
    }
    let result = |position: &Position| match game.end()? {
        GameEnd::Won { by, .. } => Some(f64::from(u8::from(position.side_to_move() == Some(by)))),
        GameEnd::Drawn(_) => Some(0.5),
    };
    quiet
        .into_iter()
        .filter_map(|position| {
            let result = result(&position)?;
            Some((position, result))
        })
        .collect()
}

/// The mean squared difference between winning probability and result.
fn error(samples: &[Sample], params: &Params, scale: f64) -> f64 {
    let mut evaluation = StaticEvaluation::new(&RULES, params.clone());
    let squares = samples.iter().map(|(position, result)| {
        let probability = 1.0 / (1.0 + (-scale * f64::from(evaluation.score(position))).exp());
        (probability - result).powi(2)
    });
    squares.sum::<f64>() / samples.len().max(1) as f64
}

/// The scale of the sigmoid that suits the present numbers best.
fn best_scale(samples: &[Sample]) -> f64 {
    let error = |&scale: &f64| error(samples, &Params::default(), scale);
    let scales = (1..50).map(|step| f64::from(step) * 0.0002);
    scales.min_by(|one, other| error(one).total_cmp(&error(other))).unwrap_or(0.004)
}

/// Coordinate descent with steps that shrink where they no longer help.
fn fit(samples: &[Sample], scale: f64, names: &[&str]) -> Params {
    let mut params = Params::default();
    let mut least = error(samples, &params, scale);
    let mut steps = vec![0.16; names.len()];
    for round in 0..ROUNDS {
        for (name, step) in names.iter().zip(&mut steps) {
            let value = *number(&mut params, name);
            let by = ((f64::from(value).abs() * *step).round() as i32).max(1);
            let better = [value + by, value - by].into_iter().find_map(|value| {
                let mut changed = params.clone();
                *number(&mut changed, name) = value;
                let error = error(samples, &changed, scale);
                (error < least).then_some((changed, error))
            });
            match better {
                Some(found) => (params, least) = found,
                None => *step /= 2.0,
            }
        }
        println!("round {}: error {least:.6}", round + 1);
    }
    params
}

fn number<'a>(params: &'a mut Params, name: &str) -> &'a mut i32 {
    params.named().into_iter().find(|number| number.0 == name).expect("the name was checked").1
}
