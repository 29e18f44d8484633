//! The loops of ISO-2022-JP: single bytes in blocks, and JIS X 0208 by tables.

use super::state::{Iso2022JpState, Set};
use crate::legacy::bulk::Jis0208;
use placemat_core::forms::pieces::{self, lanes};
use placemat_core::ground::chunk::{chunk_at, chunk_at_mut};

pub(super) fn table() -> &'static Jis0208 {
    Jis0208::get()
}

pub(super) fn to_utf8(state: &mut Iso2022JpState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let table = Jis0208::get();
    let plain = |state: &mut Iso2022JpState, src: &[u8], dst: &mut [u8]| {
        let some = copy_unshifted(state, src, dst);
        state.escaped &= some == 0;
        some
    };
    pieces::to_utf8_by_pieces(state, src, dst, plain, |state, src, units| to_units(state, table, src, units))
}

/// Copies blocks of bytes that are literal in ASCII. Returns the number of bytes.
#[inline(always)]
fn copy_unshifted(state: &Iso2022JpState, src: &[u8], dst: &mut [u8]) -> usize {
    if state.set == Set::Ascii { pieces::blocks(src, dst, is_unshifted, |byte| byte) } else { 0 }
}

/// Returns `true` if a byte is literal in ASCII: neither a control that shifts nor above 7F.
#[inline(always)]
const fn is_unshifted(byte: u8) -> bool {
    (byte < 0x80) & (byte != 0x0E) & (byte != 0x0F) & (byte != 0x1B)
}

/// The number of bytes, of eight, before the first that is not literal in ASCII.
#[inline(always)]
const fn unshifted(bytes: [u8; 8]) -> usize {
    let all = u64::from_le_bytes(bytes);
    let low = all & !lanes::HIGH8;
    let direct = lanes::is_not8(low, 0x0E) & lanes::is_not8(low, 0x0F) & lanes::is_not8(low, 0x1B);
    lanes::before8(!direct | all)
}

/// The number of bytes, of eight, that are half-width katakana, up to the first that is not.
#[inline(always)]
const fn katakana(bytes: [u8; 8]) -> usize {
    let all = u64::from_le_bytes(bytes);
    let low = all & !lanes::HIGH8;
    lanes::before8(!lanes::from8(low, 0x21) | lanes::from8(low, 0x60) | all)
}

/// Reads a piece without errors. Returns the number of bytes and of units.
pub(super) fn to_units(
    state: &mut Iso2022JpState,
    table: &Jis0208,
    src: &[u8],
    units: &mut [u16],
) -> (usize, usize) {
    let (mut read, mut count) = (0, 0);
    let mut now = *state;
    while let Some(bytes) = chunk_at!(src, read, 8)
        && let Some(to) = chunk_at_mut!(units, count, 8)
    {
        let some = match now.set {
            Set::Ascii => {
                for (to, &byte) in to.iter_mut().zip(bytes) {
                    *to = byte.into();
                }
                let some = unshifted(*bytes);
                read += some;
                some
            }
            Set::Roman => {
                for (to, &byte) in to.iter_mut().zip(bytes) {
                    *to = match byte {
                        b'\\' => 0xA5,
                        b'~' => 0x203E,
                        _ => byte.into(),
                    };
                }
                let some = unshifted(*bytes);
                read += some;
                some
            }
            Set::Katakana => {
                for (to, &byte) in to.iter_mut().zip(bytes) {
                    *to = 0xFF61 - 0x21 + u16::from(byte & 0x7F);
                }
                let some = katakana(*bytes);
                read += some;
                some
            }
            Set::Jis0208 => {
                let mut some = 0;
                for (to, &pair) in to.iter_mut().zip(bytes.as_chunks().0) {
                    *to = table.at(pair);
                    if *to == 0 {
                        break;
                    }
                    some += 1;
                }
                read += 2 * some;
                some
            }
        };
        count += some;
        now.escaped &= some == 0;
        let set = match Set::after_escape(&src[read..]) {
            Some(set) => set,
            None if some > 0 => continue,
            None => break,
        };
        if now.escaped {
            break;
        }
        now = Iso2022JpState { set, escaped: true };
        read += 3;
    }
    *state = now;
    (read, count)
}

pub(super) fn from_utf8(state: &mut Iso2022JpState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let table = Jis0208::get();
    let plain = |state: &mut Iso2022JpState, src: &[u8], dst: &mut [u8]| copy_unshifted(state, src, dst);
    // A unit takes at most five bytes, with the escape.
    pieces::from_utf8_by_pieces(state, src, dst, 5, plain, |state, units, dst| {
        from_units(state, table, units, dst)
    })
}

/// Writes the prefix of a piece that is ASCII and JIS X 0208. Returns the number of units and of bytes.
#[expect(clippy::cast_possible_truncation, reason = "a value that is not a byte is not taken")]
fn from_units(state: &mut Iso2022JpState, table: &Jis0208, units: &[u16], dst: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while read < units.len() {
        if state.set == Set::Ascii
            && let Some(few) = units[read..].first_chunk::<8>()
            && let Some(to) = dst[written..].first_chunk_mut::<8>()
        {
            for (to, &unit) in to.iter_mut().zip(few) {
                *to = unit.min(0xFF) as u8;
            }
            let some = unshifted(*to);
            (read, written) = (read + some, written + some);
            if some == 8 {
                continue;
            }
        }
        let unit = units[read];
        let (set, code) = match unit {
            0..0x80 if is_unshifted(unit as u8) => (Set::Ascii, [unit as u8, 0]),
            _ => (Set::Jis0208, table.of(unit)),
        };
        // The steps handle other code points.
        if unit != 0 && code[0] == 0 || matches!(state.set, Set::Roman | Set::Katakana) {
            break;
        }
        let to = &mut dst[written..written + 5];
        let escape = if set == state.set { 0 } else { 3 };
        to[..3].copy_from_slice(&set.escape());
        to[escape..escape + 2].copy_from_slice(&code);
        state.set = set;
        (read, written) = (read + 1, written + escape + if set == Set::Ascii { 1 } else { 2 });
    }
    (read, written)
}
