//! Wire format: values as bytes, with every length checked. No message makes a rank panic or allocate more than the
//! message is long.
//!
//! A message is one byte with the version of these formats and then the value, numbers little-endian.

use chuhe_board::Move;
use chuhe_eval::Score;

/// The version of all formats in this crate. Ranks of different versions refuse to start.
pub const VERSION: u8 = 2;

/// Why bytes do not decode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// The message is of another version.
    #[error("a message of version {0} where {VERSION} was expected")]
    Version(u8),
    /// The message is truncated.
    #[error("a message is cut off")]
    CutOff,
    /// Something follows the end of the message.
    #[error("{0} bytes too many in a message")]
    TooMany(usize),
    /// There is no message of this kind.
    #[error("no message has the kind {0}")]
    Kind(u8),
    /// A part of the message is impossible.
    #[error("a message with an impossible {0}")]
    Impossible(&'static str),
}

/// A value that ranks send to each other.
pub trait Wire: Sized {
    /// Appends the value.
    fn write(&self, writer: &mut Writer);

    /// Takes the value from the front.
    fn read(reader: &mut Reader<'_>) -> Result<Self, WireError>;
}

/// The message that carries a value.
pub fn pack(value: &impl Wire) -> Vec<u8> {
    let mut writer = Writer(vec![VERSION]);
    value.write(&mut writer);
    writer.0
}

/// The value that a message carries.
pub fn unpack<T: Wire>(bytes: &[u8]) -> Result<T, WireError> {
    let mut reader = Reader(bytes);
    match reader.u8()? {
        VERSION => {}
        version => return Err(WireError::Version(version)),
    }
    let value = T::read(&mut reader)?;
    match reader.0.len() {
        0 => Ok(value),
        rest => Err(WireError::TooMany(rest)),
    }
}

/// Bytes that grow.
#[derive(Debug, Default)]
pub struct Writer(Vec<u8>);

impl Writer {
    /// Appends a byte.
    pub fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    /// Appends a number of 16 bits.
    pub fn u16(&mut self, value: u16) {
        self.0.extend(value.to_le_bytes());
    }

    /// Appends a number of 32 bits.
    pub fn u32(&mut self, value: u32) {
        self.0.extend(value.to_le_bytes());
    }

    /// Appends a number of 64 bits.
    pub fn u64(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }

    /// Appends bytes, their number first.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.u32(bytes.len() as u32);
        self.0.extend_from_slice(bytes);
    }

    /// Appends a text, its length first.
    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// Appends a value that may be missing.
    pub fn option<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) {
        self.u8(value.is_some().into());
        if let Some(value) = value {
            write(self, value);
        }
    }

    /// Appends a list, its length first.
    pub fn list<T>(&mut self, list: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.u32(list.len() as u32);
        list.iter().for_each(|item| write(self, item));
    }

    /// Appends a move.
    pub fn mv(&mut self, mv: Move) {
        self.u16(mv.packed());
    }

    /// Appends a score.
    pub fn score(&mut self, score: Score) {
        self.u16(score.get() as i16 as u16);
    }
}

/// Bytes from which values are taken.
#[derive(Debug)]
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], WireError> {
        let (head, rest) = self.0.split_first_chunk().ok_or(WireError::CutOff)?;
        self.0 = rest;
        Ok(*head)
    }

    /// Takes a byte.
    pub fn u8(&mut self) -> Result<u8, WireError> {
        self.take().map(u8::from_le_bytes)
    }

    /// Takes a number of 16 bits.
    pub fn u16(&mut self) -> Result<u16, WireError> {
        self.take().map(u16::from_le_bytes)
    }

    /// Takes a number of 32 bits.
    pub fn u32(&mut self) -> Result<u32, WireError> {
        self.take().map(u32::from_le_bytes)
    }

    /// Takes a number of 64 bits.
    pub fn u64(&mut self) -> Result<u64, WireError> {
        self.take().map(u64::from_le_bytes)
    }

    /// Takes bytes with their number.
    pub fn bytes(&mut self) -> Result<&'a [u8], WireError> {
        let len = self.u32()? as usize;
        let (head, rest) = self.0.split_at_checked(len).ok_or(WireError::CutOff)?;
        self.0 = rest;
        Ok(head)
    }

    /// Takes a text.
    pub fn text(&mut self) -> Result<String, WireError> {
        let bytes = self.bytes()?;
        String::from_utf8(bytes.to_vec()).map_err(|_| WireError::Impossible("text"))
    }

    /// Takes a value that may be missing.
    pub fn option<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, WireError>,
    ) -> Result<Option<T>, WireError> {
        match self.u8()? {
            0 => Ok(None),
            1 => read(self).map(Some),
            _ => Err(WireError::Impossible("choice")),
        }
    }

    /// Takes a list of at most `most` items. Memory grows with the items read, not with the announced length.
    pub fn list<T>(
        &mut self,
        most: usize,
        mut read: impl FnMut(&mut Self) -> Result<T, WireError>,
    ) -> Result<Vec<T>, WireError> {
        let len = self.u32()? as usize;
        if len > most {
            return Err(WireError::Impossible("length of a list"));
        }
        (0..len).map(|_| read(self)).collect()
    }

    /// Takes a move. It need not be legal anywhere.
    pub fn mv(&mut self) -> Result<Move, WireError> {
        Move::from_packed(self.u16()?).ok_or(WireError::Impossible("move"))
    }

    /// Takes a score.
    pub fn score(&mut self) -> Result<Score, WireError> {
        let number = i32::from(self.u16()? as i16);
        let score = Score::from_number(number);
        if score.get() == number { Ok(score) } else { Err(WireError::Impossible("score")) }
    }
}
