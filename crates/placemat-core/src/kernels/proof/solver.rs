//! A solver at work: Z3 as a process, which is asked one claim after another.

use crate::simd::terms::{Node, Term};
use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The program, unless the variable `PLACEMAT_Z3` names another.
const PROGRAM: &str = "z3";
/// How long one claim may take.
const SECONDS: u32 = 120;

pub(super) struct Solver {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    /// The terms that the solver knows.
    known: HashSet<Term>,
    asked: usize,
    /// Whether proofs of blocks may look at some of the lanes only, and keep no counterexample.
    pub(super) looks_at_some: bool,
    /// The bytes for which the last claim that failed is false.
    counterexample: String,
}

impl Solver {
    pub(super) fn start() -> Self {
        let program = std::env::var("PLACEMAT_Z3").unwrap_or_else(|_| PROGRAM.into());
        let mut process = Command::new(&program)
            .args(["-in", "-smt2"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|e| panic!("{program} does not start: {e}; `pip install z3-solver` has it"));
        let to = process.stdin.take().expect("a pipe to the solver");
        let from = BufReader::new(process.stdout.take().expect("a pipe from the solver"));
        let mut solver = Self {
            process,
            to,
            from,
            known: HashSet::new(),
            asked: 0,
            looks_at_some: false,
            counterexample: String::new(),
        };
        solver.say(&format!(
            "(set-option :timeout {})\n(set-option :global-declarations true)",
            1000 * SECONDS
        ));
        solver.say("(set-logic QF_BV)\n(push)");
        solver
    }

    fn say(&mut self, command: &str) {
        writeln!(self.to, "{command}").expect("the solver reads");
    }

    fn answer(&mut self) -> String {
        self.to.flush().expect("the solver reads");
        let mut line = String::new();
        self.from.read_line(&mut line).expect("the solver answers");
        line.trim().into()
    }

    /// Declares a term, and all that it is made of.
    fn define(&mut self, term: Term) {
        let new = term.with_parts(&mut self.known);
        for term in new {
            let (name, sort) = (term.smt_name(), term.smt_sort());
            match term.node() {
                Node::Byte(_) => self.say(&format!("(declare-const {name} {sort})")),
                Node::Const(..) | Node::True | Node::False => {}
                _ => self.say(&format!("(define-fun {name} () {sort} {})", term.smt())),
            }
        }
    }

    /// Whether a claim holds for all bytes for which the condition holds.
    ///
    /// # Panics
    /// If the solver finds no answer in time, or its counterexample is none.
    pub(super) fn holds(&mut self, condition: Term, claim: Term) -> bool {
        self.asked += 1;
        let (known, denied) = (condition.conjuncts(), claim.not().conjuncts());
        let parts: HashSet<Term> = known.union(&denied).copied().collect();
        // A part that denies a conjunction need only deny what the other parts do not say.
        let (mut all, mut reduced) = (vec![], vec![]);
        for part in parts.iter().copied() {
            let whole = part.not().conjuncts();
            let rest: Vec<Term> = whole.iter().filter(|one| !parts.contains(one)).copied().collect();
            if rest.is_empty() {
                // The other parts say all that this one denies.
                return true;
            }
            let left = Term::all(rest.iter().copied()).not();
            if rest.len() < whole.len() || denied.len() == 1 && denied.contains(&part) {
                reduced.push(left);
            }
            all.push(left);
        }
        // Most claims follow from what is known of the bytes that they are about.
        let about: HashSet<i32> = reduced.iter().flat_map(|part| part.bytes()).collect();
        let near = all.iter().filter(|part| part.bytes().is_subset(&about)).copied();
        let (near, all) = (Term::all(near), Term::all(all.iter().copied()));
        (near != all && self.is_impossible(near)) || {
            let is_proved = self.is_impossible(all);
            if !is_proved && !self.looks_at_some {
                self.examine(condition.both(claim.not()));
            }
            is_proved
        }
    }

    fn is_impossible(&mut self, condition: Term) -> bool {
        if condition.is_false() {
            return true;
        }
        self.define(condition);
        self.say("(pop)");
        self.say(&format!("(push)\n(assert {})\n(check-sat)", condition.smt_name()));
        match self.answer().as_str() {
            "unsat" => true,
            "sat" => false,
            answer => panic!("the solver answers {answer:?}"),
        }
    }

    /// Asks for the bytes of the counterexample, and evaluates the claim with them.
    fn examine(&mut self, wrong: Term) {
        let mut bytes: Vec<(i32, u8)> = vec![];
        for term in wrong.with_parts(&mut HashSet::new()) {
            if let Node::Byte(index) = term.node() {
                self.say(&format!("(get-value ({}))", term.smt_name()));
                let line = self.answer();
                let hex = line.rsplit("#x").next().and_then(|rest| rest.get(..2)).unwrap_or_default();
                bytes.push((index, u8::from_str_radix(hex, 16).unwrap_or_else(|_| panic!("a byte: {line}"))));
            }
        }
        bytes.sort_unstable();
        let value = wrong
            .value(&|index| bytes.iter().find(|(known, _)| *known == index).map_or(0, |(_, byte)| *byte));
        assert_eq!(value, 1, "the counterexample of the solver is one");
        let text: Vec<String> = bytes.iter().map(|(index, byte)| format!("{index}: {byte:02x}")).collect();
        self.counterexample = text.join(" ");
    }

    /// The number of claims so far.
    pub(super) fn asked(&self) -> usize {
        self.asked
    }
    /// The bytes for which the last claim that failed is false; negative indices are bytes that an
    /// operation leaves unspecified.
    pub(super) fn counterexample(&self) -> &str {
        &self.counterexample
    }
}

impl Drop for Solver {
    fn drop(&mut self) {
        // The solver may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
#[ignore = "needs a solver: `cargo xtask prove`"]
fn the_solver_computes_as_terms_are_evaluated() {
    use super::super::checker::Checker;
    use crate::simd::symbolic::{Symbolic, with_text};
    let mut solver = Solver::start();
    let lanes = with_text((0..67).map(Term::byte).collect(), |src| {
        Checker::new(Symbolic::<true>).errors_in(src.first_chunk().expect("67 bytes"))
    });
    let mut state = 1u64;
    for lane in lanes {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        let byte = |index: i32| (state >> (8 * (index & 7))) as u8 | 0x80;
        let value = lane.value(&byte);
        let these = Term::all(lane.bytes().into_iter().map(|index| Term::byte(index).is(byte(index).into())));
        assert!(solver.holds(these, lane.is(value)), "{value:02x} of {state:x}");
        assert!(!solver.holds(these, lane.is(value ^ 1)), "{value:02x} of {state:x}");
    }
}
