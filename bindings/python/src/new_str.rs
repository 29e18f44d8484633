//! `str` objects that are still being written.

#[cfg(not(Py_LIMITED_API))]
mod compact;
#[cfg(Py_LIMITED_API)]
mod stable;

#[cfg(not(Py_LIMITED_API))]
pub(crate) use self::compact::NewStr;
#[cfg(Py_LIMITED_API)]
pub(crate) use self::stable::NewStr;

use crate::raw::Raised;

impl NewStr {
    /// Makes a `str` of these code units, the widest of which has the width of `max`.
    pub(crate) fn of<U: Copy>(units: &[U], max: u32) -> Result<Self, Raised> {
        let mut text = Self::new(units.len(), max)?;
        debug_assert!(
            size_of::<U>()
                == if max > 0xFFFF {
                    4
                } else if max > 0xFF {
                    2
                } else {
                    1
                }
        );
        // SAFETY: callers pass code units of the width of `max`.
        unsafe { text.units() }.copy_from_slice(units);
        Ok(text)
    }
}
