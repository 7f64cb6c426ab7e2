//! Ablation of the search: the same positions with each technique switched.

use std::time::Duration;

use chuhe_board::Position;
use chuhe_referee::Game;
use chuhe_search::{Control, Limits, Pool, Technique, Techniques};

/// What is measured.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Nodes are counted to this depth.
    pub depth: u32,
    /// Node limit of a search to that depth; the count is then a lower bound.
    pub most_nodes: u64,
    /// The depth reached in this time is averaged.
    pub time: Duration,
    /// The size of the table, in mebibytes.
    pub hash: usize,
}

/// The cost of a search with some set of techniques.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// Nodes to the depth, over all positions.
    pub nodes: u64,
    /// Searches that were given up before the depth.
    pub given_up: u32,
    /// The average depth reached in the time.
    pub depth: f64,
}

/// The cost with all techniques that are in use.
pub fn baseline(settings: &Settings, positions: &[Position]) -> Cost {
    cost(settings, positions, Techniques::default())
}

/// The cost with this one switched: off if it is in use, on if it is not.
pub fn switched(settings: &Settings, positions: &[Position], technique: Technique) -> Cost {
    cost(settings, positions, Techniques::default().switched(technique))
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

fn cost(settings: &Settings, positions: &[Position], techniques: Techniques) -> Cost {
    let mut pool = Pool::new(1, settings.hash);
    pool.set_techniques(techniques);
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
        if techniques.has(Technique::IterativeDeepening) {
            let answer = search(&Limits::movetime(settings.time));
            let depth = answer.lines.first().map_or(0, |line| line.depth);
            cost.depth += f64::from(depth) / positions.len() as f64;
        }
    }
    cost
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_tree_of_depth_two_takes_two_moves_a_node() {
        // From the start Red has 44 moves: 44 leaves at depth 1, 44 + 44 - 1 at depth 2.
        assert_eq!(minimal_tree(&[Position::start()], 2), 44.0 + 87.0);
    }

    #[test]
    fn switching_reductions_off_costs_nodes() {
        let settings = Settings { depth: 7, most_nodes: 1_000_000, time: Duration::from_millis(5), hash: 2 };
        let positions = [Position::start()];
        let with = baseline(&settings, &positions);
        let without = switched(&settings, &positions, Technique::LateMoveReductions);
        assert!(without.nodes > with.nodes);
        assert!(with.depth >= 1.0);
    }
}
