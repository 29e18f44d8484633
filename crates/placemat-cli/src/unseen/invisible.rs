//! Code points that show nothing, and what needs them.

use unicode_properties::{GeneralCategoryGroup, UnicodeEmoji as _, UnicodeGeneralCategory as _};
use unicode_script::{Script, UnicodeScript as _};

/// The flags that are emoji: U+1F3F4, tags, U+E007F (emoji-sequences.txt).
const FLAGS: [&str; 3] = ["gbeng", "gbsct", "gbwls"];

/// Returns `true` if a code point shows nothing, so that this lint reports it.
pub(crate) const fn shows_nothing(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200D}' | '\u{2060}'..='\u{2065}' | '\u{206A}'..='\u{206F}' | '\u{3164}'
        | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}'
        | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Returns `true` if an invisible code point has an effect between these neighbors.
pub(crate) fn is_needed(c: char, before: Option<char>, after: Option<char>) -> bool {
    let beside = |is: fn(char) -> bool| before.is_some_and(is) || after.is_some_and(is);
    let behind = |is: fn(char) -> bool| before.is_some_and(is);
    match c {
        '\u{200C}' => beside(joins),
        '\u{200D}' => {
            let emoji = |c: char| !c.is_ascii() && c.is_emoji_char();
            beside(joins)
                || before.is_some_and(|c| emoji(c) || matches!(c, '\u{FE0F}' | '\u{E007F}'))
                    && after.is_some_and(emoji)
        }
        '\u{FE0E}' | '\u{FE0F}' => behind(|c| c.is_emoji_char()),
        '\u{FE00}'..='\u{FE0D}' => before.is_some_and(|base| has_variant(base, c)),
        '\u{E0100}'..='\u{E01EF}' => behind(is_ideograph),
        '\u{180B}'..='\u{180F}' => behind(|c| c.script() == Script::Mongolian && !shows_nothing(c)),
        '\u{200B}' => beside(has_no_spaces),
        '\u{34F}' => after.is_some_and(is_mark),
        '\u{115F}' => after.is_some_and(|c| is_vowel_jamo(c) || c == '\u{1160}'),
        '\u{1160}' => behind(is_leading_jamo) && after.is_some_and(is_trailing_jamo),
        '\u{17B4}' | '\u{17B5}' => behind(|c| c.script() == Script::Khmer && !shows_nothing(c)),
        '\u{1BCA0}'..='\u{1BCA3}' => beside(|c| c.script() == Script::Duployan),
        '\u{1D173}'..='\u{1D17A}' => beside(|c| matches!(c, '\u{1D100}'..='\u{1D1FF}') && !shows_nothing(c)),
        _ => false,
    }
}

/// Returns the length of the tags of a flag at the start of the text, if it begins with them.
pub(crate) fn flag_of(text: &str) -> Option<usize> {
    // A tag is the ASCII letter with U+E0000 before it.
    let mut letters = text.chars().map(|c| u32::from(c).wrapping_sub(0xE_0000));
    let tags: [u32; 6] = core::array::from_fn(|_| letters.next().unwrap_or(0));
    let is = |flag: &&str| flag.bytes().map(u32::from).chain([0x7F]).eq(tags);
    FLAGS.iter().any(is).then_some(6 * 4)
}

/// Returns `true` if the joiners change how letters of the script of `c` look (Unicode Standard, chapters 9 and 12 to 14).
fn joins(c: char) -> bool {
    use Script::*;
    const SCRIPTS: [Script; 46] = [
        Arabic,
        Syriac,
        Mandaic,
        Manichaean,
        Mongolian,
        Nko,
        Phags_Pa,
        Psalter_Pahlavi,
        Adlam,
        Hanifi_Rohingya,
        Sogdian,
        Old_Uyghur,
        Chorasmian,
        Devanagari,
        Bengali,
        Gurmukhi,
        Gujarati,
        Oriya,
        Tamil,
        Telugu,
        Kannada,
        Malayalam,
        Sinhala,
        Khmer,
        Myanmar,
        Tibetan,
        Limbu,
        Lepcha,
        Balinese,
        Javanese,
        Sundanese,
        Batak,
        Buginese,
        Tai_Tham,
        Brahmi,
        Kaithi,
        Sharada,
        Newa,
        Tirhuta,
        Siddham,
        Modi,
        Grantha,
        Khojki,
        Khudawadi,
        Takri,
        Meetei_Mayek,
    ];
    !shows_nothing(c) && !c.is_ascii() && SCRIPTS.iter().any(|&script| extension(c, script))
}

/// Returns `true` if the script of `c` uses U+200B to separate words.
pub(crate) fn has_no_spaces(c: char) -> bool {
    use Script::*;
    const SCRIPTS: [Script; 12] = [
        Thai,
        Lao,
        Khmer,
        Myanmar,
        Tibetan,
        Tai_Le,
        New_Tai_Lue,
        Tai_Tham,
        Tai_Viet,
        Javanese,
        Balinese,
        Sundanese,
    ];
    !shows_nothing(c) && !c.is_ascii() && SCRIPTS.iter().any(|&script| extension(c, script))
}

/// Returns `true` if a script, but not Latin, is one of those that use a code point: marks of many scripts prove nothing.
fn extension(c: char, script: Script) -> bool {
    let scripts = c.script_extension();
    !scripts.contains_script(Script::Latin) && scripts.contains_script(script)
}

fn is_ideograph(c: char) -> bool {
    c.script() == Script::Han
}

fn is_mark(c: char) -> bool {
    !shows_nothing(c) && c.general_category_group() == GeneralCategoryGroup::Mark
}

const fn is_leading_jamo(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{115F}' | '\u{A960}'..='\u{A97C}')
}

const fn is_vowel_jamo(c: char) -> bool {
    matches!(c, '\u{1161}'..='\u{11A7}' | '\u{D7B0}'..='\u{D7C6}')
}

const fn is_trailing_jamo(c: char) -> bool {
    matches!(c, '\u{11A8}'..='\u{11FF}' | '\u{D7CB}'..='\u{D7FB}')
}

/// Returns `true` if the base has this variant, by the kinds of bases in StandardizedVariants.txt.
fn has_variant(base: char, selector: char) -> bool {
    match base {
        // Compatibility ideographs.
        _ if is_ideograph(base) => selector <= '\u{FE02}',
        // Rotated hieroglyphs.
        '\u{13000}'..='\u{1345F}' => selector <= '\u{FE06}',
        // Punctuation at the side or in the middle.
        '\u{2018}'..='\u{201D}' | '\u{3001}' | '\u{3002}' | '\u{FF01}'..='\u{FF1F}' => selector <= '\u{FE01}',
        // The zero with a stroke, Fraktur and script letters.
        '0' | '\u{2100}'..='\u{214F}' | '\u{1D49C}'..='\u{1D503}' => selector <= '\u{FE01}',
        '\u{2205}' | '\u{2229}'..='\u{22FF}' | '\u{2A00}'..='\u{2AFF}' => selector == '\u{FE00}',
        '\u{1000}'..='\u{109F}'
        | '\u{A840}'..='\u{A877}'
        | '\u{AA60}'..='\u{AA7F}'
        | '\u{10AC0}'..='\u{10AFF}' => selector == '\u{FE00}',
        _ => false,
    }
}

/// Returns the code points of a run of invisible ones that are needed between these neighbors, after all others are removed.
pub(crate) fn needed_of(before: Option<char>, run: &str, after: Option<char>) -> String {
    let mut run = run.to_owned();
    loop {
        let mut kept = String::new();
        let mut at = 0;
        while let Some(c) = run[at..].chars().next() {
            let previous = run[..at].chars().next_back().or(before);
            let next = at + c.len_utf8();
            if previous == Some('\u{1F3F4}')
                && let Some(len) = flag_of(&run[at..])
            {
                kept.push_str(&run[at..at + len]);
                at += len;
                continue;
            }
            if is_needed(c, previous, run[next..].chars().next().or(after)) {
                kept.push(c);
            }
            at = next;
        }
        // One that is removed may have been the neighbor that another one needs.
        if kept == run {
            return kept;
        }
        run = kept;
    }
}
