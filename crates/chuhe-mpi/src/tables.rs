//! `chuhe-mpi tables`: distributed retrograde analysis of one endgame.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;
use chuhe_cluster::handshake::{self, Handshake};
use chuhe_cluster::link::Link;
use chuhe_cluster::tables::{self, Plan, Stage};
use chuhe_tablebase::{Folder, Material, Metric};
use clap::Args;

use crate::output;

/// Build the table of an endgame and all that it depends on, with the index partitioned over all ranks
#[derive(Args)]
#[command(after_help = "Example: mpirun -n 4 chuhe-mpi tables KRN-KAABB --folder /shared/tables\n\n\
    All ranks must see the same folder. A killed job resumes from its last checkpoint, with any number of ranks.\n\
    The files are those of `chuhe tb build`, byte for byte.")]
pub(crate) struct Arguments {
    /// The endgame, as in KRN-KAABB
    material: String,
    /// Distance to mate (dtm), distance to conversion (dtc) or win/draw/loss (wdl)
    #[arg(long, default_value_t = Metric::Dtm)]
    metric: Metric,
    /// The folder of the tables [default: the user's]
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
        None => Folder::of_the_user().context("no user folder found; give one with --folder")?,
    };
    let metric = arguments.metric;
    handshake::perform(link, &Handshake::new(0, format!("tables of {material}, {metric}")))?;
    let plan = Plan {
        metric,
        checkpoint_interval: Duration::from_secs(arguments.checkpoint_every),
        stop_before: None,
    };
    let (rank, start) = (link.rank(), Instant::now());
    let mut on_progress = |member: &Material, stage: Stage| match stage {
        _ if rank > 0 => {}
        Stage::Present | Stage::Ply(..) => {}
        Stage::Resumed(ply) => output::print_progress(&format!("{member}: resuming at ply {ply}")),
        Stage::Initialising(bytes) => {
            output::print_progress(&format!("{member}: {bytes} bytes of entries on rank 0"))
        }
        Stage::Written(bytes) => {
            let seconds = start.elapsed().as_secs_f64();
            output::print(&format!("{member}: {bytes} bytes, {seconds:.1} s since the start"));
        }
    };
    tables::build(link, &folder, &material, &plan, &mut on_progress)?;
    Ok(())
}
