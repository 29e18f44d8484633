//! The kernels of the multi-byte encodings of the web, by tables that are made at first use; short texts before that, by the
//! indexes.

#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
mod jis0208;
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
mod web;

#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
pub(crate) use self::jis0208::Jis0208;
use super::Legacy;
#[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
use super::codes;
use crate::grid::Cell;
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
use crate::two_bytes::Tables;
use placemat_core::forms::form::{CharsetFunctions, Step};
use placemat_core::ground::code_point::CodePoint;
use placemat_core::kernels::Moved;
use placemat_core::kernels::dispatch::Kernels;
#[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
use placemat_core::kernels::portable::step::decode_utf8;

/// The length of a buffer for text that is discarded.
const SCRATCH: usize = 2048;
/// ASCII text of at least this many bytes is worth a call of a kernel.
const MIN_KERNEL_BYTES: usize = 16;

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

/// Decodes the well-formed prefix.
fn to_utf8(encoding: Legacy, src: &[u8], dst: &mut [u8]) -> Moved {
    #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
    if let Some(tables) = Tables::for_text(encoding, src.len()) {
        return tables.to_utf8(src, dst);
    }
    each_to_utf8(encoding, src, dst)
}

/// Decodes the well-formed prefix a code at a time.
fn each_to_utf8(encoding: Legacy, src: &[u8], dst: &mut [u8]) -> Moved {
    let mut moved = Moved::default();
    loop {
        let rest = &src[moved.read..];
        if rest.first_chunk::<MIN_KERNEL_BYTES>().is_some_and(|start| start.is_ascii()) {
            let part = Kernels::current().copy_ascii(rest, &mut dst[moved.written..]);
            moved = Moved { read: moved.read + part.read, written: moved.written + part.written };
        }
        let Some((read, written)) = one_to_utf8(encoding, &src[moved.read..], &mut dst[moved.written..])
        else {
            return moved;
        };
        moved = Moved { read: moved.read + read, written: moved.written + written };
    }
}

/// Decodes the code at the start, if it is well-formed and its text fits. Returns the number of bytes read and written.
fn one_to_utf8(encoding: Legacy, src: &[u8], dst: &mut [u8]) -> Option<(usize, usize)> {
    let put = |c: CodePoint, dst: &mut [u8]| {
        let mut bytes = [0; 4];
        let text = c.to_char()?.encode_utf8(&mut bytes);
        dst.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        Some(text.len())
    };
    src.first()?;
    match encoding.step(src) {
        Step::CodePoint { value, len } => Some((len, put(value, dst)?)),
        Step::Several { len } => {
            let Cell::Two(first, second) = encoding.pair(*src.first_chunk()?)? else { return None };
            let written = put(first, dst)?;
            Some((len, written + put(second, &mut dst[written..])?))
        }
        _ => None,
    }
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
    let mut moved = Moved::default();
    loop {
        let part = Kernels::current().copy_ascii(&src[moved.read..], &mut dst[moved.written..]);
        moved = Moved { read: moved.read + part.read, written: moved.written + part.written };
        let Some((c, read)) = decode_utf8(&src[moved.read..]) else { return moved };
        let Some((bytes, len)) = char::from_u32(c).and_then(|c| codes::write(encoding, c)) else {
            return moved;
        };
        let Some(to) = dst.get_mut(moved.written..moved.written + len) else { return moved };
        to.copy_from_slice(&bytes[..len]);
        moved = Moved { read: moved.read + read, written: moved.written + len };
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
    codes::write(encoding, c)
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
