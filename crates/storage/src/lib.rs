//! Where Chuhe's files live on a user's disk, so that the engine, the web app, matches and the cluster find
//! the same files without configuration; and how files are written: at once through an [`AtomicFile`], or bit by bit by
//! one run at a time ([`open_growing`]).
//!
//! `$XDG_DATA_HOME/chuhe` (else `~/.local/share/chuhe`; on Windows `%APPDATA%\chuhe`) holds tables, books,
//! networks and games; `$XDG_CONFIG_HOME/chuhe` (else `~/.config/chuhe`) the settings. `CHUHE_HOME` overrides
//! both. [`Home`] only names places and touches no disk.

mod atomic_file;
mod growing;
mod positioned;

pub use atomic_file::{AtomicFile, is_standard, read, write_atomic};
pub use growing::open_growing;
pub use positioned::PositionedFile;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The folders of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    data: PathBuf,
    config: PathBuf,
}

impl Home {
    /// The folders that the environment names; `None` if it names none, as for a service without a user.
    pub fn find() -> Option<Self> {
        Self::of(|name| std::env::var_os(name))
    }

    /// Everything in one folder.
    pub fn at(folder: &Path) -> Self {
        Self { data: folder.to_owned(), config: folder.to_owned() }
    }

    fn of(variable: impl Fn(&str) -> Option<OsString>) -> Option<Self> {
        // The rules of XDG: relative paths and empty values do not count.
        let absolute = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
        if let Some(folder) = variable("CHUHE_HOME").filter(|value| !value.is_empty()) {
            return Some(Self::at(Path::new(&folder)));
        }
        let below_home = |name: &str| absolute("HOME").map(|home| home.join(name));
        let roaming = || absolute("APPDATA");
        let data = absolute("XDG_DATA_HOME").or_else(|| below_home(".local/share")).or_else(roaming)?;
        let config = absolute("XDG_CONFIG_HOME").or_else(|| below_home(".config")).or_else(roaming)?;
        Some(Self { data: data.join("chuhe"), config: config.join("chuhe") })
    }

    /// Endgame tables.
    pub fn tables(&self) -> PathBuf {
        self.data.join("tables")
    }

    /// Banqi's endgame tables, one file.
    pub fn banqi_tables(&self) -> PathBuf {
        self.tables().join("banqi.tables")
    }

    /// The folder that holds all of this but the settings.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// Opening books.
    pub fn books(&self) -> PathBuf {
        self.data.join("books")
    }

    /// Networks.
    pub fn nets(&self) -> PathBuf {
        self.data.join("nets")
    }

    /// The game collection.
    pub fn games(&self) -> PathBuf {
        self.data.join("games.db")
    }

    /// The settings.
    pub fn settings(&self) -> PathBuf {
        self.config.join("config.toml")
    }
}

/// The file of the starter collection.
const STARTER: &str = "starter.games";

/// The starter collection: the user's own, or the one that came with the program; `None` without either.
pub fn starter_collection() -> Option<PathBuf> {
    let own = Home::find().map(|home| home.data.join(STARTER));
    own.filter(|file| file.exists()).or_else(|| installed(STARTER))
}

/// How far above the program `share/chuhe` may be: `/usr/lib/chuhe/lib` of the Debian package is the deepest folder.
const MOST_ABOVE: usize = 4;

/// A file that was installed with the program, in `share/chuhe` beside or above it.
fn installed(name: &str) -> Option<PathBuf> {
    installed_with(&std::env::current_exe().ok()?, name)
}

fn installed_with(program: &Path, name: &str) -> Option<PathBuf> {
    let above = program.ancestors().skip(1).take(MOST_ABOVE);
    above.map(|folder| folder.join("share/chuhe").join(name)).find(|file| file.exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn installed_files_are_found_from_every_place_of_the_program() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("share/chuhe/a.games");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, "").unwrap();
        for place in ["chuhe", "bin/chuhe", "target/release/chuhe", "lib/chuhe/lib/chuhe-x86-64"] {
            assert_eq!(installed_with(&folder.path().join(place), "a.games"), Some(file.clone()), "{place}");
        }
        assert_eq!(installed_with(&folder.path().join("bin/chuhe"), "b.games"), None);
    }

    fn home(variables: &[(&str, &str)]) -> Option<Home> {
        Home::of(|name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into()))
    }

    #[test]
    fn the_environment_is_asked_in_order() {
        let games = |variables: &[(&str, &str)]| home(variables).map(|home| home.games());
        let usual = [("HOME", "/home/a")];
        assert_eq!(games(&usual), Some("/home/a/.local/share/chuhe/games.db".into()));
        let with_data = [("HOME", "/home/a"), ("XDG_DATA_HOME", "/data")];
        assert_eq!(games(&with_data), Some("/data/chuhe/games.db".into()));
        let relative = [("HOME", "/home/a"), ("XDG_DATA_HOME", "data")];
        assert_eq!(games(&relative), games(&usual));
        let own = [("HOME", "/home/a"), ("XDG_DATA_HOME", "/data"), ("CHUHE_HOME", "here")];
        assert_eq!(games(&own), Some("here/games.db".into()));
        assert_eq!(home(&own).unwrap().settings(), PathBuf::from("here/config.toml"));
        assert_eq!(games(&[]), None);
    }
}
