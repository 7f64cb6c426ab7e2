//! Reading games from JSON. Nothing here recurses, so that no record is too deep; members may come in any
//! order and those that are not known are skipped.

use std::borrow::Cow;

use chuhe_board::Position;
use chuhe_board::coords::RankStyle;

use super::lexer::{Lexer, Token};
use crate::failure::{Place, Problem, RecordError, parse_fen};
use crate::pgn::parse_any_move;
use crate::record::{Game, GameBuilder, Mark, NodeId, Outcome};
use crate::words::shortened;

/// The games of a text: a list of them, or one after the other.
pub fn read(text: &str) -> Games<'_> {
    Games { lexer: Lexer::new(text.trim_start_matches('\u{feff}')), number: 0, is_done: false }
}

/// The games of a text; made by [`read`].
pub struct Games<'a> {
    lexer: Lexer<'a>,
    number: usize,
    is_done: bool,
}

impl Iterator for Games<'_> {
    type Item = Result<Game, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.find_game()?;
        self.number += 1;
        let read = start.and_then(|()| {
            let outline = Outline::of(self.lexer.clone())?;
            let mut reader = Reader::new(self.lexer.clone(), &outline)?;
            self.lexer = outline.end;
            reader.game().map_err(|problem| (reader.lexer.line(), problem))?;
            Ok(reader.builder.finish())
        });
        // Where the brackets do not match, nobody can say where the next game starts.
        self.is_done |= matches!(&read, Err((_, problem)) if is_syntax(problem));
        let number = self.number;
        Some(read.map_err(|(line, problem)| RecordError { game: number, place: Place::Line(line), problem }))
    }
}

/// A problem and its line.
type Failure = (usize, Problem);

const fn is_syntax(problem: &Problem) -> bool {
    matches!(problem, Problem::Unclosed(_) | Problem::Truncated(_) | Problem::NotThisFormat(_))
}

impl Games<'_> {
    /// Goes behind the brace of the next game.
    fn find_game(&mut self) -> Option<Result<(), Failure>> {
        while !self.is_done {
            match self.lexer.token() {
                Ok(None) => return None,
                Ok(Some(Token::Sign(b'{'))) => return Some(Ok(())),
                Ok(Some(Token::Sign(b'[' | b']' | b','))) => {}
                Ok(Some(_)) | Err(_) => {
                    self.is_done = true;
                    return Some(Err((self.lexer.line(), Problem::NotThisFormat("JSON"))));
                }
            }
        }
        None
    }
}

/// What must be known of a game before its moves can be read.
struct Outline<'a> {
    start: Option<(usize, Cow<'a, str>)>,
    /// Behind the game.
    end: Lexer<'a>,
}

impl<'a> Outline<'a> {
    fn of(mut lexer: Lexer<'a>) -> Result<Self, Failure> {
        let mut start = None;
        let mut depth = 1_usize;
        let mut key = None;
        while depth > 0 {
            let token = lexer.token().map_err(|problem| (lexer.line(), unclosed(problem)))?;
            match token {
                None => return Err((lexer.line(), Problem::Truncated("a game"))),
                Some(Token::Sign(b'{' | b'[')) => depth += 1,
                Some(Token::Sign(b'}' | b']')) => depth -= 1,
                Some(Token::Sign(b':')) => continue,
                Some(Token::Text(text)) if depth == 1 && key.as_deref() == Some("fen") => {
                    start = Some((lexer.line(), text));
                }
                Some(Token::Text(text)) if depth == 1 => {
                    key = Some(text);
                    continue;
                }
                Some(_) => {}
            }
            key = None;
        }
        Ok(Self { start, end: lexer })
    }
}

/// An unreadable token leaves the end of its game unknown.
fn unclosed(problem: Problem) -> Problem {
    match problem {
        Problem::Unclosed(_) => problem,
        _ => Problem::NotThisFormat("JSON"),
    }
}

/// What is open at a place among the moves.
#[derive(Clone, Copy)]
enum Open {
    /// A list of moves.
    Line,
    /// The object of a move, and the move once it is known.
    Move(Option<NodeId>),
    /// The list of the variations of a move.
    Variations(NodeId),
}

struct Reader<'a> {
    lexer: Lexer<'a>,
    builder: GameBuilder,
    /// What was said of a move before the move itself.
    early_comment: Option<Cow<'a, str>>,
    early_marks: Vec<Mark>,
}

impl<'a> Reader<'a> {
    fn new(lexer: Lexer<'a>, outline: &Outline<'a>) -> Result<Self, Failure> {
        let start = match &outline.start {
            Some((line, fen)) => parse_fen(fen).map_err(|problem| (*line, problem))?,
            None => Position::start(),
        };
        let builder = GameBuilder::new(start);
        Ok(Self { lexer, builder, early_comment: None, early_marks: Vec::new() })
    }

    fn game(&mut self) -> Result<(), Problem> {
        while let Some(key) = self.key()? {
            match &*key {
                "tags" => self.tags()?,
                "result" => {
                    let text = self.text()?;
                    self.builder.set_outcome(Outcome::from_words(&text));
                }
                "comment" => {
                    let text = self.text()?;
                    // The moves may stand before the words on their start.
                    self.builder.back_to(0);
                    self.builder.add_comment(&text);
                }
                "moves" => {
                    self.expect(b'[', "list of moves")?;
                    self.builder.back_to(0);
                    self.moves()?;
                }
                _ => self.skip_value()?,
            }
        }
        Ok(())
    }

    fn tags(&mut self) -> Result<(), Problem> {
        self.expect(b'{', "object of tags")?;
        while let Some(name) = self.key()? {
            let value = self.text()?;
            self.builder.set_tag(&name, &value);
        }
        Ok(())
    }

    /// The moves of the game; their opening bracket was read.
    fn moves(&mut self) -> Result<(), Problem> {
        let mut open = vec![Open::Line];
        while let Some(place) = open.last_mut() {
            match place {
                Open::Line => match self.next()? {
                    Token::Sign(b'{') => open.push(Open::Move(None)),
                    Token::Sign(b',') => {}
                    Token::Sign(b']') => drop(open.pop()),
                    token => return Err(misplaced(&token)),
                },
                Open::Variations(node) => {
                    let node = *node;
                    self.builder.go_to(node);
                    match self.next()? {
                        Token::Sign(b'[') => {
                            let ply = self.builder.ply();
                            self.builder.back_to(ply - 1);
                            open.push(Open::Line);
                        }
                        Token::Sign(b',') => {}
                        Token::Sign(b']') => drop(open.pop()),
                        token => return Err(misplaced(&token)),
                    }
                }
                Open::Move(node) => match self.key()? {
                    None if node.is_none() => return Err(Problem::Truncated("a move")),
                    None => drop(open.pop()),
                    Some(key) if key == "variations" => {
                        let node = node.ok_or(Problem::Misplaced("variations: their move comes later"))?;
                        self.expect(b'[', "list of variations")?;
                        open.push(Open::Variations(node));
                    }
                    Some(key) => self.member(&key, node)?,
                },
            }
        }
        Ok(())
    }

    /// A member of the object of a move.
    fn member(&mut self, key: &str, node: &mut Option<NodeId>) -> Result<(), Problem> {
        match key {
            "move" if node.is_none() => {
                let text = self.text()?;
                let mv = parse_any_move(&text, self.builder.position(), RankStyle::FromZero)?;
                *node = Some(self.builder.play(mv)?);
                if let Some(comment) = self.early_comment.take() {
                    self.builder.add_comment(&comment);
                }
                for mark in self.early_marks.drain(..) {
                    self.builder.add_mark(mark);
                }
            }
            "comment" => {
                let text = self.text()?;
                match node {
                    Some(_) => self.builder.add_comment(&text),
                    None => self.early_comment = Some(text),
                }
            }
            "marks" => self.marks(node.is_some())?,
            _ => self.skip_value()?,
        }
        Ok(())
    }

    fn marks(&mut self, is_known: bool) -> Result<(), Problem> {
        self.expect(b'[', "list of marks")?;
        loop {
            match self.next()? {
                Token::Sign(b']') => return Ok(()),
                Token::Sign(b',') => {}
                Token::Text(text) => {
                    let mark = mark(&text).ok_or_else(|| Problem::Unreadable(shortened(&text)))?;
                    if is_known {
                        self.builder.add_mark(mark);
                    } else {
                        self.early_marks.push(mark);
                    }
                }
                token => return Err(misplaced(&token)),
            }
        }
    }

    /// The name of the next member of an object with its colon; nothing at the end of the object.
    fn key(&mut self) -> Result<Option<Cow<'a, str>>, Problem> {
        loop {
            match self.next()? {
                Token::Sign(b'}') => return Ok(None),
                Token::Sign(b',') => {}
                Token::Text(key) => {
                    self.expect(b':', "colon")?;
                    return Ok(Some(key));
                }
                token => return Err(misplaced(&token)),
            }
        }
    }

    fn text(&mut self) -> Result<Cow<'a, str>, Problem> {
        match self.next()? {
            Token::Text(text) => Ok(text),
            token => Err(misplaced(&token)),
        }
    }

    fn skip_value(&mut self) -> Result<(), Problem> {
        let mut depth = 0_usize;
        loop {
            match self.next()? {
                Token::Sign(b'{' | b'[') => depth += 1,
                Token::Sign(b'}' | b']') => {
                    depth = depth.checked_sub(1).ok_or(Problem::Misplaced("closing bracket"))?;
                }
                _ => {}
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    fn expect(&mut self, sign: u8, what: &'static str) -> Result<(), Problem> {
        match self.next()? {
            Token::Sign(found) if found == sign => Ok(()),
            _ => Err(Problem::Missing(what)),
        }
    }

    fn next(&mut self) -> Result<Token<'a>, Problem> {
        self.lexer.token()?.ok_or(Problem::Truncated("a game"))
    }
}

/// A mark as it is written: `!?` or `$18`.
fn mark(text: &str) -> Option<Mark> {
    Mark::from_sign(text).or_else(|| text.strip_prefix('$')?.parse().ok().map(Mark))
}

fn misplaced(token: &Token<'_>) -> Problem {
    match token {
        Token::Sign(sign) => Problem::Unreadable((*sign as char).to_string()),
        Token::Text(text) => Problem::Unreadable(shortened(text)),
        Token::Plain(text) => Problem::Unreadable(shortened(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(text: &str) -> Vec<Result<Game, String>> {
        read(text).map(|game| game.map_err(|error| error.to_string())).collect()
    }

    #[test]
    fn members_may_come_in_any_order_and_be_unknown() {
        let text = r#"{"moves":[{"comment":"quiet","marks":["!","$18"],"move":"e0e1","extra":[{"a":1}]},
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
            ("[{\"moves\":{}}]", "game 1, line 1: the list of moves is missing"),
            ("[{\"moves\":[{}]}]", "game 1, line 1: the file ends within a move"),
            (
                "[{\"moves\":[{\"variations\":[]}]}]",
                "game 1, line 1: misplaced variations: their move comes later",
            ),
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
