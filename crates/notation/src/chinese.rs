//! Moves in Chinese: 炮二平五, 馬８進７, 前車退二, in traditional or simplified characters.
//!
//! A move is four characters: the piece, its file, the direction and a number, with the meaning they
//! have in [`crate::wxf`]. Red writes numbers 一 to 九, Black １ to ９. Where pieces of a kind share a
//! file, a word before the piece replaces the file: 前 or 後 of two; 前, 中 or 後 of three soldiers; 一
//! to 五, counted from the front, of four or five. Where soldiers are in tandem on two files, those of
//! both are numbered 一 to 五 together, first from the player's right to left, then from front to rear
//! (the computer standard of the Xiangqi encyclopedia, xqbase.com). These words are Chinese numbers for
//! both sides: 一卒平５. Advisors and elephants never need them.
//!
//! Read, but never written: the other names of the pieces, for either side (俥傌包砲…); numbers of
//! either kind for either side, half or full width; 前 and 後 for the ends of four or five; the word behind
//! the piece (車前平三); the file kept with the word (前兵九平八), and that without the piece
//! (前九平八).

use std::fmt;

use chuhe_board::{Move, Piece, PieceKind, Position, Side};

use crate::words::{
    self, Description, Direction, MoveTextError, Place, TandemPlace, Which, Words, shortened,
};

const EXAMPLE: &str = "炮二平五";

/// Which characters are written. Both are always read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Script {
    /// 繁體: 馬二進三.
    #[default]
    Traditional,
    /// 简体: 马二进三.
    Simplified,
}

/// Reads a move of the side to move.
///
/// ```
/// use chuhe_board::Position;
/// use chuhe_notation::chinese;
///
/// let position = Position::start();
/// assert_eq!(chinese::parse_move("马八进7", &position)?.to_string(), "b0c2");
/// assert_eq!(
///     chinese::parse_move("炮四平五", &position).unwrap_err().to_string(),
///     "'炮四平五': there is no red cannon on file 4"
/// );
/// # Ok::<(), chuhe_notation::MoveTextError>(())
/// ```
pub fn parse_move(text: &str, position: &Position) -> Result<Move, MoveTextError> {
    let words = parse_words(text.trim())?;
    words::resolve(words, position, text)
}

/// Writes a legal move.
///
/// # Panics
/// If no piece stands where the move starts.
pub fn write_move(position: &Position, mv: Move, script: Script) -> ChineseMove {
    ChineseMove { description: words::describe(position, mv), script }
}

/// A move that prints itself in Chinese; made by [`write_move`].
#[derive(Clone, Copy, Debug)]
pub struct ChineseMove {
    description: Description,
    script: Script,
}

impl fmt::Display for ChineseMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Description { piece, file, tandem, direction, number } = self.description;
        let name = piece_name(piece, self.script);
        match tandem {
            None => write!(f, "{name}{}", numeral(file, piece.side()))?,
            Some(place) => write!(f, "{}{name}", place_name(place, self.script))?,
        }
        let direction = match (direction, self.script) {
            (Direction::Forward, Script::Traditional) => '進',
            (Direction::Forward, Script::Simplified) => '进',
            (Direction::Backward, _) => '退',
            (Direction::Sideways, _) => '平',
        };
        write!(f, "{direction}{}", numeral(number, piece.side()))
    }
}

/// The name of a piece as it is written in moves: 車, 馬 and 炮 for both sides, the others by side.
pub const fn piece_name(piece: Piece, script: Script) -> char {
    use PieceKind::{Advisor, Cannon, Chariot, Elephant, General, Horse, Soldier};
    match (piece.kind(), piece.side(), script) {
        (General, Side::Red, Script::Traditional) => '帥',
        (General, Side::Red, Script::Simplified) => '帅',
        (General, Side::Black, Script::Traditional) => '將',
        (General, Side::Black, Script::Simplified) => '将',
        (Advisor, Side::Red, _) => '仕',
        (Advisor, Side::Black, _) => '士',
        (Elephant, Side::Red, _) => '相',
        (Elephant, Side::Black, _) => '象',
        (Horse, _, Script::Traditional) => '馬',
        (Horse, _, Script::Simplified) => '马',
        (Chariot, _, Script::Traditional) => '車',
        (Chariot, _, Script::Simplified) => '车',
        (Cannon, ..) => '炮',
        (Soldier, Side::Red, _) => '兵',
        (Soldier, Side::Black, _) => '卒',
    }
}

const CHINESE_NUMERALS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
const WIDE_DIGITS: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];

/// A number from 1 to 9 as `side` writes it.
fn numeral(number: u8, side: Side) -> char {
    let numerals = match side {
        Side::Red => CHINESE_NUMERALS,
        Side::Black => WIDE_DIGITS,
    };
    numerals[usize::from(number) - 1]
}

fn place_name(place: TandemPlace, script: Script) -> char {
    let TandemPlace { nth, count, series, two_files } = place;
    match (count, nth) {
        _ if two_files || count > 3 => CHINESE_NUMERALS[usize::from(series) - 1],
        (_, 1) => '前',
        (3, 2) => '中',
        _ if script == Script::Traditional => '後',
        _ => '后',
    }
}

/// What a single character can mean.
#[derive(Clone, Copy, PartialEq)]
enum Sign {
    Kind(PieceKind),
    Place(Place),
    Direction(Direction),
    Number(u8),
}

fn sign(character: char) -> Option<Sign> {
    Some(match character {
        '前' => Sign::Place(Place::Front),
        '中' => Sign::Place(Place::Middle),
        '後' | '后' => Sign::Place(Place::Rear),
        '進' | '进' => Sign::Direction(Direction::Forward),
        '退' => Sign::Direction(Direction::Backward),
        '平' => Sign::Direction(Direction::Sideways),
        _ => match kind_of(character) {
            Some(kind) => Sign::Kind(kind),
            None => Sign::Number(number_of(character)?),
        },
    })
}

/// The kind of a piece by any of its names, whichever side it belongs to.
pub(crate) const fn kind_of(character: char) -> Option<PieceKind> {
    Some(match character {
        '帥' | '帅' | '將' | '将' | '師' => PieceKind::General,
        '仕' | '士' => PieceKind::Advisor,
        '相' | '象' => PieceKind::Elephant,
        '傌' | '馬' | '马' | '碼' | '码' => PieceKind::Horse,
        '俥' | '車' | '车' | '砗' | '硨' => PieceKind::Chariot,
        '炮' | '砲' | '包' | '泡' => PieceKind::Cannon,
        '兵' | '卒' => PieceKind::Soldier,
        _ => return None,
    })
}

/// The value of a numeral of any kind, 1–9.
fn number_of(character: char) -> Option<u8> {
    match words::narrow(character) {
        digit @ '1'..='9' => Some(digit as u8 - b'0'),
        _ => CHINESE_NUMERALS.iter().position(|numeral| *numeral == character).map(|index| index as u8 + 1),
    }
}

/// Whether a character has a meaning in moves and none elsewhere in records: a piece, a direction or a number.
pub(crate) fn is_sign(character: char) -> bool {
    sign(character).is_some()
}

/// Whether a text has the form of a move.
pub(crate) fn has_form(text: &str) -> bool {
    parse_words(text).is_ok()
}

/// Where the first of two or more moves without a space between them ends.
pub(crate) fn end_of_first(text: &str) -> Option<usize> {
    let ends = text.char_indices().map(|(index, _)| index).chain([text.len()]);
    ends.skip(4).take(2).find(|end| *end < text.len() && has_form(&text[..*end]))
}

fn parse_words(text: &str) -> Result<Words, MoveTextError> {
    let mut signs = arrayvec::ArrayVec::<Sign, 5>::new();
    for character in text.chars() {
        let sign = sign(character)
            .ok_or_else(|| MoveTextError::UnknownCharacter { character, text: shortened(text) })?;
        if signs.try_push(sign).is_err() {
            return Err(MoveTextError::Form { text: shortened(text), example: EXAMPLE });
        }
    }
    let words = match *signs.as_slice() {
        [first, second, Sign::Direction(direction), Sign::Number(number)] => {
            kind_and_which(first, second).map(|(kind, which)| Words { kind, which, direction, number })
        }
        [place, Sign::Kind(kind), Sign::Number(file), Sign::Direction(direction), Sign::Number(number)] => {
            place_of(place).map(|place| Words {
                kind,
                which: Which::InTandemOn(place, file),
                direction,
                number,
            })
        }
        _ => None,
    };
    words.ok_or_else(|| MoveTextError::Form { text: shortened(text), example: EXAMPLE })
}

fn kind_and_which(first: Sign, second: Sign) -> Option<(PieceKind, Which)> {
    Some(match (first, second) {
        (Sign::Kind(kind), Sign::Number(file)) => (kind, Which::OnFile(file)),
        (Sign::Kind(kind), Sign::Place(place)) | (Sign::Place(place), Sign::Kind(kind)) => {
            (kind, Which::InTandem(place))
        }
        (Sign::Number(number), Sign::Kind(kind)) => (kind, Which::InSeries(number)),
        (Sign::Place(place), Sign::Number(file)) => (PieceKind::Soldier, Which::InTandemOn(place, file)),
        _ => return None,
    })
}

fn place_of(sign: Sign) -> Option<Place> {
    match sign {
        Sign::Place(place) => Some(place),
        Sign::Number(number) => Some(Place::Nth(number)),
        Sign::Kind(_) | Sign::Direction(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fen: &str, text: &str) -> String {
        let position: Position = fen.parse().unwrap();
        match parse_move(text, &position) {
            Ok(mv) => mv.to_string(),
            Err(error) => error.to_string(),
        }
    }

    fn written(fen: &str, script: Script) -> Vec<String> {
        let position: Position = fen.parse().unwrap();
        let text = |mv| format!("{mv} {}", write_move(&position, mv, script));
        let mut moves: Vec<_> = position.moves().into_iter().map(text).collect();
        moves.retain(|mv| !mv.contains(['帥', '帅', '將', '将']));
        moves.sort();
        moves
    }

    const START: &str = chuhe_board::fen::START;

    #[test]
    fn names_of_either_side_and_script_are_read() {
        for text in ["馬八進七", "马八进七", "傌八進七", "馬8進7", "馬８進７", "码八进7"]
        {
            assert_eq!(read(START, text), "b0c2", "{text}");
        }
        for text in ["炮二平五", "包二平五", "砲２平5"] {
            assert_eq!(read(START, text), "h2e2", "{text}");
        }
        assert_eq!(read(START, "卒七进一"), "c3c4");
        assert_eq!(read(START, "將五進一"), "e0e1");
        assert_eq!(read(START, "象三進五"), "g0e2");
        assert_eq!(read(START, "士四進五"), "f0e1");
    }

    #[test]
    fn each_side_writes_its_own_names_and_numbers() {
        let red = written(START, Script::Traditional);
        assert!(red.contains(&"b0c2 馬八進七".to_owned()) && red.contains(&"i3i4 兵一進一".to_owned()));
        let black = written(&START.replace('w', "b"), Script::Simplified);
        assert!(black.contains(&"b9c7 马２进３".to_owned()) && black.contains(&"i6i5 卒９进１".to_owned()));
    }

    #[test]
    fn two_pieces_of_a_file_are_front_and_rear() {
        let cannons = "3k5/9/9/2c6/9/2c6/9/9/4K4/9 b";
        assert!(written(cannons, Script::Traditional).contains(&"c4a4 前炮平１".to_owned()));
        assert!(written(cannons, Script::Simplified).contains(&"c6a6 后炮平１".to_owned()));
        for text in ["后炮平1", "炮後平一", "後包平１", "二炮平1", "后炮3平1"] {
            assert_eq!(read(cannons, text), "c6a6", "{text}");
        }
        assert_eq!(read(cannons, "炮3平1"), "'炮3平1' is ambiguous: it may be c4a4 or c6a6");
        assert_eq!(
            read(cannons, "中炮平1"),
            "'中炮平1': there is no black cannon in the middle of several on one file"
        );
    }

    #[test]
    fn three_soldiers_are_front_middle_and_rear() {
        assert_eq!(
            written("5k3/4P4/4P4/4P4/9/9/9/9/9/3K5 w", Script::Simplified),
            [
                "e6d6 后兵平六",
                "e6f6 后兵平四",
                "e7d7 中兵平六",
                "e7f7 中兵平四",
                "e8d8 前兵平六",
                "e8e9 前兵进一",
                "e8f8 前兵平四"
            ]
        );
    }

    #[test]
    fn four_or_five_soldiers_are_numbered_from_the_front() {
        let four = "3k5/4P4/4P4/4P4/4P4/9/9/9/9/4K4 w";
        let written = written(four, Script::Traditional);
        assert_eq!(written[..2], ["e5d5 四兵平六", "e5f5 四兵平四"]);
        assert_eq!(written[6..], ["e8d8 一兵平六", "e8e9 一兵進一", "e8f8 一兵平四"]);
        assert_eq!(read(four, "前兵平六"), "e8d8");
        assert_eq!(read(four, "后兵平六"), "e5d5");
    }

    /// The worked example of the computer standard.
    #[test]
    fn soldiers_in_two_tandems_are_numbered_from_the_right() {
        let two_files = "4k4/3P1P3/9/3P1P3/9/9/9/9/9/3K5 w";
        for (text, mv) in
            [("一兵平五", "f8e8"), ("二兵平五", "f6e6"), ("三兵平五", "d8e8"), ("四兵平五", "d6e6")]
        {
            assert_eq!(read(two_files, text), mv);
            assert!(written(two_files, Script::Traditional).contains(&format!("{mv} {text}")));
        }
        assert_eq!(read(two_files, "前兵四平五"), "f8e8");
        assert_eq!(read(two_files, "後六平五"), "d6e6");
        assert_eq!(read(two_files, "前兵平五"), "'前兵平五' is ambiguous: it may be f8e8 or d8e8");
        let black = "3k5/9/9/9/9/9/3p1p3/9/3p1p3/4K4 b";
        assert!(written(black, Script::Traditional).contains(&"d1e1 一卒平５".to_owned()));
    }

    #[test]
    fn errors_name_what_is_wrong() {
        assert_eq!(read(START, "炮二"), "'炮二' is not a move: expected one such as '炮二平五'");
        assert_eq!(read(START, ""), "'' is not a move: expected one such as '炮二平五'");
        assert_eq!(
            read(START, "炮二平五五五"),
            "'炮二平五五五' is not a move: expected one such as '炮二平五'"
        );
        assert_eq!(read(START, "炮十平五"), "unexpected '十' in '炮十平五'");
        assert_eq!(read(START, "炮二平四十"), "unexpected '十' in '炮二平四十'");
        assert_eq!(read(START, "車一平三"), "'車一平三' is not legal here");
        assert_eq!(
            read(START, "六兵平五"),
            "'六兵平五': there is no red soldier number 6 among those that share a file"
        );
    }
}
