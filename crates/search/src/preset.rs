//! Presets: which techniques a search uses, with which numbers. `papers` is the search of the time of our papers.

use std::fmt;
use std::str::FromStr;

use crate::params::Params;
use crate::techniques::{Technique, Techniques, UnknownTechnique};

/// Techniques and numbers of a search. Written as `papers +late-move-reductions -quiet-history`: a base (`today` if
/// there is none) and what is added or left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preset {
    /// What the search uses.
    pub techniques: Techniques,
    /// Its numbers.
    pub params: Params,
}

/// What the programs of the papers had in common about 2006: principal variation search, iterative deepening, a
/// transposition table, captures by MVV-LVA and SEE, killers, history, null moves, quiescence.
const PAPERS: Techniques = Techniques::of(&[
    Technique::TranspositionTable,
    Technique::IterativeDeepening,
    Technique::PrincipalVariationSearch,
    Technique::NullMovePruning,
    Technique::MvvLva,
    Technique::SeeOrdering,
    Technique::QuietHistory,
    Technique::KillersAndCountermoves,
    Technique::Quiescence,
]);

impl Preset {
    /// The search of the papers' time: nothing newer than quiescence, killers, history and null moves. Its evaluation
    /// was hand-written; a preset leaves the evaluation alone.
    pub fn papers() -> Self {
        const NEVER: i32 = 1000;
        let params = Params {
            // Null moves with R = 2, whatever the depth and the evaluation, not verified.
            nmp_base: 3,
            nmp_depth_divisor: NEVER,
            nmp_evaluation_limit: 0,
            nmp_verify_depth: NEVER,
            // Late move reductions, where they are added: one ply for quiet moves from depth 3 on.
            lmr_base: 1024,
            lmr_slope: 0,
            lmr_depth: 3,
            lmr_capture_number: NEVER,
            lmr_pv: 0,
            lmr_cut_node: 0,
            lmr_worsening: 0,
            lmr_tt_capture: 0,
            lmr_check: 0,
            lmr_refutation: 0,
            lmr_cutoffs: 0,
            lmr_history_divisor: i32::MAX,
            ..Params::default()
        };
        Self { techniques: PAPERS, params }
    }
}

/// Why a text is no preset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PresetError {
    /// A word that is neither a base nor a technique with its sign.
    Word(String),
    /// A sign before a word that names no technique.
    Technique(UnknownTechnique),
}

impl fmt::Display for PresetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => write!(
                f,
                "\"{word}\" is neither today nor papers, nor a technique after + or -, as in: papers +late-move-reductions"
            ),
            Self::Technique(unknown) => unknown.fmt(f),
        }
    }
}

impl std::error::Error for PresetError {}

impl FromStr for Preset {
    type Err = PresetError;

    fn from_str(text: &str) -> Result<Self, PresetError> {
        let mut preset = Self::default();
        for (place, word) in text.split_whitespace().enumerate() {
            let technique = |name: &str| name.parse::<Technique>().map_err(PresetError::Technique);
            preset = match (word.split_at_checked(1), place) {
                (Some(("+", name)), _) => {
                    Self { techniques: preset.techniques.with(technique(name)?), ..preset }
                }
                (Some(("-", name)), _) => {
                    Self { techniques: preset.techniques.without(technique(name)?), ..preset }
                }
                _ if (word, place) == ("today", 0) => preset,
                _ if (word, place) == ("papers", 0) => Self::papers(),
                _ => return Err(PresetError::Word(word.to_owned())),
            };
        }
        Ok(preset)
    }
}

#[cfg(test)]
mod tests {
    use chuhe_board::Position;
    use chuhe_referee::Game;

    use super::*;
    use crate::{Control, Evaluator, Limits, Pool};

    #[test]
    fn a_preset_is_a_base_and_its_changes() {
        assert_eq!("".parse(), Ok(Preset::default()));
        assert_eq!("papers".parse(), Ok(Preset::papers()));
        let preset: Preset = "papers +late-move-reductions -quiet-history".parse().unwrap();
        assert!(preset.techniques.has(Technique::LateMoveReductions));
        assert!(!preset.techniques.has(Technique::QuietHistory));
        assert_eq!(preset.params, Preset::papers().params);
        let wrong = |text: &str| text.parse::<Preset>().unwrap_err().to_string();
        assert!(wrong("probcut").contains("neither today nor papers"));
        assert!(wrong("+probcut papers").contains("neither today nor papers"));
        assert!(wrong("papers +nothing").contains("there is no technique \"nothing\""));
    }

    /// In the papers' base each of their techniques must do something.
    #[test]
    fn every_technique_of_the_papers_changes_their_search() {
        let games = [
            "r1bakab1r/9/1cn4c1/p1p1p1n1p/6p2/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R w",
            "1Rbk1a1r1/9/4b3n/p1p3p1p/4p4/2N1c4/P1P3P1P/4C4/N3Ac3/2B1KAB2 w",
        ]
        .map(|fen| Game::new(fen.parse::<Position>().unwrap()));
        let nodes = |text: &str, depth: u32| -> u64 {
            let mut pool = Pool::new(1, 4);
            pool.set_preset(&text.parse().unwrap());
            pool.set_evaluator(Evaluator::Classical);
            let limits = Limits::depth(depth);
            let mut search = |game| {
                pool.clear();
                pool.search(game, &limits, &Control::default(), &mut |_| {}).nodes
            };
            games.iter().map(&mut search).sum()
        };
        let changes: [(&str, u32, &[&str]); 2] = [
            (
                "papers",
                5,
                &[
                    "-see-ordering",
                    "-killers-and-countermoves",
                    "+piece-to-history",
                    "+pvs-first-move",
                    "+analogy",
                    "+tolerance-search",
                    "+one-reply-extension",
                    "+recapture-extension",
                ],
            ),
            (
                "papers +late-move-reductions",
                7,
                &[
                    "+checks-unreduced",
                    "+evasions-unreduced",
                    "+soldiers-unreduced",
                    "+king-attack-unreduced",
                    "+killers-unreduced",
                ],
            ),
        ];
        for (base, depth, changes) in changes {
            let before = nodes(base, depth);
            for change in changes {
                assert_ne!(nodes(&format!("{base} {change}"), depth), before, "{base} {change}");
            }
        }
    }
}
