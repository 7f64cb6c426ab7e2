//! Every tuned number of the search, with its meaning and range. The tuner and the protocol options
//! read the same table.

use std::ops::RangeInclusive;

/// One tuned number: what it is called, where it starts and how far it may go.
#[derive(Clone, Debug)]
pub struct Param {
    /// The name that options and the tuner use.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// The value in use unless it is changed.
    pub default: i32,
    /// The values that make sense.
    pub range: RangeInclusive<i32>,
}

macro_rules! params {
    ($($(#[doc = $about:literal])+ $name:ident = $default:literal in $range:expr;)+) => {
        /// The tuned numbers of one search.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params {
            $($(#[doc = $about])+ pub $name: i32,)+
        }

        impl Default for Params {
            fn default() -> Self {
                Self { $($name: $default,)+ }
            }
        }

        /// All tuned numbers.
        pub fn all() -> Vec<Param> {
            vec![$(Param {
                name: stringify!($name),
                about: concat!($($about),+).trim_ascii(),
                default: $default,
                range: $range,
            },)+]
        }

        impl Params {
            /// The number with this name.
            pub fn named(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)+
                    _ => None,
                }
            }
        }
    };
}

params! {
    /// Half-width of the first aspiration window.
    aspiration_window = 21 in 5..=60;
    /// Deepest node that reverse futility pruning may cut.
    static_depth = 8 in 4..=14;
    /// Margin per ply above beta at which a quiet node is trusted to stay above it.
    static_margin = 115 in 30..=160;
    /// Deepest node that may be razored.
    razor_depth = 3 in 0..=8;
    /// Margin below alpha at which a node drops into quiescence, at no depth.
    razor_base = 228 in 80..=500;
    /// The same, for each ply squared.
    razor_slope = 158 in 40..=400;
    /// Reduction of a null move at no depth.
    null_base = 3 in 2..=6;
    /// Depth over this is added to the null move's reduction.
    null_depth_divisor = 2 in 2..=6;
    /// Surplus over beta for one more ply of the null move's reduction.
    null_surplus_divisor = 235 in 60..=400;
    /// Depth from which a null move's cut is verified.
    null_verify_depth = 17 in 8..=24;
    /// How far beyond beta a shallow search must be for a probable cut.
    probcut_margin = 213 in 80..=320;
    /// Shallowest node that tries probable cuts.
    probcut_depth = 5 in 3..=8;
    /// Quiet moves tried at depth 0 before the rest is skipped.
    late_base = 8 in 1..=10;
    /// Deepest node (after reduction) whose quiet moves may be futile.
    futility_depth = 14 in 4..=14;
    /// Margin of futility at no depth.
    futility_base = 60 in 20..=300;
    /// Margin of futility for each ply.
    futility_slope = 120 in 30..=200;
    /// Score above which only mates are looked for and futility does not count.
    hunting_score = 2014 in 600..=6000;
    /// Loss that a quiet move may risk, for each ply squared.
    quiet_exchange_margin = 17 in 5..=80;
    /// Loss that a capture may risk, for each ply.
    capture_exchange_margin = 139 in 30..=250;
    /// History below this for each ply skips a quiet move.
    history_prune_slope = 5824 in 800..=8000;
    /// Shallowest node that looks for singular moves.
    singular_depth = 7 in 4..=10;
    /// How far below the table's score, per ply, the others must stay.
    singular_margin = 3 in 1..=6;
    /// Surplus at which a singular move is extended twice.
    double_margin = 15 in 0..=60;
    /// Reduction of the first late move, in 1024ths of a ply.
    reduction_base = 678 in -500..=1500;
    /// Growth of the reduction with depth and move number, in 1024ths.
    reduction_slope = 497 in 200..=900;
    /// Less reduction on the principal variation.
    reduction_pv = 1449 in 0..=2048;
    /// More reduction where a cut is expected.
    reduction_cut = 1614 in 0..=3072;
    /// More reduction where the position is not improving.
    reduction_worsening = 863 in 0..=2048;
    /// More reduction when the table's move is a capture.
    reduction_capture = 442 in 0..=2048;
    /// Less reduction for a move that gives check.
    reduction_check = 996 in 0..=2048;
    /// Less reduction for killers and counter moves.
    reduction_refutation = 1448 in 0..=2560;
    /// More reduction where the node below was cut often.
    reduction_cuts = 612 in 0..=2048;
    /// Reduction, in plies, from which a move is searched one deeper if it has not worsened its side's evaluation.
    hindsight_reduction = 3 in 1..=8;
    /// Deepest node off the principal variation that searches checks deeper.
    check_depth = 7 in 0..=12;
    /// History that takes one ply off the reduction.
    reduction_history = 8305 in 3000..=20000;
    /// History bonus per ply of depth.
    bonus_slope = 83 in 60..=400;
    /// Largest history bonus.
    bonus_limit = 1690 in 500..=3000;
    /// Share of the bonus for the quiet move that led to a node without a good answer, in 256ths.
    unanswered_share = 128 in 0..=512;
    /// Material below alpha at which a capture in quiescence cannot help.
    delta_margin = 223 in 50..=400;
    /// Share of the correction of the static evaluation, in 256ths.
    correction_share = 106 in 0..=256;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_lies_in_its_range_and_can_be_set_by_name() {
        let mut params = Params::default();
        for param in all() {
            assert!(param.range.contains(&param.default), "{}", param.name);
            assert!(!param.about.is_empty());
            assert_eq!(params.named(param.name), Some(&mut param.default.clone()));
        }
        assert_eq!(params.named("no such number"), None);
    }
}
