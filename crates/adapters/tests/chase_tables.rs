//! Tables that know perpetual chase against a second solver that knows only the definition.

#![allow(clippy::print_stdout, reason = "long tests say what they compared")]

use chuhe_adapters::repetition::referee_of;
use chuhe_board::{PieceKind, Position, Side};
use chuhe_referee::RuleSet;
use chuhe_tablebase::{Bounds, Family, Kind, Material, Metric, Rules, Value};

#[path = "support/by_definition.rs"]
mod by_definition;
#[path = "support/muller.rs"]
mod muller;

/// What a comparison found, mirror images once.
#[derive(Debug, Default, PartialEq, Eq)]
struct Compared {
    /// Positions that mate does not decide.
    positions: usize,
    /// Those that the repetition rules decide.
    decided: usize,
    /// Those that the table calls dependent on chase, and how many of them the second solver calls decided.
    depend: usize,
    depend_decided: usize,
}

fn solved(name: &str, rules: Rules) -> Family {
    let mut family = Family::of(Kind { metric: Metric::Dtm, rules }, referee_of(rules));
    family.add(&name.parse().unwrap(), 1 << 32, &|_, _| {}).unwrap();
    family
}

/// Compares all positions of a set that quiet moves do not leave.
fn compare(name: &str, rules: RuleSet, is_member: impl Fn(&Position) -> bool) -> Compared {
    let material: Material = name.parse().unwrap();
    let family = solved(name, if rules == RuleSet::Cxa { Rules::Cxa } else { Rules::Wxf });
    let table = family.table(&material).unwrap();
    let mut compared = Compared::default();
    for (position, winner) in by_definition::winners(table, &family, rules, is_member) {
        let mover = position.side_to_move();
        let value = table.probe(&position).unwrap();
        let says = |possible: &[Option<Side>]| {
            assert!(possible.contains(&winner), "{name}: {position}: {value:?}, but {winner:?}");
        };
        match value {
            Value::Draw => says(&[None]),
            Value::Win(_) => says(&[Some(mover)]),
            Value::Loss(_) => says(&[Some(!mover)]),
            Value::DependsOnChase(Bounds::AtLeastDraw) => says(&[None, Some(mover)]),
            Value::DependsOnChase(Bounds::AtMostDraw) => says(&[None, Some(!mover)]),
            Value::DependsOnChase(Bounds::Unknown) => {}
        }
        compared.positions += 1;
        compared.decided += usize::from(winner.is_some());
        if matches!(value, Value::DependsOnChase(_)) {
            compared.depend += 1;
            compared.depend_decided += usize::from(winner.is_some());
        }
    }
    println!("{name} {rules}: {compared:?}");
    compared
}

fn all(_: &Position) -> bool {
    true
}

/// Soldiers on the last rank stay there, and they are few.
fn has_soldiers_on_the_last_rank(position: &Position) -> bool {
    let last = |side: Side| if side == Side::Red { 9 } else { 0 };
    let stands = |side: Side| {
        position.pieces_of(side, PieceKind::Soldier).into_iter().all(|point| point.rank() == last(side))
    };
    Side::ALL.into_iter().all(stands)
}

#[test]
fn tables_agree_with_the_definition() {
    let compared = compare("KR-KN", RuleSet::Wxf, all);
    assert_eq!((compared.decided, compared.depend), (1597, 0));
}

#[test]
#[ignore = "the second solver takes its time: make check-tables"]
fn tables_in_which_nobody_can_force_a_chase_agree_with_the_definition() {
    for name in ["KR-KC", "KN-KC", "KN-KN", "KC-KC", "KR-KP", "KN-KP", "KC-KP", "KR-KR"] {
        let compared = compare(name, RuleSet::Wxf, all);
        assert_eq!((compared.decided, compared.depend), (0, 0), "{name}");
    }
}

#[test]
#[ignore = "the second solver takes its time: make check-tables"]
fn a_table_that_chases_decide_agrees_with_the_definition() {
    let compared = compare("KNP-KN", RuleSet::Wxf, has_soldiers_on_the_last_rank);
    assert!(compared.decided > 0);
}

#[test]
fn a_table_of_the_chinese_rules_agrees_with_the_definition() {
    compare("KP-KP", RuleSet::Cxa, all);
}

#[test]
#[ignore = "the second solver takes its time: make check-tables"]
fn tables_of_the_chinese_rules_agree_with_the_definition() {
    for name in ["KR-KN", "KR-KC", "KN-KC", "KN-KN", "KC-KC", "KR-KP", "KN-KP", "KC-KP", "KR-KR"] {
        compare(name, RuleSet::Cxa, all);
    }
}

#[test]
#[ignore = "the second solver takes its time: make check-tables"]
fn a_table_that_attacks_decide_agrees_with_the_definition() {
    let compared = compare("KNP-KN", RuleSet::Cxa, has_soldiers_on_the_last_rank);
    assert!(compared.decided > 0);
}
