//! `chuhe serve`: the web app.

use std::fs;
use std::net::IpAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::Context;
use chuhe_server::{Server, Settings, pages_are_built};
use clap::Args;

use crate::output;

/// Serve the web app to browsers
#[derive(Args)]
#[command(after_help = "\
Only this machine can reach the server unless --address is set; then a token is needed, and
visitors open http://…/?token=TOKEN once. FILE is TOML: address, port, token, hosts, engines, hash,
tables, book, games, records, [[rivals]] and a table [limits]; see docs/http.md. Without --settings the
file is config.toml in $XDG_CONFIG_HOME/chuhe, if there is one. Flags take precedence over the file.

Example: chuhe serve --engines 2 --hash 256 --open
         chuhe serve --tables ~/tables --book my.book --records matches/")]
pub(crate) struct Arguments {
    /// The address to listen on
    #[arg(long, value_name = "IP")]
    address: Option<IpAddr>,
    /// The port to listen on; 0 takes a free one
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Token that visitors from other machines need
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// Concurrent searches, one thread each
    #[arg(long, visible_alias = "threads", value_name = "N")]
    engines: Option<usize>,
    /// Total size of all transposition tables
    #[arg(long, value_name = "MB")]
    hash: Option<usize>,
    /// Folder of endgame tables, to probe and build
    #[arg(long, value_name = "FOLDER")]
    tables: Option<PathBuf>,
    /// The opening book
    #[arg(long, value_name = "BOOK")]
    book: Option<PathBuf>,
    /// The game collection
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
    /// Folder of records that visitors may open (repeatable)
    #[arg(long, value_name = "FOLDER")]
    records: Vec<PathBuf>,
    /// Settings file
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    for folder in &arguments.records {
        fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    }
    let settings = arguments.settings()?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("cannot start the server's threads")?;
    runtime.block_on(serve(settings, arguments.open))
}

async fn serve(settings: Settings, open: bool) -> anyhow::Result<()> {
    let server = Server::bind(settings).await?;
    let address = server.url();
    output::print(&format!("Chuhe 楚河 is at {address}\nStop it with Ctrl-C.\n"))?;
    if !pages_are_built() {
        output::warn(&"this program has no pages: build it with `make run`, or see web/README.md");
    }
    if open && !open_browser(&address) {
        output::note("No browser was found to open it.");
    }
    server.run(interrupted()).await;
    Ok(())
}

/// Waits for Ctrl-C.
async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        // Without such a signal only the end of the process ends the server.
        std::future::pending::<()>().await;
    }
}

/// Opens the page in a browser; false if there is none.
fn open_browser(address: &str) -> bool {
    BROWSERS.iter().any(|[program, arguments @ ..]| {
        let mut browser = Command::new(program);
        browser.args(arguments.iter().filter(|argument| !argument.is_empty())).arg(address);
        browser.stdout(Stdio::null()).stderr(Stdio::null()).spawn().is_ok()
    })
}

/// Programs that open an address in the user's browser, with their arguments before it.
pub(crate) const BROWSERS: &[[&str; 2]] = if cfg!(target_os = "macos") {
    &[["open", ""]]
} else if cfg!(windows) {
    // Not `start` or `explorer`, which read `&` and `?` in the address as their own.
    &[["rundll32", "url.dll,FileProtocolHandler"]]
} else {
    &[["xdg-open", ""], ["sensible-browser", ""]]
};

impl Arguments {
    fn settings(&self) -> anyhow::Result<Settings> {
        let mut settings = match &self.settings {
            Some(path) => Settings::read(path)?,
            None => Settings::of_the_user()?.unwrap_or_default(),
        };
        if let Some(address) = self.address {
            settings.address = address;
        }
        if let Some(port) = self.port {
            settings.port = port;
        }
        let paths = [
            (&self.tables, &mut settings.tables),
            (&self.book, &mut settings.book),
            (&self.games, &mut settings.games),
        ];
        for (flag, setting) in paths {
            if flag.is_some() {
                setting.clone_from(flag);
            }
        }
        if !self.records.is_empty() {
            settings.records.clone_from(&self.records);
        }
        if self.token.is_some() {
            settings.token.clone_from(&self.token);
        }
        if let Some(engines) = self.engines {
            settings.engines = engines;
        }
        if let Some(hash) = self.hash {
            settings.hash = hash;
        }
        settings.check()?;
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        serve: Arguments,
    }

    #[test]
    fn flags_win_over_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("settings.toml");
        let text = "threads = 3\nhash = 96\ntables = \"t\"\nbook = \"b.book\"\nrecords = [\"r\"]\n[limits]\nlines = 2\n";
        std::fs::write(&file, text).unwrap();
        let read = |flags: &[&str]| {
            let words =
                ["serve", "--settings", file.to_str().unwrap()].into_iter().chain(flags.iter().copied());
            Line::parse_from(words).serve.settings().unwrap()
        };
        let plain = read(&[]);
        assert_eq!((plain.engines, plain.hash, plain.limits.lines), (3, 96, 2));
        assert_eq!(plain.tables, Some("t".into()));
        assert_eq!((plain.book, plain.records), (Some("b.book".into()), vec!["r".into()]));
        let flagged = read(&[
            "--threads",
            "1",
            "--hash",
            "8",
            "--tables",
            "other",
            "--book",
            "c.book",
            "--games",
            "g.db",
            "--records",
            "one",
            "--records",
            "two",
        ]);
        assert_eq!((flagged.engines, flagged.hash, flagged.limits.lines), (1, 8, 2));
        assert_eq!((flagged.tables, flagged.book), (Some("other".into()), Some("c.book".into())));
        assert_eq!(flagged.games, Some("g.db".into()));
        assert_eq!(flagged.records, [PathBuf::from("one"), PathBuf::from("two")]);
    }
}
