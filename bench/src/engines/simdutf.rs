//! simdutf, the C++ library, built by each available compiler and limited to each instruction set.
//!
//! The crate in the folder `simdutf` has a static library of each compiler, under different names,
//! so that one process measures all of them in turn and a call costs no more than one from C++.

use crate::job::{Job, convert, owned, read};
use crate::operations::{Form, Op};
use placemat::Isa;
use placemat_bench_simdutf::{Read, Write, libraries};
pub use placemat_bench_simdutf::{Simdutf, version};
use std::borrow::Cow;
use std::ffi::CStr;

/// One build, limited to one instruction set.
pub struct Build {
    pub name: String,
    /// The lowest level at which it counts as a peer.
    pub needs: Isa,
    pub library: &'static Simdutf,
    pub force: &'static CStr,
}

/// Returns all builds that this machine can run, each limited to one of the levels.
pub fn builds(levels: &[Isa]) -> Vec<Build> {
    let mut builds: Vec<Build> = Vec::new();
    for (compiler, library) in libraries() {
        // One compiler is enough for the less used levels.
        let first = builds.is_empty();
        for (level, force) in [
            (Isa::Avx512, c"icelake"),
            (Isa::Avx2, c"haswell"),
            (Isa::Portable, c"westmere"),
            (Isa::Neon, c"arm64"),
            (Isa::Portable, c"fallback"),
        ] {
            if levels.contains(&level) && (first || !matches!(level, Isa::Portable)) && library.select(force)
            {
                let name = format!("simdutf {} ({compiler})", force.to_string_lossy());
                builds.push(Build { name, needs: level, library, force });
            }
        }
    }
    if builds.is_empty() {
        eprintln!("no C++ compiler was here for the build script: simdutf is left out");
    }
    builds
}

/// Makes a job of a function that reads code units.
macro_rules! reads {
    ($table:ident.$name:ident, $unit:ty) => {
        // SAFETY: pointer and length, in units, are those of the slice `s`, which is aligned for the units, as every
        // text of the benchmark is.
        read(|s| unsafe { ($table.$name)(s.as_ptr().cast::<$unit>(), s.len() / size_of::<$unit>()) }.into())
    };
}

/// Makes a job of a function that converts code units.
macro_rules! converts {
    ($table:ident.$name:ident, $from:ty, $to:ty) => {
        convert(|s, d| {
            // SAFETY: pointer and length, in units, are those of the slice `s`, and `d` has room for the longest
            // result; both are aligned for their units, as every buffer of the benchmark is.
            let written = unsafe {
                ($table.$name)(
                    s.as_ptr().cast::<$from>(),
                    s.len() / size_of::<$from>(),
                    d.as_mut_ptr().cast::<$to>(),
                )
            };
            written * size_of::<$to>()
        })
    };
}

/// Makes a job of a conversion to a new vector.
macro_rules! sized {
    ($table:ident.$length:ident, $same:ident.$convert:ident, $from:ty, $to:ty) => {
        // SAFETY: the functions are those of simdutf for these units and the same result.
        owned!(move |s| unsafe { sized::<$from, $to>($table.$length, $same.$convert, s) })
    };
}

impl Build {
    pub fn job(&self, op: Op) -> Option<Job> {
        use Form::{Latin1, Utf8, Utf16Be, Utf16Le, Utf32};
        let table = self.library;
        Some(match op {
            Op::Validate => reads!(table.validate_utf8, u8),
            Op::ValidateUtf16 => reads!(table.validate_utf16, u16),
            Op::CountCodePoints => reads!(table.count_utf8, u8),
            Op::Utf16FromUtf8 => reads!(table.utf16_length_from_utf8, u8),
            Op::Utf8FromUtf16 => reads!(table.utf8_length_from_utf16, u16),
            Op::Utf32FromUtf16 => reads!(table.utf32_length_from_utf16, u16),
            Op::Utf8FromUtf32 => reads!(table.utf8_length_from_utf32, u32),
            Op::Utf8FromLatin1 => reads!(table.utf8_length_from_latin1, u8),
            Op::Convert(Utf8, Utf16Le) => converts!(table.utf8_to_utf16le, u8, u16),
            Op::Convert(Utf8, Utf16Be) => converts!(table.utf8_to_utf16be, u8, u16),
            Op::Convert(Utf8, Utf32) => converts!(table.utf8_to_utf32, u8, u32),
            Op::Convert(Utf8, Latin1) => converts!(table.utf8_to_latin1, u8, u8),
            Op::Convert(Utf16Le, Utf8) => converts!(table.utf16le_to_utf8, u16, u8),
            Op::Convert(Utf16Be, Utf8) => converts!(table.utf16be_to_utf8, u16, u8),
            Op::Convert(Utf16Le, Utf32) => converts!(table.utf16_to_utf32, u16, u32),
            Op::Convert(Utf16Le, Latin1) => converts!(table.utf16_to_latin1, u16, u8),
            Op::Convert(Utf32, Utf8) => converts!(table.utf32_to_utf8, u32, u8),
            Op::Convert(Utf32, Utf16Le) => converts!(table.utf32_to_utf16, u32, u16),
            Op::Convert(Latin1, Utf8) => converts!(table.latin1_to_utf8, u8, u8),
            Op::Convert(Latin1, Utf16Le) => converts!(table.latin1_to_utf16, u8, u16),
            Op::Owned(Utf8, Utf16Le) => sized!(table.utf16_length_from_utf8, table.utf8_to_utf16le, u8, u16),
            Op::Owned(Utf8, Utf32) => sized!(table.count_utf8, table.utf8_to_utf32, u8, u32),
            Op::Owned(Utf8, Latin1) => sized!(table.count_utf8, table.utf8_to_latin1, u8, u8),
            Op::Owned(Utf16Le, Utf8) => sized!(table.utf8_length_from_utf16, table.utf16le_to_utf8, u16, u8),
            Op::Owned(Utf32, Utf8) => sized!(table.utf8_length_from_utf32, table.utf32_to_utf8, u32, u8),
            Op::Owned(Latin1, Utf8) => sized!(table.utf8_length_from_latin1, table.latin1_to_utf8, u8, u8),
            // A user of simdutf would not check a `str` again, but the checked conversion is
            // simdutf's fastest.
            Op::OwnedStr(Utf16Le) => sized!(table.utf16_length_from_utf8, table.utf8_to_utf16le, u8, u16),
            Op::Lossy(_) | Op::Damaged(..) => owned!(move |s| lossy(table, s)),
            _ => return None,
        })
    }
}

/// Converts to a new vector: the exact length, an uninitialized buffer, and the conversion.
///
/// # Safety
///
/// The functions must be those of simdutf for these code units, and the second must write exactly
/// the number that the first returns.
unsafe fn sized<U, V>(length: Read<U>, convert: Write<U, V>, src: &[u8]) -> Vec<V> {
    let (start, len) = (src.as_ptr().cast::<U>(), src.len() / size_of::<U>());
    // SAFETY: pointer and length, in units, are those of the slice, which is aligned for the units, as every text of
    // the benchmark is.
    let room = unsafe { length(start, len) };
    let mut out = Vec::with_capacity(room);
    // SAFETY: as for the length; the buffer has space for exactly the code units that the text
    // becomes, and the text is well-formed.
    let written = unsafe { convert(start, len, out.as_mut_ptr()) };
    assert_eq!(written, room, "the length that simdutf announced");
    // SAFETY: `written` units have been written.
    unsafe { out.set_len(written) };
    out
}

/// Replaces errors by U+FFFD like a user of simdutf: simdutf finds the next error, the standard
/// library its length.
fn lossy<'a>(table: &Simdutf, mut src: &'a [u8]) -> Cow<'a, str> {
    let mut out = String::new();
    loop {
        // SAFETY: pointer and length are those of the slice `src`.
        let outcome = unsafe { (table.validate_utf8_with_errors)(src.as_ptr(), src.len()) };
        let (good, bad) = if outcome.error == 0 { (src, &[][..]) } else { src.split_at(outcome.count) };
        // SAFETY: `good` is all of `src` if the function found no error, otherwise the bytes before
        // the first error, so it is well-formed.
        let good = unsafe { str::from_utf8_unchecked(good) };
        if outcome.error == 0 && out.is_empty() {
            return Cow::Borrowed(good);
        }
        out.reserve(src.len() + 3);
        out.push_str(good);
        if outcome.error == 0 {
            return Cow::Owned(out);
        }
        out.push('\u{FFFD}');
        // The error is within the next four bytes.
        let near = &bad[..bad.len().min(4)];
        let len = str::from_utf8(near).err().and_then(|e| e.error_len()).unwrap_or(near.len());
        src = &bad[len..];
        if src.is_empty() {
            return Cow::Owned(out);
        }
    }
}
