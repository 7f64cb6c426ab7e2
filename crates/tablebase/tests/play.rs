//! Tables as they are used by who plays by repetition rules.

use chuhe_board::{Position, Side};
use chuhe_tablebase::{Folder, Kind, PlayTables, RULE_DISTANCE, Rules, ValidFor, Value};

const CHECK: Kind = Kind { metric: chuhe_tablebase::Metric::Dtm, rules: Rules::PerpetualCheck };

fn positions(tables: &PlayTables, name: &str) -> Vec<Position> {
    let index = tables.file(&name.parse().unwrap()).unwrap().index();
    let numbers = (0..index.len()).step_by(7);
    let both = numbers.flat_map(|number| Side::ALL.map(|side| index.position(number, side)));
    both.flatten().collect()
}

#[test]
fn draws_with_attackers_on_both_sides_are_certain_only_by_a_table_for_the_rules() {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::new(place.path());
    let material = "KR-KN".parse().unwrap();
    folder.build(&material, Kind::default(), 1 << 28, &|_, _| {}).unwrap();
    let (plain, faults) = PlayTables::open(&folder, Rules::PerpetualCheck);
    assert!(faults.is_empty());
    folder.build(&material, CHECK, 1 << 28, &|_, _| {}).unwrap();
    let (judged, _) = PlayTables::open(&folder, Rules::PerpetualCheck);
    assert_eq!((plain.counts().1, judged.counts().1), (0, 1));

    let (mut drawn, mut by_rule, mut mixed) = (0, 0, 0);
    for position in positions(&plain, "KR-KN") {
        let (without, with) = (plain.probe(&position).unwrap(), judged.probe(&position).unwrap());
        assert_eq!(without.rules, ValidFor::Only(Rules::Plain));
        assert_eq!(with.rules, ValidFor::Only(Rules::PerpetualCheck));
        match (without.value, with.value) {
            (Value::Draw, Value::Draw) => {
                assert_eq!((plain.certain(&position), judged.certain(&position)), (None, Some(Value::Draw)));
                drawn += 1;
            }
            (Value::Draw, Value::Win(plies) | Value::Loss(plies)) => {
                assert!(plies >= RULE_DISTANCE, "{position}");
                assert_eq!((plain.certain(&position), judged.certain(&position)), (None, None));
                by_rule += 1;
            }
            (decided, same) => {
                assert_eq!(decided, same, "{position}");
                assert_eq!(plain.certain(&position), Some(decided));
            }
        }
        // A capture leads to an endgame whose one table holds under all rules.
        let (value, moves) = judged.probe_moves(&position).unwrap();
        assert_eq!((value, moves.len()), (with, position.moves().len()));
        mixed += usize::from(position.moves().iter().any(|mv| position.piece_on(mv.to()).is_some()));
    }
    assert!(drawn > 50 && by_rule > 100 && mixed > 1000, "{drawn}, {by_rule}, {mixed}");
}

#[test]
fn the_values_of_a_position_and_its_moves_are_for_the_same_rules() {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::new(place.path());
    let material = "KP-KP".parse().unwrap();
    folder.build(&material, CHECK, 1 << 28, &|_, _| {}).unwrap();
    let tables = PlayTables::open(&folder, Rules::PerpetualCheck).0;
    let position = positions(&tables, "KP-KP").swap_remove(0);
    let rules =
        |rules| PlayTables::open(&folder, rules).0.probe_moves(&position).map(|(found, _)| found.rules);
    assert_eq!(rules(Rules::PerpetualCheck), Some(ValidFor::Only(Rules::PerpetualCheck)));
    // The folder has no table for other rules, and none without rules.
    assert_eq!(rules(Rules::Wxf), None);
    folder.build(&material, Kind::default(), 1 << 28, &|_, _| {}).unwrap();
    assert_eq!(rules(Rules::Wxf), Some(ValidFor::Only(Rules::Plain)));
}

#[test]
fn an_endgame_with_one_attacking_side_has_one_table_for_all_rules() {
    let tables = PlayTables::built_in(Rules::Wxf);
    let position: Position = "2bak4/4a4/4b4/9/9/9/9/9/3R5/5K3 w".parse().unwrap();
    assert_eq!(tables.probe(&position).unwrap().rules, ValidFor::All);
    assert_eq!(tables.certain(&position), Some(Value::Draw));
}
