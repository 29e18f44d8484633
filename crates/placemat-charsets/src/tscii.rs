//! TSCII 1.7, the Tamil encoding of fonts, of which each byte is a glyph, in the order in which they are written.
//!
//! | | UTF-8 | TSCII |
//! | --- | --- | --- |
//! | ASCII bytes | always ASCII | always ASCII |
//! | one sequence | one code point | one to four code points, in one to three bytes |
//! | order | a vowel mark after its consonant | the marks of e, ē and ai before it, those of o, ō and au around it |
//! | repertoire | scalar values | ASCII, and 61 of Tamil, quotation marks, U+00A9, U+00A0 |
//!
//! A byte can be a syllable: CC is ku, U+0B95 U+0BC1. A mark before its consonant, A6 to A8, joins the consonant that follows, also
//! the letters of Sanskrit at 83 to 87; before anything else it is the mark alone. A6 and A7 around a consonant, with A1 or AA after
//! it, are one mark: U+0BCA, U+0BCB, U+0BCC. 8A or 8B with A4 or A5 is su or hu, whose virama is not shown.
//!
//! The encoder holds a consonant until it knows what follows: the mark goes before it, and a syllable becomes one byte where there
//! is one. It refuses a code point whose bytes a decoder would join with those before it: a consonant after a mark that has none. It
//! writes the two halves of a mark, U+0BC6 U+0BBE, as the mark to which they are canonically equivalent, U+0BCA.
//!
//! Known to disagree: glibc, which writes a mark after the letters of Sanskrit, as the bytes of two characters; writes au with A7 for
//! A6, and reads only that; writes su and hu with the bytes of s and h; has no U+00A0. Both letters i, AD and FE, are read, and FE is
//! written: in AD, Windows drops a hyphen.

use placemat_core::forms::descriptor::{Carried, Words};
use placemat_core::forms::form::{EncodeStep, Facts, Form, Names, Repertoire, Step};
use placemat_core::forms::names::labels;
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::error::{IllFormedKind, UnmappableKind};
use placemat_core::ground::policy::CodePoints;

/// TSCII 1.7.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tscii;

/// The marks of U+0BC6 and U+0BC7, e and ē.
const E: u8 = 0xA6;
const EE: u8 = 0xA7;
/// The mark of U+0BC8, ai.
const AI: u8 = 0xA8;
/// The mark of U+0BBE, ā, which is also the second half of o and ō.
const AA: u8 = 0xA1;
/// The mark of U+0BD7, which is also the second half of au.
const AU: u8 = 0xAA;
/// The letter i where a soft hyphen is in other encodings. It is read only.
const SECOND_I: u8 = 0xAD;

const VIRAMA: u16 = 0xBCD;
const MARK_U: u16 = 0xBC1;
const MARK_UU: u16 = 0xBC2;
/// U+0BB7, SSA.
const SSA: u16 = 0xBB7;

/// The code points of a byte, padded with zeros.
type Text = [u16; 4];

/// The first code point of each byte from 80 on; 0 for a byte without text.
const FIRST: [u16; 128] = [
    0xBE6, 0xBE7, 0xBB8, 0xB9C, 0xBB7, 0xBB8, 0xBB9, 0xB95, 0xB9C, 0xBB7, 0xBB8, 0xBB9, 0xB95, 0xBE8, 0xBE9,
    0xBEA, 0xBEB, 0x2018, 0x2019, 0x201C, 0x201D, 0xBEC, 0xBED, 0xBEE, 0xBEF, 0xB99, 0xB9E, 0xB99, 0xB9E,
    0xBF0, 0xBF1, 0xBF2, 0xA0, 0xBBE, 0xBBF, 0xBC0, 0xBC1, 0xBC2, 0xBC6, 0xBC7, 0xBC8, 0xA9, 0xBD7, 0xB85,
    0xB86, 0xB87, 0xB88, 0xB89, 0xB8A, 0xB8E, 0xB8F, 0xB90, 0xB92, 0xB93, 0xB94, 0xB83, 0xB95, 0xB99, 0xB9A,
    0xB9E, 0xB9F, 0xBA3, 0xBA4, 0xBA8, 0xBAA, 0xBAE, 0xBAF, 0xBB0, 0xBB2, 0xBB5, 0xBB4, 0xBB3, 0xBB1, 0xBA9,
    0xB9F, 0xB9F, 0xB95, 0xB9A, 0xB9F, 0xBA3, 0xBA4, 0xBA8, 0xBAA, 0xBAE, 0xBAF, 0xBB0, 0xBB2, 0xBB5, 0xBB4,
    0xBB3, 0xBB1, 0xBA9, 0xB95, 0xB9A, 0xB9F, 0xBA3, 0xBA4, 0xBA8, 0xBAA, 0xBAE, 0xBAF, 0xBB0, 0xBB2, 0xBB5,
    0xBB4, 0xBB3, 0xBB1, 0xBA9, 0xB95, 0xB99, 0xB9A, 0xB9E, 0xB9F, 0xBA3, 0xBA4, 0xBA8, 0xBAA, 0xBAE, 0xBAF,
    0xBB0, 0xBB2, 0xBB5, 0xBB4, 0xBB3, 0xBB1, 0xBA9, 0xB87, 0,
];

/// Returns the code points of a byte from 80 on; `None` for a byte without text.
fn text(byte: u8) -> Option<Text> {
    let first = *FIRST.get(usize::from(byte.checked_sub(0x80)?))?;
    let rest = match byte {
        // Śrī.
        0x82 => [VIRAMA, 0xBB0, 0xBC0],
        0x87 => [VIRAMA, SSA, 0],
        0x8C => [VIRAMA, SSA, VIRAMA],
        0xCA => [0xBBF, 0, 0],
        0xCB => [0xBC0, 0, 0],
        0x99 | 0x9A | 0xCC..=0xDB => [MARK_U, 0, 0],
        0x9B | 0x9C | 0xDC..=0xEB => [MARK_UU, 0, 0],
        0x88..=0x8B | 0xEC..=0xFD => [VIRAMA, 0, 0],
        _ => [0; 3],
    };
    (first != 0).then_some([first, rest[0], rest[1], rest[2]])
}

/// Returns `true` if a byte is a consonant, or the two that are KSSA, to which the marks before them belong.
const fn is_consonant(byte: u8) -> bool {
    matches!(byte, 0x83..=0x87 | 0xB8..=0xC9)
}

/// Returns the number of code points before the padding.
fn count(text: &[u16]) -> usize {
    text.iter().position(|&c| c == 0).unwrap_or(text.len())
}

/// A sequence of bytes: their number, and their code points.
struct Sequence {
    len: usize,
    text: Text,
}

/// Reads a sequence at the start of `src`. More bytes may follow `src` unless it is `last`. An error is the step that takes the place of
/// a sequence.
fn read(src: &[u8], last: bool) -> Result<Sequence, Step> {
    let incomplete = || Err(Step::Incomplete { needs: 1 });
    let byte = src[0];
    if byte.is_ascii() {
        return Ok(Sequence { len: 1, text: [byte.into(), 0, 0, 0] });
    }
    let undefined = Step::IllFormed { len: 1, seen: 1, kind: IllFormedKind::Undefined };
    let mut text_of = text(byte).ok_or(undefined)?;
    match (byte, src.get(1)) {
        (E | EE | AI | 0x8A | 0x8B, None) if !last => return incomplete(),
        (0x8A | 0x8B, Some(&second @ (0xA4 | 0xA5))) => {
            text_of[1] = if second == 0xA4 { MARK_U } else { MARK_UU };
            return Ok(Sequence { len: 2, text: text_of });
        }
        (E | EE | AI, Some(&second)) if is_consonant(second) => {
            let third = src.get(2);
            if third.is_none() && byte != AI && !last {
                return incomplete();
            }
            let (mark, len) = match around(byte, third) {
                Some(mark) => (mark, 3),
                None => (text_of[0], 2),
            };
            let mut consonant = text(second).unwrap_or_default();
            let end = count(&consonant);
            consonant[end] = mark;
            return Ok(Sequence { len, text: consonant });
        }
        (_, second) => {
            if let Some(mark) = around(byte, second) {
                return Ok(Sequence { len: 2, text: [mark, 0, 0, 0] });
            }
        }
    }
    Ok(Sequence { len: 1, text: text_of })
}

/// Returns the mark of two halves, of which the second may be there.
fn around(first: u8, second: Option<&u8>) -> Option<u16> {
    match (first, second) {
        (E, Some(&AA)) => Some(0xBCA),
        (EE, Some(&AA)) => Some(0xBCB),
        (E | EE, Some(&AU)) => Some(0xBCC),
        _ => None,
    }
}

/// Returns the bytes before and after the consonant of a mark, of which the second may be 0 for none.
const fn halves(mark: u16) -> Option<(u8, u8)> {
    Some(match mark {
        0xBC6 => (E, 0),
        0xBC7 => (EE, 0),
        0xBC8 => (AI, 0),
        0xBCA => (E, AA),
        0xBCB => (EE, AA),
        0xBCC => (E, AU),
        _ => return None,
    })
}

/// The bytes whose text begins with each code point from U+0B80 on, in ascending order, padded with zeros.
const STARTING: [[u8; 6]; 128] = {
    let (mut all, mut counts) = ([[0; 6]; 128], [0; 128]);
    let mut byte = 0x80;
    while byte < 0xFF {
        let first = FIRST[byte as usize - 0x80] as usize;
        if first >= 0xB80 && first < 0xC00 {
            let row = first - 0xB80;
            all[row][counts[row]] = byte;
            counts[row] += 1;
        }
        byte += 1;
    }
    all
};

/// Returns the bytes whose text begins with a code point.
fn starting(c: u16) -> impl Iterator<Item = u8> {
    let bytes: &[u8] = match c {
        0xA0 => &[0xA0],
        0xA9 => &[0xA9],
        0x2018 => &[0x91],
        0x2019 => &[0x92],
        0x201C => &[0x93],
        0x201D => &[0x94],
        _ => STARTING.get(usize::from(c.wrapping_sub(0xB80))).map_or(&[], |bytes| bytes),
    };
    bytes.iter().copied().take_while(|&byte| byte != 0)
}

/// Returns the byte that is exactly some code points.
fn byte_of(held: &[u16]) -> Option<u8> {
    let is_them = |byte| text(byte).is_some_and(|text| text[..count(&text)] == *held);
    starting(*held.first()?).find(|&byte| byte != SECOND_I && is_them(byte))
}

/// Returns `true` if some byte is these code points and more.
fn begins(held: &[u16]) -> bool {
    let is_more = |text: Text| count(&text) > held.len() && text.starts_with(held);
    held.first().is_some_and(|&c| starting(c).filter_map(text).any(is_more))
}

/// The state of the encoder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct TsciiState {
    /// The code points that begin a byte and wait for more of it, padded with zeros.
    held: [u16; 3],
    /// The last bytes written that a decoder would join with some others, padded with zeros.
    open: [u8; 2],
}

impl Carried for TsciiState {
    const START: Words = Words::new([]);

    #[inline]
    fn take(_: u16, words: &Words) -> Self {
        let [held, rest, ..] = words.0;
        let ([a, b, c, d], [e, f, g, h]) = (held.to_le_bytes(), rest.to_le_bytes());
        let held = [[a, b], [c, d], [e, f]].map(u16::from_le_bytes);
        Self { held, open: [g, h] }
    }

    #[inline]
    fn put(self, words: &mut Words) {
        let [[a, b], [c, d], [e, f]] = self.held.map(u16::to_le_bytes);
        let [g, h] = self.open;
        *words = Words::new([u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])]);
    }
}

impl TsciiState {
    fn held(&self) -> &[u16] {
        &self.held[..count(&self.held)]
    }

    /// Holds some code points.
    fn hold(&mut self, held: &[u16]) {
        self.held = [0; 3];
        self.held[..held.len()].copy_from_slice(held);
    }

    /// Returns `true` if a decoder would join a byte with those before it, to another text that is not canonically equivalent.
    const fn joins(&self, byte: u8) -> bool {
        match self.open {
            [EE, 0] => is_consonant(byte) || byte == AU,
            [E | AI, 0] => is_consonant(byte),
            [EE, _] => byte == AU,
            [0x8A | 0x8B, _] => matches!(byte, 0xA4 | 0xA5),
            _ => false,
        }
    }

    /// Writes bytes that belong together.
    fn push(&mut self, out: &mut Out, bytes: &[u8]) {
        out.push(bytes);
        self.open = match *bytes {
            [byte @ (E | EE | AI | 0x8A | 0x8B)] => [byte, 0],
            [first @ (E | EE), second] if is_consonant(second) => [first, second],
            _ => [0; 2],
        };
    }

    /// Writes the longest part of the held code points that is a byte, and keeps the rest.
    fn write_part(&mut self, out: &mut Out) {
        let held = self.held;
        let held = &held[..count(&held)];
        let part = (1..=held.len()).rev().find_map(|end| Some((byte_of(&held[..end])?, end)));
        let Some((byte, end)) = part else { return };
        self.push(out, &[byte]);
        self.hold(&held[end..]);
    }

    /// Writes all held code points.
    fn write_held(&mut self, out: &mut Out) {
        while self.held[0] != 0 {
            self.write_part(out);
        }
    }
}

/// Bytes to write, all or none of them.
#[derive(Default)]
struct Out {
    bytes: [u8; 8],
    len: usize,
}

impl Out {
    fn push(&mut self, bytes: &[u8]) {
        self.bytes[self.len..self.len + bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    fn write(&self, dst: &mut [u8], state: &mut TsciiState, after: TsciiState) -> EncodeStep {
        let Some(dst) = dst.get_mut(..self.len) else { return EncodeStep::NoRoom };
        dst.copy_from_slice(&self.bytes[..self.len]);
        *state = after;
        EncodeStep::Written(self.len)
    }
}

/// Writes a code point that is not ASCII, or holds it. Returns whether the encoding has it at this place.
fn write(state: &mut TsciiState, c: u16, out: &mut Out) -> bool {
    while state.held[0] != 0 {
        let mut more: Text = [0; 4];
        let held = state.held();
        let count = held.len();
        more[..count].copy_from_slice(held);
        more[count] = c;
        let more = &more[..=count];
        if begins(more) {
            state.hold(more);
            return true;
        }
        if let Some(byte) = byte_of(more) {
            state.hold(&[]);
            state.push(out, &[byte]);
            return true;
        }
        if let (Some((before, after)), Some(byte)) = (halves(c), byte_of(held).filter(|&b| is_consonant(b))) {
            state.hold(&[]);
            match after {
                0 => state.push(out, &[before, byte]),
                after => state.push(out, &[before, byte, after]),
            }
            return true;
        }
        state.write_part(out);
    }
    let bytes = match (byte_of(&[c]), halves(c)) {
        (Some(byte), _) => [byte, 0],
        (None, Some((before, after))) => [before, after],
        (None, None) => return false,
    };
    if state.joins(bytes[0]) {
        return false;
    }
    if begins(&[c]) {
        state.hold(&[c]);
    } else {
        state.push(out, &bytes[..if bytes[1] == 0 { 1 } else { 2 }]);
    }
    true
}

impl Form for Tscii {
    type Unit = u8;
    type State = TsciiState;

    const NAMES: Names = Names {
        name: "TSCII",
        labels: labels!["tscii-1.7", "tscii1.7", "cstscii", "x-tscii", "tamil-tscii"],
        web_labels: labels![],
        about: "Tamil of fonts: a byte for each glyph, with the marks of e, ē and ai before their consonant.",
        specified_in: "TSCII 1.7; glibc",
    };
    const FACTS: Facts = Facts {
        max_code_points: 4,
        holds_back: true,
        stateless: false,
        one_to_one: false,
        self_synchronizing: false,
        // The held letter before a syllable of three bytes.
        ..Facts::new(Repertoire::Table, 4).ascii_compatible()
    };

    #[inline]
    fn decode_step(_: &mut TsciiState, src: &[u8]) -> Step {
        step(read(src, false))
    }

    #[inline]
    fn decode_end(_: &mut TsciiState, src: &[u8]) -> Step {
        step(read(src, true))
    }

    #[inline]
    fn decode_several(_: &TsciiState, src: &[u8]) -> CodePoints {
        let Ok(sequence) = read(src, true) else { return CodePoints::default() };
        let text = sequence.text[..count(&sequence.text)].iter().copied().map(CodePoint::from_u16);
        CodePoints::new(text).unwrap_or_default()
    }

    #[inline]
    fn encode_step(state: &mut TsciiState, c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        let (mut after, mut out) = (*state, Out::default());
        let is_written = match u16::try_from(c.value()) {
            Ok(c @ ..0x80) => {
                after.write_held(&mut out);
                after.push(&mut out, &c.to_le_bytes()[..1]);
                true
            }
            Ok(c @ (0xA0 | 0xA9 | 0xB80..=0xBFF | 0x2018..=0x201D)) => write(&mut after, c, &mut out),
            _ => false,
        };
        if is_written {
            out.write(dst, state, after)
        } else {
            EncodeStep::Unmappable(UnmappableKind::NotInRepertoire)
        }
    }

    #[inline]
    fn encode_pause(state: &mut TsciiState, dst: &mut [u8]) -> EncodeStep {
        let (mut after, mut out) = (*state, Out::default());
        after.write_held(&mut out);
        out.write(dst, state, after)
    }

    #[inline]
    fn encode_finish(state: &mut TsciiState, dst: &mut [u8]) -> EncodeStep {
        let step = Self::encode_pause(state, dst);
        // An escaped byte may follow, which joins nothing.
        if matches!(step, EncodeStep::Written(_)) {
            state.open = [0; 2];
        }
        step
    }
}

/// Returns the step of a sequence.
fn step(read: Result<Sequence, Step>) -> Step {
    match read {
        Ok(Sequence { len, text: [value, 0, ..] }) => {
            Step::CodePoint { value: CodePoint::from_u16(value), len }
        }
        Ok(Sequence { len, .. }) => Step::Several { len },
        Err(step) => step,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_text_always_begins_with_a_byte() {
        for text in (0x80..=0xFE).filter_map(text) {
            assert!(byte_of(&text[..1]).is_some(), "{text:04X?}");
        }
    }
}
