//! A partitioned build writes the same file as one in one piece.

use std::fs;

use chuhe_board::Side;
use chuhe_tablebase::{Folder, Kind, Material, Metric, Partition, Rules, Update};

const MEMORY: u64 = 1 << 30;

/// Solves all partitions side by side, as machines would that exchange updates.
fn solve(partitions: &[Partition]) {
    partitions.iter().for_each(|partition| partition.initialise(&|_, _| {}));
    let mut ply = 0;
    while ply <= partitions.iter().map(Partition::longest).max().unwrap() {
        for partition in partitions {
            partition.propagate(ply, &|owner, updates| {
                let bits: Vec<u64> = updates.iter().map(|update| update.to_bits()).collect();
                let updates: Vec<Update> = bits.into_iter().map(Update::from_bits).collect();
                partitions[owner].apply(ply, &updates);
            });
        }
        ply += 1;
    }
}

#[test]
fn the_file_does_not_depend_on_the_partitioning() {
    for (name, metric) in [("KP-KN", Metric::Dtm), ("KNA-KA", Metric::Dtc), ("KR-KAB", Metric::Wdl)] {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        let material: Material = name.parse().unwrap();
        let kind = Kind { metric, rules: Rules::Plain };
        folder.build(&material, kind, MEMORY, &|_, _| {}).unwrap();
        let path = folder.file(&material, kind);
        let whole = fs::read(&path).unwrap();
        for count in [1, 4, 7] {
            fs::remove_file(&path).unwrap();
            let partitions: Vec<Partition> =
                (0..count).map(|which| folder.partition(&material, metric, which, count).unwrap()).collect();
            assert_eq!(partitions.last().unwrap().numbers().end, partitions[0].index().len());
            solve(&partitions);
            let values = Side::ALL.map(|side| {
                partitions.iter().flat_map(|partition| partition.values(side, metric)).collect::<Vec<u16>>()
            });
            folder.write_partitions(&material, metric, values).unwrap();
            assert!(fs::read(&path).unwrap() == whole, "{name} in {count} partitions");
        }
    }
}
