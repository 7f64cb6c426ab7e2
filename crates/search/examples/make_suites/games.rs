//! Quick games of the engine against itself.

use chuhe_board::{Outcome, Position};
use chuhe_eval::Score;
use chuhe_referee::{Game, Referee};
use chuhe_search::{Control, Limits, Pool};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A position of a game with what a quick search thought of it.
pub(crate) struct Moment {
    pub(crate) position: Position,
    pub(crate) score: Score,
}

/// Plays one game after the other, the same games for the same seed.
pub(crate) struct Player {
    pool: Pool,
    random: Xoshiro256PlusPlus,
}

const NODES: u64 = 2500;
const LONGEST_GAME: usize = 240;

impl Player {
    pub(crate) fn new(seed: u64) -> Self {
        Self { pool: Pool::new(1, 8), random: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// The moments of a game that is played to its end.
    pub(crate) fn game(&mut self) -> Vec<Moment> {
        self.pool.clear();
        let mut game = Game::new(Position::start());
        let random_plies = self.random.random_range(2..=8);
        let referee = Referee::default();
        let mut moments = Vec::new();
        while moments.len() < LONGEST_GAME && referee.judge(&game).outcome == Outcome::Undecided {
            let position = game.position().clone();
            let moves = position.moves();
            let answer = self.pool.search(&game, &Limits::nodes(NODES), &Control::default(), &mut |_| {});
            let (Some(best), Some(line)) = (answer.best, answer.lines.first()) else {
                break;
            };
            let at_random = moments.len() < random_plies;
            let mv = if at_random { moves[self.random.random_range(0..moves.len())] } else { best };
            moments.push(Moment { position, score: line.score });
            game.play(mv).expect("the moves are legal");
        }
        moments
    }
}
