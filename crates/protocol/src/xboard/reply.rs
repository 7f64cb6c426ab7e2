//! The replies to xboard.

use std::time::Duration;

use chuhe_board::coords::{self, RankStyle};
use chuhe_board::{Move, Outcome};

use super::{Feature, features};
use crate::words::{Words, join_moves, one_line, shortened};
use crate::{ReplyError, Score, ScoreValue};

/// A reply to xboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `feature …`: what the engine can do.
    Features(Vec<Feature>),
    /// `move …`: the engine's move.
    Move(Move),
    /// `pong N`.
    Pong(u64),
    /// A line of thinking.
    Thinking(Thinking),
    /// `1-0 {…}`: the engine holds that the game is over.
    Result {
        /// How it ended.
        result: Outcome,
        /// Why, for people.
        comment: String,
    },
    /// `resign`.
    Resign,
    /// `offer draw`; also accepts one.
    OfferDraw,
    /// `Error (reason): command`.
    Error {
        /// What is wrong.
        reason: String,
        /// With which command.
        command: String,
    },
    /// `Illegal move (reason): move`.
    IllegalMove {
        /// The reason, if given.
        reason: Option<String>,
        /// Which move.
        mv: String,
    },
    /// `Hint: move`.
    Hint(Move),
    /// `telluser …`: a message for people.
    TellUser(String),
    /// `# …`: a remark for nobody.
    Comment(String),
}

/// A line of thinking: how the search goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thinking {
    /// Plies searched.
    pub depth: u32,
    /// The score for the engine's side.
    pub score: Score,
    /// The time of the search so far, to the hundredth of a second.
    pub time: Duration,
    /// Nodes searched.
    pub nodes: u64,
    /// The longest line looked at, in plies.
    pub selective_depth: Option<u32>,
    /// Nodes a second; only said if [`Self::selective_depth`] is.
    pub nps: Option<u64>,
    /// The best line, as free text; see [`write_pv`].
    pub pv: String,
}

/// The score of a mate in N moves is this plus N.
const MATE: i32 = 100_000;

/// Parses a reply. Banners and other output are [`ReplyError::Unknown`].
pub fn parse_reply(line: &str, style: RankStyle) -> Result<Reply, ReplyError> {
    let mut words = Words::of(line);
    let unknown = || ReplyError::Unknown(shortened(line.trim()));
    let first = words.next().ok_or(ReplyError::Empty)?;
    if let Some(result) = Outcome::from_token(first) {
        return Ok(Reply::Result { result, comment: without_braces(words.rest()).to_owned() });
    }
    if first.starts_with('#') {
        return Ok(Reply::Comment(line.trim().trim_start_matches('#').trim_start().to_owned()));
    }
    Ok(match first.to_ascii_lowercase().as_str() {
        "feature" => Reply::Features(features::parse(words.rest())),
        "move" => {
            let word = words.next().ok_or(ReplyError::Missing { reply: "move", expected: "a move" })?;
            Reply::Move(coords::parse_move(word, style)?)
        }
        "pong" => {
            Reply::Pong(words.number().ok_or(ReplyError::Missing { reply: "pong", expected: "a number" })?)
        }
        "resign" => Reply::Resign,
        "offer" if words.peek() == Some("draw") => Reply::OfferDraw,
        "error" => {
            let (reason, command) = reason_and_culprit(words.rest());
            Reply::Error { reason: reason.unwrap_or_default(), command }
        }
        "illegal" if words.next().is_some_and(|word| word.starts_with("move")) => {
            let (reason, mv) = reason_and_culprit(words.rest());
            Reply::IllegalMove { reason, mv }
        }
        "hint:" => {
            let word = words.next().ok_or(ReplyError::Missing { reply: "hint", expected: "a move" })?;
            Reply::Hint(coords::parse_move(word, style)?)
        }
        "telluser" | "tellusererror" => Reply::TellUser(words.rest().to_owned()),
        _ => Reply::Thinking(parse_thinking(line).ok_or_else(unknown)?),
    })
}

/// `(reason): culprit`, or the culprit alone.
fn reason_and_culprit(text: &str) -> (Option<String>, String) {
    match text.strip_prefix('(').and_then(|rest| rest.split_once("):")) {
        Some((reason, culprit)) => (Some(reason.trim().to_owned()), culprit.trim().to_owned()),
        None => (None, text.trim_start_matches(':').trim().to_owned()),
    }
}

/// The text inside braces, or the text.
pub(super) fn without_braces(text: &str) -> &str {
    text.trim().trim_start_matches('{').trim_end_matches('}').trim()
}

/// `depth score time nodes [seldepth [nps [tbhits]] <tab>] pv`.
fn parse_thinking(line: &str) -> Option<Thinking> {
    let (numbers, pv) = match line.split_once('\t') {
        Some((numbers, pv)) => (numbers, Some(pv.trim())),
        None => (line, None),
    };
    let mut words = Words::of(numbers);
    // Some engines mark the depth: `12.` or `12&`.
    let depth: i64 = words.next()?.trim_end_matches(|mark: char| !mark.is_ascii_digit()).parse().ok()?;
    let score: i32 = words.number()?;
    let time: i64 = words.number()?;
    let nodes: i64 = words.number()?;
    let (mut selective_depth, mut nps) = (None, None);
    if pv.is_some() {
        selective_depth = words.number();
        nps = words.number();
    }
    let pv = pv.unwrap_or(words.rest());
    Some(Thinking {
        depth: u32::try_from(depth.max(0)).ok()?,
        score: score_of_number(score),
        time: Duration::from_millis(time.max(0).unsigned_abs().saturating_mul(10)),
        nodes: nodes.max(0).unsigned_abs(),
        selective_depth,
        nps,
        pv: pv.to_owned(),
    })
}

const fn score_of_number(number: i32) -> Score {
    if number > MATE {
        Score::mate_in(number - MATE)
    } else if number < -MATE {
        Score::mate_in(number + MATE)
    } else {
        Score::centipawns(number)
    }
}

const fn number_of_score(score: Score) -> i32 {
    match score.value {
        ScoreValue::Centipawns(value) => value,
        ScoreValue::Mate(moves) if moves > 0 => moves.saturating_add(MATE),
        ScoreValue::Mate(moves) => moves.saturating_sub(MATE),
    }
}

/// Moves as the text of a [`Thinking::pv`].
pub fn write_pv(moves: &[Move], style: RankStyle) -> String {
    join_moves(moves, style)
}

/// Writes a reply.
pub fn write_reply(reply: &Reply, style: RankStyle) -> String {
    match reply {
        Reply::Features(features) => {
            let features: String = features.iter().map(|feature| format!(" {}", feature.written())).collect();
            format!("feature{}", one_line(&features))
        }
        Reply::Move(mv) => format!("move {}", coords::write_move(*mv, style)),
        Reply::Pong(number) => format!("pong {number}"),
        Reply::Thinking(thinking) => write_thinking(thinking),
        Reply::Result { result, comment } => format!("{result} {{{}}}", one_line(comment)),
        Reply::Resign => "resign".to_owned(),
        Reply::OfferDraw => "offer draw".to_owned(),
        Reply::Error { reason, command } => format!("Error ({}): {}", one_line(reason), one_line(command)),
        Reply::IllegalMove { reason: None, mv } => format!("Illegal move: {}", one_line(mv)),
        Reply::IllegalMove { reason: Some(reason), mv } => {
            format!("Illegal move ({}): {}", one_line(reason), one_line(mv))
        }
        Reply::Hint(mv) => format!("Hint: {}", coords::write_move(*mv, style)),
        Reply::TellUser(text) => format!("telluser {}", one_line(text)),
        Reply::Comment(text) => format!("# {}", one_line(text)),
    }
}

fn write_thinking(thinking: &Thinking) -> String {
    let Thinking { depth, score, time, nodes, selective_depth, nps, pv } = thinking;
    let head = format!("{depth} {} {} {nodes}", number_of_score(*score), time.as_millis() / 10);
    let pv = one_line(pv);
    match (selective_depth, nps) {
        (Some(selective_depth), Some(nps)) => format!("{head} {selective_depth} {nps} 0\t{pv}"),
        (Some(selective_depth), None) => format!("{head} {selective_depth}\t{pv}"),
        (None, _) => format!("{head} {pv}"),
    }
}
