//! Finds text that may be of a legacy encoding that was read as another, and passes over all other text at speed.
//!
//! Such text is well-formed, and nothing in it is UTF-8. It shows neighbours that no language has, long runs of Western letters
//! and symbols, marks inside words, or letters that no language has together.

use super::calm::Restless;
use super::classes::{Classes, class};
use std::sync::LazyLock;

/// The Latin letters beyond ASCII of languages, of those that some encoding of one byte has: letters of which some are in most
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
/// Letters that are enough for a language to show its frequent ones.
const SEVERAL: u32 = 2;
/// The bytes after which a set of letters begins anew.
const NEAR: usize = 256;

/// No letter.
const NO_LETTER: u8 = 0xFF;

/// For each code point from U+00C0 to U+017F, its small letter, counted from U+00C0.
static LOWER: LazyLock<[u8; 0xC0]> = LazyLock::new(|| {
    core::array::from_fn(|place| {
        let c = u32::try_from(place + 0xC0).ok().and_then(char::from_u32);
        let lower = c.filter(|c| c.is_alphabetic()).and_then(|c| c.to_lowercase().next());
        let place = lower.and_then(|c| u32::from(c).checked_sub(0xC0));
        place.and_then(|place| u8::try_from(place).ok()).filter(|&place| place < 0xC0).unwrap_or(NO_LETTER)
    })
});

/// A set of the letters from U+00C0 to U+017F, in lower case.
#[derive(Clone, Copy, Default)]
struct Letters([u64; 3]);

impl Letters {
    /// Adds the code point so many after U+00C0, if it is a letter.
    #[inline(always)]
    fn add(&mut self, place: usize) {
        let lower = LOWER.get(place).copied().unwrap_or(NO_LETTER);
        if lower != NO_LETTER {
            self.0[usize::from(lower / 64)] |= 1 << (lower % 64);
        }
    }

    fn is_in(self, other: Self) -> bool {
        self.0.iter().zip(other.0).all(|(own, other)| own & !other == 0)
    }

    fn of(text: &str) -> Self {
        let mut letters = Self::default();
        text.chars().filter_map(|c| (c as usize).checked_sub(0xC0)).for_each(|place| letters.add(place));
        letters
    }

    fn count(self) -> u32 {
        self.0.iter().map(|bits| bits.count_ones()).sum()
    }

    /// Whether a language has all of these, and if they are a `whole` line, some of its frequent letters among them.
    fn are_of_a_language(self, whole: bool) -> bool {
        static KNOWN: LazyLock<[[Letters; 2]; ALPHABETS.len()]> = LazyLock::new(|| {
            ALPHABETS.map(|(frequent, rare)| {
                let (frequent, mut all) = (Letters::of(frequent), Letters::of(rare));
                all.0.iter_mut().zip(frequent.0).for_each(|(all, frequent)| *all |= frequent);
                [frequent, all]
            })
        });
        KNOWN.iter().any(|&[frequent, all]| {
            let has_frequent = || self.0.iter().zip(frequent.0).any(|(own, frequent)| own & frequent != 0);
            self.is_in(all) && (!whole || has_frequent())
        })
    }
}

/// The offset of the first run beyond ASCII in `text` that shows neighbours, marks or a number of letters that no language has.
pub(super) fn odd(text: &str) -> Option<usize> {
    let classes = Classes::get();
    let src = text.as_bytes();
    let mut restless = Restless::new(src);
    let mut from = 0;
    while let Some(at) = restless.next(from) {
        let start = src[from..at].iter().rposition(u8::is_ascii).map_or(from, |before| from + before + 1);
        let before = if start > 0 { classes.class(src[start - 1].into()) } else { class::BLANK };
        let (odd, end) = run(classes, src, start, before);
        if odd {
            return Some(start);
        }
        from = end;
    }
    None
}

/// Whether a run beyond ASCII is odd, and its end.
fn run(classes: &Classes, src: &[u8], start: usize, before: u8) -> (bool, usize) {
    let mut last = before;
    let (mut at, mut odd, mut western, mut letters, mut mark) = (start, false, 0, 0, true);
    while let Some((this, len)) = classes.beyond_ascii(src, at) {
        let is_letter = matches!(this, class::LATIN_LOWER | class::LATIN_UPPER);
        western = if is_letter || is_western(this) { western + 1 } else { 0 };
        letters += usize::from(is_letter);
        odd |= classes.is_odd(last, this) || western >= RUN && letters >= 2;
        mark &= is_mark(this);
        last = this;
        at += len;
    }
    let after = src.get(at).copied().map_or(class::BLANK, |byte| classes.class(byte.into()));
    odd |= classes.is_odd(last, after) || mark && is_ascii_letter(before) && is_ascii_letter(after);
    (odd, at)
}

/// The offset of the first place in `text` near which there are Latin letters that no language has together.
pub(super) fn strange(text: &str) -> Option<usize> {
    let src = text.as_bytes();
    let mut letters = Letters::default();
    let (mut at, mut begun) = (0, 0);
    while let Some(block) = src.get(at..).filter(|rest| !rest.is_empty()) {
        let block = block.first_chunk::<64>().map_or(block, |block| block);
        let end = at + block.len();
        if !block.iter().any(|&byte| is_lead(byte)) {
            at = end;
            continue;
        }
        for (place, &lead) in (at..).zip(block).filter(|&(_, &byte)| is_lead(byte)) {
            if place > begun + NEAR {
                if is_strange(letters) {
                    return Some(begun);
                }
                letters = Letters::default();
                begun = place;
            }
            let next = src.get(place + 1).copied().unwrap_or(0);
            let known = letters.0;
            letters.add(usize::from(lead - 0xC3) << 6 | usize::from(next & 0x3F));
            if known != letters.0 && !letters.are_of_a_language(false) {
                return Some(place);
            }
        }
        at = end;
    }
    is_strange(letters).then_some(begun)
}

/// The lead bytes of U+00C0 to U+017F.
const fn is_lead(byte: u8) -> bool {
    matches!(byte, 0xC3..=0xC5)
}

/// Whether several letters of a line lack those that their language has in most lines.
fn is_strange(letters: Letters) -> bool {
    letters.count() >= SEVERAL && !letters.are_of_a_language(true)
}

/// Whether a line may be text of a legacy encoding that was read as another.
pub(super) fn is_suspect(line: &str) -> bool {
    odd(line).is_some() || strange(line).is_some()
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
