//! One game between two engines, from the opening to the end.

use std::sync::Arc;
use std::time::Duration;

use chuhe_board::{Move, Outcome, Side};
use chuhe_protocol::{Clock, Line};

use crate::adjudicate::{History, Judge, Ruling, ScoreRules};
use crate::openings::Opening;
use crate::player::{Excuse, Fault, Player, Progress, Question, Thought};
use crate::record::{MoveRecord, Termination};
use crate::stalls::StallDetector;
use crate::{Log, TimeControl};

/// How games are adjudicated.
#[derive(Clone)]
pub(crate) struct Adjudication {
    pub(crate) judges: Vec<Arc<dyn Judge>>,
    pub(crate) scores: ScoreRules,
}

/// A finished game.
#[derive(Debug)]
pub(crate) struct Played {
    pub(crate) moves: Vec<MoveRecord>,
    pub(crate) outcome: Outcome,
    pub(crate) termination: Termination,
    pub(crate) reason: String,
    pub(crate) excused: usize,
}

/// How a game ended.
struct End {
    outcome: Outcome,
    termination: Termination,
    reason: String,
}

/// A game that is being played. Players are given as Red and Black.
struct Game<'a> {
    players: [&'a mut Player; 2],
    adjudication: &'a Adjudication,
    stall_detector: &'a StallDetector,
    log: &'a Log,
    history: History,
    line: Line,
    clocks: [Option<RunningClock>; 2],
    moves: Vec<MoveRecord>,
    /// The scores of the engines' own moves.
    scores: Vec<Option<i32>>,
    excused: usize,
}

/// Plays a game to its end.
pub(crate) fn play(
    players: [&mut Player; 2],
    opening: &Opening,
    adjudication: &Adjudication,
    stall_detector: &StallDetector,
    log: &Log,
) -> Played {
    let clocks = [0, 1].map(|side: usize| players[side].spec().limits.clock.map(RunningClock::new));
    let mut game = Game {
        players,
        adjudication,
        stall_detector,
        log,
        history: History::new(opening.start.clone()),
        line: Line { start: opening.start.clone(), moves: Vec::new() },
        clocks,
        moves: Vec::new(),
        scores: Vec::new(),
        excused: 0,
    };
    for mv in &opening.moves {
        game.play(*mv, None);
    }
    let End { outcome, termination, reason } = game.play_to_end();
    Played { moves: game.moves, outcome, termination, reason, excused: game.excused }
}

impl Game<'_> {
    fn play_to_end(&mut self) -> End {
        for side in Side::ALL {
            if let Err(fault) = self.start_game(side) {
                return self.forfeit(side, &fault);
            }
        }
        loop {
            if let Some(end) = self.adjudicated() {
                return end;
            }
            if let Err(end) = self.one_move() {
                return end;
            }
        }
    }

    /// Announces the game. Restarts a program that ended after its last game.
    fn start_game(&mut self, side: Side) -> Result<(), Fault> {
        let player = &mut *self.players[side.index()];
        player.new_game(&self.line.start).or_else(|fault| {
            self.log.note(&format!("{} does not answer and is restarted", player.spec().name));
            let (fresh, _) = Player::start(player.spec(), self.log).map_err(|_| fault)?;
            *player = fresh;
            player.new_game(&self.line.start)
        })
    }

    /// Asks the judges in order, then applies score adjudication.
    fn adjudicated(&self) -> Option<End> {
        for judge in &self.adjudication.judges {
            if let Some(Ruling { outcome, reason }) = judge.judge(&self.history) {
                return Some(End { outcome, termination: judge.termination(), reason });
            }
        }
        let last_mover = !self.history.position().side_to_move();
        let Ruling { outcome, reason } =
            self.adjudication.scores.judge(last_mover, &self.scores, self.history.moves().len())?;
        Some(End { outcome, termination: Termination::Adjudication, reason })
    }

    /// Asks the side to move for its move and plays it.
    fn one_move(&mut self) -> Result<(), End> {
        let side = self.history.position().side_to_move();
        let player = &mut *self.players[side.index()];
        let limits = player.spec().limits.clone();
        let question = Question {
            line: &self.line,
            position: self.history.position(),
            limits: &limits,
            clocks: self.clocks.map(|clock| clock.map(|clock| clock.face())),
        };
        let thought = match player.think(&question, self.stall_detector) {
            Ok(thought) => thought,
            Err(fault) => return Err(self.forfeit(side, &fault)),
        };
        if let Some(clock) = &mut self.clocks[side.index()] {
            clock.spend(thought.elapsed);
        }
        self.note_excuse(side, thought.excused);
        match thought.mv {
            None => Err(self.lost(side, Termination::Resignation, "resigns")),
            Some(mv) if !self.history.position().is_legal(mv) => {
                Err(self.forfeit(side, &Fault::Illegal(format!("plays the illegal move {mv}"))))
            }
            Some(mv) => {
                self.play(mv, Some(&thought));
                Ok(())
            }
        }
    }

    fn play(&mut self, mv: Move, thought: Option<&Thought>) {
        self.history.play(mv);
        self.line.moves.push(mv);
        let Progress { depth, score, nodes } = thought.map(|thought| thought.progress).unwrap_or_default();
        let score = score.map(|score| score.as_number());
        let us = thought.map(|thought| u64::try_from(thought.elapsed.as_micros()).unwrap_or(u64::MAX));
        if thought.is_some() {
            self.scores.push(score);
        }
        self.moves.push(MoveRecord { mv: mv.to_string(), score, depth, nodes, us });
    }

    fn note_excuse(&mut self, side: Side, excuse: Option<Excuse>) {
        let Some(Excuse { over, stalled }) = excuse else { return };
        self.excused += 1;
        let name = &self.players[side.index()].spec().name;
        self.log.note(&format!(
            "jitter: a move of {name} was {:.1} ms late, but the machine was busy for {:.1} ms of its time",
            over.as_secs_f64() * 1e3,
            stalled.as_secs_f64() * 1e3
        ));
    }

    fn forfeit(&self, side: Side, fault: &Fault) -> End {
        let (termination, deed) = match fault {
            Fault::Time { over } => {
                (Termination::Time, format!("oversteps its time by {:.1} ms", over.as_secs_f64() * 1e3))
            }
            Fault::Illegal(text) => (Termination::Illegal, text.clone()),
            Fault::Crash(text) => (Termination::Crash, text.clone()),
        };
        let end = self.lost(side, termination, &deed);
        self.log.note(&format!("forfeit: {}", end.reason));
        end
    }

    fn lost(&self, side: Side, termination: Termination, deed: &str) -> End {
        let name = &self.players[side.index()].spec().name;
        End { outcome: Outcome::won_by(!side), termination, reason: format!("{name}: {deed}") }
    }
}

/// A clock of one side.
#[derive(Clone, Copy, Debug)]
struct RunningClock {
    control: TimeControl,
    left: Duration,
    moves: u32,
}

impl RunningClock {
    fn new(control: TimeControl) -> Self {
        Self { control, left: control.base, moves: 0 }
    }

    /// The clock as the engine sees it.
    fn face(&self) -> Clock {
        let moves_to_go = self.control.moves.map(|moves| moves - self.moves % moves);
        Clock { left: Some(self.left), increment: self.control.increment, moves_to_go }
    }

    /// Subtracts a move's time. A late move that was excused never costs more than the clock.
    fn spend(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(time) + self.control.increment;
        self.moves += 1;
        if self.control.moves.is_some_and(|moves| self.moves.is_multiple_of(moves)) {
            self.left += self.control.base;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_run_down_and_are_refilled() {
        let mut clock = RunningClock::new("2/10+1".parse().unwrap());
        assert_eq!(clock.face().moves_to_go, Some(2));
        clock.spend(Duration::from_secs(4));
        assert_eq!(clock.face().left, Some(Duration::from_secs(7)));
        assert_eq!(clock.face().moves_to_go, Some(1));
        clock.spend(Duration::from_secs(6));
        assert_eq!(clock.face().left, Some(Duration::from_secs(12)));
        assert_eq!(clock.face().moves_to_go, Some(2));
    }
}
