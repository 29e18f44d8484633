//! The error for a label that means nothing.

use core::fmt;
use placemat_core::ground::error::Quoted;

/// The error for a label that no encoding has.
///
/// ```
/// use placemat::Encoding;
/// assert_eq!("latin1".parse(), Ok(Encoding::ISO_8859_1));
/// let e = "klingon".parse::<Encoding>().unwrap_err();
/// assert_eq!(e.to_string(), "unknown encoding \"klingon\"");
/// assert_eq!(format!("{e:?}"), "UnknownEncoding(\"klingon\")");
/// assert_eq!((e.label(), e.about()), ("klingon", None));
/// // Some names are known and are not encodings.
/// let e = "utf-8b".parse::<Encoding>().unwrap_err();
/// assert!(e.to_string().starts_with("unknown encoding \"utf-8b\": a policy for ill-formed UTF-8"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct UnknownEncoding {
    label: Quoted,
    about: Option<&'static str>,
}

impl UnknownEncoding {
    pub(crate) fn new(label: &str, about: Option<&'static str>) -> Self {
        Self { label: Quoted::new(label), about }
    }

    /// Explains a known name that is not an encoding: what it is, and what to use. For a charset that a feature of
    /// this crate would bring, names the feature.
    ///
    /// ```
    /// use placemat::Encoding;
    /// let about = "utf-9".parse::<Encoding>().unwrap_err().about();
    /// assert!(about.is_some_and(|about| about.ends_with("; use utf-8")));
    /// ```
    #[must_use]
    pub fn about(&self) -> Option<&'static str> {
        self.about
    }

    /// Returns the label, or its first 64 bytes.
    #[must_use]
    pub fn label(&self) -> &str {
        self.label.text()
    }
}

impl fmt::Display for UnknownEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown encoding {}", self.label)?;
        self.about.map_or(Ok(()), |about| write!(f, ": {about}"))
    }
}

impl fmt::Debug for UnknownEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("UnknownEncoding").field(&self.label()).finish()
    }
}

impl core::error::Error for UnknownEncoding {}

#[cfg(feature = "std")]
placemat_core::into_io_error!(InvalidInput: UnknownEncoding);
