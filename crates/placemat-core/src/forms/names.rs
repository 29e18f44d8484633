//! The names of an encoding, and its repertoire.

use crate::ground::code_point::CodePoint;
use crate::ground::error::UnmappableKind;
use core::fmt;

/// The names of an encoding, with a description.
///
/// ```
/// use placemat::forms::{Labels, Names};
/// let names = Names {
///     name: "KOI8-R",
///     labels: Labels::of_lines("cskoi8r\ncp878\n"),
///     web_labels: Labels::of_lines("koi\n"),
///     about: "Russian.",
///     specified_in: "RFC 1489",
/// };
/// assert!(names.labels.contains("cp878"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Names {
    /// The canonical name, as the project prints it: `UTF-16LE`.
    pub name: &'static str,
    /// Other names, in lower case, without the canonical one: those of IANA, WHATWG and vendors.
    pub labels: Labels,
    /// The labels that a browser accepts for it (WHATWG Encoding Standard, section 4.2).
    pub web_labels: Labels,
    /// A description in one sentence.
    pub about: &'static str,
    /// The documents that specify it.
    pub specified_in: &'static str,
}

/// Labels of an encoding, in the order of its list.
///
/// ```
/// use placemat::forms::Labels;
/// let labels = Labels::of_lines("cp932\nsjis\n");
/// assert!(labels.contains("cp932") && !labels.contains("CP932"));
/// assert_eq!(labels.into_iter().collect::<Vec<_>>(), ["cp932", "sjis"]);
/// ```
// One text and not a slice of texts: in a shared library, each pointer to a text takes 40 bytes,
// and the loader has to relocate it in every process.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Labels(&'static str);

impl Labels {
    /// Makes a list of labels from lines, each ended by a line feed.
    #[must_use]
    pub const fn of_lines(lines: &'static str) -> Self {
        Self(lines)
    }

    /// Returns the labels, each followed by a line feed.
    #[doc(hidden)]
    #[must_use]
    pub const fn lines(self) -> &'static str {
        self.0
    }

    /// Iterates over the labels.
    ///
    /// ```
    /// use placemat::forms::Labels;
    /// assert_eq!(Labels::of_lines("cskoi8r\nkoi\n").iter().next(), Some("cskoi8r"));
    /// ```
    pub fn iter(self) -> core::str::Lines<'static> {
        self.0.lines()
    }

    /// Returns the number of labels.
    ///
    /// ```
    /// use placemat::forms::Labels;
    /// assert_eq!(Labels::of_lines("cskoi8r\nkoi\n").len(), 2);
    /// ```
    #[must_use]
    pub fn len(self) -> usize {
        self.iter().count()
    }

    /// Returns `true` if the list is empty.
    ///
    /// ```
    /// use placemat::forms::Labels;
    /// assert!(Labels::of_lines("").is_empty());
    /// ```
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Returns `true` if a label is in the list, in the same case.
    ///
    /// ```
    /// use placemat::forms::Labels;
    /// assert!(Labels::of_lines("cp936\n").contains("cp936"));
    /// assert!(!Labels::of_lines("cp936\n").contains("cp93"));
    /// ```
    #[must_use]
    pub fn contains(self, label: &str) -> bool {
        self.iter().any(|known| known == label)
    }
}

impl IntoIterator for Labels {
    type Item = &'static str;
    type IntoIter = core::str::Lines<'static>;

    fn into_iter(self) -> core::str::Lines<'static> {
        self.iter()
    }
}

/// The labels with spaces between them.
impl fmt::Display for Labels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, label) in self.iter().enumerate() {
            write!(f, "{}{label}", if i > 0 { " " } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Labels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(*self).finish()
    }
}

/// Makes [`Labels`] of a list of literals.
#[macro_export]
#[doc(hidden)]
macro_rules! labels {
    ($($label:literal),* $(,)?) => {
        $crate::forms::names::Labels::of_lines(concat!($($label, "\n"),*))
    };
}
#[doc(inline)]
pub use labels;

/// The repertoire of a form: the code points that it can represent. The engine checks it wherever
/// text enters the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Repertoire {
    /// U+0000..U+007F.
    Ascii,
    /// U+0000..U+00FF.
    Latin1,
    /// The code points of a table, all within U+0000..U+FFFF; only encoding shows whether the table has one.
    Table,
    /// The code points of tables, in all planes; only encoding shows whether the tables have one.
    Tables,
    /// U+0000..U+FFFF, surrogate code points included.
    Bmp,
    /// Unicode scalar values up to U+FFFF.
    BmpScalar,
    /// Unicode scalar values: U+0000..U+10FFFF without surrogates.
    Scalar,
    /// Unicode code points: U+0000..U+10FFFF with surrogates.
    CodePoint,
    /// Code points of 31 bits, surrogates included.
    Bits31,
}

impl Repertoire {
    /// Checks that `c` belongs to the repertoire.
    ///
    /// # Errors
    /// The reason why it does not belong.
    ///
    /// ```
    /// use placemat::{UnmappableKind, forms::Repertoire};
    /// assert_eq!(Repertoire::Latin1.check('é'.into()), Ok(()));
    /// assert_eq!(Repertoire::Latin1.check('€'.into()), Err(UnmappableKind::NotInRepertoire));
    /// assert_eq!(Repertoire::Latin1.describe(), "U+0000..U+00FF");
    /// ```
    #[inline]
    pub const fn check(self, c: CodePoint) -> Result<(), UnmappableKind> {
        let value = c.value();
        let (last, beyond) = match self {
            Self::Ascii => (0x7F, UnmappableKind::NotInRepertoire),
            Self::Latin1 => (0xFF, UnmappableKind::NotInRepertoire),
            Self::Table => (0xFFFF, UnmappableKind::NotInRepertoire),
            Self::Bmp | Self::BmpScalar => (0xFFFF, UnmappableKind::OutOfRange),
            Self::Scalar | Self::CodePoint | Self::Tables => (0x10_FFFF, UnmappableKind::OutOfRange),
            Self::Bits31 => (CodePoint::MAX.value(), UnmappableKind::OutOfRange),
        };
        if value > last {
            return Err(if c.is_surrogate() { UnmappableKind::Surrogate } else { beyond });
        }
        if matches!(self, Self::Scalar | Self::BmpScalar | Self::Table | Self::Tables) && c.is_surrogate() {
            return Err(UnmappableKind::Surrogate);
        }
        Ok(())
    }

    /// Returns the repertoire in words: `scalar values, U+0000..U+10FFFF without surrogates`.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Ascii => "U+0000..U+007F",
            Self::Latin1 => "U+0000..U+00FF",
            Self::Table => "the characters of its table",
            Self::Tables => "the characters of its tables",
            Self::Bmp => "U+0000..U+FFFF, surrogate code points included",
            Self::BmpScalar => "scalar values up to U+FFFF",
            Self::Scalar => "scalar values: U+0000..U+10FFFF without surrogates",
            Self::CodePoint => "code points U+0000..U+10FFFF, surrogates included",
            Self::Bits31 => "code points of 31 bits, U+0000..U+7FFFFFFF, surrogates included",
        }
    }
}
