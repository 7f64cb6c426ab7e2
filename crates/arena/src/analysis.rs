//! Analysis by another engine: its best lines in one position, over UCI or UCCI.

use std::time::{Duration, Instant};

use chuhe_board::{Move, Position};
use chuhe_protocol::{Line, Protocol, Reply, Score};

use crate::player::{Question, StartError, UciClient};
use crate::process::{Process, ReadError};
use crate::{EngineSpec, Log};

/// How often a cancelled analysis is noticed.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A line that an engine found, with the score for the side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineLine {
    /// The depth it was searched to.
    pub depth: u32,
    /// Its score, if the engine sent one.
    pub score: Option<Score>,
    /// Its moves; never empty.
    pub moves: Vec<Move>,
}

/// Why an engine found no line.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    /// The engine does not start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// Only UCI and UCCI report lines that can be analysed.
    #[error("{0} engines cannot be asked for an analysis")]
    Protocol(Protocol),
    /// The program ended during the search.
    #[error("{0}")]
    Ended(String),
    /// No answer within the engine's time and patience.
    #[error("the engine does not answer")]
    Timeout,
    /// The caller lost interest.
    #[error("the analysis was cancelled")]
    Cancelled,
}

/// Starts an engine, asks it for its best lines within its limits, and ends it. An engine without `MultiPV` finds one
/// line. The engine is killed as soon as `is_cancelled` is true.
pub fn analyse(
    spec: &EngineSpec,
    line: &Line,
    position: &Position,
    multi_pv: usize,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Vec<EngineLine>, AnalysisError> {
    if spec.protocol == Protocol::Xboard {
        return Err(AnalysisError::Protocol(spec.protocol));
    }
    let mut process =
        Process::start(spec, &Log::default()).map_err(|error| StartError::program(spec, error))?;
    let client = UciClient::new(spec.protocol).with_multi_pv(multi_pv);
    client.configure(&mut process, spec)?;
    let question = Question { line, position, limits: &spec.limits, clocks: [None, None] };
    client.start_search(&mut process, spec, &question).map_err(|_| ended(&mut process))?;
    let deadline = Instant::now() + spec.limits.move_time.unwrap_or_default() + spec.patience;
    let mut lines = Vec::new();
    loop {
        if is_cancelled() {
            return Err(AnalysisError::Cancelled);
        }
        let received = match process.receive(deadline.min(Instant::now() + POLL_INTERVAL)) {
            Ok(received) => received,
            Err(ReadError::Closed) => return Err(ended(&mut process)),
            Err(ReadError::Timeout) if Instant::now() < deadline => continue,
            Err(ReadError::Timeout) => return Err(AnalysisError::Timeout),
        };
        match client.parse(&received.line, spec.ranks) {
            Ok(Reply::Info(info)) if info.score.is_some() && !info.pv.is_empty() => {
                let rank = info.multi_pv.map_or(0, |rank| rank.saturating_sub(1) as usize);
                let depth = info.depth.unwrap_or_default();
                store(&mut lines, rank, EngineLine { depth, score: info.score, moves: info.pv });
            }
            Ok(Reply::BestMove(best)) => {
                if lines.is_empty() {
                    lines.push(EngineLine { moves: vec![best.mv], ..EngineLine::default() });
                }
                return Ok(lines);
            }
            Ok(Reply::NoBestMove) => return Ok(lines),
            _ => {}
        }
    }
}

fn ended(process: &mut Process) -> AnalysisError {
    AnalysisError::Ended(process.exit_description())
}

/// Replaces the line of this rank, or adds it as the next one.
fn store(lines: &mut Vec<EngineLine>, rank: usize, line: EngineLine) {
    if rank == lines.len() {
        lines.push(line);
    } else if let Some(known) = lines.get_mut(rank) {
        *known = line;
    }
}

#[cfg(all(test, unix))]
mod tests {
    use chuhe_board::coords::RankStyle;
    use chuhe_protocol::ScoreValue;

    use super::*;
    use crate::Limits;

    fn scripted(script: &str) -> EngineSpec {
        let limits = Limits { move_time: Some(Duration::from_millis(5)), ..Limits::default() };
        let command = ["/bin/sh", "-c", script].map(str::to_owned).into();
        let options = vec![("Hash".to_owned(), "4".to_owned())];
        let patience = Duration::from_secs(10);
        let spec = EngineSpec::new("script", command, Protocol::Uci, limits);
        EngineSpec { ranks: RankStyle::FromOne, options, patience, ..spec }
    }

    fn lines(spec: &EngineSpec, is_cancelled: bool) -> Result<Vec<EngineLine>, AnalysisError> {
        let start = Position::start();
        let line = Line { start: start.clone(), moves: Vec::new() };
        analyse(spec, &line, &start, 2, &|| is_cancelled)
    }

    const SCRIPT: &str = r#"
        while read line; do case "$line" in
            uci) echo "option name MultiPV type spin default 1 min 1 max 5"; echo uciok ;;
            isready) echo readyok ;;
            "setoption name MultiPV value 2") second="info depth 6 multipv 2 score cp 20 pv b3e3" ;;
            go*) echo "info depth 7 multipv 1 score cp 31 pv h3e3 h10g8"; echo "$second"
                 echo "bestmove h3e3" ;;
        esac; done"#;

    #[test]
    fn an_engine_reports_its_lines_in_its_own_rank_style() {
        let lines = lines(&scripted(SCRIPT), false).unwrap();
        let [best, second] = &lines[..] else { panic!("{lines:?}") };
        assert_eq!((second.depth, second.moves[0].to_string()), (6, "b2e2".to_owned()));
        let moves: Vec<String> = best.moves.iter().map(ToString::to_string).collect();
        assert_eq!((best.depth, moves), (7, vec!["h2e2".to_owned(), "h9g7".to_owned()]));
        assert_eq!(best.score.map(|score| score.value), Some(ScoreValue::Centipawns(31)));
    }

    #[test]
    fn failing_programs_and_cancelled_analyses_are_errors() {
        let error = lines(&scripted("exit 1"), false).unwrap_err();
        assert!(error.to_string().starts_with("the program ended"), "{error}");
        let missing = EngineSpec { command: vec!["/no/such/engine".to_owned()], ..scripted("") };
        assert!(matches!(lines(&missing, false), Err(AnalysisError::Start(StartError::Program { .. }))));
        assert!(matches!(lines(&scripted(SCRIPT), true), Err(AnalysisError::Cancelled)));
    }
}
