//! Endgame tables: probing, and building small ones on request.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use chuhe_adapters::endgames::certainty;
use chuhe_adapters::repetition::{referee_of, rules_of_tables};
use chuhe_api::endgame::{EndgameTables, MissingTable};
use chuhe_api::explore::{ExploreRequest, Explored, explore};
use chuhe_api::longest::{CountError, LongestWins};
use chuhe_api::{Arg, Key, Keyed, Notice};
use chuhe_board::Position;
use chuhe_referee::RuleSet;
use chuhe_search::{Certainty, Endgames};
use chuhe_tablebase::{
    BuildEvent, CLASSIC_SET, Folder, Kind, Material, PlayTables, Rules, Stage, memory_to_solve,
};
use serde::Serialize;

use crate::priority::{self, Work};

/// The tables of a folder.
pub(crate) struct Tables {
    folder: Option<Folder>,
    /// Memory limit for building, in bytes.
    memory: u64,
    probed: RwLock<Probed>,
    /// Cached from the tables: the search reads it at every node.
    most_pieces: AtomicU32,
    build: Mutex<Option<Build>>,
    longest: Mutex<HashMap<(Material, Rules), Arc<LongestWins>>>,
    exploring: Mutex<()>,
}

/// The tables by rules of play. Those without repetition rules are opened once.
#[derive(Clone)]
struct Probed(Arc<HashMap<Rules, Arc<PlayTables>>>);

impl Probed {
    /// The tables of a folder and those built into the program.
    fn open(folder: Option<&Folder>) -> Self {
        // Unreadable files count as missing: the page offers to build them.
        let plain = folder.map_or_else(
            || PlayTables::built_in(Rules::Plain),
            |folder| PlayTables::open(folder, Rules::Plain).0,
        );
        let under = |rules| (rules, Arc::new(plain.under(folder, rules)));
        Self(Arc::new(Rules::ALL.into_iter().map(under).collect()))
    }

    fn under(&self, rules: Rules) -> &Arc<PlayTables> {
        &self.0[&rules]
    }
}

/// The kind of the tables that know some rules.
fn kind_by(rules: Rules) -> Kind {
    Kind { rules, ..Kind::default() }
}

/// The rules by which the app judges games.
fn rules_of_play() -> Rules {
    rules_of_tables(RuleSet::default())
}

/// The current or last build.
struct Build {
    state: BuildState,
    /// Progress of the current table, as the bits of a number from 0 to 1. The threads that build run when nothing else wants to:
    /// they may not hold a lock that a visitor's request waits for.
    part: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
}

/// State of the current or last build.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct BuildState {
    /// The endgame requested.
    name: String,
    /// The endgame being solved now: the requested one or one it depends on.
    now: String,
    /// Tables done.
    done: usize,
    /// Tables in all.
    tables: usize,
    /// Progress of the current table, from 0 to 1.
    part: f64,
    running: bool,
    /// Why it failed or was stopped.
    error: Option<Notice>,
}

/// Why a table cannot be built or counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TablesError {
    #[error("this server has no folder for tables")]
    NoFolder,
    #[error("this server builds no tables")]
    Forbidden,
    #[error("{0} is always drawn: neither side can give check")]
    Harmless(Material),
    #[error("{material} takes {needed} MB of memory to build; this server allows {allowed}")]
    TooLarge { material: Material, needed: u64, allowed: u64 },
    #[error("{0} is being built; one table is built at a time")]
    Busy(String),
    #[error(transparent)]
    Uncounted(#[from] CountError),
}

impl Keyed for TablesError {
    fn key(&self) -> (Key, Vec<Arg>) {
        match self {
            Self::NoFolder => (Key::NoTableFolder, vec![]),
            Self::Forbidden => (Key::BuildsNoTables, vec![]),
            Self::Harmless(material) => (Key::AlwaysDrawn, vec![Arg::from(&material.to_string())]),
            Self::TooLarge { material, needed, allowed } => {
                let name = Arg::from(&material.to_string());
                (Key::TableNeedsMemory, vec![name, Arg::from(*needed), Arg::from(*allowed)])
            }
            Self::Busy(name) => (Key::TableBusy, vec![name.into()]),
            Self::Uncounted(error) => error.key(),
        }
    }
}

impl Tables {
    pub(crate) fn open(folder: Option<Folder>, memory: u64) -> Self {
        let probed = Probed::open(folder.as_ref());
        Self {
            folder,
            memory,
            most_pieces: AtomicU32::new(probed.under(rules_of_play()).most_pieces()),
            probed: RwLock::new(probed),
            build: Mutex::default(),
            longest: Mutex::default(),
            exploring: Mutex::default(),
        }
    }

    fn probed(&self, rules: Rules) -> Arc<PlayTables> {
        self.probed.read().unwrap_or_else(PoisonError::into_inner).under(rules).clone()
    }

    /// Number of tables still to build for an endgame that passed [`Self::check`].
    fn missing_tables(&self, material: &Material, rules: Rules) -> usize {
        let probed = self.probed(rules);
        material.family().iter().filter(|member| !probed.knows_by_rules(member)).count()
    }

    /// Checks that a table may be built here.
    pub(crate) fn check(&self, material: &Material, rules: Rules) -> Result<&Folder, TablesError> {
        let folder = self.folder.as_ref().ok_or(TablesError::NoFolder)?;
        if material.is_harmless() {
            return Err(TablesError::Harmless(*material));
        }
        if self.memory == 0 {
            return Err(TablesError::Forbidden);
        }
        // Checked before listing the dependencies: a large endgame has millions.
        let needed = memory_to_solve(material, kind_by(rules));
        if needed > self.memory {
            let (needed, allowed) = (needed >> 20, self.memory >> 20);
            return Err(TablesError::TooLarge { material: *material, needed, allowed });
        }
        Ok(folder)
    }

    /// Starts building a table and all tables it depends on, for some rules.
    pub(crate) fn start(
        self: &Arc<Self>,
        material: Material,
        rules: Rules,
    ) -> Result<BuildState, TablesError> {
        self.check(&material, rules)?;
        self.start_all(material.to_string(), material.family(), rules)
    }

    /// Starts building the tables of the classic set that are missing and fit the memory, the small ones first.
    pub(crate) fn start_classic(self: &Arc<Self>, rules: Rules) -> Result<BuildState, TablesError> {
        let named = CLASSIC_SET.iter().filter_map(|name| name.parse::<Material>().ok());
        let memory = |member: &Material| memory_to_solve(member, kind_by(rules));
        let mut members: Vec<Material> = Vec::new();
        for member in named.flat_map(|material| material.family()) {
            if !members.contains(&member) && memory(&member) <= self.memory {
                members.push(member);
            }
        }
        members.sort_by_key(memory);
        // A table may depend on one that needs more memory than it does itself.
        let needed = members.clone();
        members.retain(|member| member.family().iter().all(|rest| needed.contains(rest)));
        members.sort_by_key(|member| (member.pieces(), memory(member)));
        self.start_all("classic".to_owned(), members, rules)
    }

    /// Starts building tables in order, each after those that it depends on.
    fn start_all(
        self: &Arc<Self>,
        name: String,
        family: Vec<Material>,
        rules: Rules,
    ) -> Result<BuildState, TablesError> {
        let stop = Arc::new(AtomicBool::new(false));
        let folder = self.folder.as_ref().ok_or(TablesError::NoFolder)?.clone().stopped_by(stop.clone());
        let folder = folder.judged_by(referee_of(rules));
        if self.memory == 0 {
            return Err(TablesError::Forbidden);
        }
        let mut build = self.build();
        if let Some(running) = build.as_ref().filter(|build| build.state.running) {
            return Err(TablesError::Busy(running.state.name.clone()));
        }
        let state = BuildState {
            now: name.clone(),
            name,
            tables: family.len(),
            running: true,
            ..BuildState::default()
        };
        let part = Arc::<AtomicU64>::default();
        *build = Some(Build { state: state.clone(), part: part.clone(), stop });
        drop(build);
        let tables = self.clone();
        std::thread::spawn(move || {
            let pool = rayon::ThreadPoolBuilder::new().start_handler(|_| priority::lower(Work::Idle)).build();
            let error = match pool {
                Ok(pool) => tables.build_all(&pool, &folder, (&family, rules), &part).err(),
                Err(error) => Some(Notice::around(Key::TableBuildFailed, error)),
            };
            tables.update(|state| (state.running, state.error) = (false, error));
        });
        Ok(state)
    }

    /// Builds the tables in order, save those that are there. Each is probed as soon as it is built.
    fn build_all(
        &self,
        pool: &rayon::ThreadPool,
        folder: &Folder,
        (family, rules): (&[Material], Rules),
        part: &AtomicU64,
    ) -> Result<(), Notice> {
        for member in family {
            part.store(0, Ordering::Relaxed);
            self.update(|state| state.now = member.to_string());
            let kind = kind_by(rules).serving(member);
            if folder.open(member, kind).is_err() {
                let watch = |event| part.store(progress_of(event).to_bits(), Ordering::Relaxed);
                pool.install(|| folder.build_one(member, kind, self.memory, &watch))?;
                self.reopen(folder);
            }
            self.update(|state| state.done += 1);
        }
        Ok(())
    }

    /// Opens the tables again, so that new ones are probed.
    fn reopen(&self, folder: &Folder) {
        let probed = Probed::open(Some(folder));
        self.most_pieces.store(probed.under(rules_of_play()).most_pieces(), Ordering::Relaxed);
        *self.probed.write().unwrap_or_else(PoisonError::into_inner) = probed;
    }

    fn build(&self) -> MutexGuard<'_, Option<Build>> {
        self.build.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn update(&self, change: impl FnOnce(&mut BuildState)) {
        if let Some(build) = self.build().as_mut() {
            change(&mut build.state);
        }
    }

    /// State of the current or last build.
    pub(crate) fn building(&self) -> Option<BuildState> {
        self.build().as_ref().map(|Build { state, part, .. }| {
            let part = f64::from_bits(part.load(Ordering::Relaxed));
            BuildState { part, ..state.clone() }
        })
    }

    /// Stops the current build.
    pub(crate) fn stop(&self) {
        if let Some(build) = self.build().as_ref() {
            build.stop.store(true, Ordering::Relaxed);
        }
    }

    /// The longest wins of an endgame, cached.
    pub(crate) fn longest(&self, material: &Material, rules: Rules) -> Result<Arc<LongestWins>, TablesError> {
        let probed = self.probed(rules);
        // What the table holds under, which may not be the rules asked for.
        let rules = probed.file(material).map_or(rules, |file| file.kind().rules);
        let key = (*material, rules);
        let known = self.longest.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let counted = Arc::new(LongestWins::count(&probed, material)?);
        self.longest.lock().unwrap_or_else(PoisonError::into_inner).insert(key, counted.clone());
        Ok(counted)
    }

    /// Positions of an endgame, one request at a time: a whole table is in memory meanwhile.
    pub(crate) fn explore(
        &self,
        material: &Material,
        rules: Rules,
        request: &ExploreRequest,
    ) -> Result<Explored, TablesError> {
        let _one = self.exploring.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(explore(&self.probed(rules), material, request)?)
    }
}

/// Progress of a table, from 0 to 1.
fn progress_of(event: BuildEvent) -> f64 {
    /// The first pass over all entries takes about half of the time.
    const OPENING: f64 = 0.5;
    match event {
        BuildEvent::Solving(Stage::Initialising(done, all)) => OPENING * done as f64 / all.max(1) as f64,
        BuildEvent::Solving(Stage::Resumed(_)) => OPENING,
        BuildEvent::Solving(Stage::Ply(ply, longest)) => {
            OPENING + (1.0 - OPENING) * f64::from(ply) / f64::from(longest.max(1))
        }
        BuildEvent::Solving(Stage::Repetition(_))
        | BuildEvent::Present
        | BuildEvent::Writing
        | BuildEvent::Written(_) => 1.0,
    }
}

/// Requests see the tables of the folder, and what it would take to build more.
impl EndgameTables for Tables {
    fn tables(&self, rules: Rules) -> Arc<PlayTables> {
        self.probed(rules)
    }

    fn missing(&self, material: &Material, rules: Rules) -> MissingTable {
        match self.check(material, rules) {
            Ok(_) => MissingTable { tables: self.missing_tables(material, rules), refused: None },
            Err(error) => MissingTable { tables: 0, refused: Some(error.into()) },
        }
    }
}

/// The search probes the same tables, including newly built ones.
impl Endgames for Tables {
    fn most_pieces(&self) -> u32 {
        self.most_pieces.load(Ordering::Relaxed)
    }

    fn certainty(&self, position: &Position) -> Option<Certainty> {
        certainty(&self.probed(rules_of_play()), position)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use chuhe_board::Side;
    use chuhe_tablebase::{ValidFor, Value};

    use super::*;

    fn value(tables: &Tables, position: &Position) -> Option<Value> {
        tables.probed(rules_of_play()).probe(position).map(|found| found.value)
    }

    #[test]
    fn a_table_for_the_rules_of_play_makes_draws_certain() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path()).judged_by(referee_of(Rules::Wxf));
        let material = "KP-KP".parse().unwrap();
        folder.build(&material, Kind::default(), 64 << 20, &|_, _| {}).unwrap();
        let tables = Tables::open(Some(folder.clone()), 0);
        let file = folder.open(&material, Kind::default()).unwrap();
        let mut positions =
            (0..file.index().len()).filter_map(|number| file.index().position(number, Side::Red));
        let drawn = positions.find(|position| value(&tables, position) == Some(Value::Draw)).unwrap();
        let found = tables.probed(rules_of_play()).probe(&drawn).unwrap();
        assert_eq!((found.value, found.rules), (Value::Draw, ValidFor::Only(Rules::Plain)));
        assert_eq!(tables.certainty(&drawn), None);

        let kind = Kind { rules: Rules::Wxf, ..Kind::default() };
        folder.build(&material, kind, 64 << 20, &|_, _| {}).unwrap();
        let tables = Tables::open(Some(folder), 0);
        let found = tables.probed(rules_of_play()).probe(&drawn).unwrap();
        assert_eq!((found.value, found.rules), (Value::Draw, ValidFor::Only(Rules::Wxf)));
        assert_eq!(tables.certainty(&drawn), Some(Certainty::Draw));
    }

    #[test]
    fn a_table_is_built_for_the_rules_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        // On a fresh installation there is no folder as yet.
        let place = folder.path().join("tables");
        let tables = Arc::new(Tables::open(Some(Folder::new(place)), 64 << 20));
        let material: Material = "KP-KP".parse().unwrap();
        assert_eq!(tables.missing(&material, Rules::Cxa).tables, 1, "KP-K is built in");
        tables.start(material, Rules::Cxa).unwrap();
        while tables.building().unwrap().running {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(tables.building().unwrap().error, None);
        let knows = |rules| tables.probed(rules).knows_by_rules(&material);
        assert_eq!(Rules::ALL.map(knows), [false, false, false, true]);
        assert_eq!(tables.missing(&material, Rules::Wxf).tables, 1);
    }

    #[test]
    fn a_built_table_is_probed_immediately() {
        let folder = tempfile::tempdir().unwrap();
        let tables = Arc::new(Tables::open(Some(Folder::new(folder.path())), 64 << 20));
        let position: Position = "3k5/9/9/9/9/9/9/3A5/4R4/4K4 w".parse().unwrap();
        let material = Material::of(&position);
        assert!(!tables.probed(Rules::Wxf).knows(&material) && value(&tables, &position).is_none());
        tables.start(material, Rules::Wxf).unwrap();
        while tables.building().unwrap().running {
            std::thread::sleep(Duration::from_millis(5));
        }
        let state = tables.building().unwrap();
        assert_eq!((state.done, state.error), (state.tables, None));
        assert!(matches!(value(&tables, &position), Some(Value::Win(_))));
        assert!(matches!(tables.certainty(&position), Some(Certainty::Win(_))));
        assert_eq!(tables.most_pieces(), 8, "as many as the built-in tables have");

        let longest = tables.longest(&material, Rules::Wxf).unwrap();
        let red = longest.red.clone().unwrap();
        assert_eq!(value(&tables, &red.fen.parse().unwrap()), Some(Value::Win(red.plies)));
        // The same with sides swapped.
        let turned = tables.longest(&material.swapped(), Rules::Wxf).unwrap();
        let black = turned.black.clone().unwrap();
        assert_eq!(black.plies, red.plies);
        assert_eq!(value(&tables, &black.fen.parse().unwrap()), Some(Value::Win(red.plies)));
    }

    #[test]
    fn the_classic_set_is_built_in_the_background_stopped_and_resumed() {
        let folder = tempfile::tempdir().unwrap();
        let tables = Arc::new(Tables::open(Some(Folder::new(folder.path())), 16 << 20));
        let until = |holds: &dyn Fn() -> bool| {
            while !holds() {
                std::thread::sleep(Duration::from_millis(5));
            }
        };
        let is_over = || !tables.building().unwrap().running;
        let files = |extension: &str| {
            let files = folder.path().read_dir().unwrap().map(|file| file.unwrap().path());
            files.filter(|path| path.extension().is_some_and(|found| found == extension)).count()
        };
        let started = tables.start_classic(Rules::Plain).unwrap();
        assert!(started.running && started.name == "classic" && started.tables > 40, "{started:?}");
        assert!(matches!(tables.start_classic(Rules::Plain), Err(TablesError::Busy(_))));
        tables.stop();
        until(&is_over);
        let stopped = tables.building().unwrap();
        assert!(stopped.error.is_some_and(|error| error.to_string().contains("resumes")));
        // A small table may have been complete before the build was stopped.
        let complete = files("dtm");
        assert_eq!(files("unfinished"), 1);

        tables.start_classic(Rules::Plain).unwrap();
        until(&|| files("dtm") > complete);
        assert!(tables.building().unwrap().done >= stopped.done);
        tables.stop();
        until(&is_over);
    }

    #[test]
    fn built_in_tables_need_no_folder() {
        let tables = Tables::open(None, 0);
        let material: Material = "KCA-KAA".parse().unwrap();
        let probed = tables.probed(rules_of_play());
        assert!(probed.knows(&material) && probed.is_built_in(&material));
        assert!(!probed.knows(&"KRN-KAABB".parse().unwrap()));
        assert!(tables.longest(&material, Rules::Cxa).unwrap().red.is_some());
    }

    #[test]
    fn a_missing_table_is_offered_unless_it_is_too_large() {
        let folder = tempfile::tempdir().unwrap();
        let tables = Tables::open(Some(Folder::new(folder.path())), 1 << 26);
        let missing = |fen: &str| tables.missing(&Material::of(&fen.parse().unwrap()), Rules::Wxf);
        let small = missing("3k1a3/4a4/9/9/9/9/9/3N1N3/9/4K4 w");
        assert_eq!((small.tables, small.refused), (2, None));
        let large = missing("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w");
        assert!(large.refused.is_some());
    }

    #[test]
    fn refusals_name_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let tables = |memory| Arc::new(Tables::open(Some(Folder::new(folder.path())), memory));
        let refused = |tables: &Arc<Tables>, name: &str| {
            tables.start(name.parse().unwrap(), Rules::Wxf).unwrap_err().to_string()
        };
        assert_eq!(refused(&tables(0), "KR-KA"), "this server builds no tables");
        assert!(refused(&tables(1 << 20), "KRN-KAABB").contains("MB of memory to build"));
        assert!(refused(&tables(1 << 30), "KA-KA").contains("always drawn"));
        assert!(refused(&Arc::new(Tables::open(None, 1 << 30)), "KR-KA").contains("no folder"));
        assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none());
    }
}
