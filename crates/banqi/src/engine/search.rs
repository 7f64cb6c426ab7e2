//! A node of our search: alpha-beta over moves, flips looked into or passed over, quiescence.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::endgame::{Endgames, Lookup, MOST_PIECES, Worth};
use crate::engine::eval::Evaluator;
use crate::engine::order::{Lessons, Ranks, pick, rank_captures};
use crate::engine::table::{Bound, Memory, Table};
use crate::limits::Watch;
use crate::moves::{Move, MoveList};
use crate::position::Position;
use crate::rules::Rules;

/// The score of a win at the root; one less for each ply that it takes.
pub(crate) const WIN: i32 = 10_000;
/// Scores beyond this are wins.
pub(crate) const SURE: i32 = WIN - 500;
/// The score of a win by the endgame tables, less a little for each ply to the next capture.
pub(crate) const KNOWN: i32 = 9_000;
pub(crate) const INFINITE: i32 = 20_000;
pub(crate) const MOST_PLIES: usize = 128;
/// Only moves beyond this ply are moves like any other.
const LOOKED_THROUGH: usize = 40;

/// What is switched off to compare a search with its plain form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shortcuts {
    /// The table, reductions and pruning: results may differ from plain alpha-beta.
    pub(crate) heuristic: bool,
    /// Cuts at flips: results may not differ.
    pub(crate) star: bool,
}

/// One thread's search.
pub(crate) struct Worker<'a> {
    pub(crate) rules: Rules,
    pub(crate) evaluator: &'a mut Evaluator,
    pub(crate) table: &'a Table,
    pub(crate) endgames: Option<&'a Endgames>,
    /// Where the tables keep sets of pieces, by the pieces alive.
    pub(crate) lookups: HashMap<u64, Option<Lookup>>,
    pub(crate) watch: Watch,
    pub(crate) stop: &'a AtomicBool,
    pub(crate) shortcuts: Shortcuts,
    /// The keys of the game since the last flip or capture, then of the line.
    pub(crate) line: Vec<u64>,
    pub(crate) lessons: Lessons,
    /// A draw's score for the side to move at the root.
    pub(crate) draw: i32,
}

impl Worker<'_> {
    pub(crate) fn is_over(&self) -> bool {
        self.watch.is_over()
    }

    fn count_node(&mut self) -> bool {
        if self.watch.nodes & 255 == 0 && self.stop.load(Ordering::Relaxed) {
            self.watch.stop();
        }
        self.watch.count()
    }

    /// A draw as the side to move at this ply sees it.
    fn drawn(&self, ply: usize) -> i32 {
        if ply.is_multiple_of(2) { self.draw } else { -self.draw }
    }

    /// Whether the rules or a repetition end the game here. One repetition counts as a draw: what can be
    /// had once can be had again.
    fn is_drawn(&self, position: &Position, since: usize) -> bool {
        if self.rules.quiet_limit.is_some_and(|limit| position.quiet_plies() >= limit) {
            return true;
        }
        if self.rules.repetitions.is_none() {
            return false;
        }
        let key = position.key();
        // The last key is the position's own; the same side is to move every other ply.
        self.line.iter().rev().take(since + 1).skip(4).step_by(2).any(|&seen| seen == key)
    }

    /// The score of a position for its side to move. `since` counts the plies since the last flip, capture
    /// or pass, at most as far back as a repetition can reach.
    #[expect(clippy::too_many_arguments, reason = "the state of a node")]
    pub(crate) fn search(
        &mut self,
        position: &Position,
        depth: i32,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        since: usize,
        may_pass: bool,
    ) -> i32 {
        // 1. Results that need no search.
        if position.count_alive(position.mover()) == 0 {
            return ply as i32 - WIN;
        }
        if self.is_drawn(position, since) {
            return self.drawn(ply);
        }
        if let Some(score) = self.known(position, ply) {
            return score;
        }
        if depth <= 0 || ply >= MOST_PLIES - 1 {
            return self.quiesce(position, alpha, beta, ply);
        }
        if self.count_node() {
            return alpha;
        }
        let remembered = if self.shortcuts.heuristic { self.table.probe(position.key()) } else { None };
        if let Some(memory) = remembered
            && let Some(score) = usable(memory, depth, alpha, beta, ply)
            && since < 40
        {
            return score;
        }

        // 2. The moves.
        let first = remembered.and_then(|memory| memory.best);
        let mut list = MoveList::new();
        position.captures_into(&self.evaluator.captures, &mut list);
        let captures = list.len();
        position.steps_into(&mut list);
        let has_flips = !position.face_down().is_empty();
        if list.is_empty() && !has_flips {
            return ply as i32 - WIN;
        }
        // The only move needs no choice: it is looked through.
        let depth = if self.shortcuts.heuristic && list.len() == 1 && !has_flips && ply < LOOKED_THROUGH {
            depth + 1
        } else {
            depth
        };
        let mut ranks = Ranks::new();
        self.rank(&mut ranks, &list, captures, first, position, ply);
        let window_start = alpha;
        let mut best = -INFINITE;
        let mut best_move = None;

        // 3. A flip.
        if has_flips && (may_pass || list.is_empty()) {
            best = self.by_flipping(position, depth, alpha, beta, ply);
            if self.is_over() {
                return alpha;
            }
            alpha = alpha.max(best);
        }
        for tried in 0..list.len() {
            if alpha >= beta {
                break;
            }
            let mv = pick(&mut list, &mut ranks, tried);
            let score = self.try_move(position, mv, depth, alpha, beta, ply, since, tried, best > -INFINITE);
            if self.is_over() {
                return alpha;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                }
            }
        }

        // 4. Lessons.
        if self.shortcuts.heuristic {
            if best >= beta
                && let Some(mv) = best_move
                && position.piece_on(mv.to()).is_none()
            {
                self.lessons.learn(mv, depth, ply);
            }
            let bound = match best {
                _ if best >= beta => Bound::Lower,
                _ if best > window_start => Bound::Exact,
                _ => Bound::Upper,
            };
            let memory =
                Memory { score: from_here(best, ply), depth: depth as i8, bound, best: best_move.or(first) };
            self.table.store(position.key(), memory);
        }
        best
    }

    /// What the endgame tables say.
    #[inline]
    fn known(&mut self, position: &Position, ply: usize) -> Option<i32> {
        let endgames = self.endgames?;
        self.looked_up(endgames, position, ply)
    }

    fn looked_up(&mut self, endgames: &Endgames, position: &Position, ply: usize) -> Option<i32> {
        if !position.face_down().is_empty() || position.occupied().len() > MOST_PIECES {
            return None;
        }
        let lookup = self.lookups.entry(position.alive_packed());
        let lookup = lookup.or_insert_with(|| endgames.lookup(position.alive())).as_ref()?;
        let limit = self.rules.quiet_limit.unwrap_or(u16::MAX);
        let in_time = |plies: u8| u16::from(plies) + position.quiet_plies() <= limit;
        Some(match endgames.probe_with(lookup, position) {
            Worth::Win(plies) if in_time(plies) => KNOWN - ply as i32 - i32::from(plies),
            Worth::Loss(plies) if in_time(plies) => ply as i32 + i32::from(plies) - KNOWN,
            _ => self.drawn(ply),
        })
    }

    #[expect(clippy::too_many_arguments, reason = "the state of a node, passed on to its child")]
    fn try_move(
        &mut self,
        position: &Position,
        mv: Move,
        depth: i32,
        alpha: i32,
        beta: i32,
        ply: usize,
        since: usize,
        tried: usize,
        has_score: bool,
    ) -> i32 {
        let mut next = position.clone();
        let taken = next.play_step(mv);
        self.table.prefetch(next.key());
        let since = if taken.is_some() { 0 } else { since + 1 };
        self.line.push(next.key());
        let reduction = if self.shortcuts.heuristic && taken.is_none() { late(tried, depth) } else { 0 };
        let mut score;
        if has_score && self.shortcuts.heuristic {
            score = -self.search(&next, depth - 1 - reduction, -alpha - 1, -alpha, ply + 1, since, true);
            if score > alpha && (reduction > 0 || score < beta) {
                score = -self.search(&next, depth - 1, -beta, -alpha, ply + 1, since, true);
            }
        } else {
            score = -self.search(&next, depth - 1, -beta, -alpha, ply + 1, since, true);
        }
        self.line.pop();
        score
    }

    /// The score of the best flip. A few pieces face down are looked into one by one; of more the tree would be
    /// too wide, and a flip somewhere else is a pass.
    fn by_flipping(&mut self, position: &Position, depth: i32, alpha: i32, beta: i32, ply: usize) -> i32 {
        let hidden = position.face_down();
        let params = &self.evaluator.params;
        if depth < params.look_depth || hidden.len() as i32 > params.looked_into {
            return -self.after_pass(position, depth, alpha, beta, ply);
        }
        let depth = depth - 1 - params.flip_reduction;
        let mut best = -INFINITE;
        for square in hidden {
            let from = alpha.max(best).max(-WIN);
            best = best.max(self.expected(position, square, depth.max(0), from, beta.min(WIN), ply));
            if self.is_over() || best >= beta {
                break;
            }
        }
        best
    }

    fn after_pass(&mut self, position: &Position, depth: i32, alpha: i32, beta: i32, ply: usize) -> i32 {
        let mut next = position.clone();
        next.pass_turn();
        self.line.push(next.key());
        // Two passes running would only ask for the evaluation again.
        let score = self.search(&next, depth - 2, -beta, -alpha, ply + 1, 0, false);
        self.line.pop();
        score
    }

    /// Goes on with captures until the position is quiet.
    pub(crate) fn quiesce(&mut self, position: &Position, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        if self.count_node() {
            return alpha;
        }
        if position.count_alive(position.mover()) == 0 {
            return ply as i32 - WIN;
        }
        if let Some(score) = self.known(position, ply) {
            return score;
        }
        let mut best = self.evaluator.score(position, alpha, beta);
        if best >= beta || ply >= MOST_PLIES - 1 {
            return best;
        }
        let mut list = MoveList::new();
        position.captures_into(&self.evaluator.captures, &mut list);
        let count = list.len();
        if count == 0 {
            return best;
        }
        alpha = alpha.max(best);
        let mut ranks = Ranks::new();
        rank_captures(&mut ranks, &list, position, self.evaluator.values(position));
        for tried in 0..count {
            let mv = pick(&mut list, &mut ranks, tried);
            let mut next = position.clone();
            next.play_step(mv);
            let score = -self.quiesce(&next, -beta, -alpha, ply + 1);
            if self.is_over() {
                return alpha;
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Ranks all moves, of which the first so many are captures and one may be the table's.
    #[inline]
    fn rank(
        &mut self,
        ranks: &mut Ranks,
        list: &MoveList,
        captures: usize,
        first: Option<Move>,
        position: &Position,
        ply: usize,
    ) {
        let (captures, quiet) = list.split_at(captures);
        if !captures.is_empty() {
            rank_captures(ranks, captures, position, self.evaluator.values(position));
        }
        self.lessons.rank(ranks, quiet, ply);
        if let Some(place) = list.iter().position(|&mv| Some(mv) == first) {
            ranks[place] = i32::MAX;
        }
    }
}

/// How much shallower a late quiet move is searched.
fn late(tried: usize, depth: i32) -> i32 {
    match (tried, depth) {
        (0..=2, _) | (_, ..=2) => 0,
        (3..=7, _) => 1,
        _ => 1 + i32::from(depth > 4),
    }
}

/// A remembered score, if it settles the node.
fn usable(memory: Memory, depth: i32, alpha: i32, beta: i32, ply: usize) -> Option<i32> {
    if i32::from(memory.depth) < depth {
        return None;
    }
    let score = seen_from_root(memory.score, ply);
    let settles = match memory.bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    };
    settles.then_some(score)
}

/// Wins are stored as seen from their position.
fn from_here(score: i32, ply: usize) -> i16 {
    let ply = ply as i32;
    (if score > SURE {
        score + ply
    } else if score < -SURE {
        score - ply
    } else {
        score
    }) as i16
}

fn seen_from_root(score: i16, ply: usize) -> i32 {
    let (score, ply) = (i32::from(score), ply as i32);
    if score > SURE {
        score - ply
    } else if score < -SURE {
        score + ply
    } else {
        score
    }
}
