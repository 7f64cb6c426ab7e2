//! The solver against a slow and simple twin.

use chuhe_tablebase::{Family, Material};

#[path = "support/twin.rs"]
mod twin;

fn compare(name: &str) {
    let material: Material = name.parse().unwrap();
    let twin = twin::Twin::solve(&material);
    let family = Family::solve(&material, 1 << 30, &|_, _| {}).unwrap();
    for (position, value) in twin.positions.iter().zip(&twin.values) {
        assert_eq!(family.probe(position), Some(*value), "{name}: {position}");
    }
}

#[test]
fn one_attacker_against_a_defender() {
    for name in ["KR-K", "KN-KA", "KP-KB", "KC-KA"] {
        compare(name);
    }
}

#[test]
fn helpers_of_the_attacker_count() {
    for name in ["KCA-K", "KPB-KA"] {
        compare(name);
    }
}

#[test]
fn equal_pieces_and_attackers_of_both_sides() {
    for name in ["KPP-K", "KP-KP"] {
        compare(name);
    }
}
