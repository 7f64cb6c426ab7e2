//! Tables on disk: building, looking up, verifying, and what happens to damaged files.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering::Relaxed};

use chuhe_board::{Position, Side};
use chuhe_tablebase::{
    BuildEvent, Family, FileError, Folder, FolderError, Kind, Material, Metric, Prober, SolveError, Stage,
    TableFile, Value,
};

const MEMORY: u64 = 1 << 30;

fn material(name: &str) -> Material {
    name.parse().unwrap()
}

fn built(name: &str, kind: Kind) -> (tempfile::TempDir, Folder) {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::new(place.path());
    folder.build(&material(name), kind, MEMORY, &|_, _| {}).unwrap();
    (place, folder)
}

/// Every legal position of an endgame.
fn positions(table: &TableFile) -> impl Iterator<Item = Position> + '_ {
    let index = table.index();
    (0..index.len())
        .flat_map(move |number| Side::ALL.into_iter().filter_map(move |side| index.position(number, side)))
}

#[test]
fn files_hold_the_solved_values() {
    let (_place, folder) = built("KP-KN", Kind::default());
    let family = Family::solve(&material("KP-KN"), Kind::default(), MEMORY, &|_, _| {}).unwrap();
    let (prober, faults) = Prober::open(&folder, Kind::default());
    assert!(faults.is_empty());
    assert_eq!((prober.tables(), prober.most_pieces()), (3, 4));
    let file = prober.file(&material("KP-KN")).unwrap();
    for position in positions(file).step_by(7) {
        assert_eq!(prober.probe(&position), family.probe(&position), "{position}");
        let image = position.mirrored();
        assert_eq!(prober.probe(&image), family.probe(&position), "{image}");
    }
}

/// As when a table is copied over another one while the program runs.
#[test]
fn a_table_that_is_cut_while_it_is_open_is_ignored() {
    let (_place, folder) = built("KR-K", Kind::default());
    let (prober, faults) = Prober::open(&folder, Kind::default());
    assert!(faults.is_empty());
    let file = prober.file(&material("KR-K")).unwrap();
    let position = positions(file).next().unwrap();
    let disk = fs::OpenOptions::new().write(true).open(file.path()).unwrap();
    disk.set_len(200).unwrap();
    assert_eq!(prober.probe(&position), None);
    assert!(file.load_whole().is_err());
}

#[test]
fn every_kind_verifies_and_agrees_on_who_wins() {
    let win = |value: Option<Value>| match value.unwrap() {
        Value::Win(_) => 1,
        Value::Draw | Value::DependsOnChase(_) => 0,
        Value::Loss(_) => -1,
    };
    let kinds = Metric::ALL.map(|metric| Kind { metric, ..Kind::default() });
    let folders = kinds.map(|kind| built("KCA-KA", kind));
    for (kind, (_, folder)) in kinds.into_iter().zip(&folders) {
        for path in folder.files().unwrap() {
            folder.verify(&TableFile::open(&path).unwrap(), &|_, _| {}).unwrap();
        }
        assert_eq!(Prober::open(folder, kind).0.tables(), 4);
    }
    let [mate, conversion, outcome] = kinds.map(|kind| {
        let place = kinds.iter().position(|other| *other == kind).unwrap();
        Prober::open(&folders[place].1, kind).0
    });
    for position in positions(mate.file(&material("KCA-KA")).unwrap()).step_by(31) {
        let by_mate = mate.probe(&position);
        assert_eq!(win(conversion.probe(&position)), win(by_mate), "{position}");
        assert_eq!(win(outcome.probe(&position)), win(by_mate), "{position}");
        if let (Some(Value::Win(mate)), Some(Value::Win(conversion))) = (by_mate, conversion.probe(&position))
        {
            assert!(conversion <= mate, "{position}");
        }
    }
}

#[test]
fn existing_tables_are_not_built_again() {
    let (_place, folder) = built("KR-KA", Kind::default());
    let present = std::sync::Mutex::new(0);
    let on_progress = |_: &Material, event| {
        assert_eq!(event, BuildEvent::Present);
        *present.lock().unwrap() += 1;
    };
    folder.build(&material("KR-KA"), Kind::default(), MEMORY, &on_progress).unwrap();
    assert_eq!(present.into_inner().unwrap(), 2);
}

#[test]
fn a_stopped_build_resumes() {
    let place = tempfile::tempdir().unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let folder = Folder::new(place.path()).stopped_by(stop.clone());
    let (name, kind) = (material("KR-KA"), Kind::default());
    let resumed = AtomicU16::new(0);
    let on_progress = |of: &Material, event| match event {
        BuildEvent::Solving(Stage::Ply(5, _)) if *of == name => stop.store(true, Relaxed),
        BuildEvent::Solving(Stage::Resumed(ply)) => resumed.store(ply, Relaxed),
        _ => {}
    };
    let error = folder.build(&name, kind, MEMORY, &on_progress).unwrap_err();
    assert!(matches!(error, FolderError::Solve(SolveError::Stopped { material }) if material == name));
    assert_eq!(folder.files().unwrap().len(), 1, "only the table under it is whole");

    stop.store(false, Relaxed);
    folder.build(&name, kind, MEMORY, &on_progress).unwrap();
    assert_eq!(resumed.into_inner(), 6);
    let (_place, whole) = built("KR-KA", kind);
    assert_eq!(fs::read(folder.file(&name, kind)).unwrap(), fs::read(whole.file(&name, kind)).unwrap());
}

#[test]
fn too_little_memory_fails_before_work_begins() {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::new(place.path());
    let error = folder.build(&material("KR-K"), Kind::default(), 10_000, &|_, _| {}).unwrap_err();
    assert_eq!(error.to_string(), "KR-K takes 24300 bytes of memory to solve; 10000 are allowed");
    assert!(matches!(error, FolderError::Solve(_)));
    assert_eq!(folder.files().unwrap().len(), 0);
}

#[test]
fn damaged_files_are_named_and_the_others_still_work() {
    let (_place, folder) = built("KR-KA", Kind::default());
    let path = folder.file(&material("KR-KA"), Kind::default());
    let whole = fs::read(&path).unwrap();
    let rook: Position = "3k5/9/9/9/9/9/9/9/4R4/4K4 w".parse().unwrap();

    let fault = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let (prober, faults) = Prober::open(&folder, Kind::default());
        assert_eq!(prober.tables(), 1);
        assert!(matches!(prober.probe(&rook), Some(Value::Win(_))));
        faults[0].to_string()
    };
    assert!(fault(&[]).ends_with("not a Chuhe table"));
    assert!(fault(b"hello, world").ends_with("not a Chuhe table"));
    assert!(fault(&whole[..whole.len() - 1]).contains("damaged: its length differs"));
    for cut in [9, 40, 95, 96, 200, whole.len() / 2] {
        assert!(fault(&whole[..cut]).contains("damaged"), "cut at {cut}");
    }
    let mut other = whole.clone();
    other[8] = 9;
    assert!(fault(&other).ends_with("format version 9, but this program reads version 2"));
    let mut other = whole.clone();
    other[100] ^= 0x40;
    assert!(fault(&other).contains("checksum of its header"));
}

#[test]
fn a_corrupted_block_is_detected_on_reading() {
    let (_place, folder) = built("KR-KA", Kind::default());
    let path = folder.file(&material("KR-KA"), Kind::default());
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 3;
    bytes[last] ^= 0x10;
    fs::write(&path, &bytes).unwrap();
    let file = TableFile::open(&path).unwrap();
    let error = folder.verify(&file, &|_, _| {}).unwrap_err();
    assert!(matches!(error, FolderError::File(FileError::Damaged { .. })), "{error}");
    let (prober, faults) = Prober::open(&folder, Kind::default());
    assert!(faults.is_empty());
    let missing = positions(&file).filter(|position| prober.probe(position).is_none()).count();
    assert!(missing > 0);
}
