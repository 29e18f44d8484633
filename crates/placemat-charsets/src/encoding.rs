//! The byte encodings as values: one of the list of forms, chosen at run time.

#[cfg(all(test, feature = "alloc", target_has_atomic = "ptr"))]
mod tests;
mod text;

use core::cmp::Ordering;
use core::fmt;
use placemat_core::engine::tables::code_points;
use placemat_core::forms::descriptor::Descriptor;
use placemat_core::forms::facts::{Bulk, Facts};
use placemat_core::forms::names::{Names, Repertoire};

/// A byte encoding chosen at run time: a form whose code unit is the byte, or a character set.
///
/// Each has a constant: its canonical name in upper case, with `_` for each run of other characters. For windows-1252 that
/// is `Encoding::WINDOWS_1252`.
///
/// ```
/// use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};
/// assert_eq!(Encoding::WINDOWS_1252.decode(b"caf\xE9", ErrorPolicy::Stop)?, "café");
/// assert_eq!(Encoding::WINDOWS_1252.encode("café", UnmappablePolicy::Stop)?, &b"caf\xE9"[..]);
/// // An error has an offset and a code.
/// let e = Encoding::UTF_8.decode(b"caf\xE9", ErrorPolicy::Stop).unwrap_err();
/// assert_eq!((e.offset(), e.code()), (3, "incomplete"));
/// // By a label from a header or a command line.
/// assert_eq!("UTF_16le".parse(), Ok(Encoding::UTF_16LE));
/// assert!("utf9".parse::<Encoding>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Encoding(&'static Descriptor);

/// In the order of [`Encoding::ALL`]. Pages of EBCDIC that are not in it come last.
impl Ord for Encoding {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.number.cmp(&other.0.number)
    }
}

impl PartialOrd for Encoding {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
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

        impl crate::encoding::Encoding {
            $(
                $(#[$doc])*
                pub const $constant: Self = Self::new(const {
                    &$row.descriptor($first + Number::$constant as u16)
                });
            )*
        }

        /// Each encoding of the list, with its names.
        pub(crate) const $list: [(crate::encoding::Encoding, placemat_core::forms::names::Names);
            [$(stringify!($constant)),*].len()] =
            [$((crate::encoding::Encoding::$constant, $row.names)),*];

        #[cfg(test)]
        #[test]
        fn constants_are_names() {
            let constants = [$(stringify!($constant)),*];
            for ((encoding, names), constant) in $list.iter().zip(constants) {
                assert_eq!(crate::encoding::constant_of(names.name), constant);
                assert_eq!(encoding.names(), *names);
            }
        }
    };
}
pub(crate) use encodings;

/// Short names of three encodings.
impl Encoding {
    /// UTF-8: [`UTF_8`](Self::UTF_8).
    pub const UTF8: Self = Self::UTF_8;
    /// Latin-1, ISO 8859-1: [`ISO_8859_1`](Self::ISO_8859_1). The web means windows-1252 by `latin1`.
    pub const LATIN1: Self = Self::ISO_8859_1;
    /// US-ASCII: [`US_ASCII`](Self::US_ASCII). Bytes of 80 and above are errors.
    pub const ASCII: Self = Self::US_ASCII;
}

impl Encoding {
    pub(crate) const fn new(descriptor: &'static Descriptor) -> Self {
        Self(descriptor)
    }

    /// Returns the facts and the functions by which the engine knows the encoding.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)]
    pub const fn descriptor(self) -> &'static Descriptor {
        self.0
    }

    /// Returns the facts about the encoding.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)]
    pub const fn facts(self) -> &'static Facts {
        self.0.facts
    }

    /// Returns the name by which the kernels know the encoding at the start of a text.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)]
    pub const fn bulk(self) -> Bulk {
        self.0.bulk()
    }

    /// Returns the code point of each byte of an encoding of single bytes, or U+FFFF where there is none.
    #[doc(hidden)]
    #[must_use]
    pub fn code_points(self) -> Option<[u16; 256]> {
        let bulk = self.bulk();
        bulk.is_single_byte().then(|| code_points(bulk))
    }

    /// Returns the canonical name: `UTF-16LE`.
    ///
    /// ```
    /// use placemat::{Encoding, forms::Repertoire};
    /// let encoding = Encoding::UTF_16LE;
    /// assert_eq!((encoding.name(), encoding.names().name), ("UTF-16LE", "UTF-16LE"));
    /// assert_eq!((encoding.repertoire(), encoding.max_bytes()), (Repertoire::Scalar, 4));
    /// assert_eq!(encoding.signature(), b"\xFF\xFE");
    /// assert!(!encoding.is_ascii_compatible() && !encoding.takes_escapes());
    /// assert!(Encoding::UTF_8.is_ascii_compatible() && Encoding::UTF_8.takes_escapes());
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        self.names().name
    }

    /// Returns the encoding's names and labels, a description, and the documents that specify it.
    #[must_use]
    pub fn names(self) -> Names {
        self.0.names()
    }

    /// Returns the code points that the encoding can represent.
    #[must_use]
    pub fn repertoire(self) -> Repertoire {
        self.facts().repertoire
    }

    /// U+FEFF at the start of a text in this encoding, where that is a known signature; otherwise empty.
    #[must_use]
    pub fn signature(self) -> &'static [u8] {
        self.facts().signature
    }

    /// Returns the maximum number of bytes of one code point, without a signature at the start of a text.
    /// For the room that a conversion needs, see
    /// [`Transcoder::min_output`](crate::stream::Transcoder::min_output).
    ///
    /// ```
    /// use placemat::Encoding;
    /// let longest = [Encoding::UTF_8, Encoding::UTF_8_BOM, Encoding::UTF_16, Encoding::UCS_2].map(Encoding::max_bytes);
    /// assert_eq!(longest, [4, 4, 4, 2]);
    /// ```
    #[must_use]
    pub fn max_bytes(self) -> usize {
        self.facts().longest
    }

    /// Returns the maximum number of bytes that one step of writing gives: a code point, with a signature
    /// or what was held back before it.
    pub(crate) fn max_units(self) -> usize {
        self.facts().max_units
    }

    /// One decode step yields at most this many code points.
    pub(crate) fn max_code_points(self) -> usize {
        self.facts().max_code_points
    }

    /// Returns `true` if the bytes 00..7F always and only mean ASCII.
    #[must_use]
    pub fn is_ascii_compatible(self) -> bool {
        self.facts().is_ascii_compatible()
    }

    /// Returns `true` if a conversion can escape ill-formed bytes and put them back, as with
    /// [`UnmappablePolicy::SurrogateEscape`](placemat_core::UnmappablePolicy::SurrogateEscape). It can if the encoding is
    /// ASCII-compatible, or deviates from that only by sequences that end with bytes of ASCII.
    #[must_use]
    pub fn takes_escapes(self) -> bool {
        self.facts().takes_escapes
    }
}

/// The canonical name.
impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Encoding({})", self.name())
    }
}

/// Returns the rule by which users guess the constant of an encoding.
#[cfg(test)]
pub(super) fn constant_of(name: &str) -> String {
    let parts = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    parts.map(str::to_ascii_uppercase).collect::<Vec<_>>().join("_")
}
