//! `go` lines: one tolerant reader for UCI and UCCI, a strict writer for each.

use std::fmt::Write;
use std::time::Duration;

use chuhe_board::coords::{self, RankStyle};

use crate::words::{Words, join_moves, shortened};
use crate::{Clock, Clocks, CommandError, Go};

/// The fields of a `go` line, in both protocols.
#[derive(Default)]
struct Reading {
    go: Go,
    /// Clocks by colour (UCI) and by turn (UCCI); a line that mixes them means the latter.
    red: Clock,
    black: Clock,
    own: Clock,
    opponent: Clock,
    by_side: bool,
    by_turn: bool,
}

/// Parses what follows `go`. Unknown words are skipped, as UCI demands.
pub(crate) fn parse(mut words: Words<'_>, style: RankStyle) -> Result<Go, CommandError> {
    let mut reading = Reading::default();
    while let Some(word) = words.next() {
        let word = word.to_ascii_lowercase();
        if word == "searchmoves" {
            reading.go.search_moves = search_moves(&mut words, style)?;
        } else {
            reading.read(&word, &mut words)?;
        }
    }
    Ok(reading.finish())
}

impl Reading {
    fn read(&mut self, word: &str, words: &mut Words<'_>) -> Result<(), CommandError> {
        match word {
            "ponder" => self.go.ponder = true,
            "draw" => self.go.draw_offered = true,
            "infinite" => self.go.infinite = true,
            "depth" if words.peek() == Some("infinite") => {}
            "depth" => self.go.depth = Some(number("depth", words)?),
            "nodes" => self.go.nodes = Some(number("nodes", words)?),
            "mate" => self.go.mate = Some(number("mate", words)?),
            "movetime" => self.go.move_time = Some(time("movetime", words)?),
            "movestogo" => {
                let moves = Some(number("movestogo", words)?);
                for clock in [&mut self.red, &mut self.black, &mut self.own] {
                    clock.moves_to_go = moves;
                }
            }
            "wtime" => self.red.left = Some(time("wtime", words)?),
            "btime" => self.black.left = Some(time("btime", words)?),
            "winc" => self.red.increment = time("winc", words)?,
            "binc" => self.black.increment = time("binc", words)?,
            "time" => self.own.left = Some(time("time", words)?),
            "increment" => self.own.increment = time("increment", words)?,
            "opptime" => self.opponent.left = Some(time("opptime", words)?),
            "oppincrement" => self.opponent.increment = time("oppincrement", words)?,
            "oppmovestogo" => self.opponent.moves_to_go = Some(number("oppmovestogo", words)?),
            _ => {}
        }
        self.by_side |= matches!(word, "wtime" | "btime" | "winc" | "binc");
        self.by_turn |= matches!(word, "time" | "increment" | "opptime" | "oppincrement");
        Ok(())
    }

    fn finish(self) -> Go {
        let Self { red, black, own, opponent, .. } = self;
        let clocks = match (self.by_turn, self.by_side) {
            (true, _) => Some(Clocks::ByTurn { own, opponent }),
            (false, true) => Some(Clocks::BySide { red, black }),
            (false, false) => None,
        };
        Go { clocks, ..self.go }
    }
}

/// The words that may follow a list of moves; any other word there is a bad move.
const KEYWORDS: &[&str] = &[
    "ponder",
    "infinite",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "movestogo",
    "wtime",
    "btime",
    "winc",
    "binc",
    "draw",
    "time",
    "increment",
    "opptime",
    "oppincrement",
    "oppmovestogo",
];

fn search_moves(words: &mut Words<'_>, style: RankStyle) -> Result<Vec<chuhe_board::Move>, CommandError> {
    let moves = words.moves(style);
    match words.peek() {
        Some(word) if !KEYWORDS.contains(&word) => {
            Err(coords::parse_move(word, style).expect_err("the list ends at a word that is no move").into())
        }
        _ if moves.is_empty() => Err(CommandError::Missing { command: "searchmoves", expected: "moves" }),
        _ => Ok(moves),
    }
}

/// The next word as a number.
pub(crate) fn number<N: std::str::FromStr>(
    field: &'static str,
    words: &mut Words<'_>,
) -> Result<N, CommandError> {
    let text = words.next().ok_or(CommandError::Missing { command: field, expected: "a number" })?;
    text.parse().map_err(|_| CommandError::Number { field, text: shortened(text) })
}

/// The next word as milliseconds; GUIs send negative ones when a flag has fallen.
fn time(field: &'static str, words: &mut Words<'_>) -> Result<Duration, CommandError> {
    let milliseconds: i64 = number(field, words)?;
    Ok(Duration::from_millis(milliseconds.max(0).unsigned_abs()))
}

/// The line in UCI, or `None` if UCI cannot express it.
pub(crate) fn write_uci(go: &Go, style: RankStyle) -> Option<String> {
    let mut text = String::from("go");
    if go.draw_offered {
        return None;
    }
    if go.ponder {
        text.push_str(" ponder");
    }
    match go.clocks {
        Some(Clocks::BySide { red, black }) => {
            push_time(&mut text, "wtime", red.left);
            push_time(&mut text, "btime", black.left);
            push_increment(&mut text, "winc", red.increment);
            push_increment(&mut text, "binc", black.increment);
            push_field(&mut text, "movestogo", red.moves_to_go.or(black.moves_to_go));
        }
        Some(Clocks::ByTurn { .. }) => return None,
        None => {}
    }
    push_field(&mut text, "depth", go.depth);
    push_field(&mut text, "nodes", go.nodes);
    push_field(&mut text, "mate", go.mate);
    push_time(&mut text, "movetime", go.move_time);
    if go.infinite {
        text.push_str(" infinite");
    }
    if !go.search_moves.is_empty() {
        text.push_str(" searchmoves ");
        text.push_str(&join_moves(&go.search_moves, style));
    }
    Some(text)
}

/// The line in UCCI, or `None` if UCCI cannot express it.
pub(crate) fn write_ucci(go: &Go) -> Option<String> {
    if !go.search_moves.is_empty() || go.mate.is_some() || go.move_time.is_some() {
        return None;
    }
    let mut text = String::from("go");
    if go.ponder {
        text.push_str(" ponder");
    }
    if go.draw_offered {
        text.push_str(" draw");
    }
    match go.clocks {
        Some(Clocks::ByTurn { own, opponent }) => {
            push_time(&mut text, "time", own.left);
            push_field(&mut text, "movestogo", own.moves_to_go);
            push_increment(&mut text, "increment", own.increment);
            push_time(&mut text, "opptime", opponent.left);
            push_field(&mut text, "oppmovestogo", opponent.moves_to_go);
            push_increment(&mut text, "oppincrement", opponent.increment);
        }
        Some(Clocks::BySide { .. }) => return None,
        None => {}
    }
    push_field(&mut text, "depth", go.depth);
    push_field(&mut text, "nodes", go.nodes);
    if go.infinite {
        text.push_str(" infinite");
    }
    Some(text)
}

fn push_field(text: &mut String, word: &str, number: Option<impl std::fmt::Display>) {
    if let Some(number) = number {
        let _ = write!(text, " {word} {number}");
    }
}

fn push_time(text: &mut String, word: &str, time: Option<Duration>) {
    push_field(text, word, time.map(|time| time.as_millis()));
}

fn push_increment(text: &mut String, word: &str, increment: Duration) {
    push_time(text, word, Some(increment).filter(|increment| !increment.is_zero()));
}
