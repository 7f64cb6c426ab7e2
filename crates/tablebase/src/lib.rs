//! Perfect endgames: solved backwards from their ends, stored, verified and looked up.
//!
//! ```
//! use chuhe_board::Position;
//! use chuhe_tablebase::{Family, Value};
//!
//! let family = Family::solve(&"KR-KA".parse().unwrap(), 1 << 20, &|_, _| {}).unwrap();
//! let position: Position = "4k4/9/4R4/9/9/9/9/9/9/3K5 b".parse().unwrap();
//! assert_eq!(family.probe(&position), Some(Value::Loss(2)));
//! ```

mod captures;
mod family;
mod group;
mod index;
mod material;
mod row;
mod scene;
mod solve;
mod stats;
mod table;
mod value;

pub use family::Family;
pub use index::Index;
pub use material::{Material, MaterialError};
pub use solve::{SolveError, Stage};
pub use stats::{Convention, Tally};
pub use table::Table;
pub use value::Value;
