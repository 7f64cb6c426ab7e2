//! What Python hands over, and the errors it gets back: bad input is a `ValueError` that names the culprit, a file that
//! cannot be read or written an `OSError` with its name.

use std::fmt::Display;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pyo3::exceptions::{PyOSError, PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};

/// A `ValueError` with the message of an error.
pub(crate) fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// An `OSError` of the kind that Python itself raises for the file; a name that no file can have is a `ValueError`.
pub(crate) fn os_error(path: &Path, error: &io::Error) -> PyErr {
    let message = error.to_string();
    let name = path.display().to_string();
    match error.raw_os_error() {
        // Python adds the number itself.
        Some(code) => {
            let plain = message.trim_end_matches(&format!(" (os error {code})")).to_owned();
            PyOSError::new_err((code, plain, name))
        }
        None if error.kind() == io::ErrorKind::InvalidInput => value_error(format!("{name:?}: {message}")),
        None => PyOSError::new_err(format!("{name}: {message}")),
    }
}

/// A value that is written as a word: a rule set, a language …
pub(crate) fn parsed<T: FromStr<Err: Display>>(text: &str) -> PyResult<T> {
    text.parse().map_err(value_error)
}

/// The lock of something that no panic leaves half changed.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A whole number of any size; what does not fit becomes the nearest that does, so that the range check names it.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Integer(i64);

impl Integer {
    /// The number if it is in the range, else a `ValueError` with the name of the argument.
    pub(crate) fn within(&self, name: &str, range: RangeInclusive<u64>) -> PyResult<u64> {
        let number = u64::try_from(self.0).ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            value_error(format!("{name} is {}: expected {} to {}", self.0, range.start(), range.end()))
        })
    }
}

impl Integer {
    /// As `within`, for a range with negative numbers.
    pub(crate) fn between(&self, name: &str, range: RangeInclusive<i32>) -> PyResult<i32> {
        let number = i32::try_from(self.0).ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            value_error(format!("{name} is {}: expected {} to {}", self.0, range.start(), range.end()))
        })
    }
}

impl<'py> FromPyObject<'_, 'py> for Integer {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match object.extract::<i64>() {
            Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
                Ok(Self(if object.lt(0)? { i64::MIN } else { i64::MAX }))
            }
            number => Ok(Self(number?)),
        }
    }
}

/// An optional number in a range.
pub(crate) fn within(
    name: &str,
    number: Option<Integer>,
    range: RangeInclusive<u64>,
) -> PyResult<Option<u64>> {
    number.map(|number| number.within(name, range)).transpose()
}

/// A time in seconds.
pub(crate) fn seconds(name: &str, number: f64) -> PyResult<Duration> {
    /// Longer than any game, and far from overflows.
    const LONGEST: f64 = 1e9;
    let is_time = (0.0..=LONGEST).contains(&number);
    is_time.then(|| Duration::from_secs_f64(number)).ok_or_else(|| {
        value_error(format!("{name} is {number}: expected a number of seconds from 0 to {LONGEST:e}"))
    })
}

/// A file by its name, the bytes of one, or one that is open.
pub(crate) enum Content {
    File(PathBuf),
    Bytes(Vec<u8>),
}

impl<'py> FromPyObject<'_, 'py> for Content {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Some(bytes) = bytes_of(&object) {
            return Ok(Self::Bytes(bytes));
        }
        if !object.hasattr("read")? {
            return Ok(Self::File(object.extract()?));
        }
        let content = object.call_method0("read")?;
        match bytes_of(&content) {
            Some(bytes) => Ok(Self::Bytes(bytes)),
            None => Ok(Self::Bytes(content.extract::<String>()?.into_bytes())),
        }
    }
}

/// The content of `bytes` or of a `bytearray`.
fn bytes_of(object: &Bound<'_, PyAny>) -> Option<Vec<u8>> {
    match object.cast::<PyBytes>() {
        Ok(bytes) => Some(bytes.as_bytes().to_vec()),
        Err(_) => object.cast::<PyByteArray>().ok().map(|bytes| bytes.to_vec()),
    }
}
