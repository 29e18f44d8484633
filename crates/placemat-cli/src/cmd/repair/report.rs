//! `--explain` and `--diff`: each change, and each changed line, fit for a terminal.

use crate::lines::Tracker;
use crate::palette::Palette;
use crate::shown::{Name, push_bytes};
use core::fmt::Write as _;
use placemat::repair::{Change, Step};
use std::ffi::OsStr;

/// The maximum number of bytes of a text that a report shows.
const SHOWN: usize = 400;

/// The report on one input.
pub(super) struct Report<'a> {
    name: &'a Name,
    explain: bool,
    diff: bool,
    /// The styles of the stream of the report.
    styles: Palette,
    /// The place in the repaired text.
    tracker: Tracker,
    /// The bytes of the repaired text before `tracker`.
    written: u64,
    /// The bytes of the source from `start` on, as far as a changed line may need them.
    source: Vec<u8>,
    start: u64,
    /// The first changed line has not been shown.
    first: bool,
}

impl<'a> Report<'a> {
    pub(super) fn new(name: &'a Name, explain: bool, diff: bool, styles: Palette) -> Self {
        Self {
            name,
            explain,
            diff,
            styles,
            tracker: Tracker::default(),
            written: 0,
            source: Vec::new(),
            start: 0,
            first: true,
        }
    }

    /// Takes bytes of the source.
    pub(super) fn source(&mut self, bytes: &[u8]) {
        if self.diff {
            self.source.extend_from_slice(bytes);
        }
    }

    /// The report on the next piece of repaired text and its changes.
    pub(super) fn changes(&mut self, changes: &[Change], text: &str) -> String {
        let mut lines = String::new();
        if !self.explain && !self.diff {
            return lines;
        }
        let start = self.written;
        let mut at = 0;
        let mut shown_to = 0;
        for change in changes {
            let here = usize::try_from(change.repaired_offset - start).unwrap_or(0).min(text.len());
            self.tracker.text(&text.as_bytes()[at..here.max(at)]);
            at = here.max(at);
            if self.explain {
                self.explain(change, &mut lines);
            }
            if self.diff && here >= shown_to {
                shown_to = self.diff(change, changes, text, start, &mut lines);
            }
        }
        self.tracker.text(&text.as_bytes()[at..]);
        self.written += text.len() as u64;
        if self.diff {
            self.forget();
        }
        lines
    }

    /// `notes.txt:3:14: byte 57: mojibake: "Ã©" -> "é": UTF-8 read as windows-1252 (99 % sure)`
    fn explain(&self, change: &Change, to: &mut String) {
        let place = self.tracker.place();
        _ = write!(
            to,
            "{}:{}:{}: byte {}: {}: ",
            self.name, place.line, place.column, change.offset, change.step
        );
        let ill_formed = core::str::from_utf8(&change.before).is_err();
        if ill_formed || change.step == Step::Wide {
            push_bytes(to, &change.before[..change.before.len().min(SHOWN)]);
        } else {
            _ = write!(to, "\"{}\"", shown(&change.before));
        }
        _ = write!(to, " -> \"{}\": ", shown(change.after.as_bytes()));
        let names: Vec<_> = change.encodings.iter().map(|encoding| encoding.name()).collect();
        match change.step {
            Step::Wide => _ = write!(to, "the text is in {}", names.join(", ")),
            Step::Pairs => _ = write!(to, "{}", names.join(", ")),
            Step::Bytes => _ = write!(to, "bytes of {}", names.join(", ")),
            Step::Lost => to.push_str("overlong, cut off, or in no encoding: the text is lost"),
            Step::Controls => _ = write!(to, "controls that are text in {}", names.join(", ")),
            Step::Legacy => _ = write!(to, "read as {}", names.join(", in place of ")),
            _ => _ = write!(to, "UTF-8 read as {}", names.join(", then as ")),
        }
        if change.lossy && change.step != Step::Lost {
            to.push_str(", with something lost");
        }
        if change.step != Step::Lost {
            _ = write!(to, " ({})", how_sure(change.confidence));
        }
        to.push('\n');
    }

    /// The line around a change, before and after. Returns the end of the line in the text.
    fn diff(
        &mut self,
        change: &Change,
        changes: &[Change],
        text: &str,
        start: u64,
        to: &mut String,
    ) -> usize {
        let here = usize::try_from(change.repaired_offset - start).unwrap_or(0).min(text.len());
        let (from, end) = line_around(text.as_bytes(), here, here + change.after.len());
        let new = &text.as_bytes()[from..end];
        // The source of the line: what stands before the first and after the last change in it is the same.
        let in_line =
            |change: &&Change| (from as u64..=end as u64).contains(&(change.repaired_offset - start));
        let last = changes.iter().rfind(in_line).unwrap_or(change);
        let old_from = self.in_source(change.offset);
        let old_end = self.in_source(last.offset) + last.before.len();
        let (old_from, old_end) = line_around(&self.source, old_from, old_end);
        if self.first {
            self.first = false;
            _ = writeln!(to, "--- {0}\n+++ {0} (repaired)", self.name);
        }
        let line = self.tracker.place().line;
        let old = self.source.get(old_from..old_end).unwrap_or_default();
        let Palette { place, added, removed, .. } = self.styles;
        _ = writeln!(to, "{place}@@ -{line} +{line} @@{place:#}");
        _ = writeln!(to, "{removed}-{}{removed:#}\n{added}+{}{added:#}", shown(old), shown(new));
        end
    }

    /// The place in the held source of an offset.
    fn in_source(&self, offset: u64) -> usize {
        usize::try_from(offset.saturating_sub(self.start)).unwrap_or(self.source.len())
    }

    /// Forgets the source before the last line.
    fn forget(&mut self) {
        // Within 192 KiB of the last bytes there is everything that the next changes may need.
        const KEPT: usize = 192 * 1024;
        let gone = self.source.len().saturating_sub(KEPT);
        self.source.drain(..gone);
        self.start += gone as u64;
    }
}

/// A confidence in words; below 1, the per cent are rounded down.
fn how_sure(confidence: f32) -> String {
    match confidence {
        1.0.. => "certain".into(),
        0.99.. => "more than 99 % sure".into(),
        _ => format!("{:.0} % sure", (confidence * 100.0).floor()),
    }
}

/// The line around a range, without its end.
fn line_around(text: &[u8], from: usize, to: usize) -> (usize, usize) {
    let from = from.min(text.len());
    let to = to.clamp(from, text.len());
    let start = text[..from].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let end = text[to..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |at| to + at);
    (start, end)
}

/// Text of a file, escaped, and cut where it is long.
fn shown(bytes: &[u8]) -> String {
    let cut = placemat::utf8::floor_boundary(bytes, bytes.len().min(SHOWN));
    let mut text = escaped_bytes(&bytes[..cut]);
    if cut < bytes.len() {
        _ = write!(text, "… ({} bytes)", bytes.len());
    }
    text
}

fn escaped_bytes(bytes: &[u8]) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        crate::shown::escaped(OsStr::from_bytes(bytes)).to_string()
    }
    #[cfg(not(unix))]
    {
        crate::shown::escaped(OsStr::new(&*String::from_utf8_lossy(bytes))).to_string()
    }
}
