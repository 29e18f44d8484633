//! The examples in Rust of the README at the root of the repository and of the book, compiled and run by the tests.

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}

/// Makes each page of the book a module of documentation, whose examples are tests.
#[cfg(doctest)]
macro_rules! pages {
    ($($name:ident: $page:literal,)*) => {
        $(
            #[doc = include_str!(concat!("../../docs/", $page))]
            mod $name {}
        )*
    };
}

#[cfg(doctest)]
pages! {
    detection: "explained/detection.md",
    from_encoding_rs: "guides/from-encoding-rs.md",
    rust_guide: "guides/rust.md",
    split: "how/split-at-255-bytes.md",
    valid: "how/stream-did-not-contain-valid-utf-8.md",
}
