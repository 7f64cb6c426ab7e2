//! Every pattern is found where it is, and not where it is only nearly.

use chuhe_board::{PieceKind, Position, Side};
use chuhe_eval::classical::{Feature, SoldierStanding, notes};

/// How often Red has the feature.
fn times(fen: &str, feature: Feature) -> i32 {
    let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    let notes = notes(&position);
    notes.iter().filter(|note| note.side == Side::Red && note.feature == feature).map(|note| note.times).sum()
}

/// The pattern is in the first position and not in the others.
fn check(feature: Feature, there: &str, near_misses: &[&str]) {
    assert!(times(there, feature) > 0, "{} is not found in {there}", feature.name());
    for fen in near_misses {
        assert_eq!(times(fen, feature), 0, "{} is found in {fen}", feature.name());
    }
    // The same for Black, seen from the other side.
    let across = there.parse::<Position>().unwrap().across();
    let black = notes(&across);
    assert!(black.iter().any(|note| note.side == Side::Black && note.feature == feature && note.times > 0));
}

#[test]
fn hollow_cannon() {
    check(
        Feature::hollow_cannon(6),
        "3aka3/9/9/9/9/9/9/4C4/9/3K1AB2 w",
        &[
            // One piece between: a check, not a hollow cannon.
            "3aka3/9/9/4p4/9/9/9/4C4/9/3K1AB2 b",
            // Beside the file.
            "3aka3/9/9/9/9/9/9/2C6/9/3K1AB2 w",
        ],
    );
    assert_eq!(times("3aka3/9/9/9/9/4C4/9/9/9/3K1AB2 w", Feature::hollow_cannon(4)), 1);
}

#[test]
fn cannon_over_two() {
    check(
        Feature::loaded_cannon(true),
        "4ka3/4a4/4b4/9/9/9/9/4C4/9/3K1A3 w",
        &["4ka3/4a4/9/9/9/9/9/4C4/9/3K1A3 b", "4ka3/4a4/4b4/4p4/9/9/9/4C4/9/3K1A3 w"],
    );
}

#[test]
fn bottom_cannon() {
    check(
        Feature::bottom_cannon(4, true),
        "C3ka3/4a4/9/9/9/9/9/9/9/3K1A3 w",
        &[
            // A rank too low.
            "4ka3/C3a4/9/9/9/9/9/9/9/3K1A3 w",
            // The general has left the back rank.
            "C4a3/4k4/3a5/9/9/9/9/9/9/3K1A3 w",
            // The general can step off the rank.
            "C3ka3/9/5a3/9/9/9/9/9/9/3K1A3 w",
            // An advisor or an elephant stands between.
            "C2ak4/4a4/9/9/9/9/9/9/9/3K1A3 b",
            "C1bak4/4a4/9/9/9/9/9/9/9/3K1A3 w",
        ],
    );
    assert_eq!(times("C3ka3/9/5a3/9/9/9/9/9/9/3K1A3 w", Feature::bottom_cannon(4, false)), 1);
    // A chariot that covers the point before the general shuts it in.
    assert_eq!(times("C3ka3/R8/9/9/9/9/9/9/9/3K1A3 w", Feature::bottom_cannon(4, true)), 1);
}

#[test]
fn choked_horse() {
    check(
        Feature::CHOKED_HORSE,
        "3ak4/4n4/4b4/9/9/9/9/4C4/9/3K1A3 w",
        &[
            // The horse is not in the centre of the palace.
            "3ak4/4a4/4n4/9/9/9/9/4C4/9/3K1A3 w",
            // Three pieces between.
            "3ak4/4n4/4b4/4p4/9/9/9/4C4/9/3K1A3 w",
            // Two cannons: the stronger pattern.
            "3ak4/4n4/4b4/9/9/9/4C4/4C4/9/3K1A3 w",
        ],
    );
    check(
        Feature::CHOKED_BY_TWO,
        "3ak4/4n4/4b4/9/9/9/4C4/4C4/9/3K1A3 w",
        &["3ak4/4n4/4b4/9/9/9/4C4/3C5/9/3K1A3 w"],
    );
}

#[test]
fn iron_bolt() {
    check(
        Feature::IRON_BOLT,
        // The chariot holds f9.
        "4k4/4a4/4b4/9/9/5R3/9/4C4/9/3AK4 w",
        &[
            // Nobody holds d9 or f9.
            "4k4/4a4/4b4/9/9/6R2/9/4C4/9/3AK4 w",
            // The cannon has only one piece before it.
            "4k4/4a4/9/9/9/5R3/9/4C4/9/3AK4 b",
            // The chariot is blocked.
            "4k4/4a4/4bp3/9/9/5R3/9/4C4/9/3AK4 w",
        ],
    );
    // The own general looks along the file.
    assert_eq!(times("4k4/4a4/4b4/9/9/9/9/4C4/9/5K3 w", Feature::IRON_BOLT), 1);
    assert_eq!(times("4k4/4a4/4b4/9/9/9/5p3/4C4/9/5K3 w", Feature::IRON_BOLT), 0);
}

#[test]
fn pins() {
    let horse_to_general = Feature::pin(false, true, PieceKind::Horse, 1);
    check(
        horse_to_general,
        "4k4/9/4n4/9/9/9/9/4R4/9/3K5 w",
        &[
            // Two pieces between: neither is pinned by a chariot.
            "4k4/9/4n4/4p4/9/9/9/4R4/9/3K5 w",
            // An own piece between.
            "4k4/9/4N4/9/9/9/9/4R4/9/3K5 w",
            // Nearer to the general, and further from it.
            "4k4/4n4/9/9/9/9/9/4R4/9/3K5 w",
            "4k4/9/9/9/9/4n4/9/4R4/9/3K5 w",
            // Not the same line.
            "4k4/9/3n5/9/9/9/9/4R4/9/5K3 b",
        ],
    );
    let cannon_to_chariot = Feature::pin(true, false, PieceKind::Cannon, 1);
    check(
        cannon_to_chariot,
        "r3k4/9/c8/9/p8/9/C8/9/9/3K5 w",
        &["r3k4/9/c8/9/9/9/C8/9/9/3K5 w", "r3k4/9/c8/p8/p8/9/C8/9/9/3K5 w"],
    );
}

#[test]
fn standing_of_soldiers() {
    // A low soldier behind: a horse against a chariot.
    check(
        Feature::soldier_standing(SoldierStanding::Behind, 8),
        "4k4/6P2/9/9/9/9/9/9/r8/3K3N1 w",
        &[
            // On the same rank, but level; behind, but a rank higher; behind, but before the river.
            "4k4/6P2/9/9/9/9/9/9/r8/3K3R1 w",
            "4k4/9/6P2/9/9/9/9/9/r8/3K3N1 w",
            "4k4/9/9/9/9/9/6P2/9/r8/3K3N1 w",
        ],
    );
    let alone = Feature::soldier_standing(SoldierStanding::Alone, 6);
    check(alone, "4k4/9/9/6P2/9/9/9/9/9/3K5 w", &["4k4/9/9/6P2/9/9/9/9/9/3K3N1 w"]);
    let unsupported = Feature::soldier_standing(SoldierStanding::WithoutChariot, 9);
    check(unsupported, "4k1P2/9/9/9/9/9/9/9/9/3K3N1 w", &["4k1P2/9/9/9/9/9/9/9/9/3K3R1 w"]);
}

#[test]
fn linked_soldiers() {
    check(
        Feature::linked_soldiers(1),
        "4k4/9/9/3PP4/9/9/9/9/9/3K5 w",
        &["4k4/9/9/3P1P3/9/9/9/9/9/3K5 w", "4k4/9/3P5/4P4/9/9/9/9/9/3K5 w"],
    );
    // The right edge and the left edge of the next rank are not side by side.
    assert_eq!(times("4k4/9/P8/8P/9/9/9/9/9/3K5 w", Feature::linked_soldiers(0)), 1);
    assert_eq!(times("4k4/9/9/3PPP3/9/9/9/9/9/3K5 w", Feature::linked_soldiers(2)), 1);
}

#[test]
fn linked_horses() {
    check(
        Feature::LINKED_HORSES,
        "4k4/9/9/9/4N4/9/3N5/9/9/3K5 w",
        &[
            // One way only: the leg of the upper horse is blocked.
            "4k4/9/9/9/4N4/4p4/3N5/9/9/3K5 w",
            "4k4/9/9/9/4N4/9/4N4/9/9/3K5 w",
        ],
    );
}

#[test]
fn carried_cannons() {
    check(
        Feature::CARRIED_CANNONS,
        "4k4/9/9/9/9/9/9/1C1N1C3/9/3K5 w",
        &[
            "4k4/9/9/9/9/9/9/1C3C3/9/3K5 w",
            "4k4/9/9/9/9/9/9/1CN1NC3/9/3K5 w",
            "4k4/9/9/9/9/9/5C3/1C1N5/9/3K5 w",
        ],
    );
}

#[test]
fn twin_chariots() {
    check(
        Feature::TWIN_CHARIOTS,
        "4k4/9/9/9/9/R6R1/9/9/9/3K5 w",
        &["4k4/9/9/9/9/R3p2R1/9/9/9/3K5 w", "4k4/9/9/9/9/R8/7R1/9/9/3K5 w"],
    );
}

#[test]
fn high_elephant() {
    check(
        Feature::HIGH_ELEPHANT,
        "4k4/9/9/9/2n6/2B6/9/9/9/3K5 w",
        &[
            // The elephant at home.
            "4k4/9/9/9/2n6/9/9/9/9/2BK5 w",
            // The horse is a point further.
            "4k4/9/9/2n6/9/2B6/9/9/9/3K5 w",
        ],
    );
}

#[test]
fn massed_pieces() {
    check(
        Feature::massed(3, false),
        "4k4/9/1N7/R8/1C7/9/9/9/9/3K5 w",
        &[
            // Two on each wing.
            "4k4/9/1N7/R8/5C3/9/9/9/9/3K5 w",
            // One has not crossed the river.
            "4k4/9/1N7/R8/9/1C7/9/9/9/3K5 w",
        ],
    );
    assert_eq!(times("3k5/9/1N7/R8/1C7/9/9/9/9/4K4 w", Feature::massed(3, true)), 1);
}

#[test]
fn points_of_a_horse() {
    // In the middle of an empty board all eight points are free.
    assert_eq!(times("3k5/9/9/9/9/4N4/9/9/9/4K4 w", Feature::mobility(PieceKind::Horse, 8)), 1);
    // An own soldier on a leg makes two points half free, an enemy one denies them.
    let own = "3k5/9/9/9/4P4/4N4/9/9/9/4K4 w";
    assert_eq!(times(own, Feature::half_free(2)), 1);
    assert_eq!(times(own, Feature::denied(0)), 1);
    let enemy = "3k5/9/9/9/4p4/4N4/9/9/9/4K4 w";
    assert_eq!(times(enemy, Feature::denied(2)), 1);
    assert_eq!(times(enemy, Feature::half_free(0)), 1);
}

#[test]
fn book_wins_by_material() {
    check(Feature::WON, "3k1a3/4a4/4b4/9/9/9/9/R8/9/4K4 w", &["3k1ab2/4a4/4b4/9/9/9/9/R8/9/4K4 w"]);
}

#[test]
fn missing_guards() {
    check(
        Feature::advisors_against(1, 2),
        "r3k3r/9/9/9/9/9/9/9/9/3K1A3 w",
        &["r3k4/9/9/9/9/9/9/9/9/3K1A3 w"],
    );
    check(
        Feature::elephants_against(0, 1),
        "4k4/9/9/9/9/7c1/9/9/9/3K1A3 w",
        &["4k4/9/9/9/9/7c1/9/9/9/2BK5 w"],
    );
}

#[test]
fn control_compares_both_sides() {
    // The chariot alone attacks d7: nobody else does.
    let alone = "4k4/9/9/9/9/3R5/9/9/9/5K3 w";
    assert!(times(alone, Feature::control(1, false)) >= 1);
    assert_eq!(times(alone, Feature::control(1, true)), 0);
    // A horse attacks d7 as well: nobody controls it.
    let even = "4k4/9/9/1n7/9/3R5/9/9/9/5K3 w";
    let controlled = |fen| times(fen, Feature::control(1, false)) + times(fen, Feature::control(1, true));
    assert_eq!(controlled(even), controlled(alone) - 1);
    // Two against one win it.
    let won = "4k4/9/9/1n3N3/9/3R5/9/9/9/5K3 w";
    assert!(times(won, Feature::control(1, true)) >= 1);
}

#[test]
fn guards_and_soldiers_by_attack_chance() {
    let guard = Feature::threatened_guard(PieceKind::Advisor);
    // A chariot beyond the river, which the enemy lacks: 2 for crossing, 4 for two attackers more; two advisors.
    assert_eq!(times("4k4/9/9/9/9/9/9/r8/4A4/3A1K3 w", guard), 12);
    // The chariot at home crosses no river.
    assert_eq!(times("r3k4/9/9/9/9/9/9/9/4A4/3A1K3 w", guard), 8);
    // A chariot against a chariot, both at home: no chance.
    assert_eq!(times("r3k4/9/9/9/9/9/9/9/4A4/R2A1K3 w", guard), 0);
    // A soldier at the palace, with a chariot beside it.
    let soldier = Feature::attacking_soldier(1, true);
    assert_eq!(times("4k4/9/3P5/R8/9/9/9/9/9/5K3 w", soldier), 7);
    assert_eq!(times("4k4/9/9/3P5/R8/9/9/9/9/5K3 w", soldier), 0);
}
