//! `chuhe judge`: the referee's verdict on a game, with reasons.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use chuhe_referee::{Game, Referee, RuleSet};
use chuhe_report::Language;
use chuhe_report::verdict::{VerdictJson, described};
use clap::Args;

use crate::{input, output};

/// Judge a game: repetition, perpetual check and chase, move limits, with reasons
#[derive(Args)]
#[command(after_help = "Example: chuhe judge --fen '3k5/9/9/6c2/9/9/9/6R2/9/5K3 b' \
--moves 'g6h6 g2h2 h6g6 h2g2 g6h6 g2h2 h6g6 h2g2'

The verdict is on the last position: the third time it occurs, or the second with --fold 2.
GAME is a record in any format that `chuhe convert` reads: its main line is judged. In a text file a FEN on
a line of its own may stand before the moves.")]
pub(crate) struct Arguments {
    /// A game record (`-`: standard input), instead of --fen and --moves
    #[arg(value_name = "GAME", conflicts_with_all = ["fen", "moves"])]
    game: Option<PathBuf>,
    /// Which game of the record, from 1; needed if it has several
    #[arg(long, value_name = "N", requires = "game", value_parser = clap::value_parser!(u32).range(1..))]
    number: Option<u32>,
    #[command(flatten)]
    position: input::PositionArguments,
    /// Rule set: wxf (world), axf (Asia), cxa (China, 1999) or computer (only perpetual check loses)
    #[arg(long, value_name = "RULES", default_value_t = RuleSet::Wxf)]
    rules: RuleSet,
    /// Judge at the Nth occurrence of a position
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(2..=3))]
    fold: u8,
    /// Language of the reasons: en, zh-Hant or zh-Hans
    #[arg(long, value_name = "LANGUAGE", default_value = "en")]
    lang: Language,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let game = match &arguments.game {
        Some(path) => {
            recorded(path, arguments.number).with_context(|| format!("cannot judge '{}'", path.display()))?
        }
        None => arguments.position.game()?,
    };
    let referee = Referee::new(arguments.rules).with_fold(arguments.fold.into());
    let verdict = referee.judge(&game);
    if arguments.json {
        output::print_json(&VerdictJson::from(&verdict))
    } else {
        output::print(&described(&verdict, arguments.lang))
    }
}

/// The main line of a game of a record.
fn recorded(path: &Path, number: Option<u32>) -> anyhow::Result<Game> {
    // A verdict on a part of a game would mislead.
    let games = input::read_records_strictly(path)?;
    let wanted = match (number, games.len()) {
        (_, 0) => bail!("it contains no game"),
        (None, 1) => 1,
        (None, count) => bail!("it contains {count} games: choose one with --number"),
        (Some(number), count) if number as usize > count => bail!("it contains only {count} games"),
        (Some(number), _) => number as usize,
    };
    let record = games.into_iter().nth(wanted - 1).expect("the number was checked")?;
    let mut game = Game::new(record.start().clone());
    for mv in record.main_moves() {
        game.play(mv)?;
    }
    Ok(game)
}
