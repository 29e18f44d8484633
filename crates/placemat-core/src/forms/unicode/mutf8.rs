//! Modified UTF-8. `java.io.DataInput`; the Java Virtual Machine Specification, section 4.4.7; JNI, chapter 3; the Dalvik
//! executable format; the documentation of Tcl.
//!
//! UTF-16 units, paired or not, each written as UTF-8 writes the code point of the same value, except U+0000.
//!
//! | | UTF-8 | [`ModifiedUtf8`] | [`JavaUtf`] | [`TclUtf8`] |
//! | --- | --- | --- | --- | --- |
//! | U+0000 | 00 | C0 80 | read: both | read: both |
//! | 10000..10FFFF | four bytes | three and three | three and three | read: both |
//! | half a surrogate pair | ill-formed | three bytes | three bytes | three bytes |
//! | overlong | ill-formed | ill-formed, but for C0 80 | read, of two and three bytes | ill-formed, but for C0 80 |
//! | F0..F4 | leads of four bytes | ill-formed | ill-formed | leads of four bytes |
//!
//! The encoders of all three write the same bytes. The decoders join surrogate pairs, so that text
//! of scalar values round trips. They keep unpaired surrogates, which not every target can
//! represent. The framings, such as byte counts, are not part of the form: [`mutf8`](crate::mutf8)
//! has them.
//!
//! `JavaUtf` accepts the input of `DataInput.readUTF`. **It reads ASCII from other bytes** (C1 81
//! is `A`), which can slip past a check that looks for ASCII. `TclUtf8` reads the internal form of
//! Tcl 8 (surrogate pairs) and of Tcl 9 (four bytes); Tcl reads all other bytes as ISO-8859-1, as
//! [`ErrorPolicy::Latin1`](crate::ErrorPolicy::Latin1) does.
//!
//! Known to disagree: ordinary Java I/O named "UTF-8" is UTF-8. The JNI functions of some virtual machines write four bytes.

use crate::forms::facts::{AsciiBytes, LikeUtf8};
use crate::forms::form::{Bulk, EncodeStep, EncodingForm, Facts, Form, Names, Repertoire, Step};
use crate::forms::names::labels;
use crate::forms::unicode::generalized::{self, Rules};
use crate::forms::unicode::utf8;
use crate::ground::code_point::CodePoint;
use crate::ground::policy::Span;

/// Modified UTF-8, strict: accepts only what Java writes.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModifiedUtf8;

/// Modified UTF-8 as `DataInput.readUTF` reads it.
#[derive(Clone, Copy, Debug, Default)]
pub struct JavaUtf;

/// The internal form of strings in Tcl 8 and 9.
#[derive(Clone, Copy, Debug, Default)]
pub struct TclUtf8;

const STRICT: Rules =
    Rules { nul: false, long_nul: true, overlong: false, four: false, pairs: true, lone: true };
const JAVA: Rules = Rules { nul: true, overlong: true, ..STRICT };
const TCL: Rules = Rules { nul: true, four: true, ..STRICT };

/// Implements a form from the parts in which the three forms differ.
macro_rules! mutf8 {
    ($form:ty, $rules:expr, $bulk:expr, $names:expr) => {
        impl EncodingForm for $form {}

        impl Form for $form {
            type Unit = u8;
            type State = ();

            const NAMES: Names = $names;
            const FACTS: Facts = Facts {
                signature: b"\xEF\xBB\xBF",
                surrogate_pattern: true,
                utf8_markers: true,
                // An overlong sequence may encode ASCII.
                ascii: if $rules.overlong { AsciiBytes::NotOnly } else { AsciiBytes::Always },
                takes_escapes: !$rules.overlong,
                // Two sequences are U+0000.
                one_to_one: !$rules.nul,
                ascii_but: Some(b"\0"),
                like_utf8: LikeUtf8::Units,
                bulk: $bulk,
                ..Facts::new(Repertoire::CodePoint, 6)
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
                if c.value() == 0 {
                    let Some(to) = dst.first_chunk_mut() else { return EncodeStep::NoRoom };
                    *to = [0xC0, 0x80];
                    return EncodeStep::Written(2);
                }
                generalized::encode_units(c, dst)
            }

            fn span((): &(), rule: Span, src: &[u8], maximal: usize, last: bool) -> Option<usize> {
                utf8::span(rule, src, maximal, last, utf8::nominal_len)
            }
        }
    };
}

mutf8!(
    ModifiedUtf8,
    STRICT,
    Bulk::ModifiedUtf8,
    Names {
        name: "Modified UTF-8",
        labels: labels!["mutf-8", "java-modified-utf8", "x-modified-utf8", "jni-utf-8", "dex-utf-8"],
        web_labels: labels![],
        about: "Java's form: UTF-16 units, each as UTF-8 would write it, and U+0000 as C0 80.",
        specified_in: "java.io.DataInput; JVM Specification section 4.4.7",
    }
);
mutf8!(
    JavaUtf,
    JAVA,
    Bulk::None,
    Names {
        name: "Java-UTF",
        labels: labels!["readutf", "java-readutf", "mutf-8-lenient"],
        web_labels: labels![],
        about: "Modified UTF-8 as DataInput.readUTF reads it, with overlong sequences and zero bytes.",
        specified_in: "java.io.DataInput",
    }
);
mutf8!(
    TclUtf8,
    TCL,
    Bulk::None,
    Names {
        name: "Tcl-UTF-8",
        labels: labels!["utf-8-tcl", "tcl"],
        web_labels: labels![],
        about: "Tcl's internal form: Modified UTF-8 that also reads zero bytes and sequences of four bytes.",
        specified_in: "Tcl documentation, Tcl_UtfToExternal",
    }
);
