//! One search on many ranks.
//!
//! Rank 0 talks to the GUI: a [`Commander`] is the searcher of its session, and [`command`] carries its post on the
//! thread that owns the link. All other ranks [`serve`]. Commands go out as a star; what ranks learn about positions is
//! handed on along a [`Shape`]; the move is chosen in a tournament tree.

mod commander;
mod crew;
mod message;
mod post;
mod tally;

use std::time::Duration;

use crate::shape::Shape;

pub use commander::{Alarm, Commander, Headquarters, command};
pub use crew::serve;
pub use message::{Message, Parcel, Start};
pub use tally::{Found, Tally, Vote};

/// How entries of the tables are exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The way they take.
    pub shape: Shape,
    /// Entries of this depth and deeper ones are exchanged.
    pub least_depth: i32,
    /// How long entries are collected before they are sent.
    pub interval: Duration,
}

impl Default for Exchange {
    fn default() -> Self {
        Self { shape: Shape::default(), least_depth: 3, interval: Duration::from_millis(2) }
    }
}

/// How often a rank looks for messages.
const TICK: Duration = Duration::from_millis(1);
/// How long one round of the tournament waits for a rank that does not vote.
const ROUND_PATIENCE: Duration = Duration::from_millis(15);
/// How often rank 0 hears how many positions were looked at.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);
