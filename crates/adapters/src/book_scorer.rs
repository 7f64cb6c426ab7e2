//! The engine as the scorer of a growing book.

use chuhe_board::{Move, Position};
use chuhe_book::expand::{Scored, Scorer};
use chuhe_book::slot;
use chuhe_eval::Score;
use chuhe_referee::Game;
use chuhe_search::{Control, Event, Limits, OutOfMemory, Pool};

/// Scores positions with a search each.
pub struct BookScorer {
    pool: Pool,
    limits: Limits,
}

/// How many moves of a position come into the book.
const LINES: usize = 3;
/// A search up to this depth is a shallow one.
const SHALLOW: u32 = 4;

impl BookScorer {
    /// Scores with the given pool, each position within the limits.
    pub fn new(pool: Pool, limits: Limits) -> Self {
        Self { pool, limits: Limits { lines: LINES, ..limits } }
    }

    /// Scores by searches of `nodes` nodes, with as large a transposition table as they can fill; more would only have to be
    /// cleared for each leaf.
    pub fn of_nodes(nodes: u64) -> Result<Self, OutOfMemory> {
        const NODES_PER_MEBIBYTE: u64 = 1 << 15;
        let mut pool = Pool::new(1, 1);
        pool.set_hash_size((nodes / NODES_PER_MEBIBYTE).clamp(1, 1024) as usize)?;
        Ok(Self::new(pool, Limits::nodes(nodes)))
    }

    /// The score that a deep search gives a move.
    fn deep_score(&mut self, game: &Game, mv: Move) -> Option<i16> {
        let limits = Limits { only: vec![mv], lines: 1, ..self.limits.clone() };
        let answer = self.pool.search(game, &limits, &Control::default(), &mut |_| {});
        answer.lines.first().map(|line| number(line.score))
    }
}

impl Scorer for BookScorer {
    fn score(&mut self, game: &Game) -> Scored {
        // What was found elsewhere must not change what is found here, or books could not be made again.
        self.pool.clear();
        let mut favourite = None;
        let limits = Limits { banned: images(game.position()), ..self.limits.clone() };
        let answer = self.pool.search(game, &limits, &Control::default(), &mut |event| {
            if let Event::Line(line) = event
                && line.rank == 1
                && line.depth <= SHALLOW
            {
                favourite = line.moves.first().copied();
            }
        });
        let lines: Vec<(Move, i16)> =
            answer.lines.iter().filter_map(|line| Some((*line.moves.first()?, number(line.score)))).collect();
        let known = |mv: Move| lines.iter().find(|(known, _)| *known == mv).map(|(_, score)| *score);
        let shallow = favourite.and_then(|mv| Some((mv, known(mv).or_else(|| self.deep_score(game, mv))?)));
        let depth = answer.lines.first().map_or(0, |line| line.depth.min(255) as u8);
        Scored { lines, depth, shallow }
    }
}

/// The moves that are mirror images of others in a position that is its own: to look at them twice is a waste.
fn images(position: &Position) -> Vec<Move> {
    let moves = position.moves().into_iter();
    moves.filter(|mv| slot(position, *mv).1 != *mv && position.key() == position.mirrored_key()).collect()
}

/// A score as books hold it.
fn number(score: Score) -> i16 {
    /// Wins that are counted in plies, and those that the rules give.
    const WON: i32 = 10_000;
    score.get().clamp(-WON, WON) as i16
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::{RankStyle, parse_move};

    use super::*;

    #[test]
    fn images_of_other_moves_are_not_looked_at() {
        let mut position = Position::start();
        assert_eq!(images(&position).len(), 21);
        let mut scorer = BookScorer::new(Pool::new(1, 1), Limits::nodes(2000));
        let scored = scorer.score(&Game::new(position.clone()));
        assert_eq!(scored.lines.len(), LINES);
        assert!(scored.lines.iter().all(|(mv, _)| slot(&position, *mv).1 == *mv));
        // A horse's move makes the position differ from its image.
        let _ = position.play(parse_move("b0c2", RankStyle::FromZero).unwrap(), &mut ());
        assert_eq!(images(&position), []);
    }
}
