//! Files in several encodings: lines that `CPython` encoded, and any bytes.

use crate::detect::facts;
use crate::edit::Random;
use crate::subject::in_turn;
use placemat::detect::{Region, Regions, regions};
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};

/// Returns the regions of a stream that comes in pieces.
fn in_pieces(src: &[u8], piece: usize) -> Vec<Region> {
    let (mut all, mut found) = (Regions::new(), Vec::new());
    src.chunks(piece + 3).for_each(|piece| all.learn(piece));
    src.chunks(piece).for_each(|piece| all.feed(piece, |region| found.push(region)));
    all.finish(|region| found.push(region));
    found
}

/// Decodes a file by its regions.
fn read(src: &[u8], found: &[Region]) -> String {
    let text = found.iter().map(|region| {
        let (start, len) = (usize::try_from(region.offset).unwrap(), usize::try_from(region.len).unwrap());
        region.encoding.decode(&src[start..start + len], ErrorPolicy::Replace).unwrap()
    });
    text.collect()
}

/// Checks that the regions cover all bytes, in order, and count the lines.
fn check_tiles(src: &[u8], found: &[Region]) {
    let (mut at, mut line_ends) = (0, 0);
    for region in found {
        assert_eq!(region.offset, at);
        assert!(region.len > 0 && (0.0..=1.0).contains(&region.confidence));
        let (start, end) = (at as usize, (at + region.len) as usize);
        assert_eq!(region.line, line_ends + 1);
        let own = &src[start..end];
        let ends = own.iter().filter(|&&byte| byte == b'\n').count() as u64;
        assert_eq!(region.lines, ends + u64::from(own.last() != Some(&b'\n')));
        at += region.len;
        line_ends += ends;
    }
    assert_eq!(at, src.len() as u64);
    for pair in found.windows(2) {
        assert_ne!(pair[0].encoding, pair[1].encoding, "they would be one");
    }
}

/// Returns sentences whose encodings have lines and the letters of ASCII, each with its text.
fn lines() -> Vec<(String, String, Vec<u8>)> {
    let wide = ["utf", "iso2022", "hz", "cp037", "cp1026", "cp1140", "cp273", "cp424", "cp500", "cp875"];
    let facts = facts().into_iter().filter(|fact| !wide.iter().any(|name| fact.codec.starts_with(name)));
    let facts = facts.filter(|fact| !fact.bytes.contains(&b'\n') && !fact.text.is_ascii());
    facts.map(|fact| (fact.codec, fact.text, fact.bytes)).collect()
}

#[test]
fn lines_of_utf8_and_of_another_encoding() {
    for (codec, text, bytes) in lines() {
        let utf8 = text.as_bytes();
        let file = [utf8, &bytes, b"plain", &bytes, utf8, utf8, &bytes].join(&b'\n');
        let found = regions(&file);
        check_tiles(&file, &found);
        let want = [&*text, &text, "plain", &text, &text, &text, &text].join("\n");
        assert_eq!(read(&file, &found), want, "{codec}: {found:?}");
        assert_eq!(found.iter().map(|region| region.line).collect::<Vec<_>>(), [1, 2, 5, 7], "{codec}");
        assert!(found.iter().all(|region| region.confidence >= 0.5), "{codec}: {found:?}");
    }
}

#[test]
fn lines_of_two_legacy_encodings() {
    let lines = lines();
    let mut pairs = 0;
    for (codec, text, bytes) in &lines {
        for (other, same, other_bytes) in &lines {
            if text != same || bytes == other_bytes || codec == other {
                continue;
            }
            pairs += 1;
            let file = [&bytes[..], bytes, other_bytes, other_bytes, bytes].join(&b'\n');
            let found = regions(&file);
            check_tiles(&file, &found);
            assert_eq!(read(&file, &found), [&**text; 5].join("\n"), "{codec}, {other}: {found:?}");
        }
    }
    assert!(pairs >= 40, "{pairs}");
}

/// A line that can be read in two ways is in the encoding of the lines beside it, not in that of lines farther away.
#[test]
fn the_nearest_lines_decide_about_a_damaged_line() {
    let korean = "키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다";
    let legacy = Encoding::EUC_KR.encode(korean, UnmappablePolicy::Stop).unwrap();
    // One syllable in EUC-KR, and UTF-8 that could be two others.
    let damaged = [b"\xC7\xD1", " é 의".as_bytes()].concat();
    let file = [&legacy, korean.as_bytes(), &damaged, korean.as_bytes(), &legacy].join(&b'\n');
    let found = regions(&file);
    check_tiles(&file, &found);
    assert_eq!(read(&file, &found), [korean, korean, "한 é 의", korean, korean].join("\n"), "{found:?}");
}

#[test]
fn runs_inside_a_line_of_utf8() {
    let file = b"d\xC3\xA9j\xC3\xA0 vu, caf\xE9 na\xC3\xAFf, \xC3\xA9t\xC3\xA9 \xE0 Orl\xE9ans\n".repeat(3);
    let found = regions(&file);
    check_tiles(&file, &found);
    assert_eq!(read(&file, &found), "déjà vu, café naïf, été à Orléans\n".repeat(3));
    assert!(found.iter().all(|region| [Encoding::UTF_8, Encoding::WINDOWS_1252].contains(&region.encoding)));
    // Damage is not a region: an overlong form, a surrogate, a truncated sequence.
    for damage in [&b"\xC0\xAF"[..], b"\xED\xA0\x80", b"\xE2\x82"] {
        let file = [b"d\xC3\xA9j\xC3\xA0 vu ", damage, b" vu\n"].concat();
        let found = regions(&file);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].encoding, Encoding::UTF_8);
    }
}

/// A word in another encoding is read in the language of the lines around it.
#[test]
fn a_word_beside_lines_of_utf8() {
    let (mut words, mut wrong) = (0, Vec::new());
    for (codec, text, bytes) in lines() {
        for (word, legacy) in text.split(' ').zip(bytes.split(|&byte| byte == b' ')) {
            if word.chars().filter(|c| c.is_alphabetic()).count() < 3
                || word.is_ascii()
                || legacy == word.as_bytes()
            {
                continue;
            }
            words += 1;
            let file = [text.as_bytes(), legacy, text.as_bytes()].join(&b'\n');
            let found = regions(&file);
            check_tiles(&file, &found);
            let read = read(&file, &found);
            if read != format!("{text}\n{word}\n{text}") {
                wrong.push(format!("{codec}: {word}: {read:?}"));
            }
        }
    }
    assert!(words >= 100, "{words}");
    assert!(wrong.len() * 20 <= words, "{} of {words}: {wrong:#?}", wrong.len());
}

#[test]
fn one_encoding_is_one_region() {
    assert_eq!(regions(b""), []);
    for (src, encoding) in [
        (&b"plain\n"[..], Encoding::US_ASCII),
        (b"a", Encoding::US_ASCII),
        ("plain\nnaïve\nplain".as_bytes(), Encoding::UTF_8),
        (b"He had a caf\xE9 au lait.\nThen he left.\n", Encoding::WINDOWS_1252),
    ] {
        let found = regions(src);
        check_tiles(src, &found);
        assert_eq!((found.len(), found[0].encoding), (1, encoding), "{found:?}");
    }
    // One line among thousands of ASCII.
    let file =
        [&b"Nothing to see in this line.\n".repeat(9000)[..], b"Un caf\xE9 \xE0 Orl\xE9ans.\n"].concat();
    let found = regions(&file);
    check_tiles(&file, &found);
    assert_eq!((found.len(), found[0].encoding), (1, Encoding::WINDOWS_1252));
}

/// A table of letters, as in programs for hyphenation: a letter by itself fits any script.
#[test]
fn letters_by_themselves_speak_for_no_encoding_of_their_own() {
    let mut text = String::from(
        "% Ο πίνακας των γραμμάτων, με τα πεζά και τα κεφαλαία του ελληνικού αλφαβήτου.\n\
         % Κάθε γραμμή έχει ένα γράμμα και τον αριθμό του, όπως τα γράφει το πρόγραμμα.\n",
    );
    for c in ('Α'..='ώ').filter(|c| c.is_alphabetic()).chain("άέήίόύώϊϋ".chars()) {
        text += &format!("\\lccode`{c}=1\n\\patterns{{1{c}2}}  % {c}`\n");
    }
    let file = Encoding::WINDOWS_1253.encode(&text, UnmappablePolicy::Stop).unwrap();
    let found = regions(&file);
    assert_eq!(found.iter().map(|region| region.encoding).collect::<Vec<_>>(), [Encoding::WINDOWS_1253]);
    assert_eq!(read(&file, &found), text);
}

#[test]
fn pieces_do_not_matter() {
    let mut random = Random(5);
    let lines = lines();
    for round in (0..20).filter(|&round| in_turn(round, 3)) {
        let mut file = Vec::new();
        while file.len() < if round < 18 { 1000 } else { 200_000 } {
            let (_, text, bytes) = &lines[random.below(lines.len())];
            match random.below(4) {
                0 => file.extend_from_slice(text.as_bytes()),
                1 => file.extend_from_slice(bytes),
                2 => file.extend((0..random.below(40)).map(|_| random.below(256) as u8)),
                _ => file.extend_from_slice(b"plain text "),
            }
            file.push(if random.below(3) == 0 { b' ' } else { b'\n' });
        }
        let whole = regions(&file);
        check_tiles(&file, &whole);
        for piece in [1, 7, 4096, 70_000] {
            assert!(in_pieces(&file, piece) == whole, "round {round} by {piece}");
        }
    }
}

/// Lines longer than a block, lines of one byte, and one sequence repeated.
#[test]
fn long_and_short_lines() {
    for file in [
        b"\xE9".repeat(150_000),
        b"\xC0\xAF".repeat(75_000),
        b"\x81A".repeat(75_000),
        b"\xE9\n".repeat(75_000),
        b"\xE9\xC3\xA9".repeat(50_000),
        b"caf\xE9 ".repeat(30_000),
    ] {
        check_tiles(&file, &regions(&file));
    }
}
