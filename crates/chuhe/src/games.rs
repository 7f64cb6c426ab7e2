//! `chuhe games`: the game collection.

mod make;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use chuhe_board::Outcome;
use chuhe_board::coords::RankStyle;
use chuhe_book::Pattern;
use chuhe_collection::{
    Collection, CollectionError, Found, Import, ImportReport, Material, PackedGames, Query, Skip,
};
use chuhe_notation::convert::Reader;
use chuhe_notation::pgn::MoveStyle;
use chuhe_notation::{Format, RecordWriter};
use chuhe_storage::{AtomicFile, Home};
use clap::{Args, Subcommand};
use serde::Serialize;

use crate::interrupt::Interrupt;
use crate::{input, output};

/// Keep, search and export a collection of games
#[derive(Args)]
#[command(after_help = "\
The collection is games.db in $XDG_DATA_HOME/chuhe (or in CHUHE_HOME), unless --db names another file. --starter searches the
games of the engine that come with the program.

Example: chuhe games import games/ more.pgn
         chuhe games search --player 許銀川 --result 1-0
         chuhe games search --fen 'rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w'
         chuhe games export --opening 屏風馬 out.pgn
         chuhe games search --starter --moves 'h2e2 h9g7'")]
pub(crate) struct Arguments {
    /// The file of the collection
    #[arg(long, value_name = "FILE", global = true)]
    db: Option<PathBuf>,
    /// Search or export the starter collection
    #[arg(long, global = true, conflicts_with = "db")]
    starter: bool,
    /// Print one JSON object
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Add the games of records and folders; games that are there already are skipped
    Import {
        /// Records, or folders with records; `-` is standard input
        #[arg(value_name = "RECORDS", required = true)]
        records: Vec<PathBuf>,
        /// Add games that are there already once more
        #[arg(long)]
        keep_duplicates: bool,
    },
    /// List games; everything that is asked for must hold
    Search {
        #[command(flatten)]
        filter: Filter,
        /// List at most N games
        #[arg(long, value_name = "N", default_value_t = 20)]
        most: usize,
        /// Skip the first N games
        #[arg(long, value_name = "N", default_value_t = 0)]
        skip: usize,
    },
    /// Write games to a file in any record format
    Export {
        #[command(flatten)]
        filter: Filter,
        /// The file to write; its extension names the format. `-` is standard output, as PGN
        #[arg(value_name = "OUT")]
        out: PathBuf,
    },
    Make(make::MakeArguments),
}

#[derive(Args)]
struct Filter {
    /// The game has this position (FEN or `startpos`) or its mirror image
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// The position after these moves from there, in any notation
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// The game has this material, such as 'RNP rcp'; advisors and elephants count only if named
    #[arg(long, value_name = "PIECES")]
    material: Option<Material>,
    /// The game has these pieces on these points, such as 'C@e2 n@g7 .@e3'
    #[arg(long, value_name = "PATTERN")]
    pattern: Option<Pattern>,
    /// Part of the name of either player
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Part of Red's name
    #[arg(long, value_name = "NAME")]
    red: Option<String>,
    /// Part of Black's name
    #[arg(long, value_name = "NAME")]
    black: Option<String>,
    /// Part of the name of the event
    #[arg(long, value_name = "NAME")]
    event: Option<String>,
    /// Part of the name of the opening, or the start of its code
    #[arg(long, value_name = "NAME")]
    opening: Option<String>,
    /// 1-0, 0-1, 1/2-1/2 or *
    #[arg(long, value_name = "RESULT", value_parser = result)]
    result: Option<Outcome>,
    /// Not before this date: 2014 or 2014.06.28
    #[arg(long, value_name = "DATE")]
    since: Option<String>,
    /// Not after this date
    #[arg(long, value_name = "DATE")]
    until: Option<String>,
    /// Only games that are there more than once
    #[arg(long)]
    duplicates: bool,
}

fn result(text: &str) -> Result<Outcome, String> {
    Outcome::from_token(text).ok_or_else(|| "expected 1-0, 0-1, 1/2-1/2 or *".to_owned())
}

impl Filter {
    fn query(&self) -> anyhow::Result<Query> {
        let position = input::wanted_position(self.fen.as_deref(), self.moves.as_deref())?;
        Ok(Query {
            position,
            material: self.material.clone(),
            pattern: self.pattern.clone(),
            player: self.player.clone(),
            red: self.red.clone(),
            black: self.black.clone(),
            event: self.event.clone(),
            opening: self.opening.clone(),
            result: self.result,
            since: self.since.clone(),
            until: self.until.clone(),
            duplicates: self.duplicates,
        })
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.action {
        Action::Import { records, keep_duplicates } => {
            if arguments.starter {
                bail!("the starter collection comes with the program and takes no games");
            }
            let path = arguments.path()?;
            let report = import(&path, records, *keep_duplicates)?;
            print_report(&report, &path, arguments.json)
        }
        Action::Search { filter, most, skip } => {
            let found = arguments.collection()?.search(&filter.query()?, *skip, *most)?;
            if arguments.json { output::print_json(&found) } else { output::print(&listed(&found)) }
        }
        Action::Export { filter, out } => export(&arguments.collection()?, &filter.query()?, out),
        Action::Make(make) => make.run(arguments.json),
    }
}

impl Arguments {
    /// The file of the user's collection.
    fn path(&self) -> anyhow::Result<PathBuf> {
        match &self.db {
            Some(path) => Ok(path.clone()),
            None => {
                Ok(Home::find().context("no home folder: say where the collection is with --db")?.games())
            }
        }
    }

    /// The collection to read: it must exist.
    fn collection(&self) -> anyhow::Result<Collection> {
        if self.starter {
            let file = chuhe_storage::starter_collection().context(
                "no starter collection: expected share/chuhe/starter.games beside or above the program",
            )?;
            return Ok(Collection::of_list(&file)?);
        }
        let path = self.path()?;
        if !path.exists() {
            bail!("{}: there is no game collection yet; `chuhe games import` makes one", path.display());
        }
        if PackedGames::is_list_file(&path) {
            return Ok(Collection::of_list(&path)?);
        }
        Ok(Collection::open_existing(&path)?)
    }
}

fn import(path: &Path, records: &[PathBuf], keep_duplicates: bool) -> anyhow::Result<ImportReport> {
    let files = input::record_files(records)?;
    let mut collection = Collection::open(path)?;
    let mut import = collection.import(keep_duplicates)?;
    let progress = output::Progress::reading();
    let interrupt = Interrupt::catch()?;
    let mut reader = Reader::new(&files, RankStyle::FromZero);
    for file in files {
        let bytes = chuhe_storage::read(&file).with_context(|| file.display().to_string())?;
        let name = file.display().to_string();
        if PackedGames::is_list(&bytes) {
            import_list(&mut import, &bytes).with_context(|| name.clone())?;
            continue;
        }
        let added = reader.read(&file, &bytes, |so_far, _, game| {
            progress.read(so_far);
            match game {
                Ok(game) => import.add_from(&name, &game)?,
                Err(error) => import.skip(name.clone(), error),
            }
            if interrupt.is_caught() { Err(Stop::Interrupted) } else { Ok(()) }
        });
        match added {
            Ok(()) => {}
            Err(Stop::Interrupted) => {
                let added = import.finish()?.added;
                bail!("interrupted; {} added, and the same command adds the rest", output::games(added));
            }
            Err(Stop::Failed(error)) => return Err(error.into()),
        }
    }
    let report = import.finish()?;
    progress.finish();
    Ok(report)
}

fn import_list(import: &mut Import<'_>, bytes: &[u8]) -> anyhow::Result<()> {
    let list = PackedGames::read(bytes)?;
    for index in 0..list.games.len() {
        import.add(&list.record(index))?;
    }
    Ok(())
}

/// Why an import stops before its end.
enum Stop {
    Interrupted,
    Failed(CollectionError),
}

impl From<CollectionError> for Stop {
    fn from(error: CollectionError) -> Self {
        Self::Failed(error)
    }
}

/// How many skipped games are named one by one.
const MOST_NAMED: usize = 20;

#[derive(Serialize)]
struct Imported<'a> {
    collection: &'a Path,
    added: usize,
    same: usize,
    transposed: usize,
    skipped: Vec<String>,
    faults: Vec<String>,
}

fn print_report(report: &ImportReport, path: &Path, json: bool) -> anyhow::Result<()> {
    let texts = |skips: &[Skip]| -> Vec<String> {
        skips.iter().map(|skip| format!("{}, {}", skip.source, skip.reason)).collect()
    };
    let (skipped, faults) = (texts(&report.skipped), texts(&report.faults));
    for fault in report.faults.iter().take(MOST_NAMED) {
        output::warn(&output::fault(&fault.source, &fault.reason));
    }
    for reason in skipped.iter().take(MOST_NAMED) {
        output::warn(&format!("{reason}: skipped"));
    }
    if json {
        let ImportReport { added, same, transposed, .. } = *report;
        output::print_json(&Imported { collection: path, added, same, transposed, skipped, faults })?;
    } else {
        output::print(&format!(
            "{} added to {}; {} were there already (or their mirror image), {} with moves exchanged\n",
            output::games(report.added),
            path.display(),
            report.same,
            report.transposed
        ))?;
    }
    output::Skipped::check_games(report.skipped.len())
}

fn listed(found: &Found) -> String {
    let mut text = String::new();
    for game in &found.games {
        let part = |part: &Option<String>| part.clone().unwrap_or_else(|| "?".to_owned());
        let _ = write!(text, "{:>8}  {} – {}  {}", game.id, part(&game.red), part(&game.black), game.result);
        for part in [&game.date, &game.event, &game.opening].into_iter().flatten() {
            let _ = write!(text, "  {part}");
        }
        let _ = write!(text, "  {} plies", game.plies);
        if let Some(ply) = game.ply {
            let _ = write!(text, ", there after {ply}");
        }
        text.push('\n');
    }
    let _ = writeln!(text, "{} of {} games", found.games.len(), found.total);
    text
}

fn export(collection: &Collection, query: &Query, out: &Path) -> anyhow::Result<()> {
    let by_name = if chuhe_storage::is_standard(out) { Some(Format::Pgn) } else { Format::of_path(out) };
    let format =
        by_name.with_context(|| format!("{}: the extension names no record format", out.display()))?;
    let ids = collection.matching(query)?;
    if ids.is_empty() {
        bail!("no game matches");
    }
    if format.holds_one_game() && ids.len() > 1 {
        bail!("{} holds one game a file, and {} match; write .pgn or .cbl", format.extension(), ids.len());
    }
    let file = AtomicFile::create(out).with_context(|| out.display().to_string())?;
    let style = if format == Format::Text { MoveStyle::Coordinates } else { MoveStyle::Iccs };
    let mut writer = RecordWriter::new(format, style, file);
    let progress = output::Progress::of("games written");
    let mut refused = 0;
    for (count, id) in ids.iter().enumerate() {
        progress.set_of(count as u64, ids.len() as u64);
        if let Err(reason) = writer.add(&collection.game(*id)?)? {
            output::warn(&format!("game {id}: {reason}: skipped"));
            refused += 1;
        }
    }
    let name = out.file_stem().unwrap_or_default().to_string_lossy();
    writer.finish(&name).and_then(AtomicFile::commit).with_context(|| out.display().to_string())?;
    progress.finish();
    output::note(&format!("{} written to {}", output::games(ids.len() - refused), out.display()));
    output::Skipped::check_games(refused)
}
