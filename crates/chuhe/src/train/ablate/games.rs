//! The games of an ablation: pairs against the base, kept in a journal from which an interrupted match goes on.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use chuhe_arena::elo;
use chuhe_train::Wdl;
use chuhe_train::duel::Duel;
use serde::Serialize;

/// A match and its journal: a line for each pair, `conditions<TAB>number<TAB>results`.
pub(super) struct Match {
    journal: Option<File>,
    conditions: String,
    pairs: Vec<[Wdl; 2]>,
}

/// What came of the games, for the engine with the technique switched.
#[derive(Serialize)]
pub(super) struct Result {
    wins: usize,
    draws: usize,
    losses: usize,
    /// Rating difference, and half its 95 % interval; none if every game was won or lost.
    elo: Option<f64>,
    error: Option<f64>,
}

impl Match {
    /// A match under these conditions, with the pairs that the journal has.
    pub(super) fn open(path: Option<&Path>, conditions: &str) -> anyhow::Result<Self> {
        let mut opened = Self { journal: None, conditions: conditions.to_owned(), pairs: Vec::new() };
        let Some(path) = path else {
            return Ok(opened);
        };
        let context = || format!("cannot use the journal {}", path.display());
        let text =
            if path.exists() { std::fs::read_to_string(path).with_context(context)? } else { String::new() };
        for line in text.lines() {
            if let [conditions, number, results] = line.split('\t').collect::<Vec<_>>()[..]
                && conditions == opened.conditions
                && number == (opened.pairs.len() + 1).to_string()
                && let Some(pair) = pair(results)
            {
                opened.pairs.push(pair);
            }
        }
        opened.journal = Some(OpenOptions::new().create(true).append(true).open(path).with_context(context)?);
        Ok(opened)
    }

    /// Plays on until there are this many pairs.
    pub(super) fn play(&mut self, pairs: u64, duel: &mut Duel) -> anyhow::Result<()> {
        while (self.pairs.len() as u64) < pairs {
            let number = self.pairs.len() as u64 + 1;
            let results = duel.pair(number);
            self.pairs.push(results);
            if let Some(journal) = &mut self.journal {
                let line = format!("{}\t{number}\t{}\n", self.conditions, results.map(letter).concat());
                journal.write_all(line.as_bytes()).context("cannot write the journal")?;
            }
        }
        Ok(())
    }

    /// The result; none without games.
    pub(super) fn result(&self) -> Option<Result> {
        let count =
            |wanted: Wdl| self.pairs.as_flattened().iter().filter(|result| **result == wanted).count();
        let mut halves = [0; 5];
        for pair in &self.pairs {
            halves[pair.iter().map(|result| (result.points() * 2.0) as usize).sum::<usize>()] += 1;
        }
        let finite = |number: f64| number.is_finite().then_some(number);
        elo::estimate(&halves).map(|estimate| Result {
            wins: count(Wdl::Win),
            draws: count(Wdl::Draw),
            losses: count(Wdl::Loss),
            elo: finite(estimate.elo),
            error: finite(estimate.error),
        })
    }
}

impl fmt::Display for Result {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wins, draws, losses, elo, error } = self;
        write!(f, "+{wins} ={draws} −{losses}")?;
        match (elo, error) {
            (Some(elo), Some(error)) => write!(f, "  {elo:+.0} ± {error:.0}"),
            _ => Ok(()),
        }
    }
}

fn letter(result: Wdl) -> &'static str {
    match result {
        Wdl::Win => "W",
        Wdl::Draw => "D",
        Wdl::Loss => "L",
    }
}

fn pair(text: &str) -> Option<[Wdl; 2]> {
    let result = |letter: char| match letter {
        'W' => Some(Wdl::Win),
        'D' => Some(Wdl::Draw),
        'L' => Some(Wdl::Loss),
        _ => None,
    };
    let results: Vec<Wdl> = text.chars().map(result).collect::<Option<_>>()?;
    results.try_into().ok()
}

#[cfg(test)]
mod tests {
    use chuhe_search::Preset;
    use chuhe_train::selfplay::Settings;

    use super::*;

    #[test]
    fn a_match_goes_on_from_its_journal() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.txt");
        let settings = Settings { nodes: 40, hash: 1, ..Settings::default() };
        let duel = || Duel::new(settings.clone(), [&Preset::default(), &Preset::papers()]);
        let mut whole = Match::open(None, "today").unwrap();
        whole.play(3, &mut duel()).unwrap();
        Match::open(Some(&path), "today").unwrap().play(2, &mut duel()).unwrap();
        Match::open(Some(&path), "another").unwrap().play(1, &mut duel()).unwrap();
        let mut resumed = Match::open(Some(&path), "today").unwrap();
        assert_eq!(resumed.pairs, whole.pairs[..2]);
        resumed.play(3, &mut duel()).unwrap();
        assert_eq!(resumed.pairs, whole.pairs);
        assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 4);
    }
}
