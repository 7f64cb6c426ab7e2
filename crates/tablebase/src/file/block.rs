//! Block compression of one side to move: values become ranks, ranks are predicted and range-coded.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use super::prediction::{CONTEXTS, Coder, Counting, Decoding, Encoding, Layout, NONE, Rank};
use super::range_coder::{Decoder, Encoder, Probability, probability};
use crate::parallel::map_parts;
use crate::value::{FREE_BYTE, FREE_WORD, Packed, Value, Values};

/// The decoding parameters of one side to move.
pub(crate) struct Codec {
    /// The values that occur, the worst for the mover first; a rank is a place in this list.
    pub(crate) ranking: Vec<Packed>,
    pub(crate) probabilities: Vec<Probability>,
}

/// The directory entry of a block: compressed length and check value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockInfo {
    pub(crate) len: u16,
    pub(crate) check: u16,
}

/// One side to move, compressed.
pub(crate) struct PackedSide {
    pub(crate) codec: Codec,
    pub(crate) blocks: Vec<BlockInfo>,
    pub(crate) bytes: Vec<u8>,
}

/// Why values cannot be packed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PackError {
    /// More values than ranks.
    #[error("{0} different values are more than a file can hold")]
    TooManyValues(usize),
    /// A block that does not compress.
    #[error("a block takes {0} bytes, more than a file can hold")]
    LargeBlock(usize),
}

/// The check value of a block.
pub(crate) fn check(bytes: &[u8]) -> u16 {
    xxh3_64(bytes) as u16
}

/// Values to compress: of a whole table or a partition.
pub(crate) trait Source: Sync {
    /// Visits the values of a range with their places in it; free ones are [`FREE_WORD`].
    fn each(&self, range: Range<u64>, visit: impl FnMut(usize, Packed));
}

impl Source for Values {
    fn each(&self, range: Range<u64>, mut visit: impl FnMut(usize, Packed)) {
        let (start, end) = (range.start as usize, range.end as usize);
        match self {
            Self::Bytes(values) => {
                for (at, &byte) in values[start..end].iter().enumerate() {
                    visit(at, if byte == FREE_BYTE { FREE_WORD } else { byte.into() });
                }
            }
            Self::Words(values) => {
                values[start..end].iter().enumerate().for_each(|(at, &word)| visit(at, word))
            }
        }
    }
}

/// An upper bound on distinct values.
const MAX_VALUES: usize = 1 << 10;

/// Which values occur in some blocks.
pub(crate) fn occurring(source: &impl Source, layout: &Layout, blocks: Range<usize>) -> Vec<bool> {
    let parts = map_parts(blocks.start as u64..blocks.end as u64, |part| {
        let mut seen = vec![false; MAX_VALUES];
        for block in part {
            source.each(layout.entries(block as usize), |_, packed| {
                if let Some(seen) = seen.get_mut(packed as usize) {
                    *seen = true;
                }
            });
        }
        seen
    });
    parts.into_iter().fold(vec![false; MAX_VALUES], union)
}

/// The union of two sets of values.
pub(crate) fn union(a: Vec<bool>, b: Vec<bool>) -> Vec<bool> {
    a.into_iter().zip(b).map(|(a, b)| a || b).collect()
}

/// The values that occur, the worst for the mover first.
pub(crate) fn ranking(occurring: &[bool]) -> Result<Vec<Packed>, PackError> {
    let mut ranking: Vec<Packed> =
        (0..).zip(occurring).filter(|(_, seen)| **seen).map(|(value, _)| value).collect();
    ranking.sort_by_key(|&packed| Value::from_packed(packed).preference());
    if ranking.is_empty() {
        ranking.push(Value::Draw.packed());
    }
    if ranking.len() > usize::from(NONE) { Err(PackError::TooManyValues(ranking.len())) } else { Ok(ranking) }
}

/// Values as ranks, a block at a time.
struct Blocks<'a, S> {
    source: &'a S,
    layout: &'a Layout,
    rank_of: Vec<Rank>,
    ranks: usize,
}

impl<'a, S: Source> Blocks<'a, S> {
    fn new(source: &'a S, layout: &'a Layout, ranking: &[Packed]) -> Self {
        let mut rank_of = vec![NONE; FREE_WORD as usize + 1];
        for (rank, &packed) in (0..).zip(ranking) {
            rank_of[packed as usize] = rank;
        }
        Self { source, layout, rank_of, ranks: ranking.len() }
    }

    /// Codes a block from its values.
    fn code(&self, block: usize, buffer: &mut Vec<Rank>, coder: &mut impl Coder) {
        let (entries, room) = (self.layout.entries(block), self.layout.block_len());
        let count = (entries.end - entries.start) as usize;
        buffer.clear();
        buffer.resize(room + count, NONE);
        self.source.each(entries, |at, packed| buffer[room + at] = self.rank_of[packed as usize]);
        self.layout.code_block(block, count, self.ranks, buffer, coder);
    }
}

/// The number of 0 and 1 bits coded in each context.
pub(crate) type ContextCounts = Vec<[u32; 2]>;

/// Context counts of the sampled blocks among `blocks`.
pub(crate) fn context_counts(
    source: &impl Source,
    layout: &Layout,
    ranking: &[Packed],
    blocks: Range<usize>,
) -> ContextCounts {
    // Large tables are sampled.
    let every = (layout.blocks() / 4096).max(1);
    let sample: Vec<usize> =
        (0..layout.blocks()).step_by(every).filter(|block| blocks.contains(block)).collect();
    let coded = Blocks::new(source, layout, ranking);
    let parts = map_parts(0..sample.len() as u64, |part| {
        let mut counts = Counting(no_counts());
        let mut buffer = Vec::new();
        for &block in &sample[part.start as usize..part.end as usize] {
            coded.code(block, &mut buffer, &mut counts);
        }
        counts.0
    });
    parts.into_iter().fold(no_counts(), added)
}

pub(crate) fn no_counts() -> ContextCounts {
    vec![[0; 2]; CONTEXTS]
}

/// The sum of two counts.
pub(crate) fn added(mut a: ContextCounts, b: ContextCounts) -> ContextCounts {
    a.iter_mut().zip(b).for_each(|(a, b)| *a = [a[0].wrapping_add(b[0]), a[1].wrapping_add(b[1])]);
    a
}

impl Codec {
    pub(crate) fn new(ranking: Vec<Packed>, counts: &ContextCounts) -> Self {
        let probabilities =
            counts.iter().map(|&[zeros, ones]| probability(zeros.into(), ones.into())).collect();
        Self { ranking, probabilities }
    }
}

/// Compresses some blocks.
pub(crate) fn pack_blocks(
    source: &impl Source,
    layout: &Layout,
    codec: &Codec,
    blocks: Range<usize>,
) -> Result<(Vec<BlockInfo>, Vec<u8>), PackError> {
    let coded = Blocks::new(source, layout, &codec.ranking);
    let parts = map_parts(blocks.start as u64..blocks.end as u64, |part| {
        let mut buffer = Vec::new();
        let pack = |block| {
            let mut encoding = Encoding { probabilities: &codec.probabilities, encoder: Encoder::new() };
            coded.code(block as usize, &mut buffer, &mut encoding);
            encoding.encoder.finish()
        };
        part.map(pack).collect::<Vec<_>>()
    });
    let blocks: Vec<Vec<u8>> = parts.into_iter().flatten().collect();
    let mut infos = Vec::with_capacity(blocks.len());
    for block in &blocks {
        let len = u16::try_from(block.len()).map_err(|_| PackError::LargeBlock(block.len()))?;
        infos.push(BlockInfo { len, check: check(block) });
    }
    Ok((infos, blocks.concat()))
}

/// Compresses the values of one side to move.
pub(crate) fn pack(values: &Values, layout: &Layout) -> Result<PackedSide, PackError> {
    let all = 0..layout.blocks();
    let ranking = ranking(&occurring(values, layout, all.clone()))?;
    let counts = context_counts(values, layout, &ranking, all.clone());
    let codec = Codec::new(ranking, &counts);
    let (blocks, bytes) = pack_blocks(values, layout, &codec, all)?;
    Ok(PackedSide { codec, blocks, bytes })
}

impl Codec {
    /// Decompresses a block into `buffer`: a block length of [`NONE`], then the ranks of its entries.
    pub(crate) fn unpack(&self, layout: &Layout, block: usize, bytes: &[u8], buffer: &mut Vec<Rank>) {
        let entries = layout.entries(block);
        let count = (entries.end - entries.start) as usize;
        buffer.clear();
        buffer.resize(layout.block_len() + count, NONE);
        let mut decoding = Decoding { probabilities: &self.probabilities, decoder: Decoder::new(bytes) };
        layout.code_block(block, count, self.ranking.len(), buffer, &mut decoding);
    }
}
