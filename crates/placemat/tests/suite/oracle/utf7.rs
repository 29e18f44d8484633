//! UTF-7, written from RFC 2152, and mailbox names, from RFC 3501: run by run, each run as a whole.

use super::{Fault, Form, Item};

const SET_D: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'(),-./:?";
const SET_O: &str = "!\"#$%&*;<=>@[]^_`{|}";
const RULE_3: &str = " \t\r\n";
const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+";

fn shift(form: Form) -> u8 {
    if form == Form::Imap { b'&' } else { b'+' }
}

fn reads_direct(form: Form, byte: u8) -> bool {
    let c = char::from(byte);
    match form {
        Form::Imap => matches!(byte, 0x20..=0x7E) && c != '&',
        Form::Utf7 if matches!(c, '~' | '\\') => true,
        _ => SET_D.contains(c) || SET_O.contains(c) || RULE_3.contains(c),
    }
}

fn writes_direct(form: Form, unit: u16) -> bool {
    let Ok(byte) = u8::try_from(unit) else { return false };
    let c = char::from(byte);
    match form {
        Form::Imap => reads_direct(form, byte),
        Form::Utf7Strict => SET_D.contains(c) || RULE_3.contains(c),
        _ => reads_direct(form, byte) && !matches!(c, '~' | '\\'),
    }
}

fn sextet(form: Form, byte: u8) -> Option<u32> {
    let last = if form == Form::Imap { b',' } else { b'/' };
    if byte == last {
        return Some(63);
    }
    BASE64.bytes().position(|other| other == byte).map(|at| at as u32)
}

fn is_lead(unit: u16) -> bool {
    unit & 0xFC00 == 0xD800
}

fn is_trail(unit: u16) -> bool {
    unit & 0xFC00 == 0xDC00
}

fn pair(lead: u16, trail: u16) -> u32 {
    char::decode_utf16([lead, trail]).next().expect("one").expect("a pair").into()
}

/// Gathers items from left to right. A byte is part of at most one error.
struct Gathered {
    items: Vec<Item>,
    /// The end of the bytes that the items cover.
    at: usize,
}

impl Gathered {
    fn text(&mut self, value: u32, end: usize) {
        let (start, end) = (self.at, end.max(self.at));
        self.items.push(Item::CodePoint { value, start, end });
        self.at = end;
    }

    fn error(&mut self, byte: usize, kind: &'static str) {
        if byte >= self.at {
            self.items.push(Item::Error(Fault { start: byte, end: byte + 1, kind }));
            self.at = byte + 1;
        }
    }
}

pub(super) fn items(form: Form, bytes: &[u8]) -> Vec<Item> {
    let mut found = Gathered { items: Vec::new(), at: 0 };
    let mut run_before = false;
    while found.at < bytes.len() {
        let start = found.at;
        let byte = bytes[start];
        let after_run = core::mem::replace(&mut run_before, false);
        if byte != shift(form) {
            if reads_direct(form, byte) {
                found.text(byte.into(), start + 1);
            } else {
                found.error(start, if byte >= 0x80 { "eight-bit-byte" } else { "illegal-direct" });
            }
            continue;
        }
        let run: Vec<u32> = bytes[start + 1..].iter().map_while(|&byte| sextet(form, byte)).collect();
        let end = start + 1 + run.len();
        let after = bytes.get(end).copied();
        if run.is_empty() {
            match after {
                Some(b'-') => found.text(byte.into(), end + 1),
                None => found.error(start, if form == Form::Imap { "unterminated" } else { "incomplete" }),
                Some(_) if form == Form::Imap => found.error(end, "bad-base64"),
                Some(_) => found.error(start, "bad-shift"),
            }
            continue;
        }
        if form == Form::Imap && after_run {
            found.error(start, "null-shift");
        }
        found.at = start + 1;
        let left = self::run(form, &run, &mut found);
        match after {
            None if form == Form::Imap => found.error(end - 1, "unterminated"),
            Some(other) if form == Form::Imap && other != b'-' => found.error(end, "bad-base64"),
            _ => {
                if let Some(kind) = left {
                    found.error(end - 1, kind);
                }
                run_before = true;
            }
        }
        found.at = found.at.max(end + usize::from(after == Some(b'-')));
    }
    found.items
}

/// Reads the units of a run that begins at `found.at`. Returns the error at its end.
fn run(form: Form, run: &[u32], found: &mut Gathered) -> Option<&'static str> {
    let start = found.at;
    let (mut bits, mut count, mut lead) = (0_u32, 0, None);
    for (i, sextet) in run.iter().enumerate() {
        (bits, count) = (bits << 6 | sextet, count + 6);
        if count < 16 {
            continue;
        }
        count -= 16;
        let unit = (bits >> count) as u16;
        bits &= (1 << count) - 1;
        let at = start + i;
        let ascii = form == Form::Imap && matches!(unit, 0x20..=0x7E);
        match lead.take() {
            Some(lead) if is_trail(unit) => {
                found.text(pair(lead, unit), at);
                continue;
            }
            Some(_) => {
                found.error(at, "unpaired-surrogate");
                if !is_lead(unit) && !ascii {
                    found.text(unit.into(), at);
                }
            }
            None if is_trail(unit) => found.error(at, "unpaired-surrogate"),
            None if ascii => found.error(at, "encoded-ascii"),
            None if !is_lead(unit) => found.text(unit.into(), at),
            None => {}
        }
        lead = Some(unit).filter(|&unit| is_lead(unit));
    }
    match () {
        () if lead.is_some() => Some("unpaired-surrogate"),
        () if count >= 6 => Some("partial-unit"),
        () if bits != 0 => Some("nonzero-padding"),
        () => None,
    }
}

/// Writes a text unit by unit, with the bits of a run in a string.
#[derive(Clone, Debug)]
pub(super) struct Pen {
    form: Form,
    /// The bits of the run that are not written yet; `None` outside a run.
    run: Option<String>,
}

impl Pen {
    pub(super) fn new(form: Form) -> Self {
        Self { form, run: None }
    }

    pub(super) fn put(&mut self, code_point: u32) -> Vec<u8> {
        let form = self.form;
        let c = char::from_u32(code_point).expect("a scalar value");
        let units: Vec<u16> = c.encode_utf16(&mut [0; 2]).to_vec();
        let shifts = units[0] == u16::from(shift(form));
        let mut bytes = Vec::new();
        if writes_direct(form, units[0]) || shifts && (self.run.is_none() || form == Form::Imap) {
            let byte = u8::try_from(units[0]).expect("of ASCII");
            let closes = form == Form::Imap || byte == b'-' || sextet(form, byte).is_some();
            bytes.extend(self.close(closes));
            bytes.push(byte);
            if shifts {
                bytes.push(b'-');
            }
            return bytes;
        }
        if self.run.is_none() {
            bytes.push(shift(form));
        }
        let mut bits = self.run.take().unwrap_or_default();
        bits.extend(units.iter().map(|unit| format!("{unit:016b}")));
        while bits.len() >= 6 {
            let rest = bits.split_off(6);
            bytes.push(base64(form, &bits));
            bits = rest;
        }
        self.run = Some(bits);
        bytes
    }

    pub(super) fn finish(&mut self) -> Vec<u8> {
        self.close(true)
    }

    fn close(&mut self, minus: bool) -> Vec<u8> {
        let Some(bits) = self.run.take() else { return Vec::new() };
        let mut bytes = Vec::new();
        if !bits.is_empty() {
            bytes.push(base64(self.form, &format!("{bits:0<6}")));
        }
        if minus {
            bytes.push(b'-');
        }
        bytes
    }
}

/// Returns the base64 character of six bits.
fn base64(form: Form, bits: &str) -> u8 {
    let value = u32::from_str_radix(bits, 2).expect("six bits");
    (0..=0x7F).find(|&byte| sextet(form, byte) == Some(value)).expect("there are 64")
}
