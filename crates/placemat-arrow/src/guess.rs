//! Columns about text of unknown origin: the probable encoding of each row, and its repair.

use crate::column::Column;
use crate::dictionary::keys;
use crate::error::Error;
use crate::layout::with_column;
use arrow_array::builder::{BinaryBuilder, ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float32Array, ListArray, StringArray, StructArray, UInt64Array,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::Field;
use placemat::detect::Detection;
use placemat::repair::{Change, Repaired, Repairer};
use placemat::{Encoding, detect as detect_row};
use std::sync::Arc;

/// Returns the probable encoding of each row, by [`placemat::detect()`]; null where the row is.
///
/// The fields are `verdict` (`Utf8`: text, binary, unknown or empty), `encoding` (`Utf8`), `confidence` (`Float32`),
/// `language` (`Utf8`, a code), `first_non_ascii` (`UInt64`, an offset in bytes), `ill_formed` (`UInt64`, the number of ill-formed
/// sequences in damaged text), `contradicts_declaration` (`Boolean`) and `mixed` (a list of encodings). Names are in lower case.
/// Fields without an answer are null. Each row is a text of its own: a short one leaves much open.
///
/// ```
/// use arrow_array::{Array, BinaryArray, cast::AsArray};
/// let column = BinaryArray::from_opt_vec(vec![Some("naïve café".as_bytes()), None, Some(b"plain")]);
/// let found = placemat_arrow::detect(&column)?;
/// let encodings = found.column_by_name("encoding").unwrap().as_string::<i32>();
/// assert_eq!(encodings.iter().collect::<Vec<_>>(), [Some("utf-8"), None, Some("us-ascii")]);
/// assert!(found.is_null(1));
/// # Ok::<(), placemat_arrow::Error>(())
/// ```
///
/// # Errors
/// If the column is of another type.
pub fn detect(array: &dyn Array) -> Result<StructArray, Error> {
    let rows = Rows::new(array, detect_row)?;
    let found = || rows.iter();
    let texts = |of: fn(&Detection) -> Option<&'static str>| -> ArrayRef {
        Arc::new(found().map(|found| of(found?)).collect::<StringArray>())
    };
    let numbers = |of: fn(&Detection) -> Option<u64>| -> ArrayRef {
        Arc::new(found().map(|found| of(found?)).collect::<UInt64Array>())
    };
    let encodings: StringArray = found().map(|found| found?.encoding.map(name)).collect();
    let confidences: Float32Array = found().map(|found| Some(found?.confidence)).collect();
    let contradicted: BooleanArray =
        found().map(|found| found.map(Detection::contradicts_declaration)).collect();
    let mixed = found().map(|found| found.map_or(&[][..], |found| &found.mixed));
    Ok(table(
        vec![
            ("verdict", texts(|found| Some(found.verdict.name()))),
            ("encoding", Arc::new(encodings)),
            ("confidence", Arc::new(confidences)),
            ("language", texts(|found| found.language.map(|language| language.code()))),
            ("first_non_ascii", numbers(|found| found.first_non_ascii)),
            ("ill_formed", numbers(|found| found.damage.map(|damage| damage.ill_formed))),
            ("contradicts_declaration", Arc::new(contradicted)),
            ("mixed", names(mixed)),
        ],
        rows.nulls(),
    ))
}

/// Returns the repair of each row, by [`Repairer::repair`]; null where the row is.
///
/// The fields are `text` (`Utf8`), `encoding` (`Utf8`, that of the source) and `changes`, a list of structs with the fields
/// of [`Change`]: `step` (`Utf8`), `offset` (`UInt64`), `before` (`Binary`), `repaired_offset` (`UInt64`), `after` (`Utf8`),
/// `encodings` (a list of `Utf8`), `lossy` (`Boolean`), `gain` and `confidence` (`Float32`). Offsets count bytes from the start
/// of the row. Each row is a text of its own.
///
/// ```
/// use arrow_array::{Array, StringArray, cast::AsArray};
/// use placemat::repair::Repairer;
/// let column = StringArray::from(vec![Some("cafÃ©"), None, Some("café")]);
/// let repaired = placemat_arrow::repair(&column, &Repairer::new())?;
/// let texts = repaired.column_by_name("text").unwrap().as_string::<i32>();
/// assert_eq!(texts.iter().collect::<Vec<_>>(), [Some("café"), None, Some("café")]);
/// let changes = repaired.column_by_name("changes").unwrap().as_list::<i32>();
/// assert_eq!((changes.value_length(0), changes.value_length(2)), (1, 0));
/// # Ok::<(), placemat_arrow::Error>(())
/// ```
///
/// # Errors
/// If the column is of another type, or if the texts of a column or of its changes together have more than 2 GiB.
pub fn repair(array: &dyn Array, repairer: &Repairer) -> Result<StructArray, Error> {
    let mut repairer = repairer.clone();
    let rows = Rows::new(array, |row| repairer.repair(row))?;
    rows.fit()?;
    let texts: StringArray = rows.iter().map(|row| Some(row?.text.as_str())).collect();
    let encodings: StringArray = rows.iter().map(|row| Some(name(row?.encoding))).collect();
    let lengths = rows.iter().map(|row| row.map_or(0, |row| row.changes.len()));
    let offsets = OffsetBuffer::from_lengths(lengths);
    let changes: Vec<&Change> = rows.iter().flatten().flat_map(|row| &row.changes).collect();
    let changes: ArrayRef = Arc::new(changes_table(&changes));
    let item = Arc::new(Field::new("item", changes.data_type().clone(), true));
    let changes = ListArray::new(item, offsets, changes, rows.nulls());
    Ok(table(
        vec![("text", Arc::new(texts)), ("encoding", Arc::new(encodings)), ("changes", Arc::new(changes))],
        rows.nulls(),
    ))
}

/// Returns the changes as columns.
fn changes_table(changes: &[&Change]) -> StructArray {
    let texts = |of: fn(&Change) -> &str| -> ArrayRef {
        Arc::new(changes.iter().map(|change| Some(of(change))).collect::<StringArray>())
    };
    let offsets = |of: fn(&Change) -> u64| -> ArrayRef {
        Arc::new(changes.iter().map(|change| of(change)).collect::<UInt64Array>())
    };
    let numbers = |of: fn(&Change) -> f32| -> ArrayRef {
        Arc::new(changes.iter().map(|change| of(change)).collect::<Float32Array>())
    };
    let mut before = BinaryBuilder::new();
    for change in changes {
        before.append_value(&change.before);
    }
    let lossy: BooleanArray = changes.iter().map(|change| Some(change.lossy)).collect();
    table(
        vec![
            ("step", texts(|change| change.step.name())),
            ("offset", offsets(|change| change.offset)),
            ("before", Arc::new(before.finish())),
            ("repaired_offset", offsets(|change| change.repaired_offset)),
            ("after", texts(|change| &change.after)),
            ("encodings", names(changes.iter().map(|change| &change.encodings[..]))),
            ("lossy", Arc::new(lossy)),
            ("gain", numbers(|change| change.gain)),
            ("confidence", numbers(|change| change.confidence)),
        ],
        None,
    )
}

/// Returns the name of an encoding in lower case, as labels are written.
fn name(encoding: Encoding) -> String {
    encoding.name().to_ascii_lowercase()
}

/// Returns a list of names for each list of encodings.
fn names<'a>(all: impl Iterator<Item = &'a [Encoding]>) -> ArrayRef {
    let mut lists = ListBuilder::new(StringBuilder::new());
    for encodings in all {
        for encoding in encodings {
            lists.values().append_value(name(*encoding));
        }
        lists.append(true);
    }
    Arc::new(lists.finish())
}

/// Returns a struct of columns.
fn table(columns: Vec<(&'static str, ArrayRef)>, nulls: Option<NullBuffer>) -> StructArray {
    let field = |(name, column): &(&str, ArrayRef)| Field::new(*name, column.data_type().clone(), true);
    let fields: Vec<Field> = columns.iter().map(field).collect();
    StructArray::new(fields.into(), columns.into_iter().map(|(_, column)| column).collect(), nulls)
}

/// A result for each row. The work is done once for each value of a dictionary.
struct Rows<T> {
    results: Vec<Option<T>>,
    /// The result of each row of a dictionary.
    keys: Option<Vec<Option<usize>>>,
}

impl<T> Rows<T> {
    fn new(array: &dyn Array, mut make: impl FnMut(&[u8]) -> T) -> Result<Self, Error> {
        if let Some(dictionary) = array.as_any_dictionary_opt() {
            let values = Rows::new(&**dictionary.values(), make)?;
            return Ok(Self { results: values.results, keys: Some(keys(dictionary)) });
        }
        with_column!(array, column => {
            let results = (0..column.len()).map(|row| column.valid_row(row).map(&mut make)).collect();
            Ok(Self { results, keys: None })
        })
    }

    fn len(&self) -> usize {
        self.keys.as_ref().map_or(self.results.len(), Vec::len)
    }

    fn get(&self, row: usize) -> Option<&T> {
        let result = self.keys.as_ref().map_or(Some(row), |keys| keys[row])?;
        self.results[result].as_ref()
    }

    fn iter(&self) -> impl Iterator<Item = Option<&T>> {
        (0..self.len()).map(|row| self.get(row))
    }

    fn nulls(&self) -> Option<NullBuffer> {
        Some(self.iter().map(|row| row.is_some()).collect::<Vec<_>>().into())
    }
}

impl Rows<Repaired> {
    /// Checks that offsets of 32 bits can count the texts, and the texts and bytes of the changes.
    fn fit(&self) -> Result<(), Error> {
        let limit = i32::MAX.unsigned_abs() as usize;
        let (mut texts, mut changes) = (0, 0);
        for (row, repaired) in self.iter().enumerate() {
            let Some(repaired) = repaired else { continue };
            texts += repaired.text.len();
            // At least 1 byte counts for each change, so that their number fits too. A step and a name are short.
            let sizes = repaired.changes.iter().map(|change| {
                change.before.len().max(change.after.len()).max(16 * (1 + change.encodings.len()))
            });
            changes += sizes.sum::<usize>();
            if texts > limit || changes > limit {
                return Err(Error::TooLong { row });
            }
        }
        Ok(())
    }
}
