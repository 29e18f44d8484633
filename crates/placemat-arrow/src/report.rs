//! Columns about a column: which rows are well-formed, their errors, their lengths.

use crate::column::Column;
use crate::dictionary::keys;
use crate::error::Error;
use crate::layout::with_column;
use crate::scheme::{Scheme, error_in};
use arrow_array::builder::{BinaryBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{Array, BooleanArray, Int64Array, StructArray, UInt32Array, UInt64Array};
use arrow_buffer::{BooleanBufferBuilder, NullBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, Fields};
use placemat::stream::Transcoder;
use placemat::{Encoding, ErrorPolicy, IllFormed, utf8};
use std::sync::Arc;

/// Whether each row is well-formed in `encoding`; null where the row is.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::{BinaryArray, BooleanArray};
/// use placemat::Encoding;
/// let column = BinaryArray::from_vec(vec![b"caf\xC3\xA9", b"caf\xE9"]);
/// assert_eq!(placemat_arrow::is_valid(&column, Encoding::UTF_8)?, BooleanArray::from(vec![true, false]));
/// assert_eq!(placemat_arrow::is_valid(&column, Encoding::US_ASCII)?, BooleanArray::from(vec![false, false]));
/// # Ok::<(), placemat_arrow::Error>(())
/// ```
///
/// # Errors
/// If the column is of another type.
pub fn is_valid(array: &dyn Array, encoding: Encoding) -> Result<BooleanArray, Error> {
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        let values = is_valid(dictionary.values(), encoding)?;
        return Ok(keys(dictionary).into_iter().map(|key| key.map(|key| values.value(key))).collect());
    }
    with_column!(array, column => {
        let mut bits = BooleanBufferBuilder::new(column.len());
        bits.append_n(column.len(), true);
        for row in column.ill_formed(encoding) {
            bits.set_bit(row, false);
        }
        Ok(BooleanArray::new(bits.finish(), column.nulls().cloned()))
    })
}

/// Returns the first error of each row; null where the row is null or well-formed.
///
/// The fields are `offset` (`UInt64`, bytes from the start of the row), `length` (`UInt32`, bytes), `code` (`Utf8`, as
/// [`IllFormed::code`]), `bytes` (`Binary`, the ill-formed sequence) and `message` (`Utf8`).
///
/// ```
/// use arrow_array::{Array, BinaryArray, cast::AsArray, types::UInt64Type};
/// use placemat::Encoding;
/// let column = BinaryArray::from_vec(vec![b"caf\xC3\xA9", b"a\xC0\xAF"]);
/// let errors = placemat_arrow::first_error(&column, Encoding::UTF_8)?;
/// assert!(errors.is_null(0) && errors.is_valid(1));
/// assert_eq!(errors.column(0).as_primitive::<UInt64Type>().value(1), 1);
/// assert_eq!(errors.column(2).as_string::<i32>().value(1), "overlong-2");
/// assert_eq!(errors.column(4).as_string::<i32>().value(1), "overlong sequence 0xc0 at offset 1");
/// # Ok::<(), placemat_arrow::Error>(())
/// ```
///
/// # Errors
/// If the column is of another type.
pub fn first_error(array: &dyn Array, encoding: Encoding) -> Result<StructArray, Error> {
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        let mut of_value = vec![None; dictionary.values().len()];
        for (value, error) in errors(dictionary.values(), encoding)? {
            of_value[value] = Some(error);
        }
        let rows = keys(dictionary).into_iter().enumerate();
        return Ok(table(array.len(), rows.filter_map(|(row, key)| Some((row, of_value[key?]?)))));
    }
    Ok(table(array.len(), errors(array, encoding)?.into_iter()))
}

/// Returns the rows that have errors, in order.
fn errors(array: &dyn Array, encoding: Encoding) -> Result<Vec<(usize, IllFormed)>, Error> {
    with_column!(array, column => {
        let rows = column.ill_formed(encoding).into_iter().filter(|&row| !column.is_null(row));
        Ok(rows.filter_map(|row| Some((row, error_in(encoding, column.row(row))?))).collect())
    })
}

fn table(len: usize, errors: impl Iterator<Item = (usize, IllFormed)>) -> StructArray {
    let (mut offsets, mut lengths) = (vec![0; len], vec![0; len]);
    let (mut codes, mut messages) =
        (StringBuilder::with_capacity(len, 0), StringBuilder::with_capacity(len, 0));
    let mut bytes = BinaryBuilder::with_capacity(len, 0);
    let mut bits = BooleanBufferBuilder::new(len);
    bits.append_n(len, false);
    let mut next = 0;
    for (row, error) in errors {
        codes.append_nulls(row - next);
        messages.append_nulls(row - next);
        bytes.append_nulls(row - next);
        next = row + 1;
        bits.set_bit(row, true);
        offsets[row] = error.offset();
        lengths[row] = u32::try_from(error.len()).unwrap_or(u32::MAX);
        codes.append_value(error.code());
        messages.append_value(error.to_string());
        bytes.append_value(error.bytes());
    }
    codes.append_nulls(len - next);
    messages.append_nulls(len - next);
    bytes.append_nulls(len - next);
    let nulls = NullBuffer::new(bits.finish());
    let fields = [
        ("offset", DataType::UInt64),
        ("length", DataType::UInt32),
        ("code", DataType::Utf8),
        ("bytes", DataType::Binary),
        ("message", DataType::Utf8),
    ];
    let fields: Fields = fields.into_iter().map(|(name, of)| Field::new(name, of, true)).collect();
    StructArray::new(
        fields,
        vec![
            Arc::new(UInt64Array::new(ScalarBuffer::from(offsets), Some(nulls.clone()))),
            Arc::new(UInt32Array::new(ScalarBuffer::from(lengths), Some(nulls.clone()))),
            Arc::new(codes.finish()),
            Arc::new(bytes.finish()),
            Arc::new(messages.finish()),
        ],
        Some(nulls),
    )
}

/// Returns the number of code points of each row; null where the row is. Each ill-formed sequence counts as one, like
/// the U+FFFD that would replace it.
///
/// ```
/// use arrow_array::{BinaryArray, Int64Array};
/// use placemat::Encoding;
/// let column = BinaryArray::from_opt_vec(vec![Some(b"5 \xE2\x82\xAC"), None, Some(b"caf\xE9")]);
/// let count = placemat_arrow::count(&column, Encoding::UTF_8)?;
/// assert_eq!(count, Int64Array::from(vec![Some(3), None, Some(4)]));
/// # Ok::<(), placemat_arrow::Error>(())
/// ```
///
/// # Errors
/// If the column is of another type.
pub fn count(array: &dyn Array, encoding: Encoding) -> Result<Int64Array, Error> {
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        let values = count(dictionary.values(), encoding)?;
        return Ok(keys(dictionary).into_iter().map(|key| key.map(|key| values.value(key))).collect());
    }
    with_column!(array, column => {
        let mut counts = Vec::with_capacity(column.len());
        match Scheme::of(encoding) {
            Scheme::Utf8 => {
                let mut ill_formed = column.ill_formed(encoding).into_iter().peekable();
                counts.extend((0..column.len()).map(|row| match ill_formed.next_if_eq(&row) {
                    Some(_) => steps(encoding, column.row(row)),
                    None => utf8::count_code_points(column.row(row)) as u64,
                }));
            }
            Scheme::SingleByte(_) => counts.extend((0..column.len()).map(|row| column.row(row).len() as u64)),
            Scheme::Other => counts.extend((0..column.len()).map(|row| steps(encoding, column.row(row)))),
        }
        let counts: Vec<i64> = counts.into_iter().map(|count| i64::try_from(count).unwrap_or(i64::MAX)).collect();
        Ok(Int64Array::new(ScalarBuffer::from(counts), column.nulls().cloned()))
    })
}

/// Returns the number of code points and of ill-formed sequences of a text.
fn steps(encoding: Encoding, text: &[u8]) -> u64 {
    let mut checker = Transcoder::checker(encoding).on_error(ErrorPolicy::Replace).counting();
    let _ = checker.convert(text, &mut [], true);
    let tally = checker.tally();
    tally.decoded.unwrap_or(0) + tally.replaced.count
}
