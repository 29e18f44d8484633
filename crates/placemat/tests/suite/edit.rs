//! Editing in place: files in all encodings, with damage of all kinds. The oracle is the decoder of
//! whole texts, which knows nothing about documents: bytes outside a change must equal those of the
//! old file, and the whole new file is decoded.

use crate::subject::{cases, in_parallel};
use core::fmt::{self, Display, Formatter};
use core::ops::Range;
use placemat::edit::{Change, Document, EditError, Position};
use placemat::stream::Transcoder;
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};

pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.next() as usize % limit.max(1)
    }
    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// Returns the text of a file, without the bytes that do not decode.
fn decoded(bytes: &[u8], encoding: Encoding) -> String {
    let decoder = Transcoder::new(encoding, Encoding::UTF_8)
        .on_error(ErrorPolicy::Skip)
        .on_unmappable(UnmappablePolicy::Skip);
    String::from_utf8(decoder.transcode(bytes).unwrap()).unwrap()
}

fn encoded(text: &str, encoding: Encoding) -> Vec<u8> {
    encoding.encode(text, UnmappablePolicy::Skip).unwrap().into_owned()
}

/// Returns code points that the encoding represents.
fn repertoire(encoding: Encoding, random: &mut Random) -> Vec<char> {
    let mut some: Vec<char> = ('a'..='z')
        .chain([
            '+', '-', '~', '\\', 'é', 'д', '日', '本', '\u{301}', '\u{309A}', 'か', '😀', 'ア', 'ｱ', '한',
        ])
        .collect();
    for _ in 0..40 {
        let noise: Vec<u8> = (0..40).map(|_| random.next() as u8).collect();
        some.extend(decoded(&noise, encoding).chars().take(6));
    }
    some.retain(|c| !matches!(c, '\r' | '\n'));
    some.retain(|c| encoding.encode(c.encode_utf8(&mut [0; 4]), UnmappablePolicy::Stop).is_ok());
    some
}

fn line_end(random: &mut Random) -> &'static str {
    random.of(&["\n", "\n", "\r\n", "\r\n", "\r"])
}

/// Returns a file: a text with line ends of all kinds and damage, or noise.
fn file(encoding: Encoding, chars: &[char], random: &mut Random) -> Vec<u8> {
    let mut bytes = Vec::new();
    if random.below(4) == 0 {
        bytes.extend_from_slice(encoding.signature());
    }
    // The signature gives the byte order that encoders do not write.
    if !encoding.signature().is_empty() && random.below(6) == 0 {
        let text = Encoding::ALL.iter().find(|other| {
            let reversed = encoding.signature().iter().rev().eq(other.signature());
            reversed && other.name().ends_with("BE")
        });
        if let Some(other) = text.filter(|_| !encoding.name().ends_with("LE")) {
            let text: String = (0..60).map(|_| random.of(chars)).collect();
            return [other.signature(), &encoded(&text, *other)].concat();
        }
    }
    if random.below(6) == 0 {
        let len = random.of(&[0, 1, 3, 30, 300]);
        let high = random.below(2) as u8 * 0x80;
        bytes.extend((0..len).map(|_| random.next() as u8 | high));
        return bytes;
    }
    let mut text = String::new();
    let few: Vec<char> = (0..1 + random.below(12)).map(|_| random.of(chars)).collect();
    for _ in 0..random.of(&[0, 1, 2, 5, 20, 20, 200]) {
        for _ in 0..random.below(40) {
            text.push(if random.below(6) == 0 { random.of(chars) } else { random.of(&few) });
        }
        text += line_end(random);
    }
    if random.below(2) == 0 {
        text.push(random.of(chars));
    }
    if random.below(8) == 0 {
        text.push('\0');
    }
    bytes.extend(encoded(&text, encoding));
    for _ in 0..random.of(&[0, 0, 1, 3, 10]) {
        let at = random.below(bytes.len() + 1);
        let byte = random.next() as u8;
        match random.below(4) {
            0 if at < bytes.len() => bytes[at] = byte,
            1 if at < bytes.len() => drop(bytes.remove(at)),
            2 => bytes.truncate(bytes.len() - random.below(3).min(bytes.len())),
            _ => bytes.insert(at, byte),
        }
    }
    bytes
}

fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap()
}

/// A file and the last edit of it, which is shown only if a check fails.
struct Case<'a> {
    encoding: Encoding,
    file: &'a [u8],
    /// The text and the bytes before the edit, the range and the new text.
    edit: Option<(&'a str, &'a [u8], Range<usize>, &'a str)>,
}

impl Display for Case<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:02x?}", self.encoding, self.file)?;
        let Some((text, bytes, range, new)) = &self.edit else { return Ok(()) };
        write!(f, "\n{range:?} -> {new:?} in {text:?}\nnow {bytes:02x?}")
    }
}

/// Returns how far the bytes of a change may extend beyond those of the changed text and its
/// neighbors: to the next boundary of base64, or to a shift. Damage has no boundaries of its own.
fn reach(encoding: Encoding, has_bytes: bool) -> usize {
    match encoding.name() {
        _ if has_bytes => usize::MAX,
        // A change may affect the rest of a run, or the next code point after any number of spaces.
        "UTF-7" | "UTF-7-D" | "UTF-7-IMAP" | "BOCU-1" => usize::MAX,
        _ => 5,
    }
}

/// Returns the bytes of ISO-2022-CN without designations: an edit can repeat those that text far
/// after it needs.
fn without_designations(bytes: &[u8]) -> Vec<u8> {
    let (mut rest, mut without) = (bytes, Vec::new());
    while let Some((&byte, behind)) = rest.split_first() {
        match rest {
            [0x1B, b'$', b')'..=b'+', _, behind @ ..] => rest = behind,
            _ => {
                without.push(byte);
                rest = behind;
            }
        }
    }
    without
}

/// Checks that a change of a range of the text stays local. A run of shifts beside the range
/// belongs to it.
fn check_reach(what: &dyn Display, old: &Document, new: &[u8], range: &Range<usize>, change: &Change) {
    let (text, bytes) = (old.text(), old.to_bytes());
    let reach = reach(old.encoding(), old.stand_ins().is_some());
    let before = text[..range.start].chars().next_back().map_or(0, char::len_utf8);
    let behind = text[range.end..].chars().next().map_or(0, char::len_utf8);
    let byte_of = |at| old.text_to_byte(at).unwrap();
    let least = byte_of(range.start - before).min(byte_of(range.start).saturating_sub(reach));
    let most = byte_of(range.end + behind).max(byte_of(range.end).saturating_add(reach));
    let is_far = change.bytes.end > most
        && match old.encoding().name() {
            "ISO-2022-CN" | "ISO-2022-CN-EXT" => {
                let was = without_designations(&bytes[most..change.bytes.end]);
                let is = without_designations(&new[..change.bytes.start + change.len]);
                !is.ends_with(&was)
            }
            _ => true,
        };
    assert!(change.bytes.start >= least && !is_far, "{what}\n{change:?}, not {least}..{most}");
}

/// Edits one file at random, and checks each edit and the offsets.
fn check_file(encoding: Encoding, chars: &[char], bytes: &[u8], random: &mut Random) {
    let file = bytes;
    let what = &Case { encoding, file, edit: None };
    let mut document = Document::open(bytes, encoding).unwrap();
    assert_eq!(document.to_bytes(), bytes, "{what}");
    let text = document.text();
    check_text(what, &document, &text, bytes);
    // Edit each line separately.
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let change = document.replace(at..at + line.len(), line).unwrap();
        assert_eq!(change.len, 0, "{what}");
        at += line.len();
    }
    assert_eq!(document.to_bytes(), bytes, "{what}");
    let head = document.signature().len();
    for _ in 0..6 {
        let text = document.text();
        let old = document.to_bytes();
        let start = boundary(&text, random.below(text.len() + 1));
        let end = boundary(&text, start + random.of(&[0, 0, 1, 2, 5, 40])).max(start);
        let mut new: String = (0..random.of(&[0, 1, 1, 2, 5, 50])).map(|_| random.of(chars)).collect();
        if random.below(3) == 0 {
            new += line_end(random);
        }
        let what = &Case { encoding, file, edit: Some((&text, &old, start..end, &new)) };
        let edited = [&text[..start], &new, &text[end..]].concat();
        let has_bytes = document.stand_ins().is_some();
        let before = document.clone();
        match document.replace(start..end, &new) {
            Ok(change) => {
                let bytes = document.to_bytes();
                check_reach(what, &before, &bytes, &(start..end), &change);
                let Change { bytes: range, len, .. } = change;
                assert_eq!(old.len() - range.len() + len, bytes.len(), "{what}");
                assert_eq!(old[..range.start], bytes[..range.start], "{what}");
                assert_eq!(old[range.end..], bytes[range.start + len..], "{what}");
                check_text(what, &document, &edited, &bytes);
                let fresh = Document::open(&bytes, encoding).unwrap();
                if fresh.stand_ins() == document.stand_ins() {
                    let again = fresh.text();
                    // A U+FEFF that came to the start is a signature now.
                    let signed =
                        fresh.signature().len() > head && edited.strip_prefix('\u{FEFF}') == Some(&again);
                    assert!(again == edited || signed, "{what}\n{again:?}");
                }
            }
            Err(e) => {
                assert_eq!(document.to_bytes(), old, "{what}");
                assert_eq!(document.text(), text, "{what}");
                match e {
                    EditError::Unmappable(e) => {
                        let c = e.code_point().to_char().unwrap();
                        assert!(new[e.offset() as usize..].starts_with(c), "{what}\n{e}");
                    }
                    // A mark of MARC-8 needs a base before it. Controls can become part of an
                    // escape sequence, so no bytes of the encoding represent that text. Elsewhere,
                    // only undecodable bytes can prevent an edit.
                    EditError::ReadsOtherwise => {
                        let is_held = decoded(&encoded(&edited, encoding), encoding) == edited;
                        assert!(has_bytes || encoding == Encoding::MARC_8 || !is_held, "{what}");
                    }
                    e => panic!("{e}: {what}"),
                }
            }
        }
    }
    check_many(what, &document, chars, random);
    if random.below(8) == 0 {
        check_offsets(what, &document);
    }
}

/// Changes made at once give the same result as changes made one by one, whether each is passed
/// separately or all are parts of one.
fn check_many(what: &dyn Display, document: &Document, chars: &[char], random: &mut Random) {
    let text = document.text();
    let (mut changes, mut at) = (Vec::new(), 0);
    while changes.len() < 12 {
        let start = boundary(&text, at + random.of(&[0, 1, 3, 9, 300]));
        let end = boundary(&text, start + random.of(&[0, 0, 1, 2, 9])).max(start);
        if start < at {
            break;
        }
        at = end;
        let new: String = (0..random.of(&[0, 1, 1, 2, 5])).map(|_| random.of(chars)).collect();
        changes.push((start..end, new));
    }
    let mut one_by_one = document.clone();
    let made = changes.iter().rev().all(|(range, new)| one_by_one.replace(range.clone(), new).is_ok());
    let borrowed: Vec<_> = changes.iter().map(|(range, new)| (range.clone(), new.as_str())).collect();
    let whole = |old: &str, new: &str| vec![(0..old.len(), 0..new.len())];
    let mut at_once = document.clone();
    let result = at_once.replace_all(&borrowed, whole);
    let (mut wanted, mut parts, mut copied) = (String::new(), Vec::new(), 0);
    for (range, new) in &changes {
        wanted += &text[copied..range.start];
        parts.push((range.clone(), wanted.len()..wanted.len() + new.len()));
        wanted += new;
        copied = range.end;
    }
    wanted += &text[copied..];
    let mut as_parts = document.clone();
    let in_parts = as_parts.replace_all(&[(0..text.len(), &wanted)], |_, _| parts.clone());
    if !made {
        // Some changes are possible together that are not possible one after the other.
        if result.is_ok() {
            check_text(what, &at_once, &wanted, &at_once.to_bytes());
        }
        return;
    }
    let case = || format!("{what}\n{changes:?} in {text:?}");
    // Changes from the last to the first may be possible where a change divides undecodable bytes.
    let is_refused = |result| matches!(result, Err((_, EditError::ReadsOtherwise)));
    if document.stand_ins().is_some() && (is_refused(result) || is_refused(in_parts)) {
        return;
    }
    assert_eq!((result, in_parts), (Ok(()), Ok(())), "{}", case());
    for edited in [&at_once, &as_parts] {
        check_text(what, edited, &wanted, &edited.to_bytes());
        if is_alike_everywhere(document.encoding()) && document.stand_ins().is_none() {
            assert_eq!(edited.to_bytes(), one_by_one.to_bytes(), "{}", case());
        }
    }
}

/// Returns `true` if the bytes of a code point do not depend on its neighbors.
fn is_alike_everywhere(encoding: Encoding) -> bool {
    [Encoding::UTF_8, Encoding::UTF_16LE, Encoding::UTF_32BE, Encoding::GBK, Encoding::SHIFT_JIS]
        .into_iter()
        .chain([Encoding::GB18030, Encoding::CESU_8, Encoding::WINDOWS_1252, Encoding::EUC_TW])
        .any(|one| one == encoding)
}

/// Asserts that a document has this text, and that the decoder of whole texts reads the same from
/// its bytes.
fn check_text(what: &dyn Display, document: &Document, text: &str, bytes: &[u8]) {
    assert_eq!(document.text(), text, "{what}");
    assert_eq!(document.to_bytes(), bytes, "{what}");
    let is_text = |&c: &char| document.stand_ins().is_none_or(|s| s.byte_of(c).is_none());
    let plain: String = text.chars().filter(is_text).collect();
    let whole = decoded(bytes, document.encoding());
    // The decoder reads some signatures as text.
    let signed = !document.signature().is_empty() && whole.strip_prefix('\u{FEFF}') == Some(&plain);
    assert!(plain == whole || signed, "{what}\n{plain:?}\n{whole:?}");
}

/// Checks all offsets against the whole text.
fn check_offsets(what: &dyn Display, document: &Document) {
    let text = document.text();
    let (mut utf16, mut position) = (0, Position::default());
    let mut byte = document.signature().len();
    let mut chars = text.char_indices().peekable();
    let all = [text.len(), document.text_len(), text.encode_utf16().count(), document.utf16_len()];
    assert_eq!((all[0], all[2]), (all[1], all[3]), "{what}");
    loop {
        let next = chars.next();
        let at = next.map_or(text.len(), |(at, _)| at);
        // In a long text, some offsets are enough.
        if at % (1 + text.len() / 40) < 3 || next.is_none() {
            assert_eq!(document.utf16_of_text(at), Some(utf16), "{what}, {at}");
            assert_eq!(document.text_of_utf16(utf16), Some(at), "{what}, {at}");
            let within = next.is_some_and(|(_, c)| c == '\n') && text[..at].ends_with('\r');
            if !within {
                assert_eq!(document.position_of_text(at), Some(position), "{what}, {at}");
                assert_eq!(document.text_of_position(position), Some(at), "{what}, {at}");
            }
            let here = document.text_to_byte(at).unwrap();
            assert!(here >= byte, "{what}, {at}");
            // A step may yield several code points.
            let back = document.text_of_byte(here).unwrap();
            assert!(back == at || back < at && document.text_to_byte(back) == Some(here), "{what}, {at}");
            byte = here;
            if let Some(stand_in) = next.and_then(|(_, c)| document.stand_ins()?.byte_of(c)) {
                assert_eq!(document.to_bytes()[here], stand_in, "{what}, {at}");
            }
        }
        let Some((_, c)) = next else { break };
        utf16 += c.len_utf16();
        position.column += c.len_utf16();
        if c == '\n' || c == '\r' && chars.peek().is_none_or(|(_, c)| *c != '\n') {
            position = Position::new(position.line + 1, 0);
        }
    }
    assert_eq!(document.line_count(), position.line + 1, "{what}");
    assert_eq!(byte, document.len(), "{what}");
    assert_eq!(document.text_to_byte(text.len() + 1), None);
    assert_eq!(document.text_of_byte(byte + 1), None);
    assert_eq!(document.utf16_of_text(text.len() + 1), None);
    assert_eq!(document.text_of_utf16(utf16 + 1), None);
    assert_eq!(document.text_of_position(Position::new(position.line + 1, 0)), None);
    assert_eq!(document.text_of_position(Position::new(position.line, usize::MAX)), Some(text.len()));
}

/// Documents are stored in chunks, between which CR and LF may be apart.
#[test]
fn an_offset_between_cr_and_lf_is_that_of_cr_wherever_they_are() {
    for encoding in [Encoding::UTF_8, Encoding::UTF_16LE] {
        // With other numbers of lines, the chunks end at other places of a line.
        for lines in (1370..1380).chain([5000]) {
            let text = "a\r\n".repeat(lines);
            let document = Document::open(&encoded(&text, encoding), encoding).unwrap();
            for at in (0..=text.len())
                .filter(|at| lines > 2000 || at % 1000 < 60 || at.abs_diff(text.len() / 2) < 9)
            {
                let position = Position::new(at / 3, [0, 1, 1][at % 3]);
                assert_eq!(document.position_of_text(at), Some(position), "{encoding}, {lines}: {at}");
            }
        }
    }
}

/// Files in every encoding: 10,000 each in a long run.
#[test]
fn every_encoding() {
    let files = cases(5, 100, 10_000);
    let all: Vec<_> =
        Encoding::ALL.iter().copied().filter(|encoding| encoding.name() != "replacement").collect();
    in_parallel(all.len(), |i| {
        let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ (i as u64 + 1) << 8);
        let chars = repertoire(all[i], &mut random);
        for _ in 0..files {
            let bytes = file(all[i], &chars, &mut random);
            check_file(all[i], &chars, &bytes, &mut random);
        }
    });
}

/// Shifts on which text far after an edit depends, and text that looks like a shift.
#[test]
fn shifts_beside_edits() {
    let edited = |encoding, bytes: &[u8], range: Range<usize>, new| {
        let mut document = Document::open(bytes, encoding).unwrap();
        document.replace(range, new).map(|change| (change.bytes, change.len, document.to_bytes()))
    };
    // Bytes of GB 2312 read the same without a designation, so they stay.
    let bytes = b"abcdef\nab\x0E\x27\x55\x0Fcd\n";
    let new = b"ab\x1B$)A\x0E\x48\x55\x0Fcdef\nab\x0E\x27\x55\x0Fcd\n".to_vec();
    assert_eq!(edited(Encoding::ISO_2022_CN, bytes, 2..2, "日"), Ok((2..2, 8, new)));
    // A run of shifts without text ends where text follows.
    let (range, _, new) = edited(Encoding::SCSU, b"a\x18\x0C\x19\x15\x10", 1..1, "Ä").unwrap();
    assert!(range.start >= 1 && decoded(&new, Encoding::SCSU) == "aÄ", "{new:02x?}");
    // Text that looks like an escape must not come before a byte of an escape sequence.
    let refused = edited(Encoding::ISO_2022_KR, b"\x1B2$)C", 1..3, "");
    assert_eq!(refused, Err(EditError::ReadsOtherwise));
}

/// In ISCII, two dandas side by side are a double danda, unless their script is announced between them.
#[test]
fn bytes_that_would_be_read_together_are_kept_apart() {
    for (old, range, new, wanted) in [
        (&b"a\xEA\nb"[..], 0..1, "3।", &b"3\xEA\xEF\x4A\xEA\nb"[..]),
        (b"\xEA\xB3", 3..3, "।", b"\xEA\xEF\x4A\xEA\xB3"),
        (b"\xEAa\xEA", 3..4, "", b"\xEA\xEF\x4A\xEA"),
    ] {
        let mut document = Document::open(old, Encoding::ISCII_GUJARATI).unwrap();
        document.replace(range, new).unwrap();
        assert_eq!(document.to_bytes(), wanted, "{old:02x?}");
    }
}

/// A designation serves all text after it. However far away that is, it keeps its meaning after an edit.
#[test]
fn text_far_after_an_edit_keeps_its_meaning() {
    // A character of CNS 11643, and the same one after text that needs no designation.
    let (designated, again) = (b"\x1B$)G\x0E\x44\x3A\x0F", b"\x0E\x44\x3A\x0F\n");
    for len in [0, 60, 100, 5000, 50_000] {
        let file = [&designated[..], &b"x".repeat(len), again].concat();
        let mut document = Document::open(&file, Encoding::ISO_2022_CN).unwrap();
        let text = document.text();
        let c = text.chars().next().unwrap();
        assert_eq!(text, format!("{c}{}{c}\n", "x".repeat(len)));
        for new in ["", "y", "日"] {
            let mut document = document.clone();
            document.replace(0..c.len_utf8(), new).unwrap();
            let wanted = format!("{new}{}{c}\n", "x".repeat(len));
            assert_eq!(decoded(&document.to_bytes(), Encoding::ISO_2022_CN), wanted, "{len} {new}");
        }
        document
            .replace_all(&[(0..c.len_utf8(), "日"), (c.len_utf8()..c.len_utf8(), "z")], |_, _| vec![])
            .unwrap();
        let wanted = format!("日z{}{c}\n", "x".repeat(len));
        assert_eq!(decoded(&document.to_bytes(), Encoding::ISO_2022_CN), wanted, "{len}");
    }
}

/// The designation at the start of ISO-2022-KR serves the whole text: it stays there, and is not written again.
#[test]
fn the_header_of_iso_2022_kr_is_written_once() {
    let header = b"\x1B$)C";
    let file = [&header[..], b"abc \x0E\x30\x21\x0F def\n"].concat();
    for (range, new, bytes) in [
        (0..0, "x", &b"xabc \x0E\x30\x21\x0F def\n"[..]),
        (0..1, "x", b"xbc \x0E\x30\x21\x0F def\n"),
        (0..1, "가", b"\x0E\x30\x21\x0Fbc \x0E\x30\x21\x0F def\n"),
        (1..1, "x", b"axbc \x0E\x30\x21\x0F def\n"),
        (2..2, "가", b"ab\x0E\x30\x21\x0Fc \x0E\x30\x21\x0F def\n"),
        (4..7, "x", b"abc x def\n"),
        (0..1, "", b"bc \x0E\x30\x21\x0F def\n"),
        (0..12, "", b""),
        (0..12, "가", b"\x0E\x30\x21\x0F"),
    ] {
        let mut document = Document::open(&file, Encoding::ISO_2022_KR).unwrap();
        assert_eq!(document.text(), "abc 가 def\n");
        let mut at_once = document.clone();
        document.replace(range.clone(), new).unwrap();
        assert_eq!(document.to_bytes(), [header, bytes].concat(), "{range:?} {new}");
        at_once.replace_all(&[(range.clone(), new)], |_, _| vec![]).unwrap();
        assert_eq!(at_once.to_bytes(), [header, bytes].concat(), "{range:?} {new}");
    }
}

/// Text of ISO-2022-JP before which ASCII is inserted keeps its bytes, and so does text after which it is.
#[test]
fn ascii_beside_a_shift_is_written_outside_of_it() {
    let file = b"\x1B$B\x46\x7C\x4B\x5C\x1B(B\n";
    let mut document = Document::open(file, Encoding::ISO_2022_JP).unwrap();
    assert_eq!(document.text(), "日本\n");
    document.replace(6..6, "b").unwrap();
    document.replace(0..0, "a").unwrap();
    assert_eq!(document.to_bytes(), b"a\x1B$B\x46\x7C\x4B\x5C\x1B(Bb\n");
    document.replace(1..1, "本").unwrap();
    assert_eq!(document.to_bytes(), b"a\x1B$B\x4B\x5C\x46\x7C\x4B\x5C\x1B(Bb\n");
}

/// In an encoding with states, an encoder of the whole text would write text after a change in another way. Its bytes stay.
#[test]
fn changes_made_at_once_keep_the_bytes_around_them() {
    // A window for Cyrillic letters is chosen before the word.
    let file = b"abc \x12\x9F\xC0\xB8\xB2\xB5\xC2\n";
    let mut document = Document::open(file, Encoding::SCSU).unwrap();
    assert_eq!(document.text(), "abc Привет\n");
    let mut alone = document.clone();
    document.replace_all(&[(0..3, "Она")], |_, _| vec![]).unwrap();
    alone.replace(0..3, "Она").unwrap();
    assert_eq!(document.text(), "Она Привет\n");
    assert_eq!(document.to_bytes(), alone.to_bytes());
    assert!(document.to_bytes().ends_with(&file[3..]), "{}", document.to_bytes().escape_ascii());
}

/// Edits a large file many times, and compares it with a string.
#[test]
fn many_edits() {
    let encodings = [
        Encoding::UTF_8,
        Encoding::UTF_16,
        Encoding::SHIFT_JIS,
        Encoding::ISO_2022_JP,
        Encoding::UTF_7,
        Encoding::SCSU,
        Encoding::BOCU_1,
    ];
    in_parallel(encodings.len(), |i| {
        let encoding = encodings[i];
        let mut random = Random(77 + i as u64);
        let mut text: String = (0..9000).map(|n| format!("{n}: naka 日本語の文 だ\r\n")).collect();
        let mut document = Document::open(&encoded(&text, encoding), encoding).unwrap();
        for n in 0..4000 {
            let start =
                boundary(&text, if n % 2 == 0 { random.below(text.len()) } else { text.len() / 3 + n });
            let end = boundary(&text, start + random.of(&[0, 0, 1, 3, 30, 3000])).max(start);
            let new = random.of(&["", "x", "日", "つまり 日本", "a\rb\n"]).repeat(random.of(&[1, 1, 1, 200]));
            document.replace(start..end, &new).unwrap();
            text.replace_range(start..end, &new);
        }
        check_text(&encoding, &document, &text, &document.to_bytes());
        let signature = document.signature().len();
        assert_eq!(document.text_to_byte(text.len()), Some(document.len()), "{encoding}");
        assert!(document.text_to_byte(0).unwrap() >= signature);
        for _ in 0..300 {
            let at = boundary(&text, random.below(text.len()));
            let line = text[..at].replace("\r\n", "\n").matches(['\r', '\n']).count();
            let position = document.position_of_text(at).unwrap();
            if !(text[..at].ends_with('\r') && text[at..].starts_with('\n')) {
                assert_eq!(position.line, line, "{encoding}, {at}");
                assert_eq!(document.text_of_position(position), Some(at), "{encoding}, {at}");
            }
            assert_eq!(
                document.utf16_of_text(at),
                Some(text[..at].encode_utf16().count()),
                "{encoding}, {at}"
            );
        }
    });
}

/// Between changes of a large file, sequences that no encoder writes stay, and so do undecodable
/// bytes.
#[test]
fn many_edits_at_once() {
    let line = b"\x81\xE6 \x87\x9A one,two \xFF\xA0\r\n";
    let text = Document::open(line, Encoding::SHIFT_JIS).unwrap().text();
    let mut document = Document::open(&line.repeat(20_000), Encoding::SHIFT_JIS).unwrap();
    let at = text.find(',').unwrap();
    let changes: Vec<_> = (0..20_000)
        .map(|n| n * text.len() + at)
        .map(|at| (at..at + 1, ["; ", "", "\u{10FEFF}", "日"][at % 4]))
        .collect();
    let expected: Vec<u8> = changes
        .iter()
        .flat_map(|(_, new)| {
            let new: &[u8] = match *new {
                "日" => b"\x93\xFA",
                "\u{10FEFF}" => b"\xFF",
                other => other.as_bytes(),
            };
            [&line[..line.len() - 9], new, &line[line.len() - 8..]].concat()
        })
        .collect();
    assert_eq!(line[line.len() - 9], b',');
    document.replace_all(&changes, |old, new| vec![(0..old.len(), 0..new.len())]).unwrap();
    let refused = |changes: &[(Range<usize>, &str)]| {
        let mut document = Document::open("日本\n".as_bytes(), Encoding::SHIFT_JIS).unwrap();
        document.replace_all(changes, |old, new| vec![(0..old.len(), 0..new.len())])
    };
    assert_eq!(document.to_bytes(), expected);
    assert_eq!(refused(&[(0..3, "a"), (2..3, "b")]), Err((1, EditError::Range)));
    assert_eq!(refused(&[(0..3, "a"), (4..6, "b")]), Err((1, EditError::Range)));
    assert_eq!(refused(&[(0..99, "a")]), Err((0, EditError::Range)));
    let (index, EditError::Unmappable(e)) = refused(&[(0..3, "a"), (3..6, "b😀")]).unwrap_err() else {
        panic!("an emoji in Shift_JIS")
    };
    assert_eq!((index, e.offset(), e.code_point().value()), (1, 1, 0x1F600));
}

/// A text with some characters of each row of code points needs other placeholders.
#[test]
fn stand_ins_are_no_text() {
    let row = |row: u32| char::from_u32(row << 8 | 0x55);
    let all: String = (0..0x1100).filter_map(row).collect();
    let mut bytes = all.clone().into_bytes();
    bytes.extend_from_slice(b"\xFF!\xFE");
    let mut document = Document::open(&bytes, Encoding::UTF_8).unwrap();
    let stand_ins = document.stand_ins().unwrap().clone();
    let text = format!("{all}{}!{}", stand_ins.char_of(0xFF), stand_ins.char_of(0xFE));
    assert_eq!(document.text(), text);
    assert!(!(0..=255).any(|byte| all.contains(stand_ins.char_of(byte))));
    // Lines are moved, copied and deleted.
    let at = all.len();
    document.replace(at..text.len(), &format!("{0}{0}?", stand_ins.char_of(0xFE))).unwrap();
    assert_eq!(document.to_bytes()[at..], *b"\xFE\xFE?");
    // The last byte of a lone surrogate begins a code point.
    for (encoding, bytes) in [(Encoding::UTF_7, &b"f,+2D3ueAA,h"[..]), (Encoding::UTF_7_IMAP, b"q&2AA0ACg-X")]
    {
        let document = Document::open(bytes, encoding).unwrap();
        check_offsets(&encoding, &document);
        assert_eq!(document.to_bytes(), bytes);
    }
    // A byte that would complete a sequence is refused.
    let mut cut = Document::open(b"\xE2\x82 \xAC", Encoding::UTF_8).unwrap();
    let text = cut.text();
    let space = text.find(' ').unwrap();
    assert_eq!(cut.replace(space..space + 1, ""), Err(EditError::ReadsOtherwise));
    assert_eq!(cut.text(), text);
}

/// Edits beside bytes that are no text, whose steps end after the change.
#[test]
fn bytes_that_are_no_text() {
    let files = [&b"\x1F\x1F\x1F\x1F\x1F\xC7\xC7"[..], b"\x1B\xC7\x0E\x1B$\xDF", b"\xFF\xD8\x00\xDC~{~"];
    in_parallel(Encoding::ALL.len(), |i| {
        let encoding = Encoding::ALL[i];
        for bytes in files {
            let document = Document::open(bytes, encoding).unwrap();
            let text = document.text();
            let borders: Vec<usize> = (0..=text.len()).filter(|&at| text.is_char_boundary(at)).collect();
            for (at, &start) in borders.iter().enumerate() {
                for &end in &borders[at..] {
                    for new in ["", "@Ց", "+", "\u{80}"] {
                        let mut edited = document.clone();
                        let wanted = match edited.replace(start..end, new) {
                            Ok(_) => [&text[..start], new, &text[end..]].concat(),
                            Err(_) => text.clone(),
                        };
                        assert_eq!(edited.text(), wanted, "{encoding} {bytes:?} {start}..{end} {new}");
                    }
                }
            }
        }
    });
}

/// A code point that represents a byte in other documents is text here, and an encoder that leaves damage in its place is
/// refused.
#[test]
fn text_that_looks_like_a_stand_in_stays_text() {
    for name in ["utf-7-imap", "utf-7", "utf-8", "gb18030", "scsu", "bocu-1", "utf-16le", "utf-ebcdic"] {
        let encoding = Encoding::for_label(name).expect("a label");
        for stand_in in ['\u{10FE26}', '\u{10FE2D}', '\u{10FE1B}', '\u{10FE00}'] {
            let text = format!(" {}{stand_in}{}", "\u{1B}".repeat(19), "\u{1B}".repeat(9));
            let mut document = Document::open(b"", encoding).expect("an encoding of text");
            document.replace(0..0, &text).expect("the encoding has them all");
            for at in [19, 1, 7, 2] {
                document.replace(at..at + 1, "").expect("less text");
                let bytes = document.to_bytes();
                let read = encoding.decode(&bytes, ErrorPolicy::Stop).expect("well-formed").into_owned();
                assert_eq!(read, document.text(), "{name}: {stand_in:?} at {at}: {bytes:02x?}");
            }
        }
    }
}
