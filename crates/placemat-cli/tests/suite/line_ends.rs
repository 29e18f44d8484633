//! The line ends LF, CR LF, CR and NEL mean the same to `check`, `convert`, `count` and `inspect`.

use crate::run::{Directory, placemat, utf16be, utf16le};
use serde_json::Value;

/// Texts with line ends of each kind, at each place of a text and next to each other.
const TEXTS: [&str; 16] = [
    "",
    "no end",
    "unix\nunix\n",
    "dos\r\ndos\r\n",
    "mac\rmac\r",
    "host\u{85}host\u{85}",
    "\n\r",
    "\r\r\n",
    "\r\n\n\r\n\r",
    "\r\u{85}\n",
    "\u{85}\r\n\u{85}",
    "a\u{85}\u{85}b\r\u{85}c",
    "Grüße\u{85}日本\r\nж\ré…Â",
    "line\u{2028}paragraph\u{2029}\r\u{2028}\n",
    "\x0Bvt\x0Cff\x1C\x1D\x1E\n",
    "\u{84}\u{86}\u{C2}\u{2027}\u{202A}\u{285}\u{8500}\u{A0D}\u{D0A}\u{D}",
];

/// Splits a text at its line ends, one code point after another.
fn lines(text: &str, separators: bool) -> Vec<(String, &'static str)> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let end = match c {
            '\r' if rest.next_if_eq(&'\n').is_some() => "\r\n",
            '\r' => "\r",
            '\n' => "\n",
            '\u{85}' => "\u{85}",
            '\u{2028}' | '\u{2029}' if separators => "\u{2028}",
            _ => {
                line.push(c);
                continue;
            }
        };
        lines.push((core::mem::take(&mut line), end));
    }
    lines.push((line, ""));
    lines
}

/// Returns the text with `end` for each line end.
fn ended(text: &str, separators: bool, end: &str) -> String {
    let all: Vec<_> = lines(text, separators).into_iter().map(|(line, _)| line).collect();
    all.join(end)
}

const ENDS: [(&str, &str); 3] = [("lf", "\n"), ("crlf", "\r\n"), ("cr", "\r")];

#[test]
fn convert_writes_each_line_end_alike() {
    for text in TEXTS {
        for (name, end) in ENDS {
            for separators in [false, true] {
                let option = if separators { "--eol-separators" } else { "" };
                let want = ended(text, separators, end);
                let convert = |args: &str| placemat(&format!("convert --eol {name} {option} {args}"));
                convert("-f utf-8").reads(text).run().writes(&*want);
                convert("-f utf-8 -t utf-16le").reads(text).run().writes(utf16le(&want));
                convert("-f utf-16be -t utf-16be").reads(utf16be(text)).run().writes(utf16be(&want));
                convert("-f utf-16le -t utf-8").reads(utf16le(text)).run().writes(&*want);
                convert("-f utf-8 --normalize nfc").reads(text).run().writes(&*want);
                let there = convert("-f utf-8 -t gb18030").reads(text).run();
                placemat("convert -f gb18030").reads(there.stdout).run().writes(&*want);
            }
        }
    }
}

/// A target that lacks NEL does not get it, and an encoding whose byte 85 is a letter keeps that.
#[test]
fn line_ends_are_converted_before_the_target_needs_them() {
    for (args, src, want) in [
        ("-f latin1 -t latin1", &b"\xE9\x85\xFC\r\n\x85"[..], &b"\xE9\n\xFC\n\n"[..]),
        ("-f latin1 -t cp1252", b"a\x85b\rc", b"a\nb\nc"),
        ("-f cp1252 -t cp1252", b"a\x85b\rc\r\n", b"a\x85b\nc\n"),
        ("-f cp1252 -t utf-8", b"a\x85b\r\n", "a…b\n".as_bytes()),
        ("-f macintosh -t utf-8", b"\x85\r\x8E\r", "Ö\né\n".as_bytes()),
        ("-f cp037 -t utf-8", b"\xC1\x15\xC2\x25\xC3\x0D\x25", b"A\nB\nC\n"),
        ("-f cp037 -t cp037", b"\xC1\x15\xC2\x25\xC3\x0D\x25", b"\xC1\x25\xC2\x25\xC3\x25"),
        ("-f cp037 -t ascii", b"\xC1\x15\x15\xC2", b"A\n\nB"),
        ("-f ibm1047 -t utf-16be", b"\xC1\x15\xC2", b"\0A\0\n\0B"),
        ("-f utf-8 -t shift_jis", "日\u{85}本\r".as_bytes(), b"\x93\xFA\n\x96\x7B\n"),
        ("-f shift_jis -t shift_jis", b"\x88\x9F\r\x83\x40", b"\x88\x9F\n\x83\x40"),
        ("-f utf-8 -t iso-2022-jp", "日\u{85}本\r\n".as_bytes(), b"\x1B$BF|\x1B(B\n\x1B$BK\\\x1B(B\n"),
    ] {
        placemat("convert --eol lf").args(args).reads(src).run().writes(want);
    }
    // A NEL that stays is an error of a target without it, as before.
    placemat("convert -f latin1 -t cp1252").reads(*b"a\x85").run().ends(1);
    placemat("convert -f latin1 -t cp1252 --eol crlf-to-lf").reads(*b"a\x85").run().ends(1);
}

#[test]
fn the_border_of_a_buffer_changes_nothing() {
    let tail = "\r\n\u{85}\r\r\u{2028}\u{2029}\n\u{85}…Â\r\n";
    for len in [1, 2, 4].into_iter().flat_map(|k| k * 65536 - 20..k * 65536 + 2) {
        let text = "x".repeat(len) + tail;
        for (args, separators) in [("--eol lf", false), ("--eol crlf --eol-separators", true)] {
            let end = if separators { "\r\n" } else { "\n" };
            let ran = placemat("convert -f utf-8").args(args).reads(&*text).run();
            assert!(ran.stdout == ended(&text, separators, end).as_bytes(), "{args} {len}");
        }
    }
    // The line ends of a long text, and of files that are joined.
    let long = "line\r\nline\u{85}ж\r".repeat(60_000);
    placemat("convert -f utf-8 --eol lf").reads(&*long).run().writes(ended(&long, false, "\n"));
    placemat("convert -f utf-8 -t latin1 --unmappable replace --eol cr")
        .reads(&*long)
        .run()
        .writes(ended(&long, false, "\r").replace('ж', "?"));
    let d = Directory::new();
    for text in TEXTS {
        for at in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
            d.write("a", &text[..at]);
            d.write("b", &text[at..]);
            let ran = placemat("convert -f utf-8 --eol crlf a b").within(&d).run();
            ran.writes(ended(text, false, "\r\n"));
        }
    }
}

/// The values for one kind of line end leave the others.
#[test]
fn one_kind_of_line_end_can_be_converted() {
    let text = "a\r\nb\nc\rd\u{85}e\u{2028}\r\r\n\n";
    for (args, want) in [
        ("crlf-to-lf", "a\nb\nc\rd\u{85}e\u{2028}\r\n\n"),
        ("lf-to-crlf", "a\r\nb\r\nc\rd\u{85}e\u{2028}\r\r\n\r\n"),
        ("cr-to-lf", "a\r\nb\nc\nd\u{85}e\u{2028}\n\r\n\n"),
        ("keep", text),
    ] {
        placemat("convert -f utf-8 --eol").args(args).reads(text).run().writes(want);
        placemat("convert -f utf-8 -t utf-16le --eol").args(args).reads(text).run().writes(utf16le(want));
        placemat("convert --eol-separators --eol").args(args).reads(text).run().ends(2).says(
            "placemat: --eol-separators needs --eol lf, --eol crlf or --eol cr
",
        );
    }
}

#[test]
fn check_finds_each_kind_that_differs_from_the_first() {
    for text in TEXTS {
        let mut kinds: Vec<&str> = Vec::new();
        let mut want = Vec::new();
        let mut offset = 0;
        for (line, end) in lines(text, false) {
            offset += line.len();
            if !end.is_empty() && !kinds.contains(&end) {
                kinds.push(end);
                want.push((offset as u64, end.len() as u64));
            }
            offset += end.len();
        }
        let ran = placemat("check -f utf-8 --lint mixed-eol --format jsonl").reads(text).run();
        let found: Vec<(u64, u64)> = String::from_utf8(ran.stdout)
            .unwrap()
            .lines()
            .map(|line| {
                let value: Value = serde_json::from_str(line).unwrap();
                assert_eq!(value["kind"], "mixed-eol");
                (value["byte_offset"].as_u64().unwrap(), value["length"].as_u64().unwrap())
            })
            .collect();
        assert_eq!(found, want.into_iter().skip(1).collect::<Vec<_>>(), "{text:?}");
        // The output of `convert` has one kind of line end.
        for (name, _) in ENDS {
            let ran = placemat(&format!("convert -f utf-8 --eol {name}")).reads(text).run();
            placemat("check -f utf-8 --lint mixed-eol").reads(ran.stdout).run().writes("");
        }
    }
    placemat("check -f cp037 --lint mixed-eol")
        .reads(b"\xC1\x25\xC2\x15".as_slice())
        .run()
        .ends(1)
        .wrote("<stdin>:2:2: line end NEL at byte 3: the first line ends in LF\n");
    placemat("check --lint cr-eol").reads("a\rb\u{85}").run().writes("");
}

#[test]
fn count_counts_the_lines_that_convert_ends() {
    for text in TEXTS {
        let want = lines(text, false).len() - 1;
        placemat("count -f utf-8 -l").reads(text).run().writes(format!("{want}\n"));
        placemat("count -f utf-16be -l").reads(utf16be(text)).run().writes(format!("{want}\n"));
        let ran = placemat("count -f utf-8 --format jsonl").reads(text).run();
        let value: Value = serde_json::from_slice(&ran.stdout).unwrap();
        assert_eq!(value["lines"], want, "{text:?}");
    }
    placemat("count -f cp037 -l --columns").reads(b"\xC1\x15\xC2\xC3\x25".as_slice()).run().writes("2 2\n");
    let long = "line\r\nline\u{85}ж\r".repeat(60_000);
    placemat("count -f utf-8 -l").reads(long).run().writes("180000\n");
}

#[test]
fn inspect_breaks_its_lines_where_the_text_does() {
    for text in TEXTS {
        let escaped = |text: &str| -> String {
            let one = |c: char| match c {
                '\n' => "\\n".into(),
                '\r' => "\\r".into(),
                ' '..='~' => c.to_string(),
                _ => format!("\\u{{{:x}}}", u32::from(c)),
            };
            text.chars().map(one).collect()
        };
        let all = lines(text, false).into_iter().map(|(line, end)| escaped(&line) + &escaped(end));
        let want: String = all.filter(|line| !line.is_empty()).map(|line| line + "\n").collect();
        placemat("inspect -f utf-8 --as escapes").reads(text).run().writes(want);
    }
}

/// The pages of EBCDIC say how they read the bytes 15 and 25. The answer is that of a conversion.
#[test]
fn pages_of_ebcdic_say_how_they_read_line_ends() {
    let ran = placemat("encodings --search newline --format jsonl").run();
    let text = String::from_utf8(ran.stdout).unwrap();
    let mut found = [0; 3];
    for line in text.lines() {
        let value: Value = serde_json::from_str(line).unwrap();
        let name = value["name"].as_str().unwrap();
        let read = placemat(&format!("convert -f {name} -t utf-8")).reads(*b"\x15\x25").run();
        let (index, want) = match &read.stdout[..] {
            b"\xC2\x85\n" => (0, "byte 15 is NEL, byte 25 is LF"),
            b"\n\xC2\x85" => (1, "byte 15 is LF, byte 25 is NEL"),
            b"\n\n" => (2, "byte 15 is LF, byte 25 is LF"),
            other => panic!("{name}: {}", other.escape_ascii()),
        };
        found[index] += 1;
        assert_eq!(value["newline"], want, "{name}");
        let page = placemat(&format!("encodings {name}")).run();
        assert!(
            String::from_utf8(page.stdout).unwrap().contains(&format!("newline            {want}\n")),
            "{name}"
        );
    }
    assert!(found[0] > 50 && found[1] >= 15, "{found:?}");
    for name in ["utf-8", "latin1", "cp437"] {
        let page = placemat(&format!("encodings {name}")).run();
        assert!(!String::from_utf8(page.stdout).unwrap().contains("newline"), "{name}");
    }
}

/// `--ebcdic-newline` exchanges LF and NEL in the text, where the page has the other one at the byte.
#[test]
fn the_byte_of_lf_can_be_named_for_every_page_of_ebcdic() {
    let ran = placemat("encodings --search newline --format jsonl").run();
    let found = String::from_utf8(ran.stdout).unwrap();
    let pages: Vec<String> = found
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["name"].as_str().unwrap().to_owned())
        .collect();
    let convert = |args: &str, text: &[u8]| placemat(&format!("convert {args}")).reads(text).run().stdout;
    let mut of_two_bytes = 0;
    for page in &pages {
        let mut bytes = b"\xC1\x15\xC2\x25\x25\xC1\x15\xC1".to_vec();
        // A fullwidth letter, between the shifts of pages with characters of two bytes.
        let shifted = b"\x0E\x42\xC1\x0F";
        if convert(&format!("-f {page}"), shifted) == "Ａ".as_bytes() {
            of_two_bytes += 1;
            bytes.splice(3..3, *shifted);
            bytes.extend(shifted);
        }
        let text = String::from_utf8(convert(&format!("-f {page}"), &bytes)).unwrap();
        for option in ["15", "25"] {
            let byte = u8::from_str_radix(option, 16).unwrap();
            let is_here = convert(&format!("-f {page}"), &[byte]) == b"\n";
            let exchanged = |c| match c {
                '\n' => '\u{85}',
                '\u{85}' => '\n',
                other => other,
            };
            let want: String = if is_here { text.clone() } else { text.chars().map(exchanged).collect() };
            let option = format!("--ebcdic-newline {option}");
            let read = convert(&format!("-f {page} {option}"), &bytes);
            assert_eq!(String::from_utf8(read).unwrap(), want, "{page} {option}");
            if text.contains('\u{85}') {
                let written = convert(&format!("-t {page} {option}"), want.as_bytes());
                assert_eq!(
                    written.escape_ascii().to_string(),
                    bytes.escape_ascii().to_string(),
                    "{page} {option}"
                );
            } else {
                assert_eq!(convert(&format!("-t {page} {option}"), b"A\n"), [0xC1, byte], "{page} {option}");
            }
        }
        // The pages of z/OS are tables of their own, made from other sources.
        let twin = format!("{page}-S390");
        if pages.contains(&twin) {
            let all: Vec<u8> = (0..=255).filter(|byte| ![0x0E, 0x0F].contains(byte)).collect();
            let of = |args: String| convert(&format!("-e replace {args}"), &all);
            assert_eq!(of(format!("-f {page} --ebcdic-newline 15")), of(format!("-f {twin}")), "{page}");
            assert_eq!(of(format!("-f {twin} --ebcdic-newline 25")), of(format!("-f {page}")), "{page}");
        }
    }
    assert!(pages.len() > 100 && of_two_bytes >= 8, "{} {of_two_bytes}", pages.len());
    // From one page to another, each with the byte.
    let read = convert("-f ibm037 -t ibm1399 --ebcdic-newline 15", b"\xC1\x15\xC2\x25");
    assert_eq!(read, b"\xC1\x15\xC2\x25");
    placemat("convert -f latin1 --ebcdic-newline 15").reads("a").run().ends(2).mentions(&["is for EBCDIC"]);
}

/// Text in IBM500 of two lines, `A` and `B`, that end in the byte 15.
const LINES_15: &[u8] = b"\xC1\x15\xC2\x15";

/// The option applies to the named page in every command that reads text, and ICU's option in the name means the same.
#[test]
fn every_command_takes_the_byte_of_lf() {
    for page in
        ["-f ibm500 --ebcdic-newline 15", "-f ibm500,swaplfnl", "-f cp500,SWAPLFNL --ebcdic-newline 15"]
    {
        let run = |command: &str| placemat(&command.replace("PAGE", page)).reads(LINES_15).run();
        run("convert PAGE").writes("A\nB\n");
        run("convert PAGE -t ibm500,swaplfnl").writes(LINES_15);
        run("show PAGE -").writes("A\nB\n");
        run("show PAGE -v -").mentions(&["<stdin>: IBM500,swaplfnl, line ends LF, no signature, 2 lines"]);
        run("edit PAGE - --lines 2 --with Z").writes(b"\xC1\x15\xE9\x15");
        run("edit PAGE - -- sed 2s/B/Z/").writes(b"\xC1\x15\xE9\x15");
        run("inspect PAGE --as escapes").writes("A\\n\nB\\n\n");
        let counted: Value = serde_json::from_slice(&run("count PAGE --format jsonl").stdout).unwrap();
        assert_eq!(counted["lines"], 2, "{page}");
        assert_eq!(counted["utf8"], 4, "{page}");
        run("check PAGE --lint mixed-eol").writes("");
        let mixed = placemat("check --lint mixed-eol").args(page).reads(b"\xC1\x15\xC2\x25".as_slice()).run();
        let told = String::from_utf8(mixed.ends(1).stdout.clone()).unwrap();
        assert!(told.contains("line end NEL at byte 3: the first line ends in LF"), "{page}: {told}");
    }
    // The page alone has NEL there.
    placemat("convert -f ibm500").reads(LINES_15).run().writes("A\u{85}B\u{85}");
    placemat("edit -f ibm500 - --lines 2 --with Z").reads(LINES_15).run().ends(1);
    let counted = placemat("count -f ibm500 --format jsonl").reads(LINES_15).run();
    let counted: Value = serde_json::from_slice(&counted.stdout).unwrap();
    assert_eq!(counted["lines"], 2);
    assert_eq!(counted["utf8"], 6);
    placemat("inspect -f utf-ebcdic --ebcdic-newline 25 --as escapes")
        .reads(b"\xC1\x25".as_slice())
        .run()
        .writes("A\\n\n");
    let ran = placemat("inspect -f ibm500 --ebcdic-newline 15 --format jsonl --text").arg("\n").run();
    let shown: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!((shown["bytes"].as_str(), shown["code_point"].as_str()), (Some("15"), Some("U+000A")));
    for command in ["check", "count", "inspect", "show", "edit - --lines 1 --with Z", "convert"] {
        placemat(command)
            .args("-f latin1 --ebcdic-newline 15")
            .reads("a\n")
            .run()
            .ends(2)
            .wrote("")
            .mentions(&["is for EBCDIC"]);
    }
}

/// The option applies to a page that a file around the text declares, and leaves other encodings alone.
#[test]
fn declared_pages_take_the_byte_of_lf() {
    let d = Directory::new();
    std::fs::create_dir(d.path(".git")).unwrap();
    d.write(
        ".gitattributes",
        "*.mvs working-tree-encoding=ibm500\n*.zos working-tree-encoding=ibm500,swaplfnl\n",
    );
    d.write("a.mvs", LINES_15);
    d.write("a.zos", LINES_15);
    d.write("a.txt", "A\nB\n");
    for file in ["a.mvs", "a.txt", "a.zos"] {
        let run = |command: &str| placemat(command).args("--ebcdic-newline 15").arg(file).within(&d).run();
        run("convert").writes("A\nB\n");
        run("show").writes("A\nB\n");
        run("inspect --as escapes").writes("A\\n\nB\\n\n");
        run("check --lint mixed-eol").writes("");
        let counted: Value = serde_json::from_slice(&run("count --format jsonl").stdout).unwrap();
        assert_eq!(counted["utf8"], 4, "{file}");
    }
    placemat("convert a.zos").within(&d).run().writes("A\nB\n");
    placemat("edit --ebcdic-newline 15 a.mvs --lines 2 --with Z").within(&d).run().writes("");
    assert_eq!(d.read("a.mvs"), b"\xC1\x15\xE9\x15");
}

/// A text that is long enough to be detected.
#[test]
fn detected_pages_take_the_byte_of_lf() {
    let text = "The records of the mainframe are kept in a library of members, and each of them has a name.\u{85}\
                Whoever reads them on another machine wants to know where a line ends and where the next begins.\u{85}\
                That is why the byte of the line feed is asked for here, and not guessed.\u{85}"
        .repeat(8);
    let bytes = placemat("convert -t ibm037").reads(text.as_str()).run().stdout;
    let brief = |option: &str| {
        let ran = placemat("detect --brief").args(option).reads(bytes.as_slice()).run();
        String::from_utf8(ran.stdout).unwrap().trim_end().to_owned()
    };
    let lf = |page: &str| placemat("convert -t").arg(page).reads("\n").run().stdout;
    let (page, at_15, at_25) = (brief(""), brief("--ebcdic-newline 15"), brief("--ebcdic-newline 25"));
    assert!(page.starts_with("ibm"), "{page}");
    assert_eq!((lf(&at_15), lf(&at_25)), (vec![0x15], vec![0x25]), "{page} {at_15} {at_25}");
    let want = text.replace('\u{85}', "\n");
    let read = |option: &str| placemat("convert -f auto").args(option).reads(bytes.as_slice()).run().stdout;
    assert_eq!(String::from_utf8(read("--ebcdic-newline 15")).unwrap(), want);
    assert_eq!(String::from_utf8(read("--ebcdic-newline 25")).unwrap(), text);
    let mixed = placemat("detect --mixed --ebcdic-newline 15").reads(bytes.as_slice()).run();
    assert!(String::from_utf8(mixed.stdout).unwrap().to_lowercase().contains(&at_15), "{at_15}");
    let checked = placemat("check -f auto -v --ebcdic-newline 15").reads(bytes.as_slice()).run();
    assert!(checked.stderr.to_lowercase().contains(&at_15), "{}", checked.stderr);
}

/// A declaration in the text names the page, not how it ends lines.
#[test]
fn declarations_do_not_name_the_byte_of_lf() {
    let text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a/>\n";
    let bytes = placemat("convert -t ibm273 --ebcdic-newline 15").reads(text).run().stdout;
    let want = text.replace("UTF-8", "IBM273");
    placemat("convert -f ibm273 --ebcdic-newline 15 --declaration keep")
        .reads(bytes.clone())
        .run()
        .writes(want);
    placemat("check --lint declaration -f ibm273 --ebcdic-newline 15").reads(bytes).run().writes("");
}

/// The page of an encoding names its partner, and the partner explains itself as the page does.
#[test]
fn pages_of_ebcdic_name_the_page_with_the_other_byte() {
    for (name, partner) in [
        ("IBM500", "LF at 15           IBM500,swaplfnl\n"),
        ("ibm500,swaplfnl", "LF at 25           IBM500\n"),
        ("IBM1047", "LF at 15           IBM1047-S390\n"),
        ("utf-ebcdic", "LF at 25           UTF-EBCDIC,swaplfnl\n"),
        ("ibm1399,swaplfnl", "LF at 25           IBM1399\n"),
    ] {
        let page = String::from_utf8(placemat("encodings").arg(name).run().stdout).unwrap();
        assert!(page.contains(partner), "{name}: {page}");
        assert!(page.contains("family             EBCDIC\n"), "{name}: {page}");
        let ran = placemat("encodings --format jsonl").arg(name).run();
        let value: Value = serde_json::from_slice(&ran.stdout).unwrap();
        assert!(partner.trim_end().ends_with(value["newline_exchanged"].as_str().unwrap()), "{name}");
    }
    let row = |name: &str, heading: &str| {
        let page = String::from_utf8(placemat("encodings").arg(name).run().stdout).unwrap();
        page.lines().find(|line| line.starts_with(heading)).map(str::to_owned)
    };
    for heading in
        ["holds", "region", "family", "signature", "longest", "differs", "used by", "on the web", "ASCII"]
    {
        for page in ["utf-ebcdic", "ibm500", "ibm939"] {
            let (of_page, of_partner) = (row(page, heading), row(&format!("{page},swaplfnl"), heading));
            assert!(of_page.is_some() && of_page == of_partner, "{page}: {of_page:?} {of_partner:?}");
        }
    }
    let found = |words: &str| placemat("encodings --search").arg(words).run().stdout;
    assert_eq!(found("swaplfnl"), found("newline"));
}

/// The programs of other names know CR LF, LF and CR alone, as the originals do.
#[test]
fn programs_of_other_names_leave_nel() {
    let d = Directory::new();
    for (program, want) in [
        ("dos2unix", "a\nb\nc\rd\u{85}\u{2028}"),
        ("unix2dos", "a\r\nb\r\nc\rd\u{85}\u{2028}"),
        ("mac2unix", "a\r\nb\nc\nd\u{85}\u{2028}"),
    ] {
        d.write("f", "a\r\nb\nc\rd\u{85}\u{2028}");
        let program = d.path(program);
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_placemat"), &program).unwrap();
        let ran =
            std::process::Command::new(&program).args(["-q", "f"]).current_dir(d.path("")).output().unwrap();
        assert!(ran.status.success(), "{program:?}");
        assert_eq!(d.read("f"), want.as_bytes(), "{program:?}");
    }
}
