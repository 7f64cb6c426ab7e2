//! `chuhe-mpi` without a command: the engine, as a GUI starts it, on all ranks.

use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use chuhe_cluster::greeting::{self, Greeting};
use chuhe_cluster::link::Link;
use chuhe_cluster::link::mpi::MpiLink;
use chuhe_cluster::search::{self, Alarm, Commander, Exchange};
use chuhe_cluster::shape::Shape;
use chuhe_engine::{Session, Sink};
use chuhe_eval::network::Network;
use clap::Args;
use signal_hook::consts::{SIGCONT, SIGTERM};
use signal_hook::iterator::Signals;

/// Speak UCI, UCCI or xboard on rank 0 and search on all ranks
#[derive(Args)]
#[command(after_help = "Example: mpirun -n 4 chuhe-mpi engine --shape tree\n\n\
    Hash and Threads are set by the GUI as always; each rank has so much and so many of its own.")]
pub(crate) struct Arguments {
    /// How table entries travel: star, ring or tree
    #[arg(long, default_value_t = Shape::default().name().to_owned(), value_parser = shape_name)]
    shape: String,
    /// Exchange entries of this depth and deeper ones
    #[arg(long, value_name = "N", default_value_t = Exchange::default().least_depth)]
    least_depth: i32,
    /// Collect entries for so many milliseconds before they are sent
    #[arg(long, value_name = "MS", default_value_t = Exchange::default().interval.as_millis() as u64)]
    interval: u64,
    /// Tell after every search what the exchange of entries cost
    #[arg(long)]
    traffic: bool,
}

fn shape_name(name: &str) -> Result<String, String> {
    name.parse::<Shape>().map(|shape| shape.name().to_owned())
}

impl Default for Arguments {
    fn default() -> Self {
        let Exchange { shape, least_depth, interval } = Exchange::default();
        Self {
            shape: shape.name().to_owned(),
            least_depth,
            interval: interval.as_millis() as u64,
            traffic: false,
        }
    }
}

impl Arguments {
    fn exchange(&self) -> Exchange {
        Exchange {
            shape: self.shape.parse().unwrap_or_default(),
            least_depth: self.least_depth,
            interval: Duration::from_millis(self.interval),
        }
    }
}

pub(crate) fn run(link: &mut MpiLink, arguments: &Arguments) -> anyhow::Result<()> {
    let exchange = arguments.exchange();
    let network = Network::built_in().identity();
    greeting::greet(link, &Greeting::new(network, format!("engine {exchange:?}")))?;
    if link.rank() > 0 {
        return Ok(search::serve(link, exchange)?);
    }
    let (commander, headquarters) = Commander::new(link.ranks(), exchange, arguments.traffic);
    answer_before_the_end(commander.alarm())?;
    let session = thread::spawn(move || converse(commander));
    search::command(link, headquarters)?;
    session.join().map_err(|_| anyhow::anyhow!("the session failed"))?
}

/// How long the session has for its last answer.
const LAST_ANSWER: Duration = Duration::from_millis(400);

/// When a rank dies, MPI ends the others. Rank 0 gives the GUI its move first; the link may be dead already, so a thread
/// of its own sees to that. Open MPI sends SIGCONT, a second later SIGTERM, and at once after it SIGKILL: the first of
/// them is the one that leaves time to answer. Whoever continues a stopped engine by hand gets its move, too.
fn answer_before_the_end(alarm: Alarm) -> anyhow::Result<()> {
    let mut signals = Signals::new([SIGCONT, SIGTERM]).context("cannot listen for signals")?;
    thread::spawn(move || {
        for signal in signals.forever() {
            alarm.ring();
            if signal == SIGTERM {
                thread::sleep(LAST_ANSWER);
                #[expect(clippy::exit, reason = "whoever sent the signal wants this process to end")]
                std::process::exit(1);
            }
        }
    });
    Ok(())
}

/// Talks to the GUI until it quits or hangs up.
fn converse(commander: Commander) -> anyhow::Result<()> {
    let sink = Sink::new(|line| {
        let mut stdout = io::stdout().lock();
        // A GUI that has gone closes our input as well; that ends the program.
        let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
    });
    let session = Session::with_searcher(sink, Box::new(commander));
    session.converse(io::stdin().lock()).context("cannot read standard input")
}
