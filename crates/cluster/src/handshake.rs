//! Handshake: before a job starts, ranks check that they run the same version with the same network and settings.

use crate::link::{Link, LinkError};
use crate::wire::{self, Reader, Wire, WireError, Writer};

/// What a rank runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handshake {
    /// The version of the program.
    pub version: String,
    /// The fingerprint of its network; 0 for the hand-written evaluation.
    pub network: u64,
    /// The command and its settings.
    pub job: String,
}

/// Why a handshake fails.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HandshakeError {
    /// Ranks differ.
    #[error("ranks do not match: {0}")]
    Mismatch(String),
    /// The link failed.
    #[error(transparent)]
    Link(#[from] LinkError),
}

impl Handshake {
    /// The handshake of this program.
    pub fn new(network: u64, job: impl Into<String>) -> Self {
        Self { version: env!("CARGO_PKG_VERSION").to_owned(), network, job: job.into() }
    }

    /// How another rank differs from this one.
    fn difference(&self, other: &Self) -> Option<String> {
        if self.version != other.version {
            return Some(format!("version {}, not {}", other.version, self.version));
        }
        if self.network != other.network {
            return Some(format!("network {:016x}, not {:016x}", other.network, self.network));
        }
        (self.job != other.job).then(|| format!("job '{}', not '{}'", other.job, self.job))
    }
}

/// Compares all ranks with rank 0. Every rank gets the verdict.
pub fn perform(link: &mut impl Link, own: &Handshake) -> Result<(), HandshakeError> {
    let gathered = link.gather(0, &wire::pack(own))?;
    let verdict = gathered.map(|all| mismatches(own, &all));
    let parts = match &verdict {
        Some(text) => vec![text.as_bytes().to_vec(); link.ranks()],
        None => Vec::new(),
    };
    let received = link.all_to_all(parts)?;
    let text = String::from_utf8_lossy(&received[0]).into_owned();
    if text.is_empty() { Ok(()) } else { Err(HandshakeError::Mismatch(text)) }
}

fn mismatches(own: &Handshake, all: &[Vec<u8>]) -> String {
    let mismatch = |(rank, bytes): (usize, &Vec<u8>)| match wire::unpack::<Handshake>(bytes) {
        Ok(other) => own.difference(&other).map(|difference| format!("rank {rank} has {difference}")),
        Err(error) => Some(format!("malformed message from rank {rank}: {error}")),
    };
    let mismatches: Vec<String> = all.iter().enumerate().filter_map(mismatch).collect();
    mismatches.join("; ")
}

impl Wire for Handshake {
    fn write(&self, writer: &mut Writer) {
        writer.text(&self.version);
        writer.u64(self.network);
        writer.text(&self.job);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        Ok(Self { version: reader.text()?, network: reader.u64()?, job: reader.text()? })
    }
}
