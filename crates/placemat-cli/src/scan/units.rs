//! Bytes read as the code units of UTF-16 or UTF-32, to judge whether they are text in it.

use crate::families::unit_bytes;
use placemat::Encoding;
use placemat::forms::UnitOrder;

/// Counts of the units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Units {
    /// The number of whole units.
    pub(crate) count: usize,
    /// U+0001..U+00FF: the NUL of the unit is where this encoding has it.
    pub(crate) narrow: usize,
    /// Units of two bytes whose other half is 00, but for first halves of pairs.
    pub(crate) swapped: usize,
    /// Unpaired surrogates, values above the last code point, and code points that the caller finds odd.
    pub(crate) odd: usize,
    /// Whether one is U+0000.
    pub(crate) has_nul: bool,
    /// Whether the last unit is the first half of a pair.
    pub(crate) open: bool,
}

impl Units {
    /// Reads bytes that may end anywhere: half of a pair at the end is not odd.
    pub(crate) fn of(encoding: Encoding, bytes: &[u8], is_odd: fn(char) -> bool) -> Self {
        let units = read(encoding, bytes);
        let is_pairs = unit_bytes(encoding) == 2;
        let is_lead = |unit: u32| is_pairs && matches!(unit, 0xD800..=0xDBFF);
        let is_trail = |unit: u32| is_pairs && matches!(unit, 0xDC00..=0xDFFF);
        let odd = |i: usize| match (units[i], units.get(i + 1)) {
            (lead, None) if is_lead(lead) => false,
            (lead, Some(&trail)) if is_lead(lead) && is_trail(trail) => {
                char::from_u32(0x1_0000 + ((lead & 0x3FF) << 10 | trail & 0x3FF)).is_none_or(is_odd)
            }
            (trail, _) if is_trail(trail) => i == 0 || !is_lead(units[i - 1]),
            (unit, _) => char::from_u32(unit).is_none_or(is_odd),
        };
        Self {
            count: units.len(),
            narrow: units.iter().filter(|&&unit| matches!(unit, 1..=0xFF)).count(),
            swapped: units.iter().filter(|&&unit| is_pairs && unit & 0xFF == 0 && !is_lead(unit)).count(),
            odd: (0..units.len()).filter(|&i| odd(i)).count(),
            has_nul: units.contains(&0),
            open: units.last().is_some_and(|&unit| is_lead(unit)),
        }
    }
}

/// Returns the whole code units of some bytes.
fn read(encoding: Encoding, bytes: &[u8]) -> Vec<u32> {
    let pairs = || bytes.as_chunks::<2>().0.iter();
    let fours = || bytes.as_chunks::<4>().0.iter();
    match (encoding.facts().order, unit_bytes(encoding)) {
        (Some(UnitOrder::Big), 2) => pairs().map(|&unit| u16::from_be_bytes(unit).into()).collect(),
        (_, 2) => pairs().map(|&unit| u16::from_le_bytes(unit).into()).collect(),
        (Some(UnitOrder::Big), _) => fours().map(|&unit| u32::from_be_bytes(unit)).collect(),
        _ => fours().map(|&unit| u32::from_le_bytes(unit)).collect(),
    }
}
