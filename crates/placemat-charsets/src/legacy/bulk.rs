//! The kernels of the multi-byte encodings of the web: they call the crate `encoding_rs`, or use tables made with it.
//!
//! A decoder of `encoding_rs` keeps state from call to call; a kernel keeps none. So each call makes a new decoder, which is
//! free, and counts bytes that the decoder holds back at the end of its input as not read.

mod codec;
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
mod jis0208;
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
mod web;

use self::codec::decode;
#[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
use self::codec::encode;
pub(crate) use self::codec::{jis0208_at, jis0208_of};
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
pub(crate) use self::jis0208::Jis0208;
use super::Legacy;
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
use crate::two_bytes::Tables;
#[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
use encoding_rs::{EncoderResult, ISO_2022_JP};
#[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
use placemat_core::checked::split_well_formed;
use placemat_core::forms::form::CharsetFunctions;
#[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
use placemat_core::ground::work;
use placemat_core::kernels::Moved;

/// The number of bytes of UTF-8 that a kernel validates before it encodes them: at first, because the text may soon hold an
/// unmappable code point, and later.
#[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
const CHECKED: (usize, usize) = (256, 4096);
/// The length of a buffer for text that is discarded, or that has an escape which the output already has.
const SCRATCH: usize = 2048;
/// The escape that designates JIS X 0208.
#[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
const DESIGNATION: &[u8] = b"\x1B$B";

/// The functions of the family, which the engine calls.
pub(super) const FUNCTIONS: CharsetFunctions = CharsetFunctions {
    family: "legacy",
    is_stateless: true,
    prefix: |member, src| prefix(Legacy::of(member), src),
    to_utf8: |member, src, dst| to_utf8(Legacy::of(member), src, dst),
    from_utf8: |member, src, dst| from_utf8(Legacy::of(member), src, dst),
    to_units: |member, src, units| to_units(Legacy::of(member), src, units),
    from_units: |member, units, dst| from_units(Legacy::of(member), units, dst),
    single: None,
};

/// The functions for ASCII without SO, SI and ESC, as in ISO-2022-JP.
pub(crate) const UNSHIFTED: &CharsetFunctions = &CharsetFunctions {
    family: "unshifted",
    prefix: |_, src| unshifted_prefix(src),
    to_utf8: |_, src, dst| copy_unshifted(src, dst),
    from_utf8: |_, src, dst| copy_unshifted(src, dst),
    ..CharsetFunctions::NONE
};

/// The functions for JIS X 0208 in two bytes of seven bits each, as in ISO-2022-JP. With tables, the form has a loop, which knows
/// more sets.
#[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
pub(crate) const JIS0208: Option<&CharsetFunctions> = Some(&CharsetFunctions {
    family: "jis0208",
    prefix: |_, src| jis0208_prefix(src),
    to_utf8: |_, src, dst| jis0208_to_utf8(src, dst),
    from_utf8: |_, src, dst| jis0208_from_utf8(src, dst),
    ..CharsetFunctions::NONE
});
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
pub(crate) const JIS0208: Option<&CharsetFunctions> = None;

/// Decodes the well-formed prefix.
fn to_utf8(encoding: Legacy, src: &[u8], dst: &mut [u8]) -> Moved {
    #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
    if let Some(tables) = Tables::for_text(encoding, src.len()) {
        return tables.to_utf8(src, dst);
    }
    decode(encoding.codec().new_decoder_without_bom_handling(), src, dst)
}

/// Returns the length of the well-formed prefix.
fn prefix(encoding: Legacy, src: &[u8]) -> usize {
    each_piece(src, |src, scratch| to_utf8(encoding, src, scratch))
}

/// Encodes the prefix of UTF-8 that the encoding can hold.
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
fn from_utf8(encoding: Legacy, src: &[u8], dst: &mut [u8]) -> Moved {
    Tables::of(encoding).encode_utf8(src, dst)
}
#[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
fn from_utf8(encoding: Legacy, src: &[u8], dst: &mut [u8]) -> Moved {
    let mut encoder = encoding.codec().new_encoder();
    let mut moved = Moved::default();
    let mut checked = CHECKED.0;
    loop {
        let rest = &src[moved.read..];
        let (text, _) = split_well_formed(&rest[..rest.len().min(checked)]);
        let to = &mut dst[moved.written..];
        let (result, read, written) = encoder.encode_from_utf8_without_replacement(text, to, false);
        moved = Moved { read: moved.read + read, written: moved.written + written };
        match result {
            EncoderResult::InputEmpty if !text.is_empty() => checked = CHECKED.1,
            EncoderResult::InputEmpty | EncoderResult::OutputFull => return moved,
            // The encoder counts `c` as read, but writes nothing for it.
            EncoderResult::Unmappable(c) => return Moved { read: moved.read - c.len_utf8(), ..moved },
        }
    }
}

/// Decodes to UTF-16LE, up to the first code that is not in the tables. Returns the number of bytes read, and of code units
/// written.
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
fn to_units(encoding: Legacy, src: &[u8], units: &mut [[u8; 2]]) -> (usize, usize) {
    Tables::for_text(encoding, src.len()).map_or((0, 0), |tables| tables.to_units(src, units))
}

#[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
fn to_units(_: Legacy, _: &[u8], _: &mut [[u8; 2]]) -> (usize, usize) {
    (0, 0)
}

/// Encodes UTF-16LE, up to the first character that the encoding cannot represent or that does not fit. Returns the number of
/// code units read, and of bytes written.
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
fn from_units(encoding: Legacy, units: &[[u8; 2]], dst: &mut [u8]) -> (usize, usize) {
    Tables::of(encoding).encode_units(units, dst)
}

#[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
fn from_units(_: Legacy, _: &[[u8; 2]], _: &mut [u8]) -> (usize, usize) {
    (0, 0)
}

/// Returns the bytes of a character that is not ASCII, and their number, if the encoding can hold it.
pub(crate) fn units(encoding: Legacy, c: char) -> Option<([u8; 4], usize)> {
    #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
    {
        Tables::of(encoding).write_any(c.into())
    }
    #[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
    encode(encoding.codec(), c)
}

/// Returns the scalar value at the start, and the number of its bytes, if a table has been made that has it.
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
pub(crate) fn first(encoding: Legacy, src: &[u8]) -> Option<(u32, usize)> {
    Tables::made(encoding)?.first_scalar(src)
}

/// Decodes the prefix of two-byte codes of JIS X 0208.
#[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
fn jis0208_to_utf8(src: &[u8], dst: &mut [u8]) -> Moved {
    // Two bytes become two or three.
    let src = &src[..src.len().min(dst.len())];
    let len = run(src, |byte| matches!(byte, 0x21..=0x7E)) & !1;
    work::add(len);
    let mut decoder = ISO_2022_JP.new_decoder_without_bom_handling();
    let (_, read, _) = decoder.decode_to_utf8_without_replacement(DESIGNATION, &mut [0; 16], false);
    if read < DESIGNATION.len() { Moved::default() } else { decode(decoder, &src[..len], dst) }
}

/// Returns the length of the prefix of two-byte codes of JIS X 0208.
#[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
fn jis0208_prefix(src: &[u8]) -> usize {
    each_piece(src, jis0208_to_utf8)
}

/// Encodes the prefix of UTF-8 that JIS X 0208 can hold.
#[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
fn jis0208_from_utf8(src: &[u8], dst: &mut [u8]) -> Moved {
    // Two bytes for three, and an escape before and after.
    let mut scratch = [0; SCRATCH];
    let mut moved = Moved::default();
    let mut checked = CHECKED.0;
    loop {
        let rest = &src[moved.read..];
        let (all, _) = split_well_formed(&rest[..rest.len().min(checked)]);
        let elsewhere = |c: char| c.is_ascii() || matches!(c, '\u{A5}' | '\u{203E}');
        let text = &all[..all.find(elsewhere).unwrap_or(all.len())];
        let mut encoder = ISO_2022_JP.new_encoder();
        let (result, mut read, written) =
            encoder.encode_from_utf8_without_replacement(text, &mut scratch, false);
        let units = scratch.get(DESIGNATION.len()..written).unwrap_or_default();
        // The encoder returns to ASCII after an unmappable code point.
        let units = &units[..units.iter().position(|&byte| byte == DESIGNATION[0]).unwrap_or(units.len())];
        if let EncoderResult::Unmappable(c) = result {
            read -= c.len_utf8();
        }
        let to = &mut dst[moved.written..];
        let room = units.len().min(to.len() & !1);
        if room < units.len() {
            read = text.char_indices().nth(room / 2).map_or(read, |(at, _)| at);
        }
        to[..room].copy_from_slice(&units[..room]);
        moved = Moved { read: moved.read + read, written: moved.written + room };
        if read < all.len() || all.is_empty() {
            return moved;
        }
        checked = SCRATCH;
    }
}

/// Copies ASCII up to a control that switches sets: SO, SI or ESC.
fn copy_unshifted(src: &[u8], dst: &mut [u8]) -> Moved {
    let src = &src[..src.len().min(dst.len())];
    let len = unshifted_prefix(src);
    dst[..len].copy_from_slice(&src[..len]);
    Moved { read: len, written: len }
}

/// Returns the length of the prefix of ASCII without SO, SI and ESC.
fn unshifted_prefix(src: &[u8]) -> usize {
    run(src, |byte| byte < 0x80 && !matches!(byte, 0x0E | 0x0F | 0x1B))
}

/// Returns the length of the prefix of bytes of some kind.
#[inline(always)]
fn run(src: &[u8], is_one: impl Fn(u8) -> bool) -> usize {
    // This checks a chunk at a time, without a branch within it.
    let all = |chunk: &[u8; 32]| chunk.iter().fold(true, |all, &byte| all & is_one(byte));
    let len = 32 * src.as_chunks().0.iter().take_while(|chunk| all(chunk)).count();
    len + src[len..].iter().take_while(|&&byte| is_one(byte)).count()
}

/// Runs a kernel for the number of bytes read; discards the output.
fn each_piece(src: &[u8], mut kernel: impl FnMut(&[u8], &mut [u8]) -> Moved) -> usize {
    let mut read = 0;
    loop {
        let more = kernel(&src[read..], &mut [0; SCRATCH]).read;
        if more == 0 {
            return read;
        }
        read += more;
    }
}
