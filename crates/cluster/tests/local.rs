//! The laws on threads.

#[path = "common/laws.rs"]
mod laws;

use std::io;
use std::thread;

use chuhe_cluster::link::gateway::GatewayLink;
use chuhe_cluster::link::local::{LocalLink, links};
use chuhe_cluster::link::pipe::PipeLink;
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
fn the_laws_hold_with_rank_0_outside_the_job() {
    for ranks in [1, 3] {
        let (job_input, to_job) = io::pipe().unwrap();
        let (from_job, job_output) = io::pipe().unwrap();
        let pipes = links(ranks)
            .into_iter()
            .map(|link| (link, job_input.try_clone().unwrap(), job_output.try_clone().unwrap()));
        let pipes: Vec<_> = pipes.collect();
        drop((job_input, job_output));
        thread::scope(|scope| {
            for (link, input, output) in pipes {
                scope.spawn(|| laws::all(&mut GatewayLink::join_by(link, || Ok((input, output))).unwrap()));
            }
            laws::all(&mut PipeLink::connect(from_job, to_job).unwrap());
        });
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
