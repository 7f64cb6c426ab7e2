//! The endgame tables that the search is given.

use std::sync::Arc;

use chuhe_board::{Move, Position, QUIET_PLY_LIMIT};
use chuhe_referee::RuleSet;
use chuhe_search::{Certainty, Endgames};
use chuhe_tablebase::{Folder, Material, PlayTables, RULE_DISTANCE, ValidFor, Value};

use crate::repetition::rules_of_tables;

/// Opens the tables in a folder, for play by some rules: the user's own for an empty path, none for the path `none`.
/// Also returns what is wrong with files that cannot be used.
pub fn open(path: &str, rules: RuleSet) -> (Option<Arc<dyn Endgames>>, Vec<String>) {
    let (tables, faults) = tables(path, rules);
    (tables.filter(|tables| tables.counts() != (0, 0)).map(of), faults)
}

/// The same as tables that anyone can probe.
pub fn tables(path: &str, rules: RuleSet) -> (Option<Arc<PlayTables>>, Vec<String>) {
    let rules = rules_of_tables(rules);
    let Some(folder) = Folder::named(path) else {
        // Without a folder of the user's there are still the built-in tables.
        return (path.is_empty().then(|| Arc::new(PlayTables::built_in(rules))), Vec::new());
    };
    if !path.is_empty() && !folder.path().is_dir() {
        return (None, vec![format!("there is no folder '{path}'")]);
    }
    let (tables, faults) = PlayTables::open(&folder, rules);
    (Some(Arc::new(tables)), faults.iter().map(ToString::to_string).collect())
}

/// Open tables as the search probes them.
pub fn of(tables: Arc<PlayTables>) -> Arc<dyn Endgames> {
    Arc::new(Tables(tables))
}

/// Continues a principal variation to the mate, where the tables know the way.
pub fn extend_pv(start: &Position, pv: &mut Vec<Move>, endgames: &dyn Endgames) {
    let mut position = start.clone();
    for mv in &*pv {
        let _ = position.play(*mv, &mut ());
    }
    while pv.len() < usize::from(QUIET_PLY_LIMIT) {
        let Some(mv) = winning_or_longest(&mut position, endgames) else { return };
        let _ = position.play(mv, &mut ());
        pv.push(mv);
    }
}

/// The fastest win, or the longest resistance, in a position that the tables decide.
fn winning_or_longest(position: &mut Position, endgames: &dyn Endgames) -> Option<Move> {
    let certainty = |position: &Position| {
        (position.occupied().len() <= endgames.most_pieces()).then(|| endgames.certainty(position)).flatten()
    };
    let wins = match certainty(position)? {
        Certainty::Win(_) => true,
        Certainty::Loss(_) => false,
        Certainty::Draw => return None,
    };
    let mut best = None;
    for mv in position.moves() {
        let undo = position.play(mv, &mut ());
        let after = certainty(position);
        position.take_back(undo, &mut ());
        let plies = match (wins, after) {
            (true, Some(Certainty::Loss(plies))) => -i32::from(plies),
            (false, Some(Certainty::Win(plies))) => i32::from(plies),
            _ => continue,
        };
        if best.is_none_or(|(known, _)| plies > known) {
            best = Some((plies, mv));
        }
    }
    best.map(|(_, mv)| mv)
}

struct Tables(Arc<PlayTables>);

impl Endgames for Tables {
    fn most_pieces(&self) -> u32 {
        self.0.most_pieces()
    }

    fn certainty(&self, position: &Position) -> Option<Certainty> {
        certainty(&self.0, position)
    }

    fn described(&self, position: &Position) -> Option<String> {
        described(&self.0, position)
    }
}

/// What tables prove about a position under the rules of play.
pub fn certainty(tables: &PlayTables, position: &Position) -> Option<Certainty> {
    tables.certain(position).and_then(|value| match value {
        Value::Win(plies) => Some(Certainty::Win(plies)),
        Value::Loss(plies) => Some(Certainty::Loss(plies)),
        Value::Draw => Some(Certainty::Draw),
        Value::DependsOnChase(_) => None,
    })
}

/// The table that knows a position, its value, and under which rules it holds.
pub fn described(tables: &PlayTables, position: &Position) -> Option<String> {
    let found = tables.probe(position)?;
    let rules = match found.rules {
        ValidFor::All => "all repetition rules".to_owned(),
        ValidFor::Only(rules) if rules == tables.rules() => format!("rules {}", rules.name()),
        ValidFor::Only(_) if found.value == Value::Draw => "without repetition rules, not certain".to_owned(),
        ValidFor::Only(_) => "without repetition rules".to_owned(),
    };
    let value = match found.value {
        Value::Win(plies) if plies >= RULE_DISTANCE => "win by the repetition rules".to_owned(),
        Value::Loss(plies) if plies >= RULE_DISTANCE => "loss by the repetition rules".to_owned(),
        Value::Win(_) | Value::Loss(_) => format!("{} plies", found.value),
        Value::Draw | Value::DependsOnChase(_) => found.value.to_string(),
    };
    Some(format!("endgame table {}: {value} ({rules})", Material::of(position)))
}
