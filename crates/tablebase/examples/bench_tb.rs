//! Measures what tables cost: building, verifying, room on disk, memory, and looking up with a block that has to be
//! unpacked (cold) and with one that is (warm).
//!
//! `cargo run --release -p chuhe-tablebase --example bench_tb -- KR-KAABB KRN-KAABB`
#![expect(clippy::print_stdout, reason = "this is a program")]

use std::hint::black_box;
use std::time::Instant;

use chuhe_board::{Position, Side};
use chuhe_tablebase::{Folder, Kind, Material, Prober, TableFile};

fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    for name in &names {
        match name.parse() {
            Ok(material) => measure(&material),
            Err(error) => println!("{error}"),
        }
    }
}

fn measure(material: &Material) {
    let place = tempfile::tempdir().expect("a folder for the tables");
    let folder = Folder::new(place.path());
    println!("{material} with {} tables under it", material.family().len() - 1);

    let start = Instant::now();
    folder.build(material, Kind::default(), 2 << 30, &|_, _| {}).expect("the tables can be built");
    println!("  build   {:>8.2} s, at most {} MB of memory", start.elapsed().as_secs_f64(), peak_memory());

    let files = folder.files().expect("the folder can be read");
    let files: Vec<TableFile> =
        files.iter().map(|path| TableFile::open(path).expect("the tables can be opened")).collect();
    let entries: u64 = files.iter().map(|file| 2 * file.index().len()).sum();
    let bytes: u64 = files.iter().map(TableFile::bytes).sum();
    println!("  size    {bytes} bytes for {entries} entries: {:.4} each", bytes as f64 / entries as f64);

    let start = Instant::now();
    for file in &files {
        folder.verify(file, &|_, _| {}).expect("the tables are right");
    }
    println!("  verify  {:>8.2} s, at most {} MB of memory", start.elapsed().as_secs_f64(), peak_memory());

    let (prober, _) = Prober::open(&folder, Kind::default());
    let file = prober.file(material).expect("the table was just built");
    let positions = sample(file, 4000);
    let cold: Vec<f64> = positions
        .iter()
        .map(|position| {
            prober.forget();
            microseconds(&prober, position)
        })
        .collect();
    let warm: Vec<f64> = positions
        .iter()
        .map(|position| {
            black_box(prober.probe(position));
            microseconds(&prober, position)
        })
        .collect();
    println!("  probe   cold {}, warm {}", spread(cold), spread(warm));
}

/// Legal positions from all over the table.
fn sample(file: &TableFile, count: u64) -> Vec<Position> {
    let index = file.index();
    let step = (index.len() / count).max(1) | 1;
    (0..count)
        .flat_map(|number| {
            let number = number * step % index.len();
            Side::ALL.into_iter().filter_map(move |side| index.position(number, side))
        })
        .collect()
}

fn microseconds(prober: &Prober, position: &Position) -> f64 {
    let start = Instant::now();
    black_box(prober.probe(position));
    start.elapsed().as_secs_f64() * 1e6
}

fn spread(mut times: Vec<f64>) -> String {
    times.sort_by(f64::total_cmp);
    let share = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    format!("{:.2} µs (median; 95 % within {:.2})", share(0.5), share(0.95))
}

/// Peak memory of this process, where the system reports it.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.map_or_else(|| "?".to_owned(), |kilobytes| (kilobytes / 1024).to_string())
}
