//! Writing DhtmlXQ.

use std::fmt::Write;

use chuhe_board::{Outcome, Side, Square};

use super::{FIELDS, LINE_END, OPENING, is_opening_code};
use crate::failure::Loss;
use crate::record::{Game, NodeId};
use crate::setup;

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
                Outcome::Undecided => "",
            },
        );
    }

    /// The points of the pieces, and a FEN where they and the first move are not enough.
    fn start(&mut self, game: &Game) {
        let start = game.start();
        let points = setup::points_of(start);
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
        write!(text, "{}{}", digits(mv.from()), digits(mv.to())).expect("writing to a string cannot fail");
        text
    })
}
