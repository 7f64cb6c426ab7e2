//! The tables built into the program.

use std::fs;

use chuhe_board::Position;
use chuhe_tablebase::{Archive, BUILT_IN_SET, Folder, Kind, Material, Prober, Value, built_in_set};

/// Verifying a table with more entries than this is left to the long test.
const SMALL: u64 = 150_000;

fn verify(archive: &Archive, materials: impl Iterator<Item = Material>) {
    let empty = tempfile::tempdir().unwrap();
    let folder = Folder::new(empty.path());
    for material in materials {
        let table = archive.open(&material).unwrap().unwrap();
        assert!(table.is_built_in());
        folder.verify(&table, &|_, _| {}).unwrap_or_else(|error| panic!("{material}: {error}"));
    }
}

#[test]
fn the_archive_holds_the_built_in_set_and_small_tables_verify() {
    let archive = Archive::built_in();
    assert!(archive.materials().eq(&built_in_set()));
    assert!(archive.bytes() <= 4_000_000, "{} bytes", archive.bytes());
    let small = archive.materials().copied();
    verify(archive, small.filter(|material| archive.open(material).unwrap().unwrap().index().len() <= SMALL));
}

#[test]
#[ignore = "verifies and builds all built-in tables: make check-tables"]
fn every_table_verifies_and_the_archive_is_built_byte_for_byte() {
    let archive = Archive::built_in();
    verify(archive, archive.materials().copied());
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::new(place.path());
    for name in BUILT_IN_SET {
        folder.build(&name.parse().unwrap(), Kind::default(), 1 << 30, &|_, _| {}).unwrap();
    }
    let built = fs::read(folder.write_built_in().unwrap()).unwrap();
    assert!(built == fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/builtin.tables")).unwrap());
}

#[test]
fn a_prober_knows_the_eight_endings_of_fang_without_a_folder() {
    let prober = Prober::none().with_built_in(Kind::default());
    assert_eq!(prober.tables(), built_in_set().len());
    for (fen, value) in [
        ("3k1a3/9/9/9/9/9/9/9/4N4/4K4 b", Value::Loss(38)),
        ("3k1a3/3Ca4/9/9/9/9/9/9/9/3K1A3 b", Value::Loss(48)),
        ("5a3/5k3/b2a5/9/2b6/9/9/9/9/1R1K5 b", Value::Loss(64)),
    ] {
        let position: Position = fen.parse().unwrap();
        assert_eq!(prober.probe(&position), Some(value), "{fen}");
    }
    for name in ["KN-KA", "KN-KB", "KR-KAA", "KR-KBB", "KR-KAAB", "KR-KABB", "KR-KAABB", "KCA-KAA"] {
        assert!(prober.contains(&name.parse().unwrap()), "{name}");
    }
}

#[test]
fn a_table_in_the_folder_takes_precedence() {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::new(place.path());
    let material: Material = "KR-KA".parse().unwrap();
    folder.build(&material, Kind::default(), 1 << 30, &|_, _| {}).unwrap();
    let prober = Prober::open(&folder, Kind::default()).0.with_built_in(Kind::default());
    assert_eq!(prober.tables(), built_in_set().len());
    let file = prober.file(&material).unwrap();
    assert!(!file.is_built_in());
    // The program builds what it comes with.
    let built_in = Archive::built_in().open(&material).unwrap().unwrap();
    assert_eq!(file.bytes(), built_in.bytes());
    assert!(prober.file(&"KR-KAA".parse().unwrap()).unwrap().is_built_in());
}

#[test]
fn other_kinds_are_not_built_in() {
    let kind = Kind { metric: chuhe_tablebase::Metric::Wdl, ..Kind::default() };
    assert_eq!(Prober::none().with_built_in(kind).tables(), 0);
}
