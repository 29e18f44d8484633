//! `detect` and `check`: the commands themselves, which read the open file as their standard input.

use super::{Arguments, Called, MAX_REPORT_BYTES, Tools, shortened};
use crate::cmd::mcp::confined;
use crate::config::Config;
use crate::options::Given;
use crate::shown::{Name, reason};
use crate::walk::Found;
use std::io::Read as _;
use std::process::{Command, Stdio};

/// The most findings that a call lists.
const MAX_FINDINGS: &str = "100";
/// The statuses of commands that did what they were asked for.
const CLEAN: i32 = 0;
const FINDINGS: i32 = 1;

impl Tools {
    pub(super) fn detect(&self, arguments: &Arguments<'_>) -> Called {
        arguments.only(&["path"])?;
        let found = self.roots.find(arguments.required("path")?)?;
        let (report, _) = output(&found, &["detect", "--explain", "--top", "4", "-"])?;
        Ok(vec![report])
    }

    pub(super) fn check(&self, arguments: &Arguments<'_>) -> Called {
        arguments.only(&["path", "encoding", "security"])?;
        let found = self.roots.find(arguments.required("path")?)?;
        let mut line = vec!["check", "--max", MAX_FINDINGS];
        let encoding = match arguments.from()?.from {
            Some(Given::Auto) => "auto".to_owned(),
            Some(Given::Named(encoding)) => encoding.name().to_ascii_lowercase(),
            None => {
                let declared = Config::new().choice(&found.path).encoding;
                declared.map_or("utf-8".to_owned(), |encoding| encoding.name().to_ascii_lowercase())
            }
        };
        line.extend(["-f", &encoding]);
        if arguments.flag("security")? {
            line.extend(["--lint", "security"]);
        }
        line.push("-");
        let (report, is_clean) = output(&found, &line)?;
        if is_clean {
            return Ok(vec![format!("{}: no findings in {encoding}", Name::new(&found.path))]);
        }
        Ok(vec![report])
    }
}

/// Runs a command on an open file. Returns its report, and whether there is nothing in it.
fn output(found: &Found, line: &[&str]) -> Result<(String, bool), String> {
    let name = Name::new(&found.path);
    let said = |e: std::io::Error| format!("{name}: {}", reason(&e));
    let file = confined::open(found)?;
    let mut command = Command::new(std::env::current_exe().map_err(said)?);
    // Under another name, the program is another command.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::arg0(&mut command, "placemat");
    command.args(line).args(["--color", "never"]).stdin(file).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(said)?;
    let mut report = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        stdout.take(MAX_REPORT_BYTES as u64 + 1).read_to_end(&mut report).map_err(said)?;
    }
    // A report that is longer is not wanted: the pipe is closed now, and the command ends.
    let mut messages = Vec::new();
    if let Some(stderr) = child.stderr.take() {
        stderr.take(MAX_REPORT_BYTES as u64).read_to_end(&mut messages).map_err(said)?;
    }
    let status = child.wait().map_err(said)?;
    let readable = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).replace("<stdin>", &name.to_string());
        shortened(text)
    };
    let is_cut = report.len() > MAX_REPORT_BYTES;
    if !is_cut && !matches!(status.code(), Some(CLEAN | FINDINGS)) {
        return Err(readable(&messages));
    }
    let all = [readable(&report), readable(&messages)].concat();
    let is_empty = all.is_empty();
    Ok((all, is_empty))
}
