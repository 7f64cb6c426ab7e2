//! From findings to an analysis: losses, marks, accuracy.
//!
//! A move loses as many points as the expected result falls by it, on a scale on which a win is 100 and a draw
//! 50 ([`chuhe_eval::Chances`]). All scores are from Red's point of view.

use std::collections::BTreeMap;

use chuhe_board::{Move, Outcome, Position, Side};
use chuhe_book::Book;
use chuhe_book::openings::{self, Opening};
use chuhe_eval::classical::Phase;
use chuhe_eval::{Chances, Score};
use chuhe_notation::chinese::{self, Script};
use chuhe_notation::record::{Game as Record, Mark};
use chuhe_notation::wxf;
use chuhe_referee::{Clause, Game, Referee, Verdict};
use chuhe_search::{Certainty, Endgames};
use serde::Serialize;

use super::{Finding, Journal, Settings, fingerprint};
use crate::verdict::{VerdictJson, sentence};
use crate::{AnalyseError, Language, ScoreJson};

/// What is known without a search.
#[derive(Clone, Copy)]
struct Known<'a> {
    openings: Option<&'a dyn KnownOpenings>,
    endgames: Option<&'a dyn Endgames>,
}

/// An opening book, as far as an analysis asks it.
pub trait KnownOpenings {
    /// Whether the book knows the move in the position.
    fn knows(&self, position: &Position, mv: Move) -> bool;
}

impl KnownOpenings for Book {
    fn knows(&self, position: &Position, mv: Move) -> bool {
        Book::knows(self, position, mv)
    }
}

/// The analysis of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct GameAnalysis {
    /// What is known about the game.
    pub tags: BTreeMap<String, String>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`, as the record says.
    pub result: String,
    /// The start position.
    pub fen: String,
    /// How it was analysed.
    pub settings: String,
    /// The opening.
    #[cfg_attr(feature = "typescript", ts(type = "OpeningJson | null"))]
    pub opening: Option<Opening>,
    /// After how many plies the book knew no more; nothing if no book was asked.
    pub book_plies: Option<usize>,
    /// After how many plies the tables knew the position for the first time.
    pub table_from: Option<usize>,
    /// The two sides.
    pub sides: Sides,
    /// The referee's verdict.
    pub verdict: VerdictJson,
    /// After how many plies it fell, or the number of plies if the game was still open.
    pub verdict_ply: usize,
    /// The verdict in words.
    pub verdict_texts: VerdictTexts,
    /// Red's expected result before the first move, in percent.
    pub expectation: f64,
    /// The moves.
    pub moves: Vec<MoveAnalysis>,
}

/// A sentence in each language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[expect(missing_docs, reason = "the names say it")]
pub struct VerdictTexts {
    pub en: String,
    pub zh_hant: String,
    pub zh_hans: String,
}

/// Both sides.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Sides {
    /// Red.
    pub red: SideSummary,
    /// Black.
    pub black: SideSummary,
}

/// How a side played.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SideSummary {
    /// How many moves it made.
    pub moves: usize,
    /// 100 if no move lost anything.
    pub accuracy: f64,
    /// Points lost by a move on average.
    pub average_loss: f64,
    /// Moves marked `?!`.
    pub inaccuracies: usize,
    /// Moves marked `?`.
    pub mistakes: usize,
    /// Moves marked `??`.
    pub blunders: usize,
    /// Moves marked `!`.
    pub finds: usize,
    /// The accuracy in each phase of the game; nothing where the side made no move.
    pub phases: PhaseAccuracy,
}

/// The accuracy in each phase of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[expect(missing_docs, reason = "the names say it")]
pub struct PhaseAccuracy {
    pub opening: Option<f64>,
    pub middlegame: Option<f64>,
    pub endgame: Option<f64>,
}

/// The analysis of a move. Scores and expectations are Red's.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MoveAnalysis {
    /// The number of the ply, from 1.
    pub ply: usize,
    /// The number of the round.
    pub round: u16,
    /// `red` or `black`.
    pub side: &'static str,
    /// `opening`, `middlegame` or `endgame`.
    pub phase: &'static str,
    /// The move in coordinates.
    #[serde(rename = "move")]
    pub mv: String,
    /// The move in WXF.
    pub wxf: String,
    /// The move in Chinese, traditional characters.
    pub chinese: String,
    /// The best move, which may be the one that was played.
    pub best: String,
    /// The best line in coordinates.
    pub line: Vec<String>,
    /// The best line in WXF.
    pub line_wxf: Vec<String>,
    /// The best line in Chinese.
    pub line_chinese: Vec<String>,
    /// How deep the search was.
    pub depth: u32,
    /// The score of the best move.
    pub best_score: ScoreJson,
    /// The score after the move that was played.
    pub score: ScoreJson,
    /// The expected result after the move, in percent.
    pub expectation: f64,
    /// How many points the move lost.
    pub loss: f64,
    /// `!`, `?!`, `?` or `??`.
    pub mark: Option<String>,
    /// Whether the book knows the move.
    pub in_book: bool,
    /// Whether the tables know the position after the move.
    pub in_tables: bool,
}

/// From this loss on a move is marked so.
pub(super) const MARKS: [(f64, &str); 3] = [(20.0, "??"), (10.0, "?"), (5.0, "?!")];
/// A good move is worth a mark if every other loses at least this much …
const FIND_GAIN: f64 = 10.0;
/// … and if it takes at least this depth to see it.
const FIND_DEPTH: u32 = 5;
/// Moves of the best line that are reported; the tail of a line is unreliable.
const LONGEST_LINE: usize = 12;
/// How quickly accuracy falls with the points lost.
const ACCURACY_FALL: f64 = 0.04;

/// The analysis of a game whose positions are all in the journal, with the openings that are known.
pub fn judge(
    record: &Record,
    journal: &Journal,
    settings: &Settings,
    openings: Option<&dyn KnownOpenings>,
) -> Result<GameAnalysis, AnalyseError> {
    let known = Known { openings, endgames: settings.endgames.as_deref() };
    let game = fingerprint(record);
    let moves: Vec<Move> = record.main_moves().collect();
    let findings: Option<Vec<&Finding>> = (0..=moves.len()).map(|ply| journal.finding(game, ply)).collect();
    let findings = findings.ok_or(AnalyseError::Stopped)?;
    let mut position = record.start().clone();
    let mut judged = Vec::new();
    let mut table_from = certainty(&position, known).map(|_| 0);
    for (index, mv) in moves.iter().enumerate() {
        let before = position.clone();
        let _ = position.play(*mv, &mut ());
        let pair = Pair { before: &before, after: &position, mv: *mv, ply: index + 1 };
        let judgement = pair.judged(findings[index], findings[index + 1], known);
        if judgement.in_tables && table_from.is_none() {
            table_from = Some(index + 1);
        }
        judged.push(judgement);
    }
    let (verdict, verdict_ply) = first_verdict(record, settings);
    let texts = |language| sentence(&verdict, language);
    Ok(GameAnalysis {
        tags: record.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        result: record.outcome.to_string(),
        fen: record.start().to_string(),
        settings: settings.description(),
        opening: (record.start() == &Position::start()).then(|| openings::name(&moves)).flatten(),
        book_plies: known.openings.map(|_| judged.iter().take_while(|judged| judged.in_book).count()),
        table_from,
        sides: Sides { red: summary(&judged, "red"), black: summary(&judged, "black") },
        verdict: VerdictJson::from(&verdict),
        verdict_ply,
        verdict_texts: VerdictTexts {
            en: texts(Language::English),
            zh_hant: texts(Language::Traditional),
            zh_hans: texts(Language::Simplified),
        },
        expectation: rounded(reds(expected(record.start(), findings[0].score(), known), record.start())),
        moves: judged,
    })
}

/// A move between two positions.
struct Pair<'a> {
    before: &'a Position,
    after: &'a Position,
    mv: Move,
    ply: usize,
}

impl Pair<'_> {
    fn judged(&self, here: &Finding, next: &Finding, known: Known<'_>) -> MoveAnalysis {
        let best = here.best().unwrap_or(self.mv);
        let best_expected = expected(self.before, here.score(), known);
        let after_expected = expected(self.after, next.score(), known);
        let loss = match best == self.mv {
            true => 0.0,
            false => (best_expected - (100.0 - after_expected)).max(0.0),
        };
        let line = here.lines.first().map_or(&[][..], |line| &line.moves);
        let line = &line[..line.len().min(LONGEST_LINE)];
        let (mut wxf_line, mut chinese_line) = (Vec::new(), Vec::new());
        let mut position = self.before.clone();
        for mv in line {
            wxf_line.push(wxf::write_move(&position, *mv).to_string());
            chinese_line.push(chinese::write_move(&position, *mv, Script::Traditional).to_string());
            let _ = position.play(*mv, &mut ());
        }
        let side = self.before.side_to_move();
        MoveAnalysis {
            ply: self.ply,
            round: self.before.round(),
            side: if side == Side::Red { "red" } else { "black" },
            phase: phase_name(self.before),
            mv: self.mv.to_string(),
            wxf: wxf::write_move(self.before, self.mv).to_string(),
            chinese: chinese::write_move(self.before, self.mv, Script::Traditional).to_string(),
            best: best.to_string(),
            line: line.iter().map(ToString::to_string).collect(),
            line_wxf: wxf_line,
            line_chinese: chinese_line,
            depth: here.depth,
            best_score: ScoreJson::for_red(here.score(), side),
            score: ScoreJson::for_red(next.score(), !side),
            expectation: rounded(reds(after_expected, self.after)),
            loss: rounded(loss),
            mark: self.mark(here, best, loss).map(str::to_owned),
            in_book: known.openings.is_some_and(|openings| openings.knows(self.before, self.mv)),
            in_tables: certainty(self.after, known).is_some(),
        }
    }

    fn mark(&self, here: &Finding, best: Move, loss: f64) -> Option<&'static str> {
        if best != self.mv {
            return MARKS.iter().find(|(least, _)| loss >= *least).map(|(_, sign)| *sign);
        }
        let second = here.lines.get(1)?;
        let gain = expectation(self.before, here.score())
            - expectation(self.before, Score::from_number(second.score));
        (gain >= FIND_GAIN && here.settled >= FIND_DEPTH).then_some("!")
    }
}

impl MoveAnalysis {
    /// The mark as records hold it.
    pub(crate) fn record_mark(&self) -> Option<Mark> {
        self.mark.as_deref().and_then(Mark::from_sign)
    }
}

/// The expected result for the side to move, in percent.
pub(super) fn expectation(position: &Position, score: Score) -> f64 {
    100.0 * Chances::of(score, Phase::of(position)).points()
}

/// As [`expectation`], but what the tables know counts more than a search.
fn expected(position: &Position, score: Score, known: Known<'_>) -> f64 {
    match certainty(position, known) {
        Some(Certainty::Win(_)) => 100.0,
        Some(Certainty::Draw) => 50.0,
        Some(Certainty::Loss(_)) => 0.0,
        None => expectation(position, score),
    }
}

fn certainty(position: &Position, known: Known<'_>) -> Option<Certainty> {
    let endgames = known.endgames?;
    let few = position.occupied().len() <= endgames.most_pieces();
    if few { endgames.certainty(position) } else { None }
}

/// An expectation of the side to move as one of Red.
fn reds(expected: f64, position: &Position) -> f64 {
    if position.side_to_move() == Side::Red { expected } else { 100.0 - expected }
}

/// One decimal is more than a search knows.
fn rounded(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

/// The phase that weighs most in a position.
fn phase_name(position: &Position) -> &'static str {
    let [opening, middle, ending] = Phase::of(position).shares();
    if opening >= middle.max(ending) {
        "opening"
    } else if middle >= ending {
        "middlegame"
    } else {
        "endgame"
    }
}

/// The mean of a value of the losses; nothing without moves.
fn average(moves: &[&MoveAnalysis], value: impl Fn(f64) -> f64) -> Option<f64> {
    let sum: f64 = moves.iter().map(|judged| value(judged.loss)).sum();
    (!moves.is_empty()).then(|| rounded(sum / moves.len() as f64))
}

fn accuracy(moves: &[&MoveAnalysis]) -> Option<f64> {
    average(moves, |loss| 100.0 * (-ACCURACY_FALL * loss).exp())
}

fn summary(moves: &[MoveAnalysis], side: &str) -> SideSummary {
    let own: Vec<&MoveAnalysis> = moves.iter().filter(|judged| judged.side == side).collect();
    let marked = |sign: &str| own.iter().filter(|judged| judged.mark.as_deref() == Some(sign)).count();
    let during = |phase: &str| {
        let moves: Vec<&MoveAnalysis> = own.iter().copied().filter(|judged| judged.phase == phase).collect();
        accuracy(&moves)
    };
    SideSummary {
        moves: own.len(),
        accuracy: accuracy(&own).unwrap_or(100.0),
        average_loss: average(&own, |loss| loss).unwrap_or(0.0),
        phases: PhaseAccuracy {
            opening: during("opening"),
            middlegame: during("middlegame"),
            endgame: during("endgame"),
        },
        inaccuracies: marked("?!"),
        mistakes: marked("?"),
        blunders: marked("??"),
        finds: marked("!"),
    }
}

/// The first verdict that ends the game, or that on its last position. A move limit ends no game by itself:
/// somebody must claim it, and these players did not.
fn first_verdict(record: &Record, settings: &Settings) -> (Verdict, usize) {
    let referee = Referee::new(settings.rules);
    let mut game = Game::new(record.start().clone());
    let mut verdict = referee.judge(&game);
    let mut ply = 0;
    for mv in record.main_moves() {
        if verdict.outcome != Outcome::Undecided && verdict.clause != Some(Clause::MoveLimit) {
            break;
        }
        game.play(mv).expect("records hold only legal moves");
        ply += 1;
        verdict = referee.judge(&game);
    }
    (verdict, ply)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chuhe_board::coords::RankStyle;
    use chuhe_notation::pgn;
    use chuhe_referee::RuleSet;
    use chuhe_search::{Control, Limits};

    use super::*;
    use crate::analyse::search;

    fn analysed(text: &str) -> GameAnalysis {
        analysed_with(text, None, None)
    }

    fn analysed_with(
        text: &str,
        openings: Option<&dyn KnownOpenings>,
        endgames: Option<Arc<dyn Endgames>>,
    ) -> GameAnalysis {
        let record = pgn::read(text, RankStyle::FromZero).next().unwrap().unwrap();
        let settings =
            Settings { limits: Limits::depth(6), threads: 2, mebibytes: 1, rules: RuleSet::Wxf, endgames };
        let mut journal = Journal::in_memory();
        search(std::slice::from_ref(&record), &settings, &mut journal, &Control::default(), |_, _| {})
            .unwrap();
        judge(&record, &journal, &settings, openings).unwrap()
    }

    #[test]
    fn a_chariot_given_away_is_a_blunder_and_costs_accuracy() {
        let analysis = analysed(GIFT);
        let blunder = &analysis.moves[8];
        assert_eq!(blunder.mark.as_deref(), Some("??"), "{blunder:?}");
        assert!(blunder.loss > 20.0 && blunder.expectation < 40.0, "{blunder:?}");
        assert!(analysis.sides.red.accuracy < analysis.sides.black.accuracy, "{:?}", analysis.sides);
        assert!(analysis.sides.red.blunders >= 1);
        assert!(analysis.sides.red.phases.opening.is_some());
        assert_eq!(analysis.sides.red.phases.endgame, None);
        assert_eq!(analysis.verdict.result, "undecided");
    }

    /// Red's chariot goes to the general that takes it.
    const GIFT: &str = "1. h2e2 h9g7 2. h0g2 i9h9 3. i0i1 b9c7 4. i1f1 c6c5 5. f1f9 *";

    struct AllDrawn;
    impl Endgames for AllDrawn {
        fn most_pieces(&self) -> u32 {
            32
        }

        fn certainty(&self, _: &Position) -> Option<Certainty> {
            Some(Certainty::Draw)
        }
    }
    struct FirstMoveOnly;
    impl KnownOpenings for FirstMoveOnly {
        fn knows(&self, position: &Position, _: Move) -> bool {
            position == &Position::start()
        }
    }

    #[test]
    fn tables_and_books_are_used() {
        let analysis = analysed_with(GIFT, Some(&FirstMoveOnly), Some(Arc::new(AllDrawn)));
        assert_eq!((analysis.book_plies, analysis.table_from), (Some(1), Some(0)));
        assert!(analysis.moves.iter().all(|judged| judged.loss == 0.0 && judged.expectation == 50.0));
    }

    #[test]
    fn the_verdict_falls_where_the_game_was_over() {
        let text = "[FEN \"3k5/9/9/6c2/9/9/9/6R2/9/5K3 b - - 0 1\"]\n\
                    1... g6h6 g2h2 h6g6 h2g2 g6h6 g2h2 h6g6 h2g2 g6h6 *";
        let analysis = analysed(text);
        assert_eq!((analysis.verdict.result, analysis.verdict_ply), ("black_wins", 8));
        assert_eq!(analysis.verdict_texts.zh_hans, "黑方胜：红方长捉，不变作负。");
    }
}
