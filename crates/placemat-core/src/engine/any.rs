//! One direction of a conversion whose encoding at one end is chosen at run time: one form
//! represents all encodings, and its state names the encoding.
//!
//! The engine is thus compiled once for each direction, not once for each form. Kernels convert most
//! text; a step is one call slower. Policies are passed as pointers: they are asked in rare cases
//! only, and a generic policy would copy the engine for each policy type.

use super::ending::{AtEnd, Shift};
use super::hub::{Hub, Mode};
#[cfg(feature = "alloc")]
use super::pairs;
use super::scalars;
use super::{Core, Extent, Progress, Status, Tally};
#[cfg(feature = "alloc")]
use crate::checked::Writer;
pub use crate::forms::descriptor::Place;
use crate::forms::descriptor::{Descriptor, Row};
use crate::forms::form::{Bulk, EncodeStep, Facts, Form, Names, Repertoire, Step};
use crate::forms::names::labels;
use crate::forms::unicode::utf8::Utf8;
use crate::ground::code_point::CodePoint;
use crate::ground::error::IllFormed;
use crate::ground::policy::{CodePoints, OnError, OnUnmappable, Otherwise, Span};
use crate::ground::utf16::Unit;
use crate::kernels::Moved;

/// The descriptor of UTF-8.
pub static UTF_8: Descriptor = Row::of::<Utf8>().descriptor(0);

impl Default for Place {
    #[inline]
    fn default() -> Self {
        Self::start(&UTF_8)
    }
}

/// A form that is any byte encoding; its state names the encoding.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Any;

impl Form for Any {
    type Unit = u8;
    type State = Place;

    const NAMES: Names =
        Names { name: "any", labels: labels![], web_labels: labels![], about: "Internal.", specified_in: "" };
    /// See [`facts`](Self::facts).
    const FACTS: Facts = Facts::new(Repertoire::Bits31, 16);

    #[inline(always)]
    fn facts(place: &Place) -> &'static Facts {
        place.facts()
    }
    #[inline]
    fn bulk(place: &Place) -> Bulk {
        (place.steps().bulk)(place)
    }
    #[inline]
    fn decode_step(place: &mut Place, src: &[u8]) -> Step {
        (place.steps().decode_step)(place, src)
    }
    #[inline]
    fn decode_end(place: &mut Place, src: &[u8]) -> Step {
        (place.steps().decode_end)(place, src)
    }
    #[inline]
    fn owed(place: &mut Place) -> Option<CodePoint> {
        (place.steps().owed)(place)
    }
    #[inline]
    fn settled(place: &mut Place) -> Option<usize> {
        place.settled()
    }
    #[inline]
    fn decode_several(place: &Place, src: &[u8]) -> CodePoints {
        (place.steps().decode_several)(place, src)
    }
    #[inline]
    fn encode_step(place: &mut Place, c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        (place.steps().encode_step)(place, c, dst)
    }
    #[inline]
    fn encode_finish(place: &mut Place, dst: &mut [u8]) -> EncodeStep {
        (place.steps().encode_finish)(place, dst)
    }
    #[inline]
    fn encode_pause(place: &mut Place, dst: &mut [u8]) -> EncodeStep {
        (place.steps().encode_pause)(place, dst)
    }
    #[inline]
    fn to_utf8(place: &mut Place, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        (place.steps().to_utf8)(place, src, dst)
    }
    #[inline]
    fn from_utf8(place: &mut Place, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        (place.steps().from_utf8)(place, src, dst)
    }
    #[inline]
    fn decode_surrogate(place: &Place, src: &[u8]) -> Option<Step> {
        (place.steps().decode_surrogate)(place, src)
    }
    #[inline]
    fn span(place: &Place, rule: Span, src: &[u8], maximal: usize, last: bool) -> Option<usize> {
        (place.steps().span)(place, rule, src, maximal, last)
    }
}

/// Returns the kernels to UTF-8 and from UTF-8 that may write into uninitialized memory, for
/// encodings without states.
#[cfg(feature = "alloc")]
#[must_use]
#[inline]
pub fn writers(encoding: &Descriptor) -> [Option<Writer>; 2] {
    let own = encoding.bulk();
    let writer = |from: Bulk, to| pairs::writer(from, to).filter(|_| own.is_stateless());
    [writer(own, Bulk::Utf8), writer(Bulk::Utf8, own)]
}

/// Converts from any byte encoding to the hub.
#[derive(Clone, Copy, Debug)]
pub struct From(Core<Any, Hub>, AtEnd);

/// Converts from the hub to any byte encoding.
#[derive(Clone, Copy, Debug)]
pub struct To(Core<Hub, Any>);

/// The methods that both directions have.
macro_rules! in_both_directions {
    () => {
        #[inline]
        pub fn tally(&self) -> &Tally {
            &self.0.tally
        }
        #[inline]
        pub fn tally_mut(&mut self) -> &mut Tally {
            &mut self.0.tally
        }
        #[inline]
        pub fn bulks(&self) -> (Bulk, Bulk) {
            self.0.bulks()
        }
        #[inline]
        pub fn must_see(&self) -> bool {
            self.0.must_see()
        }
        pub fn begin(&mut self, offset: u64, leaves_errors: bool) {
            self.0.begin(offset, leaves_errors);
        }
    };
}

impl From {
    #[inline]
    #[must_use]
    pub fn new(from: &'static Descriptor, to: Mode) -> Self {
        Self::at(Place::start(from), to)
    }
    in_both_directions!();
    /// Converts as [`Core::run`] does. If the text ends there in a state in which it may not end, and
    /// [`refuse_open_shift`](Self::refuse_open_shift) asked for it, tells the policy of that.
    #[inline]
    pub fn run(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        last: bool,
        extent: Extent,
        d: &mut dyn OnError,
        u: &mut dyn OnUnmappable,
    ) -> Progress {
        let p = self.0.run(src, dst, last, extent, d, u);
        self.1.read(&self.0.from, src, p.read);
        if p.status == Status::Done { self.end(p, d) } else { p }
    }
    /// Notes that the first `moved.read` bytes of `src` were converted without the engine.
    pub fn note(&mut self, src: &[u8], moved: Moved) {
        self.0.note(moved);
        self.1.read(&self.0.from, src, moved.read);
    }
    /// Sets whether the end of the text in a state in which it may not end is an error.
    #[inline]
    pub fn refuse_open_shift(&mut self, refuses: bool) {
        self.1.refuses = refuses;
    }
    /// Returns the open shift, for a driver that goes on from here.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn shift(&self) -> Shift {
        self.1.shift
    }
    /// Sets the open shift that another driver found where this one goes on.
    #[cfg(feature = "alloc")]
    pub fn set_open_shift(&mut self, shift: Shift) {
        self.1.shift = shift;
    }
    /// Returns the shift that the text read so far leaves open, as the error that it is if the text ends here.
    #[must_use]
    pub fn open_shift(&self) -> Option<IllFormed> {
        self.1.open_shift(self.0.offset())
    }
    /// Returns `true` if the text read so far leaves a shift open.
    pub(crate) fn is_shifted(&self) -> bool {
        !matches!(self.1.shift, Shift::None)
    }
    /// Asks the policy about the shift that the end of the text leaves open, if there is one.
    fn end(&mut self, p: Progress, on_error: &mut dyn OnError) -> Progress {
        let Some(error) = self.open_shift().filter(|_| self.1.refuses && !self.1.is_told) else { return p };
        let stops = matches!(Otherwise::from(on_error.handle(&error)), Otherwise::Stop);
        self.1.is_told = !stops || !self.0.leaves_errors;
        if stops {
            return Progress { status: Status::IllFormed(error), ..p };
        }
        self.0.tally.unclosed.note(error.offset());
        p
    }
    /// See [`scalars::read`].
    #[inline]
    pub(crate) fn read_by_steps(&mut self, src: &[u8], units: &mut [Unit]) -> (usize, usize) {
        scalars::read::<Any>(&mut self.0.from, src, units)
    }
    /// See [`Form::to_units`].
    #[inline]
    pub(crate) fn read_units(&mut self, src: &[u8], units: &mut [u16]) -> (usize, usize) {
        let place = &mut self.0.from;
        (place.steps().to_units)(place, src, units)
    }
    /// Sets whether errors stay unread, and returns the previous setting.
    pub(crate) fn leave_errors(&mut self, leaves: bool) -> bool {
        core::mem::replace(&mut self.0.leaves_errors, leaves)
    }
    /// Creates a driver that reads on at `place`.
    #[inline]
    #[must_use]
    pub fn at(place: Place, to: Mode) -> Self {
        Self(Core::starting(place, to), AtEnd::new(place))
    }
    /// Returns the place where the driver reads on.
    #[cfg(feature = "alloc")]
    #[inline]
    #[must_use]
    pub fn place(&self) -> Place {
        self.0.from
    }
    #[inline]
    #[must_use]
    pub fn owes(&self) -> bool {
        self.0.owes()
    }
    /// Returns `true` if errors stay unread.
    pub(crate) fn leaves_errors(&self) -> bool {
        self.0.leaves_errors
    }
    /// Returns the number of source bytes read so far.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.0.offset()
    }
}

impl To {
    #[inline]
    #[must_use]
    pub fn new(from: Mode, to: &'static Descriptor) -> Self {
        Self::at(from, Place::start(to))
    }
    in_both_directions!();
    #[inline]
    pub fn run(
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
    pub fn note(&mut self, moved: Moved) {
        self.0.note(moved);
    }
    /// See [`scalars::write`].
    #[inline]
    pub(crate) fn write_by_steps(&mut self, units: &[Unit], dst: &mut [u8]) -> (usize, usize) {
        scalars::write::<Any>(&mut self.0.to, units, dst)
    }
    /// Creates a driver that writes on at a place where the encoding would read on.
    #[inline]
    #[must_use]
    pub fn at(from: Mode, place: Place) -> Self {
        Self(Core::starting(from, place))
    }
    /// Returns the place where the encoding would read on.
    #[cfg(feature = "alloc")]
    #[inline]
    #[must_use]
    pub fn place(&self) -> Place {
        self.0.to
    }
    /// Writes the bytes that the target holds back. For use between two runs, if the source stops
    /// there.
    #[inline]
    pub fn settle(&mut self, dst: &mut [u8]) -> Option<usize> {
        self.0.settle(dst)
    }
}
