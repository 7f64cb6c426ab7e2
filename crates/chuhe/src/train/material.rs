//! `chuhe train material`: what material alone decides.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use chuhe_board::{PieceKind, Side};
use chuhe_eval::classical::MaterialCode;
use chuhe_tablebase::{Convention, Family, Folder, Index, Material, Metric, Table, TableFile};
use chuhe_train::material::{Counted, Statistics};
use clap::Args;

use super::samples;
use crate::output::{self, Progress};

/// Count in endgame tables and in games how much of an advantage each material leaves
///
/// Small endgames are solved on the spot, the tables of a folder are read, and self-play covers the rest.
#[derive(Args)]
#[command(after_help = "Example: chuhe train material data/*.samples --output known.txt")]
pub(crate) struct Arguments {
    /// Shards of self-play
    shards: Vec<PathBuf>,
    /// Where to write the facts, in the form of crates/eval/src/classical/known.txt
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// A folder of tables to count as well
    #[arg(long, value_name = "FOLDER")]
    tables: Option<PathBuf>,
    /// Solve all endgames with at most this many positions for each side to move
    #[arg(long, value_name = "N", default_value_t = 1_500_000)]
    largest: u64,
}

/// Solved endgames are kept until all are counted: far more than the small ones need.
const MEMORY: u64 = 4 << 30;

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    for path in arguments.shards.iter().chain(&arguments.tables) {
        fs::metadata(path).with_context(|| path.display().to_string())?;
    }
    let mut statistics = Statistics::default();
    let solved = solve_small(arguments.largest, &mut statistics)?;
    let read = arguments.tables.as_ref().map_or(Ok(0), |folder| read_tables(folder, &mut statistics))?;
    let samples = read_shards(&arguments.shards, &mut statistics)?;
    let facts = statistics.facts();
    let mut text = String::new();
    for fact in &facts {
        let _ = writeln!(text, "{fact}");
    }
    chuhe_storage::write_atomic(&arguments.output, text.as_bytes())
        .with_context(|| format!("cannot write {}", arguments.output.display()))?;
    output::print(&format!("{} facts from {} endgames and {samples} samples\n", facts.len(), solved + read))
}

fn solve_small(largest: u64, statistics: &mut Statistics) -> anyhow::Result<usize> {
    let mut family = Family::default();
    let small: Vec<Material> = small_materials(largest);
    let progress = Progress::of("endgames");
    for (done, material) in small.iter().enumerate() {
        progress.set_of(done as u64, small.len() as u64);
        family.add(material, MEMORY, &|_, _| {})?;
        count(family.table(material).context("the endgame was just solved")?, statistics);
    }
    progress.finish();
    Ok(small.len())
}

/// The endgames whose index is no longer than `largest`, in the order of tables.
fn small_materials(largest: u64) -> Vec<Material> {
    let codes: Vec<MaterialCode> = MaterialCode::all().filter(|code| pieces(*code) <= 4).collect();
    let mut found: Vec<(u64, Material)> = Vec::new();
    for own in &codes {
        for enemy in codes.iter().filter(|enemy| pieces(*own) + pieces(**enemy) <= 6) {
            let Ok(material) = name(*own, *enemy).parse::<Material>() else { continue };
            let small = Index::len_of(&material).filter(|len| *len <= largest);
            if let (Some(len), (_, false), false) = (small, material.canonical(), material.is_harmless()) {
                found.push((len, material));
            }
        }
    }
    found.sort_by_key(|(len, material)| (*len, material.to_string()));
    found.into_iter().map(|(_, material)| material).collect()
}

fn pieces(code: MaterialCode) -> u32 {
    PieceKind::ALL.into_iter().map(|kind| code.count(kind)).sum::<u32>() - 1
}

fn name(own: MaterialCode, enemy: MaterialCode) -> String {
    let side = |code: MaterialCode| format!("K{code}").replace('-', "");
    format!("{}-{}", side(own), side(enemy))
}

fn read_tables(folder: &PathBuf, statistics: &mut Statistics) -> anyhow::Result<usize> {
    let mut read = 0;
    for path in Folder::new(folder).files()? {
        let file = match TableFile::open(&path) {
            Ok(file) => file,
            Err(error) => {
                output::warn(&error);
                continue;
            }
        };
        if file.kind().metric == Metric::Dtm {
            count(&file.load_whole()?, statistics);
            read += 1;
        }
    }
    Ok(read)
}

fn count(table: &Table, statistics: &mut Statistics) {
    let mut counted = Counted::default();
    for to_move in Side::ALL {
        let statistics = table.statistics(to_move, Convention::Play);
        counted.positions += statistics.positions;
        counted.wins += statistics.wins;
        counted.losses += statistics.losses;
    }
    let [first, second] = codes(table.index().material());
    statistics.add_table(first, second, counted);
}

fn codes(material: &Material) -> [MaterialCode; 2] {
    Side::ALL.map(|side| MaterialCode::with(|kind| u32::from(material.count(side, kind))))
}

fn read_shards(shards: &[PathBuf], statistics: &mut Statistics) -> anyhow::Result<u64> {
    let mut count = 0;
    for path in shards {
        for sample in samples::intact(path)? {
            statistics.add_sample(&sample?);
            count += 1;
        }
    }
    Ok(count)
}
