//! Columns as their buffers.

use crate::convert::Job;
use crate::error::Error;
use arrow_array::ArrayRef;
use arrow_buffer::NullBuffer;
use placemat::Encoding;

/// A column of bytes. Implemented by the two layouts: offsets into one buffer ([`Offsets`](crate::offsets::Offsets)),
/// and views of several ([`Views`](crate::views::Views)).
pub(crate) trait Column: Sized {
    fn len(&self) -> usize;

    fn nulls(&self) -> Option<&NullBuffer>;

    fn with_nulls(self, nulls: Option<NullBuffer>) -> Self;

    /// Returns the bytes of a row. Below a null they are of no meaning.
    fn row(&self, row: usize) -> &[u8];

    /// Returns the rows that are ill-formed in `encoding`, in order. Rows that are null are among them if the bytes
    /// below them are ill-formed, or if they have no place in the buffers.
    fn ill_formed(&self, encoding: Encoding) -> Vec<usize>;

    /// Returns `true` if all bytes are ASCII, those below nulls too.
    fn is_ascii(&self) -> bool;

    /// Returns the column with other bytes in some `rows`, which are in order; a row without an answer becomes null.
    fn replace<B: AsRef<[u8]>>(
        &self,
        rows: &[usize],
        answer: impl FnMut(usize) -> Result<Option<B>, Error>,
    ) -> Result<Self, Error>;

    /// Returns the column in another encoding.
    fn convert(&self, job: &Job<'_>) -> Result<Self, Error>;

    /// Returns the column as bytes, with the same buffers.
    fn into_binary(self) -> ArrayRef;

    /// Returns the column as text, with the same buffers.
    ///
    /// # Safety
    /// Each row is well-formed UTF-8, also below nulls.
    #[expect(unsafe_code, reason = "the type of the array promises text")]
    unsafe fn into_text(self) -> ArrayRef;

    fn is_null(&self, row: usize) -> bool {
        self.nulls().is_some_and(|nulls| nulls.is_null(row))
    }

    /// Returns the bytes of a row; nothing if it is null.
    fn valid_row(&self, row: usize) -> Option<&[u8]> {
        (!self.is_null(row)).then(|| self.row(row))
    }
}
