//! An edit of a file in its place: read, detected, edited, recorded, replaced.

use super::refusal::{Refusal, enough_memory};
use super::text::{Edit, Rules, edited};
use crate::auto;
use crate::cmd::repair::log::{Log, Section};
use crate::common::Common;
use crate::config::Config;
use crate::options::FromArg;
use crate::outcome::Outcome;
use crate::palette::Palette;
use crate::replace::{Became, Successor, Wishes};
use crate::shown::{Name, counted, reason};
use crate::walk::Found;
use placemat::Encoding;
use std::io::{self, Read as _, Write as _};
use std::path::Path;

/// An edit, and how it is made.
pub(crate) struct Job<'a> {
    pub(crate) edit: &'a Edit,
    pub(crate) rules: Rules,
    pub(crate) from: FromArg,
    pub(crate) wishes: Wishes<'a>,
    /// Write nothing.
    pub(crate) dry_run: bool,
    /// The styles of the diff, if one is wanted.
    pub(crate) diff: Option<Palette>,
    /// Files of more bytes are refused.
    pub(crate) max_bytes: u64,
    pub(crate) common: &'a Common,
}

/// The result of an edit.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) encoding: Encoding,
    /// The lengths in bytes before and after.
    pub(crate) before: usize,
    pub(crate) after: usize,
    pub(crate) diff: String,
    /// Whether the file has changed, or would have.
    pub(crate) is_changed: bool,
}

impl Done {
    /// Returns the result in words: `changed, 7 bytes to 8; windows-1251`.
    pub(crate) fn said(&self, dry_run: bool) -> String {
        let change = match (self.is_changed, dry_run) {
            (false, _) => return format!("nothing to change; {}", self.encoding),
            (true, false) => "changed",
            (true, true) => "would change",
        };
        let before = counted(self.before as u64, "byte");
        format!("{change}, {before} to {}; {}", self.after, self.encoding)
    }
}

impl Job<'_> {
    /// Edits a file in its place, and records the change on the disk before it does.
    pub(crate) fn in_place(&self, found: &Found, log: Option<&mut Log>) -> Result<Done, Refusal> {
        let name = Name::new(&found.path);
        let left = |why: String| format!("{name}: {why}; left as it was");
        let said = |e: io::Error| Refusal::trouble(left(reason(&e)));
        let refused = |why: String| Refusal::Because(Outcome::Findings, why);
        // From here on, the file is locked.
        let (mut successor, mut file) = Successor::new(found, self.dry_run).map_err(Refusal::trouble)?;
        if successor.len() > self.max_bytes {
            let why = format!("has more than {} bytes", self.max_bytes);
            return Err(refused(left(why)));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(said)?;
        enough_memory(bytes.len()).map_err(|why| Refusal::trouble(left(why)))?;
        let encoding = encoding_of(&bytes, &found.path, &name, self.from, self.common).map_err(refused)?;
        let edited = edited(&bytes, encoding, self.edit, self.rules, &name, self.diff);
        let edited = edited.map_err(|why| refused(left(why)))?;
        if let Some(log) = log {
            let recorded = Section::begin(log, &found.path)
                .and_then(|section| section.edit(encoding, &bytes, &edited.bytes))
                .and_then(|()| log.sync());
            recorded.map_err(|e| {
                Refusal::trouble(format!("{}: {}; {name} left as it was", log.name, reason(&e)))
            })?;
        }
        successor.write_all(&edited.bytes).map_err(said)?;
        let became = successor.put(self.wishes, self.common).map_err(said)?;
        let is_changed = match became {
            Became::Changed(Some(directory)) => {
                directory.sync();
                true
            }
            Became::Changed(None) => true,
            Became::Same => false,
        };
        let (before, after) = (bytes.len(), edited.bytes.len());
        Ok(Done { encoding, before, after, diff: edited.diff, is_changed })
    }
}

/// Returns the encoding of a file: the given one, that which configuration files declare, or the detected one.
///
/// # Errors
/// A message that names the likely encodings, if detection is not certain.
pub(crate) fn encoding_of(
    bytes: &[u8],
    path: &Path,
    name: &Name,
    from: FromArg,
    common: &Common,
) -> Result<Encoding, String> {
    if let Some(encoding) = from.named() {
        return Ok(encoding);
    }
    if from.from.is_none() && !from.no_config {
        let choice = Config::new().choice(path);
        for warning in choice.warnings {
            common.warn(warning);
        }
        if let Some(encoding) = choice.encoding {
            return Ok(from.newline.of(encoding));
        }
    }
    auto::encoding(name, &auto::of_bytes(bytes)).map(|encoding| from.newline.of(encoding))
}
