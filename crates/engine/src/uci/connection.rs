//! Commands and replies in UCI or UCCI.

use chuhe_board::coords::RankStyle;
use chuhe_protocol::{Command, CommandError, Info, Protocol, Reply, ucci, uci};

use crate::Output;

/// Parses commands and sends replies in one of the two dialects.
#[derive(Clone)]
pub(super) struct Connection {
    pub(super) dialect: Dialect,
    pub(super) ranks: RankStyle,
    output: Output,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Uci,
    Ucci,
}

impl Dialect {
    pub(super) const fn protocol(self) -> Protocol {
        match self {
            Self::Uci => Protocol::Uci,
            Self::Ucci => Protocol::Ucci,
        }
    }
}

impl Connection {
    pub(super) fn new(dialect: Dialect, output: Output) -> Self {
        Self { dialect, ranks: RankStyle::FromZero, output }
    }

    /// Parses a command. A line with a move to or from rank 10 counts ranks from 1, and so do all lines after it.
    pub(super) fn parse(&mut self, line: &str) -> Result<Command, CommandError> {
        let ranks = self.ranks_of(line);
        let command = self.parse_with(line, ranks)?;
        self.ranks = ranks;
        Ok(command)
    }

    /// Parses a command in a given rank style.
    pub(super) fn parse_with(&self, line: &str, ranks: RankStyle) -> Result<Command, CommandError> {
        match self.dialect {
            Dialect::Uci => uci::parse_command(line, ranks),
            Dialect::Ucci => ucci::parse_command(line, ranks),
        }
    }

    /// The rank style of a line, as far as it shows.
    pub(super) fn ranks_of(&self, line: &str) -> RankStyle {
        if uci::mentions_rank_ten(line) { RankStyle::FromOne } else { self.ranks }
    }

    /// Sends a reply, if the dialect has it.
    pub(super) fn send(&self, reply: &Reply) {
        let line = match self.dialect {
            Dialect::Uci => uci::write_reply(reply, self.ranks),
            Dialect::Ucci => ucci::write_reply(reply, self.ranks),
        };
        if let Some(line) = line {
            self.output.send(line);
        }
    }

    /// Sends a message for the user: `info string …` or `info message …`.
    pub(super) fn send_message(&self, text: impl ToString) {
        self.send(&Reply::Info(Info::message(text.to_string())));
    }

    /// Sends text outside the protocol, for developers' commands.
    pub(super) fn send_text(&self, text: &str) {
        for line in text.lines() {
            self.output.send(line.to_owned());
        }
    }

    pub(super) fn output(&self) -> &Output {
        &self.output
    }
}
