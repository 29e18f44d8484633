//! Parts of the loops that take forms without kernels to UTF-8 and from it.

use super::utf8::is_continuation;

/// Shows that the driver is calling, and that the form is one of this crate.
#[derive(Clone, Copy, Debug)]
pub struct Ours(());

impl Ours {
    pub(crate) const fn new() -> Self {
        Self(())
    }
}

/// So many bytes at a time where all of them are of one kind.
pub(super) const BLOCK: usize = 32;
/// So much room is left by a loop: for the longest sequence of any form, or two.
pub(super) const SLACK: usize = 8;

/// Copies whole blocks, each byte by `map`, as long as `fits` says so of all bytes of one. How many bytes.
#[inline(always)]
pub(super) fn blocks(src: &[u8], dst: &mut [u8], fits: impl Fn(u8) -> bool, map: impl Fn(u8) -> u8) -> usize {
    let mut done = 0;
    for (from, to) in src.as_chunks::<BLOCK>().0.iter().zip(dst.as_chunks_mut::<BLOCK>().0) {
        if !from.iter().fold(true, |all, &byte| all & fits(byte)) {
            break;
        }
        for (to, &from) in to.iter_mut().zip(from) {
            *to = map(from);
        }
        done += BLOCK;
    }
    done
}

/// The code point at the start of some UTF-8, if it is well-formed and of the usual kinds, and its length.
#[inline(always)]
pub(super) fn get(src: &[u8]) -> Option<(u32, usize)> {
    let &[a, b, c, d, ..] = src else { return None };
    let bits = |byte: u8| u32::from(byte & 0x3F);
    match a {
        0x00..=0x7F => Some((a.into(), 1)),
        0xC2..=0xDF if is_continuation(b) => Some((u32::from(a & 0x1F) << 6 | bits(b), 2)),
        0xE0..=0xEF if is_continuation(b) && is_continuation(c) => {
            let value = u32::from(a & 0x0F) << 12 | bits(b) << 6 | bits(c);
            (value >= 0x800 && value & 0xF800 != 0xD800).then_some((value, 3))
        }
        0xF0..=0xF4 if is_continuation(b) && is_continuation(c) && is_continuation(d) => {
            let value = u32::from(a & 0x07) << 18 | bits(b) << 12 | bits(c) << 6 | bits(d);
            matches!(value, 0x1_0000..=0x10_FFFF).then_some((value, 4))
        }
        _ => None,
    }
}

/// Writes a scalar value as UTF-8. How many bytes.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "each payload is masked or below its marker")]
pub(super) fn put(c: u32, to: &mut [u8; 4]) -> usize {
    let cont = |shift: u32| 0x80 | (c >> shift & 0x3F) as u8;
    match c {
        0..0x80 => {
            to[0] = c as u8;
            1
        }
        0x80..0x800 => {
            [to[0], to[1]] = [0xC0 | (c >> 6) as u8, cont(0)];
            2
        }
        0x800..0x1_0000 => {
            *to = [0xE0 | (c >> 12) as u8, cont(6), cont(0), 0];
            3
        }
        _ => {
            *to = [0xF0 | (c >> 18 & 7) as u8, cont(12), cont(6), cont(0)];
            4
        }
    }
}

/// Writes a scalar value at a place, where there is room for four bytes; the place after it.
#[inline(always)]
pub(super) fn put_at(c: u32, dst: &mut [u8], at: usize) -> Option<usize> {
    let to = dst.get_mut(at..)?.first_chunk_mut()?;
    Some(at + put(c, to))
}
