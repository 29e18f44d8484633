//! How much was looked at, for tests that hold the work of a conversion in proportion to its text by count and not by time.
//!
//! What counts is code units, or bytes where a kernel looks at them, each time one is looked at; and a few for each step and
//! call, which are not free. It is for tests: without the feature `internals`, and in builds without debug assertions,
//! such as benchmarks, nothing is counted and nothing remains of it.

/// What a call of a kernel, or a step, counts for beyond what it reads and writes: as much as it may look ahead.
pub(crate) const CALL: usize = 64;
pub(crate) const STEP: usize = 16;

#[cfg(all(feature = "internals", feature = "std", debug_assertions))]
std::thread_local! {
    static DONE: core::cell::Cell<u64> = const { core::cell::Cell::new(0) };
}

/// Counts units that are looked at.
#[inline(always)]
#[cfg_attr(
    not(all(feature = "internals", feature = "std", debug_assertions)),
    expect(clippy::missing_const_for_fn, reason = "it counts in other builds")
)]
pub(crate) fn add(_units: usize) {
    #[cfg(all(feature = "internals", feature = "std", debug_assertions))]
    DONE.with(|done| done.set(done.get() + _units as u64));
}

/// What this thread has counted so far.
#[cfg(all(feature = "internals", feature = "std", debug_assertions))]
#[must_use]
pub fn done() -> u64 {
    DONE.with(core::cell::Cell::get)
}
