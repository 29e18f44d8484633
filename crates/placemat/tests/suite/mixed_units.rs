//! Files in which UTF-16 or UTF-32 occurs beside single bytes: `>>` of `PowerShell`, and programs
//! that append to its files.

use crate::subject::in_turn;
use placemat::detect;
use placemat::detect::{Detector, Regions, Verdict};
use placemat::repair::{Change, Repairer, Step, undo};
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};

const WIDE: [Encoding; 4] = [Encoding::UTF_16LE, Encoding::UTF_16BE, Encoding::UTF_32LE, Encoding::UTF_32BE];

const LOG: &str = "2024-05-01 12:00:01 INFO service started\n2024-05-01 12:00:02 WARN cache is cold\n";
const RUSSIAN: &str = "Привет, как дела?\nВсё в порядке, спасибо.\n";
const JAPANESE: &str = "これは日本語の文章です。\n東京は今日も雨が降っています。\n";

fn in_encoding(encoding: Encoding, text: &str) -> Vec<u8> {
    if encoding == Encoding::UTF_16LE {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    } else if encoding == Encoding::UTF_16BE {
        text.encode_utf16().flat_map(u16::to_be_bytes).collect()
    } else if encoding == Encoding::UTF_32LE {
        text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect()
    } else if encoding == Encoding::UTF_32BE {
        text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect()
    } else {
        encoding.encode(text, UnmappablePolicy::Stop).unwrap().to_vec()
    }
}

/// Texts, each in an encoding.
type Parts<'a> = &'a [(Encoding, &'a str)];

fn join(parts: Parts<'_>) -> Vec<u8> {
    parts.iter().flat_map(|&(encoding, text)| in_encoding(encoding, text)).collect()
}

/// Returns a repaired text, its changes and its encoding, repaired piece by piece.
fn repair_in_pieces(src: &[u8], piece: usize, learns: bool) -> (String, Vec<Change>, Encoding) {
    let mut repairer = Repairer::new();
    if learns {
        src.chunks(piece + 3).for_each(|piece| repairer.learn(piece));
    }
    let (mut text, mut changes) = (String::new(), Vec::new());
    src.chunks(piece).for_each(|piece| repairer.push(piece, &mut text, |change| changes.push(change)));
    let encoding = repairer.encoding();
    repairer.finish(&mut text, |change| changes.push(change));
    (text, changes, encoding)
}

/// Runs all checks on a file that is made of texts.
fn check(parts: Parts<'_>) {
    let src = join(parts);
    let want: String = parts.iter().map(|part| part.1).collect();
    let names =
        || parts.iter().map(|(encoding, text)| format!("{encoding} {}", text.len())).collect::<Vec<_>>();
    // The parts that are separate regions: adjacent parts in the same encoding are one.
    let mut lens: Vec<(Encoding, u64)> = Vec::new();
    for &(encoding, text) in parts {
        let len = in_encoding(encoding, text).len() as u64;
        match lens.last_mut() {
            Some((last, all)) if *last == encoding => *all += len,
            _ => lens.push((encoding, len)),
        }
    }
    let found = detect(&src);
    assert_eq!(found.verdict, Verdict::Text, "{:?} {:?}", names(), detect::regions(&src));
    for (encoding, _) in &lens {
        assert!(found.mixed.contains(encoding), "{:?} {:?}", names(), found.mixed);
    }
    let total = |encoding| lens.iter().filter(|own| own.0 == encoding).map(|own| own.1).sum::<u64>();
    let best = found.mixed.iter().map(|&encoding| total(encoding)).max();
    assert_eq!(found.encoding.map(total), best, "{:?}", names());
    assert!(found.confidence >= 0.5 && found.confidence < 1.0);

    let mut regions = Regions::new();
    regions.learn(&src);
    let mut shown = Vec::new();
    src.chunks(777).for_each(|piece| regions.feed(piece, |region| shown.push(region)));
    regions.finish(|region| shown.push(region));
    let shown_lens: Vec<_> = shown.iter().map(|region| (region.encoding, region.len)).collect();
    assert_eq!(shown_lens, lens, "{:?}", names());
    let (mut offset, mut line) = (0, 1);
    for region in &shown {
        assert_eq!((region.offset, region.line), (offset, line), "{:?}", names());
        offset += region.len;
        let text = &src[region.offset as usize..offset as usize];
        let text = region.encoding.decode(text, ErrorPolicy::Replace).unwrap();
        line += text.matches('\n').count() as u64;
    }

    let repaired = Repairer::new().repair(&src);
    let want = want.replace('\u{FEFF}', "");
    assert!(repaired.text == want, "{:?}\n{:.900}\n{:.900}", names(), repaired.text, want);
    let back = undo(repaired.text.as_bytes(), repaired.encoding, &repaired.changes);
    assert!(back.is_ok_and(|back| back == src), "{:?}", names());
    // One of many calls is enough for each length.
    let pieces = if src.len() < 1000 { [1, 7] } else { [4096, 65_537] };
    for piece in [pieces[src.len() / 2 % 2]] {
        for learns in [false, true] {
            let (text, changes, encoding) = repair_in_pieces(&src, piece, learns);
            assert!(text == want || !learns, "{:?} {piece}", names());
            assert_eq!(undo(text.as_bytes(), encoding, &changes).unwrap(), src, "{:?} {piece}", names());
            if learns {
                assert_eq!((changes.len(), encoding), (repaired.changes.len(), repaired.encoding), "{piece}");
            }
        }
        let mut detector = Detector::new();
        src.chunks(piece).for_each(|piece| detector.feed(piece));
        assert_eq!(detector.finish(), found, "{:?} {piece}", names());
    }
}

#[test]
fn utf16_is_found_after_ascii() {
    for encoding in WIDE {
        for text in [LOG, RUSSIAN, JAPANESE, "one more line\n", "\u{FEFF}one more line\n", "\u{FEFF}Привет\n"]
        {
            check(&[(Encoding::UTF_8, LOG), (encoding, text)]);
            let [crlf, log] = [text, LOG].map(|text| text.replace('\n', "\r\n"));
            check(&[(Encoding::UTF_8, &log), (encoding, &crlf)]);
        }
        // The region begins at any phase. With fewer bytes before it, those are read as code units
        // too.
        for len in 5..9 {
            check(&[(Encoding::UTF_8, &format!("{}\n", &"abcdefgh"[..len])), (encoding, LOG)]);
        }
    }
}

#[test]
fn ascii_is_found_after_utf16() {
    for encoding in WIDE {
        for text in [LOG, "hello\nworld\n", RUSSIAN, JAPANESE] {
            for tail in ["appended line in ascii\n", "appended\r\n", LOG] {
                check(&[(encoding, &format!("\u{FEFF}{text}")), (Encoding::UTF_8, tail)]);
                check(&[(encoding, text), (Encoding::UTF_8, tail)]);
            }
        }
    }
}

#[test]
fn utf16_is_found_beside_utf8() {
    let utf8 = "Les élèves vont à l’école, même en été.\nNoël approche déjà.\n";
    for encoding in WIDE {
        for text in [LOG, RUSSIAN, JAPANESE, "Une ligne de plus, très courte.\r\n"] {
            check(&[(Encoding::UTF_8, utf8), (encoding, text)]);
            check(&[(encoding, text), (Encoding::UTF_8, utf8)]);
            check(&[(Encoding::UTF_8, RUSSIAN), (encoding, text)]);
            check(&[(Encoding::UTF_8, JAPANESE), (encoding, text)]);
        }
    }
}

#[test]
fn utf16_is_found_in_the_middle_of_a_log() {
    let utf8 = (Encoding::UTF_8, LOG);
    for encoding in WIDE {
        for text in ["stderr: no such file\r\n", RUSSIAN, JAPANESE, "\u{FEFF}appended by a script\r\n"] {
            let part = (encoding, text);
            check(&[utf8, part, utf8, part, utf8, utf8, part, utf8]);
        }
    }
    let (le, be) = ((Encoding::UTF_16LE, LOG), (Encoding::UTF_16BE, LOG));
    check(&[utf8, le, utf8, be, utf8, (Encoding::UTF_16BE, RUSSIAN), utf8]);
}

#[test]
fn utf16_is_found_beside_a_legacy_encoding() {
    let french = "Les élèves vont à l'école, même en été, où l'hôtel est bondé.\nNoël approche déjà.\n";
    let russian = "Это довольно длинная строка в старой кодировке.\nИ ещё одна, покороче.\n";
    for encoding in [Encoding::UTF_16LE, Encoding::UTF_16BE] {
        check(&[(Encoding::WINDOWS_1252, french), (encoding, LOG)]);
        check(&[(Encoding::WINDOWS_1251, russian), (encoding, RUSSIAN)]);
        check(&[(encoding, LOG), (Encoding::WINDOWS_1251, russian)]);
    }
}

#[test]
fn regions_are_found_at_the_borders_of_blocks_and_in_long_files() {
    for border in [1024, 16 * 1024, 64 * 1024] {
        for shift in [-3_i64, -2, -1, 0, 1, 2, 500] {
            let len = usize::try_from(border + shift).unwrap();
            let line = "a line of a log that is rather long and has nothing special\n";
            let mut text = line.repeat(len / line.len() + 1);
            text.truncate(len - 1);
            text.push('\n');
            for after in [LOG, RUSSIAN, JAPANESE] {
                check(&[(Encoding::UTF_8, &text), (Encoding::UTF_16LE, after), (Encoding::UTF_8, LOG)]);
            }
        }
    }
    let (log, wide) = (LOG.repeat(30_000), [LOG, RUSSIAN, JAPANESE].concat().repeat(5000));
    let half = &wide[..wide.floor_char_boundary(wide.len() / 2)];
    check(&[(Encoding::UTF_8, &log), (Encoding::UTF_16LE, &wide), (Encoding::UTF_8, LOG)]);
    check(&[(Encoding::UTF_16LE, half), (Encoding::UTF_8, &log), (Encoding::UTF_16LE, LOG)]);
}

/// Blocks of plain UTF-16 text are skipped, so other text has to be found at every offset of a
/// block.
#[test]
fn other_text_is_found_at_every_place_of_long_utf16() {
    let korean = "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.\n";
    for text in [LOG, RUSSIAN, JAPANESE, korean] {
        let text = text.repeat(6000 / text.len());
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        for (n, at) in ends.filter(|&at| at < text.len()).enumerate() {
            if !in_turn(n, 4) {
                continue;
            }
            let (before, after) = text.split_at(at);
            for other in ["appended line in ascii\n", "Noël approche déjà, même ici.\n", RUSSIAN] {
                let wide = |text| (Encoding::UTF_16LE, text);
                check(&[wide(before), (Encoding::UTF_8, other), wide(after)]);
            }
        }
    }
}

/// Returns the encodings and lengths of the regions of a file that comes in two pieces.
fn regions_in_two_pieces(src: &[u8], cut: usize) -> Vec<(Encoding, u64)> {
    let mut regions = Regions::new();
    regions.learn(src);
    let mut found = Vec::new();
    let (first, second) = src.split_at(cut);
    regions.feed(first, |region| found.push((region.encoding, region.len)));
    regions.feed(second, |region| found.push((region.encoding, region.len)));
    regions.finish(|region| found.push((region.encoding, region.len)));
    found
}

/// The end of a piece decides about nothing: the bytes before it may begin a region.
#[test]
fn a_border_is_found_wherever_pieces_end() {
    let log = LOG.repeat(60);
    for encoding in WIDE {
        let parts = [(Encoding::UTF_8, &*log), (encoding, LOG), (Encoding::UTF_8, LOG)];
        let src = join(&parts);
        let lens = parts.map(|(encoding, text)| (encoding, in_encoding(encoding, text).len() as u64));
        let border = log.len();
        for cut in
            [border, border + in_encoding(encoding, LOG).len()].into_iter().flat_map(|at| at - 9..at + 9)
        {
            assert_eq!(regions_in_two_pieces(&src, cut), lens, "{encoding} {cut}");
            let mut repairer = Repairer::new();
            let mut text = String::new();
            repairer.learn(&src);
            repairer.push(&src[..cut], &mut text, |_| {});
            repairer.push(&src[cut..], &mut text, |_| {});
            repairer.finish(&mut text, |_| {});
            assert_eq!(text, [&*log, LOG, LOG].concat(), "{encoding} {cut}");
        }
    }
}

/// Blocks of 1024 bytes are read at once. A region at any phase may end one byte before or after the end of a block.
#[test]
fn a_region_ends_anywhere_near_the_end_of_a_block() {
    let long = RUSSIAN.repeat(60);
    for encoding in WIDE {
        let unit = in_encoding(encoding, "a").len();
        for start in 5..9 {
            let head = format!("{}\n", &"abcdefgh"[..start]);
            for len in 4 * 1024 - 5..=4 * 1024 + 5 {
                if (len - head.len()) % unit != 0 {
                    continue;
                }
                let text: String = long.chars().take((len - head.len()) / unit).collect();
                let src = join(&[(Encoding::UTF_8, &head), (encoding, &text)]);
                assert_eq!(src.len(), len);
                let lens = [(Encoding::UTF_8, head.len() as u64), (encoding, (len - head.len()) as u64)];
                assert_eq!(regions_in_two_pieces(&src, 1000), lens, "{encoding} {start} {len}");
            }
        }
    }
}

#[test]
fn text_in_one_unit_stays() {
    let texts = [
        "A quite normal English text — with “quotes”, dashes – and a few emoji 😀👍🏽, over lines.\n",
        "Ein Text auf Deutsch: größer, schöner, weißer.\r\nUnd noch eine Zeile.\r\n",
        RUSSIAN,
        JAPANESE,
        "中文维基百科是维基百科协作计划的中文版本，自由的百科全书。一直到今天，他们都在工作，中国上海、北京。\n",
        "한국어 위키백과는 위키백과의 한국어판이다. 누구나 편집할 수 있다.\n",
        "यह हिन्दी में लिखा हुआ एक वाक्य है।\nऔर यह दूसरा।\n",
        "ਪੰਜਾਬੀ ਵਿੱਚ ਇੱਕ ਵਾਕ। ਊ ਊ\nઆ ગુજરાતી વાક્ય છે.\n",
        "זהו משפט בעברית.\nهذه جملة بالعربية.\n",
        "นี่คือประโยคภาษาไทย\n",
    ];
    for text in texts {
        for times in [1, 3, 400] {
            let text = text.repeat(times);
            for encoding in WIDE {
                for signature in ["\u{FEFF}", ""] {
                    let src = in_encoding(encoding, &format!("{signature}{text}"));
                    let what = format!("{encoding} {signature:?} {times} {text:.40}");
                    let before = detect(&src);
                    assert!(
                        before.mixed.is_empty(),
                        "{what}: {:?} {:?}",
                        before.mixed,
                        detect::regions(&src)
                    );
                    // A part that is too short to be recognized at all does not count.
                    if before.encoding == Some(encoding) {
                        let regions = detect::regions(&src);
                        assert_eq!(regions.len(), 1, "{what}");
                        let cut = detect(&src[..src.len() - 1]);
                        // A shorter part is not recognized at an odd length.
                        let is_long = src.len() > 200 || !signature.is_empty();
                        let is_utf16 = [Encoding::UTF_16LE, Encoding::UTF_16BE].contains(&encoding);
                        assert!(cut.mixed.is_empty() || !is_long || !is_utf16, "cut {what}: {:?}", cut.mixed);
                    }
                    if signature.is_empty() {
                        continue;
                    }
                    assert_eq!(before.encoding, Some(encoding), "{what}");
                    let repaired = Repairer::new().repair(&src);
                    assert!(repaired.text == text, "{what}");
                    assert_eq!(repaired.changes.len(), 1, "{what}");
                }
            }
        }
        // The text has a lone surrogate and unusual code units.
        let mut src = in_encoding(Encoding::UTF_16LE, &format!("\u{FEFF}{}", text.repeat(9)));
        src.splice(40..40, [0x00, 0xD8, 0x0A, 0x0A, 0x0A, 0x0D, 0x01, 0xE0]);
        let found = detect(&src);
        assert_eq!((found.encoding, found.mixed.len()), (Some(Encoding::UTF_16LE), 0), "{text}");
    }
}

#[test]
fn stray_nuls_are_no_utf16() {
    for text in [
        "a text with one\0 NUL in it\n",
        "fields\0separated\0by\0NUL\0and\0a\0few\0short\0ones\n",
        "a\0b\0c\n",
        "x\n\0y\n",
        "é\0è\0à\0 voilà\0\n",
        "Привет\0мир\0",
        "日本\0語\0\0\0\n",
    ] {
        let text = format!("{LOG}{text}{LOG}");
        let found = detect(text.as_bytes());
        assert!(found.mixed.is_empty(), "{text:?} {:?}", found.mixed);
        assert!(Repairer::new().repair(text.as_bytes()).changes.is_empty(), "{text:?}");
        assert_eq!(detect::regions(text.as_bytes()).len(), 1, "{text:?}");
    }
}

#[test]
fn line_ends_of_ascii_are_no_halves_of_units() {
    for src in [
        &b"\xE9\n\xE8\n\xE0\n\xEA\n"[..],
        b"\xE9\n\xE8\n\xE0\n\xEA\n\xE9\n\xE8\n\xE0\n\xEA\n\xE9\n\xE8\n\xE0\n\xEA\n",
        b"\xE9\r\xE8\r\xE0\r\xEA\r",
        b"\xE9\t\xE8\t\xE0\t\xEA\n",
        b"a\n\xE8\n\xE0\n\xEA\n\xE9\n\xE8\n",
    ] {
        let found = detect(src);
        assert!(
            !found.encoding.is_some_and(|encoding| WIDE.contains(&encoding)),
            "{} {:?}",
            src.escape_ascii(),
            found.encoding
        );
        assert!(!WIDE.contains(&Repairer::new().repair(src).encoding), "{}", src.escape_ascii());
    }
}

#[test]
fn binary_data_stays_binary() {
    // Numbers, among them strings of UTF-16 and zeros.
    let mut src = b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    src.extend((0..2000_u32).flat_map(|i| (i * 7).to_le_bytes()));
    src.extend(in_encoding(Encoding::UTF_16LE, "ProductVersion and FileDescription, and more text\n"));
    src.extend((0..2000_u16).flat_map(u16::to_le_bytes));
    for skip in [0, 16, 17] {
        assert_eq!(detect(&src[skip..]).verdict, Verdict::Binary, "{skip}");
    }
}

#[test]
fn steps_decide_about_utf16() {
    let src = join(&[(Encoding::UTF_8, LOG), (Encoding::UTF_16LE, "appended\r\n")]);
    let repaired = Repairer::new().steps([Step::Bytes, Step::Lost]).repair(&src);
    assert_eq!(repaired.text.as_bytes(), src);
    let repaired = Repairer::new().repair(&src);
    let change = &repaired.changes[0];
    assert_eq!((change.step, change.offset), (Step::Wide, LOG.len() as u64));
    assert_eq!(change.encodings, [Encoding::UTF_16LE]);
    // A signature at the start of UTF-8 stays.
    let src = join(&[(Encoding::UTF_8, "\u{FEFF}text\r\n"), (Encoding::UTF_16LE, "\u{FEFF}appended\r\n")]);
    assert_eq!(Repairer::new().repair(&src).text, "\u{FEFF}text\r\nappended\r\n");
}
