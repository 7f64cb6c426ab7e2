//! Test suites: how many known best moves the engine finds, how fast, and why it misses the rest.

use std::time::Duration;

use chuhe_board::coords::{RankStyle, parse_move};
use chuhe_board::{Move, Position};
use chuhe_eval::Score;
use chuhe_eval::classical::{self, Phase};
use chuhe_referee::Game;
use chuhe_search::{Control, Event, Limits, Pool};
use thiserror::Error;

/// A position with the moves that solve it.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// Its name.
    pub name: String,
    /// Where it starts.
    pub position: Position,
    /// Any of these is right.
    pub solutions: Vec<Move>,
    /// A mate in this many moves or fewer is right, too.
    pub mate: Option<u32>,
}

/// A line that is no puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PuzzleError {
    /// The position cannot be read.
    #[error("{0}")]
    Position(String),
    /// A move cannot be read or is not legal there.
    #[error("\"{0}\" is no legal move of the position")]
    Move(String),
    /// There is no answer.
    #[error("the line names no best move")]
    NoAnswer,
}

impl Puzzle {
    /// Reads EPD (`FEN bm MOVE …; id "NAME";` or `FEN dm N;`), `FEN ; MOVE …`, `FEN ; N` for a mate in N moves, or a line
    /// of fields `name<TAB>FEN<TAB>result<TAB>moves`, whose first move is the answer. Moves are coordinates of either
    /// rank style.
    pub fn parse(line: &str, number: usize) -> Result<Self, PuzzleError> {
        let fields: Vec<&str> = line.split('\t').collect();
        if let [name, fen, .., moves] = fields[..] {
            let answer = moves.split_whitespace().next().ok_or(PuzzleError::NoAnswer)?;
            return Self::new(format!("{name} {number}"), fen, &[answer], None);
        }
        let (fen, operations) = [" bm ", " dm ", " ; "]
            .iter()
            .find_map(|mark| line.split_once(mark))
            .ok_or(PuzzleError::NoAnswer)?;
        let mut operations = operations.split(';').map(str::trim);
        let answers: Vec<&str> = operations.next().unwrap_or_default().split_whitespace().collect();
        let mate = match answers[..] {
            [moves] => moves.parse().ok().filter(|moves| *moves > 0),
            _ => None,
        };
        let answers = if mate.is_some() { Vec::new() } else { answers };
        let id = operations.find_map(|operation| operation.strip_prefix("id "));
        let name = id.map_or_else(|| format!("line {number}"), |id| id.trim_matches('"').to_owned());
        Self::new(name, fen, &answers, mate)
    }

    fn new(name: String, fen: &str, answers: &[&str], mate: Option<u32>) -> Result<Self, PuzzleError> {
        let position: Position = fen
            .trim()
            .parse()
            .map_err(|error: chuhe_board::fen::FenError| PuzzleError::Position(error.to_string()))?;
        let legal = |text: &&str| {
            let legal_in = |ranks| parse_move(text, ranks).ok().filter(|mv| position.is_legal(*mv));
            let mv = legal_in(RankStyle::FromZero).or_else(|| legal_in(RankStyle::FromOne));
            mv.ok_or_else(|| PuzzleError::Move((*text).to_owned()))
        };
        let solutions = answers.iter().map(legal).collect::<Result<Vec<Move>, _>>()?;
        if solutions.is_empty() && mate.is_none() {
            return Err(PuzzleError::NoAnswer);
        }
        Ok(Self { name, position, solutions, mate })
    }
}

impl Puzzle {
    /// Whether a move with this score solves it.
    fn is_solved_by(&self, mv: Option<Move>, score: Score) -> bool {
        let mates_in = score.mate_in().filter(|moves| *moves > 0);
        let is_fast_mate = self.mate.is_some_and(|most| mates_in.is_some_and(|moves| moves as u32 <= most));
        is_fast_mate || mv.is_some_and(|mv| self.solutions.contains(&mv))
    }
}

/// What became of a puzzle.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The engine's move.
    pub played: Option<Move>,
    /// When the engine settled on a right move, if it did.
    pub solved_after: Option<(Duration, u64)>,
    /// Why not, if it did not.
    pub miss: Option<Miss>,
}

/// The move played beside the move that was right.
#[derive(Clone, Debug)]
pub struct Miss {
    /// The engine's score of its own move.
    pub played: Score,
    /// Its score of the first solution.
    pub right: Score,
    /// The groups of the evaluation that differ after the two moves, as seen by the mover: the right
    /// move's less the played one's, in centisoldiers.
    pub terms: Vec<(&'static str, i32)>,
}

/// Lets the engine try a puzzle.
pub fn attempt(pool: &mut Pool, puzzle: &Puzzle, limits: &Limits) -> Attempt {
    let game = Game::new(puzzle.position.clone());
    pool.clear();
    let mut solved_after = None;
    let answer = pool.search(&game, limits, &Control::default(), &mut |event| {
        if let Event::Line(line) = event
            && line.rank == 1
        {
            let is_right = puzzle.is_solved_by(line.moves.first().copied(), line.score);
            solved_after = is_right.then(|| solved_after.unwrap_or((line.time, line.nodes)));
        }
    });
    let score = answer.lines.first().map_or(Score::DRAW, |line| line.score);
    let is_solved = puzzle.is_solved_by(answer.best, score);
    let miss = match (answer.best, puzzle.solutions.first()) {
        (Some(played), Some(right)) if !is_solved => Some(explain(pool, &game, played, *right, limits)),
        _ => None,
    };
    let time = (answer.time, answer.nodes);
    let solved_after = is_solved.then(|| solved_after.unwrap_or(time));
    Attempt { played: answer.best, solved_after, miss }
}

fn explain(pool: &mut Pool, game: &Game, played: Move, right: Move, limits: &Limits) -> Miss {
    let mut score = |mv: Move| {
        let only = Limits { only: vec![mv], ..limits.clone() };
        let answer = pool.search(game, &only, &Control::default(), &mut |_| {});
        answer.lines.first().map_or(Score::DRAW, |line| line.score)
    };
    Miss {
        played: score(played),
        right: score(right),
        terms: differing_terms(game.position(), played, right),
    }
}

/// Group by group, what the evaluation thinks of the one move more than of the other.
fn differing_terms(position: &Position, played: Move, right: Move) -> Vec<(&'static str, i32)> {
    let mover = position.side_to_move();
    let mut terms: Vec<(&'static str, i32)> = Vec::new();
    for (mv, sign) in [(right, 1), (played, -1)] {
        let mut after = position.clone();
        let _ = after.play(mv, &mut ());
        let phase = Phase::of(&after);
        for note in classical::notes(&after).iter() {
            let for_mover = if note.side == mover { sign } else { -sign };
            let worth = for_mover * note.worth().at(phase);
            match terms.iter_mut().find(|(name, _)| *name == note.feature.name()) {
                Some((_, sum)) => *sum += worth,
                None => terms.push((note.feature.name(), worth)),
            }
        }
    }
    terms.retain(|(_, sum)| *sum != 0);
    terms.sort_by_key(|(_, sum)| -sum.abs());
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATE: &str = "3k5/R8/9/9/9/9/9/9/9/1R2K4 w";

    #[test]
    fn both_forms_of_lines_are_read() {
        let epd = Puzzle::parse(&format!("{MATE} bm b0b9; id \"ladder\";"), 3).unwrap();
        assert_eq!(epd.name, "ladder");
        let table = Puzzle::parse(&format!("mate\t{MATE}\t1-0\tb0b9 d9d8"), 3).unwrap();
        assert_eq!((table.name.as_str(), &table.solutions), ("mate 3", &epd.solutions));
        let short = Puzzle::parse(&format!("{MATE} ; b0b9"), 3).unwrap();
        assert_eq!((short.name.as_str(), &short.solutions), ("line 3", &epd.solutions));
    }

    #[test]
    fn unreadable_lines_are_reported() {
        assert_eq!(Puzzle::parse(MATE, 1).unwrap_err(), PuzzleError::NoAnswer);
        assert_eq!(
            Puzzle::parse(&format!("{MATE} bm b0c9;"), 1).unwrap_err(),
            PuzzleError::Move("b0c9".to_owned())
        );
        assert!(matches!(Puzzle::parse("x bm b0b9;", 1), Err(PuzzleError::Position(_))));
    }

    #[test]
    fn a_solved_puzzle_says_when_and_a_missed_one_why() {
        let mut pool = Pool::new(1, 1);
        let solved = Puzzle::parse(&format!("{MATE} bm b0b9 b0d0;"), 1).unwrap();
        let attempt_solved = attempt(&mut pool, &solved, &Limits::nodes(5000));
        assert!(attempt_solved.solved_after.is_some() && attempt_solved.miss.is_none());
        // Nobody would step back with the chariot here.
        let missed = Puzzle::parse(&format!("{MATE} bm a8a7;"), 1).unwrap();
        let attempt_missed = attempt(&mut pool, &missed, &Limits::nodes(5000));
        let miss = attempt_missed.miss.unwrap();
        assert!(attempt_missed.solved_after.is_none());
        assert!(miss.played > miss.right);
        assert!(!miss.terms.is_empty());
    }
}
