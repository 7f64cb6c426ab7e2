//! A conversation with xboard, which leaves the game to the engine.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chuhe_board::coords::{self, RankStyle};
use chuhe_board::{Move, Position, Side};
use chuhe_protocol::xboard::{self, Command, Feature, GameResult, Reply, Thinking};
use chuhe_referee::{Game, Referee};
use chuhe_search::{Answer, Clock, Event, Limits, Pool};

use crate::handicap::Handicap;
use crate::options::{Change, Options};
use crate::session::{random, score_of, speed};
use crate::thinker::{Manner, Thinker};
use crate::{NAME, Sink};

/// xboard counts the ranks of Xiangqi from 0.
const RANKS: RankStyle = RankStyle::FromZero;

pub(crate) struct XboardSession {
    sink: Sink,
    options: Options,
    thinker: Thinker,
    record: Arc<Mutex<Record>>,
    /// Which side the engine plays; none in force mode.
    plays: Option<Side>,
    analysing: bool,
    shows_thinking: bool,
    time: TimeControl,
}

/// The game so far. The search's thread adds the engine's own moves.
struct Record {
    start: Position,
    moves: Vec<Move>,
    /// The search that runs may no longer move.
    withdrawn: bool,
}

#[derive(Clone, Copy, Default)]
struct TimeControl {
    left: Option<Duration>,
    moves_per_session: u32,
    increment: Duration,
    per_move: Option<Duration>,
    depth: Option<u32>,
}

impl Record {
    const fn new(start: Position) -> Self {
        Self { start, moves: Vec::new(), withdrawn: false }
    }

    fn game(&self) -> Game {
        let mut game = Game::new(self.start.clone());
        for mv in &self.moves {
            game.play(*mv).expect("only legal moves are recorded");
        }
        game
    }
}

impl XboardSession {
    pub(crate) fn new(sink: Sink) -> Self {
        let options = Options::default();
        Self {
            sink,
            thinker: Thinker::new(Pool::new(options.threads, options.hash)),
            options,
            record: Arc::new(Mutex::new(Record::new(Position::start()))),
            plays: None,
            analysing: false,
            shows_thinking: false,
            time: TimeControl::default(),
        }
    }

    pub(crate) fn hear(&mut self, line: &str) -> ControlFlow<()> {
        match xboard::parse_command(line, RANKS) {
            Ok(Command::Quit) => {
                self.halt_silently();
                return ControlFlow::Break(());
            }
            Ok(command) => self.obey(command, line),
            Err(error) => {
                self.say(&Reply::Error { reason: error.to_string(), command: line.trim().to_owned() });
            }
        }
        ControlFlow::Continue(())
    }

    pub(crate) fn finish(&mut self) {
        self.thinker.finish();
    }

    fn obey(&mut self, command: Command, line: &str) {
        match command {
            Command::ProtocolVersion(_) => self.introduce(),
            Command::New => {
                self.set_board(Position::start());
                self.thinker.pool().forget();
                self.plays = Some(Side::Black);
                self.time.depth = None;
            }
            Command::Variant(name) if name != "xiangqi" => {
                let reason = "only xiangqi is played here".to_owned();
                self.say(&Reply::Error { reason, command: line.trim().to_owned() });
            }
            Command::Force | Command::Result { .. } => {
                self.halt_silently();
                self.plays = None;
            }
            Command::Go => {
                self.plays = Some(self.side_to_move());
                self.think();
            }
            Command::PlayOther => self.plays = Some(!self.side_to_move()),
            Command::UserMove(mv) => self.user_move(mv),
            Command::MoveNow => self.thinker.stop(),
            Command::Ping(number) => self.say(&Reply::Pong(number)),
            Command::SetBoard(position) => self.set_board(*position),
            Command::Undo => self.take_back(1),
            Command::Remove => self.take_back(2),
            Command::Post => self.shows_thinking = true,
            Command::NoPost => self.shows_thinking = false,
            Command::Analyze => {
                self.analysing = true;
                self.analyse();
            }
            Command::Exit => {
                self.analysing = false;
                self.halt_silently();
            }
            Command::Level { moves, base, increment } => {
                let depth = self.time.depth;
                self.time = TimeControl {
                    left: Some(base),
                    moves_per_session: moves,
                    increment,
                    per_move: None,
                    depth,
                };
            }
            Command::SecondsPerMove(seconds) => {
                self.time.per_move = Some(Duration::from_secs(seconds.into()));
            }
            Command::Depth(plies) => self.time.depth = Some(plies),
            Command::Time(left) => self.time.left = Some(left),
            Command::Memory(megabytes) => self.set_option("Hash", Some(&megabytes.max(1).to_string()), line),
            Command::Cores(threads) => self.set_option("Threads", Some(&threads.max(1).to_string()), line),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref(), line),
            Command::Hint
            | Command::StatusRequest
            | Command::Xboard
            | Command::Accepted(_)
            | Command::Rejected(_)
            | Command::Variant(_)
            | Command::DrawOffer
            | Command::Hard
            | Command::Easy
            | Command::NodesPerSecond(_)
            | Command::OpponentTime(_)
            | Command::Aside(_)
            | Command::Quit => {}
        }
    }

    fn introduce(&self) {
        let flags = ["ping", "setboard", "playother", "usermove", "memory", "smp", "analyze", "time"];
        let mut features = vec![Feature::text("myname", NAME), Feature::text("variants", "xiangqi")];
        features.extend(flags.map(|name| Feature::flag(name, true)));
        features.extend(
            ["sigint", "sigterm", "colors", "reuse"].map(|name| Feature::flag(name, name == "reuse")),
        );
        features.extend(
            Options::declarations()
                .into_iter()
                .filter(|option| !["Hash", "Threads", "Ponder", "Ranks"].contains(&option.name.as_str()))
                .filter(|option| !option.name.starts_with("UCI_V") && !option.name.starts_with("UCI_An"))
                .map(Feature::Option),
        );
        self.say(&Reply::Features(features));
        self.say(&Reply::Features(vec![Feature::flag("done", true)]));
    }

    fn set_option(&mut self, name: &str, value: Option<&str>, line: &str) {
        match self.options.set(name, value) {
            Ok(Change::Hash) => self.thinker.pool().set_table_size(self.options.hash),
            Ok(Change::Threads) => self.thinker.pool().set_threads(self.options.threads),
            Ok(Change::Clear) => self.thinker.pool().forget(),
            Ok(Change::Rules) => self.thinker.pool().set_referee(Referee::new(self.options.rules)),
            Ok(Change::Log(path)) => {
                if let Err(error) = self.sink.log_to(&path) {
                    self.say(&Reply::Error { reason: error.to_string(), command: line.trim().to_owned() });
                }
            }
            Ok(Change::None | Change::Param(..)) => {}
            Err(error) => {
                self.say(&Reply::Error { reason: error.to_string(), command: line.trim().to_owned() });
            }
        }
    }

    fn side_to_move(&self) -> Side {
        self.game().position().side_to_move()
    }

    fn game(&self) -> Game {
        self.record().game()
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_board(&mut self, start: Position) {
        self.halt_silently();
        *self.record() = Record::new(start);
        self.analyse();
    }

    fn take_back(&mut self, plies: usize) {
        self.halt_silently();
        {
            let mut record = self.record();
            let left = record.moves.len().saturating_sub(plies);
            record.moves.truncate(left);
        }
        self.analyse();
    }

    fn user_move(&mut self, mv: Move) {
        self.halt_silently();
        let position = self.game().position().clone();
        if !position.is_legal(mv) {
            let mv = coords::write_move(mv, RANKS).to_string();
            return self.say(&Reply::IllegalMove { reason: None, mv });
        }
        self.record().moves.push(mv);
        if self.analysing {
            self.analyse();
        } else if self.plays == Some(!position.side_to_move()) {
            self.think();
        }
    }

    /// Searches for the engine's move and plays it.
    fn think(&mut self) {
        self.halt_silently();
        let game = self.game();
        if !game.position().has_moves() {
            return self.say(&lost(game.position().side_to_move()));
        }
        let mut limits = self.limits(&game);
        let handicap = Handicap::of(&self.options);
        if let Some(handicap) = handicap {
            limits = handicap.hold_back(limits);
        }
        let record = Arc::clone(&self.record);
        let sink = self.sink.clone();
        let answer = move |answer: Answer| {
            let choice = handicap.map_or(0, |handicap| handicap.choose(&answer, random()));
            let Some(mv) = answer.lines.get(choice).and_then(|line| line.moves.first().copied()) else {
                return;
            };
            let mut record = record.lock().unwrap_or_else(PoisonError::into_inner);
            if record.withdrawn {
                return;
            }
            record.moves.push(mv);
            sink.say(xboard::write_reply(&Reply::Move(mv), RANKS));
            let position = record.game().position().clone();
            if !position.has_moves() {
                sink.say(xboard::write_reply(&lost(position.side_to_move()), RANKS));
            }
        };
        let tell = self.thinking();
        self.thinker.start(game, limits, Manner::default(), tell, answer);
    }

    /// Searches until told otherwise, without playing.
    fn analyse(&mut self) {
        if self.analysing {
            let tell = self.thinking();
            let manner = Manner { infinite: true, ponder: false };
            self.thinker.start(self.game(), Limits::default(), manner, tell, |_| {});
        }
    }

    fn thinking(&self) -> impl FnMut(Event) + Send + 'static + use<> {
        let shows = self.shows_thinking || self.analysing;
        let sink = self.sink.clone();
        move |event| {
            if let (true, Event::Line(line)) = (shows, event)
                && line.rank == 1
            {
                let thinking = Thinking {
                    depth: line.depth,
                    score: score_of(line.score, line.bound),
                    time: line.time,
                    nodes: line.nodes,
                    selective_depth: Some(line.selective_depth),
                    nps: Some(speed(line.nodes, line.time)),
                    pv: xboard::write_pv(&line.moves, RANKS),
                };
                sink.say(xboard::write_reply(&Reply::Thinking(thinking), RANKS));
            }
        }
    }

    fn limits(&self, game: &Game) -> Limits {
        let played = u32::from(game.position().round()) - 1;
        let moves_to_go = (self.time.moves_per_session > 0)
            .then(|| self.time.moves_per_session - played % self.time.moves_per_session);
        let clock = self.time.left.map(|left| Clock { left, increment: self.time.increment, moves_to_go });
        Limits {
            depth: self.time.depth,
            movetime: self.time.per_move,
            clock: clock.filter(|_| self.time.per_move.is_none()),
            overhead: self.options.overhead,
            ..Limits::default()
        }
    }

    /// Ends a search without letting it move.
    fn halt_silently(&mut self) {
        self.record().withdrawn = true;
        self.thinker.halt();
        self.record().withdrawn = false;
    }

    fn say(&self, reply: &Reply) {
        self.sink.say(xboard::write_reply(reply, RANKS));
    }
}

fn lost(side: Side) -> Reply {
    let (result, winner) = match side {
        Side::Red => (GameResult::BlackWins, "Black"),
        Side::Black => (GameResult::RedWins, "Red"),
    };
    Reply::Result { result, comment: format!("{winner} wins: {side} has no move") }
}
