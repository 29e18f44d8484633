//! Encoding schemes whose signature belongs to the encoding and not to the text: UTF-16, UTF-32, UCS-2, UCS-4, UTF-8 with
//! BOM.
//!
//! The Unicode Standard, chapter 3, D98 and D101 and section 23.8; RFC 2781; RFC 3629 section 6.
//!
//! The decoder compares the first bytes with the signatures of both forms. It drops a signature that matches, and reads
//! the rest in the form of that signature; without a match it reads all bytes in the first form. It drops one signature
//! only: another one is U+FEFF in the text. The encoder writes the first form, with its signature even for an empty text.
//! The default byte order of UTF-16, UTF-32 and UCS-2 is little-endian here, as on the web, which knows the label `ucs-2` too, and in most
//! such files; `ByBom<Utf16<Be>, Utf16<Le>>` has the default of RFC 2781. UCS-4 is big-endian, as ISO/IEC 10646 says.

use crate::forms::descriptor::{Carried, Words};
use crate::forms::facts::LikeUtf8;
use crate::forms::form::{Bulk, EncodeStep, EncodingForm, Facts, Form, Names, Step, UnitOrder};
use crate::ground::code_point::CodePoint;
use crate::ground::policy::Span;
use core::marker::PhantomData;

/// A form whose text begins with the signature of `A` or of `B`, and is `A` without one. The encoder writes `A` with its
/// signature.
///
/// ```
/// use placemat::{ErrorPolicy, convert, forms::Utf16ByBom};
/// assert_eq!(convert::decode::<Utf16ByBom>(b"\xFE\xFF\0h\0i", ErrorPolicy::Stop)?, "hi");
/// assert_eq!(convert::decode::<Utf16ByBom>(b"\xFF\xFEh\0i\0", ErrorPolicy::Stop)?, "hi");
/// # Ok::<(), placemat::ConvertError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ByBom<A, B>(PhantomData<(A, B)>);

/// A form that can be the first form of a [`ByBom`], and has the names of that encoding.
pub trait Signed: Form<Unit = u8, State = ()> {
    /// The names of the `ByBom` whose first form this is.
    const SIGNED: Names;
}

/// The form that the signature selects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ByBomState {
    /// At the start: nothing has been read or written.
    #[default]
    Start,
    /// The first form.
    First,
    /// The second form.
    Second,
}

impl Carried for ByBomState {
    const START: Words = Words::new([Self::Start as u32]);
    #[inline]
    fn take(_: u16, words: &Words) -> Self {
        [Self::Start, Self::First, Self::Second][(words.0[0] % 3) as usize]
    }
    #[inline]
    fn put(self, words: &mut Words) {
        words.0[0] = self as u32;
    }
}

impl<A: Signed, B: Form<Unit = u8, State = ()>> EncodingForm for ByBom<A, B> {}

impl<A: Signed, B: Form<Unit = u8, State = ()>> Form for ByBom<A, B> {
    type Unit = u8;
    type State = ByBomState;

    const NAMES: Names = A::SIGNED;
    const FACTS: Facts = Facts {
        max_units: A::FACTS.signature.len() + A::FACTS.max_units,
        // The signature comes before the first ASCII.
        ascii_but: None,
        order: if A::FACTS.order.is_some() { Some(UnitOrder::BySignature) } else { None },
        stateless: false,
        self_synchronizing: A::FACTS.order.is_none(),
        like_utf8: LikeUtf8::Ascii,
        bulk: Bulk::None,
        ..A::FACTS
    };

    #[inline]
    fn bulk(state: &ByBomState) -> Bulk {
        match state {
            ByBomState::Start => Bulk::None,
            ByBomState::First => A::bulk(&()),
            ByBomState::Second => B::bulk(&()),
        }
    }

    #[inline]
    fn decode_step(state: &mut ByBomState, src: &[u8]) -> Step {
        if *state == ByBomState::Start {
            for (signature, form) in
                [(A::FACTS.signature, ByBomState::First), (B::FACTS.signature, ByBomState::Second)]
            {
                if src.starts_with(signature) {
                    *state = form;
                    return Step::Shift { len: signature.len() };
                }
                if signature.starts_with(src) {
                    return Step::Incomplete { needs: signature.len() - src.len() };
                }
            }
        }
        if *state == ByBomState::Second {
            return B::decode_step(&mut (), src);
        }
        let step = A::decode_step(&mut (), src);
        if !matches!(step, Step::Incomplete { .. }) {
            *state = ByBomState::First;
        }
        step
    }

    #[inline]
    fn encode_step(state: &mut ByBomState, c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        match state {
            ByBomState::Start => {}
            ByBomState::First => return A::encode_step(&mut (), c, dst),
            // A text that was read in this form goes on in it.
            ByBomState::Second => return B::encode_step(&mut (), c, dst),
        }
        let Some((signature, rest)) = dst.split_at_mut_checked(A::FACTS.signature.len()) else {
            return EncodeStep::NoRoom;
        };
        let step = A::encode_step(&mut (), c, rest);
        let EncodeStep::Written(len) = step else { return step };
        signature.copy_from_slice(A::FACTS.signature);
        *state = ByBomState::First;
        EncodeStep::Written(A::FACTS.signature.len() + len)
    }

    #[inline]
    fn encode_finish(state: &mut ByBomState, dst: &mut [u8]) -> EncodeStep {
        if *state != ByBomState::Start {
            return EncodeStep::Written(0);
        }
        let Some(signature) = dst.get_mut(..A::FACTS.signature.len()) else { return EncodeStep::NoRoom };
        signature.copy_from_slice(A::FACTS.signature);
        *state = ByBomState::First;
        EncodeStep::Written(A::FACTS.signature.len())
    }

    #[inline]
    fn decode_surrogate(state: &ByBomState, src: &[u8]) -> Option<Step> {
        match state {
            ByBomState::Start | ByBomState::First => A::decode_surrogate(&(), src),
            ByBomState::Second => B::decode_surrogate(&(), src),
        }
    }

    #[inline]
    fn span(state: &ByBomState, rule: Span, src: &[u8], maximal: usize, last: bool) -> Option<usize> {
        match state {
            ByBomState::Start | ByBomState::First => A::span(&(), rule, src, maximal, last),
            ByBomState::Second => B::span(&(), rule, src, maximal, last),
        }
    }
}
