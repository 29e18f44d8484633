//! Columns as their buffers: one trait, and the macro that takes an array apart.

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

    /// The bytes of a row. Below a null they are of no meaning.
    fn row(&self, row: usize) -> &[u8];

    /// The rows that are ill-formed in `encoding`, in order. Rows that are null are among them if the bytes below them
    /// are ill-formed, or if they have no place in the buffers.
    fn ill_formed(&self, encoding: Encoding) -> Vec<usize>;

    /// Whether all bytes are ASCII, those below nulls too.
    fn is_ascii(&self) -> bool;

    /// The column with other bytes in some `rows`, which are in order; a row without an answer becomes null.
    fn replace<B: AsRef<[u8]>>(
        &self,
        rows: &[usize],
        answer: impl FnMut(usize) -> Result<Option<B>, Error>,
    ) -> Result<Self, Error>;

    /// The column in another encoding.
    fn convert(&self, job: &Job<'_>) -> Result<Self, Error>;

    /// The column as bytes, with the same buffers.
    fn into_binary(self) -> ArrayRef;

    /// The column as text, with the same buffers.
    ///
    /// # Safety
    /// Each row is well-formed UTF-8, also below nulls.
    #[expect(unsafe_code, reason = "the type of the array promises text")]
    unsafe fn into_text(self) -> ArrayRef;

    fn is_null(&self, row: usize) -> bool {
        self.nulls().is_some_and(|nulls| nulls.is_null(row))
    }
}

/// Calls the body with the column of an array of bytes or text; returns [`Error::Type`] for other arrays.
macro_rules! with_column {
    ($array:expr, $column:ident => $body:expr) => {{
        use arrow_array::cast::AsArray;
        use arrow_schema::DataType;
        let array: &dyn arrow_array::Array = $array;
        match array.data_type() {
            DataType::Binary => {
                let $column = $crate::offsets::Offsets::new(array.as_binary::<i32>())?;
                $body
            }
            DataType::LargeBinary => {
                let $column = $crate::offsets::Offsets::new(array.as_binary::<i64>())?;
                $body
            }
            DataType::Utf8 => {
                let $column = $crate::offsets::Offsets::new(array.as_string::<i32>())?;
                $body
            }
            DataType::LargeUtf8 => {
                let $column = $crate::offsets::Offsets::new(array.as_string::<i64>())?;
                $body
            }
            DataType::BinaryView => {
                let $column = $crate::views::Views::new(array.as_binary_view())?;
                $body
            }
            DataType::Utf8View => {
                let $column = $crate::views::Views::new(array.as_string_view())?;
                $body
            }
            other => return Err($crate::Error::Type(other.clone())),
        }
    }};
}
pub(crate) use with_column;

/// The rows that become null in the course of a call.
pub(crate) struct Nulls {
    old: Option<NullBuffer>,
    /// Bits of the new nulls, from the first of them on.
    new: Option<arrow_buffer::BooleanBufferBuilder>,
    len: usize,
}

impl Nulls {
    pub(crate) fn new<C: Column>(column: &C) -> Self {
        Self { old: column.nulls().cloned(), new: None, len: column.len() }
    }

    pub(crate) fn add(&mut self, row: usize) {
        let Self { old, new, len } = self;
        let bits = new.get_or_insert_with(|| {
            let mut bits = arrow_buffer::BooleanBufferBuilder::new(*len);
            match old {
                Some(nulls) => bits.append_buffer(nulls.inner()),
                None => bits.append_n(*len, true),
            }
            bits
        });
        bits.set_bit(row, false);
    }

    /// The nulls of the result: the same buffer if none was added.
    pub(crate) fn finish(self) -> Option<NullBuffer> {
        match self.new {
            Some(mut bits) => Some(NullBuffer::new(bits.finish())),
            None => self.old,
        }
    }
}
