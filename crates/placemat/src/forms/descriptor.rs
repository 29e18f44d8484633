//! Descriptors: what the engine knows about an encoding, as one row.
//!
//! An encoding that is chosen at run time is a reference to its descriptor: facts, and the functions of its form. Nothing asks
//! which encoding it is; it asks for a fact. A new encoding is a file with a [`Form`], and a row in a list.

use super::encoding::Encoding;
use super::form::{Bulk, EncodeStep, Form, Step};
use super::names::{Names, Repertoire};
use crate::ground::code_point::CodePoint;
use crate::ground::policy::{CodePoints, Span};

/// The facts about a form, which hold at every place of a text.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// The code points that it can hold.
    pub repertoire: Repertoire,
    /// U+FEFF at the start of a text, where that is a known signature; otherwise empty.
    pub signature: &'static [u8],
    /// The most code units that one code point takes, including a state change before it.
    pub max_units: usize,
    /// The most code units of one code point alone: without a signature, and without what was held back before it.
    pub longest: usize,
    /// The most code points that one step stands for: more than one where there is [`Step::Several`].
    pub max_code_points: usize,
    /// The number of `Unit`s in one code unit of the form: [`Span::Unit`] reports each as one error.
    pub units_per_error: usize,
    /// Whether the code units are bytes, and the bytes 00..7F always and only mean U+0000..U+007F. Other bytes can then
    /// stand beside text, and no reader takes them for ASCII.
    pub ascii_compatible: bool,
    /// Whether escaped bytes can be put back into the form: bytes 80..FF that begin no sequence are errors of one byte each,
    /// and 00..7F mean ASCII outside of sequences. This holds in forms that are ASCII-compatible, and also where a
    /// sequence may end with a byte of 00..7F, as in GBK and `Shift_JIS`; it does not hold where bytes shift to other sets.
    pub takes_escapes: bool,
    /// Whether well-formed text after an incomplete sequence never completes it.
    pub self_synchronizing: bool,
    /// Whether a surrogate code point has a natural bit pattern in the form, though text must not hold it.
    pub surrogate_pattern: bool,
    /// Whether [`Form::encode_pause`] ever writes anything.
    pub holds_back: bool,
    /// Whether [`Form::to_utf8`] and [`Form::from_utf8`] do anything.
    pub quick: bool,
    /// The bytes 00..7F that do not stand for their ASCII characters at the start of a text, or do not only stand for them; `None`
    /// if the others do not either.
    pub ascii_but: Option<&'static [u8]>,
    /// The texts that are the same bytes in UTF-8.
    pub like_utf8: LikeUtf8,
    /// The name by which the kernels know the form at the start of a text.
    pub bulk: Bulk,
}

/// The well-formed texts of UTF-8 that are the same bytes in a form, in both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LikeUtf8 {
    /// Those of [`Facts::ascii_but`].
    Ascii,
    /// Those that have neither U+0000 nor a code point of four bytes.
    Units,
    /// All.
    All,
}

impl Facts {
    /// The facts about a form that has nothing special.
    pub(crate) const fn new(repertoire: Repertoire, max_units: usize) -> Self {
        Self {
            repertoire,
            signature: &[],
            max_units,
            longest: max_units,
            max_code_points: 1,
            units_per_error: 1,
            ascii_compatible: false,
            takes_escapes: false,
            self_synchronizing: true,
            surrogate_pattern: false,
            holds_back: false,
            quick: false,
            ascii_but: None,
            like_utf8: LikeUtf8::Ascii,
            bulk: Bulk::None,
        }
    }

    /// The same about a form that is ASCII-compatible.
    pub(crate) const fn ascii_compatible(self) -> Self {
        Self { ascii_compatible: true, takes_escapes: true, ascii_but: Some(&[]), ..self }
    }
}

/// Everything about an encoding.
#[derive(Debug)]
pub(crate) struct Descriptor {
    /// The place in the order in which users see encodings. It identifies the encoding.
    pub(crate) number: u16,
    /// The member of the family of encodings that share the functions.
    pub(crate) member: u16,
    pub(crate) facts: Facts,
    pub(crate) steps: &'static Steps,
}

/// A row of a list of encodings.
pub(crate) struct Row {
    pub(crate) names: Names,
    pub(crate) member: u16,
    pub(crate) facts: Facts,
    pub(crate) steps: &'static Steps,
}

impl Row {
    /// The row of a form of its own.
    pub(crate) const fn of<F: Form<Unit = u8>>() -> Self
    where
        F::State: Carried,
    {
        Self { names: F::NAMES, member: 0, facts: F::FACTS, steps: Steps::of::<F>() }
    }

    /// The same with other names, for a member of a family.
    #[allow(dead_code, reason = "families come with features")]
    pub(crate) const fn member<F: Form<Unit = u8>>(member: u16, names: Names, facts: Facts) -> Self
    where
        F::State: Carried,
    {
        Self { names, member, facts, steps: Steps::of::<F>() }
    }

    pub(crate) const fn descriptor(self, number: u16) -> Descriptor {
        Descriptor { number, member: self.member, facts: self.facts, steps: self.steps }
    }
}

/// Makes the constants of some encodings and their list, from a row for each: `CONSTANT = row`. The numbers begin at `$first`.
macro_rules! encodings {
    ($list:ident from $first:literal: $($(#[$doc:meta])* $constant:ident = $row:expr,)*) => {
        /// The place of each in the list.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "they are the names of constants")]
        #[derive(Clone, Copy)]
        enum Number {
            $($constant),*
        }

        impl crate::forms::encoding::Encoding {
            $(
                $(#[$doc])*
                pub const $constant: Self = Self::new(const {
                    &$row.descriptor($first + Number::$constant as u16)
                });
            )*
        }

        /// All of them, and the names of each.
        pub(in crate::forms) const $list: [(crate::forms::encoding::Encoding, crate::forms::names::Names);
            [$(stringify!($constant)),*].len()] =
            [$((crate::forms::encoding::Encoding::$constant, $row.names)),*];

        #[cfg(test)]
        #[test]
        fn constants_are_names() {
            let constants = [$(stringify!($constant)),*];
            for ((encoding, names), constant) in $list.iter().zip(constants) {
                assert_eq!(crate::forms::encoding::constant_of(names.name), constant);
                assert_eq!(encoding.names(), *names);
            }
        }
    };
}
pub(crate) use encodings;

/// The most words that a state takes.
const WORDS: usize = 12;

/// A state in a few words, opaque to everything but the functions of its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Words(pub(crate) [u32; WORDS]);

impl Words {
    /// These words, and zeros.
    pub(crate) const fn new<const N: usize>(first: [u32; N]) -> Self {
        let mut words = [0; WORDS];
        let mut i = 0;
        while i < N {
            words[i] = first[i];
            i += 1;
        }
        Self(words)
    }
}

/// A state that can be carried as a few words.
pub(crate) trait Carried: Copy {
    /// That at the start of a text.
    const START: Words;
    /// The state that the words stand for, in a text of the member of a family.
    fn take(member: u16, words: &Words) -> Self;
    /// Writes the words.
    fn put(self, words: &mut Words);
}

impl Carried for () {
    const START: Words = Words::new([]);
    #[inline(always)]
    fn take(_: u16, _: &Words) -> Self {}
    #[inline(always)]
    fn put(self, _: &mut Words) {}
}

/// A place in a text: the encoding, and the state in which it reads on there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) encoding: Encoding,
    words: Words,
}

impl Default for Place {
    #[inline]
    fn default() -> Self {
        Self::start(Encoding::UTF_8)
    }
}

impl Place {
    /// The start of a text.
    #[inline]
    pub(crate) fn start(encoding: Encoding) -> Self {
        Self { encoding, words: encoding.descriptor().steps.start }
    }

    #[inline(always)]
    pub(crate) fn facts(&self) -> &'static Facts {
        &self.encoding.descriptor().facts
    }

    #[inline(always)]
    pub(crate) fn steps(&self) -> &'static Steps {
        self.encoding.descriptor().steps
    }

    /// The state.
    #[inline(always)]
    fn state<S: Carried>(&self) -> S {
        S::take(self.encoding.descriptor().member, &self.words)
    }

    /// Does something with the state, which may change it.
    #[inline(always)]
    fn with<S: Carried, R>(&mut self, f: impl FnOnce(&mut S) -> R) -> R {
        let mut state = self.state();
        let result = f(&mut state);
        state.put(&mut self.words);
        result
    }

    /// See [`Form::settled`].
    #[inline]
    pub(crate) fn settled(&mut self) -> Option<usize> {
        (self.steps().settled)(self)
    }

    /// See [`Form::bridge`].
    #[cfg(feature = "alloc")]
    #[inline]
    pub(crate) fn bridge(&self, to: &Self, dst: &mut [u8]) -> Option<usize> {
        if self.encoding == to.encoding { (self.steps().bridge)(self, to, dst) } else { None }
    }
}

/// The functions of a form, by way of a place. See [`Form`] for what they do.
#[expect(clippy::type_complexity, reason = "one type for each function of the trait")]
#[derive(Debug)]
pub(crate) struct Steps {
    pub(crate) start: Words,
    pub(crate) bulk: fn(&Place) -> Bulk,
    pub(crate) decode_step: fn(&mut Place, &[u8]) -> Step,
    pub(crate) decode_end: fn(&mut Place, &[u8]) -> Step,
    pub(crate) decode_several: fn(&Place, &[u8]) -> CodePoints,
    pub(crate) decode_surrogate: fn(&Place, &[u8]) -> Option<Step>,
    pub(crate) owed: fn(&mut Place) -> Option<CodePoint>,
    pub(crate) settled: fn(&mut Place) -> Option<usize>,
    #[cfg_attr(not(feature = "alloc"), expect(dead_code, reason = "for edits"))]
    pub(crate) bridge: fn(&Place, &Place, &mut [u8]) -> Option<usize>,
    pub(crate) span: fn(&Place, Span, &[u8], usize, bool) -> Option<usize>,
    pub(crate) encode_step: fn(&mut Place, CodePoint, &mut [u8]) -> EncodeStep,
    pub(crate) encode_pause: fn(&mut Place, &mut [u8]) -> EncodeStep,
    pub(crate) encode_finish: fn(&mut Place, &mut [u8]) -> EncodeStep,
    pub(crate) to_utf8: fn(&mut Place, &[u8], &mut [u8]) -> (usize, usize),
    pub(crate) from_utf8: fn(&mut Place, &[u8], &mut [u8]) -> (usize, usize),
    pub(crate) names: fn(u16) -> Names,
}

impl Steps {
    pub(crate) const fn of<F: Form<Unit = u8>>() -> &'static Self
    where
        F::State: Carried,
    {
        const {
            &Self {
                start: F::State::START,
                bulk: |place| F::bulk(&place.state()),
                decode_step: |place, src| place.with(|state| F::decode_step(state, src)),
                decode_end: |place, src| place.with(|state| F::decode_end(state, src)),
                decode_several: |place, src| F::decode_several(&place.state(), src),
                decode_surrogate: |place, src| F::decode_surrogate(&place.state(), src),
                owed: |place| place.with(F::owed),
                settled: |place| place.with(F::settled),
                bridge: |from, to, dst| F::bridge(&from.state(), &to.state(), dst),
                span: |place, rule, src, maximal, last| F::span(&place.state(), rule, src, maximal, last),
                encode_step: |place, c, dst| place.with(|state| F::encode_step(state, c, dst)),
                encode_pause: |place, dst| place.with(|state| F::encode_pause(state, dst)),
                encode_finish: |place, dst| place.with(|state| F::encode_finish(state, dst)),
                to_utf8: |place, src, dst| place.with(|state| F::to_utf8(state, src, dst)),
                from_utf8: |place, src, dst| place.with(|state| F::from_utf8(state, src, dst)),
                names: F::names,
            }
        }
    }
}
