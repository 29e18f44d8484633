//! Dictionaries: the work is done once for each value, and the keys stay.

use crate::column::Column;
use crate::error::Error;
use crate::layout::with_column;
use arrow_array::{AnyDictionaryArray, Array, ArrayRef};
use arrow_buffer::NullBuffer;

/// Returns the value of each row: its index, or none if the row is null.
pub(crate) fn keys(dictionary: &dyn AnyDictionaryArray) -> Vec<Option<usize>> {
    if dictionary.values().is_empty() {
        return vec![None; dictionary.len()];
    }
    let keys = dictionary.normalized_keys();
    let nulls = dictionary.logical_nulls();
    let of_row = |(row, key)| nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row)).then_some(key);
    keys.into_iter().enumerate().map(of_row).collect()
}

/// Returns the dictionary with its values converted.
///
/// A value that no row has must not make the call fail. So if one fails, the values without a row become null.
pub(crate) fn convert(
    dictionary: &dyn AnyDictionaryArray,
    convert: impl Fn(&dyn Array) -> Result<ArrayRef, Error>,
) -> Result<ArrayRef, Error> {
    let values = dictionary.values();
    let converted = match convert(values) {
        Err(Error::Row { .. }) => {
            let mut is_used = vec![false; values.len()];
            for (row, key) in keys(dictionary).into_iter().enumerate() {
                if let Some(key) = key
                    && !core::mem::replace(&mut is_used[key], true)
                    && let Err(Error::Row { error, .. }) = convert(&values.slice(key, 1))
                {
                    return Err(Error::Row { row, error });
                }
            }
            convert(&*only(values, is_used)?)
        }
        result => result,
    };
    let of_value = |value| keys(dictionary).iter().position(|&key| key == Some(value)).unwrap_or(0);
    converted.map(|values| dictionary.with_values(values)).map_err(|error| match error {
        Error::TooLong { row } => Error::TooLong { row: of_value(row) },
        other => other,
    })
}

/// Returns the values as bytes; those that are not used are null.
fn only(values: &dyn Array, is_used: Vec<bool>) -> Result<ArrayRef, Error> {
    let nulls = NullBuffer::union(values.nulls(), Some(&NullBuffer::from(is_used)));
    with_column!(values, column => Ok(column.with_nulls(nulls).into_binary()))
}
