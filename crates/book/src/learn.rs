//! Book learning: a played game adds its positions and results and moves weights, and can be unlearned.

use chuhe_board::{Move, Outcome, Position, Side};
use chuhe_notation::record::Game;

use crate::build::day_of;
use crate::entry::merge_moves;
use crate::{BookMove, Entries, slot};

/// A game to learn: its positions and results, and weights that rise after wins and fall after losses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearnedGame {
    /// The side that we played.
    pub side: Side,
    /// How the game ended.
    pub outcome: Outcome,
    /// When it was played, in days since 1970; 0 if not known.
    pub day: u32,
    /// Its moves from the normal start position, all legal.
    pub moves: Vec<Move>,
}

/// How much a win or loss changes the weight of each own move.
pub(crate) const STEP: i16 = 10;
/// The length of a packed game without its moves.
const HEAD: usize = 6;
const OUTCOMES: [Outcome; 4] = [Outcome::Undecided, Outcome::RedWins, Outcome::BlackWins, Outcome::Draw];

impl LearnedGame {
    /// A record up to a ply, learned for `side`; `None` if the game did not start from the normal position.
    pub fn of(game: &Game, side: Side, plies: usize) -> Option<Self> {
        let day = game.tags.get("Date").and_then(day_of).unwrap_or(0);
        let moves: Vec<Move> = game.main_moves().take(plies).collect();
        let is_usable = game.start() == &Position::start() && !moves.is_empty();
        is_usable.then_some(Self { side, outcome: game.outcome, day, moves })
    }

    /// The entries it adds to a book.
    pub(crate) fn entries(&self) -> Entries {
        let mut entries = Entries::new();
        let mut position = Position::start();
        for mv in &self.moves {
            let mover = position.side_to_move();
            let (key, mv_here) = slot(&position, *mv);
            merge_moves(entries.entry(key).or_default(), &[self.known(mover, mv_here)]);
            let _ = position.play(*mv, &mut ());
        }
        entries
    }

    fn known(&self, mover: Side, mv: Move) -> BookMove {
        let winner = self.outcome.winner();
        let weight = match winner {
            Some(winner) if mover == self.side => {
                if winner == self.side {
                    STEP
                } else {
                    -STEP
                }
            }
            _ => 0,
        };
        BookMove {
            count: 1,
            wins: u32::from(winner == Some(mover)),
            draws: u32::from(self.outcome == Outcome::Draw),
            losses: u32::from(winner == Some(!mover)),
            weight,
            seen: self.day,
            ..BookMove::new(mv)
        }
    }

    /// One byte each for the side and the outcome, four for the day, two for each move.
    pub(crate) fn packed(&self) -> Vec<u8> {
        let outcome = OUTCOMES.iter().position(|known| *known == self.outcome).unwrap_or(0);
        let mut bytes = vec![self.side.index() as u8, outcome as u8];
        bytes.extend(self.day.to_le_bytes());
        bytes.extend(self.moves.iter().flat_map(|mv| mv.packed().to_le_bytes()));
        bytes
    }

    /// Undoes [`Self::packed`].
    pub(crate) fn unpacked(bytes: &[u8]) -> Option<Self> {
        let ([side, outcome, day @ ..], moves) = bytes.split_first_chunk::<HEAD>()?;
        let moves = moves.as_chunks().0.iter().map(|mv| Move::from_packed(u16::from_le_bytes(*mv)));
        Some(Self {
            side: *Side::ALL.get(usize::from(*side))?,
            outcome: *OUTCOMES.get(usize::from(*outcome))?,
            day: u32::from_le_bytes(*day),
            moves: moves.collect::<Option<_>>()?,
        })
    }
}

/// Subtracts what a game added to a position, except the day on which it was last seen.
pub(crate) fn subtract_moves(known: &mut Vec<BookMove>, taught: &[BookMove]) {
    for taught in taught {
        for known in known.iter_mut().filter(|known| known.mv == taught.mv) {
            known.count = known.count.saturating_sub(taught.count);
            known.wins = known.wins.saturating_sub(taught.wins);
            known.draws = known.draws.saturating_sub(taught.draws);
            known.losses = known.losses.saturating_sub(taught.losses);
            known.weight = known.weight.saturating_sub(taught.weight);
        }
    }
    known.retain(|known| {
        known.count > 0 || known.score.is_some() || known.weight != 0 || !known.note.is_empty()
    });
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::RankStyle;
    use chuhe_notation::pgn;

    use super::*;
    use crate::{Store, moves_in};

    fn learned(text: &str) -> LearnedGame {
        let game = pgn::read(text, RankStyle::FromZero).next().unwrap().unwrap();
        LearnedGame::of(&game, Side::Red, 40).unwrap()
    }

    #[test]
    fn learning_raises_what_won_and_can_be_undone() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("a.store")).unwrap();
        store.learn(&learned("1. h2e2 h9g7 1-0")).unwrap();
        let before = store.entries().unwrap();
        let cannon = &moves_in(&before, &Position::start())[0];
        assert_eq!((cannon.count, cannon.wins, cannon.weight), (1, 1, STEP));
        store.learn(&learned("1. b2e2 b9c7 2. b0c2 0-1")).unwrap();
        store.learn(&learned("1. c3c4 1/2-1/2")).unwrap();
        let entries = store.entries().unwrap();
        let cannon = &moves_in(&entries, &Position::start())[0];
        assert_eq!((cannon.count, cannon.wins, cannon.losses, cannon.weight), (2, 1, 1, 0));
        assert_eq!(store.learned_games().unwrap(), 3);
        assert_eq!(store.unlearn(2).unwrap(), 2);
        assert_eq!(store.entries().unwrap(), before);
        assert_eq!(store.unlearn(10).unwrap(), 1);
        assert!(store.is_empty().unwrap());
    }

    #[test]
    fn learned_games_are_packed_and_unpacked() {
        let game = learned("[Date \"2014.06.28\"] 1. h2e2 h9g7 1/2-1/2");
        assert!(game.day > 0);
        assert_eq!(LearnedGame::unpacked(&game.packed()), Some(game));
        assert_eq!(LearnedGame::unpacked(b"abc"), None);
    }

    #[test]
    fn only_games_from_the_start_are_learned() {
        let text = "[FEN \"3k5/9/9/9/9/9/9/9/9/R3K4 w\"] 1. a0a9 *";
        let game = pgn::read(text, RankStyle::FromZero).next().unwrap().unwrap();
        assert_eq!(LearnedGame::of(&game, Side::Red, 40), None);
    }
}
