//! Deep Elephant's cut in a tree of its own shape: takes as many nodes of an expanded book from each ply as the paper's book has there,
//! those that good play reaches first, and cuts them for N = 1 to 4.
//!
//! ```sh
//! chuhe book expand wide.book --positions 540000 --nodes 300 --round 20000
//! cargo run -p chuhe-book --example cut_shape -- wide.book
//! ```
#![expect(clippy::print_stdout, reason = "a tool for developers prints")]

use std::collections::HashMap;
use std::path::Path;

use chuhe_board::{Key, Position, Side};
use chuhe_book::prune::{Cut, prune};
use chuhe_book::{Book, Entries, moves_in, slot};

/// The nodes of each ply of the paper's book, from its figure of sums over ten plies, and what its cut for N = 1 leaves.
const PAPER: [(usize, usize); 10] = [
    (24, 24),
    (268, 49),
    (986, 129),
    (2381, 244),
    (4313, 368),
    (7107, 607),
    (10861, 1039),
    (15749, 1434),
    (21521, 2154),
    (27826, 2835),
];
/// Centisoldiers that are as bad as a ply, as in the expansion.
const PLY_LOSS: f64 = 20.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("expected a book")?;
    let tree = thinned(&Book::open(Path::new(&path))?.entries());
    let cuts: Vec<Cut> = (1..=4).map(|keep| prune(&tree, &Side::ALL, keep)).collect();
    println!("| ply | paper | paper cut | ours | N = 1 | 2 | 3 | 4 |\n|---|---|---|---|---|---|---|---|");
    for (ply, (before, after)) in PAPER.iter().enumerate() {
        let ours: Vec<String> = cuts.iter().map(|cut| cut.plies[ply].1.to_string()).collect();
        println!("| {} | {before} | {after} | {} | {} |", ply + 1, cuts[0].plies[ply].0, ours.join(" | "));
    }
    let shares: Vec<String> = cuts.iter().map(|cut| format!("{:.2} %", cut.share())).collect();
    println!("| cut | | 90.24 % | {} | {} |", cuts[0].before, shares.join(" | "));
    Ok(())
}

/// The nodes of each ply that good play reaches first, as many as the paper has.
fn thinned(book: &Entries) -> Entries {
    let mut kept = Entries::new();
    let mut here = vec![(Position::start(), 0.0)];
    for (nodes, _) in PAPER {
        let mut moves = Vec::new();
        for (position, cost) in &here {
            let known = moves_in(book, position);
            let best = known.iter().filter_map(|known| known.score).max().unwrap_or(0);
            for known in known {
                let loss = f64::from(best) - f64::from(known.score.unwrap_or(best));
                moves.push((cost + loss / PLY_LOSS, position, known));
            }
        }
        moves.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut next: HashMap<Key, (Position, f64)> = HashMap::new();
        for (cost, position, known) in moves.into_iter().take(nodes) {
            let mut child = position.clone();
            let _ = child.play(known.mv, &mut ());
            next.entry(child.merged_key().0).or_insert((child, cost));
            let (key, own) = slot(position, known.mv);
            let mut known = known;
            known.mv = own;
            kept.entry(key).or_default().push(known);
        }
        here = next.into_values().collect();
        // The same order in every run.
        here.sort_by(|one, other| {
            one.1.total_cmp(&other.1).then(one.0.key().get().cmp(&other.0.key().get()))
        });
    }
    kept
}
