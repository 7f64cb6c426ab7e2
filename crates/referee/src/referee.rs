//! The referee: judges games with reasons, and positions of a search without.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use chuhe_board::{Move, Outcome, Position, Side};

use crate::chase::Measure;
use crate::history::Ply;
use crate::nature::{self, Nature};
use crate::offence::{self, Offence};
use crate::verdict::{Clause, Reason, Verdict};
use crate::{Game, History, RuleSet, cycle, limit};

/// Judges by one rule set.
///
/// ```
/// use chuhe_board::{Position, coords::{parse_move, RankStyle}};
/// use chuhe_board::Outcome;
/// use chuhe_referee::{Clause, Game, Referee, RuleSet};
///
/// // A chariot that gives perpetual check.
/// let mut game = Game::new("3k5/9/9/9/9/9/4r4/9/9/4K4 w".parse().unwrap());
/// for _ in 0..2 {
///     for text in ["e0f0", "e3f3", "f0e0", "f3e3"] {
///         game.play(parse_move(text, RankStyle::FromZero).unwrap()).unwrap();
///     }
/// }
/// let verdict = Referee::new(RuleSet::Wxf).judge(&game);
/// assert_eq!(verdict.outcome, Outcome::RedWins);
/// assert_eq!(verdict.clause, Some(Clause::PerpetualCheck));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Referee {
    rules: RuleSet,
    fold: usize,
}

impl Default for Referee {
    fn default() -> Self {
        Self::new(RuleSet::default())
    }
}

impl Referee {
    /// A referee who rules when a position occurs the third time.
    pub const fn new(rules: RuleSet) -> Self {
        Self { rules, fold: 3 }
    }

    /// The same referee, ruling when a position occurs the `fold`th time, at least the second.
    #[must_use]
    pub const fn with_fold(self, fold: usize) -> Self {
        Self { fold: if fold < 2 { 2 } else { fold }, ..self }
    }

    /// The rules it judges by.
    pub const fn rules(&self) -> RuleSet {
        self.rules
    }

    /// Whether the move loses the game at once by the rules of repetition. It must be legal.
    pub fn forbids(&self, game: &Game, mv: Move) -> bool {
        self.lawful(game, &[mv]).is_empty()
    }

    /// Those of the moves, which must be legal, that do not lose the game at once by the rules of repetition.
    pub fn lawful(&self, game: &Game, moves: &[Move]) -> Vec<Move> {
        let mut position = game.position().clone();
        let mut plies = game.history().clone();
        let root = plies.len();
        let mut is_lawful = |mv: &Move| {
            let undo = position.play(*mv, &mut ());
            plies.push(undo, &position);
            let ruling = self.repetition(&position, &plies, root);
            plies.pop();
            position.take_back(undo, &mut ());
            !ruling.is_some_and(|ruling| ruling.is_binding && ruling.standing == Standing::Win)
        };
        moves.iter().copied().filter(|mv| is_lawful(mv)).collect()
    }

    /// Judges the position a game has come to: the board first, then repetition, then the limits.
    /// Earlier repetitions that the game has left behind are not judged.
    pub fn judge(&self, game: &Game) -> Verdict {
        let position = game.position();
        if !position.has_moves() {
            let clause = if position.is_in_check() { Clause::Checkmate } else { Clause::Stalemate };
            return Verdict::plain(Outcome::won_by(!position.side_to_move()), Some(clause));
        }
        if let Some(start) = self.cycle_start(position, game.history()) {
            return self.judge_cycle(game, start);
        }
        let drawn = if limit::is_reached(position, game.history()) {
            Some(Clause::MoveLimit)
        } else if Side::ALL.into_iter().any(|side| position.can_attack(side)) {
            None
        } else {
            Some(Clause::NoAttackers)
        };
        let outcome = if drawn.is_some() { Outcome::Draw } else { Outcome::Undecided };
        Verdict::plain(outcome, drawn)
    }

    /// Where the stretch to be judged starts, if the position has occurred often enough.
    ///
    /// It is the stretch over the last occurrences that the fold asks for. If a side chases there and
    /// play went on from still earlier occurrences, the stretch reaches back as long as that side was
    /// attacking without pause: who chases one piece and then another in one unbroken series chases
    /// two pieces. An earlier loop with a pause in it is not held against or for anybody, and nothing
    /// excuses perpetual check.
    fn cycle_start(&self, position: &Position, history: &History) -> Option<usize> {
        let occurrences: Vec<usize> = history.occurrences().collect();
        let mut start = *occurrences.get(self.fold - 2)?;
        let offences = offence::offences(position, &history.plies()[start..], self.rules);
        let offender = match worse(offences) {
            Some(side) if offences[side.index()] != Offence::Check => side,
            _ => return Some(start),
        };
        for earlier in &occurrences[self.fold - 1..] {
            let round = &history.plies()[*earlier..start];
            if !offence::attacks_throughout(position, round, offender, self.measure()) {
                break;
            }
            start = *earlier;
        }
        Some(start)
    }

    /// Judges the stretch from ply `start` on.
    fn judge_cycle(&self, game: &Game, start: usize) -> Verdict {
        let plies = &game.history().plies()[start..];
        let offences = offence::offences(game.position(), plies, self.rules);
        let reasons = self.reasons(game.position(), plies, start);
        let offender = worse(offences);
        let clause = match offender {
            Some(side) => clause_against(side, offences[side.index()], &reasons),
            None => clause_of_equals(offences[0]),
        };
        let outcome = offender.map_or(Outcome::Draw, |side| Outcome::won_by(!side));
        Verdict { outcome, clause: Some(clause), offender, reasons }
    }

    fn reasons(&self, position: &Position, plies: &[Ply], start: usize) -> Vec<Reason> {
        let mut reasons = Vec::with_capacity(plies.len());
        cycle::each_step_back(position, plies, |step| {
            let (nature, links) = nature::of(step, self.measure());
            reasons.push(Reason {
                ply: start + step.index + 1,
                side: step.side(),
                mv: step.mv,
                nature,
                links,
            });
            ControlFlow::Continue(())
        });
        reasons.reverse();
        reasons
    }

    pub(crate) const fn measure(&self) -> Measure {
        match self.rules {
            RuleSet::Cxa => Measure::Exchange { soldiers: false },
            _ => Measure::Roots,
        }
    }

    /// What the rules say of a repeated position inside a search, for the side to move.
    ///
    /// `history` holds the game and the line of the search, `root` is how many of its plies belong to
    /// the game. Ask at every node below the root; unless the position occurred before, the answer is
    /// `None` after a few comparisons. See the crate documentation for how to use the answer.
    #[inline]
    pub fn repetition(&self, position: &Position, history: &History, root: usize) -> Option<Ruling> {
        let last = history.occurrences().next()?;
        self.rule_on_repetition(position, history, root, last)
    }

    #[cold]
    fn rule_on_repetition(
        &self,
        position: &Position,
        history: &History,
        root: usize,
        last: usize,
    ) -> Option<Ruling> {
        let enough = history.occurrences().nth(self.fold - 2);
        let (start, is_binding) = match enough {
            Some(start) => (start, true),
            None if last >= root => (last, false),
            None => return None,
        };
        let offences = offence::offences(position, &history.plies()[start..], self.rules);
        let standing = match worse(offences) {
            None => Standing::Draw,
            Some(side) if side == position.side_to_move() => Standing::Loss,
            Some(_) => Standing::Win,
        };
        Some(Ruling { standing, is_binding })
    }
}

/// How the side to move stands by the rules of repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It wins: the other side offends.
    Win,
    /// It loses: it offends itself.
    Loss,
    /// Nobody or both offend alike.
    Draw,
}

/// What the rules say of a repeated position in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// How the side to move stands.
    pub standing: Standing,
    /// Whether the game is over: the position has occurred as often as the rules ask for. If not, the
    /// loop lies within the search and would be ruled on if both sides went round it again; the
    /// offender can still leave it.
    pub is_binding: bool,
}

/// The side with the worse offence.
fn worse(offences: [Offence; 2]) -> Option<Side> {
    match offences[0].cmp(&offences[1]) {
        Ordering::Greater => Some(Side::Red),
        Ordering::Less => Some(Side::Black),
        Ordering::Equal => None,
    }
}

fn clause_against(offender: Side, offence: Offence, reasons: &[Reason]) -> Clause {
    match offence {
        Offence::Check => Clause::PerpetualCheck,
        Offence::Chase | Offence::Baring => Clause::PerpetualChase,
        Offence::Attack | Offence::None => {
            let all = |natures: &[Nature]| {
                reasons
                    .iter()
                    .filter(|reason| reason.side == offender)
                    .all(|reason| natures.contains(&reason.nature))
            };
            if all(&[Nature::Chase, Nature::Baring]) {
                Clause::PerpetualChase
            } else if all(&[Nature::Threat]) {
                Clause::PerpetualThreat
            } else {
                Clause::MixedAttacks
            }
        }
    }
}

const fn clause_of_equals(offence: Offence) -> Clause {
    match offence {
        Offence::None => Clause::Repetition,
        Offence::Baring | Offence::Chase => Clause::MutualChase,
        Offence::Attack => Clause::MutualAttacks,
        Offence::Check => Clause::MutualCheck,
    }
}
