//! Conversion of whole texts into a `Vec` that grows as needed.

use super::{Progress, Status};
use crate::ground::error::ConvertError;
use crate::ground::unit::CodeUnit;
use alloc::vec::Vec;

/// Calls `run` until it is done, with room that grows as needed.
pub(crate) fn collect<F, T: CodeUnit>(
    src: &[F],
    run: impl FnMut(&[F], &mut [T]) -> Progress,
) -> Result<Vec<T>, ConvertError> {
    collect_after(Vec::new(), src, run)
}

/// Calls `run` as [`collect`] does and appends to `out`.
pub(crate) fn collect_after<F, T: CodeUnit>(
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
            // The next unit of output is written whole or not at all, so it may need more room than there was.
            Status::NeedOutput if p.read == 0 && p.written == 0 => room = room.saturating_mul(2),
            Status::NeedOutput => {
                // Enough for the rest of the source at the rate so far, but at most as much again as there is: a few
                // long replacements at the start may have raised the rate.
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
