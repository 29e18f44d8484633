//! The tables of charsets of one or two bytes. `sequences/table.rs` of the crate describes their layout.

use super::charset::{Charset, UNDEFINED};

/// The flag of a charset in which two sequences mean the same code point.
const HAS_DOUBLES: u16 = 0x1000;

/// Returns the tables of all charsets. Charsets with the same half, or the same pairs, share them.
pub(super) fn tables(charsets: &[Charset<'_>]) -> Result<Vec<u8>, String> {
    let word = |number: usize| u16::try_from(number).map_err(|e| e.to_string());
    let (mut rows, mut halves, mut pairs) = (Vec::new(), Vec::<Vec<u16>>::new(), Vec::new());
    let mut preferred: Vec<u8> = Vec::new();
    for charset in charsets {
        let mut code_points = charset.code_points.clone();
        if code_points.len() == 128 {
            code_points.splice(..0, 0..0x80);
        }
        for half in code_points.chunks(128) {
            let known = halves.iter().position(|known| known == half);
            rows.push(word(known.unwrap_or_else(|| {
                halves.push(half.to_vec());
                halves.len() - 1
            }))?);
        }
        let mut own = charset.pairs.clone();
        own.sort_unstable();
        if own.iter().any(|&(_, c)| c == UNDEFINED) || own.windows(2).any(|two| two[0].0 == two[1].0) {
            return Err(format!("a pair of {} is empty or occurs twice", charset.name));
        }
        let known = pairs.windows(own.len().max(1)).position(|known| known == own);
        rows.push(word(known.filter(|_| !own.is_empty()).unwrap_or(pairs.len()))?);
        rows.push(word(own.len())?);
        if known.is_none() {
            pairs.extend(own);
        }
        let start = word(preferred.len())?;
        if start >= HAS_DOUBLES {
            return Err("there are too many preferred bytes".into());
        }
        rows.push(start | if charset.has_doubles() { HAS_DOUBLES } else { 0 });
        preferred.extend(&charset.written);
    }
    let mut bytes = Vec::new();
    for number in [charsets.len(), halves.len(), pairs.len(), preferred.len()] {
        bytes.extend(word(number)?.to_le_bytes());
    }
    bytes.extend(rows.iter().chain(halves.iter().flatten()).flat_map(|word| word.to_le_bytes()));
    for (sequence, c) in pairs {
        bytes.extend(sequence);
        bytes.extend(c.to_le_bytes());
    }
    bytes.extend(preferred);
    Ok(bytes)
}
