//! The tables of the single-byte charsets, generated from `crates/placemat/tables/single-byte.txt`.

use core::fmt::Write as _;
use std::collections::{BTreeMap, BTreeSet};

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/placemat/tables/single-byte.txt");
const FORMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/placemat/src/forms");

/// In the generated tables: an undefined byte.
const UNDEFINED: u16 = 0xFFFF;

/// A charset as in the source.
#[derive(Debug)]
struct Charset<'a> {
    identifier: &'a str,
    name: &'a str,
    about: &'a str,
    specified_in: &'a str,
    labels: Vec<&'a str>,
    web_labels: Vec<&'a str>,
    /// Bytes that the encoder writes although a lower byte stands for the same code point.
    written: Vec<u8>,
    /// The code points of all 256 bytes, or of those from 80 on where the others are ASCII.
    code_points: Vec<u16>,
}

/// Writes the tables; with `check`, fails if they are out of date.
pub(crate) fn run(check: bool) -> Result<(), String> {
    let source = read(SOURCE)?;
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
        ("charsets/single_byte/tables.rs", generate(&charsets)),
        ("constants/single_byte.rs", constants(&charsets)),
    ];
    for (path, text) in generated {
        let path = format!("{FORMS}/{path}");
        if !check {
            std::fs::write(&path, text).map_err(|e| format!("{path}: {e}"))?;
        } else if read(&path)? != text {
            return Err(format!("{path} is not what `cargo xtask tables` makes of {SOURCE}"));
        }
    }
    Ok(())
}

fn read(path: &str) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))
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

/// The code point of a byte; never a surrogate, so that the decoded text is well-formed.
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
    /// Each byte marked as written needs a lower byte of the same meaning; otherwise the mark has no effect.
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

    /// Whether bytes below 80, and no others, mean ASCII.
    fn is_ascii_compatible(&self) -> bool {
        self.code_points.len() == 128 && self.code_points.iter().all(|&c| c >= 0x80)
    }
}

/// The constants of `Encoding`, named as the charsets are.
fn constants(charsets: &[Charset<'_>]) -> String {
    let mut text = String::from(
        "// Generated by `cargo xtask tables` from crates/placemat/tables/single-byte.txt. Do not edit.\n\n\
         //! The constants of the single-byte charsets.\n\n\
         use crate::forms::charsets::single_byte::SingleByte;\n\
         use crate::forms::descriptor::encodings;\n\n\
         encodings! { SINGLE_BYTE from 100:\n",
    );
    for charset in charsets {
        let upper = charset.name.to_ascii_uppercase();
        let parts: Vec<_> =
            upper.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty()).collect();
        let _ = writeln!(text, "    /// `{}`: {}", charset.name, charset.about);
        let _ = writeln!(text, "    {} = SingleByte::{}.row(),", parts.join("_"), charset.identifier);
    }
    text += "}\n";
    text
}

/// For each table its place, and the charset that had it first.
type Tables<'a> = BTreeMap<&'a Vec<u16>, (usize, &'a str)>;

fn generate(charsets: &[Charset<'_>]) -> String {
    let mut text = String::from(
        "// Generated by `cargo xtask tables` from crates/placemat/tables/single-byte.txt. Do not edit.\n\n\
         //! The single-byte charsets: names and code points.\n\n\
         use super::charset::{Charset, Place};\n\
         use crate::forms::names::packed;\n\n\
         /// A charset of one byte a character: a member of the family of [`ByTable`](super::ByTable).\n\
         #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]\n\
         pub(crate) enum SingleByte {\n",
    );
    let mut put = |line: String| {
        text += &line;
        text.push('\n');
    };
    for (i, charset) in charsets.iter().enumerate() {
        put(format!("    /// `{}`: {}", charset.name, charset.about));
        if i == 0 {
            put("    #[default]".into());
        }
        put(format!("    {},", charset.identifier));
    }
    put("}\n".into());
    put("/// The number of charsets.".into());
    put(format!("pub(super) const COUNT: usize = {};\n", charsets.len()));
    put("pub(super) const ALL: &[SingleByte; COUNT] = &[".into());
    for charset in charsets {
        put(format!("    SingleByte::{},", charset.identifier));
    }
    put("];\n".into());

    // Charsets with the same table share it.
    let (mut upper_halves, mut full) = (Tables::new(), Tables::new());
    for charset in charsets {
        let tables = if charset.code_points.len() == 128 { &mut upper_halves } else { &mut full };
        let next = tables.len();
        tables.entry(&charset.code_points).or_insert((next, charset.name));
    }
    put("pub(super) static CHARSETS: [Charset; COUNT] = [".into());
    for charset in charsets {
        let (kind, tables) =
            if charset.code_points.len() == 128 { ("Ascii", &upper_halves) } else { ("Full", &full) };
        put("    Charset {".into());
        put("        names: packed! {".into());
        put(format!("            name: {:?},", charset.name));
        put(format!("            labels: {:?},", charset.labels));
        put(format!("            web_labels: {:?},", charset.web_labels));
        put(format!("            about: {:?},", charset.about));
        put(format!("            specified_in: {:?},", charset.specified_in));
        put("        },".into());
        let written: Vec<_> = charset.written.iter().map(|byte| format!("{byte:#04x}")).collect();
        put(format!("        written: &[{}],", written.join(", ")));
        put(format!("        ascii_compatible: {},", charset.is_ascii_compatible()));
        put(format!("        table: Place::{kind}({}),", tables[&charset.code_points].0));
        put("    },".into());
    }
    put("];".into());

    for (about, constant, size, tables) in [
        ("/// The code points of the bytes from 80 on.", "UPPER_HALVES", 128, upper_halves),
        ("/// The code points of all bytes.", "FULL", 256, full),
    ] {
        let mut tables: Vec<_> = tables.into_iter().collect();
        tables.sort_unstable_by_key(|&(_, (place, _))| place);
        put(format!("\n{about}\npub(super) static {constant}: [[u16; {size}]; {}] = [", tables.len()));
        for (table, (_, name)) in tables {
            put(format!("    // {name}\n    ["));
            for row in table.chunks(16) {
                let mut line = String::from("       ");
                for c in row {
                    let _ = write!(line, " {c:#06x},");
                }
                put(line);
            }
            put("    ],".into());
        }
        put("];".into());
    }
    text
}
