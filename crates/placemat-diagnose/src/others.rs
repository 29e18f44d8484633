//! Errors in all other encodings: explained by kind, with the name of the encoding and the likely cause.

use crate::case::{Case, Diagnosis, windows_1252};
use crate::words::{push_bytes, push_code_point, push_found};
use core::fmt::Write as _;
use placemat::forms::AsciiBytes;
use placemat::{Encoding, IllFormedKind, utf8};

pub(crate) fn explain(d: &mut Diagnosis, case: &Case<'_>) {
    let error = case.error;
    if let Some(part) = case.part_of {
        d.set_subject("byte", error.bytes());
        _ = write!(d.reason, "belongs to the {} at byte {}", part.noun, part.offset);
        return;
    }
    let name = case.encoding.name();
    if is_like_utf8(case.encoding) && error.bytes().first().is_some_and(|&lead| lead >= 0xC0) {
        let announced = utf8::announced_len(case.following[0]).max(1);
        let continuations =
            case.following[1..].iter().take(announced - 1).take_while(|&&byte| byte & 0xC0 == 0x80);
        d.extent = d.extent.max(1 + continuations.count());
    }
    let (noun, reason, suggestion) = words(error.kind());
    let is_escape = error.kind() == IllFormedKind::UnclosedShift && error.bytes().first() == Some(&0x1B);
    let noun = if is_escape { "escape sequence" } else { noun };
    let noun = if noun.is_empty() { if error.len() == 1 { "byte" } else { "sequence" } } else { noun };
    let is_one = error.bytes().len() == 1;
    let is_half_in_base64 = is_one && error.kind() == IllFormedKind::UnpairedSurrogate;
    d.set_subject(if is_half_in_base64 { "byte" } else { noun }, error.bytes());
    match error.kind() {
        IllFormedKind::Undefined if is_one && error.seen().len() > 1 => {
            _ = write!(d.reason, "no character of {name} begins with ");
            push_bytes(&mut d.reason, error.seen());
        }
        IllFormedKind::Undefined if is_shifted_out(case) => {
            _ = write!(d.reason, "{name} assigns nothing to it in the character set that is selected here");
        }
        IllFormedKind::Undefined if is_one => {
            _ = write!(d.reason, "{name} assigns nothing to it");
        }
        IllFormedKind::Undefined => {
            _ = write!(d.reason, "well-shaped, but {name} assigns no character to it");
        }
        IllFormedKind::BadTrail if !is_one && error.seen().len() == error.bytes().len() => {
            if let [.., previous, last] = *error.bytes() {
                _ = write!(d.reason, "0x{last:02x} cannot follow 0x{previous:02x} in {name}");
            }
        }
        IllFormedKind::BadTrail | IllFormedKind::Truncated => {
            d.reason.push_str(reason);
            if let Some(&next) = case.following.get(error.len()) {
                push_found(&mut d.reason, next, case.encoding.takes_escapes());
            }
        }
        IllFormedKind::UnknownEscape => match escape(case.following) {
            Some(escape) => _ = write!(d.reason, "{escape} is unknown to {name}, or not allowed here"),
            None => {
                match error.bytes() {
                    [byte, ..] if *byte != 0x1B => _ = write!(d.reason, "byte 0x{byte:02x}"),
                    _ => d.reason.push_str("ESC"),
                }
                _ = write!(d.reason, " begins no escape sequence of {name} here");
            }
        },
        IllFormedKind::UnclosedShift => {
            let set = set_after(error.bytes());
            let first =
                if case.encoding.facts().ascii == AsciiBytes::Never { "single bytes" } else { "ASCII" };
            _ = write!(
                d.reason,
                "the text ends in {set}, which it selects; a text in {name} ends in {first}"
            );
        }
        IllFormedKind::UnpairedSurrogate if is_half_in_base64 => {
            d.reason.push_str("completes half of a surrogate pair in base64, without the other half");
        }
        IllFormedKind::Overlong(_) | IllFormedKind::TooLarge => {
            _ = write!(d.reason, "{reason}, which {name} does not accept");
        }
        IllFormedKind::InvalidLead => _ = write!(d.reason, "{reason} {name}"),
        _ => d.reason.push_str(reason),
    }
    if reads_as_utf8(case) {
        d.suggestion.push_str("it is well-formed UTF-8: try `-f utf-8`");
        return;
    }
    d.suggestion.push_str(suggestion);
    match error.kind() {
        IllFormedKind::UnclosedShift => {
            let shift = shift_back(case.encoding);
            _ = write!(
                d.suggestion,
                "the text was cut: get the rest; if nothing else is missing, add {shift} at its end"
            );
        }
        IllFormedKind::Undefined if is_shifted_out(case) => {
            let shift = shift_back(case.encoding);
            _ = write!(
                d.suggestion,
                "the text was cut, or a shift back to ASCII, {shift}, is missing before it"
            );
        }
        IllFormedKind::UnknownEscape => {
            if let Some(label) = knows_escape(case.following).filter(|&label| label != name) {
                d.suggestion.clear();
                _ = write!(d.suggestion, "{label} has it: try `-f {}`", label.to_ascii_lowercase());
            }
        }
        _ => {}
    }
    if let IllFormedKind::Undefined = error.kind()
        && d.suggestion.is_empty()
    {
        match *error.bytes() {
            [byte @ 0x80..=0xFF] if case.encoding.max_bytes() == 1 && case.encoding.is_ascii_compatible() => {
                if let Some(c) = windows_1252(byte) {
                    d.suggestion.push_str("it may be another charset: in windows-1252 it is ");
                    push_code_point(&mut d.suggestion, c.into());
                }
            }
            [_, _, ..] => d.suggestion.push_str(larger(case.encoding)),
            _ => {}
        }
    }
    if d.suggestion.is_empty() {
        d.suggestion.push_str(DAMAGED);
    }
}

/// The suggestion where nothing shows more.
const DAMAGED: &str = "if the text is damaged, put U+FFFD in its place; if it is in another encoding, \
                       `placemat detect` names the likely ones";

/// Returns `true` if a byte of ASCII is undefined because an escape sequence has selected another character set.
fn is_shifted_out(case: &Case<'_>) -> bool {
    let is_ascii = matches!(*case.error.bytes(), [..=0x0D | 0x10..=0x1A | 0x1C..=0x7F]);
    is_ascii && case.encoding.name().starts_with("ISO-2022-")
}

/// Returns the shift back to the state in which a text in an encoding ends.
fn shift_back(encoding: Encoding) -> &'static str {
    match encoding.name() {
        name if name.contains("-JP") => "ESC ( B",
        name if name.starts_with("HZ") => "`~}`",
        _ => "SI (0x0f)",
    }
}

/// Returns the name of the characters that a shift or an escape sequence selects.
fn set_after(shift: &[u8]) -> &'static str {
    match shift {
        b"\x1B(J" => "the Roman letters of JIS X 0201",
        b"\x1B(I" => "the katakana of JIS X 0201",
        b"\x1B$@" | b"\x1B$B" => "JIS X 0208",
        b"\x1B$(D" => "JIS X 0212",
        b"\x1B$(O" | b"\x1B$(P" | b"\x1B$(Q" => "JIS X 0213",
        b"\x1B$(C" => "KS X 1001",
        b"\x1B$A" | b"\x1B$(A" | b"~{" => "GB 2312",
        _ => "characters of two bytes",
    }
}

/// Returns the escape sequence at the start as ISO 2022 writes it, `ESC $ ( Q`, if it is complete.
fn escape(bytes: &[u8]) -> Option<String> {
    let rest = bytes.strip_prefix(b"\x1B")?;
    let intermediate = rest.iter().take_while(|byte| matches!(byte, 0x20..=0x2F)).count();
    matches!(rest.get(intermediate)?, 0x30..=0x7E).then(|| {
        let parts = rest[..=intermediate].iter().map(|&byte| format!(" {}", char::from(byte)));
        parts.fold(String::from("ESC"), |all, part| all + &part)
    })
}

/// Returns the encoding whose own escape sequence is at the start. Some others read it too: ISO-2022-JP-3 reads that of 2004.
fn knows_escape(bytes: &[u8]) -> Option<&'static str> {
    const KNOWN: [(&[u8], &str); 9] = [
        (b"\x1B$(O", "ISO-2022-JP-3"),
        (b"\x1B$(P", "ISO-2022-JP-3"),
        (b"\x1B$(Q", "ISO-2022-JP-2004"),
        (b"\x1B$(D", "ISO-2022-JP-1"),
        (b"\x1B$(C", "ISO-2022-JP-2"),
        (b"\x1B$A", "ISO-2022-JP-2"),
        (b"\x1B.A", "ISO-2022-JP-2"),
        (b"\x1B.F", "ISO-2022-JP-2"),
        (b"\x1B$)C", "ISO-2022-KR"),
    ];
    KNOWN.iter().find(|(escape, _)| bytes.starts_with(escape)).map(|&(_, name)| name)
}

/// Whether the bytes here are a well-formed UTF-8 sequence of three bytes or more.
fn reads_as_utf8(case: &Case<'_>) -> bool {
    let Some(&lead) = case.following.first() else { return false };
    let len = utf8::announced_len(lead);
    let Some(sequence) = case.following.get(..len) else { return false };
    // Two bytes can be well-formed UTF-8 by chance.
    !is_like_utf8(case.encoding) && len >= 3 && utf8::validate(sequence).is_ok()
}

/// Returns `true` if sequences of three bytes have the shape of UTF-8, or nearly, and longer ones too.
fn is_like_utf8(encoding: Encoding) -> bool {
    encoding.facts().utf8_markers && encoding.max_bytes() > 3 || encoding == Encoding::FSS_UTF_1992
}

/// Encodings to which another one adds characters, with a hint at that one.
const HINTS_AT_LARGER: [(Encoding, &str); 4] = [
    (Encoding::BIG5, "the extension for Hong Kong has more characters: try `-f big5-hkscs`"),
    (Encoding::GBK, "its successor has more characters: try `-f gb18030`"),
    (Encoding::SHIFT_JIS, "its successor has more characters: try `-f shift_jis-2004`"),
    (Encoding::EUC_JP, "its successor has more characters: try `-f euc-jis-2004`"),
];

/// A hint at an encoding with more characters; empty if there is none.
fn larger(encoding: Encoding) -> &'static str {
    HINTS_AT_LARGER.iter().find(|(smaller, _)| *smaller == encoding).map_or("", |(_, hint)| hint)
}

/// The noun, the reason and the suggestion for a kind of error.
fn words(kind: IllFormedKind) -> (&'static str, &'static str, &'static str) {
    const CUT: &str = "the text was cut: get the rest, or put U+FFFD in its place";
    match kind {
        IllFormedKind::UnexpectedContinuation => (
            "continuation byte",
            "no lead byte precedes it",
            "the text may have been cut in the middle of a sequence",
        ),
        IllFormedKind::InvalidLead => ("", "never begins a sequence in", ""),
        IllFormedKind::Truncated => ("", "a continuation byte must follow", ""),
        IllFormedKind::Overlong(_) => (
            "overlong sequence",
            "longer than necessary",
            "it may be an attempt to get past a filter: do not decode it leniently",
        ),
        IllFormedKind::Surrogate => (
            "surrogate",
            "half of a UTF-16 pair, which has no meaning alone",
            "the other half is lost: put U+FFFD in its place",
        ),
        IllFormedKind::UnpairedSurrogate => (
            "unpaired surrogate",
            "the other half of the pair is missing",
            "the other half is lost: put U+FFFD in its place",
        ),
        IllFormedKind::SurrogatePair => (
            "pair of surrogates",
            "the code point of the pair has a sequence of its own",
            "it may be another relative of UTF-8: try `-f cesu-8`",
        ),
        IllFormedKind::UnpairedLead => ("leading surrogate", "no trailing surrogate follows", ""),
        IllFormedKind::UnpairedTrail => ("trailing surrogate", "no leading surrogate precedes it", ""),
        IllFormedKind::TooLarge => ("", "above the last code point", ""),
        IllFormedKind::NeverByte => ("", "occurs nowhere in this encoding", ""),
        IllFormedKind::FourByteLead => (
            "lead byte",
            "begins a sequence of four bytes, where this encoding has two surrogates of three bytes each",
            "it may be real UTF-8: try `-f utf-8`",
        ),
        IllFormedKind::NulByte => (
            "",
            "U+0000 is 0xc0 0x80 here, so that 0x00 can end a text",
            "it may be real UTF-8: try `-f utf-8`",
        ),
        IllFormedKind::Undefined => ("", "", ""),
        IllFormedKind::EightBitByte => (
            "",
            "the encoding has seven bits, but the eighth bit is set",
            "it may be 8-bit text with a wrong label: try `-f utf-8` or `-f windows-1252`",
        ),
        IllFormedKind::IllegalDirect => ("", "must not appear unencoded here", "write it in base64"),
        IllFormedKind::BadShift => (
            "",
            "begins base64, and no base64 follows",
            "a literal plus sign is written `+-`; perhaps this is plain ASCII",
        ),
        IllFormedKind::PartialUnit => (
            "",
            "the base64 ends here within a code unit",
            "a character of base64 was lost or added, and text before this may be wrong too",
        ),
        IllFormedKind::NonzeroPadding => (
            "",
            "the base64 ends here, and the bits left over are not zero",
            "the text before it is whole; another writer, or a change by hand, left the bits",
        ),
        IllFormedKind::Unterminated => (
            "",
            "starts or continues base64 that nothing ends",
            "the end is a `-`, which mailbox names must have",
        ),
        IllFormedKind::BadBase64 => ("", "is not base64, but stands within base64", "base64 ends with a `-`"),
        IllFormedKind::EncodedAscii => (
            "",
            "is base64 for a character that must be literal",
            "otherwise the mailbox would have two names; write the letter as it is",
        ),
        IllFormedKind::NullShift => (
            "",
            "begins base64 right after other base64",
            "otherwise the mailbox would have two names; write it as one run",
        ),
        IllFormedKind::ReservedByte => ("", "is reserved and has no meaning", ""),
        IllFormedKind::ReservedOffset => ("", "sets a window to a reserved offset", ""),
        IllFormedKind::BadTrail => ("", "a continuation byte must follow", ""),
        IllFormedKind::OutOfRange => (
            "",
            "the difference leads outside the code points",
            "each code point is stored as its distance from the one before: the text before may be damaged",
        ),
        IllFormedKind::UnknownEscape => (
            "escape sequence",
            "unknown to this encoding, or not allowed here",
            "another encoding of the family may know it: `placemat encodings` lists them",
        ),
        IllFormedKind::UnclosedShift => ("shift", "the text ends without a shift back", ""),
        IllFormedKind::Incomplete => ("incomplete sequence", "the text ends here, within it", CUT),
        // Kinds of later versions of the library.
        _ => ("", kind.describe(), ""),
    }
}
