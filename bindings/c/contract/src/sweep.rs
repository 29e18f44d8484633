//! Converts each code point to an encoding, and each short sequence of bytes from it, by itself.

use crate::answer::{Answer, Handle, Memory, Null};
use crate::charsets::code_points;
use crate::known::{self, Kind, Rule};
use crate::scenario::{Both, Difference, Memories};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The direction of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// Sequences of bytes to UTF-8.
    Read,
    /// Code points from UTF-32 to the encoding.
    Write,
    /// Writes each code point, with `//TRANSLIT`.
    Translit,
}

/// The differences of one sweep.
#[derive(Debug, Default)]
pub struct Found {
    /// Differences that no rule explains, by their kind: the input, and the answers to the first.
    pub kinds: BTreeMap<String, (Vec<Vec<u8>>, Difference)>,
    /// Items of rules that do not differ, or no longer do.
    pub stale: Vec<String>,
    /// The number of inputs tried.
    pub tried: usize,
    /// Differences that a rule explains.
    pub explained: usize,
}

impl Found {
    /// Returns `true` if every difference is explained and every rule is needed.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.kinds.is_empty() && self.stale.is_empty()
    }
}

/// Sequences that select a set of characters, before two bytes that are read in it.
const SHIFTS: &[&[u8]] = &[
    b"\x1B$@",
    b"\x1B$B",
    b"\x1B$A",
    b"\x1B$(C",
    b"\x1B$(D",
    b"\x1B$(O",
    b"\x1B$(P",
    b"\x1B$(Q",
    b"\x1B$)C\n\x0E",
    b"\x1B$)A\x0E",
    b"\x1B$)G\x0E",
    b"\x1B$)E\x0E",
    b"\x1B$*H\x1BN",
    b"\x1B$+I\x1BO",
    b"\x1B$+J\x1BO",
    b"\x1B$+K\x1BO",
    b"\x1B$+L\x1BO",
    b"\x1B$+M\x1BO",
];
/// Sequences that select a set of characters of one byte each.
const SHIFTS_OF_ONE: &[&[u8]] = &[b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B.A\x1BN", b"\x1B.F\x1BN"];

/// Calls `with` with each sequence that is worth trying in the encoding.
fn sequences(name: &str, all: bool, mut with: impl FnMut(&[u8])) {
    let is_one_of = |names: &[&str]| names.iter().any(|start| name.starts_with(start));
    with(&[]);
    (0..=0xFF).for_each(|a| with(&[a]));
    (0..=0xFFFF_u16).for_each(|unit| with(&unit.to_be_bytes()));
    if is_one_of(&["UTF-16", "UCS-2", "UNICODE"]) {
        for high in (0xD7F0..0xDC10_u16).step_by(if all { 1 } else { 37 }) {
            for low in (0xDBF0..0xE010_u16).step_by(if all { 1 } else { 29 }) {
                with(&[high.to_be_bytes(), low.to_be_bytes()].concat());
                with(&[high.to_le_bytes(), low.to_le_bytes()].concat());
            }
        }
    }
    if is_one_of(&["UTF-32", "UCS-4", "WCHAR_T"]) {
        for c in code_points(all).chain([0x10_FFFF, 0x11_0000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF]) {
            with(&c.to_le_bytes());
            with(&c.to_be_bytes());
        }
    }
    if name == "UTF-8" {
        const EDGES: &[u8] =
            &[0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xF0, 0xFF];
        for lead in 0xC0..=0xFF {
            for a in 0x70..=0xD0 {
                for b in EDGES {
                    with(&[lead, a, *b]);
                    EDGES.iter().for_each(|c| with(&[lead, a, *b, *c]));
                }
            }
        }
    }
    if name == "UTF-7" {
        let mut random = crate::random::Random::new(7);
        for _ in 0..if all { 400_000 } else { 40_000 } {
            let mut text = vec![b'+'];
            text.extend((0..random.below(9)).map(|_| *random.pick(b"ABCQwxyz0189+/--a,A~\\!\x80")));
            with(&text);
        }
    }
    if name.starts_with("EUC-J") {
        for a in 0x80..=0xFF {
            (0x80..=0xFF).for_each(|b| with(&[0x8F, a, b]));
        }
    }
    if name == "EUC-TW" {
        for plane in 0xA0..=0xB1 {
            for a in 0xA0..=0xFF {
                (0xA0..=0xFF).step_by(if all { 1 } else { 3 }).for_each(|b| with(&[0x8E, plane, a, b]));
            }
        }
    }
    if name == "GB18030" {
        for lead in (0x81..=0x85).chain([0x8F, 0x90, 0x95, 0x9A, 0xE2, 0xE3, 0xE4, 0xFC, 0xFD, 0xFE]) {
            for b in 0x2F..=0x3A {
                for c in (0x80..=0xFF).step_by(if all || lead < 0x86 { 1 } else { 9 }) {
                    (0x2F..=0x3A).for_each(|d| with(&[lead, b, c, d]));
                }
            }
        }
    }
    if name.starts_with("BIG5") || name.starts_with("SHIFT_JISX") || name.starts_with("EUC-JISX") {
        // Characters that may combine with the next one.
        for first in [[0x88, 0x62], [0x88, 0x64], [0x88, 0xA3], [0x88, 0xA5], [0x82, 0xF5], [0xA4, 0xF7]] {
            (0..=0xFF).for_each(|a| with(&[first[0], first[1], a]));
            (0x4000..=0xFFFF_u16).step_by(7).for_each(|u| with(&[&first[..], &u.to_be_bytes()].concat()));
        }
    }
    if name.starts_with("ISO-2022") {
        for shift in SHIFTS {
            with(shift);
            for a in 0x1E..=0x80_u8 {
                with(&[shift, &[a][..]].concat());
                (0x20..=0x7F).for_each(|b| with(&[shift, &[a, b][..]].concat()));
            }
        }
        for shift in SHIFTS_OF_ONE {
            with(shift);
            (0..=0xFF_u8).for_each(|a| with(&[shift, &[a][..]].concat()));
        }
        (0x20..=0x7F).for_each(|a| {
            with(&[0x1B, a]);
            (0x20..=0x7F).for_each(|b| with(&[0x1B, a, b]));
        });
    }
    if is_one_of(&["IBM93", "IBM13"]) {
        for a in 0..=0xFF {
            (0..=0xFF).for_each(|b| with(&[0x0E, a, b]));
        }
    }
}

struct Sweep<'a> {
    direction: Direction,
    /// The rules, and which of their items explained something.
    rules: Vec<(&'static Rule, Vec<bool>)>,
    /// glibc keeps the byte order of a text beyond its end, so each input gets a separate
    /// conversion.
    forgets_nothing: bool,
    open: Box<dyn Fn() -> (Handle<'a>, Handle<'a>) + 'a>,
    glibc: Handle<'a>,
    ours: Handle<'a>,
    memories: &'a mut Memories,
    found: Found,
}

/// Compares one encoding in one direction. Finds nothing if one of the two does not open it.
pub fn sweep<'a>(
    both: Both<'a>,
    name: &'a str,
    direction: Direction,
    all: bool,
    memories: &'a mut Memories,
) -> Option<Found> {
    let (to, from) = match direction {
        Direction::Read => ("UTF-8".to_owned(), name),
        Direction::Write => (name.to_owned(), "UTF-32LE"),
        Direction::Translit => (format!("{name}//TRANSLIT"), "UTF-32LE"),
    };
    let open = move |library| Handle::open(library, to.as_bytes(), from.as_bytes()).ok();
    let (glibc, ours) = (open(both.glibc)?, open(both.ours)?);
    let kinds: &[Kind] = match direction {
        Direction::Read => &[Kind::Read, Kind::Early],
        Direction::Write => &[Kind::Write],
        Direction::Translit => &[Kind::Write, Kind::Translit],
    };
    let rules = known::rules().iter().filter(|rule| kinds.contains(&rule.kind) && rule.is_about(name));
    let rules = rules.map(|rule| (rule, vec![false; rule.len()])).collect();
    let forgets_nothing = direction == Direction::Read && matches!(name, "UTF-16" | "UTF-32" | "UNICODE");
    let open =
        Box::new(move || (open(both.glibc).expect("opened before"), open(both.ours).expect("opened before")));
    let mut sweep =
        Sweep { direction, rules, forgets_nothing, open, glibc, ours, memories, found: Found::default() };
    match direction {
        Direction::Read => sequences(name, all, |sequence| sweep.one(sequence)),
        _ => code_points(all).for_each(|c| sweep.one(&c.to_le_bytes())),
    }
    sweep.note_stale_items();
    Some(sweep.found)
}

impl Sweep<'_> {
    fn one(&mut self, input: &[u8]) {
        self.found.tried += 1;
        if self.forgets_nothing {
            (self.glibc, self.ours) = (self.open)();
        }
        let ask = |handle: &mut Handle<'_>, memory: &mut Memory| {
            [handle.convert(memory, input, 64), handle.reset_into(memory, 16, Null::Outer)]
        };
        let glibc = ask(&mut self.glibc, &mut self.memories.glibc);
        let ours = ask(&mut self.ours, &mut self.memories.ours);
        let differs = glibc != ours;
        if self.direction == Direction::Read {
            let mut explained = false;
            if differs {
                for (rule, hits) in &mut self.rules {
                    explained |= match rule.kind {
                        Kind::Early => known::is_early(&glibc[0], &ours[0]) && glibc[1] == ours[1],
                        _ => rule.is_empty(),
                    };
                    for item in rule.items_in(input) {
                        explained = true;
                        hits[item] = true;
                    }
                }
                self.found.explained += usize::from(explained);
            }
            if differs && !explained {
                self.add(input, glibc, ours);
            }
            return;
        }
        let c = u32::from_le_bytes([input[0], input[1], input[2], input[3]]);
        let rule =
            self.rules.iter().map(|(rule, _)| rule).find(|rule| rule.is_empty() || rule.covers_code_point(c));
        match (differs, rule) {
            (false, None) => {}
            (true, Some(_)) => self.found.explained += 1,
            // The rule for //TRANSLIT may cover only code points that the plain rule leaves.
            (false, Some(rule)) if self.direction == Direction::Translit && rule.kind == Kind::Write => {}
            (false, Some(rule)) if rule.is_empty() => {}
            (false, Some(rule)) => {
                let stale = format!("{} is equal, but listed: {}", self.shown(input), rule.line);
                self.found.stale.push(stale);
            }
            (true, None) => self.add(input, glibc, ours),
        }
    }

    /// Notes the items of rules for sequences that no difference needed.
    fn note_stale_items(&mut self) {
        if self.direction != Direction::Read {
            return;
        }
        for (rule, hits) in &self.rules {
            for (i, _) in hits.iter().enumerate().filter(|(_, hit)| !**hit) {
                self.found.stale.push(format!("item {} explains nothing: {}", i + 1, rule.line));
            }
        }
    }

    fn add(&mut self, input: &[u8], glibc: [Answer; 2], ours: [Answer; 2]) {
        let call = usize::from(glibc[0] == ours[0]);
        let asked = if call == 0 { self.shown(input) } else { format!("close after {}", self.shown(input)) };
        let [glibc, ours] = [glibc, ours].map(|both| both.into_iter().nth(call).unwrap_or_default());
        let difference = Difference { call, asked, at: 0, given: input.len(), glibc, ours };
        let kind = difference.kind();
        self.found.kinds.entry(kind).or_insert_with(|| (Vec::new(), difference)).0.push(input.to_vec());
    }

    fn shown(&self, input: &[u8]) -> String {
        match self.direction {
            Direction::Read => crate::answer::hex(input),
            _ => format!("U+{:04X}", u32::from_le_bytes([input[0], input[1], input[2], input[3]])),
        }
    }
}

/// Returns the inputs as items of a rule: ranges of code points or of sequences.
#[must_use]
pub fn items(direction: Direction, inputs: &[Vec<u8>]) -> String {
    let value = |input: &Vec<u8>| match direction {
        Direction::Read => input.iter().fold(0_u64, |value, byte| value << 8 | u64::from(*byte)),
        _ => input.iter().rev().fold(0_u64, |value, byte| value << 8 | u64::from(*byte)),
    };
    let shown = |len: usize, value: u64| match direction {
        Direction::Read => format!("{value:0width$X}", width = 2 * len),
        _ => format!("U+{value:04X}"),
    };
    let mut ranges: Vec<(usize, u64, u64)> = Vec::new();
    let mut sorted: Vec<_> = inputs.iter().map(|input| (input.len(), value(input))).collect();
    sorted.sort_unstable();
    for (len, value) in sorted {
        match ranges.last_mut() {
            Some((known, _, last)) if *known == len && *last + 1 == value => *last = value,
            _ => ranges.push((len, value, value)),
        }
    }
    let mut text = String::new();
    for (len, first, last) in ranges {
        let _ = match first == last {
            true => write!(text, " {}", shown(len, first)),
            false => write!(text, " {}-{}", shown(len, first), shown(len, last)),
        };
    }
    text
}
