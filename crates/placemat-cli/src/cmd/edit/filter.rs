//! The command: it reads the text while it writes its own.

use crate::shown::reason;
use std::ffi::OsString;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;

/// Returns the output of a command for a text, or what went wrong. An output of more than `most` bytes is refused, so that a
/// command that never ends its output does not take all memory.
pub(super) fn run(command: &[OsString], text: &str, most: u64) -> Result<Vec<u8>, String> {
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
        let feeder = thread::Builder::new().spawn_scoped(scope, move || match stdin {
            Some(mut stdin) => stdin.write_all(text.as_bytes()),
            None => Ok(()),
        });
        let read = match (&feeder, stdout) {
            (Ok(_), Some(stdout)) => stdout.take(most.saturating_add(1)).read_to_end(&mut output),
            _ => Ok(0),
        };
        let is_whole = feeder.is_ok() && read.is_ok() && output.len() as u64 <= most;
        if !is_whole {
            // The program may wait for its output to be read, and the feeder for the program to read its input.
            _ = child.kill();
        }
        (feeder.and_then(|feeder| feeder.join().unwrap_or_else(|_| Err(ErrorKind::Other.into()))), read)
    });
    let status = child.wait().map_err(said)?;
    match read {
        Err(e) if e.kind() == ErrorKind::OutOfMemory => {
            return Err("writes more than fits in memory".into());
        }
        Err(e) => return Err(format!("cannot be read: {}", reason(&e))),
        Ok(_) if output.len() as u64 > most => {
            return Err(format!("writes more than {most} bytes, too much for this file"));
        }
        Ok(_) => {}
    }
    // A command need not read to the end.
    if let Err(e) = fed
        && e.kind() != ErrorKind::BrokenPipe
    {
        return Err(format!("cannot be fed: {}", reason(&e)));
    }
    if status.success() { Ok(output) } else { Err(ended(status)) }
}

/// How a command ended that did not end well.
fn ended(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        let name = signal_hook::low_level::signal_name(signal);
        let name = name.map(|name| format!(" ({name})")).unwrap_or_default();
        // The system kills programs with this signal when memory runs out, and leaves no other
        // hint.
        let why = if name == " (SIGKILL)" { ", as when memory runs out" } else { "" };
        return format!("was ended by signal {signal}{name}{why}");
    }
    match status.code() {
        Some(code) => format!("failed with status {code}"),
        None => "failed".into(),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn output_without_end_is_refused() {
        let run = |script: &str, most| {
            run(&["sh".into(), "-c".into(), script.into()], &"a\n".repeat(100_000), most)
        };
        let refused = || Err("writes more than 3000 bytes, too much for this file".into());
        assert_eq!(run("yes", 3000), refused());
        // This program goes on after its output is closed, and never reads its input.
        assert_eq!(run("head -c 4000 /dev/zero; exec sleep 600", 3000), refused());
        assert_eq!(run("head -c 3000 /dev/zero", 3000).map(|output| output.len()), Ok(3000));
        assert_eq!(run("cat", 200_000).map(|output| output.len()), Ok(200_000));
    }
}
