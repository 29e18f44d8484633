//! smoothutf8: validation of the short strings of serialized protocols.

use super::{Job, read};
use crate::operations::Op;
use crate::record::Kind;

/// The longest strings in bytes for which it is a peer: above, it is not made for speed.
const MAX_BYTES: usize = 64;

pub fn job(op: Op, kind: Kind) -> Option<Job> {
    let is_short = matches!(kind, Kind::Short { len, .. } if len <= MAX_BYTES);
    (op == Op::Validate && is_short).then(|| read(|s| smoothutf8::verify(s).into()))
}
