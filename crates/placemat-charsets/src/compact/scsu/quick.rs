//! The loops over pieces of a text: eight bytes or units at a time, as long as a window does not change.

use super::state::{MAX_STEP_BYTES, SC0, SCU, SQ0, SQU, STATIC, ScsuState, Sequence, UC0};
use placemat_core::forms::pieces::{self, lanes};
use placemat_core::ground::chunk::{chunk_at, chunk_at_mut};
use placemat_core::ground::code_point::CodePoint;

/// Returns `true` if a byte is literal in single-byte mode.
#[inline(always)]
const fn is_direct_byte(byte: u8) -> bool {
    (byte.wrapping_sub(0x20) < 0x60) | (byte == 0x0A) | (byte == 0x0D) | (byte == 0x09)
}

/// Decodes as far as whole pieces go. Returns the numbers of bytes read and written.
#[inline]
pub(super) fn to_utf8(state: &mut ScsuState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    if state.lead != 0 {
        return (0, 0);
    }
    let plain = |state: &mut ScsuState, src: &[u8], dst: &mut [u8]| {
        if state.unicode { 0 } else { pieces::blocks(src, dst, is_direct_byte, |byte| byte) }
    };
    pieces::to_utf8_by_pieces(state, src, dst, plain, to_units)
}

/// Encodes as far as whole pieces go. Returns the numbers of bytes read and written.
#[inline]
pub(super) fn from_utf8(state: &mut ScsuState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
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
            && (read < units.len() || before + len <= MAX_STEP_BYTES)
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
