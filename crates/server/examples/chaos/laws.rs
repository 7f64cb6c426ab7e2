//! The laws, what is measured for them, and the journal of rounds.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::client::Failure;

/// A move comes by its deadline and this much.
const MOVE_GRACE: u64 = 200;
/// 95 of 100 visitors are served within this many milliseconds.
const HEALTHY_P95: u64 = 1000;
/// Memory grows by no more than this in the second half of a round, in per cent.
const GROWTH: f64 = 5.0;

/// What a healthy visitor waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Kind {
    /// A move in play, past its deadline.
    Move,
    /// The first line of an analysis.
    FirstLine,
    /// Any other request.
    Request,
}

/// What a round has shown.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Round {
    seconds: u64,
    /// Waits in milliseconds.
    waits: BTreeMap<Kind, Vec<u64>>,
    timer: Vec<u64>,
    failures: BTreeMap<String, u64>,
    wrong: BTreeMap<String, u64>,
    /// Answers to abusers by kind and status; 0 is a closed connection.
    abuse: BTreeMap<String, BTreeMap<u16, u64>>,
    /// Refusals that do not say why.
    unclear: u64,
    /// Resident kibibytes at most, in either half.
    memory: [u64; 2],
    died: bool,
    damage: Vec<String>,
}

/// Collects measurements from all tasks.
#[derive(Default)]
pub(crate) struct Samples(Mutex<Round>);

impl Samples {
    fn round_mut(&self) -> MutexGuard<'_, Round> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn wait(&self, kind: Kind, time: Duration) {
        self.round_mut().waits.entry(kind).or_default().push(time.as_millis() as u64);
    }

    pub(crate) fn timer(&self, late: Duration) {
        self.round_mut().timer.push(late.as_millis() as u64);
    }

    pub(crate) fn failure(&self, error: &str) {
        *self.round_mut().failures.entry(error.chars().take(200).collect()).or_default() += 1;
    }

    pub(crate) fn wrong(&self, what: &str) {
        *self.round_mut().wrong.entry(what.to_owned()).or_default() += 1;
    }

    pub(crate) fn abuse(&self, what: &str, status: u16, body: &str) {
        let mut round = self.round_mut();
        *round.abuse.entry(what.to_owned()).or_default().entry(status).or_default() += 1;
        // hyper itself answers 400 and 431 to what is no HTTP, without a body.
        if status >= 401 && status != 431 && !body.contains("\"error\":") {
            round.unclear += 1;
        }
    }

    pub(crate) fn memory(&self, first_half: u64, second_half: u64) {
        self.round_mut().memory = [first_half, second_half];
    }

    pub(crate) fn round(&self, time: Duration, died: bool, damage: Vec<String>) -> Round {
        let mut round = self.round_mut().clone();
        round.seconds = time.as_secs();
        round.died = died;
        round.damage = damage;
        round
    }
}

/// The waits at a share of all, in per cent.
fn percentile(waits: &[u64], share: usize) -> u64 {
    let mut waits = waits.to_vec();
    waits.sort_unstable();
    waits.get((waits.len() * share / 100).min(waits.len().saturating_sub(1))).copied().unwrap_or(0)
}

impl Round {
    fn growth(&self) -> f64 {
        let [first, second] = self.memory;
        if first == 0 { 0.0 } else { (second as f64 / first as f64 - 1.0) * 100.0 }
    }

    fn waits(&self, kind: Kind) -> &[u64] {
        self.waits.get(&kind).map_or(&[], Vec::as_slice)
    }

    /// All rounds as one; memory grows as in the worst round.
    fn sum(rounds: &[Self]) -> Self {
        let mut sum = Self::default();
        for round in rounds {
            if sum.memory[0] == 0 || round.growth() > sum.growth() {
                sum.memory = round.memory;
            }
            sum.seconds += round.seconds;
            sum.timer.extend(&round.timer);
            sum.unclear += round.unclear;
            sum.died |= round.died;
            sum.damage.extend(round.damage.iter().cloned());
            for (kind, waits) in &round.waits {
                sum.waits.entry(*kind).or_default().extend(waits);
            }
            for (all, counts) in [(&mut sum.failures, &round.failures), (&mut sum.wrong, &round.wrong)] {
                for (what, count) in counts {
                    *all.entry(what.clone()).or_default() += count;
                }
            }
            for (what, statuses) in &round.abuse {
                for (status, count) in statuses {
                    *sum.abuse.entry(what.clone()).or_default().entry(*status).or_default() += count;
                }
            }
        }
        sum
    }

    /// Each law with what was measured and whether it held.
    fn laws(&self) -> Vec<(String, String, bool)> {
        let moves = self.waits(Kind::Move);
        let late = moves.iter().filter(|wait| **wait > MOVE_GRACE).count();
        let total = |counts: &BTreeMap<String, u64>| counts.values().sum::<u64>();
        let mut laws = vec![(
            format!("moves by their deadline and {MOVE_GRACE} ms"),
            format!(
                "{} moves, {late} later; median {} ms, 95 % {} ms, longest {} ms past the deadline",
                moves.len(),
                percentile(moves, 50),
                percentile(moves, 95),
                percentile(moves, 100)
            ),
            late == 0 && !moves.is_empty(),
        )];
        for (kind, name) in
            [(Kind::FirstLine, "first line of an analysis"), (Kind::Request, "other requests")]
        {
            let waits = self.waits(kind);
            let p95 = percentile(waits, 95);
            let longest = percentile(waits, 100);
            laws.push((
                format!("{name}: 95 % within {HEALTHY_P95} ms"),
                format!(
                    "{} waits, median {} ms, 95 % {p95} ms, longest {longest} ms",
                    waits.len(),
                    percentile(waits, 50)
                ),
                p95 <= HEALTHY_P95 && !waits.is_empty(),
            ));
        }
        let failures = total(&self.failures);
        laws.push(("no healthy visitor is refused or cut off".into(), format!("{failures}"), failures == 0));
        let wrong = total(&self.wrong);
        laws.push(("no wrong answer".into(), format!("{wrong}"), wrong == 0));
        laws.push((
            format!("memory grows by less than {GROWTH} % in the second half"),
            format!("{} MB, then {} MB: {:+.1} %", self.memory[0] >> 10, self.memory[1] >> 10, self.growth()),
            self.growth() < GROWTH,
        ));
        let damage = if self.damage.is_empty() { "none".to_owned() } else { self.damage.join("; ") };
        laws.push(("no file lost or half written".into(), damage, self.damage.is_empty()));
        laws.push(("every refusal says why".into(), format!("{} do not", self.unclear), self.unclear == 0));
        laws.push((
            "the server ends only by kill -9".into(),
            if self.died { "it died" } else { "it did" }.into(),
            !self.died,
        ));
        laws
    }

    fn table(&self) -> String {
        let mut table = format!(
            "Chaos: {} s, 50 visitors. A timer of 50 ms in the test itself was late by {} ms in the middle, {} ms at 95 %.\n\n\
             | law | measured | held |\n|---|---|---|\n",
            self.seconds,
            percentile(&self.timer, 50),
            percentile(&self.timer, 95)
        );
        for (law, measured, held) in self.laws() {
            table += &format!("| {law} | {measured} | {} |\n", if held { "yes" } else { "no" });
        }
        table += "\n| abuse | answers by status (0: closed) |\n|---|---|\n";
        for (what, statuses) in &self.abuse {
            let statuses: Vec<String> =
                statuses.iter().map(|(status, count)| format!("{status}: {count}")).collect();
            table += &format!("| {what} | {} |\n", statuses.join(", "));
        }
        table
    }
}

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (law, measured, held) in self.laws() {
            writeln!(f, "{} {law}: {measured}", if held { "  held" } else { "BROKEN" })?;
        }
        for (what, count) in self.failures.iter().chain(&self.wrong) {
            writeln!(f, "       {count} × {what}")?;
        }
        Ok(())
    }
}

/// Rounds on disk, so that a run can be resumed.
pub(crate) struct Journal {
    path: PathBuf,
    rounds: Vec<Round>,
}

impl Journal {
    pub(crate) fn open(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join("journal.jsonl");
        let text = if path.exists() { fs::read_to_string(&path)? } else { String::new() };
        // The last line may be half written.
        let rounds = text.lines().map_while(|line| serde_json::from_str(line).ok()).collect();
        Ok(Self { path, rounds })
    }

    pub(crate) fn rounds(&self) -> usize {
        self.rounds.len()
    }

    pub(crate) fn seconds(&self) -> u64 {
        self.rounds.iter().map(|round| round.seconds).sum()
    }

    pub(crate) fn add(&mut self, round: Round) -> Result<(), Failure> {
        let mut file: File = OpenOptions::new().create(true).append(true).open(&self.path)?;
        writeln!(file, "{}", serde_json::to_string(&round)?)?;
        self.rounds.push(round);
        Ok(())
    }

    pub(crate) fn table(&self) -> String {
        Round::sum(&self.rounds).table()
    }

    /// The laws that did not hold.
    pub(crate) fn broken(&self) -> Vec<String> {
        let laws = Round::sum(&self.rounds).laws();
        laws.into_iter().filter(|(.., held)| !held).map(|(law, ..)| law).collect()
    }
}
