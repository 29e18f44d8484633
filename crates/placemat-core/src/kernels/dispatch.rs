//! Which kernels run on this machine: the levels, their detection, one table of levels per kernel, and the choice.
//!
//! Nothing else in the crate knows which instructions there are. A level is one fixed set of features; there is nothing
//! in between to choose or to test. The choice is made once, at the first call, and kept in one atomic number, by which each
//! kernel finds its function in a table of its own. A table for each level would keep every kernel in every program.
//!
//! Before the choice, the number leads to functions that choose and call the chosen kernel, so a call is two loads and a jump. A
//! check for a missing choice would make every caller spill registers for a case that occurs once.
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
#[cfg(target_arch = "x86_64")]
use crate::simd::{Avx2, Avx512};
use core::fmt;
use core::sync::atomic::{AtomicU8, Ordering};

#[cfg(all(target_arch = "x86_64", any(test, not(feature = "std"))))]
mod cpuid;

/// A level of vector instructions that the kernels are compiled for.
///
/// The best one that the machine has is chosen at the first call; results are the same on each. NEON and simd128 are there
/// if the target features say so.
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
    /// Plain loops for any processor; the compiler makes them of the instructions that every processor of the target has.
    Portable,
    /// x86-64 with AVX2, BMI1, BMI2, LZCNT and POPCNT.
    Avx2,
    /// x86-64 with AVX-512 of the Ice Lake generation: F, BW, CD, DQ, VL, VBMI, VBMI2, BITALG, VPOPCNTDQ, and GFNI.
    Avx512,
    /// aarch64 with NEON, which is all of them.
    Neon,
    /// wasm with simd128, if the target features say so.
    Simd128,
}

impl Isa {
    /// All levels of all machines, from the plainest to the best of each.
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

    /// Uses this level from now on, in the whole process, instead of the best one: to test, to compare, or to rule
    /// out a suspicion. Calls that already run go on as they are.
    ///
    /// # Errors
    /// If this machine cannot run it; nothing changes then.
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

    /// The name: that of the target feature, as Rust spells it.
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

/// A level that does not exist, or that this machine cannot run.
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
    // A build for size has the kernels of one level alone.
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

/// The entries of the table of a kernel: the function that chooses, and one for each level.
const ENTRIES: usize = 1 + LEVELS.len();

/// The entry of the functions that choose.
const FIRST: u8 = 0;
/// The entry of the level that runs anywhere.
const PLAINEST: u8 = 1;

/// The kernels of one level. A value exists only for a level that this machine can run, and that makes the methods safe.
#[derive(Clone, Copy, Debug)]
pub struct Kernels {
    /// Less than `ENTRIES`.
    entry: u8,
}

/// The entry in use: [`FIRST`], or that of a level which this machine can run.
static CURRENT: AtomicU8 = AtomicU8::new(FIRST);

impl Kernels {
    /// The kernels of a level, if this machine can run it.
    #[must_use]
    pub fn of(isa: Isa) -> Option<Self> {
        isa.entry().map(|entry| Self { entry })
    }

    /// The kernels in use. A value returned before any of them was called chooses with each call, and is slower for that.
    #[must_use]
    #[inline]
    pub fn current() -> Self {
        Self { entry: CURRENT.load(Ordering::Relaxed) }
    }

    /// Chooses the best level, unless one was chosen already.
    #[cold]
    #[inline(never)]
    fn choose() -> Self {
        if CURRENT.load(Ordering::Relaxed) != FIRST {
            return Self::current();
        }
        let best = pinned().or_else(|| Isa::available().last()).and_then(Isa::entry).unwrap_or(PLAINEST);
        // A level that `select` put there meanwhile stays; a target without this instruction has one core.
        #[cfg(target_has_atomic = "8")]
        let _ = CURRENT.compare_exchange(FIRST, best, Ordering::Relaxed, Ordering::Relaxed);
        #[cfg(not(target_has_atomic = "8"))]
        CURRENT.store(best, Ordering::Relaxed);
        Self::current()
    }

    /// Their level.
    #[must_use]
    pub fn isa(self) -> Isa {
        match usize::from(self.entry).checked_sub(1).and_then(|place| LEVELS.get(place)) {
            Some(&isa) => isa,
            None => Self::choose().isa(),
        }
    }
}

/// The level that tests are told to use, by `PLACEMAT_ISA` in the environment.
///
/// # Panics
/// If there is no such level here: a test of it would test another one.
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
    /// The entry of the level in the tables, if this machine can run it.
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
            // The features of the target say so, or none is needed.
            _ => true,
        };
        let place = LEVELS.iter().position(|&isa| isa == self).filter(|_| is_there)?;
        u8::try_from(place + 1).ok()
    }
}

/// A type that says nothing. The functions behind the kernels are generic over it, because the compiler makes generic functions in the
/// crate that calls them, and only those that are called: a program that validates UTF-8 pays for no other kernel, neither in size
/// nor in the time of its build. With the feature `precompiled`, this crate calls them all.
enum Lazy {}

/// Makes the methods of [`Kernels`], each with the table of its levels, from one list.
///
/// A line names a kernel, its arguments and its result, and the functions behind it: one that runs anywhere, and one
/// that is generic over the vector traits and is compiled for each level. After `=>` comes one that needs operations of
/// AVX-512 alone, and replaces the other there. A kernel that a feature alone uses is there with that feature only.
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
                #[cfg_attr(not(feature = "precompiled"), inline)]
                #[must_use]
                pub fn $name(self, $($arg: $type),*) -> $ret {
                    /// The functions are unsafe to call: the level must be there.
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
                    // SAFETY: a `Kernels` is made of `FIRST`, of `PLAINEST`, or of an entry that `Isa::entry` returned, and each
                    // is less than `ENTRIES`, the length of the table.
                    let function = unsafe { TABLE.get_unchecked(usize::from(self.entry)) };
                    // SAFETY: `Isa::entry` returned the entry after it found every feature of the level on this machine, or the
                    // entry is one of the two whose functions need no features.
                    unsafe { function($($arg),*) }
                }
            )*
        }

        /// The functions that are there before the first call: each chooses the kernels and calls the chosen one.
        #[expect(clippy::extra_unused_type_parameters, reason = "it makes them generic: see `Lazy`")]
        mod first {
            use super::*;

            $(
                $(#[cfg($cfg)])?
                pub(super) fn $name<L>($($arg: $type),*) -> $ret {
                    Kernels::choose().$name($($arg),*)
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
    // The functions of a level: each kernel in one with the features of the level, where its token can be made.
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

/// Whether a build for size (`--cfg small`), such as that for the web, uses the plain kernel on every level.
const fn is_left_out(name: &str) -> bool {
    /// The ones that serve UTF-8, strings of JavaScript, and the single-byte encodings. Of the others, some take 100 KB.
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
    // On the way to the multi-byte encodings.
    const ON_THE_WAY: &str = "utf16le_to_utf8";
    if !cfg!(small) || cfg!(feature = "multi-byte") && is_equal(ON_THE_WAY.as_bytes(), name.as_bytes()) {
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
    /// Length of the longest prefix that is ASCII.
    ascii_prefix(src: &[u8]) -> usize = portable::ascii::ascii_prefix, ascii::ascii_prefix;
    /// Length of the longest prefix that is well-formed UTF-8.
    utf8_prefix(src: &[u8]) -> usize = portable::validate::well_formed_prefix, validate::utf8_prefix;
    /// Length in bytes of the longest prefix that is well-formed UTF-16LE.
    utf16le_prefix(src: &[u8]) -> usize =
        portable::utf16_to_utf8::utf16_prefix::<Le>, utf16::utf16_prefix::<_, Le>;
    /// Length in bytes of the longest prefix that is well-formed UTF-32LE.
    utf32le_prefix(src: &[u8]) -> usize =
        portable::wide::utf32_prefix::<Le>, utf32::utf32_prefix::<_, Le>;

    /// Length of the longest prefix that is well-formed CESU-8.
    cesu8_prefix(src: &[u8]) -> usize = cesu8::prefix_plain::<false>, cesu8::prefix::<_, false>;
    /// Length of the longest prefix that is well-formed Modified UTF-8 without unpaired surrogates.
    mutf8_prefix(src: &[u8]) -> usize = cesu8::prefix_plain::<true>, cesu8::prefix::<_, true>;
    /// CESU-8 to UTF-8.
    cesu8_to_utf8(src: &[u8], dst: &mut [u8]) -> Moved = cesu8::to_utf8_plain::<false>, cesu8::to_utf8::<_, false>;
    /// Modified UTF-8 to UTF-8, as far as there are no unpaired surrogates.
    mutf8_to_utf8(src: &[u8], dst: &mut [u8]) -> Moved = cesu8::to_utf8_plain::<true>, cesu8::to_utf8::<_, true>;
    /// UTF-8 to CESU-8.
    utf8_to_cesu8(src: &[u8], dst: &mut [u8]) -> Moved = cesu8::from_utf8_plain::<false>, cesu8::from_utf8::<_, false>;
    /// UTF-8 to Modified UTF-8.
    utf8_to_mutf8(src: &[u8], dst: &mut [u8]) -> Moved = cesu8::from_utf8_plain::<true>, cesu8::from_utf8::<_, true>;

    /// Copies ASCII.
    copy_ascii(src: &[u8], dst: &mut [u8]) -> Moved = portable::ascii::copy_ascii, ascii::copy_ascii;
    /// Copies well-formed UTF-8.
    copy_utf8(src: &[u8], dst: &mut [u8]) -> Moved = portable::validate::copy_well_formed, validate::copy_utf8;

    /// Copies UTF-8, with the texts of `patch` for each maximal subpart of an ill-formed sequence.
    patch_utf8(src: &[u8], dst: &mut [u8], patch: Patch) -> Patched =
        portable::patch::patch_utf8, patch::patch_utf8 => patch::patch_utf8_in_registers;

    /// Copies UTF-8, with what `mend` writes for each maximal subpart of an ill-formed sequence.
    mend_utf8(src: &[u8], dst: &mut [u8], mend: &mut dyn Mend) -> Moved =
        portable::patch::mend_utf8, copy::mend_utf8;

    /// Marks where maximal subparts of ill-formed sequences begin in UTF-8 from `at` on, a word for each step. Returns
    /// how many bytes were looked at.
    mark_errors(src: &[u8], at: usize, marks: &mut [u64; MARKS]) -> usize =
        portable::patch::mark_errors, damage::mark_errors;

    /// Marks the code points of well-formed UTF-8 from `at` on whose neighbours are unusual, the lead bytes of Latin letters,
    /// and ampersands: a word each for each block. Returns the number of blocks.
    mark_repair_candidates(src: &[u8], at: usize, marks: &mut [[u64; 3]]) -> usize =
        repair_candidates::mark_repair_candidates_plain, repair_candidates::mark_repair_candidates;

    /// The sum of the rows of sixteen numbers that are named, each times its weight.
    sum_rows(rows: &[[u16; LANES]], weighted: &[(u32, f32)]) -> [f32; LANES] =
        weighted::sum_rows_plain, weighted::sum_rows;

    /// UTF-8 to UTF-16LE.
    utf8_to_utf16le(src: &[u8], dst: &mut [u8]) -> Moved = portable::utf8_to_utf16::utf8_to_utf16::<Le>, utf8_to_utf16::utf8_to_utf16le
            => short_utf8_to_utf16::utf8_to_utf16_in_registers::<_, Le>;
    /// UTF-8 to UTF-16BE.
    utf8_to_utf16be(src: &[u8], dst: &mut [u8]) -> Moved = portable::utf8_to_utf16::utf8_to_utf16::<Be>, utf8_to_utf16::utf8_to_utf16be
            => short_utf8_to_utf16::utf8_to_utf16_in_registers::<_, Be>;
    /// UTF-8 to UTF-32LE.
    utf8_to_utf32le(src: &[u8], dst: &mut [u8]) -> Moved = portable::utf32::utf8_to_utf32::<Le>, utf8_to_utf32::utf8_to_utf32le;
    /// UTF-8 to ISO-8859-1, as far as it can hold the text.
    utf8_to_latin1(src: &[u8], dst: &mut [u8]) -> Moved = portable::latin1::utf8_to_latin1, utf8_to_latin1::utf8_to_latin1;

    /// UTF-16LE to UTF-8.
    utf16le_to_utf8(src: &[u8], dst: &mut [u8]) -> Moved = portable::utf16_to_utf8::utf16_to_utf8::<Le>, utf16_to_utf8::utf16_to_utf8::<_, Le>
            => short_utf16_to_utf8::utf16_to_utf8_in_registers::<_, Le>;
    /// UTF-16BE to UTF-8.
    utf16be_to_utf8(src: &[u8], dst: &mut [u8]) -> Moved = portable::utf16_to_utf8::utf16_to_utf8::<Be>, utf16_to_utf8::utf16_to_utf8::<_, Be>
            => short_utf16_to_utf8::utf16_to_utf8_in_registers::<_, Be>;
    /// UTF-32LE to UTF-8.
    utf32le_to_utf8(src: &[u8], dst: &mut [u8]) -> Moved = portable::utf32::utf32_to_utf8::<Le>, utf32_to_utf8::utf32_to_utf8::<_, Le>;
    /// ISO-8859-1 to UTF-8.
    latin1_to_utf8(src: &[u8], dst: &mut [u8]) -> Moved = portable::latin1::latin1_to_utf8, latin1_to_utf8::latin1_to_utf8;

    /// Swaps the bytes of 16-bit units. Returns how many bytes there are.
    swap16(units: &mut [u8]) -> usize = swap::swap_plain::<2>, swap::swap16;
    /// Swaps the bytes of 32-bit units. Returns how many bytes there are.
    swap32(units: &mut [u8]) -> usize = swap::swap_plain::<4>, swap::swap32;

    /// Copies well-formed UTF-16LE.
    copy_utf16le(src: &[u8], dst: &mut [u8]) -> Moved =
        portable::wide::utf16_to_utf16::<Le, Le>, utf16::utf16_to_utf16::<_, Le, Le>;
    /// Copies well-formed UTF-32LE.
    copy_utf32le(src: &[u8], dst: &mut [u8]) -> Moved =
        portable::wide::utf32_to_utf32::<Le, Le>, utf32::utf32_to_utf32::<_, Le, Le>;
    /// UTF-16LE to UTF-32LE.
    utf16le_to_utf32le(src: &[u8], dst: &mut [u8]) -> Moved =
        portable::wide::utf16_to_utf32::<Le, Le>, utf16_to_utf32::utf16_to_utf32::<_, Le, Le>;
    /// UTF-32LE to UTF-16LE.
    utf32le_to_utf16le(src: &[u8], dst: &mut [u8]) -> Moved =
        portable::wide::utf32_to_utf16::<Le, Le>, utf32_to_utf16::utf32_to_utf16::<_, Le, Le>;

    /// ISO-8859-1 to UTF-16LE.
    latin1_to_utf16le(src: &[u8], dst: &mut [u8]) -> Moved =
        portable::wide::bytes_to_utf16::<Le, false>, latin1_wide::bytes_to_utf16::<_, Le, false>;
    /// ISO-8859-1 to UTF-32LE.
    latin1_to_utf32le(src: &[u8], dst: &mut [u8]) -> Moved =
        portable::wide::bytes_to_utf32::<Le, false>, latin1_wide::bytes_to_utf32::<_, Le, false>;
    /// ASCII to UTF-16LE.
    ascii_to_utf16le(src: &[u8], dst: &mut [u8]) -> Moved =
        portable::wide::bytes_to_utf16::<Le, true>, latin1_wide::bytes_to_utf16::<_, Le, true>;
    /// ASCII to UTF-32LE.
    ascii_to_utf32le(src: &[u8], dst: &mut [u8]) -> Moved =
        portable::wide::bytes_to_utf32::<Le, true>, latin1_wide::bytes_to_utf32::<_, Le, true>;
    /// UTF-16LE to ISO-8859-1, as far as it can hold the text.
    utf16le_to_latin1(src: &[u8], dst: &mut [u8]) -> Moved =
        portable::wide::utf16_to_latin1::<Le>, latin1_wide::utf16_to_latin1::<_, Le>;
    /// UTF-32LE to ISO-8859-1, as far as it can hold the text.
    utf32le_to_latin1(src: &[u8], dst: &mut [u8]) -> Moved =
        portable::wide::utf32_to_latin1::<Le>, latin1_wide::utf32_to_latin1::<_, Le>;

    /// Code points of UTF-8.
    count_code_points(src: &[u8]) -> usize = portable::count::count_code_points, count::count_code_points;
    /// UTF-16 units of UTF-8.
    utf16_len_of_utf8(src: &[u8]) -> usize = portable::count::utf16_len_of_utf8, count::utf16_len_of_utf8;
    /// Line feeds.
    count_line_feeds(src: &[u8]) -> usize = portable::count::count_line_feeds, count::count_line_feeds;
    /// UTF-8 bytes of ISO-8859-1.
    utf8_len_of_latin1(src: &[u8]) -> usize = portable::count::utf8_len_of_latin1, count::utf8_len_of_latin1;
    /// Code points of UTF-16.
    count_code_points_of_utf16(src: &[u16]) -> usize = portable::count::count_code_points_of_utf16, count::count_code_points_of_utf16;
    /// UTF-8 bytes of UTF-16LE.
    utf8_len_of_utf16le(src: &[u8]) -> usize = portable::count::utf8_len_of_utf16::<Le>, count::utf8_len_of_utf16::<_, Le>;
    /// UTF-8 bytes of UTF-32LE.
    utf8_len_of_utf32le(src: &[u8]) -> usize = portable::count::utf8_len_of_utf32::<Le>, count::utf8_len_of_utf32::<_, Le>;
    /// UTF-16 units of UTF-32.
    utf16_len_of_utf32(src: &[u32]) -> usize = portable::count::utf16_len_of_utf32, count::utf16_len_of_utf32;

    /// A single-byte encoding to UTF-8, up to the first byte that is not defined.
    single_byte_to_utf8(table: &SingleByteDecoder, src: &[u8], dst: &mut [u8]) -> Moved =
        portable::single_byte::single_byte_to_utf8, single_byte::single_byte_to_utf8;
    /// UTF-8 to a single-byte encoding, as far as it can hold the text.
    utf8_to_single_byte(table: &SingleByteEncoder, src: &[u8], dst: &mut [u8]) -> Moved =
        portable::single_byte::utf8_to_single_byte, single_byte::utf8_to_single_byte;
    /// A single-byte encoding to UTF-16, in big-endian order if `big`, up to the first byte that is not defined.
    single_byte_to_utf16(table: &SingleByteUnits, big: bool, src: &[u8], dst: &mut [u8]) -> Moved =
        portable::single_byte::single_byte_to_utf16, single_byte::single_byte_to_utf16;
    /// UTF-16, in big-endian order if `big`, to a single-byte encoding, as far as it can hold the text.
    utf16_to_single_byte(table: &SingleByteEncoder, big: bool, src: &[u8], dst: &mut [u8]) -> Moved =
        portable::single_byte::utf16_to_single_byte, single_byte::utf16_to_single_byte;
    /// Each byte as the map has it, up to the first byte for which it has none.
    map_bytes(map: &ByteMap, src: &[u8], dst: &mut [u8]) -> Moved =
        portable::single_byte::map_bytes, single_byte::map_bytes;
}

impl Kernels {
    /// Copies UTF-8, with U+FFFD for each maximal subpart of an ill-formed sequence. Stops before a sequence that is cut off, and
    /// where the next code point does not fit.
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
