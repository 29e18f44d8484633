//! `--undo`: restores the original of a repaired file from the log, byte for byte.

use super::args::Args;
use super::log::{Entry, Head, digest};
use super::target::Target;
use crate::common::Common;
use crate::input;
use crate::outcome::Outcome;
use crate::replace::{Mtime, Successor};
use crate::shown::{Name, reason};
use crate::walk::{Found, Tracked};
use placemat::Encoding;
use placemat::repair::{Undo, UndoError};
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Write};
use std::path::Path;

/// Restores each file, or says why that is impossible.
pub(super) fn run(args: &Args, log: &Path, common: &Common) -> Result<Outcome, String> {
    let mut target = Target::joined(args)?;
    if target.is_some() && args.files.len() > 1 {
        return Err("--undo restores several files only with --in-place".into());
    }
    let mut worst = Outcome::Clean;
    for found in
        args.walk.files(&args.files, Tracked::AsOthers, common).map_err(|trouble| trouble.to_string())?
    {
        let done = found.map_err(|trouble| trouble.to_string()).and_then(|found| {
            let name = input::name_of(&found.path);
            match &mut target {
                Some(target) => {
                    let mut file =
                        input::open(&found.path).map_err(|e| input::trouble(&found.path, &e))?.file;
                    restore(&mut file, target, &name, log)
                }
                None => in_place(args, &found, &name, log, common),
            }
        });
        if let Err(message) = done {
            common.error(message);
            worst = Outcome::Trouble;
        }
    }
    match target {
        Some(target) if worst == Outcome::Clean => Ok(target.put(common)),
        _ => Ok(worst),
    }
}

fn in_place(args: &Args, found: &Found, name: &Name, log: &Path, common: &Common) -> Result<(), String> {
    let (mut successor, mut file) = Successor::new(found, args.dry_run)?;
    restore(&mut file, &mut successor, name, log)?;
    let put = successor.put(args.in_place.wishes(Mtime::Keep), common);
    put.map(drop).map_err(|e| format!("{name}: {}; left as it was", reason(&e)))
}

/// Writes the original of a file.
fn restore(file: &mut File, to: &mut impl Write, name: &Name, log: &Path) -> Result<(), String> {
    let said = |e: io::Error| format!("{name}: {}", reason(&e));
    let log_name = Name::new(log);
    let (length, sha256) = digest(file).map_err(|e| match e.kind() {
        io::ErrorKind::NotSeekable => format!("{name}: --undo needs a file, because it reads it twice"),
        _ => said(e),
    })?;
    let damaged = || format!("{log_name}: is not a log of `repair`, or is damaged");
    let in_log = |e: io::Error| format!("{log_name}: {}", reason(&e));
    let mut lines = BufReader::new(File::open(log).map_err(in_log)?);
    let mut line = String::new();
    loop {
        line.clear();
        if lines.read_line(&mut line).map_err(in_log)? == 0 {
            return Err(format!(
                "{name}: is not a file that {log_name} is about: its text is not the repaired one"
            ));
        }
        let head: Head = serde_json::from_str(&line).map_err(|_| damaged())?;
        if head.repair != 1 {
            return Err(format!("{log_name}: is a log of a later version of `repair`"));
        }
        let wanted = head.repaired_bytes == length && head.repaired_sha256 == sha256;
        let encoding: Encoding = head.encoding.parse().map_err(|_| damaged())?;
        let mut undo = wanted.then(|| Undo::new(&mut *file, Hashed::new(&mut *to), encoding));
        for _ in 0..head.changes {
            line.clear();
            if lines.read_line(&mut line).map_err(in_log)? == 0 {
                return Err(damaged());
            }
            let Some(undo) = &mut undo else { continue };
            let entry: Entry = serde_json::from_str(&line).map_err(|_| damaged())?;
            let change = entry.change().ok_or_else(damaged)?;
            undo.change(&change).map_err(|e| differs(&e).map_or_else(|| said(e), |_| damaged()))?;
        }
        if let Some(mut undo) = undo {
            undo.finish().map_err(|e| differs(&e).map_or_else(|| said(e), |_| damaged()))?;
            let hashed = undo.into_source();
            if (hashed.written, hashed.digest()) != (head.source_bytes, head.source_sha256) {
                return Err(damaged());
            }
            return Ok(());
        }
    }
}

/// The error for a text that differs from the record.
fn differs(e: &io::Error) -> Option<UndoError> {
    e.get_ref().and_then(|e| e.downcast_ref::<UndoError>()).copied()
}

/// Counts and hashes the bytes that it passes on.
struct Hashed<W> {
    to: W,
    hash: Sha256,
    written: u64,
}

impl<W> Hashed<W> {
    fn new(to: W) -> Self {
        Self { to, hash: Sha256::new(), written: 0 }
    }

    fn digest(&self) -> String {
        self.hash.clone().finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.written += written as u64;
        Ok(written)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
