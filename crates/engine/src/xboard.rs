//! A conversation with xboard, which leaves the game to the engine.

mod mover;
mod record;
mod time;

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chuhe_board::coords::{self, RankStyle};
use chuhe_board::{Move, Outcome, Position, Side};
use chuhe_protocol::xboard::{self, Command, Feature, Reply, Thinking};
use chuhe_referee::Game;
use chuhe_search::{Answer, Event, Limits};

use crate::learning::Found;
use crate::opening_book::OpeningBook;
use crate::options::Options;
use crate::session::{score_of, speed};
use crate::thinker::{Manner, Task, Thinker};
use crate::{NAME, Searcher, Sink, settings};
use mover::Mover;
use record::Record;

/// xboard counts the ranks of Xiangqi from 0.
const RANKS: RankStyle = RankStyle::FromZero;
/// Positions looked at for a hint.
const HINT_NODES: u64 = 100_000;

pub(crate) struct XboardSession {
    sink: Sink,
    options: Options,
    thinker: Thinker,
    book: OpeningBook,
    record: Arc<Mutex<Record>>,
    /// Which side the engine plays; none in force mode.
    plays: Option<Side>,
    analysing: bool,
    shows_thinking: bool,
}

impl XboardSession {
    pub(crate) fn new(sink: Sink, searcher: Box<dyn Searcher>) -> Self {
        Self {
            sink,
            thinker: Thinker::new(searcher),
            options: Options::default(),
            book: OpeningBook::embedded(),
            record: Arc::new(Mutex::new(Record::new(Position::start()))),
            plays: None,
            analysing: false,
            shows_thinking: false,
        }
    }

    pub(crate) fn hear(&mut self, line: &str) -> ControlFlow<()> {
        match xboard::parse_command(line, RANKS) {
            Ok(Command::Quit) => {
                self.halt_silently();
                self.end_game(None);
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
        self.end_game(None);
    }

    /// The game that was played is over; xboard usually tells how it ended.
    fn end_game(&mut self, told: Option<Outcome>) {
        let game = self.game();
        self.book.game.saw(&game);
        if let Err(error) = self.book.end_game(told, &self.options) {
            self.say(&Reply::TellUser(error.to_string()));
        }
    }

    fn obey(&mut self, command: Command, line: &str) {
        match command {
            Command::ProtocolVersion(_) => self.introduce(),
            Command::New => {
                self.halt_silently();
                self.end_game(None);
                self.thinker.searcher().forget();
                self.set_board(Position::start());
                self.plays = Some(Side::Black);
                self.record().time.depth = None;
            }
            Command::Variant(name) if name != "xiangqi" => {
                let reason = "only xiangqi is played here".to_owned();
                self.say(&Reply::Error { reason, command: line.trim().to_owned() });
            }
            Command::Force => {
                self.halt_silently();
                self.plays = None;
            }
            Command::Result { result, .. } => {
                self.halt_silently();
                self.plays = None;
                self.end_game(Some(result));
            }
            Command::Go => {
                self.plays = Some(self.side_to_move());
                self.think();
            }
            Command::PlayOther => {
                self.halt_silently();
                self.plays = Some(!self.side_to_move());
            }
            Command::UserMove(mv) => self.user_move(mv),
            Command::MoveNow => self.hurry(),
            Command::Ping(number) => self.ping(number),
            Command::DrawOffer => self.consider_draw(),
            Command::Hint => self.hint(),
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
                self.record().time.set_level(moves, base, increment);
            }
            Command::SecondsPerMove(seconds) => {
                self.record().time.per_move = Some(Duration::from_secs(seconds.into()));
            }
            Command::Depth(plies) => self.record().time.depth = Some(plies),
            Command::Time(left) => self.record().time.left = Some(left),
            Command::Hard => self.record().ponders = true,
            Command::Easy => self.stop_pondering(),
            Command::Memory(megabytes) => self.set_option("Hash", Some(&megabytes.max(1).to_string()), line),
            Command::Cores(threads) => self.set_option("Threads", Some(&threads.max(1).to_string()), line),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref(), line),
            Command::StatusRequest
            | Command::Xboard
            | Command::Accepted(_)
            | Command::Rejected(_)
            | Command::Variant(_)
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
        if let Err(error) =
            settings::set(&mut self.options, name, value, &mut self.thinker, &mut self.book, &self.sink)
        {
            self.say(&Reply::Error { reason: error.to_string(), command: line.trim().to_owned() });
        }
    }

    /// Answers at once unless the engine is to move: then the move comes first.
    fn ping(&self, number: u64) {
        let mut record = self.record();
        if record.thinking {
            record.pings.push(number);
        } else {
            self.say(&Reply::Pong(number));
        }
    }

    /// Takes a draw if it is welcome; while the engine thinks, the offer waits for what it finds.
    fn consider_draw(&self) {
        let mut record = self.record();
        if record.thinking {
            record.draw_offered = true;
        } else if record.welcomes_draw() {
            self.say(&Reply::OfferDraw);
        }
    }

    /// Tells a good move for the side to move: the one the engine expects, or that of a short search.
    fn hint(&mut self) {
        if self.analysing || self.record().thinking {
            return;
        }
        if let Some(expected) = self.record().expected {
            return self.say(&Reply::Hint(expected));
        }
        let record = Arc::clone(&self.record);
        let sink = self.sink.clone();
        let answer = move |answer: Answer| {
            let withdrawn = record.lock().unwrap_or_else(PoisonError::into_inner).withdrawn;
            if let (Some(mv), false) = (answer.best, withdrawn) {
                sink.say(xboard::write_reply(&Reply::Hint(mv), RANKS));
            }
        };
        self.thinker.start(self.game(), Limits::nodes(HINT_NODES), Manner::default(), |_| {}, answer);
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
        self.record().restart(start);
        self.analyse();
    }

    fn take_back(&mut self, plies: usize) {
        self.halt_silently();
        self.record().take_back(plies);
        self.analyse();
    }

    fn user_move(&mut self, mv: Move) {
        if self.is_expected(mv) {
            return self.thinker.ponder_hit();
        }
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

    /// Whether the engine has been thinking about the answer to this move, which it then owes.
    fn is_expected(&self, mv: Move) -> bool {
        let mut record = self.record();
        let expected = record.expected == Some(mv);
        if expected {
            record.expected = None;
            record.moves.push(mv);
            record.begin_turn();
        }
        expected
    }

    /// Makes the engine move at once if it is to move.
    fn hurry(&self) {
        let due = self.record().thinking;
        if due {
            self.thinker.stop();
        }
    }

    fn stop_pondering(&mut self) {
        self.record().ponders = false;
        let pondering = self.record().expected.is_some();
        if pondering {
            self.halt_silently();
        }
    }

    /// Searches for the engine's move and plays it.
    fn think(&mut self) {
        self.halt_silently();
        let game = self.game();
        if !game.position().has_moves() {
            return self.say(&record::lost(game.position().side_to_move()));
        }
        let mut limits = self.record().limits(self.options.overhead);
        limits = self.book.narrowed(limits, &game, &self.options);
        let handicap = self.options.handicap();
        if let Some(handicap) = handicap {
            limits = handicap.hold_back(limits);
        }
        let mover = Mover {
            record: Arc::clone(&self.record),
            sink: self.sink.clone(),
            handicap,
            overhead: self.options.overhead,
        };
        self.book.game.plays(&game, Found::default());
        self.record().begin_turn();
        let task = Task { game, limits, manner: Manner::default() };
        let tell = self.thinking();
        self.thinker.start_chain(task, tell, move |found| mover.answer(&found));
    }

    /// Searches until told otherwise, without playing.
    fn analyse(&mut self) {
        if self.analysing {
            let tell = self.thinking();
            let manner = Manner { infinite: true, ..Manner::default() };
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
