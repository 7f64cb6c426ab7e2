//! All endings with at most two attackers on each side, by attackers, as a table in Markdown: what the smallest and the largest
//! take, and how many belong to the wide set. The argument is how many entries are built in a second.
//!
//! `cargo run --release -p chuhe-tablebase --example two_against_two -- 17000000`
#![expect(clippy::print_stdout, reason = "this is a program")]

use std::collections::{BTreeMap, HashSet};

use chuhe_board::{PieceKind, Side};
use chuhe_tablebase::{Index, Kind, Material, NamedSet, memory_to_solve, two_against_two};

fn main() {
    let rate: f64 = std::env::args().nth(1).and_then(|rate| rate.parse().ok()).unwrap_or(17e6);
    let wide: HashSet<Material> = NamedSet::Wide.endgames().into_iter().collect();
    let mut by_attackers: BTreeMap<String, Vec<Material>> = BTreeMap::new();
    for material in two_against_two() {
        by_attackers.entry(attackers(&material)).or_default().push(material);
    }
    println!(
        "| attackers | endings | without guards: entries, memory, time | with all guards | in the wide set |"
    );
    println!("|---|---|---|---|---|");
    for (name, mut endings) in by_attackers {
        endings.sort_by_key(entries);
        let [smallest, largest] = [endings.first(), endings.last()].map(|ending| takes(ending, rate));
        let in_wide = endings.iter().filter(|ending| wide.contains(ending)).count();
        println!("| {name} | {} | {smallest} | {largest} | {in_wide} |", endings.len());
    }
}

/// Both sides' attackers in the order of names, the stronger first: `RN-C`.
fn attackers(material: &Material) -> String {
    let (without_guards, _) =
        PieceKind::ALL.into_iter().filter(|kind| is_guard(*kind)).fold(*material, strip).canonical();
    without_guards.to_string()
}

fn is_guard(kind: PieceKind) -> bool {
    matches!(kind, PieceKind::Advisor | PieceKind::Elephant)
}

/// The material without the pieces of a kind.
fn strip(mut material: Material, kind: PieceKind) -> Material {
    for side in Side::ALL {
        while let Some(rest) = material.without(side, kind) {
            material = rest;
        }
    }
    material
}

/// Entries of both sides to move.
fn entries(material: &Material) -> u64 {
    2 * Index::len_of(material).unwrap_or(u64::MAX / 2)
}

fn takes(material: Option<&Material>, rate: f64) -> String {
    let Some(material) = material else { return "–".to_owned() };
    let memory = memory_to_solve(material, Kind::default()) as f64;
    let seconds = entries(material) as f64 / rate;
    format!("{}, {}, {}", short(entries(material) as f64, ""), short(memory, "B"), time(seconds))
}

/// `1.2 M`, `3.4 GB`.
fn short(number: f64, unit: &str) -> String {
    let (size, prefix) = [(1e12, "T"), (1e9, "G"), (1e6, "M")]
        .into_iter()
        .find(|(size, _)| number >= *size)
        .unwrap_or((1e3, "k"));
    format!("{:.1} {prefix}{unit}", number / size)
}

fn time(seconds: f64) -> String {
    match seconds {
        ..60.0 => format!("{seconds:.1} s"),
        60.0..3600.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}
