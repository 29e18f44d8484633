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
    // The signature is dropped, and determines the byte order.
    placemat("convert -f utf-16").reads(utf16le(text)).run().writes("hé");
    placemat("convert -f utf-16").reads(utf16be(text)).run().writes("hé");
    placemat("convert -f utf-16").reads(utf16le("hé")).run().writes("hé");
    placemat("convert -f utf-8-bom").reads(text).run().writes("hé");
    placemat("convert -f utf-8-bom").reads("hé").run().writes("hé");
    // In other encodings, U+FEFF is kept.
    placemat("convert").reads(text).run().writes(text);
    placemat("convert -f utf-16le").reads(utf16le(text)).run().writes(text);
    // Only the first U+FEFF is a signature.
    placemat("convert -f utf-16").reads(utf16le("\u{FEFF}\u{FEFF}h")).run().writes("\u{FEFF}h");
    // Encodings with a signature write it once, and even for an empty text.
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
            // Without a signature, the text is read as little-endian.
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
        .says("placemat: --bom add: ISO-8859-1 has no signature\n");
    // Offsets count bytes of the file.
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
    placemat("convert c d").within(&d).run().writes("\u{FEFF}cd");
    placemat("convert --bom keep c d").within(&d).run().writes("\u{FEFF}c\u{FEFF}d");
    // An empty input changes nothing for the input after it.
    d.write("empty", "");
    placemat("convert empty c d").within(&d).run().writes("\u{FEFF}cd");
    placemat("convert -t utf-16 empty c").within(&d).run().writes(utf16le("\u{FEFF}c"));
    placemat("convert -t latin1 c d").within(&d).run().writes("cd");
    placemat("convert --bom strip c d").within(&d).run().writes("cd");
    placemat("convert --bom add c d").within(&d).run().writes("\u{FEFF}cd");
    placemat("convert -t utf-16 --bom strip c d").within(&d).run().writes(utf16le("\u{FEFF}cd"));
}

/// Writes a text in an encoding by a plain loop.
fn written(encoding: &str, text: &str) -> Option<Vec<u8>> {
    let utf32 = |text: &str, bytes: fn(u32) -> [u8; 4]| -> Vec<u8> {
        text.chars().flat_map(|c| bytes(u32::from(c))).collect()
    };
    Some(match encoding {
        "utf-8" | "utf-8-bom" | "cesu-8" | "wtf-8" => text.into(),
        "utf-16" | "utf-16le" | "ucs-2" | "ucs-2le" => utf16le(text),
        "utf-16be" | "ucs-2be" => utf16be(text),
        "utf-32" | "utf-32le" => utf32(text, u32::to_le_bytes),
        "utf-32be" => utf32(text, u32::to_be_bytes),
        "gb18030" => text.replace('\u{FEFF}', "*").into_bytes().split_inclusive(|&byte| byte == b'*').fold(
            Vec::new(),
            |mut all, part| {
                all.extend_from_slice(part.strip_suffix(b"*").unwrap_or(part));
                if part.ends_with(b"*") {
                    all.extend_from_slice(b"\x84\x31\x95\x33");
                }
                all
            },
        ),
        "utf-7" => match text.strip_prefix('\u{FEFF}') {
            None => text.into(),
            Some(text) => match text.strip_prefix('\u{FEFF}') {
                None => format!("+/v8-{text}").into(),
                Some(text) => format!("+/v/+/w-{text}").into(),
            },
        },
        "ibm037" if text == "hi" => b"\x88\x89".to_vec(),
        _ if text.contains('\u{FEFF}') || encoding == "ibm037" => return None,
        _ => text.into(),
    })
}

/// The rules for `--bom`, source, target, and no, one or two U+FEFF, written out independently.
#[test]
fn signatures_of_every_pair() {
    let by_definition = |name: &str| matches!(name, "utf-8-bom" | "utf-16" | "utf-32" | "ucs-2");
    let long = std::env::var_os("PLACEMAT_LONG").is_some();
    let mut froms = vec!["utf-8", "utf-8-bom", "utf-16", "utf-16be", "gb18030"];
    let mut tos = vec!["utf-8", "utf-8-bom", "utf-16", "utf-16le", "latin1"];
    if long {
        froms.extend(["utf-16le", "utf-32", "utf-32le", "utf-32be", "ucs-2", "cesu-8", "wtf-8", "utf-7"]);
        tos.extend([
            "utf-16be",
            "utf-32",
            "utf-32be",
            "cesu-8",
            "gb18030",
            "utf-7",
            "shift_jis",
            "ibm037",
            "koi8-r",
        ]);
    }
    let d = Directory::new();
    for from in froms {
        for n in 0..3 {
            d.write(format!("{n}"), written(from, &format!("{}hi", "\u{FEFF}".repeat(n))).unwrap());
        }
        for (to, bom) in tos.iter().flat_map(|to| ["auto", "keep", "strip", "add"].map(|bom| (*to, bom))) {
            for n in 0..3 {
                let holds = written(to, "\u{FEFF}").is_some();
                let drops = match bom {
                    "auto" => by_definition(from) || by_definition(to) || !holds,
                    "keep" => by_definition(to),
                    _ => true,
                };
                let kept = if drops { n.max(1) - 1 } else { n };
                let signs = by_definition(to) || bom == "add";
                let args = format!("convert -f {from} -t {to} --bom {bom}");
                let ran = placemat(&args).arg(n.to_string()).within(&d).run();
                if signs && !holds {
                    ran.ends(2).mentions(&[" has no signature"]);
                    continue;
                }
                let text = format!("{}hi", "\u{FEFF}".repeat(usize::from(signs) + kept));
                match written(to, &text) {
                    Some(bytes) if n < 2 || to != "utf-7" || bom != "keep" => {
                        assert_eq!((ran.status, &ran.stdout), (0, &bytes), "{args} {n}: {}", ran.stderr);
                        // With the file twice, the signature of the second one is dropped, unless
                        // it is to be kept.
                        let twice = placemat(&args).args(&format!("{n} {n}")).within(&d).run();
                        let kept = if bom == "keep" { n } else { n.max(1) - 1 };
                        let text = format!("{text}{}hi", "\u{FEFF}".repeat(kept));
                        if to == "utf-7" && kept > 0 || to == "ibm037" {
                            continue;
                        }
                        match written(to, &text) {
                            Some(bytes) => assert_eq!(twice.ends(0).stdout, bytes, "{args} {n} {n}"),
                            None => assert_eq!(twice.status, 1, "{args} {n} {n}"),
                        }
                    }
                    Some(_) => {}
                    None => {
                        ran.ends(1).mentions(&["U+FEFF"]);
                    }
                }
            }
        }
    }
}

/// One U+FEFF never fails as unmappable, not even in place; and a file never gets two.
#[test]
fn signatures_in_place() {
    let d = Directory::new();
    d.write("a", "\u{FEFF}hé");
    placemat("convert -t utf-8-bom -i a").within(&d).run().writes("");
    placemat("convert --bom add -i a").within(&d).run().writes("");
    assert_eq!(d.read("a"), "\u{FEFF}hé".as_bytes());
    placemat("convert -t latin1 -i a").within(&d).run().writes("");
    assert_eq!(d.read("a"), b"h\xE9");
    d.write("a", utf16be("\u{FEFF}hé"));
    placemat("convert -f utf-16be -t ibm037 -i a").within(&d).run().writes("");
    assert_eq!(d.read("a"), b"\x88\x51");
    d.write("a", utf16be("\u{FEFF}hé"));
    placemat("convert -f utf-16be -t utf-16 -i a").within(&d).run().writes("");
    assert_eq!(d.read("a"), utf16le("\u{FEFF}hé"));
}

#[test]
fn line_ends() {
    let text = "a\nb\r\nc\rd\r\r\n\n";
    placemat("convert --eol lf").reads(text).run().writes("a\nb\nc\nd\n\n\n");
    placemat("convert --eol crlf").reads(text).run().writes("a\r\nb\r\nc\r\nd\r\n\r\n\r\n");
    placemat("convert --eol keep").reads(text).run().writes(text);
    for (eol, want) in [("lf", "a\nb\nc\nd\n\n\n"), ("crlf", "a\r\nb\r\nc\r\nd\r\n\r\n\r\n")] {
        placemat(&format!("convert --eol {eol} -t utf-16be")).reads(text).run().writes(utf16be(want));
        placemat(&format!("convert --eol {eol} -f utf-16 -t utf-16"))
            .reads(utf16be(&format!("\u{FEFF}{text}")))
            .run()
            .writes(utf16le(&format!("\u{FEFF}{want}")));
        placemat(&format!("convert --eol {eol} -f latin1 -t latin1")).reads(text).run().writes(want);
    }
    // These bytes 0D and 0A are not line ends.
    placemat("convert --eol lf -t utf-16le")
        .reads("\u{0D0A}\u{0A0D}\u{0D00}\n")
        .run()
        .writes(utf16le("\u{0D0A}\u{0A0D}\u{0D00}\n"));
    // A CR at the very end of the text, and before an error.
    placemat("convert --eol lf").reads("a\r").run().writes("a\n");
    placemat("convert --eol lf").reads(*b"a\r\xFF").run().ends(1).wrote("a\n");
}

#[test]
fn line_ends_across_borders() {
    for len in (128 * 1024 - 3..128 * 1024 + 3).chain(256 * 1024 - 3..256 * 1024 + 3) {
        let mut text = "x".repeat(len);
        text.push_str("\r\n\r\r\n\n");
        let ran = placemat("convert --eol lf").reads(&*text).run();
        assert!(ran.stdout.ends_with(b"x\n\n\n\n") && ran.stdout.len() == len + 4, "{len}");
        let ran = placemat("convert --eol crlf -t utf-16le").reads(&*text).run();
        assert!(ran.stdout == utf16le(&("x".repeat(len) + &"\r\n".repeat(4))), "{len}");
    }
    let d = Directory::new();
    d.write("a", "a\r");
    d.write("b", "\nb");
    placemat("convert --eol lf a b").within(&d).run().writes("a\nb");
    placemat("convert --eol crlf a b").within(&d).run().writes("a\r\nb");
}
