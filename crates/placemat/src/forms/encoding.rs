//! The byte encodings as values: the list of forms, and one of them chosen at run time.

use super::*;
use crate::driver::{Core, Extent, Progress, Tally};
use crate::policy::{OnError, OnUnmappable};
use crate::unit::{Be, Le};

/// Makes the enum of byte encodings from the lists of forms and families, and what goes from a value to its form.
macro_rules! encodings {
    (
        forms { $($variant:ident = $form:ty,)* }
        families { $($(#[$cfg:meta])? $family:ident($member:ty),)* }
    ) => {
        /// A byte encoding chosen at run time. One value for every form of the list whose code unit is the byte, and for
        /// every member of a family.
        ///
        /// ```
        /// use placemat::Encoding;
        /// assert_eq!(Encoding::for_label("UTF_16le").unwrap().name(), "UTF-16LE");
        /// assert_eq!(Encoding::for_label("utf9"), None);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Encoding {
            $(
                #[doc = concat!("[`", stringify!($form), "`]")]
                $variant,
            )*
            $(
                $(#[$cfg])?
                #[doc = concat!("One of [`", stringify!($member), "`].")]
                $family($member),
            )*
        }

        impl Encoding {
            /// All of them, in the order in which they are listed to users.
            pub const ALL: &'static [Self] = &{
                let mut all = [Self::Utf8; Self::COUNT];
                let mut count = 0;
                $(
                    all[count] = Self::$variant;
                    count += 1;
                )*
                $(
                    $(#[$cfg])?
                    {
                        let mut member = 0;
                        while member < <$member as Family>::ALL.len() {
                            all[count] = Self::$family(<$member as Family>::ALL[member]);
                            (count, member) = (count + 1, member + 1);
                        }
                    }
                )*
                assert!(count == Self::COUNT);
                all
            };

            const COUNT: usize = {
                let mut count = [$(stringify!($variant)),*].len();
                $(
                    $(#[$cfg])?
                    {
                        count += <$member as Family>::ALL.len();
                    }
                )*
                count += 0;
                count
            };

            /// How it is called.
            #[must_use]
            pub fn names(self) -> &'static Names {
                match self {
                    $(Self::$variant => &<$form as EncodingForm>::NAMES,)*
                    $($(#[$cfg])? Self::$family(member) => member.names(),)*
                }
            }

            /// What it can hold.
            #[must_use]
            pub fn repertoire(self) -> Repertoire {
                match self {
                    $(Self::$variant => <$form as EncodingForm>::REPERTOIRE,)*
                    $($(#[$cfg])? Self::$family(member) => member.repertoire(),)*
                }
            }

            /// U+FEFF at the start of a text in this encoding, where that is a known signature; else empty.
            #[must_use]
            pub fn signature(self) -> &'static [u8] {
                match self {
                    $(Self::$variant => <$form as EncodingForm>::SIGNATURE,)*
                    $($(#[$cfg])? Self::$family(member) => member.signature(),)*
                }
            }

            /// The longest that one code point becomes, in bytes.
            #[must_use]
            pub fn max_bytes(self) -> usize {
                match self {
                    $(Self::$variant => <$form as EncodingForm>::MAX_UNITS,)*
                    $($(#[$cfg])? Self::$family(_) => <<$member as Family>::Form as EncodingForm>::MAX_UNITS,)*
                }
            }

            /// The most code points that one step of reading stands for.
            pub(crate) fn max_code_points(self) -> usize {
                match self {
                    $(Self::$variant => <$form as EncodingForm>::MAX_CODE_POINTS,)*
                    $($(#[$cfg])? Self::$family(_) => <<$member as Family>::Form as EncodingForm>::MAX_CODE_POINTS,)*
                }
            }

            /// Whether bytes 00..7F always and only mean ASCII in it.
            #[must_use]
            pub fn is_ascii_compatible(self) -> bool {
                match self {
                    $(Self::$variant => <$form>::is_ascii_compatible(&<$form as EncodingForm>::State::default()),)*
                    $(
                        $(#[$cfg])?
                        Self::$family(member) => <$member as Family>::Form::is_ascii_compatible(&member.start()),
                    )*
                }
            }

            /// Whether bytes that are ill-formed in it can be escaped and put back, as with
            /// [`UnmappablePolicy::SurrogateEscape`](crate::UnmappablePolicy::SurrogateEscape): it is ASCII-compatible, or would
            /// be but for sequences that end with bytes of ASCII.
            #[must_use]
            pub fn takes_escapes(self) -> bool {
                match self {
                    $(Self::$variant => <$form>::takes_escapes(&<$form as EncodingForm>::State::default()),)*
                    $(
                        $(#[$cfg])?
                        Self::$family(member) => <$member as Family>::Form::takes_escapes(&member.start()),
                    )*
                }
            }
        }

        /// One direction of a conversion with a form chosen at run time at one end. Policies are behind pointers here: they
        /// are asked about what is rare, and each would be a copy of the driver for each of the forms.
        pub(crate) mod any {
            use super::*;

            /// From any byte encoding to `T`.
            #[derive(Clone, Copy, Debug)]
            pub(crate) enum From<T: EncodingForm> {
                $($variant(Core<$form, T>),)*
                $($(#[$cfg])? $family(Core<<$member as Family>::Form, T>),)*
            }

            /// From `F` to any byte encoding.
            #[derive(Clone, Copy, Debug)]
            pub(crate) enum To<F: EncodingForm> {
                $($variant(Core<F, $form>),)*
                $($(#[$cfg])? $family(Core<F, <$member as Family>::Form>),)*
            }

            /// Calls one function of the driver, whichever it is.
            macro_rules! each {
                ($this:expr, $core:ident => $call:expr) => {
                    match $this {
                        $(Self::$variant($core) => $call,)*
                        $($(#[$cfg])? Self::$family($core) => $call,)*
                    }
                };
            }

            impl<T: EncodingForm> From<T> {
                pub(crate) fn new(from: Encoding) -> Self {
                    match from {
                        $(Encoding::$variant => Self::$variant(Core::default()),)*
                        $(
                            $(#[$cfg])?
                            Encoding::$family(member) => Self::$family(Core::starting(member.start(), T::State::default())),
                        )*
                    }
                }
                pub(crate) fn run(
                    &mut self,
                    src: &[u8],
                    dst: &mut [T::Unit],
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
                pub(crate) fn owes(&self) -> bool {
                    each!(self, core => core.owes())
                }
                /// Bytes of the source that were read so far.
                pub(crate) fn offset(&self) -> u64 {
                    each!(self, core => core.offset())
                }
                pub(crate) fn start_at(&mut self, offset: u64) {
                    each!(self, core => core.start_at(offset));
                }
            }

            impl<F: EncodingForm> To<F> {
                pub(crate) fn new(to: Encoding) -> Self {
                    match to {
                        $(Encoding::$variant => Self::$variant(Core::default()),)*
                        $(
                            $(#[$cfg])?
                            Encoding::$family(member) => Self::$family(Core::starting(F::State::default(), member.start())),
                        )*
                    }
                }
                pub(crate) fn run(
                    &mut self,
                    src: &[F::Unit],
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
                pub(crate) fn start_at(&mut self, offset: u64) {
                    each!(self, core => core.start_at(offset));
                }
                /// Writes what is held back, between two runs: where its source stops.
                pub(crate) fn settle(&mut self, dst: &mut [u8]) -> Option<usize> {
                    each!(self, core => core.settle(dst))
                }
            }
        }
    };
}

// The list. A new form is a file in this folder and a line here.
encodings! {
    forms {
        Utf8 = Utf8,
        Utf8Bom = Utf8Bom,
        Utf16 = Utf16ByBom,
        Utf16Le = Utf16<Le>,
        Utf16Be = Utf16<Be>,
        Utf32 = Utf32ByBom,
        Utf32Le = Utf32<Le>,
        Utf32Be = Utf32<Be>,
        Ucs2 = Ucs2ByBom,
        Ucs2Le = Ucs2<Le>,
        Ucs2Be = Ucs2<Be>,
        Ucs4 = Ucs4ByBom,
        Ucs4Le = Ucs4<Le>,
        Ucs4Be = Ucs4<Be>,
        Utf8Mb3 = Utf8Mb3,
        Cesu8 = Cesu8,
        ModifiedUtf8 = ModifiedUtf8,
        JavaUtf = JavaUtf,
        TclUtf8 = TclUtf8,
        Wtf8 = Wtf8,
        Utf8Bits31 = Utf8Bits31,
        PerlUtf8 = PerlUtf8,
        FssUtf1992 = FssUtf1992,
        Utf1 = Utf1,
        Utf7 = Utf7,
        Utf7Strict = Utf7Strict,
        Imap = Imap,
        UtfEbcdic = UtfEbcdic,
        I8 = I8,
        Scsu = Scsu,
        Bocu1 = Bocu1,
        Ascii = Ascii,
        Latin1 = Latin1,
    }
    families {
        #[cfg(feature = "single-byte")]
        SingleByte(SingleByte),
        #[cfg(feature = "legacy")]
        Legacy(Legacy),
        #[cfg(feature = "legacy")]
        Iso2022Jp(Iso2022Jp),
        #[cfg(feature = "multi-byte")]
        MultiByte(MultiByte),
        #[cfg(feature = "marc8")]
        Marc8(Marc8),
    }
}

impl Encoding {
    /// The canonical name: `UTF-16LE`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.names().name
    }
}

impl core::fmt::Display for Encoding {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.name())
    }
}
