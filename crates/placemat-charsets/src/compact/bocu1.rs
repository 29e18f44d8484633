//! BOCU-1, Binary Ordered Compression for Unicode. Unicode Technical Note #6.
//!
//! BOCU-1 writes the differences between neighboring code points, in base 243. Controls and space are literal; other
//! ASCII bytes have other meanings. Every text has one form, and encoded texts sort as their code
//! points do.
//!
//! | difference from the base | lead byte | further bytes |
//! | --- | --- | --- |
//! | −40..3F | 50..CF | |
//! | 40..2910 | D0..FA | 1 |
//! | 2911..2DD0B | FB..FD | 2 |
//! | above | FE | 3 |
//! | −2911..−41 | 25..4F | 1 |
//! | −2DD0C..−2912 | 22..24 | 2 |
//! | below | 21 | 3 |
//!
//! The base is 40 at the start, after a control and after FF; after space it stays; after any other code point it lies in the
//! middle of the block of that code point. The decoder accepts all that the encoder can write, and also sequences longer
//! than necessary, as ICU does. After an error the base is 40, and a byte that broke off a sequence begins the next one.

use placemat_core::forms::descriptor::{Carried, Words};
use placemat_core::forms::form::{EncodeStep, EncodingForm, Facts, Form, Names, Repertoire, Step};
use placemat_core::forms::names::labels;
use placemat_core::forms::pieces::{self, lanes};
use placemat_core::ground::chunk::{chunk_at, chunk_at_mut};
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::error::IllFormedKind;
use placemat_core::ground::policy::Span;

/// BOCU-1 (Unicode Technical Note 6): differences between neighboring code points.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bocu1;

/// The base: the next code point is a difference from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bocu1State {
    base: i32,
}

impl Carried for Bocu1State {
    const START: Words = Words::new([START.cast_unsigned()]);
    #[inline]
    fn take(_: u16, words: &Words) -> Self {
        Self { base: words.0[0].cast_signed() }
    }
    #[inline]
    fn put(self, words: &mut Words) {
        words.0[0] = self.base.cast_unsigned();
    }
}

impl Default for Bocu1State {
    #[inline]
    fn default() -> Self {
        Self { base: START }
    }
}

const START: i32 = 0x40;
/// The number of bytes that can be further bytes.
const RADIX: i32 = 243;
/// The greatest and the least differences in one, two and three bytes.
const UP: [i32; 3] = [0x3F, 0x2910, 0x2_DD0B];
const DOWN: [i32; 3] = [-0x40, -0x2911, -0x2_DD0C];

/// The further byte for each digit: first the controls that text tools let pass, then all bytes above space.
const TRAIL: [u8; RADIX as usize] = {
    let mut table = [0; RADIX as usize];
    let low = *b"\x01\x02\x03\x04\x05\x06\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1C\x1D\x1E\x1F";
    let mut digit = 0;
    while digit < table.len() {
        #[expect(clippy::cast_possible_truncation, reason = "242 + 13 is a byte")]
        {
            table[digit] = if digit < low.len() { low[digit] } else { digit as u8 + 13 };
        }
        digit += 1;
    }
    table
};

/// The digit for each byte, or [`NONE`].
static DIGIT: [u8; 256] = {
    let mut table = [NONE; 256];
    let mut digit = 0;
    while digit < TRAIL.len() {
        #[expect(clippy::cast_possible_truncation, reason = "there are 243 digits")]
        {
            table[TRAIL[digit] as usize] = digit as u8;
        }
        digit += 1;
    }
    table
};
const NONE: u8 = 0xFF;

/// Returns the base after a code point above U+0020. It has selections and no branches, because in some texts the script
/// changes from word to word.
#[inline(always)]
const fn base_after(c: i32) -> i32 {
    let mut base = (c & !0x7F) + 0x40;
    if (c - 0x3040).cast_unsigned() < 0x60 {
        base = 0x3070;
    }
    if (c - 0x4E00).cast_unsigned() < 0x51A6 {
        base = 0x7711;
    }
    if (c - 0xAC00).cast_unsigned() < 0x2BA4 {
        base = 0xC1D1;
    }
    base
}

/// Returns the number of further bytes after a lead byte, and the difference that the lead byte alone
/// encodes.
#[inline(always)]
const fn lead(byte: u8) -> (usize, i32) {
    let byte_value = byte as i32;
    match byte {
        0x50..=0xCF => (0, byte_value - 0x90),
        0xD0..=0xFA => (1, UP[0] + 1 + (byte_value - 0xD0) * RADIX),
        0xFB..=0xFD => (2, UP[1] + 1 + (byte_value - 0xFB) * RADIX * RADIX),
        0xFE.. => (3, UP[2] + 1),
        0x25..=0x4F => (1, DOWN[0] + (byte_value - 0x50) * RADIX),
        0x22..=0x24 => (2, DOWN[1] + (byte_value - 0x25) * RADIX * RADIX),
        _ => (3, DOWN[2] - RADIX * RADIX * RADIX),
    }
}

/// The values of [`lead`] by byte.
static LEADS: [(usize, i32); 256] = {
    let mut table = [(0, 0); 256];
    let mut byte = 0;
    while byte < table.len() {
        #[expect(clippy::cast_possible_truncation, reason = "there are 256 bytes")]
        {
            table[byte] = lead(byte as u8);
        }
        byte += 1;
    }
    table
};

impl EncodingForm for Bocu1 {}

impl Form for Bocu1 {
    type Unit = u8;
    type State = Bocu1State;

    const NAMES: Names = Names {
        name: "BOCU-1",
        labels: labels!["bocu1", "csbocu-1", "csbocu1", "ibm-1214", "ibm-1215"],
        web_labels: labels![],
        about: "Differences between code points, one byte for most of an alphabet; bytes sort as code points do.",
        specified_in: "Unicode Technical Note #6",
    };
    const FACTS: Facts =
        Facts { signature: b"\xFB\xEE\x28", quick: true, ..Facts::new(Repertoire::Scalar, 4).stateful() };

    #[inline]
    #[expect(clippy::cast_sign_loss, reason = "checked, or negative and so out of range")]
    fn decode_step(state: &mut Bocu1State, src: &[u8]) -> Step {
        let first = src[0];
        if first <= 0x20 {
            if first != 0x20 {
                state.base = START;
            }
            return Step::CodePoint { value: CodePoint::from_byte(first), len: 1 };
        }
        if first == 0xFF {
            state.base = START;
            return Step::Shift { len: 1 };
        }
        let (trails, mut difference) = lead(first);
        let len = 1 + trails;
        let mut place = 1;
        for i in (1..len).rev() {
            // The bytes that are there may be ill-formed even without the missing ones.
            let Some(&byte) = src.get(i) else { return cut_short(state, src, len) };
            let digit = DIGIT[usize::from(byte)];
            if digit == NONE {
                return cut_short(state, src, len);
            }
            difference += i32::from(digit) * place;
            place *= RADIX;
        }
        let c = state.base + difference;
        let value = c as u32;
        if value > 0x10_FFFF || value & !0x7FF == 0xD800 {
            state.base = START;
            let surrogate = value <= 0x10_FFFF;
            let kind = if surrogate { IllFormedKind::Surrogate } else { IllFormedKind::OutOfRange };
            return Step::IllFormed { len, seen: len, kind };
        }
        state.base = base_after(c);
        Step::CodePoint { value: CodePoint::within_31_bits(value), len }
    }

    #[inline]
    fn to_utf8(state: &mut Bocu1State, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        to_utf8(state, src, dst)
    }

    #[inline]
    fn from_utf8(state: &mut Bocu1State, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        from_utf8(state, src, dst)
    }

    #[inline]
    fn decode_end(state: &mut Bocu1State, src: &[u8]) -> Step {
        state.base = START;
        Step::IllFormed { len: src.len(), seen: src.len(), kind: IllFormedKind::Incomplete }
    }

    /// An error is always a whole step, under any rule: its remaining bytes would have another meaning.
    #[inline]
    fn span(state: &Bocu1State, _: Span, src: &[u8], maximal: usize, _: bool) -> Option<usize> {
        Some(match Self::decode_step(&mut state.clone(), src) {
            Step::CodePoint { len, .. } => len,
            _ => maximal,
        })
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the divisions leave a byte")]
    #[expect(clippy::cast_sign_loss, reason = "remainders of the Euclidean division are not negative")]
    #[expect(clippy::cast_possible_wrap, reason = "the repertoire ends at 10FFFF")]
    fn encode_step(state: &mut Bocu1State, c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        let c = c.value() as i32;
        if c <= 0x20 {
            let Some(to) = dst.first_mut() else { return EncodeStep::NoRoom };
            *to = c as u8;
            if c != 0x20 {
                state.base = START;
            }
            return EncodeStep::Written(1);
        }
        let difference = c - state.base;
        let split = |n: i32| (n.div_euclid(RADIX), TRAIL[n.rem_euclid(RADIX) as usize]);
        let len = if (DOWN[0]..=UP[0]).contains(&difference) {
            let Some(to) = dst.first_mut() else { return EncodeStep::NoRoom };
            *to = (0x90 + difference) as u8;
            1
        } else if (DOWN[1]..=UP[1]).contains(&difference) {
            let (lead, from) = if difference > 0 { (0xD0, UP[0] + 1) } else { (0x50, DOWN[0]) };
            let Some(to) = dst.first_chunk_mut() else { return EncodeStep::NoRoom };
            let (q, last) = split(difference - from);
            *to = [(lead + q) as u8, last];
            2
        } else if (DOWN[2]..=UP[2]).contains(&difference) {
            let (lead, from) = if difference > 0 { (0xFB, UP[1] + 1) } else { (0x25, DOWN[1]) };
            let Some(to) = dst.first_chunk_mut() else { return EncodeStep::NoRoom };
            let (q, last) = split(difference - from);
            let (q, middle) = split(q);
            *to = [(lead + q) as u8, middle, last];
            3
        } else {
            let (lead, from) = if difference > 0 { (0xFE, UP[2] + 1) } else { (0x22, DOWN[2]) };
            let Some(to) = dst.first_chunk_mut() else { return EncodeStep::NoRoom };
            let (q, last) = split(difference - from);
            let (q, third) = split(q);
            let (q, second) = split(q);
            *to = [(lead + q) as u8, second, third, last];
            4
        };
        state.base = base_after(c);
        EncodeStep::Written(len)
    }
}

/// Returns the step of an incomplete sequence of `len` bytes: the input ends in it, or a byte that cannot be a further byte
/// ends it.
#[cold]
fn cut_short(state: &mut Bocu1State, src: &[u8], len: usize) -> Step {
    let there = &src[..len.min(src.len())];
    match there[1..].iter().position(|&byte| DIGIT[usize::from(byte)] == NONE) {
        None => Step::Incomplete { needs: len - there.len() },
        Some(digits) => {
            state.base = START;
            Step::IllFormed { len: 1 + digits, seen: 2 + digits, kind: IllFormedKind::BadTrail }
        }
    }
}

/// Returns the single bytes that do not change a base: the first of them, and their number. The other bytes of 50..CF lead
/// into another block.
#[inline(always)]
const fn steady(base: i32) -> (u8, u8) {
    match base {
        0x3070 => (0x60, 0x60),
        // Blocks into which another one extends.
        0x3040 => (0x50, 0x40),
        0x30C0 => (0x70, 0x60),
        0x9FC0 => (0x76, 0x5A),
        0xD7C0 => (0x74, 0x5C),
        _ => (0x50, 0x80),
    }
}

/// Returns the code points that do not change a base: the first of them, and their number.
#[inline(always)]
const fn block_of(base: i32) -> (i32, u32) {
    match base {
        0x7711 => (0x4E00, 0x51A6),
        0xC1D1 => (0xAC00, 0x2BA4),
        _ => {
            let (from, number) = steady(base);
            (base - 0x90 + from as i32, number as u32)
        }
    }
}

#[inline]
fn to_utf8(state: &mut Bocu1State, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let plain = |state: &mut Bocu1State, src: &[u8], dst: &mut [u8]| {
        if state.base != START {
            return 0;
        }
        // Each code point of ASCII is one byte and does not change the base.
        let fits = |byte: u8| (byte <= 0x20) | (byte.wrapping_sub(0x50) < 0x80);
        let map = |byte: u8| if byte <= 0x20 { byte } else { byte.wrapping_sub(0x50) };
        pieces::blocks(src, dst, fits, map)
    };
    pieces::to_utf8_by_pieces(state, src, dst, plain, to_units)
}

/// Reads a piece. Returns the number of bytes and of units.
#[expect(clippy::cast_sign_loss, reason = "checked to be a scalar value")]
#[expect(clippy::cast_possible_truncation, reason = "checked to be of 16 bits")]
fn to_units(state: &mut Bocu1State, src: &[u8], units: &mut [u16]) -> (usize, usize) {
    let (mut read, mut count) = (0, 0);
    let mut base = state.base;
    let mut block = block_of(base);
    while let Some(bytes) = chunk_at!(src, read, 8)
        && let Some(to) = chunk_at_mut!(units, count, 8)
    {
        let first = bytes[0];
        let (from, number) = steady(base);
        let stays = |byte: u8| (byte.wrapping_sub(from) < number) | (byte == 0x20);
        if stays(first) && base < 0x1_0000 {
            let add = (base - 0x90) as u16;
            for (to, &byte) in to.iter_mut().zip(bytes) {
                *to = if byte == 0x20 { 0x20 } else { add.wrapping_add(byte.into()) };
            }
            let all = u64::from_le_bytes(*bytes);
            let steps = lanes::sub8(all, lanes::all8(from));
            let leads_out = steps | lanes::from8(steps & !lanes::HIGH8, number);
            let some = lanes::before8(leads_out & (lanes::is_not8(all & !lanes::HIGH8, 0x20) | all));
            (read, count) = (read + some, count + some);
            continue;
        }
        let Some(to) = to.first_chunk_mut() else { break };
        if first <= 0x20 {
            if first != 0x20 {
                (base, block) = (START, block_of(START));
            }
            to[0] = first.into();
            (read, count) = (read + 1, count + 1);
            continue;
        }
        if first == 0xFF {
            (base, block) = (START, block_of(START));
            read += 1;
            continue;
        }
        let digits = [bytes[1], bytes[2], bytes[3]].map(|byte| DIGIT[usize::from(byte)]);
        let [b, c, d] = digits.map(i32::from);
        let (trails, from) = LEADS[usize::from(first)];
        let (c, len) = match trails {
            0 => (base + from, 1),
            1 if digits[0] != NONE => (base + from + b, 2),
            2 if digits[0] != NONE && digits[1] != NONE => (base + from + b * RADIX + c, 3),
            3 if digits.iter().all(|&digit| digit != NONE) => (base + from + (b * RADIX + c) * RADIX + d, 4),
            _ => break,
        };
        let value = c as u32;
        if value > 0x10_FFFF || value & !0x7FF == 0xD800 {
            break;
        }
        // In most texts the processor predicts that the base stays, and the next code point need not wait for this one.
        if (c - block.0).cast_unsigned() >= block.1 {
            base = base_after(c);
            block = block_of(base);
        }
        (read, count) = (read + len, count + pieces::put(value, to));
    }
    state.base = base;
    (read, count)
}

#[inline]
fn from_utf8(state: &mut Bocu1State, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let plain = |state: &mut Bocu1State, src: &[u8], dst: &mut [u8]| {
        if state.base != START {
            return 0;
        }
        let map = |byte: u8| if byte <= 0x20 { byte } else { byte.wrapping_add(0x50) };
        pieces::blocks(src, dst, |byte| byte < 0x80, map)
    };
    pieces::from_utf8_by_pieces(state, src, dst, 4, plain, |state, units, dst| {
        (units.len(), from_units(state, units, dst))
    })
}

/// Writes a piece. Returns the number of bytes.
#[expect(
    clippy::cast_sign_loss,
    reason = "bases are not negative, and other negative values are out of range"
)]
#[expect(clippy::cast_possible_truncation, reason = "a value that is not a byte is not taken")]
#[expect(clippy::cast_possible_wrap, reason = "code points have 21 bits")]
fn from_units(state: &mut Bocu1State, units: &[u16], dst: &mut [u8]) -> usize {
    let (mut read, mut written) = (0, 0);
    let mut now = *state;
    while read < units.len() {
        // The distance from a byte that keeps the base to its unit. Of ASCII only the controls change the base.
        let add = (now.base - 0x90) as u16;
        let (from, number) = match steady(now.base) {
            _ if now.base == START => (0x21, 0x5F),
            (from, number) => (add.wrapping_add(from.into()), number.into()),
        };
        let first = units[read];
        if now.base < 0x1_0000
            && (first.wrapping_sub(from) < number || first == 0x20)
            && let Some(few) = units[read..].first_chunk::<8>()
            && let Some(to) = dst[written..].first_chunk_mut::<8>()
        {
            for (to, &unit) in to.iter_mut().zip(few) {
                *to = if unit == 0x20 { 0x20 } else { unit.wrapping_sub(add) as u8 };
            }
            let some = lanes::before16(lanes::of_units(few).map(|all| {
                let steps = lanes::sub16(all, lanes::all16(from));
                let leads_out = steps | lanes::from16(steps & !lanes::HIGH16, number);
                leads_out & lanes::any16(all ^ lanes::all16(0x20))
            }));
            (read, written) = (read + some, written + some);
            continue;
        }
        let (c, len) = pieces::code_point(&units[read..]);
        let to = &mut dst[written..written + 4];
        // Two bytes: counted from the least difference, the quotient is not negative.
        let difference = c as i32 - now.base;
        let (lead, least) = if difference > 0 { (0xD0, UP[0] + 1) } else { (0x25, DOWN[1]) };
        let above = (difference - least) as u32;
        if c > 0x20 && above < (UP[1] - UP[0]) as u32 {
            let radix = RADIX as u32;
            [to[0], to[1]] = [lead + (above / radix) as u8, TRAIL[(above % radix) as usize]];
            now.base = base_after(c as i32);
            (read, written) = (read + len, written + 2);
            continue;
        }
        if let EncodeStep::Written(units) = Bocu1::encode_step(&mut now, CodePoint::within_31_bits(c), to) {
            written += units;
        }
        read += len;
    }
    *state = now;
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Over all bases and bytes, exactly the listed bytes keep the base, and their code points lie in the plane of the base.
    #[test]
    fn steady_bytes() {
        let mut last = 0;
        for c in (0x21..0xD800).chain(0xE000..0x11_0000) {
            let base = base_after(c);
            if base == last {
                continue;
            }
            last = base;
            let (from, number) = steady(base);
            for byte in 0x50..=0xCF_u8 {
                let next = base + i32::from(byte) - 0x90;
                let stays = base_after(next) == base;
                assert_eq!(byte.wrapping_sub(from) < number, stays, "{base:X} {byte:X}");
                let (block, number) = block_of(base);
                assert!(!stays || (next - block).cast_unsigned() < number, "{base:X} {byte:X}");
                assert!(!stays || next >> 16 == base >> 16 && next & !0x7FF != 0xD800, "{base:X} {byte:X}");
            }
        }
    }
}
