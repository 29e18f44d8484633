//! `count`: every length, against the standard library.

use crate::run::{Directory, placemat, utf16be, utf16le, vectors};
use flate2::Compression;
use flate2::read::DeflateEncoder;
use placemat::stream::Transcoder;
use placemat::transfer::{Encoder, LineEnd, Transfer};
use placemat::{ConvertError, Encoding, ErrorPolicy, UnmappablePolicy};
use serde_json::Value;
use std::io::Read as _;
use std::process::Command;
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

fn counts(args: &str, bytes: &[u8]) -> Value {
    let ran = placemat("count --format jsonl -f").arg(args).reads(bytes).run();
    ran.ends(0).says("");
    serde_json::from_slice(&ran.stdout).unwrap()
}

/// Returns the counts by the standard library.
fn expected(bytes: &[u8], len: usize) -> Value {
    let text = String::from_utf8_lossy(bytes);
    let ill_formed = bytes.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
    let code_points = text.chars().count();
    let latin1 = (ill_formed == 0 && text.chars().all(|c| c <= 'ÿ')).then_some(code_points);
    serde_json::json!({
        "path": "<stdin>",
        "bytes": len,
        "lines": text.matches('\n').count(),
        "code_points": code_points - ill_formed,
        "ill_formed": ill_formed,
        "utf8": text.len(),
        "utf16": text.encode_utf16().count(),
        "utf32": code_points,
        "latin1": latin1,
    })
}

#[test]
fn every_length_is_that_of_the_standard_library() {
    let long = "aé€😀\n".repeat(60_000);
    let latin1 = "aéÿ\n".repeat(100_000);
    let stress = vectors("stress.txt").unwrap_or_default();
    for bytes in [b"", stress.as_slice(), long.as_bytes(), latin1.as_bytes(), "Ā".as_bytes(), b"\xE2\x82"] {
        assert_eq!(counts("utf-8", bytes), expected(bytes, bytes.len()));
    }
    // Errors lie at the boundaries of pieces.
    for shift in 0..4 {
        let bytes = [&b"---"[..shift.min(3)], &b"a\xE2\x82\xF0\x9F\x98b\xC0\xAF".repeat(80_000)].concat();
        assert_eq!(counts("utf-8", &bytes), expected(&bytes, bytes.len()));
    }
}

#[test]
fn other_encodings_have_the_same_lengths() {
    let text = "aé€😀\n".repeat(50_000);
    for (name, bytes) in [("utf-16le", utf16le(&text)), ("utf-16be", utf16be(&text))] {
        assert_eq!(counts(name, &bytes), expected(text.as_bytes(), bytes.len()));
    }
    let signed = [&b"\xFE\xFF"[..], &utf16be("é")].concat();
    assert_eq!(counts("utf-16", &signed), expected("é".as_bytes(), 4));
    assert_eq!(counts("latin1", b"\xE9\xFF"), expected("éÿ".as_bytes(), 2));
}

#[test]
fn a_table_of_several_files() {
    let d = Directory::new();
    d.write("a", "aé€😀\n");
    d.write("b", b"caf\xE9\n");
    let want = "
bytes  lines  points  ill-formed  utf-8  utf-16  utf-32  latin1
   11      1       5           0     11       6       5       -  a
    5      1       4           1      7       5       5       -  b
   16      2       9           1     18      11      10       -  total
";
    placemat("count a b").within(&d).run().writes(&want[1..]);
    let ran = placemat("count a missing").within(&d).run();
    ran.ends(2).says("placemat: missing: no such file or directory\n");
    let ran = placemat("count --format jsonl a b").within(&d).run();
    let last: Value =
        serde_json::from_str(core::str::from_utf8(&ran.stdout).unwrap().lines().last().unwrap()).unwrap();
    assert_eq!((&last["path"], &last["bytes"]), (&Value::Null, &16.into()));
    placemat("count").reads("é\n").run().writes(
        "bytes  lines  points  ill-formed  utf-8  utf-16  utf-32  latin1\n    3      1       2           0      3       2       2       2  <stdin>\n",
    );
}

#[test]
fn directories_are_refused() {
    placemat("count /").run().ends(2).wrote("").says("placemat: /: is a directory\n");
}

#[test]
fn sizes_in_every_encoding() {
    let text = "añ日\n";
    let ran = placemat("count --sizes --format jsonl").reads(text).run();
    ran.ends(0).says("");
    let sizes: Vec<Value> =
        ran.stdout.split(|&b| b == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
    assert_eq!(sizes.len(), Encoding::ALL.len() + 3);
    let mut last = 0;
    for (name, bytes, not_held) in [
        ("SCSU", Some(6), None),
        ("UTF-8", Some(7), None),
        ("UTF-16LE", Some(8), None),
        ("UTF-16", Some(10), None),
        ("UTF-32", Some(20), None),
        ("UTF-7", Some(9), None),
        ("US-ASCII", None, Some("U+00F1")),
        ("ISO-8859-1", None, Some("U+65E5")),
        ("IBM037", None, Some("U+65E5")),
        ("ISO-2022-JP", None, Some("U+00F1")),
    ] {
        let size = sizes.iter().find(|size| size["encoding"] == name).unwrap();
        assert_eq!((size["bytes"].as_u64(), size["first_not_held"].as_str()), (bytes, not_held), "{name}");
    }
    // The shortest encoding comes first; encodings that lack some of the text come last.
    for size in &sizes {
        let bytes = size["bytes"].as_u64().unwrap_or(u64::MAX);
        assert!(bytes >= last, "{size}");
        last = bytes;
        // The size equals the length of the conversion.
        if let Some(name) = size["encoding"].as_str().filter(|_| bytes != u64::MAX) {
            let mut convert = placemat("convert -t").arg(name);
            if let Some(transfer) = size["transfer"].as_str() {
                convert = convert.arg("--wrap").arg(transfer);
            }
            let ran = convert.reads(text).run();
            ran.ends(0);
            assert_eq!(ran.stdout.len() as u64, bytes, "{name}");
        }
    }
    let ran = placemat("count --sizes").reads(text).run();
    ran.ends(0).says("");
    let table = String::from_utf8(ran.stdout).unwrap();
    assert!(table.lines().any(|line| line.starts_with("UTF-8 ") && line.contains(" 7 ")), "{table}");
    assert!(table.contains("U+00F1"), "{table}");
}

#[test]
fn scripts() {
    let d = Directory::new();
    d.write("a", b"abc \xD0\xB6\xE6\xBC\xA2\xE6\xBC\xA2\xFF\n");
    placemat("count --scripts a").within(&d).run().writes(
        "a\n\
         script      points   share\n\
         Latin            3   33.3%  ████████████████████████████████\n\
         Common           2   22.2%  ██████████████████████\n\
         Han              2   22.2%  ██████████████████████\n\
         Cyrillic         1   11.1%  ███████████\n\
         ill-formed       1   11.1%  ███████████\n",
    );
    placemat("count --scripts --format jsonl a").within(&d).run().writes(
        "{\"path\":\"a\",\"script\":\"Latin\",\"code\":\"Latn\",\"count\":3}\n\
         {\"path\":\"a\",\"script\":\"Common\",\"code\":\"Zyyy\",\"count\":2}\n\
         {\"path\":\"a\",\"script\":\"Han\",\"code\":\"Hani\",\"count\":2}\n\
         {\"path\":\"a\",\"script\":\"Cyrillic\",\"code\":\"Cyrl\",\"count\":1}\n\
         {\"path\":\"a\",\"script\":null,\"code\":null,\"count\":1}\n",
    );
    d.write("empty", "");
    placemat("count --scripts empty").within(&d).run().writes("empty\nscript  points   share\n");
    placemat("count --scripts --sizes a").within(&d).run().ends(2);
    placemat("count --scripts -f utf-16le missing a")
        .within(&d)
        .run()
        .ends(2)
        .mentions(&["missing: no such file"]);
}

/// Returns texts in which the numbers of code points, words, clusters and lines differ.
fn texts(scale: usize) -> Vec<String> {
    let stress = String::from_utf8_lossy(&vectors("stress.txt").unwrap_or_default()).into_owned();
    let mixed = "Zwölf  Boxkämpfer\tjagen\r\nViktor \u{A0}quer\u{2003}über\u{2028}den 漢字 e\u{301}e 🇩🇪🇫🇷 👨‍👩‍👧‍👦 क्षि 각\n";
    let marks =
        ["a", &"\u{301}\u{200D}".repeat(70_000), "\u{1F600}\u{1F600}", &"\u{1100}".repeat(70_000)].concat();
    let flags = "🇦".repeat(100_001);
    let words = "\u{A0}ein \u{2007}Wort\u{3000}日 本\u{2060}ж\u{1680}\u{202F}\ta\x0Bb\x0Cc \r\n".into();
    vec![
        String::new(),
        "\n".into(),
        "a".into(),
        " a".into(),
        words,
        stress,
        mixed.repeat(scale),
        marks,
        flags,
    ]
}

#[test]
fn single_numbers_are_those_of_wc() {
    let d = Directory::new();
    for (i, text) in texts(3000).into_iter().enumerate() {
        d.write("text", &text);
        for option in ["-l", "-w", "-m", "-c"] {
            let mut wc = Command::new("wc");
            wc.args([option, "text"]).env("LC_ALL", "C.UTF-8").current_dir(d.path(""));
            let Ok(wc) = wc.output() else { return };
            // Up to version 9.4, wc neither takes what it cannot print for a word nor U+2028 for white space.
            if option == "-w"
                && text.contains(|c: char| c == '\u{2028}' || c.is_control() && !c.is_whitespace())
            {
                continue;
            }
            let ran = placemat("count").arg(option).arg("text").within(&d).run();
            assert_eq!(String::from_utf8(ran.stdout), String::from_utf8(wc.stdout), "{option} {i}");
        }
    }
}

#[test]
fn clusters_and_words_are_those_of_the_text_as_a_whole_in_every_encoding() {
    for text in texts(3000) {
        let clusters = text.graphemes(true).count();
        let encodings: [(&str, Vec<u8>); 4] = [
            ("utf-8", text.clone().into()),
            ("utf-16le", utf16le(&text)),
            ("utf-16be", utf16be(&text)),
            ("utf-7", Transcoder::new(Encoding::UTF_8, Encoding::UTF_7).transcode(text.as_bytes()).unwrap()),
        ];
        let mut before = None;
        for (name, bytes) in encodings {
            let len = bytes.len();
            let ran = placemat("count --format jsonl --graphemes -w -l -c --columns -f")
                .arg(name)
                .reads(bytes)
                .run();
            ran.ends(0).says("");
            let mut numbers: Value = serde_json::from_slice(&ran.stdout).unwrap();
            assert_eq!((&numbers["graphemes"], &numbers["bytes"]), (&clusters.into(), &len.into()), "{name}");
            assert!(numbers.get("code_points").is_none());
            numbers["bytes"].take();
            assert_eq!(before.get_or_insert(numbers.clone()), &numbers, "{name}");
        }
    }
}

/// The text before them moves the clusters over the end of each buffer, byte by byte.
#[test]
fn clusters_do_not_depend_on_where_a_buffer_ends() {
    let clusters = [
        "\u{25CC}\u{94D}\u{915}",
        "👩‍👩‍👧",
        "🇩🇪",
        "\u{1100}\u{1161}\u{11A8}",
        "\u{600}\u{661}",
        "e\u{301}",
        "\r\n",
    ];
    let all = clusters.concat();
    let text = all.repeat(200_000 / all.len());
    let count = 200_000 / all.len() * clusters.len();
    for before in 0..all.len() {
        placemat("count --graphemes")
            .reads("x".repeat(before) + &text)
            .run()
            .writes(format!("{}\n", before + count));
    }
}

#[test]
fn single_numbers_as_wc_prints_them() {
    let d = Directory::new();
    d.write("a", "one two\nе\u{301} 👨‍👩‍👧 日本\n");
    d.write("b", b"caf\xE9 \xFF\n".repeat(200));
    placemat("count -lw a").within(&d).run().writes("2 5 a\n");
    placemat("count -w --graphemes -m -c -l --columns a").within(&d).run().writes(" 2  5 20 15 39  9 a\n");
    placemat("count -c --graphemes a b")
        .within(&d)
        .run()
        .writes("  15   39 a\n1400 1400 b\n1415 1439 total\n");
    placemat("count -m").reads("é日\n").run().writes("3\n");
    placemat("count -m -").reads("é日\n").run().writes("3 <stdin>\n");
    placemat("count -m b").within(&d).run().writes("1000 b\n");
    placemat("count --format jsonl -w --columns a b").within(&d).run().writes(
        "{\"path\":\"a\",\"words\":5,\"columns\":9}\n{\"path\":\"b\",\"words\":400,\"columns\":6}\n\
         {\"path\":null,\"words\":405,\"columns\":9}\n",
    );
    for other in ["--sizes", "--scripts"] {
        placemat("count -w").arg(other).arg("a").within(&d).run().ends(2);
    }
}

#[test]
fn columns_are_those_of_the_widest_line() {
    for (text, want) in [
        ("", 0),
        ("abc", 3),
        ("abc\nde", 3),
        ("a\tb\n", 9),
        ("abcdefgh\tb\n", 17),
        ("日本語\r\nab", 6),
        ("👨‍👩‍👧‍👦", 2),
        ("🇩🇪", 2),
        ("❤\u{FE0F}", 2),
        ("e\u{301}\u{0}\u{7F}\u{200B}", 1),
        ("ab\x0Cc", 2),
    ] {
        let ran = placemat("count --columns").reads(text).run();
        ran.writes(format!("{want}\n"));
    }
    for line in texts(1).iter().flat_map(|text| text.lines().next()).filter(|line| line.len() < 100) {
        if !line.contains(|c: char| c.is_control()) {
            placemat("count --max-line-length").reads(line).run().writes(format!("{}\n", line.width()));
        }
    }
}

/// Converts with the library in one call and returns the length.
fn converted(text: &str, to: Encoding) -> Result<u64, String> {
    match Transcoder::new(Encoding::UTF_8, to).transcode(text.as_bytes()) {
        Ok(bytes) => Ok(bytes.len() as u64),
        Err(ConvertError::Unmappable(e)) => Err(e.code_point().to_string()),
        Err(e) => panic!("{e}"),
    }
}

#[test]
fn sizes_are_those_of_conversions_in_every_encoding() {
    let mut all: Vec<String> = texts(5);
    // Characters of every single-byte charset; letters that wait for marks; shifts; and more than
    // one piece.
    all.push(('\u{1}'..='\u{7E}').collect::<String>().repeat(5000));
    all.push("か゚き゚ㇷ゚ Ê̄ê̌ 한국어 漢字 ｱｲｳ \u{1E5}".into());
    all.push("Привет, мир! Ёё \n".repeat(700));
    all.push("Türkçe ığşİĞŞ".into());
    all.push("café — “déjà vu” 100 € ± \u{81}".into());
    all.push(('\u{3000}'..'\u{D7A4}').chain('\u{20000}'..'\u{20200}').collect());
    for to in Encoding::ALL.iter().filter(|to| to.max_bytes() == 1) {
        let all_bytes: Vec<u8> = (0..=255).collect();
        let (d, u) = (ErrorPolicy::Skip, UnmappablePolicy::Stop);
        let held =
            Transcoder::new(*to, Encoding::UTF_8).on_error(d).on_unmappable(u).transcode(&all_bytes).unwrap();
        if to.name().len() % 5 == 0 {
            all.push(String::from_utf8(held).unwrap().repeat(3));
        }
    }
    for text in &all {
        let ran = placemat("count --sizes --format jsonl").reads(&**text).run();
        ran.ends(0).says("");
        let mut seen = 0;
        for line in ran.stdout.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            let size: Value = serde_json::from_slice(line).unwrap();
            let name = size["encoding"].as_str().unwrap();
            let to = *Encoding::ALL.iter().find(|to| to.name() == name).unwrap();
            let want = match size["transfer"].as_str() {
                None => converted(text, to),
                Some(kind) => {
                    let kind = *Transfer::ALL.iter().find(|transfer| transfer.name() == kind).unwrap();
                    let mut out = Vec::new();
                    Encoder::in_lines(kind, LineEnd::Lf).push(text.as_bytes(), true, &mut out);
                    Ok(out.len() as u64)
                }
            };
            let have =
                size["bytes"].as_u64().ok_or_else(|| size["first_not_held"].as_str().unwrap().to_owned());
            assert_eq!(have, want, "{name} {:?}", &text.chars().take(20).collect::<String>());
            seen += 1;
        }
        assert_eq!(seen, Encoding::ALL.len() + 3);
    }
}

#[test]
fn deflated_sizes_on_demand() {
    let text = "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich\n".repeat(200);
    let ran = placemat("count --sizes --deflated --format jsonl").reads(&*text).run();
    ran.ends(0).says("");
    let mut seen = 0;
    for line in ran.stdout.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        let size: Value = serde_json::from_slice(line).unwrap();
        assert_eq!(size["deflated"].is_null(), size["bytes"].is_null());
        if size["encoding"] == "UTF-8" && size["transfer"].is_null() {
            let mut packed = Vec::new();
            DeflateEncoder::new(text.as_bytes(), Compression::default()).read_to_end(&mut packed).unwrap();
            assert_eq!((&size["bytes"], &size["deflated"]), (&text.len().into(), &packed.len().into()));
            seen += 1;
        }
    }
    assert_eq!(seen, 1);
    placemat("count --deflated").run().ends(2);
    let ran = placemat("count --sizes --deflated").reads("abc").run();
    assert!(String::from_utf8(ran.stdout).unwrap().lines().any(|line| line.contains("deflated")));
}

/// Returns the kind of mail that a text needs, by the rules of RFC 2045 on whole lines.
fn mail(bytes: &[u8]) -> &'static str {
    let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    let (last, ended) = lines.split_last().unwrap();
    let mut all = ended.iter().map(|line| line.strip_suffix(b"\r").unwrap_or(line)).chain([*last]);
    if !all.all(|line| line.len() <= 998 && !line.contains(&0) && !line.contains(&b'\r')) {
        "binary"
    } else if bytes.is_ascii() {
        "7bit"
    } else {
        "8bit"
    }
}

#[test]
fn what_mail_needs_is_told_for_every_encoding() {
    let texts = [
        String::new(),
        "abc\n".into(),
        "a".repeat(998) + "\r\n",
        "a".repeat(999) + "\r\n",
        "a".repeat(998) + "\n" + &"b".repeat(998),
        "a\0".into(),
        "a\rb\n".into(),
        "Grüße\r\n".into(),
        "ü".repeat(499),
        "ü".repeat(500),
        "ü".repeat(998) + "\n",
        "ж日".repeat(120) + "\n",
        "日本語\n".repeat(80_000),
        "a\u{85}b\n".into(),
        "abc {}|~@[]".into(),
        "ä\n".repeat(600),
    ];
    for text in &texts {
        for deflated in ["", "--deflated"] {
            if !deflated.is_empty() && text.len() > 3000 {
                continue;
            }
            let ran = placemat("count --sizes --format jsonl").args(deflated).reads(&**text).run();
            ran.ends(0).says("");
            for line in ran.stdout.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
                let size: Value = serde_json::from_slice(line).unwrap();
                let name = size["encoding"].as_str().unwrap();
                let to = *Encoding::ALL.iter().find(|to| to.name() == name).unwrap();
                let want = match size["transfer"].as_str() {
                    None => Transcoder::new(Encoding::UTF_8, to).transcode(text.as_bytes()).ok(),
                    Some(kind) => {
                        let kind = *Transfer::ALL.iter().find(|transfer| transfer.name() == kind).unwrap();
                        let mut out = Vec::new();
                        Encoder::in_lines(kind, LineEnd::Lf).push(text.as_bytes(), true, &mut out);
                        Some(out)
                    }
                };
                let want = want.as_deref().map(mail);
                assert_eq!(
                    size["mail"].as_str(),
                    want,
                    "{name} {:?}",
                    &text.chars().take(9).collect::<String>()
                );
            }
        }
    }
    let row = |text: &str, name: &str| {
        let table = String::from_utf8(placemat("count --sizes").reads(text).run().stdout).unwrap();
        let row = table.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
        row.split_whitespace().skip(1).take(2).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row("é\n", "UTF-8 "), ["3", "8bit"]);
    assert_eq!(row("é\n", "UTF-16LE "), ["4", "binary"]);
    assert_eq!(row("é\n", "UTF-7 "), ["5", "7bit"]);
    assert_eq!(row("", "UTF-8 "), ["0", "7bit"]);
    // Encodings of one length share a line where they need the same mail encoding.
    let table = String::from_utf8(placemat("count --sizes").reads("é\n").run().stdout).unwrap();
    assert!(table.lines().any(|line| line.contains(" more ") && line.contains("8bit")), "{table}");
}
