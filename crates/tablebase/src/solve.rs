//! Retrograde analysis (Fang) on one machine: initialise every entry, then propagate wins and losses backwards, ply by
//! ply. The work is done by one [`Partition`] that holds the whole table.

pub(crate) mod captures;
pub(crate) mod cell;
pub(crate) mod checkpoint;
pub(crate) mod partition;
pub(crate) mod repetition;
pub(crate) mod successor;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::time::{Duration, Instant};

use chuhe_board::Side;
use rayon::prelude::*;

use self::captures::Captures;
use self::cell::{ILLEGAL, LONGEST, is_open, packed, wdl};
use self::partition::Partition;
use self::repetition::RULE_DISTANCE;
use self::repetition::bound::Bounds;
use self::repetition::risk::Risk;
use self::repetition::states::Unsolved;
use crate::kind::{Kind, Metric, Rules};
use crate::parallel::map_parts;
use crate::repetition::{MoveRules, PerpetualCheck};
use crate::table::Table;
use crate::value::{Bounds as ValueBounds, FREE_BYTE, FREE_WORD, Value, Values};
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
    /// Nobody said what a chase is.
    #[error("the rules {} need a referee, and this table is built without one", .rules.name())]
    NoReferee {
        /// The rules.
        rules: Rules,
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
    pub(crate) fn check_memory(material: &Material, kind: Kind, held: u64, allowed: u64) -> Result<(), Self> {
        let needed = held.saturating_add(memory_to_solve(material, kind));
        if needed <= allowed { Ok(()) } else { Err(Self::Memory { material: *material, needed, allowed }) }
    }

    /// Fails if the longest win does not fit a cell.
    pub(crate) fn check_longest(material: &Material, longest: u16) -> Result<(), Self> {
        if longest < LONGEST { Ok(()) } else { Err(Self::TooLong { material: *material }) }
    }
}

/// Bytes of memory that solving an endgame takes, without the smaller tables that it depends on. With repetition rules the bound
/// entries are kept as well; how many there are differs. As much again is enough for most endgames, but not where the rules decide
/// most draws: KRP-KR took 3.6 times as much.
pub fn memory_to_solve(material: &Material, kind: Kind) -> u64 {
    let plain = Partition::memory(Index::len_of(material).unwrap_or(u64::MAX));
    if kind.serving(material).rules == Rules::Plain { plain } else { plain.saturating_mul(2) }
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
    /// Looking, once more, for what the repetition rules decide.
    Repetition(u16),
}

/// Solves an endgame on this machine, resuming from a checkpoint if there is one.
pub(crate) fn solve(
    index: &Arc<Index>,
    captures: Captures,
    kind: Kind,
    referee: Option<&dyn MoveRules>,
    checkpoints: Option<Checkpoints<'_>>,
    on_progress: &(dyn Fn(Stage) + Sync),
) -> Result<Table, SolveError> {
    let rules = move_rules(kind.rules, referee)?;
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
    let Some(rules) = rules else {
        SolveError::check_longest(index.material(), partition.longest())?;
        return Ok(into_table(partition, kind, None));
    };
    let mut round = 1;
    on_progress(Stage::Repetition(round));
    let mut bounds = repetition::bounds(&Unsolved(&partition), rules);
    let mut longest = latest_decided(&partition, RULE_DISTANCE).0;
    while let Some(distance) = mark_traps_lost(&partition, rules, &bounds, longest) {
        propagation.ply = distance;
        propagation.run(&partition, on_progress)?;
        round += 1;
        on_progress(Stage::Repetition(round));
        let won;
        (longest, won) = latest_decided(&partition, distance);
        for bounds in &mut bounds {
            bounds.refresh(&Unsolved(&partition), rules, &won[(!bounds.side).index()]);
        }
    }
    SolveError::check_longest(index.material(), partition.longest())?;
    let risks =
        rules.knows_chase().then(|| bounds.map(|bounds| Risk::find(&Unsolved(&partition), rules, bounds)));
    Ok(into_table(partition, kind, risks.as_ref()))
}

/// What the solver needs to know of rules; `None` if they say nothing of repetition.
pub(crate) fn move_rules(
    rules: Rules,
    referee: Option<&dyn MoveRules>,
) -> Result<Option<&dyn MoveRules>, SolveError> {
    match rules {
        Rules::Plain => Ok(None),
        Rules::PerpetualCheck => Ok(Some(&PerpetualCheck)),
        Rules::Wxf | Rules::Cxa => referee.ok_or(SolveError::NoReferee { rules }).map(Some),
    }
}

/// Marks the entries of all traps as lost, in a fully propagated table whose longest distance, if it is by rule, is this. Returns the next ply to
/// propagate, or `None` without a trap.
fn mark_traps_lost(
    partition: &Partition,
    rules: &dyn MoveRules,
    bounds: &[Bounds; 2],
    longest: u16,
) -> Option<u16> {
    let traps = repetition::traps(&Unsolved(partition), rules, bounds);
    let distance = (longest + 1).next_multiple_of(2).max(RULE_DISTANCE);
    for side in Side::ALL {
        traps[side.index()].iter().for_each(|number| partition.set(side, *number, distance));
    }
    traps.iter().any(|trap| !trap.is_empty()).then_some(distance)
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

/// Of the entries decided at this distance or later, the longest distance, 0 without any, and those that the side to move wins,
/// for each side.
fn latest_decided(partition: &Partition, distance: u16) -> (u16, [Vec<u64>; 2]) {
    // Not what `Partition::longest` says: that also counts wins that got shorter since.
    let mut longest = 0;
    let won = Side::ALL.map(|side| {
        let cells = &partition.cells[side.index()];
        let parts = map_parts(0..cells.len() as u64, |part| {
            let (mut longest, mut won) = (0, Vec::new());
            for number in part {
                let cell = cells[number as usize].load(Ordering::Relaxed);
                if (distance..ILLEGAL).contains(&cell) {
                    longest = longest.max(cell);
                    if !cell.is_multiple_of(2) {
                        won.push(number);
                    }
                }
            }
            (longest, won)
        });
        let longest_of_parts = parts.iter().map(|(longest, _)| *longest);
        longest = longest_of_parts.fold(longest, u16::max);
        parts.into_iter().flat_map(|(_, won)| won).collect()
    });
    (longest, won)
}

/// Turns the cells into values in the metric. `risks` says in which undecided entries Red and Black may lose.
fn into_table(partition: Partition, kind: Kind, risks: Option<&[Risk; 2]>) -> Table {
    let longest = partition.longest();
    let Partition { index, cells, .. } = partition;
    let any_risk = risks.is_some_and(|risks| risks.iter().any(|risk| !risk.is_empty()));
    let mut side_to_move = Side::ALL.into_iter();
    let values = cells.map(|cells| {
        let side = side_to_move.next().expect("there are two sides");
        let cells = cells.into_par_iter().map(AtomicU16::into_inner);
        let convert = if kind.metric == Metric::Wdl { wdl } else { packed };
        let bytes_suffice = kind.metric == Metric::Wdl || longest < u16::from(FREE_BYTE) - 1;
        Some(match risks.filter(|_| any_risk) {
            None if bytes_suffice => {
                Values::Bytes(cells.map(|cell| convert(cell, FREE_BYTE.into()) as u8).collect())
            }
            None => Values::Words(cells.map(|cell| convert(cell, FREE_WORD)).collect()),
            Some(risks) => {
                let value = |(number, cell): (usize, u16)| match risk_of(risks, side, number as u64) {
                    Some(bounds) if is_open(cell) => Value::DependsOnChase(bounds).packed(),
                    _ => convert(cell, FREE_WORD),
                };
                Values::Words(cells.enumerate().map(value).collect())
            }
        })
    });
    Table::new(index, kind, values)
}

/// Who may lose an undecided entry.
pub(crate) fn risk_of(risks: &[Risk; 2], side: Side, number: u64) -> Option<ValueBounds> {
    let mover = risks[side.index()].moving.contains(number);
    let other = risks[(!side).index()].waiting.contains(number);
    ValueBounds::of_risks(mover, other)
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
