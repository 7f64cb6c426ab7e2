//! CBR, the single games of CCBridge (象棋橋): a header of texts in UTF-16 and a board, then the tree
//! of moves in pre-order. [`crate::cbl`] holds many of them. `docs/formats.md` describes every byte.

use chuhe_board::{Piece, PieceKind, Position, Side, Square, fen};

use crate::bytes::{Bytes, at_byte};
use crate::failure::{Loss, Problem, RecordError, checked_move};
use crate::record::{Game, GameBuilder, NodeId, Outcome};

/// How every record starts.
pub(crate) const MAGIC: &[u8; 16] = b"CCBridge Record\0";

/// Where things stand in the header of one version.
struct Layout {
    version: u8,
    /// Texts: the tag, where it stands and how many bytes it has.
    fields: &'static [(&'static str, usize, usize)],
    result: usize,
    side_to_move: usize,
    round: usize,
    board: usize,
    moves: usize,
}

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

const RESULTS: [Outcome; 4] = [Outcome::Unknown, Outcome::RedWins, Outcome::BlackWins, Outcome::Draw];

/// The first version, which is only read.
static FIRST: Layout = Layout {
    version: 1,
    fields: &[
        ("Title", 52, 128),
        ("Category", 180, 256),
        ("Source", 436, 64),
        ("EventClass", 500, 64),
        ("Event", 564, 64),
        ("Round", 628, 64),
        ("Group", 692, 32),
        ("Table", 724, 32),
        ("Date", 756, 64),
        ("Site", 820, 64),
        ("TimeControl", 884, 64),
        ("Red", 948, 64),
        ("RedTeam", 1012, 64),
        ("RedTime", 1076, 64),
        ("RedRating", 1140, 32),
        ("Black", 1172, 64),
        ("BlackTeam", 1236, 64),
        ("BlackTime", 1300, 64),
        ("BlackRating", 1364, 32),
        ("Annotator", 1396, 64),
        ("AnnotatorEmail", 1460, 64),
        ("Author", 1524, 64),
        ("AuthorEmail", 1588, 64),
        ("Created", 1652, 40),
        ("Modified", 1716, 40),
        ("GameType", 1788, 32),
        ("Termination", 1824, 32),
    ],
    result: 1820,
    side_to_move: 1856,
    round: 1860,
    board: 1864,
    moves: 1958,
};

/// The version that programs write today.
static SECOND: Layout = Layout {
    version: 2,
    fields: &[
        ("Script", 52, 128),
        ("Title", 180, 128),
        ("Category", 308, 256),
        ("Source", 564, 64),
        ("EventClass", 628, 64),
        ("Event", 692, 64),
        ("Round", 756, 64),
        ("Group", 820, 32),
        ("Table", 852, 32),
        ("Date", 884, 64),
        ("Site", 948, 64),
        ("TimeControl", 1012, 64),
        ("Red", 1076, 64),
        ("RedTeam", 1140, 64),
        ("RedTime", 1204, 64),
        ("RedRating", 1268, 32),
        ("Black", 1300, 64),
        ("BlackTeam", 1364, 64),
        ("BlackTime", 1428, 64),
        ("BlackRating", 1492, 32),
        ("Referee", 1524, 64),
        ("Recorder", 1588, 64),
        ("Annotator", 1652, 64),
        ("AnnotatorEmail", 1716, 64),
        ("Author", 1780, 64),
        ("AuthorEmail", 1844, 64),
        ("Created", 1908, 40),
        ("Modified", 1972, 40),
        ("GameType", 2044, 32),
        ("Termination", 2080, 32),
    ],
    result: 2076,
    side_to_move: 2112,
    round: 2116,
    board: 2120,
    moves: 2214,
};

/// What kind of game it is: one that was played, or one from a set-up position.
const KIND: usize = 2040;
/// Four bytes before the moves that say where a reader stopped.
const PLAYBACK: usize = 2210;

/// Flags of a move: its line ends, a sibling comes later, a comment is on it.
const ENDS_LINE: u8 = 0x01;
const HAS_SIBLING: u8 = 0x02;
const HAS_COMMENT: u8 = 0x04;

/// Reads the game of a CBR file.
pub fn read(bytes: &[u8]) -> Result<Game, RecordError> {
    read_at(bytes, 0, 1)
}

/// Reads the record that starts at a byte of a file, as its game number `game`.
pub(crate) fn read_at(file: &[u8], place: usize, game: usize) -> Result<Game, RecordError> {
    let bytes = &file[place..];
    if !bytes.starts_with(MAGIC) {
        return Err(at_byte(game, place)(Problem::NotThisFormat("CBR")));
    }
    let version = bytes.get(VERSION).copied().unwrap_or_default();
    let layout = match version {
        1 => &FIRST,
        2 => &SECOND,
        _ => return Err(at_byte(game, place + VERSION)(Problem::UnknownVersion(version))),
    };
    let header = bytes
        .get(..layout.moves)
        .ok_or_else(|| at_byte(game, file.len())(Problem::Truncated("the header")))?;
    let mut records =
        Records { bytes: Bytes::new(file, place + layout.moves), is_first_version: version == 1, game };
    let start = start(header, layout, &records).map_err(at_byte(game, place + layout.board))?;
    let mut builder = GameBuilder::new(start);
    for (tag, at, width) in layout.fields {
        builder.set_tag(tag, &utf_16(&header[*at..at + width]));
    }
    builder.set_outcome(RESULTS.get(usize::from(header[layout.result])).copied().unwrap_or_default());
    records.read_tree(&mut builder)?;
    Ok(builder.finish())
}

fn start(header: &[u8], layout: &Layout, records: &Records<'_>) -> Result<Position, Problem> {
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
    let pieces: Vec<(Piece, Square)> = placed.collect();
    // Not every program fills in the side to move, but the first move shows it.
    let mover = pieces.iter().find(|(_, square)| records.first_point() == Some(*square));
    let side = match mover {
        Some((piece, _)) => piece.side(),
        None if header[layout.side_to_move] == 2 => Side::Black,
        None => Side::Red,
    };
    let position = Position::from_pieces(pieces, side)?;
    let round = u16::from_le_bytes([header[layout.round], header[layout.round + 1]]);
    Ok(with_round(position, round))
}

/// The position with the number of its first round. Numbers that no FEN can have are dropped.
fn with_round(position: Position, round: u16) -> Position {
    let text = position.to_string();
    let placement = text.strip_suffix('1').unwrap_or(&text);
    fen::parse(&format!("{placement}{round}")).unwrap_or(position)
}

/// The point with a number that counts from Black's corner on Red's left, rank by rank.
fn point(index: usize) -> Option<Square> {
    Square::from_index(index).map(Square::across)
}

fn number(square: Square) -> u8 {
    square.across().index() as u8
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
            self.play(&record, builder).map_err(at_byte(self.game, place))?;
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

    fn play(&self, record: &Record<'_>, builder: &mut GameBuilder) -> Result<(), Problem> {
        let raw = (record.from, record.to);
        builder.play(checked_move(self.point(raw.0), self.point(raw.1), raw)?)?;
        builder.add_comment(&utf_16(record.comment));
        Ok(())
    }
}

/// Writes a game in version 2.
pub fn write(game: &Game) -> (Vec<u8>, Vec<Loss>) {
    let mut losses = Vec::new();
    let mut bytes = vec![0; SECOND.moves];
    bytes[..MAGIC.len()].copy_from_slice(MAGIC);
    bytes[VERSION] = SECOND.version;
    write_fields(game, &mut bytes, &mut losses);
    let start = game.start();
    bytes[KIND] = if start.key() == Position::start().key() { 0 } else { 3 };
    bytes[SECOND.result] = RESULTS.iter().position(|result| *result == game.outcome).unwrap_or(0) as u8;
    bytes[SECOND.side_to_move] = 1 + start.side_to_move().index() as u8;
    bytes[SECOND.round..SECOND.round + 2].copy_from_slice(&start.round().to_le_bytes());
    for (piece, square) in start.pieces_on_board() {
        let kind = KINDS.iter().position(|kind| *kind == piece.kind()).unwrap_or(0) as u8 + 1;
        bytes[SECOND.board + usize::from(number(square))] = (piece.side().index() as u8 + 1) << 4 | kind;
    }
    bytes[PLAYBACK..PLAYBACK + 4].fill(0xFF);
    if start.quiet_plies() > 0 {
        losses.push(Loss::QuietPlies);
    }
    if game.has_marks() {
        losses.push(Loss::Marks);
    }
    for node in game.preorder() {
        write_record(game, node, &mut bytes);
    }
    (bytes, losses)
}

fn write_fields(game: &Game, bytes: &mut [u8], losses: &mut Vec<Loss>) {
    for (tag, value) in game.tags.iter() {
        let Some((_, at, width)) = SECOND.fields.iter().find(|(name, ..)| name.eq_ignore_ascii_case(tag))
        else {
            losses.push(Loss::Tag(tag.to_owned()));
            continue;
        };
        if !put_text(value, &mut bytes[*at..at + width]) {
            losses.push(Loss::CutTag(tag.to_owned()));
        }
    }
}

/// Puts as many whole characters as fit before the closing zero; whether all did.
pub(crate) fn put_text(text: &str, field: &mut [u8]) -> bool {
    let mut at = 0;
    for character in text.chars() {
        let mut buffer = [0; 2];
        let units = character.encode_utf16(&mut buffer);
        if at + 2 * units.len() + 2 > field.len() {
            return false;
        }
        for unit in units {
            field[at..at + 2].copy_from_slice(&unit.to_le_bytes());
            at += 2;
        }
    }
    true
}

/// The root never has the flag that ends a line: readers know it by its place.
fn write_record(game: &Game, node: NodeId, bytes: &mut Vec<u8>) {
    let comment = game.comment(node);
    let mut flags = 0;
    if game.first_child(node).is_none() && node != NodeId::ROOT {
        flags |= ENDS_LINE;
    }
    if game.next_sibling(node).is_some() {
        flags |= HAS_SIBLING;
    }
    if !comment.is_empty() {
        flags |= HAS_COMMENT;
    }
    let (from, to) = game.mv(node).map_or((0, 0), |mv| (number(mv.from()), number(mv.to())));
    bytes.extend([flags, 0, from, to]);
    if !comment.is_empty() {
        // The length counts the closing zero.
        let units: Vec<u16> = comment.encode_utf16().chain([0]).collect();
        bytes.extend((2 * units.len() as u32).to_le_bytes());
        bytes.extend(units.into_iter().flat_map(u16::to_le_bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::coords::{RankStyle, parse_move};

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
