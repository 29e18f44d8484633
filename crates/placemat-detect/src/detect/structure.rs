//! The structure of the multi-byte encodings: which of them a whole stream can be in.
//!
//! An automaton for each knows its lead bytes and the bytes that may follow them, but not its characters. All of them run
//! as one, whose states are combinations of theirs; of those, few can be reached. So a byte costs one step, however many
//! encodings are still possible.

use alloc::vec;
use alloc::vec::Vec;
use placemat_charsets::Encoding;
use placemat_core::ground::once::Once;

/// The number of automata.
const COUNT: usize = 7;

/// A state of an automaton: between characters, or inside one. The meaning of the latter is up to the automaton.
type State = u8;
const START: State = 0;
const A: State = 1;
const B: State = 2;
const C: State = 3;
const D: State = 4;

/// From `from` by the bytes `low..=high` to `to`.
struct Edge(State, u8, u8, State);

/// The automata, each with the encodings that have its structure, or a part of it, and the number of bytes of a character
/// that were read in each state.
#[rustfmt::skip]
static AUTOMATA: [(&[Encoding], [usize; 5], &[Edge]); COUNT] = [
    (&[Encoding::GB18030, Encoding::GBK], [0, 1, 2, 3, 0], &[
        Edge(START, 0x80, 0x80, START), Edge(START, 0x81, 0xFE, A), Edge(A, 0x40, 0x7E, START),
        Edge(A, 0x80, 0xFE, START), Edge(A, 0x30, 0x39, B), Edge(B, 0x81, 0xFE, C),
        Edge(C, 0x30, 0x39, START),
    ]),
    (&[Encoding::EUC_KR], [0, 1, 1, 0, 0], &[
        Edge(START, 0x81, 0xC6, A), Edge(START, 0xC7, 0xFE, B), Edge(A, 0x41, 0x5A, START),
        Edge(A, 0x61, 0x7A, START), Edge(A, 0x81, 0xFE, START), Edge(B, 0xA1, 0xFE, START),
    ]),
    (&[Encoding::EUC_JP, Encoding::EUC_JIS_2004], [0, 1, 1, 1, 2], &[
        Edge(START, 0xA1, 0xFE, A), Edge(START, 0x8E, 0x8E, B), Edge(START, 0x8F, 0x8F, C),
        Edge(A, 0xA1, 0xFE, START), Edge(B, 0xA1, 0xDF, START), Edge(C, 0xA1, 0xFE, D),
        Edge(D, 0xA1, 0xFE, START),
    ]),
    (&[Encoding::SHIFT_JIS, Encoding::SHIFT_JIS_2004, Encoding::IBM943], [0, 1, 0, 0, 0], &[
        Edge(START, 0x80, 0x80, START), Edge(START, 0xA0, 0xDF, START), Edge(START, 0xFD, 0xFF, START),
        Edge(START, 0x81, 0x9F, A), Edge(START, 0xE0, 0xFC, A), Edge(A, 0x40, 0x7E, START),
        Edge(A, 0x80, 0xFC, START),
    ]),
    (&[Encoding::BIG5, Encoding::BIG5_HKSCS], [0, 1, 0, 0, 0], &[
        Edge(START, 0x80, 0x80, START), Edge(START, 0x81, 0xFE, A), Edge(START, 0xFF, 0xFF, START),
        Edge(A, 0x40, 0x7E, START), Edge(A, 0xA1, 0xFE, START),
    ]),
    (&[Encoding::EUC_TW], [0, 1, 1, 2, 3], &[
        Edge(START, 0xA1, 0xFE, A), Edge(START, 0x8E, 0x8E, B), Edge(B, 0xA1, 0xB0, C),
        Edge(A, 0xA1, 0xFE, START), Edge(C, 0xA1, 0xFE, D), Edge(D, 0xA1, 0xFE, START),
    ]),
    (&[Encoding::JOHAB], [0, 1, 1, 0, 0], &[
        Edge(START, 0x84, 0xD3, A), Edge(START, 0xD8, 0xDE, B), Edge(START, 0xE0, 0xF9, B),
        Edge(A, 0x41, 0x7E, START), Edge(A, 0x81, 0xFE, START), Edge(B, 0x31, 0x7E, START),
        Edge(B, 0x91, 0xFE, START),
    ]),
];

/// Returns the next state of an automaton and whether the byte was an error. After an error, the automaton starts again.
fn next(edges: &[Edge], state: State, byte: u8) -> (State, bool) {
    if state == START && byte < 0x80 {
        return (START, false);
    }
    let edge = edges.iter().find(|Edge(from, low, high, _)| *from == state && (*low..=*high).contains(&byte));
    edge.map_or((START, true), |Edge(.., to)| (*to, false))
}

/// All automata as one.
struct Product {
    /// The classes of bytes that no automaton tells apart.
    class: [u8; 256],
    /// The row of the next state after each class, in the row of each state, and the automata that have an error at such a
    /// step, as bits. A row is named by its first index.
    steps: Vec<(u16, u8)>,
    /// The combinations of states, in the order of the rows.
    states: Vec<[State; COUNT]>,
}

impl Product {
    fn get() -> &'static Self {
        static PRODUCT: Once<Product> = Once::new();
        PRODUCT.get_or_make(Self::new)
    }

    fn new() -> Self {
        let (class, steps) = classes();
        let classes = steps.len();
        let mut product = Self { class, steps: Vec::new(), states: vec![[START; COUNT]] };
        // The number of each combination that was reached, plus one, by its digits.
        let mut known = vec![0_u16; [STATES; COUNT].iter().product()];
        known[0] = 1;
        let mut at = 0;
        while let Some(&state) = product.states.get(at) {
            for step in &steps {
                let (mut errors, mut digits) = (0, 0);
                let mut to = state;
                for (i, (to, step)) in to.iter_mut().zip(step).enumerate() {
                    let (next, is_error) = step[usize::from(*to)];
                    *to = next;
                    errors |= u8::from(is_error) << i;
                    digits = digits * STATES + usize::from(next);
                }
                if known[digits] == 0 {
                    product.states.push(to);
                    known[digits] = u16::try_from(product.states.len()).unwrap_or(0);
                }
                let number = usize::from(known[digits]) - 1;
                product.steps.push((u16::try_from(number * classes).unwrap_or(0), errors));
            }
            at += 1;
        }
        product
    }

    /// Returns the row of the next state, and the automata that have an error.
    #[inline]
    fn step(&self, step: usize) -> (usize, u8) {
        let (next, errors) = self.steps[step];
        (next.into(), errors)
    }

    /// Returns the states of the automata in a row.
    fn state(&self, row: usize) -> [State; COUNT] {
        self.states[row / (self.steps.len() / self.states.len())]
    }
}

/// The shortest block that is cut into parts.
const MIN_PARTS_BYTES: usize = 1024;

/// Four parts of a block, the later ones empty if it is short or has no place to be cut. No automaton is inside a character
/// after a byte below 30, so that each part begins in the first state.
fn parts(block: &[u8]) -> [&[u8]; 4] {
    let whole = [block, &[], &[], &[]];
    if block.len() < MIN_PARTS_BYTES {
        return whole;
    }
    let cut = |quarter: usize| {
        let near = block.len() * quarter / 4;
        let end = block[near..].iter().take(MIN_PARTS_BYTES / 4).position(|&byte| byte < 0x30)?;
        Some(near + end + 1)
    };
    let (Some(first), Some(second), Some(third)) = (cut(1), cut(2), cut(3)) else { return whole };
    [&block[..first], &block[first..second], &block[second..third], &block[third..]]
}

/// Returns the number of non-ASCII bytes.
fn high(bytes: &[u8]) -> u64 {
    // Small counters in short chunks make vector code.
    bytes.chunks(128).map(|chunk| u64::from(chunk.iter().map(|byte| byte >> 7).sum::<u8>())).sum()
}

/// The number of states of an automaton.
const STATES: usize = 5;
/// The next state of each automaton from each of its states, and whether that is an error.
type Steps = [[(State, bool); STATES]; COUNT];

/// Returns the class of each byte, and the steps of each class.
fn classes() -> ([u8; 256], Vec<Steps>) {
    let mut class = [0; 256];
    let mut classes: Vec<Steps> = Vec::new();
    let mut starts = [false; 257];
    starts[0] = true;
    starts[0x80] = true;
    for Edge(_, low, high, _) in AUTOMATA.iter().flat_map(|(.., edges)| *edges) {
        starts[usize::from(*low)] = true;
        starts[usize::from(*high) + 1] = true;
    }
    for byte in 0..=255 {
        // A byte at which no edge begins or ends has the class of the byte before it.
        if !starts[usize::from(byte)] {
            class[usize::from(byte)] = class[usize::from(byte) - 1];
            continue;
        }
        let steps =
            AUTOMATA.each_ref().map(|(.., edges)| [START, A, B, C, D].map(|state| next(edges, state, byte)));
        let known = classes.iter().position(|other| *other == steps);
        // There are fewer classes than bytes.
        class[usize::from(byte)] = u8::try_from(known.unwrap_or(classes.len())).unwrap_or(0);
        if known.is_none() {
            classes.push(steps);
        }
    }
    (class, classes)
}

/// The errors of an encoding on the way through a stream.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    errors: u64,
    /// The first error: the offset of the byte that cannot follow, the bytes up to it, and how many of them are of its
    /// character.
    first: Option<(u64, [u8; 4], usize)>,
}

/// The automata on their way through a stream.
#[derive(Clone, Debug)]
pub(super) struct Structure {
    /// The row of the state.
    state: usize,
    counts: [Count; COUNT],
    /// The automata that have few errors, as bits.
    alive: u8,
    high: u64,
    /// The last bytes of the block before.
    before: [u8; 3],
}

impl Default for Structure {
    fn default() -> Self {
        Self { state: 0, counts: Default::default(), alive: (1 << COUNT) - 1, high: 0, before: [0; 3] }
    }
}

/// An encoding with errors of structure.
#[derive(Clone, Debug)]
pub(super) struct Errors {
    pub(super) encoding: Encoding,
    /// The offset of the first ill-formed sequence.
    pub(super) offset: u64,
    /// The bytes of the error, the last of which cannot follow those before it.
    pub(super) bytes: Vec<u8>,
}

/// Damage may explain this many errors in any text.
const MAX_DAMAGE_ERRORS: u64 = 4;
/// Damage may explain one more error for each this many high bytes.
const HIGH_BYTES_PER_ERROR: u64 = 50;

impl Structure {
    /// Takes a block; `has_high` if it is not all ASCII.
    pub(super) fn block(&mut self, offset: u64, block: &[u8], has_high: bool) {
        if self.alive == 0 {
            return;
        }
        let product = Product::get();
        // Between characters, ASCII changes nothing.
        let len = if has_high { block.len() } else { block.len().min(4) };
        self.high += high(&block[..len]);
        let parts = parts(&block[..len]);
        let [a, b, c, d] = parts;
        let starts = [0, a.len(), a.len() + b.len(), a.len() + b.len() + c.len()];
        let mut states = [self.state, 0, 0, 0];
        // Side by side, the parts do not wait for one another's steps.
        let same = a.len().min(b.len()).min(c.len()).min(d.len());
        let together = a[..same].iter().zip(&b[..same]).zip(&c[..same]).zip(&d[..same]);
        for (at, (((&a, &b), &c), &d)) in together.enumerate() {
            let before = states;
            let steps = [a, b, c, d].map(|byte| usize::from(product.class[usize::from(byte)]));
            let mut errors = [0; 4];
            for lane in 0..4 {
                (states[lane], errors[lane]) = product.step(states[lane] + steps[lane]);
            }
            if (errors[0] | errors[1] | errors[2] | errors[3]) & self.alive != 0 {
                for lane in 0..4 {
                    self.count(offset, block, starts[lane] + at, errors[lane], before[lane]);
                }
            }
        }
        for ((part, start), state) in parts.into_iter().zip(starts).zip(&mut states) {
            for (at, &byte) in (start + same..).zip(&part[same..]) {
                let before = *state;
                let (next, errors) = product.step(before + usize::from(product.class[usize::from(byte)]));
                *state = next;
                if errors & self.alive != 0 {
                    self.count(offset, block, at, errors, before);
                }
            }
        }
        self.state = states[if d.is_empty() { 0 } else { 3 }];
        for (at, to) in (1..).zip(self.before.iter_mut().rev()) {
            *to = block.len().checked_sub(at).map_or(0, |at| block[at]);
        }
    }

    /// Counts the errors at a byte, which came in the state of this row.
    #[cold]
    fn count(&mut self, offset: u64, block: &[u8], at: usize, errors: u8, row: usize) {
        let errors = errors & self.alive;
        for (i, count) in self.counts.iter_mut().enumerate().filter(|(i, _)| errors >> i & 1 != 0) {
            count.errors += 1;
            let here = offset + at as u64;
            if count.first.is_none_or(|first| first.0 > here) {
                let byte = |back: usize| match at.checked_sub(back) {
                    Some(at) => block[at],
                    None => self.before[at + 3 - back],
                };
                let (_, read, _) = AUTOMATA[i];
                let read = read[usize::from(Product::get().state(row)[i])];
                count.first = Some((here, [byte(3), byte(2), byte(1), byte(0)], read));
            }
            if count.errors > MAX_DAMAGE_ERRORS + self.high / HIGH_BYTES_PER_ERROR {
                self.alive &= !(1 << i);
            }
        }
    }

    /// Returns the encodings with more errors than damaged text has.
    pub(super) fn ruled_out(&self) -> impl Iterator<Item = Errors> {
        let dead = (0..COUNT).filter(|i| self.alive >> i & 1 == 0);
        dead.flat_map(|i| {
            let first = self.counts[i].first;
            AUTOMATA[i].0.iter().filter_map(move |&encoding| {
                let (offset, bytes, read) = first?;
                Some(Errors { encoding, offset: offset - read as u64, bytes: bytes[3 - read..].to_vec() })
            })
        })
    }
}

/// Returns the number of errors that an encoding has in `src`, by its structure. The last character does
/// not count, since it may be truncated.
pub(super) fn broken(src: &[u8]) -> impl Fn(Encoding) -> usize {
    let product = Product::get();
    let mut counts = [0; COUNT];
    let mut state = 0;
    for &byte in &src[..src.len().saturating_sub(3)] {
        let step = state + usize::from(product.class[usize::from(byte)]);
        let (next, mut errors) = product.step(step);
        while errors != 0 {
            counts[errors.trailing_zeros() as usize] += 1;
            errors &= errors - 1;
        }
        state = next;
    }
    move |encoding| {
        let own = AUTOMATA.iter().position(|(encodings, ..)| encodings.contains(&encoding));
        own.map_or(0, |own| counts[own])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use placemat_core::policy::UnmappablePolicy;

    fn ruled_out(src: &[u8]) -> Vec<Encoding> {
        let mut structure = Structure::default();
        // Blocks of any length.
        let mut offset = 0;
        for block in src.chunks(37) {
            structure.block(offset, block, !block.is_ascii());
            offset += block.len() as u64;
        }
        structure.ruled_out().map(|errors| errors.encoding).collect()
    }

    /// The text of each encoding is that of the library's encoders, which have their own tables.
    #[test]
    fn every_character_of_an_encoding_has_its_structure() {
        for &encoding in AUTOMATA.iter().flat_map(|(encodings, ..)| *encodings) {
            let mut src = Vec::new();
            for c in '\u{80}'..'\u{10000}' {
                let mut utf8 = [0; 4];
                if let Ok(bytes) = encoding.encode(c.encode_utf8(&mut utf8), UnmappablePolicy::Stop) {
                    src.extend_from_slice(&bytes);
                }
            }
            assert!(src.len() > 10_000, "{encoding}");
            let mut structure = Structure::default();
            structure.block(0, &src, true);
            for (i, (encodings, ..)) in AUTOMATA.iter().enumerate() {
                if encodings.contains(&encoding) {
                    assert_eq!(structure.counts[i].errors, 0, "{encoding}");
                }
            }
        }
    }

    #[test]
    fn damage_does_not_rule_out_and_other_text_does() {
        let gbk = b"\xD6\xD0\xCE\xC4 \xB2\xE2\xCA\xD4\n".repeat(500);
        let is_out = |src: &[u8]| ruled_out(src).contains(&Encoding::GBK);
        assert!(!is_out(&gbk));
        assert!(!is_out(&[&gbk[..], b"\xD6 \xFF\xFF", &gbk].concat()));
        assert!(is_out(&[&gbk[..], &b"caf\xE9 ".repeat(500)].concat()));
    }

    #[test]
    fn errors_are_where_a_character_ends_too_early() {
        let mut structure = Structure::default();
        let src = [&b"\x8F\xA2\xAF"[..], &b"\x8F\xA2 ".repeat(20)].concat();
        structure.block(0, &src[..4], true);
        structure.block(4, &src[4..], true);
        let errors = structure.ruled_out().find(|errors| errors.encoding == Encoding::EUC_JP);
        let (offset, bytes) = errors.map(|errors| (errors.offset, errors.bytes)).expect("ruled out");
        assert_eq!((offset, &bytes[..]), (3, &b"\x8F\xA2 "[..]));
    }

    #[test]
    fn parts_side_by_side_find_what_one_after_another_finds() {
        let mut src = b"\xD6\xD0\xCE\xC4 \xB2\xE2\xCA\xD4 plain\n".repeat(200);
        src[1234] = 0xFF;
        src[2900] = 0x80;
        src[700..1000].fill(0xA5);
        let (mut whole, mut pieces) = (Structure::default(), Structure::default());
        whole.block(0, &src, true);
        for (number, piece) in src.chunks(MIN_PARTS_BYTES / 2).enumerate() {
            pieces.block((number * MIN_PARTS_BYTES / 2) as u64, piece, true);
        }
        assert_eq!(parts(&src).map(|part| part.is_empty()), [false; 4]);
        for (a, b) in whole.counts.iter().zip(&pieces.counts) {
            assert_eq!(a.first, b.first);
        }
        assert_eq!(whole.state, pieces.state);
    }

    #[test]
    fn a_byte_below_30_ends_every_character() {
        for (.., edges) in &AUTOMATA {
            for state in [START, A, B, C, D] {
                assert!((0..0x30).all(|byte| next(edges, state, byte).0 == START));
            }
        }
    }

    #[test]
    fn there_are_few_states() {
        let product = Product::get();
        assert!(product.states.len() < 600, "{}", product.states.len());
        assert!(usize::from(u16::MAX) > product.steps.len());
    }
}
