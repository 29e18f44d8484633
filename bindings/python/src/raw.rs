//! The few calls of the C interface that several modules need.

use crate::meanwhile::{self, MIN_UNLOCKED_UNITS, Meanwhile};
use crate::running::in_handler;
use core::mem::MaybeUninit;
use core::slice;
use placemat::Encoding;
use placemat::stream::{Checkpoint, Transcoder};
use pyo3::ffi::{self, PyObject, PyThreadState};
use pyo3::prelude::*;

/// The kernel supplies the memory of objects above this size, in bytes, one page at a time, at the
/// first write to each.
pub(crate) const LARGE_OBJECT_BYTES: usize = 4 << 20;

/// Asks for large pages for new memory: getting pages of 4 KiB costs more than converting the text.
/// The request is only a hint.
#[cold]
pub(crate) fn ask_for_large_pages(start: *mut u8, bytes: usize) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 4096;
        let skipped = start.align_offset(PAGE).min(bytes);
        // SAFETY: the advice changes no contents of memory, and has no effect on unmapped memory.
        unsafe { libc::madvise(start.wrapping_add(skipped).cast(), bytes - skipped, libc::MADV_HUGEPAGE) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (start, bytes);
}

/// A text that `PyUnicode_New` cannot be asked for, or an exception that is set: no memory, or a signal handler that raised.
#[derive(Debug)]
pub(crate) struct Raised;

/// Sets `MemoryError`.
#[cold]
pub(crate) fn no_memory() -> Raised {
    // SAFETY: the GIL is held; the call only sets the exception.
    unsafe { ffi::PyErr_NoMemory() };
    Raised
}

/// Runs the handlers of pending signals, which `KeyboardInterrupt` needs. Only the main thread runs
/// them.
#[inline]
pub(crate) fn check_signals() -> Result<(), Raised> {
    // SAFETY: the GIL is held.
    let check = || unsafe { ffi::PyErr_CheckSignals() };
    let status = match meanwhile::now() {
        Meanwhile::Everything => check(),
        Meanwhile::EverythingInTurn | Meanwhile::SignalsInTurn => in_handler(check),
        Meanwhile::Nothing => 0,
    };
    if status == 0 { Ok(()) } else { Err(Raised) }
}

/// Runs [`check_signals`], and returns its exception.
pub(crate) fn signals(py: Python<'_>) -> PyResult<()> {
    check_signals().map_err(|Raised| PyErr::fetch(py))
}

/// A scope in which the GIL is released.
pub(crate) struct Released(*mut PyThreadState);

impl Released {
    /// Runs `work` without the GIL. It may touch no object of the interpreter except the memory
    /// of its slices, which cannot change: the memory of `bytes`, of `str`, and of objects that are not
    /// visible yet.
    #[inline]
    pub(crate) fn run<R: Send>(work: impl FnOnce() -> R + Send) -> R {
        if matches!(meanwhile::now(), Meanwhile::SignalsInTurn | Meanwhile::Nothing) {
            return work();
        }
        // SAFETY: the GIL is held; the thread takes it back when `this` is dropped, also by a panic.
        let this = Self(unsafe { ffi::PyEval_SaveThread() });
        let result = work();
        drop(this);
        result
    }
}

/// Runs `work`, without the GIL if it handles more than [`MIN_UNLOCKED_UNITS`] code units.
#[inline]
pub(crate) fn alone<R: Send>(units: usize, work: impl FnOnce() -> R + Send) -> R {
    if units > MIN_UNLOCKED_UNITS { Released::run(work) } else { work() }
}

impl Drop for Released {
    fn drop(&mut self) {
        // SAFETY: the state is the one that `run` got, on the same thread.
        unsafe { ffi::PyEval_RestoreThread(self.0) };
    }
}

/// Runs `work`, compiled for the widest vectors that all current machines have, if this machine has
/// them; the package is built for older ones too. Everything that `work` calls has to be inlined.
#[inline(always)]
pub(crate) fn by_wide_vectors<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn avx2<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the machine has these vectors.
            return unsafe { avx2(work) };
        }
    }
    work()
}

/// Returns the state of a transcoder that leaves the rest of its input, as all transcoders here do.
pub(crate) fn checkpoint<D>(transcoder: &Transcoder<D>) -> Checkpoint {
    transcoder.checkpoint().expect("it holds no input")
}

/// Returns where the bytes of a `bytes` object are, and their number.
///
/// # Safety
/// `object` is one; the GIL is held.
#[inline(always)]
pub(crate) unsafe fn memory_of_bytes(object: *mut PyObject) -> (*const u8, usize) {
    #[cfg(not(Py_LIMITED_API))]
    // SAFETY: it is `bytes`; so with the next.
    let (len, data) = (unsafe { ffi::Py_SIZE(object) }, unsafe { ffi::PyBytes_AS_STRING(object) });
    #[cfg(Py_LIMITED_API)]
    // SAFETY: as above.
    let (len, data) = (unsafe { ffi::PyBytes_Size(object) }, unsafe { ffi::PyBytes_AsString(object) });
    (data.cast(), len.unsigned_abs())
}

/// Clears memory for a result, which may be uninitialized.
#[inline]
pub(crate) fn cleared<U: Copy + Default>(room: &mut [MaybeUninit<U>]) -> &mut [U] {
    room.fill(MaybeUninit::new(U::default()));
    // SAFETY: all of it is initialized now, and `MaybeUninit` has the layout of its value.
    unsafe { slice::from_raw_parts_mut(room.as_mut_ptr().cast(), room.len()) }
}

/// Returns the bytes of code points.
pub(crate) fn bytes_of(units: &[u32]) -> &[u8] {
    // SAFETY: the memory is that of the units, all of it; integers have no padding, and any byte is a `u8`.
    unsafe { slice::from_raw_parts(units.as_ptr().cast(), size_of_val(units)) }
}

/// Returns the bytes of UTF-16 code units.
pub(crate) fn bytes_of_units(units: &[u16]) -> &[u8] {
    // SAFETY: as above.
    unsafe { slice::from_raw_parts(units.as_ptr().cast(), size_of_val(units)) }
}

/// Returns the bytes of UTF-16 code units, for writing.
pub(crate) fn bytes_of_units_mut(units: &mut [u16]) -> &mut [u8] {
    // SAFETY: as above; any two bytes are a `u16`.
    unsafe { slice::from_raw_parts_mut(units.as_mut_ptr().cast(), size_of_val(units)) }
}

/// Returns the bytes of code points, for writing.
pub(crate) fn bytes_of_mut(units: &mut [u32]) -> &mut [u8] {
    // SAFETY: as above; any four bytes are a `u32`.
    unsafe { slice::from_raw_parts_mut(units.as_mut_ptr().cast(), size_of_val(units)) }
}

/// UTF-32 in the byte order of the machine.
pub(crate) const UTF_32: Encoding =
    if cfg!(target_endian = "big") { Encoding::UTF_32BE } else { Encoding::UTF_32LE };
/// UTF-16 in the byte order of the machine.
pub(crate) const UTF_16: Encoding =
    if cfg!(target_endian = "big") { Encoding::UTF_16BE } else { Encoding::UTF_16LE };
