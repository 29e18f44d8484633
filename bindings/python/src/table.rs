//! Single-byte encodings, by a table, directly into the right width.

use crate::inverse::Inverse;
use crate::new_str::NewStr;
use crate::raw::{self, UTF_16, alone};
use crate::text::{No, PIECE_BYTES};
use placemat::forms::Repertoire;
use placemat::stream::{Status, Transcoder};
use placemat::{Encoding, ErrorPolicy};
use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock, RwLock};

/// The library's kernels convert texts longer than this, in bytes, because they are faster than a
/// table access for each byte.
const MIN_KERNEL_BYTES: usize = 512;

/// The code point that each byte means.
pub(crate) struct Table {
    encoding: Encoding,
    /// The code point of each byte, or [`Self::UNDEFINED`].
    code_points: [u16; 256],
    /// The range of the bytes whose meaning differs from ISO-8859-1.
    other: Option<(u8, u8)>,
    /// The byte of each code point, made at first use; `None` if some code point has several.
    inverse: OnceLock<Option<Inverse>>,
}

impl Table {
    /// A noncharacter, which no table contains.
    pub(crate) const UNDEFINED: u16 = 0xFFFF;

    /// Returns the table of an encoding, unless a code point takes several bytes.
    pub(crate) fn of(encoding: Encoding) -> Option<&'static Self> {
        static TABLES: LazyLock<RwLock<HashMap<Encoding, Option<&'static Table>>>> =
            LazyLock::new(RwLock::default);
        if let Some(known) = TABLES.read().ok()?.get(&encoding) {
            return *known;
        }
        let made = Self::make(encoding).map(|table| &*Box::leak(Box::new(table)));
        *TABLES.write().ok()?.entry(encoding).or_insert(made)
    }

    fn make(encoding: Encoding) -> Option<Self> {
        if encoding.max_bytes() != 1
            || !matches!(encoding.repertoire(), Repertoire::Ascii | Repertoire::Latin1 | Repertoire::Table)
        {
            return None;
        }
        let mut code_points = [Self::UNDEFINED; 256];
        for byte in 0..=u8::MAX {
            let bytes = [byte];
            let Ok(text) = encoding.decode(&bytes, ErrorPolicy::Stop) else { continue };
            let mut chars = text.chars();
            // A shift, or a letter with a mark, does not fit into a table.
            let (Some(c), None) = (chars.next(), chars.next()) else { return None };
            code_points[usize::from(byte)] = u16::try_from(u32::from(c)).ok()?;
        }
        let is_other = |byte: &u8| code_points[usize::from(*byte)] != u16::from(*byte);
        let first = (0..=u8::MAX).find(is_other);
        let last = (0..=u8::MAX).rfind(is_other);
        let other = first.zip(last);
        Some(Self { encoding, code_points, other, inverse: OnceLock::new() })
    }
}

impl Table {
    /// Returns the code point of a byte, or [`Self::UNDEFINED`].
    #[inline(always)]
    pub(crate) fn code_point(&self, byte: u8) -> u16 {
        self.code_points[usize::from(byte)]
    }

    /// Returns `true` if bytes of ASCII are ASCII.
    pub(crate) fn has_ascii(&self) -> bool {
        self.other.is_none_or(|(first, _)| !first.is_ascii())
    }

    /// Returns the byte of each code point. The GIL is held, so no other thread is in here when the
    /// process forks.
    pub(crate) fn inverse(&self) -> Option<&Inverse> {
        let code_points = self.code_points.into_iter().filter(|&c| c != Self::UNDEFINED);
        self.inverse.get_or_init(|| Inverse::of(self.encoding, code_points)).as_ref()
    }

    /// Makes a `str` from a whole text.
    pub(crate) fn decode(&self, src: &[u8]) -> Result<NewStr, No> {
        let (widest, is_latin1) = alone(src.len(), || self.widest(src));
        let mut text = NewStr::new(src.len(), u32::from(widest))?;
        let whole = match widest {
            ..=0xFF if is_latin1 => {
                // SAFETY: up to U+00FF, units have one byte.
                let units = unsafe { text.units() };
                alone(src.len(), || units.copy_from_slice(src));
                Ok(true)
            }
            // SAFETY: as above.
            ..=0xFF => self.put(src, unsafe { text.units() }, |c| c.to_le_bytes()[0]),
            // SAFETY: up to U+FFFF, units have two bytes.
            _ if src.len() > MIN_KERNEL_BYTES => self.convert(src, unsafe { text.units() }),
            // SAFETY: as above.
            _ => self.put(src, unsafe { text.units() }, |c| c),
        };
        if whole? { Ok(text) } else { Err(No::IllFormed) }
    }

    /// Writes code points by the library's kernels. Returns `false` if a byte is undefined.
    fn convert(&self, src: &[u8], dst: &mut [u16]) -> Result<bool, No> {
        for (src, dst) in src.chunks(PIECE_BYTES).zip(dst.chunks_mut(PIECE_BYTES)) {
            let p = alone(src.len(), || {
                let to = raw::bytes_of_units_mut(dst);
                Transcoder::new(self.encoding, UTF_16).convert(src, to, true)
            });
            if p.status != Status::Done || p.written != 2 * src.len() {
                return Ok(false);
            }
            raw::check_signals()?;
        }
        Ok(true)
    }

    /// Returns a code point as wide as the widest one: U+007F, U+00FF or U+FFFF; and whether all
    /// bytes up to the first above U+00FF are known to mean the same as in ISO-8859-1.
    fn widest(&self, src: &[u8]) -> (u16, bool) {
        let (mut all, mut all_latin1) = (0, true);
        for piece in src.chunks(256) {
            let is_latin1 = self.is_latin1(piece);
            all |= if is_latin1 {
                u16::from(piece.iter().fold(0, |all, &byte| all | byte))
            } else {
                piece.iter().fold(0, |all, &byte| all | self.code_points[usize::from(byte)])
            };
            all_latin1 &= is_latin1;
            if all > 0xFF {
                return (0xFFFF, all_latin1);
            }
        }
        (if all > 0x7F { 0xFF } else { 0x7F }, all_latin1)
    }

    /// Returns `true` if all bytes are known to mean the same as in ISO-8859-1.
    fn is_latin1(&self, src: &[u8]) -> bool {
        let Some((first, last)) = self.other else { return true };
        !src.iter().fold(false, |any, &byte| any | (byte.wrapping_sub(first) <= last.wrapping_sub(first)))
    }

    /// Writes the code points. Returns `false` if a byte is undefined.
    fn put<U: Copy + Send>(
        &self,
        src: &[u8],
        dst: &mut [U],
        unit: impl Fn(u16) -> U + Sync,
    ) -> Result<bool, No> {
        let mut whole = true;
        for (src, dst) in src.chunks(PIECE_BYTES).zip(dst.chunks_mut(PIECE_BYTES)) {
            whole &= alone(src.len(), || {
                let mut undefined = false;
                for (unit_of, &byte) in dst.iter_mut().zip(src) {
                    let c = self.code_points[usize::from(byte)];
                    undefined |= c == Self::UNDEFINED;
                    *unit_of = unit(c);
                }
                !undefined
            });
            raw::check_signals()?;
        }
        Ok(whole)
    }
}
