//! MXQ, the records of 弈天象棋 (MoveSky): texts in GBK behind a byte with their length. The layout is that of sample
//! files; `docs/formats.md` says what is guessed.

use chuhe_board::{Outcome, Position, Square};

use crate::bytes::{Bytes, at_byte};
use crate::encoding;
use crate::failure::{Place, Problem, RecordError, checked_move};
use crate::record::{Game, GameBuilder};

/// Texts before the moves. Those without a tag seem to be times and their limits; that the next two are ratings is
/// guessed.
const FIELDS: [&str; 11] =
    ["Site", "Date", "Title", "", "", "", "", "", "RedRating", "BlackRating", "Termination"];
const MOVES: &[u8] = b"Moves";
const END: &[u8] = b"Ends";

/// Reads the game of an MXQ file, strictly.
pub fn read(bytes: &[u8]) -> Result<Game, RecordError> {
    read_tolerantly(bytes).and_then(Game::strict)
}

pub(crate) fn read_tolerantly(file: &[u8]) -> Result<Game, RecordError> {
    let mut bytes = Bytes::new(file, 0);
    let mut builder = GameBuilder::new(Position::start());
    let mut fields = FIELDS.iter();
    loop {
        let field = text(&mut bytes).map_err(|_| at_byte(1, 0)(Problem::NotThisFormat("MXQ")))?;
        if field == MOVES {
            break;
        }
        match fields.next() {
            None | Some(&"") => {}
            Some(&"Date") => builder.set_tag("Date", &date(&encoding::decode_gbk(field))),
            Some(tag) => builder.set_tag(tag, &encoding::decode_gbk(field)),
        }
    }
    name_players(&mut builder);
    loop {
        let place = Place::Byte(bytes.at());
        match text(&mut bytes) {
            Ok(END) => break,
            Ok(word) => builder.try_move(parse(word), encoding::decode_gbk(word), place),
            Err(problem) => {
                builder.add_fault(place, problem);
                break;
            }
        }
    }
    Ok(builder.finish())
}

fn text<'a>(bytes: &mut Bytes<'a>) -> Result<&'a [u8], Problem> {
    let [length] = bytes.array("a text")?;
    bytes.take(length.into(), "a text")
}

/// `2016年12月27日 21点14分` as `2016.12.27`; other texts as they are.
fn date(text: &str) -> String {
    let numbers =
        text.split(|character: char| !character.is_ascii_digit()).filter(|number| !number.is_empty());
    match numbers.collect::<Vec<_>>()[..] {
        [year, month, day, ..] if year.len() == 4 => format!("{year}.{month:0>2}.{day:0>2}"),
        _ => text.to_owned(),
    }
}

/// A move such as `7C-4C`: files from 0 from Red's left, ranks from A from Red's side.
fn parse(word: &[u8]) -> Result<chuhe_board::Move, Problem> {
    let [from_file, from_rank, b'-', to_file, to_rank] = *word else {
        return Err(Problem::Unreadable(crate::words::shortened(&encoding::decode_gbk(word))));
    };
    let point = |file: u8, rank: u8| Square::at(file.wrapping_sub(b'0'), rank.wrapping_sub(b'A'));
    checked_move(point(from_file, from_rank), point(to_file, to_rank), (from_file, to_file))
}

/// The title is `甲-勝-乙`: the players, and how the game ended for the first.
fn name_players(builder: &mut GameBuilder) {
    let title = builder.tag("Title").unwrap_or_default().to_owned();
    let mut best = None;
    for (word, outcome) in [
        ("胜", Outcome::RedWins),
        ("勝", Outcome::RedWins),
        ("负", Outcome::BlackWins),
        ("負", Outcome::BlackWins),
        ("和", Outcome::Draw),
    ] {
        if let Some((red, black)) = title.split_once(&format!("-{word}-")) {
            best = Some((red, black, outcome));
        }
    }
    if let Some((red, black, outcome)) = best {
        builder.set_tag("Red", red);
        builder.set_tag("Black", black);
        builder.set_outcome(outcome);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(moves: &[&str]) -> Vec<u8> {
        let head = [
            "聚义堂",
            "2016年12月27日 21点14分",
            "甲(5r)-负-乙(3r)",
            "1500",
            "1348",
            "25",
            "3",
            "60",
            "1286",
            "1291",
            "红方投子认负",
            "Moves",
        ];
        let texts = head.iter().chain(moves).chain(&["Ends", "CommentsEnd"]);
        let mut bytes = Vec::new();
        for text in texts {
            let (encoded, _) = encoding::encode_gbk(text);
            bytes.push(encoded.len() as u8);
            bytes.extend_from_slice(&encoded);
        }
        bytes
    }

    #[test]
    fn names_result_and_moves_are_read() {
        let game = read(&file(&["7C-4C", "7J-6H"])).unwrap();
        assert_eq!((game.tags.get("Red"), game.tags.get("Black")), (Some("甲(5r)"), Some("乙(3r)")));
        assert_eq!((game.tags.get("Date"), game.tags.get("BlackRating")), (Some("2016.12.27"), Some("1291")));
        assert_eq!(game.outcome, Outcome::BlackWins);
        assert_eq!(game.main_moves().map(|mv| mv.to_string()).collect::<Vec<_>>(), ["h2e2", "h9g7"]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(read(b"\x05no").unwrap_err().to_string(), "game 1, byte 0: this is no MXQ file");
        let whole = file(&["7C-4C", "7J-6H"]);
        let message = read(&whole[..whole.len() - 20]).unwrap_err().to_string();
        assert!(message.ends_with("the file ends within a text"), "{message}");
    }
}
