//! Single-byte charsets: an independent reader of the source of the tables.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The source of the library's tables; other tests compare it with other programs.
const SOURCE: &str = include_str!("../../../../placemat-charsets/tables/single-byte.txt");

struct Source {
    names: Vec<String>,
    code_points: [Option<u32>; 256],
    /// The byte of each code point: the lowest, or the byte named in the source.
    bytes: BTreeMap<u32, u8>,
    ascii_compatible: bool,
}

static TABLES: LazyLock<Vec<Source>> = LazyLock::new(|| SOURCE.split_terminator("\n\n").map(parse).collect());

fn parse(block: &str) -> Source {
    let mut names = Vec::new();
    let mut code_points: [Option<u32>; 256] = core::array::from_fn(|byte| Some(byte as u32));
    let mut written = Vec::new();
    for line in block.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "charset" => names.push(words[2].to_lowercase()),
            "labels" => names.extend(words[1..].iter().map(ToString::to_string)),
            "write" => {
                written.extend(words[1..].iter().map(|byte| u8::from_str_radix(byte, 16).expect("a byte")));
            }
            "about" | "spec" | "web" => {}
            row => {
                let row = usize::from_str_radix(row, 16).expect("a row");
                for (i, word) in words[1..].iter().enumerate() {
                    code_points[row + i] = u32::from_str_radix(word, 16).ok();
                }
            }
        }
    }
    let of_byte = |byte: u8| code_points[usize::from(byte)];
    let in_order = (0..=0xFF).rev().chain(written);
    let bytes = in_order.filter_map(|byte| of_byte(byte).map(|c| (c, byte))).collect();
    let ascii_compatible = (0..=0xFF).all(|byte| match of_byte(byte) {
        Some(c) if byte < 0x80 => c == u32::from(byte),
        Some(c) => c >= 0x80,
        None => byte >= 0x80,
    });
    Source { names, code_points, bytes, ascii_compatible }
}

/// One of the charsets, by its index.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) struct Table(usize);

impl Table {
    /// Returns the charset with this name or label, ignoring case.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        TABLES.iter().position(|table| table.names.contains(&name)).map(Self)
    }

    /// Returns the code point of a byte.
    pub(crate) fn code_point(self, byte: u8) -> Option<u32> {
        TABLES[self.0].code_points[usize::from(byte)]
    }

    /// Returns the byte that is written for a code point.
    pub(crate) fn byte(self, code_point: u32) -> Option<u8> {
        TABLES[self.0].bytes.get(&code_point).copied()
    }

    /// Returns `true` if bytes below 80, and no others, are ASCII.
    pub(crate) fn is_ascii_compatible(self) -> bool {
        TABLES[self.0].ascii_compatible
    }
}
