//! The evaluator: classical (hand-written) evaluation or NNUE network.

use std::sync::Arc;

use chuhe_board::Position;
use chuhe_eval::Score;
use chuhe_eval::classical::{self, Material, Placement};
use chuhe_eval::network::{Accumulators, Network};

/// Evaluates positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evaluator {
    /// The classical, hand-written evaluation.
    Classical,
    /// An NNUE network.
    Network(Arc<Network>),
}

/// The built-in network.
impl Default for Evaluator {
    fn default() -> Self {
        Self::Network(Network::built_in())
    }
}

impl Evaluator {
    /// The static evaluation for the side to move, computed from scratch.
    pub fn evaluate(&self, position: &Position) -> Score {
        match self {
            Self::Classical => classical::evaluate(position, &Placement::of(position)),
            Self::Network(network) => {
                classical::tempered(position, Material::of(position), network.evaluate(position))
            }
        }
    }

    /// Identifies the evaluator: the network's fingerprint, 0 for the classical evaluation.
    pub fn fingerprint(&self) -> u64 {
        match self {
            Self::Classical => 0,
            Self::Network(network) => network.identity(),
        }
    }

    /// Sets the accumulators, which must belong to this evaluator, to a position. Only a network needs any.
    pub(crate) fn start(&self, accumulators: &mut Option<Accumulators>, position: &Position) {
        if let Self::Network(network) = self {
            match accumulators {
                Some(accumulators) => accumulators.restart(network, position),
                None => *accumulators = Some(Accumulators::new(network, position)),
            }
        }
    }
}
