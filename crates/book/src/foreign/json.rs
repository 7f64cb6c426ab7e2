//! Books as JSON, without loss.

use chuhe_board::Key;
use chuhe_board::coords::{RankStyle, parse_move};
use serde::{Deserialize, Serialize};

use super::Damage;
use crate::entry::Flags;
use crate::{BookMove, Entries};

/// A position of a book in JSON.
#[derive(Serialize, Deserialize)]
struct PositionJson {
    /// Sixteen hexadecimal digits.
    key: String,
    moves: Vec<MoveJson>,
}

#[derive(Serialize, Deserialize)]
struct MoveJson {
    #[serde(rename = "move")]
    mv: String,
    #[serde(default)]
    count: u32,
    #[serde(default)]
    wins: u32,
    #[serde(default)]
    draws: u32,
    #[serde(default)]
    losses: u32,
    #[serde(default)]
    strength: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    score: Option<i16>,
    #[serde(default)]
    depth: u8,
    #[serde(default)]
    weight: i16,
    #[serde(default)]
    seen: u32,
    #[serde(flatten)]
    flags: Flags,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    note: String,
}

/// Writes a book as JSON: a list of positions, each with its key and its moves.
pub(super) fn write(entries: &Entries) -> String {
    let positions: Vec<PositionJson> = entries
        .iter()
        .map(|(key, moves)| PositionJson {
            key: key.to_string(),
            moves: moves.iter().map(MoveJson::from).collect(),
        })
        .collect();
    serde_json::to_string(&positions).expect("books are plain data")
}

/// Reads a book from JSON.
pub(super) fn read(bytes: &[u8]) -> Result<Entries, Damage> {
    let positions: Vec<PositionJson> = serde_json::from_slice(bytes)?;
    let mut entries = Entries::new();
    for position in positions {
        let key = u64::from_str_radix(&position.key, 16).map_err(|_| unreadable(&position.key))?;
        let moves = position.moves.into_iter().map(BookMove::try_from).collect::<Result<_, _>>()?;
        entries.insert(Key::from_number(key), moves);
    }
    Ok(entries)
}

impl From<&BookMove> for MoveJson {
    fn from(known: &BookMove) -> Self {
        Self {
            mv: known.mv.to_string(),
            count: known.count,
            wins: known.wins,
            draws: known.draws,
            losses: known.losses,
            strength: known.strength,
            score: known.score,
            depth: known.depth,
            weight: known.weight,
            seen: known.seen,
            flags: known.flags,
            note: known.note.clone(),
        }
    }
}

impl TryFrom<MoveJson> for BookMove {
    type Error = Damage;

    fn try_from(json: MoveJson) -> Result<Self, Damage> {
        let mv = parse_move(&json.mv, RankStyle::FromZero).map_err(|_| unreadable(&json.mv))?;
        Ok(Self {
            mv,
            count: json.count,
            wins: json.wins,
            draws: json.draws,
            losses: json.losses,
            strength: json.strength,
            score: json.score,
            depth: json.depth,
            weight: json.weight,
            seen: json.seen,
            flags: json.flags,
            note: json.note,
        })
    }
}

fn unreadable(text: &str) -> Damage {
    Damage::Unreadable(text.chars().take(40).collect())
}
