//! `chuhe train net`: trains the NNUE network on samples.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use chuhe_eval::network::{Network, Weights};
use chuhe_storage::write_atomic;
use chuhe_train::net::{Checkpoint, CheckpointError, Examples, Model, Settings, Trainer, quantise, restore};
use clap::Args;
use serde::Serialize;

use super::samples;
use crate::output;

/// Train the network on samples of self-play
#[derive(Args)]
#[command(after_help = "Example: chuhe train net data/ --output training/ --epochs 20\n\n\
    After every epoch the folder gets network.net (load it with the option EvalFile), loss.csv, loss.svg\n\
    and a checkpoint. Continue a stopped training with --resume.")]
pub(crate) struct Arguments {
    /// The shards to learn from, or folders of them
    #[arg(required = true)]
    shards: Vec<PathBuf>,
    /// The folder for the network, the checkpoint and the loss curve
    #[arg(long, value_name = "FOLDER")]
    output: PathBuf,
    /// Resume the training in the folder, with its own settings
    #[arg(long)]
    resume: bool,
    /// Start from the network of this checkpoint, or from this network, instead of random weights
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    start: Option<PathBuf>,
    /// Epochs: passes over all samples
    #[arg(long, value_name = "N", default_value_t = 20, conflicts_with = "resume", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// Batch size
    #[arg(long, value_name = "N", default_value_t = 16_384, conflicts_with = "resume", value_parser = clap::value_parser!(u32).range(1..=1 << 24))]
    batch: u32,
    /// Learning rate after the warm-up
    #[arg(long, alias = "rate", value_name = "RATE", default_value_t = 1e-3, conflicts_with = "resume")]
    learning_rate: f32,
    /// Learning rate at the end of the cosine schedule
    #[arg(long, alias = "last-rate", value_name = "RATE", default_value_t = 1e-5, conflicts_with = "resume")]
    final_learning_rate: f32,
    /// Weight decay of AdamW
    #[arg(long, alias = "fading", value_name = "SHARE", default_value_t = 0.05, conflicts_with = "resume")]
    weight_decay: f32,
    /// Weight of the game's result (WDL) in the target; the rest is the search's score
    #[arg(
        long,
        alias = "result-share",
        value_name = "SHARE",
        default_value_t = 0.05,
        conflicts_with = "resume"
    )]
    lambda: f32,
    /// Seeds the initial weights and the order of the samples
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "resume")]
    seed: u64,
    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Summary {
    network: PathBuf,
    samples: usize,
    epochs: u32,
    seconds: f64,
    /// Losses: mean squared errors of the expected result.
    #[serde(rename = "learning")]
    training_loss: f64,
    #[serde(rename = "checking")]
    validation_loss: f64,
    classical: f64,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let folder = &arguments.output;
    let checkpoint = folder.join("checkpoint");
    if !arguments.resume && checkpoint.exists() {
        bail!("{} already holds a training: --resume it or choose another folder", folder.display());
    }
    let resumed = arguments.resume.then(|| Checkpoint::read(&checkpoint)).transpose()?;
    let start = arguments.start.as_deref().map(model_in).transpose()?;
    let settings = settings(arguments)?;
    let examples = load(&arguments.shards)?;
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the folder {}", folder.display()))?;
    let mut trainer = match resumed {
        Some(mut state) => {
            state.settings.threads = settings.threads;
            Trainer::resume(state, &examples)
        }
        None => Trainer::new(settings, &examples, start),
    };
    let (training, validation) = (examples.len(), examples.validation().len());
    let classical = trainer.state().curve.classical;
    output::note(&format!(
        "{training} training samples, {validation} validation samples; loss of the hand-written evaluation {classical:.6}"
    ));
    let progress = output::Progress::of("samples of this epoch");
    let failed = trainer.run(
        |done, _| progress.set_of(done as u64, training as u64),
        |state| match keep(state, folder) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        },
    );
    progress.finish();
    match failed {
        Some(error) => Err(error),
        None => summarise(arguments, trainer.state(), training),
    }
}

/// The model of a checkpoint, or of a network as the engine has it.
fn model_in(path: &Path) -> anyhow::Result<Model> {
    match Checkpoint::read(path) {
        Ok(state) => Ok(state.model),
        Err(CheckpointError::Foreign(_)) => {
            let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            let weights = Weights::from_bytes(&bytes).with_context(|| path.display().to_string())?;
            Ok(restore(&weights))
        }
        Err(error) => Err(error.into()),
    }
}

fn settings(arguments: &Arguments) -> anyhow::Result<Settings> {
    let Arguments {
        epochs,
        batch,
        learning_rate,
        final_learning_rate,
        weight_decay,
        lambda,
        seed,
        threads,
        ..
    } = *arguments;
    for (name, number, most) in [
        ("--learning-rate", learning_rate, 1.0),
        ("--final-learning-rate", final_learning_rate, 1.0),
        ("--weight-decay", weight_decay, 100.0),
        ("--lambda", lambda, 1.0),
    ] {
        if !(0.0..=most).contains(&number) {
            bail!("{name} is from 0 to {most}, not {number}");
        }
    }
    Ok(Settings {
        seed,
        epochs,
        batch: batch as usize,
        learning_rate,
        final_learning_rate,
        weight_decay,
        lambda,
        threads: threads.map_or(Settings::default().threads, usize::from),
    })
}

/// The samples of all shards.
fn load(paths: &[PathBuf]) -> anyhow::Result<Examples> {
    let mut examples = Examples::new();
    for path in paths.iter().map(|path| shards_in(path)).collect::<anyhow::Result<Vec<_>>>()?.concat() {
        for sample in samples::intact(&path)? {
            examples.add(&sample?);
        }
        examples.end_shard();
    }
    if examples.is_empty() || examples.validation().is_empty() {
        bail!("the shards hold too few games: one in 64 is held out for validation");
    }
    Ok(examples)
}

/// The shard itself, or all shards in the folder in the order of their names.
fn shards_in(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = std::fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut paths = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()
        .with_context(|| format!("cannot read {}", path.display()))?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "samples"));
    paths.sort();
    if paths.is_empty() {
        bail!("{} holds no shards (*.samples)", path.display());
    }
    Ok(paths)
}

/// Writes the checkpoint, the network and the loss curve of an epoch.
fn keep(state: &Checkpoint, folder: &Path) -> anyhow::Result<()> {
    if let Some(point) = state.curve.points.last() {
        output::note(&format!(
            "epoch {:>3} of {}: training loss {:.6}, validation loss {:.6}, {:.0} samples a second",
            point.epoch,
            state.settings.epochs,
            point.training_loss,
            point.validation_loss,
            point.examples as f64 / point.seconds.max(1e-9)
        ));
    }
    state.write(&folder.join("checkpoint"))?;
    let weights = quantise(&state.model)?;
    let curve = &state.curve;
    for (name, bytes) in [
        ("network.net", weights.to_bytes()),
        ("loss.csv", curve.csv().into_bytes()),
        ("loss.svg", curve.svg().into_bytes()),
    ] {
        let path = folder.join(name);
        write_atomic(&path, &bytes).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn summarise(arguments: &Arguments, state: &Checkpoint, samples: usize) -> anyhow::Result<()> {
    let point = state.curve.points.last().context("the training is already complete")?;
    let network = arguments.output.join("network.net");
    let identity = Network::read(&network)?.identity();
    if !arguments.json {
        return output::print(&format!("{} {identity:016x}\n", network.display()));
    }
    output::print_json(&Summary {
        network,
        samples,
        epochs: point.epoch,
        seconds: point.seconds,
        training_loss: point.training_loss,
        validation_loss: point.validation_loss,
        classical: state.curve.classical,
    })
}
