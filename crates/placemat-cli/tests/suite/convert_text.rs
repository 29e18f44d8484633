//! `convert`: encodings, `--bom`, `--eol`.

use crate::run::{Directory, placemat, utf16be, utf16le};

#[test]
fn between_all_encodings() {
    let names = [
        "utf-8",
        "utf-8-bom",
        "utf-16",
        "utf-16le",
        "utf-16be",
        "utf-32",
        "utf-32le",
        "utf-32be",
        "ucs-2",
        "ucs-2le",
        "ucs-2be",
        "ucs-4",
        "ucs-4le",
        "ucs-4be",
        "ascii",
        "latin1",
    ];
    let text = "Grüße\r\n";
    for from in names {
        let text = if from == "ascii" { "Gruesse\r\n" } else { text };
        let there = placemat(&format!("convert -t {from}")).reads(text).run();
        there.ends(0);
        for to in names {
            if to == "ascii" && from != "ascii" {
                continue;
            }
            let across = placemat(&format!("convert -f {from} -t {to}")).reads(there.stdout.clone()).run();
            across.ends(0).says("");
            let back = placemat(&format!("convert -f {to}")).reads(across.stdout).run();
            back.writes(text);
        }
    }
}

#[test]
fn a_signature_belongs_to_some_encodings() {
    let text = "\u{FEFF}hé";
    // By signature: dropped, and it decides.
    placemat("convert -f utf-16").reads(utf16le(text)).run().writes("hé");
    placemat("convert -f utf-16").reads(utf16be(text)).run().writes("hé");
    placemat("convert -f utf-16").reads(utf16le("hé")).run().writes("hé");
    placemat("convert -f utf-8-bom").reads(text).run().writes("hé");
    placemat("convert -f utf-8-bom").reads("hé").run().writes("hé");
    // Elsewhere it is text.
    placemat("convert").reads(text).run().writes(text);
    placemat("convert -f utf-16le").reads(utf16le(text)).run().writes(text);
    // Only one is a signature.
    placemat("convert -f utf-16").reads(utf16le("\u{FEFF}\u{FEFF}h")).run().writes("\u{FEFF}h");
    // Written by those that have it, once, and even for an empty text.
    placemat("convert -t utf-16").reads("hé").run().writes(utf16le(text));
    placemat("convert -t utf-8-bom").reads("hé").run().writes(text);
    placemat("convert -t utf-16").run().writes(b"\xFF\xFE");
    placemat("convert -t utf-32").reads("h").run().writes(b"\xFF\xFE\0\0h\0\0\0");
    placemat("convert -f utf-16 -t utf-16").reads(utf16be(text)).run().writes(utf16le(text));
}

#[test]
fn signatures_kept_stripped_added() {
    let text = "\u{FEFF}h";
    for (args, input, want) in [
        ("--bom keep -f utf-16", utf16be(text), text.into()),
        ("--bom keep -f utf-16", utf16be("h"), "\0h\0".as_bytes()[..0].to_vec()),
        ("--bom keep -f utf-16 -t utf-16", utf16be(text), utf16le(text)),
        ("--bom keep -t utf-16", text.into(), utf16le(text)),
        ("--bom keep", text.into(), text.into()),
        ("--bom strip", text.into(), "h".into()),
        ("--bom strip", "h".into(), "h".into()),
        ("--bom strip", "\u{FEFF}\u{FEFF}h".into(), text.into()),
        ("--bom strip -f utf-16be", utf16be(text), "h".into()),
        ("--bom strip -f utf-16be", utf16le(text), "\u{FFFE}\u{6800}".into()),
        ("--bom strip -f utf-16le -t utf-16be", utf16le(text), utf16be("h")),
        ("--bom add", "h".into(), text.into()),
        ("--bom add", text.into(), text.into()),
        ("--bom add -t utf-16be", "h".into(), utf16be(text)),
        ("--bom add -t utf-16", text.into(), utf16le(text)),
        ("--bom add -t utf-16be", Vec::new(), utf16be("\u{FEFF}")),
        ("--bom add -f latin1", b"\xE9".to_vec(), "\u{FEFF}é".into()),
    ] {
        if want.is_empty() {
            // Without a signature it is read little-endian.
            placemat(&format!("convert {args}")).reads(input).run().writes("\u{6800}");
            continue;
        }
        placemat(&format!("convert {args}")).reads(input).run().writes(want);
    }
    placemat("convert --bom add -t latin1")
        .reads("a")
        .run()
        .ends(2)
        .wrote("")
        .says("placemat: ISO-8859-1 has no signature that --bom add could write\n");
    // Offsets are those of the file.
    placemat("convert --bom strip")
        .reads(*b"\xEF\xBB\xBFa\xFF")
        .run()
        .ends(1)
        .wrote("a")
        .mentions(&["<stdin>:1:2: ", " at byte 4"]);
}

#[test]
fn signatures_of_joined_files() {
    let d = Directory::new();
    d.write("a", utf16le("\u{FEFF}a"));
    d.write("b", utf16be("\u{FEFF}b"));
    d.write("c", "\u{FEFF}c");
    d.write("d", "\u{FEFF}d");
    placemat("convert -f utf-16 a b").within(&d).run().writes("ab");
    placemat("convert -f utf-16 -t utf-16 a b").within(&d).run().writes(utf16le("\u{FEFF}ab"));
    placemat("convert c d").within(&d).run().writes("\u{FEFF}c\u{FEFF}d");
    placemat("convert --bom strip c d").within(&d).run().writes("cd");
    placemat("convert --bom add c d").within(&d).run().writes("\u{FEFF}cd");
    placemat("convert -t utf-16 --bom strip c d").within(&d).run().writes(utf16le("\u{FEFF}cd"));
}

#[test]
fn line_ends() {
    let text = "a\nb\r\nc\rd\r\r\n\n";
    placemat("convert --eol lf").reads(text).run().writes("a\nb\nc\rd\r\n\n");
    placemat("convert --eol crlf").reads(text).run().writes("a\r\nb\r\nc\rd\r\r\n\r\n");
    placemat("convert --eol keep").reads(text).run().writes(text);
    for (eol, want) in [("lf", "a\nb\nc\rd\r\n\n"), ("crlf", "a\r\nb\r\nc\rd\r\r\n\r\n")] {
        placemat(&format!("convert --eol {eol} -t utf-16be")).reads(text).run().writes(utf16be(want));
        placemat(&format!("convert --eol {eol} -f utf-16 -t utf-16"))
            .reads(utf16be(&format!("\u{FEFF}{text}")))
            .run()
            .writes(utf16le(&format!("\u{FEFF}{want}")));
        placemat(&format!("convert --eol {eol} -f latin1 -t latin1")).reads(text).run().writes(want);
    }
    // Bytes 0D and 0A that are no line ends.
    placemat("convert --eol lf -t utf-16le")
        .reads("\u{0D0A}\u{0A0D}\u{0D00}\n")
        .run()
        .writes(utf16le("\u{0D0A}\u{0A0D}\u{0D00}\n"));
    // A CR at the very end, and at the end of what precedes an error.
    placemat("convert --eol lf").reads("a\r").run().writes("a\r");
    placemat("convert --eol lf").reads(*b"a\r\xFF").run().ends(1).wrote("a\r");
}

#[test]
fn line_ends_across_borders() {
    for len in (128 * 1024 - 3..128 * 1024 + 3).chain(256 * 1024 - 3..256 * 1024 + 3) {
        let mut text = "x".repeat(len);
        text.push_str("\r\n\r\r\n\n");
        let ran = placemat("convert --eol lf").reads(&*text).run();
        assert!(ran.stdout.ends_with(b"x\n\r\n\n") && ran.stdout.len() == len + 4, "{len}");
        let ran = placemat("convert --eol crlf -t utf-16le").reads(&*text).run();
        assert!(ran.stdout == utf16le(&text.replace("\n\n", "\n\r\n")), "{len}");
    }
    let d = Directory::new();
    d.write("a", "a\r");
    d.write("b", "\nb");
    placemat("convert --eol lf a b").within(&d).run().writes("a\nb");
    placemat("convert --eol crlf a b").within(&d).run().writes("a\r\nb");
}
