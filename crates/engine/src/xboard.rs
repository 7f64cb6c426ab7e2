//! A session in the xboard protocol (CECP): the engine keeps the game.

mod mover;
mod record;
mod time;

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chuhe_board::coords::{self, RankStyle};
use chuhe_board::{Move, Outcome, Position, Side};
use chuhe_protocol::Protocol;
use chuhe_protocol::xboard::{self, Command, Feature, Reply, Thinking};
use chuhe_referee::Game;
use chuhe_search::{Answer, Event, Limits};

use crate::learning::LastResult;
use crate::opening_book::OpeningBook;
use crate::options::Options;
use crate::report::{nodes_per_second, protocol_score};
use crate::search_request::{SearchMode, SearchRequest};
use crate::{NAME, Output, SearchThread, Searcher, settings};
use mover::Mover;
use record::Record;

/// xboard counts the ranks of Xiangqi from 0.
const RANKS: RankStyle = RankStyle::FromZero;
/// The nodes of a search for a hint.
const HINT_NODES: u64 = 100_000;

pub(crate) struct XboardSession {
    output: Output,
    options: Options,
    search: SearchThread,
    book: OpeningBook,
    record: Arc<Mutex<Record>>,
    /// Which side the engine plays; none in force mode.
    plays: Option<Side>,
    analysing: bool,
    shows_thinking: bool,
}

impl XboardSession {
    pub(crate) fn new(output: Output, searcher: Box<dyn Searcher>) -> Self {
        Self {
            output,
            search: SearchThread::new(searcher),
            options: Options::default(),
            book: OpeningBook::embedded(),
            record: Arc::new(Mutex::new(Record::new(Position::start()))),
            plays: None,
            analysing: false,
            shows_thinking: false,
        }
    }

    /// Searches for one slice. Returns whether more slices follow.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn step(&mut self) -> bool {
        self.search.step()
    }

    pub(crate) fn handle_line(&mut self, line: &str) -> ControlFlow<()> {
        match xboard::parse_command(line, RANKS) {
            Ok(Command::Quit) => {
                self.abort_search();
                self.end_game(None);
                return ControlFlow::Break(());
            }
            Ok(command) => self.execute(command, line),
            Err(error) => {
                self.send(&Reply::Error { reason: error.to_string(), command: line.trim().to_owned() });
            }
        }
        ControlFlow::Continue(())
    }

    pub(crate) fn finish(&mut self) {
        self.search.finish();
        self.end_game(None);
    }

    /// The game is over; xboard usually reports the result.
    fn end_game(&mut self, reported: Option<Outcome>) {
        let game = self.game();
        self.book.game.update(&game);
        if let Err(error) = self.book.end_game(reported, &self.options) {
            self.send(&Reply::TellUser(error.to_string()));
        }
    }

    fn execute(&mut self, command: Command, line: &str) {
        match command {
            Command::ProtocolVersion(_) => self.handshake(),
            Command::New => {
                self.abort_search();
                self.end_game(None);
                self.search.searcher().forget();
                self.set_board(Position::start());
                self.plays = Some(Side::Black);
                self.record().time.depth = None;
            }
            Command::Variant(name) if name != "xiangqi" => {
                let reason = "only xiangqi is supported".to_owned();
                self.send(&Reply::Error { reason, command: line.trim().to_owned() });
            }
            Command::Force => {
                self.abort_search();
                self.plays = None;
            }
            Command::Result { result, .. } => {
                self.abort_search();
                self.plays = None;
                self.end_game(Some(result));
            }
            Command::Go => {
                self.plays = Some(self.side_to_move());
                self.search_move();
            }
            Command::PlayOther => {
                self.abort_search();
                self.plays = Some(!self.side_to_move());
            }
            Command::UserMove(mv) => self.user_move(mv),
            Command::MoveNow => self.move_now(),
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
                self.abort_search();
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

    fn handshake(&self) {
        let flags = ["ping", "setboard", "playother", "usermove", "memory", "smp", "analyze", "time"];
        let mut features = vec![Feature::text("myname", NAME), Feature::text("variants", "xiangqi")];
        features.extend(flags.map(|name| Feature::flag(name, true)));
        features.extend(
            ["sigint", "sigterm", "colors", "reuse"].map(|name| Feature::flag(name, name == "reuse")),
        );
        features.extend(Options::declarations(Protocol::Xboard).map(Feature::Option));
        self.send(&Reply::Features(features));
        self.send(&Reply::Features(vec![Feature::flag("done", true)]));
    }

    fn set_option(&mut self, name: &str, value: Option<&str>, line: &str) {
        if let Err(error) =
            settings::set(&mut self.options, name, value, &mut self.search, &mut self.book, &self.output)
        {
            self.send(&Reply::Error { reason: error.to_string(), command: line.trim().to_owned() });
        }
    }

    /// Answers immediately, or after the move if the engine is to move.
    fn ping(&self, number: u64) {
        let mut record = self.record();
        if record.thinking {
            record.pings.push(number);
        } else {
            self.send(&Reply::Pong(number));
        }
    }

    /// Accepts a draw by the last score; during a search the offer waits for its result.
    fn consider_draw(&self) {
        let mut record = self.record();
        if record.thinking {
            record.draw_offered = true;
        } else if record.welcomes_draw() {
            self.send(&Reply::OfferDraw);
        }
    }

    /// Sends a hint: the move the engine expects, or the result of a short search.
    fn hint(&mut self) {
        if self.analysing || self.record().thinking {
            return;
        }
        if let Some(expected) = self.record().expected {
            return self.send(&Reply::Hint(expected));
        }
        let record = Arc::clone(&self.record);
        let output = self.output.clone();
        let on_answer = move |answer: Answer| {
            let withdrawn = record.lock().unwrap_or_else(PoisonError::into_inner).withdrawn;
            if let (Some(mv), false) = (answer.best, withdrawn) {
                output.send(xboard::write_reply(&Reply::Hint(mv), RANKS));
            }
        };
        self.search.start(self.game(), Limits::nodes(HINT_NODES), SearchMode::default(), |_| {}, on_answer);
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
        self.abort_search();
        self.record().restart(start);
        self.analyse();
    }

    fn take_back(&mut self, plies: usize) {
        self.abort_search();
        self.record().take_back(plies);
        self.analyse();
    }

    fn user_move(&mut self, mv: Move) {
        if self.is_expected(mv) {
            return self.search.ponder_hit();
        }
        self.abort_search();
        let position = self.game().position().clone();
        if !position.is_legal(mv) {
            let mv = coords::write_move(mv, RANKS).to_string();
            return self.send(&Reply::IllegalMove { reason: None, mv });
        }
        self.record().moves.push(mv);
        if self.analysing {
            self.analyse();
        } else if self.plays == Some(!position.side_to_move()) {
            self.search_move();
        }
    }

    /// Whether this is the move the engine ponders on. If so, plays it: the engine must reply.
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

    /// Makes the engine move immediately if it is to move.
    fn move_now(&self) {
        let due = self.record().thinking;
        if due {
            self.search.stop();
        }
    }

    fn stop_pondering(&mut self) {
        self.record().ponders = false;
        let pondering = self.record().expected.is_some();
        if pondering {
            self.abort_search();
        }
    }

    /// Searches for the engine's move and plays it.
    fn search_move(&mut self) {
        self.abort_search();
        let game = self.game();
        if !game.position().has_moves() {
            return self.send(&record::lost(game.position().side_to_move()));
        }
        let mut limits = self.record().limits(self.options.overhead);
        limits = self.book.narrowed(limits, &game, &self.options);
        let handicap = self.options.handicap();
        if let Some(handicap) = handicap {
            limits = handicap.hold_back(limits);
        }
        let mover = Mover {
            record: Arc::clone(&self.record),
            output: self.output.clone(),
            handicap,
            overhead: self.options.overhead,
        };
        self.book.game.engine_to_move(&game, LastResult::default());
        self.record().begin_turn();
        let request = SearchRequest { game, limits, mode: SearchMode::default() };
        let on_event = self.thinking_output();
        self.search.start_chain(request, on_event, move |answer| mover.on_answer(&answer));
    }

    /// Searches until further notice, without playing.
    fn analyse(&mut self) {
        if self.analysing {
            let mode = SearchMode { infinite: true, ..SearchMode::default() };
            let on_event = self.thinking_output();
            self.search.start(self.game(), Limits::default(), mode, on_event, |_| {});
        }
    }

    /// Sends xboard's thinking output for the lines of a search, if it is on.
    fn thinking_output(&self) -> impl FnMut(Event) + Send + 'static + use<> {
        let shows = self.shows_thinking || self.analysing;
        let output = self.output.clone();
        move |event| {
            if let (true, Event::Line(line)) = (shows, event)
                && line.rank == 1
            {
                let thinking = Thinking {
                    depth: line.depth,
                    score: protocol_score(line.score, line.bound),
                    time: line.time,
                    nodes: line.nodes,
                    selective_depth: Some(line.selective_depth),
                    nps: Some(nodes_per_second(line.nodes, line.time)),
                    pv: xboard::write_pv(&line.moves, RANKS),
                };
                output.send(xboard::write_reply(&Reply::Thinking(thinking), RANKS));
            }
        }
    }

    /// Stops the search and discards its move.
    fn abort_search(&mut self) {
        self.record().withdrawn = true;
        self.search.halt();
        self.record().withdrawn = false;
    }

    fn send(&self, reply: &Reply) {
        self.output.send(xboard::write_reply(reply, RANKS));
    }
}
