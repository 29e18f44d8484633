//! Columns of views: short rows stand in the view itself, long ones anywhere in one of several buffers.

use crate::column::Column;
use crate::convert::{Job, Sink};
use crate::error::Error;
use crate::memory;
use crate::nulls::Nulls;
use crate::scheme::{error_in, is_continuation};
use arrow_array::types::ByteViewType;
use arrow_array::{ArrayRef, BinaryViewArray, GenericByteViewArray, StringViewArray};
use arrow_buffer::{Buffer, NullBuffer, ScalarBuffer};
use placemat::{Encoding, utf8};
use std::sync::Arc;

/// The maximum number of bytes that stand in a view itself.
const INLINE: usize = 12;

/// A column of views.
pub(crate) struct Views {
    /// The views of rows that are not null are within the buffers.
    views: ScalarBuffer<u128>,
    buffers: Arc<[Buffer]>,
    nulls: Option<NullBuffer>,
}

/// A view in parts: four bytes of length, then the row itself; or four bytes of it, and where it is.
#[derive(Clone, Copy)]
struct Long {
    len: usize,
    buffer: usize,
    start: usize,
}

/// Returns the number in four bytes of a view.
#[expect(clippy::cast_possible_truncation, reason = "32 bits of the view at a time")]
const fn part(view: u128, index: usize) -> u32 {
    (view >> (32 * index)) as u32
}

impl Long {
    fn of(view: u128) -> Option<Self> {
        let len = part(view, 0) as usize;
        (len > INLINE).then_some(Self { len, buffer: part(view, 2) as usize, start: part(view, 3) as usize })
    }
}

impl Views {
    /// Returns the column of an array. An array that another program exported can have any numbers in its views.
    pub(crate) fn new<T: ByteViewType + ?Sized>(array: &GenericByteViewArray<T>) -> Result<Self, Error> {
        let (views, buffers, nulls) = array.clone().into_parts();
        let column = Self { views, buffers, nulls };
        if (0..column.len()).any(|row| !column.is_null(row) && column.get(row).is_none()) {
            return Err(Error::Malformed);
        }
        Ok(column)
    }

    /// Returns the bytes of a row; none if its view is outside the buffers.
    fn get(&self, row: usize) -> Option<&[u8]> {
        match Long::of(self.views[row]) {
            Some(Long { len, buffer, start }) => self.buffers.get(buffer)?.get(start..start + len),
            None => {
                let len = part(self.views[row], 0) as usize;
                let view = self.views.inner().get(16 * row..16 * row + 16)?;
                view.get(4..4 + len)
            }
        }
    }

    /// Room for most results: twice the long rows, or one buffer.
    fn room(&self) -> usize {
        let long: usize = self.views.iter().filter_map(|&view| Long::of(view)).map(|long| long.len).sum();
        (2 * long).min(Rows::MAX_BUFFER_BYTES)
    }

    /// For each buffer, whether it is well-formed as a whole. Not asked where rows make up less than half of it.
    fn well_formed_buffers(&self) -> Vec<bool> {
        let mut used = vec![0; self.buffers.len()];
        for long in self.views.iter().filter_map(|&view| Long::of(view)) {
            if let Some(used) = used.get_mut(long.buffer) {
                *used += long.len;
            }
        }
        let asked =
            |(buffer, used): (&Buffer, usize)| used >= buffer.len() / 2 && utf8::validate(buffer).is_ok();
        self.buffers.iter().zip(used).map(asked).collect()
    }

    /// Returns `true` if a row is well-formed UTF-8. In a buffer that is, only the borders of the row matter.
    fn is_utf8(&self, row: usize, well_formed: &[bool]) -> bool {
        let Some(bytes) = self.get(row) else { return false };
        match Long::of(self.views[row]) {
            Some(Long { len, buffer, start }) if well_formed[buffer] => {
                let behind = self.buffers[buffer].get(start + len);
                !is_continuation(bytes[0]) && !behind.is_some_and(|&byte| is_continuation(byte))
            }
            _ => utf8::validate(bytes).is_ok(),
        }
    }
}

impl Column for Views {
    fn len(&self) -> usize {
        self.views.len()
    }

    fn nulls(&self) -> Option<&NullBuffer> {
        self.nulls.as_ref()
    }

    fn with_nulls(self, nulls: Option<NullBuffer>) -> Self {
        Self { nulls, ..self }
    }

    fn row(&self, row: usize) -> &[u8] {
        self.get(row).unwrap_or_default()
    }

    fn ill_formed(&self, encoding: Encoding) -> Vec<usize> {
        if encoding == Encoding::UTF_8 {
            let well_formed = self.well_formed_buffers();
            return (0..self.len()).filter(|&row| !self.is_utf8(row, &well_formed)).collect();
        }
        let is_ill_formed = |row: &usize| self.get(*row).is_none_or(|row| error_in(encoding, row).is_some());
        (0..self.len()).filter(is_ill_formed).collect()
    }

    fn is_ascii(&self) -> bool {
        (0..self.len()).all(|row| self.get(row).is_some_and(<[u8]>::is_ascii))
    }

    fn replace<B: AsRef<[u8]>>(
        &self,
        rows: &[usize],
        mut answer: impl FnMut(usize) -> Result<Option<B>, Error>,
    ) -> Result<Self, Error> {
        let mut nulls = Nulls::new(self.nulls(), self.len());
        let mut out = Rows { buffers: self.buffers.to_vec(), ..Rows::default() };
        let mut next = 0;
        for &row in rows {
            out.views.extend_from_slice(&self.views[next..row]);
            match answer(row)? {
                Some(bytes) => {
                    let bytes = bytes.as_ref();
                    out.room(bytes.len())[..bytes.len()].copy_from_slice(bytes);
                    out.written(bytes.len());
                }
                None => nulls.add(row),
            }
            out.end_row(row)?;
            next = row + 1;
        }
        out.views.extend_from_slice(&self.views[next..]);
        Ok(out.finish(nulls.finish()))
    }

    fn convert(&self, job: &Job<'_>) -> Result<Self, Error> {
        let mut nulls = Nulls::new(self.nulls(), self.len());
        let mut out = Rows { values: memory::zeros(self.room()), ..Rows::default() };
        out.views = memory::with_capacity(self.len());
        for row in 0..self.len() {
            job.alone(row, self.valid_row(row), &mut out, &mut nulls)?;
        }
        Ok(out.finish(nulls.finish()))
    }

    fn into_binary(self) -> ArrayRef {
        // SAFETY: `new` or the builder made sure that the views of rows are within the buffers, and rows below nulls
        // are not read.
        #[expect(unsafe_code, reason = "the check of views would read all rows again")]
        let array = unsafe { BinaryViewArray::new_unchecked(self.views, self.buffers, self.nulls) };
        Arc::new(array)
    }

    #[expect(unsafe_code, reason = "the type of the array promises text")]
    unsafe fn into_text(self) -> ArrayRef {
        // SAFETY: as in `into_binary`, and the caller says that each row is well-formed.
        Arc::new(unsafe { StringViewArray::new_unchecked(self.views, self.buffers, self.nulls) })
    }
}

/// The rows of a column in the making.
#[derive(Default)]
pub(crate) struct Rows {
    views: Vec<u128>,
    /// The buffers that are complete.
    buffers: Vec<Buffer>,
    /// The buffer in the making: rows that are complete, up to `start`; the current row, up to
    /// `at`; and free room after it.
    values: Vec<u8>,
    start: usize,
    at: usize,
}

impl Rows {
    /// The maximum number of bytes in one buffer: offsets have 31 bits.
    const MAX_BUFFER_BYTES: usize = i32::MAX as usize;

    /// Closes the buffer before the current row, which becomes the start of the next.
    fn close(&mut self) {
        let rest = self.values[self.start..self.at].to_vec();
        let mut values = core::mem::replace(&mut self.values, rest);
        values.truncate(self.start);
        values.shrink_to_fit();
        self.at -= self.start;
        self.start = 0;
        if !values.is_empty() {
            self.buffers.push(Buffer::from_vec(values));
        }
    }

    fn finish(mut self, nulls: Option<NullBuffer>) -> Views {
        self.close();
        Views { views: ScalarBuffer::from(self.views), buffers: self.buffers.into(), nulls }
    }
}

impl Sink for Rows {
    fn room(&mut self, least: usize) -> &mut [u8] {
        if self.values.len() - self.at < least {
            self.values.resize((self.at + least).max(self.values.len() * 2), 0);
        }
        &mut self.values[self.at..]
    }

    fn written(&mut self, bytes: usize) {
        self.at += bytes;
    }

    fn end_row(&mut self, row: usize) -> Result<(), Error> {
        if self.at > Self::MAX_BUFFER_BYTES {
            self.close();
        }
        let bytes = &self.values[self.start..self.at];
        let len = i32::try_from(bytes.len()).map_err(|_| Error::TooLong { row })?;
        let mut view = [0; 16];
        view[..4].copy_from_slice(&len.to_le_bytes());
        if bytes.len() <= INLINE {
            view[4..4 + bytes.len()].copy_from_slice(bytes);
            self.at = self.start;
        } else {
            let too_long = |_| Error::TooLong { row };
            view[4..8].copy_from_slice(&bytes[..4]);
            view[8..12].copy_from_slice(&i32::try_from(self.buffers.len()).map_err(too_long)?.to_le_bytes());
            view[12..].copy_from_slice(&i32::try_from(self.start).map_err(too_long)?.to_le_bytes());
            self.start = self.at;
        }
        self.views.push(u128::from_le_bytes(view));
        Ok(())
    }

    fn drop_row(&mut self) {
        self.at = self.start;
    }
}
