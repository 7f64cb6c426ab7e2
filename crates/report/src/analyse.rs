//! Game analysis: every position of the main line is searched.
//!
//! Each search yields a [`Finding`]. Searches are independent, so they run on all cores in any order, and an
//! interrupted analysis resumes from its [`Journal`] with the same result. [`GameAnalysis`] follows from the findings
//! alone.

mod doubts;
mod finding;
mod journal;
mod judgement;

pub use doubts::{Doubt, Doubts};
pub use finding::{Finding, FoundLine};
pub use journal::{Journal, JournalError};
pub use judgement::{
    GameAnalysis, KnownOpenings, MoveAnalysis, PhaseAccuracy, SideSummary, Sides, VerdictTexts, judge,
};

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

use chuhe_notation::record::Game as Record;
use chuhe_referee::{Game, Referee, RuleSet};
use chuhe_search::{Control, Endgames, Limits, OutOfMemory, Pool};
use xxhash_rust::xxh3::xxh3_64;

/// How games are analysed.
#[derive(Clone)]
pub struct Settings {
    /// What bounds the search of one position.
    pub limits: Limits,
    /// How many positions are searched at a time.
    pub threads: usize,
    /// The transposition table of each thread.
    pub mebibytes: usize,
    /// The rules that repetitions are judged by.
    pub rules: RuleSet,
    /// Endgames that are known for certain.
    pub endgames: Option<Arc<dyn Endgames>>,
}

impl Settings {
    /// How many lines each search finds: the best one, and one to see whether it was the only good one.
    pub(crate) const LINES: usize = 2;
}

/// The fingerprint of a game's start and main line: what its findings are remembered by.
pub fn fingerprint(record: &Record) -> u64 {
    let mut text = record.start().to_string();
    for mv in record.main_moves() {
        text += &mv.to_string();
    }
    xxh3_64(text.as_bytes())
}

/// A position of one of several games.
struct Task<'a> {
    record: &'a Record,
    game: u64,
    ply: usize,
}

/// Searches every position of the main lines that is not in the journal. `progress` gets the number of positions
/// done and in total.
pub fn search(
    records: &[Record],
    settings: &Settings,
    journal: &mut Journal,
    control: &Control,
    mut progress: impl FnMut(usize, usize),
) -> Result<(), AnalyseError> {
    let mut pools = Vec::new();
    for _ in 0..settings.threads.max(1) {
        let mut pool = Pool::new(1, 1);
        pool.set_hash_size(settings.mebibytes)?;
        pool.set_referee(Referee::new(settings.rules));
        pool.set_endgames(settings.endgames.clone());
        pools.push(pool);
    }
    let (tasks, known) = tasks(records, journal);
    let total = tasks.len() + known;
    progress(known, total);
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for mut pool in pools {
            let (tasks, next, sender) = (&tasks, &next, sender.clone());
            scope.spawn(move || {
                while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed))
                    && !control.is_stopped()
                {
                    let finding = finding_of(task, &mut pool, settings, control);
                    // An interrupted search is no finding.
                    if control.is_stopped() || sender.send((task, finding)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (done, (task, finding)) in receiver.into_iter().enumerate() {
            if let Err(error) = journal.add(task.game, task.ply, finding) {
                control.stop();
                return Err(error.into());
            }
            progress(known + done + 1, total);
        }
        if control.is_stopped() { Err(AnalyseError::Stopped) } else { Ok(()) }
    })
}

/// What keeps games from being analysed.
#[derive(Debug, thiserror::Error)]
pub enum AnalyseError {
    /// The tables are too large.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// The findings cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// It was stopped.
    #[error("the analysis was stopped")]
    Stopped,
}

/// The positions that are not known yet, and how many are.
fn tasks<'a>(records: &'a [Record], journal: &Journal) -> (Vec<Task<'a>>, usize) {
    let (mut tasks, mut known) = (Vec::new(), 0);
    // The same game twice is searched once.
    let mut seen = HashMap::new();
    for record in records {
        let game = fingerprint(record);
        if seen.insert(game, ()).is_some() {
            continue;
        }
        for ply in 0..=record.main_moves().count() {
            if journal.finding(game, ply).is_some() {
                known += 1;
            } else {
                tasks.push(Task { record, game, ply });
            }
        }
    }
    (tasks, known)
}

fn finding_of(task: &Task<'_>, pool: &mut Pool, settings: &Settings, control: &Control) -> Finding {
    let mut game = Game::new(task.record.start().clone());
    for mv in task.record.main_moves().take(task.ply) {
        game.play(mv).expect("records hold only legal moves");
    }
    pool.clear();
    let limits = Limits { lines: Settings::LINES, ..settings.limits.clone() };
    let mut finding = Finding::default();
    let answer = pool.search(&game, &limits, control, &mut |event| finding.update(&event));
    finding.conclude(&answer);
    finding
}
