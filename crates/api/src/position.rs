//! `POST /api/position`: legal moves and the referee's verdict.

use chuhe_referee::{Game, Referee, RuleSet, Verdict};
use chuhe_report::Language;
use chuhe_report::verdict::{VerdictJson, sentence, what};
use serde::{Deserialize, Serialize};

use crate::Notice;
use crate::wire::{GameJson, MoveJson, SideJson};

/// Requests the last position of a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PositionRequest {
    game: GameJson,
    /// The language of the referee: `en`, `zh-Hant` or `zh-Hans`.
    language: String,
    /// The rule set: `wxf` (default), `axf`, `cxa` or `computer`.
    #[cfg_attr(feature = "typescript", ts(optional))]
    rules: Option<String>,
}

/// The last position of a game.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PositionView {
    fen: String,
    /// The side to move.
    side: SideJson,
    /// The point of the general in check.
    check: Option<String>,
    /// The last move.
    last: Option<MoveJson>,
    /// The legal moves.
    moves: Vec<MoveJson>,
    verdict: VerdictView,
    /// The verdict on one more repetition, once the position has been repeated.
    warning: Option<VerdictView>,
    /// Why the position cannot arise in a game, though it can be played.
    oddities: Vec<Notice>,
}

/// A verdict in words.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct VerdictView {
    #[serde(flatten)]
    verdict: VerdictJson,
    /// Result and rule in one sentence.
    sentence: String,
    /// Each move of the cycle, in words.
    words: Vec<String>,
}

impl VerdictView {
    fn new(verdict: &Verdict, language: Language) -> Self {
        Self {
            verdict: verdict.into(),
            sentence: sentence(verdict, language),
            words: verdict.reasons.iter().map(|reason| what(reason, language)).collect(),
        }
    }
}

/// Answers the request.
pub fn position(request: &PositionRequest) -> Result<PositionView, Notice> {
    let language: Language = request.language.parse()?;
    let rules: RuleSet = match &request.rules {
        Some(name) => name.parse()?,
        None => RuleSet::default(),
    };
    Ok(PositionView::new(&request.game.game()?, Referee::new(rules), language))
}

impl PositionView {
    fn new(game: &Game, referee: Referee, language: Language) -> Self {
        let position = game.position();
        let verdict = referee.judge(game);
        let repeated = referee.with_fold(2).judge(game);
        let is_warning = verdict.clause.is_none() && !repeated.reasons.is_empty();
        Self {
            fen: position.to_string(),
            side: position.side_to_move().into(),
            check: position.is_in_check().then(|| position.general(position.side_to_move()).to_string()),
            last: last_move(game),
            moves: position.moves().into_iter().map(|mv| MoveJson::new(position, mv)).collect(),
            verdict: VerdictView::new(&verdict, language),
            warning: is_warning.then(|| VerdictView::new(&repeated, language)),
            oddities: position.implausibilities().iter().copied().map(Notice::from).collect(),
        }
    }
}

fn last_move(game: &Game) -> Option<MoveJson> {
    let mut before = game.clone();
    let mv = before.take_back()?;
    Some(MoveJson::new(before.position(), mv))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(fen: &str, moves: &str) -> PositionView {
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        let game = GameJson { start: Some(fen.to_owned()), moves }.game().unwrap();
        PositionView::new(&game, Referee::default(), Language::English)
    }

    #[test]
    fn a_chase_is_warned_of_before_it_loses() {
        let fen = "3k5/9/9/6c2/9/9/9/6R2/9/5K3 b";
        let once = "g6h6 g2h2 h6g6 h2g2";
        let warned = view(fen, once);
        assert_eq!(warned.verdict.verdict.result, "undecided");
        let warning = warned.warning.unwrap();
        assert_eq!(warning.sentence, "Black wins: Red chases the same piece with every move.");
        assert_eq!(warning.words[1], "chase: chariot h2 on cannon h6");
        let judged = view(fen, &format!("{once} {once}"));
        assert_eq!(judged.verdict.verdict.result, "black_wins");
        assert!(judged.warning.is_none());
    }

    #[test]
    fn mate_and_check_are_seen() {
        let mated = view("3k1R3/4R4/9/9/9/9/9/9/9/4K4 b", "");
        assert_eq!(mated.check.as_deref(), Some("d9"));
        assert!(mated.moves.is_empty());
        assert_eq!(mated.verdict.verdict.clause, Some("checkmate"));
    }

    #[test]
    fn bad_games_are_refused_with_the_culprit() {
        let error = |start: Option<&str>, moves: &[&str]| {
            let moves = moves.iter().map(|mv| (*mv).to_owned()).collect();
            let game = GameJson { start: start.map(str::to_owned), moves };
            format!("{:?}", game.game().unwrap_err())
        };
        assert!(error(None, &["a0b0"]).contains("a0b0 is illegal: an own piece stands on b0"));
        assert!(error(Some("9/9 w"), &[]).contains("expected 10 ranks"));
        assert!(error(None, &["xx"]).contains("'xx' is not a move"));
    }
}
