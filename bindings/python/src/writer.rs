//! The memory of a `bytes` object whose length is not known yet.

#[cfg(Py_LIMITED_API)]
mod copying;
#[cfg(not(Py_LIMITED_API))]
mod growing;

#[cfg(Py_LIMITED_API)]
pub(crate) use self::copying::Writer;
#[cfg(not(Py_LIMITED_API))]
pub(crate) use self::growing::Writer;
