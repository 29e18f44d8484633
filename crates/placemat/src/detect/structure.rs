//! The structure of the multi-byte encodings: which of them a whole stream can be in.
//!
//! An automaton for each knows its lead bytes and the bytes that may follow them, but not its characters. All of them run
//! as one, whose states are combinations of theirs; of those, few can be reached. So a byte costs one step, however many
//! encodings are still possible.

use crate::forms::encoding::Encoding;
use alloc::vec;
use alloc::vec::Vec;
use std::collections::HashMap;
use std::sync::OnceLock;

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
static AUTOMATA: [(&[Encoding], [usize; 5], &[Edge]); COUNT] = [
    (
        &[Encoding::GB18030, Encoding::GBK],
        [0, 1, 2, 3, 0],
        &[
            Edge(START, 0x80, 0x80, START),
            Edge(START, 0x81, 0xFE, A),
            Edge(A, 0x40, 0x7E, START),
            Edge(A, 0x80, 0xFE, START),
            Edge(A, 0x30, 0x39, B),
            Edge(B, 0x81, 0xFE, C),
            Edge(C, 0x30, 0x39, START),
        ],
    ),
    (
        &[Encoding::EUC_KR],
        [0, 1, 1, 0, 0],
        &[
            Edge(START, 0x81, 0xC6, A),
            Edge(START, 0xC7, 0xFE, B),
            Edge(A, 0x41, 0x5A, START),
            Edge(A, 0x61, 0x7A, START),
            Edge(A, 0x81, 0xFE, START),
            Edge(B, 0xA1, 0xFE, START),
        ],
    ),
    (
        &[Encoding::EUC_JP, Encoding::EUC_JIS_2004],
        [0, 1, 1, 1, 2],
        &[
            Edge(START, 0xA1, 0xFE, A),
            Edge(START, 0x8E, 0x8E, B),
            Edge(START, 0x8F, 0x8F, C),
            Edge(A, 0xA1, 0xFE, START),
            Edge(B, 0xA1, 0xDF, START),
            Edge(C, 0xA1, 0xFE, D),
            Edge(D, 0xA1, 0xFE, START),
        ],
    ),
    (
        &[Encoding::SHIFT_JIS, Encoding::SHIFT_JIS_2004, Encoding::IBM943],
        [0, 1, 0, 0, 0],
        &[
            Edge(START, 0x80, 0x80, START),
            Edge(START, 0xA0, 0xDF, START),
            Edge(START, 0xFD, 0xFF, START),
            Edge(START, 0x81, 0x9F, A),
            Edge(START, 0xE0, 0xFC, A),
            Edge(A, 0x40, 0x7E, START),
            Edge(A, 0x80, 0xFC, START),
        ],
    ),
    (
        &[Encoding::BIG5, Encoding::BIG5_HKSCS],
        [0, 1, 0, 0, 0],
        &[
            Edge(START, 0x80, 0x80, START),
            Edge(START, 0x81, 0xFE, A),
            Edge(START, 0xFF, 0xFF, START),
            Edge(A, 0x40, 0x7E, START),
            Edge(A, 0xA1, 0xFE, START),
        ],
    ),
    (
        &[Encoding::EUC_TW],
        [0, 1, 1, 2, 3],
        &[
            Edge(START, 0xA1, 0xFE, A),
            Edge(START, 0x8E, 0x8E, B),
            Edge(B, 0xA1, 0xB0, C),
            Edge(A, 0xA1, 0xFE, START),
            Edge(C, 0xA1, 0xFE, D),
            Edge(D, 0xA1, 0xFE, START),
        ],
    ),
    (
        &[Encoding::JOHAB],
        [0, 1, 1, 0, 0],
        &[
            Edge(START, 0x84, 0xD3, A),
            Edge(START, 0xD8, 0xDE, B),
            Edge(START, 0xE0, 0xF9, B),
            Edge(A, 0x41, 0x7E, START),
            Edge(A, 0x81, 0xFE, START),
            Edge(B, 0x31, 0x7E, START),
            Edge(B, 0x91, 0xFE, START),
        ],
    ),
];

/// The next state of an automaton and whether the byte was an error. After an error, the automaton starts again.
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
    /// The row of the next state after each class, in the row of each state; a row is named by its first index.
    next: Vec<u16>,
    /// The automata that have an error at such a step, as bits.
    errors: Vec<u8>,
    /// The combinations of states, in the order of the rows.
    states: Vec<[State; COUNT]>,
}

impl Product {
    fn get() -> &'static Self {
        static PRODUCT: OnceLock<Product> = OnceLock::new();
        PRODUCT.get_or_init(Self::new)
    }

    fn new() -> Self {
        let (class, representatives) = classes();
        let classes = representatives.len();
        let mut product = Self { class, next: Vec::new(), errors: Vec::new(), states: Vec::new() };
        let mut states = vec![[START; COUNT]];
        let mut known = HashMap::from([(states[0], 0)]);
        let mut at = 0;
        while let Some(&state) = states.get(at) {
            for &byte in &representatives {
                let mut errors = 0;
                let mut to = state;
                for (i, (to, (.., edges))) in to.iter_mut().zip(&AUTOMATA).enumerate() {
                    let (next, is_error) = next(edges, *to, byte);
                    *to = next;
                    errors |= u8::from(is_error) << i;
                }
                let number = *known.entry(to).or_insert_with(|| {
                    states.push(to);
                    states.len() - 1
                });
                product.next.push(u16::try_from(number * classes).unwrap_or(0));
                product.errors.push(errors);
            }
            at += 1;
        }
        product.states = states;
        product
    }
}

/// The class of each byte, and a byte of each class.
fn classes() -> ([u8; 256], Vec<u8>) {
    let mut class = [0; 256];
    let mut representatives: Vec<u8> = Vec::new();
    let alike = |a: u8, b: u8| {
        (START..=C)
            .all(|state| AUTOMATA.iter().all(|(.., edges)| next(edges, state, a) == next(edges, state, b)))
    };
    for byte in 0..=255 {
        let known = representatives.iter().position(|&other| alike(other, byte));
        // There are fewer classes than bytes.
        class[usize::from(byte)] = u8::try_from(known.unwrap_or(representatives.len())).unwrap_or(0);
        if known.is_none() {
            representatives.push(byte);
        }
    }
    (class, representatives)
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
    /// Its bytes, the last of which cannot follow those before it.
    pub(super) bytes: Vec<u8>,
}

/// Errors that damage may explain in any text; beyond, one for so many high bytes.
const FEW: u64 = 4;
const RARE: u64 = 50;

impl Structure {
    /// Takes a block; `has_high` if it is not all ASCII.
    pub(super) fn block(&mut self, offset: u64, block: &[u8], has_high: bool) {
        if self.alive == 0 {
            return;
        }
        let product = Product::get();
        // Between characters, ASCII changes nothing.
        let len = if has_high { block.len() } else { block.len().min(4) };
        let mut state = self.state;
        for (at, &byte) in block[..len].iter().enumerate() {
            let step = state + usize::from(product.class[usize::from(byte)]);
            let errors = product.errors[step] & self.alive;
            state = usize::from(product.next[step]);
            self.high += u64::from(byte >> 7);
            if errors != 0 {
                self.count(
                    offset,
                    block,
                    at,
                    errors,
                    step / product.next.len().div_ceil(product.states.len()),
                );
            }
        }
        self.state = state;
        for (at, to) in (1..).zip(self.before.iter_mut().rev()) {
            *to = block.len().checked_sub(at).map_or(0, |at| block[at]);
        }
    }

    /// Counts the errors at a byte, which came in the state of this number.
    #[cold]
    fn count(&mut self, offset: u64, block: &[u8], at: usize, errors: u8, state: usize) {
        for (i, count) in self.counts.iter_mut().enumerate().filter(|(i, _)| errors >> i & 1 != 0) {
            count.errors += 1;
            count.first.get_or_insert_with(|| {
                let byte = |back: usize| match at.checked_sub(back) {
                    Some(at) => block[at],
                    None => self.before[at + 3 - back],
                };
                let (_, read, _) = AUTOMATA[i];
                let read = read[usize::from(Product::get().states[state][i])];
                (offset + at as u64, [byte(3), byte(2), byte(1), byte(0)], read)
            });
            if count.errors > FEW + self.high / RARE {
                self.alive &= !(1 << i);
            }
        }
    }

    /// The encodings with more errors than damaged text has.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::UnmappablePolicy;

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
    fn there_are_few_states() {
        let product = Product::get();
        assert!(product.states.len() < 600, "{}", product.states.len());
        assert!(usize::from(u16::MAX) > product.next.len());
    }
}
