//! How fast positions are counted, beside other ways and beside Debian's fairy-stockfish in the same
//! run: `make bench-perft`. Each way gets three rounds, taken in turn, and its best counts.
//!
//! Time is CPU time, so that other programs on the machine disturb less; only counting on two threads
//! goes by the clock. A round counts until two seconds are spent, so that no way is favoured by a
//! quiet moment.

#[path = "../tests/support/row_column.rs"]
mod row_column;

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use chuhe_board::plain::PlainBoard;
use chuhe_board::{Position, perft};
use row_column::Lines;

const ROUNDS: u32 = 3;
const SECONDS_A_ROUND: f64 = 2.0;
const PEER: &str = "/usr/games/fairy-stockfish";
/// Perft of the start position for depths 0 to 5.
const EXPECTED: [u64; 6] = [1, 44, 1920, 79_666, 3_290_240, 133_312_995];

/// What was counted and how long it took.
struct Run {
    nodes: u64,
    seconds: f64,
}

/// A way of counting and its best speed so far, in nodes a second.
struct Way {
    name: &'static str,
    depth: u32,
    run: fn(u32) -> Run,
    best: f64,
}

impl Way {
    const fn new(name: &'static str, depth: u32, run: fn(u32) -> Run) -> Self {
        Self { name, depth, run, best: 0.0 }
    }

    fn run_round(&mut self) {
        let (mut nodes, mut seconds) = (0, 0.0);
        while seconds < SECONDS_A_ROUND {
            let run = (self.run)(self.depth);
            assert_eq!(run.nodes, EXPECTED[self.depth as usize], "{}", self.name);
            nodes += run.nodes;
            seconds += run.seconds;
        }
        self.best = self.best.max(nodes as f64 / seconds);
    }
}

fn main() -> io::Result<()> {
    let mut ways = vec![
        Way::new("fairy-stockfish, go perft", 5, |depth| ask_peer(depth).expect("the peer counts")),
        Way::new("ours, last ply counted", 5, |depth| on_cpu(|| perft::count(&Position::start(), depth))),
        Way::new("ours, every move listed", 5, |depth| {
            on_cpu(|| perft::count_listed(&Position::start(), depth))
        }),
        Way::new("ours, counted on two threads", 5, |depth| {
            on_clock(|| perft::divide(&Position::start(), depth, 2).iter().map(|(_, nodes)| nodes).sum())
        }),
        Way::new("ours, copied instead of taken back", 5, |depth| {
            on_cpu(|| copied(&Position::start(), depth))
        }),
        Way::new("row-and-column tables, moves tried", 4, |depth| on_cpu(|| by_rows_and_columns(depth))),
        Way::new("plain scanning, moves tried", 3, |depth| {
            on_cpu(|| PlainBoard::from(&Position::start()).perft(depth))
        }),
    ];
    let mut output = io::stdout().lock();
    if !Path::new(PEER).exists() {
        writeln!(output, "No peer to compare with: apt install fairy-stockfish")?;
        ways.remove(0);
    }
    for _ in 0..ROUNDS {
        ways.iter_mut().for_each(Way::run_round);
    }
    let first = ways[0].best;
    writeln!(output, "Start position, best of {ROUNDS}, million nodes/s:")?;
    for way in ways {
        let (millions, ratio) = (way.best / 1e6, way.best / first);
        writeln!(output, "{:36} {millions:9.2}  {ratio:6.2} times the first", way.name)?;
    }
    Ok(())
}

/// Counts and takes the CPU time of this process.
fn on_cpu(count: impl FnOnce() -> u64) -> Run {
    let start = cpu_seconds("self").expect("the kernel reports CPU times");
    let nodes = count();
    Run { nodes, seconds: cpu_seconds("self").expect("the kernel reports CPU times") - start }
}

/// Counts and takes the time on the clock.
fn on_clock(count: impl FnOnce() -> u64) -> Run {
    let start = Instant::now();
    let nodes = count();
    Run { nodes, seconds: start.elapsed().as_secs_f64() }
}

/// The CPU time that a process has used, from the fields `utime` and `stime` of Linux's proc(5), which
/// count hundredths of a second.
fn cpu_seconds(process: &str) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut fields = after_name.split_whitespace().skip(11);
    let mut hundredths = || fields.next()?.parse::<f64>().ok();
    Some((hundredths()? + hundredths()?) / 100.0)
}

fn by_rows_and_columns(depth: u32) -> u64 {
    let mut position = Position::start();
    let mut lines = Lines::of(&position);
    row_column::perft(&mut position, &mut lines, depth)
}

/// As `perft::count`, with every move played on a copy instead of taken back.
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

/// Has the peer count; that it starts first costs some hundredths of many seconds.
fn ask_peer(depth: u32) -> io::Result<Run> {
    let mut process = Command::new(PEER).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = process.stdin.take().expect("standard input is a pipe");
    let output = BufReader::new(process.stdout.take().expect("standard output is a pipe"));
    write!(input, "uci\nsetoption name UCI_Variant value xiangqi\nposition startpos\ngo perft {depth}\n")?;
    let mut run = Err(io::Error::other("no count"));
    for line in output.lines() {
        if let Some(count) = line?.strip_prefix("Nodes searched: ") {
            let seconds = cpu_seconds(&process.id().to_string()).expect("the kernel reports CPU times");
            run = count.trim().parse().map(|nodes| Run { nodes, seconds }).map_err(io::Error::other);
            break;
        }
    }
    writeln!(input, "quit")?;
    process.wait()?;
    run
}
