//! Alpha-beta search (PVS) over moves, with flips as chance nodes or as passes, and quiescence search.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::endgame::{Endgames, Lookup, Worth};
use crate::engine::eval::Evaluator;
use crate::engine::order::{History, MovePicker};
use crate::engine::transposition_table::{Bound, TranspositionTable, TtEntry};
use crate::limits::Watch;
use crate::moves::{Move, MoveList};
use crate::piece::Piece;
use crate::position::Position;
use crate::rules::Rules;

/// The score of a win at the root; one less per ply.
pub(crate) const WIN: i32 = 10_000;
/// Scores beyond this are proven wins.
pub(crate) const PROVEN_WIN: i32 = WIN - 500;
/// The score of a win by the endgame tables, less the plies to the next capture.
pub(crate) const TABLE_WIN: i32 = 9_000;
pub(crate) const INFINITE: i32 = 20_000;
pub(crate) const MAX_PLY: usize = 128;
/// Beyond this ply single replies are not extended.
const MAX_SINGLE_REPLY_PLY: usize = 40;
/// With more quiet plies than this, a stored score may miss the draw by the quiet limit.
const MAX_TT_QUIET_PLIES: usize = 40;

/// Which pruning is on; tests switch it off to compare with plain alpha-beta.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pruning {
    /// Transposition table, reductions and extensions: results may differ from plain alpha-beta.
    pub(crate) heuristic: bool,
    /// Star1 and Star2 at chance nodes: results may not differ.
    pub(crate) star: bool,
}

/// Depth, window and place of a node in the tree.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    pub(crate) depth: i32,
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    pub(crate) ply: usize,
    /// Plies since the last flip, capture or pass: as far back as a repetition can reach.
    pub(crate) reversible_plies: usize,
    /// Whether a flip may be searched as a pass here.
    pub(crate) may_pass: bool,
}

impl Node {
    /// A child with the full window.
    fn child(self, depth: i32, reversible_plies: usize) -> Self {
        Self {
            depth,
            alpha: -self.beta,
            beta: -self.alpha,
            ply: self.ply + 1,
            reversible_plies,
            may_pass: true,
        }
    }

    /// The same child with a zero window at alpha.
    fn zero_window_child(self, depth: i32, reversible_plies: usize) -> Self {
        Self { beta: self.alpha + 1, ..self }.child(depth, reversible_plies)
    }
}

/// The search of one thread.
pub(crate) struct Worker<'a> {
    pub(crate) rules: Rules,
    pub(crate) evaluator: &'a mut Evaluator,
    pub(crate) tt: &'a TranspositionTable,
    pub(crate) endgames: Option<&'a Endgames>,
    /// The endgame tables by the pieces alive.
    pub(crate) lookups: HashMap<u64, Option<Lookup>>,
    pub(crate) watch: Watch,
    pub(crate) stop: &'a AtomicBool,
    pub(crate) pruning: Pruning,
    /// The keys of the game since the last flip or capture, then of the current line.
    pub(crate) keys: Vec<u64>,
    pub(crate) history: History,
    /// The contempt score: a draw for the side to move at the root.
    pub(crate) draw: i32,
}

impl Worker<'_> {
    pub(crate) fn is_over(&self) -> bool {
        self.watch.is_over()
    }

    /// Counts a node; true when the search must stop.
    fn count_node(&mut self) -> bool {
        if self.watch.nodes & 255 == 0 && self.stop.load(Ordering::Relaxed) {
            self.watch.stop();
        }
        self.watch.count()
    }

    /// The score of a position for its side to move.
    pub(crate) fn search(&mut self, position: &Position, node: Node) -> i32 {
        // Step 1. Terminal positions, draws and endgame tables.
        if let Some(score) = self.known_score(position, node) {
            return score;
        }
        // Step 2. Quiescence at the horizon.
        if node.depth <= 0 || node.ply >= MAX_PLY - 1 {
            return self.quiesce(position, node.alpha, node.beta, node.ply);
        }
        if self.count_node() {
            return node.alpha;
        }
        // Step 3. Transposition table.
        let entry = if self.pruning.heuristic { self.tt.probe(position.key()) } else { None };
        if let Some(score) = entry.and_then(|entry| tt_cutoff(entry, node)) {
            return score;
        }
        // Step 4. Moves.
        let hash_move = entry.and_then(|entry| entry.best);
        let mut moves = self.ordered_moves(position, hash_move, node.ply);
        let has_flips = !position.face_down().is_empty();
        if moves.is_empty() && !has_flips {
            return mated_in(node.ply);
        }
        let node = Node { depth: node.depth + self.extension(&moves, has_flips, node.ply), ..node };
        // Step 5. Flips.
        let mut best = -INFINITE;
        if has_flips && (node.may_pass || moves.is_empty()) {
            best = self.best_flip(position, node);
            if self.is_over() {
                return node.alpha;
            }
        }
        // Step 6. The move loop.
        let Some((best, best_move)) = self.best_move(position, node, &mut moves, best) else {
            return node.alpha;
        };
        // Step 7. History and transposition table.
        if self.pruning.heuristic {
            self.update(position, node, best, best_move, hash_move);
        }
        best
    }

    /// The score of a node that needs no search.
    fn known_score(&mut self, position: &Position, node: Node) -> Option<i32> {
        if position.count_alive(position.mover()) == 0 {
            return Some(mated_in(node.ply));
        }
        if self.is_drawn(position, node.reversible_plies) {
            return Some(self.draw_score(node.ply));
        }
        self.probe_endgames(position, node.ply)
    }

    /// A draw from the point of view of the side to move at this ply.
    fn draw_score(&self, ply: usize) -> i32 {
        if ply.is_multiple_of(2) { self.draw } else { -self.draw }
    }

    /// Whether the quiet limit or a repetition ends the game. The first repetition already counts as a draw.
    fn is_drawn(&self, position: &Position, reversible_plies: usize) -> bool {
        if self.rules.quiet_limit.is_some_and(|limit| position.quiet_plies() >= limit) {
            return true;
        }
        if self.rules.repetitions.is_none() {
            return false;
        }
        let key = position.key();
        // The last key is the position's own; the same side is to move every other ply.
        self.keys.iter().rev().take(reversible_plies + 1).skip(4).step_by(2).any(|&seen| seen == key)
    }

    #[inline]
    fn probe_endgames(&mut self, position: &Position, ply: usize) -> Option<i32> {
        let endgames = self.endgames?;
        if !position.face_down().is_empty() || position.occupied().len() > endgames.most_pieces() {
            return None;
        }
        let lookup = self.lookups.entry(position.alive_packed());
        let lookup = lookup.or_insert_with(|| endgames.lookup(position.alive())).as_ref()?;
        let limit = self.rules.quiet_limit.unwrap_or(u16::MAX);
        let in_time = |plies: u8| u16::from(plies) + position.quiet_plies() <= limit;
        Some(match endgames.probe_with(lookup, position) {
            Worth::Win(plies) if in_time(plies) => TABLE_WIN - ply as i32 - i32::from(plies),
            Worth::Loss(plies) if in_time(plies) => ply as i32 + i32::from(plies) - TABLE_WIN,
            _ => self.draw_score(ply),
        })
    }

    #[inline]
    fn ordered_moves(&mut self, position: &Position, hash_move: Option<Move>, ply: usize) -> MovePicker {
        let mut list = MoveList::new();
        position.captures_into(&self.evaluator.captures, &mut list);
        let captures = list.len();
        position.steps_into(&mut list);
        // Without captures no values are needed, and the material cache is not probed.
        let values = if captures > 0 { *self.evaluator.values(position) } else { [0; Piece::COUNT] };
        let mut moves = MovePicker::new(list, captures, position, &values, &self.history, ply);
        moves.put_first(hash_move);
        moves
    }

    /// Single-reply extension: the only move is searched one ply deeper.
    fn extension(&self, moves: &MovePicker, has_flips: bool, ply: usize) -> i32 {
        let is_single = moves.len() == 1 && !has_flips;
        i32::from(self.pruning.heuristic && is_single && ply < MAX_SINGLE_REPLY_PLY)
    }

    /// Tries the moves against `best`, the score of the best flip. `None` if time runs out.
    #[inline]
    fn best_move(
        &mut self,
        position: &Position,
        node: Node,
        moves: &mut MovePicker,
        mut best: i32,
    ) -> Option<(i32, Option<Move>)> {
        let mut alpha = node.alpha.max(best);
        let mut best_move = None;
        while alpha < node.beta {
            let tried = moves.picked();
            let Some(mv) = moves.next() else { break };
            let score = self.search_move(position, mv, Node { alpha, ..node }, tried, best > -INFINITE);
            if self.is_over() {
                return None;
            }
            best = best.max(score);
            if score > alpha {
                alpha = score;
                best_move = Some(mv);
            }
        }
        Some((best, best_move))
    }

    /// Principal variation search with late move reductions.
    fn search_move(
        &mut self,
        position: &Position,
        mv: Move,
        node: Node,
        tried: usize,
        has_score: bool,
    ) -> i32 {
        let mut next = position.clone();
        let captured = next.play_step(mv);
        self.tt.prefetch(next.key());
        let reversible_plies = if captured.is_some() { 0 } else { node.reversible_plies + 1 };
        let full = node.child(node.depth - 1, reversible_plies);
        self.keys.push(next.key());
        let score = if has_score && self.pruning.heuristic {
            let reduction = if captured.is_none() { late_move_reduction(tried, node.depth) } else { 0 };
            let reduced = node.zero_window_child(node.depth - 1 - reduction, reversible_plies);
            let score = -self.search(&next, reduced);
            let fails_high = score > node.alpha && (reduction > 0 || score < node.beta);
            if fails_high { -self.search(&next, full) } else { score }
        } else {
            -self.search(&next, full)
        };
        self.keys.pop();
        score
    }

    /// The score of the best flip. A few face-down pieces are searched as chance nodes; with more the tree would be too
    /// wide, and a flip elsewhere on the board counts as a pass.
    fn best_flip(&mut self, position: &Position, node: Node) -> i32 {
        let hidden = position.face_down();
        let params = &self.evaluator.params;
        if node.depth < params.look_depth || hidden.len() as i32 > params.looked_into {
            return self.search_pass(position, node);
        }
        let depth = (node.depth - 1 - params.flip_reduction).max(0);
        let mut best = -INFINITE;
        for square in hidden {
            let (alpha, beta) = (node.alpha.max(best).max(-WIN), node.beta.min(WIN));
            best = best.max(self.search_flip(position, square, Node { depth, alpha, beta, ..node }));
            if self.is_over() || best >= node.beta {
                break;
            }
        }
        best
    }

    fn search_pass(&mut self, position: &Position, node: Node) -> i32 {
        let mut next = position.clone();
        next.pass_turn();
        self.keys.push(next.key());
        // Two passes in a row would only repeat the evaluation.
        let score = -self.search(&next, Node { may_pass: false, ..node.child(node.depth - 2, 0) });
        self.keys.pop();
        score
    }

    /// Quiescence search: captures only.
    pub(crate) fn quiesce(&mut self, position: &Position, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        if self.count_node() {
            return alpha;
        }
        if position.count_alive(position.mover()) == 0 {
            return mated_in(ply);
        }
        if let Some(score) = self.probe_endgames(position, ply) {
            return score;
        }
        let mut best = self.evaluator.score(position, alpha, beta);
        if best >= beta || ply >= MAX_PLY - 1 {
            return best;
        }
        let mut list = MoveList::new();
        position.captures_into(&self.evaluator.captures, &mut list);
        if list.is_empty() {
            return best;
        }
        alpha = alpha.max(best);
        let mut moves = MovePicker::captures(list, position, self.evaluator.values(position));
        while let Some(mv) = moves.next() {
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

    /// Stores the result of a node.
    fn update(
        &mut self,
        position: &Position,
        node: Node,
        best: i32,
        best_move: Option<Move>,
        hash_move: Option<Move>,
    ) {
        if best >= node.beta
            && let Some(mv) = best_move
            && position.piece_on(mv.to()).is_none()
        {
            self.history.record_cutoff(mv, node.depth, node.ply);
        }
        let bound = match best {
            _ if best >= node.beta => Bound::Lower,
            _ if best > node.alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let (score, depth) = (score_to_tt(best, node.ply), node.depth as i8);
        self.tt.store(position.key(), TtEntry { score, depth, bound, best: best_move.or(hash_move) });
    }
}

fn mated_in(ply: usize) -> i32 {
    ply as i32 - WIN
}

fn late_move_reduction(tried: usize, depth: i32) -> i32 {
    match (tried, depth) {
        (0..=2, _) | (_, ..=2) => 0,
        (3..=7, _) => 1,
        _ => 1 + i32::from(depth > 4),
    }
}

/// The stored score, if it is deep enough and decides the node.
fn tt_cutoff(entry: TtEntry, node: Node) -> Option<i32> {
    if i32::from(entry.depth) < node.depth || node.reversible_plies >= MAX_TT_QUIET_PLIES {
        return None;
    }
    let score = score_from_tt(entry.score, node.ply);
    let decides = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= node.beta,
        Bound::Upper => score <= node.alpha,
    };
    decides.then_some(score)
}

/// Proven wins are stored relative to their position.
fn score_to_tt(score: i32, ply: usize) -> i16 {
    shifted(score, ply as i32) as i16
}

fn score_from_tt(score: i16, ply: usize) -> i32 {
    shifted(score.into(), -(ply as i32))
}

/// Moves a proven win or loss away from zero by `plies`.
fn shifted(score: i32, plies: i32) -> i32 {
    match score {
        _ if score > PROVEN_WIN => score + plies,
        _ if score < -PROVEN_WIN => score - plies,
        _ => score,
    }
}
