//! `--table`: sixteen by sixteen cells, as code pages are drawn, and below them the bytes that begin longer sequences.

use super::bytes::{Bytes, Sequences, has_tables};
use super::cells::{Class, shown};
use super::leads;
use super::well_formed::rows;
use crate::families::{self, of_both_orders};
use crate::json;
use crate::palette::Palette;
use crate::shown::SCREEN;
use crate::shown::grouped;
use crate::shown::wrap;
use anstyle::Style;
use core::fmt::Write as _;
use placemat::{CodePoint, Encoding};
use serde::Serialize;
use std::io::{self, Write};

/// A row of a table of code units: the units, their meaning, and the number of code points.
type Units = (&'static str, &'static str, &'static str);

const UTF16: &[Units] = &[
    ("0000..D7FF", "U+0000..U+D7FF", "55,296"),
    ("D800..DBFF", "leading surrogate, the first of a pair", "1,024 for each: 1,048,576"),
    ("DC00..DFFF", "trailing surrogate, the second of a pair", ""),
    ("E000..FFFF", "U+E000..U+FFFF", "8,192"),
];
const UTF32: &[Units] = &[
    ("00000000..0000D7FF", "U+0000..U+D7FF", "55,296"),
    ("0000D800..0000DFFF", "never: surrogates", ""),
    ("0000E000..0010FFFF", "U+E000..U+10FFFF", "1,056,768"),
    ("00110000..FFFFFFFF", "never: beyond Unicode", ""),
];
const UCS2: &[Units] = &[("0000..FFFF", "U+0000..U+FFFF, surrogates too", "65,536")];
const UCS4: &[Units] = &[
    ("00000000..7FFFFFFF", "U+0000..U+7FFFFFFF, surrogates too", "2,147,483,648"),
    ("80000000..FFFFFFFF", "never: 31 bits", ""),
];
/// The tables of code units, by the encoding of both byte orders.
const UNITS: [(Encoding, &[Units]); 4] =
    [(Encoding::UTF_16, UTF16), (Encoding::UTF_32, UTF32), (Encoding::UCS_2, UCS2), (Encoding::UCS_4, UCS4)];

/// The table of an encoding.
#[derive(Debug)]
pub(super) struct Table {
    encoding: Encoding,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Bytes(Box<Bytes>),
    Units(&'static [Units]),
}

impl Table {
    /// Returns the table of an encoding, or the reason why it has none.
    pub(super) fn of(encoding: Encoding) -> Result<Self, &'static str> {
        let of_both_orders = of_both_orders(encoding);
        let units = UNITS.iter().find(|(known, _)| Some(*known) == of_both_orders);
        let kind = if let Some((_, units)) = units {
            Kind::Units(units)
        } else if encoding == Encoding::UTF_8_BOM {
            // After the signature, its bytes are those of UTF-8.
            Kind::Bytes(Box::new(Bytes::of(Encoding::UTF_8)))
        } else if encoding.facts().stateless {
            Kind::Bytes(Box::new(Bytes::of(encoding)))
        } else if encoding.name() == "replacement" {
            return Err("every text in it is one error");
        } else {
            return Err("the meaning of a byte depends on the bytes before it");
        };
        Ok(Self { encoding, kind })
    }

    pub(super) fn text(&self, styles: Palette, ascii: bool) -> String {
        let name = styles.name;
        let mut to = String::new();
        _ = writeln!(to, "{name}{}{name:#}", self.encoding);
        for line in wrap(self.encoding.names().about, 0, SCREEN) {
            _ = writeln!(to, "{line}");
        }
        to.push('\n');
        match &self.kind {
            Kind::Units(units) => push_units(&mut to, units, &styles),
            Kind::Bytes(bytes) => {
                let is_utf8 = is_utf8(self.encoding);
                // Continuation bytes are 10xxxxxx and carry six bits each.
                let offsets = self.encoding.facts().utf8_markers;
                let page = Page { bytes, offsets, is_utf8, styles, ascii };
                page.push_grid(&mut to);
                page.push_legend(&mut to);
                page.push_leads(&mut to, self.encoding);
                if page.is_utf8 {
                    leads::push(&mut to, bytes, &page.styles);
                }
            }
        }
        to
    }

    pub(super) fn write_json(&self, to: &mut impl Write) -> io::Result<()> {
        let encoding = self.encoding.name();
        match &self.kind {
            Kind::Units(units) => units.iter().try_for_each(|(range, about, count)| {
                let count = (!count.is_empty()).then_some(count);
                json::write_line(
                    to,
                    &serde_json::json!({"encoding": encoding, "units": range, "about": about, "count": count}),
                )
            }),
            Kind::Bytes(bytes) => (0..=255).try_for_each(|byte| {
                let is_utf8 = is_utf8(self.encoding);
                let single = &bytes.single[usize::from(byte)];
                let of_first = &bytes.sequences[usize::from(byte)];
                let line = JsonByte {
                    encoding,
                    byte: format!("{byte:02x}"),
                    class: class(bytes, byte).name(),
                    code_points: single.iter().map(ToString::to_string).collect(),
                    character: single.iter().filter_map(|c| c.to_char()).collect(),
                    sequences: of_first.iter().map(JsonSequences::of).collect(),
                    blocks: is_utf8.then(|| leads::blocks_of(bytes, byte)),
                    reason: if is_utf8 { leads::reason(byte) } else { None },
                };
                json::write_line(to, &line)
            }),
        }
    }
}

/// A line of `--format jsonl`.
#[derive(Debug, Serialize)]
struct JsonByte<'a> {
    encoding: &'a str,
    byte: String,
    class: &'a str,
    code_points: Vec<String>,
    character: String,
    sequences: Vec<JsonSequences>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blocks: Option<Vec<&'static str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct JsonSequences {
    length: usize,
    lowest: String,
    highest: String,
    count: u64,
}

impl JsonSequences {
    fn of(sequences: &Sequences) -> Self {
        let Sequences { len, lowest, highest, count } = sequences;
        Self { length: *len, lowest: lowest.to_string(), highest: highest.to_string(), count: *count }
    }
}

fn is_utf8(encoding: Encoding) -> bool {
    families::UTF_8.contains(&encoding)
}

fn class(bytes: &Bytes, byte: u8) -> Class {
    let (single, of_first) = (&bytes.single[usize::from(byte)], &bytes.sequences[usize::from(byte)]);
    match single.first() {
        Some(&c) => Class::of(c),
        None if !of_first.is_empty() => Class::Lead,
        None if bytes.is_later(byte) => Class::Continuation,
        None => Class::Never,
    }
}

fn push_units(to: &mut String, units: &[Units], styles: &Palette) {
    let dim = styles.dim;
    let width = units.iter().map(|(range, ..)| range.len()).max().unwrap_or(0);
    let about = units.iter().map(|(_, about, _)| about.len()).max().unwrap_or(0);
    _ = writeln!(to, "{dim}{:width$}  {:about$}  code points{dim:#}", "unit", "is");
    for (range, is, count) in units {
        _ = writeln!(to, "{}", format!("{range:width$}  {is:about$}  {count}").trim_end());
    }
}

/// A code page to be drawn.
struct Page<'a> {
    bytes: &'a Bytes,
    offsets: bool,
    is_utf8: bool,
    styles: Palette,
    ascii: bool,
}

/// Columns of a cell. The first of each is free, and in the first cell of a line has the digit of the row.
const CELL: usize = SCREEN / 16;

impl Page<'_> {
    fn style(&self, class: Class, len: usize) -> Style {
        // Without colors, no style has an effect.
        if self.styles.error == Style::new() { Style::new() } else { class.style(len) }
    }

    fn push_grid(&self, to: &mut String) {
        let dim = self.styles.dim;
        let heads: String = (0..16).map(|column| format!("{:>3}{:2}", format!("_{column:X}"), "")).collect();
        _ = writeln!(to, "{dim}{}{dim:#}", heads.trim_end());
        for row in 0..16_u8 {
            let (mut above, mut below) = (String::new(), String::new());
            for column in 0..16 {
                let byte = row * 16 + column;
                let class = class(self.bytes, byte);
                let len =
                    self.bytes.sequences[usize::from(byte)].first().map_or(1, |sequences| sequences.len);
                let style = self.style(class, len);
                let ((upper, columns), lower) = (self.upper(byte, class), self.lower(byte));
                if column == 0 {
                    _ = write!(above, "{dim}{row:X}{dim:#} ");
                } else {
                    above += "  ";
                }
                _ = write!(above, "{style}{upper}{style:#}{:1$}", "", (CELL - 2).saturating_sub(columns));
                _ = write!(below, " {style}{lower:4}{style:#}");
            }
            _ = writeln!(to, "{}", above.trim_end());
            if (0..16).any(|column| !self.lower(row * 16 + column).is_empty()) {
                _ = writeln!(to, "{}", below.trim_end());
            }
        }
    }

    /// Returns the upper line of a cell, with its columns.
    fn upper(&self, byte: u8, class: Class) -> (String, usize) {
        let text = match (class, self.bytes.single[usize::from(byte)].first()) {
            (_, Some(c)) => return shown(*c, self.ascii),
            (Class::Lead, _) => {
                let of_first = &self.bytes.sequences[usize::from(byte)];
                let lens: String = of_first.iter().map(|sequences| sequences.len.to_string()).collect();
                format!("L{lens}{}", if self.is_limited(byte) { "*" } else { "" })
            }
            (Class::Continuation, _) if self.offsets => format!("+{:02X}", byte & 0x3F),
            (Class::Continuation, _) => "..".into(),
            _ => "--".into(),
        };
        let len = text.len();
        (text, len)
    }

    /// Returns the lower line: the code point, or the lowest of a lead byte.
    fn lower(&self, byte: u8) -> String {
        match self.bytes.single[usize::from(byte)][..] {
            [] => self.lowest(byte).map_or_else(String::new, short),
            [c] => short(c),
            [..] => "more".into(),
        }
    }

    /// Returns `true` if a lead byte of UTF-8 begins fewer sequences than its bits allow.
    fn is_limited(&self, byte: u8) -> bool {
        self.is_utf8 && rows().iter().any(|row| row.first.contains(&byte) && row.is_limited())
    }

    fn lowest(&self, byte: u8) -> Option<CodePoint> {
        self.bytes.sequences[usize::from(byte)].iter().map(|sequences| sequences.lowest).min()
    }

    fn push_legend(&self, to: &mut String) {
        let met = |wanted: Class| (0..=255).any(|byte| class(self.bytes, byte) == wanted);
        let plain = self.styles.error == Style::new();
        let mut parts = Vec::new();
        for wanted in Class::ALL.into_iter().filter(|&wanted| met(wanted)) {
            let text = match wanted {
                Class::Lead => "L2 first of 2 bytes, above its lowest code point",
                Class::Continuation if self.offsets => "+3F continuation byte",
                Class::Continuation => ".. only after the first",
                Class::Never => "-- in no text",
                // The characters speak for themselves.
                _ if plain && !self.ascii => continue,
                _ => wanted.name(),
            };
            let text = match wanted.abbreviation() {
                "" => text.to_owned(),
                _ if !self.ascii => text.to_owned(),
                short => format!("{short} {text}"),
            };
            parts.push((text, self.style(wanted, 2)));
        }
        if self.is_utf8 {
            parts.push(("L3* not all bytes follow it".into(), self.style(Class::Lead, 3)));
        }
        let lowest = (0..=255).filter_map(|byte| self.lowest(byte));
        if lowest.max().is_some_and(|c| c.value() > 0xFFFF) {
            parts.push(("p4 plane 4: U+40000, p4+ above that".into(), Style::new()));
        }
        let (mut line, mut columns) = (String::new(), 0);
        for (text, style) in parts {
            if columns > 0 && columns + 3 + text.len() > SCREEN {
                _ = write!(to, "\n{line}");
                line.clear();
                columns = 0;
            }
            if columns > 0 {
                line += "   ";
                columns += 3;
            }
            columns += text.len();
            _ = write!(line, "{style}{text}{style:#}");
        }
        if !line.is_empty() {
            _ = writeln!(to, "\n{line}");
        }
    }

    /// Groups lead bytes of one length; in encodings by rule, only if each begins the same number
    /// of code points.
    fn push_leads(&self, to: &mut String, encoding: Encoding) {
        let singles: Vec<CodePoint> = self.bytes.single.iter().flatten().copied().collect();
        let longest = self.bytes.sequences.iter().flatten().map(|sequences| sequences.len).max();
        let Some(longest) = longest else { return };
        let by_rule = !has_tables(encoding);
        let Palette { dim, name, .. } = self.styles;
        to.push('\n');
        _ = writeln!(to, "{dim}length  lead    lowest      highest       code points{dim:#}");
        let mut sums = vec![(1, singles.len() as u64)];
        let (low, high) = (singles.iter().min(), singles.iter().max());
        if let (Some(low), Some(high)) = (low, high) {
            push_lead(
                to,
                1,
                &ranges(|byte| !self.bytes.single[usize::from(byte)].is_empty()),
                *low,
                *high,
                "",
                singles.len() as u64,
            );
        }
        for len in 2..=longest {
            let of = |byte: u8| self.bytes.sequences[usize::from(byte)].iter().find(|known| known.len == len);
            let mut sum = 0;
            let mut byte = 0_u16;
            while let Ok(first) = u8::try_from(byte) {
                byte += 1;
                let Some(one) = of(first) else { continue };
                let (mut last, mut all) = (first, *one);
                while let Some(next) = u8::try_from(byte).ok().and_then(|byte| Some((byte, of(byte)?)))
                    && (!by_rule || next.1.count == one.count)
                {
                    last = next.0;
                    all.lowest = all.lowest.min(next.1.lowest);
                    all.highest = all.highest.max(next.1.highest);
                    all.count += next.1.count;
                    byte += 1;
                }
                let leads =
                    if first == last { format!("{first:02X}") } else { format!("{first:02X}..{last:02X}") };
                let each = if by_rule && first < last {
                    format!("{} each", grouped(one.count))
                } else {
                    String::new()
                };
                push_lead(to, len, &leads, all.lowest, all.highest, &each, all.count);
                sum += all.count;
            }
            if sum > 0 {
                sums.push((len, sum));
            }
        }
        to.push('\n');
        for (len, sum) in sums {
            let s = if len == 1 { "" } else { "s" };
            _ = writeln!(to, "{name}{len} byte{s}{name:#}  {} code points", grouped(sum));
        }
        for (place, later) in self.bytes.later.iter().enumerate().filter(|(_, later)| later.contains(&true)) {
            let all = format!("byte {}: {}", place + 1, ranges(|byte| later[usize::from(byte)]));
            for line in wrap(&all, 0, SCREEN) {
                _ = writeln!(to, "{line}");
            }
        }
    }
}

fn push_lead(
    to: &mut String,
    len: usize,
    leads: &str,
    lowest: CodePoint,
    highest: CodePoint,
    each: &str,
    count: u64,
) {
    let count = grouped(count);
    // A long list of single bytes stands on lines of its own.
    let mut lines = wrap(leads, 0, 14).into_iter();
    let first = lines.next().unwrap_or_default();
    let (lowest, highest) = (lowest.to_string(), highest.to_string());
    let line = format!("{len:>6}  {first:14}  {lowest:10}  {highest:10}  {count:>13}  {each}");
    _ = writeln!(to, "{}", line.trim_end());
    for line in lines {
        _ = writeln!(to, "{:8}{line}", "");
    }
}

/// Formats a code point in at most four columns: its hex digits up to U+FFFF; above, the plane, with a plus unless the code point
/// is the first of the plane; `31b` above plane FF.
fn short(c: CodePoint) -> String {
    let value = c.value();
    match value >> 16 {
        0 => format!("{value:04X}"),
        plane if plane > 0xFF => "31b".into(),
        plane if value & 0xFFFF == 0 => format!("p{plane:X}"),
        plane => format!("p{plane:X}+"),
    }
}

/// Formats the bytes for which `has` is true as ranges: `40..7E 80..FE`.
fn ranges(has: impl Fn(u8) -> bool) -> String {
    let mut to: Vec<String> = Vec::new();
    let mut byte = 0_u16;
    while let Ok(first) = u8::try_from(byte) {
        byte += 1;
        if !has(first) {
            continue;
        }
        while u8::try_from(byte).is_ok_and(&has) {
            byte += 1;
        }
        let last = byte - 1;
        to.push(if last == u16::from(first) {
            format!("{first:02X}")
        } else {
            format!("{first:02X}..{last:02X}")
        });
    }
    to.join(" ")
}
