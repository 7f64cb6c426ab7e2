//! Books of other programs: `.obk` and PFBook, ElephantEye's `BOOK.DAT`, a Polyglot-like format, and JSON.
//!
//! All but JSON are indexed by Zobrist keys of the program that wrote them. ElephantEye's can be computed; others must
//! be supplied as [`Keys`]. A book is read by walking from the start position: entries whose keys do not come up are
//! counted as unmatched.

mod elephant_eye;
mod json;
mod keys;
mod matching;
mod polyglot;
#[cfg(feature = "databases")]
mod sqlite;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

use chuhe_storage::AtomicFile;

pub use keys::{BadKeys, Keys, Numbers};

use crate::{Book, BookError, Entries};

/// A format of books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `.obk` or PFBook.
    Sqlite(Table),
    /// `BOOK.DAT`.
    ElephantEye,
    /// `.bin`.
    Polyglot,
    /// `.json`.
    Json,
}

/// The dialects of SQLite books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// `bhobk`.
    Obk,
    /// `pfBook`.
    PfBook,
}

#[cfg(feature = "databases")]
impl Table {
    const fn name(self) -> &'static str {
        match self {
            Self::Obk => "bhobk",
            Self::PfBook => "pfBook",
        }
    }
}

impl Format {
    /// The format by the extension of a file.
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_string_lossy().to_ascii_lowercase();
        Some(match extension.as_str() {
            "obk" | "yfk" => Self::Sqlite(Table::Obk),
            "pfbook" | "db" => Self::Sqlite(Table::PfBook),
            "dat" => Self::ElephantEye,
            "bin" => Self::Polyglot,
            "json" => Self::Json,
            _ => return None,
        })
    }

    /// The format by the first bytes of a file, if they are distinctive.
    pub fn of_content(bytes: &[u8]) -> Option<Self> {
        match bytes {
            _ if bytes.starts_with(b"SQLite format 3\0") => Some(Self::Sqlite(Table::Obk)),
            [b'[', ..] => Some(Self::Json),
            _ => None,
        }
    }
}

/// Why a foreign book cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {damage}", .path.display())]
pub struct ForeignError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    pub damage: Damage,
}

/// What is wrong with a foreign book.
#[derive(Debug, thiserror::Error)]
pub enum Damage {
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It cannot be read or written as SQLite.
    #[cfg(feature = "databases")]
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// This build has no SQLite.
    #[cfg(not(feature = "databases"))]
    #[error("this program was built without SQLite")]
    NoSqlite,
    /// It has no table of a book.
    #[error("there is neither a table bhobk nor a table pfBook in it")]
    NoTable,
    /// It is truncated.
    #[error("it is truncated: {found} bytes of {whole}")]
    CutOff {
        /// The length of the file.
        found: u64,
        /// The length that it should have.
        whole: u64,
    },
    /// It ends within a record, or there is none.
    #[error("expected records of {record} bytes each, found {found} bytes")]
    Length {
        /// The length of a record.
        record: usize,
        /// The length of the file.
        found: usize,
    },
    /// It is not sorted.
    #[error("its records are not sorted by key")]
    Order,
    /// The JSON is no book.
    #[error("this JSON is no book: {0}")]
    Json(#[from] serde_json::Error),
    /// A move or key in the JSON cannot be read.
    #[error("this JSON is no book: '{0}' is not understood")]
    Unreadable(String),
}

/// The result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// What was read.
    pub entries: Entries,
    /// Moves whose position could not be reached from the start, or that are not legal there.
    pub unmatched: usize,
}

/// Opens a book of this or another program to play from.
pub fn open(path: &Path, keys: &Keys) -> Result<Book, OpenError> {
    let error = match Book::open(path) {
        Err(error @ BookError::NotABook(_)) => error,
        opened => return Ok(opened?),
    };
    let start = fs::read(path).unwrap_or_default();
    let Some(format) = Format::of_content(&start).or_else(|| Format::of_path(path)) else {
        return Err(error.into());
    };
    let Imported { entries, unmatched } = read(path, format, keys)?;
    if entries.is_empty() {
        return Err(OpenError::OtherKeys { path: path.to_owned(), unmatched });
    }
    Ok(Book::of(&entries))
}

/// Why a book cannot be played from.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It is no book, or a damaged one.
    #[error(transparent)]
    Book(#[from] BookError),
    /// It is a damaged book of another program.
    #[error(transparent)]
    Foreign(#[from] ForeignError),
    /// The keys cannot be read.
    #[error("{}: {reason}", .path.display())]
    Keys {
        /// The file of keys.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Its keys are those of another program.
    #[error(
        "{}: none of its {unmatched} moves could be matched; the numbers of the program that wrote it are needed (Book Keys)",
        .path.display()
    )]
    OtherKeys {
        /// The book.
        path: PathBuf,
        /// How many moves it has.
        unmatched: usize,
    },
}

/// Reads a book. ElephantEye's books have keys of their own and JSON has ours, whatever `keys` says.
pub fn read(path: &Path, format: Format, keys: &Keys) -> Result<Imported, ForeignError> {
    let content = || fs::read(path).map_err(Damage::from);
    let imported = match format {
        #[cfg(feature = "databases")]
        Format::Sqlite(_) => sqlite::read(path, keys),
        #[cfg(not(feature = "databases"))]
        Format::Sqlite(_) => Err(Damage::NoSqlite),
        Format::ElephantEye => content().and_then(|bytes| elephant_eye::read(&bytes)),
        Format::Polyglot => content().and_then(|bytes| polyglot::read(&bytes, keys)),
        Format::Json => {
            content().and_then(|bytes| json::read(&bytes)).map(|entries| Imported { entries, unmatched: 0 })
        }
    };
    imported.map_err(|damage| ForeignError { path: path.to_owned(), damage })
}

/// Writes a book atomically; returns the number of moves left out because the start position does not lead to them.
pub fn write(path: &Path, entries: &Entries, format: Format, keys: &Keys) -> Result<usize, ForeignError> {
    let written = || -> Result<usize, Damage> {
        let mut file = AtomicFile::create(path)?;
        let (bytes, unreached) = match format {
            #[cfg(not(feature = "databases"))]
            Format::Sqlite(_) => return Err(Damage::NoSqlite),
            #[cfg(feature = "databases")]
            Format::Sqlite(table) => (Vec::new(), sqlite::write(file.path()?, entries, table, keys)?),
            Format::ElephantEye => elephant_eye::write(entries),
            Format::Polyglot => polyglot::write(entries, keys),
            Format::Json => (json::write(entries).into_bytes(), 0),
        };
        file.write_all(&bytes)?;
        file.commit()?;
        Ok(unreached)
    };
    written().map_err(|damage| ForeignError { path: path.to_owned(), damage })
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::RankStyle;
    use chuhe_notation::pgn;
    use rusqlite::Connection;

    use super::*;
    use crate::{BookMove, Builder, Filter, merge_moves};
    use chuhe_board::Position;

    fn book() -> Entries {
        let games =
            "1. h2e2 h9g7 2. h0g2 b9c7 1-0\n\n[Red \"a\"] 1. c3c4 g6g5 0-1\n\n[Red \"a\"] 1. c3c4 *\n";
        let mut builder = Builder::new(Filter::default());
        for game in pgn::read(games, RankStyle::FromZero) {
            builder.add(&game.unwrap());
        }
        builder.finish()
    }

    /// The book as far as a format can hold it.
    fn reduced(keep: fn(&BookMove) -> BookMove) -> Entries {
        let moves = |moves: &Vec<BookMove>| moves.iter().map(keep).collect();
        book().iter().map(|(key, known)| (*key, moves(known))).collect()
    }

    fn sorted(mut entries: Entries) -> Entries {
        entries.values_mut().for_each(|moves| moves.sort_by_key(|known| known.mv.packed()));
        entries
    }

    /// What comes back of the book through a format.
    fn travelled(format: Format, keys: &Keys) -> Imported {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        assert_eq!(write(&path, &book(), format, keys).unwrap(), 0);
        let mut imported = read(&path, format, keys).unwrap();
        imported.entries = sorted(imported.entries);
        imported
    }

    fn own_numbers() -> Keys {
        let numbers = (0..1 + 14 * 256_u64).map(|index| (index + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        Keys::from_text(&numbers.map(|number| format!("0x{number:016x} ")).collect::<String>()).unwrap()
    }

    #[test]
    fn what_is_exported_comes_back() {
        let bare = |known: &BookMove| BookMove::new(known.mv);
        let with_results = |known: &BookMove| BookMove { count: known.decided(), ..known.clone() };
        for keys in [Keys::Own, own_numbers()] {
            for table in [Table::Obk, Table::PfBook] {
                let imported = travelled(Format::Sqlite(table), &keys);
                assert_eq!((imported.entries, imported.unmatched), (sorted(reduced(with_results)), 0));
            }
            let imported = travelled(Format::Polyglot, &keys);
            let with_count = |known: &BookMove| BookMove { count: known.count, ..BookMove::new(known.mv) };
            assert_eq!((imported.entries, imported.unmatched), (sorted(reduced(with_count)), 0));
        }
        let imported = travelled(Format::ElephantEye, &Keys::Own);
        let counted = |known: &BookMove| BookMove { count: known.count, ..BookMove::new(known.mv) };
        assert_eq!((imported.entries, imported.unmatched), (sorted(reduced(counted)), 0));
        assert_eq!(travelled(Format::Json, &Keys::Own).entries, sorted(book()));
        assert_ne!(book(), reduced(bare));
    }

    #[test]
    fn formats_are_known_by_name_and_content() {
        let format = |name: &str| Format::of_path(Path::new(name));
        assert_eq!(format("a.OBK"), Some(Format::Sqlite(Table::Obk)));
        assert_eq!(format("BOOK.DAT"), Some(Format::ElephantEye));
        assert_eq!(format("a.doc"), None);
        assert_eq!(Format::of_content(b"SQLite format 3\0..."), Some(Format::Sqlite(Table::Obk)));
        assert_eq!(Format::of_content(b"[{\"key\""), Some(Format::Json));
        assert_eq!(Format::of_content(b"1. h2e2"), None);
    }

    #[test]
    fn keys_of_others_are_counted_as_unmatched() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.obk");
        let obk = Format::Sqlite(Table::Obk);
        write(&path, &book(), obk, &own_numbers()).unwrap();
        let imported = read(&path, obk, &Keys::Own).unwrap();
        assert_eq!((imported.entries.len(), imported.unmatched), (0, 6));
    }

    #[test]
    fn rows_of_other_programs_are_understood() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.obk");
        let obk = Format::Sqlite(Table::Obk);
        write(&path, &book(), obk, &Keys::Own).unwrap();
        // Moves in the other byte order, and no column for notes.
        let swap = "UPDATE bhobk SET vmove = ((vmove & 255) << 8) | (vmove >> 8); ALTER TABLE bhobk DROP COLUMN vmemo;";
        Connection::open(&path).unwrap().execute_batch(swap).unwrap();
        let imported = read(&path, obk, &Keys::Own).unwrap();
        assert_eq!((imported.entries.len(), imported.unmatched), (book().len(), 0));
        let remove = "UPDATE bhobk SET vvalid = 0";
        Connection::open(&path).unwrap().execute_batch(remove).unwrap();
        assert!(read(&path, obk, &Keys::Own).unwrap().entries.is_empty());
    }

    #[test]
    fn a_book_of_one_side_is_walked_through_all_replies() {
        let lines = ["1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 *", "1. h2e2 b9c7 2. b0c2 *"];
        let mut entries = Entries::new();
        for game in lines {
            let mut builder = Builder::new(Filter::default());
            builder.add(&pgn::read(game, RankStyle::FromZero).next().unwrap().unwrap());
            builder
                .finish()
                .into_iter()
                .for_each(|(key, moves)| merge_moves(entries.entry(key).or_default(), &moves));
        }
        let moves = |entries: &Entries| entries.values().map(Vec::len).sum::<usize>();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("BOOK.DAT");
        write(&path, &entries, Format::ElephantEye, &Keys::Own).unwrap();
        // The records of Black's moves are taken out of the file.
        let whole = fs::read(&path).unwrap();
        let blacks = |record: &[u8; 8]| {
            elephant_eye::unpacked(u16::from_le_bytes([record[4], record[5]]))
                .is_some_and(|mv| mv.from().rank() > 4)
        };
        let reds: Vec<u8> =
            whole.as_chunks().0.iter().filter(|record| !blacks(record)).flatten().copied().collect();
        fs::write(&path, &reds).unwrap();
        let imported = read(&path, Format::ElephantEye, &Keys::Own).unwrap();
        assert_eq!((moves(&imported.entries), imported.unmatched), (reds.len() / 8, 0));
    }

    #[test]
    fn a_book_file_of_any_kind_is_opened() {
        let folder = tempfile::tempdir().unwrap();
        let moves = |book: &Book| book.moves(&Position::start()).len();
        for (name, keys) in [
            ("a.obk", own_numbers()),
            ("BOOK.DAT", Keys::Own),
            ("a.pfbook", Keys::Own),
            ("a.json", Keys::Own),
        ] {
            let path = folder.path().join(name);
            write(&path, &book(), Format::of_path(&path).unwrap(), &keys).unwrap();
            assert_eq!(moves(&open(&path, &keys).unwrap()), moves(&Book::of(&book())), "{name}");
        }
        let path = folder.path().join("a.obk");
        assert!(open(&path, &Keys::Own).err().unwrap().to_string().contains("Book Keys"));
        let path = folder.path().join("a.book");
        Book::write(&path, &book()).unwrap();
        assert_eq!(moves(&open(&path, &Keys::Own).unwrap()), moves(&Book::of(&book())));
    }

    #[test]
    fn what_the_start_does_not_lead_to_is_counted() {
        let folder = tempfile::tempdir().unwrap();
        let mut entries = book();
        entries.remove(&chuhe_board::Position::start().merged_key().0);
        let unreached = write(&folder.path().join("a"), &entries, Format::ElephantEye, &Keys::Own);
        assert_eq!(unreached.unwrap(), entries.values().map(Vec::len).sum::<usize>());
    }

    #[test]
    fn what_is_no_book_is_refused_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let refused = |bytes: &[u8], format| {
            fs::write(&path, bytes).unwrap();
            read(&path, format, &Keys::Own).unwrap_err().to_string()
        };
        let obk = Format::Sqlite(Table::Obk);
        assert!(refused(b"no database", obk).contains("not a database"));
        assert!(refused(b"{}", Format::Json).contains("is no book"));
        assert!(refused(b"[{\"key\":\"xyz\",\"moves\":[]}]", Format::Json).contains("'xyz'"));
        for (format, record) in [(Format::ElephantEye, 8), (Format::Polyglot, 16)] {
            write(&path, &book(), format, &Keys::Own).unwrap();
            let whole = fs::read(&path).unwrap();
            assert!(refused(&whole[..whole.len() - 1], format).contains("records of"));
            assert!(refused(b"", format).contains("records of"));
            let mut disordered = whole[record..].to_vec();
            disordered.extend(&whole[..record]);
            assert!(refused(&disordered, format).contains("not sorted"));
        }
        write(&path, &book(), obk, &Keys::Own).unwrap();
        let whole = fs::read(&path).unwrap();
        assert!(refused(&whole[..whole.len() - 3], obk).contains("truncated"));
        fs::remove_file(&path).unwrap();
        Connection::open(&path).unwrap().execute_batch("CREATE TABLE t(a)").unwrap();
        assert!(read(&path, obk, &Keys::Own).unwrap_err().to_string().contains("neither a table bhobk"));
        fs::remove_file(&path).unwrap();
        assert!(read(&path, obk, &Keys::Own).is_err());
        assert!(!path.exists(), "reading makes no file");
    }
}
