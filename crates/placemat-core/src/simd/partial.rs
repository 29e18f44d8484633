//! Copies of less than a block, as pairs of overlapping chunks: most texts are short, and a call of
//! `memcpy` costs more than the whole copy.

use super::slot::Slot;

/// Copies the first bytes of `src` to `dst`, up to the length of the shorter slice; fast for fewer
/// than 64 bytes.
#[inline(always)]
pub(super) fn copy(src: &[u8], dst: &mut [Slot]) {
    let len = src.len().min(dst.len());
    let (src, dst) = (&src[..len], &mut dst[..len]);
    if len >= 64 {
        Slot::copy(dst, src);
    } else if !ends::<32>(src, dst) && !ends::<16>(src, dst) && !ends::<8>(src, dst) && !ends::<4>(src, dst) {
        let _ = ends::<2>(src, dst) || ends::<1>(src, dst);
    }
}

/// Copies the first `N` and the last `N` bytes if the slices have at least `N`; returns whether it
/// did. This is a full copy of up to `2 * N` bytes. The slices must have the same length.
#[inline(always)]
fn ends<const N: usize>(src: &[u8], dst: &mut [Slot]) -> bool {
    if let (Some(from), Some(to)) = (src.first_chunk::<N>(), dst.first_chunk_mut()) {
        Slot::write(to, *from);
    }
    if let (Some(from), Some(to)) = (src.last_chunk::<N>(), dst.last_chunk_mut()) {
        Slot::write(to, *from);
        return true;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_is_copied_whole() {
        let src: Vec<u8> = (1..=100).collect();
        for len in 0..=100 {
            let mut dst = vec![0; len];
            copy(&src, Slot::of(&mut dst));
            assert_eq!(dst, src[..len]);
            let mut dst = [0; 100];
            copy(&src[..len], Slot::of(&mut dst));
            assert_eq!(dst[..len], src[..len]);
            assert!(dst[len..].iter().all(|&byte| byte == 0));
        }
    }
}
