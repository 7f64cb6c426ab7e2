//! Chaos run: 50 healthy visitors beside abusers of every kind, in rounds, each ended by `kill -9`. The laws they check
//! are in `laws.rs`. `make chaos` runs it against the release program; a run that was interrupted goes on where it was.
//!
//! Usage: chaos PROGRAM [SECONDS] [FOLDER]
//!
//! Everything stays on loopback: visitors are 127.0.0.1, abusers 127.0.0.2 and on.
#![allow(clippy::print_stdout)]

mod abusers;
mod client;
mod disruptions;
mod healthy;
mod laws;
mod process;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use client::{Failure, Target};
use laws::{Journal, Round, Samples};
use process::{Process, Site};

const VISITORS: usize = 50;
const ROUND: Duration = Duration::from_secs(300);

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let program = arguments.next().ok_or("usage: chaos PROGRAM [SECONDS] [FOLDER]")?;
    let seconds: u64 = arguments.next().map_or(Ok(3600), |text| text.parse())?;
    let folder = PathBuf::from(arguments.next().unwrap_or_else(|| "target/chaos".to_owned()));
    let site = Site::prepare(program.into(), &folder)?;
    let mut journal = Journal::open(&folder)?;
    while journal.seconds() < seconds {
        let time = ROUND.min(Duration::from_secs(seconds - journal.seconds()));
        let round = run_round(&site, time, journal.rounds()).await?;
        println!("{round}");
        journal.add(round)?;
    }
    site.unmount();
    let table = journal.table();
    println!("\n{table}");
    std::fs::write(folder.join("table.md"), &table)?;
    let broken = journal.broken();
    if broken.is_empty() { Ok(()) } else { Err(format!("broken laws: {}", broken.join(", ")).into()) }
}

/// One life of the server.
async fn run_round(site: &Site, time: Duration, number: usize) -> Result<Round, Failure> {
    let process = Process::start(site)?;
    let target = Target { address: process.address, token: site.token.clone() };
    let expected = Arc::new(healthy::Expected::ask(target.clone()).await?);
    let samples = Arc::new(Samples::default());
    let end = Instant::now() + time;
    println!("round {}: {} s, server {}", number + 1, time.as_secs(), process.id());

    let mut tasks = tokio::task::JoinSet::new();
    for visitor in 0..VISITORS {
        tasks.spawn(healthy::visit(visitor, target.clone(), expected.clone(), samples.clone(), end));
    }
    abusers::spawn_all(&mut tasks, &target, &samples, end);
    disruptions::spawn_all(&mut tasks, site, &target, end);
    let memory = tokio::spawn(watch_memory(process.id(), time, samples.clone()));
    let jitter = tokio::spawn(watch_timer(end, samples.clone()));
    while let Some(ended) = tasks.join_next().await {
        ended?;
    }
    memory.await?;
    jitter.await?;
    let died = process.has_ended();
    process.kill();
    Ok(samples.round(time, died, site.damage()))
}

/// Samples the resident memory of the server, by halves of the round.
async fn watch_memory(process: u32, time: Duration, samples: Arc<Samples>) {
    let start = Instant::now();
    // The tables of the engines fill up at first.
    let warm_up = time / 5;
    let peak = [AtomicU64::new(0), AtomicU64::new(0)];
    while start.elapsed() < time {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0u64);
        let elapsed = start.elapsed();
        if elapsed > warm_up {
            peak[usize::from(elapsed > time / 2)].fetch_max(kibibytes, Ordering::Relaxed);
        }
    }
    samples.memory(peak[0].load(Ordering::Relaxed), peak[1].load(Ordering::Relaxed));
}

/// How late this process itself is woken: what the machine adds to every delay.
async fn watch_timer(end: Instant, samples: Arc<Samples>) {
    const NAP: Duration = Duration::from_millis(50);
    while Instant::now() < end {
        let asleep = Instant::now();
        tokio::time::sleep(NAP).await;
        samples.timer(asleep.elapsed().saturating_sub(NAP));
    }
}
