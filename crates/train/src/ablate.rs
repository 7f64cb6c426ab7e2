//! Ablation of the search: the same positions with techniques switched, and matches between two presets.

use std::time::Duration;

use chuhe_board::Position;
use chuhe_referee::Game;
use chuhe_search::{Control, Evaluator, Limits, Pool, Preset, Technique};

use crate::duel::Duel;
use crate::selfplay;

/// What is measured.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Nodes are counted to this depth.
    pub depth: u32,
    /// Node limit of a search to that depth; the count is then a lower bound.
    pub most_nodes: u64,
    /// The depth reached within this is averaged.
    pub effort: Effort,
    /// The size of the table, in mebibytes.
    pub hash: usize,
    /// What positions are evaluated by.
    pub evaluator: Evaluator,
}

/// How long the search whose depth is averaged may take.
#[derive(Clone, Copy, Debug)]
pub enum Effort {
    /// This time.
    Time(Duration),
    /// This many nodes, whatever else the machine does.
    Nodes(u64),
}

/// The cost of a search with some set of techniques.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// Nodes to the depth, over all positions.
    pub nodes: u64,
    /// Searches that were given up before the depth.
    pub given_up: u32,
    /// The average depth reached within the effort.
    pub depth: f64,
}

/// The preset with these techniques switched: off if they are in use, on if they are not.
pub fn switched(base: &Preset, techniques: &[Technique]) -> Preset {
    let switch = |set: chuhe_search::Techniques, technique: &Technique| set.switched(*technique);
    Preset { techniques: techniques.iter().fold(base.techniques, switch), ..base.clone() }
}

/// The minimal alpha-beta tree (Knuth & Moore): the mean branching factor of these positions, perfect move
/// ordering.
pub fn minimal_tree(positions: &[Position], depth: u32) -> f64 {
    let moves: usize = positions.iter().map(|position| position.moves().len()).sum();
    let branching = moves as f64 / positions.len().max(1) as f64;
    let power = |exponent: u32| branching.powi(exponent as i32);
    // One such tree for each iteration.
    (1..=depth).map(|depth| power(depth.div_ceil(2)) + power(depth / 2) - 1.0).sum::<f64>()
        * positions.len() as f64
}

/// The cost of searches with this preset.
pub fn cost(settings: &Settings, positions: &[Position], preset: &Preset) -> Cost {
    let mut pool = Pool::new(1, settings.hash);
    pool.set_evaluator(settings.evaluator.clone());
    pool.set_preset(preset);
    let mut cost = Cost::default();
    for position in positions {
        let game = Game::new(position.clone());
        let mut search = |limits: &Limits| {
            pool.clear();
            pool.search(&game, limits, &Control::default(), &mut |_| {})
        };
        let to_depth = Limits { nodes: Some(settings.most_nodes), ..Limits::depth(settings.depth) };
        let answer = search(&to_depth);
        cost.nodes += answer.nodes;
        cost.given_up += u32::from(answer.nodes >= settings.most_nodes);
        if preset.techniques.has(Technique::IterativeDeepening) {
            let answer = search(&match settings.effort {
                Effort::Time(time) => Limits::movetime(time),
                Effort::Nodes(nodes) => Limits::nodes(nodes),
            });
            let depth = answer.lines.first().map_or(0, |line| line.depth);
            cost.depth += f64::from(depth) / positions.len() as f64;
        }
    }
    cost
}

/// A match of fixed nodes between two presets, from random openings, each played with both colours.
pub fn duel(settings: &Settings, presets: [&Preset; 2], nodes: u64) -> Duel {
    let games = selfplay::Settings {
        nodes,
        hash: settings.hash.min(selfplay::Settings::default().hash),
        evaluator: settings.evaluator.clone(),
        ..selfplay::Settings::default()
    };
    Duel::new(games, presets)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        let effort = Effort::Nodes(2000);
        Settings { depth: 7, most_nodes: 1_000_000, effort, hash: 2, evaluator: Evaluator::Classical }
    }

    #[test]
    fn the_smallest_tree_of_depth_two_takes_two_moves_a_node() {
        // From the start Red has 44 moves: 44 leaves at depth 1, 44 + 44 - 1 at depth 2.
        assert_eq!(minimal_tree(&[Position::start()], 2), 44.0 + 87.0);
    }

    #[test]
    fn switching_reductions_off_costs_nodes() {
        let today = Preset::default();
        let with = cost(&settings(), &[Position::start()], &today);
        let without =
            cost(&settings(), &[Position::start()], &switched(&today, &[Technique::LateMoveReductions]));
        assert!(without.nodes > with.nodes);
        assert!(with.depth >= 1.0);
    }

    #[test]
    fn several_techniques_are_switched_together() {
        let both = switched(&Preset::papers(), &[Technique::CheckExtensions, Technique::QuietHistory]);
        assert_eq!(both, "papers +check-extensions -quiet-history".parse().unwrap());
    }
}
