//! Other engines, to compare ours with: a program that is started for one question and ended after it.

use std::io;
use std::process::Stdio;
use std::time::Duration;

use chuhe_board::Move;
use chuhe_board::coords::RankStyle;
use chuhe_eval::Score;
use chuhe_protocol::{Clock, Clocks, Command, Go, Line, Reply, ScoreValue, ucci, uci};
use chuhe_referee::Game;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::time::timeout;

use crate::settings::Rival;

/// How long an engine may take to say who it is, and to answer after its time is over.
const PATIENCE: Duration = Duration::from_secs(10);

/// The option of UCI by which engines tell several lines.
const LINES: &str = "MultiPV";

/// Why an engine gave no line.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RivalError {
    #[error("the program does not start: {0}")]
    Start(io::Error),
    #[error("the program ended")]
    Ended,
    #[error("the program does not answer")]
    Silent,
}

/// The best line of an engine, with the score for the side to move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    pub(crate) depth: u32,
    pub(crate) score: Option<Score>,
    pub(crate) moves: Vec<Move>,
}

/// A running engine. Dropping it ends the program.
struct Talk {
    is_ucci: bool,
    ranks: RankStyle,
    _program: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

/// Asks an engine for its best lines; one that cannot tell several tells one.
pub(crate) async fn ask(
    rival: &Rival,
    game: &Game,
    time: Duration,
    lines: usize,
) -> Result<Vec<Found>, RivalError> {
    let question = async {
        let mut talk = Talk::start(rival)?;
        talk.open(rival, lines).await?;
        talk.search(game, time).await
    };
    timeout(2 * PATIENCE + time, question).await.map_err(|_| RivalError::Silent)?
}

impl Talk {
    fn start(rival: &Rival) -> Result<Self, RivalError> {
        let mut program = tokio::process::Command::new(&rival.program)
            .args(&rival.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .map_err(RivalError::Start)?;
        let input = program.stdin.take().ok_or(RivalError::Ended)?;
        let output = BufReader::new(program.stdout.take().ok_or(RivalError::Ended)?).lines();
        let ranks = if rival.ranks_from_one { RankStyle::FromOne } else { RankStyle::FromZero };
        Ok(Self { is_ucci: rival.protocol == "ucci", ranks, _program: program, input, output })
    }

    async fn open(&mut self, rival: &Rival, lines: usize) -> Result<(), RivalError> {
        self.say(&Command::Handshake).await?;
        let mut tells_lines = false;
        loop {
            match self.hear().await? {
                Some(Reply::Ok) => break,
                Some(Reply::Option(option)) => tells_lines |= option.name.eq_ignore_ascii_case(LINES),
                _ => {}
            }
        }
        for (name, value) in &rival.options {
            self.say(&Command::SetOption { name: name.clone(), value: Some(value.clone()) }).await?;
        }
        if tells_lines {
            let value = Some(lines.to_string());
            self.say(&Command::SetOption { name: LINES.to_owned(), value }).await?;
        }
        self.say(&Command::IsReady).await?;
        while self.hear().await? != Some(Reply::ReadyOk) {}
        Ok(())
    }

    async fn search(&mut self, game: &Game, time: Duration) -> Result<Vec<Found>, RivalError> {
        let moves = game.history().plies().iter().filter_map(|ply| Some(ply.undo()?.mv())).collect();
        self.say(&Command::Position(Line { start: game.start().clone(), moves })).await?;
        self.say(&Command::Go(self.limits(time))).await?;
        let mut found: Vec<Found> = Vec::new();
        loop {
            match self.hear().await? {
                Some(Reply::Info(info)) => {
                    let rank = info.multi_pv.map_or(0, |rank| rank.saturating_sub(1) as usize);
                    if let (Some(score), false) = (info.score, info.pv.is_empty()) {
                        let score = Some(score_of(score.value));
                        let line = Found { depth: info.depth.unwrap_or_default(), score, moves: info.pv };
                        if rank == found.len() {
                            found.push(line);
                        } else if let Some(known) = found.get_mut(rank) {
                            *known = line;
                        }
                    }
                }
                Some(Reply::BestMove(best)) => {
                    if found.is_empty() {
                        found.push(Found { moves: vec![best.mv], ..Found::default() });
                    }
                    return Ok(found);
                }
                Some(Reply::NoBestMove) => return Ok(found),
                _ => {}
            }
        }
    }

    /// UCCI has no fixed time a move; a clock for one move is the same.
    fn limits(&self, time: Duration) -> Go {
        if !self.is_ucci {
            return Go { move_time: Some(time), ..Go::default() };
        }
        let own = Clock { left: Some(time), increment: Duration::ZERO, moves_to_go: Some(1) };
        Go { clocks: Some(Clocks::ByTurn { own, opponent: Clock::default() }), ..Go::default() }
    }

    async fn say(&mut self, command: &Command) -> Result<(), RivalError> {
        let line = if self.is_ucci {
            ucci::write_command(command, self.ranks)
        } else {
            uci::write_command(command, self.ranks)
        };
        let Some(line) = line else {
            return Ok(());
        };
        self.input.write_all(format!("{line}\n").as_bytes()).await.map_err(|_| RivalError::Ended)
    }

    /// The next line; nothing if it makes no sense.
    async fn hear(&mut self) -> Result<Option<Reply>, RivalError> {
        let line = self.output.next_line().await.ok().flatten().ok_or(RivalError::Ended)?;
        let reply = if self.is_ucci {
            ucci::parse_reply(&line, self.ranks)
        } else {
            uci::parse_reply(&line, self.ranks)
        };
        Ok(reply.ok())
    }
}

fn score_of(value: ScoreValue) -> Score {
    /// No mate is farther.
    const FARTHEST: i32 = 400;
    match value {
        ScoreValue::Centipawns(number) => Score::centisoldiers(number),
        ScoreValue::Mate(moves) if moves > 0 => Score::won_in((2 * moves.min(FARTHEST) - 1) as u16),
        ScoreValue::Mate(moves) => Score::lost_in((-2 * moves.max(-FARTHEST)) as u16),
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::Position;

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
            protocol: "uci".to_owned(),
            ranks_from_one: true,
            options: [("Hash".to_owned(), "4".to_owned())].into(),
        }
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
        let game = Game::new(Position::start());
        let lines = ask(&scripted(script), &game, Duration::from_millis(5), 2).await.unwrap();
        let [found, second] = &lines[..] else { panic!("{lines:?}") };
        assert_eq!((second.depth, second.moves[0].to_string()), (6, "b2e2".to_owned()));
        let moves: Vec<String> = found.moves.iter().map(ToString::to_string).collect();
        assert_eq!((found.depth, moves), (7, vec!["h2e2".to_owned(), "h9g7".to_owned()]));
        assert_eq!(found.score, Some(Score::centisoldiers(31)));
    }

    #[tokio::test]
    async fn a_program_that_fails_is_no_engine() {
        let game = Game::new(Position::start());
        let error = ask(&scripted("exit 1"), &game, Duration::ZERO, 1).await.unwrap_err();
        assert_eq!(error.to_string(), "the program ended");
        let missing = Rival { program: "/no/such/engine".into(), ..scripted("") };
        let error = ask(&missing, &game, Duration::ZERO, 1).await.unwrap_err();
        assert!(matches!(error, RivalError::Start(_)));
    }
}
