//! `chuhe banqi go`: one search.

use std::time::Duration;

use anyhow::bail;
use chuhe_banqi::engine::Answer;
use chuhe_banqi::{Limits, SquareStyle, text};
use clap::Args;
use serde::Serialize;

use crate::banqi::input;
use crate::output;

/// Search a position for the best move or flip
#[derive(Args)]
#[command(
    after_help = "\
Scores are for the side to move; a piece is worth 45 (soldier) to 600 (general) at the start.

Example: chuhe banqi go --position 'K2c1p2/1?Pg3C/2N2m2/?r4Pk r Cp' --movetime 1000",
    group(clap::ArgGroup::new("limit").required(true).multiple(true))
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: input::GameArguments,
    #[command(flatten)]
    engine: input::EngineArguments,
    /// No deeper than this
    #[arg(long, value_name = "PLIES", group = "limit", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// No more positions than this
    #[arg(long, value_name = "N", group = "limit", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// No longer than this
    #[arg(long, value_name = "MS", group = "limit", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Found {
    position: String,
    best: String,
    score: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies_to_end: Option<i32>,
    depth: u32,
    nodes: u64,
    seconds: f64,
    nps: u64,
}

impl Found {
    fn new(position: String, answer: &Answer, style: SquareStyle) -> Self {
        let seconds = answer.time.as_secs_f64();
        Self {
            position,
            best: text::move_text(answer.best, style),
            score: answer.score,
            plies_to_end: answer.plies_to_end,
            depth: answer.depth,
            nodes: answer.nodes,
            seconds,
            nps: (answer.nodes as f64 / seconds.max(1e-6)) as u64,
        }
    }

    fn line(&self) -> String {
        format!(
            "depth {:>2}  {:>6}  {:>11} nodes  {:>9} a second  {}\n",
            self.depth, self.score, self.nodes, self.nps, self.best
        )
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let game = arguments.game.game()?;
    if game.end().is_some() {
        bail!("the game is over");
    }
    let limits = Limits {
        time: arguments.movetime.map(Duration::from_millis),
        nodes: arguments.nodes,
        depth: arguments.depth,
        on_clock: false,
    };
    let mut engine = arguments.engine.resources()?.engine();
    let style = arguments.game.style();
    let found = |answer: &Answer| Found::new(game.position().to_string(), answer, style);
    let mut printed = Ok(());
    let answer = engine.search_with_progress(&game, &limits, &mut |answer| {
        if !arguments.json && printed.is_ok() {
            printed = output::print(&found(answer).line());
        }
    });
    printed?;
    if arguments.json {
        return output::print_json(&found(&answer));
    }
    output::print(&format!("best {}", found(&answer).line()))
}
