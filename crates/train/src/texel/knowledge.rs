//! What the tuner knows before any sample: signs, orders, zero points, and priors from the papers.

use chuhe_board::{PieceKind, Side, Square};
use chuhe_eval::classical::{Feature, SoldierStanding};

/// A constraint on the weights, in every phase.
pub(super) enum Rule {
    /// The zero point of its group.
    Zero(Feature),
    /// Never below this.
    AtLeast(Feature, f32),
    /// Never above 0.
    Bad(Feature),
    /// None is worth less than the one before it.
    Rising(Vec<Feature>),
}

/// Features of which each piece of a kind, or each side, has exactly one: a constant can move from them into the
/// material without changing any score.
pub(super) struct Gauge {
    pub(super) features: Vec<Feature>,
    /// What is worth zero after centring: their mean.
    pub(super) zero: Vec<Feature>,
    /// Takes the constant; `None` where it cancels out between the sides.
    pub(super) material: Option<Feature>,
}

const KINDS: [PieceKind; 7] = PieceKind::ALL;
const ATTACKERS: [PieceKind; 3] = [PieceKind::Horse, PieceKind::Cannon, PieceKind::Chariot];

/// All constraints, orders first: clamping keeps them.
pub(super) fn rules() -> Vec<Rule> {
    let mut rules = orders();
    rules.extend(good_features().into_iter().map(|feature| Rule::AtLeast(feature, 0.0)));
    rules.extend(guards().filter(|[guards, _]| *guards < 2).flat_map(missing_guards).map(Rule::Bad));
    rules.push(Rule::AtLeast(Feature::material(PieceKind::Soldier), 40.0));
    rules.extend(
        [PieceKind::Advisor, PieceKind::Elephant].map(|kind| Rule::AtLeast(Feature::material(kind), 40.0)),
    );
    let zeros = [Feature::linked_soldiers(0), Feature::crossed_soldiers(0), Feature::control(3, false)];
    rules.extend(zeros.map(Rule::Zero));
    rules.extend((0..5).map(|guards| Rule::Zero(Feature::partners_in_attack(0, guards))));
    rules.extend(guards().filter(|[guards, _]| *guards == 2).flat_map(missing_guards).map(Rule::Zero));
    rules
}

/// Every count of guards with every count of what exploits their absence.
fn guards() -> impl Iterator<Item = [u32; 2]> {
    (0..3).flat_map(|guards| (0..3).map(move |attackers| [guards, attackers]))
}

fn missing_guards([guards, attackers]: [u32; 2]) -> [Feature; 2] {
    [Feature::advisors_against(guards, attackers), Feature::elephants_against(guards, attackers)]
}

fn orders() -> Vec<Rule> {
    let mut orders = vec![
        vec![Feature::CHOKED_HORSE, Feature::CHOKED_BY_TWO],
        (0..5).map(Feature::linked_soldiers).collect(),
        (0..6).map(Feature::crossed_soldiers).collect(),
    ];
    for on_general in [false, true] {
        orders.push((2..5).map(|pieces| Feature::massed(pieces, on_general)).collect());
    }
    for (kind, most) in [(PieceKind::Chariot, 17), (PieceKind::Cannon, 17), (PieceKind::Horse, 8)] {
        orders.push((0..=most).map(|points| Feature::mobility(kind, points)).collect());
    }
    for guards in 0..5 {
        orders.push((0..8).map(|partners| Feature::partners_in_attack(partners, guards)).collect());
    }
    for guards_against in [Feature::advisors_against, Feature::elephants_against] {
        orders
            .extend((0..3).map(|attackers| (0..3).map(|guards| guards_against(guards, attackers)).collect()));
        orders.extend(
            (0..2).map(|guards| (0..3).rev().map(|attackers| guards_against(guards, attackers)).collect()),
        );
    }
    // 高兵 is worth no less than 低兵, and 低兵 no less than 底兵.
    for standing in [SoldierStanding::WithoutChariot, SoldierStanding::Alone] {
        orders.push((6..10).rev().map(|rank| Feature::soldier_standing(standing, rank)).collect());
    }
    orders.into_iter().map(Rule::Rising).collect()
}

/// Features that no side wants to be without.
fn good_features() -> Vec<Feature> {
    let mut good = vec![
        Feature::TO_MOVE,
        Feature::HOLLOW_ON_RANK,
        Feature::WEAK_RING,
        Feature::IRON_BOLT,
        Feature::CHOKED_HORSE,
        Feature::CHOKED_BY_TWO,
        Feature::LINKED_HORSES,
        Feature::CARRIED_CANNONS,
        Feature::TWIN_CHARIOTS,
        Feature::HIGH_ELEPHANT,
    ];
    good.extend((0..9).map(Feature::hollow_cannon));
    good.extend((0..9).map(Feature::bottom_cannon));
    good.extend([false, true].map(Feature::loaded_cannon));
    good.extend((1..5).map(Feature::linked_soldiers));
    good.extend((1..6).map(Feature::crossed_soldiers));
    good.extend(pins());
    good.extend(
        (2..5).flat_map(|pieces| [false, true].map(|on_general| Feature::massed(pieces, on_general))),
    );
    good.extend((0..4).flat_map(|ring| [false, true].map(|several| Feature::control(ring, several))));
    good.extend(
        (1..8).flat_map(|partners| (0..5).map(move |guards| Feature::partners_in_attack(partners, guards))),
    );
    good.extend(KINDS.into_iter().flat_map(|kind| [Feature::safe_check(kind), Feature::palace_attack(kind)]));
    good.extend(ATTACKERS.map(Feature::protected));
    good
}

fn pins() -> impl Iterator<Item = Feature> {
    let pinned = [PieceKind::Horse, PieceKind::Cannon, PieceKind::Chariot];
    let ways = [(false, false), (false, true), (true, false), (true, true)];
    ways.into_iter().flat_map(move |(by_cannon, on_general)| {
        pinned.into_iter().map(move |kind| Feature::pin(by_cannon, on_general, kind))
    })
}

/// The papers' values in centisoldiers, for every phase. A unit of Liu 2014 is counted as 2 centisoldiers: a chariot is
/// worth 200 of them, but his patterns also ask for the guards' shape.
pub(super) fn priors() -> Vec<(Feature, f32)> {
    let mut priors = vec![
        (Feature::IRON_BOLT, 60.0),
        (Feature::CHOKED_HORSE, 140.0),
        (Feature::CHOKED_BY_TWO, 170.0),
        (Feature::LINKED_HORSES, 10.0),
        (Feature::CARRIED_CANNONS, 8.0),
        (Feature::TWIN_CHARIOTS, 10.0),
        (Feature::HIGH_ELEPHANT, 15.0),
        (Feature::HOLLOW_ON_RANK, 40.0),
    ];
    priors.extend((0..9).map(|gap| (Feature::hollow_cannon(gap), if gap < 6 { 150.0 } else { 110.0 })));
    priors.extend((0..9).map(|files| (Feature::bottom_cannon(files), 16.0 * files.min(4) as f32)));
    priors.extend(
        [20.0, 45.0, 75.0, 110.0]
            .into_iter()
            .zip(1..)
            .map(|(value, pairs)| (Feature::linked_soldiers(pairs), value)),
    );
    priors.extend(pins().map(|pin| (pin, 30.0)));
    for (pieces, value) in [(2, 8.0), (3, 25.0), (4, 50.0)] {
        priors.push((Feature::massed(pieces, false), value));
        priors.push((Feature::massed(pieces, true), 1.5 * value));
    }
    for [guards, attackers] in guards() {
        let value = -6.0 * (2 - guards) as f32 * attackers as f32;
        priors.extend(missing_guards([guards, attackers]).map(|feature| (feature, value)));
    }
    // Pairs of kinds deviate little from the sum of their pieces (Liu 2014, §3.3.4 names 馬炮 over 雙馬 and 雙炮).
    priors.extend(KINDS.into_iter().flat_map(|one| KINDS.map(|other| (Feature::together(one, other), 0.0))));
    priors
}

/// Where constants may move without changing a score.
pub(super) fn gauges() -> Vec<Gauge> {
    let mut gauges = Vec::new();
    for kind in KINDS {
        let placed = |square| Feature::placement(kind, Side::Red, square);
        let start = chuhe_board::Position::start();
        let mut features: Vec<Feature> =
            chuhe_board::zones::allowed(Side::Red, kind).into_iter().map(placed).collect();
        features.sort();
        features.dedup();
        let homes: Vec<Square> = start.pieces_of(Side::Red, kind).into_iter().collect();
        let material = (kind != PieceKind::General).then(|| Feature::material(kind));
        gauges.push(Gauge { features, zero: homes.into_iter().map(placed).collect(), material });
    }
    for (kind, most, at_start) in
        [(PieceKind::Chariot, 17, 2), (PieceKind::Cannon, 17, 12), (PieceKind::Horse, 8, 2)]
    {
        let features = (0..=most).map(|points| Feature::mobility(kind, points)).collect();
        let zero = vec![Feature::mobility(kind, at_start)];
        gauges.push(Gauge { features, zero, material: Some(Feature::material(kind)) });
    }
    let horse = Some(Feature::material(PieceKind::Horse));
    for (feature, at_start) in [(Feature::half_free as fn(u32) -> Feature, 1), (Feature::denied, 0)] {
        let features = (0..9).map(feature).collect();
        gauges.push(Gauge { features, zero: vec![feature(at_start)], material: horse });
    }
    let features = (0..5).map(Feature::general_freedom).collect();
    gauges.push(Gauge { features, zero: vec![Feature::general_freedom(1)], material: None });
    gauges
}
