//! Options that several commands share.

use anyhow::Context;
use chuhe_board::{Position, fen};

use crate::output;

/// The position a command works on.
#[derive(clap::Args)]
pub(crate) struct PositionArguments {
    /// The position as FEN; the start position if missing
    #[arg(long, value_name = "FEN", default_value = fen::START, hide_default_value = true)]
    fen: String,
    /// Refuse positions that no game leads to
    #[arg(long)]
    strict: bool,
}

impl PositionArguments {
    /// The position, after a word on standard error about what is odd in it.
    pub(crate) fn position(&self) -> anyhow::Result<Position> {
        let parse = if self.strict { fen::parse_strict } else { fen::parse };
        let position = parse(&self.fen).with_context(|| format!("bad FEN '{}'", self.fen))?;
        for odd in position.implausibilities() {
            output::warn(&odd);
        }
        Ok(position)
    }
}
