//! Risk: the undecided entries from which a side cannot prove that it holds the draw.
//!
//! A side holds a draw under the rules of repetition if it never has to stop, again and again, giving check and, again
//! and again, attacking: then no cycle has an offence of its own (a generalised Büchi game). The entries where it can do so are
//! the greatest fixed point; the rest are at risk. Being at risk does not mean to be lost.

use std::collections::HashMap;
use std::mem;

use chuhe_board::Side;

use super::bound::{Bound, Bounds, Edge};
use super::lists::Lists;
use super::states::{EntryStates, before, map_numbers, map_open};
use crate::marks::{Marks, Ranks};
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
type Duty = fn(MoveDeed) -> bool;
const DUTIES: [Duty; 2] = [|deed| !deed.checks, |deed| !deed.attacks];

impl Risk {
    /// The entries in which the side of the bound entries is at risk.
    pub(crate) fn find(states: &dyn EntryStates, rules: &dyn MoveRules, mut bounds: Bounds) -> Self {
        let risk = Self { moving: Marks::none(states.index()), waiting: Marks::none(states.index()) };
        let is_good = |number: u64| !risk.waiting.contains(number);
        risk.mark_captures(states, bounds.side);
        let mut new: Vec<u64> = risk.waiting.numbers().collect();
        let mut answers = HashMap::new();
        loop {
            // Where an entry at risk takes the side's last harmless move, it is bound.
            bounds.look_again(states, rules, &new, &is_good);
            let unable = risk.unable(states, &bounds, &mut answers);
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

    /// The bound entries, not yet at risk, in which the side cannot do one of its duties without risk. `answers` keeps the entries that
    /// answers lead to.
    fn unable(
        &self,
        states: &dyn EntryStates,
        bounds: &Bounds,
        answers: &mut HashMap<u64, Vec<u64>>,
    ) -> Vec<u64> {
        let is_at_risk = |bound: &Bound| self.moving.contains(bound.number);
        let does = |bound: &Bound, duty: Duty| {
            !is_at_risk(bound) && self.good_edges(bound).any(|edge| duty(edge.deed))
        };
        // Only where the side cannot do a duty at once it matters what the other one answers.
        let waits = |bound: &&Bound| !is_at_risk(bound) && DUTIES.into_iter().any(|duty| !does(bound, duty));
        let targets = Marks::none(states.index());
        bounds
            .entries
            .iter()
            .filter(waits)
            .flat_map(|bound| self.good_edges(bound))
            .for_each(|edge| targets.insert(edge.to));
        let numbers: Vec<u64> = targets.numbers().collect();
        let ranks = Ranks::new(targets);
        let movers = Lists::new(bounds.entries.iter().map(|bound| {
            let edges = waits(&bound).then(|| self.good_edges(bound)).into_iter().flatten();
            edges.map(|edge| ranks.rank(edge.to).expect("good edges lead to targets"))
        }));
        let movers = movers.reversed(numbers.len());
        add_answers(states, !bounds.side, &numbers, answers);
        let answers =
            Lists::new(numbers.iter().map(|number| answers[number].iter().filter_map(|to| bounds.rank(*to))));
        let answered_from = answers.reversed(bounds.entries.len());
        let mut is_unable = vec![false; bounds.entries.len()];
        for duty in DUTIES {
            let mut able: Vec<bool> = bounds.entries.iter().map(|bound| does(bound, duty)).collect();
            let mut latest: Vec<usize> = (0..able.len()).filter(|place| able[*place]).collect();
            let mut left: Vec<usize> = (0..numbers.len()).map(|target| answers.of(target).len()).collect();
            let mut kept: Vec<usize> = (0..left.len()).filter(|target| left[*target] == 0).collect();
            loop {
                for mover in kept.drain(..).flat_map(|target| movers.of(target)) {
                    if !mem::replace(&mut able[mover], true) {
                        latest.push(mover);
                    }
                }
                let Some(place) = latest.pop() else { break };
                for target in answered_from.of(place) {
                    left[target] -= 1;
                    if left[target] == 0 {
                        kept.push(target);
                    }
                }
            }
            is_unable.iter_mut().zip(able).for_each(|(is_unable, able)| *is_unable |= !able);
        }
        let unable = bounds
            .entries
            .iter()
            .zip(is_unable)
            .filter(|(bound, is_unable)| *is_unable && !is_at_risk(bound));
        unable.map(|(bound, _)| bound.number).collect()
    }

    /// The moves of a bound entry that do not lead to entries at risk.
    fn good_edges<'a>(&'a self, bound: &'a Bound) -> impl Iterator<Item = &'a Edge> {
        bound.edges.iter().filter(|edge| !self.waiting.contains(edge.to))
    }

    /// Marks entries at risk, and those from which the other side can go there. Returns the latter.
    fn spread(&self, states: &dyn EntryStates, side: Side, entries: &[u64]) -> Vec<u64> {
        entries.iter().for_each(|number| self.moving.insert(*number));
        let mut new = before(states, !side, entries);
        new.retain(|number| !self.waiting.contains(*number));
        new.iter().for_each(|number| self.waiting.insert(*number));
        new
    }
}

/// Adds the undecided entries that answers of `side` lead to from these.
fn add_answers(states: &dyn EntryStates, side: Side, numbers: &[u64], answers: &mut HashMap<u64, Vec<u64>>) {
    let missing: Vec<u64> = numbers.iter().copied().filter(|number| !answers.contains_key(number)).collect();
    let found = map_numbers(states.index(), side, &missing, |entry, moves| {
        let mut to = Vec::new();
        entry.each_quiet_move(moves, |quiet| {
            if states.is_open(!side, quiet.number) {
                to.push(quiet.number);
            }
        });
        to
    });
    answers.extend(missing.into_iter().zip(found));
}
