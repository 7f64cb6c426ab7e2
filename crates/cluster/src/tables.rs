//! Distributed retrograde analysis: the index is partitioned over the ranks, and updates to entries of other partitions
//! are exchanged after each ply.
//!
//! A rank holds four bytes for each of its own entries, and the smaller tables that captures lead to. Every rank saves
//! its partition after each ply; any number of ranks can resume from it. All ranks must see the same folder.

use std::time::{Duration, Instant};

use chuhe_board::Side;
use chuhe_tablebase::distributed::{self, CompressedBlocks, CompressedSide, DistributedBuild};
use chuhe_tablebase::{Folder, FolderError, Kind, Material, Metric, Rules, SolveError, TableFile, Update};

use crate::link::{Link, LinkError};
use crate::wire::{self, Reader, Wire, WireError, Writer};

/// Why a table cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    /// The link failed, or a rank aborted the job.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The endgame cannot be solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// The progress of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The file exists already.
    Present,
    /// Resumes an interrupted build before this ply.
    Resumed(u16),
    /// Initialises the entries, with the bytes they take on this rank.
    Initialising(u64),
    /// Propagates the entries decided at this ply; the longest known so far comes second.
    Ply(u16, u16),
    /// The file is written, with its size in bytes.
    Written(u64),
}

/// How a table is built.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The distance that values measure.
    pub metric: Metric,
    /// The least time between two checkpoints; zero saves after each ply.
    pub checkpoint_interval: Duration,
    /// Stops before this ply and leaves the checkpoint, for tests.
    pub stop_before: Option<u16>,
}

/// Builds the table of an endgame and all missing tables that it depends on. Returns `false` if [`Plan::stop_before`]
/// ended it early.
pub fn build(
    link: &mut impl Link,
    folder: &Folder,
    material: &Material,
    plan: &Plan,
    on_progress: &mut dyn FnMut(&Material, Stage),
) -> Result<bool, TablesError> {
    if link.rank() == 0
        && let Err(error) = std::fs::create_dir_all(folder.path())
    {
        return Err(link.abort(&format!("{}: {error}", folder.path().display())).into());
    }
    let kind = Kind { metric: plan.metric, rules: Rules::Plain };
    for member in material.family() {
        let mut on_progress = |stage| on_progress(&member, stage);
        // Only rank 0 decides, since a shared folder may look different to each rank for a moment.
        let present = link.rank() == 0 && TableFile::open(&folder.file(&member, kind)).is_ok();
        if broadcast(link, &Number(present.into()))?.0 == 1 {
            on_progress(Stage::Present);
            continue;
        }
        if !(Build { link, folder, member, plan }).run(&mut on_progress)? {
            return Ok(false);
        }
    }
    Ok(true)
}

struct Build<'a, L> {
    link: &'a mut L,
    folder: &'a Folder,
    member: Material,
    plan: &'a Plan,
}

impl<L: Link> Build<'_, L> {
    fn run(&mut self, on_progress: &mut dyn FnMut(Stage)) -> Result<bool, TablesError> {
        let (rank, ranks) = (self.link.rank(), self.link.ranks());
        let metric = self.plan.metric;
        let own = match DistributedBuild::new(self.folder, &self.member, metric, rank, ranks) {
            Ok(own) => own,
            Err(error) => return Err(self.abort(&error)),
        };
        let mut ply = match self.resume(&own)? {
            Some(ply) => {
                on_progress(Stage::Resumed(ply));
                ply
            }
            None => {
                on_progress(Stage::Initialising(own.memory()));
                own.initialise();
                0
            }
        };
        let mut saved = Instant::now();
        loop {
            let longest = all_max(self.link, own.longest())?;
            if ply > longest {
                own.check_length(longest)?;
                break;
            }
            if self.plan.stop_before == Some(ply) {
                return Ok(false);
            }
            on_progress(Stage::Ply(ply, longest));
            for side in Side::ALL {
                self.propagate(&own, side, ply)?;
            }
            ply += 1;
            // All ranks must agree on when to save, so rank 0's clock decides.
            let due = saved.elapsed() >= self.plan.checkpoint_interval;
            if broadcast(self.link, &Number(due.into()))?.0 == 1 {
                saved = Instant::now();
                self.save(&own, ply)?;
            }
        }
        let bytes = self.write(&own)?;
        on_progress(Stage::Written(bytes));
        Ok(true)
    }

    /// Aborts the job on all ranks.
    fn abort(&mut self, error: &dyn std::fmt::Display) -> TablesError {
        self.link.abort(&format!("{}: {error}", self.member)).into()
    }

    /// Restores the latest checkpoint that is complete on all ranks.
    fn resume(&mut self, own: &DistributedBuild) -> Result<Option<u16>, TablesError> {
        let plies = Plies(if self.link.rank() == 0 { own.saved_plies() } else { Vec::new() });
        for ply in broadcast(self.link, &plies)?.0 {
            let restored = own.restore(ply);
            if all_min(self.link, restored.into())? == 1 {
                return Ok(Some(ply));
            }
        }
        Ok(None)
    }

    /// Saves all partitions, then removes older checkpoints.
    fn save(&mut self, own: &DistributedBuild, ply: u16) -> Result<(), TablesError> {
        // A failed checkpoint does not stop the build.
        let saved = own.save(ply).is_ok();
        if all_min(self.link, saved.into())? == 1 && self.link.rank() == 0 {
            own.remove_saved(Some(ply));
        }
        Ok(())
    }

    /// Propagates the entries decided at `ply` with one side to move, and exchanges updates until no rank has any left.
    fn propagate(&mut self, own: &DistributedBuild, side: Side, ply: u16) -> Result<(), TablesError> {
        let mut next = Some(0);
        loop {
            let outgoing = match next {
                Some(start) => {
                    let batch = own.propagate(side, ply, start);
                    next = batch.next;
                    batch.updates
                }
                None => vec![Vec::new(); self.link.ranks()],
            };
            let message = |updates| wire::pack(&Updates { more: next.is_some(), updates });
            let parts = outgoing.into_iter().map(message).collect();
            let mut more = next.is_some();
            for bytes in self.link.all_to_all(parts)? {
                let incoming: Updates = self.decode(&bytes)?;
                more |= incoming.more;
                if let Err(error) = own.apply(ply, &incoming.updates) {
                    return Err(self.abort(&error));
                }
            }
            if !more {
                return Ok(());
            }
        }
    }

    fn decode<T: Wire>(&mut self, bytes: &[u8]) -> Result<T, TablesError> {
        wire::unpack(bytes).map_err(|error| self.abort(&error))
    }

    /// Compresses all partitions in place; rank 0 writes the file. Returns its size.
    fn write(&mut self, own: &DistributedBuild) -> Result<u64, TablesError> {
        let mut sides = Vec::new();
        for side in Side::ALL {
            sides.push(self.compress(own, side)?);
        }
        let mut size = 0;
        if self.link.rank() == 0 {
            let sides: [CompressedSide; 2] = sides.try_into().expect("there are two sides");
            size = match own.write(sides) {
                Ok(size) => size,
                Err(error) => return Err(self.abort(&FolderError::from(error))),
            };
            own.remove_saved(None);
        }
        // No rank continues before the file exists.
        Ok(broadcast(self.link, &Number(size))?.0)
    }

    fn compress(&mut self, own: &DistributedBuild, side: Side) -> Result<CompressedSide, TablesError> {
        let values = own.values(side).into_iter().map(|values| wire::pack(&Values(values))).collect();
        let mut block_values = Vec::new();
        for bytes in self.link.all_to_all(values)? {
            block_values.extend(self.decode::<Values>(&bytes)?.0);
        }
        let packer = match own.packer(block_values) {
            Ok(packer) => packer,
            Err(error) => return Err(self.abort(&error)),
        };
        let occurring = self.gathered(&Flags(packer.occurring()))?;
        let ranking = match distributed::ranking(occurring.into_iter().map(|flags| flags.0)) {
            Ok(ranking) => ranking,
            Err(error) => return Err(self.abort(&error)),
        };
        let ranking = broadcast(self.link, &Plies(ranking))?.0;
        let counts = self.gathered(&Counts(packer.context_counts(&ranking)))?;
        let counts = distributed::sum_counts(counts.into_iter().map(|counts| counts.0));
        let counts = broadcast(self.link, &Counts(counts))?.0;
        let compressed = match packer.compress(&ranking, &counts) {
            Ok(compressed) => Blocks(compressed),
            Err(error) => return Err(self.abort(&error)),
        };
        let partitions = self.gathered(&compressed)?.into_iter().map(|blocks| blocks.0).collect();
        Ok(CompressedSide { ranking, counts, partitions })
    }

    /// A value of every rank, on rank 0; none on the others.
    fn gathered<T: Wire>(&mut self, value: &T) -> Result<Vec<T>, TablesError> {
        let all = self.link.gather(0, &wire::pack(value))?.unwrap_or_default();
        all.iter().map(|bytes| self.decode(bytes)).collect()
    }
}

/// Rank 0's value, on all ranks.
fn broadcast<T: Wire>(link: &mut impl Link, value: &T) -> Result<T, TablesError> {
    let bytes = if link.rank() == 0 { wire::pack(value) } else { Vec::new() };
    let received = link.all_to_all(vec![bytes; link.ranks()])?;
    wire::unpack(&received[0])
        .map_err(|error| link.abort(&format!("malformed message from rank 0: {error}")).into())
}

/// The numbers of all ranks, on all ranks.
fn all_gather(link: &mut impl Link, number: u64) -> Result<Vec<u64>, TablesError> {
    let received = link.all_to_all(vec![wire::pack(&Number(number)); link.ranks()])?;
    let numbers: Result<Vec<Number>, WireError> = received.iter().map(|bytes| wire::unpack(bytes)).collect();
    match numbers {
        Ok(numbers) => Ok(numbers.into_iter().map(|number| number.0).collect()),
        Err(error) => Err(link.abort(&format!("malformed message: {error}")).into()),
    }
}

fn all_max(link: &mut impl Link, number: u16) -> Result<u16, TablesError> {
    Ok(all_gather(link, number.into())?.into_iter().max().unwrap_or_default().min(u16::MAX.into()) as u16)
}

fn all_min(link: &mut impl Link, number: u64) -> Result<u64, TablesError> {
    Ok(all_gather(link, number)?.into_iter().min().unwrap_or_default())
}

/// A number.
struct Number(u64);

/// Plies or values.
struct Plies(Vec<u16>);

/// Which values occur.
struct Flags(Vec<bool>);

/// Context counts of the compression.
struct Counts(Vec<[u32; 2]>);

/// Compressed blocks.
struct Blocks(CompressedBlocks);

/// Values of entries.
struct Values(Vec<u16>);

/// Updates for another partition, and whether more follow.
struct Updates {
    more: bool,
    updates: Vec<Update>,
}

/// The longest accepted list.
const MAX_LEN: usize = 1 << 24;
/// An update is an entry's number and a side: 40 bits, for up to 2³⁹ entries.
const UPDATE_BYTES: usize = 5;

impl Wire for Number {
    fn write(&self, writer: &mut Writer) {
        writer.u64(self.0);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        reader.u64().map(Self)
    }
}

impl Wire for Plies {
    fn write(&self, writer: &mut Writer) {
        writer.list(&self.0, |writer, number| writer.u16(*number));
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        reader.list(1 << 16, Reader::u16).map(Self)
    }
}

impl Wire for Flags {
    fn write(&self, writer: &mut Writer) {
        writer.list(&self.0, |writer, flag| writer.u8((*flag).into()));
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        reader.list(1 << 16, |reader| Ok(reader.u8()? != 0)).map(Self)
    }
}

impl Wire for Counts {
    fn write(&self, writer: &mut Writer) {
        writer.list(&self.0, |writer, pair| pair.iter().for_each(|count| writer.u32(*count)));
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        reader.list(MAX_LEN, |reader| Ok([reader.u32()?, reader.u32()?])).map(Self)
    }
}

impl Wire for Blocks {
    fn write(&self, writer: &mut Writer) {
        writer.list(&self.0.blocks, |writer, (len, check)| {
            writer.u16(*len);
            writer.u16(*check);
        });
        writer.bytes(&self.0.bytes);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        let blocks = reader.list(u32::MAX as usize, |reader| Ok((reader.u16()?, reader.u16()?)))?;
        Ok(Self(CompressedBlocks { blocks, bytes: reader.bytes()?.to_vec() }))
    }
}

impl Wire for Values {
    fn write(&self, writer: &mut Writer) {
        let bytes: Vec<u8> = self.0.iter().flat_map(|value| value.to_le_bytes()).collect();
        writer.bytes(&bytes);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        let (values, rest) = reader.bytes()?.as_chunks();
        if !rest.is_empty() {
            return Err(WireError::Impossible("number of values"));
        }
        Ok(Self(values.iter().map(|bytes| u16::from_le_bytes(*bytes)).collect()))
    }
}

impl Wire for Updates {
    fn write(&self, writer: &mut Writer) {
        writer.u8(self.more.into());
        let update = |update: &Update| update.to_bits().to_le_bytes().into_iter().take(UPDATE_BYTES);
        let bytes: Vec<u8> = self.updates.iter().flat_map(update).collect();
        writer.bytes(&bytes);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        let more = reader.u8()? != 0;
        let (updates, rest) = reader.bytes()?.as_chunks::<UPDATE_BYTES>();
        if !rest.is_empty() {
            return Err(WireError::Impossible("number of updates"));
        }
        let update = |bytes: &[u8; UPDATE_BYTES]| {
            let mut word = [0; 8];
            word[..UPDATE_BYTES].copy_from_slice(bytes);
            Update::from_bits(u64::from_le_bytes(word))
        };
        Ok(Self { more, updates: updates.iter().map(update).collect() })
    }
}
