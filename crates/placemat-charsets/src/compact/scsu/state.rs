//! The windows of SCSU, its mode and its tags: how one sequence is read, and how one code point is written.

use placemat_core::forms::descriptor::{Carried, Words};
use placemat_core::forms::form::Step;
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::error::IllFormedKind;
use placemat_core::ground::unit::{is_lead, is_trail};

/// The windows and the mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScsuState {
    /// The starts of the dynamic windows.
    pub(super) windows: [u32; 8],
    pub(super) active: u8,
    pub(super) unicode: bool,
    /// Reading: a lead surrogate whose trail surrogate comes after tags, or 0.
    pub(super) lead: u16,
    /// Writing: a held code point, whose form depends on the next one.
    pub(super) pending: Option<CodePoint>,
    /// The windows in the order in which the encoder used them, four bits each; the lowest bits are
    /// the least recent one.
    pub(super) order: u32,
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

/// The windows at the start of a text, four bits each, in the order of their last use.
const ORDER: u32 = 0x0123_4567;
pub(super) const STATIC: [u32; 8] = [0x0000, 0x0080, 0x0100, 0x0300, 0x2000, 0x2080, 0x2100, 0x3000];
const DYNAMIC: [u32; 8] = [0x0080, 0x00C0, 0x0400, 0x0600, 0x0900, 0x3040, 0x30A0, 0xFF00];
/// Windows that do not begin at a multiple of 80, from F9 on.
const FIXED: [u32; 7] = [0x00C0, 0x0250, 0x0370, 0x0530, 0x3040, 0x30A0, 0xFF60];

pub(super) const SQ0: u8 = 0x01;
pub(super) const SDX: u8 = 0x0B;
pub(super) const SQU: u8 = 0x0E;
pub(super) const SCU: u8 = 0x0F;
pub(super) const SC0: u8 = 0x10;
pub(super) const SD0: u8 = 0x18;
pub(super) const UC0: u8 = 0xE0;
pub(super) const UD0: u8 = 0xE8;
const UQU: u8 = 0xF0;
pub(super) const UDX: u8 = 0xF1;

/// The longest step, in bytes.
pub(super) const MAX_STEP_BYTES: usize = 4;

/// Returns `true` if a code point below 80 is written as its own byte in single-byte mode.
#[inline(always)]
pub(super) const fn is_direct(c: u32) -> bool {
    matches!(c, 0x00 | 0x09 | 0x0A | 0x0D | 0x20..=0x7F)
}

#[inline(always)]
const fn is_in(c: u32, window: u32) -> bool {
    c.wrapping_sub(window) < 0x80
}

/// The sequence at the start of some bytes.
pub(super) enum Sequence {
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
    pub(super) fn read(&mut self, src: &[u8]) -> Sequence {
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

    /// Returns the code point of a byte from 80 on.
    #[inline(always)]
    pub(super) fn in_active(&self, byte: u8) -> u32 {
        self.windows[usize::from(self.active & 7)] + u32::from(byte & 0x7F)
    }

    pub(super) fn define(&mut self, window: u8, x: u8) -> Sequence {
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

    pub(super) fn define_extended(&mut self, x: u16) -> Sequence {
        let window = x.to_be_bytes()[0] >> 5;
        self.windows[usize::from(window)] = 0x1_0000 + (u32::from(x & 0x1FFF) << 7);
        (self.active, self.unicode) = (window, false);
        Sequence::Tag(3)
    }

    /// Returns the step of the first `len` bytes, which leave a lead surrogate unpaired. The bytes after them decide it.
    pub(super) fn unpaired(mut self, state: &mut Self, src: &[u8], len: usize, last: bool) -> Step {
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
    pub(super) fn decode_any(&mut self, src: &[u8], last: bool) -> Step {
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

    /// Returns the bytes of a code point, and their number, if its form does not depend on the next one.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "within a window, or of 16 bits")]
    pub(super) fn at_once(&self, c: u32) -> Option<(usize, [u8; 2])> {
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

    /// Returns the dynamic window that holds a code point.
    #[expect(clippy::cast_possible_truncation, reason = "there are eight")]
    fn find(&self, c: u32) -> Option<u8> {
        self.windows.iter().position(|&window| is_in(c, window)).map(|window| window as u8)
    }

    /// Writes a code point whose form depends on the next one, `next`, or on the end of the text.
    pub(super) fn write(&mut self, c: u32, next: Option<u32>, to: &mut [u8; 4]) -> usize {
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
pub(super) fn quote(window: u8, offset: u32, to: &mut [u8; 4]) -> usize {
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

/// Returns `true` if no window can hold a code point, and its units are not tags.
#[inline(always)]
const fn is_ideograph(c: u32) -> bool {
    matches!(c, 0x3400..=0xDFFF)
}

/// Returns the start of the window to define for a code point.
fn window_of(c: u32) -> Option<u32> {
    match c {
        ..0x80 | 0x3400..=0xDFFF => None,
        _ => Some(FIXED.into_iter().find(|&window| is_in(c, window)).unwrap_or(c & !0x7F)),
    }
}

/// Returns the byte that defines a window below U+10000.
#[expect(clippy::cast_possible_truncation, reason = "windows have a byte each")]
fn offset_byte(offset: u32) -> u8 {
    match FIXED.iter().position(|&window| window == offset) {
        Some(fixed) => 0xF9 + fixed as u8,
        None if offset < 0x3400 => (offset >> 7) as u8,
        None => ((offset - 0xAC00) >> 7) as u8,
    }
}

/// The tag that defines a window, and its length.
#[expect(clippy::cast_possible_truncation, reason = "a number of seven bits above a window below U+110000")]
pub(super) fn definition(window: u8, offset: u32, [define, define_extended]: [u8; 2]) -> ([u8; 3], usize) {
    if offset < 0x1_0000 {
        return ([define + window, offset_byte(offset), 0], 2);
    }
    let [high, low] = (u16::from(window) << 13 | ((offset - 0x1_0000) >> 7) as u16).to_be_bytes();
    ([define_extended, high, low], 3)
}

fn cut(state: &mut ScsuState, src: &[u8]) -> Step {
    state.lead = 0;
    Step::IllFormed { len: src.len(), seen: src.len(), kind: IllFormedKind::Incomplete }
}
