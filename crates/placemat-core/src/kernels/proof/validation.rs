//! Validation accepts exactly the texts of table 3-7, of every length.

use super::super::checker::{Checker, is_unfinished, truncated_leads};
use super::super::validate::{few_blocks_prefix_in_registers, short_prefix};
use super::Theorems;
use super::solver::Solver;
use super::table::{BETWEEN, ILL_FORMED, after, is_cut, never_occurs, next, state};
use crate::simd::symbolic::{Block, Symbolic, unchanged, with_text};
use crate::simd::terms::{Term, explore};
use crate::simd::{BLOCK, SimdOps};

pub(super) const THEOREMS: Theorems = &[
    ("the check of a byte is table 3-7, at every length", a_byte),
    ("all lanes of a block are checked alike", lanes),
    ("the end of a text", end),
    ("the check of sequences of up to three bytes", three),
    ("the check of sequences of two bytes", two),
    ("the longest sequence is not underestimated", longest),
    ("texts of up to 64 bytes", short),
    ("texts of 65 to 512 bytes in registers, near whole blocks", few_blocks),
];

type Level = Symbolic<true>;
const LEVEL: Level = Symbolic;

fn bytes(range: core::ops::Range<i32>) -> Vec<Term> {
    range.map(Term::byte).collect()
}

/// Runs code that decides nothing.
fn straight<R>(run: impl FnMut() -> R) -> R {
    let mut paths = explore(run);
    assert_eq!(paths.len(), 1, "no decisions");
    paths.remove(0).result
}

/// The errors of the lanes of a block, after the three bytes before it: bytes 0 to 66.
fn errors_in_window() -> Block {
    with_text(bytes(0..67), |src| {
        let window = src.first_chunk().expect("67 bytes");
        straight(|| Checker::new(LEVEL).errors_in(window))
    })
}

/// Whether the kernel finds an error at `byte`, after the bytes one, two and three before it.
fn is_error(lane: Term, [byte, before1, before2, before3]: [Term; 4]) -> Term {
    lane.is(0).not().with_bytes(&|index| [before3, before2, before1, byte][index as usize])
}

/// The lemmas by which the check equals the automaton of table 3-7, by induction over the bytes of
/// a text. Before the text are zeros.
///
/// A byte that never occurs is found at the byte after it, or at the end; up to there the history
/// is clean, and the automaton has stopped. In all other clean histories the state of the automaton
/// is a function of the last three bytes.
pub(super) fn a_byte(solver: &mut Solver) -> bool {
    let lane = errors_in_window()[0];
    let error = |at: usize, b: &[Term]| is_error(lane, [b[at], b[at - 1], b[at - 2], b[at - 3]]);
    let b = bytes(0..7);
    let [last, byte] = [b[5], b[6]];
    let clean = Term::all((3..6).map(|at| error(at, &b).not()));
    let q = after([b[5], b[4], b[3]]);
    let goes_on = q.is(ILL_FORMED).not();
    let error_here = error(6, &b);
    let cut = is_cut([b[5], b[4], b[3]]);
    let after_byte = next(q, byte);
    let zero = Term::u8(0);
    let truth = Term::truth(true);
    let never = never_occurs(last);
    [
        // The state before the text.
        (truth, after([zero; 3]).is(BETWEEN)),
        // Without an error, the automaton goes on, and its state is again that of three bytes.
        (
            Term::all([clean, goes_on, error_here.not(), never_occurs(byte).not()]),
            after_byte.is(ILL_FORMED).not().both(after_byte.equals(after([byte, b[5], b[4]]))),
        ),
        // An error stops the automaton.
        (Term::all([clean, goes_on, error_here]), after_byte.is(ILL_FORMED)),
        // A byte that never occurs stops it, and is found one byte later,
        (Term::all([clean, goes_on, never_occurs(byte)]), after_byte.is(ILL_FORMED)),
        (clean.both(never), error_here),
        // or at the end.
        (clean.both(never), cut),
        // Nothing else stops it in a clean history.
        (Term::all([clean, goes_on.not()]), never),
        // A sequence is incomplete at the end exactly if the automaton is in one.
        (clean.both(goes_on), cut.equals(q.equals(state(BETWEEN)).not())),
    ]
    .into_iter()
    .all(|(condition, claim)| solver.holds(condition, claim))
}

/// Each lane is the same function of its byte and the three before it: in a window, at the start of
/// a text, and after a block in registers.
fn lanes(solver: &mut Solver) -> bool {
    let window = errors_in_window();
    let mut claims = vec![];
    for (i, lane) in window.iter().enumerate() {
        let moved = window[0].with_bytes(&|index| Term::byte(index + i as i32));
        claims.push(lane.is(0).equals(moved.is(0)));
    }
    // The bytes of a text begin at index 3, and there are zeros before them.
    let at_start = with_text(bytes(3..67), |src| {
        let block = LEVEL.load(src.first_chunk().expect("64 bytes"));
        straight(|| Checker::new(LEVEL).errors_at_start(block))
    });
    for (i, lane) in at_start.iter().enumerate() {
        let there = |index: i32| if index < 3 { Term::u8(0) } else { Term::byte(index) };
        claims.push(lane.is(0).equals(window[i].is(0).with_bytes(&there)));
    }
    let in_registers = with_text(bytes(-61..67), |src| {
        // Indices below zero are unspecified bytes, which nobody may look at.
        let (before, block) = src.split_at(BLOCK);
        let [before, block] = [before, block].map(|block| LEVEL.load(block.first_chunk().expect("64 bytes")));
        straight(|| {
            let mut checker = Checker::new(LEVEL);
            checker.push_after(before, block);
            checker.errors
        })
    });
    for (i, lane) in in_registers.iter().enumerate() {
        claims.push(lane.is(0).equals(window[i].is(0)));
    }
    claims.into_iter().all(|claim| solver.holds(Term::truth(true), claim))
}

/// The end of a text adds an incomplete sequence, and nothing else.
pub(super) fn end(solver: &mut Solver) -> bool {
    let b = bytes(0..64);
    let cut = with_text(b.clone(), |src| {
        let block = LEVEL.load(src.first_chunk().expect("64 bytes"));
        straight(|| truncated_leads(LEVEL, block))
    });
    let found = Term::any(cut.map(|lane| lane.is(0).not()));
    let is_cut = is_cut([b[63], b[62], b[61]]);
    // The plain code that looks at three bytes, whose borders are a few bytes.
    let borders = [0x00, 0x7F, 0x80, 0xBF, 0xC0, 0xDF, 0xE0, 0xEF, 0xF0, 0xFF];
    let plain = borders.iter().all(|a| {
        borders.iter().all(|b| {
            borders.iter().all(|c| {
                let terms = [*c, *b, *a].map(Term::u8);
                is_unfinished([*a, *b, *c]) == super::table::is_cut(terms).is_true()
            })
        })
    });
    plain && solver.holds(Term::truth(true), found.equals(is_cut))
}

/// Whether all bytes of a window are at most `most`.
fn at_most(most: u8, range: core::ops::Range<i32>) -> Term {
    Term::all(bytes(range).into_iter().map(|byte| Term::u8(most).ge(byte)))
}

pub(super) fn three(solver: &mut Solver) -> bool {
    let general = unchanged(errors_in_window);
    let lanes = with_text(bytes(0..67), |src| {
        let window = src.first_chunk().expect("67 bytes");
        straight(|| {
            let mut checker = Checker::new(LEVEL);
            checker.push_three(window);
            checker.errors
        })
    });
    let known = at_most(0xEF, 0..67);
    (0..64).all(|i| solver.holds(known, lanes[i].is(0).equals(general[i].is(0))))
}

/// A byte `C0` or `C1` is found where it is, and not at the byte after it: so the sums of all lanes
/// are compared.
pub(super) fn two(solver: &mut Solver) -> bool {
    let general = unchanged(errors_in_window);
    let lanes = with_text(bytes(0..67), |src| {
        let window: &[u8; 67] = src.first_chunk().expect("67 bytes");
        straight(|| {
            let mut checker = Checker::new(LEVEL);
            checker.push_two::<1, 67>(window);
            checker.errors
        })
    });
    let b = bytes(0..67);
    let known = at_most(0xDF, 0..67).both(b[2].within(0xC0, 0xC1).not());
    let found = Term::any(lanes.iter().map(|lane| lane.is(0).not()));
    let last = b[66].within(0xC0, 0xC1);
    let expected = Term::any(general.iter().map(|lane| lane.is(0).not())).either(last);
    solver.holds(known, found.equals(expected))
}

/// `Checker::longest`, for every block, and for three bytes before it at the borders of its
/// comparisons.
fn longest(solver: &mut Solver) -> bool {
    let borders = [0x00, 0x7F, 0x80, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xEF, 0xF0, 0xFF];
    let mut holds = true;
    for before in borders.iter().flat_map(|a| borders.iter().flat_map(move |b| borders.map(|c| [*a, *b, c])))
    {
        let highest = before.into_iter().max().unwrap_or_default();
        let paths = with_text(bytes(0..64), |src| {
            let block = LEVEL.load(src.first_chunk().expect("64 bytes"));
            explore(|| Checker::new(LEVEL).longest(before, block))
        });
        for path in paths {
            let claim = match path.result {
                2 => at_most(0xDF, 0..64).both(Term::truth(highest < 0xE0 && before[2] & 0xFE != 0xC0)),
                3 => at_most(0xEF, 0..64).both(Term::truth(highest < 0xF0)),
                _ => Term::truth(true),
            };
            holds = holds && solver.holds(path.condition, claim);
        }
    }
    holds
}

/// Whether a text of `len` bytes has no error that the check of a byte finds, and no incomplete
/// sequence at its end. By the other theorems that is whether it is well-formed.
fn passes(len: i32) -> Term {
    let lane = errors_in_window()[0];
    let at = |index: i32| if index < 0 { Term::u8(0) } else { Term::byte(index) };
    let no_errors = (0..len).map(|i| is_error(lane, [at(i), at(i - 1), at(i - 2), at(i - 3)]).not());
    Term::all(no_errors).both(is_cut([at(len - 1), at(len - 2), at(len - 3)]).not())
}

/// Whether a kernel accepts the texts that pass, and no others, on each of its paths.
fn accepts(solver: &mut Solver, len: i32, prefix: impl Fn(&[u8]) -> usize) -> bool {
    let passes = passes(len);
    let paths = with_text(bytes(0..len), |src| explore(|| prefix(src) == src.len()));
    let all = Term::any(paths.iter().map(|path| path.condition));
    solver.holds(Term::truth(true), all)
        && paths
            .into_iter()
            .all(|path| solver.holds(path.condition, if path.result { passes } else { passes.not() }))
}

fn short(solver: &mut Solver) -> bool {
    (1..=64).all(|len| accepts(solver, len, |src| short_prefix(Symbolic::<true>, src)))
        && (4..=64).all(|len| accepts(solver, len, |src| short_prefix(Symbolic::<false>, src)))
}

/// The lengths near those where the code changes: one of them, and one more than a block.
fn few_blocks(solver: &mut Solver) -> bool {
    let is_tried = |len: &i32| *len <= 80 || !(6..61).contains(&(len % 64)) || len % 64 == 32;
    (65..=512)
        .filter(is_tried)
        .all(|len| accepts(solver, len, |src| few_blocks_prefix_in_registers(LEVEL, src)))
}
