//! The tools: what each takes, and what it does.

mod commands;

use super::confined::{self, MAX_FILE_BYTES, Roots};
use crate::cmd::edit::job::{Job, encoding_of};
use crate::cmd::edit::refusal::Refusal;
use crate::cmd::edit::text::{Edit, Lines, Rules};
use crate::cmd::repair;
use crate::cmd::repair::log::{Log, Section};
use crate::cmd::show::Text;
use crate::common::Common;
use crate::ebcdic::EbcdicNewline;
use crate::options::{FromArg, Given, parse_encoding};
use crate::outcome::Outcome;
use crate::palette::Palette;
use crate::replace::{self, Mtime, Wishes};
use crate::shown::{Name, counted, grouped, reason};
use crate::walk::Found;
use anstream::ColorChoice;
use placemat::{Encoding, UnmappablePolicy};
use serde_json::{Map, Value, json};
use std::fs;
use std::io::Read as _;
use std::path::PathBuf;

/// A call returns at most this much text.
const MAX_TEXT_BYTES: usize = 256 << 10;
/// A result shows at most this much of a diff or a report.
const MAX_REPORT_BYTES: usize = 32 << 10;

/// The state of the server.
pub(super) struct Tools {
    pub(super) roots: Roots,
    /// The name of the log, if there is to be one, and the log after the first change.
    log_path: Option<PathBuf>,
    log: Option<Log>,
}

/// The texts of a result, or a message that says what to do.
type Called = Result<Vec<String>, String>;

/// The arguments of a call.
struct Arguments<'a>(&'a Map<String, Value>);

impl<'a> Arguments<'a> {
    /// Returns an argument, which may be missing.
    fn optional(&self, name: &str) -> Result<Option<&'a str>, String> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(format!("`{name}` is a string")),
        }
    }

    fn required(&self, name: &str) -> Result<&'a str, String> {
        self.optional(name)?.ok_or_else(|| format!("`{name}` is missing: it is a string"))
    }

    fn flag(&self, name: &str) -> Result<bool, String> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(value)) => Ok(*value),
            Some(_) => Err(format!("`{name}` is true or false")),
        }
    }

    fn lines(&self) -> Result<Option<Lines>, String> {
        let Some(text) = self.optional("lines")? else { return Ok(None) };
        let lines = Lines::parse(text);
        lines.map(Some).ok_or_else(|| "`lines` is a range of lines, such as 10, 10-20 or 10-".into())
    }

    /// Returns the encoding of the file, if it is given.
    fn from(&self) -> Result<FromArg, String> {
        let from = match self.optional("encoding")? {
            None => None,
            Some(label) if label.eq_ignore_ascii_case("auto") => Some(Given::Auto),
            Some(label) => Some(Given::Named(parse_encoding(label).map_err(|refused| refused.to_string())?)),
        };
        Ok(FromArg { from, no_config: false, newline: EbcdicNewline::default() })
    }

    /// Refuses arguments that a tool does not have: they may be misspelled.
    fn only(&self, known: &[&str]) -> Result<(), String> {
        match self.0.keys().find(|name| !known.contains(&name.as_str())) {
            None => Ok(()),
            Some(name) => {
                let shown = crate::shown::escaped(name.as_ref());
                Err(format!("there is no argument `{shown}`; the arguments are {}", known.join(", ")))
            }
        }
    }
}

impl Tools {
    pub(super) const fn new(roots: Roots, log_path: Option<PathBuf>) -> Self {
        Self { roots, log_path, log: None }
    }

    /// Returns the log for a change, if there is to be one.
    fn log(&mut self, is_dry_run: bool) -> Result<Option<&mut Log>, String> {
        let Some(path) = self.log_path.as_ref().filter(|_| !is_dry_run) else { return Ok(None) };
        if self.log.is_none() {
            let numbered = (2..).map(|number| {
                let mut name = path.clone().into_os_string();
                name.push(format!(".{number}"));
                PathBuf::from(name)
            });
            let mut names = core::iter::once(path.clone()).chain(numbered);
            let unused = names.find(|name| fs::symlink_metadata(name).is_err());
            self.log = unused.as_deref().map(Log::create).transpose()?;
        }
        Ok(self.log.as_mut())
    }

    pub(super) const NAMES: [&str; 6] = ["read_text", "edit_text", "write_text", "detect", "check", "repair"];

    /// Calls a tool; `None` if there is none of that name.
    pub(super) fn call(&mut self, name: &str, arguments: &Map<String, Value>) -> Option<Called> {
        let arguments = Arguments(arguments);
        Some(match name {
            "read_text" => self.read(&arguments),
            "edit_text" => self.edit(&arguments),
            "write_text" => self.write(&arguments),
            "detect" => self.detect(&arguments),
            "check" => self.check(&arguments),
            "repair" => self.repair(&arguments),
            _ => return None,
        })
    }

    /// Returns the definitions of all tools.
    pub(super) fn list() -> Value {
        let text = |about: &str| json!({ "type": "string", "description": about });
        let flag = |about: &str| json!({ "type": "boolean", "description": about });
        let path = || text("The file: absolute, or relative to the first directory of the server");
        let encoding = || text("The encoding of the file, such as windows-1251; by default it is detected");
        let dry_run = || flag("Say what would change; write nothing");
        let tool = |name: &str, about: &str, is_read_only: bool, properties: Value, required: &[&str]| {
            json!({
                "name": name,
                "description": about,
                "inputSchema": {
                    "type": "object",
                    "properties": properties,
                    "required": required,
                    "additionalProperties": false,
                },
                "annotations": {
                    "readOnlyHint": is_read_only,
                    "destructiveHint": !is_read_only,
                    "idempotentHint": is_read_only,
                    "openWorldHint": false,
                },
            })
        };
        json!([
            tool(
                "read_text",
                "Read a text file in any encoding as UTF-8, with its encoding and line ends. Lines end in LF here.",
                true,
                json!({
                    "path": path(),
                    "lines": text("Only these lines: 10, 10-20 or 10-"),
                    "numbers": flag("Number the lines"),
                    "encoding": encoding(),
                }),
                &["path"],
            ),
            tool(
                "edit_text",
                "Put a new text in place of old_text, which must occur exactly once, or of some lines. The file keeps its \
                 encoding, signature and line ends, and every byte outside of the change.",
                false,
                json!({
                    "path": path(),
                    "old_text": text("The text to replace, exactly as read_text shows it"),
                    "new_text": text("The new text"),
                    "all": flag("Replace each occurrence of old_text"),
                    "lines": text("Instead of old_text: the lines to replace, such as 10-20; an empty new_text deletes them"),
                    "encoding": encoding(),
                    "dry_run": dry_run(),
                }),
                &["path", "new_text"],
            ),
            tool(
                "write_text",
                "Put a whole new text into a file, in its own encoding and with its own line ends; only the bytes of what \
                 differs change. A file that is missing is created, in UTF-8 unless encoding names another.",
                false,
                json!({ "path": path(), "text": text("The text"), "encoding": encoding(), "dry_run": dry_run() }),
                &["path", "text"],
            ),
            tool(
                "detect",
                "Detect the encoding of a file, and say how sure that is and why.",
                true,
                json!({ "path": path() }),
                &["path"],
            ),
            tool(
                "check",
                "Find every ill-formed sequence in a file, with its line, column and reason.",
                true,
                json!({
                    "path": path(),
                    "encoding": text("The encoding to check the file in; by default the declared one, or UTF-8"),
                    "security": flag("Also find bidi controls, invisible characters and confusable words"),
                }),
                &["path"],
            ),
            tool(
                "repair",
                "Repair damaged text, such as cafÃ© for café, and bytes of other encodings in UTF-8. The file is UTF-8 after \
                 that. Try dry_run first.",
                false,
                json!({
                    "path": path(),
                    "fallback": text("The encoding of stray bytes; by default it is detected"),
                    "dry_run": dry_run(),
                }),
                &["path"],
            ),
        ])
    }

    fn read(&self, arguments: &Arguments<'_>) -> Called {
        arguments.only(&["path", "lines", "numbers", "encoding"])?;
        let found = self.roots.find(arguments.required("path")?)?;
        let (from, wanted, is_numbered) = (arguments.from()?, arguments.lines()?, arguments.flag("numbers")?);
        let name = Name::new(&found.path);
        let bytes = bytes_of(&found)?;
        let encoding = encoding_of(&bytes, &found.path, &name, from, &quiet()).map_err(help)?;
        let text = Text::of(&bytes, encoding).map_err(|why| format!("{name}: {why}"))?;
        let lines = text.lines();
        let range = wanted.map_or(Ok(0..lines.len()), |wanted| wanted.within(lines.len()));
        let range = range.map_err(|why| format!("{name}: {why}"))?;
        let shown = text.shown(&lines, range.clone(), is_numbered, true);
        if shown.len() > MAX_TEXT_BYTES {
            return Err(format!(
                "{name}: these {} lines have {} bytes, more than {} at a time: ask for some with `lines`, such as 1-{}",
                grouped(range.len() as u64),
                grouped(shown.len() as u64),
                grouped(MAX_TEXT_BYTES as u64),
                (range.len() * MAX_TEXT_BYTES / shown.len() / 2).max(1)
            ));
        }
        let part = if range.len() == lines.len() {
            String::new()
        } else {
            format!("; lines {} to {} are shown", range.start + 1, range.end)
        };
        let head = format!("{name}: {}{part}", text.head(&lines));
        Ok(vec![shown, head])
    }

    fn edit(&mut self, arguments: &Arguments<'_>) -> Called {
        arguments.only(&["path", "old_text", "new_text", "all", "lines", "encoding", "dry_run"])?;
        let found = self.roots.find(arguments.required("path")?)?;
        let new = arguments.required("new_text")?.to_owned();
        let all = arguments.flag("all")?;
        let edit = match (arguments.optional("old_text")?, arguments.lines()?) {
            (Some(old), None) => Edit::Replace { old: old.to_owned(), new, all },
            (None, Some(_)) if all => return Err("`all` goes with `old_text`, not with `lines`".into()),
            (None, Some(lines)) => Edit::Lines(lines, new),
            _ => return Err("give either `old_text` or `lines`".into()),
        };
        self.change(&found, &edit, arguments)
    }

    fn write(&mut self, arguments: &Arguments<'_>) -> Called {
        arguments.only(&["path", "text", "encoding", "dry_run"])?;
        let found = self.roots.find(arguments.required("path")?)?;
        let text = arguments.required("text")?;
        if !confined::is_missing(&found) {
            return self.change(&found, &Edit::Write(text.to_owned()), arguments);
        }
        let name = Name::new(&found.path);
        let encoding = arguments.from()?.named().unwrap_or(Encoding::UTF_8);
        let bytes = encoding.encode(text, UnmappablePolicy::Stop);
        let bytes = bytes
            .map_err(|e| format!("{name}: {e}; not written: use another encoding, or other characters"))?;
        let count = counted(bytes.len() as u64, "byte");
        if arguments.flag("dry_run")? {
            return Ok(vec![format!("{name}: would be created, {count} of {encoding}")]);
        }
        let log = self.log(false)?;
        let record = || {
            let Some(log) = log else { return Ok(()) };
            Section::begin(log, &found.path)?.created(encoding, &bytes)?;
            log.sync()
        };
        let created = confined::place(&found).and_then(|place| replace::create(&place, &bytes, record));
        created.map_err(|e| format!("{name}: {}; not written", reason(&e)))?;
        Ok(vec![format!("{name}: created, {count} of {encoding}")])
    }

    /// Changes a file in its place.
    fn change(&mut self, found: &Found, edit: &Edit, arguments: &Arguments<'_>) -> Called {
        let common = quiet();
        let dry_run = arguments.flag("dry_run")?;
        // A special file is refused before it is opened for a change.
        drop(confined::open(found)?);
        let job = Job {
            edit,
            rules: Rules { max_bytes: usize::try_from(MAX_FILE_BYTES).ok(), ..Rules::default() },
            from: arguments.from()?,
            wishes: Wishes { suffix: None, mtime: Mtime::Now, unchanged: true },
            dry_run,
            diff: Some(Palette::default()),
            max_bytes: MAX_FILE_BYTES,
            common: &common,
        };
        let log = self.log(dry_run)?;
        let done = job.in_place(found, log).map_err(|refusal| match refusal {
            Refusal::Because(_, message) => help(message),
            Refusal::Unwritten(e) => reason(&e),
        })?;
        let name = Name::new(&found.path);
        let mut texts = vec![format!("{name}: {}", done.said(dry_run))];
        texts.extend([shortened(done.diff), common.kept()].into_iter().filter(|text| !text.is_empty()));
        Ok(texts)
    }

    fn repair(&mut self, arguments: &Arguments<'_>) -> Called {
        arguments.only(&["path", "fallback", "dry_run"])?;
        let found = self.roots.find(arguments.required("path")?)?;
        drop(confined::open(&found)?);
        let dry_run = arguments.flag("dry_run")?;
        let mut options = vec!["--explain", "--verbose"];
        if dry_run {
            options.push("--dry-run");
        }
        if let Some(fallback) = arguments.optional("fallback")? {
            options.extend(["--fallback", fallback]);
        }
        let common = quiet();
        let log = self.log(dry_run)?;
        let repaired = repair::one_in_place(&found, &options, log, &common);
        let report = shortened(common.kept());
        match repaired {
            Ok(Outcome::Trouble) => Err(report),
            Ok(_) => Ok(vec![report]),
            Err(message) => Err(message),
        }
    }
}

/// Messages that are kept for the result.
fn quiet() -> Common {
    Common::new(ColorChoice::Never, false).keeping()
}

/// Returns a message in the words of these tools: they have no options.
fn help(message: String) -> String {
    let words = [
        ("; name it with -f", ": give it as `encoding`"),
        ("; or name one with -f", ": or give one as `encoding`"),
        ("-f names an encoding to read it in anyway", "`encoding` names one to read it in anyway"),
        (", or replace all with --all", ", or give `all`"),
        (" (--lossy accepts that)", ": keep it in the text, as read_text shows it"),
        (" (--allow-empty accepts that)", ": this server empties no file"),
    ];
    words.into_iter().fold(message, |message, (from, to)| message.replace(from, to))
}

/// Returns the start of a long report.
fn shortened(mut report: String) -> String {
    if report.len() > MAX_REPORT_BYTES {
        let mut end = MAX_REPORT_BYTES;
        while !report.is_char_boundary(end) {
            end -= 1;
        }
        report.truncate(end);
        report.push_str("\n… (the rest is not shown)\n");
    }
    report
}

/// Returns the bytes of a file.
fn bytes_of(found: &Found) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = confined::open(found)?.take(MAX_FILE_BYTES).read_to_end(&mut bytes);
    read.map_err(|e| format!("{}: {}", Name::new(&found.path), reason(&e)))?;
    Ok(bytes)
}
