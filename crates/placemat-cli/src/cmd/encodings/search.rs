//! `--search`: finds encodings by words about them.

use super::explain::{newline, used_by};
use super::groups;
use placemat::forms::Repertoire;
use placemat::label::Vendor;
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

/// Countries, and what is written there: a language of [`LANGUAGES`], or a word of the descriptions.
const COUNTRIES: &[(&str, &str)] = &[
    ("albania", "albanian"),
    ("austria", "german"),
    ("belarus", "belarusian"),
    ("bulgaria", "bulgarian"),
    ("china", "chinese"),
    ("croatia", "croatian"),
    ("czechia", "czech"),
    ("denmark", "danish"),
    ("egypt", "arabic"),
    ("estonia", "estonian"),
    ("finland", "finnish"),
    ("france", "french"),
    ("germany", "german"),
    ("greece", "greek"),
    ("hungary", "hungarian"),
    ("iceland", "icelandic"),
    ("india", "indic"),
    ("iran", "persian"),
    ("israel", "hebrew"),
    ("italy", "italian"),
    ("japan", "japanese"),
    ("kazakhstan", "kazakh"),
    ("korea", "korean"),
    ("latvia", "latvian"),
    ("lithuania", "lithuanian"),
    ("netherlands", "dutch"),
    ("norway", "norwegian"),
    ("pakistan", "urdu"),
    ("poland", "polish"),
    ("portugal", "portuguese"),
    ("romania", "romanian"),
    ("russia", "russian"),
    ("serbia", "serbian"),
    ("slovakia", "slovak"),
    ("slovenia", "slovene"),
    ("spain", "spanish"),
    ("sweden", "swedish"),
    ("switzerland", "german"),
    ("taiwan", "traditional"),
    ("thailand", "thai"),
    ("turkey", "turkish"),
    ("ukraine", "ukrainian"),
    ("vietnam", "vietnamese"),
];

/// Programs, and the encodings that they write or ask for.
const USES: &[(&str, &[Encoding])] = &[
    ("excel", &[Encoding::UTF_8_BOM, Encoding::UTF_16LE, Encoding::WINDOWS_1252]),
    (
        "notepad",
        &[Encoding::UTF_8, Encoding::UTF_8_BOM, Encoding::UTF_16, Encoding::UTF_16BE, Encoding::WINDOWS_1252],
    ),
    ("powershell", &[Encoding::UTF_16, Encoding::UTF_8_BOM, Encoding::UTF_8]),
];

/// Returns `true` if a vendor of this name has the encoding, or calls it so.
fn of_vendor(encoding: Encoding, word: &str) -> bool {
    Vendor::ALL.iter().any(|vendor| {
        let is_vendor = vendor.name().eq_ignore_ascii_case(word);
        vendor.names().any(|(name, _)| {
            (is_vendor || name.eq_ignore_ascii_case(word)) && vendor.encoding(name) == Some(encoding)
        })
    })
}

/// Returns the encodings that match all of `words`: by name, label, vendor, region, family or description or, for encodings
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
        || ["newline", "newlines", "nel", "swaplfnl"].contains(&word) && newline(encoding).is_some()
        || LANGUAGES.iter().any(|(language, letters)| *language == word && holds(encoding, letters))
        || COUNTRIES.iter().any(|(country, language)| *country == word && matches(encoding, language))
        || USES.iter().any(|(program, encodings)| *program == word && encodings.contains(&encoding))
        || of_vendor(encoding, word)
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
    fn by_vendor_country_and_program() {
        for (words, name) in [
            ("oracle", "windows-1252"),
            ("WE8MSWIN1252", "windows-1252"),
            ("mysql japan", "EUC-JP"),
            ("PostgreSQL cyrillic", "KOI8-R"),
            ("poland", "windows-1250"),
            ("germany", "ISO-8859-15"),
            ("taiwan", "Big5"),
            ("greece dos", "IBM737"),
            ("ukraine", "windows-1251"),
            ("Korea", "EUC-KR"),
            ("excel", "UTF-8-BOM"),
            ("notepad", "UTF-16"),
            ("mainframe", "IBM037"),
            ("commodore", "PETSCII"),
            ("c64", "PETSCII-shifted"),
            ("vic-20", "PETSCII-VIC20-shifted"),
            ("atari computers", "ATASCII"),
            ("acorn", "RISCOS-LATIN1"),
            ("nfo", "IBM437-NFO"),
            ("czech koi8", "KOI-8_CS2"),
            ("genealogy", "GEDCOM"),
            ("library", "ANSEL"),
            ("television germany", "Teletext-German"),
            ("teletext russian", "Teletext-Cyrillic-2"),
            ("dvb cyrillic", "DVB-ISO-8859-5"),
            ("sms turkey", "GSM-03.38-Turkish"),
            ("sms india", "GSM-03.38-Tamil-single"),
            ("taiwan bulletin", "Big5-UAO"),
            ("eten", "Big5-ETEN"),
            ("vietnam", "VNI"),
            ("tamil", "TSCII"),
            ("india newspapers", "ISCII-Devanagari"),
            ("hindi", "ISCII-Devanagari"),
            ("assamese", "ISCII-Bengali"),
            ("punjabi", "ISCII-Gurmukhi"),
            ("odia", "ISCII-Oriya"),
        ] {
            assert!(found(words).contains(&name), "{words}: {:?}", found(words));
        }
        assert!(!found("poland").contains(&"windows-1252") && !found("oracle").contains(&"KOI8-T"));
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
