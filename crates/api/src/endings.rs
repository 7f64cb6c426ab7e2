//! `GET /api/endings`: classical endings by name.

use chuhe_tablebase::{Material, Rules};
use serde::Serialize;

use crate::Notice;
use crate::endgame::{EndgameTables, EndgameValue};
use crate::wire::position;

const ENDINGS: &str = include_str!("endings.txt");

/// A classical ending.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Ending {
    /// `KR-KAABB`, Red first.
    material: &'static str,
    traditional: &'static str,
    simplified: &'static str,
    english: &'static str,
    /// An example position.
    fen: &'static str,
    /// Whether there is a table.
    known: bool,
    /// Whether that table comes with the program.
    built_in: bool,
    /// The value of the example, if there is a table.
    value: Option<EndgameValue>,
}

/// The endings, with what the tables know of them under some rules.
pub fn endings(tables: &dyn EndgameTables, rules: Rules) -> Result<Vec<Ending>, Notice> {
    let tables = tables.tables(rules);
    let endings = entries().map(|[material, traditional, simplified, english, fen]| {
        let position = position(Some(fen))?;
        let value = tables.probe(&position).map(|found| EndgameValue::from(found.value));
        let pieces = Material::of(&position);
        let (known, built_in) = (tables.knows(&pieces), tables.is_built_in(&pieces));
        Ok(Ending { material, traditional, simplified, english, fen, known, built_in, value })
    });
    endings.collect()
}

fn entries() -> impl Iterator<Item = [&'static str; 5]> {
    let lines = ENDINGS.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split('\t').collect::<Vec<_>>().try_into().ok())
}

#[cfg(test)]
mod tests {
    use chuhe_tablebase::{PlayTables, Value};

    use super::*;
    use crate::longest::LongestWins;

    /// Not shorter than half of the longest: such a win is over before it teaches anything.
    #[test]
    fn every_ending_with_a_built_in_table_is_worth_playing() {
        let tables = PlayTables::built_in(Rules::Wxf);
        let mut probed = 0;
        for [material, .., fen] in entries() {
            let value = tables.probe(&position(Some(fen)).unwrap()).map(|found| found.value);
            match value {
                Some(Value::Win(plies)) => {
                    let longest = LongestWins::count(&tables, &material.parse().unwrap()).unwrap();
                    let longest = longest.red.unwrap().plies;
                    assert!(2 * plies >= longest, "{material}: won in {plies}, the longest win in {longest}");
                }
                Some(Value::Loss(_)) => panic!("{material}: Red is lost"),
                Some(Value::Draw | Value::DependsOnChase(_)) | None => continue,
            }
            probed += 1;
        }
        assert!(probed >= 9, "{probed}");
    }

    #[test]
    fn every_ending_is_what_its_name_says() {
        assert_eq!(entries().count(), ENDINGS.lines().filter(|line| !line.starts_with('#')).count());
        for [material, .., fen] in entries() {
            let position = position(Some(fen)).unwrap();
            assert_eq!(Material::of(&position).to_string(), material, "{fen}");
            assert!(position.implausibilities().is_empty(), "{fen}");
            assert!(!position.is_in_check(), "{fen}");
        }
    }
}
