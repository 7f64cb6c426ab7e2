//! `POST /api/explore`: positions of an endgame worth playing.

use chuhe_tablebase::{Found, Material, PlayTables, ValidFor, Wanted};
use serde::{Deserialize, Serialize};

use crate::endgame::EndgameValue;
use crate::longest::{CountError, whole_table};

/// Positions of one answer.
const POSITIONS: usize = 6;
/// No table has a longer win, in moves.
const MAX_MOVES: u16 = 150;

/// Asks for positions of an endgame.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ExploreRequest {
    /// The endgame: `KR-KAABB`, Red first.
    pub name: String,
    /// Which positions.
    pub find: Find,
    /// For `length`: wins of the side to move in this many moves.
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub moves: Option<u16>,
    /// The rules of repetition, as in `EndgameRequest`.
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub rules: Option<String>,
    /// Another choice, where there are more.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<u32>"))]
    pub seed: u32,
}

/// Which positions to look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename_all = "snake_case"))]
pub enum Find {
    /// The longest wins.
    Hardest,
    /// Wins of a length, at random.
    Length,
    /// Mutual zugzwangs, at random: each side would rather have the other move.
    Zugzwang,
}

/// Positions of an endgame.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Explored {
    name: String,
    /// Which repetition rules the values are for, as in `EndgameView`.
    rules: &'static str,
    positions: Vec<FoundPosition>,
}

/// A position that was found.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FoundPosition {
    fen: String,
    /// For the side to move.
    value: EndgameValue,
    /// For a zugzwang, what the same side would have if the other were to move.
    passed: Option<EndgameValue>,
}

/// Finds positions in the table of an endgame.
pub fn explore(
    tables: &PlayTables,
    material: &Material,
    request: &ExploreRequest,
) -> Result<Explored, CountError> {
    let wanted = match request.find {
        Find::Hardest => Wanted::Hardest,
        Find::Length => Wanted::Length(2 * request.moves.unwrap_or(1).clamp(1, MAX_MOVES) - 1),
        Find::Zugzwang => Wanted::Zugzwang,
    };
    let table = whole_table(tables, material)?;
    let (_, swapped) = material.canonical();
    let row = |found: Found| FoundPosition {
        fen: if swapped { found.position.across() } else { found.position }.to_string(),
        value: found.value.into(),
        passed: found.passed.map(EndgameValue::from),
    };
    Ok(Explored {
        name: material.to_string(),
        rules: ValidFor::of(material, table.kind().rules).name(),
        positions: table.explore(wanted, POSITIONS, request.seed.into()).into_iter().map(row).collect(),
    })
}

#[cfg(test)]
mod tests {
    use chuhe_tablebase::Rules;

    use super::*;

    fn found(name: &str, find: Find, moves: Option<u16>) -> Explored {
        let request = ExploreRequest { name: name.to_owned(), find, moves, rules: None, seed: 1 };
        explore(&PlayTables::built_in(Rules::Wxf), &name.parse().unwrap(), &request).unwrap()
    }

    #[test]
    fn wins_have_the_length_asked_for_in_either_order_of_the_sides() {
        for name in ["KN-KA", "KA-KN"] {
            let explored = found(name, Find::Length, Some(7));
            assert_eq!((explored.rules, explored.positions.len()), ("all", POSITIONS));
            for FoundPosition { fen, value, passed } in explored.positions {
                assert_eq!(Material::of(&fen.parse().unwrap()).to_string(), name);
                let won_in_7 = r#"{"result":"win","plies":13,"by_rule":false,"late":false}"#;
                assert_eq!(serde_json::to_string(&value).unwrap(), won_in_7);
                assert!(passed.is_none());
            }
        }
    }

    #[test]
    fn a_zugzwang_says_what_a_pass_would_be_worth_and_which_rules_it_is_for() {
        let explored = found("KN-KP", Find::Zugzwang, None);
        assert_eq!(explored.rules, "none");
        assert!(!explored.positions.is_empty());
        assert!(
            explored
                .positions
                .iter()
                .all(|found| found.passed.as_ref().is_some_and(|passed| *passed != found.value))
        );
    }
}
