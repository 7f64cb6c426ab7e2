//! A game: position, history and end.

use crate::chase::Chases;
use crate::moves::{Move, MoveList, Played};
use crate::piece::{Piece, Side};
use crate::position::Position;
use crate::rules::{Captures, Rules};

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameEnd {
    /// One side won.
    Won {
        /// The winner.
        by: Side,
        /// Why.
        because: WinReason,
    },
    /// Neither side won.
    Drawn(DrawReason),
}

/// Why a game was won.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WinReason {
    /// The loser's last piece was captured.
    AllTaken,
    /// The loser has no legal move.
    NoMove,
    /// The loser chased one piece too often.
    LongChase,
}

/// Why a game was drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DrawReason {
    /// Too long without a flip or a capture.
    Quiet,
    /// The same position too often.
    Repetition,
}

/// Why a move cannot be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The game has ended.
    #[error("the game is over")]
    Over,
    /// Against the rules.
    #[error("this move is not legal here")]
    Illegal,
    /// A flip shows a piece of the pool.
    #[error("no '{0}' is left face down")]
    NotInPool(char),
}

/// A game under rules.
#[derive(Debug, Clone)]
pub struct Game {
    rules: Rules,
    captures: Captures,
    position: Position,
    played: Vec<Played>,
    /// The keys since the last flip or capture, the present one last.
    keys: Vec<u64>,
    chases: Chases,
    end: Option<GameEnd>,
}

impl Game {
    /// A game from a position.
    pub fn new(position: Position, rules: Rules) -> Self {
        let keys = vec![position.key()];
        let captures = Captures::from(&rules);
        let mut game = Self {
            rules,
            captures,
            position,
            played: Vec::new(),
            keys,
            chases: Chases::default(),
            end: None,
        };
        game.end = game.end_of_position();
        game
    }

    /// The rules it is played by.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// What may take what.
    pub fn captures(&self) -> &Captures {
        &self.captures
    }

    /// The present position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// All plies so far.
    pub fn played(&self) -> &[Played] {
        &self.played
    }

    /// The keys since the last flip or capture, the present one last.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// How the game ended, if it did.
    pub fn end(&self) -> Option<GameEnd> {
        self.end
    }

    /// The legal moves; none after the end.
    pub fn moves(&self) -> MoveList {
        if self.end.is_some() { MoveList::new() } else { self.position.moves(&self.captures) }
    }

    /// The legal moves that do not immediately lose by the chase rule, or all if every one does.
    pub fn sensible_moves(&self) -> MoveList {
        let all = self.moves();
        let allowed: MoveList = all.iter().copied().filter(|&mv| !self.is_banned_chase(mv)).collect();
        if allowed.is_empty() { all } else { allowed }
    }

    fn is_banned_chase(&self, mv: Move) -> bool {
        let Some(limit) = self.rules.chase_limit else { return false };
        if mv.is_flip() {
            return false;
        }
        let mut next = self.position.clone();
        next.play_step(mv);
        let mut chases = self.chases.clone();
        chases.step(&self.captures, &next, mv) >= limit
    }

    /// Plays a ply. On an error nothing changes.
    pub fn play(&mut self, ply: Played) -> Result<(), PlayError> {
        if self.end.is_some() {
            return Err(PlayError::Over);
        }
        if !self.position.is_legal(&self.captures, ply.choice()) {
            return Err(PlayError::Illegal);
        }
        let mover = self.position.mover();
        let mut longest_chase = 0;
        match ply {
            Played::Flip(square, shown) => {
                if self.position.pool()[shown.index()] == 0 {
                    return Err(PlayError::NotInPool(shown.letter()));
                }
                self.position.play_flip(square, shown);
                self.chases.flip(self.position.mover().opponent());
            }
            Played::Step(..) => {
                self.position.play_step(ply.choice());
                longest_chase = self.chases.step(&self.captures, &self.position, ply.choice());
            }
        }
        if self.position.quiet_plies() == 0 {
            self.keys.clear();
        }
        self.keys.push(self.position.key());
        self.played.push(ply);
        let banned = self.rules.chase_limit.is_some_and(|limit| longest_chase >= limit);
        self.end = self.end_of_position().or_else(|| {
            banned.then_some(GameEnd::Won { by: mover.opponent(), because: WinReason::LongChase })
        });
        Ok(())
    }

    /// Plays a choice on a dealt board, which determines what a flip reveals.
    pub fn play_choice(&mut self, mv: Move, deal: &[Piece; 32]) -> Result<Played, PlayError> {
        let ply = if mv.is_flip() {
            Played::Flip(mv.from(), deal[mv.from().index()])
        } else {
            Played::Step(mv.from(), mv.to())
        };
        self.play(ply).map(|()| ply)
    }

    /// How the present position ends the game, if it does. A win comes before a draw.
    fn end_of_position(&self) -> Option<GameEnd> {
        let mover = self.position.side_to_move()?;
        let won = |because| Some(GameEnd::Won { by: mover.opponent(), because });
        if self.position.count_alive(mover) == 0 {
            return won(WinReason::AllTaken);
        }
        if self.position.count_alive(mover.opponent()) == 0 {
            return Some(GameEnd::Won { by: mover, because: WinReason::AllTaken });
        }
        if !self.position.can_move(&self.captures) {
            return won(WinReason::NoMove);
        }
        if self.rules.quiet_limit.is_some_and(|limit| self.position.quiet_plies() >= limit) {
            return Some(GameEnd::Drawn(DrawReason::Quiet));
        }
        let times = self.keys.iter().filter(|&&key| key == self.position.key()).count();
        if self.rules.repetitions.is_some_and(|limit| times >= limit.into()) {
            return Some(GameEnd::Drawn(DrawReason::Repetition));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::square::SquareStyle;
    use crate::text::parse_move;

    fn game(text: &str, rules: Rules) -> Game {
        Game::new(text.parse().unwrap(), rules)
    }

    fn play(game: &mut Game, moves: &str) -> Result<(), PlayError> {
        for text in moves.split_whitespace() {
            let (mv, shown) = parse_move(text, SquareStyle::Wide).unwrap();
            game.play(match shown {
                Some(shown) => Played::Flip(mv.from(), shown),
                None => Played::Step(mv.from(), mv.to()),
            })?;
        }
        Ok(())
    }

    #[test]
    fn the_first_flip_decides_the_colours() {
        let mut game = Game::new(Position::start(), Rules::OLYMPIAD);
        assert_eq!(game.moves().len(), 32);
        play(&mut game, "c2(r)").unwrap();
        assert_eq!(game.position().side_to_move(), Some(Side::Red));
        let mut game = Game::new(Position::start(), Rules::OLYMPIAD);
        play(&mut game, "c2(R)").unwrap();
        assert_eq!(game.position().side_to_move(), Some(Side::Black));
    }

    #[test]
    fn a_side_without_a_piece_or_a_move_has_lost() {
        let mut taken = game("Kg6/8/8/8 r - 0", Rules::OLYMPIAD);
        play(&mut taken, "a1-b1").unwrap();
        let all_taken = GameEnd::Won { by: Side::Red, because: WinReason::AllTaken };
        assert_eq!(taken.end(), Some(all_taken));
        assert_eq!(play(&mut taken, "b1-a1"), Err(PlayError::Over));
        assert!(taken.moves().is_empty());
        // Black's soldier in the corner is walled in by its betters.
        let blocked = game("pG6/M7/8/8 b - 0", Rules::OLYMPIAD);
        let no_move = GameEnd::Won { by: Side::Red, because: WinReason::NoMove };
        assert_eq!(blocked.end(), Some(no_move));
        // With a piece left to flip there is always a move.
        assert_eq!(game("pG6/M7/8/7? b P 0", Rules::OLYMPIAD).end(), None);
        // Pieces face down count as alive.
        assert_eq!(game("G7/8/8/7? b p 0", Rules::OLYMPIAD).end(), None);
    }

    #[test]
    fn quiet_plies_and_repetitions_draw() {
        let mut quiet = game("K7/8/8/7g r - 178", Rules::OLYMPIAD);
        play(&mut quiet, "a1-b1 h4-g4").unwrap();
        assert_eq!(quiet.end(), Some(GameEnd::Drawn(DrawReason::Quiet)));
        let mut repeated = game("K7/8/8/7g r - 0", Rules::OLYMPIAD);
        let there_and_back = "a1-b1 h4-g4 b1-a1 g4-h4";
        play(&mut repeated, there_and_back).unwrap();
        assert_eq!(repeated.end(), None);
        play(&mut repeated, there_and_back).unwrap();
        assert_eq!(repeated.end(), Some(GameEnd::Drawn(DrawReason::Repetition)));
        let mut unlimited = game("K7/8/8/7g r - 0", Rules { repetitions: None, ..Rules::OLYMPIAD });
        play(&mut unlimited, there_and_back).unwrap();
        play(&mut unlimited, there_and_back).unwrap();
        assert_eq!(unlimited.end(), None);
    }

    /// As in (Hsieh 2010, figure 1-4): a piece going c1-c2-c1 chases the cannon that goes d1-d2-d1.
    #[test]
    fn the_tenth_chase_of_one_piece_running_loses() {
        let mut chase = game("1G1c4/8/8/K6p r - 0", Rules { quiet_limit: None, ..Rules::FOODCHAIN });
        play(&mut chase, "b1-c1").unwrap();
        for _ in 0..4 {
            play(&mut chase, "d1-d2 c1-c2 d2-d1 c2-c1").unwrap();
            assert_eq!(chase.end(), None);
        }
        // Nine chases so far: the tenth is banned, anything else is allowed.
        play(&mut chase, "d1-d2").unwrap();
        let banned = parse_move("c1-c2", SquareStyle::Wide).unwrap().0;
        assert!(chase.moves().contains(&banned));
        assert!(!chase.sensible_moves().contains(&banned));
        let mut varied = chase.clone();
        play(&mut varied, "a4-a3 d2-d1").unwrap();
        play(&mut varied, "a3-a4 d1-d2 c1-c2").unwrap();
        assert_eq!(varied.end(), None);
        play(&mut chase, "c1-c2").unwrap();
        assert_eq!(chase.end(), Some(GameEnd::Won { by: Side::Black, because: WinReason::LongChase }));
    }

    #[test]
    fn bad_moves_change_nothing() {
        let mut game = game("K6?/8/8/7g r p 0", Rules::OLYMPIAD);
        let before = game.position().clone();
        assert_eq!(play(&mut game, "a1-c1"), Err(PlayError::Illegal));
        assert_eq!(play(&mut game, "h4-h3"), Err(PlayError::Illegal));
        assert_eq!(play(&mut game, "b1(p)"), Err(PlayError::Illegal));
        assert_eq!(play(&mut game, "h1(P)"), Err(PlayError::NotInPool('P')));
        assert_eq!(game.position(), &before);
        assert!(game.played().is_empty());
    }
}
