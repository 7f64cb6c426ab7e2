//! Where puzzles come from: games, with what a quick search thought of every position.

use chuhe_adapters::Handicap;
use chuhe_adapters::multi_pv;
use chuhe_board::{Move, Outcome, Position};
use chuhe_book::{Book, Choice};
use chuhe_eval::Score;
use chuhe_referee::{Game, Referee};
use chuhe_search::{Limits, Pool};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A position of a game, and the scores of its two best moves.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The position, without a past.
    pub position: Position,
    /// The score of the best move, for the side to move.
    pub best: Score,
    /// The score of the next.
    pub second: Score,
}

/// The heights of the ladder between which the players of a game stand: club players, who overlook things.
const HEIGHTS: std::ops::Range<f64> = 0.05..0.3;
/// The book is followed for at least this many plies and at most twice as many.
const BOOK_PLIES: u64 = 6;
const LONGEST_GAME: usize = 220;
/// Nodes for the look at each position: more than the players had, so that it sees what they overlook.
const LOOK_NODES: u64 = 3000;
/// Who stands worse in the player's own eyes has nothing to find.
const WORTH_A_LOOK: Score = Score::centisoldiers(-150);

/// Plays the game of a number between two levels of the engine: an opening from the book, then moves with human-like mistakes.
/// The same number gives the same game.
pub fn self_play(pool: &mut Pool, book: &Book, seed: u64, number: u64) -> Vec<Moment> {
    pool.clear();
    let mut random = Random { seed: seed ^ number.rotate_left(32), drawn: 0 };
    let players = [(); 2].map(|()| HEIGHTS.start + random.fraction() * (HEIGHTS.end - HEIGHTS.start));
    let players = players.map(|height| Handicap::new(height).expect("the players are below full strength"));
    let opening = Choice {
        plies: (BOOK_PLIES + random.draw() % (BOOK_PLIES + 1)) as usize,
        ..Choice::at_strength(0.0)
    };
    let (mut game, referee) = (Game::new(Position::start()), Referee::default());
    let mut moments = Vec::new();
    while game.history().len() < LONGEST_GAME && referee.judge(&game).outcome == Outcome::Undecided {
        let known = book.moves(game.position());
        if let Some(mv) = opening.choose(known, &game, &referee, random.draw()) {
            game.play(mv).expect("book moves are legal");
            continue;
        }
        let player = players[game.position().side_to_move().index()];
        let lines = multi_pv::search(pool, &game, &player.hold_back(Limits::default()));
        let Some(line) = lines.get(player.choose(&lines, random.draw())) else {
            break;
        };
        let mv = line.moves[0];
        if lines[0].score >= WORTH_A_LOOK {
            moments.extend(look(pool, &game));
        }
        game.play(mv).expect("the search plays legal moves");
    }
    moments
}

/// The moments of a game that others played.
pub fn replay(pool: &mut Pool, start: &Position, moves: &[Move]) -> Vec<Moment> {
    pool.clear();
    let mut game = Game::new(start.clone());
    let mut moments = Vec::new();
    for mv in moves {
        moments.extend(look(pool, &game));
        if game.play(*mv).is_err() {
            break;
        }
    }
    moments
}

/// A quick search of the position on the board; `None` if there is no choice of moves.
fn look(pool: &mut Pool, game: &Game) -> Option<Moment> {
    let position = without_past(game.position());
    let limits = Limits { lines: 2, ..Limits::nodes(LOOK_NODES) };
    let lines = multi_pv::search(pool, &Game::new(position.clone()), &limits);
    let [best, second] = &lines[..] else {
        return None;
    };
    Some(Moment { position, best: best.score, second: second.score })
}

/// The position as the start of a game.
fn without_past(position: &Position) -> Position {
    Position::from_pieces(position.pieces_on_board(), position.side_to_move())
        .expect("a position of a game is possible")
}

/// Numbers that follow from a seed alone.
struct Random {
    seed: u64,
    drawn: u64,
}

impl Random {
    fn draw(&mut self) -> u64 {
        self.drawn += 1;
        xxh3_64_with_seed(&self.drawn.to_le_bytes(), self.seed)
    }

    /// A number from 0 to 1.
    fn fraction(&mut self) -> f64 {
        (self.draw() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_number_gives_the_same_game_and_another_one_another() {
        let book = Book::embedded();
        let mut pool = Pool::new(1, 1);
        let mut game = |number| -> Vec<String> {
            let moments = self_play(&mut pool, &book, 7, number);
            moments.iter().map(|moment| moment.position.to_string()).collect()
        };
        let first = game(1);
        assert!(first.len() > 20);
        assert_ne!(first, game(2));
        assert_eq!(first, game(1));
    }
}
