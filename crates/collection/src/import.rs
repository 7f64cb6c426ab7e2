//! Adding games.

use std::collections::HashMap;

use chuhe_board::Position;
use chuhe_book::openings;
use chuhe_notation::RecordError;
use chuhe_notation::record::Game;
use rusqlite::{Connection, OptionalExtension, params};

use super::duplicates::{Fingerprint, SHORTEST_CERTAIN, SHORTEST_TRANSPOSED};
use super::material::Material;
use super::postings::{self, Entry};
use super::{Collection, CollectionError, stored};

/// The result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportReport {
    /// Games that were added.
    pub added: usize,
    /// Games that were there already, perhaps mirrored.
    pub same: usize,
    /// Games that were there already with some moves exchanged.
    pub transposed: usize,
    /// Games that could not be read, with the reasons of the first few.
    pub skipped: Vec<Skip>,
    /// Faults of games that were added as far as they could be read.
    pub faults: Vec<Skip>,
}

/// A game that was not added, or not whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skip {
    /// Where it stands.
    pub source: String,
    /// Why it was skipped.
    pub reason: RecordError,
}

/// Index entries per commit. It bounds the memory, and the loss when the program is killed.
const BATCH_ENTRIES: usize = 500_000;

/// Games on their way into a collection.
pub struct Import<'a> {
    collection: &'a mut Collection,
    keeps_duplicates: bool,
    next: u32,
    entries: Vec<Entry>,
    names: HashMap<String, i64>,
    /// What came of it so far.
    pub report: ImportReport,
}

impl Collection {
    /// Starts to add games. Those that are there already are skipped unless duplicates are kept.
    pub fn import(&mut self, keeps_duplicates: bool) -> Result<Import<'_>, CollectionError> {
        self.connection.execute_batch("BEGIN IMMEDIATE")?;
        self.results = None;
        let last: Option<u32> =
            self.connection.query_row("SELECT max(id) FROM games", [], |row| row.get(0))?;
        Ok(Import {
            collection: self,
            keeps_duplicates,
            next: last.unwrap_or(0) + 1,
            entries: Vec::new(),
            names: HashMap::new(),
            report: ImportReport::default(),
        })
    }
}

impl Import<'_> {
    /// Adds a game. A game that does not say its opening is found by the one that its moves are.
    pub fn add(&mut self, game: &Game) -> Result<(), CollectionError> {
        let first_entry = self.entries.len();
        let end = self.index(game);
        let fingerprint = Fingerprint::of(game, &end);
        if !self.keeps_duplicates && self.is_known(game, &fingerprint)? {
            self.entries.truncate(first_entry);
            return Ok(());
        }
        let id = self.next;
        let named = openings::name(&game.main_moves().collect::<Vec<_>>());
        let named = named.filter(|_| game.start() == &Position::start());
        let tag = |name: &str| {
            let found = match name {
                "Opening" => named.map(|opening| opening.chinese),
                "ECCO" => named.map(|opening| opening.code),
                _ => None,
            };
            game.tags.get(name).or(found).map(str::to_owned)
        };
        let mut ids = Vec::new();
        for name in ["Red", "Black", "Event", "Opening"] {
            ids.push(match tag(name) {
                Some(text) => Some(self.name(text)?),
                None => None,
            });
        }
        let connection = self.connection();
        let mut insert = connection.prepare_cached(
            "INSERT INTO games(id, red, black, event, opening, ecco, date, result, plies, trace, goal)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?;
        insert.execute(params![
            id,
            ids[0],
            ids[1],
            ids[2],
            ids[3],
            tag("ECCO"),
            tag("Date"),
            stored::result_number(game.outcome),
            game.main_moves().count() as i64,
            fingerprint.trace,
            fingerprint.goal,
        ])?;
        stored::write_record(connection, id, game)?;
        drop(insert);
        self.next += 1;
        self.report.added += 1;
        if self.entries.len() >= BATCH_ENTRIES {
            self.write_batch()?;
            self.connection().execute_batch("BEGIN IMMEDIATE")?;
        }
        Ok(())
    }

    /// Adds a game of a file and notes its faults.
    pub fn add_from(&mut self, source: &str, game: &Game) -> Result<(), CollectionError> {
        let faults =
            game.faults().iter().map(|reason| Skip { source: source.to_owned(), reason: reason.clone() });
        self.report.faults.extend(faults);
        self.add(game)
    }

    /// Notes a game that cannot be read.
    pub fn skip(&mut self, source: String, reason: RecordError) {
        self.report.skipped.push(Skip { source, reason });
    }

    /// Commits the rest and returns the report.
    pub fn finish(mut self) -> Result<ImportReport, CollectionError> {
        self.write_batch()?;
        Ok(std::mem::take(&mut self.report))
    }

    fn connection(&self) -> &Connection {
        &self.collection.connection
    }

    fn write_batch(&mut self) -> Result<(), CollectionError> {
        let entries = std::mem::take(&mut self.entries);
        postings::add_segment(self.connection(), entries)?;
        self.connection().execute_batch("COMMIT")?;
        Ok(())
    }

    /// Notes the keys of the game's positions and materials; the position at its end.
    fn index(&mut self, game: &Game) -> Position {
        let mut position = game.start().clone();
        self.note(&position, true);
        for mv in game.main_moves() {
            let undo = position.play(mv, &mut ());
            self.note(&position, undo.captured().is_some());
        }
        position
    }

    fn note(&mut self, position: &Position, is_new_material: bool) {
        self.entries.push((position.merged_key().0.get(), self.next));
        if is_new_material {
            self.entries.extend(Material::keys(position).map(|key| (key, self.next)));
        }
    }

    /// Whether the game is there already; counts it if so.
    fn is_known(&mut self, game: &Game, fingerprint: &Fingerprint) -> Result<bool, CollectionError> {
        let plies = game.main_moves().count();
        let is_same = {
            let mut find = self.connection().prepare_cached(
                "SELECT r.text, b.text FROM games g LEFT JOIN names r ON r.id = g.red LEFT JOIN names b ON b.id = g.black
                 WHERE g.trace = ?",
            )?;
            let mut rows = find.query([fingerprint.trace])?;
            let mut is_same = false;
            while let Some(row) = rows.next()? {
                let names: [Option<String>; 2] = [row.get(0)?, row.get(1)?];
                is_same |= plies >= SHORTEST_CERTAIN || agree(game, &names);
            }
            is_same
        };
        if is_same {
            self.report.same += 1;
            return Ok(true);
        }
        if plies < SHORTEST_TRANSPOSED {
            return Ok(false);
        }
        let mut find =
            self.connection().prepare_cached("SELECT 1 FROM games WHERE goal = ? AND trace <> ?")?;
        let is_transposed =
            find.query_row([fingerprint.goal, fingerprint.trace], |_| Ok(())).optional()?.is_some();
        drop(find);
        self.report.transposed += usize::from(is_transposed);
        Ok(is_transposed)
    }

    fn name(&mut self, text: String) -> Result<i64, CollectionError> {
        if let Some(id) = self.names.get(&text) {
            return Ok(*id);
        }
        let id = match self.collection.name_id(&text)? {
            Some(id) => id,
            None => {
                self.connection().prepare_cached("INSERT INTO names(text) VALUES (?)")?.execute([&text])?;
                self.connection().last_insert_rowid()
            }
        };
        self.names.insert(text, id);
        Ok(id)
    }
}

/// Whether the players may be the same: an unknown name agrees with any.
fn agree(game: &Game, names: &[Option<String>; 2]) -> bool {
    ["Red", "Black"].iter().zip(names).all(|(tag, known)| match (game.tags.get(tag), known) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    })
}

/// An import that is given up changes nothing since the last batch.
impl Drop for Import<'_> {
    fn drop(&mut self) {
        if !self.collection.connection.is_autocommit() {
            let _ = self.collection.connection.execute_batch("ROLLBACK");
        }
    }
}
