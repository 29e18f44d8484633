//! One direction of a conversion whose encoding at one end is chosen at run time: one form stands for all encodings, and its state
//! says which.
//!
//! So the engine is there once for each direction, not once for each form. Kernels convert most text; a step is a match slower.
//! Policies are behind pointers: they are asked only about rare cases, and a generic policy would copy the engine for each.

use super::hub::{Hub, Mode};
#[cfg(feature = "alloc")]
use super::pairs;
use super::scalars;
use super::{Core, Extent, Progress, Tally};
#[cfg(feature = "alloc")]
use crate::checked::Writer;
use crate::forms::encoding::{Encoding, Kind};
#[allow(unused_imports, reason = "families come with features")]
use crate::forms::form::Family;
use crate::forms::form::{Bulk, EncodeStep, Form, Names, Repertoire, Step};
use crate::forms::list::each_form;
use crate::forms::names::labels;
#[allow(clippy::wildcard_imports, reason = "all the forms of the list")]
use crate::forms::*;
use crate::ground::code_point::CodePoint;
use crate::ground::policy::{CodePoints, OnError, OnUnmappable, Span};
use crate::ground::unit::{Be, Le};
use crate::ground::utf16::Unit;
use crate::kernels::Moved;
#[cfg(feature = "marc8")]
use charsets::marc8::Marc8;
#[cfg(feature = "multi-byte")]
use charsets::multi_byte::MultiByte;
#[cfg(feature = "single-byte")]
use charsets::single_byte::SingleByte;
#[cfg(feature = "legacy")]
use charsets::{iso_2022_jp::Iso2022Jp, legacy::Legacy};
use core::fmt::Debug;
use core::marker::PhantomData;

/// Makes the states from the list of forms.
macro_rules! places {
    (
        forms { $($constant:ident: $variant:ident = $form:ty,)* }
        families { $($(#[$cfg:meta])? $family:ident($member:ty),)* }
    ) => {
        /// The state in which an encoding reads on at some place of a text.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Place {
            $($variant(<$form as Form>::State),)*
            $($(#[$cfg])? $family(<<$member as Family>::Form as Form>::State),)*
        }

        impl Place {
            /// The start of a text.
            pub(crate) fn start(encoding: Encoding) -> Self {
                match encoding.kind() {
                    $(Kind::$variant => Self::$variant(Default::default()),)*
                    $($(#[$cfg])? Kind::$family(member) => Self::$family(member.start()),)*
                }
            }

            /// See [`Form::bridge`].
            #[cfg(feature = "alloc")]
            pub(crate) fn bridge(&self, to: &Self, dst: &mut [u8]) -> Option<usize> {
                match (self, to) {
                    $((Self::$variant(from), Self::$variant(to)) => <$form>::bridge(from, to, dst),)*
                    $(
                        $(#[$cfg])?
                        (Self::$family(from), Self::$family(to)) => {
                            <<$member as Family>::Form>::bridge(from, to, dst)
                        }
                    )*
                    _ => None,
                }
            }
        }

        /// The kernels that serve an encoding at the start of a text. (By way of a place it took 20 ns.)
        pub(crate) fn bulk(encoding: Encoding) -> Bulk {
            match encoding.kind() {
                $(Kind::$variant => <$form>::bulk(&Default::default()),)*
                $($(#[$cfg])? Kind::$family(member) => <<$member as Family>::Form>::bulk(&member.start()),)*
            }
        }

        /// Calls a function of the form that a state belongs to, with the form as `F`.
        macro_rules! each {
            ($place:expr, $state:ident => $call:expr) => {
                match $place {
                    $(Place::$variant($state) => {
                        type F = $form;
                        $call
                    })*
                    $($(#[$cfg])? Place::$family($state) => {
                        type F = <$member as Family>::Form;
                        $call
                    })*
                }
            };
        }
    };
}

each_form!(places);

impl Default for Place {
    fn default() -> Self {
        Self::start(Encoding::UTF_8)
    }
}

impl Place {
    /// See [`Form::settled`].
    pub(crate) fn settled(&mut self) -> Option<usize> {
        each!(self, state => F::settled(state))
    }
}

/// Any of the forms. Generic for the reason that kernels are (`kernels/dispatch.rs`): a program that names no encoding pays for none.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AnyForm<L>(PhantomData<L>);

type Any = AnyForm<()>;

impl<L: Copy + Debug + Default + 'static> Form for AnyForm<L> {
    type Unit = u8;
    type State = Place;

    const NAMES: Names =
        Names { name: "any", labels: labels![], web_labels: labels![], about: "Internal.", specified_in: "" };
    const MAX_UNITS: usize = 16;
    const REPERTOIRE: Repertoire = Repertoire::Bits31;

    fn repertoire(place: &Place) -> Repertoire {
        each!(place, state => F::repertoire(state))
    }
    fn is_ascii_compatible(place: &Place) -> bool {
        each!(place, state => F::is_ascii_compatible(state))
    }
    fn takes_escapes(place: &Place) -> bool {
        each!(place, state => F::takes_escapes(state))
    }
    fn bulk(place: &Place) -> Bulk {
        each!(place, state => F::bulk(state))
    }
    fn is_self_synchronizing(place: &Place) -> bool {
        each!(place, state => F::is_self_synchronizing(state))
    }
    fn has_surrogate_pattern(place: &Place) -> bool {
        each!(place, state => F::has_surrogate_pattern(state))
    }
    fn units_per_error(place: &Place) -> usize {
        each!(place, state => F::units_per_error(state))
    }
    fn holds_back(place: &Place) -> bool {
        each!(place, state => F::holds_back(state))
    }
    fn is_quick(place: &Place) -> bool {
        each!(place, state => F::is_quick(state))
    }
    #[inline(never)]
    fn decode_step(place: &mut Place, src: &[u8]) -> Step {
        each!(place, state => F::decode_step(state, src))
    }
    #[inline(never)]
    fn decode_end(place: &mut Place, src: &[u8]) -> Step {
        each!(place, state => F::decode_end(state, src))
    }
    fn owed(place: &mut Place) -> Option<CodePoint> {
        each!(place, state => F::owed(state))
    }
    fn settled(place: &mut Place) -> Option<usize> {
        place.settled()
    }
    #[inline(never)]
    fn decode_several(place: &Place, src: &[u8]) -> CodePoints {
        each!(place, state => F::decode_several(state, src))
    }
    #[inline(never)]
    fn encode_step(place: &mut Place, c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        each!(place, state => F::encode_step(state, c, dst))
    }
    #[inline(never)]
    fn encode_finish(place: &mut Place, dst: &mut [u8]) -> EncodeStep {
        each!(place, state => F::encode_finish(state, dst))
    }
    #[inline(never)]
    fn encode_pause(place: &mut Place, dst: &mut [u8]) -> EncodeStep {
        each!(place, state => F::encode_pause(state, dst))
    }
    #[inline(never)]
    fn to_utf8(place: &mut Place, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        each!(place, state => F::to_utf8(state, src, dst))
    }
    #[inline(never)]
    fn from_utf8(place: &mut Place, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        each!(place, state => F::from_utf8(state, src, dst))
    }
    #[inline(never)]
    fn decode_surrogate(place: &Place, src: &[u8]) -> Option<Step> {
        each!(place, state => F::decode_surrogate(state, src))
    }
    #[inline(never)]
    fn span(place: &Place, rule: Span, src: &[u8], maximal: usize, last: bool) -> Option<usize> {
        each!(place, state => F::span(state, rule, src, maximal, last))
    }
}

/// The kernel from an encoding to UTF-8, and that from UTF-8, which may write into new memory; for encodings without states.
#[cfg(feature = "alloc")]
pub(crate) fn writers(encoding: Encoding) -> [Option<Writer>; 2] {
    let own = bulk(encoding);
    let writer = |from: Bulk, to| pairs::writer(from, to).filter(|_| own.is_stateless());
    [writer(own, Bulk::Utf8), writer(Bulk::Utf8, own)]
}

/// From any byte encoding to the hub.
#[derive(Clone, Copy, Debug)]
pub(crate) struct From(Core<Any, Hub>);

/// From the hub to any byte encoding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct To(Core<Hub, Any>);

/// The functions that both directions have.
macro_rules! both_ways {
    () => {
        #[inline]
        pub(crate) fn run(
            &mut self,
            src: &[u8],
            dst: &mut [u8],
            last: bool,
            extent: Extent,
            d: &mut dyn OnError,
            u: &mut dyn OnUnmappable,
        ) -> Progress {
            self.0.run(src, dst, last, extent, d, u)
        }
        #[inline]
        pub(crate) fn tally(&self) -> &Tally {
            &self.0.tally
        }
        #[inline]
        pub(crate) fn tally_mut(&mut self) -> &mut Tally {
            &mut self.0.tally
        }
        #[inline]
        pub(crate) fn bulks(&self) -> (Bulk, Bulk) {
            self.0.bulks()
        }
        #[inline]
        pub(crate) fn must_see(&self) -> bool {
            self.0.must_see()
        }
        pub(crate) fn note(&mut self, moved: Moved) {
            self.0.note(moved);
        }
        pub(crate) fn begin(&mut self, offset: u64, leaves_errors: bool) {
            self.0.begin(offset, leaves_errors);
        }
    };
}

impl From {
    #[inline]
    pub(crate) fn new(from: Encoding, to: Mode) -> Self {
        Self::at(Place::start(from), to)
    }
    both_ways!();
    /// See [`scalars::read`].
    #[inline]
    pub(crate) fn read_by_steps(&mut self, src: &[u8], units: &mut [Unit]) -> (usize, usize) {
        scalars::read::<Any>(&mut self.0.from, src, units)
    }
    /// A driver that reads on at a place.
    #[inline]
    pub(crate) fn at(place: Place, to: Mode) -> Self {
        Self(Core::starting(place, to))
    }
    /// The place where it reads on.
    #[cfg(feature = "alloc")]
    #[inline]
    pub(crate) fn place(&self) -> Place {
        self.0.from
    }
    #[inline]
    pub(crate) fn owes(&self) -> bool {
        self.0.owes()
    }
    /// Whether errors stay unread.
    pub(crate) fn leaves_errors(&self) -> bool {
        self.0.leaves_errors
    }
    /// The number of source bytes read so far.
    pub(crate) fn offset(&self) -> u64 {
        self.0.offset()
    }
}

impl To {
    #[inline]
    pub(crate) fn new(from: Mode, to: Encoding) -> Self {
        Self::at(from, Place::start(to))
    }
    both_ways!();
    /// See [`scalars::write`].
    #[inline]
    pub(crate) fn write_by_steps(&mut self, units: &[Unit], dst: &mut [u8]) -> (usize, usize) {
        scalars::write::<Any>(&mut self.0.to, units, dst)
    }
    /// A driver that writes on at a place where the encoding would read on.
    #[inline]
    pub(crate) fn at(from: Mode, place: Place) -> Self {
        Self(Core::starting(from, place))
    }
    /// The place where the encoding would read on.
    #[cfg(feature = "alloc")]
    #[inline]
    pub(crate) fn place(&self) -> Place {
        self.0.to
    }
    /// Writes what the target holds back, between two runs, because the source stops there.
    #[inline]
    pub(crate) fn settle(&mut self, dst: &mut [u8]) -> Option<usize> {
        self.0.settle(dst)
    }
}
