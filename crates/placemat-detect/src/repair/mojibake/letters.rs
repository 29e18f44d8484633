//! Finds text that may be of a legacy encoding that was read as another, and passes over all other text at speed.
//!
//! Such text is well-formed, and nothing in it is UTF-8. It shows neighbors that no language has, long runs of Western letters
//! and symbols, marks inside words, or letters that no language has together.

use super::candidates::{Candidates, LATIN};
use super::classes::class;
use placemat_core::ground::chunk::chunk_at;
use placemat_core::ground::once::Lazy;

/// The non-ASCII Latin letters of languages, of those that some encoding of one byte has: letters of which some are in most
/// lines, and the others.
const ALPHABETS: [(&str, &str); 40] = [
    ("æøå", "éäöü"),                // Danish
    ("æøå", "éèêóòôü"),             // Norwegian
    ("äöüß", "éèàâêç"),             // German
    ("éèàê", "âæçëîïôœùûüÿñö"),     // French
    ("áéíóñ", "úüç"),               // Spanish
    ("àèóéò", "çíïúüñá"),           // Catalan, Occitan
    ("ãáçéó", "àâêíôõúüñ"),         // Portuguese, Galician
    ("àèéìòù", "îíóú"),             // Italian
    ("ëéèïöüêáíóàçäâûôî", ""),      // Dutch, Luxembourgish
    ("åäö", "éàüšž"),               // Swedish, Finnish
    ("äöõü", "šžé"),                // Estonian
    ("áéíóúæö", "ýþð"),             // Icelandic
    ("áíóúæø", "ýð"),               // Faroese
    ("áéíóö", "őúüűä"),             // Hungarian
    ("áčěíéřšž", "ďňóťúůýöüä"),     // Czech
    ("áčéíšžý", "äďĺľňóôŕťúöü"),    // Slovak
    ("ąćęłńóśźż", "éü"),            // Polish
    ("čćšž", "đéáöü"),              // Croatian, Slovenian
    ("ăîşţâ", "áéöü"),              // Romanian
    ("ığöşü", "çâîû"),              // Turkish, Azerbaijani
    ("ąčęėįšųūž", "é"),             // Lithuanian
    ("āēīšū", "čģķļņžōŗéöü"),       // Latvian
    ("ċġħż", "àèìòù"),              // Maltese
    ("ĉĝĥĵŝŭ", "éáíó"),             // Esperanto
    ("âêîôûŵŷ", "äëïöüáéíóúàèìòù"), // Welsh
    ("áéíóúàèìòù", ""),             // Irish, Scottish Gaelic
    ("éèñùêâ", "îôûüà"),            // Breton
    ("ëç", "éêâîôöü"),              // Albanian
    ("đàáâêô", "ãèéìíòóõùúýăĩũ"),   // Vietnamese
    ("čćěłńóřšž", "ŕśźöü"),         // Sorbian
    ("ąćęłńōôõ", "óśźżãŏéù"),       // Silesian
    ("êîş", "çûéü"),                // Kurdish
    ("āēīōū", "éñ"),                // Māori, romanized texts
    ("ãáéíóúýñ", "ĩũõ"),            // Guarani
    ("áčđŋšŧžäöåæø", "âï"),         // Sami
    ("äöşüý", "çňž"),               // Turkmen
    ("âêéëôûú", "ïöüäíóàèç"),       // Frisian, Afrikaans
    ("àâèéìòô", "æçêëîïñöùûü"),     // Romansh, Friulian, Ligurian
    ("àáèéìíòóùú", "ńñ"),           // Yoruba and others
    ("àéëóñ", "ãŋïô"),              // Wolof and others
];

/// Code points of Western pages in a row that no language writes.
const RUN: usize = 4;
/// A set of letters spans at most this many bytes.
const MAX_SET_BYTES: usize = 256;

/// The code points from U+00C0 to U+017F.
const LETTERS: usize = 0xC0;
/// The value for a code point that is not a letter.
const NO_LETTER: u8 = 0xFF;

/// How windows-1252 and ISO-8859-1 read the first two bytes of a dingbat such as the check mark. The marks after it are usual
/// after a letter, but no language has these two letters in a row.
pub(super) const DINGBAT: &str = "âœ";

/// A code point from U+00C0 to U+017F.
#[derive(Clone, Copy)]
struct Letter {
    /// The lower case of the letter, counted from U+00C0, or [`NO_LETTER`].
    lower: u8,
    /// The alphabets that have it, and those of which it is one of the frequent letters: a bit for each.
    known: u64,
    frequent: u64,
}

static ALL: Lazy<[Letter; LETTERS]> = Lazy::new(|| {
    let lower = |place: usize| {
        let c = u32::try_from(place + 0xC0).ok().and_then(char::from_u32);
        let lower = c.filter(|c| c.is_alphabetic()).and_then(|c| c.to_lowercase().next())?;
        let place = u32::from(lower).checked_sub(0xC0).and_then(|place| u8::try_from(place).ok())?;
        (usize::from(place) < LETTERS).then_some((place, lower))
    };
    core::array::from_fn(|place| match lower(place) {
        None => Letter { lower: NO_LETTER, known: u64::MAX, frequent: 0 },
        Some((place, c)) => {
            let with = |has: fn(&(&str, &str), char) -> bool| {
                let alphabets = ALPHABETS.iter().enumerate().filter(|(_, alphabet)| has(alphabet, c));
                alphabets.fold(0, |all, (number, _)| all | 1 << number)
            };
            let frequent = with(|alphabet, c| alphabet.0.contains(c));
            let known = frequent | with(|alphabet, c| alphabet.1.contains(c));
            Letter { lower: place, known, frequent }
        }
    })
});

/// The conditions on a set of letters from U+00C0 to U+017F.
#[derive(Clone, Copy)]
struct Letters {
    /// One letter of the set in lower case, or [`NO_LETTER`].
    one: u8,
    /// Whether the set has more than one small letter.
    several: bool,
    /// The alphabets that have all letters of the set, and those in which one of the letters is
    /// frequent.
    known: u64,
    frequent: u64,
}

impl Letters {
    const NONE: Self = Self { one: NO_LETTER, several: false, known: u64::MAX, frequent: 0 };

    /// Adds a code point, if it is a letter.
    #[inline(always)]
    fn add(&mut self, letter: Letter) {
        let Letter { lower, known, frequent } = letter;
        self.known &= known;
        self.frequent |= frequent;
        let is_first = self.one == NO_LETTER;
        self.several |= !is_first & (lower != self.one) & (lower != NO_LETTER);
        self.one = if is_first { lower } else { self.one };
    }

    /// Returns `true` if no language has all letters of the set.
    const fn are_of_none(&self) -> bool {
        self.known == 0
    }

    /// Returns `true` if several letters of a line lack those that their language has in most lines.
    const fn are_strange(&self) -> bool {
        self.several && self.known & self.frequent == 0
    }
}

/// Finds a non-ASCII run that shows neighbors, marks or a number of letters that no language has. It is told of each code
/// point that is restless: in a calm one and its neighbors there is nothing of it.
#[derive(Default)]
pub(super) struct Odd {
    /// The end of the code point before.
    end: usize,
    /// Western code points in a row, and the letters of the run.
    western: usize,
    letters: usize,
    /// All of the run are marks, and a letter of ASCII stands before it.
    marks: bool,
}

impl Odd {
    /// Returns `true` if the run of the code point at `at` is odd, as far as it and those before it show. `this` is its class,
    /// and `beside` those of its neighbors.
    #[inline(always)]
    pub(super) fn is_odd(&mut self, src: &[u8], range: (usize, usize), this: u8, beside: (u8, u8)) -> bool {
        let (at, end) = range;
        let is_letter = matches!(this, class::LATIN_LOWER | class::LATIN_UPPER);
        if self.end != at {
            self.western = 0;
            self.marks = false;
            // Calm code points may stand between them.
            if self.letters > 0 && src[self.end..at].iter().any(u8::is_ascii) {
                self.letters = 0;
            }
        }
        self.end = end;
        self.western = if is_letter || is_western(this) { self.western + 1 } else { 0 };
        self.letters += usize::from(is_letter);
        self.marks = is_mark(this) && (self.marks || is_ascii_letter(beside.0));
        // Spanish begins sentences with an inverted mark; `ju¿` is `już`.
        let ends_word = this == class::INVERTED && is_ascii_letter(beside.0) && beside.1 == class::BLANK;
        self.western >= RUN && self.letters >= 2 || self.marks && is_ascii_letter(beside.1) || ends_word
    }
}

/// Returns the offset of the first place from `from` on near which there are Latin letters that no language has together.
pub(super) fn strange(src: &[u8], candidates: &Candidates, from: usize) -> Option<usize> {
    // Without a sign, no table is made.
    candidates.next::<LATIN>(from)?;
    let all: &[Letter; LETTERS] = &ALL;
    let mut letters = Letters::NONE;
    let mut begun = from;
    for (start, mut left) in candidates.blocks::<LATIN>(from) {
        while left != 0 {
            let place = start + left.trailing_zeros() as usize;
            left &= left - 1;
            if place > begun + MAX_SET_BYTES {
                if letters.are_strange() {
                    return Some(begun);
                }
                letters = Letters::NONE;
                begun = place;
            }
            if src[place..].starts_with(DINGBAT.as_bytes()) {
                return Some(place);
            }
            if let Some(&[lead, next]) = chunk_at!(src, place)
                && let Some(&letter) =
                    all.get(usize::from(lead.wrapping_sub(0xC3)) << 6 | usize::from(next & 0x3F))
            {
                letters.add(letter);
            }
            if letters.are_of_none() {
                return Some(place);
            }
        }
    }
    letters.are_strange().then_some(begun)
}

const fn is_ascii_letter(this: u8) -> bool {
    matches!(this, class::ASCII_LOWER | class::ASCII_UPPER)
}

/// Symbols and marks of Western pages.
const fn is_western(this: u8) -> bool {
    matches!(this, class::CLOSING_QUOTE..=class::MATH | class::OPENING_QUOTE..=class::LOW_SINGLE_QUOTE)
}

/// Marks that no language writes inside words: an apostrophe, dashes and dots are none.
const fn is_mark(this: u8) -> bool {
    matches!(
        this,
        class::LOW_QUOTE | class::LOW_SINGLE_QUOTE | class::CURRENCY | class::INVERTED
            ..=class::MATH | class::GUILLEMET
    )
}
