//! All names that glibc knows, and other spellings of them.

use crate::answer::{Handle, Memory, Null, errno_name};
use crate::known::{self, Kind};
use crate::random::Random;
use crate::scenario::Both;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The folder of glibc's encodings.
const FOLDER: &str = "/usr/lib/x86_64-linux-gnu/gconv";
/// The names built into glibc, which no file lists.
const INSIDE: &[&str] = &[
    "UTF-8",
    "UTF8",
    "ISO-10646/UTF8/",
    "ISO-10646/UTF-8/",
    "ISO-IR-193",
    "OSF05010001",
    "WCHAR_T",
    "INTERNAL",
    "UCS-4",
    "UCS4",
    "ISO-10646/UCS4/",
    "ISO-10646",
    "10646-1:1993",
    "10646-1:1993/UCS4/",
    "OSF00010104",
    "OSF00010105",
    "OSF00010106",
    "CSUCS4",
    "UCS-4LE",
    "UCS-4BE",
    "UCS-2",
    "UCS2",
    "ISO-10646/UCS2/",
    "OSF00010100",
    "OSF00010101",
    "OSF00010102",
    "UCS-2LE",
    "UCS-2BE",
    "UNICODELITTLE",
    "UNICODEBIG",
    "ANSI_X3.4-1968",
    "ISO-IR-6",
    "ANSI_X3.4-1986",
    "ISO_646.IRV:1991",
    "ASCII",
    "ISO646-US",
    "US-ASCII",
    "US",
    "IBM367",
    "CP367",
    "CSASCII",
    "OSF00010020",
    "ANSI_X3.4",
];

/// Reads the names in one configuration file.
fn listed(path: &Path, names: &mut BTreeSet<String>) {
    let Ok(text) = fs::read_to_string(path) else { return };
    for line in text.lines() {
        let words: Vec<_> = line.split_whitespace().collect();
        let found = match words[..] {
            ["alias", alias, real, ..] => vec![alias, real],
            ["module", from, to, ..] => vec![from, to],
            _ => continue,
        };
        for name in found {
            let name = name.strip_suffix("//").unwrap_or(name);
            if name != "INTERNAL" {
                names.insert(name.to_owned());
            }
        }
    }
}

/// Returns all names, in order.
#[must_use]
pub fn all() -> BTreeSet<String> {
    let mut names: BTreeSet<String> = INSIDE.iter().map(|name| (*name).to_owned()).collect();
    listed(&Path::new(FOLDER).join("gconv-modules"), &mut names);
    let parts = fs::read_dir(Path::new(FOLDER).join("gconv-modules.d"));
    for part in parts.into_iter().flatten().flatten() {
        listed(&part.path(), &mut names);
    }
    names
}

/// Returns other spellings of a name, some of which glibc accepts.
#[must_use]
pub fn variants(name: &str) -> Vec<String> {
    let swapped = |from: char, to: &str| name.replace(from, to);
    vec![
        name.to_ascii_lowercase(),
        swapped('-', ""),
        swapped('-', "_"),
        swapped('_', "-"),
        format!(" {name}"),
        format!("{name} "),
        format!("{name}/"),
        format!("{name}//"),
        format!("{name}///"),
        format!("/{name}"),
        format!("{name}!"),
        format!("\"{name}\""),
        format!("{name}//TRANSLIT"),
        format!("{name}//translit//ignore"),
        format!("{name}//IGNORE//TRANSLIT"),
        format!("{name}//IGNORE,TRANSLIT"),
        format!("{name}//NONSENSE"),
        format!("{name}/TRANSLIT"),
        format!("{name},TRANSLIT"),
        format!("{name}:"),
        format!("{name}-"),
        format!("X{name}"),
    ]
}

/// Compares whether both know a name, and read the same short sequences under it. Returns the
/// difference.
#[must_use]
pub fn compare(both: Both<'_>, name: &str, memory: &mut [Memory; 2]) -> Option<String> {
    let open = |library, to: &str, from: &str| Handle::open(library, to.as_bytes(), from.as_bytes());
    for (to, from) in [("UTF-8", name), (name, "UTF-8")] {
        let (mut glibc, mut ours) = match (open(both.glibc, to, from), open(both.ours, to, from)) {
            (Err(a), Err(b)) if a == b => return None,
            (Ok(glibc), Ok(ours)) => (glibc, ours),
            (a, b) => {
                let shown = |opened: Result<Handle<'_>, _>| match opened {
                    Ok(_) => "known".to_owned(),
                    Err(errno) => errno_name(errno),
                };
                return Some(format!("glibc: {}, placemat: {}", shown(a), shown(b)));
            }
        };
        let mut random = Random::new(1);
        let inputs: Vec<Vec<u8>> = if to == "UTF-8" {
            (0..=0xFF_u8).map(|byte| vec![byte]).collect()
        } else {
            // All of Latin, Greek, Cyrillic, and a sample of all other code points.
            (0..0x600)
                .chain((0..400).map(|_| u32::from_le_bytes(random.bytes()) & 0xFFFF))
                .filter_map(char::from_u32)
                .map(|c| c.to_string().into_bytes())
                .collect()
        };
        for input in inputs {
            let ask = |handle: &mut Handle<'_>, memory: &mut Memory| {
                [handle.convert(memory, &input, 64), handle.reset_into(memory, 16, Null::Outer)]
            };
            let (a, b) = (ask(&mut glibc, &mut memory[0]), ask(&mut ours, &mut memory[1]));
            if a != b {
                return Some(format!(
                    "{from} to {to}, {}:\n  glibc    {}; {}\n  placemat {}; {}",
                    crate::answer::hex(&input),
                    a[0],
                    a[1],
                    b[0],
                    b[1]
                ));
            }
        }
    }
    None
}

/// The names that the library leaves to the next library, since they mean something else to glibc:
/// the list is the library's own, and each name must differ or be refused.
const LEFT: &str = include_str!("../../../../crates/placemat-iconv/src/left.rs");

/// Returns `true` if the library leaves the name, with or without suffixes, to the next library.
#[must_use]
pub fn is_left(name: &str) -> bool {
    LEFT.split('"').skip(1).step_by(2).any(|left| left.eq_ignore_ascii_case(known::bare(name)))
}

/// Returns `true` if only one of the two is known to know the name.
#[must_use]
pub fn is_listed(name: &str) -> bool {
    is_left(name) || known::rule_for(Kind::Name, name).is_some()
}
