//! The hand-written evaluation (HCE): a tapered, linear sum of [`Feature`] counts times weights.
//!
//! One walk over the board notes every feature in a [`Ledger`]. The engine's ledger sums the weights; others keep
//! the notes, to explain a score or to tune the weights.

mod endings;
mod feature;
mod groups;
mod heights;
mod imbalance;
mod known;
mod ledger;
mod material;
mod phase;
mod placement;
mod progress;
mod reach;
mod tapered;
mod terms;
mod weights;

pub use feature::{Feature, SoldierStanding};
pub use known::{Fact, NoFact, Source};
pub use ledger::{Ledger, Note, Notes};
pub use material::{Material, MaterialCode, NoMaterial};
pub use phase::Phase;
pub use placement::Placement;
pub use tapered::Tapered;
pub use weights::weight;

use chuhe_board::{Position, Side};

use crate::Score;
use heights::Deciding;
use ledger::Sum;

/// Evaluates the position for the side to move; `placement` must be up to date.
#[inline]
pub fn evaluate(position: &Position, placement: &Placement) -> Score {
    debug_assert_eq!(*placement, Placement::of(position));
    let mut sum = Sum::default();
    terms::note_all(position, &mut sum);
    let deciding = Deciding::of(position, placement.material());
    let prospects = deciding.prospects();
    let phase = Phase::from_parts(prospects.attackers, position);
    let red = deciding.scaled((placement.total() + prospects.total + sum.total()).at(phase));
    let score = match position.side_to_move() {
        Side::Red => red,
        Side::Black => -red,
    };
    Score::centisoldiers(score)
}

/// Every feature of the position, for explaining and tuning. Their weights, tapered by the phase and
/// [`scaled`], add up to what [`evaluate`] says, seen from Red.
pub fn notes(position: &Position) -> Notes {
    let mut notes = Notes::default();
    placement::note_all(position, &mut notes);
    imbalance::note_all(Deciding::of(position, Material::of(position)).material, &mut notes);
    terms::note_all(position, &mut notes);
    notes
}

/// Red's score scaled by what the material and the heights of soldiers let the side ahead win.
pub fn scaled(position: &Position, material: Material, red: i32) -> i32 {
    Deciding::of(position, material).scaled(red)
}

/// A score of the side to move from any evaluation, scaled by what the material lets the side ahead win. Only
/// endings are looked up.
#[inline]
pub fn tempered(position: &Position, material: Material, score: Score) -> Score {
    if attackers(position) > MOST_ATTACKERS_IN_AN_ENDING {
        return score;
    }
    let red = if position.side_to_move() == Side::Red { score.get() } else { -score.get() };
    let tempered = scaled(position, material, red);
    Score::centisoldiers(if position.side_to_move() == Side::Red { tempered } else { -tempered })
}

/// With more chariots, horses and cannons on the board no material is known to be drawn.
const MOST_ATTACKERS_IN_AN_ENDING: u32 = 5;

#[inline]
fn attackers(position: &Position) -> u32 {
    use chuhe_board::PieceKind::{Cannon, Chariot, Horse};
    (position.kind(Chariot) | position.kind(Horse) | position.kind(Cannon)).len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn random_position(choices: &[prop::sample::Index]) -> Position {
        let mut position = Position::start();
        for choice in choices {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            let _ = position.play(*choice.get(&moves), &mut ());
        }
        position
    }

    fn score(position: &Position) -> Score {
        evaluate(position, &Placement::of(position))
    }

    #[test]
    fn last_rank_soldiers_alone_win_nothing() {
        for fen in
            ["3P5/4k4/9/9/9/9/9/9/9/3K5 w", "2PP5/4k4/9/9/9/9/9/9/9/3K5 w", "3P1a3/4k4/9/9/9/9/9/9/9/3K5 b"]
        {
            let position: Position = fen.parse().unwrap();
            assert_eq!(score(&position), Score::DRAW, "{fen}");
            let tempered = tempered(&position, Material::of(&position), Score::centisoldiers(600));
            assert!(tempered <= Score::DRAW, "{fen}: {tempered}");
            assert!(notes(&position).iter().all(|note| note.feature != Feature::WON), "{fen}");
        }
        // A rank higher it wins, and a last-rank soldier beside another attacker still counts.
        for fen in
            ["9/3Pk4/9/9/9/9/9/9/9/3K5 b", "3P5/4k4/2P6/9/9/9/9/9/9/3K5 w", "3P5/4k4/9/9/9/9/9/9/R8/3K5 w"]
        {
            let position: Position = fen.parse().unwrap();
            assert!(notes(&position).iter().any(|note| note.feature == Feature::WON), "{fen}");
        }
    }

    proptest! {
        #[test]
        fn mirrors_and_exchanged_sides_do_not_change_the_score(
            choices in prop::collection::vec(any::<prop::sample::Index>(), 0..120)
        ) {
            let position = random_position(&choices);
            prop_assert_eq!(score(&position.mirrored()), score(&position));
            prop_assert_eq!(score(&position.across()), score(&position));
        }

        #[test]
        fn the_notes_add_up_to_the_score(
            choices in prop::collection::vec(any::<prop::sample::Index>(), 0..120)
        ) {
            let position = random_position(&choices);
            let sum = notes(&position).total().at(Phase::of(&position));
            let red = scaled(&position, Material::of(&position), sum);
            let mover = if position.side_to_move() == Side::Red { red } else { -red };
            prop_assert_eq!(Score::centisoldiers(mover), score(&position));
        }

        #[test]
        fn following_the_moves_equals_counting_from_scratch(
            choices in prop::collection::vec(any::<prop::sample::Index>(), 0..120)
        ) {
            let mut position = Position::start();
            let mut placement = Placement::of(&position);
            for choice in choices {
                let moves = position.moves();
                if moves.is_empty() {
                    break;
                }
                let undo = position.play(*choice.get(&moves), &mut placement);
                prop_assert_eq!(placement, Placement::of(&position));
                position.take_back(undo, &mut placement);
                prop_assert_eq!(placement, Placement::of(&position));
                let _ = position.play(undo.mv(), &mut placement);
            }
        }
    }
}
