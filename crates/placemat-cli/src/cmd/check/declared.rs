//! The lint `declaration`: declarations of the encoding, in the text or in configuration files, that the bytes contradict.

use super::lint::{Fault, Kind};
use crate::auto;
use crate::cmd::detect::sample::MIN_AUTO_CONFIDENCE;
use crate::config::Choice;
use crate::declarations::{self, Convention, Declaration, HEAD_BYTES, MAX_MAIL_BYTES, TAIL_BYTES};
use crate::ebcdic::is_same_page;
use crate::families;
use crate::input;
use crate::lines::Tracker;
use crate::streams::is_stdin;
use core::ops::Range;
use placemat::detect::{Detection, Verdict};
use placemat::stream::{Status, Transcoder};
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy, bom};
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

/// The bytes from the first one on that is not ASCII, in which a declared encoding is compared with that of the text.
const COMPARED_BYTES: u64 = 64 * 1024;

/// A wrong declaration.
#[derive(Debug)]
pub(super) struct Wrong {
    pub(super) kind: Kind,
    /// The label; of a configuration file, the place of the declaration.
    pub(super) text: String,
    pub(super) offset: u64,
    pub(super) bytes: Vec<u8>,
    /// The start of the text of `lines`, which are the bytes around the declaration, for comments that suppress it.
    pub(super) tracker: Tracker,
    pub(super) lines: Vec<u8>,
    pub(super) at: Range<usize>,
}

/// The encoding that a text is in.
#[derive(Clone, Copy, Debug)]
enum InFact {
    Known(Encoding),
    Unknown,
}

/// Returns the wrong declarations of a regular file that is read from `start` on. The file is read there again afterwards.
/// `named` is the encoding that the command line names; `read_as` the one that it is checked in.
pub(super) fn wrong(
    path: &Path,
    file: &mut File,
    start: u64,
    named: Option<Encoding>,
    read_as: Encoding,
    choice: &Choice,
) -> io::Result<Vec<Wrong>> {
    let found = Text::read(file, start).and_then(|text| text.wrong(path, file, named, read_as, choice));
    file.seek(SeekFrom::Start(start))?;
    found
}

/// The first and the last bytes of a file.
struct Text {
    start: u64,
    len: u64,
    head: Vec<u8>,
    tail: Vec<u8>,
}

impl Text {
    fn read(file: &mut File, start: u64) -> io::Result<Self> {
        let len = file.metadata()?.len().saturating_sub(start);
        let mut text = Self { start, len, head: Vec::new(), tail: Vec::new() };
        text.head = text.part(file, 0..HEAD_BYTES as u64)?;
        text.tail = text.part(file, len.saturating_sub(TAIL_BYTES as u64)..len)?;
        Ok(text)
    }

    fn part(&self, file: &mut File, range: Range<u64>) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(self.start + range.start))?;
        file.take(range.end - range.start).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn wrong(
        &self,
        path: &Path,
        file: &mut File,
        named: Option<Encoding>,
        read_as: Encoding,
        choice: &Choice,
    ) -> io::Result<Vec<Wrong>> {
        let mut all: Vec<Wrong> = self.refused_by_git(choice).into_iter().collect();
        let name = (!is_stdin(path)).then_some(path);
        let kind = declarations::kind(name, &self.head);
        let signed = bom::sniff(&self.head).and_then(|signature| signature.encoding);
        let declared = if kind == declarations::Kind::Mail {
            if self.len > MAX_MAIL_BYTES {
                return Ok(all);
            }
            declarations::of_mail(&self.part(file, 0..self.len)?)
        } else {
            let tail_offset = self.len.saturating_sub(TAIL_BYTES as u64);
            declarations::of_text(kind, &self.head, &self.tail, tail_offset, named.or(signed))
        };
        let by_config = choice.encoding.filter(|_| named.is_none());
        if declared.is_empty() && by_config.is_none() {
            return Ok(all);
        }
        file.seek(SeekFrom::Start(self.start))?;
        let (_, found) = auto::of_file(file.try_clone()?)?;
        let fact = match named {
            Some(encoding) => InFact::Known(encoding),
            None => match in_fact(&found) {
                Some(fact) => fact,
                None => return Ok(all),
            },
        };
        let first = found.first_non_ascii.unwrap_or(self.len);
        let compared = self.part(file, first..first + COMPARED_BYTES)?;
        if all.is_empty()
            && let Some(declared) = by_config
            && let Some(kind) = fault(declared, fact, &compared).map(Fault::Configured)
        {
            all.push(Wrong::at_start(Kind::Declaration(kind), choice.why.clone(), &self.head));
        }
        for Declaration { found, body } in declared {
            let Some(declared) = found.encoding else { continue };
            let wrong = match body {
                None if is_moot(found.convention, signed) => None,
                None => fault(declared, fact, &compared),
                Some(body) => {
                    let bytes = self.part(file, body)?;
                    let detected = auto::of_bytes(&bytes);
                    match in_fact(&detected) {
                        Some(fact) if !bytes.is_ascii() => fault(declared, fact, &bytes),
                        _ => None,
                    }
                }
            };
            let Some(in_fact) = wrong else { continue };
            let from = found.range.start.saturating_sub(HEAD_BYTES as u64);
            let lines = self.part(file, from..found.range.end + HEAD_BYTES as u64)?;
            let at = |offset: u64| usize::try_from(offset - from).unwrap_or(lines.len()).min(lines.len());
            all.push(Wrong {
                kind: Kind::Declaration(Fault::InText(found.convention, in_fact)),
                text: found.label,
                offset: self.start + found.range.start,
                bytes: self.part(file, found.range.clone())?,
                tracker: self.place(file, found.range.start, read_as)?,
                at: at(found.range.start)..at(found.range.end),
                lines,
            });
        }
        Ok(all)
    }

    /// Returns the reason for which git refuses the file (`git add` fails), by `working-tree-encoding`.
    fn refused_by_git(&self, choice: &Choice) -> Option<Wrong> {
        let label = choice.git.as_ref()?;
        let bare = label.to_ascii_lowercase();
        let bare = bare.strip_prefix("utf").map(|rest| rest.strip_prefix('-').unwrap_or(rest));
        let starts =
            |signatures: [&[u8]; 2]| signatures.iter().any(|signature| self.head.starts_with(signature));
        let is_16 = starts([b"\xFF\xFE", b"\xFE\xFF"]);
        let is_32 = starts([b"\xFF\xFE\0\0", b"\0\0\xFE\xFF"]);
        let fault = match bare {
            None if label.is_empty() => Fault::NoLabel,
            // Git does not convert an empty file.
            _ if self.len == 0 => return None,
            Some("16") if !is_16 => Fault::Unsigned,
            Some("32") if !is_32 => Fault::Unsigned,
            Some("16le" | "16be") if is_16 => Fault::Signed,
            Some("32le" | "32be") if is_32 => Fault::Signed,
            _ => return None,
        };
        Some(Wrong::at_start(Kind::Declaration(fault), choice.why.clone(), &self.head))
    }

    /// Returns the place of an offset, in a text in `encoding`.
    fn place(&self, file: &mut File, offset: u64, encoding: Encoding) -> io::Result<Tracker> {
        let mut tracker = Tracker::default();
        let mut decoder = Transcoder::new(encoding, Encoding::UTF_8)
            .on_error(ErrorPolicy::Replace)
            .on_unmappable(UnmappablePolicy::Replace);
        file.seek(SeekFrom::Start(self.start))?;
        let mut rest = file.take(offset);
        let (mut piece, mut room) = (vec![0; 64 * 1024], vec![0; 64 * 1024]);
        loop {
            let len = input::read(&mut rest, &mut piece)?;
            let mut bytes = &piece[..len];
            loop {
                let progress = decoder.convert(bytes, &mut room, len == 0);
                tracker.text(&room[..progress.written]);
                bytes = &bytes[progress.read..];
                if progress.status != Status::NeedOutput {
                    break;
                }
            }
            if len == 0 {
                return Ok(tracker);
            }
        }
    }
}

impl Wrong {
    fn at_start(kind: Kind, text: String, head: &[u8]) -> Self {
        let bytes = head[..head.len().min(1)].to_vec();
        Self {
            kind,
            text,
            offset: 0,
            at: 0..bytes.len(),
            bytes,
            tracker: Tracker::default(),
            lines: head.to_vec(),
        }
    }
}

/// Returns the encoding that a text was found to be in; `None` if it is in several, or is no text.
fn in_fact(found: &Detection) -> Option<InFact> {
    if found.verdict == Verdict::Binary || found.verdict == Verdict::Empty || !found.mixed.is_empty() {
        return None;
    }
    Some(match found.encoding {
        Some(encoding) if found.confidence >= MIN_AUTO_CONFIDENCE => InFact::Known(encoding),
        _ => InFact::Unknown,
    })
}

/// Returns the encoding that the text is in, if it is not the declared one; `None` within if only that is certain.
fn fault(declared: Encoding, fact: InFact, compared: &[u8]) -> Option<Option<Encoding>> {
    match fact {
        InFact::Known(found) => {
            // Other errors of the text are other findings.
            let is_alike = is_same_page(declared, found)
                || families::is_wide(declared) && families::is_wide(found) && compared.is_empty();
            let is_wrong = !is_alike && declarations::contradicts(declared, found, compared);
            is_wrong.then_some(Some(found))
        }
        InFact::Unknown => declarations::is_ill_formed(declared, compared).then_some(None),
    }
}

/// Returns `true` if programs do not look at a declaration, because the text begins with a signature.
fn is_moot(convention: Convention, signed: Option<Encoding>) -> bool {
    signed.is_some_and(families::is_wide) && matches!(convention, Convention::Html | Convention::Css)
}
