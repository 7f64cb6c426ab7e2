//! Reading binary records: never past the end, and every place is known.

use crate::failure::{Place, Problem, RecordError};

/// The bytes of a record and how far they have been read.
#[derive(Clone)]
pub(crate) struct Bytes<'a> {
    all: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    pub(crate) const fn new(all: &'a [u8], at: usize) -> Self {
        Self { all, at }
    }

    /// How far the bytes have been read.
    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    pub(crate) const fn is_at_end(&self) -> bool {
        self.at >= self.all.len()
    }

    /// The next bytes, which are part of `what`.
    pub(crate) fn take(&mut self, count: usize, what: &'static str) -> Result<&'a [u8], Problem> {
        let end = self.at.checked_add(count).ok_or(Problem::Truncated(what))?;
        let taken = self.all.get(self.at..end).ok_or(Problem::Truncated(what))?;
        self.at = end;
        Ok(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], Problem> {
        let taken = self.take(N, what)?;
        Ok(taken.try_into().expect("take returns the length asked for"))
    }

    /// A number of four bytes, the lowest first.
    pub(crate) fn u32(&mut self, what: &'static str) -> Result<u32, Problem> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }
}

/// A problem at a byte of a game.
pub(crate) fn at_byte(game: usize, byte: usize) -> impl Fn(Problem) -> RecordError {
    move |problem| RecordError { game, place: Place::Byte(byte), problem }
}
