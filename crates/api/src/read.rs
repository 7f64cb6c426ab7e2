//! `POST /api/read`: a record in any format, or a FEN, as a tree of moves. `POST /api/read/batch`: many games of a file.

use std::ops::ControlFlow;
use std::path::Path;

use chuhe_board::coords::{RankStyle, parse_move};
use chuhe_board::{Position, fen};
use chuhe_notation::record::{Game, GameBuilder, Mark, NodeId};
use chuhe_notation::{Format, RecordError, encoding, read_records};
use serde::{Deserialize, Serialize};

use crate::wire::{MoveJson, bad_fen, too_many_moves};
use crate::{Arg, Key, Notice};

/// At most this many games of a file are listed.
const MAX_HEADINGS: usize = 2000;
/// Larger trees are refused, for the browser's sake.
const MAX_NODES: usize = 20_000;

/// At most this many games are read at a time.
const MAX_BATCH: usize = 250;

/// Faults of a game that are reported.
const MAX_FAULTS: usize = 20;

/// Query of `/api/read`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadOptions {
    /// The file name; its extension selects the format.
    #[serde(default)]
    pub name: String,
    /// The index of the game in the file, from 0.
    #[serde(default)]
    pub game: usize,
}

/// The games of a file.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ReadAnswer {
    /// Number of games in the file.
    count: usize,
    /// The games, if there are several; at most 2000.
    headings: Vec<Heading>,
    /// The game requested.
    record: RecordJson,
    /// What of that game could not be read, and where.
    faults: Vec<Notice>,
}

/// Some games of a file.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BatchAnswer {
    /// The games, from the one requested on; at most 250.
    games: Vec<BatchGame>,
    /// Whether the file has more.
    more: bool,
}

/// A game of a batch, or why it cannot be read.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BatchGame {
    record: Option<RecordJson>,
    error: Option<Notice>,
}

/// One game of a file.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Heading {
    title: String,
    result: String,
    /// Plies of the main line.
    plies: usize,
    /// Why it cannot be read.
    error: Option<Notice>,
}

/// A game as a tree of moves.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RecordJson {
    tags: Vec<(String, String)>,
    /// The start position as FEN.
    start: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    result: String,
    /// The comment before the first move.
    comment: String,
    /// The moves; each comes after its parent, the main line before its variations.
    nodes: Vec<NodeJson>,
}

/// A move of a record.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NodeJson {
    /// The previous move: 0 for the start position, else the number of a node, from 1.
    parent: usize,
    #[serde(flatten)]
    mv: MoveJson,
    /// The position after it.
    fen: String,
    /// Whether it gives check.
    check: bool,
    comment: String,
    /// Numeric annotation glyphs (NAGs).
    #[cfg_attr(feature = "typescript", ts(type = "Array<number>"))]
    marks: Vec<Mark>,
}

/// Reads a game of a file, unless `is_stopped` says that nobody waits for it any more.
pub fn read(
    options: &ReadOptions,
    bytes: &[u8],
    is_stopped: &dyn Fn() -> bool,
) -> Result<ReadAnswer, Notice> {
    let text = encoding::decode(bytes);
    if let Some(game) = parse_position_line(text.trim())? {
        return ReadAnswer::of(&game);
    }
    let format = format_of(&options.name, bytes);
    let mut count = 0;
    let mut headings = Vec::new();
    let mut selected = None;
    read_records(format, bytes, RankStyle::FromZero, |game| {
        if headings.len() < MAX_HEADINGS {
            headings.push(Heading::new(count, &game));
        }
        if count == options.game {
            selected = Some(game);
        }
        count += 1;
        if is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    Notice::if_closed(is_stopped)?;
    let game = match selected {
        None if count == 0 => {
            return Err(Notice::plain(Key::NoGameInText, "there is no game in this text"));
        }
        None => {
            let number = options.game + 1;
            let text = format!("there is no game {number} in the file");
            return Err(Notice::new(Key::NoGameInFile, [Arg::from(number)], text));
        }
        Some(Err(error)) => return Err(error.into()),
        Some(Ok(game)) => game,
    };
    if count == 1 && has_nothing(&game) {
        return Err(nothing_to_read());
    }
    if count == 1 {
        headings.clear();
    }
    Ok(ReadAnswer { count, headings, ..ReadAnswer::of(&game)? })
}

/// Reads up to `MAX_BATCH` games of a file, from game `options.game` on.
pub fn read_batch(
    options: &ReadOptions,
    bytes: &[u8],
    is_stopped: &dyn Fn() -> bool,
) -> Result<BatchAnswer, Notice> {
    if let Some(game) = parse_position_line(encoding::decode(bytes).trim())? {
        return Ok(BatchAnswer { games: vec![BatchGame::new(Ok(game))], more: false });
    }
    let mut answer = BatchAnswer { games: Vec::new(), more: false };
    let (mut count, mut is_empty) = (0, true);
    read_records(format_of(&options.name, bytes), bytes, RankStyle::FromZero, |game| {
        answer.more = answer.games.len() == MAX_BATCH;
        is_empty &= count == 0 && game.as_ref().is_ok_and(has_nothing);
        if count >= options.game && !answer.more {
            answer.games.push(BatchGame::new(game));
        }
        count += 1;
        if answer.more || is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    Notice::if_closed(is_stopped)?;
    if is_empty { Err(nothing_to_read()) } else { Ok(answer) }
}

/// Whether a game is what is read from a text without one.
fn has_nothing(game: &Game) -> bool {
    game.move_count() == 0 && game.tags.is_empty() && game.comment(NodeId::ROOT).is_empty()
}

fn nothing_to_read() -> Notice {
    Notice::plain(Key::NothingToRead, "there is neither a move nor a position in this text")
}

/// Detects the format by the first bytes, else by the file name.
fn format_of(name: &str, bytes: &[u8]) -> Format {
    Format::of_file(Path::new(name), bytes)
}

/// Parses a FEN or a UCI line `position fen … moves …`; `None` if it is neither.
fn parse_position_line(text: &str) -> Result<Option<Game>, Notice> {
    let line = text.strip_prefix("position ").unwrap_or(text).trim();
    let (line, moves) = line.split_once("moves").unwrap_or((line, ""));
    let line = line.trim().strip_prefix("fen ").unwrap_or(line.trim());
    let start = match line {
        "startpos" => Position::start(),
        _ if is_fen_like(line) => fen::parse(line).map_err(bad_fen)?,
        _ => return Ok(None),
    };
    let mut builder = GameBuilder::new(start);
    for text in moves.split_whitespace() {
        let mv = parse_move(text, RankStyle::FromZero)?;
        builder.play(mv)?;
    }
    Ok(Some(builder.finish()))
}

/// Whether a line is meant as a FEN: several slashes between letters and digits in its first word.
fn is_fen_like(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    !line.contains('\n')
        && first.matches('/').count() >= 2
        && first.chars().all(|character| character.is_ascii_alphanumeric() || "/[]".contains(character))
}

impl Heading {
    fn new(index: usize, game: &Result<Game, RecordError>) -> Self {
        let number = index + 1;
        match game {
            Ok(game) => {
                let side = |name| game.tags.get(name).unwrap_or("?");
                let event = game.tags.get("Event").map_or(String::new(), |event| format!(", {event}"));
                Self {
                    title: format!("{number}. {} – {}{event}", side("Red"), side("Black")),
                    result: game.outcome.to_string(),
                    plies: game.main_line().count(),
                    error: None,
                }
            }
            Err(error) => Self {
                title: format!("{number}."),
                result: "*".to_owned(),
                plies: 0,
                error: Some(error.clone().into()),
            },
        }
    }
}

impl BatchGame {
    fn new(game: Result<Game, RecordError>) -> Self {
        let record = game.map_err(Notice::from).and_then(|game| RecordJson::new(&game));
        match record {
            Ok(record) => Self { record: Some(record), error: None },
            Err(error) => Self { record: None, error: Some(error) },
        }
    }
}

impl ReadAnswer {
    /// A single game.
    pub fn of(game: &Game) -> Result<Self, Notice> {
        let faults = game.faults().iter().take(MAX_FAULTS).cloned().map(Notice::from).collect();
        Ok(Self { count: 1, headings: Vec::new(), record: RecordJson::new(game)?, faults })
    }
}

impl RecordJson {
    fn new(game: &Game) -> Result<Self, Notice> {
        if game.move_count() > MAX_NODES {
            return Err(too_many_moves(game.move_count(), MAX_NODES));
        }
        Ok(Self {
            tags: game.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            start: game.start().to_string(),
            result: game.outcome.to_string(),
            comment: game.comment(NodeId::ROOT).to_owned(),
            nodes: nodes(game),
        })
    }
}

/// The moves in preorder.
fn nodes(game: &Game) -> Vec<NodeJson> {
    let mut nodes = Vec::with_capacity(game.move_count());
    // The path to the previous node: node numbers and the positions after them.
    let mut line = vec![(0, game.start().clone())];
    for node in game.preorder().skip(1) {
        line.truncate(game.ply(node));
        let (parent, before) = line.last().expect("a move has a position before it");
        let mv = game.mv(node).expect("only the root has no move");
        let mut after = before.clone();
        let named = MoveJson::new(before, mv);
        let _ = after.play(mv, &mut ());
        nodes.push(NodeJson {
            parent: *parent,
            mv: named,
            fen: after.to_string(),
            check: after.is_in_check(),
            comment: game.comment(node).to_owned(),
            marks: game.marks(node).to_vec(),
        });
        line.push((nodes.len(), after));
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<ReadAnswer, Notice> {
        super::read(&ReadOptions::default(), text.as_bytes(), &|| false)
    }

    #[test]
    fn variations_come_after_their_parents() {
        let answer =
            read("[Red \"甲\"]\n1. 炮二平五 {中炮} (1. 兵七進一 卒7進1) 馬8進7 2. 馬二進三 *").unwrap();
        let nodes: Vec<_> =
            answer.record.nodes.iter().map(|node| (node.parent, node.mv.mv.as_str())).collect();
        assert_eq!(nodes, [(0, "h2e2"), (1, "h9g7"), (2, "h0g2"), (0, "c3c4"), (4, "g6g5")]);
        assert_eq!(answer.record.nodes[0].comment, "中炮");
        assert_eq!(answer.record.nodes[0].mv.wxf, "C2=5");
        assert_eq!(answer.count, 1);
    }

    #[test]
    fn positions_are_understood_in_several_ways() {
        for text in [
            "3k5/9/9/9/9/9/9/9/4R4/4K4 w",
            "position fen 3k5/9/9/9/9/9/9/9/4R4/4K4 w moves e1e2",
            "position startpos moves h2e2 h9g7",
            "startpos",
        ] {
            assert!(read(text).is_ok(), "{text}");
        }
        let error = format!("{:?}", read("rnbakabnr/9/1c5c1/p1p1p1p1pp/9/9/9/9/9/4K4 w").err().unwrap());
        assert!(error.contains("rank 6 ('p1p1p1p1pp') covers 10 files"), "{error}");
    }

    #[test]
    fn unreadable_text_is_refused() {
        for text in ["", "hello there", "炮九平五"] {
            assert!(read(text).is_err(), "{text}");
        }
        let options = ReadOptions { game: 7, ..ReadOptions::default() };
        let error = super::read(&options, "h2e2 h9g7".as_bytes(), &|| false).err().unwrap();
        assert!(format!("{error:?}").contains("no game 8"));
    }

    #[test]
    fn a_large_file_is_read_in_batches_and_its_bad_games_are_named() {
        let mut text = "1-0\th2e2 h9g7\n".repeat(MAX_BATCH + 2);
        text.push_str("0-1\ta0a9\n");
        let batch = |game| {
            let options = ReadOptions { game, ..ReadOptions::default() };
            read_batch(&options, text.as_bytes(), &|| false).unwrap()
        };
        let first = batch(0);
        assert_eq!((first.games.len(), first.more), (MAX_BATCH, true));
        let rest = batch(MAX_BATCH);
        assert_eq!((rest.games.len(), rest.more), (3, false));
        assert_eq!(rest.games[1].record.as_ref().unwrap().nodes.len(), 2);
        assert!(read_batch(&ReadOptions::default(), b"", &|| false).is_err());
    }

    #[test]
    fn the_games_of_a_file_are_listed() {
        let text = "1-0\th2e2 h9g7\n0-1\tb0c2\n";
        let options = ReadOptions { game: 1, ..ReadOptions::default() };
        let answer = super::read(&options, text.as_bytes(), &|| false).unwrap();
        assert_eq!((answer.count, answer.headings.len()), (2, 2));
        assert_eq!(answer.headings[0].plies, 2);
        assert_eq!(answer.record.nodes[0].mv.mv, "b0c2");
    }
}
