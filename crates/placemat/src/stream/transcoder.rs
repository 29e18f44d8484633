//! Between two forms known at compile time.

use super::carry::Carry;
use crate::engine::{Core, Progress, Tally};
use crate::forms::{EncodingForm, Utf8};
use crate::policy::{ErrorPolicy, OnError, OnUnmappable, UnmappablePolicy};

/// Converts from `F` to `T` piece by piece. See the [module](super) for how calls go.
#[derive(Clone, Debug)]
pub struct Transcoder<
    F: EncodingForm,
    T: EncodingForm,
    D = ErrorPolicy<'static>,
    U = UnmappablePolicy<'static>,
> {
    core: Core<F, T>,
    carry: Carry<F::Unit>,
    on_error: D,
    on_unmappable: U,
}

/// Converts from `F` to UTF-8 piece by piece. The output is well-formed, unless `U` writes escaped bytes or surrogates.
pub type Decoder<F, D = ErrorPolicy<'static>, U = UnmappablePolicy<'static>> = Transcoder<F, Utf8, D, U>;

/// Converts from UTF-8 to `T` piece by piece.
pub type Encoder<T, D = ErrorPolicy<'static>, U = UnmappablePolicy<'static>> = Transcoder<Utf8, T, D, U>;

impl<F: EncodingForm, T: EncodingForm, D: OnError, U: OnUnmappable> Transcoder<F, T, D, U> {
    /// A transcoder at the start of a text.
    #[must_use]
    pub fn new(on_error: D, on_unmappable: U) -> Self {
        const {
            assert!(
                F::MAX_UNITS <= super::carry::LONGEST,
                "a sequence of the form is too long to be carried"
            );
        };
        Self { core: Core::default(), carry: Carry::default(), on_error, on_unmappable }
    }

    /// Converts as much of `src` as fits into `dst`; `last` says that the text ends with `src`.
    ///
    /// After [`Status::NeedOutput`](super::Status), `IllFormed` or `Unmappable`, call again with `src[read..]` and the
    /// same `last`. Once it was `Done`, nothing follows.
    #[must_use]
    pub fn convert(&mut self, src: &[F::Unit], dst: &mut [T::Unit], last: bool) -> Progress {
        let Self { core, carry, on_error, on_unmappable } = self;
        carry.run(src, dst, last, |src, dst, last, extent| {
            core.run(src, dst, last, extent, on_error, on_unmappable)
        })
    }

    /// The least size of `dst` with which every call makes progress, in code units of `T`.
    #[must_use]
    pub fn min_output(&self) -> usize {
        min_output(T::MAX_UNITS, F::MAX_CODE_POINTS, &self.on_error, &self.on_unmappable)
    }

    /// From now on, count the code points too.
    #[must_use]
    pub fn counting(mut self) -> Self {
        self.core.tally.decoded = Some(0);
        self
    }

    /// What it came across so far.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.core.tally
    }
}

/// Room for the longest that one step or error can become: each code point, or each of its replacement, may be unmappable
/// in turn.
pub(super) fn min_output(
    max_units: usize,
    max_code_points: usize,
    on_error: &impl OnError,
    on_unmappable: &impl OnUnmappable,
) -> usize {
    let code_points = on_error.longest().max(max_code_points).saturating_mul(on_unmappable.longest().max(1));
    code_points.saturating_mul(max_units)
}
