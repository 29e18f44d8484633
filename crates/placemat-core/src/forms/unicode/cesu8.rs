//! CESU-8. Unicode Technical Report #26.
//!
//! The units of UTF-16, each written as UTF-8 writes the code point of the same value.
//!
//! | | UTF-8 | CESU-8 |
//! | --- | --- | --- |
//! | 0000..FFFF without surrogates | one to three bytes | one to three bytes |
//! | 10000..10FFFF | four bytes, F0..F4 first | six: ED A0..AF 80..BF ED B0..BF 80..BF |
//! | ED A0..BF 80..BF alone | ill-formed | ill-formed |
//! | F0..F4 | leads of four bytes | ill-formed |
//! | binary order | that of code points | that of UTF-16 units |
//!
//! [`Cesu8`] accepts exactly this. An unpaired surrogate is one error of three bytes, and does not affect the text after
//! it. [`Cesu8Mixed`] also reads sequences of four bytes, which databases hold side by side with pairs.
//! [`ErrorPolicy::SurrogatePass`](crate::ErrorPolicy::SurrogatePass) keeps unpaired surrogates.
//!
//! Known to disagree: Oracle calls it `UTF8`. `MySQL`'s `utf8mb3` is often taken for CESU-8, but has no code points above
//! U+FFFF at all. CESU-8 is not for interchange, and the web forbids it.

use crate::forms::facts::LikeUtf8;
use crate::forms::form::{Bulk, EncodeStep, EncodingForm, Facts, Form, Names, Repertoire, Step};
use crate::forms::names::labels;
use crate::forms::unicode::generalized::{self, Rules};
use crate::forms::unicode::utf8;
use crate::ground::code_point::CodePoint;
use crate::ground::policy::Span;

/// CESU-8: UTF-16 units in one to three bytes each.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cesu8;

/// CESU-8 that also reads sequences of four bytes, as UTF-8 does. It writes CESU-8, and has no
/// `Encoding`.
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

/// Implements a form from the parts in which the two forms differ.
macro_rules! cesu8 {
    ($form:ty, $rules:expr, $bulk:expr, $names:expr) => {
        impl EncodingForm for $form {}

        impl Form for $form {
            type Unit = u8;
            type State = ();

            const NAMES: Names = $names;
            const FACTS: Facts = Facts {
                signature: b"\xEF\xBB\xBF",
                surrogate_pattern: true,
                like_utf8: LikeUtf8::Units,
                bulk: $bulk,
                ..Facts::new(Repertoire::Scalar, 6).marked_like_utf8()
            };

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

            /// Decodes half a surrogate pair, ED A0..BF 80..BF.
            fn decode_surrogate((): &(), src: &[u8]) -> Option<Step> {
                utf8::decode_surrogate(src)
            }

            fn span((): &(), rule: Span, src: &[u8], maximal: usize, last: bool) -> Option<usize> {
                utf8::span(rule, src, maximal, last, utf8::nominal_len)
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
        labels: labels!["cscesu8", "cscesu-8", "ibm-9400", "cp9400", "9400", "utf8(oracle)"],
        web_labels: labels![],
        about: "UTF-16 units, each as UTF-8 would write it: six bytes above U+FFFF. For internal use; Oracle's UTF8.",
        specified_in: "Unicode Technical Report #26",
    }
);
cesu8!(
    Cesu8Mixed,
    MIXED,
    Bulk::None,
    Names {
        name: "CESU-8 mixed with UTF-8",
        labels: labels![],
        web_labels: labels![],
        about: "CESU-8 that also reads sequences of four bytes.",
        specified_in: "Unicode Technical Report #26; RFC 3629",
    }
);
