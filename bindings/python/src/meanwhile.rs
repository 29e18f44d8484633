//! Side work of a conversion: it may release the GIL, and handle signals.

use core::cell::Cell;

/// Texts of more units than this are converted without the GIL.
pub(crate) const MIN_UNLOCKED_UNITS: usize = 4096;

/// Coders keep the GIL for pieces of up to this many code units, which take less time than the
/// interpreter lets a thread keep it.
const MAX_GIL_PIECE_UNITS: usize = 1 << 20;

/// The side work of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meanwhile {
    /// The conversion releases the GIL, and handles signals.
    Everything,
    /// The conversion releases the GIL, and handles signals, while a coder is in use.
    EverythingInTurn,
    /// The conversion keeps the GIL, and handles signals, while a coder is in use.
    SignalsInTurn,
    /// The conversion keeps the GIL, and does not handle signals.
    Nothing,
}

thread_local! {
    static MEANWHILE: Cell<Meanwhile> = const { Cell::new(Meanwhile::Everything) };
}

/// Returns the side work of the conversion that runs on this thread.
#[inline]
pub(crate) fn now() -> Meanwhile {
    MEANWHILE.get()
}

/// Reduces the side work below [`Meanwhile::Everything`], until this value is dropped.
pub(crate) struct Undisturbed(Meanwhile);

impl Undisturbed {
    fn set(now: Meanwhile) -> Self {
        Self(MEANWHILE.replace(now))
    }

    /// Forbids other threads during the conversion.
    pub(crate) fn altogether() -> Self {
        Self::set(Meanwhile::Nothing)
    }

    /// Chooses the side work for the piece that a coder converts.
    ///
    /// While a coder has the GIL, no thread comes between the piece and its text:
    /// `io.TextIOWrapper` would lose text, as its own state lags that of its decoder. A decoder may
    /// convert only the `last` piece, the rest of a file, without the GIL.
    ///
    /// Returns `None` for a piece so short that there is no side work anyway.
    #[inline]
    pub(crate) fn piece(units: usize, may_release: bool, has_handler: bool) -> Option<Self> {
        match units {
            ..=MIN_UNLOCKED_UNITS if !has_handler => None,
            ..=MAX_GIL_PIECE_UNITS => Some(Self::set(Meanwhile::Nothing)),
            _ if may_release => Some(Self::set(Meanwhile::EverythingInTurn)),
            _ => Some(Self::set(Meanwhile::SignalsInTurn)),
        }
    }
}

impl Drop for Undisturbed {
    fn drop(&mut self) {
        MEANWHILE.set(self.0);
    }
}

/// Runs Python code that a conversion calls.
pub(crate) fn as_usual<R>(run: impl FnOnce() -> R) -> R {
    let _usual = Undisturbed::set(Meanwhile::Everything);
    run()
}
