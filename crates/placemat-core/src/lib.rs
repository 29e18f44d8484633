//! The foundation of the library [placemat](https://docs.rs/placemat): the vector layer, the
//! kernels, the engine, and UTF-8, UTF-16, UTF-32 and their variants.
//!
//! Depend on `placemat`, which re-exports what users need under one name. The modules that this
//! page hides promise no stability.

#![cfg_attr(not(test), no_std)]
// On docs.rs, each item shows the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(clippy::unwrap_used)]
#![warn(clippy::print_stdout)]
#![allow(rustdoc::private_intra_doc_links, reason = "hidden modules link to private items")]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[doc(hidden)]
pub mod checked;
pub mod convert;
#[doc(hidden)]
pub mod engine;
pub mod forms;
#[doc(hidden)]
pub mod ground;
#[doc(hidden)]
pub mod kernels;
pub mod length;
pub mod mutf8;
pub mod policy;
#[doc(hidden)]
pub mod simd;
pub mod stream;
#[cfg(feature = "transliteration")]
#[doc(hidden)]
pub mod transliteration;
pub mod utf16;
pub mod utf8;
#[cfg(feature = "alloc")]
pub mod wtf8;

pub use forms::EncodingForm;
pub use ground::code_point::{CodePoint, CodePointError};
pub use ground::error::{ConvertError, IllFormed, IllFormedKind, Unmappable, UnmappableKind};
pub use ground::unit::{Be, ByteOrder, CodeUnit, Le, Native};
pub use kernels::dispatch::{Isa, IsaError};
pub use policy::{ErrorPolicy, OnError, OnUnmappable, Replacement, Span, UnmappablePolicy};
