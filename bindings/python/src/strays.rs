//! ASCII with stray non-ASCII bytes: text of a legacy charset that is read as UTF-8.
//!
//! If no lead byte comes before a continuation byte, there is no multi-byte sequence at all. Then
//! each byte is ASCII or an error by itself, and the position of each code point is known in
//! advance.

use crate::new_str::NewStr;
use crate::raw::{self, alone};
use crate::text::{No, PIECE_BYTES};
use placemat::ErrorPolicy;

/// Returns `true` if a lead byte comes before a continuation byte.
fn has_sequences(src: &[u8]) -> bool {
    let of_pair = |first: u8, second: u8| (first >= 0xC2) & (second & 0xC0 == 0x80);
    // Search without an early exit, so that the compiler uses vectors.
    let within = |start: usize| {
        let firsts = &src[start..src.len().min(start + 1024)];
        let seconds = &src[src.len().min(start + 1)..];
        firsts.iter().zip(seconds).fold(false, |any, (&first, &second)| any | of_pair(first, second))
    };
    raw::by_wide_vectors(|| (0..src.len()).step_by(1024).any(within))
}

/// Makes a `str` from a whole text; returns `None` if it has multi-byte sequences, or only ASCII,
/// or the policy is another.
pub(crate) fn decode(src: &[u8], policy: ErrorPolicy<'_>) -> Result<Option<NewStr>, No> {
    if policy == ErrorPolicy::Skip {
        return skipping(src);
    }
    // The bits of a non-ASCII byte that are kept, and the bits that are added.
    let (kept, added) = match policy {
        ErrorPolicy::SurrogateEscape => (0xFF, 0xDC00),
        ErrorPolicy::Replace => (0, 0xFFFD),
        _ => return Ok(None),
    };
    if src.len() > PIECE_BYTES || alone(src.len(), || src.is_ascii() || has_sequences(src)) {
        return Ok(None);
    }
    let mut text = NewStr::new(src.len(), 0xFFFF)?;
    // SAFETY: up to U+FFFF, units have two bytes.
    let units: &mut [u16] = unsafe { text.units() };
    alone(src.len(), || {
        raw::by_wide_vectors(|| {
            for (unit, &byte) in units.iter_mut().zip(src) {
                let byte = u16::from(byte);
                // All ones for a non-ASCII byte. There is no branch, so the compiler uses vectors.
                let stray = 0_u16.wrapping_sub(byte >> 7);
                *unit = (byte & (!stray | kept)) + (stray & added);
            }
        });
    });
    raw::check_signals()?;
    Ok(Some(text))
}

/// Makes a `str` from the ASCII bytes of a text, if all others are errors that are dropped; returns
/// `None` for other texts, or if the machine cannot compress vectors.
fn skipping(src: &[u8]) -> Result<Option<NewStr>, No> {
    #[cfg(target_arch = "x86_64")]
    if src.len() <= PIECE_BYTES
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("avx512bw")
    {
        let mut text = NewStr::new(src.len(), 0x7F)?;
        // SAFETY: up to U+007F, units have one byte.
        let units: &mut [u8] = unsafe { text.units() };
        // SAFETY: the machine has these instructions.
        let Some(len) = alone(src.len(), || unsafe { keep_ascii(src, units) }) else { return Ok(None) };
        let text = text.shortened(len)?;
        raw::check_signals()?;
        return Ok(Some(text));
    }
    Ok(None)
}

/// Copies the ASCII bytes of a text to `dst`, which is as long, and returns their number; `None` at
/// the first multi-byte sequence.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
fn keep_ascii(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    use core::arch::x86_64::{
        _mm512_cmplt_epi8_mask, _mm512_loadu_epi8, _mm512_maskz_compress_epi8, _mm512_movepi8_mask,
        _mm512_set1_epi8, _mm512_storeu_epi8,
    };
    let mut written = 0;
    // The last byte leads a sequence.
    let mut leads_before = 0;
    let (blocks, rest) = src.as_chunks::<64>();
    for block in blocks {
        // SAFETY: a block has 64 bytes.
        let bytes = unsafe { _mm512_loadu_epi8(block.as_ptr().cast()) };
        let other = _mm512_movepi8_mask(bytes);
        // From 80 to BF, and from C2 on.
        let continuations = _mm512_cmplt_epi8_mask(bytes, _mm512_set1_epi8(-64));
        let leads = other & !_mm512_cmplt_epi8_mask(bytes, _mm512_set1_epi8(-62));
        if (leads << 1 | leads_before) & continuations != 0 {
            return None;
        }
        leads_before = leads >> 63;
        let room: &mut [u8; 64] = dst[written..].first_chunk_mut()?;
        let kept = _mm512_maskz_compress_epi8(!other, bytes);
        // SAFETY: the room has 64 bytes.
        unsafe { _mm512_storeu_epi8(room.as_mut_ptr().cast(), kept) };
        written += other.count_zeros() as usize;
    }
    for &byte in rest {
        if leads_before != 0 && byte & 0xC0 == 0x80 {
            return None;
        }
        leads_before = u64::from(byte >= 0xC2);
        if byte.is_ascii() {
            dst[written] = byte;
            written += 1;
        }
    }
    Some(written)
}
