//! The constants of the charsets of one or two bytes.

use crate::encoding::encodings;
use crate::sequences::{Sequences, sequences};

macro_rules! constants {
    ($($member:ident, $constant:ident, $about:literal;)*) => {
        encodings! { SEQUENCES from 720:
            $(#[doc = $about] $constant = Sequences::$member.row(),)*
        }
    };
}
sequences!(constants);
