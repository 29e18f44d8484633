//! One direction of a conversion whose form at one end is chosen at run time. Policies are behind pointers here: they
//! are asked only about rare cases, and a generic policy would copy the driver for each form.

use super::hub::{Hub, Mode};
use super::scalars;
use super::{Core, Extent, Progress, Tally};
#[cfg(feature = "alloc")]
use crate::checked::Writer;
use crate::forms::encoding::{Encoding, Kind};
#[allow(unused_imports, reason = "families come with features")]
use crate::forms::form::Family;
use crate::forms::form::{Bulk, Form};
use crate::forms::list::each_form;
#[allow(clippy::wildcard_imports, reason = "all the forms of the list")]
use crate::forms::*;
use crate::ground::policy::{OnError, OnUnmappable};
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

/// Makes the drivers from the list of forms.
macro_rules! drivers {
    (
        forms { $($constant:ident: $variant:ident = $form:ty,)* }
        families { $($(#[$cfg:meta])? $family:ident($member:ty),)* }
    ) => {
        /// The kernels that serve an encoding at the start of a text.
        pub(crate) fn bulk(encoding: Encoding) -> Bulk {
            match encoding.kind() {
                $(Kind::$variant => <$form>::bulk(&Default::default()),)*
                $(
                    $(#[$cfg])?
                    Kind::$family(member) => <<$member as Family>::Form>::bulk(&member.start()),
                )*
            }
        }

        /// The kernel from an encoding to UTF-8, and that from UTF-8, which may write into new memory; for encodings
        /// without states.
        #[cfg(feature = "alloc")]
        pub(crate) fn writers(encoding: Encoding) -> [Option<Writer>; 2] {
            match encoding.kind() {
                $(Kind::$variant => [Core::<$form, Utf8>::writer(), Core::<Utf8, $form>::writer()],)*
                #[allow(unreachable_patterns, reason = "families come with features")]
                _ => [None; 2],
            }
        }

        /// From any byte encoding to the hub.
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum From {
            $($variant(Core<$form, Hub>),)*
            $($(#[$cfg])? $family(Core<<$member as Family>::Form, Hub>),)*
        }

        /// From the hub to any byte encoding.
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum To {
            $($variant(Core<Hub, $form>),)*
            $($(#[$cfg])? $family(Core<Hub, <$member as Family>::Form>),)*
        }

        /// The state in which an encoding reads on at some place of a text.
        #[cfg(feature = "alloc")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Place {
            $($variant(<$form as Form>::State),)*
            $($(#[$cfg])? $family(<<$member as Family>::Form as Form>::State),)*
        }

        #[cfg(feature = "alloc")]
        impl Place {
            /// The start of a text.
            pub(crate) fn start(encoding: Encoding) -> Self {
                From::new(encoding, Mode::Utf8).place()
            }

            /// See [`Form::settled`].
            pub(crate) fn settled(&mut self) -> Option<usize> {
                match self {
                    $(Self::$variant(state) => <$form>::settled(state),)*
                    $($(#[$cfg])? Self::$family(state) => <<$member as Family>::Form>::settled(state),)*
                }
            }

            /// See [`Form::bridge`].
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

        /// Calls one function of whichever driver is in use.
        macro_rules! each {
            ($this:expr, $core:ident => $call:expr) => {
                match $this {
                    $(Self::$variant($core) => $call,)*
                    $($(#[$cfg])? Self::$family($core) => $call,)*
                }
            };
        }

        /// The functions that both directions have.
        macro_rules! both_ways {
            () => {
                pub(crate) fn run(
                    &mut self,
                    src: &[u8],
                    dst: &mut [u8],
                    last: bool,
                    extent: Extent,
                    d: &mut dyn OnError,
                    u: &mut dyn OnUnmappable,
                ) -> Progress {
                    each!(self, core => core.run(src, dst, last, extent, d, u))
                }
                pub(crate) fn tally(&self) -> &Tally {
                    each!(self, core => &core.tally)
                }
                pub(crate) fn tally_mut(&mut self) -> &mut Tally {
                    each!(self, core => &mut core.tally)
                }
                pub(crate) fn bulks(&self) -> (Bulk, Bulk) {
                    each!(self, core => core.bulks())
                }
                pub(crate) fn must_see(&self) -> bool {
                    each!(self, core => core.must_see())
                }
                pub(crate) fn note(&mut self, moved: Moved) {
                    each!(self, core => core.note(moved));
                }
                pub(crate) fn begin(&mut self, offset: u64, leaves_errors: bool) {
                    each!(self, core => core.begin(offset, leaves_errors));
                }
            };
        }

        impl From {
            pub(crate) fn new(from: Encoding, to: Mode) -> Self {
                match from.kind() {
                    $(Kind::$variant => Self::$variant(Core::starting(Default::default(), to)),)*
                    $(
                        $(#[$cfg])?
                        Kind::$family(member) => Self::$family(Core::starting(member.start(), to)),
                    )*
                }
            }
            both_ways!();
            /// See [`scalars::read`].
            pub(crate) fn read_by_steps(&mut self, src: &[u8], units: &mut [Unit]) -> (usize, usize) {
                match self {
                    $(Self::$variant(core) => scalars::read::<$form>(&mut core.from, src, units),)*
                    $(
                        $(#[$cfg])?
                        Self::$family(core) => {
                            scalars::read::<<$member as Family>::Form>(&mut core.from, src, units)
                        }
                    )*
                }
            }
            /// A driver that reads on at a place.
            #[cfg(feature = "alloc")]
            pub(crate) fn at(place: Place, to: Mode) -> Self {
                match place {
                    $(Place::$variant(state) => Self::$variant(Core::starting(state, to)),)*
                    $($(#[$cfg])? Place::$family(state) => Self::$family(Core::starting(state, to)),)*
                }
            }
            /// The place where it reads on.
            #[cfg(feature = "alloc")]
            pub(crate) fn place(&self) -> Place {
                match self {
                    $(Self::$variant(core) => Place::$variant(core.from),)*
                    $($(#[$cfg])? Self::$family(core) => Place::$family(core.from),)*
                }
            }
            pub(crate) fn owes(&self) -> bool {
                each!(self, core => core.owes())
            }
            /// Whether errors stay unread.
            pub(crate) fn leaves_errors(&self) -> bool {
                each!(self, core => core.leaves_errors)
            }
            /// The number of source bytes read so far.
            pub(crate) fn offset(&self) -> u64 {
                each!(self, core => core.offset())
            }
        }

        impl To {
            pub(crate) fn new(from: Mode, to: Encoding) -> Self {
                match to.kind() {
                    $(Kind::$variant => Self::$variant(Core::starting(from, Default::default())),)*
                    $(
                        $(#[$cfg])?
                        Kind::$family(member) => Self::$family(Core::starting(from, member.start())),
                    )*
                }
            }
            both_ways!();
            /// See [`scalars::write`].
            pub(crate) fn write_by_steps(&mut self, units: &[Unit], dst: &mut [u8]) -> (usize, usize) {
                match self {
                    $(Self::$variant(core) => scalars::write::<$form>(&mut core.to, units, dst),)*
                    $(
                        $(#[$cfg])?
                        Self::$family(core) => {
                            scalars::write::<<$member as Family>::Form>(&mut core.to, units, dst)
                        }
                    )*
                }
            }
            /// A driver that writes on at a place where the encoding would read on.
            #[cfg(feature = "alloc")]
            pub(crate) fn at(from: Mode, place: Place) -> Self {
                match place {
                    $(Place::$variant(state) => Self::$variant(Core::starting(from, state)),)*
                    $($(#[$cfg])? Place::$family(state) => Self::$family(Core::starting(from, state)),)*
                }
            }
            /// The place where the encoding would read on.
            #[cfg(feature = "alloc")]
            pub(crate) fn place(&self) -> Place {
                match self {
                    $(Self::$variant(core) => Place::$variant(core.to),)*
                    $($(#[$cfg])? Self::$family(core) => Place::$family(core.to),)*
                }
            }
            /// Writes what the target holds back, between two runs, because the source stops there.
            pub(crate) fn settle(&mut self, dst: &mut [u8]) -> Option<usize> {
                each!(self, core => core.settle(dst))
            }
        }
    };
}

each_form!(drivers);
