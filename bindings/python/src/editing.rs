//! `Document`: a text that is edited in its own encoding; and normal forms.
//!
//! Offsets of the text count code points here, and bytes of UTF-8 in the library.

use crate::errors;
use crate::input::Input;
use crate::names;
use crate::raw::alone;
use placemat::edit::{self, Position};
use placemat::normalize::Normalization;
use placemat::utf8;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

pyo3::create_exception!(
    placemat,
    EditError,
    PyValueError,
    "An edit that would change the bytes around it, or a file that cannot be opened. The document is unchanged."
);

/// The bytes that an edit changed: start, end, and the number of new bytes.
type Changed = (usize, usize, usize);

/// A document. No method releases the GIL, so no call comes between the parts of another.
#[pyclass(module = "placemat._placemat.editing")]
#[derive(Clone)]
pub(crate) struct Document {
    document: edit::Document,
    /// The number of code points above U+FFFF. Without them, an offset in code points is one in
    /// code units of UTF-16.
    wide: usize,
}

fn wide_points(text: &str) -> usize {
    text.bytes().filter(|&byte| byte >= 0xF0).count()
}

/// Returns the error for text that cannot be put into a document.
fn refused(document: &edit::Document, new: &Bound<'_, PyString>, error: &edit::EditError) -> PyErr {
    match error {
        edit::EditError::Unmappable(error) => {
            let before = |text: &str| {
                let to = usize::try_from(error.offset()).unwrap_or(usize::MAX).min(text.len());
                utf8::count_code_points(&text.as_bytes()[..to])
            };
            let made = new.to_str().map(before).and_then(|at| {
                errors::encode_error(document.encoding(), new, (at, at + 1), at as u64, error, "")
            });
            made.map_or_else(|e| e, PyErr::from_value)
        }
        edit::EditError::ReadsOtherwise => EditError::new_err(
            "the new text and the bytes around it would read as another text: replace these bytes too",
        ),
        error => EditError::new_err(error.to_string()),
    }
}

impl Document {
    /// Returns the number of code points of the text.
    fn len(&self) -> usize {
        self.document.utf16_len() - self.wide
    }

    /// Returns the offset in UTF-8 of an offset in code points.
    fn bytes_before(&self, offset: usize) -> Option<usize> {
        if self.wide == 0 {
            return self.document.text_of_utf16(offset);
        }
        let text = self.document.text();
        text.char_indices().map(|(at, _)| at).chain([text.len()]).nth(offset)
    }

    /// Returns the offset in code points of an offset in UTF-8.
    fn points_before(&self, offset: usize) -> Option<usize> {
        if self.wide == 0 {
            return self.document.utf16_of_text(offset);
        }
        let text = self.document.text();
        let whole = text.as_bytes().get(..offset.min(text.len()))?;
        Some(utf8::count_code_points(&whole[..utf8::floor_boundary(text.as_bytes(), whole.len())]))
    }

    fn range(&self, start: usize, end: usize) -> PyResult<core::ops::Range<usize>> {
        let (from, to) = (self.bytes_before(start), self.bytes_before(end));
        match (from, to) {
            (Some(from), Some(to)) if from <= to => Ok(from..to),
            _ => Err(PyIndexError::new_err(format!(
                "{start}:{end} is no range of a text of {} characters",
                self.len()
            ))),
        }
    }
}

#[pymethods]
impl Document {
    #[new]
    fn new(data: &Bound<'_, PyAny>, encoding: &str) -> PyResult<Self> {
        let encoding = names::encoding(encoding)?;
        let data = Input::of(data)?.into_bytes(data.py())?;
        let src = data.as_bytes();
        let opened = alone(src.len(), || {
            edit::Document::open(src, encoding).map(|document| (wide_points(&document.text()), document))
        });
        let (wide, document) = opened.map_err(|e| EditError::new_err(e.to_string()))?;
        Ok(Self { document, wide })
    }

    fn encoding(&self) -> String {
        names::of(self.document.encoding())
    }

    fn signature<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.document.signature())
    }

    fn stand_ins(&self) -> Option<String> {
        self.document.stand_ins().map(|all| (0..=u8::MAX).map(|byte| all.char_of(byte)).collect())
    }

    fn text(&self) -> String {
        self.document.text()
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.document.to_bytes())
    }

    /// Returns the lengths: bytes of the file, code points, UTF-16 units, lines.
    fn lengths(&self) -> (usize, usize, usize, usize) {
        (self.document.len(), self.len(), self.document.utf16_len(), self.document.line_count())
    }

    fn slice(&self, start: usize, end: usize) -> PyResult<String> {
        Ok(self.document.slice(self.range(start, end)?).unwrap_or_default())
    }

    fn replace(&mut self, start: usize, end: usize, new: &Bound<'_, PyString>) -> PyResult<Changed> {
        let range = self.range(start, end)?;
        let text = new.to_str()?;
        let old = if self.wide == 0 {
            0
        } else {
            self.document.slice(range.clone()).map_or(0, |old| wide_points(&old))
        };
        let change = self.document.replace(range, text).map_err(|e| refused(&self.document, new, &e))?;
        self.wide = self.wide - old + wide_points(text);
        Ok((change.bytes.start, change.bytes.end, change.len))
    }

    /// Makes all changes, or none.
    fn replace_all(&mut self, changes: Vec<(usize, usize, Bound<'_, PyString>)>) -> PyResult<()> {
        let text = self.document.text();
        let mut offsets = Offsets { text: &text, bytes: 0, points: 0 };
        let mut ranges = Vec::with_capacity(changes.len());
        for (start, end, new) in &changes {
            let range = offsets.seek(*start).and_then(|from| Some(from..offsets.seek(*end)?));
            let range = range.ok_or_else(|| {
                PyIndexError::new_err(format!(
                    "{start}:{end} is no range of the text after those before it: the text has {} characters",
                    self.len()
                ))
            })?;
            ranges.push((range, new.to_str()?));
        }
        let mut document = self.document.clone();
        if let Err((at, e)) = document.replace_all(&ranges, |_, _| Vec::new()) {
            return Err(refused(&document, &changes[at].2, &e));
        }
        (self.wide, self.document) = (wide_points(&document.text()), document);
        Ok(())
    }

    fn text_to_byte(&self, offset: usize) -> Option<usize> {
        self.document.text_to_byte(self.bytes_before(offset)?)
    }

    fn text_of_byte(&self, byte: usize) -> Option<usize> {
        self.points_before(self.document.text_of_byte(byte)?)
    }

    fn utf16_of_text(&self, offset: usize) -> Option<usize> {
        self.document.utf16_of_text(self.bytes_before(offset)?)
    }

    fn text_of_utf16(&self, utf16: usize) -> Option<usize> {
        self.points_before(self.document.text_of_utf16(utf16)?)
    }

    fn position_of_text(&self, offset: usize) -> Option<(usize, usize)> {
        let position = self.document.position_of_text(self.bytes_before(offset)?)?;
        Some((position.line, position.column))
    }

    fn text_of_position(&self, line: usize, column: usize) -> Option<usize> {
        self.points_before(self.document.text_of_position(Position::new(line, column))?)
    }
}

/// Finds offsets in UTF-8, none of them before the last.
struct Offsets<'a> {
    text: &'a str,
    bytes: usize,
    points: usize,
}

impl Offsets<'_> {
    fn seek(&mut self, points: usize) -> Option<usize> {
        let ahead = points.checked_sub(self.points)?;
        let rest = &self.text[self.bytes..];
        let found = rest.char_indices().map(|(at, _)| at).chain([rest.len()]).nth(ahead)?;
        (self.bytes, self.points) = (self.bytes + found, points);
        Some(self.bytes)
    }
}

/// Normalizes a text without surrogates.
#[pyfunction]
fn normalize(text: &str, form: &str) -> PyResult<String> {
    let form = match &*form.to_ascii_lowercase() {
        "nfc" => Normalization::Nfc,
        "nfd" => Normalization::Nfd,
        "nfkc" => Normalization::Nfkc,
        "nfkd" => Normalization::Nfkd,
        "mac" => Normalization::Mac,
        "net" => Normalization::Net,
        _ => {
            return Err(PyValueError::new_err(format!(
                "unknown normal form: {}; there are nfc, nfd, nfkc, nfkd, mac, net",
                names::shown(form)
            )));
        }
    };
    Ok(alone(text.len(), || form.apply(text).into_owned()))
}

/// Adds the class, its error and the function to the module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let editing = crate::module::submodule(module, "editing")?;
    editing.add_class::<Document>()?;
    editing.add("EditError", module.py().get_type::<EditError>())?;
    editing.add_function(wrap_pyfunction!(normalize, &editing)?)
}
