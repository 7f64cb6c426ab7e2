//! The xboard (CECP) client. The engine keeps the game: it gets each move as it is played and stays in force mode
//! between its turns.

use std::time::{Duration, Instant};

use chuhe_board::coords::RankStyle;
use chuhe_board::{Outcome, Position, Side};
use chuhe_protocol::xboard::{self, Command, Feature, Reply};
use chuhe_protocol::{Protocol, ReplyError};

use super::{Answer, Progress, ProtocolClient, Question, StartError, without_counters};
use crate::EngineSpec;
use crate::process::{Process, ReadError};

/// Engines of protocol version 1 never send their features.
const FEATURES: Duration = Duration::from_secs(2);
/// The timeout of engines that ask for a long start-up with `done=0`.
const LONG_START: Duration = Duration::from_secs(60);

/// Drives an engine over xboard's protocol.
#[derive(Default)]
pub(super) struct XboardClient {
    ping: bool,
    pings: u64,
    setboard: bool,
    usermove: bool,
    variants: Option<String>,
    /// How many moves of the line the engine has.
    sent: usize,
    /// It thinks the game is over and would reject further moves, so it needs the position again: only we
    /// adjudicate.
    over: bool,
    /// Whose move it was last asked for.
    asked_for: Option<Side>,
}

impl XboardClient {
    fn send(&self, process: &mut Process, ranks: RankStyle, command: &Command) -> Result<(), ReadError> {
        process.send(&xboard::write_command(command, ranks, self.usermove))
    }

    /// Notes the features in a line; true when the engine says that these are all.
    fn note_features(&mut self, features: &[Feature], deadline: &mut Instant) -> bool {
        let mut done = false;
        for feature in features {
            match feature {
                Feature::Number(name, value) => {
                    let on = *value == 1;
                    match name.as_str() {
                        "ping" => self.ping = on,
                        "setboard" => self.setboard = on,
                        "usermove" => self.usermove = on,
                        "done" if on => done = true,
                        "done" => *deadline = Instant::now() + LONG_START,
                        _ => {}
                    }
                }
                Feature::Text(name, text) if name == "variants" => self.variants = Some(text.clone()),
                _ => {}
            }
        }
        done
    }

    /// Waits with `ping` until the engine has handled everything sent so far; notes if it thinks the game is over.
    fn synchronise(&mut self, process: &mut Process, spec: &EngineSpec) -> Result<(), ReadError> {
        if !self.ping {
            return Ok(());
        }
        self.pings += 1;
        self.send(process, spec.ranks, &Command::Ping(self.pings))?;
        let deadline = Instant::now() + spec.patience;
        loop {
            match xboard::parse_reply(&process.receive(deadline)?.line, spec.ranks) {
                Ok(Reply::Pong(number)) if number == self.pings => return Ok(()),
                Ok(Reply::Result { .. }) => self.over = self.setboard,
                _ => {}
            }
        }
    }

    fn shake_hands(&mut self, process: &mut Process, spec: &EngineSpec) -> Result<(), ReadError> {
        self.send(process, spec.ranks, &Command::Xboard)?;
        self.send(process, spec.ranks, &Command::ProtocolVersion(2))?;
        let mut deadline = Instant::now() + FEATURES;
        loop {
            let received = match process.receive(deadline) {
                Ok(received) => received,
                Err(ReadError::Timeout) => return Ok(()),
                Err(ReadError::Closed) => return Err(ReadError::Closed),
            };
            if let Ok(Reply::Features(features)) = xboard::parse_reply(&received.line, spec.ranks)
                && self.note_features(&features, &mut deadline)
            {
                return Ok(());
            }
        }
    }

    fn settings(&mut self, process: &mut Process, spec: &EngineSpec) -> Result<(), ReadError> {
        for (name, value) in &spec.options {
            let setting = Command::SetOption { name: name.clone(), value: Some(value.clone()) };
            self.send(process, spec.ranks, &setting)?;
        }
        for line in &spec.init {
            process.send(line)?;
        }
        self.synchronise(process, spec)
    }
}

impl ProtocolClient for XboardClient {
    fn handshake(&mut self, process: &mut Process, spec: &EngineSpec) -> Result<Vec<String>, StartError> {
        if spec.limits.nodes.is_some() {
            return Err(StartError::Limit { protocol: Protocol::Xboard, limit: "a number of nodes" });
        }
        let spoken = self.shake_hands(process, spec).and_then(|()| self.settings(process, spec));
        match spoken {
            Err(ReadError::Closed) => return Err(StartError::Ended(process.exit_description())),
            Err(ReadError::Timeout) => {
                let (protocol, waited) = (Protocol::Xboard, spec.patience);
                return Err(StartError::NoHandshake { expected: "pong", protocol, waited });
            }
            Ok(()) => {}
        }
        match &self.variants {
            Some(variants) if !variants.split(',').any(|variant| variant.trim() == "xiangqi") => {
                Err(StartError::Variant(variants.clone()))
            }
            Some(_) => Ok(Vec::new()),
            None => Ok(vec!["it does not list its variants; assuming xiangqi".to_owned()]),
        }
    }

    fn new_game(
        &mut self,
        process: &mut Process,
        spec: &EngineSpec,
        start: &Position,
    ) -> Result<(), ReadError> {
        let ranks = spec.ranks;
        self.send(process, ranks, &Command::New)?;
        self.send(process, ranks, &Command::Variant("xiangqi".to_owned()))?;
        self.send(process, ranks, &Command::Force)?;
        self.send(process, ranks, &Command::Easy)?;
        self.send(process, ranks, &Command::Post)?;
        (self.sent, self.over) = (0, false);
        if *start != Position::start() {
            self.send(process, ranks, &Command::SetBoard(Box::new(start.clone())))?;
        }
        if let Some(depth) = spec.limits.depth {
            self.send(process, ranks, &Command::Depth(depth))?;
        }
        if let Some(clock) = spec.limits.clock {
            let moves = clock.moves.unwrap_or(0);
            let base = Duration::from_secs_f64(clock.base.as_secs_f64().ceil());
            self.send(process, ranks, &Command::Level { moves, base, increment: clock.increment })?;
        } else if let Some(seconds) = whole_seconds(spec.limits.move_time) {
            self.send(process, ranks, &Command::SecondsPerMove(seconds))?;
        }
        self.synchronise(process, spec)
    }

    fn start_search(
        &mut self,
        process: &mut Process,
        spec: &EngineSpec,
        question: &Question<'_>,
    ) -> Result<(), ReadError> {
        let side = question.position.side_to_move();
        let moves = &question.line.moves;
        match moves.get(self.sent..) {
            Some(news) if !self.over => {
                for mv in news {
                    self.send(process, spec.ranks, &Command::UserMove(*mv))?;
                }
                self.sent = moves.len();
            }
            // The line was cut or cannot be continued: ask about the bare position.
            _ => {
                let bare = Box::new(without_counters(question.position));
                self.send(process, spec.ranks, &Command::SetBoard(bare))?;
                self.sent = self.sent.max(moves.len());
            }
        }
        self.over = false;
        self.asked_for = Some(side);
        let mut clocks = [question.own_clock(), question.clocks[side.opponent().index()]]
            .map(|clock| clock.and_then(|clock| clock.left));
        if let Some(time) = question.limits.move_time
            && whole_seconds(Some(time)).is_none()
        {
            let clock = time.mul_f64(spec.time_factor);
            let base = Duration::from_secs_f64(clock.as_secs_f64().ceil());
            self.send(process, spec.ranks, &Command::Level { moves: 0, base, increment: Duration::ZERO })?;
            clocks = [Some(clock), Some(clock)];
        }
        if let Some(own) = clocks[0] {
            self.send(process, spec.ranks, &Command::Time(own.max(SHORTEST)))?;
            self.send(process, spec.ranks, &Command::OpponentTime(clocks[1].unwrap_or(own).max(SHORTEST)))?;
        }
        self.send(process, spec.ranks, &Command::Go)
    }

    fn parse_answer(&mut self, ranks: RankStyle, line: &str, progress: &mut Progress) -> Option<Answer> {
        match xboard::parse_reply(line, ranks) {
            Ok(Reply::Thinking(thinking)) => {
                *progress = Progress {
                    depth: Some(thinking.depth),
                    score: Some(thinking.score),
                    nodes: Some(thinking.nodes),
                };
                None
            }
            Ok(Reply::Move(mv)) => {
                self.sent += 1;
                Some(Answer::Move(mv))
            }
            Ok(Reply::Resign) => Some(Answer::Resign),
            Ok(Reply::Result { result, .. }) => {
                let lost = match self.asked_for {
                    Some(Side::Red) => Outcome::BlackWins,
                    _ => Outcome::RedWins,
                };
                Some(if result == lost { Answer::Resign } else { Answer::NoMove })
            }
            Ok(Reply::IllegalMove { mv, .. }) => {
                Some(Answer::Refusal(format!("rejects the legal move {mv}")))
            }
            Err(ReplyError::Move(error)) => Some(Answer::Unreadable(error.to_string())),
            _ => None,
        }
    }

    fn sets_up_positions(&self) -> bool {
        self.setboard
    }

    fn end_turn(&mut self, process: &mut Process, spec: &EngineSpec) -> Result<(), ReadError> {
        self.send(process, spec.ranks, &Command::Force)?;
        self.synchronise(process, spec)
    }

    fn stop(&mut self, process: &mut Process) -> Result<(), ReadError> {
        self.send(process, RankStyle::FromZero, &Command::MoveNow)
    }
}

/// The least time ever sent: some engines take zero for "no limit".
const SHORTEST: Duration = Duration::from_millis(10);

/// The time as xboard's `st` can express it.
fn whole_seconds(time: Option<Duration>) -> Option<u32> {
    time.filter(|time| time.subsec_nanos() == 0 && !time.is_zero())
        .and_then(|time| u32::try_from(time.as_secs()).ok())
}
