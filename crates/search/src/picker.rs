//! Handing out the moves of a node one by one, the most promising first.
//!
//! The table's move, captures that do not lose material, killers and the counter move, quiet moves
//! by history, captures that lose material. Each group is made only when it is reached.

use chuhe_board::{Bitboard, Legality, Move, MoveList, PieceKind, Position, Wanted, attacks};

use crate::exchange::{exchange_gains, value};
use crate::history::{History, Step};

/// Which moves a node wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moves {
    /// All of them.
    All,
    /// Only captures that do not lose material.
    GoodCaptures,
}

/// What is known about the line that led to the node.
#[derive(Clone, Copy, Default)]
pub(crate) struct Context {
    pub(crate) killers: [Option<Move>; 2],
    /// The steps one, two and four plies ago.
    pub(crate) before: [Option<Step>; 3],
}

impl Context {
    /// How promising a quiet step is.
    #[inline]
    pub(crate) fn quiet_worth(&self, history: &History, step: Step) -> i32 {
        let [one, two, four] = self.before.map(|before| history.continuation(before, step));
        2 * history.quiet(step) + 2 * one + two + four
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    TableMove,
    MakeCaptures,
    GoodCaptures,
    Refutations,
    MakeQuiets,
    Quiets,
    BadCaptures,
    Done,
}

pub(crate) struct Picker {
    moves: Moves,
    stage: Stage,
    table_move: Option<Move>,
    context: Context,
    refutations: [Option<Move>; 3],
    next_refutation: usize,
    list: MoveList,
    worths: [i32; 128],
    next: usize,
    bad_captures: MoveList,
    quiets_wanted: bool,
}

impl Picker {
    /// A picker for a node; the table's move must be legal if it is given.
    #[inline]
    pub(crate) fn new(moves: Moves, table_move: Option<Move>, context: Context, history: &History) -> Self {
        let [first, second] = context.killers;
        Self {
            moves,
            stage: Stage::TableMove,
            table_move,
            refutations: [first, second, history.counter(context.before[0])],
            context,
            next_refutation: 0,
            list: MoveList::new(),
            worths: [0; 128],
            next: 0,
            bad_captures: MoveList::new(),
            quiets_wanted: true,
        }
    }

    /// Leaves out the quiet moves that were not handed out yet.
    #[inline]
    pub(crate) fn skip_quiets(&mut self) {
        self.quiets_wanted = false;
    }

    /// Whether the move is a killer or the counter move.
    #[inline]
    pub(crate) fn is_refutation(&self, mv: Move) -> bool {
        self.refutations.contains(&Some(mv))
    }

    /// The next move to try.
    #[inline]
    pub(crate) fn next(
        &mut self,
        position: &Position,
        legality: &Legality,
        history: &History,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::MakeCaptures;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::MakeCaptures => {
                    position.list_moves(legality, Wanted::Captures, &mut self.list);
                    self.weigh_captures(position, history);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => {
                    if let Some(mv) = self.next_good_capture(position) {
                        return Some(mv);
                    }
                    self.stage = match self.moves {
                        Moves::All => Stage::Refutations,
                        Moves::GoodCaptures => Stage::Done,
                    };
                }
                Stage::Refutations => {
                    if let Some(mv) = self.next_refutation(position, legality) {
                        return Some(mv);
                    }
                    self.stage = Stage::MakeQuiets;
                }
                Stage::MakeQuiets => {
                    self.list.clear();
                    self.next = 0;
                    if self.quiets_wanted {
                        position.list_moves(legality, Wanted::Quiets, &mut self.list);
                        self.weigh_quiets(position, history);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    if let Some(mv) = self.next_quiet() {
                        return Some(mv);
                    }
                    self.next = 0;
                    self.stage = Stage::BadCaptures;
                }
                Stage::BadCaptures => {
                    let mv = self.bad_captures.get(self.next).copied();
                    self.next += 1;
                    if mv.is_some() {
                        return mv;
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    fn next_good_capture(&mut self, position: &Position) -> Option<Move> {
        while let Some((mv, worth)) = self.take_best() {
            if Some(mv) == self.table_move {
                continue;
            }
            // A capture with a good record may lose a little and still come early.
            if exchange_gains(position, mv, -worth / 32) {
                return Some(mv);
            }
            self.bad_captures.push(mv);
        }
        None
    }

    fn next_refutation(&mut self, position: &Position, legality: &Legality) -> Option<Move> {
        if !self.quiets_wanted {
            return None;
        }
        while self.next_refutation < self.refutations.len() {
            let index = self.next_refutation;
            self.next_refutation += 1;
            let Some(mv) = self.refutations[index] else {
                continue;
            };
            let is_new = self.table_move != Some(mv) && !self.refutations[..index].contains(&Some(mv));
            if is_new && position.piece_on(mv.to()).is_none() && position.allows(legality, mv) {
                return Some(mv);
            }
            if is_new {
                // Not to be taken for a refutation later.
                self.refutations[index] = None;
            }
        }
        None
    }

    fn next_quiet(&mut self) -> Option<Move> {
        if !self.quiets_wanted {
            return None;
        }
        while let Some((mv, _)) = self.take_best() {
            if Some(mv) != self.table_move && !self.is_refutation(mv) {
                return Some(mv);
            }
        }
        None
    }

    /// Takes the most promising of the listed moves that are left.
    #[inline]
    fn take_best(&mut self) -> Option<(Move, i32)> {
        let left = self.list.len();
        if self.next >= left {
            return None;
        }
        let mut best = self.next;
        for index in self.next + 1..left {
            if self.worths[index] > self.worths[best] {
                best = index;
            }
        }
        self.list.swap(self.next, best);
        self.worths.swap(self.next, best);
        self.next += 1;
        Some((self.list[self.next - 1], self.worths[self.next - 1]))
    }

    /// The most valuable victim first, and of those the one that was taken well before.
    fn weigh_captures(&mut self, position: &Position, history: &History) {
        for (mv, worth) in self.list.iter().zip(&mut self.worths) {
            let (Some(piece), Some(taken)) = (position.piece_on(mv.from()), position.piece_on(mv.to()))
            else {
                continue;
            };
            let step = Step { piece, to: mv.to() };
            *worth = 7 * value(taken.kind()) + history.capture(step, taken.kind()) / 4;
            // Of equal victims the cheapest attacker.
            *worth -= value(piece.kind().min(PieceKind::Cannon)) / 16;
        }
    }

    /// By history; checks first, so that they are not left out with the late moves.
    fn weigh_quiets(&mut self, position: &Position, history: &History) {
        let checks = CheckPoints::of(position);
        for (mv, worth) in self.list.iter().zip(&mut self.worths) {
            if let Some(piece) = position.piece_on(mv.from()) {
                *worth = self.context.quiet_worth(history, Step { piece, to: mv.to() });
                if checks.of_kind(piece.kind()).contains(mv.to()) {
                    *worth += CHECK_BONUS;
                }
            }
        }
    }
}

/// What a check adds to the worth of a quiet move.
const CHECK_BONUS: i32 = 16_000;

/// The points from which pieces attack the enemy general.
struct CheckPoints {
    chariot: Bitboard,
    cannon: Bitboard,
    horse: Bitboard,
    soldier: Bitboard,
}

impl CheckPoints {
    fn of(position: &Position) -> Self {
        let us = position.side_to_move();
        let general = position.general(!us);
        let occupied = position.occupied();
        let (chariot, cannon) = attacks::chariot_and_cannon(general, occupied);
        let horse = attacks::horses_to(general, occupied);
        Self { chariot, cannon, horse, soldier: attacks::soldiers_to(us, general) }
    }

    #[inline]
    const fn of_kind(&self, kind: PieceKind) -> Bitboard {
        match kind {
            PieceKind::Chariot => self.chariot,
            PieceKind::Cannon => self.cannon,
            PieceKind::Horse => self.horse,
            PieceKind::Soldier => self.soldier,
            PieceKind::General | PieceKind::Advisor | PieceKind::Elephant => Bitboard::EMPTY,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_legal_move_is_handed_out_once(
            choices in prop::collection::vec(any::<prop::sample::Index>(), 1..100), hint: prop::sample::Index,
            killer: prop::sample::Index,
        ) {
            let mut position = Position::start();
            let history = History::new();
            let mut killers = [None; 2];
            for choice in choices {
                let moves = position.moves();
                if moves.is_empty() {
                    break;
                }
                killers = [killers[1], Some(*killer.get(&moves))];
                let legality = position.legality();
                let context = Context { killers, ..Context::default() };
                let mut picker = Picker::new(Moves::All, Some(*hint.get(&moves)), context, &history);
                let mut picked = Vec::new();
                while let Some(mv) = picker.next(&position, &legality, &history) {
                    picked.push(mv);
                }
                picked.sort();
                let mut expected = moves.to_vec();
                expected.sort();
                prop_assert_eq!(picked, expected);
                let _ = position.play(*choice.get(&moves), &mut ());
            }
        }
    }
}
