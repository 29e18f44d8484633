//! Encodes in single-byte encodings where some of the text cannot be represented, directly from the
//! code units of a `str`, by stock policies.
//!
//! A run of such characters costs as little as other text. The library's engine, which serves all
//! encodings, would begin again after each.

use crate::inverse::{Inverse, low};
use crate::new_bytes::NewBytes;
use crate::raw::{self, Raised, alone};
use crate::table::Table;
use crate::view::View;
use crate::writer::Writer;
use placemat::{Encoding, Replacement, UnmappablePolicy};

/// Converted in one step, in code points. Its result stays in the cache.
const STEP_POINTS: usize = 16 << 10;
/// The GIL is released, and signals are handled, for this many code points at a time.
const SIGNAL_STEP_POINTS: usize = 1 << 20;

/// A stock policy for code points without a byte.
enum Policy {
    /// This byte.
    Byte(u8),
    Skip,
    /// The byte that `surrogateescape` escaped. Other code points are errors.
    Escaped,
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
    fn of(policy: UnmappablePolicy<'_>, encoding: Encoding, inverse: &Inverse) -> Option<Self> {
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
            UnmappablePolicy::SurrogateEscapeUnchecked if encoding.takes_escapes() => Self::Escaped,
            UnmappablePolicy::XmlReference => Self::Reference(digits(b"&#0123456789;")?),
            UnmappablePolicy::HexEscape => {
                const NEEDED: &[u8] = b"\\xuU0123456789abcdef";
                (inverse.ascii(NEEDED)? == NEEDED).then_some(Self::Escape)?
            }
            _ => return None,
        })
    }

    /// Converts a piece into `dst`, which has room for the longest result. Returns the number of
    /// bytes; `None` at an error.
    #[inline(always)]
    fn convert<U: Copy + Into<u32>>(
        &self,
        units: &[U],
        dst: &mut [u8],
        byte: impl Fn(u32) -> u16,
    ) -> Option<usize> {
        Some(match self {
            Self::Escaped => {
                let mut is_wrong = false;
                for (to, &unit) in dst.iter_mut().zip(units) {
                    let (c, byte) = (unit.into(), byte(unit.into()));
                    let is_escape = c & 0xFFFF_FF80 == 0xDC80;
                    is_wrong |= byte == Inverse::NONE && !is_escape;
                    *to = if is_escape { c.to_le_bytes()[0] } else { low(byte) };
                }
                if is_wrong {
                    return None;
                }
                units.len()
            }
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
        })
    }

    /// Returns the number of bytes of a piece, or more.
    #[inline(always)]
    fn len<U: Copy + Into<u32>>(&self, units: &[U], byte: impl Fn(u32) -> u16) -> usize {
        let spelled = |len: fn(u32) -> usize| {
            let one = |&unit: &U| if byte(unit.into()) < Inverse::NONE { 1 } else { len(unit.into()) };
            units.iter().map(one).sum()
        };
        match self {
            Self::Byte(_) | Self::Skip | Self::Escaped => units.len(),
            Self::Reference(_) => spelled(reference_len),
            Self::Escape => spelled(|c| 4 + 2 * usize::from(c > 0xFF) + 4 * usize::from(c > 0xFFFF)),
        }
    }

    fn longest(&self) -> usize {
        if matches!(self, Self::Byte(_) | Self::Skip | Self::Escaped) { 1 } else { LONGEST }
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
    let low = u64::from(hex(c));
    let mut put = |letter: u8, digits: u64| {
        let all = u64::from(b'\\') | u64::from(letter) << 8 | digits << 16;
        dst[..8].copy_from_slice(&all.to_le_bytes());
    };
    if c > 0xFFFF {
        put(b'U', u64::from(hex(c >> 16)));
        dst[6..].copy_from_slice(&hex(c).to_le_bytes());
        return 10;
    }
    if c > 0xFF {
        put(b'u', low);
        return 6;
    }
    put(b'x', low >> 16);
    4
}

/// Converts all code units; returns `None` at an error.
fn all<U: Copy + Into<u32> + Sync>(
    units: &[U],
    inverse: &Inverse,
    policy: &Policy,
) -> Result<Option<NewBytes>, Raised> {
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
        let more = alone(part.len(), || {
            part.chunks(STEP_POINTS).try_fold(0, |at, piece| {
                let len = raw::by_wide_vectors(|| match own {
                    0 => policy.convert(piece, &mut buffer, |c| inverse.byte(c)),
                    _ => policy.convert(piece, &mut buffer, own_byte),
                })?;
                room[at..at + len].copy_from_slice(&buffer[..len]);
                Some(at + len)
            })
        });
        let Some(more) = more else { return Ok(None) };
        written += more;
        raw::check_signals()?;
    }
    new.finish(written).map(Some)
}

/// Encodes a text in a single-byte encoding by a stock policy; returns `None` for other encodings
/// and policies, and if there is an error to report.
pub(crate) fn encode(
    view: View<'_>,
    encoding: Encoding,
    policy: UnmappablePolicy<'_>,
) -> Option<Result<NewBytes, Raised>> {
    if encoding.max_bytes() != 1 {
        return None;
    }
    let inverse = Table::of(encoding)?.inverse()?;
    let policy = Policy::of(policy, encoding, inverse)?;
    let encoded = match view {
        View::Ascii(units) | View::Latin1(units) => all(units, inverse, &policy),
        View::Bmp(units) => all(units, inverse, &policy),
        View::Full(units) => all(units, inverse, &policy),
    };
    encoded.transpose()
}
