//! Declarations of the encoding in the text itself, by the conventions of its kind.
//!
//! | convention | place | specified in |
//! | --- | --- | --- |
//! | XML declaration | at the start, also in UTF-16, UTF-32 and EBCDIC | XML 1.0, appendix F |
//! | CSS | at the start | CSS Syntax, section 3.2 |
//! | cookie of Emacs, Python or Ruby | the first two lines | PEP 263; the manual of Emacs |
//! | HTML meta | the first 4 KiB | HTML Standard, section 4.2.5.4 |
//! | Content-Type | a header in the first 4 KiB, also in a PO file | RFC 2045; the manual of gettext |
//! | POD | a line in the first 4 KiB | perlpod |
//! | LaTeX | a line in the first 4 KiB | the documentation of inputenc |
//! | modeline of Vim | the first and the last five lines | the manual of Vim |
//! | local variables of Emacs | the last 3000 bytes | the manual of Emacs |
//! | script of Vim | `scriptencoding` at the start of one of the first lines | the manual of Vim |
//! | spelling and hyphenation | `SET` in the first lines; a first line that is a label | hunspell(5); hyphen |
//! | assignment of a charset | `charset`, `coding-system` or `codepage` with a label, in the first 4 KiB | none |
//!
//! Text in encodings without the bytes of ASCII is decoded first.

mod find;

use self::find::{Place, find, label, line_starts, lines, skip_blanks};
use super::certain::{UTF_16, UTF_32};
use super::verdict::Declared;
use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec::Vec;
use placemat_charsets::Encoding;
use placemat_core::policy::ErrorPolicy;

/// The bytes at the start in which declarations are looked for.
const FIRST: usize = 4096;
/// The bytes at the end in which declarations are looked for.
pub(super) const LAST: usize = 3000;

/// Returns the declaration in a stream that begins with `head` and ends with `tail`, its last [`LAST`] bytes, at
/// `tail_offset`. `wide` is the encoding if it is known to be UTF-16 or UTF-32.
pub(super) fn declared(
    head: &[u8],
    tail: &[u8],
    tail_offset: u64,
    wide: Option<Encoding>,
) -> Option<Declared> {
    let head = &head[..head.len().min(FIRST)];
    if let Some((encoding, unit)) = not_ascii(head, wide) {
        let text = encoding.decode(head, ErrorPolicy::Replace).ok()?;
        let (convention, place) = in_head(text.as_bytes())?;
        // The characters of a declaration are ASCII: each has as many bytes.
        let before = text.get(..place.at)?.chars().count() * unit;
        return Some(made(convention, place.label, before as u64));
    }
    let signed = head.strip_prefix(b"\xEF\xBB\xBF");
    let text = signed.unwrap_or(head);
    let skipped = head.len() - text.len();
    if let Some((convention, place)) = in_head(text) {
        return Some(made(convention, place.label, (skipped + place.at) as u64));
    }
    let (convention, place) = in_tail(tail)?;
    Some(made(convention, place.label, tail_offset + place.at as u64))
}

/// Returns the encoding by which a head that is not ASCII-compatible can be read, and the bytes of a character of ASCII in
/// it.
fn not_ascii(head: &[u8], wide: Option<Encoding>) -> Option<(Encoding, usize)> {
    if let Some(encoding) = wide {
        if UTF_16.contains(&encoding) {
            return Some((encoding, 2));
        }
        if UTF_32.contains(&encoding) {
            return Some((encoding, 4));
        }
    }
    // `<?xml` in all pages of EBCDIC, whose letters and digits of ASCII agree.
    head.starts_with(b"\x4C\x6F\xA7\x94\x93").then_some((Encoding::IBM037, 1))
}

fn made(convention: &'static str, label: &[u8], offset: u64) -> Declared {
    let label = core::str::from_utf8(label).unwrap_or_default();
    let encoding = meaning(convention, label);
    Declared { convention, label: label.to_owned(), encoding, offset, contradicted: false }
}

impl Declared {
    /// Returns `true` if programs that use the file depend on the declaration, so that a wrong one would have been
    /// noticed.
    pub(super) fn is_working(&self) -> bool {
        [SPELLING, HYPHENATION, VIM_SCRIPT].contains(&self.convention)
    }
}

/// Returns the encoding that a label means by a convention.
fn meaning(convention: &str, label: &str) -> Option<Encoding> {
    match convention {
        HTML | CSS => placemat_charsets::web::for_label(label).or_else(|| Encoding::for_label(label)),
        EMACS | LOCAL => {
            let label = label.to_ascii_lowercase();
            let plain =
                ["-unix", "-dos", "-mac"].iter().find_map(|end| label.strip_suffix(end)).unwrap_or(&label);
            Encoding::for_label(plain)
                .or_else(|| Encoding::for_label(plain.strip_prefix("iso-")?))
                .or_else(|| Encoding::for_label(plain.strip_prefix("japanese-")?))
                .or_else(|| Encoding::for_label(plain.strip_prefix("chinese-")?))
                .or_else(|| Encoding::for_label(plain.strip_prefix("cyrillic-")?))
                .or_else(|| (plain == "prefer-utf-8" || plain == "mule-utf-8").then_some(Encoding::UTF_8))
        }
        LATEX => match label {
            "utf8x" => Some(Encoding::UTF_8),
            "ansinew" => Some(Encoding::WINDOWS_1252),
            "applemac" => Some(Encoding::MACINTOSH),
            "latin10" => Some(Encoding::ISO_8859_16),
            "cp437de" => Some(Encoding::IBM437),
            _ => Encoding::for_label(label),
        },
        SPELLING | HYPHENATION | ASSIGNED => spelled(label),
        _ => Encoding::for_label(label),
    }
}

const XML: &str = "XML declaration";
const CSS: &str = "CSS @charset";
const EMACS: &str = "coding cookie";
const HTML: &str = "HTML meta";
const CONTENT_TYPE: &str = "Content-Type";
const POD: &str = "POD =encoding";
const LATEX: &str = "LaTeX inputenc";
const VIM: &str = "Vim modeline";
const VIM_SCRIPT: &str = "Vim scriptencoding";
const LOCAL: &str = "Emacs local variables";
const SPELLING: &str = "hunspell SET";
const HYPHENATION: &str = "hyphenation label";
const ASSIGNED: &str = "charset assignment";

/// Returns `true` if a text has one of the marks that each convention writes before the label. Most texts without a
/// declaration have none.
fn has_marks(text: &[u8]) -> bool {
    let is_mark = |byte: u8| (byte == b':') | (byte == b'=') | (byte == b'@') | (byte == b'{');
    // Whole chunks without a branch make vector code.
    text.chunks(32).any(|chunk| chunk.iter().fold(false, |any, &byte| any | is_mark(byte)))
}

fn in_head(text: &[u8]) -> Option<(&'static str, Place<'_>)> {
    let listed = spelling(text)
        .map(|place| (SPELLING, place))
        .or_else(|| vim_script(text).map(|place| (VIM_SCRIPT, place)))
        .or_else(|| hyphenation(text).map(|place| (HYPHENATION, place)));
    if listed.is_some() || !has_marks(text) {
        return listed;
    }
    xml(text)
        .map(|place| (XML, place))
        .or_else(|| css(text).map(|place| (CSS, place)))
        .or_else(|| cookie(text).map(|place| (EMACS, place)))
        .or_else(|| html(text).map(|place| (HTML, place)))
        .or_else(|| content_type(text).map(|place| (CONTENT_TYPE, place)))
        .or_else(|| pod(text).map(|place| (POD, place)))
        .or_else(|| latex(text).map(|place| (LATEX, place)))
        .or_else(|| lines(text).take(5).find_map(|(at, line)| vim(line, at)).map(|place| (VIM, place)))
        .or_else(|| assigned(text).map(|place| (ASSIGNED, place)))
}

/// `SET LABEL` in one of the first lines of an affix file.
fn spelling(text: &[u8]) -> Option<Place<'_>> {
    let start = b"SET ";
    lines(text)
        .take(20)
        .find(|(_, line)| line.starts_with(start))
        .and_then(|(at, _)| known_label(text, at + start.len()))
}

/// `scriptencoding LABEL` in one of the first lines of a script of Vim.
fn vim_script(text: &[u8]) -> Option<Place<'_>> {
    let start = b"scriptencoding ";
    lines(text)
        .take(40)
        .find(|(_, line)| line.starts_with(start))
        .and_then(|(at, _)| known_label(text, at + start.len()))
}

/// Returns a first line that is nothing but the label of an encoding, as in hyphenation files. Short labels are words too.
fn hyphenation(text: &[u8]) -> Option<Place<'_>> {
    let (_, line) = lines(text).next()?;
    let place = known_label(text, 0)?;
    let is_long = place.label.len() >= 5 && place.label.iter().any(u8::is_ascii_digit);
    (is_long && line.trim_ascii_end() == place.label).then_some(place)
}

/// Returns a name such as `charset` or `coding-system` beside the label of an encoding: `$charset = 'iso-8859-1';`,
/// `Coding-System: koi8-r`, `# Codepage: 858`.
fn assigned(text: &[u8]) -> Option<Place<'_>> {
    let names: [&[u8]; 4] = [b"charset", b"coding-system", b"codepage", b"encoding"];
    lines(text).find_map(|(start, line)| {
        // Other conventions know what stands in markup.
        if line.contains(&b'<') {
            return None;
        }
        let name = names.iter().find_map(|name| find(line, name, 0).map(|at| at + name.len()))?;
        let quoted = name + usize::from(matches!(line.get(name), Some(b'"' | b'\'')));
        let at = skip_blanks(line, quoted);
        let sign =
            line.get(at..).map_or(0, |rest| rest.iter().take_while(|&&byte| b":=>,".contains(&byte)).count());
        if sign == 0 {
            return None;
        }
        let place = known_label(text, start + at + sign)?;
        // UTF-8 proves itself, and is named where a program writes it.
        let is_utf8 = place.label.to_ascii_lowercase().starts_with(b"utf")
            || place.label.eq_ignore_ascii_case(b"ascii");
        (!is_utf8).then_some(place)
    })
}

/// Returns the label at `at`, if it names an encoding, or a code page of DOS by its number.
fn known_label(text: &[u8], at: usize) -> Option<Place<'_>> {
    let place = label(text, at)?;
    let name = core::str::from_utf8(place.label).ok()?;
    spelled(name).is_some().then_some(place)
}

/// Returns the encoding that a label means where people write it by heart.
fn spelled(label: &str) -> Option<Encoding> {
    let microsoft = || Encoding::for_label(label.strip_prefix("microsoft-")?);
    let number = || {
        let digits = label.len() == 3 && label.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| Encoding::for_label(&["cp", label].concat()))?
    };
    Encoding::for_label(label).or_else(microsoft).or_else(number)
}

fn in_tail(text: &[u8]) -> Option<(&'static str, Place<'_>)> {
    if !has_marks(text) {
        return None;
    }
    let last: Vec<_> = lines(text).collect();
    let vim = last.iter().rev().take(5).find_map(|&(at, line)| vim(line, at));
    vim.map(|place| (VIM, place)).or_else(|| local_variables(text).map(|place| (LOCAL, place)))
}

fn xml(text: &[u8]) -> Option<Place<'_>> {
    if !text.starts_with(b"<?xml") {
        return None;
    }
    let end = find(text, b"?>", 0).or_else(|| find(text, b">", 0))?;
    let at = find(&text[..end], b"encoding", 0)? + b"encoding".len();
    let at = skip_blanks(text, at);
    (text.get(at) == Some(&b'=')).then(|| label(text, at + 1))?
}

fn css(text: &[u8]) -> Option<Place<'_>> {
    let start = b"@charset \"";
    text.starts_with(start).then(|| label(text, start.len()))?
}

/// `coding: NAME` or `coding=NAME` in the first two lines, in a comment or between `-*-`.
fn cookie(text: &[u8]) -> Option<Place<'_>> {
    lines(text).take(2).find_map(|(start, line)| {
        let comment = matches!(
            line[skip_blanks(line, 0)..],
            [b'#' | b';' | b'%', ..] | [b'/', b'/' | b'*', ..] | [b'(', b'*', ..]
        );
        if !comment && find(line, b"-*-", 0).is_none() {
            return None;
        }
        let mut from = 0;
        while let Some(at) = find(line, b"coding", from) {
            from = at + b"coding".len();
            // In modelines of Vim, this is the option of another name.
            if matches!(line.get(from), Some(b':' | b'=')) && find(&line[..at], b"vim:", 0).is_none() {
                return label(text, start + from + 1);
            }
        }
        None
    })
}

/// Returns the `charset` of a `<meta>` outside comments, as an attribute or in its `content`.
fn html(text: &[u8]) -> Option<Place<'_>> {
    let mut from = 0;
    while let Some(at) = find(text, b"<", from) {
        from = at + 1;
        if text[at..].starts_with(b"<!--") {
            from = find(text, b"-->", at + 2)? + 3;
            continue;
        }
        let Some((name, _)) = text.get(at + 1..).and_then(|rest| rest.split_at_checked(4)) else { break };
        if name.eq_ignore_ascii_case(b"meta") {
            let end = find(text, b">", at)?;
            if let Some(charset) = find(&text[..end], b"charset", at) {
                let after = skip_blanks(text, charset + b"charset".len());
                if text.get(after) == Some(&b'=') {
                    return label(text, after + 1);
                }
            }
        }
    }
    None
}

/// Returns the `charset` of a header, which may go on in the next line; in a PO file, it begins with a quotation mark.
fn content_type(text: &[u8]) -> Option<Place<'_>> {
    let name = b"content-type:";
    line_starts(text).find_map(|start| {
        let at = start + usize::from(text.get(start) == Some(&b'"'));
        let after = at + name.len();
        if !text.get(at..after)?.eq_ignore_ascii_case(name) {
            return None;
        }
        let mut end = after;
        loop {
            end = find(text, b"\n", end).unwrap_or(text.len());
            if !matches!(text.get(end + 1), Some(b' ' | b'\t')) {
                break;
            }
            end += 1;
        }
        let at = find(&text[..end], b"charset=", after)?;
        label(text, at + b"charset=".len())
    })
}

fn pod(text: &[u8]) -> Option<Place<'_>> {
    let start = b"=encoding ";
    line_starts(text).find(|&at| text[at..].starts_with(start)).and_then(|at| label(text, at + start.len()))
}

/// `\usepackage[NAME]{inputenc}` or `\inputencoding{NAME}`.
fn latex(text: &[u8]) -> Option<Place<'_>> {
    lines(text).find_map(|(start, line)| {
        let line = &line[..find(line, b"%", 0).unwrap_or(line.len())];
        if let Some(at) = find(line, b"\\inputencoding{", 0) {
            return label(text, start + at + b"\\inputencoding{".len());
        }
        let end = find(line, b"]{inputenc}", 0)?;
        let open = line[..end].iter().rposition(|&byte| byte == b'[')?;
        // The last option counts.
        let comma = line[open..end].iter().rposition(|&byte| byte == b',').unwrap_or(0);
        label(text, start + open + comma + 1)
    })
}

/// `vim: set fenc=NAME:` and its relatives. `at` is the offset of the line.
fn vim(line: &[u8], at: usize) -> Option<Place<'_>> {
    let start = [&b"vim:"[..], b"vi:", b"ex:"].into_iter().find_map(|name| find(line, name, 0))?;
    let option = [&b"fileencoding="[..], b"fenc="]
        .into_iter()
        .find_map(|name| Some(find(line, name, start)? + name.len()))?;
    let place = label(line, option)?;
    Some(Place { at: at + place.at, label: place.label })
}

/// `coding: NAME` after `Local Variables:`.
fn local_variables(text: &[u8]) -> Option<Place<'_>> {
    let start = find(text, b"Local Variables:", 0)?;
    let end = find(text, b"End:", start).unwrap_or(text.len());
    let at = find(&text[..end], b"coding:", start)?;
    label(text, at + b"coding:".len())
}

/// Returns `true` if the encoding reads the bytes as the declared one does.
pub(super) fn agrees(declared: Encoding, found: Encoding, texts: &[&[u8]]) -> bool {
    let is_utf8 = |encoding| [Encoding::UTF_8, Encoding::UTF_8_BOM].contains(&encoding);
    let form = |encoding: Encoding| {
        let name = encoding.name();
        ["UTF-16", "UTF-32", "UCS-2", "UCS-4"].into_iter().find(|form| name.starts_with(form))
    };
    let read = |encoding: Encoding, text: &[u8]| -> Option<String> {
        encoding.decode(text, ErrorPolicy::Replace).ok().map(alloc::borrow::Cow::into_owned)
    };
    declared == found
        || (declared.is_ascii_compatible() && found == Encoding::US_ASCII)
        || (is_utf8(declared) && is_utf8(found))
        || match (form(declared), form(found)) {
            // A declaration of UTF-16 leaves the order to the signature.
            (Some(a), Some(b)) => a[4..] == b[4..] || declared.name().len() == a.len(),
            (None, None) => texts.iter().all(|text| read(declared, text) == read(found, text)),
            _ => false,
        }
}
