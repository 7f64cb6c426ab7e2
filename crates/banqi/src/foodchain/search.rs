//! The search (Hsieh 2010, §3.4 to §3.7): fail-hard alpha-beta, hash table, iterative deepening, a pass in place of flips.

use crate::foodchain::board::FoodChainBoard;
use crate::foodchain::evaluation::Evaluation;
use crate::limits::Watch;
use crate::moves::Move;

/// Worse than any sum of captures.
const LOST: i32 = -1_000_000_000;
const INFINITE: i32 = 2_000_000_000;
const DEEPEST: u32 = 40;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Flag {
    Exact,
    Alpha,
    Beta,
}

#[derive(Clone, Copy)]
struct Entry {
    key: u32,
    /// Entries of older searches are free: their values no longer hold.
    search: u32,
    depth: u8,
    flag: Flag,
    score: i32,
}

/// 2^20 slots; a deeper or equally deep result replaces another.
pub(super) struct Table {
    entries: Vec<Entry>,
    search: u32,
}

impl Table {
    const SIZE: usize = 1 << 20;

    pub(super) fn new() -> Self {
        let empty = Entry { key: 0, search: 0, depth: 0, flag: Flag::Exact, score: 0 };
        Self { entries: vec![empty; Self::SIZE], search: 0 }
    }

    fn record(&mut self, key: u32, depth: u8, flag: Flag, score: i32) {
        let search = self.search;
        let entry = &mut self.entries[key as usize & (Self::SIZE - 1)];
        if entry.search != search || depth >= entry.depth {
            *entry = Entry { key, search, depth, flag, score };
        }
    }

    fn probe(&self, key: u32, depth: u8, alpha: i32, beta: i32) -> Option<i32> {
        let entry = &self.entries[key as usize & (Self::SIZE - 1)];
        if entry.search != self.search || entry.key != key || entry.depth < depth {
            return None;
        }
        match entry.flag {
            Flag::Exact => Some(entry.score),
            Flag::Beta => (entry.score >= beta).then_some(beta),
            Flag::Alpha => (entry.score <= alpha).then_some(alpha),
        }
    }
}

pub(super) struct Searcher<'a> {
    board: FoodChainBoard,
    evaluation: Evaluation,
    table: &'a mut Table,
    watch: Watch,
    /// What the side to move has taken since the root, less what it has lost.
    captured: i32,
}

impl<'a> Searcher<'a> {
    pub(super) fn new(
        board: FoodChainBoard,
        evaluation: Evaluation,
        table: &'a mut Table,
        watch: Watch,
    ) -> Self {
        table.search += 1;
        Self { board, evaluation, table, watch, captured: 0 }
    }

    /// The best of the moves and its score, one ply deeper each time until time is up.
    pub(super) fn deepen(&mut self, moves: Vec<Move>) -> (Move, i32) {
        let mut ranked: Vec<(Move, i32)> = moves.into_iter().map(|mv| (mv, -INFINITE)).collect();
        let mut best = ranked[0];
        for depth in 1..=self.watch.depth(DEEPEST) {
            let mut alpha = -INFINITE;
            for entry in &mut ranked {
                entry.1 = -self.child(entry.0, depth as u8 - 1, -INFINITE, -alpha);
                if self.watch.is_over() {
                    return best;
                }
                alpha = alpha.max(entry.1);
            }
            // Stable: among equals the earlier order stays, captures first.
            ranked.sort_by_key(|&(_, score)| -score);
            best = ranked[0];
            if self.watch.has_used(0.6) {
                break;
            }
        }
        best
    }

    fn child(&mut self, mv: Move, depth: u8, alpha: i32, beta: i32) -> i32 {
        let undo = self.board.play(mv);
        let gain = undo.captured().map_or(0, |piece| self.evaluation.capture(piece));
        self.captured = -(self.captured + gain);
        let score = self.alpha_beta(depth, alpha, beta);
        self.captured = -self.captured - gain;
        self.board.take_back(&undo);
        score
    }

    fn alpha_beta(&mut self, depth: u8, mut alpha: i32, beta: i32) -> i32 {
        if self.watch.count() {
            return alpha;
        }
        if depth == 0 {
            return self.captured + self.evaluation.score(&self.board);
        }
        if let Some(score) = self.table.probe(self.board.key(), depth, alpha, beta) {
            return score;
        }
        let moves = self.board.moves();
        let may_pass = !self.board.down.is_empty();
        if moves.is_empty() && !may_pass {
            // Sooner is worse.
            return LOST - i32::from(depth);
        }
        let mut flag = Flag::Alpha;
        for mv in moves.into_iter().map(Some).chain(may_pass.then_some(None)) {
            let score = match mv {
                Some(mv) => -self.child(mv, depth - 1, -beta, -alpha),
                None => -self.after_a_pass(depth - 1, -beta, -alpha),
            };
            if self.watch.is_over() {
                return alpha;
            }
            if score >= beta {
                self.table.record(self.board.key(), depth, Flag::Beta, beta);
                return beta;
            }
            if score > alpha {
                flag = Flag::Exact;
                alpha = score;
            }
        }
        self.table.record(self.board.key(), depth, flag, alpha);
        alpha
    }

    /// A pass stands for a flip somewhere, which the tree would be too wide for.
    fn after_a_pass(&mut self, depth: u8, alpha: i32, beta: i32) -> i32 {
        self.board.pass();
        self.captured = -self.captured;
        let score = self.alpha_beta(depth, alpha, beta);
        self.captured = -self.captured;
        self.board.pass();
        score
    }
}
