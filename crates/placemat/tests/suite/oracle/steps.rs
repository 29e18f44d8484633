//! One step of each form: the first code point or error of the bytes.

use super::{Form, Order, i8, relatives};

/// The change that the policy in force makes to the rules of a form.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) enum Mode {
    /// The form as it is specified.
    Strict,
    /// Surrogate code points are code points: three bytes in UTF-8, a lone unit in UTF-16, the value in UTF-32.
    PassSurrogates,
    /// U+EF80..U+EFFF escape raw bytes, so they are errors in the input.
    Optu,
    /// The original 16-bit form of OPTU: also no four-byte sequences, no U+FFFE and U+FFFF, but surrogates pass.
    Optu16,
}

/// The first code point or error of an input. An error is as long as its maximal subpart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    CodePoint { value: u32, len: usize },
    Error { len: usize, kind: &'static str },
}

pub(super) fn good(value: u32, len: usize) -> Step {
    Step::CodePoint { value, len }
}

pub(super) fn bad(len: usize, kind: &'static str) -> Step {
    Step::Error { len, kind }
}

/// Returns the first code point or error of `bytes`, which must not be empty.
pub(crate) fn step(form: Form, bytes: &[u8], mode: Mode) -> Step {
    let pass = matches!(mode, Mode::PassSurrogates | Mode::Optu16);
    let found = match form {
        Form::Utf8 => utf8(bytes, pass),
        Form::Utf16(order) => utf16(bytes, order, pass),
        Form::Utf32(order) => utf32(bytes, order, pass),
        Form::Ucs2(order) => ucs2(bytes, order),
        Form::Ucs4(order) => ucs4(bytes, order),
        Form::Ascii if bytes[0] < 0x80 => good(bytes[0].into(), 1),
        Form::Ascii => bad(1, "undefined"),
        Form::Latin1 => good(bytes[0].into(), 1),
        Form::Table(table) => match table.code_point(bytes[0]) {
            Some(value) => good(value, 1),
            None => bad(1, "undefined"),
        },
        Form::I8 => i8::step(bytes, false, pass),
        Form::UtfEbcdic => i8::step(bytes, true, pass),
        Form::Utf7 | Form::Utf7Strict | Form::Imap | Form::Scsu | Form::Bocu1 => {
            panic!("read it as a whole")
        }
        Form::Utf8Bom | Form::Utf16Bom(_) | Form::Utf32Bom(_) | Form::Ucs2Bom(_) | Form::Ucs4Bom(_) => {
            panic!("resolve the signature first")
        }
        relative => relatives::step(relative, bytes, pass),
    };
    let Step::CodePoint { value, .. } = found else { return found };
    let first_unit = form.unit().min(bytes.len());
    match mode {
        Mode::Optu | Mode::Optu16 if (0xEF80..=0xEFFF).contains(&value) => bad(first_unit, "undefined"),
        Mode::Optu16 if value >= 0xFFFE => bad(first_unit, "undefined"),
        _ => found,
    }
}

/// Table 3-7 of the Unicode Standard: the well-formed UTF-8 byte sequences, a range for each byte.
pub(super) const TABLE_3_7: [&[(u8, u8)]; 9] = [
    &[(0x00, 0x7F)],
    &[(0xC2, 0xDF), (0x80, 0xBF)],
    &[(0xE0, 0xE0), (0xA0, 0xBF), (0x80, 0xBF)],
    &[(0xE1, 0xEC), (0x80, 0xBF), (0x80, 0xBF)],
    &[(0xED, 0xED), (0x80, 0x9F), (0x80, 0xBF)],
    &[(0xEE, 0xEF), (0x80, 0xBF), (0x80, 0xBF)],
    &[(0xF0, 0xF0), (0x90, 0xBF), (0x80, 0xBF), (0x80, 0xBF)],
    &[(0xF1, 0xF3), (0x80, 0xBF), (0x80, 0xBF), (0x80, 0xBF)],
    &[(0xF4, 0xF4), (0x80, 0x8F), (0x80, 0xBF), (0x80, 0xBF)],
];

/// The row that table 3-7 would have for surrogates.
const SURROGATES: &[(u8, u8)] = &[(0xED, 0xED), (0xA0, 0xBF), (0x80, 0xBF)];

/// Returns the number of bytes at the start that fit a row.
fn fit(row: &[(u8, u8)], bytes: &[u8]) -> usize {
    row.iter().zip(bytes).take_while(|((low, high), byte)| (low..=high).contains(byte)).count()
}

fn utf8(bytes: &[u8], pass_surrogates: bool) -> Step {
    if pass_surrogates && fit(SURROGATES, bytes) == 3 {
        return good(payload(&bytes[..3]), 3);
    }
    by_table(&TABLE_3_7, bytes)
}

/// Returns the longest match in a table of rows, and the kind of error if no row fits whole.
pub(super) fn by_table(table: &[&[(u8, u8)]], bytes: &[u8]) -> Step {
    let (row, longest) = table
        .iter()
        .map(|row| (row, fit(row, bytes)))
        .max_by_key(|&(_, fit)| fit)
        .expect("the table has rows");
    if longest == row.len() {
        return good(payload(&bytes[..longest]), longest);
    }
    if longest == 0 {
        return bad(1, lone_byte_kind(bytes[0]));
    }
    match bytes.get(longest) {
        None => bad(longest, "incomplete"),
        Some(0x80..=0xBF) => bad(longest, narrow_lead_kind(bytes[0])),
        Some(_) => bad(longest, "truncated"),
    }
}

/// Returns the bits that a well-formed sequence carries.
fn payload(sequence: &[u8]) -> u32 {
    let [lead, rest @ ..] = sequence else { panic!("empty sequence") };
    let marker = [0x00, 0xC0, 0xE0, 0xF0][rest.len()];
    rest.iter().fold(u32::from(lead - marker), |value, byte| value * 64 + u32::from(byte - 0x80))
}

/// Returns the kind of error if no well-formed sequence starts with this byte.
pub(super) fn lone_byte_kind(byte: u8) -> &'static str {
    match byte {
        0x80..=0xBF => "unexpected-continuation",
        0xC0..=0xC1 => "overlong-2",
        0xF5..=0xF7 => "lead-f5-f7",
        0xF8..=0xFB => "lead-5-byte",
        0xFC..=0xFD => "lead-6-byte",
        0xFE..=0xFF => "never-byte",
        _ => panic!("{byte:02x} starts a row of the table"),
    }
}

/// Returns the kind of error if this lead byte precedes a continuation byte outside its range.
fn narrow_lead_kind(lead: u8) -> &'static str {
    match lead {
        0xE0 => "overlong-3",
        0xED => "surrogate",
        0xF0 => "overlong-4",
        0xF4 => "too-large",
        _ => panic!("every continuation byte may follow {lead:02x}"),
    }
}

/// Returns the unit of `width` bytes at the start, if it is whole.
fn unit(bytes: &[u8], width: usize, order: Order) -> Option<u32> {
    let bytes = bytes.get(..width)?;
    let join = |value: u32, byte: &u8| value << 8 | u32::from(*byte);
    Some(match order {
        Order::Big => bytes.iter().fold(0, join),
        Order::Little => bytes.iter().rev().fold(0, join),
    })
}

fn utf16(bytes: &[u8], order: Order, pass_surrogates: bool) -> Step {
    let Some(first) = unit(bytes, 2, order) else { return bad(bytes.len(), "incomplete") };
    match first {
        0xD800..=0xDBFF => match unit(&bytes[2..], 2, order) {
            Some(second @ 0xDC00..=0xDFFF) => good(0x10000 + (first - 0xD800) * 0x400 + (second - 0xDC00), 4),
            _ if pass_surrogates => good(first, 2),
            Some(_) => bad(2, "unpaired-lead"),
            None => bad(bytes.len(), "incomplete"),
        },
        0xDC00..=0xDFFF if !pass_surrogates => bad(2, "unpaired-trail"),
        _ => good(first, 2),
    }
}

fn ucs2(bytes: &[u8], order: Order) -> Step {
    match unit(bytes, 2, order) {
        Some(value) => good(value, 2),
        None => bad(bytes.len(), "incomplete"),
    }
}

fn utf32(bytes: &[u8], order: Order, pass_surrogates: bool) -> Step {
    match unit(bytes, 4, order) {
        None => bad(bytes.len(), "incomplete"),
        Some(0xD800..=0xDFFF) if !pass_surrogates => bad(4, "surrogate"),
        Some(value) if value > 0x10_FFFF => bad(4, "too-large"),
        Some(value) => good(value, 4),
    }
}

fn ucs4(bytes: &[u8], order: Order) -> Step {
    match unit(bytes, 4, order) {
        None => bad(bytes.len(), "incomplete"),
        Some(value) if value > 0x7FFF_FFFF => bad(4, "too-large"),
        Some(value) => good(value, 4),
    }
}
