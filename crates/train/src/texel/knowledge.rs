//! What the tuner knows before any sample: signs, orders, neighbours and zero points.

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

pub(super) const KINDS: [PieceKind; 7] = PieceKind::ALL;
pub(super) const ATTACKERS: [PieceKind; 3] = [PieceKind::Horse, PieceKind::Cannon, PieceKind::Chariot];

/// What a piece at home is worth at least: pairs of kinds say nearly the same as single ones, and without a floor a
/// soldier became −85.
const FLOORS: [(PieceKind, f32); 6] = [
    (PieceKind::Advisor, 40.0),
    (PieceKind::Elephant, 40.0),
    (PieceKind::Horse, 200.0),
    (PieceKind::Chariot, 500.0),
    (PieceKind::Cannon, 200.0),
    (PieceKind::Soldier, 40.0),
];

/// What players have a name for is worth a little at least.
const LEAST_OF_A_PATTERN: f32 = 2.0;

/// All constraints, orders first: clamping keeps them.
pub(super) fn rules() -> Vec<Rule> {
    let mut rules: Vec<Rule> = orders().into_iter().map(Rule::Rising).collect();
    rules.extend(good_features().into_iter().map(|feature| Rule::AtLeast(feature, 0.0)));
    let named = Feature::all().filter(|feature| feature.pattern().is_some() && *feature != Feature::WON);
    rules.extend(named.map(|feature| Rule::AtLeast(feature, LEAST_OF_A_PATTERN)));
    rules.extend(guards().filter(|[guards, _]| *guards < 2).flat_map(missing_guards).map(Rule::Bad));
    rules.extend(FLOORS.map(|(kind, least)| Rule::AtLeast(Feature::material(kind), least)));
    let zeros = [Feature::linked_soldiers(0), Feature::crossed_soldiers(0), Feature::control(3, false)];
    rules.extend(zeros.map(Rule::Zero));
    rules.extend((0..5).map(|guards| Rule::Zero(Feature::partners_in_attack(0, guards))));
    rules.extend(guards().filter(|[guards, _]| *guards == 2).flat_map(missing_guards).map(Rule::Zero));
    rules
}

/// Every count of guards with every count of what exploits their absence.
pub(super) fn guards() -> impl Iterator<Item = [u32; 2]> {
    (0..3).flat_map(|guards| (0..3).map(move |attackers| [guards, attackers]))
}

pub(super) fn missing_guards([guards, attackers]: [u32; 2]) -> [Feature; 2] {
    [Feature::advisors_against(guards, attackers), Feature::elephants_against(guards, attackers)]
}

/// Features none of which is worth less than the one before it.
fn orders() -> Vec<Vec<Feature>> {
    let mut orders = vec![
        vec![Feature::CHOKED_HORSE, Feature::CHOKED_BY_TWO],
        (0..5).map(Feature::linked_soldiers).collect(),
        (0..6).map(Feature::crossed_soldiers).collect(),
        (0..9).rev().map(Feature::denied).collect(),
        (0..5).map(Feature::general_freedom).collect(),
    ];
    for on_general in [false, true] {
        orders.push((2..5).map(|pieces| Feature::massed(pieces, on_general)).collect());
    }
    for (kind, most) in [(PieceKind::Chariot, 17), (PieceKind::Cannon, 17), (PieceKind::Horse, 8)] {
        orders.push((0..=most).map(|points| Feature::mobility(kind, points)).collect());
    }
    // 高兵 is worth no less than 低兵, and 低兵 no less than 底兵.
    for standing in [SoldierStanding::Behind, SoldierStanding::WithoutChariot, SoldierStanding::Alone] {
        orders.push((6..10).rev().map(|rank| Feature::soldier_standing(standing, rank)).collect());
    }
    orders.extend(orders_of_guards());
    orders.extend(orders_of_lines());
    let pairs = KINDS.into_iter().flat_map(|attacker| KINDS.map(|target| (attacker, target)));
    orders.extend(pairs.map(|(attacker, target)| {
        [true, false].map(|protected| Feature::threat(attacker, target, protected)).to_vec()
    }));
    orders
}

/// More attackers and fewer guards are worse for the guards' side.
fn orders_of_guards() -> Vec<Vec<Feature>> {
    let mut orders = Vec::new();
    for guards in 0..5 {
        orders.push((0..8).map(|partners| Feature::partners_in_attack(partners, guards)).collect());
    }
    for partners in 1..8 {
        orders.push((0..5).rev().map(|guards| Feature::partners_in_attack(partners, guards)).collect());
    }
    for guards_against in [Feature::advisors_against, Feature::elephants_against] {
        orders
            .extend((0..3).map(|attackers| (0..3).map(|guards| guards_against(guards, attackers)).collect()));
        orders.extend(
            (0..2).map(|guards| (0..3).rev().map(|attackers| guards_against(guards, attackers)).collect()),
        );
    }
    orders
}

/// Pins are dearer the nearer, bottom cannons the further from the general and if he is shut in.
fn orders_of_lines() -> Vec<Vec<Feature>> {
    let mut orders: Vec<Vec<Feature>> =
        pins().map(|pin| PIN_GAPS.into_iter().rev().map(pin).collect()).collect();
    orders
        .extend([false, true].map(|shut_in| (1..9).map(|at| Feature::bottom_cannon(at, shut_in)).collect()));
    orders.extend((1..9).map(|at| [false, true].map(|shut_in| Feature::bottom_cannon(at, shut_in)).to_vec()));
    orders
}

/// A gap for each distance of a pin, the nearest first.
pub(super) const PIN_GAPS: [u32; 3] = [0, 1, 3];

/// Pins by the gap between the pinned piece and what it is pinned to.
pub(super) fn pins() -> impl Iterator<Item = impl Fn(u32) -> Feature + Copy> {
    let ways = [(false, false), (false, true), (true, false), (true, true)];
    ways.into_iter().flat_map(|(by_cannon, on_general)| {
        ATTACKERS.map(|kind| move |gap| Feature::pin(by_cannon, on_general, kind, gap))
    })
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
    good.extend((0..9).flat_map(|files| [false, true].map(|shut_in| Feature::bottom_cannon(files, shut_in))));
    good.extend([false, true].map(Feature::loaded_cannon));
    good.extend((1..5).map(Feature::linked_soldiers));
    good.extend((1..6).map(Feature::crossed_soldiers));
    good.extend(pins().flat_map(|pin| PIN_GAPS.map(pin)));
    good.extend(
        (2..5).flat_map(|pieces| [false, true].map(|on_general| Feature::massed(pieces, on_general))),
    );
    good.extend((0..4).flat_map(|ring| [false, true].map(|contested| Feature::control(ring, contested))));
    good.extend(
        (1..8).flat_map(|partners| (0..5).map(move |guards| Feature::partners_in_attack(partners, guards))),
    );
    good.extend([PieceKind::Advisor, PieceKind::Elephant].map(Feature::threatened_guard));
    good.extend((0..5).map(|from_middle| Feature::attacking_soldier(from_middle, true)));
    good.extend(KINDS.into_iter().flat_map(|kind| {
        [
            Feature::safe_check(kind),
            Feature::palace_attack(kind),
            Feature::steps(kind),
            Feature::protected(kind),
        ]
    }));
    good.extend(KINDS.into_iter().flat_map(|attacker| {
        KINDS.into_iter().flat_map(move |target| {
            [false, true].map(|protected| Feature::threat(attacker, target, protected))
        })
    }));
    good
}

/// Pairs of neighbouring points where a kind can stand, as placements.
pub(super) fn neighbours() -> Vec<[Feature; 2]> {
    let mut pairs = Vec::new();
    for kind in KINDS {
        let allowed = chuhe_board::zones::allowed(Side::Red, kind);
        let steps = if matches!(kind, PieceKind::Advisor | PieceKind::Elephant) {
            &[][..]
        } else {
            &[(1, 0), (0, 1)]
        };
        for (square, (files, ranks)) in
            allowed.into_iter().flat_map(|square| steps.iter().map(move |step| (square, *step)))
        {
            let next = square.offset(files, ranks).filter(|next| allowed.contains(*next));
            let placed = |square| Feature::placement(kind, Side::Red, square);
            pairs.extend(next.map(|next| [placed(square), placed(next)]).filter(|[one, other]| one != other));
        }
    }
    pairs
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
