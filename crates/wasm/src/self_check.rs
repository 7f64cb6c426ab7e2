//! A digest of random games: two builds with the same digest follow the same rules, in the same words, and evaluate
//! alike.

use std::fmt::Write;

use chuhe_adapters::{Evaluation, NetworkVerdict};
use chuhe_board::{Move, Position};
use chuhe_eval::network::Network;
use chuhe_notation::chinese::{self, Script};
use chuhe_notation::wxf;
use chuhe_referee::{Game, Referee};
use chuhe_report::Language;
use chuhe_report::verdict::sentence;
use xxhash_rust::xxh3::xxh3_64;

/// The most plies of a game.
const PLIES: usize = 60;

/// Every so many plies the hand-written evaluation is part of the digest.
const EXPLAINED: usize = 10;

/// The digest for an input `seed games`, in hexadecimal.
pub(crate) fn answer(input: &[u8]) -> String {
    let text = String::from_utf8_lossy(input);
    let mut numbers = text.split_whitespace().map(|word| word.parse::<u64>().unwrap_or(0));
    let (seed, games) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    format!("{:016x}", digest(seed, games))
}

/// Plays random games and returns a digest of everything in them: positions, legal moves, notation, verdicts, the
/// network's evaluation of every position and the hand-written one of some.
pub fn digest(seed: u64, games: u64) -> u64 {
    let network = Network::built_in();
    let mut random = seed;
    let mut text = String::new();
    let mut digest = seed;
    for _ in 0..games {
        text.clear();
        play(&mut random, &network, &mut text);
        digest = digest.rotate_left(7) ^ xxh3_64(text.as_bytes());
    }
    digest
}

fn play(random: &mut u64, network: &Network, text: &mut String) {
    let mut game = Game::new(Position::start());
    let referee = Referee::default();
    for ply in 0..PLIES {
        let position = game.position();
        let moves = position.moves();
        let _ = write!(text, "{position} {} ", NetworkVerdict::of(network, position).red);
        // Not at every ply, so that many games take seconds.
        if ply.is_multiple_of(EXPLAINED) {
            let _ = write!(text, "{} ", Evaluation::of(position).red);
        }
        for mv in &moves {
            let _ = write!(text, "{mv}");
        }
        if moves.is_empty() {
            break;
        }
        let mv = moves[below(random, moves.len())];
        name(position, mv, text);
        game.play(mv).expect("the move is legal");
        // Random games repeat themselves by going back and forth.
        if below(random, 4) == 0 {
            go_back(&mut game, mv);
        }
    }
    let verdict = referee.judge(&game);
    let repeated = referee.with_fold(2).judge(&game);
    for language in [Language::English, Language::Traditional, Language::Simplified] {
        let _ = write!(text, "{}{}", sentence(&verdict, language), sentence(&repeated, language));
    }
}

/// The move in every notation.
fn name(position: &Position, mv: Move, text: &mut String) {
    let _ = writeln!(
        text,
        " {mv} {} {} {}",
        wxf::write_move(position, mv),
        chinese::write_move(position, mv, Script::Traditional),
        chinese::write_move(position, mv, Script::Simplified)
    );
}

/// The opponent passes with some move if the last one can then be taken back as a move.
fn go_back(game: &mut Game, mv: Move) {
    let back = Move::new(mv.to(), mv.from());
    let Some(reply) = game.position().moves().into_iter().next() else { return };
    if game.play(reply).is_ok() && game.position().is_legal(back) {
        game.play(back).expect("it is legal");
    }
}

/// SplitMix64, below `end`.
fn below(state: &mut u64, end: usize) -> usize {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut bits = *state;
    bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^= bits >> 31;
    ((u128::from(bits) * end as u128) >> 64) as usize
}

#[test]
fn a_digest_depends_on_every_game() {
    assert_eq!(digest(1, 3), digest(1, 3));
    assert_ne!(digest(1, 3), digest(1, 4));
    assert_ne!(digest(1, 3), digest(2, 3));
}
