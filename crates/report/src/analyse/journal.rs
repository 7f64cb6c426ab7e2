//! Findings on disk as JSON lines, each appended when it is found, so that an interrupted analysis can resume.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use chuhe_storage::open_growing;
use serde::{Deserialize, Serialize};

use super::{Finding, Settings};

/// The findings of an analysis.
pub struct Journal {
    findings: HashMap<(u64, usize), Finding>,
    file: Option<(PathBuf, File)>,
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error("{}", .path.display())]
    Io {
        /// The journal.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It was begun with other limits or by another version.
    #[error(
        "{}: this analysis was begun as '{found}' and would go on as '{wanted}'; remove the file to start again",
        .path.display()
    )]
    OtherSettings {
        /// The journal.
        path: PathBuf,
        /// How it was begun.
        found: String,
        /// How it would go on.
        wanted: String,
    },
}

#[derive(Serialize, Deserialize)]
struct Entry {
    game: u64,
    ply: usize,
    finding: Finding,
}

impl Journal {
    /// Findings in memory only.
    pub fn in_memory() -> Self {
        Self { findings: HashMap::new(), file: None }
    }

    /// Opens a journal or begins one.
    pub fn open(path: &Path, settings: &Settings) -> Result<Self, JournalError> {
        let at = |source| JournalError::Io { path: path.to_owned(), source };
        let mut file = open_growing(path).map_err(at)?;
        let wanted = settings.description();
        let mut findings = HashMap::new();
        let mut lines = BufReader::new(&file);
        let mut whole = 0;
        let mut line = String::new();
        while lines.read_line(&mut line).map_err(at)? > 0 {
            let is_first = whole == 0;
            if is_first && line.trim_end() != wanted {
                let found = line.trim_end().to_owned();
                return Err(JournalError::OtherSettings { path: path.to_owned(), found, wanted });
            }
            if !is_first {
                // The last line may have been cut off.
                let Ok(entry) = serde_json::from_str::<Entry>(&line) else { break };
                findings.insert((entry.game, entry.ply), entry.finding);
            }
            whole += line.len() as u64;
            line.clear();
        }
        file.set_len(whole).and_then(|()| file.seek(SeekFrom::End(0))).map_err(at)?;
        if whole == 0 {
            writeln!(file, "{wanted}").map_err(at)?;
        }
        Ok(Self { findings, file: Some((path.to_owned(), file)) })
    }

    /// What is known of a position of a game.
    pub fn finding(&self, game: u64, ply: usize) -> Option<&Finding> {
        self.findings.get(&(game, ply))
    }

    /// Writes a finding down.
    pub fn add(&mut self, game: u64, ply: usize, finding: Finding) -> Result<(), JournalError> {
        let entry = Entry { game, ply, finding };
        if let Some((path, file)) = &mut self.file {
            let mut line = serde_json::to_string(&entry).expect("findings are plain data");
            line.push('\n');
            let written = file.write_all(line.as_bytes());
            written.map_err(|source| JournalError::Io { path: path.clone(), source })?;
        }
        self.findings.insert((game, ply), entry.finding);
        Ok(())
    }

    /// Removes the file: its findings have become a report.
    pub fn remove(self) -> Result<(), JournalError> {
        match self.file {
            Some((path, _)) => {
                std::fs::remove_file(&path).map_err(|source| JournalError::Io { path, source })
            }
            None => Ok(()),
        }
    }
}

impl Settings {
    /// What findings depend on, in a line.
    pub fn description(&self) -> String {
        let limits = &self.limits;
        let mut words = vec![concat!("chuhe ", env!("CARGO_PKG_VERSION")).to_owned()];
        words.extend(limits.depth.map(|depth| format!("depth {depth}")));
        words.extend(limits.nodes.map(|nodes| format!("nodes {nodes}")));
        words.extend(limits.movetime.map(|time| format!("movetime {}", time.as_millis())));
        words.push(format!("hash {}", self.mebibytes));
        words.push(format!("rules {}", self.rules));
        words.extend(
            self.endgames
                .as_ref()
                .map(|endgames| format!("endgame tables of up to {} pieces", endgames.most_pieces())),
        );
        words.join(", ")
    }
}
