//! bstr: byte strings that are mostly UTF-8.

use crate::job::{Job, owned};
use crate::operations::Op;
use bstr::ByteSlice as _;

pub fn job(op: Op) -> Option<Job> {
    matches!(op, Op::Lossy(_) | Op::Damaged(..)).then(|| owned!(move |s| s.to_str_lossy()))
}
