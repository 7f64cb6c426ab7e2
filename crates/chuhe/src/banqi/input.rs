//! Options that the Banqi commands share: rules, positions, endgame tables.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use chuhe_banqi::endgame::Endgames;
use chuhe_banqi::{CannonRule, Game, Played, Position, Resources, Rules, SquareStyle, Taking, text};
use chuhe_storage::Home;
use clap::{Args, ValueEnum};

/// The rules of a game.
#[derive(Args)]
pub(crate) struct RuleArguments {
    /// The rule set: olympiad, foodchain, foodchain25, ntu2016 or ntu2021
    #[arg(long, value_name = "NAME", default_value = "olympiad", value_parser = named_rules)]
    rules: Rules,
    /// Who takes whom, if not as the rule set says
    #[arg(long, value_enum)]
    taking: Option<TakingName>,
    /// How cannons take, if not as the rule set says
    #[arg(long, value_enum)]
    cannon: Option<CannonName>,
    /// Draw after N plies without flip or capture; 0 for never
    #[arg(long, value_name = "PLIES")]
    quiet_limit: Option<u16>,
    /// Draw on the Nth repetition; 0 for never
    #[arg(long, value_name = "N")]
    repetitions: Option<u8>,
    /// Lose on the Nth consecutive chase of one piece; 0 for never
    #[arg(long, value_name = "N")]
    chase_limit: Option<u8>,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum TakingName {
    Taiwanese,
    SoldiersTakeCannons,
    HongKong,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum CannonName {
    Jumps,
    JumpsAndSteps,
    Steps,
}

impl From<TakingName> for Taking {
    fn from(name: TakingName) -> Self {
        match name {
            TakingName::Taiwanese => Self::Taiwanese,
            TakingName::SoldiersTakeCannons => Self::SoldiersTakeCannons,
            TakingName::HongKong => Self::HongKong,
        }
    }
}

impl From<CannonName> for CannonRule {
    fn from(name: CannonName) -> Self {
        match name {
            CannonName::Jumps => Self::Jumps,
            CannonName::JumpsAndSteps => Self::JumpsAndSteps,
            CannonName::Steps => Self::Steps,
        }
    }
}

fn named_rules(name: &str) -> Result<Rules, String> {
    Rules::named(name).ok_or_else(|| {
        let names: Vec<&str> = Rules::NAMED.iter().map(|&(known, _)| known).collect();
        format!("use one of {}", names.join(", "))
    })
}

impl RuleArguments {
    pub(crate) fn rules(&self) -> Rules {
        let mut rules = self.rules;
        if let Some(taking) = self.taking {
            rules.taking = taking.into();
        }
        if let Some(cannon) = self.cannon {
            rules.cannon = cannon.into();
        }
        if let Some(limit) = self.quiet_limit {
            rules.quiet_limit = (limit > 0).then_some(limit);
        }
        if let Some(limit) = self.repetitions {
            rules.repetitions = (limit > 0).then_some(limit);
        }
        if let Some(limit) = self.chase_limit {
            rules.chase_limit = (limit > 0).then_some(limit);
        }
        rules
    }
}

/// How squares are written.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum StyleName {
    /// a–h by 1–4
    Wide,
    /// a–d by 1–8
    Tall,
}

impl From<StyleName> for SquareStyle {
    fn from(name: StyleName) -> Self {
        match name {
            StyleName::Wide => Self::Wide,
            StyleName::Tall => Self::Tall,
        }
    }
}

/// A position, and what is played from it.
#[derive(Args)]
pub(crate) struct GameArguments {
    /// The position: rows, side, pool and, if wanted, quiet plies; all face down if missing
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,
    /// Plies to play from there first: a1-a2 or c3(R)
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,
    /// How squares are read and written
    #[arg(long, value_enum, default_value = "wide")]
    squares: StyleName,
    #[command(flatten)]
    rules: RuleArguments,
}

impl GameArguments {
    pub(crate) fn style(&self) -> SquareStyle {
        self.squares.into()
    }

    pub(crate) fn game(&self) -> anyhow::Result<Game> {
        let position = match &self.position {
            Some(text) => text.parse().with_context(|| format!("bad --position '{text}'"))?,
            None => Position::start(),
        };
        let mut game = Game::new(position, self.rules.rules());
        for text in self.moves.split_whitespace() {
            let ply = ply(text, self.style()).context("bad --moves")?;
            game.play(ply).with_context(|| format!("bad --moves: {text}"))?;
        }
        Ok(game)
    }
}

/// A ply with what a flip revealed.
fn ply(text: &str, style: SquareStyle) -> anyhow::Result<Played> {
    match text::parse_move(text, style)? {
        (mv, Some(shown)) => Ok(Played::Flip(mv.from(), shown)),
        (mv, None) if mv.is_flip() => bail!("'{text}' does not say what the flip revealed: write {text}(R)"),
        (mv, None) => Ok(Played::Step(mv.from(), mv.to())),
    }
}

/// The engine's resources.
#[derive(Args)]
pub(crate) struct EngineArguments {
    /// How many threads search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// The size of the transposition table
    #[arg(long, value_name = "MB", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    #[command(flatten)]
    tables: TableArguments,
}

impl EngineArguments {
    pub(crate) fn resources(&self) -> anyhow::Result<Resources> {
        Ok(Resources {
            threads: self.threads.into(),
            megabytes: self.hash as usize,
            endgames: self.tables.read_if_there()?.map(Arc::new),
        })
    }
}

/// Where the endgame tables are.
#[derive(Args)]
pub(crate) struct TableArguments {
    /// The endgame tables' file; by default banqi.tables among the user's tables, if it is there
    #[arg(long, value_name = "FILE")]
    tables: Option<PathBuf>,
}

impl TableArguments {
    pub(crate) fn path(&self) -> anyhow::Result<PathBuf> {
        match &self.tables {
            Some(path) => Ok(path.clone()),
            None => default_path().context("no home directory is known: name the file with --tables"),
        }
    }

    pub(crate) fn read(&self) -> anyhow::Result<Endgames> {
        read(&self.path()?)
    }

    fn read_if_there(&self) -> anyhow::Result<Option<Endgames>> {
        match (&self.tables, default_path()) {
            (Some(path), _) => read(path).map(Some),
            (None, Some(path)) if path.exists() => read(&path).map(Some),
            (None, _) => Ok(None),
        }
    }
}

fn read(path: &Path) -> anyhow::Result<Endgames> {
    let name = || format!("cannot read the endgame tables {}", path.display());
    let file = File::open(path).with_context(name)?;
    Endgames::read(&mut BufReader::new(file)).with_context(name)
}

/// The user's own tables.
fn default_path() -> Option<PathBuf> {
    Home::find().map(|home| home.banqi_tables())
}
