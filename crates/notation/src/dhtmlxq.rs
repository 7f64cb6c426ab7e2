//! DhtmlXQ, the text of the site dpxq.com and of forums that show its board (UBB): fields such as
//! `[DhtmlXQ_movelist]77477062…[/DhtmlXQ_movelist]`, points as two digits from Black's corner on
//! Red's left. `docs/formats.md` describes it.

use std::collections::HashMap;
use std::fmt::Write;

use chuhe_board::{Piece, PieceKind, Position, Side, Square};

use crate::failure::{Loss, Place, Problem, RecordError, checked_move, parse_fen};
use crate::record::{Game, GameBuilder, NodeId, Outcome};
use crate::words::shortened;

/// Fields and the tags they hold. Of several fields for a tag the first is written.
const FIELDS: [(&str, &str); 27] = [
    ("title", "Title"),
    ("event", "Event"),
    ("class", "EventClass"),
    ("group", "Group"),
    ("date", "Date"),
    ("place", "Site"),
    ("round", "Round"),
    ("table", "Table"),
    ("timerule", "TimeControl"),
    ("red", "Red"),
    ("redname", "Red"),
    ("redteam", "RedTeam"),
    ("redrating", "RedRating"),
    ("redtime", "RedTime"),
    ("black", "Black"),
    ("blackname", "Black"),
    ("blackteam", "BlackTeam"),
    ("blackrating", "BlackRating"),
    ("blacktime", "BlackTime"),
    ("gametype", "GameType"),
    ("endtype", "Termination"),
    ("remark", "Annotator"),
    ("author", "Author"),
    ("refer", "Source"),
    ("judge", "Referee"),
    ("record", "Recorder"),
    ("type", "Category"),
];

/// The opening: its code and name in one field.
const OPENING: &str = "open";

/// The pieces of one side in the order of the field for the start position.
const ORDER: [PieceKind; 16] = {
    use PieceKind::{Advisor, Cannon, Chariot, Elephant, General, Horse, Soldier};
    [
        Chariot, Horse, Elephant, Advisor, General, Advisor, Elephant, Horse, Chariot, Cannon, Cannon,
        Soldier, Soldier, Soldier, Soldier, Soldier,
    ]
};

/// What stands for a line end in comments.
const LINE_END: &str = "||";

/// Whether a text has a game in this format.
pub fn is_dhtmlxq(text: &str) -> bool {
    text.contains("[DhtmlXQ")
}

/// The games of a text; what stands around them is ignored.
pub fn read(text: &str) -> impl Iterator<Item = Result<Game, RecordError>> {
    let mut starts: Vec<usize> = text.match_indices("[DhtmlXQ]").map(|(start, _)| start).collect();
    if starts.is_empty() {
        starts.push(0);
    }
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([text.len()]).collect();
    starts.into_iter().zip(ends).enumerate().map(move |(index, (start, end))| {
        let first_line = 1 + text[..start].matches('\n').count();
        read_one(&text[start..end]).map_err(|(offset, problem)| RecordError {
            game: index + 1,
            place: Place::Line(first_line + text[start..start + offset].matches('\n').count()),
            problem,
        })
    })
}

/// A problem and the byte of the game's text where it stands.
type Failure = (usize, Problem);

/// The value of a field and where it stands.
type Value<'a> = (&'a str, usize);

/// A line of moves that leaves another one.
struct Branch<'a> {
    parent: usize,
    /// The number of its first move, from 1.
    step: usize,
    number: usize,
    moves: Value<'a>,
}

/// The fields of one game.
struct Fields<'a> {
    plain: HashMap<String, Value<'a>>,
    /// Comments by line and step.
    comments: HashMap<(usize, usize), &'a str>,
    branches: Vec<Branch<'a>>,
}

fn read_one(text: &str) -> Result<Game, Failure> {
    let fields = fields(text);
    let moves = fields.plain.get("movelist").copied().unwrap_or(("", 0));
    if fields.plain.is_empty() {
        return Err((0, Problem::NotThisFormat("DhtmlXQ")));
    }
    let mut builder = GameBuilder::new(start(&fields, moves.0)?);
    for (field, tag) in FIELDS {
        if let Some((value, _)) = fields.plain.get(field)
            && builder.tag(tag).is_none()
        {
            builder.set_tag(tag, value);
        }
    }
    if let Some((opening, _)) = fields.plain.get(OPENING) {
        set_opening(&mut builder, opening);
    }
    if let Some((result, _)) = fields.plain.get("result") {
        builder.set_outcome(Outcome::from_words(result));
    }
    read_lines(&fields, moves, &mut builder)?;
    Ok(builder.finish())
}

/// Every `[DhtmlXQ_name]value[/DhtmlXQ_name]` of a text. A closing name that differs is let pass: some
/// sites have it wrong.
fn fields(text: &str) -> Fields<'_> {
    const OPEN: &str = "[DhtmlXQ_";
    const CLOSE: &str = "[/DhtmlXQ_";
    let mut fields = Fields { plain: HashMap::new(), comments: HashMap::new(), branches: Vec::new() };
    let mut at = 0;
    while let Some(found) = text[at..].find(OPEN) {
        let name_start = at + found + OPEN.len();
        let Some(name_length) = text[name_start..].find(']') else { break };
        let value_start = name_start + name_length + 1;
        let value_length = text[value_start..].find(CLOSE).unwrap_or(text.len() - value_start);
        let name = &text[name_start..name_start + name_length];
        fields.add(name, (&text[value_start..value_start + value_length], value_start));
        at = value_start + value_length;
    }
    fields
}

impl<'a> Fields<'a> {
    fn add(&mut self, name: &str, value: Value<'a>) {
        let numbers =
            |text: &str| text.split('_').map(|part| part.parse().ok()).collect::<Option<Vec<usize>>>();
        if let Some(place) = name.strip_prefix("comment").and_then(numbers) {
            match place[..] {
                [step] => drop(self.comments.insert((0, step), value.0)),
                [line, step] => drop(self.comments.insert((line, step), value.0)),
                _ => {}
            }
        } else if let Some(place) = name.strip_prefix("move_").and_then(numbers) {
            if let [parent, step, number] = place[..] {
                self.branches.push(Branch { parent, step, number, moves: value });
            }
        } else {
            self.plain.entry(name.to_ascii_lowercase()).or_insert(value);
        }
    }
}

/// The start position: a FEN if there is one, else the points of the 32 pieces and the side that moves
/// first.
fn start(fields: &Fields<'_>, moves: &str) -> Result<Position, Failure> {
    if let Some((text, at)) = fields.plain.get("fen").filter(|(text, _)| !text.trim().is_empty()) {
        return parse_fen(text.trim()).map_err(|problem| (*at, problem));
    }
    let Some((points, at)) = fields.plain.get("binit").filter(|(text, _)| !text.trim().is_empty()) else {
        return Ok(Position::start());
    };
    let digits: Vec<u8> = points.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
    let unreadable = || (*at, Problem::Unreadable(shortened(points)));
    let (pairs, []) = digits.as_chunks::<2>() else { return Err(unreadable()) };
    if pairs.len() != 32 {
        return Err(unreadable());
    }
    let pieces: Vec<(Piece, Square)> = pairs
        .iter()
        .enumerate()
        .filter_map(|(index, pair)| {
            Some((Piece::new(Side::ALL[index / 16], ORDER[index % 16]), point(*pair)?))
        })
        .collect();
    let first = digits_of(moves).first().and_then(|digits| point([digits[0], digits[1]]));
    let mover = pieces.iter().find(|(_, square)| Some(*square) == first);
    let side = mover.map_or(Side::Red, |(piece, _)| piece.side());
    Position::from_pieces(pieces, side).map_err(|problem| (*at, problem.into()))
}

/// The moves as four digits each; a rest of less than four is dropped.
fn digits_of(moves: &str) -> Vec<[u8; 4]> {
    let digits: Vec<u8> = moves.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
    digits.as_chunks().0.to_vec()
}

/// The point with these digits for file and rank; 99 is none.
fn point([file, rank]: [u8; 2]) -> Option<Square> {
    Square::at(file, 9_u8.checked_sub(rank)?)
}

fn read_lines(fields: &Fields<'_>, main: Value<'_>, builder: &mut GameBuilder) -> Result<(), Failure> {
    add_comment(fields, (0, 0), builder);
    // The nodes of each line, by the number of its first step.
    let mut lines: HashMap<usize, (usize, Vec<NodeId>)> = HashMap::new();
    lines.insert(0, (1, read_line(fields, 0, 1, main, builder)?));
    let mut branches: Vec<&Branch<'_>> = fields.branches.iter().collect();
    branches.sort_by_key(|branch| branch.number);
    for branch in branches {
        let misplaced = (branch.moves.1, Problem::Misplaced("variation: its parent has no such move"));
        let parent = match (branch.step.checked_sub(2), lines.get(&branch.parent)) {
            (Some(_), Some((first, nodes))) => {
                branch.step.checked_sub(first + 1).and_then(|index| nodes.get(index)).copied()
            }
            (None, Some(_)) if branch.step == 1 => Some(NodeId::ROOT),
            _ => None,
        };
        builder.go_to(parent.ok_or(misplaced)?);
        let nodes = read_line(fields, branch.number, branch.step, branch.moves, builder)?;
        lines.insert(branch.number, (branch.step, nodes));
    }
    Ok(())
}

fn read_line(
    fields: &Fields<'_>,
    line: usize,
    first_step: usize,
    (moves, at): Value<'_>,
    builder: &mut GameBuilder,
) -> Result<Vec<NodeId>, Failure> {
    let mut nodes = Vec::new();
    for [from_file, from_rank, to_file, to_rank] in digits_of(moves) {
        let raw = (from_file * 10 + from_rank, to_file * 10 + to_rank);
        let mv = checked_move(point([from_file, from_rank]), point([to_file, to_rank]), raw);
        let node = mv.and_then(|mv| Ok(builder.play(mv)?)).map_err(|problem| (at, problem))?;
        add_comment(fields, (line, first_step + nodes.len()), builder);
        nodes.push(node);
    }
    Ok(nodes)
}

fn add_comment(fields: &Fields<'_>, place: (usize, usize), builder: &mut GameBuilder) {
    if let Some(text) = fields.comments.get(&place) {
        builder.add_comment(&text.replace(LINE_END, "\n"));
    }
}

/// Splits `B00 中炮局` into the code of the opening and its name.
fn set_opening(builder: &mut GameBuilder, text: &str) {
    let text = text.trim();
    let (code, name) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    if is_opening_code(code) {
        builder.set_tag("ECCO", code);
        builder.set_tag("Opening", name);
    } else {
        builder.set_tag("Opening", text);
    }
}

/// Whether this is a code of the encyclopedia of openings: `A00` to `E99`.
fn is_opening_code(code: &str) -> bool {
    matches!(code.as_bytes(), [b'A'..=b'E', tens, ones] if tens.is_ascii_digit() && ones.is_ascii_digit())
}

/// Writes a game.
pub fn write(game: &Game) -> (String, Vec<Loss>) {
    let mut writer = Writer { text: "[DhtmlXQ]\n".to_owned(), losses: Vec::new() };
    writer.field("ver", "www_dpxq_com");
    writer.tags(game);
    writer.start(game);
    writer.lines(game);
    if game.has_marks() {
        writer.losses.push(Loss::Marks);
    }
    writer.text.push_str("[/DhtmlXQ]\n");
    (writer.text, writer.losses)
}

struct Writer {
    text: String,
    losses: Vec<Loss>,
}

impl Writer {
    fn field(&mut self, name: &str, value: &str) {
        // A value cannot hold what ends it.
        let safe = value.replace("[/DhtmlXQ", "［/DhtmlXQ").replace("[DhtmlXQ", "［DhtmlXQ");
        if safe != value {
            self.losses.push(Loss::Characters);
        }
        self.text += &format!("[DhtmlXQ_{name}]{safe}[/DhtmlXQ_{name}]\n");
    }

    fn tags(&mut self, game: &Game) {
        for (tag, value) in game.tags.iter() {
            match FIELDS.iter().find(|(_, known)| known.eq_ignore_ascii_case(tag)) {
                Some((field, _)) => self.field(field, value),
                None if tag.eq_ignore_ascii_case("Opening") => {}
                None if tag.eq_ignore_ascii_case("ECCO") && is_opening_code(value) => {}
                None => self.losses.push(Loss::Tag(tag.to_owned())),
            }
        }
        let code = game.tags.get("ECCO").filter(|code| is_opening_code(code));
        let opening: Vec<&str> = code.into_iter().chain(game.tags.get("Opening")).collect();
        if !opening.is_empty() {
            self.field(OPENING, &opening.join(" "));
        }
        self.field(
            "result",
            match game.outcome {
                Outcome::RedWins => "红胜",
                Outcome::BlackWins => "黑胜",
                Outcome::Draw => "和棋",
                Outcome::Unknown => "",
            },
        );
    }

    /// The points of the pieces, and a FEN where they and the first move do not tell everything.
    fn start(&mut self, game: &Game) {
        let start = game.start();
        let mut points = [None; 32];
        for (piece, square) in start.pieces_on_board() {
            let from = piece.side().index() * 16;
            let mut places = (from..from + 16).filter(|index| ORDER[index % 16] == piece.kind());
            let free = places.find(|index| points[*index].is_none());
            points[free.expect("no side has more pieces than the game")] = Some(square);
        }
        let text: String = points.into_iter().map(|square| square.map_or("99".to_owned(), digits)).collect();
        self.field("binit", &text);
        let red_to_move = start.side_to_move() == Side::Red;
        if start.quiet_plies() > 0 || start.round() > 1 || !red_to_move && game.move_count() == 0 {
            self.field("fen", &start.to_string());
        }
    }

    /// The main line, then all branches, each behind the one it leaves.
    fn lines(&mut self, game: &Game) {
        self.comment(game, (0, NodeId::ROOT));
        let mut branches: Vec<(usize, NodeId)> = Vec::new();
        if let Some(first) = game.first_child(NodeId::ROOT) {
            let line: Vec<NodeId> = game.main_line().collect();
            self.field("movelist", &moves(game, &line));
            branches.extend(siblings(game, first).map(|node| (0, node)));
            self.line(game, 0, &line, &mut branches);
        } else {
            self.field("movelist", "");
        }
        let mut number = 0;
        while let Some((parent, node)) = branches.get(number).copied() {
            number += 1;
            let line: Vec<NodeId> =
                std::iter::successors(Some(node), |node| game.first_child(*node)).collect();
            self.field(&format!("move_{parent}_{}_{number}", game.ply(node)), &moves(game, &line));
            self.line(game, number, &line, &mut branches);
        }
    }

    /// The comments on a line; its branches are put into the queue.
    fn line(&mut self, game: &Game, number: usize, line: &[NodeId], branches: &mut Vec<(usize, NodeId)>) {
        for (index, node) in line.iter().enumerate() {
            self.comment(game, (number, *node));
            if index > 0 {
                branches.extend(siblings(game, *node).map(|sibling| (number, sibling)));
            }
        }
    }

    fn comment(&mut self, game: &Game, (line, node): (usize, NodeId)) {
        let comment = game.comment(node);
        if comment.is_empty() {
            return;
        }
        let mut text = comment.replace('\n', LINE_END);
        if text.replace(LINE_END, "\n") != comment {
            self.losses.push(Loss::Characters);
            text = comment.replace('|', "｜").replace('\n', LINE_END);
        }
        let step = game.ply(node);
        match line {
            0 => self.field(&format!("comment{step}"), &text),
            _ => self.field(&format!("comment{line}_{step}"), &text),
        }
    }
}

fn siblings(game: &Game, node: NodeId) -> impl Iterator<Item = NodeId> {
    std::iter::successors(game.next_sibling(node), |node| game.next_sibling(*node))
}

fn digits(square: Square) -> String {
    format!("{}{}", square.file(), 9 - square.rank())
}

fn moves(game: &Game, line: &[NodeId]) -> String {
    line.iter().filter_map(|node| game.mv(*node)).fold(String::new(), |mut text, mv| {
        write!(text, "{}{}", digits(mv.from()), digits(mv.to())).expect("strings take all that is written");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<html> something
[DhtmlXQ]
[DhtmlXQ_ver]www_dpxq_com[/DhtmlXQ_ver]
[DhtmlXQ_title]甲 先胜 乙[/DhtmlXQ_title]
[DhtmlXQ_redname]甲[/DhtmlXQ_redname]
[DhtmlXQ_open]D29 顺炮直车对横车[/DhtmlXQ_open]
[DhtmlXQ_result]红胜[/DhtmlXQ_result]
[DhtmlXQ_binit]8979695949392919097717866646260600102030405060708012720323436383[/DhtmlXQ_binit]
[DhtmlXQ_movelist]774772427967[/DhtmlXQ_movelist]
[DhtmlXQ_comment0]开局||第二行[/DhtmlXQ_comment0]
[DhtmlXQ_comment3]跳马[/DhtmlXQ_comment3]
[DhtmlXQ_move_0_2_1]70627967[/DhtmlXQ_move_0_2_1]
[DhtmlXQ_move_0_1_2]2625[/DhtmlXQ_move_0_1_2]
[DhtmlXQ_move_1_3_3]8979[/DhtmlXQ_move_1_3_3]
[DhtmlXQ_comment1_2]变着[/DhtmlXQ_comment1_2]
[/DhtmlXQ]
<footer>";

    #[test]
    fn a_page_is_read() {
        let game = read(PAGE).next().unwrap().map_err(|error| error.to_string());
        // 8979 is a chariot that does not stand free yet in that line.
        assert_eq!(game, Err("game 1, line 14: i0h0 is not legal here".to_owned()));
        let game = read(&PAGE.replace("8979[", "6665[")).next().unwrap().unwrap();
        let moves: Vec<String> = game.main_moves().map(|mv| mv.to_string()).collect();
        assert_eq!(moves, ["h2e2", "h7e7", "h0g2"]);
        assert_eq!(game.comment(NodeId::ROOT), "开局\n第二行");
        assert_eq!(game.comment(game.main_line().nth(2).unwrap()), "跳马");
        let first = game.first_child(NodeId::ROOT).unwrap();
        let reply = game.next_sibling(game.first_child(first).unwrap()).unwrap();
        assert_eq!((game.mv(reply).unwrap().to_string(), game.comment(reply)), ("h9g7".to_owned(), "变着"));
        assert_eq!(game.children(reply).count(), 2);
        assert_eq!(game.mv(game.next_sibling(first).unwrap()).unwrap().to_string(), "c3c4");
        assert_eq!((game.tags.get("ECCO"), game.tags.get("Red")), (Some("D29"), Some("甲")));
        assert_eq!(game.outcome, Outcome::RedWins);
    }

    #[test]
    fn errors_name_the_line() {
        let message = |text: &str| read(text).next().unwrap().unwrap_err().to_string();
        assert_eq!(message("nothing"), "game 1, line 1: this is no DhtmlXQ file");
        let unknown_parent = PAGE.replace("move_1_3_3", "move_7_3_3");
        assert_eq!(
            message(&unknown_parent),
            "game 1, line 14: misplaced variation: its parent has no such move"
        );
        assert_eq!(
            message("[DhtmlXQ]\n[DhtmlXQ_binit]89[/DhtmlXQ_binit]"),
            "game 1, line 2: '89' is not understood"
        );
    }

    #[test]
    fn what_would_end_a_field_is_replaced() {
        let mut game = Game::new(Position::start());
        game.tags.set("Event", "a[/DhtmlXQ_event]b");
        let (text, losses) = write(&game);
        assert_eq!(losses, [Loss::Characters]);
        assert_eq!(read(&text).next().unwrap().unwrap().tags.get("Event"), Some("a［/DhtmlXQ_event]b"));
    }
}
