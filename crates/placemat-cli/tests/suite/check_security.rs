//! `check --lint security`: words and invisible code points, in every encoding, and texts without
//! findings.

use crate::run::{Directory, placemat, utf16le};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Kind, bytes as text, line, column.
fn found(args: &str, text: &[u8]) -> Vec<(String, String, u64, u64)> {
    let ran = placemat("check --format jsonl").args(args).reads(text).run();
    assert_eq!(ran.stderr, "");
    let one = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap();
        let number = |key: &str| value[key].as_u64().unwrap();
        let start = usize::try_from(number("byte_offset")).unwrap();
        let bytes = &text[start..start + usize::try_from(number("length")).unwrap()];
        (
            value["kind"].as_str().unwrap().to_owned(),
            String::from_utf8_lossy(bytes).into_owned(),
            number("line"),
            number("column"),
        )
    };
    core::str::from_utf8(&ran.stdout).unwrap().lines().map(one).collect()
}

/// Words, and their findings by hand.
const WORDS: &[(&str, &str)] = &[
    // Cyrillic а, о, е, с, і, ӏ, Greek omicron and capital Alpha, Armenian, the phonetic g, full
    // width, bold, Kelvin.
    ("p\u{430}ypal", "confusable"),
    ("\u{441}\u{43E}de", "confusable"),
    ("adm\u{456}n", "confusable"),
    ("micr\u{3BF}soft", "confusable"),
    ("\u{391}pple", "confusable"),
    ("g\u{585}\u{585}gle", "confusable"),
    ("\u{261}oogle", "confusable"),
    ("\u{FF47}oogle", "confusable"),
    ("\u{1D41E}val", "confusable"),
    ("\u{212A}B", "confusable"),
    ("scope1\u{435}", "confusable"),
    // The word is Cyrillic as a whole, and nothing else here is.
    ("\u{441}\u{440}\u{443}", "confusable"),
    ("\u{430}", "confusable"),
    // Cyrillic together with Greek.
    ("\u{430}\u{3BF}", "confusable"),
    ("Яndex", "mixed-script"),
    ("привет\u{3BB}", "mixed-script"),
    ("שלוםسلام", "mixed-script"),
    ("get\u{418}мя", "mixed-script"),
    ("日本語Я", "mixed-script"),
    // Words without a finding.
    ("paypal", ""),
    ("café", ""),
    ("kız", ""),
    ("Ærø", ""),
    ("œuvre", ""),
    ("daſs", ""),
    ("nº", ""),
    ("1ª", ""),
    ("x²", ""),
    ("μs", ""),
    ("kΩ", ""),
    ("ΔΔCt", ""),
    ("σx", ""),
    ("α", ""),
    ("IFNγ1", ""),
    ("TNFα", ""),
    ("Webページの作り方", ""),
    ("PC방", ""),
    ("使用Python3的", ""),
    ("ㄅㄆㄇABC漢字", ""),
    ("ใช้Pythonได้", ""),
    ("ＡＢＣ", ""),
    ("Ⅳ", ""),
    ("привет", ""),
    ("Ελλάδα", ""),
    ("שלום", ""),
    ("test_проверка", ""),
];

#[test]
fn words_are_what_they_are_in_every_encoding() {
    for &(word, kind) in WORDS {
        for text in [word.to_owned(), format!("x = {word};\ny\n"), format!("\"\\n{word}\"")] {
            let want: Vec<_> = (!kind.is_empty())
                .then(|| {
                    let at = text.find(word).unwrap();
                    (kind.to_owned(), word.to_owned(), 1, text[..at].chars().count() as u64 + 1)
                })
                .into_iter()
                .collect();
            assert_eq!(found("--lint security", text.as_bytes()), want, "{text}");
            let wide = found("--lint security -f utf-16le", &utf16le(&text));
            let wide: Vec<_> = wide.into_iter().map(|(kind, _, line, column)| (kind, line, column)).collect();
            let want: Vec<_> = want.into_iter().map(|(kind, _, line, column)| (kind, line, column)).collect();
            assert_eq!(wide, want, "{text}");
        }
        // With that lint alone, a word of mixed scripts that looks like ASCII still has mixed
        // scripts.
        let mixed = found("--lint mixed-script", word.as_bytes());
        assert_eq!(mixed.len(), usize::from(kind == "mixed-script" || is_mixed(word)), "{word}");
        let alone = found("--lint confusables", word.as_bytes());
        assert_eq!(alone.len(), usize::from(kind == "confusable"), "{word}");
    }
    let all: Vec<&str> =
        WORDS.iter().filter(|(_, kind)| *kind == "mixed-script").map(|(word, _)| *word).collect();
    assert_eq!(found("--lint mixed-script", all.join(" ").as_bytes()).len(), all.len());
}

/// Returns `true` for Latin with Cyrillic or Greek, or for both without Latin, by ranges.
fn is_mixed(word: &str) -> bool {
    if word.contains('_') {
        return false;
    }
    let any = |from: char, to: char| word.chars().any(|c| (from..=to).contains(&c));
    let latin = word.chars().any(|c| c.is_ascii_alphabetic());
    let (greek, cyrillic) = (any('\u{370}', '\u{3FF}'), any('\u{400}', '\u{52F}'));
    let looks_greek = word.chars().any(|c| "\u{3BF}\u{391}".contains(c));
    cyrillic && (latin || greek) || latin && greek && looks_greek
}

/// A word of Cyrillic letters that look like ASCII is Russian if Russian text is near.
#[test]
fn a_script_shows_nearby() {
    let so = "\u{441}\u{43E}";
    for (text, count) in [
        (format!("{so} = 1"), 1),
        (format!("{so} мной"), 0),
        (format!("мной {so}"), 0),
        (format!("мной\n{so}"), 0),
        (format!("мной\n\n \n{so}"), 0),
        (format!("мной\nx\n{so}"), 1),
        (format!("{so}\nмной"), 1),
        (format!("{so}{}мной", " ".repeat(1000)), 0),
        (format!("{so}{}мной", " ".repeat(1100)), 1),
        (format!("мной{}{so}", " ".repeat(5000)), 0),
        (format!("λόγος {so}"), 1),
    ] {
        assert_eq!(found("--lint confusables", text.as_bytes()).len(), count, "{text}");
        // The boundaries of pieces make no difference.
        for before in [131_000, 131_040, 131_060, 130_000] {
            let text = format!("{}\nx\nx\n{text}\n", "a ".repeat(before / 2));
            assert_eq!(found("--lint confusables", text.as_bytes()).len(), count, "{before}: {text}");
        }
    }
}

#[test]
fn invisible_code_points_by_their_neighbors() {
    for (text, want) in [
        // These joiners are needed.
        ("می\u{200C}خواهم", &[][..]),
        ("क\u{94D}\u{200D}ष ক\u{9CD}\u{200C}ষ ශ\u{DCA}\u{200D}ර", &[]),
        ("👩\u{200D}👩\u{200D}👧 ❤\u{FE0F}\u{200D}🔥 🏳\u{FE0F}\u{200D}🌈 👩🏽\u{200D}💻", &[]),
        ("1\u{FE0F}\u{20E3} ©\u{FE0F} ☎\u{FE0E}", &[]),
        ("🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", &[]),
        ("葛\u{E0100}飾区 辻\u{FE00}", &[]),
        ("ᠠ\u{180B} ᠨ\u{180E}ᠠ", &[]),
        ("ភាសា\u{200B}ខ្មែរ ภาษา\u{200B}ไทย", &[]),
        ("\u{1112}\u{1160}\u{11AB} \u{115F}\u{1161}", &[]),
        ("\u{FEFF}text", &[]),
        ("\u{200E}שלום\u{200F} \u{61C}", &[]),
        ("\u{2229}\u{FE00} 0\u{FE00}", &[]),
        // These are not needed.
        ("a\u{200B}b e\u{301}\u{200B}", &["\u{200B}", "\u{200B}"]),
        ("a\u{200C}b\u{200D}c", &["\u{200C}", "\u{200D}"]),
        ("\u{FEFF}\u{FEFF}x\u{FEFF}", &["\u{FEFF}", "\u{FEFF}"]),
        ("soft\u{AD}hyphen", &["\u{AD}"]),
        ("const { x,\u{3164} } = y; \u{FFA0}", &["\u{3164}", "\u{FFA0}"]),
        ("\u{1160}\u{115F}", &["\u{1160}\u{115F}"]),
        ("\u{E0041}\u{E0042}x", &["\u{E0041}\u{E0042}"]),
        (
            "🏴\u{E0075}\u{E0073}\u{E0074}\u{E0078}\u{E007F}",
            &["\u{E0075}\u{E0073}\u{E0074}\u{E0078}\u{E007F}"],
        ),
        ("x\u{FE0F}y", &["\u{FE0F}"]),
        ("葛\u{E0100}\u{E0101}", &["\u{E0101}"]),
        ("``\u{FE00}\u{E0105}\u{FE0F}`", &["\u{FE00}\u{E0105}\u{FE0F}"]),
        ("😀\u{E0154}\u{E0155}", &["\u{E0154}\u{E0155}"]),
        ("\u{2060}\u{2063}\u{206A}", &["\u{2060}\u{2063}\u{206A}"]),
    ] {
        let all = found("--lint invisible", text.as_bytes());
        let found: Vec<_> = all.iter().map(|found| found.1.as_str()).collect();
        assert_eq!(found, want, "{}", text.escape_unicode());
        assert!(all.iter().all(|found| found.0 == "invisible"));
    }
    // A payload of any length is one finding.
    let payload: String = (0..100_000).map(|i| char::from_u32(0xE_0100 + i % 240).unwrap()).collect();
    let all = found("--lint invisible", format!("`{payload}`{payload}").as_bytes());
    let places: Vec<_> = all.iter().map(|found| (found.1.len(), found.3)).collect();
    assert_eq!(places, [(1024, 2), (1024, 100_003)]);
}

/// The first article of the Universal Declaration of Human Rights, other texts, and code, as they
/// are found anywhere.
const TEXTS: &[&str] = &[
    "Alle Menschen sind frei und gleich an Würde und Rechten geboren. „Straße“ – 20 °C, 5 µm, ½ €",
    "Tous les êtres humains naissent libres et égaux en dignité et en droits. L’œuvre, 1ᵉʳ, n° 3",
    "Todos los seres humanos nacen libres e iguales. ¿Qué? ¡Sí! Mª José, 2.º",
    "Все люди рождаются свободными и равными в своём достоинстве и правах. А он — о ней, со всеми.\nХор\nАх, «оса»!",
    "Усі люди народжуються вільними і рівними у своїй гідності та правах. Є й ті, хто спить.",
    "Сви људи се рађају слободни и једнаки. Ја сам, а он је.",
    "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι. Ο νόμος, η αξία.",
    "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Kız ılık sı",
    "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm.",
    "Բոլոր մարդիկ ծնվում են ազատ ու հավասար։ ու ոչ",
    "ყველა ადამიანი იბადება თავისუფალი",
    "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. ה-API של Web",
    "يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق. ١٢٣ ه",
    "تمام افراد بشر آزاد زاده می‌شوند و از لحاظ حیثیت و کرامت",
    "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता। १०",
    "সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা ০১২",
    "เราทุกคนเกิดมาอย่างอิสระ ใช้APIได้ ๐๑",
    "មនុស្ស\u{200B}ទាំង\u{200B}អស់ កើត\u{200B}មក\u{200B}មាន\u{200B}សេរីភាព",
    "လူတိုင်းသည် တူညီ လွတ်လပ်သော ဂုဏ်သိက္ခာဖြင့်",
    "すべての人間は、生まれながらにして自由であり、Webブラウザで２０２４年、第Ⅳ章。ＡＢＣ〜",
    "人人生而自由，在尊严和权利上一律平等。二〇二四年，使用GPU加速，A股、卡拉OK。",
    "모든 인간은 태어날 때부터 자유로우며 IT기업, K팝, 大韓民國",
    "Emoji: 👨‍👩‍👧‍👦 ❤️ 🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ ☺︎ 👍🏽 ©️",
    "let s = format!(\"\\nОшибка: %sфайл\\tПуть\"); // проверка",
    "Δt = 5 μs, R = 10 kΩ, α-helix, β-blocker, γ-rays, σ = 0.5, ∑xᵢ², TNFα, H₂O, 2πr, f(x) ∈ ℝ",
    "naïve façade Ærøskøbing Łódź Þór ðæ Ŋ ə ʻokina",
];

#[test]
fn real_text_is_left_alone() {
    for text in TEXTS {
        assert_eq!(found("--lint security,replacement,separators", text.as_bytes()), [], "{text}");
    }
    assert_eq!(found("--lint security", TEXTS.join("\n\n").as_bytes()), []);
    // The texts of the benchmarks, if they lie beside the repository.
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/lipsum");
    let Ok(files) = fs::read_dir(corpus) else { return };
    for file in files {
        let path = file.unwrap().path();
        let found = found("--lint security,replacement", &fs::read(&path).unwrap());
        // One text has a byte order mark in the middle.
        let is = |found: &(String, String, u64, u64)| found.1 == "\u{FEFF}" && found.3 == 8194;
        assert!(found.iter().all(is) && found.len() < 2, "{}: {found:?}", path.display());
    }
}

#[test]
fn messages_name_what_is_meant() {
    for (text, message) in [
        (
            "p\u{430}ypal",
            "confusable word 'p\u{430}ypal' at byte 0: looks like 'paypal'; its 'a' is U+0430 CYRILLIC SMALL LETTER A",
        ),
        ("Яndex", "mixed-script word 'Яndex' at byte 0: Cyrillic and Latin in one word; 'n' is Latin"),
        (
            "a\u{200B}b",
            "invisible code point U+200B ZERO WIDTH SPACE at byte 1: not shown, but read by programs",
        ),
        (
            "\u{E0068}\u{E0069}",
            "2 invisible code points U+E0068 to U+E0069 at byte 0: tags, which are invisible but read by programs: they \
             spell 'hi'",
        ),
        (
            "x\u{E0101}\u{E0102}",
            "2 invisible code points U+E0101 to U+E0102 at byte 1: variation selectors with nothing to vary: each \
             can hide a byte, and together they can hide code",
        ),
        (
            "\u{FFFD}",
            "replacement U+FFFD REPLACEMENT CHARACTER at byte 0: a decoder put it in place of ill-formed input, and that \
             text is lost",
        ),
        (
            "\u{2028}",
            "separator U+2028 LINE SEPARATOR at byte 0: ends a line in some programs and not in others",
        ),
    ] {
        let ran = placemat("check --lint all").reads(text).run();
        assert_eq!(
            String::from_utf8(ran.stdout).unwrap(),
            format!("<stdin>:1:{}: {message}\n", 1 + usize::from(!message.contains("byte 0")))
        );
    }
}

#[test]
fn security_is_a_set_of_lints() {
    let text = "\u{202E}\x07\u{200B}p\u{430}ypal Яndex \u{FFFD}\u{2028}\u{FFFE}\u{E000}e\u{301}\r\n";
    let kinds = |args: &str| -> Vec<String> {
        found(args, text.as_bytes()).into_iter().map(|found| found.0).collect()
    };
    let set = kinds("--lint security");
    assert_eq!(set, kinds("--lint bidi,controls,invisible,confusables,mixed-script"));
    assert_eq!(
        set,
        ["bidi-control", "control", "invisible", "confusable", "mixed-script", "bidi-unterminated"]
    );
    assert_eq!(kinds("--lint all").len(), set.len() + 6);
}

/// The group leaves out what is usual where it stands; the lint by its own name finds it.
#[test]
fn security_leaves_out_what_is_usual_where_it_stands() {
    let d = Directory::new();
    let scripts = "Ж Θ א ไ 漢\n";
    let noise: Vec<u8> = (1..4000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8 | 1).collect();
    let usual: [(&str, &str, Vec<u8>); 57] = [
        ("locale/ru/formats.py", "confusables", "F = 'j E Y г.'\n".into()),
        ("po/el.po", "confusables", "msgstr \"{}ο\"\n".into()),
        ("locale/mn/match.js", "confusables", "x = /^(сар|сар)/i;\n".into()),
        ("i18n/app_uk.ts", "confusables", "<?xml version=\"1.0\"?>\n<source>р.</source>\n".into()),
        ("many.md", "confusables", format!("{scripts}\nx\ny\nа\n").into()),
        ("many.rs", "mixed-script", format!("// {scripts}// aйж\n").into()),
        ("1c.js", "mixed-script", "f = 'base64строка прочитатьjson'\n".into()),
        ("a.po", "mixed-script", "msgstr \"кôд pluginов бóльшую\"\n".into()),
        ("km.php", "invisible", "<?php $a = 'ក\u{A0}\u{200B} ខ';\n".into()),
        ("table.txt", "invisible", "[Ж\u{200C}Θאไ漢]\n".into()),
        ("page.man", "controls", "N\x08NA\x08AM\x08ME\x08E _\x08x\n".into()),
        ("a.info", "controls", "\x1F\nNode: Top\x7F221\n".into()),
        ("data.dbf", "controls", noise),
        ("tests/data/a.csv", "invisible", "a\u{200B}b\n".into()),
        ("tests/data/a.json", "controls", "[\"\u{7F}\"]\n".into()),
        ("tests/a.rs", "mixed-script", "let s = \"aйж\u{200B}\";\n".into()),
        ("src/a_test.go", "confusables", "var s = \"сору\"\n".into()),
        ("date.js", "confusables", "x = { a: 'D MMMM YYYY \u{433}.', b: /[A-Za-zА-Яа-я]|р/ };\n".into()),
        ("choice.php", "confusables", "<?php $a = '(F|K|К)(Вx|Сx)';\n".into()),
        ("specials.php", "controls", "<?php $a = [0x1b, // \x1B\n];\n".into()),
        ("table.js", "controls", "t = [\"\\0\", \"\u{1}\", \"\u{2}\"];\n".into()),
        ("phone.js", "invisible", "r = RegExp(\"[-x‐-―－-／ \u{AD}\u{200B}()]\");\n".into()),
        ("po/fa.po", "invisible", "msgstr \"\u{200C}%s سلام\"\n".into()),
        ("lang/de.inc", "invisible", "$a = 'Ar\u{AD}chiv';\n".into()),
        ("stale.yml", "lookalikes", "name: this \u{2014} or that\n".into()),
        ("po/ta.po", "mixed-script", "msgstr \"μл, ддTчч\"\n".into()),
        ("tmac/doc.tmac", "controls", ".ie \\B\x07\\$2\x07 \\{\\\n".into()),
        ("configure", "controls", "  FS = \"\x07\"\n".into()),
        ("list.rkt", "confusables", "(program-lookup p l_2 ι_2)\n(define κ ι)\n".into()),
        ("CHANGES.md", "invisible", "⚠\u{FE0F}\u{FE0F}\u{FE0F} Please note\n".into()),
        ("lang/fa.js", "invisible", "x = {a: 'فرم\u{200B}ها'};\n".into()),
        ("a.tex", "invisible", "❤\u{FE0F}\u{FE0F}\n".into()),
        ("ltmain.sh", "controls", "red='\x1B[0;31m'; std=\"\x1B[m\"\n".into()),
        ("a.sed", "controls", "# \x1B$B3Z\x1B(B\n".into()),
        ("card.in", "controls", "Fields\x01\t4\n".into()),
        ("test/b.awk", "confusables", "/s\u{5D5}/ { print \"s\u{5D5} r\" }\n".into()),
        ("test/c.awk", "controls", "# od -c\x08 \x08x\n".into()),
        ("polyfill.js", "invisible", "f = \"\u{200B}\u{2003}\u{FEFF}\";\n".into()),
        ("po/he.po", "bidi", "msgstr \"א \u{202A}.zip\u{202C}\"\n".into()),
        ("po/bg.po", "mixed-script", "msgstr \"^[nNнНхХ]\"\n".into()),
        ("po/el2.po", "confusables", "msgstr \"yYνΝ\"\n".into()),
        ("cldr.js", "invisible", "x = [\"\u{200B}\"];\n".into()),
        ("join.js", "controls", "a.join(\"\u{1}\");\n".into()),
        ("page.js", "controls", "x = \"\u{80}\u{81}\u{82}\";\n".into()),
        ("wasm.js", "controls", "x = 'a\u{1}b\u{2}\u{3}c\u{1B}d\u{5}\u{8}e\u{7}';\n".into()),
        ("class.js", "controls", "x = /[a-z\u{7F}0-9]/;\n".into()),
        ("sheet.js", "invisible", "d = \"═╬´\u{AD}±‗\";\n".into()),
        ("po/gpg.po", "controls", "msgid \"Number\u{1F}: %s\"\n".into()),
        ("locale/syr.js", "mixed-script", "d = 'd ܒMMMM y';\n".into()),
        ("testsuite/a.xi", "controls", "a\u{B}b\n".into()),
        ("doc.el", "lookalikes", "(defun f ()\n  \"It\n\nis added to ‘f’ by\")\n".into()),
        ("po/boldquot.sed", "controls", "s/“/“\x1B[1m/g\ns/”/\x1B[0m”/g\n".into()),
        ("locale/yi.js", "confusables", "d = 'dטן MMMM';\n".into()),
        ("a.js.map", "invisible", "[\"x = \\\"\u{200B}\\\";\"]\n".into()),
        ("table.mjs", "controls", "t = \"xyz{|}~\u{7F}\u{C7}\";\n".into()),
        ("hangul.mjs", "invisible", "t = \"\u{3162}\u{3163}\u{3164}\u{3165}\";\n".into()),
        ("weblate.txt", "confusables", "ﬁn, ǃKhaitsâb, i\u{1D703}, М61\n".into()),
    ];
    for (name, lint, bytes) in &usual {
        fs::create_dir_all(d.path(name).parent().unwrap()).unwrap();
        d.write(name, bytes);
        let run = |lint: &str| {
            placemat("check --format jsonl --no-config . -g")
                .arg(format!("/{name}"))
                .args("--lint")
                .arg(lint)
                .within(&d)
                .run()
        };
        let kinds = |out: Vec<u8>| -> Vec<String> {
            let text = String::from_utf8(out).unwrap();
            let kind = |line: &str| {
                serde_json::from_str::<Value>(line).unwrap()["kind"].as_str().unwrap().to_owned()
            };
            let of_lints =
                ["bidi-control", "control", "invisible", "confusable", "mixed-script", "lookalike"];
            text.lines().map(kind).filter(|kind| of_lints.contains(&kind.as_str())).collect()
        };
        assert_eq!(kinds(run("security").stdout), [""; 0], "{name}");
        assert!(!kinds(run(lint).stdout).is_empty(), "{name}");
    }
}

/// Each deception is a finding wherever it stands.
#[test]
fn nothing_that_deceives_is_usual() {
    let d = Directory::new();
    let scripts = "Ж Θ א ไ 漢";
    for (name, text, kind) in [
        ("locale/ru/a.po", "msgstr \"\u{202E}Да\"\n".to_owned(), "bidi-control"),
        ("locale/ru/a.py", "x = 1\nсору = 1\n".to_owned(), "confusable"),
        ("locale/ru/b.py", "if us\u{435}r == admin: pass\n".to_owned(), "confusable"),
        ("locale/ru/c.po", "msgstr \"p\u{430}ypal.com\"\n".to_owned(), "confusable"),
        ("src/os/a.py", "x = 'сору'\n".to_owned(), "confusable"),
        ("many.md", format!("{scripts}\nhttps://p\u{430}ypal.com\n"), "confusable"),
        ("many.rs", format!("// {scripts}\nlet x = 1;\nlet y = 1;\nlet сору = 1;\n"), "confusable"),
        ("many2.rs", format!("// {scripts}\nlet Яndex = 1;\n"), "mixed-script"),
        ("many3.rs", format!("// {scripts}\nlet s = \"\u{2066}x\u{2069}\";\n"), "bidi-control"),
        ("compound.rs", "let base64строка = 1;\n".to_owned(), "mixed-script"),
        ("script", "base64строка=1\n".to_owned(), "mixed-script"),
        ("a.py", "x = 'a\x08a'\n".to_owned(), "control"),
        ("esc.txt", "see \x1B[8mhidden\x1B[0m\n".to_owned(), "control"),
        ("a.patch", "+a\x1B[8m\n".repeat(50), "control"),
        ("km.py", "a\u{200B}b = 1\n".to_owned(), "invisible"),
        ("filler.js", "const { a,\u{3164}} = b;\n".to_owned(), "invisible"),
        ("del.info", "Node: rm\x7F\x7F\n".to_owned(), "control"),
        ("tests/a.rs", "let us\u{435}r = 1;\n".to_owned(), "confusable"),
        ("tests/b.rs", "// Divi\u{455}ion\n".to_owned(), "confusable"),
        ("tests/c.rs", "let s = \"\x1B[8m\";\n".to_owned(), "control"),
        ("tests/d.txt", "a \u{202E}b\n".to_owned(), "bidi-control"),
        ("po/tg.po", "msgstr \"дубораing\"\n".to_owned(), "mixed-script"),
        ("po/mk.po", "msgstr \"Додаj\"\n".to_owned(), "mixed-script"),
        ("url.js", "x = 'https://p\u{430}ypal.com';\n".to_owned(), "confusable"),
        ("divide.js", "x = a / b; с\u{43E}de = 1 / 2;\n".to_owned(), "confusable"),
        ("minus.yml", "a: b \u{2013} c\n".to_owned(), "lookalike"),
        ("soft.c", "x = \"pass\u{AD}word\";\n".to_owned(), "invisible"),
        ("hide.sh", "red='\x1B[0;8m'\n".to_owned(), "control"),
        ("title.sh", "red='\x1B]0;x'\n".to_owned(), "control"),
        ("lines.sh", "echo \x1B(0\n".to_owned(), "control"),
        ("text.sh", "echo 'a\x1B[31mb'\n".to_owned(), "control"),
        ("po/he.po", "msgstr \"\u{202B}%d\"\n".to_owned(), "bidi-unterminated"),
        ("locale/he/a.js", "x\u{202A} = 1\u{202C};\n".to_owned(), "bidi-control"),
        ("po/de.po", "msgstr \"\u{202A}x\u{202C}\"\n".to_owned(), "bidi-control"),
        ("value.js", "x = \"\x08\";\n".to_owned(), "control"),
        ("filler.js", "var a\u{3164} = 1;\n".to_owned(), "invisible"),
        ("bell.c", "x = \"a\x07b\";\n".to_owned(), "control"),
        ("omicron.rkt", "(define \u{3BF} 1)\n".to_owned(), "confusable"),
        ("hidden.md", "⚠\u{FE0F}\u{FE01}\u{FE0E} Please note\n".to_owned(), "invisible"),
        ("hidden.js", "⚠\u{FE0F}\u{FE0F}\u{FE0F}\u{FE0F}\u{FE0F}\n".to_owned(), "invisible"),
        ("fa.js", "x = {فرم\u{200B}ها: 1};\n".to_owned(), "invisible"),
        ("number.c", "x = \"a\u{200B}b\"; y = 0x200b1;\n".to_owned(), "invisible"),
    ] {
        fs::create_dir_all(d.path(name).parent().unwrap()).unwrap();
        d.write(name, &text);
        let ran =
            placemat("check --format jsonl --lint security . -g").arg(format!("/{name}")).within(&d).run();
        let out = String::from_utf8(ran.stdout.clone()).unwrap();
        assert!(out.contains(&format!("\"kind\":\"{kind}\"")), "{name}: {out}{}", ran.stderr);
        ran.ends(1);
    }
}

/// In the group, code points that a file has often are three findings and a count; by their own names, each is one.
#[test]
fn security_counts_what_a_file_has_often() {
    let text = "a\u{200B} b\u{A0}= 1\n".repeat(5) + "let s = \"\x1B[2K\x1B[2K\";\n";
    let d = Directory::new();
    d.write("a.rs", &text);
    let lines = |args: &str| -> Vec<String> {
        let ran = placemat("check").args(args).arg("a.rs").within(&d).run();
        String::from_utf8(ran.stdout).unwrap().lines().map(str::to_owned).collect()
    };
    let few = lines("--lint security");
    assert_eq!(few.len(), 10, "{few:?}");
    let counts: Vec<&String> = few.iter().filter(|line| line.contains(" more finding")).collect();
    assert!(counts.iter().any(|line| line.contains("and 2 more findings of invisible")), "{counts:?}");
    assert!(counts.iter().any(|line| line.contains("and 2 more findings of lookalike")), "{counts:?}");
    assert_eq!(counts.len(), 2, "{counts:?}");
    assert_eq!(lines("--lint security --all").len(), 12);
    assert_eq!(lines("--lint invisible,lookalikes,controls").len(), 12);
}

/// Folders around the checked tree say nothing about it, so a text is checked alike wherever the tree lies.
#[test]
fn folders_around_the_tree_decide_nothing() {
    let d = Directory::new();
    fs::create_dir_all(d.path("tests/fixtures/app/src/tests")).unwrap();
    let source = "let name = \"pass\u{200B}word\";\n";
    d.write("tests/fixtures/app/src/a.rs", source);
    d.write("tests/fixtures/app/src/tests/b.rs", source);
    let absolute = d.path("tests/fixtures/app");
    let within = Directory::new();
    for path in ["tests/fixtures/app", "./tests/fixtures/app/", absolute.to_str().unwrap()] {
        let ran = placemat("check --lint security").arg(path).within(&d).run();
        let told = String::from_utf8(ran.ends(1).stdout.clone()).unwrap();
        assert!(told.contains("src/a.rs:1:17"), "{path}: {told}");
        assert!(!told.contains("src/tests/b.rs"), "{path}: {told}");
    }
    // A named file is part of the current tree; elsewhere, its folders are unknown.
    let named = |path: &str, from: &Directory| {
        !placemat("check --lint security").arg(path).within(from).run().stdout.is_empty()
    };
    assert!(!named("tests/fixtures/app/src/a.rs", &d));
    assert!(named(absolute.join("src/a.rs").to_str().unwrap(), &within));
}
