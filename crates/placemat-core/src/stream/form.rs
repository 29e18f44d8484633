//! Conversion between two forms known at compile time.

use super::carry::Carry;
use crate::engine::once::Answers;
use crate::engine::{Core, Progress, Tally};
use crate::forms::{EncodingForm, Utf8};
use crate::policy::{ErrorPolicy, OnError, OnUnmappable, UnmappablePolicy};

/// Converts from the form `F` to the form `T` piece by piece. The [module](super) explains the calls.
///
/// ```
/// use placemat::{forms::{Utf8, Utf16}, ErrorPolicy, Native, stream::{FormTranscoder, Status}};
/// let mut t = FormTranscoder::<Utf8, Utf16<Native>>::new();
/// let mut units = [0; 8];
/// let p = t.convert("5 €".as_bytes(), &mut units, true);
/// assert_eq!((p.status, &units[..p.written]), (Status::Done, &[0x35, 0x20, 0x20AC][..]));
/// // With another policy, a byte that begins nothing becomes U+FFFD.
/// let mut t = FormTranscoder::<Utf8, Utf16<Native>>::new().on_error(ErrorPolicy::Replace);
/// let p = t.convert(b"5\xFF", &mut units, true);
/// assert_eq!(&units[..p.written], [0x35, 0xFFFD]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct FormTranscoder<
    F: EncodingForm,
    T: EncodingForm,
    D = ErrorPolicy<'static>,
    U = UnmappablePolicy<'static>,
> {
    core: Core<F, T>,
    carry: Carry<F::Unit>,
    answers: Answers,
    on_error: D,
    on_unmappable: U,
}

/// Converts from `F` to UTF-8 piece by piece. The output is well-formed, unless `U` writes escaped bytes or surrogates.
///
/// ```
/// use placemat::{Be, ErrorPolicy, forms::Utf16, stream::Decoder};
/// let mut decoder = Decoder::<Utf16<Be>>::new().on_error(ErrorPolicy::Replace).counting();
/// let mut out = vec![0; decoder.min_output().max(16)];
/// let p = decoder.convert(b"\0h\xD8\0\0i", &mut out, true);
/// assert_eq!(&out[..p.written], "h\u{FFFD}i".as_bytes());
/// assert_eq!((decoder.tally().decoded, decoder.tally().replaced.count), (Some(2), 1));
/// ```
pub type Decoder<F, D = ErrorPolicy<'static>, U = UnmappablePolicy<'static>> = FormTranscoder<F, Utf8, D, U>;

/// Converts from UTF-8 to `T` piece by piece.
///
/// ```
/// use placemat::{UnmappablePolicy, forms::Latin1, stream::Encoder};
/// let mut encoder = Encoder::<Latin1>::new().on_unmappable(UnmappablePolicy::XmlReference);
/// let mut out = [0; 16];
/// let p = encoder.convert("é €".as_bytes(), &mut out, true);
/// assert_eq!(&out[..p.written], b"\xE9 &#8364;");
/// ```
pub type Encoder<T, D = ErrorPolicy<'static>, U = UnmappablePolicy<'static>> = FormTranscoder<Utf8, T, D, U>;

impl<F: EncodingForm, T: EncodingForm> FormTranscoder<F, T> {
    /// Creates a transcoder at the start of a text. It stops at every error unless policies say
    /// otherwise.
    #[must_use]
    pub fn new() -> Self {
        const {
            assert!(
                F::FACTS.max_units <= super::carry::MAX_SEQUENCE_UNITS,
                "a sequence of the form is too long to be carried"
            );
        };
        Self::default()
    }
}

impl<F: EncodingForm, T: EncodingForm, D, U> FormTranscoder<F, T, D, U> {
    /// Sets the policy for ill-formed input.
    #[must_use]
    pub fn on_error<P: OnError>(self, policy: P) -> FormTranscoder<F, T, P, U> {
        let Self { core, carry, on_unmappable, .. } = self;
        FormTranscoder { core, carry, answers: Answers::default(), on_error: policy, on_unmappable }
    }

    /// Sets the policy for text that the target cannot represent.
    ///
    /// ```
    /// use placemat::{UnmappablePolicy, forms::{Latin1, Utf8}, stream::FormTranscoder};
    /// let mut t = FormTranscoder::<Utf8, Latin1>::new().on_unmappable(UnmappablePolicy::Replace);
    /// let mut out = [0; 4];
    /// let p = t.convert("5€".as_bytes(), &mut out, true);
    /// assert_eq!(&out[..p.written], b"5?");
    /// ```
    #[must_use]
    pub fn on_unmappable<P: OnUnmappable>(self, policy: P) -> FormTranscoder<F, T, D, P> {
        let Self { core, carry, on_error, .. } = self;
        FormTranscoder { core, carry, answers: Answers::default(), on_error, on_unmappable: policy }
    }
}

impl<F: EncodingForm, T: EncodingForm, D: OnError, U: OnUnmappable> FormTranscoder<F, T, D, U> {
    /// Converts as much of `src` as fits into `dst`. Pass `last` if the text ends with `src`.
    ///
    /// After [`Status::NeedOutput`](super::Status), `IllFormed` or `Unmappable`, call again with
    /// `src[read..]` and the same `last`. After `Done`, do not call again.
    #[must_use]
    pub fn convert(&mut self, src: &[F::Unit], dst: &mut [T::Unit], last: bool) -> Progress {
        let Self { core, carry, answers, on_error, on_unmappable } = self;
        let (mut on_error, mut on_unmappable) = answers.once(on_error, on_unmappable);
        carry.run(src, dst, last, |src, dst, last, extent| {
            core.run(src, dst, last, extent, &mut on_error, &mut on_unmappable)
        })
    }

    /// Returns the smallest `dst` with which every call makes progress, in code units of `T`.
    ///
    /// A policy that yields more than its [`longest`](OnError::longest) needs more: if a call reads
    /// and writes nothing and returns [`NeedOutput`](super::Status::NeedOutput), pass a larger
    /// `dst`.
    ///
    /// ```
    /// use placemat::{ErrorPolicy, forms::{Latin1, Utf8}, stream::FormTranscoder};
    /// let plain = FormTranscoder::<Latin1, Utf8>::new();
    /// assert!(plain.min_output() >= 2);
    /// // The replacement of an error may be longer than a code point.
    /// assert!(plain.clone().on_error(ErrorPolicy::HexEscape).min_output() > plain.min_output());
    /// ```
    #[must_use]
    pub fn min_output(&self) -> usize {
        min_output(T::FACTS.max_units, F::FACTS.max_code_points, &self.on_error, &self.on_unmappable)
    }

    /// Turns on the counting of code points.
    ///
    /// ```
    /// use placemat::{forms::{Latin1, Utf8}, stream::FormTranscoder};
    /// let mut t = FormTranscoder::<Latin1, Utf8>::new().counting();
    /// let p = t.convert(b"caf\xE9", &mut [0; 16], true);
    /// assert_eq!((p.written, t.tally().decoded), (5, Some(4)));
    /// ```
    #[must_use]
    pub fn counting(mut self) -> Self {
        self.core.tally.decoded = Some(0);
        self
    }

    /// Returns the tally so far.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.core.tally
    }
}

/// Returns the length of the longest result of one step or error: each code point, including those
/// of a replacement, may be unmappable and replaced in turn.
pub fn min_output(
    max_units: usize,
    max_code_points: usize,
    on_error: &impl OnError,
    on_unmappable: &impl OnUnmappable,
) -> usize {
    let code_points = on_error.longest().max(max_code_points).saturating_mul(on_unmappable.longest().max(1));
    code_points.saturating_mul(max_units)
}
