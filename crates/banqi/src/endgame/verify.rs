//! Checks tables against the rules of the game itself, one move ahead, with the ordinary move generator.

use std::collections::HashMap;

use crate::endgame::solve::{full_size, place};
use crate::endgame::{Endgames, Lookup, Worth};
use crate::piece::Counts;
use crate::position::{Cell, Position};
use crate::square::Square;

/// Looks at every `every`th position of every table. Returns how many were looked at.
pub(super) fn verify(endgames: &Endgames, every: usize) -> Result<u64, String> {
    let mut checked = 0;
    let mut prober = Prober { endgames, lookups: HashMap::new() };
    for table in &endgames.tables {
        for index in (0..full_size(table.pieces())).step_by(every.max(1)) {
            let Some((first_moves, squares)) = place(index, table.pieces()) else { continue };
            let mut cells = [Cell::Empty; Square::COUNT];
            for (square, piece) in squares.iter().zip(&table.sample.order) {
                cells[square.index()] = Cell::Shown(*piece);
            }
            let first = table.sample.first;
            let side = if first_moves { first } else { first.opponent() };
            let position =
                Position::new(&cells, [0; 14], Some(side), 0).map_err(|error| error.to_string())?;
            let found = prober.probe(&position).ok_or_else(|| format!("{position} is in no table"))?;
            let expected = one_move_ahead(&mut prober, &position);
            if found != expected {
                return Err(format!("{position} is {expected:?} by its moves, but {found:?} in the table"));
            }
            checked += 1;
        }
    }
    Ok(checked)
}

/// Probes and remembers where sets of pieces are found.
struct Prober<'a> {
    endgames: &'a Endgames,
    lookups: HashMap<Counts, Option<Lookup>>,
}

impl Prober<'_> {
    fn probe(&mut self, position: &Position) -> Option<Worth> {
        let alive = position.alive();
        let lookup = self.lookups.entry(*alive).or_insert_with(|| self.endgames.lookup(alive)).as_ref()?;
        Some(self.endgames.probe_with(lookup, position))
    }
}

/// The worth of a position by what its moves lead to.
fn one_move_ahead(prober: &mut Prober<'_>, position: &Position) -> Worth {
    let limit = u8::try_from(prober.endgames.rules.quiet_limit.min(120)).expect("120 fits");
    let mut best: Option<Worth> = None;
    for mv in position.moves(&prober.endgames.captures) {
        let mut next = position.clone();
        let takes = next.play_step(mv).is_some();
        let worth = match prober.probe(&next) {
            None => Worth::Win(1),
            Some(Worth::Loss(_)) if takes => Worth::Win(1),
            Some(Worth::Win(_)) if takes => Worth::Loss(1),
            Some(Worth::Loss(plies)) if plies < limit => Worth::Win(plies + 1),
            Some(Worth::Win(plies)) if plies < limit => Worth::Loss(plies + 1),
            Some(_) => Worth::Draw,
        };
        best = Some(best.map_or(worth, |best| if rank(worth) > rank(best) { worth } else { best }));
    }
    best.unwrap_or(Worth::Loss(0))
}

/// Better is larger: quick wins, draws, slow losses.
fn rank(worth: Worth) -> i32 {
    match worth {
        Worth::Win(plies) => 1000 - i32::from(plies),
        Worth::Draw => 0,
        Worth::Loss(plies) => -1000 + i32::from(plies),
    }
}
