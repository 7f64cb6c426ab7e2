//! The state of a module, and the operations on it.

use std::sync::Arc;

use chuhe_adapters::endgames;
use chuhe_adapters::repetition::rules_of_tables;
use chuhe_book::Book;
use chuhe_engine::{Output, Session};
use chuhe_referee::RuleSet;
use chuhe_search::Endgames;
use chuhe_tablebase::PlayTables;

use crate::live::LiveEngine;
use crate::{host, request, self_check};

/// What a call does with its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Answers a request of the web app: a line `POST /api/position`, then the body. The output is a line of JSON
    /// (`status`, `losses`), then the body of the answer.
    Request,
    /// Supplies the network. The output is empty, or says why it cannot be used; likewise the next two.
    SupplyNetwork,
    /// Supplies the opening book.
    SupplyBook,
    /// Supplies the built-in endgame tables.
    SupplyTables,
    /// Handles a line of UCI, UCCI or xboard; answers are sent as lines.
    Line,
    /// Handles a message of the live socket; answers are sent as lines of JSON.
    Live,
    /// Plays random games by the rules and returns a digest: `seed games`.
    SelfCheck,
    /// Compares the network's kernels with their scalar twins and returns their names, or what differs.
    KernelCheck,
    /// Gives the puzzles. Returns an error, or nothing.
    SupplyPuzzles,
}

impl Operation {
    const ALL: [Self; 9] = [
        Self::Request,
        Self::SupplyNetwork,
        Self::SupplyBook,
        Self::SupplyTables,
        Self::Line,
        Self::Live,
        Self::SelfCheck,
        Self::KernelCheck,
        Self::SupplyPuzzles,
    ];

    /// The operation of a number.
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }
}

/// The state of a module: the data it was given, the engine's session and the live search.
pub struct Core {
    pub(crate) book: Book,
    pub(crate) tables: Arc<PlayTables>,
    session: Option<Session>,
    live: Option<LiveEngine>,
}

impl Core {
    /// A module that knows the rules and, in a browser, nothing else yet.
    #[expect(clippy::new_without_default, reason = "it installs the host")]
    pub fn new() -> Self {
        host::install();
        Self { book: Book::embedded(), tables: built_in_tables(), session: None, live: None }
    }

    /// Runs an operation.
    pub fn call(&mut self, operation: Operation, input: Vec<u8>) -> Vec<u8> {
        match operation {
            Operation::Request => request::answer(self, &input),
            Operation::SupplyNetwork => supply_network(&input).into_bytes(),
            Operation::SupplyBook => self.supply_book(input).into_bytes(),
            Operation::SupplyTables => self.supply_tables(input).into_bytes(),
            Operation::Line => self.handle_line(&input),
            Operation::Live => self.handle_live(&input),
            Operation::SelfCheck => self_check::answer(&input).into_bytes(),
            Operation::KernelCheck => kernel_check().into_bytes(),
            Operation::SupplyPuzzles => supply_puzzles(input).into_bytes(),
        }
    }

    /// Searches for a slice: the live search if there is one, else the engine's. Returns whether more follow.
    pub fn step(&mut self) -> bool {
        if let Some(live) = &mut self.live
            && live.step(&self.book)
        {
            return true;
        }
        #[cfg(target_arch = "wasm32")]
        return self.session.as_mut().is_some_and(Session::step);
        #[cfg(not(target_arch = "wasm32"))]
        false
    }

    fn handle_line(&mut self, input: &[u8]) -> Vec<u8> {
        if !has_network() {
            host::send("info string the network is not loaded");
            return Vec::new();
        }
        let session = self.session.get_or_insert_with(|| Session::new(Output::new(|line| host::send(&line))));
        if session.handle_line(String::from_utf8_lossy(input).trim_end()).is_break() {
            self.session = None;
        }
        Vec::new()
    }

    fn handle_live(&mut self, input: &[u8]) -> Vec<u8> {
        if !has_network() {
            host::send(&crate::live::refused(crate::request::network_missing()));
            return Vec::new();
        }
        let tables = endgames_of(&self.tables);
        self.live.get_or_insert_with(|| LiveEngine::new(tables)).handle(input);
        Vec::new()
    }

    #[cfg(target_arch = "wasm32")]
    fn supply_book(&mut self, bytes: Vec<u8>) -> String {
        if let Err(error) = Book::supply(bytes) {
            return error.to_string();
        }
        self.book = Book::embedded();
        if let Some(session) = &mut self.session {
            let _ = session.handle_line("setoption name Book File value <empty>");
        }
        String::new()
    }

    #[cfg(target_arch = "wasm32")]
    fn supply_tables(&mut self, bytes: Vec<u8>) -> String {
        if let Err(error) = chuhe_tablebase::Archive::supply(bytes) {
            return error.to_string();
        }
        self.tables = built_in_tables();
        if let Some(session) = &mut self.session {
            let _ = session.handle_line("setoption name TablebasePath value <empty>");
        }
        if let Some(live) = &mut self.live {
            live.set_endgames(endgames_of(&self.tables));
        }
        String::new()
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn supply_book(&mut self, _: Vec<u8>) -> String {
        String::new()
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn supply_tables(&mut self, _: Vec<u8>) -> String {
        String::new()
    }
}

fn built_in_tables() -> Arc<PlayTables> {
    Arc::new(PlayTables::built_in(rules_of_tables(RuleSet::default())))
}

pub(crate) fn endgames_of(tables: &Arc<PlayTables>) -> Option<Arc<dyn Endgames>> {
    (tables.counts() != (0, 0)).then(|| endgames::of(Arc::clone(tables)))
}

#[cfg(target_arch = "wasm32")]
fn supply_network(bytes: &[u8]) -> String {
    chuhe_eval::network::Network::supply(bytes).map_or_else(|error| error.to_string(), |()| String::new())
}

#[cfg(not(target_arch = "wasm32"))]
fn supply_network(_: &[u8]) -> String {
    String::new()
}

#[cfg(target_arch = "wasm32")]
fn supply_puzzles(bytes: Vec<u8>) -> String {
    chuhe_puzzles::supply(bytes).map_or_else(|error| error.to_string(), |()| String::new())
}

#[cfg(not(target_arch = "wasm32"))]
fn supply_puzzles(_: Vec<u8>) -> String {
    String::new()
}

#[cfg(target_arch = "wasm32")]
fn kernel_check() -> String {
    chuhe_eval::network::Network::check_kernels().map_or_else(|fault| fault, |names| names.join(" "))
}

/// A unit test compares them natively.
#[cfg(not(target_arch = "wasm32"))]
fn kernel_check() -> String {
    String::new()
}

/// Whether there is a network; a native program has one built in.
pub(crate) fn has_network() -> bool {
    #[cfg(target_arch = "wasm32")]
    return chuhe_eval::network::Network::is_supplied();
    #[cfg(not(target_arch = "wasm32"))]
    true
}
