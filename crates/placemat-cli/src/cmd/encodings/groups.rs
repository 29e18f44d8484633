//! The region and the family of an encoding, by which the list is ordered.
//!
//! Both follow from its name and its description, so that a new encoding finds its place automatically.

use crate::ebcdic::without_option;
use placemat::Encoding;
use placemat::forms::Repertoire;

/// Regions in the order of the list, with the words that identify them, all lower case. The first region with a
/// matching word is taken, in the order of [`ASKED`], so that special regions come first.
const REGIONS: &[(&str, &[&str])] = &[
    (UNICODE, &[]),
    (
        WESTERN,
        &[
            "western european",
            "united states",
            "united kingdom",
            "germany",
            "france",
            "french",
            "ital",
            "spain",
            "portug",
            "belgium",
            "netherlands",
            "brazil",
            "canada",
            "cuba",
            "international:",
            "latin-1",
            "multinational",
            "celtic",
            "south european",
            "seven bits",
            "every byte is the code point",
            "invariant characters",
            "windows-1252",
            "adobe standard",
        ],
    ),
    (
        "Northern European",
        &[
            "nordic",
            "denmark",
            "danish",
            "norw",
            "finland",
            "swed",
            "iceland",
            "sami",
            "north european",
            "baltic",
            "estonian",
            "lithuanian",
        ],
    ),
    (
        "Central European",
        &[
            "central european",
            "hungar",
            "czech",
            "polish",
            "croatian",
            "romania",
            "yugoslavia",
            "south-eastern",
        ],
    ),
    (
        "Cyrillic",
        &["cyrillic", "russian", "ukrainian", "belarusian", "bulgarian", "kazakh", "tajik", "soviet", "koi8"],
    ),
    ("Greek", &["greek"]),
    ("Turkish", &["turkish", "azerbaijani"]),
    ("Hebrew", &["hebrew"]),
    ("Arabic, Persian, Urdu", &["arabic", "farsi", "persian", "urdu"]),
    ("Armenian, Georgian", &["armenian", "georgia"]),
    (
        "Indic",
        &[
            "devanagari",
            "bengali",
            "gujarati",
            "hindi",
            "kannada",
            "malayalam",
            "oriya",
            "punjabi",
            "tamil",
            "telugu",
        ],
    ),
    ("Thai, Lao", &["thai", "lao."]),
    ("Vietnamese", &["vietnam"]),
    ("Chinese", &["chinese", "china", "gbk"]),
    ("Japanese", &["japan", "katakana", "jis x"]),
    ("Korean", &["korea", "hangul"]),
    (OTHERS, &[]),
];

const UNICODE: &str = "Unicode";
const WESTERN: &str = "Western European";
const OTHERS: &str = "Libraries, symbols, others";

/// Words of one region may occur in the description of another: "half-width katakana", "United States". These go first.
const ASKED: &[&str] = &[
    "Japanese",
    "Korean",
    "Chinese",
    "Vietnamese",
    "Thai, Lao",
    "Turkish",
    "Greek",
    "Hebrew",
    "Arabic, Persian, Urdu",
    "Cyrillic",
];

/// Returns the regions, in the order of the list.
pub(super) fn regions() -> impl Iterator<Item = &'static str> {
    REGIONS.iter().map(|(region, _)| *region)
}

/// Returns the region of an encoding.
pub(super) fn region(encoding: Encoding) -> &'static str {
    region_by(encoding, 3)
}

/// Returns the region of an encoding, following at most `depth` descriptions that name another page.
fn region_by(encoding: Encoding, depth: usize) -> &'static str {
    let names = encoding.names();
    // "As the C library has it" is not about libraries of books.
    let about = names.about.to_lowercase().replace("the c library", "glibc");
    let named = |region: &&str| {
        let words = REGIONS.iter().find(|(name, _)| name == region).map_or(&[][..], |(_, words)| words);
        words.iter().any(|word| about.contains(word))
    };
    let of_tables = matches!(encoding.repertoire(), Repertoire::Table | Repertoire::Tables)
        || matches!(names.name, "GB18030" | "US-ASCII" | "ISO-8859-1");
    match names.name {
        "replacement" | "x-user-defined" => return OTHERS,
        _ if !of_tables => return UNICODE,
        _ => {}
    }
    // Library and symbol sets have no region.
    if about.contains("library") || about.contains("symbol") {
        return OTHERS;
    }
    if let Some(region) = ASKED.iter().find(|region| named(region)) {
        return region;
    }
    if let Some(region) = regions().find(|region| named(region)) {
        return region;
    }
    // DVB writes UTF-8 or a part of ISO 8859, and reads tables of all regions.
    if about.contains("television") {
        return OTHERS;
    }
    // "IBM037 with LF at 15", "EBCDIC: 1025 with the euro sign", "HP-ROMAN8 with the euro sign".
    let others =
        names.about.split([' ', ',', ':', '.']).filter(|word| word.bytes().any(|b| b.is_ascii_digit()));
    for word in others {
        let other = Encoding::for_label(word).or_else(|| Encoding::for_label(&format!("ibm{word}")));
        if let Some(other) = other.filter(|&other| other != encoding && depth > 0) {
            return region_by(other, depth - 1);
        }
    }
    OTHERS
}

/// Returns the family of an encoding.
pub(super) fn family(encoding: Encoding) -> &'static str {
    let names = without_option(encoding).names();
    let (name, about) = (names.name, names.about);
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    match name {
        "UTF-7" | "UTF-7-D" | "UTF-7-IMAP" => "mail",
        "UTF-EBCDIC" | "I8" => "EBCDIC",
        "SCSU" | "BOCU-1" => "compact",
        "MARC-8" | "ANSEL" | "GEDCOM" => "libraries",
        _ if region(encoding) == UNICODE => "Unicode",
        _ if starts(&["windows-", "WIN-"]) => "Windows",
        _ if starts(&["ISO-8859", "x-ISO-8859"]) => "ISO 8859",
        _ if starts(&["KOI8", "KOI-8", "x-KOI8", "EUC"]) => "Unix",
        _ if starts(&["ISO-2022", "HZ"]) => "mail",
        _ if starts(&["HP-"]) => "HP",
        _ if starts(&["Teletext", "DVB"]) => "television",
        _ if starts(&["GSM"]) => "telephones",
        _ if about.contains("home computers") || starts(&["RISCOS", "ATARI"]) => "home computers",
        _ if starts(&["x-mac", "MAC-", "macintosh"]) => "Mac OS",
        _ if about.contains("ISO 646") || name == "US-ASCII" => "ISO 646",
        _ if about.contains("EBCDIC") => "EBCDIC",
        _ if starts(&["IBM", "CP"]) || about.contains("of DOS") => "DOS, OS/2",
        _ => "standard",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_has_its_place() {
        let of = |label: &str| {
            let encoding = Encoding::for_label(label).expect("it is there");
            (region(encoding), family(encoding))
        };
        for (label, want) in [
            ("utf-8", ("Unicode", "Unicode")),
            ("utf-7", ("Unicode", "mail")),
            ("gb18030", ("Chinese", "standard")),
            ("ascii", (WESTERN, "ISO 646")),
            ("latin1", (WESTERN, "ISO 8859")),
            ("cp1252", (WESTERN, "Windows")),
            ("cp1254", ("Turkish", "Windows")),
            ("x-iso-8859-9", ("Turkish", "ISO 8859")),
            ("iso-8859-9e", ("Turkish", "ISO 8859")),
            ("cp857", ("Turkish", "DOS, OS/2")),
            ("ibm1155", ("Turkish", "EBCDIC")),
            ("ibm1154", ("Cyrillic", "EBCDIC")),
            ("ibm037-s390", (WESTERN, "EBCDIC")),
            ("ibm1153-s390", ("Central European", "EBCDIC")),
            ("ibm1137", ("Indic", "EBCDIC")),
            ("hp-roman9", (WESTERN, "HP")),
            ("koi8-r", ("Cyrillic", "Unix")),
            ("keybcs2", ("Central European", "DOS, OS/2")),
            ("mazovia", ("Central European", "DOS, OS/2")),
            ("nextstep", (WESTERN, "standard")),
            ("atarist", (WESTERN, "home computers")),
            ("riscos", (WESTERN, "home computers")),
            ("petscii", (OTHERS, "home computers")),
            ("atascii-intl", (WESTERN, "home computers")),
            ("teletext-de", (WESTERN, "television")),
            ("teletext-uk", ("Cyrillic", "television")),
            ("dvb", (OTHERS, "television")),
            ("dvb-01", ("Cyrillic", "television")),
            ("gsm0338", (WESTERN, "telephones")),
            ("gsm-tr", ("Turkish", "telephones")),
            ("gsm-portuguese", (WESTERN, "telephones")),
            ("gsm-tamil", ("Indic", "telephones")),
            ("gsm-urdu", ("Arabic, Persian, Urdu", "telephones")),
            ("tscii", ("Indic", "standard")),
            ("iscii", ("Indic", "standard")),
            ("iscii-gujarati", ("Indic", "standard")),
            ("iscii-gurmukhi", ("Indic", "standard")),
            ("cp866-graphics", ("Cyrillic", "DOS, OS/2")),
            ("big5-uao", ("Chinese", "standard")),
            ("big5-eten", ("Chinese", "standard")),
            ("vni", ("Vietnamese", "standard")),
            ("koi-8_cs2", ("Central European", "Unix")),
            ("x-mac-thai", ("Thai, Lao", "Mac OS")),
            ("ibm1133", ("Thai, Lao", "DOS, OS/2")),
            ("ibm874", ("Thai, Lao", "DOS, OS/2")),
            ("iso-2022-kr", ("Korean", "mail")),
            ("ibm930", ("Japanese", "EBCDIC")),
            ("ibm933", ("Korean", "EBCDIC")),
            ("DIN_66003", (WESTERN, "ISO 646")),
            ("MSZ_7795.3", ("Central European", "ISO 646")),
            ("marc-8", (OTHERS, "libraries")),
            ("gedcom", (OTHERS, "libraries")),
            ("x-mac-dingbat", (OTHERS, "Mac OS")),
        ] {
            assert_eq!(of(label), want, "{label}");
        }
        let others: Vec<_> = Encoding::ALL
            .iter()
            .filter(|&&encoding| region(encoding) == OTHERS)
            .map(|encoding| encoding.name())
            .collect();
        assert!(others.len() < 20, "{others:?}");
        assert!(Encoding::ALL.iter().all(|&encoding| regions().any(|known| known == region(encoding))));
    }
}
