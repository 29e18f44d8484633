//! UTF-32. The Unicode Standard, chapter 3, D90 and D99..D101.
//!
//! Each unit of 32 bits is a scalar value. `Utf32<Native>` is the encoding form, a sequence of `u32`; `Utf32<Le>` and
//! `Utf32<Be>` are the encoding schemes without a byte order mark. A surrogate or a value above 10FFFF is an error of one
//! unit. Input that ends within a unit is one error of the bytes left. The web does not support UTF-32 and reads its
//! little-endian signature as UTF-16LE.

use crate::forms::form::{Bulk, EncodeStep, EncodingForm, Facts, Form, Names, Repertoire, Step, UnitOrder};
use crate::forms::names::labels;
use crate::forms::unicode::by_bom::{ByBom, Signed};
use crate::ground::code_point::CodePoint;
use crate::ground::error::IllFormedKind;
use crate::ground::unit::{Be, ByteOrder, Le};
use core::marker::PhantomData;

/// UTF-32 in the byte order `O`, or in `u32` units for `O = Native`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Utf32<O>(PhantomData<O>);

const SPECIFIED_IN: &str = "Unicode Standard chapter 3, D90";

const LE: Names = Names {
    name: "UTF-32LE",
    labels: labels!["utf_32_le", "csutf32le", "cp12000"],
    web_labels: labels![],
    about: "32-bit units, least significant byte first.",
    specified_in: SPECIFIED_IN,
};

const BE: Names = Names {
    name: "UTF-32BE",
    labels: labels!["utf_32_be", "csutf32be", "cp12001"],
    web_labels: labels![],
    about: "32-bit units, most significant byte first.",
    specified_in: SPECIFIED_IN,
};

const NATIVE: Names = Names {
    name: "UTF-32 units",
    labels: labels![],
    web_labels: labels![],
    about: "32-bit units as machine integers.",
    specified_in: SPECIFIED_IN,
};

impl<O: ByteOrder> EncodingForm for Utf32<O> {}

impl<O: ByteOrder> Form for Utf32<O> {
    type Unit = O::Unit32;
    type State = ();

    const NAMES: Names = O::ORDER.pick(LE, BE, NATIVE);
    const FACTS: Facts = Facts {
        signature: O::ORDER.pick::<&[u8]>(b"\xFF\xFE\0\0", b"\0\0\xFE\xFF", &[]),
        surrogate_pattern: true,
        units_per_error: O::PER_32,
        order: UnitOrder::of(O::ORDER),
        bulk: O::ORDER.pick(Bulk::Utf32Le, Bulk::Utf32Be, Bulk::Utf32),
        ..Facts::new(Repertoire::Scalar, O::PER_32)
    };

    #[inline]
    fn decode_step((): &mut (), src: &[O::Unit32]) -> Step {
        let len = O::PER_32;
        let Some(unit) = O::get32(src) else { return Step::Incomplete { needs: len - src.len() } };
        match char::from_u32(unit) {
            Some(c) => Step::CodePoint { value: c.into(), len },
            None if unit > 0x10_FFFF => Step::IllFormed { len, seen: len, kind: IllFormedKind::TooLarge },
            None => Step::IllFormed { len, seen: len, kind: IllFormedKind::Surrogate },
        }
    }

    #[inline]
    fn encode_step((): &mut (), c: CodePoint, dst: &mut [O::Unit32]) -> EncodeStep {
        EncodeStep::of(O::put32(dst, c.value()), O::PER_32)
    }

    /// Returns the unit itself.
    #[inline]
    fn decode_surrogate((): &(), src: &[O::Unit32]) -> Option<Step> {
        let value = CodePoint::new(O::get32(src)?)?;
        value.is_surrogate().then_some(Step::CodePoint { value, len: O::PER_32 })
    }
}

impl Signed for Utf32<Le> {
    const SIGNED: Names = Names {
        name: "UTF-32",
        labels: labels!["utf_32", "csutf32"],
        web_labels: labels![],
        about: "UTF-32 in the byte order of its signature, little-endian without one; written little-endian with one.",
        specified_in: SPECIFIED_IN,
    };
}

impl Signed for Utf32<Be> {
    const SIGNED: Names = Names {
        name: "UTF-32 (big-endian by default)",
        labels: labels![],
        web_labels: labels![],
        about: "UTF-32 in the byte order of its signature, big-endian without one; written big-endian with one.",
        specified_in: SPECIFIED_IN,
    };
}

/// UTF-32 in the byte order of its signature; little-endian without one.
pub type Utf32ByBom = ByBom<Utf32<Le>, Utf32<Be>>;
