//! Matches as people write them down: `name=a,cmd=./chuhe,option.Hash=16` and TOML files.

use std::path::{Path, PathBuf};
use std::time::Duration;

use chuhe_board::coords::RankStyle;
use chuhe_protocol::UnknownProtocol;
use serde::Deserialize;

use crate::{EngineSpec, Limits, TimeControlError};

/// What is said about an engine, key by key, as it was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings(Vec<(String, String)>);

/// Why settings make no engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// Not of the form `key=value`.
    #[error("'{0}' is not of the form key=value")]
    Form(String),
    /// A quote that is never closed.
    #[error("a quote is not closed in '{0}'")]
    Quote(String),
    /// A key that nobody knows.
    #[error(
        "unknown key '{0}': known are name, cmd, dir, proto, ranks, option.NAME, init, tc, movetime, nodes, depth, margin, patience, timefactor"
    )]
    Key(String),
    /// A value that makes no sense.
    #[error("'{value}' is no value for '{key}': expected {expected}")]
    Value {
        /// The key.
        key: String,
        /// What was written.
        value: String,
        /// What would make sense.
        expected: &'static str,
    },
    /// A value of a TOML file that cannot be one.
    #[error("'{0}' must be a text or a number")]
    Kind(String),
    /// An engine without a program.
    #[error("an engine needs a program: cmd=…")]
    NoCommand,
    /// A bad protocol.
    #[error(transparent)]
    Protocol(#[from] UnknownProtocol),
    /// A bad clock.
    #[error(transparent)]
    TimeControl(#[from] TimeControlError),
}

impl Settings {
    /// Reads `key=value,key=value`; commas inside quotes belong to the value.
    ///
    /// ```
    /// use chuhe_arena::{Limits, settings::Settings};
    ///
    /// let settings = Settings::parse("cmd='./chuhe --quiet',option.Hash=16,tc=10+0.1")?;
    /// let engine = settings.engine(&Settings::default(), &Limits::default())?;
    /// assert_eq!(engine.name, "chuhe");
    /// assert_eq!(engine.command, ["./chuhe", "--quiet"]);
    /// # Ok::<(), chuhe_arena::settings::SettingsError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, SettingsError> {
        let parts = split(text, |letter| letter == ',', true)?;
        let pair = |part: &String| {
            let (key, value) = part.split_once('=').ok_or_else(|| SettingsError::Form(part.clone()))?;
            Ok((key.trim().to_owned(), value.to_owned()))
        };
        parts.iter().map(pair).collect::<Result<_, SettingsError>>().map(Self)
    }

    /// Reads a table of a TOML file, in which `option` is a table and `cmd` and `init` may be lists.
    pub fn from_table(table: &toml::Table) -> Result<Self, SettingsError> {
        let mut settings = Vec::new();
        for (key, value) in table {
            match value {
                toml::Value::Table(options) if key == "option" => {
                    for (name, value) in options {
                        settings.push((format!("option.{name}"), plain(name, value)?));
                    }
                }
                toml::Value::Array(list) if key == "init" || key == "cmd" => {
                    for value in list {
                        settings.push((key.clone(), plain(key, value)?));
                    }
                }
                value => settings.push((key.clone(), plain(key, value)?)),
            }
        }
        Ok(Self(settings))
    }

    /// These settings and then those.
    pub fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// The engine described, with `each` as defaults.
    /// An engine with limits of its own has only those.
    pub fn engine(&self, each: &Self, limits: &Limits) -> Result<EngineSpec, SettingsError> {
        let limits = self.limits()?.or(each.limits()?).unwrap_or_else(|| limits.clone());
        let mut spec = EngineSpec::new("", Vec::new(), chuhe_protocol::Protocol::Uci, limits);
        for (key, value) in each.0.iter().chain(&self.0) {
            apply(&mut spec, key, value)?;
        }
        spec.command = match self.command()? {
            own if own.is_empty() => each.command()?,
            own => own,
        };
        let program = spec.command.first().ok_or(SettingsError::NoCommand)?;
        if spec.name.is_empty() {
            spec.name = Path::new(program).file_name().unwrap_or_default().to_string_lossy().into_owned();
        }
        Ok(spec)
    }

    /// The program and its arguments, if they are said here: a text is split as a shell would, a list of
    /// words in a file is taken word by word.
    fn command(&self) -> Result<Vec<String>, SettingsError> {
        let said: Vec<&String> =
            self.0.iter().filter(|(key, _)| key == "cmd").map(|(_, value)| value).collect();
        match said.as_slice() {
            [text] => words(text),
            list => Ok(list.iter().map(|word| (*word).clone()).collect()),
        }
    }

    /// The limits said here, if any.
    fn limits(&self) -> Result<Option<Limits>, SettingsError> {
        let mut limits = Limits::default();
        for (key, value) in &self.0 {
            match key.as_str() {
                "tc" => limits.clock = Some(value.parse()?),
                "movetime" => limits.move_time = Some(milliseconds(key, value)?),
                "nodes" => limits.nodes = Some(number(key, value)?),
                "depth" => limits.depth = Some(number(key, value)?),
                _ => {}
            }
        }
        Ok(Some(limits).filter(|limits| !limits.is_empty()))
    }
}

fn apply(spec: &mut EngineSpec, key: &str, value: &str) -> Result<(), SettingsError> {
    let bad = |expected| SettingsError::Value { key: key.to_owned(), value: value.to_owned(), expected };
    match key {
        "name" => spec.name = value.to_owned(),
        "dir" => spec.dir = Some(PathBuf::from(value)),
        "proto" => spec.protocol = value.parse()?,
        "ranks" => {
            spec.ranks = match value {
                "0" => RankStyle::FromZero,
                "1" => RankStyle::FromOne,
                _ => return Err(bad("0 for ranks 0–9 or 1 for ranks 1–10")),
            }
        }
        "init" => spec.init.push(value.to_owned()),
        "margin" => spec.margin = milliseconds(key, value)?,
        "patience" => {
            let seconds = value.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            let sane = |time: &Duration| !time.is_zero() && *time < Duration::from_secs(10_000_000);
            spec.patience = seconds.filter(sane).ok_or_else(|| bad("seconds"))?;
        }
        "timefactor" => {
            let factor = value.parse().ok().filter(|factor| (1.0..=1000.0).contains(factor));
            spec.time_factor = factor.ok_or_else(|| bad("a number from 1 to 1000"))?;
        }
        "cmd" | "tc" | "movetime" | "nodes" | "depth" => {}
        _ => match key.strip_prefix("option.") {
            Some(name) => {
                spec.options.retain(|(known, _)| known != name);
                spec.options.push((name.to_owned(), value.to_owned()));
            }
            None => return Err(SettingsError::Key(key.to_owned())),
        },
    }
    Ok(())
}

fn number<N: std::str::FromStr + PartialOrd + From<u8>>(key: &str, value: &str) -> Result<N, SettingsError> {
    value.parse().ok().filter(|number| *number > N::from(0)).ok_or_else(|| SettingsError::Value {
        key: key.to_owned(),
        value: value.to_owned(),
        expected: "a number above 0",
    })
}

fn milliseconds(key: &str, value: &str) -> Result<Duration, SettingsError> {
    let milliseconds: u32 = value.parse().map_err(|_| SettingsError::Value {
        key: key.to_owned(),
        value: value.to_owned(),
        expected: "milliseconds",
    })?;
    Ok(Duration::from_millis(milliseconds.into()))
}

fn plain(key: &str, value: &toml::Value) -> Result<String, SettingsError> {
    match value {
        toml::Value::String(text) => Ok(text.clone()),
        toml::Value::Integer(number) => Ok(number.to_string()),
        toml::Value::Float(number) => Ok(number.to_string()),
        toml::Value::Boolean(truth) => Ok(truth.to_string()),
        _ => Err(SettingsError::Kind(key.to_owned())),
    }
}

/// The words of a command line, with quotes as a shell has them.
fn words(text: &str) -> Result<Vec<String>, SettingsError> {
    split(text, char::is_whitespace, false)
}

/// The non-empty parts of a text between separators outside quotes; the quotes stay if `keep` says so
/// and do not begin the value.
fn split(text: &str, is_separator: impl Fn(char) -> bool, keep: bool) -> Result<Vec<String>, SettingsError> {
    let mut parts = vec![String::new()];
    let mut quote = None;
    let mut quoted = false;
    for letter in text.chars() {
        let last = parts.last_mut().expect("there is always a last part");
        match quote {
            Some(open) if letter == open => {
                quote = None;
                if keep && !quoted {
                    last.push(letter);
                }
            }
            Some(_) => last.push(letter),
            None if letter == '"' || letter == '\'' => {
                quote = Some(letter);
                // A value that is quoted as a whole loses its quotes; a command line keeps them.
                quoted = last.ends_with('=') || last.is_empty();
                if keep && !quoted {
                    last.push(letter);
                }
            }
            None if is_separator(letter) => parts.push(String::new()),
            None => last.push(letter),
        }
    }
    if quote.is_some() {
        return Err(SettingsError::Quote(text.to_owned()));
    }
    parts.retain(|part| !part.trim().is_empty());
    Ok(parts)
}

/// A match as a TOML file has it. Everything may be missing; flags of the command line come first.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MatchFile {
    /// The engines, as `[[engine]]`.
    #[serde(default, rename = "engine")]
    pub engines: Vec<toml::Table>,
    /// The defaults of all engines.
    #[serde(default)]
    pub each: toml::Table,
    /// The file of openings.
    pub openings: Option<PathBuf>,
    /// How many plies of each opening are played at most.
    pub opening_plies: Option<usize>,
    /// How the openings count ranks: 0 or 1.
    pub opening_ranks: Option<u8>,
    /// Games for each pairing.
    pub games: Option<usize>,
    /// The same in pairs of games.
    pub rounds: Option<usize>,
    /// A clock.
    pub tc: Option<String>,
    /// Milliseconds a move.
    pub movetime: Option<u32>,
    /// Nodes a move.
    pub nodes: Option<u64>,
    /// Plies a move.
    pub depth: Option<u32>,
    /// Games at a time.
    pub concurrency: Option<usize>,
    /// Shuffles the openings.
    pub seed: Option<u64>,
    /// `round-robin` or `gauntlet`.
    pub format: Option<String>,
    /// A sequential test: `elo0=0,elo1=5`.
    pub sprt: Option<String>,
    /// When both engines agree on a winner: `count=3,score=1000`.
    pub resign: Option<String>,
    /// When both engines agree on a draw: `count=8,score=10,after=80`.
    pub draw: Option<String>,
    /// The folder of endgame tables that decide games, or `none`.
    pub tablebase: Option<String>,
    /// The longest game, in plies.
    pub max_plies: Option<usize>,
    /// Where games are kept as PGN.
    pub pgn: Option<PathBuf>,
    /// Where events are noted.
    pub log: Option<PathBuf>,
    /// The journal.
    pub resume: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(text: &str) -> Result<EngineSpec, SettingsError> {
        Settings::parse(text)?.engine(&Settings::default(), &Limits::default())
    }

    #[test]
    fn an_engine_is_described_key_by_key() {
        let spec = engine("name=a,cmd=./chuhe,proto=ucci,ranks=1,option.Hash=16,option.Move Overhead=5,tc=10+0.1,dir=/tmp,init=hello,margin=50").unwrap();
        assert_eq!(spec.name, "a");
        assert_eq!(spec.protocol, chuhe_protocol::Protocol::Ucci);
        assert_eq!(spec.ranks, RankStyle::FromOne);
        assert_eq!(spec.options, [("Hash".into(), "16".into()), ("Move Overhead".into(), "5".into())]);
        assert_eq!(spec.limits.to_string(), "10+0.1");
        assert_eq!(spec.init, ["hello"]);
        assert_eq!(spec.margin.as_millis(), 50);
    }

    #[test]
    fn quotes_protect_commas_and_spaces() {
        let spec = engine("cmd=\"./a b,c\",nodes=5").unwrap();
        assert_eq!(spec.command, ["./a", "b,c"]);
        let spec = engine("cmd=./a 'b, c',nodes=5").unwrap();
        assert_eq!(spec.command, ["./a", "b, c"]);
        assert_eq!(engine("cmd='./a").unwrap_err().to_string(), "a quote is not closed in 'cmd='./a'");
    }

    #[test]
    fn an_engine_goes_its_own_way() {
        let each = Settings::parse("option.Hash=16,tc=1+1,proto=xboard").unwrap();
        let global = Limits { depth: Some(3), ..Limits::default() };
        let own = |text| Settings::parse(text).unwrap().engine(&each, &global).unwrap();
        let plain = own("cmd=x");
        assert_eq!(plain.limits.to_string(), "1+1");
        assert_eq!(plain.protocol, chuhe_protocol::Protocol::Xboard);
        let special = own("cmd=x,option.Hash=32,nodes=1000,proto=uci");
        assert_eq!(special.limits.to_string(), "1000 nodes");
        assert_eq!(special.options, [("Hash".into(), "32".into())]);
    }

    #[test]
    fn a_file_says_the_same() {
        let text = r#"
            games = 20
            format = "gauntlet"
            [each]
            movetime = 20
            [[engine]]
            cmd = ["./a", "b c"]
            init = ["one", "two"]
            [engine.option]
            Hash = 16
            Ponder = false
        "#;
        let file: MatchFile = toml::from_str(text).unwrap();
        let each = Settings::from_table(&file.each).unwrap();
        let spec = Settings::from_table(&file.engines[0]).unwrap().engine(&each, &Limits::default()).unwrap();
        assert_eq!(spec.command, ["./a", "b c"]);
        assert_eq!(spec.init, ["one", "two"]);
        assert_eq!(spec.options, [("Hash".into(), "16".into()), ("Ponder".into(), "false".into())]);
        assert_eq!(spec.limits.to_string(), "20 ms a move");
        assert!(toml::from_str::<MatchFile>("gmaes = 3").is_err());
        let shared: toml::Table = toml::from_str("cmd = ['./a', 'b c']").unwrap();
        let spec = Settings::default().engine(&Settings::from_table(&shared).unwrap(), &Limits::default());
        assert_eq!(spec.unwrap().command, ["./a", "b c"]);
    }

    #[test]
    fn errors_name_the_culprit() {
        let message = |text| engine(text).unwrap_err().to_string();
        assert_eq!(message("name"), "'name' is not of the form key=value");
        assert!(message("cmd=x,hash=5").starts_with("unknown key 'hash'"));
        assert_eq!(message("cmd=x,proto=usi"), "'usi' is not a protocol: expected uci, ucci or xboard");
        assert!(message("cmd=x,ranks=2").starts_with("'2' is no value for 'ranks'"));
        assert!(message("cmd=x,nodes=0").starts_with("'0' is no value for 'nodes'"));
        assert!(message("cmd=x,tc=fast").starts_with("'fast' is not a time control"));
        assert!(message("cmd=x,patience=1e300").starts_with("'1e300' is no value"));
        assert_eq!(message("name=a"), "an engine needs a program: cmd=…");
    }
}
