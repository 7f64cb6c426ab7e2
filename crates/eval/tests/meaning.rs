//! What the weights mean: every named pattern is good for its owner, by about as much as players say, more where it is
//! worse for the enemy, and nothing where it is only nearly there.

use std::ops::RangeInclusive;

use chuhe_board::{PieceKind, Position, Side};
use chuhe_eval::classical::{Feature, Note, Phase, SoldierStanding, Tapered, notes, weight};
use proptest::prelude::*;

/// What the row of a feature is worth to a side: all features of its group.
fn row(position: &Position, side: Side, feature: Feature) -> i32 {
    let notes = notes(position);
    let own = notes.iter().filter(|note| note.side == side && note.feature.name() == feature.name());
    own.map(Note::worth).sum::<Tapered>().at(Phase::of(position))
}

fn red_row(fen: &str, feature: Feature) -> i32 {
    row(&fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}")), Side::Red, feature)
}

/// The weights of the three phases.
fn phases(feature: Feature) -> [i32; 3] {
    let weight = weight(feature);
    [weight.opening(), weight.middle(), weight.ending()]
}

/// A pattern, a position of Red's that has it, a band for its worth there in centisoldiers, and a near miss.
type Case = (Feature, &'static str, RangeInclusive<i32>, &'static str);

const CASES: &[Case] = &[
    (
        Feature::hollow_cannon(4),
        "r1bakab1r/9/2n3n2/p1p3p1p/9/4C4/P1P1P1P1P/2N3N2/9/R1BAKAB1R w",
        40..=250,
        "r1bakab1r/9/2n3n2/p1p1p1p1p/9/4C4/P1P1P1P1P/2N3N2/9/R1BAKAB1R b",
    ),
    (
        Feature::loaded_cannon(true),
        "r2akab1r/9/2n1b1n2/p1p1p1p1p/9/9/P1P3P1P/2N1C1N2/9/R1BAKAB1R w",
        2..=80,
        "r2akab1r/9/2n1b1n2/p1p1p1p1p/9/9/P1P1P1P1P/2N1C1N2/9/R1BAKAB1R w",
    ),
    (
        Feature::bottom_cannon(4, true),
        "C3kab1r/4a4/4b1n2/p1p1p1p1p/9/9/P1P1P1P1P/6N2/9/R1BAKAB1R w",
        15..=160,
        "C1b1kab1r/4a4/6n2/p1p1p1p1p/9/9/P1P1P1P1P/6N2/9/R1BAKAB1R b",
    ),
    (
        Feature::CHOKED_HORSE,
        "r2akab1r/4n4/2n1b4/p1p3p1p/9/9/P1P3P1P/2N1C1N2/9/R1BAKAB1R w",
        60..=250,
        "r2ak1b1r/4a4/2n1bn3/p1p3p1p/9/9/P1P3P1P/2N1C1N2/9/R1BAKAB1R w",
    ),
    (
        Feature::CHOKED_BY_TWO,
        "r2akab1r/4n4/2n1b4/p1p3p1p/9/9/P1P3P1P/2N1C1N2/4C4/R1BAKAB1R w",
        80..=300,
        "r2akab1r/4n4/2n1b4/p1p3p1p/9/9/P1P3P1P/2N1C1N2/3C5/R1BAKAB1R w",
    ),
    (
        Feature::IRON_BOLT,
        "4kab1r/4a4/4b1n2/p1p3p1p/9/3R5/P1P3P1P/2N1C1N2/9/2BAKAB2 w",
        5..=120,
        "4kab1r/4a4/4b1n2/p1p3p1p/9/2R6/P1P3P1P/2N1C1N2/9/2BAKAB2 w",
    ),
    (
        Feature::pin(false, true, PieceKind::Horse, 0),
        "2b1kab1r/4n4/9/p1p3p1p/9/9/P1P3P1P/4R1N2/9/2BAKAB2 w",
        10..=120,
        "2b1kab1r/4n4/9/p1p1p1p1p/9/9/P1P3P1P/4R1N2/9/2BAKAB2 w",
    ),
    (
        Feature::linked_soldiers(1),
        "r1bakab1r/9/2n3n2/p7p/3PP4/9/P7P/2N3N2/9/R1BAKAB1R w",
        10..=120,
        "r1bakab1r/9/2n3n2/p3p3p/3P1P3/9/P7P/2N3N2/9/R1BAKAB1R w",
    ),
    (
        Feature::massed(3, false),
        "r1bakab1r/9/1N7/R3p1p1p/1C7/9/P1P1P1P1P/6N2/9/2BAKAB1R w",
        10..=120,
        "r1bakab1r/9/9/R3p1p1p/9/9/P1P1P1P1P/1C4N2/9/2BAKAB1R w",
    ),
    (
        Feature::LINKED_HORSES,
        "r1bakab1r/9/2n3n2/p1p1p1p1p/9/9/P1P1P1P1P/2N6/4N4/R1BAKAB1R w",
        2..=60,
        "r1bakab1r/9/2n3n2/p1p1p1p1p/9/9/P1P1P1P1P/2N3N2/9/R1BAKAB1R w",
    ),
    (
        Feature::CARRIED_CANNONS,
        "r1bakab1r/9/2n3n2/p1p1p1p1p/9/9/P1P1P1P1P/1C2N1C2/9/R1BAKAB1R w",
        2..=60,
        "r1bakab1r/9/2n3n2/p1p1p1p1p/9/9/P1P1P1P1P/1C4C2/4N4/R1BAKAB1R w",
    ),
    (
        Feature::TWIN_CHARIOTS,
        "1nbakabn1/9/9/p1p1p1p1p/9/9/P1P1P1P1P/R7R/9/1NBAKABN1 w",
        2..=60,
        "1nbakabn1/9/9/p1p1p1p1p/9/9/P1P1P1P1P/R3C3R/9/1NBAKABN1 w",
    ),
    (
        Feature::HIGH_ELEPHANT,
        "r1bakab1r/9/9/p1p1p1p1p/2n6/2B6/P3P1P1P/9/9/RNBAKA1NR w",
        2..=60,
        "r1bakab1r/9/9/p1p1p1p1p/1n7/2B6/P3P1P1P/9/9/RNBAKA1NR w",
    ),
    (Feature::WON, "3k1a3/4a4/4b4/9/9/9/9/R8/9/4K4 w", 20..=900, "3k1ab2/4a4/4b4/9/9/9/9/R8/9/4K4 w"),
];

#[test]
fn every_named_pattern_is_good_for_its_owner_by_about_what_players_say() {
    for (feature, there, band, near_miss) in CASES {
        let (worth, missed) = (red_row(there, *feature), red_row(near_miss, *feature));
        assert!(band.contains(&worth), "{}: {worth} in {there}", feature.name());
        assert!(
            missed < worth,
            "{}: {missed} in the near miss {near_miss}, {worth} in {there}",
            feature.name()
        );
        let across: Position = there.parse::<Position>().unwrap().across();
        assert_eq!(row(&across, Side::Black, *feature), worth, "{}", feature.name());
    }
}

#[test]
fn every_named_pattern_has_a_case() {
    for feature in Feature::all().filter(|feature| feature.pattern().is_some()) {
        assert!(CASES.iter().any(|(case, ..)| case.name() == feature.name()), "{}", feature.name());
    }
}

#[test]
fn no_phase_punishes_a_good_pattern() {
    for feature in Feature::all().filter(|feature| feature.pattern().is_some()) {
        assert!(
            phases(feature).iter().all(|worth| *worth >= 0),
            "{}: {:?}",
            feature.words(),
            phases(feature)
        );
    }
}

/// In every phase, none is worth less than the one before it.
#[track_caller]
fn assert_rising(features: impl IntoIterator<Item = Feature>) {
    let weights: Vec<[i32; 3]> = features.into_iter().map(phases).collect();
    for phase in 0..3 {
        assert!(weights.windows(2).all(|pair| pair[0][phase] <= pair[1][phase]), "{weights:?}");
    }
}

#[test]
fn neighbours_are_in_order() {
    assert_rising([Feature::CHOKED_HORSE, Feature::CHOKED_BY_TWO]);
    assert_rising((0..5).map(Feature::linked_soldiers));
    assert_rising((0..6).map(Feature::crossed_soldiers));
    assert_rising((2..5).map(|pieces| Feature::massed(pieces, false)));
    assert_rising((0..9).rev().map(Feature::denied));
    for shut_in in [false, true] {
        assert_rising((1..6).map(|files| Feature::bottom_cannon(files, shut_in)));
    }
    assert_rising([false, true].map(|shut_in| Feature::bottom_cannon(3, shut_in)));
    for standing in [SoldierStanding::Behind, SoldierStanding::WithoutChariot, SoldierStanding::Alone] {
        assert_rising((6..10).rev().map(|rank| Feature::soldier_standing(standing, rank)));
    }
    for (kind, most) in [(PieceKind::Chariot, 17), (PieceKind::Cannon, 17), (PieceKind::Horse, 8)] {
        assert_rising((0..=most).map(|points| Feature::mobility(kind, points)));
        for (by_cannon, on_general) in [(false, false), (false, true), (true, false), (true, true)] {
            assert_rising([3, 1, 0].map(|gap| Feature::pin(by_cannon, on_general, kind, gap)));
        }
    }
    for guards in 0..5 {
        assert_rising((0..8).map(|partners| Feature::partners_in_attack(partners, guards)));
    }
}

#[test]
fn missing_guards_are_worse_with_what_exploits_them() {
    for against in [Feature::advisors_against, Feature::elephants_against] {
        for attackers in 0..3 {
            assert_rising((0..3).map(|guards| against(guards, attackers)));
            assert_eq!(phases(against(2, attackers)), [0; 3]);
        }
        for guards in 0..2 {
            assert_rising((0..3).rev().map(|attackers| against(guards, attackers)));
        }
    }
    // Without its advisors the row falls when the second chariot comes.
    let [one, two] = [
        "r1bakabn1/9/9/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNB1K1BNR w",
        "r1bakabnr/9/9/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNB1K1BNR w",
    ]
    .map(|fen| red_row(fen, Feature::advisors_against(0, 0)));
    assert!(two < one && one <= 0, "{one} against one chariot, {two} against two");
}

#[test]
fn material_is_worth_what_its_order_says() {
    let worth = |kind| phases(Feature::material(kind));
    for phase in 0..3 {
        let of = |kind| worth(kind)[phase];
        assert!(of(PieceKind::Chariot) > of(PieceKind::Horse).max(of(PieceKind::Cannon)));
        assert!(
            of(PieceKind::Horse).min(of(PieceKind::Cannon))
                > of(PieceKind::Advisor).max(of(PieceKind::Elephant))
        );
        assert!(of(PieceKind::Soldier) > 0 && of(PieceKind::Advisor) > 0 && of(PieceKind::Elephant) > 0);
    }
}

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

proptest! {
    #[test]
    fn a_good_pattern_never_lowers_its_row(
        choices in prop::collection::vec(any::<prop::sample::Index>(), 0..160)
    ) {
        let position = random_position(&choices);
        let phase = Phase::of(&position);
        let notes = notes(&position);
        for pattern in notes.iter().filter(|note| note.feature.pattern().is_some()) {
            let of_row = |note: &&Note| note.side == pattern.side && note.feature.name() == pattern.feature.name();
            let with: Tapered = notes.iter().filter(of_row).map(Note::worth).sum();
            let without = with - pattern.worth();
            prop_assert!(with.at(phase) >= without.at(phase), "{} in {position}", pattern.feature.words());
        }
    }
}
