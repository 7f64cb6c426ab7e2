//! `chuhe train tune`: Texel tuning of the hand-written evaluation.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use chuhe_eval::classical::{Feature, Tapered};
use chuhe_train::games;
use chuhe_train::texel::{Settings, Tuner};
use clap::Args;

use super::samples;
use crate::output;

/// Fit the weights of the hand-written evaluation to samples
#[derive(Args)]
#[command(after_help = "Example: chuhe train tune data/*.samples --output weights.rs")]
pub(crate) struct Arguments {
    /// The shards to learn from
    #[arg(required_unless_present = "games")]
    shards: Vec<PathBuf>,
    /// Learn from the results of games too: a file with one game a line, `result<TAB>moves`
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
    /// Where to write the weights, in the form of crates/eval/src/classical/weights.rs
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Also write how many samples mention each weight, as tab-separated values
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Gradient steps, each over a batch of 32768 samples
    #[arg(long, value_name = "N", default_value_t = 2000)]
    steps: u32,
    /// Weight of the game's result (WDL) in the target; the rest is the search's score
    #[arg(long, alias = "result-share", value_name = "SHARE", default_value_t = 0.5)]
    lambda: f32,
    /// Use at most this many samples
    #[arg(long, value_name = "N", default_value_t = 5_000_000)]
    most: usize,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let settings = Settings {
        lambda: arguments.lambda.clamp(0.0, 1.0),
        steps: arguments.steps,
        threads: arguments.threads,
        ..Settings::default()
    };
    let (mut tuner, mut held_out) = (Tuner::new(settings.clone()), Tuner::new(settings));
    for path in &arguments.shards {
        let room = arguments.most.saturating_sub(tuner.len());
        // A run of samples is held out, not single ones: neighbours come from the same game.
        for (number, sample) in samples::intact(path)?.take(room).enumerate() {
            let held = number % HELD_OUT_EVERY >= HELD_OUT_EVERY - HELD_OUT_RUN;
            if held { &mut held_out } else { &mut tuner }.add(&sample?);
        }
    }
    if let Some(path) = &arguments.games {
        add_games(&mut tuner, path, arguments.most)?;
    }
    if tuner.is_empty() {
        bail!("the shards hold no samples");
    }
    output::note(&format!("{} samples", tuner.len()));
    let before = tuner.error_on(&held_out);
    tuner.run(|step, error| {
        if step == 1 || step % 100 == 0 {
            output::note(&format!("step {step}: error {error:.6}"));
        }
    });
    let (after, held_out) = (tuner.error_on(&held_out), held_out.len());
    output::note(&format!("error on {held_out} samples held out: {before:.6}, now {after:.6}"));
    if let Some(path) = &arguments.report {
        chuhe_storage::write_atomic(path, report(&tuner).as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let path = &arguments.output;
    chuhe_storage::write_atomic(path, source(&tuner.weights()).as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Held-out samples come in runs: one run in each stretch of this many samples.
const HELD_OUT_EVERY: usize = 20_000;
/// The length of a run.
const HELD_OUT_RUN: usize = 1_000;

/// Adds every fourth quiet position of the games; neighbours say nearly the same.
fn add_games(tuner: &mut Tuner, path: &Path, most: usize) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    for (number, line) in text.lines().enumerate() {
        match games::samples(line) {
            Ok(samples) => {
                let room = most.saturating_sub(tuner.len());
                samples.iter().step_by(4).take(room).for_each(|sample| tuner.add_result(sample));
            }
            Err(error) => output::warn(&format!("{}: line {}: {error}", path.display(), number + 1)),
        }
    }
    Ok(())
}

/// A line for each weight: the feature, its weights, how many samples of each phase mention it, its prior and source.
fn report(tuner: &Tuner) -> String {
    let mut text = String::from(
        "group\tfeature\topening\tmiddle\tending\tin openings\tin middle games\tin endings\tprior\tsource\n",
    );
    for (feature, weight) in Feature::all().zip(tuner.weights()) {
        let [opening, middle, ending] = tuner.mentions(feature);
        let prior = tuner.prior(feature).map_or_else(|| "-".to_owned(), |prior| format!("{prior:.1}"));
        let _ = writeln!(
            text,
            "{}\t{}\t{}\t{}\t{}\t{opening:.0}\t{middle:.0}\t{ending:.0}\t{prior}\t{}",
            feature.name(),
            feature.words(),
            weight.opening(),
            weight.middle(),
            weight.ending(),
            feature.source(),
        );
    }
    text
}

/// The weights as the source file that holds them.
fn source(weights: &[Tapered]) -> String {
    let mut text = String::from(HEAD);
    let mut last_group = "";
    let mut column = 0;
    for (feature, weight) in Feature::all().zip(weights) {
        let group = feature.name();
        if group != last_group || column == 5 {
            text.push_str(if last_group.is_empty() { "" } else { "\n" });
            if group != last_group {
                let _ = writeln!(text, "    // {group}");
            }
            text.push_str("    ");
            column = 0;
        } else {
            text.push(' ');
        }
        let _ = write!(text, "t({}, {}, {}),", weight.opening(), weight.middle(), weight.ending());
        last_group = group;
        column += 1;
    }
    text.push_str("\n];\n");
    text
}

const HEAD: &str = "\
//! The weights of all features, in the order of [`Feature::index`]: data, written by the tuner.

use super::{Feature, Tapered};

/// What one count of the feature is worth.
#[inline]
pub const fn weight(feature: Feature) -> Tapered {
    WEIGHTS[feature.index()]
}

const fn t(opening: i16, middle: i16, ending: i16) -> Tapered {
    Tapered::new(opening, middle, ending)
}

#[rustfmt::skip]
static WEIGHTS: [Tapered; Feature::COUNT] = [
";
