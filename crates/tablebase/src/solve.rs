//! Retrograde analysis (Fang) on one machine: initialise every entry, then propagate wins and losses backwards, ply by
//! ply. The work is done by one [`Partition`] that holds the whole table.

pub(crate) mod captures;
pub(crate) mod cell;
pub(crate) mod checkpoint;
pub(crate) mod partition;
pub(crate) mod perpetual_check;
pub(crate) mod successor;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::time::{Duration, Instant};

use chuhe_board::Side;
use rayon::prelude::*;

use self::captures::Captures;
use self::cell::{LONGEST, packed, wdl};
use self::partition::Partition;
use crate::kind::{Kind, Metric, Rules};
use crate::table::Table;
use crate::value::{FREE_BYTE, FREE_WORD, Values};
use crate::{Index, Material};

/// Where and how often an interruptible build saves its state.
#[derive(Clone, Copy)]
pub(crate) struct Checkpoints<'a> {
    pub(crate) path: &'a Path,
    pub(crate) interval: Duration,
    /// Set to stop the build after its current ply.
    pub(crate) stop: &'a AtomicBool,
}

/// A number of bytes; past what any machine has, only that.
fn amount(bytes: u64) -> String {
    if bytes < 1 << 60 { bytes.to_string() } else { "more than 2⁶⁰".to_owned() }
}

/// Why an endgame cannot be solved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// A win is too long for a cell.
    #[error("{material} has wins of more than {LONGEST} plies, which tables cannot hold")]
    TooLong {
        /// The endgame.
        material: Material,
    },
    /// There is not enough memory.
    #[error("{material} takes {} bytes of memory to solve; {allowed} are allowed", amount(*.needed))]
    Memory {
        /// The endgame.
        material: Material,
        /// What it needs.
        needed: u64,
        /// The limit.
        allowed: u64,
    },
    /// The build was stopped; the next one resumes it.
    #[error("stopped while building {material}; the next build resumes there")]
    Stopped {
        /// The endgame.
        material: Material,
    },
}

impl SolveError {
    /// Fails if an endgame cannot be solved within `allowed` bytes, of which `held` are in use.
    pub(crate) fn check_memory(material: &Material, held: u64, allowed: u64) -> Result<(), Self> {
        let needed = held.saturating_add(memory_to_solve(material));
        if needed <= allowed { Ok(()) } else { Err(Self::Memory { material: *material, needed, allowed }) }
    }

    /// Fails if the longest win does not fit a cell.
    pub(crate) fn check_longest(material: &Material, longest: u16) -> Result<(), Self> {
        if longest < LONGEST { Ok(()) } else { Err(Self::TooLong { material: *material }) }
    }
}

/// Bytes of memory that solving an endgame takes, without the smaller tables that it depends on.
pub fn memory_to_solve(material: &Material) -> u64 {
    Partition::memory(Index::len_of(material).unwrap_or(u64::MAX))
}

/// The progress of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Initialising the entries: chunks done, chunks in all.
    Initialising(u64, u64),
    /// Resuming an interrupted build at this ply.
    Resumed(u16),
    /// Propagating the entries decided at this ply; the longest known so far comes second.
    Ply(u16, u16),
}

/// Solves an endgame on this machine, resuming from a checkpoint if there is one.
pub(crate) fn solve(
    index: &Arc<Index>,
    captures: Captures,
    kind: Kind,
    checkpoints: Option<Checkpoints<'_>>,
    on_progress: &(dyn Fn(Stage) + Sync),
) -> Result<Table, SolveError> {
    let partition = Partition::new(Arc::clone(index), Arc::new(captures), 0, 1);
    let restored = checkpoints
        .and_then(|checkpoints| checkpoint::restore(checkpoints.path, partition.numbers(), &partition.cells));
    match restored {
        Some(ply) => {
            on_progress(Stage::Resumed(ply));
            partition.schedule_all();
        }
        None => partition.initialise(&|done, all| on_progress(Stage::Initialising(done, all))),
    }
    let mut propagation = Propagation { ply: restored.unwrap_or(0), checkpoints, saved: Instant::now() };
    propagation.run(&partition, on_progress)?;
    if kind.rules == Rules::PerpetualCheck {
        while let Some(ply) = perpetual_check::mark_traps_lost(&partition) {
            propagation.ply = ply;
            propagation.run(&partition, on_progress)?;
        }
    }
    SolveError::check_longest(index.material(), partition.longest())?;
    Ok(into_table(partition, kind))
}

/// The backward propagation of a table in one partition.
struct Propagation<'a> {
    /// The next ply.
    ply: u16,
    checkpoints: Option<Checkpoints<'a>>,
    saved: Instant,
}

impl Propagation<'_> {
    /// Propagates ply by ply until nothing is due.
    fn run(&mut self, partition: &Partition, on_progress: &(dyn Fn(Stage) + Sync)) -> Result<(), SolveError> {
        while self.ply <= partition.longest() {
            on_progress(Stage::Ply(self.ply, partition.longest()));
            partition.propagate(self.ply, &|_, _| unreachable!("there is only one partition"));
            self.ply += 1;
            let Some(Checkpoints { path, interval, stop }) = self.checkpoints else { continue };
            let stopped = stop.load(Ordering::Relaxed);
            if stopped || self.saved.elapsed() >= interval {
                // A failed checkpoint does not stop the build.
                let _ = checkpoint::save(path, self.ply, 0, &partition.cells);
                self.saved = Instant::now();
            }
            if stopped {
                return Err(SolveError::Stopped { material: *partition.index.material() });
            }
        }
        Ok(())
    }
}

/// Turns the cells into values in the metric.
fn into_table(partition: Partition, kind: Kind) -> Table {
    let longest = partition.longest();
    let Partition { index, cells, .. } = partition;
    let values = cells.map(|cells| {
        let cells = cells.into_par_iter().map(AtomicU16::into_inner);
        Some(if kind.metric == Metric::Wdl {
            Values::Bytes(cells.map(|cell| wdl(cell, FREE_BYTE.into()) as u8).collect())
        } else if longest < u16::from(FREE_BYTE) - 1 {
            Values::Bytes(cells.map(|cell| packed(cell, FREE_BYTE.into()) as u8).collect())
        } else {
            Values::Words(cells.map(|cell| packed(cell, FREE_WORD)).collect())
        })
    });
    Table::new(index, kind, values)
}

/// The table made of the [values](Partition::values) of all partitions, for Red and for Black to move.
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
