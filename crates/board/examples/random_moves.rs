//! Prints different positions of random games, each with its legal moves, for an outside judge:
//! `FEN;move move …` with ranks counted 1–10. The same seed prints the same positions.
//!
//! ```sh
//! cargo run --release --example random_moves -- --positions 1000 --seed 1
//! ```

use std::collections::HashSet;
use std::io::{self, BufWriter, Write};

use chuhe_board::coords::{self, RankStyle};
use chuhe_board::{MoveList, Position};

/// Games end here if not before.
const LONGEST_GAME: usize = 400;

fn main() -> io::Result<()> {
    let mut random = Random(argument("--seed", 1));
    let positions = argument("--positions", 1000) as usize;
    let mut output = BufWriter::new(io::stdout().lock());
    let mut seen = HashSet::new();
    while seen.len() < positions {
        let mut position = Position::start();
        for _ in 0..LONGEST_GAME {
            let moves = position.moves();
            if seen.len() < positions && seen.insert(position.key()) {
                write_line(&mut output, &position, &moves)?;
            }
            if moves.is_empty() {
                break;
            }
            let _ = position.play(moves[random.below(moves.len())], &mut ());
        }
    }
    output.flush()
}

fn write_line(output: &mut impl Write, position: &Position, moves: &MoveList) -> io::Result<()> {
    write!(output, "{position};")?;
    for (index, mv) in moves.iter().enumerate() {
        let space = if index == 0 { "" } else { " " };
        write!(output, "{space}{}", coords::write_move(*mv, RankStyle::FromOne))?;
    }
    writeln!(output)
}

/// The number behind a flag, or what is usual.
fn argument(flag: &str, usual: u64) -> u64 {
    let mut arguments = std::env::args().skip_while(|argument| argument != flag);
    arguments.nth(1).map_or(usual, |number| number.parse().expect("flags are followed by a number"))
}

/// The SplitMix64 stream.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ z >> 31) % limit as u64) as usize
    }
}
