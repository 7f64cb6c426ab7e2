//! Chasing (捉): which captures a side threatens so that threatening them perpetually is an offence, and
//! which of them a move brought about.

use chuhe_board::{Bitboard, Move, PieceKind, Position, Side, Square, attacks, zones};

use crate::cycle::Step;
use crate::{exchange, roots, safety};

/// An attack of one piece on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Attack {
    /// Where the attacking piece stands.
    pub from: Square,
    /// Where the attacked piece stands.
    pub to: Square,
}

/// What an attack comes to if it is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prospect {
    /// The piece does not reach the other, or would expose its own general.
    Impossible,
    /// The attacked piece is of the same kind and could just as well take its attacker.
    Offer,
    /// The attacked piece is protected by these real roots.
    Rooted(Bitboard),
    /// The attacked piece is lost for nothing or for less than its worth.
    Win,
}

/// By what measure an attack is a chase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// World and Asian federations: the target has no real root, or is a chariot attacked by a horse
    /// or a cannon.
    Roots,
    /// Chinese association: taking wins material when all exchanges on the point are counted, and
    /// the taker is not mated for it.
    Exchange {
        /// Whether soldiers chase too, as they do when both sides attack without pause (27.2).
        soldiers: bool,
    },
}

/// How a move brought an attack about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Aim {
    /// The attack itself is new: the piece moved, a line was opened or given a screen, a pin was
    /// lifted, or the roots of the target were tied by a pin.
    Fresh,
    /// The piece was attacked before, but protected; the move has cut its roots off.
    Bared,
}

/// Calls `visit` with each attack of `side` on a piece of the set `among` that is a chase in
/// `position`, whoever is to move.
pub(crate) fn each_chase(
    position: &Position,
    side: Side,
    among: Bitboard,
    measure: Measure,
    mut visit: impl FnMut(Attack),
) {
    let occupied = position.occupied();
    let targets = targets(position, side) & among;
    for from in chasers(position, side, measure) {
        let kind = position.piece_on(from).expect("the set holds pieces").kind();
        for to in attacks::of(kind, side, from, occupied) & targets {
            let attack = Attack { from, to };
            if prospect(position, attack, measure) == Prospect::Win {
                visit(attack);
            }
        }
    }
}

/// The pieces of `side` whose attacks can be chases: never the general, soldiers only where they count.
fn chasers(position: &Position, side: Side, measure: Measure) -> Bitboard {
    let pieces = position.pieces(side) - position.kind(PieceKind::General);
    if matches!(measure, Measure::Exchange { soldiers: true }) {
        return pieces;
    }
    pieces - position.kind(PieceKind::Soldier)
}

/// The pieces that `side` can be guilty of chasing: a general is checked, not chased, and a soldier
/// on its own bank is fair game.
fn targets(position: &Position, side: Side) -> Bitboard {
    let at_home = zones::bank(!side) & position.kind(PieceKind::Soldier);
    position.pieces(!side) - position.kind(PieceKind::General) - at_home
}

/// What an attack comes to, whoever is to move.
pub fn prospect(position: &Position, attack: Attack, measure: Measure) -> Prospect {
    let Attack { from, to } = attack;
    let (Some(attacker), Some(target)) = (position.piece_on(from), position.piece_on(to)) else {
        return Prospect::Impossible;
    };
    if target.side() == attacker.side() || !is_possible(position, attack) {
        return Prospect::Impossible;
    }
    let wins_anyway = match measure {
        Measure::Roots => outweighs(target.kind(), attacker.kind()),
        Measure::Exchange { .. } => exchange::wins(position, attack),
    };
    if wins_anyway {
        return Prospect::Win;
    }
    if attacker.kind() == target.kind() && is_possible(position, Attack { from: to, to: from }) {
        return Prospect::Offer;
    }
    let roots = roots::real_roots(position, from, to);
    if roots.is_empty() && measure == Measure::Roots { Prospect::Win } else { Prospect::Rooted(roots) }
}

/// Whether the capture reaches its target and leaves the own general safe.
pub(crate) fn is_possible(position: &Position, Attack { from, to }: Attack) -> bool {
    position.piece_on(from).is_some_and(|piece| {
        attacks::of(piece.kind(), piece.side(), from, position.occupied()).contains(to)
            && safety::may_take(position, piece.side(), from, to)
    })
}

/// Whether taking a protected `target` with `attacker` wins enough material that protection does not help.
fn outweighs(target: PieceKind, attacker: PieceKind) -> bool {
    use PieceKind::{Advisor, Cannon, Chariot, Elephant, Horse};
    match attacker {
        Horse | Cannon => target == Chariot,
        Advisor | Elephant => matches!(target, Chariot | Horse | Cannon),
        _ => false,
    }
}

/// Calls `visit` with each chase of a piece of the set `among` that the move of a step brought about,
/// how it did so, and whether the answer met it: whether the attacking piece can no longer take its
/// target, which may have moved.
pub(crate) fn each_aim(
    step: &Step<'_>,
    among: Bitboard,
    measure: Measure,
    mut visit: impl FnMut(Attack, Aim, bool),
) {
    each_new_chase([step.before, step.after], step.mv, among, measure, |attack, aim| {
        visit(attack, aim, is_met(attack, step.answer, step.answered, measure));
    });
}

/// Calls `visit` with each chase of a piece of the set `among` that the move between two positions brought about,
/// answered or not.
pub(crate) fn each_new_chase(
    [before, after]: [&Position; 2],
    mv: Move,
    among: Bitboard,
    measure: Measure,
    mut visit: impl FnMut(Attack, Aim),
) {
    each_chase(after, before.side_to_move(), among, measure, |attack| {
        if let Some(aim) = aim([before, after], mv, attack, measure) {
            visit(attack, aim);
        }
    });
}

/// Whether an answer meets an attack: the attacker can no longer take its target, which may have moved.
pub(crate) fn is_met(attack: Attack, answer: Move, answered: &Position, measure: Measure) -> bool {
    let later = Attack { from: attack.from, to: followed(attack.to, answer) };
    prospect(answered, later, measure) != Prospect::Win
}

/// The pieces of the set `among` that the move of a step chases by fresh attacks, and those that it
/// only bares. Attacks that the answer leaves unmet are no chases.
pub(crate) fn chased(step: &Step<'_>, among: Bitboard, measure: Measure) -> (Bitboard, Bitboard) {
    let (mut fresh, mut bared) = (Bitboard::EMPTY, Bitboard::EMPTY);
    each_aim(step, among, measure, |attack, aim, is_met| match aim {
        _ if !is_met => {}
        Aim::Fresh => fresh |= attack.to,
        Aim::Bared => bared |= attack.to,
    });
    (fresh, bared)
}

/// How a move brought this chase about, or `None` if it existed before.
fn aim([before, after]: [&Position; 2], mv: Move, attack: Attack, measure: Measure) -> Option<Aim> {
    let from = if attack.from == mv.to() { mv.from() } else { attack.from };
    match prospect(before, Attack { from, ..attack }, measure) {
        Prospect::Win => None,
        Prospect::Impossible | Prospect::Offer => Some(Aim::Fresh),
        Prospect::Rooted(roots) => {
            let tied = roots & roots::all_roots(after, attack.from, attack.to);
            Some(if tied.is_empty() { Aim::Bared } else { Aim::Fresh })
        }
    }
}

/// Where a piece that stood on `square` stands after `mv`.
fn followed(square: Square, mv: Move) -> Square {
    if square == mv.from() { mv.to() } else { square }
}

#[cfg(test)]
mod tests {
    use chuhe_board::coords::{parse_square, points};

    use super::*;

    fn attack(from: &str, to: &str) -> Attack {
        let [from, to] = [from, to].map(|name| parse_square(name).unwrap());
        Attack { from, to }
    }

    fn comes_to(fen: &str, from: &str, to: &str) -> Prospect {
        prospect(&fen.parse().unwrap(), attack(from, to), Measure::Roots)
    }

    fn victims(fen: &str, side: Side) -> Bitboard {
        let mut set = Bitboard::EMPTY;
        each_chase(&fen.parse().unwrap(), side, Bitboard::ALL, Measure::Roots, |attack| set |= attack.to);
        set
    }

    #[test]
    fn an_unprotected_piece_is_won_and_a_protected_one_is_not() {
        assert_eq!(comes_to("3k5/9/9/9/2c6/2R6/9/9/9/4K4 w", "c4", "c5"), Prospect::Win);
        assert_eq!(comes_to("3k5/9/4b4/9/2c6/2R6/9/9/9/4K4 w", "c4", "c5"), Prospect::Rooted(points("e7")));
    }

    #[test]
    fn a_chariot_is_won_by_horse_or_cannon_even_if_protected() {
        let horse = "2r1k4/9/9/9/2r6/9/3N5/9/9/3K5 w";
        assert_eq!(comes_to(horse, "d3", "c5"), Prospect::Win);
        let cannon = "2r1k4/9/9/9/2r6/9/2P6/9/2C6/3K5 w";
        assert_eq!(comes_to(cannon, "c1", "c5"), Prospect::Win);
    }

    #[test]
    fn like_pieces_offer_an_exchange_unless_the_answer_is_impossible() {
        assert_eq!(comes_to("3k5/9/9/9/2r6/2R6/9/9/9/4K4 w", "c4", "c5"), Prospect::Offer);
        // The chariot on e5 may not leave the file.
        assert_eq!(comes_to("4k4/9/9/9/2R1r4/9/9/9/4R4/5K3 w", "c5", "e5"), Prospect::Win);
        // The horse on d6 is hobbled by the soldier on d5, the one on c4 is not.
        assert_eq!(comes_to("4k4/9/9/3n5/3p5/2N6/9/9/9/5K3 w", "c4", "d6"), Prospect::Win);
        assert_eq!(comes_to("4k4/9/9/3n5/9/2N6/9/9/9/3K5 w", "c4", "d6"), Prospect::Offer);
    }

    #[test]
    fn generals_and_soldiers_do_not_chase() {
        assert_eq!(victims("3k5/9/9/9/2cP5/9/9/9/5n3/4K4 w", Side::Red), Bitboard::EMPTY);
    }

    #[test]
    fn only_soldiers_across_the_river_can_be_chased() {
        assert_eq!(victims("3k5/9/9/p8/9/9/9/9/R7p/4K4 w", Side::Red), points("i1"));
    }
}
