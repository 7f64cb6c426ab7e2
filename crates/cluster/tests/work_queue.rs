//! The work queue when workers are lost.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::thread;
use std::time::Duration;

use chuhe_cluster::link::local::links;
use chuhe_cluster::link::{Channel, Link, LinkError};
use chuhe_cluster::wire::{Reader, Wire, WireError, Writer};
use chuhe_cluster::work_queue::{self, TaskRunner, TaskSource};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Number(u64);

impl Wire for Number {
    fn write(&self, writer: &mut Writer) {
        writer.u64(self.0);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        reader.u64().map(Self)
    }
}

/// Hands out numbers and accepts their squares, each once.
#[derive(Default)]
struct Squares {
    given: u64,
    count: u64,
    accepted: BTreeSet<Number>,
    ranks: BTreeSet<usize>,
}

impl TaskSource<Number, Number> for Squares {
    fn next(&mut self) -> Option<Number> {
        self.given += 1;
        (self.given <= self.count).then_some(Number(self.given))
    }

    fn accept(&mut self, from: usize, task: Number, result: Number) -> ControlFlow<()> {
        assert_eq!(result.0, task.0 * task.0);
        assert!(self.accepted.insert(task), "{task:?} was accepted twice");
        self.ranks.insert(from);
        ControlFlow::Continue(())
    }
}

fn square() -> TaskRunner<Number, Number> {
    Box::new(|number| {
        thread::sleep(Duration::from_millis(2));
        Number(number.0 * number.0)
    })
}

#[test]
fn every_task_is_done_once_by_all_ranks() {
    let mut links = links(3);
    let mut first = links.remove(0);
    thread::scope(|scope| {
        for mut link in links {
            scope.spawn(move || work_queue::work(&mut link, vec![square(), square()]).unwrap());
        }
        let mut squares = Squares { count: 200, ..Squares::default() };
        work_queue::coordinate(&mut first, &mut squares, vec![square()], work_queue::WORKER_TIMEOUT).unwrap();
        assert_eq!(squares.accepted.len(), 200);
        assert_eq!(squares.ranks, BTreeSet::from([0, 1, 2]));
    });
}

#[test]
fn tasks_of_a_lost_worker_are_requeued() {
    let mut links = links(2);
    let mut first = links.remove(0);
    let mut second = links.remove(0);
    thread::scope(|scope| {
        scope.spawn(move || {
            // Takes tasks for two threads and falls silent.
            let ready = [1, 1, 2, 0, 0, 0];
            second.send(0, Channel::PointToPoint, &ready).unwrap();
            while second.receive(Some(0), Channel::PointToPoint).unwrap().is_none() {
                thread::yield_now();
            }
        });
        let mut squares = Squares { count: 30, ..Squares::default() };
        let worker_timeout = Duration::from_millis(100);
        work_queue::coordinate(&mut first, &mut squares, vec![square()], worker_timeout).unwrap();
        assert_eq!(squares.accepted.len(), 30);
        assert_eq!(squares.ranks, BTreeSet::from([0]));
    });
}

#[test]
fn a_thread_that_panics_aborts_the_job_with_its_message() {
    let mut links = links(2);
    let (mut first, mut second) = (links.remove(0), links.remove(0));
    thread::scope(|scope| {
        let failing = scope.spawn(move || {
            let fail: TaskRunner<Number, Number> = Box::new(|number| panic!("cannot square {}", number.0));
            work_queue::work(&mut second, vec![fail])
        });
        let mut squares = Squares { count: 30, ..Squares::default() };
        let result = work_queue::coordinate(&mut first, &mut squares, Vec::new(), work_queue::WORKER_TIMEOUT);
        let reason = LinkError::Aborted("rank 1: a thread failed: cannot square 1".to_owned());
        assert_eq!(result, Err(reason.clone()));
        assert_eq!(failing.join().unwrap(), Err(reason));
    });
}
