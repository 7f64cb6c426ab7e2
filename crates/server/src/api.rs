//! The requests that are answered at once.

pub(crate) mod about;
pub(crate) mod explain;
pub(crate) mod position;
pub(crate) mod puzzles;
pub(crate) mod read;
pub(crate) mod rival;
pub(crate) mod write;
