//! A game as rows of the collection, and back.

use chuhe_board::coords::RankStyle;
use chuhe_board::{Move, Outcome, Position, fen};
use chuhe_notation::pgn::{self, MoveStyle};
use chuhe_notation::record::{Game, GameBuilder};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::CollectionError;

/// Tags that only their columns hold. The columns for the opening are filled for games that do not name theirs, too,
/// so that its tags are kept among the others.
const COLUMNS: [&str; 4] = ["Red", "Black", "Event", "Date"];

const BAD_GAME: CollectionError = CollectionError::Damaged("a game cannot be read");

/// The number of an outcome in the column `result`.
pub(super) const fn result_number(outcome: Outcome) -> i64 {
    match outcome {
        Outcome::Undecided => 0,
        Outcome::RedWins => 1,
        Outcome::BlackWins => 2,
        Outcome::Draw => 3,
    }
}

pub(super) const fn outcome_of(number: i64) -> Outcome {
    match number {
        1 => Outcome::RedWins,
        2 => Outcome::BlackWins,
        3 => Outcome::Draw,
        _ => Outcome::Undecided,
    }
}

/// Writes the row of `records`.
pub(super) fn write_record(connection: &Connection, id: u32, game: &Game) -> Result<(), CollectionError> {
    let is_bare = !game.has_variations() && !game.has_comments() && !game.has_marks();
    let start = game.start().to_string();
    let tags: String = game
        .tags
        .iter()
        .filter(|(name, _)| !COLUMNS.iter().any(|column| column.eq_ignore_ascii_case(name)))
        .map(|(name, value)| format!("{name}\t{value}\n"))
        .collect();
    let mut insert = connection
        .prepare_cached("INSERT INTO records(id, start, moves, tags, whole) VALUES (?, ?, ?, ?, ?)")?;
    insert.execute(params![
        id,
        (start != fen::START).then_some(start),
        moves_blob(game),
        (!tags.is_empty()).then_some(tags),
        (!is_bare).then(|| pgn::write(game, MoveStyle::Coordinates).text),
    ])?;
    Ok(())
}

fn moves_blob(game: &Game) -> Vec<u8> {
    game.main_moves().flat_map(|mv| mv.packed().to_le_bytes()).collect()
}

/// The moves of a blob.
pub(super) fn moves_of(blob: &[u8]) -> Result<Vec<Move>, CollectionError> {
    let (pairs, rest) = blob.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(BAD_GAME);
    }
    pairs.iter().map(|pair| Move::from_packed(u16::from_le_bytes(*pair)).ok_or(BAD_GAME)).collect()
}

/// The start position of a row; the normal one is not written down.
pub(super) fn start_of(text: Option<&str>) -> Result<Position, CollectionError> {
    match text {
        Some(fen) => fen::parse(fen).map_err(|_| BAD_GAME),
        None => Ok(Position::start()),
    }
}

/// Reads a game.
pub(super) fn read(connection: &Connection, id: u32) -> Result<Game, CollectionError> {
    const GAME: &str = "
        SELECT r.text, b.text, e.text, g.date, g.result,
               records.start, records.moves, records.tags, records.whole
        FROM games g JOIN records ON records.id = g.id
        LEFT JOIN names r ON r.id = g.red LEFT JOIN names b ON b.id = g.black
        LEFT JOIN names e ON e.id = g.event
        WHERE g.id = ?";
    let mut statement = connection.prepare_cached(GAME)?;
    let game = statement.query_row([id], |row| Ok(game_of(row))).optional()?;
    game.ok_or(CollectionError::NoGame(id))?
}

fn game_of(row: &Row<'_>) -> Result<Game, CollectionError> {
    if let Some(whole) = row.get::<_, Option<String>>(8)? {
        let game = pgn::read(&whole, RankStyle::FromZero).next();
        return game.ok_or(BAD_GAME)?.map_err(|_| BAD_GAME);
    }
    let start: Option<String> = row.get(5)?;
    let mut builder = GameBuilder::new(start_of(start.as_deref())?);
    for mv in moves_of(&row.get::<_, Vec<u8>>(6)?)? {
        builder.play(mv).map_err(|_| BAD_GAME)?;
    }
    for (index, name) in COLUMNS.iter().enumerate() {
        builder.set_tag(name, &row.get::<_, Option<String>>(index)?.unwrap_or_default());
    }
    for line in row.get::<_, Option<String>>(7)?.unwrap_or_default().lines() {
        let (name, value) = line.split_once('\t').ok_or(BAD_GAME)?;
        builder.set_tag(name, value);
    }
    builder.set_outcome(outcome_of(row.get(4)?));
    Ok(builder.finish())
}
