//! What several targets share: a file of the process's own, and edits of a valid file.

use std::fs;
use std::path::{Path, PathBuf};

/// A file to write inputs into, for readers that want a path.
pub struct ScratchFile(PathBuf);

impl ScratchFile {
    /// A file of this process with an extension.
    pub fn new(extension: &str) -> Self {
        Self(std::env::temp_dir().join(format!("chuhe-fuzz-{}.{extension}", std::process::id())))
    }

    /// The path, once the file has this content.
    pub fn holding(&self, bytes: &[u8]) -> &Path {
        fs::write(&self.0, bytes).expect("the temporary folder can be written");
        &self.0
    }
}

/// A valid file with edits: of every three bytes, two choose a place and one is put there. A last single byte cuts
/// off as many bytes at the end.
pub fn edited(valid: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut file = valid.to_vec();
    let (edits, rest) = edits.as_chunks::<3>();
    for [low, high, value] in edits {
        let place = usize::from(u16::from_le_bytes([*low, *high])) % file.len();
        file[place] = *value;
    }
    if let [cut] = rest {
        file.truncate(file.len().saturating_sub((*cut).into()));
    }
    file
}
