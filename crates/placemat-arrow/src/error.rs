//! Errors of a column, and the choice of what becomes of a row with an error.

use arrow_schema::DataType;
use core::fmt;
use placemat::{ConvertError, ErrorPolicy, UnmappablePolicy};

/// The policy for rows that are ill-formed or unmappable.
///
/// A policy of the library converts to this type, so functions take the policy itself.
///
/// ```
/// use arrow_array::{Array, BinaryArray, cast::AsArray};
/// use placemat::ErrorPolicy;
/// use placemat_arrow::{Handling, make_valid};
/// let column = BinaryArray::from_vec(vec![b"5 \xE2\x82\xAC", b"caf\xE9"]);
/// let mended = make_valid(&column, ErrorPolicy::Replace)?;
/// assert_eq!(mended.as_string::<i32>().value(1), "caf\u{FFFD}");
/// let mended = make_valid(&column, Handling::Null)?;
/// assert!(mended.is_valid(0) && mended.is_null(1));
/// # Ok::<(), placemat_arrow::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handling<P> {
    /// The policy answers each error. If it says to stop, the whole call fails with [`Error::Row`].
    Policy(P),
    /// The row becomes null.
    Null,
}

impl<'a> From<ErrorPolicy<'a>> for Handling<ErrorPolicy<'a>> {
    fn from(policy: ErrorPolicy<'a>) -> Self {
        Self::Policy(policy)
    }
}

impl<'a> From<UnmappablePolicy<'a>> for Handling<UnmappablePolicy<'a>> {
    fn from(policy: UnmappablePolicy<'a>) -> Self {
        Self::Policy(policy)
    }
}

impl<P: Copy + Default + PartialEq> Handling<P> {
    /// Returns the policy that the engine gets. The default policy stops.
    pub(crate) fn policy(self) -> P {
        match self {
            Self::Policy(policy) => policy,
            Self::Null => P::default(),
        }
    }

    /// Returns `true` if an error makes the call fail, whatever the error.
    pub(crate) fn stops(self) -> bool {
        self == Self::Policy(P::default())
    }
}

/// The reasons why a call on a column fails. No error of a row is among them unless the policy says to stop.
///
/// ```
/// use arrow_array::{BinaryArray, Int32Array};
/// use placemat::{Encoding, ErrorPolicy};
/// use placemat_arrow::{Error, decode};
/// let column = BinaryArray::from_vec(vec![b"caf\xC3\xA9", b"caf\xE9"]);
/// let e = decode(&column, Encoding::UTF_8, ErrorPolicy::Stop).unwrap_err();
/// assert_eq!(e.to_string(), "row 1: incomplete sequence 0xe9 at offset 3");
/// assert!(decode(&column, Encoding::UTF_8, ErrorPolicy::Replace).is_ok());
/// let e = decode(&Int32Array::from(vec![1]), Encoding::UTF_8, ErrorPolicy::Replace).unwrap_err();
/// assert_eq!(e.to_string(), "a column of type Int32 holds neither bytes nor text of variable length: cast it, or select another");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The column is of a type that this crate does not read.
    Type(DataType),
    /// A row is ill-formed, or has text that the target cannot represent, and the policy says to stop. Rows count from
    /// the start of the array, offsets from the start of the row.
    Row {
        /// The index of the row.
        row: usize,
        /// The error, with its offset in the row.
        error: ConvertError,
    },
    /// The result has more bytes than the offsets of its type can count: 2^31 - 1 with 32 bits. Cast the column to its
    /// large type, or convert it in parts.
    TooLong {
        /// The first row that does not fit.
        row: usize,
    },
    /// Offsets that are out of order, or places outside the buffers.
    Malformed,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type(DataType::Struct(fields)) => {
                let some = fields.first().map_or("…", |field| field.name());
                write!(
                    f,
                    "a table or a struct is no column of text: select one of its columns, such as {some:?}"
                )
            }
            Self::Type(data_type) => write!(
                f,
                "a column of type {data_type} holds neither bytes nor text of variable length: cast it, or select another"
            ),
            Self::Row { row, error } => write!(f, "row {row}: {error}"),
            Self::TooLong { row } => {
                write!(
                    f,
                    "row {row} does not fit: the result needs offsets of 64 bits; cast the column to its large type, or \
                     convert it in parts"
                )
            }
            Self::Malformed => {
                f.write_str("the offsets of the column are out of order or outside its buffers")
            }
        }
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Row { error, .. } => Some(error),
            _ => None,
        }
    }
}
