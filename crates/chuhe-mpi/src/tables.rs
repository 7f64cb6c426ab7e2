//! `chuhe-mpi tables`: one endgame built by all ranks together.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;
use chuhe_cluster::greeting::{self, Greeting};
use chuhe_cluster::link::Link;
use chuhe_cluster::tables::{self, Plan, Stage};
use chuhe_tablebase::{Folder, Material, Metric};
use clap::Args;

use crate::output;

/// Build the table of an endgame, and all that it depends on, with the index split over all ranks
#[derive(Args)]
#[command(after_help = "Example: mpirun -n 4 chuhe-mpi tables KRN-KAABB --folder /shared/tables\n\n\
    The folder must be the same for all ranks. A job that was killed goes on after its last checkpoint, with any\n\
    number of ranks. The files are those of `chuhe tb build`, byte for byte.")]
pub(crate) struct Arguments {
    /// The endgame, as in KRN-KAABB
    material: String,
    /// What values count: mate (dtm), conversion (dtc) or outcome (wdl), as `chuhe tb build` names them
    #[arg(long, default_value_t = Metric::Mate)]
    metric: Metric,
    /// The folder of the tables; the user's own without it
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// The least time between two checkpoints, in seconds; 0 saves after every ply
    #[arg(long, value_name = "S", default_value_t = 0)]
    checkpoint_every: u64,
}

pub(crate) fn run(link: &mut impl Link, arguments: &Arguments) -> anyhow::Result<()> {
    let material: Material = arguments.material.parse()?;
    let folder = match &arguments.folder {
        Some(path) => Folder::new(path),
        None => Folder::of_the_user().context("there is no folder of the user; say one with --folder")?,
    };
    let metric = arguments.metric;
    greeting::greet(link, &Greeting::new(0, format!("tables of {material}, {metric}")))?;
    let plan = Plan {
        metric,
        checkpoint_interval: Duration::from_secs(arguments.checkpoint_every),
        stop_before: None,
    };
    let (rank, start) = (link.rank(), Instant::now());
    let mut tell = |member: &Material, stage: Stage| match stage {
        _ if rank > 0 => {}
        Stage::Present | Stage::Ply(..) => {}
        Stage::Resumed(ply) => output::note(&format!("{member}: going on before ply {ply}")),
        Stage::Opening(bytes) => output::note(&format!("{member}: {bytes} bytes of cells on this rank")),
        Stage::Written(bytes) => {
            let seconds = start.elapsed().as_secs_f64();
            output::print(&format!("{member}: {bytes} bytes, {seconds:.1} s since the start"));
        }
    };
    tables::build(link, &folder, &material, &plan, &mut tell)?;
    Ok(())
}
