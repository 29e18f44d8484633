//! Conversion of whole texts into a `Vec` or a `String`.

use crate::checked::{push_mended, push_patched, start, string, text_start};
use crate::engine::collect::collect_after;
use crate::engine::mend::{ByPolicy, is_mendable};
use crate::engine::once::Answers;
use crate::engine::{Core, Extent, lossy};
use crate::forms::{EncodingForm, Utf8};
use crate::ground::code_point::CodePoint;
use crate::ground::error::{ConvertError, Unmappable, UnmappableKind};
use crate::ground::hints::Engine;
use crate::ground::patch::{Patch, Short};
use crate::policy::{ErrorPolicy, OnError, OnUnmappable, UnmappablePolicy};
use alloc::string::String;
use alloc::vec::Vec;

/// Converts a whole text from the form `F` to the form `T`.
///
/// # Errors
/// If a policy says to stop: the offset and the kind of the error.
///
/// ```
/// use placemat::{ErrorPolicy, Native, UnmappablePolicy, convert, forms::{Latin1, Utf16}};
/// let units = [0x35, 0x20, 0x20AC, 0xD800, 0x21];
/// let (replace, reference) = (ErrorPolicy::Replace, UnmappablePolicy::XmlReference);
/// assert_eq!(convert::transcode::<Utf16<Native>, Latin1>(&units, replace, reference)?, b"5 &#8364;&#65533;!");
/// let e = convert::transcode::<Utf16<Native>, Latin1>(&units, ErrorPolicy::Stop, reference).unwrap_err();
/// assert_eq!((e.offset(), e.code()), (3, "unpaired-lead"));
/// # Ok::<(), placemat::ConvertError>(())
/// ```
#[inline]
pub fn transcode<F: EncodingForm, T: EncodingForm>(
    src: &[F::Unit],
    mut on_error: impl OnError,
    mut on_unmappable: impl OnUnmappable,
) -> Result<Vec<T::Unit>, ConvertError> {
    let is_plain = !on_error.hints(Engine).inspects() && !on_unmappable.hints(Engine).inspects();
    let (out, read) =
        Core::<F, T>::writer().filter(|_| is_plain).map(|writer| start(writer, src)).unwrap_or_default();
    if read == src.len() && !src.is_empty() {
        return Ok(out);
    }
    transcode_rest::<F, T>(out, &src[read..], read, &mut on_error, &mut on_unmappable)
}

/// Converts the `rest` of a text after a kernel converted its first `read` code units to `out`.
#[inline(never)]
fn transcode_rest<F: EncodingForm, T: EncodingForm>(
    out: Vec<T::Unit>,
    rest: &[F::Unit],
    read: usize,
    on_error: &mut dyn OnError,
    on_unmappable: &mut dyn OnUnmappable,
) -> Result<Vec<T::Unit>, ConvertError> {
    let mut core = Core::<F, T>::after(read, out.len());
    let mut answers = Answers::default();
    let (mut on_error, mut on_unmappable) = answers.once(on_error, on_unmappable);
    collect_after(out, rest, |src, dst| {
        core.run(src, dst, true, Extent::All, &mut on_error, &mut on_unmappable)
    })
}

/// Decodes a whole text of UTF-8 that begins with `text`, which is known to be well-formed, and
/// goes on with `rest`.
#[inline]
pub(crate) fn decode_on(text: &str, rest: &[u8], mut on_error: impl OnError) -> Result<String, ConvertError> {
    let whole = text.len() + rest.len();
    let mut answers = Answers::default();
    let mut stop = UnmappablePolicy::Stop;
    let (mut on_error, mut stop) = answers.once(&mut on_error, &mut stop);
    let (mut out, rest) = if on_error.hints(Engine).is_plain_replacement() {
        lossy::replaced(text, rest)
    } else if let Some(patch) = on_error.hints(Engine).patch(rest) {
        lossy::string(text, rest, |out, piece, _| push_patched(out, piece, patch))
    } else if is_mendable(&on_error) {
        lossy::string(text, rest, |out, piece, at| {
            push_mended(out, piece, &mut ByPolicy::new(piece, at as u64, &mut on_error))
        })
    } else {
        let mut core = Core::<Utf8, Utf8>::after(text.len(), text.len());
        let bytes = collect_after(text.as_bytes().to_vec(), rest, |src, dst| {
            core.run(src, dst, true, Extent::All, &mut on_error, &mut stop)
        })?;
        return Ok(string(bytes));
    };
    if !rest.is_empty() {
        // A truncated sequence, or an error at which the policy stops.
        let mut core = Core::<Utf8, Utf8>::after(whole - rest.len(), out.len());
        out.push_str(&string(collect_after(Vec::new(), rest, |src, dst| {
            core.run(src, dst, true, Extent::All, &mut on_error, &mut stop)
        })?));
    }
    Ok(out)
}

/// Decodes a whole text to a string.
///
/// # Errors
/// If the source is ill-formed and the policy stops, or if the policy or the form yields code
/// points that are not scalar values, which a string cannot contain. [`ErrorPolicy::Replace`] and
/// [`Skip`](ErrorPolicy::Skip) replace those too, so they never fail.
#[inline]
pub fn decode<F: EncodingForm>(src: &[F::Unit], on_error: impl OnError) -> Result<String, ConvertError> {
    let writer = Core::<F, Utf8>::writer().filter(|_| !on_error.hints(Engine).inspects());
    let (text, read) = writer.map(|writer| text_start(writer, src)).unwrap_or_default();
    if read == src.len() {
        return Ok(text);
    }
    let (mut into_str, mut on_error) = (into_str(&on_error), on_error);
    transcode_rest::<F, Utf8>(text.into_bytes(), &src[read..], read, &mut on_error, &mut into_str).map(string)
}

/// Returns the policy for decoded code points that are not scalar values: the same replacement as
/// `on_error` writes, if `on_error` replaces all errors by U+FFFD or by nothing.
#[inline]
#[must_use]
pub fn into_str(on_error: &impl OnError) -> UnmappablePolicy<'static> {
    match on_error.hints(Engine).answer {
        Some(Patch::Once(Short::REPLACEMENT)) => UnmappablePolicy::Replace,
        Some(Patch::Once(Short::EMPTY)) => UnmappablePolicy::Skip,
        _ => UnmappablePolicy::Stop,
    }
}

/// Encodes a whole string.
///
/// # Errors
/// If the form cannot represent a code point and the policy says to stop. Offsets count bytes of `text`.
#[inline]
pub fn encode<T: EncodingForm>(
    text: &str,
    on_unmappable: impl OnUnmappable,
) -> Result<Vec<T::Unit>, Unmappable> {
    transcode::<Utf8, T>(text.as_bytes(), ErrorPolicy::Replace, on_unmappable).map_err(only_unmappable)
}

/// Returns the error of encoding a `str`. A `str` is well-formed, so an ill-formed sequence cannot
/// occur; it would become an unmappable U+FFFD.
#[inline]
#[must_use]
pub fn only_unmappable(e: ConvertError) -> Unmappable {
    match e {
        ConvertError::Unmappable(e) => e,
        ConvertError::IllFormed(e) => {
            Unmappable::new(e.offset(), CodePoint::REPLACEMENT, UnmappableKind::NotInRepertoire)
        }
    }
}
