//! The engine: iterative deepening, lazy SMP, and flips as chance nodes.

mod chance;
mod eval;
mod hunts;
mod material;
mod order;
mod params;
mod search;
mod transposition_table;

pub use params::{Named, Params};

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::endgame::{Endgames, Worth};
use crate::game::Game;
use crate::limits::{Limits, Watch};
use crate::moves::Move;
use crate::position::Position;
use crate::rules::{Captures, Rules};
use eval::Evaluator;
use order::History;
use search::{INFINITE, Node, PROVEN_WIN, Pruning, WIN, Worker};
use transposition_table::TranspositionTable;

/// The depth limit.
const MAX_DEPTH: u32 = 60;

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The move to play.
    pub best: Move,
    /// Its score for the side to move, in hundredths of about half a horse.
    pub score: i32,
    /// Plies to the proven end, negative if lost.
    pub plies_to_end: Option<i32>,
    /// The last completed depth.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

/// The static evaluation alone, for fitting its parameters to the results of games.
pub struct StaticEvaluation(Evaluator);

impl StaticEvaluation {
    /// With these parameters.
    pub fn new(rules: &Rules, params: Params) -> Self {
        Self(Evaluator::new(Captures::from(rules), params))
    }

    /// The score of a position for its side to move.
    pub fn score(&mut self, position: &Position) -> i32 {
        self.0.score(position, -INFINITE, INFINITE)
    }
}

/// The engine.
pub struct Engine {
    params: Params,
    tt: TranspositionTable,
    evaluators: Vec<Evaluator>,
    endgames: Option<Arc<Endgames>>,
}

impl Engine {
    /// An engine with this many threads and megabytes of transposition table.
    pub fn new(params: Params, threads: usize, megabytes: usize) -> Self {
        let captures = Captures::from(&Rules::OLYMPIAD);
        let evaluators = (0..threads.max(1)).map(|_| Evaluator::new(captures, params.clone())).collect();
        Self { params, tt: TranspositionTable::new(megabytes), evaluators, endgames: None }
    }

    /// Probes these tables wherever they match a game's rules.
    #[must_use]
    pub fn with_endgames(mut self, endgames: Option<Arc<Endgames>>) -> Self {
        self.endgames = endgames;
        self
    }

    /// Clears the transposition table.
    pub fn new_game(&mut self) {
        self.tt.clear();
    }

    /// Searches a game that is not over.
    pub fn search(&mut self, game: &Game, limits: &Limits) -> Answer {
        self.search_with_progress(game, limits, &mut |_| {})
    }

    /// The same; calls `on_depth` after every completed depth.
    pub fn search_with_progress(
        &mut self,
        game: &Game,
        limits: &Limits,
        on_depth: &mut dyn FnMut(&Answer),
    ) -> Answer {
        self.search_until(game, limits, &AtomicBool::new(false), on_depth)
    }

    /// The same; ends early when `stop` is set. Sets `stop` at the end.
    pub fn search_until(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &AtomicBool,
        on_depth: &mut dyn FnMut(&Answer),
    ) -> Answer {
        let endgames = self.endgames.as_deref().filter(|endgames| endgames.fit(game));
        if let Some((best, worth)) = endgames.and_then(|endgames| endgames.best_move(game)) {
            return table_answer(best, worth);
        }
        let (tt, params) = (&self.tt, &self.params);
        let (first, helpers) = self.evaluators.split_first_mut().expect("an engine has at least one thread");
        let worker = |evaluator, limits| new_worker(game, params, evaluator, tt, endgames, stop, limits);
        std::thread::scope(|scope| {
            let handles: Vec<_> = helpers
                .iter_mut()
                .map(|evaluator| {
                    let mut helper = worker(evaluator, Limits::default());
                    scope.spawn(move || deepen(&mut helper, game, &mut |_| {}).nodes)
                })
                .collect();
            let mut answer = deepen(&mut worker(first, *limits), game, on_depth);
            stop.store(true, Ordering::Relaxed);
            answer.nodes += handles.into_iter().map(|handle| handle.join().unwrap_or(0)).sum::<u64>();
            answer
        })
    }
}

/// The answer of the endgame tables.
fn table_answer(best: Move, worth: Worth) -> Answer {
    let score = match worth {
        Worth::Win(plies) => search::TABLE_WIN - i32::from(plies),
        Worth::Draw => 0,
        Worth::Loss(plies) => i32::from(plies) - search::TABLE_WIN,
    };
    Answer { best, score, plies_to_end: None, depth: 0, nodes: 1, time: Duration::ZERO }
}

fn new_worker<'a>(
    game: &Game,
    params: &Params,
    evaluator: &'a mut Evaluator,
    tt: &'a TranspositionTable,
    endgames: Option<&'a Endgames>,
    stop: &'a AtomicBool,
    limits: Limits,
) -> Worker<'a> {
    evaluator.set_captures(*game.captures());
    Worker {
        rules: *game.rules(),
        evaluator,
        tt,
        endgames,
        lookups: HashMap::new(),
        watch: Watch::new(limits),
        stop,
        pruning: Pruning { heuristic: true, star: true },
        keys: game.keys().to_vec(),
        history: History::new(),
        draw: params.draw,
    }
}

/// Iterative deepening until a limit is reached.
fn deepen(worker: &mut Worker<'_>, game: &Game, on_depth: &mut dyn FnMut(&Answer)) -> Answer {
    let mut ranked: Vec<(Move, i32)> = game.sensible_moves().into_iter().map(|mv| (mv, 0)).collect();
    let mut answer =
        Answer { best: ranked[0].0, score: 0, plies_to_end: None, depth: 0, nodes: 0, time: Duration::ZERO };
    for depth in 1..=worker.watch.depth(MAX_DEPTH) {
        let finished = search_root(worker, game, &mut ranked, depth as i32);
        // The best move of an unfinished depth counts, since the old best is searched first.
        if let Some((best, score)) = finished {
            answer.best = best;
            answer.score = score;
            answer.plies_to_end = plies_to_end(score);
        }
        if worker.is_over() {
            break;
        }
        answer.depth = depth;
        answer.nodes = worker.watch.nodes;
        answer.time = worker.watch.elapsed();
        on_depth(&answer);
        let decided = ranked.len() == 1
            || answer.score.abs() > PROVEN_WIN && depth as i32 > WIN - answer.score.abs() + 2;
        if decided || worker.watch.should_save() {
            break;
        }
    }
    answer.nodes = worker.watch.nodes;
    answer.time = worker.watch.elapsed();
    answer
}

fn plies_to_end(score: i32) -> Option<i32> {
    (score.abs() > PROVEN_WIN).then(|| (WIN - score.abs()) * score.signum())
}

/// Searches every root move and sorts them. Returns the best move, also when time runs out, unless not even the first
/// move was finished.
fn search_root(
    worker: &mut Worker<'_>,
    game: &Game,
    ranked: &mut [(Move, i32)],
    depth: i32,
) -> Option<(Move, i32)> {
    let mut best: Option<(Move, i32)> = None;
    for entry in ranked.iter_mut() {
        let alpha = best.map_or(-INFINITE, |(_, score)| score);
        let score = search_root_move(worker, game, entry.0, depth, alpha);
        if worker.is_over() {
            return best;
        }
        // The score of a move that fails low is only an upper bound.
        entry.1 = if score > alpha { score } else { -INFINITE };
        if score > alpha {
            best = Some((entry.0, score));
        }
    }
    ranked.sort_by_key(|&(_, score)| -score);
    best
}

fn search_root_move(worker: &mut Worker<'_>, game: &Game, mv: Move, depth: i32, alpha: i32) -> i32 {
    let position = game.position();
    if mv.is_flip() {
        let depth = (depth - 1 - worker.evaluator.params.flip_reduction).max(0);
        let node =
            Node { depth, alpha: alpha.max(-WIN), beta: WIN, ply: 0, reversible_plies: 0, may_pass: true };
        return worker.search_flip(position, mv.from(), node);
    }
    let mut next = position.clone();
    let captured = next.play_step(mv);
    let reversible_plies = if captured.is_some() { 0 } else { game.keys().len() };
    let full =
        Node { depth: depth - 1, alpha: -INFINITE, beta: -alpha, ply: 1, reversible_plies, may_pass: true };
    worker.keys.push(next.key());
    let mut score = alpha + 1;
    if alpha > -INFINITE {
        score = -worker.search(&next, Node { alpha: -alpha - 1, ..full });
    }
    if score > alpha && !worker.is_over() {
        score = -worker.search(&next, full);
    }
    worker.keys.pop();
    score
}

/// Also run under ThreadSanitizer (`tools/sanitize thread`).
#[test]
fn several_threads_share_a_table_and_end_with_the_first() {
    let mut engine = Engine::new(Params::default(), 4, 1);
    for text in ["K2c1p2/2Pg3C/2N2m2/1r4Pk r -", "K6k/1P4p1/2N2n2/R6r r -"] {
        let game = Game::new(text.parse().unwrap(), Rules::OLYMPIAD);
        for depth in [1, 4] {
            let answer = engine.search(&game, &Limits { depth: Some(depth), ..Limits::default() });
            assert!(game.moves().contains(&answer.best));
            assert!(answer.depth <= depth);
        }
        engine.new_game();
    }
}
