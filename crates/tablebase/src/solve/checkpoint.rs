//! Checkpoints: the cells of a build on disk, from which an interrupted build resumes.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use xxhash_rust::xxh3::Xxh3;

use crate::file::replacement;

const MAGIC: [u8; 8] = *b"ChuheTS\x02";
/// Cells per write.
const CHUNK: usize = 1 << 15;

/// Saves the cells of both sides before the propagation of `ply`, replacing an older checkpoint atomically. The first cell
/// belongs to entry `first`.
pub(crate) fn save(path: &Path, ply: u16, first: u64, cells: &[Vec<AtomicU16>; 2]) -> io::Result<()> {
    let mut file = replacement(path)?;
    let mut hash = Xxh3::new();
    let mut put = |bytes: &[u8]| {
        hash.update(bytes);
        file.write_all(bytes)
    };
    put(&MAGIC)?;
    put(&ply.to_le_bytes())?;
    put(&first.to_le_bytes())?;
    put(&(cells[0].len() as u64).to_le_bytes())?;
    for chunk in cells.iter().flat_map(|cells| cells.chunks(CHUNK)) {
        let bytes: Vec<u8> = chunk.iter().flat_map(|cell| cell.load(Relaxed).to_le_bytes()).collect();
        put(&bytes)?;
    }
    file.write_all(&hash.digest().to_le_bytes())?;
    file.commit()
}

/// Restores all cells of a range and returns the next ply; `None`, with nothing changed, without a complete checkpoint.
pub(crate) fn restore(path: &Path, range: Range<u64>, cells: &[Vec<AtomicU16>; 2]) -> Option<u16> {
    let entries = header(&mut File::open(path).ok()?)?.entries;
    if entries != range {
        return None;
    }
    Some(read(path, range, cells)?.ply)
}

/// The header of a checkpoint.
pub(crate) struct Saved {
    pub(crate) ply: u16,
    pub(crate) entries: Range<u64>,
}

fn header(file: &mut impl Read) -> Option<Saved> {
    let (mut magic, mut ply, mut first, mut len) = ([0; 8], [0; 2], [0; 8], [0; 8]);
    file.read_exact(&mut magic).ok()?;
    file.read_exact(&mut ply).ok()?;
    file.read_exact(&mut first).ok()?;
    file.read_exact(&mut len).ok()?;
    let first = u64::from_le_bytes(first);
    let entries = first..first.checked_add(u64::from_le_bytes(len)).filter(|_| magic == MAGIC)?;
    Some(Saved { ply: u16::from_le_bytes(ply), entries })
}

/// Reads the cells of a checkpoint that lie in a range; `None`, with nothing changed, if it is incomplete.
pub(crate) fn read(path: &Path, range: Range<u64>, cells: &[Vec<AtomicU16>; 2]) -> Option<Saved> {
    let mut file = BufReader::new(File::open(path).ok()?);
    let saved = header(&mut file)?;
    if !is_complete(path, saved.entries.end - saved.entries.start)? {
        return None;
    }
    for cells in cells {
        let mut number = saved.entries.start;
        while number < saved.entries.end {
            let count = CHUNK.min((saved.entries.end - number) as usize);
            let mut bytes = vec![0; 2 * count];
            file.read_exact(&mut bytes).expect("is_complete read the whole file");
            let numbered = (number..).zip(bytes.as_chunks().0);
            for (number, bytes) in numbered.filter(|(number, _)| range.contains(number)) {
                cells[(number - range.start) as usize].store(u16::from_le_bytes(*bytes), Relaxed);
            }
            number += count as u64;
        }
    }
    Some(saved)
}

/// Whether a file has the length for `entries` and ends with the right checksum.
fn is_complete(path: &Path, entries: u64) -> Option<bool> {
    let mut file = File::open(path).ok()?;
    let mut left = entries.checked_mul(4)?.checked_add(26)?;
    if file.metadata().ok()?.len() != left.checked_add(8)? {
        return Some(false);
    }
    let mut hash = Xxh3::new();
    let mut bytes = vec![0; CHUNK];
    while left > 0 {
        let some = left.min(CHUNK as u64) as usize;
        file.read_exact(&mut bytes[..some]).ok()?;
        hash.update(&bytes[..some]);
        left -= some as u64;
    }
    let mut checksum = [0; 8];
    file.read_exact(&mut checksum).ok()?;
    Some(u64::from_le_bytes(checksum) == hash.digest())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn cells(values: impl Iterator<Item = u16> + Clone) -> [Vec<AtomicU16>; 2] {
        [values.clone(), values].map(|values| values.map(AtomicU16::new).collect())
    }

    #[test]
    fn only_a_complete_checkpoint_is_restored() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("KR-K.dtm.unfinished");
        save(&path, 7, 0, &cells(0..40_000)).unwrap();
        let empty = cells((0..40_000).map(|_| 0));
        let restore =
            |path: &Path, cells: &[Vec<AtomicU16>; 2]| restore(path, 0..cells[0].len() as u64, cells);
        assert_eq!(restore(&path, &empty), Some(7));
        assert_eq!(empty[1][39_999].load(Relaxed), 39_999);
        assert_eq!(restore(&path, &cells(0..39_999)), None);
        let empty = cells((0..40_000).map(|_| 0));
        let mut bytes = fs::read(&path).unwrap();
        bytes[5_000] ^= 1;
        fs::write(&path, &bytes).unwrap();
        assert_eq!(restore(&path, &empty), None);
        fs::write(&path, &bytes[..60_000]).unwrap();
        assert_eq!(restore(&path, &empty), None);
        assert!(empty.iter().flatten().all(|cell| cell.load(Relaxed) == 0), "nothing changes");
    }

    #[test]
    fn a_part_is_read_where_it_belongs() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("part");
        save(&path, 3, 100, &cells(0..50)).unwrap();
        let some = cells((0..100).map(|_| 7));
        let saved = read(&path, 80..180, &some).unwrap();
        assert_eq!((saved.ply, saved.entries), (3, 100..150));
        assert_eq!([19, 20, 69, 70].map(|place| some[0][place].load(Relaxed)), [7, 0, 49, 7]);
    }
}
