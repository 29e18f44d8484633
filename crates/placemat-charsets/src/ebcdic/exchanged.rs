//! Pages of EBCDIC in which the bytes 15 and 25 have each other's meaning, as forms made from the forms of the pages.
//!
//! Neither byte occurs within a sequence of several bytes, nor in a shift or a signature. So the form of the page reads a copy
//! in which the two bytes are exchanged, and they are exchanged in what it writes. Encodings of single bytes have kernels,
//! whose tables differ in the two bytes.

use core::marker::PhantomData;
use placemat_core::forms::form::{Bulk, EncodeStep, Ending, Facts, Form, JustRead, Names, Step};
use placemat_core::forms::names::labels;
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::policy::{CodePoints, Span};

/// No sequence is longer, with the bytes after it that a form looks at: see [`Form`].
const MAX_SEQUENCE_BYTES: usize = 16;

/// A loop over many characters reads copies of this many bytes.
const CHUNK_BYTES: usize = 256;

/// Returns the byte that has the meaning of `byte` in the other page of a pair.
#[inline(always)]
pub(crate) const fn exchange(byte: u8) -> u8 {
    match byte {
        0x15 => 0x25,
        0x25 => 0x15,
        other => other,
    }
}

/// Exchanges the two bytes in place.
// Programs contain the loop once, and not in each function of each form.
#[inline(never)]
pub(crate) fn exchange_all(bytes: &mut [u8]) {
    for byte in bytes {
        *byte = exchange(*byte);
    }
}

/// Returns a copy of up to `N` bytes at the start of `src`, with the two bytes exchanged.
#[inline(always)]
fn copied<'a, const N: usize>(src: &[u8], copy: &'a mut [u8; N]) -> &'a [u8] {
    let len = src.len().min(N);
    copy[..len].copy_from_slice(&src[..len]);
    exchange_all(&mut copy[..len]);
    &copy[..len]
}

/// Exchanges the two bytes in what a step wrote.
#[inline(always)]
fn written(step: EncodeStep, dst: &mut [u8]) -> EncodeStep {
    if let EncodeStep::Written(len) = step {
        exchange_all(&mut dst[..len]);
    }
    step
}

/// The form of a page of EBCDIC.
pub(crate) trait Page: Form<Unit = u8> {
    /// Whether the form has a [`to_utf8`](Form::to_utf8) of its own: programs need no copies for the others.
    const HAS_LOOP: bool = false;

    /// Returns the name by which the kernels know the page with exchanged bytes in this state.
    #[inline(always)]
    fn exchanged_bulk(_state: &Self::State) -> Bulk {
        Bulk::None
    }
}

/// The form `F` with the bytes 15 and 25 exchanged.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Exchanged<F>(PhantomData<F>);

impl<F: Page> Form for Exchanged<F> {
    type Unit = u8;
    type State = F::State;

    const NAMES: Names = F::NAMES;
    const FACTS: Facts = Facts { functions: None, ..F::FACTS };

    fn names(member: u16) -> Names {
        let page = F::names(member);
        Names { name: name(page.name), labels: labels![], web_labels: labels![], ..page }
    }

    #[inline(always)]
    fn bulk(state: &F::State) -> Bulk {
        F::exchanged_bulk(state)
    }

    #[inline]
    fn decode_step(state: &mut F::State, src: &[u8]) -> Step {
        F::decode_step(state, copied(src, &mut [0; MAX_SEQUENCE_BYTES]))
    }

    #[inline]
    fn decode_end(state: &mut F::State, src: &[u8]) -> Step {
        F::decode_end(state, copied(src, &mut [0; MAX_SEQUENCE_BYTES]))
    }

    #[inline]
    fn owed(state: &mut F::State) -> Option<CodePoint> {
        F::owed(state)
    }

    #[inline]
    fn settled(state: &mut F::State) -> Option<usize> {
        F::settled(state)
    }

    #[inline]
    fn bridge(from: &F::State, to: &F::State, dst: &mut [u8]) -> Option<usize> {
        F::bridge(from, to, dst)
    }

    #[inline]
    fn ending(state: &F::State, read: JustRead<'_>) -> Ending {
        F::ending(state, read)
    }

    #[inline]
    fn decode_several(state: &F::State, src: &[u8]) -> CodePoints {
        F::decode_several(state, copied(src, &mut [0; MAX_SEQUENCE_BYTES]))
    }

    #[inline]
    fn encode_step(state: &mut F::State, c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        written(F::encode_step(state, c, dst), dst)
    }

    #[inline]
    fn encode_finish(state: &mut F::State, dst: &mut [u8]) -> EncodeStep {
        written(F::encode_finish(state, dst), dst)
    }

    #[inline]
    fn encode_pause(state: &mut F::State, dst: &mut [u8]) -> EncodeStep {
        written(F::encode_pause(state, dst), dst)
    }

    #[inline]
    fn to_utf8(state: &mut F::State, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let (mut read, mut put) = (0, 0);
        if F::HAS_LOOP {
            let mut chunk = [0; CHUNK_BYTES];
            loop {
                let (more, len) = F::to_utf8(state, copied(&src[read..], &mut chunk), &mut dst[put..]);
                if more == 0 {
                    break;
                }
                (read, put) = (read + more, put + len);
            }
        }
        (read, put)
    }

    #[inline]
    fn from_utf8(state: &mut F::State, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let (read, len) = F::from_utf8(state, src, dst);
        exchange_all(&mut dst[..len]);
        (read, len)
    }

    #[inline]
    fn decode_surrogate(state: &F::State, src: &[u8]) -> Option<Step> {
        F::decode_surrogate(state, copied(src, &mut [0; MAX_SEQUENCE_BYTES]))
    }

    #[inline]
    fn span(state: &F::State, rule: Span, src: &[u8], maximal: usize, last: bool) -> Option<usize> {
        F::span(state, rule, copied(src, &mut [0; MAX_SEQUENCE_BYTES]), maximal, last)
    }
}

/// Returns the name of a page with exchanged bytes.
fn name(page: &'static str) -> &'static str {
    let is_of_page = |name: &&str| name.split_once(',').is_some_and(|(before, _)| before == page);
    NAMES.iter().find_map(|names| names.lines().find(is_of_page)).unwrap_or(page)
}

/// The names of all pages with exchanged bytes that are not in the list of encodings, in the order of their numbers by list.
// Each list is one text and no array: a pointer to each name would take 40 bytes in a shared library.
const NAMES: &[&str] = &[
    "UTF-EBCDIC,swaplfnl",
    #[cfg(feature = "single-byte")]
    SINGLE_BYTE,
    #[cfg(feature = "cjk-extra")]
    MULTI_BYTE,
];

#[cfg(feature = "single-byte")]
const SINGLE_BYTE: &str = "\
IBM038,swaplfnl\n\
IBM256,swaplfnl\n\
IBM273,swaplfnl\n\
IBM274,swaplfnl\n\
IBM275,swaplfnl\n\
IBM277,swaplfnl\n\
IBM278,swaplfnl\n\
IBM280,swaplfnl\n\
IBM281,swaplfnl\n\
IBM284,swaplfnl\n\
IBM285,swaplfnl\n\
IBM290,swaplfnl\n\
IBM297,swaplfnl\n\
IBM420,swaplfnl\n\
IBM423,swaplfnl\n\
IBM424,swaplfnl\n\
IBM500,swaplfnl\n\
IBM803,swaplfnl\n\
IBM833,swaplfnl\n\
IBM838,swaplfnl\n\
IBM870,swaplfnl\n\
IBM871,swaplfnl\n\
IBM875,swaplfnl\n\
IBM880,swaplfnl\n\
IBM905,swaplfnl\n\
IBM918,swaplfnl\n\
IBM1025,swaplfnl\n\
IBM1026,swaplfnl\n\
IBM1097,swaplfnl\n\
IBM1112,swaplfnl\n\
IBM1122,swaplfnl\n\
IBM1123,swaplfnl\n\
IBM1130,swaplfnl\n\
IBM1132,swaplfnl\n\
IBM1137,swaplfnl\n\
IBM1154,swaplfnl\n\
IBM1155,swaplfnl\n\
IBM1156,swaplfnl\n\
IBM1157,swaplfnl\n\
IBM1158,swaplfnl\n\
IBM1160,swaplfnl\n\
IBM1164,swaplfnl\n\
IBM1166,swaplfnl\n\
IBM4517,swaplfnl\n\
IBM4899,swaplfnl\n\
IBM4971,swaplfnl\n\
IBM5123,swaplfnl\n\
IBM8482,swaplfnl\n\
IBM9030,swaplfnl\n\
IBM9067,swaplfnl\n\
EBCDIC-AT-DE,swaplfnl\n\
EBCDIC-AT-DE-A,swaplfnl\n\
EBCDIC-CA-FR,swaplfnl\n\
EBCDIC-DK-NO,swaplfnl\n\
EBCDIC-DK-NO-A,swaplfnl\n\
EBCDIC-ES,swaplfnl\n\
EBCDIC-ES-A,swaplfnl\n\
EBCDIC-ES-S,swaplfnl\n\
EBCDIC-FI-SE,swaplfnl\n\
EBCDIC-FI-SE-A,swaplfnl\n\
EBCDIC-FR,swaplfnl\n\
EBCDIC-IT,swaplfnl\n\
EBCDIC-PT,swaplfnl\n\
EBCDIC-UK,swaplfnl\n\
EBCDIC-US,swaplfnl\n\
EBCDIC-XML-US,swaplfnl\n";

#[cfg(feature = "cjk-extra")]
const MULTI_BYTE: &str = "\
IBM930,swaplfnl\n\
IBM933,swaplfnl\n\
IBM935,swaplfnl\n\
IBM937,swaplfnl\n\
IBM939,swaplfnl\n\
IBM1364,swaplfnl\n\
IBM1371,swaplfnl\n\
IBM1388,swaplfnl\n\
IBM1390,swaplfnl\n\
IBM1399,swaplfnl\n";
