//! Counts and lengths: sums over code units of a number that depends on the unit and at most on the
//! one before it.

mod bytes;
mod units16;
mod units32;

pub(crate) use bytes::{count_code_points, count_line_feeds, utf8_len_of_latin1, utf16_len_of_utf8};
pub(crate) use units16::{count_code_points_of_utf16, utf8_len_of_utf16};
pub(crate) use units32::{utf8_len_of_utf32, utf16_len_of_utf32};

#[cfg(test)]
mod tests;
