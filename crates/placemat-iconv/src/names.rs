//! Names of encodings that glibc reads otherwise than the web, or that only glibc has.
//!
//! The tables come from running glibc 2.36 and comparing its output for every code point with that of each of the
//! encodings here.

use crate::left::LEFT;
use alloc::string::String;
use alloc::vec::Vec;
use placemat::Encoding;

/// The substitutes of code points: text that the encoding has.
pub(crate) type Written = &'static [(char, &'static str)];

/// Names, the label of the encoding, and its substitutes.
type Row = (&'static str, &'static str, Written);

/// Names match exactly, apart from case.
const NAMES: &[Row] = &[
    // With the byte order of the machine, and no signature. glibc lacks the names ISO-10646-UCS-2 and ISO-10646-UCS-4; libxml2
    // tries them first and then UCS-2 and UCS-4, so all are read alike.
    ("UCS-2 UCS2 ISO-10646-UCS-2 ISO-10646/UCS2 OSF00010100 OSF00010101 OSF00010102", UCS_2, &[]),
    ("WCHAR_T", WCHAR_T, &[]),
    ("UNICODE CSUNICODE", "ucs-2", &[]),
    (
        "UCS-4 UCS4 CSUCS4 ISO-10646 ISO-10646-UCS-4 ISO-10646/UCS4 10646-1:1993 10646-1:1993/UCS4 OSF00010104 OSF00010105 OSF00010106",
        "ucs-4be",
        &[],
    ),
    ("ISO-10646/UTF8 ISO-10646/UTF-8 ISO-IR-193 OSF05010001", "utf-8", &[]),
    ("UTF-7 UTF7", "utf-7-d", &[]),
    // True to their standards, where the web has a page of Windows.
    (
        "ISO-8859-9 ISO8859-9 ISO88599 ISO_8859-9 ISO_8859-9:1989 ISO-IR-148 CSISOLATIN5 L5 LATIN5",
        "x-iso-8859-9",
        &[],
    ),
    ("ISO-8859-11 ISO8859-11 ISO885911", "x-iso-8859-11", &[]),
    ("TIS-620 TIS620", "x-tis-620", &[]),
    ("CP874 WINDOWS-874", "ibm874", &[]),
    ("KOI8-U KOI8U", "x-koi8-u", &[]),
    ("KOI8-RU", "x-koi8-ru", &[]),
    ("KOI-8 KOI8", "koi8-gost", &[]),
    ("ANSI_X3.4 OSF00010020", "us-ascii", &[]),
    ("OSF00010001", "iso-8859-1", &[]),
    // ISO 646 of some countries.
    ("ARABIC7", "asmo_449", &[]),
    ("CA", "csa_z243.4-1985-1", &[]),
    ("CN", "gb_1988-80", &[]),
    ("CUBA", "nc_nc00-10", &[]),
    ("DK", "ds_2089", &[]),
    ("ES", "iso646-es", &[]),
    ("FR", "nf_z_62-010", &[]),
    ("HU", "msz_7795.3", &[]),
    ("IT", "iso646-it", &[]),
    ("NO", "ns_4551-1", &[]),
    ("PT", "iso646-pt", &[]),
    ("SE", "sen_850200_b", &[]),
    ("UK", "bs_4730", &[]),
    ("YU", "jus_i.b1.002", &[]),
    // Chinese, Japanese, Korean: the nearest that there is, which may hold more.
    ("SJIS SHIFT-JIS SHIFT_JIS MS_KANJI CSSHIFTJIS", "shift_jis-strict", SJIS),
    ("SHIFT_JISX0213 SHIFTJISX0213", "shift_jis-2004", SJISX0213),
    ("CP932 MS932 SJIS-OPEN SJIS-WIN WINDOWS-31J CSWINDOWS31J", "windows-31j-strict", CP932),
    ("IBM-932 IBM932 CSIBM932", "shift_jis", WEB_JAPANESE),
    ("IBM-943 IBM943 CSIBM943", "ibm943", IBM943),
    ("GB2312 EUC-CN EUCCN CN-GB CSGB2312", "euc-cn-strict", &[]),
    ("EUC-KR EUCKR CSEUCKR OSF0004000A", "euc-kr-strict", EUC_KR),
    ("MSCP949 OSF100203B5", "euc-kr", &[]),
    ("EUC-JP EUCJP UJIS CSEUCPKDFMTJAPANESE OSF00030010", "euc-jp-strict", EUC_JP),
    ("EUC-JP-MS EUCJP-MS EUCJP-OPEN EUCJP-WIN", "euc-jp", WEB_JAPANESE),
    ("ISO-2022-JP ISO2022JP CSISO2022JP", "iso-2022-jp-strict", &[]),
    ("GBK CP936 MS936 WINDOWS-936", "gbk-strict", &[]),
    ("BIG5 BIG-5 BIG-FIVE BIGFIVE CN-BIG5 CP950", "big5-strict", &[]),
    ("OSF0005000A", "euc-tw", &[]),
    ("JOHAB MSCP1361 CP1361", "johab", JOHAB),
    // Single-byte; one code point differs.
    ("MAC MACINTOSH CSMACINTOSH", "macintosh", &[('\u{394}', "\u{2206}")]),
    ("MS-MAC-CYRILLIC MSMACCYRILLIC", "cp10007", &[]),
    ("MAC-CYRILLIC MACCYRILLIC MAC-UK MACUK MACUKRAINIAN", "x-mac-cyrillic", &[('\u{A4}', "\u{20AC}")]),
];

const UCS_2: &str = if cfg!(target_endian = "big") { "ucs-2be" } else { "ucs-2le" };
const WCHAR_T: &str = if cfg!(target_endian = "big") { "ucs-4be" } else { "ucs-4le" };

/// The yen sign and the overline stand at the bytes of the backslash and the tilde, and glibc writes both code points
/// as that byte.
const SJISX0213: Written = &[('\\', "\u{A5}"), ('~', "\u{203E}")];
const SJIS: Written = &[
    ('\\', "\u{A5}"),
    ('~', "\u{203E}"),
    ('\u{FFE0}', "\u{A2}"),
    ('\u{FFE1}', "\u{A3}"),
    ('\u{FFE2}', "\u{AC}"),
];
/// Microsoft, and the web after it, use the full-width forms instead.
const WEB_JAPANESE: Written = &[
    ('\u{A2}', "\u{FFE0}"),
    ('\u{A3}', "\u{FFE1}"),
    ('\u{AC}', "\u{FFE2}"),
    ('\u{2014}', "\u{2015}"),
    ('\u{2016}', "\u{2225}"),
    ('\u{301C}', "\u{FF5E}"),
];
/// The code points of [`WEB_JAPANESE`], and half-width symbols.
const CP932: Written = &[
    ('\u{A2}', "\u{FFE0}"),
    ('\u{A3}', "\u{FFE1}"),
    ('\u{A5}', "\\"),
    ('\u{AC}', "\u{FFE2}"),
    ('\u{2014}', "\u{2015}"),
    ('\u{2016}', "\u{2225}"),
    ('\u{203E}', "~"),
    ('\u{2212}', "\u{FF0D}"),
    ('\u{301C}', "\u{FF5E}"),
];
/// Half-width symbols that the page lacks.
const IBM943: Written = &[('\u{A5}', "\\"), ('\u{203E}', "~")];
/// The yen sign and the overline stand at the bytes of the backslash and the tilde in the set for Japan.
const EUC_JP: Written = &[('\u{A5}', "\\"), ('\u{203E}', "~")];
const EUC_KR: Written = &[('\u{20A9}', "\u{FFE6}")];
const JOHAB: Written = &[('\u{20A9}', "\\")];

/// Returns `true` if glibc does the same by this name. The C library leaves the other names to the next library, if there is
/// one.
pub(crate) fn is_exact(name: &str) -> bool {
    let (word, bit) = place(hash(name.as_bytes()));
    if LEFT_HASHES[word] & bit == 0 {
        return true;
    }
    let upper = || name.bytes().map(|byte| byte.to_ascii_uppercase());
    LEFT.binary_search_by(|left| left.bytes().cmp(upper())).is_err()
}

/// A bit for the hash of each name that is left to others: most names that are looked up are none of them.
static LEFT_HASHES: [u64; 64] = {
    let (mut all, mut i) = ([0; 64], 0);
    while i < LEFT.len() {
        let (word, bit) = place(hash(LEFT[i].as_bytes()));
        all[word] |= bit;
        i += 1;
    }
    all
};

/// Returns the place of a hash among 4,096 bits.
const fn place(hash: u32) -> (usize, u64) {
    ((hash >> 6) as usize % 64, 1 << (hash % 64))
}

/// Returns the encoding of a name, and its substitutes.
pub(crate) fn find(name: &str) -> Option<(Encoding, Written)> {
    match row(name) {
        Some((_, label, written)) => Encoding::for_label(label).map(|encoding| (encoding, *written)),
        None => Encoding::for_label(name).map(|encoding| (encoding, &[][..])),
    }
}

/// Returns the row of a name.
fn row(name: &str) -> Option<&'static Row> {
    let hash = hash(name.as_bytes());
    let start = BY_HASH.partition_point(|entry| entry.hash < hash);
    let alike = BY_HASH[start..].iter().take_while(|entry| entry.hash == hash);
    alike.map(|entry| &NAMES[usize::from(entry.row)]).find(|(names, ..)| has(names, name))
}

fn has(names: &str, name: &str) -> bool {
    names.split(' ').any(|known| known.eq_ignore_ascii_case(name))
}

/// A name of [`NAMES`].
#[derive(Clone, Copy)]
struct Entry {
    hash: u32,
    row: u8,
}

/// All names, by the hash: most names that are looked up are none of them.
static BY_HASH: [Entry; count()] = by_hash();

/// Returns the hash of Fowler, Noll and Vo (FNV-1a, 32 bits) of a name in upper case.
const fn hash(name: &[u8]) -> u32 {
    let (mut hash, mut i) = (0x811C_9DC5_u32, 0);
    while i < name.len() {
        hash = (hash ^ name[i].to_ascii_uppercase() as u32).wrapping_mul(0x0100_0193);
        i += 1;
    }
    hash
}

const fn count() -> usize {
    let (mut count, mut row) = (0, 0);
    while row < NAMES.len() {
        let names = NAMES[row].0.as_bytes();
        let mut i = 0;
        while i < names.len() {
            count += (names[i] == b' ') as usize;
            i += 1;
        }
        count += 1;
        row += 1;
    }
    count
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "there are fewer rows than 256, which the compiler checks"
)]
const fn by_hash() -> [Entry; count()] {
    assert!(NAMES.len() <= 0x100);
    let mut all = [Entry { hash: 0, row: 0 }; count()];
    let (mut len, mut row) = (0, 0);
    while row < NAMES.len() {
        let names = NAMES[row].0.as_bytes();
        let (mut start, mut end) = (0, 0);
        while end <= names.len() {
            if end == names.len() || names[end] == b' ' {
                let (name, _) = names.split_at(end).0.split_at(start).1.split_at(end - start);
                let entry = Entry { hash: hash(name), row: row as u8 };
                // Where it belongs among those before it.
                let mut at = len;
                while at > 0 && all[at - 1].hash > entry.hash {
                    all[at] = all[at - 1];
                    at -= 1;
                }
                all[at] = entry;
                len += 1;
                start = end + 1;
            }
            end += 1;
        }
        row += 1;
    }
    all
}

/// Returns all names that [`Charset::new`](crate::Charset::new) knows, upper case, in order, each once.
#[must_use]
pub fn all() -> Vec<String> {
    let here = NAMES.iter().flat_map(|(names, ..)| names.split(' '));
    let labels = Encoding::ALL
        .iter()
        .map(|encoding| encoding.names())
        .flat_map(|names| core::iter::once(names.name).chain(names.labels));
    // Descriptive names, such as "UTF-8 31-bit", do not suit a command line.
    let mut all = Vec::new();
    for name in here.chain(labels).filter(|name| !name.contains(' ')) {
        insert(&mut all, name.to_ascii_uppercase());
    }
    all
}

/// Adds an item to a sorted list unless the list has it. Lists of names are seldom made, and a sort would be 4 KB of code
/// for each kind of list.
pub(crate) fn insert<T: Ord>(sorted: &mut Vec<T>, item: T) {
    if let Err(at) = sorted.binary_search(&item) {
        sorted.insert(at, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use placemat::stream::Transcoder;
    use placemat::{ErrorPolicy, UnmappablePolicy};

    #[test]
    fn names_left_to_others() {
        assert!(LEFT.is_sorted());
        for name in all() {
            assert_eq!(is_exact(&name), !LEFT.contains(&&*name), "{name}");
        }
        for name in LEFT {
            assert!(!is_exact(&name.to_ascii_lowercase()), "{name}");
        }
    }

    #[test]
    fn all_names_are_found_and_what_is_written_can_be() {
        let mut known = Vec::new();
        for (names, label, written) in NAMES {
            assert!(Encoding::for_label(label).is_some(), "{label}");
            for name in names.split(' ') {
                assert!(!known.contains(&name), "{name}");
                known.push(name);
                let (encoding, same) = find(&name.to_ascii_lowercase()).unwrap();
                assert_eq!(same, *written, "{name}");
                for (_, text) in *written {
                    let (d, u) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
                    assert!(
                        Transcoder::new(Encoding::UTF_8, encoding)
                            .on_error(d)
                            .on_unmappable(u)
                            .transcode(text.as_bytes())
                            .is_ok(),
                        "{name}: {text}"
                    );
                }
            }
        }
        assert!(all().iter().all(|name| find(name).is_some()));
    }
}
