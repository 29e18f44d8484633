//! The conversions of UTF-8 write what its definition says.
//!
//! A block that a kernel accepts keeps four promises for each of its bytes, which depend on that
//! byte and the three before it: continuation bytes are where lead bytes ask for them; no byte is
//! `C0` or `C1`; a sequence that ends here is one of table 3-7; and the code units written here are
//! those of the code point. A kernel refuses only blocks for which it could not keep them. So a text
//! whose blocks are accepted is a row of well-formed sequences, and at its end perhaps a part of
//! one.

use super::super::from_utf8::{Bytes, Open, Wide, narrow_block, wide_block};
use super::super::utf8_to_utf16::Utf16;
use super::super::utf8_to_utf32::Utf32;
use super::Theorems;
use super::solver::Solver;
use super::table::{BETWEEN, next, state};
use crate::ground::unit::{Be, Le};
use crate::simd::symbolic::{Map, Packed, Symbolic, packed, with_text};
use crate::simd::terms::{Op, Term, explore};
use crate::simd::{Bitmap, Slot};

/// A proof.
pub(super) type Subject = fn(&mut Solver) -> bool;

pub(super) const THEOREMS: Theorems = &[
    ("a block of UTF-8 to UTF-16LE, with mask registers", |solver| {
        wide::<true, Utf16<Le>>(solver, &utf16::<false>)
    }),
    ("a block of UTF-8 to UTF-16LE, without", |solver| wide::<false, Utf16<Le>>(solver, &utf16::<false>)),
    ("a block of UTF-8 to UTF-16BE", |solver| wide::<true, Utf16<Be>>(solver, &utf16::<true>)),
    ("a block of UTF-8 to UTF-32LE, with mask registers", |solver| {
        wide::<true, Utf32<Le>>(solver, &utf32::<false>)
    }),
    ("a block of UTF-8 to UTF-32LE, without", |solver| wide::<false, Utf32<Le>>(solver, &utf32::<false>)),
    ("a block of UTF-8 to UTF-32BE", |solver| wide::<true, Utf32<Be>>(solver, &utf32::<true>)),
    ("a block of UTF-8 to Latin-1, with mask registers", narrow::<true>),
    ("a block of UTF-8 to Latin-1, without", narrow::<false>),
];

/// The index of the first byte of the block.
const BLOCK: i32 = 6;

/// A byte and those before it, which the promises are about.
#[derive(Clone, Copy)]
struct Place {
    byte: Term,
    before1: Term,
    before2: Term,
    before3: Term,
}

impl Place {
    /// The place of a byte of the text.
    fn at(index: i32) -> Self {
        let byte = |back| Term::byte(index - back);
        Self { byte: byte(0), before1: byte(1), before2: byte(2), before3: byte(3) }
    }
    /// The bytes before this one ask for a continuation byte here.
    fn must_continue(self) -> Term {
        self.before1.at_least(0xC0).either(self.before2.at_least(0xE0)).either(self.before3.at_least(0xF0))
    }
    /// The next byte is not asked to continue.
    fn ends(self) -> Term {
        self.byte.at_least(0xC0).either(self.before1.at_least(0xE0)).either(self.before2.at_least(0xF0)).not()
    }
    /// Picks by the length of the sequence that this byte ends.
    fn by_len(self, one: Term, two: Term, three: Term, four: Term) -> Term {
        let (is_two, is_three) = (self.before1.at_least(0xC0), self.before2.at_least(0xE0));
        let is_one = self.byte.at_least(0x80).not();
        is_one.choose(one, is_two.choose(two, is_three.choose(three, four)))
    }
    fn is_continuation(self) -> Term {
        self.byte.within(0x80, 0xBF)
    }
    /// The first two promises.
    fn is_in_place(self) -> Term {
        self.is_continuation().equals(self.must_continue()).both(self.byte.within(0xC0, 0xC1).not())
    }
    /// The third promise.
    fn is_well_formed(self) -> Term {
        let Self { byte, before1, before2, before3 } = self;
        let read = |bytes: &[Term]| {
            bytes.iter().fold(state(BETWEEN), |before, byte| next(before, *byte)).is(BETWEEN)
        };
        let whole = self.by_len(
            read(&[byte]),
            read(&[before1, byte]),
            read(&[before2, before1, byte]),
            read(&[before3, before2, before1, byte]),
        );
        self.ends().implies(whole)
    }
    /// The code point, of 21 bits, by table 3-6.
    fn code_point(self) -> Term {
        let Self { byte, before1, before2, before3 } = self;
        let low = |byte: Term, len| byte.extract(0, len);
        self.by_len(
            byte.widened(21),
            low(before1, 5).above(low(byte, 6)).widened(21),
            low(before2, 4).above(low(before1, 6)).above(low(byte, 6)).widened(21),
            low(before3, 3).above(low(before2, 6)).above(low(before1, 6)).above(low(byte, 6)),
        )
    }
    /// The third byte of a sequence of four is here.
    fn is_third_of_four(self) -> Term {
        self.before2.at_least(0xF0)
    }
    /// The first three bytes of a sequence of four, which end here, are a part of one.
    fn begins_four(self) -> Term {
        let Self { byte, before1, before2, .. } = self;
        let lead = next(state(BETWEEN), before2);
        next(next(lead, before1), byte).is(1).both(before2.at_least(0xF0))
    }
}

fn bytes_of<const BIG: bool>(unit: Term) -> Vec<Term> {
    let mut bytes: Vec<Term> = (0..unit.width() / 8).map(|i| unit.extract(8 * i, 8)).collect();
    if BIG {
        bytes.reverse();
    }
    bytes
}

/// The promise of a form for a place: whether a unit is written there, its bytes, and a condition
/// that holds there.
struct Written {
    is_written: Term,
    unit: Vec<Term>,
    also: Term,
}

/// The code units of UTF-16, by table 3-5. The lead surrogate is written at the third byte, and so
/// the first three bytes are checked there.
fn utf16<const BIG: bool>(place: Place) -> Written {
    let (c, third) = (place.code_point(), place.is_third_of_four());
    // `c` less 0x10000, without its last ten bits, which the third byte of four does not know.
    let Place { byte, before1, before2, .. } = place;
    let begin = before2.extract(0, 3).above(before1.extract(0, 6)).above(byte.extract(4, 2));
    let lead =
        Term::constant(6, 0b11_0110).above(begin.bits(Op::Sub, Term::constant(11, 0x40)).extract(0, 10));
    let trail = Term::constant(6, 0b11_0111).above(c.extract(0, 10));
    let is_long = c.at_least(0x1_0000);
    let unit = third.choose(lead, is_long.choose(trail, c.extract(0, 16)));
    Written {
        is_written: place.ends().either(third),
        unit: bytes_of::<BIG>(unit),
        also: third.implies(place.begins_four()),
    }
}

fn utf32<const BIG: bool>(place: Place) -> Written {
    let unit = place.code_point().widened(32);
    Written { is_written: place.ends(), unit: bytes_of::<BIG>(unit), also: Term::truth(true) }
}

fn latin1(place: Place) -> Written {
    let c = place.code_point();
    Written {
        is_written: place.ends(),
        unit: vec![c.extract(0, 8)],
        // There are no other lead bytes.
        also: place.byte.at_least(0xC0).implies(place.byte.within(0xC2, 0xC3)),
    }
}

/// The bitmaps of the sequences that begin in the three bytes before `at`.
fn open_after(at: i32) -> Open<Map<64>> {
    let [a, b, c] = [3, 2, 1].map(|back| Term::byte(at - back));
    let map = |bits: &[Term]| {
        let mut map = Map::<64>::of(0);
        map.0[..bits.len()].copy_from_slice(bits);
        map
    };
    let from = |least: u64| map(&[a.at_least(least), b.at_least(least), c.at_least(least)]);
    Open { two: map(&[c.at_least(0xC0)]), three: from(0xE0), four: from(0xF0) }
}

/// Whether the kernel will ask the same of the next block as it would of these bitmaps.
fn asks_alike(a: Open<Map<64>>, b: Open<Map<64>>) -> Term {
    let all = [(a.two, b.two), (a.three, b.three), (a.four, b.four)];
    Term::all(all.into_iter().flat_map(|(a, b)| (0..64).map(move |i| a.0[i].equals(b.0[i]))))
}

/// Converts the last 64 bytes of a window.
type Run = dyn Fn(&[u8; 67], &mut Open<Map<64>>) -> Option<usize>;

/// Runs a block on each of its paths, and compares what it accepts and writes with the promises.
fn block(solver: &mut Solver, written: &dyn Fn(Place) -> Written, run: &Run) -> bool {
    let text = (BLOCK - 3..BLOCK + 64).map(Term::byte).collect();
    let paths = with_text(text, |src| {
        let window = src.first_chunk().expect("67 bytes");
        explore(|| {
            packed();
            let mut open = open_after(BLOCK);
            let is_accepted = run(window, &mut open).is_some();
            (is_accepted.then(|| packed().pop()).flatten(), open)
        })
    });
    assert!(paths.iter().any(|path| path.result.0.is_some()), "some block is accepted");
    // The promises for the bytes before the block.
    let well_formed = |range: core::ops::Range<i32>| {
        Term::all(
            range
                .map(Place::at)
                .flat_map(|place| [place.is_in_place(), place.is_well_formed(), written(place).also]),
        )
    };
    let before = well_formed(BLOCK - 3..BLOCK);
    let block = well_formed(BLOCK..BLOCK + 64);
    let some = solver.looks_at_some;
    paths.into_iter().all(|path| {
        let condition = path.condition.both(before);
        let (Some(Packed { units, keep }), open) = path.result else {
            return solver.holds(condition, block.not());
        };
        // From the middle, where a wrong kernel is refuted soonest.
        let lanes =
            (0..64).map(|i| (i + 8) % 64).filter(|i| !some || [0, 1, 2, 3, 8, 9, 31, 32, 63].contains(i));
        solver.holds(condition, asks_alike(open, open_after(BLOCK + 64)))
            && lanes.into_iter().all(|i| {
                let place = Place::at(BLOCK + i);
                let meant = written(place);
                let lane = i as usize;
                let same = units[lane].iter().zip(&meant.unit).map(|(a, b)| a.equals(*b));
                assert_eq!(units[lane].len(), meant.unit.len(), "units of the same length");
                let claim = Term::all([
                    place.is_in_place(),
                    place.is_well_formed(),
                    meant.also,
                    keep[lane].equals(meant.is_written),
                    keep[lane].implies(Term::all(same)),
                ]);
                solver.holds(condition, claim)
            })
    })
}

fn wide<const MASKS: bool, T: Wide>(solver: &mut Solver, written: &dyn Fn(Place) -> Written) -> bool {
    block(solver, written, &|window, open| {
        let level = Symbolic::<MASKS>;
        let mut buffer = T::EMPTY;
        let bytes = Bytes::of(level, window);
        wide_block::<_, T>(level, &bytes, open, Map::of(u64::MAX), T::room_of(&mut buffer))
    })
}

fn narrow<const MASKS: bool>(solver: &mut Solver) -> bool {
    block(solver, &latin1, &|window, open| {
        let level = Symbolic::<MASKS>;
        let bytes = Bytes::of(level, window);
        narrow_block(level, &bytes, open, Map::of(u64::MAX), Slot::of_array(&mut [0; 64]))
    })
}
