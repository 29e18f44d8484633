//! UTF-8 with surrogates of three bytes each: the common part of CESU-8, Modified UTF-8 and WTF-8,
//! and the rules in which they differ.
//!
//! The decoder reads a lead surrogate only together with the bytes that follow it. At the end of
//! the text a lead surrogate is unpaired ([`at_end`]).

use crate::forms::form::{EncodeStep, Step};
use crate::forms::unicode::utf8::{self, is_continuation, surrogate};
use crate::ground::code_point::CodePoint;
use crate::ground::error::IllFormedKind;
use crate::ground::unit::{is_lead, is_trail};

/// The sequences that a form reads beyond UTF-8, and the UTF-8 sequences that it does not read.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    /// The byte 00 is U+0000.
    pub(super) nul: bool,
    /// C0 80 is U+0000.
    pub(super) long_nul: bool,
    /// Overlong sequences of two and three bytes are read as their values.
    pub(super) overlong: bool,
    /// Sequences of four bytes are well-formed.
    pub(super) four: bool,
    /// A surrogate pair is the supplementary code point that it encodes in UTF-16; otherwise it is
    /// ill-formed.
    pub(super) pairs: bool,
    /// An unpaired surrogate is a code point; otherwise it is ill-formed.
    pub(super) lone: bool,
}

const fn ill_formed(len: usize, seen: usize, kind: IllFormedKind) -> Step {
    Step::IllFormed { len, seen, kind }
}

/// Decodes one step at the start of `src`, which is not empty.
#[inline(always)]
pub(super) fn decode_step(rules: Rules, src: &[u8]) -> Step {
    match src[0] {
        0x00 if !rules.nul => ill_formed(1, 1, IllFormedKind::NulByte),
        0xC0..=0xC1 if rules.overlong => overlong(src, 2),
        0xE0 if rules.overlong => overlong(src, 3),
        0xC0 if rules.long_nul => match src.get(1) {
            None => Step::Incomplete { needs: 1 },
            Some(0x80) => Step::CodePoint { value: CodePoint::from_byte(0), len: 2 },
            Some(&second) => {
                ill_formed(1, 1 + usize::from(is_continuation(second)), IllFormedKind::Overlong(2))
            }
        },
        0xED => match src.get(1) {
            Some(&second @ 0xA0..=0xBF) => half(rules, second, src),
            _ => utf8::decode_step(src),
        },
        0xF0..=0xF4 if !rules.four => ill_formed(1, 1, IllFormedKind::FourByteLead),
        _ => utf8::decode_step(src),
    }
}

/// Decodes two or three bytes by their payload, overlong or not.
fn overlong(src: &[u8], len: usize) -> Step {
    let mut value = src.first().map_or(0, |&lead| u32::from(lead)) & (0x7F >> len);
    for i in 1..len {
        let Some(&byte) = src.get(i) else { return Step::Incomplete { needs: len - i } };
        if !is_continuation(byte) {
            return ill_formed(i, i, IllFormedKind::Truncated);
        }
        value = value << 6 | u32::from(byte & 0x3F);
    }
    Step::CodePoint { value: CodePoint::within_31_bits(value), len }
}

/// Decodes a surrogate: ED, `second`, and the bytes that follow.
#[inline]
fn half(rules: Rules, second: u8, src: &[u8]) -> Step {
    let Some(&third) = src.get(2) else { return Step::Incomplete { needs: 1 } };
    if !is_continuation(third) {
        return ill_formed(2, 2, IllFormedKind::Truncated);
    }
    let unit = surrogate(second, third);
    if is_trail(unit) {
        return lone(rules, unit);
    }
    match src[3..] {
        [] | [0xED] | [0xED, 0xB0..=0xBF] => Step::Incomplete { needs: 1 },
        [0xED, second @ 0xB0..=0xBF, third @ 0x80..=0xBF, ..] if rules.pairs => {
            Step::CodePoint { value: CodePoint::from_pair(unit, surrogate(second, third)), len: 6 }
        }
        [0xED, 0xB0..=0xBF, 0x80..=0xBF, ..] => ill_formed(6, 6, IllFormedKind::SurrogatePair),
        _ => lone(rules, unit),
    }
}

fn lone(rules: Rules, unit: u16) -> Step {
    if rules.lone {
        Step::CodePoint { value: CodePoint::from_u16(unit), len: 3 }
    } else {
        ill_formed(3, 3, IllFormedKind::UnpairedSurrogate)
    }
}

/// Decodes at the start of `src`, which ends the text: a lead surrogate whose trail surrogate is
/// missing or truncated.
#[inline]
pub(super) fn at_end(rules: Rules, src: &[u8]) -> Step {
    match *src {
        [0xED, second @ 0xA0..=0xAF, third @ 0x80..=0xBF, ..] => lone(rules, surrogate(second, third)),
        _ => crate::forms::form::truncated(src),
    }
}

/// Decodes a surrogate pair at the start of `src` as its code point.
pub(super) fn pair(src: &[u8]) -> Option<Step> {
    match *src {
        [0xED, a @ 0xA0..=0xAF, b @ 0x80..=0xBF, 0xED, c @ 0xB0..=0xBF, d @ 0x80..=0xBF, ..] => {
            let value = CodePoint::from_pair(surrogate(a, b), surrogate(c, d));
            Some(Step::CodePoint { value, len: 6 })
        }
        _ => None,
    }
}

/// Writes the UTF-16 units of a code point up to U+10FFFF, each as UTF-8 would write it.
#[inline(always)]
pub(super) fn encode_units(c: CodePoint, dst: &mut [u8]) -> EncodeStep {
    let Some((lead, trail)) = c.to_pair() else { return utf8::encode_step(c, dst) };
    let Some(to) = dst.first_chunk_mut() else { return EncodeStep::NoRoom };
    *to = pair_bytes(lead, trail);
    EncodeStep::Written(6)
}

/// Returns a surrogate pair in six bytes.
#[inline(always)]
const fn pair_bytes(lead: u16, trail: u16) -> [u8; 6] {
    let [a, b, c] = half_bytes(lead);
    let [d, e, f] = half_bytes(trail);
    [a, b, c, d, e, f]
}

/// Returns a surrogate in three bytes.
#[inline(always)]
pub(super) const fn half_bytes(unit: u16) -> [u8; 3] {
    debug_assert!(is_lead(unit) || is_trail(unit));
    [0xED, 0x80 | (unit >> 6 & 0x3F) as u8, 0x80 | (unit & 0x3F) as u8]
}
