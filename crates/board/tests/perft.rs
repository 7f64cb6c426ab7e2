//! The perft suites, counted as deep as five million nodes a position. `CHUHE_PERFT_LIMIT` raises
//! the limit for long runs.

use std::fs;
use std::path::Path;

use chuhe_board::{Position, perft};

const QUICK_LIMIT: u64 = 5_000_000;

#[test]
fn counts_agree_with_the_suites() {
    let limit = std::env::var("CHUHE_PERFT_LIMIT").map_or(QUICK_LIMIT, |limit| limit.parse().unwrap());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/perft");
    let mut positions = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            check_line(line, limit);
            positions += 1;
        }
    }
    assert!(positions > 0, "the suites hold no position");
}

fn check_line(line: &str, limit: u64) {
    let mut fields = line.split(" ; ");
    let position: Position = fields.next().unwrap().parse().unwrap();
    for field in fields {
        let (depth, nodes) = field.strip_prefix('D').unwrap().split_once(' ').unwrap();
        let (depth, nodes) = (depth.parse().unwrap(), nodes.parse().unwrap());
        if nodes > limit {
            break;
        }
        assert_eq!(perft::count(&position, depth), nodes, "{position} at depth {depth}");
        assert_eq!(perft::count_listed(&position, depth), nodes, "{position} at depth {depth}, listed");
        let divided: u64 = perft::divide(&position, depth, 2).iter().map(|(_, nodes)| nodes).sum();
        assert_eq!(divided, nodes, "{position} at depth {depth}, divided");
    }
}
