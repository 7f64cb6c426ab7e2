//! Checkpoints: the full state of a training, to resume it after a kill.
//!
//! | bytes | what, little-endian |
//! |---|---|
//! | 0–7 | the letters `CHUHECP1` |
//! | 8–15 | the XXH3 (64 bits) of everything from byte 16 on |
//! | 16–23 | steps so far |
//! | 24–51 | the settings: seed (8), epochs (4), batch (4), learning rate, final learning rate, weight decay (4 each) |
//! | 52–55 | lambda, the WDL weight |
//! | 56–63 | the number of weights |
//! | 64–71 | the hand-written evaluation's validation loss |
//! | 72–79 | the number of points of the curve |
//! | … | points (48 each: epoch, examples, seconds, learning rate, training and validation loss as 8), weights, first and second moments (4 each) |

use std::io;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::adamw::AdamW;
use super::curve::{Curve, Point};
use super::model::Model;
use super::trainer::Settings;

const MAGIC: &[u8; 8] = b"CHUHECP1";

/// A training between two epochs.
#[derive(Clone)]
pub struct Checkpoint {
    /// Hyperparameters.
    pub settings: Settings,
    /// The network so far.
    pub model: Model,
    /// The optimiser's moments.
    pub optimiser: AdamW,
    /// The loss curve so far.
    pub curve: Curve,
}

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file cannot be read or written.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// The file is something else, or of a network of another shape.
    #[error("{}: not a checkpoint of this program's network", .0.display())]
    Foreign(PathBuf),
    /// The file is not what was written.
    #[error("{}: the checkpoint is damaged", .0.display())]
    Damaged(PathBuf),
}

impl Checkpoint {
    /// Writes the checkpoint; a full disk or a kill leaves the old one.
    pub fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        chuhe_storage::write_atomic(path, &self.to_bytes())
            .map_err(|error| CheckpointError::Io { path: path.to_owned(), error })
    }

    /// Reads a checkpoint.
    pub fn read(path: &Path) -> Result<Self, CheckpointError> {
        let bytes =
            std::fs::read(path).map_err(|error| CheckpointError::Io { path: path.to_owned(), error })?;
        let Some((hash, body)) = bytes.strip_prefix(MAGIC).and_then(|rest| rest.split_first_chunk::<8>())
        else {
            return Err(CheckpointError::Foreign(path.to_owned()));
        };
        if u64::from_le_bytes(*hash) != xxh3_64(body) {
            return Err(CheckpointError::Damaged(path.to_owned()));
        }
        Self::from_body(&mut Reader(body)).ok_or_else(|| CheckpointError::Foreign(path.to_owned()))
    }

    fn to_bytes(&self) -> Vec<u8> {
        let Settings {
            seed, epochs, batch, learning_rate, final_learning_rate, weight_decay, lambda, ..
        } = self.settings;
        let mut body = Vec::with_capacity(12 * Model::COUNT + 4096);
        body.extend_from_slice(&self.optimiser.steps.to_le_bytes());
        body.extend_from_slice(&seed.to_le_bytes());
        body.extend_from_slice(&epochs.to_le_bytes());
        body.extend_from_slice(&(batch as u32).to_le_bytes());
        for number in [learning_rate, final_learning_rate, weight_decay, lambda] {
            body.extend_from_slice(&number.to_le_bytes());
        }
        body.extend_from_slice(&(Model::COUNT as u64).to_le_bytes());
        body.extend_from_slice(&self.curve.classical.to_le_bytes());
        body.extend_from_slice(&(self.curve.points.len() as u64).to_le_bytes());
        for Point { epoch, examples, seconds, learning_rate, training_loss, validation_loss } in
            &self.curve.points
        {
            body.extend_from_slice(&u64::from(*epoch).to_le_bytes());
            body.extend_from_slice(&examples.to_le_bytes());
            for number in [*seconds, f64::from(*learning_rate), *training_loss, *validation_loss] {
                body.extend_from_slice(&number.to_le_bytes());
            }
        }
        let floats = self.model.weights().iter().chain(&self.optimiser.mean).chain(&self.optimiser.square);
        body.extend(floats.flat_map(|number| number.to_le_bytes()));
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&xxh3_64(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    fn from_body(reader: &mut Reader<'_>) -> Option<Self> {
        let steps = reader.long()?;
        let settings = Settings {
            seed: reader.long()?,
            epochs: u32::from_le_bytes(reader.take()?),
            batch: u32::from_le_bytes(reader.take()?) as usize,
            learning_rate: reader.float()?,
            final_learning_rate: reader.float()?,
            weight_decay: reader.float()?,
            lambda: reader.float()?,
            threads: 1,
        };
        if reader.long()? != Model::COUNT as u64 {
            return None;
        }
        let classical = f64::from_le_bytes(reader.take()?);
        let mut points = Vec::new();
        for _ in 0..reader.long()? {
            let epoch = reader.long()? as u32;
            let examples = reader.long()?;
            let mut next = || Some(f64::from_le_bytes(reader.take()?));
            let (seconds, learning_rate) = (next()?, next()? as f32);
            points.push(Point {
                epoch,
                examples,
                seconds,
                learning_rate,
                training_loss: next()?,
                validation_loss: next()?,
            });
        }
        let mut floats = || (0..Model::COUNT).map(|_| reader.float()).collect::<Option<Vec<f32>>>();
        let model = Model::from_weights(floats()?);
        let optimiser = AdamW { mean: floats()?, square: floats()?, steps };
        reader.0.is_empty().then_some(Self { settings, model, optimiser, curve: Curve { points, classical } })
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const SIZE: usize>(&mut self) -> Option<[u8; SIZE]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    fn long(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    fn float(&mut self) -> Option<f32> {
        self.take().map(f32::from_le_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        let settings = Settings { seed: 12, epochs: 9, lambda: 0.5, threads: 1, ..Settings::default() };
        let mut optimiser = AdamW { steps: 77, ..AdamW::default() };
        optimiser.square[5] = 0.25;
        let point = Point {
            epoch: 1,
            examples: 2,
            seconds: 3.5,
            learning_rate: 0.5,
            training_loss: 0.1,
            validation_loss: 0.2,
        };
        let curve = Curve { points: vec![point; 3], classical: 0.3 };
        Checkpoint { settings, model: Model::random(1), optimiser, curve }
    }

    #[test]
    fn a_checkpoint_keeps_everything() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        let written = checkpoint();
        written.write(&path).unwrap();
        let read = Checkpoint::read(&path).unwrap();
        assert_eq!(read.settings, written.settings);
        assert_eq!(read.model.weights(), written.model.weights());
        assert_eq!(read.optimiser, written.optimiser);
        assert_eq!(read.curve, written.curve);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn damaged_and_foreign_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        checkpoint().write(&path).unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[1000] ^= 4;
        std::fs::write(&path, &bytes).unwrap();
        assert!(matches!(Checkpoint::read(&path), Err(CheckpointError::Damaged(_))));
        std::fs::write(&path, &bytes[..500]).unwrap();
        assert!(matches!(Checkpoint::read(&path), Err(CheckpointError::Damaged(_))));
        std::fs::write(&path, "something else").unwrap();
        assert!(matches!(Checkpoint::read(&path), Err(CheckpointError::Foreign(_))));
    }

    #[test]
    fn a_failed_write_leaves_the_old_checkpoint() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        let old = checkpoint();
        old.write(&path).unwrap();
        // A folder where the draft should be.
        std::fs::create_dir(folder.path().join("checkpoint.part")).unwrap();
        let new = Checkpoint { model: Model::random(2), ..checkpoint() };
        assert!(matches!(new.write(&path), Err(CheckpointError::Io { .. })));
        assert_eq!(Checkpoint::read(&path).unwrap().model.weights(), old.model.weights());
    }
}
