//! Plain lists of moves: one game a line, `result<TAB>move move …`, in any notation that is known;
//! and texts that turn out to be in another format.

use chuhe_board::coords::RankStyle;
use chuhe_board::{Outcome, Position};

use crate::failure::{CannotHold, Loss, Place, RecordError};
use crate::pgn::{self, MoveStyle};
use crate::record::{Cursor, Game, GameBuilder};
use crate::setup::Start;
use crate::{chn, dhtmlxq, prose};

/// The games of a text: a list with one game a line, a FEN and the moves below it, DhtmlXQ, or moves with
/// round numbers and perhaps tags as PGN has them. Strictly.
pub fn read(text: &str, ranks: RankStyle) -> impl Iterator<Item = Result<Game, RecordError>> {
    read_tolerantly(text, ranks).map(|game| game.and_then(Game::strict))
}

pub(crate) fn read_tolerantly(
    text: &str,
    ranks: RankStyle,
) -> Box<dyn Iterator<Item = Result<Game, RecordError>> + '_> {
    if dhtmlxq::is_dhtmlxq(text) {
        return Box::new(dhtmlxq::read_tolerantly(text));
    }
    if lines(text).next().is_some_and(|(_, line)| is_fen(line)) {
        return Box::new(read_positions(text, ranks));
    }
    if is_list(text) && !is_one_game(text, ranks) {
        return Box::new(read_list(text, ranks));
    }
    if pgn::has_tags(text) {
        return Box::new(pgn::read_tolerantly(text, ranks));
    }
    let games: Vec<_> = pgn::read_tolerantly(&prose::as_pgn(text), ranks).collect();
    Box::new(games.into_iter())
}

/// Whether the lines of a list are the rounds of one game: a move or two on each, and all legal one after the other.
fn is_one_game(text: &str, ranks: RankStyle) -> bool {
    let mut builder = GameBuilder::new(Position::start());
    for (number, line) in lines(text) {
        if line.split_whitespace().count() > 2 {
            return false;
        }
        play_words(&mut builder, line, ranks, number);
    }
    let game = builder.finish();
    game.faults().is_empty() && game.outcome == Outcome::Undecided && lines(text).nth(1).is_some()
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
        let mut builder = GameBuilder::new(Position::start()).with_number(index + 1);
        play_words(&mut builder, line, ranks, number);
        builder.finish().unless_noise()
    })
}

/// Whether a line is a FEN: nothing else has nine slashes.
fn is_fen(line: &str) -> bool {
    line.matches('/').count() >= 9
}

/// Games that start with a FEN on a line of its own; the moves follow on as many lines as they need.
fn read_positions(text: &str, ranks: RankStyle) -> impl Iterator<Item = Result<Game, RecordError>> {
    let mut lines = lines(text).peekable();
    let mut number = 0;
    std::iter::from_fn(move || {
        let (line, fen) = lines.next()?;
        number += 1;
        let mut builder = Start::of_fen(fen).builder(number, Place::Line(line));
        while let Some((line, text)) = lines.next_if(|(_, line)| !is_fen(line)) {
            play_words(&mut builder, text, ranks, line);
        }
        Some(builder.finish().unless_noise())
    })
}

/// Plays the moves of a line, which may also say the result.
fn play_words(builder: &mut GameBuilder, line: &str, ranks: RankStyle, number: usize) {
    for word in line.split_whitespace() {
        match Outcome::from_token(word) {
            Some(outcome) => builder.set_outcome(outcome),
            None => {
                let mv = pgn::parse_any_move(word, builder.position(), ranks);
                builder.try_move(mv, word, Place::Line(number));
            }
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_may_stand_before_its_moves() {
        let text = "# a study\n3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1\ne0e1\nd9d8 1-0\n3k5/9/9/9/9/9/9/9/9/4K4 w\ne0e1 e1e2\n";
        let games: Vec<_> = read(text, RankStyle::FromZero).collect();
        let first = games[0].as_ref().unwrap();
        assert_eq!((first.main_moves().count(), first.outcome), (2, Outcome::RedWins));
        let error = games[1].as_ref().unwrap_err().to_string();
        assert_eq!(error, "game 2, line 6: ply 2: e1e2 is illegal: no piece of Black stands on e1");
    }
}
