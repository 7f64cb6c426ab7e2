//! The endgame tables that the search is given.

use std::sync::Arc;

use chuhe_board::{Position, Side};
use chuhe_search::{Certainty, Endgames};
use chuhe_tablebase::{Folder, Kind, Material, Prober, Value};

/// Opens the tables in a folder: the user's own for an empty path, none for the path `none`. Also returns what
/// is wrong with files that cannot be used.
pub fn open(path: &str) -> (Option<Arc<dyn Endgames>>, Vec<String>) {
    let Some(folder) = Folder::named(path) else { return (None, Vec::new()) };
    if !path.is_empty() && !folder.path().is_dir() {
        return (None, vec![format!("there is no folder '{path}'")]);
    }
    let (prober, faults) = Prober::open(&folder, Kind::default());
    let prober = prober.with_built_in(Kind::default());
    let faults = faults.iter().map(ToString::to_string).collect();
    if prober.tables() == 0 {
        return (None, faults);
    }
    (Some(Arc::new(Tables(prober))), faults)
}

struct Tables(Prober);

impl Endgames for Tables {
    fn most_pieces(&self) -> u32 {
        self.0.most_pieces()
    }

    fn certainty(&self, position: &Position) -> Option<Certainty> {
        certainty(position, self.0.probe(position)?)
    }
}

/// What a table's value proves about a position under the rules of play.
///
/// The tables know no rules of repetition. That does not matter to wins and losses: the winner comes
/// nearer to the end with every move and need not repeat. A draw, however, may rest on a perpetual check
/// that the rules forbid, if both sides can give check; then it is not certain.
pub fn certainty(position: &Position, value: Value) -> Option<Certainty> {
    Some(match value {
        Value::Win(plies) => Certainty::Win(plies),
        Value::Loss(plies) => Certainty::Loss(plies),
        Value::Draw => {
            let material = Material::of(position);
            if Side::ALL.iter().all(|&side| material.has_attackers(side)) {
                return None;
            }
            Certainty::Draw
        }
    })
}
