//! `chuhe banqi engine`: other programs drive us.

use std::io::{self, BufRead};

use chuhe_banqi::protocol::{FenSession, Reply, TextSession};
use clap::{Args, ValueEnum};

use crate::banqi::input;
use crate::output;

/// Speak a Banqi protocol on standard input and output
#[derive(Args)]
#[command(after_help = "Example: echo '0 protocol_version' | chuhe banqi engine")]
pub(crate) struct Arguments {
    /// Which protocol
    #[arg(long, value_enum, default_value = "text")]
    protocol: ProtocolName,
    #[command(flatten)]
    engine: input::EngineArguments,
    /// The rules, where the protocol does not set them
    #[command(flatten)]
    rules: input::RuleArguments,
}

#[derive(Clone, Copy, ValueEnum)]
enum ProtocolName {
    /// The tournament text protocol 1.1.0
    Text,
    /// One line with a FEN in, one move out
    Fen,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let engine = arguments.engine.resources()?.engine();
    let lines = io::stdin().lock().lines();
    match arguments.protocol {
        ProtocolName::Text => {
            let mut session = TextSession::new(engine);
            for line in lines {
                match session.answer(&line?) {
                    Reply::Nothing => {}
                    Reply::Line(text) => output::print(&format!("{text}\n"))?,
                    Reply::Last(text) => return output::print(&format!("{text}\n")),
                }
            }
        }
        ProtocolName::Fen => {
            let mut session = FenSession::new(engine, arguments.rules.rules());
            for line in lines {
                match session.answer(&line?) {
                    Ok(Some(text)) => output::print(&format!("{text}\n"))?,
                    Ok(None) => {}
                    Err(error) => output::warn(&error),
                }
            }
        }
    }
    Ok(())
}
