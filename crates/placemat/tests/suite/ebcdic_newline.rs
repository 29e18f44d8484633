//! The pages of EBCDIC by the byte of LF. The oracle is the table of a page in the file of their sources, or the page itself, with
//! the bytes 15 and 25 exchanged here.

use crate::data::hex;
use crate::oracle::Table;
use crate::subject::in_parallel;
use crate::tables::{Numbers, long, read, streaming};
use placemat::stream::Transcoder;
use placemat::{ConvertError, Encoding, ErrorPolicy, IllFormedKind, UnmappablePolicy};

const BYTES: [u8; 2] = [0x15, 0x25];

/// The pages with characters of two bytes between shifts, and UTF-EBCDIC.
const LONGER: [Encoding; 11] = [
    Encoding::IBM930,
    Encoding::IBM933,
    Encoding::IBM935,
    Encoding::IBM937,
    Encoding::IBM939,
    Encoding::IBM1364,
    Encoding::IBM1371,
    Encoding::IBM1388,
    Encoding::IBM1390,
    Encoding::IBM1399,
    Encoding::UTF_EBCDIC,
];

/// The encodings from which and to which pages are converted, besides UTF-8.
const WIDE: [Encoding; 4] = [Encoding::UTF_16LE, Encoding::UTF_16BE, Encoding::UTF_32LE, Encoding::UTF_32BE];

fn other(byte: u8) -> u8 {
    if byte == 0x15 {
        0x25
    } else if byte == 0x25 {
        0x15
    } else {
        byte
    }
}

fn exchanged(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().copied().map(other).collect()
}

/// Exchanges LF and NEL in a text.
fn other_ends(text: &str) -> String {
    text.split('\n').map(|part| part.replace('\u{85}', "\n")).collect::<Vec<_>>().join("\u{85}")
}

/// Every page of single bytes with line ends at both bytes, its table, and for each byte the page that has LF there.
fn pages() -> Vec<(Encoding, Table, [Encoding; 2])> {
    let ends = [Some(0x0A), Some(0x85)];
    Encoding::ALL
        .iter()
        .filter_map(|&page| Some((page, Table::named(page.name())?)))
        .filter(|(_, table)| table.code_point(0x40) == Some(0x20))
        .filter(|(_, table)| BYTES.iter().all(|&byte| ends.contains(&table.code_point(byte))))
        .map(|(page, table)| (page, table, BYTES.map(|byte| page.with_ebcdic_newline(byte).expect("a page"))))
        .collect()
}

/// The table of a page, with two bytes exchanged or not.
struct Expected {
    table: Table,
    exchanges: bool,
}

impl Expected {
    fn of(table: Table, lf: u8) -> Self {
        Self { table, exchanges: table.byte(0x0A) != Some(lf) }
    }

    fn exchanged(&self, byte: u8) -> u8 {
        if self.exchanges { other(byte) } else { byte }
    }

    fn char(&self, byte: u8) -> Option<char> {
        self.table.code_point(self.exchanged(byte)).map(|c| char::from_u32(c).expect("no surrogates"))
    }

    fn byte(&self, c: char) -> Option<u8> {
        self.table.byte(c.into()).map(|byte| self.exchanged(byte))
    }
}

fn convert(from: Encoding, to: Encoding, src: &[u8]) -> Result<Vec<u8>, ConvertError> {
    let (d, u) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
    Transcoder::new(from, to).on_error(d).on_unmappable(u).transcode(src)
}

#[test]
fn every_page_has_both_line_ends_at_either_byte() {
    let pages = pages();
    assert_eq!(pages.len(), 96);
    for (page, table, by_byte) in &pages {
        assert!(by_byte.contains(page), "{page}");
        for (lf, encoding) in BYTES.into_iter().zip(by_byte) {
            assert_eq!(encoding.ebcdic_newline(), Some(lf), "{encoding}");
            let expected = Expected::of(*table, lf);
            for byte in 0..=0xFF_u8 {
                let found = convert(*encoding, Encoding::UTF_8, &[byte]);
                let Some(c) = expected.char(byte) else {
                    let Err(ConvertError::IllFormed(e)) = found else {
                        panic!("{found:?} for {byte:02x} in {encoding}")
                    };
                    assert_eq!((e.kind(), e.offset(), e.len()), (IllFormedKind::Undefined, 0, 1));
                    continue;
                };
                let text = c.to_string();
                assert_eq!(found.as_deref(), Ok(text.as_bytes()), "{byte:02x} in {encoding}");
                let written = expected.byte(c).expect("a byte");
                let found = convert(Encoding::UTF_8, *encoding, text.as_bytes());
                assert_eq!(found.as_deref(), Ok(&[written][..]), "{c:?} in {encoding}");
            }
        }
    }
    for encoding in [Encoding::UTF_8, Encoding::IBM437, Encoding::EBCDIC_IS_FRISS, Encoding::ISO_8859_1] {
        assert_eq!(BYTES.map(|byte| encoding.with_ebcdic_newline(byte)), [None; 2], "{encoding}");
    }
}

/// Kernels convert long texts, and texts without UTF-8 have kernels of their own.
#[test]
fn long_texts_are_exchanged_too() {
    let pages = pages();
    in_parallel(pages.len(), |i| {
        let (_, table, by_byte) = &pages[i];
        for (lf, &encoding) in BYTES.into_iter().zip(by_byte) {
            let expected = Expected::of(*table, lf);
            let defined: Vec<u8> = (0..=0xFF).filter(|&byte| expected.char(byte).is_some()).collect();
            let mut numbers = Numbers::new(i as u64 + 1);
            for len in [1, 2, 15, 16, 17, 63, 64, 100, 2047, 2048, 9000] {
                let bytes: Vec<u8> = (0..len)
                    .map(|_| match numbers.below(4) {
                        0 => BYTES[numbers.below(2)],
                        _ => defined[numbers.below(defined.len())],
                    })
                    .collect();
                let chars: Vec<char> = bytes.iter().filter_map(|&byte| expected.char(byte)).collect();
                let text: String = chars.iter().collect();
                let written: Vec<u8> = chars.iter().filter_map(|&c| expected.byte(c)).collect();
                let what = || format!("{encoding}, {len} bytes: {}", hex(&bytes));
                let found = convert(encoding, Encoding::UTF_8, &bytes);
                assert!(found.as_deref() == Ok(text.as_bytes()), "{}", what());
                let found = convert(Encoding::UTF_8, encoding, text.as_bytes());
                assert!(found.as_deref() == Ok(&written[..]), "{}", what());
                for wide in WIDE {
                    let units = convert(Encoding::UTF_8, wide, text.as_bytes()).expect("scalar values");
                    assert!(
                        convert(encoding, wide, &bytes).as_deref() == Ok(&units[..]),
                        "{wide} {}",
                        what()
                    );
                    let found = convert(wide, encoding, &units);
                    assert!(found.as_deref() == Ok(&written[..]), "{wide} {}", what());
                }
                // From one page to another one, through a map of bytes, and with errors.
                for (_, _, [at_15, at_25]) in [&pages[0], &pages[(i + 1) % pages.len()]] {
                    for &to in [at_15, at_25] {
                        let skip = UnmappablePolicy::Skip;
                        let by_text = Transcoder::new(Encoding::UTF_8, to).on_unmappable(skip);
                        let direct = Transcoder::new(encoding, to).on_unmappable(skip);
                        let by_text = by_text.transcode(text.as_bytes()).expect("no policy stops");
                        assert!(direct.transcode(&bytes).as_deref() == Ok(&by_text[..]), "{to} {}", what());
                    }
                }
            }
        }
    });
}

/// Returns a text of characters that an encoding can represent, with many line ends.
fn sample(encoding: Encoding, numbers: &mut Numbers, len: usize) -> String {
    let mut text = String::new();
    for _ in 0..len {
        match numbers.below(6) {
            0 => text.push('\n'),
            1 => text.push('\u{85}'),
            2 => text.push_str(["A", "z 1", ".", "ß", "ｱ", "한"][numbers.below(6)]),
            _ => {
                let start = [0x20, 0xA0, 0x3041, 0x30A1, 0x4E00, 0xAC00, 0xFF01, 0x1_F600][numbers.below(8)];
                text.extend(u32::try_from(start + numbers.below(90)).ok().and_then(char::from_u32));
            }
        }
    }
    let keep = Transcoder::new(Encoding::UTF_8, encoding).on_unmappable(UnmappablePolicy::Skip);
    read(encoding, &keep.transcode(text.as_bytes()).expect("no policy stops"))
}

#[test]
fn longer_characters_stay_whole() {
    in_parallel(LONGER.len(), |i| {
        let page = LONGER[i];
        let here = if page == Encoding::UTF_EBCDIC { 0x15 } else { 0x25 };
        assert_eq!(page.ebcdic_newline(), Some(here), "{page}");
        assert_eq!(page.with_ebcdic_newline(here), Some(page));
        let encoding = page.with_ebcdic_newline(other(here)).expect("a page");
        assert_eq!(encoding.ebcdic_newline(), Some(other(here)));
        let mut numbers = Numbers::new(i as u64 + 11);
        let mut non_ascii = 0;
        for round in 0..400 {
            let text = sample(page, &mut numbers, [3, 20, 300, 2000][round % 4]);
            non_ascii += text.chars().filter(|c| !c.is_ascii()).count();
            let bytes = convert(Encoding::UTF_8, page, text.as_bytes()).expect("the page holds it");
            // In the other page, the same bytes decode to the text with LF and NEL exchanged.
            let ends = other_ends(&text);
            let what = || format!("{encoding}: {}", hex(&bytes));
            let found = convert(encoding, Encoding::UTF_8, &bytes);
            assert!(found.as_deref() == Ok(ends.as_bytes()), "{}", what());
            let found = convert(Encoding::UTF_8, encoding, ends.as_bytes());
            assert!(found.as_deref() == Ok(&bytes[..]), "{}", what());
            let found = convert(encoding, Encoding::UTF_8, &exchanged(&bytes));
            assert!(found.as_deref() == Ok(text.as_bytes()), "{}", what());
            for wide in WIDE {
                let units = convert(Encoding::UTF_8, wide, ends.as_bytes()).expect("scalar values");
                assert!(convert(encoding, wide, &bytes).as_deref() == Ok(&units[..]), "{wide} {}", what());
                assert!(convert(wide, encoding, &units).as_deref() == Ok(&bytes[..]), "{wide} {}", what());
            }
        }
        assert!(non_ascii > 10_000, "{page} {non_ascii}");
    });
}

/// Errors have the offsets, the lengths and the kinds that the page has for the exchanged bytes.
#[test]
fn errors_are_those_of_the_page() {
    let singles = [Encoding::IBM290, Encoding::IBM423, Encoding::IBM1097];
    let all: Vec<Encoding> = LONGER.into_iter().chain(singles).collect();
    in_parallel(all.len(), |i| {
        let page = all[i];
        let [at_15, at_25] = BYTES.map(|byte| page.with_ebcdic_newline(byte).expect("a page"));
        let encoding = if at_15 == page { at_25 } else { at_15 };
        let mut numbers = Numbers::new(i as u64 + 31);
        for _ in 0..if long() { 20_000 } else { 2000 } {
            let bytes: Vec<u8> = (0..numbers.below(40))
                .map(|_| match numbers.below(4) {
                    0 => [0x15, 0x25, 0x0E, 0x0F, 0x42, 0x8B][numbers.below(6)],
                    _ => u8::try_from(numbers.below(256)).expect("a byte"),
                })
                .collect();
            let (own, of_page) = (exchanged(&bytes), &bytes);
            let errors = |encoding: Encoding, src: &[u8]| match convert(encoding, Encoding::UTF_8, src) {
                Ok(text) => (text, None),
                Err(ConvertError::IllFormed(e)) => {
                    (Vec::new(), Some((e.offset(), e.len(), e.kind(), e.is_incomplete())))
                }
                Err(e) => panic!("{encoding}: {e}"),
            };
            assert_eq!(errors(encoding, &own), errors(page, of_page), "{encoding} {}", hex(&own));
            assert_eq!(read(encoding, &own), read(page, of_page), "{encoding} {}", hex(&own));
        }
    });
}

#[test]
fn the_law_of_streaming() {
    let singles = [Encoding::IBM500, Encoding::IBM423, Encoding::EBCDIC_XML_US];
    let all: Vec<Encoding> = LONGER
        .into_iter()
        .chain(singles)
        .flat_map(|page| BYTES.map(|byte| page.with_ebcdic_newline(byte).expect("a page")))
        .filter(|encoding| !Encoding::ALL.contains(encoding))
        .collect();
    assert_eq!(all.len(), LONGER.len() + singles.len());
    let parts: [&[u8]; 6] = [b"\x15", b"\x25", b"\x0E\x42\xC1\x0F", b"\x0E", b"\x0F", b"\x8B\x4A"];
    in_parallel(all.len(), |i| streaming(all[i], &parts, if long() { 500 } else { 20 }));
}

#[test]
fn labels_take_the_option_of_icu() {
    for (label, name) in [
        ("ibm-500,swaplfnl", "IBM500,swaplfnl"),
        ("CP500, SWAPLFNL", "IBM500,swaplfnl"),
        ("ibm-1047,swaplfnl", "IBM1047-S390"),
        ("ibm-1047-s390,swaplfnl", "IBM1047-S390"),
        ("cp1399,swaplfnl", "IBM1399,swaplfnl"),
        ("utf-ebcdic,swaplfnl", "UTF-EBCDIC,swaplfnl"),
        ("text/plain; charset=ibm273,swaplfnl", "IBM273,swaplfnl"),
        ("de_DE.IBM273,swaplfnl@euro", "IBM273,swaplfnl"),
    ] {
        assert_eq!(Encoding::for_label(label).map(Encoding::name), Some(name), "{label}");
        assert_eq!(name.parse().map(Encoding::name), Ok(name));
        assert_eq!(placemat::web::for_label(label), None, "{label}");
    }
    for label in [
        "swaplfnl",
        ",swaplfnl",
        "ibm437,swaplfnl",
        "utf-8,swaplfnl",
        "ibm500,swaplf",
        "ebcdic-is-friss,swaplfnl",
    ] {
        assert_eq!(Encoding::for_label(label), None, "{label}");
    }
}
