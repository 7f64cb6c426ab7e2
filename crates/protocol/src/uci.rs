//! UCI, the Universal Chess Interface, as Xiangqi engines speak it.
//!
//! Source: the protocol's description of April 2006 by Stefan Meyer-Kahlen, with `wdl`, `d`, `eval`,
//! `bench` and `perft` as Stockfish's family has them.

use chuhe_board::coords::{self, RankStyle};

use crate::words::{Words, one_line, shortened};
use crate::{
    BestMove, Command, CommandError, IdField, OptionDeclaration, OptionKind, Reply, ReplyError, Tool, go,
    info, position_line,
};

/// Parses a command. Words before the command are skipped, as UCI demands; besides `position
/// startpos …` and `position fen …`, the bare `startpos …` and `fen …` are positions too.
pub fn parse_command(line: &str, style: RankStyle) -> Result<Command, CommandError> {
    let mut words = Words::of(line);
    let first = words.peek().ok_or(CommandError::Empty)?;
    if let Some(tool) = parse_tool(words.clone())? {
        return Ok(Command::Tool(tool));
    }
    loop {
        let from_here = words.clone();
        let Some(word) = words.next() else {
            return Err(CommandError::Unknown(shortened(first)));
        };
        return Ok(match word.to_ascii_lowercase().as_str() {
            "uci" => Command::Handshake,
            "isready" => Command::IsReady,
            "debug" => Command::Debug(words.next() != Some("off")),
            "setoption" => parse_set_option(words)?,
            "ucinewgame" => Command::NewGame,
            "position" => Command::Position(position_line::parse(words, style)?),
            "startpos" | "fen" => Command::Position(position_line::parse(from_here, style)?),
            "go" => Command::Go(go::parse(words, style)?),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit { draw_offered: false },
            "quit" => Command::Quit,
            _ => continue,
        });
    }
}

/// Developers' commands; no word may precede them.
pub(crate) fn parse_tool(mut words: Words<'_>) -> Result<Option<Tool>, CommandError> {
    Ok(Some(match words.next() {
        Some("d") => Tool::Display,
        Some("eval") => Tool::Eval,
        Some("flip") => Tool::Flip,
        Some("help") => Tool::Help,
        Some("bench") => Tool::Bench(words.rest().to_owned()),
        Some("perft") => Tool::Perft(go::number("perft", &mut words)?),
        Some("go") if words.peek() == Some("perft") => {
            words.next();
            Tool::Perft(go::number("perft", &mut words)?)
        }
        _ => return Ok(None),
    }))
}

/// `name <words> [value <anything>]`; the word `name` may be missing.
fn parse_set_option(mut words: Words<'_>) -> Result<Command, CommandError> {
    if words.peek().is_some_and(|word| word.eq_ignore_ascii_case("name")) {
        words.next();
    }
    let name = words.until(&["value"]).to_owned();
    if name.is_empty() {
        return Err(CommandError::Missing { command: "setoption", expected: "the name of an option" });
    }
    let value = words.next().map(|_| words.rest().to_owned());
    Ok(Command::SetOption { name, value })
}

/// Writes a command, or `None` if UCI does not have it.
pub fn write_command(command: &Command, style: RankStyle) -> Option<String> {
    Some(match command {
        Command::Handshake => "uci".to_owned(),
        Command::IsReady => "isready".to_owned(),
        Command::Debug(on) => format!("debug {}", if *on { "on" } else { "off" }),
        Command::SetOption { name, value: None } => format!("setoption name {}", one_line(name)),
        Command::SetOption { name, value: Some(value) } => {
            format!("setoption name {} value {}", one_line(name), one_line(value))
        }
        Command::NewGame => "ucinewgame".to_owned(),
        Command::Position(line) => format!("position {}", position_line::write(line, style, true)),
        Command::Go(go) => go::write_uci(go, style)?,
        Command::Stop => "stop".to_owned(),
        Command::PonderHit { draw_offered: false } => "ponderhit".to_owned(),
        Command::Quit => "quit".to_owned(),
        Command::Tool(tool) => write_tool(tool),
        Command::BanMoves(_) | Command::Probe(_) | Command::PonderHit { draw_offered: true } => return None,
    })
}

pub(crate) fn write_tool(tool: &Tool) -> String {
    match tool {
        Tool::Display => "d".to_owned(),
        Tool::Eval => "eval".to_owned(),
        Tool::Flip => "flip".to_owned(),
        Tool::Help => "help".to_owned(),
        Tool::Bench(words) if words.is_empty() => "bench".to_owned(),
        Tool::Bench(words) => format!("bench {}", one_line(words)),
        Tool::Perft(depth) => format!("perft {depth}"),
    }
}

/// Parses a reply. `bestmove (none)`, `bestmove 0000` and `bestmove resign` all mean that
/// it has no move.
pub fn parse_reply(line: &str, style: RankStyle) -> Result<Reply, ReplyError> {
    let mut words = Words::of(line);
    Ok(match words.next().ok_or(ReplyError::Empty)? {
        "id" => parse_id(words, line)?,
        "option" => parse_option(words)?,
        "uciok" => Reply::Ok,
        "readyok" => Reply::ReadyOk,
        "info" => Reply::Info(info::parse(words, style)),
        "bestmove" => parse_best_move(words, style)?,
        _ => return Err(ReplyError::Unknown(shortened(line.trim()))),
    })
}

pub(crate) fn parse_id(mut words: Words<'_>, line: &str) -> Result<Reply, ReplyError> {
    let word = words.next().ok_or(ReplyError::Missing { reply: "id", expected: "a field" })?;
    let field = IdField::ALL
        .into_iter()
        .find(|field| field.word() == word)
        .ok_or_else(|| ReplyError::Unknown(shortened(line.trim())))?;
    Ok(Reply::Id { field, text: words.rest().to_owned() })
}

fn parse_option(mut words: Words<'_>) -> Result<Reply, ReplyError> {
    if words.peek() == Some("name") {
        words.next();
    }
    let name = words.until(&["type"]).to_owned();
    let kind =
        OptionKind::parsed(words).ok_or(ReplyError::Missing { reply: "option", expected: "its type" })?;
    Ok(Reply::Option(OptionDeclaration { name, kind }))
}

pub(crate) fn parse_best_move(mut words: Words<'_>, style: RankStyle) -> Result<Reply, ReplyError> {
    let word = words.next().ok_or(ReplyError::Missing { reply: "bestmove", expected: "a move" })?;
    if ["(none)", "none", "null", "0000", "a0a0", "a1a1", "resign"].contains(&word) {
        return Ok(Reply::NoBestMove);
    }
    let mut best = BestMove::of(coords::parse_move(word, style)?);
    while let Some(word) = words.next() {
        match word {
            "ponder" => best.ponder = words.mv(style),
            "draw" => best.draw = true,
            "resign" => best.resign = true,
            _ => {}
        }
    }
    Ok(Reply::BestMove(best))
}

/// Writes a reply, or `None` if UCI does not have it.
pub fn write_reply(reply: &Reply, style: RankStyle) -> Option<String> {
    Some(match reply {
        Reply::Id { field: field @ (IdField::Name | IdField::Author), text } => {
            format!("id {} {}", field.word(), one_line(text))
        }
        Reply::Option(OptionDeclaration { name, kind }) => format!("option name {name} {}", kind.written()),
        Reply::Ok => "uciok".to_owned(),
        Reply::ReadyOk => "readyok".to_owned(),
        Reply::Info(info) => info::write_uci(info, style),
        Reply::BestMove(BestMove { mv, ponder, draw: false, resign: false }) => {
            write_best_move(*mv, *ponder, style)
        }
        Reply::NoBestMove => "bestmove (none)".to_owned(),
        Reply::Id { .. } | Reply::BestMove(_) | Reply::PopHash(_) | Reply::Bye => return None,
    })
}

pub(crate) fn write_best_move(
    mv: chuhe_board::Move,
    ponder: Option<chuhe_board::Move>,
    style: RankStyle,
) -> String {
    let mv = coords::write_move(mv, style);
    match ponder {
        Some(ponder) => format!("bestmove {mv} ponder {}", coords::write_move(ponder, style)),
        None => format!("bestmove {mv}"),
    }
}

/// Whether a word of the line is a move to or from rank 10, so that the line counts ranks 1–10.
///
/// ```
/// use chuhe_protocol::uci::mentions_rank_ten;
///
/// assert!(mentions_rank_ten("position startpos moves h3e3 h10g8"));
/// assert!(!mentions_rank_ten("position startpos moves h2e2 h9g7"));
/// assert!(!mentions_rank_ten("go depth 10"));
/// ```
pub fn mentions_rank_ten(line: &str) -> bool {
    line.split_whitespace()
        .any(|word| word.contains("10") && coords::parse_move(word, RankStyle::FromOne).is_ok())
}
