//! Vendors' own names of encodings, which may mean something else elsewhere.

use crate::encoding::Encoding;

/// A vendor with its own names of encodings.
///
/// ```
/// use placemat::{Encoding, label::Vendor};
/// assert_eq!(Vendor::MySql.encoding("utf8mb4"), Some(Encoding::UTF_8));
/// // MySQL's meaning, which differs from that of everyone else.
/// assert_ne!(Vendor::MySql.encoding("latin1"), Encoding::for_label("latin1"));
/// assert_eq!(Vendor::MySql.encoding("klingon"), None);
/// assert_eq!(Vendor::MySql.name(), "MySQL");
/// assert!(Vendor::MySql.names().any(|pair| pair == ("ascii", "us-ascii")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Vendor {
    /// `CHARACTER SET` of `MySQL` and `MariaDB`.
    MySql,
    /// `NLS_CHARACTERSET` of Oracle databases.
    Oracle,
    /// The encoding names of `PostgreSQL`.
    PostgreSql,
    /// Perl's `Encode`.
    Perl,
}

impl Vendor {
    /// All vendors whose names of encodings are known.
    pub const ALL: [Self; 4] = [Self::MySql, Self::Oracle, Self::PostgreSql, Self::Perl];

    /// Returns the vendor's name: `MySQL`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MySql => "MySQL",
            Self::Oracle => "Oracle",
            Self::PostgreSql => "PostgreSQL",
            Self::Perl => "Perl",
        }
    }

    /// Returns the encoding that this vendor calls `label`, ignoring case. `None` if the vendor has no such name, or if
    /// this build does not have the encoding; a name is never looked up among the general labels instead.
    #[must_use]
    #[inline]
    pub fn encoding(self, label: &str) -> Option<Encoding> {
        let label = label.trim_ascii();
        self.names()
            .find(|(known, _)| known.eq_ignore_ascii_case(label))
            .and_then(|(_, means)| Encoding::for_label(means))
    }

    /// Returns each name of the vendor, with a label by which [`Encoding::for_label`] knows that encoding.
    pub fn names(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let table = match self {
            Self::MySql => MYSQL,
            Self::Oracle => ORACLE,
            Self::PostgreSql => POSTGRESQL,
            Self::Perl => PERL,
        };
        table.iter().copied()
    }
}

type Names = &'static [(&'static str, &'static str)];

/// `MySQL` 8.4 reference manual, "Supported Character Sets". Its `latin1` is windows-1252, and its `utf8` is limited to
/// the basic multilingual plane.
const MYSQL: Names = &[
    ("armscii8", "armscii-8"),
    ("ascii", "us-ascii"),
    ("big5", "big5"),
    ("cp1250", "windows-1250"),
    ("cp1251", "windows-1251"),
    ("cp1256", "windows-1256"),
    ("cp1257", "windows-1257"),
    ("cp850", "ibm850"),
    ("cp852", "ibm852"),
    ("cp866", "ibm866"),
    ("cp932", "shift_jis"),
    ("eucjpms", "euc-jp"),
    ("euckr", "euc-kr"),
    ("gb18030", "gb18030"),
    ("gb2312", "gbk"),
    ("gbk", "gbk"),
    ("geostd8", "georgian-ps"),
    ("greek", "iso-8859-7"),
    ("hebrew", "iso-8859-8"),
    ("hp8", "hp-roman8"),
    ("keybcs2", "keybcs2"),
    ("koi8r", "koi8-r"),
    ("koi8u", "koi8-u"),
    ("latin1", "windows-1252"),
    ("latin2", "iso-8859-2"),
    ("latin5", "iso-8859-9"),
    ("latin7", "iso-8859-13"),
    ("macce", "x-mac-ce"),
    ("macroman", "macintosh"),
    ("sjis", "shift_jis"),
    ("tis620", "tis-620"),
    ("ucs2", "ucs-2be"),
    ("ujis", "euc-jp"),
    ("utf16", "utf-16be"),
    ("utf16le", "utf-16le"),
    ("utf32", "utf-32be"),
    ("utf8", "utf8mb3"),
    ("utf8mb3", "utf8mb3"),
    ("utf8mb4", "utf-8"),
];

/// Oracle Database Globalization Support Guide, appendix A. Its `UTF8` is CESU-8.
const ORACLE: Names = &[
    ("AL16UTF16", "utf-16be"),
    ("AL16UTF16LE", "utf-16le"),
    ("AL32UTF8", "utf-8"),
    ("AR8ISO8859P6", "iso-8859-6"),
    ("AR8MSWIN1256", "windows-1256"),
    ("BLT8ISO8859P13", "iso-8859-13"),
    ("BLT8MSWIN1257", "windows-1257"),
    ("CL8ISO8859P5", "iso-8859-5"),
    ("CL8KOI8R", "koi8-r"),
    ("CL8KOI8U", "koi8-u"),
    ("CL8MSWIN1251", "windows-1251"),
    ("EE8ISO8859P2", "iso-8859-2"),
    ("EE8MSWIN1250", "windows-1250"),
    ("EE8PC852", "ibm852"),
    ("EL8ISO8859P7", "iso-8859-7"),
    ("EL8MSWIN1253", "windows-1253"),
    ("IW8ISO8859P8", "iso-8859-8"),
    ("IW8MSWIN1255", "windows-1255"),
    ("JA16EUC", "euc-jp"),
    ("JA16SJIS", "shift_jis"),
    ("KO16KSC5601", "euc-kr"),
    ("KO16MSWIN949", "euc-kr"),
    ("NEE8ISO8859P4", "iso-8859-4"),
    ("RU8PC866", "ibm866"),
    ("SE8ISO8859P3", "iso-8859-3"),
    ("TH8TISASCII", "tis-620"),
    ("TR8MSWIN1254", "windows-1254"),
    ("US7ASCII", "us-ascii"),
    ("US8PC437", "ibm437"),
    ("UTF8", "cesu-8"),
    ("UTFE", "utf-ebcdic"),
    ("VN8MSWIN1258", "windows-1258"),
    ("WE8EBCDIC37", "ibm037"),
    ("WE8EBCDIC500", "ibm500"),
    ("WE8EBCDIC1047", "ibm1047"),
    ("WE8ISO8859P1", "iso-8859-1"),
    ("WE8ISO8859P15", "iso-8859-15"),
    ("WE8ISO8859P9", "iso-8859-9"),
    ("WE8MSWIN1252", "windows-1252"),
    ("WE8PC850", "ibm850"),
    ("ZHS16GBK", "gbk"),
    ("ZHS32GB18030", "gb18030"),
    ("ZHT16BIG5", "big5"),
    ("ZHT16HKSCS", "big5-hkscs"),
    ("ZHT32EUC", "euc-tw"),
];

/// `PostgreSQL` manual, "Character Set Support".
const POSTGRESQL: Names = &[
    ("BIG5", "big5"),
    ("EUC_JIS_2004", "euc-jis-2004"),
    ("EUC_JP", "euc-jp"),
    ("EUC_KR", "euc-kr"),
    ("EUC_TW", "euc-tw"),
    ("GB18030", "gb18030"),
    ("GBK", "gbk"),
    ("ISO_8859_5", "iso-8859-5"),
    ("ISO_8859_6", "iso-8859-6"),
    ("ISO_8859_7", "iso-8859-7"),
    ("ISO_8859_8", "iso-8859-8"),
    ("JOHAB", "johab"),
    ("KOI8R", "koi8-r"),
    ("KOI8U", "koi8-u"),
    ("LATIN1", "iso-8859-1"),
    ("LATIN2", "iso-8859-2"),
    ("LATIN3", "iso-8859-3"),
    ("LATIN4", "iso-8859-4"),
    ("LATIN5", "iso-8859-9"),
    ("LATIN6", "iso-8859-10"),
    ("LATIN7", "iso-8859-13"),
    ("LATIN8", "iso-8859-14"),
    ("LATIN9", "iso-8859-15"),
    ("LATIN10", "iso-8859-16"),
    ("SHIFT_JIS_2004", "shift_jis-2004"),
    ("SJIS", "shift_jis"),
    ("UHC", "euc-kr"),
    ("UTF8", "utf-8"),
    ("WIN866", "ibm866"),
    ("WIN874", "windows-874"),
    ("WIN1250", "windows-1250"),
    ("WIN1251", "windows-1251"),
    ("WIN1252", "windows-1252"),
    ("WIN1253", "windows-1253"),
    ("WIN1254", "windows-1254"),
    ("WIN1255", "windows-1255"),
    ("WIN1256", "windows-1256"),
    ("WIN1257", "windows-1257"),
    ("WIN1258", "windows-1258"),
];

/// The manual page `Encode`: `utf8` is lax, with surrogates and values beyond Unicode; `UTF-8` is strict.
const PERL: Names = &[
    ("ascii", "us-ascii"),
    ("iso-8859-1", "iso-8859-1"),
    ("utf-8", "utf-8"),
    ("utf-8-strict", "utf-8"),
    ("utf8", "utf-8 31-bit"),
    ("UTF-16", "utf-16"),
    ("UTF-16BE", "utf-16be"),
    ("UTF-16LE", "utf-16le"),
    ("UTF-32", "utf-32"),
    ("UTF-32BE", "utf-32be"),
    ("UTF-32LE", "utf-32le"),
    ("UCS-2BE", "ucs-2be"),
    ("UCS-2LE", "ucs-2le"),
    ("UTF-7", "utf-7"),
    ("big5-eten", "big5-eten"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_there_once() {
        for vendor in Vendor::ALL {
            for (i, (name, _)) in vendor.names().enumerate() {
                let others = vendor.names().skip(i + 1);
                assert!(
                    others.into_iter().all(|(other, _)| !other.eq_ignore_ascii_case(name)),
                    "{vendor:?}: {name}"
                );
            }
        }
    }

    #[test]
    fn case_is_folded_and_punctuation_is_not() {
        assert_eq!(Vendor::Oracle.encoding("al32utf8"), Some(Encoding::UTF_8));
        assert_eq!(Vendor::Oracle.encoding("AL32-UTF8"), None);
    }
}
