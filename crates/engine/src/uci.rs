//! A session in UCI or UCCI: the GUI keeps the game and sends it before each search.

mod connection;
mod display;
mod position;
mod replies;
mod tools;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};

use chuhe_adapters::endgames::extend_pv;
use chuhe_board::coords::{self, Coords};
use chuhe_board::{Move, Position};
use chuhe_eval::classical::Phase;
use chuhe_protocol::{Command, Go, IdField, Line, Reply, is_position_line, ucci};
use chuhe_referee::Game;
use chuhe_search::{Answer, Clock, Event, Limits};

use crate::lag::{Lag, Meant};
use crate::learning::LastResult;
use crate::opening_book::OpeningBook;
use crate::options::{Affects, Options};
use crate::search_request::SearchMode;
use crate::{AUTHOR, NAME, Output, SearchThread, Searcher, settings};
use connection::Connection;
pub(crate) use connection::Dialect;

pub(crate) struct UciSession {
    connection: Connection,
    options: Options,
    game: Game,
    /// The last `position` was rejected: no search until a valid one comes.
    is_rejected: bool,
    /// An infinite or ponder search was declined and must still be answered.
    owes_answer: bool,
    /// UCCI: moves that the next search must not choose.
    banned: Vec<Move>,
    /// UCCI: whether the running search may answer with a draw.
    draw_offered: Arc<AtomicBool>,
    search: SearchThread,
    book: OpeningBook,
    /// The result of the ponder search, once it has one.
    pondered: Option<LastResult>,
    lag: Lag,
}

impl UciSession {
    pub(crate) fn new(dialect: Dialect, output: Output, searcher: Box<dyn Searcher>) -> Self {
        Self {
            options: Options::of(dialect.protocol()),
            connection: Connection::new(dialect, output),
            search: SearchThread::new(searcher),
            game: Game::new(Position::start()),
            is_rejected: false,
            owes_answer: false,
            banned: Vec::new(),
            draw_offered: Arc::default(),
            book: OpeningBook::embedded(),
            pondered: None,
            lag: Lag::default(),
        }
    }

    pub(crate) fn handle_line(&mut self, line: &str) -> ControlFlow<()> {
        if is_position_line(line) {
            self.set_position(line);
            return ControlFlow::Continue(());
        }
        match self.connection.parse(line) {
            Ok(Command::Quit) => {
                self.search.halt();
                self.send_owed_answer();
                self.end_game();
                self.connection.send(&Reply::Bye);
                return ControlFlow::Break(());
            }
            Ok(command) => self.execute(command),
            Err(error) => self.connection.send_message(error),
        }
        ControlFlow::Continue(())
    }

    /// Searches for one slice. Returns whether more slices follow.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn step(&mut self) -> bool {
        self.search.step()
    }

    /// Ends the session at the end of input.
    pub(crate) fn finish(&mut self) {
        self.search.finish();
        self.end_game();
    }

    fn execute(&mut self, command: Command) {
        match command {
            Command::Handshake => self.handshake(),
            Command::IsReady => self.connection.send(&Reply::ReadyOk),
            Command::Debug(_) => {}
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => {
                self.search.searcher().forget();
                self.end_game();
            }
            Command::BanMoves(moves) => self.banned = self.legal_moves(moves, "banmoves"),
            Command::Go(go) => self.go(go),
            Command::Stop => {
                self.send_owed_answer();
                self.search.stop();
            }
            Command::PonderHit { draw_offered } => self.ponder_hit(draw_offered),
            Command::Probe(line) => self.probe(line),
            Command::Tool(tool) => self.run_tool(&tool),
            // Handled before.
            Command::Position(_) | Command::Quit => {}
        }
    }

    fn handshake(&mut self) {
        for (field, text) in [(IdField::Name, NAME), (IdField::Author, AUTHOR)] {
            self.connection.send(&Reply::Id { field, text: text.to_owned() });
        }
        for declaration in Options::declarations(self.connection.dialect.protocol()) {
            self.connection.send(&Reply::Option(declaration));
        }
        self.connection.send(&Reply::Ok);
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let output = self.connection.output().clone();
        match settings::set(&mut self.options, name, value, &mut self.search, &mut self.book, &output) {
            Ok(Affects::Ranks) => self.connection.ranks = self.options.ranks,
            Ok(_) => {}
            Err(error) => self.connection.send_message(error),
        }
    }

    /// The game is over; UCI and UCCI do not report results.
    fn end_game(&mut self) {
        if let Err(error) = self.book.end_game(None, &self.options) {
            self.connection.send_message(error);
        }
    }

    /// The move in the GUI's rank style.
    fn written(&self, mv: Move) -> Coords {
        coords::write_move(mv, self.connection.ranks)
    }

    /// The legal ones of these moves; reports the others.
    fn legal_moves(&self, moves: Vec<Move>, command: &str) -> Vec<Move> {
        let (legal, illegal): (Vec<_>, Vec<_>) =
            moves.into_iter().partition(|mv| self.game.position().is_legal(*mv));
        for mv in illegal {
            self.connection.send_message(format!("{command}: {} is not legal here", self.written(mv)));
        }
        legal
    }

    fn go(&mut self, mut go: Go) {
        self.send_owed_answer();
        if self.is_rejected {
            return self.decline_search(&go);
        }
        if !self.options.milliseconds {
            go = ucci::in_seconds(go);
        }
        self.search.halt();
        go.search_moves = self.legal_moves(go.search_moves, "searchmoves");
        let mut limits = self.limits(&go);
        let meant = self.lag.on_go(self.game.history().len(), limits.clock.filter(|_| !go.ponder));
        limits.overhead = limits.overhead.max(self.lag.longest());
        let endless = is_endless(&limits);
        let infinite = go.infinite || endless && limits.mate.is_none();
        let mode = SearchMode { infinite, ponder: go.ponder, endless };
        if !infinite && !go.ponder {
            limits = self.book.narrowed(limits, &self.game, &self.options);
        }
        if let Some(handicap) = self.options.handicap() {
            limits = handicap.hold_back(limits);
        }
        let last = LastResult::default();
        self.pondered = go.ponder.then(|| Arc::clone(&last));
        if !infinite && !go.ponder {
            self.book.game.engine_to_move(&self.game, Arc::clone(&last));
        }
        self.draw_offered = Arc::new(AtomicBool::new(go.draw_offered));
        self.start_search(limits, mode, last, meant);
    }

    /// Starts the search; its result goes to the GUI and to `last`, the time it meant to spend to `meant`.
    fn start_search(&mut self, limits: Limits, mode: SearchMode, last: LastResult, meant: Meant) {
        let (show_wdl, multi_pv) = (self.options.show_wdl, self.options.lines);
        let handicap = self.options.handicap();
        let draw_offered = Arc::clone(&self.draw_offered);
        let position = self.game.position().clone();
        let phase = Phase::of(&position);
        let endgames = self.search.pool().endgames();
        let root = position.clone();
        if let Some(known) = endgames.as_ref().and_then(|endgames| endgames.described(&root)) {
            self.connection.send_message(known);
        }
        let connection = self.connection.clone();
        let on_event = move |mut event| {
            if let (Event::Line(line), Some(endgames)) = (&mut event, &endgames)
                && line.score.mate_in().is_some()
            {
                extend_pv(&root, &mut line.moves, &**endgames);
            }
            if let Some(info) = replies::info(event, phase, show_wdl, multi_pv) {
                connection.send(&Reply::Info(info));
            }
        };
        let connection = self.connection.clone();
        let on_answer = move |answer: Answer| {
            meant.answered(&answer);
            let offered = draw_offered.load(Ordering::Relaxed).then_some(&position);
            let (reply, line) = replies::best_move(&answer, handicap, offered);
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            *last = line.and_then(|line| Some((*line.moves.first()?, line.score)));
            connection.send(&reply);
        };
        self.search.start(self.game.clone(), limits, mode, on_event, on_answer);
    }

    fn ponder_hit(&mut self, draw_offered: bool) {
        self.send_owed_answer();
        self.draw_offered.fetch_or(draw_offered, Ordering::Relaxed);
        if let Some(last) = self.pondered.take() {
            self.book.game.engine_to_move(&self.game, last);
        }
        self.search.ponder_hit();
    }

    fn limits(&self, go: &Go) -> Limits {
        let side = self.game.position().side_to_move();
        let clock = go.clocks.map(|clocks| clocks.of(side, side)).and_then(|clock| {
            Some(Clock {
                left: clock.left?,
                increment: clock.increment,
                moves_to_go: clock.moves_to_go.filter(|moves| *moves > 0),
            })
        });
        Limits {
            depth: go.depth,
            nodes: go.nodes,
            movetime: go.move_time,
            mate: go.mate,
            clock,
            only: go.search_moves.clone(),
            banned: self.banned.clone(),
            lines: self.options.lines,
            overhead: self.options.overhead,
            started: None,
            nodes_per_millisecond: Some(self.options.nodes_time).filter(|nodes| *nodes > 0),
        }
    }

    fn probe(&mut self, line: Line) {
        match self.game_of(line) {
            Ok(game) => {
                let entry = self.search.pool().probe_tt(game.position());
                self.connection.send(&replies::pop_hash(entry));
            }
            Err(error) => self.connection.send_message(error),
        }
    }
}

/// Whether no limit is certain to end the search.
fn is_endless(limits: &Limits) -> bool {
    limits.depth.is_none() && limits.nodes.is_none() && limits.movetime.is_none() && limits.clock.is_none()
}
