//! Setting options: what is remembered and what is done at once.

use std::io;

use chuhe_book::BookError;
use chuhe_referee::Referee;
use chuhe_search::OutOfMemory;

use crate::Sink;
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
    #[error("Book File stays as it was: {0}")]
    Book(#[from] BookError),
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
        Change::Hash => thinker.pool().set_table_size(wanted.hash)?,
        Change::Threads => thinker.pool().set_threads(wanted.threads),
        Change::Clear => thinker.pool().forget(),
        Change::Rules => thinker.pool().set_referee(Referee::new(wanted.rules)),
        Change::Book(path) => *book = OpeningBook::read(&path)?,
        Change::Log(path) => {
            sink.log_to(&path).map_err(|error| SettingError::Log { path, error })?;
        }
        Change::Param(name, value) => {
            let pool = thinker.pool();
            let mut params = pool.params().clone();
            if let Some(param) = params.named(&name) {
                *param = value;
            }
            pool.set_params(params);
        }
    }
    *options = wanted;
    Ok(())
}
