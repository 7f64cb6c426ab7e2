//! Laws that hold for all results and all texts.

use chuhe_arena::elo::{elo_of_score, estimate, score_of_elo};
use chuhe_arena::openings::{self, Reading};
use chuhe_arena::settings::{MatchFile, Settings};
use chuhe_arena::sprt::Sprt;
use chuhe_arena::{Limits, TimeControl};
use chuhe_board::coords::RankStyle;
use proptest::collection::vec;
use proptest::prelude::*;

fn counts() -> impl Strategy<Value = Vec<u64>> {
    prop_oneof![vec(0..5000u64, 3), vec(0..5000u64, 5)]
        .prop_filter("some results", |counts| counts.iter().any(|count| *count > 0))
}

fn exchanged(counts: &[u64]) -> Vec<u64> {
    counts.iter().rev().copied().collect()
}

proptest! {
    #[test]
    fn exchanging_the_engines_turns_the_rating_around(counts in counts()) {
        let (one, other) = (estimate(&counts).unwrap(), estimate(&exchanged(&counts)).unwrap());
        if one.elo.is_finite() {
            prop_assert!((one.elo + other.elo).abs() < 1e-6);
        } else {
            prop_assert_eq!(one.elo, -other.elo);
        }
        prop_assert!((one.superiority + other.superiority - 1.0).abs() < 1e-6);
        prop_assert!(one.error == other.error || (one.error - other.error).abs() < 1e-6);
    }

    #[test]
    fn more_of_the_same_narrows_the_error_by_the_root(counts in vec(1..500u64, 5)) {
        let fourfold: Vec<u64> = counts.iter().map(|count| count * 4).collect();
        let (few, many) = (estimate(&counts).unwrap(), estimate(&fourfold).unwrap());
        prop_assert!((few.elo - many.elo).abs() < 1e-9);
        if few.error < 20.0 {
            prop_assert!((few.error / many.error - 2.0).abs() < 0.02, "{} {}", few.error, many.error);
        }
    }

    #[test]
    fn scores_and_ratings_undo_each_other(elo in -1500.0..1500.0f64) {
        prop_assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-6);
    }

    #[test]
    fn exchanging_the_engines_exchanges_the_hypotheses(
        counts in counts(), low in -50.0..50.0f64, width in 0.5..50.0f64,
    ) {
        let test = Sprt::new(low, low + width, 0.05, 0.05).unwrap();
        let mirrored = Sprt::new(-low - width, -low, 0.05, 0.05).unwrap();
        let (llr, other) = (test.llr(&counts), mirrored.llr(&exchanged(&counts)));
        prop_assert!(llr.is_finite());
        prop_assert!((llr + other).abs() < 1e-6 * llr.abs().max(1.0), "{} {}", llr, other);
    }

    #[test]
    fn no_text_makes_a_reader_panic(
        text in prop_oneof![
            ".*",
            "((startpos|fen|moves|position|[a-i][0-9]{1,2}|[a-i][0-9][a-i][0-9]|1\\.|\\*|1-0)[ \n]){0,12}",
            "\\[[A-Z]{3} \"[^\"]*\"\\]\n\n([{}();$0-9. a-i]|\n){0,40}",
            "([a-z.]{0,6}[=,'\" ]){0,10}",
            "([0-9/:+.e-]){0,10}",
        ],
        plies in proptest::option::of(0..5usize),
    ) {
        for ranks in [RankStyle::FromZero, RankStyle::FromOne] {
            let _ = openings::read(&text, Reading { ranks, plies });
        }
        if let Ok(settings) = Settings::parse(&text) {
            let _ = settings.engine(&settings, &Limits::default());
        }
        let _ = text.parse::<TimeControl>();
        let _ = toml::from_str::<MatchFile>(&text);
    }
}
