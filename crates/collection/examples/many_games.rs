//! How a collection of many games behaves: makes the given number out of a list of real ones, imports them and
//! times searches.
//!
//! ```sh
//! cargo run --release -p chuhe-collection --example many_games -- GAMES.txt 1000000 /tmp/many.db
//! ```
//!
//! Each game follows a real one for 8 to 40 plies and continues with random moves to its length, so that openings
//! are shared and later positions are not.
#![expect(clippy::print_stdout, reason = "a tool for developers prints")]

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use chuhe_board::Position;
use chuhe_board::coords::RankStyle;
use chuhe_collection::{Collection, Query};
use chuhe_notation::record::{Game, GameBuilder};
use chuhe_notation::{Format, read_records};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, list, count, db] = &arguments[..] else { return Err("expected LIST COUNT DB".into()) };
    let count: usize = count.parse()?;
    let mut models = Vec::new();
    read_records(Format::Text, &std::fs::read(list)?, RankStyle::FromZero, |game| {
        models.extend(game);
        ControlFlow::Continue(())
    });
    let mut collection = Collection::open(Path::new(db))?;
    if collection.is_empty()? {
        fill(&mut collection, &models, count)?;
    }
    println!("{} games, {} MB", collection.len()?, std::fs::metadata(db)?.len() >> 20);
    time_searches(&collection, &models)
}

fn fill(collection: &mut Collection, models: &[Game], count: usize) -> Outcome<()> {
    let mut random = 0x5eed_u64;
    let start = Instant::now();
    let mut import = collection.import(false)?;
    for number in 0..count {
        import.add(&varied(&models[number % models.len()], number < models.len(), &mut random))?;
    }
    let report = import.finish()?;
    println!(
        "{} added, {} duplicates, {:.0} s",
        report.added,
        report.same + report.transposed,
        start.elapsed().as_secs_f64()
    );
    Ok(())
}

fn next(random: &mut u64) -> u64 {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    *random
}

fn varied(model: &Game, whole: bool, random: &mut u64) -> Game {
    let length = model.main_moves().count();
    let kept = if whole { length } else { 8 + next(random) as usize % 33 };
    let mut builder = GameBuilder::new(model.start().clone());
    for mv in model.main_moves().take(kept) {
        builder.play(mv).expect("the model is legal");
    }
    while builder.ply() < length {
        let moves = builder.position().moves();
        if moves.is_empty() {
            break;
        }
        builder.play(moves[next(random) as usize % moves.len()]).expect("the move is legal");
    }
    builder.set_tag("Red", &format!("player {}", next(random) % 5000));
    builder.set_outcome(model.outcome);
    builder.finish()
}

fn time_searches(collection: &Collection, models: &[Game]) -> Outcome<()> {
    for ply in [0, 1, 4, 10, 20, 40, 60] {
        let mut times = Vec::new();
        let mut total = 0;
        for model in models.iter().step_by((models.len() / 20).max(1)) {
            let mut position = Position::start();
            for mv in model.main_moves().take(ply) {
                let _ = position.play(mv, &mut ());
            }
            let query = Query { position: Some(position), ..Query::default() };
            let start = Instant::now();
            total += collection.search(&query, 0, 20)?.total;
            times.push(start.elapsed().as_secs_f64() * 1000.0);
        }
        times.sort_by(f64::total_cmp);
        println!(
            "position after {ply:>2} plies: {:>7} games on average, median {:.1} ms, slowest {:.1} ms",
            total / times.len(),
            times[times.len() / 2],
            times[times.len() - 1]
        );
    }
    for (name, query) in [
        ("material R rn", Query { material: Some("R rn".parse()?), ..Query::default() }),
        ("player 4999", Query { player: Some("player 4999".into()), ..Query::default() }),
        ("pattern C@e4 n@c7", Query { pattern: Some("C@e4 n@c7".parse()?), ..Query::default() }),
    ] {
        let start = Instant::now();
        let total = collection.search(&query, 0, 20)?.total;
        println!("{name}: {total} games, {:.0} ms", start.elapsed().as_secs_f64() * 1000.0);
    }
    Ok(())
}
