//! A cell for a value that its first use makes, on the heap: for tables that would be too large to
//! keep in the library.
//!
//! `std` has `OnceLock`, which `core` lacks, because a thread that waits for another needs the
//! operating system. Here no thread waits: threads that arrive at the same time make a value each,
//! the first to finish stores its value in the cell, and the others drop theirs and use the stored
//! one. So the cell also works in signal handlers and after `fork`, where the thread that makes the
//! value may be gone for ever.
#![allow(unsafe_code, reason = "the value is behind an atomic pointer, which has no lifetime")]

use alloc::boxed::Box;
use core::fmt;
use core::marker::PhantomData;
use core::ops::Deref;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

/// A cell for a value that is made once. Reading it is one load and one test for null.
pub struct Once<T> {
    /// Null at first, and later a pointer from `Box::into_raw` that stays valid as long as the cell
    /// exists.
    value: AtomicPtr<T>,
    /// The cell owns the value, and threads may share the cell if they may share the value.
    owned: PhantomData<Box<T>>,
}

impl<T> Once<T> {
    /// Returns the value if it has been made.
    #[inline(always)]
    pub fn get(&self) -> Option<&T> {
        let value = self.value.load(Ordering::Acquire);
        // SAFETY: only `get_or_make` stores a pointer other than null, and it comes from
        // `Box::into_raw`: it is aligned and points to a value. Only `Drop` frees the value, and it
        // borrows the cell exclusively, so the value outlives `&self`. Nothing hands out the value
        // for writing. The load acquires what the exchange in `get_or_make` released, so this
        // thread sees the complete value.
        unsafe { value.as_ref() }
    }
}

impl<T: Send + Sync> Once<T> {
    /// Creates an empty cell. The value may be made in one thread, read in others, and dropped in
    /// any.
    #[must_use]
    #[allow(clippy::new_without_default, reason = "it is for statics")]
    pub const fn new() -> Self {
        Self { value: AtomicPtr::new(null_mut()), owned: PhantomData }
    }

    /// Returns the value, which `make` makes if there is none yet. Threads that arrive at the same
    /// time may all call `make`; all of them get the one value that is stored.
    #[inline(always)]
    pub fn get_or_make(&self, make: impl FnOnce() -> T) -> &T {
        match self.get() {
            Some(value) => value,
            None => self.make(make),
        }
    }

    #[cold]
    #[inline(never)]
    fn make(&self, make: impl FnOnce() -> T) -> &T {
        let made = Box::into_raw(Box::new(make()));
        let put = self.value.compare_exchange(null_mut(), made, Ordering::Release, Ordering::Relaxed);
        if put.is_err() {
            // SAFETY: `made` comes from `Box::into_raw`, and the exchange failed, so no other thread has seen it, and
            // nothing else will free it.
            drop(unsafe { Box::from_raw(made) });
        }
        let Some(value) = self.get() else {
            unreachable!("the exchange left a value, and none is taken away")
        };
        value
    }
}

impl<T> Drop for Once<T> {
    fn drop(&mut self) {
        let value = *self.value.get_mut();
        if !value.is_null() {
            // SAFETY: a pointer in the cell comes from `Box::into_raw`, and only the cell owns it:
            // threads that lose the exchange free their own value. `&mut self` proves that no
            // reference to the value is left.
            drop(unsafe { Box::from_raw(value) });
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for Once<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Once").field(&self.get()).finish()
    }
}

/// A static value that its first use makes, by a function without arguments.
pub struct Lazy<T> {
    value: Once<T>,
    make: fn() -> T,
}

impl<T: Send + Sync> Lazy<T> {
    /// Creates a value that `make` will make.
    #[must_use]
    pub const fn new(make: fn() -> T) -> Self {
        Self { value: Once::new(), make }
    }
}

impl<T: Send + Sync> Deref for Lazy<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        self.value.get_or_make(self.make)
    }
}

impl<T: fmt::Debug> fmt::Debug for Lazy<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Lazy").field(&self.value.get()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{Lazy, Once};
    use core::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::Barrier;

    /// A value that counts how many of its kind exist.
    struct Counted<'a> {
        alive: &'a AtomicUsize,
        number: usize,
    }

    impl Drop for Counted<'_> {
        fn drop(&mut self) {
            self.alive.fetch_sub(1, Ordering::SeqCst);
        }
    }

    #[test]
    fn a_lazy_value_is_made_by_its_first_use_alone() {
        static CALLS: AtomicUsize = AtomicUsize::new(0);
        static VALUE: Lazy<Vec<u8>> = Lazy::new(|| {
            CALLS.fetch_add(1, Ordering::SeqCst);
            vec![1, 2]
        });
        assert_eq!(CALLS.load(Ordering::SeqCst), 0);
        assert_eq!((VALUE.len(), VALUE[1]), (2, 2));
        assert_eq!(CALLS.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn it_is_made_at_the_first_use_and_stays() {
        let place = Once::new();
        assert_eq!(place.get(), None);
        let first: *const u8 = place.get_or_make(|| 1);
        assert_eq!(place.get(), Some(&1));
        assert_eq!(first, place.get_or_make(|| unreachable!("it is there")));
    }

    #[test]
    fn a_use_within_the_making_makes_it() {
        let place = Once::new();
        assert_eq!(*place.get_or_make(|| *place.get_or_make(|| 1) + 1), 1);
    }

    // In WebAssembly, a panic ends the program, and there are no threads.
    #[cfg(not(target_family = "wasm"))]
    #[test]
    fn a_making_that_panics_leaves_the_place_empty() {
        let place = Once::<u8>::new();
        let failed = std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| {
            place.get_or_make(|| panic!("on purpose"));
        }));
        assert!(failed.is_err() && place.get().is_none());
        assert_eq!(*place.get_or_make(|| 7), 7);
    }

    #[cfg(not(target_family = "wasm"))]
    #[test]
    fn threads_that_come_together_agree_and_the_losers_drop_theirs() {
        const THREADS: usize = 8;
        let (alive, made) = (AtomicUsize::new(0), AtomicUsize::new(0));
        for _ in 0..200 {
            let place = Once::new();
            let start = Barrier::new(THREADS);
            // All threads wait inside `make` too, so each makes a value, and all but one are too
            // late.
            let late = Barrier::new(THREADS);
            let one = |_| {
                start.wait();
                let value = place.get_or_make(|| {
                    let number = made.fetch_add(1, Ordering::SeqCst);
                    alive.fetch_add(1, Ordering::SeqCst);
                    late.wait();
                    Counted { alive: &alive, number }
                });
                (core::ptr::from_ref(value) as usize, value.number)
            };
            let seen: Vec<_> = std::thread::scope(|scope| {
                let one = &one;
                let threads: Vec<_> = (0..THREADS).map(|i| scope.spawn(move || one(i))).collect();
                threads.into_iter().map(|thread| thread.join().expect("it does not panic")).collect()
            });
            assert!(seen.iter().all(|&value| value == seen[0]), "{seen:?}");
            assert_eq!(alive.load(Ordering::SeqCst), 1);
            drop(place);
            assert_eq!(alive.load(Ordering::SeqCst), 0);
        }
        assert_eq!(made.load(Ordering::SeqCst), 200 * THREADS);
    }
}
