//! How fast positions are counted, beside other ways and beside Debian's fairy-stockfish in the same
//! run: `make bench-perft`. Each way gets three rounds, taken in turn, and its best counts.

#[path = "../tests/support/row_column.rs"]
mod row_column;

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use chuhe_board::plain::PlainBoard;
use chuhe_board::{Position, perft};
use row_column::Lines;

const ROUNDS: u32 = 3;
const PEER: &str = "/usr/games/fairy-stockfish";
/// Lines of so many plies from the start position, for depths 0 to 5.
const EXPECTED: [u64; 6] = [1, 44, 1920, 79_666, 3_290_240, 133_312_995];

/// A way of counting and the fewest seconds it took.
struct Way {
    name: &'static str,
    depth: u32,
    count: fn(u32) -> u64,
    best: f64,
}

impl Way {
    const fn new(name: &'static str, depth: u32, count: fn(u32) -> u64) -> Self {
        Self { name, depth, count, best: f64::INFINITY }
    }

    fn run_once(&mut self) {
        let start = Instant::now();
        let nodes = (self.count)(self.depth);
        self.best = self.best.min(start.elapsed().as_secs_f64());
        assert_eq!(nodes, EXPECTED[self.depth as usize], "{}", self.name);
    }

    /// In millions of nodes a second.
    fn speed(&self) -> f64 {
        EXPECTED[self.depth as usize] as f64 / self.best / 1e6
    }
}

fn main() -> io::Result<()> {
    let mut ways = vec![
        Way::new("ours, last ply counted", 5, |depth| perft::count(&Position::start(), depth)),
        Way::new("ours, every move listed", 5, |depth| perft::count_listed(&Position::start(), depth)),
        Way::new("ours, counted on two threads", 5, |depth| {
            perft::divide(&Position::start(), depth, 2).iter().map(|(_, nodes)| nodes).sum()
        }),
        Way::new("ours, copied instead of taken back", 5, |depth| copied(&Position::start(), depth)),
        Way::new("row-and-column tables, moves tried", 4, |depth| {
            let mut position = Position::start();
            let mut lines = Lines::of(&position);
            row_column::perft(&mut position, &mut lines, depth)
        }),
        Way::new("plain scanning, moves tried", 3, |depth| PlainBoard::from(&Position::start()).perft(depth)),
    ];
    let mut peer = Way::new("fairy-stockfish, go perft 5", 5, |depth| {
        ask_peer(depth).expect("fairy-stockfish answers go perft")
    });
    let has_peer = Path::new(PEER).exists();
    for _ in 0..ROUNDS {
        if has_peer {
            peer.run_once();
        }
        ways.iter_mut().for_each(Way::run_once);
    }

    let mut output = io::stdout().lock();
    writeln!(output, "Start position, best of {ROUNDS}, million nodes/s:")?;
    if !has_peer {
        writeln!(output, "no peer to compare with: apt install fairy-stockfish")?;
        peer.best = f64::INFINITY;
    }
    for way in std::iter::once(&peer).filter(|_| has_peer).chain(&ways) {
        write!(output, "{:36} {:9.2}", way.name, way.speed())?;
        if has_peer {
            write!(output, "  {:6.2} times the peer", way.speed() / peer.speed())?;
        }
        writeln!(output)?;
    }
    Ok(())
}

/// As `perft::count`, with a copy of the position for each move.
fn copied(position: &Position, depth: u32) -> u64 {
    if depth == 1 {
        return position.count_moves();
    }
    let mut total = 0;
    for mv in position.moves() {
        let mut after = position.clone();
        let _ = after.play(mv, &mut ());
        total += copied(&after, depth - 1);
    }
    total
}

/// What the peer counts; starting it takes some milliseconds of many seconds.
fn ask_peer(depth: u32) -> io::Result<u64> {
    let mut process = Command::new(PEER).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = process.stdin.take().expect("standard input is a pipe");
    let output = BufReader::new(process.stdout.take().expect("standard output is a pipe"));
    write!(input, "uci\nsetoption name UCI_Variant value xiangqi\nposition startpos\ngo perft {depth}\n")?;
    let mut nodes = Err(io::Error::other("no count"));
    for line in output.lines() {
        if let Some(count) = line?.strip_prefix("Nodes searched: ") {
            nodes = count.trim().parse().map_err(io::Error::other);
            break;
        }
    }
    writeln!(input, "quit")?;
    process.wait()?;
    nodes
}
