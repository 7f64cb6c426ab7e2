//! Bound entries: undecided, and the side to move has no harmless move that keeps it from losing.

use std::collections::{HashMap, HashSet};

use chuhe_board::Side;

use super::idle;
use super::states::{EntryStates, at, map_open, number, position};
use crate::parallel::map_parts;
use crate::repetition::{MoveDeed, MoveRules, Tracks};
use crate::value::{Bounds as ValueBounds, Value};

/// A move that stays among the undecided entries.
pub(crate) struct Edge {
    pub(crate) to: u64,
    pub(crate) deed: MoveDeed,
}

/// The moves of a bound entry.
pub(crate) struct Bound {
    pub(crate) edges: Vec<Edge>,
    /// The offences that all moves are part of, save those that lose; none if there is a capture that may not lose.
    pub(crate) tracks: Tracks,
}

/// The bound entries of one side to move.
pub(crate) struct Bounds {
    pub(crate) side: Side,
    pub(crate) entries: HashMap<u64, Bound>,
}

impl Bounds {
    /// All bound entries.
    pub(crate) fn find(states: &dyn EntryStates, rules: &dyn MoveRules, side: Side) -> Self {
        let entries = map_open(states, side, |entry, moves| {
            let all = &|_| true;
            let bound = if idle::has_plainly_idle_move(states, rules, entry, moves, all) {
                None
            } else {
                look(states, rules, side, entry.number, all)
            };
            Some((entry.number, bound?))
        });
        Self { side, entries: entries.into_iter().collect() }
    }

    /// Looks again at what may have changed since entries of the other side to move were decided.
    pub(crate) fn refresh(&mut self, states: &dyn EntryStates, rules: &dyn MoveRules, decided: &[u64]) {
        let side = self.side;
        self.entries.retain(|number, _| states.is_open(side, *number));
        self.look_again(states, rules, decided, &|_| true);
    }

    /// Looks again at the entries from which a move leads to one of these.
    pub(crate) fn look_again(
        &mut self,
        states: &dyn EntryStates,
        rules: &dyn MoveRules,
        targets: &[u64],
        is_good: &(dyn Fn(u64) -> bool + Sync),
    ) {
        let side = self.side;
        let reached = map_parts(0..targets.len() as u64, |part| {
            let mut reached = HashSet::new();
            for number in &targets[part.start as usize..part.end as usize] {
                at(states.index(), *number, |entry| {
                    entry.each_unmove(side, |number| {
                        // Files hold any value where there is no legal position.
                        if states.is_open(side, number) && states.index().position(number, side).is_some() {
                            reached.insert(number);
                        }
                    });
                });
            }
            reached
        });
        let reached: HashSet<u64> = reached.into_iter().flatten().collect();
        let reached: Vec<u64> = reached.into_iter().collect();
        let looked = map_parts(0..reached.len() as u64, |part| {
            let look_again = |&number: &u64| {
                let is_free = at(states.index(), number, |entry| {
                    idle::has_plainly_idle_move(states, rules, entry, &entry.moves(side), is_good)
                });
                (number, if is_free { None } else { look(states, rules, side, number, is_good) })
            };
            reached[part.start as usize..part.end as usize].iter().map(look_again).collect::<Vec<_>>()
        });
        for (number, bound) in looked.into_iter().flatten() {
            match bound {
                Some(bound) => self.entries.insert(number, bound),
                None => self.entries.remove(&number),
            };
        }
    }

    /// Offences that some entry is bound to.
    pub(crate) fn tracks(&self) -> Tracks {
        Tracks(self.entries.values().fold(0, |all, bound| all | bound.tracks.0))
    }
}

/// The moves of an undecided entry if it is bound: no idle move leads to a good entry, and no capture is safe.
pub(crate) fn look(
    states: &dyn EntryStates,
    rules: &dyn MoveRules,
    side: Side,
    entry: u64,
    is_good: &(dyn Fn(u64) -> bool + Sync),
) -> Option<Bound> {
    let before = position(states, side, entry);
    let mut bound = Bound { edges: Vec::new(), tracks: Tracks::ALL };
    for mv in before.moves() {
        let is_capture = before.piece_on(mv.to()).is_some();
        let mut after = before.clone();
        let _ = after.play(mv, &mut ());
        if is_capture {
            match states.captures().value_after(&after) {
                Value::Loss(_) => {}
                Value::DependsOnChase(ValueBounds::AtMostDraw | ValueBounds::Unknown) => {
                    bound.tracks = Tracks::NONE;
                }
                Value::Draw | Value::Win(_) | Value::DependsOnChase(ValueBounds::AtLeastDraw) => return None,
            }
            continue;
        }
        let to = number(states, &after);
        if !states.is_open(!side, to) {
            continue;
        }
        let deed = rules.deed(&before, mv, &after);
        if deed.is_idle() && is_good(to) {
            return None;
        }
        bound.tracks = bound.tracks & deed.tracks;
        bound.edges.push(Edge { to, deed });
    }
    Some(bound)
}
