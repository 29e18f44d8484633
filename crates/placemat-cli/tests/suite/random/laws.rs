//! The laws that hold for every run of the command.

use super::lines::{self, Line};
use super::rng::Rng;
use super::trees::{Picture, Tree};
use core::sync::atomic::{AtomicU64, Ordering};
use std::ffi::OsStr;
use std::io::{ErrorKind, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A run may take this long, in seconds: far longer than any needs.
const LIMIT: &str = "60";

/// Bytes of address space that a run may use, threads and their stacks included.
const SPACE: &str = "--as=8000000000";

/// The end of a run.
struct Ran {
    status: i32,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

static RUNS: AtomicU64 = AtomicU64::new(0);

/// Returns the number of runs of the command so far.
pub(super) fn runs() -> u64 {
    RUNS.load(Ordering::Relaxed)
}

/// Runs the case of a seed.
pub(super) fn case(seed: u64) {
    let mut rng = Rng::new(seed);
    let tree = Tree::new(&mut rng);
    let line = lines::line(&mut rng, &tree);
    let mut said = Vec::new();
    if let Err(broken) = laws(&tree, &line, seed, &mut said) {
        let kept = tree.keep();
        panic!("seed {seed}: {broken}\n{}\nthe files are in {}", said.join("\n"), kept.display());
    }
}

/// Checks all laws for a line. `said` gets the lines that ran and what came of them.
fn laws(tree: &Tree, line: &Line, seed: u64, said: &mut Vec<String>) -> Result<(), String> {
    let before = tree.picture();
    let ran = run(tree, line, said);
    let after = tree.picture();
    ends_as_documented(line, &ran)?;
    messages_are_plain(line, &ran)?;
    reports_are_plain(line, &ran)?;
    nothing_else_is_touched(line, &before, &after)?;
    if line.is_odd {
        return Ok(());
    }
    if reads_only(line) {
        return same(&before, &after, "a command that only reads has changed a file");
    }
    refused_files_stay(line, &ran, &before, &after)?;
    if before == after {
        return Ok(());
    }
    changed_files_have_the_text_that_is_printed(line, seed, &before, &after, said)?;
    the_second_run_changes_nothing(tree, line, &after, said)?;
    the_log_restores(tree, line, &before, said)
}

/// Runs the line in the tree.
fn run(tree: &Tree, line: &Line, said: &mut Vec<String>) -> Ran {
    RUNS.fetch_add(1, Ordering::Relaxed);
    let program = Path::new(env!("CARGO_BIN_EXE_placemat"));
    let called = if line.is_program() { tree.path("home").join(line.command) } else { program.to_owned() };
    if line.is_program() && !called.exists() {
        std::os::unix::fs::symlink(program, &called).unwrap();
    }
    let mut command = Command::new("timeout");
    command.args(["--signal=KILL", LIMIT, "prlimit", SPACE]).arg(called).args(line.arguments());
    command.current_dir(tree.path("in")).env_clear();
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("TMPDIR", tree.path("tmp")).env("HOME", tree.path("home"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let stdin = line.stdin.clone();
    let feeder = std::thread::spawn(move || match pipe.write_all(&stdin) {
        Err(e) if e.kind() == ErrorKind::BrokenPipe => {}
        result => result.unwrap(),
    });
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    let status = output.status.code().unwrap_or_else(|| 128 + output.status.signal().unwrap());
    let show = |bytes: &[u8]| {
        let end = bytes.len().min(2000);
        bytes[..end].escape_ascii().to_string().replace("\\n", "\n    ")
    };
    let words: Vec<_> = line.arguments().iter().map(|word| format!("'{}'", show(word.as_bytes()))).collect();
    said.push(format!(
        "{} {} < '{}'\n  status {status}\n  stderr: {}\n  stdout: {}",
        line.command,
        words.join(" "),
        show(&line.stdin),
        show(&output.stderr),
        show(&output.stdout)
    ));
    Ran { status, stdout: output.stdout, stderr: output.stderr }
}

fn law(holds: bool, broken: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(broken()) }
}

/// The status is a documented one: no panic, no signal, no run that goes on for ever.
fn ends_as_documented(line: &Line, ran: &Ran) -> Result<(), String> {
    let documented: &[i32] = match line.command {
        "iconv" => &[0, 1, 64],
        // The programs have statuses of their own.
        _ if line.is_program() => {
            return law(!matches!(ran.status, 101 | 124..=192), || "a panic or a signal".into());
        }
        _ => &[0, 1, 2],
    };
    let panicked = ran.stderr.windows(8).any(|part| part == b"panicked");
    law(documented.contains(&ran.status) && !panicked, || format!("status {}", ran.status))
}

/// Standard error has nothing in it that a terminal would obey, and nothing at all with `--quiet`.
fn messages_are_plain(line: &Line, ran: &Ran) -> Result<(), String> {
    if line.has("--quiet") && !line.is_odd {
        law(ran.stderr.is_empty(), || "a message in spite of --quiet".into())?;
    }
    plain(&ran.stderr, line, "\n").map_err(|what| format!("standard error: {what}"))
}

/// Finds what a terminal would obey, apart from colors that the line asks for.
fn plain(bytes: &[u8], line: &Line, allowed: &str) -> Result<(), String> {
    let text = core::str::from_utf8(bytes).map_err(|e| e.to_string())?;
    let is_colored = line.has("--color") || line.is_odd;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c == '\u{1B}' && is_colored {
            let end = rest.as_str().find('m').unwrap_or(0);
            let style = &rest.as_str()[..end];
            if style.starts_with('[') && style[1..].bytes().all(|byte| byte.is_ascii_digit() || byte == b';')
            {
                rest = rest.as_str()[end + 1..].chars();
                continue;
            }
        }
        let is_obeyed = c.is_control()
            || matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
        law(!is_obeyed || allowed.contains(c), || format!("U+{:04X} is raw in {text:?}", u32::from(c)))?;
    }
    Ok(())
}

/// Reports that are not the text of a file are plain too, and JSON is JSON.
fn reports_are_plain(line: &Line, ran: &Ran) -> Result<(), String> {
    let is_report = matches!(line.command, "check" | "detect" | "count" | "inspect" | "encodings" | "mcp");
    if !is_report || line.is_odd {
        return Ok(());
    }
    // `check -l0` writes the names as they are, for another program.
    if line.has("--files-with-findings") && line.has("--null") {
        return Ok(());
    }
    let format = line.value("--format").and_then(OsStr::to_str).unwrap_or("text");
    let json = |bytes: &[u8]| {
        serde_json::from_slice::<serde_json::Value>(bytes).map(drop).map_err(|e| e.to_string())
    };
    match format {
        "jsonl" => {
            ran.stdout.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).try_for_each(json)?;
        }
        "sarif" | "gitlab" if ran.status < 2 => json(&ran.stdout)?,
        _ => {}
    }
    // The answers of the server are for a program, which asked for the text of files.
    if line.command == "mcp" {
        return Ok(());
    }
    let allowed = if line.has("--null") { "\n\t\0" } else { "\n\t" };
    plain(&ran.stdout, line, allowed).map_err(|what| format!("standard output: {what}"))
}

/// Returns the paths that options name as places for new files.
fn named(line: &Line) -> Vec<PathBuf> {
    let names = ["--output", "--log", "--write-baseline", "--output-dir"];
    names
        .iter()
        .filter_map(|name| line.value(name))
        .map(|value| clean(&Path::new("in").join(value)))
        .collect()
}

/// Returns a path without `.`.
fn clean(path: &Path) -> PathBuf {
    path.components().collect()
}

/// No file of the run remains, none is removed, and no directory, link or mode changes; nor do files to which nothing leads.
fn nothing_else_is_touched(line: &Line, before: &Picture, after: &Picture) -> Result<(), String> {
    for path in after.keys() {
        let name = path.file_name().unwrap().as_bytes();
        law(!name.ends_with(b".placemat-tmp"), || format!("{} remains", path.display()))?;
        law(path.starts_with("in") || path.starts_with("home") || before.contains_key(path), || {
            format!("{} is new", path.display())
        })?;
    }
    let renames = line.has("--names") || line.command == "convmv" || line.is_odd;
    for (path, old) in before {
        let Some(new) = after.get(path) else {
            law(renames, || format!("{} is gone", path.display()))?;
            continue;
        };
        law(old.mode == new.mode || renames, || format!("the mode of {} has changed", path.display()))?;
        law(old.time.is_some() || old == new || renames, || format!("{} has changed", path.display()))?;
        let leads_out = before.values().any(|seen| seen.time.is_none() && !seen.text.is_empty());
        law(path.starts_with("in") || old == new || leads_out, || format!("{} has changed", path.display()))?;
    }
    // The server makes the files that it is told to make, and a log beside one that is there.
    if line.is_odd || line.is_program() || line.command == "mcp" {
        return Ok(());
    }
    let suffix = line.value("--in-place").map(OsStr::as_bytes);
    for path in after.keys().filter(|path| !before.contains_key(*path)) {
        let is_backup = suffix.is_some_and(|suffix| path.as_os_str().as_bytes().ends_with(suffix));
        let is_named = named(line).iter().any(|named| path.starts_with(named) || named.starts_with(path));
        law(is_backup || is_named || renames, || format!("{} is new", path.display()))?;
    }
    Ok(())
}

/// Whether the line changes no file.
fn reads_only(line: &Line) -> bool {
    let writes: &[&str] = match line.command {
        "check" => &["--write-baseline"],
        "convert" => &["--in-place", "--output", "--output-dir", "--log"],
        "repair" => &["--in-place", "--output", "--log"],
        "iconv" => &["--output"],
        "edit" if line.has("--dry-run") => &["--log"],
        "edit" | "mcp" => return false,
        _ => &[],
    };
    let is_dry = line.has("--dry-run") && !line.has("--log");
    is_dry || writes.iter().all(|name| !line.has(name))
}

fn same(before: &Picture, after: &Picture, broken: &str) -> Result<(), String> {
    for path in before.keys().chain(after.keys()) {
        law(before.get(path) == after.get(path), || format!("{broken}: {}", path.display()))?;
    }
    Ok(())
}

/// Whether the line changes the files that it names.
fn is_in_place(line: &Line) -> bool {
    let is_edit = line.command == "edit";
    let changes = is_edit || line.has("--in-place");
    matches!(line.command, "convert" | "repair" | "edit")
        && changes
        && !line.has("--names")
        && !line.has("--undo")
}

/// Returns the files that have another text than before.
fn changed<'a>(before: &'a Picture, after: &'a Picture) -> impl Iterator<Item = &'a PathBuf> {
    before
        .iter()
        .filter(|&(path, old)| after.get(path).is_some_and(|new| old.text != new.text))
        .map(|(path, _)| path)
}

/// If a line for one file fails, the file is as it was.
fn refused_files_stay(line: &Line, ran: &Ran, before: &Picture, after: &Picture) -> Result<(), String> {
    let one = line.words.len() == 1 && !line.has("--files-from") && !line.has("--recursive");
    // Text that is lost is a finding, and the file is repaired nevertheless.
    let fails = ran.status == 2 || (ran.status == 1 && line.command == "edit");
    if one && fails && is_in_place(line) {
        let path = clean(&Path::new("in").join(&line.words[0]));
        law(before.get(&path) == after.get(&path), || {
            format!("{} was refused, and has changed", path.display())
        })?;
    }
    Ok(())
}

/// A file that a conversion or a repair changes has the text that the same line prints without `--in-place`.
fn changed_files_have_the_text_that_is_printed(
    line: &Line,
    seed: u64,
    before: &Picture,
    after: &Picture,
    said: &mut Vec<String>,
) -> Result<(), String> {
    // A link and the file to which it leads may be declared to be in two encodings.
    let has_links = before.values().any(|seen| seen.mode & 0o170_000 == 0o120_000);
    if !is_in_place(line) || line.command == "edit" || has_links {
        return Ok(());
    }
    let mut fresh = None;
    for path in changed(before, after).take(2) {
        let Ok(name) = path.strip_prefix("in") else { continue };
        let tree = fresh.get_or_insert_with(|| Tree::new(&mut Rng::new(seed)));
        let mut printing = line.clone();
        for option in
            ["--in-place", "--recursive", "--mtime", "--log", "--files-from", "--glob", "--explain", "--diff"]
        {
            printing = printing.without(option);
        }
        printing.words = vec![name.into()];
        let ran = run(tree, &printing, said);
        // Some options are refused without `--in-place`.
        if ran.status == 2 {
            continue;
        }
        let text = &after[path].text;
        law(ran.stdout == *text, || format!("{} is {}", path.display(), text.escape_ascii()))?;
    }
    Ok(())
}

/// A second repair finds nothing more to change.
fn the_second_run_changes_nothing(
    tree: &Tree,
    line: &Line,
    after: &Picture,
    said: &mut Vec<String>,
) -> Result<(), String> {
    if line.command != "repair" || !is_in_place(line) || line.has("--output") {
        return Ok(());
    }
    run(tree, &line.without("--log"), said);
    same(after, &tree.picture(), "a second run has changed a file")
}

/// The log of a run restores all files that it changed.
fn the_log_restores(
    tree: &Tree,
    line: &Line,
    before: &Picture,
    said: &mut Vec<String>,
) -> Result<(), String> {
    let Some(log) = line.value("--log").filter(|log| *log != "-") else { return Ok(()) };
    if !is_in_place(line) || line.command == "convert" || line.has("--output") {
        return Ok(());
    }
    let log = tree.within(log.as_ref());
    if before.contains_key(log.strip_prefix(tree.path("")).unwrap()) || !log.exists() {
        return Ok(());
    }
    let mut undo = line.clone();
    (undo.command, undo.words, undo.program) = ("repair", Vec::new(), Vec::new());
    undo.options = vec![("--in-place".into(), Vec::new()), ("--undo".into(), vec![log.into()])];
    let ran = run(tree, &undo, said);
    law(ran.status == 0, || "the log was refused".into())?;
    let restored = tree.picture();
    for (path, old) in before {
        law(restored.get(path).is_some_and(|new| new.text == old.text), || {
            format!("{} is not restored", path.display())
        })?;
    }
    Ok(())
}
