//! The ground floor: code units, code points, errors and policies, which everything else is made of.

pub(crate) mod chunk;
pub(crate) mod code_point;
pub(crate) mod error;
pub(crate) mod policy;
pub(crate) mod unit;
pub(crate) mod work;
