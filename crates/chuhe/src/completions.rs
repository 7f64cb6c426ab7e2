//! `chuhe completions` and `chuhe man`: what an installation puts beside the program.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::output;

/// Print the completions of commands and flags for a shell
#[derive(Args)]
#[command(after_help = "\
`make install` puts them where the shells look.

Example: chuhe completions bash > ~/.local/share/bash-completion/completions/chuhe
         chuhe completions zsh > ~/.zfunc/_chuhe
         chuhe completions fish > ~/.config/fish/completions/chuhe.fish")]
pub(crate) struct CompletionArguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub(crate) fn run(arguments: &CompletionArguments) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut crate::Arguments::command(), "chuhe", &mut script);
    output::print(&String::from_utf8(script)?)
}

/// Write the manual pages: chuhe.1 and one for each command
#[derive(Args)]
#[command(after_help = "Example: chuhe man ~/.local/share/man/man1")]
pub(crate) struct ManArguments {
    /// The folder to write to, which is created if missing
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

pub(crate) fn run_man(arguments: &ManArguments) -> anyhow::Result<()> {
    let folder = &arguments.folder;
    let name = || format!("cannot write the manual pages to {}", folder.display());
    std::fs::create_dir_all(folder).with_context(name)?;
    let mut command = crate::Arguments::command().disable_help_subcommand(true);
    command.build();
    clap_mangen::generate_to(command, folder).with_context(name)
}
