//! The server under test: its folder, its process and the state of its files.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;

use crate::client::Failure;

/// A record that nothing may change.
const KEPT: &str = "[Red \"Kept\"]\n\n1. h2e2 h9g7 *\n";
/// The table that is replaced underneath the server.
pub(crate) const TABLE: &str = "KNP-KB";
/// Room for tables, in mebibytes: less than the builds of a round want.
const DISK: usize = 4;
const FAKETIME: &str = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";

/// Where servers of a run live, one after the other.
pub(crate) struct Site {
    program: PathBuf,
    pub(crate) home: PathBuf,
    pub(crate) token: String,
    /// Whether the tables are on a small file system of their own, which can be full and read-only.
    pub(crate) has_disk: bool,
}

impl Site {
    pub(crate) fn prepare(program: PathBuf, folder: &Path) -> Result<Self, Failure> {
        fs::create_dir_all(folder)?;
        let home = folder.canonicalize()?.join("home");
        let site = Self {
            program: program.canonicalize()?,
            token: "chaos-0123456789abcdef".to_owned(),
            has_disk: false,
            home,
        };
        for name in ["records", "tables"] {
            fs::create_dir_all(site.home.join(name))?;
        }
        fs::write(site.home.join("records/kept.pgn"), KEPT)?;
        fs::write(site.clock(), "+0\n")?;
        let settings = format!(
            "token = \"{}\"\nengines = 2\nhash = 64\ntables = {:?}\nrecords = [{:?}]\n",
            site.token,
            site.tables(),
            site.home.join("records"),
        );
        fs::write(site.home.join("config.toml"), settings)?;
        let mounts = fs::read_to_string("/proc/mounts").unwrap_or_default();
        let is_mounted = mounts.lines().any(|line| line.split(' ').nth(1) == site.tables().to_str());
        let has_disk = is_mounted || site.mount(&["-t", "tmpfs", "-o", &format!("size={DISK}m"), "chaos"]);
        site.run(&["tb", "build", TABLE, "--path"])?;
        Ok(Self { has_disk, ..site })
    }

    pub(crate) fn tables(&self) -> PathBuf {
        self.home.join("tables")
    }

    /// The file that says how far the server's wall clock is off.
    pub(crate) fn clock(&self) -> PathBuf {
        self.home.join("clock")
    }

    /// Mounts something on the folder of tables; false if that is not allowed here.
    pub(crate) fn mount(&self, arguments: &[&str]) -> bool {
        let mut mount = Command::new("mount");
        mount.args(arguments).arg(self.tables()).stderr(Stdio::null());
        mount.status().is_ok_and(|status| status.success())
    }

    /// Takes the small disk away, if there is one.
    pub(crate) fn unmount(&self) {
        if self.has_disk {
            let _ = Command::new("umount").arg(self.tables()).stderr(Stdio::null()).status();
        }
    }

    /// Runs a command of the program on the folder of tables.
    fn run(&self, arguments: &[&str]) -> Result<(), Failure> {
        let mut command = Command::new(&self.program);
        command.args(arguments).arg(self.tables()).stdout(Stdio::null()).stderr(Stdio::piped());
        let output = command.output()?;
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(()) } else { Err(format!("{arguments:?}: {error}").into()) }
    }

    /// What is wrong with the files, while no server runs.
    pub(crate) fn damage(&self) -> Vec<String> {
        let mut damage = Vec::new();
        if fs::read_to_string(self.home.join("records/kept.pgn")).ok().as_deref() != Some(KEPT) {
            damage.push("kept.pgn has changed".to_owned());
        }
        if let Err(error) = self.run(&["tb", "verify", "--path"]) {
            damage.push(error.to_string());
        }
        damage
    }
}

/// A running server; killed on drop.
pub(crate) struct Process {
    child: Mutex<Child>,
    pub(crate) address: SocketAddr,
}

impl Process {
    pub(crate) fn start(site: &Site) -> Result<Self, Failure> {
        let mut command = Command::new(&site.program);
        command.args(["serve", "--port", "0", "--settings"]).arg(site.home.join("config.toml"));
        command.env("CHUHE_HOME", &site.home).stdout(Stdio::piped());
        if Path::new(FAKETIME).exists() {
            command.env("LD_PRELOAD", FAKETIME).env("FAKETIME_TIMESTAMP_FILE", site.clock());
            command.env("FAKETIME_NO_CACHE", "1").env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        }
        let log = fs::File::options().create(true).append(true).open(site.home.join("server.log"))?;
        let mut child = command.stderr(log).spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().ok_or("no output")?).read_line(&mut line)?;
        let address =
            line.split("http://").nth(1).and_then(|url| url.split('/').next()).ok_or("no address")?;
        let address = address.parse()?;
        Ok(Self { child: Mutex::new(child), address })
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.lock().map_or(0, |child| child.id())
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.child.lock().is_ok_and(|mut child| !matches!(child.try_wait(), Ok(None)))
    }

    /// Ends the server as `kill -9` does.
    pub(crate) fn kill(&self) {
        if let Ok(mut child) = self.child.lock() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
