//! Matches between two players: each deal is played twice with colours reversed, so that luck cancels.

use std::time::Duration;

use chuhe_clock::Instant;

use crate::deal::{Deal, deal};
use crate::game::{Game, GameEnd};
use crate::limits::Limits;
use crate::moves::Move;
use crate::piece::Side;
use crate::player::{Failure, Player};
use crate::position::Position;
use crate::rules::Rules;

/// The time control.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// The same limits for every move.
    Each(Limits),
    /// A clock for the whole game, without increment.
    Clock(Duration),
}

/// How a game between two players ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    Rules(GameEnd),
    /// The first (0) or second (1) player broke down or broke the rules.
    Forfeit {
        /// Who.
        by: usize,
        /// How.
        because: Failure,
    },
}

/// A finished game.
#[derive(Debug, Clone)]
pub struct Finished {
    /// How it ended.
    pub ending: Ending,
    /// The game as far as it went.
    pub game: Game,
    /// The colour of the player who flipped first.
    pub first_side: Option<Side>,
    /// The longest that each player took for a move.
    pub slowest: [Duration; 2],
}

impl Finished {
    /// Half points of the first player: 2 for a win, 1 for a draw.
    pub fn half_points_of_first(&self) -> u8 {
        match &self.ending {
            Ending::Rules(GameEnd::Drawn(_)) => 1,
            Ending::Rules(GameEnd::Won { by, .. }) => 2 * u8::from(Some(*by) == self.first_side),
            Ending::Forfeit { by, .. } => 2 * u8::from(*by == 1),
        }
    }
}

/// Plays one game; `players[0]` flips first.
pub fn play_game<'a>(
    players: [&'a mut dyn Player; 2],
    rules: Rules,
    pace: Pace,
    hidden: &'a Deal,
) -> Finished {
    let game = Game::new(Position::start(), rules);
    let mut table =
        Table { players, game, hidden, first_side: None, slowest: [Duration::ZERO; 2], clocks: None };
    if let Pace::Clock(time) = pace {
        table.clocks = Some([time; 2]);
    }
    let ending = table.play(pace);
    Finished { ending, game: table.game, first_side: table.first_side, slowest: table.slowest }
}

struct Table<'a> {
    players: [&'a mut dyn Player; 2],
    game: Game,
    hidden: &'a Deal,
    first_side: Option<Side>,
    slowest: [Duration; 2],
    clocks: Option<[Duration; 2]>,
}

impl Table<'_> {
    fn play(&mut self, pace: Pace) -> Ending {
        for by in 0..2 {
            if let Err(because) = self.players[by].new_game(self.game.rules()) {
                return Ending::Forfeit { by, because };
            }
        }
        loop {
            let by = self.game.played().len() % 2;
            if let Some(end) = self.game.end() {
                return Ending::Rules(end);
            }
            if let Err((by, because)) = self.ply(by, pace) {
                return Ending::Forfeit { by, because };
            }
        }
    }

    fn ply(&mut self, by: usize, pace: Pace) -> Result<(), (usize, Failure)> {
        let limits = match (pace, self.clocks) {
            (Pace::Each(limits), _) => limits,
            (Pace::Clock(time), clocks) => {
                let left = clocks.map_or(time, |clocks| clocks[by]);
                Limits::clock(left, self.game.played().len())
            }
        };
        let left = self.clocks.map(|clocks| clocks[by]);
        let start = Instant::now();
        let mv = self.players[by].choose(&self.game, &limits, left).map_err(|failure| (by, failure))?;
        let spent = start.elapsed();
        self.slowest[by] = self.slowest[by].max(spent);
        if let Some(clocks) = &mut self.clocks {
            clocks[by] = clocks[by].checked_sub(spent).ok_or((by, Failure::Time))?;
        }
        self.announce(by, mv)
    }

    fn announce(&mut self, by: usize, mv: Move) -> Result<(), (usize, Failure)> {
        let ply = self.game.play_choice(mv, self.hidden).map_err(|_| (by, Failure::Illegal(mv)))?;
        if self.game.played().len() == 1 {
            self.first_side = self.game.position().side_to_move().map(Side::opponent);
        }
        for listener in 0..2 {
            self.players[listener].played(ply).map_err(|failure| (listener, failure))?;
        }
        Ok(())
    }
}

/// Wins, draws and losses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MatchScore {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl MatchScore {
    /// Counts a game by its half points.
    pub fn add(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// All games.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The fraction of points, 0 to 1.
    pub fn score(&self) -> f64 {
        (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(self.games().max(1))
    }
}

/// A game of a match: its number and its result.
#[derive(Debug, Clone)]
pub struct MatchGame {
    /// From 0; games 2n and 2n + 1 share a deal.
    pub number: u32,
    /// Whether the match's first player flipped first.
    pub first_flips: bool,
    /// Its result.
    pub finished: Finished,
}

impl MatchGame {
    /// Half points of the match's first player.
    pub fn half_points(&self) -> u8 {
        let points = self.finished.half_points_of_first();
        if self.first_flips { points } else { 2 - points }
    }
}

/// Plays game `number` of a match: each deal twice, with the players changing ends.
pub fn play_match_game(
    first: &mut dyn Player,
    second: &mut dyn Player,
    rules: Rules,
    pace: Pace,
    seed: u64,
    number: u32,
) -> MatchGame {
    let hidden = deal(seed.wrapping_add(u64::from(number / 2)));
    let first_flips = number.is_multiple_of(2);
    let players: [&mut dyn Player; 2] = if first_flips { [first, second] } else { [second, first] };
    MatchGame { number, first_flips, finished: play_game(players, rules, pace, &hidden) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::{Level, Resources};

    #[test]
    fn a_deal_is_played_from_both_ends_and_repeats() {
        let pace = Pace::Each(Limits { nodes: Some(200), ..Limits::default() });
        let play = |number| {
            let mut foodchain = Level::FoodChain.player(1, &Resources::default());
            let mut random = Level::Random.player(2, &Resources::default());
            play_match_game(&mut *foodchain, &mut *random, Rules::OLYMPIAD, pace, 7, number)
        };
        let (one, again, other) = (play(0), play(0), play(1));
        assert_eq!(one.finished.game.played(), again.finished.game.played());
        assert!(one.first_flips && !other.first_flips);
        for game in [&one, &other] {
            let hidden = deal(7);
            for ply in game.finished.game.played() {
                if let crate::Played::Flip(square, shown) = ply {
                    assert_eq!(hidden[square.index()], *shown);
                }
            }
            assert!(matches!(game.finished.ending, Ending::Rules(_)));
        }
    }

    /// Chooses what the rules forbid.
    struct Cheat;

    impl Player for Cheat {
        fn choose(&mut self, _: &Game, _: &Limits, _: Option<Duration>) -> Result<Move, Failure> {
            let mut squares = crate::Square::all();
            Ok(Move::new(squares.next().unwrap(), squares.next().unwrap()))
        }
    }

    #[test]
    fn an_illegal_move_forfeits() {
        let mut random = Level::Random.player(1, &Resources::default());
        let finished =
            play_game([&mut Cheat, &mut *random], Rules::OLYMPIAD, Pace::Each(Limits::default()), &deal(1));
        assert!(matches!(finished.ending, Ending::Forfeit { by: 0, because: Failure::Illegal(_) }));
        assert_eq!(finished.half_points_of_first(), 0);
    }
}
