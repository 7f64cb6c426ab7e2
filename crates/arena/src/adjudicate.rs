//! Adjudication: the rules of the game, endgame tables, and scores on which both engines agree.
//!
//! Each [`Judge`] sees the game after every move, in order; the referee comes first.

use chuhe_board::{Move, Outcome, Position, QUIET_PLY_LIMIT, Side};
use chuhe_referee::{Clause, Game, Referee};
use chuhe_tablebase::{PlayTables, Value};

use crate::record::Termination;

/// A game so far, as judges see it.
#[derive(Clone, Debug)]
pub struct History {
    game: Game,
    moves: Vec<Move>,
}

impl History {
    /// A game that begins with this position.
    pub fn new(start: Position) -> Self {
        Self { game: Game::new(start), moves: Vec::new() }
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.game.play(mv).expect("engines' moves are checked before they are played");
        self.moves.push(mv);
    }

    /// The game as the referee sees it.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Where the game began.
    pub fn start(&self) -> &Position {
        self.game.start()
    }

    /// Where it stands.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// What was played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }
}

/// A judge's decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// How the game ended.
    pub outcome: Outcome,
    /// Why, for people.
    pub reason: String,
}

impl Ruling {
    fn new(outcome: Outcome, reason: &str) -> Self {
        Self { outcome, reason: reason.to_owned() }
    }
}

/// Decides whether a game is over; asked after every move, and before the first.
pub trait Judge: Send + Sync {
    /// The decision; `None` if the game continues.
    fn judge(&self, game: &History) -> Option<Ruling>;

    /// The kind of termination that its decisions are.
    fn termination(&self) -> Termination {
        Termination::Rules
    }

    /// What its decisions depend on besides the rules, for the conditions of a match.
    fn condition(&self) -> Option<String> {
        None
    }
}

/// The rules of the game, repetition and the move limit included.
impl Judge for Referee {
    fn judge(&self, game: &History) -> Option<Ruling> {
        let verdict = Self::judge(self, game.game());
        if verdict.outcome == Outcome::Undecided {
            return None;
        }
        let reason = verdict.clause.map_or("", Clause::name).replace('-', " ");
        Some(Ruling { outcome: verdict.outcome, reason })
    }
}

/// Tablebase adjudication: what is proved under the rules of play, and within the limit of rounds.
impl Judge for PlayTables {
    fn judge(&self, game: &History) -> Option<Ruling> {
        let position = game.game().position();
        let mover = position.side_to_move();
        let is_in_time = |plies: u16| position.quiet_plies() + plies <= QUIET_PLY_LIMIT;
        let outcome = match self.certain(position)? {
            Value::Win(plies) if is_in_time(plies) => Outcome::won_by(mover),
            Value::Loss(plies) if is_in_time(plies) => Outcome::won_by(!mover),
            Value::Draw => Outcome::Draw,
            Value::Win(_) | Value::Loss(_) | Value::DependsOnChase(_) => return None,
        };
        Some(Ruling::new(outcome, "endgame table"))
    }

    fn termination(&self) -> Termination {
        Termination::Adjudication
    }

    fn condition(&self) -> Option<String> {
        let (plain, judged) = self.counts();
        let judged = match judged {
            0 => String::new(),
            _ => format!(", and {judged} for the rules {}", self.rules().name()),
        };
        Some(format!("{plain} endgame tables{judged}"))
    }
}

/// Score adjudication: ends games that both engines' scores call decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScoreRules {
    /// Both agree that one side wins.
    pub resign: Option<Agreement>,
    /// Both agree that nobody does.
    pub draw: Option<Agreement>,
    /// The longest game, in plies; a longer one is a draw.
    pub longest: Option<usize>,
}

/// How firmly engines must agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// Moves of each side in a row.
    pub moves: usize,
    /// The scores are at least this far from 0 (to resign) or at most (to draw).
    pub score: i32,
    /// Not before this many plies of the game.
    pub after: usize,
}

impl ScoreRules {
    /// The decision after a move, from the scores of the engines' moves so far, each for the side that made
    /// it, and the length of the game.
    pub fn judge(&self, last_mover: Side, scores: &[Option<i32>], plies: usize) -> Option<Ruling> {
        let recent = |rule: Agreement| rule.recent_scores_for_red(last_mover, scores, plies);
        if let Some(rule) = self.resign
            && let Some(scores) = recent(rule)
        {
            if scores.iter().all(|score| *score >= rule.score) {
                return Some(Ruling::new(Outcome::RedWins, "both engines agree that Red wins"));
            }
            if scores.iter().all(|score| *score <= -rule.score) {
                return Some(Ruling::new(Outcome::BlackWins, "both engines agree that Black wins"));
            }
        }
        if let Some(rule) = self.draw
            && recent(rule).is_some_and(|scores| scores.iter().all(|score| score.abs() <= rule.score))
        {
            return Some(Ruling::new(Outcome::Draw, "both engines agree on a draw"));
        }
        let longest = self.longest.filter(|longest| plies >= *longest)?;
        Some(Ruling { outcome: Outcome::Draw, reason: format!("{longest} plies") })
    }
}

impl Agreement {
    /// The scores that must agree, all as Red sees them; `None` if there are not enough yet or an engine
    /// sent none.
    fn recent_scores_for_red(
        &self,
        last_mover: Side,
        scores: &[Option<i32>],
        plies: usize,
    ) -> Option<Vec<i32>> {
        let count = self.moves.max(1).saturating_mul(2);
        if plies < self.after || scores.len() < count {
            return None;
        }
        let movers = [last_mover, !last_mover].into_iter().cycle();
        let for_red = |(score, mover): (&Option<i32>, Side)| match mover {
            Side::Red => *score,
            Side::Black => score.map(i32::saturating_neg),
        };
        scores.iter().rev().take(count).zip(movers).map(for_red).collect()
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::{self, RankStyle};
    use chuhe_tablebase::Rules;

    use super::*;

    #[test]
    fn tables_end_a_game_unless_the_limit_of_rounds_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        let tables = chuhe_tablebase::Folder::new(folder.path());
        let kind = chuhe_tablebase::Kind::default();
        tables.build(&"KR-K".parse().unwrap(), kind, 1 << 20, &|_, _| {}).unwrap();
        let (tables, _) = PlayTables::open(&tables, Rules::PerpetualCheck);
        let judge = |fen: &str| tables.judge(&game(fen, "")).map(|ruling| ruling.outcome);
        assert_eq!(judge("3k5/9/9/9/9/9/9/9/4R4/4K4 b - - 0 1"), Some(Outcome::RedWins));
        assert_eq!(judge("3k5/9/9/9/9/9/9/9/4R4/4K4 b - - 119 80"), None);
        assert_eq!(judge("3k5/9/9/9/9/9/9/4C4/3NR4/4K4 b - - 0 1"), None);
    }

    #[test]
    fn a_draw_with_attackers_on_both_sides_counts_only_by_a_table_for_the_rules_of_play() {
        let place = tempfile::tempdir().unwrap();
        let folder = chuhe_tablebase::Folder::new(place.path());
        let material = "KP-KP".parse().unwrap();
        let build = |rules| {
            let kind = chuhe_tablebase::Kind { rules, ..chuhe_tablebase::Kind::default() };
            folder.build(&material, kind, 1 << 26, &|_, _| {}).unwrap();
            PlayTables::open(&folder, Rules::PerpetualCheck).0
        };
        let plain = build(Rules::Plain);
        let index = plain.file(&material).unwrap().index();
        let mut positions = (0..index.len()).filter_map(|number| index.position(number, Side::Red));
        let is_drawn = |position: &Position| plain.probe(position).unwrap().value == Value::Draw;
        let drawn = History::new(positions.find(is_drawn).unwrap());
        assert_eq!(plain.judge(&drawn), None);
        let judged = build(Rules::PerpetualCheck);
        assert_eq!(judged.judge(&drawn).map(|ruling| ruling.outcome), Some(Outcome::Draw));
        assert!(judged.condition().unwrap().ends_with(" endgame tables, and 1 for the rules check"));
    }

    fn game(fen: &str, moves: &str) -> History {
        let mut game = History::new(fen.parse().unwrap());
        for text in moves.split_whitespace() {
            let mv = coords::parse_move(text, RankStyle::FromZero).unwrap();
            assert!(game.position().is_legal(mv), "{text} in {}", game.position());
            game.play(mv);
        }
        game
    }

    fn ruling(fen: &str, moves: &str) -> Option<(Outcome, String)> {
        Judge::judge(&Referee::default(), &game(fen, moves)).map(|ruling| (ruling.outcome, ruling.reason))
    }

    #[test]
    fn who_cannot_move_has_lost() {
        let mate = "R3k4/1R7/9/9/9/9/9/9/9/3K5 b";
        assert_eq!(ruling(mate, ""), Some((Outcome::RedWins, "checkmate".to_owned())));
        let stalemate = "3k5/4P4/9/9/9/9/9/9/9/4K4 b";
        assert_eq!(ruling(stalemate, ""), Some((Outcome::RedWins, "stalemate".to_owned())));
        assert_eq!(ruling(chuhe_board::fen::START, ""), None);
    }

    #[test]
    fn a_third_occurrence_is_a_draw() {
        let dance = "h0g2 h9g7 g2h0 g7h9 h0g2 h9g7 g2h0";
        assert_eq!(ruling(chuhe_board::fen::START, dance), None);
        let (outcome, reason) = ruling(chuhe_board::fen::START, &format!("{dance} g7h9")).unwrap();
        assert_eq!((outcome, reason.as_str()), (Outcome::Draw, "repetition"));
    }

    #[test]
    fn perpetual_check_loses() {
        let start = "3k5/9/9/9/9/9/9/9/4R4/5K3 w";
        let chase = "e1d1 d9e9 d1e1 e9d9 e1d1 d9e9 d1e1 e9d9";
        let (outcome, reason) = ruling(start, chase).unwrap();
        assert_eq!((outcome, reason.as_str()), (Outcome::BlackWins, "perpetual check"));
    }

    #[test]
    fn one_quiet_move_in_the_cycle_is_no_perpetual_check() {
        let start = "3k5/9/9/9/9/9/9/9/2R6/5K3 w";
        let cycle = "c1d1 d9e9 d1c1 e9d9";
        assert_eq!(ruling(start, &format!("{cycle} {cycle}")).unwrap().0, Outcome::Draw);
    }

    #[test]
    fn a_hundred_and_twenty_quiet_plies_are_a_draw() {
        let start = "3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 118 90";
        assert_eq!(ruling(start, "e1e2"), None);
        assert_eq!(ruling(start, "e1e2 d9d8").unwrap().0, Outcome::Draw);
    }

    #[test]
    fn engines_that_agree_end_the_game() {
        let resign = Some(Agreement { moves: 2, score: 500, after: 0 });
        let rules = ScoreRules { resign, ..ScoreRules::default() };
        let scores = |list: &[i32]| list.iter().map(|score| Some(*score)).collect::<Vec<_>>();
        let agreed = scores(&[600, -700, 800, -900]);
        let ruling = rules.judge(Side::Black, &agreed, 40).unwrap();
        assert_eq!(ruling.outcome, Outcome::RedWins);
        let ruling = rules.judge(Side::Red, &scores(&[-600, 700, -800, 900]), 40).unwrap();
        assert_eq!(ruling.outcome, Outcome::RedWins);
        assert_eq!(rules.judge(Side::Black, &scores(&[600, -700, 800, -400]), 40), None);
        assert_eq!(rules.judge(Side::Black, &scores(&[600, 700, 800, 900]), 40), None);
        assert_eq!(rules.judge(Side::Black, &scores(&[800, -900]), 40), None);
        assert_eq!(rules.judge(Side::Black, &[Some(600), Some(-700), Some(800), None], 40), None);
        assert_eq!(rules.judge(Side::Black, &scores(&[-600, 700, 800, -900]), 40), None);
    }

    #[test]
    fn engines_that_see_nothing_draw() {
        let draw = Some(Agreement { moves: 2, score: 10, after: 60 });
        let rules = ScoreRules { draw, longest: Some(200), ..ScoreRules::default() };
        let level = [Some(-3), Some(3), Some(0), Some(9)];
        assert_eq!(rules.judge(Side::Black, &level, 59), None);
        assert_eq!(rules.judge(Side::Black, &level, 60).unwrap().outcome, Outcome::Draw);
        assert_eq!(rules.judge(Side::Black, &[Some(50); 4], 199), None);
        assert_eq!(rules.judge(Side::Black, &[Some(50); 4], 200).unwrap().reason, "200 plies");
    }
}
