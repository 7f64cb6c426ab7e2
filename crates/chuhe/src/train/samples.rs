//! Samples as the commands read them from shards.

use std::path::Path;

use chuhe_train::Sample;
use chuhe_train::shard::{self, ShardError};

use crate::output;

/// The intact samples of a shard. Damaged ones are skipped, with one warning at the end.
pub(super) fn intact(path: &Path) -> anyhow::Result<impl Iterator<Item = anyhow::Result<Sample>> + use<>> {
    let mut samples = shard::read(path)?;
    let mut first_damage = None;
    let mut damaged = 0;
    Ok(std::iter::from_fn(move || {
        loop {
            match samples.next() {
                Some(Ok(sample)) => return Some(Ok(sample)),
                Some(Err(error)) => {
                    let ShardError::Damaged { samples: lost, .. } = &error else {
                        return Some(Err(error.into()));
                    };
                    damaged += lost.end - lost.start;
                    first_damage.get_or_insert(error);
                }
                None => {
                    if let Some(error) = first_damage.take() {
                        output::warn(&format!("{error}; damaged samples left out: {damaged}"));
                    }
                    return None;
                }
            }
        }
    }))
}
