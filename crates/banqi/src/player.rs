//! Who plays: a level by name.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use crate::endgame::Endgames;
use crate::engine::{Engine, Params};
use crate::game::Game;
use crate::limits::Limits;
use crate::moves::{Move, Played};
use crate::random::Random;
use crate::rules::Rules;
use crate::seed::{SeedEngine, SeedIdeas};

/// A way to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Any legal move.
    Random,
    /// The seed's engine with fixed values and no threat, region or placement.
    Static,
    /// The engine of seed 001.
    Seed,
    /// Our engine with all the time it is given.
    Full,
    /// Our engine for people, 1 (a beginner) to 5: it looks at few positions only.
    Person(u8),
}

/// How many positions the levels for people look at.
const PERSON_NODES: [u64; 5] = [30, 300, 3_000, 30_000, 300_000];

/// Not a level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a level: use full, 1 to 5, seed, static or random")]
pub struct LevelError(String);

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Self, LevelError> {
        match text {
            "random" => Ok(Self::Random),
            "static" => Ok(Self::Static),
            "seed" => Ok(Self::Seed),
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
            Self::Seed => f.write_str("seed"),
            Self::Full => f.write_str("full"),
            Self::Person(level) => write!(f, "{level}"),
        }
    }
}

/// Somebody who chooses moves.
pub trait Player {
    /// A game begins.
    fn new_game(&mut self, _rules: &Rules) -> Result<(), Failure> {
        Ok(())
    }

    /// A legal move of the side to move; the game is not over. `left` is what its clock shows.
    fn choose(&mut self, game: &Game, limits: &Limits, left: Option<Duration>) -> Result<Move, Failure>;

    /// A ply was played, by whomever.
    fn told(&mut self, _ply: Played) -> Result<(), Failure> {
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
    /// It could not be talked to.
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

impl Player for SeedEngine {
    fn choose(&mut self, game: &Game, limits: &Limits, _: Option<Duration>) -> Result<Move, Failure> {
        Ok(SeedEngine::choose(self, game, limits))
    }
}

/// Our engine, perhaps held back.
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

/// What our engine may use.
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
    /// Our engine with these.
    pub fn engine(&self) -> Engine {
        Engine::new(Params::default(), self.threads, self.megabytes).with_endgames(self.endgames.clone())
    }
}

impl Level {
    /// How many positions our engine looks at on this level; nothing if it is not held back or not ours.
    pub fn nodes(self) -> Option<u64> {
        match self {
            Self::Person(level) => Some(PERSON_NODES[usize::from(level.clamp(1, 5)) - 1]),
            _ => None,
        }
    }

    /// A player of this level; `seed` makes random ones repeatable.
    pub fn player(self, seed: u64, resources: &Resources) -> Box<dyn Player + Send> {
        let ours = |nodes| Box::new(EnginePlayer { engine: resources.engine(), nodes });
        match self {
            Self::Random => Box::new(RandomPlayer(Random::new(seed))),
            Self::Static => Box::new(SeedEngine::new(SeedIdeas::STATIC)),
            Self::Seed => Box::new(SeedEngine::new(SeedIdeas::SEED)),
            Self::Full | Self::Person(_) => ours(self.nodes()),
        }
    }
}
