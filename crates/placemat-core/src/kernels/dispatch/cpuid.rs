//! Detects the features of an x86-64 CPU without `std`: CPUID lists what the CPU can execute, and
//! XCR0 which registers the operating system saves for each thread. Intel's manual, volume 1,
//! sections 14.3 and 15.2 to 15.4.
//!
//! Some programs may not execute these instructions. In an SGX enclave, CPUID faults. A target
//! without SSE2 is a kernel or firmware, whose vector registers belong to others. There the target
//! features decide.

use core::arch::x86_64::{__cpuid_count, _xgetbv};
use core::sync::atomic::{AtomicU32, Ordering};

/// A word of CPUID that has feature bits.
#[derive(Clone, Copy)]
enum Word {
    /// ECX of leaf 1.
    Ecx1,
    /// EBX of leaf 7.
    Ebx7,
    /// ECX of leaf 7.
    Ecx7,
    /// ECX of leaf 8000 0001.
    EcxMore,
}

/// The bits of XCR0 that must be set for instructions that use these registers: general and
/// legacy-encoded 128-bit registers; YMM; ZMM and mask registers.
const XMM: u64 = 0;
const YMM: u64 = 0b110;
const ZMM: u64 = 0b1110_0110;

/// The bit that records that the CPU was asked. No feature uses it.
const ASKED: u32 = 1 << 31;

/// Defines the list of features from lines with a name, the position of its bit, and the registers
/// that it uses.
macro_rules! features {
    ($($name:tt: $word:ident $bit:literal, $state:ident;)*) => {
        const NAMES: &[&str] = &[$($name),*];

        /// The features that the program was compiled for, a bit each in the order of the list.
        const COMPILED: u32 = bits([$(cfg!(target_feature = $name)),*]);

        /// Returns the features whose bits are set and whose registers the operating system saves.
        fn present(words: [u32; 4], xcr0: u64) -> u32 {
            bits([$(words[Word::$word as usize] >> $bit & 1 != 0 && xcr0 & $state == $state),*])
        }

        /// Each feature, and whether the standard library detects it.
        #[cfg(test)]
        fn by_std() -> Vec<(&'static str, bool)> {
            vec![$(($name, std::arch::is_x86_feature_detected!($name))),*]
        }
    };
}

features! {
    "ssse3": Ecx1 9, XMM;
    "sse4.1": Ecx1 19, XMM;
    "popcnt": Ecx1 23, XMM;
    "lzcnt": EcxMore 5, XMM;
    "bmi1": Ebx7 3, XMM;
    "bmi2": Ebx7 8, XMM;
    "gfni": Ecx7 8, XMM;
    "avx2": Ebx7 5, YMM;
    "avx512f": Ebx7 16, ZMM;
    "avx512dq": Ebx7 17, ZMM;
    "avx512cd": Ebx7 28, ZMM;
    "avx512bw": Ebx7 30, ZMM;
    "avx512vl": Ebx7 31, ZMM;
    "avx512vbmi": Ecx7 1, ZMM;
    "avx512vbmi2": Ecx7 6, ZMM;
    "avx512bitalg": Ecx7 12, ZMM;
    "avx512vpopcntdq": Ecx7 14, ZMM;
}

/// A bitmap of booleans, the first one lowest.
const fn bits<const N: usize>(all: [bool; N]) -> u32 {
    assert!(N < 31);
    let (mut bits, mut i) = (0, 0);
    while i < N {
        bits |= (all[i] as u32) << i;
        i += 1;
    }
    bits
}

/// A set of features, a bit each in the order of the list.
#[derive(Clone, Copy)]
pub(super) struct Features(u32);

impl Features {
    /// Returns the set of these features, by their names in Rust. Fails to compile for a name that
    /// is not listed here.
    pub(super) const fn of(names: &[&str]) -> Self {
        let (mut set, mut i) = (0, 0);
        while i < names.len() {
            let mut at = 0;
            while !equal(names[i], NAMES[at]) {
                at += 1;
            }
            set |= 1 << at;
            i += 1;
        }
        Self(set)
    }

    /// Whether this machine has all of these features. The CPU is asked once: on an emulated one,
    /// an answer can take microseconds.
    pub(super) fn are_there(self) -> bool {
        /// All features of this machine, once it was asked. Two threads that ask get the same
        /// answer.
        static FOUND: AtomicU32 = AtomicU32::new(0);
        let mut found = FOUND.load(Ordering::Relaxed);
        if found == 0 {
            found = ASKED | COMPILED | ask();
            FOUND.store(found, Ordering::Relaxed);
        }
        found & self.0 == self.0
    }
}

const fn equal(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut i = 0;
    while i < one.len() && i < other.len() && one[i] == other[i] {
        i += 1;
    }
    i == one.len() && i == other.len()
}

/// Returns the features that this machine has.
fn ask() -> u32 {
    if cfg!(any(not(target_feature = "sse2"), target_env = "sgx")) {
        return 0;
    }
    let (last, _, _) = cpuid(0);
    let (_, _, ecx1) = if last >= 1 { cpuid(1) } else { (0, 0, 0) };
    let (_, ebx7, ecx7) = if last >= 7 { cpuid(7) } else { (0, 0, 0) };
    let (last, _, _) = cpuid(0x8000_0000);
    let (_, _, more) = if last > 0x8000_0000 { cpuid(0x8000_0001) } else { (0, 0, 0) };
    // The CPU has XSAVE, and the operating system uses it.
    let xcr0 = if ecx1 >> 26 & 0b11 == 0b11 {
        // SAFETY: the function needs the feature `xsave`, and XGETBV faults unless the operating
        // system has set CR4.OSXSAVE. Bits 26 and 27 of ECX in leaf 1 report that both hold, as the
        // line above checks. Register 0 exists wherever XGETBV does.
        unsafe { _xgetbv(0) }
    } else {
        0
    };
    present([ecx1, ebx7, ecx7, more], xcr0)
}

/// Returns EAX, EBX and ECX of a CPUID leaf.
#[inline]
fn cpuid(leaf: u32) -> (u32, u32, u32) {
    #[allow(unused_unsafe, reason = "the function is safe in later versions of Rust")]
    // SAFETY: every x86-64 CPU has CPUID, it reads and writes only registers, and `ask` does not
    // call this function in an enclave, where it faults.
    let found = unsafe { __cpuid_count(leaf, 0) };
    (found.eax, found.ebx, found.ecx)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_features_are_those_that_the_standard_library_finds() {
        for (name, there) in by_std() {
            assert_eq!(Features::of(&[name]).are_there(), there, "{name}");
        }
    }

    #[test]
    fn registers_that_the_system_does_not_keep_are_not_used() {
        let has = |name: &str, xcr0| present([u32::MAX; 4], xcr0) & Features::of(&[name]).0 != 0;
        // x87 only; SSE; AVX; and masks and ZMM, complete, in part, and without AVX.
        for (xcr0, avx, avx512) in [
            (0, false, false),
            (0b1, false, false),
            (0b11, false, false),
            (0b101, false, false),
            (0b111, true, false),
            (0b0010_0111, true, false),
            (0b1100_0111, true, false),
            (0b1110_0011, false, false),
            (0b1110_0111, true, true),
        ] {
            assert!(has("sse4.1", xcr0) && has("bmi2", xcr0));
            assert_eq!(has("avx2", xcr0), avx, "{xcr0:b}");
            assert_eq!(has("avx512f", xcr0), avx512, "{xcr0:b}");
            assert_eq!(has("avx512vbmi2", xcr0), avx512, "{xcr0:b}");
        }
        assert_eq!(present([0; 4], u64::MAX), 0);
    }
}
