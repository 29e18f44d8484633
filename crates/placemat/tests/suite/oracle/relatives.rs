//! The relatives of UTF-8: CESU-8, Modified UTF-8 in three readings, WTF-8, UTF-8 of 31 bits and Perl's, FSS-UTF of
//! 1992, UTF-1. Each is written from its specification.

use super::Form;
use super::steps::{Step, TABLE_3_7, bad, by_table, good, lone_byte_kind};
use super::writing::utf8;

/// Returns the first code point or error of `bytes`.
pub(super) fn step(form: Form, bytes: &[u8], pass_surrogates: bool) -> Step {
    let four_is_wrong = matches!(form, Form::Utf8Mb3 | Form::Cesu8 | Form::Mutf8 | Form::JavaUtf);
    let first = match (form, bytes) {
        (Form::Utf8Bits31, _) => return long_utf8(bytes, false),
        (Form::PerlUtf8, _) => return long_utf8(bytes, true),
        (Form::Fss1992, _) => return fss(bytes),
        (Form::Utf1, _) => return utf1(bytes),
        (_, [0xF0..=0xF4, ..]) if four_is_wrong => bad(1, "four-byte-lead"),
        (Form::JavaUtf, _) => java(bytes),
        (Form::Mutf8, [0x00, ..]) => bad(1, "nul-byte"),
        (Form::Mutf8 | Form::TclUtf8, [0xC0, 0x80, ..]) => good(0, 2),
        (Form::Mutf8 | Form::TclUtf8, [0xC0]) => bad(1, "incomplete"),
        (Form::Utf8Mb3, [0xED, 0xA0..=0xBF, 0x80..=0xBF, ..]) if pass_surrogates => {
            return generalized(bytes);
        }
        (Form::Utf8Mb3, _) => return by_table(&TABLE_3_7, bytes),
        _ => generalized(bytes),
    };
    let Step::CodePoint { value: half @ 0xD800..=0xDFFF, len: 3 } = first else { return first };
    let next = if bytes.len() > 3 { generalized(&bytes[3..]) } else { bad(0, "") };
    let pair = match (half, next) {
        (lead @ ..0xDC00, Step::CodePoint { value: trail @ 0xDC00..=0xDFFF, .. }) => {
            Some(good(0x1_0000 + (lead - 0xD800) * 0x400 + (trail - 0xDC00), 6))
        }
        _ => None,
    };
    match (form, pair) {
        (Form::Wtf8, Some(_)) if !pass_surrogates => bad(6, "surrogate-pair"),
        (_, Some(pair)) => pair,
        (Form::Cesu8 | Form::Cesu8Mixed, None) if !pass_surrogates => bad(3, "unpaired-surrogate"),
        (_, None) => first,
    }
}

/// UTF-8 with surrogates: table 3-7 with all continuation bytes after ED.
fn generalized(bytes: &[u8]) -> Step {
    let mut table = TABLE_3_7;
    table[4] = &[(0xED, 0xED), (0x80, 0xBF), (0x80, 0xBF)];
    by_table(&table, bytes)
}

/// `DataInput.readUTF`: the first byte gives a length, and continuation bytes follow.
fn java(bytes: &[u8]) -> Step {
    let (len, mut value) = match bytes[0] {
        ascii @ ..0x80 => (1, u32::from(ascii)),
        lead @ 0xC0..0xE0 => (2, u32::from(lead) - 0xC0),
        lead @ 0xE0..0xF0 => (3, u32::from(lead) - 0xE0),
        other => return bad(1, lone_byte_kind(other)),
    };
    for i in 1..len {
        match bytes.get(i) {
            None => return bad(i, "incomplete"),
            Some(byte @ 0x80..=0xBF) => value = value * 64 + u32::from(byte - 0x80),
            Some(_) => return bad(i, "truncated"),
        }
    }
    good(value, len)
}

/// Lengths, each with the first byte of its row and the least value that needs it.
const LENGTH_ROWS: [(usize, u8, u64); 8] = [
    (1, 0x00, 0),
    (2, 0xC0, 0x80),
    (3, 0xE0, 0x800),
    (4, 0xF0, 0x1_0000),
    (5, 0xF8, 0x20_0000),
    (6, 0xFC, 0x400_0000),
    (7, 0xFE, 0x8000_0000),
    (13, 0xFF, 0x10_0000_0000),
];

fn long_utf8(bytes: &[u8], perl: bool) -> Step {
    let lead = bytes[0];
    match lead {
        0x80..=0xBF => return bad(1, "unexpected-continuation"),
        0xC0..=0xC1 => return bad(1, "overlong-2"),
        0xFE..=0xFF if !perl => return bad(1, "never-byte"),
        _ => {}
    }
    let (len, marker, least) = *LENGTH_ROWS.iter().rev().find(|row| lead >= row.1).expect("a row from 00 on");
    let kind =
        ["overlong-3", "overlong-4", "overlong-5", "overlong-6", "overlong-7"].get(len.wrapping_sub(3));
    let overlong = *kind.unwrap_or(&"overlong-13");
    let mut value = u128::from(lead - marker);
    for i in 1..len {
        match bytes.get(i) {
            None => return bad(i, "incomplete"),
            Some(byte @ 0x80..=0xBF) => value = value * 64 + u128::from(byte - 0x80),
            Some(_) => return bad(i, "truncated"),
        }
        let most = (value + 1) * 64_u128.pow((len - 1 - i) as u32) - 1;
        if i == 1 && len < 7 && most < u128::from(least) {
            return bad(1, overlong);
        }
    }
    match u32::try_from(value) {
        _ if value < u128::from(least) => bad(len, overlong),
        Ok(value @ ..0x8000_0000) => good(value, len),
        _ => bad(len, "too-large"),
    }
}

/// The proposal of 1992: length, least value, first byte.
const FSS: [(usize, u32, u8); 5] =
    [(1, 0, 0x00), (2, 0x80, 0x80), (3, 0x2080, 0xC0), (4, 0x8_2080, 0xE0), (5, 0x208_2080, 0xF0)];

fn fss(bytes: &[u8]) -> Step {
    if bytes[0] >= 0xF8 {
        return bad(1, "never-byte");
    }
    let (len, bias, marker) = *FSS.iter().rev().find(|row| bytes[0] >= row.2).expect("a row from 00 on");
    let mut value = u64::from(bytes[0] - marker);
    for i in 1..len {
        match bytes.get(i) {
            None => return bad(i, "incomplete"),
            Some(byte @ 0x80..) => value = value * 128 + u64::from(byte - 0x80),
            Some(_) => return bad(i, "truncated"),
        }
    }
    match u32::try_from(value + u64::from(bias)) {
        Ok(value @ ..0x8000_0000) => good(value, len),
        _ => bad(len, "too-large"),
    }
}

/// Returns the bytes for the digits 0 to 189 of UTF-1.
fn utf1_digits() -> impl Iterator<Item = u8> {
    (0x21..=0x7E).chain(0xA0..=0xFF)
}

fn utf1(bytes: &[u8]) -> Step {
    let lead = bytes[0];
    let (len, start) = match lead {
        0x00..=0x9F => return good(lead.into(), 1),
        0xA0 => {
            return match bytes.get(1) {
                None => bad(1, "incomplete"),
                Some(&byte @ 0xA0..) => good(byte.into(), 2),
                Some(_) => bad(1, "truncated"),
            };
        }
        0xA1..=0xF5 => (2, 0x100 + 190 * u64::from(lead - 0xA1)),
        0xF6..=0xFB => (3, 0x4016 + 190 * 190 * u64::from(lead - 0xF6)),
        0xFC..=0xFF => (5, 0x3_8E2E + 190 * 190 * 190 * 190 * u64::from(lead - 0xFC)),
    };
    let mut value = 0;
    for i in 1..len {
        let Some(byte) = bytes.get(i) else { return bad(i, "incomplete") };
        let Some(digit) = utf1_digits().position(|digit| digit == *byte) else { return bad(i, "truncated") };
        value = value * 190 + digit as u64;
    }
    match u32::try_from(value + start) {
        Ok(value @ ..0x8000_0000) => good(value, len),
        _ => bad(len, "too-large"),
    }
}

/// Returns the bytes of one code point, or the kind of error.
pub(super) fn write(form: Form, code_point: u32) -> Result<Vec<u8>, &'static str> {
    let last = if form.joins_pairs() { 0x10_FFFF } else { 0x7FFF_FFFF };
    if code_point > last {
        return Err("out-of-range");
    }
    Ok(match form {
        Form::Wtf8 => utf8(code_point),
        Form::Mutf8 | Form::JavaUtf | Form::TclUtf8 if code_point == 0 => vec![0xC0, 0x80],
        Form::Mutf8 | Form::JavaUtf | Form::TclUtf8 => units(code_point),
        Form::Utf8Bits31 | Form::PerlUtf8 => {
            let (len, marker, _) = *LENGTH_ROWS
                .iter()
                .rev()
                .find(|row| u64::from(code_point) >= row.2)
                .expect("a row from 0 on");
            in_base(64, len, marker, code_point, |digit| 0x80 + digit as u8)
        }
        Form::Fss1992 => {
            let (len, bias, marker) =
                *FSS.iter().rev().find(|row| code_point >= row.1).expect("a row from 0 on");
            in_base(128, len, marker, code_point - bias, |digit| 0x80 + digit as u8)
        }
        Form::Utf1 => {
            let digits: Vec<u8> = utf1_digits().collect();
            let digit = |digit: u32| digits[digit as usize];
            match code_point {
                0..0xA0 => vec![code_point as u8],
                0xA0..0x100 => vec![0xA0, code_point as u8],
                0x100..0x4016 => in_base(190, 2, 0xA1, code_point - 0x100, digit),
                0x4016..0x3_8E2E => in_base(190, 3, 0xF6, code_point - 0x4016, digit),
                _ => in_base(190, 5, 0xFC, code_point - 0x3_8E2E, digit),
            }
        }
        other => panic!("{other:?} is no relative"),
    })
}

/// Returns a number of `len` digits, the first added to `marker`.
fn in_base(base: u32, len: usize, marker: u8, value: u32, digit: impl Fn(u32) -> u8) -> Vec<u8> {
    let mut rest = value;
    let mut backwards = Vec::new();
    for _ in 1..len {
        backwards.push(digit(rest % base));
        rest /= base;
    }
    backwards.push(marker + u8::try_from(rest).expect("the first digit is small"));
    backwards.into_iter().rev().collect()
}

/// UTF-16 units as if each were a code point of UTF-8.
pub(super) fn units(code_point: u32) -> Vec<u8> {
    match code_point.checked_sub(0x1_0000) {
        None => utf8(code_point),
        Some(above) => [utf8(0xD800 + above / 0x400), utf8(0xDC00 + above % 0x400)].concat(),
    }
}
