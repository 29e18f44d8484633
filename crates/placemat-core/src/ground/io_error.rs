//! Conversion of this library's errors into errors of input and output.

/// Lets `?` turn an error into an [`io::Error`](std::io::Error) of the given kind, with the error
/// inside.
#[cfg(feature = "std")]
#[doc(hidden)]
#[macro_export]
macro_rules! into_io_error {
    ($kind:ident: $($error:ty),* $(,)?) => {
        $(
            #[doc = concat!("Makes an error of the kind [`", stringify!($kind), "`](std::io::ErrorKind::", stringify!($kind), "),")]
            /// with this error inside.
            impl From<$error> for std::io::Error {
                fn from(e: $error) -> Self {
                    Self::new(std::io::ErrorKind::$kind, e)
                }
            }
        )*
    };
}
#[cfg(feature = "std")]
pub use into_io_error;
