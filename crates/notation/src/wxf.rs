//! Moves in the letters of the World Xiangqi Federation: `C2=5`, `H8+7`, `R+-2`, `15=4`.
//!
//! A move is four characters: the piece, its file, the direction and a number. Files are counted 1–9
//! from each player's right. `+` is forward, `-` backward, `=` along the rank; the number counts steps
//! along a file and names the file where any other move ends. Where two pieces of a kind share a file,
//! `+` or `-` in place of the file distinguishes the front one from the rear one. Three or more soldiers on
//! a file, or tandems of soldiers on two files, take a number counted from the front in the place of
//! the piece and keep the file: `15=4` (World Xiangqi Rules of 2018). Advisors and elephants never need
//! a sign: the front one can only retreat, the rear one only advance.
//!
//! Read, but never written: lower case and `.` for `=` (as playOK has it); the other letters for pieces
//! (`N`, `B`, `G`); the sign before the piece (`+C=5`); the tandems of the rules of 1997 (`++=4`,
//! `P3=4` for the middle of three, `3+=4` for one of two files); soldiers `Pa` to `Pe`; and `C25`
//! without its direction.

use std::fmt;

use chuhe_board::{Move, PieceKind, Position};

use crate::words::{self, Description, Direction, MoveTextError, Place, Which, Words, shortened};

const EXAMPLE: &str = "C2=5";

/// Reads a move of the side to move.
///
/// ```
/// use chuhe_board::Position;
/// use chuhe_notation::wxf;
///
/// let position = Position::start();
/// assert_eq!(wxf::parse_move("H8+7", &position)?.to_string(), "b0c2");
/// assert_eq!(
///     wxf::parse_move("C4=5", &position).unwrap_err().to_string(),
///     "'C4=5': there is no red cannon on file 4"
/// );
/// # Ok::<(), chuhe_notation::MoveTextError>(())
/// ```
pub fn parse_move(text: &str, position: &Position) -> Result<Move, MoveTextError> {
    let words = parse_words(text.trim(), position)?;
    words::resolve(words, position, text)
}

/// Writes a legal move.
///
/// # Panics
/// If no piece stands where the move starts.
pub fn write_move(position: &Position, mv: Move) -> WxfMove {
    WxfMove(words::describe(position, mv))
}

/// A move that prints itself in WXF letters; made by [`write_move`].
#[derive(Clone, Copy, Debug)]
pub struct WxfMove(Description);

impl fmt::Display for WxfMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Description { piece, file, tandem, direction, number } = self.0;
        match tandem {
            None => write!(f, "{}{file}", letter(piece.kind()))?,
            Some(place) if place.count > 2 || place.two_files => write!(f, "{}{file}", place.nth)?,
            Some(place) => write!(f, "{}{}", letter(piece.kind()), if place.nth == 1 { '+' } else { '-' })?,
        }
        let sign = match direction {
            Direction::Forward => '+',
            Direction::Backward => '-',
            Direction::Sideways => '=',
        };
        write!(f, "{sign}{number}")
    }
}

/// The federation's letter for a kind of piece.
const fn letter(kind: PieceKind) -> char {
    match kind {
        PieceKind::Elephant => 'E',
        PieceKind::Horse => 'H',
        _ => kind.letter(),
    }
}

const fn kind_of(character: char) -> Option<PieceKind> {
    match character {
        'G' | 'g' => Some(PieceKind::General),
        _ => PieceKind::from_letter(character),
    }
}

/// What a single character can mean.
#[derive(Clone, Copy, PartialEq)]
enum Sign {
    Kind(PieceKind),
    Plus,
    Minus,
    Level,
    Digit(u8),
}

fn sign(character: char) -> Option<Sign> {
    Some(match words::narrow(character) {
        '+' => Sign::Plus,
        '-' | '–' | '−' => Sign::Minus,
        '=' | '.' => Sign::Level,
        digit @ '1'..='9' => Sign::Digit(digit as u8 - b'0'),
        letter => Sign::Kind(kind_of(letter)?),
    })
}

/// Whether each character has a meaning in moves.
pub(crate) fn has_signs(text: &str) -> bool {
    text.chars().all(|character| sign(character).is_some())
}

fn parse_words(text: &str, position: &Position) -> Result<Words, MoveTextError> {
    let form = || MoveTextError::Form { text: shortened(text), example: EXAMPLE };
    let known = |character| {
        sign(character).ok_or_else(|| MoveTextError::UnknownCharacter { character, text: shortened(text) })
    };
    let mut characters = text.chars();
    let (Some(first), Some(second), Some(third)) = (characters.next(), characters.next(), characters.next())
    else {
        return Err(form());
    };
    let fourth = characters.next();
    if characters.next().is_some() {
        return Err(form());
    }
    if let (Some(PieceKind::Soldier), Some(number), Some(fourth)) = (kind_of(first), lettered(second), fourth)
    {
        let (direction, number_of_steps) =
            direction_and_number(known(third)?, known(fourth)?).ok_or_else(form)?;
        let which = Which::InSeries(number);
        return Ok(Words { kind: PieceKind::Soldier, which, direction, number: number_of_steps });
    }
    let (first, second, third) = (known(first)?, known(second)?, known(third)?);
    let (direction, number) = match fourth {
        Some(fourth) => direction_and_number(third, known(fourth)?),
        None => direction_and_number(Sign::Level, third),
    }
    .ok_or_else(form)?;
    let (kind, which) = kind_and_which(first, second, position).ok_or_else(form)?;
    Ok(Words { kind, which, direction, number })
}

fn direction_and_number(direction: Sign, number: Sign) -> Option<(Direction, u8)> {
    let direction = match direction {
        Sign::Plus => Direction::Forward,
        Sign::Minus => Direction::Backward,
        Sign::Level => Direction::Sideways,
        Sign::Kind(_) | Sign::Digit(_) => return None,
    };
    match number {
        Sign::Digit(number) => Some((direction, number)),
        _ => None,
    }
}

fn kind_and_which(first: Sign, second: Sign, position: &Position) -> Option<(PieceKind, Which)> {
    let soldier = PieceKind::Soldier;
    Some(match (first, second) {
        (Sign::Kind(kind), Sign::Digit(file)) => (kind, Which::OnFile(file)),
        (Sign::Kind(kind), sign) | (sign, Sign::Kind(kind)) => {
            (kind, Which::InTandem(inner_place(sign, words::longest_tandem(position, kind))?))
        }
        (Sign::Digit(nth), Sign::Digit(file)) => (soldier, Which::InTandemOn(Place::Nth(nth), file)),
        (Sign::Digit(file), sign) => (soldier, Which::InTandemOn(outer_place(sign)?, file)),
        (Sign::Plus, Sign::Plus) | (Sign::Minus, Sign::Minus) => {
            (soldier, Which::InTandem(outer_place(first)?))
        }
        _ => return None,
    })
}

fn outer_place(sign: Sign) -> Option<Place> {
    match sign {
        Sign::Plus => Some(Place::Front),
        Sign::Minus => Some(Place::Rear),
        Sign::Level => Some(Place::Middle),
        Sign::Kind(_) | Sign::Digit(_) => None,
    }
}

/// In the rules of 1997 `P+` and `P-` are the second and the last but one of four or five soldiers,
/// because the ends are `++` and `--`.
fn inner_place(sign: Sign, count: u8) -> Option<Place> {
    match sign {
        Sign::Plus if count > 3 => Some(Place::Nth(2)),
        Sign::Minus if count > 3 => Some(Place::Nth(count - 1)),
        _ => outer_place(sign),
    }
}

/// The number of a soldier in the notation that names them `a` to `e`.
fn lettered(character: char) -> Option<u8> {
    matches!(character, 'a'..='e').then(|| character as u8 - b'a' + 1)
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

    fn written(fen: &str) -> Vec<String> {
        let position: Position = fen.parse().unwrap();
        let mut moves: Vec<_> =
            position.moves().into_iter().map(|mv| format!("{mv} {}", write_move(&position, mv))).collect();
        moves.retain(|mv| !mv.contains('K'));
        moves.sort();
        moves
    }

    const START: &str = chuhe_board::fen::START;

    #[test]
    fn files_count_from_each_players_right() {
        assert_eq!(read(START, "C2=5"), "h2e2");
        assert_eq!(read(&START.replace('w', "b"), "H8+7"), "h9g7");
        assert_eq!(read(&START.replace('w', "b"), "R1+1"), "a9a8");
    }

    #[test]
    fn other_letters_case_and_dots_are_read() {
        for text in ["H2+3", "h2+3", "N2+3", "n2+3", " H2+3\n", "Ｈ２＋３"] {
            assert_eq!(read(START, text), "h0g2", "{text}");
        }
        assert_eq!(read(START, "c2.5"), "h2e2");
        assert_eq!(read(START, "C25"), "h2e2");
        assert_eq!(read(START, "G5+1"), "e0e1");
        assert_eq!(read(START, "E3+5"), read(START, "B3+5"));
    }

    #[test]
    fn a_sign_tells_two_pieces_of_a_file_apart() {
        let chariots = "3k5/2R6/9/2R6/9/9/9/9/4K4/9 w";
        assert_eq!(read(chariots, "R+=9"), "c8a8");
        assert_eq!(read(chariots, "-R=9"), "c6a6");
        assert_eq!(read(chariots, "R7=9"), "'R7=9' is ambiguous: it may be c8a8 or c6a6");
        assert_eq!(read(chariots, "R7-3"), "c6c3", "only one of them can");
    }

    #[test]
    fn elephants_of_a_file_need_no_sign() {
        let elephants = "3k5/9/9/9/9/2B6/9/9/4K4/2B6 w";
        assert_eq!(written(elephants), ["c0a2 E7+9", "c0e2 E7+5", "c4a2 E7-9", "c4e2 E7-5"]);
        assert_eq!(read(elephants, "E+-5"), "c4e2");
    }

    /// As Fairy-Stockfish writes these positions.
    #[test]
    fn three_soldiers_of_a_file_are_numbered_from_the_front() {
        assert_eq!(
            written("5k3/4P4/4P4/4P4/9/9/9/9/9/3K5 w"),
            ["e6d6 35=6", "e6f6 35=4", "e7d7 25=6", "e7f7 25=4", "e8d8 15=6", "e8e9 15+1", "e8f8 15=4"]
        );
    }

    #[test]
    fn soldiers_in_two_tandems_are_numbered_with_their_file() {
        let two_files = "5k3/4P1P2/4P1P2/9/9/9/9/9/9/3K5 w";
        assert_eq!(
            written(two_files),
            [
                "e7d7 25=6",
                "e7f7 25=4",
                "e8d8 15=6",
                "e8e9 15+1",
                "e8f8 15=4",
                "g7f7 23=4",
                "g7h7 23=2",
                "g8f8 13=4",
                "g8g9 13+1",
                "g8h8 13=2"
            ]
        );
        assert_eq!(read(two_files, "P+=4"), "'P+=4' is ambiguous: it may be g8f8 or e8f8");
        assert_eq!(read(two_files, "P+=2"), "g8h8");
        assert_eq!(read(two_files, "5-=4"), "e7f7");
        assert_eq!(read(two_files, "Pa=4"), "g8f8");
        assert_eq!(read(two_files, "pd=4"), "e7f7");
    }

    #[test]
    fn the_tandems_of_the_rules_of_1997_are_read() {
        let three = "5k3/4P4/4P4/4P4/9/9/9/9/9/3K5 w";
        assert_eq!(read(three, "P+=4"), "e8f8");
        assert_eq!(read(three, "P5=4"), "e7f7");
        assert_eq!(read(three, "P==4"), "e7f7");
        assert_eq!(read(three, "P-=4"), "e6f6");
        let five = "3k5/4P4/4P4/4P4/4P4/4P4/9/9/9/5K3 w";
        assert_eq!(read(five, "++=6"), "e8d8");
        assert_eq!(read(five, "P+=6"), "e7d7");
        assert_eq!(read(five, "P5=6"), "e6d6");
        assert_eq!(read(five, "P-=6"), "e5d5");
        assert_eq!(read(five, "--+1"), "'--+1' is not legal here");
    }

    #[test]
    fn errors_name_what_is_wrong() {
        assert_eq!(read(START, "C2"), "'C2' is not a move: expected one such as 'C2=5'");
        assert_eq!(read(START, "C2=5#"), "'C2=5#' is not a move: expected one such as 'C2=5'");
        assert_eq!(read(START, "22=C"), "'22=C' is not a move: expected one such as 'C2=5'");
        assert_eq!(read(START, "X2=5"), "unexpected 'X' in 'X2=5'");
        assert_eq!(read(START, "H2=3"), "'H2=3' is not legal here");
        assert_eq!(read(START, "C2+9"), "'C2+9' is not legal here");
        assert_eq!(read(START, "C+=5"), "'C+=5': there is no red cannon in front of several on one file");
        assert_eq!(read(START, "35=4"), "'35=4': there is no red soldier number 3 on file 5");
    }
}
