//! Setting options: what is remembered and what is done at once.

use std::io;
use std::path::Path;
use std::sync::Arc;

use chuhe_adapters::endgames;
use chuhe_book::BookError;
use chuhe_eval::network::{Network, NetworkError};
use chuhe_referee::Referee;
use chuhe_search::{OutOfMemory, Pool};

use crate::Sink;
use crate::learning::LearningError;
use crate::opening_book::OpeningBook;
use crate::options::{Change, OptionError, Options};
use crate::thinker::Thinker;

/// Why an option stays as it was.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SettingError {
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error("Hash stays as it was: {0}")]
    Memory(#[from] OutOfMemory),
    #[error("the network stays as it was: '{path}': {error}")]
    Network { path: String, error: NetworkError },
    #[error("going on without some endgames: {0}")]
    Endgames(String),
    #[error("Book File stays as it was: {0}")]
    Book(#[from] BookError),
    #[error("Book Learning stays as it was: {0}")]
    Learnt(BookError),
    #[error(transparent)]
    Learning(#[from] LearningError),
    #[error("cannot log to '{path}': {error}")]
    Log { path: String, error: io::Error },
}

/// Sets an option by any of its names. If that fails, nothing changes.
pub(crate) fn set(
    options: &mut Options,
    name: &str,
    value: Option<&str>,
    thinker: &mut Thinker,
    book: &mut OpeningBook,
    sink: &Sink,
) -> Result<(), SettingError> {
    let mut wanted = options.clone();
    match wanted.set(name, value)? {
        Change::None => {}
        Change::Book(path) => book.read(&path, wanted.learning)?,
        Change::Learning => book.set_learning(wanted.learning).map_err(SettingError::Learnt)?,
        Change::Result(outcome) => book.end_game(Some(outcome), &wanted)?,
        Change::Log(path) => {
            sink.log_to(&path).map_err(|error| SettingError::Log { path, error })?;
        }
        change => {
            let searcher = thinker.searcher();
            let applied = apply(change, &mut wanted, searcher.pool());
            // Tables that are damaged are left out, and so they are by whoever searches with us.
            if matches!(applied, Ok(()) | Err(SettingError::Endgames(_))) {
                searcher.option_set(name, value);
            }
            applied?;
        }
    }
    *options = wanted;
    Ok(())
}

/// Lets a pool follow a change that concerns it. If that fails, the pool stays as it was.
pub(crate) fn apply(change: Change, wanted: &mut Options, pool: &mut Pool) -> Result<(), SettingError> {
    match change {
        Change::None | Change::Book(_) | Change::Learning | Change::Result(_) | Change::Log(_) => {}
        Change::Hash => pool.set_hash_size(wanted.hash)?,
        Change::Threads => pool.set_threads(wanted.threads),
        Change::Clear => pool.clear(),
        Change::Rules => pool.set_referee(Referee::new(wanted.rules)),
        Change::Evaluator => pool.set_evaluator(wanted.evaluator()),
        Change::Network(path) => {
            wanted.network = network(path)?;
            pool.set_evaluator(wanted.evaluator());
        }
        Change::Endgames(path) => {
            let (endgames, faults) = endgames::open(&path);
            pool.set_endgames(endgames);
            if !faults.is_empty() {
                return Err(SettingError::Endgames(faults.join("; ")));
            }
        }
        Change::Param(name, value) => {
            let mut params = pool.params().clone();
            if let Some(param) = params.named(&name) {
                *param = value;
            }
            pool.set_params(params);
        }
    }
    Ok(())
}

/// The network of a file; without a name, the one built in.
fn network(path: String) -> Result<Arc<Network>, SettingError> {
    if path.is_empty() {
        return Ok(Network::built_in());
    }
    match Network::read(Path::new(&path)) {
        Ok(network) => Ok(Arc::new(network)),
        Err(error) => Err(SettingError::Network { path, error }),
    }
}
