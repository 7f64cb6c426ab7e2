//! `chuhe banqi match`: games between levels and programs.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use chuhe_banqi::contest::{Ending, MatchGame, MatchScore, Pace, play_match_game};
use chuhe_banqi::protocol::Pipe;
use chuhe_banqi::{Failure, GameEnd, Level, Limits, Player, Resources, SquareStyle, text};
use clap::Args;
use serde::Serialize;

use crate::banqi::input;
use crate::output;

/// Play a match between levels or programs, each deal from both ends
#[derive(Args)]
#[command(
    after_help = "\
A player is a level (full, 1 to 5 for people, foodchain, static, random) or cmd:PROGRAM ARGUMENTS, a program that
speaks the text protocol 1.1.0.

Example: chuhe banqi match full foodchain --games 400 --movetime 100 --journal match.txt",
    group(clap::ArgGroup::new("pace").required(true))
)]
pub(crate) struct Arguments {
    /// Who plays
    first: String,
    /// Against whom
    second: String,
    /// How many games; both games of a deal are neighbours
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The first deal's number
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Milliseconds a move
    #[arg(long, value_name = "MS", group = "pace", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Positions a move
    #[arg(long, value_name = "N", group = "pace", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Seconds a game and player, without increment
    #[arg(long, value_name = "S", group = "pace", value_parser = clap::value_parser!(u64).range(1..))]
    clock: Option<u64>,
    /// Append a line for every game: number, who flipped first, result, why, moves
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rules: input::RuleArguments,
    #[command(flatten)]
    engine: input::EngineArguments,
}

#[derive(Default, Serialize)]
struct Result {
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    score: f64,
    plies: usize,
    forfeits: Forfeits,
    /// The longest that each player took for a move, in milliseconds.
    slowest: [u128; 2],
}

#[derive(Default, Serialize)]
struct Forfeits {
    time: u32,
    illegal: u32,
    crash: u32,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let resources = arguments.engine.resources()?;
    let mut first = player(&arguments.first, 1, &resources)?;
    let mut second = player(&arguments.second, 2, &resources)?;
    let mut journal = match &arguments.journal {
        Some(path) => {
            let file = OpenOptions::new().create(true).append(true).open(path);
            Some(file.with_context(|| format!("cannot write {}", path.display()))?)
        }
        None => None,
    };
    let (rules, pace) = (arguments.rules.rules(), pace(arguments));
    let mut tally = MatchScore::default();
    let mut result = Result::default();
    for number in 0..arguments.games {
        let game = play_match_game(&mut *first, &mut *second, rules, pace, arguments.seed, number);
        tally.add(game.half_points());
        result.count(&game);
        if let Some(journal) = &mut journal {
            note(journal, &game).context("cannot write the journal")?;
        }
        if !arguments.json {
            output::note(&standing(&tally));
        }
    }
    result.finish(&tally);
    if arguments.json { output::print_json(&result) } else { output::print(&result.described(arguments)) }
}

fn player(text: &str, seed: u64, resources: &Resources) -> anyhow::Result<Box<dyn Player>> {
    match text.strip_prefix("cmd:") {
        Some(command) => Ok(Box::new(Pipe::start(command)?)),
        None => Ok(text.parse::<Level>()?.player(seed, resources)),
    }
}

fn pace(arguments: &Arguments) -> Pace {
    match arguments.clock {
        Some(seconds) => Pace::Clock(Duration::from_secs(seconds)),
        None => Pace::Each(Limits {
            time: arguments.movetime.map(Duration::from_millis),
            nodes: arguments.nodes,
            ..Limits::default()
        }),
    }
}

fn standing(tally: &MatchScore) -> String {
    let MatchScore { wins, draws, losses } = tally;
    format!("{} games: +{wins} ={draws} -{losses}, {:.1} %", tally.games(), 100.0 * tally.score())
}

fn note(journal: &mut File, game: &MatchGame) -> std::io::Result<()> {
    let points = ["lost", "drawn", "won"][usize::from(game.half_points())];
    let first = if game.first_flips { "first" } else { "second" };
    let played = game.finished.game.played();
    let moves: Vec<String> = played.iter().map(|&ply| text::played_text(ply, SquareStyle::Tall)).collect();
    writeln!(
        journal,
        "{} {first}-flips {points} {} {}",
        game.number,
        reason(&game.finished.ending),
        moves.join(" ")
    )
}

fn reason(ending: &Ending) -> String {
    match ending {
        Ending::Rules(GameEnd::Won { because, .. }) => format!("{because:?}"),
        Ending::Rules(GameEnd::Drawn(because)) => format!("{because:?}"),
        Ending::Forfeit { because, .. } => format!("forfeit({because})").replace(' ', "_"),
    }
}

impl Result {
    fn count(&mut self, game: &MatchGame) {
        self.plies += game.finished.game.played().len();
        if let Ending::Forfeit { because, .. } = &game.finished.ending {
            match because {
                Failure::Time => self.forfeits.time += 1,
                Failure::Illegal(_) => self.forfeits.illegal += 1,
                Failure::Broken(_) => self.forfeits.crash += 1,
            }
        }
        let order = if game.first_flips { [0, 1] } else { [1, 0] };
        for (player, end) in order.into_iter().enumerate() {
            self.slowest[player] = self.slowest[player].max(game.finished.slowest[end].as_millis());
        }
    }

    fn finish(&mut self, tally: &MatchScore) {
        self.games = tally.games();
        (self.wins, self.draws, self.losses) = (tally.wins, tally.draws, tally.losses);
        self.score = tally.score();
        self.plies /= self.games.max(1) as usize;
    }

    fn described(&self, arguments: &Arguments) -> String {
        let Self { games, wins, draws, losses, score, plies, forfeits, slowest } = self;
        let Forfeits { time, illegal, crash } = forfeits;
        format!(
            "{} against {}: {games} games, +{wins} ={draws} -{losses}, {:.1} %, {plies} plies a game\n\
             forfeits: {time} time, {illegal} illegal, {crash} broken; slowest moves {} and {} ms\n",
            arguments.first,
            arguments.second,
            100.0 * score,
            slowest[0],
            slowest[1]
        )
    }
}
