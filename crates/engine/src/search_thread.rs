//! The search thread: one search, or another long computation, at a time.
//!
//! The thread starts with the session and is only woken by `go`: on a busy machine a new thread waits far longer for
//! its first turn than a sleeping one. That is the only hand-off between `go` and `bestmove`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use chuhe_board::Move;
use chuhe_clock::Instant;
use chuhe_referee::Game;
use chuhe_search::{Answer, Control, Event, Limits, Pool};

use crate::Searcher;
use crate::search_request::{SearchMode, SearchRequest};

/// Owns the searcher, which is either idle here or running on its thread.
pub(crate) struct SearchThread {
    searcher: Option<Box<dyn Searcher>>,
    job: Option<Job>,
    /// Wakes the thread, which ends when this is dropped.
    runs: Sender<Run>,
}

type Run = Box<dyn FnOnce() + Send>;

struct Job {
    handle: Arc<Mutex<Handle>>,
    /// Returns the searcher at the end.
    done: Receiver<Box<dyn Searcher>>,
    /// Whether it ends without `stop`.
    bounded: bool,
}

/// The session's control of the running job.
struct Handle {
    control: Control,
    /// No search may follow this one.
    last: bool,
}

/// How often a finished search that may not answer yet checks again.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

impl SearchThread {
    pub(crate) fn new(searcher: Box<dyn Searcher>) -> Self {
        let (runs, inbox) = mpsc::channel::<Run>();
        thread::spawn(move || inbox.into_iter().for_each(|run| run()));
        Self { searcher: Some(searcher), job: None, runs }
    }

    /// Starts a search after the last one has ended. Calls `on_event` during the search and `on_answer` at its
    /// end, both on the search thread.
    pub(crate) fn start(
        &mut self,
        game: Game,
        limits: Limits,
        mode: SearchMode,
        on_event: impl FnMut(Event) + Send + 'static,
        on_answer: impl FnOnce(Answer) + Send + 'static,
    ) {
        let mut on_answer = Some(on_answer);
        self.start_chain(SearchRequest { game, limits, mode }, on_event, move |answer| {
            if let Some(on_answer) = on_answer.take() {
                on_answer(answer);
            }
            None
        });
    }

    /// Starts a search that others may follow: `on_answer` returns the next one, which starts unless the
    /// session has halted this one.
    pub(crate) fn start_chain(
        &mut self,
        mut request: SearchRequest,
        mut on_event: impl FnMut(Event) + Send + 'static,
        mut on_answer: impl FnMut(Answer) -> Option<SearchRequest> + Send + 'static,
    ) {
        // The clock runs from here, not from when the thread gets its turn.
        request.limits.started.get_or_insert_with(Instant::now);
        let bounded = !request.mode.infinite && !request.mode.endless;
        let mut control = request.mode.control();
        self.run(control.clone(), bounded, move |searcher, handle| {
            loop {
                let answer = answer(searcher, &request, &control, &mut on_event);
                while !control.is_stopped() && (request.mode.infinite || control.is_pondering()) {
                    thread::sleep(POLL_INTERVAL);
                }
                // Locked while answering: a GUI that reacts to the answer reaches the search that follows it.
                let mut handle = handle.lock().unwrap_or_else(PoisonError::into_inner);
                match on_answer(answer) {
                    Some(next) if !handle.last => request = next,
                    _ => return,
                }
                control = request.mode.control();
                handle.control = control.clone();
            }
        });
    }

    /// Starts a computation other than a search, after the last job has ended. It must end when its control is
    /// stopped.
    pub(crate) fn start_tool(&mut self, tool: impl FnOnce(&Control) + Send + 'static) {
        let control = Control::default();
        self.run(control.clone(), true, move |_, _| tool(&control));
    }

    /// Halts the running job and wakes the thread for another.
    fn run(
        &mut self,
        control: Control,
        bounded: bool,
        run: impl FnOnce(&mut dyn Searcher, &Mutex<Handle>) + Send + 'static,
    ) {
        self.halt();
        let mut searcher = self.searcher.take().expect("an idle searcher is here");
        let handle = Arc::new(Mutex::new(Handle { control, last: false }));
        let shared = Arc::clone(&handle);
        let (sender, done) = mpsc::channel();
        let run = move || {
            run(&mut *searcher, &shared);
            // Nobody waits for the searcher of a session that is gone.
            let _ = sender.send(searcher);
        };
        self.runs.send(Box::new(run)).expect("a search does not panic");
        self.job = Some(Job { handle, done, bounded });
    }

    /// Makes the search answer immediately; does not wait for it.
    pub(crate) fn stop(&self) {
        self.control(Handle::stop);
    }

    /// The expected move was played: the limits apply from now on.
    pub(crate) fn ponder_hit(&self) {
        self.control(|handle| handle.control.ponder_hit());
    }

    fn control(&self, change: impl FnOnce(&mut Handle)) {
        if let Some(job) = &self.job {
            change(&mut job.handle.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// Stops the search and waits until it has answered.
    pub(crate) fn halt(&mut self) {
        self.control(|handle| {
            handle.last = true;
            handle.stop();
        });
        self.wait();
    }

    /// Waits for a bounded job; stops any other.
    pub(crate) fn finish(&mut self) {
        let bounded = self.job.as_ref().is_some_and(|job| job.bounded);
        self.control(|handle| {
            handle.last = true;
            if !bounded || handle.control.is_pondering() {
                handle.stop();
            }
        });
        self.wait();
    }

    /// The searcher, after the running job has been halted.
    pub(crate) fn searcher(&mut self) -> &mut dyn Searcher {
        self.halt();
        &mut **self.searcher.as_mut().expect("an idle searcher is here")
    }

    /// The pool of this machine, after the running job has been halted.
    pub(crate) fn pool(&mut self) -> &mut Pool {
        self.searcher().pool()
    }

    fn wait(&mut self) {
        if let Some(job) = self.job.take() {
            self.searcher = Some(job.done.recv().expect("a search does not panic"));
        }
    }
}

/// Searches. If the search panics, the answer is the last best move, or else any that is allowed: a game goes on with a
/// poor move, but not without one.
fn answer(
    searcher: &mut dyn Searcher,
    request: &SearchRequest,
    control: &Control,
    on_event: &mut dyn FnMut(Event),
) -> Answer {
    let SearchRequest { game, limits, .. } = request;
    let mut best = None;
    let search = AssertUnwindSafe(|| {
        searcher.search(game, limits, control, &mut |event| {
            if let Event::Line(line) = &event
                && line.rank == 1
            {
                best = Some(line.clone());
            }
            on_event(event);
        })
    });
    catch_unwind(search).unwrap_or_else(|_| {
        on_event(Event::Remark("the search broke down; this is the best move it had".to_owned()));
        // What the search left half done is not used again.
        searcher.forget();
        let moves = best.as_ref().map_or(&[][..], |line| &line.moves);
        let allowed =
            |mv: &Move| !limits.banned.contains(mv) && (limits.only.is_empty() || limits.only.contains(mv));
        let any = || game.position().moves().iter().copied().find(allowed);
        let (nodes, time) = best.as_ref().map_or_else(Default::default, |line| (line.nodes, line.time));
        Answer {
            best: moves.first().copied().or_else(any),
            ponder: moves.get(1).copied(),
            lines: best.into_iter().collect(),
            nodes,
            time,
            overrun: Duration::ZERO,
        }
    })
}

impl Handle {
    fn stop(&mut self) {
        self.control.ponder_hit();
        self.control.stop();
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::Position;
    use chuhe_search::{Certainty, Endgames};

    use super::*;

    #[test]
    fn one_thread_runs_every_search_and_answers_itself() {
        let mut search = SearchThread::new(Box::new(Pool::new(1, 1)));
        let (sender, threads) = mpsc::channel();
        for _ in 0..3 {
            let (during, after) = (sender.clone(), sender.clone());
            let game = Game::new(Position::start());
            search.start(
                game,
                Limits::depth(2),
                SearchMode::default(),
                move |_| during.send(thread::current().id()).unwrap(),
                move |_| after.send(thread::current().id()).unwrap(),
            );
            search.finish();
        }
        drop((search, sender));
        let mut threads: Vec<_> = threads.into_iter().collect();
        assert!(threads.len() >= 6);
        threads.dedup();
        assert_eq!(threads.len(), 1);
        assert_ne!(threads[0], thread::current().id());
    }

    /// Tables whose look-up panics.
    struct Faulty;

    impl Endgames for Faulty {
        fn most_pieces(&self) -> u32 {
            3
        }

        fn certainty(&self, _: &Position) -> Option<Certainty> {
            panic!("a panic on purpose");
        }
    }

    #[test]
    fn a_search_that_panics_still_answers_and_the_next_one_runs() {
        let mut pool = Pool::new(2, 1);
        pool.set_endgames(Some(Arc::new(Faulty)));
        let mut search = SearchThread::new(Box::new(pool));
        let (sender, answers) = mpsc::channel();
        for fen in ["4k4/9/9/9/9/9/9/9/R8/3K5 w", "4k4/4a4/9/9/9/9/9/9/R8/3K5 w"] {
            let game = Game::new(fen.parse().unwrap());
            let sender = sender.clone();
            let on_answer = move |answer: Answer| sender.send(answer.best).unwrap();
            search.start(game, Limits::depth(2), SearchMode::default(), |_| {}, on_answer);
            search.finish();
            assert!(answers.recv().unwrap().is_some(), "{fen}");
        }
        search.pool().set_endgames(None);
        let game = Game::new(Position::start());
        search.start(
            game,
            Limits::depth(2),
            SearchMode::default(),
            |_| {},
            move |answer| {
                sender.send(answer.best).unwrap();
            },
        );
        search.finish();
        assert!(answers.recv().unwrap().is_some());
    }
}
