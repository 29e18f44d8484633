//! The constants of the single-byte charsets.

use super::constants;
use crate::forms::charsets::single_byte::{SingleByte, charsets};
use crate::forms::encoding::{Encoding, Kind};

macro_rules! of_all {
    ($($member:ident, $constant:ident, $about:literal;)*) => {
        constants! { single_byte, SingleByte: $(#[doc = $about] $constant = SingleByte::$member,)* }
    };
}
charsets!(of_all);
