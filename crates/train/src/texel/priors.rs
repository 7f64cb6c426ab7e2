//! Priors: what a weight is worth where samples are few, in centisoldiers and for every phase.
//!
//! A unit of Liu 2014 is 3.75 centisoldiers by its chariot (200 units, 750 here); his patterns are counted at 2, because
//! the search already sees part of what they win. NeuChess (Xu & Wang 2006) counts a chariot as 1000: a unit is 0.75.

use chuhe_board::PieceKind;
use chuhe_eval::classical::Feature;

use super::knowledge::{ATTACKERS, KINDS, PIN_GAPS, guards, missing_guards, pins};

/// Liu's unit where material is meant.
const LIU: f32 = 3.75;
/// Liu's unit where a pattern is meant.
const LIU_PATTERN: f32 = 2.0;
/// NeuChess's unit.
const NEUCHESS: f32 = 0.75;

/// The prior of every feature that has one.
pub(super) fn priors() -> Vec<(Feature, f32)> {
    let mut priors = material();
    priors.extend(patterns());
    priors.extend(lines());
    priors.extend(soldiers());
    priors.extend(guards_and_attack());
    priors.extend(threats());
    priors
}

/// Liu 2014, tables 14 to 16, and mobility by NeuChess; pairs of kinds deviate little from the sum of their pieces.
fn material() -> Vec<(Feature, f32)> {
    let units = [
        (PieceKind::Chariot, 195.0),
        (PieceKind::Horse, 98.0),
        (PieceKind::Cannon, 98.0),
        (PieceKind::Advisor, 25.0),
        (PieceKind::Elephant, 25.0),
        (PieceKind::Soldier, 17.0),
    ];
    let mut priors: Vec<_> = units.map(|(kind, units)| (Feature::material(kind), units * LIU)).to_vec();
    let pairs = KINDS.into_iter().flat_map(|one| KINDS.map(|other| (one, other)));
    priors.extend(pairs.flat_map(|(one, other)| {
        [Feature::together(one, other), Feature::against(one, other)].map(|pair| (pair, 0.0))
    }));
    let steps = [(PieceKind::Advisor, 1.0), (PieceKind::Elephant, 1.0), (PieceKind::Soldier, 15.0)];
    priors.extend(steps.map(|(kind, units)| (Feature::steps(kind), units * NEUCHESS)));
    priors.push((Feature::TO_MOVE, 20.0));
    priors
}

/// Liu 2014, §3.3.2; what NeuChess and Deep Elephant name without a number is small.
fn patterns() -> Vec<(Feature, f32)> {
    let mut priors = vec![
        (Feature::IRON_BOLT, 55.0 * LIU_PATTERN / 2.0),
        (Feature::CHOKED_HORSE, 70.0 * LIU_PATTERN),
        (Feature::CHOKED_BY_TWO, 85.0 * LIU_PATTERN),
        (Feature::LINKED_HORSES, 10.0),
        (Feature::CARRIED_CANNONS, 8.0),
        (Feature::TWIN_CHARIOTS, 10.0),
        (Feature::HIGH_ELEPHANT, 15.0),
        (Feature::WEAK_RING, 10.0),
    ];
    for (pieces, value) in [(2, 8.0), (3, 25.0), (4, 50.0)] {
        priors.push((Feature::massed(pieces, false), value));
        priors.push((Feature::massed(pieces, true), 1.5 * value));
    }
    priors
}

/// Hollow cannon 80 units at most, bottom cannon 40 and the less the nearer, pins 40 and the more the nearer.
fn lines() -> Vec<(Feature, f32)> {
    let mut priors = vec![(Feature::HOLLOW_ON_RANK, 20.0 * LIU_PATTERN)];
    let hollow = [80.0, 80.0, 80.0, 80.0, 75.0, 70.0, 65.0, 60.0, 55.0].into_iter().zip(0..);
    priors.extend(hollow.map(|(units, gap)| (Feature::hollow_cannon(gap), units * LIU_PATTERN)));
    priors.extend([false, true].map(|on_file| (Feature::loaded_cannon(on_file), 20.0)));
    for files in 1..9 {
        let units = 10.0 * files.min(4) as f32;
        priors.push((Feature::bottom_cannon(files, true), units * LIU_PATTERN));
        priors.push((Feature::bottom_cannon(files, false), units * LIU_PATTERN / 2.0));
    }
    let distances = PIN_GAPS.into_iter().zip([40.0, 30.0, 20.0]);
    priors
        .extend(pins().flat_map(|pin| {
            distances.clone().map(move |(gap, units)| (pin(gap), units * LIU_PATTERN / 2.0))
        }));
    priors
}

/// Pairs side by side: Liu gives 10 units for one and more for several, NeuChess 200. A pair is counted between the two.
/// Table 16: just across, an attack chance takes 4 units away over its 8 points; at the palace it adds as much.
fn soldiers() -> Vec<(Feature, f32)> {
    let pair = (10.0 * LIU_PATTERN + 200.0 * NEUCHESS) / 4.0;
    let mut priors: Vec<_> =
        (1..5).map(|pairs| (Feature::linked_soldiers(pairs), pair * pairs as f32)).collect();
    priors.extend((1..6).map(|crossed| (Feature::crossed_soldiers(crossed), 0.0)));
    for from_middle in [0, 2, 4] {
        priors.push((Feature::attacking_soldier(from_middle, false), -4.0 / 8.0 * LIU));
        priors.push((Feature::attacking_soldier(from_middle, true), 4.0 / 8.0 * LIU));
    }
    priors
}

/// Table 15: a guard is worth 20 units more under threat, half of it by the attack chance and half by what exploits its
/// absence (§3.3.4: 缺士怕雙車, 缺象怕炮).
fn guards_and_attack() -> Vec<(Feature, f32)> {
    let guard = |kind| (Feature::threatened_guard(kind), 10.0 / 8.0 * LIU);
    let mut priors = [PieceKind::Advisor, PieceKind::Elephant].map(guard).to_vec();
    for [guards, attackers] in guards() {
        let value = -5.0 * LIU * (2 - guards) as f32 * attackers as f32 / 2.0;
        priors.extend(missing_guards([guards, attackers]).map(|feature| (feature, value)));
    }
    for partners in 1..8 {
        for guards in 0..5 {
            let value = 4.0 * (partners * partners) as f32 * (6 - guards) as f32 / 6.0;
            priors.push((Feature::partners_in_attack(partners, guards), value.min(200.0)));
        }
    }
    priors.extend((0..4).flat_map(|ring| {
        let value = [4.0, 2.0, 1.0, 0.0][usize::from(ring)];
        [false, true].map(|contested| (Feature::control(ring, contested), value))
    }));
    priors.extend((0..5).map(|points| (Feature::general_freedom(points), 2.0 * points as f32 - 2.0)));
    priors
}

/// An attacked piece is worth a part of its value, the larger the cheaper its attacker.
fn threats() -> Vec<(Feature, f32)> {
    let value = |kind: PieceKind| -> f32 {
        match kind {
            PieceKind::General => 0.0,
            PieceKind::Advisor | PieceKind::Elephant | PieceKind::Soldier => 90.0,
            PieceKind::Horse | PieceKind::Cannon => 360.0,
            PieceKind::Chariot => 750.0,
        }
    };
    let mut priors = Vec::new();
    for attacker in KINDS {
        for target in KINDS {
            let gain = (value(target) - value(attacker)).max(0.0) / 10.0;
            priors.push((Feature::threat(attacker, target, false), value(target) / 10.0));
            priors.push((Feature::threat(attacker, target, true), gain));
        }
    }
    priors.extend(ATTACKERS.map(|kind| (Feature::protected(kind), 5.0)));
    priors.extend(KINDS.map(|kind| (Feature::safe_check(kind), 10.0)));
    priors.extend(KINDS.map(|kind| (Feature::palace_attack(kind), 2.0)));
    priors
}
