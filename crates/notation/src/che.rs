//! CHE, the records of QQ 象棋: numbers in a text, a head of two and then ten for each move. The layout is that of a
//! sample file; `docs/formats.md` says what is guessed.

use chuhe_board::Position;

use crate::ccm::point;
use crate::failure::{Place, Problem, RecordError, checked_move};
use crate::record::{Game, GameBuilder};

/// Numbers of a move: piece, captured piece (32 for none), side, rank and file where it starts, rank and file where it
/// ends, 0, the number of the ply, 0.
const NUMBERS: usize = 10;

/// Reads the game of a CHE file, strictly.
pub fn read(text: &str) -> Result<Game, RecordError> {
    read_tolerantly(text).and_then(Game::strict)
}

pub(crate) fn read_tolerantly(text: &str) -> Result<Game, RecordError> {
    let error = |problem| RecordError { game: 1, place: Place::Line(1), problem };
    let numbers = text.split_whitespace().map(str::parse).collect::<Result<Vec<u16>, _>>();
    let numbers = numbers.map_err(|_| error(Problem::NotThisFormat("CHE")))?;
    let [_, count, moves @ ..] = &numbers[..] else { return Err(error(Problem::NotThisFormat("CHE"))) };
    let mut builder = GameBuilder::new(Position::start());
    let (moves, _) = moves.as_chunks::<NUMBERS>();
    // The side that moves first may stand at the top.
    let is_turned = moves.first().is_some_and(|step| step[3] < 5);
    let small = |number: u16| u8::try_from(number).unwrap_or(u8::MAX);
    for [_, _, _, points @ .., _, _, _] in moves.iter().take((*count).into()) {
        let [from_rank, from_file, to_rank, to_file] = points.map(small);
        let raw = (
            from_file.saturating_mul(10).saturating_add(from_rank),
            to_file.saturating_mul(10).saturating_add(to_rank),
        );
        let (from, to) = (point(from_file, from_rank, is_turned), point(to_file, to_rank, is_turned));
        let mv = checked_move(from, to, raw);
        let name = mv.as_ref().map_or_else(|_| format!("{:02}{:02}", raw.0, raw.1), ToString::to_string);
        builder.try_move(mv, name, Place::Line(1));
    }
    if moves.len() < usize::from(*count) {
        builder.add_fault(Place::Line(1), Problem::Truncated("the moves"));
    }
    Ok(builder.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_from_either_side() {
        for text in [
            "1 2 21 32 1 0 1 2 2 0 1 0 10 32 0 7 7 7 4 0 2 0",
            "1 2 5 32 0 9 7 7 6 0 1 0 6 32 1 2 1 2 4 0 2 0",
        ] {
            let game = read(text).unwrap();
            assert_eq!(game.main_moves().map(|mv| mv.to_string()).collect::<Vec<_>>(), ["h0g2", "b7e7"]);
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let message = |text| read(text).unwrap_err().to_string();
        assert_eq!(message("hello"), "game 1, line 1: this is no CHE file");
        assert_eq!(message("1 2 21 32 1 0 1 2 2 0 1 0 10"), "game 1, line 1: the file ends within the moves");
        assert_eq!(message("1 1 21 32 1 0 1 2 9 0 1 0"), "game 1, line 1: 92 is no point of the board");
    }
}
