//! What is said about what the lints find.

use super::{Eol, Kind};
use crate::diagnose::{Diagnosis, is_printable, windows_1252};
use core::fmt::Write as _;
use placemat::Encoding;
use placemat::normalize::Normalization;

/// Code points of a stretch that a message shows.
const SHOWN: usize = 8;

/// What a finding is about.
#[derive(Clone, Copy, Debug)]
pub(in crate::cmd::check) struct Context<'a> {
    pub(in crate::cmd::check) kind: Kind,
    pub(in crate::cmd::check) text: &'a str,
    pub(in crate::cmd::check) encoding: Encoding,
}

/// Says it; what was said before is forgotten.
pub(in crate::cmd::check) fn explain(to: &mut Diagnosis, context: &Context<'_>) {
    to.subject.clear();
    to.reason.clear();
    to.suggestion.clear();
    (to.extent, to.noun) = (0, "");
    let Context { kind, text, encoding } = *context;
    let first = text.chars().next().unwrap_or('\0');
    let (subject, reason, suggestion) = (&mut to.subject, &mut to.reason, &mut to.suggestion);
    match kind {
        Kind::Noncharacter => {
            named(subject, "noncharacter", first);
            reason.push_str("kept for use within programs, and never assigned to a character");
            suggestion
                .push_str("remove it; if it stood at the start as U+FFFE, the byte order is the other one");
            if first != '\u{FFFE}' {
                suggestion.truncate("remove it".len());
            }
        }
        Kind::Control => {
            named(subject, "control", first);
            reason.push_str(match first {
                '\0' => "ends the text for many programs",
                '\x1B' => "begins commands to a terminal",
                '\x08' | '\x7F' => "makes a terminal write over what it has shown",
                '\u{80}'..='\u{9F}' => "not shown, and obeyed by some terminals",
                _ => "not shown, and no part of plain text",
            });
            // Where there is a C1 control, windows-1252 was often read as Latin-1.
            let byte = u8::try_from(u32::from(first)).ok().filter(|&byte| byte >= 0x80);
            if let Some(meant) = byte.and_then(windows_1252) {
                _ = write!(
                    suggestion,
                    "remove it; if it was byte {:02x} of windows-1252, write ",
                    u32::from(first)
                );
                _ = write!(suggestion, "U+{:04X} '{meant}'", u32::from(meant));
            } else {
                suggestion.push_str("remove it, or write it as an escape");
            }
        }
        Kind::BidiControl => {
            named(subject, "bidi control", first);
            reason.push_str(match first {
                '\u{202C}' | '\u{2069}' => "ends a stretch that can be shown in another order",
                _ => "can show what follows in another order than it is read by programs",
            });
            suggestion.push_str("remove it, or write it as an escape; see CVE-2021-42574");
        }
        Kind::BidiUnterminated(open) => {
            named(subject, "open bidi control", open);
            reason.push_str("not ended where the line ends");
            _ = write!(
                suggestion,
                "end it on its line with U+{:04X}, or remove it",
                match open {
                    '\u{2066}'..='\u{2068}' => 0x2069,
                    _ => 0x202C,
                }
            );
        }
        Kind::PrivateUse => {
            _ = write!(subject, "private-use code point U+{:04X}", u32::from(first));
            reason.push_str("means what sender and receiver have agreed on, and nothing to anyone else");
            suggestion.push_str(
                "write a character of Unicode for it, or see to it that the font goes with the text",
            );
        }
        Kind::NotNfc => {
            subject.push_str("sequence");
            code_points(subject, text);
            reason.push_str("not in NFC, which has");
            code_points(reason, &Normalization::Nfc.apply(text));
            suggestion.push_str("`placemat convert --normalize nfc` writes it so");
        }
        Kind::Crlf => {
            subject.push_str("line end CR LF");
            reason.push_str("lines end so from here on");
            suggestion.push_str("`placemat convert --eol lf` writes LF alone");
        }
        Kind::MixedEol(first) => {
            let here = match text {
                "\n" => Eol::Lf,
                "\r" => Eol::Cr,
                _ => Eol::CrLf,
            };
            _ = write!(subject, "line end {}", here.name());
            _ = write!(reason, "the first line ends in {}", first.name());
            suggestion.push_str("`placemat convert --eol lf` makes them all the same");
        }
        Kind::BomForbidden => {
            subject.push_str("signature");
            for byte in encoding.signature() {
                _ = write!(subject, " {byte:02x}");
            }
            reason.push_str("there shall be none");
            suggestion.push_str("`placemat convert --bom strip` removes it");
        }
        Kind::BomMissing => {
            subject.push_str("no signature");
            reason.push_str("the text shall begin with");
            for byte in encoding.signature() {
                _ = write!(reason, " {byte:02x}");
            }
            suggestion.push_str("`placemat convert --bom add` writes it");
        }
        Kind::OtherEncoding { found, signed } => {
            _ = write!(subject, "text in {found} {} signature", if signed { "with" } else { "without" });
            _ = write!(reason, "not {encoding}");
            let (from, declared) = declared(found, signed);
            _ = write!(
                suggestion,
                "`-f {from}` checks it as that, and so does working-tree-encoding={declared} in .gitattributes; `placemat convert \
                 -f {from} -t {} -i` changes it",
                encoding.name().to_ascii_lowercase()
            );
        }
    }
}

/// What an encoding that was found is called, by `-f` and by git.
fn declared(found: Encoding, signed: bool) -> (String, String) {
    let name = found.name();
    let whole = name.trim_end_matches("LE").trim_end_matches("BE");
    match (signed, whole) {
        (false, _) => (name.to_ascii_lowercase(), name.to_owned()),
        (true, "UTF-16") => (whole.to_ascii_lowercase(), format!("{name}-BOM")),
        (true, _) => (whole.to_ascii_lowercase(), whole.to_owned()),
    }
}

/// `bidi control U+202E RIGHT-TO-LEFT OVERRIDE`.
fn named(to: &mut String, what: &str, c: char) {
    _ = write!(to, "{what} U+{:04X}", u32::from(c));
    if let Some(name) = control_name(c) {
        _ = write!(to, " {name}");
    } else if let Some(name) = unicode_names2::name(c) {
        _ = write!(to, " {name}");
    }
}

/// Controls have no names in Unicode. These are the ones that people know (ISO 6429).
const fn control_name(c: char) -> Option<&'static str> {
    const C0: [&str; 32] = [
        "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "TAB", "LF", "VT", "FF", "CR", "SO",
        "SI", "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS",
        "RS", "US",
    ];
    match c {
        '\0'..='\x1F' => Some(C0[c as usize]),
        '\x7F' => Some("DEL"),
        '\u{85}' => Some("NEL"),
        _ => None,
    }
}

/// ` U+0065 U+0301 'é'`, up to some.
fn code_points(to: &mut String, text: &str) {
    for c in text.chars().take(SHOWN) {
        _ = write!(to, " U+{:04X}", u32::from(c));
    }
    if text.chars().count() > SHOWN {
        to.push_str(" …");
        return;
    }
    let shows = text.chars().next().is_some_and(is_printable) && text.chars().all(crate::output::is_plain);
    if shows {
        _ = write!(to, " '{text}'");
    }
}
