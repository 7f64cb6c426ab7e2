//! Books of other programs: `.obk` and PFBook, which are SQLite files, and JSON.
//!
//! The tables `bhobk` and `pfBook` have a row for each move: `vkey` the position's Zobrist key, `vmove`, `vscore`,
//! `vwin`, `vdraw`, `vlost`, `vvalid`, `vmemo`. The keys depend on random numbers of the program that wrote
//! the file, which are not public, so a book is read by walking from the start position with our keys: what we
//! exported ourselves comes back whole, and of other books it is said how much could not be matched.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};

use chuhe_board::coords::{RankStyle, parse_move};
use chuhe_board::{Key, Move, Position, Square};
use rusqlite::{Connection, OpenFlags, params};
use serde::{Deserialize, Serialize};

use crate::entry::Flags;
use crate::{BookMove, Entries};

/// Why a foreign book cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ForeignError {
    /// It cannot be read or written as SQLite.
    #[error("{}: {source}", .path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
    /// It has no table of a book.
    #[error("{}: there is neither a table bhobk nor a table pfBook in it", .0.display())]
    NoTable(PathBuf),
    /// The JSON is no book.
    #[error("this JSON is no book: {0}")]
    Json(#[from] serde_json::Error),
    /// A move or key in the JSON cannot be read.
    #[error("this JSON is no book: '{0}' is not understood")]
    Unreadable(String),
}

/// What an import found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// What was understood.
    pub entries: Entries,
    /// Rows whose position could not be reached from the start, or whose move is not legal there.
    pub unmatched: usize,
}

/// The dialects of SQLite books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// `bhobk`.
    Obk,
    /// `pfBook`.
    PfBook,
}

impl Table {
    const fn name(self) -> &'static str {
        match self {
            Self::Obk => "bhobk",
            Self::PfBook => "pfBook",
        }
    }
}

/// A move as OBK writes it: the start in the high byte, the goal in the low one, points as `rank * 16 + file` of a
/// board of 16 x 16 with the top left corner of Black at (3, 3).
fn obk_move(mv: Move) -> i64 {
    let point = |square: Square| i64::from(12 - square.rank()) * 16 + i64::from(square.file()) + 3;
    point(mv.from()) << 8 | point(mv.to())
}

fn move_of_obk(number: i64) -> Option<Move> {
    let point = |byte: i64| {
        let (rank, file) = (12 - (byte >> 4 & 15), (byte & 15) - 3);
        Square::at(u8::try_from(file).ok()?, u8::try_from(rank).ok()?)
    };
    Move::between(point(number >> 8 & 255)?, point(number & 255)?)
}

/// Writes a book as a SQLite file of another program; an old file is replaced.
pub fn write_obk(path: &Path, entries: &Entries, table: Table) -> Result<(), ForeignError> {
    let part = path.with_added_extension("part");
    let _ = std::fs::remove_file(&part);
    let failed = |source| ForeignError::Sqlite { path: path.to_owned(), source };
    let written = || -> Result<(), rusqlite::Error> {
        let mut connection = Connection::open(&part)?;
        let name = table.name();
        let transaction = connection.transaction()?;
        transaction.execute_batch(&format!(
            "CREATE TABLE {name}(id INTEGER PRIMARY KEY, vkey INTEGER, vmove INTEGER, vscore INTEGER, vwin INTEGER,
             vdraw INTEGER, vlost INTEGER, vvalid INTEGER, vmemo TEXT, vindex INTEGER);
             CREATE INDEX {name}_key ON {name}(vkey);"
        ))?;
        let mut insert = transaction.prepare(&format!(
            "INSERT INTO {name}(vkey, vmove, vscore, vwin, vdraw, vlost, vvalid, vmemo, vindex)
             VALUES (?, ?, ?, ?, ?, ?, 1, ?, 0)"
        ))?;
        for (key, moves) in entries {
            for known in moves {
                insert.execute(params![
                    key.get() as i64,
                    obk_move(known.mv),
                    known.score.unwrap_or(0),
                    known.wins,
                    known.draws,
                    known.losses,
                    known.note
                ])?;
            }
        }
        drop(insert);
        transaction.commit()
    };
    written().map_err(failed)?;
    std::fs::rename(&part, path)
        .map_err(|error| failed(rusqlite::Error::ToSqlConversionFailure(Box::new(error))))
}

/// Reads `.obk` and PFBook files.
pub fn read_obk(path: &Path) -> Result<Imported, ForeignError> {
    let failed = |source| ForeignError::Sqlite { path: path.to_owned(), source };
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(failed)?;
    let has = |table: Table| {
        let count = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE";
        connection.query_row(count, [table.name()], |row| row.get::<_, i64>(0)).map(|count| count > 0)
    };
    let table = match (has(Table::Obk).map_err(failed)?, has(Table::PfBook).map_err(failed)?) {
        (true, _) => Table::Obk,
        (_, true) => Table::PfBook,
        _ => return Err(ForeignError::NoTable(path.to_owned())),
    };
    let rows = rows(&connection, table).map_err(failed)?;
    Ok(matched(rows))
}

/// The moves by the keys of their positions.
type Rows = HashMap<u64, Vec<(Option<Move>, BookMove)>>;

fn rows(connection: &Connection, table: Table) -> Result<Rows, rusqlite::Error> {
    let mut statement = connection.prepare(&format!(
        "SELECT vkey, vmove, vscore, vwin, vdraw, vlost FROM {} WHERE coalesce(vvalid, 1) <> 0",
        table.name()
    ))?;
    let mut found = statement.query([])?;
    let mut rows = Rows::new();
    while let Some(row) = found.next()? {
        let number = |index| row.get::<_, Option<i64>>(index).map(|number| number.unwrap_or(0));
        let count = |index| number(index).map(|number| number.clamp(0, u32::MAX.into()) as u32);
        let mv = move_of_obk(number(1)?);
        let any = Move::from_packed(1).or_else(|| Position::start().moves().first().copied());
        let Some(placeholder) = mv.or(any) else { continue };
        let (wins, draws, losses) = (count(3)?, count(4)?, count(5)?);
        let score = number(2)?.clamp(-30_000, 30_000) as i16;
        let known = BookMove {
            count: wins.saturating_add(draws).saturating_add(losses),
            wins,
            draws,
            losses,
            score: (score != 0).then_some(score),
            ..BookMove::new(placeholder)
        };
        rows.entry(number(0)? as u64).or_default().push((mv, known));
    }
    Ok(rows)
}

/// Walks from the start position through the rows that have its keys.
fn matched(rows: Rows) -> Imported {
    let total: usize = rows.values().map(Vec::len).sum();
    let mut imported = Imported::default();
    let mut seen: HashSet<Key> = HashSet::new();
    let mut waiting = VecDeque::from([Position::start()]);
    let mut taken = 0;
    while let Some(position) = waiting.pop_front() {
        let (key, is_mirrored) = position.merged_key();
        let Some(known) = rows.get(&key.get()).filter(|_| seen.insert(key)) else { continue };
        let turned = |known: &BookMove| known.clone().turned(is_mirrored);
        let legal: Vec<BookMove> = known
            .iter()
            .filter(|(mv, known)| mv.is_some() && position.is_legal(turned(known).mv))
            .map(|(_, known)| known.clone())
            .collect();
        taken += legal.len();
        for known in &legal {
            let mut child = position.clone();
            let _ = child.play(turned(known).mv, &mut ());
            waiting.push_back(child);
        }
        imported.entries.insert(key, legal);
    }
    imported.unmatched = total - taken;
    imported
}

/// A position of a book in JSON.
#[derive(Serialize, Deserialize)]
struct PositionJson {
    /// Sixteen hexadecimal digits.
    key: String,
    moves: Vec<MoveJson>,
}

#[derive(Serialize, Deserialize)]
struct MoveJson {
    #[serde(rename = "move")]
    mv: String,
    #[serde(default)]
    count: u32,
    #[serde(default)]
    wins: u32,
    #[serde(default)]
    draws: u32,
    #[serde(default)]
    losses: u32,
    #[serde(default)]
    strength: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    score: Option<i16>,
    #[serde(default)]
    depth: u8,
    #[serde(default)]
    weight: i16,
    #[serde(default)]
    seen: u32,
    #[serde(flatten)]
    flags: Flags,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    note: String,
}

/// Writes a book as JSON: a list of positions, each with its key and its moves.
pub fn write_json(entries: &Entries) -> String {
    let positions: Vec<PositionJson> = entries
        .iter()
        .map(|(key, moves)| PositionJson {
            key: key.to_string(),
            moves: moves.iter().map(MoveJson::from).collect(),
        })
        .collect();
    serde_json::to_string(&positions).expect("books are plain data")
}

/// Reads a book from JSON.
pub fn read_json(text: &str) -> Result<Entries, ForeignError> {
    let positions: Vec<PositionJson> = serde_json::from_str(text)?;
    let mut entries = Entries::new();
    for position in positions {
        let key = u64::from_str_radix(&position.key, 16)
            .map_err(|_| ForeignError::Unreadable(position.key.chars().take(40).collect()))?;
        let moves = position.moves.into_iter().map(BookMove::try_from).collect::<Result<_, _>>()?;
        entries.insert(Key::from_number(key), moves);
    }
    Ok(entries)
}

impl From<&BookMove> for MoveJson {
    fn from(known: &BookMove) -> Self {
        Self {
            mv: known.mv.to_string(),
            count: known.count,
            wins: known.wins,
            draws: known.draws,
            losses: known.losses,
            strength: known.strength,
            score: known.score,
            depth: known.depth,
            weight: known.weight,
            seen: known.seen,
            flags: known.flags,
            note: known.note.clone(),
        }
    }
}

impl TryFrom<MoveJson> for BookMove {
    type Error = ForeignError;

    fn try_from(json: MoveJson) -> Result<Self, ForeignError> {
        let mv = parse_move(&json.mv, RankStyle::FromZero)
            .map_err(|_| ForeignError::Unreadable(json.mv.chars().take(40).collect()))?;
        Ok(Self {
            mv,
            count: json.count,
            wins: json.wins,
            draws: json.draws,
            losses: json.losses,
            strength: json.strength,
            score: json.score,
            depth: json.depth,
            weight: json.weight,
            seen: json.seen,
            flags: json.flags,
            note: json.note,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Builder, Filter};
    use chuhe_notation::pgn;

    fn book() -> Entries {
        let mut builder = Builder::new(Filter::default());
        for game in
            pgn::read("1. h2e2 h9g7 2. h0g2 1-0\n\n[Red \"a\"] 1. c3c4 g6g5 0-1\n", RankStyle::FromZero)
        {
            builder.add(&game.unwrap());
        }
        builder.finish()
    }

    #[test]
    fn moves_of_obk_are_those_of_its_board() {
        for from in Square::all() {
            for to in Square::all().filter(|to| *to != from) {
                let mv = Move::between(from, to).unwrap();
                assert_eq!(move_of_obk(obk_move(mv)), Some(mv));
            }
        }
        assert_eq!(move_of_obk(0), None);
    }

    #[test]
    fn what_is_exported_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        for table in [Table::Obk, Table::PfBook] {
            let path = folder.path().join("a.obk");
            write_obk(&path, &book(), table).unwrap();
            let imported = read_obk(&path).unwrap();
            assert_eq!((imported.entries, imported.unmatched), (book(), 0));
        }
        assert_eq!(read_json(&write_json(&book())).unwrap(), book());
    }

    #[test]
    fn keys_of_others_are_counted_as_unmatched() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.obk");
        write_obk(&path, &book(), Table::Obk).unwrap();
        Connection::open(&path).unwrap().execute_batch("UPDATE bhobk SET vkey = vkey + 1").unwrap();
        let imported = read_obk(&path).unwrap();
        assert_eq!((imported.entries.len(), imported.unmatched), (0, 5));
    }

    #[test]
    fn what_is_no_book_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.obk");
        assert!(read_obk(&path).is_err());
        assert!(!path.exists());
        Connection::open(&path).unwrap().execute_batch("CREATE TABLE t(a)").unwrap();
        assert!(matches!(read_obk(&path), Err(ForeignError::NoTable(_))));
        std::fs::write(&path, "no database").unwrap();
        assert!(read_obk(&path).is_err());
        assert!(read_json("{}").is_err());
        assert!(read_json("[{\"key\":\"xyz\",\"moves\":[]}]").is_err());
    }
}
