//! A growing book on many ranks: rank 0 hands out leaves, ranks score them, and the scores flow back.
//!
//! A leaf is scored by a search that depends on nothing else, and rounds are taken in as a whole, so the book is the
//! same however many ranks let it grow.

use std::ops::ControlFlow;

use chuhe_adapters::BookScorer;
use chuhe_board::{Move, Position};
use chuhe_book::Entries;
use chuhe_book::expand::{Leaf, LeafQueue, Scored, Scorer};
use chuhe_referee::Game;

use crate::farm::{self, Doer, Giver};
use crate::link::{Link, LinkError};
use crate::wire::{Reader, Wire, WireError, Writer};

/// The way to a leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path(pub Vec<Move>);

/// What a search found at a leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found(pub Scored);

/// No line of a book is longer.
const LONGEST_LINE: usize = 1 << 12;
/// No position has more moves.
const MOST_MOVES: usize = 256;

/// Hands out the leaves of a book on rank 0, whose own threads use `scorers`, until the round in which it comes to have
/// so many positions. `tell` hears after each round what is new or changed, and may break off.
pub fn grow(
    link: &mut impl Link,
    giver: &mut LeafQueue,
    positions: usize,
    scorers: Vec<BookScorer>,
    tell: &mut dyn FnMut(&LeafQueue, Entries) -> ControlFlow<()>,
) -> Result<(), LinkError> {
    let mut desk = Desk { giver, positions, tell, again: Vec::new() };
    farm::hand_out(link, &mut desk, doers(scorers), farm::LOST_AFTER)
}

/// Scores leaves for rank 0 until it has enough.
pub fn score(link: &mut impl Link, scorers: Vec<BookScorer>) -> Result<(), LinkError> {
    farm::work(link, doers(scorers))
}

fn doers(scorers: Vec<BookScorer>) -> Vec<Doer<Path, Found>> {
    let doer = |mut scorer: BookScorer| -> Doer<Path, Found> {
        Box::new(move |path| Found(path.game().map_or_else(Scored::default, |game| scorer.score(&game))))
    };
    scorers.into_iter().map(doer).collect()
}

impl Path {
    /// The game that leads to the leaf; `None` if it cannot be played.
    fn game(&self) -> Option<Game> {
        let mut game = Game::new(Position::start());
        self.0.iter().try_for_each(|mv| game.play(*mv)).ok()?;
        Some(game)
    }
}

struct Desk<'a> {
    giver: &'a mut LeafQueue,
    positions: usize,
    tell: &'a mut dyn FnMut(&LeafQueue, Entries) -> ControlFlow<()>,
    /// Leaves that came back with nonsense.
    again: Vec<Path>,
}

impl Giver<Path, Found> for Desk<'_> {
    fn next(&mut self) -> Option<Path> {
        if self.giver.entries().len() >= self.positions {
            return None;
        }
        self.again.pop().or_else(|| self.giver.pop().map(|leaf| Path(leaf.path)))
    }

    fn take(&mut self, _: usize, path: Path, Found(scored): Found) -> ControlFlow<()> {
        let fits = path.game().is_some_and(|game| {
            let moves = scored.lines.iter().chain(&scored.shallow).map(|(mv, _)| *mv);
            moves.into_iter().all(|mv| game.position().is_legal(mv))
        });
        if !fits {
            self.again.push(path);
            return ControlFlow::Continue(());
        }
        match self.giver.complete(&Leaf { path: path.0 }, scored) {
            Some(changed) => (self.tell)(self.giver, changed),
            None => ControlFlow::Continue(()),
        }
    }
}

impl Wire for Path {
    fn write(&self, writer: &mut Writer) {
        writer.list(&self.0, |writer, mv| writer.mv(*mv));
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        reader.list(LONGEST_LINE, Reader::mv).map(Self)
    }
}

impl Wire for Found {
    fn write(&self, writer: &mut Writer) {
        let scored = |writer: &mut Writer, (mv, score): (Move, i16)| {
            writer.mv(mv);
            writer.u16(score as u16);
        };
        writer.list(&self.0.lines, |writer, line| scored(writer, *line));
        writer.u8(self.0.depth);
        writer.option(self.0.shallow, scored);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        let scored = |reader: &mut Reader<'_>| Ok((reader.mv()?, reader.u16()? as i16));
        let lines = reader.list(MOST_MOVES, scored)?;
        Ok(Self(Scored { lines, depth: reader.u8()?, shallow: reader.option(scored)? }))
    }
}
