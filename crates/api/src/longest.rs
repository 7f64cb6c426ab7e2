//! The longest wins of an endgame.

use chuhe_board::Side;
use chuhe_tablebase::{Convention, Material, PlayTables, Table, ValidFor};
use serde::Serialize;

/// Only tables of up to this many entries are counted; larger ones take too long.
const MAX_COUNTED_ENTRIES: u64 = 20_000_000;

/// The longest wins of an endgame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LongestWins {
    name: String,
    /// Which repetition rules they are for, as in `EndgameView`.
    rules: &'static str,
    /// Share of positions with Red to move that Red wins, draws and loses, in thousandths.
    shares: [u64; 3],
    /// Red's longest win with Red to move.
    pub red: Option<LongestWin>,
    /// Black's longest win with Black to move.
    pub black: Option<LongestWin>,
}

/// A position with the longest win.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LongestWin {
    /// The position.
    pub fen: String,
    /// Plies to the end.
    pub plies: u16,
}

/// Why a table cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// It is not there.
    #[error("there is no table for {0}")]
    Missing(Material),
    /// It would take too long.
    #[error("the table of {0} is too large to count here")]
    TooLarge(Material),
    /// It is damaged.
    #[error("{0}")]
    Unreadable(String),
}

/// The table of an endgame in memory, if it is small enough.
pub(crate) fn whole_table(tables: &PlayTables, material: &Material) -> Result<Table, CountError> {
    let file = tables.file(material).ok_or(CountError::Missing(*material))?;
    if file.index().len() > MAX_COUNTED_ENTRIES {
        return Err(CountError::TooLarge(*material));
    }
    file.load_whole().map_err(|error| CountError::Unreadable(error.to_string()))
}

impl LongestWins {
    /// Counts the table of an endgame.
    pub fn count(tables: &PlayTables, material: &Material) -> Result<Self, CountError> {
        let table = whole_table(tables, material)?;
        let (_, swapped) = material.canonical();
        let stored = |side: Side| if swapped { !side } else { side };
        // Tables are stored with the stronger side first.
        let tally = |side: Side| {
            let tally = table.statistics(stored(side), Convention::Play);
            if swapped { tally.swapped() } else { tally }
        };
        let longest = |side: Side, found: Option<(u16, u64)>| {
            let (plies, number) = found?;
            let position = table.index().position(number, stored(side))?;
            let position = if swapped { position.across() } else { position };
            Some(LongestWin { fen: position.to_string(), plies })
        };
        let (red, black) = (tally(Side::Red), tally(Side::Black));
        let share = |count: u64| 1000 * count / red.positions.max(1);
        Ok(Self {
            name: material.to_string(),
            rules: ValidFor::of(material, table.kind().rules).name(),
            shares: [share(red.wins), share(red.draws()), share(red.losses)],
            red: longest(Side::Red, red.longest_win),
            black: longest(Side::Black, black.longest_loss),
        })
    }
}
