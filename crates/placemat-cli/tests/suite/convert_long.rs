//! `convert` of long inputs, which several threads share: the result is that of one thread.

use crate::run::{Directory, Ran, placemat, utf16be, utf16le};
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::process::Stdio;

/// Returns words of one to four bytes a character, with and without line ends.
fn text(line_ends: bool) -> String {
    let mut text = String::new();
    let mut state = 7_u32;
    while text.len() < 1_700_000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        text.push_str(
            ["plain ASCII ", "naïve ", "слово", "漢字かな", "😀👍🏽", "\u{FFFD}", "\u{10FFFF}"]
                [(state >> 16) as usize % 7],
        );
        if line_ends && state >> 28 == 0 {
            text.push_str(if state >> 27 & 1 == 0 { "\r\n" } else { "\n" });
        }
    }
    text
}

#[track_caller]
fn same(args: &str, input: &[u8]) -> Ran {
    let d = Directory::new();
    d.write("in", input);
    let alone = placemat(args).args("-j 1 in").within(&d).run();
    for threads in ["2", "3", "8"] {
        let several = placemat(args).args("in -j").args(threads).within(&d).run();
        assert_eq!((several.status, &several.stderr), (alone.status, &alone.stderr), "{args} -j {threads}");
        assert!(several.stdout == alone.stdout, "{args} -j {threads}");
    }
    // A pipe yields pieces of another size.
    let piped = placemat(args).args("-j 3").reads(input).run();
    assert!(piped.stdout == alone.stdout, "{args} by a pipe");
    assert_eq!(piped.status, alone.status);
    alone
}

#[test]
fn well_formed_text() {
    for line_ends in [true, false] {
        let text = text(line_ends);
        assert!(same("convert", text.as_bytes()).stdout == text.as_bytes());
        assert!(same("convert -t utf-16le", text.as_bytes()).stdout == utf16le(&text));
        assert!(same("convert -t utf-16be", text.as_bytes()).stdout == utf16be(&text));
        assert!(same("convert -f utf-16le", &utf16le(&text)).stdout == text.as_bytes());
        assert!(
            same("convert -f utf-16", &[b"\xFE\xFF", &utf16be(&text)[..]].concat()).stdout == text.as_bytes()
        );
        let wide: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
        assert!(same("convert -t utf-32le", text.as_bytes()).stdout == wide);
        assert!(
            same("convert -f utf-32le --eol crlf", &wide).stdout
                == text.replace("\r\n", "\n").replace('\n', "\r\n").as_bytes()
        );
        let narrow: Vec<u8> = text.bytes().collect();
        let latin: String = narrow.iter().map(|&byte| char::from(byte)).collect();
        assert!(same("convert -f latin1", &narrow).stdout == latin.as_bytes());
        assert!(same("convert -t latin1", latin.as_bytes()).stdout == narrow);
        // Without line ends, texts in these encodings cannot be divided.
        for encoding in ["gb18030", "utf-7", "cesu-8", "scsu"] {
            let there = same(&format!("convert -t {encoding}"), text.as_bytes()).stdout;
            assert!(same(&format!("convert -f {encoding}"), &there).stdout == text.as_bytes(), "{encoding}");
        }
    }
}

/// An encoding that writes a letter and its mark as one code, or the mark first, must see both.
#[test]
fn letters_and_their_marks() {
    for (encoding, syllables) in [
        ("tscii", "கொ ஸ்ரீ க்ஷி தூ"),
        ("big5-hkscs", "Ê̄ ê̌ 你"),
        ("shift_jis-2004", "か゚ ㇷ゚ æ̀ ˩˥ ə́"),
        ("euc-jis-2004", "か゚ ㇷ゚ æ̀ ˩˥ ə́"),
        ("marc-8", "e\u{301} n\u{300} a\u{323}\u{301} Ł"),
        ("vni", "ế ậ Ộ ữ"),
        ("scsu", "é か゚ கொ"),
    ] {
        let mut text = String::new();
        // Lines of growing length, and a last one that is longer than a piece.
        for line in 0..2000 {
            for syllable in syllables.split(' ').cycle().take(1 + line % 61) {
                text.push_str(syllable);
            }
            text.push('\n');
        }
        text = text.repeat(1 + 400_000 / text.len());
        text.push_str(&syllables.replace(' ', "").repeat(9_000));
        let there = same(&format!("convert -t {encoding}"), text.as_bytes());
        there.ends(0);
        let back = same(&format!("convert -f {encoding}"), &there.stdout);
        assert!(back.stdout == text.as_bytes(), "{encoding}");
    }
}

#[test]
fn errors_and_what_becomes_of_them() {
    let text = text(true).into_bytes();
    // Broken bytes of all lengths, half pairs among them, everywhere in the text and at the ends of
    // pieces.
    let mut broken = text.clone();
    for (i, at) in (0..broken.len()).step_by(977).enumerate() {
        broken[at] = [0xC3, 0xE2, 0xF0, 0x80, 0xBF, 0xED, 0xFF, b'x'][i % 8];
    }
    for i in 0..40 {
        let at = 128 * 1024 * (1 + i % 12) + i - 20;
        broken[at..at + 4]
            .copy_from_slice([&b"\xED\xA0\xBD\xED"[..], b"\xE2\x82\n\xE2", b"\x80\x80\x80\x80"][i % 3]);
    }
    for policy in ["replace", "ignore", "backslashreplace", "cp1252", "surrogateescape", "optu"] {
        for span in ["maximal", "byte", "lead", "structural"] {
            same(&format!("convert --report -e {policy} --span {span}"), &broken).ends(0);
        }
    }
    same("convert --report -e replace -t utf-16le", &broken).ends(0);
    same("convert --report -e surrogateescape -t utf-16le -f utf-8", &broken);
    same("convert --report -e replace -t latin1", &broken).ends(0);
    same("convert --report -t ascii --unmappable xmlcharrefreplace", &text).ends(0);
    let utf16 = &utf16le(core::str::from_utf8(&text).unwrap());
    let mut halves = utf16.clone();
    for at in (0..halves.len() - 1).step_by(1954) {
        halves[at + 1] = [0xD8, 0xDC, 0xDB, 0xDF][at / 1954 % 4];
    }
    same("convert --report -f utf-16le -e replace", &halves).ends(0);
    same("convert --report -f utf-16le -e surrogatepass -t utf-8", &halves).ends(0);
    same("convert --report -f utf-16le -e surrogatepass -t wtf-8", &halves).ends(0);
    same("convert --report -f utf-16le -t latin1 -e replace", &halves).ends(0);
}

#[test]
fn refusals_have_their_place() {
    let text = text(true).into_bytes();
    let near = |at: usize| (at..at + 40).step_by(3);
    for at in near(100).chain(near(520_000)).chain(near(128 * 1024 * 8 - 20)).chain(near(text.len() - 39)) {
        for bytes in [&b"\xFF"[..], b"\xC0\xAF", b"\xED\xA0\xBD\xED\xB8\x80", b"\xE2\x82"] {
            let mut broken = text.clone();
            broken.splice(at..at, bytes.iter().copied());
            let ran = same("convert -t utf-16le", &broken);
            ran.ends(1);
            assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
            // The expected offset comes from the standard library.
            let offset = core::str::from_utf8(&broken).unwrap_err().valid_up_to();
            let good = core::str::from_utf8(&broken[..offset]).unwrap();
            let line = 1 + good.matches('\n').count();
            let column = 1 + good.rsplit('\n').next().unwrap().chars().count();
            assert!(ran.stderr.starts_with(&format!("in:{line}:{column}: ")), "{at}: {}", ran.stderr);
            assert!(ran.stderr.contains(&format!("at byte {offset}")), "{}", ran.stderr);
            assert!(ran.stdout == utf16le(good));
        }
    }
    let latin: String = text.iter().map(|&byte| char::from(byte)).collect();
    let mut late = latin.clone();
    late.insert(late.char_indices().nth(1_600_000).unwrap().0, '€');
    let ran = same("convert -t latin1", late.as_bytes());
    ran.ends(1).mentions(&["U+20AC"]);
    assert!(ran.stdout == text[..1_600_000]);
}

/// A file as standard input is read from its current position, and another program continues where
/// this one stopped.
#[test]
fn standard_input_from_its_position() {
    let d = Directory::new();
    let text = text(false);
    let mut file = File::open(d.write("in", &text)).unwrap();
    let start = text.char_indices().nth(54_321).unwrap().0;
    file.seek(SeekFrom::Start(start as u64)).unwrap();
    let mut run = placemat("convert -t utf-16le -j 3");
    let output = run.command.stdin(file.try_clone().unwrap()).output().unwrap();
    assert!(output.status.success());
    assert!(output.stdout == utf16le(&text[start..]));
    assert_eq!(file.stream_position().unwrap(), text.len() as u64);
}

/// Another program truncates the file before its end is read: the text ends there.
#[test]
fn a_file_that_becomes_shorter() {
    let d = Directory::new();
    let text = text(false).repeat(12);
    let path = d.write("in", &text);
    let start_of_last = text.char_indices().rfind(|&(at, c)| at < 15_000_000 && c == '漢').unwrap().0;
    let end = start_of_last + 1;
    let mut run = placemat("convert -t utf-16le -j 3 in").within(&d);
    let mut child = run.command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut from = child.stdout.take().unwrap();
    let mut start = [0; 2];
    from.read_exact(&mut start).unwrap();
    // The pipe fills up soon, so the output of a few pieces waits.
    File::options().write(true).open(path).unwrap().set_len(end as u64).unwrap();
    let mut output = start.to_vec();
    from.read_to_end(&mut output).unwrap();
    assert!(output == utf16le(&text[..start_of_last]));
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1), "{said}");
    assert!(said.contains(&format!("at byte {start_of_last}")), "{said}");
}
