//! Players and their levels.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use crate::endgame::Endgames;
use crate::engine::{Engine, Params};
use crate::foodchain::{Features, FoodChainEngine};
use crate::game::Game;
use crate::limits::Limits;
use crate::moves::{Move, Played};
use crate::random::Random;
use crate::rules::Rules;

/// A playing level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Random legal moves.
    Random,
    /// The predecessor of the food-chain engine: static values, no threat or placement.
    Static,
    /// The food-chain engine (Hsieh 2010).
    FoodChain,
    /// The engine at full strength.
    Full,
    /// The engine for people, 1 (a beginner) to 5: limited to a few nodes.
    Person(u8),
}

/// The node limits of the levels for people.
const PERSON_NODES: [u64; 5] = [30, 300, 3_000, 30_000, 300_000];

/// Not a level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a level: use full, 1 to 5, foodchain, static or random")]
pub struct LevelError(String);

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Self, LevelError> {
        match text {
            "random" => Ok(Self::Random),
            "static" => Ok(Self::Static),
            "foodchain" | "seed" => Ok(Self::FoodChain),
            "full" => Ok(Self::Full),
            "1" | "2" | "3" | "4" | "5" => Ok(Self::Person(text.as_bytes()[0] - b'0')),
            _ => Err(LevelError(text.to_owned())),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::Static => f.write_str("static"),
            Self::FoodChain => f.write_str("foodchain"),
            Self::Full => f.write_str("full"),
            Self::Person(level) => write!(f, "{level}"),
        }
    }
}

/// Chooses moves.
pub trait Player {
    /// A game begins.
    fn new_game(&mut self, _rules: &Rules) -> Result<(), Failure> {
        Ok(())
    }

    /// A legal move of the side to move; the game is not over. `left` is what its clock shows.
    fn choose(&mut self, game: &Game, limits: &Limits, left: Option<Duration>) -> Result<Move, Failure>;

    /// Called after each ply of either player.
    fn played(&mut self, _ply: Played) -> Result<(), Failure> {
        Ok(())
    }
}

/// How a player lost a game other than on the board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// Its clock ran out.
    #[error("the clock ran out")]
    Time,
    /// It chose what the rules forbid.
    #[error("illegal move {}", crate::text::move_text(*.0, crate::square::SquareStyle::Wide))]
    Illegal(Move),
    /// Communication failed.
    #[error("{0}")]
    Broken(String),
}

/// Any legal move.
struct RandomPlayer(Random);

impl Player for RandomPlayer {
    fn choose(&mut self, game: &Game, _: &Limits, _: Option<Duration>) -> Result<Move, Failure> {
        let moves = game.moves();
        Ok(moves[self.0.below(moves.len())])
    }
}

impl Player for FoodChainEngine {
    fn choose(&mut self, game: &Game, limits: &Limits, _: Option<Duration>) -> Result<Move, Failure> {
        Ok(FoodChainEngine::choose(self, game, limits))
    }
}

/// The engine, with a node limit at lower levels.
struct EnginePlayer {
    engine: Engine,
    nodes: Option<u64>,
}

impl Player for EnginePlayer {
    fn new_game(&mut self, _: &Rules) -> Result<(), Failure> {
        self.engine.new_game();
        Ok(())
    }

    fn choose(&mut self, game: &Game, limits: &Limits, _: Option<Duration>) -> Result<Move, Failure> {
        let limits = Limits { nodes: self.nodes.or(limits.nodes), ..*limits };
        Ok(self.engine.search(game, &limits).best)
    }
}

/// The engine's resources.
#[derive(Debug, Clone)]
pub struct Resources {
    /// Threads that search.
    pub threads: usize,
    /// Megabytes for the transposition table.
    pub megabytes: usize,
    /// Endgame tables.
    pub endgames: Option<Arc<Endgames>>,
}

impl Default for Resources {
    fn default() -> Self {
        Self { threads: 1, megabytes: 32, endgames: None }
    }
}

impl Resources {
    /// An engine with these resources.
    pub fn engine(&self) -> Engine {
        Engine::new(Params::default(), self.threads, self.megabytes).with_endgames(self.endgames.clone())
    }
}

impl Level {
    /// The node limit of this level, if it has one.
    pub fn nodes(self) -> Option<u64> {
        match self {
            Self::Person(level) => Some(PERSON_NODES[usize::from(level.clamp(1, 5)) - 1]),
            _ => None,
        }
    }

    /// A player of this level; `seed` is for random moves.
    pub fn player(self, seed: u64, resources: &Resources) -> Box<dyn Player + Send> {
        let ours = |nodes| Box::new(EnginePlayer { engine: resources.engine(), nodes });
        match self {
            Self::Random => Box::new(RandomPlayer(Random::new(seed))),
            Self::Static => Box::new(FoodChainEngine::new(Features::STATIC)),
            Self::FoodChain => Box::new(FoodChainEngine::new(Features::ALL)),
            Self::Full | Self::Person(_) => ours(self.nodes()),
        }
    }
}
