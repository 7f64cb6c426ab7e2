//! Learning from a game that was played, and taking it back.

use chuhe_board::{Position, Side};
use chuhe_notation::record::{Game, Outcome};

use crate::store::StoreError;
use crate::{BookMove, Builder, Entries, Filter, Store, slot};

/// What a game teaches: its new positions and results, and weights that go up after wins and down after losses.
pub struct Lesson {
    entries: Entries,
}

/// How much a win or loss changes the weight of each own move.
const STEP: i16 = 10;

impl Lesson {
    /// What a game teaches the side that we played, up to a ply.
    pub fn of(game: &Game, side: Side, plies: usize) -> Self {
        let mut builder = Builder::new(Filter { plies, ..Filter::default() });
        builder.add(game);
        let mut entries = builder.finish();
        let step = match (game.outcome, side) {
            (Outcome::RedWins, Side::Red) | (Outcome::BlackWins, Side::Black) => STEP,
            (Outcome::RedWins | Outcome::BlackWins, _) => -STEP,
            (Outcome::Draw | Outcome::Unknown, _) => 0,
        };
        let mut position = Position::start();
        for mv in game.main_moves().take(plies) {
            let (key, mv_here) = slot(&position, mv);
            let moves = entries.get_mut(&key).into_iter().flatten();
            if position.side_to_move() == side {
                moves.filter(|known| known.mv == mv_here).for_each(|known| known.weight = step);
            }
            let _ = position.play(mv, &mut ());
        }
        Self { entries }
    }
}

impl Store {
    /// Takes a lesson in.
    pub fn learn(&self, lesson: &Lesson) -> Result<(), StoreError> {
        self.merge(&lesson.entries)
    }

    /// Takes a lesson back: the store is as before, but for positions of which nothing is known any more.
    pub fn unlearn(&self, lesson: &Lesson) -> Result<(), StoreError> {
        let mut changed = Entries::new();
        let known = self.entries()?;
        for (key, moves) in &lesson.entries {
            let mut old = known.get(key).cloned().unwrap_or_default();
            for taught in moves {
                old.iter_mut()
                    .filter(|known| known.mv == taught.mv)
                    .for_each(|known| subtract(known, taught));
            }
            old.retain(|known| known.count > 0 || known.score.is_some() || !known.note.is_empty());
            changed.insert(*key, old);
        }
        self.replace(&changed)
    }
}

fn subtract(known: &mut BookMove, taught: &BookMove) {
    known.count = known.count.saturating_sub(taught.count);
    known.wins = known.wins.saturating_sub(taught.wins);
    known.draws = known.draws.saturating_sub(taught.draws);
    known.losses = known.losses.saturating_sub(taught.losses);
    known.weight = known.weight.saturating_sub(taught.weight);
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::RankStyle;
    use chuhe_notation::pgn;

    use super::*;
    use crate::moves_in;

    #[test]
    fn a_lesson_raises_what_won_and_can_be_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("a.store")).unwrap();
        let game = |text: &str| pgn::read(text, RankStyle::FromZero).next().unwrap().unwrap();
        let first = Lesson::of(&game("1. h2e2 h9g7 1-0"), Side::Red, 40);
        store.learn(&first).unwrap();
        let before = store.entries().unwrap();
        let cannon = &moves_in(&before, &Position::start())[0];
        assert_eq!((cannon.count, cannon.wins, cannon.weight), (1, 1, STEP));
        let loss = Lesson::of(&game("1. b2e2 b9c7 2. b0c2 0-1"), Side::Red, 40);
        store.learn(&loss).unwrap();
        let entries = store.entries().unwrap();
        let cannon = &moves_in(&entries, &Position::start())[0];
        assert_eq!((cannon.count, cannon.wins, cannon.losses, cannon.weight), (2, 1, 1, 0));
        store.unlearn(&loss).unwrap();
        let mut after = store.entries().unwrap();
        after.retain(|_, moves| !moves.is_empty());
        assert_eq!(after, before);
    }
}
