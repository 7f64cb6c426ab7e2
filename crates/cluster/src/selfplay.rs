//! Self-play on many ranks: rank 0 hands out seeds, every rank plays, and rank 0 keeps the games in one shard.
//!
//! A game depends on its seed alone and games are written in the order of their numbers, so the shard is the same
//! however many ranks played it.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use chuhe_train::Sample;
use chuhe_train::selfplay::{Player, Settings};
use chuhe_train::shard::{ShardError, ShardWriter};

use crate::farm::{self, Doer, Giver};
use crate::link::{Link, LinkError};
use crate::wire::{Reader, Wire, WireError, Writer};

/// A game to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// Its number, from 0.
    pub number: u64,
    /// The seed of its opening.
    pub seed: u64,
}

/// The samples of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Played(pub Vec<Sample>);

/// How much was played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Games.
    pub games: u64,
    /// Their positions.
    pub positions: u64,
    /// Games by rank.
    pub by_rank: Vec<u64>,
}

/// Why self-play ends early.
#[derive(Debug, thiserror::Error)]
pub enum SelfplayError {
    /// Ranks cannot talk.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The shard cannot be written.
    #[error(transparent)]
    Shard(#[from] ShardError),
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How games are played.
    pub settings: Settings,
    /// Chooses the games. A run goes on with new games where the shard ends.
    pub seed: u64,
    /// How many games to play.
    pub games: u64,
    /// How many at once on each rank.
    pub threads: usize,
}

/// Plays on all ranks; rank 0 writes to the shard and gets the summary. `tell` hears of the games as they come.
pub fn run(
    link: &mut impl Link,
    plan: &Plan,
    shard: &Path,
    tell: &mut dyn FnMut(&Summary),
) -> Result<Option<Summary>, SelfplayError> {
    let doers = (0..plan.threads.max(1)).map(|_| doer(plan.settings.clone())).collect();
    if link.rank() > 0 {
        farm::work(link, doers)?;
        return Ok(None);
    }
    let mut referee = Referee::new(link.ranks(), plan, shard, tell)?;
    farm::hand_out(link, &mut referee, doers, farm::LOST_AFTER)?;
    referee.outcome.map(|()| Some(referee.summary)).map_err(SelfplayError::from)
}

fn doer(settings: Settings) -> Doer<Assignment, Played> {
    let mut player = Player::new(settings, 0);
    Box::new(move |assignment: Assignment| Played(player.game_of(assignment.seed)))
}

/// Gives seeds and keeps games in their order.
struct Referee<'a> {
    seed: u64,
    next: u64,
    games: u64,
    /// Games that wait for an earlier one.
    early: BTreeMap<u64, (usize, Vec<Sample>)>,
    shard: ShardWriter,
    summary: Summary,
    outcome: Result<(), ShardError>,
    tell: &'a mut dyn FnMut(&Summary),
}

impl<'a> Referee<'a> {
    fn new(
        ranks: usize,
        plan: &Plan,
        shard: &Path,
        tell: &'a mut dyn FnMut(&Summary),
    ) -> Result<Self, ShardError> {
        let shard = ShardWriter::open(shard)?;
        Ok(Self {
            // What the shard holds already makes the continuation's games new ones.
            seed: mixed(plan.seed, shard.samples()),
            next: 0,
            games: plan.games,
            early: BTreeMap::new(),
            shard,
            summary: Summary { by_rank: vec![0; ranks], ..Summary::default() },
            outcome: Ok(()),
            tell,
        })
    }

    fn write(&mut self, from: usize, samples: &[Sample]) -> Result<(), ShardError> {
        self.shard.append(samples)?;
        self.summary.games += 1;
        self.summary.positions += samples.len() as u64;
        self.summary.by_rank[from] += 1;
        (self.tell)(&self.summary);
        Ok(())
    }
}

impl Giver<Assignment, Played> for Referee<'_> {
    fn next(&mut self) -> Option<Assignment> {
        let number = self.next;
        self.next = (number < self.games).then_some(number + 1)?;
        Some(Assignment { number, seed: mixed(self.seed, number) })
    }

    fn take(&mut self, from: usize, task: Assignment, Played(samples): Played) -> ControlFlow<()> {
        self.early.insert(task.number, (from, samples));
        while let Some((from, samples)) = self.early.remove(&self.summary.games) {
            self.outcome = self.write(from, &samples);
            if self.outcome.is_err() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

/// A seed for one of many.
const fn mixed(seed: u64, number: u64) -> u64 {
    let mut bits = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ number.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ bits >> 30).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ bits >> 31
}

impl Wire for Assignment {
    fn write(&self, writer: &mut Writer) {
        writer.u64(self.number);
        writer.u64(self.seed);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        Ok(Self { number: reader.u64()?, seed: reader.u64()? })
    }
}

impl Wire for Played {
    fn write(&self, writer: &mut Writer) {
        let bytes: Vec<u8> = self.0.iter().flat_map(Sample::packed).collect();
        writer.bytes(&bytes);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        let (samples, rest) = reader.bytes()?.as_chunks::<{ Sample::SIZE }>();
        if !rest.is_empty() {
            return Err(WireError::Impossible("number of samples"));
        }
        let sample = |bytes| Sample::unpacked(bytes).map_err(|_| WireError::Impossible("sample"));
        samples.iter().map(sample).collect::<Result<_, _>>().map(Self)
    }
}
