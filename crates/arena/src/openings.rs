//! The positions that games begin with: from lists of moves, FEN or EPD lines, or PGN.

use chuhe_board::coords::{self, CoordsError, RankStyle};
use chuhe_board::fen::{self, FenError};
use chuhe_board::{Move, Position};
use chuhe_notation::{Place, pgn};

/// A start position and the moves that are played before the engines take over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Where the game starts.
    pub start: Position,
    /// What is played before the engines think.
    pub moves: Vec<Move>,
}

impl Opening {
    /// The normal start position.
    pub fn normal() -> Self {
        Self { start: Position::start(), moves: Vec::new() }
    }

    /// Plays the moves; the position in which the engines take over.
    fn played(&self) -> Result<Position, Problem> {
        let mut position = self.start.clone();
        for mv in &self.moves {
            if !position.is_legal(*mv) {
                return Err(Problem::Illegal(*mv));
            }
            let _ = position.play(*mv, &mut ());
        }
        if position.has_moves() { Ok(position) } else { Err(Problem::Over) }
    }
}

/// How openings are read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading {
    /// How ranks are counted.
    pub ranks: RankStyle,
    /// How many plies of each opening are played at most.
    pub plies: Option<usize>,
}

/// A bad opening, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct OpeningError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with an opening.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A bad position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A word that is no move.
    #[error(transparent)]
    Move(#[from] CoordsError),
    /// A PGN that cannot be read.
    #[error(transparent)]
    Record(#[from] chuhe_notation::Problem),
    /// A move that is not legal.
    #[error("the move {0} is not legal there")]
    Illegal(Move),
    /// Nothing is left to play.
    #[error("the game is over before the engines could play")]
    Over,
    /// There is no opening at all.
    #[error("no openings found")]
    Nothing,
}

/// Reads openings, one a line, or PGN if the text has tags. A line is `startpos moves …`, `fen … moves …`,
/// a bare FEN or EPD, or bare moves; `#` starts a comment.
///
/// ```
/// use chuhe_arena::openings::{self, Reading};
///
/// let list = openings::read("startpos moves h2e2 h9g7\n# the rest\nH2-E2 B9-C7\n", Reading::default()).unwrap();
/// assert_eq!(list.len(), 2);
/// ```
pub fn read(text: &str, reading: Reading) -> Result<Vec<Opening>, OpeningError> {
    let text = text.trim_start_matches('\u{feff}');
    let is_pgn = text.lines().any(|line| line.trim_start().starts_with('['));
    let openings = if is_pgn { read_pgn(text, reading) } else { read_lines(text, reading) }?;
    if openings.is_empty() {
        return Err(OpeningError { line: text.lines().count(), problem: Problem::Nothing });
    }
    Ok(openings)
}

fn read_lines(text: &str, reading: Reading) -> Result<Vec<Opening>, OpeningError> {
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let words: Vec<&str> = line.split('#').next().unwrap_or("").split_whitespace().collect();
        if words.is_empty() {
            continue;
        }
        let opening =
            read_line(&words, reading).map_err(|problem| OpeningError { line: index + 1, problem })?;
        openings.push(opening);
    }
    Ok(openings)
}

fn read_line(words: &[&str], reading: Reading) -> Result<Opening, Problem> {
    let words = words.strip_prefix(&["position"]).unwrap_or(words);
    let at = words.iter().position(|word| *word == "moves");
    let (head, moves) = match at {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[][..]),
    };
    let (start, moves) = match head {
        ["startpos"] | [] => (Position::start(), moves),
        [first, ..] if at.is_none() && coords::parse_move(first, reading.ranks).is_ok() => {
            (Position::start(), head)
        }
        ["fen", rest @ ..] => (read_fen(rest)?, moves),
        rest => (read_fen(rest)?, moves),
    };
    let moves = moves.iter().map(|word| coords::parse_move(word, reading.ranks)).collect::<Result<_, _>>()?;
    checked(Opening { start, moves }, reading)
}

/// A FEN, or an EPD, whose operations (`bm …; id …;`) are passed over.
fn read_fen(words: &[&str]) -> Result<Position, FenError> {
    let is_epd = words.iter().any(|word| word.ends_with(';'));
    let fields = words.iter().take(6).enumerate().take_while(|(index, word)| {
        *index < 2 || **word == "-" || word.bytes().all(|byte| byte.is_ascii_digit())
    });
    let fields = if is_epd { fields.count() } else { words.len() };
    fen::parse(&words[..fields].join(" "))
}

fn checked(mut opening: Opening, reading: Reading) -> Result<Opening, Problem> {
    opening.moves.truncate(reading.plies.unwrap_or(usize::MAX));
    opening.played()?;
    Ok(opening)
}

/// The main lines of a PGN, whose moves may be coordinates, WXF or Chinese.
fn read_pgn(text: &str, reading: Reading) -> Result<Vec<Opening>, OpeningError> {
    let last_line = text.lines().count();
    pgn::read(text, reading.ranks)
        .map(|game| {
            let game = game.map_err(|error| OpeningError {
                line: match error.place {
                    Place::Line(line) => line,
                    Place::Byte(_) => last_line,
                },
                problem: Problem::Record(error.problem),
            })?;
            let opening = Opening { start: game.start().clone(), moves: game.main_moves().collect() };
            checked(opening, reading).map_err(|problem| OpeningError { line: last_line, problem })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let openings = read(text, Reading::default()).unwrap();
        openings.iter().map(|opening| format!("{} {:?}", opening.start, opening.moves)).collect()
    }

    const EMPTY_BOARD: &str = "3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1";

    #[test]
    fn every_form_of_a_line_is_read() {
        let text = format!(
            "# openings\nstartpos\nposition startpos moves h2e2 h9g7 # central cannon\nfen {EMPTY_BOARD} moves e1e2\n\
             {EMPTY_BOARD}\n3k5/9/9/9/9/9/9/9/4R4/5K3 w - - bm e1d1; id \"one\";\nh2e2 h9g7\n"
        );
        let start = fen::START;
        assert_eq!(
            shown(&text),
            [
                format!("{start} []"),
                format!("{start} [h2e2, h9g7]"),
                format!("{EMPTY_BOARD} [e1e2]"),
                format!("{EMPTY_BOARD} []"),
                format!("{EMPTY_BOARD} []"),
                format!("{start} [h2e2, h9g7]"),
            ]
        );
    }

    #[test]
    fn pgn_is_read_game_by_game() {
        let text = format!(
            "[Game \"Chinese Chess\"]\n[Red \"A\"]\n\n1. C2=5 {{a [comment\n]}} 馬８進７ 2.H0-G2 (2. B0-C2 B9-C7) $1 *\n\n\
             [FEN \"{EMPTY_BOARD}\"]\n\n1. e1e2 ; to the end 2. x\nd9d8 1-0\n[Red \"C\"]\n\n1/2-1/2\n"
        );
        assert_eq!(
            shown(&text),
            [
                format!("{} [h2e2, h9g7, h0g2]", fen::START),
                format!("{EMPTY_BOARD} [e1e2, d9d8]"),
                format!("{} []", fen::START),
            ]
        );
    }

    #[test]
    fn openings_are_cut_to_the_wanted_length() {
        let reading = Reading { plies: Some(1), ranks: RankStyle::FromOne };
        let openings = read("h3e3 h10g8 h1g3", reading).unwrap();
        assert_eq!(openings[0].moves.len(), 1);
        assert_eq!(openings[0].moves[0].to_string(), "h2e2");
    }

    #[test]
    fn a_bad_line_is_named() {
        let message = |text: &str| read(text, Reading::default()).unwrap_err().to_string();
        assert_eq!(
            message("startpos moves h2e2\nstartpos moves h2h2"),
            "line 2: 'h2h2' ends where it starts"
        );
        assert_eq!(message("startpos moves h2e2 e3e5"), "line 1: the move e3e5 is not legal there");
        assert_eq!(message("\n\n4k4/9 w"), "line 3: expected 10 ranks separated by '/', found 2");
        assert_eq!(message("# nothing\n"), "line 1: no openings found");
        assert_eq!(
            message("fen 3k5/4P4/9/9/9/9/9/9/9/4K4 b"),
            "line 1: the game is over before the engines could play"
        );
        assert_eq!(message("[Red \"A\"]\n\n1. C2=5 X9+1 *"), "line 3: unexpected 'X' in 'X9+1'");
        assert!(message("").contains("no openings"));
    }
}
