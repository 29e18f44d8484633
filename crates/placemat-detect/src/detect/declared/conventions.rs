//! The conventions by which texts declare their encoding, and where each writes the label.

use super::find::{Place, find, label, line_starts, lines, skip_blanks};
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use placemat_charsets::Encoding;
use placemat_charsets::label::MetaLabels;

/// A convention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// `SET` of Hunspell.
    Spelling,
    /// `scriptencoding` of Vim.
    VimScript,
    /// The first line of a file with hyphenation patterns.
    Hyphenation,
    /// The declaration of XML.
    Xml,
    /// `@charset` of CSS.
    Css,
    /// A cookie between `-*-`, in a line where Emacs looks for it.
    Emacs,
    /// Another cookie in the first two lines.
    Cookie,
    /// A `<meta>` of HTML.
    Html,
    /// A header of MIME, also in a catalog of gettext.
    ContentType,
    /// `=encoding` of POD.
    Pod,
    /// The package inputenc of LaTeX.
    Latex,
    /// `% !TeX encoding` of editors for TeX.
    TexEditor,
    /// A modeline of Vim.
    Vim,
    /// The local variables of Emacs.
    Local,
    /// `use encoding` of Perl.
    PerlEncoding,
    /// `use utf8` of Perl.
    PerlUtf8,
    /// A name such as `charset` beside a label.
    Assigned,
}

impl Convention {
    /// Returns the name of the convention.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Spelling => "hunspell SET",
            Self::VimScript => "Vim scriptencoding",
            Self::Hyphenation => "hyphenation label",
            Self::Xml => "XML declaration",
            Self::Css => "CSS @charset",
            Self::Emacs | Self::Cookie => "coding cookie",
            Self::Html => "HTML meta",
            Self::ContentType => "Content-Type",
            Self::Pod => "POD =encoding",
            Self::Latex => "LaTeX inputenc",
            Self::TexEditor => "TeX magic comment",
            Self::Vim => "Vim modeline",
            Self::Local => "Emacs local variables",
            Self::PerlEncoding => "Perl use encoding",
            Self::PerlUtf8 => "Perl use utf8",
            Self::Assigned => "charset assignment",
        }
    }

    /// Returns the encoding that a label means by the convention.
    #[must_use]
    pub fn meaning(self, label: &str) -> Option<Encoding> {
        match self {
            Self::Html | Self::Css => {
                placemat_charsets::web::for_label(label).or_else(|| Encoding::for_label(label))
            }
            Self::Cookie | Self::Emacs | Self::Local => {
                let label = label.to_ascii_lowercase();
                let plain = ["-unix", "-dos", "-mac"]
                    .iter()
                    .find_map(|end| label.strip_suffix(end))
                    .unwrap_or(&label);
                Encoding::for_label(plain)
                    .or_else(|| Encoding::for_label(plain.strip_prefix("iso-")?))
                    .or_else(|| Encoding::for_label(plain.strip_prefix("japanese-")?))
                    .or_else(|| Encoding::for_label(plain.strip_prefix("chinese-")?))
                    .or_else(|| Encoding::for_label(plain.strip_prefix("cyrillic-")?))
                    .or_else(|| (plain == "prefer-utf-8" || plain == "mule-utf-8").then_some(Encoding::UTF_8))
            }
            Self::Latex => match label {
                "utf8x" => Some(Encoding::UTF_8),
                "ansinew" => Some(Encoding::WINDOWS_1252),
                "applemac" => Some(Encoding::MACINTOSH),
                "latin10" => Some(Encoding::ISO_8859_16),
                "cp437de" => Some(Encoding::IBM437),
                _ => Encoding::for_label(label),
            },
            Self::Spelling | Self::Hyphenation | Self::Assigned => spelled(label),
            _ => Encoding::for_label(label),
        }
    }
}

/// A declaration, and the place of its label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The convention of the declaration.
    pub convention: Convention,
    /// The label, in ASCII.
    pub label: String,
    /// The encoding that the label names by the convention, if it is known.
    pub encoding: Option<Encoding>,
    /// The bytes of the label.
    pub range: Range<u64>,
}

type Finder = for<'a> fn(&'a [u8]) -> Option<Place<'a>>;

/// The conventions that are looked for first. They need no mark: words and labels at the starts of lines.
const WITHOUT_MARKS_FIRST: [(Convention, Finder); 3] = [
    (Convention::Spelling, spelling),
    (Convention::VimScript, vim_script),
    (Convention::Hyphenation, hyphenation),
];
/// The conventions for the head of a text before and after HTML, which can declare several times.
const BEFORE_HTML: [(Convention, Finder); 4] = [
    (Convention::Xml, xml),
    (Convention::Css, css),
    (Convention::Emacs, emacs),
    (Convention::Cookie, cookie),
];
const AFTER_HTML: [(Convention, Finder); 5] = [
    (Convention::ContentType, content_type),
    (Convention::Pod, pod),
    (Convention::Latex, latex),
    (Convention::TexEditor, tex_editor),
    (Convention::Vim, vim_at_start),
];
/// The conventions that are looked for last. They need no mark either: pragmas, and a comma between a name and a label.
const WITHOUT_MARKS_LAST: [(Convention, Finder); 3] = [
    (Convention::PerlEncoding, perl_encoding),
    (Convention::Assigned, assigned),
    (Convention::PerlUtf8, perl_utf8),
];

type Take<'t> = dyn FnMut(Convention, Place<'_>) -> Option<Found> + 't;

/// Passes the declarations in the head of a text to `take`, until it returns one.
pub(super) fn in_head(text: &[u8], take: &mut Take<'_>) -> Option<Found> {
    let by = |finders: &[(Convention, Finder)], take: &mut Take<'_>| {
        finders.iter().find_map(|&(convention, find)| take(convention, find(text)?))
    };
    let by_marks = |take: &mut Take<'_>| {
        by(&BEFORE_HTML, take)
            .or_else(|| metas(text).find_map(|place| take(Convention::Html, place)))
            .or_else(|| by(&AFTER_HTML, take))
    };
    by(&WITHOUT_MARKS_FIRST, take)
        .or_else(|| if has_marks(text) { by_marks(take) } else { None })
        .or_else(|| by(&WITHOUT_MARKS_LAST, take))
}

/// Passes the declarations in the last bytes of a text to `take`, until it returns one.
pub(super) fn in_tail(text: &[u8], take: &mut Take<'_>) -> Option<Found> {
    if !has_marks(text) {
        return None;
    }
    let last: Vec<_> = lines(text).collect();
    let vim = last.iter().rev().take(5).find_map(|&(at, line)| vim(line, at));
    vim.and_then(|place| take(Convention::Vim, place))
        .or_else(|| take(Convention::Local, local_variables(text)?))
}

/// Returns `true` if a text has one of the marks that most conventions write before the label. Most texts without a
/// declaration have none.
fn has_marks(text: &[u8]) -> bool {
    let is_mark = |byte: u8| (byte == b':') | (byte == b'=') | (byte == b'@') | (byte == b'{');
    // Whole chunks without a branch make vector code.
    text.chunks(32).any(|chunk| chunk.iter().fold(false, |any, &byte| any | is_mark(byte)))
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
pub(super) fn known_label(text: &[u8], at: usize) -> Option<Place<'_>> {
    let place = label(text, at)?;
    let name = core::str::from_utf8(place.label).ok()?;
    spelled(name).is_some().then_some(place)
}

/// Returns the encoding that a label means where people write it by heart.
pub(super) fn spelled(label: &str) -> Option<Encoding> {
    let microsoft = || Encoding::for_label(label.strip_prefix("microsoft-")?);
    let number = || {
        let digits = label.len() == 3 && label.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| Encoding::for_label(&["cp", label].concat()))?
    };
    Encoding::for_label(label).or_else(microsoft).or_else(number)
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

/// `-*- coding: NAME -*-` in the first line, or in the second after `#!`.
fn emacs(text: &[u8]) -> Option<Place<'_>> {
    let lines_read = if text.starts_with(b"#!") { 2 } else { 1 };
    lines(text).take(lines_read).find_map(|(start, line)| {
        let open = find(line, b"-*-", 0)?;
        let end = find(line, b"-*-", open + 3)?;
        coding(&line[..end], open, text, start)
    })
}

/// `coding: NAME` or `coding=NAME` in the first two lines, in a comment or between `-*-`.
fn cookie(text: &[u8]) -> Option<Place<'_>> {
    if emacs(text).is_some() {
        return None;
    }
    lines(text).take(2).find_map(|(start, line)| {
        let comment = matches!(
            line[skip_blanks(line, 0)..],
            [b'#' | b';' | b'%', ..] | [b'/', b'/' | b'*', ..] | [b'(', b'*', ..]
        );
        if !comment && find(line, b"-*-", 0).is_none() {
            return None;
        }
        coding(line, 0, text, start)
    })
}

/// Returns the label after `coding:` in a line of the text, from `from` on. `start` is the offset of the line.
fn coding<'a>(line: &[u8], mut from: usize, text: &'a [u8], start: usize) -> Option<Place<'a>> {
    while let Some(at) = find(line, b"coding", from) {
        from = at + b"coding".len();
        // In modelines of Vim, this is the option of another name.
        if matches!(line.get(from), Some(b':' | b'=')) && find(&line[..at], b"vim:", 0).is_none() {
            return label(text, start + from + 1);
        }
    }
    None
}

/// Returns the labels in the `<meta>` elements of HTML.
fn metas(text: &[u8]) -> impl Iterator<Item = Place<'_>> {
    MetaLabels::new(text).filter_map(|found| label(text, found.as_ptr().addr() - text.as_ptr().addr()))
}

/// `% !TeX encoding = NAME` in one of the first lines.
fn tex_editor(text: &[u8]) -> Option<Place<'_>> {
    lines(text).take(20).find_map(|(start, line)| {
        let comment = line[skip_blanks(line, 0)..].strip_prefix(b"%")?;
        let at = line.len() - comment.len();
        let at = skip_blanks(line, at);
        let name = line.get(at..at + b"!tex".len())?;
        let at = skip_blanks(line, at + name.len());
        let option = line.get(at..at + b"encoding".len())?;
        let end = skip_blanks(line, at + option.len());
        let is_it = name.eq_ignore_ascii_case(b"!tex") && option.eq_ignore_ascii_case(b"encoding");
        (is_it && line.get(end) == Some(&b'=')).then(|| label(text, start + end + 1))?
    })
}

/// A modeline of Vim in the first lines.
fn vim_at_start(text: &[u8]) -> Option<Place<'_>> {
    lines(text).take(5).find_map(|(at, line)| vim(line, at))
}

/// `use encoding 'NAME';` at the start of a line.
fn perl_encoding(text: &[u8]) -> Option<Place<'_>> {
    lines(text).find_map(|(start, line)| {
        let rest = line.strip_prefix(b"use encoding")?;
        let at = skip_blanks(line, line.len() - rest.len());
        let quote = matches!(line.get(at), Some(b'"' | b'\''));
        let quoted = line.get(at..)?.starts_with(b"qw(");
        (quote || quoted).then(|| label(text, start + at + if quoted { 3 } else { 0 }))?
    })
}

/// The name in `use utf8;` at the start of a line.
fn perl_utf8(text: &[u8]) -> Option<Place<'_>> {
    line_starts(text).find_map(|at| {
        let name = skip_blanks(text, at);
        let name = skip_blanks(text, name + text.get(name..)?.strip_prefix(b"use ").map(|_| 4)?);
        let end = name + b"utf8".len();
        (text.get(name..end)? == b"utf8" && text.get(skip_blanks(text, end)) == Some(&b';'))
            .then(|| Place { at: name, label: &text[name..end] })
    })
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
