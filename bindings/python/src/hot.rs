//! `decode`, `encode` and `is_valid` as the interpreter calls them. Most texts are short, so the
//! common case is a few calls, without a table of arguments, a lookup of an encoding, or a token.

use crate::decode::MIN_SPLIT_BYTES;
use crate::handlers::{OnDecode, OnEncode};
use crate::held::Held;
use crate::input;
use crate::raw::{self, alone};
use crate::text::PIECE_BYTES;
use crate::text::{self, No};
use crate::{check, encode, names};
use core::ffi::CStr;
use core::slice;
use placemat::utf8;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, Py_ssize_t, PyCFunctionFastWithKeywords, PyMethodDef, PyMethodDefPointer, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;

/// Up to three arguments, the first of which is required.
type Arguments = [*mut PyObject; 3];

/// Sorts the arguments of a call. Returns `None` if one is wrong: [`complain`] then raises the
/// exception.
///
/// # Safety
/// The arguments are those of a `METH_FASTCALL | METH_KEYWORDS` function; the GIL is held.
#[inline]
unsafe fn arguments(
    names: [&str; 3],
    args: *const *mut PyObject,
    count: Py_ssize_t,
    keywords: *mut PyObject,
) -> Option<Arguments> {
    let mut sorted = [null_mut(); 3];
    if count == 1 && keywords.is_null() {
        // SAFETY: the caller has that many arguments there.
        sorted[0] = unsafe { *args };
        return Some(sorted);
    }
    let count = count.unsigned_abs();
    // SAFETY: the caller has that many arguments there.
    let given = unsafe { slice::from_raw_parts(args, count) };
    sorted.get_mut(..count)?.copy_from_slice(given);
    if !keywords.is_null() {
        // SAFETY: `keywords` is a tuple of names, and its values follow the other arguments.
        let more = unsafe { ffi::PyTuple_Size(keywords) };
        for i in 0..more {
            // SAFETY: within the tuple.
            let name = unsafe { ffi::PyTuple_GetItem(keywords, i) };
            // SAFETY: a name is a `str` that the tuple keeps alive.
            let name = unsafe { str_of(name) }?;
            let slot = &mut sorted[names.iter().position(|known| *known == name)?];
            if !slot.is_null() {
                return None;
            }
            // SAFETY: as many values follow as there are names.
            let value = unsafe { args.add(count + i.unsigned_abs()) };
            // SAFETY: as above.
            *slot = unsafe { *value };
        }
    }
    (!sorted[0].is_null()).then_some(sorted)
}

/// Returns the text of a `str` argument; `None` if it is no `str` or contains a surrogate.
///
/// # Safety
/// `object` is alive during `'a`; the GIL is held.
#[inline]
unsafe fn str_of<'a>(object: *mut PyObject) -> Option<&'a str> {
    // SAFETY: the object is alive.
    if unsafe { ffi::PyUnicode_Check(object) } == 0 {
        return None;
    }
    let mut len = 0;
    // SAFETY: it is a `str`; it keeps the text, which is UTF-8.
    let data = unsafe { ffi::PyUnicode_AsUTF8AndSize(object, &mut len) };
    if data.is_null() {
        // SAFETY: the GIL is held.
        unsafe { ffi::PyErr_Clear() };
        return None;
    }
    // SAFETY: the object has `len` bytes there, which live as long as it does.
    let bytes = unsafe { slice::from_raw_parts(data.cast::<u8>(), len.unsigned_abs()) };
    // SAFETY: the interpreter made them as UTF-8.
    Some(unsafe { core::str::from_utf8_unchecked(bytes) })
}

/// Returns `true` if the argument selects UTF-8: absent, or one of its usual names.
///
/// # Safety
/// The requirements of [`str_of`], or null for an absent argument.
#[inline]
unsafe fn is_utf8(object: *mut PyObject) -> bool {
    // SAFETY: the caller promises it.
    object.is_null() || matches!(unsafe { str_of(object) }, Some("utf-8" | "utf8" | "UTF-8"))
}

/// Returns `true` if `errors` has no effect on text without errors: absent, or any name except
/// those of OPTU, which inspect all text.
///
/// # Safety
/// The requirements of [`is_utf8`].
#[inline]
unsafe fn is_plain(object: *mut PyObject) -> bool {
    // SAFETY: the caller promises it.
    object.is_null() || unsafe { str_of(object) }.is_some_and(|name| !name.starts_with("optu"))
}

/// Returns `true` if `errors` is absent, or `strict`.
///
/// # Safety
/// The requirements of [`is_utf8`].
#[inline]
unsafe fn is_strict(object: *mut PyObject) -> bool {
    // SAFETY: the caller promises it.
    object.is_null() || unsafe { str_of(object) } == Some("strict")
}

/// Runs the slow rest of a call, with the services of PyO3: exceptions as results, panics as
/// exceptions.
#[cold]
fn slowly(work: impl FnOnce(Python<'_>) -> PyResult<Py<PyAny>>) -> *mut PyObject {
    Python::attach(|py| {
        let result = catch_unwind(AssertUnwindSafe(|| work(py))).unwrap_or_else(|panic| {
            let words = panic.downcast_ref::<String>().map(String::as_str);
            let words = words.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
            Err(pyo3::panic::PanicException::new_err(words.to_owned()))
        });
        match result {
            Ok(object) => object.into_ptr(),
            Err(error) => {
                error.restore(py);
                null_mut()
            }
        }
    })
}

/// Returns a borrowed argument; `None` if it is absent or Python's `None`.
///
/// # Safety
/// `object` is null or alive during the call.
unsafe fn argument<'py>(py: Python<'py>, object: *mut PyObject) -> Option<Bound<'py, PyAny>> {
    // SAFETY: the caller promises it.
    let object = unsafe { Bound::from_borrowed_ptr_or_opt(py, object) }?;
    (!object.is_none()).then_some(object)
}

fn text_argument(name: &str, object: Option<Bound<'_, PyAny>>) -> PyResult<Option<String>> {
    object
        .map(|object| match object.cast::<PyString>() {
            Ok(text) => Ok(text.to_str()?.to_owned()),
            Err(_) => Err(PyTypeError::new_err(format!(
                "argument '{name}' must be str, not {}",
                object.get_type().name()?
            ))),
        })
        .transpose()
}

/// Raises the exception for a call with wrong arguments.
fn complain(name: &str, names: [&str; 3]) -> *mut PyObject {
    slowly(|_| {
        Err(PyTypeError::new_err(format!(
            "{name}() takes {}, {}='utf-8', {}='strict'",
            names[0], names[1], names[2]
        )))
    })
}

const DECODE_DOC: &CStr = c"decode(data, encoding='utf-8', errors='strict')\n--\n\n\
The text of bytes, as a str. Takes anything with the buffer protocol.\n\n\
errors is a name of Python ('strict', 'replace', 'ignore', 'backslashreplace', 'surrogateescape', 'surrogatepass'), one of \
placemat ('question', 'latin1', 'cp1252', 'optu', 'optu16'), or one registered with codecs.register_error.\n\n\
Raises DecodeError, or LookupError for an unknown name.";
const ENCODE_DOC: &CStr = c"encode(text, encoding='utf-8', errors='strict')\n--\n\n\
The bytes of a str.\n\n\
errors is a name of Python ('strict', 'replace', 'ignore', 'backslashreplace', 'xmlcharrefreplace', 'namereplace', \
'surrogateescape', 'surrogatepass'), one of placemat ('substitute', 'translit', 'surrogateescape-checked', 'optu', \
'optu-unchecked', 'optu16'), or one registered with codecs.register_error.\n\n\
Raises EncodeError, or LookupError for an unknown name.";
const IS_VALID_DOC: &CStr = c"is_valid(data, encoding='utf-8')\n--\n\n\
Whether the bytes are well-formed in the encoding.";

const DECODE: [&str; 3] = ["data", "encoding", "errors"];
const ENCODE: [&str; 3] = ["text", "encoding", "errors"];
const IS_VALID: [&str; 3] = ["data", "encoding", ""];

unsafe extern "C" fn decode_call(
    _: *mut PyObject,
    args: *const *mut PyObject,
    count: Py_ssize_t,
    keywords: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the interpreter calls this as the kind of function that it is listed as.
    let Some([data, encoding, errors]) = (unsafe { arguments(DECODE, args, count, keywords) }) else {
        return complain("decode", DECODE);
    };
    // SAFETY: arguments are alive during the call; so with the next three.
    let quick = unsafe { ffi::PyBytes_Check(data) } != 0
        && unsafe { is_utf8(encoding) }
        && unsafe { is_plain(errors) };
    // SAFETY: see above.
    let quick = quick && (unsafe { is_strict(errors) } || unsafe { bytes(data) }.len() < MIN_SPLIT_BYTES);
    if quick {
        // SAFETY: see above.
        match text::from_utf8(unsafe { bytes(data) }) {
            Ok(text) => return text.finish(),
            Err(No::Raised) => return null_mut(),
            Err(No::IllFormed) => {}
        }
    }
    slowly(|py| {
        // SAFETY: arguments are alive during the call; so with the next two.
        let Some(data) = (unsafe { Bound::from_borrowed_ptr_or_opt(py, data) }) else {
            unreachable!("it is there")
        };
        // SAFETY: see above.
        let encoding = text_argument("encoding", unsafe { argument(py, encoding) })?;
        // SAFETY: see above.
        let errors = text_argument("errors", unsafe { argument(py, errors) })?;
        let encoding = names::encoding(encoding.as_deref().unwrap_or("utf-8"))?;
        let errors = OnDecode::of(errors.as_deref())?;
        Ok(input::decode(&data, encoding, &errors, quick)?.into_any().unbind())
    })
}

unsafe extern "C" fn encode_call(
    _: *mut PyObject,
    args: *const *mut PyObject,
    count: Py_ssize_t,
    keywords: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the interpreter calls this as the kind of function that it is listed as.
    let Some([text, encoding, errors]) = (unsafe { arguments(ENCODE, args, count, keywords) }) else {
        return complain("encode", ENCODE);
    };
    // SAFETY: arguments are alive during the call; so with the next three.
    let quick = unsafe { ffi::PyUnicode_Check(text) } != 0
        && unsafe { is_utf8(encoding) }
        && unsafe { is_plain(errors) };
    if quick {
        // SAFETY: see above; it is a `str`.
        let Ok(held) = (unsafe { Held::of_object(text) }) else { return null_mut() };
        match encode::to_utf8(held.view()) {
            Ok(new) => return new.finish(),
            Err(No::Raised) => return null_mut(),
            Err(No::IllFormed) => {}
        }
    }
    slowly(|py| {
        // SAFETY: arguments are alive during the call; so with the next two.
        let Some(text) = (unsafe { Bound::from_borrowed_ptr_or_opt(py, text) }) else {
            unreachable!("it is there")
        };
        // SAFETY: see above.
        let encoding = text_argument("encoding", unsafe { argument(py, encoding) })?;
        // SAFETY: see above.
        let errors = text_argument("errors", unsafe { argument(py, errors) })?;
        let encoding = names::encoding(encoding.as_deref().unwrap_or("utf-8"))?;
        let errors = OnEncode::of(errors.as_deref())?;
        let text = text.cast::<PyString>().map_err(|_| {
            let kind = text.get_type();
            PyTypeError::new_err(format!(
                "encode() takes str, not {}",
                kind.name().map_or("this".into(), |name| name.to_string())
            ))
        })?;
        Ok(encode::whole(text, encoding, &errors)?.into_any().unbind())
    })
}

/// Returns the bytes of a `bytes` object.
///
/// # Safety
/// `object` is one, alive during `'a`.
#[inline]
unsafe fn bytes<'a>(object: *mut PyObject) -> &'a [u8] {
    // SAFETY: it is `bytes`.
    let (data, len) = unsafe { raw::memory_of_bytes(object) };
    // SAFETY: the object has that many bytes there, which never change.
    unsafe { slice::from_raw_parts(data, len) }
}

/// Returns whether the text is well-formed, as a Python object.
unsafe extern "C" fn is_valid_call(
    _: *mut PyObject,
    args: *const *mut PyObject,
    count: Py_ssize_t,
    keywords: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the interpreter calls this as the kind of function that it is listed as.
    let Some([data, encoding, _]) = (unsafe { arguments(IS_VALID, args, count, keywords) }) else {
        return complain("is_valid", IS_VALID);
    };
    // SAFETY: arguments are alive during the call; so with the next two.
    if unsafe { ffi::PyBytes_Check(data) } != 0 && unsafe { is_utf8(encoding) } {
        // SAFETY: see above.
        let src = unsafe { bytes(data) };
        if src.len() <= PIECE_BYTES {
            let valid = alone(src.len(), || utf8::validate(src).is_ok());
            // SAFETY: the GIL is held.
            return unsafe { ffi::PyBool_FromLong(valid.into()) };
        }
    }
    slowly(|py| {
        // SAFETY: arguments are alive during the call; so with the next.
        let Some(data) = (unsafe { Bound::from_borrowed_ptr_or_opt(py, data) }) else {
            unreachable!("it is there")
        };
        // SAFETY: see above.
        let encoding = text_argument("encoding", unsafe { argument(py, encoding) })?;
        let encoding = names::encoding(encoding.as_deref().unwrap_or("utf-8"))?;
        Ok(PyBool::new(py, check::is_valid(&data, encoding)?).to_owned().into_any().unbind())
    })
}

/// Returns the entry of a function in the table of the module.
const fn method(
    name: &'static CStr,
    function: PyCFunctionFastWithKeywords,
    doc: &'static CStr,
) -> PyMethodDef {
    PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: PyMethodDefPointer { PyCFunctionFastWithKeywords: function },
        ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        ml_doc: doc.as_ptr(),
    }
}

/// The interpreter keeps the addresses of its entries, and writes to none.
struct Methods([PyMethodDef; 3]);

// SAFETY: it is never written to, and the names and functions that it leads to are the same for all
// threads.
unsafe impl Sync for Methods {}

static METHODS: Methods = Methods([
    method(c"decode", decode_call, DECODE_DOC),
    method(c"encode", encode_call, ENCODE_DOC),
    method(c"is_valid", is_valid_call, IS_VALID_DOC),
]);

/// Adds the functions to the module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let name = PyString::new(py, "placemat");
    for entry in &METHODS.0 {
        // SAFETY: the entry is static, and the interpreter only reads it; a new reference or null with an exception comes back.
        let function = unsafe {
            ffi::PyCFunction_NewEx(std::ptr::from_ref(entry).cast_mut(), null_mut(), name.as_ptr())
        };
        // SAFETY: as above.
        let function = unsafe { Bound::from_owned_ptr_or_err(py, function) }?;
        let name = function.getattr("__name__")?.cast_into::<PyString>()?;
        module.add(name.to_str()?, &function)?;
    }
    Ok(())
}
