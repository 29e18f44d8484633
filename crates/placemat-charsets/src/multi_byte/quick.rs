//! The loops to UTF-8 and from it. Each knows one structure and looks at eight bytes at a time; what it does not know the
//! steps do, in their place, or the loop ends. Encodings with tables have kernels instead.

mod bytes;
mod ebcdic;
mod seven_bits;

pub(super) use self::bytes::may_be_mark;
use self::bytes::{Big5Hkscs, EucJis2004, EucTw, ShiftJis2004};
pub(super) use self::seven_bits::read_step;
use self::seven_bits::{Chinese, Hz, Korean};
use super::encodings::MultiByte;
use super::japanese;
use super::state::MultiByteState;

pub(super) fn to_utf8(state: &mut MultiByteState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    match state.encoding {
        MultiByte::Iso2022Kr => seven_bits::to_utf8::<Korean>(state, src, dst),
        MultiByte::Iso2022Cn | MultiByte::Iso2022CnExt => seven_bits::to_utf8::<Chinese>(state, src, dst),
        MultiByte::Hz => seven_bits::to_utf8::<Hz>(state, src, dst),
        MultiByte::Big5Hkscs => bytes::to_utf8::<Big5Hkscs>(src, dst),
        MultiByte::EucTw => bytes::to_utf8::<EucTw>(src, dst),
        MultiByte::ShiftJis2004 => bytes::to_utf8::<ShiftJis2004>(src, dst),
        MultiByte::EucJis2004 => bytes::to_utf8::<EucJis2004>(src, dst),
        encoding if encoding.is_japanese() => japanese::quick::to_utf8(state, src, dst),
        encoding if encoding.has_tables() => (0, 0),
        _ => ebcdic::to_utf8(state, src, dst),
    }
}

pub(super) fn from_utf8(state: &mut MultiByteState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    match state.encoding {
        MultiByte::Iso2022Kr => seven_bits::from_utf8::<Korean>(state, src, dst),
        MultiByte::Iso2022Cn | MultiByte::Iso2022CnExt => seven_bits::from_utf8::<Chinese>(state, src, dst),
        MultiByte::Hz => seven_bits::from_utf8::<Hz>(state, src, dst),
        MultiByte::Big5Hkscs => bytes::from_utf8::<Big5Hkscs>(state, src, dst),
        MultiByte::EucTw => bytes::from_utf8::<EucTw>(state, src, dst),
        MultiByte::ShiftJis2004 => bytes::from_utf8::<ShiftJis2004>(state, src, dst),
        MultiByte::EucJis2004 => bytes::from_utf8::<EucJis2004>(state, src, dst),
        encoding if encoding.is_japanese() => japanese::quick::from_utf8(state, src, dst),
        encoding if encoding.has_tables() => (0, 0),
        _ => ebcdic::from_utf8(state, src, dst),
    }
}
