//! The runtime of the C libraries, which have no `std`: memory comes from `malloc`, and a panic,
//! which would be a bug of this project, ends the program by `abort` before it can cross the
//! boundary to C.

#![no_std]

use core::alloc::{GlobalAlloc, Layout};
use core::ffi::c_void;

unsafe extern "C" {
    fn malloc(size: usize) -> *mut c_void;
    fn free(pointer: *mut c_void);
    safe fn abort() -> !;
}

/// The alignment that `malloc` gives to every block: that of the widest scalar types, in bytes.
const ALIGNED: usize = 2 * size_of::<usize>();

struct Malloc;

#[global_allocator]
static MALLOC: Malloc = Malloc;

// SAFETY: `alloc` returns a block of `malloc` that is large enough and aligned, or null; `dealloc` gives the same block to
// `free`.
unsafe impl GlobalAlloc for Malloc {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= ALIGNED {
            // SAFETY: `malloc` takes any size.
            let block = unsafe { malloc(layout.size()) };
            // Otherwise the optimizer turns `malloc` and clearing into `calloc`, one more function
            // to need.
            return core::hint::black_box(block).cast();
        }
        // Space to align the block, and for the address of the whole block, which is stored before
        // it.
        let Some(size) = layout.size().checked_add(layout.align() + ALIGNED) else {
            return core::ptr::null_mut();
        };
        // SAFETY: `malloc` takes any size.
        let whole: *mut u8 = unsafe { malloc(size) }.cast();
        if whole.is_null() {
            return whole;
        }
        let skipped = ALIGNED + whole.wrapping_add(ALIGNED).align_offset(layout.align());
        // SAFETY: `skipped` is less than `align + ALIGNED`, which the block has beyond the size asked for.
        let aligned = unsafe { whole.add(skipped) };
        // SAFETY: at least `ALIGNED` bytes lie before `aligned`, which is aligned for a pointer.
        let kept = unsafe { aligned.cast::<*mut u8>().sub(1) };
        // SAFETY: `kept` is within the block and aligned.
        unsafe { kept.write(whole) };
        aligned
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        if layout.align() <= ALIGNED {
            // SAFETY: the caller passes a block of `alloc`, which came from `malloc`.
            return unsafe { free(pointer.cast()) };
        }
        // SAFETY: `alloc` kept the address of the whole before the block.
        let kept = unsafe { pointer.cast::<*mut u8>().sub(1) };
        // SAFETY: `alloc` wrote there, within the block and aligned.
        let whole = unsafe { kept.read() };
        // SAFETY: `whole` came from `malloc`.
        unsafe { free(whole.cast()) };
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    abort()
}
