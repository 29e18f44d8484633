//! UTF-8 of the Basic Multilingual Plane: the `utf8mb3` of `MySQL` and `MariaDB`. `MySQL` reference manual, "The utf8mb3
//! Character Set".
//!
//! | | UTF-8 | `utf8mb3` |
//! | --- | --- | --- |
//! | 0000..FFFF without surrogates | one to three bytes | one to three bytes |
//! | 10000..10FFFF | four bytes, F0..F4 first | unmappable |
//! | F0..F4 | leads of four bytes | ill-formed |
//! | ED A0..BF 80..BF | ill-formed | ill-formed |
//!
//! A text without sequences of four bytes is the same in both. Known to disagree: it is often taken
//! for CESU-8, which writes the code points above U+FFFF as surrogate pairs; `utf8mb3` cannot
//! represent them. `MySQL` without its strict mode truncates a text before such a code point.

use crate::forms::facts::LikeUtf8;
use crate::forms::form::{EncodeStep, EncodingForm, Facts, Form, Names, Repertoire, Step};
use crate::forms::names::labels;
use crate::forms::unicode::utf8;
use crate::ground::code_point::CodePoint;
use crate::ground::error::IllFormedKind;
use crate::ground::policy::Span;

/// UTF-8 without sequences of four bytes: `MySQL`'s `utf8mb3`.
///
/// ```
/// use placemat::{convert, ErrorPolicy, UnmappablePolicy, forms::Utf8Mb3};
/// assert_eq!(convert::decode::<Utf8Mb3>("5 €".as_bytes(), ErrorPolicy::Stop)?, "5 €");
/// let e = convert::decode::<Utf8Mb3>("5 😀".as_bytes(), ErrorPolicy::Stop).unwrap_err();
/// assert_eq!((e.offset(), e.code()), (2, "four-byte-lead"));
/// assert!(convert::encode::<Utf8Mb3>("😀", UnmappablePolicy::Stop).is_err());
/// # Ok::<(), placemat::ConvertError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Utf8Mb3;

impl EncodingForm for Utf8Mb3 {}

impl Form for Utf8Mb3 {
    type Unit = u8;
    type State = ();

    const NAMES: Names = Names {
        name: "UTF-8 (BMP only)",
        labels: labels!["utf8mb3", "utf8(mysql)"],
        web_labels: labels![],
        about: "UTF-8 without sequences of four bytes: the former utf8 of MySQL.",
        specified_in: "MySQL Reference Manual, The utf8mb3 Character Set",
    };
    const FACTS: Facts = Facts {
        signature: b"\xEF\xBB\xBF",
        surrogate_pattern: true,
        like_utf8: LikeUtf8::Units,
        ..Facts::new(Repertoire::BmpScalar, 3).marked_like_utf8()
    };

    #[inline]
    fn decode_step((): &mut (), src: &[u8]) -> Step {
        match src[0] {
            0xF0..=0xF4 => Step::IllFormed { len: 1, seen: 1, kind: IllFormedKind::FourByteLead },
            _ => utf8::decode_step(src),
        }
    }

    #[inline]
    fn encode_step((): &mut (), c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        utf8::encode_step(c, dst)
    }

    #[inline]
    fn decode_surrogate((): &(), src: &[u8]) -> Option<Step> {
        utf8::decode_surrogate(src)
    }

    #[inline]
    fn span((): &(), rule: Span, src: &[u8], maximal: usize, last: bool) -> Option<usize> {
        utf8::span(rule, src, maximal, last, utf8::nominal_len)
    }
}
