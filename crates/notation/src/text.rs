//! Plain lists of moves: one game a line, `result<TAB>move move …`, in any notation that is known;
//! and texts that turn out to be in another format.

use chuhe_board::Position;
use chuhe_board::coords::RankStyle;

use crate::failure::{CannotHold, Loss, Place, Problem, RecordError};
use crate::pgn::{self, MoveStyle};
use crate::record::{Cursor, Game, GameBuilder, Outcome};
use crate::{chn, dhtmlxq};

/// The games of a text: a list with one game a line, DhtmlXQ, or moves with round numbers and perhaps
/// tags as PGN has them.
pub fn read(text: &str, ranks: RankStyle) -> Box<dyn Iterator<Item = Result<Game, RecordError>> + '_> {
    if dhtmlxq::is_dhtmlxq(text) {
        return Box::new(dhtmlxq::read(text));
    }
    if is_list(text) {
        return Box::new(read_list(text, ranks));
    }
    Box::new(pgn::read(text, ranks))
}

/// Whether the first line of a text is a game: whether it starts with a result or a move.
fn is_list(text: &str) -> bool {
    let Some(line) = lines(text).map(|(_, line)| line).next() else {
        return false;
    };
    let first = line.split_whitespace().next().unwrap_or_default();
    Outcome::from_token(first).is_some()
        || pgn::parse_any_move(first, &Position::start(), RankStyle::FromZero).is_ok()
}

/// The lines with something in them, but for those that start with `#`.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = text.trim_start_matches('\u{feff}').lines().enumerate();
    numbered
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

fn read_list(text: &str, ranks: RankStyle) -> impl Iterator<Item = Result<Game, RecordError>> {
    lines(text).enumerate().map(move |(index, (number, line))| {
        let place = Place::Line(number);
        read_line(line, ranks).map_err(|problem| RecordError { game: index + 1, place, problem })
    })
}

fn read_line(line: &str, ranks: RankStyle) -> Result<Game, Problem> {
    let mut builder = GameBuilder::new(Position::start());
    for (index, word) in line.split_whitespace().enumerate() {
        match Outcome::from_token(word) {
            Some(outcome) if index == 0 => builder.set_outcome(outcome),
            _ => {
                let mv = pgn::parse_any_move(word, builder.position(), ranks)?;
                builder.play(mv)?;
            }
        }
    }
    Ok(builder.finish())
}

/// Writes the line of a game, with its end.
pub fn write(game: &Game, style: MoveStyle) -> Result<(String, Vec<Loss>), CannotHold> {
    if game.start() != &Position::start() {
        return Err(CannotHold::StartPosition("a list of moves"));
    }
    let mut text = format!("{}\t", game.outcome);
    let mut cursor = Cursor::at_root(game.start());
    for (index, node) in game.main_line().enumerate() {
        if index > 0 {
            text.push(' ');
        }
        let mv = game.mv(node).expect("only the root has no move");
        style.write(&mut text, cursor.position(), mv);
        cursor.advance(mv, node);
    }
    text.push('\n');
    Ok((text, chn::bare_losses(game)))
}
