//! Conversion piece by piece, in constant memory.
//!
//! [`Transcoder`] converts between two [`Encoding`](crate::Encoding)s, [`FormTranscoder`] between two forms known at
//! compile time, including those of 16- and 32-bit code units; [`Decoder`] and [`Encoder`] convert to and from UTF-8.
//! Each call takes a piece of the source and a buffer for the result, and reports exactly how much it read and wrote
//! and why it stopped. It keeps up to a few code units of an incomplete sequence for the next call and counts them as
//! read.
//!
//! The law: any division of the input, and any sizes of output buffers of at least `min_output`, give the same output,
//! the same errors and the same absolute offsets as one call with the whole input. When a call reports an error, it has
//! written everything before the error, with two exceptions: bits of an unfinished run of UTF-7, and a lone leading
//! surrogate of WTF-8, are written with the next output or at the end of the text ([`Transcoder::close`]).
//!
//! ```
//! use placemat::{ErrorPolicy, forms::{Utf8, Utf16}, Le, stream::{FormTranscoder, Status}};
//! let mut t = FormTranscoder::<Utf8, Utf16<Le>>::new().on_error(ErrorPolicy::Replace);
//! let mut out = [0; 16];
//! // The euro sign comes in two pieces; the transcoder keeps its first bytes.
//! let p = t.convert(b"5 \xE2\x82", &mut out, false);
//! assert_eq!((p.read, p.written, p.status), (4, 4, Status::NeedInput));
//! let q = t.convert(b"\xAC\xFF", &mut out[p.written..], true);
//! assert_eq!((q.read, q.written, q.status), (2, 4, Status::Done));
//! assert_eq!(&out[..8], b"5\0 \0\xAC\x20\xFD\xFF");
//! ```
//! A tally counts the replacements and has the offset of the first:
//! ```
//! use placemat::{Encoding, ErrorPolicy, UnmappablePolicy, stream::{Count, Progress, Status, Tally, Transcoder}};
//! let t = Transcoder::new(Encoding::UTF_8, Encoding::ISO_8859_1);
//! let mut t = t.on_error(ErrorPolicy::Replace).on_unmappable(UnmappablePolicy::Replace).counting();
//! let mut out = [0; 16];
//! let done: Progress = t.convert("é€".as_bytes(), &mut out, false);
//! assert_eq!((done.status, &out[..done.written]), (Status::NeedInput, &b"\xE9?"[..]));
//! let tally: Tally = t.tally();
//! let unmappable: Count = tally.unmappable;
//! assert_eq!((tally.decoded, unmappable.count, unmappable.first), (Some(2), 1, Some(2)));
//! ```

#[cfg(feature = "tokio")]
pub mod aio;
#[cfg(feature = "alloc")]
mod checkpoint;
#[cfg(feature = "std")]
mod io;
#[cfg(feature = "std")]
mod pump;
mod transcoder;

#[cfg(feature = "alloc")]
pub use checkpoint::Checkpoint;
#[cfg(feature = "std")]
pub use io::{Reader, Writer};
#[doc(inline)]
pub use placemat_core::stream::{Count, Decoder, Encoder, FormTranscoder, Progress, Status, Tally};
pub use transcoder::Transcoder;
