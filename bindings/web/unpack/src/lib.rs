//! The start of a module whose data `pack.mjs` has packed.
//!
//! Tables of characters repeat the same runs of characters, further apart than gzip looks back, and
//! their bytes at even addresses differ in kind from those at odd addresses. So the data is stored
//! as bytes of both kinds, separately, and as copies of earlier data.

#![no_std]
#![cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "only a module starts so"))]

/// The directory, after all memory that the module uses: the addresses where the data begins and
/// ends, and where its packed parts begin.
#[repr(C)]
struct Directory {
    start: *mut u8,
    end: *mut u8,
    /// The number of single bytes before each copy, and after the last one.
    runs: Numbers,
    lengths: Numbers,
    /// The distance of each copy, minus the previous distance; bit 0 is set if that is negative.
    distances: Numbers,
    /// Single bytes for even addresses, and those for odd ones.
    bytes: [Bytes; 2],
}

#[derive(Clone, Copy)]
struct Bytes(*const u8);

impl Bytes {
    fn next(&mut self) -> u8 {
        // SAFETY: `pack.mjs` writes every byte that is read.
        let byte = unsafe { self.0.read() };
        self.0 = self.0.wrapping_add(1);
        byte
    }
}

/// A stream of numbers in LEB128.
#[derive(Clone, Copy)]
struct Numbers(Bytes);

impl Numbers {
    fn next(&mut self) -> usize {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.0.next();
            number |= usize::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return number;
            }
            shift += 7;
        }
    }
}

/// Unpacks the data.
///
/// # Safety
/// `pack.mjs` wrote the directory, and no data of the module was used.
unsafe fn unpack_by(directory: *const Directory) {
    // SAFETY: the caller keeps the contract of this function.
    let Directory { start: mut at, end, mut runs, mut lengths, mut distances, mut bytes } =
        unsafe { directory.read() };
    let mut distance = 0_usize;
    loop {
        for _ in 0..runs.next() {
            let byte = bytes[at.addr() & 1].next();
            // SAFETY: it is before the end; so below.
            unsafe { at.write(byte) };
            at = at.wrapping_add(1);
        }
        if at == end {
            return;
        }
        let length = lengths.next();
        let change = distances.next();
        distance = distance.wrapping_add(change >> 1 ^ (change & 1).wrapping_neg());
        for _ in 0..length {
            // SAFETY: the byte was written before.
            let byte = unsafe { at.wrapping_sub(distance).read() };
            // SAFETY: see above.
            unsafe { at.write(byte) };
            at = at.wrapping_add(1);
        }
    }
}

/// The start function that `pack.mjs` gives a module: it runs before anything else. The directory
/// ends with the last page.
///
/// # Safety
/// The module is packed, and no data of it was used.
#[cfg(target_arch = "wasm32")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn unpack() {
    let memory = core::arch::wasm32::memory_size::<0>() * 0x1_0000;
    let directory = core::ptr::with_exposed_provenance(memory - size_of::<Directory>());
    // SAFETY: the caller keeps the contract of this function.
    unsafe { unpack_by(directory) };
}
