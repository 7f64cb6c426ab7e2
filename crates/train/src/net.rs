//! Training the network.
//!
//! [`Examples`] are samples kept packed, split by games into those to learn from and those to check
//! with. [`Model`] is the network in floating point, with the gradient of its error; [`Trainer`] walks
//! it downhill with [`Descent`] and a falling rate; [`quantise`] turns it into the whole numbers that
//! the engine runs, and [`restore`] the other way. A [`Checkpoint`] is all that is needed to go on, a [`Curve`] how it went.

mod checkpoint;
mod curve;
mod descent;
mod examples;
mod model;
mod quantise;
mod trainer;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use curve::{Curve, Point};
pub use descent::Descent;
pub use examples::{Example, Examples};
pub use model::{Gradient, Model};
pub use quantise::{QuantiseError, quantise, restore};
pub use trainer::{Settings, Trainer};
