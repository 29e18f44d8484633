//! UTF-16. The Unicode Standard, chapter 3, D91 and D96..D98; RFC 2781.
//!
//! | code points | units |
//! | --- | --- |
//! | 0000..D7FF, E000..FFFF | the value |
//! | 10000..10FFFF | D800 + (v >> 10), DC00 + (v & 3FF), where v = code point - 10000 |
//!
//! `Utf16<Native>` is the encoding form, a sequence of `u16`; `Utf16<Le>` and `Utf16<Be>` are the encoding schemes
//! without a byte order mark: an initial U+FEFF is text. In [`ByBom`] the mark gives the byte order. An unpaired surrogate
//! is an error of one unit, and does not affect the unit after it. Input that ends within a unit or a pair is one error of
//! all the bytes left, as in the WHATWG decoder and in `CPython`. Known to disagree: Java, `JavaScript` and Windows keep
//! unpaired surrogates.

use crate::forms::form::{Bulk, EncodeStep, EncodingForm, Facts, Form, Names, Repertoire, Step, UnitOrder};
use crate::forms::names::labels;
use crate::forms::unicode::by_bom::{ByBom, Signed};
use crate::ground::code_point::CodePoint;
use crate::ground::error::IllFormedKind;
use crate::ground::unit::{Be, ByteOrder, Le, is_lead, is_trail};
use core::marker::PhantomData;

/// UTF-16 in the byte order `O`, or in `u16` units for `O = Native`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Utf16<O>(PhantomData<O>);

const SPECIFIED_IN: &str = "Unicode Standard chapter 3, D91; RFC 2781";

const LE: Names = Names {
    name: "UTF-16LE",
    labels: labels!["utf_16_le", "csutf16le", "unicode", "unicodefeff", "cp1200", "x-utf-16le"],
    web_labels: labels![
        "csunicode",
        "iso-10646-ucs-2",
        "ucs-2",
        "unicode",
        "unicodefeff",
        "utf-16",
        "utf-16le",
    ],
    about: "16-bit units, least significant byte first; surrogate pairs above U+FFFF.",
    specified_in: SPECIFIED_IN,
};

const BE: Names = Names {
    name: "UTF-16BE",
    labels: labels!["utf_16_be", "csutf16be", "unicodefffe", "cp1201", "x-utf-16be"],
    web_labels: labels!["unicodefffe", "utf-16be"],
    about: "16-bit units, most significant byte first; surrogate pairs above U+FFFF.",
    specified_in: SPECIFIED_IN,
};

const NATIVE: Names = Names {
    name: "UTF-16 units",
    labels: labels![],
    web_labels: labels![],
    about: "16-bit units as machine integers; surrogate pairs above U+FFFF.",
    specified_in: SPECIFIED_IN,
};

impl<O: ByteOrder> EncodingForm for Utf16<O> {}

impl<O: ByteOrder> Form for Utf16<O> {
    type Unit = O::Unit16;
    type State = ();

    const NAMES: Names = O::ORDER.pick(LE, BE, NATIVE);
    const FACTS: Facts = Facts {
        signature: O::ORDER.pick::<&[u8]>(b"\xFF\xFE", b"\xFE\xFF", &[]),
        surrogate_pattern: true,
        units_per_error: O::PER_16,
        order: UnitOrder::of(O::ORDER),
        bulk: O::ORDER.pick(Bulk::Utf16Le, Bulk::Utf16Be, Bulk::Utf16),
        ..Facts::new(Repertoire::Scalar, 2 * O::PER_16)
    };

    #[inline]
    fn decode_step((): &mut (), src: &[O::Unit16]) -> Step {
        let one = O::PER_16;
        let Some(unit) = O::get16(src) else { return Step::Incomplete { needs: one - src.len() } };
        if is_trail(unit) {
            return Step::IllFormed { len: one, seen: one, kind: IllFormedKind::UnpairedTrail };
        }
        if !is_lead(unit) {
            return Step::CodePoint { value: CodePoint::from_u16(unit), len: one };
        }
        match O::get16(&src[one..]) {
            None => Step::Incomplete { needs: 2 * one - src.len() },
            Some(trail) if is_trail(trail) => {
                Step::CodePoint { value: CodePoint::from_pair(unit, trail), len: 2 * one }
            }
            Some(_) => Step::IllFormed { len: one, seen: one, kind: IllFormedKind::UnpairedLead },
        }
    }

    #[inline]
    fn encode_step((): &mut (), c: CodePoint, dst: &mut [O::Unit16]) -> EncodeStep {
        let one = O::PER_16;
        let Some((lead, trail)) = c.to_pair() else {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "a scalar value without a pair is below 10000"
            )]
            let unit = c.value() as u16;
            return EncodeStep::of(O::put16(dst, unit), one);
        };
        let room = dst.len() >= 2 * one;
        EncodeStep::of(room && O::put16(dst, lead) && O::put16(&mut dst[one..], trail), 2 * one)
    }

    /// Decodes one lone surrogate code unit.
    #[inline]
    fn decode_surrogate((): &(), src: &[O::Unit16]) -> Option<Step> {
        let unit = O::get16(src)?;
        (unit & 0xF800 == 0xD800)
            .then(|| Step::CodePoint { value: CodePoint::from_u16(unit), len: O::PER_16 })
    }
}

impl Signed for Utf16<Le> {
    const SIGNED: Names = Names {
        name: "UTF-16",
        labels: labels!["utf_16", "csutf16"],
        web_labels: labels![],
        about: "UTF-16 in the byte order of its signature, little-endian without one; written little-endian with one.",
        specified_in: SPECIFIED_IN,
    };
}

impl Signed for Utf16<Be> {
    const SIGNED: Names = Names {
        name: "UTF-16 (RFC 2781)",
        labels: labels![],
        web_labels: labels![],
        about: "UTF-16 in the byte order of its signature, big-endian without one; written big-endian with one.",
        specified_in: SPECIFIED_IN,
    };
}

/// UTF-16 in the byte order of its signature; little-endian without one.
pub type Utf16ByBom = ByBom<Utf16<Le>, Utf16<Be>>;
