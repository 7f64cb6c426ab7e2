//! `GET /api/records` and `/api/records/read`: records in the folders of the settings, such as match
//! results.
//!
//! A requested name is looked up in the list of files and never becomes a path, so there is no path
//! traversal.

use std::fs;
use std::path::{Path, PathBuf};

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use chuhe_api::read::{self, ReadAnswer, ReadOptions};
use chuhe_arena::{GameRecord, Standings};
use chuhe_notation::Format;
use serde::{Deserialize, Serialize};

use crate::app::Shared;
use crate::blocking::Stop;
use crate::error::ApiError;
use chuhe_api::{Arg, Key, Notice};

/// Maximum length of the list.
const MAX_FILES: usize = 2000;
/// Maximum depth of subfolders.
const MAX_DEPTH: usize = 5;
/// Extension of match journals.
const JOURNAL: &str = "jsonl";

/// A file of records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RecordFile {
    /// Its name in requests: index of its folder and path inside it.
    name: String,
    #[cfg_attr(test, ts(type = "number"))]
    bytes: u64,
}

/// Query of `/api/records/read`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordQuery {
    /// A name from the list.
    name: String,
    /// The index of the game, from 0.
    #[serde(default)]
    game: usize,
}

/// A game of a file and the result of its match.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RecordAnswer {
    #[serde(flatten)]
    answer: ReadAnswer,
    /// The result of the match, if the file is a match journal.
    contest: Option<Contest>,
}

/// The result of a match, for the engine named first.
#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Contest {
    names: Vec<String>,
    #[cfg_attr(test, ts(type = "number"))]
    wins: u64,
    #[cfg_attr(test, ts(type = "number"))]
    draws: u64,
    #[cfg_attr(test, ts(type = "number"))]
    losses: u64,
    /// The rating difference, if finite.
    elo: Option<f64>,
    /// Half of its 95 % interval.
    elo_error: Option<f64>,
}

/// `GET /api/records`: lists the files.
pub(crate) async fn list(State(shared): State<Shared>) -> Result<Json<Vec<RecordFile>>, ApiError> {
    let listed = tokio::task::spawn_blocking(move || files(&shared.library.records)).await;
    let listed = listed.map_err(|_| ApiError::internal())?;
    Ok(Json(listed.into_iter().map(|(file, _)| file).collect()))
}

/// `GET /api/records/read?name=&game=`: reads a game of a file.
pub(crate) async fn read(
    State(shared): State<Shared>,
    query: Result<Query<RecordQuery>, QueryRejection>,
) -> Result<Json<RecordAnswer>, ApiError> {
    let Query(query) = query?;
    let most = shared.settings.limits.record_bytes;
    let library = shared.clone();
    let read = shared.blocking.run(move |stop| open(&library.library.records, &query, most, stop));
    read.await.map(Json)
}

/// The files and their paths, sorted by name.
fn files(folders: &[PathBuf]) -> Vec<(RecordFile, PathBuf)> {
    let mut files = Vec::new();
    for (number, folder) in folders.iter().enumerate() {
        walk(folder, &number.to_string(), 0, &mut files);
    }
    files.sort_by(|(one, _), (other, _)| one.name.cmp(&other.name));
    files
}

fn walk(folder: &Path, name: &str, depth: usize, files: &mut Vec<(RecordFile, PathBuf)>) {
    // Unreadable entries are skipped.
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (Ok(kind), Ok(part)) = (entry.file_type(), entry.file_name().into_string()) else { continue };
        let (path, name) = (entry.path(), format!("{name}/{part}"));
        // Symbolic links are skipped: they may lead anywhere.
        if kind.is_dir() && depth < MAX_DEPTH {
            walk(&path, &name, depth + 1, files);
        } else if kind.is_file() && is_record(&path) && files.len() < MAX_FILES {
            let bytes = entry.metadata().map_or(0, |data| data.len());
            files.push((RecordFile { name, bytes }, path));
        }
    }
}

fn is_record(path: &Path) -> bool {
    Format::of_path(path).is_some() || is_journal(path)
}

fn is_journal(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(JOURNAL))
}

fn open(folders: &[PathBuf], query: &RecordQuery, most: u64, stop: &Stop) -> Result<RecordAnswer, ApiError> {
    let found = files(folders).into_iter().find(|(file, _)| file.name == query.name);
    let unknown = || ApiError::plain(StatusCode::NOT_FOUND, Key::NoSuchRecord, "there is no such record");
    let (file, path) = found.ok_or_else(unknown)?;
    if file.bytes > most {
        let text = format!("{} has {} bytes; {most} are allowed", file.name, file.bytes);
        let args = [Arg::from(&file.name), Arg::from(file.bytes), Arg::from(most)];
        return Err(ApiError::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            Notice::new(Key::RecordTooLarge, args, text),
        ));
    }
    let bytes = fs::read(&path)
        .map_err(|error| Notice::around(Key::FileFailed, format!("{}: {error}", file.name)))?;
    if !is_journal(&path) {
        let options = ReadOptions { name: file.name, game: query.game };
        let answer = read::read(&options, &bytes, &|| stop.is_set())?;
        return Ok(RecordAnswer { answer, contest: None });
    }
    let games = journal(&bytes);
    let pgn: String = games.iter().map(GameRecord::to_pgn).collect();
    let options = ReadOptions { name: "games.pgn".to_owned(), game: query.game };
    let answer = read::read(&options, pgn.as_bytes(), &|| stop.is_set())?;
    Ok(RecordAnswer { answer, contest: contest(&games) })
}

/// The games of a journal. Skips the first line (conditions) and a truncated last one.
fn journal(bytes: &[u8]) -> Vec<GameRecord> {
    let text = String::from_utf8_lossy(bytes);
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

fn contest(games: &[GameRecord]) -> Option<Contest> {
    let mut names: Vec<String> = Vec::new();
    for name in games.iter().flat_map(|game| [&game.red, &game.black]) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names.first()?;
    let mut standings = Standings::new(names.clone(), None);
    games.iter().for_each(|game| standings.add(game));
    let summary = standings.summary();
    Some(Contest {
        names,
        wins: summary.wins,
        draws: summary.draws,
        losses: summary.losses,
        elo: summary.elo,
        elo_error: summary.elo_error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PGN: &str = "[Red \"A\"]\n[Black \"B\"]\n1. h2e2 h9g7 1-0\n";

    fn query(name: &str) -> RecordQuery {
        RecordQuery { name: name.to_owned(), game: 0 }
    }

    #[test]
    fn only_records_of_the_folders_are_listed_and_read() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret.pgn"), PGN).unwrap();
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("deep")).unwrap();
        fs::write(folder.path().join("deep/game.pgn"), PGN).unwrap();
        fs::write(folder.path().join("password"), "no").unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(outside.path(), folder.path().join("link")).unwrap();
            let secret = outside.path().join("secret.pgn");
            std::os::unix::fs::symlink(secret, folder.path().join("link.pgn")).unwrap();
        }
        let folders = [folder.path().to_owned()];
        let names: Vec<String> = files(&folders).into_iter().map(|(file, _)| file.name).collect();
        assert_eq!(names, ["0/deep/game.pgn"]);
        assert!(open(&folders, &query("0/deep/game.pgn"), 1000, &Stop::default()).is_ok());
        let secret = outside.path().join("secret.pgn");
        for name in [
            secret.to_str().unwrap(),
            "0/link/secret.pgn",
            "0/link.pgn",
            "0/password",
            "0/../deep/game.pgn",
            "0/deep/../deep/game.pgn",
            "deep/game.pgn",
            "1/deep/game.pgn",
            "",
        ] {
            assert!(open(&folders, &query(name), 1000, &Stop::default()).is_err(), "{name}");
        }
        let refused = open(&folders, &query("0/deep/game.pgn"), 10, &Stop::default()).err().unwrap();
        assert!(format!("{refused:?}").contains("10 are allowed"));
    }

    #[test]
    fn the_journal_of_a_match_has_its_result() {
        let line = |game: usize, red: &str, black: &str, outcome: &str| {
            format!(
                r#"{{"game":{game},"pair":1,"red":"{red}","black":"{black}","limits":["1","1"],"date":"2026.01.01","outcome":"{outcome}","termination":"rules","reason":"mate","start":"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1","opening_plies":1,"moves":[{{"move":"h2e2"}},{{"move":"h9g7","score":12,"depth":3,"us":1000}}],"excused":0}}"#
            )
        };
        let text = format!(
            "{{\"journal\":1,\"conditions\":\"\"}}\n{}\n{}\n{{\"game\":3,",
            line(1, "new", "old", "1-0"),
            line(2, "old", "new", "1/2-1/2")
        );
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("match.jsonl"), text).unwrap();
        let query = RecordQuery { name: "0/match.jsonl".to_owned(), game: 1 };
        let answer = open(&[folder.path().to_owned()], &query, 1 << 20, &Stop::default()).unwrap();
        let contest = answer.contest.unwrap();
        assert_eq!(contest.names, ["new", "old"]);
        assert_eq!((contest.wins, contest.draws, contest.losses), (1, 1, 0));
        let json = serde_json::to_value(&answer.answer).unwrap();
        assert_eq!((json["count"].as_u64(), json["headings"][0]["result"].as_str()), (Some(2), Some("1-0")));
        assert_eq!(json["record"]["nodes"][1]["move"], "h9g7");
    }
}
