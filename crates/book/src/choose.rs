//! Choosing a book move by policy.

use std::str::FromStr;

use chuhe_board::Move;
use chuhe_referee::{Game, Referee};

use crate::BookMove;

/// What a move is chosen by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Policy {
    /// The one with the most merit; deterministic.
    #[default]
    Best,
    /// Random, weighted by merit and popularity.
    Random,
    /// The highest score rate among moves played at least a few times.
    WinRate,
}

impl FromStr for Policy {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "best" => Ok(Self::Best),
            "random" => Ok(Self::Random),
            "win-rate" => Ok(Self::WinRate),
            _ => Err(()),
        }
    }
}

/// How moves are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The policy.
    pub policy: Policy,
    /// Up to this ply of the game.
    pub plies: usize,
    /// Moves with a lower engine score are not played.
    pub least_score: i16,
    /// Whether moves that set traps get a bonus.
    pub sets_traps: bool,
    /// The random policy: giving away this many centisoldiers halves the chance of a move.
    pub halving_loss: u16,
}

impl Default for Choice {
    fn default() -> Self {
        Self { policy: Policy::Best, plies: 40, least_score: -60, sets_traps: false, halving_loss: 10 }
    }
}

/// The weight of the prior (the engine's score, or a draw) in games.
const PRIOR_GAMES: f64 = 10.0;
/// Merit for each doubling of the count.
const POPULARITY: f64 = 0.04;
/// The least number of games for a meaningful score rate.
const FEW_GAMES: u32 = 5;
/// Moves that give away more than this are not played by the random policy.
const MOST_LOSS: f64 = 60.0;
/// The chance of a move of a named line, compared with another.
const THEORY_CHANCE: f64 = 2.0;
/// The bonus for setting a trap.
const TRAP_MERIT: f64 = 0.1;

impl BookMove {
    /// The quality of the move, around 0.5: score rate, engine score, popularity and weight.
    pub fn merit(&self) -> f64 {
        let said = self.score.map_or(0.5, |score| 1.0 / (1.0 + 10_f64.powf(-f64::from(score) / 400.0)));
        let points = f64::from(self.wins) + f64::from(self.draws) / 2.0;
        let rate = (points + said * PRIOR_GAMES) / (f64::from(self.decided()) + PRIOR_GAMES);
        rate + POPULARITY * f64::from(self.count + 1).log2() + f64::from(self.weight) / 1000.0
            - if self.flags.falls { 1.0 } else { 0.0 }
    }
}

impl BookMove {
    /// Whether it may be played: it does not fall into a trap, and a search of its position or a game speaks for it.
    fn is_playable(&self) -> bool {
        let is_unproven = self.flags.theory && self.score.is_none() && self.count == 0;
        !self.flags.falls && !self.flags.inherited && !is_unproven
    }
}

/// Sorts by falling merit, with a total order.
pub(crate) fn by_merit(moves: &mut [BookMove]) {
    moves.sort_by(|one, other| {
        other.merit().total_cmp(&one.merit()).then(one.mv.packed().cmp(&other.mv.packed()))
    });
}

impl Choice {
    /// The choice for play at a strength from 0 for a beginner to 1: the stronger, the longer and the closer to the
    /// best moves.
    pub fn at_strength(strength: f64) -> Self {
        let strength = strength.clamp(0.0, 1.0);
        let between = |weak: f64, strong: f64| weak + (strong - weak) * strength;
        Self {
            policy: Policy::Random,
            plies: between(6.0, 40.0) as usize,
            halving_loss: between(30.0, 10.0) as u16,
            ..Self::default()
        }
    }

    /// Chooses among book moves, never one that the referee bans, that falls into a trap or that had no search of its
    /// own. `random` is used only by the random policy.
    pub fn choose(
        &self,
        mut moves: Vec<BookMove>,
        game: &Game,
        referee: &Referee,
        random: u64,
    ) -> Option<Move> {
        if game.history().len() >= self.plies {
            return None;
        }
        moves.retain(|known| {
            known.is_playable()
                && known.score.is_none_or(|score| score >= self.least_score)
                && game.position().is_legal(known.mv)
                && !referee.forbids(game, known.mv)
        });
        by_merit(&mut moves);
        let merit = |known: &BookMove| self.merit(known);
        let best = |value: &dyn Fn(&BookMove) -> f64| {
            // The first of equals, so that merit decides between them.
            moves.iter().rev().max_by(|one, other| value(one).total_cmp(&value(other))).map(|known| known.mv)
        };
        match self.policy {
            Policy::Best => best(&merit),
            Policy::WinRate => {
                let proven = moves.iter().any(|known| known.decided() >= FEW_GAMES);
                let rate = |known: &BookMove| match known.rate() {
                    Some(rate) if known.decided() >= FEW_GAMES || !proven => rate,
                    _ => 0.0,
                };
                best(&rate)
            }
            Policy::Random => {
                let chances = self.chances(&moves);
                let mut left = (random >> 11) as f64 / (1_u64 << 53) as f64;
                let chosen = moves.iter().zip(chances).find(|(_, chance)| {
                    left -= chance;
                    left < 0.0
                });
                chosen.map(|(known, _)| known).or(moves.first()).map(|known| known.mv)
            }
        }
    }

    fn merit(&self, known: &BookMove) -> f64 {
        known.merit() + if self.sets_traps && known.flags.sets { TRAP_MERIT } else { 0.0 }
    }

    /// The chances of moves with the random policy; their sum is 1, unless there is no move.
    pub fn chances(&self, moves: &[BookMove]) -> Vec<f64> {
        // Half a point less than the best is a hundredth of its chance.
        let top = moves.iter().map(|known| self.merit(known)).fold(0.0, f64::max);
        let best_score = moves.iter().filter_map(|known| known.score).max();
        let chance = |known: &BookMove| {
            let loss =
                best_score.zip(known.score).map_or(0.0, |(best, score)| f64::from(best) - f64::from(score));
            let theory = if known.flags.theory { THEORY_CHANCE } else { 1.0 };
            let by_loss = 0.5_f64.powf(loss / f64::from(self.halving_loss.max(1)));
            let is_played = known.is_playable() && loss <= MOST_LOSS;
            if is_played { theory * by_loss * 100_f64.powf((self.merit(known) - top) * 2.0) } else { 0.0 }
        };
        let chances: Vec<f64> = moves.iter().map(chance).collect();
        let total: f64 = chances.iter().sum();
        chances.into_iter().map(|chance| if total > 0.0 { chance / total } else { 0.0 }).collect()
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::Position;
    use chuhe_board::coords::{RankStyle, parse_move};

    use super::*;
    use crate::entry::Flags;

    fn known(text: &str, wins: u32, losses: u32) -> BookMove {
        let mv = parse_move(text, RankStyle::FromZero).unwrap();
        BookMove { count: wins + losses, wins, losses, ..BookMove::new(mv) }
    }

    fn chosen(choice: Choice, moves: Vec<BookMove>, random: u64) -> String {
        let game = Game::new(Position::start());
        choice.choose(moves, &game, &Referee::default(), random).map_or_else(String::new, |mv| mv.to_string())
    }

    #[test]
    fn policies_choose_as_they_say() {
        let moves = vec![known("h2e2", 60, 40), known("c3c4", 9, 1), known("g0e2", 2, 0)];
        let by = |policy| Choice { policy, ..Choice::default() };
        assert_eq!(chosen(by(Policy::Best), moves.clone(), 0), "h2e2");
        assert_eq!(chosen(by(Policy::WinRate), moves.clone(), 0), "c3c4");
        let random: std::collections::BTreeSet<String> = (0..200_u64)
            .map(|number| {
                chosen(by(Policy::Random), moves.clone(), number.wrapping_mul(0x9E37_79B9_7F4A_7C15))
            })
            .collect();
        assert_eq!(random.len(), 3);
    }

    #[test]
    fn chance_leaves_moves_that_give_much_away() {
        let scored = |text, score| BookMove { score: Some(score), ..known(text, 0, 0) };
        let moves = vec![scored("h2e2", 30), scored("c3c4", 20), scored("a3a4", -50)];
        let choice = Choice { policy: Policy::Random, ..Choice::default() };
        let mut counts = std::collections::BTreeMap::new();
        for number in 0..3000_u64 {
            let text = chosen(choice, moves.clone(), number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
            *counts.entry(text).or_insert(0) += 1;
        }
        assert!((1800..2200).contains(&counts["h2e2"]), "{counts:?}");
        assert!(counts.get("a3a4").is_none_or(|count| *count < 30), "{counts:?}");
    }

    #[test]
    fn a_beginner_varies_more_and_leaves_sooner() {
        let scored = |text, score| BookMove { score: Some(score), ..known(text, 0, 0) };
        let moves = vec![scored("h2e2", 30), scored("c3c4", 0), scored("a3a4", -45)];
        let (weak, strong) = (Choice::at_strength(0.0), Choice::at_strength(1.0));
        assert!(weak.plies < strong.plies);
        let chances = |choice: Choice| choice.chances(&moves);
        assert!(chances(weak)[1] > 2.0 * chances(strong)[1]);
        assert_eq!(chances(weak)[2], 0.0, "nobody is given away 75 centisoldiers");
        assert!((chances(weak).iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn only_searched_positions_are_played_from() {
        let mut inherited = known("h2e2", 0, 0);
        inherited.flags = Flags { inherited: true, ..Flags::default() };
        assert_eq!(chosen(Choice::default(), vec![inherited], 0), "");
        let mut theory = known("h2e2", 0, 0);
        theory.flags = Flags { theory: true, ..Flags::default() };
        assert_eq!(chosen(Choice::default(), vec![theory.clone()], 0), "");
        theory.score = Some(10);
        assert_eq!(chosen(Choice::default(), vec![theory], 0), "h2e2");
    }

    #[test]
    fn limits_and_traps_are_heeded() {
        let mut bad = known("h2e2", 60, 40);
        bad.score = Some(-200);
        let mut trap = known("c3c4", 50, 1);
        trap.flags = Flags { falls: true, ..Flags::default() };
        let mut sets = known("b0c2", 3, 2);
        sets.flags = Flags { sets: true, ..Flags::default() };
        let moves = vec![bad, trap, known("g0e2", 4, 2), sets];
        assert_eq!(chosen(Choice::default(), moves.clone(), 0), "g0e2");
        assert_eq!(chosen(Choice { sets_traps: true, ..Choice::default() }, moves.clone(), 0), "b0c2");
        assert_eq!(chosen(Choice { plies: 0, ..Choice::default() }, moves, 0), "");
    }

    #[test]
    fn a_banned_move_is_never_played() {
        // Two rounds of chasing the cannon: the third time around loses.
        let mut game = Game::new("3k5/9/9/6c2/9/9/9/6R2/9/5K3 b".parse().unwrap());
        for text in "g6h6 g2h2 h6g6 h2g2 g6h6 g2h2 h6g6".split_whitespace() {
            game.play(parse_move(text, RankStyle::FromZero).unwrap()).unwrap();
        }
        let moves = vec![known("h2g2", 100, 0), known("h2h1", 0, 5)];
        let choice = Choice::default().choose(moves, &game, &Referee::default(), 0);
        assert_eq!(choice.unwrap().to_string(), "h2h1");
    }
}
