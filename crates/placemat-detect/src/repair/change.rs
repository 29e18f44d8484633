//! The record of a repair.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use placemat_charsets::Encoding;

/// A step of a repair. Each has a proof of its own; `docs/explained/repair.md` lists them.
///
/// ```
/// use placemat::repair::Step;
/// assert_eq!("mojibake".parse(), Ok(Step::Mojibake));
/// assert_eq!(Step::Bytes.to_string(), "bytes");
/// assert!("magic".parse::<Step>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Step {
    /// The text is in UTF-16 or UTF-32, with or without a signature.
    Wide,
    /// Surrogate pairs written as two sequences of three bytes (CESU-8), and U+0000 written as C0 80 (Modified UTF-8).
    Pairs,
    /// Bytes of a legacy encoding inside UTF-8.
    Bytes,
    /// Truncated sequences, overlong forms and other bytes that no encoding explains. Their text is
    /// lost.
    Lost,
    /// UTF-8 that was read as another encoding.
    Mojibake,
    /// C1 controls that were meant as windows-1252.
    Controls,
    /// Text of one legacy encoding that was read as another.
    Legacy,
}

impl Step {
    /// All steps, in the order in which a repair takes them.
    pub const ALL: [Self; 7] =
        [Self::Wide, Self::Pairs, Self::Bytes, Self::Lost, Self::Mojibake, Self::Legacy, Self::Controls];

    /// Returns the name of the step.
    ///
    /// ```
    /// use placemat::repair::Step;
    /// assert_eq!(Step::Mojibake.name(), "mojibake");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wide => "wide",
            Self::Pairs => "pairs",
            Self::Bytes => "bytes",
            Self::Lost => "lost",
            Self::Controls => "controls",
            Self::Mojibake => "mojibake",
            Self::Legacy => "legacy",
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for a name that no [`Step`] has.
///
/// ```
/// use placemat::repair::{Step, UnknownStep};
/// let e: UnknownStep = "magic".parse::<Step>().unwrap_err();
/// assert_eq!(e.to_string(), "unknown step of a repair");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownStep(());

impl fmt::Display for UnknownStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown step of a repair")
    }
}

impl core::error::Error for UnknownStep {}

#[cfg(feature = "std")]
placemat_core::into_io_error!(InvalidInput: UnknownStep);

/// Accepts the names of the steps.
impl core::str::FromStr for Step {
    type Err = UnknownStep;

    fn from_str(name: &str) -> Result<Self, UnknownStep> {
        Self::ALL.into_iter().find(|step| step.name() == name).ok_or(UnknownStep(()))
    }
}

/// A change that a repair made: these bytes of the source became this text.
///
/// ```
/// use placemat::{Encoding, repair::{Change, Repairer, Step}};
/// let repaired = Repairer::new().repair("naÃ¯ve cafÃ©s".as_bytes());
/// let first: &Change = &repaired.changes[0];
/// assert_eq!((first.step, first.offset, &*first.before, &*first.after), (Step::Mojibake, 2, "Ã¯".as_bytes(), "ï"));
/// assert_eq!(first.encodings, [Encoding::WINDOWS_1252]);
/// // Nothing is wrong with this text.
/// assert!(Repairer::new().repair("naïve cafés".as_bytes()).changes.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// The step that made the change.
    pub step: Step,
    /// The offset in the source, in bytes.
    pub offset: u64,
    /// The bytes of the source.
    pub before: Vec<u8>,
    /// The offset in the repaired text, in bytes of UTF-8.
    pub repaired_offset: u64,
    /// The text in place of the bytes.
    pub after: String,
    /// The encodings that explain the damage, one for each layer, the outermost first: the encoding of the bytes, or the
    /// encoding as which UTF-8 was read. For [`Step::Legacy`], the encoding as which the text was read, and that in which it
    /// was written.
    pub encodings: Vec<Encoding>,
    /// Whether some of the text had to be guessed, because the damage destroyed it.
    pub lossy: bool,
    /// The gain in nats that the language model sees in the change of the line; 0 where the proof is another.
    pub gain: f32,
    /// How sure the change is, from 0 to 1.
    pub confidence: f32,
}

impl Change {
    /// Returns a change with every field given, as a log records them.
    ///
    /// ```
    /// use placemat::{Encoding, repair::{Change, Step, undo}};
    /// let change = Change::new(Step::Bytes, (3, b"\xE9".to_vec()), (3, "é".into()));
    /// assert_eq!(undo("café".as_bytes(), Encoding::UTF_8, &[change.clone()]).unwrap(), b"caf\xE9");
    /// // Another text cannot be the repaired one.
    /// assert!(undo(b"cafe", Encoding::UTF_8, &[change]).is_err());
    /// ```
    #[must_use]
    pub fn new(
        step: Step,
        (offset, before): (u64, Vec<u8>),
        (repaired_offset, after): (u64, String),
    ) -> Self {
        Self {
            step,
            offset,
            before,
            repaired_offset,
            after,
            encodings: Vec::new(),
            lossy: false,
            gain: 0.0,
            confidence: 1.0,
        }
    }
}
