//! Retrograde analysis: from the ends of the game backwards, on this machine. The work itself is that of a
//! [`Share`] which holds the whole table.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::time::{Duration, Instant};

use chuhe_board::Side;
use rayon::prelude::*;

use crate::captures::Captures;
use crate::cell::{LONGEST, outcome, packed};
use crate::checkpoint;
use crate::kind::{Kind, Metric, Rules};
use crate::perpetual;
use crate::share::Share;
use crate::table::Table;
use crate::value::{FREE_BYTE, FREE_WORD, Values};
use crate::{Index, Material};

/// Where a build that may be killed leaves what it has, and how often.
#[derive(Clone, Copy)]
pub(crate) struct Checkpoints<'a> {
    pub(crate) path: &'a Path,
    pub(crate) interval: Duration,
    /// Set when the build is to end with what it has.
    pub(crate) stop: &'a AtomicBool,
}

/// Why an endgame cannot be solved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// A win takes longer than cells can count.
    #[error("{material} has wins of more than {LONGEST} plies, which tables cannot hold")]
    TooLong {
        /// The endgame.
        material: Material,
    },
    /// There is not enough memory.
    #[error("{material} takes {needed} bytes of memory to solve; {allowed} are allowed")]
    Memory {
        /// The endgame.
        material: Material,
        /// What it takes.
        needed: u64,
        /// What was given.
        allowed: u64,
    },
    /// The build was told to stop; it can go on later.
    #[error("stopped while {material} was built; the next build goes on from there")]
    Stopped {
        /// The endgame.
        material: Material,
    },
}

impl SolveError {
    /// Fails if an endgame cannot be solved in so much memory, of which `held` is taken already.
    pub(crate) fn check_memory(material: &Material, held: u64, allowed: u64) -> Result<(), Self> {
        let needed = held.saturating_add(memory_to_solve(material));
        if needed <= allowed { Ok(()) } else { Err(Self::Memory { material: *material, needed, allowed }) }
    }

    /// Fails if cells could not count the longest win.
    pub(crate) fn check_longest(material: &Material, longest: u16) -> Result<(), Self> {
        if longest < LONGEST { Ok(()) } else { Err(Self::TooLong { material: *material }) }
    }
}

/// Bytes of memory that solving an endgame takes, without the smaller tables that it depends on.
pub fn memory_to_solve(material: &Material) -> u64 {
    Share::memory(Index::len_of(material).unwrap_or(u64::MAX))
}

/// How far a table has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Looking at every entry; so many of so many are done.
    Opening(u64, u64),
    /// Going on with a build that was killed, at so many plies.
    Resumed(u16),
    /// Visiting what ends in so many plies; the longest known so far comes second.
    Ply(u16, u16),
}

/// Solves an endgame on this machine. What a build that was killed has left is taken up again.
pub(crate) fn solve(
    index: &Arc<Index>,
    captures: Captures,
    kind: Kind,
    checkpoints: Option<Checkpoints<'_>>,
    watch: &(dyn Fn(Stage) + Sync),
) -> Result<Table, SolveError> {
    let share = Share::new(Arc::clone(index), Arc::new(captures), 0, 1);
    let restored = checkpoints
        .and_then(|checkpoints| checkpoint::restore(checkpoints.path, share.numbers(), &share.cells));
    match restored {
        Some(ply) => {
            watch(Stage::Resumed(ply));
            share.fill_calendar();
        }
        None => share.open(&|done, all| watch(Stage::Opening(done, all))),
    }
    let mut rounds = Rounds { ply: restored.unwrap_or(0), checkpoints, saved: Instant::now() };
    rounds.play(&share, watch)?;
    if kind.rules == Rules::PerpetualCheck {
        while let Some(ply) = perpetual::let_checkers_lose(&share) {
            rounds.ply = ply;
            rounds.play(&share, watch)?;
        }
    }
    SolveError::check_longest(index.material(), share.longest())?;
    Ok(into_table(share, kind))
}

/// The rounds of a table that is one share.
struct Rounds<'a> {
    /// The next one.
    ply: u16,
    checkpoints: Option<Checkpoints<'a>>,
    saved: Instant,
}

impl Rounds<'_> {
    /// Plays rounds until nothing is due any more.
    fn play(&mut self, share: &Share, watch: &(dyn Fn(Stage) + Sync)) -> Result<(), SolveError> {
        while self.ply <= share.longest() {
            watch(Stage::Ply(self.ply, share.longest()));
            share.round(self.ply, &|_, _| unreachable!("there is only one share"));
            self.ply += 1;
            let Some(Checkpoints { path, interval, stop }) = self.checkpoints else { continue };
            let stopped = stop.load(Ordering::Relaxed);
            if stopped || self.saved.elapsed() >= interval {
                // Without a checkpoint a killed build starts anew; that is no reason to stop this one.
                let _ = checkpoint::save(path, self.ply, 0, &share.cells);
                self.saved = Instant::now();
            }
            if stopped {
                return Err(SolveError::Stopped { material: *share.index.material() });
            }
        }
        Ok(())
    }
}

/// The values of both sides in the metric that was solved for; the cells are used up.
fn into_table(share: Share, kind: Kind) -> Table {
    let longest = share.longest();
    let Share { index, cells, .. } = share;
    let values = cells.map(|cells| {
        let cells = cells.into_par_iter().map(AtomicU16::into_inner);
        Some(if kind.metric == Metric::Outcome {
            Values::Bytes(cells.map(|cell| outcome(cell, FREE_BYTE.into()) as u8).collect())
        } else if longest < u16::from(FREE_BYTE) - 1 {
            Values::Bytes(cells.map(|cell| packed(cell, FREE_BYTE.into()) as u8).collect())
        } else {
            Values::Words(cells.map(|cell| packed(cell, FREE_WORD)).collect())
        })
    });
    Table::new(index, kind, values)
}

/// The table that the [values](Share::values) of all shares make, for Red and for Black to move.
///
/// # Panics
///
/// If values are missing.
pub(crate) fn assembled(index: Arc<Index>, kind: Kind, values: [Vec<u16>; 2]) -> Result<Table, SolveError> {
    for side in Side::ALL {
        assert_eq!(values[side.index()].len() as u64, index.len(), "every entry must have a value");
    }
    let longest = values.iter().flatten().filter(|value| **value != FREE_WORD).max();
    SolveError::check_longest(index.material(), longest.copied().unwrap_or(0))?;
    Ok(Table::new(index, kind, values.map(|values| Some(Values::Words(values)))))
}
