//! Our engine: iterative deepening over moves and flips.

mod chance;
mod eval;
mod hunts;
mod material;
mod order;
mod params;
mod search;
mod table;

pub use params::{Named, Params};

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::endgame::{Endgames, Worth};
use crate::game::Game;
use crate::limits::{Limits, Watch};
use crate::moves::Move;
use crate::rules::{Captures, Rules};
use eval::Evaluator;
use order::Lessons;
use search::{INFINITE, SURE, Shortcuts, WIN, Worker};
use table::Table;

/// The deepest that is ever searched.
const DEEPEST: u32 = 60;

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The move to play.
    pub best: Move,
    /// Its score for the side to move, in hundredths of about half a horse.
    pub score: i32,
    /// Plies to the end, negative if lost, when the end was found.
    pub plies_to_end: Option<i32>,
    /// The last finished depth.
    pub depth: u32,
    /// Positions visited, by all threads.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

/// Our engine.
pub struct Engine {
    params: Params,
    table: Table,
    evaluators: Vec<Evaluator>,
    endgames: Option<Arc<Endgames>>,
}

impl Engine {
    /// An engine on so many threads with a table of so many megabytes.
    pub fn new(params: Params, threads: usize, megabytes: usize) -> Self {
        let captures = Captures::from(&Rules::OLYMPIAD);
        let evaluators = (0..threads.max(1)).map(|_| Evaluator::new(captures, params.clone())).collect();
        Self { params, table: Table::new(megabytes), evaluators, endgames: None }
    }

    /// Plays by these tables wherever they fit a game's rules.
    #[must_use]
    pub fn with_endgames(mut self, endgames: Option<Arc<Endgames>>) -> Self {
        self.endgames = endgames;
        self
    }

    /// Forgets what it learned in another game.
    pub fn new_game(&mut self) {
        self.table.clear();
    }

    /// Searches a game that is not over.
    pub fn search(&mut self, game: &Game, limits: &Limits) -> Answer {
        self.watched(game, limits, &mut |_| {})
    }

    /// The same, and tells of every finished depth.
    pub fn watched(&mut self, game: &Game, limits: &Limits, tell: &mut dyn FnMut(&Answer)) -> Answer {
        self.stoppable(game, limits, &AtomicBool::new(false), tell)
    }

    /// The same, and ends as soon as `stop` is set, which it is at the end.
    pub fn stoppable(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(&Answer),
    ) -> Answer {
        let endgames = self.endgames.as_deref().filter(|endgames| endgames.fit(game));
        if let Some((best, worth)) = endgames.and_then(|endgames| endgames.best_move(game)) {
            return known(best, worth);
        }
        let (table, params) = (&self.table, &self.params);
        let (first, helpers) = self.evaluators.split_first_mut().expect("there is at least one thread");
        let worker = |evaluator, limits| new_worker(game, params, evaluator, table, endgames, stop, limits);
        std::thread::scope(|scope| {
            let handles: Vec<_> = helpers
                .iter_mut()
                .map(|evaluator| {
                    let mut helper = worker(evaluator, Limits::default());
                    scope.spawn(move || deepen(&mut helper, game, &mut |_| {}).nodes)
                })
                .collect();
            let mut answer = deepen(&mut worker(first, *limits), game, tell);
            stop.store(true, Ordering::Relaxed);
            answer.nodes += handles.into_iter().map(|handle| handle.join().unwrap_or(0)).sum::<u64>();
            answer
        })
    }
}

/// What the endgame tables say needs no search.
fn known(best: Move, worth: Worth) -> Answer {
    let score = match worth {
        Worth::Win(plies) => search::KNOWN - i32::from(plies),
        Worth::Draw => 0,
        Worth::Loss(plies) => i32::from(plies) - search::KNOWN,
    };
    Answer { best, score, plies_to_end: None, depth: 0, nodes: 1, time: Duration::ZERO }
}

fn new_worker<'a>(
    game: &Game,
    params: &Params,
    evaluator: &'a mut Evaluator,
    table: &'a Table,
    endgames: Option<&'a Endgames>,
    stop: &'a AtomicBool,
    limits: Limits,
) -> Worker<'a> {
    evaluator.set_captures(*game.captures());
    Worker {
        rules: *game.rules(),
        evaluator,
        table,
        endgames,
        lookups: HashMap::new(),
        watch: Watch::new(limits),
        stop,
        shortcuts: Shortcuts { heuristic: true, star: true },
        line: game.keys().to_vec(),
        lessons: Lessons::new(),
        draw: params.draw,
    }
}

/// One ply deeper each time until time is up.
fn deepen(worker: &mut Worker<'_>, game: &Game, tell: &mut dyn FnMut(&Answer)) -> Answer {
    let mut ranked: Vec<(Move, i32)> = game.sensible_moves().into_iter().map(|mv| (mv, 0)).collect();
    let mut answer =
        Answer { best: ranked[0].0, score: 0, plies_to_end: None, depth: 0, nodes: 0, time: Duration::ZERO };
    for depth in 1..=worker.watch.depth(DEEPEST) {
        let finished = one_depth(worker, game, &mut ranked, depth as i32);
        // An unfinished depth still counts if it found something better than the old best first.
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
        tell(&answer);
        let decided =
            ranked.len() == 1 || answer.score.abs() > SURE && depth as i32 > WIN - answer.score.abs() + 2;
        if decided || worker.watch.has_used(0.55) {
            break;
        }
    }
    answer.nodes = worker.watch.nodes;
    answer.time = worker.watch.elapsed();
    answer
}

fn plies_to_end(score: i32) -> Option<i32> {
    (score.abs() > SURE).then(|| (WIN - score.abs()) * score.signum())
}

/// Searches every root move and sorts them. The best move so far, also when time ran out, unless not even
/// the first move was finished.
fn one_depth(
    worker: &mut Worker<'_>,
    game: &Game,
    ranked: &mut [(Move, i32)],
    depth: i32,
) -> Option<(Move, i32)> {
    let mut best: Option<(Move, i32)> = None;
    for entry in ranked.iter_mut() {
        let alpha = best.map_or(-INFINITE, |(_, score)| score);
        let score = root_move(worker, game, entry.0, depth, alpha);
        if worker.is_over() {
            return best;
        }
        // A move that does not beat the best is only known to be no better.
        entry.1 = if score > alpha { score } else { -INFINITE };
        if score > alpha {
            best = Some((entry.0, score));
        }
    }
    ranked.sort_by_key(|&(_, score)| -score);
    best
}

fn root_move(worker: &mut Worker<'_>, game: &Game, mv: Move, depth: i32, alpha: i32) -> i32 {
    let position = game.position();
    if mv.is_flip() {
        let depth = (depth - 1 - worker.evaluator.params.flip_reduction).max(0);
        let alpha = alpha.max(-WIN);
        return worker.expected(position, mv.from(), depth, alpha, WIN, 0);
    }
    let mut next = position.clone();
    let taken = next.play_step(mv);
    let since = if taken.is_some() { 0 } else { game.keys().len() };
    worker.line.push(next.key());
    let mut score = alpha + 1;
    if alpha > -INFINITE {
        score = -worker.search(&next, depth - 1, -alpha - 1, -alpha, 1, since, true);
    }
    if score > alpha && !worker.is_over() {
        score = -worker.search(&next, depth - 1, -INFINITE, -alpha, 1, since, true);
    }
    worker.line.pop();
    score
}
