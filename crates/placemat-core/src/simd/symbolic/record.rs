//! The text that a proof is about, the change that it makes, and the operations and packed units that
//! it records.

use super::super::terms::{Term, count_operation};
use core::cell::{Cell, RefCell};

/// The byte that code reads if it looks at a byte of the text without the layer: no text has it.
const FILLER: u8 = 0xFF;

/// A change of one operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mutation {
    /// The number of the operation, in the order of their execution on a path.
    pub(crate) site: usize,
    /// Which of its changes, from 1.
    pub(crate) change: usize,
}

/// An operation that was executed, and the number of its changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub(crate) name: &'static str,
    pub(crate) changes: usize,
}

thread_local! {
    static MUTATION: Cell<Option<Mutation>> = const { Cell::new(None) };
    static SITES: RefCell<Vec<Site>> = const { RefCell::new(vec![]) };
    /// The text: the address of its first byte, and the terms of its bytes.
    static TEXT: RefCell<(usize, Vec<Term>)> = const { RefCell::new((0, vec![])) };
    static PACKED: RefCell<Vec<Packed>> = const { RefCell::new(vec![]) };
}

/// Sets the change to make, and forgets the operations so far.
pub(crate) fn mutate(mutation: Option<Mutation>) {
    MUTATION.set(mutation);
    SITES.take();
}

/// The operations executed since [`mutate`].
pub(crate) fn sites() -> Vec<Site> {
    SITES.take()
}

/// Counts an operation that has this number of changes. Returns the change to make, 0 for none.
pub(super) fn site(name: &'static str, changes: usize) -> usize {
    let number = count_operation();
    SITES.with_borrow_mut(|sites| {
        if number == sites.len() {
            sites.push(Site { name, changes });
        }
    });
    match MUTATION.get() {
        Some(mutation) if mutation.site == number => mutation.change,
        _ => 0,
    }
}

/// Runs code without the change.
pub(crate) fn unchanged<R>(run: impl FnOnce() -> R) -> R {
    let (mutation, sites) = (MUTATION.take(), SITES.take());
    let result = run();
    MUTATION.set(mutation);
    SITES.set(sites);
    result
}

/// Runs code on a text of terms. Operations inside it can be found by their address in the slice.
pub(crate) fn with_text<R>(terms: Vec<Term>, run: impl FnOnce(&[u8]) -> R) -> R {
    let bytes = vec![FILLER; terms.len()];
    TEXT.set((bytes.as_ptr().addr(), terms));
    let result = run(&bytes);
    TEXT.take();
    result
}

pub(super) fn loaded(src: &[u8], at: usize) -> Term {
    TEXT.with_borrow(|(start, terms)| {
        let address = (src.as_ptr().addr() + at).wrapping_sub(*start);
        terms.get(address).copied().unwrap_or_else(|| Term::u8(src[at]))
    })
}

/// The units that an operation packed.
#[derive(Clone, Debug)]
pub(crate) struct Packed {
    /// The bytes of each unit, the lowest first.
    pub(crate) units: Vec<Vec<Term>>,
    /// Which of them are written.
    pub(crate) keep: Vec<Term>,
}

/// Returns what was packed since the last call.
pub(crate) fn packed() -> Vec<Packed> {
    PACKED.take()
}

pub(super) fn pack(units: Vec<Vec<Term>>, keep: Vec<Term>) -> usize {
    PACKED.with_borrow_mut(|all| all.push(Packed { units, keep }));
    0
}
