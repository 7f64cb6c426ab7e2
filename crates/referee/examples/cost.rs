//! What asking the referee costs a search: `cargo run --release --example cost`.
//!
//! Plays the games of the published cases and asks at every position, new or repeated: there nearly
//! every repetition is a chase that has to be followed to its end. Then walks through all lines of
//! some plies from each of these positions, with and without asking, as a search without pruning
//! would. Prints nanoseconds a question, the clock's own cost included.

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use chuhe_board::coords::{RankStyle, parse_move};
use chuhe_board::{Move, Position};
use chuhe_referee::{History, Referee, RuleSet};

/// How often the games are played.
const ROUNDS: u32 = 100;

/// How often each walk is made.
const WALKS: u32 = 5;

/// How many plies are walked; the fourth is the first that can repeat a position.
const DEPTH: u32 = 4;

/// Every how many games one is walked from.
const STRIDE: usize = 25;

fn main() -> Result<(), Box<dyn Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/rules/repetition.txt");
    let text = fs::read_to_string(path)?;
    let games: Vec<(Position, Vec<Move>)> =
        text.lines().filter(|line| !line.starts_with('#')).map(read).collect::<Result<_, _>>()?;
    let mut out = io::stdout().lock();
    for rules in RuleSet::ALL {
        let referee = Referee::new(rules);
        let [fresh, repeated] = ask_all(&games, referee);
        let walked = walk_all(&games, referee);
        writeln!(
            out,
            "{:9} {fresh:4} ns if nothing is repeated, {repeated:6} ns if something is, {walked:5.1} ns a node walked",
            rules.name()
        )?;
    }
    Ok(())
}

/// The nanoseconds of a question where nothing is repeated and where something is: the best round
/// counts, since other programs disturb the clock.
fn ask_all(games: &[(Position, Vec<Move>)], referee: Referee) -> [u128; 2] {
    let mut best = [u128::MAX; 2];
    for _ in 0..ROUNDS {
        let mut times = Times::default();
        for (start, moves) in games {
            times.ask(referee, start, moves);
        }
        for (best, (time, asked)) in best.iter_mut().zip([times.fresh, times.repeated]) {
            *best = (*best).min(time.as_nanos() / asked.max(1));
        }
    }
    best
}

/// Time and number of the questions at positions that are new and at repeated ones.
#[derive(Default)]
struct Times {
    fresh: (Duration, u128),
    repeated: (Duration, u128),
}

impl Times {
    fn ask(&mut self, referee: Referee, start: &Position, moves: &[Move]) {
        let mut position = start.clone();
        let mut history = History::new(&position);
        for mv in moves {
            let undo = position.play(*mv, &mut ());
            history.push(undo, &position);
            let start = Instant::now();
            let ruling = black_box(referee.repetition(black_box(&position), &history, 0));
            let time = start.elapsed();
            let entry = if ruling.is_some() { &mut self.repeated } else { &mut self.fresh };
            *entry = (entry.0 + time, entry.1 + 1);
        }
    }
}

/// The nanoseconds a node that asking adds to a walk.
fn walk_all(games: &[(Position, Vec<Move>)], referee: Referee) -> f64 {
    let mut extra = 0.0;
    let mut nodes = 0;
    for (start, _) in games.iter().step_by(STRIDE) {
        let (without, _) = best_walk(start, &|_, _| ());
        let (with, count) = best_walk(start, &|position, history| {
            black_box(referee.repetition(position, history, 0));
        });
        extra += with.as_secs_f64() - without.as_secs_f64();
        nodes += count;
    }
    extra * 1e9 / f64::from(nodes)
}

/// The time of the best of some walks, and its nodes.
fn best_walk(start: &Position, ask: &impl Fn(&Position, &History)) -> (Duration, u32) {
    let (mut position, mut history) = (start.clone(), History::new(start));
    let mut best = (Duration::MAX, 0);
    for _ in 0..WALKS {
        let before = Instant::now();
        let nodes = walk(&mut position, &mut history, DEPTH, ask);
        best = best.min((before.elapsed(), nodes));
    }
    best
}

/// Visits all lines of `depth` plies and calls `ask` at every node.
fn walk(
    position: &mut Position,
    history: &mut History,
    depth: u32,
    ask: &impl Fn(&Position, &History),
) -> u32 {
    ask(position, history);
    if depth == 0 {
        return 1;
    }
    let mut nodes = 1;
    for mv in position.moves() {
        let undo = position.play(mv, &mut ());
        history.push(undo, position);
        nodes += walk(position, history, depth - 1, ask);
        history.pop();
        position.take_back(undo, &mut ());
    }
    nodes
}

/// Start and moves of a line of the suite.
fn read(line: &str) -> Result<(Position, Vec<Move>), Box<dyn Error>> {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let [_, _, _, _, _, fen, moves, ..] = fields.as_slice() else {
        return Err("a line of the suite has too few fields".into());
    };
    let moves = moves.split_whitespace().map(|text| parse_move(text, RankStyle::FromZero));
    Ok((fen.parse()?, moves.collect::<Result<_, _>>()?))
}
