//! smoothutf8: validation of the short strings of serialized protocols.

use crate::job::{Job, read};
use crate::operations::Op;
use crate::record::Kind;
use crate::texts::Fields;

/// smoothutf8 is a peer for strings of at most this many bytes; it is not made for longer ones.
const MAX_BYTES: usize = 64;

pub fn job(op: Op, kind: Kind) -> Option<Job> {
    let most = match kind {
        Kind::Short { len, .. } | Kind::Pieces { len, .. } => len,
        Kind::Fields => Fields::MAX_BYTES,
        Kind::Whole(_) | Kind::Distinct(_) | Kind::Memory(_) => return None,
    };
    (op == Op::Validate && most <= MAX_BYTES).then(|| read(|s| smoothutf8::verify(s).into()))
}
