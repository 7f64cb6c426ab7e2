//! Staged move picker: hands out the moves of a node one by one, the most promising first.
//!
//! TT move, good captures by MVV-LVA and capture history, killers and the countermove, quiet moves by
//! history, bad captures. Each stage is generated only when it is reached.

use arrayvec::ArrayVec;
use chuhe_board::{Checks, Legality, Move, MoveList, PieceKind, Position, Square, Wanted};

use super::history::{Continuation, History, PieceTo};
use super::see::{piece_value, see_at_least};
use crate::params::Params;
use crate::techniques::{Technique, Techniques};

/// Which moves a node wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moves {
    /// All of them.
    All,
    /// Captures that SEE does not count as losing.
    GoodCaptures,
}

/// What move ordering knows about the line that led to the node.
#[derive(Clone, Copy)]
pub(crate) struct Context<'p> {
    pub(crate) techniques: Techniques,
    pub(crate) params: &'p Params,
    pub(crate) killers: [Option<Move>; 2],
    /// The moves one, two and four plies ago.
    pub(crate) before: [PieceTo; 3],
}

impl<'p> Context<'p> {
    /// A context without a line.
    pub(crate) const fn new(techniques: Techniques, params: &'p Params) -> Self {
        Self { techniques, params, killers: [None; 2], before: [PieceTo::NONE; 3] }
    }

    /// The history score of one quiet move.
    #[inline]
    pub(crate) fn quiet_score(&self, history: &History, piece_to: PieceTo, mv: Move) -> i32 {
        QuietScores::new(self, history).score(piece_to, mv)
    }

    /// The index of a quiet move in the quiet history.
    #[inline]
    pub(crate) fn quiet_index(&self, piece_to: PieceTo, mv: Move) -> usize {
        if self.techniques.has(Technique::PieceToHistory) {
            piece_to.index()
        } else {
            mv.from().index() * Square::COUNT + mv.to().index()
        }
    }
}

/// Scores the quiet moves of one node: quiet history and continuation history, with their weights at hand.
struct QuietScores<'a> {
    context: Context<'a>,
    history: &'a History,
    quiet_weight: i32,
    continuations: [(Continuation<'a>, i32); 3],
}

impl<'a> QuietScores<'a> {
    #[inline]
    fn new(context: &Context<'a>, history: &'a History) -> Self {
        let params = context.params;
        let [one, two, four] = context.before.map(|before| history.continuation(before));
        Self {
            context: *context,
            history,
            quiet_weight: params.quiet_history_weight,
            continuations: [
                (one, params.continuation_weight_1),
                (two, params.continuation_weight_2),
                (four, params.continuation_weight_4),
            ],
        }
    }

    #[inline]
    fn score(&self, piece_to: PieceTo, mv: Move) -> i32 {
        let techniques = self.context.techniques;
        let mut score = 0;
        if techniques.has(Technique::QuietHistory) {
            score += self.quiet_weight * self.history.quiet(self.context.quiet_index(piece_to, mv));
        }
        if techniques.has(Technique::ContinuationHistory) {
            for (continuation, weight) in self.continuations {
                score += weight * continuation.get(piece_to);
            }
        }
        score
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    TtMove,
    GenerateCaptures,
    GoodCaptures,
    Refutations,
    GenerateQuiets,
    Quiets,
    BadCaptures,
    Done,
}

pub(crate) struct Picker<'p> {
    moves: Moves,
    stage: Stage,
    tt_move: Option<Move>,
    context: Context<'p>,
    /// Two killers and the countermove.
    refutations: [Option<Move>; 3],
    next_refutation: usize,
    list: MoveList,
    /// Scores of the listed moves with their indices; see [`rank`].
    ranks: ArrayVec<i32, 128>,
    bad_captures: MoveList,
    next_bad_capture: usize,
    quiets_wanted: bool,
}

impl<'p> Picker<'p> {
    /// A picker for a node. The TT move, if any, must be legal.
    #[inline]
    pub(crate) fn new(moves: Moves, tt_move: Option<Move>, context: Context<'p>, history: &History) -> Self {
        let refutations = match context.techniques.has(Technique::KillersAndCountermoves) {
            true => [context.killers[0], context.killers[1], history.countermove(context.before[0])],
            false => [None; 3],
        };
        Self {
            moves,
            stage: Stage::TtMove,
            tt_move,
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

    /// Skips the quiet moves that were not handed out yet.
    #[inline]
    pub(crate) fn skip_quiets(&mut self) {
        self.quiets_wanted = false;
    }

    /// Whether the move is a killer or the countermove.
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
                Stage::TtMove => {
                    self.stage = Stage::GenerateCaptures;
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::GenerateCaptures => {
                    position.list_moves(legality, Wanted::Captures, &mut self.list);
                    self.score_captures(position, history);
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
                    self.stage = Stage::GenerateQuiets;
                }
                Stage::GenerateQuiets => {
                    self.list.clear();
                    self.ranks.clear();
                    if self.quiets_wanted {
                        position.list_moves(legality, Wanted::Quiets, &mut self.list);
                        self.score_quiets(position, checks, history);
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
        while let Some((mv, score)) = self.take_best() {
            if Some(mv) == self.tt_move {
                continue;
            }
            // A capture with a good score may lose a little and still count as good.
            let allowed_loss = score * self.context.params.good_capture_share / 256;
            if see_at_least(position, mv, -allowed_loss) {
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
            let is_new = self.tt_move != Some(mv) && !self.refutations[..index].contains(&Some(mv));
            if is_new && position.piece_on(mv.to()).is_none() && position.allows(legality, mv) {
                return Some(mv);
            }
            if is_new {
                // Not legal here: it must not count as a refutation later.
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
            if Some(mv) != self.tt_move && !self.is_refutation(mv) {
                return Some(mv);
            }
        }
        None
    }

    /// Takes the listed move with the highest score.
    #[inline]
    fn take_best(&mut self) -> Option<(Move, i32)> {
        let best = self.ranks.iter().fold(TAKEN, |best, rank| best.max(*rank));
        if best == TAKEN {
            return None;
        }
        let (score, index) = score_and_index(best);
        self.ranks[index] = TAKEN;
        Some((self.list[index], score))
    }

    /// MVV-LVA: the most valuable victim first, then the least valuable attacker; plus capture history.
    fn score_captures(&mut self, position: &Position, history: &History) {
        let params = self.context.params;
        for (index, mv) in self.list.iter().enumerate() {
            let (Some(piece), Some(taken)) = (position.piece_on(mv.from()), position.piece_on(mv.to()))
            else {
                continue;
            };
            let attacker = piece_value(piece.kind().min(PieceKind::Cannon));
            let victim = piece_value(taken.kind());
            let mvv_lva = match self.context.techniques.has(Technique::MvvLva) {
                true => params.mvv_weight * victim - attacker * params.lva_share / 256,
                false => victim * params.lva_share / 256 - params.mvv_weight * attacker,
            };
            let history = history.capture(PieceTo::new(piece, mv.to()), taken.kind());
            self.ranks.push(rank(mvv_lva + history * params.capture_history_share / 256, index));
        }
    }

    /// By history; checks first, so that late move pruning does not skip them.
    fn score_quiets(&mut self, position: &Position, checks: &Checks, history: &History) {
        let checks_first = self.context.techniques.has(Technique::ChecksFirst);
        let scores = QuietScores::new(&self.context, history);
        let check_bonus = self.context.params.check_order_bonus;
        for (index, mv) in self.list.iter().enumerate() {
            let Some(piece) = position.piece_on(mv.from()) else {
                continue;
            };
            let mut score = scores.score(PieceTo::new(piece, mv.to()), *mv);
            if checks.points(piece.kind()).contains(mv.to()) && checks_first {
                score += check_bonus;
            }
            self.ranks.push(rank(score, index));
        }
    }
}

/// The rank of a move that was handed out.
const TAKEN: i32 = i32::MIN;
/// Bits for the index of a move in its list.
const INDEX_BITS: u32 = 7;
const LAST_INDEX: i32 = (1 << INDEX_BITS) - 1;

/// Score and index of a move packed into one number: the best move is the largest number, which is found
/// without branches, and equal scores keep the order of generation.
#[inline]
const fn rank(score: i32, index: usize) -> i32 {
    (score << INDEX_BITS) | (LAST_INDEX - index as i32)
}

#[inline]
const fn score_and_index(rank: i32) -> (i32, usize) {
    (rank >> INDEX_BITS, (LAST_INDEX - (rank & LAST_INDEX)) as usize)
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
            let params = Params::default();
            let mut killers = [None; 2];
            for choice in choices {
                let moves = position.moves();
                if moves.is_empty() {
                    break;
                }
                killers = [killers[1], Some(*killer.get(&moves))];
                let legality = position.legality();
                let checks = position.checks();
                let context = Context { killers, ..Context::new(Techniques::default(), &params) };
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
