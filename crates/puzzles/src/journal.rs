//! What has been made so far, so that a long run can be interrupted at any time.
//!
//! A text file: a first line that names the run, then for each game its puzzles and a line `# game N`. Puzzles behind the last
//! such line belong to a game that was interrupted, and are dropped.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use chuhe_storage::open_growing;
use thiserror::Error;

use crate::{Puzzle, PuzzleError, read};

/// An open journal.
pub struct Journal {
    file: File,
    done: BTreeSet<u64>,
    puzzles: Vec<Puzzle>,
}

/// A journal that cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is of another run.
    #[error("the journal is of another run: '{found}', not '{wanted}'")]
    OtherRun {
        /// The first line of the file.
        found: String,
        /// What it should be.
        wanted: String,
    },
    /// A line is no puzzle.
    #[error(transparent)]
    Puzzle(#[from] PuzzleError),
}

impl Journal {
    /// Opens or starts the journal of a run.
    pub fn open(path: &Path, run: &str) -> Result<Self, JournalError> {
        let first_line = format!("# {run}");
        let mut file = open_growing(path)?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        let complete = complete_games(&text);
        if let Some(found) = complete.lines().next().filter(|found| *found != first_line) {
            return Err(JournalError::OtherRun { found: found.to_owned(), wanted: first_line });
        }
        let puzzles = read(complete).collect::<Result<_, _>>()?;
        let done = complete.lines().filter_map(game_number).collect();
        file.set_len(complete.len() as u64)?;
        file.seek(SeekFrom::End(0))?;
        if complete.is_empty() {
            writeln!(file, "{first_line}")?;
        }
        Ok(Self { file, done, puzzles })
    }

    /// Whether a game was done before.
    pub fn has(&self, game: u64) -> bool {
        self.done.contains(&game)
    }

    /// Adds the puzzles of a game.
    pub fn add(&mut self, game: u64, puzzles: Vec<Puzzle>) -> io::Result<()> {
        let mut block: String = puzzles.iter().map(|puzzle| format!("{puzzle}\n")).collect();
        block += &format!("# game {game}\n");
        self.file.write_all(block.as_bytes())?;
        self.done.insert(game);
        self.puzzles.extend(puzzles);
        Ok(())
    }

    /// The number of games done, and the puzzles found in them.
    pub fn counts(&self) -> (usize, usize) {
        (self.done.len(), self.puzzles.len())
    }

    /// The puzzles from easy to hard, each position and its mirror image once: the same for any order in which the games were done.
    pub fn puzzles(&self) -> Vec<Puzzle> {
        let mut keyed: Vec<(u32, String, &Puzzle)> =
            self.puzzles.iter().map(|puzzle| (puzzle.rating, puzzle.to_string(), puzzle)).collect();
        keyed.sort_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1)));
        let mut seen = BTreeSet::new();
        let mut is_new = |puzzle: &Puzzle| seen.insert(puzzle.position.merged_key().0);
        keyed.into_iter().map(|(.., puzzle)| puzzle).filter(|puzzle| is_new(puzzle)).cloned().collect()
    }
}

/// The text up to the last complete line that ends a game, or the first line alone.
fn complete_games(text: &str) -> &str {
    let (mut end, mut place) = (0, 0);
    for line in text.split_inclusive('\n') {
        place += line.len();
        if line.ends_with('\n') && (end == 0 || game_number(line.trim_end()).is_some()) {
            end = place;
        }
    }
    &text[..end]
}

fn game_number(line: &str) -> Option<u64> {
    line.strip_prefix("# game ")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "3k5/R8/9/9/9/9/9/9/9/1R2K4 w ; mate 1 ; 650 ; double-chariots ; b0b9";
    const MIRRORED: &str = "5k3/8R/9/9/9/9/9/9/9/4K2R1 w ; mate 1 ; 650 ; double-chariots ; h0h9";

    #[test]
    fn a_run_goes_on_behind_its_last_complete_game() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.journal");
        let mut journal = Journal::open(&path, "seed 1").unwrap();
        journal.add(4, vec![LINE.parse().unwrap()]).unwrap();
        drop(journal);
        let whole = std::fs::read_to_string(&path).unwrap();
        // Killed in the middle of the next game's lines.
        std::fs::write(&path, format!("{whole}{LINE}\n# gam")).unwrap();
        let journal = Journal::open(&path, "seed 1").unwrap();
        assert_eq!((journal.counts(), journal.has(4), journal.has(5)), ((1, 1), true, false));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
        drop(journal);
        assert!(matches!(Journal::open(&path, "seed 2"), Err(JournalError::OtherRun { .. })));
    }

    #[test]
    fn mirror_images_are_one_puzzle() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(&folder.path().join("j"), "seed 1").unwrap();
        journal.add(1, vec![LINE.parse().unwrap()]).unwrap();
        journal.add(2, vec![MIRRORED.parse().unwrap()]).unwrap();
        assert_eq!(journal.puzzles().len(), 1);
    }
}
