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
<stdin>:2:10: overlong sequence c0 af at byte 17: two bytes where one would do, would be U+002F '/'
   |
 2 | path = ..<C0><AF>etc/passwd
   |          ^^^^~~~~ two bytes where one would do, would be U+002F '/'
   = help: refuse it, or put U+FFFD in its place; never decode it: overlong
           forms are used to slip characters past checks

<stdin>:2:11: continuation byte af at byte 18: belongs to the overlong sequence at byte 17
",
    );
}

#[test]
fn a_letter_of_windows_1252() {
    draws(
        "check -v",
        b"caf\xE9 au lait\r\n",
        "
<stdin>:1:4: lead byte e9 at byte 3: needs 2 more continuation bytes, found 20 ' '; looks like Latin-1 or windows-1252 'é'
   |
 1 | caf<E9> au lait
   |    ^^^^
   | needs 2 more continuation bytes, found 20 ' '; looks like Latin-1 or
   | windows-1252 'é'
   = help: if all such bytes are windows-1252, `placemat convert -e cp1252`
           reads them so
",
    );
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
<stdin>:1:11: truncated sequence e2 82 at byte 16: needs 1 more continuation byte, found the end of the line
   |
 1 | 日本 \x1b[31m\u{202e}    <E2><82>
   |                          ^^^^^^^^
   | needs 1 more continuation byte, found the end of the line
   = help: the character is cut, as by a program that counts bytes: put U+FFFD
           in its place
",
    );
}

#[test]
fn the_other_encodings_are_drawn_as_text() {
    draws(
        "check -v -f utf-16be",
        b"\0h\0i\xDE\0\x65\xE5\0\n\0x",
        "
<stdin>:1:3: trail surrogate de00 at byte 4: no lead surrogate precedes it
   |
 1 | hi<DE><00>日
   |   ^^^^^^^^ no lead surrogate precedes it
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
fn colours_are_only_around_what_is_there() {
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
