//! Tunable parameters: every tuned number of the search with its meaning and range. SPSA and the protocol options
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
    // Aspiration windows and the root.
    /// Half-width of the first aspiration window.
    aspiration_window = 21 in 5..=60;
    /// Shallowest iteration with an aspiration window.
    aspiration_depth = 5 in 2..=10;
    /// Growth of the window each time the score falls outside, in 256ths of its width.
    aspiration_growth = 128 in 32..=512;
    /// Width beyond which the full window is searched.
    aspiration_limit = 1500 in 200..=4000;
    /// Most plies by which repeated fail highs reduce the root's depth.
    aspiration_reduction = 3 in 0..=6;

    // Pruning of whole nodes.
    /// Plies without a capture from which TT cutoffs are off, because the TT does not know the move limit.
    tt_cutoff_quiet_plies = 100 in 60..=120;
    /// Reverse futility pruning (RFP) applies below this depth.
    rfp_depth = 8 in 4..=14;
    /// RFP: margin above beta for each ply.
    rfp_margin = 115 in 30..=160;
    /// RFP: weight of the evaluation against beta in the score returned, in 256ths.
    rfp_evaluation_share = 128 in 0..=256;
    /// Razoring: deepest node.
    razor_depth = 3 in 0..=8;
    /// Razoring: margin below alpha at depth 0.
    razor_base = 228 in 80..=500;
    /// Razoring: margin for each ply squared.
    razor_slope = 158 in 40..=400;
    /// Null move pruning (NMP): shallowest node.
    nmp_depth = 3 in 1..=6;
    /// NMP: reduction at depth 0.
    nmp_base = 3 in 2..=6;
    /// NMP: depth over this is added to the reduction.
    nmp_depth_divisor = 2 in 2..=6;
    /// NMP: evaluation above beta for one more ply of reduction.
    nmp_evaluation_divisor = 235 in 60..=400;
    /// NMP: most plies of reduction from the evaluation.
    nmp_evaluation_limit = 3 in 0..=8;
    /// NMP: depth from which a cut is verified.
    nmp_verify_depth = 17 in 8..=24;
    /// NMP: share of the reduced depth without null moves in a verification search, in 256ths.
    nmp_verify_share = 192 in 64..=256;
    /// ProbCut: margin above beta.
    probcut_margin = 213 in 80..=320;
    /// ProbCut: shallowest node.
    probcut_depth = 5 in 3..=8;
    /// ProbCut: plies taken off the depth of its search.
    probcut_reduction = 4 in 2..=6;
    /// Internal iterative reduction (IIR): shallowest node.
    iir_depth = 4 in 2..=10;

    // Pruning of single moves.
    /// Late move pruning (LMP): quiet moves tried at depth 0.
    lmp_base = 8 in 1..=10;
    /// LMP: share of those moves tried where the position is not improving, in 256ths.
    lmp_worsening_share = 128 in 32..=256;
    /// Futility pruning of quiet moves applies below this depth after reduction.
    futility_depth = 14 in 4..=14;
    /// Futility pruning of captures applies below this depth.
    futility_capture_depth = 7 in 2..=14;
    /// Futility margin at depth 0.
    futility_base = 60 in 20..=300;
    /// Futility margin for each ply.
    futility_slope = 120 in 30..=200;
    /// Score above which only a mate matters and no margin of material prunes.
    winning_score = 2014 in 600..=6000;
    /// SEE pruning: loss a quiet move may risk, for each ply squared.
    see_quiet_margin = 17 in 5..=80;
    /// SEE pruning: loss a capture may risk, for each ply.
    see_capture_margin = 139 in 30..=250;
    /// History pruning: a quiet move is skipped below minus this for each ply.
    history_pruning_margin = 5824 in 800..=8000;
    /// Share of the history score taken off the base reduction for pruning, in 256ths.
    pruning_history_share = 32 in 0..=128;
    /// Delta pruning in quiescence: margin below alpha at which a capture cannot help.
    delta_margin = 223 in 50..=400;

    // Extensions.
    /// Singular extensions: shallowest node.
    singular_depth = 7 in 4..=10;
    /// Singular extensions: plies by which the TT entry may be shallower than the node.
    singular_tt_depth = 3 in 1..=6;
    /// Singular extensions: margin below the TT score for each ply.
    singular_margin = 3 in 1..=6;
    /// Margin below that at which a singular move is extended twice.
    double_extension_margin = 15 in 0..=60;
    /// Negative extension of a TT move that is not singular and above beta.
    singular_reduction = 2 in 0..=4;
    /// Check extensions: deepest node off the principal variation.
    check_extension_depth = 7 in 0..=12;

    // Late move reductions (LMR).
    /// LMR: shallowest node.
    lmr_depth = 2 in 1..=5;
    /// LMR: captures before this place in the order are not reduced.
    lmr_capture_number = 4 in 1..=10;
    /// LMR: shallowest iteration that reduces moves of the root.
    lmr_root_depth = 3 in 1..=6;
    /// LMR: moves of the root that are never reduced.
    lmr_root_number = 4 in 1..=10;
    /// LMR: reduction of the first late move, in 1024ths of a ply.
    lmr_base = 678 in -500..=1500;
    /// LMR: growth with the logarithms of depth and move number, in 1024ths.
    lmr_slope = 497 in 200..=900;
    /// LMR: less for nodes on a principal variation.
    lmr_pv = 1449 in 0..=2048;
    /// LMR: more at expected cut nodes.
    lmr_cut_node = 1614 in 0..=3072;
    /// LMR: more where the position is not improving.
    lmr_worsening = 863 in 0..=2048;
    /// LMR: more when the TT move is a capture.
    lmr_tt_capture = 442 in 0..=2048;
    /// LMR: less for a move that gives check.
    lmr_check = 996 in 0..=2048;
    /// LMR: less for killers and the countermove.
    lmr_refutation = 1448 in 0..=2560;
    /// LMR: more where many child nodes failed high.
    lmr_cutoffs = 612 in 0..=2048;
    /// LMR: fail highs of child nodes beyond which there are many.
    lmr_cutoff_count = 3 in 0..=10;
    /// LMR: history score that takes one ply off the reduction.
    lmr_history_divisor = 8305 in 3000..=20000;
    /// Hindsight extension: least reduction, in plies, of the move that led to the node.
    hindsight_reduction = 3 in 1..=8;

    // Move ordering and histories.
    /// MVV-LVA: weight of the victim's value.
    mvv_weight = 7 in 1..=20;
    /// MVV-LVA: share of the attacker's value, in 256ths.
    lva_share = 16 in 0..=128;
    /// Share of the capture history in the order of captures, in 256ths.
    capture_history_share = 64 in 0..=256;
    /// Share of a capture's ordering score that a good capture may lose by SEE, in 256ths.
    good_capture_share = 8 in 0..=32;
    /// Weight of the quiet history in the order of quiet moves.
    quiet_history_weight = 2 in 0..=4;
    /// Weight of the continuation history one ply back.
    continuation_weight_1 = 2 in 0..=4;
    /// Weight of the continuation history two plies back.
    continuation_weight_2 = 1 in 0..=4;
    /// Weight of the continuation history four plies back.
    continuation_weight_4 = 1 in 0..=4;
    /// Ordering bonus of a quiet check.
    check_order_bonus = 16000 in 0..=60000;
    /// History bonus per ply of depth.
    history_bonus_slope = 83 in 60..=400;
    /// Largest history bonus.
    history_bonus_limit = 1690 in 500..=3000;
    /// Share of the bonus for the opponent's quiet move before a node that failed low, in 256ths.
    prior_bonus_share = 128 in 0..=512;
    /// Correction history: share of the known error added to the evaluation, in 256ths.
    correction_share = 106 in 0..=256;
    /// Correction history: depth up to which deeper results weigh more.
    correction_depth_limit = 16 in 4..=32;

    // Time management.
    /// Moves that a game is expected to last.
    time_moves = 38 in 15..=80;
    /// Most moves of a time control that are planned for.
    time_moves_limit = 60 in 20..=100;
    /// Moves whose overhead is kept in reserve.
    time_reserve_moves = 10 in 0..=30;
    /// Increments that are kept in reserve, but at most half of the time left.
    time_reserve_increments = 2 in 0..=10;
    /// Percent of the time left that is shared out however large the reserve is.
    time_floor_share = 20 in 5..=50;
    /// Least percent of its share of the increment that a move gets when less than the reserve is left.
    time_refill_share = 25 in 0..=100;
    /// Percent of the increment spent on each move.
    time_increment_share = 80 in 30..=100;
    /// Ideal time, in percent of an even share.
    time_ideal_share = 80 in 30..=150;
    /// Longest time, in percent of an even share.
    time_longest_share = 450 in 150..=900;
    /// Longest time, in percent of the time left.
    time_left_share = 60 in 20..=80;
    /// The same for the last move of a time control.
    time_last_move_share = 90 in 50..=95;
    /// Percent of the ideal time taken right after the best move changed.
    time_change_factor = 160 in 100..=250;
    /// Percent taken off for each iteration with the same best move.
    time_stability_step = 12 in 0..=20;
    /// Iterations with the same best move that count.
    time_stability_limit = 8 in 2..=12;
    /// Fall of the score, in centisoldiers, that doubles the time.
    time_fall_scale = 120 in 40..=400;
    /// Largest fall of the score that counts.
    time_fall_limit = 90 in 20..=300;
    /// Largest rise of the score that counts.
    time_rise_limit = 30 in 0..=100;
    /// Percent of the ideal time taken when no effort went into the best move.
    time_effort_base = 150 in 100..=250;
    /// Percent taken off when all effort went into it.
    time_effort_weight = 80 in 0..=100;
    /// Iterations after which a forced move is played.
    time_forced_depth = 6 in 1..=12;
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
