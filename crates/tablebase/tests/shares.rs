//! A table solved in shares is the same file as one solved in one piece.

use std::fs;

use chuhe_board::Side;
use chuhe_tablebase::{Folder, Kind, Material, Metric, Rules, Share, Update};

const MEMORY: u64 = 1 << 30;

/// Solves all shares of an endgame side by side, as machines would that send each other updates.
fn solve(shares: &[Share]) {
    shares.iter().for_each(|share| share.open(&|_, _| {}));
    let mut ply = 0;
    while ply <= shares.iter().map(Share::longest).max().unwrap() {
        for share in shares {
            share.round(ply, &|owner, updates| {
                let bits: Vec<u64> = updates.iter().map(|update| update.to_bits()).collect();
                let updates: Vec<Update> = bits.into_iter().map(Update::from_bits).collect();
                shares[owner].receive(ply, &updates);
            });
        }
        ply += 1;
    }
}

#[test]
fn the_file_is_the_same_however_the_table_is_divided() {
    for (name, metric) in
        [("KP-KN", Metric::Mate), ("KNA-KA", Metric::Conversion), ("KR-KAB", Metric::Outcome)]
    {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path());
        let material: Material = name.parse().unwrap();
        let kind = Kind { metric, rules: Rules::Plain };
        folder.build(&material, kind, MEMORY, &|_, _| {}).unwrap();
        let path = folder.file(&material, kind);
        let whole = fs::read(&path).unwrap();
        for count in [1, 4, 7] {
            fs::remove_file(&path).unwrap();
            let shares: Vec<Share> =
                (0..count).map(|which| folder.share(&material, metric, which, count).unwrap()).collect();
            assert_eq!(shares.last().unwrap().numbers().end, shares[0].index().len());
            solve(&shares);
            let values = Side::ALL
                .map(|side| shares.iter().flat_map(|share| share.values(side, metric)).collect::<Vec<u16>>());
            folder.write_shares(&material, metric, values).unwrap();
            assert!(fs::read(&path).unwrap() == whole, "{name} in {count} shares");
        }
    }
}
