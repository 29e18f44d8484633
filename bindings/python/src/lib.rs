//! The module `placemat._placemat`: the library for `bytes` and `str`.
//!
//! `hot` has the functions that programs call most; `decode` and `encode` do their work. `new_str` and
//! `held` know the memory layout of a `str`, which the stable ABI does not reveal, so a build
//! serves one version of CPython. With the feature `abi3`, a build serves all versions from 3.10 on,
//! and copies each `str` once more.

mod arrow;
mod builder;
mod by_handler;
mod check;
mod codes;
mod decode;
mod detection;
mod editing;
mod encode;
mod errors;
mod escaped;
mod escaping;
mod fixing;
mod handlers;
mod held;
mod hot;
mod incremental;
mod input;
mod inverse;
mod meanwhile;
mod module;
mod moving;
mod names;
mod narrow;
mod new_bytes;
mod new_str;
mod next_error;
mod pairs;
mod raw;
mod repairing;
mod reports;
mod running;
mod strays;
mod table;
mod text;
mod transcode;
mod turns;
mod view;
mod writer;

use pyo3::exceptions::PyImportError;
use pyo3::ffi;
use pyo3::prelude::*;

/// Refuses to run where the memory layout of a `str` may differ.
#[cfg(not(Py_LIMITED_API))]
fn refuse_other_version(py: Python<'_>) -> PyResult<()> {
    /// The version of CPython that this build is for, such as `3.11`.
    const VERSION: &str = env!("PLACEMAT_PYTHON");
    let running = py.version_info();
    let running = format!("{}.{}", running.major, running.minor);
    if running != VERSION {
        return Err(PyImportError::new_err(format!(
            "this build of placemat is for CPython {VERSION}, and this is {running}"
        )));
    }
    Ok(())
}

/// Refuses to run where the stable ABI lacks what the build uses.
#[cfg(Py_LIMITED_API)]
fn refuse_other_version(py: Python<'_>) -> PyResult<()> {
    let running = py.version_info();
    if running < (3, 10) {
        return Err(PyImportError::new_err(format!(
            "this build of placemat is for CPython 3.10 and later, and this is {}.{}",
            running.major, running.minor
        )));
    }
    Ok(())
}

/// Refuses to run in subinterpreters.
fn refuse_subinterpreter() -> PyResult<()> {
    // SAFETY: the GIL is held, so there is a current interpreter.
    let current = unsafe { ffi::PyInterpreterState_Get() };
    // SAFETY: the interpreter runs. The main one has the number 0.
    if unsafe { ffi::PyInterpreterState_GetID(current) } != 0 {
        return Err(PyImportError::new_err("placemat runs in the main interpreter only"));
    }
    Ok(())
}

/// The compiled part of placemat.
#[pymodule(gil_used = true)]
fn _placemat(module: &Bound<'_, PyModule>) -> PyResult<()> {
    refuse_other_version(module.py())?;
    refuse_subinterpreter()?;
    errors::add_to(module)?;
    arrow::add_to(module)?;
    incremental::add_to(module)?;
    reports::add_to(module)?;
    detection::add_to(module)?;
    repairing::add_to(module)?;
    editing::add_to(module)?;
    fixing::add_to(module)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    let (major, minor, update) = placemat::UNICODE_VERSION;
    module.add("UNICODE_VERSION", format!("{major}.{minor}.{update}"))?;
    transcode::add_to(module)?;
    turns::add_to(module)?;
    hot::add_to(module)
}
