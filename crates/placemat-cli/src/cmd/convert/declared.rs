//! `--declaration fix`: a declaration of the encoding that becomes wrong gets the name of the new encoding.
//!
//! A declaration is looked for at the start of an input, and in a file also at its end; in a mail, in all of it. The label
//! is then a piece of its own: the decoder passes over the old label, and the new one is written in its place, so that all
//! offsets in messages stay those of the input.

use super::args::{Args, DeclarationArg};
use super::signature::Opening;
use super::transfer::Unwrapped;
use crate::common::Common;
use crate::declarations::{
    self, Convention, Declaration, HEAD_BYTES, Kind, MAX_MAIL_BYTES, TAIL_BYTES, name, names_encoding,
};
use crate::families;
use crate::shown::{Name, escaped};
use core::ops::Range;
use placemat::{Encoding, ErrorPolicy};
use std::collections::VecDeque;

/// The bytes of a mail in a stream in which parts are looked for.
const MAX_AHEAD_BYTES: usize = 64 * 1024;

/// A change of a declaration.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub(super) range: Range<u64>,
    /// The new text; `None` if the format has no name for the encoding, and the old one stays.
    pub(super) text: Option<String>,
    convention: Convention,
    /// The old label, and the new one.
    old: String,
    new: String,
}

/// The changes of an input.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// The changes to come, in order.
    pub(super) next: VecDeque<Change>,
    /// The changes made, with their lines and columns.
    pub(super) made: Vec<(u64, u64, Change)>,
}

/// Returns `true` if declarations may have to change.
pub(super) fn is_wanted(args: &Args) -> bool {
    let (from, to) = (args.from.encoding, args.to.encoding);
    let is_same = from == to || families::UTF_8.contains(&from) && families::UTF_8.contains(&to);
    args.declaration == DeclarationArg::Fix && !is_same
}

/// Returns how many bytes of an input are read before it is converted: none of a stream that begins as no text with a
/// declaration does, because its reader may wait for it.
pub(super) fn ahead(name: &Name, head: &[u8], is_file: bool) -> usize {
    match name.path().and_then(Kind::by_name).unwrap_or_else(|| Kind::by_text(head)) {
        Kind::Mail if !is_file => MAX_AHEAD_BYTES,
        Kind::Other if !is_file && !Kind::may_be_told_by(head) => 0,
        _ => HEAD_BYTES,
    }
}

/// Returns the changes of an input that begins with `head`, of which `rest` yields other parts. `is_signed`: the output begins
/// with a signature.
pub(super) fn changes(
    args: &Args,
    opening: &Opening,
    is_signed: bool,
    head: &[u8],
    is_all: bool,
    input: &mut Unwrapped,
) -> Changes {
    let (from, to) = (opening.encoding, args.to.encoding);
    let text = if families::is_wide(from) { from.decode(head, ErrorPolicy::Replace).ok() } else { None };
    let kind = declarations::kind(input.name.path(), text.as_deref().map_or(head, str::as_bytes));
    let declared = if kind == Kind::Mail {
        let whole = if is_all { None } else { input.part(0, MAX_MAIL_BYTES, head.len()) };
        let whole = whole.as_ref().map_or(head, |(whole, _)| whole);
        let mut mail = declarations::of_mail(whole);
        // A part in ASCII is in nearly every encoding.
        mail.retain(|Declaration { found, body }| {
            let body = body.clone().and_then(|body| {
                whole.get(usize::try_from(body.start).ok()?..usize::try_from(body.end).ok()?)
            });
            let is_ascii = body.is_some_and(<[u8]>::is_ascii);
            !(is_ascii && found.encoding.is_some_and(Encoding::is_ascii_compatible))
        });
        mail
    } else {
        let tail = if is_all { None } else { input.tail(TAIL_BYTES, head.len()) };
        let (tail, tail_offset) = match &tail {
            Some((tail, offset)) => (&tail[..], *offset),
            None if is_all => {
                let at = head.len().saturating_sub(TAIL_BYTES);
                (&head[at..], at as u64)
            }
            None => (&[][..], 0),
        };
        declarations::of_text(kind, head, tail, tail_offset, Some(from))
    };
    let is_xml = matches!(kind, Kind::Xml | Kind::Xhtml);
    let has_xml = declared.iter().any(|declaration| declaration.found.convention == Convention::Xml);
    let insert = (is_xml && !has_xml).then(|| insertion(opening, to, is_signed, head)).flatten();
    let renamed = declared.into_iter().filter_map(|Declaration { found, .. }| {
        // A word that is no label is none of a declaration that could be right.
        let declared = found.encoding?;
        if names_encoding(found.convention, declared, to) {
            return None;
        }
        let new = name(found.convention, to, is_signed, &found.label);
        Some(Change {
            range: found.range,
            text: new.clone(),
            convention: found.convention,
            old: found.label,
            new: new.unwrap_or_default(),
        })
    });
    Changes { next: insert.into_iter().chain(renamed).collect(), made: Vec::new() }
}

/// Returns the declaration that a document of XML without one needs in an encoding that is not the default.
fn insertion(opening: &Opening, to: Encoding, is_signed: bool, head: &[u8]) -> Option<Change> {
    let is_default = families::UTF_8.contains(&to) || to == Encoding::US_ASCII;
    if is_default || families::is_wide(to) && is_signed || !families::UTF_8.contains(&opening.encoding) {
        return None;
    }
    let new = name(Convention::Xml, to, is_signed, "")?;
    let skipped = if head.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let text = &head[skipped..];
    let (at, inserted) = if text.starts_with(b"<?xml") {
        // After the version, which is always there.
        let end = memchr::memmem::find(text, b"?>")?;
        let version = memchr::memmem::find(&text[..end], b"version")?;
        let quote = text[version..end].iter().position(|byte| matches!(byte, b'"' | b'\''))? + version;
        let close = text[quote + 1..end].iter().position(|&byte| byte == text[quote])? + quote + 1;
        (close + 1, format!(" encoding=\"{new}\""))
    } else if text.trim_ascii_start().starts_with(b"<") {
        let line_end = match memchr::memchr(b'\n', text) {
            Some(at) if at > 0 && text[at - 1] == b'\r' => "\r\n",
            _ => "\n",
        };
        (0, format!("<?xml version=\"1.0\" encoding=\"{new}\"?>{line_end}"))
    } else {
        return None;
    };
    let at = (skipped + at) as u64;
    Some(Change { range: at..at, text: Some(inserted), convention: Convention::Xml, old: String::new(), new })
}

impl Changes {
    /// Reports the changes that were made, and those that were impossible.
    pub(super) fn conclude(&self, name: &Name, to: Encoding, common: &Common) {
        for (line, column, Change { text, convention, old, new, .. }) in &self.made {
            let (old, convention) = (escaped(old.as_ref()).to_string(), convention.name());
            let message = match text {
                None => format!(
                    "declaration \"{old}\" ({convention}) is wrong for the output, which is {to}: the format has no name for that"
                ),
                Some(_) if old.is_empty() => format!("declaration \"{new}\" inserted ({convention})"),
                Some(_) => format!("declaration \"{old}\" is \"{new}\" in the output ({convention})"),
            };
            common.finding(name, *line, *column, message);
        }
    }
}
