//! A count of the code units that a conversion looks at. It lets tests check, without timing, that
//! the work is proportional to the text.
//!
//! A code unit counts each time it is looked at; in kernels, a byte does. Each step and each call
//! counts a few more, because it is not free. The count is for tests: without the feature
//! `internals`, and in builds without debug assertions, such as benchmarks, it compiles to nothing.

/// The cost of a kernel call, beyond the units that it reads and writes: the number of bytes that
/// it may look ahead.
pub(crate) const CALL: usize = 64;
pub(crate) const STEP: usize = 16;

#[cfg(all(feature = "internals", feature = "std", debug_assertions))]
std::thread_local! {
    static DONE: core::cell::Cell<u64> = const { core::cell::Cell::new(0) };
}

/// Adds the number of code units that were looked at.
#[inline(always)]
#[cfg_attr(
    not(all(feature = "internals", feature = "std", debug_assertions)),
    expect(clippy::missing_const_for_fn, reason = "it counts in other builds")
)]
pub fn add(_units: usize) {
    #[cfg(all(feature = "internals", feature = "std", debug_assertions))]
    DONE.with(|done| done.set(done.get() + _units as u64));
}

/// Returns the count of this thread so far.
#[cfg(all(feature = "internals", feature = "std", debug_assertions))]
#[must_use]
pub fn done() -> u64 {
    DONE.with(core::cell::Cell::get)
}
