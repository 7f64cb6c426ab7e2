//! `.obk` and PFBook: SQLite files with a row for each move.
//!
//! The columns of the tables `bhobk` and `pfBook`: `vkey` the position's key, `vmove` the move with its start in the
//! high byte (in the low one in `.yfk` files), `vscore`, `vwin`, `vdraw`, `vlost`, `vvalid`, `vmemo`, `vindex`.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Row, params};

use super::elephant_eye::{packed, unpacked};
use super::matching::{Rows, rows_of};
use super::{Damage, Imported, Keys, Table};
use crate::{BookMove, Entries};

/// Writes the table into a new file; how many moves could not be reached from the start position.
pub(super) fn write(
    path: &Path,
    entries: &Entries,
    table: Table,
    keys: &Keys,
) -> Result<usize, rusqlite::Error> {
    let (rows, unreached) = rows_of(entries, keys);
    let mut connection = Connection::open(path)?;
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
    for (key, known) in rows {
        insert.execute(params![
            key as i64,
            packed(known.mv).swap_bytes(),
            known.score.unwrap_or(0),
            known.wins,
            known.draws,
            known.losses,
            known.note
        ])?;
    }
    drop(insert);
    transaction.commit()?;
    Ok(unreached)
}

/// Reads whichever of the two tables is there.
pub(super) fn read(path: &Path, keys: &Keys) -> Result<Imported, Damage> {
    check_length(path)?;
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let has = |table: Table| {
        let count = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE";
        connection.query_row(count, [table.name()], |row| row.get::<_, i64>(0)).map(|count| count > 0)
    };
    let table = match (has(Table::Obk)?, has(Table::PfBook)?) {
        (true, _) => Table::Obk,
        (_, true) => Table::PfBook,
        _ => return Err(Damage::NoTable),
    };
    // The byte order is the one that matches more moves.
    let usual = rows(&connection, table, u16::swap_bytes)?.matched(keys);
    if usual.unmatched == 0 {
        return Ok(usual);
    }
    let swapped = rows(&connection, table, |mv| mv)?.matched(keys);
    Ok(if swapped.unmatched < usual.unmatched { swapped } else { usual })
}

/// SQLite accepts a file whose last page is cut short, so the length is checked against the page size and count in
/// the header, at 16 and 28.
fn check_length(path: &Path) -> Result<(), Damage> {
    const HEADER: usize = 32;
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut header = Vec::new();
    file.by_ref().take(HEADER as u64).read_to_end(&mut header)?;
    let Ok(header) = <[u8; HEADER]>::try_from(header) else { return Ok(()) };
    let page = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 1 << 16,
        size => u64::from(size),
    };
    let pages = u32::from_be_bytes([header[28], header[29], header[30], header[31]]);
    let whole = page * u64::from(pages);
    match header.starts_with(b"SQLite format 3\0") && length < whole {
        true => Err(Damage::CutOff { found: length, whole }),
        false => Ok(()),
    }
}

fn rows(connection: &Connection, table: Table, order: fn(u16) -> u16) -> Result<Rows, rusqlite::Error> {
    let mut statement =
        connection.prepare(&format!("SELECT * FROM {} WHERE coalesce(vvalid, 1) <> 0", table.name()))?;
    let mut found = statement.query([])?;
    let mut rows = Rows::default();
    while let Some(row) = found.next()? {
        let mv = unpacked(order(number(row, "vmove")? as u16));
        let known = mv.map(|mv| known(row, BookMove::new(mv))).transpose()?;
        rows.add(key(row)?, known);
    }
    Ok(rows)
}

/// The statistics of a row.
fn known(row: &Row<'_>, bare: BookMove) -> Result<BookMove, rusqlite::Error> {
    let count = |name| number(row, name).map(|number| number.clamp(0, u32::MAX.into()) as u32);
    let (wins, draws, losses) = (count("vwin")?, count("vdraw")?, count("vlost")?);
    let score = number(row, "vscore")?.clamp(-30_000, 30_000) as i16;
    // Not every program keeps notes.
    let note = row.get::<_, Option<String>>("vmemo").ok().flatten().unwrap_or_default();
    Ok(BookMove {
        count: wins.saturating_add(draws).saturating_add(losses),
        wins,
        draws,
        losses,
        score: (score != 0).then_some(score),
        note,
        ..bare
    })
}

fn number(row: &Row<'_>, name: &str) -> Result<i64, rusqlite::Error> {
    row.get::<_, Option<i64>>(name).map(|number| number.unwrap_or(0))
}

/// The key: some programs store large ones as the floating-point number with the same bits.
fn key(row: &Row<'_>) -> Result<u64, rusqlite::Error> {
    Ok(match row.get_ref("vkey")? {
        ValueRef::Integer(number) => number as u64,
        ValueRef::Real(number) => number.to_bits(),
        _ => 0,
    })
}
