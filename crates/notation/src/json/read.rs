//! Reading games from JSON. Nothing here recurses, so that no record is too deep; members may come in any
//! order, and unknown ones are skipped.

use std::borrow::Cow;
use std::vec;

use chuhe_board::Position;
use chuhe_board::coords::RankStyle;
use serde::Deserialize;

use super::flatten::{Object, Reference, Source};
use crate::failure::{Place, Problem, RecordError};
use crate::pgn::parse_any_move;
use crate::record::{Bookmark, Game, GameBuilder, Tags, outcome_from_words};
use crate::setup::Start;
use crate::words::shortened;

/// The games of a text, strictly: a list of them, or one after the other.
pub fn read(text: &str) -> Games<'_> {
    Games { is_strict: true, ..read_tolerantly(text) }
}

pub(crate) fn read_tolerantly(text: &str) -> Games<'_> {
    let source = Source::new(text.trim_start_matches('\u{feff}'));
    Games { source, number: 0, is_done: false, is_strict: false }
}

/// The games of a text; made by [`read`].
pub struct Games<'a> {
    source: Source<'a>,
    number: usize,
    is_done: bool,
    is_strict: bool,
}

impl Iterator for Games<'_> {
    type Item = Result<Game, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let first = self.source.find_value()?;
        self.number += 1;
        let number = self.number;
        let objects = match first {
            '{' => self.source.flatten(),
            _ => Err(Problem::NotThisFormat("JSON")),
        };
        // Where the braces do not match, the start of the next game is unknown.
        self.is_done = objects.is_err();
        let read = objects
            .map_err(|problem| (self.source.line, problem))
            .and_then(|objects| build(&objects, number));
        let game =
            read.map_err(|(line, problem)| RecordError { game: number, place: Place::Line(line), problem });
        Some(if self.is_strict { game.and_then(Game::strict) } else { game })
    }
}

/// A problem and its line.
type Failure = (usize, Problem);

/// The object of a game.
#[derive(Deserialize)]
#[serde(default)]
struct GameObject<'a> {
    tags: Option<Reference>,
    fen: Option<String>,
    #[serde(borrow)]
    result: Cow<'a, str>,
    #[serde(borrow)]
    comment: Cow<'a, str>,
    moves: Vec<Reference>,
}

impl Default for GameObject<'_> {
    fn default() -> Self {
        Self { tags: None, fen: None, result: "".into(), comment: "".into(), moves: Vec::new() }
    }
}

/// The object of a move.
#[derive(Deserialize)]
struct MoveObject<'a> {
    #[serde(rename = "move", borrow)]
    mv: Cow<'a, str>,
    #[serde(default, borrow)]
    comment: Cow<'a, str>,
    #[serde(default)]
    marks: Vec<String>,
    #[serde(default)]
    variations: Vec<Vec<Reference>>,
}

impl Object {
    fn parse<'a, T: Deserialize<'a>>(&'a self) -> Result<T, Failure> {
        serde_json::from_str(&self.text).map_err(|error| (self.line, Problem::Json(reason(&error))))
    }
}

/// The message without its place, which is that in the flat text.
fn reason(error: &serde_json::Error) -> String {
    let message = error.to_string();
    shortened(message.rsplit_once(" at line ").map_or(message.as_str(), |(reason, _)| reason))
}

/// A line of moves that is being read.
struct Line {
    /// Where its next move goes.
    at: Bookmark,
    moves: vec::IntoIter<Reference>,
}

/// The game of the last object.
fn build(objects: &[Object], number: usize) -> Result<Game, Failure> {
    let root = objects.last().expect("a flattened object is not empty");
    let game: GameObject<'_> = root.parse()?;
    let start = game.fen.map_or_else(|| Position::start().into(), |fen| Start::of_fen(&fen));
    let mut builder = start.builder(number, Place::Line(root.line));
    if let Some(Reference::To(tags)) = game.tags {
        builder.set_tags(objects[tags].parse::<Tags>()?);
    }
    builder.set_outcome(outcome_from_words(&game.result));
    builder.add_comment(&game.comment);

    let mut lines = vec![Line { at: Bookmark::ROOT, moves: game.moves.into_iter() }];
    while let Some(line) = lines.last_mut() {
        let Some(Reference::To(number)) = line.moves.next() else {
            lines.pop();
            continue;
        };
        let object = &objects[number];
        let read: MoveObject<'_> = object.parse()?;
        let parent = line.at;
        builder.return_to(parent);
        add(&mut builder, &read, Place::Line(object.line));
        line.at = builder.bookmark();
        let variations = read.variations.into_iter().rev();
        lines.extend(variations.map(|moves| Line { at: parent, moves: moves.into_iter() }));
    }
    Ok(builder.finish())
}

fn add(builder: &mut GameBuilder, read: &MoveObject<'_>, place: Place) {
    let mv = parse_any_move(&read.mv, builder.position(), RankStyle::FromZero);
    builder.try_move(mv, &read.mv, place);
    builder.add_comment(&read.comment);
    for mark in &read.marks {
        match mark.parse() {
            Ok(mark) => builder.add_mark(mark),
            Err(problem) => builder.add_fault(place, problem),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Mark, NodeId};

    fn games(text: &str) -> Vec<Result<Game, String>> {
        read(text).map(|game| game.map_err(|error| error.to_string())).collect()
    }

    #[test]
    fn members_may_come_in_any_order_and_be_unknown() {
        let text = r#"{"moves":[{"variations":[],"comment":"quiet","marks":["!","$18"],"move":"e0e1","extra":[{"a":1}]},
            {"move":"d9d8"}],"fen":"3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1","comment":"start","version":2}
            {"moves":[]}"#;
        let games = games(text);
        assert_eq!(games.len(), 2);
        let game = games[0].as_ref().unwrap();
        assert_eq!(game.main_moves().count(), 2);
        assert_eq!(game.comment(NodeId::ROOT), "start");
        let first = game.main_line().next().unwrap();
        assert_eq!((game.comment(first), game.marks(first)), ("quiet", &[Mark(1), Mark(18)][..]));
    }

    #[test]
    fn a_bad_game_does_not_hide_the_next() {
        let text =
            "[{\"moves\":[{\"move\":\"h2e2\"},\n{\"move\":\"h2e2\"}]},{\"moves\":[{\"move\":\"c3c4\"}]}]";
        let games = games(text);
        let message = "game 1, line 2: ply 2: h2e2 is illegal: no piece of Black stands on h2";
        assert_eq!(games[0], Err(message.to_owned()));
        assert!(games[1].is_ok());
    }

    #[test]
    fn errors_name_the_game_and_the_line() {
        for (text, message) in [
            ("hello", "game 1, line 1: this is no JSON file"),
            ("[{\"moves\":[\n", "game 1, line 2: the file ends within a game"),
            (
                "[{\"moves\":[{\"move\":\"h2e2\",\"marks\":[\"%\"]}]}]",
                "game 1, line 1: '%' is not understood",
            ),
            ("{\"comment\": \"never", "game 1, line 1: the string is never closed"),
        ] {
            assert_eq!(games(text), [Err(message.to_owned())], "{text}");
        }
    }

    #[test]
    fn bad_json_is_refused_with_the_line_of_its_object() {
        for (text, line) in [
            ("[{\"moves\":{}}]", 1),
            ("[{\"moves\":[\n{}]}]", 2),
            ("[{\"moves\":[0]}]", 1),
            ("[{\"moves\":[[0]]}]", 1),
            ("[{\"moves\":[\n{\"move\":\"h2e2\",\"comment\":nul}]}]", 2),
            ("{\"comment\": \"\\ud800\"}", 1),
            ("{\"comment\": \"\u{1}\"}", 1),
        ] {
            let message = games(text).remove(0).unwrap_err();
            assert!(message.starts_with(&format!("game 1, line {line}: bad JSON: ")), "{text}: {message}");
        }
    }

    #[test]
    fn deep_variations_need_no_stack() {
        let depth = 100_000;
        let mut text = String::from("{\"moves\":[");
        text += &"{\"move\":\"h2e2\",\"variations\":[[".repeat(depth);
        text += "{\"move\":\"c3c4\"}";
        text += &"]]}".repeat(depth);
        text += "]}";
        let games = games(&text);
        assert_eq!(games[0].as_ref().unwrap().move_count(), depth + 1);
        assert_eq!(
            read(&super::super::write(games[0].as_ref().unwrap())).next().unwrap().as_ref(),
            Ok(games[0].as_ref().unwrap())
        );
    }
}
