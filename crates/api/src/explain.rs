//! `POST /api/explain`: the hand-written evaluation of a position, term by term.

use chuhe_adapters::{Evaluation, Group, NetworkVerdict, Reason};
use chuhe_board::{Position, Side};
use chuhe_eval::network::Network;
use serde::{Deserialize, Serialize};

use crate::Notice;
use crate::wire::{SideJson, position};

/// Requests the evaluation of a position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ExplainRequest {
    fen: String,
}

/// The evaluation in centisoldiers: groups, rounding and drawishness add up to `red`.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Explanation {
    /// The score from Red's side.
    red: i32,
    /// Deduction for material that can hardly win, from Red's side.
    hard_to_win: i32,
    rounding: i32,
    /// The network's score from Red's side; it has no terms.
    network: i32,
    summary: ExplainedSummary,
    groups: Vec<ExplainedGroup>,
}

/// The two or three largest reasons as a sentence, by language; empty if nothing stands out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ExplainedSummary {
    en: String,
    #[serde(rename = "zh-Hant")]
    traditional: String,
    #[serde(rename = "zh-Hans")]
    simplified: String,
}

impl From<[String; 3]> for ExplainedSummary {
    fn from([en, traditional, simplified]: [String; 3]) -> Self {
        Self { en, traditional, simplified }
    }
}

/// A group of features.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ExplainedGroup {
    name: &'static str,
    /// Red's sum.
    red: i32,
    /// Black's sum.
    black: i32,
    reasons: Vec<ExplainedReason>,
}

/// A feature found for one side.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ExplainedReason {
    side: SideJson,
    /// Key of a named pattern: `hollow-cannon`.
    pattern: Option<&'static str>,
    /// Description in English.
    words: String,
    times: i32,
    worth: i32,
    /// The points of the board concerned.
    points: Vec<String>,
}

/// Answers the request.
pub fn explain(request: &ExplainRequest) -> Result<Explanation, Notice> {
    Ok(Explanation::of(&position(Some(&request.fen))?))
}

impl Explanation {
    fn of(position: &Position) -> Self {
        let evaluation = Evaluation::of(position);
        Self {
            red: evaluation.red,
            hard_to_win: evaluation.drawishness,
            rounding: evaluation.rounding,
            network: NetworkVerdict::of(&Network::built_in(), position).red,
            summary: evaluation.sentences(position).into(),
            groups: evaluation.groups.iter().map(ExplainedGroup::from).collect(),
        }
    }
}

impl From<&Group> for ExplainedGroup {
    fn from(group: &Group) -> Self {
        let [red, black] = group.worth;
        let reasons = group.reasons.iter().map(ExplainedReason::new).collect();
        Self { name: group.name, red, black, reasons }
    }
}

impl ExplainedReason {
    fn new(reason: &Reason) -> Self {
        let Reason { side, feature, times, worth, points } = *reason;
        Self {
            side: Side::into(side),
            pattern: feature.pattern(),
            words: feature.words(),
            times,
            worth,
            points: points.into_iter().map(|point| point.to_string()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hollow_cannon_has_its_name_and_the_sum_is_right() {
        let fen = "rnba1abnr/4k4/9/p1p3p1p/4C4/9/P1P1P1P1P/9/9/RNBAKABNR b";
        let explanation = Explanation::of(&fen.parse().unwrap());
        let reasons = explanation.groups.iter().flat_map(|group| &group.reasons);
        let hollow: Vec<_> = reasons.filter(|reason| reason.pattern == Some("hollow-cannon")).collect();
        assert_eq!(hollow.len(), 1);
        assert!(hollow[0].points.contains(&"e5".to_owned()));
        let sum: i32 = explanation.groups.iter().map(|group| group.red - group.black).sum();
        assert!(explanation.summary.en.contains("hollow cannon"), "{}", explanation.summary.en);
        assert_eq!(sum + explanation.rounding + explanation.hard_to_win, explanation.red);
    }
}
