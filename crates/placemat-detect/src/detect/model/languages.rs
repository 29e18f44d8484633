//! The languages that the model knows.
/// A language that the detector can name.
///
/// ```
/// use placemat::detect;
/// use placemat::detect::Language;
/// // "Привет, как у вас дела сегодня?" in windows-1251, which is ill-formed UTF-8.
/// let text = b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEA\xE0\xEA \xF3 \xE2\xE0\xF1 \xE4\xE5\xEB\xE0 \xF1\xE5\xE3\xEE\xE4\xED\xFF?";
/// let language: Option<Language> = detect(text).language;
/// assert_eq!(language.map(Language::code), Some("ru"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language {
    code: &'static str,
    name: &'static str,
}

impl Language {
    /// Returns the language tag of BCP 47, such as `ru` or `sr-Latn`.
    ///
    /// ```
    /// # use placemat::detect;
    /// # use placemat::detect::Language;
    /// let greek = detect(b"\xCA\xE1\xEB\xE7\xEC\xDD\xF1\xE1 \xEA\xFC\xF3\xEC\xE5").language;
    /// assert_eq!(greek.map(Language::code), Some("el"));
    /// ```
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.code
    }

    /// Returns the name in English, such as `Russian`.
    ///
    /// ```
    /// # use placemat::detect;
    /// # use placemat::detect::Language;
    /// let greek = detect(b"\xCA\xE1\xEB\xE7\xEC\xDD\xF1\xE1 \xEA\xFC\xF3\xEC\xE5").language;
    /// assert_eq!(greek.map(Language::name), Some("Greek"));
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }
}

impl core::fmt::Debug for Language {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.code)
    }
}

impl core::fmt::Display for Language {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name)
    }
}

/// All languages of the model, in the order of their tags.
pub(crate) const LANGUAGES: &[Language] = &[
    Language { code: "af", name: "Afrikaans" },
    Language { code: "am", name: "Amharic" },
    Language { code: "an", name: "Aragonese" },
    Language { code: "ar", name: "Arabic" },
    Language { code: "as", name: "Assamese" },
    Language { code: "ast", name: "Asturian" },
    Language { code: "az", name: "Azerbaijani" },
    Language { code: "be", name: "Belarusian" },
    Language { code: "bg", name: "Bulgarian" },
    Language { code: "bn", name: "Bengali" },
    Language { code: "br", name: "Breton" },
    Language { code: "bs", name: "Bosnian" },
    Language { code: "ca", name: "Catalan" },
    Language { code: "ckb", name: "Central Kurdish" },
    Language { code: "cs", name: "Czech" },
    Language { code: "cy", name: "Welsh" },
    Language { code: "da", name: "Danish" },
    Language { code: "de", name: "German" },
    Language { code: "dsb", name: "Lower Sorbian" },
    Language { code: "dz", name: "Dzongkha" },
    Language { code: "el", name: "Greek" },
    Language { code: "en", name: "English" },
    Language { code: "eo", name: "Esperanto" },
    Language { code: "es", name: "Spanish" },
    Language { code: "et", name: "Estonian" },
    Language { code: "eu", name: "Basque" },
    Language { code: "fa", name: "Persian" },
    Language { code: "fi", name: "Finnish" },
    Language { code: "fr", name: "French" },
    Language { code: "fur", name: "Friulian" },
    Language { code: "fy", name: "Western Frisian" },
    Language { code: "ga", name: "Irish" },
    Language { code: "gd", name: "Scottish Gaelic" },
    Language { code: "gl", name: "Galician" },
    Language { code: "gn", name: "Guarani" },
    Language { code: "gu", name: "Gujarati" },
    Language { code: "he", name: "Hebrew" },
    Language { code: "hi", name: "Hindi" },
    Language { code: "hr", name: "Croatian" },
    Language { code: "hsb", name: "Upper Sorbian" },
    Language { code: "hu", name: "Hungarian" },
    Language { code: "hy", name: "Armenian" },
    Language { code: "ia", name: "Interlingua" },
    Language { code: "id", name: "Indonesian" },
    Language { code: "is", name: "Icelandic" },
    Language { code: "it", name: "Italian" },
    Language { code: "ja", name: "Japanese" },
    Language { code: "ka", name: "Georgian" },
    Language { code: "kab", name: "Kabyle" },
    Language { code: "kk", name: "Kazakh" },
    Language { code: "km", name: "Khmer" },
    Language { code: "kmr", name: "Kurmanji" },
    Language { code: "kn", name: "Kannada" },
    Language { code: "ko", name: "Korean" },
    Language { code: "ky", name: "Kyrgyz" },
    Language { code: "lo", name: "Lao" },
    Language { code: "lt", name: "Lithuanian" },
    Language { code: "lv", name: "Latvian" },
    Language { code: "mk", name: "Macedonian" },
    Language { code: "ml", name: "Malayalam" },
    Language { code: "mn", name: "Mongolian" },
    Language { code: "mr", name: "Marathi" },
    Language { code: "ms", name: "Malay" },
    Language { code: "my", name: "Burmese" },
    Language { code: "nb", name: "Norwegian Bokmål" },
    Language { code: "ne", name: "Nepali" },
    Language { code: "nl", name: "Dutch" },
    Language { code: "nn", name: "Norwegian Nynorsk" },
    Language { code: "oc", name: "Occitan" },
    Language { code: "or", name: "Odia" },
    Language { code: "pa", name: "Punjabi" },
    Language { code: "pl", name: "Polish" },
    Language { code: "pt", name: "Portuguese" },
    Language { code: "rm", name: "Romansh" },
    Language { code: "ro", name: "Romanian" },
    Language { code: "ru", name: "Russian" },
    Language { code: "sat", name: "Santali" },
    Language { code: "sc", name: "Sardinian" },
    Language { code: "si", name: "Sinhala" },
    Language { code: "sk", name: "Slovak" },
    Language { code: "sl", name: "Slovenian" },
    Language { code: "sq", name: "Albanian" },
    Language { code: "sr", name: "Serbian" },
    Language { code: "sr-Latn", name: "Serbian (Latin)" },
    Language { code: "sv", name: "Swedish" },
    Language { code: "szl", name: "Silesian" },
    Language { code: "ta", name: "Tamil" },
    Language { code: "te", name: "Telugu" },
    Language { code: "tg", name: "Tajik" },
    Language { code: "th", name: "Thai" },
    Language { code: "tl", name: "Tagalog" },
    Language { code: "tr", name: "Turkish" },
    Language { code: "tt", name: "Tatar" },
    Language { code: "ug", name: "Uyghur" },
    Language { code: "uk", name: "Ukrainian" },
    Language { code: "ur", name: "Urdu" },
    Language { code: "uz", name: "Uzbek" },
    Language { code: "vi", name: "Vietnamese" },
    Language { code: "xh", name: "Xhosa" },
    Language { code: "zh-Hans", name: "Chinese (simplified)" },
    Language { code: "zh-Hant", name: "Chinese (traditional)" },
];
