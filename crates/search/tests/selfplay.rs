//! Games of the search against itself: everything it says must be legal.

use chuhe_board::Position;
use chuhe_referee::Game;
use chuhe_search::{Answer, Control, Event, Limits, Line, Pool};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Every move of the line can be played.
fn check_line(game: &Game, line: &Line) {
    let mut game = game.clone();
    for mv in &line.moves {
        game.play(*mv).expect("lines hold legal moves");
    }
}

fn check_answer(game: &Game, answer: &Answer, lines: &[Line]) {
    assert_eq!(answer.best.is_some(), game.position().has_moves());
    for line in lines.iter().chain(&answer.lines) {
        check_line(game, line);
    }
    let best = answer.lines.first().and_then(|line| line.moves.first().copied());
    assert_eq!(best, answer.best);
    let ranks: Vec<usize> = answer.lines.iter().map(|line| line.rank).collect();
    assert_eq!(ranks, (1..=ranks.len()).collect::<Vec<_>>());
}

/// Plays a game from a random opening. Returns its length in plies.
fn play(pool: &mut Pool, random: &mut Xoshiro256PlusPlus, limits: &Limits) -> usize {
    pool.clear();
    let mut game = Game::new(Position::start());
    for ply in 0..150 {
        let mut lines = Vec::new();
        let answer = pool.search(&game, limits, &Control::default(), &mut |event| {
            if let Event::Line(line) = event {
                lines.push(line);
            }
        });
        check_answer(&game, &answer, &lines);
        let Some(best) = answer.best else {
            return ply;
        };
        let moves = game.position().moves();
        let mv = if ply < 6 { moves[random.random_range(0..moves.len())] } else { best };
        game.play(mv).expect("the search plays legal moves");
    }
    150
}

#[test]
fn quick_games_are_played_with_legal_moves_and_lines() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(17);
    let mut pool = Pool::new(1, 1);
    let plies: usize = (0..12).map(|_| play(&mut pool, &mut random, &Limits::nodes(400))).sum();
    assert!(plies > 300);
}

#[test]
fn two_threads_and_several_lines_are_legal_too() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(18);
    let mut pool = Pool::new(2, 1);
    let limits = Limits { lines: 3, ..Limits::nodes(1500) };
    for _ in 0..3 {
        play(&mut pool, &mut random, &limits);
    }
}
