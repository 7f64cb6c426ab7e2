//! Reading XQF.

use chuhe_board::{Move, Piece, Side, Square};

use super::keys::Keys;
use super::{
    FIELDS, FROM_SHIFT, HAS_COMMENT, HAS_NEXT, HAS_SIBLING, HEADER, OPEN_VERSION, PIECES, RESULT, RESULTS,
    SIDE_TO_MOVE, TO_SHIFT, piece_of_place, point,
};
use crate::bytes::{Bytes, at_byte};
use crate::encoding;
use crate::failure::{Place, Problem, RecordError, checked_move};
use crate::record::{Game, GameBuilder};
use crate::setup::{self, Start};

/// Reads the game of an XQF file, strictly.
pub fn read(bytes: &[u8]) -> Result<Game, RecordError> {
    read_tolerantly(bytes).and_then(Game::strict)
}

pub(crate) fn read_tolerantly(bytes: &[u8]) -> Result<Game, RecordError> {
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

    let named = if header[SIDE_TO_MOVE] == 1 { Side::Black } else { Side::Red };
    let start = Start::of_pieces(pieces, first_point(&records), named);
    let mut builder = start.builder(1, Place::Byte(PIECES));
    for (tag, at, width) in FIELDS {
        let length = usize::from(header[at]).min(width);
        builder.set_tag(tag, &encoding::decode_gbk(&header[at + 1..at + 1 + length]));
    }
    builder.set_outcome(RESULTS.get(usize::from(header[RESULT])).copied().unwrap_or_default());
    if let Err(RecordError { place, problem, .. }) = records.read_tree(&mut builder) {
        builder.add_fault(place, problem);
    }
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

    fn name(&self) -> String {
        self.mv().map_or_else(|_| format!("{:02}{:02}", self.from, self.to), |mv| mv.to_string())
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
            builder.try_move(record.mv(), record.name(), Place::Byte(HEADER + start));
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
    let points = header[PIECES..PIECES + 32].iter().map(|byte| point(byte.wrapping_sub(keys.pieces)));
    let placed = points
        .enumerate()
        .filter_map(|(index, square)| Some((setup::piece_at(piece_of_place(index, version, keys)), square?)));
    placed.collect()
}

/// The point where the first move starts.
fn first_point(records: &Records<'_>) -> Option<Square> {
    let mut ahead = Records { bytes: records.bytes.clone(), version: records.version, keys: records.keys };
    ahead.try_next().ok().filter(|root| root.has_next)?;
    point(ahead.try_next().ok()?.from)
}
