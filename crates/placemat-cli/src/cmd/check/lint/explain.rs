//! The messages of the lints.

use super::kind::{Fault, Kind};
use super::lookalike::Looks;
use crate::declarations::name;
use crate::line_ends::LineEnd;
use crate::shown::{escaped, is_printable, push_bytes};
use crate::unseen::lookalikes;
use core::fmt::{self, Write as _};
use placemat::Encoding;
use placemat::normalize::Normalization;
use placemat_diagnose::{Diagnosis, Sense, names, windows_1252};

/// Code points of a stretch that a message shows.
const SHOWN: usize = 8;
/// Code points of a word.
const WORD: usize = 40;

/// The subject of a finding.
#[derive(Clone, Copy, Debug)]
pub(in crate::cmd::check) struct Context<'a> {
    pub(in crate::cmd::check) kind: Kind,
    pub(in crate::cmd::check) text: &'a str,
    pub(in crate::cmd::check) encoding: Encoding,
}

/// Writes the diagnosis, in place of an earlier one.
pub(in crate::cmd::check) fn explain(to: &mut Diagnosis, context: &Context<'_>) {
    to.subject.clear();
    to.reason.clear();
    to.suggestion.clear();
    (to.extent, to.noun, to.windows_1252) = (0, "", Sense::None);
    let Context { kind, text, encoding } = *context;
    let first = text.chars().next().unwrap_or('\0');
    let (subject, reason, suggestion) = (&mut to.subject, &mut to.reason, &mut to.suggestion);
    match kind {
        Kind::Noncharacter => {
            named(subject, "noncharacter", first);
            reason.push_str("reserved for use within programs, and never assigned to a character");
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
                '\x08' | '\x7F' => "makes a terminal overwrite its output",
                '\u{80}'..='\u{9F}' => "not shown, and obeyed by some terminals",
                _ => "not shown, and no part of plain text",
            });
            // A C1 control often comes from windows-1252 that was read as Latin-1.
            let byte = u8::try_from(u32::from(first)).ok().filter(|&byte| byte >= 0x80);
            if let Some(meant) = byte.and_then(windows_1252) {
                _ = write!(
                    suggestion,
                    "remove it; if it was byte 0x{:02x} of windows-1252, write ",
                    u32::from(first)
                );
                _ = write!(suggestion, "U+{:04X} '{meant}'", u32::from(meant));
            } else {
                suggestion.push_str("remove it, or write it as an escape");
            }
        }
        Kind::Eof1a => {
            match text.len() {
                1 => named(subject, "control", '\x1A'),
                count => named(subject, &format!("{count} controls"), '\x1A'),
            }
            reason.push_str("they fill the last record, as CP/M and DOS wrote texts");
            if text.len() == 1 {
                reason.replace_range(.., "ends the text, as CP/M and DOS wrote it");
            }
            _ = write!(
                suggestion,
                "`placemat convert{} --eof-1a` drops {}",
                Kept(encoding),
                if text.len() == 1 { "it" } else { "them" }
            );
        }
        Kind::BidiControl => {
            named(subject, "bidi control", first);
            reason.push_str(match first {
                '\u{202C}' | '\u{2069}' => "ends a stretch whose display order can differ",
                _ => "can display the text after it in another order than programs read it",
            });
            suggestion.push_str("remove it, or write it as an escape; see CVE-2021-42574");
        }
        Kind::BidiUnterminated(open) => {
            named(subject, "open bidi control", open);
            reason.push_str("still open at the end of the line");
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
            reason.push_str("means only what sender and receiver have agreed on");
            suggestion.push_str("replace it with a standard character, or deliver its font with the text");
        }
        Kind::Invisible => invisible(to, text, first),
        Kind::Replacement => {
            named(subject, "replacement", first);
            reason.push_str("a decoder put it in place of ill-formed input, and that text is lost");
            suggestion.push_str("get the original text, and read it in its own encoding");
        }
        Kind::Mojibake(page) => {
            let shown = escaped(placemat::utf8::truncate_str(text, 4 * SHOWN).as_ref());
            _ = write!(subject, "mojibake \"{shown}\"");
            _ = write!(reason, "UTF-8 that was read as {page}");
            suggestion.push_str("`placemat repair` restores it");
        }
        Kind::Separator => {
            named(subject, "separator", first);
            reason.push_str("ends a line in some programs and not in others");
            suggestion.push_str("write a line feed, or an escape in a string");
        }
        Kind::Confusable => {
            _ = write!(subject, "confusable word '{}'", shown(text));
            confusable(reason, text);
            suggestion.push_str("retype it in ASCII if that is meant");
        }
        Kind::MixedScript => {
            _ = write!(subject, "mixed-script word '{}'", shown(text));
            mixed(reason, text);
            suggestion.push_str("write it in one script, or separate the parts, as with a hyphen");
        }
        Kind::Lookalike => {
            named(subject, "lookalike", first);
            let ascii = lookalikes::ascii(first).unwrap_or_default();
            _ = write!(reason, "looks like '{ascii}'");
            if let (Some(c), 1) = (ascii.chars().next(), ascii.len()) {
                named(reason, "", c);
            }
            _ = write!(
                suggestion,
                "write '{ascii}'; `placemat convert{} --clean lookalikes` writes it everywhere",
                Kept(encoding)
            );
        }
        Kind::NotNfc => {
            subject.push_str("sequence");
            code_points(subject, text);
            reason.push_str("not in NFC; the NFC form is");
            code_points(reason, &Normalization::Nfc.apply(text));
            _ = write!(suggestion, "`placemat convert{} --normalize nfc` converts it", Kept(encoding));
        }
        Kind::Crlf => {
            subject.push_str("line end CR LF");
            reason.push_str("lines end in CR LF from here on");
            _ = write!(suggestion, "`placemat convert{} --eol lf` writes LF alone", Kept(encoding));
        }
        Kind::MixedEol(first) => {
            _ = write!(subject, "line end {}", LineEnd::of(text).map_or("", LineEnd::name));
            _ = write!(reason, "the first line ends in {}", first.name());
            _ = write!(suggestion, "`placemat convert{} --eol lf` makes every line end LF", Kept(encoding));
        }
        Kind::CrEol(lines) => {
            subject.push_str("line end CR");
            match lines {
                1 => reason.push_str("the only line end is CR alone, as classic Mac OS wrote it"),
                _ => _ = write!(reason, "all {lines} lines end in CR alone, as classic Mac OS wrote them"),
            }
            _ = write!(suggestion, "`placemat convert{} --eol lf` writes LF", Kept(encoding));
        }
        Kind::BomForbidden => {
            subject.push_str("signature ");
            push_bytes(subject, encoding.signature());
            reason.push_str("not allowed");
            _ = write!(suggestion, "`placemat convert{} --bom strip` removes it", Kept(encoding));
        }
        Kind::BomShebang => {
            subject.push_str("signature ");
            push_bytes(subject, encoding.signature());
            reason.push_str(
                "before #!, which systems look for in the first two bytes: they do not run the file by it",
            );
            _ = write!(suggestion, "`placemat convert{} --bom strip` removes it", Kept(encoding));
        }
        Kind::BomMissing => {
            subject.push_str("no signature");
            reason.push_str("the text must begin with ");
            push_bytes(reason, encoding.signature());
            _ = write!(suggestion, "`placemat convert{} --bom add` writes it", Kept(encoding));
        }
        Kind::Declaration(fault) => declaration(to, fault, text),
        Kind::MixedUnits { found, main, first, last } => {
            _ = write!(subject, "{found} text of {} bytes", last - first + 1);
            _ = write!(reason, "up to byte {last}, inside {main}");
            suggestion.push_str("`placemat repair` makes all of it UTF-8");
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

/// A wrong declaration; `text` is its label, or its place in a configuration file.
fn declaration(to: &mut Diagnosis, fault: Fault, text: &str) {
    let (subject, reason, suggestion) = (&mut to.subject, &mut to.reason, &mut to.suggestion);
    let shown = escaped(text.as_ref());
    let in_fact = |to: &mut String, found: Option<Encoding>| match found {
        Some(found) => _ = write!(to, "but the text is {found}"),
        None => to.push_str("but the text is ill-formed in that"),
    };
    match fault {
        Fault::InText(convention, found) => {
            _ = write!(subject, "declaration \"{shown}\"");
            _ = write!(reason, "{}, ", convention.name());
            in_fact(reason, found);
            if let Some(name) = found.and_then(|found| name(convention, found, false, text)) {
                _ = write!(suggestion, "write \"{name}\", or convert the text");
            }
        }
        Fault::Configured(found) => {
            subject.push_str("declared encoding");
            _ = write!(reason, "{shown}, ");
            in_fact(reason, found);
            suggestion.push_str("name the encoding of the text there, or convert the text");
        }
        Fault::Unsigned => {
            subject.push_str("no signature");
            _ = write!(reason, "{shown}, needs one: git refuses the file");
            suggestion
                .push_str("name the byte order there, such as UTF-16LE, or `--bom add` writes a signature");
        }
        Fault::Signed => {
            subject.push_str("signature");
            _ = write!(reason, "{shown}, names the byte order, and with both git refuses the file");
            suggestion.push_str("name UTF-16 there, or `--bom strip` removes the signature");
        }
        Fault::NoLabel => {
            subject.push_str("declared encoding");
            _ = write!(reason, "{shown}, has no label: git refuses the file");
            suggestion.push_str("write working-tree-encoding=LABEL, or !working-tree-encoding");
        }
    }
}

/// The names of a found encoding for `-f` and for git.
fn declared(found: Encoding, signed: bool) -> (String, String) {
    let name = found.name();
    let whole = name.trim_end_matches("LE").trim_end_matches("BE");
    match (signed, whole) {
        (false, _) => (name.to_ascii_lowercase(), name.to_owned()),
        (true, "UTF-16") => (whole.to_ascii_lowercase(), format!("{name}-BOM")),
        (true, _) => (whole.to_ascii_lowercase(), whole.to_owned()),
    }
}

/// Code points that show nothing: one, or a run.
fn invisible(to: &mut Diagnosis, text: &str, first: char) {
    let (subject, reason, suggestion) = (&mut to.subject, &mut to.reason, &mut to.suggestion);
    let count = text.chars().count();
    if count == 1 {
        named(subject, "invisible code point", first);
    } else {
        let last = text.chars().next_back().unwrap_or(first);
        _ = write!(
            subject,
            "{count} invisible code points U+{:04X} to U+{:04X}",
            u32::from(first),
            u32::from(last)
        );
    }
    let all = |is: fn(char) -> bool| text.chars().all(is);
    if all(|c| matches!(c, '\u{E0000}'..='\u{E007F}')) {
        reason.push_str("tags, which are invisible but read by programs");
        let hidden = text.chars().filter_map(|c| char::from_u32(u32::from(c) - 0xE_0000));
        let hidden: String = hidden.filter(|c| matches!(c, ' '..='~')).take(WORD).collect();
        if !hidden.is_empty() {
            _ = write!(reason, ": they spell '{hidden}'");
        }
        suggestion.push_str("remove them; only the flags of England, Scotland and Wales need tags");
    } else if all(|c| matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')) {
        reason.push_str(if count == 1 {
            "the code point before it has no such variant"
        } else {
            "variation selectors with nothing to vary: each can hide a byte, and together they can hide code"
        });
        suggestion.push_str("remove it, or find out which program reads it");
    } else {
        reason.push_str(match first {
            '\u{AD}' => "shown only at a line break, but read by programs",
            '\u{FEFF}' => "a byte order mark within the text: files may have been joined",
            '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}' => {
                "shown as nothing or a blank, but a letter to programs"
            }
            '\u{200C}' | '\u{200D}' => "not shown between these neighbors, but read by programs",
            _ => "not shown, but read by programs",
        });
        suggestion.push_str("remove it, or write it as an escape");
    }
}

/// The ASCII that a word looks like, and the first code point that only looks like ASCII.
fn confusable(to: &mut String, word: &str) {
    let mut like = String::new();
    let mut first = None;
    for c in word.chars() {
        if c.is_ascii() {
            like.push(c);
            continue;
        }
        let looks = Looks::of(c);
        like.push_str(looks.ascii());
        if looks.is_odd && first.is_none() {
            first = Some((c, looks));
        }
    }
    _ = write!(to, "looks like '{}'", shown(&like));
    if let Some((c, looks)) = first {
        named(to, &format!("; its '{}' is", looks.ascii()), c);
    }
}

/// The scripts of a word, and a code point that is not in the first of them.
fn mixed(to: &mut String, word: &str) {
    use unicode_script::{Script, UnicodeScript as _};
    let mut scripts: Vec<Script> = Vec::new();
    let mut other = None;
    for c in word.chars() {
        let script = c.script();
        if !matches!(script, Script::Common | Script::Inherited) && !scripts.contains(&script) {
            if scripts.len() == 1 {
                other = Some((c, script));
            }
            scripts.push(script);
        }
    }
    let names: Vec<_> = scripts.iter().map(|script| script.full_name().replace('_', " ")).collect();
    _ = write!(to, "{} in one word", names.join(" and "));
    if let Some((c, script)) = other {
        _ = write!(
            to,
            "; '{}' is {}",
            shown(c.encode_utf8(&mut [0; 4])),
            script.full_name().replace('_', " ")
        );
    }
}

/// A word, escaped, cut after [`WORD`] code points.
fn shown(word: &str) -> String {
    match word.char_indices().nth(WORD) {
        Some((end, _)) => format!("{}…", escaped(word[..end].as_ref())),
        None => escaped(word.as_ref()).to_string(),
    }
}

/// The options of `convert` that keep an encoding: none for UTF-8, the default of both sides.
struct Kept(Encoding);

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.0.names();
        let label = if names.name.contains(' ') { names.labels.iter().next() } else { Some(names.name) };
        match label.filter(|_| self.0 != Encoding::UTF_8) {
            Some(label) => {
                let label = label.to_ascii_lowercase();
                write!(f, " -f {label} -t {label}")
            }
            None => Ok(()),
        }
    }
}

/// `bidi control U+202E RIGHT-TO-LEFT OVERRIDE`.
fn named(to: &mut String, what: &str, c: char) {
    _ = write!(to, "{what} U+{:04X}", u32::from(c));
    if let Some(name) = control_name(c) {
        _ = write!(to, " {name}");
    } else if let Some(name) = names::name(c) {
        _ = write!(to, " {name}");
    }
}

/// Controls have no names in Unicode. These are the names of ISO 6429.
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

/// ` U+0065 U+0301 'é'`, cut after [`SHOWN`] code points.
fn code_points(to: &mut String, text: &str) {
    for c in text.chars().take(SHOWN) {
        _ = write!(to, " U+{:04X}", u32::from(c));
    }
    if text.chars().count() > SHOWN {
        to.push_str(" …");
        return;
    }
    let shows = text.chars().next().is_some_and(is_printable) && text.chars().all(crate::shown::is_plain);
    if shows {
        _ = write!(to, " '{text}'");
    }
}
