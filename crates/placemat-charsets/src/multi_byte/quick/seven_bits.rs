//! Loops of encodings in seven bits, which shift between ASCII and sets of two bytes.

use super::bytes::right_of;
use crate::grid::{Cell, Grid};
use crate::multi_byte::codes::{ESC, Read, SI, SO};
use crate::multi_byte::encodings::MultiByte;
use crate::multi_byte::sets::{CNS11643, GB2312, KSX1001};
use crate::multi_byte::state::{MultiByteState, Set};
use crate::multi_byte::steps::{read, write_one};
use crate::window::{At, Plain, four, get, two, utf8};
use placemat_core::forms::form::Step;

/// An encoding in seven bits that shifts between ASCII and a set of two bytes.
pub(super) trait SevenBits: Plain {
    /// The direct bytes within a line, where a line end is not direct.
    type Line: Plain;
    /// The shifts to two bytes and back, and their length.
    const SHIFTS: [[u8; 2]; 2];
    const SHIFT: usize;
    /// Returns the table of two-byte codes.
    fn grid(state: &MultiByteState) -> &'static Grid;
    /// Returns the two bytes of a scalar value, in the set that is designated.
    fn write(state: &MultiByteState, c: u32) -> Option<[u8; 2]>;
}

pub(super) struct Korean;
impl Plain for Korean {
    const ODD: &'static [u8] = &[SO, SI, ESC];
}
impl SevenBits for Korean {
    type Line = Self;
    const SHIFTS: [[u8; 2]; 2] = [[SO, 0], [SI, 0]];
    const SHIFT: usize = 1;
    #[inline(always)]
    fn grid(_: &MultiByteState) -> &'static Grid {
        &KSX1001
    }
    #[inline(always)]
    fn write(state: &MultiByteState, c: u32) -> Option<[u8; 2]> {
        state.shift.begun.then_some((KSX1001.code(c)? + 0x2121).to_be_bytes())
    }
}

pub(super) struct Hz;
impl Plain for Hz {
    const ODD: &'static [u8] = b"~";
}
impl SevenBits for Hz {
    type Line = Self;
    const SHIFTS: [[u8; 2]; 2] = [*b"~{", *b"~}"];
    const SHIFT: usize = 2;
    #[inline(always)]
    fn grid(_: &MultiByteState) -> &'static Grid {
        &GB2312
    }
    #[inline(always)]
    fn write(_: &MultiByteState, c: u32) -> Option<[u8; 2]> {
        Some((GB2312.code(c)? + 0x2121).to_be_bytes())
    }
}

pub(super) struct Chinese;
/// Within a line in which something is designated.
pub(super) struct ChineseLine;
impl Plain for ChineseLine {
    const ODD: &'static [u8] = &[SO, SI, ESC, b'\n'];
}
impl Plain for Chinese {
    const ODD: &'static [u8] = &[SO, SI, ESC];
}
impl SevenBits for Chinese {
    type Line = ChineseLine;
    const SHIFTS: [[u8; 2]; 2] = [[SO, 0], [SI, 0]];
    const SHIFT: usize = 1;
    #[inline(always)]
    fn grid(state: &MultiByteState) -> &'static Grid {
        state.shift.set.map_or(&GB2312, Set::grid)
    }
    #[inline(always)]
    fn write(state: &MultiByteState, c: u32) -> Option<[u8; 2]> {
        match state.shift.set? {
            set @ (Set::Gb2312 | Set::IsoIr165) => Some((set.grid().code(c)? + 0x2121).to_be_bytes()),
            Set::Plane1 => {
                let (row, column) = CNS11643.place(CNS11643.code(c)?);
                (row < 94).then(|| right_of((row, column)).map(|byte| byte - 0x80))
            }
        }
    }
}

pub(super) fn to_utf8<S: SevenBits>(
    state: &mut MultiByteState,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let mut at = At::new(src, dst);
    while let Some((word, _)) = at.window() {
        if state.shift.double {
            let grid = S::grid(state);
            let read = |[a, b]: [u8; 2]| {
                let (row, column) = (a.wrapping_sub(0x21), b.wrapping_sub(0x21));
                // In HZ no code begins with a tilde.
                let fits = row < if S::SHIFT == 2 { 93 } else { 94 };
                if fits { grid.scalar((row.into(), column.into())).map(utf8) } else { None }
            };
            if at.read_some(read) {
                continue;
            }
        } else if at.copy::<S>() {
            continue;
        }
        let shift = |at: usize| {
            let [a, b, ..] = four(word >> (8 * at));
            [a, b]
        };
        let [to_double, to_single] = S::SHIFTS;
        let (here, after) = (shift(0), shift(S::SHIFT + 1));
        // In HZ a shift to where it is already is none.
        if !state.shift.double && here[..S::SHIFT] == to_double[..S::SHIFT] {
            state.shift.double = true;
            at.on(S::SHIFT, 0);
        } else if state.shift.double && here[..S::SHIFT] == to_single[..S::SHIFT] {
            // One byte and back: a space between words.
            let [byte, ..] = four(word >> (8 * S::SHIFT));
            if byte < 0x80 && !S::ODD.contains(&byte) && after[..S::SHIFT] == to_double[..S::SHIFT] {
                if at.write([byte], 1, 2 * S::SHIFT + 1).is_none() {
                    break;
                }
            } else {
                state.shift.double = false;
                at.on(S::SHIFT, 0);
            }
        } else if let Some((read, written)) = read_step(state, &at.src[at.read..], &mut at.dst[at.written..])
        {
            at.on(read, written);
        } else {
            break;
        }
    }
    at.end()
}

/// Reads by a step what a loop does not know. How many bytes it read and wrote.
#[inline(never)]
pub(in crate::multi_byte) fn read_step(
    state: &mut MultiByteState,
    src: &[u8],
    dst: &mut [u8],
) -> Option<(usize, usize)> {
    let mut after = *state;
    let mut at = At::new(src, dst);
    match read(&mut after, src) {
        Read::Cell { cell: Cell::One(c), len } => at.put(c.value(), len)?,
        Read::Other(Step::Shift { len }) => at.on(len, 0),
        _ => return None,
    }
    *state = after;
    Some(at.end())
}

pub(super) fn from_utf8<S: SevenBits>(
    state: &mut MultiByteState,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let mut at = At::new(src, dst);
    while let Some((word, _)) = at.window() {
        let [byte, ..] = four(word);
        let begun = state.shift.begun || state.encoding != MultiByte::Iso2022Kr;
        if byte < 0x80 && !state.shift.double && begun {
            let line = state.shift.is_designated();
            if if line { at.copy::<S::Line>() } else { at.copy::<S>() } {
                continue;
            }
        }
        if byte >= 0x80 && state.shift.double {
            let write = |c, _| S::write(state, c).map(two);
            if at.write_some(word, write) {
                continue;
            }
        }
        let Some((c, len)) = get(word) else { break };
        let [to_double, to_single] = S::SHIFTS;
        let double = state.shift.double;
        let written = if byte < 0x80 {
            if double && !S::Line::ODD.contains(&byte) {
                state.shift.double = false;
                let mut bytes = [to_single[0], to_single[1], byte];
                bytes[S::SHIFT] = byte;
                at.write(bytes, S::SHIFT + 1, len)
            } else {
                write_one(state, c, &mut at.dst[at.written..]).map(|units| at.on(len, units))
            }
        } else if let Some([a, b]) = S::write(state, c) {
            state.shift.double = true;
            match (double, S::SHIFT) {
                (true, _) => at.write([a, b], 2, len),
                (false, 1) => at.write([to_double[0], a, b], 3, len),
                (false, _) => at.write([to_double[0], to_double[1], a, b], 4, len),
            }
        } else {
            write_one(state, c, &mut at.dst[at.written..]).map(|units| at.on(len, units))
        };
        if written.is_none() {
            break;
        }
    }
    at.end()
}
