//! UTF-32. The Unicode Standard, chapter 3, D90 and D99..D101.
//!
//! Each unit of 32 bits is a scalar value. `Utf32<Native>` is the encoding form, a sequence of `u32`; `Utf32<Le>` and
//! `Utf32<Be>` are the encoding schemes without a byte order mark. A surrogate or a value above 10FFFF is an error of one
//! unit. Input that ends within a unit is one error of the bytes left. The web does not support UTF-32 and reads its
//! little-endian signature as UTF-16LE.

use crate::forms::form::{Bulk, EncodeStep, EncodingForm, Form, Names, Repertoire, Step};
use crate::forms::names::labels;
use crate::forms::unicode::by_bom::{ByBom, Signed};
use crate::ground::code_point::CodePoint;
use crate::ground::error::IllFormedKind;
use crate::ground::unit::{Be, ByteOrder, Le, Native};
use core::marker::PhantomData;

/// UTF-32 in the byte order `O`, or in `u32` units for `O = Native`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Utf32<O>(PhantomData<O>);

/// The facts about `Utf32<O>` for one byte order: its names, and its name for the kernels.
pub trait Utf32Order: ByteOrder {
    /// The names of UTF-32 in this order.
    const UTF32: Names;
    /// U+FEFF in this order.
    const UTF32_SIGNATURE: &'static [u8];
    /// Its name for the kernels.
    const UTF32_BULK: Bulk;
}

const SPECIFIED_IN: &str = "Unicode Standard chapter 3, D90";

impl Utf32Order for Le {
    const UTF32: Names = Names {
        name: "UTF-32LE",
        labels: labels!["utf_32_le", "csutf32le", "cp12000"],
        web_labels: labels![],
        about: "32-bit units, least significant byte first.",
        specified_in: SPECIFIED_IN,
    };
    const UTF32_SIGNATURE: &'static [u8] = b"\xFF\xFE\0\0";
    const UTF32_BULK: Bulk = Bulk::Utf32Le;
}

impl Utf32Order for Be {
    const UTF32: Names = Names {
        name: "UTF-32BE",
        labels: labels!["utf_32_be", "csutf32be", "cp12001"],
        web_labels: labels![],
        about: "32-bit units, most significant byte first.",
        specified_in: SPECIFIED_IN,
    };
    const UTF32_SIGNATURE: &'static [u8] = b"\0\0\xFE\xFF";
    const UTF32_BULK: Bulk = Bulk::Utf32Be;
}

impl Utf32Order for Native {
    const UTF32: Names = Names {
        name: "UTF-32 units",
        labels: labels![],
        web_labels: labels![],
        about: "32-bit units as machine integers.",
        specified_in: SPECIFIED_IN,
    };
    const UTF32_SIGNATURE: &'static [u8] = &[];
    const UTF32_BULK: Bulk = Bulk::Utf32;
}

impl<O: Utf32Order> EncodingForm for Utf32<O> {}

impl<O: Utf32Order> Form for Utf32<O> {
    type Unit = O::Unit32;
    type State = ();

    const BULK: Bulk = O::UTF32_BULK;
    const NAMES: Names = O::UTF32;
    const MAX_UNITS: usize = O::PER_32;
    const REPERTOIRE: Repertoire = Repertoire::Scalar;
    const SIGNATURE: &'static [u8] = O::UTF32_SIGNATURE;
    const SURROGATE_PATTERN: bool = true;
    const UNITS_PER_ERROR: usize = O::PER_32;

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

    /// The unit itself.
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
