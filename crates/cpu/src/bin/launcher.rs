//! `chuhe` in an archive: starts the program built for this CPU's code level, with the same arguments, input and
//! output. Must itself be built for plain x86-64.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let failed = match program() {
        Ok(program) => {
            let mut command = Command::new(&program);
            command.args(std::env::args_os().skip(1));
            match run(command) {
                Ok(code) => return code,
                Err(error) => format!("cannot start {}: {error}", program.display()),
            }
        }
        Err(error) => format!("cannot find this program's folder: {error}"),
    };
    let _ = writeln!(std::io::stderr(), "chuhe: {failed}");
    ExitCode::from(2)
}

/// The program for this CPU, in `lib` beside the launcher.
fn program() -> std::io::Result<PathBuf> {
    let mut path = std::env::current_exe()?;
    // A link to the launcher, as in /usr/bin, is not where the programs are.
    path = path.canonicalize().unwrap_or(path);
    path.pop();
    path.push("lib");
    path.push(format!("chuhe-{}{}", level(), std::env::consts::EXE_SUFFIX));
    Ok(path)
}

#[cfg(target_arch = "x86_64")]
fn level() -> &'static str {
    if chuhe_cpu::has_v3() { "x86-64-v3" } else { "x86-64" }
}

#[cfg(not(target_arch = "x86_64"))]
fn level() -> &'static str {
    std::env::consts::ARCH
}

/// Becomes the program.
#[cfg(unix)]
fn run(mut command: Command) -> std::io::Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    Err(command.exec())
}

/// Runs the program and returns its exit code.
#[cfg(windows)]
fn run(mut command: Command) -> std::io::Result<ExitCode> {
    child::end_with_this_process()?;
    child::ignore_ctrl_c();
    let status = command.status()?;
    // Windows' codes have 32 bits; those of crashes do not fit and count as errors.
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(2)))
}

/// A process that Windows starts is independent of its parent: without this, a GUI that ends the engine would end the
/// launcher only.
#[cfg(windows)]
#[allow(unsafe_code)]
mod child {
    use std::io;
    use std::mem::size_of_val;

    use windows_sys::Win32::System::Console::SetConsoleCtrlHandler;
    use windows_sys::Win32::System::JobObjects::{
        AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
        JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation, SetInformationJobObject,
    };
    use windows_sys::Win32::System::Threading::GetCurrentProcess;

    /// Puts this process and all that it starts into a job that ends with it. The job's handle stays open until then.
    pub(super) fn end_with_this_process() -> io::Result<()> {
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        // SAFETY: null asks for default security and no name.
        let job = unsafe { CreateJobObjectW(std::ptr::null(), std::ptr::null()) };
        if job.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: `limits` is the structure that this class of information has, with its size.
        let set = unsafe {
            SetInformationJobObject(
                job,
                JobObjectExtendedLimitInformation,
                (&raw const limits).cast(),
                size_of_val(&limits) as u32,
            )
        };
        // SAFETY: the job is open, and a process may always name itself.
        let assigned = set != 0 && unsafe { AssignProcessToJobObject(job, GetCurrentProcess()) } != 0;
        if assigned { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    /// Ctrl-C reaches every process of the console: the program decides, and this one waits for it.
    pub(super) fn ignore_ctrl_c() {
        /// Says that the event is dealt with.
        unsafe extern "system" fn handled(_event: u32) -> i32 {
            1
        }
        // SAFETY: the handler touches nothing.
        unsafe { SetConsoleCtrlHandler(Some(handled), 1) };
    }
}
