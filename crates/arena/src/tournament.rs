//! A whole match: games side by side, results as they come, engines started anew when they fail.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use chuhe_board::Position;

use chuhe_referee::Referee;

use crate::adjudicate::{Judge, ScoreRules};
use crate::game::{self, Court};
use crate::openings::Opening;
use crate::player::{Player, StartError};
use crate::record::{GameRecord, today};
use crate::report::Standings;
use crate::schedule::{Fixture, Format, Schedule};
use crate::sprt::Sprt;
use crate::stalls::Metronome;
use crate::{EngineSpec, Log};

/// How often an engine that crashed is started anew before the match is given up.
const ATTEMPTS: u32 = 3;

/// Everything that makes a match.
#[derive(Clone)]
pub struct Tournament {
    /// Who plays; results are told for the first.
    pub engines: Vec<EngineSpec>,
    /// The openings; never empty.
    pub openings: Vec<Opening>,
    /// Who meets whom.
    pub format: Format,
    /// Pairs of games for each pairing.
    pub rounds: usize,
    /// Games at a time.
    pub concurrency: usize,
    /// Shuffles the openings.
    pub seed: Option<u64>,
    /// Who decides games, asked in order.
    pub judges: Vec<Arc<dyn Judge>>,
    /// When engines' scores end a game.
    pub scores: ScoreRules,
    /// A test that may end the match early.
    pub sprt: Option<Sprt>,
    /// Where events are noted.
    pub log: Log,
}

/// Why a match cannot be played, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// An engine cannot play.
    #[error("engine '{name}': {error}")]
    Engine {
        /// The engine.
        name: String,
        /// Why.
        error: StartError,
    },
    /// An engine cannot begin elsewhere than at the start position, but an opening does.
    #[error(
        "engine '{0}' cannot set up positions, but there are openings that do not begin with the start position"
    )]
    NoSetUp(String),
    /// Fewer than two engines.
    #[error("a match needs at least two engines, not {0}")]
    TooFew(usize),
    /// Two engines of the same name.
    #[error("two engines are called '{0}'")]
    SameName(String),
    /// An engine with all the time in the world.
    #[error("engine '{0}' has no limit: give it a clock, a time, nodes or a depth")]
    NoLimit(String),
    /// A finished game could not be kept.
    #[error("a finished game could not be kept: {0}")]
    Record(Box<dyn std::error::Error + Send + Sync>),
}

/// What is told after each game.
#[derive(Debug)]
pub struct Progress<'a> {
    /// The game that just ended.
    pub game: &'a GameRecord,
    /// All results, this one included.
    pub standings: &'a Standings,
    /// How many games the match has if nothing ends it early.
    pub scheduled: usize,
}

/// How a match went.
#[derive(Clone, Debug)]
pub struct Report {
    /// All results.
    pub standings: Standings,
    /// The share of the wall time in which engines thought, 0 to 1: over all games at a time, from the
    /// start to the end of the last game on each board, for the games of this run.
    pub engine_share: f64,
}

impl Tournament {
    /// A match by the plain rules, one game at a time.
    pub fn new(engines: Vec<EngineSpec>, openings: Vec<Opening>, rounds: usize) -> Self {
        Self {
            engines,
            openings,
            format: Format::default(),
            rounds,
            concurrency: 1,
            seed: None,
            judges: vec![Arc::new(Referee::default())],
            scores: ScoreRules::default(),
            sprt: None,
            log: Log::default(),
        }
    }

    fn schedule(&self) -> Schedule {
        Schedule::new(self.format, self.engines.len(), self.rounds, self.openings.len(), self.seed)
    }

    /// Everything that decides which games are played, line by line: two matches with the same
    /// conditions may share a journal. How many games, how many at a time and the test may change.
    pub fn conditions(&self) -> String {
        let mut lines = vec![format!("format {:?}", self.format)];
        lines.push(self.seed.map_or_else(|| "openings in order".to_owned(), |seed| format!("seed {seed}")));
        lines.push(format!("{:?}", self.scores));
        lines.extend(self.judges.iter().filter_map(|judge| judge.condition()));
        for engine in &self.engines {
            let EngineSpec { name, command, protocol, ranks, options, init, limits, .. } = engine;
            let command = command.join(" ");
            lines.push(format!("engine {name}: {command}, {protocol}, {ranks:?}, {limits}"));
            lines.extend(options.iter().map(|(option, value)| format!("{name}: {option} = {value}")));
            lines.extend(init.iter().map(|line| format!("{name}: {line}")));
        }
        lines.push(format!("{} openings", self.openings.len()));
        lines.extend(self.openings.iter().map(|opening| format!("{} {:?}", opening.start, opening.moves)));
        lines.join("\n")
    }

    /// How many pairs of games repeat the opening of an earlier one between the same engines: more openings
    /// would tell more.
    pub fn repeated_openings(&self) -> usize {
        self.rounds.saturating_sub(self.openings.len())
    }

    /// Starts every engine once, so that what cannot work is said before the first game. Tells what is
    /// odd but no reason to stop.
    pub fn check(&self) -> Result<Vec<String>, TournamentError> {
        if self.engines.len() < 2 {
            return Err(TournamentError::TooFew(self.engines.len()));
        }
        let mut names = HashSet::new();
        let metronome = Metronome::start();
        let mut oddities = Vec::new();
        for spec in &self.engines {
            if !names.insert(&spec.name) {
                return Err(TournamentError::SameName(spec.name.clone()));
            }
            if spec.limits.is_empty() {
                return Err(TournamentError::NoLimit(spec.name.clone()));
            }
            let failed = |error| TournamentError::Engine { name: spec.name.clone(), error };
            let (mut player, odd) = Player::start(spec, &self.log).map_err(failed)?;
            oddities.extend(odd.into_iter().map(|text| format!("engine '{}': {text}", spec.name)));
            player.prove_that_it_plays_xiangqi(&metronome).map_err(failed)?;
            let elsewhere = self.openings.iter().any(|opening| opening.start != Position::start());
            if elsewhere && !player.sets_up_positions() {
                return Err(TournamentError::NoSetUp(spec.name.clone()));
            }
            player.end();
        }
        Ok(oddities)
    }

    /// Plays the games that are not among the finished ones, and tells of each as it ends. An error from
    /// `tell` ends the match; so does an engine that cannot be started any more. Games that run then are
    /// still played to their end.
    pub fn run<E: Into<Box<dyn std::error::Error + Send + Sync>>>(
        &self,
        finished: &[GameRecord],
        mut tell: impl FnMut(Progress<'_>) -> Result<(), E>,
    ) -> Result<Report, TournamentError> {
        let names = self.engines.iter().map(|engine| engine.name.clone()).collect();
        let mut standings = Standings::new(names, self.sprt);
        for game in finished {
            standings.add(game);
        }
        let before = standings.engine_time();
        let wall = self.play_all(finished, &mut standings, &mut tell)?.as_secs_f64();
        let thought = standings.engine_time().saturating_sub(before).as_secs_f64();
        Ok(Report { standings, engine_share: thought / wall.max(1e-9) })
    }

    /// Plays what is left to play; how long the boards were in use, added up.
    fn play_all<E: Into<Box<dyn std::error::Error + Send + Sync>>>(
        &self,
        finished: &[GameRecord],
        standings: &mut Standings,
        tell: &mut impl FnMut(Progress<'_>) -> Result<(), E>,
    ) -> Result<Duration, TournamentError> {
        let schedule = self.schedule();
        let played: HashSet<usize> = finished.iter().map(|game| game.game).collect();
        let open = schedule.fixtures().filter(|fixture| !played.contains(&(fixture.game + 1)));
        let hall = Hall {
            tournament: self,
            court: Court { judges: self.judges.clone(), scores: self.scores },
            queue: Mutex::new(open.collect()),
            closed: AtomicBool::new(standings.verdict().is_some()),
            metronome: Metronome::start(),
        };
        thread::scope(|scope| {
            let mut outcome = Ok(());
            // Without a buffer no board runs ahead of the verdict.
            let (sender, results) = sync_channel(0);
            let boards: Vec<_> = (0..self.concurrency.max(1))
                .map(|_| {
                    let (hall, sender) = (&hall, sender.clone());
                    scope.spawn(move || hall.play_while_open(&sender))
                })
                .collect();
            drop(sender);
            for result in results {
                let told = result.and_then(|game: GameRecord| {
                    standings.add(&game);
                    let progress = Progress { game: &game, standings, scheduled: schedule.games() };
                    tell(progress).map_err(|error| TournamentError::Record(error.into()))
                });
                if told.is_err() || standings.verdict().is_some() {
                    hall.closed.store(true, Ordering::Relaxed);
                }
                outcome = outcome.and(told);
            }
            let in_use = boards.into_iter().map(|board| board.join().expect("a board does not panic")).sum();
            outcome.map(|()| in_use)
        })
    }
}

/// Where the games are played, several at a time.
struct Hall<'a> {
    tournament: &'a Tournament,
    court: Court,
    queue: Mutex<VecDeque<Fixture>>,
    /// No new game is begun.
    closed: AtomicBool,
    metronome: Metronome,
}

impl Hall<'_> {
    /// Plays game after game; each board has engines of its own. How long the board was in use.
    fn play_while_open(&self, results: &SyncSender<Result<GameRecord, TournamentError>>) -> Duration {
        let start = Instant::now();
        let mut in_use = Duration::ZERO;
        let mut players = BTreeMap::new();
        while !self.closed.load(Ordering::Relaxed) {
            let Some(fixture) = self.queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front() else {
                break;
            };
            let result = self.play(fixture, &mut players);
            in_use = start.elapsed();
            let failed = result.is_err();
            if results.send(result).is_err() || failed {
                break;
            }
        }
        for (_, player) in players {
            player.end();
        }
        in_use
    }

    fn play(
        &self,
        fixture: Fixture,
        players: &mut BTreeMap<usize, Player>,
    ) -> Result<GameRecord, TournamentError> {
        let Tournament { engines, openings, log, .. } = self.tournament;
        let mut here = BTreeMap::new();
        for (number, mut player) in std::mem::take(players) {
            if !player.is_fit() {
                log.note(&format!("{} is ended, to be started anew", player.spec().name));
                player.end();
            } else if number == fixture.red || number == fixture.black {
                here.insert(number, player);
            } else {
                player.end();
            }
        }
        *players = here;
        let mut red = self.seated(fixture.red, players)?;
        let mut black = self.seated(fixture.black, players)?;
        let opening = &openings[fixture.opening];
        let played = game::play([&mut red, &mut black], opening, &self.court, &self.metronome, log);
        players.insert(fixture.red, red);
        players.insert(fixture.black, black);
        let (red, black) = (&engines[fixture.red], &engines[fixture.black]);
        Ok(GameRecord {
            game: fixture.game + 1,
            pair: fixture.pair + 1,
            red: red.name.clone(),
            black: black.name.clone(),
            limits: [red.limits.to_string(), black.limits.to_string()],
            date: today(),
            outcome: played.outcome,
            termination: played.termination,
            reason: played.reason,
            start: opening.start.to_string(),
            opening_plies: opening.moves.len(),
            moves: played.moves,
            excused: played.excused,
        })
    }

    /// The engine, running: from its last game, or started.
    fn seated(
        &self,
        number: usize,
        players: &mut BTreeMap<usize, Player>,
    ) -> Result<Player, TournamentError> {
        if let Some(player) = players.remove(&number) {
            return Ok(player);
        }
        let spec = &self.tournament.engines[number];
        let log = &self.tournament.log;
        let mut attempt = 1;
        loop {
            match Player::start(spec, log) {
                Ok((player, _)) => return Ok(player),
                Err(error) if attempt == ATTEMPTS => {
                    return Err(TournamentError::Engine { name: spec.name.clone(), error });
                }
                Err(error) => log.note(&format!("{} does not start (attempt {attempt}): {error}", spec.name)),
            }
            thread::sleep(Duration::from_millis(100 << attempt));
            attempt += 1;
        }
    }
}
