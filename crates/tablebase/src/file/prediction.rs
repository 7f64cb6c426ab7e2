//! Context modelling: each value is predicted from its neighbours, so that only mispredictions cost bits.
//!
//! The values of a block are coded in order. The first guess is the value of the same board with one guard of the stronger
//! side elsewhere, if that lies in the block, or else the majority of the neighbours. Its context, the agreement of nearby
//! values with their own predictions, selects the probability. If it fails, other neighbours are tried, and finally the
//! difference to the guess is coded. Illegal entries take the guess and cost next to nothing.

use super::range_coder::{Decoder, Encoder, Probability};
use crate::Index;
use crate::index::group::{Code, Composition, Group};

/// The place of a value among those that occur, the worst for the mover first.
pub(crate) type Rank = u16;
/// No neighbour, or an illegal entry.
pub(crate) const NONE: Rank = Rank::MAX;

/// The approximate number of entries per block.
const BLOCK: usize = 2048;

/// The distances back to the neighbours of an entry; 0 for none.
pub(crate) struct Layout {
    row_len: usize,
    /// For each place in a row: the placement with a piece one rank lower.
    lower: Vec<usize>,
    /// For each placement of the second group: the one that differs in one guard.
    similar: Vec<usize>,
    block_len: usize,
    entries: u64,
}

impl Layout {
    pub(crate) fn new(index: &Index) -> Self {
        let row_len = index.row_len();
        let inner = &index.groups[index.inner()];
        let second = &index.groups[index.order[1]];
        let lower = (0..row_len).map(|place| lower(inner, place as Code)).collect();
        let similar = (0..second.len()).map(|code| row_len * similar(second, code)).collect();
        let block_len = if row_len > 2 * BLOCK { BLOCK } else { row_len * (BLOCK / row_len).max(1) };
        Self { row_len, lower, similar, block_len, entries: index.len() }
    }

    /// The entries of each block but the last.
    pub(crate) fn block_len(&self) -> usize {
        self.block_len
    }

    pub(crate) fn blocks(&self) -> usize {
        self.entries.div_ceil(self.block_len as u64) as usize
    }

    /// The entries of a block.
    pub(crate) fn entries(&self, block: usize) -> std::ops::Range<u64> {
        let start = (block * self.block_len) as u64;
        start..(start + self.block_len as u64).min(self.entries)
    }
}

/// The distance back to the placement with one piece a rank lower, if that comes before this one.
fn lower(group: &Group, place: Code) -> usize {
    let code = group.unfolded(place);
    let squares = group.squares(code);
    for (member, square) in squares.iter().enumerate() {
        let Some(below) = square.offset(0, -1) else { continue };
        let Some(code) = group.moved(code, member, below).filter(|_| !squares.contains(&below)) else {
            continue;
        };
        if group.is_kept(code) && group.folded(code) < place {
            return (place - group.folded(code)) as usize;
        }
    }
    0
}

/// The distance back to the nearest placement that differs in one defender, or in the rank of the general.
fn similar(group: &Group, code: Code) -> usize {
    if !matches!(group.composition, Composition::Guards { .. }) {
        return 0;
    }
    let squares = group.squares(code);
    let differs_in_one = |other: &Code| {
        let mut pairs = squares.iter().zip(group.squares(*other)).enumerate().filter(|(_, (a, b))| a != b);
        match (pairs.next(), pairs.next()) {
            (Some((0, (a, b))), None) => a.file() == b.file(),
            (Some(_), None) => true,
            _ => false,
        }
    };
    (0..code).rev().find(differs_in_one).map_or(0, |other| (code - other) as usize)
}

/// The values around an entry.
struct Around {
    left: Rank,
    lower: Rank,
    similar: Rank,
    before: Rank,
    plane: Rank,
    /// The first guess and its context.
    guess: Rank,
    context: usize,
}

/// Distances that hold for a whole row.
struct RowDistances {
    similar: usize,
    more_similar: usize,
    before: usize,
    plane: usize,
}

impl Layout {
    fn row_distances(&self, row: usize) -> RowDistances {
        let placements = self.similar.len();
        let code = row % placements;
        let similar = self.similar[code];
        let more = if similar == 0 { 0 } else { self.similar[code - similar / self.row_len] };
        RowDistances {
            similar,
            more_similar: if more == 0 { 0 } else { similar + more },
            before: if code == 0 { 0 } else { self.row_len },
            plane: self.row_len * placements,
        }
    }

    /// The neighbours of the entry at `at` of a buffer that starts with [`Self::block_len`] times [`NONE`].
    #[inline]
    fn around(&self, buffer: &[Rank], at: usize, place: usize, row: &RowDistances) -> Around {
        // The buffer starts with NONE.
        let back = |distance: usize| {
            buffer[if distance == 0 || distance > self.block_len { 0 } else { at - distance }]
        };
        let lower_distance = self.lower[place];
        let left = if place == 0 { NONE } else { buffer[at - 1] };
        let lower = back(lower_distance);
        let (before, plane) = (back(row.before), back(row.plane));
        let similar = back(row.similar);
        let (guess, context);
        if similar != NONE {
            let similar_left = if place == 0 { NONE } else { back(row.similar + 1) };
            let similar_lower = if lower_distance == 0 { NONE } else { back(row.similar + lower_distance) };
            guess = similar;
            context = [
                same(left, similar_left),
                same(lower, similar_lower),
                same(plane, back(row.similar + row.plane)),
                same(guess, back(row.more_similar)),
                same(left, guess),
                same(lower, guess),
                same(before, guess),
            ]
            .into_iter()
            .fold(0, |context, three| 3 * context + three);
        } else {
            guess = majority([left, lower, plane, before]);
            let left_lower = if lower_distance == 0 || place == 0 { NONE } else { back(lower_distance + 1) };
            context = [left, lower, plane, before, left_lower]
                .into_iter()
                .fold(0, |context, rank| 3 * context + same(rank, guess))
                + SIMILAR_CONTEXTS;
        }
        let context = context * GUESS_KINDS + usize::from(guess).min(GUESS_KINDS - 1);
        Around { left, lower, similar, before, plane, guess, context }
    }
}

/// 0 if one is missing, 2 if they are equal, otherwise 1.
#[inline]
fn same(a: Rank, b: Rank) -> usize {
    if a == NONE || b == NONE { 0 } else { 1 + usize::from(a == b) }
}

/// The most frequent rank, the first of them in a tie; 0 if there is none.
#[inline]
fn majority(ranks: [Rank; 4]) -> Rank {
    let mut best = (0, 0);
    for rank in ranks {
        let votes = ranks.iter().filter(|other| **other == rank).count();
        if rank != NONE && votes > best.0 {
            best = (votes, rank);
        }
    }
    best.1
}

const GUESS_KINDS: usize = 8;
const SIMILAR_CONTEXTS: usize = 3_usize.pow(7);
const MAJORITY_CONTEXTS: usize = 3_usize.pow(5);
/// Differences to the guess in contexts of second guesses: -3 to 3.
const DIFFERENCES: usize = 7;
/// Whether the first guess was right.
const FIRST: usize = 0;
/// Whether another neighbour is right.
const SECOND: usize = FIRST + (SIMILAR_CONTEXTS + MAJORITY_CONTEXTS) * GUESS_KINDS;
/// Whether the value lies above the guess.
const SIGN: usize = SECOND + 4 * 2 * 2 * DIFFERENCES;
/// Guesses with a context of their own there; the last is for all that are greater.
const SIGN_GUESSES: usize = 256;
/// Whether it lies still farther off.
const FARTHER: usize = SIGN + SIGN_GUESSES;
const STEPS: usize = 20;
/// The number of contexts.
pub(crate) const CONTEXTS: usize = FARTHER + 2 * STEPS;

/// Codes bits: counts, encodes or decodes them.
pub(crate) trait Coder {
    /// Codes a bit and returns it; a decoder ignores `bit`.
    fn code(&mut self, context: usize, bit: impl FnOnce() -> bool) -> bool;
}

/// Counts bits, to estimate their probabilities.
pub(crate) struct Counting(pub(crate) Vec<[u32; 2]>);

impl Coder for Counting {
    #[inline]
    fn code(&mut self, context: usize, bit: impl FnOnce() -> bool) -> bool {
        let bit = bit();
        self.0[context][usize::from(bit)] += 1;
        bit
    }
}

/// Encodes bits.
pub(crate) struct Encoding<'a> {
    pub(crate) probabilities: &'a [Probability],
    pub(crate) encoder: Encoder,
}

impl Coder for Encoding<'_> {
    #[inline]
    fn code(&mut self, context: usize, bit: impl FnOnce() -> bool) -> bool {
        let bit = bit();
        self.encoder.write(bit, self.probabilities[context]);
        bit
    }
}

/// Decodes bits.
pub(crate) struct Decoding<'a> {
    pub(crate) probabilities: &'a [Probability],
    pub(crate) decoder: Decoder<'a>,
}

impl Coder for Decoding<'_> {
    #[inline]
    fn code(&mut self, context: usize, _: impl FnOnce() -> bool) -> bool {
        self.decoder.read(self.probabilities[context])
    }
}

impl Layout {
    /// Codes the first `count` entries of a block. The buffer holds [`Self::block_len`] times [`NONE`] and
    /// then the block: for an encoder its ranks ([`NONE`] where the value is free, which is filled in), for a decoder room
    /// for them. Decoded ranks stay below `ranks`.
    pub(crate) fn code_block(
        &self,
        block: usize,
        count: usize,
        ranks: usize,
        buffer: &mut [Rank],
        coder: &mut impl Coder,
    ) {
        let start = block * self.block_len;
        let (mut row, mut place) = (start / self.row_len, start % self.row_len);
        let mut distances = self.row_distances(row);
        for at in self.block_len..self.block_len + count {
            let around = self.around(buffer, at, place, &distances);
            buffer[at] = code_rank(&around, buffer[at], ranks, coder);
            place += 1;
            if place == self.row_len {
                place = 0;
                row += 1;
                distances = self.row_distances(row);
            }
        }
    }
}

/// Codes one value.
#[inline]
fn code_rank(around: &Around, rank: Rank, ranks: usize, coder: &mut impl Coder) -> Rank {
    let guess = around.guess;
    let wrong = coder.code(FIRST + around.context, || rank != guess && rank != NONE);
    if wrong { code_misprediction(around, rank, ranks, coder) } else { guess }
}

#[cold]
fn code_misprediction(around: &Around, rank: Rank, ranks: usize, coder: &mut impl Coder) -> Rank {
    let guess = around.guess;
    let mut tried = [guess, NONE, NONE];
    let mut count = 1;
    for (place, other) in [around.left, around.lower, around.before, around.plane].into_iter().enumerate() {
        if count == tried.len() || other == NONE || tried[..count].contains(&other) {
            continue;
        }
        let difference = (i32::from(other) - i32::from(guess)).clamp(-3, 3) + 3;
        let known = usize::from(around.similar != NONE);
        let context = ((place * 2 + count - 1) * 2 + known) * DIFFERENCES + difference as usize;
        if !coder.code(SECOND + context, || rank != other) {
            return other;
        }
        tried[count] = other;
        count += 1;
    }
    let above = coder.code(SIGN + usize::from(guess).min(SIGN_GUESSES - 1), || rank > guess);
    let most = if above { (ranks - 1).saturating_sub(guess.into()) } else { guess.into() };
    let mut difference = 1;
    while difference < most
        && coder.code(FARTHER + 2 * difference.min(STEPS - 1) + usize::from(above), || {
            usize::from(rank.abs_diff(guess)) > difference
        })
    {
        difference += 1;
    }
    // A damaged block may ask for an impossible difference; any rank will do.
    let difference = difference.min(most) as Rank;
    if above { guess + difference } else { guess - difference }
}
