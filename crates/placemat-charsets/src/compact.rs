//! Stateful forms: they shorten a text (SCSU, BOCU-1) or keep it in seven bits (UTF-7).

pub(crate) mod bocu1;
pub(crate) mod scsu;
pub(crate) mod utf7;
