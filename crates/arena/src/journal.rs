//! The journal: every finished game as a JSON line, so that a killed match can be resumed.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use chuhe_storage::open_growing;
use serde::{Deserialize, Serialize};

use crate::GameRecord;

/// A journal that is open for more games.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
}

/// The first line of a journal: which match it belongs to.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    /// The version of the format.
    journal: u32,
    /// Everything that decides which games are played.
    conditions: String,
}

const VERSION: u32 = 1;

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("journal '{path}': {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// The file is something else.
    #[error("'{0}' is not the journal of a match")]
    Foreign(PathBuf),
    /// The journal of another match.
    #[error("journal '{path}' belongs to another match: {difference}")]
    OtherMatch {
        /// The file.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
    /// A line before the last that is not a game; a kill may cut the last one.
    #[error("journal '{path}', line {line}: {error}")]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        error: serde_json::Error,
    },
}

impl Journal {
    /// Opens the journal of a match under these conditions, with the games that it already has. A
    /// missing file is created; a last line cut by a kill is dropped.
    pub fn open(path: &Path, conditions: &str) -> Result<(Self, Vec<GameRecord>), JournalError> {
        let failed = |error| JournalError::File { path: path.to_owned(), error };
        let mut file = open_growing(path).map_err(failed)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let games = parse(path, &text[..whole], conditions)?;
        if whole == 0 && !text.is_empty() && !"{\"journal\"".starts_with(&text[..text.len().min(10)]) {
            return Err(JournalError::Foreign(path.to_owned()));
        }
        file.set_len(whole as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let mut journal = Self { file, path: path.to_owned() };
        if whole == 0 {
            journal.write(&Header { journal: VERSION, conditions: conditions.to_owned() })?;
        }
        Ok((journal, games))
    }

    /// Adds a finished game.
    pub fn add(&mut self, game: &GameRecord) -> Result<(), JournalError> {
        self.write(game)
    }

    fn write(&mut self, value: &impl Serialize) -> Result<(), JournalError> {
        let line = serde_json::to_string(value).map(|line| line + "\n");
        line.map_err(io::Error::from)
            .and_then(|line| self.file.write_all(line.as_bytes()))
            .map_err(|error| JournalError::File { path: self.path.clone(), error })
    }
}

fn parse(path: &Path, text: &str, conditions: &str) -> Result<Vec<GameRecord>, JournalError> {
    let mut lines = text.lines().enumerate();
    let Some((_, first)) = lines.next() else {
        return Ok(Vec::new());
    };
    let header: Header = serde_json::from_str(first).map_err(|_| JournalError::Foreign(path.to_owned()))?;
    if header.journal != VERSION || header.conditions != conditions {
        let difference = difference(&header.conditions, conditions);
        return Err(JournalError::OtherMatch { path: path.to_owned(), difference });
    }
    lines
        .map(|(index, line)| {
            serde_json::from_str(line).map_err(|error| JournalError::Line {
                path: path.to_owned(),
                line: index + 1,
                error,
            })
        })
        .collect()
}

/// The first line in which the conditions differ.
fn difference(theirs: &str, ours: &str) -> String {
    let pair = theirs.lines().zip(ours.lines()).find(|(theirs, ours)| theirs != ours);
    match pair {
        Some((theirs, ours)) => format!("there '{theirs}', here '{ours}'"),
        None => "it has more or fewer engines, openings or limits".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use chuhe_board::Outcome;

    use super::*;
    use crate::record::Termination;

    fn game(number: usize) -> GameRecord {
        GameRecord {
            game: number,
            pair: number.div_ceil(2),
            red: "a".to_owned(),
            black: "b".to_owned(),
            limits: [String::new(), String::new()],
            date: String::new(),
            outcome: Outcome::Draw,
            termination: Termination::Rules,
            reason: "threefold repetition".to_owned(),
            start: String::new(),
            opening_plies: 0,
            moves: Vec::new(),
            excused: 0,
        }
    }

    #[test]
    fn games_survive_and_half_a_line_does_not() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("match.jsonl");
        let (mut journal, games) = Journal::open(&path, "these").unwrap();
        assert!(games.is_empty());
        journal.add(&game(1)).unwrap();
        journal.add(&game(2)).unwrap();
        drop(journal);
        let text = fs::read_to_string(&path).unwrap();
        for cut in 1..40 {
            fs::write(&path, &text[..text.len() - cut]).unwrap();
            let (mut journal, games) = Journal::open(&path, "these").unwrap();
            assert_eq!(games, [game(1)]);
            journal.add(&game(2)).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        fs::write(&path, &text[..9]).unwrap();
        assert!(Journal::open(&path, "these").unwrap().1.is_empty());
    }

    #[test]
    fn two_matches_do_not_write_one_journal() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("match.jsonl");
        let (mut journal, _) = Journal::open(&path, "these").unwrap();
        let error = Journal::open(&path, "these").unwrap_err();
        assert!(error.to_string().ends_with("another run is writing this file"), "{error}");
        journal.add(&game(1)).unwrap();
        drop(journal);
        assert_eq!(Journal::open(&path, "these").unwrap().1, [game(1)]);
    }

    #[test]
    fn other_files_are_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("match.jsonl");
        for text in ["a letter", "a letter\nwith lines\n", "{}\n"] {
            fs::write(&path, text).unwrap();
            let error = Journal::open(&path, "these").unwrap_err();
            assert!(matches!(error, JournalError::Foreign(_)), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn the_journal_of_another_match_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("match.jsonl");
        Journal::open(&path, "engine a\nrounds 5").unwrap();
        let error = Journal::open(&path, "engine a\nrounds 6").unwrap_err();
        assert!(error.to_string().ends_with("there 'rounds 5', here 'rounds 6'"), "{error}");
    }
}
