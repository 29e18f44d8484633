//! Selects the kernels for this machine: the levels, their detection, one table of levels per
//! kernel, and the choice.
//!
//! Nothing else in the crate knows which instructions exist. A level is one fixed set of features;
//! there is nothing in between to choose or to test. The choice is made once, at the first call,
//! and stored in one atomic number, the index of the function in each kernel's own table. A table
//! per level would keep every kernel in every program.
//!
//! Before the choice, the number selects functions that choose and then call the chosen kernel, so
//! a call is two loads and a jump. A check for a missing choice would make every caller spill
//! registers for a case that occurs once.
#![allow(unsafe_code, reason = "a kernel compiled for a level is called only after the level was detected")]
use crate::ground::patch::{Patch, Short};
use crate::ground::unit::{Be, Le};
use crate::kernels::marks::MARKS;
use crate::kernels::repair_candidates;
use crate::kernels::single_byte::{self, ByteMap, SingleByteDecoder, SingleByteEncoder, SingleByteUnits};
use crate::kernels::weighted::{self, LANES};
use crate::kernels::{
    Mend, Moved, Patched, Replaced, ascii, cesu8, copy, latin1_to_utf8, patch, portable, utf16_to_utf8,
    utf32_to_utf8, validate,
};
use crate::kernels::{
    count, damage, latin1_wide, swap, utf8_to_latin1, utf8_to_utf16, utf8_to_utf32, utf16, utf16_to_utf32,
    utf32, utf32_to_utf16,
};
#[cfg(target_arch = "x86_64")]
use crate::kernels::{short_utf8_to_utf16, short_utf16_to_utf8};
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
use crate::simd::Neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::simd::Simd128;
use crate::simd::Slot;
#[cfg(target_arch = "x86_64")]
use crate::simd::{Avx2, Avx512};
use core::fmt;
use core::sync::atomic::{AtomicU8, Ordering};

#[cfg(all(target_arch = "x86_64", any(test, not(feature = "std"))))]
mod cpuid;

/// A level of vector instructions for which the kernels are compiled.
///
/// The first call selects the best level that the machine supports; results are the same on each.
/// NEON and simd128 exist if the target features include them.
///
/// ```
/// use placemat::Isa;
/// // The levels that this machine can run, from the plainest to the best, which is the one in use.
/// let levels: Vec<Isa> = Isa::available().collect();
/// assert_eq!(levels.first(), Some(&Isa::Portable));
/// assert_eq!(levels.last(), Some(&Isa::current()));
/// // A level by name, as on a command line, and one that is not there.
/// assert_eq!("portable".parse(), Ok(Isa::Portable));
/// assert!("mmx".parse::<Isa>().is_err());
/// ```
///
/// ```
/// use placemat::Isa;
/// assert!(Isa::Portable.is_available());
/// assert_eq!(Isa::Portable.name(), "portable");
/// assert_eq!("portable".parse(), Ok(Isa::Portable));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Isa {
    /// Plain loops for any CPU, compiled with the baseline instructions of the target.
    Portable,
    /// x86-64 with AVX2, BMI1, BMI2, LZCNT and POPCNT.
    Avx2,
    /// x86-64 with AVX-512 of the Ice Lake generation: F, BW, CD, DQ, VL, VBMI, VBMI2, BITALG,
    /// VPOPCNTDQ, and GFNI.
    Avx512,
    /// aarch64 with NEON, which every such CPU supports.
    Neon,
    /// WebAssembly with simd128, if the target features include it.
    Simd128,
}

impl Isa {
    /// All levels of all architectures, from the plainest to the best of each.
    pub const ALL: [Self; 5] = [Self::Portable, Self::Avx2, Self::Avx512, Self::Neon, Self::Simd128];

    /// The levels that this machine can run, from the plainest to the best.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|isa| isa.is_available())
    }

    /// Whether this machine can run the level.
    #[must_use]
    pub fn is_available(self) -> bool {
        self.entry().is_some()
    }

    /// The level in use.
    #[must_use]
    pub fn current() -> Self {
        Kernels::current().isa()
    }

    /// Uses this level from now on, in the whole process, instead of the best one: for tests, for
    /// comparisons, or to rule out a level as the cause of a problem. Calls in progress continue
    /// unchanged.
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if this machine cannot run the level.
    ///
    /// ```
    /// use placemat::{Isa, IsaError};
    /// let best = Isa::current();
    /// Isa::Portable.select()?;
    /// assert_eq!(Isa::current(), Isa::Portable);
    /// best.select()?;
    /// assert!("mmx".parse::<Isa>().is_err());
    /// # Ok::<(), IsaError>(())
    /// ```
    pub fn select(self) -> Result<(), IsaError> {
        let entry = self.entry().ok_or(IsaError(Some(self)))?;
        CURRENT.store(entry, Ordering::Relaxed);
        Ok(())
    }

    /// The name of the level: the target feature, as Rust spells it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
            Self::Simd128 => "simd128",
        }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl core::str::FromStr for Isa {
    type Err = IsaError;

    fn from_str(name: &str) -> Result<Self, IsaError> {
        Self::ALL.into_iter().find(|isa| isa.name().eq_ignore_ascii_case(name)).ok_or(IsaError(None))
    }
}

/// Error for a level that does not exist, or that this machine cannot run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IsaError(Option<Isa>);

impl fmt::Display for IsaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(isa) => write!(f, "this machine cannot run {isa}; it can run")?,
            None => f.write_str("no such level; this machine can run")?,
        }
        Isa::available().try_for_each(|isa| write!(f, " {isa}"))
    }
}

impl core::error::Error for IsaError {}

#[cfg(feature = "std")]
crate::ground::io_error::into_io_error!(Unsupported: IsaError);

/// The levels of this architecture, in the order of the tables.
const LEVELS: &[Isa] = &[
    // A build for size has the kernels of one level only.
    #[cfg(not(all(small, target_arch = "wasm32", target_feature = "simd128")))]
    Isa::Portable,
    #[cfg(target_arch = "x86_64")]
    Isa::Avx2,
    #[cfg(target_arch = "x86_64")]
    Isa::Avx512,
    #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
    Isa::Neon,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Isa::Simd128,
];

/// Number of functions in the table of a kernel: one that chooses, and one for each level.
const ENTRIES: usize = 1 + LEVELS.len();

/// Index of the functions that choose.
const UNCHOSEN: u8 = 0;
/// Index of the level that runs anywhere.
const PORTABLE_ENTRY: u8 = 1;

/// The kernels of one level. A value exists only for a level that this machine can run, which makes
/// the methods safe to call.
#[derive(Clone, Copy, Debug)]
pub struct Kernels {
    /// Index in the tables, less than `ENTRIES`.
    entry: u8,
}

/// The index in use: [`UNCHOSEN`], or the index of a level that this machine can run.
static CURRENT: AtomicU8 = AtomicU8::new(UNCHOSEN);

impl Kernels {
    /// Returns the kernels of a level, if this machine can run it.
    #[must_use]
    pub fn of(isa: Isa) -> Option<Self> {
        isa.entry().map(|entry| Self { entry })
    }

    /// Returns the kernels in use. A value returned before the first call of a kernel chooses at
    /// each call, and is slower for it.
    #[must_use]
    #[inline]
    pub fn current() -> Self {
        Self { entry: CURRENT.load(Ordering::Relaxed) }
    }

    /// Chooses the best level, unless a level was already chosen.
    #[cold]
    #[inline(never)]
    fn choose() -> Self {
        if CURRENT.load(Ordering::Relaxed) != UNCHOSEN {
            return Self::current();
        }
        let best =
            pinned().or_else(|| Isa::available().last()).and_then(Isa::entry).unwrap_or(PORTABLE_ENTRY);
        // A level that `select` stored in the meantime stays; a target without this instruction has
        // one core.
        #[cfg(target_has_atomic = "8")]
        let _ = CURRENT.compare_exchange(UNCHOSEN, best, Ordering::Relaxed, Ordering::Relaxed);
        #[cfg(not(target_has_atomic = "8"))]
        CURRENT.store(best, Ordering::Relaxed);
        Self::current()
    }

    /// The level of these kernels.
    #[must_use]
    pub fn isa(self) -> Isa {
        match usize::from(self.entry).checked_sub(1).and_then(|place| LEVELS.get(place)) {
            Some(&isa) => isa,
            None => Self::choose().isa(),
        }
    }
}

/// Returns the level that tests must use, from the environment variable `PLACEMAT_ISA`.
///
/// # Panics
/// If this machine does not support that level: the test would silently run another one.
fn pinned() -> Option<Isa> {
    #[cfg(any(test, all(feature = "std", feature = "internals")))]
    if let Some(name) = std::env::var_os("PLACEMAT_ISA") {
        let isa = name.to_str().and_then(|name| name.parse().ok()).filter(|isa: &Isa| isa.is_available());
        assert!(isa.is_some(), "PLACEMAT_ISA={}: {}", name.display(), IsaError(None));
        return isa;
    }
    None
}

/// Whether the machine has every one of the features.
#[cfg(target_arch = "x86_64")]
macro_rules! has {
    ($($feature:tt),*) => {{
        #[cfg(feature = "std")]
        let has = $(std::arch::is_x86_feature_detected!($feature))&&*;
        #[cfg(not(feature = "std"))]
        let has = const { cpuid::Features::of(&[$($feature),*]) }.are_there();
        has
    }};
}

impl Isa {
    /// Returns the index of the level in the tables, if this machine can run it.
    fn entry(self) -> Option<u8> {
        let is_there = match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => has!("avx2", "bmi1", "bmi2", "lzcnt", "popcnt"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => has!(
                "avx512f",
                "avx512bw",
                "avx512cd",
                "avx512dq",
                "avx512vl",
                "avx512vbmi",
                "avx512vbmi2",
                "avx512bitalg",
                "avx512vpopcntdq",
                "gfni",
                "avx2",
                "bmi1",
                "bmi2",
                "lzcnt",
                "popcnt"
            ),
            // The target features include the level, or it needs none.
            _ => true,
        };
        let place = LEVELS.iter().position(|&isa| isa == self).filter(|_| is_there)?;
        u8::try_from(place + 1).ok()
    }
}

/// A type without meaning, over which the functions of the kernels are generic. The compiler
/// generates generic functions in the crate that calls them, and only those that are called: a
/// program that validates UTF-8 pays for no other kernel, neither in size nor in build time. With
/// the feature `precompiled`, this crate calls them all.
enum Lazy {}

/// Generates the methods of [`Kernels`], each with the table of its levels, from one list.
///
/// A line names a kernel, its arguments and its result, and its functions: one that runs anywhere,
/// and one that is generic over the vector traits and is compiled for each level. A function after
/// `=>` needs operations that only AVX-512 has, and replaces the generic one there. A `cfg`
/// attribute restricts a kernel to the feature that uses it. An argument called `room` may be
/// uninitialized memory.
macro_rules! kernels {
    ($(
        $(#[doc = $doc:literal])*
        $(#[cfg($cfg:meta)])?
        $name:ident($($arg:ident: $type:ty),*) -> $ret:ty = $portable:expr $(, $vector:path)? $(=> $special:path)?;
    )*) => {
        impl Kernels {
            $(
                $(#[doc = $doc])*
                $(#[cfg($cfg)])?
                #[inline]
                #[must_use]
                pub fn $name(self, $($arg: kernels!(@type $arg $type)),*) -> $ret {
                    onto::$name(self, $(kernels!(@lent $arg $arg)),*)
                }
            )*
        }

        /// The kernels as functions, which also write into uninitialized memory.
        pub mod onto {
            use super::*;

            $(
                $(#[doc = $doc])*
                $(#[cfg($cfg)])?
                #[cfg_attr(not(feature = "precompiled"), inline)]
                #[must_use]
                pub fn $name(kernels: Kernels, $($arg: $type),*) -> $ret {
                    /// The functions, which are unsafe to call, because the CPU must support their
                    /// level.
                    const TABLE: &[unsafe fn($($type),*) -> $ret; ENTRIES] = &[
                        first::$name::<Lazy>,
                        #[cfg(not(all(small, target_arch = "wasm32", target_feature = "simd128")))]
                        plain::$name::<Lazy>,
                        #[cfg(target_arch = "x86_64")]
                        avx2::$name::<Lazy>,
                        #[cfg(target_arch = "x86_64")]
                        avx512::$name::<Lazy>,
                        #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
                        neon::$name::<Lazy>,
                        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
                        simd128::$name::<Lazy>,
                    ];
                    // SAFETY: a `Kernels` is made of `UNCHOSEN`, of `PORTABLE_ENTRY`, or of an
                    // index that `Isa::entry` returned, and each is less than `ENTRIES`, the length
                    // of the table.
                    let function = unsafe { TABLE.get_unchecked(usize::from(kernels.entry)) };
                    // SAFETY: `Isa::entry` returned the index after it found every feature of the
                    // level on this machine, or the index is one of the two whose functions need no
                    // features.
                    unsafe { function($($arg),*) }
                }
            )*
        }

        /// The functions for calls before the choice: each chooses the kernels and calls the chosen
        /// one.
        #[expect(clippy::extra_unused_type_parameters, reason = "it makes them generic: see `Lazy`")]
        mod first {
            use super::*;

            $(
                $(#[cfg($cfg)])?
                pub(super) fn $name<L>($($arg: $type),*) -> $ret {
                    onto::$name(Kernels::choose(), $($arg),*)
                }
            )*
        }

        /// The functions that run anywhere.
        #[cfg(not(all(small, target_arch = "wasm32", target_feature = "simd128")))]
        #[expect(clippy::extra_unused_type_parameters, reason = "it makes them generic: see `Lazy`")]
        mod plain {
            use super::*;

            $(
                $(#[cfg($cfg)])?
                pub(super) fn $name<L>($($arg: $type),*) -> $ret {
                    $portable($($arg),*)
                }
            )*
        }

        #[cfg(target_arch = "x86_64")]
        kernels!(@level avx2, Avx2, "avx2,bmi1,bmi2,lzcnt,popcnt";
            $($(#[cfg($cfg)])? $name($($arg: $type),*) -> $ret = $portable $(, $vector)? $(=> $special)?;)*);
        #[cfg(target_arch = "x86_64")]
        kernels!(@level avx512, Avx512,
            "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni,avx2,bmi1,bmi2,lzcnt,popcnt";
            $($(#[cfg($cfg)])? $name($($arg: $type),*) -> $ret = $portable $(, $vector)? $(=> $special)?;)*);
        #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
        kernels!(@level neon, Neon, "neon";
            $($(#[cfg($cfg)])? $name($($arg: $type),*) -> $ret = $portable $(, $vector)? $(=> $special)?;)*);
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        kernels!(@level simd128, Simd128, "simd128";
            $($(#[cfg($cfg)])? $name($($arg: $type),*) -> $ret = $portable $(, $vector)? $(=> $special)?;)*);
    };
    // The type of an argument in the method of `Kernels`, and the argument as the kernel takes it:
    // a method takes initialized bytes for `room`.
    (@type room $type:ty) => { &mut [u8] };
    (@type $arg:ident $type:ty) => { $type };
    (@lent room $arg:ident) => { Slot::of($arg) };
    (@lent $arg:ident $value:ident) => { $value };
    // The functions of a level: each kernel in a function with the features of the level, which can
    // create its token.
    (@level $module:ident, $token:ident, $features:literal;
        $($(#[cfg($cfg:meta)])? $name:ident($($arg:ident: $type:ty),*) -> $ret:ty =
            $portable:expr $(, $vector:path)? $(=> $special:path)?;)*) => {
        #[expect(clippy::extra_unused_type_parameters, reason = "it makes them generic: see `Lazy`")]
        mod $module {
            use super::*;

            $($(#[cfg($cfg)])? kernels!(@shim $token, $features;
                $name($($arg: $type),*) -> $ret = $portable $(, $vector)? $(=> $special)?);)*
        }
    };
    (@shim Avx512, $features:literal;
        $name:ident($($arg:ident: $type:ty),*) -> $ret:ty = $portable:expr $(, $vector:path)? => $special:path) => {
        kernels!(@shim Avx512, $features; $name($($arg: $type),*) -> $ret = $portable, $special);
    };
    (@shim $token:ident, $features:literal;
        $name:ident($($arg:ident: $type:ty),*) -> $ret:ty = $portable:expr $(, $vector:path)? => $special:path) => {
        kernels!(@shim $token, $features; $name($($arg: $type),*) -> $ret = $portable $(, $vector)?);
    };
    (@shim $token:ident, $features:literal;
        $name:ident($($arg:ident: $type:ty),*) -> $ret:ty = $portable:expr) => {
        pub(super) fn $name<L>($($arg: $type),*) -> $ret {
            $portable($($arg),*)
        }
    };
    (@shim $token:ident, $features:literal;
        $name:ident($($arg:ident: $type:ty),*) -> $ret:ty = $portable:expr, $vector:path) => {
        #[target_feature(enable = $features)]
        pub(super) fn $name<L>($($arg: $type),*) -> $ret {
            if const { is_left_out(stringify!($name)) } {
                return $portable($($arg),*);
            }
            $vector($token::new(), $($arg),*)
        }
    };
}

/// Whether a build for size (`--cfg small`), such as the one for the web, uses the plain kernel on
/// every level.
const fn is_left_out(name: &str) -> bool {
    /// Kernels for UTF-8, JavaScript strings, and the single-byte encodings. Some of the others
    /// take 100 KB.
    const KEPT: &[&str] = &[
        "ascii_prefix",
        "utf8_prefix",
        "copy_ascii",
        "copy_utf8",
        "patch_utf8",
        "utf8_to_utf16le",
        "utf8_to_latin1",
        "latin1_to_utf8",
        "latin1_to_utf16le",
        "utf16le_to_latin1",
        "ascii_to_utf16le",
        "single_byte_to_utf8",
        "single_byte_to_utf16",
        "utf16_to_single_byte",
        "count_code_points",
        "utf16_len_of_utf8",
        "utf8_len_of_utf16le",
    ];
    // The multi-byte encodings go through this kernel.
    const FOR_MULTI_BYTE: &str = "utf16le_to_utf8";
    if !cfg!(small) || cfg!(feature = "multi-byte") && is_equal(FOR_MULTI_BYTE.as_bytes(), name.as_bytes()) {
        return false;
    }
    let mut i = 0;
    while i < KEPT.len() {
        if is_equal(KEPT[i].as_bytes(), name.as_bytes()) {
            return false;
        }
        i += 1;
    }
    true
}

const fn is_equal(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

kernels! {
    /// Returns the length of the longest prefix that is ASCII.
    ascii_prefix(src: &[u8]) -> usize = portable::ascii::ascii_prefix, ascii::ascii_prefix;
    /// Returns the length of the longest prefix that is well-formed UTF-8.
    utf8_prefix(src: &[u8]) -> usize = portable::validate::well_formed_prefix, validate::utf8_prefix;
    /// Returns the length in bytes of the longest prefix that is well-formed UTF-16LE.
    utf16le_prefix(src: &[u8]) -> usize =
        portable::utf16_to_utf8::utf16_prefix::<Le>, utf16::utf16_prefix::<_, Le>;
    /// Returns the length in bytes of the longest prefix that is well-formed UTF-32LE.
    utf32le_prefix(src: &[u8]) -> usize =
        portable::wide::utf32_prefix::<Le>, utf32::utf32_prefix::<_, Le>;

    /// Returns the length of the longest prefix that is well-formed CESU-8.
    cesu8_prefix(src: &[u8]) -> usize = cesu8::prefix_plain::<false>, cesu8::prefix::<_, false>;
    /// Returns the length of the longest prefix that is well-formed Modified UTF-8 without unpaired
    /// surrogates.
    mutf8_prefix(src: &[u8]) -> usize = cesu8::prefix_plain::<true>, cesu8::prefix::<_, true>;
    /// Converts CESU-8 to UTF-8.
    cesu8_to_utf8(src: &[u8], dst: &mut [u8]) -> Moved = cesu8::to_utf8_plain::<false>, cesu8::to_utf8::<_, false>;
    /// Converts Modified UTF-8 to UTF-8, up to the first unpaired surrogate.
    mutf8_to_utf8(src: &[u8], dst: &mut [u8]) -> Moved = cesu8::to_utf8_plain::<true>, cesu8::to_utf8::<_, true>;
    /// Converts UTF-8 to CESU-8.
    utf8_to_cesu8(src: &[u8], dst: &mut [u8]) -> Moved = cesu8::from_utf8_plain::<false>, cesu8::from_utf8::<_, false>;
    /// Converts UTF-8 to Modified UTF-8.
    utf8_to_mutf8(src: &[u8], dst: &mut [u8]) -> Moved = cesu8::from_utf8_plain::<true>, cesu8::from_utf8::<_, true>;

    /// Copies ASCII.
    copy_ascii(src: &[u8], dst: &mut [u8]) -> Moved = portable::ascii::copy_ascii, ascii::copy_ascii;
    /// Copies well-formed UTF-8.
    copy_utf8(src: &[u8], room: &mut [Slot]) -> Moved = portable::validate::copy_well_formed, validate::copy_utf8;

    /// Copies UTF-8, with the replacements of `patch` for each maximal subpart of an ill-formed
    /// sequence.
    patch_utf8(src: &[u8], room: &mut [Slot], patch: Patch) -> Patched =
        portable::patch::patch_utf8, patch::patch_utf8 => patch::patch_utf8_in_registers;

    /// Copies UTF-8, with the replacement that `mend` writes for each maximal subpart of an
    /// ill-formed sequence.
    mend_utf8(src: &[u8], room: &mut [Slot], mend: &mut dyn Mend) -> Moved =
        portable::patch::mend_utf8, copy::mend_utf8;

    /// Marks the first bytes of the maximal subparts of ill-formed sequences in UTF-8 from `at` on,
    /// a bitmap per step. Returns how many bytes were examined.
    mark_errors(src: &[u8], at: usize, marks: &mut [u64; MARKS]) -> usize =
        portable::patch::mark_errors, damage::mark_errors;

    /// Marks the code points of well-formed UTF-8 from `at` on whose neighbors are unusual, the
    /// lead bytes of Latin letters, and ampersands: a bitmap of each per block. Returns the number
    /// of blocks.
    mark_repair_candidates(src: &[u8], at: usize, marks: &mut [[u64; 3]]) -> usize =
        repair_candidates::mark_repair_candidates_plain, repair_candidates::mark_repair_candidates;

    /// Sums the rows of sixteen numbers that `weighted` names, each multiplied by its weight.
    sum_rows(rows: &[[u16; LANES]], weighted: &[(u32, f32)]) -> [f32; LANES] =
        weighted::sum_rows_plain, weighted::sum_rows;

    /// Converts UTF-8 to UTF-16LE.
    utf8_to_utf16le(src: &[u8], room: &mut [Slot]) -> Moved = portable::utf8_to_utf16::utf8_to_utf16::<Le>, utf8_to_utf16::utf8_to_utf16le
            => short_utf8_to_utf16::utf8_to_utf16_in_registers::<_, Le>;
    /// Converts UTF-8 to UTF-16BE.
    utf8_to_utf16be(src: &[u8], room: &mut [Slot]) -> Moved = portable::utf8_to_utf16::utf8_to_utf16::<Be>, utf8_to_utf16::utf8_to_utf16be
            => short_utf8_to_utf16::utf8_to_utf16_in_registers::<_, Be>;
    /// Converts UTF-8 to UTF-32LE.
    utf8_to_utf32le(src: &[u8], room: &mut [Slot]) -> Moved = portable::utf32::utf8_to_utf32::<Le>, utf8_to_utf32::utf8_to_utf32le;
    /// Converts UTF-8 to ISO-8859-1, up to the first unmappable character.
    utf8_to_latin1(src: &[u8], room: &mut [Slot]) -> Moved = portable::latin1::utf8_to_latin1, utf8_to_latin1::utf8_to_latin1;

    /// Converts UTF-16LE to UTF-8.
    utf16le_to_utf8(src: &[u8], room: &mut [Slot]) -> Moved = portable::utf16_to_utf8::utf16_to_utf8::<Le>, utf16_to_utf8::utf16_to_utf8::<_, Le>
            => short_utf16_to_utf8::utf16_to_utf8_in_registers::<_, Le>;
    /// Converts UTF-16BE to UTF-8.
    utf16be_to_utf8(src: &[u8], room: &mut [Slot]) -> Moved = portable::utf16_to_utf8::utf16_to_utf8::<Be>, utf16_to_utf8::utf16_to_utf8::<_, Be>
            => short_utf16_to_utf8::utf16_to_utf8_in_registers::<_, Be>;
    /// Converts UTF-32LE to UTF-8.
    utf32le_to_utf8(src: &[u8], room: &mut [Slot]) -> Moved = portable::utf32::utf32_to_utf8::<Le>, utf32_to_utf8::utf32_to_utf8::<_, Le>;
    /// Converts ISO-8859-1 to UTF-8.
    latin1_to_utf8(src: &[u8], room: &mut [Slot]) -> Moved = portable::latin1::latin1_to_utf8, latin1_to_utf8::latin1_to_utf8;

    /// Swaps the bytes of 16-bit code units. Returns the number of bytes.
    swap16(units: &mut [u8]) -> usize = swap::swap_plain::<2>, swap::swap16;
    /// Reverses the bytes of 32-bit code units. Returns the number of bytes.
    swap32(units: &mut [u8]) -> usize = swap::swap_plain::<4>, swap::swap32;

    /// Copies well-formed UTF-16LE.
    copy_utf16le(src: &[u8], dst: &mut [u8]) -> Moved =
        portable::wide::utf16_to_utf16::<Le, Le>, utf16::utf16_to_utf16::<_, Le, Le>;
    /// Copies well-formed UTF-32LE.
    copy_utf32le(src: &[u8], dst: &mut [u8]) -> Moved =
        portable::wide::utf32_to_utf32::<Le, Le>, utf32::utf32_to_utf32::<_, Le, Le>;
    /// Converts UTF-16LE to UTF-32LE.
    utf16le_to_utf32le(src: &[u8], dst: &mut [u8]) -> Moved =
        portable::wide::utf16_to_utf32::<Le, Le>, utf16_to_utf32::utf16_to_utf32::<_, Le, Le>;
    /// Converts UTF-32LE to UTF-16LE.
    utf32le_to_utf16le(src: &[u8], dst: &mut [u8]) -> Moved =
        portable::wide::utf32_to_utf16::<Le, Le>, utf32_to_utf16::utf32_to_utf16::<_, Le, Le>;

    /// Converts ISO-8859-1 to UTF-16LE.
    latin1_to_utf16le(src: &[u8], dst: &mut [u8]) -> Moved =
        portable::wide::bytes_to_utf16::<Le, false>, latin1_wide::bytes_to_utf16::<_, Le, false>;
    /// Converts ISO-8859-1 to UTF-32LE.
    latin1_to_utf32le(src: &[u8], dst: &mut [u8]) -> Moved =
        portable::wide::bytes_to_utf32::<Le, false>, latin1_wide::bytes_to_utf32::<_, Le, false>;
    /// Converts ASCII to UTF-16LE.
    ascii_to_utf16le(src: &[u8], dst: &mut [u8]) -> Moved =
        portable::wide::bytes_to_utf16::<Le, true>, latin1_wide::bytes_to_utf16::<_, Le, true>;
    /// Converts ASCII to UTF-32LE.
    ascii_to_utf32le(src: &[u8], dst: &mut [u8]) -> Moved =
        portable::wide::bytes_to_utf32::<Le, true>, latin1_wide::bytes_to_utf32::<_, Le, true>;
    /// Converts UTF-16LE to ISO-8859-1, up to the first unmappable character.
    utf16le_to_latin1(src: &[u8], dst: &mut [u8]) -> Moved =
        portable::wide::utf16_to_latin1::<Le>, latin1_wide::utf16_to_latin1::<_, Le>;
    /// Converts UTF-32LE to ISO-8859-1, up to the first unmappable character.
    utf32le_to_latin1(src: &[u8], dst: &mut [u8]) -> Moved =
        portable::wide::utf32_to_latin1::<Le>, latin1_wide::utf32_to_latin1::<_, Le>;

    /// Counts the code points of UTF-8.
    count_code_points(src: &[u8]) -> usize = portable::count::count_code_points, count::count_code_points;
    /// Returns the number of UTF-16 code units of UTF-8.
    utf16_len_of_utf8(src: &[u8]) -> usize = portable::count::utf16_len_of_utf8, count::utf16_len_of_utf8;
    /// Counts line feeds.
    count_line_feeds(src: &[u8]) -> usize = portable::count::count_line_feeds, count::count_line_feeds;
    /// Returns the number of UTF-8 bytes of ISO-8859-1.
    utf8_len_of_latin1(src: &[u8]) -> usize = portable::count::utf8_len_of_latin1, count::utf8_len_of_latin1;
    /// Counts the code points of UTF-16.
    count_code_points_of_utf16(src: &[u16]) -> usize = portable::count::count_code_points_of_utf16, count::count_code_points_of_utf16;
    /// Returns the number of UTF-8 bytes of UTF-16LE.
    utf8_len_of_utf16le(src: &[u8]) -> usize = portable::count::utf8_len_of_utf16::<Le>, count::utf8_len_of_utf16::<_, Le>;
    /// Returns the number of UTF-8 bytes of UTF-32LE.
    utf8_len_of_utf32le(src: &[u8]) -> usize = portable::count::utf8_len_of_utf32::<Le>, count::utf8_len_of_utf32::<_, Le>;
    /// Returns the number of UTF-16 code units of UTF-32.
    utf16_len_of_utf32(src: &[u32]) -> usize = portable::count::utf16_len_of_utf32, count::utf16_len_of_utf32;

    /// Converts a single-byte encoding to UTF-8, up to the first undefined byte.
    single_byte_to_utf8(table: &SingleByteDecoder, src: &[u8], room: &mut [Slot]) -> Moved =
        portable::single_byte::single_byte_to_utf8, single_byte::single_byte_to_utf8;
    /// Converts UTF-8 to a single-byte encoding, up to the first unmappable character.
    utf8_to_single_byte(table: &SingleByteEncoder, src: &[u8], dst: &mut [u8]) -> Moved =
        portable::single_byte::utf8_to_single_byte, single_byte::utf8_to_single_byte;
    /// Converts a single-byte encoding to UTF-16, big-endian if `big`, up to the first undefined
    /// byte.
    single_byte_to_utf16(table: &SingleByteUnits, big: bool, src: &[u8], dst: &mut [u8]) -> Moved =
        portable::single_byte::single_byte_to_utf16, single_byte::single_byte_to_utf16;
    /// Converts UTF-16, big-endian if `big`, to a single-byte encoding, up to the first unmappable
    /// character.
    utf16_to_single_byte(table: &SingleByteEncoder, big: bool, src: &[u8], dst: &mut [u8]) -> Moved =
        portable::single_byte::utf16_to_single_byte, single_byte::utf16_to_single_byte;
    /// Replaces each byte by its entry in the map, up to the first byte without an entry.
    map_bytes(map: &ByteMap, src: &[u8], dst: &mut [u8]) -> Moved =
        portable::single_byte::map_bytes, single_byte::map_bytes;
}

impl Kernels {
    /// Copies UTF-8, with U+FFFD for each maximal subpart of an ill-formed sequence. Stops before
    /// an incomplete sequence at the end, and where the next code point does not fit.
    #[inline]
    #[must_use]
    pub fn replace_utf8(self, src: &[u8], dst: &mut [u8]) -> Replaced {
        self.patch_utf8(src, dst, Patch::Once(Short::REPLACEMENT)).replaced
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_is_the_one_expected() {
        if let Ok(expected) = std::env::var("PLACEMAT_EXPECT_ISA") {
            assert_eq!(Isa::available().last().map(Isa::name), Some(expected.as_str()));
        }
    }

    #[test]
    fn levels_are_found_by_name_and_those_of_other_machines_refused() {
        for isa in Isa::ALL {
            assert_eq!(isa.name().parse(), Ok(isa));
            assert_eq!(isa.is_available(), Kernels::of(isa).is_some_and(|kernels| kernels.isa() == isa));
            assert_eq!(isa.is_available(), Isa::available().any(|other| other == isa));
        }
        assert!("AVX2".parse::<Isa>().is_ok());
        let foreign = if cfg!(target_arch = "aarch64") { Isa::Avx2 } else { Isa::Neon };
        let before = Isa::current();
        let refused = foreign.select().expect_err("this machine has no such instructions").to_string();
        assert!(refused.starts_with(&format!("this machine cannot run {foreign}; it can run portable")));
        assert_eq!(Isa::current(), before);
    }
}
