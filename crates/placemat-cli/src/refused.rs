//! Values that are refused.

use core::fmt;

/// A complete message about a refused value, with the reason.
#[derive(Debug)]
pub(crate) struct Refused(String);

impl Refused {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for Refused {}
