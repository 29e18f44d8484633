//! The views of the parts of a stream.

use super::bits::{Base, Bytes, cell_width, push_bits, push_numbers, push_value};
use super::spelled::push_spelled;
use super::steps::What;
use crate::json;
use crate::line_ends::ends_line;
use crate::palette::Palette;
use crate::shown;
use crate::shown::SCREEN;
use crate::shown::wrap;
use core::fmt::Write as _;
use placemat::{CodePoint, Encoding};
use placemat_diagnose::properties::Properties;
use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

/// Columns for names at the least, however long the bytes are.
const MIN_NAME_COLUMNS: usize = 24;
/// Rows that share their column widths.
const BLOCK: usize = 256;
/// Bytes in a line of the hex view.
const HEX_LINE: usize = 16;

/// A part of the stream with all data that a view may show.
#[derive(Debug)]
pub(super) struct Part<'a> {
    pub(super) offset: u64,
    pub(super) bytes: &'a [u8],
    pub(super) encoding: Encoding,
    pub(super) what: What,
    /// The reason why the sequence is ill-formed; empty if it is well-formed.
    pub(super) reason: &'a str,
}

impl<'a> Part<'a> {
    fn bytes(&self) -> Bytes<'a> {
        let ill_formed = matches!(self.what, What::IllFormed(_));
        Bytes { bytes: self.bytes, encoding: self.encoding, ill_formed }
    }
}

/// Turns parts into text.
pub(super) trait View {
    /// Appends the output of a part.
    fn part(&mut self, part: &Part<'_>, to: &mut String);
    /// Appends the rest of the output.
    fn finish(&mut self, _to: &mut String) {}
}

/// `--as table`: two or more lines for each code point. Bytes stand above their bits, properties beside them.
#[derive(Debug)]
pub(super) struct Table {
    styles: Palette,
    base: Base,
    rows: Vec<Row>,
    headed: bool,
}

/// The cells of a row: the left ones in two lines; the right ones in the first line and from the second on.
#[derive(Debug)]
struct Row {
    offset: u64,
    hex: (String, usize),
    bits: (String, usize),
    /// The code point as a binary number, or the way to it, if that is shown.
    value: (String, usize),
    code_point: String,
    shown: String,
    properties: String,
    text: String,
    ill_formed: bool,
}

impl Table {
    pub(super) fn new(styles: Palette, base: Base) -> Self {
        Self { styles, base, rows: Vec::new(), headed: false }
    }

    fn row(&self, part: &Part<'_>) -> Row {
        let (mut hex, mut bits) = (String::new(), String::new());
        let hex_width =
            push_numbers(&mut hex, part.bytes(), cell_width(part.encoding), self.base, &self.styles);
        let bits_width = push_bits(&mut bits, part.bytes(), &self.styles);
        let row = Row {
            offset: part.offset,
            hex: (hex, hex_width),
            bits: (bits, bits_width),
            value: (String::new(), 0),
            code_point: String::new(),
            shown: String::new(),
            properties: String::new(),
            text: String::new(),
            ill_formed: false,
        };
        match part.what {
            What::CodePoint(c) => {
                let p = Properties::of(c);
                let mut value = String::new();
                let mut width = push_spelled(&mut value, part.bytes(), c, &self.styles);
                if width == 0 && self.base != Base::Sixteen {
                    width = push_value(&mut value, part.bytes(), c, &self.styles);
                }
                Row {
                    value: (value, width),
                    code_point: self.base.code_point(c),
                    shown: p.shown,
                    properties: format!("{:2} {} {}", p.category, p.script, p.width),
                    text: p.name.into_owned() + if c.value() == 0xFEFF { " (byte order mark)" } else { "" },
                    ..row
                }
            }
            What::IllFormed(e) => Row {
                code_point: "ill-formed:".into(),
                shown: e.code().into(),
                text: part.reason.into(),
                ill_formed: true,
                ..row
            },
            What::Signature => Row {
                code_point: "signature".into(),
                text: "U+FEFF, part of the encoding and not of the text".into(),
                ..row
            },
            What::Shift => Row {
                code_point: "shift".into(),
                text: "not text: defines how to read the following bytes".into(),
                ..row
            },
        }
    }

    fn write_block(&mut self, to: &mut String) {
        let Palette { error, dim, name, .. } = self.styles;
        let most = |width: &dyn Fn(&Row) -> usize| self.rows.iter().map(width).max().unwrap_or(0);
        let offset_width = most(&|row| row.offset.to_string().len()).max("offset".len());
        let bytes_width = most(&|row| row.bits.1.max(row.hex.1).max(row.value.1)).max("bytes".len());
        let well_formed = |row: &Row, width: usize| if row.ill_formed { 0 } else { width };
        let code_point_width = most(&|row| well_formed(row, row.code_point.width())).max(6);
        let left = offset_width + 2 + bytes_width + 2;
        let right = SCREEN.saturating_sub(left).max(MIN_NAME_COLUMNS);
        // Wide escapes must not push the properties of all rows off the screen.
        let room = right.saturating_sub(code_point_width + 4 + most(&|row| row.properties.len()));
        let shown_width = most(&|row| well_formed(row, row.shown.width())).min(room).max(2);

        if !self.headed {
            self.headed = true;
            let head = format!("{:>offset_width$}  {:bytes_width$}  code point", "offset", "bytes");
            _ = writeln!(to, "{dim}{}{dim:#}", head.trim_end());
        }
        for row in self.rows.drain(..) {
            let pad = |cell: &(String, usize)| format!("{}{:2$}", cell.0, "", bytes_width - cell.1);
            _ = write!(to, "{dim}{:offset_width$}{dim:#}  {}  ", row.offset, pad(&row.hex));
            let mut text = wrap(&row.text, 0, right);
            if row.ill_formed {
                _ = writeln!(to, "{error}{} {}{error:#}", row.code_point, row.shown);
            } else {
                let (code, shown) = (&row.code_point, &row.shown);
                let gap = shown_width.saturating_sub(shown.width());
                let mut line = format!("{code:code_point_width$}  {shown}{:gap$}", "");
                if line.width() + 2 + row.properties.len() <= right {
                    line.push_str("  ");
                    line.push_str(&row.properties);
                } else {
                    text.push(&row.properties);
                }
                _ = writeln!(to, "{}", line.trim_end());
            }
            let style = if row.ill_formed { error } else { name };
            let lefts = [Some(&row.bits), Some(&row.value).filter(|value| value.1 > 0)];
            let mut lefts = lefts.into_iter().flatten();
            let mut texts = text.iter();
            loop {
                let (own, text) = (lefts.next(), texts.next());
                if own.is_none() && text.is_none() {
                    break;
                }
                let own = own.map_or_else(|| " ".repeat(bytes_width), &pad);
                let mut line = format!("{:offset_width$}  {own}", "");
                match text {
                    Some(text) => _ = write!(line, "  {style}{text}{style:#}"),
                    None => line.truncate(line.trim_end().len()),
                }
                _ = writeln!(to, "{line}");
            }
        }
    }
}

impl View for Table {
    fn part(&mut self, part: &Part<'_>, to: &mut String) {
        let row = self.row(part);
        self.rows.push(row);
        if self.rows.len() == BLOCK {
            self.write_block(to);
        }
    }

    fn finish(&mut self, to: &mut String) {
        if !self.rows.is_empty() {
            self.write_block(to);
        }
    }
}

/// `--as bits`: a line for each code point.
#[derive(Debug)]
pub(super) struct BitLines {
    pub(super) styles: Palette,
    pub(super) base: Base,
}

impl View for BitLines {
    fn part(&mut self, part: &Part<'_>, to: &mut String) {
        let Palette { error, dim, .. } = self.styles;
        _ = write!(to, "{dim}{:8}{dim:#}  ", part.offset);
        let columns = push_bits(to, part.bytes(), &self.styles);
        let longest = part.encoding.max_bytes().clamp(1, 4);
        let width = (cell_width(part.encoding) + 1) * longest - 1;
        _ = write!(to, "{:1$}  ", "", width.saturating_sub(columns));
        _ = match part.what {
            What::CodePoint(c) => writeln!(to, "{:8}  {}", self.base.code_point(c), Properties::of(c).shown),
            What::IllFormed(e) => writeln!(to, "{error}{}{error:#}", e.code()),
            What::Signature => writeln!(to, "signature"),
            What::Shift => writeln!(to, "shift"),
        };
    }
}

/// `--as hex`: sixteen bytes per line with the text beside them, each character where its bytes begin.
#[derive(Debug)]
pub(super) struct HexLines {
    styles: Palette,
    hex: String,
    text: String,
    /// Bytes of the present line.
    bytes: usize,
}

impl HexLines {
    pub(super) fn new(styles: Palette) -> Self {
        Self { styles, hex: String::new(), text: String::new(), bytes: 0 }
    }

    fn write_line(&mut self, to: &mut String) {
        let columns = self.bytes * 3 + usize::from(self.bytes > HEX_LINE / 2);
        let padding = HEX_LINE * 3 + 1 - columns;
        let Palette { dim, .. } = self.styles;
        _ = writeln!(to, "{}{:padding$} {dim}|{dim:#}{}{dim}|{dim:#}", self.hex, "", self.text);
        self.hex.clear();
        self.text.clear();
        self.bytes = 0;
    }
}

impl View for HexLines {
    fn part(&mut self, part: &Part<'_>, to: &mut String) {
        let Palette { error, dim, .. } = self.styles;
        let (shown, columns) = match part.what {
            What::CodePoint(c) => match c.to_char().filter(|&c| shown::is_printable(c)) {
                Some(c) => (c.to_string(), Properties::of(CodePoint::from(c)).width),
                None => (format!("{dim}.{dim:#}"), 1),
            },
            What::IllFormed(_) => {
                (format!("{error}{}{error:#}", "?".repeat(part.bytes.len())), part.bytes.len())
            }
            What::Signature | What::Shift => (format!("{dim}.{dim:#}"), 1),
        };
        let mut covered = 0;
        for (index, _) in part.bytes.iter().enumerate() {
            if self.bytes == 0 {
                _ = write!(self.hex, "{dim}{:08x}{dim:#} ", part.offset + index as u64);
            }
            let half = if self.bytes == HEX_LINE / 2 { " " } else { "" };
            let mut cells = String::new();
            push_numbers(&mut cells, part.bytes(), 2, Base::Sixteen, &self.styles);
            let cell = cells.split(' ').nth(index).unwrap_or_default();
            _ = write!(self.hex, "{half} {cell}");
            self.bytes += 1;
            // The character takes the columns of its first bytes, if it has as many on this line.
            let here = (part.bytes.len() - index).min(HEX_LINE + 1 - self.bytes);
            if index == 0 && columns <= here {
                self.text.push_str(&shown);
                covered = columns;
            }
            if index >= covered {
                _ = write!(self.text, "{dim}·{dim:#}");
            }
            if self.bytes == HEX_LINE {
                self.write_line(to);
            }
        }
    }

    fn finish(&mut self, to: &mut String) {
        if self.bytes > 0 {
            self.write_line(to);
        }
    }
}

/// `--as escapes`: printable ASCII as it is, other code points as `\u{20ac}`, ill-formed bytes as `\xff`.
#[derive(Debug, Default)]
pub(super) struct Escapes {
    /// Whether the last line is not ended.
    open: bool,
    /// A CR came last: its line ends here, unless an LF follows.
    after_cr: bool,
}

impl View for Escapes {
    fn part(&mut self, part: &Part<'_>, to: &mut String) {
        let c = match part.what {
            What::CodePoint(c) => c.to_char(),
            _ => None,
        };
        if core::mem::take(&mut self.after_cr) && c != Some('\n') {
            to.push('\n');
        }
        self.open = true;
        match part.what {
            What::CodePoint(c) => match c.to_char() {
                Some('\n') => to.push_str("\\n"),
                Some('\r') => to.push_str("\\r"),
                Some('\t') => to.push_str("\\t"),
                Some('\\') => to.push_str("\\\\"),
                Some(c @ ' '..='~') => to.push(c),
                _ => _ = write!(to, "\\u{{{:x}}}", c.value()),
            },
            What::IllFormed(_) => part.bytes.iter().for_each(|byte| _ = write!(to, "\\x{byte:02x}")),
            What::Signature | What::Shift => self.open = false,
        }
        if c == Some('\r') {
            self.after_cr = true;
        } else if c.is_some_and(ends_line) {
            to.push('\n');
            self.open = false;
        }
    }

    fn finish(&mut self, to: &mut String) {
        if self.open {
            to.push('\n');
        }
    }
}

/// `--format jsonl`: an object for each part.
#[derive(Debug)]
pub(super) struct JsonLines;

#[derive(Debug, Default, Serialize)]
struct JsonPart<'a> {
    byte_offset: u64,
    length: usize,
    bytes: String,
    code_point: Option<String>,
    character: Option<char>,
    name: Option<&'a str>,
    block: Option<&'a str>,
    category: Option<&'a str>,
    script: Option<&'a str>,
    width: Option<usize>,
    kind: Option<&'a str>,
    reason: Option<&'a str>,
}

impl View for JsonLines {
    fn part(&mut self, part: &Part<'_>, to: &mut String) {
        let mut bytes = String::new();
        shown::push_hex(&mut bytes, part.bytes);
        bytes.retain(|c| c != ' ');
        let json =
            JsonPart { byte_offset: part.offset, length: part.bytes.len(), bytes, ..JsonPart::default() };
        let line = match part.what {
            What::CodePoint(c) => {
                let p = Properties::of(c);
                json::line(&JsonPart {
                    code_point: Some(c.to_string()),
                    character: c.to_char(),
                    name: Some(&p.name),
                    block: c.to_char().and_then(unicode_blocks::find_unicode_block).map(|block| block.name()),
                    category: Some(p.category),
                    script: Some(p.script),
                    width: Some(p.width),
                    ..json
                })
            }
            What::IllFormed(e) => {
                json::line(&JsonPart { kind: Some(e.code()), reason: Some(part.reason), ..json })
            }
            What::Signature => json::line(&JsonPart { kind: Some("signature"), ..json }),
            What::Shift => json::line(&JsonPart { kind: Some("shift"), ..json }),
        };
        to.push_str(&line);
    }
}
