//! The book file (`.book`): a sorted index of keys, as in Polyglot books.
//!
//! ```text
//! 0   8  "CHUHEBK2"
//! 8   8  number of positions
//! 16  8  xxh3 of everything behind the header
//! 24  8  zero
//! 32     for each position, by key: 8 key, 5 where its moves start (from the end of this index), 3 their length
//!        the moves in their short form (see `entry`); in their long form in version 1
//! ```

use std::borrow::Cow;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use chuhe_board::{Key, Move, Position};
use chuhe_storage::PositionedFile;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

use crate::choose::by_merit;
use crate::entry::{pack_short, unpack, unpack_short};
use crate::{BookMove, Entries, slot};

const MAGIC: &[u8; 8] = b"CHUHEBK2";
const HEADER: usize = 32;
const SLOT: usize = 16;

/// A book to play from and to explore.
pub struct Book {
    bytes: Bytes,
    positions: usize,
    /// Whether the moves are in the long form of version 1.
    is_long: bool,
}

enum Bytes {
    Static(&'static [u8]),
    Owned(Vec<u8>),
    /// A large book is read where it is asked.
    File(PositionedFile),
}

impl Bytes {
    /// The largest book that is read whole.
    const WHOLE: u64 = 64 << 20;

    fn open(path: &Path, whole: u64) -> io::Result<Self> {
        let file = PositionedFile::open(path)?;
        if file.len() > whole { Ok(Self::File(file)) } else { fs::read(path).map(Self::Owned) }
    }

    fn len(&self) -> u64 {
        match self {
            Self::Static(bytes) => bytes.len() as u64,
            Self::Owned(bytes) => bytes.len() as u64,
            Self::File(file) => file.len(),
        }
    }

    /// The bytes of a range; none if they do not lie within the book, or if its file was cut meanwhile.
    fn read(&self, range: Range<u64>) -> Cow<'_, [u8]> {
        let all: &[u8] = match self {
            Self::Static(bytes) => bytes,
            Self::Owned(bytes) => bytes,
            Self::File(file) => return Cow::Owned(file.read(range).unwrap_or_default()),
        };
        Cow::Borrowed(all.get(range.start as usize..range.end as usize).unwrap_or_default())
    }

    /// The xxh3 of everything behind the header.
    fn checksum(&self) -> u64 {
        /// Read at a time.
        const PORTION: u64 = 1 << 20;
        let mut hasher = Xxh3Default::new();
        let mut at = HEADER as u64;
        while at < self.len() {
            let end = self.len().min(at + PORTION);
            hasher.update(&self.read(at..end));
            at = end;
        }
        hasher.digest()
    }
}

/// Why a book cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// It cannot be read or written.
    #[error("{}: {reason}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// It is some other file.
    #[error("{} is not an opening book of this program", .0.display())]
    NotABook(PathBuf),
    /// It was made by another version.
    #[error("{} is an opening book of version {found}; this program reads versions 1 and 2", .path.display())]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: char,
    },
    /// It is truncated or altered.
    #[error("{} is damaged: its checksum does not match", .0.display())]
    Damaged(PathBuf),
}

#[cfg(not(target_arch = "wasm32"))]
static DEFAULT: &[u8] = include_bytes!("../default.book");

/// The same book, once the host has loaded it.
#[cfg(target_arch = "wasm32")]
static SUPPLIED: std::sync::OnceLock<&'static [u8]> = std::sync::OnceLock::new();

#[cfg(not(target_arch = "wasm32"))]
const _: () = assert!(DEFAULT.len() <= 16 << 20, "the embedded book is at most 16 MiB");

impl Book {
    /// The book inside the program.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn embedded() -> Self {
        Self::checked(Bytes::Static(DEFAULT), Path::new("the embedded book"))
            .expect("the embedded book is whole")
    }

    /// The file of the book inside the program.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn embedded_file() -> &'static [u8] {
        DEFAULT
    }

    /// The book that the host has supplied; an empty one before.
    #[cfg(target_arch = "wasm32")]
    pub fn embedded() -> Self {
        let supplied = SUPPLIED.get().map(|bytes| Bytes::Static(bytes));
        supplied
            .and_then(|bytes| Self::checked(bytes, Path::new("the supplied book")).ok())
            .unwrap_or_else(|| Self::of(&Entries::new()))
    }

    /// Supplies the embedded book, which the browser loads on demand. Only the first one counts.
    #[cfg(target_arch = "wasm32")]
    pub fn supply(bytes: Vec<u8>) -> Result<(), BookError> {
        let bytes: &'static [u8] = bytes.leak();
        Self::checked(Bytes::Static(bytes), Path::new("the supplied book"))?;
        let _ = SUPPLIED.set(bytes);
        Ok(())
    }

    /// Opens a book.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        Self::open_with(path, Bytes::WHOLE)
    }

    fn open_with(path: &Path, whole: u64) -> Result<Self, BookError> {
        let bytes =
            Bytes::open(path, whole).map_err(|reason| BookError::Io { path: path.to_owned(), reason })?;
        Self::checked(bytes, path)
    }

    /// A book in memory.
    pub fn of(entries: &Entries) -> Self {
        Self { positions: entries.len(), bytes: Bytes::Owned(written(entries)), is_long: false }
    }

    fn checked(bytes: Bytes, path: &Path) -> Result<Self, BookError> {
        let header = bytes.read(0..bytes.len().min(HEADER as u64));
        let not_ours = || BookError::NotABook(path.to_owned());
        let damaged = || BookError::Damaged(path.to_owned());
        if !header.starts_with(&MAGIC[..7]) {
            return Err(not_ours());
        }
        let is_long = match header.get(7) {
            Some(b'1') => true,
            Some(b'2') => false,
            Some(version) => {
                return Err(BookError::OtherVersion { path: path.to_owned(), found: char::from(*version) });
            }
            None => return Err(not_ours()),
        };
        let positions = usize::try_from(u64_at(&header, 8)).map_err(|_| damaged())?;
        let index_end = positions.checked_mul(SLOT).and_then(|index| index.checked_add(HEADER));
        let fits = index_end.is_some_and(|end| end as u64 <= bytes.len());
        if !fits || bytes.checksum() != u64_at(&header, 16) {
            return Err(damaged());
        }
        drop(header);
        Ok(Self { positions, bytes, is_long })
    }

    /// Writes a book atomically.
    pub fn write(path: &Path, entries: &Entries) -> Result<(), BookError> {
        chuhe_storage::write_atomic(path, &written(entries))
            .map_err(|reason| BookError::Io { path: path.to_owned(), reason })
    }

    /// The number of positions.
    pub const fn len(&self) -> usize {
        self.positions
    }

    /// Whether it is empty.
    pub const fn is_empty(&self) -> bool {
        self.positions == 0
    }

    /// The book moves of a position; only legal ones.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let (key, is_mirrored) = position.merged_key();
        let mut moves = self.find(key);
        moves.retain_mut(|known| {
            if is_mirrored {
                known.mv = known.mv.mirrored();
            }
            position.is_legal(known.mv)
        });
        moves
    }

    /// The same, by falling merit.
    pub fn moves_by_merit(&self, position: &Position) -> Vec<BookMove> {
        let mut moves = self.moves(position);
        by_merit(&mut moves);
        moves
    }

    /// Whether a move is in the book.
    pub fn knows(&self, position: &Position, mv: Move) -> bool {
        let (key, mv) = slot(position, mv);
        self.find(key).iter().any(|known| known.mv == mv)
    }

    /// All positions with their moves.
    pub fn entries(&self) -> Entries {
        (0..self.positions).map(|index| (self.key(index), self.value(index))).collect()
    }

    fn find(&self, key: Key) -> Vec<BookMove> {
        let (mut low, mut high) = (0, self.positions);
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.key(middle).cmp(&key) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return self.value(middle),
            }
        }
        Vec::new()
    }

    fn key(&self, index: usize) -> Key {
        Key::from_number(u64_at(&self.slot(index), 0))
    }

    fn value(&self, index: usize) -> Vec<BookMove> {
        let place = u64_at(&self.slot(index), 8);
        let start = (HEADER + self.positions * SLOT) as u64 + (place & 0xFF_FFFF_FFFF);
        let bytes = self.bytes.read(start..start + (place >> 40));
        if self.is_long { unpack(&bytes) } else { unpack_short(&bytes) }
    }

    fn slot(&self, index: usize) -> Cow<'_, [u8]> {
        let start = (HEADER + index * SLOT) as u64;
        self.bytes.read(start..start + SLOT as u64)
    }
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let number = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>());
    number.map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

fn written(entries: &Entries) -> Vec<u8> {
    let mut index = Vec::with_capacity(entries.len() * SLOT);
    let mut values = Vec::new();
    for (key, moves) in entries {
        let packed = pack_short(moves);
        let place = values.len() as u64 | (packed.len() as u64) << 40;
        index.extend(key.get().to_le_bytes());
        index.extend(place.to_le_bytes());
        values.extend(packed);
    }
    index.extend(values);
    let mut bytes = MAGIC.to_vec();
    bytes.extend((entries.len() as u64).to_le_bytes());
    bytes.extend(xxh3_64(&index).to_le_bytes());
    bytes.extend([0; 8]);
    bytes.extend(index);
    bytes
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn entries() -> Entries {
        let mut entries = Entries::new();
        let mut position = Position::start();
        for _ in 0..30 {
            let moves: Vec<BookMove> = position.moves().into_iter().take(5).map(BookMove::new).collect();
            let (key, is_mirrored) = position.merged_key();
            let first = moves[0].mv;
            entries.insert(key, moves.into_iter().map(|known| known.turned(is_mirrored)).collect());
            let _ = position.play(first, &mut ());
        }
        entries
    }

    #[test]
    fn a_written_book_answers_for_both_images() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.book");
        Book::write(&path, &entries()).unwrap();
        let book = Book::open(&path).unwrap();
        assert_eq!(book.entries(), entries());
        let mut position = Position::start();
        let _ = position.play(book.moves(&position)[0].mv, &mut ());
        let moves: Vec<_> = book.moves(&position).into_iter().map(|known| known.mv.mirrored()).collect();
        let mirrored: Vec<_> = book.moves(&position.mirrored()).into_iter().map(|known| known.mv).collect();
        assert!(!moves.is_empty());
        assert_eq!(moves, mirrored);
    }

    /// As `cp new.book old.book` does while the program runs.
    #[test]
    fn a_book_whose_file_is_cut_or_overwritten_ends_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.book");
        for whole in [u64::MAX, 0] {
            Book::write(&path, &entries()).unwrap();
            let book = Book::open_with(&path, whole).unwrap();
            assert_eq!(book.entries(), entries());
            let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
            file.set_len(40).unwrap();
            let kept = book.moves(&Position::start());
            assert_eq!(kept.is_empty(), whole == 0);
            fs::write(&path, vec![0xAB; 4096]).unwrap();
            assert_eq!(book.moves(&Position::start()), kept);
        }
    }

    #[test]
    fn the_start_leads_to_every_position_of_the_embedded_book() {
        let book = Book::embedded();
        let mut seen = std::collections::HashSet::new();
        let mut waiting = vec![Position::start()];
        while let Some(position) = waiting.pop() {
            let key = position.merged_key().0;
            if book.find(key).is_empty() || !seen.insert(key) {
                continue;
            }
            let moves = book.moves(&position);
            assert_eq!(moves.len(), book.find(key).len(), "all moves are legal");
            assert!(
                moves.iter().all(|known| (known.score.is_some() || known.flags.theory) && known.count == 0),
                "our own searches and named lines only"
            );
            waiting.extend(moves.iter().map(|known| {
                let mut child = position.clone();
                let _ = child.play(known.mv, &mut ());
                child
            }));
        }
        assert!(seen.len() >= 300);
        assert!(seen.len() + 50 >= book.len(), "{} of {}", seen.len(), book.len());
    }

    #[test]
    fn what_is_no_book_is_refused_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.book");
        let refused = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            Book::open(&path).err().unwrap().to_string()
        };
        let whole = written(&entries());
        assert!(refused(b"").ends_with("is not an opening book of this program"));
        assert!(refused(b"SQLite format 3").ends_with("is not an opening book of this program"));
        assert!(refused(b"CHUHEBK7....").contains("of version 7"));
        assert!(refused(&whole[..whole.len() - 1]).ends_with("its checksum does not match"));
        assert!(refused(&whole[..20]).ends_with("its checksum does not match"));
        let mut changed = whole.clone();
        changed[100] ^= 1;
        assert!(refused(&changed).ends_with("its checksum does not match"));
        changed = whole;
        changed[8..16].fill(0xFF);
        assert!(refused(&changed).ends_with("its checksum does not match"));
    }
}
