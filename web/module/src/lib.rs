//! The WebAssembly module of the npm package.
#![no_std]
extern crate alloc;

#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
use alloc::boxed::Box;
use placemat::{stream::{Transcoder, Status}, Encoding, ErrorPolicy, UnmappablePolicy};

/// new
#[unsafe(no_mangle)]
pub extern "C" fn open(from: usize, to: usize, e: u32, u: u32) -> *mut Transcoder {
    let e = match e { 0 => ErrorPolicy::Stop, 1 => ErrorPolicy::Replace, 2 => ErrorPolicy::HexEscape, _ => ErrorPolicy::Skip };
    let u = match u { 0 => UnmappablePolicy::Stop, 1 => UnmappablePolicy::Replace, 2 => UnmappablePolicy::XmlReference, _ => UnmappablePolicy::Skip };
    Box::into_raw(Box::new(Transcoder::from(Encoding::ALL[from]).to(Encoding::ALL[to]).on_error(e).on_unmappable(u)))
}
/// conv
#[unsafe(no_mangle)]
pub unsafe extern "C" fn convert(t: *mut Transcoder, src: *const u8, len: usize, dst: *mut u8, cap: usize, last: bool) -> usize {
    let t = unsafe { &mut *t };
    let src = unsafe { core::slice::from_raw_parts(src, len) };
    let dst = unsafe { core::slice::from_raw_parts_mut(dst, cap) };
    let p = t.convert(src, dst, last);
    p.read + p.written + matches!(p.status, Status::Done) as usize
}
