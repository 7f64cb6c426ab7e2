//! CBL, the libraries of CCBridge (象棋橋): a header, an index, then many [`crate::cbr`] records, each
//! from a multiple of 4096 bytes behind the index; or the compressed libraries of older versions (`old`). `docs/formats.md` describes every byte.

mod old;

use crate::bytes::at_byte;
use crate::cbr;
use crate::failure::{Loss, Problem, RecordError};
use crate::record::Game;

const MAGIC: &[u8; 16] = b"CCBridgeLibrary\0";
const VERSION: usize = 16;
const LIMIT: usize = 52;
const SLOTS: usize = 60;
const NAME: usize = 64;
const NAME_WIDTH: usize = 512;
/// Where the index starts.
const INDEX: usize = 66624;
/// The state of an entry that names a record.
const USED: usize = 7;
/// The size of an entry of the index.
const ENTRY: usize = 276;
/// Records start at multiples of this behind the index.
const SLOT: usize = 4096;
/// The capacity of a library is a multiple of this.
const SLOT_STEP: usize = 128;

/// The games of a library, in the order of the file, strictly. A game that cannot be read is an error and does not
/// keep the next one from being read.
pub fn read(bytes: &[u8]) -> impl Iterator<Item = Result<Game, RecordError>> {
    read_tolerantly(bytes).map(|game| game.and_then(Game::strict))
}

pub(crate) fn read_tolerantly(bytes: &[u8]) -> Box<dyn Iterator<Item = Result<Game, RecordError>> + '_> {
    if bytes.starts_with(old::MAGIC) {
        return Box::new(old::read(bytes));
    }
    Box::new(read_slots(bytes))
}

fn read_slots(bytes: &[u8]) -> impl Iterator<Item = Result<Game, RecordError>> {
    let (header_error, first) = match first_record(bytes) {
        Ok(first) => (None, first),
        Err(error) => (Some(Err(error)), bytes.len()),
    };
    let is_record = |start: &usize| bytes[*start..].starts_with(cbr::MAGIC);
    let starts: Vec<usize> = (first..bytes.len()).step_by(SLOT).filter(is_record).collect();
    // A record ends where the next one starts, whatever its lengths claim.
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([bytes.len()]).collect();
    let truncated = header_error.is_none().then(|| truncation(bytes, first, starts.len())).flatten();
    let records = starts.into_iter().zip(ends).enumerate();
    let games = records.map(|(index, (start, end))| cbr::read_at(&bytes[..end], start, index + 1));
    header_error.into_iter().chain(games).chain(truncated.map(Err))
}

/// The error of a library whose index names more records than it has, and more than fit into the file: it is cut
/// short. An index that is merely wrong is let pass.
fn truncation(bytes: &[u8], first: usize, records: usize) -> Option<RecordError> {
    let index = bytes.get(INDEX..first.min(bytes.len())).unwrap_or_default();
    let number = |entry: &[u8], at: usize| {
        u32::from_le_bytes([entry[at], entry[at + 1], entry[at + 2], entry[at + 3]]) as usize
    };
    let used: Vec<usize> = index
        .chunks_exact(ENTRY)
        .filter(|entry| number(entry, 0) == USED)
        .map(|entry| number(entry, 8))
        .collect();
    let slots = used.iter().fold(0_usize, |sum, slots| sum.saturating_add(*slots));
    // The last slot need not be filled up.
    let needed = slots.saturating_sub(1).saturating_mul(SLOT);
    (used.len() > records && bytes.len().saturating_sub(first) <= needed)
        .then(|| at_byte(records + 1, bytes.len())(Problem::Truncated("the library")))
}

/// Where the first record starts; the end of the file if there is none.
fn first_record(bytes: &[u8]) -> Result<usize, RecordError> {
    if !bytes.starts_with(MAGIC) {
        return Err(at_byte(1, 0)(Problem::NotThisFormat("CBL")));
    }
    let slots = bytes
        .get(SLOTS..SLOTS + 4)
        .and_then(|slots| slots.try_into().ok())
        .map(u32::from_le_bytes)
        .ok_or_else(|| at_byte(1, bytes.len())(Problem::Truncated("the header")))?;
    let expected = (slots as usize).checked_mul(ENTRY).and_then(|index| index.checked_add(INDEX));
    match expected {
        Some(start) if bytes.get(start..).is_some_and(|rest| rest.starts_with(cbr::MAGIC)) => Ok(start),
        // Some programs count the games there instead of the slots.
        _ => Ok(search(bytes).unwrap_or(bytes.len())),
    }
}

fn search(bytes: &[u8]) -> Option<usize> {
    let behind_header = bytes.get(NAME..)?;
    let found = behind_header.windows(cbr::MAGIC.len()).position(|window| window == cbr::MAGIC)?;
    Some(NAME + found)
}

/// The name of a library; empty if it has none.
pub fn name(bytes: &[u8]) -> String {
    bytes.get(NAME..NAME + NAME_WIDTH).map(cbr::utf_16).unwrap_or_default()
}

/// A library to be written.
#[derive(Default)]
pub struct Library {
    records: Vec<Record>,
}

impl Library {
    /// Adds a game; says what of it the format lacks.
    pub fn add(&mut self, game: &Game) -> Vec<Loss> {
        let (record, losses) = Record::new(game);
        self.records.push(record);
        losses
    }

    /// The bytes of the library.
    pub fn write(self, name: &str) -> Vec<u8> {
        let slots = self.records.len().max(1).next_multiple_of(SLOT_STEP);
        let mut bytes = vec![0; INDEX + slots * ENTRY];
        bytes[..MAGIC.len()].copy_from_slice(MAGIC);
        bytes[VERSION] = 3;
        bytes[LIMIT..LIMIT + 4].copy_from_slice(&i32::MAX.to_le_bytes());
        bytes[SLOTS..SLOTS + 4].copy_from_slice(&(slots as u32).to_le_bytes());
        cbr::put_text(name, &mut bytes[NAME..NAME + NAME_WIDTH]);
        for (index, record) in self.records.iter().enumerate() {
            let at = INDEX + index * ENTRY;
            record.put_entry(index, &mut bytes[at..at + ENTRY]);
        }
        let first = bytes.len();
        for record in self.records {
            bytes.extend(record.bytes);
            let used = bytes.len() - first;
            bytes.resize(first + used.next_multiple_of(SLOT), 0);
        }
        bytes
    }
}

/// A record on its way into a library.
struct Record {
    bytes: Vec<u8>,
    title: String,
}

impl Record {
    fn new(game: &Game) -> (Self, Vec<Loss>) {
        let title = game.tags.get("Title").or(game.tags.get("Event")).unwrap_or_default().to_owned();
        let (bytes, losses) = cbr::write(game);
        (Self { bytes, title }, losses)
    }

    /// Fills the entry of the index: a state, the order, slots and bytes used, an identifier, a title.
    fn put_entry(&self, index: usize, entry: &mut [u8]) {
        let numbers =
            [USED as u32, index as u32, self.bytes.len().div_ceil(SLOT) as u32, self.bytes.len() as u32];
        for (place, number) in numbers.into_iter().enumerate() {
            entry[4 * place..4 * place + 4].copy_from_slice(&number.to_le_bytes());
        }
        cbr::put_text(&self.identifier(index), &mut entry[20..100]);
        cbr::put_text(&self.title, &mut entry[100..228]);
    }

    /// A name for the record of the form that CCBridge uses, the same for the same contents.
    fn identifier(&self, index: usize) -> String {
        // The hash FNV-1a: all that is asked of it is that records differ.
        let hash = |seed: u64| {
            self.bytes.iter().fold(seed ^ index as u64, |hash, byte| {
                (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3)
            })
        };
        let (high, low) = (hash(0xCBF2_9CE4_8422_2325), hash(0x8422_2325_CBF2_9CE4));
        format!(
            "{{{:08X}-{:04X}-{:04X}-{:04X}-{:012X}}}",
            high >> 32,
            high >> 16 & 0xFFFF,
            high & 0xFFFF,
            low >> 48,
            low & 0xFFFF_FFFF_FFFF
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::GameBuilder;
    use chuhe_board::Position;

    fn library(games: &[Game]) -> Vec<u8> {
        let mut library = Library::default();
        for game in games {
            library.add(game);
        }
        library.write("庫")
    }

    fn game(title: &str, comment: &str) -> Game {
        let mut builder = GameBuilder::new(Position::start());
        builder.set_tag("Title", title);
        builder.add_comment(comment);
        builder.finish()
    }

    #[test]
    fn long_records_fill_several_slots() {
        let long = "長".repeat(6000);
        let games = [game("甲", ""), game("乙", &long), game("丙", "短")];
        let bytes = library(&games);
        assert_eq!(bytes.len(), INDEX + 128 * ENTRY + SLOT * (1 + 4 + 1));
        let back: Vec<Game> = read(&bytes).map(Result::unwrap).collect();
        assert_eq!(back, games);
    }

    #[test]
    fn records_are_found_where_the_header_is_wrong() {
        let mut bytes = library(&[game("甲", "")]);
        bytes[SLOTS..SLOTS + 4].fill(0xFF);
        assert_eq!(read(&bytes).count(), 1);
    }

    #[test]
    fn a_library_cut_short_is_not_read_silently() {
        let bytes = library(&[game("甲", ""), game("乙", ""), game("丙", "")]);
        for (length, records) in [(bytes.len() - 1, 3), (bytes.len() - SLOT, 2), (bytes.len() - 2 * SLOT, 1)]
        {
            let read: Vec<_> = read(&bytes[..length]).collect();
            assert_eq!(read.iter().filter(|game| game.is_ok()).count(), records);
            assert_eq!(read.len(), if records == 3 { 3 } else { records + 1 }, "{length}");
        }
    }

    #[test]
    fn a_bad_record_does_not_hide_the_next() {
        let mut bytes = library(&[game("甲", ""), game("乙", "")]);
        let first = INDEX + 128 * ENTRY;
        bytes[first + 19] = 7;
        let read: Vec<_> = read(&bytes).collect();
        assert_eq!(
            read[0].as_ref().unwrap_err().to_string(),
            format!("game 1, byte {}: version 7 of the format is not known", first + 19)
        );
        assert_eq!(read[1].as_ref().unwrap().tags.get("Title"), Some("乙"));
        assert_eq!(super::read(b"nothing").count(), 1);
    }
}
