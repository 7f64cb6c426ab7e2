//! Tables in which one side has no attackers hold under all repetition rules: no side can be made to offend.

#![allow(clippy::print_stdout, reason = "long tests say what they compared")]

use chuhe_adapters::repetition::referee_of;
use chuhe_board::Side;
use chuhe_tablebase::{Folder, Kind, Material, Rules, built_in_set};

fn hold(materials: impl Iterator<Item = Material>, rules: Rules) {
    let folder = Folder::new("no such folder").judged_by(referee_of(rules));
    for material in materials {
        let table = folder.open(&material, Kind::default()).unwrap();
        folder.verify(&table, &|_, _| {}).unwrap_or_else(|error| panic!("{material}: {error}"));
    }
}

fn is_one_sided(material: &Material) -> bool {
    Side::ALL.iter().any(|&side| !material.has_attackers(side))
}

#[test]
fn small_built_in_tables_with_one_attacking_side_serve_all_rules() {
    for rules in [Rules::Wxf, Rules::Cxa] {
        hold(["KP-K", "KR-KA", "KN-KA"].into_iter().map(|name| name.parse().unwrap()), rules);
    }
}

#[test]
#[ignore = "verifies 80 tables: make check-tables"]
fn built_in_tables_with_one_attacking_side_serve_all_rules() {
    let one_sided: Vec<Material> = built_in_set().into_iter().filter(is_one_sided).collect();
    println!("{} tables", one_sided.len());
    for rules in [Rules::Wxf, Rules::Cxa] {
        hold(one_sided.iter().copied(), rules);
    }
}
