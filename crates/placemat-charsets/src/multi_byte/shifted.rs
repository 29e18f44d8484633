//! The encodings that switch: the same bytes mean single bytes of ASCII or EBCDIC, or two-byte codes, by what came before.

use super::codes::{ESC, Out, Read, SI, SO};
use super::encodings::MultiByte;
use super::sets::CNS11643;
use super::state::{MultiByteState, Set, Shift};
use crate::grid::{self, Cell, Grid};
use placemat_core::forms::form::{Ending, JustRead, OpenShift};
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::error::IllFormedKind;

impl Set {
    const fn designation(self) -> &'static [u8] {
        CHINESE[match self {
            Self::Gb2312 => 0,
            Self::Plane1 => 1,
            Self::IsoIr165 => 3,
        }]
    }
}

const KOREAN: &[u8] = b"\x1B$)C";
/// The designations of ISO-2022-CN, sets for SO, and plane 2; and those that ISO-2022-CN-EXT adds: another set for SO, and
/// planes 3 to 7.
const CHINESE: [&[u8]; 9] = [
    b"\x1B$)A", b"\x1B$)G", b"\x1B$*H", b"\x1B$)E", b"\x1B$+I", b"\x1B$+J", b"\x1B$+K", b"\x1B$+L",
    b"\x1B$+M",
];
/// The shift of HZ to GB 2312.
const TO_GB: &[u8; 2] = b"~{";
/// The single shifts to plane 2, and to one of planes 3 to 7.
const PLANE_2: &[u8] = b"\x1BN";
const PLANE_3: &[u8] = b"\x1BO";

#[inline]
pub(super) fn read(state: &mut MultiByteState, src: &[u8]) -> Read {
    let (encoding, byte) = (state.encoding, src[0]);
    let shift = &mut state.shift;
    let single = encoding.single();
    match byte {
        SO | SI if encoding != MultiByte::Hz => {
            shift.double = byte == SO;
            return Read::shift(1);
        }
        ESC if single.is_none() && encoding != MultiByte::Hz => return escape(state, src),
        b'~' if encoding == MultiByte::Hz => return tilde(shift, src),
        _ => {}
    }
    if shift.double {
        let grid = shift.set.map_or_else(|| encoding.grid(), Set::grid);
        let first = if single.is_some() { 0x40 } else { 0x21 };
        let read = two_bytes(grid, first, src, (0, 0));
        // A line end ends the damage.
        if matches!(byte, b'\n' | b'\r') || single.is_some() && matches!(byte, 0x15 | 0x25) {
            shift.double = false;
        }
        return read;
    }
    match single {
        Some(single) => Read::at(&single.grid, (0, usize::from(byte)), 1, 1),
        None if byte.is_ascii() => Read::ascii(byte),
        None => Read::ill_formed(IllFormedKind::EightBitByte, 1, 1),
    }
}

/// Returns a two-byte code after `head` bytes, of bytes from `first` on and in rows from `start` on.
fn two_bytes(grid: &Grid, first: u8, src: &[u8], (head, start): (usize, usize)) -> Read {
    let last = if first == 0x21 { 0x7E } else { 0xFE };
    for (i, byte) in src.iter().enumerate().take(head + 2).skip(head) {
        if !(first..=last).contains(byte) {
            let kind = if i == 0 { IllFormedKind::Undefined } else { IllFormedKind::BadTrail };
            return Read::ill_formed(kind, i.max(1), i + 1);
        }
    }
    match src.get(head..head + 2) {
        Some(&[row, column]) => {
            let place = (start + usize::from(row - first), usize::from(column - first));
            Read::at(grid, place, head + 2, head + 2)
        }
        _ => Read::incomplete(head + 2 - src.len()),
    }
}

#[cold]
fn escape(state: &mut MultiByteState, src: &[u8]) -> Read {
    let shift = &mut state.shift;
    let known: &[&[u8]] = match state.encoding {
        MultiByte::Iso2022Kr => &[KOREAN],
        MultiByte::Iso2022Cn => &CHINESE[..3],
        _ => &CHINESE,
    };
    for (i, sequence) in known.iter().enumerate() {
        if src.starts_with(sequence) {
            match i {
                _ if state.encoding == MultiByte::Iso2022Kr => {}
                0 => shift.set = Some(Set::Gb2312),
                1 => shift.set = Some(Set::Plane1),
                2 => shift.plane_2 = true,
                3 => shift.set = Some(Set::IsoIr165),
                // The first of them is plane 3.
                _ => shift.plane_3 = Some(low(i) - 1),
            }
            return Read::shift(sequence.len());
        }
    }
    let plane_2 = shift.plane_2.then_some((PLANE_2, 1));
    let plane_3 = shift.plane_3.map(|plane| (PLANE_3, usize::from(plane) - 1));
    let single_shifts = [plane_2, plane_3];
    for (sequence, planes) in single_shifts.into_iter().flatten() {
        if src.starts_with(sequence) {
            return two_bytes(&CNS11643, 0x21, src, (sequence.len(), 94 * planes));
        }
    }
    let single_shifts = single_shifts.iter().flatten().map(|(sequence, _)| sequence);
    let possible = known.iter().chain(single_shifts);
    match possible
        .filter(|sequence| sequence.starts_with(src))
        .map(|sequence| sequence.len() - src.len())
        .min()
    {
        Some(needs) => Read::incomplete(needs),
        // Not the start of an escape sequence of ISO 2022, which has a byte 20..2F here: a control among others, to glibc
        // and CPython.
        None if state.encoding == MultiByte::Iso2022Kr
            && !shift.double
            && !matches!(src[1], 0x20..=0x2F | 0x80..) =>
        {
            Read::ascii(ESC)
        }
        None => {
            let same = |sequence: &&[u8]| sequence.iter().zip(src).take_while(|(a, b)| a == b).count();
            let seen = 1 + known.iter().map(same).max().unwrap_or(0);
            Read::ill_formed(IllFormedKind::UnknownEscape, 1, seen.min(src.len()))
        }
    }
}

/// Reads a sequence of HZ that begins with a tilde.
fn tilde(shift: &mut Shift, src: &[u8]) -> Read {
    match (shift.double, src.get(1)) {
        (_, None) => Read::incomplete(1),
        (false, Some(b'~')) => Read::Cell { cell: Cell::One(CodePoint::from('~')), len: 2 },
        (false, Some(b'{')) => {
            shift.double = true;
            Read::shift(2)
        }
        (true, Some(b'}')) => {
            shift.double = false;
            Read::shift(2)
        }
        // A line that goes on.
        (false, Some(b'\n')) => Read::shift(2),
        _ => Read::ill_formed(IllFormedKind::UnknownEscape, 1, 2),
    }
}

/// A text ends in single bytes: RFC 1843 and RFC 1922 close each shift with its line, and IBM's pages pair SO with SI. So does
/// the syntax of RFC 1557 for ISO-2022-KR, but there writers such as ICU leave the last shift open.
pub(super) fn ending(state: &MultiByteState, read: JustRead<'_>) -> Ending {
    if !state.shift.double || state.encoding == MultiByte::Iso2022Kr {
        return Ending::Allowed;
    }
    if state.encoding != MultiByte::Hz {
        return read.last_shift(|src| usize::from(src[0] == SO));
    }
    let ending = read.last_shift(|src| if src.starts_with(TO_GB) { TO_GB.len() } else { 0 });
    // The two bytes may also come from the ends of an ill-formed code and of the next one, which a cut may divide.
    if ending == Ending::ShiftedBefore && read.len > 0 && [read.previous, read.src[0]] == *TO_GB {
        return Ending::Shifted(OpenShift { back: read.len as u64 + 1, bytes: *b"~{\0\0", len: 2 });
    }
    ending
}

/// Writes a code point, and what has to precede it. Whether the encoding holds it.
#[inline]
pub(super) fn write(state: &mut MultiByteState, c: CodePoint, out: &mut Out) -> bool {
    let encoding = state.encoding;
    let single = encoding.single();
    let byte = match single {
        Some(single) => single.grid.find(c).map(|(_, byte)| byte.to_le_bytes()[0]),
        None => Some(c.value().to_le_bytes()[0]).filter(|_| c.value() < 0x80),
    };
    if encoding == MultiByte::Iso2022Kr && !state.shift.begun {
        out.push(KOREAN);
        state.shift.begun = true;
    }
    if let Some(byte) = byte {
        if single.is_none() && encoding != MultiByte::Hz && matches!(byte, SO | SI | ESC) {
            return false;
        }
        close(state, out);
        out.push(if encoding == MultiByte::Hz && byte == b'~' {
            b"~~"
        } else {
            core::slice::from_ref(&byte)
        });
        if byte == b'\n' {
            // RFC 1922: designations end with the line.
            (state.shift.set, state.shift.plane_2, state.shift.plane_3) = (None, false, None);
        }
        return true;
    }
    if matches!(encoding, MultiByte::Iso2022Cn | MultiByte::Iso2022CnExt) {
        return write_chinese(encoding, &mut state.shift, c, out);
    }
    let Some(place) = encoding.grid().find(c) else { return false };
    write_double(state, place, out);
    true
}

/// Writes a code of two bytes, and shifts to them.
pub(super) fn write_double(state: &mut MultiByteState, (row, column): grid::Place, out: &mut Out) {
    if !state.shift.double {
        out.push(if state.encoding == MultiByte::Hz { b"~{" } else { &[SO] });
        state.shift.double = true;
    }
    let first = if state.encoding.single().is_some() { 0x40 } else { 0x21 };
    out.push(&[first + low(row), first + low(column)]);
}

fn write_chinese(encoding: MultiByte, shift: &mut Shift, c: CodePoint, out: &mut Out) -> bool {
    let extended = encoding == MultiByte::Iso2022CnExt;
    let of = |set: Set| {
        let place = match set {
            Set::Plane1 => CNS11643.find(c).filter(|(row, _)| *row < 94),
            Set::IsoIr165 if !extended => None,
            set => set.grid().find(c),
        };
        place.map(|place| (set, place))
    };
    // The set that is designated, if it will do.
    let found = shift
        .set
        .and_then(of)
        .or_else(|| of(Set::Gb2312))
        .or_else(|| of(Set::IsoIr165))
        .or_else(|| of(Set::Plane1));
    if let Some((set, (row, column))) = found {
        if shift.set != Some(set) {
            out.push(set.designation());
            shift.set = Some(set);
        }
        if !shift.double {
            out.push(&[SO]);
            shift.double = true;
        }
        out.push(&[0x21 + low(row), 0x21 + low(column)]);
        return true;
    }
    let Some((row, column)) = CNS11643.find(c) else { return false };
    match row / 94 + 1 {
        2 => {
            if !shift.plane_2 {
                out.push(CHINESE[2]);
                shift.plane_2 = true;
            }
            out.push(PLANE_2);
        }
        plane @ 3..=7 if extended => {
            if shift.plane_3 != Some(low(plane)) {
                out.push(CHINESE[plane + 1]);
                shift.plane_3 = Some(low(plane));
            }
            out.push(PLANE_3);
        }
        _ => return false,
    }
    out.push(&[0x21 + low(row % 94), 0x21 + low(column)]);
    true
}

/// Shifts back to single bytes.
pub(super) fn close(state: &mut MultiByteState, out: &mut Out) {
    if state.shift.double {
        out.push(if state.encoding == MultiByte::Hz { b"~}" } else { &[SI] });
        state.shift.double = false;
    }
}

/// Converts a row or a column, which is less than 256, to a byte.
fn low(n: usize) -> u8 {
    n.to_le_bytes()[0]
}
