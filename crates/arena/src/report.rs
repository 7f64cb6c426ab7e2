//! What the games add up to: tables for people, one object for programs.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use crate::elo::{self, Estimate};
use crate::record::{GameRecord, Termination};
use crate::sprt::{Hypothesis, Sprt};
use chuhe_board::{Outcome, Side};
use serde::Serialize;

/// All results of a match so far.
#[derive(Clone, Debug)]
pub struct Standings {
    names: Vec<String>,
    sprt: Option<Sprt>,
    /// What the test decided first: games that still ran then cannot undo it.
    verdict: Option<Hypothesis>,
    /// Results of each engine against each other, by their numbers.
    meetings: BTreeMap<(usize, usize), Meeting>,
    forfeits: BTreeMap<usize, Forfeits>,
    times: BTreeMap<usize, (Duration, u32)>,
    excused: usize,
}

/// How one engine did against another.
#[derive(Clone, Debug, Default, PartialEq)]
struct Meeting {
    losses: u64,
    draws: u64,
    wins: u64,
    /// Half points and games of each pair.
    pairs: BTreeMap<usize, (u8, u8)>,
}

/// Games lost without being beaten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Forfeits {
    /// By overstepping the time.
    pub time: u64,
    /// By an illegal move.
    pub illegal: u64,
    /// By a program that ended or stopped answering.
    pub crash: u64,
}

impl Forfeits {
    fn note(&mut self, termination: Termination) {
        match termination {
            Termination::Time => self.time += 1,
            Termination::Illegal => self.illegal += 1,
            Termination::Crash => self.crash += 1,
            Termination::Rules | Termination::Adjudication | Termination::Resignation => {}
        }
    }

    fn add(&mut self, other: Self) {
        self.time += other.time;
        self.illegal += other.illegal;
        self.crash += other.crash;
    }

    fn is_empty(self) -> bool {
        self == Self::default()
    }
}

/// The result for the first engine, as `chuhe match --json` prints it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Games played.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// The rating difference; null without games or if it has no bound.
    pub elo: Option<f64>,
    /// Half the width of its 95 % interval.
    pub elo_error: Option<f64>,
    /// Pairs of games with 0, ½, 1, 1½ and 2 points.
    pub pairs: [u64; 5],
    /// The sequential test, if there is one.
    pub sprt: Option<SprtSummary>,
    /// Games that the first engine or its opponents lost without being beaten.
    pub forfeits: Forfeits,
}

/// How a sequential test stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtSummary {
    /// The difference under the null hypothesis.
    pub elo0: f64,
    /// The difference under the alternative.
    pub elo1: f64,
    /// How often the alternative may be accepted wrongly.
    pub alpha: f64,
    /// How often the null hypothesis may be accepted wrongly.
    pub beta: f64,
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
    /// The null hypothesis is accepted here.
    pub lower: f64,
    /// The alternative is accepted here.
    pub upper: f64,
    /// What has been accepted.
    pub verdict: Option<Hypothesis>,
}

impl Standings {
    /// No games yet between the engines with these names.
    pub fn new(names: Vec<String>, sprt: Option<Sprt>) -> Self {
        Self {
            names,
            sprt,
            verdict: None,
            meetings: BTreeMap::new(),
            forfeits: BTreeMap::new(),
            times: BTreeMap::new(),
            excused: 0,
        }
    }

    /// Adds a game. Games of engines that are not in the match count for nothing.
    pub fn add(&mut self, game: &GameRecord) {
        let number = |name: &str| self.names.iter().position(|known| known == name);
        let (Some(red), Some(black)) = (number(&game.red), number(&game.black)) else { return };
        let points = match game.outcome {
            Outcome::RedWins => 2,
            Outcome::Draw => 1,
            Outcome::BlackWins => 0,
            Outcome::Undecided => return,
        };
        self.meetings.entry((red, black)).or_default().add(game.pair, points);
        self.meetings.entry((black, red)).or_default().add(game.pair, 2 - points);
        if let Some(winner) = game.outcome.winner() {
            let loser = if winner == Side::Red { black } else { red };
            self.forfeits.entry(loser).or_default().note(game.termination);
        }
        let black_first = game.start.split_whitespace().nth(1) == Some("b");
        for (index, mv) in game.moves.iter().enumerate() {
            let mover = if (index + usize::from(black_first)) % 2 == 0 { red } else { black };
            if let Some(us) = mv.us {
                let (time, moves) = self.times.entry(mover).or_default();
                *time += Duration::from_micros(us);
                *moves += 1;
            }
        }
        self.excused += game.excused;
        if self.verdict.is_none() {
            self.verdict = self.sprt.and_then(|sprt| sprt.verdict(&self.total(0).pentanomial()));
        }
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        self.meetings.values().map(Meeting::games).sum::<u64>() / 2
    }

    /// How long the engines have thought, all together.
    pub fn engine_time(&self) -> Duration {
        self.times.values().map(|(time, _)| *time).sum()
    }

    /// What the sequential test has decided about the first engine.
    pub fn verdict(&self) -> Option<Hypothesis> {
        self.verdict
    }

    /// The result for the first engine, against everybody.
    pub fn summary(&self) -> Summary {
        let total = self.total(0);
        let estimate = total.estimate();
        let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
        Summary {
            games: total.games(),
            wins: total.wins,
            draws: total.draws,
            losses: total.losses,
            elo: finite(estimate.map(|estimate| estimate.elo)),
            elo_error: finite(estimate.map(|estimate| estimate.error)),
            pairs: total.pentanomial(),
            sprt: self.sprt.map(|sprt| summarised(sprt, &total.pentanomial(), self.verdict)),
            forfeits: self.all_forfeits(),
        }
    }

    fn all_forfeits(&self) -> Forfeits {
        let mut all = Forfeits::default();
        for forfeits in self.forfeits.values() {
            all.add(*forfeits);
        }
        all
    }

    /// What an engine did against all others.
    fn total(&self, engine: usize) -> Meeting {
        let mut total = Meeting::default();
        for (_, meeting) in self.meetings.iter().filter(|((first, _), _)| *first == engine) {
            total.losses += meeting.losses;
            total.draws += meeting.draws;
            total.wins += meeting.wins;
            total.pairs.extend(&meeting.pairs);
        }
        total
    }

    /// The result so far on one line.
    pub fn line(&self) -> String {
        let total = self.total(0);
        let mut text = format!("{} {}", self.names[0], total.described());
        if let Some(sprt) = self.sprt {
            let _ = write!(text, "  LLR {:.2}", sprt.llr(&total.pentanomial()));
        }
        text
    }

    /// The result in full, for people.
    pub fn table(&self) -> String {
        let mut text = String::new();
        if self.names.len() == 2 {
            let _ =
                writeln!(text, "{} against {}: {}", self.names[0], self.names[1], self.total(0).described());
        } else {
            self.write_ranking(&mut text);
        }
        let _ = writeln!(text, "pairs {:?}", self.total(0).pentanomial());
        if let Some(sprt) = self.summary().sprt {
            let verdict = match sprt.verdict {
                Some(Hypothesis::H0) => "H0 accepted",
                Some(Hypothesis::H1) => "H1 accepted",
                None => "undecided",
            };
            let SprtSummary { elo0, elo1, llr, lower, upper, .. } = sprt;
            let _ = writeln!(
                text,
                "SPRT [{elo0}, {elo1}]: LLR {llr:.2} within ({lower:.2}, {upper:.2}), {verdict}"
            );
        }
        for (engine, name) in self.names.iter().enumerate() {
            let _ = writeln!(text, "{name}: {}", self.described_conduct(engine));
        }
        if self.excused > 0 {
            let _ = writeln!(text, "{} moves came late because the machine was busy", self.excused);
        }
        text
    }

    fn write_ranking(&self, text: &mut String) {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        let score = |engine: &usize| self.total(*engine).estimate().map_or(0.0, |estimate| estimate.score);
        order.sort_by(|first, second| score(second).total_cmp(&score(first)));
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        for engine in order {
            let _ = writeln!(text, "{:width$}  {}", self.names[engine], self.total(engine).described());
        }
    }

    /// The engine's time a move and what it lost without being beaten.
    fn described_conduct(&self, engine: usize) -> String {
        let (time, moves) = self.times.get(&engine).copied().unwrap_or_default();
        let mut text = format!("{:.1} ms a move", time.as_secs_f64() * 1e3 / f64::from(moves.max(1)));
        let forfeits = self.forfeits.get(&engine).copied().unwrap_or_default();
        if !forfeits.is_empty() {
            let Forfeits { time, illegal, crash } = forfeits;
            let _ =
                write!(text, "; forfeits: {time} on time, {illegal} by illegal moves, {crash} by crashes");
        }
        text
    }
}

fn summarised(sprt: Sprt, counts: &[u64], verdict: Option<Hypothesis>) -> SprtSummary {
    let Sprt { elo0, elo1, alpha, beta } = sprt;
    let (lower, upper) = sprt.bounds();
    SprtSummary { elo0, elo1, alpha, beta, llr: sprt.llr(counts), lower, upper, verdict }
}

impl Meeting {
    fn add(&mut self, pair: usize, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
        let (points, games) = self.pairs.entry(pair).or_default();
        *points += half_points;
        *games += 1;
    }

    fn games(&self) -> u64 {
        self.losses + self.draws + self.wins
    }

    /// Complete pairs by their points.
    fn pentanomial(&self) -> [u64; 5] {
        let mut counts = [0; 5];
        for (points, _) in self.pairs.values().filter(|(_, games)| *games == 2) {
            counts[usize::from(*points).min(4)] += 1;
        }
        counts
    }

    /// The rating difference, from pairs if all games are in pairs and these differ at all.
    fn estimate(&self) -> Option<Estimate> {
        let pairs = self.pentanomial();
        let complete = self.pairs.values().all(|(_, games)| *games == 2);
        let differ = pairs.iter().filter(|count| **count > 0).count() > 1;
        if complete && differ {
            elo::estimate(&pairs)
        } else {
            elo::estimate(&[self.losses, self.draws, self.wins])
        }
    }

    fn described(&self) -> String {
        let Self { losses, draws, wins, .. } = self;
        let games = self.games();
        let counts =
            format!("{games} {}  +{wins} ={draws} -{losses}", if games == 1 { "game" } else { "games" });
        let Some(Estimate { score, elo, error, superiority, .. }) = self.estimate() else {
            return counts;
        };
        let elo = match (elo.is_finite(), error.is_finite()) {
            (true, true) => format!("{elo:+.1} ± {error:.1}"),
            (true, false) => format!("{elo:+.1} ± ?"),
            (false, _) => format!("{elo:+}"),
        };
        format!("{counts}  {:.1} %  Elo {elo}  LOS {:.1} %", score * 100.0, superiority * 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::MoveRecord;

    fn game(number: usize, red: &str, black: &str, outcome: Outcome, termination: Termination) -> GameRecord {
        let mv = |us| MoveRecord { mv: "h2e2".to_owned(), score: None, depth: None, nodes: None, us };
        GameRecord {
            game: number,
            pair: number.div_ceil(2),
            red: red.to_owned(),
            black: black.to_owned(),
            limits: [String::new(), String::new()],
            date: String::new(),
            outcome,
            termination,
            reason: String::new(),
            start: "9 w".to_owned(),
            opening_plies: 1,
            moves: vec![mv(None), mv(Some(20_000)), mv(Some(30_000))],
            excused: 1,
        }
    }

    fn standings() -> Standings {
        let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05).unwrap();
        let mut standings = Standings::new(vec!["a".to_owned(), "b".to_owned()], Some(sprt));
        standings.add(&game(1, "a", "b", Outcome::RedWins, Termination::Rules));
        standings.add(&game(2, "b", "a", Outcome::Draw, Termination::Rules));
        standings.add(&game(3, "a", "b", Outcome::BlackWins, Termination::Time));
        standings.add(&game(4, "b", "a", Outcome::BlackWins, Termination::Illegal));
        standings.add(&game(5, "a", "b", Outcome::RedWins, Termination::Crash));
        standings
    }

    #[test]
    fn the_summary_has_the_promised_form() {
        let mut summary = standings().summary();
        summary.elo = summary.elo.map(f64::round);
        summary.elo_error = summary.elo_error.map(f64::round);
        summary.sprt = None;
        assert_eq!(
            serde_json::to_string(&summary).unwrap(),
            r#"{"games":5,"wins":3,"draws":1,"losses":1,"elo":147.0,"elo_error":null,"pairs":[0,0,1,1,0],"sprt":null,"forfeits":{"time":1,"illegal":1,"crash":1}}"#
        );
    }

    #[test]
    fn a_decided_test_stays_decided() {
        let sprt = Sprt::new(0.0, 200.0, 0.05, 0.05).unwrap();
        let mut standings = Standings::new(vec!["a".to_owned(), "b".to_owned()], Some(sprt));
        let mut number = 0;
        let mut add = |standings: &mut Standings, outcome| {
            number += 1;
            standings.add(&game(number, "a", "b", outcome, Termination::Rules));
        };
        while standings.verdict().is_none() {
            add(&mut standings, Outcome::RedWins);
        }
        for _ in 0..2 {
            add(&mut standings, Outcome::BlackWins);
        }
        let sprt = standings.summary().sprt.unwrap();
        assert!(sprt.llr < sprt.upper);
        assert_eq!(sprt.verdict, Some(Hypothesis::H1));
    }

    #[test]
    fn a_match_without_games_has_no_elo() {
        let summary = Standings::new(vec!["a".to_owned(), "b".to_owned()], None).summary();
        assert_eq!(summary.elo, None);
        assert_eq!(summary.games, 0);
    }

    #[test]
    fn tables_for_people() {
        insta::assert_snapshot!(standings().table());
        let mut three = Standings::new(vec!["a".to_owned(), "bee".to_owned(), "c".to_owned()], None);
        three.add(&game(1, "a", "bee", Outcome::BlackWins, Termination::Rules));
        three.add(&game(3, "c", "bee", Outcome::BlackWins, Termination::Rules));
        three.add(&game(5, "a", "c", Outcome::Draw, Termination::Rules));
        insta::assert_snapshot!(three.table());
    }
}
