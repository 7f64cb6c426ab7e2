//! Words for people.

/// Says on standard error what went wrong.
#[expect(clippy::print_stderr, reason = "this is where errors are told")]
pub(crate) fn complain(error: &anyhow::Error) {
    eprintln!("chuhe-mpi: {error:#}");
}

/// Says on standard error how things go.
#[expect(clippy::print_stderr, reason = "progress is no result")]
pub(crate) fn note(text: &str) {
    eprintln!("{text}");
}

/// Prints a result.
#[expect(clippy::print_stdout, reason = "this is where results are printed")]
pub(crate) fn print(text: &str) {
    println!("{text}");
}
