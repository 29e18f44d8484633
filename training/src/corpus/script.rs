//! The scripts that tell whether a paragraph is in its language at all.

/// A script, or several that one language mixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Script {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Hebrew,
    Arabic,
    /// Devanagari to Sinhala: each language of them is known by its own block of 80 code points.
    Indic(u8),
    Thai,
    Lao,
    Tibetan,
    Myanmar,
    Georgian,
    Ethiopic,
    Khmer,
    OlChiki,
    Han,
    Kana,
    Hangul,
}

impl Script {
    /// Returns the script of a letter, by its block; none for other characters and for scripts that no package uses.
    pub(crate) fn of(c: char) -> Option<Self> {
        Some(match u32::from(c) {
            0x41..=0x5A | 0x61..=0x7A | 0xAA | 0xBA | 0xC0..=0xD6 | 0xD8..=0xF6 | 0xF8..=0x2AF => Self::Latin,
            0x1E00..=0x1EFF | 0x2C60..=0x2C7F | 0xA720..=0xA7FF => Self::Latin,
            0x370..=0x3FF | 0x1F00..=0x1FFF => Self::Greek,
            0x400..=0x52F => Self::Cyrillic,
            0x531..=0x587 => Self::Armenian,
            0x5D0..=0x5F2 => Self::Hebrew,
            0x620..=0x64A | 0x66E..=0x6D3 | 0x6D5 | 0x6EE..=0x6FC | 0x750..=0x77F => Self::Arabic,
            n @ 0x900..=0xDFF => Self::Indic(u8::try_from((n - 0x900) / 0x80).ok()?),
            0xE01..=0xE4E => Self::Thai,
            0xE81..=0xEDF => Self::Lao,
            0xF40..=0xFBC => Self::Tibetan,
            0x1000..=0x109F => Self::Myanmar,
            0x10A0..=0x10FF => Self::Georgian,
            0x1200..=0x137F => Self::Ethiopic,
            0x1780..=0x17D3 => Self::Khmer,
            0x1C50..=0x1C7F => Self::OlChiki,
            0x3041..=0x30FF | 0x31F0..=0x31FF | 0xFF66..=0xFF9D => Self::Kana,
            0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF => Self::Han,
            0x1100..=0x11FF | 0x3131..=0x318E | 0xAC00..=0xD7A3 => Self::Hangul,
            _ => return None,
        })
    }

    pub(crate) fn is_east_asian(self) -> bool {
        matches!(self, Self::Han | Self::Kana | Self::Hangul)
    }

    /// Returns the scripts that a language is written in here.
    fn of_language(language: &str) -> &'static [Self] {
        match language {
            "el" => &[Self::Greek],
            "be" | "bg" | "kk" | "ky" | "mk" | "mn" | "ru" | "sr" | "tg" | "tt" | "uk" | "os" | "cv"
            | "ab" => &[Self::Cyrillic],
            "hy" => &[Self::Armenian],
            "he" | "yi" => &[Self::Hebrew],
            "ar" | "fa" | "ug" | "ur" | "ckb" | "skr" | "ps" | "ks" => &[Self::Arabic],
            "hi" | "mr" | "ne" | "brx" | "kok" | "mai" | "sa" | "dgo" | "sd" => &[Self::Indic(0)],
            "bn" | "as" => &[Self::Indic(1)],
            "pa" => &[Self::Indic(2)],
            "gu" => &[Self::Indic(3)],
            "or" => &[Self::Indic(4)],
            "ta" => &[Self::Indic(5)],
            "te" => &[Self::Indic(6)],
            "kn" => &[Self::Indic(7)],
            "ml" => &[Self::Indic(8)],
            "si" => &[Self::Indic(9)],
            "th" => &[Self::Thai],
            "lo" => &[Self::Lao],
            "bo" | "dz" => &[Self::Tibetan],
            "my" => &[Self::Myanmar],
            "ka" => &[Self::Georgian],
            "am" | "ti" => &[Self::Ethiopic],
            "km" => &[Self::Khmer],
            "sat" => &[Self::OlChiki],
            "zh-Hans" | "zh-Hant" => &[Self::Han],
            "ja" => &[Self::Han, Self::Kana],
            "ko" => &[Self::Hangul, Self::Han],
            _ => &[Self::Latin],
        }
    }

    /// Returns `true` if at least half of the letters of a paragraph are of the scripts of its language, and none of
    /// East Asia stands in another language: those are examples of characters, names of languages, or not
    /// translated.
    pub(crate) fn fits(language: &str, paragraph: &str) -> bool {
        let wanted = Self::of_language(language);
        let east_asian = wanted[0].is_east_asian();
        let (mut own, mut letters) = (0, 0);
        for script in paragraph.chars().filter_map(Self::of) {
            if script.is_east_asian() && !east_asian {
                return false;
            }
            letters += 1;
            own += usize::from(wanted.contains(&script));
        }
        own * 2 >= letters && own > 0
    }
}

#[cfg(test)]
mod tests {
    use super::Script;

    #[test]
    fn paragraphs_in_the_script_of_their_language() {
        for (language, paragraph, fits) in [
            ("de", "Über 5 €", true),
            ("ru", "Открыть файл README", true),
            ("ru", "Open the file и", false),
            ("de", "das Zeichen 漢", false),
            ("ja", "ファイルを開く", true),
            ("ja", "Open the file", false),
            ("ko", "파일 열기", true),
            ("zh-Hans", "打开文件", true),
            ("hi", "फ़ाइल खोलें", true),
            ("bn", "फ़ाइल खोलें", false),
            ("sr-Latn", "Otvori datoteku", true),
            ("sr", "Otvori datoteku", false),
            ("de", "12345 + 1", false),
        ] {
            assert_eq!(Script::fits(language, paragraph), fits, "{language}: {paragraph}");
        }
    }
}
