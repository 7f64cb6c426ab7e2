//! Reading DhtmlXQ.

use std::collections::HashMap;

use chuhe_board::{Position, Side, Square};

use super::{FIELDS, LINE_END, OPENING, is_opening_code};
use crate::failure::{Place, Problem, RecordError, checked_move};
use crate::record::{Bookmark, Game, GameBuilder, outcome_from_words};
use crate::setup::{self, Start};

/// The games of a text, strictly; what stands around them is ignored.
pub fn read(text: &str) -> impl Iterator<Item = Result<Game, RecordError>> {
    read_tolerantly(text).map(|game| game.and_then(Game::strict))
}

pub(crate) fn read_tolerantly(text: &str) -> impl Iterator<Item = Result<Game, RecordError>> {
    let mut starts: Vec<usize> = text.match_indices("[DhtmlXQ]").map(|(start, _)| start).collect();
    if starts.is_empty() {
        starts.push(0);
    }
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([text.len()]).collect();
    let line_ends: Vec<usize> = text.match_indices('\n').map(|(place, _)| place).collect();
    starts.into_iter().zip(ends).enumerate().map(move |(index, (start, end))| {
        Source { text: &text[start..end], start, line_ends: &line_ends, number: index + 1 }.read()
    })
}

/// The text of one game and where it stands.
struct Source<'a> {
    text: &'a str,
    start: usize,
    /// Those of the whole file.
    line_ends: &'a [usize],
    number: usize,
}

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

impl Source<'_> {
    /// The line of a byte.
    fn place(&self, offset: usize) -> Place {
        let place = self.start + offset;
        Place::Line(1 + self.line_ends.partition_point(|line_end| *line_end < place))
    }

    fn read(&self) -> Result<Game, RecordError> {
        let fields = fields(self.text);
        let moves = fields.plain.get("movelist").copied().unwrap_or(("", 0));
        if fields.plain.is_empty() {
            let problem = Problem::NotThisFormat("DhtmlXQ");
            return Err(RecordError { game: self.number, place: self.place(0), problem });
        }
        let (start, at) = start(&fields, moves.0);
        let mut builder = start.builder(self.number, self.place(at));
        set_tags(&fields, &mut builder);
        self.read_lines(&fields, moves, &mut builder);
        Ok(builder.finish())
    }

    fn read_lines(&self, fields: &Fields<'_>, main: Value<'_>, builder: &mut GameBuilder) {
        add_comment(fields, (0, 0), builder);
        // The nodes of each line, by the number of its first step.
        let mut lines: HashMap<usize, (usize, Vec<Bookmark>)> = HashMap::new();
        lines.insert(0, (1, self.read_line(fields, 0, 1, main, builder)));
        let mut branches: Vec<&Branch<'_>> = fields.branches.iter().collect();
        branches.sort_by_key(|branch| branch.number);
        for branch in branches {
            let parent = match (branch.step.checked_sub(2), lines.get(&branch.parent)) {
                (Some(_), Some((first, nodes))) => {
                    branch.step.checked_sub(first + 1).and_then(|index| nodes.get(index)).copied()
                }
                (None, Some(_)) if branch.step == 1 => Some(Bookmark::ROOT),
                _ => None,
            };
            let Some(parent) = parent else {
                let problem = Problem::Misplaced("variation: its parent has no such move");
                builder.add_fault(self.place(branch.moves.1), problem);
                builder.return_to(Bookmark::ROOT);
                builder.add_comment(branch.moves.0);
                continue;
            };
            builder.return_to(parent);
            let nodes = self.read_line(fields, branch.number, branch.step, branch.moves, builder);
            lines.insert(branch.number, (branch.step, nodes));
        }
    }

    fn read_line(
        &self,
        fields: &Fields<'_>,
        line: usize,
        first_step: usize,
        (moves, at): Value<'_>,
        builder: &mut GameBuilder,
    ) -> Vec<Bookmark> {
        let place = self.place(at);
        let mut nodes = Vec::new();
        for [from_file, from_rank, to_file, to_rank] in digits_of(moves) {
            let raw = (from_file * 10 + from_rank, to_file * 10 + to_rank);
            let mv = checked_move(point([from_file, from_rank]), point([to_file, to_rank]), raw);
            let name = mv.as_ref().map_or_else(|_| format!("{:02}{:02}", raw.0, raw.1), ToString::to_string);
            builder.try_move(mv, name, place);
            add_comment(fields, (line, first_step + nodes.len()), builder);
            nodes.push(builder.bookmark());
        }
        nodes
    }
}

fn set_tags(fields: &Fields<'_>, builder: &mut GameBuilder) {
    for (field, tag) in FIELDS {
        if let Some((value, _)) = fields.plain.get(field)
            && builder.tag(tag).is_none()
        {
            builder.set_tag(tag, value);
        }
    }
    if let Some((opening, _)) = fields.plain.get(OPENING) {
        set_opening(builder, opening);
    }
    if let Some((result, _)) = fields.plain.get("result") {
        builder.set_outcome(outcome_from_words(result));
    }
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
/// first. And where it stands.
fn start(fields: &Fields<'_>, moves: &str) -> (Start, usize) {
    if let Some((text, at)) = fields.plain.get("fen").filter(|(text, _)| !text.trim().is_empty()) {
        return (Start::of_fen(text.trim()), *at);
    }
    let Some((points, at)) = fields.plain.get("binit").filter(|(text, _)| !text.trim().is_empty()) else {
        return (Position::start().into(), 0);
    };
    let digits: Vec<u8> = points.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
    let (pairs, rest) = digits.as_chunks::<2>();
    if pairs.len() != 32 || !rest.is_empty() {
        return (Start::unreadable(points), *at);
    }
    let placed = pairs.iter().enumerate();
    let pieces = placed.filter_map(|(place, pair)| Some((setup::piece_at(place), point(*pair)?))).collect();
    let first = digits_of(moves).first().and_then(|digits| point([digits[0], digits[1]]));
    (Start::of_pieces(pieces, first, Side::Red), *at)
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
