//! Endgame tablebases by retrograde analysis: solved, stored, verified and probed.
//!
//! ```
//! use chuhe_board::Position;
//! use chuhe_tablebase::{Family, Kind, Value};
//!
//! let family = Family::solve(&"KR-KA".parse().unwrap(), Kind::default(), 1 << 20, &|_, _| {}).unwrap();
//! let position: Position = "4k4/9/4R4/9/9/9/9/9/9/3K5 b".parse().unwrap();
//! assert_eq!(family.probe(&position), Some(Value::Loss(2)));
//! ```

pub mod distributed;

mod explore;
mod family;
mod file;
mod folder;
mod index;
mod kind;
mod manifest;
mod marks;
mod material;
mod parallel;
mod plan;
mod play;
mod probe;
mod repetition;
mod sets;
mod solve;
mod stats;
mod table;
mod value;
mod verify;

pub use explore::{Found, Wanted};
pub use family::Family;
pub use file::archive::{Archive, BUILT_IN_FILE, BUILT_IN_SET, built_in_set};
pub use file::block::PackError;
pub use file::{FileError, TableFile, VERSION, file_name};
pub use folder::{BuildEvent, Folder, FolderError};
pub use index::Index;
pub use kind::{Kind, Metric, MetricError, Rules, RulesError};
pub use manifest::{Comparison, Manifest, ManifestEntry, ManifestError};
pub use material::{Material, MaterialError};
pub use plan::PlannedTable;
pub use play::{PlayTables, RuledValue, ValidFor};
pub use probe::Prober;
pub use repetition::{MoveDeed, MoveRules, Tracks};
pub use sets::{CLASSIC_SET, FANG_SET, NamedSet, WIDE_ENTRIES, two_against_two};
pub use solve::partition::{Partition, Update};
pub use solve::repetition::RULE_DISTANCE;
pub use solve::{SolveError, Stage, memory_to_solve};
pub use stats::{Convention, Statistics};
pub use table::Table;
pub use value::{Bounds, Value};
pub use verify::Contradiction;
