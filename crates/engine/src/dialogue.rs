//! One of two languages for the same conversation: UCI or UCCI.

use chuhe_board::coords::RankStyle;
use chuhe_protocol::{Command, CommandError, Info, Reply, ucci, uci};

use crate::Sink;

/// Reads commands and says replies in UCI or UCCI.
#[derive(Clone)]
pub(crate) struct Dialogue {
    pub(crate) language: Language,
    pub(crate) ranks: RankStyle,
    sink: Sink,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Uci,
    Ucci,
}

impl Dialogue {
    pub(crate) fn new(language: Language, sink: Sink) -> Self {
        Self { language, ranks: RankStyle::FromZero, sink }
    }

    /// Reads a command. A line with a move to or from rank 10 counts ranks from 1, and so do all
    /// lines after it.
    pub(crate) fn parse(&mut self, line: &str) -> Result<Command, CommandError> {
        let ranks = if uci::mentions_rank_ten(line) { RankStyle::FromOne } else { self.ranks };
        let command = match self.language {
            Language::Uci => uci::parse_command(line, ranks),
            Language::Ucci => ucci::parse_command(line, ranks),
        }?;
        self.ranks = ranks;
        Ok(command)
    }

    /// Says a reply, if the language has words for it.
    pub(crate) fn say(&self, reply: &Reply) {
        let line = match self.language {
            Language::Uci => uci::write_reply(reply, self.ranks),
            Language::Ucci => ucci::write_reply(reply, self.ranks),
        };
        if let Some(line) = line {
            self.sink.say(line);
        }
    }

    /// Says something to the person behind the GUI.
    pub(crate) fn remark(&self, text: impl ToString) {
        self.say(&Reply::Info(Info::message(text.to_string())));
    }

    /// Says what no protocol knows, because it was asked for.
    pub(crate) fn say_plainly(&self, text: &str) {
        for line in text.lines() {
            self.sink.say(line.to_owned());
        }
    }

    pub(crate) fn sink(&self) -> &Sink {
        &self.sink
    }
}
