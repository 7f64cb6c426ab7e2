//! One engine over its protocol: started, told of games, asked for moves.

mod uci_talk;
mod xboard_talk;

use std::io;
use std::time::{Duration, Instant};

use chuhe_board::{Move, Position, coords, coords::RankStyle};
use chuhe_protocol::{Clock, Line, Protocol, Score};

use crate::process::{Process, Silence};
use crate::stalls::{Metronome, QueueTimes};
use crate::{EngineSpec, Limits, Log};
use uci_talk::UciTalk;
use xboard_talk::XboardTalk;

/// How long an engine may take to say who it is.
const HANDSHAKE: Duration = Duration::from_secs(15);
/// How long an engine that is told to stop may take before it is killed.
const STOPPING: Duration = Duration::from_millis(300);

/// Why an engine cannot play at all.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The program does not run.
    #[error("cannot start '{program}': {error}")]
    Program {
        /// The program.
        program: String,
        /// What the system says.
        error: io::Error,
    },
    /// The program runs but does not speak the protocol.
    #[error("no '{expected}' within {} s: is it a {protocol} engine?", .waited.as_secs_f64())]
    NoHandshake {
        /// What it should say.
        expected: &'static str,
        /// The protocol.
        protocol: Protocol,
        /// How long we waited.
        waited: Duration,
    },
    /// The program ended instead of shaking hands.
    #[error("{0} before it said who it is")]
    Ended(String),
    /// The engine plays other games.
    #[error("it does not know Xiangqi; it knows {0}")]
    Variant(String),
    /// The engine's answer to the central cannon is no legal move.
    #[error("its answer to the central cannon, '{answer}', is no legal move{hint}")]
    NoXiangqi {
        /// What it said.
        answer: String,
        /// What may be wrong.
        hint: &'static str,
    },
    /// The program ended over the central cannon.
    #[error("{0} when it was asked for its answer to the central cannon; does it play Xiangqi?")]
    Overwhelmed(String),
    /// The protocol has no words for the limits.
    #[error("{protocol} engines cannot be given {limit}")]
    Limit {
        /// The protocol.
        protocol: Protocol,
        /// The limit.
        limit: &'static str,
    },
}

/// Why an engine loses a game without being beaten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It overstepped its time.
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

/// What the engine last told about its search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    pub(crate) depth: Option<u32>,
    pub(crate) score: Option<Score>,
    pub(crate) nodes: Option<u64>,
}

/// What an engine is asked to think about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'a> {
    pub(crate) line: &'a Line,
    /// The position at the end of the line.
    pub(crate) position: &'a Position,
    pub(crate) limits: &'a Limits,
    /// The clocks by side, for those who have one.
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

/// What a line of an engine means for the question it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Answer {
    Move(Move),
    Resign,
    /// It holds that there is nothing to play, but does not give up.
    NoMove,
    /// It does not accept the opponent's move, which is legal: often because it holds the game to be over.
    Refusal(String),
    /// No move that can be read.
    Unreadable(String),
}

/// How an engine is spoken to in its protocol.
trait Talk: Send {
    /// Says hello, sets the options; returns what is odd about them.
    fn open(&mut self, process: &mut Process, spec: &EngineSpec) -> Result<Vec<String>, StartError>;
    /// Announces a game from this position and waits until the engine is ready.
    fn new_game(&mut self, process: &mut Process, spec: &EngineSpec, start: &Position)
    -> Result<(), Silence>;
    /// Sets up the position and says go.
    fn ask(
        &mut self,
        process: &mut Process,
        spec: &EngineSpec,
        question: &Question<'_>,
    ) -> Result<(), Silence>;
    /// What the line says about the last question.
    fn understand(&mut self, ranks: RankStyle, line: &str, progress: &mut Progress) -> Option<Answer>;
    /// Whether a game may begin elsewhere than at the start position.
    fn sets_up_positions(&self) -> bool {
        true
    }
    /// The engine has answered: holds it still until the next question.
    fn settle(&mut self, process: &mut Process, spec: &EngineSpec) -> Result<(), Silence>;
    /// Asks for an answer at once.
    fn hurry(&mut self, process: &mut Process) -> Result<(), Silence>;
}

/// An engine that runs.
pub(crate) struct Player {
    spec: EngineSpec,
    process: Process,
    talk: Box<dyn Talk>,
    /// Whether it can be asked again.
    usable: bool,
}

impl Player {
    /// Starts the engine and sets its options; also tells what is odd about them.
    pub(crate) fn start(spec: &EngineSpec, log: &Log) -> Result<(Self, Vec<String>), StartError> {
        let program = || spec.command.first().cloned().unwrap_or_default();
        let mut process =
            Process::start(spec, log).map_err(|error| StartError::Program { program: program(), error })?;
        let mut talk: Box<dyn Talk> = match spec.protocol {
            Protocol::Uci | Protocol::Ucci => Box::new(UciTalk::new(spec.protocol)),
            Protocol::Xboard => Box::new(XboardTalk::default()),
        };
        let oddities = talk.open(&mut process, spec)?;
        Ok((Self { spec: spec.clone(), process, talk, usable: true }, oddities))
    }

    pub(crate) fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// Whether it is fit for another game; if not it must be started anew.
    pub(crate) fn is_fit(&mut self) -> bool {
        self.usable && self.process.is_running()
    }

    /// Whether a game may begin elsewhere than at the start position.
    pub(crate) fn sets_up_positions(&self) -> bool {
        self.talk.sets_up_positions()
    }

    /// Announces a game.
    pub(crate) fn new_game(&mut self, start: &Position) -> Result<(), Fault> {
        let told = self.talk.new_game(&mut self.process, &self.spec, start);
        told.map_err(|silence| self.fallen_silent(silence))
    }

    /// Asks for a move. An engine that has none and does not give up (drawn by a rule of its own, say)
    /// is asked once more about the bare position: we are the judge, and it has to play on.
    pub(crate) fn think(&mut self, question: &Question<'_>, metronome: &Metronome) -> Result<Thought, Fault> {
        let (answer, mut thought) = self.ask(question, metronome)?;
        let plays_on = !matches!(answer, Answer::NoMove | Answer::Refusal(_));
        let answer = if !plays_on && !question.line.moves.is_empty() {
            let bare = Line { start: without_counters(question.position), moves: Vec::new() };
            let (answer, again) = self.ask(&Question { line: &bare, ..*question }, metronome)?;
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

    /// Puts the question and waits for the answer; a fault is only blamed on the engine after the time
    /// in which it or we could not run is taken off.
    fn ask(&mut self, question: &Question<'_>, metronome: &Metronome) -> Result<(Answer, Thought), Fault> {
        self.process.ignore_the_past();
        let allowed = question.allowed();
        let waited = QueueTimes::of(self.process.id());
        let start = Instant::now();
        let asked = self.talk.ask(&mut self.process, &self.spec, question);
        asked.map_err(|silence| self.fallen_silent(silence))?;

        let grace = allowed.map_or(self.spec.patience, |allowed| allowed + self.spec.margin);
        let mut progress = Progress::default();
        let mut stalled = Duration::ZERO;
        loop {
            let heard = match self.process.hear(start + grace + stalled) {
                Ok(heard) => heard,
                Err(Silence::Closed) => return Err(self.fallen_silent(Silence::Closed)),
                Err(Silence::Timeout) => {
                    let more = self.stalled_since(start, &waited, metronome);
                    if more > stalled {
                        stalled = more;
                        continue;
                    }
                    return Err(self.overstepped(start, allowed));
                }
            };
            if let Some(answer) = self.talk.understand(self.spec.ranks, &heard.line, &mut progress) {
                let elapsed = heard.at.saturating_duration_since(start);
                // An answer counts even if it was the last word of a program that ends.
                self.usable = self.talk.settle(&mut self.process, &self.spec).is_ok();
                let over = elapsed.saturating_sub(grace);
                let excused = (!over.is_zero()).then_some(Excuse { over, stalled });
                return Ok((answer, Thought { mv: None, elapsed, progress, excused }));
            }
        }
    }

    /// How much of the time since `start` this process or the engine could not run, whichever is more.
    fn stalled_since(&self, start: Instant, waited: &QueueTimes, metronome: &Metronome) -> Duration {
        let ours = metronome.stalled_since(start);
        let its = QueueTimes::of(self.process.id()).since(waited);
        ours.max(its)
    }

    /// The time is over: whatever the engine says now is too late, but may keep it usable.
    fn overstepped(&mut self, start: Instant, allowed: Option<Duration>) -> Fault {
        let over = start.elapsed().saturating_sub(allowed.unwrap_or(self.spec.patience));
        self.usable = self.talk.hurry(&mut self.process).is_ok() && self.answers_within(STOPPING);
        match allowed {
            Some(_) => Fault::Time { over },
            None => Fault::Crash(format!("no move within {} s", self.spec.patience.as_secs_f64())),
        }
    }

    fn answers_within(&mut self, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        while let Ok(heard) = self.process.hear(deadline) {
            if self.talk.understand(self.spec.ranks, &heard.line, &mut Progress::default()).is_some() {
                return self.talk.settle(&mut self.process, &self.spec).is_ok();
            }
        }
        false
    }

    fn fallen_silent(&mut self, silence: Silence) -> Fault {
        self.usable = false;
        Fault::Crash(match silence {
            Silence::Closed => self.process.last_words(),
            Silence::Timeout => "not ready in time".to_owned(),
        })
    }

    /// Asks the engine for its answer to the central cannon: one that plays another game, or counts
    /// ranks in another way, gives itself away.
    pub(crate) fn prove_that_it_plays_xiangqi(&mut self, metronome: &Metronome) -> Result<(), StartError> {
        if self.spec.protocol == Protocol::Xboard {
            // The list of variants in its features has been looked at.
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
        match self.think(&question, metronome) {
            Ok(Thought { mv: Some(mv), .. }) if position.is_legal(mv) => Ok(()),
            Ok(Thought { mv: Some(mv), .. }) => {
                no_xiangqi(coords::write_move(mv, self.spec.ranks).to_string(), WRONG_RANKS)
            }
            Ok(Thought { mv: None, .. }) => no_xiangqi("none".to_owned(), ""),
            Err(Fault::Illegal(text)) => no_xiangqi(text, WRONG_RANKS),
            Err(Fault::Crash(text)) => Err(StartError::Overwhelmed(text)),
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
