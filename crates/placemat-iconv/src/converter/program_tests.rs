//! The converter beside glibc's own program `iconv`; and laws that iconv(3) states.

use super::*;
use alloc::format;
use alloc::vec::Vec;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Texts in encodings that read them, and encodings to write: with signatures, shifts, C1 controls, several sets.
const PAIRS: &[(&str, &str)] = &[
    ("UTF-8", "UTF-16"),
    ("UTF-8", "UTF-16BE"),
    ("UTF-8", "UTF-32"),
    ("UTF-8", "UCS-2"),
    ("UTF-8", "ASCII"),
    ("UTF-8", "LATIN1"),
    ("UTF-8", "ISO-8859-15"),
    ("UTF-8", "KOI8-R"),
    ("UTF-8", "SHIFT_JIS"),
    ("UTF-8", "EUC-JP"),
    ("UTF-8", "ISO-2022-JP"),
    ("UTF-8", "EUC-KR"),
    ("UTF-8", "GB18030"),
    ("UTF-8", "BIG5"),
    ("UTF-8", "UTF-8"),
    ("UTF-16", "UTF-8"),
    ("UTF-16LE", "UTF-8"),
    ("UTF-16BE", "LATIN1"),
    ("UTF-32", "UTF-16"),
    ("UCS-2", "UTF-8"),
    ("EUC-JP", "SHIFT_JIS"),
    ("ISO-2022-JP", "UTF-8"),
    ("LATIN1", "UTF-16"),
];

const TEXTS: &[&[u8]] = &[
    b"",
    b"a",
    b"plain text, with a line\n",
    "caf\u{e9} \u{20ac}5 \u{2013} \u{201c}q\u{201d} \u{bd}".as_bytes(),
    "\u{3042}\u{30a2}\u{4e9c} abc \u{ff71} \u{9999}".as_bytes(),
    "\u{43f}\u{440}\u{438}\u{432}\u{435}\u{442}, \u{d55c}\u{ad6d}".as_bytes(),
    "emoji \u{1f600} and a tag \u{e0041}, a mark e\u{301}".as_bytes(),
    "\u{feff}after a mark".as_bytes(),
    "C1 \u{85}\u{9f}".as_bytes(),
    b"ill-formed \xFF in the middle",
    b"overlong \xC0\xAF, a surrogate \xED\xA0\x80",
    b"cut at the end \xE2\x82",
    b"\xFF\xFEa\0b\0\xAC\x20=\xD8\0\xDE",
    b"\xFE\xFF\0a\0b\x20\xAC",
    b"a\0b\0\0\xD8c\0",
    b"\xFF\xFE\0\0a\0\0\0\0\xF6\x01\0",
    b"\0\0\xFE\xFF\0\0\0a\0\0\0b",
    b"a\0\0\0\0\0\x11\0",
    b"\xA4\xA2\xB0\xA1 \x8E\xB1 \x8F\xB0\xA1",
    b"\x1B$B$\"0!\x1B(B abc \x1B(J\\\x1B(B",
    b"\x1B$B$\"",
    b"\x81\x30\x81\x30 \xA2\xE3 \x94\x39\xFC\x36",
];

/// Returns what glibc's program writes, and whether it found no error. `None` if there is no such program.
fn glibc(from: &str, to: &str, text: &[u8]) -> Option<(Vec<u8>, bool)> {
    let version = Command::new("iconv").arg("--version").env("LC_ALL", "C").output().ok()?;
    if !version.stdout.to_ascii_lowercase().windows(4).any(|word| word == b"libc") {
        return None;
    }
    let mut iconv = Command::new("iconv")
        .args(["-f", from, "-t", to])
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    iconv.stdin.take().unwrap().write_all(text).unwrap();
    let output = iconv.wait_with_output().unwrap();
    Some((output.stdout, output.status.success()))
}

fn open(from: &str, to: &str, dialect: Dialect) -> Converter {
    Converter::open(to.as_bytes(), from.as_bytes(), dialect, Locale::C).expect(to)
}

/// Converts a text in one call and closes it: what was written, the characters that became others, and how it ended.
fn whole(converter: &mut Converter, text: &[u8]) -> (Vec<u8>, usize, Stop) {
    let mut out = alloc::vec![0; 16 * text.len() + 32];
    let p = converter.convert(text, &mut out);
    let mut end = Progress { written: 0, ..p };
    if p.stop == Stop::Done {
        assert_eq!(p.read, text.len());
        end = converter.finish(&mut out[p.written..]);
        assert_eq!(end.stop, Stop::Done);
    } else {
        converter.reset();
    }
    out.truncate(p.written + end.written);
    (out, p.irreversible, end.stop)
}

#[test]
fn each_text_becomes_what_glibc_makes_of_it() {
    if glibc("UTF-8", "UTF-8", b"").is_none() {
        std::eprintln!("NOT TESTED: there is no iconv of glibc here");
        return;
    }
    let mut wrong = Vec::new();
    for (from, to) in PAIRS {
        for suffix in ["", "//TRANSLIT", "//IGNORE"] {
            let to = format!("{to}{suffix}");
            let mut converter = open(from, &to, Dialect::Glibc);
            for text in TEXTS {
                // glibc writes an escape that comes in the text, which then switches the sets.
                if from == &"UTF-8" && to.starts_with("ISO-2022") && text.contains(&0x1B) {
                    continue;
                }
                let (written, _, stop) = whole(&mut converter, text);
                let wanted = glibc(from, &to, text).unwrap();
                if (&written, stop == Stop::Done) != (&wanted.0, wanted.1) {
                    wrong.push(format!(
                        "{from} to {to}: {text:x?}: {written:x?}, {stop:?}, and not {wanted:x?}"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Without `//IGNORE`, with which each call says for itself whether it left something out.
#[test]
fn pieces_and_little_room_change_nothing() {
    for (from, to) in PAIRS {
        for suffix in ["", "//TRANSLIT"] {
            for dialect in [Dialect::Glibc, Dialect::Libiconv] {
                let mut converter = open(from, &format!("{to}{suffix}"), dialect);
                for text in TEXTS {
                    let expected = whole(&mut converter, text);
                    for (piece, room) in [(1, 32), (2, 33), (3, 35), (usize::MAX, 32), (usize::MAX, 34)] {
                        let found = in_pieces(&mut converter, text, piece, room);
                        assert_eq!(found, expected, "{from} to {to}{suffix}: {text:x?}, {piece}, {room}");
                    }
                }
            }
        }
    }
}

/// Like [`whole`], with at most `piece` new bytes and `room` bytes of output a call.
fn in_pieces(converter: &mut Converter, text: &[u8], piece: usize, room: usize) -> (Vec<u8>, usize, Stop) {
    let (mut out, mut buffer) = (Vec::new(), [0; 64]);
    let (mut read, mut end, mut irreversible) = (0, 0, 0);
    loop {
        let p = converter.convert(&text[read..end], &mut buffer[..room]);
        read += p.read;
        irreversible += p.irreversible;
        out.extend_from_slice(&buffer[..p.written]);
        match p.stop {
            // The longest text for a character, "(1/2)" or so in UTF-32, has room.
            Stop::NoRoom => assert!(p.read > 0, "no room for a character in {room}"),
            Stop::Done | Stop::Ignored | Stop::Incomplete if end < text.len() => {
                end = end.saturating_add(piece).min(text.len());
            }
            Stop::Done => break,
            stop => {
                converter.reset();
                return (out, irreversible, stop);
            }
        }
    }
    let p = converter.finish(&mut buffer);
    out.extend_from_slice(&buffer[..p.written]);
    (out, irreversible, Stop::Done)
}

/// The call that writes a substitute counts it, and none that had no room for it. So does glibc.
#[test]
fn a_substitute_counts_where_it_is_written() {
    for (to, room) in
        [("ASCII//TRANSLIT", 1), ("ISO-2022-JP//TRANSLIT", 3), ("ISO-8859-5//TRANSLIT//IGNORE", 2)]
    {
        let mut converter = open("UTF-8", to, Dialect::Glibc);
        let mut out = [0; 32];
        let p = converter.convert("\u{1F3FF}\u{BD}".as_bytes(), &mut out[..room]);
        assert_eq!((p.read, p.irreversible, p.stop), (4, 1, Stop::NoRoom), "{to}");
        let p = converter.convert("\u{20AC}".as_bytes(), &mut out[..2]);
        assert_eq!((p.read, p.irreversible, p.stop), (0, 0, Stop::NoRoom), "{to}");
        let p = converter.convert("\u{20AC}".as_bytes(), &mut out);
        assert_eq!((&out[..p.written], p.irreversible, p.stop), (&b"EUR"[..], 1, Stop::Done), "{to}");
    }
}

#[test]
fn a_text_of_nothing_needs_no_end() {
    let nothing = Progress { read: 0, written: 0, irreversible: 0, stop: Stop::Done };
    for (_, to) in PAIRS {
        assert_eq!(open("UTF-8", to, Dialect::Glibc).finish(&mut [0; 8]), nothing, "{to}");
    }
}

#[test]
fn libiconv_writes_and_reads_big_endian_order_first() {
    let all = |from, to, text: &[u8]| whole(&mut open(from, to, Dialect::Libiconv), text).0;
    assert_eq!(all("UTF-8", "UTF-16", b"ab"), b"\xFE\xFF\0a\0b");
    assert_eq!(all("UTF-8", "UTF-32", b"a"), b"\0\0\xFE\xFF\0\0\0a");
    assert_eq!(all("UTF-16", "UTF-8", b"\0a\0b"), b"ab");
    assert_eq!(all("UTF-16", "UTF-8", b"\xFF\xFEa\0"), b"a");
    assert_eq!(all("UTF-16", "UTF-8", b""), b"");
}

#[test]
fn libiconv_says_nothing_of_what_it_was_told_to_leave_out() {
    let mut converter = open("UTF-8", "ASCII", Dialect::Libiconv);
    assert!(!converter.ignores());
    assert_eq!(whole(&mut converter, "a\u{e9}b".as_bytes()).2, Stop::Unmappable);
    converter.set_ignores(true);
    assert!(converter.ignores());
    assert_eq!(whole(&mut converter, "a\u{e9}b".as_bytes()), (b"ab".to_vec(), 1, Stop::Done));
    assert_eq!(whole(&mut converter, b"a\xFFb"), (b"ab".to_vec(), 0, Stop::Done));
    // glibc does.
    let mut converter = open("UTF-8", "ASCII//IGNORE", Dialect::Glibc);
    assert_eq!(whole(&mut converter, "a\u{e9}b".as_bytes()), (b"ab".to_vec(), 0, Stop::Ignored));
}

#[test]
fn a_reset_begins_a_text_with_its_signature_again() {
    let mut converter = open("UTF-8", "UTF-16", Dialect::Glibc);
    let mut out = [0; 8];
    for _ in 0..2 {
        assert_eq!(converter.convert(b"a", &mut out).written, 4);
        assert_eq!(converter.convert(b"a", &mut out).written, 2);
        converter.reset();
    }
    // Nothing was converted since, so nothing is to be closed.
    assert_eq!(converter.finish(&mut []).stop, Stop::Done);
}

#[test]
fn a_converter_knows_its_names() {
    let converter = open("UTF-8", "utf-8", Dialect::Glibc);
    assert!(converter.is_trivial() && converter.is_exact());
    assert_eq!((converter.longest() >= 4, converter.surely_converts(b"ab\xE2\x82")), (true, 4));
    let mut converter = open("u\u{1}tf-8 ", "LATIN1//TRANSLIT", Dialect::Glibc);
    assert!(!converter.is_trivial() && converter.transliterates());
    assert_eq!((converter.longest(), converter.surely_converts(b"ab")), (1, 0));
    // The two bytes of the signature come with the first character.
    assert_eq!(open("UTF-8", "UTF-16", Dialect::Glibc).longest(), 6);
    assert!(!open("EUC-CN", "BIG5", Dialect::Glibc).is_exact());
    assert!(Converter::open(b"UTF-8-MAC", b"UTF-8", Dialect::Libiconv, Locale::C).is_none());
}
