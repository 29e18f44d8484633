//! `--search`: finds encodings by words about them.

use super::explain::used_by;
use super::groups;
use placemat::forms::Repertoire;
use placemat::stream::Transcoder;
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};

/// Languages, and the letters that they need beside those of ASCII.
const LANGUAGES: &[(&str, &str)] = &[
    ("albanian", "çëÇË"),
    ("arabic", "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"),
    ("azerbaijani", "çəğıöşüÇƏĞİÖŞÜ"),
    ("belarusian", "ёіўЁІЎбжя"),
    ("bulgarian", "бгдежзийлпфцчшщъьюя"),
    ("catalan", "àçèéíïòóúüÀÇÈÉÍÏÒÓÚÜ"),
    ("croatian", "čćđšžČĆĐŠŽ"),
    ("czech", "áčďéěíňóřšťúůýžÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ"),
    ("danish", "æøåÆØÅ"),
    ("dutch", "áéíóúëïöüÉËÏÖÜ"),
    ("esperanto", "ĉĝĥĵŝŭĈĜĤĴŜŬ"),
    ("estonian", "äõöüšžÄÕÖÜŠŽ"),
    ("faroese", "áðíóúýæøÁÐÍÓÚÝÆØ"),
    ("finnish", "äöåÄÖÅ"),
    ("french", "àâæçèéêëîïôœùûüÿÀÂÆÇÈÉÊËÎÏÔŒÙÛÜ"),
    ("georgian", "აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ"),
    ("german", "äöüßÄÖÜ"),
    ("greek", "αβγδεζηθικλμνξοπρστυφχψωάέήίόύώ"),
    ("hebrew", "אבגדהוזחטיכלמנסעפצקרשתךםןףץ"),
    ("hungarian", "áéíóöőúüűÁÉÍÓÖŐÚÜŰ"),
    ("icelandic", "áðéíóúýþæöÁÐÉÍÓÚÝÞÆÖ"),
    ("italian", "àèéìòùÀÈÉÌÒÙ"),
    ("kazakh", "әғқңөұүһіӘҒҚҢӨҰҮҺІжя"),
    ("latvian", "āčēģīķļņšūžĀČĒĢĪĶĻŅŠŪŽ"),
    ("lithuanian", "ąčęėįšųūžĄČĘĖĮŠŲŪŽ"),
    ("macedonian", "ѓѕјљњќџЃЅЈЉЊЌЏжш"),
    ("maltese", "ċġħżĊĠĦŻ"),
    ("norwegian", "æøåÆØÅ"),
    ("polish", "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ"),
    ("portuguese", "àáâãçéêíóôõúÀÁÂÃÇÉÊÍÓÔÕÚ"),
    ("romanian", "ăâîșțĂÂÎȘȚ"),
    ("russian", "абвгдежзийклмнопрстуфхцчшщъыьэюяЁё"),
    ("serbian", "ђјљњћџЂЈЉЊЋЏжш"),
    ("slovak", "áäčďéíĺľňóôŕšťúýžÁÄČĎÉÍĹĽŇÓÔŔŠŤÚÝŽ"),
    ("slovene", "čšžČŠŽ"),
    ("spanish", "áéíñóúü¿¡ÁÉÍÑÓÚÜ"),
    ("swedish", "äöåÄÖÅ"),
    ("tajik", "ғӣқӯҳҷҒӢҚӮҲҶжя"),
    ("thai", "กขคงจชซญดตทนบปผฝพฟมยรลวสหอฮ"),
    ("turkish", "çğıöşüÇĞİÖŞÜ"),
    ("ukrainian", "ґєіїҐЄІЇжя"),
    ("vietnamese", "ăâđêôơưĂÂĐÊÔƠƯ"),
];

/// Returns the encodings that match all of `words`: by name, label, region, family or description or, for encodings
/// by table, because they hold all letters of a language.
pub(super) fn search(words: &str) -> Vec<Encoding> {
    let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    Encoding::ALL
        .iter()
        .copied()
        .filter(|&encoding| !words.is_empty() && words.iter().all(|word| matches(encoding, word)))
        .collect()
}

fn matches(encoding: Encoding, word: &str) -> bool {
    let names = encoding.names();
    let told = [names.about, used_by(encoding), groups::region(encoding), groups::family(encoding)];
    let called = || [names.name].into_iter().chain(names.labels).chain(names.web_labels);
    let plain = folded(word);
    told.iter().any(|text| text.to_lowercase().contains(word))
        || called().any(|name| name.to_lowercase().contains(word))
        // With other punctuation: "koi8r", "utf_8".
        || !plain.is_empty() && called().any(|name| folded(name).contains(&plain))
        || LANGUAGES.iter().any(|(language, letters)| *language == word && holds(encoding, letters))
}

/// Letters and digits, lower case.
fn folded(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns `true` if the encoding is by table and holds these letters.
fn holds(encoding: Encoding, letters: &str) -> bool {
    let (stop, keep) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
    matches!(encoding.repertoire(), Repertoire::Table | Repertoire::Latin1)
        && Transcoder::new(Encoding::UTF_8, encoding)
            .on_error(stop)
            .on_unmappable(keep)
            .transcode(letters.as_bytes())
            .is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(words: &str) -> Vec<&'static str> {
        search(words).into_iter().map(Encoding::name).collect()
    }

    #[test]
    fn by_language_region_use_and_label() {
        let turkish = found("turkish");
        for name in
            ["windows-1254", "x-ISO-8859-9", "ISO-8859-3", "IBM857", "IBM1026", "IBM1155", "x-mac-turkish"]
        {
            assert!(turkish.contains(&name), "{name} not in {turkish:?}");
        }
        assert!(!turkish.contains(&"windows-1252") && !turkish.contains(&"ISO-8859-1"), "{turkish:?}");
        assert!(found("Ukrainian").contains(&"windows-1251") && !found("ukrainian").contains(&"KOI8-R"));
        let both = found("windows turkish");
        assert!(both.contains(&"windows-1254") && !both.contains(&"IBM1026"), "{both:?}");
        assert_eq!(found("ebcdic hebrew euro"), ["IBM4899", "IBM12712"]);
        assert!(found("cskoi8r").contains(&"KOI8-R") && found("koi8_r").contains(&"KOI8-R"));
        assert!(found("cyrillic mac").contains(&"x-mac-cyrillic"));
        assert!(found("klingon").is_empty() && found(" ").is_empty());
    }

    #[test]
    fn every_language_has_a_set() {
        for (language, letters) in LANGUAGES {
            assert!(Encoding::ALL.iter().any(|&encoding| holds(encoding, letters)), "{language}");
        }
    }
}
