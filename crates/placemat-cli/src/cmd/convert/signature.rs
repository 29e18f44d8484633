//! `--bom`: which signatures are dropped, and which is written.
//!
//! In every encoding that has one, U+FEFF at the start of an input is a signature, not text. Unless told otherwise the
//! output begins with one where the target does so by definition, and where the first input did and the target can hold
//! it, unless the label of the target promises that there is none (utf-8n); never with two, and there is none where the inputs
//! meet.
//!
//! A signature is dropped by reading the text as the encoding that begins with one, and kept by reading it as the one
//! that does not: so the library does it, and all offsets stay those of the file.

use super::args::{Args, Bom};
use crate::families::{self, of_both_orders, with_surrogates};
use placemat::stream::Transcoder;
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};

/// The start of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Opening {
    /// The encoding that the input is in, byte order decided.
    pub(super) encoding: Encoding,
    /// The encoding to read it as, so that the signature is dropped or kept.
    pub(super) read_as: Encoding,
    /// The number of bytes that this drops.
    pub(super) dropped: usize,
    /// U+FEFF at the start is dropped from the text, because no encoding does that.
    pub(super) drops_text: bool,
}

impl Opening {
    /// Returns the reading of an input that starts with `head`; `first`: no text precedes it.
    pub(super) fn new(args: &Args, head: &[u8], first: bool) -> Self {
        let candidates = candidates(args.from.encoding);
        let found = candidates.into_iter().find(|encoding| begins(head, *encoding));
        let encoding = found.unwrap_or(candidates[0]);
        let drops = drops(args, first);
        let dropped = if found.is_some() && drops { encoding.signature().len() } else { 0 };
        match signed(encoding) {
            Some(signed) if dropped > 0 => Self { encoding, read_as: signed, dropped, drops_text: false },
            Some(_) => Self { encoding, read_as: encoding, dropped, drops_text: false },
            None => {
                let drops_text = drops && !encoding.signature().is_empty();
                Self { encoding, read_as: encoding, dropped, drops_text }
            }
        }
    }
}

/// Returns `true` if the signature of an input is dropped.
fn drops(args: &Args, first: bool) -> bool {
    let (from, to) = (args.from.encoding, args.to.encoding);
    // The target writes a signature anyway: that keeps the signature of the first input.
    let kept_by_target = first && orders(to).is_some();
    match args.bom {
        Bom::Auto => {
            orders(from).is_some() || !first || args.to.no_signature || kept_by_target || !holds_signature(to)
        }
        Bom::Strip | Bom::Add => true,
        Bom::Keep => kept_by_target,
    }
}

/// Returns `true` if U+FEFF can be written.
fn holds_signature(to: Encoding) -> bool {
    let (d, u) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
    !to.signature().is_empty()
        || Transcoder::new(Encoding::UTF_8, to)
            .on_error(d)
            .on_unmappable(u)
            .transcode("\u{FEFF}".as_bytes())
            .is_ok()
}

/// Returns `true` if a signature may have to be dropped from the text of the inputs; `joined`: there are several.
pub(super) fn may_drop_text(args: &Args, joined: bool) -> bool {
    let from = args.from.encoding;
    let drops = drops(args, true) || joined && drops(args, false);
    drops && !from.signature().is_empty() && orders(from).is_none() && signed(from).is_none()
}

/// Returns the encoding of the output and its signature; a message if a signature is asked for and the encoding has none.
pub(super) fn closing(to: Encoding, bom: Bom) -> Result<(Encoding, &'static [u8]), String> {
    let by_bom = orders(to);
    let encoding = by_bom.map_or(to, |[first, _]| first);
    let signature = encoding.signature();
    match bom {
        Bom::Add if signature.is_empty() => Err(format!("--bom add: {to} has no signature")),
        Bom::Add => Ok((encoding, signature)),
        _ if by_bom.is_some() => Ok((encoding, signature)),
        _ => Ok((encoding, &[])),
    }
}

/// Returns `true` if a text that starts with `head`, and goes on, may or may not begin with a signature.
pub(super) fn undecided(from: Encoding, head: &[u8]) -> bool {
    candidates(from).iter().any(|encoding| {
        let signature = encoding.signature();
        head.len() < signature.len() && signature.starts_with(head)
    })
}

/// Returns the encodings that a text may turn out to be in.
fn candidates(from: Encoding) -> [Encoding; 2] {
    orders(from).unwrap_or([from; 2])
}

/// Returns `true` if a text starts with a signature that this encoding has.
pub(super) fn begins_signed(from: Encoding, head: &[u8]) -> bool {
    candidates(from).into_iter().any(|encoding| begins(head, encoding))
}

/// Returns `true` if a text that begins with the signature of `found`, of UTF-16 or UTF-32, is read as that.
pub(super) fn reads_signed(from: Encoding, found: Encoding) -> bool {
    candidates(from).into_iter().any(|encoding| with_surrogates(encoding) == found)
}

/// Returns `true` if a text without a signature that looks like `found` is read as `found`.
pub(super) fn reads_unsigned(from: Encoding, found: Encoding) -> bool {
    with_surrogates(candidates(from)[0]) == found
}

fn begins(head: &[u8], encoding: Encoding) -> bool {
    let signature = encoding.signature();
    !signature.is_empty() && head.starts_with(signature)
}

/// Returns the encodings of the text after the signature of an encoding that begins with one. The first is the default without
/// a signature, and the one that is written.
fn orders(encoding: Encoding) -> Option<[Encoding; 2]> {
    if encoding == Encoding::UTF_8_BOM { Some([Encoding::UTF_8; 2]) } else { families::orders(encoding) }
}

/// Returns the encoding that reads the same text and drops a signature.
fn signed(encoding: Encoding) -> Option<Encoding> {
    if encoding == Encoding::UTF_8 {
        return Some(Encoding::UTF_8_BOM);
    }
    of_both_orders(encoding).filter(|&of_both| of_both != encoding)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_signature_can_be_dropped() {
        for &encoding in Encoding::ALL {
            if orders(encoding).is_some() || signed(encoding).is_some() {
                assert!(!encoding.signature().is_empty(), "{encoding}");
            } else if !encoding.signature().is_empty() {
                // Dropped as text: it must be that.
                let signature = encoding.signature();
                let (d, u) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
                let text = Transcoder::new(encoding, Encoding::UTF_8)
                    .on_error(d)
                    .on_unmappable(u)
                    .transcode(signature);
                assert_eq!(text.as_deref(), Ok("\u{FEFF}".as_bytes()), "{encoding}");
            }
        }
    }
}
