//! CBF, the XML records of CCBridge (象棋橋): a head of named fields, then the moves in pre-order.

use std::fmt::Write as _;

use chuhe_board::{Outcome, Position, Square};

use crate::failure::{Loss, Place, Problem, RecordError, checked_move};
use crate::record::{Game, NodeId};
use crate::setup::Start;

/// Fields and the tags they hold.
const FIELDS: [(&str, &str); 28] = [
    ("Name", "Title"),
    ("URL", "URL"),
    ("From", "Source"),
    ("ContestType", "EventClass"),
    ("Contest", "Event"),
    ("Round", "Round"),
    ("Group", "Group"),
    ("Table", "Table"),
    ("Date", "Date"),
    ("Site", "Site"),
    ("TimeRule", "TimeControl"),
    ("Red", "Red"),
    ("RedTeam", "RedTeam"),
    ("RedTime", "RedTime"),
    ("RedRating", "RedRating"),
    ("Black", "Black"),
    ("BlackTeam", "BlackTeam"),
    ("BlackTime", "BlackTime"),
    ("BlackRating", "BlackRating"),
    ("Commentator", "Annotator"),
    ("CommentatorURL", "AnnotatorEmail"),
    ("Creator", "Author"),
    ("CreatorURL", "AuthorEmail"),
    ("DateCreated", "Created"),
    ("DateModified", "Modified"),
    ("ECCO", "ECCO"),
    ("RecordKind", "GameType"),
    ("ResultType", "Termination"),
];
const RESULTS: [Outcome; 4] = [Outcome::Undecided, Outcome::RedWins, Outcome::BlackWins, Outcome::Draw];

/// Reads the game of a CBF file, strictly.
pub fn read(text: &str) -> Result<Game, RecordError> {
    read_tolerantly(text).and_then(Game::strict)
}

pub(crate) fn read_tolerantly(text: &str) -> Result<Game, RecordError> {
    let at_line = |place: usize| Place::Line(1 + text[..place].matches('\n').count());
    let Some((head, _)) =
        text.split_once("<MoveList").filter(|(head, _)| head.contains("<ChineseChessRecord"))
    else {
        return Err(RecordError { game: 1, place: Place::Line(1), problem: Problem::NotThisFormat("CBF") });
    };
    let fen = field(head, "FEN").filter(|fen| !fen.is_empty());
    let start = fen.map_or_else(|| Start::from(Position::start()), |fen| Start::of_fen(&fen));
    let mut builder = start.builder(1, at_line(head.find("<FEN").unwrap_or_default()));
    for (name, tag) in FIELDS {
        builder.set_tag(tag, &field(head, name).unwrap_or_default());
    }
    let result = field(head, "RecordResult").and_then(|result| result.parse::<usize>().ok());
    builder.set_outcome(result.and_then(|result| RESULTS.get(result)).copied().unwrap_or_default());

    // Where the siblings that are still to come belong: the plies of their parents.
    let mut promised = Vec::new();
    let mut place = head.len();
    let mut line = Lines { text, counted: 0, number: 1 };
    while let Some(found) = text[place..].find("<Move ") {
        place += found;
        let here = Place::Line(line.of(place));
        let Some(element) = Element::at(&text[place..]) else {
            builder.add_fault(here, Problem::Truncated("a move"));
            break;
        };
        place += element.length;
        let value = element.attribute("value").unwrap_or_default();
        if value == "00-00" {
            builder.add_comment(&element.text);
            continue;
        }
        let parent = builder.ply();
        builder.try_move(parse(value), value, here);
        builder.add_comment(&element.text);
        if element.attribute("branch").is_some() {
            promised.push(parent);
        }
        if element.attribute("end").is_some() {
            match promised.pop() {
                Some(ply) => builder.back_to(ply),
                None => break,
            }
        }
    }
    if !text[place..].contains("</MoveList>") {
        builder.add_fault(Place::Line(line.of(text.len())), Problem::Truncated("the moves"));
    }
    Ok(builder.finish())
}

/// Numbers lines in one pass.
struct Lines<'a> {
    text: &'a str,
    counted: usize,
    number: usize,
}

impl Lines<'_> {
    fn of(&mut self, place: usize) -> usize {
        self.number += self.text[self.counted..place].matches('\n').count();
        self.counted = place;
        self.number
    }
}

/// An element with its attributes and its text.
struct Element<'a> {
    attributes: &'a str,
    text: String,
    length: usize,
}

impl<'a> Element<'a> {
    /// The element at the start of a text.
    fn at(text: &'a str) -> Option<Self> {
        let open = text.find('>')?;
        let head = &text[1..open];
        if let Some(attributes) = head.strip_suffix('/') {
            return Some(Self { attributes, text: String::new(), length: open + 1 });
        }
        let name = head.split_whitespace().next()?;
        let body = &text[open + 1..];
        // A comment may hold anything but the end of its section.
        let section = if body.starts_with("<![CDATA[") { body.find("]]>")? } else { 0 };
        let end = section + body[section..].find(&format!("</{name}>"))?;
        Some(Self { attributes: head, text: plain(&body[..end]), length: open + 1 + end })
    }

    fn attribute(&self, name: &str) -> Option<&'a str> {
        let start = self.attributes.find(&format!(" {name}=\""))? + name.len() + 3;
        let rest = &self.attributes[start..];
        Some(&rest[..rest.find('"')?])
    }
}

/// The text of an element of the head.
fn field(head: &str, name: &str) -> Option<String> {
    let start = head.find(&format!("<{name}>")).or_else(|| head.find(&format!("<{name} ")))?;
    Some(Element::at(&head[start..])?.text)
}

/// Text without CDATA and entities.
fn plain(text: &str) -> String {
    let Some((before, rest)) = text.split_once("<![CDATA[") else {
        let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
        return entities.iter().fold(text.to_owned(), |text, (entity, sign)| text.replace(entity, sign));
    };
    let (data, after) = rest.split_once("]]>").unwrap_or((rest, ""));
    plain(before) + data + &plain_rest(after)
}

/// As [`plain`] for what follows a CDATA section, without recursion.
fn plain_rest(text: &str) -> String {
    text.replace("<![CDATA[", "").replace("]]>", "")
}

/// A move such as `77-47`: file, and rank from Black's side.
fn parse(value: &str) -> Result<chuhe_board::Move, Problem> {
    let [from_file, from_rank, b'-', to_file, to_rank] = *value.as_bytes() else {
        return Err(Problem::Unreadable(crate::words::shortened(value)));
    };
    let digit = |byte: u8| byte.wrapping_sub(b'0');
    let point = |file: u8, rank: u8| Square::at(digit(file), 9_u8.checked_sub(digit(rank))?);
    let raw = |file: u8, rank: u8| digit(file).wrapping_mul(10).wrapping_add(digit(rank));
    checked_move(
        point(from_file, from_rank),
        point(to_file, to_rank),
        (raw(from_file, from_rank), raw(to_file, to_rank)),
    )
}

/// Writes a game; says what of it the format lacks.
pub fn write(game: &Game) -> (String, Vec<Loss>) {
    let mut losses: Vec<Loss> = game
        .tags
        .iter()
        .filter(|(name, _)| !FIELDS.iter().any(|(_, tag)| tag.eq_ignore_ascii_case(name)))
        .map(|(name, _)| Loss::Tag(name.to_owned()))
        .collect();
    if game.has_marks() {
        losses.push(Loss::Marks);
    }
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ChineseChessRecord Version=\"1.0\">\n <Head>\n",
    );
    let mut push = |name: &str, value: &str| {
        let value = value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let line = if value.is_empty() {
            format!("  <{name} />\n")
        } else {
            format!("  <{name}>{value}</{name}>\n")
        };
        text += &line;
    };
    for (name, tag) in FIELDS {
        push(name, game.tags.get(tag).unwrap_or_default());
    }
    let is_normal = game.start() == &Position::start();
    push("RecordType", if is_normal { "1" } else { "4" });
    let result = RESULTS.iter().position(|outcome| *outcome == game.outcome).unwrap_or_default();
    push("RecordResult", &result.to_string());
    push("FEN", &game.start().to_string());
    text += " </Head>\n <MoveList>\n";
    let mut is_replaced = false;
    for node in game.preorder() {
        let value = game
            .mv(node)
            .map_or_else(|| "00-00".to_owned(), |mv| format!("{}-{}", digits(mv.from()), digits(mv.to())));
        let ends = node != NodeId::ROOT && game.first_child(node).is_none();
        let end = if ends { " end=\"1\"" } else { "" };
        let branch = if game.next_sibling(node).is_some() { " branch=\"1\"" } else { "" };
        write!(text, "  <Move value=\"{value}\"{end}{branch}").expect("writing to a string cannot fail");
        let comment = game.comment(node);
        is_replaced |= comment.contains("]]>");
        text += &match comment {
            "" => " />\n".to_owned(),
            comment => format!("><![CDATA[{}]]></Move>\n", comment.replace("]]>", "]]＞")),
        };
    }
    if is_replaced {
        losses.push(Loss::Characters);
    }
    text += " </MoveList>\n</ChineseChessRecord>\n";
    (text, losses)
}

fn digits(square: Square) -> String {
    format!("{}{}", square.file(), 9 - square.rank())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<ChineseChessRecord Version=\"1.0\">
 <Head>
  <Name>五七炮对屏风马</Name>
  <URL />
  <Red>甲 &amp; 乙</Red>
  <ECCO>C66</ECCO>
  <RecordResult>3</RecordResult>
  <FEN>rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1</FEN>
 </Head>
 <MoveList>
  <Move value=\"00-00\"><![CDATA[最新弈法  ]]></Move>
  <Move value=\"77-47\" />
  <Move value=\"70-62\" end=\"1\" branch=\"1\"><![CDATA[a < b]]></Move>
  <Move value=\"10-22\" />
  <Move value=\"79-67\" end=\"1\" />
 </MoveList>
</ChineseChessRecord>
";

    #[test]
    fn a_file_of_ccbridge_is_read_and_comes_back() {
        let game = read(FILE).unwrap();
        let tags = ["Title", "Red", "ECCO"].map(|name| game.tags.get(name).unwrap());
        assert_eq!(tags, ["五七炮对屏风马", "甲 & 乙", "C66"]);
        assert_eq!((game.outcome, game.move_count()), (Outcome::Draw, 4));
        assert_eq!(game.comment(NodeId::ROOT), "最新弈法");
        assert_eq!(game.comment(game.main_line().nth(1).unwrap()), "a < b");
        let (text, losses) = write(&game);
        assert!(losses.is_empty());
        assert_eq!(read(&text).unwrap(), game);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let message = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(message("<html>"), "game 1, line 1: this is no CBF file");
        let cut = &FILE[..FILE.find("79-67").unwrap()];
        assert_eq!(message(cut), "game 1, line 16: the file ends within a move");
        let illegal = FILE.replace("10-22", "10-23");
        assert!(message(&illegal).starts_with("game 1, line 15: ply 2: b9c6 is illegal"));
    }
}
