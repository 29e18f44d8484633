//! The byte encodings as values: one of the list of forms, chosen at run time.

#[cfg(feature = "marc8")]
use super::charsets::marc8::Marc8;
#[cfg(feature = "multi-byte")]
use super::charsets::multi_byte::MultiByte;
#[cfg(feature = "single-byte")]
use super::charsets::single_byte::SingleByte;
use super::charsets::{ascii::Ascii, latin1::Latin1};
#[cfg(feature = "legacy")]
use super::charsets::{iso_2022_jp::Iso2022Jp, legacy::Legacy};
use super::compact::{bocu1::Bocu1, scsu::Scsu, utf7::Imap, utf7::Utf7, utf7::Utf7Strict};
use super::form::{Family, Form, Names, Repertoire};
use super::historic::{fss_utf::FssUtf1992, utf_ebcdic::I8, utf_ebcdic::UtfEbcdic, utf1::Utf1};
use super::list::each_form;
use super::unicode::ucs::{Ucs2, Ucs2ByBom, Ucs4, Ucs4ByBom};
use super::unicode::{cesu8::Cesu8, mutf8::JavaUtf, mutf8::ModifiedUtf8, mutf8::TclUtf8, wtf8::Wtf8};
use super::unicode::{utf8::Utf8, utf8::Utf8Bom, utf8_31::PerlUtf8, utf8_31::Utf8Bits31, utf8mb3::Utf8Mb3};
use super::unicode::{utf16::Utf16, utf16::Utf16ByBom, utf32::Utf32, utf32::Utf32ByBom};
use crate::ground::unit::{Be, Le};
use core::fmt;

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
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Encoding(Kind);

/// The facts about a form, or about a charset.
struct Facts {
    repertoire: Repertoire,
    signature: &'static [u8],
    max_units: usize,
    max_bytes: usize,
    max_code_points: usize,
    ascii_compatible: bool,
    takes_escapes: bool,
}

impl Facts {
    fn of_form<F: Form>(start: &F::State) -> Self {
        Self {
            repertoire: F::REPERTOIRE,
            signature: F::SIGNATURE,
            max_units: F::MAX_UNITS,
            max_bytes: F::LONGEST,
            max_code_points: F::MAX_CODE_POINTS,
            ascii_compatible: F::is_ascii_compatible(start),
            takes_escapes: F::takes_escapes(start),
        }
    }

    #[allow(dead_code, reason = "families come with features")]
    fn of_member<M: Family>(member: M) -> Self {
        Self {
            repertoire: member.repertoire(),
            signature: member.signature(),
            ..Self::of_form::<M::Form>(&member.start())
        }
    }
}

/// Makes the encodings from the list of forms.
macro_rules! encodings {
    (
        forms { $($constant:ident: $variant:ident = $form:ty,)* }
        families { $($(#[$cfg:meta])? $family:ident($member:ty),)* }
    ) => {
        /// The form, or the member of a family.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) enum Kind {
            $($variant,)*
            $($(#[$cfg])? $family($member),)*
        }

        /// The forms. [`Names`] describes each.
        impl Encoding {
            $(
                #[doc = concat!("The form [`", stringify!($form), "`](crate::forms).")]
                pub const $constant: Self = Self(Kind::$variant);
            )*
        }

        impl Encoding {
            /// All encodings, in the order in which users see them.
            pub const ALL: &'static [Self] = &{
                let mut all = [Self::UTF_8; Self::COUNT];
                let mut count = 0;
                $(
                    all[count] = Self::$constant;
                    count += 1;
                )*
                $(
                    $(#[$cfg])?
                    {
                        let mut member = 0;
                        while member < <$member as Family>::ALL.len() {
                            all[count] = Self(Kind::$family(<$member as Family>::ALL[member]));
                            (count, member) = (count + 1, member + 1);
                        }
                    }
                )*
                assert!(count == Self::COUNT);
                all
            };

            /// The names of each encoding, in the order of [`ALL`](Self::ALL).
            pub(crate) const NAMES: [Names; Self::COUNT] = {
                let mut all = [<Utf8 as Form>::NAMES; Self::COUNT];
                let mut count = 0;
                $(
                    all[count] = <$form as Form>::NAMES;
                    count += 1;
                )*
                $(
                    $(#[$cfg])?
                    {
                        let mut member = 0;
                        while member < <$member as Family>::NAMES.len() {
                            all[count] = <$member as Family>::NAMES[member];
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

            /// The family of charsets that it belongs to, by name; `None` for a form of its own.
            #[cfg(feature = "internals")]
            pub(crate) const fn family(self) -> Option<&'static str> {
                match self.0 {
                    $(Kind::$variant => None,)*
                    $($(#[$cfg])? Kind::$family(_) => Some(stringify!($family)),)*
                }
            }

            fn facts(self) -> Facts {
                match self.0 {
                    $(Kind::$variant => Facts::of_form::<$form>(&<$form as Form>::State::default()),)*
                    $($(#[$cfg])? Kind::$family(member) => Facts::of_member(member),)*
                }
            }
        }

        impl Kind {
            fn names(self) -> Names {
                match self {
                    $(Self::$variant => <$form as Form>::NAMES,)*
                    $($(#[$cfg])? Self::$family(member) => member.names(),)*
                }
            }
        }
    };
}

each_form!(encodings);

impl Encoding {
    /// A member of a family, for its constant.
    #[allow(dead_code, reason = "families come with features")]
    pub(crate) const fn member(kind: Kind) -> Self {
        Self(kind)
    }

    #[inline(always)]
    pub(crate) const fn kind(self) -> Kind {
        self.0
    }

    /// The canonical name: `UTF-16LE`.
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

    /// Its names and labels, a description, and the documents that specify it.
    #[must_use]
    pub fn names(self) -> Names {
        self.kind().names()
    }

    /// The code points that it can hold.
    #[must_use]
    pub fn repertoire(self) -> Repertoire {
        self.facts().repertoire
    }

    /// U+FEFF at the start of a text in this encoding, where that is a known signature; otherwise empty.
    #[must_use]
    pub fn signature(self) -> &'static [u8] {
        self.facts().signature
    }

    /// The most bytes that one code point takes. A signature at the start of a text is apart; what room a conversion needs, says
    /// [`Transcoder::min_output`](crate::stream::Transcoder::min_output).
    ///
    /// ```
    /// use placemat::Encoding;
    /// let longest = [Encoding::UTF_8, Encoding::UTF_8_BOM, Encoding::UTF_16, Encoding::UCS_2].map(Encoding::max_bytes);
    /// assert_eq!(longest, [4, 4, 4, 2]);
    /// ```
    #[must_use]
    pub fn max_bytes(self) -> usize {
        self.facts().max_bytes
    }

    /// The most bytes that one step of writing gives: a code point, with a signature or what was held back before it.
    pub(crate) fn max_units(self) -> usize {
        self.facts().max_units
    }

    /// The most code points that one step of reading stands for.
    pub(crate) fn max_code_points(self) -> usize {
        self.facts().max_code_points
    }

    /// Whether the bytes 00..7F always and only mean ASCII.
    #[must_use]
    pub fn is_ascii_compatible(self) -> bool {
        self.facts().ascii_compatible
    }

    /// Whether a conversion can escape ill-formed bytes and put them back, as with
    /// [`UnmappablePolicy::SurrogateEscape`](crate::UnmappablePolicy::SurrogateEscape). It can if the encoding is
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The rule by which users guess the constant of an encoding.
    fn constant_of(name: &str) -> String {
        let parts = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
        parts.map(str::to_ascii_uppercase).collect::<Vec<_>>().join("_")
    }

    /// Checks that the names of constants follow the rule, and that the constants are all encodings of their kind.
    pub(in crate::forms) fn check_constants(all: &[(Encoding, &str)], kind: fn(Kind) -> bool) {
        for (encoding, constant) in all {
            assert_eq!(constant_of(encoding.name()), *constant);
        }
        let named: Vec<_> = all.iter().map(|(encoding, _)| *encoding).collect();
        let known: Vec<_> = Encoding::ALL.iter().copied().filter(|encoding| kind(encoding.kind())).collect();
        assert_eq!(named, known);
    }

    #[test]
    fn constants_of_forms() {
        macro_rules! check {
            (
                forms { $($constant:ident: $variant:ident = $form:ty,)* }
                families { $($(#[$cfg:meta])? $family:ident($member:ty),)* }
            ) => {
                let all = [$((Encoding::$constant, stringify!($constant))),*];
                check_constants(&all, |kind| matches!(kind, $(Kind::$variant)|*));
            };
        }
        each_form!(check);
    }
}
