//! The multi-byte encodings that the web does not use: cases on which several programs agree,
//! repertoires, round trips, the law of streaming; in the long form every short string and every
//! code point against glibc and Python.

use crate::data::{Tally, hex, suite, unhex};
use crate::subject::{cases, in_parallel, in_turn, multi_bytes};
use crate::tables::{Numbers, long, round_trip, scalar_values, streaming, write};
use crate::testdata::check;
use placemat::stream::{Status, Transcoder};
use placemat::{Encoding, ErrorPolicy, OnError, OnUnmappable, UnmappablePolicy};
use std::io::Write as _;
use std::process::{Command, Stdio};

const SHIFTS: [&[u8]; 28] = [
    b"\x1B$)C",
    b"\x1B$)A",
    b"\x1B$)G",
    b"\x1B$*H",
    b"\x1BN",
    b"\x1BN!!",
    b"\x0E",
    b"\x0F",
    b"\n",
    b"~{",
    b"~}",
    b"~",
    b"\x1B$)E",
    b"\x1B$+K",
    b"\x1BO",
    b"\x1B(B",
    b"\x1B(J",
    b"\x1B(I",
    b"\x1B$B0!",
    b"\x1B$(D0!",
    b"\x1B$A0!",
    b"\x1B$(C0!",
    b"\x1B$(O$w",
    b"\x1B$(Q$+$w",
    b"\x1B$(P!!",
    b"\x1B.Aa",
    b"\x8E\xA3\xA1",
    b"\x8F\xA1",
];

/// The number of code points that each encoding can represent alone.
const HELD: [usize; 35] = [
    8352, 16_424, 7573, 17_176, 18_582, 55_569, 11_399, 11_399, 51_409, 13_073, 18_732, 11_399, 11_334,
    13_136, 9397, 11_861, 10_972, 9519, 20_236, 11_861, 19_766, 20_237, 32_568, 22_303, 22_303, 7573, 8387,
    13_167, 7070, 21_920, 14_030, 9397, 7008, 19_444, 14_028,
];

fn read(encoding: Encoding, src: &[u8]) -> Option<String> {
    let (d, u) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
    let text = Transcoder::new(encoding, Encoding::UTF_8).on_error(d).on_unmappable(u).transcode(src).ok()?;
    Some(String::from_utf8(text).expect("well-formed"))
}

#[test]
fn what_several_programs_say() {
    for (source, passes) in [(("gen-mb", 371), 74), (("gen-ebcdic", 722), 132)] {
        let cases = suite(source);
        let ours = |name: &str| {
            Encoding::for_label(name).is_some_and(|e| e == Encoding::UTF_8 || multi_bytes().contains(&e))
        };
        let ours: Vec<_> =
            cases.iter().filter(|case| ours(case.text("from")) && ours(case.text("to"))).collect();
        Tally::of(ours.iter().copied(), check).report("multi-byte", passes);
    }
}

#[test]
fn what_is_written_reads_the_same() {
    let members = multi_bytes();
    in_parallel(members.len(), |i| {
        let encoding = members[i];
        let (held, others) = round_trip(encoding);
        assert!(others.is_empty(), "{encoding}: {others:?}");
        assert_eq!(held, HELD[i], "{encoding} holds them");
    });
}

#[test]
fn the_law_of_streaming() {
    let members = multi_bytes();
    in_parallel(members.len(), |i| {
        streaming(members[i], &SHIFTS, cases(4, 12, 2000));
    });
}

/// Asserts that the text is written as these bytes, and that the bytes are read as the text.
#[track_caller]
fn both(encoding: Encoding, text: &str, bytes: &[u8]) {
    assert_eq!(write(encoding, text).map(|bytes| hex(&bytes)), Some(hex(bytes)), "{encoding} {text:?}");
    assert_eq!(crate::tables::read(encoding, bytes), text, "{encoding}");
}

#[test]
fn pairs_of_a_letter_and_a_mark() {
    both(Encoding::BIG5_HKSCS, "\u{CA}\u{304}", b"\x88\x62");
    both(Encoding::BIG5_HKSCS, "\u{CA}\u{30C}\u{CA}", b"\x88\x64\x88\x66");
    both(Encoding::BIG5_HKSCS, "\u{CA}\u{CA}\u{304}x", b"\x88\x66\x88\x62x");
    both(Encoding::SHIFT_JIS_2004, "\u{304B}\u{309A}\u{304B}", b"\x82\xF5\x82\xA9");
    both(Encoding::EUC_JIS_2004, "\u{304B}\u{309A}\u{304B}\u{306F}", b"\xA4\xF7\xA4\xAB\xA4\xCF");
    both(Encoding::EUC_JIS_2004, "\u{2E9}\u{2E5}\u{2E5}\u{2E9}\u{2E9}", b"\xAB\xE5\xAB\xE6\xAB\xE4");
}

#[test]
fn sets_of_japanese() {
    both(Encoding::ISO_2022_JP_1, "a\u{65E5}\u{4E02}b", b"a\x1B$BF|\x1B$(D0!\x1B(Bb");
    both(Encoding::ISO_2022_JP_1, "\u{A5}\n\u{A5}x", b"\x1B(J\\\x1B(B\n\x1B(J\\x\x1B(B");
    both(Encoding::ISO_2022_JP_EXT, "\u{FF71}\u{65E5}", b"\x1B(I1\x1B$BF|\x1B(B");
    // The code stays in the set of its language.
    both(Encoding::ISO_2022_JP_2, "\u{6C49}\u{5B57}", b"\x1B$A::WV\x1B(B");
    both(Encoding::ISO_2022_JP_2, "\u{AC00}a\u{5B57}", b"\x1B$(C0!\x1B(Ba\x1B$B;z\x1B(B");
    // Greek with accents, and Latin that the Japanese sets lack; both sets end with the line.
    both(Encoding::ISO_2022_JP_2, "\u{BD}\u{BD}\n\u{BD}", b"\x1B.A\x1BN=\x1BN=\n\x1B.A\x1BN=");
    both(Encoding::ISO_2022_JP_2, "\u{20AC}\u{BD}", b"\x1B.F\x1BN$\x1B.A\x1BN=");
    both(Encoding::ISO_2022_JP_3, "\u{4FF1}\u{65E5}\u{20089}", b"\x1B$(Q.!\x1B$BF|\x1B$(P!!\x1B(B");
    both(Encoding::ISO_2022_JP_3, "\u{304B}\u{309A}\u{304B}a", b"\x1B$(O$w\x1B$B$+\x1B(Ba");
    both(
        Encoding::ISO_2022_JP_2004,
        "\u{304B}\u{309A}\u{304B}\u{20089}",
        b"\x1B$(Q$w\x1B$B$+\x1B$(P!!\x1B(B",
    );
    both(Encoding::ISO_2022_JP_2004, "\u{E9}\u{304B}", b"\x1B$(Q)_\x1B$B$+\x1B(B");
    for (encoding, text) in [
        (Encoding::ISO_2022_JP_1, "\u{FF71}"),
        (Encoding::ISO_2022_JP_1, "\u{20089}"),
        (Encoding::ISO_2022_JP_2, "\u{FF71}"),
        (Encoding::ISO_2022_JP_3, "\u{AC00}"),
        (Encoding::ISO_2022_JP_2004, "\u{A5}"),
        (Encoding::ISO_2022_JP_EXT, "\u{1B}"),
        (Encoding::ISO_2022_JP_3, "\u{E}"),
    ] {
        assert_eq!(write(encoding, text), None, "{encoding:?} {text:?}");
    }
    // Sets that the encoding lacks; two adjacent designations; text of the line before; half a
    // code.
    for (encoding, bytes) in [
        (Encoding::ISO_2022_JP_1, &b"\x1B$A0!\x1B(B"[..]),
        (Encoding::ISO_2022_JP_1, b"\x1B(I1\x1B(B"),
        (Encoding::ISO_2022_JP_2, b"\x1B$(O0!\x1B(B"),
        (Encoding::ISO_2022_JP_2004, b"\x1B$(O0!\x1B(B"),
        (Encoding::ISO_2022_JP_2004, b"\x1B(J\\\x1B(B"),
        (Encoding::ISO_2022_JP_3, b"\x1B$(O.!\x1B(B"),
        (Encoding::ISO_2022_JP_2, b"a\x1B(B\x1B(Bb"),
        (Encoding::ISO_2022_JP_2, b"a\x1B.A\x1B.Fb"),
        (Encoding::ISO_2022_JP_2, b"a\x1B$B\x1B(Bb"),
        (Encoding::ISO_2022_JP_2, b"\x1BN="),
        (Encoding::ISO_2022_JP_2, b"\x1B.A\x1BN=\n\x1BN="),
        (Encoding::ISO_2022_JP_2, b"\x1B.A\x1BN<script"),
        (Encoding::ISO_2022_JP_2, b"\x1B.F\x1BN."),
        (Encoding::ISO_2022_JP_1, b"\x1B$BF\n"),
        (Encoding::ISO_2022_JP_1, b"\x1B$BF|\nab"),
        (Encoding::ISO_2022_JP_1, b"\x1B"),
        (Encoding::ISO_2022_JP_1, b"\x80"),
        (Encoding::ISO_2022_JP_1, b"\x0E"),
    ] {
        let found = read(encoding, bytes);
        let last = bytes == b"\x1B.A\x1BN<script";
        assert_eq!(
            found.as_deref(),
            if last { Some("\u{BC}script") } else { None },
            "{encoding:?} {}",
            hex(bytes)
        );
    }
    // The error ends with the line: ASCII follows.
    let replaced = |bytes: &[u8]| {
        let (from, to) = (Encoding::ISO_2022_JP_1, Encoding::UTF_8);
        let text = Transcoder::new(from, to).on_error(ErrorPolicy::Replace).transcode(bytes);
        String::from_utf8(text.expect("no policy stops")).expect("well-formed")
    };
    assert_eq!(replaced(b"\x1B$BF|\n<b>"), "\u{65E5}\u{FFFD}<b>");
    assert_eq!(replaced(b"<scr\x1B(B\x1B(Bipt>"), "<scr\u{FFFD}ipt>");
}

#[test]
fn later_editions_of_ebcdic_and_of_shift_jis() {
    // The euro sign; a letter and a mark as one code, as two codes, and before a shift.
    both(Encoding::IBM1390, "\u{20AC}\u{3042}", b"\xE1\x0ED\x81\x0F");
    both(Encoding::IBM1399, "a\u{3042}a", b"\x81\x0ED\x81\x0F\x81");
    both(Encoding::IBM1390, "\u{304B}\u{309A}", b"\x0E\xEC\xB5\x0F");
    both(Encoding::IBM1390, "\u{304B}\u{304B}\u{309A}\u{304B}\n", b"\x0ED\x86\xEC\xB5D\x86\x0F%");
    both(Encoding::IBM1371, "\u{20AC}", b"\x9F");
    both(Encoding::IBM1388, "\u{4E02}", b"\x0E\x81\x41\x0F");
    both(Encoding::IBM1364, "\u{AC02}", b"\x0E\x88\x63\x0F");
    both(Encoding::IBM943, "a\\~\u{FF71}\u{65E5}\u{E000}\u{7E8A}", b"a\\~\xB1\x93\xFA\xF0@\xFA\\");
    both(Encoding::ISO_2022_CN_EXT, "\u{4E2D}\n", b"\x1B$)A\x0EVP\x0F\n");
    // A byte that 930 does not define is an error in 1390 too, not SUB.
    assert_eq!(read(Encoding::IBM1390, b"\x57"), None);
    assert_eq!(read(Encoding::IBM943, b"\x80"), None);
    assert_eq!(read(Encoding::IBM943, b"\x1A\x1C\x7F").as_deref(), Some("\u{1A}\u{1C}\u{7F}"));
}

#[test]
fn designations_and_shifts() {
    both(Encoding::ISO_2022_KR, "", b"");
    both(Encoding::ISO_2022_KR, "a\u{AC00}\nb\u{AC00}", b"\x1B$)Ca\x0E0!\x0F\nb\x0E0!\x0F");
    both(Encoding::ISO_2022_CN, "\u{4E2D}\n\u{4E2D}", b"\x1B$)A\x0EVP\x0F\n\x1B$)A\x0EVP\x0F");
    both(Encoding::ISO_2022_CN, "\u{554A}!\u{9673}", b"\x1B$)A\x0E0!\x0F!\x1B$)G\x0E]s\x0F");
    both(Encoding::ISO_2022_CN, "\u{4E8D}\u{4E42}\u{4E2D}", b"\x1B$)A\x0EX!\x1B$*H\x1BN!!VP\x0F");
    both(Encoding::ISO_2022_CN, "\u{4E42}\u{4E2D}", b"\x1B$*H\x1BN!!\x1B$)A\x0EVP\x0F");
    both(Encoding::HZ_GB_2312, "~\u{4E2D}~\u{4E2D}a", b"~~~{VP~}~~~{VP~}a");
    assert_eq!(read(Encoding::HZ_GB_2312, b"a~\nb").as_deref(), Some("ab"));
    both(Encoding::IBM930, "\u{3042}\n\u{3044}a", b"\x0ED\x81\x0F%\x0ED\x82\x0Fb");
    for (encoding, bytes) in [
        (Encoding::ISO_2022_KR, &b"\x0E!!\n"[..]),
        (Encoding::ISO_2022_KR, b"\x80"),
        (Encoding::ISO_2022_KR, b"\x1B$)A"),
        (Encoding::ISO_2022_CN, b"\x1BN!!"),
        (Encoding::HZ_GB_2312, b"~x"),
        (Encoding::HZ_GB_2312, b"~}"),
        (Encoding::HZ_GB_2312, b"~{! ~}"),
        (Encoding::IBM930, b"\x0ED\x0F"),
    ] {
        assert_eq!(read(encoding, bytes), None, "{encoding:?} {}", hex(bytes));
    }
}

/// Asks a program and returns its answers, one for each line.
fn ask(direction: &str, kind: &str, name: &str, lines: &[Vec<u8>]) -> Vec<Option<Vec<u8>>> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../xtask/multi_byte.py");
    let mut child = Command::new("python3")
        .args([script, direction, kind, name])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 is installed");
    let mut to = child.stdin.take().expect("a pipe");
    let given: String = lines.iter().map(|line| hex(line) + "\n").collect();
    let writer = std::thread::spawn(move || to.write_all(given.as_bytes()).expect("the program reads"));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("no panic");
    let answers: Vec<_> = str::from_utf8(&output.stdout).expect("hex").lines().map(unhex).collect();
    assert_eq!(answers.len(), lines.len(), "{kind} {name}");
    answers
}

/// The queries for each peer, and the number of answers that differ, reading and writing.
///
/// Reading: glibc and Python read ESC as a control before any byte, and Python reads line ends and controls in two-byte
/// text. glibc does not read 7F in ISO-2022-CN, and reads 5C in Johab as U+20A9 and 80 in Big5-HKSCS as U+0080. The
/// form documents the others. Writing: the library writes nothing that would read as something else; for that, glibc
/// writes SUB or a similar character in EBCDIC, the shifts themselves, and in ISO-2022-CN a shift back after plane 2
/// that was never shifted.
///
/// The later rows: glibc reads ESC, line ends and controls in any set, an escape of another encoding as text, and the
/// ten kanji of 2004 in the set of 2000; it has katakana and C1 controls in ISO-2022-JP-2. Python reads C0 controls in
/// any set and bytes from 80 up after ESC N, but not ESC $ @ in -3 and -2004; it writes no set for single codes, and
/// writes GB 2312 with a longer escape. ICU reads line ends in two-byte text and row 13 of NEC, drops default ignorable
/// code points that it cannot write, has a plane 3 of CNS 11643 of its own, and refuses a text that ends in a shift.
/// glibc reads bytes that 1390 and 1399 do not define as SUB, which ICU does not; both exchange three controls in
/// IBM943.
const PEERS: [(Encoding, &str, &str, usize, usize); 50] = [
    (Encoding::ISO_2022_CN_EXT, "iconv", "ISO-2022-CN-EXT", 252, 41193),
    (Encoding::ISO_2022_JP_1, "python", "iso2022_jp_1", 5244, 4),
    (Encoding::ISO_2022_JP_2, "iconv", "ISO-2022-JP-2", 27480, 98),
    (Encoding::ISO_2022_JP_2, "python", "iso2022_jp_2", 33050, 2564),
    (Encoding::ISO_2022_JP_3, "iconv", "ISO-2022-JP-3", 11912, 3),
    (Encoding::ISO_2022_JP_3, "python", "iso2022_jp_3", 39948, 86),
    (Encoding::ISO_2022_JP_2004, "python", "iso2022_jp_2004", 11369, 9),
    (Encoding::ISO_2022_JP_EXT, "python", "iso2022_jp_ext", 10393, 4),
    (Encoding::IBM943, "iconv", "IBM943", 1140, 168),
    (Encoding::IBM943, "python", "cp932", 1946, 400),
    (Encoding::IBM1364, "iconv", "IBM1364", 0, 21),
    (Encoding::IBM1371, "iconv", "IBM1371", 0, 91),
    (Encoding::IBM1388, "iconv", "IBM1388", 0, 74),
    (Encoding::IBM1390, "iconv", "IBM1390", 13122, 17),
    (Encoding::IBM1399, "iconv", "IBM1399", 13122, 17),
    (Encoding::ISO_2022_CN_EXT, "icu", "ISO-2022-CN-EXT", 38890, 35162),
    (Encoding::ISO_2022_JP_1, "icu", "ISO-2022-JP-1", 1683, 165),
    (Encoding::ISO_2022_JP_2, "icu", "ISO-2022-JP-2", 9685, 455),
    (Encoding::IBM943, "icu", "ibm-943_P15A-2003", 1146, 105),
    (Encoding::IBM1364, "icu", "ibm-1364", 12, 74),
    (Encoding::IBM1371, "icu", "ibm-1371", 12, 78),
    (Encoding::IBM1388, "icu", "ibm-1388", 12, 72),
    (Encoding::IBM1390, "icu", "ibm-1390", 12, 68),
    (Encoding::IBM1399, "icu", "ibm-1399", 12, 68),
    (Encoding::ISO_2022_KR, "iconv", "ISO-2022-KR", 15, 3),
    (Encoding::ISO_2022_KR, "python", "iso2022_kr", 1572, 129),
    (Encoding::ISO_2022_CN, "iconv", "ISO-2022-CN", 379, 6598),
    (Encoding::HZ_GB_2312, "python", "hz", 0, 0),
    (Encoding::JOHAB, "iconv", "JOHAB", 257, 3),
    (Encoding::JOHAB, "python", "johab", 17, 0),
    (Encoding::BIG5_HKSCS, "iconv", "BIG5-HKSCS", 265, 4),
    (Encoding::BIG5_HKSCS, "python", "big5hkscs", 68, 68),
    (Encoding::EUC_TW, "iconv", "EUC-TW", 0, 0),
    (Encoding::SHIFT_JIS_2004, "iconv", "SHIFT_JISX0213", 0, 2),
    (Encoding::SHIFT_JIS_2004, "python", "shift_jis_2004", 5, 10),
    (Encoding::EUC_JIS_2004, "iconv", "EUC-JISX0213", 0, 0),
    (Encoding::EUC_JIS_2004, "python", "euc_jis_2004", 6070, 3164),
    // glibc substitutes half-width and full-width forms, and ESC.
    (Encoding::EUC_CN_STRICT, "iconv", "EUC-CN", 0, 0),
    (Encoding::EUC_KR_STRICT, "iconv", "EUC-KR", 0, 1),
    (Encoding::EUC_JP_STRICT, "iconv", "EUC-JP", 0, 2),
    (Encoding::SHIFT_JIS_STRICT, "iconv", "SJIS", 0, 5),
    (Encoding::GBK_STRICT, "iconv", "GBK", 0, 0),
    (Encoding::BIG5_STRICT, "iconv", "BIG5", 0, 0),
    (Encoding::WINDOWS_31J_STRICT, "iconv", "CP932", 0, 9),
    (Encoding::ISO_2022_JP_STRICT, "iconv", "ISO-2022-JP", 0, 1),
    (Encoding::IBM930, "iconv", "IBM930", 0, 155),
    (Encoding::IBM933, "iconv", "IBM933", 0, 70),
    (Encoding::IBM935, "iconv", "IBM935", 0, 75),
    (Encoding::IBM937, "iconv", "IBM937", 0, 90),
    (Encoding::IBM939, "iconv", "IBM939", 0, 156),
];

/// The sequences that must precede two bytes to make them a code, by encoding.
const PREFIXES: [(Encoding, &[&[u8]]); 13] = [
    (Encoding::ISO_2022_KR, &[b"", b"\x1B$)C\x0E"]),
    (Encoding::ISO_2022_CN, &[b"", b"\x1B$)A\x0E", b"\x1B$)G\x0E", b"\x1B$*H\x1BN"]),
    (
        Encoding::ISO_2022_CN_EXT,
        &[
            b"",
            b"\x1B$)A\x0E",
            b"\x1B$)E\x0E",
            b"\x1B$)G\x0E",
            b"\x1B$*H\x1BN",
            b"\x1B$+I\x1BO",
            b"\x1B$+J\x1BO",
            b"\x1B$+K\x1BO",
            b"\x1B$+L\x1BO",
            b"\x1B$+M\x1BO",
        ],
    ),
    (Encoding::ISO_2022_JP_1, &[b"", b"\x1B(J", b"\x1B$@", b"\x1B$B", b"\x1B$(D"]),
    (Encoding::ISO_2022_JP_EXT, &[b"", b"\x1B(J", b"\x1B(I", b"\x1B$@", b"\x1B$B", b"\x1B$(D"]),
    (
        Encoding::ISO_2022_JP_2,
        &[
            b"",
            b"\x1B(J",
            b"\x1B$@",
            b"\x1B$B",
            b"\x1B$(D",
            b"\x1B$A",
            b"\x1B$(C",
            b"\x1B.A\x1BN",
            b"\x1B.F\x1BN",
        ],
    ),
    (
        Encoding::ISO_2022_JP_3,
        &[b"", b"\x1B(J", b"\x1B(I", b"\x1B$@", b"\x1B$B", b"\x1B$(O", b"\x1B$(Q", b"\x1B$(P"],
    ),
    (Encoding::ISO_2022_JP_2004, &[b"", b"\x1B$@", b"\x1B$B", b"\x1B$(Q", b"\x1B$(P"]),
    (Encoding::HZ_GB_2312, &[b"", b"~{"]),
    (Encoding::EUC_TW, &[b"", b"\x8E\xA1", b"\x8E\xA2", b"\x8E\xA6", b"\x8E\xAF", b"\x8E\xB1"]),
    (Encoding::EUC_JIS_2004, &[b"", b"\x8F"]),
    (Encoding::EUC_JP_STRICT, &[b"", b"\x8F"]),
    (Encoding::ISO_2022_JP_STRICT, &[b"", b"\x1B(J", b"\x1B$@", b"\x1B$B"]),
];

/// The encodings in which two bytes need no sequence before them.
const WITHOUT_PREFIXES: [Encoding; 12] = [
    Encoding::BIG5_UAO,
    Encoding::BIG5_ETEN,
    Encoding::IBM943,
    Encoding::JOHAB,
    Encoding::BIG5_HKSCS,
    Encoding::SHIFT_JIS_2004,
    Encoding::EUC_CN_STRICT,
    Encoding::EUC_KR_STRICT,
    Encoding::SHIFT_JIS_STRICT,
    Encoding::GBK_STRICT,
    Encoding::BIG5_STRICT,
    Encoding::WINDOWS_31J_STRICT,
];

/// Returns the sequences that must precede two bytes to make them a code.
fn prefixes(encoding: Encoding) -> &'static [&'static [u8]] {
    if WITHOUT_PREFIXES.contains(&encoding) {
        return &[b""];
    }
    PREFIXES.iter().find(|(known, _)| *known == encoding).map_or(&[b"", b"\x0E"], |(_, prefixes)| prefixes)
}

/// Compares all strings of one and two bytes, alone and after each prefix, and all scalar values.
#[test]
fn peers() {
    if !long() {
        return;
    }
    in_parallel(PEERS.len(), |i| {
        let (encoding, kind, name, reading, writing) = PEERS[i];
        let two = (0..=0xFFFF_u16).map(|two| two.to_be_bytes().to_vec());
        let short: Vec<_> = (0..=0xFF).map(|one| vec![one]).chain(two).collect();
        let strings: Vec<_> = prefixes(encoding)
            .iter()
            .flat_map(|prefix| short.iter().map(|s| [prefix, &s[..]].concat()))
            .collect();
        let answers = ask("read", kind, name, &strings);
        let mut differ = Vec::new();
        for (string, answer) in strings.iter().zip(answers) {
            let found = read(encoding, string).map(String::into_bytes);
            if found != answer {
                differ.push(format!("{}: {found:x?} not {answer:x?}", hex(string)));
            }
        }
        let texts: Vec<_> =
            scalar_values().filter(|&c| c < '\u{30000}').map(|c| c.to_string().into_bytes()).collect();
        let answers = ask("write", kind, name, &texts);
        let mut written = Vec::new();
        for (text, answer) in texts.iter().zip(answers) {
            let text = str::from_utf8(text).expect("a code point");
            let found = write(encoding, text);
            if found != answer {
                written.push(format!(
                    "{text:?} {:04X}: {found:x?} not {answer:x?}",
                    u32::from(text.chars().next().expect("one"))
                ));
            }
        }
        let counts = (differ.len(), written.len());
        let some = |all: &[String]| all.iter().step_by(1 + all.len() / 12).cloned().collect::<Vec<_>>();
        assert_eq!(
            counts,
            (reading, writing),
            "{encoding:?} {kind}\n{:#?}\n{:#?}",
            some(&differ),
            some(&written)
        );
    });
}

/// Returns the output and the stops of a conversion, up to `piece` bytes a call. It stops at errors
/// and at code points that the target lacks.
fn stops<D: OnError, U: OnUnmappable>(
    mut transcoder: Transcoder<D, U>,
    src: &[u8],
    piece: usize,
) -> (Vec<u8>, Vec<Status>) {
    let (mut out, mut stops, mut read) = (Vec::new(), Vec::new(), 0);
    let mut dst = vec![0; 4096];
    loop {
        let end = src.len().min(read + piece);
        let p = transcoder.convert(&src[read..end], &mut dst, end == src.len());
        read += p.read;
        out.extend_from_slice(&dst[..p.written]);
        match p.status {
            Status::Done => return (out, stops),
            Status::NeedInput | Status::NeedOutput => {}
            status => stops.push(status),
        }
    }
}

/// Checks that reading and validating `src` gives the same result whole and byte by byte, where no
/// loop gets enough bytes.
#[track_caller]
fn loops_agree_with_steps(encoding: Encoding, src: &[u8]) {
    for policy in [ErrorPolicy::Stop, ErrorPolicy::Replace] {
        let reader = || Transcoder::new(encoding, Encoding::UTF_8).on_error(policy);
        let checker = || Transcoder::checker(encoding).on_error(policy);
        assert_eq!(stops(reader(), src, src.len()), stops(reader(), src, 1), "{encoding}: {}", hex(src));
        assert_eq!(stops(checker(), src, src.len()), stops(checker(), src, 1), "{encoding}: {}", hex(src));
    }
}

const JAPANESE: [Encoding; 7] = [
    Encoding::ISO_2022_JP,
    Encoding::ISO_2022_JP_1,
    Encoding::ISO_2022_JP_2,
    Encoding::ISO_2022_JP_3,
    Encoding::ISO_2022_JP_2004,
    Encoding::ISO_2022_JP_EXT,
    Encoding::ISO_2022_JP_STRICT,
];

#[test]
fn loops_of_iso_2022_jp_read_every_pair_of_bytes_as_the_steps_do() {
    let escapes: [&[u8]; 8] =
        [b"\x1B$B", b"\x1B$@", b"\x1B$(D", b"\x1B$A", b"\x1B$(C", b"\x1B$(O", b"\x1B$(Q", b"\x1B$(P"];
    in_parallel(JAPANESE.len(), |i| {
        for (a, escape) in (0..=0xFF_u8).flat_map(|a| escapes.map(|escape| (a, escape))) {
            // A part of the byte pairs that are codes or near them; all pairs in the long form.
            let is_near = a % 16 == 1 || matches!(a, 0x20..=0x2F | 0x74..=0x80);
            if !(long() || is_near && in_turn(i + usize::from(a), 4)) {
                continue;
            }
            let mut src = Vec::new();
            for b in 0..=0xFF_u8 {
                src.extend_from_slice(escape);
                src.extend([a, b, a, b, b'0', b'!', b'0', b'!']);
                src.extend_from_slice(b"\x1B(Bx");
            }
            loops_agree_with_steps(JAPANESE[i], &src);
        }
    });
}

#[test]
fn loops_of_iso_2022_jp_convert_damaged_text_as_the_steps_do() {
    let story = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/texts/Japanese.txt");
    let story = std::fs::read_to_string(story).expect("a text");
    let story = story.repeat(4).replace('。', "。 \u{FF71}\u{A5}1,000 \u{304B}\u{309A}~\\ \u{4E02}\u{BD}");
    in_parallel(JAPANESE.len(), |i| {
        let encoding = JAPANESE[i];
        let mut numbers = Numbers::new(i as u64);
        for round in 0..if long() { 400 } else { 40 } {
            let writer = || {
                let policy = if round % 2 == 0 { UnmappablePolicy::Skip } else { UnmappablePolicy::Stop };
                Transcoder::new(Encoding::UTF_8, encoding).on_unmappable(policy)
            };
            let start = numbers.below(story.len() / 2);
            let text = &story.as_bytes()[start..start + numbers.below(4000)];
            let whole = stops(writer(), text, text.len());
            assert_eq!(whole, stops(writer(), text, 1), "{encoding}: {}", hex(text));
            let mut src = whole.0;
            for _ in 0..numbers.below(6) {
                let at = numbers.below(src.len() + 1);
                match numbers.below(3) {
                    0 if at < src.len() => drop(src.remove(at)),
                    1 => src.insert(at, u8::try_from(numbers.below(256)).expect("a byte")),
                    _ => drop(src.splice(at..at, SHIFTS[numbers.below(SHIFTS.len())].iter().copied())),
                }
            }
            loops_agree_with_steps(encoding, &src);
        }
    });
}

/// RFC 1554 has three bytes to designate GB 2312, and Python writes four.
#[test]
fn gb_2312_of_iso_2022_jp_2_may_be_designated_in_four_bytes() {
    for escape in [&b"\x1B$A"[..], b"\x1B$(A"] {
        let bytes = [b"a", escape, b"VP\x1B(Bb"].concat();
        let text = Encoding::ISO_2022_JP_2.decode(&bytes, ErrorPolicy::Stop);
        assert_eq!(text.as_deref(), Ok("a中b"), "{escape:?}");
    }
    let encode = |text| Encoding::ISO_2022_JP_2.encode(text, UnmappablePolicy::Stop);
    assert_eq!(encode("们").as_deref(), Ok(&b"\x1B$ACG\x1B(B"[..]));
}
