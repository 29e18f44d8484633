//! How each form is written, and what an encoder does with text that the form cannot hold.

use super::{Form, Order, Policy, Span, decode};

/// What becomes of a code point that the form cannot hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) enum Unmappable {
    /// Nothing more is written.
    Strict,
    /// U+FFFD, or `?` where the form has no U+FFFD.
    Replace,
    /// Nothing is written for it.
    Ignore,
    /// `&#8364;`
    XmlCharRefReplace,
    /// `\xe9`, `\u20ac`, `\U0001f600`
    BackslashReplace,
    /// U+DC80..U+DCFF become the byte again, unless that would forge a character.
    SurrogateEscape,
    /// Surrogates are written as the form would write them.
    SurrogatePass,
    /// U+EF80..U+EFFF become the byte again, unless that would forge a character.
    Optu,
}

impl Unmappable {
    pub(crate) const ALL: [Self; 8] = [
        Self::Strict,
        Self::Replace,
        Self::Ignore,
        Self::XmlCharRefReplace,
        Self::BackslashReplace,
        Self::SurrogateEscape,
        Self::SurrogatePass,
        Self::Optu,
    ];

    /// For the two that turn escapes back into bytes: the decoding policy that makes them, and their code points.
    fn escape(self) -> Option<(Policy, u32)> {
        match self {
            Self::SurrogateEscape => Some((Policy::SurrogateEscape, 0xDC00)),
            Self::Optu => Some((Policy::Optu, 0xEF00)),
            _ => None,
        }
    }
}

/// A code point that could not be written: the place in the text counts code points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) struct EncodeFault {
    pub(crate) index: usize,
    pub(crate) code_point: u32,
    pub(crate) kind: &'static str,
}

/// What an encoder makes of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Encoded {
    /// The bytes, up to where it stopped if it did.
    pub(crate) bytes: Vec<u8>,
    /// Every code point that the form could not hold; when stopped, the last is the one not dealt with.
    pub(crate) faults: Vec<EncodeFault>,
    pub(crate) stopped: bool,
}

/// Encodes `text`, with the form's signature before it.
pub(crate) fn encode(form: Form, text: &[u32], policy: Unmappable) -> Encoded {
    let mut done = write_all(form, text, policy);
    if !done.stopped
        && let Some(index) = forged_at(form, text, &done.bytes, policy)
    {
        done.faults.push(EncodeFault { index, code_point: text[index], kind: "forged-sequence" });
        done.stopped = true;
    }
    done
}

/// UTF-8 with the escapes of `policy` as bytes again, checked against forging only if asked to.
pub(crate) fn unescape(text: &[u32], policy: Unmappable, safe: bool) -> Result<Vec<u8>, &'static str> {
    let done = if safe { encode(Form::Utf8, text, policy) } else { write_all(Form::Utf8, text, policy) };
    match done.faults.last() {
        Some(fault) if done.stopped => Err(fault.kind),
        _ => Ok(done.bytes),
    }
}

fn write_all(form: Form, text: &[u32], policy: Unmappable) -> Encoded {
    let mut done = Encoded { bytes: form.signature().to_vec(), faults: Vec::new(), stopped: false };
    let form = form.plain();
    for (index, &code_point) in text.iter().enumerate() {
        if let Some((_, base)) = policy.escape()
            && let Some(byte @ 0x80..=0xFF) = code_point.checked_sub(base)
        {
            done.bytes.push(u8::try_from(byte).expect("in range by the pattern"));
            continue;
        }
        let kind = match write(form, code_point, policy == Unmappable::SurrogatePass) {
            Ok(bytes) => {
                done.bytes.extend(bytes);
                continue;
            }
            Err(kind) => kind,
        };
        done.faults.push(EncodeFault { index, code_point, kind });
        let Some(stand_in) = substitute(form, code_point, policy) else {
            done.stopped = true;
            break;
        };
        for code_point in stand_in.chars() {
            done.bytes.extend(write(form, code_point.into(), false).expect("a substitute can be written"));
        }
    }
    done
}

/// What to write instead, or `None` to stop.
fn substitute(form: Form, code_point: u32, policy: Unmappable) -> Option<String> {
    match policy {
        Unmappable::Strict | Unmappable::SurrogateEscape | Unmappable::SurrogatePass | Unmappable::Optu => {
            None
        }
        Unmappable::Replace if write(form, 0xFFFD, false).is_ok() => Some("\u{FFFD}".into()),
        Unmappable::Replace => Some("?".into()),
        Unmappable::Ignore => Some(String::new()),
        Unmappable::XmlCharRefReplace => Some(format!("&#{code_point};")),
        Unmappable::BackslashReplace => Some(match code_point {
            0..=0xFF => format!("\\x{code_point:02x}"),
            0x100..=0xFFFF => format!("\\u{code_point:04x}"),
            _ => format!("\\U{code_point:08x}"),
        }),
    }
}

/// The rule of UTR #36: decoded again by the same scheme, the bytes must give the same text. Where they first do not.
fn forged_at(form: Form, text: &[u32], bytes: &[u8], policy: Unmappable) -> Option<usize> {
    let (reader, _) = policy.escape()?;
    let again = decode(form, bytes, Span::Maximal, reader).text;
    if again == text {
        return None;
    }
    let same = again.iter().zip(text).take_while(|(a, b)| a == b).count();
    // Text that became shorter without differing before its end lost its last code points.
    Some(same.min(text.len().saturating_sub(1)))
}

/// The bytes of one code point, or why there are none.
fn write(form: Form, code_point: u32, pass_surrogates: bool) -> Result<Vec<u8>, &'static str> {
    let surrogate = (0xD800..=0xDFFF).contains(&code_point);
    let unicode_only = || match code_point {
        0x11_0000.. => Err("out-of-range"),
        _ if surrogate && !pass_surrogates => Err("surrogate"),
        _ => Ok(()),
    };
    match form {
        Form::Utf8 => unicode_only().map(|()| utf8(code_point)),
        Form::Utf16(order) => unicode_only().map(|()| utf16(code_point, order)),
        Form::Utf32(order) => unicode_only().map(|()| unit(code_point, 4, order)),
        Form::Ucs2(order) if code_point <= 0xFFFF => Ok(unit(code_point, 2, order)),
        Form::Ucs4(order) if code_point <= 0x7FFF_FFFF => Ok(unit(code_point, 4, order)),
        Form::Ascii if code_point <= 0x7F => Ok(unit(code_point, 1, Order::Big)),
        Form::Latin1 if code_point <= 0xFF => Ok(unit(code_point, 1, Order::Big)),
        Form::Ascii | Form::Latin1 if surrogate => Err("surrogate"),
        Form::Ucs2(_) | Form::Ucs4(_) | Form::Ascii | Form::Latin1 => Err("out-of-range"),
        Form::Utf8Bom | Form::Utf16Bom(_) | Form::Utf32Bom(_) => panic!("write the signature first"),
    }
}

/// RFC 3629 section 3: fill the x bits of the row from the right.
fn utf8(code_point: u32) -> Vec<u8> {
    let (marker, continuations) = match code_point {
        0..=0x7F => (0x00, 0),
        0x80..=0x7FF => (0xC0, 1),
        0x800..=0xFFFF => (0xE0, 2),
        _ => (0xF0, 3),
    };
    let mut rest = code_point;
    let mut backwards = Vec::new();
    for _ in 0..continuations {
        backwards.push(0x80 + rest % 64);
        rest /= 64;
    }
    backwards.push(marker + rest);
    backwards.iter().rev().map(|&byte| u8::try_from(byte).expect("each is a byte by construction")).collect()
}

/// RFC 2781 section 2.1.
fn utf16(code_point: u32, order: Order) -> Vec<u8> {
    match code_point.checked_sub(0x1_0000) {
        None => unit(code_point, 2, order),
        Some(above) => {
            [unit(0xD800 + above / 0x400, 2, order), unit(0xDC00 + above % 0x400, 2, order)].concat()
        }
    }
}

/// The last `width` bytes of the number, in order.
fn unit(value: u32, width: usize, order: Order) -> Vec<u8> {
    match order {
        Order::Big => value.to_be_bytes()[4 - width..].to_vec(),
        Order::Little => value.to_le_bytes()[..width].to_vec(),
    }
}
