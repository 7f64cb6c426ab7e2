//! `chuhe --version`: which build this is.

use std::fmt::Write;

use chuhe_eval::network::Network;

use crate::output;

/// The version, as in `Cargo.toml`.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit that was built, where the build names it (`make install`, `make dist`).
pub(crate) fn commit() -> &'static str {
    option_env!("CHUHE_COMMIT").unwrap_or("not recorded")
}

/// `linux x86_64 release`: what the program was built for, and how.
pub(crate) fn build() -> String {
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    format!("{} {} {profile}", std::env::consts::OS, std::env::consts::ARCH)
}

/// The built-in network by its identity, and the instructions that it uses on this CPU.
pub(crate) fn network() -> (String, &'static str) {
    let network = Network::built_in();
    (format!("{:016x}", network.identity()), network.instructions())
}

/// Prints the version, and with `verbose` the build, the code level and the network.
pub(crate) fn run(verbose: bool) -> anyhow::Result<()> {
    let mut text = format!("chuhe {VERSION}\n");
    if verbose {
        let (identity, instructions) = network();
        let _ = writeln!(text, "commit      {}", commit());
        let _ = writeln!(text, "build       {}", build());
        let _ = writeln!(text, "code level  {}", chuhe_cpu::build_level());
        let _ = writeln!(text, "CPU         {}", chuhe_cpu::extensions().join(", "));
        let _ = writeln!(text, "network     {identity} ({instructions})");
    }
    output::print(&text)
}
