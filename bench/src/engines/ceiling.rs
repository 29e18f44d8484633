//! The upper limit of the machine, for comparison with pure ASCII: reading, and writing the number
//! of bytes that an operation writes.

use crate::job::{self, Job};

/// Reads everything in the widest vectors of the machine and does almost nothing with it.
pub fn read() -> Job {
    job::read(read_all)
}

fn read_all(src: &[u8]) -> usize {
    #[cfg(target_arch = "x86_64")]
    {
        if std::is_x86_feature_detected!("avx512f") {
            // SAFETY: the condition found AVX-512F, the one feature of the function.
            return unsafe { read_512(src) };
        }
        if std::is_x86_feature_detected!("avx2") {
            // SAFETY: the condition found AVX2, the one feature of the function.
            return unsafe { read_256(src) };
        }
    }
    let or = |sum: u64, eight: &[u8; 8]| sum | u64::from_ne_bytes(*eight);
    src.as_chunks().0.iter().fold(0, or).count_ones() as usize
}

/// Copies the number of bytes that an operation writes.
pub fn write(bytes: usize) -> Job {
    let source = crate::buffer::Buffer::new(bytes);
    let copy = move |_: &[u8], dst: &mut [u8]| {
        dst[..bytes].copy_from_slice(std::hint::black_box(source.bytes()));
        bytes
    };
    Job::Convert { whole: Box::new(copy), shorts: Box::new(|_, _| 0) }
}

/// Reads everything, and writes the number of bytes that an operation writes, with ordinary stores
/// or with stores past the caches.
pub fn both(bytes: usize, past: bool) -> Job {
    let copy = move |src: &[u8], dst: &mut [u8]| {
        let pages = dst[..bytes].as_chunks_mut::<4096>().0;
        // Write each page of the output after its share of the input is read.
        let share = (src.len() / pages.len().max(1)).max(1);
        for (page, src) in pages.iter_mut().zip(src.chunks(share)) {
            let value = read_all(src) as u8;
            if past { store_past(page, value) } else { page.fill(value) }
        }
        pages.len() * 4096
    };
    Job::Convert { whole: Box::new(copy), shorts: Box::new(|_, _| 0) }
}

/// Fills a page with stores past the caches, if the machine has such stores.
fn store_past(page: &mut [u8; 4096], value: u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{__m128i, _mm_set1_epi8, _mm_stream_si128};
        // SAFETY: SSE2 is a part of x86-64.
        let value = unsafe { _mm_set1_epi8(value as i8) };
        for chunk in page.as_chunks_mut::<16>().0 {
            // SAFETY: the chunk has the 16 bytes of the vector, and is aligned for it as a part of
            // a page of a buffer that begins at a page; SSE2 is a part of x86-64.
            unsafe { _mm_stream_si128(chunk.as_mut_ptr().cast::<__m128i>(), value) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    page.fill(value);
}

#[cfg(target_arch = "x86_64")]
macro_rules! reader {
    ($name:ident, $feature:literal, $vector:ty, $zero:ident, $load:ident, $or:ident) => {
        #[target_feature(enable = $feature)]
        fn $name(src: &[u8]) -> usize {
            use std::arch::x86_64::*;
            const WIDTH: usize = size_of::<$vector>();
            let mut sums = [$zero(); 8];
            for eight in src.as_chunks::<{ 8 * WIDTH }>().0 {
                for (sum, chunk) in sums.iter_mut().zip(eight.as_chunks::<WIDTH>().0) {
                    // SAFETY: the chunk has the `WIDTH` bytes of a vector that are read, which need no alignment, and
                    // this function enables the feature of the instruction.
                    *sum = $or(*sum, unsafe { $load(chunk.as_ptr().cast()) });
                }
            }
            let sum = sums.into_iter().fold($zero(), |a, b| $or(a, b));
            // SAFETY: both types have `WIDTH` bytes without padding, and any bytes are a `u8` each.
            let bytes = unsafe { std::mem::transmute::<$vector, [u8; WIDTH]>(sum) };
            bytes.into_iter().fold(0, |a, b| a | b).into()
        }
    };
}

#[cfg(target_arch = "x86_64")]
reader!(read_512, "avx512f", __m512i, _mm512_setzero_si512, _mm512_loadu_si512, _mm512_or_si512);
#[cfg(target_arch = "x86_64")]
reader!(read_256, "avx2", __m256i, _mm256_setzero_si256, _mm256_loadu_si256, _mm256_or_si256);
