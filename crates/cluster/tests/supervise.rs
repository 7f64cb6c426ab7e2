//! A searcher whose workers die: it answers in time, and goes on with those that come back.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use chuhe_board::Position;
use chuhe_cluster::link::gateway::GatewayLink;
use chuhe_cluster::link::local::{LocalLink, links};
use chuhe_cluster::link::pipe::PipeLink;
use chuhe_cluster::link::{Channel, Link, LinkError, Packet};
use chuhe_cluster::search::{ClusterSearcher, Exchange, supervise, work};
use chuhe_engine::Searcher;
use chuhe_referee::Game;
use chuhe_search::{Answer, Control, Event, Limits};

/// A rank that can be killed.
struct Mortal {
    link: LocalLink,
    killed: Arc<AtomicBool>,
}

impl Link for Mortal {
    fn rank(&self) -> usize {
        self.link.rank()
    }

    fn ranks(&self) -> usize {
        self.link.ranks()
    }

    fn send(&mut self, to: usize, channel: Channel, bytes: &[u8]) -> Result<(), LinkError> {
        self.link.send(to, channel, bytes)
    }

    fn receive(&mut self, from: Option<usize>, channel: Channel) -> Result<Option<Packet>, LinkError> {
        if self.killed.load(Ordering::Relaxed) {
            return Err(self.link.abort("killed"));
        }
        self.link.receive(from, channel)
    }

    fn abort(&mut self, reason: &str) -> LinkError {
        self.link.abort(reason)
    }
}

/// Starts jobs of three workers as threads.
#[derive(Default)]
struct Jobs {
    started: AtomicUsize,
    /// The switches that kill the ranks of the running job.
    ranks: Mutex<Vec<Arc<AtomicBool>>>,
    /// Whether no more jobs start.
    is_broken: AtomicBool,
}

impl Jobs {
    fn start(&self) -> Result<PipeLink, String> {
        if self.is_broken.load(Ordering::Relaxed) {
            return Err("no machine answers".to_owned());
        }
        let (job_input, to_job) = io::pipe().unwrap();
        let (from_job, job_output) = io::pipe().unwrap();
        let mut ranks = self.ranks.lock().unwrap();
        ranks.clear();
        for link in links(3) {
            let killed = Arc::new(AtomicBool::new(false));
            ranks.push(Arc::clone(&killed));
            let (input, output) = (job_input.try_clone().unwrap(), job_output.try_clone().unwrap());
            thread::spawn(move || {
                let mut link = GatewayLink::join_by(Mortal { link, killed }, || Ok((input, output))).unwrap();
                work(&mut link, Exchange::default())
            });
        }
        drop((job_input, job_output));
        self.started.fetch_add(1, Ordering::Relaxed);
        PipeLink::connect(from_job, to_job).map_err(|error| error.to_string())
    }

    fn kill(&self, rank: usize) {
        self.ranks.lock().unwrap()[rank].store(true, Ordering::Relaxed);
    }
}

/// A searcher with its supervisor.
struct Supervised {
    searcher: Option<ClusterSearcher>,
    supervisor: Option<JoinHandle<()>>,
    jobs: Arc<Jobs>,
}

impl Supervised {
    fn new(jobs: Jobs) -> Self {
        let jobs = Arc::new(jobs);
        let (searcher, coordinator) = ClusterSearcher::supervised(Exchange::default(), true);
        let starter = Arc::clone(&jobs);
        let supervisor = thread::spawn(move || supervise(coordinator, move || starter.start()));
        Self { searcher: Some(searcher), supervisor: Some(supervisor), jobs }
    }

    fn searcher(&mut self) -> &mut ClusterSearcher {
        self.searcher.as_mut().unwrap()
    }

    /// Searches; returns the answer, the remarks and how long it took.
    fn search(&mut self, limits: &Limits, mut on_line: impl FnMut()) -> (Answer, String, Duration) {
        let game = Game::new(Position::start());
        let (start, mut remarks) = (Instant::now(), String::new());
        let answer = self.searcher().search(&game, limits, &Control::default(), &mut |event| match event {
            Event::Remark(text) => remarks += &text,
            Event::Line(_) => on_line(),
            _ => {}
        });
        assert!(game.position().is_legal(answer.best.unwrap()));
        (answer, remarks, start.elapsed())
    }

    /// Searches until all four ranks vote.
    fn search_until_all_vote(&mut self) {
        let start = Instant::now();
        while !self.search(&Limits::depth(6), || {}).1.contains("4 of 4 ranks voted") {
            assert!(start.elapsed() < Duration::from_secs(60), "the workers do not join");
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Supervised {
    fn drop(&mut self) {
        self.searcher = None;
        let ended = self.supervisor.take().map(JoinHandle::join);
        assert!(thread::panicking() || matches!(ended, Some(Ok(()))));
    }
}

fn movetime(milliseconds: u64) -> Limits {
    Limits { movetime: Some(Duration::from_millis(milliseconds)), ..Limits::default() }
}

#[test]
fn a_search_survives_the_death_of_any_rank_and_the_next_ones_have_all_again() {
    let mut supervised = Supervised::new(Jobs::default());
    supervised.searcher().option_set("Hash", Some("4"));
    // The first rank of the job is the gateway.
    for (times, victim) in [1, 0, 2].into_iter().enumerate() {
        supervised.search_until_all_vote();
        assert_eq!(supervised.jobs.started.load(Ordering::Relaxed), times + 1);
        let jobs = Arc::clone(&supervised.jobs);
        let mut lines = 0;
        let (answer, during, time) = supervised.search(&movetime(400), || {
            lines += 1;
            if lines == 3 {
                jobs.kill(victim);
            }
        });
        assert!(answer.lines[0].depth > 3, "{answer:?}");
        assert!(time >= Duration::from_millis(300), "the search ended with its workers after {time:?}");
        assert!(time < Duration::from_secs(2), "{time:?}");
        let (_, after, _) = supervised.search(&Limits::depth(4), || {});
        assert!((during + &after).contains("lost the workers"), "{after}");
    }
}

#[test]
fn without_workers_it_searches_alone_and_says_so_once() {
    let jobs = Jobs { is_broken: AtomicBool::new(true), ..Jobs::default() };
    let mut supervised = Supervised::new(jobs);
    thread::sleep(Duration::from_millis(200));
    let (_, first, _) = supervised.search(&Limits::depth(5), || {});
    assert_eq!(first, "no workers, searching alone: no machine answers");
    assert_eq!(supervised.search(&Limits::depth(5), || {}).1, "");
    // They come when they can.
    supervised.jobs.is_broken.store(false, Ordering::Relaxed);
    supervised.search_until_all_vote();
}
