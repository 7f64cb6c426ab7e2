//! The searcher behind a session: the pool of this machine, alone or with other machines.

use chuhe_adapters::endgames;
use chuhe_referee::Game;
use chuhe_search::{Answer, Control, Event, Limits, Pool};

use crate::options::{Affects, Options};
use crate::settings::{self, SettingError};

/// Searches for a session.
pub trait Searcher: Send {
    /// The pool of this machine.
    fn pool(&mut self) -> &mut Pool;

    /// Searches as [`Pool::search`] does.
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        on_event: &mut dyn FnMut(Event),
    ) -> Answer;

    /// Clears the transposition table and all histories, as for a new game.
    fn forget(&mut self);

    /// Called after the GUI has set an option that affects the pool; the pool of this machine has it already.
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
        on_event: &mut dyn FnMut(Event),
    ) -> Answer {
        Self::search(self, game, limits, control, on_event)
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
    // Damaged tables are reported when the GUI sets the path: before the handshake no output is allowed.
    pool.set_endgames(endgames::open("", options.rules).0);
    pool
}

/// Applies the options of one engine to the pool of another machine that searches with it.
#[derive(Default)]
pub struct Follower {
    options: Options,
}

/// Why an option cannot be applied.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct FollowError(#[from] SettingError);

impl Follower {
    /// Applies an option if it affects the pool.
    pub fn set(&mut self, pool: &mut Pool, name: &str, value: Option<&str>) -> Result<(), FollowError> {
        let mut wanted = self.options.clone();
        if let Affects::Pool(change) = wanted.set(name, value).map_err(SettingError::from)? {
            settings::apply(change, &mut wanted, pool)?;
            self.options = wanted;
        }
        Ok(())
    }
}
