//! Distributed retrograde analysis: one machine's partition of a table, with updates in bounded batches, checkpoints that
//! any number of machines can resume, and compression in place.
//!
//! After the last ply the values at the borders move, so that each machine has whole blocks of the file and compresses
//! them. No machine ever holds the whole table.

use std::fs;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use chuhe_board::Side;

use crate::file::block::{self, BlockInfo, Codec, PackError, PackedSide, Source};
use crate::file::prediction::Layout;
use crate::file::{self, FileError, file_name};
use crate::kind::{Kind, Metric, Rules};
use crate::solve::SolveError;
use crate::solve::checkpoint;
use crate::value::{Packed, Values};
use crate::{Folder, FolderError, Material, Partition, Update};

/// One machine's part of a distributed build.
pub struct DistributedBuild {
    partition: Partition,
    layout: Layout,
    kind: Kind,
    which: usize,
    partitions: usize,
    folder: Folder,
}

/// A batch of updates for other partitions.
pub struct UpdateBatch {
    /// The updates by partition.
    pub updates: Vec<Vec<Update>>,
    /// Where to continue; `None` at the end.
    pub next: Option<usize>,
}

/// An entry of another partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("entry {0} belongs to another partition")]
pub struct ForeignEntry(pub u64);

/// The compressed blocks of one partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompressedBlocks {
    /// The length and the check value of each block.
    pub blocks: Vec<(u16, u16)>,
    /// The blocks one after the other.
    pub bytes: Vec<u8>,
}

/// One side to move of a table, compressed by partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompressedSide {
    /// The values that occur, in the order of [`ranking`].
    pub ranking: Vec<u16>,
    /// The context counts of all partitions.
    pub counts: Vec<[u32; 2]>,
    /// The blocks of all partitions in order.
    pub partitions: Vec<CompressedBlocks>,
}

/// Chunks propagated between two checks of the batch size.
const CHUNKS_PER_STEP: usize = 64;
/// The largest batch of updates, roughly.
const MAX_BATCH: usize = 1 << 22;

impl DistributedBuild {
    /// Partition `which` of `partitions`, ready for [`Self::initialise`] or [`Self::restore`]. The smaller tables that
    /// captures lead to must be in the folder.
    pub fn new(
        folder: &Folder,
        material: &Material,
        metric: Metric,
        which: usize,
        partitions: usize,
    ) -> Result<Self, FolderError> {
        let partition = folder.partition(material, metric, which, partitions)?;
        let layout = Layout::new(partition.index());
        let kind = Kind { metric, rules: Rules::Plain };
        Ok(Self { partition, layout, kind, which, partitions, folder: folder.clone() })
    }

    /// Bytes of memory that the cells take.
    pub fn memory(&self) -> u64 {
        let numbers = self.partition.numbers();
        4 * (numbers.end - numbers.start)
    }

    /// Initialises every entry.
    pub fn initialise(&self) {
        self.partition.initialise(&|_, _| {});
    }

    /// The longest distance so far.
    pub fn longest(&self) -> u16 {
        self.partition.longest()
    }

    /// Fails if the longest distance of all partitions does not fit a table.
    pub fn check_length(&self, longest: u16) -> Result<(), SolveError> {
        SolveError::check_longest(self.partition.index().material(), longest)
    }

    /// Propagates entries decided at `ply` with `side` to move, from `start` (0 at first) until the end or until the batch
    /// is full.
    pub fn propagate(&self, side: Side, ply: u16, start: usize) -> UpdateBatch {
        let batch = Mutex::new((vec![Vec::new(); self.partitions], 0));
        let mut at = start;
        while at < self.partition.chunks()
            && batch.lock().unwrap_or_else(PoisonError::into_inner).1 < MAX_BATCH
        {
            let end = (at + CHUNKS_PER_STEP).min(self.partition.chunks());
            self.partition.propagate_chunks(side, ply, at..end, &|partition, updates| {
                let (partitions, len) = &mut *batch.lock().unwrap_or_else(PoisonError::into_inner);
                partitions[partition].extend_from_slice(updates);
                *len += updates.len();
            });
            at = end;
        }
        let (updates, _) = batch.into_inner().unwrap_or_else(PoisonError::into_inner);
        UpdateBatch { updates, next: (at < self.partition.chunks()).then_some(at) }
    }

    /// Applies updates that another partition found at `ply`.
    pub fn apply(&self, ply: u16, updates: &[Update]) -> Result<(), ForeignEntry> {
        let numbers = self.partition.numbers();
        if let Some(update) = updates.iter().find(|update| !numbers.contains(&update.number())) {
            return Err(ForeignEntry(update.number()));
        }
        self.partition.apply(ply, updates);
        Ok(())
    }

    fn checkpoint_prefix(&self) -> String {
        format!("{}.unfinished-", file_name(self.partition.index().material(), self.kind))
    }

    /// Saves this partition before the propagation of `ply`.
    pub fn save(&self, ply: u16) -> Result<(), FileError> {
        let Range { start, end } = self.partition.numbers();
        let path = self.folder.path().join(format!("{}{ply}-{start}-{end}", self.checkpoint_prefix()));
        checkpoint::save(&path, ply, start, &self.partition.cells)
            .map_err(|error| FileError::Io { path, error })
    }

    /// The checkpoints of all partitions: ply and entries, from the file name, and path.
    fn saved(&self) -> Vec<(u16, Range<u64>, PathBuf)> {
        let prefix = self.checkpoint_prefix();
        let parse = |name: &str| {
            let mut words = name.strip_prefix(&prefix)?.split('-').map(str::parse::<u64>);
            let (ply, start, end) = (words.next()?.ok()?, words.next()?.ok()?, words.next()?.ok()?);
            words.next().is_none().then_some((u16::try_from(ply).ok()?, start..end))
        };
        let files = fs::read_dir(self.folder.path()).into_iter().flatten().flatten();
        let saved = files.filter_map(|file| {
            let (ply, entries) = parse(file.file_name().to_str()?)?;
            Some((ply, entries, file.path()))
        });
        saved.collect()
    }

    /// The plies of all checkpoints, the last first.
    pub fn saved_plies(&self) -> Vec<u16> {
        let mut plies: Vec<u16> = self.saved().into_iter().map(|(ply, ..)| ply).collect();
        plies.sort_unstable_by(|a, b| b.cmp(a));
        plies.dedup();
        plies
    }

    /// Restores the checkpoint of `ply`, saved by any number of partitions. Returns `false` if entries are missing; the
    /// partition must then be initialised.
    pub fn restore(&self, ply: u16) -> bool {
        let range = self.partition.numbers();
        let mut missing = range.end - range.start;
        for (_, entries, path) in self.saved().into_iter().filter(|(saved, ..)| *saved == ply) {
            let shared = entries.start.max(range.start)..entries.end.min(range.end);
            if shared.is_empty() {
                continue;
            }
            let read = checkpoint::read(&path, range.clone(), &self.partition.cells);
            if read.is_some_and(|saved| saved.ply == ply && saved.entries == entries) {
                missing = missing.saturating_sub(shared.end - shared.start);
            }
        }
        if missing == 0 {
            self.partition.schedule_all();
        }
        missing == 0
    }

    /// Removes the checkpoints of all partitions for earlier plies, or all with `None`.
    pub fn remove_saved(&self, before: Option<u16>) {
        for (ply, _, path) in self.saved() {
            if before.is_none_or(|before| ply < before) {
                // A file that cannot be removed does no harm.
                let _ = fs::remove_file(path);
            }
        }
    }

    /// The blocks of the file that a partition compresses.
    fn blocks(&self, which: usize) -> Range<usize> {
        let first =
            |which: usize| (self.layout.blocks() as u128 * which as u128 / self.partitions as u128) as usize;
        first(which)..first(which + 1)
    }

    /// The entries of these blocks.
    fn packed_by(&self, which: usize) -> Range<u64> {
        let blocks = self.blocks(which);
        let len = self.partition.index().len();
        let first =
            |block: usize| if block < self.layout.blocks() { self.layout.entries(block).start } else { len };
        first(blocks.start)..first(blocks.end)
    }

    /// The values of one side to move, by the partition that compresses them.
    pub fn values(&self, side: Side) -> Vec<Vec<u16>> {
        let (values, own) = (self.partition.values(side, self.kind.metric), self.partition.numbers());
        let shared = |which| {
            let range = self.packed_by(which);
            let (start, end) = (range.start.max(own.start), range.end.min(own.end).max(own.start));
            values[(start.min(end) - own.start) as usize..(end - own.start) as usize].to_vec()
        };
        (0..self.partitions).map(shared).collect()
    }

    /// The packer of this partition's blocks, from the values that all partitions sent, in order.
    pub fn packer(&self, values: Vec<u16>) -> Result<Packer<'_>, WrongValues> {
        let entries = self.packed_by(self.which);
        match values.len() as u64 == entries.end - entries.start {
            true => Ok(Packer { build: self, first: entries.start, values: Values::Words(values) }),
            false => Err(WrongValues(values.len())),
        }
    }

    /// Writes the file of the whole table and returns its size in bytes.
    pub fn write(&self, sides: [CompressedSide; 2]) -> Result<u64, FileError> {
        let sides = sides.map(|side| PackedSide {
            codec: Codec::new(side.ranking, &side.counts),
            blocks: side
                .partitions
                .iter()
                .flat_map(|partition| partition.blocks.iter().map(|&(len, check)| BlockInfo { len, check }))
                .collect(),
            bytes: side.partitions.into_iter().flat_map(|partition| partition.bytes).collect(),
        });
        file::write_packed(self.partition.index(), &self.layout, &sides, self.kind, self.folder.path())
    }
}

/// The values that occur in any partition, the worst for the mover first.
pub fn ranking(occurring: impl IntoIterator<Item = Vec<bool>>) -> Result<Vec<u16>, PackError> {
    block::ranking(&occurring.into_iter().reduce(block::union).unwrap_or_default())
}

/// The sum of the partitions' context counts.
pub fn sum_counts(partitions: impl IntoIterator<Item = Vec<[u32; 2]>>) -> Vec<[u32; 2]> {
    partitions.into_iter().fold(block::no_counts(), block::added)
}

/// A wrong number of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} values do not match the entries")]
pub struct WrongValues(usize);

/// The values of whole blocks of one side to move, ready to be compressed.
pub struct Packer<'a> {
    build: &'a DistributedBuild,
    first: u64,
    values: Values,
}

impl Packer<'_> {
    fn blocks(&self) -> Range<usize> {
        self.build.blocks(self.build.which)
    }

    /// The values that occur in these blocks.
    pub fn occurring(&self) -> Vec<bool> {
        block::occurring(self, &self.build.layout, self.blocks())
    }

    /// The context counts of these blocks.
    pub fn context_counts(&self, ranking: &[u16]) -> Vec<[u32; 2]> {
        block::context_counts(self, &self.build.layout, ranking, self.blocks())
    }

    /// Compresses the blocks with the context counts of all partitions.
    pub fn compress(&self, ranking: &[u16], counts: &Vec<[u32; 2]>) -> Result<CompressedBlocks, PackError> {
        let codec = Codec::new(ranking.to_vec(), counts);
        let (infos, bytes) = block::pack_blocks(self, &self.build.layout, &codec, self.blocks())?;
        let blocks = infos.into_iter().map(|info| (info.len, info.check)).collect();
        Ok(CompressedBlocks { blocks, bytes })
    }
}

impl Source for Packer<'_> {
    fn each(&self, range: Range<u64>, visit: impl FnMut(usize, Packed)) {
        self.values.each(range.start - self.first..range.end - self.first, visit);
    }
}
