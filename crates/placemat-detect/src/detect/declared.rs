//! Declarations of the encoding in the text itself, by the conventions of its kind.
//!
//! | convention | place | specified in |
//! | --- | --- | --- |
//! | XML declaration | at the start, also in UTF-16, UTF-32 and EBCDIC | XML 1.0, appendix F |
//! | CSS | at the start | CSS Syntax, section 3.2 |
//! | cookie of Emacs, Python or Ruby | the first two lines | PEP 263; the manual of Emacs |
//! | HTML meta | the first 4 KiB | HTML Standard, section 4.2.5.4 |
//! | Content-Type | a header in the first 4 KiB, also in a PO file | RFC 2045; the manual of gettext |
//! | POD | a line in the first 4 KiB | perlpod |
//! | LaTeX | a line in the first 4 KiB | the documentation of inputenc |
//! | modeline of Vim | the first and the last five lines | the manual of Vim |
//! | local variables of Emacs | the last 3000 bytes | the manual of Emacs |
//! | script of Vim | `scriptencoding` at the start of one of the first lines | the manual of Vim |
//! | spelling and hyphenation | `SET` in the first lines; a first line that is a label | hunspell(5); hyphen |
//! | pragma of Perl | `use utf8` or `use encoding` in the first 4 KiB | perldoc utf8, encoding |
//! | magic comment of TeX editors | `% !TeX encoding = …` in the first lines | the manuals of TeXShop and TeXworks |
//! | assignment of a charset | `charset`, `coding-system` or `codepage` with a label, in the first 4 KiB | none |
//!
//! Text in encodings without the bytes of ASCII is decoded first.

mod conventions;
mod find;

use self::conventions::{in_head, in_tail};
use super::certain::{UTF_16, UTF_32};
use super::verdict::Declared;
use alloc::borrow::{Cow, ToOwned as _};
use alloc::string::String;
use alloc::vec::Vec;
use placemat_charsets::Encoding;
use placemat_core::policy::ErrorPolicy;

pub use self::conventions::{Convention, Found};

/// The bytes at the start in which declarations are looked for.
const FIRST: usize = 4096;
/// The bytes at the end in which declarations are looked for.
pub const LAST: usize = 3000;

/// Returns the declaration in a stream that begins with `head` and ends with `tail`, its last [`LAST`] bytes, at
/// `tail_offset`. `wide` is the encoding if it is known to be UTF-16 or UTF-32.
pub(super) fn declared(
    head: &[u8],
    tail: &[u8],
    tail_offset: u64,
    wide: Option<Encoding>,
) -> Option<Declared> {
    let found = search(head, tail, tail_offset, wide, &mut |_| true)?;
    let Found { convention, label, encoding, range } = found;
    let convention = convention.name();
    Some(Declared { convention, label, encoding, offset: range.start, contradicted: false })
}

/// Returns all declarations of a stream, as `declared` finds the first of them.
#[must_use]
pub fn all(head: &[u8], tail: &[u8], tail_offset: u64, wide: Option<Encoding>) -> Vec<Found> {
    let mut all: Vec<Found> = Vec::new();
    let mut take = |found: &Found| {
        // The end of a short text is its head, too.
        if !all.iter().any(|other| other.range == found.range) {
            all.push(found.clone());
        }
        false
    };
    search(head, tail, tail_offset, wide, &mut take);
    all.sort_by_key(|found| found.range.start);
    all
}

/// Returns the first declaration that is wanted, by the order of the conventions.
fn search(
    head: &[u8],
    tail: &[u8],
    tail_offset: u64,
    wide: Option<Encoding>,
    wants: &mut dyn FnMut(&Found) -> bool,
) -> Option<Found> {
    let head = &head[..head.len().min(FIRST)];
    if let Some((encoding, unit)) = not_ascii(head, wide) {
        let text = encoding.decode(head, ErrorPolicy::Replace).ok()?;
        let units = |text: &str| match unit {
            2 => 2 * text.encode_utf16().count(),
            _ => unit * text.chars().count(),
        };
        // A signature is no part of the decoded text.
        let signed = if head.starts_with(encoding.signature()) { encoding.signature().len() } else { 0 };
        let signed = if text.starts_with('\u{FEFF}') { 0 } else { signed };
        return in_head(text.as_bytes(), &mut |convention, place| {
            let before = signed + units(text.get(..place.at)?);
            Some(made(convention, place.label, before as u64, unit)).filter(|found| wants(found))
        });
    }
    let signed = head.strip_prefix(b"\xEF\xBB\xBF");
    let text = signed.unwrap_or(head);
    let skipped = head.len() - text.len();
    let in_head = in_head(text, &mut |convention, place| {
        let found = made(convention, place.label, (skipped + place.at) as u64, 1);
        Some(found).filter(|found| wants(found))
    });
    in_head.or_else(|| {
        in_tail(tail, &mut |convention, place| {
            let found = made(convention, place.label, tail_offset + place.at as u64, 1);
            Some(found).filter(|found| wants(found))
        })
    })
}

/// Returns the encoding by which a head that is not ASCII-compatible can be read, and the bytes of a character of ASCII in
/// it.
fn not_ascii(head: &[u8], wide: Option<Encoding>) -> Option<(Encoding, usize)> {
    if let Some(encoding) = wide {
        if UTF_16.contains(&encoding) {
            return Some((encoding, 2));
        }
        if UTF_32.contains(&encoding) {
            return Some((encoding, 4));
        }
    }
    // `<?xml` in all pages of EBCDIC, whose letters and digits of ASCII agree.
    head.starts_with(b"\x4C\x6F\xA7\x94\x93").then_some((Encoding::IBM037, 1))
}

fn made(convention: Convention, label: &[u8], start: u64, unit: usize) -> Found {
    let range = start..start + (label.len() * unit) as u64;
    let label = core::str::from_utf8(label).unwrap_or_default();
    let encoding = convention.meaning(label);
    Found { convention, label: label.to_owned(), encoding, range }
}

impl Declared {
    /// Returns `true` if programs that use the file depend on the declaration, so that a wrong one would have been
    /// noticed.
    pub(super) fn is_working(&self) -> bool {
        [Convention::Spelling, Convention::Hyphenation, Convention::VimScript]
            .iter()
            .any(|convention| convention.name() == self.convention)
    }
}

/// Returns `true` if the encoding reads the bytes as the declared one does.
#[must_use]
pub fn agrees(declared: Encoding, found: Encoding, texts: &[&[u8]]) -> bool {
    let is_utf8 = |encoding| [Encoding::UTF_8, Encoding::UTF_8_BOM].contains(&encoding);
    let form = |encoding: Encoding| {
        let name = encoding.name();
        ["UTF-16", "UTF-32", "UCS-2", "UCS-4"].into_iter().find(|form| name.starts_with(form))
    };
    let read = |encoding: Encoding, text: &[u8]| -> Option<String> {
        encoding.decode(text, ErrorPolicy::Replace).ok().map(Cow::into_owned)
    };
    declared == found
        || (declared.is_ascii_compatible() && found == Encoding::US_ASCII)
        || (is_utf8(declared) && is_utf8(found))
        || match (form(declared), form(found)) {
            // A declaration of UTF-16 leaves the order to the signature.
            (Some(a), Some(b)) => a[4..] == b[4..] || declared.name().len() == a.len(),
            (None, None) => texts.iter().all(|text| read(declared, text) == read(found, text)),
            _ => false,
        }
}
