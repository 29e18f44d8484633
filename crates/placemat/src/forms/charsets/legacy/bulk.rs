//! The kernels of the multi-byte encodings of the web: they call the crate `encoding_rs`, or use tables made with it.
//!
//! A decoder of `encoding_rs` keeps state from call to call; a kernel keeps none. So each call makes a new decoder, which is
//! free, and counts bytes that the decoder holds back at the end of its input as not read.

mod codec;
#[cfg(feature = "std")]
mod tables;
#[cfg(feature = "std")]
mod written;

use self::codec::decode;
#[cfg(not(feature = "std"))]
use self::codec::encode;
use crate::checked::split_well_formed;
use crate::ground::work;
use crate::kernels::Moved;
#[cfg(feature = "std")]
use alloc::{boxed::Box, vec};
use encoding_rs::{DecoderResult, EncoderResult, Encoding, ISO_2022_JP};
#[cfg(feature = "std")]
use std::sync::OnceLock;

/// The number of bytes of UTF-8 that a kernel validates before it encodes them: at first, because the text may soon hold an
/// unmappable code point, and later.
const CHECKED: (usize, usize) = (256, 4096);
/// The length of a buffer for text that is discarded, or that has an escape which the output already has.
const SCRATCH: usize = 2048;
/// The escape that designates JIS X 0208.
const DESIGNATION: &[u8] = b"\x1B$B";

/// Decodes the well-formed prefix.
pub(crate) fn to_utf8(encoding: &'static Encoding, src: &[u8], dst: &mut [u8]) -> Moved {
    #[cfg(feature = "std")]
    if let Some(tables) = tables::Tables::for_text(encoding, src.len()) {
        return tables.to_utf8(src, dst);
    }
    decode(encoding.new_decoder_without_bom_handling(), src, dst)
}

/// The length of the well-formed prefix.
pub(crate) fn prefix(encoding: &'static Encoding, src: &[u8]) -> usize {
    each_piece(src, |src, scratch| to_utf8(encoding, src, scratch))
}

/// Encodes the prefix of UTF-8 that the encoding can hold.
#[cfg(feature = "std")]
pub(crate) fn from_utf8(encoding: &'static Encoding, src: &[u8], dst: &mut [u8]) -> Moved {
    tables::Tables::of(encoding).encode_utf8(src, dst)
}
#[cfg(not(feature = "std"))]
pub(crate) fn from_utf8(encoding: &'static Encoding, src: &[u8], dst: &mut [u8]) -> Moved {
    let mut encoder = encoding.new_encoder();
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

/// Reads well-formed text as UTF-16, in little-endian order, as far as the tables have it. Returns the number of bytes,
/// and of units.
#[cfg(feature = "std")]
pub(crate) fn to_units(encoding: &'static Encoding, src: &[u8], units: &mut [[u8; 2]]) -> (usize, usize) {
    tables::Tables::for_text(encoding, src.len()).map_or((0, 0), |tables| tables.to_units(src, units))
}

/// Writes UTF-16, in little-endian order, as far as the encoding holds it, and it fits. Returns the number of units, and
/// of bytes.
#[cfg(feature = "std")]
pub(crate) fn from_units(encoding: &'static Encoding, units: &[[u8; 2]], dst: &mut [u8]) -> (usize, usize) {
    tables::Tables::of(encoding).encode_units(units, dst)
}

/// The bytes of a character that is not ASCII, and their number, if the encoding can hold it.
pub(crate) fn units(encoding: &'static Encoding, c: char) -> Option<([u8; 4], usize)> {
    #[cfg(feature = "std")]
    {
        let tables = tables::Tables::of(encoding);
        tables.write(c.into()).or_else(|| tables.write_other(c.into()))
    }
    #[cfg(not(feature = "std"))]
    encode(encoding, c)
}

/// The scalar value at the start, and the number of its bytes, if a table has been made that has it.
#[cfg(feature = "std")]
pub(crate) fn first(encoding: &'static Encoding, src: &[u8]) -> Option<(u32, usize)> {
    tables::Tables::made(encoding)?.first_scalar(src)
}

/// Decodes the prefix of two-byte codes of JIS X 0208.
pub(crate) fn jis0208_to_utf8(src: &[u8], dst: &mut [u8]) -> Moved {
    // Two bytes become two or three.
    let src = &src[..src.len().min(dst.len())];
    let len = run(src, |byte| matches!(byte, 0x21..=0x7E)) & !1;
    work::add(len);
    let mut decoder = ISO_2022_JP.new_decoder_without_bom_handling();
    let (_, read, _) = decoder.decode_to_utf8_without_replacement(DESIGNATION, &mut [0; 16], false);
    if read < DESIGNATION.len() { Moved::default() } else { decode(decoder, &src[..len], dst) }
}

/// The length of the prefix of two-byte codes of JIS X 0208.
pub(crate) fn jis0208_prefix(src: &[u8]) -> usize {
    each_piece(src, jis0208_to_utf8)
}

/// Encodes the prefix of UTF-8 that JIS X 0208 can hold.
pub(crate) fn jis0208_from_utf8(src: &[u8], dst: &mut [u8]) -> Moved {
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

/// The character of JIS X 0208 that two bytes stand for.
pub(crate) fn jis0208_at([first, second]: [u8; 2]) -> Option<char> {
    let mut text = [0; 16];
    let src = [b'\x1B', b'$', b'B', first, second];
    let mut decoder = ISO_2022_JP.new_decoder_without_bom_handling();
    let (result, _, len) = decoder.decode_to_utf8_without_replacement(&src, &mut text, false);
    if result != DecoderResult::InputEmpty {
        return None;
    }
    core::str::from_utf8(&text[..len]).ok()?.chars().next()
}

/// The two bytes of a character that is not ASCII, if JIS X 0208 has it.
pub(crate) fn jis0208_of(c: char) -> Option<[u8; 2]> {
    let (mut text, mut units) = ([0; 4], [0; 16]);
    let text = c.encode_utf8(&mut text);
    let (_, _, len) = ISO_2022_JP.new_encoder().encode_from_utf8_without_replacement(text, &mut units, false);
    match units[..len] {
        [b'\x1B', b'$', b'B', first, second] => Some([first, second]),
        _ => None,
    }
}

/// JIS X 0208 as tables, made on first use, because `encoding_rs` has no quick way to convert one character.
#[cfg(feature = "std")]
pub(crate) struct Jis0208 {
    /// By row and column, the code point, or 0.
    code_points: Box<[u16]>,
    /// By code point, the two bytes, or 0.
    codes: Box<[[u8; 2]; 0x1_0000]>,
}

#[cfg(feature = "std")]
impl Jis0208 {
    pub(crate) fn get() -> &'static Self {
        static TABLES: OnceLock<Jis0208> = OnceLock::new();
        TABLES.get_or_init(Self::new)
    }

    fn new() -> Self {
        let places = (0x21..=0x7E).flat_map(|row| (0x21..=0x7E).map(move |column| [row, column]));
        let unit = |place| jis0208_at(place).and_then(|c| u16::try_from(u32::from(c)).ok()).unwrap_or(0);
        let code_points: Box<[u16]> = places.clone().map(unit).collect();
        // The array must not pass through the stack, which may be smaller in a thread.
        let mut codes = vec![[0; 2]; 0x1_0000].into_boxed_slice();
        // The first of several places counts.
        for (&unit, place) in code_points.iter().zip(places) {
            let code = &mut codes[usize::from(unit)];
            if unit != 0 && *code == [0; 2] {
                *code = place;
            }
        }
        // Code points that the encoder writes as others: half-width katakana, and the minus sign.
        for unit in (0xFF61..=0xFF9F_u16).chain([0x2212]) {
            codes[usize::from(unit)] = char::from_u32(unit.into()).and_then(jis0208_of).unwrap_or([0; 2]);
        }
        let Ok(codes) = codes.try_into() else { unreachable!("it is as long as that") };
        Self { code_points, codes }
    }

    /// The code point of two bytes, or 0.
    #[inline(always)]
    pub(crate) fn at(&self, [row, column]: [u8; 2]) -> u16 {
        let (row, column) = (row.wrapping_sub(0x21), column.wrapping_sub(0x21));
        if (row < 94) & (column < 94) {
            self.code_points[94 * usize::from(row) + usize::from(column)]
        } else {
            0
        }
    }

    /// The two bytes of a code point, or 0.
    #[inline(always)]
    pub(crate) fn of(&self, unit: u16) -> [u8; 2] {
        self.codes[usize::from(unit)]
    }
}

/// Copies ASCII up to a control that switches sets: SO, SI or ESC.
pub(crate) fn copy_unshifted(src: &[u8], dst: &mut [u8]) -> Moved {
    let src = &src[..src.len().min(dst.len())];
    let len = unshifted_prefix(src);
    dst[..len].copy_from_slice(&src[..len]);
    Moved { read: len, written: len }
}

/// The length of the prefix of ASCII without SO, SI and ESC.
pub(crate) fn unshifted_prefix(src: &[u8]) -> usize {
    run(src, |byte| byte < 0x80 && !matches!(byte, 0x0E | 0x0F | 0x1B))
}

/// The length of the prefix of bytes of some kind.
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

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;

    #[test]
    fn tables_of_jis_x_0208() {
        let tables = Jis0208::get();
        for bytes in (0..=u16::MAX).map(u16::to_be_bytes) {
            let found = char::from_u32(tables.at(bytes).into()).filter(|&c| c != '\0');
            let within = bytes.iter().all(|byte| matches!(byte, 0x21..=0x7E));
            assert_eq!(found, within.then(|| jis0208_at(bytes)).flatten(), "{bytes:X?}");
        }
        for unit in 0..=u16::MAX {
            let code = char::from_u32(unit.into()).and_then(jis0208_of);
            assert_eq!(tables.of(unit), code.unwrap_or([0; 2]), "{unit:X}");
        }
        assert!(('\u{10000}'..=char::MAX).all(|c| jis0208_of(c).is_none()));
    }
}
