//! The plan: how to convert the next stretch of text.

use super::ahead::Ahead;
use super::mend::is_mendable;
use super::pairs::Pair;
use crate::forms::form::Bulk;
use crate::ground::hints::{Engine, Substitutes};
use crate::ground::policy::{OnError, OnUnmappable};
use crate::ground::unit::CodeUnit;
use crate::simd::bytes_of;

/// A strategy to convert the next stretch of a text. It converts a prefix, which may be empty; a
/// scalar step follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strategy {
    /// Step by step, up to `reach`: no kernel serves the pair, or its kernel stops too often.
    Steps { reach: usize },
    /// By kernels, with U+FFFD for each maximal subpart of an ill-formed sequence.
    Replace,
    /// By a kernel that asks the policy for the replacement of each error: into UTF-8, and if
    /// errors are near each other through UTF-8 into other forms.
    Mend,
    /// By the kernel for the pair, up to `reach`.
    Kernel { reach: usize },
    /// By the loop that one of the forms has in place of a kernel.
    Quick,
}

/// Tables lack many code points. If a kernel stops after fewer code units than this, steps are
/// faster.
const MIN_KERNEL_UNITS: usize = 32;

/// The inputs of the choice: the policies, and the errors met in this call.
pub(super) struct Plan {
    /// Each maximal subpart becomes one U+FFFD.
    replacing: bool,
    /// The policy's replacements can be put into the text before the kernel reads it.
    mendable: bool,
    /// The rule for unmappable code points, if the policy need not be asked about each of them.
    pub(super) substitutes: Option<Substitutes>,
    /// The target's table lacks many code points of this text.
    sparse: bool,
    ahead: Ahead,
}

impl Plan {
    /// Returns `None` if a policy wants to see each code point; then the engine takes only scalar
    /// steps.
    pub(super) fn new(on_error: &dyn OnError, on_unmappable: &dyn OnUnmappable) -> Option<Self> {
        let (hints, unmappables) = (on_error.hints(Engine), on_unmappable.hints(Engine));
        if hints.inspects() || unmappables.inspects() {
            return None;
        }
        Some(Self {
            replacing: hints.is_plain_replacement(),
            mendable: is_mendable(on_error),
            substitutes: unmappables.answer,
            sparse: false,
            ahead: Ahead::default(),
        })
    }

    /// Chooses the strategy for the units of `src` from `at` on.
    #[inline(always)]
    pub(super) fn strategy<U: CodeUnit>(&mut self, pair: Pair, src: &[U], at: usize) -> Strategy {
        if self.sparse {
            return Strategy::Steps { reach: src.len().min(at + MIN_KERNEL_UNITS) };
        }
        if pair.quick {
            return Strategy::Quick;
        }
        if !pair.has_kernel() {
            return Strategy::Steps { reach: src.len() };
        }
        if pair.from == Bulk::Utf8 && self.replacing && pair.represents_replacement() {
            return Strategy::Replace;
        }
        let to_utf8 = pair.to.in_bytes() == Bulk::Utf8;
        if pair.from == Bulk::Utf8 && self.mendable && (to_utf8 || self.ahead.is_near()) {
            return Strategy::Mend;
        }
        Strategy::Kernel { reach: self.ahead.reach(pair.from, bytes_of(src), at * U::BYTES) / U::BYTES }
    }

    /// Notes the progress of a kernel.
    #[inline(always)]
    pub(super) fn kernel_took(&mut self, pair: Pair, units: usize) {
        self.sparse = pair.is_table() && units < MIN_KERNEL_UNITS;
    }

    /// Notes that the engine took `units` of a stretch of `len` by steps. The stretch may end
    /// within a sequence.
    #[inline(always)]
    pub(super) fn steps_took(&mut self, units: usize, len: usize) {
        self.sparse = self.sparse && units + 4 <= len;
    }

    /// Notes the result of a call of [`mend`](super::mend): whether another call is worthwhile.
    pub(super) fn mended(&mut self, mendable: bool) {
        self.mendable = mendable;
        self.ahead.met_none();
    }

    /// Notes an error in the units from `start` to `end`.
    #[inline(always)]
    pub(super) fn met<U: CodeUnit>(&mut self, start: usize, end: usize) {
        self.ahead.met(start * U::BYTES, end * U::BYTES);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorPolicy, UnmappablePolicy};

    fn pair(from: Bulk, to: Bulk) -> Pair {
        Pair { from, to, quick: false }
    }

    fn plan(on_error: ErrorPolicy<'_>) -> Plan {
        Plan::new(&on_error, &UnmappablePolicy::Stop).expect("it inspects nothing")
    }

    const SRC: &[u8] = &[b'a'; 100];

    #[test]
    fn policies_that_inspect_have_no_plan() {
        assert!(Plan::new(&ErrorPolicy::Optu, &UnmappablePolicy::Stop).is_none());
        assert!(Plan::new(&ErrorPolicy::Stop, &UnmappablePolicy::Optu).is_none());
    }

    #[test]
    fn replacement_has_its_own_strategy_where_the_target_represents_it() {
        let mut plan = plan(ErrorPolicy::Replace);
        for to in [Bulk::Utf8, Bulk::Utf16Le, Bulk::Utf16, Bulk::Utf32Be, Bulk::Void] {
            assert_eq!(plan.strategy(pair(Bulk::Utf8, to), SRC, 0), Strategy::Replace, "{to:?}");
        }
        // Latin-1 cannot represent U+FFFD, and UTF-16 has other kinds of error.
        let kernel = Strategy::Kernel { reach: SRC.len() };
        assert_eq!(plan.strategy(pair(Bulk::Utf8, Bulk::Latin1), SRC, 0), kernel);
        assert_eq!(plan.strategy(pair(Bulk::Utf16Le, Bulk::Utf8), SRC, 0), kernel);
    }

    #[test]
    fn errors_near_each_other_are_mended() {
        let mut plan = plan(ErrorPolicy::Skip);
        let (to_utf8, to_utf16) = (pair(Bulk::Utf8, Bulk::Utf8), pair(Bulk::Utf8, Bulk::Utf16));
        for at in 0..10 {
            assert_eq!(
                plan.strategy(to_utf16, SRC, at),
                if at < 5 { Strategy::Kernel { reach: 100 } } else { Strategy::Mend }
            );
            assert_eq!(plan.strategy(to_utf8, SRC, at), Strategy::Mend);
            plan.met::<u8>(at, at + 1);
        }
        plan.mended(true);
        assert_eq!(plan.strategy(to_utf16, SRC, 10), Strategy::Kernel { reach: 100 });
    }

    #[test]
    fn steps_serve_pairs_without_a_kernel_and_what_a_table_lacks() {
        let mut plan = plan(ErrorPolicy::Stop);
        assert_eq!(plan.strategy(pair(Bulk::None, Bulk::Utf8), SRC, 0), Strategy::Steps { reach: 100 });
        let quick = Pair { quick: true, ..pair(Bulk::None, Bulk::Utf8) };
        assert_eq!(plan.strategy(quick, SRC, 0), Strategy::Quick);
        #[cfg(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr"))]
        {
            use crate::forms::facts::{CharsetFunctions, SingleByteTables};
            static ONE_BYTE: CharsetFunctions = CharsetFunctions {
                is_stateless: true,
                single: Some(SingleByteTables {
                    code_points: |_, _| {},
                    decoder: |_| unreachable!(),
                    units: |_| unreachable!(),
                    encoder: |_| unreachable!(),
                }),
                ..CharsetFunctions::NONE
            };
            let table = Bulk::of(Some(&ONE_BYTE), 0);
            let to_table = pair(Bulk::Utf8, table);
            plan.kernel_took(to_table, 5);
            assert_eq!(plan.strategy(to_table, SRC, 5), Strategy::Steps { reach: 5 + MIN_KERNEL_UNITS });
            plan.steps_took(3, MIN_KERNEL_UNITS);
            assert_eq!(plan.strategy(to_table, SRC, 8), Strategy::Steps { reach: 8 + MIN_KERNEL_UNITS });
            // No code point was missing in the last stretch, so the kernel goes on.
            plan.steps_took(MIN_KERNEL_UNITS, MIN_KERNEL_UNITS);
            assert_eq!(plan.strategy(to_table, SRC, 40), Strategy::Kernel { reach: 100 });
        }
    }
}
