//! The plan: how to convert the next stretch of text.

use super::ahead::Ahead;
use super::mend::is_mendable;
use super::pairs::Pair;
use crate::forms::form::Bulk;
use crate::ground::hints::{Engine, Substitutes};
use crate::ground::policy::{OnError, OnUnmappable};
use crate::ground::unit::CodeUnit;
use crate::simd::bytes_of;

/// A way to convert the next stretch of a text. It takes as much as it can, which may be nothing; a scalar step
/// follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Step by step, up to `reach`: no kernel serves the pair, or it stops too often.
    Steps { reach: usize },
    /// By kernels, with U+FFFD for each maximal subpart of an ill-formed sequence.
    Replace,
    /// By a kernel that asks the policy for what stands for each error: into UTF-8, and into other forms by way of it, if
    /// errors are near each other.
    Mend,
    /// By the kernel for the pair, up to `reach`.
    Kernel { reach: usize },
    /// By the loop that one of the forms has in place of a kernel.
    Quick,
}

/// Tables lack many code points. If a kernel stops after fewer units than this, steps are faster.
const NEAR: usize = 32;

/// The basis of the choice: the policies, and the errors met in this call.
pub(super) struct Plan {
    /// Each maximal subpart becomes one U+FFFD.
    replacing: bool,
    /// The policy's replacements can be put into the text before the kernel reads it.
    mendable: bool,
    /// The rule for unmappable code points, if the policy need not be asked about each of them.
    pub(super) substitutes: Option<Substitutes>,
    /// The target's table lacks much of this text.
    sparse: bool,
    ahead: Ahead,
}

impl Plan {
    /// `None` if a policy wants to see each code point; then the engine takes only scalar steps.
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

    /// The way to convert the units of `src` from `at` on.
    #[inline(always)]
    pub(super) fn way<U: CodeUnit>(&mut self, pair: Pair, src: &[U], at: usize) -> Way {
        if self.sparse {
            return Way::Steps { reach: src.len().min(at + NEAR) };
        }
        if pair.quick {
            return Way::Quick;
        }
        if !pair.has_kernel() {
            return Way::Steps { reach: src.len() };
        }
        if pair.from == Bulk::Utf8 && self.replacing && pair.holds_replacement() {
            return Way::Replace;
        }
        let to_utf8 = pair.to.in_bytes() == Bulk::Utf8;
        if pair.from == Bulk::Utf8 && self.mendable && (to_utf8 || self.ahead.is_near()) {
            return Way::Mend;
        }
        Way::Kernel { reach: self.ahead.reach(pair.from, bytes_of(src), at * U::BYTES) / U::BYTES }
    }

    /// Notes the progress of a kernel.
    #[inline(always)]
    pub(super) fn kernel_took(&mut self, pair: Pair, units: usize) {
        self.sparse = pair.is_table() && units < NEAR;
    }

    /// Notes that the engine took `units` of a stretch of `len` by steps. The stretch may end within a sequence.
    #[inline(always)]
    pub(super) fn steps_took(&mut self, units: usize, len: usize) {
        self.sparse = self.sparse && units + 4 <= len;
    }

    /// Notes a call of [`mend`](super::mend), and whether another is worthwhile.
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
    fn replacement_is_a_way_of_its_own_where_the_target_holds_it() {
        let mut plan = plan(ErrorPolicy::Replace);
        for to in [Bulk::Utf8, Bulk::Utf16Le, Bulk::Utf16, Bulk::Utf32Be, Bulk::Void] {
            assert_eq!(plan.way(pair(Bulk::Utf8, to), SRC, 0), Way::Replace, "{to:?}");
        }
        // Latin-1 cannot represent U+FFFD, and UTF-16 has errors of another kind.
        let kernel = Way::Kernel { reach: SRC.len() };
        assert_eq!(plan.way(pair(Bulk::Utf8, Bulk::Latin1), SRC, 0), kernel);
        assert_eq!(plan.way(pair(Bulk::Utf16Le, Bulk::Utf8), SRC, 0), kernel);
    }

    #[test]
    fn errors_near_each_other_are_mended() {
        let mut plan = plan(ErrorPolicy::Skip);
        let (to_utf8, to_utf16) = (pair(Bulk::Utf8, Bulk::Utf8), pair(Bulk::Utf8, Bulk::Utf16));
        for at in 0..10 {
            assert_eq!(
                plan.way(to_utf16, SRC, at),
                if at < 5 { Way::Kernel { reach: 100 } } else { Way::Mend }
            );
            assert_eq!(plan.way(to_utf8, SRC, at), Way::Mend);
            plan.met::<u8>(at, at + 1);
        }
        plan.mended(true);
        assert_eq!(plan.way(to_utf16, SRC, 10), Way::Kernel { reach: 100 });
    }

    #[test]
    fn steps_serve_pairs_without_a_kernel_and_what_a_table_lacks() {
        let mut plan = plan(ErrorPolicy::Stop);
        assert_eq!(plan.way(pair(Bulk::None, Bulk::Utf8), SRC, 0), Way::Steps { reach: 100 });
        let quick = Pair { quick: true, ..pair(Bulk::None, Bulk::Utf8) };
        assert_eq!(plan.way(quick, SRC, 0), Way::Quick);
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
            assert_eq!(plan.way(to_table, SRC, 5), Way::Steps { reach: 5 + NEAR });
            plan.steps_took(3, NEAR);
            assert_eq!(plan.way(to_table, SRC, 8), Way::Steps { reach: 8 + NEAR });
            // A stretch with no missing code point: the kernel again.
            plan.steps_took(NEAR, NEAR);
            assert_eq!(plan.way(to_table, SRC, 40), Way::Kernel { reach: 100 });
        }
    }
}
