//! The checks, one function for each part of the installation.

use std::fs;
use std::path::{Path, PathBuf};

use chuhe_banqi::endgame::Endgames;
use chuhe_book::Book;
use chuhe_collection::{Collection, PackedGames};
use chuhe_server::{Settings, pages_are_built};
use chuhe_storage::Home;
use chuhe_tablebase::{Archive, Folder, TableFile};

use super::Finding;
use crate::{output, serve, version};

/// Every part, in the order in which a newcomer asks.
pub(super) fn all() -> Vec<Finding> {
    let home = Home::find();
    let mut findings = vec![program(), cpu(), network(), book()];
    findings.push(data_folder(home.as_ref()));
    findings.extend([tables(), starter()]);
    if let Some(home) = &home {
        findings.extend([banqi(home), games(home), settings(home)]);
    }
    findings.extend([web_app(), browser(), memory(), mpi()]);
    findings
}

fn program() -> Finding {
    let place =
        std::env::current_exe().map_or_else(|error| error.to_string(), |path| path.display().to_string());
    let found =
        format!("chuhe {}, {}, commit {}, {place}", version::VERSION, version::build(), version::commit());
    if cfg!(debug_assertions) {
        return Finding::fair("program", found, "this is a build for tests: `make run` builds the fast one");
    }
    Finding::good("program", found)
}

fn cpu() -> Finding {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let level = chuhe_cpu::build_level();
    let found =
        format!("{threads} threads; {}; the build is for {level}", chuhe_cpu::extensions().join(", "));
    #[cfg(target_arch = "x86_64")]
    if level == "x86-64" && chuhe_cpu::has_v3() {
        return Finding::fair("CPU", found, "this CPU can run the faster build for x86-64-v3: `make build`");
    }
    Finding::good("CPU", found)
}

fn network() -> Finding {
    let (identity, instructions) = version::network();
    Finding::good("network", format!("{identity}, built in, uses {instructions}"))
}

fn book() -> Finding {
    Finding::good("book", format!("{} positions, built in", Book::embedded().len()))
}

/// The folder exists and can be written, or can be made.
fn data_folder(home: Option<&Home>) -> Finding {
    let Some(folder) = home.map(Home::data) else {
        return Finding::fair("data", "no folder", "set CHUHE_HOME to a folder for tables, books and games");
    };
    let is_there = folder.is_dir();
    let Some(nearest) = folder.ancestors().find(|part| part.is_dir()) else {
        return Finding::broken("data", format!("{} cannot be made", folder.display()), ELSEWHERE);
    };
    // Permission bits do not tell everything: a read-only disk, another owner's rules.
    match tempfile::tempfile_in(nearest) {
        Err(error) => {
            let found = format!("cannot write to {}: {error}", nearest.display());
            Finding::broken("data", found, ELSEWHERE)
        }
        Ok(_) if is_there => Finding::good("data", folder.display().to_string()),
        Ok(_) => Finding::good("data", format!("{}, made when it is needed", folder.display())),
    }
}

const ELSEWHERE: &str = "set CHUHE_HOME to a folder that you may write to";

fn tables() -> Finding {
    let built_in = Archive::built_in().materials().count();
    let own = Folder::of_the_user().map(|folder| (folder.files().unwrap_or_default(), folder));
    let (files, folder) = own.map_or_else(Default::default, |(files, folder)| (files, Some(folder)));
    let faults: Vec<String> =
        files.iter().filter_map(|file| TableFile::open(file).err()).map(|error| error.to_string()).collect();
    let place = folder.map_or_else(String::new, |folder| format!(" in {}", folder.path().display()));
    let found = format!("{built_in} built in, {}{place}", files.len());
    if let Some(fault) = faults.first() {
        let found = format!("{found}; {} cannot be used: {fault}", faults.len());
        return Finding::broken("tables", found, "remove the file, and build it with `chuhe tb build`");
    }
    if files.is_empty() {
        let advice = "`chuhe tb build KRN-KAABB` solves an endgame (docs/tablebases.md)";
        return Finding::fair("tables", found, advice);
    }
    Finding::good("tables", found)
}

fn banqi(home: &Home) -> Finding {
    let path = home.banqi_tables();
    let advice = "`chuhe banqi tb build` solves the endgames of four pieces";
    let read = |path: &Path| -> anyhow::Result<Endgames> {
        Ok(Endgames::read(&mut std::io::BufReader::new(fs::File::open(path)?))?)
    };
    match path.exists().then(|| read(&path)) {
        None => Finding::fair("Banqi", "no endgame tables", advice),
        Some(Ok(_)) => Finding::good("Banqi", path.display().to_string()),
        Some(Err(error)) => {
            Finding::broken("Banqi", format!("{}: {}", path.display(), output::explained(&error)), advice)
        }
    }
}

fn games(home: &Home) -> Finding {
    let path = home.games();
    if !path.exists() {
        let advice = "`chuhe games import FOLDER` collects records to search";
        return Finding::fair("games", "no collection", advice);
    }
    match Collection::open_existing(&path) {
        Ok(_) => Finding::good("games", path.display().to_string()),
        Err(error) => {
            let found = format!("{}: {error}", path.display());
            Finding::broken("games", found, "move the file away, and import the games again")
        }
    }
}

/// The games that the Openings page counts as ours.
fn starter() -> Finding {
    let advice = "`make install` puts it beside the program; the Openings page counts its games";
    let Some(path) = chuhe_storage::starter_collection() else {
        return Finding::fair("starter", "no starter collection", advice);
    };
    let list = fs::read(&path).map_err(anyhow::Error::from).and_then(|bytes| Ok(PackedGames::read(&bytes)?));
    match list {
        Ok(list) => {
            let games = output::games(list.games.len());
            Finding::good("starter", format!("{games} in {}", path.display()))
        }
        Err(error) => {
            let found = format!("{}: {}", path.display(), output::explained(&error));
            Finding::broken("starter", found, advice)
        }
    }
}

fn settings(home: &Home) -> Finding {
    let path = home.settings();
    let checked = Settings::of_the_user().and_then(|settings| {
        settings.map(|settings| settings.check()).transpose().map(|settings| settings.is_some())
    });
    match checked {
        Ok(true) => Finding::good("settings", path.display().to_string()),
        Ok(false) => Finding::good("settings", format!("defaults; {} would change them", path.display())),
        Err(error) => {
            let advice = "docs/http.md lists the settings";
            Finding::broken("settings", format!("{}: {error}", path.display()), advice)
        }
    }
}

fn web_app() -> Finding {
    match pages_are_built() {
        true => Finding::good("web app", "built in: `chuhe serve --open`"),
        false => Finding::fair("web app", "no pages", "`make web`, then build again"),
    }
}

fn browser() -> Finding {
    match serve::BROWSERS.iter().find_map(|[program, _]| on_path(program)) {
        Some(path) => Finding::good("browser", path.display().to_string()),
        None => {
            let advice = "open the address that `chuhe serve` prints in any browser";
            Finding::fair("browser", "no program to open one", advice)
        }
    }
}

/// Huge pages, which the search's tables ask for where the system lets programs choose.
fn memory() -> Finding {
    let setting = fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").unwrap_or_default();
    if setting.contains("[never]") {
        let advice = "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled (as root): faster searches";
        return Finding::fair("memory", "huge pages are off", advice);
    }
    let found = if setting.is_empty() { "huge pages are not known here" } else { "huge pages" };
    Finding::good("memory", found)
}

fn mpi() -> Finding {
    let beside = std::env::current_exe().ok().and_then(|path| on_path_in("chuhe-mpi", path.parent()?));
    match (on_path("mpirun"), beside.or_else(|| on_path("chuhe-mpi"))) {
        (Some(_), Some(program)) => Finding::good("MPI", program.display().to_string()),
        (mpirun, _) => {
            let found = if mpirun.is_some() { "mpirun, but no chuhe-mpi" } else { "none" };
            Finding::fair("MPI", found, "only for a cluster: docs/cluster.md says how to build chuhe-mpi")
        }
    }
}

/// A program in the folders of PATH.
fn on_path(program: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).find_map(|folder| on_path_in(program, &folder))
}

fn on_path_in(program: &str, folder: &Path) -> Option<PathBuf> {
    Some(folder.join(format!("{program}{}", std::env::consts::EXE_SUFFIX))).filter(|path| path.is_file())
}
