//! A conversation with a GUI.

use std::io::{self, BufRead};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chuhe_adapters::{Evaluation, Handicap, NetworkVerdict, draw_offer};
use chuhe_board::coords::{self, Coords};
use chuhe_board::{Move, Position, perft};
use chuhe_eval::classical::Phase;
use chuhe_eval::{Chances, Score};
use chuhe_protocol::{
    BestMove, Bound, Command, Go, IdField, Info, Line, PopHash, Protocol, Reply, Tool, Wdl, ucci,
};
use chuhe_referee::Game;
use chuhe_search::{Answer, Bound as ScoreBound, Clock, Event, Limits, Line as SearchLine, bench};

use crate::dialogue::{Dialogue, Language};
use crate::learning::Found;
use crate::opening_book::OpeningBook;
use crate::options::Options;
use crate::searcher::first_pool;
use crate::thinker::{Manner, Thinker};
use crate::xboard::XboardSession;
use crate::{AUTHOR, NAME, Searcher, Sink, display, settings};

/// A conversation with a GUI. The first line chooses the language.
pub struct Session {
    sink: Sink,
    state: State,
}

enum State {
    /// Nobody has spoken yet; whoever speaks gets this searcher.
    Silent(Option<Box<dyn Searcher>>),
    Speaking(Speaker),
}

enum Speaker {
    Universal(Box<UniversalSession>),
    Xboard(Box<XboardSession>),
}

impl Session {
    /// A session that replies to `sink` and searches alone.
    pub fn new(sink: Sink) -> Self {
        Self { sink, state: State::Silent(None) }
    }

    /// A session that replies to `sink` and lets somebody search.
    pub fn with_searcher(sink: Sink, searcher: Box<dyn Searcher>) -> Self {
        Self { sink, state: State::Silent(Some(searcher)) }
    }

    /// Takes one line of the GUI. Breaks when the GUI ends the session.
    pub fn hear(&mut self, line: &str) -> ControlFlow<()> {
        self.sink.heard(line);
        if line.trim().is_empty() {
            return ControlFlow::Continue(());
        }
        if let State::Silent(searcher) = &mut self.state {
            let searcher = searcher.take().unwrap_or_else(|| Box::new(first_pool()));
            self.state = State::Speaking(Speaker::opened_by(line, self.sink.clone(), searcher));
        }
        match &mut self.state {
            State::Silent(_) => ControlFlow::Continue(()),
            State::Speaking(Speaker::Universal(session)) => session.hear(line),
            State::Speaking(Speaker::Xboard(session)) => session.hear(line),
        }
    }

    /// Reads the GUI's lines until it quits or hangs up.
    pub fn converse(mut self, mut lines: impl BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        loop {
            line.clear();
            if lines.read_until(b'\n', &mut line)? == 0 {
                self.finish();
                return Ok(());
            }
            if let ControlFlow::Break(()) = self.hear(String::from_utf8_lossy(&line).trim_end()) {
                return Ok(());
            }
        }
    }

    /// Ends the session when the GUI's lines have ended: a search that ends by itself is waited for.
    pub fn finish(&mut self) {
        match &mut self.state {
            State::Speaking(Speaker::Universal(session)) => session.finish(),
            State::Speaking(Speaker::Xboard(session)) => session.finish(),
            State::Silent(_) => {}
        }
    }
}

impl Speaker {
    fn opened_by(line: &str, sink: Sink, searcher: Box<dyn Searcher>) -> Self {
        let language = match Protocol::opened_by(line) {
            Some(Protocol::Xboard) => return Self::Xboard(Box::new(XboardSession::new(sink, searcher))),
            Some(Protocol::Ucci) => Language::Ucci,
            // Lines typed by hand need no handshake.
            Some(Protocol::Uci) | None => Language::Uci,
        };
        Self::Universal(Box::new(UniversalSession::new(Dialogue::new(language, sink), searcher)))
    }
}

/// A session in UCI or UCCI.
struct UniversalSession {
    dialogue: Dialogue,
    options: Options,
    game: Game,
    /// UCCI: moves that the next search may not choose.
    banned: Vec<Move>,
    /// UCCI: whether the search that runs may answer with a draw.
    draw_offered: Arc<AtomicBool>,
    thinker: Thinker,
    book: OpeningBook,
    /// What the search finds that thinks in the opponent's time.
    pondered: Option<Found>,
}

impl UniversalSession {
    fn new(dialogue: Dialogue, searcher: Box<dyn Searcher>) -> Self {
        Self {
            dialogue,
            thinker: Thinker::new(searcher),
            options: Options::default(),
            game: Game::new(Position::start()),
            banned: Vec::new(),
            draw_offered: Arc::default(),
            book: OpeningBook::embedded(),
            pondered: None,
        }
    }

    fn hear(&mut self, line: &str) -> ControlFlow<()> {
        match self.dialogue.parse(line) {
            Ok(Command::Quit) => {
                self.thinker.halt();
                self.end_game();
                self.dialogue.say(&Reply::Bye);
                return ControlFlow::Break(());
            }
            Ok(command) => self.obey(command),
            Err(error) => self.dialogue.remark(error),
        }
        ControlFlow::Continue(())
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Handshake => self.introduce(),
            Command::IsReady => self.dialogue.say(&Reply::ReadyOk),
            Command::Debug(_) => {}
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => {
                self.thinker.searcher().forget();
                self.end_game();
            }
            Command::Position(line) => self.set_position(line),
            Command::BanMoves(moves) => self.banned = self.legal_of(moves, "banmoves"),
            Command::Go(go) => self.go(go),
            Command::Stop => self.thinker.stop(),
            Command::PonderHit { draw_offered } => {
                self.draw_offered.fetch_or(draw_offered, Ordering::Relaxed);
                if let Some(found) = self.pondered.take() {
                    self.book.game.plays(&self.game, found);
                }
                self.thinker.ponder_hit();
            }
            Command::Probe(line) => self.probe(line),
            Command::Tool(tool) => self.answer_tool(&tool),
            Command::Quit => {}
        }
    }

    fn introduce(&mut self) {
        for (field, text) in [(IdField::Name, NAME), (IdField::Author, AUTHOR)] {
            self.dialogue.say(&Reply::Id { field, text: text.to_owned() });
        }
        for declaration in Options::declarations() {
            self.dialogue.say(&Reply::Option(declaration));
        }
        if self.dialogue.language == Language::Ucci {
            self.dialogue.say(&Reply::Option(chuhe_protocol::OptionDeclaration::new(
                "usemillisec",
                chuhe_protocol::OptionKind::Check { default: true },
            )));
        }
        self.dialogue.say(&Reply::Ok);
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let before = self.options.ranks;
        let sink = self.dialogue.sink().clone();
        if let Err(error) =
            settings::set(&mut self.options, name, value, &mut self.thinker, &mut self.book, &sink)
        {
            self.dialogue.remark(error);
        }
        if self.options.ranks != before {
            self.dialogue.ranks = self.options.ranks;
        }
    }

    fn set_position(&mut self, line: Line) {
        match self.game_of(line) {
            Ok(game) => {
                self.thinker.halt();
                if self.book.game.is_left_by(&game) {
                    self.end_game();
                }
                self.game = game;
                self.banned.clear();
            }
            Err(error) => self.dialogue.remark(error),
        }
    }

    /// Ends the session when the GUI's lines have ended.
    fn finish(&mut self) {
        self.thinker.finish();
        self.end_game();
    }

    /// The game that was played is over; UCI and UCCI do not tell how it ended.
    fn end_game(&mut self) {
        if let Err(error) = self.book.end_game(None, &self.options) {
            self.dialogue.remark(error);
        }
    }

    /// The game that the line tells, or which of its moves is not legal.
    fn game_of(&self, line: Line) -> Result<Game, String> {
        let mut game = Game::new(line.start);
        for mv in line.moves {
            game.play(mv).map_err(|error| {
                format!("ply {}: {} is illegal: {}", error.ply, self.written(mv), error.why)
            })?;
        }
        Ok(game)
    }

    /// The move as the GUI counts ranks.
    fn written(&self, mv: Move) -> Coords {
        coords::write_move(mv, self.dialogue.ranks)
    }

    /// The moves that are legal, after a remark on those that are not.
    fn legal_of(&self, moves: Vec<Move>, command: &str) -> Vec<Move> {
        let (legal, illegal): (Vec<_>, Vec<_>) =
            moves.into_iter().partition(|mv| self.game.position().is_legal(*mv));
        for mv in illegal {
            self.dialogue.remark(format!("{command}: {} is not legal here", self.written(mv)));
        }
        legal
    }

    fn go(&mut self, mut go: Go) {
        if !self.options.milliseconds {
            go = ucci::in_seconds(go);
        }
        self.thinker.halt();
        go.search_moves = self.legal_of(go.search_moves, "searchmoves");
        let mut limits = self.limits(&go);
        let endless = is_endless(&limits);
        let infinite = go.infinite || endless && limits.mate.is_none();
        let manner = Manner { infinite, ponder: go.ponder, endless };
        if !infinite && !go.ponder {
            limits = self.book.narrowed(limits, &self.game, &self.options);
        }
        let handicap = self.options.handicap();
        if let Some(handicap) = handicap {
            limits = handicap.hold_back(limits);
        }
        let found = Found::default();
        self.pondered = go.ponder.then(|| Arc::clone(&found));
        if !infinite && !go.ponder {
            self.book.game.plays(&self.game, Arc::clone(&found));
        }
        let show_wdl = self.options.show_wdl;
        let lines_wanted = self.options.lines;
        let telling = self.dialogue.clone();
        let answering = self.dialogue.clone();
        self.draw_offered = Arc::new(AtomicBool::new(go.draw_offered));
        let draw_offered = Arc::clone(&self.draw_offered);
        let position = self.game.position().clone();
        let phase = Phase::of(&position);
        let tell = move |event| {
            if let Some(info) = info_of(event, phase, show_wdl, lines_wanted) {
                telling.say(&Reply::Info(info));
            }
        };
        let answer = move |answer: Answer| {
            let offered = draw_offered.load(Ordering::Relaxed).then_some(&position);
            let (reply, line) = best_move_of(&answer, handicap, offered);
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            *found = line.and_then(|line| Some((*line.moves.first()?, line.score)));
            answering.say(&reply);
        };
        self.thinker.start(self.game.clone(), limits, manner, tell, answer);
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
            nodes_per_millisecond: Some(self.options.nodes_time).filter(|nodes| *nodes > 0),
        }
    }

    fn probe(&mut self, line: Line) {
        match self.game_of(line) {
            Ok(game) => {
                let known = self.thinker.pool().probe_tt(game.position());
                let mut reply = PopHash::default();
                if let Some(known) = known {
                    let score = Some((known.score.get(), known.depth.max(0) as u32));
                    reply.best = known.mv;
                    reply.lower = score.filter(|_| known.bound != ScoreBound::Upper);
                    reply.upper = score.filter(|_| known.bound != ScoreBound::Lower);
                }
                self.dialogue.say(&Reply::PopHash(reply));
            }
            Err(error) => self.dialogue.remark(error),
        }
    }

    fn answer_tool(&mut self, tool: &Tool) {
        let position = self.game.position();
        match tool {
            Tool::Display => self.dialogue.say_plainly(&display::board(position, self.dialogue.ranks)),
            Tool::Eval => self.dialogue.say_plainly(&self.evaluation()),
            Tool::Bench(words) => self.bench(words),
            Tool::Perft(depth) => self.perft(*depth),
        }
    }

    /// The hand-written evaluation taken apart, and what the network says.
    fn evaluation(&self) -> String {
        let position = self.game.position();
        let network = NetworkVerdict::of(&self.options.network, position);
        format!("{}\n{network}", Evaluation::of(position))
    }

    fn bench(&mut self, words: &str) {
        let evaluator = self.options.evaluator();
        let depth =
            words.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(bench::DEPTH);
        let dialogue = self.dialogue.clone();
        self.thinker.start_tool(move |control| {
            let Some(found) = bench::run(depth, evaluator, control, |_, _| {}) else {
                return dialogue.remark("bench was stopped");
            };
            let speed = found.nodes as f64 / found.time.as_secs_f64().max(1e-9);
            dialogue.say_plainly(&format!("{} nodes {speed:.0} nps", found.nodes));
        });
    }

    fn perft(&mut self, depth: u32) {
        let position = self.game.position().clone();
        let threads = self.options.threads;
        let dialogue = self.dialogue.clone();
        self.thinker.start_tool(move |control| {
            let is_stopped = || control.is_stopped();
            match perft::divide_unless(&position, depth.min(DEEPEST_PERFT), threads, is_stopped) {
                Some(counts) => dialogue.say_plainly(&display::counts(&counts, depth, dialogue.ranks)),
                None => dialogue.remark("perft was stopped"),
            }
        });
    }
}

/// Counting deeper would take days.
const DEEPEST_PERFT: u32 = 9;

/// Nothing in the limits surely ends the search.
fn is_endless(limits: &Limits) -> bool {
    limits.depth.is_none() && limits.nodes.is_none() && limits.movetime.is_none() && limits.clock.is_none()
}

/// A score as the protocols write it: mates in moves of the winner.
pub(crate) fn score_of(score: Score, bound: ScoreBound) -> chuhe_protocol::Score {
    let mut written = match score.mate_in() {
        Some(moves) => chuhe_protocol::Score::mate_in(moves),
        None => chuhe_protocol::Score::centipawns(score.get()),
    };
    written.bound = match bound {
        ScoreBound::Exact => None,
        ScoreBound::Lower => Some(Bound::Lower),
        ScoreBound::Upper => Some(Bound::Upper),
    };
    written
}

pub(crate) fn speed(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(0.001)) as u64
}

fn info_of(event: Event, phase: Phase, show_wdl: bool, lines_wanted: usize) -> Option<Info> {
    Some(match event {
        // A handicap looks at more lines than were asked for.
        Event::Line(line) if line.rank > lines_wanted => return None,
        Event::Line(line) => Info {
            depth: Some(line.depth),
            selective_depth: Some(line.selective_depth),
            multi_pv: Some(line.rank as u32),
            score: Some(score_of(line.score, line.bound)),
            wdl: show_wdl.then(|| {
                let Chances { win, draw, loss } = Chances::of(line.score, phase);
                Wdl { win, draw, loss }
            }),
            nodes: Some(line.nodes),
            nps: Some(speed(line.nodes, line.time)),
            hash_full: Some(line.hashfull),
            table_hits: Some(line.tablebase_hits),
            time: Some(line.time),
            pv: line.moves,
            ..Info::default()
        },
        Event::Current { depth, mv, number } => Info {
            depth: Some(depth),
            current_move: Some(mv),
            current_move_number: Some(number as u32),
            ..Info::default()
        },
        Event::Remark(text) => Info::message(text),
    })
}

/// The reply to the GUI and the line it rests on; `draw_offered` is the position if the opponent offers a draw in it.
fn best_move_of<'a>(
    answer: &'a Answer,
    handicap: Option<Handicap>,
    draw_offered: Option<&Position>,
) -> (Reply, Option<&'a SearchLine>) {
    let choice = handicap.map_or(0, |handicap| handicap.choose(&answer.lines, random()));
    let (Some(mv), line) = (
        answer.lines.get(choice).and_then(|line| line.moves.first().copied()).or(answer.best),
        answer.lines.get(choice),
    ) else {
        return (Reply::NoBestMove, None);
    };
    let ponder = line.and_then(|line| line.moves.get(1).copied());
    let draw =
        draw_offered.zip(line).is_some_and(|(position, line)| draw_offer::is_welcome(line.score, position));
    (Reply::BestMove(BestMove { mv, ponder, draw, resign: false }), line)
}

/// A number that differs from game to game; only handicaps roll dice.
pub(crate) fn random() -> u64 {
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
    (nanos ^ nanos >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}
