//! CHN, the files of the game hall 联众 (Ourgame): an undocumented header, then the moves of one game from the normal
//! start position; or, starting with `GL`, a dump of its state (`gl`). `docs/formats.md` describes what is known.

mod gl;

use chuhe_board::{Outcome, Position, Square};

use crate::bytes::{Bytes, at_byte};
use crate::failure::{CannotHold, Loss, Place, Problem, RecordError, checked_move};
use crate::record::{Game, GameBuilder};

const HEADER: usize = 188;
const RECORD: usize = 32;

/// Reads the game of a CHN file, strictly.
pub fn read(bytes: &[u8]) -> Result<Game, RecordError> {
    read_tolerantly(bytes).and_then(Game::strict)
}

/// The board may be stored as Black saw it; then the first move starts in the upper half. The hall
/// let players take the general, so a last move that does so is left out.
pub(crate) fn read_tolerantly(bytes: &[u8]) -> Result<Game, RecordError> {
    if bytes.starts_with(gl::MAGIC) {
        return gl::read(bytes);
    }
    if bytes.len() < HEADER {
        return Err(at_byte(1, bytes.len())(Problem::Truncated("the header")));
    }
    let mut builder = GameBuilder::new(Position::start());
    let mut records = Bytes::new(bytes, HEADER);
    let mut is_turned = None;
    while !records.is_at_end() {
        let place = records.at();
        let record: [u8; RECORD] = match records.array("a move") {
            Ok(record) => record,
            Err(problem) => {
                builder.add_fault(Place::Byte(place), problem);
                break;
            }
        };
        let [from_file, from_rank, to_file, to_rank] =
            [4, 6, 8, 10].map(|at| u16::from_le_bytes([record[at], record[at + 1]]));
        let turned = *is_turned.get_or_insert(from_rank < 5);
        let from = point(from_file, from_rank, turned);
        let to = point(to_file, to_rank, turned);
        let raw = (
            from_file.saturating_mul(10).saturating_add(from_rank),
            to_file.saturating_mul(10).saturating_add(to_rank),
        );
        let raw = (raw.0.min(255) as u8, raw.1.min(255) as u8);
        let mv = checked_move(from, to, raw);
        let general = builder.position().general(!builder.position().side_to_move());
        if mv.as_ref().is_ok_and(|mv| mv.to() == general) && records.is_at_end() {
            break;
        }
        let name = mv.as_ref().map_or_else(|_| format!("{:02}{:02}", raw.0, raw.1), ToString::to_string);
        builder.try_move(mv, name, Place::Byte(place));
    }
    Ok(builder.finish())
}

/// The point of a file from the left and a rank from the top.
fn point(file: u16, rank: u16, turned: bool) -> Option<Square> {
    let (file, rank) = (u8::try_from(file).ok()?, u8::try_from(rank).ok()?);
    let square = Square::at(file, 9_u8.checked_sub(rank)?)?;
    Some(if turned { square.across().mirrored() } else { square })
}

/// Writes the moves of a game. The header is left empty.
pub fn write(game: &Game) -> Result<(Vec<u8>, Vec<Loss>), CannotHold> {
    if game.start() != &Position::start() {
        return Err(CannotHold::StartPosition("CHN"));
    }
    let mut bytes = vec![0; HEADER];
    for (index, mv) in game.main_moves().enumerate() {
        let numbers = [mv.from().file(), 9 - mv.from().rank(), mv.to().file(), 9 - mv.to().rank()];
        bytes.extend((index as u32 + 1).to_le_bytes());
        bytes.extend(numbers.into_iter().flat_map(|number| u16::from(number).to_le_bytes()));
        bytes.resize(HEADER + RECORD * (index + 1), 0);
    }
    Ok((bytes, losses_of_bare_moves(game)))
}

/// What a format lacks that holds nothing but the moves of the main line.
fn losses_of_bare_moves(game: &Game) -> Vec<Loss> {
    let mut losses = bare_losses(game);
    if game.outcome != Outcome::Undecided {
        losses.push(Loss::Outcome);
    }
    losses
}

/// As [`losses_of_bare_moves`] for a format that holds the result as well.
pub(crate) fn bare_losses(game: &Game) -> Vec<Loss> {
    let mut losses: Vec<Loss> = game.tags.iter().map(|(name, _)| Loss::Tag(name.to_owned())).collect();
    for (is_lost, loss) in [
        (game.has_comments(), Loss::Comments),
        (game.has_marks(), Loss::Marks),
        (game.has_variations(), Loss::Variations),
    ] {
        if is_lost {
            losses.push(loss);
        }
    }
    losses
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(number: u32, points: [u16; 4]) -> Vec<u8> {
        let mut bytes = number.to_le_bytes().to_vec();
        bytes.extend(points.into_iter().flat_map(u16::to_le_bytes));
        bytes.resize(RECORD, 0);
        bytes
    }

    fn file(moves: &[[u16; 4]]) -> Vec<u8> {
        let records = moves.iter().enumerate().flat_map(|(index, points)| record(index as u32 + 1, *points));
        vec![0; HEADER].into_iter().chain(records).collect()
    }

    fn moves(bytes: &[u8]) -> Result<String, String> {
        let game = read(bytes).map_err(|error| error.to_string())?;
        Ok(game.main_moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn boards_seen_by_black_are_turned() {
        assert_eq!(moves(&file(&[[7, 7, 4, 7], [7, 0, 6, 2]])), Ok("h2e2 h9g7".to_owned()));
        assert_eq!(moves(&file(&[[1, 2, 4, 2], [1, 9, 2, 7]])), Ok("h2e2 h9g7".to_owned()));
    }

    #[test]
    fn errors_name_the_byte() {
        assert_eq!(moves(&[0; 100]), Err("game 1, byte 100: the file ends within the header".to_owned()));
        let illegal = file(&[[7, 7, 4, 7], [7, 0, 6, 3]]);
        assert_eq!(
            moves(&illegal),
            Err("game 1, byte 220: ply 2: h9g6 is illegal: an own piece stands on g6".to_owned())
        );
        assert_eq!(moves(&illegal[..230]), Err("game 1, byte 220: the file ends within a move".to_owned()));
        assert_eq!(
            moves(&file(&[[9, 7, 4, 7]])),
            Err("game 1, byte 188: 97 is no point of the board".to_owned())
        );
    }
}
