//! WTF-8. The WTF-8 encoding, by Simon Sapin.
//!
//! | | UTF-8 | WTF-8 |
//! | --- | --- | --- |
//! | scalar values | one to four bytes | one to four bytes |
//! | an unpaired surrogate | ill-formed | ED A0..BF 80..BF |
//! | a lead surrogate right before a trail surrogate | ill-formed | ill-formed: four bytes encode their code point |
//!
//! It corresponds one to one to sequences of 16-bit units, paired or not: file names of Windows, strings of `JavaScript`.
//! All UTF-8 is WTF-8. The decoder accepts exactly this; a pair is one error of six bytes, which
//! [`ErrorPolicy::SurrogatePass`](crate::ErrorPolicy::SurrogatePass) reads as its code point. The encoder holds a lead
//! surrogate until the next code point comes, and writes a pair in four bytes. [`wtf8`](crate::wtf8) has concatenation.
//!
//! It is not for interchange. Known to disagree: "UTF-8 with surrogates allowed" (Python's `surrogatepass`) writes each
//! surrogate of a pair in three bytes.

use crate::forms::descriptor::{Carried, Words};
use crate::forms::facts::LikeUtf8;
use crate::forms::form::{Bulk, EncodeStep, EncodingForm, Facts, Form, Names, Repertoire, Step};
use crate::forms::names::labels;
use crate::forms::unicode::generalized::{self, Rules};
use crate::forms::unicode::utf8;
use crate::ground::code_point::CodePoint;
use crate::ground::policy::Span;
use crate::ground::unit::{is_lead, is_trail};

/// WTF-8: UTF-8 that also holds unpaired surrogates.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wtf8;

/// A lead surrogate that the encoder holds until the next code point comes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wtf8State(Option<u16>);

impl Carried for Wtf8State {
    const START: Words = Words::new([u32::MAX]);
    #[inline]
    fn take(_: u16, words: &Words) -> Self {
        Self(u16::try_from(words.0[0]).ok())
    }
    #[inline]
    fn put(self, words: &mut Words) {
        words.0[0] = self.0.map_or(u32::MAX, u32::from);
    }
}

const RULES: Rules =
    Rules { nul: true, long_nul: false, overlong: false, four: true, pairs: false, lone: true };

impl EncodingForm for Wtf8 {}

impl Form for Wtf8 {
    type Unit = u8;
    type State = Wtf8State;

    const NAMES: Names = Names {
        name: "WTF-8",
        labels: labels![],
        web_labels: labels![],
        about: "UTF-8 that also holds unpaired surrogates: any sequence of 16-bit units. Not for interchange.",
        specified_in: "The WTF-8 encoding",
    };
    const FACTS: Facts = Facts {
        signature: b"\xEF\xBB\xBF",
        longest: 4,
        surrogate_pattern: true,
        like_utf8: LikeUtf8::All,
        bulk: Bulk::Wtf8,
        // Two surrogates in a row are a pair.
        stateless: false,
        // Up to seven bytes: a lead surrogate that was held back, and four bytes.
        ..Facts::new(Repertoire::CodePoint, 7).marked_like_utf8()
    };

    #[inline(always)]
    fn bulk(state: &Wtf8State) -> Bulk {
        if state.0.is_none() { Bulk::Wtf8 } else { Bulk::None }
    }

    #[inline]
    fn decode_step(_: &mut Wtf8State, src: &[u8]) -> Step {
        generalized::decode_step(RULES, src)
    }

    #[inline]
    fn decode_end(_: &mut Wtf8State, src: &[u8]) -> Step {
        generalized::at_end(RULES, src)
    }

    #[inline]
    fn encode_step(state: &mut Wtf8State, c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        if state.0.is_none() && !c.is_surrogate() {
            return utf8::encode_step(c, dst);
        }
        encode_around_surrogates(state, c, dst)
    }

    #[inline]
    fn encode_finish(state: &mut Wtf8State, dst: &mut [u8]) -> EncodeStep {
        let Some(lead) = state.0 else { return EncodeStep::Written(0) };
        let Some(to) = dst.first_chunk_mut() else { return EncodeStep::NoRoom };
        *to = generalized::half_bytes(lead);
        state.0 = None;
        EncodeStep::Written(3)
    }

    /// Decodes a surrogate pair, which WTF-8 writes as one sequence of four bytes.
    #[inline]
    fn decode_surrogate(_: &Wtf8State, src: &[u8]) -> Option<Step> {
        generalized::pair(src)
    }

    #[inline]
    fn span(_: &Wtf8State, rule: Span, src: &[u8], maximal: usize, last: bool) -> Option<usize> {
        utf8::span(rule, src, maximal, last, utf8::nominal_len)
    }
}

/// Writes a surrogate, or the code point after a lead surrogate.
#[cold]
fn encode_around_surrogates(state: &mut Wtf8State, c: CodePoint, dst: &mut [u8]) -> EncodeStep {
    let unit = u16::try_from(c.value()).ok();
    let (mut bytes, mut len) = ([0; 7], 0);
    let mut next = Wtf8State(None);
    match (state.0, unit) {
        (Some(lead), Some(trail)) if is_trail(trail) => {
            len = written(utf8::encode_step(CodePoint::from_pair(lead, trail), &mut bytes));
        }
        (waiting, _) => {
            if let Some(lead) = waiting {
                bytes[..3].copy_from_slice(&generalized::half_bytes(lead));
                len = 3;
            }
            match unit {
                Some(lead) if is_lead(lead) => next = Wtf8State(Some(lead)),
                _ => len += written(utf8::encode_step(c, &mut bytes[len..])),
            }
        }
    }
    let Some(to) = dst.get_mut(..len) else { return EncodeStep::NoRoom };
    to.copy_from_slice(&bytes[..len]);
    *state = next;
    EncodeStep::Written(len)
}

/// Returns the number of code units that a step wrote.
const fn written(step: EncodeStep) -> usize {
    match step {
        EncodeStep::Written(len) => len,
        EncodeStep::NoRoom | EncodeStep::Unmappable(_) => 0,
    }
}
