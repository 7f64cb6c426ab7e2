//! `chuhe banqi tb`: the perfect endgames.

use std::fmt::Write as _;
use std::fs;
use std::time::Instant;

use anyhow::{Context, bail};
use chuhe_banqi::endgame::{EndgameRules, Endgames, Worth};
use chuhe_banqi::text;
use chuhe_storage::write_atomic;
use clap::{Args, Subcommand};

use crate::banqi::input;
use crate::output;

/// Solve, check and ask the perfect endgames of up to four pieces, and of chosen classes of five
#[derive(Args)]
#[command(after_help = "Example: chuhe banqi tb build && chuhe banqi tb probe --position 'GG6/8/8/7p r -'")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    tables: input::TableArguments,
}

#[derive(Subcommand)]
enum Command {
    /// Solve all endgames and write the file
    Build {
        #[command(flatten)]
        rules: input::RuleArguments,
        /// The most pieces
        #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(2..=4))]
        pieces: u32,
        /// Classes of five pieces to solve as well, one side in upper case: GKNPk,GKMgk
        #[arg(long, value_name = "CLASSES", value_delimiter = ',')]
        also: Vec<String>,
    },
    /// What a position is worth
    Probe(Box<input::GameArguments>),
    /// Wins, draws and losses of each table
    Stats,
    /// Compare the tables with the rules, one move ahead
    Verify {
        /// Check every Nth position
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
        every: u32,
    },
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Build { rules, pieces, also } => build(arguments, rules, *pieces, also),
        Command::Probe(game) => probe(arguments, game),
        Command::Stats => stats(arguments),
        Command::Verify { every } => verify(arguments, *every),
    }
}

fn build(
    arguments: &Arguments,
    rules: &input::RuleArguments,
    pieces: u32,
    also: &[String],
) -> anyhow::Result<()> {
    let path = arguments.tables.path()?;
    let rules = rules.rules();
    let limit = rules.quiet_limit.unwrap_or(LONG).min(LONG);
    let rules = EndgameRules { taking: rules.taking, cannon: rules.cannon, quiet_limit: limit };
    let start = Instant::now();
    let mut endgames = Endgames::solve(rules, pieces, &mut |done, count| {
        if done.is_multiple_of(10) {
            output::note(&format!("{done} of {count} tables, {:.0} s", start.elapsed().as_secs_f64()));
        }
    });
    for class in also {
        endgames.solve_class(class)?;
        output::note(&format!("{class}, {:.0} s", start.elapsed().as_secs_f64()));
    }
    let mut bytes = Vec::new();
    endgames.write(&mut bytes)?;
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    write_atomic(&path, &bytes).with_context(|| format!("cannot write {}", path.display()))?;
    output::print(&format!(
        "{} tables in {:.0} s, {} bytes, longest way to a capture {} plies: {}\n",
        endgames.len(),
        start.elapsed().as_secs_f64(),
        bytes.len(),
        endgames.longest(),
        path.display()
    ))
}

/// A limit that no win of four pieces reaches.
const LONG: u16 = 120;

fn probe(arguments: &Arguments, game: &input::GameArguments) -> anyhow::Result<()> {
    let endgames = arguments.tables.read()?;
    let style = game.style();
    let game = game.game()?;
    if !endgames.fit(&game) {
        bail!("these tables are for other rules");
    }
    let worth = endgames.probe(game.position()).context("no table has this position")?;
    let mut description = match worth {
        Worth::Win(plies) => format!("won, the next capture or the end in {plies} plies"),
        Worth::Draw => "drawn".to_owned(),
        Worth::Loss(plies) => format!("lost, the next capture or the end in {plies} plies"),
    };
    if let Some((best, _)) = endgames.best_move(&game) {
        let _ = write!(description, "; best is {}", text::move_text(best, style));
    }
    output::print(&format!("{description}\n"))
}

fn stats(arguments: &Arguments) -> anyhow::Result<()> {
    let endgames = arguments.tables.read()?;
    let mut text =
        String::from("pieces   first to move: won drawn lost   second to move: won drawn lost   longest\n");
    for table in endgames.statistics() {
        let [[won, drawn, lost], [second_won, second_drawn, second_lost]] = table.counts;
        let _ = writeln!(
            text,
            "{:<8} {won:>8} {drawn:>8} {lost:>8}   {second_won:>8} {second_drawn:>8} {second_lost:>8}   {:>3}",
            table.example, table.longest
        );
    }
    output::print(&text)
}

fn verify(arguments: &Arguments, every: u32) -> anyhow::Result<()> {
    let endgames = arguments.tables.read()?;
    match endgames.verify(every as usize) {
        Ok(count) => output::print(&format!("{count} positions agree with the rules\n")),
        Err(contradiction) => bail!(contradiction),
    }
}
