//! What positions are evaluated by: the hand-written evaluation or a network.

use std::sync::Arc;

use chuhe_board::Position;
use chuhe_eval::Score;
use chuhe_eval::classical::{self, Material, Placement};
use chuhe_eval::network::{Accumulators, Network};

/// What positions are evaluated by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evaluator {
    /// The hand-written evaluation.
    Classical,
    /// A network.
    Network(Arc<Network>),
}

/// The built-in network.
impl Default for Evaluator {
    fn default() -> Self {
        Self::Network(Network::built_in())
    }
}

impl Evaluator {
    /// The worth of the position to the side to move, counted from scratch.
    pub fn evaluate(&self, position: &Position) -> Score {
        match self {
            Self::Classical => classical::evaluate(position, &Placement::of(position)),
            Self::Network(network) => {
                classical::tempered(position, Material::of(position), network.evaluate(position))
            }
        }
    }

    /// What tells evaluators apart: the network's fingerprint, 0 for the hand-written evaluation.
    pub fn fingerprint(&self) -> u64 {
        match self {
            Self::Classical => 0,
            Self::Network(network) => network.identity(),
        }
    }

    /// Lets the sums, which must be of this evaluator, follow a line that starts here. Only a network needs any.
    pub(crate) fn start(&self, sums: &mut Option<Accumulators>, position: &Position) {
        if let Self::Network(network) = self {
            match sums {
                Some(sums) => sums.restart(network, position),
                None => *sums = Some(Accumulators::new(network, position)),
            }
        }
    }
}
