//! Helpers to run the command, and a directory for its files.

use core::sync::atomic::{AtomicU32, Ordering};
use std::ffi::OsStr;
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Prepares the command with arguments, split at spaces.
pub(crate) fn placemat(args: &str) -> Run {
    Run::of(env!("CARGO_BIN_EXE_placemat").as_ref()).args(args)
}

/// A run that has not started.
pub(crate) struct Run {
    pub(crate) command: Command,
    stdin: Vec<u8>,
}

/// The result of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Run {
    /// Prepares a run of another program, or of this one under another name.
    pub(crate) fn of(program: &Path) -> Self {
        let mut command = Command::new(program);
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR"] {
            command.env_remove(name);
        }
        Self { command, stdin: Vec::new() }
    }

    /// Adds an argument that may contain anything.
    pub(crate) fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(arg);
        self
    }

    /// Adds arguments, split at spaces.
    pub(crate) fn args(mut self, args: &str) -> Self {
        self.command.args(args.split_whitespace());
        self
    }

    /// Sets an environment variable.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Sets the current directory.
    pub(crate) fn within(mut self, directory: &Directory) -> Self {
        self.command.current_dir(&directory.0);
        self
    }

    /// Sets the bytes of standard input.
    pub(crate) fn reads(mut self, stdin: impl Into<Vec<u8>>) -> Self {
        self.stdin = stdin.into();
        self
    }

    /// Runs the command.
    pub(crate) fn run(self) -> Ran {
        self.run_to(Stdio::piped())
    }

    /// Runs the command if it exists.
    pub(crate) fn try_run(mut self) -> Option<Ran> {
        let there = self.command.stdin(Stdio::null()).output().is_ok();
        there.then(|| self.run())
    }

    /// Runs the command with `stdout` as its standard output.
    pub(crate) fn run_to(mut self, stdout: Stdio) -> Ran {
        self.command.stdin(Stdio::piped()).stdout(stdout).stderr(Stdio::piped());
        let mut child = self.command.spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let feeder = std::thread::spawn(move || match pipe.write_all(&self.stdin) {
            // The command need not read to the end.
            Err(e) if e.kind() == ErrorKind::BrokenPipe => {}
            result => result.unwrap(),
        });
        let output = child.wait_with_output().unwrap();
        feeder.join().unwrap();
        Ran {
            // A signal counts as 128 and its number, as in a shell.
            #[cfg(unix)]
            status: output.status.code().unwrap_or_else(|| {
                128 + std::os::unix::process::ExitStatusExt::signal(&output.status).unwrap()
            }),
            #[cfg(not(unix))]
            status: output.status.code().unwrap(),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    /// Asserts that the run wrote exactly `stdout`, succeeded, and printed no message.
    #[track_caller]
    pub(crate) fn writes(&self, stdout: impl AsRef<[u8]>) -> &Self {
        assert_eq!((self.status, self.stderr.as_str()), (0, ""), "{}", self.stdout.escape_ascii());
        self.wrote(stdout)
    }

    /// Asserts that the run wrote exactly `stdout`, whatever its status.
    #[track_caller]
    pub(crate) fn wrote(&self, stdout: impl AsRef<[u8]>) -> &Self {
        let (got, want) = (self.stdout.escape_ascii(), stdout.as_ref().escape_ascii());
        assert_eq!(got.to_string(), want.to_string(), "{}", self.stderr);
        self
    }

    /// Asserts that the run ended with `status`.
    #[track_caller]
    pub(crate) fn ends(&self, status: i32) -> &Self {
        assert_eq!(self.status, status, "{}", self.stderr);
        self
    }

    /// Asserts that the run printed exactly `stderr` on standard error.
    #[track_caller]
    pub(crate) fn says(&self, stderr: &str) -> &Self {
        assert_eq!(self.stderr, stderr);
        self
    }

    /// Asserts that standard error contains each of `parts`.
    #[track_caller]
    pub(crate) fn mentions(&self, parts: &[&str]) -> &Self {
        for part in parts {
            assert!(self.stderr.contains(part), "no {part:?} in {:?}", self.stderr);
        }
        self
    }
}

/// A new directory, which is removed at the end.
pub(crate) struct Directory(PathBuf);

impl Directory {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("suite-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self, name: impl AsRef<OsStr>) -> PathBuf {
        self.0.join(name.as_ref())
    }

    pub(crate) fn write(&self, name: impl AsRef<OsStr>, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    pub(crate) fn read(&self, name: impl AsRef<OsStr>) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns a file or folder of the repository, by its path from the root. The published package
/// lacks them: there, a note on the terminal, which the test harness does not capture, says that
/// the test did not run.
pub(crate) fn in_repository(path: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    if root.join("xtask").is_dir() {
        return Some(root.join(path));
    }
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let _ = writeln!(std::io::stderr(), "\nWARNING: {test}: NOT run with {path}; only the repository has it");
    None
}

/// Reads a file of the library's vectors; `None` in the published package.
pub(crate) fn vectors(path: &str) -> Option<Vec<u8>> {
    in_repository("crates/placemat/tests/vectors").map(|folder| fs::read(folder.join(path)).unwrap())
}

/// Encodes text as UTF-16LE by a plain loop.
pub(crate) fn utf16le(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// Encodes text as UTF-16BE by a plain loop.
pub(crate) fn utf16be(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_be_bytes).collect()
}
