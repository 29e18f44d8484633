//! Compares the kernels with a conversion of one row at a time, over random columns of all types:
//! with nulls and rubbish below them, slices, rows that join into sequences, and buffers of several
//! stretches.
//!
//! The oracles are `core::str` and `String::from_utf8_lossy` for UTF-8, and the library's
//! conversion of one text for all other encodings.

use crate::shapes::{self, Numbers, Row, content, rows_of, shapes};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef};
use placemat::stream::Transcoder;
use placemat::{ConvertError, Encoding, ErrorPolicy, Replacement, UnmappablePolicy};
use placemat_arrow::{Error, Handling, count, decode, encode, first_error, is_valid, make_valid, transcode};

fn text_type(array: &dyn Array) -> bool {
    use arrow_schema::DataType::{Dictionary, LargeUtf8, Utf8, Utf8View};
    match array.data_type() {
        Dictionary(_, values) => matches!(**values, Utf8 | LargeUtf8 | Utf8View),
        other => matches!(other, Utf8 | LargeUtf8 | Utf8View),
    }
}

/// Asserts that every text in an array is well-formed, including texts below nulls and unused ones.
fn assert_sound(array: &dyn Array) {
    array.to_data().validate_full().unwrap();
}

/// The number of random columns for UTF-8, and for each other encoding.
const CASES: [u64; 2] = [60, 12];

/// Calls `check` with each shape of random columns of `alphabet`.
fn for_each_column(seed: u64, alphabet: &[&[u8]], check: impl Fn(&str, &[Row], &ArrayRef)) {
    for case in 0..CASES[usize::from(seed >= 100)] {
        let mut numbers = Numbers::new(seed * 1000 + case);
        let rows = rows_of(&mut numbers, alphabet, case);
        for (name, array) in shapes(&rows, &mut numbers) {
            assert_eq!(array.len(), rows.len(), "{name}");
            check(&format!("case {case}, {name}"), &rows, &array);
        }
    }
}

/// Pieces that join into sequences, and pieces that are ill-formed in every possible form.
const UTF8: &[&[u8]] = &[
    b"a",
    b"plain text ",
    "é".as_bytes(),
    "€".as_bytes(),
    "😀".as_bytes(),
    b"\xE2\x82",
    b"\xAC",
    b"\xF0\x9F",
    b"\x98\x80",
    b"\xC3",
    b"\xFF",
    b"\xED\xA0\x80",
    b"\xC0\x80",
    b"",
    "日本語のテキスト".as_bytes(),
];
const CLEAN: &[&[u8]] = &[b"a", b"plain text ", "é".as_bytes(), "€".as_bytes(), "😀".as_bytes(), b""];
const ALL_BYTES: &[&[u8]] = &[
    b"plain ",
    b"\x00",
    b"\x1B$B",
    b"\x1B(B",
    b"+AOk-",
    b"~{",
    b"\x0E",
    b"\x0F",
    b"\x80",
    b"\x81",
    b"\x82\xA0",
    b"\x98",
    b"\xA4\xA2",
    b"\xCF\xF0\xE8\xE2\xE5\xF2",
    b"\xFF",
    b"\xFE",
    b"\xD8\x00",
    b"5\\~",
    b"",
];

#[test]
fn utf8_reports_agree_with_core() {
    for alphabet in [UTF8, CLEAN] {
        for_each_column(1, alphabet, |name, rows, array| {
            let valid = is_valid(array, Encoding::UTF_8).unwrap();
            let errors = first_error(array, Encoding::UTF_8).unwrap();
            let counts = count(array, Encoding::UTF_8).unwrap();
            let offsets = errors.column(0).as_primitive::<UInt64Type>();
            let lengths = errors.column(1).as_primitive::<UInt32Type>();
            for (i, row) in rows.iter().enumerate() {
                let Some(row) = row else {
                    assert!(valid.is_null(i) && errors.is_null(i) && counts.is_null(i), "{name}, row {i}");
                    continue;
                };
                let expected = core::str::from_utf8(row);
                assert!(valid.is_valid(i));
                assert_eq!(valid.value(i), expected.is_ok(), "{name}, row {i}: {row:02X?}");
                assert_eq!(errors.is_valid(i), expected.is_err(), "{name}, row {i}");
                assert_eq!(
                    counts.value(i),
                    String::from_utf8_lossy(row).chars().count() as i64,
                    "{name}, row {i}"
                );
                if let Err(e) = expected {
                    let len = e.error_len().unwrap_or(row.len() - e.valid_up_to());
                    assert_eq!(
                        (offsets.value(i), lengths.value(i)),
                        (e.valid_up_to() as u64, len as u32),
                        "{name}"
                    );
                    let bytes = errors.column(3).as_binary::<i32>().value(i);
                    assert_eq!(bytes, &row[e.valid_up_to()..e.valid_up_to() + len], "{name}, row {i}");
                    let code = errors.column(2).as_string::<i32>().value(i);
                    let library = placemat::utf8::validate(row).unwrap_err();
                    assert_eq!(code, library.code());
                    assert_eq!(errors.column(4).as_string::<i32>().value(i), library.to_string());
                }
            }
        });
    }
}

#[test]
fn make_valid_agrees_with_from_utf8_lossy() {
    for alphabet in [UTF8, CLEAN] {
        for_each_column(2, alphabet, |name, rows, array| {
            let mended = make_valid(array, ErrorPolicy::Replace).unwrap();
            assert!(text_type(&mended), "{name}");
            assert_sound(&mended);
            let lossy =
                |row: &Row| row.as_ref().map(|row| String::from_utf8_lossy(row).into_owned().into_bytes());
            assert_eq!(content(&mended), rows.iter().map(lossy).collect::<Vec<_>>(), "{name}");

            let nulls = make_valid(array, Handling::Null).unwrap();
            assert_sound(&nulls);
            let or_null = |row: &Row| row.clone().filter(|row| core::str::from_utf8(row).is_ok());
            assert_eq!(content(&nulls), rows.iter().map(or_null).collect::<Vec<_>>(), "{name}");

            let damaged = rows.iter().flatten().position(|row| core::str::from_utf8(row).is_err());
            match (make_valid(array, ErrorPolicy::Stop), damaged) {
                (Ok(text), None) => assert_eq!(content(&text), rows, "{name}"),
                (Err(Error::Row { row, error }), Some(_)) => {
                    let first = rows
                        .iter()
                        .position(|row| row.as_ref().is_some_and(|row| core::str::from_utf8(row).is_err()));
                    assert_eq!(Some(row), first, "{name}");
                    let e = core::str::from_utf8(rows[row].as_ref().unwrap()).unwrap_err();
                    assert_eq!(error.offset(), e.valid_up_to() as u64, "{name}");
                }
                (result, _) => panic!("{name}: {result:?}"),
            }
        });
    }
}

const POLICIES: [ErrorPolicy<'static>; 7] = [
    ErrorPolicy::Replace,
    ErrorPolicy::Skip,
    ErrorPolicy::HexEscape,
    ErrorPolicy::Windows1252,
    ErrorPolicy::Optu,
    ErrorPolicy::SurrogateEscape,
    ErrorPolicy::Stop,
];

/// Returns the expected result of a whole column, where `one` converts a row: the rows, or the
/// first error.
fn expected(
    rows: &[Row],
    null: bool,
    one: impl Fn(&[u8]) -> Result<Vec<u8>, ConvertError>,
) -> Result<Vec<Row>, (usize, ConvertError)> {
    let convert = |(i, row): (usize, &Row)| match row.as_deref().map(&one).transpose() {
        Ok(row) => Ok(row),
        Err(_) if null => Ok(None),
        Err(error) => Err((i, error)),
    };
    rows.iter().enumerate().map(convert).collect()
}

fn assert_same(
    name: &str,
    result: Result<ArrayRef, Error>,
    expected: Result<Vec<Row>, (usize, ConvertError)>,
) {
    match (result, expected) {
        (Ok(array), Ok(rows)) => {
            assert_sound(&array);
            assert_eq!(content(&array), rows, "{name}");
        }
        (Err(Error::Row { row, error }), Err(expected)) => assert_eq!((row, error), expected, "{name}"),
        (result, expected) => panic!("{name}: {result:?}, expected {expected:?}"),
    }
}

const ENCODINGS: [Encoding; 14] = [
    Encoding::UTF_8,
    Encoding::WINDOWS_1251,
    Encoding::WINDOWS_1252,
    Encoding::WINDOWS_1255,
    Encoding::ISO_8859_1,
    Encoding::US_ASCII,
    Encoding::KOI8_R,
    Encoding::SHIFT_JIS,
    Encoding::GB18030,
    Encoding::ISO_2022_JP,
    Encoding::UTF_16LE,
    Encoding::UTF_16,
    Encoding::UTF_7,
    Encoding::CESU_8,
];

#[test]
fn decode_agrees_with_one_row_at_a_time() {
    for (seed, encoding) in ENCODINGS.into_iter().enumerate() {
        let alphabet = if encoding == Encoding::UTF_8 { UTF8 } else { ALL_BYTES };
        for_each_column(100 + seed as u64, alphabet, |name, rows, array| {
            let name = format!("{encoding}, {name}");
            let one = |policy| move |row: &[u8]| Ok(encoding.decode(row, policy)?.into_owned().into_bytes());
            let policy = POLICIES[rows.len() % POLICIES.len()];
            assert_same(&name, decode(array, encoding, policy), expected(rows, false, one(policy)));
            let long = ErrorPolicy::ReplaceWith(Replacement::new("[a replacement that is long]").unwrap());
            assert_same(&name, decode(array, encoding, long), expected(rows, false, one(long)));
            let nulls = decode(array, encoding, Handling::Null);
            assert_same(&name, nulls, expected(rows, true, one(ErrorPolicy::Stop)));
            let valid = is_valid(array, encoding).unwrap();
            let counts = count(array, encoding).unwrap();
            let errors = first_error(array, encoding).unwrap();
            for (i, row) in rows.iter().enumerate() {
                let Some(row) = row else {
                    assert!(valid.is_null(i) && counts.is_null(i) && errors.is_null(i), "{name}");
                    continue;
                };
                let text = encoding.decode(row, ErrorPolicy::Stop);
                assert_eq!(valid.value(i), text.is_ok(), "{name}, row {i}: {row:02X?}");
                let replaced = encoding.decode(row, ErrorPolicy::Replace).unwrap();
                assert_eq!(counts.value(i), replaced.chars().count() as i64, "{name}, row {i}: {row:02X?}");
                let offset =
                    errors.is_valid(i).then(|| errors.column(0).as_primitive::<UInt64Type>().value(i));
                assert_eq!(offset, text.err().map(|e| e.offset()), "{name}, row {i}");
            }
        });
    }
}

#[test]
fn encode_and_transcode_agree_with_one_row_at_a_time() {
    let policies = [
        UnmappablePolicy::Replace,
        UnmappablePolicy::XmlReference,
        UnmappablePolicy::Skip,
        UnmappablePolicy::Stop,
        UnmappablePolicy::Optu,
    ];
    for (seed, encoding) in ENCODINGS.into_iter().enumerate() {
        for alphabet in
            [CLEAN, &[&b"plain "[..], "Привет".as_bytes(), "№".as_bytes(), "é".as_bytes(), b""], UTF8]
        {
            for_each_column(200 + seed as u64, alphabet, |name, rows, array| {
                let name = format!("{encoding}, {name}");
                let policy = policies[rows.len() % policies.len()];
                let one = |policy| {
                    move |row: &[u8]| {
                        Transcoder::new(Encoding::UTF_8, encoding).on_unmappable(policy).transcode(row)
                    }
                };
                assert_same(&name, encode(array, encoding, policy), expected(rows, false, one(policy)));
                let nulls = encode(array, encoding, Handling::Null);
                assert_same(&name, nulls, expected(rows, true, one(UnmappablePolicy::Stop)));
            });
        }
        let from = Encoding::WINDOWS_1251;
        for_each_column(300 + seed as u64, ALL_BYTES, |name, rows, array| {
            let (on_error, policy) =
                (POLICIES[rows.len() % POLICIES.len()], policies[rows.len() % policies.len()]);
            let one = |row: &[u8]| {
                Transcoder::new(from, encoding).on_error(on_error).on_unmappable(policy).transcode(row)
            };
            let result = transcode(array, (from, encoding), on_error, policy);
            assert_same(&format!("to {encoding}, {name}"), result, expected(rows, false, one));
        });
    }
}

/// Tries every encoding, with rows of one byte, rows with each byte between others, and a row of
/// all bytes.
#[test]
fn every_encoding_agrees() {
    let mut rows: Vec<Row> = (0..=255).map(|byte| Some(vec![byte])).collect();
    rows.extend((0..=255).map(|byte| Some(vec![b'a', byte, b'z', byte])));
    rows.push(Some((0..=255).collect()));
    rows.push(Some((0..=255).rev().collect()));
    rows.push(None);
    let text: Vec<Row> = rows
        .iter()
        .map(|row| {
            row.as_ref().map(|row| row.iter().map(|&b| char::from(b)).collect::<String>().into_bytes())
        })
        .collect();
    let (array, text_array) = (shapes::plain(&rows), shapes::plain(&text));
    for &encoding in Encoding::ALL {
        let one = |row: &[u8]| Ok(encoding.decode(row, ErrorPolicy::Stop)?.into_owned().into_bytes());
        assert_same(encoding.name(), decode(&array, encoding, Handling::Null), expected(&rows, true, one));
        let one = |row: &[u8]| {
            let text = core::str::from_utf8(row).unwrap();
            Ok(encoding.encode(text, UnmappablePolicy::Replace)?.into_owned())
        };
        let result = encode(&text_array, encoding, UnmappablePolicy::Replace);
        assert_same(encoding.name(), result, expected(&text, false, one));
    }
}

/// The dictionary of a result has the keys of the column.
#[test]
fn keys_stay() {
    let mut numbers = Numbers::new(5);
    let rows = rows_of(&mut numbers, UTF8, 3);
    for (name, array) in shapes(&rows, &mut numbers) {
        if let Some(dictionary) = array.as_any_dictionary_opt() {
            let mended = make_valid(&array, ErrorPolicy::Replace).unwrap();
            let keys = mended.as_any_dictionary().keys().to_data();
            assert_eq!(
                keys.buffers()[0].as_ptr(),
                dictionary.keys().to_data().buffers()[0].as_ptr(),
                "{name}"
            );
            let counts = count(&array, Encoding::UTF_8).unwrap();
            assert_eq!(
                counts.iter().map(|c| c.is_some()).collect::<Vec<_>>(),
                rows.iter().map(Option::is_some).collect::<Vec<_>>()
            );
            let _: &arrow_array::PrimitiveArray<Int64Type> = &counts;
        }
    }
}
