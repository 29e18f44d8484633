//! Words of two scripts that deceive nobody: compounds, endings, units. In the others, a letter looks like one of the other
//! script: most are typing errors, some are attacks.

use super::lookalike::Looks;
use unicode_script::{Script, UnicodeScript as _};

/// A part of a word with this many letters is read as a word of its own.
const MIN_RUN_LETTERS: usize = 3;
/// Latin endings such as `xs` have this many letters at least.
const MIN_ENDING_LETTERS: usize = 2;
/// A word without ASCII that has fewer letters looks like nothing that a program reads.
const MIN_LOOKALIKE_LETTERS: usize = 4;

/// Latin letters that look like Cyrillic or Greek ones.
const LIKE_CYRILLIC: &str = "ABCEHIJKMOPSTXYaceghijkmnopqrsuxy";
const LIKE_GREEK: &str = "ABEHIKMNOPTXYZaiknopuvwxy";

/// Returns `true` if a word without a letter of ASCII is too short to be taken for a word of ASCII, or all Latin: a click of
/// Khoisan languages, a ligature.
pub(super) fn is_short_or_latin(word: &str) -> bool {
    let is_plain = |c: char| c.script() == Script::Latin || c.is_numeric() || is_mathematical(c);
    let has_ascii = word.bytes().any(|byte| byte.is_ascii_alphabetic());
    word.chars().all(is_plain)
        || !has_ascii && word.chars().filter(|c| c.is_alphabetic()).count() < MIN_LOOKALIKE_LETTERS
}

/// Returns `true` for a mathematical letter, which is visibly bold, slanted or double-struck.
const fn is_mathematical(c: char) -> bool {
    matches!(c, '\u{1D400}'..='\u{1D7FF}')
}

/// Returns the runs of Latin and of other letters in a word: whether it is Latin, and the number of its letters.
fn runs(word: &str) -> Vec<(bool, usize)> {
    let mut runs: Vec<(bool, usize)> = Vec::new();
    for c in word.chars().filter(|c| c.is_alphabetic()) {
        let is_latin = c.script() == Script::Latin;
        match runs.last_mut() {
            Some((last, count)) if *last == is_latin => *count += 1,
            _ => runs.push((is_latin, 1)),
        }
    }
    runs
}

/// Returns `true` for a word of two parts that are each in one script: `base64строка`, or a Latin word with an ending in
/// another script: `pluginов`. Nobody takes either for a word of ASCII. In a translation, a short Latin ending is a typing
/// error; elsewhere, it is a name: `схемыxs`.
pub(super) fn is_compound(word: &str, home: Option<Script>) -> bool {
    let runs = runs(word);
    match runs[..] {
        [(true, MIN_RUN_LETTERS..), (false, _)] => true,
        [(false, MIN_RUN_LETTERS..), (true, MIN_RUN_LETTERS)] => home.is_none(),
        [(false, MIN_RUN_LETTERS..), (true, MIN_ENDING_LETTERS)]
        | [(true, MIN_ENDING_LETTERS), (false, MIN_RUN_LETTERS..)] => home.is_none(),
        _ if home.is_none() => {
            let shortest = runs.iter().map(|&(_, count)| count).min();
            runs.len() > 1 && shortest >= Some(MIN_ENDING_LETTERS)
        }
        _ => runs.len() > 1 && runs.iter().all(|&(_, count)| count >= MIN_RUN_LETTERS),
    }
}

/// Returns `true` for a Latin word with an ending in the script of a translation that looks like ASCII: `pluginа`.
pub(super) fn is_inflected(word: &str, home: Script) -> bool {
    let ending = word.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
    word.len() - ending.len() > MIN_RUN_LETTERS
        && (1..=MIN_RUN_LETTERS).contains(&ending.chars().count())
        && ending.chars().all(|c| c.script() == home)
}

/// Returns `true` for a word in Cyrillic whose only Latin letters are vowels with an accent, which show the stress: `кôд`.
pub(super) fn is_stressed(word: &str) -> bool {
    word.chars().all(|c| c.script() == Script::Cyrillic || "áéíóúýàèìòùâêîôûÁÉÍÓÚÝÀÈÌÒÙ".contains(c))
}

/// Returns `true` for a unit or a product: a Greek letter before an abbreviation, as in `μл`, and an `x` between digits.
pub(super) fn is_quantity(word: &str) -> bool {
    let rest = word.trim_start_matches(['μ', 'µ', 'Ω']);
    let short = rest.chars().filter(|c| c.is_alphabetic()).count() < MIN_LOOKALIKE_LETTERS;
    let mut letters = word.chars().filter(|c| c.is_alphabetic());
    rest.len() < word.len() && short || letters.next() == Some('x') && letters.next().is_none()
}

/// Returns `true` for the pattern of a date: a Latin letter between runs of one letter, as in `ддTчч`; or letters of patterns
/// beside those of a script that none of them looks like, as in `ܒMMMM`.
pub(super) fn is_date_pattern(word: &str) -> bool {
    let is_run =
        |part: &str| part.chars().count() > 1 && part.chars().all(|c| part.starts_with(c) && !c.is_ascii());
    if let Some((before, after)) = word.split_once('T') {
        return is_run(before) && is_run(after);
    }
    let mut latin = word.chars().filter(char::is_ascii_alphabetic);
    let first = latin.next();
    let mut others = word.chars().filter(|c| c.is_alphabetic() && !c.is_ascii());
    first.is_some_and(|c| "GyMdEHhms".contains(c))
        && latin.all(|c| Some(c) == first)
        && others.all(|c| {
            !matches!(c.script(), Script::Cyrillic | Script::Greek | Script::Latin | Script::Armenian)
        })
}

/// Returns `true` for a choice of letters, each small and capital: `nNнН`.
pub(super) fn is_choice(word: &str) -> bool {
    let chars: Vec<char> = word.chars().collect();
    let is_pair = |pair: &[char]| pair[0].is_lowercase() && pair[0].to_uppercase().eq([pair[1]]);
    chars.len() > 2 && chars.len().is_multiple_of(2) && chars.chunks(2).all(is_pair)
}

/// Returns `true` if no letter of a mixed word looks like one of the script of the others: `aйbcd`, `αβδC`.
pub(super) fn is_visibly_mixed(word: &str) -> bool {
    let letters = || word.chars().filter(|c| c.is_alphabetic());
    let of = |script| letters().filter(move |c| c.script() == script);
    let is_other = |script: &Script| !matches!(script, Script::Latin | Script::Common | Script::Inherited);
    let Some(other) = letters().map(|c| c.script()).find(is_other) else { return false };
    let latin = of(Script::Latin).count();
    let is_plain = |c: char| Looks::of(c).ascii().is_empty();
    if letters().any(|c| is_other(&c.script()) && c.script() != other) {
        // Greek letters that look like none of ASCII are symbols; other pairs of scripts are not written together.
        return letters().any(|c| c.script() == Script::Greek)
            && latin == 0
            && of(Script::Greek).all(is_plain);
    }
    let like = match other {
        Script::Cyrillic => LIKE_CYRILLIC,
        Script::Greek => LIKE_GREEK,
        _ => return false,
    };
    if of(other).count() >= latin {
        return !of(Script::Latin).any(|c| like.contains(c));
    }
    of(other).all(is_plain) && !of(Script::Latin).all(|c| like.contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_deceive_nobody() {
        for word in ["base64строка", "pluginов", "MMMMын", "прочитатьjson", "URLны"] {
            assert!(is_compound(word, None), "{word}");
        }
        // Letters of the other script in the middle of a word, or at its start.
        for word in ["аdmin", "Aφγανοί", "пoлe", "Iншыя", "вo", "aйbc", "Достъпeн"] {
            assert!(!is_compound(word, Some(Script::Cyrillic)), "{word}");
            assert!(!is_stressed(word), "{word}");
        }
        assert!(is_stressed("кôд") && is_stressed("бóльшую") && !is_stressed("бoльшую"));
    }

    #[test]
    fn endings_depend_on_the_file() {
        for word in ["схемыxs", "изxmlтипа", "wsссылки", "прочитатьjson", "вариантxpathxs"]
        {
            assert!(is_compound(word, None), "{word}");
        }
        let home = Some(Script::Cyrillic);
        // A typing error of a translation, and an inflected word.
        assert!(!is_compound("дубораing", home) && is_compound("pluginов", home));
        assert!(is_inflected("plugin\u{430}", Script::Cyrillic));
        for word in ["\u{441}onst", "command", "ca\u{430}"] {
            assert!(!is_inflected(word, Script::Cyrillic), "{word}");
        }
    }

    #[test]
    fn letters_without_a_twin_are_visible() {
        for word in ["abйcd", "αβδC", "☃βツ"] {
            assert!(is_visibly_mixed(word), "{word}");
        }
        for word in ["Прaум", "Kибит", "Aφγανοί", "Kepe\u{442}apo", "Тシャツ", "пeсok"] {
            assert!(!is_visibly_mixed(word), "{word}");
        }
        assert!(is_quantity("μл") && is_quantity("১০x১৫") && !is_quantity("мaл"));
        assert!(is_date_pattern("ܒMMMM") && is_date_pattern("dטן") && !is_date_pattern("мMл"));
        assert!(is_choice("nNнНхХ") && is_choice("yYνΝ") && !is_choice("nNн") && !is_choice("сCоO"));
        assert!(is_date_pattern("ддTчч") && !is_date_pattern("дaTчч") && !is_date_pattern("Tчч"));
    }

    #[test]
    fn short_words_and_latin_ones_deceive_nobody() {
        for word in ["\u{433}", "\u{440}\u{443}б", "ﬁn", "ǃKhai", "ǁgoagas", "i\u{1D703}", "М61"] {
            assert!(is_short_or_latin(word), "{word}");
        }
        for word in ["\u{41C}\u{410}\u{421}\u{410}", "p\u{430}ypal", "T\u{3BF}"] {
            assert!(!is_short_or_latin(word), "{word}");
        }
    }
}
