//! One side to move of a table as compressed blocks, and back.

use std::ops::Range;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::model::{CONTEXTS, Coder, Counts, Layout, NONE, Rank, Reading, Writing};
use crate::range_coder::{Chance, Decoder, Encoder, chance};
use crate::value::{FREE_BYTE, FREE_WORD, Packed, Value, Values};

/// What is needed to read the blocks of one side to move.
pub(crate) struct Codec {
    /// The values that occur, the worst for the mover first; a rank is a place in this list.
    pub(crate) ranking: Vec<Packed>,
    pub(crate) chances: Vec<Chance>,
}

/// A block's place among the compressed bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) len: u16,
    pub(crate) check: u16,
}

/// One side to move, compressed.
pub(crate) struct Packing {
    pub(crate) codec: Codec,
    pub(crate) places: Vec<Place>,
    pub(crate) bytes: Vec<u8>,
}

/// Why values cannot be packed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PackError {
    /// More values than ranks.
    #[error("{0} different values are more than a file can tell apart")]
    TooManyValues(usize),
    /// A block that does not get small.
    #[error("a block takes {0} bytes, more than a file can hold")]
    LargeBlock(usize),
}

/// The check value of a block.
pub(crate) fn check(bytes: &[u8]) -> u16 {
    xxh3_64(bytes) as u16
}

/// Values that can be packed: of a whole table or of a part of one.
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

/// More values than this are never told apart.
const MOST_VALUES: usize = 1 << 10;

/// Which values occur in some blocks.
pub(crate) fn occurring(source: &impl Source, layout: &Layout, blocks: Range<usize>) -> Vec<bool> {
    let seen_in = |block: usize| {
        let mut seen = vec![false; MOST_VALUES];
        source.each(layout.entries(block), |_, packed| {
            if let Some(seen) = seen.get_mut(packed as usize) {
                *seen = true;
            }
        });
        seen
    };
    blocks.into_par_iter().map(seen_in).reduce(|| vec![false; MOST_VALUES], either)
}

/// What occurs in either of two places.
pub(crate) fn either(a: Vec<bool>, b: Vec<bool>) -> Vec<bool> {
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

/// How often each choice is made in some blocks, one way and the other.
pub(crate) type Choices = Vec<[u32; 2]>;

/// How often each choice is made in those of some blocks that are in the sample.
pub(crate) fn choices(
    source: &impl Source,
    layout: &Layout,
    ranking: &[Packed],
    blocks: Range<usize>,
) -> Choices {
    // A sample is enough for large tables: every block of the first ones, then fewer and fewer.
    let every = (layout.blocks() / 4096).max(1);
    let sample: Vec<usize> =
        (0..layout.blocks()).step_by(every).filter(|block| blocks.contains(block)).collect();
    let coded = Blocks::new(source, layout, ranking);
    sample
        .par_chunks(sample.len().div_ceil(4 * rayon::current_num_threads()).max(1))
        .map(|blocks| {
            let mut counts = Counts(no_choices());
            let mut buffer = Vec::new();
            for &block in blocks {
                coded.code(block, &mut buffer, &mut counts);
            }
            counts.0
        })
        .reduce(no_choices, added)
}

pub(crate) fn no_choices() -> Choices {
    vec![[0; 2]; CONTEXTS]
}

/// The choices of two places together.
pub(crate) fn added(mut a: Choices, b: Choices) -> Choices {
    a.iter_mut().zip(b).for_each(|(a, b)| *a = [a[0].wrapping_add(b[0]), a[1].wrapping_add(b[1])]);
    a
}

impl Codec {
    pub(crate) fn new(ranking: Vec<Packed>, choices: &Choices) -> Self {
        let chances = choices.iter().map(|&[falses, trues]| chance(falses.into(), trues.into())).collect();
        Self { ranking, chances }
    }
}

/// Some blocks, compressed one after the other.
pub(crate) fn pack_blocks(
    source: &impl Source,
    layout: &Layout,
    codec: &Codec,
    blocks: Range<usize>,
) -> Result<(Vec<Place>, Vec<u8>), PackError> {
    let coded = Blocks::new(source, layout, &codec.ranking);
    let blocks: Vec<Vec<u8>> = blocks
        .into_par_iter()
        .map_init(Vec::new, |buffer, block| {
            let mut writing = Writing { chances: &codec.chances, encoder: Encoder::new() };
            coded.code(block, buffer, &mut writing);
            writing.encoder.finish()
        })
        .collect();
    let mut places = Vec::with_capacity(blocks.len());
    for block in &blocks {
        let len = u16::try_from(block.len()).map_err(|_| PackError::LargeBlock(block.len()))?;
        places.push(Place { len, check: check(block) });
    }
    Ok((places, blocks.concat()))
}

/// Compresses the values of one side to move.
pub(crate) fn pack(values: &Values, layout: &Layout) -> Result<Packing, PackError> {
    let all = 0..layout.blocks();
    let ranking = ranking(&occurring(values, layout, all.clone()))?;
    let choices = choices(values, layout, &ranking, all.clone());
    let codec = Codec::new(ranking, &choices);
    let (places, bytes) = pack_blocks(values, layout, &codec, all)?;
    Ok(Packing { codec, places, bytes })
}

impl Codec {
    /// Unpacks a block into `buffer`, which becomes the ranks of its entries after as many times [`NONE`]
    /// as a block has entries.
    pub(crate) fn unpack(&self, layout: &Layout, block: usize, bytes: &[u8], buffer: &mut Vec<Rank>) {
        let entries = layout.entries(block);
        let count = (entries.end - entries.start) as usize;
        buffer.clear();
        buffer.resize(layout.block_len() + count, NONE);
        let mut reading = Reading { chances: &self.chances, decoder: Decoder::new(bytes) };
        layout.code_block(block, count, self.ranking.len(), buffer, &mut reading);
    }
}
