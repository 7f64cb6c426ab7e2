//! Move ordering: the staged move picker, the histories it ranks quiet moves by, and static exchange evaluation (SEE).

mod history;
mod picker;
mod see;

pub(crate) use history::{History, PieceTo};
pub(crate) use picker::{Context, Moves, Picker};
pub(crate) use see::piece_value;
pub use see::see_at_least;
