//! The suites of repeated positions with their verdicts.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use chuhe_board::coords::{RankStyle, parse_move};
use chuhe_board::{Move, Outcome, Position};
use chuhe_referee::{Clause, Game, Nature, Referee, RuleSet};

/// One line of a suite.
struct Case {
    id: String,
    family: String,
    rules: RuleSet,
    verdict: String,
    prefix: usize,
    fen: String,
    moves: Vec<Move>,
}

impl Case {
    fn read(line: &str) -> Self {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let moves = fields[6].split_whitespace();
        Self {
            id: fields[0].to_owned(),
            family: fields[1].to_owned(),
            rules: fields[2].parse().unwrap(),
            verdict: fields[3].to_owned(),
            prefix: fields[4].parse().unwrap(),
            fen: fields[5].to_owned(),
            moves: moves.map(|text| parse_move(text, RankStyle::FromZero).unwrap()).collect(),
        }
    }

    /// The outcome when the cycle is played `more` times after the moves given.
    fn outcome(&self, referee: Referee, more: usize) -> Outcome {
        let mut game = Game::new(self.fen.parse().unwrap());
        let cycle = &self.moves[self.prefix..];
        for mv in self.moves.iter().chain(cycle.iter().cycle().take(cycle.len() * more)) {
            game.play(*mv).unwrap_or_else(|error| panic!("{}: {error}", self.id));
        }
        referee.judge(&game).outcome
    }
}

fn suite(name: &str) -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/rules").join(name);
    let text = fs::read_to_string(path).unwrap();
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(Case::read).collect()
}

/// The families of a suite that are judged wrong when judged by `outcome`.
fn wrong(cases: &[Case], outcome: impl Fn(&Case) -> Outcome) -> BTreeSet<String> {
    let is_wrong = |case: &&Case| outcome(case).name() != case.verdict;
    cases.iter().filter(is_wrong).map(|case| format!("{} ({})", case.family, case.id)).collect()
}

fn check(name: &str, families: usize) {
    let cases = suite(name);
    assert_eq!(cases.iter().map(|case| &case.family).collect::<BTreeSet<_>>().len(), families);
    let at_the_third = wrong(&cases, |case| case.outcome(Referee::new(case.rules), 1));
    assert!(at_the_third.is_empty(), "wrong at the third occurrence: {at_the_third:?}");
    let at_the_second = wrong(&cases, |case| case.outcome(Referee::new(case.rules).with_fold(2), 0));
    assert!(at_the_second.is_empty(), "wrong at the second occurrence: {at_the_second:?}");
}

#[test]
fn published_cases_are_judged_right() {
    check("repetition.txt", 98);
}

#[test]
fn world_and_asian_rules_agree_on_all_cases() {
    for case in suite("repetition.txt") {
        let [world, asian] = [RuleSet::Wxf, RuleSet::Axf].map(|rules| case.outcome(Referee::new(rules), 1));
        assert_eq!(world, asian, "{}", case.id);
    }
}

#[test]
fn each_clause_is_judged_as_it_says() {
    check("clauses.txt", 17);
}

#[test]
fn the_repetition_of_shark_and_brainchess_is_a_draw_because_both_sides_idle() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/rules/shark-brainchess.txt");
    let text = fs::read_to_string(path).unwrap();
    let mut game = Game::new(Position::start());
    for word in text.lines().filter(|line| !line.contains(['#', '/'])).flat_map(str::split_whitespace) {
        game.play(parse_move(word, RankStyle::FromZero).unwrap()).unwrap();
    }
    for rules in RuleSet::ALL {
        let verdict = Referee::new(rules).judge(&game);
        assert_eq!((verdict.outcome, verdict.clause), (Outcome::Draw, Some(Clause::Repetition)), "{rules}");
        assert_eq!(verdict.reasons.len(), 8);
        assert!(verdict.reasons.iter().all(|reason| reason.nature == Nature::Idle));
    }
}

#[test]
fn an_earlier_round_of_chasing_does_not_excuse_perpetual_check() {
    // The chariot first drives the cannon and then gives perpetual check.
    let chase = "d1b1 b6a6 b1a1 a6b6 a1b1 b6d6 b1d1 d6b6";
    let check = "d1e1 e9d9 e1d1 d9e9";
    let mut game = Game::new("4k4/9/9/1c7/9/9/9/9/3R5/5K3 w".parse().unwrap());
    for text in [chase, check, check].join(" ").split_whitespace() {
        game.play(parse_move(text, RankStyle::FromZero).unwrap()).unwrap();
    }
    let verdict = Referee::new(RuleSet::Wxf).judge(&game);
    assert_eq!((verdict.outcome, verdict.clause), (Outcome::BlackWins, Some(Clause::PerpetualCheck)));
}

#[test]
fn every_case_that_the_rules_name_exists() {
    let families: BTreeSet<String> =
        ["repetition.txt", "clauses.txt"].into_iter().flat_map(suite).map(|case| case.family).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules.md");
    let rules = fs::read_to_string(path).unwrap();
    let named: BTreeSet<&str> =
        rules.split('`').filter(|word| word.starts_with("cyc-") && word.len() == 7).collect();
    assert!(named.len() > 50, "the rules name {} cases", named.len());
    let missing: Vec<&str> = named.into_iter().filter(|family| !families.contains(*family)).collect();
    assert!(missing.is_empty(), "docs/rules.md names {missing:?}");
    let own: Vec<&String> = families.iter().filter(|family| !family.starts_with("cyc-")).collect();
    let unnamed: Vec<&&String> =
        own.iter().filter(|family| !rules.contains(&format!("`{family}`"))).collect();
    assert!(unnamed.is_empty(), "docs/rules.md does not name {unnamed:?}");
}
