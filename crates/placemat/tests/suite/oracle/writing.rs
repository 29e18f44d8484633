//! The encoders of the forms, and the policies for text that a form cannot represent.

use super::stateful::{self, Pen};
use super::{Form, Item, Order, Policy, Span, i8, items, relatives};

/// The action at a code point that the form cannot represent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) enum Unmappable {
    /// Stop writing.
    Strict,
    /// Write U+FFFD, or `?` if the form has no U+FFFD.
    Replace,
    /// Write this text.
    Text(&'static str),
    /// Write nothing.
    Ignore,
    /// Write `&#8364;`.
    XmlCharRefReplace,
    /// Write `\xe9`, `\u20ac`, `\U0001f600`.
    BackslashReplace,
    /// Write U+DC80..U+DCFF as the byte that they escape, unless that would forge a character. Only
    /// for forms that write ASCII as ASCII.
    SurrogateEscape,
    /// Like [`SurrogateEscape`](Self::SurrogateEscape), but without the check.
    SurrogateEscapeUnchecked,
    /// Surrogates are written with the pattern of the form.
    SurrogatePass,
    /// Write U+EF80..U+EFFF as the byte that they escape, unless that would forge a character. Only
    /// for forms that write ASCII as ASCII.
    Optu,
    /// Like [`Optu`](Self::Optu), but without the check.
    OptuUnchecked,
    /// The original 16-bit form of OPTU; UTF-8 only.
    Optu16,
}

impl Unmappable {
    pub(crate) const ALL: [Self; 12] = [
        Self::Strict,
        Self::Replace,
        Self::Text("<\u{E9}>"),
        Self::Ignore,
        Self::XmlCharRefReplace,
        Self::BackslashReplace,
        Self::SurrogateEscape,
        Self::SurrogateEscapeUnchecked,
        Self::SurrogatePass,
        Self::Optu,
        Self::OptuUnchecked,
        Self::Optu16,
    ];

    /// Returns the byte that the code point escapes.
    fn escaped(self, code_point: u32) -> Option<u8> {
        let base = match self {
            Self::SurrogateEscape | Self::SurrogateEscapeUnchecked => 0xDC00,
            Self::Optu | Self::OptuUnchecked | Self::Optu16 => 0xEF00,
            _ => return None,
        };
        u8::try_from(code_point.checked_sub(base)?).ok().filter(|byte| *byte >= 0x80)
    }

    /// Returns the decoding policy that makes such escapes, for the policies that check them.
    fn reader(self) -> Option<Policy> {
        match self {
            Self::SurrogateEscape => Some(Policy::SurrogateEscape),
            Self::Optu => Some(Policy::Optu),
            _ => None,
        }
    }
}

/// A code point that could not be written; its offset counts code points of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) struct EncodeFault {
    pub(crate) index: usize,
    pub(crate) code_point: u32,
    pub(crate) kind: &'static str,
}

/// The result of encoding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Encoded {
    /// The bytes, up to the stop if there was one.
    pub(crate) bytes: Vec<u8>,
    /// The code point at which it stopped.
    pub(crate) fault: Option<EncodeFault>,
}

/// Encodes `text`, with the form's signature before it.
pub(crate) fn encode(form: Form, text: &[u32], policy: Unmappable) -> Encoded {
    let mut writer = Writer::new(form, policy);
    for (index, &code_point) in text.iter().enumerate() {
        if let Err(kind) = writer.put(code_point) {
            return Encoded { bytes: writer.bytes, fault: Some(EncodeFault { index, code_point, kind }) };
        }
    }
    Encoded { bytes: writer.finish(), fault: None }
}

/// UTF-8 with the escapes of `policy` as bytes again.
pub(crate) fn unescape(text: &[u32], policy: Unmappable) -> Result<Vec<u8>, &'static str> {
    let done = encode(Form::Utf8, text, policy);
    done.fault.map_or(Ok(done.bytes), |fault| Err(fault.kind))
}

/// Returns the kind of error if the form cannot represent the code point.
pub(crate) fn holds(form: Form, code_point: u32) -> Result<(), &'static str> {
    write(form.plain(), code_point, false).map(|_| ())
}

/// Writes one code point after another.
#[derive(Clone, Debug)]
pub(super) struct Writer {
    form: Form,
    policy: Unmappable,
    pen: Pen,
    pub(super) bytes: Vec<u8>,
    /// Whether the signature is written, if there is one.
    started: bool,
    /// The end of the output from the first open escaped byte on, with the text after it that may
    /// still join it.
    run: Run,
    /// WTF-8: a leading surrogate that waits for the next code point.
    lead: Option<u32>,
    /// The number of code points for which a substitute was written.
    pub(super) substituted: u64,
}

/// Escaped bytes and the text after them.
#[derive(Clone, Debug, Default)]
struct Run {
    bytes: Vec<u8>,
    /// The places of the escaped bytes.
    escaped: Vec<usize>,
}

impl Run {
    /// Returns the run with more bytes at its end; empty if no escaped byte is near enough for a
    /// sequence to reach the end.
    fn and(&self, bytes: &[u8], escaped: bool) -> Self {
        let mut run = self.clone();
        if escaped {
            run.escaped.push(run.bytes.len());
        }
        run.bytes.extend(bytes);
        match run.escaped.last() {
            Some(last) if run.bytes.len() - last <= 32 => run,
            _ => Self::default(),
        }
    }

    /// Returns `true` if each escaped byte, read again, is an error of one byte.
    fn is_right(&self, form: Form, reader: Policy) -> bool {
        let found = items(form, &self.bytes, Span::Byte, reader.mode());
        self.escaped.iter().all(|&at| {
            found.iter().any(|item| matches!(item, Item::Error(e) if (e.start, e.end) == (at, at + 1)))
        })
    }
}

/// A position to which a [`Writer`] can return.
pub(super) struct Mark {
    len: usize,
    pen: Pen,
    started: bool,
    run: Run,
    lead: Option<u32>,
    pub(super) substituted: u64,
}

impl Writer {
    pub(super) fn new(form: Form, policy: Unmappable) -> Self {
        let pen = Pen::new(form);
        Self {
            form,
            policy,
            pen,
            bytes: Vec::new(),
            started: false,
            run: Run::default(),
            lead: None,
            substituted: 0,
        }
    }

    /// Returns the present position.
    pub(super) fn mark(&self) -> Mark {
        Mark {
            len: self.bytes.len(),
            pen: self.pen.clone(),
            started: self.started,
            run: self.run.clone(),
            lead: self.lead,
            substituted: self.substituted,
        }
    }

    /// Undoes all writing since `mark`.
    pub(super) fn back_to(&mut self, mark: Mark) {
        self.bytes.truncate(mark.len);
        self.pen = mark.pen;
        self.started = mark.started;
        self.run = mark.run;
        self.lead = mark.lead;
        self.substituted = mark.substituted;
    }

    /// Writes the output that waits for the next code point.
    pub(super) fn pause(&mut self) {
        let bytes = self.pen.pause();
        if !bytes.is_empty() {
            self.push(&bytes);
        }
    }

    /// Returns the whole output, with the bytes that close it.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let end = self.pen.finish();
        self.push(&end);
        self.bytes
    }

    /// Appends bytes, with the signature before the first.
    fn push(&mut self, bytes: &[u8]) {
        if !self.started {
            self.bytes.extend(self.form.signature());
            self.started = true;
        }
        if let Some(lead) = self.lead.take() {
            self.bytes.extend(utf8(lead));
        }
        self.bytes.extend(bytes);
        self.run = Run::default();
    }

    /// Writes a code point or its substitute; writes nothing and returns the kind of error if there is none.
    pub(super) fn put(&mut self, code_point: u32) -> Result<(), &'static str> {
        let form = self.form.plain();
        let takes_bytes = form.takes_bytes();
        let byte = self.policy.escaped(code_point);
        // A private-use character that escapes a byte is never literal, and the 16-bit form ends
        // before U+FFFE. A surrogate is literal wherever it can be represented.
        let private = byte.is_some() && !(0xD800..=0xDFFF).contains(&code_point);
        let reserved = private || self.policy == Unmappable::Optu16 && code_point >= 0xFFFE;
        let kind = match write(form, code_point, false) {
            Ok(_) | Err("out-of-range") if takes_bytes && reserved => "not-held",
            Ok(bytes) => {
                match (self.lead, code_point) {
                    (Some(lead), 0xDC00..=0xDFFF) => {
                        self.lead = None;
                        self.push(&utf8(0x1_0000 + (lead - 0xD800) * 0x400 + (code_point - 0xDC00)));
                    }
                    (_, 0xD800..=0xDBFF) if form == Form::Wtf8 => {
                        self.push(&[]);
                        self.lead = Some(code_point);
                    }
                    _ => {
                        let bytes = self.pen.put(code_point).unwrap_or(bytes);
                        let run = self.not_joined(&bytes)?;
                        self.push(&bytes);
                        self.run = run;
                    }
                }
                return Ok(());
            }
            Err(kind) => kind,
        };
        if let Some(byte) = byte {
            if !takes_bytes {
                return Err(kind);
            }
            self.put_escaped(byte)?;
        } else {
            let stand_in = self.substitute(code_point).ok_or(kind)?;
            // An empty substitute leaves escaped bytes adjacent.
            if !stand_in.is_empty() {
                self.push(&stand_in);
            }
        }
        self.substituted += 1;
        Ok(())
    }

    /// Writes an escaped byte by the rule of UTR #36: decoded again by the same scheme, escaped
    /// bytes must give only escapes.
    fn put_escaped(&mut self, byte: u8) -> Result<(), &'static str> {
        let run = self.run.and(&[byte], true);
        if let Some(reader) = self.policy.reader()
            && !run.is_right(self.form.plain(), reader)
        {
            return Err("forged-sequence");
        }
        self.push(&[byte]);
        self.run = run;
        Ok(())
    }

    /// Checks text after escaped bytes: it must not join a sequence that they begin.
    fn not_joined(&self, bytes: &[u8]) -> Result<Run, &'static str> {
        let run = self.run.and(bytes, false);
        match self.policy.reader() {
            Some(reader) if !run.is_right(self.form.plain(), reader) => Err("forged-sequence"),
            _ => Ok(run),
        }
    }

    /// Returns the substitute for a code point, or `None` to stop.
    fn substitute(&mut self, code_point: u32) -> Option<Vec<u8>> {
        let form = self.form.plain();
        let pen = &mut self.pen;
        let mut written = |text: &str| -> Option<Vec<u8>> {
            let each: Option<Vec<_>> = text.chars().map(|c| write(form, c.into(), false).ok()).collect();
            let each = text.chars().zip(each?);
            Some(each.flat_map(|(c, bytes)| pen.put(c.into()).unwrap_or(bytes)).collect())
        };
        match self.policy {
            Unmappable::Strict
            | Unmappable::SurrogateEscape
            | Unmappable::SurrogateEscapeUnchecked
            | Unmappable::Optu
            | Unmappable::OptuUnchecked => None,
            Unmappable::Replace => written("\u{FFFD}").or_else(|| written("?")),
            Unmappable::Text(text) => written(text),
            Unmappable::Ignore => Some(Vec::new()),
            Unmappable::XmlCharRefReplace => written(&format!("&#{code_point};")),
            Unmappable::BackslashReplace => written(&match code_point {
                0..=0xFF => format!("\\x{code_point:02x}"),
                0x100..=0xFFFF => format!("\\u{code_point:04x}"),
                _ => format!("\\U{code_point:08x}"),
            }),
            Unmappable::SurrogatePass => write(form, code_point, true).ok(),
            // Lone surrogates, and code points above FFFF as two surrogates.
            Unmappable::Optu16 => match code_point {
                0xD800..=0xDFFF => write(form, code_point, true).ok(),
                0x1_0000..=0x10_FFFF => {
                    let above = code_point - 0x1_0000;
                    let lead = write(form, 0xD800 + above / 0x400, true).ok()?;
                    let trail = write(form, 0xDC00 + above % 0x400, true).ok()?;
                    Some([lead, trail].concat())
                }
                _ => None,
            },
        }
    }
}

/// Returns the bytes of one code point, or the kind of error.
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
        Form::Ascii | Form::Latin1 | Form::Table(_) if surrogate => Err("surrogate"),
        Form::Table(table) => table.byte(code_point).map(|byte| vec![byte]).ok_or("not-held"),
        Form::Ascii | Form::Latin1 => Err("not-held"),
        Form::Ucs2(_) | Form::Ucs4(_) => Err("out-of-range"),
        Form::I8 => unicode_only().map(|()| i8::write(code_point, false)),
        Form::UtfEbcdic => unicode_only().map(|()| i8::write(code_point, true)),
        Form::Utf7 | Form::Utf7Strict | Form::Imap | Form::Scsu | Form::Bocu1 => {
            // These forms have no pattern for surrogates.
            if surrogate {
                Err("surrogate")
            } else {
                unicode_only().map(|()| stateful::alone(form, code_point))
            }
        }
        Form::Utf8Bom | Form::Utf16Bom(_) | Form::Utf32Bom(_) | Form::Ucs2Bom(_) | Form::Ucs4Bom(_) => {
            panic!("write the signature first")
        }
        Form::Utf8Mb3 if code_point > 0xFFFF => Err("out-of-range"),
        Form::Utf8Mb3 => unicode_only().map(|()| utf8(code_point)),
        Form::Cesu8 | Form::Cesu8Mixed => unicode_only().map(|()| relatives::units(code_point)),
        relative => relatives::write(relative, code_point),
    }
}

/// RFC 3629 section 3: fill the x bits of the row from the right.
pub(super) fn utf8(code_point: u32) -> Vec<u8> {
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

/// Returns the last `width` bytes of the number, in order.
fn unit(value: u32, width: usize, order: Order) -> Vec<u8> {
    match order {
        Order::Big => value.to_be_bytes()[4 - width..].to_vec(),
        Order::Little => value.to_le_bytes()[..width].to_vec(),
    }
}
