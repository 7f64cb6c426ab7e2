//! SPSA tuning by games, for either game: threads play pairs, a file keeps the values.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use chuhe_train::spsa::Values;
use clap::Args;

use crate::output;

#[derive(Args)]
pub(crate) struct TuningArguments {
    /// File with the current values
    file: PathBuf,
    /// Stop after N pairs of games in total
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pairs: u64,
    /// Nodes per move
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(10..))]
    pub(crate) nodes: u64,
    /// Concurrent pairs
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Seed of openings and perturbations
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

const BETWEEN_SAVES: Duration = Duration::from_secs(20);

struct Progress {
    values: Values,
    saved: Instant,
}

/// Goes on with the file if it is there already, and prints what came of the numbers. `player` makes one that plays a pair for
/// the numbers, from a seed.
pub(crate) fn tune<P: FnMut(&mut Values)>(
    arguments: &TuningArguments,
    mut values: Values,
    player: impl Fn(u64) -> P + Sync,
) -> anyhow::Result<()> {
    let file = &arguments.file;
    if file.exists() {
        values =
            values.read(file).with_context(|| format!("{} does not hold these numbers", file.display()))?;
    }
    let begun = values.pairs;
    let progress = Mutex::new(Progress { values, saved: Instant::now() });
    let outcomes: Vec<anyhow::Result<()>> = thread::scope(|scope| {
        let players: Vec<_> = (0..arguments.threads)
            .map(|thread| {
                let seed =
                    arguments.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ u64::from(thread) << 48 ^ begun;
                let (progress, player) = (&progress, &player);
                scope.spawn(move || play(file, arguments.pairs, player(seed), progress))
            })
            .collect();
        players.into_iter().map(|player| player.join().expect("a player does not panic")).collect()
    });
    outcomes.into_iter().collect::<anyhow::Result<()>>()?;
    let progress = progress.into_inner().expect("a player does not panic");
    progress.values.write(file)?;
    output::print(&described(&progress.values))
}

fn play(
    file: &Path,
    pairs: u64,
    mut pair: impl FnMut(&mut Values),
    progress: &Mutex<Progress>,
) -> anyhow::Result<()> {
    loop {
        let before = progress.lock().expect("a player does not panic").values.clone();
        if before.pairs >= pairs {
            return Ok(());
        }
        // Others may have moved the numbers meanwhile: only the step is taken over.
        let mut after = before.clone();
        pair(&mut after);
        let mut progress = progress.lock().expect("a player does not panic");
        progress.values.add_step(&before, &after);
        if progress.saved.elapsed() > BETWEEN_SAVES {
            progress.saved = Instant::now();
            progress.values.write(file)?;
            output::note(&format!("{} pairs", progress.values.pairs));
        }
    }
}

fn described(values: &Values) -> String {
    let mut text = format!("{:<24}{:>8}{:>8}\n", format!("{} pairs", values.pairs), "before", "now");
    for (number, now) in values.numbers().iter().zip(values.rounded()) {
        let _ = writeln!(text, "{:<24}{:>8}{now:>8}", number.name, number.default);
    }
    text
}
