//! Conversion piece by piece, in constant memory, between two forms known at compile time.
//!
//! ```
//! use placemat::{ErrorPolicy, UnmappablePolicy, forms::{Latin1, Utf8}};
//! use placemat::stream::{Count, FormTranscoder, Progress, Status, Tally};
//! let t = FormTranscoder::<Utf8, Latin1>::new().on_error(ErrorPolicy::Replace);
//! let mut t = t.on_unmappable(UnmappablePolicy::Replace).counting();
//! let mut out = [0; 16];
//! let done: Progress = t.convert("é€".as_bytes(), &mut out, false);
//! assert_eq!((done.status, &out[..done.written]), (Status::NeedInput, &b"\xE9?"[..]));
//! let tally: Tally = t.tally();
//! let unmappable: Count = tally.unmappable;
//! assert_eq!((tally.decoded, unmappable.count, unmappable.first), (Some(2), 1, Some(2)));
//! ```

#[doc(hidden)]
pub mod carry;
mod form;

pub use crate::engine::{Count, Progress, Status, Tally};
#[doc(hidden)]
pub use form::min_output;
pub use form::{Decoder, Encoder, FormTranscoder};
