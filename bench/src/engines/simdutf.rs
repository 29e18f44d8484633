//! simdutf, the C++ library, built by each available compiler and limited to each instruction set.
//!
//! Each build is a shared library of its own (the folder `simdutf`), so that one process measures all of them in turn.

use super::{Job, convert, read};
use crate::operations::{Form, Op};
use placemat::Isa;
use std::borrow::Cow;
use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The result of simdutf's functions that report the place of an error.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Outcome {
    /// 0 if there is no error.
    error: u32,
    /// The number of units read, or the place of the error.
    count: usize,
}

macro_rules! table {
    ($($name:ident = $symbol:ident($($arg:ty),*) -> $ret:ty;)*) => {
        /// The functions of one build.
        #[repr(C)]
        pub struct Simdutf {
            $($name: unsafe extern "C" fn($($arg),*) -> $ret,)*
        }
    };
}

include!("../../simdutf/src/functions.rs");

/// The version of simdutf in the crate.
pub const VERSION: &str = "7.7.1";

/// One build, limited to one instruction set.
pub struct Build {
    pub name: String,
    /// The least level at which it counts as a peer.
    pub needs: Isa,
    table: &'static Simdutf,
}

/// All builds that this machine can make and run, each limited to one of the levels.
pub fn builds(levels: &[Isa]) -> Vec<Build> {
    let gnu = compiler(&["g++"]);
    let clang = compiler(&[
        "clang++",
        "clang++-22",
        "clang++-21",
        "clang++-20",
        "clang++-19",
        "clang++-18",
        "clang++-17",
        "clang++-16",
        "clang++-15",
        "clang++-14",
    ]);
    let mut builds: Vec<Build> = Vec::new();
    for compiler in [gnu, clang].into_iter().flatten() {
        let Some(library) = build(&compiler) else { continue };
        let named = name(&compiler);
        // One compiler is enough for the less used levels.
        let first = builds.is_empty();
        for (level, force) in [
            (Isa::Avx512, "icelake"),
            (Isa::Avx2, "haswell"),
            (Isa::Sse41, "westmere"),
            (Isa::Neon, "arm64"),
            (Isa::Portable, "fallback"),
        ] {
            if levels.contains(&level) && (first || !matches!(level, Isa::Sse41 | Isa::Portable)) {
                let name = format!("simdutf {force} ({named})");
                builds.push(Build { name, needs: level, table: load(&library, force) });
            }
        }
    }
    if builds.is_empty() {
        eprintln!("no C++ compiler for this: simdutf is left out");
    }
    builds
}

/// The first of the compilers that is installed.
fn compiler(names: &[&str]) -> Option<String> {
    let works = |name: &&&str| Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success());
    names.iter().find(works).map(|name| (*name).to_owned())
}

/// The compiler and its major version: `clang++ 14`.
fn name(compiler: &str) -> String {
    let output = Command::new(compiler).arg("-dumpversion").output();
    let version =
        output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let major = version.trim().split('.').next().unwrap_or_default();
    let family = compiler.split('-').next().unwrap_or(compiler);
    format!("{family} {major}").trim().to_owned()
}

/// The shared library by this compiler, built if necessary.
fn build(compiler: &str) -> Option<PathBuf> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("simdutf/Cargo.toml");
    // This program is in `<target>/<profile>`.
    let target = std::env::current_exe().ok()?.ancestors().nth(2)?.join(format!("simdutf-{compiler}"));
    let built = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--release", "--quiet", "--manifest-path"])
        .arg(manifest)
        .arg("--target-dir")
        .arg(&target)
        .env("CXX", compiler)
        .status();
    if !built.is_ok_and(|status| status.success()) {
        eprintln!("simdutf could not be built by {compiler} and is left out");
        return None;
    }
    let name =
        format!("{}placemat_bench_simdutf{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    Some(target.join("release").join(name))
}

/// Loads a copy of the library and makes it choose the implementation with that name.
fn load(library: &Path, force: &str) -> &'static Simdutf {
    // The loader would not load one file twice.
    let copy = library.with_file_name(format!("{force}-{}.so", std::process::id()));
    std::fs::copy(library, &copy).expect("to copy the library");
    let path = CString::new(copy.to_str().expect("a path in UTF-8")).expect("a path without NUL");
    // SAFETY: the path ends in NUL. The library is that of the folder `simdutf`, and loading it runs nothing but
    // initializers of C++ tables.
    let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    std::fs::remove_file(&copy).expect("to remove the copy");
    assert!(!handle.is_null(), "{} cannot be loaded", library.display());
    // SAFETY: the handle is that of a library that is loaded, by the check of null, and the name ends in NUL.
    let symbol = unsafe { libc::dlsym(handle, c"PLACEMAT_BENCH_SIMDUTF".as_ptr()) };
    // SAFETY: the library of the folder `simdutf` has a table of this type under the name, a null pointer gives `None`,
    // and the library is never unloaded, so the table lives for ever.
    let table = unsafe { symbol.cast::<Simdutf>().as_ref() }.expect("the table of the library");
    // SAFETY: no other thread runs yet, so none reads the environment meanwhile.
    unsafe { std::env::set_var("SIMDUTF_FORCE_IMPLEMENTATION", force) };
    // SAFETY: pointer and length are those of a literal of one byte.
    let works = unsafe { (table.validate_utf8)(b"a".as_ptr(), 1) };
    // SAFETY: no other thread runs yet, so none reads the environment meanwhile.
    unsafe { std::env::remove_var("SIMDUTF_FORCE_IMPLEMENTATION") };
    assert!(works, "simdutf has no implementation {force} here");
    table
}

/// A function that reads units of type `U`.
macro_rules! reads {
    ($table:ident.$name:ident, $unit:ty) => {
        // SAFETY: pointer and length, in units, are those of the slice `s`, which is aligned for the units, as every
        // text of the benchmark is.
        read(|s| unsafe { ($table.$name)(s.as_ptr().cast::<$unit>(), s.len() / size_of::<$unit>()) }.into())
    };
}

/// A function from units of type `U` to units of type `V`.
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

impl Build {
    pub fn job(&self, op: Op) -> Option<Job> {
        use Form::{Latin1, Utf8, Utf16Be, Utf16Le, Utf32};
        let table = self.table;
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
            Op::Lossy(_) => Job::Text(Box::new(move |s| lossy(table, s))),
            _ => return None,
        })
    }
}

/// U+FFFD replacement as a user of simdutf writes it: simdutf finds the next error, the standard library its length.
fn lossy<'a>(table: &Simdutf, mut src: &'a [u8]) -> Cow<'a, str> {
    let mut out = String::new();
    loop {
        // SAFETY: pointer and length are those of the slice `src`.
        let outcome = unsafe { (table.validate_utf8_with_errors)(src.as_ptr(), src.len()) };
        let (good, bad) = if outcome.error == 0 { (src, &[][..]) } else { src.split_at(outcome.count) };
        // SAFETY: `good` is all of `src` where the function found no error, and what is in front of the first error
        // elsewhere, so it is well-formed.
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
