//! The one-line protocol of the 2025 course: `ROWS SIDE RED_MS BLACK_MS` in, `FLIP d2` or `MOVE a1 a2` out.
//! Black is in upper case (`KAERNCP`), Red in lower. The side not to move gets the line with times of
//! -9999 and says nothing; from one line to the next we see what was flipped and taken.

use std::time::Duration;

use crate::engine::Engine;
use crate::game::Game;
use crate::moves::{Move, Played};
use crate::piece::{Counts, FULL_SET, Kind, Piece, Side};
use crate::position::{Cell, Impossible, Position};
use crate::protocol::think;
use crate::rules::Rules;
use crate::square::{Square, SquareStyle};
use crate::text::{PositionError, parse_rows};

/// Why a line was not understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// Four words are needed.
    #[error("expected 'ROWS r|b RED_MS BLACK_MS', found {0} words")]
    Words(usize),
    /// Not `r` or `b`.
    #[error("'{0}' is not a side: use r or b")]
    Side(String),
    /// Not a number.
    #[error("'{0}' is not a time in milliseconds")]
    Time(String),
    /// The rows make no position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The rows make an impossible position.
    #[error(transparent)]
    Impossible(#[from] Impossible),
    /// There is nothing to choose.
    #[error("the game is over")]
    Over,
}

/// A session with the course's framework.
pub struct FenSession {
    engine: Engine,
    rules: Rules,
    game: Option<Game>,
}

impl FenSession {
    /// A session that plays with this engine by these rules.
    pub fn new(engine: Engine, rules: Rules) -> Self {
        Self { engine, rules, game: None }
    }

    /// Our move, or nothing if it is not our turn. On an error what was known before stays.
    pub fn answer(&mut self, line: &str) -> Result<Option<String>, FenError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let &[rows, side, red, black] = &words[..] else { return Err(FenError::Words(words.len())) };
        let cells = parse_rows(rows, piece_of)?;
        let side = match side {
            "r" => Side::Red,
            "b" => Side::Black,
            _ => return Err(FenError::Side(side.to_owned())),
        };
        let time = |text: &str| text.parse::<i64>().map_err(|_| FenError::Time(text.to_owned()));
        let times = [time(red)?, time(black)?];
        let game = self.follow(&cells, side)?;
        let over = game.end().is_some();
        let game = self.game.insert(game);
        if times.iter().all(|&time| time < 0) {
            return Ok(None);
        }
        if over {
            return Err(FenError::Over);
        }
        let left = u64::try_from(times[side.index()]).ok().map(Duration::from_millis);
        Ok(Some(written(think(&mut self.engine, game, left))))
    }

    /// The game after the ply that leads to these cells; a new game if none does.
    fn follow(&mut self, cells: &[Cell; Square::COUNT], side: Side) -> Result<Game, FenError> {
        if let Some(game) = &self.game {
            let same = Square::all().all(|square| game.position().cell(square) == cells[square.index()]);
            if same && game.position().side_to_move().is_none_or(|mover| mover == side) {
                return Ok(game.clone());
            }
            if let Some(next) = next_of(game, cells) {
                return Ok(next);
            }
        }
        self.engine.new_game();
        let nothing_shown = cells.iter().all(|cell| *cell == Cell::FaceDown);
        let side = (!nothing_shown).then_some(side);
        Ok(Game::new(Position::new(cells, guessed_pool(cells)?, side, 0)?, self.rules))
    }
}

/// The game one ply on, if one ply changes its board into these cells.
fn next_of(game: &Game, cells: &[Cell; Square::COUNT]) -> Option<Game> {
    let before = game.position();
    let changed = || Square::all().filter(|&square| before.cell(square) != cells[square.index()]);
    let ply = match changed().collect::<Vec<_>>()[..] {
        [square] => match cells[square.index()] {
            Cell::Shown(shown) if before.cell(square) == Cell::FaceDown => Played::Flip(square, shown),
            _ => return None,
        },
        [one, other] if cells[one.index()] == Cell::Empty => Played::Step(one, other),
        [one, other] => Played::Step(other, one),
        _ => return None,
    };
    let mut next = game.clone();
    next.play(ply).ok()?;
    let fits = Square::all().all(|square| next.position().cell(square) == cells[square.index()]);
    fits.then_some(next)
}

/// What lies face down when we did not see the game from its start: all that is not shown, less as many
/// as were taken, of the most frequent pieces first, since the line does not say which.
fn guessed_pool(cells: &[Cell; Square::COUNT]) -> Result<Counts, FenError> {
    let mut pool = FULL_SET;
    for cell in cells {
        if let Cell::Shown(piece) = cell {
            let left = &mut pool[piece.index()];
            *left = left.checked_sub(1).ok_or(Impossible::TooMany {
                letter: piece.letter(),
                found: FULL_SET[piece.index()] + 1,
                set: FULL_SET[piece.index()],
            })?;
        }
    }
    let down = cells.iter().filter(|cell| **cell == Cell::FaceDown).count();
    while pool.iter().map(|&count| usize::from(count)).sum::<usize>() > down {
        *pool.iter_mut().max().expect("there are fourteen pieces") -= 1;
    }
    Ok(pool)
}

/// The framework's letters, in order of rank.
const LETTERS: [char; 7] = ['K', 'A', 'E', 'R', 'N', 'C', 'P'];

fn piece_of(letter: char) -> Option<Piece> {
    let kind = LETTERS.iter().position(|&known| known == letter.to_ascii_uppercase())?;
    let side = if letter.is_ascii_uppercase() { Side::Black } else { Side::Red };
    Some(Piece::new(side, Kind::ALL[kind]))
}

fn written(mv: Move) -> String {
    let text = |square: Square| square.text(SquareStyle::Wide);
    if mv.is_flip() {
        return format!("FLIP {}", text(mv.from()));
    }
    format!("MOVE {} {}", text(mv.from()), text(mv.to()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Resources;

    fn session() -> FenSession {
        let engine = Resources { megabytes: 1, ..Resources::default() }.engine();
        FenSession::new(engine, Rules::OLYMPIAD)
    }

    #[test]
    fn moves_are_answered_and_the_other_turn_is_followed() {
        let mut session = session();
        let start = "????????/????????/????????/????????";
        let reply = session.answer(&format!("{start} r 500 500")).unwrap().unwrap();
        assert!(reply.starts_with("FLIP "), "{reply}");
        // A black advisor shows: the flipper is Black, and Red is to move.
        let second = "A???????/????????/????????/????????";
        assert_eq!(session.answer(&format!("{second} r -9999 -9999")), Ok(None));
        let game = session.game.as_ref().unwrap();
        assert_eq!(game.position().side_to_move(), Some(Side::Red));
        assert_eq!(game.position().pool()[Piece::from_letter('g').unwrap().index()], 1);
        // A lone capture is played.
        let reply = session.answer("k1A5/1k6/8/8 r 500 500");
        assert!(reply.is_err(), "two red generals: {reply:?}");
        let reply = session.answer("kA6/8/8/8 r 500 500").unwrap().unwrap();
        assert_eq!(reply, "MOVE a1 b1");
    }

    #[test]
    fn what_was_taken_is_remembered() {
        let mut session = session();
        session.answer("kA6/8/8/7? r -9999 -9999").unwrap();
        session.answer("1k6/8/8/7? b -9999 -9999").unwrap();
        assert_eq!(session.game.as_ref().unwrap().played().len(), 1);
    }

    #[test]
    fn nonsense_is_refused_and_changes_nothing() {
        let mut session = session();
        session.answer("kA6/8/8/8 r -9999 -9999").unwrap();
        for bad in
            ["", "hello", "8/8/8/8 r 1", "8/8/8/8 w 1 1", "8/8/8/8 r x 1", "8/8/8 r 1 1", "X7/8/8/8 r 1 1"]
        {
            assert!(session.answer(bad).is_err(), "{bad}");
            assert!(session.game.as_ref().unwrap().position().to_string().starts_with("Kg6/"));
        }
    }
}
