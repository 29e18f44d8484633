//! Table 3-7 of the Unicode Standard, as terms: the definition that the kernels are compared with.

use crate::simd::terms::Term;

/// The states of the automaton that reads a text by table 3-7: the bytes that must follow.
pub(super) const BETWEEN: u64 = 0;
const ONE: u64 = 1;
const TWO: u64 = 2;
const TWO_AFTER_E0: u64 = 3;
const TWO_AFTER_ED: u64 = 4;
const THREE: u64 = 5;
const THREE_AFTER_F0: u64 = 6;
const THREE_AFTER_F4: u64 = 7;
pub(super) const ILL_FORMED: u64 = 8;

pub(super) fn state(state: u64) -> Term {
    Term::constant(4, state)
}

/// The first row that applies.
fn first(rows: &[(Term, u64)]) -> Term {
    rows.iter().rev().fold(state(ILL_FORMED), |rest, (applies, next)| applies.choose(state(*next), rest))
}

/// The state after a byte.
pub(super) fn next(before: Term, byte: Term) -> Term {
    let lead = first(&[
        (byte.within(0x00, 0x7F), BETWEEN),
        (byte.within(0xC2, 0xDF), ONE),
        (byte.is(0xE0), TWO_AFTER_E0),
        (byte.within(0xE1, 0xEC), TWO),
        (byte.is(0xED), TWO_AFTER_ED),
        (byte.within(0xEE, 0xEF), TWO),
        (byte.is(0xF0), THREE_AFTER_F0),
        (byte.within(0xF1, 0xF3), THREE),
        (byte.is(0xF4), THREE_AFTER_F4),
    ]);
    let allowed = |state, from, to, next| (before.is(state).both(byte.within(from, to)), next);
    let later = first(&[
        allowed(ONE, 0x80, 0xBF, BETWEEN),
        allowed(TWO, 0x80, 0xBF, ONE),
        allowed(TWO_AFTER_E0, 0xA0, 0xBF, ONE),
        allowed(TWO_AFTER_ED, 0x80, 0x9F, ONE),
        allowed(THREE, 0x80, 0xBF, TWO),
        allowed(THREE_AFTER_F0, 0x90, 0xBF, TWO),
        allowed(THREE_AFTER_F4, 0x80, 0x8F, TWO),
    ]);
    before.is(BETWEEN).choose(lead, later)
}

/// The state after three bytes, the last one first, none of which was found wrong; with zeros for
/// the bytes before a text.
pub(super) fn after([last, before1, before2]: [Term; 3]) -> Term {
    let continues = |byte: Term| byte.within(0x80, 0xBF);
    let inside = before1.within(0xF0, 0xF4).choose(
        state(TWO),
        before1
            .within(0xE0, 0xEF)
            .either(continues(before1).both(before2.within(0xF0, 0xF4)))
            .choose(state(ONE), state(BETWEEN)),
    );
    continues(last).choose(inside, next(state(BETWEEN), last))
}

/// Whether a byte never occurs in well-formed text.
pub(super) fn never_occurs(byte: Term) -> Term {
    byte.within(0xC0, 0xC1).either(byte.at_least(0xF5))
}

/// Whether a sequence is incomplete after these bytes, the last one first.
pub(super) fn is_cut([last, before1, before2]: [Term; 3]) -> Term {
    last.at_least(0xC0).either(before1.at_least(0xE0)).either(before2.at_least(0xF0))
}
