//! `count`: every length, against the standard library.

use crate::run::{Directory, placemat, utf16be, utf16le};
use serde_json::Value;

const STRESS: &[u8] = include_bytes!("../../../placemat/tests/vectors/stress.txt");

fn counts(args: &str, bytes: &[u8]) -> Value {
    let ran = placemat("count --format jsonl -f").arg(args).reads(bytes).run();
    ran.ends(0).says("");
    serde_json::from_slice(&ran.stdout).unwrap()
}

/// What the standard library counts.
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
    for bytes in [b"", STRESS, long.as_bytes(), latin1.as_bytes(), "Ā".as_bytes(), b"\xE2\x82"] {
        assert_eq!(counts("utf-8", bytes), expected(bytes, bytes.len()));
    }
    // Errors at the borders of pieces.
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
    assert_eq!(sizes.len(), placemat::Encoding::ALL.len());
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
    // The shortest is first; what cannot hold it is last.
    for size in &sizes {
        let bytes = size["bytes"].as_u64().unwrap_or(u64::MAX);
        assert!(bytes >= last, "{size}");
        last = bytes;
        // It is what the conversion yields.
        if let Some(name) = size["encoding"].as_str().filter(|_| bytes != u64::MAX) {
            let ran = placemat("convert -t").arg(name).reads(text).run();
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
