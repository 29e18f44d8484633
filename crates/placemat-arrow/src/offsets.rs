//! Columns of offsets into one buffer: binary and string arrays of 32 and 64 bits.

use crate::column::Column;
use crate::convert::{Job, Sink};
use crate::error::Error;
use crate::memory;
use crate::nulls::Nulls;
use crate::scheme::{Scheme, error_in, is_continuation};
use arrow_array::types::ByteArrayType;
use arrow_array::{ArrayRef, GenericBinaryArray, GenericByteArray, GenericStringArray, OffsetSizeTrait};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use core::ops::Range;
use placemat::{Encoding, stream::Status, stream::Transcoder, utf8};
use std::sync::Arc;

/// The bytes of the rows that are looked at together. They stay in the cache between the passes over them.
const STRETCH: usize = 64 << 10;

/// A column whose row `i` is `values[offsets[i]..offsets[i + 1]]`.
pub(crate) struct Offsets<O: OffsetSizeTrait> {
    /// In order, and within `values`.
    offsets: OffsetBuffer<O>,
    values: Buffer,
    nulls: Option<NullBuffer>,
}

impl<O: OffsetSizeTrait> Offsets<O> {
    /// Returns the column of an array. An array that another program exported can have any numbers for offsets.
    pub(crate) fn new<T: ByteArrayType<Offset = O>>(array: &GenericByteArray<T>) -> Result<Self, Error> {
        let (offsets, values, nulls) = array.clone().into_parts();
        let in_order = offsets.windows(2).all(|pair| pair[0] <= pair[1]);
        let last = offsets[offsets.len() - 1];
        if !in_order || offsets[0] < O::zero() || last.as_usize() > values.len() {
            return Err(Error::Malformed);
        }
        Ok(Self { offsets, values, nulls })
    }

    #[inline]
    fn start(&self, row: usize) -> usize {
        self.offsets[row].as_usize()
    }

    /// Returns the bytes of some rows.
    #[inline]
    fn bytes(&self, rows: Range<usize>) -> &[u8] {
        &self.values[self.start(rows.start)..self.start(rows.end)]
    }

    /// Returns the row of `rows` that has the byte at `position` of the values.
    fn row_at(&self, rows: Range<usize>, position: usize) -> usize {
        rows.start + self.offsets[rows.start + 1..=rows.end].partition_point(|end| end.as_usize() <= position)
    }

    /// Returns all rows, by stretches of some [`STRETCH`] bytes and of at least one row.
    fn stretches(&self) -> impl Iterator<Item = Range<usize>> {
        let mut next = 0;
        core::iter::from_fn(move || {
            let first = next;
            if first == self.len() {
                return None;
            }
            let end = self.start(first) + STRETCH;
            next = first + 1 + self.offsets[first + 2..].partition_point(|offset| offset.as_usize() <= end);
            Some(first..next)
        })
    }

    /// Adds the rows of `rows` that a border cuts within a sequence. Their bytes up to `limit` are well-formed UTF-8, read
    /// together, and none ends after it.
    fn add_torn(&self, rows: Range<usize>, limit: usize, found: &mut Vec<usize>) {
        let continues = |at: usize| at < limit && is_continuation(self.values[at]);
        let borders = &self.offsets[rows.start..=rows.end];
        if borders.iter().fold(false, |any, at| any | continues(at.as_usize())) {
            found.extend(rows.filter(|&row| {
                let (start, end) = (self.start(row), self.start(row + 1));
                start < end && (continues(start) || continues(end))
            }));
        }
    }

    fn ill_formed_utf8(&self) -> Vec<usize> {
        let mut found = Vec::new();
        for Range { start: mut row, end } in self.stretches() {
            while row < end {
                let start = self.start(row);
                match utf8::validate(self.bytes(row..end)) {
                    Ok(text) => {
                        self.add_torn(row..end, start + text.len(), &mut found);
                        break;
                    }
                    // The sequence is ill-formed in the row too, which has fewer of the bytes after
                    // it.
                    Err(error) => {
                        let position = start + error.valid_up_to();
                        let damaged = self.row_at(row..end, position);
                        self.add_torn(row..damaged, position, &mut found);
                        found.push(damaged);
                        row = damaged + 1;
                    }
                }
            }
        }
        found
    }

    fn ill_formed_single_byte(&self, encoding: Encoding) -> Vec<usize> {
        let mut found = Vec::new();
        for Range { start: mut row, end } in self.stretches() {
            while row < end {
                let src = self.bytes(row..end);
                let Status::IllFormed(error) =
                    Transcoder::checker(encoding).convert(src, &mut [], true).status
                else {
                    break;
                };
                let damaged = self.row_at(row..end, self.start(row) + error.valid_up_to());
                found.push(damaged);
                row = damaged + 1;
            }
        }
        found
    }

    /// Converts rows together, as far as no policy is needed; the other rows by themselves.
    fn convert_together(&self, job: &Job<'_>, out: &mut Rows<O>, nulls: &mut Nulls) -> Result<(), Error> {
        // A row that ends within a sequence would take bytes of the next.
        let torn = if matches!(job.from_scheme, Scheme::Utf8) { self.ill_formed_utf8() } else { Vec::new() };
        let mut torn = torn.into_iter().peekable();
        for Range { start: mut row, end } in self.stretches() {
            while row < end {
                let stop = torn.peek().map_or(end, |&torn| torn.min(end));
                let src = self.bytes(row..stop);
                let done = job.together(src, out.room(job.most(src.len())));
                let whole = match done.stopped_at {
                    Some(at) => self.row_at(row..stop, self.start(row) + at),
                    None => stop,
                };
                out.end_rows(row..whole, done.written, job.makes_text(), |row| job.len_of(self.row(row)))?;
                row = whole;
                if row < end {
                    torn.next_if_eq(&row);
                    job.alone(row, self.valid_row(row), out, nulls)?;
                    row += 1;
                }
            }
        }
        Ok(())
    }
}

impl<O: OffsetSizeTrait> Column for Offsets<O> {
    fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    fn nulls(&self) -> Option<&NullBuffer> {
        self.nulls.as_ref()
    }

    fn with_nulls(self, nulls: Option<NullBuffer>) -> Self {
        Self { nulls, ..self }
    }

    #[inline]
    fn row(&self, row: usize) -> &[u8] {
        self.bytes(row..row + 1)
    }

    fn ill_formed(&self, encoding: Encoding) -> Vec<usize> {
        match Scheme::of(encoding) {
            Scheme::Utf8 => self.ill_formed_utf8(),
            Scheme::SingleByte(lengths) if !lengths.has_undefined() => Vec::new(),
            Scheme::SingleByte(_) => self.ill_formed_single_byte(encoding),
            Scheme::Other if encoding.takes_escapes() && self.is_ascii() => Vec::new(),
            Scheme::Other => {
                (0..self.len()).filter(|&row| error_in(encoding, self.row(row)).is_some()).collect()
            }
        }
    }

    fn is_ascii(&self) -> bool {
        self.bytes(0..self.len()).is_ascii()
    }

    fn replace<B: AsRef<[u8]>>(
        &self,
        rows: &[usize],
        mut answer: impl FnMut(usize) -> Result<Option<B>, Error>,
    ) -> Result<Self, Error> {
        let mut nulls = Nulls::new(self.nulls(), self.len());
        let bytes = self.bytes(0..self.len()).len();
        // Most replacements are a little longer than the error.
        let mut values = memory::with_capacity(bytes + bytes / 32);
        let mut offsets = memory::with_capacity(self.offsets.len());
        offsets.push(O::zero());
        let kept = |rows: Range<usize>, values: &mut Vec<u8>, offsets: &mut Vec<O>| {
            let (start, base) = (self.start(rows.start), values.len());
            values.extend_from_slice(self.bytes(rows.clone()));
            if O::from_usize(values.len()).is_none() {
                let fits = |&row: &usize| O::from_usize(self.start(row + 1) - start + base).is_some();
                return Err(Error::TooLong { row: rows.clone().find(|row| !fits(row)).unwrap_or(rows.end) });
            }
            let ends = &self.offsets[rows.start + 1..=rows.end];
            // No offset is greater than the last, which fits.
            offsets.extend(ends.iter().map(|end| O::usize_as(end.as_usize() - start + base)));
            Ok(())
        };
        let mut next = 0;
        for &row in rows {
            kept(next..row, &mut values, &mut offsets)?;
            match answer(row)? {
                Some(bytes) => values.extend_from_slice(bytes.as_ref()),
                None => nulls.add(row),
            }
            offsets.push(O::from_usize(values.len()).ok_or(Error::TooLong { row })?);
            next = row + 1;
        }
        kept(next..self.len(), &mut values, &mut offsets)?;
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        Ok(Self { offsets, values: Buffer::from_vec(values), nulls: nulls.finish() })
    }

    fn convert(&self, job: &Job<'_>) -> Result<Self, Error> {
        let mut nulls = Nulls::new(self.nulls(), self.len());
        let mut out = Rows::new(self.len(), 2 * self.bytes(0..self.len()).len());
        if job.takes_rows_together() {
            self.convert_together(job, &mut out, &mut nulls)?;
        } else {
            for row in 0..self.len() {
                job.alone(row, self.valid_row(row), &mut out, &mut nulls)?;
            }
        }
        Ok(out.finish(nulls.finish()))
    }

    fn into_binary(self) -> ArrayRef {
        Arc::new(GenericBinaryArray::<O>::new(self.offsets, self.values, self.nulls))
    }

    #[expect(unsafe_code, reason = "the type of the array promises text")]
    unsafe fn into_text(self) -> ArrayRef {
        // SAFETY: `new` or a builder put the offsets in order and within the values; the caller says that each row is
        // well-formed.
        Arc::new(unsafe { GenericStringArray::<O>::new_unchecked(self.offsets, self.values, self.nulls) })
    }
}

/// The rows of a column in the making.
pub(crate) struct Rows<O> {
    /// The written bytes, up to `at`, and free room after them.
    values: Vec<u8>,
    at: usize,
    offsets: Vec<O>,
}

impl<O: OffsetSizeTrait> Rows<O> {
    fn new(len: usize, bytes: usize) -> Self {
        let mut offsets = memory::with_capacity(len + 1);
        offsets.push(O::zero());
        Self { values: memory::zeros(bytes), at: 0, offsets }
    }

    /// Ends rows that were written together, in `written` bytes.
    ///
    /// # Panics
    /// If the rows have other lengths than they were written with: text would be cut within a sequence.
    fn end_rows(
        &mut self,
        rows: Range<usize>,
        written: usize,
        is_text: bool,
        len_of: impl Fn(usize) -> usize,
    ) -> Result<(), Error> {
        let limit = self.at + written;
        for row in rows {
            self.at += len_of(row);
            let is_border = self.at == limit || !(is_text && is_continuation(self.values[self.at]));
            assert!(self.at <= limit && is_border, "a row is not as long by itself as with others");
            self.end_row(row)?;
        }
        Ok(())
    }

    fn finish(mut self, nulls: Option<NullBuffer>) -> Offsets<O> {
        self.values.truncate(self.at);
        self.values.shrink_to_fit();
        let offsets = OffsetBuffer::new(ScalarBuffer::from(self.offsets));
        Offsets { offsets, values: Buffer::from_vec(self.values), nulls }
    }
}

impl<O: OffsetSizeTrait> Sink for Rows<O> {
    fn room(&mut self, least: usize) -> &mut [u8] {
        if self.values.len() - self.at < least {
            self.values.resize((self.at + least).max(self.values.len() / 2 * 3), 0);
        }
        &mut self.values[self.at..]
    }

    #[inline]
    fn written(&mut self, bytes: usize) {
        self.at += bytes;
    }

    #[inline]
    fn end_row(&mut self, row: usize) -> Result<(), Error> {
        self.offsets.push(O::from_usize(self.at).ok_or(Error::TooLong { row })?);
        Ok(())
    }

    fn drop_row(&mut self) {
        self.at = self.offsets[self.offsets.len() - 1].as_usize();
    }
}
