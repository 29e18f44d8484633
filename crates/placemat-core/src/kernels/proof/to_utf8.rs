//! The conversions of UTF-16 and UTF-32 write the UTF-8 of each unit, by table 3-6.

use super::super::utf16_to_utf8::{History, State, load, write};
use super::super::utf32::rank;
use super::super::utf32_to_utf8::quads;
use super::Theorems;
use super::solver::Solver;
use crate::ground::unit::{Be, ByteOrder, Le};
use crate::simd::symbolic::{Packed, Symbolic, packed, with_text};
use crate::simd::terms::{Op, Term, explore};
use crate::simd::{ShuffleOps, SimdOps, Slot};

pub(super) const THEOREMS: Theorems = &[
    ("a block of UTF-16LE to UTF-8", utf16::<Le>),
    ("a block of UTF-16BE to UTF-8", utf16::<Be>),
    ("a code unit of UTF-32 is a scalar value", scalar_values),
    ("a block of UTF-32 to UTF-8", utf32),
];

type Level = Symbolic<true>;
const LEVEL: Level = Symbolic;

/// Bytes of which some are there: the bytes themselves, one after another below zeros, and their
/// number.
fn joined(bytes: &[(Term, Term)]) -> [Term; 2] {
    let none = [Term::constant(32, 0), Term::constant(3, 0)];
    bytes.iter().fold(none, |[text, len], (byte, is_there)| {
        let longer = text.extract(0, 24).above(*byte);
        let more = len.bits(Op::Add, Term::constant(3, 1));
        [is_there.choose(longer, text), is_there.choose(more, len)]
    })
}

/// A byte of a sequence: a tag, and bits of the code point.
fn tagged(tag: u64, width: u32, bits: Term) -> Term {
    Term::constant(width, tag).above(bits)
}

/// The bytes of a code point of 21 bits, by table 3-6.
fn sequence(c: Term) -> [(Term, Term); 4] {
    let bits = |from, len| c.extract(from, len);
    let continuation = |from| tagged(0b10, 2, bits(from, 6));
    let is_from = |least| c.at_least(least);
    let lead = |tag, width, from| tagged(tag, width, bits(from, 8 - width));
    [
        (lead(0b1_1110, 5, 18), is_from(0x1_0000)),
        (is_from(0x1_0000).choose(continuation(12), lead(0b1110, 4, 12)), is_from(0x800)),
        (is_from(0x800).choose(continuation(6), lead(0b110, 3, 6)), is_from(0x80)),
        (is_from(0x80).choose(continuation(0), c.extract(0, 8)), Term::truth(true)),
    ]
}

/// The bytes that a unit of 16 bits is to become: those of its code point; or, for half of a pair,
/// the first two bytes of the pair or the last two.
fn of_unit([before, unit]: [Term; 2]) -> [Term; 2] {
    let of_pair = |high: Term, low: Term| {
        let c = Term::constant(1, 0).above(high.extract(0, 10)).above(low.extract(0, 10));
        sequence(c.bits(Op::Add, Term::constant(21, 0x1_0000)))
    };
    // The first two bytes do not depend on the last six bits, and the low surrogate has ten.
    let [a, b, ..] = of_pair(unit, Term::constant(16, 0xDC00));
    let [.., c, d] = of_pair(before, unit);
    let whole = joined(&sequence(unit.widened(21)));
    let (first, last) = (joined(&[a, b]), joined(&[c, d]));
    let pick = |i: usize| is_high(unit).choose(first[i], is_low(unit).choose(last[i], whole[i]));
    [pick(0), pick(1)]
}

fn is_high(unit: Term) -> Term {
    unit.within(0xD800, 0xDBFF)
}
fn is_low(unit: Term) -> Term {
    unit.within(0xDC00, 0xDFFF)
}

/// The bytes before the block are those of one unit.
const BLOCK_BYTES: i32 = 2;

fn unit16<O: ByteOrder<Unit16 = u8>>(index: i32) -> Term {
    let at = BLOCK_BYTES + 2 * index;
    let is_big = O::get16(&[0, 1]) == Some(1);
    let (low, high) = if is_big { (at + 1, at) } else { (at, at + 1) };
    Term::byte(high).above(Term::byte(low))
}

/// The packed bytes, one after another, in equal parts: one for each unit.
fn bytes_of_units(packed: &[Packed], units: usize) -> Vec<Vec<(Term, Term)>> {
    let all: Vec<(Term, Term)> = packed
        .iter()
        .flat_map(|Packed { units, keep }| {
            units.iter().zip(keep).map(|(unit, is_there)| (unit[0], *is_there))
        })
        .collect();
    all.chunks(all.len() / units).map(<[_]>::to_vec).collect()
}

fn utf16<O: ByteOrder<Unit16 = u8>>(solver: &mut Solver) -> bool {
    let states = [false, true].into_iter().flat_map(|open| [0, 1].map(|history| (open, history)));
    let some = solver.looks_at_some;
    states.into_iter().all(|(open, history)| {
        let paths = with_text((0..BLOCK_BYTES + 64).map(Term::byte).collect(), |src| {
            explore(|| {
                packed();
                let mut state = State { open, history: History(history), ..State::default() };
                let at = BLOCK_BYTES as usize;
                let units = load::<Level, O>(LEVEL, src[at..].first_chunk().expect("64 bytes"));
                let mut buffer = [0; 128];
                let out = Slot::of_array(&mut buffer);
                let is_accepted = write::<Level, O>(LEVEL, &mut state, src, at, units, 32, out).is_some();
                (is_accepted.then(packed), state.open)
            })
        });
        assert!(paths.iter().any(|path| path.result.0.is_some()), "some block is accepted");
        let before = is_high(unit16::<O>(-1)).equals(Term::truth(open));
        paths.into_iter().all(|path| {
            let condition = path.condition.both(before);
            let paired = |i| is_low(unit16::<O>(i)).equals(is_high(unit16::<O>(i - 1)));
            let (Some(packed), is_open) = path.result else {
                return solver.holds(condition, Term::all((0..32).map(paired)).not());
            };
            let bytes = bytes_of_units(&packed, 32);
            let last = is_high(unit16::<O>(31)).equals(Term::truth(is_open));
            let units = (0..32).map(|i| (i + 8) % 32).filter(|i| !some || [0, 1, 8, 31].contains(i));
            solver.holds(condition, last)
                && units.into_iter().all(|i| {
                    let [before, unit] = [unit16::<O>(i - 1), unit16::<O>(i)];
                    let (found, meant) = (joined(&bytes[i as usize]), of_unit([before, unit]));
                    let claim = Term::all([paired(i), found[0].equals(meant[0]), found[1].equals(meant[1])]);
                    solver.holds(condition, claim)
                })
        })
    })
}

fn unit32(index: i32) -> Term {
    let byte = |i| Term::byte(4 * index + i);
    byte(3).above(byte(2)).above(byte(1).above(byte(0)))
}

fn is_scalar_value(unit: Term) -> Term {
    unit.within(0xD800, 0xDFFF).not().both(Term::constant(32, 0x10_FFFF).ge(unit))
}

/// The lanes of 32 bits that a function makes of a block.
fn lanes32(run: impl Fn(<Level as SimdOps>::Block) -> <Level as SimdOps>::Block) -> Vec<Term> {
    let mut paths = with_text((0..64).map(Term::byte).collect(), |src| {
        let units = LEVEL.load(src.first_chunk().expect("64 bytes"));
        explore(|| run(units))
    });
    let lanes = paths.remove(0).result;
    lanes.chunks(4).map(|lane| lane[3].above(lane[2]).above(lane[1].above(lane[0]))).collect()
}

fn scalar_values(solver: &mut Solver) -> bool {
    let ranks = lanes32(|units| rank(LEVEL, units));
    (0..16).all(|i| {
        let below = ranks[i as usize].at_least(0x10_F800).not();
        solver.holds(Term::truth(true), below.equals(is_scalar_value(unit32(i))))
    })
}

fn utf32(solver: &mut Solver) -> bool {
    let paths = with_text((0..64).map(Term::byte).collect(), |src| {
        explore(|| {
            packed();
            let units = LEVEL.load(src.first_chunk().expect("64 bytes"));
            LEVEL.pack_quads(quads(LEVEL, units), Slot::of_array(&mut [0; 64]));
            packed()
        })
    });
    paths.into_iter().all(|path| {
        let bytes = bytes_of_units(&path.result, 16);
        (0..16).all(|i| {
            let unit = unit32(i);
            let (found, meant) = (joined(&bytes[i as usize]), joined(&sequence(unit.extract(0, 21))));
            let same = found[0].equals(meant[0]).both(found[1].equals(meant[1]));
            solver.holds(path.condition.both(is_scalar_value(unit)), same)
        })
    })
}
