//! The referee's verdict in words and as JSON.

use std::fmt::Write;

use chuhe_board::{Outcome, Side};
use chuhe_referee::{Clause, Link, Nature, Placed, Reason, Verdict};
use serde::Serialize;

use crate::Language;

/// A verdict for programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct VerdictJson {
    /// `red_wins`, `black_wins`, `draw` or `undecided`.
    pub result: &'static str,
    /// The name of the clause that decides, or nothing.
    pub clause: Option<&'static str>,
    /// The moves of the cycle in order.
    pub reasons: Vec<ReasonJson>,
}

/// What one move of the cycle was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ReasonJson {
    /// The number of the ply in the game, from 1.
    pub ply: usize,
    /// The move in coordinates, ranks 0–9.
    #[serde(rename = "move")]
    pub mv: String,
    /// `check`, `chase`, `threat`, `attack`, `offer`, `block` or `idle`.
    pub what: &'static str,
    /// Which pieces it concerns.
    pub pieces: Vec<LinkJson>,
}

/// Two pieces in relation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LinkJson {
    /// The piece that acts.
    pub by: PlacedJson,
    /// The piece that is acted upon.
    pub on: PlacedJson,
}

/// A piece on its point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PlacedJson {
    /// The FEN letter, upper case for Red.
    pub piece: char,
    /// The point, ranks 0–9.
    pub at: String,
}

impl From<&Verdict> for VerdictJson {
    fn from(verdict: &Verdict) -> Self {
        Self {
            result: verdict.outcome.name(),
            clause: verdict.clause.map(Clause::name),
            reasons: verdict.reasons.iter().map(ReasonJson::from).collect(),
        }
    }
}

impl From<&Reason> for ReasonJson {
    fn from(reason: &Reason) -> Self {
        Self {
            ply: reason.ply,
            mv: reason.mv.to_string(),
            what: reason.nature.name(),
            pieces: reason.links.iter().map(LinkJson::from).collect(),
        }
    }
}

impl From<&Link> for LinkJson {
    fn from(link: &Link) -> Self {
        Self { by: link.by.into(), on: link.on.into() }
    }
}

impl From<Placed> for PlacedJson {
    fn from(placed: Placed) -> Self {
        Self { piece: placed.piece.letter(), at: placed.at.to_string() }
    }
}

/// The verdict in words: a sentence that names result and rule, then a line for each move of the
/// cycle.
pub fn described(verdict: &Verdict, language: Language) -> String {
    let mut text = sentence(verdict, language);
    text.push('\n');
    for reason in &verdict.reasons {
        let side = language.side(reason.side);
        let colon = language.pick([": ", "：", "："]);
        let what = what(reason, language);
        // A string takes any text, so writing to it cannot fail.
        let _ = writeln!(text, "{:>4}. {} {side}{colon}{what}", reason.ply, reason.mv);
    }
    text
}

/// Result and rule in one sentence.
pub fn sentence(verdict: &Verdict, language: Language) -> String {
    let outcome = language.pick(match verdict.outcome {
        Outcome::RedWins => ["Red wins", "紅方勝", "红方胜"],
        Outcome::BlackWins => ["Black wins", "黑方勝", "黑方胜"],
        Outcome::Draw => ["Draw", "和棋", "和棋"],
        Outcome::Undecided => ["Undecided", "未分勝負", "未分胜负"],
    });
    let why = match verdict.clause {
        Some(clause) => ground(clause, verdict.offender, language),
        None => language.pick(["the game goes on", "對局繼續", "对局继续"]).to_owned(),
    };
    let (colon, stop) = (language.pick([": ", "：", "："]), language.pick([".", "。", "。"]));
    format!("{outcome}{colon}{why}{stop}")
}

/// The ground of a verdict, with the offender where there is one.
fn ground(clause: Clause, offender: Option<Side>, language: Language) -> String {
    let offender = offender.map_or("", |side| language.side(side));
    let rule = language.pick(match clause {
        Clause::Checkmate => ["checkmate", "將死", "将死"],
        Clause::Stalemate => ["no legal move is left", "困斃", "困毙"],
        Clause::PerpetualCheck => [" gives check with every move", "長將，不變作負", "长将，不变作负"],
        Clause::MutualCheck => {
            ["both sides give check with every move", "雙方長將，不變作和", "双方长将，不变作和"]
        }
        Clause::PerpetualChase => {
            [" chases the same piece with every move", "長捉，不變作負", "长捉，不变作负"]
        }
        Clause::MutualChase => {
            ["both sides chase with every move", "雙方長捉，不變作和", "双方长捉，不变作和"]
        }
        Clause::PerpetualThreat => [" threatens mate with every move", "長殺，不變作負", "长杀，不变作负"],
        Clause::MixedAttacks => [
            " checks, chases or threatens mate without pause",
            "將、捉、殺交替，步步是打，不變作負",
            "将、捉、杀交替，步步是打，不变作负",
        ],
        Clause::MutualAttacks => {
            ["both sides attack without pause", "雙方步步是打，不變作和", "双方步步是打，不变作和"]
        }
        Clause::Repetition => [
            "the position is repeated and nobody does anything forbidden",
            "雙方均為允許著法，不變作和",
            "双方均为允许着法，不变作和",
        ],
        Clause::MoveLimit => ["sixty rounds without a capture", "六十回合自然限著", "六十回合自然限着"],
        Clause::NoAttackers => {
            ["neither side has a piece that can attack", "雙方均無可能取勝的子力", "双方均无可能取胜的子力"]
        }
    });
    format!("{offender}{rule}")
}

/// What a move was, with the pieces concerned: "chase: chariot h2 on cannon h6".
pub fn what(reason: &Reason, language: Language) -> String {
    let verb = language.pick(match reason.nature {
        Nature::Check => ["check", "將軍", "将军"],
        Nature::Chase => ["chase", "捉", "捉"],
        Nature::Baring => ["chase by cutting off the root", "去根捉子", "去根捉子"],
        Nature::Threat => ["threat of mate", "叫殺", "叫杀"],
        Nature::Unanswered => ["attack that is not answered", "攻擊（對方未應）", "攻击（对方未应）"],
        Nature::Offer => ["offer", "兌或獻", "兑或献"],
        Nature::Block => ["block", "攔", "拦"],
        Nature::Idle => ["idle", "閒著", "闲着"],
    });
    if reason.links.is_empty() {
        return verb.to_owned();
    }
    let links: Vec<String> = reason.links.iter().map(|link| linked(link, reason.nature, language)).collect();
    match language {
        Language::English => format!("{verb}: {}", links.join(", ")),
        Language::Traditional | Language::Simplified => format!("{verb}（{}）", links.join("、")),
    }
}

/// One pair of pieces: "cannon h9 on chariot e9".
fn linked(link: &Link, nature: Nature, language: Language) -> String {
    let (by, on) = (placed(link.by, language), placed(link.on, language));
    let joint = language.pick(match nature {
        Nature::Offer => [" to ", "送", "送"],
        Nature::Block => [" blocks ", "攔", "拦"],
        _ => [" on ", "攻", "攻"],
    });
    format!("{by}{joint}{on}")
}

fn placed(placed: Placed, language: Language) -> String {
    let name = language.piece(placed.piece);
    match language {
        Language::English => format!("{name} {}", placed.at),
        Language::Traditional | Language::Simplified => format!("{name}{}", placed.at),
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::{RankStyle, parse_move};
    use chuhe_referee::{Game, Referee};

    use super::*;

    fn verdict() -> Verdict {
        let mut game = Game::new("3k5/9/9/6c2/9/9/9/6R2/9/5K3 b".parse().unwrap());
        for text in ["g6h6", "g2h2", "h6g6", "h2g2"] {
            game.play(parse_move(text, RankStyle::FromZero).unwrap()).unwrap();
        }
        Referee::default().with_fold(2).judge(&game)
    }

    #[test]
    fn the_verdict_is_available_in_three_languages() {
        let english = "\
Black wins: Red chases the same piece with every move.
   1. g6h6 Black: idle
   2. g2h2 Red: chase: chariot h2 on cannon h6
   3. h6g6 Black: idle
   4. h2g2 Red: chase: chariot g2 on cannon g6
";
        assert_eq!(described(&verdict(), Language::English), english);
        let traditional = described(&verdict(), Language::Traditional);
        assert!(traditional.starts_with("黑方勝：紅方長捉，不變作負。\n"));
        assert!(traditional.contains("2. g2h2 紅方：捉（車h2攻砲h6）"));
        let simplified = described(&verdict(), Language::Simplified);
        assert!(simplified.contains("4. h2g2 红方：捉（车g2攻炮g6）"));
    }

    #[test]
    fn the_json_has_the_promised_shape() {
        let json = serde_json::to_value(VerdictJson::from(&verdict())).unwrap();
        assert_eq!(json["result"], "black_wins");
        assert_eq!(json["clause"], "perpetual-chase");
        let chase = serde_json::json!({
            "ply": 2,
            "move": "g2h2",
            "what": "chase",
            "pieces": [{"by": {"piece": "R", "at": "h2"}, "on": {"piece": "c", "at": "h6"}}],
        });
        assert_eq!(json["reasons"][1], chase);
        assert_eq!(json["reasons"][0]["what"], "idle");
    }

    #[test]
    fn every_clause_has_a_sentence_in_every_language() {
        for clause in Clause::ALL {
            for language in Language::ALL {
                let verdict = Verdict {
                    outcome: Outcome::Draw,
                    clause: Some(clause),
                    offender: None,
                    reasons: Vec::new(),
                };
                assert!(sentence(&verdict, language).chars().count() > 5, "{clause:?} {language:?}");
            }
        }
    }
}
