//! Disruptions from the machine: a clock that jumps, files replaced underneath, a disk that is full or read-only.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::task::JoinSet;

use crate::client::Target;
use crate::process::{Site, TABLE};

/// An address for requests about the files that change.
const HOST: u8 = 20;
/// A position of [`TABLE`].
const POSITION: &str = "3k5/9/4b4/9/9/9/4P4/9/4N4/4K4 w";

pub(crate) fn spawn_all(tasks: &mut JoinSet<()>, site: &Site, target: &Target, end: Instant) {
    tasks.spawn(jump_clock(site.clock(), end));
    tasks.spawn(replace_records(site.home.join("records/changing.pgn"), target.clone(), end));
    tasks.spawn(replace_table(site.tables(), target.clone(), end));
    tasks.spawn(fill_disk(target.clone(), end));
    if site.has_disk {
        tasks.spawn(remount(site.tables(), end));
    }
}

/// Jumps forth and back by up to years.
async fn jump_clock(clock: PathBuf, end: Instant) {
    for offset in ["+3600", "-3600", "+86400000", "-86400000", "+0"].iter().cycle() {
        if Instant::now() >= end {
            break;
        }
        let _ = fs::write(&clock, format!("{offset}\n"));
        tokio::time::sleep(Duration::from_secs(3)).await;
    }
}

/// Writes a record in place, whole, empty or garbled, while it is read.
async fn replace_records(path: PathBuf, target: Target, end: Instant) {
    let texts: [&[u8]; 4] = [b"1. h2e2 *\n", b"", &[0xFF; 5000], b"[Red \"x\"]\n\n1. h2e2 h9g7 1-0\n"];
    for text in texts.iter().cycle() {
        if Instant::now() >= end {
            break;
        }
        let _ = fs::write(&path, text);
        let _ = target.ask(HOST, "GET", "/api/records", b"").await;
        let _ = target.ask(HOST, "GET", "/api/records/read?name=0/changing.pgn", b"").await;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Truncates and overwrites a table in place, as `cp new old` does, while it is probed; restores it in the end.
async fn replace_table(folder: PathBuf, target: Target, end: Instant) {
    let files = fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let of_table =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(TABLE));
    let Some(path) = files.filter(of_table).find(|path| path.is_file()) else { return };
    let Ok(whole) = fs::read(&path) else { return };
    let question = json!({"game": {"start": POSITION}}).to_string();
    for round in 0u32.. {
        if Instant::now() + Duration::from_secs(3) >= end {
            break;
        }
        let content = match round % 3 {
            0 => &whole[..whole.len() / 2],
            1 => &[],
            _ => &whole[..],
        };
        let _ = fs::write(&path, content);
        for _ in 0..10 {
            let _ = target.ask(HOST + 1, "POST", "/api/endgame", question.as_bytes()).await;
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
    // The disk may be read-only at the moment.
    for _ in 0..10 {
        if fs::write(&path, &whole).is_ok() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// Asks for tables until nothing fits any more.
async fn fill_disk(target: Target, end: Instant) {
    for name in ["KRP-KAB", "KNN-KAB", "KCP-KAAB", "KRN-KRB"].iter().cycle() {
        if Instant::now() >= end {
            break;
        }
        let request = json!({"name": name}).to_string();
        let _ = target.ask(HOST + 2, "POST", "/api/build", request.as_bytes()).await;
        for _ in 0..10 {
            let _ = target.ask(HOST + 2, "GET", "/api/build", b"").await;
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        let _ = target.ask(HOST + 2, "DELETE", "/api/build", b"").await;
    }
}

/// Makes the disk read-only for a while, again and again.
async fn remount(folder: PathBuf, end: Instant) {
    let remount = |mode: &str| {
        let mut mount = std::process::Command::new("mount");
        // Refused while a file is open for writing.
        let _ = mount
            .args(["-o", &format!("remount,{mode}")])
            .arg(&folder)
            .stderr(std::process::Stdio::null())
            .status();
    };
    for mode in ["ro", "rw"].iter().cycle() {
        if Instant::now() + Duration::from_secs(5) >= end {
            break;
        }
        remount(mode);
        tokio::time::sleep(Duration::from_secs(4)).await;
    }
    remount("rw");
}
