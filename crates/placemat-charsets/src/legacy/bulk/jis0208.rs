//! JIS X 0208 as tables, made on first use.

use crate::legacy::codes::{jis0208_at, jis0208_of};
use alloc::{boxed::Box, vec};
use placemat_core::ground::once::Once;

/// The tables in both directions.
pub(crate) struct Jis0208 {
    /// By row and column, the code point, or 0.
    code_points: Box<[u16]>,
    /// By code point, the two bytes, or 0.
    codes: Box<[[u8; 2]; 0x1_0000]>,
}

impl Jis0208 {
    pub(crate) fn get() -> &'static Self {
        static TABLES: Once<Jis0208> = Once::new();
        TABLES.get_or_make(Self::new)
    }

    fn new() -> Self {
        let places = (0x21..=0x7E).flat_map(|row| (0x21..=0x7E).map(move |column| [row, column]));
        let unit = |place| jis0208_at(place).and_then(|c| u16::try_from(u32::from(c)).ok()).unwrap_or(0);
        let code_points: Box<[u16]> = places.clone().map(unit).collect();
        // The array must not pass through the stack, which may be smaller in a thread.
        let mut codes = vec![[0; 2]; 0x1_0000].into_boxed_slice();
        // The first of several places counts.
        for (&unit, place) in code_points.iter().zip(places) {
            let code = &mut codes[usize::from(unit)];
            if unit != 0 && *code == [0; 2] {
                *code = place;
            }
        }
        // Code points that the encoder writes as others: half-width katakana, and the minus sign.
        for unit in (0xFF61..=0xFF9F_u16).chain([0x2212]) {
            codes[usize::from(unit)] = char::from_u32(unit.into()).and_then(jis0208_of).unwrap_or([0; 2]);
        }
        let Ok(codes) = codes.try_into() else { unreachable!("it is as long as that") };
        Self { code_points, codes }
    }

    /// The code point of two bytes, or 0.
    #[inline(always)]
    pub(crate) fn at(&self, [row, column]: [u8; 2]) -> u16 {
        let (row, column) = (row.wrapping_sub(0x21), column.wrapping_sub(0x21));
        if (row < 94) & (column < 94) {
            self.code_points[94 * usize::from(row) + usize::from(column)]
        } else {
            0
        }
    }

    /// Returns the two bytes of a code point, or 0.
    #[inline(always)]
    pub(crate) fn of(&self, unit: u16) -> [u8; 2] {
        self.codes[usize::from(unit)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_jis_x_0208() {
        let tables = Jis0208::get();
        for bytes in (0..=u16::MAX).map(u16::to_be_bytes) {
            let found = char::from_u32(tables.at(bytes).into()).filter(|&c| c != '\0');
            let within = bytes.iter().all(|byte| matches!(byte, 0x21..=0x7E));
            assert_eq!(found, within.then(|| jis0208_at(bytes)).flatten(), "{bytes:X?}");
        }
        for unit in 0..=u16::MAX {
            let code = char::from_u32(unit.into()).and_then(jis0208_of);
            assert_eq!(tables.of(unit), code.unwrap_or([0; 2]), "{unit:X}");
        }
        assert!(('\u{10000}'..=char::MAX).all(|c| jis0208_of(c).is_none()));
    }
}
