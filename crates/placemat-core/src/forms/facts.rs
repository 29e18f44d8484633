//! Facts about a form, which hold at every place of a text, and the functions that convert much of a text at once.

use super::names::Repertoire;
use crate::ground::utf16::Unit;
use crate::kernels::Moved;
#[cfg(feature = "alloc")]
use crate::kernels::single_byte::SingleByteDecoder;
use crate::kernels::single_byte::{Rows, SingleByteEncoder, SingleByteUnits};

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
    /// The most code points that one step stands for: more than one where there is `Step::Several`.
    pub max_code_points: usize,
    /// The number of `Unit`s in one code unit of the form: `Span::Unit` reports each as one error.
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
    /// Whether `encode_pause` ever writes anything.
    pub holds_back: bool,
    /// Whether `to_utf8` and `from_utf8` do anything.
    pub quick: bool,
    /// The bytes 00..7F that may mean something other than ASCII at the start of a text. `None` if no text of ASCII has the same
    /// bytes in the form.
    pub ascii_but: Option<&'static [u8]>,
    /// The texts that are the same bytes in UTF-8.
    pub like_utf8: LikeUtf8,
    /// The name by which the kernels know the form at the start of a text.
    pub bulk: Bulk,
    /// The functions of a character set, which convert at the start of a text what its tables hold.
    pub functions: Option<&'static CharsetFunctions>,
}

/// The well-formed texts of UTF-8 that are the same bytes in a form, in both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LikeUtf8 {
    /// The texts of the bytes that [`Facts::ascii_but`] leaves.
    Ascii,
    /// The texts that have neither U+0000 nor a code point of four bytes.
    Units,
    /// All texts.
    All,
}

impl Facts {
    /// The facts about a form that has nothing special.
    #[must_use]
    pub const fn new(repertoire: Repertoire, max_units: usize) -> Self {
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
            functions: None,
        }
    }

    /// These facts, about a form that is ASCII-compatible.
    #[must_use]
    pub const fn ascii_compatible(self) -> Self {
        Self { ascii_compatible: true, takes_escapes: true, ascii_but: Some(&[]), ..self }
    }
}

/// The forms that have kernels, as the engine names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bulk {
    /// No kernel: the driver goes step by step.
    None,
    /// Reads only; writes nothing.
    Void,
    Utf8,
    Utf16,
    Utf16Le,
    Utf16Be,
    Utf32,
    Utf32Le,
    Utf32Be,
    /// UCS-2 has no kernel of its own, but goes by way of UTF-16 (`engine/units.rs`).
    Ucs2Le,
    Ucs2Be,
    Ascii,
    Latin1,
    Cesu8,
    ModifiedUtf8,
    /// WTF-8. The kernels of UTF-8 convert it; a sequence at which they stop may be well-formed.
    Wtf8,
    /// A character set, which has functions of its own.
    Charset(Charset),
}

impl Bulk {
    /// The name of a member of a family of character sets, if the family has functions.
    #[inline(always)]
    #[must_use]
    pub const fn of(functions: Option<&'static CharsetFunctions>, member: u16) -> Self {
        match functions {
            Some(functions) => Self::Charset(Charset { member, functions }),
            None => Self::None,
        }
    }
}

/// A character set with functions that convert all that its tables hold.
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
    /// The tables of a charset of single bytes. Where no such charset is compiled, the compiler sees that nothing uses them.
    #[inline(always)]
    pub(crate) const fn single(self) -> Option<&'static SingleByteTables> {
        if cfg!(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr")) {
            self.functions.single.as_ref()
        } else {
            None
        }
    }
}

/// The functions of a family of character sets. Each converts a prefix, and gets the member first.
#[expect(clippy::type_complexity, reason = "one type for each function")]
#[derive(Debug)]
pub struct CharsetFunctions {
    pub family: &'static str,
    /// Whether the form has no states, and all code points of UTF-8 that it holds are for these functions.
    pub is_stateless: bool,
    /// Returns the length of the well-formed prefix.
    pub prefix: fn(u16, &[u8]) -> usize,
    pub to_utf8: fn(u16, &[u8], &mut [u8]) -> Moved,
    pub from_utf8: fn(u16, &[u8], &mut [u8]) -> Moved,
    /// Reads well-formed text as UTF-16. Returns the number of bytes, and of units.
    pub to_units: fn(u16, &[u8], &mut [Unit]) -> (usize, usize),
    /// Writes UTF-16. Returns the number of units, and of bytes.
    pub from_units: fn(u16, &[Unit], &mut [u8]) -> (usize, usize),
    /// The tables of a charset of which each code point takes one byte.
    pub single: Option<SingleByteTables>,
}

impl CharsetFunctions {
    /// Functions that do nothing, of a form with states.
    #[allow(dead_code, reason = "families come with features")]
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

/// The tables of a charset of single bytes, for the kernels.
#[derive(Debug)]
pub struct SingleByteTables {
    pub code_points: fn(u16, &mut [u16; 256]),
    #[cfg(feature = "alloc")]
    pub decoder: fn(u16) -> &'static SingleByteDecoder,
    pub units: fn(u16) -> &'static SingleByteUnits,
    pub encoder: fn(u16) -> &'static SingleByteEncoder<Rows>,
}
