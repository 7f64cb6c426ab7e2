//! Laws of the referee, tried on cycles played from the positions of the suites: they are real, and
//! chases are near.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use chuhe_board::coords::{RankStyle, parse_move};
use chuhe_board::{Move, Outcome, Position};
use chuhe_referee::{Game, Nature, Referee, RuleSet, Standing, Verdict};
use proptest::prelude::{Strategy, any, prop_assert, prop_assert_eq, proptest};
use proptest::sample::{Index, select};

static POSITIONS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/rules/repetition.txt");
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('|').nth(5).unwrap().trim().parse().unwrap()).collect()
});

/// Moves that lead from `start` to it again: each side moves a piece and moves it back.
fn cycle_from(start: &Position, first: Index, second: Index) -> Option<Vec<Move>> {
    let mut game = Game::new(start.clone());
    let mut moves = Vec::new();
    for choice in [first, second] {
        let position = game.position();
        let quiet: Vec<Move> =
            position.moves().into_iter().filter(|mv| position.piece_on(mv.to()).is_none()).collect();
        let mv = *quiet.get(choice.index(quiet.len().max(1)))?;
        game.play(mv).ok()?;
        moves.push(mv);
    }
    for index in 0..2 {
        let back = Move::new(moves[index].to(), moves[index].from());
        game.play(back).ok()?;
        moves.push(back);
    }
    Some(moves)
}

fn position_and_cycle() -> impl Strategy<Value = (Position, Vec<Move>)> {
    let indices = (any::<Index>(), any::<Index>(), any::<Index>());
    indices.prop_filter_map("no way back", |(at, first, second)| {
        let start = at.get(&POSITIONS).clone();
        let cycle = cycle_from(&start, first, second)?;
        Some((start, cycle))
    })
}

fn rules() -> impl Strategy<Value = RuleSet> {
    select(RuleSet::ALL.to_vec())
}

fn played(start: &Position, moves: impl IntoIterator<Item = Move>) -> Game {
    let mut game = Game::new(start.clone());
    for mv in moves {
        game.play(mv).unwrap();
    }
    game
}

/// The verdict after the cycle has been played twice, behind a prefix that leads back to the start.
fn judged(rules: RuleSet, start: &Position, prefix: &[Move], cycle: &[Move]) -> Verdict {
    let moves = prefix.iter().chain(cycle).chain(cycle).copied();
    Referee::new(rules).judge(&played(start, moves))
}

fn natures(verdict: &Verdict) -> Vec<Nature> {
    verdict.reasons.iter().map(|reason| reason.nature).collect()
}

proptest! {
    #[test]
    fn a_mirrored_board_gives_the_same_verdict((start, cycle) in position_and_cycle(), rules in rules()) {
        let verdict = judged(rules, &start, &[], &cycle);
        let mirrored: Vec<Move> = cycle.iter().map(|mv| mv.mirrored()).collect();
        let other = judged(rules, &start.mirrored(), &[], &mirrored);
        prop_assert_eq!((verdict.outcome, verdict.clause), (other.outcome, other.clause));
        prop_assert_eq!(natures(&verdict), natures(&other));
    }

    #[test]
    fn swapped_colours_give_the_swapped_verdict((start, cycle) in position_and_cycle(), rules in rules()) {
        let verdict = judged(rules, &start, &[], &cycle);
        let across: Vec<Move> = cycle.iter().map(|mv| mv.across()).collect();
        let other = judged(rules, &start.across(), &[], &across);
        prop_assert_eq!((verdict.outcome.reversed(), verdict.clause), (other.outcome, other.clause));
        prop_assert_eq!(natures(&verdict), natures(&other));
    }

    #[test]
    fn an_idle_prefix_changes_nothing(
        (start, cycle) in position_and_cycle(),
        (first, second) in (any::<Index>(), any::<Index>()),
        rules in rules(),
    ) {
        let Some(prefix) = cycle_from(&start, first, second) else {
            return Ok(());
        };
        let idle = judged(rules, &start, &[], &prefix);
        if natures(&idle).iter().any(|nature| *nature != Nature::Idle) {
            return Ok(());
        }
        let (plain, delayed) = (judged(rules, &start, &[], &cycle), judged(rules, &start, &prefix, &cycle));
        prop_assert_eq!((plain.outcome, plain.clause), (delayed.outcome, delayed.clause));
        prop_assert_eq!(natures(&plain), natures(&delayed));
    }

    #[test]
    fn the_cycle_may_be_entered_at_any_move((start, cycle) in position_and_cycle(), rules in rules()) {
        let plain = judged(rules, &start, &[], &cycle);
        let later = played(&start, cycle.iter().chain(&cycle).chain(&cycle[..1]).copied());
        let verdict = Referee::new(rules).judge(&later);
        prop_assert_eq!((plain.outcome, plain.clause), (verdict.outcome, verdict.clause));
    }

    #[test]
    fn the_search_hears_what_the_game_is_told(
        (start, cycle) in position_and_cycle(),
        rules in rules(),
        root in 0_usize..8,
    ) {
        let referee = Referee::new(rules);
        let game = played(&start, cycle.iter().chain(&cycle).copied());
        let ruling = referee.repetition(game.position(), game.history(), root).unwrap();
        prop_assert!(ruling.is_binding);
        let expected = match (ruling.standing, game.position().side_to_move()) {
            (Standing::Draw, _) => Outcome::Draw,
            (Standing::Win, side) => Outcome::won_by(side),
            (Standing::Loss, side) => Outcome::won_by(!side),
        };
        prop_assert_eq!(expected, referee.judge(&game).outcome);
    }
}

#[test]
fn a_loop_that_began_in_the_game_is_not_ruled_on_before_it_binds() {
    let start: Position = "3k5/9/9/9/9/9/9/9/4R4/5K3 w".parse().unwrap();
    let cycle = ["e1d1", "d9e9", "d1e1", "e9d9"];
    let game = played(&start, cycle.map(|text| parse_move(text, RankStyle::FromZero).unwrap()));
    let referee = Referee::new(RuleSet::Wxf);
    let inside = referee.repetition(game.position(), game.history(), 0).unwrap();
    assert_eq!((inside.standing, inside.is_binding), (Standing::Loss, false));
    assert_eq!(referee.repetition(game.position(), game.history(), 1), None);
}
