//! `check -v`: the line of text with its ill-formed bytes marked.

use crate::run::placemat;
use unicode_width::UnicodeWidthStr as _;

#[track_caller]
fn draws(args: &str, bytes: &[u8], picture: &str) {
    let ran = placemat(args).reads(bytes).run();
    let got = String::from_utf8(ran.stdout).unwrap();
    assert_eq!(got.trim_end(), picture.trim(), "\n{got}");
}

#[test]
fn an_overlong_sequence() {
    draws(
        "check -v",
        b"# roots\npath = ..\xC0\xAFetc/passwd\n",
        "
<stdin>:2:10: overlong sequence 0xc0 0xaf at byte 17: two bytes where one would do, would be U+002F '/'
   |
 2 | path = ..<C0><AF>etc/passwd
   |          ^^^^~~~~
   = help: refuse it, or put U+FFFD in its place; never decode it: overlong
           forms are used to slip characters past checks
",
    );
}

#[test]
fn a_letter_of_windows_1252() {
    draws(
        "check -v",
        b"caf\xE9 au lait\r\n",
        "
<stdin>:1:4: lead byte 0xe9 at byte 3: needs 2 more continuation bytes, found 0x20 ' '; looks like Latin-1 or windows-1252 'é'
   |
 1 | caf<E9> au lait
   |    ^^^^

<stdin>: help: 1 such byte; all of the file reads as windows-1252: `placemat convert -f windows-1252` makes it UTF-8
",
    );
}

/// Returns the note about a file after its pictures, and how many times each help occurs in the
/// output.
fn helps(bytes: &[u8], args: &str) -> (Option<String>, Vec<String>) {
    let ran = placemat("check -v --all").args(args).reads(bytes).run();
    let text = String::from_utf8(ran.stdout).unwrap();
    let last = text.lines().last().and_then(|line| line.strip_prefix("<stdin>: help: ")).map(str::to_owned);
    let helps =
        text.lines().filter(|line| line.contains("= help: ")).map(|line| line.trim().to_owned()).collect();
    // No line occurs twice, except the lines of pictures.
    let mut lines: Vec<_> =
        text.lines().filter(|line| line.contains("help") || line.starts_with("<stdin>")).collect();
    let count = lines.len();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), count, "{text}");
    (last, helps)
}

#[test]
fn help_is_said_once_and_of_a_whole_file_at_its_end() {
    let (last, all) = helps(&b"x\xC0\xAFy\xC0\xAEz\n".repeat(20), "");
    assert_eq!((last, all.len()), (None, 1));
    let (last, all) = helps(b"z\xE2\x82 x\xE2\x82 \xC0\xAF \xC0\xAF", "");
    assert_eq!((last, all.len()), (None, 2));

    let whole = "all of the file reads as windows-1252: `placemat convert -f windows-1252` makes it UTF-8";
    for (bytes, args, want) in [
        (&b"caf\xE9 cr\xE9\xE9e \x93quoted\x94 20 \xB0C\n"[..], "", Some(format!("6 such bytes; {whole}"))),
        (b"caf\xE9", "", Some(format!("1 such byte; {whole}"))),
        (b"caf\xE9 \xE0 la carte, th\xE9 \xE0", "", Some(format!("4 such bytes; {whole}"))),
        // Only a part of the file is not UTF-8.
        (b"caf\xE9 \xC3\xA9t\xC3\xA9", "", Some("1 such byte of windows-1252 among UTF-8: `placemat convert -e cp1252` converts them".into())),
        (
            b"caf\xE9 \x81\x8D\xE9",
            "",
            Some("1 byte may be windows-1252, and 3 more can hardly be: find out where the file comes from before you convert it".into()),
        ),
        (b"caf\xE9 caf\xE9 caf\xE9", "--max 2", Some("so far, 2 bytes may be windows-1252: `placemat convert -e cp1252` converts them".into())),
        // KOI8-R, Shift_JIS and UTF-16 get no such note.
        (b"\xF0\xD2\xC9\xD7\xC5\xD4", "", None),
        (b"\x93\xFA\x96\x7B", "", None),
        (b"plain", "", None),
        (b"caf\xE9", "-f ascii", None),
    ] {
        assert_eq!(helps(bytes, args).0, want, "{bytes:02x?}");
    }
    // The suggested commands work.
    let bytes = b"caf\xE9 cr\xE9\xE9e \x93quoted\x94 20 \xB0C\n";
    placemat("convert -f windows-1252").reads(*bytes).run().writes("café créée “quoted” 20 °C\n");
    placemat("convert -e cp1252").reads(b"caf\xE9 \xC3\xA9".to_vec()).run().writes("café é");
}

#[test]
fn wide_characters_and_controls_are_aligned() {
    draws(
        "check -v",
        "日本 \x1B[31m\u{202E}\t"
            .as_bytes()
            .iter()
            .chain(b"\xE2\x82\n")
            .copied()
            .collect::<Vec<_>>()
            .as_slice(),
        r"
<stdin>:1:11: truncated sequence 0xe2 0x82 at byte 16: needs 1 more continuation byte, found the end of the line
   |
 1 | 日本 \x1b[31m\u{202e}    <E2><82>
   |                          ^^^^^^^^
   = help: the sequence was cut, perhaps by a program that counts bytes: put
           U+FFFD in its place
",
    );
}

#[test]
fn the_other_encodings_are_drawn_as_text() {
    draws(
        "check -v -f utf-16be",
        b"\0h\0i\xDE\0\x65\xE5\0\n\0x",
        "
<stdin>:1:3: trailing surrogate 0xde00 at byte 4: no leading surrogate precedes it
   |
 1 | hi<DE><00>日
   |   ^^^^^^^^
   = help: the other half is lost: put U+FFFD in its place
",
    );
}

#[test]
fn every_picture_fits_the_screen_and_its_carets_the_bytes() {
    for (before, after) in [(0, 0), (10, 10), (70, 0), (71, 5), (300, 300), (100_000, 3), (3, 100_000)] {
        for letter in ["a", "é", "漢", "x\u{301}", "\x1B", "\u{202E}"] {
            let mut bytes = b"\n".repeat(9_998);
            bytes.extend(letter.repeat(before).bytes());
            bytes.extend_from_slice(b"\xF0\x9F\x98");
            bytes.extend(letter.repeat(after).bytes());
            let ran = placemat("check -v").reads(bytes).run();
            let out = String::from_utf8(ran.stdout).unwrap();
            let lines: Vec<_> = out.lines().collect();
            let (excerpt, carets) = (lines[2], lines[3]);
            assert!(excerpt.starts_with(" 9999 | "), "{excerpt}");
            assert!(lines[1..].iter().all(|line| line.width() <= 80), "{out}");
            let at = excerpt.find("<F0><9F><98>").unwrap();
            assert_eq!(carets.find('^').unwrap(), excerpt[..at].width(), "{out}");
            assert_eq!(carets.matches('^').count(), 12, "{out}");
            assert!(!out.contains('\x1B') && !out.contains('\u{202E}'));
        }
    }
}

#[test]
fn colors_are_only_around_what_is_there() {
    let plain = placemat("check -v").reads(b"a\xC0\xAFb").run().stdout;
    let colored = placemat("check -v --color always").reads(b"a\xC0\xAFb").run().stdout;
    let colored = String::from_utf8(colored).unwrap();
    assert!(colored.contains('\x1B'));
    let mut stripped = String::new();
    let mut rest = colored.as_str();
    while let Some(at) = rest.find('\x1B') {
        stripped.push_str(&rest[..at]);
        rest = &rest[at + rest[at..].find('m').unwrap() + 1..];
    }
    stripped.push_str(rest);
    assert_eq!(stripped.as_bytes(), plain);
    let never = placemat("check -v").env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1").reads(b"\xFF").run();
    assert!(!never.stdout.contains(&0x1B));
}
