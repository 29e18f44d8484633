//! Terms: values of vectors as expressions over the bytes of a text, for proofs about the kernels.
//!
//! [`symbolic`](super::symbolic) is a level of the vector layer whose lanes are terms. Equal terms
//! are one term, so that terms of different lanes can be compared, and operations on constants are
//! evaluated. [`explore`] runs code along every path that its decisions allow.

use core::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// A term: an index into the arena of this thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Term(u32);

/// Operations on two bit vectors of the same width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    And,
    Or,
    Xor,
    Add,
    Sub,
}

/// A term: a byte, a constant, or an operation on other terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    /// A byte of the text, by its index; or, if negative, a byte that an operation leaves
    /// unspecified.
    Byte(i32),
    /// A bit vector of some width.
    Const(u32, u64),
    True,
    False,
    Not(Term),
    Both(Term, Term),
    Eq(Term, Term),
    /// Whether the first is at least the second, unsigned.
    Ge(Term, Term),
    Bits(Op, Term, Term),
    If(Term, Term, Term),
    /// The first is the more significant.
    Concat(Term, Term),
    /// The first bit, the number of bits, and the term that they are taken from.
    Extract(u32, u32, Term),
    /// The entry of a table.
    Entry(usize, Term),
}

#[derive(Default)]
struct Arena {
    nodes: Vec<(Node, u32)>,
    ids: HashMap<Node, Term>,
    tables: Vec<Vec<u8>>,
}

thread_local! {
    static ARENA: RefCell<Arena> = RefCell::default();
}

/// The width of a truth value.
const TRUTH: u32 = 0;

impl Term {
    pub(crate) fn node(self) -> Node {
        ARENA.with_borrow(|arena| arena.nodes[self.0 as usize].0)
    }
    /// The number of bits; 0 for a truth value.
    pub(crate) fn width(self) -> u32 {
        ARENA.with_borrow(|arena| arena.nodes[self.0 as usize].1)
    }
    fn new(node: Node) -> Self {
        let width = match node {
            Node::Byte(_) | Node::Entry(..) => 8,
            Node::Const(width, _) | Node::Extract(_, width, _) => width,
            Node::True | Node::False | Node::Not(_) | Node::Both(..) | Node::Eq(..) | Node::Ge(..) => TRUTH,
            Node::Bits(_, a, _) | Node::If(_, a, _) => a.width(),
            Node::Concat(a, b) => a.width() + b.width(),
        };
        ARENA.with_borrow_mut(|arena| {
            if let Some(term) = arena.ids.get(&node) {
                return *term;
            }
            let term = Self(u32::try_from(arena.nodes.len()).expect("fewer than 2^32 terms"));
            arena.nodes.push((node, width));
            arena.ids.insert(node, term);
            term
        })
    }
    fn known(self) -> Option<u64> {
        match self.node() {
            Node::Const(_, value) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn byte(index: i32) -> Self {
        Self::new(Node::Byte(index))
    }
    pub(crate) fn constant(width: u32, value: u64) -> Self {
        Self::new(Node::Const(width, value & mask(width)))
    }
    pub(crate) fn u8(value: u8) -> Self {
        Self::constant(8, value.into())
    }
    pub(crate) fn truth(value: bool) -> Self {
        Self::new(if value { Node::True } else { Node::False })
    }
    pub(crate) fn is_true(self) -> bool {
        self.node() == Node::True
    }
    pub(crate) fn is_false(self) -> bool {
        self.node() == Node::False
    }
    pub(crate) fn not(self) -> Self {
        match self.node() {
            Node::True => Self::truth(false),
            Node::False => Self::truth(true),
            Node::Not(a) => a,
            _ => Self::new(Node::Not(self)),
        }
    }
    pub(crate) fn both(self, other: Self) -> Self {
        match (self.node(), other.node()) {
            (Node::False, _) | (_, Node::False) => Self::truth(false),
            (Node::True, _) => other,
            (_, Node::True) => self,
            _ if self == other => self,
            _ => Self::new(Node::Both(self.min(other), self.max(other))),
        }
    }
    pub(crate) fn either(self, other: Self) -> Self {
        self.not().both(other.not()).not()
    }
    pub(crate) fn implies(self, other: Self) -> Self {
        self.not().either(other)
    }
    pub(crate) fn all(terms: impl IntoIterator<Item = Self>) -> Self {
        balanced(terms.into_iter().collect(), Self::truth(true), Self::both)
    }
    pub(crate) fn any(terms: impl IntoIterator<Item = Self>) -> Self {
        balanced(terms.into_iter().collect(), Self::truth(false), Self::either)
    }
    /// The terms that this one is the conjunction of.
    pub(crate) fn conjuncts(self) -> HashSet<Self> {
        let (mut found, mut seen, mut work) = (HashSet::new(), HashSet::new(), vec![self]);
        while let Some(term) = work.pop() {
            if !seen.insert(term) {
                continue;
            }
            match term.node() {
                Node::Both(a, b) => work.extend([a, b]),
                _ => _ = found.insert(term),
            }
        }
        found
    }
    /// The bytes that the term depends on.
    pub(crate) fn bytes(self) -> HashSet<i32> {
        let bytes = self.with_parts(&mut HashSet::new()).into_iter().filter_map(|part| match part.node() {
            Node::Byte(index) => Some(index),
            _ => None,
        });
        bytes.collect()
    }
    /// Whether the terms are equal, truth values too.
    pub(crate) fn equals(self, other: Self) -> Self {
        if self == other {
            return Self::truth(true);
        }
        if self.width() == TRUTH {
            return self.both(other).either(self.not().both(other.not()));
        }
        match (self.known(), other.known()) {
            (Some(a), Some(b)) => Self::truth(a == b),
            (Some(0), None) => other.is_zero(),
            (None, Some(0)) => self.is_zero(),
            _ => Self::new(Node::Eq(self.min(other), self.max(other))),
        }
    }
    /// Whether all bits are zero. Each part is tested alone, so that the sum of the errors of several
    /// blocks is zero where each is.
    fn is_zero(self) -> Self {
        match self.node() {
            Node::Bits(Op::Or, a, b) | Node::Concat(a, b) => a.is(0).both(b.is(0)),
            _ => Self::new(Node::Eq(self, Self::constant(self.width(), 0))),
        }
    }
    pub(crate) fn ge(self, other: Self) -> Self {
        match (self.known(), other.known()) {
            (Some(a), Some(b)) => Self::truth(a >= b),
            (_, Some(0)) => Self::truth(true),
            _ if self == other => Self::truth(true),
            _ => Self::new(Node::Ge(self, other)),
        }
    }
    pub(crate) fn at_least(self, value: u64) -> Self {
        self.ge(Self::constant(self.width(), value))
    }
    pub(crate) fn is(self, value: u64) -> Self {
        self.equals(Self::constant(self.width(), value))
    }
    /// Whether the term is in a range, both ends included.
    pub(crate) fn within(self, from: u64, to: u64) -> Self {
        self.at_least(from).both(Self::constant(self.width(), to).ge(self))
    }
    pub(crate) fn bits(self, op: Op, other: Self) -> Self {
        let width = self.width();
        assert_eq!(width, other.width(), "operands of the same width");
        let ones = mask(width);
        match (op, self.known(), other.known()) {
            (_, Some(a), Some(b)) => return Self::constant(width, apply(op, a, b)),
            (Op::And, Some(0), _) | (Op::And, _, Some(0)) => return Self::constant(width, 0),
            (Op::And, Some(a), _) if a == ones => return other,
            (Op::And, _, Some(b)) if b == ones => return self,
            (Op::Or | Op::Xor | Op::Add, Some(0), _) => return other,
            (Op::Or | Op::Xor | Op::Add | Op::Sub, _, Some(0)) => return self,
            (Op::And | Op::Or, ..) if self == other => return self,
            (Op::Xor | Op::Sub, ..) if self == other => return Self::constant(width, 0),
            _ => {}
        }
        let (a, b) = if op == Op::Sub { (self, other) } else { (self.min(other), self.max(other)) };
        // Bit by bit, so that unspecified bits disappear where a constant clears them.
        if matches!(op, Op::And | Op::Or | Op::Xor) {
            let border = |term: Self| match term.node() {
                Node::Concat(_, low) => Some(low.width()),
                _ => None,
            };
            let border = match (border(a), border(b)) {
                (Some(border), Some(other)) if border == other => Some(border),
                (Some(border), None) if b.known().is_some() => Some(border),
                (None, Some(border)) if a.known().is_some() => Some(border),
                _ => None,
            };
            if let Some(border) = border {
                let part = |from, len| a.extract(from, len).bits(op, b.extract(from, len));
                return part(border, width - border).above(part(0, border));
            }
        }
        Self::new(Node::Bits(op, a, b))
    }
    pub(crate) fn choose(self, yes: Self, no: Self) -> Self {
        match self.node() {
            Node::True => yes,
            Node::False => no,
            _ if yes == no => yes,
            Node::Not(a) => Self::new(Node::If(a, no, yes)),
            _ => Self::new(Node::If(self, yes, no)),
        }
    }
    /// The bits of `self` above those of `low`.
    pub(crate) fn above(self, low: Self) -> Self {
        let width = self.width() + low.width();
        match (self.node(), low.node()) {
            (Node::Const(_, high), Node::Const(bits, low)) => Self::constant(width, high << bits | low),
            (Node::Extract(from, len, a), Node::Extract(start, bits, b))
                if a == b && start + bits == from =>
            {
                a.extract(start, bits + len)
            }
            _ => Self::new(Node::Concat(self, low)),
        }
    }
    /// `len` bits from bit `from` up.
    pub(crate) fn extract(self, from: u32, len: u32) -> Self {
        let width = self.width();
        assert!(from + len <= width, "bits of the term");
        if len == width {
            return self;
        }
        match self.node() {
            Node::Const(_, value) => Self::constant(len, value >> from),
            Node::Extract(start, _, a) => a.extract(start + from, len),
            Node::Concat(high, low) => {
                let border = low.width();
                if from >= border {
                    high.extract(from - border, len)
                } else if from + len <= border {
                    low.extract(from, len)
                } else {
                    high.extract(0, from + len - border).above(low.extract(from, border - from))
                }
            }
            _ => Self::new(Node::Extract(from, len, self)),
        }
    }
    /// The term with zeros above it, `width` bits together.
    pub(crate) fn widened(self, width: u32) -> Self {
        if self.width() == width { self } else { Self::constant(width - self.width(), 0).above(self) }
    }
    /// The entry of `table` at this index, of as many bits as the table needs.
    pub(crate) fn entry(self, table: &[u8]) -> Self {
        if let Some(index) = self.known() {
            return Self::u8(table[usize::try_from(index).expect("an index")]);
        }
        let known = ARENA.with_borrow_mut(|arena| {
            arena.tables.iter().position(|other| other == table).unwrap_or_else(|| {
                arena.tables.push(table.to_vec());
                arena.tables.len() - 1
            })
        });
        Self::new(Node::Entry(known, self))
    }

    /// The terms that this one is made of.
    fn parts(self) -> Vec<Self> {
        match self.node() {
            Node::Byte(_) | Node::Const(..) | Node::True | Node::False => vec![],
            Node::Not(a) | Node::Extract(_, _, a) | Node::Entry(_, a) => vec![a],
            Node::Both(a, b) | Node::Eq(a, b) | Node::Ge(a, b) | Node::Bits(_, a, b) | Node::Concat(a, b) => {
                vec![a, b]
            }
            Node::If(a, b, c) => vec![a, b, c],
        }
    }
    /// This term and all that it is made of, parts first; `seen` has those that are known already.
    pub(crate) fn with_parts(self, seen: &mut HashSet<Self>) -> Vec<Self> {
        let (mut order, mut work) = (vec![], vec![(self, false)]);
        while let Some((term, is_ready)) = work.pop() {
            if is_ready {
                order.push(term);
            } else if seen.insert(term) {
                work.push((term, true));
                work.extend(term.parts().into_iter().rev().map(|part| (part, false)));
            }
        }
        order
    }
    /// The term with other terms for the bytes.
    pub(crate) fn with_bytes(self, of: &dyn Fn(i32) -> Self) -> Self {
        let mut new: HashMap<Self, Self> = HashMap::new();
        for term in self.with_parts(&mut HashSet::new()) {
            let to = |part: Self| new[&part];
            let made = match term.node() {
                Node::Byte(index) => of(index),
                Node::Const(..) | Node::True | Node::False => term,
                Node::Not(a) => to(a).not(),
                Node::Both(a, b) => to(a).both(to(b)),
                Node::Eq(a, b) => to(a).equals(to(b)),
                Node::Ge(a, b) => to(a).ge(to(b)),
                Node::Bits(op, a, b) => to(a).bits(op, to(b)),
                Node::If(a, b, c) => to(a).choose(to(b), to(c)),
                Node::Concat(a, b) => to(a).above(to(b)),
                Node::Extract(from, len, a) => to(a).extract(from, len),
                Node::Entry(table, a) => {
                    let table = ARENA.with_borrow(|arena| arena.tables[table].clone());
                    to(a).entry(&table)
                }
            };
            new.insert(term, made);
        }
        new[&self]
    }
    /// The value of the term for given bytes; 0 or 1 for a truth value.
    pub(crate) fn value(self, bytes: &dyn Fn(i32) -> u8) -> u64 {
        let constant = self.with_bytes(&|index| Self::u8(bytes(index)));
        match constant.node() {
            Node::Const(_, value) => value,
            Node::True => 1,
            Node::False => 0,
            node => unreachable!("{node:?} has no bytes"),
        }
    }
    /// The node in the language of SMT solvers.
    pub(crate) fn smt(self) -> String {
        let name = |term: Self| term.smt_name();
        match self.node() {
            Node::Byte(_) | Node::Const(..) | Node::True | Node::False => name(self),
            Node::Not(a) => format!("(not {})", name(a)),
            Node::Both(a, b) => format!("(and {} {})", name(a), name(b)),
            Node::Eq(a, b) => format!("(= {} {})", name(a), name(b)),
            Node::Ge(a, b) => format!("(bvuge {} {})", name(a), name(b)),
            Node::Bits(op, a, b) => {
                let op = match op {
                    Op::And => "bvand",
                    Op::Or => "bvor",
                    Op::Xor => "bvxor",
                    Op::Add => "bvadd",
                    Op::Sub => "bvsub",
                };
                format!("({op} {} {})", name(a), name(b))
            }
            Node::If(a, b, c) => format!("(ite {} {} {})", name(a), name(b), name(c)),
            Node::Concat(a, b) => format!("(concat {} {})", name(a), name(b)),
            Node::Extract(from, len, a) => format!("((_ extract {} {from}) {})", from + len - 1, name(a)),
            Node::Entry(table, a) => {
                let table = ARENA.with_borrow(|arena| arena.tables[table].clone());
                let width = a.width();
                // Equal entries next to each other take one comparison.
                let mut text = format!("#x{:02x}", table[table.len() - 1]);
                for i in (0..table.len() - 1).rev() {
                    if table[i] != table[i + 1] {
                        text =
                            format!("(ite (bvule {} (_ bv{i} {width})) #x{:02x} {text})", name(a), table[i]);
                    }
                }
                text
            }
        }
    }
    /// The name of the term in scripts for solvers.
    pub(crate) fn smt_name(self) -> String {
        match self.node() {
            Node::Byte(index) if index >= 0 => format!("b{index}"),
            Node::Byte(index) => format!("u{}", -index),
            Node::Const(width, value) => format!("(_ bv{value} {width})"),
            Node::True => "true".into(),
            Node::False => "false".into(),
            _ => format!("t{}", self.0),
        }
    }
    /// The sort of the term in scripts for solvers.
    pub(crate) fn smt_sort(self) -> String {
        match self.width() {
            TRUTH => "Bool".into(),
            width => format!("(_ BitVec {width})"),
        }
    }
}

fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

fn apply(op: Op, a: u64, b: u64) -> u64 {
    match op {
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
    }
}

/// Joins terms in pairs, so that the result is not deep.
fn balanced(mut terms: Vec<Term>, none: Term, join: fn(Term, Term) -> Term) -> Term {
    while terms.len() > 1 {
        terms = terms.chunks(2).map(|pair| pair.iter().copied().reduce(join).unwrap_or(none)).collect();
    }
    terms.first().copied().unwrap_or(none)
}

/// A path through the code: what was decided on it, and its result.
pub(crate) struct Path<R> {
    /// Holds for exactly the texts that take this path.
    pub(crate) condition: Term,
    pub(crate) result: R,
}

#[derive(Default)]
struct Decisions {
    /// The answers to give, and those given; the first run answers `false` to all.
    answers: Vec<bool>,
    /// The conditions that were asked.
    asked: Vec<Term>,
    /// The number of unspecified bytes so far.
    unspecified: i32,
    /// The number of operations so far.
    operations: usize,
}

thread_local! {
    static DECISIONS: RefCell<Decisions> = RefCell::default();
}

/// Decides whether a condition holds on this path.
pub(crate) fn decide(condition: Term) -> bool {
    if condition.is_true() || condition.is_false() {
        return condition.is_true();
    }
    DECISIONS.with_borrow_mut(|decisions| {
        if let Some(i) = decisions.asked.iter().position(|asked| *asked == condition) {
            return decisions.answers[i];
        }
        if let Some(i) = decisions.asked.iter().position(|asked| asked.not() == condition) {
            return !decisions.answers[i];
        }
        if decisions.answers.len() == decisions.asked.len() {
            decisions.answers.push(false);
        }
        decisions.asked.push(condition);
        decisions.answers[decisions.asked.len() - 1]
    })
}

/// A byte of which nothing is known.
pub(crate) fn unspecified() -> Term {
    DECISIONS.with_borrow_mut(|decisions| {
        decisions.unspecified += 1;
        Term::byte(-decisions.unspecified)
    })
}

/// Counts an operation. Returns how many there were before it on this path.
pub(crate) fn count_operation() -> usize {
    DECISIONS.with_borrow_mut(|decisions| {
        decisions.operations += 1;
        decisions.operations - 1
    })
}

/// Runs code along all of its paths.
pub(crate) fn explore<R>(mut run: impl FnMut() -> R) -> Vec<Path<R>> {
    let mut paths = vec![];
    let mut answers = vec![];
    loop {
        DECISIONS.set(Decisions { answers, ..Decisions::default() });
        let result = run();
        let taken = DECISIONS.take();
        let decided = taken.asked.iter().zip(&taken.answers);
        let condition = Term::all(decided.map(|(asked, yes)| if *yes { *asked } else { asked.not() }));
        paths.push(Path { condition, result });
        assert!(paths.len() < 10_000, "fewer than 10,000 paths");
        answers = taken.answers;
        while answers.pop_if(|yes| *yes).is_some() {}
        match answers.last_mut() {
            Some(last) => *last = true,
            None => return paths,
        }
    }
}
