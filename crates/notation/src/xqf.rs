//! XQF, the files of XQStudio (象棋演播室): a header of 1024 bytes, then the tree of moves in
//! pre-order. Version 1.0 is open; from 1.1 on points and moves are shifted by keys that stand in the
//! header. `docs/formats.md` describes every byte.
//!
//! Games are written in version 1.0, which every version of XQStudio reads.

mod keys;
mod read;
mod write;

pub use read::read;
pub(crate) use read::read_tolerantly;
pub use write::{write, write_keyed};

use chuhe_board::{Outcome, Square};
use keys::Keys;

const HEADER: usize = 1024;
/// The version whose files are not shifted.
const OPEN_VERSION: u8 = 0x0A;
/// The version that is written with keys.
const KEYED_VERSION: u8 = 0x12;

/// Where the header has the points of the 32 pieces.
const PIECES: usize = 0x10;
const SIDE_TO_MOVE: usize = 0x32;
const RESULT: usize = 0x33;
const KIND: usize = 0x40;

/// Texts of the header: the tag, where its length stands, and how many bytes follow.
const FIELDS: [(&str, usize, usize); 11] = [
    ("Title", 0x50, 63),
    ("Event", 0xD0, 63),
    ("Date", 0x110, 15),
    ("Site", 0x120, 15),
    ("Red", 0x130, 15),
    ("Black", 0x140, 15),
    ("TimeControl", 0x150, 63),
    ("RedTime", 0x190, 15),
    ("BlackTime", 0x1A0, 15),
    ("Annotator", 0x1D0, 15),
    ("Author", 0x1E0, 15),
];

const RESULTS: [Outcome; 4] = [Outcome::Undecided, Outcome::RedWins, Outcome::BlackWins, Outcome::Draw];

/// Added to the points of a move, besides the keys.
const FROM_SHIFT: u8 = 24;
const TO_SHIFT: u8 = 32;

/// Flags of a move: one follows it, one stands beside it, a comment is on it.
const HAS_NEXT: u8 = 0x80;
const HAS_SIBLING: u8 = 0x40;
const HAS_COMMENT: u8 = 0x20;

/// The point with a number that counts files in tens and ranks in ones.
fn point(number: u8) -> Option<Square> {
    Square::at(number / 10, number % 10)
}

fn number(square: Square) -> u8 {
    square.file() * 10 + square.rank()
}

/// Which piece a place of the header belongs to: the places are rotated from version 1.2 on.
fn piece_of_place(place: usize, version: u8, keys: &Keys) -> usize {
    if version > OPEN_VERSION + 1 { (place + 1 + usize::from(keys.pieces)) % 32 } else { place }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::Position;
    use chuhe_board::coords::{RankStyle, parse_move};

    use crate::failure::Loss;
    use crate::record::{Game, GameBuilder};

    fn game(moves: &str) -> Game {
        let mut builder = GameBuilder::new(Position::start());
        for text in moves.split(' ') {
            builder.play(parse_move(text, RankStyle::FromZero).unwrap()).unwrap();
        }
        builder.finish()
    }

    /// The bytes that the published description of version 1.0 gives for these moves.
    #[test]
    fn version_one_is_written_as_its_author_described_it() {
        let mut game = game("c3c4 h9g7 g3g4");
        game.tags.set("Red", "柳大华");
        game.outcome = Outcome::BlackWins;
        let (bytes, losses) = write(&game);
        assert!(losses.is_empty());
        assert_eq!(bytes[..3], *b"XQ\x0A");
        assert_eq!(bytes[0x10..0x20].iter().copied().collect::<std::collections::BTreeSet<u8>>().len(), 16);
        assert_eq!((bytes[0x14], bytes[0x24]), (0x28, 0x31), "the generals");
        assert_eq!(bytes[0x33], 2);
        assert_eq!(bytes[0x130..0x137], [6, 0xC1, 0xF8, 0xB4, 0xF3, 0xBB, 0xAA]);
        assert_eq!(bytes[0x400..0x408], [0x18, 0x20, 0xF0, 0xFF, 0, 0, 0, 0]);
        assert_eq!(bytes[0x408..0x410], [0x2F, 0x38, 0xF0, 0, 0, 0, 0, 0]);
        assert_eq!(bytes[0x410..0x418], [0x67, 0x63, 0xF0, 0, 0, 0, 0, 0]);
        assert_eq!(bytes[0x418..], [0x57, 0x60, 0x00, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn the_first_move_shows_who_moves_first() {
        let black_first: Position = chuhe_board::fen::START.replace('w', "b").parse().unwrap();
        let mut builder = GameBuilder::new(black_first.clone());
        builder.play(parse_move("h9g7", RankStyle::FromZero).unwrap()).unwrap();
        let (mut bytes, _) = write(&builder.finish());
        bytes[SIDE_TO_MOVE] = 0;
        assert_eq!(read(&bytes).unwrap().start(), &black_first);
    }

    #[test]
    fn version_eleven_shifts_but_does_not_rotate_the_pieces() {
        let (mut bytes, _) = write(&game("c3c4"));
        bytes[2] = 0x0B;
        bytes[13] = 3;
        for byte in &mut bytes[PIECES..PIECES + 32] {
            *byte = byte.wrapping_add(73);
        }
        bytes.truncate(HEADER);
        assert_eq!(read(&bytes).unwrap().start(), &Position::start());
    }

    #[test]
    fn names_are_cut_between_characters() {
        let mut game = game("c3c4");
        game.tags.set("Black", "一二三四五六七八");
        let (bytes, losses) = write(&game);
        assert_eq!(losses, [Loss::CutTag("Black".to_owned())]);
        assert_eq!(read(&bytes).unwrap().tags.get("Black"), Some("一二三四五六七"));
    }

    #[test]
    fn errors_name_the_byte() {
        let message = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
        let (bytes, _) = write(&game("c3c4 h9g7"));
        assert_eq!(message(b"PK"), "game 1, byte 0: this is no XQF file");
        assert_eq!(message(&bytes[..500]), "game 1, byte 500: the file ends within the header");
        assert_eq!(message(&bytes[..1042]), "game 1, byte 1040: the file ends within a move");
        let mut wrong = bytes.clone();
        wrong[0x409] = 0x39;
        let reason = "ply 1: c3c5 is illegal: a red soldier does not move from c3 to c5 there";
        assert_eq!(message(&wrong), format!("game 1, byte 1032: {reason}"));
        wrong[0x409] = 32 + 95;
        assert_eq!(message(&wrong), "game 1, byte 1032: 95 is no point of the board");
        let mut huge = bytes.clone();
        huge[0x40C..0x410].fill(0xFF);
        assert_eq!(message(&huge), "game 1, byte 1032: the file ends within a comment");
        let mut placed = bytes;
        placed[0x11] = placed[0x10];
        assert_eq!(message(&placed), "game 1, byte 16: bad start position: two pieces stand on a0");
    }
}
