//! The protocol router: the first line of a GUI chooses UCI, UCCI or xboard.

use std::io::{self, BufRead};
use std::ops::ControlFlow;

use chuhe_protocol::Protocol;

use crate::searcher::first_pool;
use crate::uci::{Dialect, UciSession};
use crate::xboard::XboardSession;
use crate::{Output, Searcher};

/// A session with one GUI. The first line chooses the protocol.
pub struct Session {
    output: Output,
    state: State,
}

enum State {
    /// No line yet; the searcher is for the session that the first line opens.
    Unopened(Option<Box<dyn Searcher>>),
    Uci(Box<UciSession>),
    Xboard(Box<XboardSession>),
}

impl Session {
    /// A session that replies to `output` and searches on this machine.
    pub fn new(output: Output) -> Self {
        Self { output, state: State::Unopened(None) }
    }

    /// A session that replies to `output` and searches with `searcher`.
    pub fn with_searcher(output: Output, searcher: Box<dyn Searcher>) -> Self {
        Self { output, state: State::Unopened(Some(searcher)) }
    }

    /// Handles one line of the GUI. Breaks when the GUI ends the session.
    pub fn handle_line(&mut self, line: &str) -> ControlFlow<()> {
        self.output.log_input(line);
        if line.trim().is_empty() {
            return ControlFlow::Continue(());
        }
        if let State::Unopened(searcher) = &mut self.state {
            let searcher = searcher.take().unwrap_or_else(|| Box::new(first_pool()));
            self.state = State::opened_by(line, self.output.clone(), searcher);
        }
        match &mut self.state {
            State::Unopened(_) => ControlFlow::Continue(()),
            State::Uci(session) => session.handle_line(line),
            State::Xboard(session) => session.handle_line(line),
        }
    }

    /// Handles lines until the GUI quits or closes its end.
    pub fn run(mut self, mut lines: impl BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        loop {
            line.clear();
            if lines.read_until(b'\n', &mut line)? == 0 {
                self.finish();
                return Ok(());
            }
            if let ControlFlow::Break(()) = self.handle_line(String::from_utf8_lossy(&line).trim_end()) {
                return Ok(());
            }
        }
    }

    /// Searches for one slice, on hosts without threads: until the search ends or the host's poll
    /// (`Control::set_host_poll`) pauses it. Returns whether more slices follow.
    #[cfg(target_arch = "wasm32")]
    pub fn step(&mut self) -> bool {
        match &mut self.state {
            State::Uci(session) => session.step(),
            State::Xboard(session) => session.step(),
            State::Unopened(_) => false,
        }
    }

    /// Ends the session at the end of input: waits for a bounded search, stops any other.
    pub fn finish(&mut self) {
        match &mut self.state {
            State::Uci(session) => session.finish(),
            State::Xboard(session) => session.finish(),
            State::Unopened(_) => {}
        }
    }
}

impl State {
    fn opened_by(line: &str, output: Output, searcher: Box<dyn Searcher>) -> Self {
        let dialect = match Protocol::opened_by(line) {
            Some(Protocol::Xboard) => return Self::Xboard(Box::new(XboardSession::new(output, searcher))),
            Some(Protocol::Ucci) => Dialect::Ucci,
            // Lines typed by hand need no handshake.
            Some(Protocol::Uci) | None => Dialect::Uci,
        };
        Self::Uci(Box::new(UciSession::new(dialect, output, searcher)))
    }
}
