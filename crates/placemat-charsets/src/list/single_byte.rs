//! The constants of the single-byte charsets.

use crate::single_byte::{SingleByte, charsets};
use crate::encoding::encodings;

macro_rules! constants {
    ($($member:ident, $constant:ident, $about:literal;)*) => {
        encodings! { SINGLE_BYTE from 100:
            $(#[doc = $about] $constant = SingleByte::$member.row(),)*
        }
    };
}
charsets!(constants);
