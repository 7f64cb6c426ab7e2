//! The tournament: runs the schedule on concurrent boards, reports results and restarts failed engines.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use chuhe_board::Position;

use chuhe_referee::Referee;

use crate::adjudicate::{Judge, ScoreRules};
use crate::game::{self, Adjudication};
use crate::openings::Opening;
use crate::player::{Player, StartError};
use crate::record::{GameRecord, today};
use crate::report::Standings;
use crate::schedule::{Fixture, Format, Schedule};
use crate::sprt::Sprt;
use crate::stalls::StallDetector;
use crate::{EngineSpec, Log};

/// Attempts to restart a crashed engine before the match fails.
const ATTEMPTS: u32 = 3;

/// Everything that makes a match.
#[derive(Clone)]
pub struct Tournament {
    /// The engines; results are from the first one's point of view.
    pub engines: Vec<EngineSpec>,
    /// The openings; never empty.
    pub openings: Vec<Opening>,
    /// Round robin or gauntlet.
    pub format: Format,
    /// Pairs of games for each pairing.
    pub rounds: usize,
    /// Games at a time.
    pub concurrency: usize,
    /// Shuffles the openings.
    pub seed: Option<u64>,
    /// The judges that adjudicate games, in order.
    pub judges: Vec<Arc<dyn Judge>>,
    /// Score adjudication.
    pub scores: ScoreRules,
    /// A sequential test that may end the match early.
    pub sprt: Option<Sprt>,
    /// The log of events.
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
    /// An engine without any limit.
    #[error("engine '{0}' has no limit: give it a clock, a time, nodes or a depth")]
    NoLimit(String),
    /// A finished game could not be kept.
    #[error("a finished game could not be kept: {0}")]
    Record(Box<dyn std::error::Error + Send + Sync>),
}

/// A report after each game.
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
    /// would give more information.
    pub fn repeated_openings(&self) -> usize {
        self.rounds.saturating_sub(self.openings.len())
    }

    /// Starts every engine once, to fail before the first game if at all. Returns warnings.
    pub fn check(&self) -> Result<Vec<String>, TournamentError> {
        if self.engines.len() < 2 {
            return Err(TournamentError::TooFew(self.engines.len()));
        }
        let mut names = HashSet::new();
        let stall_detector = StallDetector::start();
        let mut warnings = Vec::new();
        for spec in &self.engines {
            if !names.insert(&spec.name) {
                return Err(TournamentError::SameName(spec.name.clone()));
            }
            if spec.limits.is_empty() {
                return Err(TournamentError::NoLimit(spec.name.clone()));
            }
            let failed = |error| TournamentError::Engine { name: spec.name.clone(), error };
            let (mut player, odd) = Player::start(spec, &self.log).map_err(failed)?;
            warnings.extend(odd.into_iter().map(|text| format!("engine '{}': {text}", spec.name)));
            player.check_xiangqi(&stall_detector).map_err(failed)?;
            let elsewhere = self.openings.iter().any(|opening| opening.start != Position::start());
            if elsewhere && !player.sets_up_positions() {
                return Err(TournamentError::NoSetUp(spec.name.clone()));
            }
            player.end();
        }
        Ok(warnings)
    }

    /// Plays the games that are not among the finished ones, and reports each to `on_game`. An error from
    /// `on_game` ends the match, as does an engine that can no longer be started; running games are still
    /// finished.
    pub fn run<E: Into<Box<dyn std::error::Error + Send + Sync>>>(
        &self,
        finished: &[GameRecord],
        mut on_game: impl FnMut(Progress<'_>) -> Result<(), E>,
    ) -> Result<Report, TournamentError> {
        let names = self.engines.iter().map(|engine| engine.name.clone()).collect();
        let mut standings = Standings::new(names, self.sprt);
        for game in finished {
            standings.add(game);
        }
        let before = standings.engine_time();
        let wall = self.play_all(finished, &mut standings, &mut on_game)?.as_secs_f64();
        let thought = standings.engine_time().saturating_sub(before).as_secs_f64();
        Ok(Report { standings, engine_share: thought / wall.max(1e-9) })
    }

    /// Plays the remaining games. Returns how long the boards were in use, added up.
    fn play_all<E: Into<Box<dyn std::error::Error + Send + Sync>>>(
        &self,
        finished: &[GameRecord],
        standings: &mut Standings,
        on_game: &mut impl FnMut(Progress<'_>) -> Result<(), E>,
    ) -> Result<Duration, TournamentError> {
        let schedule = self.schedule();
        let played: HashSet<usize> = finished.iter().map(|game| game.game).collect();
        let open = schedule.fixtures().filter(|fixture| !played.contains(&(fixture.game + 1)));
        let scheduler = Scheduler {
            tournament: self,
            adjudication: Adjudication { judges: self.judges.clone(), scores: self.scores },
            queue: Mutex::new(open.collect()),
            closed: AtomicBool::new(standings.verdict().is_some()),
            stall_detector: StallDetector::start(),
        };
        thread::scope(|scope| {
            let mut outcome = Ok(());
            // Without a buffer no board runs ahead of the test's decision.
            let (sender, results) = sync_channel(0);
            let boards: Vec<_> = (0..self.concurrency.max(1))
                .map(|_| {
                    let (scheduler, sender) = (&scheduler, sender.clone());
                    scope.spawn(move || scheduler.run_board(&sender))
                })
                .collect();
            drop(sender);
            for result in results {
                let reported = result.and_then(|game: GameRecord| {
                    standings.add(&game);
                    let progress = Progress { game: &game, standings, scheduled: schedule.games() };
                    on_game(progress).map_err(|error| TournamentError::Record(error.into()))
                });
                if reported.is_err() || standings.verdict().is_some() {
                    scheduler.closed.store(true, Ordering::Relaxed);
                }
                outcome = outcome.and(reported);
            }
            let in_use = boards.into_iter().map(|board| board.join().expect("a board does not panic")).sum();
            outcome.map(|()| in_use)
        })
    }
}

/// Runs games on concurrent boards until the queue is empty or the match is decided.
struct Scheduler<'a> {
    tournament: &'a Tournament,
    adjudication: Adjudication,
    queue: Mutex<VecDeque<Fixture>>,
    /// No new game starts.
    closed: AtomicBool,
    stall_detector: StallDetector,
}

impl Scheduler<'_> {
    /// Plays one board's games with engines of its own. Returns how long the board was in use.
    fn run_board(&self, results: &SyncSender<Result<GameRecord, TournamentError>>) -> Duration {
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
                log.note(&format!("{} is ended, to be restarted", player.spec().name));
                player.end();
            } else if number == fixture.red || number == fixture.black {
                here.insert(number, player);
            } else {
                player.end();
            }
        }
        *players = here;
        let mut red = self.running_engine(fixture.red, players)?;
        let mut black = self.running_engine(fixture.black, players)?;
        let opening = &openings[fixture.opening];
        let played =
            game::play([&mut red, &mut black], opening, &self.adjudication, &self.stall_detector, log);
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
    fn running_engine(
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
