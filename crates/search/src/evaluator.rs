//! What positions are evaluated by: the hand-written evaluation or a network.

use std::sync::Arc;

use chuhe_board::{Position, Undo};
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

    /// The network's sums for a line that starts here, if there is a network.
    pub(crate) fn sums_along(&self, position: &Position) -> Option<Sums<'_>> {
        match self {
            Self::Classical => None,
            Self::Network(network) => {
                Some(Sums { network, accumulators: Accumulators::new(network, position) })
            }
        }
    }
}

/// A network with its sums along the line that is searched.
pub(crate) struct Sums<'a> {
    network: &'a Network,
    accumulators: Accumulators,
}

impl Sums<'_> {
    /// A move led to this position.
    #[inline]
    pub(crate) fn play(&mut self, position: &Position, undo: &Undo) {
        let piece = position.piece_on(undo.mv().to()).expect("the piece that moved stands at its goal");
        self.accumulators.play(piece, undo);
    }

    #[inline]
    pub(crate) fn take_back(&mut self) {
        self.accumulators.take_back();
    }

    #[inline]
    pub(crate) fn evaluate(&mut self, position: &Position) -> Score {
        self.accumulators.evaluate(self.network, position)
    }
}
