//! Proofs about the kernels: `cargo xtask prove` runs them. `docs/trust/proofs.md` has the
//! theorems, and what they assume.
//!
//! Each proof runs a kernel's own code on [`symbolic`](crate::simd::symbolic) vectors and asks a
//! solver, Z3, whether any text contradicts the claim.
#![allow(clippy::print_stdout, reason = "proofs say what they prove")]
#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "numbers of lanes")]

mod from_utf8;
mod mutants;
mod solver;
mod table;
mod to_utf8;
mod validation;

use self::solver::Solver;
use std::time::Instant;

/// Theorems: a name, and what asks the solver for each claim that proves it; `false` if one of them
/// does not hold.
type Theorems = &'static [(&'static str, fn(&mut Solver) -> bool)];

/// Proves the theorems whose names have the text of the variable `PLACEMAT_PROVE`, or all.
fn prove(theorems: Theorems) {
    let only = std::env::var("PLACEMAT_PROVE").unwrap_or_default();
    let mut wrong = vec![];
    for (name, holds) in theorems.iter().filter(|(name, _)| name.contains(&only)) {
        let began = Instant::now();
        let mut solver = Solver::start();
        let is_proved = holds(&mut solver);
        let took = began.elapsed().as_secs_f64();
        if is_proved {
            println!("proved: {name}; {} claims, {took:.1} s", solver.asked());
        } else {
            println!("REFUTED: {name}; by the bytes {}", solver.counterexample());
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "not proved: {wrong:?}");
}

#[test]
#[ignore = "needs a solver: `cargo xtask prove`"]
fn validation_is_proved() {
    prove(validation::THEOREMS);
}

#[test]
#[ignore = "needs a solver: `cargo xtask prove`"]
fn conversions_of_utf8_are_proved() {
    prove(from_utf8::THEOREMS);
}

#[test]
#[ignore = "needs a solver: `cargo xtask prove`"]
fn conversions_to_utf8_are_proved() {
    prove(to_utf8::THEOREMS);
}
