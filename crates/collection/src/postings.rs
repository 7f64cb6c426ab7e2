//! Inverted index: posting lists from keys to games. A key is that of a position (mirror images share one) or of the
//! material on the board.
//!
//! A row for every position of every game would need gigabytes and random writes. Instead the entries of many
//! games are sorted and packed into a *segment*: its keys are cut into buckets by their first bits, and a bucket
//! is one blob of some kilobytes. A search reads one blob of each segment. Small segments are merged as they
//! come together, so that there are never many.
//!
//! ```text
//! bucket = group*
//! group  = key' games first next*       all numbers as LEB128
//! key'   the bits of the key behind the bucket's, less those of the group before
//! games  how many games have it; first is the number of the first, next the distance to the next
//! ```

use rusqlite::{Connection, OptionalExtension, params};

use super::CollectionError;

/// A key and a game that has it.
pub(super) type Entry = (u64, u32);

/// How many bytes a bucket has, roughly.
const BUCKET_BYTES: usize = 4096;
/// How many bytes an entry needs, roughly.
const ENTRY_BYTES: usize = 8;
/// Bits of a key that are stored: with a hundred million positions, one search in a hundred thousand has a false
/// positive.
const KEY_BITS: u32 = 44;
/// The most bits that choose a bucket.
const MOST_BITS: u32 = 20;
/// Larger segments are left alone: merging them would need too much memory.
const LARGEST_MERGED: i64 = 4_000_000;
/// This many segments of a size are merged.
const TOGETHER: usize = 8;

/// Adds a segment with these entries.
pub(super) fn add_segment(connection: &Connection, mut entries: Vec<Entry>) -> Result<(), CollectionError> {
    if entries.is_empty() {
        return Ok(());
    }
    entries.sort_unstable();
    entries.dedup();
    write_segment(connection, &entries)?;
    merge_small(connection)
}

fn write_segment(connection: &Connection, entries: &[Entry]) -> Result<(), CollectionError> {
    let bits = (entries.len() * ENTRY_BYTES / BUCKET_BYTES).max(1).ilog2().min(MOST_BITS);
    connection
        .execute("INSERT INTO segments(bits, entries) VALUES (?, ?)", params![bits, entries.len() as i64])?;
    let segment = connection.last_insert_rowid();
    let mut insert = connection.prepare_cached("INSERT INTO postings(id, entries) VALUES (?, ?)")?;
    for bucket in entries.chunk_by(|one, other| bucket_of(one.0, bits) == bucket_of(other.0, bits)) {
        insert.execute(params![row(segment, bucket_of(bucket[0].0, bits)), packed(bucket, bits)])?;
    }
    Ok(())
}

fn bucket_of(key: u64, bits: u32) -> i64 {
    key.checked_shr(64 - bits).unwrap_or(0) as i64
}

const fn row(segment: i64, bucket: i64) -> i64 {
    segment << MOST_BITS | bucket
}

/// What is kept of a key in its bucket.
const fn rest_of(key: u64, bits: u32) -> u64 {
    key << bits >> bits >> (64 - KEY_BITS)
}

fn packed(entries: &[Entry], bits: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut last_rest = 0;
    for group in entries.chunk_by(|one, other| rest_of(one.0, bits) == rest_of(other.0, bits)) {
        let mut games: Vec<u32> = group.iter().map(|(_, game)| *game).collect();
        games.sort_unstable();
        games.dedup();
        let rest = rest_of(group[0].0, bits);
        push_number(&mut bytes, rest - last_rest);
        push_number(&mut bytes, games.len() as u64);
        let mut last = 0;
        for game in games {
            push_number(&mut bytes, u64::from(game - last));
            last = game;
        }
        last_rest = rest;
    }
    bytes
}

fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take_number(bytes: &mut &[u8]) -> Result<u64, CollectionError> {
    let mut number = 0_u64;
    for shift in (0..63).step_by(7) {
        let (byte, rest) = bytes.split_first().ok_or(DAMAGED)?;
        *bytes = rest;
        number |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return Ok(number);
        }
    }
    Err(DAMAGED)
}

const DAMAGED: CollectionError = CollectionError::Damaged("its index cannot be read");

/// Walks through the groups of a bucket; `wanted` says whether the games of a group are of interest, and `take`
/// gets them.
fn for_each_group(
    mut bytes: &[u8],
    mut wanted: impl FnMut(u64) -> bool,
    mut take: impl FnMut(u64, u32),
) -> Result<(), CollectionError> {
    let mut rest = 0_u64;
    while !bytes.is_empty() {
        rest = rest.checked_add(take_number(&mut bytes)?).ok_or(DAMAGED)?;
        let count = take_number(&mut bytes)?;
        let is_wanted = wanted(rest);
        let mut game = 0_u32;
        for _ in 0..count {
            let distance = u32::try_from(take_number(&mut bytes)?).map_err(|_| DAMAGED)?;
            game = game.checked_add(distance).ok_or(DAMAGED)?;
            if is_wanted {
                take(rest, game);
            }
        }
    }
    Ok(())
}

/// The games with a key, in order.
pub(super) fn games_with(connection: &Connection, key: u64) -> Result<Vec<u32>, CollectionError> {
    let mut games = Vec::new();
    let mut read = connection.prepare_cached("SELECT entries FROM postings WHERE id = ?")?;
    for (segment, bits) in segments(connection)? {
        let bucket: Option<Vec<u8>> =
            read.query_row([row(segment, bucket_of(key, bits))], |row| row.get(0)).optional()?;
        let Some(bucket) = bucket else { continue };
        for_each_group(&bucket, |rest| rest == rest_of(key, bits), |_, game| games.push(game))?;
    }
    games.sort_unstable();
    games.dedup();
    Ok(games)
}

fn segments(connection: &Connection) -> Result<Vec<(i64, u32)>, CollectionError> {
    let mut statement = connection.prepare_cached("SELECT number, bits FROM segments ORDER BY number")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, u32>(1)?.min(MOST_BITS))))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Merges segments of about the same size until there are few of each.
fn merge_small(connection: &Connection) -> Result<(), CollectionError> {
    loop {
        let mut by_size: [Vec<i64>; 22] = Default::default();
        let mut statement = connection.prepare_cached("SELECT number, entries FROM segments")?;
        let rows = statement.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)))?;
        for row in rows {
            let (number, entries) = row?;
            if entries < LARGEST_MERGED {
                by_size[entries.max(1).ilog(TOGETHER as i64) as usize].push(number);
            }
        }
        let Some(many) = by_size.into_iter().find(|segments| segments.len() >= TOGETHER) else {
            return Ok(());
        };
        merge(connection, &many)?;
    }
}

/// Makes one segment of several.
fn merge(connection: &Connection, segments: &[i64]) -> Result<(), CollectionError> {
    let mut entries: Vec<Entry> = Vec::new();
    for segment in segments {
        let bits: u32 =
            connection
                .query_row("SELECT bits FROM segments WHERE number = ?", [segment], |row| row.get(0))?;
        let range = params![row(*segment, 0), row(*segment + 1, 0)];
        let mut statement =
            connection.prepare_cached("SELECT id, entries FROM postings WHERE id >= ? AND id < ?")?;
        let mut rows = statement.query(range)?;
        while let Some(found) = rows.next()? {
            let bucket = (found.get::<_, i64>(0)? - row(*segment, 0)) as u64;
            let blob = found.get_ref(1)?.as_blob().map_err(|_| DAMAGED)?;
            let high = bucket.checked_shl(64 - bits).unwrap_or(0);
            for_each_group(
                blob,
                |_| true,
                |rest, game| {
                    entries.push((high | rest << (64 - KEY_BITS), game));
                },
            )?;
        }
        connection.execute("DELETE FROM postings WHERE id >= ? AND id < ?", range)?;
        connection.execute("DELETE FROM segments WHERE number = ?", [segment])?;
    }
    entries.sort_unstable();
    entries.dedup();
    write_segment(connection, &entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Collection;

    /// A key for any number; its bits are spread.
    fn key(number: u64) -> u64 {
        number.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    #[test]
    fn every_entry_is_found_whatever_was_merged() {
        let folder = tempfile::tempdir().unwrap();
        let collection = Collection::open(&folder.path().join("games.db")).unwrap();
        let connection = &collection.connection;
        // Game g has the keys 0, g, g / 2 and 1000 + g; segments differ in size and are merged now and then.
        let mut game = 0_u32;
        for size in (1..60).chain([3000]) {
            let games = game..game + size;
            let entries = games.clone().flat_map(|game| {
                [0, u64::from(game), u64::from(game / 2), 100_000 + u64::from(game)]
                    .map(|number| (key(number), game))
            });
            add_segment(connection, entries.collect()).unwrap();
            game = games.end;
        }
        assert!(segments(connection).unwrap().len() < 20);
        assert_eq!(games_with(connection, key(0)).unwrap(), (0..game).collect::<Vec<_>>());
        for number in 2..game / 2 {
            assert_eq!(
                games_with(connection, key(number.into())).unwrap(),
                [number, 2 * number, 2 * number + 1]
            );
        }
        assert_eq!(games_with(connection, key(100_000 + u64::from(game) - 1)).unwrap(), [game - 1]);
        assert!(games_with(connection, key(777_777)).unwrap().is_empty());
    }

    #[test]
    fn a_damaged_bucket_is_an_error() {
        for bytes in [&[0x80][..], &[1], &[1, 1], &[1, 2, 3], &[0xFF; 12]] {
            assert!(for_each_group(bytes, |_| true, |_, _| {}).is_err(), "{bytes:?}");
        }
    }
}
