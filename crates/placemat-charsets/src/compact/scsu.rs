//! SCSU, the Standard Compression Scheme for Unicode. Unicode Technical Standard #6.
//!
//! A state machine over windows of 128 code points: in single-byte mode 80..FF are the active one of eight dynamic windows,
//! tags below 20 quote from other windows, switch to them and define them. Unicode mode has units of UTF-16BE, and tags
//! among E0..F2. ASCII text and most Latin-1 text is its own SCSU, but an ASCII byte may also have other meanings.
//!
//! The decoder reads all that the standard allows. Surrogates must be paired, with or without tags between them. Reserved
//! are 0C, F2 in Unicode mode, and the window offsets 00 and A8..F8. After an error the decoder keeps its state. It reports
//! an unpaired surrogate at the last sequence before the one that proves it: at its unit, or at a tag after it.
//!
//! A text has many forms. The encoder chooses one, looking one code point ahead:
//!
//! | a code point | goes |
//! | --- | --- |
//! | in the active window | into it |
//! | in another dynamic window | into it by a switch if the next one is in it, is ASCII or is missing; otherwise quoted |
//! | in a static window | quoted, unless the next one is in the same new window |
//! | within reach of a new window | into it; it replaces the window used longest ago |
//! | of no window (U+3400..U+DFFF) | into Unicode mode if the next one is of no window or is missing; otherwise quoted |
//!
//! The encoder leaves Unicode mode if the next code point is of a window, too: for a digit or a letter of ASCII, for a
//! dynamic window, and for a new window if the next one is in it or is ASCII. It quotes U+FEFF and U+FFF0..U+FFFF. The output is
//! never longer than ICU's on the usual sample texts, and shorter on mixed ones, because ICU replaces windows in another
//! order.

use placemat_core::forms::descriptor::{Carried, Words};
use placemat_core::forms::form::{EncodeStep, EncodingForm, Facts, Form, Names, Repertoire, Step};
use placemat_core::forms::names::labels;
use placemat_core::forms::pieces::{self, lanes};
use placemat_core::ground::chunk::{chunk_at, chunk_at_mut};
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::error::IllFormedKind;
use placemat_core::ground::policy::Span;
use placemat_core::ground::unit::{is_lead, is_trail};

/// SCSU (Unicode Technical Standard 6): one byte for most letters, in windows onto Unicode.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scsu;

/// The windows and the mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScsuState {
    /// The starts of the dynamic windows.
    windows: [u32; 8],
    active: u8,
    unicode: bool,
    /// Reading: a lead surrogate whose trail surrogate comes after tags, or 0.
    lead: u16,
    /// Writing: a held code point, whose form depends on the next one.
    pending: Option<CodePoint>,
    /// The windows in the order in which the encoder used them, four bits each; the lowest bits are
    /// the least recent one.
    order: u32,
}

impl Default for ScsuState {
    #[inline]
    fn default() -> Self {
        Self { windows: DYNAMIC, active: 0, unicode: false, lead: 0, pending: None, order: ORDER }
    }
}

impl Carried for ScsuState {
    const START: Words = {
        let [a, b, c, d, e, f, g, h] = DYNAMIC;
        Words::new([a, b, c, d, e, f, g, h, 0, u32::MAX, ORDER])
    };

    #[inline]
    fn take(_: u16, words: &Words) -> Self {
        let [a, b, c, d, e, f, g, h, mode, pending, order, _] = words.0;
        let [active, unicode, lead @ ..] = mode.to_le_bytes();
        Self {
            windows: [a, b, c, d, e, f, g, h],
            active,
            unicode: unicode != 0,
            lead: u16::from_le_bytes(lead),
            pending: CodePoint::new(pending),
            order,
        }
    }

    #[inline]
    fn put(self, words: &mut Words) {
        let [a, b, c, d, e, f, g, h] = self.windows;
        let [low, high] = self.lead.to_le_bytes();
        let mode = u32::from_le_bytes([self.active, self.unicode.into(), low, high]);
        let pending = self.pending.map_or(u32::MAX, CodePoint::value);
        words.0 = [a, b, c, d, e, f, g, h, mode, pending, self.order, 0];
    }
}

/// The windows by use, at the start of a text.
const ORDER: u32 = 0x0123_4567;
const STATIC: [u32; 8] = [0x0000, 0x0080, 0x0100, 0x0300, 0x2000, 0x2080, 0x2100, 0x3000];
const DYNAMIC: [u32; 8] = [0x0080, 0x00C0, 0x0400, 0x0600, 0x0900, 0x3040, 0x30A0, 0xFF00];
/// Windows that do not begin at a multiple of 80, from F9 on.
const FIXED: [u32; 7] = [0x00C0, 0x0250, 0x0370, 0x0530, 0x3040, 0x30A0, 0xFF60];

const SQ0: u8 = 0x01;
const SDX: u8 = 0x0B;
const SQU: u8 = 0x0E;
const SCU: u8 = 0x0F;
const SC0: u8 = 0x10;
const SD0: u8 = 0x18;
const UC0: u8 = 0xE0;
const UD0: u8 = 0xE8;
const UQU: u8 = 0xF0;
const UDX: u8 = 0xF1;

/// Whether a code point below 80 is written as its own byte in single-byte mode.
#[inline(always)]
const fn is_direct(c: u32) -> bool {
    matches!(c, 0x00 | 0x09 | 0x0A | 0x0D | 0x20..=0x7F)
}

#[inline(always)]
const fn is_in(c: u32, window: u32) -> bool {
    c.wrapping_sub(window) < 0x80
}

/// The sequence at the start of some bytes.
enum Sequence {
    /// A unit of UTF-16.
    Unit(u16, usize),
    /// A code point of a window.
    Character(u32, usize),
    /// A tag alone, which the state has followed.
    Tag(usize),
    Wrong(IllFormedKind, usize),
    /// The input ends within the sequence.
    Cut,
}

impl ScsuState {
    /// Reads a sequence, and follows it if it is a tag.
    fn read(&mut self, src: &[u8]) -> Sequence {
        let Some(&first) = src.first() else { return Sequence::Cut };
        let byte = |at: usize| src.get(at).copied();
        let two = |at: usize| src.get(at..at + 2).map(|two| u16::from_be_bytes([two[0], two[1]]));
        let unit = |at: usize| two(at).map_or(Sequence::Cut, |unit| Sequence::Unit(unit, at + 2));
        if self.unicode {
            return match first {
                0x00..=0xDF | 0xF3.. => unit(0),
                UC0..=0xE7 => {
                    (self.active, self.unicode) = (first - UC0, false);
                    Sequence::Tag(1)
                }
                UD0..=0xEF => byte(1).map_or(Sequence::Cut, |x| self.define(first - UD0, x)),
                UQU => unit(1),
                UDX => two(1).map_or(Sequence::Cut, |x| self.define_extended(x)),
                0xF2 => Sequence::Wrong(IllFormedKind::ReservedByte, 1),
            };
        }
        match first {
            0x00 | 0x09 | 0x0A | 0x0D | 0x20..=0x7F => Sequence::Character(first.into(), 1),
            0x80.. => Sequence::Character(self.in_active(first), 1),
            SQ0..=0x08 => byte(1).map_or(Sequence::Cut, |second| {
                let window = usize::from(first - SQ0);
                let table = if second < 0x80 { STATIC } else { self.windows };
                Sequence::Character(table[window] + u32::from(second & 0x7F), 2)
            }),
            SDX => two(1).map_or(Sequence::Cut, |x| self.define_extended(x)),
            0x0C => Sequence::Wrong(IllFormedKind::ReservedByte, 1),
            SQU => unit(1),
            SCU => {
                self.unicode = true;
                Sequence::Tag(1)
            }
            SC0..=0x17 => {
                self.active = first - SC0;
                Sequence::Tag(1)
            }
            SD0..=0x1F => byte(1).map_or(Sequence::Cut, |x| self.define(first - SD0, x)),
        }
    }

    /// The code point of a byte from 80 on.
    #[inline(always)]
    fn in_active(&self, byte: u8) -> u32 {
        self.windows[usize::from(self.active & 7)] + u32::from(byte & 0x7F)
    }

    fn define(&mut self, window: u8, x: u8) -> Sequence {
        let offset = match x {
            0x01..=0x67 => u32::from(x) << 7,
            0x68..=0xA7 => (u32::from(x) << 7) + 0xAC00,
            0xF9.. => FIXED[usize::from(x - 0xF9)],
            0x00 | 0xA8..=0xF8 => return Sequence::Wrong(IllFormedKind::ReservedOffset, 2),
        };
        self.windows[usize::from(window)] = offset;
        (self.active, self.unicode) = (window, false);
        Sequence::Tag(2)
    }

    fn define_extended(&mut self, x: u16) -> Sequence {
        let window = x.to_be_bytes()[0] >> 5;
        self.windows[usize::from(window)] = 0x1_0000 + (u32::from(x & 0x1FFF) << 7);
        (self.active, self.unicode) = (window, false);
        Sequence::Tag(3)
    }

    /// The step of the first `len` bytes, which leave a lead surrogate unpaired. The bytes after them decide it.
    fn unpaired(mut self, state: &mut Self, src: &[u8], len: usize, last: bool) -> Step {
        let rest = &src[len..];
        let before = self;
        match self.read(rest) {
            Sequence::Cut if !last => return Step::Incomplete { needs: 1 },
            Sequence::Cut if !rest.is_empty() => return cut(state, src),
            Sequence::Unit(unit, more) if is_trail(unit) && before.lead != state.lead => {
                let value = CodePoint::from_pair(before.lead, unit);
                *state = Self { lead: 0, ..before };
                return Step::CodePoint { value, len: len + more };
            }
            Sequence::Unit(unit, _) if is_trail(unit) => {}
            Sequence::Tag(_) => {}
            _ => {
                *state = Self { lead: 0, ..before };
                return Step::IllFormed { len, seen: len, kind: IllFormedKind::UnpairedSurrogate };
            }
        }
        *state = before;
        Step::Shift { len }
    }

    /// Decodes a step that is not one of the simple ones.
    fn decode_any(&mut self, src: &[u8], last: bool) -> Step {
        let mut now = *self;
        match now.read(src) {
            Sequence::Cut if !last => Step::Incomplete { needs: 1 },
            Sequence::Cut => cut(self, src),
            Sequence::Wrong(kind, len) => {
                self.lead = 0;
                Step::IllFormed { len, seen: len, kind }
            }
            Sequence::Tag(len) if self.lead == 0 => {
                *self = now;
                Step::Shift { len }
            }
            Sequence::Tag(len) => now.unpaired(self, src, len, last),
            Sequence::Character(c, len) => {
                self.lead = 0;
                Step::CodePoint { value: CodePoint::within_31_bits(c), len }
            }
            Sequence::Unit(unit, len) if is_lead(unit) => {
                self.lead = 0;
                now.lead = unit;
                now.unpaired(self, src, len, last)
            }
            Sequence::Unit(unit, len) => {
                let lead = core::mem::take(&mut self.lead);
                if !is_trail(unit) {
                    return Step::CodePoint { value: CodePoint::from_u16(unit), len };
                }
                if lead != 0 {
                    return Step::CodePoint { value: CodePoint::from_pair(lead, unit), len };
                }
                Step::IllFormed { len, seen: len, kind: IllFormedKind::UnpairedSurrogate }
            }
        }
    }

    /// The bytes of a code point, and their number, if its form does not depend on the next one.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "within a window, or of 16 bits")]
    fn at_once(&self, c: u32) -> Option<(usize, [u8; 2])> {
        if self.unicode {
            return is_ideograph(c).then(|| (2, (c as u16).to_be_bytes()));
        }
        if is_direct(c) {
            return Some((1, [c as u8, 0]));
        }
        let window = self.windows[usize::from(self.active & 7)];
        if is_in(c, window) {
            return Some((1, [0x80 | (c - window) as u8, 0]));
        }
        (c < 0x20).then_some((2, [SQ0, c as u8]))
    }

    /// Notes that a window is used.
    fn touch(&mut self, window: u8) {
        let place = (0..8).find(|place| self.order >> (4 * place) & 0xF == window.into()).unwrap_or(0);
        let below = self.order & ((1 << (4 * place)) - 1);
        let above = self.order >> (4 * place) >> 4;
        self.order = u32::from(window) << 28 | above << (4 * place) | below;
    }

    /// Switches to a window in single-byte mode, and defines it if it does not exist. Writes the tag and the code point.
    #[expect(clippy::cast_possible_truncation, reason = "numbers of windows and offsets in them are small")]
    fn enter(&mut self, c: u32, known: Option<u8>, to: &mut [u8; 4]) -> usize {
        let [change, define, define_extended] = if self.unicode { [UC0, UD0, UDX] } else { [SC0, SD0, SDX] };
        let window = known.unwrap_or((self.order & 7) as u8);
        let tag_len = if known.is_some() {
            to[0] = change + window;
            1
        } else {
            let offset = window_of(c).unwrap_or(0);
            self.windows[usize::from(window)] = offset;
            let (tag, tag_len) = definition(window, offset, [define, define_extended]);
            to[..tag_len].copy_from_slice(&tag[..tag_len]);
            tag_len
        };
        self.touch(window);
        (self.active, self.unicode) = (window, false);
        to[tag_len] = 0x80 | (c - self.windows[usize::from(window)]) as u8;
        tag_len + 1
    }

    /// The dynamic window that holds a code point.
    #[expect(clippy::cast_possible_truncation, reason = "there are eight")]
    fn find(&self, c: u32) -> Option<u8> {
        self.windows.iter().position(|&window| is_in(c, window)).map(|window| window as u8)
    }

    /// Writes a code point whose form depends on the next one, `next`, or on the end of the text.
    fn write(&mut self, c: u32, next: Option<u32>, to: &mut [u8; 4]) -> usize {
        let stays = |window: u32| next.is_none_or(|next| is_in(next, window) || is_direct(next));
        let special = c == 0xFEFF || matches!(c, 0xFFF0..=0xFFFF);
        if self.unicode {
            if !special && !next.is_some_and(is_ideograph) {
                if let Ok(byte) = u8::try_from(c)
                    && byte.is_ascii_alphanumeric()
                {
                    self.unicode = false;
                    to[..2].copy_from_slice(&[UC0 + self.active, byte]);
                    return 2;
                }
                let known = self.find(c);
                if known.is_some() || window_of(c).is_some_and(stays) {
                    return self.enter(c, known, to);
                }
            }
            return quote_unicode(c, UQU, matches!(c, 0xE000..=0xF2FF), to);
        }
        if special {
            return quote_unicode(c, SQU, true, to);
        }
        if let Some(window) = self.find(c) {
            let offset = self.windows[usize::from(window)];
            if stays(offset) {
                return self.enter(c, Some(window), to);
            }
            self.touch(window);
            return quote(window, 0x80 | (c - offset), to);
        }
        let new = window_of(c);
        let fixed = STATIC.iter().position(|&window| is_in(c, window));
        if let Some(window) = fixed
            && !new.is_some_and(|new| next.is_some_and(|next| is_in(next, new)))
        {
            #[expect(clippy::cast_possible_truncation, reason = "there are eight")]
            return quote(window as u8, c - STATIC[window], to);
        }
        if new.is_some() {
            return self.enter(c, None, to);
        }
        if next.is_none_or(is_ideograph) {
            self.unicode = true;
            return quote_unicode(c, SCU, true, to);
        }
        quote_unicode(c, SQU, true, to)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "an offset in a window, from which it quotes")]
fn quote(window: u8, offset: u32, to: &mut [u8; 4]) -> usize {
    to[..2].copy_from_slice(&[SQ0 + window, offset as u8]);
    2
}

/// Writes a code point as units, after the tag if it is `tagged`; above U+FFFF without one.
fn quote_unicode(c: u32, tag: u8, tagged: bool, to: &mut [u8; 4]) -> usize {
    let [_, _, high, low] = c.to_be_bytes();
    if let Some((lead, trail)) = CodePoint::within_31_bits(c).to_pair() {
        let ([a, b], [c, d]) = (lead.to_be_bytes(), trail.to_be_bytes());
        *to = [a, b, c, d];
        4
    } else if tagged {
        to[..3].copy_from_slice(&[tag, high, low]);
        3
    } else {
        to[..2].copy_from_slice(&[high, low]);
        2
    }
}

/// Whether no window can hold a code point, and its units are not tags.
#[inline(always)]
const fn is_ideograph(c: u32) -> bool {
    matches!(c, 0x3400..=0xDFFF)
}

/// The start of the window to define for a code point.
fn window_of(c: u32) -> Option<u32> {
    match c {
        ..0x80 | 0x3400..=0xDFFF => None,
        _ => Some(FIXED.into_iter().find(|&window| is_in(c, window)).unwrap_or(c & !0x7F)),
    }
}

/// The byte that defines a window below U+10000.
#[expect(clippy::cast_possible_truncation, reason = "windows have a byte each")]
fn offset_byte(offset: u32) -> u8 {
    match FIXED.iter().position(|&window| window == offset) {
        Some(fixed) => 0xF9 + fixed as u8,
        None if offset < 0x3400 => (offset >> 7) as u8,
        None => ((offset - 0xAC00) >> 7) as u8,
    }
}

fn cut(state: &mut ScsuState, src: &[u8]) -> Step {
    state.lead = 0;
    Step::IllFormed { len: src.len(), seen: src.len(), kind: IllFormedKind::Incomplete }
}

impl EncodingForm for Scsu {}

impl Form for Scsu {
    type Unit = u8;
    type State = ScsuState;

    const NAMES: Names = Names {
        name: "SCSU",
        labels: labels!["csscsu", "ibm-1212", "ibm-1213"],
        web_labels: labels![],
        about: "Compressed Unicode: one byte for most of an alphabet, two for most ideographs; Latin-1 text is mostly itself.",
        specified_in: "Unicode Technical Standard #6",
    };
    const FACTS: Facts = Facts {
        signature: b"\x0E\xFE\xFF",
        holds_back: true,
        quick: true,
        ..Facts::new(Repertoire::Scalar, 4)
    };

    #[inline]
    fn decode_step(state: &mut ScsuState, src: &[u8]) -> Step {
        let first = src[0];
        if state.lead == 0 {
            if !state.unicode {
                if is_direct(first.into()) {
                    return Step::CodePoint { value: CodePoint::from_byte(first), len: 1 };
                }
                if first >= 0x80 {
                    let value = CodePoint::within_31_bits(state.in_active(first));
                    return Step::CodePoint { value, len: 1 };
                }
            } else if let [high @ (0x00..=0xD7 | 0xF3..), low, ..] = *src {
                let unit = u16::from_be_bytes([high, low]);
                return Step::CodePoint { value: CodePoint::from_u16(unit), len: 2 };
            }
        }
        state.decode_any(src, false)
    }

    #[inline]
    fn to_utf8(state: &mut ScsuState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        to_utf8(state, src, dst)
    }

    #[inline]
    fn from_utf8(state: &mut ScsuState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        from_utf8(state, src, dst)
    }

    #[inline]
    fn decode_end(state: &mut ScsuState, src: &[u8]) -> Step {
        state.decode_any(src, true)
    }

    /// An error is always a whole step, under any rule: its remaining bytes would have another meaning.
    #[inline]
    fn span(state: &ScsuState, _: Span, src: &[u8], maximal: usize, _: bool) -> Option<usize> {
        Some(match Self::decode_step(&mut state.clone(), src) {
            Step::CodePoint { len, .. } => len,
            _ => maximal,
        })
    }

    #[inline]
    fn encode_step(state: &mut ScsuState, c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        if state.pending.is_none()
            && let Some((len, units)) = state.at_once(c.value())
        {
            let Some(to) = dst.get_mut(..len) else { return EncodeStep::NoRoom };
            to.copy_from_slice(&units[..len]);
            return EncodeStep::Written(len);
        }
        encode_pending(state, Some(c), dst)
    }

    #[inline]
    fn encode_pause(state: &mut ScsuState, dst: &mut [u8]) -> EncodeStep {
        encode_pending(state, None, dst)
    }

    #[inline]
    fn encode_finish(state: &mut ScsuState, dst: &mut [u8]) -> EncodeStep {
        encode_pending(state, None, dst)
    }

    /// Defines the windows that differ, switches to the active one, and to Unicode mode if it is on.
    #[inline]
    fn bridge(from: &ScsuState, to: &ScsuState, dst: &mut [u8]) -> Option<usize> {
        if from.lead != 0 || to.lead != 0 || from.pending.is_some() {
            return None;
        }
        let (mut now, mut len) = (*from, 0);
        let mut push = |bytes: &[u8]| {
            dst.get_mut(len..len + bytes.len())?.copy_from_slice(bytes);
            len += bytes.len();
            Some(())
        };
        for window in 0..8 {
            let offset = to.windows[usize::from(window)];
            if now.windows[usize::from(window)] != offset {
                let [define, define_extended] = if now.unicode { [UD0, UDX] } else { [SD0, SDX] };
                let (tag, tag_len) = definition(window, offset, [define, define_extended]);
                push(&tag[..tag_len])?;
                now.windows[usize::from(window)] = offset;
                (now.active, now.unicode) = (window, false);
            }
        }
        if now.active != to.active || now.unicode && !to.unicode {
            push(&[if now.unicode { UC0 } else { SC0 } + to.active])?;
            now.unicode = false;
        }
        if to.unicode && !now.unicode {
            push(&[SCU])?;
        }
        Some(len)
    }
}

/// The tag that defines a window, and its length.
#[expect(clippy::cast_possible_truncation, reason = "a number of seven bits above a window below U+110000")]
fn definition(window: u8, offset: u32, [define, define_extended]: [u8; 2]) -> ([u8; 3], usize) {
    if offset < 0x1_0000 {
        return ([define + window, offset_byte(offset), 0], 2);
    }
    let [high, low] = (u16::from(window) << 13 | ((offset - 0x1_0000) >> 7) as u16).to_be_bytes();
    ([define_extended, high, low], 3)
}

/// Writes the held code point, and also the next one if its form does not depend on its successor and both fit into the
/// longest step; otherwise holds the next one.
fn encode_pending(state: &mut ScsuState, next: Option<CodePoint>, dst: &mut [u8]) -> EncodeStep {
    let (mut now, mut units, mut len) = (*state, [0; 4], 0);
    if let Some(c) = now.pending {
        len = match now.at_once(c.value()) {
            Some((len, few)) => {
                units[..2].copy_from_slice(&few);
                len
            }
            None => now.write(c.value(), next.map(CodePoint::value), &mut units),
        };
    }
    now.pending = next;
    if let Some(c) = next
        && let Some((more, few)) = now.at_once(c.value())
        && let Some(to) = units.get_mut(len..len + more)
    {
        to.copy_from_slice(&few[..more]);
        len += more;
        now.pending = None;
    }
    let Some(to) = dst.get_mut(..len) else { return EncodeStep::NoRoom };
    to.copy_from_slice(&units[..len]);
    *state = now;
    EncodeStep::Written(len)
}

/// Whether a byte is literal in single-byte mode.
#[inline(always)]
const fn is_direct_byte(byte: u8) -> bool {
    (byte.wrapping_sub(0x20) < 0x60) | (byte == 0x0A) | (byte == 0x0D) | (byte == 0x09)
}

#[inline]
fn to_utf8(state: &mut ScsuState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    if state.lead != 0 {
        return (0, 0);
    }
    let plain = |state: &mut ScsuState, src: &[u8], dst: &mut [u8]| {
        if state.unicode { 0 } else { pieces::blocks(src, dst, is_direct_byte, |byte| byte) }
    };
    pieces::to_utf8_by_pieces(state, src, dst, plain, to_units)
}

/// The number of bytes, of eight, before the first that is neither literal nor of the active
/// window.
#[inline(always)]
const fn direct_or_window(bytes: [u8; 8]) -> usize {
    let all = u64::from_le_bytes(bytes);
    let low = all & !lanes::HIGH8;
    let control = !lanes::from8(low, 0x20)
        & lanes::is_not8(low, 0x09)
        & lanes::is_not8(low, 0x0A)
        & lanes::is_not8(low, 0x0D);
    lanes::before8(control & !all)
}

/// The number of units, of eight, that go into the active window or unchanged, up to the first that does not.
#[inline(always)]
fn direct_or_held(units: &[u16; 8], window: u16) -> usize {
    lanes::before16(lanes::of_units(units).map(|all| {
        let elsewhere = lanes::any16(lanes::sub16(all, lanes::all16(window)) & lanes::all16(0xFF80));
        let control = !lanes::from16(all & lanes::all16(0x7F), 0x20);
        let indirect = lanes::any16(all & lanes::all16(0xFF80)) | control;
        elsewhere & indirect & lanes::any16(all ^ lanes::all16(0x0A))
    }))
}

/// The number of units, of eight before `next`, that go unchanged in Unicode mode, up to the first that does not.
#[inline(always)]
fn raw(units: &[u16; 8], next: u16) -> usize {
    const HIGH_BYTES: u64 = lanes::all16(0xFF);
    let high = |all: u64| all >> 8 & HIGH_BYTES;
    let ideographs = |all: u64| lanes::from16(high(all), 0x34) & !lanes::from16(high(all), 0xD8);
    let all = lanes::of_units(units);
    let [first, second] = all.map(ideographs);
    let last = ideographs(next.into()) << 48;
    let following = [first >> 16 | second << 48, second >> 16 | last];
    let raw = |all: u64, is: u64, next: u64| {
        let special = lanes::from16(high(all), 0xD8) & !lanes::from16(high(all), 0xF3);
        let ascii = all & lanes::all16(0x7F);
        let letter = lanes::from16(ascii | lanes::all16(0x20), 0x61)
            & !lanes::from16(ascii | lanes::all16(0x20), 0x7B);
        let digit = lanes::from16(ascii, 0x30) & !lanes::from16(ascii, 0x3A);
        let not_quoted = lanes::any16(all & lanes::all16(0xFF80)) | letter | digit;
        // These units stay: ideographs, units before an ideograph, and ASCII other than letters and digits.
        !is & (special | !next) & not_quoted
    };
    lanes::before16([raw(all[0], first, following[0]), raw(all[1], second, following[1])])
}

/// Reads ASCII, and code points of a window above U+FFFF. Returns the number of units. As a part of the function below it
/// would keep the compiler from vectorizing the loops there.
#[inline(never)]
fn above(bytes: &[u8], window: u32, units: &mut [u16; 16]) -> usize {
    let mut count = 0;
    for &byte in bytes {
        let held = u32::from(byte >> 7).wrapping_neg();
        let Some(to) = chunk_at_mut!(units, count) else { break };
        count += pieces::put((window & held) + u32::from(byte & 0x7F), to);
    }
    count
}

/// Reads a piece. Returns the number of bytes and of units.
#[expect(clippy::cast_possible_truncation, reason = "one of eight windows")]
fn to_units(state: &mut ScsuState, src: &[u8], units: &mut [u16]) -> (usize, usize) {
    let (mut read, mut count) = (0, 0);
    let (mut active, mut unicode) = (usize::from(state.active & 7), state.unicode);
    while let Some(bytes) = chunk_at!(src, read, 16)
        && let Some(to) = chunk_at_mut!(units, count, 16)
    {
        if unicode {
            let Some(eight) = to.first_chunk_mut::<8>() else { break };
            for (to, &pair) in eight.iter_mut().zip(bytes.as_chunks().0) {
                *to = u16::from_be_bytes(pair);
            }
            // A surrogate, or a tag.
            let some = lanes::before16(lanes::of_units(eight).map(|all| {
                let high = all >> 8 & lanes::all16(0xFF);
                lanes::from16(high, 0xD8) & !lanes::from16(high, 0xF3)
            }));
            (read, count) = (read + 2 * some, count + some);
            if some == 8 {
                continue;
            }
        } else if let Some(few) = bytes.first_chunk::<8>() {
            let some;
            if let Ok(window) = u16::try_from(state.windows[active]) {
                // This precedes the count of the others, or the compiler takes the bytes out of that integer one by one.
                let add = window.wrapping_sub(0x80);
                for (to, &byte) in to.iter_mut().zip(few) {
                    *to = u16::from(byte).wrapping_add(if byte < 0x80 { 0 } else { add });
                }
                some = direct_or_window(*few);
                count += some;
            } else {
                some = direct_or_window(*few);
                count += above(&few[..some], state.windows[active], to);
            }
            read += some;
            if some == 8 {
                continue;
            }
        }
        let Some(&[a, b, c, d]) = chunk_at!(src, read) else { break };
        let Some(to) = chunk_at_mut!(units, count) else { break };
        // A tag that switches to a window or quotes from it, and then a code point of that window.
        let (switch, quote) = (a & 0xF8 == SC0, a.wrapping_sub(SQ0) < 8);
        if !unicode && (switch | quote | (a >= 0x80)) {
            let tagged = switch | quote;
            let window = usize::from(if switch { a } else { a.wrapping_sub(SQ0) } & 7);
            let window = if tagged { window } else { active };
            let byte = if tagged { b } else { a };
            active = if switch { window } else { active };
            if switch && byte < 0x80 {
                read += 1;
                continue;
            }
            let offset = if byte < 0x80 { STATIC[window] } else { state.windows[window] };
            read += 1 + usize::from(tagged);
            count += pieces::put(offset + u32::from(byte & 0x7F), to);
            continue;
        }
        let (len, some) = match (unicode, a) {
            (false, SCU) => {
                unicode = true;
                (1, 0)
            }
            (false, SQU) if b & 0xF8 != 0xD8 => (3, pieces::put(u16::from_be_bytes([b, c]).into(), to)),
            (true, 0xD8..=0xDB) if c & 0xFC == 0xDC => {
                *to = [u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d])];
                (4, 2)
            }
            (true, UC0..=0xE7) => {
                (active, unicode) = (usize::from(a - UC0), false);
                (1, 0)
            }
            (false, 0x00) => (1, pieces::put(0, to)),
            _ => {
                let mut now = ScsuState { active: active as u8, unicode, ..*state };
                let Sequence::Tag(len) = now.read(&src[read..]) else { break };
                *state = now;
                (active, unicode) = (usize::from(now.active & 7), now.unicode);
                (len, 0)
            }
        };
        (read, count) = (read + len, count + some);
    }
    (state.active, state.unicode) = (active as u8, unicode);
    (read, count)
}

#[inline]
fn from_utf8(state: &mut ScsuState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let plain = |state: &mut ScsuState, src: &[u8], dst: &mut [u8]| {
        if state.pending.is_some() || state.unicode {
            return 0;
        }
        pieces::blocks(src, dst, is_direct_byte, |byte| byte)
    };
    pieces::from_utf8_by_pieces(state, src, dst, 4, plain, |state, units, dst| {
        (units.len(), from_units(state, units, dst))
    })
}

/// Writes a piece, of which it may hold the last code point. Returns the number of bytes.
#[expect(clippy::cast_possible_truncation, reason = "a value that is not a byte is not taken")]
fn from_units(state: &mut ScsuState, units: &[u16], dst: &mut [u8]) -> usize {
    let (mut read, mut written) = (0, 0);
    let mut waits = state.pending.take().map(|c| (c.value(), 0));
    // The bytes of the code point before, if it was held: one that does not fit into a step with them is held in turn.
    let mut before = 0;
    loop {
        if waits.is_none()
            && let Some(few) = chunk_at!(units, read, 9)
            && let Some(to) = dst[written..].first_chunk_mut::<16>()
        {
            let Some(eight) = few.first_chunk::<8>() else { break written };
            let window = state.windows[usize::from(state.active & 7)];
            if state.unicode {
                let (pairs, _) = to.as_chunks_mut();
                for (to, unit) in pairs.iter_mut().zip(eight) {
                    *to = unit.to_be_bytes();
                }
                let some = raw(eight, few[8]);
                (read, written) = (read + some, written + 2 * some);
                before *= usize::from(some == 0);
                if some == 8 {
                    continue;
                }
            } else if let Some(to) = to.first_chunk_mut::<8>() {
                // For a window above U+FFFF no unit: the range is of trail surrogates, which never come first.
                let window = u16::try_from(window).unwrap_or(0xDF80);
                for (to, &unit) in to.iter_mut().zip(eight) {
                    *to = if unit < 0x80 { unit } else { 0x80 | unit.wrapping_sub(window) } as u8;
                }
                let some = direct_or_held(eight, window);
                (read, written) = (read + some, written + some);
                before *= usize::from(some == 0);
                if some == 8 {
                    continue;
                }
            }
        }
        let (c, len) = waits.take().unwrap_or_else(|| pieces::code_point(&units[read..]));
        read += len;
        if let Some((len, few)) = state.at_once(c)
            && (read < units.len() || before + len <= Scsu::FACTS.max_units)
        {
            dst[written..written + 2].copy_from_slice(&few);
            (written, before) = (written + len, 0);
        } else if read < units.len() {
            let mut few = [0; 4];
            let len = state.write(c, Some(pieces::code_point(&units[read..]).0), &mut few);
            dst[written..written + 4].copy_from_slice(&few);
            (written, before) = (written + len, len);
        } else {
            state.pending = Some(CodePoint::within_31_bits(c));
        }
        if read == units.len() {
            break written;
        }
    }
}
