//! Self-play: games of the engine against itself, as training samples.

use std::ops::ControlFlow;

use chuhe_board::{Outcome, Position, Side};
use chuhe_eval::Score;
use chuhe_referee::{Game, Referee, RuleSet};
use chuhe_search::params::Params;
use chuhe_search::{Control, Evaluator, Limits, Pool, Preset};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{Sample, Wdl};

/// How games are played.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Positions searched for each move.
    pub nodes: u64,
    /// The fewest and the most random plies of an opening.
    pub opening: (u32, u32),
    /// Openings that a search scores beyond this are not played.
    pub balance: i32,
    /// A side resigns when the score is beyond this …
    pub resign: i32,
    /// … for this many plies in a row.
    pub resign_plies: u32,
    /// The size of each player's table, in mebibytes.
    pub hash: usize,
    /// What positions are evaluated by.
    pub evaluator: Evaluator,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            nodes: 2000,
            opening: (4, 10),
            balance: 250,
            resign: 1200,
            resign_plies: 6,
            // A game of a hundred plies fills little more, and clearing more slows short games down.
            hash: 4,
            evaluator: Evaluator::default(),
        }
    }
}

/// Plays one game after the other, the same games for the same seed.
pub struct Player {
    settings: Settings,
    pool: Pool,
    random: Xoshiro256PlusPlus,
}

/// Divisor of the nodes for openings and forced moves.
const QUICK_DIVISOR: u64 = 4;
/// Games longer than this are drawn.
const LONGEST_GAME: u16 = 400;

impl Player {
    /// A player for the games of this seed.
    pub fn new(settings: Settings, seed: u64) -> Self {
        let mut pool = Pool::new(1, settings.hash);
        pool.set_evaluator(settings.evaluator.clone());
        Self { settings, pool, random: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// Plays games and passes the samples of each to `on_game` until it breaks.
    pub fn play<B>(&mut self, mut on_game: impl FnMut(Vec<Sample>) -> ControlFlow<B>) -> B {
        loop {
            if let ControlFlow::Break(reason) = on_game(self.game()) {
                return reason;
            }
        }
    }

    /// The game of a seed; which games this player played before does not matter.
    pub fn game_of(&mut self, seed: u64) -> Vec<Sample> {
        self.random = Xoshiro256PlusPlus::seed_from_u64(seed);
        self.game()
    }

    /// One game's samples.
    pub fn game(&mut self) -> Vec<Sample> {
        let mut game = self.opening();
        let mut samples = Vec::new();
        let mut sides = Vec::new();
        let mut verdict = Verdict::new(&self.settings);
        let result = loop {
            let position = game.position().clone();
            let (score, best) = self.think(&game, self.nodes_for(&position));
            let Some(best) = best else {
                break Outcome::won_by(!position.side_to_move());
            };
            if let Some(result) = verdict.after(&game, score) {
                break result;
            }
            let quiet = position.piece_on(best.to()).is_none() && !position.is_in_check();
            if quiet && !score.is_decided() {
                let ply = (position.round() - 1) * 2 + position.side_to_move() as u16;
                sides.push(position.side_to_move());
                samples.push(Sample { position, score, outcome: Wdl::Draw, ply });
            }
            game.play(best).expect("the search plays legal moves");
        };
        for (sample, side) in samples.iter_mut().zip(sides) {
            sample.outcome = Wdl::of(result, side);
        }
        samples
    }

    /// Plays with these numbers from now on.
    pub(crate) fn set_params(&mut self, params: Params) {
        self.pool.set_params(params);
    }

    /// Plays with these techniques and numbers from now on.
    pub(crate) fn set_preset(&mut self, preset: &Preset) {
        self.pool.set_preset(preset);
    }

    /// Forgets the last game.
    pub(crate) fn forget(&mut self) {
        self.pool.clear();
    }

    /// The opening of a seed.
    pub(crate) fn opening_of(&mut self, seed: u64) -> Game {
        self.random = Xoshiro256PlusPlus::seed_from_u64(seed);
        self.opening()
    }

    /// A random opening that neither side has lost. The last game is forgotten.
    pub(crate) fn opening(&mut self) -> Game {
        self.pool.clear();
        loop {
            let (fewest, most) = self.settings.opening;
            let plies = self.random.random_range(fewest..=most);
            let Some(game) = self.random_game(plies) else {
                continue;
            };
            let (score, best) = self.think(&game, self.settings.nodes / QUICK_DIVISOR);
            if best.is_some() && score.get().abs() <= self.settings.balance {
                return game;
            }
        }
    }

    fn random_game(&mut self, plies: u32) -> Option<Game> {
        let mut game = Game::new(Position::start());
        for _ in 0..plies {
            let moves = game.position().moves();
            if moves.is_empty() {
                return None;
            }
            let mv = moves[self.random.random_range(0..moves.len())];
            game.play(mv).expect("legal moves can be played");
        }
        Some(game)
    }

    /// The node limit: less for forced moves, whose positions are not kept.
    fn nodes_for(&self, position: &Position) -> u64 {
        let forced = position.is_in_check() && position.moves().len() == 1;
        self.settings.nodes / if forced { QUICK_DIVISOR } else { 1 }
    }

    pub(crate) fn think(&mut self, game: &Game, nodes: u64) -> (Score, Option<chuhe_board::Move>) {
        let answer = self.pool.search(game, &Limits::nodes(nodes), &Control::default(), &mut |_| {});
        let score = answer.lines.first().map_or(Score::lost_in(0), |line| line.score);
        (score, answer.best)
    }
}

/// Decides when a game is over.
pub(crate) struct Verdict {
    resign: i32,
    resign_plies: u32,
    /// Plies in a row in which the same side was far ahead.
    ahead: u32,
    leader: Option<Side>,
}

impl Verdict {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self { resign: settings.resign, resign_plies: settings.resign_plies, ahead: 0, leader: None }
    }

    /// The result, if the game ends here. `score` is for the side to move.
    pub(crate) fn after(&mut self, game: &Game, score: Score) -> Option<Outcome> {
        if let Some(result) = self.resigned(game.position().side_to_move(), score) {
            return Some(result);
        }
        match Referee::new(RuleSet::default()).judge(game).outcome {
            Outcome::Undecided => (game.position().round() * 2 > LONGEST_GAME).then_some(Outcome::Draw),
            over => Some(over),
        }
    }

    fn resigned(&mut self, side: Side, score: Score) -> Option<Outcome> {
        let leader = if score.get() > 0 { side } else { !side };
        if score.get().abs() < self.resign {
            self.ahead = 0;
        } else if self.leader == Some(leader) {
            self.ahead += 1;
        } else {
            self.ahead = 1;
        }
        self.leader = Some(leader);
        (self.ahead >= self.resign_plies).then(|| Outcome::won_by(leader))
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::shard::{self, ShardWriter};

    fn quick() -> Settings {
        Settings { nodes: 200, hash: 1, ..Settings::default() }
    }

    #[test]
    fn the_same_seed_plays_the_same_games() {
        let game = |seed| Player::new(quick(), seed).game();
        assert_eq!(game(1), game(1));
        assert_ne!(game(1), game(2));
        let mut player = Player::new(quick(), 7);
        player.game();
        assert_eq!(player.game_of(1), game(1));
    }

    /// Also run under ThreadSanitizer (`tools/sanitize thread`).
    #[test]
    fn players_on_threads_of_their_own_fill_shards_with_the_games_of_their_seeds() {
        let folder = tempfile::tempdir().unwrap();
        let evaluator = quick().evaluator;
        let player = |seed| Player::new(Settings { evaluator: evaluator.clone(), ..quick() }, seed);
        thread::scope(|scope| {
            for seed in [1, 2] {
                let (player, path) = (&player, folder.path().join(seed.to_string()));
                scope.spawn(move || ShardWriter::open(&path).unwrap().append(&player(seed).game()).unwrap());
            }
        });
        for seed in [1, 2] {
            let samples = shard::read(&folder.path().join(seed.to_string())).unwrap();
            let packed: Vec<_> = samples.map(|sample| sample.unwrap().packed()).collect();
            assert_eq!(packed, player(seed).game().iter().map(Sample::packed).collect::<Vec<_>>());
        }
    }

    #[test]
    fn both_sides_of_a_game_see_opposite_outcomes() {
        let samples = Player::new(quick(), 3).game();
        assert!(samples.len() > 10);
        let red = |sample: &Sample| match sample.position.side_to_move() {
            Side::Red => sample.outcome,
            Side::Black => sample.outcome.reversed(),
        };
        assert!(samples.iter().all(|sample| red(sample) == red(&samples[0])));
    }
}
