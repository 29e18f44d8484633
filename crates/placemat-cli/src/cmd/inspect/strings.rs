//! The strings of a container: a line for each.

use super::framing::{self, Found, HEAD, Stopped};
use super::steps::Source;
use crate::common::Common;
use crate::failure::Failure;
use crate::input;
use crate::json;
use crate::options::Format;
use crate::outcome::Outcome;
use crate::output::Data;
use crate::shown::{Name, escaped, push_hex, reason};
use clap::ValueEnum;
use core::fmt::Write as _;
use placemat::stream::{Status, Transcoder};
use placemat::{CodePoint, Encoding, IllFormed};
use placemat_diagnose::describe;
use serde::Serialize;
use std::fs::File;
use std::io::{self, Cursor, Read, Write as _};

/// `--framing`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FramingArg {
    /// A Java class file: the strings of its constant pool
    Class,
    /// Records of Java's writeUTF: a length of two bytes before each string
    Java,
    /// An Android dex file: its strings; needs a file, not a pipe
    Dex,
    /// None: show a class file byte by byte too
    None,
}

/// A file whose first bytes were looked at.
pub(super) struct Begun {
    head: Cursor<Vec<u8>>,
    file: File,
}

impl Begun {
    /// Reads the bytes by which a class file is known.
    pub(super) fn new(mut file: File) -> io::Result<Self> {
        let (mut head, mut filled) = (vec![0; HEAD], 0);
        while filled < HEAD {
            match input::read(&mut file, &mut head[filled..])? {
                0 => break,
                read => filled += read,
            }
        }
        head.truncate(filled);
        Ok(Self { head: Cursor::new(head), file })
    }

    /// Returns `true` if the file begins like a class file.
    pub(super) fn is_class(&self) -> bool {
        framing::is_class(self.head.get_ref())
    }
}

impl Read for Begun {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        match self.head.read(to)? {
            0 => self.file.read(to),
            read => Ok(read),
        }
    }
}

impl Source for Begun {
    fn leap(&mut self, bytes: u64) -> io::Result<bool> {
        let passed = self.head.position() >= self.head.get_ref().len() as u64;
        if passed { self.file.leap(bytes) } else { Ok(false) }
    }
}

/// Shows the strings of a file whose first bytes were looked at, up to `--limit`.
pub(super) fn show(
    (format, limit): (Format, Option<u64>),
    common: &Common,
    framing: FramingArg,
    file: Begun,
    name: &Name,
) -> Outcome {
    let mut data = match Data::stdout() {
        Ok(data) => data,
        Err(e) => return common.cannot_write(&Name::stdout(), &e),
    };
    if framing == FramingArg::Dex && !file.file.metadata().is_ok_and(|metadata| metadata.is_file()) {
        common.error(format_args!(
            "{name}: --framing dex reads a file, and no pipe: its strings can be anywhere in it"
        ));
        return Outcome::Trouble;
    }
    let limit = limit.filter(|&limit| limit > 0).unwrap_or(u64::MAX);
    let (mut shown, mut cut) = (0, None);
    let styles = common.data_styles();
    let mut each = |found: &Found<'_>| {
        let mut line = String::new();
        if shown == limit {
            cut = Some(found.offset);
            return Ok(false);
        }
        if shown == 0 && format == Format::Text {
            let dim = styles.dim;
            _ = writeln!(line, "{dim}index  offset  bytes  text{dim:#}");
        }
        shown += 1;
        let text = Text::of(found);
        match format {
            Format::Text => {
                let Found { index, offset, bytes } = found;
                _ = writeln!(line, "{index:5}  {offset:6}  {:5}  {}", bytes.len(), text.shown);
                if let Some((_, reason)) = &text.error {
                    let error = styles.error;
                    _ = writeln!(line, "{:22}{error}{reason}{error:#}", "");
                }
            }
            Format::Jsonl => line = text.json(found),
        }
        data.write_all(line.as_bytes()).map_err(Failure::Writing).map(|()| true)
    };
    let ended = match framing {
        FramingArg::Class | FramingArg::None => framing::class(file, &mut each),
        FramingArg::Java => framing::java(file, &mut each),
        FramingArg::Dex => framing::dex(&file.file, &mut each),
    };
    let flushed = data.flush().map_err(|e| Stopped::Failed(Failure::Writing(e)));
    match ended.and(flushed) {
        Ok(()) => {
            if let Some(offset) = cut {
                common.line(format_args!("{name}: output stopped at byte {offset}; -n 0 shows all of it"));
            }
            Outcome::Clean
        }
        Err(Stopped::Malformed(message)) => {
            common.error(format_args!("{name}: {message}"));
            Outcome::Findings
        }
        Err(Stopped::Failed(Failure::Reading(e))) => {
            common.error(format_args!("{name}: {}", reason(&e)));
            Outcome::Trouble
        }
        Err(Stopped::Failed(Failure::Writing(e))) => common.cannot_write(&Name::stdout(), &e),
    }
}

/// The text of a string.
#[derive(Default)]
struct Text {
    /// Fit for a terminal, and without doubt: backslashes are doubled.
    shown: String,
    /// With U+FFFD for each ill-formed sequence and lone surrogate.
    text: String,
    /// The first error, and its description.
    error: Option<(IllFormed, String)>,
}

impl Text {
    fn of(found: &Found<'_>) -> Self {
        let mut text = Self::default();
        let mut decoder = Transcoder::new(Encoding::MODIFIED_UTF_8, Encoding::UCS_4BE);
        let mut room = [0; 4096];
        let mut src = found.bytes;
        loop {
            let p = decoder.convert(src, &mut room, true);
            src = &src[p.read..];
            for &value in room[..p.written].as_chunks().0 {
                text.push(CodePoint::new(u32::from_be_bytes(value)).unwrap_or_default());
            }
            match p.status {
                Status::IllFormed(e) => text.ill_formed(&e, found),
                Status::NeedOutput => {}
                Status::Done | Status::NeedInput | Status::Unmappable(_) => return text,
            }
        }
    }

    fn push(&mut self, c: CodePoint) {
        self.text.push(c.to_char().unwrap_or('\u{FFFD}'));
        _ = match c.to_char() {
            Some('\\') => self.shown.write_str("\\\\"),
            Some(c) => write!(self.shown, "{}", escaped(c.encode_utf8(&mut [0; 4]).as_ref())),
            None => write!(self.shown, "\\u{{{:04x}}}", c.value()),
        };
    }

    fn ill_formed(&mut self, e: &IllFormed, found: &Found<'_>) {
        self.text.push('\u{FFFD}');
        for byte in e.bytes() {
            _ = write!(self.shown, "\\x{byte:02x}");
        }
        let at = usize::try_from(e.offset()).unwrap_or(usize::MAX);
        if self.error.is_none()
            && let Some((before, following)) = found.bytes.split_at_checked(at)
        {
            // Offsets are those in the file.
            let mut again =
                Transcoder::checker(Encoding::MODIFIED_UTF_8).starting_at(found.offset + e.offset());
            if let Status::IllFormed(e) = again.convert(following, &mut [], true).status {
                self.error = Some((e, describe(&e, Encoding::MODIFIED_UTF_8, before, following)));
            }
        }
    }

    /// Returns a line of `--format jsonl`.
    fn json(&self, found: &Found<'_>) -> String {
        #[derive(Serialize)]
        struct Line<'a> {
            index: u64,
            byte_offset: u64,
            length: usize,
            bytes: String,
            text: &'a str,
            kind: Option<&'static str>,
            reason: Option<&'a str>,
        }
        let mut bytes = String::new();
        push_hex(&mut bytes, found.bytes);
        bytes.retain(|c| c != ' ');
        json::line(&Line {
            index: found.index,
            byte_offset: found.offset,
            length: found.bytes.len(),
            bytes,
            text: &self.text,
            kind: self.error.as_ref().map(|(e, _)| e.code()),
            reason: self.error.as_ref().map(|(_, reason)| &**reason),
        })
    }
}
