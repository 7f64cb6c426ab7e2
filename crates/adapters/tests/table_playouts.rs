//! Games from positions of tables that know perpetual chase, judged by the referee: they end as the table says.

#![allow(clippy::print_stdout, reason = "long tests say what they compared")]

use chuhe_adapters::repetition::referee_of;
use chuhe_board::{Move, Outcome, Position, Side};
use chuhe_referee::{Clause, Game, Referee, RuleSet};
use chuhe_tablebase::{Family, Kind, Material, Metric, MoveRules, RULE_DISTANCE, Rules, Tracks, Value};

/// A generator of random numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ mixed >> 31) as usize % end
    }
}

/// Who plays against the table.
#[derive(Clone, Copy, Debug)]
enum Opponent {
    /// Any legal move.
    Random,
    /// A move that loses as late as possible, or does not lose.
    Stubborn,
    /// The same, and among those checks and chases.
    Pushing,
    /// The table itself.
    Table,
}

/// An endgame with the rules it was solved by.
struct Solved {
    family: Family,
    judge: Referee,
    rules: &'static dyn MoveRules,
    /// Positions whose value is certain: any, and those decided by the repetition rules.
    positions: [Vec<Position>; 2],
}

impl Solved {
    fn new(names: &[&str], rules: RuleSet) -> Self {
        let kind =
            Kind { metric: Metric::Dtm, rules: if rules == RuleSet::Cxa { Rules::Cxa } else { Rules::Wxf } };
        let referee = referee_of(kind.rules);
        let mut family = Family::of(kind, referee);
        let mut positions = [Vec::new(), Vec::new()];
        for name in names {
            let material: Material = name.parse().unwrap();
            family.add(&material, 1 << 32, &|_, _| {}).unwrap();
            let table = family.table(&material).unwrap();
            for number in 0..table.index().len() {
                for position in Side::ALL.into_iter().filter_map(|side| table.index().position(number, side))
                {
                    let sample = if table.index().len() < 1 << 20 { 1 } else { 41 };
                    let pool = match table.probe(&position).unwrap() {
                        Value::DependsOnChase(_) => None,
                        Value::Win(plies) | Value::Loss(plies) if plies >= RULE_DISTANCE => {
                            (number % sample == 0).then_some(1)
                        }
                        _ => (number % 97 == 0).then_some(0),
                    };
                    if let Some(pool) = pool {
                        positions[pool].push(position);
                    }
                }
            }
        }
        Self { family, judge: Referee::new(rules), rules: referee.unwrap(), positions }
    }

    /// The legal moves that the table likes best, by how it values them.
    fn best(&self, game: &Game) -> Vec<(Move, Position)> {
        let before = game.position();
        let valued = before.moves().into_iter().map(|mv| {
            let mut after = before.clone();
            let _ = after.play(mv, &mut ());
            (self.family.probe(&after).unwrap().before().preference(), mv, after)
        });
        let valued: Vec<(i32, Move, Position)> = valued.collect();
        let best = valued.iter().map(|(value, ..)| *value).max().unwrap();
        valued.into_iter().filter(|(value, ..)| *value == best).map(|(_, mv, after)| (mv, after)).collect()
    }

    /// A move that keeps the table's promise: of those that the table likes best, one that does not lose by repetition, answers what
    /// was attacked, does nothing forbidden itself and has been played least.
    fn by_table(&self, game: &Game, random: &mut Random) -> Move {
        let before = game.position();
        let seen = |mv: Move| {
            let mut next = game.clone();
            next.play(mv).unwrap();
            next.history().occurrences().count()
        };
        let mut best: Vec<_> = self
            .best(game)
            .into_iter()
            .map(|(mv, after)| {
                let is_capture = before.piece_on(mv.to()).is_some();
                let is_idle = is_capture || {
                    let deed = self.rules.deed(before, mv, &after);
                    !deed.checks && !deed.attacks
                };
                let is_met = is_capture || self.rules.met(before, mv, &after) == Tracks::ALL;
                let rank = (self.judge.forbids(game, mv), !is_met, !is_idle, seen(mv), random.below(1 << 16));
                (rank, mv)
            })
            .collect();
        best.sort_unstable_by_key(|(rank, _)| *rank);
        best[0].1
    }

    fn against_table(&self, opponent: Opponent, game: &Game, random: &mut Random) -> Move {
        let before = game.position();
        if matches!(opponent, Opponent::Random) {
            let moves: Vec<Move> = before.moves().into_iter().collect();
            return moves[random.below(moves.len())];
        }
        let mut best = self.best(game);
        if matches!(opponent, Opponent::Pushing) {
            let pushes = |(mv, after): &(Move, Position)| {
                let deed = self.rules.deed(before, *mv, after);
                deed.checks || deed.attacks
            };
            if best.iter().any(|one| before.piece_on(one.0.to()).is_none() && pushes(one)) {
                best.retain(|one| before.piece_on(one.0.to()).is_none() && pushes(one));
            }
        }
        best[random.below(best.len())].0
    }

    /// Plays a game in which `side` follows the table, until the referee ends it.
    fn play(
        &self,
        start: &Position,
        side: Side,
        opponent: Opponent,
        random: &mut Random,
    ) -> (Outcome, Option<Clause>, Game) {
        let mut game = Game::new(start.clone());
        loop {
            let verdict = self.judge.judge(&game);
            if verdict.outcome != Outcome::Undecided {
                return (verdict.outcome, verdict.clause, game);
            }
            let follows = game.position().side_to_move() == side || matches!(opponent, Opponent::Table);
            let mv = if follows {
                self.by_table(&game, random)
            } else {
                self.against_table(opponent, &game, random)
            };
            game.play(mv).unwrap();
        }
    }
}

fn play_out(names: &[&str], rules: RuleSet, games: usize) {
    let solved = Solved::new(names, rules);
    let mut random = Random(1);
    let (mut wins, mut draws, mut by_check, mut by_attack, mut beyond) = (0, 0, 0, 0, 0);
    let attacks = [Clause::PerpetualChase, Clause::PerpetualThreat, Clause::MixedAttacks];
    let mut wrong = Vec::new();
    for number in 0..games {
        let pool = &solved.positions[if solved.positions[1].is_empty() { 0 } else { number % 2 }];
        let start = &pool[random.below(pool.len())];
        let opponent =
            [Opponent::Random, Opponent::Stubborn, Opponent::Pushing, Opponent::Table][random.below(4)];
        let mover = start.side_to_move();
        let winner = match solved.family.probe(start).unwrap() {
            Value::Win(_) => Some(mover),
            Value::Loss(_) => Some(!mover),
            _ => None,
        };
        let side = winner.unwrap_or(Side::ALL[random.below(2)]);
        let (outcome, clause, game) = solved.play(start, side, opponent, &mut random);
        let (won, lost) = (Outcome::won_by(side), Outcome::won_by(!side));
        let is_right = match (winner, opponent) {
            // Tables do not know the limit of sixty rounds; such games are counted apart.
            (Some(_), _) => outcome == won || clause == Some(Clause::MoveLimit),
            // The opponent may lose, even by repetition.
            (None, Opponent::Random | Opponent::Stubborn | Opponent::Pushing) => outcome != lost,
            (None, Opponent::Table) => outcome == Outcome::Draw,
        };
        if !is_right {
            let moves: Vec<String> =
                game.history().plies().iter().map(|ply| ply.mv().unwrap().to_string()).collect();
            wrong.push(format!(
                "{start}, {side:?} by table against {opponent:?}: {outcome:?} {clause:?}: {}",
                moves.join(" ")
            ));
        }
        wins += usize::from(winner.is_some());
        draws += usize::from(winner.is_none());
        by_check += usize::from(clause == Some(Clause::PerpetualCheck));
        by_attack += usize::from(clause.is_some_and(|clause| attacks.contains(&clause)));
        beyond += usize::from(winner.is_some() && clause == Some(Clause::MoveLimit));
    }
    println!(
        "{names:?} {rules}: {wins} wins, {draws} draws, {} wrong; {by_check} end by perpetual check, {by_attack} by chase or other attacks; {beyond} wins beyond sixty rounds",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // A win that does not come is only excused while it is rare.
    assert!(beyond * 100 <= wins, "{beyond} of {wins} wins took more than sixty rounds");
}

#[test]
fn games_end_as_the_table_says() {
    for rules in [RuleSet::Wxf, RuleSet::Axf, RuleSet::Cxa] {
        play_out(&["KP-KN"], rules, 100);
    }
}

/// One attacker a side, where only checks decide, and endings that chases decide.
const ENDGAMES: [(&[&str], usize); 3] = [
    (&["KR-KN", "KR-KC", "KN-KC", "KN-KN", "KC-KC", "KR-KP", "KN-KP"], 8_000),
    (&["KR-KNA"], 1_000),
    (&["KNP-KN"], 1_000),
];

#[test]
#[ignore = "10,000 games: make check-tables"]
fn ten_thousand_games_by_the_world_rules_end_as_the_table_says() {
    ENDGAMES.iter().for_each(|(names, games)| play_out(names, RuleSet::Wxf, *games));
}

#[test]
#[ignore = "10,000 games: make check-tables"]
fn ten_thousand_games_by_the_chinese_rules_end_as_the_table_says() {
    ENDGAMES.iter().for_each(|(names, games)| play_out(names, RuleSet::Cxa, *games));
}

/// The world and the Asian rules have the same tables.
#[test]
#[ignore = "2,000 games: make check-tables"]
fn games_by_the_asian_rules_end_as_the_table_says() {
    ENDGAMES.iter().for_each(|(names, games)| play_out(names, RuleSet::Axf, games / 5));
}
