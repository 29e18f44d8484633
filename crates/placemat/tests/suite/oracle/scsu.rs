//! SCSU, written from Unicode Technical Standard #6: first the sequences of the whole input, then the pairs among them.
//! It writes by the rules that the library documents, because the standard leaves the choice open.

use super::{Fault, Item};

const STATIC: [u32; 8] = [0, 0x80, 0x100, 0x300, 0x2000, 0x2080, 0x2100, 0x3000];
const DYNAMIC: [u32; 8] = [0x80, 0xC0, 0x400, 0x600, 0x900, 0x3040, 0x30A0, 0xFF00];

/// Returns the offset that an offset byte selects.
fn offset(x: u8) -> Option<u32> {
    Some(match x {
        0x01..=0x67 => u32::from(x) * 0x80,
        0x68..=0xA7 => u32::from(x) * 0x80 + 0xAC00,
        0xF9 => 0xC0,
        0xFA => 0x250,
        0xFB => 0x370,
        0xFC => 0x530,
        0xFD => 0x3040,
        0xFE => 0x30A0,
        0xFF => 0xFF60,
        _ => return None,
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Unit(u32),
    Character(u32),
    Tag,
    Wrong(&'static str),
}

struct Machine {
    windows: [u32; 8],
    active: usize,
    unicode: bool,
}

impl Machine {
    /// Returns the sequence at the start of `bytes`, and its length; `None` if it is incomplete.
    fn read(&mut self, bytes: &[u8]) -> Option<(Kind, usize)> {
        let first = bytes[0];
        let unit = |at: usize| {
            let two = bytes.get(at..at + 2)?;
            Some(u32::from(two[0]) << 8 | u32::from(two[1]))
        };
        Some(match (self.unicode, first) {
            (false, 0x00 | 0x09 | 0x0A | 0x0D | 0x20..=0x7F) => (Kind::Character(first.into()), 1),
            (false, 0x80..) => (Kind::Character(self.windows[self.active] + u32::from(first) - 0x80), 1),
            (false, 0x01..=0x08) => {
                let (n, b) = (usize::from(first) - 1, u32::from(*bytes.get(1)?));
                let c = if b < 0x80 { STATIC[n] + b } else { self.windows[n] + b - 0x80 };
                (Kind::Character(c), 2)
            }
            (false, 0x0B) | (true, 0xF1) => {
                let x = unit(1)?;
                self.active = (x >> 13) as usize;
                self.windows[self.active] = 0x1_0000 + 0x80 * (x & 0x1FFF);
                self.unicode = false;
                (Kind::Tag, 3)
            }
            (false, 0x0C) | (true, 0xF2) => (Kind::Wrong("reserved-byte"), 1),
            (false, 0x0E) | (true, 0xF0) => (Kind::Unit(unit(1)?), 3),
            (false, 0x0F) => {
                self.unicode = true;
                (Kind::Tag, 1)
            }
            (false, 0x10..=0x17) | (true, 0xE0..=0xE7) => {
                self.active = usize::from(first & 7);
                self.unicode = false;
                (Kind::Tag, 1)
            }
            (false, 0x18..=0x1F) | (true, 0xE8..=0xEF) => match offset(*bytes.get(1)?) {
                None => (Kind::Wrong("reserved-offset"), 2),
                Some(offset) => {
                    self.active = usize::from(first & 7);
                    self.windows[self.active] = offset;
                    self.unicode = false;
                    (Kind::Tag, 2)
                }
            },
            (true, _) => (Kind::Unit(unit(0)?), 2),
        })
    }
}

pub(super) fn items(bytes: &[u8]) -> Vec<Item> {
    let mut machine = Machine { windows: DYNAMIC, active: 0, unicode: false };
    let mut sequences = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let Some((kind, len)) = machine.read(&bytes[at..]) else { break };
        sequences.push((kind, at, at + len));
        at += len;
    }
    let whole = at;
    let mut found = Vec::new();
    let mut i = 0;
    while i < sequences.len() {
        let (kind, start, end) = sequences[i];
        i += 1;
        match kind {
            Kind::Tag => {}
            Kind::Wrong(kind) => found.push(Item::Error(Fault { start, end, kind })),
            Kind::Character(value) => found.push(Item::CodePoint { value, start, end }),
            Kind::Unit(lead @ 0xD800..=0xDBFF) => {
                let tags = sequences[i..].iter().take_while(|(kind, ..)| *kind == Kind::Tag).count();
                let (_, last_start, last_end) = sequences[i + tags - 1];
                i += tags;
                match sequences.get(i) {
                    Some(&(Kind::Unit(trail @ 0xDC00..=0xDFFF), at, end)) => {
                        let value = 0x1_0000 + (lead - 0xD800) * 0x400 + (trail - 0xDC00);
                        let start = if tags == 0 { start } else { at };
                        found.push(Item::CodePoint { value, start, end });
                        i += 1;
                    }
                    None if whole < bytes.len() => {
                        let kind = "incomplete";
                        found.push(Item::Error(Fault { start: last_start, end: bytes.len(), kind }));
                        return found;
                    }
                    _ => {
                        let (start, end, kind) = (last_start, last_end, "unpaired-surrogate");
                        found.push(Item::Error(Fault { start, end, kind }));
                    }
                }
            }
            Kind::Unit(0xDC00..=0xDFFF) => {
                found.push(Item::Error(Fault { start, end, kind: "unpaired-surrogate" }));
            }
            Kind::Unit(value) => found.push(Item::CodePoint { value, start, end }),
        }
    }
    if whole < bytes.len() {
        found.push(Item::Error(Fault { start: whole, end: bytes.len(), kind: "incomplete" }));
    }
    found
}

/// Writes each code point one step late, because the choice depends on the next.
#[derive(Clone, Debug)]
pub(super) struct Pen {
    windows: [u32; 8],
    active: usize,
    unicode: bool,
    /// The windows, the least recently used first.
    order: Vec<usize>,
    waiting: Option<u32>,
}

impl Default for Pen {
    fn default() -> Self {
        let order = (0..8).rev().collect();
        Self { windows: DYNAMIC, active: 0, unicode: false, order, waiting: None }
    }
}

fn covers(window: u32, c: u32) -> bool {
    (window..window + 0x80).contains(&c)
}

fn direct(c: u32) -> bool {
    matches!(c, 0 | 9 | 10 | 13) || (0x20..0x80).contains(&c)
}

/// Returns `true` if a code point is in no possible window and its value is not that of a tag in Unicode mode.
fn ideograph(c: u32) -> bool {
    (0x3400..0xE000).contains(&c)
}

/// Returns the offset byte and window for a code point: the fixed ones first.
fn definition(c: u32) -> Option<u32> {
    if c < 0x80 || ideograph(c) {
        return None;
    }
    let fixed = (0xF9..=0xFF).filter_map(offset).find(|&window| covers(window, c));
    Some(fixed.unwrap_or(c / 0x80 * 0x80))
}

fn utf16(c: u32) -> Vec<u8> {
    let c = char::from_u32(c).expect("a scalar value");
    c.encode_utf16(&mut [0; 2]).iter().flat_map(|unit| unit.to_be_bytes()).collect()
}

impl Pen {
    pub(super) fn put(&mut self, code_point: u32) -> Vec<u8> {
        let mut bytes = match self.waiting.take() {
            Some(waiting) => self.write(waiting, Some(code_point)),
            None => Vec::new(),
        };
        // Code points whose form does not depend on the next are written at once while both take four bytes at most.
        match self.at_once(code_point) {
            Some(few) if bytes.len() + few.len() <= 4 => bytes.extend(few),
            _ => self.waiting = Some(code_point),
        }
        bytes
    }

    pub(super) fn finish(&mut self) -> Vec<u8> {
        self.waiting.take().map(|waiting| self.write(waiting, None)).unwrap_or_default()
    }

    fn at_once(&self, c: u32) -> Option<Vec<u8>> {
        let window = self.windows[self.active];
        match c {
            _ if self.unicode => ideograph(c).then(|| utf16(c)),
            _ if direct(c) => Some(vec![c as u8]),
            _ if covers(window, c) => Some(vec![(0x80 + c - window) as u8]),
            0..0x20 => Some(vec![1, c as u8]),
            _ => None,
        }
    }

    fn used(&mut self, window: usize) {
        self.order.retain(|&other| other != window);
        self.order.push(window);
    }

    fn write(&mut self, c: u32, next: Option<u32>) -> Vec<u8> {
        if let Some(bytes) = self.at_once(c) {
            return bytes;
        }
        let special = c == 0xFEFF || (0xFFF0..=0xFFFF).contains(&c);
        let known = self.windows.iter().position(|&window| covers(window, c));
        let new = definition(c);
        let goes_on = |window: u32| next.is_none_or(|next| covers(window, next) || direct(next));
        if self.unicode {
            let alnum = c < 0x80 && (c as u8).is_ascii_alphanumeric();
            if !special && !next.is_some_and(ideograph) {
                if alnum {
                    self.unicode = false;
                    return vec![0xE0 + self.active as u8, c as u8];
                }
                if known.is_some() || new.is_some_and(goes_on) {
                    return self.enter(c, known);
                }
            }
            let mut bytes = utf16(c);
            if (0xE000..0xF300).contains(&c) {
                bytes.insert(0, 0xF0);
            }
            return bytes;
        }
        let tagged = |tag| [vec![tag], utf16(c)].concat();
        match (known, STATIC.iter().position(|&window| covers(window, c))) {
            _ if special => tagged(0x0E),
            (Some(window), _) if goes_on(self.windows[window]) => self.enter(c, known),
            (Some(window), _) => {
                self.used(window);
                vec![1 + window as u8, (0x80 + c - self.windows[window]) as u8]
            }
            (None, Some(window)) if !new.is_some_and(|new| next.is_some_and(|next| covers(new, next))) => {
                vec![1 + window as u8, (c - STATIC[window]) as u8]
            }
            _ if new.is_some() => self.enter(c, None),
            _ if next.is_none_or(ideograph) => {
                self.unicode = true;
                tagged(0x0F)
            }
            _ => tagged(0x0E),
        }
    }

    /// Makes a window active; a new one replaces the least recently used.
    fn enter(&mut self, c: u32, known: Option<usize>) -> Vec<u8> {
        let unicode = core::mem::take(&mut self.unicode);
        let mut bytes;
        if let Some(window) = known {
            self.active = window;
            bytes = vec![if unicode { 0xE0 } else { 0x10 } + window as u8];
        } else {
            self.active = self.order[0];
            let (window, active) = (definition(c).expect("it has one"), self.active);
            self.windows[active] = window;
            bytes = match window.checked_sub(0x1_0000) {
                Some(above) => {
                    let number = active as u32;
                    let x = number * 0x2000 + above / 0x80;
                    vec![if unicode { 0xF1 } else { 0x0B }, (x >> 8) as u8, x as u8]
                }
                None => {
                    let x = (0..=0xFF).rev().find(|&x| offset(x) == Some(window)).expect("a byte for it");
                    vec![if unicode { 0xE8 } else { 0x18 } + active as u8, x]
                }
            };
        }
        self.used(self.active);
        bytes.push((0x80 + c - self.windows[self.active]) as u8);
        bytes
    }
}
