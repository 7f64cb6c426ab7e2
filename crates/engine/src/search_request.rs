//! A search to run, and when it may answer.

use chuhe_referee::Game;
use chuhe_search::{Control, Limits};

/// A search to run.
pub(crate) struct SearchRequest {
    pub(crate) game: Game,
    pub(crate) limits: Limits,
    pub(crate) mode: SearchMode,
}

/// When a search may answer.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SearchMode {
    /// `go infinite`: only after `stop`.
    pub(crate) infinite: bool,
    /// `go ponder`: only after `ponderhit` or `stop`.
    pub(crate) ponder: bool,
    /// No limit is certain to end the search.
    pub(crate) endless: bool,
}

impl SearchMode {
    /// The control of such a search.
    pub(crate) fn control(self) -> Control {
        if self.ponder { Control::pondering() } else { Control::default() }
    }
}
