//! Makes positions for the suites from games of the engine against itself.
//!
//! ```sh
//! cargo run --release -p chuhe-search --example make_suites -- mates 45 > suites/mates.txt
//! cargo run --release -p chuhe-search --example make_suites -- tactics 120 > suites/tactics.txt
//! cargo run --release -p chuhe-search --example make_suites -- bench 24 > suites/bench.txt
//! ```
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a developer's tool")]

mod games;
#[path = "../../tests/support/mate_solver.rs"]
mod mate_solver;

use std::collections::HashSet;

use chuhe_board::{Key, Move, Position};
use chuhe_referee::Game;
use chuhe_search::{Control, Limits, Line, Pool};
use games::{Moment, Player};
use mate_solver::Solver;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let suite = arguments.next().unwrap_or_default();
    let count = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(10);
    let seed = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(1);
    let mut player = Player::new(seed);
    match suite.as_str() {
        "mates" => make_mates(&mut player, count),
        "tactics" => make_tactics(&mut player, count),
        "bench" => make_bench(&mut player, count),
        _ => eprintln!("which suite: mates, tactics or bench?"),
    }
}

const LONGEST_MATE: u32 = 5;
/// The most mates of each distance kept from one game.
const MATES_PER_GAME: usize = 1;

/// Prints `count` mates of each distance, with the distance proved by trying everything.
fn make_mates(player: &mut Player, count: usize) {
    println!("# Mates for the side to move: FEN ; moves to mate, proved by trying all moves of both sides.");
    let mut found: Vec<Vec<String>> = vec![Vec::new(); LONGEST_MATE as usize + 1];
    let mut seen: HashSet<Key> = HashSet::new();
    while found.iter().skip(1).any(|mates| mates.len() < count) {
        let mut solver = Solver::with_patience(40_000_000);
        let mut of_this_game = [0; LONGEST_MATE as usize + 1];
        for Moment { position, score, .. } in player.game().into_iter().rev() {
            let claimed = score.mate_in().filter(|moves| (1..=5).contains(moves));
            let Some(claimed) = claimed.map(|moves| moves as usize) else {
                continue;
            };
            if of_this_game[claimed] >= MATES_PER_GAME || found[claimed].len() >= count {
                continue;
            }
            let position = fresh(&position);
            if let Some(Some(moves)) = solver.shortest_mate(&position, claimed as u32)
                && found[moves as usize].len() < count
                && seen.insert(position.key())
            {
                of_this_game[moves as usize] += 1;
                found[moves as usize].push(format!("{position} ; {moves}"));
            }
        }
        eprintln!("{:?}", found.iter().map(Vec::len).collect::<Vec<_>>());
    }
    for line in found.concat() {
        println!("{line}");
    }
}

/// The position as the start of a game, without a past.
fn fresh(position: &Position) -> Position {
    let fen = position.to_string();
    let board: Vec<&str> = fen.split(' ').take(2).collect();
    board.join(" ").parse().expect("a position can be read again")
}

/// What the winning move must be worth, and how much more than the next best.
const WINNING: i32 = 150;
const GAP: i32 = 200;

/// Prints positions in which one move wins and no other does, by searches far deeper than a test's.
fn make_tactics(player: &mut Player, count: usize) {
    println!("# One move wins: FEN ; the move.");
    let mut pool = Pool::new(1, 64);
    let mut seen: HashSet<Key> = HashSet::new();
    let mut found = 0;
    while found < count {
        let moments = player.game();
        let mut kept = 0;
        for pair in moments.windows(2) {
            let [before, now] = pair else { continue };
            // The side to move gained by the other's move: that move had overlooked something.
            let gained = now.score.get() + before.score.get();
            if kept >= 2 || gained < 100 || now.score.get() < 80 || before.score.is_decided() {
                continue;
            }
            let position = fresh(&now.position);
            let Some(mv) = only_win(&mut pool, &position, 40_000) else {
                continue;
            };
            if is_obvious(&position, mv) || !seen.insert(position.key()) {
                continue;
            }
            if only_win(&mut pool, &position, 600_000) == Some(mv) {
                println!("{position} ; {mv}");
                found += 1;
                kept += 1;
            }
        }
        eprintln!("{found}");
    }
}

/// The only winning move, as far as a search of `nodes` nodes sees.
fn only_win(pool: &mut Pool, position: &Position, nodes: u64) -> Option<Move> {
    pool.clear();
    let limits = Limits { lines: 2, ..Limits::nodes(nodes) };
    let answer = pool.search(&Game::new(position.clone()), &limits, &Control::default(), &mut |_| {});
    let [best, second] = answer.lines.as_slice() else {
        return None;
    };
    let score = |line: &Line| line.score.get();
    let alone = score(best) >= WINNING && score(best) - score(second) >= GAP && score(second) < WINNING;
    best.moves.first().copied().filter(|_| alone)
}

/// Taking an unprotected piece is no puzzle: a search of a few positions sees it.
fn is_obvious(position: &Position, mv: Move) -> bool {
    let mut pool = Pool::new(1, 1);
    let answer =
        pool.search(&Game::new(position.clone()), &Limits::nodes(300), &Control::default(), &mut |_| {});
    answer.best == Some(mv)
}

/// Prints one position of each of `count` games, from the opening of the first to the endgame of the
/// last.
fn make_bench(player: &mut Player, count: usize) {
    println!("# Positions for the bench, from opening to endgame, of games of the engine against itself.");
    println!("{}", Position::start());
    let mut found = 1;
    while found < count {
        let moments = player.game();
        let wanted = 6 + found * 110 / count;
        let level = |moment: &&Moment| moment.score.get().abs() < 350;
        if let Some(moment) = moments.get(wanted).filter(level)
            && moment.position.moves().len() > 8
        {
            println!("{}", moment.position);
            found += 1;
        }
    }
}
