//! `chuhe tb build`: solves endgames and writes their tables.

use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use chuhe_adapters::repetition::referee_of;
use chuhe_tablebase::{BUILT_IN_SET, BuildEvent, CLASSIC_SET, FANG_SET, Folder, Kind, Material, Stage};
use clap::Args;

use super::{FolderArguments, KindArguments, MemoryArguments};
use crate::output::{self, ProgressOf};

/// Build the tables of endgames and of all that they depend on
#[derive(Args)]
#[command(after_help = "Example: chuhe tb build KRN-KAABB
         chuhe tb build --set classic")]
pub(crate) struct Arguments {
    /// The endgames, as in KR-KAABB
    #[arg(value_name = "NAME", required_unless_present = "set")]
    names: Vec<String>,
    /// A named set of endgames: fang (the eight endings of Fang's table), classic, or builtin (the tables that come with
    /// the program, also written as one archive)
    #[arg(long, value_name = "SET")]
    set: Option<String>,
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
    let is_built_in = arguments.set.as_deref() == Some("builtin");
    if is_built_in && arguments.kind.kind() != Kind::default() {
        bail!("the built-in set has the metric dtm and no repetition rules");
    }
    let mut names: Vec<&str> = arguments.names.iter().map(String::as_str).collect();
    match arguments.set.as_deref() {
        None => {}
        Some("fang" | "seed") => names.extend(FANG_SET),
        Some("classic") => names.extend(CLASSIC_SET),
        Some("builtin") => names.extend(BUILT_IN_SET),
        Some(other) => bail!("unknown set '{other}': use fang, classic or builtin"),
    }
    let materials: Vec<Material> = names.iter().map(|name| name.parse()).collect::<Result<_, _>>()?;
    let folder = arguments
        .folder
        .folder()?
        .saving_every(Duration::from_secs(arguments.checkpoint))
        .judged_by(referee_of(arguments.kind.rules));
    for material in materials {
        if material.is_harmless() {
            bail!("{material} is always drawn: neither side can give check");
        }
        build(arguments, &folder, &material)?;
    }
    if is_built_in {
        output::print(&format!("{}\n", folder.write_built_in()?.display()))?;
    }
    Ok(())
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
