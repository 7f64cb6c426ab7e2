//! UCCI, the Universal Chinese Chess Protocol, version 3.0.
//!
//! Source: xqbase.com's description of November 2007 (中國象棋通用引擎協議). Times are milliseconds, as
//! an engine asks for by declaring `usemillisec`; for a GUI that insists on seconds see
//! [`in_seconds`].

use std::time::Duration;

use chuhe_board::coords::{self, RankStyle};

use crate::words::{Words, one_line, shortened};
use crate::{
    BestMove, Clock, Clocks, Command, CommandError, Go, OptionDeclaration, OptionKind, PopHash, Reply,
    ReplyError, go, info, position_line, uci,
};

/// Parses a command. As in UCI, the bare `startpos …` and `fen …` are positions too.
pub fn parse_command(line: &str, style: RankStyle) -> Result<Command, CommandError> {
    let mut words = Words::of(line);
    let from_here = words.clone();
    if let Some(tool) = uci::parse_tool(words.clone())? {
        return Ok(Command::Tool(tool));
    }
    let first = words.next().ok_or(CommandError::Empty)?;
    Ok(match first.to_ascii_lowercase().as_str() {
        "ucci" => Command::Handshake,
        "isready" => Command::IsReady,
        "setoption" => parse_set_option(words)?,
        "position" => Command::Position(position_line::parse(words, style)?),
        "startpos" | "fen" => Command::Position(position_line::parse(from_here, style)?),
        "banmoves" => Command::BanMoves(position_line::parse_moves(words, style)?),
        "go" => Command::Go(go::parse(words, style)?),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit { draw_offered: words.next() == Some("draw") },
        "probe" => Command::Probe(position_line::parse(words, style)?),
        "quit" => Command::Quit,
        _ => return Err(CommandError::Unknown(shortened(first))),
    })
}

/// `<name> [<anything>]`; the option `newgame` is how UCCI announces a game. UCI's `name … value …`
/// is understood too.
fn parse_set_option(mut words: Words<'_>) -> Result<Command, CommandError> {
    let like_uci = words.peek() == Some("name");
    if like_uci {
        words.next();
    }
    let name = if like_uci { words.until(&["value"]) } else { words.next().unwrap_or_default() };
    if name.is_empty() {
        return Err(CommandError::Missing { command: "setoption", expected: "the name of an option" });
    }
    if name.eq_ignore_ascii_case("newgame") {
        return Ok(Command::NewGame);
    }
    if like_uci && words.peek() == Some("value") {
        words.next();
    }
    let value = Some(words.rest().to_owned()).filter(|value| !value.is_empty());
    Ok(Command::SetOption { name: name.to_owned(), value })
}

/// A `go` whose times are seconds, as after `setoption usemillisec false`.
pub fn in_seconds(go: Go) -> Go {
    let scaled = |time: Duration| time.saturating_mul(1000);
    let clock = |clock: Clock| Clock {
        left: clock.left.map(scaled),
        increment: scaled(clock.increment),
        moves_to_go: clock.moves_to_go,
    };
    let clocks = go.clocks.map(|clocks| match clocks {
        Clocks::BySide { red, black } => Clocks::BySide { red: clock(red), black: clock(black) },
        Clocks::ByTurn { own, opponent } => Clocks::ByTurn { own: clock(own), opponent: clock(opponent) },
    });
    Go { clocks, move_time: go.move_time.map(scaled), ..go }
}

/// Writes a command, or `None` if UCCI does not have it. Names of options are one word in
/// UCCI, so spaces in them become underscores.
pub fn write_command(command: &Command, style: RankStyle) -> Option<String> {
    Some(match command {
        Command::Handshake => "ucci".to_owned(),
        Command::IsReady => "isready".to_owned(),
        Command::SetOption { name, value: None } => format!("setoption {}", one_word(name)),
        Command::SetOption { name, value: Some(value) } => {
            format!("setoption {} {}", one_word(name), one_line(value))
        }
        Command::NewGame => "setoption newgame".to_owned(),
        Command::Position(line) => format!("position {}", position_line::write(line, style, false)),
        Command::BanMoves(moves) => {
            let moves: String =
                moves.iter().map(|mv| format!(" {}", coords::write_move(*mv, style))).collect();
            format!("banmoves{moves}")
        }
        Command::Go(go) => go::write_ucci(go)?,
        Command::Stop => "stop".to_owned(),
        Command::PonderHit { draw_offered: false } => "ponderhit".to_owned(),
        Command::PonderHit { draw_offered: true } => "ponderhit draw".to_owned(),
        Command::Probe(line) => format!("probe {}", position_line::write(line, style, false)),
        Command::Quit => "quit".to_owned(),
        Command::Tool(tool) => uci::write_tool(tool),
        Command::Debug(_) => return None,
    })
}

/// Parses a reply.
pub fn parse_reply(line: &str, style: RankStyle) -> Result<Reply, ReplyError> {
    let mut words = Words::of(line);
    Ok(match words.next().ok_or(ReplyError::Empty)? {
        "id" => uci::parse_id(words, line)?,
        "option" => parse_option(words)?,
        "ucciok" => Reply::Ok,
        "readyok" => Reply::ReadyOk,
        "info" => Reply::Info(info::parse(words, style)),
        "bestmove" => uci::parse_best_move(words, style)?,
        "nobestmove" => Reply::NoBestMove,
        "pophash" => Reply::PopHash(parse_pop_hash(words, style)),
        "bye" => Reply::Bye,
        _ => return Err(ReplyError::Unknown(shortened(line.trim()))),
    })
}

fn parse_option(mut words: Words<'_>) -> Result<Reply, ReplyError> {
    let name = words.until(&["type"]).to_owned();
    let kind =
        OptionKind::parsed(words).ok_or(ReplyError::Missing { reply: "option", expected: "its type" })?;
    Ok(Reply::Option(OptionDeclaration { name, kind }))
}

fn parse_pop_hash(mut words: Words<'_>, style: RankStyle) -> PopHash {
    let mut known = PopHash::default();
    while let Some(word) = words.next() {
        match word {
            "bestmove" => known.best = words.mv(style),
            "lowerbound" => known.lower = parse_bound(&mut words),
            "upperbound" => known.upper = parse_bound(&mut words),
            _ => {}
        }
    }
    known
}

/// `<score> depth <plies>`.
fn parse_bound(words: &mut Words<'_>) -> Option<(i32, u32)> {
    let score = words.number()?;
    if words.peek() == Some("depth") {
        words.next();
    }
    Some((score, words.number()?))
}

/// Writes a reply, or `None` if UCCI does not have it.
pub fn write_reply(reply: &Reply, style: RankStyle) -> Option<String> {
    Some(match reply {
        Reply::Id { field, text } => format!("id {} {}", field.word(), one_line(text)),
        Reply::Option(OptionDeclaration { name, kind }) => {
            format!("option {} {}", one_word(name), kind.written())
        }
        Reply::Ok => "ucciok".to_owned(),
        Reply::ReadyOk => "readyok".to_owned(),
        Reply::Info(info) => info::write_ucci(info, style)?,
        Reply::BestMove(BestMove { mv, ponder, draw, resign }) => {
            let mut text = uci::write_best_move(*mv, *ponder, style);
            text.push_str(if *draw { " draw" } else { "" });
            text.push_str(if *resign { " resign" } else { "" });
            text
        }
        Reply::NoBestMove => "nobestmove".to_owned(),
        Reply::PopHash(known) => write_pop_hash(known, style),
        Reply::Bye => "bye".to_owned(),
    })
}

fn write_pop_hash(known: &PopHash, style: RankStyle) -> String {
    let mut text = String::from("pophash");
    if let Some(mv) = known.best {
        text.push_str(&format!(" bestmove {}", coords::write_move(mv, style)));
    }
    for (word, bound) in [("lowerbound", known.lower), ("upperbound", known.upper)] {
        if let Some((score, depth)) = bound {
            text.push_str(&format!(" {word} {score} depth {depth}"));
        }
    }
    text
}

fn one_word(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join("_")
}
