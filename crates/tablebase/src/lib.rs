//! Perfect endgames: solved backwards from their ends, stored, verified and looked up.
//!
//! ```
//! use chuhe_board::Position;
//! use chuhe_tablebase::{Family, Kind, Value};
//!
//! let family = Family::solve(&"KR-KA".parse().unwrap(), Kind::default(), 1 << 20, &|_, _| {}).unwrap();
//! let position: Position = "4k4/9/4R4/9/9/9/9/9/9/3K5 b".parse().unwrap();
//! assert_eq!(family.probe(&position), Some(Value::Loss(2)));
//! ```

pub mod part;

mod bytes;
mod captures;
mod cell;
mod checkpoint;
mod family;
mod file;
mod folder;
mod group;
mod index;
mod kind;
mod map;
mod material;
mod model;
mod pack;
mod perpetual;
mod probe;
mod range_coder;
mod row;
mod scene;
mod share;
mod solve;
mod stats;
mod successor;
mod table;
mod value;
mod verify;

pub use family::Family;
pub use file::{FileError, TableFile, VERSION, file_name};
pub use folder::{Event, Folder, FolderError};
pub use index::Index;
pub use kind::{Kind, Metric, MetricError, Rules, RulesError};
pub use material::{Material, MaterialError};
pub use pack::PackError;
pub use perpetual::RULE_DISTANCE;
pub use probe::Prober;
pub use share::{Share, Update};
pub use solve::{SolveError, Stage, memory_to_solve};
pub use stats::{Convention, Tally};
pub use table::Table;
pub use value::Value;
pub use verify::Contradiction;
