//! What the repetition rules change in endgames, and what they cost: for each name, the positions that the rules decide, those
//! whose value depends on chase, and the CPU time of the plain and of the ruled solution.
//!
//! `cargo run --release -p chuhe-adapters --example chase_survey -- wxf KR-KN KNP-KN`

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a tool for developers prints")]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use chuhe_adapters::repetition::referee_of;
use chuhe_board::Side;
use chuhe_tablebase::{Convention, Family, Kind, Material, Metric, Rules, Statistics};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(rules) = arguments.next().and_then(|name| name.parse::<Rules>().ok()) else {
        eprintln!("usage: chase_survey RULES NAME…");
        return ExitCode::FAILURE;
    };
    for name in arguments {
        match survey(&name, rules) {
            Ok(line) => println!("{line}"),
            Err(error) => eprintln!("{name}: {error}"),
        }
    }
    ExitCode::SUCCESS
}

fn survey(name: &str, rules: Rules) -> Result<String, String> {
    let material: Material = name.parse().map_err(|error| format!("{error}"))?;
    let [(plain, plain_time), (ruled, ruled_time)] =
        [solve(&material, Rules::Plain)?, solve(&material, rules)?];
    let changed = plain.draws() - ruled.draws() - ruled.depend_on_chase;
    Ok(format!(
        "{name} {}: {} positions, {} draws; the rules decide {changed}, {} depend on chase; {:.1} s plain, {:.1} s",
        rules.name(),
        ruled.positions,
        ruled.draws(),
        ruled.depend_on_chase,
        plain_time.as_secs_f64(),
        ruled_time.as_secs_f64(),
    ))
}

/// The statistics of both sides to move, and how long it took.
fn solve(material: &Material, rules: Rules) -> Result<(Statistics, Duration), String> {
    let start = Instant::now();
    let mut family = Family::of(Kind { metric: Metric::Dtm, rules }, referee_of(rules));
    family.add(material, 8 << 30, &|_, _| {}).map_err(|error| error.to_string())?;
    let took = start.elapsed();
    let table = family.table(material).ok_or("always drawn")?;
    let both = Side::ALL.map(|side| table.statistics(side, Convention::Play));
    Ok((both[0].merge(both[1]), took))
}
