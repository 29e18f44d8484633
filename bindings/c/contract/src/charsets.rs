//! The encodings under test, and the code points that glibc can write in each.

use crate::answer::{Handle, Memory, Null};
use crate::library::{Glibc, Iconv};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

/// The common names, each compared with each.
pub const COMMON: &[&str] = &[
    "UTF-8",
    "UTF-16",
    "UTF-16LE",
    "UTF-16BE",
    "UTF-32",
    "UTF-32LE",
    "UTF-32BE",
    "UCS-2",
    "UCS-4",
    "UTF-7",
    "US-ASCII",
    "ISO-8859-1",
    "ISO-8859-2",
    "ISO-8859-3",
    "ISO-8859-4",
    "ISO-8859-5",
    "ISO-8859-6",
    "ISO-8859-7",
    "ISO-8859-8",
    "ISO-8859-9",
    "ISO-8859-10",
    "ISO-8859-11",
    "ISO-8859-13",
    "ISO-8859-14",
    "ISO-8859-15",
    "ISO-8859-16",
    "CP1250",
    "CP1251",
    "CP1252",
    "CP1253",
    "CP1254",
    "CP1255",
    "CP1256",
    "CP1257",
    "CP1258",
    "KOI8-R",
    "KOI8-U",
    "CP437",
    "CP850",
    "CP852",
    "CP866",
    "MACINTOSH",
    "TIS-620",
    "SHIFT_JIS",
    "CP932",
    "EUC-JP",
    "ISO-2022-JP",
    "GBK",
    "GB18030",
    "EUC-CN",
    "BIG5",
    "BIG5-HKSCS",
    "EUC-TW",
    "EUC-KR",
    "UHC",
    "JOHAB",
    "ISO-2022-KR",
    "ISO-2022-CN",
    "IBM037",
    "IBM500",
    "IBM1047",
    "VISCII",
    "ARMSCII-8",
    "GEORGIAN-PS",
];

/// Rarer names, compared with UTF-8 only: they have other shifts, and other rules for marks.
pub const RARE: &[&str] = &[
    "UCS-2BE",
    "UCS-4LE",
    "WCHAR_T",
    "UNICODE",
    "ISO-2022-CN-EXT",
    "ISO-2022-JP-2",
    "ISO-2022-JP-3",
    "EUC-JP-MS",
    "EUC-JISX0213",
    "SHIFT_JISX0213",
    "IBM930",
    "IBM933",
    "IBM935",
    "IBM937",
    "IBM939",
    "IBM943",
    "IBM1364",
    "IBM1371",
    "IBM1388",
    "IBM1390",
    "IBM1399",
    "TCVN5712-1",
    "KOI8-RU",
    "KOI8-T",
    "CP874",
    "CP862",
    "CP1125",
    "MAC-CYRILLIC",
    "HP-ROMAN8",
    "RK1048",
    "PT154",
];

/// The code points and the byte sequences that an encoding has.
#[derive(Debug, Default)]
pub struct Repertoire {
    /// Code points that glibc can write in the encoding, in order.
    pub code_points: Vec<u32>,
}

impl Repertoire {
    /// Returns `true` if glibc can write the code point.
    #[must_use]
    pub fn has(&self, c: u32) -> bool {
        self.code_points.binary_search(&c).is_ok()
    }
}

/// Returns the code points to try: all of planes 0 to 2 that are in use, and a sample of all
/// others.
pub fn code_points(all: bool) -> impl Iterator<Item = u32> {
    (0..0x11_0000_u32).filter(move |c| {
        all || *c < 0x1_2000
            || matches!(c, 0x1_D000..0x1_D800 | 0x1_F000..0x1_FB00 | 0x2_0000..0x2_FA20 | 0xE_0000..0xE_0200)
            || c & 0xFF == 0xFE
    })
}

/// Returns the code points as UTF-32 in the machine's byte order, without a signature.
#[must_use]
pub fn utf32(code_points: &[u32]) -> Vec<u8> {
    code_points.iter().flat_map(|c| c.to_le_bytes()).collect()
}

/// Returns what glibc can write in `name`.
///
/// # Panics
/// If glibc does not know the name.
pub fn repertoire(name: &'static str) -> Arc<Repertoire> {
    static KNOWN: OnceLock<Mutex<HashMap<&'static str, Arc<Repertoire>>>> = OnceLock::new();
    let known = KNOWN.get_or_init(Mutex::default);
    if let Some(repertoire) = known.lock().expect("no panic before").get(name) {
        return Arc::clone(repertoire);
    }
    let made = Arc::new(ask(name));
    known.lock().expect("no panic before").insert(name, Arc::clone(&made));
    made
}

fn ask(name: &str) -> Repertoire {
    let mut handle = Handle::open(&Glibc, name.as_bytes(), b"UTF-32LE").expect("a name of glibc");
    let mut memory = Memory::new();
    let candidates: Vec<u32> = code_points(false).filter(|c| !(0xD800..0xE000).contains(c)).collect();
    let mut code_points = Vec::new();
    // Long pieces are fast; after each refused code point, another piece begins.
    let mut rest = &candidates[..];
    while !rest.is_empty() {
        let piece = &rest[..rest.len().min(64)];
        let answer = handle.convert(&mut memory, &utf32(piece), 4096);
        let read = usize::try_from(answer.read).unwrap_or(0) / 4;
        code_points.extend_from_slice(&piece[..read]);
        rest = &rest[read + usize::from(read < piece.len())..];
        handle.reset(Null::Outer);
    }
    Repertoire { code_points }
}

/// Converts a whole text with glibc, and closes it; returns `None` after an error.
#[must_use]
pub fn with_glibc(to: &str, from: &str, text: &[u8]) -> Option<Vec<u8>> {
    with(&Glibc, to, from, text)
}

/// Converts a whole text with the library, and closes it; returns `None` after an error.
#[must_use]
pub fn with(library: &dyn Iconv, to: &str, from: &str, text: &[u8]) -> Option<Vec<u8>> {
    let mut handle = Handle::open(library, to.as_bytes(), from.as_bytes()).ok()?;
    let mut memory = Memory::new();
    let (mut bytes, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let piece = &rest[..rest.len().min(4096)];
        let answer = handle.convert(&mut memory, piece, 1 << 15);
        let read = usize::try_from(answer.read).unwrap_or(0);
        // A sequence that is incomplete at the end of a piece is complete in the next.
        if answer.returned < 0 && (answer.errno != Some(libc::EINVAL) || piece.len() == rest.len()) {
            return None;
        }
        bytes.extend(answer.bytes);
        rest = &rest[read..];
    }
    bytes.extend(handle.reset_into(&mut memory, 64, Null::Outer).bytes);
    Some(bytes)
}
