//! What there is to know of an encoding beside its rules: how it differs from UTF-8, who uses it, what browsers do with
//! it, and whether its bytes can be mistaken for markup.
//!
//! Sources: the registries and specifications that [`Names::specified_in`](super::Names) names; WHATWG Encoding Standard
//! section 4.2 and HTML Standard, "Character encodings", for the web.

use super::encoding::Encoding;

/// What bytes below 80 mean in an encoding. Anything but [`Always`](Self::Always) is unsafe for markup: what a filter
/// takes for text can be a tag to the reader, or the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AsciiBytes {
    /// ASCII, always and only.
    Always,
    /// ASCII, or the later bytes of a sequence.
    InSequences,
    /// ASCII, or other text, as shifts before them say.
    Shifted,
    /// Something else.
    Never,
}

impl AsciiBytes {
    /// In words.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Always => "bytes below 80 are ASCII, always and only",
            Self::InSequences => "bytes below 80 are ASCII or later bytes of a sequence: unsafe for markup",
            Self::Shifted => "bytes below 80 are ASCII or other text, as shifts say: unsafe for markup",
            Self::Never => "bytes below 80 are not ASCII: unsafe for markup",
        }
    }
}

/// What browsers do with an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OnTheWeb {
    /// They read and write it, and documents must be in it: UTF-8.
    Required,
    /// They read it, for old documents.
    Read,
    /// They must not know it.
    Forbidden,
    /// They know its labels, and refuse what bears them: the whole is one U+FFFD.
    Replaced,
    /// They do not know it.
    Unknown,
}

impl OnTheWeb {
    /// In words.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Required => "required for documents",
            Self::Read => "read, for old documents",
            Self::Forbidden => "forbidden",
            Self::Replaced => "refused: the whole document becomes one U+FFFD",
            Self::Unknown => "unknown",
        }
    }
}

impl Encoding {
    /// What bytes below 80 mean in it.
    #[must_use]
    pub fn ascii_bytes(self) -> AsciiBytes {
        if self.is_ascii_compatible() {
            return AsciiBytes::Always;
        }
        match self.name() {
            "UTF-1" | "EUC-KR" | "GB18030" | "GBK" | "Big5" | "Shift_JIS" | "Big5-HKSCS" | "Johab"
            | "JOHAB" | "IBM943" | "Shift_JIS-2004" | "Shift_JISX0213" | "BOCU-1" => AsciiBytes::InSequences,
            "UTF-7" | "UTF-7-D" | "UTF-7-IMAP" | "SCSU" | "MARC-8" | "HZ-GB-2312" => AsciiBytes::Shifted,
            name if name.starts_with("ISO-2022") => AsciiBytes::Shifted,
            _ => AsciiBytes::Never,
        }
    }

    /// What browsers do with it.
    #[must_use]
    pub fn on_the_web(self) -> OnTheWeb {
        match self.name() {
            "UTF-8" => OnTheWeb::Required,
            "replacement" | "ISO-2022-KR" | "ISO-2022-CN" | "ISO-2022-CN-EXT" | "HZ-GB-2312" => {
                OnTheWeb::Replaced
            }
            "CESU-8" | "UTF-7" | "UTF-7-D" | "UTF-7-IMAP" | "BOCU-1" | "SCSU" | "UTF-EBCDIC" | "I8"
            | "UTF-32" | "UTF-32LE" | "UTF-32BE" | "UCS-4" | "UCS-4LE" | "UCS-4BE" => OnTheWeb::Forbidden,
            _ if !self.names().web_labels.is_empty() => OnTheWeb::Read,
            name if is_ebcdic(name) => OnTheWeb::Forbidden,
            _ => OnTheWeb::Unknown,
        }
    }

    /// How it differs from UTF-8, in a sentence.
    #[must_use]
    pub fn differs(self) -> &'static str {
        match entry(self) {
            Some((_, differs, _)) => differs,
            None if self.max_bytes() == 1 && self.is_ascii_compatible() => {
                "one byte for everything, so at most 256 code points; bytes from 80 up mean what the charset says, and \
                 nothing shows when it is the wrong one"
            }
            None if is_ebcdic(self.name()) && self.max_bytes() == 1 => {
                "one byte for everything, and not even letters and digits have the bytes of ASCII"
            }
            None if self.max_bytes() == 1 => "one byte for everything, and some bytes below 80 are not ASCII",
            None => "a table of characters in one byte or several, with a small part of Unicode",
        }
    }

    /// Who uses it, or used to.
    #[must_use]
    pub fn used_by(self) -> &'static str {
        if let Some((_, _, used_by)) = entry(self) {
            return used_by;
        }
        let name = self.name();
        let begins =
            |prefix: &str| name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
        match () {
            () if begins("windows-") => "Windows programs that do not use Unicode, and files from them",
            () if begins("iso-8859") || begins("x-iso-8859") => "Unix systems and mail before UTF-8",
            () if begins("koi8") || begins("x-koi8") => {
                "Unix systems and mail in Cyrillic script before UTF-8"
            }
            () if is_ebcdic(name) => "IBM mainframes and midrange systems",
            () if begins("ibm") || begins("cp") => "DOS and OS/2, and the console of Windows",
            () if begins("mac") || begins("x-mac") => "Mac OS before version 10",
            () if begins("hp-") => "HP-UX and HP printers",
            () => "national standards and systems before Unicode",
        }
    }
}

/// Whether the name is of the EBCDIC family: its numbers are mixed with those of DOS pages.
fn is_ebcdic(name: &str) -> bool {
    let Some(encoding) = Encoding::ALL.iter().find(|encoding| encoding.name() == name) else { return false };
    (name.starts_with("IBM") || name.starts_with("EBCDIC") || name.starts_with("UTF-EBCDIC")) && {
        // In all of them, and in nothing else, 40 is a space.
        !encoding.is_ascii_compatible()
            && !matches!(name, "IBM891" | "IBM903" | "IBM904" | "IBM943" | "IBM1167" | "IBM1276")
    }
}

type Entry = (&'static str, &'static str, &'static str);

fn entry(encoding: Encoding) -> Option<&'static Entry> {
    ENTRIES.iter().find(|(name, ..)| *name == encoding.name())
}

/// Name, how it differs, who uses it.
const ENTRIES: &[Entry] = &[
    ("UTF-8", "it is what the others are compared with", "the web, Unix, most file formats and protocols"),
    (
        "UTF-8-BOM",
        "the three bytes EF BB BF at the start belong to the encoding",
        "Windows programs that tell UTF-8 from other files by them; Python calls it utf-8-sig",
    ),
    (
        "UTF-8 (BMP only)",
        "no sequences of four bytes: nothing above U+FFFF can be written",
        "MySQL and MariaDB, which call it utf8mb3, and long called it utf8",
    ),
    (
        "UTF-16",
        "units of 16 bits in the byte order that the signature says; ASCII takes two bytes, most of Asia two instead of three",
        "files of Windows programs",
    ),
    (
        "UTF-16LE",
        "units of 16 bits; ASCII takes two bytes, most of Asia two instead of three",
        "Windows, Java, JavaScript and .NET in memory, and files from them",
    ),
    (
        "UTF-16BE",
        "units of 16 bits; ASCII takes two bytes, most of Asia two instead of three",
        "Java and network protocols",
    ),
    (
        "UTF-32",
        "four bytes for each code point, in the byte order that the signature says",
        "programs in memory; hardly any files",
    ),
    ("UTF-32LE", "four bytes for each code point", "programs in memory; hardly any files"),
    ("UTF-32BE", "four bytes for each code point", "programs in memory; hardly any files"),
    (
        "UCS-2",
        "two bytes for each code point, and nothing above U+FFFF; surrogates are plain values",
        "systems of the 1990s",
    ),
    (
        "UCS-2LE",
        "two bytes for each code point, and nothing above U+FFFF; surrogates are plain values",
        "systems of the 1990s",
    ),
    (
        "UCS-2BE",
        "two bytes for each code point, and nothing above U+FFFF; surrogates are plain values",
        "systems of the 1990s",
    ),
    (
        "UCS-4",
        "four bytes for each code point of 31 bits",
        "ISO/IEC 10646 before its code space ended at U+10FFFF",
    ),
    (
        "UCS-4LE",
        "four bytes for each code point of 31 bits",
        "ISO/IEC 10646 before its code space ended at U+10FFFF",
    ),
    (
        "UCS-4BE",
        "four bytes for each code point of 31 bits",
        "ISO/IEC 10646 before its code space ended at U+10FFFF",
    ),
    (
        "US-ASCII",
        "its first 128 code points and nothing else; every text in it is UTF-8",
        "protocols, source code, everything old",
    ),
    (
        "ISO-8859-1",
        "one byte for each of the first 256 code points; browsers take the name for windows-1252",
        "Unix systems and mail before UTF-8; HTTP headers",
    ),
    (
        "CESU-8",
        "six bytes instead of four above U+FFFF, a surrogate at a time; so it sorts as UTF-16 does",
        "Oracle databases, which call it UTF8, and programs that convert UTF-16 a unit at a time",
    ),
    (
        "Modified UTF-8",
        "six bytes instead of four above U+FFFF, and C0 80 for U+0000, so that no byte is 00; lone surrogates are kept",
        "Java: class files, serialization, JNI; Android's dex files",
    ),
    (
        "WTF-8",
        "lone surrogates have three bytes too, so that any UTF-16, well-formed or not, can be kept",
        "Rust on Windows for file names",
    ),
    (
        "UTF-8 31-bit",
        "up to six bytes, for 31 bits; surrogates are plain values",
        "ISO/IEC 10646 and Plan 9 until 2003 (RFC 2279); Perl's lax utf8",
    ),
    ("UTF-8-Perl", "up to thirteen bytes, for 63 bits; surrogates are plain values", "Perl in memory"),
    (
        "FSS-UTF-1992",
        "at most five bytes, each row counting from where the last one ends; no way to find the start of a sequence",
        "nobody: the proposal that UTF-8 was drawn in answer to",
    ),
    (
        "UTF-1",
        "later bytes of a sequence can be those of printing ASCII, the slash among them",
        "the first edition of ISO/IEC 10646; ISO 2022 by the escape ESC % B",
    ),
    (
        "UTF-7",
        "all bytes are below 80; what is not ASCII stands in runs of base64",
        "mail before it could carry eight bits",
    ),
    ("UTF-7-D", "as UTF-7, with base64 also for signs that some mail systems damage", "mail gateways"),
    (
        "UTF-7-IMAP",
        "as UTF-7 with & for +, and only one way to write a name",
        "names of mailboxes in IMAP4rev1",
    ),
    (
        "UTF-EBCDIC",
        "letters, digits and controls have the bytes of EBCDIC; five bits in each later byte",
        "IBM mainframes, seldom; Oracle there calls it UTFE",
    ),
    (
        "I8",
        "C1 controls take one byte, and later bytes have five bits",
        "nobody by itself: the first step of UTF-EBCDIC",
    ),
    (
        "SCSU",
        "a byte for each letter of an alphabet, two for each ideograph; the meaning of a byte depends on all before it",
        "Symbian, SQL Server for storage, Reuters",
    ),
    (
        "BOCU-1",
        "each code point by its distance from the one before; sorts as code points do",
        "hardly anybody; it is ICU's",
    ),
    (
        "GB18030",
        "two bytes for Chinese, four for all the rest of Unicode; later bytes can be digits and letters",
        "China, by law",
    ),
    (
        "x-user-defined",
        "one byte for everything; bytes from 80 up are no characters but code points for private use, from U+F780 to U+F7FF",
        "scripts that read binary data as text by overrideMimeType; a page that declares it in <meta> is read as windows-1252",
    ),
    (
        "replacement",
        "nothing can be read: a text that is not empty is one error, and nothing can be written",
        "browsers, for labels of encodings that are dangerous to read",
    ),
    ("MARC-8", "combining marks stand before their base; escapes choose the script", "library catalogues"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_of_an_encoding_and_every_form_has_one() {
        for (name, differs, used_by) in ENTRIES {
            let known = Encoding::ALL.iter().any(|encoding| encoding.name() == *name);
            assert!(known || !cfg!(feature = "full"), "{name}");
            assert!(!differs.is_empty() && !used_by.is_empty(), "{name}");
        }
        for &encoding in Encoding::ALL {
            assert!(!encoding.differs().is_empty() && !encoding.used_by().is_empty(), "{encoding}");
        }
    }

    /// It is no national standard, and no charset that could be the wrong one.
    #[test]
    #[cfg(feature = "single-byte")]
    fn user_defined_is_for_scripts() {
        let encoding = Encoding::for_label("x-user-defined").expect("it is there");
        assert!(encoding.used_by().starts_with("scripts"), "{}", encoding.used_by());
        assert!(encoding.differs().contains("private use"), "{}", encoding.differs());
    }

    #[test]
    fn markup_is_safe_only_where_ascii_is() {
        for &encoding in Encoding::ALL {
            let always = encoding.ascii_bytes() == AsciiBytes::Always;
            assert_eq!(always, encoding.is_ascii_compatible(), "{encoding}");
        }
    }
}
