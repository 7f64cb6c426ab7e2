//! An analysis written into its record: marks, scores in comments, and better lines as variations.

use chuhe_board::Move;
use chuhe_board::coords::{RankStyle, parse_move};
use chuhe_notation::record::{Game as Record, GameBuilder, NodeId};

use crate::ScoreJson;
use crate::analyse::{GameAnalysis, MoveAnalysis};

/// How many moves of a better line are shown.
const LONGEST_VARIATION: usize = 10;

/// The record with the analysis in it. What it said before stays; a better line is added to moves that are
/// marked as mistakes.
pub fn annotated(record: &Record, analysis: &GameAnalysis) -> Record {
    let line: Vec<NodeId> = record.main_line().collect();
    let mut builder = GameBuilder::of(record.clone());
    if builder.tag("Annotator").is_none() {
        builder.set_tag("Annotator", &analysis.settings);
    }
    for (name, side) in [("Red", &analysis.sides.red), ("Black", &analysis.sides.black)] {
        builder.set_tag(&format!("{name}Accuracy"), &format!("{:.1}", side.accuracy));
    }
    if let Some(opening) = &analysis.opening {
        for (name, value) in [("ECCO", opening.code), ("Opening", opening.chinese)] {
            if builder.tag(name).is_none() {
                builder.set_tag(name, value);
            }
        }
    }
    for (node, judged) in line.iter().zip(&analysis.moves) {
        annotate_move(&mut builder, *node, judged);
        if analysis.table_from == Some(judged.ply) {
            builder.go_to(*node);
            builder.add_comment("endgame tables from here 殘局庫自此");
        }
    }
    builder.go_to(line.last().copied().unwrap_or(NodeId::ROOT));
    if analysis.verdict.clause.is_some() {
        builder.add_comment(&format!("{} {}", analysis.verdict_texts.en, analysis.verdict_texts.zh_hant));
    }
    builder.finish()
}

fn annotate_move(builder: &mut GameBuilder, node: NodeId, judged: &MoveAnalysis) {
    builder.go_to(node);
    if let Some(mark) = judged.record_mark()
        && !builder.game().marks(node).contains(&mark)
    {
        builder.add_mark(mark);
    }
    let mut comment = format!("[%eval {}]", score(judged.score));
    if judged.best != judged.mv && judged.mark.is_some() {
        let best = judged.line_wxf.first().map_or(judged.best.as_str(), String::as_str);
        comment += &format!(" -{:.1}%: {best} {}", judged.loss, score(judged.best_score));
    }
    builder.add_comment(&comment);
    if judged.best != judged.mv && judged.mark.is_some() {
        add_variation(builder, node, &judged.line);
    }
}

/// Adds a line beside a move, unless the record has a variation with its first move.
fn add_variation(builder: &mut GameBuilder, node: NodeId, line: &[String]) {
    let parent = builder.game().parent(node);
    let moves: Vec<Move> = line.iter().map_while(|text| parse_move(text, RankStyle::FromZero).ok()).collect();
    let is_there =
        builder.game().children(parent).any(|child| builder.game().mv(child) == moves.first().copied());
    if is_there {
        return;
    }
    builder.go_to(parent);
    for mv in moves.into_iter().take(LONGEST_VARIATION) {
        if builder.play(mv).is_err() {
            break;
        }
    }
}

/// A score in Red's favour: `+1.25` soldiers, or `#-3` for a mate.
pub(crate) fn score(score: ScoreJson) -> String {
    match score {
        ScoreJson::Cp(number) => format!("{:+.2}", f64::from(number) / 100.0),
        ScoreJson::Mate(moves) => format!("#{moves}"),
    }
}
