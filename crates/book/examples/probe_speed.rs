//! How long a probe takes: goes through the positions of a book that the start position leads to.
//!
//! ```sh
//! cargo run --release -p chuhe-book --example probe_speed -- my.book
//! ```
#![expect(clippy::print_stdout, reason = "a tool for developers prints")]

use std::path::Path;
use std::time::Instant;

use chuhe_board::Position;
use chuhe_book::Book;

const PASSES: usize = 50;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("expected a book")?;
    let book = Book::open(Path::new(&path))?;
    let mut positions = vec![Position::start()];
    for index in 0.. {
        let Some(position) = positions.get(index).filter(|_| positions.len() < 100_000).cloned() else {
            break;
        };
        for known in book.moves(&position) {
            let mut child = position.clone();
            let _ = child.play(known.mv, &mut ());
            positions.push(child);
        }
    }
    // The fastest pass is the one that other programs disturbed least; those after the first find a warm cache.
    let mut moves = 0;
    let passes = (0..PASSES).map(|_| {
        let start = Instant::now();
        moves = positions.iter().map(|position| book.moves(position).len()).sum();
        start.elapsed()
    });
    let time = passes.min().unwrap_or_default();
    println!(
        "{} probes with {moves} moves in a book of {} positions: {:.2} µs each in the fastest of {PASSES} passes",
        positions.len(),
        book.len(),
        time.as_secs_f64() * 1e6 / positions.len() as f64
    );
    Ok(())
}
