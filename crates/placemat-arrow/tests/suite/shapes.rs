//! Random rows, and arrays of all types that contain them.

use arrow_array::builder::BinaryViewBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::ArrowDictionaryKeyType;
use arrow_array::types::{Int8Type, Int32Type, UInt16Type};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, BinaryArray, BinaryViewArray, DictionaryArray, GenericBinaryArray,
    OffsetSizeTrait, PrimitiveArray, StringViewArray, make_array,
};
use arrow_buffer::{ArrowNativeType, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::DataType;
use std::sync::Arc;

pub(crate) type Row = Option<Vec<u8>>;

/// A pseudo-random generator that yields the same numbers in each run (xorshift).
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % end
    }
}

fn text(numbers: &mut Numbers, alphabet: &[&[u8]], pieces: usize) -> Vec<u8> {
    (0..numbers.below(pieces + 1)).flat_map(|_| alphabet[numbers.below(alphabet.len())].to_vec()).collect()
}

/// Random rows: few or many, short or long, damaged or mostly not, with nulls or without.
pub(crate) fn rows_of(numbers: &mut Numbers, alphabet: &[&[u8]], case: u64) -> Vec<Row> {
    let len = match case % 6 {
        0 => numbers.below(4),
        5 => 1500,
        _ => numbers.below(60),
    };
    let pieces = [2, 8, 100][numbers.below(3)];
    let nulls = [0, 1, 50][numbers.below(3)];
    // In half of the columns most rows are plain, so that stretches are whole.
    let plain = [0, 95][numbers.below(2)];
    (0..len)
        .map(|_| {
            if numbers.below(100) < nulls {
                None
            } else if numbers.below(100) < plain {
                Some(alphabet[1].repeat(numbers.below(pieces)))
            } else if numbers.below(400) == 0 {
                Some(text(numbers, alphabet, 60_000))
            } else {
                Some(text(numbers, alphabet, pieces))
            }
        })
        .collect()
}

const RUBBISH: &[&[u8]] = &[b"\xFF", b"\xE2\x82", b"\xAC", b"ok", b"\x98", b"", b"\xF0\x9F\x98"];

fn nulls_of(rows: &[Row]) -> Option<NullBuffer> {
    rows.iter().any(Option::is_none).then(|| rows.iter().map(Option::is_some).collect())
}

/// Returns a plain binary array of the rows.
pub(crate) fn plain(rows: &[Row]) -> ArrayRef {
    Arc::new(BinaryArray::from_iter(rows.iter().map(Option::as_deref)))
}

/// Returns an array with offsets, and with rubbish before the first row, after the last, and below
/// nulls.
fn offsets<O: OffsetSizeTrait>(rows: &[Row], numbers: &mut Numbers) -> ArrayRef {
    let mut values = text(numbers, RUBBISH, 4);
    let mut offsets = vec![O::usize_as(values.len())];
    for row in rows {
        match row {
            Some(row) => values.extend(row),
            None => values.extend(text(numbers, RUBBISH, 3)),
        }
        offsets.push(O::usize_as(values.len()));
    }
    values.extend(text(numbers, RUBBISH, 4));
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    Arc::new(GenericBinaryArray::<O>::new(offsets, Buffer::from_vec(values), nulls_of(rows)))
}

/// Returns an array of views into several buffers, whose views below nulls are dangling.
fn views(rows: &[Row], numbers: &mut Numbers) -> BinaryViewArray {
    let mut builder = BinaryViewBuilder::new().with_fixed_block_size(1 + numbers.below(4000) as u32);
    for row in rows {
        builder.append_value(row.as_deref().unwrap_or_default());
    }
    let (views, buffers, _) = builder.finish().into_parts();
    let mut views = views.to_vec();
    for (view, row) in views.iter_mut().zip(rows) {
        if row.is_none() {
            *view = [0, 3 | 0x0000_FFFF << 32, u128::MAX][numbers.below(3)];
        }
    }
    // SAFETY: the builder made the views of rows that are not null. The other views must not be
    // read.
    unsafe { BinaryViewArray::new_unchecked(ScalarBuffer::from(views), buffers, nulls_of(rows)) }
}

/// Returns the array with another type over the same buffers, as another program may export it.
fn retyped(array: &dyn Array, data_type: DataType) -> ArrayRef {
    // SAFETY: the kernels treat text in arrays as bytes, and so do the tests.
    make_array(unsafe { array.to_data().into_builder().data_type(data_type).build_unchecked() })
}

/// Returns a dictionary of the rows, with values that are duplicate, null, or unused, and with
/// rubbish keys below nulls.
fn dictionary<K: ArrowPrimitiveType + ArrowDictionaryKeyType>(
    rows: &[Row],
    numbers: &mut Numbers,
    of: impl Fn(&[Row], &mut Numbers) -> ArrayRef,
) -> Option<ArrayRef> {
    let mut values: Vec<Row> = vec![Some(b"unused \xFF".to_vec()), None];
    let mut keys = Vec::new();
    let mut nulls = Vec::new();
    for row in rows {
        let known = values.iter().position(|value| value == row);
        let key = match known {
            Some(key) if numbers.below(4) > 0 => key,
            _ => {
                values.push(row.clone());
                values.len() - 1
            }
        };
        let by_key = row.is_none() && numbers.below(2) == 0;
        keys.push(if by_key { numbers.below(values.len()) } else { key });
        nulls.push(!by_key);
    }
    if values.len() > 120 {
        return None;
    }
    let keys: Vec<K::Native> = keys.into_iter().map(K::Native::usize_as).collect();
    let keys = PrimitiveArray::<K>::new(keys.into(), Some(NullBuffer::from(nulls)));
    Some(Arc::new(DictionaryArray::<K>::new(keys, of(&values, numbers))))
}

/// Returns the rows as arrays of all types, whole and as a slice of a longer array.
pub(crate) fn shapes(rows: &[Row], numbers: &mut Numbers) -> Vec<(String, ArrayRef)> {
    let around = |numbers: &mut Numbers| -> Vec<Row> {
        (0..numbers.below(10)).map(|_| (numbers.below(3) > 0).then(|| text(numbers, RUBBISH, 5))).collect()
    };
    let (before, after) = (around(numbers), around(numbers));
    let longer: Vec<Row> = before.iter().chain(rows).chain(&after).cloned().collect();
    let mut all = Vec::new();
    for (how, all_rows) in [("whole", rows), ("sliced", &longer[..])] {
        let small = offsets::<i32>(all_rows, numbers);
        let large = offsets::<i64>(all_rows, numbers);
        let view: ArrayRef = Arc::new(views(all_rows, numbers));
        let mut arrays = vec![
            ("Utf8", retyped(&small, DataType::Utf8)),
            ("LargeUtf8", retyped(&large, DataType::LargeUtf8)),
            ("Utf8View", retyped(&view, DataType::Utf8View)),
            ("Binary", small),
            ("LargeBinary", large),
            ("BinaryView", view),
        ];
        let of_views = |rows: &[Row], numbers: &mut Numbers| -> ArrayRef { Arc::new(views(rows, numbers)) };
        let of_text = |rows: &[Row], numbers: &mut Numbers| {
            retyped(&offsets::<i64>(rows, numbers), DataType::LargeUtf8)
        };
        arrays.extend(
            dictionary::<Int8Type>(all_rows, numbers, offsets::<i32>)
                .map(|a| ("Dictionary(Int8, Binary)", a)),
        );
        arrays.extend(
            dictionary::<Int32Type>(all_rows, numbers, of_views).map(|a| ("Dictionary(Int32, View)", a)),
        );
        arrays.extend(
            dictionary::<UInt16Type>(all_rows, numbers, of_text).map(|a| ("Dictionary(UInt16, Text)", a)),
        );
        for (name, array) in arrays {
            let skipped = if how == "sliced" { before.len() } else { 0 };
            all.push((format!("{name}, {how}"), array.slice(skipped, rows.len())));
        }
    }
    all
}

/// Returns the bytes of each row of an array of bytes or text, read through the array's own
/// methods.
pub(crate) fn content(array: &dyn Array) -> Vec<Row> {
    fn all<'a>(rows: impl Iterator<Item = Option<&'a (impl AsRef<[u8]> + ?Sized + 'a)>>) -> Vec<Row> {
        rows.map(|row| row.map(|row| row.as_ref().to_vec())).collect()
    }
    match array.data_type() {
        DataType::Binary => all(array.as_binary::<i32>().iter()),
        DataType::LargeBinary => all(array.as_binary::<i64>().iter()),
        DataType::Utf8 => all(array.as_string::<i32>().iter()),
        DataType::LargeUtf8 => all(array.as_string::<i64>().iter()),
        DataType::BinaryView => all(array.as_binary_view().iter()),
        DataType::Utf8View => all({
            let array: &StringViewArray = array.as_string_view();
            array.iter()
        }),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let values = content(dictionary.values());
            let nulls = array.logical_nulls();
            let keys = dictionary.normalized_keys().into_iter().enumerate();
            keys.map(|(row, key)| {
                let valid = nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row));
                valid.then(|| values[key].clone()).flatten()
            })
            .collect()
        }
        other => panic!("no rows of {other}"),
    }
}
