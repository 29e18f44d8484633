//! simdutf as a shared library: one symbol, the table of its functions.
//!
//! A process can hold only one build of a static library. As shared libraries several fit, by different compilers and
//! held to different instruction sets, so that they can be measured in turn.

// It carries the C++.
use simdutf as _;

/// What simdutf's functions that say where an error is give back.
#[repr(C)]
struct Outcome {
    error: u32,
    count: usize,
}

macro_rules! table {
    ($($name:ident = $symbol:ident($($arg:ty),*) -> $ret:ty;)*) => {
        #[repr(C)]
        struct Simdutf {
            $($name: unsafe extern "C" fn($($arg),*) -> $ret,)*
        }

        unsafe extern "C" {
            $(fn $symbol($(_: $arg),*) -> $ret;)*
        }

        /// The only symbol that the library shows.
        // SAFETY: no other symbol of the process has this name.
        #[unsafe(no_mangle)]
        static PLACEMAT_BENCH_SIMDUTF: Simdutf = Simdutf { $($name: $symbol),* };
    };
}

include!("functions.rs");
