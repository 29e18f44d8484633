//! Kinds of files, and which declarations programs obey in them.

use super::Convention;
use std::path::Path;

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Xml,
    Html,
    /// HTML as XML.
    Xhtml,
    Css,
    Python,
    Ruby,
    Perl,
    /// A catalog of gettext.
    Po,
    Mail,
    Latex,
    Vim,
    /// The affix file of a dictionary.
    Hunspell,
    /// Another kind, or an unknown one.
    Other,
}

const BY_EXTENSION: [(&str, Kind); 51] = [
    ("xml", Kind::Xml),
    ("svg", Kind::Xml),
    ("xsl", Kind::Xml),
    ("xslt", Kind::Xml),
    ("xsd", Kind::Xml),
    ("rdf", Kind::Xml),
    ("rss", Kind::Xml),
    ("atom", Kind::Xml),
    ("kml", Kind::Xml),
    ("gpx", Kind::Xml),
    ("plist", Kind::Xml),
    ("xlf", Kind::Xml),
    ("xliff", Kind::Xml),
    ("resx", Kind::Xml),
    ("csproj", Kind::Xml),
    ("vcxproj", Kind::Xml),
    ("opf", Kind::Xml),
    ("dbk", Kind::Xml),
    ("html", Kind::Html),
    ("htm", Kind::Html),
    ("shtml", Kind::Html),
    ("xhtml", Kind::Xhtml),
    ("xht", Kind::Xhtml),
    ("css", Kind::Css),
    ("py", Kind::Python),
    ("pyw", Kind::Python),
    ("pyi", Kind::Python),
    ("rb", Kind::Ruby),
    ("rake", Kind::Ruby),
    ("gemspec", Kind::Ruby),
    ("ru", Kind::Ruby),
    ("pl", Kind::Perl),
    ("pm", Kind::Perl),
    ("t", Kind::Perl),
    ("pod", Kind::Perl),
    ("po", Kind::Po),
    ("pot", Kind::Po),
    ("eml", Kind::Mail),
    ("mht", Kind::Mail),
    ("mhtml", Kind::Mail),
    ("tex", Kind::Latex),
    ("sty", Kind::Latex),
    ("cls", Kind::Latex),
    ("ltx", Kind::Latex),
    ("dtx", Kind::Latex),
    ("ins", Kind::Latex),
    ("bib", Kind::Latex),
    ("vim", Kind::Vim),
    ("aff", Kind::Hunspell),
    ("wsdl", Kind::Xml),
    ("xmp", Kind::Xml),
];
const BY_NAME: [(&str, Kind); 5] = [
    ("Rakefile", Kind::Ruby),
    ("Gemfile", Kind::Ruby),
    ("vimrc", Kind::Vim),
    (".vimrc", Kind::Vim),
    ("_vimrc", Kind::Vim),
];

impl Kind {
    /// Returns the kind that a name tells.
    pub(crate) fn by_name(path: &Path) -> Option<Self> {
        let find = |table: &[(&str, Self)], name: &str| {
            table.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|&(_, kind)| kind)
        };
        let name = path.file_name()?.to_str()?;
        find(&BY_NAME, name).or_else(|| find(&BY_EXTENSION, path.extension()?.to_str()?))
    }

    /// Returns the kind that the first bytes of a text tell, in an encoding that reads ASCII as it is.
    pub(crate) fn by_text(head: &[u8]) -> Self {
        let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
        let start = head.trim_ascii_start();
        let begins = |what: &str| {
            start.get(..what.len()).is_some_and(|start| start.eq_ignore_ascii_case(what.as_bytes()))
        };
        let first = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let mentions = |what: &str| memchr::memmem::find(first, what.as_bytes()).is_some();
        if head.starts_with(b"<?xml") {
            let is_html = memchr::memmem::find(head, b"<html").is_some();
            return if is_html { Self::Xhtml } else { Self::Xml };
        }
        if ["<!doctype html", "<html", "<head", "<meta "].into_iter().any(begins) {
            return Self::Html;
        }
        if first.starts_with(b"#!") {
            return match () {
                () if mentions("python") => Self::Python,
                () if mentions("ruby") => Self::Ruby,
                () if mentions("perl") => Self::Perl,
                () => Self::Other,
            };
        }
        let has = |what: &str| memchr::memmem::find(head, what.as_bytes()).is_some();
        if has("msgid \"\"\nmsgstr \"\"") || has("msgid \"\"\r\nmsgstr \"\"") {
            return Self::Po;
        }
        if has("\\documentclass") || has("\\documentstyle") {
            return Self::Latex;
        }
        if is_mail(head) { Self::Mail } else { Self::Other }
    }

    /// Returns `true` if a text that goes on after these bytes may turn out to be of a kind.
    pub(crate) fn may_be_told_by(head: &[u8]) -> bool {
        let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
        let first = head.trim_ascii_start();
        // Comments and fields can precede the line that tells.
        matches!(first, [] | [b'<' | b'#' | b'%' | b'\\' | b'@', ..])
            || first.starts_with(b"msgid")
            || head.iter().take_while(|&&byte| is_field(byte)).count() > 0
                && head.iter().find(|&&byte| !is_field(byte)).is_none_or(|&byte| byte == b':')
            || memchr::memmem::find(&head[..head.len().min(256)], b"-*-").is_some()
    }

    /// Returns `true` if programs obey a declaration, whose label is at `offset`, in a file of this kind that begins with
    /// `head`.
    pub(crate) fn obeys(self, convention: Convention, head: &[u8], offset: u64) -> bool {
        match convention {
            Convention::Xml | Convention::Css | Convention::Emacs | Convention::Local | Convention::Vim => {
                true
            }
            Convention::Html => matches!(self, Self::Html | Self::Xhtml),
            Convention::Cookie => matches!(self, Self::Python | Self::Ruby) && is_in_comments(head, offset),
            Convention::ContentType => self == Self::Po,
            Convention::Pod | Convention::PerlEncoding | Convention::PerlUtf8 => self == Self::Perl,
            Convention::Latex | Convention::TexEditor => self == Self::Latex,
            Convention::VimScript => self == Self::Vim,
            Convention::Spelling => self == Self::Hunspell,
            Convention::Hyphenation | Convention::Assigned => false,
        }
    }
}

/// Returns `true` if the lines up to an offset are comments of Python or Ruby, or blank.
fn is_in_comments(head: &[u8], offset: u64) -> bool {
    let before = &head[..head.len().min(usize::try_from(offset).unwrap_or(usize::MAX))];
    let before = before.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(before);
    before.split(|&byte| byte == b'\n').all(|line| matches!(line.trim_ascii_start(), [] | [b'#', ..]))
}

/// Returns `true` if a byte may be in the name of a header field (RFC 5322).
const fn is_field(byte: u8) -> bool {
    byte.is_ascii_graphic() && byte != b':'
}

/// Returns `true` if a text begins with headers of which one is `MIME-Version`.
fn is_mail(head: &[u8]) -> bool {
    let mut lines = head.split(|&byte| byte == b'\n').enumerate();
    lines
        .by_ref()
        .take_while(|(i, line)| {
            let name = line.iter().take_while(|&&byte| is_field(byte)).count();
            name > 0 && line.get(name) == Some(&b':')
                || matches!(line, [b' ' | b'\t', ..])
                || *i == 0 && line.starts_with(b"From ")
        })
        .any(|(_, line)| line.get(..13).is_some_and(|name| name.eq_ignore_ascii_case(b"mime-version:")))
}
