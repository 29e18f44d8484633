//! `convert --names`: the names of files in another encoding, and not the text in them.
//!
//! All new names of a directory are known before the first file in it is renamed, so that no two files get one name. What is
//! in a directory is renamed before the directory itself, and each rename fails rather than replace something.

mod group;
mod log;
mod name;
mod order;
mod put;
mod voice;

pub(crate) use voice::Speaker;

use super::args::{Args, NormalizeArg};
use super::policies::Policies;
use crate::auto;
use crate::common::Common;
use crate::options::Given;
use crate::outcome::Outcome;
use crate::shown::{Name, reason};
use crate::streams;
use clap::{Args as _, FromArgMatches as _};
use core::fmt::Display;
use group::{Entry, Group, groups};
use name::{Kept, Namer};
use order::{Ordered, Refused, Wish};
use placemat::Encoding;
use placemat::utf8;
use std::ffi::OsString;
use std::io;
use voice::{Voice, Why};

/// The bytes of names that a detection reads.
const MAX_SAMPLE_BYTES: usize = 1 << 20;

/// Renames files or lists their new names, or says why that is impossible.
pub(super) fn run(args: &Args, common: &Common) -> Result<Outcome, String> {
    if args.in_place.suffix().is_some() {
        return Err("--names keeps no backup, so -i takes no SUFFIX; --log records the renames".into());
    }
    let dry = args.dry_run || !args.in_place.is_given();
    if let Some(log) = &args.undo {
        return log::undo(log, dry, args, common);
    }
    if args.normalize == Some(NormalizeArg::Net) {
        return Err("--normalize net is a form of text with line ends, and not one of names".into());
    }
    if args.files.iter().any(|path| streams::is_stdin(path)) {
        return Err("--names needs files or directories, not standard input".into());
    }
    let mut job = Job {
        args,
        voice: Voice::new(Speaker::Own, common, dry, args.verbose.verbose)?,
        dry,
        log: args.log.as_deref().map(log::Renames::create).transpose()?,
        renamed: 0,
        already_utf8: 0,
        is_foreign: false,
        worst: Outcome::Clean,
    };
    let entries = job.entries(common)?;
    let mut detected = None;
    if args.given == Some(Given::Auto) {
        let found = auto::of_bytes(&sample(&entries));
        let encoding = args.newline.of(auto::encoding(&Name::new("names"), &found)?);
        if args.verbose.verbose {
            common.line(format_args!("names: read as {}", auto::said(encoding, &found)));
        }
        detected = Some(args.reading_declared(encoding));
    }
    let args = detected.as_ref().unwrap_or(args);
    let policies = Policies::new(args)?;
    let hint = args.given.is_none().then(|| sample(&entries));
    job.rename(entries, &Namer::new(args, &policies));
    if job.is_foreign
        && let Some(sample) = hint
    {
        common.line(help(&sample));
    }
    Ok(job.conclude(common))
}

/// Runs a line of this command for the program `convmv`, and speaks as it does. Nothing is renamed if a name cannot be
/// converted: then the outcome is [`Outcome::Findings`].
///
/// # Errors
/// A message, if the line is wrong.
pub(crate) fn as_convmv(line: Vec<OsString>, speaker: Speaker, common: &Common) -> Result<Outcome, String> {
    let matches = Args::augment_args(clap::Command::new("convert")).try_get_matches_from(line);
    let args =
        matches.and_then(|matches| Args::from_arg_matches(&matches)).map_err(|e| e.kind().to_string())?;
    let args = &Args { from: args.given.and_then(Given::named).unwrap_or(args.from), ..args };
    let dry = !args.in_place.is_given();
    let voice = Voice::new(speaker, common, dry, false)?;
    let mut job = Job {
        args,
        voice,
        dry,
        log: None,
        renamed: 0,
        already_utf8: 0,
        is_foreign: false,
        worst: Outcome::Clean,
    };
    job.voice.begin();
    let entries = job.entries(common)?;
    let policies = Policies::new(args)?;
    let namer = Namer::new(args, &policies);
    for entry in &entries {
        match namer.new_name(&entry.name) {
            Err(Kept::IllFormed(_)) => common.line(format_args!(
                "this file was not validly encoded in {}: \"{}\"",
                args.from.encoding,
                Name::new(&entry.path)
            )),
            Err(Kept::Because(why)) => {
                let to = args.to.encoding.name().to_ascii_lowercase();
                let name = Name::new(&entry.path);
                common.line(format_args!("{to} doesn't cover all needed characters for: \"{name}\" ({why})"));
            }
            Ok(_) | Err(Kept::Utf8) => continue,
        }
        job.worst = Outcome::Findings;
    }
    if job.worst == Outcome::Findings {
        common
            .line("To prevent damage to your files, we won't continue.\nFirst fix this or correct options!");
        return Ok(Outcome::Findings);
    }
    job.rename(entries, &namer);
    if job.worst == Outcome::Findings {
        // For convmv, a file whose new name is taken is not a failure.
        job.worst = Outcome::Clean;
    }
    Ok(job.conclude(common))
}

/// Returns the advice for names that are not in the encoding that they were read in by default.
fn help(sample: &[u8]) -> String {
    let found = auto::of_bytes(sample);
    match auto::encoding(&Name::new("names"), &found) {
        Ok(encoding) if encoding != Encoding::UTF_8 => {
            let from = encoding.name().to_ascii_lowercase();
            format!("placemat: the names are probably {encoding}: -f {from} reads them so")
        }
        _ => "placemat: -f names the encoding of the names, and `-f auto` detects it".into(),
    }
}

/// A run over all names.
struct Job<'a> {
    args: &'a Args,
    voice: Voice<'a>,
    dry: bool,
    log: Option<log::Renames>,
    renamed: u64,
    /// The names found in directories that are UTF-8 although another encoding was expected.
    already_utf8: u64,
    /// Whether a name is not in the encoding that it was read in.
    is_foreign: bool,
    worst: Outcome,
}

impl Job<'_> {
    fn fail(&mut self, message: impl Display) {
        self.voice.error(message);
        self.worst = self.worst.max(Outcome::Trouble);
    }

    /// Returns the files and directories whose names can change.
    fn entries(&mut self, common: &Common) -> Result<Vec<Entry>, String> {
        let Args { walk, files, recursive, .. } = self.args;
        let found = walk.entries(files, *recursive, common).map_err(|trouble| trouble.to_string())?;
        let mut entries = Vec::new();
        for found in found {
            match found {
                Ok((path, depth)) => {
                    if depth == 0
                        && let Err(e) = path.symlink_metadata()
                    {
                        self.fail(format_args!("{}: {}", Name::new(&path), reason(&e)));
                        continue;
                    }
                    entries.extend(Entry::new(path, depth));
                }
                Err(trouble) => self.fail(trouble),
            }
        }
        Ok(entries)
    }

    /// Renames all files, or lists their new names.
    fn rename(&mut self, entries: Vec<Entry>, namer: &Namer<'_>) {
        for group in groups(entries, &mut |message| self.fail(message)) {
            if let Err(message) = self.group(&group, namer) {
                self.fail(message);
            }
            if self.worst == Outcome::Cut {
                return;
            }
        }
    }

    /// Renames the files of one directory, or lists their new names.
    fn group(&mut self, group: &Group, namer: &Namer<'_>) -> Result<(), String> {
        let wishes = self.wishes(group, namer);
        if wishes.is_empty() {
            return Ok(());
        }
        let said = |e: io::Error| format!("{}: {}", Name::new(group.shown()), reason(&e));
        let directory = group.open().map_err(said)?;
        let existing = put::names(&directory).map_err(said)?;
        let Ordered { mut wishes, refused } =
            order::ordered(wishes, &existing, put::folding(&directory, &existing));
        for (wish, why) in refused {
            self.refuse(group, &wish, &why);
        }
        if let Some(max) = directory.max_name_bytes() {
            let long = |wish: &mut Wish| wish.to.len() as u64 > max;
            for wish in wishes.extract_if(.., long).collect::<Vec<_>>() {
                let to = name::shown(&wish.to);
                self.leave(group, &wish.from, &Why::Words(&format!("{to} is longer than {max} bytes")));
            }
        }
        if let Some(log) = &mut self.log {
            log.record(group, &wishes)?;
        }
        let mut is_changed = false;
        for wish in &wishes {
            let path = group.path_of(&wish.from);
            let done = if self.dry { Ok(()) } else { put::rename(&directory, wish) };
            match done {
                Ok(()) => {
                    is_changed = !self.dry;
                    self.renamed += 1;
                    if let Err(e) = self.voice.renames(&path, &wish.to, namer.form(wish)) {
                        // A run that changes files goes on without a reader.
                        self.worst = self.worst.max(self.voice.cannot_write(&e));
                        if self.dry {
                            return Ok(());
                        }
                    }
                }
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
                    self.leave(group, &wish.from, &Why::Exists(&wish.to));
                }
                Err(e) => self.fail(format_args!("{}: {}; left as it was", Name::new(path), reason(&e))),
            }
        }
        if is_changed {
            directory.sync();
        }
        Ok(())
    }

    /// Returns the renames of one directory, and reports the names that cannot be converted.
    fn wishes(&mut self, group: &Group, namer: &Namer<'_>) -> Vec<Wish> {
        let mut wishes = Vec::new();
        for entry in &group.entries {
            match namer.new_name(&entry.name) {
                Ok(to) if to == entry.name => {}
                Ok(to) => wishes.push(Wish { from: entry.name.clone(), to }),
                Err(Kept::Utf8) if entry.depth == 0 && self.voice.refuses_utf8() => {
                    let why = "its name is UTF-8 already (--force converts it)";
                    self.leave(group, &entry.name, &Why::Words(why));
                }
                Err(Kept::Utf8) => {
                    self.already_utf8 += 1;
                    self.voice.leaves(&entry.path, &Why::Utf8);
                }
                Err(Kept::IllFormed(why)) => {
                    self.is_foreign = true;
                    self.leave(group, &entry.name, &Why::Words(&why));
                }
                Err(Kept::Because(why)) => self.leave(group, &entry.name, &Why::Words(&why)),
            }
        }
        wishes
    }

    /// Reports a file whose new name is taken.
    fn refuse(&mut self, group: &Group, wish: &Wish, why: &Refused) {
        let to = name::shown(&wish.to);
        match why {
            Refused::Exists => self.leave(group, &wish.from, &Why::Exists(&wish.to)),
            Refused::Alike(other) => {
                let other = name::shown(other);
                let why = format!("{other} exists already, which this file system takes for {to}");
                self.leave(group, &wish.from, &Why::Words(&why));
            }
            Refused::Two(other) => {
                let why = format!("{} would get the same name, {to}", name::shown(other));
                self.leave(group, &wish.from, &Why::Words(&why));
            }
        }
    }

    /// Reports a file that keeps its name.
    fn leave(&mut self, group: &Group, name: &[u8], why: &Why<'_>) {
        self.voice.leaves(&group.path_of(name), why);
        self.worst = self.worst.max(Outcome::Findings);
    }

    fn conclude(mut self, common: &Common) -> Outcome {
        if let Err(e) = self.voice.end(self.renamed, self.already_utf8, self.args.dry_run) {
            self.worst = self.worst.max(common.cannot_write(&Name::stdout(), &e));
        }
        if let (Some(log), Some(path)) = (self.log, &self.args.log) {
            log.end(path);
        }
        self.worst
    }
}

/// Returns the names that are not UTF-8, one per line.
fn sample(entries: &[Entry]) -> Vec<u8> {
    let mut all = Vec::new();
    for entry in entries.iter().filter(|entry| utf8::validate(&entry.name).is_err()) {
        if all.len() + entry.name.len() > MAX_SAMPLE_BYTES {
            break;
        }
        all.extend_from_slice(&entry.name);
        all.push(b'\n');
    }
    all
}
