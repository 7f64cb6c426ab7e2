//! A list of games in one compact file: two bytes a move, no names. The starter collection is one.
//!
//! ```text
//! 0  8  "CHUHEGL1"
//! 8  1  length of the title, then the title in UTF-8
//!       for each game, from the normal start position: 2 number of moves, 1 result (1 red, 2 black, 3 draw),
//!       2 for each packed move, 4 the low half of xxh3 (64 bits) of all that
//! ```
//!
//! All numbers are little-endian. Games are appended one by one; a game that was cut off at the end is dropped.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use chuhe_board::{Move, Outcome, Position};
use chuhe_notation::record::{Game, GameBuilder};
use chuhe_storage::open_growing;
use xxhash_rust::xxh3::xxh3_64;

use crate::stored::{outcome_of, result_number};

const MAGIC: &[u8; 8] = b"CHUHEGL1";
/// The number of moves and the result.
const HEAD: usize = 3;
const CHECKSUM: usize = 4;

/// The moves of a game from the normal start position, and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedGame {
    /// The moves, all legal.
    pub moves: Vec<Move>,
    /// The result.
    pub outcome: Outcome,
}

/// A list that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PackedError {
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is something else.
    #[error("no list of games, or one of another version")]
    NotAList,
    /// A game is damaged.
    #[error("game {0} is damaged")]
    Damaged(usize),
    /// It holds the games of something else.
    #[error("it holds '{found}', not '{wanted}'")]
    OtherTitle {
        /// Its title.
        found: String,
        /// The title that it should have.
        wanted: String,
    },
}

/// A list as its file has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedGames {
    /// What the games are.
    pub title: String,
    /// The games.
    pub games: Vec<PackedGame>,
    /// The bytes that they take; what follows was cut off.
    length: usize,
}

impl PackedGames {
    /// Reads a list and replays its games.
    pub fn read(bytes: &[u8]) -> Result<Self, PackedError> {
        let (title, mut rest) = split_head(bytes).ok_or(PackedError::NotAList)?;
        let mut games = Vec::new();
        while let Some((block, behind)) = split_block(rest) {
            games.push(unpacked(block).ok_or(PackedError::Damaged(games.len() + 1))?);
            rest = behind;
        }
        Ok(Self { title: title.to_owned(), games, length: bytes.len() - rest.len() })
    }

    /// Whether bytes begin as a list does.
    pub fn is_list(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Whether a file begins as a list does.
    pub fn is_list_file(path: &Path) -> bool {
        let mut start = [0; MAGIC.len()];
        File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && Self::is_list(&start)
    }

    /// A game as a record; its event is the title of the list.
    pub fn record(&self, index: usize) -> Game {
        let mut builder = GameBuilder::new(Position::start());
        for mv in &self.games[index].moves {
            builder.play(*mv).expect("the moves were replayed when they were read");
        }
        for (name, value) in [("Event", &*self.title), ("Red", "Chuhe"), ("Black", "Chuhe")] {
            builder.set_tag(name, value);
        }
        builder.set_outcome(self.games[index].outcome);
        builder.finish()
    }
}

/// A list to which games are added.
pub struct PackedWriter {
    file: File,
    games: usize,
}

impl PackedWriter {
    /// Opens or starts the list of this title.
    pub fn open(path: &Path, title: &str) -> Result<Self, PackedError> {
        let mut file = open_growing(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let head = head(title);
        if head.starts_with(&bytes) {
            // New, or killed before the head was whole.
            file.write_all(&head[bytes.len()..])?;
            return Ok(Self { file, games: 0 });
        }
        let known = PackedGames::read(&bytes)?;
        if known.title != title {
            return Err(PackedError::OtherTitle { found: known.title, wanted: title.to_owned() });
        }
        file.set_len(known.length as u64)?;
        file.seek(SeekFrom::End(0))?;
        Ok(Self { file, games: known.games.len() })
    }

    /// The number of games in the list.
    pub fn len(&self) -> usize {
        self.games
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.games == 0
    }

    /// Adds a game.
    pub fn add(&mut self, moves: &[Move], outcome: Outcome) -> io::Result<()> {
        self.file.write_all(&packed(moves, outcome))?;
        self.games += 1;
        Ok(())
    }
}

fn head(title: &str) -> Vec<u8> {
    let length = u8::try_from(title.len()).expect("titles are short");
    [MAGIC, &[length][..], title.as_bytes()].concat()
}

/// The title, and the bytes behind the head.
fn split_head(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let (length, rest) = bytes.strip_prefix(MAGIC)?.split_first()?;
    let (title, rest) = rest.split_at_checked(usize::from(*length))?;
    Some((std::str::from_utf8(title).ok()?, rest))
}

/// The bytes of the next game with its checksum; `None` at the end or if it was cut off.
fn split_block(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let moves = u16::from_le_bytes(*bytes.first_chunk()?);
    bytes.split_at_checked(HEAD + 2 * usize::from(moves) + CHECKSUM)
}

fn packed(moves: &[Move], outcome: Outcome) -> Vec<u8> {
    let count = u16::try_from(moves.len()).expect("games have fewer than 65,536 moves");
    let mut bytes = count.to_le_bytes().to_vec();
    bytes.push(result_number(outcome) as u8);
    bytes.extend(moves.iter().flat_map(|mv| mv.packed().to_le_bytes()));
    bytes.extend(checksum(&bytes));
    bytes
}

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    (xxh3_64(bytes) as u32).to_le_bytes()
}

fn unpacked(block: &[u8]) -> Option<PackedGame> {
    let (content, sum) = block.split_last_chunk::<CHECKSUM>()?;
    if checksum(content) != *sum {
        return None;
    }
    let mut position = Position::start();
    let (pairs, _) = content[HEAD..].as_chunks::<2>();
    let replayed = pairs.iter().map(|pair| {
        let mv = Move::from_packed(u16::from_le_bytes(*pair)).filter(|mv| position.is_legal(*mv))?;
        let _ = position.play(mv, &mut ());
        Some(mv)
    });
    Some(PackedGame { moves: replayed.collect::<Option<_>>()?, outcome: outcome_of(content[2].into()) })
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::{RankStyle, parse_move};

    use super::*;

    fn game(text: &str, outcome: Outcome) -> PackedGame {
        let moves = text.split(' ').map(|word| parse_move(word, RankStyle::FromZero).unwrap()).collect();
        PackedGame { moves, outcome }
    }

    fn games() -> [PackedGame; 2] {
        [game("h2e2 h9g7 h0g2", Outcome::RedWins), game("c3c4", Outcome::Draw)]
    }

    #[test]
    fn a_list_killed_at_any_byte_goes_on_behind_its_last_whole_game() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let write = |games: &[PackedGame]| {
            let mut writer = PackedWriter::open(&path, "seed 1").unwrap();
            for game in &games[writer.len()..] {
                writer.add(&game.moves, game.outcome).unwrap();
            }
            std::fs::read(&path).unwrap()
        };
        let whole = write(&games());
        assert_eq!(PackedGames::read(&whole).unwrap().games, games());
        for end in 0..whole.len() {
            std::fs::write(&path, &whole[..end]).unwrap();
            assert_eq!(write(&games()), whole, "cut at {end}");
        }
        let error = PackedWriter::open(&path, "seed 2").err().unwrap();
        assert_eq!(error.to_string(), "it holds 'seed 1', not 'seed 2'");
    }

    #[test]
    fn a_changed_byte_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let mut writer = PackedWriter::open(&path, "").unwrap();
        for game in games() {
            writer.add(&game.moves, game.outcome).unwrap();
        }
        let whole = std::fs::read(&path).unwrap();
        for place in 0..whole.len() {
            let mut changed = whole.clone();
            changed[place] ^= 1;
            // A longer count looks like a game that was cut off; it must not become another game.
            let read = PackedGames::read(&changed);
            assert!(read.is_err() || read.unwrap().games.len() < 2, "byte {place}");
        }
        assert!(matches!(PackedGames::read(b"[Red \"A\"]"), Err(PackedError::NotAList)));
    }
}
