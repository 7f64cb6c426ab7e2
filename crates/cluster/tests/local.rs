//! The laws on threads.

#[path = "common/laws.rs"]
mod laws;

use std::thread;

use chuhe_cluster::link::local::{LocalLink, links};
use chuhe_cluster::link::{Channel, Link, LinkError};

/// Runs `act` on every rank.
fn on_ranks(ranks: usize, act: impl Fn(&mut LocalLink) + Sync) {
    thread::scope(|scope| {
        for mut link in links(ranks) {
            let act = &act;
            scope.spawn(move || act(&mut link));
        }
    });
}

#[test]
fn the_laws_hold_for_one_two_and_four_ranks() {
    for ranks in [1, 2, 4] {
        on_ranks(ranks, laws::all);
    }
}

#[test]
fn an_abort_reaches_all_ranks_with_its_reason() {
    on_ranks(3, |link| {
        if link.rank() == 2 {
            link.abort("out of luck");
        }
        let end = loop {
            if let Err(end) = link.receive(None, Channel::PointToPoint) {
                break end;
            }
            thread::yield_now();
        };
        assert_eq!(end, LinkError::Aborted("rank 2: out of luck".to_owned()));
    });
}

#[test]
fn only_ranks_that_exist_are_sent_to() {
    on_ranks(2, |link| {
        assert_eq!(link.send(2, Channel::PointToPoint, &[]), Err(LinkError::NoSuchRank(2)));
    });
}
