//! Declarations of encodings in the text itself: which of them count, which encoding each names, and whether it is wrong.
//!
//! The library finds all that looks like a declaration. It counts where the kind of the file makes it certain that programs
//! obey it: `charset=` in a program is no header of a mail.

mod kind;
mod mail;
mod names;

pub(crate) use kind::Kind;
pub(crate) use names::{name, names_encoding};

use crate::families;
use placemat::Encoding;
use placemat::internals::declared::{self, Found};
use placemat::policy::ErrorPolicy;
use std::path::Path;

pub(crate) use placemat::internals::declared::Convention;

/// The bytes at the start and at the end of a text in which declarations are looked for.
pub(crate) const HEAD_BYTES: usize = 4096;
pub(crate) const TAIL_BYTES: usize = declared::LAST;
/// The greatest length of a mail whose parts are looked at.
pub(crate) const MAX_MAIL_BYTES: u64 = 32 << 20;

/// A declaration that counts.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    pub(crate) found: Found,
    /// The bytes that the declaration is about, in a mail: the body of the part.
    pub(crate) body: Option<core::ops::Range<u64>>,
}

/// Returns the declarations that count in a text that begins with `head` and ends with `tail`, at `tail_offset`. `wide` is
/// the encoding if its units are not bytes.
pub(crate) fn of_text(
    kind: Kind,
    head: &[u8],
    tail: &[u8],
    tail_offset: u64,
    wide: Option<Encoding>,
) -> Vec<Declaration> {
    let wide = wide.filter(|&wide| families::is_wide(wide));
    // A declaration of XML is right after the signature.
    let signature = wide.map_or(&[][..], Encoding::signature);
    let text = head.strip_prefix(signature).unwrap_or(head);
    let skipped = (head.len() - text.len()) as u64;
    declared::all(text, tail, tail_offset, wide)
        .into_iter()
        .map(|found| Found { range: found.range.start + skipped..found.range.end + skipped, ..found })
        .filter(|found| kind.obeys(found.convention, head, found.range.start))
        .map(|found| Declaration { found, body: None })
        .collect()
}

/// Returns the declarations in the headers of a mail whose bytes are text as they are, not encoded for transfer.
pub(crate) fn of_mail(text: &[u8]) -> Vec<Declaration> {
    mail::parts(text)
        .into_iter()
        .filter_map(|part| {
            let charset = text.get(part.charset.clone())?;
            let charset = core::str::from_utf8(charset).ok()?;
            let found = Found {
                convention: Convention::ContentType,
                label: charset.to_owned(),
                encoding: Encoding::for_label(charset),
                range: part.charset.start as u64..part.charset.end as u64,
            };
            Some(Declaration { found, body: Some(part.body.start as u64..part.body.end as u64) })
        })
        .collect()
}

/// Returns `true` if some text, of which not all is ASCII, reads differently in the declared encoding than in the one that
/// it is in.
pub(crate) fn contradicts(declared: Encoding, found: Encoding, text: &[u8]) -> bool {
    !declared::agrees(declared, found, &[text])
}

/// Returns `true` if bytes that may end within a sequence are ill-formed in an encoding.
pub(crate) fn is_ill_formed(encoding: Encoding, bytes: &[u8]) -> bool {
    encoding.decode(bytes, ErrorPolicy::Stop).is_err_and(|e| match e {
        placemat::ConvertError::IllFormed(e) => !e.is_incomplete(),
        _ => true,
    })
}

/// Returns the kind of a file by its name, or by its start if it has no name that says it.
pub(crate) fn kind(path: Option<&Path>, head: &[u8]) -> Kind {
    path.and_then(Kind::by_name).unwrap_or_else(|| match path {
        Some(path) if path.extension().is_some() => Kind::Other,
        _ => Kind::by_text(head),
    })
}
