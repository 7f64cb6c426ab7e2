//! `chuhe-mpi supervise`: the engine outside the job of its workers, so that it survives the job.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use anyhow::Context;
use chuhe_cluster::handshake::{self, Handshake};
use chuhe_cluster::link::gateway::GatewayLink;
use chuhe_cluster::link::mpi::MpiLink;
use chuhe_cluster::link::pipe::PipeLink;
use chuhe_cluster::search::{self, ClusterSearcher, Exchange};
use chuhe_eval::network::Network;
use clap::Args;

use crate::engine;

/// Speak UCI, UCCI or xboard here, search here and on the ranks of a job, and play on when a rank dies
#[derive(Args)]
#[group(id = "supervise")]
#[command(after_help = "Example: chuhe-mpi supervise mpirun -n 4 --host localhost,b,c,d\n\n\
    Rank 0 is this process, the job has the others. It is started again when it dies; meanwhile this process searches alone.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    engine: engine::Arguments,
    /// What starts the job; the program and its arguments are appended
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "LAUNCHER")]
    launcher: Vec<String>,
}

/// A rank of the job that `chuhe-mpi supervise` starts
#[derive(Args)]
#[group(id = "workers")]
pub(crate) struct WorkerArguments {
    #[command(flatten)]
    engine: engine::Arguments,
    /// Where the supervisor listens
    #[arg(long, value_name = "PATH")]
    socket: PathBuf,
}

/// The job of a supervisor.
struct Job {
    launcher: Vec<String>,
    program: PathBuf,
    exchange: Exchange,
}

impl Job {
    /// Starts the job; its ranks have passed the handshake.
    fn start(&self) -> Result<PipeLink, String> {
        let (launcher, arguments) = self.launcher.split_first().ok_or("nothing starts them")?;
        let Exchange { topology, least_depth, interval } = self.exchange;
        let command = |socket: &Path| {
            let mut command = Command::new(launcher);
            command.args(arguments).arg(&self.program).args(["workers", "--topology", topology.name()]);
            command.args([
                format!("--least-depth={least_depth}"),
                format!("--interval={}", interval.as_millis()),
            ]);
            command.arg("--socket").arg(socket);
            command
        };
        let mut link = PipeLink::start(command).map_err(|error| format!("{launcher}: {error}"))?;
        handshake::perform(&mut link, &handshake(self.exchange)).map_err(|error| error.to_string())?;
        Ok(link)
    }
}

fn handshake(exchange: Exchange) -> Handshake {
    Handshake::new(Network::built_in().identity(), format!("workers {exchange:?}"))
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let exchange = arguments.engine.exchange();
    let program = env::current_exe().context("cannot find this program")?;
    let job = Job { launcher: arguments.launcher.clone(), program, exchange };
    let (searcher, coordinator) = ClusterSearcher::supervised(exchange, arguments.engine.traffic);
    let supervisor = thread::spawn(move || search::supervise(coordinator, move || job.start()));
    engine::run_session(searcher)?;
    supervisor.join().map_err(|_| anyhow::anyhow!("the supervisor failed"))
}

/// A rank of the job.
pub(crate) fn work(link: MpiLink, arguments: &WorkerArguments) -> anyhow::Result<()> {
    let exchange = arguments.engine.exchange();
    let mut link = GatewayLink::join(link, &arguments.socket)?;
    handshake::perform(&mut link, &handshake(exchange))?;
    Ok(search::work(&mut link, exchange)?)
}
