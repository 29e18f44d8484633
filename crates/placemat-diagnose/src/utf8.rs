//! Errors in UTF-8 and in ASCII.

use crate::case::{Case, Diagnosis, Sense, number_word, windows_1252};
use crate::others;
use crate::words::{push_bytes, push_code_point, push_found};
use core::fmt::Write as _;
use placemat::{IllFormedKind, utf8};

/// The shape of a byte: the length that it announces and the bytes after it, without regard to the decoder.
#[derive(Clone, Copy, Debug)]
struct Shape<'a> {
    /// The lead byte and the continuation bytes after it, up to what it announces.
    bytes: &'a [u8],
    /// The length that the lead byte announces, by the six-byte table of RFC 2279.
    announced: usize,
    /// The byte after the sequence.
    next: Option<u8>,
}

impl<'a> Shape<'a> {
    fn of(following: &'a [u8]) -> Self {
        let announced = utf8::announced_len(following[0]);
        let continuations =
            following[1..].iter().take(announced - 1).take_while(|&&byte| is_continuation(byte));
        let len = 1 + continuations.count();
        Self { bytes: &following[..len], announced, next: following.get(len).copied() }
    }

    /// The value that the pattern encodes, if it is complete.
    fn value(&self) -> Option<u32> {
        if self.bytes.len() < self.announced {
            return None;
        }
        let (&lead, rest) = self.bytes.split_first()?;
        let payload = if self.announced == 1 { lead } else { lead & (0x7F >> self.announced) };
        Some(rest.iter().fold(u32::from(payload), |value, &byte| value << 6 | u32::from(byte & 0x3F)))
    }
}

const fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// The shortest length of a value in UTF-8, or in its 31-bit ancestor.
const fn shortest(value: u32) -> usize {
    match value {
        0..0x80 => 1,
        0x80..0x800 => 2,
        0x800..0x1_0000 => 3,
        0x1_0000..0x20_0000 => 4,
        0x20_0000..0x400_0000 => 5,
        _ => 6,
    }
}

pub(crate) fn explain(d: &mut Diagnosis, case: &Case<'_>) {
    if let Some(part) = case.part_of {
        let continuation = case.error.kind() == IllFormedKind::UnexpectedContinuation;
        d.set_subject(if continuation { "continuation byte" } else { "byte" }, case.error.bytes());
        _ = write!(d.reason, "belongs to the {} at byte {}", part.noun, part.offset);
        return;
    }
    let shape = Shape::of(case.following);
    match case.error.kind() {
        IllFormedKind::UnexpectedContinuation => continuation(d, case),
        IllFormedKind::InvalidLead => never(d, case, &shape),
        IllFormedKind::Overlong(_) => overlong(d, case, &shape),
        IllFormedKind::Surrogate => surrogate(d, case, &shape),
        IllFormedKind::TooLarge => too_large(d, case, &shape),
        IllFormedKind::Truncated => truncated(d, case, &shape),
        IllFormedKind::Incomplete => incomplete(d, case, &shape),
        _ => others::explain(d, case),
    }
    if d.windows_1252 == Sense::None && is_lone_letter(case) {
        d.windows_1252 = Sense::Some;
    }
}

/// Whether the error is one byte among ASCII that is a letter in windows-1252.
fn is_lone_letter(case: &Case<'_>) -> bool {
    let neighbours = [case.before.last(), case.following.get(1)];
    case.error.len() == 1
        && windows_1252(case.following[0]).is_some_and(char::is_alphabetic)
        && neighbours.into_iter().flatten().all(|near| near.is_ascii_graphic() || near.is_ascii_whitespace())
}

/// Sets the extent to the bytes of the shape, but not to less than the error.
fn extend(d: &mut Diagnosis, case: &Case<'_>, shape: &Shape<'_>, noun: &'static str) {
    d.extent = shape.bytes.len().max(case.error.len());
    d.noun = noun;
}

fn continuation(d: &mut Diagnosis, case: &Case<'_>) {
    let byte = case.following[0];
    d.set_subject("continuation byte", case.error.bytes());
    if let Some(reading) = Reading::of(case) {
        d.reason.push_str("no lead byte before it");
        reading.tell(d, byte);
        return;
    }
    // The sequence before it, if that is one of more than one byte.
    let complete = match utf8::decode_last(case.before) {
        Some(Ok((_, len @ 2..))) => &case.before[case.before.len() - len..],
        _ => &[],
    };
    if complete.is_empty() {
        d.reason.push_str("no lead byte before it");
    } else {
        d.reason.push_str("the sequence before it, ");
        push_bytes(&mut d.reason, complete);
        d.reason.push_str(", is already complete");
    }
}

/// Explains a byte F5..FF, which is never in UTF-8.
fn never(d: &mut Diagnosis, case: &Case<'_>, shape: &Shape<'_>) {
    if signature(d, case) {
        return;
    }
    let Some(value) = shape.value().filter(|_| shape.announced > 1) else {
        extend(d, case, shape, "sequence");
        d.set_subject("byte", case.error.bytes());
        d.reason.push_str("never occurs in UTF-8");
        if let Some(reading) = Reading::of(case) {
            reading.tell(d, case.following[0]);
            return;
        }
        match shape.announced {
            4 => d.reason.push_str(", where four bytes begin with 0xf0..0xf4"),
            5 | 6 => {
                _ = write!(
                    d.reason,
                    "; in 1993 it began sequences of {} bytes",
                    number_word(shape.announced)
                );
            }
            _ => {}
        }
        return;
    };
    extend(d, case, shape, "sequence");
    d.set_subject("sequence", shape.bytes);
    if shortest(value) < shape.announced {
        _ = write!(d.reason, "{} bytes where {} would do", number_word(shape.announced), fewer(value));
        d.reason.push_str(", would be ");
        push_code_point(&mut d.reason, value);
        d.suggestion.push_str(OVERLONG);
    } else {
        _ = write!(d.reason, "would be U+{value:04X}, above the last code point U+10FFFF");
        if shape.announced > 4 {
            let word = number_word(shape.announced);
            _ = write!(d.reason, "; UTF-8 has had no {word}-byte sequences since RFC 3629 (2003)");
        }
        d.suggestion.push_str(TOO_LARGE);
    }
}

/// A signature of UTF-16 or UTF-32, which people meet as "invalid start byte 0xff".
fn signature(d: &mut Diagnosis, case: &Case<'_>) -> bool {
    let offset = case.error.offset();
    let (name, label) = match *case.following {
        [0xFF, 0xFE, 0, 0, ..] => ("UTF-32LE", "utf-32"),
        [0xFF, 0xFE, ..] => ("UTF-16LE", "utf-16"),
        [0xFE, 0xFF, ..] if offset == 2 && case.before == [0, 0] => ("UTF-32BE", "utf-32"),
        [0xFE, 0xFF, ..] => ("UTF-16BE", "utf-16"),
        _ => return false,
    };
    extend(d, case, &Shape { bytes: &case.following[..2], announced: 1, next: None }, "signature");
    d.set_subject("byte", case.error.bytes());
    _ = write!(d.reason, "never occurs in UTF-8; ");
    push_bytes(&mut d.reason, &case.following[..2]);
    _ = write!(d.reason, " is the signature of {name}");
    if offset <= 2 {
        _ = write!(d.suggestion, "this looks like {name}: try `-f {label}`");
    }
    true
}

const OVERLONG: &str = "refuse it, or put U+FFFD in its place; never decode it: overlong forms are used to slip \
                        characters past checks";
const TOO_LARGE: &str = "refuse it, or put U+FFFD in its place: no encoding of Unicode can hold it";

fn fewer(value: u32) -> &'static str {
    number_word(shortest(value))
}

fn overlong(d: &mut Diagnosis, case: &Case<'_>, shape: &Shape<'_>) {
    let lead = shape.bytes[0];
    if let Some(value) = shape.value() {
        extend(d, case, shape, "overlong sequence");
        d.set_subject("overlong sequence", shape.bytes);
        _ = write!(d.reason, "{} bytes where {} would do, ", number_word(shape.announced), fewer(value));
        d.reason.push_str("would be ");
        push_code_point(&mut d.reason, value);
        if shape.bytes == [0xC0, 0x80] {
            d.reason.push_str(", as Java's Modified UTF-8 writes NUL");
            d.suggestion
                .push_str("if the text comes from Java or a JVM class file, read it as Modified UTF-8");
        } else {
            d.suggestion.push_str(OVERLONG);
        }
        return;
    }
    match shape.announced {
        2 => {
            d.set_subject("byte", case.error.bytes());
            d.reason.push_str("could only start an overlong sequence, so it never occurs in UTF-8");
            if let Some(reading) = Reading::of(case) {
                reading.tell(d, lead);
            }
        }
        _ => {
            extend(d, case, shape, "overlong sequence");
            d.set_subject("overlong sequence", shape.bytes);
            let least = if lead == 0xE0 { "0xa0" } else { "0x90" };
            _ = write!(
                d.reason,
                "after 0x{lead:02x} the next byte must be {least}..0xbf: a lower one would fit in fewer bytes"
            );
            d.suggestion.push_str(OVERLONG);
        }
    }
}

fn surrogate(d: &mut Diagnosis, case: &Case<'_>, shape: &Shape<'_>) {
    extend(d, case, shape, "surrogate");
    d.set_subject("surrogate", shape.bytes);
    let Some(value) = shape.value() else {
        d.reason.push_str(
            "after 0xed the next byte must be 0x80..0x9f: a higher one would give half of a UTF-16 pair",
        );
        return;
    };
    _ = write!(d.reason, "half of a UTF-16 pair, would be U+{value:04X}, which UTF-8 does not hold");
    let half = |bytes: &[u8]| match *bytes {
        [0xED, second @ 0xA0..=0xBF, third @ 0x80..=0xBF, ..] => {
            Some(0xD000 | u32::from(second & 0x3F) << 6 | u32::from(third & 0x3F))
        }
        _ => None,
    };
    let before = case.before.len().checked_sub(3).and_then(|at| half(&case.before[at..]));
    let after = case.following.get(3..).and_then(half);
    let whole = |lead: u32, trail: u32| 0x1_0000 + ((lead - 0xD800) << 10) + (trail - 0xDC00);
    match (value, before, after) {
        (0xD800..0xDC00, _, Some(trail @ 0xDC00..)) => {
            let c = whole(value, trail);
            d.subject.clear();
            d.set_subject("surrogate pair", &case.following[..6]);
            (d.extent, d.noun) = (6, "surrogate pair");
            d.reason.clear();
            d.reason.push_str("CESU-8 for ");
            push_code_point(&mut d.reason, c);
            d.reason.push_str(", which has four bytes in UTF-8");
            if let Some(c) = char::from_u32(c) {
                d.suggestion.push_str("write all six bytes as ");
                push_bytes(&mut d.suggestion, c.encode_utf8(&mut [0; 4]).as_bytes());
                d.suggestion.push_str("; CESU-8 comes from programs that convert UTF-16 unit by unit");
            }
        }
        (0xDC00.., Some(lead @ 0xD800..0xDC00), _) => {
            d.reason.push_str("; the second half of CESU-8 for ");
            push_code_point(&mut d.reason, whole(lead, value));
        }
        _ => d.suggestion.push_str("the other half is lost: put U+FFFD in its place"),
    }
}

fn too_large(d: &mut Diagnosis, case: &Case<'_>, shape: &Shape<'_>) {
    extend(d, case, shape, "sequence");
    d.set_subject("sequence", shape.bytes);
    match shape.value() {
        Some(value) => _ = write!(d.reason, "would be U+{value:04X}, above the last code point U+10FFFF"),
        None => d.reason.push_str(
            "after 0xf4 the next byte must be 0x80..0x8f: a higher one would give more than U+10FFFF",
        ),
    }
    d.suggestion.push_str(TOO_LARGE);
}

fn truncated(d: &mut Diagnosis, case: &Case<'_>, shape: &Shape<'_>) {
    let missing = shape.announced - shape.bytes.len();
    let noun = if shape.bytes.len() == 1 { "lead byte" } else { "truncated sequence" };
    d.set_subject(noun, shape.bytes);
    let s = if missing == 1 { "" } else { "s" };
    _ = write!(d.reason, "needs {missing} more continuation byte{s}");
    match shape.next {
        None => {}
        Some(next) => {
            push_found(&mut d.reason, next, true);
            if matches!(next, 0xC2..=0xF4) {
                d.reason.push_str(", which starts another sequence");
            }
        }
    }
    if let Some(reading) = Reading::of(case).filter(|_| shape.bytes.len() == 1) {
        reading.tell(d, shape.bytes[0]);
    } else if shape.bytes.len() > 1 {
        d.suggestion.push_str(
            "the sequence was cut, perhaps by a program that counts bytes: put U+FFFD in its place",
        );
    }
}

fn incomplete(d: &mut Diagnosis, case: &Case<'_>, shape: &Shape<'_>) {
    let (len, announced) = (shape.bytes.len(), number_word(shape.announced));
    d.set_subject("incomplete sequence", shape.bytes);
    let (count, s) = (number_word(len), if len == 1 { "" } else { "s" });
    _ = write!(d.reason, "the text ends here, after {count} byte{s} of a {announced}-byte sequence");
    if let Some(reading) = Reading::of(case).filter(|_| len == 1) {
        reading.tell(d, shape.bytes[0]);
    } else {
        d.suggestion.push_str("the text was cut: get the rest, or put U+FFFD in its place");
    }
}

/// The character of a single byte in windows-1252, if that makes sense among its neighbours.
#[derive(Clone, Copy, Debug)]
struct Reading(char);

impl Reading {
    /// A letter must stand beside an ASCII letter; other characters only among ASCII, where they cannot be part of a
    /// longer sequence.
    fn of(case: &Case<'_>) -> Option<Self> {
        let byte = case.following[0];
        let c = windows_1252(byte)?;
        let neighbours = [case.before.last().copied(), case.following.get(1).copied()];
        let sensible = if c.is_alphabetic() {
            let beside_letter = neighbours.into_iter().flatten().any(|near| near.is_ascii_alphabetic());
            beside_letter && !neighbours[0].is_some_and(is_continuation)
        } else {
            let text = |near: &u8| matches!(near, b'\t' | b'\n' | b'\r' | b' '..=b'~');
            neighbours.iter().flatten().all(text) && neighbours.iter().flatten().next().is_some()
        };
        sensible.then_some(Self(c))
    }

    fn tell(self, d: &mut Diagnosis, byte: u8) {
        let name = if byte < 0xA0 { "windows-1252" } else { "Latin-1 or windows-1252" };
        d.windows_1252 = Sense::Much;
        _ = write!(d.reason, "; looks like {name} ");
        if self.0 == '\u{A0}' {
            d.reason.push_str("U+00A0, a no-break space");
        } else if self.0 == '\u{AD}' {
            d.reason.push_str("U+00AD, a soft hyphen");
        } else {
            _ = write!(d.reason, "'{}'", self.0);
        }
        if byte < 0xA0 || self.0.is_alphabetic() {
            d.suggestion
                .push_str("if all such bytes are windows-1252, `placemat convert -e cp1252` converts them");
        } else {
            d.suggestion
                .push_str("if all such bytes are Latin-1, `placemat convert -e latin1` converts them");
        }
    }
}

/// ASCII: a byte of 80 or above.
pub(crate) fn explain_ascii(d: &mut Diagnosis, case: &Case<'_>) {
    d.set_subject("byte", case.error.bytes());
    if let Some(part) = case.part_of {
        _ = write!(d.reason, "belongs to the {} at byte {}", part.noun, part.offset);
        return;
    }
    d.reason.push_str("ASCII ends at 0x7f");
    if let Some(Ok((c, len @ 2..))) = utf8::decode_first(case.following) {
        let sequence = &case.following[..len];
        extend(d, case, &Shape { bytes: sequence, announced: len, next: None }, "UTF-8 sequence");
        d.reason.push_str("; ");
        push_bytes(&mut d.reason, sequence);
        d.reason.push_str(" is UTF-8 for ");
        push_code_point(&mut d.reason, u32::from(c));
        d.suggestion.push_str("this looks like UTF-8: try `-f utf-8`");
    } else if let Some(reading) = Reading::of(case) {
        reading.tell(d, case.following[0]);
        d.suggestion.clear();
        d.windows_1252 = Sense::None;
        d.suggestion.push_str("this looks like an 8-bit encoding; `-f latin1` reads any byte");
    }
}
