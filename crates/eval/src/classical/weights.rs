//! The weights of all features, in the order of [`Feature::index`]: data, written by the tuner.

use super::{Feature, Tapered};

/// What one count of the feature is worth.
#[inline]
pub const fn weight(feature: Feature) -> Tapered {
    WEIGHTS[feature.index()]
}

const fn t(opening: i16, ending: i16) -> Tapered {
    Tapered::new(opening, ending)
}

#[rustfmt::skip]
static WEIGHTS: [Tapered; Feature::COUNT] = [
    // Material: general, advisor, elephant, horse, chariot, cannon, soldier.
    t(0, 0), t(110, 105), t(115, 110), t(390, 420), t(900, 900), t(430, 400), t(50, 90),
    // Placement of the general, rank by rank from its own back rank, from the edge file to the centre.
    t(0, 0), t(0, 0), t(0, 0), t(10, 0), t(15, 15),
    t(0, 0), t(0, 0), t(0, 0), t(-20, 5), t(-15, 20),
    t(0, 0), t(0, 0), t(0, 0), t(-40, 5), t(-35, 20),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    // Placement of the advisor, rank by rank from its own back rank, from the edge file to the centre.
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(12, 8),
    t(-10, -5), t(-10, -5), t(-10, -5), t(-10, -5), t(-10, -5),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    // Placement of the elephant, rank by rank from its own back rank, from the edge file to the centre.
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(-15, -10), t(0, 0), t(0, 0), t(0, 0), t(20, 12),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    // Placement of the horse, rank by rank from its own back rank, from the edge file to the centre.
    t(-47, -35), t(-42, -30), t(-37, -25), t(-32, -20), t(-27, -15),
    t(-27, -25), t(-22, -20), t(-17, -15), t(-12, -10), t(-32, -5),
    t(-12, -15), t(-7, -10), t(-2, -5), t(3, 0), t(8, 5),
    t(-7, -10), t(-2, -5), t(3, 0), t(8, 5), t(13, 10),
    t(-2, -5), t(3, 0), t(8, 5), t(13, 10), t(18, 15),
    t(6, 2), t(11, 7), t(16, 12), t(21, 17), t(26, 22),
    t(10, 8), t(15, 13), t(20, 18), t(25, 23), t(30, 28),
    t(13, 12), t(18, 17), t(23, 22), t(28, 27), t(33, 32),
    t(6, 5), t(11, 10), t(16, 15), t(21, 20), t(26, 25),
    t(-12, -15), t(-7, -10), t(-2, -5), t(3, 0), t(8, 5),
    // Placement of the chariot, rank by rank from its own back rank, from the edge file to the centre.
    t(-18, -10), t(-16, -8), t(-14, -6), t(-12, -4), t(-10, -2),
    t(0, -3), t(2, -1), t(4, 1), t(6, 3), t(8, 5),
    t(4, 0), t(6, 2), t(8, 4), t(10, 6), t(12, 8),
    t(4, 2), t(6, 4), t(8, 6), t(10, 8), t(12, 10),
    t(8, 5), t(10, 7), t(12, 9), t(14, 11), t(16, 13),
    t(14, 10), t(16, 12), t(18, 14), t(20, 16), t(22, 18),
    t(14, 12), t(16, 14), t(18, 16), t(20, 18), t(22, 20),
    t(12, 12), t(14, 14), t(16, 16), t(18, 18), t(20, 20),
    t(14, 12), t(16, 14), t(18, 16), t(20, 18), t(22, 20),
    t(8, 6), t(10, 8), t(12, 10), t(14, 12), t(16, 14),
    // Placement of the cannon, rank by rank from its own back rank, from the edge file to the centre.
    t(-4, 6), t(-4, 6), t(-4, 6), t(-4, 6), t(-4, 6),
    t(0, 6), t(0, 6), t(0, 6), t(0, 6), t(0, 6),
    t(6, 6), t(6, 6), t(6, 6), t(6, 6), t(14, 6),
    t(2, 4), t(2, 4), t(2, 4), t(2, 4), t(2, 4),
    t(4, 2), t(4, 2), t(4, 2), t(4, 2), t(4, 2),
    t(2, 0), t(2, 0), t(2, 0), t(2, 0), t(2, 0),
    t(2, 0), t(2, 0), t(2, 0), t(-4, 0), t(-4, 0),
    t(4, -2), t(4, -2), t(4, -2), t(-2, -2), t(-2, -2),
    t(4, -2), t(4, -2), t(4, -2), t(-2, -2), t(-2, -2),
    t(10, -2), t(10, -2), t(10, -2), t(10, -2), t(10, -2),
    // Placement of the soldier, rank by rank from its own back rank, from the edge file to the centre.
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(0, 0), t(0, 0), t(-2, -2), t(0, 0), t(4, 4),
    t(2, 2), t(0, 0), t(8, 8), t(0, 0), t(8, 8),
    t(6, 26), t(12, 32), t(18, 38), t(18, 38), t(20, 40),
    t(10, 30), t(20, 40), t(30, 50), t(34, 54), t(40, 60),
    t(14, 34), t(26, 46), t(42, 62), t(60, 80), t(80, 100),
    t(18, 38), t(36, 56), t(56, 76), t(80, 100), t(120, 140),
    t(0, 0), t(3, 3), t(6, 6), t(9, 9), t(12, 12),
    // Mobility of the chariot, by points.
    t(-24, -32), t(-21, -28), t(-18, -24), t(-15, -20), t(-12, -16), t(-9, -12),
    t(-6, -8), t(-3, -4), t(0, 0), t(3, 4), t(6, 8), t(9, 12),
    t(12, 16), t(15, 20), t(18, 24), t(21, 28), t(24, 32), t(27, 36),
    // Mobility of the cannon, by points.
    t(-14, -24), t(-12, -21), t(-10, -18), t(-8, -15), t(-6, -12), t(-4, -9),
    t(-2, -6), t(0, -3), t(2, 0), t(4, 3), t(6, 6), t(8, 9),
    t(10, 12), t(12, 15), t(14, 18), t(16, 21), t(18, 24), t(20, 27),
    // Mobility of the horse, by points.
    t(-40, -40), t(-25, -28), t(-12, -15), t(-4, -5), t(4, 4), t(10, 11), t(15, 17), t(19, 21), t(22, 24),
    // A point of the enemy palace attacked: general, advisor, elephant, horse, chariot, cannon, soldier.
    t(0, 0), t(0, 0), t(0, 0), t(9, 6), t(6, 4), t(6, 4), t(10, 12),
    // Patterns and threats, in the order of their names in `Feature`.
    t(90, 30), t(15, 5), t(12, 4), t(40, 30), t(35, 30),
    t(25, 20), t(12, 12), t(6, 4), t(10, 14), t(14, 10),
    t(16, 8), t(8, 8), t(3, 5), t(6, 2),
];
