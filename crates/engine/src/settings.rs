//! Applying options: the search pool, the book and the log follow a change immediately.

use std::io;
use std::path::Path;
use std::sync::Arc;

use chuhe_adapters::endgames;
use chuhe_book::BookError;
use chuhe_book::foreign::OpenError;
use chuhe_eval::network::{Network, NetworkError};
use chuhe_referee::Referee;
use chuhe_search::{OutOfMemory, Pool};

use crate::learning::LearningError;
use crate::opening_book::OpeningBook;
use crate::options::{Affects, BookChange, OptionError, Options, PoolChange};
use crate::{Output, SearchThread};

/// Why an option keeps its value.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SettingError {
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error("Hash stays as it was: {0}")]
    Memory(#[from] OutOfMemory),
    #[error(
        "Threads is {used}, not {asked}: more would only slow the search down here, or the system refuses them"
    )]
    Threads { asked: usize, used: usize },
    #[error("the network stays as it was: '{path}': {error}")]
    Network { path: String, error: NetworkError },
    #[error("some endgame tables are not used: {0}")]
    Endgames(String),
    #[error("Book File stays as it was: {0}")]
    Book(#[from] OpenError),
    #[error("Book Learning stays as it was: {0}")]
    Learned(BookError),
    #[error(transparent)]
    Learning(#[from] LearningError),
    #[error("cannot log to '{path}': {error}")]
    Log { path: String, error: io::Error },
}

/// Sets an option by any of its names and applies it, except for the rank style, which is the caller's. If that
/// fails, nothing changes.
pub(crate) fn set(
    options: &mut Options,
    name: &str,
    value: Option<&str>,
    search: &mut SearchThread,
    book: &mut OpeningBook,
    output: &Output,
) -> Result<Affects, SettingError> {
    let mut wanted = options.clone();
    let affects = wanted.set(name, value)?;
    match affects {
        Affects::Session | Affects::Ranks => {}
        Affects::Book(BookChange::File) => {
            book.open(&wanted.book_file, &wanted.book_keys, wanted.learning)?;
        }
        Affects::Book(BookChange::Learning) => {
            book.set_learning(wanted.learning).map_err(SettingError::Learned)?;
        }
        Affects::Book(BookChange::Result) => book.end_game(Some(wanted.result), &wanted)?,
        Affects::Log => output
            .log_to(&wanted.log_file)
            .map_err(|error| SettingError::Log { path: wanted.log_file.clone(), error })?,
        Affects::Pool(change) => {
            let searcher = search.searcher();
            let applied = apply(change, &mut wanted, searcher.pool());
            // Damaged tables and surplus threads are left out here and on every machine that searches with us.
            if matches!(applied, Ok(()) | Err(SettingError::Endgames(_) | SettingError::Threads { .. })) {
                searcher.option_set(name, value);
            }
            if let Err(SettingError::Threads { used, .. }) = applied {
                options.threads = used;
            }
            applied?;
        }
    }
    *options = wanted;
    Ok(affects)
}

/// Applies a change to a pool. If that fails, the pool stays as it was.
pub(crate) fn apply(change: PoolChange, wanted: &mut Options, pool: &mut Pool) -> Result<(), SettingError> {
    match change {
        PoolChange::Hash => pool.set_hash_size(wanted.hash)?,
        PoolChange::Threads => {
            let (asked, used) = (wanted.threads, pool.set_threads(wanted.threads));
            if used < asked {
                return Err(SettingError::Threads { asked, used });
            }
        }
        PoolChange::Clear => pool.clear(),
        PoolChange::Rules => {
            pool.set_referee(Referee::new(wanted.rules));
            // Draws with attackers on both sides are certain only by tables that know these rules.
            set_endgames(wanted, pool)?;
        }
        PoolChange::Evaluation => pool.set_evaluator(wanted.evaluator()),
        PoolChange::Network => {
            wanted.network = network(&wanted.eval_file)?;
            pool.set_evaluator(wanted.evaluator());
        }
        PoolChange::Endgames => set_endgames(wanted, pool)?,
        PoolChange::Preset => pool.set_preset(&wanted.preset),
    }
    Ok(())
}

/// Opens the tables for the rules of play. Those that can be used are used, whatever is wrong with others.
fn set_endgames(wanted: &Options, pool: &mut Pool) -> Result<(), SettingError> {
    let (endgames, faults) = endgames::open(&wanted.tablebase_path, wanted.rules);
    pool.set_endgames(endgames);
    if faults.is_empty() { Ok(()) } else { Err(SettingError::Endgames(faults.join("; "))) }
}

/// The network in a file; the built-in one if the path is empty.
fn network(path: &str) -> Result<Arc<Network>, SettingError> {
    if path.is_empty() {
        return Ok(Network::built_in());
    }
    let network = Network::read(Path::new(path));
    network.map(Arc::new).map_err(|error| SettingError::Network { path: path.to_owned(), error })
}
