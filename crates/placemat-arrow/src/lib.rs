//! Whole Arrow columns of text: find the ill-formed rows, mend them, decode, encode and transcode.
//!
//! Each function takes an array of bytes or text (`Binary`, `Utf8`, their large and view types, and dictionaries of
//! them) and returns an array of as many rows. A null stays a null, and the bytes below it do not matter. A text
//! array is checked like bytes: its producer may not have done so. For a chunked column, call once for each chunk.
//!
//! ```
//! use arrow_array::{Array, BinaryArray, cast::AsArray};
//! use placemat::{Encoding, ErrorPolicy};
//! let column = BinaryArray::from_opt_vec(vec![Some(b"5 \xE2\x82\xAC"), None, Some(b"caf\xE9")]);
//! let valid = placemat_arrow::is_valid(&column, Encoding::UTF_8)?;
//! assert_eq!(valid.iter().collect::<Vec<_>>(), [Some(true), None, Some(false)]);
//! let text = placemat_arrow::make_valid(&column, ErrorPolicy::Replace)?;
//! assert_eq!(text.as_string::<i32>().iter().collect::<Vec<_>>(), [Some("5 €"), None, Some("caf\u{FFFD}")]);
//! let text = placemat_arrow::decode(&column.slice(2, 1), Encoding::WINDOWS_1252, ErrorPolicy::Stop)?;
//! assert_eq!(text.as_string::<i32>().value(0), "café");
//! # Ok::<(), placemat_arrow::Error>(())
//! ```
//!
//! # Which function
//!
//! | you have | you want | use |
//! | --- | --- | --- |
//! | bytes or text | which rows are well-formed | [`is_valid`] |
//! | | the first error of each row | [`first_error`] |
//! | bytes or text that should be UTF-8 | text | [`make_valid`] |
//! | bytes in another encoding | text | [`decode`] |
//! | text | bytes in another encoding | [`encode`] |
//! | bytes in one encoding | bytes in another | [`transcode`] |
//! | bytes or text | the number of code points of each row | [`count`] |
//! | bytes of unknown origin | the probable encoding of each row | [`detect`] |
//! | damaged bytes or text | repaired text, with every change | [`repair`] |
//!
//! # Buffers
//!
//! A column that is right already comes back with the same buffers: UTF-8 that is well-formed, also
//! below nulls, and ASCII in an encoding where ASCII stays as it is. In a column of views only the
//! rows that change are copied. Dictionaries keep their keys.
//!
//! The kernels run over many rows at once: UTF-8 is validated as one text, and only the borders of rows are looked at
//! by themselves; a single-byte encoding is converted as one text.

pub(crate) mod column;
mod convert;
mod dictionary;
mod error;
mod guess;
mod layout;
mod memory;
mod nulls;
mod offsets;
mod report;
mod scheme;
mod views;

pub use error::{Error, Handling};
pub use guess::{detect, repair};
pub use report::{count, first_error, is_valid};

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use column::Column;
use convert::Job;
use layout::with_column;
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy, utf8};
use std::borrow::Cow;

/// Returns a column of bytes or text that should be UTF-8, as text. [`decode`] from UTF-8.
///
/// The result is `Utf8`, `LargeUtf8` or `Utf8View`, as the column, or a dictionary of it. If the column is well-formed
/// it has the same buffers.
///
/// ```
/// use arrow_array::{Array, BinaryArray, cast::AsArray};
/// use placemat::ErrorPolicy;
/// let clean = BinaryArray::from_vec(vec![b"caf\xC3\xA9"]);
/// let text = placemat_arrow::make_valid(&clean, ErrorPolicy::Replace)?;
/// assert_eq!(text.as_string::<i32>().value_data().as_ptr(), clean.value_data().as_ptr());
/// let damaged = BinaryArray::from_vec(vec![b"caf\xE9"]);
/// let text = placemat_arrow::make_valid(&damaged, ErrorPolicy::Windows1252)?;
/// assert_eq!(text.as_string::<i32>().value(0), "café");
/// # Ok::<(), placemat_arrow::Error>(())
/// ```
///
/// # Errors
/// The errors of [`decode`].
pub fn make_valid<'a>(
    array: &dyn Array,
    on_error: impl Into<Handling<ErrorPolicy<'a>>>,
) -> Result<ArrayRef, Error> {
    decode(array, Encoding::UTF_8, on_error)
}

/// Returns a column of bytes in `encoding`, as text.
///
/// The result is `Utf8`, `LargeUtf8` or `Utf8View`, as the column, or a dictionary of it.
///
/// ```
/// use arrow_array::{Array, LargeBinaryArray, cast::AsArray};
/// use placemat::{Encoding, ErrorPolicy};
/// use placemat_arrow::{Handling, decode};
/// let column = LargeBinaryArray::from_vec(vec![b"\x93\xFA\x96\x7B", b"\x93\xFA\x96"]);
/// let text = decode(&column, Encoding::SHIFT_JIS, ErrorPolicy::Replace)?;
/// assert_eq!(text.as_string::<i64>().iter().collect::<Vec<_>>(), [Some("日本"), Some("日\u{FFFD}")]);
/// // The last sequence is incomplete: the row becomes null, or the call fails.
/// assert!(decode(&column, Encoding::SHIFT_JIS, Handling::Null)?.is_null(1));
/// let e = decode(&column, Encoding::SHIFT_JIS, ErrorPolicy::Stop).unwrap_err();
/// assert_eq!(e.to_string(), "row 1: incomplete sequence 0x96 at offset 2");
/// # Ok::<(), placemat_arrow::Error>(())
/// ```
///
/// # Errors
/// If the column is of another type, if a row is ill-formed and the policy says to stop, or if the result has more
/// bytes than the offsets of its type can count.
pub fn decode<'a>(
    array: &dyn Array,
    encoding: Encoding,
    on_error: impl Into<Handling<ErrorPolicy<'a>>>,
) -> Result<ArrayRef, Error> {
    let on_error = on_error.into();
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        return dictionary::convert(dictionary, |values| decode(values, encoding, on_error));
    }
    let on_unmappable = match on_error {
        Handling::Null => Handling::Null,
        Handling::Policy(policy) => Handling::Policy(for_surrogates(policy)),
    };
    with_column!(array, column => {
        let text = if encoding == Encoding::UTF_8 && !on_error.policy().inspects() {
            mend(column, on_error)?
        } else {
            convert(column, &Job::new((encoding, Encoding::UTF_8), on_error, on_unmappable))?
        };
        // SAFETY: rows are checked, or made by the library; `on_unmappable` lets no surrogate through. Rows below nulls
        // are checked with the others, or empty.
        #[expect(unsafe_code, reason = "the check of the array would read all rows again")]
        Ok(unsafe { text.into_text() })
    })
}

/// Returns the policy for surrogates, which are well-formed in encodings such as WTF-8 but not in text: the same as for
/// ill-formed bytes, if that policy writes text.
fn for_surrogates(policy: ErrorPolicy<'_>) -> UnmappablePolicy<'_> {
    match policy {
        ErrorPolicy::Replace => UnmappablePolicy::Replace,
        ErrorPolicy::ReplaceWith(text) => UnmappablePolicy::ReplaceWith(text),
        ErrorPolicy::Skip => UnmappablePolicy::Skip,
        ErrorPolicy::HexEscape => UnmappablePolicy::HexEscape,
        _ => UnmappablePolicy::Stop,
    }
}

/// Returns a column of text, as bytes in `encoding`.
///
/// The result is `Binary`, `LargeBinary` or `BinaryView`, as the column, or a dictionary of it. Rows that are not
/// well-formed UTF-8, which an array of text should not have, become null with [`Handling::Null`].
///
/// ```
/// use arrow_array::{Array, StringArray, cast::AsArray};
/// use placemat::{Encoding, UnmappablePolicy};
/// use placemat_arrow::{Handling, encode};
/// let column = StringArray::from(vec!["café", "5 €"]);
/// let bytes = encode(&column, Encoding::ISO_8859_1, UnmappablePolicy::Replace)?;
/// assert_eq!(bytes.as_binary::<i32>().iter().collect::<Vec<_>>(), [Some(&b"caf\xE9"[..]), Some(b"5 ?")]);
/// // Latin-1 has no euro sign.
/// assert!(encode(&column, Encoding::ISO_8859_1, Handling::Null)?.is_null(1));
/// assert!(encode(&column, Encoding::ISO_8859_1, UnmappablePolicy::Stop).is_err());
/// # Ok::<(), placemat_arrow::Error>(())
/// ```
///
/// # Errors
/// The errors of [`transcode`]. An ill-formed row is an error with every policy.
pub fn encode<'a>(
    array: &dyn Array,
    encoding: Encoding,
    on_unmappable: impl Into<Handling<UnmappablePolicy<'a>>>,
) -> Result<ArrayRef, Error> {
    let on_unmappable = on_unmappable.into();
    let on_error = match on_unmappable {
        Handling::Null => Handling::Null,
        Handling::Policy(_) => Handling::Policy(ErrorPolicy::Stop),
    };
    transcode(array, (Encoding::UTF_8, encoding), on_error, on_unmappable)
}

/// Returns a column of bytes in the first encoding, as bytes in the second.
///
/// The result is `Binary`, `LargeBinary` or `BinaryView`, as the column, or a dictionary of it.
///
/// ```
/// use arrow_array::{BinaryArray, cast::AsArray};
/// use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};
/// use placemat_arrow::transcode;
/// let column = BinaryArray::from_vec(vec![b"\xEF\xF0", b"5\x88"]);
/// let between = (Encoding::WINDOWS_1251, Encoding::KOI8_R);
/// let bytes = transcode(&column, between, ErrorPolicy::Stop, UnmappablePolicy::Replace)?;
/// // KOI8-R has no euro sign.
/// assert_eq!(bytes.as_binary::<i32>().iter().collect::<Vec<_>>(), [Some(&b"\xD0\xD2"[..]), Some(b"5?")]);
/// assert!(transcode(&column, between, ErrorPolicy::Stop, UnmappablePolicy::Stop).is_err());
/// # Ok::<(), placemat_arrow::Error>(())
/// ```
///
/// # Errors
/// If the column is of another type, if a row is ill-formed or cannot be represented and its policy says to stop, or if
/// the result has more bytes than the offsets of its type can count.
pub fn transcode<'a, 'b>(
    array: &dyn Array,
    (from, to): (Encoding, Encoding),
    on_error: impl Into<Handling<ErrorPolicy<'a>>>,
    on_unmappable: impl Into<Handling<UnmappablePolicy<'b>>>,
) -> Result<ArrayRef, Error> {
    let (on_error, on_unmappable) = (on_error.into(), on_unmappable.into());
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        return dictionary::convert(dictionary, |values| {
            transcode(values, (from, to), on_error, on_unmappable)
        });
    }
    with_column!(array, column => {
        Ok(convert(column, &Job::new((from, to), on_error, on_unmappable))?.into_binary())
    })
}

fn convert<C: Column>(column: C, job: &Job<'_>) -> Result<C, Error> {
    if job.keeps_ascii() && column.is_ascii() {
        return Ok(column);
    }
    if job.only_checks() { mend(column, job.on_error) } else { column.convert(job) }
}

/// Returns the column as UTF-8: itself, if it is well-formed.
fn mend<C: Column>(column: C, on_error: Handling<ErrorPolicy<'_>>) -> Result<C, Error> {
    let rows = column.ill_formed(Encoding::UTF_8);
    if rows.is_empty() {
        return Ok(column);
    }
    column.replace(&rows, |row| {
        if column.is_null(row) {
            return Ok(Some(Cow::Borrowed(&b""[..])));
        }
        match utf8::decode(column.row(row), on_error.policy()) {
            Ok(Cow::Borrowed(text)) => Ok(Some(Cow::Borrowed(text.as_bytes()))),
            Ok(Cow::Owned(text)) => Ok(Some(Cow::Owned(text.into_bytes()))),
            Err(_) if on_error == Handling::Null => Ok(None),
            Err(error) => Err(Error::Row { row, error }),
        }
    })
}

/// The examples of the README, compiled and run by the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
