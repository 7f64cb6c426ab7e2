//! What must be true of ranks whatever links them. Run on threads by `tests/local.rs`, and under `mpirun` by the tests
//! of `chuhe-mpi`. Every rank calls every law in the same order.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use chuhe_adapters::BookScorer;
use chuhe_board::Position;
use chuhe_book::Entries;
use chuhe_book::expand::{self, Expansion, LeafQueue};
use chuhe_cluster::handshake::{self, Handshake, HandshakeError};
use chuhe_cluster::link::local::links;
use chuhe_cluster::link::{Channel, Link};
use chuhe_cluster::search::{ClusterSearcher, Exchange, work};
use chuhe_cluster::tables::{self, Plan};
use chuhe_cluster::topology::Topology;
use chuhe_cluster::{book, selfplay};
use chuhe_engine::Searcher;
use chuhe_referee::{Game, Referee};
use chuhe_search::{Answer, Control, Event, Limits};
use chuhe_tablebase::{Folder, Kind, Material, Metric, Rules};
use chuhe_train::selfplay::Settings;

/// All laws.
pub(crate) fn all(link: &mut impl Link) {
    messages_arrive_in_order(link);
    gather_collects_by_rank(link);
    all_to_all_delivers_every_part(link);
    a_handshake_fails_unless_all_ranks_match(link);
    for topology in Topology::ALL {
        ranks_search_together(link, topology);
    }
    a_stop_ends_the_search_of_all(link);
    the_stop_handle_ends_the_search_with_a_move(link);
    self_play_is_the_same_on_any_number_of_ranks(link);
    tables_are_the_same_on_any_number_of_ranks(link);
    books_are_the_same_on_any_number_of_ranks(link);
}

fn messages_arrive_in_order(link: &mut impl Link) {
    let (rank, ranks) = (link.rank(), link.ranks());
    let (next, before) = ((rank + 1) % ranks, (rank + ranks - 1) % ranks);
    for number in 0..200u8 {
        // Long ones between short ones: MPI uses another protocol for them.
        let len = if number % 50 == 7 { 300_000 } else { 3 };
        link.send(next, Channel::PointToPoint, &vec![number; len]).unwrap();
    }
    for number in 0..200u8 {
        let packet = loop {
            if let Some(packet) = link.receive(Some(before), Channel::PointToPoint).unwrap() {
                break packet;
            }
            thread::yield_now();
        };
        assert_eq!((packet.from, packet.bytes[0]), (before, number));
    }
}

fn gather_collects_by_rank(link: &mut impl Link) {
    let (rank, ranks) = (link.rank(), link.ranks());
    let root = ranks - 1;
    let gathered = link.gather(root, &[rank as u8; 5]).unwrap();
    let expected: Vec<Vec<u8>> = (0..ranks).map(|rank| vec![rank as u8; 5]).collect();
    assert_eq!(gathered, (rank == root).then_some(expected));
}

fn all_to_all_delivers_every_part(link: &mut impl Link) {
    let (rank, ranks) = (link.rank(), link.ranks());
    for size in [0, 10, 1_000_000] {
        let parts = (0..ranks).map(|to| vec![(16 * rank + to) as u8; size]).collect();
        let got = link.all_to_all(parts).unwrap();
        let expected: Vec<Vec<u8>> = (0..ranks).map(|from| vec![(16 * from + rank) as u8; size]).collect();
        assert!(got == expected, "size {size}");
    }
}

fn a_handshake_fails_unless_all_ranks_match(link: &mut impl Link) {
    let own = Handshake::new(77, "laws");
    handshake::perform(link, &own).unwrap();
    if link.ranks() == 1 {
        return;
    }
    let is_odd_one = link.rank() == link.ranks() - 1;
    let older = Handshake { version: "0.0.9".to_owned(), ..own.clone() };
    let foreign = Handshake { network: 78, ..own.clone() };
    let other_job = Handshake { job: "tables".to_owned(), ..own.clone() };
    for (other, word) in [(older, "version 0.0.9"), (foreign, "network"), (other_job, "job 'tables'")] {
        let result = handshake::perform(link, if is_odd_one { &other } else { &own });
        match result {
            Err(HandshakeError::Mismatch(reason)) => assert!(reason.contains(word), "{reason}"),
            result => panic!("{result:?}"),
        }
    }
}

/// Runs `act` with a searcher on rank 0 while the others work. Returns rank 0's result.
fn with_searcher<T: Send>(
    link: &mut impl Link,
    exchange: Exchange,
    act: impl FnOnce(ClusterSearcher) -> T + Send,
) -> Option<T> {
    if link.rank() > 0 {
        work(link, exchange).unwrap();
        return None;
    }
    let (searcher, coordinator) = ClusterSearcher::new(link.ranks(), exchange, true);
    thread::scope(|scope| {
        let acting = scope.spawn(|| act(searcher));
        coordinator.run(link).unwrap();
        Some(acting.join().unwrap())
    })
}

/// The answer of a search, and its remarks.
fn searched(
    searcher: &mut ClusterSearcher,
    game: &Game,
    limits: &Limits,
    control: &Control,
) -> (Answer, Vec<String>) {
    let mut remarks = Vec::new();
    let answer = searcher.search(game, limits, control, &mut |event| {
        if let Event::Remark(text) = event {
            remarks.push(text);
        }
    });
    (answer, remarks)
}

fn ranks_search_together(link: &mut impl Link, topology: Topology) {
    let ranks = link.ranks();
    let exchange = Exchange { topology, least_depth: 2, ..Exchange::default() };
    with_searcher(link, exchange, |mut searcher| {
        searcher.option_set("Hash", Some("4"));
        searcher.forget();
        let mut game = Game::new(Position::start());
        for depth in [8, 9] {
            let (answer, remarks) =
                searched(&mut searcher, &game, &Limits::depth(depth), &Control::default());
            assert!(answer.lines[0].depth >= depth, "{answer:?}");
            // No worker warned about the position or an option; the one remark is the traffic.
            assert_eq!(remarks.len(), usize::from(ranks > 1), "{remarks:?}");
            game.play(answer.best.unwrap()).unwrap();
        }
    });
}

fn a_stop_ends_the_search_of_all(link: &mut impl Link) {
    with_searcher(link, Exchange::default(), |mut searcher| {
        let game = Game::new(Position::start());
        let control = Control::pondering();
        let (sender, lines) = mpsc::channel();
        let answer = thread::scope(|scope| {
            let searched = control.clone();
            let search = scope.spawn(|| {
                let searched = searched;
                searcher.search(&game, &Limits::default(), &searched, &mut |event| drop(sender.send(event)))
            });
            lines.recv().expect("a search reports its first depth");
            control.ponder_hit();
            control.stop();
            search.join().unwrap()
        });
        assert!(game.position().is_legal(answer.best.unwrap()));
    });
}

fn the_stop_handle_ends_the_search_with_a_move(link: &mut impl Link) {
    if link.ranks() == 1 {
        return;
    }
    with_searcher(link, Exchange::default(), |mut searcher| {
        let game = Game::new(Position::start());
        let stop_handle = searcher.stop_handle();
        let answer = thread::scope(|scope| {
            let search =
                scope.spawn(|| searched(&mut searcher, &game, &Limits::default(), &Control::pondering()).0);
            // It ends the running search; a busy machine may not have started it yet.
            while !search.is_finished() {
                stop_handle.stop();
                thread::sleep(Duration::from_millis(5));
            }
            search.join().unwrap()
        });
        assert!(game.position().is_legal(answer.best.unwrap()));
    });
}

fn self_play_is_the_same_on_any_number_of_ranks(link: &mut impl Link) {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { nodes: 60, hash: 1, ..Settings::default() };
    let plan = selfplay::Plan { settings, seed: 5, games: 6, threads: 1 };
    let together = folder.path().join("together");
    let summary = selfplay::run(link, &plan, &together, &mut |_| {}).unwrap();
    assert_eq!(summary.is_some(), link.rank() == 0);
    if let Some(summary) = summary {
        let alone = folder.path().join("alone");
        let mut link = links(1).remove(0);
        let expected = selfplay::run(&mut link, &plan, &alone, &mut |_| {}).unwrap().unwrap();
        assert_eq!((summary.games, summary.positions), (6, expected.positions));
        assert!(std::fs::read(together).unwrap() == std::fs::read(alone).unwrap());
    }
}

fn tables_are_the_same_on_any_number_of_ranks(link: &mut impl Link) {
    let (rank, ranks) = (link.rank(), link.ranks());
    let shared = SharedFolder::new(link);
    let kind = Kind { metric: Metric::Dtm, rules: Rules::Plain };
    let material: Material = "KNA-KA".parse().unwrap();
    let plan = Plan { metric: kind.metric, checkpoint_interval: Duration::ZERO, stop_before: None };
    let folder = Folder::new(shared.path().join("together"));
    // As if the job had been killed, then resumed by another number of ranks, then by all again.
    let killed = Plan { stop_before: Some(4), ..plan };
    assert!(!tables::build(link, &folder, &material, &killed, &mut |_, _| {}).unwrap());
    if rank == 0 {
        let mut alone = links(1).remove(0);
        let plan = Plan { stop_before: Some(9), ..plan };
        let mut resumed = None;
        let mut on_progress = |_: &Material, stage| {
            if let tables::Stage::Resumed(ply) = stage {
                resumed = Some(ply);
            }
        };
        assert!(!tables::build(&mut alone, &folder, &material, &plan, &mut on_progress).unwrap());
        assert_eq!(resumed, Some(4));
    }
    link.all_to_all(Vec::new()).unwrap();
    let mut resumed = None;
    let built = tables::build(link, &folder, &material, &plan, &mut |_, stage| {
        if let tables::Stage::Resumed(ply) = stage {
            resumed = Some(ply);
        }
    });
    assert!(built.unwrap());
    assert!(resumed.is_some_and(|ply| ply >= 4), "{resumed:?}");
    if rank == 0 {
        let alone = Folder::new(shared.path().join("alone"));
        alone.build(&material, kind, 1 << 30, &|_, _| {}).unwrap();
        for member in material.family() {
            let read = |folder: &Folder| std::fs::read(folder.file(&member, kind)).unwrap();
            assert!(read(&folder) == read(&alone), "{member} on {ranks} ranks");
        }
        let left = std::fs::read_dir(folder.path()).unwrap().flatten();
        assert_eq!(left.count(), folder.files().unwrap().len(), "no checkpoint is left");
    }
    link.all_to_all(Vec::new()).unwrap();
}

fn books_are_the_same_on_any_number_of_ranks(link: &mut impl Link) {
    const POSITIONS: usize = 40;
    let scorer = || BookScorer::of_nodes(300).unwrap();
    if link.rank() > 0 {
        return book::score(link, vec![scorer(), scorer()]).unwrap();
    }
    let giver = || {
        let expansion = Expansion { round: 6, ..Expansion::default() };
        LeafQueue::new(Entries::new(), expansion, Referee::default())
    };
    let (mut together, mut alone) = (giver(), giver());
    let mut on_round = |_: &LeafQueue, _| ControlFlow::Continue(());
    book::grow(link, &mut together, POSITIONS, vec![scorer()], &mut on_round).unwrap();
    expand::grow(&mut alone, &mut [scorer()], |giver, _| match giver.entries().len() >= POSITIONS {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    });
    assert!(together.entries().len() >= POSITIONS);
    assert_eq!(together.entries(), alone.entries());
}

/// A folder that all ranks know; rank 0 removes it at the end.
struct SharedFolder {
    path: PathBuf,
    _owned: Option<tempfile::TempDir>,
}

impl SharedFolder {
    fn new(link: &mut impl Link) -> Self {
        let owned = (link.rank() == 0).then(|| tempfile::tempdir().unwrap());
        let name = owned.as_ref().map_or_else(String::new, |folder| folder.path().display().to_string());
        let received = link.all_to_all(vec![name.into_bytes(); link.ranks()]).unwrap();
        Self { path: String::from_utf8(received[0].clone()).unwrap().into(), _owned: owned }
    }

    fn path(&self) -> &Path {
        &self.path
    }
}
