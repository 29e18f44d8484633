//! Encodes in single-byte encodings where some of the text cannot be represented, directly from the
//! code units of a `str`: by stock policies, and by handlers.
//!
//! A run of such characters costs as little as other text. The library's engine, which serves all
//! encodings, would begin again after each.

use crate::errors;
use crate::handlers::{Found, Put, Registered, place};
use crate::inverse::{Inverse, low};
use crate::meanwhile::MIN_UNLOCKED_UNITS;
use crate::new_bytes::{NewBytes, Writer};
use crate::raw::{self, Raised, alone};
use crate::table::Table;
use crate::view::{Held, View};
use placemat::stream::{Status, Transcoder};
use placemat::{Encoding, ErrorPolicy, Replacement, UnmappablePolicy};
use pyo3::prelude::*;
use pyo3::types::PyString;

/// Converted in one step, in code points. Its result stays in the cache.
const STEP_POINTS: usize = 16 << 10;
/// The GIL is released, and signals are handled, for this many code points at a time.
const SIGNAL_STEP_POINTS: usize = 1 << 20;

/// A stock policy for code points without a byte.
enum Policy {
    /// This byte.
    Byte(u8),
    Skip,
    /// `&#8364;`, with the bytes of ASCII.
    Reference(Ascii),
    /// `\u20ac`.
    Escape,
}

/// The bytes of the code points of ASCII; 0 for those that the encoding lacks.
type Ascii = [u8; 128];

/// The longest replacement: `\U0010ffff` and `&#1114111;`.
const LONGEST: usize = 10;

impl Policy {
    fn of(policy: UnmappablePolicy<'_>, inverse: &Inverse) -> Option<Self> {
        let digits = |needed: &[u8]| {
            inverse.ascii(needed)?;
            let mut known: Ascii = [0; 128];
            for (byte, c) in known.iter_mut().zip(0..) {
                *byte = u8::try_from(inverse.byte(c)).unwrap_or(0);
            }
            Some(known)
        };
        Some(match policy {
            UnmappablePolicy::ReplaceWith(by) if by == Replacement::QUESTION => {
                Self::Byte(inverse.ascii(b"?")?[0])
            }
            UnmappablePolicy::Skip => Self::Skip,
            UnmappablePolicy::XmlReference => Self::Reference(digits(b"&#0123456789;")?),
            UnmappablePolicy::HexEscape => {
                const NEEDED: &[u8] = b"\\xuU0123456789abcdef";
                (inverse.ascii(NEEDED)? == NEEDED).then_some(Self::Escape)?
            }
            _ => return None,
        })
    }

    /// Converts a piece into `dst`, which has room for the longest result. Returns the number of
    /// bytes.
    #[inline(always)]
    fn convert<U: Copy + Into<u32>>(&self, units: &[U], dst: &mut [u8], byte: impl Fn(u32) -> u16) -> usize {
        match self {
            Self::Byte(other) => {
                for (to, &unit) in dst.iter_mut().zip(units) {
                    let byte = byte(unit.into());
                    *to = if byte < Inverse::NONE { low(byte) } else { *other };
                }
                units.len()
            }
            Self::Skip => {
                let mut written = 0;
                for &unit in units {
                    let byte = byte(unit.into());
                    dst[written] = low(byte);
                    written += usize::from(byte < Inverse::NONE);
                }
                written
            }
            Self::Reference(ascii) => spelled(units, dst, byte, |c, dst| reference(c, ascii, dst)),
            Self::Escape => spelled(units, dst, byte, escape),
        }
    }

    /// Returns the number of bytes of a piece, or more.
    #[inline(always)]
    fn len<U: Copy + Into<u32>>(&self, units: &[U], byte: impl Fn(u32) -> u16) -> usize {
        let spelled = |len: fn(u32) -> usize| {
            let one = |&unit: &U| if byte(unit.into()) < Inverse::NONE { 1 } else { len(unit.into()) };
            units.iter().map(one).sum()
        };
        match self {
            Self::Byte(_) | Self::Skip => units.len(),
            Self::Reference(_) => spelled(reference_len),
            Self::Escape => spelled(|c| 4 + 2 * usize::from(c > 0xFF) + 4 * usize::from(c > 0xFFFF)),
        }
    }

    fn longest(&self) -> usize {
        if matches!(self, Self::Byte(_) | Self::Skip) { 1 } else { LONGEST }
    }
}

/// Converts a piece; `spell` writes what replaces a code point, and returns its length.
#[inline(always)]
fn spelled<U: Copy + Into<u32>>(
    units: &[U],
    dst: &mut [u8],
    byte: impl Fn(u32) -> u16,
    spell: impl Fn(u32, &mut [u8; LONGEST]) -> usize,
) -> usize {
    let (mut written, mut at) = (0, 0);
    while at < units.len() {
        // Two loops, so that the processor predicts the runs.
        while let (Some(&unit), Some(to)) = (units.get(at), dst.get_mut(written)) {
            let byte = byte(unit.into());
            if byte == Inverse::NONE {
                break;
            }
            *to = low(byte);
            (at, written) = (at + 1, written + 1);
        }
        while let (Some(&unit), Some(room)) = (units.get(at), dst[written..].first_chunk_mut()) {
            if byte(unit.into()) != Inverse::NONE {
                break;
            }
            written += spell(unit.into(), room);
            at += 1;
        }
    }
    written
}

fn reference_len(c: u32) -> usize {
    4 + [9, 99, 999, 9_999, 99_999, 999_999].iter().filter(|&&most| c > most).count()
}

/// Writes `&#8364;`.
#[inline(always)]
fn reference(c: u32, ascii: &Ascii, dst: &mut [u8; LONGEST]) -> usize {
    let digits = reference_len(c) - 3;
    (dst[0], dst[1]) = (ascii[usize::from(b'&')], ascii[usize::from(b'#')]);
    let mut rest = c;
    for to in dst[2..2 + digits].iter_mut().rev() {
        *to = ascii[usize::from(b'0') + (rest % 10) as usize];
        rest /= 10;
    }
    dst[2 + digits] = ascii[usize::from(b';')];
    digits + 3
}

/// Returns the last four hexadecimal digits of a number in ASCII, the first of them in the lowest
/// byte.
#[inline(always)]
fn hex(c: u32) -> u32 {
    let digits = (c >> 12 & 0xF) | (c & 0xF00) | (c << 12 & 0xF_0000) | (c << 24 & 0xF00_0000);
    let letters = (digits + 0x0606_0606) >> 4 & 0x0101_0101;
    digits + 0x3030_3030 + letters * u32::from(b'a' - b'9' - 1)
}

/// Writes `\xe9`, `\u20ac` or `\U0001f600`.
#[inline(always)]
fn escape(c: u32, dst: &mut [u8; LONGEST]) -> usize {
    let low = hex(c).to_le_bytes();
    if c > 0xFFFF {
        dst[..2].copy_from_slice(b"\\U");
        dst[2..6].copy_from_slice(&hex(c >> 16).to_le_bytes());
        dst[6..].copy_from_slice(&low);
        return 10;
    }
    if c > 0xFF {
        dst[..2].copy_from_slice(b"\\u");
        dst[2..6].copy_from_slice(&low);
        return 6;
    }
    dst[..2].copy_from_slice(b"\\x");
    dst[2..4].copy_from_slice(&low[2..]);
    4
}

/// Converts all code units.
fn all<U: Copy + Into<u32> + Sync>(
    units: &[U],
    inverse: &Inverse,
    policy: &Policy,
) -> Result<NewBytes, Raised> {
    let own = inverse.own;
    let own_byte = |c: u32| if c < own { u16::from(c.to_le_bytes()[0]) } else { Inverse::NONE };
    let lens = units.chunks(SIGNAL_STEP_POINTS).map(|part| {
        alone(part.len(), || {
            raw::by_wide_vectors(|| match own {
                0 => policy.len(part, |c| inverse.byte(c)),
                _ => policy.len(part, own_byte),
            })
        })
    });
    let mut new = Writer::new(Some(lens.sum()))?;
    let mut buffer = vec![0; policy.longest() * STEP_POINTS.min(units.len()) + LONGEST];
    let mut written = 0;
    for part in units.chunks(SIGNAL_STEP_POINTS) {
        let room = &mut new.bytes()[written..];
        written += alone(part.len(), || {
            part.chunks(STEP_POINTS).fold(0, |at, piece| {
                let len = raw::by_wide_vectors(|| match own {
                    0 => policy.convert(piece, &mut buffer, |c| inverse.byte(c)),
                    _ => policy.convert(piece, &mut buffer, own_byte),
                });
                room[at..at + len].copy_from_slice(&buffer[..len]);
                at + len
            })
        });
        raw::check_signals()?;
    }
    new.finish(written)
}

/// Encodes a text in a single-byte encoding by a stock policy; returns `None` for other encodings
/// and policies.
pub(crate) fn encode(
    view: View<'_>,
    encoding: Encoding,
    policy: UnmappablePolicy<'_>,
) -> Option<Result<NewBytes, Raised>> {
    if encoding.max_bytes() != 1 {
        return None;
    }
    let inverse = Table::of(encoding)?.inverse()?;
    let policy = Policy::of(policy, inverse)?;
    Some(match view {
        View::Ascii(units) | View::Latin1(units) => all(units, inverse, &policy),
        View::Bmp(units) => all(units, inverse, &policy),
        View::Full(units) => all(units, inverse, &policy),
    })
}

/// Encodes code units until one has no byte. Returns their number.
fn run<U: Copy + Into<u32> + Sync>(units: &[U], inverse: &Inverse, out: &mut Vec<u8>) -> usize {
    let before = out.len();
    for &unit in units {
        let Ok(byte) = u8::try_from(inverse.byte(unit.into())) else { break };
        out.push(byte);
    }
    out.len() - before
}

/// Returns the number of code units up to one that has a byte.
fn lacking<U: Copy + Into<u32>>(units: &[U], inverse: &Inverse) -> usize {
    units.iter().take_while(|&&unit| inverse.byte(unit.into()) == Inverse::NONE).count()
}

/// Calls `f` with the code units of a view from an index on.
macro_rules! from {
    ($view:expr, $at:expr, |$units:ident| $f:expr) => {
        match $view {
            View::Ascii($units) | View::Latin1($units) => {
                let $units = &$units[$at..];
                $f
            }
            View::Bmp($units) => {
                let $units = &$units[$at..];
                $f
            }
            View::Full($units) => {
                let $units = &$units[$at..];
                $f
            }
        }
    };
}

/// Encodes a text in a single-byte encoding, and asks a handler for each run of code points that
/// it cannot represent; returns `None` for other encodings.
pub(crate) fn encode_by_handler(
    text: &Bound<'_, PyString>,
    encoding: Encoding,
    handler: &Registered,
) -> Option<PyResult<Vec<u8>>> {
    if encoding.max_bytes() != 1 {
        return None;
    }
    let inverse = Table::of(encoding)?.inverse()?;
    Some(by_handler(text, encoding, inverse, handler))
}

fn by_handler(
    text: &Bound<'_, PyString>,
    encoding: Encoding,
    inverse: &Inverse,
    handler: &Registered,
) -> PyResult<Vec<u8>> {
    let py = text.py();
    let held = Held::of(text)?;
    let view = held.view();
    let mut out = Vec::with_capacity(view.len());
    let mut at = 0;
    let mut found: Option<Found<'_>> = None;
    // Most texts have another error soon: it is not worth while to release the GIL before that.
    let mut near = MIN_UNLOCKED_UNITS;
    let mut judge = Transcoder::new(raw::UTF_32, encoding).on_error(ErrorPolicy::SurrogatePass);
    // Texts have few characters that begin a run: their reasons, by the low bits.
    let mut reasons: [Option<(u32, errors::Reason<'_>)>; 64] = [const { None }; 64];
    loop {
        let (len, read) = from!(view, at, |units| {
            let units = &units[..units.len().min(near)];
            (units.len(), alone(units.len(), || run(units, inverse, &mut out)))
        });
        at += read;
        if at == view.len() {
            return Ok(out);
        }
        near = if read == len { usize::MAX } else { MIN_UNLOCKED_UNITS };
        if read == len {
            continue;
        }
        let len = from!(view, at, |units| lacking(units, inverse));
        let c = view.code_point(at);
        let mut judged = || {
            judge.reset();
            match judge.convert(raw::bytes_of(&[c]), &mut [0; 64], true).status {
                Status::Unmappable(error) => error,
                _ => unreachable!("the table has no byte for U+{c:04X}"),
            }
        };
        if let Some(found) = &mut found {
            let known = &mut reasons[c as usize % 64];
            if known.as_ref().is_none_or(|known| known.0 != c) {
                let error = judged();
                *known = Some((c, errors::Reason::new(py, &error.reason().to_string(), error.code())));
            }
            let Some((_, reason)) = known else { continue };
            found.error.set((at, at + len), reason)?;
        } else {
            let judged = judged();
            let error = errors::encode_error(encoding, text, (at, at + len), at as u64, &judged, "")?;
            found = Some(handler.find(error, judged.code())?);
        }
        let Some(found) = &found else { continue };
        let (put, position) = found.encode()?;
        match put {
            Put::Bytes(bytes) => out.extend_from_slice(bytes.as_bytes()),
            Put::Text(put) => {
                let held = Held::of(&put)?;
                let put = held.view();
                if from!(put, 0, |units| run(units, inverse, &mut out)) < put.len() {
                    return Err(PyErr::from_value(found.error.object.clone()));
                }
            }
        }
        at = place(position, view.len())?;
        py.check_signals()?;
    }
}
