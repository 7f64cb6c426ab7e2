//! Distributed book expansion: the coordinator hands out leaves, workers score them by search, and scores are backed up.
//!
//! A leaf's score depends on the leaf alone and rounds are applied as a whole, so the book is the same for any number of
//! ranks.

use std::ops::ControlFlow;

use chuhe_adapters::BookScorer;
use chuhe_board::{Move, Position};
use chuhe_book::Entries;
use chuhe_book::expand::{Leaf, LeafQueue, Line, Scored, Scorer};
use chuhe_referee::Game;

use crate::link::{Link, LinkError};
use crate::wire::{Reader, Wire, WireError, Writer};
use crate::work_queue::{self, TaskRunner, TaskSource};

/// The moves that lead to a leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path(pub Vec<Move>);

/// The score of a leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeafScore(pub Scored);

/// The longest accepted line.
const MAX_LINE: usize = 1 << 12;
/// More moves than any position has.
const MAX_MOVES: usize = 256;

/// Coordinates from rank 0, whose own threads use `scorers`, until the round in which the book reaches `positions`.
/// `on_round` gets the new and changed entries after each round and may stop the expansion.
pub fn grow(
    link: &mut impl Link,
    queue: &mut LeafQueue,
    positions: usize,
    scorers: Vec<BookScorer>,
    on_round: &mut dyn FnMut(&LeafQueue, Entries) -> ControlFlow<()>,
) -> Result<(), LinkError> {
    let mut leaves = LeafSource { queue, positions, on_round, retries: Vec::new() };
    work_queue::coordinate(link, &mut leaves, runners(scorers), work_queue::WORKER_TIMEOUT)
}

/// Scores leaves for rank 0 until it finishes.
pub fn score(link: &mut impl Link, scorers: Vec<BookScorer>) -> Result<(), LinkError> {
    work_queue::work(link, runners(scorers))
}

fn runners(scorers: Vec<BookScorer>) -> Vec<TaskRunner<Path, LeafScore>> {
    let runner = |mut scorer: BookScorer| -> TaskRunner<Path, LeafScore> {
        Box::new(move |path| LeafScore(path.game().map_or_else(Scored::default, |game| scorer.score(&game))))
    };
    scorers.into_iter().map(runner).collect()
}

impl Path {
    /// The game that leads to the leaf; `None` if it cannot be played.
    fn game(&self) -> Option<Game> {
        let mut game = Game::new(Position::start());
        self.0.iter().try_for_each(|mv| game.play(*mv)).ok()?;
        Some(game)
    }
}

struct LeafSource<'a> {
    queue: &'a mut LeafQueue,
    positions: usize,
    on_round: &'a mut dyn FnMut(&LeafQueue, Entries) -> ControlFlow<()>,
    /// Leaves whose results were invalid.
    retries: Vec<Path>,
}

impl TaskSource<Path, LeafScore> for LeafSource<'_> {
    fn next(&mut self) -> Option<Path> {
        if self.queue.entries().len() >= self.positions {
            return None;
        }
        self.retries.pop().or_else(|| self.queue.pop().map(|leaf| Path(leaf.path)))
    }

    fn accept(&mut self, _: usize, path: Path, LeafScore(scored): LeafScore) -> ControlFlow<()> {
        let is_valid = path.game().is_some_and(|game| {
            let shallow = scored.shallow.map(|(mv, _)| mv);
            scored.lines.iter().map(|line| line.mv).chain(shallow).all(|mv| game.position().is_legal(mv))
        });
        if !is_valid {
            self.retries.push(path);
            return ControlFlow::Continue(());
        }
        match self.queue.complete(&Leaf { path: path.0 }, scored) {
            Some(changed) => (self.on_round)(self.queue, changed),
            None => ControlFlow::Continue(()),
        }
    }
}

impl Wire for Path {
    fn write(&self, writer: &mut Writer) {
        writer.list(&self.0, |writer, mv| writer.mv(*mv));
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        reader.list(MAX_LINE, Reader::mv).map(Self)
    }
}

impl Wire for LeafScore {
    fn write(&self, writer: &mut Writer) {
        let scored = |writer: &mut Writer, (mv, score): (Move, i16)| {
            writer.mv(mv);
            writer.u16(score as u16);
        };
        writer.list(&self.0.lines, |writer, line| {
            scored(writer, (line.mv, line.score));
            writer.u8(line.depth);
            writer.list(&line.then, |writer, mv| writer.mv(*mv));
        });
        writer.option(self.0.shallow, scored);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        let scored = |reader: &mut Reader<'_>| Ok((reader.mv()?, reader.u16()? as i16));
        let lines = reader.list(MAX_MOVES, |reader| {
            let (mv, score) = scored(reader)?;
            Ok(Line { mv, score, depth: reader.u8()?, then: reader.list(MAX_LINE, Reader::mv)? })
        })?;
        Ok(Self(Scored { lines, shallow: reader.option(scored)? }))
    }
}
