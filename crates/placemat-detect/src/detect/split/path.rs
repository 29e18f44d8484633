//! The cheapest path through bytes: at each byte, single bytes or one of UTF-16 and UTF-32 at one of its phases.

#![allow(
    clippy::cast_possible_truncation,
    reason = "offsets are cast relative to the bytes that are held, and indexes are below 16 or count what is in memory"
)]

use super::costs::{self, Content, Context};
use alloc::vec;
use alloc::vec::Vec;
use placemat_charsets::Encoding;

/// The bytes after which borders are settled, counted from the start of the stream.
pub(super) const CHUNK_BYTES: usize = 1024;
/// A border that is open for this many bytes is settled in any case.
const MAX_OPEN_BYTES: u64 = 64 * 1024;

/// The price of a border between lines, inside a line, and before a signature, in tenths of a nat.
const BORDER_OF_LINES: i32 = 105;
const BORDER_IN_LINE: i32 = 220;
const BORDER_OF_SIGNATURE: i32 = 60;
/// The price of a unit that the end of the stream truncates.
const CUT_UNIT: i32 = 80;
/// The price of single bytes at the start of a stream whose start looks like UTF-16.
const SINGLE_BYTES_AT_START: i32 = 20;
/// The cost of a path that cannot be.
const NEVER: i32 = i32::MAX / 4;

/// The minimum number of units of a region, and units of ASCII in a row that prove one.
const MIN_UNITS: u32 = 4;
const MIN_ASCII_RUN: u32 = 4;

/// The state of single bytes; others are in `WIDE`, and have its index and one.
const BYTES: u8 = 0;
/// The encodings with each phase: the remainder of the offset of a unit.
const WIDE: [(Encoding, u64); 12] = [
    (Encoding::UTF_16LE, 0),
    (Encoding::UTF_16LE, 1),
    (Encoding::UTF_16BE, 0),
    (Encoding::UTF_16BE, 1),
    (Encoding::UTF_32LE, 0),
    (Encoding::UTF_32LE, 1),
    (Encoding::UTF_32LE, 2),
    (Encoding::UTF_32LE, 3),
    (Encoding::UTF_32BE, 0),
    (Encoding::UTF_32BE, 1),
    (Encoding::UTF_32BE, 2),
    (Encoding::UTF_32BE, 3),
];
/// The indexes in `WIDE` whose units begin at an offset, by its remainder.
const AT_PHASE: [[usize; 4]; 4] = [[0, 2, 4, 8], [1, 3, 5, 9], [0, 2, 6, 10], [1, 3, 7, 11]];

/// Returns `true` if an encoding is one that can stand beside single bytes.
pub(crate) fn is_wide(encoding: Encoding) -> bool {
    WIDE.iter().any(|&(wide, _)| wide == encoding)
}

const fn unit_len(index: usize) -> usize {
    if index < 4 { 2 } else { 4 }
}

fn value(index: usize, bytes: &[u8]) -> u32 {
    match (index, bytes) {
        (0..2, &[a, b]) => u16::from_le_bytes([a, b]).into(),
        (2..4, &[a, b]) => u16::from_be_bytes([a, b]).into(),
        (4..8, &[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]),
        (_, &[a, b, c, d]) => u32::from_be_bytes([a, b, c, d]),
        _ => 0,
    }
}

/// The start of a stretch in a state.
type Border = (u64, u8);

/// A border of a path, and the one before it.
#[derive(Clone, Copy, Debug)]
struct Node {
    before: Option<u32>,
    border: Border,
}

/// The cheapest path that ends in single bytes.
#[derive(Clone, Copy, Debug)]
struct Single {
    cost: i32,
    node: u32,
    /// Whether a line ends before the border.
    is_line_start: bool,
}

/// The cheapest path that ends in a wide encoding.
#[derive(Clone, Copy, Debug)]
struct Wide {
    cost: i32,
    /// The last border of the path before it entered the wide encoding.
    before: Option<u32>,
    entered: u64,
    /// The offset up to which the path has read.
    end: u64,
    context: Context,
    units: u32,
    ascii_run: u32,
    blanks: u32,
    is_signed: bool,
    is_proven: bool,
    ends_line: bool,
}

impl Wide {
    const NONE: Self = Self {
        cost: NEVER,
        before: None,
        entered: 0,
        end: 0,
        context: Context::NONE,
        units: 0,
        ascii_run: 0,
        blanks: 0,
        is_signed: false,
        is_proven: false,
        ends_line: false,
    };

    fn read(&mut self, value: u32, index: usize) {
        let is_start = self.units == 0;
        let cost = costs::unit(value, unit_len(index) == 4, &mut self.context);
        self.cost += if is_start && value == 0xFEFF { 20 } else { cost };
        self.is_signed |= is_start && value == 0xFEFF;
        self.units = self.units.saturating_add(1);
        self.ascii_run =
            if matches!(value, 0x09 | 0x0A | 0x0D | 0x20..=0x7E) { self.ascii_run + 1 } else { 0 };
        self.ends_line = value == 0x0A;
        self.blanks = self.blanks.saturating_add(u32::from(matches!(value, 0x0A | 0x20)));
        self.is_proven |= self.ascii_run >= MIN_ASCII_RUN
            || self.units >= MIN_UNITS && self.blanks > 0
            || self.is_signed && (self.ascii_run >= 2 || self.blanks > 0);
    }

    /// Returns the cost of this path with its end at the last unit.
    const fn left(&self) -> i32 {
        if !self.is_proven {
            return NEVER;
        }
        self.cost + if self.ends_line { BORDER_OF_LINES } else { BORDER_IN_LINE }
    }
}

/// A search for borders, from an offset on.
#[derive(Clone, Debug)]
pub(super) struct Scan {
    nodes: Vec<Node>,
    /// The paths that end in single bytes after each of the last bytes, the newest last.
    singles: [Single; 5],
    wides: [Wide; WIDE.len()],
    /// The offset up to which all bytes were read.
    end: u64,
    /// The last bytes, to read units from.
    recent: [u8; 4],
    /// The bytes that were read from here on, at most 4.
    recent_len: usize,
    pending: u8,
    /// The last chunk had a NUL, and some chunk had one.
    has_nul: bool,
    saw_nul: bool,
}

impl Scan {
    /// Returns a search in single bytes.
    pub(super) fn at(offset: u64) -> Self {
        let none = Single { cost: NEVER, node: 0, is_line_start: false };
        let mut singles = [none; 5];
        // A line begins at the start of the stream.
        singles[4] = Single { cost: 0, node: 0, is_line_start: offset == 0 };
        Self {
            nodes: vec![Node { before: None, border: (offset, BYTES) }],
            singles,
            wides: [Wide::NONE; WIDE.len()],
            end: offset,
            recent: [0; 4],
            recent_len: 0,
            pending: 0,
            has_nul: true,
            saw_nul: false,
        }
    }

    /// Returns a search at the start of a stream that begins in a wide encoding.
    pub(super) fn in_encoding(encoding: Encoding) -> Option<Self> {
        let index = WIDE.iter().position(|&wide| wide == (encoding, 0))?;
        let mut scan = Self::at(0);
        scan.singles[4].cost = SINGLE_BYTES_AT_START;
        scan.wides[index] = Wide { cost: 0, is_proven: true, ..Wide::NONE };
        Some(scan)
    }

    /// Reads the next chunk of `held`, which begins at `offset`, where the last settled stretch ends. Calls `settled` with
    /// each stretch that is settled: its encoding and length. Returns `None` if more bytes are needed, or else whether no
    /// region is near, so that the search can end.
    pub(super) fn chunk(
        &mut self,
        held: &[u8],
        offset: u64,
        last: bool,
        settled: &mut dyn FnMut(Option<Encoding>, usize),
    ) -> Option<bool> {
        let from = (self.end - offset) as usize;
        let len = CHUNK_BYTES - (self.end % CHUNK_BYTES as u64) as usize;
        let unread = &held[from..];
        let chunk = match unread.get(..len) {
            Some(chunk) => chunk,
            None if last && !held.is_empty() => unread,
            None => return None,
        };
        let is_end = last && chunk.len() == unread.len();
        if !self.skip_plain(chunk, held, offset) {
            self.has_nul = chunk.contains(&0);
            self.saw_nul |= self.has_nul;
            chunk.iter().for_each(|&byte| self.byte(byte));
        }
        let (from, state) = self.settle(offset, is_end, settled);
        if is_end {
            return Some(true);
        }
        let is_near = self.wides.iter().any(|wide| wide.cost < NEVER);
        let is_over = self.saw_nul && !self.has_nul;
        Some(state == BYTES && is_over && !is_near && self.end - from < CHUNK_BYTES as u64)
    }

    /// Reads a byte.
    fn byte(&mut self, byte: u8) {
        let before = if self.recent_len > 0 { self.recent[3] } else { 0 };
        let cost = costs::byte(byte, before, self.pending);
        self.pending = costs::pending(byte, self.pending);
        self.recent.rotate_left(1);
        self.recent[3] = byte;
        self.recent_len = (self.recent_len + 1).min(4);
        self.end += 1;
        let old = self.singles[4];
        let mut single =
            Single { cost: (old.cost + cost).min(NEVER), node: old.node, is_line_start: byte == b'\n' };
        self.singles.rotate_left(1);
        for index in AT_PHASE[(self.end % 4) as usize] {
            let len = unit_len(index);
            if self.recent_len < len {
                continue;
            }
            let value = value(index, &self.recent[4 - len..]);
            // `singles` has been rotated: the path before the byte is now the fourth.
            let entry = self.singles[4 - len];
            let mut price = if entry.is_line_start { BORDER_OF_LINES } else { BORDER_IN_LINE };
            if value == 0xFEFF {
                price = BORDER_OF_SIGNATURE;
            }
            let entered = entry.cost + price;
            let wide = &mut self.wides[index];
            if entered < wide.cost {
                *wide = Wide {
                    cost: entered,
                    before: Some(entry.node),
                    entered: self.end - len as u64,
                    ..Wide::NONE
                };
            }
            if wide.cost >= NEVER {
                continue;
            }
            wide.read(value, index);
            wide.end = self.end;
            let left = wide.left();
            if left < single.cost {
                let wide = *wide;
                let inside = self.node(wide.before, (wide.entered, index as u8 + 1));
                let node = self.node(Some(inside), (self.end, BYTES));
                single = Single { cost: left, node, is_line_start: wide.ends_line };
            }
        }
        self.singles[4] = single;
    }

    fn node(&mut self, before: Option<u32>, border: Border) -> u32 {
        self.nodes.push(Node { before, border });
        (self.nodes.len() - 1) as u32
    }

    /// Returns the borders of a path, in order.
    fn borders(&self, node: Option<u32>) -> Vec<Border> {
        let mut all = Vec::new();
        let mut next = node;
        while let Some(Node { before, border }) = next.and_then(|at| self.nodes.get(at as usize)) {
            all.push(*border);
            next = *before;
        }
        all.reverse();
        all
    }

    /// Hands on the stretches that all paths have in common. Returns where the last of them ends, and its state.
    fn settle(
        &mut self,
        offset: u64,
        is_end: bool,
        settled: &mut dyn FnMut(Option<Encoding>, usize),
    ) -> (u64, u8) {
        if is_end {
            self.keep_best(true);
        }
        self.prune();
        let mut paths = self.paths();
        let mut common = common(&paths);
        let mut end = self.settled_end(&paths, common);
        if end + MAX_OPEN_BYTES < self.end && !is_end {
            self.keep_best(false);
            paths = self.paths();
            common = self::common(&paths);
            end = self.settled_end(&paths, common);
        }
        if is_end {
            end = self.end;
        }
        // The bytes before the last border are settled first.
        while common > 1 && paths[0][common - 1].0 > end {
            common -= 1;
        }
        let Some(first) = paths.first().filter(|_| common > 0) else { return (offset, BYTES) };
        let first = first.clone();
        let mut from = offset;
        for (at, &(_, state)) in first[..common].iter().enumerate() {
            let until = first.get(at + 1).filter(|_| at + 1 < common).map_or(end, |next| next.0.min(end));
            if until > from {
                settled(encoding(state), (until - from) as usize);
                from = until;
            }
        }
        self.rebuild(&paths, common);
        (end.max(offset), first[common - 1].1)
    }

    /// Forgets paths that one through single bytes undercuts, and makes the cheapest cost nothing.
    fn prune(&mut self) {
        let single = self.singles[4].cost;
        let best = self.wides.iter().map(|wide| wide.cost).fold(single, i32::min);
        for wide in &mut self.wides {
            if wide.cost >= single + BORDER_IN_LINE {
                *wide = Wide::NONE;
            }
        }
        let all = self.singles.iter_mut().map(|single| &mut single.cost);
        for cost in all.chain(self.wides.iter_mut().map(|wide| &mut wide.cost)) {
            if *cost < NEVER {
                *cost -= best;
            }
        }
    }

    /// Forgets all paths but the cheapest: at the end of the stream, or of what may be open.
    fn keep_best(&mut self, is_end: bool) {
        let price = |wide: &Wide, index: usize| match self.end - wide.end {
            _ if wide.cost >= NEVER || is_end && !wide.is_proven => NEVER,
            0 => wide.cost,
            cut if is_end && cut < unit_len(index) as u64 => wide.cost + CUT_UNIT,
            _ if is_end => NEVER,
            _ => wide.cost,
        };
        let prices = self.wides.iter().enumerate().map(|(index, wide)| (price(wide, index), index));
        let (cost, index) = prices.min().unwrap_or((NEVER, 0));
        let is_single = self.singles[4].cost <= cost;
        for (at, wide) in self.wides.iter_mut().enumerate() {
            if is_single || at != index {
                *wide = Wide::NONE;
            }
        }
        for (at, single) in self.singles.iter_mut().enumerate() {
            if !is_single || at != 4 {
                single.cost = NEVER;
            }
        }
    }

    /// Returns the borders of all paths: of the last bytes, and of the wide encodings.
    fn paths(&self) -> Vec<Vec<Border>> {
        let singles = self.singles.iter().filter(|single| single.cost < NEVER);
        let mut all: Vec<Vec<Border>> = singles.map(|single| self.borders(Some(single.node))).collect();
        for (index, wide) in self.wides.iter().enumerate().filter(|(_, wide)| wide.cost < NEVER) {
            let mut borders = self.borders(wide.before);
            borders.push((wide.entered, index as u8 + 1));
            all.push(borders);
        }
        all
    }

    /// Returns the end of what all paths have in common.
    fn settled_end(&self, paths: &[Vec<Border>], common: usize) -> u64 {
        let next = paths.iter().filter_map(|path| path.get(common)).map(|border| border.0);
        // Incomplete units belong to the next region.
        next.chain([self.end.saturating_sub(4)]).min().unwrap_or(self.end)
    }

    /// Drops the borders before the last that all paths have in common.
    fn rebuild(&mut self, paths: &[Vec<Border>], common: usize) {
        self.nodes.clear();
        let mut paths = paths.iter();
        for at in 0..self.singles.len() {
            if self.singles[at].cost >= NEVER {
                self.singles[at].node = 0;
                continue;
            }
            let Some(path) = paths.next() else { return };
            self.singles[at].node = self.chain(&path[common - 1..]).unwrap_or(0);
        }
        for at in 0..self.wides.len() {
            if self.wides[at].cost >= NEVER {
                continue;
            }
            let Some((_, before)) = paths.next().and_then(|path| path.split_last()) else { return };
            self.wides[at].before = self.chain(before.get(common - 1..).unwrap_or_default());
        }
    }

    fn chain(&mut self, borders: &[Border]) -> Option<u32> {
        borders.iter().fold(None, |before, &border| Some(self.node(before, border)))
    }

    /// Takes a chunk as a whole if it continues plain text of the only wide encoding that is probable.
    fn skip_plain(&mut self, chunk: &[u8], held: &[u8], offset: u64) -> bool {
        let mut live = self.wides.iter().enumerate().filter(|(_, wide)| wide.cost < BORDER_IN_LINE);
        let (Some((index, &wide)), None) = (live.next(), live.next()) else { return false };
        if chunk.len() < CHUNK_BYTES || self.singles[4].cost < BORDER_OF_LINES || !wide.is_proven {
            return false;
        }
        // The bytes that are not settled yet must be part of this path.
        if wide.entered > offset {
            return false;
        }
        let from = (wide.end - offset) as usize;
        let Some(bytes) = held.get(from..from + CHUNK_BYTES) else { return false };
        let len = unit_len(index);
        let units = || bytes.chunks_exact(len).map(|unit| value(index, unit));
        if !costs::is_alphabetic(units()) && !Content::of(units()).is_plain() {
            return false;
        }
        let last = units().next_back().unwrap_or_default();
        self.end += CHUNK_BYTES as u64;
        self.recent.copy_from_slice(&chunk[CHUNK_BYTES - 4..]);
        self.recent_len = 4;
        self.pending = 0;
        (self.has_nul, self.saw_nul) = (true, true);
        self.wides = [Wide::NONE; WIDE.len()];
        self.singles.iter_mut().for_each(|single| single.cost = NEVER);
        let end = wide.end + CHUNK_BYTES as u64;
        self.wides[index] = Wide { cost: 0, end, context: Context::NONE, ends_line: last == 0x0A, ..wide };
        if end == self.end {
            let inside = self.node(wide.before, (wide.entered, index as u8 + 1));
            let node = self.node(Some(inside), (end, BYTES));
            self.singles[4] = Single { cost: self.wides[index].left(), node, is_line_start: last == 0x0A };
        }
        true
    }
}

/// Returns the number of borders that all paths have in common at their start.
fn common(paths: &[Vec<Border>]) -> usize {
    let Some((first, rest)) = paths.split_first() else { return 0 };
    let same = |at: usize| rest.iter().all(|path| path.get(at) == first.get(at));
    (0..first.len()).take_while(|&at| same(at)).count()
}

fn encoding(state: u8) -> Option<Encoding> {
    state.checked_sub(1).and_then(|index| WIDE.get(usize::from(index))).map(|wide| wide.0)
}
