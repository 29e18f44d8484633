//! The languages that the model knows.
/// A language that the detector can name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language {
    code: &'static str,
    name: &'static str,
}

impl Language {
    /// The language tag of BCP 47, such as `ru` or `sr-Latn`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.code
    }

    /// The name in English, such as `Russian`.
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
