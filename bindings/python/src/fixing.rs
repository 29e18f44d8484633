//! The functions of ftfy: each fixes a `str` in one call, and gives back the same object if there is
//! nothing to fix.
//!
//! A survey of the text says which steps can change something. Most texts need none.

mod steps;
mod survey;

use self::steps::{STEPS, Step, Text};
use self::survey::flag;
use core::ops::Range;
use placemat::normalize::Normalization;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};

/// The number of the step `fix_encoding`.
const ENCODING: usize = 2;

/// Settings of ftfy that are parts of one step here, or have no effect.
const WITHOUT_EFFECT: [&str; 4] =
    ["restore_byte_a0", "replace_lossy_sequences", "decode_inconsistent_utf8", "max_decode_length"];

/// When to take a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Never,
    Always,
    /// Unless the text has `<`.
    Auto,
}

/// The settings of a call.
#[derive(Clone)]
struct Config {
    wanted: [Wanted; STEPS.len()],
    normalization: Option<Form>,
    explains: bool,
}

/// A normal form, and its name.
type Form = (Normalization, &'static str);

const DEFAULT: Config = Config {
    wanted: {
        let mut wanted = [Wanted::Always; STEPS.len()];
        wanted[0] = Wanted::Auto;
        wanted
    },
    normalization: Some((Normalization::Nfc, "NFC")),
    explains: true,
};

fn form(name: &str) -> PyResult<Form> {
    Ok(match name {
        "NFC" => (Normalization::Nfc, "NFC"),
        "NFD" => (Normalization::Nfd, "NFD"),
        "NFKC" => (Normalization::Nfkc, "NFKC"),
        "NFKD" => (Normalization::Nfkd, "NFKD"),
        _ => return Err(PyValueError::new_err("invalid normalization form")),
    })
}

impl Config {
    fn of(config: Option<&Bound<'_, PyAny>>, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut this = DEFAULT;
        if let Some(config) = config {
            for name in STEPS.iter().map(|step| step.name).chain(["normalization", "explain"]) {
                this.set(name, &config.getattr(name)?)?;
            }
        }
        for (name, value) in settings.into_iter().flatten() {
            let name = name.cast::<PyString>()?;
            let name = name.to_string_lossy();
            if !this.set(&name, &value)? {
                return Err(PyValueError::new_err(format!("Got unexpected field names: [{name:?}]")));
            }
        }
        Ok(this)
    }

    /// Sets a field. Returns `false` if there is none of this name.
    fn set(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        let step = STEPS.iter().position(|step| step.name == name);
        match (step, name) {
            (Some(step), _) => {
                let is_auto = value.cast::<PyString>().is_ok_and(|value| value == "auto");
                self.wanted[step] = match value.is_truthy()? {
                    _ if is_auto => Wanted::Auto,
                    true => Wanted::Always,
                    false => Wanted::Never,
                };
            }
            (None, "normalization") => {
                let name: Option<String> = value.extract()?;
                self.normalization =
                    name.filter(|name| !name.is_empty()).map(|name| form(&name)).transpose()?;
            }
            (None, "explain") => self.explains = value.is_truthy()?,
            (None, _) => return Ok(WITHOUT_EFFECT.contains(&name)),
        }
        Ok(true)
    }
}

/// A step that changed the text: `apply`, and its name; or `normalize`, and the normal form.
type Taken = (&'static str, &'static str);

/// Fixes a text, and returns it, or `None` if nothing changed. `taken` is called with each step that
/// changed the text.
fn fix<'py>(
    text: &Bound<'py, PyString>,
    config: &Config,
    only: Range<usize>,
    mut taken: impl FnMut(Taken),
) -> PyResult<Option<Bound<'py, PyString>>> {
    let py = text.py();
    let mut now = Text::of(text, &STEPS[only.clone()])?;
    let mut changed = false;
    for (step, wanted) in STEPS[only.clone()].iter().zip(&config.wanted[only.clone()]) {
        let is_wanted = match wanted {
            Wanted::Never => false,
            Wanted::Always => true,
            Wanted::Auto => !now.has(flag::LESS_THAN),
        };
        if is_wanted
            && now.has(step.flags)
            && let Some(fixed) = (step.fix)(py, &now)?
        {
            now = fixed;
            changed = true;
            taken(("apply", step.name));
        }
    }
    if only.len() == STEPS.len()
        && let Some((form, name)) = config.normalization
        && let Some(normal) = now.normalized(form)
    {
        now = normal;
        changed = true;
        taken(("normalize", name));
    }
    if changed { now.made(py).map(Some) } else { Ok(None) }
}

/// Returns the text of a call.
fn text_of<'a, 'py>(text: &'a Bound<'py, PyAny>) -> PyResult<&'a Bound<'py, PyString>> {
    text.cast::<PyString>().map_err(|_| {
        let name = text.get_type().name().map_or_else(|_| "it".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!(
            "fix_text takes str, not {name}: guess_bytes(data)[0] reads those, and placemat.repair(data).text repairs them"
        ))
    })
}

type Settings<'a, 'py> = (Option<&'a Bound<'py, PyAny>>, Option<&'a Bound<'py, PyDict>>);

/// Fixes a text, and returns it alone.
fn fixed<'py>(
    text: &Bound<'py, PyAny>,
    (config, settings): Settings<'_, 'py>,
    only: Range<usize>,
) -> PyResult<Bound<'py, PyString>> {
    let text = text_of(text)?;
    let set;
    let config = if config.is_none() && settings.is_none() {
        &DEFAULT
    } else {
        set = Config::of(config, settings)?;
        &set
    };
    Ok(fix(text, config, only, |_| {})?.unwrap_or_else(|| text.clone()))
}

/// The classes of the answers.
struct Classes {
    text: Py<PyType>,
    step: Py<PyType>,
    /// `tuple.__new__`, which makes both.
    new: Py<PyAny>,
}

impl Classes {
    fn get(py: Python<'_>) -> PyResult<&Self> {
        static CLASSES: PyOnceLock<Classes> = PyOnceLock::new();
        CLASSES.get_or_try_init(py, || {
            let module = py.import("placemat.compat.ftfy")?;
            let class = |name: &str| Ok::<_, PyErr>(module.getattr(name)?.cast_into::<PyType>()?.unbind());
            let new = py.get_type::<PyTuple>().getattr("__new__")?.unbind();
            Ok(Self { text: class("ExplainedText")?, step: class("ExplanationStep")?, new })
        })
    }
}

/// Fixes a text, and returns it with the steps that changed it.
fn explained<'py>(
    text: &Bound<'py, PyAny>,
    (config, settings): Settings<'_, 'py>,
    only: Range<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let text = text_of(text)?;
    let py = text.py();
    let config = if config.is_none() && settings.is_none() { DEFAULT } else { Config::of(config, settings)? };
    let mut steps = Vec::new();
    let fixed = fix(text, &config, only, |step| steps.push(step))?;
    let classes = Classes::get(py)?;
    let new = classes.new.bind(py);
    let steps = match config.explains {
        true => {
            let steps = steps.into_iter().map(|step| new.call1((&classes.step, step)));
            let steps = steps.collect::<PyResult<Vec<_>>>()?;
            Some(pyo3::types::PyList::new(py, steps)?)
        }
        false => None,
    };
    new.call1((&classes.text, (fixed.as_ref().unwrap_or(text), steps)))
}

/// Fixes mojibake, and what else the settings name: entities, ligatures, widths, quotes, line ends, controls.
#[pyfunction]
#[pyo3(signature = (text, config = None, **settings))]
fn fix_text<'py>(
    text: &Bound<'py, PyAny>,
    config: Option<&Bound<'py, PyAny>>,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyString>> {
    fixed(text, (config, settings), 0..STEPS.len())
}

/// Fixes a text, and returns the steps too.
#[pyfunction]
#[pyo3(signature = (text, config = None, **settings))]
fn fix_and_explain<'py>(
    text: &Bound<'py, PyAny>,
    config: Option<&Bound<'py, PyAny>>,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    explained(text, (config, settings), 0..STEPS.len())
}

/// Fixes only mojibake.
#[pyfunction]
#[pyo3(signature = (text, config = None, **settings))]
fn fix_encoding<'py>(
    text: &Bound<'py, PyAny>,
    config: Option<&Bound<'py, PyAny>>,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyString>> {
    fixed(text, (config, settings), ENCODING..ENCODING + 1)
}

/// Fixes only mojibake, and returns the steps too.
#[pyfunction]
#[pyo3(signature = (text, config = None, **settings))]
fn fix_encoding_and_explain<'py>(
    text: &Bound<'py, PyAny>,
    config: Option<&Bound<'py, PyAny>>,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    explained(text, (config, settings), ENCODING..ENCODING + 1)
}

/// Takes one step, by its name.
#[pyfunction]
fn step<'py>(name: &str, text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyString>> {
    let text = text_of(text)?;
    let step: &Step = STEPS
        .iter()
        .find(|step| step.name == name)
        .ok_or_else(|| PyValueError::new_err(format!("unknown step: {name:?}")))?;
    let now = Text::of(text, core::slice::from_ref(step))?;
    let fixed = if now.has(step.flags) { (step.fix)(text.py(), &now)? } else { None };
    fixed.map_or_else(|| Ok(text.clone()), |fixed| fixed.made(text.py()))
}

/// Adds the functions to the module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let fixing = crate::module::submodule(module, "fixing")?;
    fixing.add("STEPS", PyTuple::new(module.py(), STEPS.iter().map(|step| step.name))?)?;
    fixing.add_function(wrap_pyfunction!(fix_text, &fixing)?)?;
    fixing.add_function(wrap_pyfunction!(fix_and_explain, &fixing)?)?;
    fixing.add_function(wrap_pyfunction!(fix_encoding, &fixing)?)?;
    fixing.add_function(wrap_pyfunction!(fix_encoding_and_explain, &fixing)?)?;
    fixing.add_function(wrap_pyfunction!(step, &fixing)?)
}
