//! `chuhe-mpi` without a command: the engine, as a GUI starts it, on all ranks.

use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use chuhe_cluster::handshake::{self, Handshake};
use chuhe_cluster::link::Link;
use chuhe_cluster::link::mpi::MpiLink;
use chuhe_cluster::search::{self, ClusterSearcher, Exchange, StopHandle};
use chuhe_cluster::topology::Topology;
use chuhe_engine::{Output, Session};
use chuhe_eval::network::Network;
use clap::Args;
use signal_hook::consts::{SIGCONT, SIGTERM};
use signal_hook::iterator::Signals;

/// Speak UCI, UCCI or xboard on rank 0 and search on all ranks
#[derive(Args)]
#[command(after_help = "Example: mpirun -n 4 chuhe-mpi engine --topology tree\n\n\
    The GUI sets Hash and Threads as usual. Both apply per rank.")]
pub(crate) struct Arguments {
    /// How transposition table entries and votes travel: star, ring or tree
    #[arg(long, alias = "shape", default_value_t = Topology::default().name().to_owned(), value_parser = topology_name)]
    topology: String,
    /// The least depth of the entries exchanged
    #[arg(long, value_name = "N", default_value_t = Exchange::default().least_depth)]
    least_depth: i32,
    /// The time between two messages with entries, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = Exchange::default().interval.as_millis() as u64)]
    interval: u64,
    /// Report after every search what the exchange of entries cost and how many ranks voted
    #[arg(long)]
    pub(crate) traffic: bool,
}

fn topology_name(name: &str) -> Result<String, String> {
    name.parse::<Topology>().map(|topology| topology.name().to_owned())
}

impl Default for Arguments {
    fn default() -> Self {
        let Exchange { topology, least_depth, interval } = Exchange::default();
        Self {
            topology: topology.name().to_owned(),
            least_depth,
            interval: interval.as_millis() as u64,
            traffic: false,
        }
    }
}

impl Arguments {
    pub(crate) fn exchange(&self) -> Exchange {
        Exchange {
            topology: self.topology.parse().unwrap_or_default(),
            least_depth: self.least_depth,
            interval: Duration::from_millis(self.interval),
        }
    }
}

pub(crate) fn run(link: &mut MpiLink, arguments: &Arguments) -> anyhow::Result<()> {
    let exchange = arguments.exchange();
    let network = Network::built_in().identity();
    handshake::perform(link, &Handshake::new(network, format!("engine {exchange:?}")))?;
    if link.rank() > 0 {
        return Ok(search::work(link, exchange)?);
    }
    let (searcher, coordinator) = ClusterSearcher::new(link.ranks(), exchange, arguments.traffic);
    answer_before_exit(searcher.stop_handle())?;
    let session = thread::spawn(move || run_session(searcher));
    coordinator.run(link)?;
    session.join().map_err(|_| anyhow::anyhow!("the session failed"))?
}

/// The time the session has for its last answer.
const LAST_ANSWER: Duration = Duration::from_millis(400);

/// When a rank dies, MPI kills the others; rank 0 still gives the GUI its move. The link may be dead already, so this
/// needs its own thread. Open MPI sends SIGCONT, a second later SIGTERM and immediately SIGKILL: only SIGCONT leaves
/// time to answer. Continuing a stopped engine by hand ends its search, too.
fn answer_before_exit(stop_handle: StopHandle) -> anyhow::Result<()> {
    let mut signals = Signals::new([SIGCONT, SIGTERM]).context("cannot listen for signals")?;
    thread::spawn(move || {
        for signal in signals.forever() {
            stop_handle.stop();
            if signal == SIGTERM {
                thread::sleep(LAST_ANSWER);
                #[expect(clippy::exit, reason = "SIGTERM asks this process to end")]
                std::process::exit(1);
            }
        }
    });
    Ok(())
}

/// Talks to the GUI until it quits or hangs up.
pub(crate) fn run_session(searcher: ClusterSearcher) -> anyhow::Result<()> {
    let output = Output::new(|line| {
        let mut stdout = io::stdout().lock();
        // A GUI that has gone closes our input as well; that ends the program.
        let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
    });
    let session = Session::with_searcher(output, Box::new(searcher));
    session.run(io::stdin().lock()).context("cannot read standard input")
}
