//! Looks for panics in the machine code of `placemat-core`: the kernels, the engine and the forms of Unicode.
//!
//! Each function refers to the functions that it calls by their symbols. A release build may refer to none but those listed here, and
//! none of these panics: so no input can make the code panic, whatever its bounds checks were meant for. Running out of memory, which
//! ends a program, is not a panic that an input decides.

use crate::symbols;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The functions of other crates that those of this one may call: each is the start of a name.
const HARMLESS: &[&str] = &[
    // Memory: copied, compared, allocated.
    "bcmp",
    "memcmp",
    "memcpy",
    "memmove",
    "memset",
    "__rustc::__rust_alloc",
    "__rustc::__rust_dealloc",
    "__rustc::__rust_no_alloc_shim",
    "__rustc::__rust_realloc",
    "alloc::alloc::handle_alloc_error",
    "alloc::raw_vec::",
    "<alloc::raw_vec::",
    // Messages.
    "<core::fmt::",
    "core::fmt::",
    "<std::io::error::Error>::_new",
    "core::str::count::",
    // The instructions of this processor.
    "std_detect::",
    // Questions about bytes that have an answer for all of them.
    "core::slice::memchr::",
    "core::str::converts::from_utf8",
    // The suite asks about every code point.
    "any_ascii::any_ascii_char",
];

/// Functions of the standard library that are compiled with this crate and check what they found themselves: the search for a character in
/// a name.
const FROM_STD: &str = "<core::str::pattern::CharSearcher";

/// A reference that may be a panic.
struct Reference {
    /// The section of the function, which has its symbol in its name, and where in it.
    section: String,
    offset: u64,
    to: String,
}

impl Reference {
    /// Returns the symbol of the function.
    fn function(&self) -> &str {
        let name = self.section.strip_prefix(".text.").unwrap_or(&self.section);
        name.strip_prefix("unlikely.").unwrap_or(name)
    }
}

/// Fails if a function refers to anything that is not listed.
pub(crate) fn run() -> Result<(), String> {
    let library = symbols::library("single-byte,transliteration,precompiled", "line-tables-only")?;
    let relocations = output("readelf", &["--relocs", "--wide"], &library)?;
    let defined: BTreeSet<String> = output("nm", &["--defined-only", "--format=just-symbols"], &library)?
        .lines()
        .map(str::to_owned)
        .collect();
    let mut functions = 0;
    let mut found = Vec::new();
    let mut section = "";
    for line in relocations.lines() {
        if let Some(rest) = line.strip_prefix("Relocation section '.rela") {
            section = rest.split('\'').next().unwrap_or_default();
            functions += usize::from(section.starts_with(".text"));
            continue;
        }
        // The columns are OFFSET INFO TYPE VALUE SYMBOL + ADDEND.
        let mut columns = line.split_whitespace();
        let (Some(offset), Some(to)) = (columns.next(), columns.nth(3)) else { continue };
        if !section.starts_with(".text")
            || defined.contains(to)
            || to.starts_with(".L")
            || to.starts_with('.')
        {
            continue;
        }
        let Ok(offset) = u64::from_str_radix(offset, 16) else { continue };
        found.push(Reference { section: section.to_owned(), offset, to: to.to_owned() });
    }
    if functions == 0 {
        return Err("no function has a section of its own: the library was built in another manner".into());
    }
    let names = demangled(found.iter().map(|reference| &*reference.to))?;
    let functions_of_found = demangled(found.iter().map(Reference::function))?;
    let mut panics = Vec::new();
    for ((reference, function), name) in found.iter().zip(functions_of_found).zip(names) {
        let is_harmless =
            name.contains(" as core::fmt::") || HARMLESS.iter().any(|start| name.starts_with(start));
        if !is_harmless && !function.starts_with(FROM_STD) {
            panics.push((reference, function, name));
        }
    }
    println!(
        "{functions} functions refer to others {} times, {} times to what may panic",
        found.len(),
        panics.len()
    );
    if panics.is_empty() {
        return Ok(());
    }
    let object = object(&library)?;
    for (reference, function, name) in panics {
        let lines = Command::new("addr2line")
            .args(["--inlines", "--basenames", "--section", &reference.section, "--exe"])
            .arg(&object)
            // The address is that of the end of the call.
            .arg(format!("{:x}", reference.offset.saturating_sub(4)))
            .output()
            .map_err(|e| format!("addr2line: {e}"))?;
        let lines: Vec<_> = String::from_utf8_lossy(&lines.stdout).lines().map(str::to_owned).collect();
        println!("{function}: {name}, at {}", lines.join(" in "));
    }
    Err("a function of the kernels or the engine may panic: `get` and an answer for the impossible case leave nothing to panic".into())
}

/// Returns what a program of the binutils prints about a file.
fn output(program: &str, options: &[&str], file: &Path) -> Result<String, String> {
    let output =
        Command::new(program).args(options).arg(file).output().map_err(|e| format!("{program}: {e}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns the names of symbols, without the hashes of crates.
fn demangled<'a>(symbols: impl IntoIterator<Item = &'a str>) -> Result<Vec<String>, String> {
    let symbols: Vec<_> = symbols.into_iter().collect();
    let output = Command::new("c++filt").args(&symbols).output().map_err(|e| format!("c++filt: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().map(without_hashes).collect())
}

/// Returns a name without the `[0123456789abcdef]` after each crate.
fn without_hashes(name: &str) -> String {
    let mut parts = name.split('[');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| match part.split_once(']') {
        Some((hash, rest)) if hash.len() == 16 => name + rest,
        _ => name + "[" + part,
    })
}

/// Writes the machine code of a library next to it, because `addr2line` reads no libraries.
fn object(library: &Path) -> Result<std::path::PathBuf, String> {
    let members = output("ar", &["t"], library)?;
    let member =
        members.lines().find(|member| member.ends_with(".o")).ok_or("the library has no machine code")?;
    let bytes =
        Command::new("ar").arg("p").arg(library).arg(member).output().map_err(|e| format!("ar: {e}"))?;
    let path = library.with_extension("o");
    std::fs::write(&path, bytes.stdout).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(path)
}
