//! The endgame tables that the search is given.

use std::sync::Arc;

use chuhe_board::{Move, Position, QUIET_PLY_LIMIT, Side};
use chuhe_referee::RuleSet;
use chuhe_search::{Certainty, Endgames};
use chuhe_tablebase::{FileError, Folder, Kind, Material, Prober, RULE_DISTANCE, Value};

use crate::repetition::rules_of_tables;

/// Opens the tables in a folder, for play by some rules: the user's own for an empty path, none for the path `none`.
/// Also returns what is wrong with files that cannot be used.
pub fn open(path: &str, rules: RuleSet) -> (Option<Arc<dyn Endgames>>, Vec<String>) {
    let Some(folder) = Folder::named(path) else {
        // Without a folder of the user's there are still the built-in tables.
        let prober = Prober::none().with_built_in(Kind::default());
        let built_in = path.is_empty() && prober.tables() > 0;
        return (built_in.then(|| of(Arc::new(prober))), Vec::new());
    };
    if !path.is_empty() && !folder.path().is_dir() {
        return (None, vec![format!("there is no folder '{path}'")]);
    }
    let (prober, mut faults) = Prober::open(&folder, Kind::default());
    let prober = prober.with_built_in(Kind::default());
    let kind = Kind { rules: rules_of_tables(rules), ..Kind::default() };
    let (judged, more_faults) = Prober::open(&folder, kind);
    faults.extend(more_faults.into_iter().filter(|fault| is_about(fault, kind)).collect::<Vec<_>>());
    let faults = faults.iter().map(ToString::to_string).collect();
    if prober.tables() == 0 && judged.tables() == 0 {
        return (None, faults);
    }
    (Some(Arc::new(Tables { plain: Arc::new(prober), judged: Some(judged) })), faults)
}

/// Whether a fault is of a file of this kind; those of others are reported with them.
fn is_about(fault: &FileError, kind: Kind) -> bool {
    fault.to_string().contains(&format!(".{}", kind.extension()))
}

/// Open tables without repetition rules as the search probes them.
pub fn of(prober: Arc<Prober>) -> Arc<dyn Endgames> {
    Arc::new(Tables { plain: prober, judged: None })
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

struct Tables {
    plain: Arc<Prober>,
    /// The tables that know the repetition rules of play.
    judged: Option<Prober>,
}

impl Endgames for Tables {
    fn most_pieces(&self) -> u32 {
        self.plain.most_pieces().max(self.judged.as_ref().map_or(0, Prober::most_pieces))
    }

    fn certainty(&self, position: &Position) -> Option<Certainty> {
        let plain = self.plain.probe(position).and_then(|value| certainty(position, value));
        plain.or_else(|| by_rules(self.judged.as_ref()?.probe(position)?))
    }
}

/// What the value of a table that knows the rules of play proves. Wins by a rule have no distance, so that the search
/// finds them itself.
pub fn by_rules(value: Value) -> Option<Certainty> {
    match value {
        Value::Draw => Some(Certainty::Draw),
        Value::Win(plies) if plies < RULE_DISTANCE => Some(Certainty::Win(plies)),
        Value::Loss(plies) if plies < RULE_DISTANCE => Some(Certainty::Loss(plies)),
        Value::Win(_) | Value::Loss(_) | Value::DependsOnChase(_) => None,
    }
}

/// What the value of a table without repetition rules proves about a position under the rules of play.
///
/// The tables know no rules of repetition. That does not matter to wins and losses: the winner comes
/// nearer to the end with every move and need not repeat. A draw, however, may rest on a perpetual check
/// that the rules forbid, if both sides can give check; then it is not certain.
pub fn certainty(position: &Position, value: Value) -> Option<Certainty> {
    Some(match value {
        Value::Win(plies) => Certainty::Win(plies),
        Value::Loss(plies) => Certainty::Loss(plies),
        Value::DependsOnChase(_) => return None,
        Value::Draw => {
            let material = Material::of(position);
            if Side::ALL.iter().all(|&side| material.has_attackers(side)) {
                return None;
            }
            Certainty::Draw
        }
    })
}
