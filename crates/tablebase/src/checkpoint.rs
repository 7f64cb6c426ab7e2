//! What a build leaves on disk from time to time, so that a killed one goes on from its last pass.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use xxhash_rust::xxh3::Xxh3;

const MAGIC: [u8; 8] = *b"ChuheTS\x01";
/// Cells are turned into bytes so many at a time.
const CHUNK: usize = 1 << 15;

/// Saves the cells of both sides before the pass `ply`, aside first.
pub(crate) fn save(path: &Path, ply: u16, cells: &[Vec<AtomicU16>; 2]) -> io::Result<()> {
    let aside = aside(path);
    let mut file = BufWriter::new(File::create(&aside)?);
    let mut hash = Xxh3::new();
    let mut put = |bytes: &[u8]| {
        hash.update(bytes);
        file.write_all(bytes)
    };
    put(&MAGIC)?;
    put(&ply.to_le_bytes())?;
    put(&(cells[0].len() as u64).to_le_bytes())?;
    for chunk in cells.iter().flat_map(|cells| cells.chunks(CHUNK)) {
        let bytes: Vec<u8> = chunk.iter().flat_map(|cell| cell.load(Relaxed).to_le_bytes()).collect();
        put(&bytes)?;
    }
    file.write_all(&hash.digest().to_le_bytes())?;
    file.into_inner()?.sync_all()?;
    fs::rename(&aside, path)
}

/// Restores the cells and returns the pass that comes next; `None` if nothing whole and fitting is there. The
/// cells may then hold anything.
pub(crate) fn restore(path: &Path, cells: &[Vec<AtomicU16>; 2]) -> Option<u16> {
    let mut file = BufReader::new(File::open(path).ok()?);
    let mut hash = Xxh3::new();
    let mut take = |bytes: &mut [u8]| {
        file.read_exact(bytes).ok()?;
        hash.update(bytes);
        Some(())
    };
    let (mut magic, mut ply, mut len) = ([0; 8], [0; 2], [0; 8]);
    take(&mut magic)?;
    take(&mut ply)?;
    take(&mut len)?;
    if magic != MAGIC || u64::from_le_bytes(len) != cells[0].len() as u64 {
        return None;
    }
    for chunk in cells.iter().flat_map(|cells| cells.chunks(CHUNK)) {
        let mut bytes = vec![0; 2 * chunk.len()];
        take(&mut bytes)?;
        for (cell, bytes) in chunk.iter().zip(bytes.as_chunks().0) {
            cell.store(u16::from_le_bytes(*bytes), Relaxed);
        }
    }
    let expected = hash.digest();
    let mut checksum = [0; 8];
    file.read_exact(&mut checksum).ok()?;
    (u64::from_le_bytes(checksum) == expected).then_some(u16::from_le_bytes(ply))
}

fn aside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".new-{}", std::process::id()));
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(values: impl Iterator<Item = u16> + Clone) -> [Vec<AtomicU16>; 2] {
        [values.clone(), values].map(|values| values.map(AtomicU16::new).collect())
    }

    #[test]
    fn only_a_whole_checkpoint_is_restored() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("KR-K.dtm.unfinished");
        save(&path, 7, &cells(0..40_000)).unwrap();
        let empty = cells((0..40_000).map(|_| 0));
        assert_eq!(restore(&path, &empty), Some(7));
        assert_eq!(empty[1][39_999].load(Relaxed), 39_999);
        assert_eq!(restore(&path, &cells(0..39_999)), None);
        let mut bytes = fs::read(&path).unwrap();
        bytes[5_000] ^= 1;
        fs::write(&path, &bytes).unwrap();
        assert_eq!(restore(&path, &empty), None);
        fs::write(&path, &bytes[..60_000]).unwrap();
        assert_eq!(restore(&path, &empty), None);
    }
}
