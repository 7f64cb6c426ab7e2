//! `chuhe judge`: what the rules say of a game, and why.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use chuhe_board::coords::{RankStyle, parse_move};
use chuhe_board::{Position, fen};
use chuhe_referee::{Game, Referee, RuleSet};
use chuhe_report::Language;
use chuhe_report::verdict::{VerdictJson, described};
use clap::Args;

use crate::{input, output};

/// The largest file that is read; the longest games have some kilobytes.
const LARGEST_FILE: u64 = 1 << 20;

/// Judge a game: repetition, perpetual check and chase, move limits, with reasons
#[derive(Args)]
#[command(after_help = "Example: chuhe judge --fen '3k5/9/9/6c2/9/9/9/6R2/9/5K3 b' \
--moves 'g6h6 g2h2 h6g6 h2g2 g6h6 g2h2 h6g6 h2g2'

The verdict is on the last position: the third time it occurs, or the second with --fold 2.
GAME is a text file: a FEN on a line of its own (if missing, the start position) and moves such as
h2e2; lines that start with # are skipped.")]
pub(crate) struct Arguments {
    /// A file with the game, instead of --fen and --moves
    #[arg(value_name = "GAME", conflicts_with_all = ["fen", "moves"])]
    game: Option<PathBuf>,
    #[command(flatten)]
    position: input::PositionArguments,
    /// The moves, separated by spaces, ranks 0-9
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,
    /// Whose rules: wxf (world), axf (Asia), cxa (China, 1999) or computer (only perpetual check loses)
    #[arg(long, value_name = "RULES", default_value_t = RuleSet::Wxf)]
    rules: RuleSet,
    /// At which occurrence of a position the verdict falls
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(2..=3))]
    fold: u8,
    /// The language of the reasons: en, zh-Hant or zh-Hans
    #[arg(long, value_name = "LANGUAGE", default_value = "en")]
    lang: Language,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let game = match &arguments.game {
        Some(path) => read(path).with_context(|| format!("cannot judge '{}'", path.display()))?,
        None => played(arguments.position.position()?, &arguments.moves)?,
    };
    let referee = Referee::new(arguments.rules).with_fold(arguments.fold.into());
    let verdict = referee.judge(&game);
    if arguments.json {
        output::print_json(&VerdictJson::from(&verdict))
    } else {
        output::print(&described(&verdict, arguments.lang))
    }
}

/// The game in a text file.
fn read(path: &Path) -> anyhow::Result<Game> {
    if fs::metadata(path)?.len() > LARGEST_FILE {
        bail!("the file is larger than {LARGEST_FILE} bytes");
    }
    let text = fs::read_to_string(path)?;
    let mut start = Position::start();
    let mut moves = String::new();
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        if line.contains('/') {
            start = fen::parse(line).with_context(|| format!("bad FEN '{line}'"))?;
        } else {
            moves.push_str(line);
            moves.push(' ');
        }
    }
    played(start, &moves)
}

/// The game that starts from a position with these moves.
fn played(start: Position, moves: &str) -> anyhow::Result<Game> {
    let mut game = Game::new(start);
    for (index, text) in moves.split_whitespace().enumerate() {
        let mv = parse_move(text, RankStyle::FromZero).with_context(|| format!("ply {}", index + 1))?;
        game.play(mv)?;
    }
    Ok(game)
}
