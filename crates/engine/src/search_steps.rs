//! The search without a thread, for hosts that have none: searches run in slices between the lines of the GUI. The
//! interface is that of `search_thread`.

use chuhe_clock::Instant;
use chuhe_referee::Game;
use chuhe_search::{Answer, Control, Event, Limits, PausedSearch, Pool};

use crate::Searcher;
use crate::search_request::{SearchMode, SearchRequest};

/// Owns the searcher and the search in progress.
pub(crate) struct SearchSteps {
    searcher: Box<dyn Searcher>,
    job: Option<Job>,
}

struct Job {
    request: SearchRequest,
    control: Control,
    paused: PausedSearch,
    /// The answer of a search that has ended before it may answer.
    answer: Option<Answer>,
    /// No search may follow this one.
    last: bool,
    on_event: Box<dyn FnMut(Event) + Send>,
    on_answer: Box<dyn FnMut(Answer) -> Option<SearchRequest> + Send>,
}

impl SearchSteps {
    pub(crate) fn new(searcher: Box<dyn Searcher>) -> Self {
        Self { searcher, job: None }
    }

    /// Starts a search after the last one has ended; [`Self::step`] runs it.
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
        on_event: impl FnMut(Event) + Send + 'static,
        on_answer: impl FnMut(Answer) -> Option<SearchRequest> + Send + 'static,
    ) {
        self.halt();
        request.limits.started.get_or_insert_with(Instant::now);
        self.job = Some(Job {
            control: request.mode.control(),
            request,
            paused: PausedSearch::default(),
            answer: None,
            last: false,
            on_event: Box::new(on_event),
            on_answer: Box::new(on_answer),
        });
    }

    /// Runs a computation other than a search, after the last job has ended.
    pub(crate) fn start_tool(&mut self, tool: impl FnOnce(&Control) + Send + 'static) {
        self.halt();
        tool(&Control::default());
    }

    /// Searches until the search ends or is paused, and answers if it may. Returns whether there is more to search.
    pub(crate) fn step(&mut self) -> bool {
        let Some(job) = &mut self.job else { return false };
        if job.answer.is_none() {
            let SearchRequest { game, limits, .. } = &job.request;
            let pool = self.searcher.pool();
            let answer = pool.resume(game, limits, &job.control, &mut job.paused, &mut job.on_event);
            if job.control.take_pause() && !job.control.is_stopped() {
                return true;
            }
            job.answer = Some(answer);
        }
        self.answer_if_allowed()
    }

    /// Answers unless the search must wait for `stop` or `ponderhit`. Returns whether another search follows.
    fn answer_if_allowed(&mut self) -> bool {
        let Some(job) = &mut self.job else { return false };
        let waits = job.request.mode.infinite || job.control.is_pondering();
        if waits && !job.control.is_stopped() {
            return false;
        }
        let next = job.answer.take().and_then(|answer| (job.on_answer)(answer));
        match next.filter(|_| !job.last) {
            Some(mut next) => {
                next.limits.started.get_or_insert_with(Instant::now);
                job.control = next.mode.control();
                job.request = next;
                job.paused = PausedSearch::default();
                true
            }
            None => {
                self.job = None;
                false
            }
        }
    }

    /// Makes the search answer at the next step.
    pub(crate) fn stop(&self) {
        if let Some(job) = &self.job {
            job.control.ponder_hit();
            job.control.stop();
        }
    }

    /// The expected move was played: the limits apply from now on.
    pub(crate) fn ponder_hit(&self) {
        if let Some(job) = &self.job {
            job.control.ponder_hit();
        }
    }

    /// Stops the search and lets it answer.
    pub(crate) fn halt(&mut self) {
        if let Some(job) = &mut self.job {
            job.last = true;
        }
        self.stop();
        while self.step() {}
    }

    /// Runs a bounded search to its end; stops any other.
    pub(crate) fn finish(&mut self) {
        let bounded = self.job.as_ref().is_some_and(|job| {
            !job.request.mode.infinite && !job.request.mode.endless && !job.control.is_pondering()
        });
        if !bounded {
            return self.halt();
        }
        if let Some(job) = &mut self.job {
            job.last = true;
        }
        while self.step() {}
    }

    /// The searcher, after the running job has been halted.
    pub(crate) fn searcher(&mut self) -> &mut dyn Searcher {
        self.halt();
        &mut *self.searcher
    }

    /// The pool of this machine, after the running job has been halted.
    pub(crate) fn pool(&mut self) -> &mut Pool {
        self.searcher().pool()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, Receiver};

    use chuhe_board::Position;

    use super::*;

    fn started(limits: Limits, mode: SearchMode) -> (SearchSteps, Receiver<Answer>) {
        let mut search = SearchSteps::new(Box::new(Pool::new(1, 1)));
        let (sender, answers) = mpsc::channel();
        let on_answer = move |answer| sender.send(answer).unwrap();
        search.start(Game::new(Position::start()), limits, mode, |_| {}, on_answer);
        (search, answers)
    }

    #[test]
    fn a_bounded_search_answers_by_itself() {
        let (mut search, answers) = started(Limits::depth(3), SearchMode::default());
        assert!(answers.try_recv().is_err(), "nothing runs before a step");
        assert!(!search.step());
        assert_eq!(answers.try_recv().unwrap().lines[0].depth, 3);
        assert!(!search.step());
    }

    #[test]
    fn an_infinite_search_answers_only_after_stop() {
        let mode = SearchMode { infinite: true, ..SearchMode::default() };
        let (mut search, answers) = started(Limits::depth(3), mode);
        assert!(!search.step());
        assert!(answers.try_recv().is_err());
        search.stop();
        assert!(!search.step());
        assert!(answers.try_recv().unwrap().best.is_some());
    }

    #[test]
    fn halting_answers_once_and_frees_the_searcher() {
        let (mut search, answers) =
            started(Limits::default(), SearchMode { ponder: true, ..SearchMode::default() });
        search.ponder_hit();
        search.start_tool(|control| assert!(!control.is_stopped()));
        search.pool().clear();
        assert!(answers.try_recv().unwrap().best.is_some());
        assert!(answers.try_recv().is_err());
        search.finish();
    }
}
