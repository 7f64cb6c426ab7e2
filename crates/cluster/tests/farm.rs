//! Handing out work when ranks get lost.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::thread;
use std::time::Duration;

use chuhe_cluster::farm::{self, Doer, Giver};
use chuhe_cluster::link::local::links;
use chuhe_cluster::link::{Channel, Link, LinkError};
use chuhe_cluster::wire::{Reader, Wire, WireError, Writer};

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

/// Gives numbers and wants their squares, each once.
#[derive(Default)]
struct Squares {
    given: u64,
    most: u64,
    taken: BTreeSet<Number>,
    ranks: BTreeSet<usize>,
}

impl Giver<Number, Number> for Squares {
    fn next(&mut self) -> Option<Number> {
        self.given += 1;
        (self.given <= self.most).then_some(Number(self.given))
    }

    fn take(&mut self, from: usize, task: Number, outcome: Number) -> ControlFlow<()> {
        assert_eq!(outcome.0, task.0 * task.0);
        assert!(self.taken.insert(task), "{task:?} was taken twice");
        self.ranks.insert(from);
        ControlFlow::Continue(())
    }
}

fn squaring() -> Doer<Number, Number> {
    Box::new(|number| {
        thread::sleep(Duration::from_millis(2));
        Number(number.0 * number.0)
    })
}

#[test]
fn everything_is_done_once_by_all_ranks() {
    let mut links = links(3);
    let mut first = links.remove(0);
    thread::scope(|scope| {
        for mut link in links {
            scope.spawn(move || farm::work(&mut link, vec![squaring(), squaring()]).unwrap());
        }
        let mut squares = Squares { most: 200, ..Squares::default() };
        farm::hand_out(&mut first, &mut squares, vec![squaring()], farm::LOST_AFTER).unwrap();
        assert_eq!(squares.taken.len(), 200);
        assert_eq!(squares.ranks, BTreeSet::from([0, 1, 2]));
    });
}

#[test]
fn the_work_of_a_lost_rank_is_done_by_others() {
    let mut links = links(2);
    let mut first = links.remove(0);
    let mut second = links.remove(0);
    thread::scope(|scope| {
        scope.spawn(move || {
            // Takes work for two threads and is never heard of again.
            let ready = [1, 1, 2, 0, 0, 0];
            second.send(0, Channel::Talk, &ready).unwrap();
            while second.receive(Some(0), Channel::Talk).unwrap().is_none() {
                thread::yield_now();
            }
        });
        let mut squares = Squares { most: 30, ..Squares::default() };
        let lost_after = Duration::from_millis(100);
        farm::hand_out(&mut first, &mut squares, vec![squaring()], lost_after).unwrap();
        assert_eq!(squares.taken.len(), 30);
        assert_eq!(squares.ranks, BTreeSet::from([0]));
    });
}

#[test]
fn a_thread_that_fails_ends_the_job_with_its_reason() {
    let mut links = links(2);
    let (mut first, mut second) = (links.remove(0), links.remove(0));
    thread::scope(|scope| {
        let failing = scope.spawn(move || {
            let fail: Doer<Number, Number> = Box::new(|number| panic!("cannot square {}", number.0));
            farm::work(&mut second, vec![fail])
        });
        let mut squares = Squares { most: 30, ..Squares::default() };
        let outcome = farm::hand_out(&mut first, &mut squares, Vec::new(), farm::LOST_AFTER);
        let reason = LinkError::Aborted("rank 1: a thread failed: cannot square 1".to_owned());
        assert_eq!(outcome, Err(reason.clone()));
        assert_eq!(failing.join().unwrap(), Err(reason));
    });
}
