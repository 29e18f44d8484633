//! Repair: each kind of damage, made here from clean text by other means than the library's search,
//! and undone.

use placemat::internals::readings;
use placemat::repair::{Change, Lost, Repairer, Step, may_be_damaged, undo};
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};

/// A linear congruential generator: its numbers are enough to choose damage.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
    fn below(&mut self, end: usize) -> usize {
        self.next() as usize % end
    }
}

/// Clean texts, most of which have non-ASCII letters.
const CLEAN: [&str; 16] = [
    "The café’s naïve façade — “très chic”, they say — cost 5 €.",
    "Größere Übungen für ältere Mädchen fänden wir schön.",
    "Où est passé l’élève qui a mangé la crêpe à la fraise ?",
    "El niño soñó con el pingüino: ¿qué pasó después?",
    "Příliš žluťoučký kůň úpěl ďábelské ódy.",
    "Zażółć gęślą jaźń, a potem idź na spacer.",
    "Съешь же ещё этих мягких французских булок, да выпей чаю.",
    "Η γρήγορη καφέ αλεπού πηδάει πάνω από το σκυλί.",
    "Pijamalı hasta yağız şoföre çabucak güvendi.",
    "זה כיף סתם לשמוע איך תנצח קרפד עץ טוב בגן.",
    "نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر",
    "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์เดรัจฉาน",
    "いろはにほへと ちりぬるを 我が世誰ぞ 常ならむ",
    "这是一个测试文本，用来检查修复的结果。",
    "키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다.",
    "Plain ASCII text, and nothing else: 1 + 1 = 2.",
];

/// The pages as which UTF-8 is misread here.
const PAGES: [Encoding; 12] = [
    Encoding::WINDOWS_1252,
    Encoding::ISO_8859_1,
    Encoding::WINDOWS_1250,
    Encoding::WINDOWS_1251,
    Encoding::WINDOWS_1254,
    Encoding::IBM437,
    Encoding::IBM850,
    Encoding::IBM866,
    Encoding::KOI8_R,
    Encoding::MACINTOSH,
    Encoding::ISO_8859_2,
    Encoding::GB18030,
];

/// Returns the text as a program shows it that reads its UTF-8 as `page`. `None` if the page lacks
/// a byte.
fn misread(text: &str, page: Encoding) -> Option<String> {
    let wrong = page.decode(text.as_bytes(), ErrorPolicy::Stop).ok()?;
    (page.encode(&wrong, UnmappablePolicy::Stop).ok()? == text.as_bytes()).then(|| wrong.into_owned())
}

/// Repairs a text, and checks that the record undoes it, that its fields agree with the texts, that a second repair
/// changes nothing, and that a repair without a record gives the same text.
fn repaired(source: &[u8]) -> (String, Vec<Change>) {
    let done = Repairer::new().repair(source);
    let mut before = 0;
    for change in &done.changes {
        let at = change.offset as usize;
        assert!(at >= before, "changes overlap");
        before = at + change.before.len();
        assert_eq!(source[at..before], change.before, "{change:?}");
        let after = change.repaired_offset as usize;
        assert_eq!(done.text[after..after + change.after.len()], change.after, "{change:?}");
        assert!((0.0..=1.0).contains(&change.confidence), "{change:?}");
    }
    let back =
        undo(done.text.as_bytes(), done.encoding, &done.changes).expect("the text is the repaired one");
    assert_eq!(back, source);
    let again = Repairer::new().repair(done.text.as_bytes());
    assert_eq!(again.text, done.text, "repaired twice: {:?}", again.changes);
    assert_unrecorded(source, &done.text);
    (done.text, done.changes)
}

/// Checks that a repair without a record gives the same text.
fn assert_unrecorded(source: &[u8], text: &str) {
    let unrecorded = Repairer::new().unrecorded().repair(source);
    assert_eq!((&*unrecorded.text, unrecorded.changes.len()), (text, 0));
    if str::from_utf8(source).is_ok_and(|source| !may_be_damaged(source)) {
        let mut of_strings = Repairer::new().steps([Step::Mojibake, Step::Legacy, Step::Controls]);
        assert_eq!(of_strings.repair(source).text.as_bytes(), source);
    }
    if str::from_utf8(source).is_ok() {
        assert_taken_as_text(source);
    }
}

/// Checks that a string is repaired as a whole as it is in pieces, and that the repairer forgets it.
fn assert_taken_as_text(source: &[u8]) {
    let steps = [Step::Mojibake, Step::Legacy, Step::Controls];
    for recorded in [true, false] {
        let new = || {
            let new = Repairer::new().steps(steps);
            if recorded { new } else { new.unrecorded() }
        };
        let (mut text, mut changes) = (String::new(), Vec::new());
        let mut by_pieces = new();
        by_pieces.push(source, &mut text, |change| changes.push(change));
        by_pieces.finish(&mut text, |change| changes.push(change));
        let mut repairer = new();
        for _ in 0..2 {
            let whole = repairer.repair(source);
            assert_eq!((whole.text, whole.changes), (text.clone(), changes.clone()));
        }
    }
}

#[test]
fn a_ligature_in_a_word_is_repaired_without_a_record_as_with_one() {
    for text in [
        "Ils commandÃ¨rent des Å“ufs.",
        "Å“uvre",
        "ma sÅ“ur",
        "un cÅ“ur",
        "Å“ ",
        "le Å“",
        "„Å“ und",
        "Å“Å“",
        "Å“U",
        "a Å“b",
    ] {
        assert_unrecorded(text.as_bytes(), &Repairer::new().repair(text.as_bytes()).text);
    }
}

#[test]
fn words_are_repaired_without_a_record_as_with_one() {
    for text in CLEAN {
        let words: Vec<_> = text.split_inclusive(' ').collect();
        for page in PAGES {
            for (start, len) in (0..words.len()).flat_map(|start| [1, 2, 4].map(|len| (start, len))) {
                let part = words[start..].iter().take(len).copied().collect::<String>();
                let Some(wrong) = misread(&part, page) else { continue };
                // Also words beside clean text, and a line after another.
                for source in [format!("été {wrong}\n{wrong}, {part}"), wrong] {
                    assert_unrecorded(source.as_bytes(), &Repairer::new().repair(source.as_bytes()).text);
                }
            }
        }
    }
}

#[test]
fn clean_text_stays() {
    for text in CLEAN {
        let (same, changes) = repaired(text.as_bytes());
        assert_eq!(same, text);
        assert!(changes.is_empty(), "{changes:?}");
    }
}

#[test]
fn text_misread_once_is_restored() {
    let mut count = 0;
    for text in CLEAN {
        for page in PAGES {
            if let Some(wrong) = misread(text, page) {
                assert_eq!(repaired(wrong.as_bytes()).0, text, "{page}: {wrong}");
                count += 1;
            }
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn text_misread_twice_is_restored() {
    let mut count = 0;
    for text in CLEAN {
        for page in PAGES {
            if let Some(wrong) = misread(text, page).and_then(|wrong| misread(&wrong, page)) {
                assert_eq!(repaired(wrong.as_bytes()).0, text, "{page}: {wrong}");
                count += 1;
            }
        }
    }
    assert!(count > 90, "{count}");
}

/// The search for layers is bounded: of each layer it keeps a few readings, and it judges no reading twice.
#[test]
fn few_readings_of_a_line_are_judged() {
    // Three layers, and of each the best four and four that their own page can read again.
    const MAX_READINGS: usize = 3 * (4 + 4);
    let mut count = 0;
    for text in CLEAN {
        for (first, second) in PAGES.into_iter().flat_map(|first| PAGES.map(|second| (first, second))) {
            let Some(wrong) = misread(text, first).and_then(|wrong| misread(&wrong, second)) else {
                continue;
            };
            let mut judged = Vec::new();
            readings(&wrong, |text, _, _| judged.push(text.to_owned()));
            let all = judged.len();
            judged.sort_unstable();
            judged.dedup();
            assert!(all == judged.len() && all <= MAX_READINGS, "{all}, {}: {wrong}", judged.len());
            count += all;
        }
    }
    assert!(count > 1000, "{count}");
}

/// Arrows, dingbats and emoji. In some pages their bytes are small letters, between which nothing is odd.
#[test]
fn a_symbol_by_itself_is_restored_or_stays() {
    let blocks =
        [0x2190..=0x21FF, 0x2600..=0x27BF, 0x1_F300..=0x1_F64F, 0x1_F680..=0x1_F6C5, 0x1_F910..=0x1_F9FF];
    let symbols = blocks.into_iter().flatten().step_by(7).filter_map(char::from_u32);
    let (mut count, mut left) = (0, Vec::new());
    for symbol in symbols {
        for text in [format!("{symbol}"), format!("- {symbol} Done"), format!("Status: {symbol}")] {
            // One symbol cannot distinguish ISO-8859-2 from windows-1250.
            for page in PAGES.into_iter().filter(|&page| page != Encoding::ISO_8859_2) {
                let Some(wrong) = misread(&text, page) else { continue };
                let now = repaired(wrong.as_bytes()).0;
                count += 1;
                if now != text {
                    assert_eq!(now, wrong, "{page}: {symbol}");
                    left.push((page, wrong));
                }
            }
        }
    }
    assert!(count > 5_000, "{count}");
    assert!(left.len() * 100 < count, "{} of {count} stay: {left:?}", left.len());
}

/// A signature at the start of a text, of a line, and of a line with other damage is restored, but
/// not inside a line, where the text is about it.
#[test]
fn a_signature_is_restored() {
    let mut count = 0;
    for page in PAGES {
        let Some(wrong) = misread("\u{FEFF}", page) else { continue };
        if page == Encoding::GB18030 {
            continue;
        }
        for (text, right) in [
            (format!("{wrong}text\n"), "\u{FEFF}text\n"),
            (format!("first\n{wrong}second\n"), "first\n\u{FEFF}second\n"),
            (
                format!("the three bytes {wrong} at the start"),
                &*format!("the three bytes {wrong} at the start"),
            ),
        ] {
            assert_eq!(repaired(text.as_bytes()).0, right, "{page}");
            count += 1;
        }
    }
    assert!(count > 20, "{count}");
    assert_eq!(repaired("ï»¿GrÃ¼ÃŸe\n".as_bytes()).0, "\u{FEFF}Grüße\n");
    let many = "ï»¿".repeat(100_000);
    assert!(repaired(many.as_bytes()).0.starts_with('\u{FEFF}'));
}

/// Two adjacent Latin letters that no language has, though each is normal by itself.
#[test]
fn capitals_at_the_start_of_a_word_are_restored() {
    for (wrong, right) in
        [("Ãœber uns", "Über uns"), ("Ãœ", "Ü"), ("GROÃŸ", "GROß"), ("Ãšltimo", "Último"), ("ÃŽle", "Île")]
    {
        assert_eq!(repaired(wrong.as_bytes()).0, right);
    }
    for text in ["SÃO PAULO", "cœur, CŒUR", "Žižek à Škoda"] {
        assert_eq!(repaired(text.as_bytes()).0, text);
    }
}

/// A chain of three pages, each for another part of the line, once turned the line into ideographs
/// that it never had.
#[test]
fn pages_that_read_different_parts_are_no_layers() {
    let wrong = "ja: 'æ—¥æœ¬èªž', ko: 'í•œêµì–´', zh: 'ä¸æ–‡'";
    let (text, changes) = repaired(wrong.as_bytes());
    assert!(text.starts_with("ja: '日本語', ko: '한"), "{text}");
    assert!(changes.iter().all(|change| change.encodings.len() == 1), "{changes:?}");
}

#[test]
fn only_the_damaged_part_of_a_line_changes() {
    let (text, changes) = repaired("Été : cafÃ© au lait, crème brûlée".as_bytes());
    assert_eq!(text, "Été : café au lait, crème brûlée");
    assert_eq!(changes.len(), 1);
    assert_eq!(
        (changes[0].step, &*changes[0].before, &*changes[0].after),
        (Step::Mojibake, "Ã©".as_bytes(), "é")
    );
    assert_eq!(changes[0].encodings, [Encoding::WINDOWS_1252]);
}

#[test]
fn quoted_mojibake_stays() {
    for text in [
        "If you see “Ã©” instead of é, the encoding is wrong.",
        "Sequences such as \"Ã©\" or \"Ã¨\" or \"Ã§\" mean UTF-8.",
        "é becomes Ã© when it is misread.",
        "| Ã© | é |",
    ] {
        assert_eq!(repaired(text.as_bytes()).0, text);
    }
}

/// Returns text of an encoding that was read as another, if both represent every character.
fn confused(text: &str, written: Encoding, read: Encoding) -> Option<String> {
    let bytes = written.encode(text, UnmappablePolicy::Stop).ok()?;
    Some(read.decode(&bytes, ErrorPolicy::Stop).ok()?.into_owned())
}

#[test]
fn text_of_a_legacy_encoding_that_was_read_as_another_is_restored() {
    // U+0410 to U+044F are the bytes C0 to FF of windows-1251, and these are U+00C0 to U+00FF in windows-1252.
    let text = "Съешь же этих мягких французских булок, да выпей чаю.";
    let moved = |c: char| char::from_u32(c as u32 - 0x410 + 0xC0).filter(|_| !c.is_ascii()).unwrap_or(c);
    let wrong: String = text.chars().map(|c| if c.is_ascii() { c } else { moved(c) }).collect();
    let (found, changes) = repaired(wrong.as_bytes());
    assert_eq!(found, text);
    assert!(changes.iter().all(|change| change.step == Step::Legacy), "{changes:?}");
    assert_eq!(changes[0].encodings, [Encoding::WINDOWS_1252, Encoding::WINDOWS_1251]);
    let mut count = 0;
    for (text, written) in [
        ("Můžete také přidat další soubory, které chcete uložit do téže složky.", Encoding::WINDOWS_1250),
        (CLEAN[6], Encoding::WINDOWS_1251),
        (CLEAN[6], Encoding::IBM866),
        (CLEAN[7], Encoding::WINDOWS_1253),
        (CLEAN[9], Encoding::WINDOWS_1255),
        (CLEAN[10], Encoding::WINDOWS_1256),
        (CLEAN[11], Encoding::WINDOWS_874),
        (CLEAN[12], Encoding::EUC_JP),
        (CLEAN[13], Encoding::GB18030),
        (CLEAN[14], Encoding::EUC_KR),
    ] {
        for read in [Encoding::WINDOWS_1252, Encoding::ISO_8859_1, Encoding::MACINTOSH] {
            if let Some(wrong) = confused(text, written, read) {
                assert_eq!(repaired(wrong.as_bytes()).0, text, "{written} as {read}: {wrong}");
                count += 1;
            }
        }
    }
    assert!(count >= 25, "{count}");
    for (written, read) in [
        (Encoding::KOI8_R, Encoding::WINDOWS_1251),
        (Encoding::WINDOWS_1251, Encoding::KOI8_R),
        (Encoding::WINDOWS_1251, Encoding::IBM866),
        (Encoding::IBM866, Encoding::WINDOWS_1251),
    ] {
        let wrong = confused(CLEAN[6], written, read).expect("each byte is a character of these");
        assert_eq!(repaired(wrong.as_bytes()).0, CLEAN[6], "{written} as {read}: {wrong}");
    }
    let (same, changes) = {
        let repaired = Repairer::new().steps([Step::Mojibake]).repair(wrong.as_bytes());
        (repaired.text, repaired.changes)
    };
    assert_eq!((same, changes.len()), (wrong, 0));
}

/// One long word in the wrong page, and a line whose letters belong to many languages, except for
/// an inverted mark after one.
#[test]
fn a_word_of_a_legacy_encoding_is_restored() {
    for (text, written) in [
        ("    window.setTitle(\"Привет!\");", Encoding::WINDOWS_1251),
        ("    cout << \"   ДАННЫЕ\" << endl;", Encoding::WINDOWS_1251),
        ("myślę więc, że drugi kolor to już ten, który ma najwięcej", Encoding::WINDOWS_1250),
    ] {
        let wrong = confused(text, written, Encoding::WINDOWS_1252).expect("windows-1252 has all its bytes");
        assert_eq!(repaired(wrong.as_bytes()).0, text);
    }
    for text in ["ÀÈÌÒÙ", "«äöüßÄÖ»", "¿Qué? ¡No!", "¿cómo están los niños y la señora?"]
    {
        assert_eq!(repaired(text.as_bytes()).0, text);
    }
}

/// Letters and marks that are unusual as neighbors, but intended.
#[test]
fn unusual_text_is_not_read_as_a_legacy_encoding() {
    for text in [
        "Þórður Sigurðsson, Søren Ørsted, Łódź, Çeşme: names of five languages",
        "ÀÉÎÕÜ ÑÇÄËÏ ÖÅÆØÞ: capitals",
        "НАСТОЯЩИЙ СТАНДАРТ РАСПРОСТРАНЯЕТСЯ НА МОСКОВСКИЕ ЗАВОДЫ",
        "МегаФон, ЕвроСеть, ГосДума и РосНефть",
        "[ˈføːnɪks] [ʃɪˈraːf] [ˈbʏçɐ]",
        "½ × ¾ = ⅜; ±5 µm; §§ 12–15; ©®™ ¹²³ ¡¿",
        "Dodôwôj do mòji lëstë ùzérónych, chtërné ùsôdzã",
        "╔═══╤═══╗ ║ é │ ñ ║ ╚═══╧═══╝",
        "kB кБ kB кБ kB кБ 100 кБ 200 кБ",
    ] {
        assert_eq!(repaired(text.as_bytes()).0, text);
    }
}

#[test]
fn legacy_bytes_inside_utf8_are_read() {
    let (text, changes) = repaired(b"caf\xE9 \xC3\xA9t\xC3\xA9 na\xEFve");
    assert_eq!(text, "café été naïve");
    assert!(changes.iter().all(|change| change.step == Step::Bytes));
    let text = Repairer::new().fallback(Encoding::KOI8_R).repair(b"\xD0\x94\xD0\xB0, \xE4\xC1").text;
    assert_eq!(text, "Да, Да");
}

#[test]
fn pairs_and_modified_nul_are_read() {
    let (text, changes) = repaired(b"a\xED\xA0\xBD\xED\xB8\x80b\xC0\x80c");
    assert_eq!(text, "a😀b\0c");
    let found: Vec<_> = changes.iter().map(|change| (change.step, &*change.encodings)).collect();
    assert_eq!(
        found,
        [(Step::Pairs, &[Encoding::CESU_8][..]), (Step::Pairs, &[Encoding::MODIFIED_UTF_8][..])]
    );
}

/// No overlong form of ASCII ever becomes ASCII other than the `\xHH` that the caller asked for.
#[test]
fn overlong_ascii_never_becomes_ascii() {
    for c in 0..0x80_u8 {
        let (high, low) = (0xC0 | c >> 6, 0x80 | c & 0x3F);
        for form in [vec![high, low], vec![0xE0, 0x80 | c >> 6, low], vec![0xF0, 0x80, 0x80 | c >> 6, low]] {
            if form == b"\xC0\x80" {
                continue;
            }
            for (before, after) in [("", ""), ("a", "b"), ("é", "é")] {
                let source = [before.as_bytes(), &form, after.as_bytes()].concat();
                let (text, _) = repaired(&source);
                let middle = &text[before.len()..text.len() - after.len()];
                assert!(
                    !middle.is_empty() && middle.chars().all(|c| !c.is_ascii()),
                    "{source:x?} became {text:?}"
                );
            }
        }
    }
    assert_eq!(Repairer::new().lost(Lost::Escape).repair(b"\xC0\xAF").text, r"\xc0\xaf");
}

#[test]
fn sequences_that_were_cut_are_lost_and_apart() {
    for (source, want) in [
        (&b"5 \xE2\x82"[..], "5 \u{FFFD}"),
        (b"5 \xE2\x82 \xE2\x82\xAC", "5 \u{FFFD} €"),
        (b"\xF0\x9F\x98\nnext", "\u{FFFD}\nnext"),
        (b"\xC3\xA9t\xC3", "ét\u{FFFD}"),
    ] {
        let (text, changes) = repaired(source);
        assert_eq!(text, want);
        assert!(changes.iter().all(|change| change.step == Step::Lost && change.lossy));
    }
}

#[test]
fn utf16_and_utf32_are_found_without_a_label() {
    for text in CLEAN {
        let text = format!("{text}\n").repeat(3);
        for encoding in [Encoding::UTF_16LE, Encoding::UTF_16BE, Encoding::UTF_32LE, Encoding::UTF_32BE] {
            let signed = format!("\u{FEFF}{text}");
            let bytes = encoding.encode(&signed, UnmappablePolicy::Stop).expect("all of Unicode");
            assert_eq!(repaired(&bytes).0, text, "{encoding}");
            // Text without spaces or ASCII may look like anything.
            if text.contains(' ') {
                let bytes = encoding.encode(&text, UnmappablePolicy::Stop).expect("all of Unicode");
                assert_eq!(repaired(&bytes).0, text, "{encoding}");
            }
        }
    }
    // Mojibake in UTF-16 with a lone surrogate.
    let mut bytes: Vec<u8> = "\u{FEFF}cafÃ©s ".encode_utf16().flat_map(u16::to_le_bytes).collect();
    bytes.extend(b"\x00\xD8!\0");
    assert_eq!(repaired(&bytes).0, "cafés \u{FFFD}!");
}

/// Any division of the input gives the same text and the same record.
#[test]
fn pieces_do_not_matter() {
    let mut random = Random(14);
    let mut source = Vec::new();
    while source.len() < 300_000 {
        let text = CLEAN[random.below(CLEAN.len())];
        let page = PAGES[random.below(PAGES.len())];
        match random.below(6) {
            0 => source.extend(misread(text, page).unwrap_or_default().bytes()),
            1 => source.extend((0..random.below(20)).map(|_| random.next() as u8)),
            2 => source.extend("x".repeat(random.below(100_000)).bytes()),
            _ => source.extend(text.bytes()),
        }
        if random.below(3) == 0 {
            source.push(b'\n');
        }
    }
    let whole = Repairer::new().repair(&source);
    assert!(whole.changes.len() > 100);
    for size in [1, 7, 1000, 65_536, 65_537] {
        let (mut text, mut changes) = (String::new(), Vec::new());
        let mut repairer = Repairer::new();
        source.chunks(size).for_each(|piece| repairer.learn(piece));
        for piece in source.chunks(size) {
            repairer.push(piece, &mut text, |change| changes.push(change));
        }
        repairer.finish(&mut text, |change| changes.push(change));
        assert!(text == whole.text && changes == whole.changes, "{size}");
    }
}

/// Damage of all kinds, in all encodings: the record restores each file, whatever the repair made of it.
#[test]
fn any_damage_is_undone() {
    let mut random = Random(41);
    for encoding in Encoding::ALL {
        for _ in 0..8 {
            let text = [CLEAN[random.below(CLEAN.len())], CLEAN[random.below(CLEAN.len())]].join("\n");
            let mut source =
                encoding.encode(&text, UnmappablePolicy::Replace).map_or_else(|_| Vec::new(), Into::into);
            for _ in 0..random.below(4) {
                if source.is_empty() {
                    break;
                }
                let at = random.below(source.len());
                match random.below(3) {
                    0 => source[at] = random.next() as u8,
                    1 => drop(source.remove(at)),
                    _ => source.insert(at, random.next() as u8),
                }
            }
            let done = Repairer::new().repair(&source);
            let back = undo(done.text.as_bytes(), done.encoding, &done.changes).expect("its own record");
            assert_eq!(back, source, "{encoding}");
        }
    }
}

/// A fuzzer found it: the letter before the first restored one was dropped, and no change said so.
#[test]
fn what_is_lost_at_the_start_is_recorded() {
    let source = b"\xC2w<\x83\xC2\x98\xA2\xFF";
    let done = Repairer::new().repair(source);
    assert_eq!(undo(done.text.as_bytes(), done.encoding, &done.changes), Ok(source.to_vec()));
}

#[test]
fn steps_are_taken_only_if_asked_for() {
    let source = b"caf\xC3\x83\xC2\xA9 \xE9";
    let text = |steps: &[Step]| Repairer::new().steps(steps.iter().copied()).repair(source).text;
    assert_eq!(text(&[Step::Mojibake]), "café \u{FFFD}");
    assert_eq!(text(&[Step::Bytes]), "cafÃ© é");
    assert_eq!(text(&[]), "cafÃ© \u{FFFD}");
}

/// A repair without a record takes the same steps as one with a record, even where a line needs no search.
#[test]
fn a_repair_without_a_record_takes_no_other_steps() {
    let all = [Step::Mojibake, Step::Legacy, Step::Controls, Step::Bytes];
    for source in ["Ð¿Ñ€Ð¸Ð²ÐµÑ‚", "ï»¿Ð¿Ñ€Ð¸Ð²ÐµÑ‚", "It\u{92}s a cafÃ©", "Ïðèâåò, êàê òâîè äåëà?"]
    {
        for chosen in 0..1 << all.len() {
            let steps = || all.into_iter().enumerate().filter(move |(n, _)| chosen >> n & 1 != 0);
            let text = |repairer: Repairer| {
                repairer.steps(steps().map(|step| step.1)).repair(source.as_bytes()).text
            };
            let shown = steps().collect::<Vec<_>>();
            assert_eq!(text(Repairer::new().unrecorded()), text(Repairer::new()), "{source:?} {shown:?}");
        }
    }
}

/// After a signature of UTF-16 and UTF-32, up to a quarter of the code units may be damaged. With more, it is none.
#[test]
fn a_signature_needs_text_after_it() {
    let (good, lone) = (0x1234_u16, 0xD801_u16);
    for (signature, encoding) in [
        (&b"\xFF\xFE"[..], Encoding::UTF_16LE),
        (b"\xFE\xFF", Encoding::UTF_16BE),
        (b"\xFF\xFE\0\0", Encoding::UTF_32LE),
        (b"\0\0\xFE\xFF", Encoding::UTF_32BE),
    ] {
        assert_eq!(repaired(signature).0, "", "{encoding}");
        assert_eq!(Repairer::new().repair(signature).encoding, encoding);
    }
    for damaged in 0..=8 {
        let units = (0..8).map(|at| if at < damaged { lone } else { good });
        let source: Vec<u8> = [0xFEFF].into_iter().chain(units).flat_map(u16::to_le_bytes).collect();
        let done = Repairer::new().repair(&source);
        assert_eq!(done.encoding == Encoding::UTF_16LE, damaged <= 2, "{damaged} {}", done.encoding);
        if damaged <= 2 {
            assert_eq!(done.text, "\u{FFFD}".repeat(damaged) + &"ሴ".repeat(8 - damaged));
        }
    }
}

/// Lines of one legacy encoding among lines of UTF-8.
#[test]
fn legacy_lines_are_detected() {
    for (text, encoding) in [
        ("Съешь же ещё этих мягких французских булок, да выпей чаю.", Encoding::WINDOWS_1251),
        ("Съешь же ещё этих мягких французских булок, да выпей чаю.", Encoding::KOI8_R),
        ("Η γρήγορη καφέ αλεπού πηδάει πάνω από το σκυλί.", Encoding::ISO_8859_7),
        ("Příliš žluťoučký kůň úpěl ďábelské ódy.", Encoding::ISO_8859_2),
        ("这是一个测试文本，用来检查修复的结果。", Encoding::GBK),
        ("いろはにほへと ちりぬるを 我が世誰ぞ 常ならむ", Encoding::EUC_JP),
        ("키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다.", Encoding::EUC_KR),
        ("Größere Übungen für ältere Mädchen fänden wir schön.", Encoding::WINDOWS_1252),
    ] {
        // However long the line is, the other lines stay UTF-8.
        for times in [1, 4, 20] {
            let line = text.repeat(times);
            let legacy = encoding.encode(&line, UnmappablePolicy::Stop).expect("it holds the text");
            let utf8 = format!("{text}\n").repeat(times);
            let source = [b"Plain.\n", utf8.as_bytes(), &legacy, b"\n", utf8.as_bytes()].concat();
            let (repaired, changes) = repaired(&source);
            assert_eq!(repaired, format!("Plain.\n{utf8}{line}\n{utf8}"), "{encoding} {times}");
            assert!(changes.iter().all(|change| change.step == Step::Bytes));
        }
    }
}

/// Damage that lost bytes, and parts that were written as references.
#[test]
fn lossy_forms_are_restored() {
    for (damaged, want) in [
        ("It&acirc;&euro;&trade;s a caf&Atilde;&copy;.", "It’s a café."),
        ("It&#226;&#8364;&#8482;s a caf&#xC3;&#xA9;.", "It’s a café."),
        ("He said â€œhello worldâ€ and left for good.", "He said “hello world” and left for good."),
        ("Il a mangÃ© Ã  la cafÃ©tÃ©ria.", "Il a mangé à la cafétéria."),
        // A program wrote a question mark for bytes that its page lacks: in a sequence, and at the end of a text.
        ("ã?“ã‚Œã?¯ãƒ†ã‚¹ãƒˆã?§ã?™ã€‚", "これはテストです。"),
        ("æ—¥æœ¬èªžã?®æ–‡ç« ã?§ã?™", "日本語の文章です"),
        ("璇疯緭鍏ョ敤鎴?", "请输入用\u{FFFD}"),
        // The last byte of a cross was a no-break space; its line has no other damage.
        ("école\nâœ , œuvre\n", "école\n✠, œuvre\n"),
        ("It\u{92}s \u{93}quoted\u{94} text.", "It’s “quoted” text."),
        // These texts stay: they prove nothing.
        ("AT&amp;T &copy; &eacute;t&eacute; &Atilde;", "AT&amp;T &copy; &eacute;t&eacute; &Atilde;"),
        ("a\u{85}b \u{90}", "a\u{85}b \u{90}"),
    ] {
        assert_eq!(repaired(damaged.as_bytes()).0, want);
    }
}
