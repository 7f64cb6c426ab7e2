//! Reading CBR.

use chuhe_board::{Piece, Position, Side, Square, fen};

use super::layout::{FIRST, Layout, SECOND};
use super::{ENDS_LINE, HAS_COMMENT, HAS_SIBLING, KINDS, MAGIC, RESULTS, VERSION, point};
use crate::bytes::{Bytes, at_byte};
use crate::failure::{Place, Problem, RecordError, checked_move};
use crate::record::{Game, GameBuilder};
use crate::setup::Start;

/// Reads the game of a CBR file, strictly.
pub fn read(bytes: &[u8]) -> Result<Game, RecordError> {
    read_tolerantly(bytes).and_then(Game::strict)
}

pub(crate) fn read_tolerantly(bytes: &[u8]) -> Result<Game, RecordError> {
    read_at(bytes, 0, 1)
}

/// Reads the record that starts at a byte of a file, as its game number `game`.
pub(crate) fn read_at(file: &[u8], place: usize, game: usize) -> Result<Game, RecordError> {
    let bytes = &file[place..];
    if !bytes.starts_with(MAGIC) {
        return Err(at_byte(game, place)(Problem::NotThisFormat("CBR")));
    }
    let version = bytes.get(VERSION).copied().unwrap_or_default();
    // A version that nobody has described is read as the last one that is known.
    let layout = if version == 1 { &FIRST } else { &SECOND };
    let header = bytes
        .get(..layout.moves)
        .ok_or_else(|| at_byte(game, file.len())(Problem::Truncated("the header")))?;
    let mut records =
        Records { bytes: Bytes::new(file, place + layout.moves), is_first_version: version == 1, game };
    let start = start(header, layout, &records);
    let mut builder = start.builder(game, Place::Byte(place + layout.board));
    if !matches!(version, 1 | 2) {
        builder.add_fault(Place::Byte(place + VERSION), Problem::UnknownVersion(version));
    }
    for (tag, at, width) in layout.fields {
        builder.set_tag(tag, &utf_16(&header[*at..at + width]));
    }
    builder.set_outcome(RESULTS.get(usize::from(header[layout.result])).copied().unwrap_or_default());
    if let Err(RecordError { place, problem, .. }) = records.read_tree(&mut builder) {
        builder.add_fault(place, problem);
    }
    Ok(builder.finish())
}

fn start(header: &[u8], layout: &Layout, records: &Records<'_>) -> Start {
    let board = &header[layout.board..layout.board + Square::COUNT];
    let placed = board.iter().enumerate().filter_map(|(index, code)| {
        let kind = *KINDS.get(usize::from(code & 0x0F).checked_sub(1)?)?;
        let side = match code >> 4 {
            1 => Side::Red,
            2 => Side::Black,
            _ => return None,
        };
        Some((Piece::new(side, kind), point(index)?))
    });
    let named = if header[layout.side_to_move] == 2 { Side::Black } else { Side::Red };
    // Not every program fills in the side to move, but the first move shows it.
    let mut start = Start::of_pieces(placed.collect(), records.first_point(), named);
    let round = u16::from_le_bytes([header[layout.round], header[layout.round + 1]]);
    start.position = with_round(start.position, round);
    start
}

/// The position with the number of its first round. Numbers that no FEN can have are dropped.
fn with_round(position: Position, round: u16) -> Position {
    let text = position.to_string();
    let placement = text.strip_suffix('1').unwrap_or(&text);
    fen::parse(&format!("{placement}{round}")).unwrap_or(position)
}

/// The text up to the first character zero.
pub(crate) fn utf_16(bytes: &[u8]) -> String {
    let units = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    char::decode_utf16(units.take_while(|unit| *unit != 0))
        .map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// A record of the tree.
struct Record<'a> {
    flags: u8,
    from: u8,
    to: u8,
    comment: &'a [u8],
}

struct Records<'a> {
    bytes: Bytes<'a>,
    is_first_version: bool,
    game: usize,
}

impl<'a> Records<'a> {
    fn next(&mut self) -> Result<Record<'a>, RecordError> {
        let start = self.bytes.at();
        self.try_next().map_err(at_byte(self.game, start))
    }

    fn try_next(&mut self) -> Result<Record<'a>, Problem> {
        let [flags, _, from, to] = self.bytes.array("a move")?;
        let length = if flags & HAS_COMMENT != 0 { self.bytes.u32("the length of a comment")? } else { 0 };
        Ok(Record { flags, from, to, comment: self.bytes.take(length as usize, "a comment")? })
    }

    /// The point in a move. The first version writes the file in the upper four bits and the rank,
    /// counted from Black's side, in the lower ones.
    fn point(&self, number: u8) -> Option<Square> {
        if self.is_first_version {
            return Square::at(number >> 4, 9_u8.checked_sub(number & 0x0F)?);
        }
        point(number.into())
    }

    /// Where the first move starts.
    fn first_point(&self) -> Option<Square> {
        let mut ahead = Self { bytes: self.bytes.clone(), ..*self };
        ahead.try_next().ok()?;
        let first = ahead.try_next().ok().filter(|record| record.from != record.to)?;
        self.point(first.from)
    }

    fn read_tree(&mut self, builder: &mut GameBuilder) -> Result<(), RecordError> {
        if self.bytes.is_at_end() {
            return Ok(());
        }
        let root = self.next()?;
        builder.add_comment(&utf_16(root.comment));
        // Where the siblings that are still to come belong: the plies of their parents.
        let mut promised = Vec::new();
        let mut is_first = true;
        while !self.bytes.is_at_end() {
            let place = self.bytes.at();
            let record = self.next()?;
            // A record without moves is followed by the zeros that fill its slot.
            if is_first && record.from == record.to {
                return Ok(());
            }
            is_first = false;
            let parent = builder.ply();
            self.play(&record, builder, place);
            if record.flags & HAS_SIBLING != 0 {
                promised.push(parent);
            }
            if record.flags & ENDS_LINE != 0 {
                match promised.pop() {
                    Some(ply) => builder.back_to(ply),
                    None => return Ok(()),
                }
            }
        }
        if is_first {
            Ok(())
        } else {
            Err(at_byte(self.game, self.bytes.at())(Problem::Truncated("the moves")))
        }
    }

    fn play(&self, record: &Record<'_>, builder: &mut GameBuilder, place: usize) {
        let raw = (record.from, record.to);
        let mv = checked_move(self.point(raw.0), self.point(raw.1), raw);
        let name = mv.as_ref().map_or_else(|_| format!("{:02}{:02}", raw.0, raw.1), ToString::to_string);
        builder.try_move(mv, name, Place::Byte(place));
        builder.add_comment(&utf_16(record.comment));
    }
}
