//! The first step of every text, by the scalar code of each form without states.
//!
//! A step reads code units until one of them decides. So the strings that decide are a tree: those that the form calls
//! incomplete have 256 children each, and all others are leaves. The tests visit the tree and compare each node with
//! the oracle: by that the step is the oracle's for every text, of any length.
//!
//! Each code point of a leaf is written again by the form, and must give the bytes that the oracle writes.

use crate::data::hex;
use crate::oracle::{self, Mode, Unmappable};
use crate::subject::{
    Be, Cesu8, Cesu8Mixed, FssUtf1992, I8, JavaUtf, Le, ModifiedUtf8, PerlUtf8, TclUtf8, Tested, Ucs2, Ucs4,
    Utf1, Utf8, Utf8Bits31, Utf8Mb3, Utf16, Utf32, UtfEbcdic, Wtf8, cases, in_parallel, thorough,
};
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use placemat::CodePoint;
use placemat::internals::{EncodeStep, Step};

/// Bytes of each class of any form, and their neighbors: the children of nodes far from the root.
const BORDERS: &[u8] = b"\x00\x1F\x41\x7F\x80\x81\x82\x83\x84\x87\x88\x8F\x90\x9F\xA0\xA1\xA7\xA8\xAF\xB0\xB5\xB6\xBF\xC0\xC2\xDC\xDF\xE0\xED\xF0\xF4\xFC\xFE\xFF";

/// The children of nodes far from the root in a short run, and in Perl's sequences of 7 and 13 bytes.
const BORDERS_FAR_DOWN: &[u8] = b"\x41\x80\xA1\xBF\xDC\xFF";

/// The tree of a form.
struct Tree {
    /// The number of bytes below which a node has all 256 children, and from which on it has those of [`BORDERS`] or
    /// [`BORDERS_FAR_DOWN`].
    whole: usize,
    nodes: AtomicU64,
    code_points: AtomicU64,
}

impl Tree {
    fn of<F: Tested<Unit = u8>>(whole: usize) -> Self {
        let tree = Self { whole, nodes: AtomicU64::new(0), code_points: AtomicU64::new(0) };
        in_parallel(256, |first| {
            let mut walk = Walk { whole: tree.whole, text: vec![first as u8], nodes: 0, code_points: 0 };
            walk.node::<F>();
            tree.nodes.fetch_add(walk.nodes, Relaxed);
            tree.code_points.fetch_add(walk.code_points, Relaxed);
        });
        println!("{}: {tree:?}", F::name());
        tree
    }
}

impl core::fmt::Debug for Tree {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let [nodes, code_points] = [&self.nodes, &self.code_points].map(|count| count.load(Relaxed));
        write!(f, "{nodes} strings, {code_points} well-formed sequences")
    }
}

struct Walk {
    whole: usize,
    text: Vec<u8>,
    nodes: u64,
    code_points: u64,
}

impl Walk {
    fn node<F: Tested<Unit = u8>>(&mut self) {
        self.nodes += 1;
        let mut state = F::State::default();
        let step = F::decode_step(&mut state, &self.text);
        assert_eq!(state, F::State::default(), "{}: a form without states", F::name());
        if let Step::Incomplete { needs } = step {
            assert_ne!(needs, 0, "{}: {}", F::name(), hex(&self.text));
            let end = F::decode_end(&mut F::State::default(), &self.text);
            self.compare::<F>(end);
            let children = match self.text.len() {
                len if len < self.whole => ALL,
                len if thorough() && (len < 3 || self.text[0] < 0xFE) => BORDERS,
                _ => BORDERS_FAR_DOWN,
            };
            for &child in children {
                self.text.push(child);
                self.node::<F>();
                self.text.pop();
            }
            return;
        }
        self.compare::<F>(step);
        let text = &self.text;
        // What follows does not change the step.
        let mut longer = [0; 24];
        let followed = &mut longer[..text.len() + 3];
        followed[..text.len()].copy_from_slice(text);
        let next =
            [[0xBF, 0x80, 0xBF], [0x41, 0, 0xFF], [0xED, 0xB0, 0x80], [0xDC; 3]][self.nodes as usize % 4];
        followed[text.len()..].copy_from_slice(&next);
        assert_eq!(F::decode_step(&mut F::State::default(), followed), step, "{}: {}", F::name(), hex(text));
    }

    /// Compares a step with that of the oracle, for which the text ends after these bytes.
    fn compare<F: Tested<Unit = u8>>(&mut self, step: Step) {
        let text = &self.text;
        let what = || format!("{}: {}", F::name(), hex(text));
        match (oracle::step(F::FORM, text, Mode::Strict), step) {
            (oracle::Step::CodePoint { value, len }, Step::CodePoint { value: found, len: read }) => {
                assert_eq!((u32::from(found), read), (value, len), "{}", what());
                self.code_points += 1;
                written::<F>(found, &what);
            }
            (oracle::Step::Error { len, kind }, Step::IllFormed { len: read, seen, kind: found }) => {
                assert_eq!(read, len, "{}", what());
                assert!(read <= seen && seen <= text.len(), "{}", what());
                let invalid_lead =
                    matches!(kind, "lead-f5-f7" | "lead-5-byte" | "lead-6-byte" | "never-byte");
                let code = if found.code() == "invalid-lead" && invalid_lead { kind } else { found.code() };
                assert_eq!(code, kind, "{}", what());
            }
            differs => panic!("{}: {differs:?}", what()),
        }
    }
}

/// Compares the bytes that the form writes for a code point with those of the oracle.
fn written<F: Tested<Unit = u8>>(c: CodePoint, what: &impl Fn() -> String) {
    let mut room = [0; 16];
    let mut state = F::State::default();
    let step = F::encode_step(&mut state, c, &mut room);
    let EncodeStep::Written(len) = step else { panic!("{}: {step:?}", what()) };
    // WTF-8 holds back the first half of a pair.
    let step = F::encode_finish(&mut state, &mut room[len..]);
    let EncodeStep::Written(rest) = step else { panic!("{}: {step:?}", what()) };
    let len = len + rest;
    let expected = oracle::encode(F::FORM, &[u32::from(c)], Unmappable::Strict).bytes;
    assert_eq!(room[..len], expected, "{}", what());
}

/// The 256 values of a byte.
const ALL: &[u8] = &{
    let mut all = [0; 256];
    let mut i = 0;
    while i < all.len() {
        all[i] = i as u8;
        i += 1;
    }
    all
};

/// Visits the tree of a form with the depth of a short, a thorough and a long run, and returns the number of
/// well-formed sequences.
fn tree<F: Tested<Unit = u8>>(short: usize, thorough: usize, long: usize) -> u64 {
    Tree::of::<F>(cases(short, thorough, long)).code_points.into_inner()
}

/// The trees that a thorough run visits whole; the numbers of sequences are those of the definitions.
#[test]
fn in_forms_of_up_to_four_bytes() {
    const SCALAR_VALUES: u64 = 0x11_0000 - 0x800;
    let all = |found, expected| assert!(cases(0, 1, 1) == 0 || found == expected, "{found} of {expected}");
    all(tree::<Utf8>(2, 4, 4), SCALAR_VALUES);
    all(tree::<Utf8Mb3>(2, 4, 4), 0x1_0000 - 0x800);
    all(tree::<Utf16<Le>>(2, 4, 4), SCALAR_VALUES);
    all(tree::<Utf16<Be>>(2, 4, 4), SCALAR_VALUES);
    all(tree::<Ucs2<Le>>(2, 4, 4), 0x1_0000);
    all(tree::<Ucs2<Be>>(2, 4, 4), 0x1_0000);
}

#[test]
fn in_forms_with_pairs_of_three_bytes() {
    tree::<Cesu8>(2, 6, 6);
    tree::<Cesu8Mixed>(2, 6, 6);
    tree::<ModifiedUtf8>(2, 6, 6);
    tree::<JavaUtf>(2, 6, 6);
    tree::<TclUtf8>(2, 6, 6);
    tree::<Wtf8>(2, 6, 6);
}

#[test]
fn in_forms_of_longer_sequences() {
    tree::<I8>(2, 5, 5);
    tree::<UtfEbcdic>(2, 5, 5);
    tree::<Utf1>(2, 3, 5);
    tree::<FssUtf1992>(2, 3, 5);
    tree::<Utf8Bits31>(2, 4, 6);
    tree::<PerlUtf8>(2, 3, 4);
}

/// A long run visits the trees of 2^32 leaves whole.
#[test]
fn in_units_of_32_bits() {
    tree::<Utf32<Le>>(2, 2, 4);
    tree::<Utf32<Be>>(2, 2, 4);
    tree::<Ucs4<Le>>(2, 2, 4);
    tree::<Ucs4<Be>>(2, 2, 4);
}
