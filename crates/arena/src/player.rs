//! A running engine: starts it, announces games and asks for moves over its protocol.

mod uci;
mod xboard;

use std::io;
use std::time::{Duration, Instant};

use chuhe_board::{Move, Position, coords, coords::RankStyle};
use chuhe_protocol::{Clock, Line, Protocol, Score};

use crate::process::{Process, ReadError};
use crate::stalls::{QueueTimes, StallDetector};
use crate::{EngineSpec, Limits, Log};
pub(crate) use uci::UciClient;
use xboard::XboardClient;

/// The timeout of the handshake.
const HANDSHAKE: Duration = Duration::from_secs(15);
/// The timeout after `stop`; then the engine is killed.
const STOPPING: Duration = Duration::from_millis(300);

/// Why an engine cannot play at all.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The program does not run.
    #[error("cannot start '{program}': {error}")]
    Program {
        /// The program.
        program: String,
        /// The error.
        error: io::Error,
    },
    /// The program runs but does not complete the handshake.
    #[error("no '{expected}' within {} s: is it a {protocol} engine?", .waited.as_secs_f64())]
    NoHandshake {
        /// The expected reply.
        expected: &'static str,
        /// The protocol.
        protocol: Protocol,
        /// The timeout.
        waited: Duration,
    },
    /// The program ended during the handshake.
    #[error("{0} during the handshake")]
    Ended(String),
    /// The engine plays other games.
    #[error("it does not support Xiangqi; it supports {0}")]
    Variant(String),
    /// The engine's reply to the central cannon is not a legal move.
    #[error("its reply to the central cannon, '{answer}', is not a legal move{hint}")]
    NoXiangqi {
        /// Its reply.
        answer: String,
        /// The likely cause.
        hint: &'static str,
    },
    /// The program ended over the central cannon.
    #[error("{0} when asked to reply to the central cannon; does it play Xiangqi?")]
    CrashedInCheck(String),
    /// The protocol cannot express the limits.
    #[error("{protocol} engines cannot be given {limit}")]
    Limit {
        /// The protocol.
        protocol: Protocol,
        /// The limit.
        limit: &'static str,
    },
}

impl StartError {
    /// The engine's program does not run.
    pub(crate) fn program(spec: &EngineSpec, error: io::Error) -> Self {
        Self::Program { program: spec.command.first().cloned().unwrap_or_default(), error }
    }
}

/// Why an engine loses a game without being beaten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It time_forfeit its time.
    Time {
        /// By how much, at least.
        over: Duration,
    },
    /// It chose a move that is not legal, or refused one that is.
    Illegal(String),
    /// Its program ended or hangs.
    Crash(String),
}

/// An engine's answer, and how it came about.
#[derive(Clone, Debug)]
pub(crate) struct Thought {
    /// The move; `None` if it gives up.
    pub(crate) mv: Option<Move>,
    pub(crate) elapsed: Duration,
    pub(crate) progress: Progress,
    /// Set if the move came late only because the machine was busy.
    pub(crate) excused: Option<Excuse>,
}

/// A move that came late for reasons outside the engine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Excuse {
    pub(crate) over: Duration,
    pub(crate) stalled: Duration,
}

/// The engine's last report on its search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    pub(crate) depth: Option<u32>,
    pub(crate) score: Option<Score>,
    pub(crate) nodes: Option<u64>,
}

/// A search that an engine is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'a> {
    pub(crate) line: &'a Line,
    /// The position at the end of the line.
    pub(crate) position: &'a Position,
    pub(crate) limits: &'a Limits,
    /// The clocks of Red and Black, if any.
    pub(crate) clocks: [Option<Clock>; 2],
}

impl Question<'_> {
    fn own_clock(&self) -> Option<Clock> {
        self.clocks[self.position.side_to_move().index()]
    }

    /// How long the engine may take, if time is limited at all.
    fn allowed(&self) -> Option<Duration> {
        match (self.own_clock().and_then(|clock| clock.left), self.limits.move_time) {
            (Some(left), Some(fixed)) => Some(left.min(fixed)),
            (left, fixed) => left.or(fixed),
        }
    }
}

/// An engine's answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Answer {
    Move(Move),
    Resign,
    /// It has no move but does not resign.
    NoMove,
    /// It rejects the opponent's legal move, often because it thinks the game is over.
    Refusal(String),
    /// An unreadable move.
    Unreadable(String),
}

/// The client side of a protocol.
trait ProtocolClient: Send {
    /// Completes the handshake and sets the options; returns warnings about them.
    fn handshake(&mut self, process: &mut Process, spec: &EngineSpec) -> Result<Vec<String>, StartError>;
    /// Announces a game from this position and waits until the engine is ready.
    fn new_game(
        &mut self,
        process: &mut Process,
        spec: &EngineSpec,
        start: &Position,
    ) -> Result<(), ReadError>;
    /// Sends the position and starts the search.
    fn start_search(
        &mut self,
        process: &mut Process,
        spec: &EngineSpec,
        question: &Question<'_>,
    ) -> Result<(), ReadError>;
    /// The answer in a line of output, if it has one.
    fn parse_answer(&mut self, ranks: RankStyle, line: &str, progress: &mut Progress) -> Option<Answer>;
    /// Whether games may start from other positions than the normal one.
    fn sets_up_positions(&self) -> bool {
        true
    }
    /// The engine has answered: keeps it idle until the next question.
    fn end_turn(&mut self, process: &mut Process, spec: &EngineSpec) -> Result<(), ReadError>;
    /// Requests an immediate answer.
    fn stop(&mut self, process: &mut Process) -> Result<(), ReadError>;
}

/// A running engine.
pub(crate) struct Player {
    spec: EngineSpec,
    process: Process,
    client: Box<dyn ProtocolClient>,
    /// Whether it can be asked again.
    usable: bool,
}

impl Player {
    /// Starts the engine and sets its options; also returns warnings about them.
    pub(crate) fn start(spec: &EngineSpec, log: &Log) -> Result<(Self, Vec<String>), StartError> {
        let mut process = Process::start(spec, log).map_err(|error| StartError::program(spec, error))?;
        let mut client: Box<dyn ProtocolClient> = match spec.protocol {
            Protocol::Uci | Protocol::Ucci => Box::new(UciClient::new(spec.protocol)),
            Protocol::Xboard => Box::new(XboardClient::default()),
        };
        let warnings = client.handshake(&mut process, spec)?;
        Ok((Self { spec: spec.clone(), process, client, usable: true }, warnings))
    }

    pub(crate) fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// Whether it can play another game; if not it must be restarted.
    pub(crate) fn is_fit(&mut self) -> bool {
        self.usable && self.process.is_running()
    }

    /// Whether games may start from other positions than the normal one.
    pub(crate) fn sets_up_positions(&self) -> bool {
        self.client.sets_up_positions()
    }

    /// Announces a game.
    pub(crate) fn new_game(&mut self, start: &Position) -> Result<(), Fault> {
        let announced = self.client.new_game(&mut self.process, &self.spec, start);
        announced.map_err(|error| self.crash(error))
    }

    /// Asks for a move. An engine that has none but does not resign (it may claim a draw by a rule of
    /// its own) is asked once more, about the bare position: only we adjudicate.
    pub(crate) fn think(
        &mut self,
        question: &Question<'_>,
        stall_detector: &StallDetector,
    ) -> Result<Thought, Fault> {
        let (answer, mut thought) = self.ask(question, stall_detector)?;
        let claims_end = matches!(answer, Answer::NoMove | Answer::Refusal(_));
        let answer = if claims_end && !question.line.moves.is_empty() {
            let bare = Line { start: without_counters(question.position), moves: Vec::new() };
            let (answer, again) = self.ask(&Question { line: &bare, ..*question }, stall_detector)?;
            thought.elapsed += again.elapsed;
            answer
        } else {
            answer
        };
        match answer {
            Answer::Move(mv) => Ok(Thought { mv: Some(mv), ..thought }),
            Answer::Resign | Answer::NoMove => Ok(thought),
            Answer::Unreadable(text) | Answer::Refusal(text) => Err(Fault::Illegal(text)),
        }
    }

    /// Sends the question and waits for the answer. Time in which the engine or this process was not scheduled does
    /// not count.
    fn ask(
        &mut self,
        question: &Question<'_>,
        stall_detector: &StallDetector,
    ) -> Result<(Answer, Thought), Fault> {
        self.process.drain();
        let allowed = question.allowed();
        let mut waited = QueueTimes::start(self.process.id());
        let start = Instant::now();
        let asked = self.client.start_search(&mut self.process, &self.spec, question);
        asked.map_err(|error| self.crash(error))?;

        let grace = allowed.map_or(self.spec.patience, |allowed| allowed + self.spec.margin);
        let mut progress = Progress::default();
        let mut stalled = Duration::ZERO;
        loop {
            let received = match self.process.receive(start + grace + stalled) {
                Ok(received) => received,
                Err(ReadError::Closed) => return Err(self.crash(ReadError::Closed)),
                Err(ReadError::Timeout) => {
                    let more = stall_detector.stalled_since(start).max(waited.look());
                    if more <= stalled {
                        return Err(self.time_forfeit(start, allowed));
                    }
                    // Long enough for the next look to tell a wait that has not ended.
                    let over = start.elapsed().saturating_sub(grace);
                    stalled = more.max(over + QueueTimes::BETWEEN_LOOKS);
                    continue;
                }
            };
            if let Some(answer) = self.client.parse_answer(self.spec.ranks, &received.line, &mut progress) {
                let elapsed = received.at.saturating_duration_since(start);
                // An answer counts even if the program ends right after it.
                self.usable = self.client.end_turn(&mut self.process, &self.spec).is_ok();
                let over = elapsed.saturating_sub(grace);
                let mut excused = None;
                if !over.is_zero() {
                    let stalled = stall_detector.stalled_since(start).max(waited.look());
                    if over > stalled {
                        return Err(self.late(elapsed, allowed));
                    }
                    excused = Some(Excuse { over, stalled });
                }
                return Ok((answer, Thought { mv: None, elapsed, progress, excused }));
            }
        }
    }

    /// The time is up. An answer now is too late, but keeps the engine usable.
    fn time_forfeit(&mut self, start: Instant, allowed: Option<Duration>) -> Fault {
        let elapsed = start.elapsed();
        self.usable = self.client.stop(&mut self.process).is_ok() && self.answers_within(STOPPING);
        self.late(elapsed, allowed)
    }

    fn late(&self, elapsed: Duration, allowed: Option<Duration>) -> Fault {
        match allowed {
            Some(allowed) => Fault::Time { over: elapsed.saturating_sub(allowed) },
            None => Fault::Crash(format!("no move within {} s", self.spec.patience.as_secs_f64())),
        }
    }

    fn answers_within(&mut self, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        while let Ok(received) = self.process.receive(deadline) {
            if self.client.parse_answer(self.spec.ranks, &received.line, &mut Progress::default()).is_some() {
                return self.client.end_turn(&mut self.process, &self.spec).is_ok();
            }
        }
        false
    }

    fn crash(&mut self, error: ReadError) -> Fault {
        self.usable = false;
        Fault::Crash(match error {
            ReadError::Closed => self.process.exit_description(),
            ReadError::Timeout => "not ready in time".to_owned(),
        })
    }

    /// Checks that the engine plays Xiangqi and counts ranks as configured, by its reply to the central cannon.
    pub(crate) fn check_xiangqi(&mut self, stall_detector: &StallDetector) -> Result<(), StartError> {
        if self.spec.protocol == Protocol::Xboard {
            // Its features list the variants, which have been checked.
            return Ok(());
        }
        let start = Position::start();
        let cannon = coords::parse_move("h2e2", RankStyle::FromZero).expect("a move in coordinates");
        let mut position = start.clone();
        let _ = position.play(cannon, &mut ());
        let line = Line { start, moves: vec![cannon] };
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let question = Question { line: &line, position: &position, limits: &limits, clocks: [None, None] };
        let no_xiangqi = |answer, hint| Err(StartError::NoXiangqi { answer, hint });
        match self.think(&question, stall_detector) {
            Ok(Thought { mv: Some(mv), .. }) if position.is_legal(mv) => Ok(()),
            Ok(Thought { mv: Some(mv), .. }) => {
                no_xiangqi(coords::write_move(mv, self.spec.ranks).to_string(), WRONG_RANKS)
            }
            Ok(Thought { mv: None, .. }) => no_xiangqi("none".to_owned(), ""),
            Err(Fault::Illegal(text)) => no_xiangqi(text, WRONG_RANKS),
            Err(Fault::Crash(text)) => Err(StartError::CrashedInCheck(text)),
            Err(Fault::Time { .. }) => no_xiangqi("none in time".to_owned(), ""),
        }
    }

    /// Ends the engine's program.
    pub(crate) fn end(self) {
        self.process.end();
    }
}

/// The position as if a game began with it, so that no rule about quiet plies applies yet.
fn without_counters(position: &Position) -> Position {
    Position::from_pieces(position.pieces_on_board(), position.side_to_move())
        .expect("a position of a game is possible")
}

const WRONG_RANKS: &str = "; does it count ranks as stated (ranks=0 for 0–9, ranks=1 for 1–10)?";
