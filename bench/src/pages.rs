//! The legacy encodings, and their names in each engine.

/// A legacy encoding, or UTF-16 chosen at run time like one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Page {
    Windows1251,
    Windows1252,
    Koi8R,
    Ibm037,
    Cp874,
    ShiftJis,
    EucJp,
    Gbk,
    Gb18030,
    Big5,
    EucKr,
    Utf16Le,
    /// `Encoding::UTF_16`, whose byte order a signature gives. These texts have none, so they are little-endian.
    Utf16,
}

impl Page {
    /// Returns the name in the rows.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Windows1251 => "windows-1251",
            Self::Windows1252 => "windows-1252",
            Self::Koi8R => "KOI8-R",
            Self::Ibm037 => "IBM037",
            Self::Cp874 => "windows-874",
            Self::ShiftJis => "Shift_JIS",
            Self::EucJp => "EUC-JP",
            Self::Gbk => "GBK",
            Self::Gb18030 => "gb18030",
            Self::Big5 => "Big5",
            Self::EucKr => "EUC-KR",
            Self::Utf16Le => "UTF-16LE",
            Self::Utf16 => "UTF-16 without signature",
        }
    }

    /// Returns the label in this library.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Utf16 => "utf-16",
            _ => self.name(),
        }
    }

    /// Returns the name in iconv(3), for the web's variant of the encoding.
    pub const fn iconv(self) -> &'static std::ffi::CStr {
        match self {
            Self::Windows1251 => c"CP1251",
            Self::Windows1252 => c"CP1252",
            Self::Koi8R => c"KOI8-R",
            Self::Ibm037 => c"IBM037",
            Self::Cp874 => c"CP874",
            Self::ShiftJis => c"CP932",
            Self::EucJp => c"EUC-JP",
            Self::Gbk => c"GBK",
            Self::Gb18030 => c"GB18030",
            Self::Big5 => c"BIG5-HKSCS",
            Self::EucKr => c"UHC",
            // The UTF-16 of iconv would write a signature.
            Self::Utf16Le | Self::Utf16 => c"UTF-16LE",
        }
    }

    /// Returns the name in ICU, for the web's variant of the encoding; `None` for those in which
    /// ICU is not measured.
    pub const fn icu(self) -> Option<&'static str> {
        Some(match self {
            Self::Windows1251 => "windows-1251",
            Self::Windows1252 => "windows-1252",
            Self::Koi8R => "KOI8-R",
            Self::Ibm037 => "ibm-37",
            Self::ShiftJis => "Shift_JIS",
            Self::EucJp => "EUC-JP",
            Self::Gbk => "GBK",
            Self::Gb18030 => "gb18030",
            Self::Big5 => "Big5",
            Self::EucKr => "windows-949",
            Self::Cp874 | Self::Utf16Le | Self::Utf16 => return None,
        })
    }

    /// Returns `true` if texts with this name use this encoding.
    pub fn suits(self, text: &str) -> bool {
        let names: &[&str] = match self {
            Self::Windows1251 | Self::Koi8R => &["Russian"],
            Self::Windows1252 => &["French", "German", "Spanish", "typographic", "markup", "Markdown"],
            Self::Ibm037 => &["French", "German", "Spanish"],
            Self::Cp874 => &["Thai"],
            Self::ShiftJis | Self::EucJp => &["Japanese"],
            Self::Gbk | Self::Gb18030 | Self::Big5 => &["Chinese"],
            Self::EucKr => &["Korean"],
            Self::Utf16Le | Self::Utf16 => &[""],
        };
        names.iter().any(|name| text.contains(name))
    }
}
