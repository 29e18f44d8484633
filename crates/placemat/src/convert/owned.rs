//! Whole texts, into a `Vec` or a `String`.

use crate::engine::{Core, Extent, Progress, Status};
use crate::forms::encoding::Encoding;
use crate::forms::{EncodingForm, Utf8};
use crate::ground::code_point::CodePoint;
use crate::ground::error::{ConvertError, Unmappable, UnmappableKind};
use crate::ground::unit::CodeUnit;
use crate::policy::{ErrorPolicy, OnError, OnUnmappable, UnmappablePolicy};
use crate::stream::AnyTranscoder;
use alloc::string::String;
use alloc::vec::Vec;

/// Converts a whole text from the form `F` to the form `T`.
///
/// # Errors
/// If a policy says to stop: where, and why.
pub fn transcode<F: EncodingForm, T: EncodingForm>(
    src: &[F::Unit],
    mut on_error: impl OnError,
    mut on_unmappable: impl OnUnmappable,
) -> Result<Vec<T::Unit>, ConvertError> {
    let mut core = Core::<F, T>::default();
    collect(src, |src, dst| core.run(src, dst, true, Extent::All, &mut on_error, &mut on_unmappable))
}

/// Decodes a whole text of UTF-8 of which `text` is the start, known to be well-formed, and `rest` what follows.
pub(crate) fn decode_on(text: &str, rest: &[u8], mut on_error: impl OnError) -> Result<String, ConvertError> {
    if on_error.is_plain_replacement() {
        return Ok(crate::checked::replaced(text, rest));
    }
    let mut core = Core::<Utf8, Utf8>::after(text.len());
    let bytes = collect_after(text.as_bytes(), rest, |src, dst| {
        core.run(src, dst, true, Extent::All, &mut on_error, &mut UnmappablePolicy::Stop)
    })?;
    Ok(crate::checked::string(bytes))
}

/// Converts a whole text between two encodings chosen at run time.
///
/// # Errors
/// If a policy says to stop: where, and why.
pub fn transcode_bytes(
    src: &[u8],
    from: Encoding,
    to: Encoding,
    on_error: impl OnError,
    on_unmappable: impl OnUnmappable,
) -> Result<Vec<u8>, ConvertError> {
    let mut transcoder = AnyTranscoder::new(from, to, on_error, on_unmappable);
    collect(src, |src, dst| transcoder.convert(src, dst, true))
}

/// Decodes a whole text to a string.
///
/// # Errors
/// If the source is ill-formed and the policy says to stop; or if the policy, or the form, yields code points that are
/// no scalar values, which a string cannot hold.
pub fn decode<F: EncodingForm>(src: &[F::Unit], on_error: impl OnError) -> Result<String, ConvertError> {
    transcode::<F, Utf8>(src, on_error, UnmappablePolicy::Stop).map(crate::checked::string)
}

/// Encodes a whole string.
///
/// # Errors
/// If the form cannot hold a code point and the policy says to stop. Offsets count bytes of `text`.
pub fn encode<T: EncodingForm>(
    text: &str,
    on_unmappable: impl OnUnmappable,
) -> Result<Vec<T::Unit>, Unmappable> {
    transcode::<Utf8, T>(text.as_bytes(), ErrorPolicy::Replace, on_unmappable).map_err(only_unmappable)
}

/// The error of encoding a `str`, which is well-formed; U+FFFD would stand for anything that is not.
pub(crate) fn only_unmappable(e: ConvertError) -> Unmappable {
    match e {
        ConvertError::Unmappable(e) => e,
        ConvertError::IllFormed(e) => {
            Unmappable::new(e.offset(), CodePoint::REPLACEMENT, UnmappableKind::NotHeld)
        }
    }
}

/// Decodes as a browser does (WHATWG Encoding Standard, "decode"): a signature of UTF-8 or UTF-16 decides over
/// `fallback` and is dropped; what is ill-formed becomes U+FFFD. Also returns the encoding that was used.
///
/// ```
/// use placemat::{convert, Encoding};
/// assert_eq!(convert::decode_web(b"\xFF\xFEh\0i\0", Encoding::UTF_8), ("hi".into(), Encoding::UTF_16LE));
/// assert_eq!(convert::decode_web(b"caf\xE9", Encoding::UTF_8).0, "caf\u{FFFD}");
/// ```
#[must_use]
pub fn decode_web(src: &[u8], fallback: Encoding) -> (String, Encoding) {
    let (encoding, start) = match crate::bom::sniff_web(src) {
        Some((encoding, len)) => (encoding, len),
        None => (fallback, 0),
    };
    let bytes = transcode_bytes(
        &src[start..],
        encoding,
        Encoding::UTF_8,
        ErrorPolicy::Replace,
        UnmappablePolicy::Replace,
    );
    // Neither policy ever stops.
    (bytes.map(crate::checked::string).unwrap_or_default(), encoding)
}

/// Calls `run` until it is done, with room that grows as it turns out to be needed.
pub(crate) fn collect<F, T: CodeUnit>(
    src: &[F],
    run: impl FnMut(&[F], &mut [T]) -> Progress,
) -> Result<Vec<T>, ConvertError> {
    collect_after(&[], src, run)
}

/// The same after what is there already, with so much room at first.
fn collect_after<F, T: CodeUnit>(
    before: &[T],
    src: &[F],
    mut run: impl FnMut(&[F], &mut [T]) -> Progress,
) -> Result<Vec<T>, ConvertError> {
    let mut room = src.len() + 16;
    let mut out = Vec::with_capacity(before.len() + room);
    out.extend_from_slice(before);
    let (mut read, mut written) = (0, 0);
    loop {
        out.resize(before.len() + written + room, T::default());
        let p = run(&src[read..], &mut out[before.len() + written..]);
        read += p.read;
        written += p.written;
        match p.status {
            Status::Done | Status::NeedInput => break,
            // What comes next is written whole or not at all, so it may take more than there was.
            Status::NeedOutput if p.read == 0 && p.written == 0 => room = room.saturating_mul(2),
            Status::NeedOutput => {
                // What is left at the rate so far; but never more than as much again, as the rate may have been that of
                // a few long replacements at the start.
                let rate = written / read.max(1) + 1;
                room = (src.len() - read).saturating_mul(rate).min(out.len()).max(64);
            }
            Status::IllFormed(e) => return Err(e.into()),
            Status::Unmappable(e) => return Err(e.into()),
        }
    }
    out.truncate(before.len() + written);
    Ok(out)
}
