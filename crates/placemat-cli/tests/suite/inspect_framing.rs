//! `inspect --framing`: class files, records of `writeUTF` and dex files, made by hand from their specifications.

use crate::run::{Directory, Ran, placemat};
use serde_json::Value;

fn json(ran: &Ran) -> Vec<Value> {
    let text = core::str::from_utf8(&ran.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the start of a class file of Java 17 (class file version 61), with `count + 1` as its
/// number of constants (JVM Specification 4.1).
fn head(count: u16) -> Vec<u8> {
    [&b"\xCA\xFE\xBA\xBE\0\0\0\x3D"[..], &count.to_be_bytes()].concat()
}

/// Returns a `CONSTANT_Utf8_info` (section 4.4.7).
fn utf8(bytes: &[u8]) -> Vec<u8> {
    [&[1], &u16::try_from(bytes.len()).unwrap().to_be_bytes()[..], bytes].concat()
}

/// A constant of each kind except strings: its tag, and the number of bytes after the tag (table
/// 4.4-A and sections 4.4.1 to 4.4.12).
const OTHERS: [(u8, usize); 16] = [
    (3, 4),
    (4, 4),
    (5, 8),
    (6, 8),
    (7, 2),
    (8, 2),
    (9, 4),
    (10, 4),
    (11, 4),
    (12, 4),
    (15, 3),
    (16, 2),
    (17, 4),
    (18, 4),
    (19, 2),
    (20, 2),
];

/// Returns a pool with a string after each other constant, and for each string its number, the
/// offset of its bytes, and its text.
fn pool() -> (Vec<u8>, Vec<(u64, usize, String)>) {
    let (mut bytes, mut strings, mut index) = (Vec::new(), Vec::new(), 1);
    for (tag, len) in OTHERS {
        bytes.push(tag);
        bytes.extend(vec![0x01; len]);
        index += if matches!(tag, 5 | 6) { 2 } else { 1 };
        let text = format!("after/{tag}");
        strings.push((index, 10 + bytes.len() + 3, text.clone()));
        bytes.extend(utf8(text.as_bytes()));
        index += 1;
    }
    let file = [head(u16::try_from(index).unwrap()), bytes, b"\0\x21\0\x02".to_vec()].concat();
    (file, strings)
}

#[test]
fn every_string_of_a_class_file() {
    let (file, strings) = pool();
    let ran = placemat("inspect --format jsonl").reads(&*file).run();
    ran.ends(0).says("");
    let found = json(&ran);
    assert_eq!(found.len(), strings.len());
    for (found, (index, offset, text)) in found.iter().zip(&strings) {
        assert_eq!((&found["index"], &found["byte_offset"]), (&(*index).into(), &(*offset).into()));
        assert_eq!((&found["text"], &found["length"]), (&text.as_str().into(), &text.len().into()));
        assert!(found["kind"].is_null() && found["reason"].is_null());
    }
    // The framing is chosen by name or found in a file; other options switch the search off.
    placemat("inspect --format jsonl --framing class").reads(&*file).run().writes(&ran.stdout);
    let d = Directory::new();
    d.write("A.class", &file);
    placemat("inspect --format jsonl A.class").within(&d).run().writes(&ran.stdout);
    for other in ["--framing none", "-f latin1", "--as hex", "--range 0..8"] {
        let ran = placemat("inspect A.class -n 1").args(other).within(&d).run();
        ran.ends(0);
        assert!(!String::from_utf8_lossy(&ran.stdout).contains("index"), "{other}");
    }
    let plain = placemat("inspect --framing none --format jsonl A.class").within(&d).run();
    assert_eq!(json(&plain)[0]["bytes"], "ca");
    // All bytes are shown, including those at the start that the search read.
    let total: u64 = json(&plain).iter().map(|part| part["length"].as_u64().unwrap()).sum();
    assert_eq!(total, file.len() as u64);
}

#[test]
fn the_text_is_fit_for_a_terminal_and_without_doubt() {
    let strings = [
        &b"java/lang/Object"[..],
        b"",
        b"a\x1B[31m\\x\xC0\x80",
        "né€".as_bytes(),
        // U+1F600 as a surrogate pair, half a pair, and U+202E.
        b"\xED\xA0\xBD\xED\xB8\x80",
        b"\xED\xA0\xBD!",
        "\u{202E}".as_bytes(),
        b"a\xC1\x81\0",
    ];
    let file = [head(9), strings.map(utf8).concat()].concat();
    placemat("inspect").reads(&*file).run().writes(
        "index  offset  bytes  text
    1      13     16  java/lang/Object
    2      32      0  
    3      35     10  a\\x1b[31m\\\\x\\x00
    4      48      6  né€
    5      57      6  😀
    6      66      4  \\u{d83d}!
    7      73      3  \\u{202e}
    8      79      4  a\\xc1\\x81\\x00
                      overlong sequence 0xc1 at byte 80: longer than necessary, which Modified UTF-8 does not accept
",
    );
    let found = json(&placemat("inspect --format jsonl").reads(&*file).run());
    assert_eq!(found[2]["text"], "a\u{1B}[31m\\x\0");
    assert_eq!((&found[4]["text"], &found[4]["bytes"]), (&"😀".into(), &"eda0bdedb880".into()));
    assert_eq!(found[5]["text"], "\u{FFFD}!");
    assert_eq!(
        (&found[7]["kind"], &found[7]["text"]),
        (&"overlong-2".into(), &"a\u{FFFD}\u{FFFD}\u{FFFD}".into())
    );
    let ran = placemat("inspect -n 2").reads(&*file).run();
    ran.ends(0).says("<stdin>: output stopped at byte 35; -n 0 shows all of it\n");
    assert_eq!(ran.stdout.iter().filter(|&&byte| byte == b'\n').count(), 3);
}

/// The message about a truncated class file names the missing part, and the strings before it are
/// shown.
#[test]
fn class_files_that_end_too_early() {
    let (file, strings) = pool();
    let (last, _) = strings.last().map(|(_, offset, text)| (offset + text.len(), text)).unwrap();
    for end in (0..last).step_by(3) {
        let ran = placemat("inspect --framing class --format jsonl").reads(&file[..end]).run();
        ran.ends(1).mentions(&[&format!("placemat: <stdin>: the file ends at byte {end}: ")]);
        let whole = strings.iter().filter(|(_, offset, text)| offset + text.len() <= end).count();
        assert_eq!(json(&ran).len(), whole, "{end}");
    }
    placemat("inspect").reads(&file[..last]).run().ends(0).says("");
}

#[test]
fn class_files_that_lie() {
    for (file, want) in [
        (
            b"\xCA\xFE\xBA\xBF".to_vec(),
            "no class file: it begins with 0xca 0xfe 0xba 0xbf and not with 0xca 0xfe 0xba 0xbe",
        ),
        (head(0), "the number of constants at byte 8 is 0, and must be at least 1"),
        (
            [head(3), utf8(b"a")].concat(),
            "the file ends at byte 14: the tag of constant 2 of 2 takes 1 byte from byte 14 on",
        ),
        (
            [head(2), b"\x01\xFF\xFFabc".to_vec()].concat(),
            "the file ends at byte 16: the string of constant 1 takes 65535 bytes from byte 13 on",
        ),
        (
            [head(2), b"\x01\xFF".to_vec()].concat(),
            "the file ends at byte 12: the length of the string of constant 1 takes 2 bytes from byte 11 on",
        ),
        (
            [head(2), b"\x02".to_vec()].concat(),
            "constant 1 at byte 10 has the tag 2: tags are 1, 3 to 12 and 15 to 20",
        ),
        (
            [head(2), b"\x05\0\0\0\0\0\0\0\0".to_vec()].concat(),
            "constant 1 at byte 10 takes two numbers, and it is the last of 1",
        ),
        (
            [head(2), b"\x07\0".to_vec()].concat(),
            "the file ends at byte 12: constant 1 takes 2 bytes from byte 11 on",
        ),
    ] {
        let ran = placemat("inspect --framing class").reads(&*file).run();
        ran.ends(1).says(&format!("placemat: <stdin>: {want}\n"));
    }
    // The file has no end, and its pool claims the greatest possible size.
    #[cfg(unix)]
    {
        let endless = std::fs::File::open("/dev/zero").unwrap();
        let output =
            placemat("inspect --framing java -n 3 --format jsonl").command.stdin(endless).output().unwrap();
        assert_eq!(output.stdout.iter().filter(|&&byte| byte == b'\n').count(), 3);
    }
    // These files begin like a class file, but are none: a Mach-O file with two parts, and a file
    // too short to tell.
    for bytes in [&b"\xCA\xFE\xBA\xBE\0\0\0\x02\x01\0\0\x07"[..], b"\xCA\xFE\xBA\xBE\0\0\0"] {
        let ran = placemat("inspect --format jsonl").reads(bytes).run();
        ran.ends(0);
        assert_eq!(json(&ran)[0]["kind"], "truncated");
    }
    placemat("inspect --framing class -f utf-8").run().ends(2).wrote("");
}

#[test]
fn records_of_write_utf() {
    let stream = b"\0\x03a\xC3\xA9\0\0\0\x06\xED\xA0\xBD\xED\xB8\x80";
    placemat("inspect --framing java").reads(stream).run().writes(
        "index  offset  bytes  text\n    1       2      3  aé\n    2       7      0  \n    3       9      6  😀\n",
    );
    placemat("inspect --framing java").reads("").run().writes("");
    placemat("inspect --framing java --format jsonl").reads(&stream[..13]).run().ends(1).says(
        "placemat: <stdin>: the file ends at byte 13: the string of record 3 takes 6 bytes from byte 9 on\n",
    );
    placemat("inspect --framing java --format jsonl").reads(&stream[..8]).run().ends(1).says(
        "placemat: <stdin>: the file ends at byte 8: the length of record 3 takes 2 bytes from byte 7 on\n",
    );
    let longest = [&b"\xFF\xFF"[..], &[b'x'; 65_535]].concat();
    let found = json(&placemat("inspect --framing java --format jsonl").reads(longest).run());
    assert_eq!(found[0]["length"], 65_535);
}

/// Makes a dex file: a header of 112 bytes with the number and offset of the identifiers, the
/// identifiers, the strings.
fn dex(strings: &[&[u8]]) -> Vec<u8> {
    let mut file = vec![0; 112];
    file[..8].copy_from_slice(b"dex\n035\0");
    file[40..44].copy_from_slice(b"\x78\x56\x34\x12");
    file[56..60].copy_from_slice(&u32::try_from(strings.len()).unwrap().to_le_bytes());
    file[60..64].copy_from_slice(&112_u32.to_le_bytes());
    let mut start = 112 + 4 * strings.len();
    for string in strings {
        file.extend(u32::try_from(start).unwrap().to_le_bytes());
        start += string.len();
    }
    [file, strings.concat()].concat()
}

#[test]
fn strings_of_a_dex_file() {
    let d = Directory::new();
    let long = [&b"\xD0\x0F"[..], &[b'y'; 2000], b"\0"].concat();
    let file = dex(&[b"\0\0", b"\x03aZ\xC3\xA9\0", b"\x02\xED\xA0\xBD\xED\xB8\x80\0", &long]);
    d.write("a.dex", &file);
    let ran = placemat("inspect --framing dex --format jsonl a.dex").within(&d).run();
    ran.ends(0).says("");
    let found = json(&ran);
    let facts: Vec<_> = found
        .iter()
        .map(|f| {
            (f["index"].as_u64().unwrap(), f["byte_offset"].as_u64().unwrap(), f["length"].as_u64().unwrap())
        })
        .collect();
    assert_eq!(facts, [(0, 129, 0), (1, 131, 4), (2, 137, 6), (3, 146, 2000)]);
    assert_eq!((&found[1]["text"], &found[2]["text"]), (&"aZé".into(), &"😀".into()));
    let mut lies = file.clone();
    lies[59] = 0xFF;
    let mut far = file.clone();
    far[112..116].copy_from_slice(&[0xFF; 4]);
    let mut table = file.clone();
    table[60..64].copy_from_slice(&2145_u32.to_le_bytes());
    let mut swapped = file.clone();
    swapped[40..44].copy_from_slice(b"\x12\x34\x56\x78");
    for (file, want) in [
        (b"dex".to_vec(), "no dex file: it does not begin with \"dex\" and a line feed"),
        (file[..111].to_vec(), "the file ends at byte 111: the header of a dex file takes 112 bytes"),
        (swapped, "the byte order at byte 40 is not 0x78 0x56 0x34 0x12"),
        (table, "the file ends at byte 2147: string 0 of 4 has its place at byte 2145"),
        (
            file[..135].to_vec(),
            "the file ends at byte 135: string 1, from byte 130 on, has no end before that",
        ),
        (far, "the file ends at byte 2147: string 0, from byte 4294967295 on, has no end before that"),
        (dex(&[b"\x05ab\0"]), "string 0 at byte 116: the count is not the number of UTF-16 units"),
        (
            [dex(&[b"\x05"]), vec![b'x'; 2 << 20]].concat(),
            "string 0 at byte 116 does not end with a zero byte within 1048576 bytes",
        ),
    ] {
        d.write("b.dex", file);
        let ran = placemat("inspect --framing dex b.dex").within(&d).run();
        ran.ends(1).says(&format!("placemat: b.dex: {want}\n"));
    }
    d.write("b.dex", lies);
    placemat("inspect --framing dex b.dex").within(&d).run().ends(1);
    let ran = placemat("inspect --framing dex").reads(file).run();
    ran.ends(2).wrote("").mentions(&["reads a file, and no pipe"]);
}
