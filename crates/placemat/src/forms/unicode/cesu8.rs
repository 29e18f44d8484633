//! CESU-8. Unicode Technical Report #26.
//!
//! The units of UTF-16, each written as UTF-8 writes the code point of the same value.
//!
//! | | UTF-8 | CESU-8 |
//! | --- | --- | --- |
//! | 0000..FFFF without surrogates | one to three bytes | the same |
//! | 10000..10FFFF | four bytes, F0..F4 first | six: ED A0..AF 80..BF ED B0..BF 80..BF |
//! | ED A0..BF 80..BF alone | ill-formed | ill-formed |
//! | F0..F4 | leads of four bytes | ill-formed |
//! | binary order | that of code points | that of UTF-16 units |
//!
//! Accepted by [`Cesu8`] is exactly this. An unpaired half is one error of three bytes, and what follows it is read as if
//! nothing had been there. [`Cesu8Mixed`] reads sequences of four bytes too, which databases have side by side with pairs.
//! With [`ErrorPolicy::SurrogatePass`](crate::ErrorPolicy::SurrogatePass) halves are kept.
//!
//! Known to disagree: Oracle calls it `UTF8`; `MySQL`'s `utf8mb3` is often said to be it and is not, for it has no code
//! points above U+FFFF at all. It is not for interchange, and forbidden on the web.

use crate::forms::form::{Bulk, EncodeStep, EncodingForm, Form, Names, Repertoire, Step};
use crate::forms::unicode::generalized::{self, Rules};
use crate::forms::unicode::utf8;
use crate::ground::code_point::CodePoint;
use crate::ground::policy::Span;

/// CESU-8: UTF-16 units in one to three bytes each.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cesu8;

/// CESU-8 in which sequences of four bytes are read as UTF-8 reads them. Written as CESU-8. No [`Encoding`](crate::Encoding)
/// of its own.
///
/// ```
/// use placemat::{convert, ErrorPolicy, forms::{Cesu8, Cesu8Mixed}};
/// let mixed = b"\xED\xA0\xBD\xED\xB8\x80 \xF0\x9F\x98\x80";
/// assert_eq!(convert::decode::<Cesu8Mixed>(mixed, ErrorPolicy::Stop)?, "😀 😀");
/// let e = convert::decode::<Cesu8>(mixed, ErrorPolicy::Stop).unwrap_err();
/// assert_eq!((e.offset(), e.code()), (7, "four-byte-lead"));
/// # Ok::<(), placemat::ConvertError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Cesu8Mixed;

const STRICT: Rules =
    Rules { nul: true, long_nul: false, overlong: false, four: false, pairs: true, lone: false };
const MIXED: Rules = Rules { four: true, ..STRICT };

/// What the two differ in, and nothing else.
macro_rules! cesu8 {
    ($form:ty, $rules:expr, $bulk:expr, $names:expr) => {
        impl EncodingForm for $form {}

        impl Form for $form {
            type Unit = u8;
            type State = ();

            const NAMES: Names = $names;
            const MAX_UNITS: usize = 6;
            const REPERTOIRE: Repertoire = Repertoire::Scalar;
            const SIGNATURE: &'static [u8] = b"\xEF\xBB\xBF";
            const SURROGATE_PATTERN: bool = true;

            #[inline(always)]
            fn is_ascii_compatible((): &()) -> bool {
                true
            }

            #[inline(always)]
            fn bulk((): &()) -> Bulk {
                $bulk
            }

            #[inline]
            fn decode_step((): &mut (), src: &[u8]) -> Step {
                generalized::decode_step($rules, src)
            }

            #[inline]
            fn decode_end((): &mut (), src: &[u8]) -> Step {
                generalized::at_end($rules, src)
            }

            #[inline]
            fn encode_step((): &mut (), c: CodePoint, dst: &mut [u8]) -> EncodeStep {
                generalized::encode_units(c, dst)
            }

            /// ED A0..BF 80..BF, half a pair.
            fn decode_surrogate((): &(), src: &[u8]) -> Option<Step> {
                utf8::decode_surrogate(src)
            }

            fn span((): &(), rule: Span, src: &[u8], maximal: usize, last: bool) -> Option<usize> {
                utf8::span(rule, src, maximal, last, utf8::nominal_len(src[0]))
            }
        }
    };
}

cesu8!(
    Cesu8,
    STRICT,
    Bulk::Cesu8,
    Names {
        name: "CESU-8",
        labels: &["cscesu8", "cscesu-8", "ibm-9400", "cp9400", "9400", "utf8(oracle)"],
        web_labels: &[],
        about: "The units of UTF-16 as UTF-8 would write each: six bytes above U+FFFF. For internal use; Oracle's UTF8.",
        specified_in: "Unicode Technical Report #26",
    }
);
cesu8!(
    Cesu8Mixed,
    MIXED,
    Bulk::None,
    Names {
        name: "CESU-8 mixed with UTF-8",
        labels: &[],
        web_labels: &[],
        about: "CESU-8 that is read with sequences of four bytes besides pairs of three.",
        specified_in: "Unicode Technical Report #26; RFC 3629",
    }
);
