//! Parameters of Content-Type and Content-Disposition: RFC 2231, RFC 8187.

#![forbid(unsafe_code)]

use super::super::kinds::Scope;
use super::super::token::run;
use super::field::{Kind, Stayed};
use super::fold::quoted_len;
use super::words::{in_charset, is_safe};
use crate::transfer::{Transfer, TransferErrorKind};
use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// The longest line of parameters.
const MAX_LINE: usize = 76;

/// A parameter: where it is, with the semicolon before it; its name, its section and its value.
#[derive(Clone, Debug)]
struct Param {
    range: Range<usize>,
    /// The start of the name.
    start: usize,
    name: String,
    /// `name*0`
    section: Option<u32>,
    /// `name*`
    is_extended: bool,
    value: String,
}

/// Returns the parameters of a field.
fn params(field: &str, value: usize) -> Vec<Param> {
    let mut found = Vec::new();
    let mut at = value;
    let next = |mut at: usize| {
        while let Some(byte) = field.as_bytes().get(at) {
            match byte {
                b';' => return Some(at),
                b'"' => at += quoted_len(&field[at..]),
                _ => at += 1,
            }
        }
        None
    };
    while let Some(semicolon) = next(at) {
        let rest = &field[semicolon + 1..];
        let start = semicolon + 1 + (rest.len() - rest.trim_ascii_start().len());
        let end = next(start).unwrap_or(field.len());
        at = end;
        let text = field[start..end].trim_ascii_end();
        let range = semicolon..start + text.len();
        let Some((name, value)) = text.split_once('=') else { continue };
        let (name, value) = (name.trim_ascii(), value.trim_ascii());
        let (name, is_extended) = name.strip_suffix('*').map_or((name, false), |name| (name, true));
        let (name, section) = match name.split_once('*') {
            Some((name, section)) => match section.parse() {
                Ok(section) => (name, Some(section)),
                Err(_) => continue,
            },
            None => (name, None),
        };
        let value = if value.starts_with('"') { unquote(value) } else { value.to_owned() };
        found.push(Param { range, start, name: name.to_ascii_lowercase(), section, is_extended, value });
    }
    found
}

fn unquote(text: &str) -> String {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let mut out = String::new();
    let mut escaped = false;
    for c in inner.chars() {
        if c == '\\' && !escaped {
            escaped = true;
            continue;
        }
        escaped = false;
        if !matches!(c, '\r' | '\n') {
            out.push(c);
        }
    }
    out
}

/// Returns the text of the sections of one parameter.
fn text_of(scope: Scope, sections: &[&Param]) -> Result<Option<String>, TransferErrorKind> {
    let mut sections = sections.to_vec();
    sections.sort_by_key(|param| param.section);
    let ordered = sections.iter().zip(0..).all(|(param, index)| param.section.unwrap_or(0) == index);
    let Some(first) = sections.first().filter(|first| first.is_extended && ordered) else { return Ok(None) };
    let mut parts = first.value.splitn(3, '\'');
    let (Some(charset), Some(language), Some(value)) = (parts.next(), parts.next(), parts.next()) else {
        return Err(TransferErrorKind::BadEscape);
    };
    if !language.is_empty() && scope == Scope::NonAscii {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    for (index, param) in sections.iter().enumerate() {
        let text = if index == 0 { value } else { param.value.as_str() };
        if param.is_extended {
            let decoded = Transfer::Percent.decode(text.as_bytes());
            bytes.extend_from_slice(&decoded.map_err(|_| TransferErrorKind::BadEscape)?);
        } else {
            bytes.extend_from_slice(text.as_bytes());
        }
    }
    let text = in_charset(charset.as_bytes(), &bytes).ok_or(TransferErrorKind::Charset)?;
    if !is_safe(&text) {
        return Err(TransferErrorKind::Unsafe);
    }
    Ok((scope == Scope::All || !text.is_ascii()).then_some(text))
}

/// Decodes the extended parameters of a field.
pub(super) fn decode(scope: Scope, kind: Kind, field: &[u8], value: usize, out: &mut Vec<u8>) -> Stayed {
    let mut stayed = Stayed::default();
    let text = core::str::from_utf8(field).ok().filter(|text| kind == Kind::Parameters && text.contains("*"));
    let Some(text) = text else {
        out.extend_from_slice(field);
        return stayed;
    };
    let found = params(text, value);
    // What replaces each parameter: nothing, if it is a later section of another.
    let mut changes: Vec<(Range<usize>, String)> = Vec::new();
    for (index, param) in found.iter().enumerate() {
        let alike = |other: &&Param| other.name == param.name;
        let is_first = found.iter().position(|other| alike(&other)) == Some(index);
        let sections: Vec<_> = found.iter().filter(alike).collect();
        let is_whole = sections.len() == 1 || sections.iter().all(|section| section.section.is_some());
        if !is_first || !is_whole {
            continue;
        }
        match text_of(scope, &sections) {
            Ok(None) => {}
            Err(reason) => stayed.add(param.start, param.range.end - param.start, reason),
            Ok(Some(value)) => {
                let name = &text[param.start..];
                let name = &name[..run(name.as_bytes(), |byte| matches!(byte, b'*' | b'='))];
                let value: String = value
                    .chars()
                    .flat_map(|c| matches!(c, '"' | '\\').then_some('\\').into_iter().chain([c]))
                    .collect();
                changes.push((param.start..param.range.end, format!("{name}=\"{value}\"")));
                changes.extend(sections[1..].iter().map(|section| (section.range.clone(), String::new())));
            }
        }
    }
    changes.sort_by_key(|(range, _)| range.start);
    let mut at = 0;
    for (range, replacement) in changes {
        out.extend_from_slice(&field[at..range.start]);
        out.extend_from_slice(replacement.as_bytes());
        at = range.end;
    }
    out.extend_from_slice(&field[at..]);
    stayed
}

/// Writes the parameters of a field whose values are outside ASCII in the extended form.
pub(super) fn encode(field: &str, value: usize, out: &mut Vec<u8>) -> Stayed {
    let mut stayed = Stayed::default();
    let line_end = if field.contains("\r\n") { "\r\n" } else { "\n" };
    let mut at = 0;
    let mut put = |range: Range<usize>, out: &mut Vec<u8>| {
        let text = &field[range.clone()];
        if !text.is_ascii() {
            stayed.add(range.start, text.len(), TransferErrorKind::NoEscape);
        }
        out.extend_from_slice(text.as_bytes());
    };
    for param in params(field, value) {
        if param.value.is_ascii() || param.section.is_some() || param.is_extended || !param.name.is_ascii() {
            continue;
        }
        put(at..param.start, out);
        let name = &field[param.start..param.start + param.name.len()];
        let line_start = out.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        extended(name, &param.value, line_end, out.len() - line_start, out);
        at = param.range.end;
    }
    put(at..field.len(), out);
    stayed
}

/// Writes `name*=UTF-8''...`, in sections if that is too long for a line; `column` is where it begins.
fn extended(name: &str, value: &str, line_end: &str, column: usize, out: &mut Vec<u8>) {
    let escaped = |c: char| -> String {
        if c.is_ascii_alphanumeric() || "!#$&+-.^_`|~".contains(c) {
            return c.into();
        }
        c.encode_utf8(&mut [0; 4]).bytes().map(|byte| format!("%{byte:02X}")).collect()
    };
    let whole: String = value.chars().map(escaped).collect();
    let line = format!("{name}*=UTF-8''{whole}");
    if column + line.len() < MAX_LINE {
        out.extend_from_slice(line.as_bytes());
        return;
    }
    // White space before the parameter, if there is any, begins the new line.
    while matches!(out.last(), Some(b' ' | b'\t')) && column > 1 {
        out.pop();
    }
    if out.last() != Some(&b'\n') {
        out.extend_from_slice(line_end.as_bytes());
    }
    out.push(b' ');
    if line.len() + 2 < MAX_LINE {
        out.extend_from_slice(line.as_bytes());
        return;
    }
    let mut section = 0;
    let mut line = format!("{name}*0*=UTF-8''");
    for c in value.chars() {
        let more = escaped(c);
        if line.len() + more.len() + 2 > MAX_LINE {
            out.extend_from_slice(line.as_bytes());
            out.push(b';');
            out.extend_from_slice(line_end.as_bytes());
            out.push(b' ');
            section += 1;
            line = format!("{name}*{section}*=");
        }
        line.push_str(&more);
    }
    out.extend_from_slice(line.as_bytes());
}
