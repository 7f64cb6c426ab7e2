//! XQF, the files of XQStudio (象棋演播室): a header of 1024 bytes, then the tree of moves in
//! pre-order. Version 1.0 is open; from 1.1 on points and moves are shifted by keys that stand in the
//! header. `docs/formats.md` describes every byte.
//!
//! Games are written in version 1.0, which every version of XQStudio reads.

mod keys;

pub use keys::Keys;

use chuhe_board::{Move, Piece, PieceKind, Position, Side, Square};

use crate::bytes::{Bytes, at_byte};
use crate::encoding;
use crate::failure::{Loss, Problem, RecordError, checked_move};
use crate::record::{Game, GameBuilder, NodeId, Outcome};

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

/// The pieces of one side in the order of the header.
const ORDER: [PieceKind; 16] = {
    use PieceKind::{Advisor, Cannon, Chariot, Elephant, General, Horse, Soldier};
    [
        Chariot, Horse, Elephant, Advisor, General, Advisor, Elephant, Horse, Chariot, Cannon, Cannon,
        Soldier, Soldier, Soldier, Soldier, Soldier,
    ]
};

const RESULTS: [Outcome; 4] = [Outcome::Unknown, Outcome::RedWins, Outcome::BlackWins, Outcome::Draw];

/// Added to the points of a move, besides the keys.
const FROM_SHIFT: u8 = 24;
const TO_SHIFT: u8 = 32;

/// Flags of a move: one follows it, one stands beside it, a comment is on it.
const HAS_NEXT: u8 = 0x80;
const HAS_SIBLING: u8 = 0x40;
const HAS_COMMENT: u8 = 0x20;

/// Reads the game of an XQF file.
pub fn read(bytes: &[u8]) -> Result<Game, RecordError> {
    if bytes.get(..2) != Some(b"XQ") {
        return Err(at_byte(1, 0)(Problem::NotThisFormat("XQF")));
    }
    let header: &[u8; HEADER] =
        bytes.first_chunk().ok_or_else(|| at_byte(1, bytes.len())(Problem::Truncated("the header")))?;
    let version = header[2];
    let keys = if version <= OPEN_VERSION { Keys::NONE } else { Keys::of_header(header) };
    let pieces = pieces(header, version, &keys);
    let plain = keys.unmasked(&bytes[HEADER..], HEADER);
    let mut records = Records { bytes: Bytes::new(&plain, 0), version, keys };

    let side = side_to_move(&records, &pieces, header);
    let start = Position::from_pieces(pieces, side).map_err(Problem::from).map_err(at_byte(1, PIECES))?;
    let mut builder = GameBuilder::new(start);
    for (tag, at, width) in FIELDS {
        let length = usize::from(header[at]).min(width);
        builder.set_tag(tag, &encoding::decode_gbk(&header[at + 1..at + 1 + length]));
    }
    builder.set_outcome(RESULTS.get(usize::from(header[RESULT])).copied().unwrap_or_default());
    records.read_tree(&mut builder)?;
    Ok(builder.finish())
}

/// A record of the tree.
struct Record<'a> {
    from: u8,
    to: u8,
    has_next: bool,
    has_sibling: bool,
    comment: &'a [u8],
}

impl Record<'_> {
    fn mv(&self) -> Result<Move, Problem> {
        checked_move(point(self.from), point(self.to), (self.from, self.to))
    }
}

/// The records behind the header, unmasked.
struct Records<'a> {
    bytes: Bytes<'a>,
    version: u8,
    keys: Keys,
}

impl<'a> Records<'a> {
    fn next(&mut self) -> Result<Record<'a>, RecordError> {
        let start = self.bytes.at();
        self.try_next().map_err(at_byte(1, HEADER + start))
    }

    fn try_next(&mut self) -> Result<Record<'a>, Problem> {
        let [from, to, flags, _] = self.bytes.array("a move")?;
        let (has_next, has_sibling, has_comment) = if self.version <= OPEN_VERSION {
            (flags & 0xF0 != 0, flags & 0x0F != 0, true)
        } else {
            (flags & HAS_NEXT != 0, flags & HAS_SIBLING != 0, flags & HAS_COMMENT != 0)
        };
        let length = if has_comment {
            let length = self.bytes.u32("the length of a comment")?;
            length.checked_sub(self.keys.comment).ok_or(Problem::Truncated("a comment"))? as usize
        } else {
            0
        };
        Ok(Record {
            from: from.wrapping_sub(FROM_SHIFT).wrapping_sub(self.keys.from),
            to: to.wrapping_sub(TO_SHIFT).wrapping_sub(self.keys.to),
            has_next,
            has_sibling,
            comment: self.bytes.take(length, "a comment")?,
        })
    }

    fn read_tree(&mut self, builder: &mut GameBuilder) -> Result<(), RecordError> {
        // Some programs write no record at all for a position without moves.
        if self.bytes.is_at_end() {
            return Ok(());
        }
        let root = self.next()?;
        builder.add_comment(&encoding::decode_gbk(root.comment));
        // Where the siblings that are still to come belong: the plies of their parents.
        let mut promised = Vec::new();
        let mut goes_on = root.has_next;
        while goes_on {
            let start = self.bytes.at();
            let record = self.next()?;
            let parent = builder.ply();
            let mv = record.mv().map_err(at_byte(1, HEADER + start))?;
            builder.play(mv).map_err(Problem::from).map_err(at_byte(1, HEADER + start))?;
            builder.add_comment(&encoding::decode_gbk(record.comment));
            if record.has_sibling {
                promised.push(parent);
            }
            if !record.has_next {
                match promised.pop() {
                    Some(ply) => builder.back_to(ply),
                    None => goes_on = false,
                }
            }
        }
        Ok(())
    }
}

/// The pieces that the header puts on the board.
fn pieces(header: &[u8; HEADER], version: u8, keys: &Keys) -> Vec<(Piece, Square)> {
    let mut pieces = Vec::with_capacity(32);
    for (index, byte) in header[PIECES..PIECES + 32].iter().enumerate() {
        let index =
            if version > OPEN_VERSION + 1 { (index + 1 + usize::from(keys.pieces)) % 32 } else { index };
        if let Some(square) = point(byte.wrapping_sub(keys.pieces)) {
            pieces.push((Piece::new(Side::ALL[index / 16], ORDER[index % 16]), square));
        }
    }
    pieces
}

/// The side whose piece moves first; without moves, the side that the header names.
fn side_to_move(records: &Records<'_>, pieces: &[(Piece, Square)], header: &[u8; HEADER]) -> Side {
    let mut ahead = Records { bytes: records.bytes.clone(), version: records.version, keys: records.keys };
    let first = ahead.next().ok().filter(|root| root.has_next).and_then(|_| ahead.next().ok());
    let mover =
        first.and_then(|record| pieces.iter().find(|(_, square)| point(record.from) == Some(*square)));
    match mover {
        Some((piece, _)) => piece.side(),
        None if header[SIDE_TO_MOVE] == 1 => Side::Black,
        None => Side::Red,
    }
}

/// The point with a number that counts files in tens and ranks in ones.
fn point(number: u8) -> Option<Square> {
    Square::at(number / 10, number % 10)
}

fn number(square: Square) -> u8 {
    square.file() * 10 + square.rank()
}

/// Writes a game in version 1.0.
pub fn write(game: &Game) -> (Vec<u8>, Vec<Loss>) {
    write_version(game, OPEN_VERSION, [0; 13])
}

/// Writes a game in version 1.8, shifted by the keys that follow from bytes 3 to 15 of the header.
/// XQStudio wants the last four to add up to a multiple of 256.
pub fn write_keyed(game: &Game, header_keys: [u8; 13]) -> (Vec<u8>, Vec<Loss>) {
    write_version(game, KEYED_VERSION, header_keys)
}

fn write_version(game: &Game, version: u8, header_keys: [u8; 13]) -> (Vec<u8>, Vec<Loss>) {
    let mut losses = Vec::new();
    let mut header = [0; HEADER];
    header[..2].copy_from_slice(b"XQ");
    header[2] = version;
    header[3..16].copy_from_slice(&header_keys);
    let keys = if version == OPEN_VERSION { Keys::NONE } else { Keys::of_header(&header) };
    write_pieces(game.start(), version, &keys, &mut header);
    header[SIDE_TO_MOVE] = u8::from(game.start().side_to_move() == Side::Black);
    header[RESULT] = RESULTS.iter().position(|result| *result == game.outcome).unwrap_or(0) as u8;
    // A game from a set-up position is an endgame to XQStudio.
    header[KIND] = if is_normal_start(game.start()) { 0 } else { 3 };
    write_fields(game, &mut header, &mut losses);
    write_lost_counters(game, &mut losses);
    if game.has_marks() {
        losses.push(Loss::Marks);
    }

    let mut bytes = header.to_vec();
    for node in game.preorder() {
        write_record(game, node, version, &keys, &mut bytes, &mut losses);
    }
    keys.mask(&mut bytes[HEADER..], HEADER);
    (bytes, losses)
}

fn is_normal_start(start: &Position) -> bool {
    start.key() == Position::start().key()
}

fn write_lost_counters(game: &Game, losses: &mut Vec<Loss>) {
    if game.start().quiet_plies() > 0 {
        losses.push(Loss::QuietPlies);
    }
    if game.start().round() > 1 {
        losses.push(Loss::Round);
    }
}

fn write_pieces(start: &Position, version: u8, keys: &Keys, header: &mut [u8; HEADER]) {
    const TAKEN: u8 = 0xFF;
    let mut points = [TAKEN; 32];
    for (piece, square) in start.pieces_on_board() {
        let from = piece.side().index() * 16;
        let places = (from..from + 16).filter(|index| ORDER[index % 16] == piece.kind());
        let free = places.into_iter().find(|index| points[*index] == TAKEN);
        points[free.expect("no side has more pieces than the game")] = number(square);
    }
    for index in 0..32 {
        let source =
            if version > OPEN_VERSION + 1 { (index + 1 + usize::from(keys.pieces)) % 32 } else { index };
        header[PIECES + index] = match points[source] {
            TAKEN => TAKEN.wrapping_add(keys.pieces),
            point => point.wrapping_add(keys.pieces),
        };
    }
}

fn write_fields(game: &Game, header: &mut [u8; HEADER], losses: &mut Vec<Loss>) {
    for (tag, value) in game.tags.iter() {
        let Some((_, at, width)) = FIELDS.iter().find(|(name, ..)| name.eq_ignore_ascii_case(tag)) else {
            losses.push(Loss::Tag(tag.to_owned()));
            continue;
        };
        let (bytes, complete) = fitting(value, *width);
        if !complete {
            losses.push(Loss::CutTag(tag.to_owned()));
        }
        header[*at] = bytes.len() as u8;
        header[at + 1..at + 1 + bytes.len()].copy_from_slice(&bytes);
    }
}

/// As many whole characters as fit into `width` bytes of GBK, and whether these are all.
fn fitting(text: &str, width: usize) -> (Vec<u8>, bool) {
    let mut bytes = Vec::new();
    for character in text.chars() {
        let mut buffer = [0; 4];
        let (encoded, complete) = encoding::encode_gbk(character.encode_utf8(&mut buffer));
        if !complete || bytes.len() + encoded.len() > width {
            return (bytes, false);
        }
        bytes.extend_from_slice(&encoded);
    }
    (bytes, true)
}

fn write_record(
    game: &Game,
    node: NodeId,
    version: u8,
    keys: &Keys,
    bytes: &mut Vec<u8>,
    losses: &mut Vec<Loss>,
) {
    let (from, to) = match game.mv(node) {
        Some(mv) => (number(mv.from()), number(mv.to())),
        None => (0, 0),
    };
    let (comment, complete) = encoding::encode_gbk(game.comment(node));
    if !complete {
        losses.push(Loss::Characters);
    }
    let has_next = game.first_child(node).is_some();
    let has_sibling = game.next_sibling(node).is_some();
    let is_open = version == OPEN_VERSION;
    let flag = |is_set: bool, open: u8, keyed: u8| match (is_set, is_open) {
        (true, true) => open,
        (true, false) => keyed,
        (false, _) => 0,
    };
    bytes.push(from.wrapping_add(FROM_SHIFT).wrapping_add(keys.from));
    bytes.push(to.wrapping_add(TO_SHIFT).wrapping_add(keys.to));
    bytes.push(
        flag(has_next, 0xF0, HAS_NEXT)
            | flag(has_sibling, 0x0F, HAS_SIBLING)
            | flag(!comment.is_empty(), 0, HAS_COMMENT),
    );
    bytes.push(if node == NodeId::ROOT && is_open { 0xFF } else { 0 });
    if is_open || !comment.is_empty() {
        bytes.extend((comment.len() as u32 + keys.comment).to_le_bytes());
        bytes.extend_from_slice(&comment);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::coords::{RankStyle, parse_move};

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
        assert_eq!(message(&wrong), "game 1, byte 1032: c3c5 is not legal here");
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
