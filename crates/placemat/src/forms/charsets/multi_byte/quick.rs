//! The loops to UTF-8 and from it. Each knows one structure and looks at eight bytes at a time; what it does not know the
//! steps do, in their place, or the loop ends.

mod bytes;
mod ebcdic;
mod seven_bits;
mod strict;

use self::bytes::{Big5Hkscs, EucJis2004, EucTw, Ibm943, Johab, ShiftJis2004};
use self::seven_bits::{Chinese, Hz, Korean};
use self::strict::{Big5, Cp932, EucCn, EucJp, EucKr, Gbk, ShiftJis};
use super::japanese;
use super::sets::MultiByte;
use super::state::MultiByteState;

pub(super) fn to_utf8(state: &mut MultiByteState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    match state.encoding {
        MultiByte::Iso2022Kr => seven_bits::to_utf8::<Korean>(state, src, dst),
        MultiByte::Iso2022Cn | MultiByte::Iso2022CnExt => seven_bits::to_utf8::<Chinese>(state, src, dst),
        MultiByte::Hz => seven_bits::to_utf8::<Hz>(state, src, dst),
        MultiByte::Johab => bytes::to_utf8::<Johab>(src, dst),
        MultiByte::Big5Hkscs => bytes::to_utf8::<Big5Hkscs>(src, dst),
        MultiByte::EucTw => bytes::to_utf8::<EucTw>(src, dst),
        MultiByte::ShiftJis2004 => bytes::to_utf8::<ShiftJis2004>(src, dst),
        MultiByte::EucJis2004 => bytes::to_utf8::<EucJis2004>(src, dst),
        MultiByte::Ibm943 => bytes::to_utf8::<Ibm943>(src, dst),
        MultiByte::EucCnStrict => bytes::to_utf8::<EucCn>(src, dst),
        MultiByte::EucKrStrict => bytes::to_utf8::<EucKr>(src, dst),
        MultiByte::EucJpStrict => bytes::to_utf8::<EucJp>(src, dst),
        MultiByte::ShiftJisStrict => bytes::to_utf8::<ShiftJis>(src, dst),
        MultiByte::GbkStrict => bytes::to_utf8::<Gbk>(src, dst),
        MultiByte::Big5Strict => bytes::to_utf8::<Big5>(src, dst),
        MultiByte::Cp932Strict => bytes::to_utf8::<Cp932>(src, dst),
        encoding if encoding.is_japanese() => japanese::copy(&state.japanese, src, dst),
        _ => ebcdic::to_utf8(state, src, dst),
    }
}

pub(super) fn from_utf8(state: &mut MultiByteState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    match state.encoding {
        MultiByte::Iso2022Kr => seven_bits::from_utf8::<Korean>(state, src, dst),
        MultiByte::Iso2022Cn | MultiByte::Iso2022CnExt => seven_bits::from_utf8::<Chinese>(state, src, dst),
        MultiByte::Hz => seven_bits::from_utf8::<Hz>(state, src, dst),
        MultiByte::Johab => bytes::from_utf8::<Johab>(state, src, dst),
        MultiByte::Big5Hkscs => bytes::from_utf8::<Big5Hkscs>(state, src, dst),
        MultiByte::EucTw => bytes::from_utf8::<EucTw>(state, src, dst),
        MultiByte::ShiftJis2004 => bytes::from_utf8::<ShiftJis2004>(state, src, dst),
        MultiByte::EucJis2004 => bytes::from_utf8::<EucJis2004>(state, src, dst),
        MultiByte::Ibm943 => bytes::from_utf8::<Ibm943>(state, src, dst),
        MultiByte::EucCnStrict => bytes::from_utf8::<EucCn>(state, src, dst),
        MultiByte::EucKrStrict => bytes::from_utf8::<EucKr>(state, src, dst),
        MultiByte::EucJpStrict => bytes::from_utf8::<EucJp>(state, src, dst),
        MultiByte::ShiftJisStrict => bytes::from_utf8::<ShiftJis>(state, src, dst),
        MultiByte::GbkStrict => bytes::from_utf8::<Gbk>(state, src, dst),
        MultiByte::Big5Strict => bytes::from_utf8::<Big5>(state, src, dst),
        MultiByte::Cp932Strict => bytes::from_utf8::<Cp932>(state, src, dst),
        _ if state.encoding.is_japanese() && state.pending.is_some() => (0, 0),
        encoding if encoding.is_japanese() => japanese::copy(&state.japanese, src, dst),
        _ => ebcdic::from_utf8(state, src, dst),
    }
}
