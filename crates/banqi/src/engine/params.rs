//! The numbers of our engine, tuned by `chuhe banqi tune` (docs/banqi.md has the results).

use std::ops::RangeInclusive;

/// What evaluation and search can be tuned by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Params {
    /// The kinds' values in a full set, general first.
    pub base: [i32; 7],
    /// The share of a value, in percent, that goes with the prey that is left.
    pub attack: i32,
    /// How many percent a value grows when no enemy is left that could take the piece.
    pub safety: i32,
    /// What a hunter gains, in 256ths of the prey's value, by the steps between them; at the wrong parity a
    /// third of it. Steps 0 and beyond the last gain nothing.
    pub hunt: [i32; 10],
    /// The same for a cannon that could take at its next move.
    pub aim: i32,
    /// What a step that a piece could make gains.
    pub mobility: i32,
    /// How many plies less a flip's outcomes are searched.
    pub flip_reduction: i32,
    /// How far an outcome of a flip may lie from the position before it; wins are cut to this.
    pub flip_swing: i32,
    /// With at most so many pieces face down, flips below the root are looked into; with more they are passes.
    pub looked_into: i32,
    /// Only so many plies or more before the horizon.
    pub look_depth: i32,
    /// A draw's score for the side that searches; negative is a wish to play on.
    pub draw: i32,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            base: [475, 280, 198, 105, 57, 221, 54],
            attack: 62,
            safety: 52,
            hunt: [0, 14, 23, 13, 10, 5, 7, 1, 1, 7],
            aim: 22,
            mobility: 5,
            flip_reduction: 3,
            flip_swing: 1832,
            looked_into: 4,
            look_depth: 5,
            draw: -17,
        }
    }
}

/// One of the numbers: its name, itself, and the values that make sense.
pub type Named<'a> = (&'static str, &'a mut i32, RangeInclusive<i32>);

impl Params {
    /// All numbers one by one.
    pub fn named(&mut self) -> Vec<Named<'_>> {
        const KINDS: [&str; 7] = ["general", "advisor", "elephant", "chariot", "horse", "cannon", "soldier"];
        const HUNTS: [&str; 9] =
            ["hunt_1", "hunt_2", "hunt_3", "hunt_4", "hunt_5", "hunt_6", "hunt_7", "hunt_8", "hunt_9"];
        let base = KINDS.into_iter().zip(&mut self.base).map(|(name, value)| {
            let range = *value / 2..=*value * 3 / 2;
            (name, value, range)
        });
        let hunt = HUNTS.into_iter().zip(&mut self.hunt[1..]).map(|(name, value)| (name, value, 0..=40));
        let rest: [Named<'_>; 9] = [
            ("attack", &mut self.attack, 0..=100),
            ("safety", &mut self.safety, 0..=150),
            ("aim", &mut self.aim, 0..=40),
            ("mobility", &mut self.mobility, 0..=12),
            ("flip_reduction", &mut self.flip_reduction, 0..=4),
            ("flip_swing", &mut self.flip_swing, 500..=3000),
            ("looked_into", &mut self.looked_into, 0..=10),
            ("look_depth", &mut self.look_depth, 2..=8),
            ("draw", &mut self.draw, -60..=20),
        ];
        base.chain(hunt).chain(rest).collect()
    }
}
