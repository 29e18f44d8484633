//! The command: it reads the text while it writes its own.

use crate::shown::reason;
use std::ffi::OsString;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;

/// The output of the command for a text, or what went wrong.
pub(super) fn run(command: &[OsString], text: &str) -> Result<Vec<u8>, String> {
    let said = |e: io::Error| format!("cannot be run: {}", reason(&e));
    let mut child = Command::new(&command[0])
        .args(&command[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(said)?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let mut output = Vec::new();
    // Each side may wait for the other, so that one thread cannot serve both.
    let (fed, read) = thread::scope(|scope| {
        let feeder = scope.spawn(move || match stdin {
            Some(mut stdin) => stdin.write_all(text.as_bytes()),
            None => Ok(()),
        });
        let read = stdout.map_or(Ok(0), |mut stdout| stdout.read_to_end(&mut output));
        (feeder.join(), read)
    });
    let status = child.wait().map_err(said)?;
    if !status.success() {
        return Err(ended(status));
    }
    read.map_err(|e| format!("cannot be read: {}", reason(&e)))?;
    match fed {
        // A command need not read to the end.
        Ok(Err(e)) if e.kind() != ErrorKind::BrokenPipe => Err(format!("cannot be fed: {}", reason(&e))),
        Ok(_) => Ok(output),
        Err(_) => Err("cannot be fed".into()),
    }
}

/// How a command ended that did not end well.
fn ended(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("was ended by signal {signal}");
    }
    match status.code() {
        Some(code) => format!("failed with status {code}"),
        None => "failed".into(),
    }
}
