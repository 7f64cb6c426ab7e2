//! CBR, the single games of CCBridge (象棋橋): a header of texts in UTF-16 and a board, then the tree
//! of moves in pre-order. [`crate::cbl`] holds many of them. `docs/formats.md` describes every byte.

mod layout;
mod read;
mod write;

pub use read::read;
pub use write::write;

pub(crate) use read::{read_at, read_tolerantly, utf_16};
pub(crate) use write::put_text;

use chuhe_board::{Outcome, PieceKind, Square};

/// How every record starts.
pub(crate) const MAGIC: &[u8; 16] = b"CCBridge Record\0";

const VERSION: usize = 19;

/// Red's and Black's kinds of pieces from the code 1 on.
const KINDS: [PieceKind; 7] = [
    PieceKind::Chariot,
    PieceKind::Horse,
    PieceKind::Elephant,
    PieceKind::Advisor,
    PieceKind::General,
    PieceKind::Cannon,
    PieceKind::Soldier,
];

const RESULTS: [Outcome; 4] = [Outcome::Undecided, Outcome::RedWins, Outcome::BlackWins, Outcome::Draw];

/// Flags of a move: its line ends, a sibling comes later, a comment is on it.
const ENDS_LINE: u8 = 0x01;
const HAS_SIBLING: u8 = 0x02;
const HAS_COMMENT: u8 = 0x04;

/// The point with a number that counts from Black's corner on Red's left, rank by rank.
fn point(index: usize) -> Option<Square> {
    Square::from_index(index).map(Square::across)
}

fn number(square: Square) -> u8 {
    square.across().index() as u8
}

#[cfg(test)]
mod tests {
    use super::layout::{FIRST, SECOND};
    use super::write::put_text;
    use super::*;
    use chuhe_board::Position;
    use chuhe_board::coords::{RankStyle, parse_move};

    use crate::record::GameBuilder;

    fn builder(moves: &[&str]) -> GameBuilder {
        let mut builder = GameBuilder::new(Position::start());
        for text in moves {
            builder.play(parse_move(text, RankStyle::FromZero).unwrap()).unwrap();
        }
        builder
    }

    #[test]
    fn moves_and_flags_stand_where_they_should() {
        let mut builder = builder(&["h2e2", "h9g7"]);
        builder.add_comment("好");
        builder.back_to(0);
        builder.play(parse_move("c3c4", RankStyle::FromZero).unwrap()).unwrap();
        let (bytes, _) = write(&builder.finish());
        assert_eq!(bytes[2120..2129], [0x21, 0x22, 0x23, 0x24, 0x25, 0x24, 0x23, 0x22, 0x21]);
        assert_eq!(bytes[2201..2210], [0x11, 0x12, 0x13, 0x14, 0x15, 0x14, 0x13, 0x12, 0x11]);
        let comment = [4, 0, 0, 0, 0x7D, 0x59, 0, 0];
        let expected = [
            &[0, 0, 0, 0][..],
            &[HAS_SIBLING, 0, 70, 67],
            &[ENDS_LINE | HAS_COMMENT, 0, 7, 24],
            &comment,
            &[ENDS_LINE, 0, 56, 47],
        ];
        assert_eq!(bytes[2214..], expected.concat());
    }

    /// No program writes it any more: put together from its description.
    #[test]
    fn the_first_version_is_read() {
        let (second, _) = write(&builder(&["h2e2"]).finish());
        let mut bytes = vec![0; FIRST.moves];
        bytes[..MAGIC.len()].copy_from_slice(MAGIC);
        bytes[VERSION] = 1;
        bytes[FIRST.result] = 3;
        bytes[FIRST.board..FIRST.board + 90].copy_from_slice(&second[SECOND.board..SECOND.board + 90]);
        put_text("甲", &mut bytes[948..1012]);
        bytes.extend([0, 0, 0, 0, ENDS_LINE, 0, 0x77, 0x47]);
        let game = read(&bytes).unwrap();
        assert_eq!(game.main_moves().map(|mv| mv.to_string()).collect::<Vec<_>>(), ["h2e2"]);
        assert_eq!((game.tags.get("Red"), game.outcome), (Some("甲"), Outcome::Draw));
    }

    #[test]
    fn errors_name_the_byte() {
        let message = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
        let (bytes, _) = write(&builder(&["h2e2", "h9g7"]).finish());
        assert_eq!(message(b"CCBridge"), "game 1, byte 0: this is no CBR file");
        assert_eq!(message(&bytes[..2000]), "game 1, byte 2000: the file ends within the header");
        assert_eq!(message(&bytes[..2224]), "game 1, byte 2222: the file ends within a move");
        assert_eq!(message(&bytes[..2222]), "game 1, byte 2222: the file ends within the moves");
        let mut wrong = bytes.clone();
        wrong[VERSION] = 9;
        assert_eq!(message(&wrong), "game 1, byte 19: version 9 of the format is not known");
        let mut off_board = bytes;
        off_board[2221] = 90;
        assert_eq!(message(&off_board), "game 1, byte 2218: 90 is no point of the board");
    }
}
