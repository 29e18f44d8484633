//! Columns of the Arrow PyCapsule interface, as input and output. The kernels are those of
//! `placemat-arrow`.

use crate::errors::{self, Spot};
use crate::handlers::{Errors, OnDecode, OnEncode};
use crate::names;
use crate::repairing::{Settings, repairer};
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef, make_array};
use arrow_schema::{ArrowError, DataType, Field};
use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::NonNull;
use placemat::{ConvertError, Encoding, ErrorPolicy, UnmappablePolicy};
use placemat_arrow::{Error, Handling};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyTuple};
use std::sync::Arc;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// Columns with more bytes than this are converted without the GIL.
const MIN_UNLOCKED_BYTES: usize = 4096;

/// A column: its field and its chunks.
#[derive(Clone)]
struct Column {
    field: Arc<Field>,
    chunks: Vec<ArrayRef>,
}

fn arrow_error(error: &ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns the structure in a capsule. `T` is the type that belongs to the name.
fn pointer<T>(capsule: &Bound<'_, PyAny>, name: &CStr) -> PyResult<NonNull<T>> {
    Ok(capsule.cast::<PyCapsule>()?.pointer_checked(Some(name))?.cast())
}

fn used_up() -> PyErr {
    PyValueError::new_err("the capsule was consumed before: ask the column for another")
}

/// Returns the field that a schema describes.
fn field_of(schema: &FFI_ArrowSchema) -> PyResult<Field> {
    // SAFETY: the format is the first member of the structure. It is null in one that was released.
    let format = unsafe { *core::ptr::from_ref(schema).cast::<*const c_char>() };
    if format.is_null() {
        return Err(used_up());
    }
    Field::try_from(schema).map_err(|e| arrow_error(&e))
}

/// Checks the assumptions of the import: that the array has the buffers of its type, and that its
/// offsets, which are read before they could be copied, are aligned.
fn check_buffers(array: &FFI_ArrowArray, data_type: &DataType) -> PyResult<()> {
    let (least, most, align) = match data_type {
        DataType::Binary | DataType::Utf8 => (3, 3, align_of::<i32>()),
        DataType::LargeBinary | DataType::LargeUtf8 => (3, 3, align_of::<i64>()),
        DataType::BinaryView | DataType::Utf8View => (3, usize::MAX, 1),
        DataType::Dictionary(_, values) => {
            if let Some(array) = array.dictionary() {
                check_buffers(array, values)?;
            }
            (2, 2, 1)
        }
        other => return Err(PyTypeError::new_err(Error::Type(other.clone()).to_string())),
    };
    let is_dictionary = matches!(data_type, DataType::Dictionary(..));
    if !(least..=most).contains(&array.num_buffers()) || array.dictionary().is_some() != is_dictionary {
        return Err(PyValueError::new_err(format!(
            "the array does not have the buffers of its type, {data_type}: its producer gave the schema of another"
        )));
    }
    if array.num_buffers() > 1 && !(array.buffer(1) as usize).is_multiple_of(align) {
        return Err(PyValueError::new_err(
            "the offsets of the column are not aligned: copy the column first",
        ));
    }
    Ok(())
}

fn import(array: FFI_ArrowArray, data_type: &DataType) -> PyResult<ArrayRef> {
    check_buffers(&array, data_type)?;
    // SAFETY: the producer promises that the array has the type; the interface has no other proof.
    let data = unsafe { from_ffi_and_data_type(array, data_type.clone()) };
    Ok(make_array(data.map_err(|e| arrow_error(&e))?))
}

impl Column {
    /// Returns the column of an object, and whether it came as one array.
    fn of(object: &Bound<'_, PyAny>) -> PyResult<(Self, bool)> {
        if let Ok(method) = object.getattr("__arrow_c_array__") {
            let pair = method.call0()?;
            let pair = pair.cast::<PyTuple>()?;
            let schema = pointer::<FFI_ArrowSchema>(&pair.get_item(0)?, SCHEMA)?;
            let array = pointer::<FFI_ArrowArray>(&pair.get_item(1)?, ARRAY)?;
            // SAFETY: the capsule, which `pair` keeps, has a structure of this type.
            let field = field_of(unsafe { schema.as_ref() })?;
            // SAFETY: the capsule has a structure of this type; it is moved out, and the capsule
            // keeps a released one.
            let array = unsafe { FFI_ArrowArray::from_raw(array.as_ptr()) };
            if array.is_released() {
                return Err(used_up());
            }
            let array = import(array, field.data_type())?;
            return Ok((Self { field: Arc::new(field), chunks: vec![array] }, true));
        }
        let Ok(method) = object.getattr("__arrow_c_stream__") else {
            return Err(PyTypeError::new_err(format!(
                "{} does not speak the Arrow PyCapsule interface",
                object.get_type().name()?
            )));
        };
        let capsule = method.call0()?;
        let stream = pointer::<FFI_ArrowArrayStream>(&capsule, STREAM)?;
        // SAFETY: the capsule has a structure of this type; it is moved out, and the capsule keeps
        // a released one.
        let stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) };
        Ok((Self::read(stream)?, false))
    }

    fn read(mut stream: FFI_ArrowArrayStream) -> PyResult<Self> {
        let (Some(get_schema), Some(get_next)) = (stream.get_schema(), stream.get_next()) else {
            return Err(used_up());
        };
        let failed = |stream: &mut FFI_ArrowArrayStream, code: c_int| {
            let message = stream.get_last_error().and_then(|message| {
                // SAFETY: the stream is not released, and its last call failed.
                let message = unsafe { message(stream) };
                // SAFETY: a message ends with a zero byte, and lives until the next call.
                (!message.is_null())
                    .then(|| unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned())
            });
            PyValueError::new_err(
                message.unwrap_or_else(|| format!("the stream of arrays failed with code {code}")),
            )
        };
        let mut schema = FFI_ArrowSchema::empty();
        // SAFETY: the stream is not released, and `schema` is writable.
        let code = unsafe { get_schema(&raw mut stream, &raw mut schema) };
        if code != 0 {
            return Err(failed(&mut stream, code));
        }
        let field = field_of(&schema)?;
        let mut chunks = Vec::new();
        loop {
            let mut array = FFI_ArrowArray::empty();
            // SAFETY: as above.
            let code = unsafe { get_next(&raw mut stream, &raw mut array) };
            if code != 0 {
                return Err(failed(&mut stream, code));
            }
            if array.is_released() {
                return Ok(Self { field: Arc::new(field), chunks });
            }
            chunks.push(import(array, field.data_type())?);
        }
    }

    /// Returns the column that `kernel` makes of each chunk. An empty column has no chunk that
    /// would show the new type.
    fn map(
        object: &Bound<'_, PyAny>,
        raise: impl Fn(Python<'_>, Error) -> PyErr,
        kernel: impl Fn(&ArrayRef) -> Result<ArrayRef, Error> + Sync,
    ) -> PyResult<Py<PyAny>> {
        let py = object.py();
        let (column, is_array) = Self::of(object)?;
        let bytes: usize = column.chunks.iter().map(|chunk| chunk.get_buffer_memory_size()).sum();
        let all = || -> Result<(DataType, Vec<ArrayRef>), Error> {
            let none = arrow_array::new_empty_array(column.field.data_type());
            let mut before = 0;
            let mut chunks = Vec::with_capacity(column.chunks.len());
            for chunk in &column.chunks {
                // Rows count from the start of the column.
                chunks.push(kernel(chunk).map_err(|error| match error {
                    Error::Row { row, error } => Error::Row { row: before + row, error },
                    Error::TooLong { row } => Error::TooLong { row: before + row },
                    other => other,
                })?);
                before += chunk.len();
            }
            Ok((kernel(&none)?.data_type().clone(), chunks))
        };
        let result = if bytes > MIN_UNLOCKED_BYTES { py.detach(all) } else { all() };
        let (data_type, chunks) = result.map_err(|error| raise(py, error))?;
        let column = Self { field: Arc::new(Field::new(column.field.name(), data_type, true)), chunks };
        Ok(if is_array {
            Py::new(py, ArrowArray(column))?.into_any()
        } else {
            Py::new(py, ArrowStream(column))?.into_any()
        })
    }

    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*self.field).map_err(|e| arrow_error(&e))?;
        PyCapsule::new_with_value(py, schema, SCHEMA)
    }

    fn stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let state = Box::new((self.field.clone(), self.chunks.clone().into_iter()));
        // SAFETY: the callbacks below belong to this state.
        let stream = unsafe {
            FFI_ArrowArrayStream::new_unchecked(
                Some(stream_schema),
                Some(stream_next),
                Some(stream_error),
                Some(stream_release),
                Box::into_raw(state).cast(),
            )
        };
        PyCapsule::new_with_value(py, stream, STREAM)
    }
}

/// The state of an exported stream.
type State = (Arc<Field>, std::vec::IntoIter<ArrayRef>);

unsafe extern "C" fn stream_schema(stream: *mut FFI_ArrowArrayStream, out: *mut FFI_ArrowSchema) -> c_int {
    // SAFETY: the consumer passes a stream that is not released, whose state is the box of `stream`.
    let stream = unsafe { &*stream };
    // SAFETY: as above.
    let state = unsafe { &*stream.private_data().cast::<State>() };
    match FFI_ArrowSchema::try_from(&*state.0) {
        Ok(schema) => {
            // SAFETY: the consumer passes a writable schema.
            unsafe { out.write(schema) };
            0
        }
        Err(_) => 22,
    }
}

unsafe extern "C" fn stream_next(stream: *mut FFI_ArrowArrayStream, out: *mut FFI_ArrowArray) -> c_int {
    // SAFETY: as above, and no other call runs on the stream.
    let stream = unsafe { &*stream };
    // SAFETY: as above.
    let state = unsafe { &mut *stream.private_data().cast::<State>() };
    let array =
        state.1.next().map_or_else(FFI_ArrowArray::empty, |array| FFI_ArrowArray::new(&array.to_data()));
    // SAFETY: the consumer passes a writable array.
    unsafe { out.write(array) };
    0
}

unsafe extern "C" fn stream_error(_stream: *mut FFI_ArrowArrayStream) -> *const c_char {
    core::ptr::null()
}

unsafe extern "C" fn stream_release(stream: *mut FFI_ArrowArrayStream) {
    // SAFETY: the consumer passes a stream that is not released.
    let stream = unsafe { &mut *stream };
    let state: *mut c_void = stream.private_data();
    // SAFETY: the state is the box of `stream`, which is released once.
    drop(unsafe { Box::from_raw(state.cast::<State>()) });
    // SAFETY: a stream without this function counts as released.
    unsafe { stream.set_release(None) };
}

/// An array with the Arrow PyCapsule interface.
#[pyclass(frozen, module = "placemat.arrow")]
struct ArrowArray(Column);

#[pymethods]
impl ArrowArray {
    fn __len__(&self) -> usize {
        self.0.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        self.0.schema(py)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Py<PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // A request is only a hint; the column has one type.
        drop(requested_schema);
        let array = FFI_ArrowArray::new(&self.0.chunks[0].to_data());
        Ok((self.0.schema(py)?, PyCapsule::new_with_value(py, array, ARRAY)?))
    }
}

/// A column of chunks with the Arrow PyCapsule interface.
#[pyclass(frozen, module = "placemat.arrow")]
struct ArrowStream(Column);

#[pymethods]
impl ArrowStream {
    fn __len__(&self) -> usize {
        self.0.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        self.0.schema(py)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        self.0.stream(py)
    }
}

/// Returns the exception for an error: `DecodeError` or `EncodeError` with a `row`; or one for the
/// column.
fn raise(py: Python<'_>, (from, to): (Encoding, Encoding), error: Error) -> PyErr {
    let made = match &error {
        Error::Row { row, error: ConvertError::IllFormed(e) } => {
            let object = PyBytes::new(py, e.bytes());
            let spot = Spot { object, start: 0, end: e.len(), offset: e.offset(), is_placed: false };
            let reason = format!("row {row}, byte {}: {}", e.offset(), errors::reason(e));
            errors::decode_error(py, from, &spot, &reason, e.code()).map(|object| (row, object))
        }
        Error::Row { row, error: ConvertError::Unmappable(e) } => {
            let text =
                py.import("builtins").and_then(|all| all.call_method1("chr", (u32::from(e.code_point()),)));
            text.and_then(|text| {
                let place = format!("row {row}, offset {}: ", e.offset());
                errors::encode_error(to, text.cast()?, (0, 1), e.offset(), e, &place)
            })
            .map(|object| (row, object))
        }
        Error::Type(_) => return PyTypeError::new_err(error.to_string()),
        Error::TooLong { .. } => return PyOverflowError::new_err(error.to_string()),
        _ => return PyValueError::new_err(error.to_string()),
    };
    match made.and_then(|(row, object)| object.setattr("row", *row).map(|()| object)) {
        Ok(object) => PyErr::from_value(object),
        Err(error) => error,
    }
}

fn registered() -> PyErr {
    PyValueError::new_err(
        "handlers of codecs.register_error do not run over columns: name a policy, or 'null'",
    )
}

fn on_error(name: &str) -> PyResult<Handling<ErrorPolicy<'static>>> {
    match (name, OnDecode::of(Some(name))?) {
        ("null", _) => Ok(Handling::Null),
        (_, Errors::Stock(policy)) => Ok(Handling::Policy(policy)),
        (_, Errors::ByKind(_)) => {
            Err(PyValueError::new_err("policies by kind do not run over columns: name one policy, or 'null'"))
        }
        _ => Err(registered()),
    }
}

fn on_unmappable(name: &str) -> PyResult<Handling<UnmappablePolicy<'static>>> {
    match (name, OnEncode::of(Some(name))?) {
        ("null", _) => Ok(Handling::Null),
        (_, Errors::Stock(policy)) => Ok(Handling::Policy(policy)),
        _ => Err(registered()),
    }
}

/// Whether each row is well-formed in the encoding: a column of booleans, null where the row is.
#[pyfunction]
#[pyo3(signature = (column, encoding = "utf-8"))]
fn is_valid(column: &Bound<'_, PyAny>, encoding: &str) -> PyResult<Py<PyAny>> {
    let encoding = names::encoding(encoding)?;
    let raise = |py: Python<'_>, error| raise(py, (encoding, encoding), error);
    Column::map(column, raise, |array| Ok(Arc::new(placemat_arrow::is_valid(array, encoding)?)))
}

/// The first error of each row: a struct of offset, length, code, bytes and message, null where there is none.
#[pyfunction]
#[pyo3(signature = (column, encoding = "utf-8"))]
fn first_error(column: &Bound<'_, PyAny>, encoding: &str) -> PyResult<Py<PyAny>> {
    let encoding = names::encoding(encoding)?;
    let raise = |py: Python<'_>, error| raise(py, (encoding, encoding), error);
    Column::map(column, raise, |array| Ok(Arc::new(placemat_arrow::first_error(array, encoding)?)))
}

/// The number of code points of each row; an ill-formed sequence counts as one.
#[pyfunction]
#[pyo3(signature = (column, encoding = "utf-8"))]
fn count(column: &Bound<'_, PyAny>, encoding: &str) -> PyResult<Py<PyAny>> {
    let encoding = names::encoding(encoding)?;
    let raise = |py: Python<'_>, error| raise(py, (encoding, encoding), error);
    Column::map(column, raise, |array| Ok(Arc::new(placemat_arrow::count(array, encoding)?)))
}

/// Bytes in the encoding, as text.
#[pyfunction]
#[pyo3(signature = (column, encoding = "utf-8", errors = "strict"))]
fn decode(column: &Bound<'_, PyAny>, encoding: &str, errors: &str) -> PyResult<Py<PyAny>> {
    let (encoding, errors) = (names::encoding(encoding)?, on_error(errors)?);
    let raise = |py: Python<'_>, error| raise(py, (encoding, Encoding::UTF_8), error);
    Column::map(column, raise, |array| placemat_arrow::decode(array, encoding, errors))
}

/// Bytes or text that should be UTF-8, as text: `decode` from UTF-8, with U+FFFD for errors.
#[pyfunction]
#[pyo3(signature = (column, errors = "replace"))]
fn make_valid(column: &Bound<'_, PyAny>, errors: &str) -> PyResult<Py<PyAny>> {
    decode(column, "utf-8", errors)
}

/// Text, as bytes in the encoding.
#[pyfunction]
#[pyo3(signature = (column, encoding = "utf-8", errors = "strict"))]
fn encode(column: &Bound<'_, PyAny>, encoding: &str, errors: &str) -> PyResult<Py<PyAny>> {
    let (encoding, errors) = (names::encoding(encoding)?, on_unmappable(errors)?);
    let raise = |py: Python<'_>, error| raise(py, (Encoding::UTF_8, encoding), error);
    Column::map(column, raise, |array| placemat_arrow::encode(array, encoding, errors))
}

/// Bytes in one encoding, as bytes in another.
#[pyfunction]
#[pyo3(signature = (column, source, target, errors = "strict", unmappable = "strict"))]
fn transcode(
    column: &Bound<'_, PyAny>,
    source: &str,
    target: &str,
    errors: &str,
    unmappable: &str,
) -> PyResult<Py<PyAny>> {
    let pair = (names::encoding(source)?, names::encoding(target)?);
    let (errors, unmappable) = (on_error(errors)?, on_unmappable(unmappable)?);
    Column::map(
        column,
        |py, error| raise(py, pair, error),
        |array| placemat_arrow::transcode(array, pair, errors, unmappable),
    )
}

/// The probable encoding of each row, as a struct.
#[pyfunction]
fn detect(column: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    let raise = |py: Python<'_>, error| raise(py, (Encoding::UTF_8, Encoding::UTF_8), error);
    Column::map(column, raise, |array| Ok(Arc::new(placemat_arrow::detect(array)?)))
}

/// The repair of each row, as a struct of the text, the encoding of the source and the changes.
#[pyfunction]
fn repair(column: &Bound<'_, PyAny>, settings: Settings) -> PyResult<Py<PyAny>> {
    let repairer = repairer(settings, false)?;
    let raise = |py: Python<'_>, error| raise(py, (Encoding::UTF_8, Encoding::UTF_8), error);
    Column::map(column, raise, |array| Ok(Arc::new(placemat_arrow::repair(array, &repairer)?)))
}

/// Adds the module `_placemat.arrow`.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let arrow = crate::module::submodule(module, "arrow")?;
    arrow.add_class::<ArrowArray>()?;
    arrow.add_class::<ArrowStream>()?;
    arrow.add_function(wrap_pyfunction!(is_valid, &arrow)?)?;
    arrow.add_function(wrap_pyfunction!(first_error, &arrow)?)?;
    arrow.add_function(wrap_pyfunction!(count, &arrow)?)?;
    arrow.add_function(wrap_pyfunction!(decode, &arrow)?)?;
    arrow.add_function(wrap_pyfunction!(make_valid, &arrow)?)?;
    arrow.add_function(wrap_pyfunction!(encode, &arrow)?)?;
    arrow.add_function(wrap_pyfunction!(transcode, &arrow)?)?;
    arrow.add_function(wrap_pyfunction!(detect, &arrow)?)?;
    arrow.add_function(wrap_pyfunction!(repair, &arrow)?)
}
