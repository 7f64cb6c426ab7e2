//! The CHN of Ourgame that starts with `GL`: names and date, the board at the start, then a dump of the list of moves.

use chuhe_board::{Piece, PieceKind, Side, Square};

use crate::bytes::{Bytes, at_byte};
use crate::encoding;
use crate::failure::{Place, Problem, RecordError, checked_move};
use crate::record::Game;
use crate::setup::Start;

pub(super) const MAGIC: &[u8] = b"GL";

const DATE: (usize, usize) = (8, 28);
const TITLE: (usize, usize) = (36, 64);
const RED: (usize, usize) = (120, 20);
const BLACK: (usize, usize) = (160, 20);
/// The board at the start, file by file from Red's left, each from Black's side; the one at the end follows it.
const BOARD: usize = 180;
/// How many moves there are.
const COUNT: usize = 364;
/// The nodes of the list; the first has no move.
const NODES: usize = 472;
const NODE: usize = 36;
/// Where a node has its move: the points where it starts and ends, rank (from Black's side) and file in four bits each.
const MOVE: usize = 14;

/// The pieces by the lower three bits of their codes, from 1; the fourth is set for Black.
const KINDS: [PieceKind; 7] = {
    use PieceKind::{Advisor, Cannon, Chariot, Elephant, General, Horse, Soldier};
    [Chariot, Horse, Cannon, General, Advisor, Elephant, Soldier]
};

pub(super) fn read(bytes: &[u8]) -> Result<Game, RecordError> {
    let header =
        bytes.get(..NODES).ok_or_else(|| at_byte(1, bytes.len())(Problem::Truncated("the header")))?;
    let board = header[BOARD..BOARD + Square::COUNT].iter().enumerate();
    let pieces =
        board.filter_map(|(place, code)| Some((piece(*code)?, Square::at(file(place), rank(place))?)));
    let first = bytes.get(NODES + NODE + MOVE).and_then(|number| point(*number));
    let mut builder = Start::of_pieces(pieces.collect(), first, Side::Red).builder(1, Place::Byte(BOARD));
    let text = |(at, width): (usize, usize)| {
        let field = &header[at..at + width];
        let end = field.iter().position(|byte| *byte == 0).unwrap_or(width);
        encoding::decode_gbk(&field[..end])
    };
    for (tag, field) in [("Title", TITLE), ("Red", RED), ("Black", BLACK)] {
        builder.set_tag(tag, &text(field));
    }
    builder.set_tag("Date", &date(&text(DATE)));

    let count = u32::from_le_bytes([header[COUNT], header[COUNT + 1], header[COUNT + 2], header[COUNT + 3]]);
    let mut nodes = Bytes::new(bytes, NODES + NODE);
    for _ in 0..count {
        let place = Place::Byte(nodes.at());
        let node: [u8; NODE] = match nodes.array("a move") {
            Ok(node) => node,
            Err(problem) => {
                builder.add_fault(place, problem);
                break;
            }
        };
        let raw = (node[MOVE], node[MOVE + 1]);
        let mv = checked_move(point(raw.0), point(raw.1), raw);
        let name = mv.as_ref().map_or_else(|_| format!("{:02x}{:02x}", raw.0, raw.1), ToString::to_string);
        builder.try_move(mv, name, place);
    }
    Ok(builder.finish())
}

const fn file(place: usize) -> u8 {
    (place / 10) as u8
}

const fn rank(place: usize) -> u8 {
    9 - (place % 10) as u8
}

fn piece(code: u8) -> Option<Piece> {
    let code = code & 0x0F;
    let side = if code & 8 == 0 { Side::Red } else { Side::Black };
    Some(Piece::new(side, *KINDS.get(usize::from(code & 7).checked_sub(1)?)?))
}

fn point(number: u8) -> Option<Square> {
    Square::at(number & 0x0F, 9_u8.checked_sub(number >> 4)?)
}

/// `Tue Dec 27 20:57:56 2016` as `2016.12.27`; other texts as they are.
fn date(text: &str) -> String {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let words: Vec<&str> = text.split_whitespace().collect();
    if let [_, month, day, _, year] = words[..]
        && let Some(month) = MONTHS.iter().position(|name| *name == month)
        && let Ok(day) = day.parse::<u8>()
    {
        return format!("{year}.{:02}.{day:02}", month + 1);
    }
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file as Ourgame writes it, with pointers of its list in the nodes.
    fn file(moves: &[(u8, u8)]) -> Vec<u8> {
        let mut bytes = vec![0; NODES];
        bytes[..8].copy_from_slice(b"GL\xd0\x07\xd4\x07\x01\x00");
        bytes[8..33].copy_from_slice(b"Tue Dec 27 20:57:56 2016\n");
        let mut put = |at: usize, text: &str| {
            let (encoded, _) = encoding::encode_gbk(text);
            bytes[at..at + encoded.len()].copy_from_slice(&encoded);
        };
        put(36, "甲[1] - 乙[2]");
        put(120, "甲");
        put(160, "乙");
        let files: [[u8; 10]; 9] = [
            [0x19, 0, 0, 0x1F, 0, 0, 0x17, 0, 0, 0x11],
            [0x1A, 0, 0x1B, 0, 0, 0, 0, 0x13, 0, 0x12],
            [0x1E, 0, 0, 0x2F, 0, 0, 0x27, 0, 0, 0x16],
            [0x1D, 0, 0, 0, 0, 0, 0, 0, 0, 0x15],
            [0x1C, 0, 0, 0x3F, 0, 0, 0x37, 0, 0, 0x14],
            [0x2D, 0, 0, 0, 0, 0, 0, 0, 0, 0x25],
            [0x2E, 0, 0, 0x4F, 0, 0, 0x47, 0, 0, 0x26],
            [0x2A, 0, 0x2B, 0, 0, 0, 0, 0x23, 0, 0x22],
            [0x29, 0, 0, 0x5F, 0, 0, 0x57, 0, 0, 0x21],
        ];
        bytes[BOARD..BOARD + 90].copy_from_slice(files.as_flattened());
        bytes[COUNT] = moves.len() as u8;
        for (index, (from, to)) in std::iter::once(&(0xFF, 0xFF)).chain(moves).enumerate() {
            let mut node = [0; NODE];
            node[..4].copy_from_slice(&(0x02D3_9DE8 + index as u32 * 64).to_le_bytes());
            node[MOVE] = *from;
            node[MOVE + 1] = *to;
            bytes.extend(node);
        }
        bytes
    }

    #[test]
    fn names_date_and_moves_are_read() {
        let game = read(&file(&[(0x77, 0x74), (0x01, 0x22)])).unwrap();
        assert_eq!(game.start(), &chuhe_board::Position::start());
        let tags = ["Red", "Black", "Date", "Title"].map(|name| game.tags.get(name).unwrap());
        assert_eq!(tags, ["甲", "乙", "2016.12.27", "甲[1] - 乙[2]"]);
        assert_eq!(game.main_moves().map(|mv| mv.to_string()).collect::<Vec<_>>(), ["h2e2", "b9c7"]);
    }

    #[test]
    fn a_file_cut_short_keeps_its_moves_and_says_so() {
        let bytes = file(&[(0x77, 0x74), (0x01, 0x22)]);
        let game = read(&bytes[..bytes.len() - 4]).unwrap();
        assert_eq!(game.main_moves().count(), 1);
        assert_eq!(game.faults()[0].to_string(), "game 1, byte 544: the file ends within a move");
    }
}
