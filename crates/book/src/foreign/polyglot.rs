//! A Polyglot-like format (`.bin`): records of 16 bytes, big-endian, sorted by key: 8 key, 2 move, 2 weight, 4
//! learning data.
//!
//! Polyglot's own squares and keys are those of an 8 × 8 board. Ours: the move is 7 bits for its start and 7 for its
//! goal, points counted rank by rank from Red's left corner; the weight says how often it was played; the learning
//! data are our preference and the engine's score, 16 bits each, where -32768 means that there is none.

use chuhe_board::Move;

use super::matching::{Rows, rows_of};
use super::{Damage, Imported, Keys};
use crate::{BookMove, Entries};

const RECORD: usize = 16;
const NO_SCORE: i16 = i16::MIN;

pub(super) fn write(entries: &Entries, keys: &Keys) -> (Vec<u8>, usize) {
    let (mut rows, unreached) = rows_of(entries, keys);
    rows.sort_by_key(|(key, known)| (*key, std::cmp::Reverse(known.count), known.mv.packed()));
    let mut bytes = Vec::with_capacity(rows.len() * RECORD);
    for (key, known) in rows {
        bytes.extend(key.to_be_bytes());
        bytes.extend(known.mv.packed().to_be_bytes());
        bytes.extend((known.count.min(u16::MAX.into()) as u16).to_be_bytes());
        bytes.extend(known.weight.to_be_bytes());
        bytes.extend(known.score.unwrap_or(NO_SCORE).to_be_bytes());
    }
    (bytes, unreached)
}

pub(super) fn read(bytes: &[u8], keys: &Keys) -> Result<Imported, Damage> {
    let (records, rest) = bytes.as_chunks::<RECORD>();
    if records.is_empty() || !rest.is_empty() {
        return Err(Damage::Length { record: RECORD, found: bytes.len() });
    }
    let key = |record: &[u8; RECORD]| u64::from_be_bytes(std::array::from_fn(|index| record[index]));
    if !records.is_sorted_by_key(key) {
        return Err(Damage::Order);
    }
    let mut rows = Rows::default();
    for record in records {
        let half = |at: usize| u16::from_be_bytes([record[at], record[at + 1]]);
        let score = half(14) as i16;
        let known = Move::from_packed(half(8)).map(|mv| BookMove {
            count: half(10).into(),
            weight: half(12) as i16,
            score: (score != NO_SCORE).then_some(score),
            ..BookMove::new(mv)
        });
        rows.add(key(record), known);
    }
    Ok(rows.matched(keys))
}
