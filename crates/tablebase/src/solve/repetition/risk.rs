//! Risk: the undecided entries from which a side cannot prove that it holds the draw.
//!
//! A side holds a draw under the rules of repetition if it never has to stop, again and again, giving check and, again
//! and again, attacking: then no cycle has an offence of its own (a generalised Büchi game). The entries where it can do so are
//! the greatest fixed point; the rest are at risk. Being at risk does not mean to be lost.

use std::collections::{HashMap, HashSet};

use chuhe_board::Side;

use super::bound::Bounds;
use super::states::{EntryStates, at, map_open};
use crate::marks::Marks;
use crate::repetition::{MoveDeed, MoveRules};
use crate::solve::successor::Successor;
use crate::value::{Bounds as ValueBounds, Value};

/// The undecided entries in which a side is at risk.
pub(crate) struct Risk {
    /// With the side to move.
    pub(crate) moving: Marks,
    /// With the other side to move.
    pub(crate) waiting: Marks,
}

/// What a side must do again and again.
const DUTIES: [fn(MoveDeed) -> bool; 2] = [|deed| !deed.checks, |deed| !deed.attacks];

impl Risk {
    /// The entries in which the side of the bound entries is at risk.
    pub(crate) fn find(states: &dyn EntryStates, rules: &dyn MoveRules, mut bounds: Bounds) -> Self {
        let risk = Self { moving: Marks::none(states.index()), waiting: Marks::none(states.index()) };
        let is_good = |number: u64| !risk.waiting.contains(number);
        risk.mark_captures(states, bounds.side);
        let mut new: Vec<u64> = risk.waiting.numbers().collect();
        loop {
            // Where an entry at risk takes the side's last harmless move, it is bound.
            bounds.look_again(states, rules, &new, &is_good);
            bounds.entries.retain(|number, _| !risk.moving.contains(*number));
            let unable = risk.unable(states, &bounds);
            if unable.is_empty() {
                return risk;
            }
            new = risk.spread(states, bounds.side, &unable);
        }
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.moving.is_empty() && self.waiting.is_empty()
    }

    /// The other side may go over to a smaller endgame that is at risk.
    fn mark_captures(&self, states: &dyn EntryStates, side: Side) {
        use ValueBounds::{AtLeastDraw, Unknown};
        if !states.captures().depend_on_chase() {
            return;
        }
        map_open(states, !side, |entry, moves| {
            entry.each_successor_by(moves, states.captures(), |successor| {
                if matches!(successor, Successor::Capture(Value::DependsOnChase(AtLeastDraw | Unknown))) {
                    self.waiting.insert(entry.number);
                }
            });
            None::<()>
        });
    }

    /// The bound entries in which the side cannot do one of its duties without risk.
    fn unable(&self, states: &dyn EntryStates, bounds: &Bounds) -> Vec<u64> {
        let is_good = |number: u64| !self.waiting.contains(number);
        let edges = bounds.entries.values().flat_map(|bound| &bound.edges);
        let reached: HashSet<u64> = edges.map(|edge| edge.to).filter(|to| is_good(*to)).collect();
        let answers: HashMap<u64, Vec<u64>> =
            reached.into_iter().map(|number| (number, bound_answers(states, bounds, number))).collect();
        let mut unable: Vec<u64> = Vec::new();
        for duty in DUTIES {
            let mut able: HashSet<u64> = HashSet::new();
            loop {
                let more: Vec<u64> = bounds
                    .entries
                    .iter()
                    .filter(|(number, bound)| {
                        !able.contains(number)
                            && bound.edges.iter().filter(|edge| is_good(edge.to)).any(|edge| {
                                duty(edge.deed)
                                    || answers[&edge.to].iter().all(|answer| able.contains(answer))
                            })
                    })
                    .map(|(number, _)| *number)
                    .collect();
                if more.is_empty() {
                    break;
                }
                able.extend(more);
            }
            unable.extend(bounds.entries.keys().filter(|number| !able.contains(number)));
        }
        unable.sort_unstable();
        unable.dedup();
        unable
    }

    /// Marks entries at risk, and those from which the other side can go there. Returns the latter.
    fn spread(&self, states: &dyn EntryStates, side: Side, entries: &[u64]) -> Vec<u64> {
        let mut new = Vec::new();
        for number in entries {
            self.moving.insert(*number);
            at(states.index(), *number, |entry| {
                entry.each_unmove(!side, |number| {
                    if states.is_open(!side, number) && !self.waiting.contains(number) {
                        self.waiting.insert(number);
                        new.push(number);
                    }
                });
            });
        }
        new
    }
}

/// The answers in an entry that lead to bound entries.
fn bound_answers(states: &dyn EntryStates, bounds: &Bounds, number: u64) -> Vec<u64> {
    let mut answers = Vec::new();
    at(states.index(), number, |entry| {
        entry.each_successor(states.captures(), !bounds.side, |successor| {
            if let Successor::Quiet(to) = successor
                && bounds.entries.contains_key(&to)
            {
                answers.push(to);
            }
        });
    });
    answers
}
