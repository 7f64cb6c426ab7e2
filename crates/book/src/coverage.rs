//! Coverage: how long real games stay in a book, and the moves with which they leave it.

use std::collections::HashMap;

use chuhe_board::{Move, Position};

use crate::{Book, lines, slot};

/// How long games stay in a book.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// How many games stay in the book for each number of plies.
    games: Vec<usize>,
    /// The moves with which games leave, by position and move.
    missing: HashMap<(u64, Move), Missing>,
}

/// A move that the book does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The moves of a game up to it and itself.
    pub line: Vec<Move>,
    /// The name of the opening before it.
    pub name: Option<lines::Name>,
    /// How many games leave with it.
    pub games: usize,
}

impl Coverage {
    /// Follows a game from the normal start position.
    pub fn add(&mut self, book: &Book, moves: &[Move]) {
        let mut position = Position::start();
        let mut name = None;
        let mut plies = 0;
        for mv in moves {
            if !book.knows(&position, *mv) {
                let (key, own) = slot(&position, *mv);
                let line = || moves[..=plies].to_vec();
                let entry = self.missing.entry((key.get(), own));
                entry.or_insert_with(|| Missing { line: line(), name, games: 0 }).games += 1;
                break;
            }
            let _ = position.play(*mv, &mut ());
            name = lines::name(&position).or(name);
            plies += 1;
        }
        if self.games.len() <= plies {
            self.games.resize(plies + 1, 0);
        }
        self.games[plies] += 1;
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        self.games.iter().sum()
    }

    /// The mean number of plies in the book.
    pub fn mean(&self) -> f64 {
        let plies: usize = self.games.iter().enumerate().map(|(plies, games)| plies * games).sum();
        plies as f64 / self.games().max(1) as f64
    }

    /// The number of plies that a share of the games, from 0 to 1, does not exceed.
    pub fn quantile(&self, share: f64) -> usize {
        let wanted = (share * self.games() as f64).ceil() as usize;
        let mut below = 0;
        let reached = self.games.iter().position(|games| {
            below += games;
            below >= wanted
        });
        reached.unwrap_or(0)
    }

    /// The share of the games, from 0 to 1, that are still in the book after `plies` plies.
    pub fn share_after(&self, plies: usize) -> f64 {
        self.games.iter().skip(plies).sum::<usize>() as f64 / self.games().max(1) as f64
    }

    /// The moves with which games leave the book, the most frequent first.
    pub fn missing(&self) -> Vec<Missing> {
        let mut missing: Vec<Missing> = self.missing.values().cloned().collect();
        missing.sort_by_key(|one| {
            (std::cmp::Reverse(one.games), one.line.clone().into_iter().map(Move::packed).collect::<Vec<_>>())
        });
        missing
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::{RankStyle, parse_move};

    use super::*;
    use crate::Entries;

    fn moves(line: &str) -> Vec<Move> {
        line.split(' ').map(|text| parse_move(text, RankStyle::FromZero).unwrap()).collect()
    }

    #[test]
    fn games_are_followed_to_the_first_unknown_move() {
        let mut entries = Entries::new();
        lines::enter(&mut entries);
        let book = Book::of(&entries);
        let mut coverage = Coverage::default();
        coverage.add(&book, &moves("h2e2 h9g7 a0a2 a9a8"));
        coverage.add(&book, &moves("b2e2 b9c7 i0i2"));
        coverage.add(&book, &moves("e0e1"));
        coverage.add(&book, &moves("h2e2 h9g7 h0g2 i9h9"));
        assert_eq!(coverage.games(), 4);
        assert_eq!(coverage.mean(), 2.0);
        assert_eq!((coverage.quantile(0.25), coverage.quantile(0.5), coverage.quantile(1.0)), (0, 2, 4));
        assert_eq!((coverage.share_after(2), coverage.share_after(3)), (0.75, 0.25));
        let missing = coverage.missing();
        assert_eq!(
            (missing.len(), missing[0].games, missing[0].line.len()),
            (2, 2, 3),
            "mirror images are one"
        );
        assert_eq!(missing[0].name.unwrap().traditional, "中炮局");
        assert_eq!(missing[1].name, None);
    }
}
