//! Modules within the compiled part of the package.

use pyo3::prelude::*;

/// Makes a new module within another, which `import` finds too. Its functions know its full name,
/// which pickle needs.
pub(crate) fn submodule<'py>(parent: &Bound<'py, PyModule>, name: &str) -> PyResult<Bound<'py, PyModule>> {
    let full = format!("placemat._placemat.{name}");
    let module = PyModule::new(parent.py(), &full)?;
    parent.py().import("sys")?.getattr("modules")?.set_item(full, &module)?;
    parent.add(name, &module)?;
    Ok(module)
}
