//! What a conversion does besides: whether it releases the GIL, and looks for signals.

use core::cell::Cell;

/// Texts of more units are converted without the GIL.
pub(crate) const ALONE: usize = 4096;

/// Coders keep the GIL for pieces of up to this many units. That takes less time than the interpreter lets a thread keep it.
const LONG_PIECE: usize = 1 << 20;

/// What a conversion does besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meanwhile {
    /// It releases the GIL, and looks for signals.
    Everything,
    /// The same, while a coder is in use.
    EverythingInTurn,
    /// It keeps the GIL, and looks for signals, while a coder is in use.
    SignalsInTurn,
    /// It does neither.
    Nothing,
}

thread_local! {
    static MEANWHILE: Cell<Meanwhile> = const { Cell::new(Meanwhile::Everything) };
}

/// What the conversion that runs on this thread does besides.
#[inline]
pub(crate) fn now() -> Meanwhile {
    MEANWHILE.get()
}

/// Something else than [`Meanwhile::Everything`], until this is dropped.
pub(crate) struct Undisturbed(Meanwhile);

impl Undisturbed {
    fn set(now: Meanwhile) -> Self {
        Self(MEANWHILE.replace(now))
    }

    /// Nothing else happens.
    pub(crate) fn altogether() -> Self {
        Self::set(Meanwhile::Nothing)
    }

    /// For the piece that a coder converts.
    ///
    /// While a coder has the GIL, no thread comes between the piece and its text: `io.TextIOWrapper` would lose text, as its own state
    /// is behind that of its decoder. Of a decoder, only the `last` piece may come without, which is the rest of a file.
    ///
    /// `None` if it is so short that nothing else happens anyway.
    #[inline]
    pub(crate) fn piece(units: usize, may_release: bool, has_handler: bool) -> Option<Self> {
        match units {
            ..=ALONE if !has_handler => None,
            ..=LONG_PIECE => Some(Self::set(Meanwhile::Nothing)),
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
