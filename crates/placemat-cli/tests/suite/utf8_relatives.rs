//! Checks the facts in `docs/utf-8.md` about the relatives of UTF-8, signatures, names and
//! neighbors against their specifications, from which the bytes here are.

use crate::run::placemat;
use crate::vectors::{bytes, ucs4};

/// Asserts that a code point becomes these bytes, and that they become the code point.
#[track_caller]
fn both_ways(encoding: &str, cases: &[(&str, &str)]) {
    for (point, hex) in cases {
        placemat("convert -f ucs-4be -t").arg(encoding).reads(ucs4(point)).run().writes(bytes(hex));
        placemat("convert -t ucs-4be -f").arg(encoding).reads(bytes(hex)).run().writes(ucs4(point));
    }
}

/// Asserts that text becomes these bytes.
#[track_caller]
fn becomes(options: &str, text: &str, hex: &str) {
    placemat("convert").args(options).reads(text).run().writes(bytes(hex));
}

/// The first and last code point of each row of the two forms of 1992, and of UTF-1.
#[test]
fn historic_forms() {
    both_ways(
        "fss-utf-1992",
        &[
            ("7f", "7f"),
            ("80", "80 80"),
            ("a2", "80 a2"),
            ("207f", "bf ff"),
            ("2080", "c0 80 80"),
            ("20ac", "c0 80 ac"),
            ("8207f", "df ff ff"),
            ("82080", "e0 80 80 80"),
            ("10ffff", "e0 a3 be ff"),
            ("208207f", "ef ff ff ff"),
            ("2082080", "f0 80 80 80 80"),
            ("7fffffff", "f7 ef df be ff"),
        ],
    );
    both_ways(
        "fss-utf",
        &[
            ("7f", "7f"),
            ("80", "c2 80"),
            ("7ff", "df bf"),
            ("800", "e0 a0 80"),
            ("ffff", "ef bf bf"),
            ("10000", "f0 90 80 80"),
            ("1fffff", "f7 bf bf bf"),
            ("200000", "f8 88 80 80 80"),
            ("3ffffff", "fb bf bf bf bf"),
            ("4000000", "fc 84 80 80 80 80"),
            ("7fffffff", "fd bf bf bf bf bf"),
        ],
    );
    both_ways(
        "utf-1",
        &[
            ("9f", "9f"),
            ("a0", "a0 a0"),
            ("ff", "a0 ff"),
            ("100", "a1 21"),
            ("10e", "a1 2f"),
            ("4015", "f5 ff"),
            ("4016", "f6 21 21"),
            ("38e2d", "fb ff ff"),
            ("38e2e", "fc 21 21 21 21"),
            ("10ffff", "fc 21 39 6e 6c"),
            ("7fffffff", "fd bd 2b b9 40"),
        ],
    );
}

/// The relatives follow their definitions.
#[test]
fn relatives() {
    let both = |name: &str, text: &str, hex: &str| {
        becomes(&format!("-t {name}"), text, hex);
        placemat("convert -f").arg(name).reads(bytes(hex)).run().writes(text);
    };
    both("cesu-8", "𐐀", "ed a0 81 ed b0 80");
    both("mutf-8", "a\0𐐀", "61 c0 80 ed a0 81 ed b0 80");
    both("tcl", "a\0𐐀", "61 c0 80 ed a0 81 ed b0 80");
    placemat("convert -f tcl").reads(bytes("f0 90 90 80")).run().writes("𐐀");
    placemat("check -f cesu-8").reads("𐐀").run().ends(1);
    both("utf-16be", "𐐀", "d8 01 dc 00");
    both("utf-32be", "A𐐀", "00 00 00 41 00 01 04 00");
    placemat("convert -t ucs-2be").reads("𐐀").run().ends(1).wrote("");
    both("ucs-2be", "Aé", "00 41 00 e9");
    both("ucs-4be", "Aé", "00 00 00 41 00 00 00 e9");
    // RFC 2152.
    both("utf-7", "A≢Α.", "41 2b 49 6d 49 44 6b 51 2e");
    placemat("convert -f utf-7").reads("Hi Mom -+Jjo--!").run().writes("Hi Mom -☺-!");
    placemat("convert -f utf-7").reads("Item 3 is +AKM-1.").run().writes("Item 3 is £1.");
    both("utf-8-mod", "A\u{85}\u{9F}é€", "41 85 9f c7 a9 e8 a5 ac");
    both("utf-ebcdic", "Aa 0\né€", "c1 81 40 f0 15 8b 4a ca 46 53");
    // UTS 6: German and Russian.
    both("scsu", "Öl fließt", "d6 6c 20 66 6c 69 65 df 74");
    both("scsu", "Москва", "12 9c be c1 ba b2 b0");
    both("gb18030", "é€中𐍈", "a8 a6 a2 e3 d6 d0 90 30 d5 30");
    // NFD, except in some ranges: U+2260 stays as it is.
    becomes("-t utf-8-mac", "é≠한", "65 cc 81 e2 89 a0 e1 84 92 e1 85 a1 e1 86 ab");
}

/// WTF-8 represents any UTF-16, and has no surrogate pairs.
#[test]
fn names_of_windows_come_back() {
    let name = bytes("61 00 00 d8 62 00 00 dc");
    let there = placemat("convert -f utf-16le -e surrogatepass -t wtf-8").reads(&*name).run();
    there.writes(bytes("61 ed a0 80 62 ed b0 80"));
    placemat("convert -f wtf-8 -e surrogatepass -t utf-16le").reads(there.stdout).run().writes(name);
    placemat("check -q -f wtf-8").reads(bytes("ed a0 81 ed b0 80")).run().ends(1);
    // A lost byte ruins all UTF-16 after it, but only one character of UTF-8.
    placemat("convert -q -f utf-16le -e replace").reads(bytes("00 65 00 6c 00")).run().writes("攀氀\u{FFFD}");
    placemat("convert -q -e replace").reads(&"h€llo".as_bytes()[2..]).run().writes("\u{FFFD}\u{FFFD}llo");
}

/// U+FEFF in each encoding.
#[test]
fn signatures() {
    for (encoding, hex) in [
        ("utf-8", "ef bb bf"),
        ("utf-16be", "fe ff"),
        ("utf-16le", "ff fe"),
        ("utf-32be", "00 00 fe ff"),
        ("utf-32le", "ff fe 00 00"),
        ("utf-7", "2b 2f 76 38 2d"),
        ("utf-1", "f7 64 4c"),
        ("utf-ebcdic", "dd 73 66 73"),
        ("scsu", "0e fe ff"),
        ("bocu-1", "fb ee 28"),
        ("gb18030", "84 31 95 33"),
    ] {
        let told = placemat("encodings").arg(encoding).run().stdout;
        let line = format!("\nsignature          {hex}\n");
        assert!(String::from_utf8(told).unwrap().contains(&line), "{encoding}");
        placemat("convert --bom add -t").arg(encoding).reads("").run().writes(bytes(hex));
        placemat("convert --bom strip -f").arg(encoding).reads(bytes(hex)).run().writes("");
    }
    placemat("convert --bom add").reads("a").run().writes(bytes("ef bb bf 61"));
    placemat("convert --bom strip").reads(bytes("ef bb bf 61")).run().writes("a");
    placemat("convert -f latin1").reads(bytes("ef bb bf")).run().writes("ï»¿");
    placemat("convert -f cp437").reads(bytes("ef bb bf")).run().writes("∩╗┐");
}

/// The labels of the registries and of the vendors.
#[test]
fn names() {
    for (encoding, labels) in [
        (
            "UTF-8",
            &[
                "UTF-8",
                "utf8",
                "UTF 8",
                "utf_8",
                "csUTF8",
                "UTF-8-NOBOM",
                "UTF-8N",
                "18N",
                "cp65001",
                "65001",
            ][..],
        ),
        ("UTF-8", &["AL32UTF8", "utf8mb4", "rfc3629", "std63"]),
        ("UTF-8-BOM", &["UTF-8-BOM", "utf-8-sig"]),
        ("CESU-8", &["utf8(oracle)", "csCESU-8"]),
        ("UTF-8 (BMP only)", &["utf8mb3", "utf8(mysql)"]),
        ("UTF-8 31-bit", &["FSS-UTF", "FSS/UTF", "UTF-2", "rfc2044", "rfc2279"]),
        ("FSS-UTF-1992", &["utf-prosser"]),
        ("UTF-1", &["iso-ir-178", "ISO-10646-UTF-1"]),
    ] {
        for label in labels {
            let told = placemat("encodings").arg(label).run();
            let first = told.stdout.split(|&byte| byte == b'\n').next().unwrap();
            assert_eq!(first.escape_ascii().to_string(), encoding, "{label}");
        }
    }
    // utf8mb3 ends at U+FFFF: it has neither four bytes nor pairs of surrogates.
    becomes("-t utf8mb3", "\u{FFFF}", "ef bf bf");
    placemat("convert -t utf8mb3").reads("😀").run().ends(1).wrote("");
    for refused in ["f0 9f 98 80", "ed a0 bd ed b8 80"] {
        placemat("check -q -f utf8mb3").reads(bytes(refused)).run().ends(1);
    }
}

/// UTF-8 in mail, on the network and on the web.
#[test]
fn on_the_wire() {
    placemat("convert --wrap quoted-printable").reads("Grüße").run().writes("Gr=C3=BC=C3=9Fe");
    placemat("convert --wrap base64").reads("Grüße").run().writes("R3LDvMOfZQ==\n");
    // RFC 5198: composed, CR LF, no signature.
    becomes("--normalize net", "\u{FEFF}e\u{301}\nx\u{85}y\r", "c3 a9 0d 0a 78 0d 0a 79 0d 0a");
    for (label, rule) in [
        ("utf-8", "required for documents"),
        ("utf-7", "forbidden"),
        ("cesu-8", "forbidden"),
        ("scsu", "forbidden"),
        ("bocu-1", "forbidden"),
        ("utf-32", "forbidden"),
        ("ibm037", "forbidden"),
        ("iso-2022-kr", "refused: the whole document becomes one U+FFFD"),
    ] {
        let told = String::from_utf8(placemat("encodings").arg(label).run().stdout).unwrap();
        assert!(told.contains(&format!("\non the web         {rule}\n")), "{told}");
    }
}

/// German umlauts in the three wrong encodings of the literature, and back.
#[test]
fn mojibake() {
    let umlauts = "ÄÖÜßäöü";
    placemat("convert -f windows-1252").reads(umlauts).run().writes("Ã„Ã–ÃœÃŸÃ¤Ã¶Ã¼");
    placemat("convert -f iso-8859-15").reads(umlauts).run().writes("Ã\u{84}Ã\u{96}Ã\u{9C}Ã\u{9F}Ã€Ã¶ÃŒ");
    placemat("convert -f utf-16be").reads(umlauts).run().writes("쎄쎖쎜쎟쎤쎶쎼");
    placemat("convert -q -e replace").reads(bytes("48 f6 68 65")).run().writes("H\u{FFFD}he");
    placemat("convert -f utf-16le").reads("Bush hid the facts").run().writes("畂桳栠摩琠敨映捡獴");
    placemat("detect --brief").reads("Bush hid the facts").run().writes("us-ascii\n");
    let once = placemat("convert -f windows-1252").reads("München").run().stdout;
    let twice = placemat("convert -f windows-1252").reads(once).run().stdout;
    for text in ["MÃ¼nchen\n".as_bytes(), &[&*twice, b"\n"].concat()] {
        let repaired = placemat("repair -q").reads(text).run().stdout;
        assert_eq!(repaired, "München\n".as_bytes(), "{}", text.escape_ascii());
    }
}

/// The position of one character in the tables of each encoding.
#[test]
fn neighbors() {
    for (encoding, text, hex) in [
        ("ibm037", "é", "51"),
        ("ibm1047", "é", "51"),
        ("cp437", "é", "82"),
        ("cp850", "é", "82"),
        ("macintosh", "é", "8e"),
        ("dec-mcs", "é", "e9"),
        ("hp-roman8", "é", "c5"),
        ("big5", "中", "a4 a4"),
        ("gb2312", "中", "d6 d0"),
        ("euc-kr", "中", "f1 e9"),
        ("euc-jp", "中", "c3 e6"),
        ("shift_jis", "中", "92 86"),
        ("shift_jis", "表", "95 5c"),
        ("iso-8859-15", "€", "a4"),
        ("windows-1252", "¤€", "a4 80"),
        ("cp437", "ß", "e1"),
    ] {
        becomes(&format!("-t {encoding}"), text, hex);
        placemat("convert -f").arg(encoding).reads(bytes(hex)).run().writes(text);
    }
    // Combining marks first; escapes for Cyrillic and for East Asia.
    becomes(
        "--normalize nfd -t marc-8",
        "Čapek Ж 日",
        "e9 43 61 70 65 6b 20 1b 28 4e 76 20 1b 24 31 21 42 73 1b 28 42",
    );
}
