//! bytecount: counting bytes and code points.

use crate::job::{Job, read};
use crate::operations::Op;
use placemat::Isa;

/// The level that bytecount selects at run time.
pub const LEVEL: Isa = if cfg!(target_arch = "x86_64") { Isa::Avx2 } else { Isa::Portable };

pub fn job(op: Op) -> Option<Job> {
    Some(match op {
        Op::CountCodePoints => read(bytecount::num_chars),
        Op::CountLineFeeds => read(|s| bytecount::count(s, b'\n')),
        _ => return None,
    })
}
