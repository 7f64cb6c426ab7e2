//! `chuhe book probe`: what a book knows of a position.

use std::fmt::Write;

use chuhe_report::explore::{ExploredMove, ExploredPosition, OpeningJson, explore};
use clap::Args;

use super::BookArguments;
use crate::{input, output};

/// What a book knows of a position
#[derive(Args)]
#[command(after_help = "Example: chuhe book probe my.book --moves 'h2e2 h9g7'")]
pub(super) struct Arguments {
    #[command(flatten)]
    book: BookArguments,
    #[command(flatten)]
    position: input::PositionArguments,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> anyhow::Result<()> {
    let book = arguments.book.open()?;
    let game = arguments.position.game()?;
    let explored = explore(&book, &game);
    if json { output::print_json(&explored) } else { output::print(&in_words(&explored)) }
}

fn in_words(explored: &ExploredPosition) -> String {
    let mut text = String::new();
    if let Some(opening) = &explored.opening {
        let _ = writeln!(text, "{} {} {}", opening.code, opening.chinese, opening.english);
    }
    if let Some(name) = &explored.name {
        let _ = writeln!(text, "{} {}", name.traditional, name.english);
    }
    if explored.moves.is_empty() {
        text += "the book does not know the position\n";
        return text;
    }
    // A book that no game went into has nothing to show in the columns about games.
    let with_games = explored.moves.iter().any(|known| known.count > 0);
    text += "move  WXF   move       score  depth  chance";
    if with_games {
        text += "    games  results of the side to move";
    }
    text.push('\n');
    for known in &explored.moves {
        text += &line(known, with_games, explored.opening.as_ref());
    }
    text
}

/// A move on a line; its opening is named where it is another.
fn line(known: &ExploredMove, with_games: bool, opening: Option<&OpeningJson>) -> String {
    let score = known.score.map_or(String::new(), |score| format!("{:+.2}", f64::from(score) / 100.0));
    let depth = known.score.map_or(String::new(), |_| known.depth.to_string());
    let chance = if known.chance > 0 { format!("{} %", known.chance) } else { String::new() };
    let mut text = format!("{}  {:<5} {}", known.mv, known.wxf, known.traditional);
    let _ = write!(text, "  {score:>6}  {depth:>5}  {chance:>6}");
    if with_games {
        let _ = write!(text, "  {:>7}  {:<36}", known.count, results(known));
    }
    let marks = [
        (known.inherited, "  not searched itself"),
        (known.falls, "  falls into a trap"),
        (known.sets, "  sets a trap"),
    ];
    marks.iter().filter(|(is_set, _)| *is_set).for_each(|(_, word)| text.push_str(word));
    if let Some(name) = &known.name {
        let _ = write!(text, "  {}", name.traditional);
    } else if let Some(next) = known.opening.as_ref().filter(|next| Some(*next) != opening) {
        let _ = write!(text, "  {} {}", next.code, next.chinese);
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// The results of the games with a move, in a bar and in per cent.
fn results(known: &ExploredMove) -> String {
    let decided = known.wins + known.draws + known.losses;
    if decided == 0 {
        return String::new();
    }
    let percent = |part: u32| 100.0 * f64::from(part) / f64::from(decided);
    let (wins, draws, losses) = (percent(known.wins), percent(known.draws), percent(known.losses));
    format!("{}  +{wins:.0} ={draws:.0} -{losses:.0} %", bar(known))
}

/// Wins, draws and losses as a bar.
fn bar(known: &ExploredMove) -> String {
    const WIDTH: u32 = 20;
    let decided = (known.wins + known.draws + known.losses).max(1);
    let part = |count: u32| (u64::from(count) * u64::from(WIDTH) / u64::from(decided)) as usize;
    let (wins, losses) = (part(known.wins), part(known.losses));
    format!("{}{}{}", "█".repeat(wins), "▒".repeat(WIDTH as usize - wins - losses), "░".repeat(losses))
}
