//! `chuhe train spsa`: the numbers of the search, tuned by games.

use chuhe_train::selfplay::Settings;
use chuhe_train::spsa::{Match, Values, search_numbers};
use clap::Args;

use crate::input;
use crate::tuning::{TuningArguments, tune};

/// Tune the numbers of the search by games of the engine against itself
///
/// Goes on with the file if it is there already, so that a run may be stopped at any time.
#[derive(Args)]
#[command(after_help = "Example: chuhe train spsa numbers.txt --pairs 10000 --threads 2")]
pub(crate) struct Arguments {
    #[command(flatten)]
    tuning: TuningArguments,
    #[command(flatten)]
    evaluator: input::EvaluatorArguments,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let evaluator = arguments.evaluator.evaluator()?;
    let settings = Settings { nodes: arguments.tuning.nodes, evaluator, ..Settings::default() };
    tune(&arguments.tuning, Values::new(search_numbers()), |seed| {
        let mut games = Match::new(settings.clone(), seed);
        move |values| games.play(values)
    })
}
