//! Building a game move by move. All readers go through here, so that a game holds only legal moves.

use std::collections::HashSet;
use std::fmt::{Display, Write as _};

use chuhe_board::coords::RankStyle;
use chuhe_board::{Fault, Move, Outcome, Position};

use super::{Cursor, Game, Mark, NodeId, Tags};
use crate::failure::{Place, Problem, RecordError};
use crate::pgn::parse_any_move;
use crate::words;

/// The longest line. Real games stay far below; malicious files do not.
const LONGEST_LINE: usize = 3000;

/// Why a move cannot be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The rules forbid it.
    #[error("ply {ply}: {mv} is illegal: {why}")]
    Illegal {
        /// The number of the ply in its line, from 1.
        ply: usize,
        /// The move.
        mv: Move,
        /// What is wrong with it.
        why: Fault,
    },
    /// The line is too long to be a game.
    #[error("the line is longer than {LONGEST_LINE} plies")]
    TooLong,
}

/// A game under construction and the place in it where the next move goes.
///
/// Readers of files use `try_move`: a move that cannot be played cuts its line there, and the rest of
/// the line becomes a comment on the last legal move. [`ply`](Self::ply) and [`back_to`](Self::back_to) count the
/// moves behind a cut, too, so that readers need not know of it.
///
/// ```
/// use chuhe_board::{Position, coords};
/// use chuhe_notation::record::GameBuilder;
///
/// let mv = |text| coords::parse_move(text, coords::RankStyle::FromZero).unwrap();
/// let mut builder = GameBuilder::new(Position::start());
/// builder.play(mv("h2e2")).unwrap();
/// builder.back_to(0);
/// builder.play(mv("c3c4")).unwrap();
/// builder.add_comment("a variation of the first move");
/// let game = builder.finish();
/// assert_eq!(game.main_moves().count(), 1);
/// assert!(game.has_variations());
/// ```
pub struct GameBuilder {
    game: Game,
    cursor: Cursor,
    cut: Option<Cut>,
    /// The moves behind which a line was cut.
    cuts: HashSet<NodeId>,
    /// Whether no move can be played because the start position is not that of the record.
    is_text_only: bool,
    /// The number of the game in its file.
    number: usize,
}

/// The rest of a line behind a move that cannot be played.
struct Cut {
    /// The moves of the rest that lead here.
    plies: usize,
    text: String,
}

impl Cut {
    fn push(&mut self, text: impl Display) {
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        write!(self.text, "{text}").expect("writing to a string cannot fail");
    }
}

/// A place in a game under construction, perhaps behind a cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bookmark {
    node: NodeId,
    plies_cut: usize,
}

impl Bookmark {
    pub(crate) const ROOT: Self = Self { node: NodeId::ROOT, plies_cut: 0 };
}

impl GameBuilder {
    /// Starts a game without moves.
    pub fn new(start: Position) -> Self {
        Self::of(Game::new(start))
    }

    /// Continues a game from its root.
    pub fn of(game: Game) -> Self {
        Self {
            cursor: Cursor::at_root(game.start()),
            game,
            cut: None,
            cuts: HashSet::new(),
            is_text_only: false,
            number: 1,
        }
    }

    /// Sets the number of the game in its file, for faults.
    pub(crate) fn with_number(mut self, number: usize) -> Self {
        self.number = number;
        self
    }

    /// The game so far.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// The position here; behind a cut, the last legal one.
    pub const fn position(&self) -> &Position {
        self.cursor.position()
    }

    /// The place in the game; behind a cut, the last legal move.
    pub fn node(&self) -> NodeId {
        self.cursor.node()
    }

    /// How many moves lead here.
    pub fn ply(&self) -> usize {
        self.cursor.ply() + self.cut.as_ref().map_or(0, |cut| cut.plies)
    }

    /// Adds a move as the last variation here and goes behind it.
    pub fn play(&mut self, mv: Move) -> Result<NodeId, BuildError> {
        if let Some(why) = self.position().fault(mv) {
            return Err(BuildError::Illegal { ply: self.ply() + 1, mv, why });
        }
        if self.ply() == LONGEST_LINE {
            return Err(BuildError::TooLong);
        }
        let node = self.game.add_move(self.node(), mv);
        self.cursor.advance(mv, node);
        Ok(node)
    }

    /// Adds a move in any notation, with ranks 0–9, and what is said about it.
    pub fn add_node(
        &mut self,
        parent: NodeId,
        mv: &str,
        comment: &str,
        marks: &[Mark],
    ) -> Result<NodeId, Problem> {
        self.go_to(parent);
        let mv = parse_any_move(mv, self.position(), RankStyle::FromZero)?;
        let node = self.play(mv)?;
        self.add_comment(comment);
        marks.iter().for_each(|mark| self.add_mark(*mark));
        Ok(node)
    }

    /// Adds a move of a file that stands there as `text`. If it cannot be read or played, notes the fault and cuts the
    /// line: this move and those behind it become text.
    pub(crate) fn try_move(&mut self, mv: Result<Move, Problem>, text: impl Display, place: Place) {
        if self.is_text_only && self.cut.is_none() {
            self.cut = Some(Cut { plies: 0, text: String::new() });
        }
        if let Some(cut) = &mut self.cut {
            cut.plies += 1;
            cut.push(text);
            return;
        }
        // The first line at a place is the main one there.
        let replaces_cut =
            self.cuts.contains(&self.node()) && self.game.children(self.node()).next().is_none();
        match mv.and_then(|mv| Ok(self.play(mv)?)) {
            Ok(_) if replaces_cut => {
                let ply = self.ply();
                self.add_fault(place, Problem::TakesPlace { ply, mv: words::shortened(&text.to_string()) });
            }
            Ok(_) => {}
            Err(problem) => {
                self.add_fault(place, problem);
                self.cuts.insert(self.node());
                self.cut = Some(Cut { plies: 1, text: text.to_string() });
            }
        }
    }

    /// Notes something that cannot be read.
    pub(crate) fn add_fault(&mut self, place: Place, problem: Problem) {
        self.game.faults.push(RecordError { game: self.number, place, problem });
    }

    /// Keeps all moves as text: the start position cannot be set up.
    pub(crate) fn keep_as_text(&mut self) {
        self.is_text_only = true;
    }

    /// The place here.
    pub(crate) fn bookmark(&self) -> Bookmark {
        Bookmark { node: self.node(), plies_cut: self.ply() - self.cursor.ply() }
    }

    /// Goes back to a bookmark.
    pub(crate) fn return_to(&mut self, bookmark: Bookmark) {
        self.go_to(bookmark.node);
        if bookmark.plies_cut > 0 {
            self.cut = Some(Cut { plies: bookmark.plies_cut, text: String::new() });
        }
    }

    /// Goes back to where `ply` moves of the line have been played.
    pub fn back_to(&mut self, ply: usize) {
        match &mut self.cut {
            Some(cut) if ply > self.cursor.ply() => {
                cut.plies = cut.plies.min(ply - self.cursor.ply());
                cut.push('|');
            }
            _ => {
                self.end_cut();
                self.cursor.back_to(ply);
            }
        }
    }

    /// Goes to any place of the game.
    pub fn go_to(&mut self, node: NodeId) {
        self.end_cut();
        self.cursor.go_to(&self.game, node);
    }

    /// Makes the text of a cut a comment on the last legal move.
    fn end_cut(&mut self) {
        if let Some(cut) = self.cut.take() {
            let node = self.cursor.node();
            self.game.add_comment(node, cut.text.trim_end_matches([' ', '|']));
        }
    }

    /// Adds a comment on the last move, or on the start position.
    pub fn add_comment(&mut self, text: &str) {
        match &mut self.cut {
            Some(_) if text.trim().is_empty() => {}
            Some(cut) => cut.push(format_args!("({})", text.trim())),
            None => {
                let node = self.node();
                self.game.add_comment(node, text);
            }
        }
    }

    /// Marks the last move.
    pub fn add_mark(&mut self, mark: Mark) {
        match &mut self.cut {
            Some(cut) => cut.push(mark),
            None => {
                let node = self.node();
                self.game.add_mark(node, mark);
            }
        }
    }

    /// The value of a tag of the game.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.game.tags.get(name)
    }

    /// Sets a tag of the game.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        self.game.tags.set(name, value);
    }

    /// Replaces the tags of the game.
    pub fn set_tags(&mut self, tags: Tags) {
        self.game.tags = tags;
    }

    /// Says how the game ended.
    pub fn set_outcome(&mut self, outcome: Outcome) {
        self.game.outcome = outcome;
    }

    /// The game.
    pub fn finish(mut self) -> Game {
        self.end_cut();
        self.game
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::coords::parse_move;

    fn mv(text: &str) -> Result<Move, Problem> {
        Ok(parse_move(text, RankStyle::FromZero)?)
    }

    /// h2e2 h9g7 h2h3(illegal) … with variations before, at and behind the cut.
    #[test]
    fn an_illegal_move_cuts_its_branch_and_nothing_else() {
        let mut builder = GameBuilder::new(Position::start());
        let read = |builder: &mut GameBuilder, text| builder.try_move(mv(text), text, Place::Byte(7));
        for text in ["h2e2", "h9g7", "h2h3", "g7f5"] {
            read(&mut builder, text);
        }
        builder.add_comment("so printed");
        assert_eq!(builder.ply(), 4);
        builder.back_to(3);
        read(&mut builder, "b9c7");
        builder.back_to(1);
        read(&mut builder, "b9c7");
        read(&mut builder, "c3c4");
        let game = builder.finish();
        assert_eq!(game.move_count(), 4);
        let second = game.main_line().nth(1).unwrap();
        assert_eq!(game.comment(second), "h2h3 g7f5 (so printed) | b9c7");
        let faults: Vec<String> = game.faults().iter().map(ToString::to_string).collect();
        assert_eq!(faults, ["game 1, byte 7: ply 3: h2h3 is illegal: no piece of Red stands on h2"]);
    }

    #[test]
    fn a_bookmark_leads_back_behind_the_cut() {
        let mut builder = GameBuilder::new(Position::start());
        let read = |builder: &mut GameBuilder, text| builder.try_move(mv(text), text, Place::Line(1));
        read(&mut builder, "h2e2");
        read(&mut builder, "h2h3");
        let cut = builder.bookmark();
        builder.back_to(1);
        read(&mut builder, "h9g7");
        builder.return_to(cut);
        read(&mut builder, "h0g2");
        let game = builder.finish();
        assert_eq!(game.main_moves().count(), 2);
        assert_eq!(game.comment(game.main_line().next().unwrap()), "h2h3\nh0g2");
        let faults: Vec<String> = game.faults().iter().map(ToString::to_string).collect();
        assert_eq!(faults.len(), 2);
        assert!(faults[1].ends_with("ply 2: the variation h9g7 takes the place of the line that was cut"));
    }
}
