//! Prints random games that end in a repeated position, with the referee's verdict, for comparison
//! with other programs: `FEN|moves|verdict`, the cycle played once. `tools/check-referee` reads it.
//!
//! `cargo run --release --example cycles -- SEED COUNT RULES`

use std::env;
use std::error::Error;
use std::io::{self, Write};

use chuhe_board::{Bitboard, Move, Piece, PieceKind, Position, Side, Square, zones};
use chuhe_referee::{Game, Nature, Referee, RuleSet, Verdict};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    let [_, seed, count, rules] = arguments.as_slice() else {
        return Err("expected a seed, a count and a rule set".into());
    };
    let (mut random, count): (Random, usize) = (Random(seed.parse()?), count.parse()?);
    let referee = Referee::new(rules.parse::<RuleSet>()?).with_fold(2);
    let mut out = io::stdout().lock();
    let mut printed = 0;
    while printed < count {
        let Some(position) = random_position(&mut random) else {
            continue;
        };
        let games = (0..TRIES).filter_map(|_| random_cycle(&position, &mut random));
        let judged = games.map(|game| (referee.judge(&game), game)).find(|(verdict, _)| is_lively(verdict));
        if let Some((verdict, game)) = judged {
            let moves: Vec<String> =
                game.history().plies().iter().filter_map(|ply| ply.mv()).map(|mv| mv.to_string()).collect();
            writeln!(out, "{position}|{}|{}", moves.join(" "), verdict.outcome.name())?;
            printed += 1;
        }
    }
    Ok(())
}

/// How many cycles are tried from one position.
const TRIES: usize = 40;

/// Whether some side attacks with every move: other cycles are dull.
fn is_lively(verdict: &Verdict) -> bool {
    let attacks = |nature| !matches!(nature, Nature::Offer | Nature::Block | Nature::Idle);
    Side::ALL.into_iter().any(|side| {
        verdict.reasons.iter().filter(|reason| reason.side == side).all(|reason| attacks(reason.nature))
    })
}

/// A game of four or eight plies that comes back to `start`: each side moves a piece, or two pieces,
/// and then moves back.
fn random_cycle(start: &Position, random: &mut Random) -> Option<Game> {
    let mut game = Game::new(start.clone());
    let mut forth: Vec<Move> = Vec::new();
    let pieces = 1 + random.below(2);
    for _ in 0..2 * pieces {
        let position = game.position();
        let quiet: Vec<Move> =
            position.moves().into_iter().filter(|mv| position.piece_on(mv.to()).is_none()).collect();
        let mv = *quiet.get(random.below(quiet.len().max(1)))?;
        forth.push(mv);
        game.play(mv).ok()?;
    }
    // Each side takes its own moves back, the last one first.
    for index in 0..2 * pieces {
        let mv = forth[2 * (pieces - 1 - index / 2) + index % 2];
        game.play(Move::new(mv.to(), mv.from())).ok()?;
    }
    (game.position().key() == start.key()).then_some(game)
}

/// A position with some pieces of each kind on points they may stand on, if the rules allow it.
fn random_position(random: &mut Random) -> Option<Position> {
    let mut pieces: Vec<(Piece, Square)> = Vec::new();
    let mut taken = Bitboard::EMPTY;
    for side in Side::ALL {
        for kind in PieceKind::ALL {
            let zone = if kind == PieceKind::Soldier {
                zones::soldier_points(side)
            } else {
                zones::allowed(side, kind)
            };
            let most = kind.full_count().min(3) as usize;
            let count = if kind == PieceKind::General { 1 } else { random.below(most + 1) };
            for _ in 0..count {
                let free: Vec<Square> = (zone - taken).into_iter().collect();
                let at = *free.get(random.below(free.len().max(1)))?;
                taken |= at;
                pieces.push((Piece::new(side, kind), at));
            }
        }
    }
    let side = if random.below(2) == 0 { Side::Red } else { Side::Black };
    Position::from_pieces(pieces, side).ok().filter(Position::has_moves)
}

/// The SplitMix64 stream.
struct Random(u64);

impl Random {
    /// A number below `limit`, which is not zero.
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ z >> 31) % limit as u64) as usize
    }
}
