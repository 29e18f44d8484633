//! Normal forms of text: NFC and its like, the form of Apple's file systems, and that of RFC 5198 for networks.
//!
//! | form | is | specified in |
//! | --- | --- | --- |
//! | NFC, NFD, NFKC, NFKD | the normalization forms of Unicode | UAX #15 |
//! | UTF-8-MAC | NFD, except that U+2000..U+2FFF, U+F900..U+FAFF and U+2F800..U+2FAFF are unchanged | Apple QA1173 |
//! | Net-Unicode | NFC, lines that end in CR LF, no signature | RFC 5198 section 2 |
//!
//! The tables are those of the crate `icu_normalizer`. HFS+ uses Unicode 3.2 and does not decompose characters that
//! came later; this project uses the present tables, as newer systems do. NFC restores text from such a system.
//!
//! ```
//! use placemat::normalize::{Normalization, net_unicode};
//! assert_eq!(Normalization::Mac.apply("é Ω"), "e\u{301} Ω");
//! assert_eq!(Normalization::Net.apply("one\ntwo\u{85}"), "one\r\ntwo\r\n");
//! let wrong: Vec<_> = net_unicode(b"a\nb\x1B").map(|found| (found.offset, found.kind.code())).collect();
//! assert_eq!(wrong, [(1, "bare-lf"), (3, "control")]);
//! ```

use alloc::borrow::Cow;
use alloc::string::String;
use core::ops::Range;
use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory;
use placemat_core::utf8;

/// A normal form of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Normalization {
    /// Canonical decomposition, then canonical composition.
    Nfc,
    /// Canonical decomposition.
    Nfd,
    /// Compatibility decomposition, then canonical composition. Loses distinctions: `ﬁ` becomes `fi`.
    Nfkc,
    /// Compatibility decomposition. Loses distinctions.
    Nfkd,
    /// The form in which Apple's file systems write names.
    Mac,
    /// The form of RFC 5198, as far as text can be converted to it: characters that the RFC forbids and that have no
    /// replacement stay, and [`net_unicode`] finds them.
    Net,
}

const NFC: ComposingNormalizerBorrowed<'static> = ComposingNormalizerBorrowed::new_nfc();
const NFD: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizerBorrowed::new_nfd();

impl Normalization {
    /// Normalizes a whole text. Borrows if `text` already has the form; for the last two, if nothing in it could need a
    /// change.
    ///
    /// ```
    /// use placemat::normalize::Normalization;
    /// assert_eq!(Normalization::Nfc.apply("cafe\u{301}"), "café");
    /// assert_eq!(Normalization::Nfd.apply("café"), "cafe\u{301}");
    /// ```
    #[must_use]
    pub fn apply(self, text: &str) -> Cow<'_, str> {
        match self {
            Self::Nfc => NFC.normalize(text),
            Self::Nfd => NFD.normalize(text),
            Self::Nfkc => ComposingNormalizerBorrowed::new_nfkc().normalize(text),
            Self::Nfkd => DecomposingNormalizerBorrowed::new_nfkd().normalize(text),
            Self::Mac if NFD.is_normalized(text) => Cow::Borrowed(text),
            Self::Mac | Self::Net => {
                let mut out = String::with_capacity(text.len());
                let mut normalizer = Normalizer::new(self);
                normalizer.push(text, &mut out);
                normalizer.finish(&mut out);
                Cow::Owned(out)
            }
        }
    }
}

/// The characters that Apple leaves unchanged.
const fn is_apple_exception(c: char) -> bool {
    matches!(c, '\u{2000}'..='\u{2FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{2F800}'..='\u{2FAFF}')
}

/// Brings a text that comes in pieces into a [`Normalization`]. It holds back the part that the next piece could
/// change: the last code point and the marks after it.
///
/// ```
/// use placemat::normalize::{Normalization, Normalizer};
/// let mut normalizer = Normalizer::new(Normalization::Nfc);
/// let mut out = String::new();
/// normalizer.push("cafe", &mut out);
/// normalizer.push("\u{301}", &mut out);
/// normalizer.finish(&mut out);
/// assert_eq!(out, "café");
/// ```
#[derive(Clone, Debug)]
pub struct Normalizer {
    form: Normalization,
    held: String,
    cuts: u64,
    /// For Net-Unicode: whether nothing was read yet, and whether the last code point was a CR.
    at_start: bool,
    after_cr: bool,
}

impl Normalizer {
    /// The maximum number of bytes to hold back. A code point with tens of thousands of marks is
    /// not text, and memory stays bounded.
    pub const MAX_HELD_BYTES: usize = 64 * 1024;

    /// Returns a normalizer at the start of a text.
    #[must_use]
    pub const fn new(form: Normalization) -> Self {
        Self { form, held: String::new(), cuts: 0, at_start: true, after_cr: false }
    }

    /// Takes a piece, and appends the settled part to `out`.
    pub fn push(&mut self, piece: &str, out: &mut String) {
        // In `held`, only the first code point can begin something.
        let known = self.held.len();
        let last = piece.char_indices().rev().find(|&(_, c)| begins(c));
        self.held.push_str(piece);
        if last.is_none() && self.held.len() <= Self::MAX_HELD_BYTES {
            return;
        }
        let text = core::mem::take(&mut self.held);
        let (settled, held) = text.split_at(last.map_or(0, |(at, _)| known + at));
        let rest = self.put_pieces(settled, out);
        self.put(rest, out);
        let held = self.put_pieces(held, out);
        self.held.push_str(held);
    }

    /// Returns the number of cuts that may matter: places where the text had more than
    /// [`MAX_HELD_BYTES`](Self::MAX_HELD_BYTES) bytes of marks, or of similar code points, in a
    /// row. The text before and after such a cut is in the normal form; both together may not be.
    ///
    /// The text decides where it is cut, not its division into pieces.
    ///
    /// ```
    /// use placemat::normalize::{Normalization, Normalizer};
    /// let mut normalizer = Normalizer::new(Normalization::Nfc);
    /// let mut out = String::new();
    /// normalizer.push("cafe\u{301} and so on", &mut out);
    /// assert_eq!(normalizer.cuts(), 0);
    /// normalizer.push(&"\u{301}".repeat(40_000), &mut out);
    /// assert_eq!(normalizer.cuts(), 1);
    /// ```
    #[must_use]
    pub const fn cuts(&self) -> u64 {
        self.cuts
    }

    /// Writes pieces until the rest is short, and returns the rest.
    fn put_pieces<'a>(&mut self, mut text: &'a str, out: &mut String) -> &'a str {
        while text.len() > Self::MAX_HELD_BYTES {
            let (piece, rest) = text.split_at(self.cut(text));
            self.put(piece, out);
            text = rest;
        }
        text
    }

    /// Returns the offset at which to cut a long text that begins something.
    fn cut(&mut self, text: &str) -> usize {
        let most = utf8::floor_boundary(text.as_bytes(), Self::MAX_HELD_BYTES);
        let end = text[most..].chars().next().map_or(most, |c| most + c.len_utf8());
        let canonical = !matches!(self.form, Normalization::Nfkc | Normalization::Nfkd);
        let mut places = text[..end].char_indices().rev().filter(|&(at, _)| at > 0);
        if let Some((at, _)) = places.find(|&(_, c)| begins(c) || canonical && begins_canonically(c)) {
            return at;
        }
        self.cuts += 1;
        most
    }

    /// Returns the text held back, as it was read.
    ///
    /// ```
    /// use placemat::normalize::{Normalization, Normalizer};
    /// let mut normalizer = Normalizer::new(Normalization::Nfc);
    /// let mut out = String::new();
    /// normalizer.push("cafe", &mut out);
    /// assert_eq!((out.as_str(), normalizer.held()), ("caf", "e"));
    /// ```
    #[must_use]
    pub fn held(&self) -> &str {
        &self.held
    }

    /// Appends the text held back to `out`, and returns to the start of a text.
    pub fn finish(&mut self, out: &mut String) {
        let held = core::mem::take(&mut self.held);
        self.put(&held, out);
        *self = Self { cuts: self.cuts, ..Self::new(self.form) };
    }

    fn put(&mut self, text: &str, out: &mut String) {
        match self.form {
            Normalization::Mac => mac(text, out),
            Normalization::Net => {
                for c in NFC.normalize(text).chars() {
                    let (start, after_cr) = (self.at_start, self.after_cr);
                    (self.at_start, self.after_cr) = (false, c == '\r');
                    match c {
                        '\u{FEFF}' if start => {}
                        '\n' if after_cr => {}
                        '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}' => out.push_str("\r\n"),
                        c => out.push(c),
                    }
                }
            }
            form => out.push_str(&form.apply(text)),
        }
    }
}

/// Converts the text between Apple's exceptions to NFD.
fn mac(mut text: &str, out: &mut String) {
    loop {
        let end = text.find(is_apple_exception).unwrap_or(text.len());
        let (segment, rest) = text.split_at(end);
        out.push_str(&NFD.normalize(segment));
        let Some(exception) = rest.chars().next() else { return };
        out.push(exception);
        text = &rest[exception.len_utf8()..];
    }
}

/// Returns `true` if text may be cut before `c`: nothing before `c` composes or changes places with it. Marks do, and
/// so do medial and final letters of Hangul and the vowels of Kirat Rai; some of the other categories also give
/// `false`, without need.
fn begins(c: char) -> bool {
    match c {
        '\0'..='\u{2FF}' => true,
        '\u{1160}'..='\u{11FF}' | '\u{D7B0}'..='\u{D7FF}' | '\u{16D40}'..='\u{16D7F}' => false,
        // Half-width voiced sound marks compose in NFKC.
        '\u{FF9E}' | '\u{FF9F}' => false,
        // Half-width letters of Hangul become the full-width ones in NFKC.
        '\u{FFA0}'..='\u{FFDC}' => false,
        _ => {
            let category = CodePointMapData::<GeneralCategory>::new().get(c);
            !matches!(
                category,
                GeneralCategory::NonspacingMark
                    | GeneralCategory::SpacingMark
                    | GeneralCategory::EnclosingMark
                    // Spacing clones of marks decompose to a space and a mark, compatibility letters of Hangul to
                    // medial letters.
                    | GeneralCategory::ModifierSymbol
            ) && !matches!(c, '\u{3131}'..='\u{318E}' | '\u{3200}'..='\u{32FF}')
        }
    }
}

/// [`begins`] without compatibility: there, letters of Hangul that stand alone and modifier symbols begin something.
fn begins_canonically(c: char) -> bool {
    let category = CodePointMapData::<GeneralCategory>::new().get(c);
    category == GeneralCategory::ModifierSymbol
        || matches!(c, '\u{3131}'..='\u{318E}' | '\u{3200}'..='\u{32FF}' | '\u{FF9E}'..='\u{FFDC}')
}

/// Returns the length of the start of a text that can be normalized whatever follows: all but the last code point that
/// can begin something, and the text after that. For texts that come in pieces.
///
/// ```
/// use placemat::normalize::settled;
/// assert_eq!(settled("cafe"), 3);
/// assert_eq!(settled("cafe\u{301}"), 3);
/// ```
#[must_use]
pub fn settled(text: &str) -> usize {
    text.char_indices().rev().find(|&(_, c)| begins(c)).map_or(0, |(at, _)| at)
}

/// Returns the first stretch of a text that is not in NFC, with the code points that belong to it; `None` if the text
/// is in NFC.
///
/// ```
/// use placemat::normalize::first_not_nfc;
/// assert_eq!(first_not_nfc("café"), None);
/// assert_eq!(first_not_nfc("cafe\u{301}!"), Some(3..6));
/// ```
#[must_use]
pub fn first_not_nfc(text: &str) -> Option<Range<usize>> {
    let mut from = 0;
    loop {
        let (normal, rest) = NFC.split_normalized(&text[from..]);
        let mut later = rest.char_indices().skip(1);
        let len = later.find(|&(_, c)| begins(c)).map_or(rest.len(), |(at, _)| at);
        let first = rest.chars().next()?;
        // Marks in the wrong order belong to the code point before them.
        let start = from + if begins(first) { normal.len() } else { settled(normal) };
        let end = from + normal.len() + len;
        // The normalizer stops early in doubtful cases.
        if NFC.normalize(&text[start..end]) != text[start..end] {
            return Some(start..end);
        }
        from = end;
    }
}

/// The ways in which bytes fail to be Net-Unicode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NetUnicodeKind {
    /// Ill-formed UTF-8.
    NotUtf8,
    /// U+FEFF at the start; inside the text it is a character.
    Bom,
    /// LF without CR before it.
    BareLf,
    /// CR without LF or NUL after it.
    BareCr,
    /// CR NUL, which the RFC allows but discourages.
    CrNul,
    /// U+0080..U+009F.
    C1Control,
    /// U+2028 or U+2029.
    UnicodeLineSeparator,
    /// A control other than CR, LF and FF; the RFC discourages it.
    Control,
    /// An unassigned code point, or a noncharacter. Depends on the version of Unicode.
    Unassigned,
    /// A private-use code point; the RFC discourages it.
    PrivateUse,
    /// The text is not in NFC, which it should be. The offset is that of the first difference.
    NotNfc,
}

impl NetUnicodeKind {
    /// Returns a short stable name: `bare-lf`.
    ///
    /// ```
    /// use placemat::normalize::NetUnicodeKind;
    /// assert_eq!(NetUnicodeKind::BareLf.code(), "bare-lf");
    /// ```
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotUtf8 => "not-utf-8",
            Self::Bom => "bom",
            Self::BareLf => "bare-lf",
            Self::BareCr => "bare-cr",
            Self::CrNul => "cr-nul",
            Self::C1Control => "c1-control",
            Self::UnicodeLineSeparator => "unicode-line-separator",
            Self::Control => "control",
            Self::Unassigned => "unassigned",
            Self::PrivateUse => "private-use",
            Self::NotNfc => "not-nfc",
        }
    }

    /// Returns `true` if RFC 5198 forbids it; otherwise it only discourages it.
    ///
    /// ```
    /// use placemat::normalize::NetUnicodeKind;
    /// assert!(NetUnicodeKind::BareLf.is_forbidden());
    /// assert!(!NetUnicodeKind::NotNfc.is_forbidden());
    /// ```
    #[must_use]
    pub const fn is_forbidden(self) -> bool {
        !matches!(self, Self::CrNul | Self::Control | Self::PrivateUse | Self::NotNfc)
    }
}

/// An error of Net-Unicode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NetUnicodeError {
    /// The offset of the violation in bytes.
    pub offset: usize,
    /// The length of the violation in bytes.
    pub len: usize,
    /// The kind of the violation.
    pub kind: NetUnicodeKind,
}

/// Finds the errors of Net-Unicode in `src` (RFC 5198 section 2), in order; the first place that is not NFC comes last.
///
/// ```
/// use placemat::normalize::{NetUnicodeError, NetUnicodeKind, net_unicode};
/// assert_eq!(net_unicode(b"fine\r\n").count(), 0);
/// let found: Vec<_> = net_unicode(b"a\nb\xFF").collect();
/// assert_eq!(found[0], NetUnicodeError { offset: 1, len: 1, kind: NetUnicodeKind::BareLf });
/// assert_eq!((found[1].offset, found[1].kind.code()), (3, "not-utf-8"));
/// assert!(found[1].kind.is_forbidden());
/// ```
pub fn net_unicode(src: &[u8]) -> impl Iterator<Item = NetUnicodeError> + '_ {
    let categories = CodePointMapData::<GeneralCategory>::new();
    let mut at = 0;
    let pieces = utf8::chunks(src).flat_map(move |chunk| {
        let (text, start) = (chunk.text(), at);
        let ill_formed = chunk.ill_formed();
        at += text.len() + ill_formed.map_or(0, |e| e.len());
        let code_points = text.char_indices().filter_map(move |(i, c)| {
            let offset = start + i;
            let next = src.get(offset + 1).copied();
            let kind = match c {
                '\u{FEFF}' if offset == 0 => NetUnicodeKind::Bom,
                '\n' if offset > 0 && src[offset - 1] == b'\r' => return None,
                '\n' => NetUnicodeKind::BareLf,
                '\r' if next == Some(b'\n') => return None,
                '\r' if next == Some(0) => NetUnicodeKind::CrNul,
                '\r' => NetUnicodeKind::BareCr,
                '\0' if offset > 0 && src[offset - 1] == b'\r' => return None,
                '\x0C' => return None,
                '\0'..=' ' | '\x7F' if c != ' ' => NetUnicodeKind::Control,
                '\u{80}'..='\u{9F}' => NetUnicodeKind::C1Control,
                '\u{2028}' | '\u{2029}' => NetUnicodeKind::UnicodeLineSeparator,
                _ => match categories.get(c) {
                    GeneralCategory::Unassigned => NetUnicodeKind::Unassigned,
                    GeneralCategory::PrivateUse => NetUnicodeKind::PrivateUse,
                    _ => return None,
                },
            };
            Some(NetUnicodeError { offset, len: c.len_utf8(), kind })
        });
        let ill_formed = ill_formed.map(|e| NetUnicodeError {
            offset: start + text.len(),
            len: e.len(),
            kind: NetUnicodeKind::NotUtf8,
        });
        code_points.chain(ill_formed)
    });
    let text = utf8::validate(src).unwrap_or_default();
    let (normal, rest) = NFC.split_normalized(text);
    let not_nfc = rest.chars().next().map(|c| NetUnicodeError {
        offset: normal.len(),
        len: c.len_utf8(),
        kind: NetUnicodeKind::NotNfc,
    });
    pieces.chain(not_nfc)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    const FORMS: [Normalization; 6] = [
        Normalization::Nfc,
        Normalization::Nfd,
        Normalization::Nfkc,
        Normalization::Nfkd,
        Normalization::Mac,
        Normalization::Net,
    ];

    /// Normalizes a whole text at once.
    fn whole(form: Normalization, text: &str) -> String {
        let (mut normalizer, mut out) = (Normalizer::new(form), String::new());
        normalizer.held.push_str(text);
        normalizer.finish(&mut out);
        out
    }

    /// Normalizes a text in pieces; also returns the number of cuts.
    fn in_pieces<'a>(form: Normalization, pieces: impl IntoIterator<Item = &'a str>) -> (String, u64) {
        let (mut normalizer, mut out) = (Normalizer::new(form), String::new());
        for piece in pieces {
            normalizer.push(piece, &mut out);
            assert!(normalizer.held.len() <= Normalizer::MAX_HELD_BYTES);
        }
        normalizer.finish(&mut out);
        (out, normalizer.cuts())
    }

    /// A code point that composes with the one before it never begins anything, whatever the version of Unicode.
    #[test]
    fn text_is_cut_only_where_nothing_composes() {
        for c in '\0'..=char::MAX {
            for decomposed in [
                NFD.normalize(c.encode_utf8(&mut [0; 4])),
                Normalization::Nfkd.apply(c.encode_utf8(&mut [0; 4])),
            ] {
                let parts: Vec<char> = decomposed.chars().collect();
                for part in &parts[1..] {
                    let composes = NFC.normalize(&String::from_iter([parts[0], *part])).chars().count() == 1;
                    assert!(!(composes && begins(*part)), "{c:?} is {parts:?}, and {part:?} begins");
                }
                if begins_canonically(c) {
                    let decomposed = NFD.normalize(c.encode_utf8(&mut [0; 4])).chars().next();
                    let class = icu_normalizer::properties::CanonicalCombiningClassMapBorrowed::new();
                    assert_eq!(decomposed.map(|first| class.get_u8(first)), Some(0), "{c:?}");
                }
                let first =
                    icu_normalizer::properties::CanonicalCombiningClassMapBorrowed::new().get_u8(parts[0]);
                assert!(first == 0 || !begins(c), "{c:?} becomes a mark");
            }
        }
    }

    #[test]
    fn any_cut_gives_the_same() {
        let texts = [
            "cafe\u{301}\u{323}x\u{323}\u{301} \u{1112}\u{1161}\u{11AB}\u{AC00}\u{11A8}",
            "\u{FEFF}a\r\nb\rc\nd\u{85}\r\r\n\n\u{2028}",
            "é\u{2126}\u{301}\u{323}\u{F900}\u{323}\u{301}ｶﾞ\u{9C7}\u{9BE}",
        ];
        for form in FORMS {
            for text in texts {
                let expected = whole(form, text);
                for (cut, _) in text.char_indices() {
                    let (mut normalizer, mut out) = (Normalizer::new(form), String::new());
                    normalizer.push(&text[..cut], &mut out);
                    normalizer.push(&text[cut..], &mut out);
                    normalizer.finish(&mut out);
                    assert_eq!(out, expected, "{form:?} of {text:?} cut at {cut}");
                }
            }
        }
    }

    /// The pieces between places to cut can be normalized each by itself.
    #[test]
    fn the_first_stretch_that_is_not_nfc() {
        let parts = [
            "a",
            "é",
            "e\u{301}",
            "\u{2126}",
            "x\u{323}\u{301}",
            "x\u{301}\u{323}",
            "가",
            "\u{1100}\u{1161}",
            "\u{958}",
            "漢",
            "\u{F900}",
            " ",
            "\n",
        ];
        for first in parts {
            for second in parts {
                for third in parts {
                    let mut at = 0;
                    let mut expected = None;
                    for part in [first, second, third] {
                        if expected.is_none() && NFC.normalize(part) != part {
                            expected = Some(at..at + part.len());
                        }
                        at += part.len();
                    }
                    let text = [first, second, third].concat();
                    assert_eq!(first_not_nfc(&text), expected, "{text:?}");
                }
            }
        }
        // A mark at the start is a stretch of its own.
        assert_eq!(first_not_nfc("\u{344}a"), Some(0..2));
        assert_eq!(first_not_nfc(""), None);
        assert_eq!((settled(""), settled("\u{301}"), settled("a\nb\u{301}\u{302}")), (0, 0, 2));
    }

    /// Long runs of marks: the result depends on the text alone, and the cuts are counted.
    #[test]
    fn memory_is_bounded_and_cuts_are_told() {
        const MAX_HELD_BYTES: usize = Normalizer::MAX_HELD_BYTES;
        let marks = |n: usize| "\u{301}\u{323}".repeat(n / 4) + &"\u{301}".repeat(n % 4 / 2);
        for (text, cuts) in [
            (format!("e{}", marks(MAX_HELD_BYTES - 2)), 0),
            (format!("ée{}", marks(MAX_HELD_BYTES - 2)), 0),
            (format!("e{}", marks(MAX_HELD_BYTES)), 1),
            (marks(MAX_HELD_BYTES), 0),
            (marks(MAX_HELD_BYTES + 2), 1),
            (format!("e{}e{}e", marks(MAX_HELD_BYTES - 2), marks(MAX_HELD_BYTES - 2)), 0),
            (format!("xyz e{} é e{} e\u{301}", marks(MAX_HELD_BYTES + 100), marks(3 * MAX_HELD_BYTES)), 4),
            ("e\u{301}x".repeat(MAX_HELD_BYTES), 0),
        ] {
            for form in FORMS {
                let (at_once, told) = in_pieces(form, [text.as_str()]);
                assert_eq!(told, cuts, "{form:?}");
                if cuts == 0 {
                    assert!(at_once == whole(form, &text), "{form:?}");
                }
                for len in [1, 2, 1000, MAX_HELD_BYTES - 1, MAX_HELD_BYTES, MAX_HELD_BYTES + 1] {
                    let mut rest = text.as_str();
                    let pieces = core::iter::from_fn(|| {
                        let end = utf8::ceil_boundary(rest.as_bytes(), len.min(rest.len()));
                        let (piece, more) = rest.split_at(end);
                        rest = more;
                        (!piece.is_empty()).then_some(piece)
                    });
                    let (out, told) = in_pieces(form, pieces);
                    assert_eq!(told, cuts, "{form:?} {len}");
                    assert!(out == at_once, "{form:?} {len}");
                }
            }
        }
        // Not marks: in the canonical forms these are letters.
        for text in [
            "\u{314B}".repeat(MAX_HELD_BYTES),
            "\u{FFA1}".repeat(MAX_HELD_BYTES),
            "\u{1F3FB}".repeat(MAX_HELD_BYTES),
        ] {
            for form in [Normalization::Nfc, Normalization::Nfd, Normalization::Mac, Normalization::Net] {
                let (out, told) = in_pieces(form, [text.as_str()]);
                assert_eq!((told, out == text), (0, true), "{form:?}");
            }
            assert!(in_pieces(Normalization::Nfkc, [text.as_str()]).1 > 0);
        }
    }
}
