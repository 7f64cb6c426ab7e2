//! What happened so far, light enough for a search: one small entry a ply, pushed and popped.

use chuhe_board::{Key, Move, Position, Undo};

/// The plies that led to a position.
#[derive(Clone, Debug)]
pub struct History {
    start: Key,
    plies: Vec<Ply>,
    sieve: Sieve,
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
        let mut sieve = Sieve::default();
        sieve.add(start.key());
        Self { start: start.key(), plies: Vec::new(), sieve }
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
        self.sieve.add(key);
        self.plies.push(Ply { undo: Some(undo), key, gives_check, reversible });
    }

    /// Adds a pass (a null move of the search). Repetition is not looked for across it.
    #[inline]
    pub fn push_pass(&mut self, after: &Position) {
        self.sieve.add(after.key());
        self.plies.push(Ply { undo: None, key: after.key(), gives_check: false, reversible: 0 });
    }

    /// Removes the last ply.
    #[inline]
    pub fn pop(&mut self) -> Option<Ply> {
        let ply = self.plies.pop()?;
        self.sieve.remove(ply.key);
        Some(ply)
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
    /// Costs one look at nearly every node, and a few comparisons at the others: it looks back only as far as moves
    /// can be undone, and only at positions with the same side to move.
    #[inline]
    pub fn occurrences(&self) -> impl Iterator<Item = usize> {
        let now = self.plies.len();
        let key = self.key_after(now);
        let reversible = match (self.plies.last(), self.sieve.may_repeat(key)) {
            (Some(ply), true) => usize::from(ply.reversible),
            _ => 0,
        };
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

/// How many positions share some bits of their key: where only one has them, none has occurred twice.
#[derive(Clone, Debug)]
struct Sieve(Box<[u32; Sieve::SIZE]>);

impl Sieve {
    const SIZE: usize = 1 << 10;

    #[inline]
    fn add(&mut self, key: Key) {
        self.0[Self::place(key)] += 1;
    }

    #[inline]
    fn remove(&mut self, key: Key) {
        self.0[Self::place(key)] -= 1;
    }

    #[inline]
    fn may_repeat(&self, key: Key) -> bool {
        self.0[Self::place(key)] > 1
    }

    #[inline]
    const fn place(key: Key) -> usize {
        key.get() as usize % Self::SIZE
    }
}

impl Default for Sieve {
    fn default() -> Self {
        Self(Box::new([0; Self::SIZE]))
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
