//! ElephantEye's `BOOK.DAT`: records of 8 bytes, sorted by a lock of 32 bits; then the move and what it is worth, 16
//! bits each, all little-endian. The lock can be computed ([`Keys::elephant_eye`]), so its books are read whole
//! and ours can be read by it.

use chuhe_board::Move;

use super::keys::{point, square};
use super::matching::{Rows, rows_of};
use super::{Damage, Imported, Keys};
use crate::{BookMove, Entries};

const RECORD: usize = 8;

/// A move as two points, the start in the low byte.
pub(super) fn packed(mv: Move) -> u16 {
    u16::from_le_bytes([point(mv.from()), point(mv.to())])
}

pub(super) fn unpacked(packed: u16) -> Option<Move> {
    let [from, to] = packed.to_le_bytes();
    Move::between(square(from)?, square(to)?)
}

/// What a move is worth there: how often it was played, or its merit in thousandths if it never was.
fn worth(known: &BookMove) -> u16 {
    match known.count {
        0 => (known.merit() * 1000.0).clamp(1.0, f64::from(u16::MAX)) as u16,
        count => count.min(u16::MAX.into()) as u16,
    }
}

pub(super) fn write(entries: &Entries) -> (Vec<u8>, usize) {
    let (rows, unreached) = rows_of(entries, &Keys::elephant_eye());
    let mut records: Vec<(u32, u16, u16)> =
        rows.iter().map(|(key, known)| (*key as u32, packed(known.mv), worth(known))).collect();
    records.sort_unstable();
    let mut bytes = Vec::with_capacity(records.len() * RECORD);
    for (lock, mv, worth) in records {
        bytes.extend(lock.to_le_bytes());
        bytes.extend(mv.to_le_bytes());
        bytes.extend(worth.to_le_bytes());
    }
    (bytes, unreached)
}

pub(super) fn read(bytes: &[u8]) -> Result<Imported, Damage> {
    let (records, rest) = bytes.as_chunks::<RECORD>();
    let lock = |record: &[u8; RECORD]| u32::from_le_bytes([record[0], record[1], record[2], record[3]]);
    if records.is_empty() || !rest.is_empty() {
        return Err(Damage::Length { record: RECORD, found: bytes.len() });
    }
    if !records.is_sorted_by_key(lock) {
        return Err(Damage::Order);
    }
    let mut rows = Rows::default();
    for record in records {
        let half = |at: usize| u16::from_le_bytes([record[at], record[at + 1]]);
        let known = unpacked(half(4)).map(|mv| BookMove { count: half(6).into(), ..BookMove::new(mv) });
        rows.add(lock(record).into(), known);
    }
    Ok(rows.matched(&Keys::elephant_eye()))
}
