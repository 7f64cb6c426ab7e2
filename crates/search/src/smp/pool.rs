//! The workers that search together.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::thread;
use std::time::{Duration, Instant};

use chuhe_board::Position;
use chuhe_referee::{Game, Referee};

use crate::clock::Budget;
use crate::endgames::Endgames;
use crate::evaluator::Evaluator;
use crate::mailbox::Mailbox;
use crate::params::Params;
use crate::reductions::Reductions;
use crate::report::{Answer, Event};
use crate::spread::Spread;
use crate::table::{Known, OutOfMemory};
use crate::techniques::Techniques;
use crate::worker::{Memory, Shared, Worker};
use crate::{Control, Limits, Table};

/// Threads, their memories and the table they share. Lives as long as the engine.
pub struct Pool {
    table: Table,
    memories: Vec<Memory>,
    params: Params,
    reductions: Reductions,
    referee: Referee,
    techniques: Techniques,
    evaluator: Evaluator,
    endgames: Option<Arc<dyn Endgames>>,
    mailbox: Option<Arc<Mailbox>>,
    spread: Spread,
}

/// The most threads a pool takes.
const MAX_THREADS: usize = 1024;

impl Pool {
    /// A pool of so many threads and a table of so many mebibytes.
    pub fn new(threads: usize, mebibytes: usize) -> Self {
        let params = Params::default();
        Self {
            table: Table::new(mebibytes),
            memories: (0..threads.clamp(1, MAX_THREADS)).map(|_| Memory::new()).collect(),
            reductions: Reductions::new(&params),
            params,
            referee: Referee::default(),
            techniques: Techniques::default(),
            evaluator: Evaluator::default(),
            endgames: None,
            mailbox: None,
            spread: Spread::default(),
        }
    }

    /// Changes the number of threads.
    pub fn set_threads(&mut self, threads: usize) {
        self.memories.resize_with(threads.clamp(1, MAX_THREADS), Memory::new);
    }

    /// Changes the size of the table; what it held is forgotten. If there is not that much memory,
    /// nothing changes.
    pub fn set_table_size(&mut self, mebibytes: usize) -> Result<(), OutOfMemory> {
        self.table.resize(mebibytes)?;
        // The system gives memory when it is first written to. During a search that could take seconds between two
        // looks at the clock and at who says stop.
        self.table.clear(self.memories.len());
        Ok(())
    }

    /// Changes the tuned numbers.
    pub fn set_params(&mut self, params: Params) {
        self.reductions = Reductions::new(&params);
        self.params = params;
    }

    /// Changes the rules that repetitions are judged by.
    pub fn set_referee(&mut self, referee: Referee) {
        self.referee = referee;
    }

    /// Changes the techniques that searches use.
    pub fn set_techniques(&mut self, techniques: Techniques) {
        self.techniques = techniques;
    }

    /// Changes what positions are evaluated by; everything learnt with the old one is forgotten.
    pub fn set_evaluator(&mut self, evaluator: Evaluator) {
        if self.evaluator != evaluator {
            self.evaluator = evaluator;
            self.forget();
        }
    }

    /// Changes the endgames that are known for certain; none at first. What was learnt without them is
    /// forgotten.
    pub fn set_endgames(&mut self, endgames: Option<Arc<dyn Endgames>>) {
        self.endgames = endgames;
        self.forget();
    }

    /// Lets searches exchange what they find with other machines through this mailbox.
    pub fn set_mailbox(&mut self, mailbox: Arc<Mailbox>) {
        self.mailbox = Some(mailbox);
    }

    /// Changes the pool's place among others that search the same positions.
    pub fn set_spread(&mut self, spread: Spread) {
        self.spread = spread;
    }

    /// What positions are evaluated by.
    pub fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }

    /// The tuned numbers in use.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Forgets everything learnt, as for a new game.
    pub fn forget(&mut self) {
        self.table.clear(self.memories.len());
        self.memories.iter_mut().for_each(Memory::forget);
    }

    /// What the table knows about a position.
    pub fn known(&self, position: &Position) -> Option<Known> {
        self.table.find(position.key())
    }

    /// Searches the position at the end of the game until a limit is reached or `control` stops it.
    /// `tell` hears of every new line on the thread that called.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        tell: &mut dyn FnMut(Event),
    ) -> Answer {
        let start = Instant::now();
        self.table.new_search();
        let nodes: Vec<AtomicU64> = self.memories.iter().map(|_| AtomicU64::new(0)).collect();
        let endgame_hits = AtomicU64::new(0);
        let stop_helpers = Control::default();
        let shared = Shared {
            table: &self.table,
            control,
            limits,
            budget: Budget::new(limits, start),
            params: &self.params,
            reductions: &self.reductions,
            referee: self.referee,
            techniques: self.techniques,
            evaluator: &self.evaluator,
            endgames: self.endgames.as_deref(),
            endgame_hits: &endgame_hits,
            mailbox: self.mailbox.as_deref(),
            spread: self.spread,
            nodes: &nodes,
        };
        let helping = Shared { control: &stop_helpers, ..shared };
        let (first, rest) = self.memories.split_first_mut().expect("a pool has at least one thread");
        let mut main = Worker::new(0, &shared, first, game);
        thread::scope(|scope| {
            for (index, memory) in rest.iter_mut().enumerate() {
                let helping = &helping;
                let help = move || Worker::new(index + 1, helping, memory, game).deepen(&mut |_| {});
                // Where the system has no more threads to give, the search does with fewer.
                let _ = thread::Builder::new().spawn_scoped(scope, help);
            }
            let postman = shared.mailbox.and_then(|mailbox| {
                let (shared, done) = (&helping, &stop_helpers);
                let carry = move || carry_post(mailbox, shared, done);
                thread::Builder::new().spawn_scoped(scope, carry).ok()
            });
            let depth = main.deepen(tell);
            stop_helpers.stop();
            if let Some(postman) = postman {
                postman.thread().unpark();
            }
            main.answer(depth, limits.lines.max(1))
        })
    }
}

/// How often the table is given what other machines know.
const POST_INTERVAL: Duration = Duration::from_millis(1);

/// Takes what arrives into the table until the search is done, so that no searching thread has to.
fn carry_post(mailbox: &Mailbox, shared: &Shared<'_>, done: &Control) {
    while !done.is_stopped() {
        mailbox.take_in(shared.table);
        mailbox.set_nodes(shared.total_nodes());
        thread::park_timeout(POST_INTERVAL);
    }
}

impl Worker<'_> {
    fn answer(&self, depth: u32, lines: usize) -> Answer {
        self.tell_nodes();
        let best = self.root_moves.first();
        Answer {
            best: best.map(|root| root.mv),
            ponder: best.and_then(|root| root.variation.get(1).copied()),
            lines: (0..lines.min(self.root_moves.len())).map(|rank| self.line(depth, rank)).collect(),
            nodes: self.shared.total_nodes(),
            time: self.shared.budget.elapsed(),
        }
    }
}
