//! The single-byte charsets: ISO 8859, Windows, DOS, EBCDIC, Mac OS, and national ones.
//!
//! Each is a table of at most 256 code points. [`Names::specified_in`] names its specification; `tables/README.md` lists
//! the sources of the tables and the choices where authorities differ.
//!
//! | | UTF-8 | single-byte charsets |
//! | --- | --- | --- |
//! | sequence | 1 to 4 bytes | 1 byte |
//! | repertoire | scalar values | at most 256 of U+0000..U+FFFF |
//! | bytes below 80 | ASCII | ASCII in most; not in EBCDIC, ISO 646 and some others |
//! | ill-formed | by structure | a byte to which the table assigns nothing: an error of one byte |
//!
//! The decoder accepts only the bytes that the table assigns. The encoder writes exactly the code
//! points of the table, with no best fit. Where several bytes mean one code point, it writes the
//! byte that ICU, glibc and Java write. That is not always the lowest (Thai tone marks of the IBM
//! pages); the data names it. Python writes punctuation of Mac OS Arabic and Farsi with the bytes
//! from A0 up, which Apple has for text from right to left; here, as in Java, ASCII stays ASCII.
//!
//! # Variants
//! Labels of the WHATWG Encoding Standard mean its charsets, apart from `latin1`, `iso-8859-1` and `ascii`. So
//! `iso-8859-9` is windows-1254, `iso-8859-11` and `tis-620` are windows-874, and `koi8-u` and `koi8-ru` are the web's
//! KOI8-U; the true ones are `x-ISO-8859-9`, `x-ISO-8859-11`, `x-TIS-620`, `x-KOI8-U` and `x-KOI8-RU`.
//!
//! Programs disagree about: the bytes that the Windows pages leave open (C1 controls here where the
//! web has them; Python, glibc and Java refuse them); 1A, 1C and 7F of the DOS pages (controls as
//! in ASCII here; ICU exchanges them); byte E6 of the DOS pages (U+00B5 here; U+03BC in ICU); 15
//! and 25 of EBCDIC (NEL and LF here; Java reads both as LF; z/OS Unix exchanges them, as the
//! charsets with `-S390` do); the currency sign of the Mac sets (the euro sign here; Java has the
//! older U+00A4). [`ebcdic`](crate::ebcdic) exchanges 15 and 25 in any page.

mod charset;
#[rustfmt::skip]
mod list;
#[cfg(test)]
mod tests;

pub(crate) use self::charset::SingleByte;
use self::charset::{ALL, Charset, Table, names};
pub(crate) use self::list::charsets;
use crate::ebcdic::exchanged::{Exchanged, Page};
use placemat_core::forms::descriptor::{Carried, Row, Words};
use placemat_core::forms::form::{
    AsciiBytes, Bulk, CharsetFunctions, EncodeStep, Facts, Form, Names, Repertoire, Step,
};
use placemat_core::forms::names::labels;
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::error::{IllFormedKind, UnmappableKind};
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
use placemat_core::ground::utf16::Unit;
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
use placemat_core::kernels::single_byte::SingleByteEncoder;
use placemat_core::kernels::single_byte::UNDEFINED;

impl SingleByte {
    #[inline(always)]
    fn table(self) -> Table {
        Charset::of(self).table()
    }

    /// The code point of `byte`, or [`UNDEFINED`].
    #[inline]
    pub(crate) fn code_point(self, byte: u8) -> u16 {
        match self.table() {
            Table::Ascii(_) if byte.is_ascii() => byte.into(),
            Table::Ascii(table) => u16::from_le_bytes(table[usize::from(byte & 0x7F)]),
            Table::Full(table) => u16::from_le_bytes(table[usize::from(byte)]),
        }
    }

    /// The byte that the encoder writes for `c`.
    #[inline]
    #[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
    pub(crate) fn byte_of(self, c: u16) -> Option<u8> {
        let chosen = Charset::of(self).preferred().iter().find(|&&byte| self.code_point(byte) == c);
        if chosen.is_some() {
            return chosen.copied();
        }
        let (first, table) = match self.table() {
            Table::Ascii(_) if c < 0x80 => return u8::try_from(c).ok(),
            Table::Ascii(table) => (0x80, &table[..]),
            Table::Full(table) => (0, &table[..]),
        };
        let place = table.iter().position(|&known| u16::from_le_bytes(known) == c && c != UNDEFINED)?;
        u8::try_from(first + place).ok()
    }

    /// The byte that the encoder writes for `c`.
    #[inline]
    #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
    pub(crate) fn byte_of(self, c: u16) -> Option<u8> {
        let encoder: &SingleByteEncoder = self.encoder();
        encoder.byte_of(c.into())
    }

    /// Reads defined bytes as UTF-16, a unit each, in little-endian order. Returns the number of bytes, and of units.
    #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
    #[inline(always)]
    pub(crate) fn to_units(self, src: &[u8], units: &mut [[u8; 2]]) -> (usize, usize) {
        #[inline(always)]
        fn each(src: &[u8], units: &mut [[u8; 2]], unit: impl Fn(u8) -> [u8; 2]) -> usize {
            let mut count = 0;
            for (&byte, slot) in src.iter().zip(units) {
                let unit = unit(byte);
                if unit == UNDEFINED.to_le_bytes() {
                    break;
                }
                *slot = unit;
                count += 1;
            }
            count
        }
        let count =
            match self.table() {
                Table::Ascii(table) => each(src, units, |byte| {
                    if byte.is_ascii() { [byte, 0] } else { table[usize::from(byte & 0x7F)] }
                }),
                Table::Full(table) => each(src, units, |byte| table[usize::from(byte)]),
            };
        (count, count)
    }

    /// Writes units of UTF-16, up to one that the charset lacks. Returns the number of units, and of bytes.
    #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
    fn write_units(self, units: &[Unit], dst: &mut [u8]) -> (usize, usize) {
        let encoder: &SingleByteEncoder = self.encoder();
        let mut count = 0;
        for (&unit, slot) in units.iter().zip(dst) {
            let Some(byte) = encoder.byte_of(u16::from_le_bytes(unit).into()) else { break };
            *slot = byte;
            count += 1;
        }
        (count, count)
    }

    /// The number of bytes at the start of `src` that are defined.
    #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
    pub(crate) fn defined_prefix(self, src: &[u8]) -> usize {
        src.iter().position(|&byte| self.code_point(byte) == UNDEFINED).unwrap_or(src.len())
    }
}

/// The tables of the kernels, made on the first use of a charset: all of them together would take a megabyte.
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
pub(crate) mod kernel_tables {
    use super::charset::COUNT;
    use super::{Charset, SingleByte, Table};
    use placemat_core::forms::form::{CharsetFunctions, SingleByteTables};
    use placemat_core::ground::once::Once;
    use placemat_core::kernels::Moved;
    use placemat_core::kernels::dispatch::Kernels;
    use placemat_core::kernels::portable::single_byte::{few_to_utf8, utf8_to_single_byte};
    use placemat_core::kernels::single_byte::{
        IDENTITY, Rows, SingleByteDecoder, SingleByteEncoder, SingleByteUnits,
    };

    /// A text of at most this many bytes is converted a character at a time: calling a kernel takes
    /// longer.
    const MAX_SCALAR_BYTES: usize = 16;

    static DECODERS: [Once<SingleByteDecoder>; COUNT] = [const { Once::new() }; COUNT];
    static ENCODERS: [Once<SingleByteEncoder<Rows>>; COUNT] = [const { Once::new() }; COUNT];
    static UNITS: [Once<SingleByteUnits>; COUNT] = [const { Once::new() }; COUNT];

    /// The functions of the family, which the engine calls.
    pub(super) const FUNCTIONS: CharsetFunctions = CharsetFunctions {
        family: "single-byte",
        is_stateless: true,
        prefix: |member, src| SingleByte::of(member).defined_prefix(src),
        to_utf8: |member, src, dst| to_utf8(SingleByte::of(member).decoder(), src, dst),
        from_utf8: |member, src, dst| from_utf8(SingleByte::of(member).encoder(), src, dst),
        to_units: |member, src, units| SingleByte::of(member).to_units(src, units),
        from_units: |member, units, dst| SingleByte::of(member).write_units(units, dst),
        single: Some(SingleByteTables {
            code_points: |member, code_points| SingleByte::of(member).put_code_points(code_points),
            decoder: |member| SingleByte::of(member).decoder(),
            units: |member| SingleByte::of(member).units(),
            encoder: |member| SingleByte::of(member).encoder(),
        }),
    };

    /// Converts the defined bytes at the start of `src` to UTF-8.
    #[inline]
    pub(super) fn to_utf8(decoder: &SingleByteDecoder, src: &[u8], dst: &mut [u8]) -> Moved {
        if src.len() <= MAX_SCALAR_BYTES {
            few_to_utf8(decoder, src, dst)
        } else {
            Kernels::current().single_byte_to_utf8(decoder, src, dst)
        }
    }

    /// Converts UTF-8 up to the first code point that the charset lacks.
    #[inline]
    pub(super) fn from_utf8(encoder: &SingleByteEncoder<Rows>, src: &[u8], dst: &mut [u8]) -> Moved {
        if src.len() <= MAX_SCALAR_BYTES {
            utf8_to_single_byte(encoder, src, dst)
        } else {
            Kernels::current().utf8_to_single_byte(encoder, src, dst)
        }
    }

    impl SingleByte {
        /// The code point of each byte, or [`UNDEFINED`](super::UNDEFINED).
        pub(crate) fn code_points(self) -> [u16; 256] {
            let mut code_points = IDENTITY;
            self.put_code_points(&mut code_points);
            code_points
        }

        /// Puts the code point of each byte in the place of that of ISO-8859-1.
        #[inline(always)]
        pub(crate) fn put_code_points(self, code_points: &mut [u16; 256]) {
            match self.table() {
                Table::Ascii(upper) => {
                    for (c, &cell) in code_points[0x80..].iter_mut().zip(upper) {
                        *c = u16::from_le_bytes(cell);
                    }
                }
                Table::Full(table) => *code_points = table.map(u16::from_le_bytes),
            }
        }

        /// The table of the kernel to UTF-8.
        #[inline]
        pub(crate) fn decoder(self) -> &'static SingleByteDecoder {
            DECODERS[self as usize].get_or_make(|| SingleByteDecoder::new(&self.code_points()))
        }

        /// The table of the kernels from UTF-8 and UTF-16.
        #[inline]
        pub(crate) fn encoder(self) -> &'static SingleByteEncoder<Rows> {
            ENCODERS[self as usize].get_or_make(|| {
                let (code_points, written) = (self.code_points(), Charset::of(self).preferred());
                SingleByteEncoder::preferring(&code_points, written)
            })
        }

        /// The table of the kernel to UTF-16.
        #[inline]
        pub(crate) fn units(self) -> &'static SingleByteUnits {
            UNITS[self as usize].get_or_make(|| SingleByteUnits::new(&self.code_points()))
        }
    }
}

/// The tables of the kernels for pages of EBCDIC in which the bytes 15 and 25 are exchanged.
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
mod exchanged_tables {
    use super::charset::COUNT;
    use super::kernel_tables::{self, from_utf8, to_utf8};
    use super::{Charset, SingleByte, UNDEFINED};
    use crate::ebcdic::exchanged::{exchange, exchange_all};
    use alloc::vec::Vec;
    use placemat_core::forms::form::{CharsetFunctions, SingleByteTables};
    use placemat_core::ground::once::Once;
    use placemat_core::kernels::single_byte::{
        IDENTITY, Rows, SingleByteDecoder, SingleByteEncoder, SingleByteUnits,
    };

    static DECODERS: [Once<SingleByteDecoder>; COUNT] = [const { Once::new() }; COUNT];
    static ENCODERS: [Once<SingleByteEncoder<Rows>>; COUNT] = [const { Once::new() }; COUNT];
    static UNITS: [Once<SingleByteUnits>; COUNT] = [const { Once::new() }; COUNT];

    /// The functions of the family, which the engine calls.
    pub(super) const FUNCTIONS: CharsetFunctions = CharsetFunctions {
        family: "single-byte, exchanged",
        is_stateless: true,
        // Both bytes are defined.
        prefix: kernel_tables::FUNCTIONS.prefix,
        to_utf8: |member, src, dst| to_utf8(decoder(member), src, dst),
        from_utf8: |member, src, dst| from_utf8(encoder(member), src, dst),
        to_units: |member, src, units| {
            let page = SingleByte::of(member);
            let mut count = 0;
            for (&byte, slot) in src.iter().zip(units) {
                let unit = page.code_point(exchange(byte));
                if unit == UNDEFINED {
                    break;
                }
                *slot = unit.to_le_bytes();
                count += 1;
            }
            (count, count)
        },
        from_units: |member, units, dst| {
            let (read, written) = SingleByte::of(member).write_units(units, dst);
            exchange_all(&mut dst[..written]);
            (read, written)
        },
        single: Some(SingleByteTables { code_points: put_code_points, decoder, units, encoder }),
    };

    fn put_code_points(member: u16, code_points: &mut [u16; 256]) {
        SingleByte::of(member).put_code_points(code_points);
        code_points.swap(0x15, 0x25);
    }

    fn code_points(member: u16) -> [u16; 256] {
        let mut code_points = IDENTITY;
        put_code_points(member, &mut code_points);
        code_points
    }

    fn decoder(member: u16) -> &'static SingleByteDecoder {
        DECODERS[usize::from(member)].get_or_make(|| SingleByteDecoder::new(&code_points(member)))
    }

    fn encoder(member: u16) -> &'static SingleByteEncoder<Rows> {
        ENCODERS[usize::from(member)].get_or_make(|| {
            let preferred = Charset::of(SingleByte::of(member)).preferred();
            let preferred: Vec<u8> = preferred.iter().copied().map(exchange).collect();
            SingleByteEncoder::preferring(&code_points(member), &preferred)
        })
    }

    fn units(member: u16) -> &'static SingleByteUnits {
        UNITS[usize::from(member)].get_or_make(|| SingleByteUnits::new(&code_points(member)))
    }
}

impl Carried for SingleByte {
    const START: Words = Words::new([]);
    #[inline(always)]
    fn take(member: u16, _: &Words) -> Self {
        Self::of(member)
    }
    #[inline(always)]
    fn put(self, _: &mut Words) {}
}

impl SingleByte {
    /// The member with a number.
    #[inline(always)]
    fn of(member: u16) -> Self {
        ALL[usize::from(member)]
    }

    pub(crate) const fn row(self) -> Row {
        const NOT_ONLY: Facts = Facts { ascii: AsciiBytes::NotOnly, ..ByTable::FACTS };
        const DOUBLES: Facts = Facts { one_to_one: false, ..ByTable::FACTS };
        let charset = Charset::of(self);
        let facts = match (charset.ascii_bytes(), charset.has_doubles()) {
            (AsciiBytes::Always, false) => const { &ByTable::FACTS.ascii_compatible() },
            (AsciiBytes::Always, true) => const { &DOUBLES.ascii_compatible() },
            (AsciiBytes::NotOnly, false) => &NOT_ONLY,
            (AsciiBytes::NotOnly, true) => const { &Facts { one_to_one: false, ..NOT_ONLY } },
            (_, false) => const { &ByTable::FACTS },
            (_, true) => &DOUBLES,
        };
        Row::member::<ByTable>(self as u16, names(self as usize), facts)
    }

    /// Returns the row of a page of EBCDIC with the bytes 15 and 25 exchanged.
    pub(crate) const fn exchanged_row(self) -> Row {
        const FACTS: Facts = Facts { functions: EXCHANGED_FUNCTIONS, ..ByTable::FACTS };
        let charset = Charset::of(self);
        assert!(matches!(charset.ascii_bytes(), AsciiBytes::Never), "EBCDIC is not ASCII");
        let facts: &Facts =
            if charset.has_doubles() { const { &Facts { one_to_one: false, ..FACTS } } } else { &FACTS };
        Row::member::<Exchanged<ByTable>>(self as u16, names(self as usize), facts)
    }
}

/// The functions of the family: they need memory for tables, and a place to keep them.
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
const FUNCTIONS: Option<&CharsetFunctions> = Some(&kernel_tables::FUNCTIONS);
#[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
const FUNCTIONS: Option<&CharsetFunctions> = None;
/// The functions of the pages of EBCDIC with two bytes exchanged.
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
const EXCHANGED_FUNCTIONS: Option<&CharsetFunctions> = Some(&exchanged_tables::FUNCTIONS);
#[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
const EXCHANGED_FUNCTIONS: Option<&CharsetFunctions> = None;

/// A byte for each code point, by the table of a charset: the form of the family [`SingleByte`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ByTable;

impl Page for ByTable {
    #[inline(always)]
    fn exchanged_bulk(charset: &SingleByte) -> Bulk {
        Bulk::of(EXCHANGED_FUNCTIONS, *charset as u16)
    }
}

impl Form for ByTable {
    type Unit = u8;
    type State = SingleByte;

    const NAMES: Names = Names {
        name: "single-byte",
        labels: labels![],
        web_labels: labels![],
        about: "A byte for each code point, by the table of a charset.",
        specified_in: "See each charset.",
    };
    const FACTS: Facts = Facts { functions: FUNCTIONS, ..Facts::new(Repertoire::Table, 1) };

    fn names(member: u16) -> Names {
        names(member.into())
    }

    #[inline(always)]
    fn bulk(charset: &SingleByte) -> Bulk {
        Bulk::of(FUNCTIONS, *charset as u16)
    }

    #[inline]
    fn decode_step(charset: &mut SingleByte, src: &[u8]) -> Step {
        match charset.code_point(src[0]) {
            UNDEFINED => Step::IllFormed { len: 1, seen: 1, kind: IllFormedKind::Undefined },
            c => Step::CodePoint { value: CodePoint::from_u16(c), len: 1 },
        }
    }

    #[inline]
    fn encode_step(charset: &mut SingleByte, c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        let byte = u16::try_from(c.value()).ok().and_then(|c| charset.byte_of(c));
        match (byte, dst.first_mut()) {
            (None, _) => EncodeStep::Unmappable(UnmappableKind::NotInRepertoire),
            (_, None) => EncodeStep::NoRoom,
            (Some(byte), Some(slot)) => {
                *slot = byte;
                EncodeStep::Written(1)
            }
        }
    }
}
