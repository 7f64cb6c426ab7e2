//! One side to move of a table as compressed blocks, and back.

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::model::{CONTEXTS, Counts, Layout, NONE, Rank, Reading, Writing};
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

impl Values {
    /// The values of a range; free ones are [`FREE_WORD`].
    fn each(&self, range: std::ops::Range<u64>, mut visit: impl FnMut(usize, Packed)) {
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

    /// The values that occur, the worst for the mover first.
    fn ranking(&self, layout: &Layout) -> Vec<Packed> {
        let seen_in = |block: usize| {
            let mut seen = vec![false; 1 << 10];
            self.each(layout.entries(block), |_, packed| {
                if let Some(seen) = seen.get_mut(packed as usize) {
                    *seen = true;
                }
            });
            seen
        };
        let either = |a: Vec<bool>, b: Vec<bool>| a.into_iter().zip(b).map(|(a, b)| a || b).collect();
        let seen = (0..layout.blocks()).into_par_iter().map(seen_in).reduce(|| vec![false; 1 << 10], either);
        let mut ranking: Vec<Packed> = (0..1 << 10).filter(|&packed| seen[packed as usize]).collect();
        ranking.sort_by_key(|&packed| Value::from_packed(packed).preference());
        if ranking.is_empty() {
            ranking.push(Value::Draw.packed());
        }
        ranking
    }
}

/// Compresses the values of one side to move.
pub(crate) fn pack(values: &Values, layout: &Layout) -> Result<Packing, PackError> {
    let ranking = values.ranking(layout);
    if ranking.len() > usize::from(NONE) {
        return Err(PackError::TooManyValues(ranking.len()));
    }
    let mut rank_of = vec![NONE; FREE_WORD as usize + 1];
    for (rank, &packed) in (0..).zip(&ranking) {
        rank_of[packed as usize] = rank;
    }
    let load = |block: usize, buffer: &mut Vec<Rank>| {
        let entries = layout.entries(block);
        let count = (entries.end - entries.start) as usize;
        buffer.clear();
        buffer.resize(layout.block_len() + count, NONE);
        values.each(entries, |at, packed| buffer[layout.block_len() + at] = rank_of[packed as usize]);
        count
    };
    let chances = count_choices(layout, ranking.len(), &load);
    let blocks: Vec<Vec<u8>> = (0..layout.blocks())
        .into_par_iter()
        .map_init(Vec::new, |buffer, block| {
            let count = load(block, buffer);
            let mut writing = Writing { chances: &chances, encoder: Encoder::new() };
            layout.code_block(block, count, ranking.len(), buffer, &mut writing);
            writing.encoder.finish()
        })
        .collect();
    let mut places = Vec::with_capacity(blocks.len());
    for block in &blocks {
        let len = u16::try_from(block.len()).map_err(|_| PackError::LargeBlock(block.len()))?;
        places.push(Place { len, check: check(block) });
    }
    Ok(Packing { codec: Codec { ranking, chances }, places, bytes: blocks.concat() })
}

/// How often each choice is made, as chances.
fn count_choices(
    layout: &Layout,
    ranks: usize,
    load: &(impl Fn(usize, &mut Vec<Rank>) -> usize + Sync),
) -> Vec<Chance> {
    // A sample is enough for large tables: every block of the first ones, then fewer and fewer.
    let every = (layout.blocks() / 4096).max(1);
    let sample: Vec<usize> = (0..layout.blocks()).step_by(every).collect();
    let none = || vec![[0_u32; 2]; CONTEXTS];
    let counts = sample
        .par_chunks(sample.len().div_ceil(4 * rayon::current_num_threads()).max(1))
        .map(|blocks| {
            let mut counts = Counts(none());
            let mut buffer = Vec::new();
            for &block in blocks {
                let count = load(block, &mut buffer);
                layout.code_block(block, count, ranks, &mut buffer, &mut counts);
            }
            counts.0
        })
        .reduce(none, |mut a, b| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a = [a[0] + b[0], a[1] + b[1]]);
            a
        });
    counts.into_iter().map(|[falses, trues]| chance(falses.into(), trues.into())).collect()
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
