//! The headers (tags) of a game record.

use std::collections::BTreeMap;

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::arguments::value_error;
use crate::game::Game;

/// The headers of a game by name, in any case of its letters; a live view with the methods of a dictionary.
///
/// >>> import chuhe
/// >>> game = chuhe.Game()
/// >>> game.headers["Red"] = "許銀川"
/// >>> dict(game.headers), "red" in game.headers, game.headers.get("Black", "?")
/// ({'Red': '許銀川'}, True, '?')
#[pyclass(module = "chuhe", frozen, mapping)]
pub(crate) struct Headers {
    game: Py<Game>,
}

#[pymethods]
impl Headers {
    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<String> {
        self.value(py, name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    fn __setitem__(&self, py: Python<'_>, name: &str, value: &str) -> PyResult<()> {
        let is_name = |character: char| character.is_alphanumeric() || character == '_';
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(value_error(format!(
                "'{name}' is not a header: use letters, digits and underscores"
            )));
        }
        self.game.borrow_mut(py).record.tags.set(name, value);
        Ok(())
    }

    fn __delitem__(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        self.__getitem__(py, name)?;
        self.game.borrow_mut(py).record.tags.set(name, "");
        Ok(())
    }

    fn __contains__(&self, py: Python<'_>, name: &str) -> bool {
        self.value(py, name).is_some()
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.items(py).len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyList::new(py, self.keys(py))?.try_iter()?.into_any())
    }

    /// The value of a header, or the default.
    #[pyo3(signature = (name, default = None))]
    fn get(&self, py: Python<'_>, name: &str, default: Option<String>) -> Option<String> {
        self.value(py, name).or(default)
    }

    /// The names in their order.
    fn keys(&self, py: Python<'_>) -> Vec<String> {
        self.items(py).into_iter().map(|(name, _)| name).collect()
    }

    /// The values in their order.
    fn values(&self, py: Python<'_>) -> Vec<String> {
        self.items(py).into_iter().map(|(_, value)| value).collect()
    }

    /// Names and values in their order.
    fn items(&self, py: Python<'_>) -> Vec<(String, String)> {
        let game = self.game.borrow(py);
        game.record.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    /// Sets headers from a dictionary.
    fn update(&self, py: Python<'_>, headers: BTreeMap<String, String>) -> PyResult<()> {
        headers.iter().try_for_each(|(name, value)| self.__setitem__(py, name, value))
    }

    /// Whether the names and values are the same, in any order.
    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let own: BTreeMap<String, String> = self.items(py).into_iter().collect();
        match other.cast::<Self>() {
            Ok(other) => Ok(own == other.get().items(py).into_iter().collect()),
            Err(_) => Ok(other.extract::<BTreeMap<String, String>>().is_ok_and(|other| own == other)),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let items: Vec<String> =
            self.items(py).iter().map(|(name, value)| format!("{name:?}: {value:?}")).collect();
        format!("Headers({{{}}})", items.join(", "))
    }
}

impl Headers {
    pub(crate) const fn of(game: Py<Game>) -> Self {
        Self { game }
    }

    fn value(&self, py: Python<'_>, name: &str) -> Option<String> {
        self.game.borrow(py).record.tags.get(name).map(str::to_owned)
    }
}
