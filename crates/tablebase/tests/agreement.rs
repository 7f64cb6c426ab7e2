//! The solver against a slow and simple twin.

use chuhe_tablebase::{Family, Kind, Material, Metric, Rules, Value};

#[path = "support/twin.rs"]
mod twin;

fn compare(name: &str) {
    let material: Material = name.parse().unwrap();
    let twin = twin::Twin::solve(&material);
    let family = Family::solve(&material, Kind::default(), 1 << 30, &|_, _| {}).unwrap();
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

#[test]
fn perpetual_check_changes_nothing_where_neither_side_can_force_it() {
    assert_eq!(changed_by_the_rule("KP-KN"), 0);
}

#[test]
#[ignore = "the twin takes its time: make check-tables"]
fn perpetual_check_loses_where_the_rules_say_so() {
    assert_eq!(changed_by_the_rule("KR-KN"), 2 * (312 + 1285));
}

/// Compares an endgame in which perpetual check loses with the definition; how many positions the rule changes, mirror
/// images counted.
fn changed_by_the_rule(name: &str) -> usize {
    let material: Material = name.parse().unwrap();
    let twin = twin::Twin::solve(&material);
    let kind = Kind { metric: Metric::Dtm, rules: Rules::PerpetualCheck };
    let family = Family::solve(&material, kind, 1 << 30, &|_, _| {}).unwrap();
    let winners = twin.winners_without_perpetual_check();
    let mut changed = 0;
    for ((position, plain), winner) in twin.positions.iter().zip(&twin.values).zip(winners) {
        let mover = position.side_to_move();
        let found = match family.probe(position).unwrap() {
            Value::Draw | Value::DependsOnChase(_) => None,
            Value::Win(_) => Some(mover),
            Value::Loss(_) => Some(!mover),
        };
        assert_eq!(found, winner, "{name}: {position}");
        changed += usize::from(*plain == Value::Draw && winner.is_some());
    }
    changed
}
