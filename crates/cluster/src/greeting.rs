//! What ranks tell each other first: only ranks of one version, with one network, that were given the same job start
//! together.

use crate::link::{Link, LinkError};
use crate::wire::{self, Reader, Wire, WireError, Writer};

/// What a rank is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// The version of the program.
    pub version: String,
    /// The fingerprint of the network that positions are evaluated by; 0 for the hand-written evaluation.
    pub network: u64,
    /// What the rank was started for, with its settings.
    pub job: String,
}

/// Why ranks do not start together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GreetingError {
    /// They are different.
    #[error("the ranks do not fit together: {0}")]
    Different(String),
    /// They cannot talk.
    #[error(transparent)]
    Link(#[from] LinkError),
}

impl Greeting {
    /// The greeting of this program.
    pub fn new(network: u64, job: impl Into<String>) -> Self {
        Self { version: env!("CARGO_PKG_VERSION").to_owned(), network, job: job.into() }
    }

    /// What another rank has that this one has not.
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

/// Greets all ranks. Every rank learns whether all fit together, and if not, which does not fit with rank 0 and why.
pub fn greet(link: &mut impl Link, greeting: &Greeting) -> Result<(), GreetingError> {
    let gathered = link.gather(0, &wire::pack(greeting))?;
    let verdict = gathered.map(|all| misfits(greeting, &all));
    let parts = match &verdict {
        Some(text) => vec![text.as_bytes().to_vec(); link.ranks()],
        None => Vec::new(),
    };
    let heard = link.all_to_all(parts)?;
    let text = String::from_utf8_lossy(&heard[0]).into_owned();
    if text.is_empty() { Ok(()) } else { Err(GreetingError::Different(text)) }
}

fn misfits(greeting: &Greeting, all: &[Vec<u8>]) -> String {
    let misfit = |(rank, bytes): (usize, &Vec<u8>)| match wire::unpack::<Greeting>(bytes) {
        Ok(other) => greeting.difference(&other).map(|difference| format!("rank {rank} has {difference}")),
        Err(error) => Some(format!("rank {rank} cannot be understood: {error}")),
    };
    let misfits: Vec<String> = all.iter().enumerate().filter_map(misfit).collect();
    misfits.join("; ")
}

impl Wire for Greeting {
    fn write(&self, writer: &mut Writer) {
        writer.text(&self.version);
        writer.u64(self.network);
        writer.text(&self.job);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError> {
        Ok(Self { version: reader.text()?, network: reader.u64()?, job: reader.text()? })
    }
}
