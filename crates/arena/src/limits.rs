//! How long an engine may think: clocks, fixed time, nodes, depth.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// What an engine is given for its moves. Several limits hold together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// A clock for the game.
    pub clock: Option<TimeControl>,
    /// Exactly this long a move.
    pub move_time: Option<Duration>,
    /// Nodes a move.
    pub nodes: Option<u64>,
    /// Plies a move.
    pub depth: Option<u32>,
}

impl Limits {
    /// Whether nothing at all is limited.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The limits in words: `10+0.1`, `20 ms a move`, `5000 nodes`.
impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = [
            self.clock.map(|clock| clock.to_string()),
            self.move_time.map(|time| format!("{} ms a move", time.as_millis())),
            self.nodes.map(|nodes| format!("{nodes} nodes")),
            self.depth.map(|depth| format!("depth {depth}")),
        ]
        .into_iter()
        .flatten()
        .collect();
        f.write_str(if parts.is_empty() { "no limit".to_owned() } else { parts.join(", ") }.as_str())
    }
}

/// A clock: base time, increment and maybe a number of moves after which the base time is given again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Moves for each base time; `None` means that it is for the whole game.
    pub moves: Option<u32>,
    /// The time at the start.
    pub base: Duration,
    /// What is added after each move.
    pub increment: Duration,
}

/// Why a text is no time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a time control: expected seconds such as '10+0.1', '1:30+1' or '40/60'")]
pub struct TimeControlError(String);

/// Reads `[moves/][minutes:]seconds[+increment]`.
impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        parse(text).ok_or_else(|| TimeControlError(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<TimeControl> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(moves.parse().ok().filter(|moves| *moves > 0)?), rest),
        None => (None, text),
    };
    let (base, increment) = match rest.split_once('+') {
        Some((base, increment)) => (base, seconds(increment)?),
        None => (rest, Duration::ZERO),
    };
    let base = match base.split_once(':') {
        Some((minutes, rest)) => Duration::from_secs(60).checked_mul(minutes.parse().ok()?)? + seconds(rest)?,
        None => seconds(base)?,
    };
    (!base.is_zero()).then_some(TimeControl { moves, base, increment })
}

fn seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.parse().ok()?).ok().filter(|time| *time < Duration::from_secs(1_000_000))
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_read_back() {
        for text in ["10+0.1", "40/60+0.5", "90", "0.5"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        assert_eq!("1:30+1".parse::<TimeControl>().unwrap().to_string(), "90+1");
    }

    #[test]
    fn what_is_no_time_control_is_refused() {
        for text in ["", "ten", "0", "-5", "10+", "0/10", "1e99", "inf", "x/10", "10+-1"] {
            let error = text.parse::<TimeControl>().unwrap_err();
            assert!(error.to_string().contains(text), "{error}");
        }
    }
}
