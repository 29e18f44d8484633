//! Which buffers a result has, and columns that are empty, malformed or too long.

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, BooleanArray, DictionaryArray, Int32Array, Int64Array,
    LargeBinaryArray, StringArray, make_array, new_empty_array,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_data::ArrayData;
use arrow_schema::DataType;
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};
use placemat_arrow::{Error, Handling, count, decode, encode, first_error, is_valid, make_valid, transcode};
use std::sync::Arc;

fn addresses(array: &dyn Array) -> Vec<*const u8> {
    let data = array.to_data();
    let nulls = data.nulls().map(|nulls| nulls.buffer().as_ptr());
    let children = data.child_data().iter().flat_map(|child| child.buffers().iter().map(Buffer::as_ptr));
    data.buffers().iter().map(Buffer::as_ptr).chain(nulls).chain(children).collect()
}

const CLEAN: [Option<&[u8]>; 4] =
    [Some("a text of more than twelve bytes é".as_bytes()), None, Some(b""), Some(b"short")];
const ASCII: [Option<&[u8]>; 4] =
    [Some(b"a text of more than twelve bytes"), None, Some(b""), Some(b"short")];

fn of_all_types(rows: [Option<&[u8]>; 4]) -> [ArrayRef; 4] {
    let small = Arc::new(BinaryArray::from_iter(rows));
    let keys = Int32Array::from(vec![Some(3), Some(0), None, Some(0)]);
    [
        small.clone(),
        Arc::new(LargeBinaryArray::from_iter(rows)),
        Arc::new(BinaryViewArray::from_iter(rows)),
        Arc::new(DictionaryArray::<Int32Type>::new(keys, small)),
    ]
}

#[test]
fn a_clean_column_has_the_same_buffers() {
    for array in of_all_types(CLEAN) {
        for array in [array.slice(0, 4), array.slice(1, 3)] {
            let text = make_valid(&array, ErrorPolicy::Replace).unwrap();
            assert_eq!(addresses(&text), addresses(&array), "{}", array.data_type());
            assert_ne!(text.data_type(), array.data_type());
            let bytes = encode(&text, Encoding::UTF_8, UnmappablePolicy::Stop).unwrap();
            assert_eq!(addresses(&bytes), addresses(&array), "{}", array.data_type());
        }
    }
    for array in of_all_types(ASCII) {
        for encoding in [Encoding::WINDOWS_1251, Encoding::SHIFT_JIS, Encoding::CESU_8] {
            let text = decode(&array, encoding, ErrorPolicy::Stop).unwrap();
            assert_eq!(addresses(&text), addresses(&array), "{encoding}, {}", array.data_type());
            let between = (encoding, Encoding::GBK);
            let bytes = transcode(&array, between, ErrorPolicy::Stop, UnmappablePolicy::Stop).unwrap();
            assert_eq!(addresses(&bytes), addresses(&array), "{encoding}, {}", array.data_type());
        }
    }
}

#[test]
fn only_damaged_views_are_written() {
    let rows: [&[u8]; 3] =
        [b"a text of more than twelve bytes", b"a text that is damaged \xFF", b"a third text, also long"];
    let array = BinaryViewArray::from_iter_values(rows);
    let text = make_valid(&array, ErrorPolicy::Replace).unwrap();
    let text = text.as_string_view();
    assert_eq!((text.views()[0], text.views()[2]), (array.views()[0], array.views()[2]));
    assert_eq!(text.data_buffers()[0].as_ptr(), array.data_buffers()[0].as_ptr());
    assert_eq!(text.value(1), "a text that is damaged \u{FFFD}");
}

/// Text must be well-formed below nulls too: such a row becomes empty, in a new column.
#[test]
fn rubbish_below_nulls_is_dropped() {
    let offsets = OffsetBuffer::new(ScalarBuffer::from(vec![0, 2, 4, 6]));
    let nulls = NullBuffer::from(vec![true, false, true]);
    let array = BinaryArray::new(offsets, Buffer::from(b"ab\xFF\xE2cd"), Some(nulls));
    let text = make_valid(&array, ErrorPolicy::Stop).unwrap();
    assert_eq!(text.as_string::<i32>().value_data(), b"abcd");
    assert_eq!(text.as_string::<i32>().iter().collect::<Vec<_>>(), [Some("ab"), None, Some("cd")]);
    assert_eq!(
        is_valid(&array, Encoding::UTF_8).unwrap(),
        BooleanArray::from(vec![Some(true), None, Some(true)])
    );
}

#[test]
fn empty_columns() {
    for data_type in [DataType::Binary, DataType::LargeUtf8, DataType::BinaryView, DataType::Utf8] {
        let dictionary = DataType::Dictionary(Box::new(DataType::Int8), Box::new(data_type.clone()));
        for data_type in [data_type, dictionary] {
            let array = new_empty_array(&data_type);
            assert_eq!(is_valid(&array, Encoding::UTF_8).unwrap().len(), 0);
            assert_eq!(first_error(&array, Encoding::GBK).unwrap().len(), 0);
            assert_eq!(count(&array, Encoding::UTF_16).unwrap().len(), 0);
            for encoding in [Encoding::UTF_8, Encoding::WINDOWS_1251, Encoding::GBK] {
                assert_eq!(decode(&array, encoding, Handling::Null).unwrap().len(), 0);
                assert_eq!(encode(&array, encoding, UnmappablePolicy::Stop).unwrap().len(), 0);
            }
        }
    }
    // A dictionary without values, whose rows are all null.
    let keys = Int32Array::from(vec![None, None]);
    let array = DictionaryArray::<Int32Type>::new(keys, new_empty_array(&DataType::Binary));
    assert_eq!(make_valid(&array, ErrorPolicy::Stop).unwrap().logical_null_count(), 2);
    assert_eq!(count(&array, Encoding::UTF_8).unwrap(), Int64Array::from(vec![None, None]));
}

/// Builds an array without checks, as another program may export it.
fn unchecked(data_type: DataType, len: usize, buffers: Vec<Buffer>) -> ArrayData {
    let builder = ArrayData::builder(data_type).len(len).buffers(buffers);
    // SAFETY: the kernels check the offsets of rows before they read them; the tests do not read
    // them.
    unsafe { builder.build_unchecked() }
}

#[test]
fn places_outside_the_buffers_are_an_error() {
    for offsets in [[0, 3, 2], [0, 1, 9], [-1, 0, 1], [5, 6, 7]] {
        let data =
            unchecked(DataType::Binary, 2, vec![Buffer::from_vec(offsets.to_vec()), Buffer::from(b"abcd")]);
        let array = make_array(data);
        assert_eq!(is_valid(&array, Encoding::UTF_8), Err(Error::Malformed), "{offsets:?}");
        assert_eq!(make_valid(&array, ErrorPolicy::Replace).unwrap_err(), Error::Malformed, "{offsets:?}");
    }
    let long = |buffer: u128, start: u128| 20 | buffer << 64 | start << 96;
    for view in [long(0, 1), long(1, 0), long(0, u128::from(u32::MAX)), 0xFFFF_FFFF] {
        let data =
            unchecked(DataType::BinaryView, 1, vec![Buffer::from_vec(vec![view]), Buffer::from(&[b'a'; 20])]);
        let array = make_array(data);
        assert_eq!(is_valid(&array, Encoding::UTF_8), Err(Error::Malformed), "{view:x}");
    }
}

/// Other types are refused by name.
#[test]
fn other_types() {
    let array = Int32Array::from(vec![1]);
    let error = Error::Type(DataType::Int32);
    assert_eq!(is_valid(&array, Encoding::UTF_8), Err(error.clone()));
    assert_eq!(decode(&array, Encoding::UTF_8, ErrorPolicy::Stop).unwrap_err(), error);
}

#[test]
fn a_value_without_a_row_does_not_stop() {
    let values = BinaryArray::from_vec(vec![b"unused \xFF", b"used"]);
    let dictionary =
        |keys: Vec<i32>| DictionaryArray::<Int32Type>::new(keys.into(), Arc::new(values.clone()));
    let text = make_valid(&dictionary(vec![1, 1]), ErrorPolicy::Stop).unwrap();
    assert_eq!(text.as_any_dictionary().values().as_string::<i32>().value(1), "used");
    let error = make_valid(&dictionary(vec![1, 1, 0]), ErrorPolicy::Stop).unwrap_err();
    let in_row = placemat::utf8::validate(b"unused \xFF").unwrap_err();
    assert_eq!(error, Error::Row { row: 2, error: in_row.into() });
}

/// Makes 2.2 GB of text from 1.1 GB: with offsets of 32 bits the error names the row; offsets of 64
/// bits and views can represent the result.
#[test]
fn results_past_two_gigabytes() {
    if std::env::var_os("PLACEMAT_LONG").is_none() {
        println!("not run: it needs PLACEMAT_LONG=1 and 8 GB of memory");
        return;
    }
    const ROW: usize = 1 << 20;
    let rows = 1100;
    let values = Buffer::from_vec(vec![0xE0_u8; rows * ROW]);
    let offsets = OffsetBuffer::from_lengths(vec![ROW; rows]);
    let array = BinaryArray::new(offsets, values.clone(), None);
    let fits = usize::try_from(i32::MAX).unwrap() / (2 * ROW);
    let error = decode(&array, Encoding::WINDOWS_1251, ErrorPolicy::Stop).unwrap_err();
    assert_eq!(error, Error::TooLong { row: fits });
    // Each ill-formed byte becomes three bytes.
    let error = make_valid(&array.slice(0, 800), ErrorPolicy::Replace).unwrap_err();
    assert_eq!(error, Error::TooLong { row: usize::try_from(i32::MAX).unwrap() / (3 * ROW) });
    let large = LargeBinaryArray::new(OffsetBuffer::from_lengths(vec![ROW; rows]), values.clone(), None);
    let text = decode(&large, Encoding::WINDOWS_1251, ErrorPolicy::Stop).unwrap();
    assert_eq!(text.as_string::<i64>().value_data().len(), 2 * rows * ROW);
    drop((text, large, array));
    let views = BinaryViewArray::from_iter_values((0..rows).map(|row| &values[row * ROW..(row + 1) * ROW]));
    let text = decode(&views, Encoding::WINDOWS_1251, ErrorPolicy::Stop).unwrap();
    let text = text.as_string_view();
    assert_eq!(text.data_buffers().len(), 2);
    assert!(text.iter().flatten().all(|row| row.len() == 2 * ROW && row.starts_with("а")));
}

/// A result of the kernels can be the input of the next call.
#[test]
fn results_can_be_the_next_input() {
    let array = StringArray::from(vec!["Привет", "мир"]);
    let bytes = encode(&array, Encoding::KOI8_R, UnmappablePolicy::Stop).unwrap();
    let text = decode(&bytes, Encoding::KOI8_R, ErrorPolicy::Stop).unwrap();
    assert_eq!(text.as_string::<i32>(), &array);
}
