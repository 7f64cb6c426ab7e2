//! `chuhe tb`: endgame tablebases.

mod build;
mod explore;
mod list;
mod manifest;
mod plan;
mod probe;
mod stats;
mod verify;

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, bail};
use chuhe_adapters::repetition::referee_of;
use chuhe_tablebase::{
    Family, Folder, FolderError, Kind, Material, Metric, NamedSet, Rules, Stage, Table, ValidFor,
};
use clap::{Args, Subcommand};

use crate::output::ProgressOf;

/// Plan, build, list, probe, explore, count, verify and compare endgame tables
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Build(build::Arguments),
    Explore(explore::Arguments),
    List(list::Arguments),
    Manifest(manifest::Arguments),
    Plan(plan::Arguments),
    Probe(probe::Arguments),
    Stats(stats::Arguments),
    Verify(verify::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Build(arguments) => build::run(arguments),
        Command::Explore(arguments) => explore::run(arguments),
        Command::List(arguments) => list::run(arguments),
        Command::Manifest(arguments) => manifest::run(arguments),
        Command::Plan(arguments) => plan::run(arguments),
        Command::Probe(arguments) => probe::run(arguments),
        Command::Stats(arguments) => stats::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
    }
}

/// Where the tables are.
#[derive(Args)]
struct FolderArguments {
    /// The folder of the tables [default: `tables` in the data folder]
    #[arg(long, value_name = "FOLDER")]
    path: Option<PathBuf>,
}

impl FolderArguments {
    /// The folder, which must exist if it was named.
    fn existing(&self) -> anyhow::Result<Folder> {
        match &self.path {
            Some(path) if !path.is_dir() => bail!("there is no folder '{}'", path.display()),
            _ => self.folder(),
        }
    }

    /// The folder, which may have to be created.
    fn folder(&self) -> anyhow::Result<Folder> {
        match &self.path {
            Some(path) => Ok(Folder::new(path)),
            None => Folder::of_the_user().context("no data folder: set CHUHE_HOME or give --path"),
        }
    }
}

/// Which endgames.
#[derive(Args)]
struct NamesArguments {
    /// The endgames, as in KR-KAABB
    #[arg(value_name = "NAME", required_unless_present = "set")]
    names: Vec<String>,
    /// A named set of endgames: fang (the eight endings of Fang's table), classic, builtin (the tables that come with the
    /// program, also written as one archive), or wide (what fits a night on two cores)
    #[arg(long, value_name = "SET")]
    set: Option<String>,
}

impl NamesArguments {
    fn set(&self) -> anyhow::Result<Option<NamedSet>> {
        let Some(name) = &self.set else { return Ok(None) };
        match NamedSet::named(name) {
            Some(set) => Ok(Some(set)),
            None => bail!("unknown set '{name}': use fang, classic, builtin or wide"),
        }
    }

    /// The endgames that were named, then those of the set.
    fn endgames(&self) -> anyhow::Result<Vec<Material>> {
        let mut endgames: Vec<Material> =
            self.names.iter().map(|name| name.parse()).collect::<Result<_, _>>()?;
        if let Some(harmless) = endgames.iter().find(|material| material.is_harmless()) {
            bail!("{harmless} is always drawn: neither side can give check");
        }
        endgames.extend(self.set()?.into_iter().flat_map(NamedSet::endgames));
        Ok(endgames)
    }
}

/// Which kind of table.
#[derive(Args)]
struct KindArguments {
    /// Distance to mate (dtm), distance to conversion (dtc) or win/draw/loss (wdl)
    #[arg(long, value_name = "METRIC", default_value = "dtm")]
    metric: Metric,
    /// The repetition rules: none, check (perpetual check loses), wxf or axf (perpetual chase loses too), or cxa
    #[arg(long, value_name = "RULES", default_value = "none")]
    rules: Rules,
}

impl KindArguments {
    fn kind(&self) -> Kind {
        Kind { metric: self.metric, rules: self.rules }
    }

    /// Which rules the values of an endgame are for.
    fn rules_for(&self, material: &Material) -> &'static str {
        ValidFor::of(material, self.rules).name()
    }
}

/// Which repetition rules values hold under, in words.
fn rules_words(rules: &str) -> String {
    match rules {
        "all" => "for all repetition rules".to_owned(),
        "none" => "without repetition rules".to_owned(),
        _ => format!("for the rules {rules}"),
    }
}

/// A memory limit.
#[derive(Args)]
struct MemoryArguments {
    /// The most memory to use, in MB
    #[arg(long, value_name = "MB", default_value_t = 2048)]
    memory: u64,
}

impl MemoryArguments {
    fn bytes(&self) -> u64 {
        self.memory.saturating_mul(1 << 20)
    }
}

/// The table of an endgame from the folder or the program, or solved in memory.
fn opened_or_solved(
    folder: &FolderArguments,
    material: &Material,
    kind: Kind,
    memory: &MemoryArguments,
) -> anyhow::Result<Arc<Table>> {
    match folder.existing()?.open(material, kind) {
        Ok(file) => return Ok(Arc::new(file.load_whole()?)),
        Err(FolderError::Missing { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    let family = solve(material, kind, memory)?;
    family.table(material).cloned().context("the endgame was just solved")
}

/// Solves an endgame in memory.
fn solve(material: &Material, kind: Kind, memory: &MemoryArguments) -> anyhow::Result<Family> {
    let progress = ProgressOf::new("plies");
    let mut family = Family::of(kind, referee_of(kind.rules));
    let solved = family.add(material, memory.bytes(), &|member, stage| {
        if let Stage::Ply(ply, longest) = stage {
            progress.set(&member.to_string(), ply.into(), longest.into());
        }
    });
    progress.finish();
    solved.context("raise --memory, or build the tables with `chuhe tb build`")?;
    Ok(family)
}
