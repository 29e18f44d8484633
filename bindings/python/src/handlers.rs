//! The names that `errors` accepts: Python's, ours, and those of handlers that are registered with
//! `codecs`.

use crate::meanwhile::{self, Meanwhile};
use crate::moving::Moving;
use crate::running::{self, lock};
use placemat::policy::ByKind;
use placemat::{ErrorPolicy, UnmappablePolicy};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyString, PyTuple};
use std::ffi::CString;
use std::sync::Mutex;

/// Signals are handled after this many errors. A handler in Python handles them itself.
pub(crate) const SIGNAL_STEP_ERRORS: usize = 64;

/// The answer to errors: a stock policy `P` of the library, a policy for each kind of ill-formed sequence, or a handler
/// that Python code registered.
#[derive(Debug)]
pub(crate) enum Errors<P> {
    Stock(P),
    ByKind(Box<ByKind<'static>>),
    Registered(Registered),
}

impl<P: Copy + Default> Errors<P> {
    /// Returns the stock policy, or the one that stops if there is none.
    pub(crate) fn stock(&self) -> P {
        match self {
            Self::Stock(policy) => *policy,
            Self::ByKind(_) | Self::Registered(_) => P::default(),
        }
    }
}

/// A handler of `codecs.register_error`. Like CPython, it is looked up when there is an error.
#[derive(Debug)]
pub(crate) struct Registered(CString);

pub(crate) type OnDecode = Errors<ErrorPolicy<'static>>;
pub(crate) type OnEncode = Errors<UnmappablePolicy<'static>>;

/// Names that are of no stock policy. The library would look for similar ones each time.
static OTHERS: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// The maximum number of names that are kept.
const MAX_OTHERS: usize = 16;

impl OnDecode {
    /// Parses a name. `None` is 'strict'.
    pub(crate) fn of(name: Option<&str>) -> PyResult<Self> {
        let name = name.unwrap_or("strict");
        if is_by_kind(name) {
            return by_kind(name).map(|policy| Self::ByKind(Box::new(policy)));
        }
        if !lock(&OTHERS).iter().any(|other| other == name) {
            match name.parse() {
                Ok(policy) => return Ok(Self::Stock(policy)),
                Err(_) => {
                    let mut others = lock(&OTHERS);
                    if others.len() < MAX_OTHERS {
                        others.push(name.to_owned());
                    }
                }
            }
        }
        Registered::of(name).map(Self::Registered)
    }

    /// Returns the policy of each kind, or the one that stops for a handler.
    pub(crate) fn by_kind(&self) -> ByKind<'static> {
        match self {
            Self::ByKind(policy) => **policy,
            _ => ByKind::new(self.stock()),
        }
    }

    /// Returns `true` if the policy inspects well-formed text too.
    pub(crate) fn inspects(&self) -> bool {
        match self {
            Self::ByKind(policy) => policy.inspects(),
            _ => self.stock().inspects(),
        }
    }
}

/// Returns `true` if a name has policies for kinds, as in `overlong=strict`.
fn is_by_kind(name: &str) -> bool {
    name.contains(['=', ','])
}

fn by_kind(name: &str) -> PyResult<ByKind<'static>> {
    name.parse().map_err(|e| PyValueError::new_err(format!("errors: {e}")))
}

impl OnEncode {
    /// Parses a name. `None` is 'strict'.
    pub(crate) fn of(name: Option<&str>) -> PyResult<Self> {
        let name = name.unwrap_or("strict");
        if is_by_kind(name) {
            // Encoding has no kinds of ill-formed input, so the policy for all other kinds applies.
            by_kind(name)?;
            return Self::of(name.split(',').find(|part| !part.contains('=')));
        }
        Ok(Self::Stock(match name {
            "strict" => UnmappablePolicy::Stop,
            // Python writes `?` even if the encoding could represent U+FFFD, for which there is
            // 'substitute'.
            "replace" | "question" => UnmappablePolicy::ReplaceWith(placemat::Replacement::QUESTION),
            "ignore" => UnmappablePolicy::Skip,
            "backslashreplace" => UnmappablePolicy::HexEscape,
            "xmlcharrefreplace" => UnmappablePolicy::XmlReference,
            "surrogateescape" => UnmappablePolicy::SurrogateEscapeUnchecked,
            "surrogatepass" | "pass" => UnmappablePolicy::SurrogatePass,
            "substitute" => UnmappablePolicy::Replace,
            "translit" => UnmappablePolicy::Transliterate,
            "surrogateescape-checked" => UnmappablePolicy::SurrogateEscape,
            "optu" => UnmappablePolicy::Optu,
            "optu-unchecked" => UnmappablePolicy::OptuUnchecked,
            "optu16" => UnmappablePolicy::Optu16,
            other => return Registered::of(other).map(Self::Registered),
        }))
    }
}

/// The replacement that an encoding handler returns.
pub(crate) enum Put<'py> {
    Text(Bound<'py, PyString>),
    Bytes(Bound<'py, PyBytes>),
}

impl Registered {
    fn of(name: &str) -> PyResult<Self> {
        Ok(Self(CString::new(name)?))
    }

    /// Looks the handler up, for errors of one call. Each error is this exception, which moves on; its
    /// code is `code`.
    pub(crate) fn find<'py>(&self, error: Bound<'py, PyAny>, code: &'static str) -> PyResult<Found<'py>> {
        let py = error.py();
        // SAFETY: the GIL is held, and the name ends with a zero byte; a new reference or null with an exception comes back.
        let handler = unsafe { ffi::PyCodec_LookupError(self.0.as_ptr()) };
        // SAFETY: as above.
        let handler = unsafe { Bound::from_owned_ptr_or_err(py, handler) }?;
        Ok(Found { handler, error: Moving::new(error, code)?, names: self.0.as_c_str() == c"namereplace" })
    }
}

/// A handler that was looked up, and the exception that it gets.
pub(crate) struct Found<'py> {
    handler: Bound<'py, PyAny>,
    pub(crate) error: Moving<'py>,
    /// The name of the handler is `namereplace`.
    names: bool,
}

impl<'py> Found<'py> {
    /// Returns `true` if the handler is Python's own `namereplace`, which replaces each code point by itself.
    pub(crate) fn is_stock_names(&self) -> PyResult<bool> {
        static STOCK: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let py = self.handler.py();
        if !self.names {
            return Ok(false);
        }
        // The function that `codecs` found when the interpreter began.
        let stock = || PyResult::Ok(py.import("codecs")?.getattr("namereplace_errors")?.unbind());
        Ok(self.handler.is(STOCK.get_or_try_init(py, stock)?))
    }

    fn call(&self, shape: &'static str) -> PyResult<(Bound<'py, PyAny>, isize)> {
        let error = &self.error.object;
        let py = error.py();
        let call = || self.handler.call1((error,));
        // No coder waits for the end of a call that has no turn.
        let answer =
            if meanwhile::now() == Meanwhile::Everything { call() } else { running::in_handler(call) }?;
        let wrong = || PyTypeError::new_err(shape);
        let pair = answer.cast::<PyTuple>().map_err(|_| wrong())?;
        if pair.len() != 2 {
            return Err(wrong());
        }
        let position = pair.get_borrowed_item(1)?;
        let position = position.extract().map_err(|e: PyErr| match e.is_instance_of::<PyTypeError>(py) {
            true => wrong(),
            false => e,
        })?;
        Ok((pair.get_item(0)?, position))
    }

    /// Asks the handler. Returns its replacement, and the position in the object of the error at
    /// which to continue.
    pub(crate) fn decode(&self) -> PyResult<(Bound<'py, PyString>, isize)> {
        const SHAPE: &str = "decoding error handler must return (str, int) tuple";
        let (text, position) = self.call(SHAPE)?;
        let text = text.cast_into::<PyString>().map_err(|_| PyTypeError::new_err(SHAPE))?;
        Ok((text, position))
    }

    /// Asks the handler. Returns its replacement, and the position in the text at which to
    /// continue.
    pub(crate) fn encode(&self) -> PyResult<(Put<'py>, isize)> {
        const SHAPE: &str = "encoding error handler must return (str/bytes, int) tuple";
        let (put, position) = self.call(SHAPE)?;
        let put = match put.cast_into::<PyString>() {
            Ok(text) => Put::Text(text),
            Err(other) => Put::Bytes(
                other.into_inner().cast_into::<PyBytes>().map_err(|_| PyTypeError::new_err(SHAPE))?,
            ),
        };
        Ok((put, position))
    }
}

/// Returns the index in an object of `len` units that a handler means: from the end if it is
/// negative.
pub(crate) fn place(position: isize, len: usize) -> PyResult<usize> {
    let from_start =
        if position < 0 { len.checked_sub(position.unsigned_abs()) } else { Some(position.unsigned_abs()) };
    from_start
        .filter(|&at| at <= len)
        .ok_or_else(|| PyIndexError::new_err(format!("position {position} from error handler out of bounds")))
}
