//! Output on the terminal.

/// Prints an error.
#[expect(clippy::print_stderr, reason = "errors go to standard error")]
pub(crate) fn print_error(error: &anyhow::Error) {
    eprintln!("chuhe-mpi: {error:#}");
}

/// Prints progress.
#[expect(clippy::print_stderr, reason = "progress goes to standard error")]
pub(crate) fn print_progress(text: &str) {
    eprintln!("{text}");
}

/// Prints a result.
#[expect(clippy::print_stdout, reason = "results go to standard output")]
pub(crate) fn print(text: &str) {
    println!("{text}");
}
