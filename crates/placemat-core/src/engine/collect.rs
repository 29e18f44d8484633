//! Conversion of whole texts into a `Vec` that grows as needed.

use super::at_once::{at_once, at_once_to_utf8};
use super::{Progress, Status};
use crate::checked;
use crate::forms::form::Bulk;
use crate::ground::error::ConvertError;
use crate::ground::unit::CodeUnit;
use crate::kernels::Moved;
use alloc::string::String;
use alloc::vec::Vec;

/// Texts up to this many bytes, and the starts of longer ones, are converted on the stack.
const STACK_BYTES: usize = 256;

/// Converts the start of a text between UTF-8 and an encoding without states, up to the first place
/// that may need a decision. Returns the result and the number of bytes read; reads nothing for
/// other encodings.
///
/// A short result is made on the stack, where a buffer for the greatest possible expansion costs
/// little. For a longer text, the first 256 bytes show how large a buffer the rest needs.
#[inline]
#[must_use]
pub fn start(from: Bulk, to: Bulk, src: &[u8]) -> (Vec<u8>, usize) {
    start_by(|src, dst| at_once(from, to, src, dst), src)
}

/// Converts the start of a text by `convert`, as [`start`] explains.
#[inline(always)]
fn start_by(convert: impl Fn(&[u8], &mut [u8]) -> Moved, src: &[u8]) -> (Vec<u8>, usize) {
    let start_in = |room: &mut [u8], src: &[u8]| {
        let moved = convert(src, room);
        (room[..moved.written].to_vec(), moved.read)
    };
    match src.len() {
        0..=16 => start_in(&mut [0; 4 * 16], src),
        17..=64 => start_in(&mut [0; 4 * 64], src),
        65..=STACK_BYTES => start_in(&mut [0; 4 * STACK_BYTES], src),
        len => {
            let (mut out, read) = start_in(&mut [0; 4 * STACK_BYTES], &src[..STACK_BYTES]);
            let written = out.len();
            if read == 0 {
                return (out, 0);
            }
            // An eighth more, for text that becomes longer further on.
            let rest = ((len - read) / read + 1).saturating_mul(written);
            out.resize(written + rest + rest / 8, 0);
            let moved = convert(&src[read..], &mut out[written..]);
            out.truncate(written + moved.written);
            (out, read + moved.read)
        }
    }
}

/// Decodes the start of a text to a string, like [`start`].
#[inline]
#[must_use]
pub fn decode_start(from: Bulk, src: &[u8]) -> (String, usize) {
    if let Bulk::Charset(charset) = from
        && let Some(single) = charset.single()
        && src.len() > STACK_BYTES
    {
        return checked::decode_single_bytes((single.decoder)(charset.member), src);
    }
    let (bytes, read) = start_by(|src, dst| at_once_to_utf8(from, src, dst), src);
    (checked::string(bytes), read)
}

/// Calls `run` until it is done, with a buffer that grows as needed.
pub fn collect<F, T: CodeUnit>(
    src: &[F],
    run: impl FnMut(&[F], &mut [T]) -> Progress,
) -> Result<Vec<T>, ConvertError> {
    collect_after(Vec::new(), src, run)
}

/// Calls `run` until it is done, like [`collect`], and appends the output to `out`.
pub fn collect_after<F, T: CodeUnit>(
    mut out: Vec<T>,
    src: &[F],
    mut run: impl FnMut(&[F], &mut [T]) -> Progress,
) -> Result<Vec<T>, ConvertError> {
    let mut room = src.len() + 16;
    let before = out.len();
    let (mut read, mut written) = (0, 0);
    loop {
        out.resize(before + written + room, T::default());
        let p = run(&src[read..], &mut out[before + written..]);
        read += p.read;
        written += p.written;
        match p.status {
            Status::Done | Status::NeedInput => break,
            // The next piece of output is written whole or not at all, so it may need a larger
            // buffer.
            Status::NeedOutput if p.read == 0 && p.written == 0 => room = room.saturating_mul(2),
            Status::NeedOutput => {
                // Reserve for the rest of the source at the expansion rate so far, but at most
                // double the buffer: a few long replacements at the start may have raised the rate.
                let rate = written / read.max(1) + 1;
                room = (src.len() - read).saturating_mul(rate).min(out.len()).max(64);
            }
            Status::IllFormed(e) => return Err(e.into()),
            Status::Unmappable(e) => return Err(e.into()),
        }
    }
    out.truncate(before + written);
    Ok(out)
}
