//! The evaluation that all ranks use.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use chuhe_eval::network::Network;
use chuhe_search::Evaluator;
use clap::Args;

#[derive(Args)]
pub(crate) struct NetworkArguments {
    /// Use the network in this file instead of the built-in one
    #[arg(long, value_name = "FILE", conflicts_with = "classical")]
    network: Option<PathBuf>,
    /// Use the hand-written evaluation
    #[arg(long)]
    classical: bool,
}

impl NetworkArguments {
    pub(crate) fn evaluator(&self) -> anyhow::Result<Evaluator> {
        Ok(match &self.network {
            _ if self.classical => Evaluator::Classical,
            None => Evaluator::default(),
            Some(path) => {
                let network = Network::read(path).with_context(|| path.display().to_string())?;
                Evaluator::Network(Arc::new(network))
            }
        })
    }
}
