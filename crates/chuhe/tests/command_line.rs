//! The habits of a command line: pipes, devices, links, exit codes, and any notation.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use assert_cmd::Command;
use tempfile::TempDir;

const GAME: &str = "[Game \"Chinese Chess\"]\n[Red \"A\"]\n[Result \"1-0\"]\n\n1. h2e2 h9g7 2. h0g2 1-0\n";

struct Place(TempDir);

impl Place {
    /// A folder with a game in it.
    fn new() -> Self {
        let place = Self(TempDir::new().unwrap());
        fs::write(place.path("game.pgn"), GAME).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self) -> Command {
        let mut command = Command::cargo_bin("chuhe").unwrap();
        command.current_dir(&self.0).env("CHUHE_HOME", self.0.path());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command().args(arguments).output().unwrap()
    }

    /// The standard error of a command that ends with this code.
    fn fails(&self, arguments: &[&str], code: i32) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
        String::from_utf8(output.stderr).unwrap()
    }

    fn prints(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }
}

#[cfg(unix)]
mod files {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_device_stays_a_device() {
        let place = Place::new();
        place.prints(&["convert", "game.pgn", "/dev/null", "--to", "pgn"]);
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    }

    #[test]
    fn a_pipe_with_a_name_is_written_into() {
        let place = Place::new();
        let pipe = place.path("pipe.pgn");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        place.prints(&["convert", "game.pgn", "pipe.pgn"]);
        assert!(reader.join().unwrap().contains("H2-E2"));
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    }

    #[test]
    fn a_link_is_kept_and_its_target_written() {
        let place = Place::new();
        fs::write(place.path("target.pgn"), "old").unwrap();
        symlink("target.pgn", place.path("link.pgn")).unwrap();
        place.prints(&["convert", "game.pgn", "link.pgn"]);
        assert!(fs::symlink_metadata(place.path("link.pgn")).unwrap().is_symlink());
        assert!(fs::read_to_string(place.path("target.pgn")).unwrap().contains("H2-E2"));
    }

    #[test]
    fn a_private_file_stays_private() {
        let place = Place::new();
        fs::write(place.path("mine.pgn"), "old").unwrap();
        fs::set_permissions(place.path("mine.pgn"), fs::Permissions::from_mode(0o600)).unwrap();
        place.prints(&["convert", "game.pgn", "mine.pgn"]);
        assert_eq!(fs::metadata(place.path("mine.pgn")).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(fs::read_to_string(place.path("mine.pgn")).unwrap().contains("H2-E2"));
    }

    #[test]
    fn interrupted_searches_print_the_best_move_so_far() {
        let place = Place::new();
        let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("chuhe"))
            .args(["go", "--movetime", "60000"])
            .env("CHUHE_HOME", place.0.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        lines.next().unwrap().unwrap();
        let kill =
            std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        assert!(lines.any(|line| line.unwrap().starts_with("best move ")));
        assert!(child.wait().unwrap().success());
    }

    /// The second file is a pipe, so that the import waits there until the test goes on.
    #[test]
    fn an_interrupted_import_keeps_what_is_in_and_resumes() {
        let place = Place::new();
        let pipe = place.path("second.pgn");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("chuhe"))
            .args(["games", "import", "game.pgn", "second.pgn"])
            .current_dir(&place.0)
            .env("CHUHE_HOME", place.0.path())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Opens when the import opens the other end.
        let mut writer = fs::OpenOptions::new().write(true).open(&pipe).unwrap();
        let kill =
            std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        assert_eq!(lines.next().unwrap().unwrap(), "stopping; what is done is kept");
        let rest = "[Red \"B\"]\n1. c3c4 *\n\n[Red \"C\"]\n1. g3g4 *\n\n[Red \"D\"]\n1. b0c2 *\n";
        writer.write_all(rest.as_bytes()).unwrap();
        drop(writer);
        let last = lines.map(Result::unwrap).last().unwrap();
        assert_eq!(last, "chuhe: interrupted; 2 games added, and the same command adds the rest");
        assert_eq!(child.wait().unwrap().code(), Some(2));

        assert!(place.prints(&["games", "search"]).ends_with("2 of 2 games\n"));
        fs::remove_file(&pipe).unwrap();
        fs::write(&pipe, rest).unwrap();
        let again = place.prints(&["games", "import", "game.pgn", "second.pgn"]);
        assert!(again.starts_with("2 games added") && again.contains("2 were there already"), "{again}");
    }

    #[test]
    fn a_reader_that_leaves_ends_the_command_quietly() {
        let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("chuhe"))
            .args(["go", "--movetime", "60000"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert!(child.wait().unwrap().success());
        assert_eq!(stderr, "");
    }
}

#[test]
fn a_dash_is_standard_output_for_every_format() {
    let place = Place::new();
    for format in ["pgn", "xqf", "cbr", "cbl", "ubb", "cbf", "chn", "txt", "json"] {
        let written = place.command().args(["convert", "game.pgn", "-", "--to", format]).output().unwrap();
        assert!(written.status.success(), "{format}: {written:?}");
        assert!(String::from_utf8(written.stderr).unwrap().contains("written to standard output"));
        let arguments = ["convert", "-", "-", "--to", "txt"];
        let back = place.command().args(arguments).write_stdin(written.stdout).output().unwrap();
        if format != "chn" {
            let line = String::from_utf8(back.stdout).unwrap();
            assert!(line.ends_with("h2e2 h9g7 h0g2\n"), "{format}: {line}");
        }
    }
    fs::write(place.path("two.txt"), "1-0\th2e2\n0-1\tc3c4\n").unwrap();
    let complaint = place.fails(&["convert", "two.txt", "-", "--to", "xqf"], 1);
    assert!(complaint.contains("game 2"), "{complaint}");
}

/// Names lie: what a file is shows in its content.
#[test]
fn a_file_is_read_whatever_its_name() {
    let place = Place::new();
    fs::create_dir(place.path("odd")).unwrap();
    place.prints(&["convert", "game.pgn", "odd/game.xqf"]);
    for (name, content) in [
        ("odd/text.xqf", GAME.as_bytes().to_vec()),
        ("odd/plain.cbr", GAME.as_bytes().to_vec()),
        ("odd/forum.pgn", b"[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][/DhtmlXQ]".to_vec()),
        ("odd/record.dat", fs::read(place.path("odd/game.xqf")).unwrap()),
        ("odd/._game.xqf", b"what macOS knows about a file".to_vec()),
    ] {
        fs::write(place.path(name), content).unwrap();
    }
    let printed = place.prints(&["convert", "odd", "all.txt"]);
    assert!(printed.starts_with("5 games with 13 moves from 5 files"), "{printed}");
    fs::write(place.path("nameless"), GAME).unwrap();
    assert!(place.prints(&["convert", "nameless", "-", "--to", "txt"]).ends_with("h2e2 h9g7 h0g2\n"));
}

#[test]
fn a_dash_is_standard_input_and_output() {
    let place = Place::new();
    let output =
        place.command().args(["convert", "-", "-", "--to", "txt"]).write_stdin(GAME).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("h2e2 h9g7 h0g2"));
    assert!(String::from_utf8(output.stderr).unwrap().contains("1 game"));

    let judged = place.command().args(["judge", "-"]).write_stdin(GAME).output().unwrap();
    assert!(judged.status.success(), "{judged:?}");

    let imported = place.command().args(["games", "import", "-"]).write_stdin(GAME).output().unwrap();
    assert!(imported.status.success(), "{imported:?}");
    assert!(place.prints(&["games", "export", "-"]).contains("H2-E2"));

    let arguments = ["analyze", "-", "--nodes", "100", "--out", "-", "--format", "json"];
    let analysed = place.command().args(arguments).write_stdin(GAME).output().unwrap();
    assert!(analysed.status.success(), "{analysed:?}");
    assert!(serde_json::from_slice::<serde_json::Value>(&analysed.stdout).unwrap().is_array());
}

#[test]
fn positions_and_moves_come_in_any_notation() {
    let place = Place::new();
    let expected = place.prints(&["moves", "--moves", "h2e2 h9g7"]);
    for moves in ["H2-E2 H9-G7", "C2=5 h8+7", "炮二平五 馬８進７", "h3e3 h10g8"] {
        assert_eq!(place.prints(&["moves", "--fen", "startpos", "--moves", moves]), expected, "{moves}");
    }
    for command in ["eval", "judge"] {
        place.prints(&[command, "--fen", "startpos", "--moves", "炮二平五"]);
    }
    place.prints(&["perft", "--depth", "1", "--moves", "C2=5"]);
    assert!(
        place
            .prints(&["book", "probe", "--moves", "C2=5"])
            .starts_with(|letter: char| letter.is_alphabetic())
    );
    let message = place.fails(&["moves", "--moves", "h2e2 h2e2"], 2);
    assert_eq!(message, "chuhe: ply 2: h2e2 is illegal: no piece of Black stands on h2\n");
}

#[test]
fn skipped_inputs_give_another_exit_code_than_errors() {
    let place = Place::new();
    fs::write(place.path("half.pgn"), format!("{GAME}\n[Red \"B\"]\n[FEN \"nonsense\"]\n\n1. h2e2 *\n"))
        .unwrap();
    let message = place.fails(&["convert", "--strict", "half.pgn", "out.pgn"], 1);
    assert!(message.ends_with("1 game was skipped\n"), "{message}");
    assert!(place.path("out.pgn").exists());
    place.fails(&["convert", "half.pgn"], 2);
    place.fails(&["convert", "missing.pgn", "out.pgn"], 2);
}

#[test]
fn empty_folders_and_missing_paths_are_errors() {
    let place = Place::new();
    fs::create_dir(place.path("empty")).unwrap();
    for arguments in [
        &["tb", "verify", "--path", "nope"][..],
        &["tb", "verify", "--path", "empty"],
        &["tb", "list", "--path", "nope"],
        &["tb", "probe"],
        &["analyze", "empty"],
        &["analyze", "nope"],
        &["games", "import", "empty"],
        &["games", "import", "nope.pgn"],
        &["book", "build", "empty", "--out", "my.book"],
        &["convert", "empty", "out.pgn"],
    ] {
        let message = place.fails(arguments, 2);
        assert!(message.starts_with("chuhe: ") && message.lines().count() == 1, "{arguments:?}: {message}");
    }
}

#[test]
fn analyses_of_a_folder_keep_its_subfolders() {
    let place = Place::new();
    for folder in ["games/one", "games/two"] {
        fs::create_dir_all(place.path(folder)).unwrap();
        fs::write(place.path(folder).join("game.pgn"), GAME).unwrap();
    }
    place.prints(&["analyze", "games", "--nodes", "100", "--out", "done", "--format", "json"]);
    assert!(place.path("done/one/game.json").exists() && place.path("done/two/game.json").exists());
}

#[test]
fn suites_are_epd_or_our_own() {
    let place = Place::new();
    fs::write(place.path("a.epd"), "3k5/R8/9/9/9/9/9/9/9/1R3K3 w - - 0 1 bm b0b9; id \"ladder\";\n").unwrap();
    assert!(place.prints(&["suite", "a.epd", "--nodes", "2000"]).starts_with("1 of 1 solved"));
    let suites = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites");
    for name in ["mates.txt", "tactics.txt"] {
        let path = suites.join(name);
        let text = place.prints(&["suite", path.to_str().unwrap(), "--nodes", "5000", "--most", "3"]);
        assert!(text.contains(" of 3 solved"), "{text}");
    }
}
