//! Other engines, to compare ours with: a program that runs for one analysis.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use chuhe_arena::{AnalysisError, EngineLine, EngineSpec, Limits, analyse};
use chuhe_board::Move;
use chuhe_board::coords::RankStyle;
use chuhe_eval::Score;
use chuhe_protocol::{Line, ScoreValue};
use chuhe_referee::Game;
use tokio::sync::OwnedSemaphorePermit;

use crate::settings::Rival;

/// The timeout of the handshake, and of the answer after the engine's time.
const PATIENCE: Duration = Duration::from_secs(10);

/// A line of an engine, with the score for the side to move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    pub(crate) depth: u32,
    pub(crate) score: Option<Score>,
    pub(crate) moves: Vec<Move>,
}

/// Cancels the analysis when the visitor's request is dropped.
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Asks an engine for its best lines; one without `MultiPV` finds one. `permit` is held until its program has ended.
pub(crate) async fn ask(
    rival: &Rival,
    game: &Game,
    time: Duration,
    lines: usize,
    permit: OwnedSemaphorePermit,
) -> Result<Vec<Found>, AnalysisError> {
    let spec = spec(rival, time);
    let moves = game.history().plies().iter().filter_map(|ply| ply.mv()).collect();
    let line = Line { start: game.start().clone(), moves };
    let position = game.position().clone();
    let guard = CancelOnDrop(Arc::default());
    let cancelled = Arc::clone(&guard.0);
    let analysis = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        analyse(&spec, &line, &position, lines, &|| cancelled.load(Ordering::Relaxed))
    });
    let found = analysis.await.map_err(|_| AnalysisError::Cancelled)??;
    Ok(found.into_iter().map(Found::from).collect())
}

fn spec(rival: &Rival, time: Duration) -> EngineSpec {
    let mut command = vec![rival.program.to_string_lossy().into_owned()];
    command.extend(rival.arguments.iter().cloned());
    let limits = Limits { move_time: Some(time), ..Limits::default() };
    let ranks = if rival.ranks_from_one { RankStyle::FromOne } else { RankStyle::FromZero };
    let options = rival.options.clone().into_iter().collect();
    let spec = EngineSpec::new(&rival.name, command, rival.protocol, limits);
    EngineSpec { ranks, options, patience: PATIENCE, ..spec }
}

impl From<EngineLine> for Found {
    fn from(EngineLine { depth, score, moves }: EngineLine) -> Self {
        Self { depth, score: score.map(|score| score_of(score.value)), moves }
    }
}

fn score_of(value: ScoreValue) -> Score {
    /// The longest mate that a score can express, in moves.
    const LONGEST_MATE: i32 = 400;
    match value {
        ScoreValue::Centipawns(number) => Score::centisoldiers(number),
        ScoreValue::Mate(moves) if moves > 0 => Score::won_in((2 * moves.min(LONGEST_MATE) - 1) as u16),
        ScoreValue::Mate(moves) => Score::lost_in((-2 * moves.max(-LONGEST_MATE)) as u16),
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::Position;
    use chuhe_protocol::Protocol;
    use tokio::sync::Semaphore;

    use super::*;

    #[test]
    fn mates_keep_their_distance() {
        assert_eq!(score_of(ScoreValue::Mate(2)), Score::won_in(3));
        assert_eq!(score_of(ScoreValue::Mate(-2)), Score::lost_in(4));
        assert_eq!(score_of(ScoreValue::Mate(i32::MIN)), Score::lost_in(800));
    }

    fn scripted(script: &str) -> Rival {
        Rival {
            name: "script".to_owned(),
            program: "/bin/sh".into(),
            arguments: vec!["-c".to_owned(), script.to_owned()],
            protocol: Protocol::Uci,
            ranks_from_one: true,
            options: [("Hash".to_owned(), "4".to_owned())].into(),
        }
    }

    async fn answer(rival: &Rival, time: u64, lines: usize) -> Result<Vec<Found>, AnalysisError> {
        let permit = Arc::new(Semaphore::new(1)).acquire_owned().await.unwrap();
        ask(rival, &Game::new(Position::start()), Duration::from_millis(time), lines, permit).await
    }

    #[tokio::test]
    async fn an_engine_is_asked_in_its_own_words() {
        let script = r#"
            while read line; do case "$line" in
                uci) echo "option name MultiPV type spin default 1 min 1 max 5"; echo uciok ;;
                isready) echo readyok ;;
                "setoption name MultiPV value 2") second="info depth 6 multipv 2 score cp 20 pv b3e3" ;;
                go*) echo "info depth 7 multipv 1 score cp 31 pv h3e3 h10g8"; echo "$second"
                     echo "bestmove h3e3" ;;
            esac; done"#;
        let lines = answer(&scripted(script), 5, 2).await.unwrap();
        let [found, second] = &lines[..] else { panic!("{lines:?}") };
        assert_eq!((second.depth, second.moves[0].to_string()), (6, "b2e2".to_owned()));
        let moves: Vec<String> = found.moves.iter().map(ToString::to_string).collect();
        assert_eq!((found.depth, moves), (7, vec!["h2e2".to_owned(), "h9g7".to_owned()]));
        assert_eq!(found.score, Some(Score::centisoldiers(31)));
    }

    #[tokio::test]
    async fn a_program_that_fails_is_no_engine() {
        let error = answer(&scripted("exit 1"), 0, 1).await.unwrap_err();
        assert!(error.to_string().starts_with("the program ended"), "{error}");
        let missing = Rival { program: "/no/such/engine".into(), ..scripted("") };
        let error = answer(&missing, 0, 1).await.unwrap_err();
        assert!(matches!(error, AnalysisError::Start(_)));
    }
}
