//! The engine as the scorer of a growing book.

use chuhe_board::{Move, Position};
use chuhe_book::expand::{Line, Scored, Scorer};
use chuhe_book::slot;
use chuhe_eval::Score;
use chuhe_referee::Game;
use chuhe_search::{Control, Limits, OutOfMemory, Pool};

use crate::multi_pv;

/// Scores positions with a search each.
pub struct BookScorer {
    pool: Pool,
    limits: Limits,
}

/// How many moves of a position are scored, by its ply: all in the first two, fewer the later.
const LINES: [(usize, usize); 4] = [(2, 128), (4, 24), (10, 16), (usize::MAX, 10)];
/// Behind the first two plies, moves that give away more than this do not enter the book.
const MOST_LOSS: i16 = 150;
/// Two best moves that differ by less are a close choice, which is searched on.
const CLOSE: i16 = 5;
/// A search up to this depth is a shallow one.
const SHALLOW: u32 = 4;

impl BookScorer {
    /// Scores with the given pool, each position within the limits.
    pub fn new(pool: Pool, limits: Limits) -> Self {
        Self { pool, limits }
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

    /// Searches for the best moves, and on if the choice is close. Returns also the favourite of the shallow search.
    fn search(&mut self, game: &Game, limits: &Limits) -> (Vec<Line>, Option<Move>) {
        let (lines, favourite) = self.search_once(game, limits);
        let is_close = matches!(&lines[..], [one, two, ..] if one.score.saturating_sub(two.score) < CLOSE);
        if !is_close {
            return (lines, favourite);
        }
        // The transposition table is full of the first search, so that the second goes on where it stopped.
        (self.search_once(game, limits).0, favourite)
    }

    fn search_once(&mut self, game: &Game, limits: &Limits) -> (Vec<Line>, Option<Move>) {
        let mut favourite = None;
        let lines = multi_pv::search_and_watch(&mut self.pool, game, limits, &mut |line| {
            if line.rank == 1 && line.depth <= SHALLOW {
                favourite = line.moves.first().copied();
            }
        });
        (book_lines(&lines), favourite)
    }
}

impl Scorer for BookScorer {
    fn score(&mut self, game: &Game) -> Scored {
        // What was found elsewhere must not change what is found here, or books could not be made again.
        self.pool.clear();
        let ply = game.history().len();
        let count = LINES.iter().find(|(before, _)| ply < *before).map_or(1, |(_, count)| *count);
        let limits = Limits { banned: images(game.position()), lines: count, ..self.limits.clone() };
        let (mut lines, favourite) = self.search(game, &limits);
        let known = |mv: Move| lines.iter().find(|line| line.mv == mv).map(|line| line.score);
        let shallow = favourite.and_then(|mv| Some((mv, known(mv).or_else(|| self.deep_score(game, mv))?)));
        let best = lines.first().map_or(0, |line| line.score);
        lines.retain(|line| ply < LINES[0].0 || best.saturating_sub(line.score) <= MOST_LOSS);
        Scored { lines, shallow }
    }
}

/// The lines of a search as books hold them.
fn book_lines(lines: &[chuhe_search::Line]) -> Vec<Line> {
    let lines = lines.iter().filter_map(|line| {
        let (mv, then) = line.moves.split_first()?;
        Some(Line {
            mv: *mv,
            score: number(line.score),
            depth: line.depth.min(255) as u8,
            then: then.to_vec(),
        })
    });
    lines.collect()
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
        assert_eq!(scored.lines.len(), 23, "every first move has a score");
        assert!(scored.lines.iter().all(|line| slot(&position, line.mv).1 == line.mv));
        // A horse's move makes the position differ from its image.
        let _ = position.play(parse_move("b0c2", RankStyle::FromZero).unwrap(), &mut ());
        assert_eq!(images(&position), []);
    }
}
