//! Loops of the EBCDIC pages that shift between one byte and two.

use crate::multi_byte::codes::{SI, SO};
use crate::multi_byte::state::MultiByteState;
use crate::multi_byte::steps::write_one;
use crate::window::{At, HIGH, WINDOW, first, four, get, marks, two, utf8};
use placemat_core::ground::code_point::CodePoint;

/// Each byte by a table.
#[inline(always)]
fn each(word: u64, by: impl Fn(usize) -> u8) -> u64 {
    (0..WINDOW).fold(0, |all, i| all | u64::from(by(usize::from(four(word >> (8 * i))[0]))) << (8 * i))
}

pub(super) fn to_utf8(state: &mut MultiByteState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let Some(single) = state.encoding.single() else { return (0, 0) };
    let double = state.encoding.grid();
    let mut at = At::new(src, dst);
    while let Some((word, _)) = at.window() {
        let [a, b, c, ..] = four(word);
        let known = if state.shift.double {
            let read =
                |[a, b]: [u8; 2]| double.scalar((a.wrapping_sub(0x40).into(), b.wrapping_sub(0x40).into()));
            if at.read_some(|two| read(two).map(utf8)) {
                continue;
            }
            // One byte and back: a space between words.
            let between = single.ascii[usize::from(b)];
            if a == SI && c == SO && between < 0x80 {
                if at.write([between], 1, 3).is_none() {
                    break;
                }
                continue;
            }
            read([a, b]).map(|c| (c, 2))
        } else {
            let ascii = each(word, |byte| single.ascii[byte]);
            let count = first(ascii & HIGH);
            if count > 0 {
                if at.write(ascii.to_le_bytes(), count, count).is_none() {
                    break;
                }
                continue;
            }
            single.grid.scalar((0, a.into())).map(|c| (c, 1))
        };
        match (known, a) {
            (_, SO | SI) => {
                state.shift.double = a == SO;
                at.on(1, 0);
            }
            (Some((c, len)), _) if at.put(c, len).is_some() => {}
            _ => break,
        }
    }
    at.end()
}

pub(super) fn from_utf8(state: &mut MultiByteState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let Some(single) = state.encoding.single() else { return (0, 0) };
    let table = state.encoding.grid();
    let (singles, double) = (single.grid.index(), table.index());
    let mut at = At::new(src, dst);
    while let Some((word, to)) = at.window() {
        // The steps handle a held code point, and code points below U+3200, which may be held.
        if state.pending.is_some() {
            let Some((c, len)) = get(word) else { break };
            let Some(units) = write_one(state, c, &mut at.dst[at.written..]) else { break };
            at.on(len, units);
            continue;
        }
        let waits = |c: u32| c < 0x3200 && table.begins_pair(CodePoint::within_31_bits(c));
        if word & 0x80 == 0 && !state.shift.double {
            let bytes = each(word, |byte| single.bytes[byte & 0x7F]);
            let count = first(word & HIGH | marks(bytes & !HIGH, &[SO]));
            if count > 0 {
                *to = bytes.to_le_bytes();
                at.on(count, count);
                continue;
            }
        }
        let shifted = state.shift.double;
        if word & 0x80 != 0 && shifted {
            let write = |c, _| match singles.code(c) {
                Some(_) => None,
                None if waits(c) => None,
                None => double.code(c).map(|code| two((code + 0x4040).to_be_bytes())),
            };
            if at.write_some(word, write) {
                continue;
            }
        }
        let Some((c, len)) = get(word) else { break };
        let written = if waits(c) {
            write_one(state, c, &mut at.dst[at.written..]).map(|units| at.on(len, units))
        } else if let Some(code) = singles.code(c) {
            let [byte, _] = code.to_le_bytes();
            state.shift.double = false;
            at.write(if shifted { [SI, byte] } else { [byte, 0] }, 1 + usize::from(shifted), len)
        } else if let Some(code) = double.code(c) {
            let [a, b] = (code + 0x4040).to_be_bytes();
            state.shift.double = true;
            if shifted { at.write([a, b], 2, len) } else { at.write([SO, a, b], 3, len) }
        } else {
            break;
        };
        if written.is_none() {
            break;
        }
    }
    at.end()
}
