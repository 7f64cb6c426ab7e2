//! What every textbook says about endgames (`suites/endgames/theory.txt`).

use std::path::Path;

use chuhe_board::{Position, QUIET_PLY_LIMIT, Side};
use chuhe_tablebase::{Family, Index, Kind, Material, Metric, Value};

/// Endgames with more entries than this are left to the long test.
const SMALL: u64 = 700_000;

struct Case {
    result: String,
    position: Position,
    claim: String,
}

/// `result ; FEN ; textbook claim`, results being those of Red.
fn cases() -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/endgames/theory.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let [result, fen, claim] = line.splitn(3, ';').collect::<Vec<_>>().try_into().unwrap();
            Case {
                result: result.trim().to_owned(),
                position: fen.trim().parse().unwrap(),
                claim: claim.trim().to_owned(),
            }
        })
        .collect()
}

fn check(cases: &[Case]) {
    let mut family = Family::default();
    let mut wrong = Vec::new();
    for Case { result, position, claim } in cases {
        family.add(&Material::of(position), 4 << 30, &|_, _| {}).unwrap();
        let value = family.probe(position).unwrap();
        let found = match (value, position.side_to_move()) {
            (Value::Draw | Value::DependsOnChase(_), _) => "draw",
            (Value::Win(_), Side::Red) | (Value::Loss(_), Side::Black) => "win",
            (Value::Loss(_), Side::Red) | (Value::Win(_), Side::Black) => "loss",
        };
        if found != result {
            wrong.push(format!("{claim}: {position}: {value}, not {result}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn is_small(case: &Case) -> bool {
    Index::len_of(&Material::of(&case.position)).is_some_and(|len| len <= SMALL)
}

#[test]
fn small_endgames_come_out_as_the_books_say() {
    let small: Vec<Case> = cases().into_iter().filter(is_small).collect();
    assert!(small.len() >= 30, "only {} cases", small.len());
    check(&small);
}

#[test]
#[ignore = "solves large endgames: make check-tables"]
fn all_endgames_come_out_as_the_books_say() {
    check(&cases());
}

#[test]
#[ignore = "solves large endgames: make check-tables"]
fn the_limit_of_sixty_rounds_spoils_the_longest_wins_with_horse_and_soldier_against_a_horse() {
    let longest: Position = "9/3k5/1P1n5/9/9/9/9/9/9/N4K3 b - - 0 1".parse().unwrap();
    let by_conversion = Kind { metric: Metric::Dtc, ..Kind::default() };
    for kind in [Kind::default(), by_conversion] {
        let family = Family::solve(&Material::of(&longest), kind, 4 << 30, &|_, _| {}).unwrap();
        let Some(Value::Loss(plies)) = family.probe(&longest) else { panic!("Black is lost") };
        // Nothing is taken on the way, so the distances to mate and to the conversion are the same.
        assert_eq!(plies, 154);
        assert!(plies > QUIET_PLY_LIMIT);
    }
}
