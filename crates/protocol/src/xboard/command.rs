//! The commands of xboard.

use std::time::Duration;

use crate::CommandError;
use crate::go::number;
use crate::words::{Words, one_line, shortened};
use chuhe_board::coords::{self, RankStyle};
use chuhe_board::fen::{self, FenError};
use chuhe_board::{Move, Outcome, Position};

/// A command of xboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `xboard`: the session begins.
    Xboard,
    /// `protover N`: announce the features.
    ProtocolVersion(u32),
    /// `accepted NAME`: xboard will use the feature.
    Accepted(String),
    /// `rejected NAME`: it will not.
    Rejected(String),
    /// `new`: the start position, Red to move, the engine plays Black.
    New,
    /// `variant NAME`.
    Variant(String),
    /// `quit`.
    Quit,
    /// `force`: play neither side.
    Force,
    /// `go`: play the side to move, and move.
    Go,
    /// `playother`: play the side that is not to move.
    PlayOther,
    /// `usermove MOVE`, or the bare move: the opponent moves.
    UserMove(Move),
    /// `?`: move now.
    MoveNow,
    /// `ping N`: answer `pong N` when everything so far is done.
    Ping(u64),
    /// `draw`: the opponent offers a draw.
    DrawOffer,
    /// `result …`: the game is over.
    Result {
        /// How it ended.
        result: Outcome,
        /// Why, for people.
        comment: String,
    },
    /// `setboard FEN`.
    SetBoard(Box<Position>),
    /// `undo`: take back one ply.
    Undo,
    /// `remove`: take back two plies.
    Remove,
    /// `hard`: think in the opponent's time.
    Hard,
    /// `easy`: do not.
    Easy,
    /// `post`: show thinking.
    Post,
    /// `nopost`: do not.
    NoPost,
    /// `analyze`: search the position until `exit`.
    Analyze,
    /// `exit`: end [`Self::Analyze`].
    Exit,
    /// `.`: report the progress of the analysis.
    StatusRequest,
    /// `hint`: suggest a move.
    Hint,
    /// `level MOVES BASE INCREMENT`: the time control of the game.
    Level {
        /// Moves for each base time; 0 means that it is for the whole game.
        moves: u32,
        /// The base time; minutes and seconds are all that can be written.
        base: Duration,
        /// What is added after each move.
        increment: Duration,
    },
    /// `st SECONDS`: exactly this long a move, in whole seconds.
    SecondsPerMove(u32),
    /// `sd PLIES`: no deeper than this.
    Depth(u32),
    /// `nps N`: count time in nodes, this many a second.
    NodesPerSecond(u32),
    /// `time N`: what is left on the engine's clock, to the hundredth of a second.
    Time(Duration),
    /// `otim N`: what is left on the opponent's clock, to the hundredth of a second.
    OpponentTime(Duration),
    /// `memory MB`: use no more than this.
    Memory(u64),
    /// `cores N`: use no more than this many threads.
    Cores(u32),
    /// `option NAME=VALUE`, or `option NAME` for buttons.
    SetOption {
        /// The option.
        name: String,
        /// Its new value; none for buttons.
        value: Option<String>,
    },
    /// A remark that asks for nothing: `random`, `computer`, `name …`, `rating …`, `ics …`, `bk`,
    /// `egtpath …`.
    Aside(String),
}

/// Parses a command. A line that is only a move is the opponent's move.
pub fn parse_command(line: &str, style: RankStyle) -> Result<Command, CommandError> {
    let mut words = Words::of(line);
    let first = words.next().ok_or(CommandError::Empty)?;
    let missing = |command, expected| CommandError::Missing { command, expected };
    Ok(match first {
        "xboard" => Command::Xboard,
        "protover" => Command::ProtocolVersion(number("protover", &mut words)?),
        "accepted" => Command::Accepted(words.rest().to_owned()),
        "rejected" => Command::Rejected(words.rest().to_owned()),
        "new" => Command::New,
        "variant" => Command::Variant(words.next().ok_or(missing("variant", "a name"))?.to_owned()),
        "quit" => Command::Quit,
        "force" => Command::Force,
        "go" => Command::Go,
        "playother" => Command::PlayOther,
        "usermove" => {
            Command::UserMove(coords::parse_move(words.next().ok_or(missing("usermove", "a move"))?, style)?)
        }
        "?" => Command::MoveNow,
        "ping" => Command::Ping(number("ping", &mut words)?),
        "draw" => Command::DrawOffer,
        "result" => parse_result(words)?,
        "setboard" => Command::SetBoard(Box::new(parse_position(words.rest())?)),
        "undo" => Command::Undo,
        "remove" => Command::Remove,
        "hard" => Command::Hard,
        "easy" => Command::Easy,
        "post" => Command::Post,
        "nopost" => Command::NoPost,
        "analyze" => Command::Analyze,
        "exit" => Command::Exit,
        "." => Command::StatusRequest,
        "hint" => Command::Hint,
        "level" => parse_level(words)?,
        "st" => Command::SecondsPerMove(number("st", &mut words)?),
        "sd" | "depth" => Command::Depth(number("sd", &mut words)?),
        "nps" => Command::NodesPerSecond(number("nps", &mut words)?),
        "time" => Command::Time(hundredths("time", &mut words)?),
        "otim" => Command::OpponentTime(hundredths("otim", &mut words)?),
        "memory" => Command::Memory(number("memory", &mut words)?),
        "cores" => Command::Cores(number("cores", &mut words)?),
        "option" => parse_set_option(words.rest())?,
        "random" | "computer" | "name" | "rating" | "ics" | "bk" | "egtpath" | "white" | "black" => {
            Command::Aside(line.trim().to_owned())
        }
        _ => match coords::parse_move(first, style) {
            Ok(mv) => Command::UserMove(mv),
            Err(coords::CoordsError::Form { .. }) => return Err(CommandError::Unknown(shortened(first))),
            Err(error) => return Err(error.into()),
        },
    })
}

/// Reads a FEN as xboard writes it for Xiangqi, without the two fields that Xiangqi does not use, or as
/// everybody else does.
fn parse_position(text: &str) -> Result<Position, FenError> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let is_number = |field: &str| field.bytes().all(|byte| byte.is_ascii_digit());
    match fields.as_slice() {
        [placement, side, quiet, round] if is_number(quiet) && is_number(round) => {
            fen::parse(&format!("{placement} {side} - - {quiet} {round}"))
        }
        _ => fen::parse(text),
    }
}

/// Writes a FEN as xboard does for Xiangqi: `H` and `E` for horses and elephants, and none of the two
/// fields that Xiangqi does not use.
fn write_position(position: &Position) -> String {
    let text = position.to_string();
    let mut fields = text.split_whitespace();
    let placement: String = fields
        .next()
        .unwrap_or_default()
        .chars()
        .map(|letter| match letter {
            'N' => 'H',
            'n' => 'h',
            'B' => 'E',
            'b' => 'e',
            other => other,
        })
        .collect();
    let used = fields.filter(|field| *field != "-");
    std::iter::once(placement.as_str()).chain(used).collect::<Vec<_>>().join(" ")
}

fn parse_result(mut words: Words<'_>) -> Result<Command, CommandError> {
    let text = words.next().ok_or(CommandError::Missing { command: "result", expected: "a result" })?;
    let result = Outcome::from_token(text)
        .ok_or_else(|| CommandError::Unexpected { found: shortened(text), expected: "a result" })?;
    Ok(Command::Result { result, comment: super::reply::without_braces(words.rest()).to_owned() })
}

/// `MOVES MINUTES[:SECONDS] INCREMENT`.
fn parse_level(mut words: Words<'_>) -> Result<Command, CommandError> {
    let moves = number("level", &mut words)?;
    let text = words.next().ok_or(CommandError::Missing { command: "level", expected: "a base time" })?;
    let base =
        parse_base(text).ok_or_else(|| CommandError::Number { field: "level", text: shortened(text) })?;
    let increment = match words.next() {
        None => Duration::ZERO,
        Some(text) => {
            seconds(text).ok_or_else(|| CommandError::Number { field: "level", text: shortened(text) })?
        }
    };
    Ok(Command::Level { moves, base, increment })
}

fn parse_base(text: &str) -> Option<Duration> {
    let (minutes, rest) = match text.split_once(':') {
        Some((minutes, rest)) => (minutes, seconds(rest)?),
        None => (text, Duration::ZERO),
    };
    let minutes: u32 = minutes.parse().ok()?;
    Some(Duration::from_secs(60) * minutes + rest)
}

/// Seconds, maybe with a fraction.
fn seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.parse().ok()?).ok()
}

fn hundredths(field: &'static str, words: &mut Words<'_>) -> Result<Duration, CommandError> {
    let hundredths: i64 = number(field, words)?;
    Ok(Duration::from_millis(hundredths.max(0).unsigned_abs().saturating_mul(10)))
}

fn parse_set_option(text: &str) -> Result<Command, CommandError> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (text, None),
    };
    if name.is_empty() {
        return Err(CommandError::Missing { command: "option", expected: "the name of an option" });
    }
    Ok(Command::SetOption { name: name.to_owned(), value })
}

/// Writes a command. Times are cut to what the protocol can express: whole seconds for a base
/// time, hundredths of a second for clocks. With `usermove` moves are announced by that word, which
/// xboard does for engines that ask for it with a feature.
pub fn write_command(command: &Command, style: RankStyle, usermove: bool) -> String {
    match command {
        Command::Xboard => "xboard".to_owned(),
        Command::ProtocolVersion(version) => format!("protover {version}"),
        Command::Accepted(name) => format!("accepted {name}"),
        Command::Rejected(name) => format!("rejected {name}"),
        Command::New => "new".to_owned(),
        Command::Variant(name) => format!("variant {name}"),
        Command::Quit => "quit".to_owned(),
        Command::Force => "force".to_owned(),
        Command::Go => "go".to_owned(),
        Command::PlayOther => "playother".to_owned(),
        Command::UserMove(mv) if usermove => format!("usermove {}", coords::write_move(*mv, style)),
        Command::UserMove(mv) => coords::write_move(*mv, style).to_string(),
        Command::MoveNow => "?".to_owned(),
        Command::Ping(number) => format!("ping {number}"),
        Command::DrawOffer => "draw".to_owned(),
        Command::Result { result, comment } => format!("result {result} {{{}}}", one_line(comment)),
        Command::SetBoard(position) => format!("setboard {}", write_position(position)),
        Command::Undo => "undo".to_owned(),
        Command::Remove => "remove".to_owned(),
        Command::Hard => "hard".to_owned(),
        Command::Easy => "easy".to_owned(),
        Command::Post => "post".to_owned(),
        Command::NoPost => "nopost".to_owned(),
        Command::Analyze => "analyze".to_owned(),
        Command::Exit => "exit".to_owned(),
        Command::StatusRequest => ".".to_owned(),
        Command::Hint => "hint".to_owned(),
        Command::Level { moves, base, increment } => write_level(*moves, *base, *increment),
        Command::SecondsPerMove(seconds) => format!("st {seconds}"),
        Command::Depth(plies) => format!("sd {plies}"),
        Command::NodesPerSecond(nodes) => format!("nps {nodes}"),
        Command::Time(left) => format!("time {}", left.as_millis() / 10),
        Command::OpponentTime(left) => format!("otim {}", left.as_millis() / 10),
        Command::Memory(megabytes) => format!("memory {megabytes}"),
        Command::Cores(threads) => format!("cores {threads}"),
        Command::SetOption { name, value: None } => format!("option {}", one_line(name)),
        Command::SetOption { name, value: Some(value) } => {
            format!("option {}={}", one_line(name), one_line(value))
        }
        Command::Aside(text) => one_line(text),
    }
}

fn write_level(moves: u32, base: Duration, increment: Duration) -> String {
    let (minutes, seconds) = (base.as_secs() / 60, base.as_secs() % 60);
    let base = if seconds == 0 { minutes.to_string() } else { format!("{minutes}:{seconds:02}") };
    format!("level {moves} {base} {}", increment.as_millis() as f64 / 1000.0)
}
