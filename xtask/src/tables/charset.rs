//! The blocks of `single-byte.txt` and `sequences.txt`, which `README.md` beside them describes.

use std::collections::BTreeSet;

/// The code point of an undefined byte in the generated tables.
pub(super) const UNDEFINED: u16 = 0xFFFF;

/// A charset of the source.
#[derive(Debug)]
pub(super) struct Charset<'a> {
    pub(super) identifier: &'a str,
    pub(super) name: &'a str,
    pub(super) about: &'a str,
    pub(super) specified_in: &'a str,
    pub(super) labels: Vec<&'a str>,
    pub(super) web_labels: Vec<&'a str>,
    /// Bytes that the encoder writes although a lower byte means the same code point.
    pub(super) written: Vec<u8>,
    /// The code points of all 256 bytes, or only of those from 80 on if the others are ASCII; [`mosaic`] for some.
    pub(super) code_points: Vec<u16>,
    /// Two bytes, and what they mean together.
    pub(super) pairs: Vec<([u8; 2], u16)>,
}

/// Reads the block of a charset.
pub(super) fn parse(block: &str) -> Result<Charset<'_>, String> {
    let mut charset = Charset {
        identifier: "",
        name: "",
        about: "",
        specified_in: "",
        labels: Vec::new(),
        web_labels: Vec::new(),
        written: Vec::new(),
        code_points: Vec::new(),
        pairs: Vec::new(),
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
            "pairs" => {
                let (first, others) = value.split_once(' ').ok_or("pairs without a second byte")?;
                let first = byte(first)?;
                for pair in others.split(' ') {
                    let (second, cell) = pair.split_once('=').ok_or("a pair without a character")?;
                    charset.pairs.push(([first, byte(second)?], code_point(cell)?));
                }
            }
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
    let value = u32::from_str_radix(cell, 16).map_err(|e| format!("{cell}: {e}"))?;
    match u16::try_from(value) {
        Ok(value) if !matches!(value, 0xD800..=0xDFFF | 0xFFFE..) => Ok(value),
        _ => mosaic(value).ok_or_else(|| format!("{cell} is no character")),
    }
}

/// Returns the number that means a code point of "Symbols for Legacy Computing", U+1FB00..U+1FBFF, in a table of 16 bits.
fn mosaic(value: u32) -> Option<u16> {
    let place = u8::try_from(value.checked_sub(0x1FB00)?).ok()?;
    Some(0xD800 | u16::from(place))
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
    pub(super) fn is_ascii_compatible(&self) -> bool {
        self.code_points.len() == 128 && self.code_points.iter().all(|&c| c >= 0x80)
    }

    /// Returns `true` if two bytes, or sequences, mean the same code point.
    pub(super) fn has_doubles(&self) -> bool {
        let first = 256 - self.code_points.len();
        let ascii = (0..0x80).take(first);
        let mut known = BTreeSet::new();
        let pairs = self.pairs.iter().map(|&(_, c)| c);
        let mut all = ascii.chain(self.code_points.iter().copied().filter(|&c| c != UNDEFINED)).chain(pairs);
        !all.all(|c| known.insert(c))
    }
}
