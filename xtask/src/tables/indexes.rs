//! The indexes of the WHATWG Encoding Standard, as `encoding_rs` reads them: the tables of the multi-byte encodings of the web.
//!
//! `multi_byte.py` describes the layout of a table, and `crates/placemat-charsets/src/grid.rs` reads it. These tables have no
//! preferred cells: the encoders of the web choose among several by rules of their own.

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, SHIFT_JIS};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/placemat-charsets/src/legacy/indexes");

/// The number of codes of four bytes of gb18030 that mean a code point of the Basic Multilingual Plane.
const FOURS: u16 = 39420;
/// The word of a cell or a row without a meaning.
const NONE: u16 = 0xFFFF;

/// Writes the tables; with `check`, fails if they are out of date.
pub(super) fn run(check: bool) -> Result<(), String> {
    let two = |row: u8, column: u8, gap: u8| {
        let trail = column + if column < 0x3F { 0x40 } else { gap };
        vec![0x81 + row, trail]
    };
    let shift_jis = |row: u8, column: u8| {
        let (lead, second) = (row / 2, row % 2 * 94 + column);
        // Private use has no place in the index.
        let is_private = (94..114).contains(&row);
        let bytes = vec![
            lead + if lead < 0x1F { 0x81 } else { 0xC1 },
            second + if second < 0x3F { 0x40 } else { 0x41 },
        ];
        if is_private { Vec::new() } else { bytes }
    };
    let all = [
        ("gb18030.bin", table(GB18030, 126, 190, |row, column| two(row, column, 0x41))?),
        ("big5.bin", table(BIG5, 126, 157, |row, column| two(row, column, 0x62))?),
        ("euc_kr.bin", table(EUC_KR, 126, 190, |row, column| vec![0x81 + row, 0x41 + column])?),
        ("jis0208.bin", table(SHIFT_JIS, 120, 94, shift_jis)?),
        ("jis0212.bin", table(EUC_JP, 94, 94, |row, column| vec![0x8F, 0xA1 + row, 0xA1 + column])?),
        ("gb18030_ranges.bin", ranges()),
    ];
    for (name, words) in all {
        let path = format!("{FOLDER}/{name}");
        let content: Vec<u8> = words.into_iter().flat_map(u16::to_le_bytes).collect();
        if !check {
            std::fs::write(&path, content).map_err(|e| format!("{path}: {e}"))?;
        } else if std::fs::read(&path).map_err(|e| format!("{path}: {e}"))? != content {
            return Err(format!("{path} is not what `cargo xtask tables` makes"));
        }
    }
    Ok(())
}

/// Returns the table of an index; `bytes` returns the code of a cell, which is empty if it has none.
fn table(
    encoding: &'static Encoding,
    rows: u8,
    columns: u8,
    bytes: impl Fn(u8, u8) -> Vec<u8>,
) -> Result<Vec<u16>, String> {
    let (mut places, mut cells, mut astral, mut pairs) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for row in 0..rows {
        let texts: Vec<String> = (0..columns).map(|column| read(encoding, &bytes(row, column))).collect();
        if texts.iter().all(String::is_empty) {
            places.push(NONE);
            continue;
        }
        places.push(word(cells.len() / usize::from(columns))?);
        for (text, column) in texts.iter().zip(0..) {
            let code_points: Vec<u32> = text.chars().map(u32::from).collect();
            let (cell, is_astral) = match *code_points {
                [] => (NONE, false),
                [c @ ..0x1_0000] => (word(c as usize)?, false),
                [c @ 0x2_0000..0x3_0000] => (word(c as usize & 0xFFFF)?, true),
                [first, second] => {
                    pairs.extend([
                        word(first as usize)?,
                        word(second as usize)?,
                        u16::from_be_bytes([row, column]),
                    ]);
                    (0xD800 + word(pairs.len() / 3 - 1)?, false)
                }
                _ => return Err(format!("{}: no cell can hold {code_points:X?}", encoding.name())),
            };
            cells.push(cell);
            astral.push(is_astral);
        }
    }
    let bits = |some: &[bool]| some.iter().rev().fold(0, |bits, &bit| bits << 1 | u16::from(bit));
    let astral: Vec<u16> =
        if astral.contains(&true) { astral.chunks(16).map(bits).collect() } else { Vec::new() };
    let there = word(cells.len() / usize::from(columns))?;
    let head = [columns.into(), rows.into(), there, word(astral.len())?, 0, word(pairs.len() / 3)?];
    Ok([&head[..], &places, &cells, &astral, &pairs].concat())
}

fn word(value: usize) -> Result<u16, String> {
    u16::try_from(value).map_err(|_| format!("{value} does not fit into a word"))
}

/// Returns what the bytes mean, which is nothing if they are ill-formed.
fn read(encoding: &'static Encoding, bytes: &[u8]) -> String {
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
    text.unwrap_or_default().into_owned()
}

/// Returns the ranges of codes of four bytes of gb18030 that mean consecutive code points: the number of the first code, and its
/// code point.
fn ranges() -> Vec<u16> {
    let mut ranges = Vec::new();
    let mut next = None;
    for n in 0..FOURS {
        let [d, c, b, a] = [(n % 10, 0x30), (n / 10 % 126, 0x81), (n / 1260 % 10, 0x30), (n / 12600, 0x81)];
        let four = [a, b, c, d].map(|(digit, least)| digit.to_le_bytes()[0] + least);
        let c = read(GB18030, &four).chars().next().and_then(|c| u16::try_from(u32::from(c)).ok());
        if c != next {
            ranges.extend([n, c.unwrap_or(NONE)]);
        }
        next = c.map(|c| c.wrapping_add(1));
    }
    ranges
}
