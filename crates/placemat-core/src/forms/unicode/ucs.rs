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

use crate::forms::form::{Bulk, EncodeStep, EncodingForm, Facts, Form, Names, Repertoire, Step, UnitOrder};
use crate::forms::names::{Labels, labels};
use crate::forms::unicode::by_bom::{ByBom, Signed};
use crate::forms::unicode::utf16::Utf16;
use crate::forms::unicode::utf32::Utf32;
use crate::ground::code_point::CodePoint;
use crate::ground::error::IllFormedKind;
use crate::ground::unit::{Be, ByteOrder, Le, Order};
use core::marker::PhantomData;

/// UCS-2 in the byte order `O`, or in `u16` units for `O = Native`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ucs2<O>(PhantomData<O>);

/// UCS-4 in the byte order `O`, or in `u32` units for `O = Native`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ucs4<O>(PhantomData<O>);

const fn ucs2(name: &'static str, labels: Labels, about: &'static str) -> Names {
    Names { name, labels, web_labels: labels![], about, specified_in: "ISO/IEC 10646-1:1993" }
}
use ucs2 as ucs4;

impl<O: ByteOrder> EncodingForm for Ucs2<O> {}

impl<O: ByteOrder> Form for Ucs2<O> {
    type Unit = O::Unit16;
    type State = ();

    const NAMES: Names = match O::ORDER {
        Order::Le => ucs2(
            "UCS-2LE",
            labels!["unicodelittle"],
            "One 16-bit unit a code point, least significant byte first; no pairs.",
        ),
        Order::Be => ucs2(
            "UCS-2BE",
            labels!["unicodebig"],
            "One 16-bit unit a code point, most significant byte first; no pairs.",
        ),
        Order::Native => {
            ucs2("UCS-2 units", labels![], "One 16-bit unit a code point, as machine integers; no pairs.")
        }
    };
    const FACTS: Facts = Facts {
        signature: Utf16::<O>::FACTS.signature,
        surrogate_pattern: true,
        units_per_error: O::PER_16,
        order: UnitOrder::of(O::ORDER),
        bulk: O::ORDER.pick(Bulk::Ucs2Le, Bulk::Ucs2Be, Bulk::None),
        ..Facts::new(Repertoire::Bmp, O::PER_16)
    };

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

impl<O: ByteOrder> EncodingForm for Ucs4<O> {}

impl<O: ByteOrder> Form for Ucs4<O> {
    type Unit = O::Unit32;
    type State = ();

    const NAMES: Names = match O::ORDER {
        Order::Le => {
            ucs4("UCS-4LE", labels![], "One unit of 31 bits a code point, least significant byte first.")
        }
        Order::Be => {
            ucs4("UCS-4BE", labels![], "One unit of 31 bits a code point, most significant byte first.")
        }
        Order::Native => {
            ucs4("UCS-4 units", labels![], "One unit of 31 bits a code point, as machine integers.")
        }
    };
    const FACTS: Facts = Facts {
        signature: Utf32::<O>::FACTS.signature,
        surrogate_pattern: true,
        units_per_error: O::PER_32,
        order: UnitOrder::of(O::ORDER),
        ..Facts::new(Repertoire::Bits31, O::PER_32)
    };

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
