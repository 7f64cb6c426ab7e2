//! `info` lines: one tolerant reader for UCI and UCCI, a strict writer for each.

use std::fmt::Write;
use std::time::Duration;

use chuhe_board::coords::{self, RankStyle};

use crate::words::{Words, join_moves, one_line};
use crate::{Bound, Info, Score, ScoreValue, Wdl};

/// Parses what follows `info`. Anything malformed is skipped: bad `info` output never costs an engine the game.
pub(crate) fn parse(mut words: Words<'_>, style: RankStyle) -> Info {
    let mut info = Info::default();
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = words.number(),
            "seldepth" => info.selective_depth = words.number(),
            "multipv" => info.multi_pv = words.number(),
            "score" => info.score = parse_score(&mut words),
            "wdl" => info.wdl = parse_wdl(&mut words),
            "nodes" => info.nodes = words.number(),
            "nps" => info.nps = words.number(),
            "hashfull" => info.hash_full = words.number(),
            "tbhits" => info.table_hits = words.number(),
            "time" => info.time = words.number().map(Duration::from_millis),
            "currmove" => info.current_move = words.mv(style),
            "currmovenumber" => info.current_move_number = words.number(),
            "pv" => info.pv = words.moves(style),
            "string" | "message" => {
                info.text = Some(words.rest().to_owned());
                break;
            }
            _ => {}
        }
    }
    info
}

/// `cp 12`, `mate -3` or UCCI's bare `12`, and maybe a bound.
fn parse_score(words: &mut Words<'_>) -> Option<Score> {
    let value = match words.peek()? {
        "cp" => {
            words.next();
            ScoreValue::Centipawns(words.number()?)
        }
        "mate" => {
            words.next();
            ScoreValue::Mate(words.number()?)
        }
        _ => ScoreValue::Centipawns(words.number()?),
    };
    let bound = match words.peek() {
        Some("lowerbound") => Some(Bound::Lower),
        Some("upperbound") => Some(Bound::Upper),
        _ => None,
    };
    if bound.is_some() {
        words.next();
    }
    Some(Score { value, bound })
}

fn parse_wdl(words: &mut Words<'_>) -> Option<Wdl> {
    Some(Wdl { win: words.number()?, draw: words.number()?, loss: words.number()? })
}

/// The line in UCI.
pub(crate) fn write_uci(info: &Info, style: RankStyle) -> String {
    let mut text = String::from("info");
    push_field(&mut text, "depth", info.depth);
    push_field(&mut text, "seldepth", info.selective_depth);
    push_field(&mut text, "multipv", info.multi_pv);
    if let Some(Score { value, bound }) = info.score {
        let _ = match value {
            ScoreValue::Centipawns(value) => write!(text, " score cp {value}"),
            ScoreValue::Mate(moves) => write!(text, " score mate {moves}"),
        };
        text.push_str(match bound {
            Some(Bound::Lower) => " lowerbound",
            Some(Bound::Upper) => " upperbound",
            None => "",
        });
    }
    if let Some(Wdl { win, draw, loss }) = info.wdl {
        let _ = write!(text, " wdl {win} {draw} {loss}");
    }
    push_field(&mut text, "nodes", info.nodes);
    push_field(&mut text, "nps", info.nps);
    push_field(&mut text, "hashfull", info.hash_full);
    push_field(&mut text, "tbhits", info.table_hits);
    push_field(&mut text, "time", info.time.map(|time| time.as_millis()));
    push_field(&mut text, "currmove", info.current_move.map(|mv| coords::write_move(mv, style)));
    push_field(&mut text, "currmovenumber", info.current_move_number);
    say_pv(&mut text, info, style);
    push_field(&mut text, "string", info.text.as_deref().map(one_line));
    text
}

/// The line in UCCI, without what UCCI does not know; `None` if nothing is left. A mate is a number
/// near [`Score::MATE_NUMBER`].
pub(crate) fn write_ucci(info: &Info, style: RankStyle) -> Option<String> {
    let mut text = String::from("info");
    // The depth stands first because some clients take only such lines for lines of play.
    push_field(&mut text, "depth", info.depth);
    push_field(&mut text, "score", info.score.map(|score| score.as_number()));
    push_field(&mut text, "time", info.time.map(|time| time.as_millis()));
    push_field(&mut text, "nodes", info.nodes);
    push_field(&mut text, "currmove", info.current_move.map(|mv| coords::write_move(mv, style)));
    say_pv(&mut text, info, style);
    push_field(&mut text, "message", info.text.as_deref().map(one_line));
    (text != "info").then_some(text)
}

fn say_pv(text: &mut String, info: &Info, style: RankStyle) {
    push_field(text, "pv", Some(join_moves(&info.pv, style)).filter(|pv| !pv.is_empty()));
}

fn push_field(text: &mut String, word: &str, value: Option<impl std::fmt::Display>) {
    if let Some(value) = value {
        let _ = write!(text, " {word} {value}");
    }
}
