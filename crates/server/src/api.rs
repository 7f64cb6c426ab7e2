//! Request handlers, one file each.

pub(crate) mod about;
pub(crate) mod banqi;
pub(crate) mod endgame;
pub(crate) mod endings;
pub(crate) mod explain;
pub(crate) mod games;
pub(crate) mod opening;
pub(crate) mod position;
pub(crate) mod puzzles;
pub(crate) mod read;
pub(crate) mod records;
pub(crate) mod rival;
pub(crate) mod write;
