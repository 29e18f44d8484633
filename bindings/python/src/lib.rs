//! The module `placemat._placemat`: the library for `bytes` and `str`.
//!
//! `hot` has the functions that programs call most; `decode` and `encode` do their work. `text` and
//! `view` know the memory layout of a `str`, which the stable ABI does not reveal, so a build
//! serves one version of CPython.

mod arrow;
mod builder;
mod check;
mod decode;
mod detection;
mod editing;
mod encode;
mod errors;
mod escaping;
mod handlers;
mod hot;
mod incremental;
mod input;
mod inverse;
mod meanwhile;
mod module;
mod names;
mod narrow;
mod new_bytes;
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

use pyo3::exceptions::PyImportError;
use pyo3::ffi;
use pyo3::prelude::*;

/// The version of CPython that this build is for, such as `3.11`.
const VERSION: &str = env!("PLACEMAT_PYTHON");

/// Refuses to run where the memory layout of a `str` may differ, and in subinterpreters.
fn refuse(py: Python<'_>) -> PyResult<()> {
    let running = py.version_info();
    let running = format!("{}.{}", running.major, running.minor);
    if running != VERSION {
        return Err(PyImportError::new_err(format!(
            "this build of placemat is for CPython {VERSION}, and this is {running}"
        )));
    }
    // SAFETY: the GIL is held, so there is a current interpreter.
    let current = unsafe { ffi::PyInterpreterState_Get() };
    // SAFETY: the interpreter runs.
    if current != unsafe { ffi::PyInterpreterState_Main() } {
        return Err(PyImportError::new_err("placemat runs in the main interpreter only"));
    }
    Ok(())
}

/// The compiled part of placemat.
#[pymodule(gil_used = true)]
fn _placemat(module: &Bound<'_, PyModule>) -> PyResult<()> {
    refuse(module.py())?;
    errors::add_to(module)?;
    arrow::add_to(module)?;
    incremental::add_to(module)?;
    reports::add_to(module)?;
    detection::add_to(module)?;
    repairing::add_to(module)?;
    editing::add_to(module)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    transcode::add_to(module)?;
    turns::add_to(module)?;
    hot::add_to(module)
}
