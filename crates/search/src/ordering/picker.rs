//! Handing out the moves of a node one by one, the most promising first.
//!
//! The table's move, captures that do not lose material, killers and the counter move, quiet moves
//! by history, captures that lose material. Each group is made only when it is reached.

use arrayvec::ArrayVec;
use chuhe_board::{Checks, Legality, Move, MoveList, PieceKind, Position, Square, Wanted};

use crate::exchange::{exchange_gains, value};
use crate::history::{Answers, History, Step};
use crate::techniques::{Technique, Techniques};

/// Which moves a node wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moves {
    /// All of them.
    All,
    /// Only captures that do not lose material.
    GoodCaptures,
}

/// What is known about the line that led to the node.
#[derive(Clone, Copy)]
pub(crate) struct Context {
    pub(crate) techniques: Techniques,
    pub(crate) killers: [Option<Move>; 2],
    /// The steps one, two and four plies ago.
    pub(crate) before: [Step; 3],
}

impl Context {
    /// Nothing is known.
    pub(crate) const fn new(techniques: Techniques) -> Self {
        Self { techniques, killers: [None; 2], before: [Step::PASS; 3] }
    }

    /// How promising a quiet step is; `answers` are those to the steps before.
    #[inline]
    fn worth(&self, history: &History, answers: &[Answers<'_>; 3], step: Step, mv: Move) -> i32 {
        let mut worth = 0;
        if self.techniques.has(Technique::QuietHistory) {
            worth += 2 * history.quiet(self.place_in_history(step, mv));
        }
        if self.techniques.has(Technique::Continuations) {
            let [one, two, four] = answers.map(|answers| answers.worth(step));
            worth += 2 * one + two + four;
        }
        worth
    }

    /// The same for one step alone.
    #[inline]
    pub(crate) fn quiet_worth(&self, history: &History, step: Step, mv: Move) -> i32 {
        self.worth(history, &self.answers(history), step, mv)
    }

    #[inline]
    fn answers<'a>(&self, history: &'a History) -> [Answers<'a>; 3] {
        self.before.map(|before| history.answers(before))
    }

    /// Where the record of a quiet move is kept.
    #[inline]
    pub(crate) fn place_in_history(&self, step: Step, mv: Move) -> usize {
        if self.techniques.has(Technique::PieceHistory) {
            step.index()
        } else {
            mv.from().index() * Square::COUNT + mv.to().index()
        }
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
    /// What the listed moves are worth, with their places; see [`rank`].
    ranks: ArrayVec<i32, 128>,
    bad_captures: MoveList,
    next_bad_capture: usize,
    quiets_wanted: bool,
}

impl Picker {
    /// A picker for a node; the table's move must be legal if it is given.
    #[inline]
    pub(crate) fn new(moves: Moves, table_move: Option<Move>, context: Context, history: &History) -> Self {
        let refutations = match context.techniques.has(Technique::Refutations) {
            true => [context.killers[0], context.killers[1], history.counter(context.before[0])],
            false => [None; 3],
        };
        Self {
            moves,
            stage: Stage::TableMove,
            table_move,
            refutations,
            context,
            next_refutation: 0,
            list: MoveList::new(),
            ranks: ArrayVec::new(),
            bad_captures: MoveList::new(),
            next_bad_capture: 0,
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
        checks: &Checks,
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
                    self.ranks.clear();
                    if self.quiets_wanted {
                        position.list_moves(legality, Wanted::Quiets, &mut self.list);
                        self.weigh_quiets(position, checks, history);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    if let Some(mv) = self.next_quiet() {
                        return Some(mv);
                    }
                    self.stage = Stage::BadCaptures;
                }
                Stage::BadCaptures => {
                    let mv = self.bad_captures.get(self.next_bad_capture).copied();
                    self.next_bad_capture += 1;
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
        let best = self.ranks.iter().fold(TAKEN, |best, rank| best.max(*rank));
        if best == TAKEN {
            return None;
        }
        let (worth, place) = worth_and_place(best);
        self.ranks[place] = TAKEN;
        Some((self.list[place], worth))
    }

    /// The most valuable victim first, and of those the one that was taken well before.
    fn weigh_captures(&mut self, position: &Position, history: &History) {
        for (place, mv) in self.list.iter().enumerate() {
            let (Some(piece), Some(taken)) = (position.piece_on(mv.from()), position.piece_on(mv.to()))
            else {
                continue;
            };
            let step = Step::new(piece, mv.to());
            let attacker = value(piece.kind().min(PieceKind::Cannon));
            let victim = value(taken.kind());
            // Of equal victims the cheapest attacker.
            let worth = match self.context.techniques.has(Technique::VictimFirst) {
                true => 7 * victim - attacker / 16,
                false => victim / 16 - 7 * attacker,
            };
            self.ranks.push(rank(worth + history.capture(step, taken.kind()) / 4, place));
        }
    }

    /// By history; checks first, so that they are not left out with the late moves.
    fn weigh_quiets(&mut self, position: &Position, checks: &Checks, history: &History) {
        let checks_first = self.context.techniques.has(Technique::ChecksFirst);
        let answers = self.context.answers(history);
        for (place, mv) in self.list.iter().enumerate() {
            let Some(piece) = position.piece_on(mv.from()) else {
                continue;
            };
            let mut worth = self.context.worth(history, &answers, Step::new(piece, mv.to()), *mv);
            if checks.points(piece.kind()).contains(mv.to()) && checks_first {
                worth += CHECK_BONUS;
            }
            self.ranks.push(rank(worth, place));
        }
    }
}

/// What a check adds to the worth of a quiet move.
const CHECK_BONUS: i32 = 16_000;

/// The rank of a move that was handed out.
const TAKEN: i32 = i32::MIN;
/// Bits for the place of a move in its list.
const PLACE_BITS: u32 = 7;
const LAST_PLACE: i32 = (1 << PLACE_BITS) - 1;

/// A number that sorts moves by worth, then by their place in the list, and tells that place: the
/// best of a list is then the largest of its numbers, which takes no jumps to find.
#[inline]
const fn rank(worth: i32, place: usize) -> i32 {
    (worth << PLACE_BITS) | (LAST_PLACE - place as i32)
}

#[inline]
const fn worth_and_place(rank: i32) -> (i32, usize) {
    (rank >> PLACE_BITS, (LAST_PLACE - (rank & LAST_PLACE)) as usize)
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
                let checks = position.checks();
                let context = Context { killers, ..Context::new(Techniques::default()) };
                let mut picker = Picker::new(Moves::All, Some(*hint.get(&moves)), context, &history);
                let mut picked = Vec::new();
                while let Some(mv) = picker.next(&position, &legality, &checks, &history) {
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
