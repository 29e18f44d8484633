//! Facts about a form, which are true anywhere in a text, and the functions that convert many
//! characters at once.

use super::names::Repertoire;
use crate::ground::unit::Order;
use crate::ground::utf16::Unit;
use crate::kernels::Moved;
#[cfg(feature = "alloc")]
use crate::kernels::single_byte::SingleByteDecoder;
use crate::kernels::single_byte::{Rows, SingleByteEncoder, SingleByteUnits};

/// The facts about a form, which are true anywhere in a text.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// The code points that the form can represent.
    pub repertoire: Repertoire,
    /// The bytes of U+FEFF at the start of a text, if they are a known signature; otherwise empty.
    pub signature: &'static [u8],
    /// The greatest number of code units of one code point, including a state change before it.
    pub max_units: usize,
    /// The greatest number of code units of one code point alone: without a signature, and without
    /// code units that were held back.
    pub longest: usize,
    /// The greatest number of code points of one step: more than one if the form has
    /// `Step::Several`.
    pub max_code_points: usize,
    /// The number of `Unit`s in one code unit of the form: `Span::Unit` reports each code unit as
    /// one error.
    pub units_per_error: usize,
    /// The byte order of code units that have several bytes; `None` if the code units are bytes or
    /// machine integers.
    pub order: Option<UnitOrder>,
    /// The meaning of the bytes 00..7F.
    pub ascii: AsciiBytes,
    /// Bytes 80..FF have the marker bits of UTF-8: 10 in the later bytes of a sequence, and as many
    /// ones in its first byte as it has bytes.
    pub utf8_markers: bool,
    /// A code point has the same bytes whatever text precedes it: the form has no shifts, no
    /// signature of its own, and no letters that wait for their marks.
    pub stateless: bool,
    /// Text that is read is written as the same bytes again.
    pub one_to_one: bool,
    /// Escaped bytes can be put back into the form: bytes 80..FF that begin no sequence are errors
    /// of one byte each, and 00..7F mean ASCII outside of sequences. This is true of forms that are
    /// ASCII-compatible, and also where a sequence may end with a byte of 00..7F, as in GBK and
    /// `Shift_JIS`; it is not true where bytes shift to other sets.
    pub takes_escapes: bool,
    /// Text that is read from any code unit on is the end of the whole text, after at most one code
    /// point of errors. Well-formed text after an incomplete sequence then never completes it.
    pub self_synchronizing: bool,
    /// A surrogate code point has a natural bit pattern in the form, though text must not contain
    /// it.
    pub surrogate_pattern: bool,
    /// `encode_pause` may write code units.
    pub holds_back: bool,
    /// `to_utf8` and `from_utf8` convert text; in other forms they do nothing.
    pub quick: bool,
    /// The bytes 00..7F that may mean something other than ASCII at the start of a text. `None` if
    /// no ASCII text has the same bytes in the form.
    pub ascii_but: Option<&'static [u8]>,
    /// Which texts have the same bytes in UTF-8.
    pub like_utf8: LikeUtf8,
    /// The name by which the kernels know the form at the start of a text.
    pub bulk: Bulk,
    /// The functions of a character set, which convert all that its tables contain at the start of
    /// a text.
    pub functions: Option<&'static CharsetFunctions>,
}

/// The byte order of code units that have several bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitOrder {
    /// The least significant byte is first.
    Little,
    /// The most significant byte is first.
    Big,
    /// The signature of a text decides.
    BySignature,
}

impl UnitOrder {
    /// Returns the order of the bytes in a code unit; `None` for machine integers.
    pub(crate) const fn of(order: Order) -> Option<Self> {
        order.pick(Some(Self::Little), Some(Self::Big), None)
    }
}

/// The meaning of the bytes 00..7F in a form. All but [`Always`](Self::Always) are unsafe for
/// markup: text to a filter can be a tag to the reader, or the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AsciiBytes {
    /// Each of the bytes is an ASCII character, and nothing else is. Other bytes can then occur
    /// beside ASCII text, and no reader takes them for ASCII.
    Always,
    /// Each of the bytes is an ASCII character, and some other bytes are too.
    NotOnly,
    /// The byte is an ASCII character or a later byte of a sequence. [`Facts::ascii_but`] has the
    /// exceptions.
    InSequences,
    /// The byte is an ASCII character or other text, depending on the shift before it.
    Shifted,
    /// Some of the bytes are never ASCII characters.
    Never,
}

/// The well-formed UTF-8 texts that have the same bytes in a form, in both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LikeUtf8 {
    /// Texts of ASCII without the bytes of [`Facts::ascii_but`].
    Ascii,
    /// Texts without U+0000 and without code points of four bytes.
    Units,
    /// All texts.
    All,
}

impl Facts {
    /// Returns the facts about a form without special properties.
    #[must_use]
    pub const fn new(repertoire: Repertoire, max_units: usize) -> Self {
        Self {
            repertoire,
            signature: &[],
            max_units,
            longest: max_units,
            max_code_points: 1,
            units_per_error: 1,
            order: None,
            ascii: AsciiBytes::Never,
            utf8_markers: false,
            stateless: true,
            one_to_one: true,
            takes_escapes: false,
            self_synchronizing: true,
            surrogate_pattern: false,
            holds_back: false,
            quick: false,
            ascii_but: None,
            like_utf8: LikeUtf8::Ascii,
            bulk: Bulk::None,
            functions: None,
        }
    }

    /// Changes the facts to those of an ASCII-compatible form.
    #[must_use]
    pub const fn ascii_compatible(self) -> Self {
        Self { ascii: AsciiBytes::Always, takes_escapes: true, ascii_but: Some(&[]), ..self }
    }

    /// Changes the facts to those of an ASCII-compatible form with the marker bits of UTF-8.
    pub(crate) const fn marked_like_utf8(self) -> Self {
        Self { utf8_markers: true, ..self.ascii_compatible() }
    }

    /// Changes the facts to those of a form in which text before a place decides how bytes are read
    /// from there.
    #[must_use]
    pub const fn stateful(self) -> Self {
        Self { stateless: false, one_to_one: false, self_synchronizing: false, ..self }
    }

    /// Returns `true` if the bytes 00..7F always and only mean U+0000..U+007F.
    #[must_use]
    pub const fn is_ascii_compatible(&self) -> bool {
        matches!(self.ascii, AsciiBytes::Always)
    }
}

/// The names by which the engine and the kernels know the forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bulk {
    /// The form has no kernel: the engine goes step by step.
    None,
    /// A target that accepts everything and writes nothing.
    Void,
    Utf8,
    Utf16,
    Utf16Le,
    Utf16Be,
    Utf32,
    Utf32Le,
    Utf32Be,
    /// UCS-2, which has no kernel of its own and goes through UTF-16 (`engine/units.rs`).
    Ucs2Le,
    Ucs2Be,
    Ascii,
    Latin1,
    Cesu8,
    ModifiedUtf8,
    /// WTF-8. The kernels of UTF-8 convert it; a sequence at which they stop may be well-formed.
    Wtf8,
    /// A character set, which has its own functions.
    Charset(Charset),
}

impl Bulk {
    /// Returns the name of a member of a family of character sets, if the family has functions.
    #[inline(always)]
    #[must_use]
    pub const fn of(functions: Option<&'static CharsetFunctions>, member: u16) -> Self {
        match functions {
            Some(functions) => Self::Charset(Charset { member, functions }),
            None => Self::None,
        }
    }
}

/// A character set with functions that convert all that its tables contain.
#[derive(Clone, Copy, Debug)]
pub struct Charset {
    /// The member of the family that shares the functions.
    pub(crate) member: u16,
    pub(crate) functions: &'static CharsetFunctions,
}

impl PartialEq for Charset {
    fn eq(&self, other: &Self) -> bool {
        self.member == other.member && self.functions.family == other.functions.family
    }
}

impl Eq for Charset {}

impl Charset {
    /// Returns the tables of a single-byte charset. In a build without such charsets the compiler
    /// can prove them unused.
    #[inline(always)]
    pub(crate) const fn single(self) -> Option<&'static SingleByteTables> {
        if cfg!(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr")) {
            self.functions.single.as_ref()
        } else {
            None
        }
    }
}

/// The functions of a family of character sets. Each converts a prefix, and takes the member of the
/// family first.
#[expect(clippy::type_complexity, reason = "one type for each function")]
#[derive(Debug)]
pub struct CharsetFunctions {
    pub family: &'static str,
    /// The form has no states, and these functions handle every code point of UTF-8 that it
    /// represents.
    pub is_stateless: bool,
    /// Returns the length of the well-formed prefix, in bytes.
    pub prefix: fn(u16, &[u8]) -> usize,
    pub to_utf8: fn(u16, &[u8], &mut [u8]) -> Moved,
    pub from_utf8: fn(u16, &[u8], &mut [u8]) -> Moved,
    /// Reads well-formed text as UTF-16. Returns the number of bytes and of UTF-16 code units.
    pub to_units: fn(u16, &[u8], &mut [Unit]) -> (usize, usize),
    /// Writes UTF-16. Returns the number of UTF-16 code units and of bytes.
    pub from_units: fn(u16, &[Unit], &mut [u8]) -> (usize, usize),
    /// The tables of a single-byte charset.
    pub single: Option<SingleByteTables>,
}

impl CharsetFunctions {
    /// The functions of a form with states: they do nothing.
    #[allow(dead_code, reason = "only some features use it")]
    pub const NONE: Self = Self {
        family: "none",
        is_stateless: false,
        prefix: |_, _| 0,
        to_utf8: |_, _, _| Moved::default(),
        from_utf8: |_, _, _| Moved::default(),
        to_units: |_, _, _| (0, 0),
        from_units: |_, _, _| (0, 0),
        single: None,
    };
}

/// The tables of a single-byte charset, for the kernels.
#[derive(Debug)]
pub struct SingleByteTables {
    pub code_points: fn(u16, &mut [u16; 256]),
    #[cfg(feature = "alloc")]
    pub decoder: fn(u16) -> &'static SingleByteDecoder,
    pub units: fn(u16) -> &'static SingleByteUnits,
    pub encoder: fn(u16) -> &'static SingleByteEncoder<Rows>,
}
