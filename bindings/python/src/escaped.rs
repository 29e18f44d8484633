//! Encodes text with bytes that `surrogateescape` escaped: U+DC80 to U+DCFF become the bytes again.

use crate::codes::Codes;
use crate::raw::alone;
use crate::view::View;
use placemat::convert::transcode_into;
use placemat::forms::{Utf8, Utf16, Utf32};
use placemat::stream::Status;
use placemat::{Encoding, EncodingForm, ErrorPolicy, Native, UnmappablePolicy};

/// Returns the byte of an escape.
fn escaped(c: u32) -> Option<u8> {
    (c & 0xFFFF_FF80 == 0xDC80).then_some(c.to_le_bytes()[0])
}

/// Encodes a whole text; returns `None` for encodings with states, and if there is an error to
/// report.
pub(crate) fn encode(view: View<'_>, encoding: Encoding) -> Option<Vec<u8>> {
    if encoding == Encoding::UTF_8 {
        return match view {
            // No code point is a surrogate.
            View::Ascii(_) | View::Latin1(_) => None,
            View::Bmp(units) => alone(units.len(), || utf8::<Utf16<Native>>(units, 3)),
            View::Full(units) => alone(units.len(), || utf8::<Utf32<Native>>(units, 4)),
        };
    }
    if !encoding.takes_escapes() {
        return None;
    }
    let mut codes = Codes::of(encoding)?;
    alone(view.len(), || match view {
        View::Ascii(units) | View::Latin1(units) => by_codes(units, &mut codes),
        View::Bmp(units) => by_codes(units, &mut codes),
        View::Full(units) => by_codes(units, &mut codes),
    })
}

fn by_codes<U: Copy + Into<u32>>(units: &[U], codes: &mut Codes) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(2 * units.len());
    let mut rest = units;
    loop {
        rest = &rest[codes.put(rest, &mut out)..];
        let Some((&unit, after)) = rest.split_first() else { return Some(out) };
        out.push(escaped(unit.into())?);
        rest = after;
    }
}

/// Encodes as UTF-8, run by run between surrogates, of which no two are a pair. Each code unit takes
/// `most` bytes at most.
fn utf8<F: EncodingForm>(units: &[F::Unit], most: usize) -> Option<Vec<u8>>
where
    F::Unit: Copy + Into<u32>,
{
    let mut out = vec![0; most * units.len()];
    let (mut rest, mut written) = (units, 0);
    loop {
        let len = before_surrogate(rest);
        let (run, after) = rest.split_at(len);
        let p =
            transcode_into::<F, Utf8>(run, &mut out[written..], ErrorPolicy::Stop, UnmappablePolicy::Stop);
        if p.status != Status::Done {
            return None;
        }
        written += p.written;
        let Some((&surrogate, more)) = after.split_first() else { break };
        out[written] = escaped(surrogate.into())?;
        written += 1;
        rest = more;
    }
    out.truncate(written);
    Some(out)
}

/// Returns the number of code units before the first surrogate.
fn before_surrogate<U: Copy + Into<u32>>(units: &[U]) -> usize {
    const BLOCK_UNITS: usize = 32;
    let is_surrogate = |&unit: &U| unit.into() & 0xFFFF_F800 == 0xD800;
    // Each block is searched without an early exit, so that the compiler uses vectors.
    let without = |block: &&[U]| !block.iter().fold(false, |any, unit| any | is_surrogate(unit));
    let (blocks, _) = units.as_chunks::<BLOCK_UNITS>();
    let whole = blocks.iter().map(<[U; BLOCK_UNITS]>::as_slice).take_while(without).count() * BLOCK_UNITS;
    whole + units[whole..].iter().take_while(|unit| !is_surrogate(unit)).count()
}
