//! The numbers of our engine that were chosen by matches (docs/banqi.md has the results).

/// What evaluation and search can be tuned by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Params {
    /// The kinds' values in a full set, general first; 20–1500.
    pub base: [i32; 7],
    /// The share of a value, in percent, that goes with the prey that is left; 0–100.
    pub attack: i32,
    /// How many percent a value grows when no enemy is left that could take the piece; 0–150.
    pub safety: i32,
    /// What a hunter gains, in 256ths of the prey's value, by the steps between them; at the wrong parity a
    /// third of it. Steps 0 and beyond the last gain nothing.
    pub hunt: [i32; 10],
    /// The same for a cannon that could take at its next move.
    pub aim: i32,
    /// What a step that a piece could make gains; 0–5.
    pub mobility: i32,
    /// How many plies less a flip's outcomes are searched; 0–4.
    pub flip_reduction: i32,
    /// How far an outcome of a flip may lie from the position before it; wins are cut to this; 300–5000.
    pub flip_swing: i32,
    /// A draw's score for the side that searches; negative is a wish to play on.
    pub draw: i32,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            base: [600, 300, 180, 110, 70, 190, 45],
            attack: 55,
            safety: 60,
            hunt: [0, 8, 26, 14, 16, 8, 8, 5, 5, 3],
            aim: 16,
            mobility: 1,
            flip_reduction: 2,
            flip_swing: 1500,
            draw: -15,
        }
    }
}
