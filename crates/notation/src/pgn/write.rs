//! Writing PGN.

use std::fmt::Write;

use chuhe_board::{Position, Side, coords, fen};

use crate::chinese::{self, Script};
use crate::failure::Loss;
use crate::record::{Cursor, Game, NodeId, Step};
use crate::wxf;

use super::OWN_TAGS;

/// How moves are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum MoveStyle {
    /// `h2e2`.
    Coordinates,
    /// `H2-E2`, the most common form in PGN.
    #[default]
    Iccs,
    /// `C2=5`.
    Wxf,
    /// 炮二平五 in the given characters.
    Chinese(Script),
}

impl MoveStyle {
    /// The value of the tag `Format`.
    const fn format(self) -> &'static str {
        match self {
            Self::Coordinates | Self::Iccs => "ICCS",
            Self::Wxf => "WXF",
            Self::Chinese(_) => "Chinese",
        }
    }

    /// Writes a legal move of a position.
    pub fn write(self, text: &mut String, position: &Position, mv: chuhe_board::Move) {
        let written = match self {
            Self::Coordinates => write!(text, "{mv}"),
            Self::Iccs => write!(text, "{}", coords::write_iccs(mv)),
            Self::Wxf => write!(text, "{}", wxf::write_move(position, mv)),
            Self::Chinese(script) => write!(text, "{}", chinese::write_move(position, mv, script)),
        };
        written.expect("writing to a string cannot fail");
    }
}

/// A text, and what of the game it lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The text.
    pub text: String,
    /// What the format could not hold.
    pub losses: Vec<Loss>,
}

/// Writes a game. PGN holds everything but closing braces in comments.
pub fn write(game: &Game, style: MoveStyle) -> Written {
    let mut writer = Writer { text: String::new(), column: 0 };
    writer.tags(game, style);
    writer.moves(game, style);
    let has_brace = game.preorder().any(|node| game.comment(node).contains('}'));
    Written { text: writer.text, losses: has_brace.then_some(Loss::Characters).into_iter().collect() }
}

/// Lines of moves are broken here.
const WIDTH: usize = 80;

struct Writer {
    text: String,
    /// The width of the last line.
    column: usize,
}

impl Writer {
    fn tags(&mut self, game: &Game, style: MoveStyle) {
        self.tag("Game", "Chinese Chess");
        let is_written_anyway = |name: &str| OWN_TAGS.iter().any(|own: &&str| own.eq_ignore_ascii_case(name));
        for (name, value) in game.tags.iter().filter(|(name, _)| !is_written_anyway(name)) {
            self.tag(name, value);
        }
        self.tag("Result", &game.outcome.to_string());
        let start = game.start().to_string();
        if start != fen::START {
            self.tag("FEN", &start);
        }
        self.tag("Format", style.format());
    }

    fn tag(&mut self, name: &str, value: &str) {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        self.text += &format!("[{name} \"{value}\"]\n");
    }

    fn moves(&mut self, game: &Game, style: MoveStyle) {
        self.text.push('\n');
        self.comment(game.comment(NodeId::ROOT));
        let mut cursor = Cursor::at_root(game.start());
        let mut needs_number = true;
        for step in game.steps() {
            match step {
                Step::Open => self.word("("),
                Step::Close => self.text.push(')'),
                Step::Move(node) => {
                    cursor.go_to(game, game.parent(node));
                    let number = number(cursor.position(), needs_number);
                    self.mv(game, node, number, &mut cursor, style);
                }
            }
            needs_number = !matches!(step, Step::Move(node) if game.comment(node).is_empty());
        }
        self.word(&game.outcome.to_string());
        self.text.push_str("\n\n");
    }

    fn mv(&mut self, game: &Game, node: NodeId, number: String, cursor: &mut Cursor, style: MoveStyle) {
        let mv = game.mv(node).expect("only the root has no move");
        let mut text = number;
        style.write(&mut text, cursor.position(), mv);
        self.word(&text);
        for mark in game.marks(node) {
            self.word(&format!("${}", mark.0));
        }
        self.comment(game.comment(node));
        cursor.advance(mv, node);
    }

    /// A word behind a space, or on a new line where the old one is full.
    fn word(&mut self, word: &str) {
        let width = columns(word);
        if self.column + 1 + width > WIDTH {
            self.break_line();
        } else if self.column > 0 && !self.text.ends_with('(') {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += width;
    }

    fn break_line(&mut self) {
        if self.column > 0 {
            self.text.push('\n');
            self.column = 0;
        }
    }

    /// A comment in braces. PGN knows no way to write a closing brace in it.
    fn comment(&mut self, comment: &str) {
        if comment.is_empty() {
            return;
        }
        self.word("{");
        self.text.extend(comment.chars().map(|character| if character == '}' { '｝' } else { character }));
        self.text.push('}');
        let last_line = comment.rsplit('\n').next().unwrap_or_default();
        self.column = if comment.contains('\n') { 0 } else { self.column };
        self.column += columns(last_line) + 1;
    }
}

/// The number of the round before Red's moves, and before Black's where the line was interrupted.
fn number(position: &Position, needed: bool) -> String {
    match position.side_to_move() {
        Side::Red => format!("{}. ", position.round()),
        Side::Black if needed => format!("{}... ", position.round()),
        Side::Black => String::new(),
    }
}

/// The width of a text where Chinese characters are twice as wide as Latin ones.
fn columns(text: &str) -> usize {
    text.chars().map(|character| if character < '\u{2E80}' { 1 } else { 2 }).sum()
}
