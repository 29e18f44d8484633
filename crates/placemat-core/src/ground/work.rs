//! A count of the units that a conversion looks at. With it, tests check that work is proportional to the text, without
//! timing.
//!
//! A code unit counts each time it is looked at; in kernels, a byte does. Each step and each call counts a few more,
//! because it is not free. The count is for tests: without the feature `internals`, and in builds without debug
//! assertions, such as benchmarks, it compiles to nothing.

/// The count of a kernel call or a step beyond the units that it reads and writes: as many as it may look ahead.
pub(crate) const CALL: usize = 64;
pub(crate) const STEP: usize = 16;

#[cfg(all(feature = "internals", feature = "std", debug_assertions))]
std::thread_local! {
    static DONE: core::cell::Cell<u64> = const { core::cell::Cell::new(0) };
}

/// Counts `units` that were looked at.
#[inline(always)]
#[cfg_attr(
    not(all(feature = "internals", feature = "std", debug_assertions)),
    expect(clippy::missing_const_for_fn, reason = "it counts in other builds")
)]
pub fn add(_units: usize) {
    #[cfg(all(feature = "internals", feature = "std", debug_assertions))]
    DONE.with(|done| done.set(done.get() + _units as u64));
}

/// The count of this thread so far.
#[cfg(all(feature = "internals", feature = "std", debug_assertions))]
#[must_use]
pub fn done() -> u64 {
    DONE.with(core::cell::Cell::get)
}
