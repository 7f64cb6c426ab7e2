//! Distributed self-play: the coordinator hands out seeds, workers play, and rank 0 writes the games to one shard.
//!
//! A game depends on its seed alone and games are written in order, so the shard is the same for any number of ranks.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use chuhe_train::Sample;
use chuhe_train::selfplay::{Player, Settings};
use chuhe_train::shard::{ShardError, ShardWriter};

use crate::link::{Link, LinkError};
use crate::wire::{Reader, Wire, WireError, Writer};
use crate::work_queue::{self, TaskRunner, TaskSource};

/// A game to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameTask {
    /// Its number, from 0.
    pub number: u64,
    /// The seed of its opening.
    pub seed: u64,
}

/// The samples of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Played(pub Vec<Sample>);

/// Totals of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Games played.
    pub games: u64,
    /// Their positions.
    pub positions: u64,
    /// Games by rank.
    pub by_rank: Vec<u64>,
}

/// Why self-play ends early.
#[derive(Debug, thiserror::Error)]
pub enum SelfplayError {
    /// The link failed.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The shard cannot be written.
    #[error(transparent)]
    Shard(#[from] ShardError),
}

/// A self-play run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How games are played.
    pub settings: Settings,
    /// Chooses the games. A resumed run plays new games after those in the shard.
    pub seed: u64,
    /// The number of games.
    pub games: u64,
    /// Games at a time per rank.
    pub threads: usize,
}

/// Plays on all ranks; rank 0 writes the shard and gets the summary. `on_game` is called after each game.
pub fn run(
    link: &mut impl Link,
    plan: &Plan,
    shard: &Path,
    on_game: &mut dyn FnMut(&Summary),
) -> Result<Option<Summary>, SelfplayError> {
    let runners = (0..plan.threads.max(1)).map(|_| runner(plan.settings.clone())).collect();
    if link.rank() > 0 {
        work_queue::work(link, runners)?;
        return Ok(None);
    }
    let mut games = GameSource::new(link.ranks(), plan, shard, on_game)?;
    work_queue::coordinate(link, &mut games, runners, work_queue::WORKER_TIMEOUT)?;
    games.written.map(|()| Some(games.summary)).map_err(SelfplayError::from)
}

fn runner(settings: Settings) -> TaskRunner<GameTask, Played> {
    let mut player = Player::new(settings, 0);
    Box::new(move |task: GameTask| Played(player.game_of(task.seed)))
}

/// Hands out seeds and writes games in order.
struct GameSource<'a> {
    seed: u64,
    next: u64,
    games: u64,
    /// Finished games that wait for an earlier one.
    out_of_order: BTreeMap<u64, (usize, Vec<Sample>)>,
    shard: ShardWriter,
    summary: Summary,
    written: Result<(), ShardError>,
    on_game: &'a mut dyn FnMut(&Summary),
}

impl<'a> GameSource<'a> {
    fn new(
        ranks: usize,
        plan: &Plan,
        shard: &Path,
        on_game: &'a mut dyn FnMut(&Summary),
    ) -> Result<Self, ShardError> {
        let shard = ShardWriter::open(shard)?;
        Ok(Self {
            // Samples already in the shard change the seed, so that a resumed run plays new games.
            seed: mixed(plan.seed, shard.samples()),
            next: 0,
            games: plan.games,
            out_of_order: BTreeMap::new(),
            shard,
            summary: Summary { by_rank: vec![0; ranks], ..Summary::default() },
            written: Ok(()),
            on_game,
        })
    }

    fn write(&mut self, from: usize, samples: &[Sample]) -> Result<(), ShardError> {
        self.shard.append(samples)?;
        self.summary.games += 1;
        self.summary.positions += samples.len() as u64;
        self.summary.by_rank[from] += 1;
        (self.on_game)(&self.summary);
        Ok(())
    }
}

impl TaskSource<GameTask, Played> for GameSource<'_> {
    fn next(&mut self) -> Option<GameTask> {
        let number = self.next;
        self.next = (number < self.games).then_some(number + 1)?;
        Some(GameTask { number, seed: mixed(self.seed, number) })
    }

    fn accept(&mut self, from: usize, task: GameTask, Played(samples): Played) -> ControlFlow<()> {
        self.out_of_order.insert(task.number, (from, samples));
        while let Some((from, samples)) = self.out_of_order.remove(&self.summary.games) {
            self.written = self.write(from, &samples);
            if self.written.is_err() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

/// The seed of game `number`.
const fn mixed(seed: u64, number: u64) -> u64 {
    let mut bits = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ number.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ bits >> 30).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ bits >> 31
}

impl Wire for GameTask {
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
