//! The background of an encoding: how it differs from UTF-8, who uses it, and how browsers treat
//! it.
//!
//! Sources: the registries and specifications that [`Names::specified_in`](placemat::forms::Names) names; WHATWG Encoding
//! Standard section 4.2 and HTML Standard, "Character encodings", for the web.

use super::groups::family;
use crate::ebcdic::{is_ebcdic, line_ends, without_option};
use crate::families::unit_bytes;
use crate::line_ends::LineEnd;
use placemat::Encoding;

/// How browsers treat an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OnTheWeb {
    /// Browsers read and write the encoding, and documents must be in it: UTF-8.
    Required,
    /// Browsers read the encoding, for old documents.
    Read,
    /// Browsers must not know the encoding.
    Forbidden,
    /// Browsers know the encoding's labels and refuse such documents: the whole text becomes one
    /// U+FFFD.
    Replaced,
    /// Browsers do not know the encoding.
    Unknown,
}

impl OnTheWeb {
    /// How browsers treat `encoding`.
    pub(super) fn of(encoding: Encoding) -> Self {
        if encoding == Encoding::UTF_8 {
            Self::Required
        } else if placemat::web::for_label(encoding.name()) == Some(Encoding::REPLACEMENT) {
            Self::Replaced
        } else if is_forbidden(encoding) {
            Self::Forbidden
        } else if !encoding.names().web_labels.is_empty() {
            Self::Read
        } else if is_ebcdic(encoding) {
            Self::Forbidden
        } else {
            Self::Unknown
        }
    }

    /// Returns a description in words.
    pub(super) const fn describe(self) -> &'static str {
        match self {
            Self::Required => "required for documents",
            Self::Read => "read, for old documents",
            Self::Forbidden => "forbidden",
            Self::Replaced => "refused: the whole document becomes one U+FFFD",
            Self::Unknown => "unknown",
        }
    }
}

/// Encodings that browsers must not know, besides EBCDIC, and those with units of four bytes.
const FORBIDDEN: [Encoding; 8] = [
    Encoding::CESU_8,
    Encoding::BOCU_1,
    Encoding::SCSU,
    Encoding::UTF_7,
    Encoding::UTF_7_D,
    Encoding::UTF_7_IMAP,
    Encoding::UTF_EBCDIC,
    Encoding::I8,
];

/// Returns `true` if browsers must not know the encoding; returns `false` for pages of EBCDIC, which [`is_ebcdic`]
/// recognizes.
fn is_forbidden(encoding: Encoding) -> bool {
    unit_bytes(encoding) == 4 || FORBIDDEN.contains(&encoding)
}

/// How an encoding differs from UTF-8, in a sentence.
pub(super) fn differs(encoding: Encoding) -> &'static str {
    match entry(encoding) {
        Some((_, differs, _)) => differs,
        None if encoding.max_bytes() == 1 && encoding.is_ascii_compatible() => {
            "one byte for everything, so at most 256 code points; bytes from 80 up mean what the charset says, and \
             nothing shows when it is the wrong one"
        }
        None if is_ebcdic(encoding) && encoding.max_bytes() == 1 => {
            "one byte for everything, and not even letters and digits have the bytes of ASCII"
        }
        None if encoding.max_bytes() == 1 => "one byte for everything, and some bytes below 80 are not ASCII",
        None => "a table of characters in one byte or several, with a small part of Unicode",
    }
}

/// Returns the users of an encoding, past or present.
pub(super) fn used_by(encoding: Encoding) -> &'static str {
    if let Some((_, _, used_by)) = entry(encoding) {
        return used_by;
    }
    if is_ebcdic(encoding) {
        return "IBM mainframes and midrange systems";
    }
    let users = USERS.iter().find(|(encodings, _)| encodings.contains(&encoding));
    users.map_or_else(|| used_by_family(encoding), |(_, users)| users)
}

/// Returns the users of the family of an encoding.
fn used_by_family(encoding: Encoding) -> &'static str {
    match family(encoding) {
        "DOS, OS/2" => DOS,
        "television" => "television: pages and subtitles of Teletext, names of programs of DVB",
        "telephones" => {
            "mobile telephones and gateways for short messages (SMS), each septet in a byte of its own"
        }
        "home computers" => "home computers of the 1980s, and emulators of them",
        _ => "national standards and systems before Unicode",
    }
}

/// The users of the pages of DOS.
const DOS: &str = "DOS and OS/2, and the console of Windows";

/// Returns how a page of EBCDIC reads the two bytes that end lines there; `None` for other encodings.
///
/// Most pages have NEL at 15 and LF at 25, as IBM defines them; those of z/OS Unix exchange them.
pub(super) fn newline(encoding: Encoding) -> Option<String> {
    let [at_15, at_25] = line_ends(encoding)?.map(LineEnd::name);
    Some(format!("byte 15 is {at_15}, byte 25 is {at_25}"))
}

/// Returns the byte of LF and the name of the page that is like a page of EBCDIC but has the bytes of LF and NEL exchanged.
pub(super) fn exchanged(encoding: Encoding) -> Option<(u8, &'static str)> {
    let byte = if encoding.ebcdic_newline()? == 0x15 { 0x25 } else { 0x15 };
    encoding.with_ebcdic_newline(byte).map(|page| (byte, page.name()))
}

type Entry = (Encoding, &'static str, &'static str);

fn entry(encoding: Encoding) -> Option<&'static Entry> {
    let page = without_option(encoding);
    ENTRIES.iter().find(|(known, ..)| *known == page)
}

/// The encoding, how it differs, who uses it.
const ENTRIES: &[Entry] = &[
    (
        Encoding::UTF_8,
        "not at all",
        "the web, Unix, most file formats and protocols; it has no byte FF, which Telnet (RFC 854) must double",
    ),
    (
        Encoding::UTF_8_BOM,
        "the three bytes EF BB BF at the start belong to the encoding",
        "Windows programs that tell UTF-8 from other files by them; Python calls it utf-8-sig",
    ),
    (
        Encoding::UTF_8_BMP_ONLY,
        "no sequences of four bytes: nothing above U+FFFF can be written",
        "MySQL and MariaDB, which call it utf8mb3, and long called it utf8",
    ),
    (
        Encoding::UTF_16,
        "units of 16 bits in the byte order that the signature says; ASCII takes two bytes, most of Asia two instead of three",
        "files of Windows programs",
    ),
    (
        Encoding::UTF_16LE,
        "units of 16 bits; ASCII takes two bytes, most of Asia two instead of three",
        "Windows, Java, JavaScript and .NET in memory, and files from them",
    ),
    (
        Encoding::UTF_16BE,
        "units of 16 bits; ASCII takes two bytes, most of Asia two instead of three",
        "Java and network protocols",
    ),
    (
        Encoding::UTF_32,
        "four bytes for each code point, in the byte order that the signature says",
        "programs in memory; hardly any files",
    ),
    (Encoding::UTF_32LE, "four bytes for each code point", "programs in memory; hardly any files"),
    (Encoding::UTF_32BE, "four bytes for each code point", "programs in memory; hardly any files"),
    (
        Encoding::UCS_2,
        "two bytes for each code point, and nothing above U+FFFF; surrogates are plain values",
        "systems of the 1990s",
    ),
    (
        Encoding::UCS_2LE,
        "two bytes for each code point, and nothing above U+FFFF; surrogates are plain values",
        "systems of the 1990s",
    ),
    (
        Encoding::UCS_2BE,
        "two bytes for each code point, and nothing above U+FFFF; surrogates are plain values",
        "systems of the 1990s",
    ),
    (
        Encoding::UCS_4,
        "four bytes for each code point of 31 bits",
        "ISO/IEC 10646 before its code space ended at U+10FFFF",
    ),
    (
        Encoding::UCS_4LE,
        "four bytes for each code point of 31 bits",
        "ISO/IEC 10646 before its code space ended at U+10FFFF",
    ),
    (
        Encoding::UCS_4BE,
        "four bytes for each code point of 31 bits",
        "ISO/IEC 10646 before its code space ended at U+10FFFF",
    ),
    (
        Encoding::US_ASCII,
        "its first 128 code points and nothing else; every text in it is UTF-8",
        "protocols, source code, everything old",
    ),
    (
        Encoding::ISO_8859_1,
        "one byte for each of the first 256 code points; browsers take the name for windows-1252",
        "Unix systems and mail before UTF-8; HTTP headers",
    ),
    (
        Encoding::CESU_8,
        "six bytes instead of four above U+FFFF, a surrogate at a time; so it sorts as UTF-16 does",
        "Oracle databases, which call it UTF8, and programs that convert UTF-16 a unit at a time",
    ),
    (
        Encoding::MODIFIED_UTF_8,
        "six bytes instead of four above U+FFFF, and C0 80 for U+0000, so that no byte is 00; lone surrogates are kept",
        "Java: class files, serialization, JNI; Android's dex files (`placemat inspect` shows the strings of such files, see --framing)",
    ),
    (
        Encoding::JAVA_UTF,
        "as Modified UTF-8, and overlong sequences and bytes 00 are read too",
        "Java programs that read with DataInput",
    ),
    (
        Encoding::TCL_UTF_8,
        "as Modified UTF-8, and sequences of four bytes and bytes 00 are read too",
        "Tcl in memory",
    ),
    (
        Encoding::WTF_8,
        "lone surrogates have three bytes too, so that any UTF-16, well-formed or not, can be kept",
        "Rust on Windows for file names",
    ),
    (
        Encoding::UTF_8_31_BIT,
        "up to six bytes, for 31 bits; surrogates are plain values",
        "ISO/IEC 10646 and Plan 9 until 2003 (RFC 2279); Perl's lax utf8",
    ),
    (
        Encoding::UTF_8_PERL,
        "up to six bytes, for 31 bits, as utf-8-31; Perl itself goes to thirteen bytes and 63 bits, which are errors here",
        "Perl in memory",
    ),
    (
        Encoding::FSS_UTF_1992,
        "at most five bytes, each row counting from where the last one ends; no way to find the start of a sequence",
        "no program: UTF-8 was designed in answer to this proposal",
    ),
    (
        Encoding::UTF_1,
        "later bytes of a sequence can be those of printing ASCII, the slash among them",
        "the first edition of ISO/IEC 10646; ISO 2022 by the escape ESC % B",
    ),
    (
        Encoding::UTF_7,
        "all bytes are below 80; what is not ASCII stands in runs of base64",
        "mail before it could carry eight bits",
    ),
    (
        Encoding::UTF_7_D,
        "as UTF-7, with base64 also for characters that some mail systems damage",
        "mail gateways",
    ),
    (
        Encoding::UTF_7_IMAP,
        "as UTF-7 with & for +, and only one way to write a name",
        "names of mailboxes in IMAP4rev1",
    ),
    (
        Encoding::UTF_EBCDIC,
        "letters, digits and controls have the bytes of EBCDIC; five bits in each later byte",
        "IBM mainframes, seldom; Oracle there calls it UTFE",
    ),
    (
        Encoding::I8,
        "C1 controls take one byte, and later bytes have five bits",
        "no program alone: it is the first step of UTF-EBCDIC",
    ),
    (
        Encoding::SCSU,
        "a byte for each letter of an alphabet, two for each ideograph; the meaning of a byte depends on all before it",
        "Symbian, SQL Server for storage, Reuters",
    ),
    (
        Encoding::BOCU_1,
        "each code point by its distance from the one before; sorts as code points do",
        "hardly any program; it comes from ICU",
    ),
    (
        Encoding::GB18030,
        "two bytes for Chinese, four for all the rest of Unicode; later bytes can be digits and letters",
        "China, by law",
    ),
    (
        Encoding::X_USER_DEFINED,
        "one byte for everything; bytes from 80 up are no characters but code points for private use, from U+F780 to U+F7FF",
        "scripts that read binary data as text by overrideMimeType; a page that declares it in <meta> is read as windows-1252",
    ),
    (
        Encoding::REPLACEMENT,
        "nothing can be read: a text that is not empty is one error, and nothing can be written",
        "browsers, for labels of encodings that are dangerous to read",
    ),
    (
        Encoding::MARC_8,
        "combining marks stand before their base; escapes choose the script",
        "library catalogs",
    ),
    (
        Encoding::ANSEL,
        "combining marks stand before their base",
        "library catalogs and the first programs of genealogists",
    ),
    (
        Encoding::GEDCOM,
        "combining marks stand before their base",
        "GEDCOM files of genealogists with `1 CHAR ANSEL`",
    ),
];

/// The users of encodings without an entry in [`ENTRIES`].
const USERS: &[(&[Encoding], &str)] = &[
    (
        &[
            Encoding::WINDOWS_1250,
            Encoding::WINDOWS_1251,
            Encoding::WINDOWS_1252,
            Encoding::WINDOWS_1253,
            Encoding::WINDOWS_1254,
            Encoding::WINDOWS_1255,
            Encoding::WINDOWS_1256,
            Encoding::WINDOWS_1257,
            Encoding::WINDOWS_1258,
            Encoding::WINDOWS_874,
        ],
        "Windows programs that do not use Unicode, and files from them",
    ),
    (
        &[
            Encoding::ISO_8859_2,
            Encoding::ISO_8859_3,
            Encoding::ISO_8859_4,
            Encoding::ISO_8859_5,
            Encoding::ISO_8859_6,
            Encoding::ISO_8859_7,
            Encoding::ISO_8859_8,
            Encoding::ISO_8859_8_I,
            Encoding::ISO_8859_10,
            Encoding::ISO_8859_13,
            Encoding::ISO_8859_14,
            Encoding::ISO_8859_15,
            Encoding::ISO_8859_16,
            Encoding::X_ISO_8859_9,
            Encoding::X_ISO_8859_11,
            Encoding::ISO_8859_9E,
        ],
        "Unix systems and mail before UTF-8",
    ),
    (
        &[
            Encoding::KOI8_R,
            Encoding::KOI8_U,
            Encoding::X_KOI8_U,
            Encoding::X_KOI8_RU,
            Encoding::KOI8_T,
            Encoding::KOI8_GOST,
        ],
        "Unix systems and mail in Cyrillic script before UTF-8",
    ),
    (
        &[
            Encoding::IBM866,
            Encoding::IBM437,
            Encoding::IBM720,
            Encoding::IBM737,
            Encoding::IBM775,
            Encoding::IBM850,
            Encoding::IBM851,
            Encoding::IBM852,
            Encoding::IBM855,
            Encoding::IBM856,
            Encoding::IBM857,
            Encoding::IBM858,
            Encoding::IBM860,
            Encoding::IBM861,
            Encoding::IBM862,
            Encoding::IBM863,
            Encoding::IBM865,
            Encoding::IBM867,
            Encoding::IBM868,
            Encoding::IBM869,
            Encoding::IBM1006,
            Encoding::IBM1098,
            Encoding::IBM1125,
            Encoding::IBM1131,
            Encoding::CP770,
            Encoding::CP771,
            Encoding::CP772,
            Encoding::CP773,
            Encoding::CP774,
            Encoding::CP866NAV,
            Encoding::KEYBCS2,
            Encoding::MAZOVIA,
            Encoding::IBM874,
            Encoding::IBM891,
            Encoding::IBM901,
            Encoding::IBM902,
            Encoding::IBM903,
            Encoding::IBM904,
            Encoding::IBM921,
            Encoding::IBM922,
            Encoding::IBM1004,
            Encoding::IBM1008,
            Encoding::IBM1046,
            Encoding::IBM1124,
            Encoding::IBM1129,
            Encoding::IBM1161,
            Encoding::IBM1163,
            Encoding::IBM1167,
            Encoding::IBM1276,
            Encoding::IBM4909,
            Encoding::IBM9066,
            Encoding::IBM943,
            Encoding::IBM864,
            Encoding::IBM1133,
        ],
        DOS,
    ),
    (
        &[
            Encoding::MACINTOSH,
            Encoding::X_MAC_CYRILLIC,
            Encoding::X_MAC_CENTRALEUROPE,
            Encoding::X_MAC_CROATIAN,
            Encoding::X_MAC_GREEK,
            Encoding::X_MAC_ICELAND,
            Encoding::X_MAC_ROMANIA,
            Encoding::X_MAC_TURKISH,
            Encoding::X_MAC_ARABIC,
            Encoding::X_MAC_FARSI,
            Encoding::X_MAC_HEBREW,
            Encoding::X_MAC_THAI,
            Encoding::X_MAC_SYMBOL,
            Encoding::X_MAC_DINGBAT,
            Encoding::X_MAC_CYRILLIC_OLD,
            Encoding::MAC_IS,
            Encoding::MAC_SAMI,
        ],
        "Mac OS before version 10",
    ),
    (
        &[
            Encoding::HP_ROMAN8,
            Encoding::HP_ROMAN9,
            Encoding::HP_GREEK8,
            Encoding::HP_THAI8,
            Encoding::HP_TURKISH8,
        ],
        "HP-UX and HP printers",
    ),
    (&[Encoding::NEXTSTEP], "NeXTSTEP and OpenStep"),
    (&[Encoding::IBM437_NFO], "NFO files, and text art of bulletin boards"),
    (&[Encoding::RISCOS_LATIN1], "RISC OS, of Acorn computers"),
    (
        &[Encoding::PETSCII, Encoding::PETSCII_SHIFTED, Encoding::PETSCII_VIC20_SHIFTED],
        "Commodore computers, and bulletin boards for them",
    ),
    (&[Encoding::ATARIST], "Atari ST and TT"),
    (&[Encoding::TSCII], "Tamil pages and books of the web before Unicode, and their fonts"),
    (
        &[
            Encoding::ISCII_DEVANAGARI,
            Encoding::ISCII_BENGALI,
            Encoding::ISCII_GURMUKHI,
            Encoding::ISCII_GUJARATI,
            Encoding::ISCII_ORIYA,
            Encoding::ISCII_TAMIL,
            Encoding::ISCII_TELUGU,
            Encoding::ISCII_KANNADA,
            Encoding::ISCII_MALAYALAM,
        ],
        "offices, newspapers and text corpora of India before Unicode",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_said_of_every_encoding() {
        for &encoding in Encoding::ALL {
            assert!(!differs(encoding).is_empty() && !used_by(encoding).is_empty(), "{encoding}");
        }
    }

    /// x-user-defined has its own text, not that of national standards or of wrong charsets.
    #[test]
    fn user_defined_is_for_scripts() {
        let encoding = Encoding::X_USER_DEFINED;
        assert!(used_by(encoding).starts_with("scripts"), "{}", used_by(encoding));
        assert!(differs(encoding).contains("private use"), "{}", differs(encoding));
    }
}
