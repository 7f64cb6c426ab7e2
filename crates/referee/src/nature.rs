//! What a single move of a cycle was: check, chase, threat, offer, block or idle. If it was several
//! of these, the gravest names it.

use chuhe_board::{Bitboard, Move, PieceKind, Position, Square, attacks};

use crate::chase::{self, Aim, Attack, Measure, Prospect};
use crate::cycle::Step;
use crate::verdict::{Link, Placed};
use crate::{safety, threat};

/// What a move was, from grave to harmless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Nature {
    /// It gives check (將).
    Check,
    /// It attacks a piece so that the other side has to answer, and it does (捉).
    Chase,
    /// It cuts off the roots of a piece that was attacked before; this too is a chase.
    Baring,
    /// It threatens mate (殺).
    Threat,
    /// It attacks a piece, but the other side leaves the piece where it can be taken.
    Unanswered,
    /// It offers an exchange or gives a piece up (兌, 獻).
    Offer,
    /// It steps into the way of an attack (攔).
    Block,
    /// Nothing of the kind (閒).
    Idle,
}

impl Nature {
    /// A short name for programs: both kinds of chase are `chase`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Chase | Self::Baring => "chase",
            Self::Threat => "threat",
            Self::Unanswered => "attack",
            Self::Offer => "offer",
            Self::Block => "block",
            Self::Idle => "idle",
        }
    }
}

/// Names the move of a step and the pieces it concerns.
pub(crate) fn of(step: &Step<'_>, measure: Measure) -> (Nature, Vec<Link>) {
    type Look = fn(&Step<'_>, Measure) -> Option<(Nature, Vec<Link>)>;
    const LOOKS: [Look; 6] = [check, chase, threat, unanswered, offer, block];
    LOOKS.into_iter().find_map(|look| look(step, measure)).unwrap_or((Nature::Idle, Vec::new()))
}

/// A check may chase a piece besides; its pieces are named after those of the check.
fn check(step: &Step<'_>, measure: Measure) -> Option<(Nature, Vec<Link>)> {
    let general = step.after.general(!step.side());
    let mut links = links(step.after, safety::checkers(step.after, !step.side()), general);
    if links.is_empty() {
        return None;
    }
    links.extend(chase(step, measure).into_iter().flat_map(|(_, chased)| chased));
    Some((Nature::Check, links))
}

fn chase(step: &Step<'_>, measure: Measure) -> Option<(Nature, Vec<Link>)> {
    let (mut fresh, mut bared) = (Vec::new(), Vec::new());
    chase::each_aim(step, Bitboard::ALL, measure, |attack, aim, is_met| match aim {
        _ if !is_met => {}
        Aim::Fresh => fresh.extend(link(step.after, attack.from, attack.to)),
        Aim::Bared => bared.extend(link(step.after, attack.from, attack.to)),
    });
    match (fresh.is_empty(), bared.is_empty()) {
        (false, _) => Some((Nature::Chase, fresh)),
        (true, false) => Some((Nature::Baring, bared)),
        (true, true) => None,
    }
}

fn threat(step: &Step<'_>, _: Measure) -> Option<(Nature, Vec<Link>)> {
    let general = step.after.general(!step.side());
    let movers: Bitboard = threat::threatened_mates(step.after).into_iter().map(Move::from).collect();
    (!movers.is_empty()).then(|| (Nature::Threat, links(step.after, movers, general)))
}

fn unanswered(step: &Step<'_>, measure: Measure) -> Option<(Nature, Vec<Link>)> {
    let mut found = Vec::new();
    chase::each_aim(step, Bitboard::ALL, measure, |attack, _, is_met| {
        if !is_met {
            found.extend(link(step.after, attack.from, attack.to));
        }
    });
    (!found.is_empty()).then_some((Nature::Unanswered, found))
}

/// An exchange is offered where like pieces newly attack each other, a piece where the one that moved
/// can be taken for nothing or for less than its worth.
fn offer(step: &Step<'_>, measure: Measure) -> Option<(Nature, Vec<Link>)> {
    let (side, to) = (step.side(), step.mv.to());
    let comes_to = |position, from, to| chase::prospect(position, Attack { from, to }, measure);
    let mut found = Vec::new();
    for from in step.after.pieces(side) {
        let earlier = if from == to { step.mv.from() } else { from };
        for target in like_pieces_attacked(step.after, from) {
            let is_new = comes_to(step.before, earlier, target) != Prospect::Offer;
            if is_new && comes_to(step.after, from, target) == Prospect::Offer {
                found.extend(link(step.after, from, target));
            }
        }
    }
    let takers = step.after.attackers_to(to, step.after.occupied()) & step.after.pieces(!side);
    for taker in takers {
        if comes_to(step.after, taker, to) == Prospect::Win {
            found.extend(link(step.after, to, taker));
        }
    }
    (!found.is_empty()).then_some((Nature::Offer, found))
}

/// The move blocks where it steps into the way of a check, of a threatened capture or of a mate that
/// was threatened.
fn block(step: &Step<'_>, measure: Measure) -> Option<(Nature, Vec<Link>)> {
    let (before, side, to) = (step.before, step.side(), step.mv.to());
    let general = before.general(side);
    if step.mv.from() == general {
        return None;
    }
    let mut blocked = Bitboard::EMPTY;
    for checker in safety::checkers(before, side) {
        if stands_between(before, checker, general, to) {
            blocked |= checker;
        }
    }
    chase::each_chase(before, !side, Bitboard::ALL, measure, |attack| {
        if attack.to != step.mv.from() && stands_between(before, attack.from, attack.to, to) {
            blocked |= attack.from;
        }
    });
    if !before.is_in_check() {
        let mut waiting = before.clone();
        waiting.pass();
        for mate in threat::mates(&waiting) {
            if stands_between(before, mate.from(), mate.to(), to)
                || stands_between(before, mate.to(), general, to)
            {
                blocked |= mate.from();
            }
        }
    }
    let found: Vec<Link> = blocked.into_iter().filter_map(|piece| link(step.after, to, piece)).collect();
    (!found.is_empty()).then_some((Nature::Block, found))
}

/// Whether `point` lies in the way of the piece on `from` to `target`: on the line, or on the leg of
/// a horse.
fn stands_between(position: &Position, from: Square, target: Square, point: Square) -> bool {
    if from == target {
        return false;
    }
    let is_horse = position.kind(PieceKind::Horse).contains(from);
    if is_horse && attacks::horses_to_unhobbled(target).contains(from) {
        return attacks::horse_leg(from, target) == point;
    }
    attacks::between(from, target).contains(point)
}

/// The enemy pieces of the same kind that the piece on `from` attacks.
fn like_pieces_attacked(position: &Position, from: Square) -> Bitboard {
    position.piece_on(from).map_or(Bitboard::EMPTY, |piece| {
        attacks::of(piece.kind(), piece.side(), from, position.occupied())
            & position.pieces_of(!piece.side(), piece.kind())
    })
}

fn links(position: &Position, by: Bitboard, on: Square) -> Vec<Link> {
    by.into_iter().filter_map(|by| link(position, by, on)).collect()
}

fn link(position: &Position, by: Square, on: Square) -> Option<Link> {
    Some(Link { by: placed(position, by)?, on: placed(position, on)? })
}

fn placed(position: &Position, at: Square) -> Option<Placed> {
    Some(Placed { piece: position.piece_on(at)?, at })
}
