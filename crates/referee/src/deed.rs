//! What a single move does by the rules of repetition before it is answered. Endgame tables that know perpetual chase
//! are solved with this; games are judged by whole cycles (`offence`), from the same chases.

use chuhe_board::{Bitboard, Move, Position};

use crate::chase::{self, Aim, Attack, Measure};
use crate::{Referee, RuleSet, threat};

/// What a move without capture does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Deed {
    /// It gives check.
    pub gives_check: bool,
    /// The pieces that it attacks afresh, where they stand after the move. They are chased if the answer meets the attack.
    pub fresh: Bitboard,
    /// The pieces that it only bares. They are chased if the answer meets the attack and nothing else is chased afresh.
    pub bared: Bitboard,
    /// Chinese rules: it may count as an attack for some other reason, by a threat of mate.
    pub threatens_mate: bool,
    /// Chinese rules: it attacks a piece with a soldier, which counts only if both sides attack without pause.
    pub soldier_attacks: bool,
}

impl Deed {
    /// Whether the move cannot be part of any offence, whatever the answer.
    pub fn is_idle(&self) -> bool {
        *self == Self::default()
    }
}

impl Referee {
    /// What the move from `before` to `after`, no capture, does. A threat of mate is looked for only where nothing else
    /// attacks, and only under rules that know it.
    pub fn deed(&self, before: &Position, mv: Move, after: &Position) -> Deed {
        let mut deed = Deed { gives_check: after.is_in_check(), ..Deed::default() };
        if self.rules() == RuleSet::Computer {
            return deed;
        }
        chase::each_new_chase([before, after], mv, Bitboard::ALL, self.measure(), |attack, aim| match aim {
            Aim::Fresh => deed.fresh |= attack.to,
            Aim::Bared => deed.bared |= attack.to,
        });
        if self.rules() == RuleSet::Cxa && deed.is_idle() {
            let measure = Measure::Exchange { soldiers: true };
            chase::each_new_chase([before, after], mv, Bitboard::ALL, measure, |_, _| {
                deed.soldier_attacks = true;
            });
            deed.threatens_mate = threat::threatens_mate(after);
        }
        deed
    }

    /// The attacks that the move from `before` to `after` brings about, and how, by soldiers too under the Chinese rules. Those
    /// that the answer [meets](Self::meets) are chases; the Chinese rules count soldiers only against an attacker.
    pub fn aims(&self, before: &Position, mv: Move, after: &Position) -> Vec<(Attack, Aim)> {
        let measure = match self.measure() {
            Measure::Roots => Measure::Roots,
            Measure::Exchange { .. } => Measure::Exchange { soldiers: true },
        };
        let mut aims = Vec::new();
        chase::each_new_chase([before, after], mv, Bitboard::ALL, measure, |attack, aim| {
            aims.push((attack, aim))
        });
        aims
    }

    /// Whether an answer meets an attack.
    pub fn meets(&self, attack: Attack, answer: Move, answered: &Position) -> bool {
        chase::is_met(attack, answer, answered, self.measure())
    }

    /// The pieces that the side which has just moved can take in `after` and still could take after the answer,
    /// where they stand in `after`: attacks on them are not met.
    pub fn unmet(&self, after: &Position, answer: Move, answered: &Position) -> Bitboard {
        let mut unmet = Bitboard::EMPTY;
        let side = !after.side_to_move();
        chase::each_chase(after, side, Bitboard::ALL, self.measure(), |attack| {
            if !chase::is_met(attack, answer, answered, self.measure()) {
                unmet |= attack.to;
            }
        });
        unmet
    }

    /// The plies of the longest mate that can be threatened, where the rules know threats.
    pub fn longest_threat(&self) -> Option<u16> {
        (self.rules() == RuleSet::Cxa).then_some(threat::LONGEST)
    }

    /// Whether the move that led to `after` threatens mate, where the rules know threats.
    pub fn threatens_mate(&self, after: &Position) -> bool {
        self.rules() == RuleSet::Cxa && threat::threatens_mate(after)
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::{RankStyle, parse_move, points};

    use super::*;

    fn played(fen: &str, mv: &str) -> (Position, Move, Position) {
        let before: Position = fen.parse().unwrap();
        let mv = parse_move(mv, RankStyle::FromZero).unwrap();
        let mut after = before.clone();
        let _ = after.play(mv, &mut ());
        (before, mv, after)
    }

    fn deed(rules: RuleSet, fen: &str, mv: &str) -> Deed {
        let (before, mv, after) = played(fen, mv);
        Referee::new(rules).deed(&before, mv, &after)
    }

    const CANNON: &str = "3k5/9/9/7c1/9/9/9/6R2/9/5K3 w";

    #[test]
    fn a_fresh_attack_is_one_whatever_the_answer() {
        assert_eq!(deed(RuleSet::Wxf, CANNON, "g2h2").fresh, points("h6"));
        assert!(deed(RuleSet::Wxf, CANNON, "g2g3").is_idle());
        assert!(deed(RuleSet::Computer, CANNON, "g2h2").is_idle());
        assert!(deed(RuleSet::Wxf, CANNON, "g2d2").gives_check);
    }

    #[test]
    fn an_answer_that_leaves_the_piece_does_not_meet_the_attack() {
        let (_, _, after) = played(CANNON, "g2h2");
        let unmet = |answer: &str| {
            let (_, answer, answered) = played(&after.to_string(), answer);
            Referee::new(RuleSet::Wxf).unmet(&after, answer, &answered)
        };
        assert_eq!(unmet("h6g6"), Bitboard::EMPTY);
        assert_eq!(unmet("d9d8"), points("h6"));
    }

    #[test]
    fn threats_of_mate_count_only_under_the_chinese_rules() {
        let fen = "4k4/9/R8/9/9/9/9/9/9/1R3K3 w";
        assert!(deed(RuleSet::Cxa, fen, "a7a8").threatens_mate);
        assert!(deed(RuleSet::Wxf, fen, "a7a8").is_idle());
    }
}
