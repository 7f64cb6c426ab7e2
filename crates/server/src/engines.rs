//! A few engines shared fairly by many visitors.
//!
//! Each engine is a thread with a search and a table of its own. Searches wait on one desk; an engine
//! takes the one that is most in need, works on it for a slice of time and puts it back. Nobody is
//! interrupted while nobody else waits, so that a lone visitor has a whole engine. The table keeps what
//! a slice found, which is why the next slice gets to the same depth much faster.

mod account;
mod desk;
mod job;

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use chuhe_referee::Game;
use chuhe_search::{Endgames, Line, Pool};
use tokio::sync::watch;

pub use account::Account;
use desk::Desk;
use job::Job;

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Task {
    /// Look at the position until stopped, or for so long at most.
    Analyse {
        /// The time of an engine that is spent at most.
        longest: Duration,
    },
    /// Find a move.
    Move {
        /// 0 for a beginner up to 1 for full strength.
        strength: f64,
        /// By when it must be found.
        time: Duration,
    },
}

/// What a search has found so far.
#[derive(Clone, Debug, Default)]
pub struct News {
    /// The lines, best first.
    pub lines: Vec<Line>,
    /// Positions looked at.
    pub nodes: u64,
    /// The time that an engine has spent on it.
    pub time: Duration,
    /// From which depth on the best move was the best one.
    pub settled: u32,
    /// Whether nothing more will be found.
    pub finished: bool,
}

/// The engines. Dropping them ends all searches.
pub struct Engines {
    desk: Arc<Desk>,
}

impl Engines {
    /// Starts so many engines, each with a table of so many mebibytes, and with known endgames if there are any.
    pub fn start(count: usize, mebibytes: usize, endgames: Option<Arc<dyn Endgames>>) -> Self {
        let count = count.max(1);
        let desk = Arc::new(Desk::new(count));
        for number in 0..count {
            let (desk, endgames) = (desk.clone(), endgames.clone());
            thread::spawn(move || {
                let mut pool = Pool::new(1, mebibytes);
                pool.set_endgames(endgames);
                work(&desk, number, pool);
            });
        }
        let watched = desk.clone();
        thread::spawn(move || watched.oversee());
        Self { desk }
    }

    /// Starts a search for the visitor who has this account.
    pub fn search(&self, account: &Arc<Account>, game: Game, task: Task, lines: usize) -> Search {
        let (job, news) = Job::new(account.clone(), game, task, lines);
        let job = Arc::new(job);
        self.desk.add(job.clone());
        Search { job, desk: self.desk.clone(), news }
    }

    /// How many searches run or wait.
    pub fn load(&self) -> usize {
        self.desk.load()
    }
}

impl Drop for Engines {
    fn drop(&mut self) {
        self.desk.close();
    }
}

/// A search that was asked for. Dropping it stops it.
pub struct Search {
    job: Arc<Job>,
    desk: Arc<Desk>,
    news: watch::Receiver<News>,
}

impl Search {
    /// What was asked for.
    pub fn game(&self) -> &Game {
        self.job.game()
    }

    /// Waits for something new. Only the newest is kept.
    pub async fn news(&mut self) -> News {
        // The sender lives in the job, which this handle keeps alive.
        let _ = self.news.changed().await;
        self.news.borrow_and_update().clone()
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.desk.cancel(&self.job);
    }
}

/// What an engine does all day.
fn work(desk: &Desk, number: usize, mut pool: Pool) {
    while let Some((job, control)) = desk.next(number) {
        let end = job.run(&mut pool, &control, number);
        desk.done(number, &job, end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::Position;

    const ANALYSE: Task = Task::Analyse { longest: Duration::from_secs(60) };

    fn start() -> Game {
        Game::new(Position::start())
    }

    #[tokio::test]
    async fn a_lone_analysis_goes_deeper_and_deeper() {
        let engines = Engines::start(1, 4, None);
        let mut search = engines.search(&Arc::default(), start(), ANALYSE, 3);
        let mut depth = 0;
        while depth < 6 {
            let news = search.news().await;
            assert_eq!(news.lines.len(), 3);
            assert!(news.lines[0].depth >= depth, "the depth shown never falls");
            depth = news.lines[0].depth;
        }
    }

    #[tokio::test]
    async fn a_dropped_search_leaves_the_engine_to_others() {
        let engines = Engines::start(1, 4, None);
        let mut first = engines.search(&Arc::default(), start(), ANALYSE, 1);
        first.news().await;
        assert_eq!(engines.load(), 1);
        drop(first);
        let task = Task::Move { strength: 1.0, time: Duration::from_millis(20) };
        let mut second = engines.search(&Arc::default(), start(), task, 1);
        while !second.news().await.finished {}
        drop(second);
        assert_eq!(engines.load(), 0);
    }

    #[tokio::test]
    async fn everybody_gets_a_turn_on_one_engine() {
        let engines = Engines::start(1, 4, None);
        let mut searches: Vec<Search> =
            (0..12).map(|_| engines.search(&Arc::default(), start(), ANALYSE, 1)).collect();
        // The first slice gives everybody a line; later ones add to it.
        for _ in 0..2 {
            for search in &mut searches {
                assert!(!search.news().await.lines.is_empty());
            }
        }
    }

    #[tokio::test]
    async fn a_move_is_found_in_time_even_when_others_analyse() {
        let engines = Engines::start(1, 4, None);
        let _others: Vec<Search> =
            (0..4).map(|_| engines.search(&Arc::default(), start(), ANALYSE, 1)).collect();
        for strength in [0.0, 0.5, 1.0] {
            let task = Task::Move { strength, time: Duration::from_millis(150) };
            let mut search = engines.search(&Arc::default(), start(), task, 1);
            let news = loop {
                let news = search.news().await;
                if news.finished {
                    break news;
                }
            };
            assert!(start().position().is_legal(news.lines[0].moves[0]));
        }
    }

    #[tokio::test]
    async fn a_finished_game_has_no_move() {
        let engines = Engines::start(1, 4, None);
        let mated = Game::new("3k1R3/4R4/9/9/9/9/9/9/9/4K4 b".parse().unwrap());
        let mut search = engines.search(&Arc::default(), mated, ANALYSE, 1);
        let news = search.news().await;
        assert!(news.finished && news.lines.is_empty());
    }
}
