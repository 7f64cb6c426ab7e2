//! What happened so far, light enough for a search: one small entry a ply, pushed and popped.

use chuhe_board::{Key, Move, Position, Undo};

/// The plies that led to a position.
#[derive(Clone, Debug)]
pub struct History {
    start: Key,
    plies: Vec<Ply>,
}

/// One ply of a [`History`].
#[derive(Clone, Copy, Debug)]
pub struct Ply {
    /// `None` for a pass.
    undo: Option<Undo>,
    key: Key,
    gives_check: bool,
    /// Plies up to this one since the last capture or pass: as far back a position can repeat.
    reversible: u16,
}

impl Ply {
    /// The move, or `None` for a pass.
    pub fn mv(&self) -> Option<Move> {
        self.undo.map(|undo| undo.mv())
    }

    /// What takes the move back, or `None` for a pass.
    pub const fn undo(&self) -> Option<Undo> {
        self.undo
    }

    /// Whether it gave check.
    pub const fn gives_check(&self) -> bool {
        self.gives_check
    }
}

impl History {
    /// Nothing has happened yet.
    pub fn new(start: &Position) -> Self {
        Self { start: start.key(), plies: Vec::new() }
    }

    /// Adds the ply that `undo` takes back; `after` is the position it led to.
    pub fn push(&mut self, undo: Undo, after: &Position) {
        self.push_known(undo, after.key(), after.is_in_check());
    }

    /// As [`Self::push`], for a caller that knows the key of the position after the move and whether
    /// it gives check.
    #[inline]
    pub fn push_known(&mut self, undo: Undo, key: Key, gives_check: bool) {
        let reversible = match undo.captured() {
            Some(_) => 0,
            None => self.plies.last().map_or(0, |ply| ply.reversible).saturating_add(1),
        };
        self.plies.push(Ply { undo: Some(undo), key, gives_check, reversible });
    }

    /// Adds a pass (a null move of the search). Repetition is not looked for across it.
    #[inline]
    pub fn push_pass(&mut self, after: &Position) {
        self.plies.push(Ply { undo: None, key: after.key(), gives_check: false, reversible: 0 });
    }

    /// Removes the last ply.
    #[inline]
    pub fn pop(&mut self) -> Option<Ply> {
        self.plies.pop()
    }

    /// The plies in order.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// How many plies there are.
    pub fn len(&self) -> usize {
        self.plies.len()
    }

    /// Whether nothing has happened yet.
    pub fn is_empty(&self) -> bool {
        self.plies.is_empty()
    }

    /// After how many plies the current position occurred before, latest first.
    ///
    /// Costs a few comparisons a node: it looks back only as far as moves can be undone, and only at
    /// positions with the same side to move.
    #[inline]
    pub fn occurrences(&self) -> impl Iterator<Item = usize> {
        let now = self.plies.len();
        let reversible = self.plies.last().map_or(0, |ply| usize::from(ply.reversible));
        let key = self.key_after(now);
        (4..=reversible.min(now))
            .step_by(2)
            .map(move |back| now - back)
            .filter(move |count| self.key_after(*count) == key)
    }

    #[inline]
    fn key_after(&self, count: usize) -> Key {
        count.checked_sub(1).map_or(self.start, |index| self.plies[index].key)
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::{RankStyle, parse_move};

    use super::*;

    fn played(fen: &str, moves: &str) -> (Position, History) {
        let mut position: Position = fen.parse().unwrap();
        let mut history = History::new(&position);
        for text in moves.split_whitespace() {
            if text == "pass" {
                position.pass();
                history.push_pass(&position);
                continue;
            }
            let undo = position.play(parse_move(text, RankStyle::FromZero).unwrap(), &mut ());
            history.push(undo, &position);
        }
        (position, history)
    }

    const FEN: &str = "3k5/9/9/p8/9/9/9/9/R8/5K3 w";

    #[test]
    fn occurrences_are_found_latest_first() {
        let (_, history) = played(FEN, "f0f1 d9d8 f1f0 d8d9 f0f1 d9d8 f1f0 d8d9");
        assert_eq!(history.occurrences().collect::<Vec<_>>(), [4, 0]);
    }

    #[test]
    fn a_capture_or_a_pass_ends_the_stretch() {
        let (_, history) = played(FEN, "f0f1 d9d8 a1a6 d8d9 f1f0 d9d8 f0f1 d8d9");
        assert_eq!(history.occurrences().collect::<Vec<_>>(), [4]);
        let (_, history) = played(FEN, "f0f1 d9d8 f1f0 d8d9 pass pass");
        assert_eq!(history.occurrences().count(), 0);
    }

    #[test]
    fn popping_undoes_pushing() {
        let (_, mut history) = played(FEN, "f0f1 d9d8 f1f0 d8d9");
        assert_eq!(history.pop().and_then(|ply| ply.mv()).unwrap().to_string(), "d8d9");
        assert_eq!(history.len(), 3);
        assert_eq!(history.occurrences().count(), 0);
    }
}
