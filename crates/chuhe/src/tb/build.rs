//! `chuhe tb build`: solves endgames and writes their tables.

use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use chuhe_adapters::repetition::referee_of;
use chuhe_tablebase::{BuildEvent, Folder, FolderError, Kind, Material, NamedSet, SolveError, Stage};
use clap::Args;

use super::{FolderArguments, KindArguments, MemoryArguments, NamesArguments};
use crate::output::{self, ProgressOf};

/// Build the tables of endgames and of all that they depend on
#[derive(Args)]
#[command(after_help = "Example: chuhe tb build KRN-KAABB
         chuhe tb build --set classic
         chuhe tb build --set wide --rules wxf")]
pub(crate) struct Arguments {
    #[command(flatten)]
    names: NamesArguments,
    #[command(flatten)]
    kind: KindArguments,
    #[command(flatten)]
    memory: MemoryArguments,
    /// The time between checkpoints, in seconds; a killed build resumes from the last one
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    checkpoint: u64,
    #[command(flatten)]
    folder: FolderArguments,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let is_built_in = arguments.names.set()? == Some(NamedSet::BuiltIn);
    if is_built_in && arguments.kind.kind() != Kind::default() {
        bail!("the built-in set has the metric dtm and no repetition rules");
    }
    let materials = arguments.names.endgames()?;
    let folder = arguments
        .folder
        .folder()?
        .saving_every(Duration::from_secs(arguments.checkpoint))
        .judged_by(referee_of(arguments.kind.rules));
    build_all(arguments, &folder, &materials)?;
    if is_built_in {
        output::print(&format!("{}\n", folder.write_built_in()?.display()))?;
    }
    Ok(())
}

/// Builds the endgames in order. One of several that cannot be solved is left out, with all that depend on it: a night's build does
/// not end there.
fn build_all(arguments: &Arguments, folder: &Folder, materials: &[Material]) -> anyhow::Result<()> {
    let mut unsolvable: Vec<Material> = Vec::new();
    let mut left_out = 0;
    for material in materials {
        if material.family().iter().any(|member| unsolvable.contains(member)) {
            left_out += 1;
            continue;
        }
        let Err(error) = build(arguments, folder, material) else { continue };
        match unsolvable_of(&error) {
            Some(culprit) if materials.len() > 1 => unsolvable.push(culprit),
            _ => return Err(error),
        }
        output::warn(&output::explained(&error));
        left_out += 1;
    }
    if left_out > 0 {
        bail!("{left_out} of {} endgames cannot be built", materials.len());
    }
    Ok(())
}

/// The endgame that cannot be solved, if that is what is wrong.
fn unsolvable_of(error: &anyhow::Error) -> Option<Material> {
    match error.downcast_ref()? {
        FolderError::Solve(SolveError::TooLong { material } | SolveError::Memory { material, .. }) => {
            Some(*material)
        }
        _ => None,
    }
}

fn build(arguments: &Arguments, folder: &Folder, material: &Material) -> anyhow::Result<()> {
    let start = Instant::now();
    let (initialising, solving) = (ProgressOf::new("chunks"), ProgressOf::new("plies"));
    let on_progress = |member: &Material, event| match event {
        BuildEvent::Present | BuildEvent::Writing => {}
        BuildEvent::Solving(Stage::Initialising(done, all)) => {
            initialising.set(&member.to_string(), done, all)
        }
        BuildEvent::Solving(Stage::Resumed(ply)) => solving.note(&format!("{member}: resuming at ply {ply}")),
        BuildEvent::Solving(Stage::Ply(ply, longest)) => {
            initialising.finish();
            solving.set(&member.to_string(), ply.into(), longest.into());
        }
        BuildEvent::Solving(Stage::Repetition(round)) => {
            solving.note(&format!("{member}: repetition rules, round {round}"));
        }
        BuildEvent::Written(bytes) => {
            solving.note(&format!("{member}: {bytes} bytes, {:.1} s", start.elapsed().as_secs_f64()));
        }
    };
    let built = folder.build(material, arguments.kind.kind(), arguments.memory.bytes(), &on_progress);
    initialising.finish();
    solving.finish();
    built.with_context(|| format!("cannot build {material}"))?;
    output::print(&format!("{}\n", folder.file(material, arguments.kind.kind()).display()))
}
