//! The NNUE trainer: backpropagation on the CPU with AdamW.
//!
//! [`Examples`] are packed samples, split by games into a training and a validation set. [`Model`] is the network
//! in floating point with its gradient; [`Trainer`] runs the epochs; [`quantise`] rounds the model to the
//! engine's integers, [`restore`] reverses it. A [`Checkpoint`] resumes a training, a [`Curve`] is its loss curve.

mod adamw;
mod checkpoint;
mod curve;
mod examples;
mod model;
mod quantise;
mod trainer;

pub use adamw::AdamW;
pub use checkpoint::{Checkpoint, CheckpointError};
pub use curve::{Curve, Point};
pub use examples::{Example, Examples};
pub use model::{Gradient, Model};
pub use quantise::{QuantiseError, quantise, restore};
pub use trainer::{Settings, Trainer};
