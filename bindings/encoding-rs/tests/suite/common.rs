//! Pairs of encodings, and texts.

use encoding_rs::Encoding as Ours;
use encoding_rs_peer::Encoding as Theirs;

/// The names of the encodings.
const NAMES: [&str; 40] = [
    "Big5",
    "EUC-JP",
    "EUC-KR",
    "GBK",
    "IBM866",
    "ISO-2022-JP",
    "ISO-8859-10",
    "ISO-8859-13",
    "ISO-8859-14",
    "ISO-8859-15",
    "ISO-8859-16",
    "ISO-8859-2",
    "ISO-8859-3",
    "ISO-8859-4",
    "ISO-8859-5",
    "ISO-8859-6",
    "ISO-8859-7",
    "ISO-8859-8",
    "ISO-8859-8-I",
    "KOI8-R",
    "KOI8-U",
    "Shift_JIS",
    "UTF-16BE",
    "UTF-16LE",
    "UTF-8",
    "gb18030",
    "macintosh",
    "replacement",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "windows-874",
    "x-mac-cyrillic",
    "x-user-defined",
];

/// Returns each encoding, of this crate and of the peer.
pub(crate) fn pairs() -> impl Iterator<Item = (&'static Ours, &'static Theirs)> {
    NAMES.into_iter().map(|name| {
        let ours = Ours::for_label(name.as_bytes()).expect(name);
        let theirs = Theirs::for_label(name.as_bytes()).expect(name);
        assert_eq!((ours.name(), theirs.name()), (name, name));
        (ours, theirs)
    })
}

/// Random numbers.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }

    pub(crate) fn byte(&mut self) -> u8 {
        u8::try_from(self.below(0x100)).expect("below 100")
    }
}

/// The parts of texts: letters of several scripts, and characters that encodings treat in a special way.
pub(crate) const LETTERS: [&str; 26] = [
    "a",
    "word ",
    "é",
    "ß",
    "ж",
    "Привет",
    "α",
    "א",
    "שלום",
    "ا",
    "日本",
    "漢字",
    "ｱ",
    "ア",
    "한국",
    "€",
    "¥",
    "‾",
    "−",
    "😀",
    "𠂊",
    "\u{E5E5}",
    "\u{E7C7}",
    "\u{FEFF}",
    "\u{FFFD}",
    "\u{F780}",
];

/// Returns a text of up to `most` pieces.
pub(crate) fn text(numbers: &mut Numbers, most: usize) -> String {
    let run = 1 + numbers.below(4);
    let mut text = String::new();
    for _ in 0..numbers.below(most + 1) {
        let letters = LETTERS[numbers.below(LETTERS.len())];
        (0..1 + numbers.below(run)).for_each(|_| text.push_str(letters));
        if numbers.below(20) == 0 {
            text.push(['\x0E', '\x0F', '\x1B', '\\', '~', '\0', '\n'][numbers.below(7)]);
        }
    }
    text
}

/// Returns bytes for an encoding: its text with damage, random bytes, or bytes near the borders of its sequences.
pub(crate) fn bytes(numbers: &mut Numbers, encoding: &'static Theirs, most: usize) -> Vec<u8> {
    const BORDERS: [u8; 40] = [
        0x00, 0x0E, 0x0F, 0x1B, b'$', b'(', b'B', b'J', b'I', b'@', 0x20, 0x21, 0x2F, 0x30, 0x39, 0x3A, 0x40,
        0x41, 0x5C, 0x5F, 0x7E, 0x7F, 0x80, 0x81, 0x8E, 0x8F, 0x9F, 0xA0, 0xA1, 0xBB, 0xBF, 0xC2, 0xD8, 0xDC,
        0xE0, 0xED, 0xEF, 0xF4, 0xFE, 0xFF,
    ];
    let mut src = match numbers.below(4) {
        0 => (0..numbers.below(most + 1)).map(|_| numbers.byte()).collect(),
        1 => (0..numbers.below(most + 1)).map(|_| BORDERS[numbers.below(BORDERS.len())]).collect(),
        _ => match encoding.name() {
            "UTF-16LE" => text(numbers, most / 4).encode_utf16().flat_map(u16::to_le_bytes).collect(),
            "UTF-16BE" => text(numbers, most / 4).encode_utf16().flat_map(u16::to_be_bytes).collect(),
            _ => encoding.encode(&text(numbers, most / 4)).0.into_owned(),
        },
    };
    for _ in 0..numbers.below(3) {
        let at = numbers.below(src.len() + 1);
        match numbers.below(3) {
            0 => src.truncate(at),
            1 => src.insert(at, BORDERS[numbers.below(BORDERS.len())]),
            _ => drop(
                src.splice(at..at, encoding.encode(LETTERS[numbers.below(LETTERS.len())]).0.into_owned()),
            ),
        }
    }
    if numbers.below(6) == 0 {
        let marks: [&[u8]; 6] = [b"\xEF\xBB\xBF", b"\xFE\xFF", b"\xFF\xFE", b"\xEF\xBB", b"\xEF", b"\xFE"];
        src.splice(0..0, marks[numbers.below(6)].iter().copied());
    }
    src
}
