//! Texts in the form that engines get: one text at the start of a page, or many short ones.

use crate::texts::Random;
use std::hint::black_box;

/// Bytes that begin at the start of a page.
pub struct Buffer {
    pages: Vec<Page>,
    len: usize,
}

#[repr(align(4096))]
#[derive(Clone)]
struct Page(#[expect(dead_code, reason = "read as bytes")] [u8; 4096]);

impl Buffer {
    pub fn new(len: usize) -> Self {
        Self { pages: vec![Page([0; 4096]); len.div_ceil(4096) + 1], len }
    }

    pub fn of(bytes: &[u8]) -> Self {
        let mut buffer = Self::new(bytes.len());
        buffer.bytes_mut().copy_from_slice(bytes);
        buffer
    }

    pub fn bytes(&self) -> &[u8] {
        // SAFETY: a page is an array of bytes without padding, so all of it is initialized bytes.
        let (_, bytes, _) = unsafe { self.pages.align_to::<u8>() };
        &bytes[..self.len]
    }

    pub fn bytes_mut(&mut self) -> &mut [u8] {
        let len = self.len;
        // SAFETY: a page is an array of bytes without padding, so all of it is initialized bytes,
        // and any bytes are a page.
        let (_, bytes, _) = unsafe { self.pages.align_to_mut::<u8>() };
        &mut bytes[..len]
    }
}

/// Many short inputs in one buffer.
pub struct Shorts {
    buffer: Buffer,
    /// The start and the length of each input, in bytes.
    spans: Vec<(u32, u32)>,
    /// Each call waits for the answer of the previous one.
    chained: bool,
}

impl Shorts {
    /// `calls` random choices of the inputs, so that no branch predictor can learn the order.
    pub fn random(inputs: &[Vec<u8>], calls: usize, chained: bool) -> Self {
        let Self { buffer, spans: all, .. } = Self::in_order(inputs);
        let mut random = Random::new(calls as u64);
        let spans = (0..calls).map(|_| all[random.below(all.len())]).collect();
        Self { buffer, spans, chained }
    }

    /// Takes each input once, in the order of the list.
    pub fn in_order(inputs: &[Vec<u8>]) -> Self {
        let mut bytes = Vec::new();
        let spans = inputs
            .iter()
            .map(|input| {
                // Align for code units of two bytes; bytes need no alignment.
                bytes.resize(bytes.len().next_multiple_of(2), 0);
                let start = bytes.len();
                bytes.extend(input);
                (start as u32, input.len() as u32)
            })
            .collect();
        Self { buffer: Buffer::of(&bytes), spans, chained: false }
    }

    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Calls `f` on each input, and returns the sum of the answers.
    #[inline(always)]
    pub fn each(&self, mut f: impl FnMut(&[u8]) -> usize) -> usize {
        let bytes = self.buffer.bytes();
        if self.chained {
            // The mask is always zero, but the processor learns that only from the answer.
            let mask = black_box(0);
            let mut sum = 0;
            let mut last = 0;
            for &(start, len) in &self.spans {
                let start = start as usize + (last & mask);
                last = f(&bytes[start..start + len as usize]);
                sum += last;
            }
            sum
        } else {
            self.spans.iter().map(|&(start, len)| f(&bytes[start as usize..][..len as usize])).sum()
        }
    }
}
