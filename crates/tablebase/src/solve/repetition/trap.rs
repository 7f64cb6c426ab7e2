//! Traps: sets of undecided entries in which one side can only lose or commit one and the same offence for ever.
//!
//! 1. The offender, to move, has only moves that lose or that count for the offence and stay in the set.
//! 2. The other side has an answer after which the move does count, and which stays in the set.
//! 3. The other side can force, again and again, a move that is part of no offence as grave (an attractor).
//!
//! The largest trap is the greatest fixed point: entries that break a condition are removed until none does.

use std::collections::{HashMap, HashSet};

use super::bound::{Bound, Bounds};
use super::states::{EntryStates, number, position};
use crate::parallel::map_parts;
use crate::repetition::{MoveRules, Tracks};

/// An answer that stays in the set.
struct Answer {
    to: u64,
    /// It is no offence as grave as the one it answers.
    harmless: bool,
}

/// The entries of the offender in the largest trap for one offence.
pub(crate) fn find(
    states: &dyn EntryStates,
    rules: &dyn MoveRules,
    bounds: &Bounds,
    track: Tracks,
) -> Vec<u64> {
    let is_candidate = |bound: &Bound| bound.tracks.contains(track);
    let mut offenders: HashSet<u64> =
        bounds.entries.iter().filter(|(_, bound)| is_candidate(bound)).map(|(number, _)| *number).collect();
    let answered: HashSet<u64> =
        offenders.iter().flat_map(|number| &bounds.entries[number].edges).map(|edge| edge.to).collect();
    let answered: Vec<u64> = answered.into_iter().collect();
    let answers = map_parts(0..answered.len() as u64, |part| {
        let answers_of =
            |number: &u64| (*number, answers_of(states, rules, bounds, &offenders, *number, track));
        answered[part.start as usize..part.end as usize].iter().map(answers_of).collect::<Vec<_>>()
    });
    let mut answers: HashMap<u64, Vec<Answer>> = answers.into_iter().flatten().collect();
    loop {
        let count = offenders.len();
        answers.retain(|_, answers| {
            answers.retain(|answer| offenders.contains(&answer.to));
            !answers.is_empty()
        });
        offenders.retain(|number| holds(&bounds.entries[number], |to| answers.contains_key(&to)));
        if offenders.len() == count {
            offenders = attractor(bounds, &offenders, &answers);
            if offenders.len() == count {
                return offenders.into_iter().collect();
            }
        }
    }
}

/// Whether all moves of a bound entry lead to entries of a set.
fn holds(bound: &Bound, contains: impl Fn(u64) -> bool) -> bool {
    bound.edges.iter().all(|edge| contains(edge.to))
}

/// The answers in an entry with which the offender's move counts, and which lead back to the offenders.
fn answers_of(
    states: &dyn EntryStates,
    rules: &dyn MoveRules,
    bounds: &Bounds,
    offenders: &HashSet<u64>,
    entry: u64,
    track: Tracks,
) -> Vec<Answer> {
    let after = position(states, !bounds.side, entry);
    let mut answers = Vec::new();
    for answer in after.moves() {
        if after.piece_on(answer.to()).is_some() {
            continue;
        }
        let mut answered = after.clone();
        let _ = answered.play(answer, &mut ());
        let to = number(states, &answered);
        if offenders.contains(&to) && rules.met(&after, answer, &answered).contains(track) {
            let deed = rules.deed(&after, answer, &answered);
            // Nothing is as grave as perpetual check.
            let harmless = if track == Tracks::CHECK { !deed.checks } else { deed.is_idle() };
            answers.push(Answer { to, harmless });
        }
    }
    answers
}

/// The offenders' entries from which the other side can force a harmless move of its own.
fn attractor(bounds: &Bounds, offenders: &HashSet<u64>, answers: &HashMap<u64, Vec<Answer>>) -> HashSet<u64> {
    let mut forced: HashSet<u64> = HashSet::new();
    loop {
        let reaches =
            |to: u64| answers[&to].iter().any(|answer| answer.harmless || forced.contains(&answer.to));
        let more: Vec<u64> = offenders
            .iter()
            .copied()
            .filter(|number| !forced.contains(number) && holds(&bounds.entries[number], reaches))
            .collect();
        if more.is_empty() {
            return forced;
        }
        forced.extend(more);
    }
}
