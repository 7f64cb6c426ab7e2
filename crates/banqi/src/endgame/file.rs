//! Tables on disk: a header, each table's shape and compressed bytes, a checksum (docs/banqi.md has the
//! layout).

use std::io::{self, Read, Write};

use xxhash_rust::xxh3::xxh3_64;

use crate::endgame::deflate;
use crate::endgame::shape;
use crate::endgame::solve::Table;
use crate::endgame::{EndgameRules, Endgames, MOST};
use crate::rules::{CannonRule, Taking};

const MAGIC: &[u8; 8] = b"CHBANQI2";
/// Files of version 0.1, compressed by other means.
const OLD_MAGIC: &[u8; 8] = b"CHBANQI1";

/// Why a file holds no tables.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It begins with something else.
    #[error("this is no file of Banqi tables")]
    Foreign,
    /// An older program wrote it.
    #[error("an older version wrote these tables: solve them again with `chuhe banqi tb build`")]
    Old,
    /// Its checksum is wrong.
    #[error("the tables are damaged: the checksum does not fit")]
    Damaged,
    /// Something in it cannot be.
    #[error("the tables are damaged: {0}")]
    Nonsense(&'static str),
}

impl Endgames {
    /// Writes all tables.
    pub fn write(&self, out: &mut impl Write) -> Result<(), FileError> {
        let mut bytes = MAGIC.to_vec();
        let taking = TAKINGS.iter().position(|&taking| taking == self.rules.taking).unwrap_or(0);
        let cannon = CANNONS.iter().position(|&cannon| cannon == self.rules.cannon).unwrap_or(0);
        bytes.extend([taking as u8, cannon as u8]);
        bytes.extend(self.rules.quiet_limit.to_le_bytes());
        bytes.extend((self.tables.len() as u32).to_le_bytes());
        for table in &self.tables {
            let packed = deflate::compress(&table.codes)?;
            bytes.extend([table.shape.first, table.shape.second]);
            bytes.extend(table.shape.packed_relations().to_le_bytes());
            bytes.extend((packed.len() as u32).to_le_bytes());
            bytes.push(table.longest);
            bytes.extend(packed);
        }
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        Ok(out.write_all(&bytes)?)
    }

    /// Reads tables that [`Endgames::write`] wrote.
    pub fn read(input: &mut impl Read) -> Result<Self, FileError> {
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes)?;
        if bytes.starts_with(OLD_MAGIC) {
            return Err(FileError::Old);
        }
        if !bytes.starts_with(MAGIC) {
            return Err(FileError::Foreign);
        }
        let (body, sum) = bytes.split_last_chunk::<8>().ok_or(FileError::Foreign)?;
        if xxh3_64(body) != u64::from_le_bytes(*sum) {
            return Err(FileError::Damaged);
        }
        read_body(&body[MAGIC.len()..])
    }
}

const TAKINGS: [Taking; 3] = [Taking::Taiwanese, Taking::SoldiersTakeCannons, Taking::HongKong];
const CANNONS: [CannonRule; 3] = [CannonRule::Jumps, CannonRule::JumpsAndSteps, CannonRule::Steps];

fn read_body(mut rest: &[u8]) -> Result<Endgames, FileError> {
    let short = || FileError::Nonsense("it ends too early");
    let [taking, cannon] = *take::<2>(&mut rest).ok_or_else(short)?;
    let unknown = || FileError::Nonsense("unknown rules");
    let taking = *TAKINGS.get(usize::from(taking)).ok_or_else(unknown)?;
    let cannon = *CANNONS.get(usize::from(cannon)).ok_or_else(unknown)?;
    let quiet_limit = u16::from_le_bytes(*take(&mut rest).ok_or_else(short)?);
    let count = u32::from_le_bytes(*take(&mut rest).ok_or_else(short)?);
    let rules = EndgameRules { taking, cannon, quiet_limit };
    let mut endgames = Endgames::empty(rules);
    let known = shape::all(&endgames.captures, MOST as u32);
    for _ in 0..count {
        let [first, second] = *take::<2>(&mut rest).ok_or_else(short)?;
        let relations = u16::from_le_bytes(*take(&mut rest).ok_or_else(short)?).into();
        let length = u32::from_le_bytes(*take(&mut rest).ok_or_else(short)?) as usize;
        let [longest] = *take::<1>(&mut rest).ok_or_else(short)?;
        let (packed, after) = rest.split_at_checked(length).ok_or_else(short)?;
        rest = after;
        let wanted = shape::Shape { first, second, relations };
        let found = known.iter().find(|(shape, _)| *shape == wanted);
        let (shape, sample) = found.cloned().ok_or(FileError::Nonsense("unknown pieces"))?;
        let size = Table::size(usize::from(first + second));
        let codes = deflate::decompress(packed, size)?;
        if codes.len() != size {
            return Err(FileError::Nonsense("a table has the wrong size"));
        }
        endgames.insert(Table { shape, sample, longest, codes });
    }
    Ok(endgames)
}

fn take<'a, const N: usize>(rest: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (head, tail) = rest.split_first_chunk()?;
    *rest = tail;
    Some(head)
}

#[test]
fn tables_survive_the_file_and_damage_is_found() {
    let rules = EndgameRules { taking: Taking::Taiwanese, cannon: CannonRule::Jumps, quiet_limit: 120 };
    let endgames = Endgames::solve(rules, 2, &mut |_, _| {});
    let mut bytes = Vec::new();
    endgames.write(&mut bytes).unwrap();
    let read = Endgames::read(&mut bytes.as_slice()).unwrap();
    assert_eq!(read.rules(), rules);
    assert_eq!(read.statistics(), endgames.statistics());
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    assert!(matches!(Endgames::read(&mut bytes.as_slice()), Err(FileError::Damaged)));
    assert!(matches!(Endgames::read(&mut &b"something else"[..]), Err(FileError::Foreign)));
    assert!(matches!(Endgames::read(&mut &OLD_MAGIC[..]), Err(FileError::Old)));
    assert!(matches!(Endgames::read(&mut &bytes[..9]), Err(FileError::Foreign | FileError::Damaged)));
}
