//! Games as JSON, for programs.
//!
//! A game is an object with `tags`, `fen`, `result`, `comment` and `moves`; a move has `move` (ranks
//! 0–9), `wxf`, `chinese`, and where they exist `comment`, `marks` and `variations`, each of these a
//! list of moves played in its place. `wxf` and `chinese` are for readers without a board; only `move`
//! is read back, in any notation.
//!
//! Variations nest without limit, and serde recurses. So each object is (de)serialised on its own:
//! [`write()`] prints the objects of a tree in a loop, [`read`] flattens a text into its objects first.

mod flatten;
mod read;

pub(crate) use read::read_tolerantly;
pub use read::{Games, read};

use serde::Serialize;

use crate::chinese::{self, Script};
use crate::record::{Cursor, Game, NodeId, Step, Tags};
use crate::wxf;

/// A game without its moves.
#[derive(Serialize)]
struct Head<'a> {
    tags: &'a Tags,
    fen: String,
    result: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    comment: &'a str,
}

/// A move without its variations.
#[derive(Serialize)]
struct MoveHead<'a> {
    #[serde(rename = "move")]
    mv: String,
    wxf: String,
    chinese: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    comment: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    marks: Vec<String>,
}

/// Writes a game. JSON holds everything.
pub fn write(game: &Game) -> String {
    let mut text = String::new();
    let head = Head {
        tags: &game.tags,
        fen: game.start().to_string(),
        result: game.outcome.to_string(),
        comment: game.comment(NodeId::ROOT),
    };
    push_open(&mut text, &head);
    text += ",\"moves\":[";
    write_moves(game, &mut text);
    text += "]}";
    text
}

/// Writes an object without its closing brace.
fn push_open(text: &mut String, object: &impl Serialize) {
    *text += &serde_json::to_string(object).expect("strings and lists of strings always serialise");
    text.pop();
}

/// What is open in a line: the text that closes it.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    /// The line has no move yet.
    Line,
    /// The last move.
    Move,
    /// The last move and its list of variations.
    Variations,
}

impl Open {
    const fn close(self) -> &'static str {
        match self {
            Self::Line => "",
            Self::Move => "}",
            Self::Variations => "]}",
        }
    }
}

fn write_moves(game: &Game, text: &mut String) {
    let mut cursor = Cursor::at_root(game.start());
    let mut lines = vec![Open::Line];
    for step in game.steps() {
        let open = lines.last_mut().expect("the main line never closes");
        match step {
            Step::Move(node) => {
                *text += open.close();
                if *open != Open::Line {
                    text.push(',');
                }
                *open = Open::Move;
                cursor.go_to(game, game.parent(node));
                write_move(game, node, &mut cursor, text);
            }
            Step::Open => {
                *text += if *open == Open::Variations { ",[" } else { ",\"variations\":[[" };
                *open = Open::Variations;
                lines.push(Open::Line);
            }
            Step::Close => {
                *text += open.close();
                text.push(']');
                lines.pop();
            }
        }
    }
    *text += lines[0].close();
}

/// Writes a move, still open for its variations.
fn write_move(game: &Game, node: NodeId, cursor: &mut Cursor, text: &mut String) {
    let mv = game.mv(node).expect("only the root has no move");
    let position = cursor.position();
    let head = MoveHead {
        mv: mv.to_string(),
        wxf: wxf::write_move(position, mv).to_string(),
        chinese: chinese::write_move(position, mv, Script::Traditional).to_string(),
        comment: game.comment(node),
        marks: game.marks(node).iter().map(ToString::to_string).collect(),
    };
    push_open(text, &head);
    cursor.advance(mv, node);
}
