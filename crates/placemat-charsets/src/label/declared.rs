//! Declarations of encodings in the first bytes of a document.
//!
//! Each function reads one kind of declaration by its own rules and returns `None` if there is none. The caller decides
//! which to trust first; the usual order is the signature ([`bom`](crate::bom)), the transport's label, the declaration
//! in the document, detection.

use super::table;
use crate::encoding::Encoding;

/// The number of bytes in which browsers look for a declaration in a document of HTML (HTML Standard, "prescan").
///
/// ```
/// use placemat::label;
/// let page = format!("{}<meta charset=koi8-r>", " ".repeat(label::HTML_PRESCAN));
/// assert_eq!(label::of_html(page.as_bytes()), None);
/// assert!(label::of_html(&page.as_bytes()[1000..]).is_some());
/// ```
pub const HTML_PRESCAN: usize = 1024;

/// Returns the encoding that a style sheet declares: `@charset "…";` in exactly these bytes at its start (CSS Syntax,
/// "determine the fallback encoding").
///
/// ```
/// use placemat::{Encoding, label};
/// assert_eq!(label::of_css(b"@charset \"utf-16\";"), Some(Encoding::UTF_8), "UTF-16 would be unreadable as ASCII");
/// assert_eq!(label::of_css(b"@charset 'utf-8';"), None);
/// ```
#[must_use]
#[inline]
pub fn of_css(src: &[u8]) -> Option<Encoding> {
    let quoted = src[..src.len().min(HTML_PRESCAN)].strip_prefix(b"@charset \"")?;
    let end = quoted.iter().position(|&byte| byte == b'"')?;
    if quoted.get(end + 1) != Some(&b';') {
        return None;
    }
    readable_as_ascii(web(&quoted[..end])?)
}

/// Returns the encoding that a document of XML declares, or that its first bytes show (XML 1.0, appendix F). `None`
/// without a declaration; XML then defaults to UTF-8.
///
/// ```
/// use placemat::{Encoding, label};
/// assert_eq!(label::of_xml(b"<?xml version='1.0' encoding='US-ASCII'?>"), Some(Encoding::US_ASCII));
/// assert_eq!(label::of_xml(b"<\0?\0x\0m\0l\0"), Some(Encoding::UTF_16LE));
/// assert_eq!(label::of_xml(b"<?xml version='1.0'?>"), None);
/// ```
#[must_use]
#[inline]
pub fn of_xml(src: &[u8]) -> Option<Encoding> {
    match src {
        [0, 0, 0, b'<', ..] => Some(Encoding::UTF_32BE),
        [b'<', 0, 0, 0, ..] => Some(Encoding::UTF_32LE),
        [0, b'<', 0, b'?', ..] => Some(Encoding::UTF_16BE),
        [b'<', 0, b'?', 0, ..] => Some(Encoding::UTF_16LE),
        _ => Encoding::for_label(xml_label(src)?),
    }
}

/// Returns the label after `encoding` in an XML declaration (HTML Standard, "get an XML encoding").
fn xml_label(src: &[u8]) -> Option<&str> {
    let declaration = src[..src.len().min(HTML_PRESCAN)].strip_prefix(b"<?xml")?;
    let declaration = &declaration[..declaration.iter().position(|&byte| byte == b'>')?];
    let name = b"encoding";
    let at = declaration.windows(name.len()).position(|window| window == name)?;
    let rest = skip_controls(&declaration[at + name.len()..]);
    let [quote @ (b'"' | b'\''), rest @ ..] = skip_controls(rest.strip_prefix(b"=")?) else { return None };
    let label = &rest[..rest.iter().position(|byte| byte == quote)?];
    core::str::from_utf8(label).ok()
}

/// Returns the rest of `src` after bytes up to 20.
fn skip_controls(src: &[u8]) -> &[u8] {
    &src[src.iter().take_while(|&&byte| byte <= b' ').count()..]
}

#[inline]
fn web(label: &[u8]) -> Option<Encoding> {
    table::web(core::str::from_utf8(label).ok()?.trim_ascii())
}

/// Corrects a declaration of UTF-16 that could be read as ASCII and so cannot be true: browsers then take UTF-8.
#[inline]
fn readable_as_ascii(encoding: Encoding) -> Option<Encoding> {
    if [Encoding::UTF_16LE, Encoding::UTF_16BE].contains(&encoding) {
        return Some(Encoding::UTF_8);
    }
    // HTML reads x-user-defined as windows-1252.
    if encoding.name().eq_ignore_ascii_case("x-user-defined") {
        return table::web("windows-1252");
    }
    Some(encoding)
}

/// Returns the encoding that a document of HTML declares in a `<meta>` or an XML declaration, found as browsers do
/// (HTML Standard, "prescan a byte stream to determine its encoding"). Reads only the first [`HTML_PRESCAN`] bytes.
///
/// ```
/// use placemat::{Encoding, label};
/// let html = b"<!doctype html><!-- <meta charset=utf-32> --><meta charset=\"UTF-8\">";
/// assert_eq!(label::of_html(html), Some(Encoding::UTF_8));
/// let http = b"<meta http-equiv=Content-Type content='text/html; charset=utf-8'>";
/// assert_eq!(label::of_html(http), Some(Encoding::UTF_8));
/// assert_eq!(label::of_html(b"<p title='<meta charset=utf-8>'>"), None);
/// ```
#[must_use]
#[inline]
pub fn of_html(src: &[u8]) -> Option<Encoding> {
    let src = &src[..src.len().min(HTML_PRESCAN)];
    match src {
        [b'<', 0, b'?', 0, b'x', 0, ..] => return Some(Encoding::UTF_16LE),
        [0, b'<', 0, b'?', 0, b'x', ..] => return Some(Encoding::UTF_16BE),
        _ => {}
    }
    let in_meta = MetaLabels::new(src).find_map(|label| readable_as_ascii(web(label)?));
    in_meta.or_else(|| readable_as_ascii(table::web(xml_label(src)?.trim_ascii())?))
}

/// The labels in the `<meta>` elements of a document of HTML, in their order. Each is a part of the document.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct MetaLabels<'a>(&'a [u8]);

impl<'a> MetaLabels<'a> {
    /// Returns the labels of a document that begins with `src`.
    #[must_use]
    #[inline]
    pub const fn new(src: &'a [u8]) -> Self {
        Self(src)
    }
}

impl<'a> Iterator for MetaLabels<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        while let [first, after @ ..] = self.0 {
            self.0 = match (first, after) {
                (b'<', [b'!', b'-', b'-', ..]) => {
                    // `<!-->` is a complete comment.
                    let end = self.0[2..].windows(3).position(|window| window == b"-->")?;
                    &self.0[2 + end + 3..]
                }
                (b'<', [m, e, t, a, space, ..])
                    if [*m, *e, *t, *a].eq_ignore_ascii_case(b"meta")
                        && (is_space(*space) || *space == b'/') =>
                {
                    let mut attributes = Attributes(&after[4..]);
                    let label = of_meta(&mut attributes);
                    self.0 = attributes.0;
                    if label.is_some() {
                        return label;
                    }
                    continue;
                }
                (b'<', [b'/', letter, ..] | [letter, ..]) if letter.is_ascii_alphabetic() => {
                    let name = after.iter().take_while(|&&byte| !is_space(byte) && byte != b'>').count();
                    let mut attributes = Attributes(&after[name..]);
                    while attributes.next().is_some() {}
                    attributes.0
                }
                (b'<', [b'!' | b'/' | b'?', ..]) => {
                    let end = after.iter().position(|&byte| byte == b'>')?;
                    &after[end + 1..]
                }
                _ => after,
            };
        }
        None
    }
}

/// Returns the label that the attributes of a `<meta>` declare.
#[inline]
fn of_meta<'a>(attributes: &mut Attributes<'a>) -> Option<&'a [u8]> {
    let (mut pragma, mut charset, mut content) = (false, None, None);
    for (name, value) in attributes {
        if name.eq_ignore_ascii_case(b"http-equiv") {
            pragma |= value.eq_ignore_ascii_case(b"content-type");
        } else if name.eq_ignore_ascii_case(b"charset") {
            // The first attribute of each name counts.
            charset = charset.or(Some(value));
        } else if name.eq_ignore_ascii_case(b"content") {
            content = content.or(Some(value));
        }
    }
    charset.or_else(|| in_content(content.filter(|_| pragma)?))
}

/// Returns the label in the `content` of a `<meta>` (HTML Standard, "extracting a character encoding from a meta
/// element").
fn in_content(mut content: &[u8]) -> Option<&[u8]> {
    let name = b"charset";
    loop {
        let at = content.windows(name.len()).position(|window| window.eq_ignore_ascii_case(name))?;
        content = &content[at + name.len()..];
        let Some(value) = skip_space(content).strip_prefix(b"=") else { continue };
        return match skip_space(value) {
            [quote @ (b'"' | b'\''), quoted @ ..] => {
                quoted.iter().position(|byte| byte == quote).map(|end| &quoted[..end])
            }
            [] => None,
            plain => {
                let end =
                    plain.iter().position(|&byte| is_space(byte) || byte == b';').unwrap_or(plain.len());
                Some(&plain[..end])
            }
        };
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

fn skip_space(src: &[u8]) -> &[u8] {
    &src[src.iter().take_while(|&&byte| is_space(byte)).count()..]
}

/// The attributes of a tag, name and value (HTML Standard, "get an attribute"). At their end it leaves the bytes after
/// the tag, or nothing if the tag is incomplete.
struct Attributes<'a>(&'a [u8]);

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.0.iter().take_while(|&&byte| is_space(byte) || byte == b'/').count();
        let src = &self.0[start..];
        if let [] | [b'>', ..] = src {
            self.0 = src.get(1..).unwrap_or_default();
            return None;
        }
        // An `=` at the start belongs to the name.
        let end = |byte: u8| is_space(byte) || matches!(byte, b'/' | b'>' | b'=');
        let len = 1 + src[1..].iter().take_while(|&&byte| !end(byte)).count();
        let (name, rest) = src.split_at(len);
        let Some(value) = skip_space(rest).strip_prefix(b"=") else {
            self.0 = rest;
            return Some((name, b""));
        };
        let value = skip_space(value);
        let (value, rest) = match value {
            [quote @ (b'"' | b'\''), quoted @ ..] => match quoted.iter().position(|byte| byte == quote) {
                Some(end) => (&quoted[..end], &quoted[end + 1..]),
                // The tag is incomplete, and so is the value.
                None => {
                    self.0 = b"";
                    return None;
                }
            },
            _ => {
                let len = value.iter().take_while(|&&byte| !is_space(byte) && byte != b'>').count();
                if len == value.len() {
                    self.0 = b"";
                    return None;
                }
                value.split_at(len)
            }
        };
        self.0 = rest;
        Some((name, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_in_html() {
        let utf8 = Some(Encoding::UTF_8);
        for (html, expected) in [
            (&b"<meta charset=utf-8>"[..], utf8),
            (b"<META\tCHARSET = 'UTF-8'/>", utf8),
            (b"<meta/charset=utf-8 >", utf8),
            (b"<meta charset=\"utf-16\">", utf8),
            (b"<meta charset=utf-8", None),
            (b"<metacharset=utf-8>", None),
            (b"<meta charset=klingon><meta charset=utf-8>", utf8),
            (b"<meta charset=klingon charset=utf-8>", None),
            (b"<meta content='x; charset=utf-8'>", None),
            (b"<meta content='x; CharSet = \"utf-8\"' http-equiv=content-TYPE>", utf8),
            (b"<meta http-equiv=content-type content='charset charset=utf-8;x'>", utf8),
            (b"<meta http-equiv=content-type content='charset=\"utf-8'>", None),
            (b"<!-- <meta charset=utf-8> ", None),
            (b"<!--><meta charset=utf-8>", utf8),
            (b"<!-- -- ><meta charset=utf-8>", None),
            (b"<!x <meta charset=utf-8>", None),
            (b"</p title='><meta charset=utf-8>'>", None),
            (b"<p title=\"x\" a<meta charset=utf-8>", None),
            // The name of a tag ends at white space or `>` alone.
            (b"<p=\"><meta charset=utf-8>", utf8),
            (b"</p/a='><meta charset=utf-8>", utf8),
            (b"<p a='><meta charset=utf-8>", None),
            (b"< meta><meta charset=utf-8>", utf8),
            (b"<?php ?><meta charset=utf-8>", utf8),
            (b"<?xml version='1.0' encoding='utf-8'?><p>", utf8),
            (b"<?xml version='1.0' encoding = \"utf-16be\" ?>", utf8),
            (b"<?xml version='1.0' encoding=utf-8?>", None),
            (b" <?xml version='1.0' encoding='utf-8'?>", None),
            (b"\0<\0?\0x\0m", Some(Encoding::UTF_16BE)),
            (b"<meta charset=utf-7>", None),
            (b"", None),
        ] {
            assert_eq!(of_html(html), expected, "{}", html.escape_ascii());
        }
        let mut late = vec![b' '; HTML_PRESCAN];
        late.extend(b"<meta charset=utf-8>");
        assert_eq!(of_html(&late), None);
        assert_eq!(of_html(&late[10..]), None, "the declaration is truncated");
        assert_eq!(of_html(&late[20..]), utf8);
    }

    /// XML 1.0, appendix F.
    #[test]
    fn the_first_bytes_of_xml_show_the_size_and_order_of_its_units() {
        for (xml, expected) in [
            (&b"\0\0\0<\0\0\0?"[..], Some(Encoding::UTF_32BE)),
            (b"<\0\0\0?\0\0\0", Some(Encoding::UTF_32LE)),
            (b"\0<\0?\0x", Some(Encoding::UTF_16BE)),
            (b"<\0?\0x\0", Some(Encoding::UTF_16LE)),
            (b"<?xml encoding='koi8-r'?>", Some(Encoding::KOI8_R)),
            (b"<?xml encoding='koi8-r\"?>", None),
            (b"<?xml encoding='koi8-r'", None),
            (b"<?xml version='1.0'?><a encoding='koi8-r'/>", None),
        ] {
            assert_eq!(of_xml(xml), expected, "{}", xml.escape_ascii());
        }
    }

    /// CSS Syntax, section 3.2.
    #[test]
    fn a_style_sheet_declares_in_exactly_these_bytes() {
        for (css, expected) in [
            (&b"@charset \"koi8-r\";"[..], Some(Encoding::KOI8_R)),
            (b"@charset \"utf-16be\";", Some(Encoding::UTF_8)),
            (b"@charset \"koi8-r\" ;", None),
            (b"@charset  \"koi8-r\";", None),
            (b" @charset \"koi8-r\";", None),
            (b"@CHARSET \"koi8-r\";", None),
            (b"@charset \"koi8-r\"", None),
            (b"@charset \"klingon\";", None),
        ] {
            assert_eq!(of_css(css), expected, "{}", css.escape_ascii());
        }
    }
}
