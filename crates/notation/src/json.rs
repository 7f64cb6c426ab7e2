//! Games as JSON, for programs.
//!
//! A game is an object with `tags`, `fen`, `result`, `comment` and `moves`; a move has `move` (ranks
//! 0–9), `wxf`, `chinese`, and where they exist `comment`, `marks` and `variations`, each of these a
//! list of moves that stand in its place. `wxf` and `chinese` are for readers that know no board; we read
//! back only `move`, which may be in any notation.

mod lexer;
mod read;

pub use read::{Games, read};

use crate::chinese::{self, Script};
use crate::record::{Cursor, Game, NodeId, Step};
use crate::wxf;

/// Writes a game. JSON holds everything.
pub fn write(game: &Game) -> String {
    let mut text = String::from("{\"tags\":{");
    for (index, (name, value)) in game.tags.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        text += &format!("{}:{}", quoted(name), quoted(value));
    }
    text += &format!("}},\"fen\":\"{}\",\"result\":\"{}\"", game.start(), game.outcome);
    if !game.comment(NodeId::ROOT).is_empty() {
        text += &format!(",\"comment\":{}", quoted(game.comment(NodeId::ROOT)));
    }
    text += ",\"moves\":[";
    write_moves(game, &mut text);
    text.push_str("]}");
    text
}

/// How far the object of the last move of a line has been written.
#[derive(Clone, Copy, PartialEq)]
enum Written {
    /// The line has no move yet.
    Nothing,
    /// The object is open.
    Open,
    /// The object is open and so is its list of variations.
    Variations,
}

fn write_moves(game: &Game, text: &mut String) {
    let mut cursor = Cursor::at_root(game.start());
    let mut lines = vec![Written::Nothing];
    let close = |text: &mut String, written| match written {
        Written::Nothing => {}
        Written::Open => text.push('}'),
        Written::Variations => text.push_str("]}"),
    };
    for step in game.steps() {
        match step {
            Step::Move(node) => {
                let written = lines.last_mut().expect("the main line never closes");
                close(text, *written);
                if *written != Written::Nothing {
                    text.push(',');
                }
                *written = Written::Open;
                cursor.go_to(game, game.parent(node));
                write_move(game, node, &mut cursor, text);
            }
            Step::Open => {
                let written = lines.last_mut().expect("the main line never closes");
                text.push_str(if *written == Written::Variations { ",[" } else { ",\"variations\":[[" });
                *written = Written::Variations;
                lines.push(Written::Nothing);
            }
            Step::Close => {
                close(text, lines.pop().expect("every variation that ends has begun"));
                text.push(']');
            }
        }
    }
    close(text, lines[0]);
}

/// The object of a move but for its end.
fn write_move(game: &Game, node: NodeId, cursor: &mut Cursor, text: &mut String) {
    let mv = game.mv(node).expect("only the root has no move");
    let position = cursor.position();
    *text += &format!(
        "{{\"move\":\"{mv}\",\"wxf\":\"{}\",\"chinese\":\"{}\"",
        wxf::write_move(position, mv),
        chinese::write_move(position, mv, Script::Traditional)
    );
    if !game.comment(node).is_empty() {
        *text += &format!(",\"comment\":{}", quoted(game.comment(node)));
    }
    if !game.marks(node).is_empty() {
        let marks: Vec<String> = game.marks(node).iter().map(|mark| quoted(&mark.to_string())).collect();
        *text += &format!(",\"marks\":[{}]", marks.join(","));
    }
    cursor.advance(mv, node);
}

/// A string of JSON.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            character if character < ' ' => quoted += &format!("\\u{:04x}", character as u32),
            character => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}
