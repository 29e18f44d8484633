//! `detect`, and `-f auto` in the other commands.

use crate::run::{Directory, placemat, utf16le};
use serde_json::Value;

/// French text in windows-1252.
const FRENCH: &[u8] = b"Le caf\xE9 est ferm\xE9 \xE0 cause de la f\xEAte de l'\xE9cole. Apr\xE8s, d\xE9j\xE0 fatigu\xE9s, ils sont rentr\xE9s \xE0 pied.\n";

fn french() -> String {
    FRENCH.iter().map(|&byte| char::from(byte)).collect()
}

/// Returns 300 bytes that are not text.
fn noise() -> Vec<u8> {
    let numbers =
        core::iter::successors(Some(7_u32), |n| Some(n.wrapping_mul(1_664_525).wrapping_add(1_013_904_223)));
    numbers.map(|n| (n >> 24) as u8 | 0x80).take(300).collect()
}

fn files() -> Directory {
    let d = Directory::new();
    d.write("ascii", "plain");
    d.write("french", FRENCH);
    d.write("noise", noise());
    d.write("utf8", "naïve, déjà vu");
    d.write("utf16", utf16le("\u{FEFF}wide\n"));
    d.write("nothing", "");
    d.write("program", b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3E\0\x01\0\0\0");
    d
}

#[test]
fn a_line_for_each_file() {
    let d = files();
    let ran = placemat("detect ascii utf8 utf16 nothing program").within(&d).run();
    ran.ends(0).says("").writes(
        "ascii: US-ASCII  1.00\nutf8: UTF-8  0.99\nutf16: UTF-16LE  1.00\nnothing: empty\nprogram: binary\n",
    );
    let ran = placemat("detect french").within(&d).run();
    let line = String::from_utf8(ran.ends(0).stdout.clone()).unwrap();
    assert!(line.starts_with("french: windows-1252  0.9") && line.ends_with("  French\n"), "{line}");
}

#[test]
fn status_is_1_where_nothing_is_certain() {
    let d = files();
    placemat("detect noise").within(&d).run().ends(1).says("");
    placemat("detect -q noise").within(&d).run().ends(1).wrote("");
    placemat("detect ascii noise utf8").within(&d).run().ends(1);
    placemat("detect missing ascii").within(&d).run().ends(2).mentions(&["missing: no such file"]);
}

#[test]
fn brief_and_mime() {
    let d = files();
    placemat("detect --brief ascii utf8 utf16 program nothing")
        .within(&d)
        .run()
        .ends(0)
        .writes("us-ascii\nutf-8\nutf-16le\nbinary\nbinary\n");
    placemat("detect --mime ascii program nothing").within(&d).run().writes(
        "ascii: text/plain; charset=us-ascii\nprogram: application/octet-stream; charset=binary\n\
         nothing: inode/x-empty; charset=binary\n",
    );
    placemat("detect --mime --brief utf8").within(&d).run().writes("text/plain; charset=utf-8\n");
}

#[test]
fn json_lines() {
    let d = files();
    d.write("page", "<meta charset=koi8-r>naïve");
    let ran = placemat("detect --format jsonl french page utf16").within(&d).run();
    let lines: Vec<Value> = String::from_utf8(ran.ends(0).stdout.clone())
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let [french, page, utf16] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(french["path"], "french");
    assert_eq!((&french["verdict"], &french["encoding"]), (&"text".into(), &"windows-1252".into()));
    assert_eq!((&french["language"], &french["language_name"]), (&"fr".into(), &"French".into()));
    assert_eq!(french["evidence"]["first_non_ascii"], 6);
    let ruled_out = &french["evidence"]["ruled_out"][0];
    assert_eq!((&ruled_out["encoding"], &ruled_out["bytes"]), (&"UTF-8".into(), &"e9".into()));
    assert!(french["candidates"].as_array().unwrap().len() > 1);
    assert_eq!((&page["encoding"], &page["declared"]["encoding"]), (&"UTF-8".into(), &"KOI8-R".into()));
    assert_eq!((&page["declared"]["contradicted"], &page["declared"]["offset"]), (&true.into(), &14.into()));
    assert_eq!((&utf16["bom"], &utf16["confidence"]), (&"UTF-16LE".into(), &1.0.into()));
    assert_eq!(utf16["declared"], Value::Null);
}

#[test]
fn wrong_declarations_and_damage_are_in_the_line() {
    placemat("detect")
        .reads("<meta charset=koi8-r>naïve, déjà vu à l'école")
        .run()
        .ends(0)
        .writes("<stdin>: UTF-8  1.00  (wrongly declared as koi8-r at byte 14)\n");
    let damaged = ["ναι και όχι ".repeat(20).as_bytes(), b"\xFF"].concat();
    placemat("detect").reads(damaged).run().ends(0).writes("<stdin>: UTF-8  0.99  (1 ill-formed sequence)\n");
}

#[test]
fn a_sample_cuts_the_stream_short() {
    let src = [&b"plain ".repeat(100)[..], b"\xFF\xFE"].concat();
    placemat("detect --sample 600 --brief").reads(src).run().ends(0).writes("us-ascii\n");
}

#[test]
fn folders_are_walked_without_binary_files_and_in_order() {
    let d = files();
    for threads in ["-j1", "-j4"] {
        let ran = placemat("detect --brief .").arg(threads).within(&d).run();
        ran.ends(1);
        let lines = String::from_utf8(ran.stdout.clone()).unwrap();
        let lines: Vec<&str> = lines.lines().collect();
        assert_eq!((lines[0], lines.len()), ("us-ascii", 6), "{lines:?}");
        placemat("detect -a --brief .").arg(threads).within(&d).run().ends(1).mentions(&[]);
    }
    placemat("detect -v -g program .")
        .within(&d)
        .run()
        .ends(0)
        .wrote("")
        .mentions(&["./program: skipped as binary"]);
}

#[test]
fn convert_from_auto() {
    let d = files();
    placemat("convert -f auto french").within(&d).run().ends(0).says("").writes(french());
    // Standard input can be read only once.
    placemat("convert -f auto").reads(FRENCH).run().ends(0).says("").writes(french());
    placemat("convert -f AUTO utf16").within(&d).run().ends(0).writes("wide\n");
    placemat("convert -f auto ascii utf8").within(&d).run().ends(0).writes("plainnaïve, déjà vu");
    let long = FRENCH.repeat(20_000);
    placemat("convert -f auto").reads(long).run().ends(0).writes(french().repeat(20_000));
    let ran = placemat("convert -v -f auto french").within(&d).run();
    assert!(
        ran.stderr.contains("french: read as windows-1252, by detection (") && ran.stderr.contains("French")
    );
    placemat("convert -f auto -i french").within(&d).run().ends(0).says("");
    assert_eq!(d.read("french"), french().as_bytes());
    placemat("convert -f auto missing")
        .within(&d)
        .run()
        .ends(2)
        .says("placemat: missing: no such file or directory\n");
    placemat("convert -f auto nothing").within(&d).run().ends(0).wrote("").says("");
}

#[test]
fn auto_refuses_what_is_not_certain() {
    let d = files();
    let ran = placemat("convert -f auto noise").within(&d).run();
    ran.ends(1).wrote("").mentions(&["noise: ", "-f"]);
    placemat("convert -f auto -i noise").within(&d).run().ends(1).mentions(&["noise: "]);
    assert_eq!(d.read("noise"), noise());
    placemat("convert -f auto program").within(&d).run().ends(1).mentions(&["program: is binary"]);
    placemat("count -f auto noise").within(&d).run().ends(1).mentions(&["noise: "]);
    placemat("convert -f auto french utf8").within(&d).run().ends(1).wrote("").mentions(&["one at a time"]);
    placemat("convert -f auto --unwrap base64 french")
        .within(&d)
        .run()
        .ends(2)
        .wrote("")
        .mentions(&["--unwrap"]);
}

/// Candidates are sorted in all formats, and in the message of a refusal.
#[test]
fn candidates_are_listed_by_confidence() {
    // The library ranks Shift_JIS with 0.16 before RK1048 with 0.84, and KOI8-T with 0.998 after
    // windows-1253.
    for text in [
        &b"mller t caf k d \xEC\xE8\xF0"[..],
        b"\xCB\xC1\xCB gre mre seor \xC4\xC5\xCC\xC1",
        b"stra\xE1e ni\xA4o a\x87o",
    ] {
        let json = placemat("detect --format jsonl").reads(text).run();
        let json: Value = serde_json::from_slice(&json.stdout).unwrap();
        let candidates: Vec<(&str, f64)> = json["candidates"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| (one["encoding"].as_str().unwrap(), one["confidence"].as_f64().unwrap()))
            .collect();
        assert!(candidates.len() > 3 && candidates.is_sorted_by(|a, b| a.1 >= b.1), "{candidates:?}");
        assert_eq!(json["encoding"].as_str(), Some(candidates[0].0));
        let ran = placemat("detect --top 4").reads(text).run();
        let lines = String::from_utf8(ran.stdout).unwrap();
        let shown: Vec<_> = lines
            .lines()
            .map(|line| line.trim_start_matches("<stdin>:").split_whitespace().next().unwrap())
            .collect();
        // Encodings that read the text alike share a line, at the position of the first.
        let names: Vec<_> = candidates.iter().map(|(name, _)| *name).collect();
        let places = shown.iter().map(|name| names.iter().position(|other| other == name));
        assert!(shown.len() == 4 && shown[0] == names[0] && places.is_sorted(), "{shown:?} of {names:?}");
        let names = &names[..4];
        let ran = placemat("convert -f auto").reads(text).run();
        if ran.status == 1 {
            let named = format!("perhaps {}", names[0]);
            assert!(
                names.iter().all(|name| ran.stderr.contains(name)) && ran.stderr.contains(&named),
                "{}",
                ran.stderr
            );
        }
    }
}

/// Refused input has status 1 in every command, and worse trouble is reported too.
#[test]
fn auto_has_one_status_and_hides_nothing() {
    let d = files();
    let said = "placemat: program: is binary; -f names an encoding to read it in anyway\n";
    for command in ["check", "convert", "convert -i", "convert -o out", "count", "count --sizes", "inspect"] {
        let ran = placemat(command).args("-f auto program").within(&d).run();
        ran.ends(1).says(said);
    }
    placemat("edit -f auto program -- cat").within(&d).run().ends(1).says(said);
    let missing = "placemat: missing: no such file or directory\n";
    let both = [format!("{said}{missing}"), format!("{missing}{said}")];
    for command in ["check", "convert", "convert -i", "convert -o out", "count", "count --scripts"] {
        for (args, said) in ["program missing", "missing program"].iter().zip(&both) {
            placemat(command).args("-f auto").args(args).within(&d).run().ends(2).says(said);
        }
    }
    // All refusals are reported at once, and inputs in two encodings are another one.
    let ran = placemat("convert -f auto program french utf8 noise missing").within(&d).run();
    ran.ends(2).wrote("").mentions(&["program: is binary", "one at a time", "noise: ", missing]);
    assert_eq!(ran.stderr.lines().count(), 4, "{}", ran.stderr);
    let ran = placemat("check -f auto --format sarif program").within(&d).run();
    let sarif: Value = serde_json::from_slice(&ran.ends(1).stdout).unwrap();
    let run = &sarif["runs"][0]["invocations"][0];
    assert_eq!((&run["executionSuccessful"], &run["exitCode"]), (&false.into(), &1.into()));
}

#[test]
fn check_count_and_inspect_from_auto() {
    let d = files();
    placemat("check -f auto french utf8 utf16 ascii nothing").within(&d).run().ends(0).wrote("").says("");
    placemat("check -f auto").reads(FRENCH).run().ends(0).wrote("").says("");
    let ran = placemat("count -f auto").reads(FRENCH).run();
    let counts = String::from_utf8(ran.ends(0).stdout.clone()).unwrap();
    let points = FRENCH.len().to_string();
    assert!(counts.contains(&format!("{points}      1  ")) || counts.contains(&points), "{counts}");
    let ran = placemat("inspect -f auto -n 4 --as escapes").reads(FRENCH).run();
    ran.ends(0).wrote("Le c\n");
}

#[test]
fn check_names_the_encoding_of_a_foreign_file() {
    let d = files();
    let ran = placemat("check french").within(&d).run();
    let report = String::from_utf8(ran.ends(1).stdout.clone()).unwrap();
    let last = report.lines().last().unwrap();
    assert_eq!(
        last,
        "french: windows-1252 (0.99), not UTF-8: 11 ill-formed sequences, the first at 1:7; `placemat convert -f windows-1252 \
         french` makes it UTF-8"
    );
    // Damaged UTF-8 is not a foreign encoding, and other formats have no such line.
    let damaged = ["ναι και όχι ".repeat(20).as_bytes(), b"\xFF"].concat();
    d.write("damaged", damaged);
    for args in ["check damaged", "check --format jsonl french", "check -l french", "check -f latin1 french"]
    {
        let ran = placemat(args).within(&d).run();
        assert!(!String::from_utf8_lossy(&ran.stdout).contains("probably"), "{args}");
    }
}

/// Returns lines in UTF-8 and in windows-1252 by turns.
fn mixed() -> Vec<u8> {
    [FRENCH, FRENCH, b"plain\n", french().as_bytes(), FRENCH, b"na\xC3\xAFf caf\xE9 d\xC3\xA9j\xC3\xA0\n"]
        .concat()
}

#[test]
fn regions_of_a_mixed_file() {
    let d = files();
    d.write("mixed", mixed());
    let len = FRENCH.len();
    let utf8 = french().len();
    let ends = [2 * len + 6, 2 * len + 6 + utf8, 3 * len + 6 + utf8];
    let cafe = ends[2] + 9;
    let ran = placemat("detect --mixed mixed").within(&d).run();
    let text = String::from_utf8(ran.ends(0).says("").stdout.clone()).unwrap();
    let places: Vec<&str> = text.lines().map(|line| line.rsplit_once("  ").unwrap().0).collect();
    let want = [
        format!("mixed:1-3: bytes 0-{}  windows-1252", ends[0] - 1),
        format!("mixed:4: bytes {}-{}  UTF-8", ends[0], ends[1] - 1),
        format!("mixed:5: bytes {}-{}  windows-1252", ends[1], ends[2] - 1),
        format!("mixed:6: bytes {}-{}  UTF-8", ends[2], cafe - 1),
        format!("mixed:6: bytes {cafe}-{cafe}  windows-1252"),
        format!("mixed:6: bytes {}-{}  UTF-8", cafe + 1, mixed().len() - 1),
    ];
    assert_eq!(places, want);
    placemat("detect --mixed --brief").reads(mixed()).run().ends(0).writes("windows-1252 utf-8\n");
    placemat("detect --mixed utf16 program nothing")
        .within(&d)
        .run()
        .ends(0)
        .writes("utf16: UTF-16LE  1.00\nprogram: binary\nnothing: empty\n");
    placemat("detect --mixed ascii").within(&d).run().ends(0).writes("ascii:1: bytes 0-4  US-ASCII  1.00\n");
    let ran = placemat("detect --mixed --format jsonl mixed").within(&d).run();
    let lines = String::from_utf8(ran.ends(0).stdout.clone()).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[1]["offset"], ends[0]);
    assert_eq!(
        (&lines[1]["length"], &lines[1]["line"], &lines[1]["lines"]),
        (&utf8.into(), &4.into(), &1.into())
    );
    assert_eq!((&lines[1]["encoding"], &lines[1]["path"]), (&"UTF-8".into(), &"mixed".into()));
    placemat("detect --mixed --top 3").run().ends(2);
}

#[test]
fn a_mixed_file_is_not_read_in_one_encoding() {
    let d = files();
    let many = [FRENCH.repeat(8), french().repeat(4).into_bytes()].concat();
    d.write("mixed", &many);
    let ran = placemat("detect mixed").within(&d).run();
    let line = String::from_utf8(ran.ends(0).stdout.clone()).unwrap();
    assert!(line.ends_with("(lines are in windows-1252 and UTF-8)\n"), "{line}");
    let refused = ["lines are in windows-1252 and UTF-8", "detect --mixed", "repair"];
    placemat("convert -f auto mixed").within(&d).run().ends(1).wrote("").mentions(&refused);
    placemat("convert -f windows-1252 mixed").within(&d).run().ends(0);
    placemat("repair mixed").within(&d).run().ends(0).writes(french().repeat(12));
    // A file in one encoding is converted.
    d.write("one", FRENCH.repeat(12));
    placemat("convert -f auto one").within(&d).run().ends(0).writes(french().repeat(12));
}

#[test]
fn encodings_that_read_a_file_alike_are_one_candidate() {
    let d = files();
    let ran = placemat("detect --top 9 french").within(&d).run();
    let text = String::from_utf8(ran.ends(0).stdout.clone()).unwrap();
    let first = text.lines().next().unwrap();
    assert!(
        first.starts_with("french: windows-1252 (or ") && first.contains(": the same text)  0.9"),
        "{first}"
    );
    assert!(!text.contains("    ISO-8859-1 "), "{text}");
    // A euro sign distinguishes the two encodings.
    let euro = [FRENCH, b"Cela co\xFBte 5 \x80."].concat();
    let ran = placemat("detect --top 9").reads(euro).run();
    let text = String::from_utf8(ran.ends(0).stdout.clone()).unwrap();
    assert!(text.contains("\n    ISO-8859-1 (or ISO-8859-15"), "{text}");
    // The line without candidates is short.
    let ran = placemat("detect french").within(&d).run();
    assert!(!String::from_utf8_lossy(&ran.stdout).contains("same text"));
}

#[test]
fn utf8_with_bytes_of_another_encoding_is_called_so() {
    let d = Directory::new();
    let text = "Die Straße ist naß, das Café geöffnet, die Tür grün, der Schnee weiß.\n".repeat(3);
    let text = [text.as_bytes(), b"M\xFCller und K\xF6nig\n"].concat();
    d.write("notes.txt", &text);
    let ran = placemat("detect notes.txt").within(&d).run();
    let line = String::from_utf8(ran.ends(0).stdout.clone()).unwrap();
    assert!(line.starts_with("notes.txt: UTF-8 with 2 bytes of windows-1252  0."), "{line}");
    assert!(!line.contains("ill-formed") && !line.contains("lines are in"), "{line}");
    let ran = placemat("check notes.txt").within(&d).run();
    let report = String::from_utf8(ran.ends(1).stdout.clone()).unwrap();
    assert!(report.contains("`placemat repair notes.txt`") && !report.contains("convert -f"), "{report}");
}

/// A conversion from windows-1252 would make `StraÃŸe` of it.
#[test]
fn advice_for_a_small_mixed_file_is_to_repair_it() {
    let d = Directory::new();
    for text in [
        &b"Stra\xC3\x9Fe M\xFCller\n"[..],
        b"caf\xE9\nStra\xC3\x9Fe\n",
        b"caf\xC3\xA9 d\xE9j\xE0 vu\n",
        b"na\xC3\xAFve\nna\xEFve\n",
        b"M\xFCller, Stra\xC3\x9Fe 5\nK\xF6ln\n",
        b"x \x80 5 na\xC3\xAFve\n",
        b"Der Stra\xC3\x9Fe ist gro\xC3\x9F.\nDas M\xFCller f\xFCr \xFCber sch\xF6n\n",
        b"ol\xC3\xA9 \xE8 vero perch\xE9 cos\xEC\n",
    ] {
        d.write("small", text);
        let ran = placemat("check small").within(&d).run();
        let report = String::from_utf8(ran.ends(1).stdout.clone()).unwrap();
        assert!(report.ends_with("`placemat repair small` makes all of it UTF-8\n"), "{report}");
        assert!(!report.contains("convert -f"), "{report}");
        let ran = placemat("convert -f auto small").within(&d).run();
        ran.ends(1).wrote("").mentions(&["`placemat repair` makes them UTF-8"]);
        let ran = placemat("repair small").within(&d).run();
        assert!(!String::from_utf8_lossy(&ran.ends(0).stdout).contains('Ã'));
    }
}

/// A single word of UTF-8 in a long text is enough.
#[test]
fn a_word_of_utf8_in_a_long_text_is_not_converted() {
    let d = Directory::new();
    let text = [&FRENCH.repeat(40)[..], "rue de la Stra\u{DF}e d\u{E9}j\u{E0}\n".as_bytes()].concat();
    d.write("long", &text);
    let ran = placemat("check long").within(&d).run();
    let report = String::from_utf8(ran.ends(1).stdout.clone()).unwrap();
    assert!(report.ends_with("`placemat repair long` makes all of it UTF-8\n"), "{report}");
    placemat("convert -f auto long")
        .within(&d)
        .run()
        .ends(1)
        .wrote("")
        .mentions(&["`placemat repair` makes"]);
    let repaired = french().repeat(40) + "rue de la Straße déjà\n";
    placemat("repair long").within(&d).run().ends(0).wrote(repaired);
}

#[test]
fn mojibake_is_hinted_at() {
    let d = Directory::new();
    d.write("bad", "cafÃ© naïve d’accord\n");
    let hint = "\n    looks like mojibake: `placemat repair bad` mends it\n";
    let ran = placemat("detect bad").within(&d).run();
    assert!(String::from_utf8(ran.ends(0).stdout.clone()).unwrap().ends_with(hint));
    placemat("detect --brief bad").within(&d).run().writes("utf-8\n");
    placemat("detect --mime bad").within(&d).run().writes("bad: text/plain; charset=utf-8\n");
    for text in ["café naïve d’accord\n", "write “Ã©” as é\n", "plain\n"] {
        let ran = placemat("detect").reads(text).run();
        assert_eq!(ran.stdout.iter().filter(|&&byte| byte == b'\n').count(), 1, "{text}");
    }
}

#[test]
fn a_language_is_named_only_where_that_is_sure() {
    // The text is Russian, "Привет, мир"; the model finds Serbian.
    let ran = placemat("detect").reads(b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0").run();
    let line = String::from_utf8(ran.ends(0).stdout.clone()).unwrap();
    assert!(line.starts_with("<stdin>: windows-1251  0.9") && line.trim_end().len() < 30, "{line}");
    // JSON has the field that the short report leaves out.
    let ran = placemat("detect --format jsonl").reads(b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0").run();
    let json: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert!(json["language"].is_string());
}

#[test]
fn reasons_are_in_words() {
    let d = files();
    for option in ["-v", "--explain"] {
        let ran = placemat("detect french").arg(option).within(&d).run();
        let text = String::from_utf8(ran.ends(0).stdout.clone()).unwrap();
        assert!(
            text.contains("    in windows-1252, 0xe9 is é, 0xe0 is à, ")
                && text.contains(": text as French has it"),
            "{text}"
        );
        assert!(!text.contains("nats") && !text.contains("not certain"), "{text}");
    }
    let ran = placemat("detect -v noise").within(&d).run();
    let text = String::from_utf8(ran.ends(1).stdout.clone()).unwrap();
    assert!(text.contains("not certain: ") && text.contains("name it with -f"), "{text}");
}

/// A file to which `PowerShell` appended with `>>`.
#[test]
fn utf16_beside_single_bytes() {
    let d = Directory::new();
    let log = b"line one\r\nline two, and more\r\n".repeat(3);
    let appended = utf16le("appended\r\n");
    d.write("a", [&log[..], &appended].concat());
    d.write("b", [&utf16le("\u{FEFF}hello\r\nworld, and all the others\r\n")[..], b"appended\r\n"].concat());
    placemat("detect --brief --mixed a b").within(&d).run().writes("utf-8 utf-16le\nutf-16le utf-8\n");
    placemat("detect --mixed a")
        .within(&d)
        .run()
        .writes("a:1-6: bytes 0-89  UTF-8  1.00\na:7: bytes 90-109  UTF-16LE  0.99\n");
    placemat("check a")
        .within(&d)
        .run()
        .ends(1)
        .wrote("a:7:1: UTF-16LE text of 20 bytes at byte 90: up to byte 109, inside UTF-8\n");
    placemat("repair b").within(&d).run().writes("hello\r\nworld, and all the others\r\nappended\r\n");
}

/// Detection is not sure of a word or a letter; it is if the text declares the same.
#[test]
fn a_declaration_of_the_same_encoding_is_enough() {
    for (text, word) in [
        ("<html><head><meta charset=\"koi8-r\"></head><p>@</p></html>", "ж"),
        ("\" vim: set fileencoding=koi8-r :\nlet x = \"@\"\n", "я"),
        (
            "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=koi8-r\\n\"\n\nmsgid \"a\"\nmsgstr \"@\"\n",
            "Э",
        ),
    ] {
        let koi8 = placemat::Encoding::KOI8_R.encode(word, placemat::UnmappablePolicy::Stop).unwrap();
        let (before, after) = text.split_once('@').unwrap();
        let bytes = [before.as_bytes(), &koi8, after.as_bytes()].concat();
        let ran = placemat("show -f auto -").reads(bytes.clone()).run();
        assert_eq!(String::from_utf8_lossy(&ran.stdout), text.replace('@', word), "{}", ran.stderr);
        let ran = placemat("detect --format jsonl").reads(bytes).run();
        let value: Value = serde_json::from_slice(&ran.stdout).unwrap();
        assert!(value["confidence"].as_f64().unwrap() < 0.8, "{word}: {value}");
    }
}
