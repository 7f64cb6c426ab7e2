//! `chuhe train chances`: from scores to winning chances.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::bail;
use chuhe_eval::Curve;
use chuhe_train::chances::Counts;
use clap::Args;
use serde::Serialize;

use super::samples;
use crate::output;

/// Fit the curve from scores to winning chances to the results of self-play
#[derive(Args)]
#[command(after_help = "Example: chuhe train chances data/*.samples")]
pub(crate) struct Arguments {
    /// The shards to learn from
    #[arg(required = true)]
    shards: Vec<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Found {
    samples: u64,
    bits_before: f64,
    bits_after: f64,
    attackers: [i32; 5],
    half_won: [f64; 5],
    spread: [f64; 5],
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut counts = Counts::default();
    for path in &arguments.shards {
        for sample in samples::intact(path)? {
            counts.add(&sample?);
        }
    }
    if counts.samples() == 0 {
        bail!("the shards hold no samples");
    }
    let curve = counts.fit(Curve::FITTED);
    let found = Found {
        samples: counts.samples(),
        bits_before: counts.surprise(&Curve::FITTED),
        bits_after: counts.surprise(&curve),
        attackers: Curve::ANCHORS,
        half_won: curve.half_won,
        spread: curve.spread,
    };
    if arguments.json {
        return output::print_json(&found);
    }
    let mut text = String::new();
    let Found { samples, bits_before, bits_after, .. } = found;
    let _ =
        writeln!(text, "{samples} samples, {bits_before:.4} bits of surprise before, {bits_after:.4} after");
    let _ = writeln!(text, "{:>10}{:>12}{:>10}", "attackers", "half won at", "spread");
    for (index, attackers) in Curve::ANCHORS.into_iter().enumerate() {
        let _ = writeln!(text, "{attackers:>10}{:>12.1}{:>10.1}", curve.half_won[index], curve.spread[index]);
    }
    output::print(&text)
}
