//! UCS-2 and UCS-4. ISO/IEC 10646-1:1993, before surrogate pairs and before the code space ended at U+10FFFF.
//!
//! | form | unit | holds | differs |
//! | --- | --- | --- | --- |
//! | UCS-2 | 16 bits | U+0000..U+FFFF | from UTF-16: no pairs, a surrogate unit is a plain value |
//! | UCS-4 | 31 bits | U+0000..U+7FFFFFFF | from UTF-32: surrogates and values above 10FFFF are plain values |
//!
//! All units of UCS-2 are well-formed, and the units of UCS-4 below 80000000. Text of scalar values up to U+FFFF (in UCS-4:
//! U+10FFFF) is the same in UTF-16 (UTF-32). Without a signature, UCS-4 is big-endian, as ISO/IEC 10646 says, and UCS-2
//! little-endian, as its label is on the web (where it names UTF-16LE) and in glibc on most machines. Known to disagree: browsers and ICU
//! call UTF-16 "UCS-2"; GNU libiconv reads it big-endian.

use crate::forms::form::{EncodeStep, EncodingForm, Form, Names, Repertoire, Step};
use crate::forms::names::{Labels, labels};
use crate::forms::unicode::by_bom::{ByBom, Signed};
use crate::ground::code_point::CodePoint;
use crate::ground::error::IllFormedKind;
use crate::ground::unit::{Be, ByteOrder, Le, Native};
use core::marker::PhantomData;

/// UCS-2 in the byte order `O`, or in `u16` units for `O = Native`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ucs2<O>(PhantomData<O>);

/// UCS-4 in the byte order `O`, or in `u32` units for `O = Native`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ucs4<O>(PhantomData<O>);

/// The facts about `Ucs2<O>` and `Ucs4<O>` for one byte order.
pub trait UcsOrder: ByteOrder {
    /// The names of UCS-2 in this order.
    const UCS2: Names;
    /// The names of UCS-4 in this order.
    const UCS4: Names;
    /// U+FEFF as UCS-2 in this order.
    const UCS2_SIGNATURE: &'static [u8];
    /// U+FEFF as UCS-4 in this order.
    const UCS4_SIGNATURE: &'static [u8];
}

const fn ucs2(name: &'static str, labels: Labels, about: &'static str) -> Names {
    Names { name, labels, web_labels: labels![], about, specified_in: "ISO/IEC 10646-1:1993" }
}
use ucs2 as ucs4;

impl UcsOrder for Le {
    const UCS2: Names = ucs2(
        "UCS-2LE",
        labels!["unicodelittle"],
        "One 16-bit unit a code point, least significant byte first; no pairs.",
    );
    const UCS4: Names =
        ucs4("UCS-4LE", labels![], "One unit of 31 bits a code point, least significant byte first.");
    const UCS2_SIGNATURE: &'static [u8] = b"\xFF\xFE";
    const UCS4_SIGNATURE: &'static [u8] = b"\xFF\xFE\0\0";
}

impl UcsOrder for Be {
    const UCS2: Names = ucs2(
        "UCS-2BE",
        labels!["unicodebig"],
        "One 16-bit unit a code point, most significant byte first; no pairs.",
    );
    const UCS4: Names =
        ucs4("UCS-4BE", labels![], "One unit of 31 bits a code point, most significant byte first.");
    const UCS2_SIGNATURE: &'static [u8] = b"\xFE\xFF";
    const UCS4_SIGNATURE: &'static [u8] = b"\0\0\xFE\xFF";
}

impl UcsOrder for Native {
    const UCS2: Names =
        ucs2("UCS-2 units", labels![], "One 16-bit unit a code point, as machine integers; no pairs.");
    const UCS4: Names =
        ucs4("UCS-4 units", labels![], "One unit of 31 bits a code point, as machine integers.");
    const UCS2_SIGNATURE: &'static [u8] = &[];
    const UCS4_SIGNATURE: &'static [u8] = &[];
}

impl<O: UcsOrder> EncodingForm for Ucs2<O> {}

impl<O: UcsOrder> Form for Ucs2<O> {
    type Unit = O::Unit16;
    type State = ();

    const NAMES: Names = O::UCS2;
    const MAX_UNITS: usize = O::PER_16;
    const REPERTOIRE: Repertoire = Repertoire::Bmp;
    const SIGNATURE: &'static [u8] = O::UCS2_SIGNATURE;
    const SURROGATE_PATTERN: bool = true;
    const UNITS_PER_ERROR: usize = O::PER_16;

    #[inline]
    fn decode_step((): &mut (), src: &[O::Unit16]) -> Step {
        match O::get16(src) {
            Some(unit) => Step::CodePoint { value: CodePoint::from_u16(unit), len: O::PER_16 },
            None => Step::Incomplete { needs: O::PER_16 - src.len() },
        }
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the repertoire ends at FFFF")]
    fn encode_step((): &mut (), c: CodePoint, dst: &mut [O::Unit16]) -> EncodeStep {
        EncodeStep::of(O::put16(dst, c.value() as u16), O::PER_16)
    }
}

impl<O: UcsOrder> EncodingForm for Ucs4<O> {}

impl<O: UcsOrder> Form for Ucs4<O> {
    type Unit = O::Unit32;
    type State = ();

    const NAMES: Names = O::UCS4;
    const MAX_UNITS: usize = O::PER_32;
    const REPERTOIRE: Repertoire = Repertoire::Bits31;
    const SIGNATURE: &'static [u8] = O::UCS4_SIGNATURE;
    const SURROGATE_PATTERN: bool = true;
    const UNITS_PER_ERROR: usize = O::PER_32;

    #[inline]
    fn decode_step((): &mut (), src: &[O::Unit32]) -> Step {
        let len = O::PER_32;
        let Some(unit) = O::get32(src) else { return Step::Incomplete { needs: len - src.len() } };
        match CodePoint::new(unit) {
            Some(value) => Step::CodePoint { value, len },
            None => Step::IllFormed { len, seen: len, kind: IllFormedKind::TooLarge },
        }
    }

    #[inline]
    fn encode_step((): &mut (), c: CodePoint, dst: &mut [O::Unit32]) -> EncodeStep {
        EncodeStep::of(O::put32(dst, c.value()), O::PER_32)
    }
}

impl Signed for Ucs2<Le> {
    const SIGNED: Names = ucs2(
        "UCS-2",
        labels!["iso-10646-ucs-2", "csunicode"],
        "UCS-2 in the byte order of its signature, little-endian without one; written little-endian with one.",
    );
}

impl Signed for Ucs4<Be> {
    const SIGNED: Names = ucs4(
        "UCS-4",
        labels!["iso-10646-ucs-4", "csucs4"],
        "UCS-4 in the byte order of its signature, big-endian without one; written big-endian with one.",
    );
}

/// UCS-2 in the byte order of its signature; little-endian without one.
pub type Ucs2ByBom = ByBom<Ucs2<Le>, Ucs2<Be>>;
/// UCS-4 in the byte order of its signature; big-endian without one.
pub type Ucs4ByBom = ByBom<Ucs4<Be>, Ucs4<Le>>;
