//! The search on a thread of its own, and other long work in its place.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use chuhe_referee::Game;
use chuhe_search::{Answer, Control, Event, Limits, Pool};

use crate::Searcher;

/// A searcher that is either at rest here or at work on its thread. One thing is worked on at a time.
pub(crate) struct Thinker {
    searcher: Option<Box<dyn Searcher>>,
    work: Option<Work>,
}

struct Work {
    switch: Arc<Mutex<Switch>>,
    thread: JoinHandle<Box<dyn Searcher>>,
    bounded: bool,
}

/// What the session holds of the work that goes on.
struct Switch {
    control: Control,
    /// No search may follow this one.
    last: bool,
}

/// What to search and how.
pub(crate) struct Task {
    pub(crate) game: Game,
    pub(crate) limits: Limits,
    pub(crate) manner: Manner,
}

/// What a search is asked for besides its limits.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Manner {
    /// Answer only when told to stop.
    pub(crate) infinite: bool,
    /// Answer only when the expected move was played or when told to stop.
    pub(crate) ponder: bool,
    /// The search may never end by itself, even if it may answer when it does.
    pub(crate) endless: bool,
}

/// How often a search that is done but may not answer looks whether it may.
const PATIENCE: Duration = Duration::from_millis(2);

impl Thinker {
    pub(crate) fn new(searcher: Box<dyn Searcher>) -> Self {
        Self { searcher: Some(searcher), work: None }
    }

    /// Starts a search, after the last one has ended. `tell` hears of its progress and `answer` of
    /// its outcome, both on the search's thread.
    pub(crate) fn start(
        &mut self,
        game: Game,
        limits: Limits,
        manner: Manner,
        tell: impl FnMut(Event) + Send + 'static,
        answer: impl FnOnce(Answer) + Send + 'static,
    ) {
        let mut answer = Some(answer);
        self.start_chain(Task { game, limits, manner }, tell, move |found| {
            if let Some(answer) = answer.take() {
                answer(found);
            }
            None
        });
    }

    /// Starts a search that others may follow: `answer` gives the next one, which begins unless the
    /// session has halted this one.
    pub(crate) fn start_chain(
        &mut self,
        mut task: Task,
        mut tell: impl FnMut(Event) + Send + 'static,
        mut answer: impl FnMut(Answer) -> Option<Task> + Send + 'static,
    ) {
        let bounded = !task.manner.infinite && !task.manner.endless;
        let mut control = task.manner.control();
        self.begin(control.clone(), bounded, move |searcher, switch| {
            loop {
                let found = searcher.search(&task.game, &task.limits, &control, &mut tell);
                while !control.is_stopped() && (task.manner.infinite || control.is_pondering()) {
                    thread::sleep(PATIENCE);
                }
                // Held while answering: who hears of the answer finds the search that follows it.
                let mut switch = switch.lock().unwrap_or_else(PoisonError::into_inner);
                match answer(found) {
                    Some(next) if !switch.last => task = next,
                    _ => return,
                }
                control = task.manner.control();
                switch.control = control.clone();
            }
        });
    }

    /// Starts work that ends by itself and is no search, after the last one has ended. It stops when its control says so.
    pub(crate) fn start_tool(&mut self, tool: impl FnOnce(&Control) + Send + 'static) {
        let control = Control::default();
        self.begin(control.clone(), true, move |_, _| tool(&control));
    }

    /// Halts what goes on and lets the searcher do this on a thread of its own.
    fn begin(
        &mut self,
        control: Control,
        bounded: bool,
        work: impl FnOnce(&mut dyn Searcher, &Mutex<Switch>) + Send + 'static,
    ) {
        self.halt();
        let mut searcher = self.searcher.take().expect("a searcher at rest is here");
        let switch = Arc::new(Mutex::new(Switch { control, last: false }));
        let shared = Arc::clone(&switch);
        let thread = thread::spawn(move || {
            work(&mut *searcher, &shared);
            searcher
        });
        self.work = Some(Work { switch, thread, bounded });
    }

    /// Tells the search to answer at once; does not wait for it.
    pub(crate) fn stop(&self) {
        self.switch(Switch::stop);
    }

    /// The expected move was played: the limits count from now on.
    pub(crate) fn ponder_hit(&self) {
        self.switch(|switch| switch.control.ponder_hit());
    }

    fn switch(&self, turn: impl FnOnce(&mut Switch)) {
        if let Some(work) = &self.work {
            turn(&mut work.switch.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// Stops the search and waits until it has answered.
    pub(crate) fn halt(&mut self) {
        self.switch(|switch| {
            switch.last = true;
            switch.stop();
        });
        self.wait();
    }

    /// Waits for a search that ends by itself; stops one that does not.
    pub(crate) fn finish(&mut self) {
        let bounded = self.work.as_ref().is_some_and(|work| work.bounded);
        self.switch(|switch| {
            switch.last = true;
            if !bounded || switch.control.is_pondering() {
                switch.stop();
            }
        });
        self.wait();
    }

    /// Who searches, after the search has ended.
    pub(crate) fn searcher(&mut self) -> &mut dyn Searcher {
        self.halt();
        &mut **self.searcher.as_mut().expect("a searcher at rest is here")
    }

    /// The pool of this machine, after the search has ended.
    pub(crate) fn pool(&mut self) -> &mut Pool {
        self.searcher().pool()
    }

    fn wait(&mut self) {
        if let Some(work) = self.work.take() {
            self.searcher = Some(work.thread.join().expect("a search does not panic"));
        }
    }
}

impl Switch {
    fn stop(&mut self) {
        self.control.ponder_hit();
        self.control.stop();
    }
}

impl Manner {
    fn control(self) -> Control {
        if self.ponder { Control::pondering() } else { Control::default() }
    }
}
