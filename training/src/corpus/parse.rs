//! The formats that the packages hold text in.

pub(crate) mod catalog;
pub(crate) mod markup;
pub(crate) mod plain;
pub(crate) mod roff;
pub(crate) mod strings;
