//! Endgame tables: every position with at most four revealed pieces, and chosen classes of five, by retrograde
//! analysis.
//!
//! Only who can take whom matters, so sets of pieces with the same relations share a table
//! ([`shape`](self)). A table holds, for either side to move, whether the side to move wins or loses and
//! in how many plies the next capture (or the end) comes; draws are counted under a limit of quiet plies.

mod deflate;
mod file;
mod shape;
mod solve;
mod verify;

pub use file::FileError;

use std::collections::HashMap;

use arrayvec::ArrayVec;

use crate::game::Game;
use crate::moves::Move;
use crate::piece::{Counts, FULL_SET, Kind, Piece, Side};
use crate::position::Position;
use crate::rules::{CannonRule, Captures, Taking};
use crate::square::Square;
use shape::{Arrangement, Shape};
use solve::Table;

/// Tables are complete up to this many pieces.
pub const COMPLETE_PIECES: u32 = 4;
/// The most pieces a table has.
const MOST: usize = 5;

/// The worth of a position for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    /// A win, with the plies to the next capture or the end.
    Win(u8),
    /// Nobody can force anything within the limit.
    Draw,
    /// A loss, with the plies to the next capture or the end.
    Loss(u8),
}

/// What may be asked of the tables' rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndgameRules {
    /// Who takes whom.
    pub taking: Taking,
    /// How cannons take.
    pub cannon: CannonRule,
    /// The quiet limit in plies; at most 120, since no win needs more.
    pub quiet_limit: u16,
}

/// All tables of one set of rules.
#[derive(Debug)]
pub struct Endgames {
    rules: EndgameRules,
    captures: Captures,
    tables: Vec<Table>,
    by_shape: HashMap<Shape, usize>,
    /// The pieces of the largest table.
    most_pieces: u32,
}

/// Why a class of five pieces cannot be solved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClassError {
    /// Not five letters of pieces, or more of a kind than a set has.
    #[error("'{0}' is not a class of five pieces: use letters such as GKNPk, upper case for one side")]
    Letters(String),
    /// Captures lead to smaller tables.
    #[error("a class of five pieces needs all tables of four")]
    Incomplete,
}

/// A summary of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statistics {
    /// A set of pieces of this shape, such as `KPkg`.
    pub example: String,
    /// Positions won, drawn and lost by the side to move, the first side's turn and the second's.
    pub counts: [[u64; 3]; 2],
    /// The longest way to a capture.
    pub longest: u8,
}

impl Endgames {
    /// Solves all sets of at most `pieces` pieces; `on_progress` gets the finished tables and how many
    /// there will be.
    pub fn solve(rules: EndgameRules, pieces: u32, on_progress: &mut dyn FnMut(usize, usize)) -> Self {
        let captures = Captures::new(rules.taking, rules.cannon);
        let mut endgames = Self::empty(rules);
        let shapes = shape::all(&captures, pieces.min(COMPLETE_PIECES));
        let count = shapes.len();
        for (done, (shape, sample)) in shapes.into_iter().enumerate() {
            let table = solve::solve(&endgames, shape, &sample);
            endgames.insert(table);
            on_progress(done + 1, count);
        }
        endgames
    }

    fn empty(rules: EndgameRules) -> Self {
        let captures = Captures::new(rules.taking, rules.cannon);
        Self { rules, captures, tables: Vec::new(), by_shape: HashMap::new(), most_pieces: 0 }
    }

    /// Solves a class of five pieces as well, such as `GKNPk`: one side's letters in upper case, the other's in lower case.
    pub fn solve_class(&mut self, class: &str) -> Result<(), ClassError> {
        let bad = || ClassError::Letters(class.to_owned());
        let pieces = class.chars().map(Piece::from_letter).collect::<Option<Vec<Piece>>>().ok_or_else(bad)?;
        let is_set = |piece: &Piece| {
            let count = pieces.iter().filter(|&other| other == piece).count();
            count <= FULL_SET[piece.index()].into()
        };
        let kinds = |side| pieces.iter().filter(move |piece| piece.side() == side).map(|piece| piece.kind());
        let [red, black]: [Vec<Kind>; 2] = Side::ALL.map(|side| kinds(side).collect());
        if pieces.len() != MOST || red.is_empty() || black.is_empty() || !pieces.iter().all(is_set) {
            return Err(bad());
        }
        if self.most_pieces < COMPLETE_PIECES {
            return Err(ClassError::Incomplete);
        }
        let arrangement = Arrangement::new(&self.captures, &red, &black);
        if !self.by_shape.contains_key(&arrangement.shape) {
            let table = solve::solve(self, arrangement.shape, &arrangement);
            self.insert(table);
        }
        Ok(())
    }

    fn insert(&mut self, table: Table) {
        self.most_pieces = self.most_pieces.max(table.pieces() as u32);
        self.by_shape.insert(table.shape, self.tables.len());
        self.tables.push(table);
    }

    /// The rules they hold for.
    pub fn rules(&self) -> EndgameRules {
        self.rules
    }

    /// Whether they are valid for a game: its capture rules are the same, and its limit is theirs or
    /// both are longer than any win takes.
    pub fn fit(&self, game: &Game) -> bool {
        let rules = game.rules();
        let limit = rules.quiet_limit.unwrap_or(u16::MAX);
        let long = u16::from(self.longest()) < self.rules.quiet_limit;
        (rules.taking, rules.cannon) == (self.rules.taking, self.rules.cannon)
            && (limit == self.rules.quiet_limit || long && limit > self.rules.quiet_limit)
    }

    /// The longest way to a capture in any table.
    pub fn longest(&self) -> u8 {
        self.tables.iter().map(|table| table.longest).max().unwrap_or(0)
    }

    /// The pieces of the largest table.
    #[inline]
    pub(crate) fn most_pieces(&self) -> u32 {
        self.most_pieces
    }

    /// How many tables there are.
    pub fn len(&self) -> usize {
        self.tables.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// The summaries of all tables.
    pub fn statistics(&self) -> Vec<Statistics> {
        self.tables.iter().map(Table::statistics).collect()
    }

    /// Finds a position where the tables contradict the rules, looking at every `every`th.
    pub fn verify(&self, every: usize) -> Result<u64, String> {
        verify::verify(self, every)
    }

    /// The worth of a position with its quiet plies at zero, if it is in a table.
    pub fn probe(&self, position: &Position) -> Option<Worth> {
        if !position.face_down().is_empty() || position.occupied().len() > self.most_pieces {
            return None;
        }
        let lookup = self.lookup(position.alive())?;
        Some(self.probe_with(&lookup, position))
    }

    /// Where to look for positions with these pieces alive. Costly, so searches keep it.
    pub(crate) fn lookup(&self, alive: &Counts) -> Option<Lookup> {
        let pieces = |side: Side| -> Vec<Kind> {
            let of = |kind: Kind| alive[Piece::new(side, kind).index()];
            Kind::ALL.into_iter().flat_map(|kind| std::iter::repeat_n(kind, of(kind).into())).collect()
        };
        let (red, black) = (pieces(Side::Red), pieces(Side::Black));
        if red.is_empty() || black.is_empty() || red.len() + black.len() > self.most_pieces as usize {
            return None;
        }
        let arrangement = Arrangement::new(&self.captures, &red, &black);
        let table = *self.by_shape.get(&arrangement.shape)?;
        Some(Lookup { table, arrangement })
    }

    pub(crate) fn probe_with(&self, lookup: &Lookup, position: &Position) -> Worth {
        let mut sets = [crate::square::SquareSet::EMPTY; Piece::COUNT];
        let mut squares = ArrayVec::<Square, MOST>::new();
        for &piece in &lookup.arrangement.order {
            sets[piece.index()] = position.squares_of(piece);
        }
        for &piece in &lookup.arrangement.order {
            squares.push(sets[piece.index()].next().expect("the arrangement lists the pieces alive"));
        }
        let first_moves = position.mover() == lookup.arrangement.first;
        self.tables[lookup.table].worth(first_moves, &squares)
    }

    /// The best move by the tables: the quickest win that the quiet plies allow, else a draw that is easy
    /// to lose for the other side, else the longest loss.
    pub fn best_move(&self, game: &Game) -> Option<(Move, Worth)> {
        if !self.fit(game) {
            return None;
        }
        let position = game.position();
        self.probe(position)?;
        let judged = game.sensible_moves().into_iter().map(|mv| (mv, self.after(game, mv)));
        judged.max_by_key(|&(mv, worth)| self.preference(game, mv, worth))
    }

    /// What a move is worth to the mover, counted from before it, with the game's quiet plies.
    fn after(&self, game: &Game, mv: Move) -> Worth {
        let mut next = game.position().clone();
        next.play_step(mv);
        if next.count_alive(next.mover()) == 0 {
            return Worth::Win(1);
        }
        let limit = game.rules().quiet_limit.unwrap_or(u16::MAX);
        let in_time = |plies: u8| u16::from(plies) + next.quiet_plies() <= limit;
        match self.probe(&next).expect("fewer pieces are in a table as well") {
            Worth::Loss(_) if next.quiet_plies() == 0 => Worth::Win(1),
            Worth::Win(_) if next.quiet_plies() == 0 => Worth::Loss(1),
            Worth::Loss(plies) if in_time(plies) => Worth::Win(plies + 1),
            Worth::Win(plies) if in_time(plies) => Worth::Loss(plies + 1),
            _ => Worth::Draw,
        }
    }

    fn preference(&self, game: &Game, mv: Move, worth: Worth) -> (i32, u32) {
        match worth {
            Worth::Win(plies) => (1000 - i32::from(plies), 0),
            Worth::Loss(plies) => (-1000 + i32::from(plies), 0),
            Worth::Draw => {
                let mut next = game.position().clone();
                next.play_step(mv);
                // A position that was there before brings the draw nearer.
                let fresh = i32::from(!game.keys().contains(&next.key()));
                (fresh, self.share_of_mistakes(game, &next))
            }
        }
    }

    /// How many of the replies lose, in thousandths.
    fn share_of_mistakes(&self, game: &Game, position: &Position) -> u32 {
        let replies = position.moves(game.captures());
        let loses = |mv: &&Move| {
            let mut next = position.clone();
            next.play_step(**mv);
            matches!(self.probe(&next), Some(Worth::Win(_)))
        };
        (replies.iter().filter(loses).count() * 1000 / replies.len().max(1)) as u32
    }
}

/// Where positions of a set of pieces are found.
#[derive(Debug, Clone)]
pub(crate) struct Lookup {
    table: usize,
    arrangement: Arrangement,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameEnd, WinReason};
    use crate::moves::Played;
    use crate::rules::Rules;

    fn small() -> Endgames {
        let rules = EndgameRules { taking: Taking::Taiwanese, cannon: CannonRule::Jumps, quiet_limit: 120 };
        Endgames::solve(rules, 3, &mut |_, _| {})
    }

    fn worth(endgames: &Endgames, text: &str) -> Worth {
        endgames.probe(&text.parse().unwrap()).unwrap()
    }

    #[test]
    fn three_piece_tables_agree_with_the_rules() {
        let endgames = small();
        assert!(endgames.len() > 10);
        let checked = endgames.verify(1).unwrap();
        assert!(checked > 100_000, "{checked}");
    }

    #[test]
    fn simple_endings_are_right() {
        let endgames = small();
        assert_eq!(worth(&endgames, "Kg6/8/8/8 r - 0"), Worth::Win(1));
        // Cornered: every step of the soldier ends beside the advisor.
        assert_eq!(worth(&endgames, "p7/1G6/8/8 b - 0"), Worth::Loss(2));
        // One against one the parity of the distance decides: the soldier keeps it even.
        assert!(matches!(worth(&endgames, "K7/8/8/7p r - 0"), Worth::Loss(_)));
        assert_eq!(worth(&endgames, "K7/8/8/6p1 r - 0"), Worth::Draw);
        // Two hunters catch one.
        assert!(matches!(worth(&endgames, "GG6/8/8/7p r - 0"), Worth::Win(_)));
    }

    #[test]
    fn playing_by_the_tables_wins_what_they_call_won() {
        let endgames = small();
        let mut game = Game::new("GG6/8/8/7p r - 0".parse().unwrap(), Rules::OLYMPIAD);
        while game.end().is_none() {
            let (mv, _) = endgames.best_move(&game).unwrap();
            game.play(Played::Step(mv.from(), mv.to())).unwrap();
        }
        assert_eq!(game.end(), Some(GameEnd::Won { by: Side::Red, because: WinReason::AllTaken }));
    }

    #[test]
    fn only_classes_of_five_pieces_are_solved_and_only_on_top_of_four() {
        let mut endgames = small();
        for class in ["", "GKNP", "GKNPkk", "GKNPx", "KKgpp", "GKNPP"] {
            assert_eq!(endgames.solve_class(class), Err(ClassError::Letters(class.to_owned())));
        }
        assert_eq!(endgames.solve_class("GKNPk"), Err(ClassError::Incomplete));
    }

    #[test]
    fn a_short_limit_makes_draws_of_long_wins() {
        let rules = EndgameRules { taking: Taking::Taiwanese, cannon: CannonRule::Jumps, quiet_limit: 4 };
        let short = Endgames::solve(rules, 3, &mut |_, _| {});
        short.verify(1).unwrap();
        let far = "GG6/8/8/7p r - 0";
        assert_eq!(worth(&short, far), Worth::Draw);
        let game = Game::new(far.parse().unwrap(), Rules::OLYMPIAD);
        assert!(!short.fit(&game), "180 plies would allow the win");
        assert!(small().fit(&game));
    }
}
