//! The engine as the scorer of a growing book.

use std::ops::ControlFlow;

use chuhe_board::Move;
use chuhe_book::expand::{Scored, Scorer};
use chuhe_eval::Score;
use chuhe_referee::Game;
use chuhe_search::{Control, Event, Limits, Pool};

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
        self.pool.forget();
        let mut favourite = None;
        let answer = self.pool.search(game, &self.limits, &Control::default(), &mut |event| {
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

/// A score as books hold it.
fn number(score: Score) -> i16 {
    /// Wins that are counted in plies, and those that the rules give.
    const WON: i32 = 10_000;
    score.get().clamp(-WON, WON) as i16
}

/// Grows a book until `tell` breaks off or there are no leaves: scores the leaf that matters most, takes it in and
/// lets the scores flow back.
pub fn grow(
    entries: &mut chuhe_book::Entries,
    expansion: &chuhe_book::expand::Expansion,
    scorer: &mut dyn Scorer,
    mut tell: impl FnMut(&chuhe_book::Entries) -> ControlFlow<()>,
) {
    /// Leaves that are scored before the next are looked for; a search costs more than finding them, but not in
    /// large books.
    const AT_ONCE: usize = 4;
    let referee = chuhe_referee::Referee::default();
    loop {
        let leaves = expansion.leaves(entries, AT_ONCE);
        if leaves.is_empty() {
            return;
        }
        for leaf in leaves {
            let mut game = Game::new(chuhe_board::Position::start());
            for mv in &leaf.path {
                game.play(*mv).expect("books hold only legal moves");
            }
            let scored = scorer.score(&game);
            expansion.take(entries, &leaf, &scored);
        }
        expansion.back_up(entries, &referee);
        if tell(entries).is_break() {
            return;
        }
    }
}
