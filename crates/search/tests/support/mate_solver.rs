//! A mate solver that shares nothing with the search but the rules: it tries every move of both
//! sides, so what it says is proved.

use std::collections::HashMap;

use chuhe_board::{Key, Move, Position};

/// Proves and refutes mates, and remembers both.
#[derive(Default)]
pub(crate) struct Solver {
    known: HashMap<Key, Distance>,
    /// The reply that refuted an attack last, by moves left: mostly it refutes the next as well.
    refutations: [Option<Move>; 16],
    /// Nodes searched.
    nodes: u64,
    /// Node limit; `None` means no limit.
    patience: Option<u64>,
}

/// What is known about the distance of a mate, in moves of the attacker.
#[derive(Clone, Copy, Default)]
struct Distance {
    /// No mate in this many moves.
    more_than: u32,
    /// A mate in this many moves.
    at_most: Option<u32>,
}

impl Solver {
    /// A solver with a node limit per mate.
    pub(crate) fn with_patience(positions: u64) -> Self {
        Self { patience: Some(positions), ..Self::default() }
    }

    /// The fewest moves in which the side to move forces mate, if not more than `most`. The inner
    /// `None` is "no such mate", the outer one "out of patience".
    pub(crate) fn shortest_mate(&mut self, position: &Position, most: u32) -> Option<Option<u32>> {
        let mut position = position.clone();
        self.nodes = 0;
        let found = (1..=most).find(|moves| self.attack(&mut position, *moves) && !self.is_exhausted());
        (!self.is_exhausted()).then_some(found)
    }

    fn is_exhausted(&self) -> bool {
        self.patience.is_some_and(|patience| self.nodes > patience)
    }

    /// Whether the side to move can force mate within `moves` moves.
    fn attack(&mut self, position: &mut Position, moves: u32) -> bool {
        self.nodes += 1;
        if self.is_exhausted() {
            return false;
        }
        let key = position.key();
        let distance = self.known.get(&key).copied().unwrap_or_default();
        if distance.at_most.is_some_and(|at_most| at_most <= moves) {
            return true;
        }
        if moves <= distance.more_than {
            return false;
        }
        // Checks leave the fewest replies; they come first.
        let points = position.checks();
        let (checks, others): (Vec<Move>, Vec<Move>) =
            position.moves().into_iter().partition(|mv| position.gives_check(&points, *mv));
        let wins = checks.into_iter().chain(others).any(|mv| {
            let undo = position.play(mv, &mut ());
            let wins = self.is_defenceless(position, moves - 1);
            position.take_back(undo, &mut ());
            wins
        });
        if !self.is_exhausted() {
            let entry = self.known.entry(key).or_default();
            if wins {
                entry.at_most = Some(entry.at_most.map_or(moves, |at_most| at_most.min(moves)));
            } else {
                entry.more_than = entry.more_than.max(moves);
            }
        }
        wins
    }

    /// Whether every reply of the side to move loses to an attack of `moves` moves; no reply at all
    /// is mate.
    fn is_defenceless(&mut self, position: &mut Position, moves: u32) -> bool {
        self.nodes += 1;
        if moves == 0 {
            return !position.has_moves();
        }
        let mut replies = position.moves();
        let refutation = &self.refutations[moves as usize % 16];
        if let Some(place) = refutation.and_then(|mv| replies.iter().position(|reply| *reply == mv)) {
            replies.swap(0, place);
        }
        replies.into_iter().all(|reply| {
            let undo = position.play(reply, &mut ());
            let loses = self.attack(position, moves);
            position.take_back(undo, &mut ());
            if !loses {
                self.refutations[moves as usize % 16] = Some(reply);
            }
            loses
        })
    }
}
