//! Reading PGN: any of the notations for moves, tags with and without quotes, and the text that web
//! sites put behind a game.

use chuhe_board::coords::{self, RankStyle};
use chuhe_board::{Move, Outcome, Position};

use super::OWN_TAGS;
use super::lexer::{Lexer, Token, is_separator};
use crate::failure::{Place, Problem, RecordError};
use crate::record::{Bookmark, Game, GameBuilder, Mark, cleaned_name, outcome_from_words};
use crate::setup::Start;
use crate::{chinese, words, wxf};

/// The games of a PGN text, one after the other. A game that cannot be read is an error and does not
/// keep the next one from being read.
///
/// Coordinates count ranks as `ranks` says.
pub fn read(text: &str, ranks: RankStyle) -> Games<'_> {
    Games { is_strict: true, ..read_tolerantly(text, ranks) }
}

pub(crate) fn read_tolerantly(text: &str, ranks: RankStyle) -> Games<'_> {
    Games { lexer: Lexer::new(text).peekable_at_line(), ranks, number: 0, is_strict: false }
}

/// Whether a text has tags, as PGN does.
pub(crate) fn has_tags(text: &str) -> bool {
    text.lines().any(|line| line.trim_start_matches('\u{feff}').trim_start().starts_with('['))
}

/// The games of a PGN text; made by [`read`].
pub struct Games<'a> {
    lexer: Peeked<'a>,
    ranks: RankStyle,
    number: usize,
    is_strict: bool,
}

/// A lexer with one token of foresight that knows the line of that token.
struct Peeked<'a> {
    lexer: Lexer<'a>,
    next: Option<Token<'a>>,
    line: usize,
}

impl<'a> Lexer<'a> {
    fn peekable_at_line(self) -> Peeked<'a> {
        let mut peeked = Peeked { line: self.token_line(), lexer: self, next: None };
        peeked.advance();
        peeked
    }
}

impl<'a> Peeked<'a> {
    fn advance(&mut self) -> Option<Token<'a>> {
        let token = self.next.take();
        self.next = self.lexer.next();
        self.line = self.lexer.token_line();
        token
    }
}

impl Iterator for Games<'_> {
    type Item = Result<Game, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_to_game();
        self.lexer.next?;
        self.number += 1;
        let game = self.game();
        let game = if self.is_strict { game.strict() } else { game.unless_noise() };
        if game.is_err() {
            self.skip_moves();
        }
        Some(game)
    }
}

impl Games<'_> {
    /// Skips what stands between two games: separators, addresses and other remarks.
    fn skip_to_game(&mut self) {
        while let Some(token) = self.lexer.next {
            let starts_game = match token {
                Token::Tag(..) | Token::Unclosed(_) => true,
                Token::Word(word) if self.number > 0 => word.starts_with("1."),
                _ => self.number == 0,
            };
            if starts_game {
                break;
            }
            self.lexer.advance();
        }
    }

    /// After an error: skips to the tags of the next game.
    fn skip_moves(&mut self) {
        while let Some(token) = self.lexer.next
            && !matches!(token, Token::Tag(..))
        {
            self.lexer.advance();
        }
    }

    fn game(&mut self) -> Game {
        let mut tags = Vec::new();
        while let Some(Token::Tag(name, value)) = self.lexer.next {
            tags.push((cleaned_name(name), value, self.lexer.line));
            self.lexer.advance();
        }
        let named = |wanted: &str| tags.iter().find(|(name, ..)| name.eq_ignore_ascii_case(wanted));
        let (start, line) = match named("FEN") {
            Some((_, fen, line)) => (Start::of_fen(&unescaped(fen)), *line),
            None => (Position::start().into(), 1),
        };
        let mut builder = start.builder(self.number, Place::Line(line));
        for (name, value, _) in &tags {
            if name.eq_ignore_ascii_case("Result") {
                builder.set_outcome(outcome_from_words(value));
            } else if !OWN_TAGS.iter().any(|own| name.eq_ignore_ascii_case(own)) {
                builder.set_tag(name, &unescaped(value));
            }
        }
        Moves { builder, ranks: self.ranks, branches: Vec::new(), early_comments: Vec::new() }
            .read(&mut self.lexer)
    }
}

fn unescaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut characters = value.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some(escaped @ ('"' | '\\')) => text.push(escaped),
                other => text.extend(std::iter::once('\\').chain(other)),
            },
            _ => text.push(character),
        }
    }
    text
}

/// The moves of a game on their way into its tree.
struct Moves<'a> {
    builder: GameBuilder,
    ranks: RankStyle,
    /// For each open variation: the move it is a variation of, and the ply at which it starts.
    branches: Vec<(Bookmark, usize)>,
    /// Comments at the start of a variation; they belong to its first move.
    early_comments: Vec<&'a str>,
}

impl<'a> Moves<'a> {
    fn read(mut self, lexer: &mut Peeked<'a>) -> Game {
        while let Some(token) = lexer.next {
            let line = lexer.line;
            if let Token::Tag(..) = token {
                break;
            }
            lexer.advance();
            if let Token::Word(word) = token
                && let Some(outcome) = Outcome::from_token(word)
                && self.branches.is_empty()
            {
                if outcome != Outcome::Undecided {
                    self.builder.set_outcome(outcome);
                }
                while let Some(Token::Comment(text)) = lexer.next {
                    self.builder.add_comment(text);
                    lexer.advance();
                }
                return self.builder.finish();
            }
            if let Err(problem) = self.take(token, line) {
                self.builder.add_fault(Place::Line(line), problem);
            }
        }
        if !self.branches.is_empty() {
            self.builder.add_fault(Place::Line(lexer.line), Problem::Unclosed("variation"));
        }
        self.builder.finish()
    }

    fn take(&mut self, token: Token<'a>, line: usize) -> Result<(), Problem> {
        match token {
            Token::Tag(..) => Ok(()),
            Token::Unclosed(what) => Err(Problem::Unclosed(what)),
            Token::Comment(text) => {
                self.comment(text);
                Ok(())
            }
            Token::Open => self.open(),
            Token::Close => self.close(),
            Token::Glyph(digits) => self.glyph(digits),
            Token::Word(word) => self.word(word, line),
        }
    }

    /// Whether a variation was opened and has no move yet.
    fn is_at_branch(&self) -> bool {
        self.branches.last().is_some_and(|(_, start)| self.builder.ply() == *start)
    }

    fn comment(&mut self, text: &'a str) {
        if self.is_at_branch() {
            self.early_comments.push(text);
        } else {
            self.builder.add_comment(text);
        }
    }

    fn open(&mut self) -> Result<(), Problem> {
        if self.builder.ply() == 0 || self.is_at_branch() {
            // Its moves are read where it stands.
            self.branches.push((self.builder.bookmark(), usize::MAX));
            return Err(Problem::Misplaced("variation: no move stands before it"));
        }
        let start = self.builder.ply() - 1;
        self.branches.push((self.builder.bookmark(), start));
        self.builder.back_to(start);
        Ok(())
    }

    fn close(&mut self) -> Result<(), Problem> {
        let (bookmark, _) = self.branches.pop().ok_or(Problem::Misplaced("')'"))?;
        self.builder.return_to(bookmark);
        for text in self.early_comments.drain(..) {
            self.builder.add_comment(text);
        }
        Ok(())
    }

    fn glyph(&mut self, digits: &str) -> Result<(), Problem> {
        let number =
            digits.parse().map_err(|_| Problem::Unreadable(format!("${}", words::shortened(digits))))?;
        self.mark(Mark(number))
    }

    fn mark(&mut self, mark: Mark) -> Result<(), Problem> {
        if self.builder.ply() == 0 || self.is_at_branch() {
            return Err(Problem::Misplaced("mark: no move stands before it"));
        }
        self.builder.add_mark(mark);
        Ok(())
    }

    fn word(&mut self, word: &'a str, line: usize) -> Result<(), Problem> {
        let word = round_number(word).unwrap_or(word);
        let word = word.trim_start_matches(['.', '…', '．', '·']);
        let text = word.trim_end_matches(['!', '?', '！', '？']);
        if Outcome::from_token(word).is_some() || word.is_empty() {
            return Ok(());
        }
        if !text.is_empty() && !resembles_move(text) {
            // A remark among the moves; the line goes on behind it.
            self.comment(text);
            return Err(Problem::Unreadable(words::shortened(text)));
        }
        for part in glued_moves(text) {
            let mv = parse_any_move(part, self.builder.position(), self.ranks);
            self.builder.try_move(mv, part, Place::Line(line));
            for comment in self.early_comments.drain(..) {
                self.builder.add_comment(comment);
            }
        }
        let sign: String = word[text.len()..].chars().map(words::narrow).collect();
        match Mark::from_sign(&sign) {
            Some(mark) => self.mark(mark),
            None if sign.is_empty() => Ok(()),
            None => Err(Problem::Unreadable(words::shortened(word))),
        }
    }
}

/// What follows the round number of a word such as `12.炮二平五`, `⒓炮二平五` or 第１２回合; `None` if it has none.
/// `15.4` is a soldier's move.
fn round_number(word: &str) -> Option<&str> {
    let is_digit = |character: char| words::narrow(character).is_ascii_digit();
    // ⒈ to ⒛ and ① to ⑳.
    if let Some(rest) = word.strip_prefix(|character| matches!(character, '⒈'..='⒛' | '①'..='⑳')) {
        return Some(rest.trim_start_matches(['.', '．', '、', '。']));
    }
    if let Some(rest) = word.strip_prefix('第') {
        let rest = rest.trim_start_matches(|character: char| {
            is_digit(character) || "〇零一二三四五六七八九十百".contains(character)
        });
        let rest = rest.strip_prefix("回合")?;
        return Some(rest.trim_start_matches(['.', '．', '、', '。', ':', '：']));
    }
    let rest = word.trim_start_matches(is_digit);
    let digits = word.len() - rest.len();
    let is_move = digits == 2 && rest.len() == 2 && rest.as_bytes()[1].is_ascii_digit();
    if digits == 0 || is_move {
        return None;
    }
    match rest.chars().next() {
        None => Some(rest),
        Some('.' | '．' | '、' | '。') => Some(rest.trim_start_matches(['.', '．', '、', '。'])),
        Some(_) => None,
    }
}

/// Reads a move in whichever notation its characters show: coordinates, WXF or Chinese.
///
/// ```
/// use chuhe_board::{Position, coords::RankStyle};
/// use chuhe_notation::pgn::parse_any_move;
///
/// for text in ["h2e2", "H2-E2", "C2=5", "炮二平五"] {
///     let mv = parse_any_move(text, &Position::start(), RankStyle::FromZero).unwrap();
///     assert_eq!(mv.to_string(), "h2e2");
/// }
/// ```
pub fn parse_any_move(text: &str, position: &Position, ranks: RankStyle) -> Result<Move, Problem> {
    if !text.is_ascii() {
        return Ok(chinese::parse_move(text, position)?);
    }
    if is_coordinates(text) {
        return Ok(coords::parse_move(text, ranks)?);
    }
    Ok(wxf::parse_move(text, position)?)
}

/// Whether something in a line looks like a move.
pub(crate) fn has_moves(line: &str) -> bool {
    let mut words = line.split(|character: char| character.is_whitespace() || is_separator(character));
    words.any(resembles_numbered_move)
}

/// Whether a word, perhaps behind a round number, looks like one or more moves.
fn resembles_numbered_move(word: &str) -> bool {
    let text = round_number(word).unwrap_or(word).trim_start_matches(['.', '…', '．', '·']);
    let (has_digit, has_sign) = (
        |text: &str| text.contains(|character: char| character.is_ascii_digit()),
        |text: &str| text.contains(['+', '-', '=', '.']),
    );
    if text.is_ascii() {
        return is_coordinates(text)
            || is_run_of_coordinates(text)
            || matches!(text.len(), 3..=5) && has_digit(text) && has_sign(text) && wxf::has_signs(text);
    }
    glued_moves(text).all(chinese::has_form)
}

/// Whether a word is meant as a move, even if it is a bad one: an illegal move must cut its line, or the next
/// one would be taken for the other side's.
fn resembles_move(text: &str) -> bool {
    if text.is_ascii() {
        return text.contains(|character: char| character.is_ascii_digit() || "+-=".contains(character));
    }
    text.contains(chinese::is_sign)
}

/// The moves of a word: one, or several without a space between them (炮二平五马8进7, h2e2h9g7).
fn glued_moves(text: &str) -> impl Iterator<Item = &str> {
    let is_run = is_run_of_coordinates(text);
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = if is_run { 4 } else { chinese::end_of_first(rest).unwrap_or(rest.len()) };
        let (mv, behind) = rest.split_at(end);
        rest = behind;
        Some(mv)
    })
}

/// Whether a text is several moves in coordinates of one digit each.
fn is_run_of_coordinates(text: &str) -> bool {
    let is_point = |point: &[u8]| matches!(point, [b'a'..=b'i' | b'A'..=b'I', b'0'..=b'9']);
    text.len() >= 8 && text.len().is_multiple_of(4) && text.as_bytes().chunks(2).all(is_point)
}

/// Two letters a–i, each before a number: no move in WXF has this form.
fn is_coordinates(text: &str) -> bool {
    let mut parts = text.split(|character: char| character.is_ascii_digit() || character == '-');
    let is_file =
        |part: Option<&str>| part.is_some_and(|part| matches!(part.as_bytes(), [b'a'..=b'i' | b'A'..=b'I']));
    let first = is_file(parts.next());
    first
        && is_file(parts.find(|part| !part.is_empty()))
        && text.ends_with(|last: char| last.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{MoveStyle, write};
    use crate::record::NodeId;

    fn games(text: &str) -> Vec<Result<Game, String>> {
        read(text, RankStyle::FromZero).map(|game| game.map_err(|error| error.to_string())).collect()
    }

    fn one(text: &str) -> Game {
        let mut games = games(text);
        assert_eq!(games.len(), 1);
        games.remove(0).unwrap()
    }

    fn moves(game: &Game) -> String {
        game.main_moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
    }

    const ALL_PARTS: &str = r#"[Game "Chinese Chess"]
[Event "第一屆 \"楚河\" 杯"]
[Red "甲"]
[Result "1-0"]
[Format "Chinese"]
{開局前的話}
  1. 炮二平五 馬８進７ $1
  2. 馬二進三! {好} (2. 炮八平六 車９平８ (2... 卒７進１ {也可}) 3. 馬八進七) (2. 車一進一)
  2. ... 車９平８
; 行末注釋
  1-0
==========
http://example.com/ 2014
"#;

    #[test]
    fn every_part_of_a_game_is_read() {
        let game = one(ALL_PARTS);
        assert_eq!(game.tags.get("Event"), Some("第一屆 \"楚河\" 杯"));
        assert_eq!(game.tags.get("Game"), None);
        assert_eq!(game.outcome, Outcome::RedWins);
        assert_eq!(game.comment(NodeId::ROOT), "開局前的話");
        assert_eq!(moves(&game), "h2e2 h9g7 h0g2 i9h9");
        assert_eq!(game.move_count(), 9);
        let third = game.main_line().nth(2).unwrap();
        assert_eq!((game.comment(third), game.marks(third)), ("好", &[Mark(1)][..]));
        assert_eq!(game.comment(game.main_line().nth(3).unwrap()), "行末注釋");
        let variations: Vec<NodeId> = game.children(game.parent(third)).collect();
        assert_eq!(variations.len(), 3);
        assert_eq!(game.children(variations[1]).count(), 2);
    }

    #[test]
    fn what_is_read_is_written_again() {
        let game = one(ALL_PARTS);
        let text = write(&game, MoveStyle::Wxf).text;
        let moves = "1. C2=5 H8+7 $1 2. H2+3 $1 {好} (2. C8=6 R9=8 (2... P7+1 {也可}) 3. H8+7)";
        assert!(text.replace('\n', " ").contains(moves), "{text}");
        assert_eq!(one(&text), game);
    }

    #[test]
    fn notations_are_told_apart_move_by_move() {
        assert_eq!(moves(&one("1. h2e2 H9-G7 2.H2+3 車9平8 *")), "h2e2 h9g7 h0g2 i9h9");
        let ranks_from_one = read("1. h3e3 h10g8", RankStyle::FromOne).next().unwrap().unwrap();
        assert_eq!(moves(&ranks_from_one), "h2e2 h9g7");
    }

    #[test]
    fn a_soldiers_move_is_no_round_number() {
        let fen = "[FEN \"5k3/4P4/4P4/4P4/9/9/9/9/9/3K5 w - - 0 1\"]\n";
        assert_eq!(moves(&one(&format!("{fen}1.15.4 K6=5"))), "e8f8 f9e9");
    }

    #[test]
    fn tags_without_quotes_are_read() {
        let game = one("[Id A1]\n[Result 0-1 後勝]\n1. 炮二平五 馬8進7\n");
        assert_eq!((game.tags.get("Id"), game.outcome), (Some("A1"), Outcome::BlackWins));
    }

    #[test]
    fn a_bad_game_does_not_hide_the_next() {
        let text = "[Red \"a\"]\n1. h2e2 h9g7\n2. e2e9 *\n\n[Red \"b\"]\n1. c3c4 *\n";
        let games = games(text);
        let message =
            "game 1, line 3: ply 3: e2e9 is illegal: a red cannon does not move from e2 to e9 there";
        assert_eq!(games[0], Err(message.to_owned()));
        assert_eq!(moves(games[1].as_ref().unwrap()), "c3c4");
    }

    #[test]
    fn errors_name_the_game_and_the_line() {
        for (text, message) in [
            ("1. h2e2\n(1. c3c4", "game 1, line 2: the variation is never closed"),
            ("1. h2e2\n{...\n", "game 1, line 2: the comment is never closed"),
            ("1. h2e2\n)", "game 1, line 2: misplaced ')'"),
            ("(1. h2e2)", "game 1, line 1: misplaced variation: no move stands before it"),
            (
                "[FEN \"9/9 w\"]",
                "game 1, line 1: bad start position: expected 10 ranks separated by '/', found 2",
            ),
            ("1. h2e2 $999", "game 1, line 1: '$999' is not understood"),
            ("$1 1. h2e2", "game 1, line 1: misplaced mark: no move stands before it"),
            ("1. h2e2 (? 1. c3c4)", "game 1, line 1: misplaced mark: no move stands before it"),
            ("1. h2e2 !?!", "game 1, line 1: '!?!' is not understood"),
            ("1. 炮三平五", "game 1, line 1: '炮三平五': there is no red cannon on file 3"),
            ("Hello", "game 1, line 1: 'Hello' is not understood"),
        ] {
            assert_eq!(games(text), [Err(message.to_owned())], "{text}");
        }
    }

    #[test]
    fn deep_variations_need_no_stack() {
        let mut text = String::from("1. h2e2 ");
        text += &"(1. h2e2 ".repeat(100_000);
        assert_eq!(games(&text).len(), 1);
        text += &")".repeat(100_000);
        let game = one(&text);
        assert_eq!(game.move_count(), 100_001);
        assert_eq!(one(&write(&game, MoveStyle::Iccs).text), game);
    }
}
