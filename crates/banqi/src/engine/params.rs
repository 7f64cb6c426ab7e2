//! Tuned parameters of evaluation and search (`chuhe banqi tune`, `examples/fit.rs`).

use std::ops::RangeInclusive;

/// The tuned parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Params {
    /// The kinds' values in a full set, general first.
    pub base: [i32; 7],
    /// The percentage of a value that depends on the remaining prey.
    pub attack: i32,
    /// The percentage by which a value grows when no enemy piece can capture it any more.
    pub safety: i32,
    /// What a hunter gains, in 256ths of the prey's value, by the steps between them; at the wrong parity a
    /// third of it. Steps 0 and beyond the last gain nothing.
    pub hunt: [i32; 10],
    /// The same for a cannon that could take at its next move.
    pub aim: i32,
    /// The bonus of each free step.
    pub mobility: i32,
    /// What hunts, aims and mobility change at most; they are not counted where that cannot matter.
    pub positional: i32,
    /// The depth reduction of a flip's outcomes.
    pub flip_reduction: i32,
    /// Outcomes of a flip are clamped to this range around the static evaluation.
    pub flip_swing: i32,
    /// The most face-down pieces with which flips below the root are chance nodes; with more they are passes.
    pub looked_into: i32,
    /// The least depth at which flips below the root are chance nodes.
    pub look_depth: i32,
    /// A draw's score for the side that searches; negative values are contempt.
    pub draw: i32,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            base: [431, 351, 169, 97, 47, 182, 99],
            attack: 63,
            safety: 44,
            hunt: [0, 87, 57, 36, 12, 10, 8, 1, 1, 7],
            aim: 78,
            mobility: 16,
            positional: 600,
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
        let hunt = HUNTS.into_iter().zip(&mut self.hunt[1..]).map(|(name, value)| (name, value, 0..=120));
        let rest: [Named<'_>; 10] = [
            ("attack", &mut self.attack, 0..=100),
            ("safety", &mut self.safety, 0..=150),
            ("aim", &mut self.aim, 0..=120),
            ("mobility", &mut self.mobility, 0..=30),
            ("positional", &mut self.positional, 100..=1500),
            ("flip_reduction", &mut self.flip_reduction, 0..=4),
            ("flip_swing", &mut self.flip_swing, 500..=3000),
            ("looked_into", &mut self.looked_into, 0..=10),
            ("look_depth", &mut self.look_depth, 2..=8),
            ("draw", &mut self.draw, -60..=20),
        ];
        base.chain(hunt).chain(rest).collect()
    }
}
