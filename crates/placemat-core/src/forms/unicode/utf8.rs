//! UTF-8, strict. RFC 3629; the Unicode Standard, chapter 3, D92, Table 3-6 and Table 3-7; ISO/IEC 10646 clause 9.
//!
//! | code points | 1st | 2nd | 3rd | 4th |
//! | --- | --- | --- | --- | --- |
//! | 0000..007F | 00..7F | | | |
//! | 0080..07FF | C2..DF | 80..BF | | |
//! | 0800..0FFF | E0 | A0..BF | 80..BF | |
//! | 1000..CFFF | E1..EC | 80..BF | 80..BF | |
//! | D000..D7FF | ED | 80..9F | 80..BF | |
//! | E000..FFFF | EE..EF | 80..BF | 80..BF | |
//! | 10000..3FFFF | F0 | 90..BF | 80..BF | 80..BF |
//! | 40000..FFFFF | F1..F3 | 80..BF | 80..BF | 80..BF |
//! | 100000..10FFFF | F4 | 80..8F | 80..BF | 80..BF |
//!
//! The decoder accepts exactly this. Noncharacters are well-formed (Corrigendum 9), and an initial
//! U+FEFF is text: [`ByBom<Utf8, Utf8>`](crate::forms::ByBom) is the form that drops it. Known to
//! disagree: some versions of `iconv`, glibc's among them, accept F4 90 80 80; `MySQL`'s `utf8`
//! refuses code points above U+FFFF; Java's `DataInput` and Perl's lax `utf8` are other forms of
//! the same name.

use crate::forms::facts::LikeUtf8;
use crate::forms::form::{Bulk, EncodeStep, EncodingForm, Facts, Form, Names, Repertoire, Step};
use crate::forms::names::labels;
use crate::forms::unicode::by_bom::{ByBom, Signed};
use crate::ground::code_point::CodePoint;
use crate::ground::error::IllFormedKind;
use crate::ground::policy::Span;

/// UTF-8 as RFC 3629 and the Unicode Standard define it. Its code unit is the byte.
#[derive(Clone, Copy, Debug, Default)]
pub struct Utf8;

/// Returns the range of the byte after a lead byte, and the error for a continuation byte outside
/// of it.
const fn second_byte(lead: u8) -> (u8, u8, IllFormedKind) {
    match lead {
        0xE0 => (0xA0, 0xBF, IllFormedKind::Overlong(3)),
        0xED => (0x80, 0x9F, IllFormedKind::Surrogate),
        0xF0 => (0x90, 0xBF, IllFormedKind::Overlong(4)),
        0xF4 => (0x80, 0x8F, IllFormedKind::TooLarge),
        _ => (0x80, 0xBF, IllFormedKind::Truncated),
    }
}

/// Returns `true` for a byte 10xxxxxx.
#[inline(always)]
#[must_use]
pub const fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// Returns the length of the well-formed multi-byte sequences that begin with `lead`, or `None` if
/// there are none.
#[must_use]
#[inline]
pub const fn sequence_len(lead: u8) -> Option<usize> {
    match lead {
        0xC2..=0xF4 => Some(nominal_len(lead)),
        _ => None,
    }
}

/// Returns the length that a first byte announces, by the six-byte table of RFC 2279, or 1 if it
/// announces none.
#[must_use]
#[inline]
pub const fn nominal_len(lead: u8) -> usize {
    match lead {
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF7 => 4,
        0xF8..=0xFB => 5,
        0xFC..=0xFD => 6,
        _ => 1,
    }
}

/// Decodes one step at the start of `src`, which is not empty.
#[inline]
#[must_use]
pub fn decode_step(src: &[u8]) -> Step {
    let Some(&lead) = src.first() else { return Step::Incomplete { needs: 1 } };
    let ill_formed = |len, seen, kind| Step::IllFormed { len, seen, kind };
    let len = match lead {
        0x00..=0x7F => return Step::CodePoint { value: CodePoint::from_byte(lead), len: 1 },
        0x80..=0xBF => return ill_formed(1, 1, IllFormedKind::UnexpectedContinuation),
        0xC0..=0xC1 => return ill_formed(1, 1, IllFormedKind::Overlong(2)),
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        0xF5..=0xFF => return ill_formed(1, 1, IllFormedKind::InvalidLead),
    };
    let Some(&second) = src.get(1) else { return Step::Incomplete { needs: len - 1 } };
    let (low, high, outside) = second_byte(lead);
    if !is_continuation(second) {
        return ill_formed(1, 1, IllFormedKind::Truncated);
    }
    if second < low || second > high {
        return ill_formed(1, 2, outside);
    }
    // 110xxxxx, 1110xxxx, 11110xxx: the bits after the marker are payload.
    let mut value = u32::from(lead & (0x7F >> len)) << 6 | u32::from(second & 0x3F);
    for i in 2..len {
        let Some(&byte) = src.get(i) else { return Step::Incomplete { needs: len - i } };
        if !is_continuation(byte) {
            return ill_formed(i, i, IllFormedKind::Truncated);
        }
        value = value << 6 | u32::from(byte & 0x3F);
    }
    Step::CodePoint { value: CodePoint::within_31_bits(value), len }
}

/// Writes a code point up to U+10FFFF by the bit pattern of its length, and a surrogate in three
/// bytes.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "each payload is masked or below its marker")]
pub(crate) fn encode_step(c: CodePoint, dst: &mut [u8]) -> EncodeStep {
    let c = c.value();
    let cont = |shift: u32| 0x80 | (c >> shift & 0x3F) as u8;
    let len = match c {
        0..0x80 => {
            let Some(to) = dst.first_chunk_mut() else { return EncodeStep::NoRoom };
            *to = [c as u8];
            1
        }
        0x80..0x800 => {
            let Some(to) = dst.first_chunk_mut() else { return EncodeStep::NoRoom };
            *to = [0xC0 | (c >> 6) as u8, cont(0)];
            2
        }
        0x800..0x1_0000 => {
            let Some(to) = dst.first_chunk_mut() else { return EncodeStep::NoRoom };
            *to = [0xE0 | (c >> 12) as u8, cont(6), cont(0)];
            3
        }
        _ => {
            let Some(to) = dst.first_chunk_mut() else { return EncodeStep::NoRoom };
            *to = [0xF0 | (c >> 18 & 7) as u8, cont(12), cont(6), cont(0)];
            4
        }
    };
    EncodeStep::Written(len)
}

/// Returns the length of one error in a form built like UTF-8; `announced` returns the number of
/// bytes that a lead byte announces.
pub(crate) fn span(
    rule: Span,
    src: &[u8],
    maximal: usize,
    last: bool,
    announced: impl Fn(u8) -> usize,
) -> Option<usize> {
    let nominal = src.first().map_or(0, |&lead| announced(lead));
    let there = src.get(..nominal).unwrap_or(src);
    let len = match rule {
        Span::Maximal => return Some(maximal),
        Span::Unit => return Some(1),
        Span::Structural => 1 + there.iter().skip(1).take_while(|&&byte| is_continuation(byte)).count(),
        Span::Lead => there.len(),
    };
    // A surrogate pair is longer than its lead byte announces.
    (last || len < there.len() || there.len() == nominal).then_some(len.max(maximal))
}

/// Decodes ED A0..BF 80..BF, the pattern of U+D800..U+DFFF, at the start of `src`.
pub(crate) fn decode_surrogate(src: &[u8]) -> Option<Step> {
    match *src {
        [0xED, second @ 0xA0..=0xBF, third @ 0x80..=0xBF, ..] => {
            Some(Step::CodePoint { value: CodePoint::from_u16(surrogate(second, third)), len: 3 })
        }
        [0xED, 0xA0..=0xBF] => Some(Step::Incomplete { needs: 1 }),
        _ => None,
    }
}

/// Returns the surrogate of the sequence ED, `second`, `third`.
#[inline(always)]
pub(crate) const fn surrogate(second: u8, third: u8) -> u16 {
    0xD000 | ((second & 0x3F) as u16) << 6 | (third & 0x3F) as u16
}

impl EncodingForm for Utf8 {}

impl Form for Utf8 {
    type Unit = u8;
    type State = ();

    const NAMES: Names = Names {
        name: "UTF-8",
        labels: labels![
            "utf8",
            "utf_8",
            "u8",
            "csutf8",
            "unicode-1-1-utf-8",
            "unicode11utf8",
            "unicode20utf8",
            "x-unicode20utf8",
            "unicode-2-0-utf-8",
            "utf-8n",
            "utf-8-nobom",
            "cp65001",
            "65001",
            "windows-65001",
            "ibm-1208",
            "cp1208",
            "18n",
            "utf8mb4",
            "al32utf8",
            "rfc3629",
            "std63",
        ],
        web_labels: labels![
            "unicode-1-1-utf-8",
            "unicode11utf8",
            "unicode20utf8",
            "utf-8",
            "utf8",
            "x-unicode20utf8",
        ],
        about: "The Unicode scalar values in one to four bytes; ASCII is itself.",
        specified_in: "RFC 3629; Unicode Standard chapter 3, D92",
    };
    const FACTS: Facts = Facts {
        signature: b"\xEF\xBB\xBF",
        surrogate_pattern: true,
        like_utf8: LikeUtf8::All,
        bulk: Bulk::Utf8,
        ..Facts::new(Repertoire::Scalar, 4).marked_like_utf8()
    };

    #[inline]
    fn decode_step((): &mut (), src: &[u8]) -> Step {
        decode_step(src)
    }

    #[inline]
    fn encode_step((): &mut (), c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        encode_step(c, dst)
    }

    /// Decodes ED A0..BF 80..BF, the pattern of U+D800..U+DFFF.
    #[inline]
    fn decode_surrogate((): &(), src: &[u8]) -> Option<Step> {
        decode_surrogate(src)
    }

    #[inline]
    fn span((): &(), rule: Span, src: &[u8], maximal: usize, last: bool) -> Option<usize> {
        span(rule, src, maximal, last, nominal_len)
    }
}

impl Signed for Utf8 {
    const SIGNED: Names = Names {
        name: "UTF-8-BOM",
        labels: labels!["utf-8-sig", "utf_8_sig", "utf8-bom", "utf8-sig"],
        web_labels: labels![],
        about: "UTF-8 with the signature EF BB BF: the encoder writes it, the decoder drops one and needs none.",
        specified_in: "RFC 3629 section 6",
    };
}

/// UTF-8 whose signature belongs to the encoding and not to the text.
pub type Utf8Bom = ByBom<Utf8, Utf8>;
