//! Games of the engine against itself from the openings of the book: the starter collection.

use chuhe_board::{Move, Outcome, Position};
use chuhe_book::{Book, Choice, lines};
use chuhe_eval::Score;
use chuhe_referee::{Game, Referee};
use chuhe_search::{Control, Limits, Pool};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::selfplay::{Settings, Verdict};

/// A game from the normal start position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookGame {
    /// The moves.
    pub moves: Vec<Move>,
    /// The result; perhaps adjudicated.
    pub outcome: Outcome,
}

/// Plays the games of a seed, each by its number: the same games in any order.
pub struct BookPlayer {
    book: Book,
    nodes: u64,
    seed: u64,
    pool: Pool,
}

/// The book is followed to this ply at least, and for up to as many more.
const BOOK_PLIES: usize = 8;
/// Centisoldiers that halve the chance of a book move: twice as many as in play at full strength, for variety.
const HALVING_LOSS: u16 = 20;
/// A score this far from level …
const RESIGN: i32 = 800;
/// … for this many plies in a row wins.
const RESIGN_PLIES: u32 = 4;
/// Scores this close to level …
const LEVEL: Score = Score::centisoldiers(30);
/// … for this many plies in a row …
const LEVEL_PLIES: u32 = 16;
/// … draw from this ply on.
const FIRST_DRAWN_PLY: usize = 60;
/// Longer games are drawn.
const LONGEST_GAME: usize = 200;
/// A game of 20,000 nodes a move fills little more.
const HASH_MEBIBYTES: usize = 16;

impl BookPlayer {
    /// A player who searches this many nodes for each move.
    pub fn new(book: Book, nodes: u64, seed: u64) -> Self {
        Self { book, nodes, seed, pool: Pool::new(1, HASH_MEBIBYTES) }
    }

    /// Plays the game of a number.
    pub fn game(&mut self, number: u64) -> BookGame {
        self.pool.clear();
        let mut game = self.opening(number);
        let settings = Settings { resign: RESIGN, resign_plies: RESIGN_PLIES, ..Settings::default() };
        let (mut verdict, mut level_plies) = (Verdict::new(&settings), 0);
        let outcome = loop {
            let answer =
                self.pool.search(&game, &Limits::nodes(self.nodes), &Control::default(), &mut |_| {});
            let Some((best, line)) = answer.best.zip(answer.lines.first()) else {
                break Referee::default().judge(&game).outcome;
            };
            if let Some(outcome) = verdict.after(&game, line.score) {
                break outcome;
            }
            let is_level = line.score <= LEVEL && line.score >= -LEVEL;
            level_plies = if is_level { level_plies + 1 } else { 0 };
            let plies = game.history().len();
            if plies >= LONGEST_GAME || plies >= FIRST_DRAWN_PLY && level_plies >= LEVEL_PLIES {
                break Outcome::Draw;
            }
            game.play(best).expect("the search plays legal moves");
        };
        BookGame { moves: moves_of(&mut game), outcome }
    }

    /// Half of the games begin with a named line, so that every one has games; then, or from the start, the book's moves by chance.
    fn opening(&self, number: u64) -> Game {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed ^ number.rotate_left(32));
        let mut game = Game::new(Position::start());
        if random.random_bool(0.5) {
            let lines = lines::all();
            for mv in &lines[random.random_range(0..lines.len())].moves {
                game.play(*mv).expect("named lines are legal");
            }
        }
        let plies = BOOK_PLIES + random.random_range(0..=BOOK_PLIES);
        let choice = Choice { plies, halving_loss: HALVING_LOSS, ..Choice::at_strength(1.0) };
        let referee = Referee::default();
        while let Some(mv) = choice.choose(self.book.moves(game.position()), &game, &referee, random.random())
        {
            game.play(mv).expect("book moves are legal");
        }
        game
    }
}

fn moves_of(game: &mut Game) -> Vec<Move> {
    let mut moves: Vec<Move> = std::iter::from_fn(|| game.take_back()).collect();
    moves.reverse();
    moves
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_same_number_gives_the_same_game_and_every_game_ends() {
        let mut player = BookPlayer::new(Book::embedded(), 100, 7);
        let games: Vec<BookGame> = (0..6).map(|number| player.game(number)).collect();
        assert_eq!(games[1], player.game(1));
        assert_eq!(games.iter().map(|game| &game.moves).collect::<HashSet<_>>().len(), games.len());
        for game in &games {
            assert!(game.outcome != Outcome::Undecided && game.moves.len() <= LONGEST_GAME + 1, "{game:?}");
        }
    }

    #[test]
    fn openings_differ_and_named_lines_lead() {
        let player = BookPlayer::new(Book::embedded(), 1, 7);
        let openings: Vec<Vec<Move>> = (0..200).map(|number| moves_of(&mut player.opening(number))).collect();
        assert!(openings.iter().collect::<HashSet<_>>().len() > 150);
        let theory: HashSet<&[Move]> = lines::all().iter().map(|line| &line.moves[..]).collect();
        let named =
            openings.iter().filter(|moves| (1..=moves.len()).any(|end| theory.contains(&moves[..end])));
        assert!(named.count() > 100);
    }
}
