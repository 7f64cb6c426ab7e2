//! CCM, the records of 17pk (一起PK): a header of 12 bytes, then 9 bytes a move. The layout is that of a sample file;
//! `docs/formats.md` says what is guessed.

use chuhe_board::{Position, Square};

use crate::bytes::{Bytes, at_byte};
use crate::failure::{Place, Problem, RecordError, checked_move};
use crate::record::{Game, GameBuilder};

const HEADER: usize = 12;
/// How many moves there are.
const COUNT: usize = 8;
const RECORD: usize = 9;

/// Reads the game of a CCM file, strictly.
pub fn read(bytes: &[u8]) -> Result<Game, RecordError> {
    read_tolerantly(bytes).and_then(Game::strict)
}

pub(crate) fn read_tolerantly(bytes: &[u8]) -> Result<Game, RecordError> {
    let header: &[u8; HEADER] =
        bytes.first_chunk().ok_or_else(|| at_byte(1, bytes.len())(Problem::Truncated("the header")))?;
    if header[..2] != [1, 0] {
        return Err(at_byte(1, 0)(Problem::NotThisFormat("CCM")));
    }
    let count = u32::from_le_bytes([header[COUNT], header[COUNT + 1], header[COUNT + 2], header[COUNT + 3]]);
    let mut builder = GameBuilder::new(Position::start());
    let mut records = Bytes::new(bytes, HEADER);
    // The red side may stand at the top; then its first move starts there.
    let is_turned = bytes.get(HEADER + 4).is_some_and(|rank| *rank < 5);
    for _ in 0..count {
        let place = Place::Byte(records.at());
        match records.array::<RECORD>("a move") {
            Ok([_, _, _, from_file, from_rank, to_file, to_rank, ..]) => {
                let raw = (
                    from_file.saturating_mul(10).saturating_add(from_rank),
                    to_file.saturating_mul(10).saturating_add(to_rank),
                );
                let mv = checked_move(
                    point(from_file, from_rank, is_turned),
                    point(to_file, to_rank, is_turned),
                    raw,
                );
                let name =
                    mv.as_ref().map_or_else(|_| format!("{:02}{:02}", raw.0, raw.1), ToString::to_string);
                builder.try_move(mv, name, place);
            }
            Err(problem) => {
                builder.add_fault(place, problem);
                break;
            }
        }
    }
    Ok(builder.finish())
}

/// The point of a file from the left and a rank from the top.
pub(crate) fn point(file: u8, rank: u8, is_turned: bool) -> Option<Square> {
    let square = Square::at(file, 9_u8.checked_sub(rank)?)?;
    Some(if is_turned { square.across().mirrored() } else { square })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(moves: &[[u8; 4]]) -> Vec<u8> {
        let mut bytes = b"\x01\0\x12\0\x6b\x96\x60\x58".to_vec();
        bytes.extend((moves.len() as u32).to_le_bytes());
        for (index, points) in moves.iter().enumerate() {
            bytes.extend([15, 1 + index as u8 % 2, 6]);
            bytes.extend(points);
            bytes.extend([0, 0]);
        }
        bytes
    }

    #[test]
    fn moves_are_read_from_either_side() {
        for moves in [[[7, 7, 4, 7], [7, 0, 6, 2]], [[1, 2, 4, 2], [1, 9, 2, 7]]] {
            let game = read(&file(&moves)).unwrap();
            assert_eq!(game.main_moves().map(|mv| mv.to_string()).collect::<Vec<_>>(), ["h2e2", "h9g7"]);
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let message = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
        assert_eq!(message(b"\x01\0"), "game 1, byte 2: the file ends within the header");
        assert_eq!(message(b"PK\0\0\0\0\0\0\0\0\0\0"), "game 1, byte 0: this is no CCM file");
        let whole = file(&[[7, 7, 4, 7], [7, 0, 6, 2]]);
        assert_eq!(message(&whole[..28]), "game 1, byte 21: the file ends within a move");
    }
}
