//! Kernels with one operation, constant or table entry changed: the proofs refute them.
//!
//! A change that a proof does not refute changes nothing that was promised: the proof holds for
//! it. Many such changes are one operation for another that is the same where they are used, as OR
//! and addition are for operands without a common bit.

use super::from_utf8::{self, Subject};
use super::solver::Solver;
use super::{to_utf8, validation};
use crate::simd::symbolic::{Mutation, mutate, sites};
use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

/// The proofs of one kernel each.
const SUBJECTS: &[(&str, Subject)] = &[
    ("the check of a byte", validation::a_byte),
    ("the end of a text", validation::end),
    ("the check of sequences of up to three bytes", validation::three),
    ("the check of sequences of two bytes", validation::two),
    ("UTF-16LE to UTF-8", to_utf8::THEOREMS[0].1),
    ("code units of UTF-32", to_utf8::THEOREMS[2].1),
    ("UTF-32 to UTF-8", to_utf8::THEOREMS[3].1),
    ("UTF-8 to UTF-16LE, with mask registers", from_utf8::THEOREMS[0].1),
    ("UTF-8 to UTF-16LE, without", from_utf8::THEOREMS[1].1),
    ("UTF-8 to UTF-32LE, without", from_utf8::THEOREMS[4].1),
    ("UTF-8 to Latin-1, with mask registers", from_utf8::THEOREMS[6].1),
    ("UTF-8 to Latin-1, without", from_utf8::THEOREMS[7].1),
];

/// How many changes of a kind were tried, and how many of them were refuted.
#[derive(Default)]
struct Count {
    tried: usize,
    refuted: usize,
}

fn start() -> Solver {
    let mut solver = Solver::start();
    solver.looks_at_some = true;
    solver
}

#[test]
#[ignore = "needs a solver: `cargo xtask prove`"]
fn changed_kernels_are_refuted() {
    let only = std::env::var("PLACEMAT_PROVE").unwrap_or_default();
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    for (name, holds) in SUBJECTS.iter().filter(|(name, _)| name.contains(&only)) {
        let mut solver = start();
        mutate(None);
        let is_right = holds(&mut solver);
        let all = sites();
        assert!(is_right, "{name}: the kernel itself");
        let mut counts = std::collections::BTreeMap::<&str, Count>::new();
        for (site, operation) in all.iter().enumerate() {
            // The check of two bytes looks nothing up.
            if operation.name == "table" && !all.iter().any(|other| other.name.starts_with("lookup")) {
                continue;
            }
            for change in 1..=operation.changes {
                mutate(Some(Mutation { site, change }));
                // A change may also ask for bits that are not there.
                let refuted = match catch_unwind(AssertUnwindSafe(|| holds(&mut solver))) {
                    Ok(holds) => !holds,
                    Err(_) => {
                        solver = start();
                        true
                    }
                };
                let count = counts.entry(operation.name).or_default();
                count.tried += 1;
                count.refuted += usize::from(refuted);
            }
        }
        mutate(None);
        let total = |of: fn(&Count) -> usize| counts.values().map(of).sum::<usize>();
        println!(
            "mutants of {name}: {} of {} refuted",
            total(|count| count.refuted),
            total(|count| count.tried)
        );
        for (operation, Count { tried, refuted }) in &counts {
            if refuted < tried {
                println!("    {operation}: {} of {tried} change nothing that is promised", tried - refuted);
            }
        }
    }
    std::panic::set_hook(hook);
}
