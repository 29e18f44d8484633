//! The tables of the single-byte charsets, generated from `crates/placemat-charsets/tables/single-byte.txt`, and those of the
//! multi-byte encodings of the web.

mod indexes;

use core::fmt::Write as _;
use std::collections::BTreeSet;

const SOURCE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/placemat-charsets/tables/single-byte.txt");
/// The folder of the generated files; its `charset.rs` describes them.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/placemat-charsets/src/single_byte");

/// The code point of an undefined byte in the generated tables.
const UNDEFINED: u16 = 0xFFFF;

/// A charset of the source.
#[derive(Debug)]
struct Charset<'a> {
    identifier: &'a str,
    name: &'a str,
    about: &'a str,
    specified_in: &'a str,
    labels: Vec<&'a str>,
    web_labels: Vec<&'a str>,
    /// Bytes that the encoder writes although a lower byte means the same code point.
    written: Vec<u8>,
    /// The code points of all 256 bytes, or only of those from 80 on if the others are ASCII.
    code_points: Vec<u16>,
}

/// Writes the tables; with `check`, fails if they are out of date.
pub(crate) fn run(check: bool) -> Result<(), String> {
    let source = std::fs::read_to_string(SOURCE).map_err(|e| format!("{SOURCE}: {e}"))?;
    let charsets = source
        .split("\n\n")
        .filter(|block| block.lines().any(|line| !line.starts_with('#')))
        .map(|block| parse(block).map_err(|e| format!("{SOURCE}: {e} in\n{block}")))
        .collect::<Result<Vec<_>, _>>()?;
    let mut identifiers = BTreeSet::new();
    for charset in &charsets {
        if !identifiers.insert(charset.identifier) {
            return Err(format!("{SOURCE}: {} occurs twice", charset.identifier));
        }
    }
    let generated = [
        ("list.rs", list(&charsets).into_bytes()),
        ("names.txt", names(&charsets).into_bytes()),
        ("single_byte.bin", tables(&charsets)?),
    ];
    for (name, content) in generated {
        let path = format!("{FOLDER}/{name}");
        if !check {
            std::fs::write(&path, content).map_err(|e| format!("{path}: {e}"))?;
        } else if std::fs::read(&path).map_err(|e| format!("{path}: {e}"))? != content {
            return Err(format!("{path} is not what `cargo xtask tables` makes of {SOURCE}"));
        }
    }
    indexes::run(check)
}

fn parse(block: &str) -> Result<Charset<'_>, String> {
    let mut charset = Charset {
        identifier: "",
        name: "",
        about: "",
        specified_in: "",
        labels: Vec::new(),
        web_labels: Vec::new(),
        written: Vec::new(),
        code_points: Vec::new(),
    };
    let mut next_row = None;
    for line in block.lines().filter(|line| !line.starts_with('#')) {
        let (key, value) = line.split_once(' ').ok_or("a line without a value")?;
        match key {
            "charset" => {
                (charset.identifier, charset.name) =
                    value.split_once(' ').ok_or("a charset without a name")?;
            }
            "about" => charset.about = value,
            "spec" => charset.specified_in = value,
            "labels" => charset.labels = value.split(' ').collect(),
            "web" => charset.web_labels = value.split(' ').collect(),
            "write" => charset.written = value.split(' ').map(byte).collect::<Result<_, _>>()?,
            row => {
                let row = u16::from_str_radix(row, 16).map_err(|_| format!("unknown key {row}"))?;
                if row != *next_row.get_or_insert(row) {
                    return Err(format!("row {row:02x} is out of order"));
                }
                next_row = Some(row + 16);
                for cell in value.split(' ') {
                    charset.code_points.push(code_point(cell)?);
                }
            }
        }
    }
    charset.check_written()?;
    let complete = ![charset.identifier, charset.name, charset.about, charset.specified_in].contains(&"");
    match (next_row, charset.code_points.len()) {
        (Some(256), 128 | 256) if complete => Ok(charset),
        _ => Err("something is missing".into()),
    }
}

fn byte(cell: &str) -> Result<u8, String> {
    u8::from_str_radix(cell, 16).map_err(|e| format!("{cell}: {e}"))
}

/// Parses the code point of a byte, which is never a surrogate, so that the decoded text is
/// well-formed.
fn code_point(cell: &str) -> Result<u16, String> {
    if cell == "----" {
        return Ok(UNDEFINED);
    }
    let value = u16::from_str_radix(cell, 16).map_err(|e| format!("{cell}: {e}"))?;
    match value {
        0xD800..=0xDFFF | 0xFFFE.. => Err(format!("{cell} is no character")),
        _ => Ok(value),
    }
}

impl Charset<'_> {
    /// Checks that each byte marked as written has a lower byte of the same meaning; otherwise the
    /// mark has no effect.
    fn check_written(&self) -> Result<(), String> {
        let first = 256 - self.code_points.len();
        let of = |byte: usize| byte.checked_sub(first).map_or(byte, |place| self.code_points[place].into());
        for &byte in &self.written {
            let byte = usize::from(byte);
            let c = of(byte);
            if c == usize::from(UNDEFINED) || !(0..byte).any(|lower| of(lower) == c) {
                return Err(format!("{byte:02x} is the only byte of its code point"));
            }
        }
        Ok(())
    }

    /// Returns `true` if bytes below 80, and no others, mean ASCII.
    fn is_ascii_compatible(&self) -> bool {
        self.code_points.len() == 128 && self.code_points.iter().all(|&c| c >= 0x80)
    }

    /// Returns `true` if two bytes mean the same code point.
    fn has_doubles(&self) -> bool {
        let first = 256 - self.code_points.len();
        let ascii = (0..0x80).take(first);
        let mut known = BTreeSet::new();
        let mut all = ascii.chain(self.code_points.iter().copied().filter(|&c| c != UNDEFINED));
        !all.all(|c| known.insert(c))
    }
}

/// Returns the macro that makes the enum and the constants of `Encoding`: a line for each charset.
fn list(charsets: &[Charset<'_>]) -> String {
    let mut text = String::from(
        "// Generated by `cargo xtask tables` from crates/placemat-charsets/tables/single-byte.txt. Do not edit.\n\n\
         //! The list of the single-byte charsets.\n\n\
         /// Calls the macro `$apply` with a line for each charset: its member of `SingleByte`, its constant of\n\
         /// `Encoding`, and its documentation.\n\
         macro_rules! charsets {\n    ($apply:ident) => { $apply! {\n",
    );
    for charset in charsets {
        let upper = charset.name.to_ascii_uppercase();
        let parts: Vec<_> =
            upper.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty()).collect();
        let about = format!("`{}`: {}", charset.name, charset.about);
        let _ = writeln!(text, "        {}, {}, {about:?};", charset.identifier, parts.join("_"));
    }
    text += "    } };\n}\npub(crate) use charsets;\n";
    text
}

/// Returns the names of all charsets.
fn names(charsets: &[Charset<'_>]) -> String {
    let mut text = String::new();
    for Charset { name, about, specified_in, labels, web_labels, .. } in charsets {
        let parts = [*name, about, specified_in];
        let lines = parts.iter().chain(labels).chain([&""]).chain(web_labels).chain([&""]);
        text.extend(lines.flat_map(|line| [line, "\n"]));
    }
    text
}

/// Returns the code points of all charsets, and the bytes that they prefer. Charsets with the same
/// table share it.
fn tables(charsets: &[Charset<'_>]) -> Result<Vec<u8>, String> {
    let mut rows = Vec::new();
    let mut preferred: Vec<u8> = Vec::new();
    let (mut upper_halves, mut full) = (Vec::new(), Vec::new());
    let small = |number: usize| u8::try_from(number).map_err(|e| format!("{SOURCE}: {e}"));
    for charset in charsets {
        let is_full = charset.code_points.len() == 256;
        let tables = if is_full { &mut full } else { &mut upper_halves };
        let index = tables.iter().position(|&table| table == &charset.code_points).unwrap_or_else(|| {
            tables.push(&charset.code_points);
            tables.len() - 1
        });
        let start = small(preferred.len())?;
        preferred.extend(&charset.written);
        let flags = u8::from(is_full)
            | u8::from(charset.is_ascii_compatible()) << 1
            | u8::from(charset.has_doubles()) << 2;
        rows.extend([flags, small(index)?, start, small(preferred.len())?]);
    }
    let mut bytes = Vec::new();
    for number in [charsets.len(), upper_halves.len(), full.len(), preferred.len()] {
        bytes.extend(u16::try_from(number).map_err(|e| format!("{SOURCE}: {e}"))?.to_le_bytes());
    }
    bytes.extend(rows);
    bytes.extend(upper_halves.into_iter().chain(full).flatten().flat_map(|c| c.to_le_bytes()));
    bytes.extend(preferred);
    Ok(bytes)
}
