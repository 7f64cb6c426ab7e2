//! Who searches for a session: the pool of this machine, alone or with the help of others.

use chuhe_adapters::endgames;
use chuhe_referee::Game;
use chuhe_search::{Answer, Control, Event, Limits, Pool};

use crate::options::Options;
use crate::settings::{self, SettingError};

/// Who searches for a session.
pub trait Searcher: Send {
    /// The pool of this machine.
    fn pool(&mut self) -> &mut Pool;

    /// Searches as [`Pool::search`] does.
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        tell: &mut dyn FnMut(Event),
    ) -> Answer;

    /// Forgets everything learnt, as for a new game.
    fn forget(&mut self);

    /// Hears of an option that the GUI has set and the pool of this machine follows already.
    fn option_set(&mut self, name: &str, value: Option<&str>);
}

/// A pool alone.
impl Searcher for Pool {
    fn pool(&mut self) -> &mut Pool {
        self
    }

    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        tell: &mut dyn FnMut(Event),
    ) -> Answer {
        Self::search(self, game, limits, control, tell)
    }

    fn forget(&mut self) {
        self.clear();
    }

    fn option_set(&mut self, _: &str, _: Option<&str>) {}
}

/// The pool that a session starts with, before the GUI sets anything.
pub fn first_pool() -> Pool {
    let options = Options::default();
    let mut pool = Pool::new(options.threads, options.hash);
    // Damaged tables are told when the GUI sets the path; before the handshake nothing may be said.
    pool.set_endgames(endgames::open("").0);
    pool
}

/// Lets a pool follow the options that are set elsewhere, as on a machine that helps another one search.
#[derive(Default)]
pub struct Follower {
    options: Options,
}

/// Why an option cannot be followed.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct FollowError(#[from] SettingError);

impl Follower {
    /// Sets an option that matters to searching; others are passed over.
    pub fn set(&mut self, pool: &mut Pool, name: &str, value: Option<&str>) -> Result<(), FollowError> {
        let mut wanted = self.options.clone();
        let change = wanted.set(name, value).map_err(SettingError::from)?;
        if change.concerns_pool() {
            settings::apply(change, &mut wanted, pool)?;
            self.options = wanted;
        }
        Ok(())
    }
}
